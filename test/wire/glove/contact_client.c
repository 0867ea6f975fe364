// SPDX-License-Identifier: Apache-2.0
// The client against a DivingStation of a few lines, over real UDP. Waits for events only.
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "glove/contact/contact_client.h"
#include "glove/contact/contact_source.h"

#define DEADLINE_NS (20 * TN_NS_PER_S)
#define LOG_MAX     32

/// Both ends of one test.
struct fixture {
    struct tn_loop *loop;
    struct tn_contact_client *client;
    int ds;
    struct sockaddr_in peer; ///< where the newest request came from
    uint16_t announced;      ///< receive port of the newest Connect
    uint32_t requests[TN_CONTACT_KINDS];
    struct tn_contact_message request; ///< newest
    uint8_t bytes[512];
    size_t size;

    enum tn_contact_link_state links[LOG_MAX];
    uint32_t n_links, n_gloves, n_ergonomics, n_wrists, n_controllers, n_quats;
    struct tn_contact_origin origin;
    char glove_id[TN_CONTACT_ID_MAX];
    float first_angle_deg;
    void (*on_each)(struct fixture *f); ///< called for each ergonomics message
};

static void on_link(void *context, enum tn_contact_link_state link)
{
    struct fixture *f = context;
    assert_true(f->n_links < LOG_MAX);
    f->links[f->n_links++] = link;
}

static void on_gloves(void *context, const struct tn_contact_gloves *gloves)
{
    (void)gloves;
    ((struct fixture *)context)->n_gloves++;
}

static void on_ergonomics(void *context, const struct tn_contact_origin *origin,
                          const struct tn_contact_ergonomics *ergonomics)
{
    struct fixture *f = context;
    f->n_ergonomics++;
    f->origin = *origin;
    f->first_angle_deg = ergonomics->angle_deg[0];
    (void)snprintf(f->glove_id, sizeof f->glove_id, "%s", origin->glove->id);
    if (f->on_each != NULL)
        f->on_each(f);
}

static void on_wrist(void *context, const struct tn_contact_origin *origin,
                     const struct tn_contact_wrist *wrist)
{
    (void)origin;
    (void)wrist;
    ((struct fixture *)context)->n_wrists++;
}

static void on_controller(void *context, const struct tn_contact_origin *origin,
                          const struct tn_contact_controller *controller)
{
    (void)origin;
    (void)controller;
    ((struct fixture *)context)->n_controllers++;
}

static void on_hand_quat(void *context, const struct tn_contact_origin *origin,
                         const struct tn_contact_hand_quat *hand_quat)
{
    (void)origin;
    (void)hand_quat;
    ((struct fixture *)context)->n_quats++;
}

static int open_port(uint16_t port)
{
    int fd = -1;
    struct tn_error err = {0};
    assert_int_equal(tn_udp_open("0.0.0.0", port, "test", &fd, &err), TN_OK);
    return fd;
}

static struct tn_contact_client_options fast_options(struct fixture *f)
{
    struct tn_contact_client_options options = tn_contact_client_options_default();
    options.session = (struct tn_contact_session_options){
        .keepalive_silent_ns = 50 * TN_NS_PER_MS,
        .keepalive_streaming_ns = 500 * TN_NS_PER_MS,
        .silent_after_ns = 300 * TN_NS_PER_MS,
        .lost_after_ns = 600 * TN_NS_PER_MS,
        .remind_ns = 10 * TN_NS_PER_S,
    };
    options.loop = f->loop;
    options.context = f;
    options.callbacks = (struct tn_contact_callbacks){on_gloves,    on_ergonomics, on_controller,
                                                      on_hand_quat, on_wrist,      on_link};
    return options;
}

static const struct tn_contact_ports usual_ports = {.ds_ip = "127.0.0.1",
                                                    .receive_port = TN_CONTACT_RECEIVE_PORT};

