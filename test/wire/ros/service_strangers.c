// SPDX-License-Identifier: Apache-2.0
// Services among several strangers: both kinds at once, half servers, hostile ones.
//
// usage: test.wire.ros.service_strangers FASTDDS CYCLONE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tn_msgs/rcl_interfaces.h"
#include "wire/ros/harness.h"

typedef struct rcl_interfaces_srv_ListParameters_Request request_t;
typedef struct rcl_interfaces_srv_ListParameters_Response reply_t;

struct programs {
    const char *fastdds, *cyclone;
};

struct fixture {
    struct harness h;
    struct tn_ros_service *service;
    struct tn_ros_client *client;
    uint32_t n_requests, n_sent, n_limited, n_other;
    uint32_t n_answered, n_timed_out;
    char who[16]; ///< answered last
};

static void start(struct fixture *f, struct peer *peer, const char *program, const char *mode,
                  const char *n, const char *more)
{
    peer_start(&f->h, peer, (const char *const[]){program, "0", mode, n, more, NULL});
}

// ---- our server ----

static void on_list(void *context, const struct tn_transport_request_id *id, const void *request)
{
    struct fixture *f = context;
    const request_t *q = request;
    struct tn_str who = tn_str_from("tendon");
    reply_t r;
    rcl_interfaces_srv_ListParameters_Response_init(&r);
    r.result.names = q->prefixes;
    r.result.prefixes = (struct tn_seq_str){&who, 1};
    f->n_requests++;
    enum tn_result result = tn_ros_service_reply(f->service, id, &r);
    f->n_sent += result == TN_OK;
    f->n_limited += result == TN_ERR_LIMIT;
    f->n_other += result != TN_OK && result != TN_ERR_LIMIT;
}

static void open_service(struct fixture *f)
{
    struct tn_error err = {0};
    assert_int_equal(tn_ros_service_create_deferred(f->h.node,
                                                    &rcl_interfaces_srv_ListParameters_type,
                                                    "/list", on_list, f, &f->service, &err),
                     TN_OK);
}

static void both_kinds_of_clients_are_served_at_once(void **state)
{
    const struct programs *programs = *state;
    struct fixture f = {0};
    struct peer many, few;
    harness_open(&f.h);
    open_service(&f);
    start(&f, &many, programs->cyclone, "clients", "4", "50");
    start(&f, &few, programs->fastdds, "client", "100", "2");
    harness_wait_lines(&f.h, &many, "done ", 1);
    harness_wait_lines(&f.h, &few, "done ", 1);
    assert_string_equal(peer_find(&many, 0, "done "), "done 200 wrong 0 lost 0");
    assert_string_equal(peer_find(&few, 0, "done "), "done 100 wrong 0 lost 0");
    assert_int_equal(f.n_requests, 300);
    assert_int_equal(f.n_sent, 300);
    peer_stop(&many);
    peer_stop(&few);
    harness_close(&f.h);
}

static void many_clients_ask_in_one_breath(void **state)
{
    const struct programs *programs = *state;
    struct fixture f = {0};
    struct peer peer;
    harness_open(&f.h);
    open_service(&f);
    start(&f, &peer, programs->cyclone, "clients", "40", "10");
    harness_wait_lines(&f.h, &peer, "done ", 1);
    assert_string_equal(peer_find(&peer, 0, "done "), "done 400 wrong 0 lost 0");
    assert_int_equal(f.n_requests, 400);
    peer_stop(&peer);
    harness_close(&f.h);
}

