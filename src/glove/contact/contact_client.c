// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_client.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#define TICK_NS              (100 * TN_NS_PER_MS)
#define DISCONNECT_GAP_MS    10
#define REJECT_LOG_NS        TN_NS_PER_S
#define OLD_DIALECT_LOG_NS   (3600 * TN_NS_PER_S)
#define DATAGRAMS_PER_WAKEUP 256
#define FINGER_LEVEL_MAX     15
// passes that one datagram may wait for others: the way of a hand to the robot and some more
#define WAITS_MAX 8

struct tn_contact_client {
    struct tn_contact_client_options options;
    struct tn_contact_link link;
    uint16_t receive_port;
    struct tn_contact_session session;
    struct tn_contact_gloves gloves;
    struct tn_contact_stats stats;
    // one limiter per place of the glove table; its id tells whom it serves
    struct {
        char id[TN_CONTACT_ID_MAX];
        struct tn_contact_limiter limiter;
    } haptics[TN_SIDES][TN_CONTACT_GLOVES_MAX];

    struct tn_loop_fd fd_handle;
    unsigned n_waits;
    struct tn_loop_timer timer;
    struct tn_log_throttle reject_log[TN_CONTACT_REJECTS];
    struct tn_log_throttle refused_log, send_log;

    struct tn_contact_reader reader;
    bool is_reading;
    struct tn_udp_datagram datagram;
    struct tn_contact_message message; ///< last one taken
    struct tn_contact_message request; ///< last one sent
    uint8_t buffer[TN_CONTACT_DATAGRAM_MAX];
};

struct tn_contact_client_options tn_contact_client_options_default(void)
{
    return (struct tn_contact_client_options){
        .dialect = tn_contact_dialect_v1(),
        .session = tn_contact_session_options_default(),
        .max_gloves = 16,
        .max_gloves_name = "max_gloves",
        .haptics_period_ns = TN_NS_PER_S / 50,
    };
}

static int64_t now_steady_ns(const struct tn_contact_client *client)
{
    return client->options.clock.steady_ns(client->options.clock.context);
}

enum tn_result tn_contact_client_create(const struct tn_contact_client_options *options,
                                        struct tn_contact_client **out_client, struct tn_error *err)
{
    if (options->max_gloves < 1 || options->max_gloves > TN_CONTACT_GLOVES_MAX)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "max_gloves is %u, expected 1..%d",
                            (unsigned)options->max_gloves, TN_CONTACT_GLOVES_MAX);
    if (options->session.keepalive_silent_ns <= 0 || options->session.keepalive_streaming_ns <= 0 ||
        options->haptics_period_ns < 0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "a period of the client is not positive");
    if (options->loop == NULL && options->clock.steady_ns == NULL)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "the client has no loop and no clock");
    struct tn_contact_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the glove client");
    client->options = *options;
    if (options->loop != NULL)
        client->options.clock = tn_loop_clock(options->loop);
    client->link = tn_contact_link_closed();
    tn_contact_session_init(&client->session, &options->session);
    tn_contact_gloves_init(&client->gloves, options->dialect, options->max_gloves);
    *out_client = client;
    return TN_OK;
}

void tn_contact_client_destroy(struct tn_contact_client **client)
{
    if (*client == NULL)
        return;
    tn_contact_disconnect(*client);
    free(*client);
    *client = NULL;
}

// ---- sending ----

static enum tn_result send_request(struct tn_contact_client *client)
{
    uint8_t bytes[TN_CONTACT_MESSAGE_BYTES];
    size_t size = 0;
    enum tn_result result =
        tn_contact_encode(client->options.dialect, &client->request, bytes, sizeof bytes, &size);
    if (result != TN_OK)
        return result;
    result = tn_contact_link_send(&client->link, bytes, size);
    if (result == TN_OK)
        return TN_OK;
    client->stats.send_errors++;
    if (client->options.logger != NULL &&
        tn_log_throttle_pass(&client->send_log, now_steady_ns(client), REJECT_LOG_NS, NULL))
        TN_WARN(client->options.logger,
                "DivingStation cannot be reached from here: %s; check ds_ip",
                tn_result_text(result));
    return result;
}

