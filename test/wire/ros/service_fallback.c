// SPDX-License-Identifier: Apache-2.0
// A Cyclone DDS that is not as expected: the hook of the inline QoS refuses (the linker puts our
// function in its place). Peers of the Cyclone form are served as ever, the others are let alone,
// and it is said once for each endpoint.
//
// usage: test.wire.ros.service_fallback FASTDDS CYCLONE
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

struct tn_transport_writer;
bool __wrap_tn_ros__hook_inline_qos(struct tn_transport_writer *writer);
bool __wrap_tn_ros__hook_inline_qos(struct tn_transport_writer *writer)
{
    (void)writer;
    return false;
}

typedef struct rcl_interfaces_srv_ListParameters_Request request_t;
typedef struct rcl_interfaces_srv_ListParameters_Response reply_t;

struct programs {
    const char *fastdds, *cyclone;
};

/// What goes to stderr between begin and end, where the console log is.
struct capture {
    int saved;
    FILE *file;
};

static void capture_begin(struct capture *c)
{
    c->file = tmpfile();
    assert_non_null(c->file);
    c->saved = dup(STDERR_FILENO);
    assert_true(dup2(fileno(c->file), STDERR_FILENO) >= 0);
}

/// @return lines that have `text`.
static uint32_t capture_end(struct capture *c, const char *text)
{
    char line[1024];
    uint32_t n = 0;
    (void)fflush(stderr);
    assert_true(dup2(c->saved, STDERR_FILENO) >= 0);
    (void)close(c->saved);
    rewind(c->file);
    while (fgets(line, sizeof line, c->file) != NULL)
        n += strstr(line, text) != NULL;
    (void)fclose(c->file);
    return n;
}

static void on_list(void *context, const void *request, void *response)
{
    const request_t *q = request;
    reply_t *r = response;
    static const struct tn_str who = {"tendon", 6};
    ++*(uint32_t *)context;
    r->result.names = q->prefixes;
    r->result.prefixes = (struct tn_seq_str){&who, 1};
}

static void server_serves_cyclone_peers(void **state)
{
    const struct programs *programs = *state;
    struct harness h;
    struct capture capture;
    struct peer cyclone, fastdds;
    struct tn_ros_service *service = NULL;
    struct tn_error err = {0};
    uint32_t n_requests = 0;
    harness_open(&h);
    capture_begin(&capture);
    assert_int_equal(tn_ros_service_create(h.node, &rcl_interfaces_srv_ListParameters_type, "/list",
                                           on_list, &n_requests, &service, &err),
                     TN_OK);
    peer_start(&h, &fastdds,
               (const char *const[]){programs->fastdds, "0", "client", "5", "5", NULL});
    peer_start(&h, &cyclone,
               (const char *const[]){programs->cyclone, "0", "client", "20", "1", NULL});
    harness_wait_lines(&h, &cyclone, "done ", 1);
    harness_run(&h, 500 * TN_NS_PER_MS);
    uint32_t n_told = capture_end(&capture, "does not allow the rmw_fastrtps form");
    assert_string_equal(peer_find(&cyclone, 0, "done "), "done 20 wrong 0 lost 0");
    // the others' requests are not misread
    assert_int_equal(n_requests, 20);
    assert_int_equal(n_told, 1);
    peer_stop(&cyclone);
    peer_stop(&fastdds);
    harness_close(&h);
}

struct calls {
    struct tn_ros_client *client;
    uint32_t n_answered, n_timed_out;
};

static void on_response(void *context, const void *response)
{
    struct calls *calls = context;
    calls->n_answered += response != NULL;
    calls->n_timed_out += response == NULL;
}

static bool is_ready(void *context)
{
    return tn_ros_client_is_ready(((struct calls *)context)->client);
}

static bool is_unready(void *context)
{
    return !is_ready(context);
}

static bool is_answered(void *context)
{
    struct calls *calls = context;
    return calls->n_answered + calls->n_timed_out > 0;
}

static void client_asks_cyclone_peers_only(void **state)
{
    const struct programs *programs = *state;
    struct harness h;
    struct capture capture;
    struct peer cyclone, fastdds;
    struct tn_error err = {0};
    struct calls calls = {0};
    request_t request;
    harness_open(&h);
    rcl_interfaces_srv_ListParameters_Request_init(&request);
    capture_begin(&capture);
    assert_int_equal(tn_ros_client_create(h.node, &rcl_interfaces_srv_ListParameters_type, "/list",
                                          &calls.client, &err),
                     TN_OK);
    peer_start(&h, &cyclone, (const char *const[]){programs->cyclone, "0", "server", NULL});
    harness_wait(&h, is_ready, &calls, "the Cyclone server is complete");
    assert_int_equal(tn_ros_call(calls.client, &request, 10 * TN_NS_PER_S, on_response, &calls),
                     TN_OK);
    harness_wait(&h, is_answered, &calls, "the answer");
    assert_int_equal(calls.n_answered, 1);
    peer_start(&h, &fastdds, (const char *const[]){programs->fastdds, "0", "server", NULL});
    harness_wait(&h, is_unready, &calls, "the Fast DDS server is seen");
    assert_int_equal(tn_ros_call(calls.client, &request, TN_NS_PER_S, on_response, &calls),
                     TN_ERR_NOT_FOUND);
    harness_run(&h, 300 * TN_NS_PER_MS);
    uint32_t n_told = capture_end(&capture, "does not allow the rmw_fastrtps form");
    assert_int_equal(peer_count(&fastdds, "request") + peer_count(&fastdds, "bad"), 0);
    assert_int_equal(n_told, 1);
    peer_stop(&cyclone);
    peer_stop(&fastdds);
    harness_close(&h);
}

int main(int argc, char **argv)
{
    struct programs programs = {argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : ""};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(server_serves_cyclone_peers, &programs),
        cmocka_unit_test_prestate(client_asks_cyclone_peers_only, &programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