static int setup(void **state)
{
    static struct fixture f;
    struct tn_error err = {0};
    memset(&f, 0, sizeof f);
    assert_int_equal(tn_loop_create(tn_clock_system(), &f.loop, &err), TN_OK);
    struct tn_contact_client_options options = fast_options(&f);
    assert_int_equal(tn_contact_client_create(&options, &f.client, &err), TN_OK);
    f.ds = open_port(TN_CONTACT_DS_PORT_V1);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    tn_contact_client_destroy(&f->client);
    tn_loop_destroy(&f->loop);
    if (f->ds >= 0)
        (void)close(f->ds);
    return 0;
}

/// Takes what the client sent.
static void serve(struct fixture *f)
{
    struct tn_udp_datagram datagram;
    struct tn_contact_reader reader;
    struct tn_contact_reject reject;
    while (f->ds >= 0 && tn_udp_receive(f->ds, f->bytes, sizeof f->bytes, &datagram) == TN_OK) {
        f->size = datagram.size;
        f->peer = datagram.source;
        tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), TN_CONTACT_TO_DS, f->bytes,
                                datagram.size);
        assert_int_equal(tn_contact_reader_next(&reader, &f->request, &reject), TN_OK);
        f->requests[f->request.kind]++;
        if (f->request.kind == TN_CONTACT_CONNECT)
            f->announced = (uint16_t)f->request.body.connect.receive_port;
    }
}

#define WAIT_FOR(f, condition)                                                                     \
    do {                                                                                           \
        int64_t until = tn_clock_steady_now_ns() + DEADLINE_NS;                                    \
        while (!(condition)) {                                                                     \
            assert_true(tn_clock_steady_now_ns() < until);                                         \
            (void)tn_loop_run_once((f)->loop, 5 * TN_NS_PER_MS);                                   \
            serve(f);                                                                              \
        }                                                                                          \
    } while (0)

static void send_to(int fd, uint16_t port, const void *data, size_t size)
{
    struct sockaddr_in to;
    struct tn_error err = {0};
    assert_int_equal(tn_udp_address("127.0.0.1", port, &to, &err), TN_OK);
    assert_int_equal(tn_udp_send(fd, &to, data, size), TN_OK);
}

static void send_message(struct fixture *f, const struct tn_contact_message *message)
{
    static uint8_t bytes[8192];
    size_t size = 0;
    assert_int_equal(
        tn_contact_encode(tn_contact_dialect_v1(), message, bytes, sizeof bytes, &size), TN_OK);
    send_to(f->ds, f->announced, bytes, size);
}

static struct tn_contact_message hand_of(const char *id, bool is_left, float cmc_deg)
{
    struct tn_contact_message message = {.kind = TN_CONTACT_ERGONOMICS};
    (void)snprintf(message.body.ergonomics.id, sizeof message.body.ergonomics.id, "%s", id);
    message.body.ergonomics.is_left = is_left;
    message.body.ergonomics.angle_deg[0] = cmc_deg;
    return message;
}

static struct tn_contact_message devices_of(const char *id)
{
    struct tn_contact_message message = {.kind = TN_CONTACT_DEVICES};
    struct tn_contact_device *device = &message.body.devices.devices[0];
    message.body.devices.n = 1;
    (void)snprintf(device->id, sizeof device->id, "%s", id);
    device->left.is_connected = device->right.is_connected = true;
    return message;
}

static void go_streaming(struct fixture *f)
{
    struct tn_error err = {0};
    assert_int_equal(tn_contact_connect_to_host(f->client, &usual_ports, &err), TN_OK);
    WAIT_FOR(f, f->requests[TN_CONTACT_CONNECT] > 0);
    struct tn_contact_message message = devices_of("A");
    send_message(f, &message);
    message = hand_of("A", true, 15);
    send_message(f, &message);
    WAIT_FOR(f, f->n_ergonomics > 0);
}

