// SPDX-License-Identifier: Apache-2.0
// the program as a driver meets it: real datagrams, real signals
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/parse.h"
#include "base/process.h"
#include "base/side.h"
#include "base/udp.h"
#include "devices/file/file.h"
#include "glove/contact/contact_codec.h"

#define DEADLINE_NS (20 * TN_NS_PER_S)
#define FRAMES_MAX  4000

// a client of the station: counts what comes, remembers when hands came
struct client {
    int fd;
    uint16_t port;
    struct tn_loop_fd handle;
    uint64_t count[TN_CONTACT_KINDS], rejected;
    uint32_t n_hands[TN_SIDES];
    int64_t hand_wall_ns[TN_SIDES][FRAMES_MAX];
};

struct world {
    struct tn_loop *loop;
    struct tn_process *station;
    struct sockaddr_in address;
    bool has_ended;
    struct tn_process_exit status;
    unsigned n_lines; // lines with `wanted` in them
    const char *wanted;
    struct client clients[2];
    char directory[64], send_log[96], haptics_log[96];
};

// ---- the world ----

static void on_exit_status(void *context, struct tn_process *process, struct tn_process_exit status)
{
    (void)process;
    struct world *world = context;
    world->has_ended = true;
    world->status = status;
}

static void on_line(void *context, struct tn_process *process, const char *line, uint32_t size,
                    bool is_stderr)
{
    (void)process;
    (void)is_stderr;
    struct world *world = context;
    char text[512];
    (void)snprintf(text, sizeof text, "%.*s", (int)size, line);
    if (world->wanted != NULL && strstr(text, world->wanted) != NULL)
        world->n_lines++;
}

static void take_message(struct client *client, const struct tn_contact_message *message,
                         const struct tn_udp_datagram *datagram)
{
    client->count[message->kind]++;
    if (message->kind != TN_CONTACT_ERGONOMICS)
        return;
    unsigned side = message->body.ergonomics.is_left ? 0 : 1;
    assert_true(client->n_hands[side] < FRAMES_MAX);
    uint32_t n = client->n_hands[side]++;
    assert_true(datagram->is_kernel_time);
    client->hand_wall_ns[side][n] = datagram->receive_wall_ns;
}

static void on_datagram(void *context, int fd, uint32_t events)
{
    (void)events;
    struct client *client = context;
    static uint8_t data[TN_CONTACT_DATAGRAM_MAX];
    struct tn_udp_datagram datagram;
    while (tn_udp_receive(fd, data, sizeof data, &datagram) == TN_OK) {
        struct tn_contact_reader reader;
        struct tn_contact_message message;
        struct tn_contact_reject why;
        tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), TN_CONTACT_FROM_DS, data,
                                datagram.size);
        enum tn_result result = TN_OK;
        while ((result = tn_contact_reader_next(&reader, &message, &why)) != TN_ERR_AGAIN)
            if (result == TN_OK)
                take_message(client, &message, &datagram);
            else
                client->rejected++;
    }
}

static struct tn_process *start(struct world *world, const char *const *extra)
{
    char program[512];
    const char *argv[24];
    unsigned n = 0;
    assert_non_null(getenv("TN_PREFIX"));
    (void)snprintf(program, sizeof program, "%s/lib/tendon/divingstation", getenv("TN_PREFIX"));
    argv[n++] = program;
    argv[n++] = "--send-log";
    argv[n++] = world->send_log;
    argv[n++] = "--haptics-log";
    argv[n++] = world->haptics_log;
    for (; extra != NULL && *extra != NULL && n < 23; extra++)
        argv[n++] = *extra;
    argv[n] = NULL;
    struct tn_process_options options = {.name = "station",
                                         .argv = argv,
                                         .on_exit = on_exit_status,
                                         .on_line = on_line,
                                         .context = world};
    struct tn_process *process = NULL;
    struct tn_error err = {0};
    if (tn_process_start(world->loop, &options, &process, &err) != TN_OK)
        fail_msg("%s", err.text);
    return process;
}

static void open_client(struct world *world, struct client *client)
{
    struct tn_error err = {0};
    assert_int_equal(tn_udp_open("127.0.0.1", 0, "client", &client->fd, &err), TN_OK);
    client->port = tn_udp_local_port(client->fd);
    assert_int_equal(
        tn_loop_fd_start(world->loop, &client->handle, client->fd, EPOLLIN, on_datagram, client),
        TN_OK);
}

