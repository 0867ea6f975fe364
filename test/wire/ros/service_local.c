// SPDX-License-Identifier: Apache-2.0
// Services and clients of one process: deferred replies, restarts, cancelled calls, limits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tn_msgs/std_srvs.h"
#include "wire/ros/harness.h"

typedef struct std_srvs_srv_SetBool_Request request_t;
typedef struct std_srvs_srv_SetBool_Response reply_t;

#define LONG_NS (60 * TN_NS_PER_S)

struct fixture {
    struct harness h;
    struct tn_ros_service *service;
    struct tn_ros_client *client;
    struct tn_transport_request_id ids[128];
    uint32_t n_ids;
    uint32_t n_ready, n_unready;
    bool is_ready;
};

struct call {
    uint64_t number;
    uint32_t n_answered, n_timed_out;
    char text[32];
};

static void on_deferred(void *context, const struct tn_transport_request_id *id,
                        const void *request)
{
    struct fixture *f = context;
    (void)request;
    assert_true(f->n_ids < TN_ARRAY_SIZE(f->ids));
    f->ids[f->n_ids++] = *id;
}

static void on_ready(void *context, bool is_ready)
{
    struct fixture *f = context;
    // changes only
    assert_int_not_equal(f->is_ready, is_ready);
    f->is_ready = is_ready;
    f->n_ready += is_ready;
    f->n_unready += !is_ready;
}

static void on_response(void *context, const void *response)
{
    struct call *call = context;
    const reply_t *r = response;
    call->n_timed_out += r == NULL;
    call->n_answered += r != NULL;
    if (r != NULL)
        (void)snprintf(call->text, sizeof call->text, "%.*s", (int)r->message.size,
                       r->message.data);
}

static void open_service(struct fixture *f)
{
    struct tn_error err = {0};
    assert_int_equal(tn_ros_service_create_deferred(f->h.node, &std_srvs_srv_SetBool_type, "~/set",
                                                    on_deferred, f, &f->service, &err),
                     TN_OK);
}

static bool is_ready(void *context)
{
    return ((struct fixture *)context)->is_ready;
}

static bool is_unready(void *context)
{
    return !((struct fixture *)context)->is_ready;
}

static int open_all(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct tn_error err = {0};
    struct tn_ros_client_options options = tn_ros_client_options_default();
    assert_non_null(f);
    harness_open(&f->h);
    options.on_ready = on_ready;
    options.context = f;
    assert_int_equal(tn_ros_client_create_with(f->h.node, &std_srvs_srv_SetBool_type,
                                               "/test/tester/set", &options, &f->client, &err),
                     TN_OK);
    open_service(f);
    harness_wait(&f->h, is_ready, f, "the service is seen");
    *state = f;
    return 0;
}

static int close_all(void **state)
{
    struct fixture *f = *state;
    harness_close(&f->h);
    free(f);
    return 0;
}

static void call(struct fixture *f, struct call *call, int64_t timeout_ns)
{
    request_t request;
    struct tn_ros_call_options options = {timeout_ns, on_response, call};
    std_srvs_srv_SetBool_Request_init(&request);
    request.data = true;
    assert_int_equal(tn_ros_call_start(f->client, &request, &options, &call->number), TN_OK);
    assert_true(call->number != 0);
}

static enum tn_result reply(struct fixture *f, const struct tn_transport_request_id *id,
                            const char *text)
{
    reply_t r;
    std_srvs_srv_SetBool_Response_init(&r);
    r.success = true;
    r.message = tn_str_from(text);
    return tn_ros_service_reply(f->service, id, &r);
}

struct wanted {
    struct fixture *f;
    uint32_t n;
};

static bool has_requests(void *context)
{
    struct wanted *wanted = context;
    return wanted->f->n_ids >= wanted->n;
}

static void wait_for_requests(struct fixture *f, uint32_t n)
{
    struct wanted wanted = {f, n};
    harness_wait(&f->h, has_requests, &wanted, "the requests");
}

static bool is_over(void *context)
{
    struct call *c = context;
    return c->n_answered + c->n_timed_out > 0;
}