static void connects_and_delivers(void **state)
{
    struct fixture *f = *state;
    int64_t before_steady_ns = tn_clock_steady_now_ns(), before_wall_ns = tn_clock_wall_now_ns();
    go_streaming(f);
    assert_int_equal(f->announced, TN_CONTACT_RECEIVE_PORT);
    assert_int_equal(ntohs(f->peer.sin_port), tn_contact_client_source_port(f->client));
    assert_string_equal(f->glove_id, "A_left");
    assert_true(f->first_angle_deg > 14.99f && f->first_angle_deg < 15.01f);
    assert_int_equal(f->n_links, 2);
    assert_int_equal(f->links[0], TN_CONTACT_LINK_CONNECTING);
    assert_int_equal(f->links[1], TN_CONTACT_LINK_STREAMING);
    assert_int_equal(f->n_gloves, 1);
    // the kernel's time, in both clocks, floor to ms
    assert_in_range(f->origin.receive_steady_ns, before_steady_ns, tn_clock_steady_now_ns());
    assert_in_range(f->origin.receive_wall_ns, before_wall_ns, tn_clock_wall_now_ns());
    assert_int_equal(f->origin.generated_at_ms, f->origin.receive_wall_ns / TN_NS_PER_MS);
}

static void every_kind_has_its_callback(void **state)
{
    struct fixture *f = *state;
    go_streaming(f);
    struct tn_contact_message message = {.kind = TN_CONTACT_WRIST, .body.wrist.id = "A"};
    message.body.wrist.q_xyzw[3] = 1;
    send_message(f, &message);
    message = (struct tn_contact_message){.kind = TN_CONTACT_CONTROLLER, .body.controller.id = "A"};
    send_message(f, &message);
    message = (struct tn_contact_message){.kind = TN_CONTACT_HAND_QUAT, .body.hand_quat.id = "A"};
    for (int i = 0; i < TN_CONTACT_HAND_QUATS; i++)
        message.body.hand_quat.q_xyzw[i][3] = 1;
    send_message(f, &message);
    WAIT_FOR(f, f->n_wrists == 1 && f->n_controllers == 1 && f->n_quats == 1);
}

static void connect_is_repeated_without_data(void **state)
{
    struct fixture *f = *state;
    struct tn_error err = {0};
    assert_int_equal(tn_contact_connect_to_host(f->client, &usual_ports, &err), TN_OK);
    WAIT_FOR(f, f->requests[TN_CONTACT_CONNECT] >= 4);
    assert_int_equal(tn_contact_client_link(f->client), TN_CONTACT_LINK_CONNECTING);
    assert_int_equal(tn_contact_connect_to_host(f->client, &usual_ports, &err), TN_ERR_STATE);
}

static void divingstation_restarts(void **state)
{
    struct fixture *f = *state;
    struct tn_contact_stats stats;
    go_streaming(f);
    uint16_t source_port = tn_contact_client_source_port(f->client);
    (void)close(f->ds);
    f->ds = -1;
    WAIT_FOR(f, tn_contact_client_link(f->client) == TN_CONTACT_LINK_SILENT);
    WAIT_FOR(f, !tn_contact_client_gloves(f->client)->gloves[0][0].is_connected);
    f->ds = open_port(TN_CONTACT_DS_PORT_V1);
    f->requests[TN_CONTACT_CONNECT] = 0;
    WAIT_FOR(f, f->requests[TN_CONTACT_CONNECT] > 0);
    // the source port is part of the session's identity
    assert_int_equal(ntohs(f->peer.sin_port), source_port);
    const struct tn_contact_message message = hand_of("A", true, 1);
    send_message(f, &message);
    WAIT_FOR(f, tn_contact_client_link(f->client) == TN_CONTACT_LINK_STREAMING);
    assert_true(tn_contact_client_gloves(f->client)->gloves[0][0].is_connected);
    tn_contact_stats(f->client, &stats);
    assert_int_equal(stats.reconnects, 1);
}

static void disconnects_twice(void **state)
{
    struct fixture *f = *state;
    go_streaming(f);
    uint32_t gloves = f->n_gloves;
    tn_contact_disconnect(f->client);
    WAIT_FOR(f, f->requests[TN_CONTACT_DISCONNECT] == 2);
    assert_int_equal(f->request.body.connect.receive_port, TN_CONTACT_RECEIVE_PORT);
    assert_int_equal(f->n_gloves, gloves + 1);
    assert_int_equal(tn_contact_client_fd(f->client), -1);
    tn_contact_disconnect(f->client);
    // and again from the start
    f->n_ergonomics = 0;
    f->requests[TN_CONTACT_CONNECT] = 0;
    go_streaming(f);
}