static struct world *begin(const char *const *extra, const char *wanted)
{
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    (void)snprintf(world->directory, sizeof world->directory, "/tmp/tendon_station_XXXXXX");
    assert_non_null(mkdtemp(world->directory));
    (void)snprintf(world->send_log, sizeof world->send_log, "%s/send", world->directory);
    (void)snprintf(world->haptics_log, sizeof world->haptics_log, "%s/haptics", world->directory);
    assert_int_equal(tn_loop_create(tn_clock_system(), &world->loop, NULL), TN_OK);
    assert_int_equal(tn_udp_address("127.0.0.1", TN_CONTACT_DS_PORT_V1, &world->address, NULL),
                     TN_OK);
    world->wanted = wanted;
    for (unsigned i = 0; i < 2; i++)
        open_client(world, &world->clients[i]);
    world->station = start(world, extra);
    return world;
}

static void end(struct world *world)
{
    tn_process_destroy(&world->station);
    for (unsigned i = 0; i < 2; i++) {
        tn_loop_fd_stop(&world->clients[i].handle);
        (void)close(world->clients[i].fd);
    }
    tn_loop_destroy(&world->loop);
    (void)unlink(world->send_log);
    (void)unlink(world->haptics_log);
    (void)rmdir(world->directory);
    free(world);
}

static void send_message(struct world *world, struct client *client,
                         const struct tn_contact_message *message)
{
    uint8_t data[TN_CONTACT_MESSAGE_BYTES];
    size_t size = 0;
    assert_int_equal(tn_contact_encode(tn_contact_dialect_v1(), message, data, sizeof data, &size),
                     TN_OK);
    assert_int_equal(tn_udp_send(client->fd, &world->address, data, size), TN_OK);
}

static void send_port(struct world *world, struct client *client, enum tn_contact_kind kind)
{
    struct tn_contact_message message = {.kind = kind};
    message.body.connect.receive_port = client->port;
    send_message(world, client, &message);
}

// lets the world turn until a count is reached
static void run_until(struct world *world, const uint64_t *count, uint64_t target, const char *what)
{
    int64_t end_ns = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (*count < target) {
        if (tn_clock_steady_now_ns() > end_ns)
            fail_msg("%s: %" PRIu64 " of %" PRIu64, what, *count, target);
        (void)tn_loop_run_once(world->loop, 20 * TN_NS_PER_MS);
    }
}

static void run_until_line(struct world *world, unsigned target)
{
    int64_t end_ns = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (world->n_lines < target) {
        if (tn_clock_steady_now_ns() > end_ns)
            fail_msg("no line '%s' from the station", world->wanted);
        (void)tn_loop_run_once(world->loop, 20 * TN_NS_PER_MS);
    }
}

// the station may not be up yet: ask again until it answers, as drivers do
static void connect_client(struct world *world, struct client *client)
{
    int64_t end_ns = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (client->count[TN_CONTACT_DEVICES] == 0) {
        if (tn_clock_steady_now_ns() > end_ns)
            fail_msg("the station does not answer");
        send_port(world, client, TN_CONTACT_CONNECT);
        for (int i = 0; i < 5 && client->count[TN_CONTACT_DEVICES] == 0; i++)
            (void)tn_loop_run_once(world->loop, 20 * TN_NS_PER_MS);
    }
}

static void stop_station(struct world *world)
{
    // nothing but SIGINT: a SIGCONT behind it can undo the stop by which a leak check halts its
    // process
    assert_int_equal(tn_process_signal(world->station, SIGINT), TN_OK);
    int64_t end_ns = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (!world->has_ended && tn_clock_steady_now_ns() < end_ns)
        (void)tn_loop_run_once(world->loop, 20 * TN_NS_PER_MS);
    assert_true(world->has_ended);
    assert_int_equal(world->status.exit_code, 0);
    // what it sent last
    while (tn_loop_run_once(world->loop, 0) == TN_OK) {
    }
}

// a time that ends at `end`; *at moves behind it
static int64_t take_time(const char **at, char end)
{
    const char *stop = strchr(*at, end);
    int64_t time_ns = 0;
    assert_non_null(stop);
    assert_int_equal(tn_parse_i64(*at, (size_t)(stop - *at), 0, INT64_MAX, &time_ns), TN_OK);
    *at = stop + 1;
    return time_ns;
}

