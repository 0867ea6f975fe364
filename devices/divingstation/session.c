// SPDX-License-Identifier: Apache-2.0
#include "devices/divingstation/session.h"

#include "base/clock.h"

#define NONE UINT32_MAX

void tn_ds_session_init(struct tn_ds_session *session, const struct tn_contact_dialect *dialect,
                        tn_ds_event_fn on_event, void *context)
{
    *session = (struct tn_ds_session){.dialect = dialect, .on_event = on_event, .context = context};
}

static void tell_client(struct tn_ds_session *session, enum tn_ds_event_kind kind,
                        struct tn_ds_client client)
{
    const struct tn_ds_event event = {.kind = kind, .client = client};
    session->on_event(session->context, &event);
}

static void reject(struct tn_ds_session *session, uint32_t address,
                   const struct tn_contact_reject *why)
{
    session->n_rejected++;
    const struct tn_ds_event event = {
        .kind = TN_DS_REJECTED, .client = {.address = address}, .reject = why};
    session->on_event(session->context, &event);
}

static uint32_t find_client(const struct tn_ds_session *session, uint32_t address, uint16_t port)
{
    for (uint32_t i = 0; i < session->n_clients; i++)
        if (session->clients[i].address == address && session->clients[i].receive_port == port)
            return i;
    return NONE;
}

static bool is_known_address(const struct tn_ds_session *session, uint32_t address)
{
    for (uint32_t i = 0; i < session->n_clients; i++)
        if (session->clients[i].address == address)
            return true;
    return false;
}

static void remove_client(struct tn_ds_session *session, uint32_t i, enum tn_ds_event_kind kind)
{
    struct tn_ds_client client = session->clients[i];
    session->n_clients--;
    for (uint32_t k = i; k < session->n_clients; k++)
        session->clients[k] = session->clients[k + 1];
    tell_client(session, kind, client);
}

static void connect_client(struct tn_ds_session *session, struct tn_ds_client client)
{
    uint32_t i = find_client(session, client.address, client.receive_port);
    if (i != NONE) {
        session->clients[i] = client;
        tell_client(session, TN_DS_CLIENT_AGAIN, client);
    } else if (session->n_clients == TN_DS_CLIENTS_MAX) {
        tell_client(session, TN_DS_CLIENT_REFUSED, client);
    } else {
        session->clients[session->n_clients++] = client;
        tell_client(session, TN_DS_CLIENT_NEW, client);
    }
}

static void disconnect_client(struct tn_ds_session *session, uint32_t address, uint16_t port)
{
    uint32_t i = find_client(session, address, port);
    if (i != NONE)
        remove_client(session, i, TN_DS_CLIENT_LEFT);
    else
        reject(session, address, NULL);
}

// only a connected program may make the glove vibrate
static void take_haptics(struct tn_ds_session *session, uint32_t address)
{
    if (!is_known_address(session, address)) {
        reject(session, address, NULL);
        return;
    }
    session->n_haptics++;
    const struct tn_ds_event event = {
        .kind = TN_DS_HAPTICS, .client = {.address = address}, .message = &session->message};
    session->on_event(session->context, &event);
}

static void take_message(struct tn_ds_session *session, uint32_t address, int64_t now_steady_ns)
{
    const struct tn_contact_message *message = &session->message;
    uint16_t port = 0;
    // what DivingStation itself sends is unknown to a reader of this direction
    switch (message->kind) {
    case TN_CONTACT_CONNECT:
        port = (uint16_t)message->body.connect.receive_port;
        connect_client(session, (struct tn_ds_client){address, port, now_steady_ns});
        break;
    case TN_CONTACT_DISCONNECT:
        disconnect_client(session, address, (uint16_t)message->body.connect.receive_port);
        break;
    case TN_CONTACT_HAPTICS_BODY:
    case TN_CONTACT_HAPTICS_FINGER:
        take_haptics(session, address);
        break;
    case TN_CONTACT_DEVICES:
    case TN_CONTACT_ERGONOMICS:
    case TN_CONTACT_HAND_QUAT:
    case TN_CONTACT_WRIST:
    case TN_CONTACT_CONTROLLER:
    case TN_CONTACT_KINDS:
        reject(session, address, NULL);
        break;
    }
}

void tn_ds_session_receive(struct tn_ds_session *session, uint32_t address, const uint8_t *data,
                           size_t size, int64_t now_steady_ns)
{
    struct tn_contact_reader reader;
    struct tn_contact_reject why;
    tn_contact_reader_begin(&reader, session->dialect, TN_CONTACT_TO_DS, data, size);
    enum tn_result result = TN_OK;
    while ((result = tn_contact_reader_next(&reader, &session->message, &why)) != TN_ERR_AGAIN) {
        if (result == TN_OK)
            take_message(session, address, now_steady_ns);
        else
            reject(session, address, &why);
    }
}

void tn_ds_session_expire(struct tn_ds_session *session, int64_t now_steady_ns)
{
    uint32_t i = 0;
    while (i < session->n_clients) {
        int64_t age_ns = tn_ns_sub(now_steady_ns, session->clients[i].connect_steady_ns);
        if (age_ns >= TN_CONTACT_EXPIRY_S * TN_NS_PER_S)
            remove_client(session, i, TN_DS_CLIENT_EXPIRED);
        else
            i++;
    }
}
