// SPDX-License-Identifier: Apache-2.0
// input: datagrams, each behind its size (two bytes), its sender (one) and seconds since the last
// (one)
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "devices/divingstation/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool claim)
{
    if (!claim)
        abort();
}

static void on_event(void *context, const struct tn_ds_event *event)
{
    const struct tn_ds_session *session = context;
    check(session->n_clients <= TN_DS_CLIENTS_MAX);
    check((event->kind == TN_DS_HAPTICS) == (event->message != NULL));
    if (event->kind == TN_DS_CLIENT_NEW)
        check(event->client.receive_port > 0);
}

static void check_clients(const struct tn_ds_session *session, int64_t now_ns)
{
    for (uint32_t i = 0; i < session->n_clients; i++) {
        const struct tn_ds_client *a = &session->clients[i];
        check(now_ns - a->connect_steady_ns < TN_CONTACT_EXPIRY_S * TN_NS_PER_S);
        for (uint32_t k = 0; k < i; k++)
            check(session->clients[k].address != a->address ||
                  session->clients[k].receive_port != a->receive_port);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_ds_session session;
    tn_ds_session_init(&session, tn_contact_dialect_v1(), on_event, &session);
    int64_t now_ns = 0;
    size_t at = 0;
    while (size - at >= 4) {
        size_t n = (size_t)data[at] | (size_t)data[at + 1] << 8;
        uint32_t sender = data[at + 2] % 4;
        now_ns += data[at + 3] * TN_NS_PER_S;
        at += 4;
        if (n > size - at)
            n = size - at;
        tn_ds_session_expire(&session, now_ns);
        tn_ds_session_receive(&session, sender, data + at, n, now_ns);
        check_clients(&session, now_ns);
        at += n;
    }
    return 0;
}