static void answers_may_come_in_any_order(void **state)
{
    struct fixture *f = *state;
    struct call calls[3] = {{0}};
    for (unsigned i = 0; i < 3; i++)
        call(f, &calls[i], LONG_NS);
    wait_for_requests(f, 3);
    assert_int_equal(calls[0].n_answered + calls[1].n_answered + calls[2].n_answered, 0);
    assert_int_equal(reply(f, &f->ids[2], "third"), TN_OK);
    assert_int_equal(reply(f, &f->ids[0], "first"), TN_OK);
    assert_int_equal(reply(f, &f->ids[1], "second"), TN_OK);
    // once more: nobody is told twice
    assert_int_equal(reply(f, &f->ids[1], "again"), TN_OK);
    for (unsigned i = 0; i < 3; i++)
        harness_wait(&f->h, is_over, &calls[i], "an answer");
    harness_run(&f->h, 50 * TN_NS_PER_MS);
    assert_string_equal(calls[0].text, "first");
    assert_string_equal(calls[1].text, "second");
    assert_string_equal(calls[2].text, "third");
    assert_int_equal(calls[1].n_answered, 1);
}

static void ids_outlive_both_ends(void **state)
{
    struct fixture *f = *state;
    struct call c = {0};
    call(f, &c, LONG_NS);
    wait_for_requests(f, 1);
    struct tn_transport_request_id old = f->ids[0];

    // a client that went may come back for 2 s after its request, no longer
    tn_ros_client_destroy(&f->client);
    assert_int_equal(reply(f, &old, "to nobody"), TN_OK);
    harness_run(&f->h, 2100 * TN_NS_PER_MS);
    assert_int_equal(reply(f, &old, "to nobody"), TN_ERR_NOT_FOUND);

    // a service that went, and its successor of the same name
    tn_ros_service_destroy(&f->service);
    assert_null(f->service);
    assert_int_equal(reply(f, &old, "from nobody"), TN_ERR_NOT_FOUND);
    open_service(f);
    assert_int_equal(reply(f, &old, "from another"), TN_ERR_NOT_FOUND);
    struct tn_transport_request_id none;
    memset(&none, 0, sizeof none);
    assert_int_equal(reply(f, &none, "to nothing"), TN_ERR_NOT_FOUND);
    assert_int_equal(c.n_answered + c.n_timed_out, 0);
}

static void restart_in_the_middle_times_out_once(void **state)
{
    struct fixture *f = *state;
    struct call before = {0}, after = {0};
    call(f, &before, 300 * TN_NS_PER_MS);
    wait_for_requests(f, 1);
    tn_ros_service_destroy(&f->service);
    harness_wait(&f->h, is_unready, f, "the service is gone");
    open_service(f);
    harness_wait(&f->h, is_ready, f, "the service is back");
    assert_int_equal(f->n_ready, 2);
    assert_int_equal(f->n_unready, 1);
    call(f, &after, LONG_NS);
    wait_for_requests(f, 2);
    assert_int_equal(reply(f, &f->ids[1], "new"), TN_OK);
    harness_wait(&f->h, is_over, &after, "the answer of the new one");
    harness_wait(&f->h, is_over, &before, "the time-out");
    assert_string_equal(after.text, "new");
    assert_int_equal(before.n_timed_out, 1);
    assert_int_equal(before.n_answered, 0);
}

static void cancelled_call_is_silent(void **state)
{
    struct fixture *f = *state;
    struct call cancelled = {0}, other = {0};
    call(f, &cancelled, 200 * TN_NS_PER_MS);
    call(f, &other, LONG_NS);
    assert_true(cancelled.number != other.number);
    assert_int_equal(tn_ros_call_cancel(f->client, cancelled.number), TN_OK);
    assert_int_equal(tn_ros_call_cancel(f->client, cancelled.number), TN_ERR_NOT_FOUND);
    assert_int_equal(tn_ros_call_cancel(f->client, 0), TN_ERR_NOT_FOUND);
    assert_int_equal(tn_ros_call_cancel(f->client, UINT64_MAX), TN_ERR_NOT_FOUND);
    wait_for_requests(f, 2);
    assert_int_equal(reply(f, &f->ids[0], "too late"), TN_OK);
    assert_int_equal(reply(f, &f->ids[1], "here"), TN_OK);
    harness_wait(&f->h, is_over, &other, "the other answer");
    harness_run(&f->h, 300 * TN_NS_PER_MS);
    assert_int_equal(cancelled.n_answered + cancelled.n_timed_out, 0);
    assert_int_equal(other.n_answered, 1);
    assert_int_equal(tn_ros_call_cancel(f->client, other.number), TN_ERR_NOT_FOUND);
}