static void readers_that_never_come_fill_a_bounded_queue(void **state)
{
    const struct programs *programs = *state;
    struct fixture f = {0};
    struct peer peer, good;
    harness_open(&f.h);
    open_service(&f);
    start(&f, &peer, programs->fastdds, "hostile", "1000", NULL);
    // someone else is answered all the while
    start(&f, &good, programs->cyclone, "client", "20", "1");
    harness_wait_lines(&f.h, &good, "done ", 1);
    assert_string_equal(peer_find(&good, 0, "done "), "done 20 wrong 0 lost 0");
    harness_wait_lines(&f.h, &peer, "done ", 1);
    assert_string_equal(peer_find(&peer, 0, "done "), "done 1 wrong 0 lost 0");
    // its share of the queue, and not more, waited
    print_message("%u requests: %u sent or queued, %u limited\n", f.n_requests, f.n_sent,
                  f.n_limited);
    assert_true(f.n_limited > 0);
    assert_int_equal(f.n_other, 0);
    // bodies that cannot be read
    assert_true(tn_ros_service_rejected(f.service) >= 5);
    peer_stop(&peer);
    peer_stop(&good);
    harness_close(&f.h);
}

struct requests {
    struct fixture *f;
    uint32_t n;
};

static bool has_requests(void *context)
{
    struct requests *wanted = context;
    return wanted->f->n_requests >= wanted->n;
}

static void client_that_dies_costs_nothing(void **state)
{
    const struct programs *programs = *state;
    struct fixture f = {0};
    harness_open(&f.h);
    open_service(&f);
    for (int i = 0; i < 4; i++) {
        // in the middle of its calls
        struct peer dying;
        struct requests wanted = {&f, f.n_requests + 20};
        start(&f, &dying, i % 2 == 0 ? programs->cyclone : programs->fastdds, "client", "100000",
              "4");
        harness_wait(&f.h, has_requests, &wanted, "its requests");
        peer_stop(&dying);
    }
    // nobody has noticed yet that they are gone
    struct peer good;
    start(&f, &good, programs->fastdds, "client", "50", "2");
    harness_wait_lines(&f.h, &good, "done ", 1);
    assert_string_equal(peer_find(&good, 0, "done "), "done 50 wrong 0 lost 0");
    assert_int_equal(f.n_limited, 0);
    peer_stop(&good);
    harness_close(&f.h);
}

static void wrong_bodies_of_cyclone_peers_are_rejected(void **state)
{
    const struct programs *programs = *state;
    struct fixture f = {0};
    struct peer peer;
    harness_open(&f.h);
    open_service(&f);
    start(&f, &peer, programs->cyclone, "hostile", "200", NULL);
    harness_wait_lines(&f.h, &peer, "done ", 1);
    assert_string_equal(peer_find(&peer, 0, "done "), "done 1 wrong 0 lost 0");
    assert_true(tn_ros_service_rejected(f.service) > 0);
    peer_stop(&peer);
    harness_close(&f.h);
}

// ---- our client ----

static void on_response(void *context, const void *response)
{
    struct fixture *f = context;
    const reply_t *r = response;
    if (r == NULL) {
        f->n_timed_out++;
        return;
    }
    f->n_answered++;
    if (r->result.prefixes.size == 1)
        (void)snprintf(f->who, sizeof f->who, "%.*s", (int)r->result.prefixes.data[0].size,
                       r->result.prefixes.data[0].data);
}

static void open_client(struct fixture *f)
{
    struct tn_error err = {0};
    harness_open(&f->h);
    assert_int_equal(tn_ros_client_create(f->h.node, &rcl_interfaces_srv_ListParameters_type,
                                          "/list", &f->client, &err),
                     TN_OK);
}

static enum tn_result ask(struct fixture *f, uint64_t depth)
{
    request_t request;
    struct tn_str prefix = tn_str_from("a");
    rcl_interfaces_srv_ListParameters_Request_init(&request);
    request.prefixes = (struct tn_seq_str){&prefix, 1};
    request.depth = depth;
    return tn_ros_call(f->client, &request, 20 * TN_NS_PER_S, on_response, f);
}

static bool is_ready(void *context)
{
    return tn_ros_client_is_ready(((struct fixture *)context)->client);
}

static bool is_unready(void *context)
{
    return !is_ready(context);
}

struct answers {
    struct fixture *f;
    uint32_t n;
};