static void send_connect(struct tn_contact_client *client, enum tn_contact_kind kind)
{
    client->request = (struct tn_contact_message){.kind = kind};
    client->request.body.connect.receive_port = client->receive_port;
    if (send_request(client) == TN_OK && kind == TN_CONTACT_CONNECT)
        client->stats.connects++;
}

static void send_vibration(struct tn_contact_client *client, const struct tn_contact_glove *glove,
                           const struct tn_contact_vibration *vibration)
{
    client->request = (struct tn_contact_message){.kind = TN_CONTACT_HAPTICS_BODY};
    struct tn_contact_haptics_body *body = &client->request.body.haptics_body;
    memcpy(body->id, glove->wire_id, sizeof body->id);
    body->is_left = glove->side == TN_SIDE_LEFT;
    body->vibration = *vibration;
    if (send_request(client) == TN_OK)
        client->stats.haptics_sent++;
}

// ---- what the session asks for ----

static void tell_gloves(struct tn_contact_client *client)
{
    if (client->options.callbacks.on_gloves != NULL)
        client->options.callbacks.on_gloves(client->options.context, &client->gloves);
}

static void log_link(struct tn_contact_client *client)
{
    const struct tn_logger *logger = client->options.logger;
    if (logger == NULL)
        return;
    switch (client->session.link) {
    case TN_CONTACT_LINK_CONNECTING:
        TN_INFO(logger, "waiting for DivingStation at port %u; approval may be required there",
                (unsigned)ntohs(client->link.ds.sin_port));
        break;
    case TN_CONTACT_LINK_STREAMING:
        TN_INFO(logger, "data from DivingStation arrives");
        break;
    case TN_CONTACT_LINK_SILENT:
        TN_WARN(logger, "no data from DivingStation for %.1f s; asking again until it returns",
                tn_ns_to_seconds(client->options.session.silent_after_ns));
        break;
    case TN_CONTACT_LINK_BIND:
    case TN_CONTACT_LINKS:
        break;
    }
}

static void log_reminder(const struct tn_contact_client *client)
{
    char address[INET_ADDRSTRLEN];
    if (client->options.logger == NULL ||
        inet_ntop(AF_INET, &client->link.ds.sin_addr, address, sizeof address) == NULL)
        return;
    TN_WARN(client->options.logger,
            "no data from DivingStation at %s:%u on receive_port %u; is it running, is this client "
            "approved, and is the port the one under Settings, DivingStationProtocol?",
            address, (unsigned)ntohs(client->link.ds.sin_port), (unsigned)client->receive_port);
}

static void act(struct tn_contact_client *client, uint32_t todo)
{
    if (todo & TN_CONTACT_DO_CONNECT)
        send_connect(client, TN_CONTACT_CONNECT);
    if (todo & TN_CONTACT_DO_DISCONNECT)
        send_connect(client, TN_CONTACT_DISCONNECT);
    if (todo & TN_CONTACT_DO_TELL) {
        log_link(client);
        if (client->options.callbacks.on_link_state != NULL)
            client->options.callbacks.on_link_state(client->options.context, client->session.link);
    }
    if ((todo & TN_CONTACT_DO_LOSE) && tn_contact_gloves_lose(&client->gloves))
        tell_gloves(client);
    if (todo & TN_CONTACT_DO_REMIND)
        log_reminder(client);
}

// ---- receiving ----