static void busy_ports_are_named(void **state)
{
    struct fixture *f = *state;
    struct tn_error err = {0};
    int other = open_port(TN_CONTACT_RECEIVE_PORT);
    assert_int_equal(tn_contact_connect_to_host(f->client, &usual_ports, &err), TN_ERR_BUSY);
    assert_non_null(strstr(err.text, "25788"));
    assert_non_null(strstr(err.text, "receive_port"));
    struct tn_contact_ports ports = usual_ports;
    ports.receive_port = 25799;
    ports.send_port = TN_CONTACT_RECEIVE_PORT;
    assert_int_equal(tn_contact_connect_to_host(f->client, &ports, &err), TN_ERR_BUSY);
    assert_non_null(strstr(err.text, "25788"));
    assert_non_null(strstr(err.text, "send_port"));
    (void)close(other);
    // nothing of the failed attempts is left
    assert_int_equal(tn_contact_connect_to_host(f->client, &ports, &err), TN_OK);
    assert_int_equal(tn_contact_client_source_port(f->client), TN_CONTACT_RECEIVE_PORT);
    ports.receive_port = 0;
    tn_contact_disconnect(f->client);
    assert_int_equal(tn_contact_connect_to_host(f->client, &ports, &err), TN_ERR_INVALID_ARGUMENT);
    ports = usual_ports;
    ports.ds_ip = "my-pc";
    assert_int_equal(tn_contact_connect_to_host(f->client, &ports, &err), TN_ERR_INVALID_ARGUMENT);
}

static void one_socket_for_both(void **state)
{
    struct fixture *f = *state;
    struct tn_error err = {0};
    struct tn_contact_ports ports = usual_ports;
    ports.send_port = ports.receive_port;
    assert_int_equal(tn_contact_connect_to_host(f->client, &ports, &err), TN_OK);
    WAIT_FOR(f, f->requests[TN_CONTACT_CONNECT] > 0);
    assert_int_equal(ntohs(f->peer.sin_port), TN_CONTACT_RECEIVE_PORT);
    const struct tn_contact_message message = hand_of("A", true, 15);
    send_message(f, &message);
    WAIT_FOR(f, f->n_ergonomics > 0);
}

static void strangers_are_ignored(void **state)
{
    struct fixture *f = *state;
    struct tn_error err = {0};
    struct tn_contact_stats stats;
    struct tn_contact_ports ports = usual_ports;
    ports.ds_ip = "10.77.1.2";
    assert_int_equal(tn_contact_connect_to_host(f->client, &ports, &err), TN_OK);
    f->announced = ports.receive_port;
    const struct tn_contact_message message = hand_of("A", true, 15);
    send_message(f, &message);
    do {
        WAIT_FOR(f, tn_loop_run_once(f->loop, TN_NS_PER_MS) == TN_OK);
        tn_contact_stats(f->client, &stats);
    } while (stats.datagrams == 0);
    assert_int_equal(stats.rejects[TN_CONTACT_REJECT_SOURCE], 1);
    assert_int_equal(f->n_ergonomics, 0);
    assert_int_equal(tn_contact_client_link(f->client), TN_CONTACT_LINK_CONNECTING);
}

static void garbage_does_no_harm(void **state)
{
    struct fixture *f = *state;
    struct tn_contact_stats stats;
    go_streaming(f);
    uint8_t junk[1200];
    uint32_t random = 7;
    for (int i = 0; i < 2000; i++) {
        for (size_t b = 0; b < sizeof junk; b++) {
            random = random * 1664525u + 1013904223u;
            junk[b] = (uint8_t)(random >> 24);
        }
        size_t size = (size_t)i % sizeof junk;
        send_to(f->ds, f->announced, junk, size);
        if (i % 50 == 0)
            (void)tn_loop_run_once(f->loop, 0);
    }
    const struct tn_contact_message message = hand_of("A", true, 3);
    uint32_t before = f->n_ergonomics;
    while (f->n_ergonomics == before) {
        send_message(f, &message);
        WAIT_FOR(f, tn_loop_run_once(f->loop, TN_NS_PER_MS) == TN_OK);
    }
    tn_contact_stats(f->client, &stats);
    assert_true(stats.rejects[TN_CONTACT_REJECT_SIZE] > 0);
}