static bool has_answers(void *context)
{
    struct answers *wanted = context;
    return wanted->f->n_answered + wanted->f->n_timed_out >= wanted->n;
}

/// Calls `n` times, one after the other.
static void ask_many(struct fixture *f, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct answers wanted = {f, f->n_answered + f->n_timed_out + 1};
        assert_int_equal(ask(f, i), TN_OK);
        harness_wait(&f->h, has_answers, &wanted, "an answer");
    }
}

static void replies_to_others_are_not_ours(void **state)
{
    const struct programs *programs = *state;
    for (int kind = 0; kind < 2; kind++) {
        struct fixture f = {0};
        struct peer peer;
        open_client(&f);
        start(&f, &peer, kind == 0 ? programs->cyclone : programs->fastdds, "strange", NULL, NULL);
        harness_wait(&f.h, is_ready, &f, "the server is complete");
        ask_many(&f, 10);
        harness_run(&f.h, 100 * TN_NS_PER_MS);
        // each once, though the right reply came twice and many wrong ones with it
        assert_int_equal(f.n_answered, 10);
        assert_int_equal(f.n_timed_out, 0);
        peer_stop(&peer);
        harness_close(&f.h);
    }
}

static void half_a_foreign_server_is_never_asked(void **state)
{
    const struct programs *programs = *state;
    struct fixture f = {0};
    struct peer whole, half;
    open_client(&f);
    start(&f, &whole, programs->cyclone, "server", NULL, NULL);
    harness_wait(&f.h, is_ready, &f, "the server is complete");
    ask_many(&f, 1);
    assert_string_equal(f.who, "cyclone");
    // it would misread what the other understands
    start(&f, &half, programs->fastdds, "half", NULL, NULL);
    harness_wait(&f.h, is_unready, &f, "the half one is seen");
    assert_int_equal(ask(&f, 1), TN_ERR_NOT_FOUND);
    harness_run(&f.h, 200 * TN_NS_PER_MS);
    assert_int_equal(peer_count(&half, "got"), 0);
    peer_stop(&half);
    peer_stop(&whole);
    harness_close(&f.h);
}

static void half_a_cyclone_server_is_not_ready(void **state)
{
    const struct programs *programs = *state;
    struct fixture f = {0};
    struct peer half, whole;
    open_client(&f);
    start(&f, &half, programs->cyclone, "half", NULL, NULL);
    start(&f, &whole, programs->cyclone, "server", NULL, NULL);
    harness_wait(&f.h, is_ready, &f, "the whole server is complete");
    ask_many(&f, 5);
    // both got it, one could answer
    harness_wait_lines(&f.h, &half, "got", 1);
    assert_int_equal(f.n_answered, 5);
    // which left: the half one is not enough
    peer_stop(&whole);
    harness_wait(&f.h, is_unready, &f, "the whole server is gone");
    assert_int_equal(ask(&f, 1), TN_ERR_NOT_FOUND);
    peer_stop(&half);
    harness_close(&f.h);
}

/// Servers of both kinds under one name: what goes out is what Fast DDS understands.
static void fast_dds_never_gets_the_cyclone_form(void **state)
{
    const struct programs *programs = *state;
    struct fixture f = {0};
    struct peer cyclone, fastdds;
    open_client(&f);
    start(&f, &cyclone, programs->cyclone, "server", NULL, NULL);
    harness_wait(&f.h, is_ready, &f, "the Cyclone server is complete");
    ask_many(&f, 3);
    assert_string_equal(f.who, "cyclone");
    start(&f, &fastdds, programs->fastdds, "server", NULL, NULL);
    // asked without a pause while the other one is discovered, half of it at a time
    for (int i = 0;
         i < 4000 && (peer_count(&fastdds, "request") < 10 || strcmp(f.who, "fastdds") != 0); i++) {
        (void)ask(&f, 7);
        (void)tn_loop_run_once(f.h.loop, 5 * TN_NS_PER_MS);
    }
    assert_true(peer_count(&fastdds, "request") >= 10);
    assert_string_equal(f.who, "fastdds");
    assert_int_equal(peer_count(&fastdds, "bad"), 0);
    assert_int_equal(peer_count(&fastdds, "request"), peer_count(&fastdds, "request 7"));
    peer_stop(&fastdds);
    peer_stop(&cyclone);
    harness_close(&f.h);
}