static void count_reject(struct tn_contact_client *client, const struct tn_contact_reject *reject)
{
    uint32_t suppressed = 0;
    bool is_old = reject->cause == TN_CONTACT_REJECT_OLD_DIALECT;
    client->stats.rejects[reject->cause]++;
    if (client->options.logger == NULL ||
        !tn_log_throttle_pass(&client->reject_log[reject->cause], now_steady_ns(client),
                              is_old ? OLD_DIALECT_LOG_NS : REJECT_LOG_NS, &suppressed))
        return;
    char address[INET_ADDRSTRLEN] = "?";
    (void)inet_ntop(AF_INET, &client->datagram.source.sin_addr, address, sizeof address);
    TN_WARN(client->options.logger,
            "message dropped: %s: address \"%s\", type tags \"%s\", byte %zu, found %d (protocol "
            "version here: %d), sender %s:%u; %u more",
            tn_contact_reject_text(reject->cause), reject->address, reject->tags, reject->offset,
            (int)reject->found, (int)client->options.dialect->version, address,
            (unsigned)ntohs(client->datagram.source.sin_port), (unsigned)suppressed);
}

static void reject_datagram(struct tn_contact_client *client, enum tn_contact_reject_cause cause)
{
    const struct tn_contact_reject reject = {.cause = cause};
    count_reject(client, &reject);
}

/// Takes a datagram from the socket and starts to read it.
static enum tn_result next_datagram(struct tn_contact_client *client)
{
    for (unsigned tries = 0; tries < DATAGRAMS_PER_WAKEUP; tries++) {
        enum tn_result result = tn_udp_receive(client->link.receive_fd, client->buffer,
                                               sizeof client->buffer, &client->datagram);
        if (result != TN_OK)
            return result;
        client->stats.datagrams++;
        if (client->datagram.is_truncated)
            reject_datagram(client, TN_CONTACT_REJECT_OVERSIZE);
        else if (!tn_contact_link_accepts(&client->link, &client->datagram.source))
            reject_datagram(client, TN_CONTACT_REJECT_SOURCE);
        else {
            tn_contact_reader_begin(&client->reader, client->options.dialect, TN_CONTACT_FROM_DS,
                                    client->buffer, client->datagram.size);
            client->is_reading = true;
            return TN_OK;
        }
    }
    return TN_ERR_AGAIN;
}

/// Which glove a message is from: wire id and side, or NULL.
static const char *sender_of(const struct tn_contact_message *message, bool *out_is_left)
{
    switch (message->kind) {
    case TN_CONTACT_ERGONOMICS:
        *out_is_left = message->body.ergonomics.is_left;
        return message->body.ergonomics.id;
    case TN_CONTACT_HAND_QUAT:
        *out_is_left = message->body.hand_quat.is_left;
        return message->body.hand_quat.id;
    case TN_CONTACT_WRIST:
        *out_is_left = message->body.wrist.is_left;
        return message->body.wrist.id;
    case TN_CONTACT_CONTROLLER:
        *out_is_left = message->body.controller.is_left;
        return message->body.controller.id;
    case TN_CONTACT_DEVICES:
    case TN_CONTACT_CONNECT:
    case TN_CONTACT_DISCONNECT:
    case TN_CONTACT_HAPTICS_BODY:
    case TN_CONTACT_HAPTICS_FINGER:
    case TN_CONTACT_KINDS:
        break;
    }
    return NULL;
}

static void refuse_glove(struct tn_contact_client *client, const char *wire_id)
{
    client->stats.gloves_refused++;
    if (client->options.logger != NULL &&
        tn_log_throttle_pass(&client->refused_log, now_steady_ns(client), REJECT_LOG_NS, NULL))
        TN_ERROR(client->options.logger,
                 "glove %s is refused: %u gloves of its side are connected; raise %s", wire_id,
                 (unsigned)client->gloves.max_per_side, client->options.max_gloves_name);
}