#define FLOOD_MAX 5000

static void send_another(struct fixture *f)
{
    const struct tn_contact_message message = hand_of("A", true, 15);
    if (f->n_ergonomics < FLOOD_MAX)
        send_message(f, &message);
}

/// Good data that comes as fast as it is read must not keep the loop from its timers.
static void a_flood_leaves_the_loop_its_turn(void **state)
{
    struct fixture *f = *state;
    go_streaming(f);
    const struct tn_contact_message message = hand_of("A", true, 15);
    f->on_each = send_another;
    send_message(f, &message);
    uint32_t before = f->n_ergonomics;
    (void)tn_loop_run_once(f->loop, DEADLINE_NS);
    // the socket and a timer may both have had their turn
    assert_in_range(f->n_ergonomics - before, 1, 1024);
    WAIT_FOR(f, f->n_ergonomics >= FLOOD_MAX);
}

static void haptics_go_to_the_pair(void **state)
{
    struct fixture *f = *state;
    const struct tn_contact_vibration buzz = {160, 0.5f, 0.25f};
    go_streaming(f);
    assert_int_equal(tn_contact_send_haptics_body(f->client, "A_left", true, &buzz), TN_OK);
    WAIT_FOR(f, f->requests[TN_CONTACT_HAPTICS_BODY] == 1);
    assert_string_equal(f->request.body.haptics_body.id, "A");
    assert_true(f->request.body.haptics_body.is_left);
    assert_memory_equal(&f->request.body.haptics_body.vibration, &buzz, sizeof buzz);
    assert_int_equal(tn_contact_send_haptics_body(f->client, "B_left", true, &buzz),
                     TN_ERR_NOT_FOUND);
    const struct tn_contact_finger_levels levels = {99, -3, 2, 4, 8};
    assert_int_equal(tn_contact_send_haptics_finger(f->client, "", false, &levels), TN_OK);
    WAIT_FOR(f, f->requests[TN_CONTACT_HAPTICS_FINGER] == 1);
    assert_int_equal(f->request.body.haptics_finger.levels.thumb, 15);
    assert_int_equal(f->request.body.haptics_finger.levels.index, 0);
    assert_int_equal(f->request.body.haptics_finger.levels.force, 8);
}

/// A burst is merged, and its last command goes out even when the client leaves at once.
static void last_haptic_is_sent(void **state)
{
    struct fixture *f = *state;
    struct tn_contact_stats stats;
    struct tn_contact_vibration buzz = {160, 1, 0};
    go_streaming(f);
    for (int i = 1; i <= 100; i++) {
        buzz.duration_s = (float)i / 64;
        assert_int_equal(tn_contact_send_haptics_body(f->client, "", true, &buzz), TN_OK);
    }
    tn_contact_stats(f->client, &stats);
    assert_true(stats.haptics_merged > 0);
    tn_contact_disconnect(f->client);
    float last_s = 0;
    int64_t until = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (f->requests[TN_CONTACT_DISCONNECT] < 2) {
        struct tn_udp_datagram datagram;
        struct tn_contact_reader reader;
        struct tn_contact_reject reject;
        assert_true(tn_clock_steady_now_ns() < until);
        if (tn_udp_receive(f->ds, f->bytes, sizeof f->bytes, &datagram) != TN_OK)
            continue;
        tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), TN_CONTACT_TO_DS, f->bytes,
                                datagram.size);
        assert_int_equal(tn_contact_reader_next(&reader, &f->request, &reject), TN_OK);
        f->requests[f->request.kind]++;
        if (f->request.kind == TN_CONTACT_HAPTICS_BODY)
            last_s = f->request.body.haptics_body.vibration.duration_s;
    }
    assert_memory_equal(&last_s, &buzz.duration_s, sizeof last_s);
}