static void server_that_dies_is_followed_by_the_next(void **state)
{
    const struct programs *programs = *state;
    for (int kind = 0; kind < 2; kind++) {
        const char *program = kind == 0 ? programs->cyclone : programs->fastdds;
        struct fixture f = {0};
        struct peer peer;
        open_client(&f);
        start(&f, &peer, program, "server", NULL, NULL);
        harness_wait(&f.h, is_ready, &f, "the server is complete");
        ask_many(&f, 5);
        peer_stop(&peer);
        // asked while it is dead: nobody knows yet
        (void)ask(&f, 99);
        uint32_t n_before = f.n_answered;
        start(&f, &peer, program, "server", NULL, NULL);
        for (int i = 0; i < 4000 && f.n_answered < n_before + 5; i++) {
            (void)ask(&f, 100);
            (void)tn_loop_run_once(f.h.loop, 5 * TN_NS_PER_MS);
        }
        assert_true(f.n_answered >= n_before + 5);
        // what was asked of the old one may still be on its way while nobody knows that it is dead:
        // DDS then gives it to the new one, once
        assert_true(peer_count(&peer, "request 99") <= 1);
        assert_int_equal(peer_count(&peer, "bad"), 0);
        peer_stop(&peer);
        harness_close(&f.h);
    }
}

static void two_servers_of_one_name_answer_once(void **state)
{
    const struct programs *programs = *state;
    struct fixture f = {0};
    struct peer one, two;
    open_client(&f);
    open_service(&f);
    start(&f, &one, programs->cyclone, "server", NULL, NULL);
    start(&f, &two, programs->cyclone, "server", NULL, NULL);
    // until all three are asked
    for (int i = 0; i < 4000 && (peer_count(&one, "request") == 0 ||
                                 peer_count(&two, "request") == 0 || f.n_requests == 0);
         i++) {
        (void)ask(&f, 1);
        (void)tn_loop_run_once(f.h.loop, 5 * TN_NS_PER_MS);
    }
    harness_run(&f.h, 100 * TN_NS_PER_MS);
    f.n_answered = 0;
    ask_many(&f, 20);
    harness_run(&f.h, 100 * TN_NS_PER_MS);
    assert_int_equal(f.n_answered, 20);
    assert_int_equal(f.n_timed_out, 0);
    peer_stop(&one);
    peer_stop(&two);
    harness_close(&f.h);
}

int main(int argc, char **argv)
{
    struct programs programs = {argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : ""};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(both_kinds_of_clients_are_served_at_once, &programs),
        cmocka_unit_test_prestate(many_clients_ask_in_one_breath, &programs),
        cmocka_unit_test_prestate(readers_that_never_come_fill_a_bounded_queue, &programs),
        cmocka_unit_test_prestate(client_that_dies_costs_nothing, &programs),
        cmocka_unit_test_prestate(wrong_bodies_of_cyclone_peers_are_rejected, &programs),
        cmocka_unit_test_prestate(replies_to_others_are_not_ours, &programs),
        cmocka_unit_test_prestate(half_a_foreign_server_is_never_asked, &programs),
        cmocka_unit_test_prestate(half_a_cyclone_server_is_not_ready, &programs),
        cmocka_unit_test_prestate(fast_dds_never_gets_the_cyclone_form, &programs),
        cmocka_unit_test_prestate(server_that_dies_is_followed_by_the_next, &programs),
        cmocka_unit_test_prestate(two_servers_of_one_name_answer_once, &programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