/// Brings session and glove table up to date with a message. False: its glove is refused.
static bool admit(struct tn_contact_client *client, struct tn_contact_origin *out_origin)
{
    bool is_left = false, is_change = false;
    int64_t now = now_steady_ns(client);
    const char *wire_id = sender_of(&client->message, &is_left);
    bool was_silent = client->session.link == TN_CONTACT_LINK_SILENT;
    act(client, tn_contact_session_data(&client->session, client->datagram.receive_steady_ns, now));
    if (was_silent && client->session.link == TN_CONTACT_LINK_STREAMING)
        client->stats.reconnects++;
    *out_origin = (struct tn_contact_origin){
        .receive_steady_ns = client->datagram.receive_steady_ns,
        .receive_wall_ns = client->datagram.receive_wall_ns,
        .generated_at_ms = (uint64_t)(client->datagram.receive_wall_ns / TN_NS_PER_MS),
    };
    if (wire_id == NULL) {
        uint64_t refused = client->gloves.refused;
        is_change = tn_contact_gloves_update(&client->gloves, &client->message.body.devices, now);
        if (client->gloves.refused != refused)
            refuse_glove(client, "in the device list");
    } else if (tn_contact_gloves_seen(&client->gloves, wire_id, is_left, now, &out_origin->glove,
                                      &is_change) != TN_OK) {
        refuse_glove(client, wire_id);
        return false;
    }
    if (is_change)
        tell_gloves(client);
    return true;
}

/// Takes the next message; starts no datagram beyond the count `stop_at`, but reads what is begun.
static enum tn_result take_until(struct tn_contact_client *client, uint64_t stop_at,
                                 struct tn_contact_event *out_event)
{
    struct tn_contact_reject reject;
    while (client->is_reading || client->stats.datagrams < stop_at) {
        enum tn_result result = client->is_reading ? TN_OK : next_datagram(client);
        if (result != TN_OK)
            return result;
        result = tn_contact_reader_next(&client->reader, &client->message, &reject);
        if (result == TN_ERR_AGAIN) {
            client->is_reading = false;
        } else if (result != TN_OK) {
            count_reject(client, &reject);
        } else if (admit(client, &out_event->origin)) {
            client->stats.messages[client->message.kind]++;
            if (client->message.kind == TN_CONTACT_ERGONOMICS &&
                client->message.body.ergonomics.generated_at_ms != 0)
                out_event->origin.generated_at_ms = client->message.body.ergonomics.generated_at_ms;
            out_event->message = &client->message;
            return TN_OK;
        }
    }
    return TN_ERR_AGAIN;
}

enum tn_result tn_contact_client_take(struct tn_contact_client *client,
                                      struct tn_contact_event *out_event)
{
    if (client->link.receive_fd < 0)
        return TN_ERR_AGAIN;
    // a flood of garbage must not keep the caller here
    return take_until(client, client->stats.datagrams + DATAGRAMS_PER_WAKEUP, out_event);
}

static void deliver(struct tn_contact_client *client, const struct tn_contact_event *event)
{
    const struct tn_contact_callbacks *to = &client->options.callbacks;
    void *context = client->options.context;
    const struct tn_contact_message *message = event->message;
    if (message->kind == TN_CONTACT_ERGONOMICS && to->on_ergonomics != NULL)
        to->on_ergonomics(context, &event->origin, &message->body.ergonomics);
    else if (message->kind == TN_CONTACT_CONTROLLER && to->on_controller != NULL)
        to->on_controller(context, &event->origin, &message->body.controller);
    else if (message->kind == TN_CONTACT_HAND_QUAT && to->on_hand_quat != NULL)
        to->on_hand_quat(context, &event->origin, &message->body.hand_quat);
    else if (message->kind == TN_CONTACT_WRIST && to->on_wrist != NULL)
        to->on_wrist(context, &event->origin, &message->body.wrist);
}

/// Takes and delivers what waits, within a bound that leaves the loop its turn: the socket wakes it
/// again for the rest. A bundle that is begun is finished, it has no descriptor to wake the loop.
/// What was delivered to a node in this process goes on first: each hand's data comes in several
/// datagrams, and the way to the robot does not wait for all of them.
static void drain(struct tn_contact_client *client)
{
    struct tn_contact_event event;
    uint64_t stop_at = client->stats.datagrams + DATAGRAMS_PER_WAKEUP;
    while (client->link.receive_fd >= 0 && take_until(client, stop_at, &event) == TN_OK) {
        deliver(client, &event);
        if (tn_loop_has_work(client->options.loop))
            stop_at = client->stats.datagrams;
    }
}