// each line of the send log against the datagram that it stands for
static void assert_log_matches(const struct world *world, const struct client *client)
{
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(tn_file_read(world->send_log, 1 << 24, &text, &size, NULL), TN_OK);
    const char header[] = "# tendon send log 1\n";
    assert_memory_equal(text, header, sizeof header - 1);
    uint32_t n[TN_SIDES] = {0, 0};
    int64_t before_steady_ns = 0;
    const char *at = text + sizeof header - 1;
    while (*at != '\0') {
        (void)take_time(&at, ','); // the sequence
        unsigned side = strncmp(at, "left,", 5) == 0 ? 0 : 1;
        at = strchr(at, ',') + 1;
        int64_t wall_ns = take_time(&at, ','), steady_ns = take_time(&at, '\n');
        assert_true(n[side] < client->n_hands[side]);
        assert_true(wall_ns <= client->hand_wall_ns[side][n[side]]);
        assert_true(steady_ns >= before_steady_ns);
        before_steady_ns = steady_ns;
        n[side]++;
    }
    free(text);
    for (unsigned side = 0; side < TN_SIDES; side++)
        assert_int_equal(n[side], client->n_hands[side]);
}

// ---- tests ----

static void everything_is_streamed_and_logged(void **state)
{
    (void)state;
    struct world *world = begin(NULL, NULL);
    struct client *client = &world->clients[0];
    connect_client(world, client);
    run_until(world, &client->count[TN_CONTACT_ERGONOMICS], 480, "hands");
    run_until(world, &client->count[TN_CONTACT_DEVICES], 3, "devices");
    stop_station(world);
    assert_int_equal(client->rejected, 0);
    uint64_t n = client->count[TN_CONTACT_ERGONOMICS];
    assert_int_equal(client->n_hands[0], client->n_hands[1]);
    assert_int_equal(client->count[TN_CONTACT_HAND_QUAT], n);
    assert_int_equal(client->count[TN_CONTACT_WRIST], n);
    assert_int_equal(client->count[TN_CONTACT_CONTROLLER], n);
    assert_log_matches(world, client);
    end(world);
}

static void lost_datagrams_are_not_in_the_log(void **state)
{
    (void)state;
    const char *const extra[] = {"--loss", "0.5", "--seed", "3", NULL};
    struct world *world = begin(extra, NULL);
    struct client *client = &world->clients[0];
    connect_client(world, client);
    run_until(world, &client->count[TN_CONTACT_ERGONOMICS], 200, "hands");
    stop_station(world);
    assert_true(client->n_hands[0] != client->n_hands[1] ||
                client->count[TN_CONTACT_WRIST] != client->count[TN_CONTACT_CONTROLLER] ||
                client->count[TN_CONTACT_WRIST] != client->count[TN_CONTACT_HAND_QUAT]);
    assert_log_matches(world, client);
    end(world);
}

static void after_a_stop_nothing_comes_in_a_burst(void **state)
{
    (void)state;
    struct world *world = begin(NULL, NULL);
    struct client *client = &world->clients[0];
    connect_client(world, client);
    run_until(world, &client->count[TN_CONTACT_ERGONOMICS], 40, "hands");
    assert_int_equal(tn_process_signal(world->station, SIGSTOP), TN_OK);
    int64_t end_ns = tn_clock_steady_now_ns() + 500 * TN_NS_PER_MS;
    while (tn_clock_steady_now_ns() < end_ns)
        (void)tn_loop_run_once(world->loop, 20 * TN_NS_PER_MS);
    uint32_t first = client->n_hands[0];
    assert_int_equal(tn_process_signal(world->station, SIGCONT), TN_OK);
    run_until(world, &client->count[TN_CONTACT_ERGONOMICS],
              client->count[TN_CONTACT_ERGONOMICS] + 80, "hands after the stop");
    // sixty frames were due during the stop: they would all come within a millisecond
    unsigned n_close = 0;
    for (uint32_t i = first + 1; i < first + 30; i++)
        n_close += client->hand_wall_ns[0][i] - client->hand_wall_ns[0][i - 1] < 2 * TN_NS_PER_MS;
    assert_true(n_close < 10);
    end(world);
}

static void frozen_hands_stop_while_the_rest_goes_on(void **state)
{
    (void)state;
    struct world *world = begin(NULL, "hand frames");
    struct client *client = &world->clients[0];
    connect_client(world, client);
    run_until(world, &client->count[TN_CONTACT_ERGONOMICS], 40, "hands");
    assert_int_equal(tn_process_signal(world->station, SIGUSR1), TN_OK);
    run_until_line(world, 1);
    // what was under way when it froze
    run_until(world, &client->count[TN_CONTACT_WRIST], client->count[TN_CONTACT_WRIST] + 20,
              "wrists");
    uint64_t n_hands = client->count[TN_CONTACT_ERGONOMICS];
    run_until(world, &client->count[TN_CONTACT_DEVICES], client->count[TN_CONTACT_DEVICES] + 2,
              "devices while frozen");
    assert_int_equal(client->count[TN_CONTACT_ERGONOMICS], n_hands);
    assert_int_equal(tn_process_signal(world->station, SIGUSR1), TN_OK);
    run_until(world, &client->count[TN_CONTACT_ERGONOMICS], n_hands + 40, "hands again");
    end(world);
}

