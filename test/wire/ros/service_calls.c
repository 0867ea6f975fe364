// SPDX-License-Identifier: Apache-2.0
// Many calls against a stranger, both ways, each reply compared with its request; run plainly, with
// packet loss (see lossy) and with messages of many fragments.
//
// usage: test.wire.ros.service_calls N WINDOW BYTES PROGRAM [--new-ids]
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tn_msgs/rcl_interfaces.h"
#include "wire/ros/harness.h"

typedef struct rcl_interfaces_srv_ListParameters_Request request_t;
typedef struct rcl_interfaces_srv_ListParameters_Response reply_t;

#define WINDOW_MAX 8
#define ANSWER_NS  (60 * TN_NS_PER_S)

struct setup {
    uint32_t n, window, bytes;
    const char *program;
    bool has_new_ids;
};

static void start(struct harness *h, struct peer *peer, const struct setup *setup, const char *mode)
{
    char n[16], window[16], bytes[16];
    const char *argv[8] = {setup->program};
    unsigned argc = 1;
    (void)snprintf(n, sizeof n, "%u", setup->n);
    (void)snprintf(window, sizeof window, "%u", setup->window);
    (void)snprintf(bytes, sizeof bytes, "%u", setup->bytes);
    if (setup->has_new_ids)
        argv[argc++] = "--new-ids";
    argv[argc++] = "0";
    argv[argc++] = mode;
    argv[argc++] = n;
    argv[argc++] = window;
    argv[argc++] = bytes;
    peer_start(h, peer, argv);
}

/// Both have found each other: from now on datagrams may get lost (see lossy). Returns when they
/// do, else a quick test would be over before.
static void set_loss(bool is_on)
{
    const char *path = getenv("TN_LOSSY_GO");
    char loss[256];
    if (path == NULL)
        return;
    (void)snprintf(loss, sizeof loss, "%s.on", path);
    if (is_on) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        (void)fclose(file);
    } else {
        (void)unlink(path);
    }
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    while ((access(loss, F_OK) == 0) != is_on) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        (void)poll(NULL, 0, 1);
    }
}

// ---- their client ----

struct server {
    uint32_t n, n_expected;
    struct tn_str who;
};

static void on_list(void *context, const void *request, void *response)
{
    struct server *server = context;
    const request_t *q = request;
    reply_t *r = response;
    if (++server->n == 1)
        set_loss(true);
    r->result.names = q->prefixes;
    r->result.prefixes = (struct tn_seq_str){&server->who, 1};
}

static bool has_progressed(void *context)
{
    struct server *server = context;
    return server->n >= server->n_expected;
}

static void strangers_client_is_answered(void **state)
{
    const struct setup *setup = *state;
    struct harness h;
    struct peer peer;
    struct server server = {.who = tn_str_from("tendon")};
    struct tn_ros_service *service = NULL;
    struct tn_error err = {0};
    char done[64];
    harness_open(&h);
    assert_int_equal(tn_ros_service_create(h.node, &rcl_interfaces_srv_ListParameters_type, "/list",
                                           on_list, &server, &service, &err),
                     TN_OK);
    start(&h, &peer, setup, "client");
    // each step has its own deadline, however many there are
    while (server.n_expected < setup->n) {
        server.n_expected = server.n + 10 < setup->n ? server.n + 10 : setup->n;
        harness_wait(&h, has_progressed, &server, "the next requests");
    }
    harness_wait_lines(&h, &peer, "done ", 1);
    (void)snprintf(done, sizeof done, "done %u wrong 0 lost 0", setup->n);
    assert_string_equal(peer_find(&peer, 0, "done "), done);
    // reliable: a request that came twice is one
    assert_int_equal(server.n, setup->n);
    if (setup->has_new_ids) {
        unsigned long n[3] = {0};
        const char *p = peer_find(&peer, 0, "ids ");
        for (unsigned i = 0; i < 3; i++) {
            p = strchr(strchr(p, ' ') + 1, ' ');
            n[i] = strtoul(p + 1, NULL, 10);
            p++;
        }
        print_message("identities: %lu sent, %lu read, %lu hidden\n", n[0], n[1], n[2]);
        assert_true(n[0] >= setup->n && n[1] >= setup->n && n[2] >= setup->n);
    }
    set_loss(false);
    peer_stop(&peer);
    harness_close(&h);
}