static void on_readable(void *context, int fd, uint32_t events)
{
    struct tn_contact_client *client = context;
    (void)fd;
    (void)events;
    // what is under way in this process comes first, but not for ever
    if (client->n_waits < WAITS_MAX && tn_loop_has_work(client->options.loop)) {
        client->n_waits++;
        return;
    }
    client->n_waits = 0;
    drain(client);
}

// ---- time ----

static struct tn_contact_limiter *limiter_of(struct tn_contact_client *client,
                                             const struct tn_contact_glove *glove)
{
    unsigned s = tn_side_index(glove->side);
    unsigned spare = 0;
    for (unsigned i = 0; i < TN_CONTACT_GLOVES_MAX; i++) {
        const char *id = client->haptics[s][i].id;
        if (strcmp(id, glove->id) == 0)
            return &client->haptics[s][i].limiter;
        if (id[0] == '\0' || tn_contact_gloves_find(&client->gloves, glove->side, id) == NULL)
            spare = i;
    }
    memset(&client->haptics[s][spare], 0, sizeof client->haptics[s][spare]);
    memcpy(client->haptics[s][spare].id, glove->id, sizeof glove->id);
    return &client->haptics[s][spare].limiter;
}

static void send_waiting_haptics(struct tn_contact_client *client, int64_t now)
{
    struct tn_contact_vibration vibration;
    for (unsigned s = 0; s < TN_SIDES; s++) {
        enum tn_side side = s == 0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT;
        for (unsigned i = 0; i < TN_CONTACT_GLOVES_MAX; i++) {
            if (!tn_contact_limiter_take(&client->haptics[s][i].limiter,
                                         client->options.haptics_period_ns, now, &vibration))
                continue;
            const struct tn_contact_glove *glove =
                tn_contact_gloves_find(&client->gloves, side, client->haptics[s][i].id);
            if (glove != NULL && glove->is_connected)
                send_vibration(client, glove, &vibration);
        }
    }
}

static int64_t next_due_ns(const struct tn_contact_client *client)
{
    int64_t due = tn_contact_session_due_ns(&client->session);
    for (unsigned s = 0; s < TN_SIDES; s++) {
        for (unsigned i = 0; i < TN_CONTACT_GLOVES_MAX; i++) {
            int64_t at = tn_contact_limiter_due_ns(&client->haptics[s][i].limiter,
                                                   client->options.haptics_period_ns);
            due = at < due ? at : due;
        }
    }
    return due;
}

void tn_contact_client_tick(struct tn_contact_client *client)
{
    act(client, tn_contact_session_tick(&client->session, now_steady_ns(client)));
    send_waiting_haptics(client, now_steady_ns(client));
}

static void on_timer(void *context);

static void arm_timer(struct tn_contact_client *client)
{
    if (client->options.loop == NULL || client->link.receive_fd < 0)
        return;
    int64_t delay_ns = tn_ns_sub(next_due_ns(client), now_steady_ns(client));
    delay_ns = delay_ns < 0 ? 0 : (delay_ns > TICK_NS ? TICK_NS : delay_ns);
    tn_loop_timer_start(client->options.loop, &client->timer, delay_ns, 0, on_timer, client);
}

static void on_timer(void *context)
{
    struct tn_contact_client *client = context;
    // data that waits proves that the link lives: it comes before the judgement
    drain(client);
    tn_contact_client_tick(client);
    arm_timer(client);
}

// ---- life ----

enum tn_result tn_contact_connect_to_host(struct tn_contact_client *client,
                                          const struct tn_contact_ports *ports,
                                          struct tn_error *err)
{
    struct tn_contact_ports chosen = *ports;
    if (client->link.receive_fd >= 0)
        return tn_error_set(err, TN_ERR_STATE, "the glove client is connected already");
    if (chosen.ds_port == 0)
        chosen.ds_port = client->options.dialect->ds_port;
    enum tn_result result = tn_contact_link_open(&client->link, &chosen, err);
    if (result != TN_OK)
        return result;
    client->receive_port = chosen.receive_port;
    client->is_reading = false;
    if (client->options.loop != NULL) {
        result = tn_loop_fd_start(client->options.loop, &client->fd_handle, client->link.receive_fd,
                                  EPOLLIN, on_readable, client);
        if (result != TN_OK) {
            tn_contact_link_close(&client->link);
            return tn_error_set(err, result, "the loop does not take the glove socket");
        }
    }
    act(client, tn_contact_session_start(&client->session, now_steady_ns(client)));
    arm_timer(client);
    return TN_OK;
}

