// SPDX-License-Identifier: Apache-2.0
// Services against a stranger, both ways: argv[1] is the peer program, argv[2] what it calls
// itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tn_msgs/std_srvs.h"
#include "wire/ros/harness.h"

#define N_CALLS 50

struct program {
    const char *path, *frame;
};

struct server {
    uint32_t n;
};

static void on_arm(void *context, const void *request, void *response)
{
    struct server *server = context;
    struct std_srvs_srv_Trigger_Response *r = response;
    (void)request;
    server->n++;
    r->success = true;
    r->message = tn_str_from("armed");
}

static void strangers_client_is_answered(void **state)
{
    const struct program *program = *state;
    struct harness h;
    struct peer peer;
    struct server server = {0};
    struct tn_ros_service *service = NULL;
    struct tn_error err = {0};
    harness_open(&h);
    assert_int_equal(tn_ros_service_create(h.node, &std_srvs_srv_Trigger_type, "/arm", on_arm,
                                           &server, &service, &err),
                     TN_OK);
    peer_start(&h, &peer, (const char *const[]){program->path, "0", "client", "50", NULL});
    harness_wait_lines(&h, &peer, "done ", 1);
    assert_int_equal(peer_count(&peer, "response 1 armed"), N_CALLS);
    assert_int_equal(peer_count(&peer, "no response"), 0);
    assert_int_equal(server.n, N_CALLS);
    peer_stop(&peer);
    harness_close(&h);
}

/// A client that was there first must not lose its first request.
static void client_that_waits_is_answered(void **state)
{
    const struct program *program = *state;
    struct harness h;
    struct peer peer;
    struct server server = {0};
    struct tn_ros_service *service = NULL;
    struct tn_error err = {0};
    harness_open(&h);
    peer_start(&h, &peer, (const char *const[]){program->path, "0", "client", "3", NULL});
    assert_int_equal(tn_ros_service_create(h.node, &std_srvs_srv_Trigger_type, "/arm", on_arm,
                                           &server, &service, &err),
                     TN_OK);
    harness_wait_lines(&h, &peer, "done ", 1);
    assert_int_equal(peer_count(&peer, "response 1 armed"), 3);
    peer_stop(&peer);
    harness_close(&h);
}

/// A process may hold several clients of one service: a reply waits for the reader of the one that
/// asked, not for any reader of its process.
static void second_client_of_a_process_is_answered(void **state)
{
    const struct program *program = *state;
    struct harness h;
    struct peer peer;
    struct server server = {0};
    struct tn_ros_service *service = NULL;
    struct tn_error err = {0};
    if (strcmp(program->frame, "cyclone") != 0)
        return;
    harness_open(&h);
    assert_int_equal(tn_ros_service_create(h.node, &std_srvs_srv_Trigger_type, "/arm", on_arm,
                                           &server, &service, &err),
                     TN_OK);
    peer_start(&h, &peer, (const char *const[]){program->path, "0", "two_clients", NULL});
    harness_wait_lines(&h, &peer, "second ", 1);
    assert_int_equal(peer_count(&peer, "second answered"), 1);
    peer_stop(&peer);
    harness_close(&h);
}

struct calls {
    struct tn_ros_client *client;
    const char *expected;
    uint32_t n_answered, n_timed_out, n_wrong;
};

static void on_response(void *context, const void *response)
{
    struct calls *calls = context;
    const struct std_srvs_srv_Trigger_Response *r = response;
    if (r == NULL)
        calls->n_timed_out++;
    else if (!r->success || !tn_str_is(r->message, calls->expected))
        calls->n_wrong++;
    else
        calls->n_answered++;
}

static bool is_ready(void *context)
{
    return tn_ros_client_is_ready(((struct calls *)context)->client);
}

static bool is_finished(void *context)
{
    struct calls *calls = context;
    return calls->n_answered + calls->n_timed_out + calls->n_wrong > 0;
}

static void strangers_server_answers(void **state)
{
    const struct program *program = *state;
    struct harness h;
    struct peer peer;
    struct tn_error err = {0};
    struct std_srvs_srv_Trigger_Request request;
    struct calls calls = {.expected = strcmp(program->frame, "cyclone") == 0 ? "from cyclone"
                                                                             : "from fastdds"};
    uint32_t n_answered = 0;
    harness_open(&h);
    std_srvs_srv_Trigger_Request_init(&request);
    assert_int_equal(
        tn_ros_client_create(h.node, &std_srvs_srv_Trigger_type, "/arm", &calls.client, &err),
        TN_OK);
    assert_int_equal(tn_ros_call(calls.client, &request, TN_NS_PER_S, on_response, &calls),
                     TN_ERR_NOT_FOUND);
    peer_start(&h, &peer, (const char *const[]){program->path, "0", "server", NULL});
    harness_wait(&h, is_ready, &calls, "the server is matched");
    for (int i = 0; i < N_CALLS; i++) {
        calls.n_answered = 0;
        assert_int_equal(tn_ros_call(calls.client, &request, 10 * TN_NS_PER_S, on_response, &calls),
                         TN_OK);
        harness_wait(&h, is_finished, &calls, "a reply");
        n_answered += calls.n_answered;
    }
    assert_int_equal(n_answered, N_CALLS);
    assert_int_equal(calls.n_wrong, 0);
    assert_int_equal(calls.n_timed_out, 0);

    // a server that is gone: exactly one callback, with nothing
    peer_stop(&peer);
    calls.n_answered = 0;
    if (tn_ros_call(calls.client, &request, TN_NS_PER_S / 10, on_response, &calls) == TN_OK) {
        harness_wait(&h, is_finished, &calls, "the time-out");
        assert_int_equal(calls.n_timed_out, 1);
    }
    harness_close(&h);
}

int main(int argc, char **argv)
{
    struct program program = {argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : ""};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(strangers_client_is_answered, &program),
        cmocka_unit_test_prestate(client_that_waits_is_answered, &program),
        cmocka_unit_test_prestate(second_client_of_a_process_is_answered, &program),
        cmocka_unit_test_prestate(strangers_server_answers, &program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