// ---- their server ----

struct calls {
    struct tn_ros_client *client;
    uint32_t n_sent, n_ok, n_wrong, n_timed_out;
    uint32_t n_expected;
    bool is_ready;
    char *filler;
    uint32_t bytes;
    struct call {
        struct calls *calls;
        uint32_t number; ///< 0: free
    } open[WINDOW_MAX];
};

static void on_server(void *context, bool is_ready)
{
    ((struct calls *)context)->is_ready = is_ready;
}

static bool is_server_there(void *context)
{
    return ((struct calls *)context)->is_ready;
}

static void on_response(void *context, const void *response)
{
    struct call *call = context;
    const reply_t *r = response;
    char text[32];
    (void)snprintf(text, sizeof text, "call %u", call->number);
    call->number = 0;
    if (r == NULL)
        call->calls->n_timed_out++;
    else if (r->result.names.size == 2 && tn_str_is(r->result.names.data[0], text) &&
             r->result.names.data[1].size == call->calls->bytes) {
        if (++call->calls->n_ok == 1)
            set_loss(true);
    } else {
        call->calls->n_wrong++;
    }
}

static void send_next(struct calls *calls, struct call *call)
{
    char text[32];
    request_t request;
    rcl_interfaces_srv_ListParameters_Request_init(&request);
    call->calls = calls;
    call->number = ++calls->n_sent;
    (void)snprintf(text, sizeof text, "call %u", call->number);
    struct tn_str prefixes[] = {tn_str_from(text), tn_str_from(calls->filler)};
    request.prefixes = (struct tn_seq_str){prefixes, 2};
    request.depth = call->number;
    assert_int_equal(tn_ros_call(calls->client, &request, ANSWER_NS, on_response, call), TN_OK);
}

static bool has_answers(void *context)
{
    struct calls *calls = context;
    return calls->n_ok + calls->n_wrong + calls->n_timed_out >= calls->n_expected;
}

static void strangers_server_answers(void **state)
{
    const struct setup *setup = *state;
    struct harness h;
    struct peer peer;
    struct tn_error err = {0};
    struct calls calls = {.bytes = setup->bytes, .filler = calloc(1, setup->bytes + 1)};
    assert_non_null(calls.filler);
    memset(calls.filler, 'x', setup->bytes);
    harness_open(&h);
    assert_int_equal(tn_ros_client_create(h.node, &rcl_interfaces_srv_ListParameters_type, "/list",
                                          &calls.client, &err),
                     TN_OK);
    tn_ros_client_on_ready(calls.client, on_server, &calls);
    start(&h, &peer, setup, "server");
    harness_wait(&h, is_server_there, &calls, "the server is complete");
    while (calls.n_expected < setup->n) {
        for (uint32_t i = 0; i < setup->window && calls.n_sent < setup->n; i++)
            if (calls.open[i].number == 0)
                send_next(&calls, &calls.open[i]);
        calls.n_expected++;
        harness_wait(&h, has_answers, &calls, "the next answer");
    }
    assert_int_equal(calls.n_ok, setup->n);
    assert_int_equal(calls.n_wrong, 0);
    assert_int_equal(calls.n_timed_out, 0);
    // nothing was ever sent that it could not read
    assert_int_equal(peer_count(&peer, "bad "), 0);
    peer_stop(&peer);
    harness_close(&h);
    free(calls.filler);
}

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    struct setup setup = {number(argv[1]), number(argv[2]), number(argv[3]), argv[4], argc > 5};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(strangers_client_is_answered, &setup),
        cmocka_unit_test_prestate(strangers_server_answers, &setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