static void clients_come_and_go_independently(void **state)
{
    (void)state;
    struct world *world = begin(NULL, "disconnected");
    struct client *first = &world->clients[0], *second = &world->clients[1];
    connect_client(world, first);
    connect_client(world, second);
    run_until(world, &first->count[TN_CONTACT_ERGONOMICS], 40, "hands of the first");
    run_until(world, &second->count[TN_CONTACT_ERGONOMICS], 40, "hands of the second");
    send_port(world, first, TN_CONTACT_DISCONNECT);
    run_until_line(world, 1);
    run_until(world, &second->count[TN_CONTACT_ERGONOMICS],
              second->count[TN_CONTACT_ERGONOMICS] + 20, "hands of the second");
    uint64_t n = first->count[TN_CONTACT_ERGONOMICS];
    run_until(world, &second->count[TN_CONTACT_ERGONOMICS],
              second->count[TN_CONTACT_ERGONOMICS] + 100, "hands of the second");
    assert_int_equal(first->count[TN_CONTACT_ERGONOMICS], n);
    end(world);
}

static void haptic_commands_are_reported(void **state)
{
    (void)state;
    struct world *world = begin(NULL, "haptics body right id=PAIR frequency_hz=120 amplitude=0.5");
    struct client *client = &world->clients[0];
    connect_client(world, client);
    struct tn_contact_message message = {.kind = TN_CONTACT_HAPTICS_BODY};
    memcpy(message.body.haptics_body.id, "PAIR", 5);
    message.body.haptics_body.vibration = (struct tn_contact_vibration){
        .frequency_hz = 120.0F, .amplitude = 0.5F, .duration_s = 1.0F};
    for (unsigned i = 0; i < 3; i++)
        send_message(world, client, &message);
    run_until_line(world, 3);
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(tn_file_read(world->haptics_log, 1 << 20, &text, &size, NULL), TN_OK);
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, world->wanted)) != NULL; at++)
        n++;
    assert_int_equal(n, 3);
    free(text);
    end(world);
}

static void garbage_comes_beside_good_frames(void **state)
{
    (void)state;
    const char *const extra[] = {"--garbage", "200", NULL};
    struct world *world = begin(extra, NULL);
    struct client *client = &world->clients[0];
    connect_client(world, client);
    run_until(world, &client->rejected, 50, "malformed datagrams");
    run_until(world, &client->count[TN_CONTACT_ERGONOMICS], 40, "hands");
    end(world);
}

static void it_freezes_and_ends_when_told(void **state)
{
    (void)state;
    const char *const extra[] = {"--freeze-after", "0.1",  "--seconds", "0.3",
                                 "--hands",        "left", NULL};
    struct world *world = begin(extra, "hand frames stopped");
    int64_t end_ns = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (!world->has_ended && tn_clock_steady_now_ns() < end_ns)
        (void)tn_loop_run_once(world->loop, 20 * TN_NS_PER_MS);
    assert_true(world->has_ended);
    assert_int_equal(world->status.exit_code, 0);
    assert_int_equal(world->n_lines, 1);
    end(world);
}

static void a_port_in_use_is_an_error(void **state)
{
    (void)state;
    struct world *world = begin(NULL, "25790");
    connect_client(world, &world->clients[0]);
    world->n_lines = 0;
    struct tn_process *second = start(world, NULL);
    int64_t end_ns = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (!world->has_ended && tn_clock_steady_now_ns() < end_ns)
        (void)tn_loop_run_once(world->loop, 20 * TN_NS_PER_MS);
    assert_int_equal(world->status.exit_code, 1);
    assert_true(world->n_lines >= 1);
    tn_process_destroy(&second);
    end(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_streamed_and_logged),
        cmocka_unit_test(lost_datagrams_are_not_in_the_log),
        cmocka_unit_test(after_a_stop_nothing_comes_in_a_burst),
        cmocka_unit_test(frozen_hands_stop_while_the_rest_goes_on),
        cmocka_unit_test(clients_come_and_go_independently),
        cmocka_unit_test(haptic_commands_are_reported),
        cmocka_unit_test(garbage_comes_beside_good_frames),
        cmocka_unit_test(it_freezes_and_ends_when_told),
        cmocka_unit_test(a_port_in_use_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