/// What waited when the client left does not keep it silent after it has come back.
static void haptics_work_after_a_reconnect(void **state)
{
    struct fixture *f = *state;
    const struct tn_contact_vibration buzz = {160, 0.5f, 0.25f};
    go_streaming(f);
    for (int i = 0; i < 10; i++)
        assert_int_equal(tn_contact_send_haptics_body(f->client, "A_left", true, &buzz), TN_OK);
    tn_contact_disconnect(f->client);
    WAIT_FOR(f, f->requests[TN_CONTACT_DISCONNECT] == 2);
    uint32_t before = f->requests[TN_CONTACT_HAPTICS_BODY];
    f->requests[TN_CONTACT_CONNECT] = 0;
    f->n_ergonomics = 0;
    go_streaming(f);
    assert_int_equal(tn_contact_send_haptics_body(f->client, "A_left", true, &buzz), TN_OK);
    WAIT_FOR(f, f->requests[TN_CONTACT_HAPTICS_BODY] > before);
}

/// The same client behind the seam of all gloves.
static void behind_the_source_seam(void **state)
{
    struct fixture *f = *state;
    struct tn_contact_client_options options = fast_options(f);
    struct tn_contact_client *client = NULL;
    struct tn_contact_source contact;
    struct tn_glove_raw raw;
    struct tn_error err = {0};
    options.loop = NULL;
    options.clock = tn_clock_system();
    assert_int_equal(tn_contact_client_create(&options, &client, &err), TN_OK);
    tn_contact_source_init(&contact, client, &usual_ports);
    struct tn_glove_source *source = &contact.source;
    assert_int_equal(source->ops->fd(source), -1);
    assert_int_equal(source->ops->read(source, 0, &raw), TN_ERR_STATE);
    assert_int_equal(source->ops->open(source), TN_OK);
    assert_int_equal(source->ops->open(source), TN_ERR_STATE);
    assert_true(source->ops->fd(source) >= 0);
    WAIT_FOR(f, f->requests[TN_CONTACT_CONNECT] > 0);
    const struct tn_contact_message message = hand_of("A", false, 15);
    send_message(f, &message);
    WAIT_FOR(f, source->ops->read(source, tn_clock_steady_now_ns(), &raw) == TN_OK);
    assert_int_equal(raw.vendor, TN_GLOVE_CONTACT);
    assert_int_equal(raw.kind, TN_CONTACT_ERGONOMICS);
    assert_int_equal(raw.side, TN_SIDE_RIGHT);
    assert_string_equal(raw.id, "A_right");
    assert_string_equal(((const struct tn_contact_ergonomics *)raw.data)->id, "A");
    assert_true(raw.receive_steady_ns > 0);
    const float intensity[TN_GLOVE_FINGERS] = {0, 0.25f, 0.75f, 0, 0};
    assert_int_equal(source->ops->vibrate(source, raw.glove_id, intensity), TN_OK);
    assert_int_equal(source->ops->vibrate(source, raw.glove_id + 1, intensity), TN_ERR_NOT_FOUND);
    WAIT_FOR(f, f->requests[TN_CONTACT_HAPTICS_BODY] == 1);
    const float loudest = 0.75f;
    assert_memory_equal(&f->request.body.haptics_body.vibration.amplitude, &loudest,
                        sizeof loudest);
    source->ops->close(source);
    source->ops->close(source);
    WAIT_FOR(f, f->requests[TN_CONTACT_DISCONNECT] == 2);
    // silence was sent before
    assert_int_equal(f->requests[TN_CONTACT_HAPTICS_BODY], 2);
    tn_contact_client_destroy(&client);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(connects_and_delivers),
        TEST(every_kind_has_its_callback),
        TEST(connect_is_repeated_without_data),
        TEST(divingstation_restarts),
        TEST(disconnects_twice),
        TEST(busy_ports_are_named),
        TEST(one_socket_for_both),
        TEST(strangers_are_ignored),
        TEST(garbage_does_no_harm),
        TEST(a_flood_leaves_the_loop_its_turn),
        TEST(haptics_go_to_the_pair),
        TEST(last_haptic_is_sent),
        TEST(haptics_work_after_a_reconnect),
        TEST(behind_the_source_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