static void calls_are_limited_and_time_out_each_once(void **state)
{
    struct fixture *f = *state;
    struct call calls[TN_ROS_CALLS_MAX] = {{0}};
    struct call one_more = {0};
    request_t request;
    std_srvs_srv_SetBool_Request_init(&request);
    // over before they begin, soon, and some time
    static const int64_t timeouts_ns[] = {-1, 0, INT64_MIN, TN_NS_PER_MS, 200 * TN_NS_PER_MS};
    for (unsigned i = 0; i < TN_ROS_CALLS_MAX; i++)
        call(f, &calls[i], timeouts_ns[i % TN_ARRAY_SIZE(timeouts_ns)]);
    assert_int_equal(tn_ros_call(f->client, &request, LONG_NS, on_response, &one_more),
                     TN_ERR_LIMIT);
    for (unsigned i = 0; i < TN_ROS_CALLS_MAX; i++)
        harness_wait(&f->h, is_over, &calls[i], "the time-outs");
    for (unsigned i = 0; i < TN_ROS_CALLS_MAX; i++)
        assert_int_equal(calls[i].n_timed_out, 1);
    // answers that come now are nobody's
    for (uint32_t i = 0; i < f->n_ids; i++)
        (void)reply(f, &f->ids[i], "late");
    uint32_t n_before = f->n_ids;
    call(f, &one_more, INT64_MAX);
    wait_for_requests(f, n_before + 1);
    assert_int_equal(reply(f, &f->ids[n_before], "in time"), TN_OK);
    harness_wait(&f->h, is_over, &one_more, "the answer");
    assert_string_equal(one_more.text, "in time");
    for (unsigned i = 0; i < TN_ROS_CALLS_MAX; i++)
        assert_int_equal(calls[i].n_answered, 0);
}

static void options_are_checked(void **state)
{
    struct fixture *f = *state;
    struct tn_ros_service *service = NULL;
    struct tn_ros_service_options options = tn_ros_service_options_default();
    struct tn_error err = {0};
    assert_int_equal(tn_ros_service_create_with(f->h.node, &std_srvs_srv_SetBool_type, "a",
                                                &options, &service, &err),
                     TN_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(err.text, "on_deferred"));
    options.on_deferred = on_deferred;
    options.qos.depth = 1000;
    assert_int_equal(tn_ros_service_create_with(f->h.node, &std_srvs_srv_SetBool_type, "a",
                                                &options, &service, &err),
                     TN_OK);
    assert_string_equal(tn_ros_service_name(service), "/test/a");
    assert_int_equal(tn_ros_service_rejected(service), 0);
    tn_ros_service_destroy(&service);
    assert_int_equal(tn_ros_service_create_with(f->h.node, &std_srvs_srv_SetBool_type, "1bad",
                                                &options, &service, &err),
                     TN_ERR_INVALID_ARGUMENT);
}

static void readiness_can_be_asked_for_late_and_ended(void **state)
{
    struct fixture *f = *state;
    assert_true(tn_ros_client_is_ready(f->client));
    tn_ros_client_on_ready(f->client, NULL, NULL);
    tn_ros_service_destroy(&f->service);
    harness_run(&f->h, 50 * TN_NS_PER_MS);
    assert_int_equal(f->n_unready, 0);
    open_service(f);
    f->is_ready = false;
    f->n_ready = 0;
    // who asks late is told from the loop, once
    tn_ros_client_on_ready(f->client, on_ready, f);
    assert_int_equal(f->n_ready, 0);
    harness_wait(&f->h, is_ready, f, "the service is seen");
    harness_run(&f->h, 50 * TN_NS_PER_MS);
    assert_int_equal(f->n_ready, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_may_come_in_any_order, open_all, close_all),
        cmocka_unit_test_setup_teardown(ids_outlive_both_ends, open_all, close_all),
        cmocka_unit_test_setup_teardown(restart_in_the_middle_times_out_once, open_all, close_all),
        cmocka_unit_test_setup_teardown(cancelled_call_is_silent, open_all, close_all),
        cmocka_unit_test_setup_teardown(calls_are_limited_and_time_out_each_once, open_all,
                                        close_all),
        cmocka_unit_test_setup_teardown(options_are_checked, open_all, close_all),
        cmocka_unit_test_setup_teardown(readiness_can_be_asked_for_late_and_ended, open_all,
                                        close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