void tn_contact_disconnect(struct tn_contact_client *client)
{
    if (client->link.receive_fd < 0)
        return;
    tn_loop_timer_stop(&client->timer);
    tn_loop_fd_stop(&client->fd_handle);
    // the last command is always sent
    send_waiting_haptics(client, INT64_MAX);
    act(client, tn_contact_session_stop(&client->session));
    // UDP may lose one
    (void)poll(NULL, 0, DISCONNECT_GAP_MS);
    send_connect(client, TN_CONTACT_DISCONNECT);
    tn_contact_link_close(&client->link);
    client->is_reading = false;
    // the next connection owes nothing to this one
    memset(client->haptics, 0, sizeof client->haptics);
}

int tn_contact_client_fd(const struct tn_contact_client *client)
{
    return client->link.receive_fd;
}

const struct tn_contact_gloves *tn_contact_client_gloves(const struct tn_contact_client *client)
{
    return &client->gloves;
}

enum tn_contact_link_state tn_contact_client_link(const struct tn_contact_client *client)
{
    return client->session.link;
}

uint16_t tn_contact_client_source_port(const struct tn_contact_client *client)
{
    return client->link.source_port;
}

// ---- haptics ----

enum tn_result tn_contact_send_haptics_body(struct tn_contact_client *client, const char *id,
                                            bool is_left,
                                            const struct tn_contact_vibration *vibration)
{
    const struct tn_contact_glove *glove = NULL;
    struct tn_contact_vibration clamped = *vibration;
    enum tn_side side = is_left ? TN_SIDE_LEFT : TN_SIDE_RIGHT;
    enum tn_result result = tn_contact_vibration_clamp(&clamped);
    if (result == TN_OK)
        result = tn_contact_gloves_target(&client->gloves, side, id, &glove);
    if (result != TN_OK)
        return result;
    struct tn_contact_limiter *limiter = limiter_of(client, glove);
    uint64_t merged = limiter->merged;
    if (tn_contact_limiter_offer(limiter, &clamped, client->options.haptics_period_ns,
                                 now_steady_ns(client)))
        send_vibration(client, glove, &clamped);
    client->stats.haptics_merged += limiter->merged - merged;
    arm_timer(client);
    return TN_OK;
}

static int32_t clamp_level(int32_t level)
{
    return level < 0 ? 0 : (level > FINGER_LEVEL_MAX ? FINGER_LEVEL_MAX : level);
}

enum tn_result tn_contact_send_haptics_finger(struct tn_contact_client *client, const char *id,
                                              bool is_left,
                                              const struct tn_contact_finger_levels *levels)
{
    const struct tn_contact_glove *glove = NULL;
    enum tn_side side = is_left ? TN_SIDE_LEFT : TN_SIDE_RIGHT;
    enum tn_result result = tn_contact_gloves_target(&client->gloves, side, id, &glove);
    if (result != TN_OK)
        return result;
    client->request = (struct tn_contact_message){.kind = TN_CONTACT_HAPTICS_FINGER};
    struct tn_contact_haptics_finger *finger = &client->request.body.haptics_finger;
    memcpy(finger->id, glove->wire_id, sizeof finger->id);
    finger->is_left = is_left;
    finger->levels = (struct tn_contact_finger_levels){
        clamp_level(levels->thumb), clamp_level(levels->index), clamp_level(levels->middle),
        clamp_level(levels->ring), clamp_level(levels->force)};
    return send_request(client);
}

void tn_contact_stats(const struct tn_contact_client *client, struct tn_contact_stats *out_stats)
{
    *out_stats = client->stats;
}
