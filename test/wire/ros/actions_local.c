// SPDX-License-Identifier: Apache-2.0
// Actions between two nodes of ours: what callers may do wrong, garbage, restarts, limits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/ros/actions.h"

#define TYPE (&example_interfaces_action_Fibonacci_type)

struct goal {
    struct tn_ros_goal_id id;
    uint32_t n_responses, n_feedback, n_results;
    enum tn_ros_goal_response response;
    struct tn_ros_goal_outcome outcome;
    uint32_t n_numbers;
};

struct pair {
    struct harness h;
    struct fibonacci f;
    struct tn_ros_action_client *client;
    uint32_t n_ready, n_unready, n_lists;
};

static const struct tn_ros_action_server_options defaults;

static void on_ready(void *context, bool is_ready)
{
    struct pair *p = context;
    if (is_ready)
        p->n_ready++;
    else
        p->n_unready++;
}

static void on_goals(void *context, const struct action_msgs_msg_GoalStatusArray *goals)
{
    struct pair *p = context;
    (void)goals;
    p->n_lists++;
}

static bool is_ready(void *context)
{
    struct pair *p = context;
    return tn_ros_action_client_is_ready(p->client) && p->n_ready > p->n_unready;
}

static bool is_unready(void *context)
{
    struct pair *p = context;
    return p->n_unready == p->n_ready;
}

static void make_client(struct pair *p)
{
    struct tn_error err = {0};
    struct tn_ros_action_client_options options = {
        .on_ready = on_ready, .on_goals = on_goals, .context = p};
    if (tn_ros_action_client_create(p->h.node, TYPE, "/fibonacci", &options, &p->client, &err) !=
        TN_OK)
        fail_msg("%s", err.text);
}

static void open(struct pair *p, struct tn_ros_action_server_options options)
{
    memset(p, 0, sizeof *p);
    harness_open(&p->h);
    make_client(p);
    fibonacci_open(&p->f, &p->h, options);
    harness_wait(&p->h, is_ready, p, "the server is there");
}

static void close(struct pair *p)
{
    fibonacci_close(&p->f);
    tn_ros_action_client_destroy(&p->client);
    harness_close(&p->h);
}

static void on_response(void *context, const struct tn_ros_goal_id *id,
                        enum tn_ros_goal_response response)
{
    struct goal *goal = context;
    (void)id;
    goal->n_responses++;
    goal->response = response;
}

static void on_feedback(void *context, const struct tn_ros_goal_id *id, const void *feedback)
{
    struct goal *goal = context;
    (void)id;
    (void)feedback;
    goal->n_feedback++;
}

static void on_result(void *context, const struct tn_ros_goal_id *id,
                      const struct tn_ros_goal_outcome *outcome)
{
    struct goal *goal = context;
    const struct example_interfaces_action_Fibonacci_Result *r = outcome->result;
    (void)id;
    goal->n_results++;
    goal->outcome = *outcome;
    goal->n_numbers = r == NULL ? 0 : r->sequence.size;
}

static enum tn_result try_send(struct pair *p, struct goal *goal, int32_t order,
                               int64_t result_timeout_ns)
{
    struct example_interfaces_action_Fibonacci_Goal message = {.order = order};
    struct tn_ros_action_goal_options options = {.on_response = on_response,
                                                 .on_feedback = on_feedback,
                                                 .on_result = on_result,
                                                 .context = goal,
                                                 .response_timeout_ns = 20 * TN_NS_PER_S,
                                                 .result_timeout_ns = result_timeout_ns};
    memset(goal, 0, sizeof *goal);
    return tn_ros_action_send_goal(p->client, &message, &options, &goal->id);
}

static bool has_response(void *context)
{
    return ((struct goal *)context)->n_responses > 0;
}

static bool has_result(void *context)
{
    return ((struct goal *)context)->n_results > 0;
}

static void send(struct pair *p, struct goal *goal, int32_t order)
{
    assert_int_equal(try_send(p, goal, order, INT64_MAX), TN_OK);
    harness_wait(&p->h, has_response, goal, "an answer to the goal");
}

static void misuse_is_refused_and_changes_nothing(void **state)
{
    struct pair p;
    struct goal goal;
    struct tn_ros_goal_id nobody = {{9}};
    (void)state;
    open(&p, defaults);
    struct tn_ros_action_server *s = p.f.server;
    assert_int_equal(tn_ros_action_execute(s, &nobody), TN_ERR_NOT_FOUND);
    assert_int_equal(tn_ros_action_feedback(s, &nobody, NULL), TN_ERR_NOT_FOUND);
    assert_int_equal(tn_ros_action_succeed(s, &nobody, NULL), TN_ERR_NOT_FOUND);
    // deferred: nothing may end it before it began
    send(&p, &goal, 104);
    assert_int_equal(tn_ros_action_state(s, &goal.id), TN_ROS_GOAL_ACCEPTED);
    assert_int_equal(tn_ros_action_succeed(s, &goal.id, NULL), TN_ERR_STATE);
    assert_int_equal(tn_ros_action_abort(s, &goal.id, NULL), TN_ERR_STATE);
    assert_int_equal(tn_ros_action_canceled(s, &goal.id, NULL), TN_ERR_STATE);
    assert_int_equal(tn_ros_action_state(s, &goal.id), TN_ROS_GOAL_ACCEPTED);
    assert_int_equal(tn_ros_action_execute(s, &goal.id), TN_OK);
    assert_int_equal(tn_ros_action_execute(s, &goal.id), TN_ERR_STATE);
    assert_int_equal(tn_ros_action_canceled(s, &goal.id, NULL), TN_ERR_STATE);
    // no result is the default one
    assert_int_equal(tn_ros_action_succeed(s, &goal.id, NULL), TN_OK);
    assert_int_equal(tn_ros_action_succeed(s, &goal.id, NULL), TN_ERR_STATE);
    struct example_interfaces_action_Fibonacci_Feedback feedback;
    example_interfaces_action_Fibonacci_Feedback_init(&feedback);
    assert_int_equal(tn_ros_action_feedback(s, &goal.id, &feedback), TN_ERR_STATE);
    harness_wait(&p.h, has_result, &goal, "the result");
    assert_int_equal(goal.outcome.state, TN_ROS_GOAL_SUCCEEDED);
    assert_int_equal(goal.n_numbers, 0);
    assert_true(p.n_lists > 0);
    close(&p);
}

static void wrong_options_and_types_are_refused(void **state)
{
    struct pair p;
    struct goal goal;
    struct tn_error err = {0};
    struct tn_ros_action_server *server = NULL;
    struct tn_ros_action_client *client = NULL;
    struct tn_ros_action_server_options options = {0};
    struct tn_action_type type = *TYPE;
    (void)state;
    open(&p, defaults);
    assert_int_equal(tn_ros_action_server_create(p.h.node, TYPE, "a", &options, &server, &err),
                     TN_ERR_INVALID_ARGUMENT);
    options =
        (struct tn_ros_action_server_options){.on_accepted = (tn_ros_goal_accepted_fn)on_feedback,
                                              .max_goals = TN_ROS_ACTION_GOALS_MAX + 1};
    assert_int_equal(tn_ros_action_server_create(p.h.node, TYPE, "a", &options, &server, &err),
                     TN_ERR_INVALID_ARGUMENT);
    options.max_goals = 1;
    options.result_timeout_ns = -1;
    assert_int_equal(tn_ros_action_server_create(p.h.node, TYPE, "a", &options, &server, &err),
                     TN_ERR_INVALID_ARGUMENT);
    options.result_timeout_ns = 1;
    assert_int_equal(tn_ros_action_server_create(p.h.node, TYPE, "a b", &options, &server, &err),
                     TN_ERR_INVALID_ARGUMENT);
    type.feedback_message = TYPE->goal;
    assert_int_equal(tn_ros_action_server_create(p.h.node, &type, "a", &options, &server, &err),
                     TN_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(err.text, "no action's"));
    assert_int_equal(tn_ros_action_client_create(p.h.node, &type, "a", NULL, &client, &err),
                     TN_ERR_INVALID_ARGUMENT);
    assert_null(server);
    assert_null(client);
    assert_int_equal(tn_ros_action_server_create(p.h.node, TYPE, "a", &options, &server, &err),
                     TN_OK);
    assert_string_equal(tn_ros_action_server_name(server), "/test/a");
    assert_int_equal(try_send(&p, &goal, 5, 0), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(try_send(&p, &goal, 5, -1), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ros_action_client_n_open(p.client), 0);
    // what is left open goes with its node
    close(&p);
}

static void a_server_that_goes_says_so(void **state)
{
    struct pair p;
    struct goal goal;
    (void)state;
    open(&p, defaults);
    send(&p, &goal, 100);
    tn_loop_timer_stop(&p.f.timer);
    harness_run(&p.h, 100 * TN_NS_PER_MS);
    tn_ros_action_server_destroy(&p.f.server);
    harness_wait(&p.h, has_result, &goal, "the end");
    assert_int_equal(goal.outcome.code, TN_OK);
    assert_int_equal(goal.outcome.state, TN_ROS_GOAL_ABORTED);
    harness_wait(&p.h, is_unready, &p, "nobody serves");
    assert_int_equal(try_send(&p, &goal, 5, TN_NS_PER_S), TN_ERR_NOT_FOUND);
    close(&p);
}

// ---- a server that accepts every goal and never says anything again ----

struct mute {
    struct tn_ros_service *send_goal, *cancel_goal, *get_result;
    struct tn_ros_publisher *feedback, *status;
    uint32_t n_asked;
};

static void on_mute_goal(void *context, const struct tn_transport_request_id *id,
                         const void *request)
{
    struct mute *mute = context;
    uint8_t response[64] = {0};
    (void)request;
    assert_true(TYPE->send_goal->response->size <= sizeof response);
    response[TYPE->send_goal->response->fields[0].offset] = 1;
    assert_int_equal(tn_ros_service_reply(mute->send_goal, id, response), TN_OK);
}

static void on_mute(void *context, const struct tn_transport_request_id *id, const void *request)
{
    struct mute *mute = context;
    (void)id;
    (void)request;
    mute->n_asked++;
}

static void mute_open(struct mute *m, struct tn_ros_node *node)
{
    struct tn_error err = {0};
    memset(m, 0, sizeof *m);
    assert_int_equal(tn_ros_publisher_create(node, TYPE->feedback_message,
                                             "/fibonacci/_action/feedback", tn_ros_qos_default(10),
                                             &m->feedback, &err),
                     TN_OK);
    assert_int_equal(tn_ros_publisher_create(node, &action_msgs_msg_GoalStatusArray_type,
                                             "/fibonacci/_action/status", tn_ros_qos_latched(1),
                                             &m->status, &err),
                     TN_OK);
    assert_int_equal(tn_ros_service_create_deferred(node, TYPE->send_goal,
                                                    "/fibonacci/_action/send_goal", on_mute_goal, m,
                                                    &m->send_goal, &err),
                     TN_OK);
    assert_int_equal(tn_ros_service_create_deferred(node, &action_msgs_srv_CancelGoal_type,
                                                    "/fibonacci/_action/cancel_goal", on_mute, m,
                                                    &m->cancel_goal, &err),
                     TN_OK);
    assert_int_equal(tn_ros_service_create_deferred(node, TYPE->get_result,
                                                    "/fibonacci/_action/get_result", on_mute, m,
                                                    &m->get_result, &err),
                     TN_OK);
}

static void mute_close(struct mute *m)
{
    tn_ros_service_destroy(&m->send_goal);
    tn_ros_service_destroy(&m->cancel_goal);
    tn_ros_service_destroy(&m->get_result);
    tn_ros_publisher_destroy(&m->feedback);
    tn_ros_publisher_destroy(&m->status);
}

static bool was_asked(void *context)
{
    return ((struct mute *)context)->n_asked > 0;
}

static void a_restarted_server_does_not_know_the_goal(void **state)
{
    struct pair p = {0};
    struct goal goal, timed;
    struct mute mute;
    (void)state;
    harness_open(&p.h);
    make_client(&p);
    mute_open(&mute, p.h.node);
    harness_wait(&p.h, is_ready, &p, "the server is there");
    send(&p, &goal, 5);
    harness_wait(&p.h, was_asked, &mute, "the result is asked for");
    // a time-out of its own comes although another goal waits for ever
    assert_int_equal(try_send(&p, &timed, 5, TN_NS_PER_S / 5), TN_OK);
    harness_wait(&p.h, has_result, &timed, "the time-out");
    assert_int_equal(timed.outcome.code, TN_ERR_TIMEOUT);
    assert_int_equal(goal.n_results, 0);
    mute_close(&mute);
    harness_wait(&p.h, is_unready, &p, "the server is gone");
    assert_int_equal(goal.n_results, 0);
    fibonacci_open(&p.f, &p.h, defaults);
    harness_wait(&p.h, has_result, &goal, "the new server is asked");
    assert_int_equal(goal.outcome.code, TN_ERR_NOT_FOUND);
    assert_int_equal(goal.n_results, 1);
    close(&p);
}

static void forgotten_goals_are_silent(void **state)
{
    struct pair p;
    struct goal asked, running, last;
    (void)state;
    open(&p, defaults);
    // before its answer
    assert_int_equal(try_send(&p, &asked, 5, INT64_MAX), TN_OK);
    assert_int_equal(tn_ros_action_forget(p.client, &asked.id), TN_OK);
    assert_int_equal(tn_ros_action_forget(p.client, &asked.id), TN_ERR_NOT_FOUND);
    // and while it runs
    send(&p, &running, 20);
    assert_int_equal(tn_ros_action_forget(p.client, &running.id), TN_OK);
    uint32_t n_feedback = running.n_feedback;
    send(&p, &last, 46);
    harness_wait(&p.h, has_result, &last, "a later goal ends");
    assert_int_equal(asked.n_responses + asked.n_results, 0);
    assert_int_equal(running.n_results, 0);
    assert_int_equal(running.n_feedback, n_feedback);
    assert_int_equal(p.f.n_accepted, 3);
    close(&p);
}

/// Forgets the goal in the answer to it.
struct forgetful {
    struct pair *pair;
    bool is_done;
};

static void forget_in_answer(void *context, const struct tn_ros_goal_id *id,
                             enum tn_ros_goal_response response)
{
    struct forgetful *f = context;
    assert_int_equal(response, TN_ROS_GOAL_WAS_ACCEPTED);
    assert_int_equal(tn_ros_action_forget(f->pair->client, id), TN_OK);
    f->is_done = true;
}

static bool has_forgotten(void *context)
{
    return ((struct forgetful *)context)->is_done;
}

static void on_asked(void *context, const void *response)
{
    assert_non_null(response);
    *(bool *)context = true;
}

static bool is_set(void *context)
{
    return *(bool *)context;
}

/// The second goal's call and the second question for a result have the same number.
static void forgetting_in_the_answer_touches_no_other_call(void **state)
{
    struct pair p;
    struct goal running;
    bool is_answered = false;
    (void)state;
    open(&p, defaults);
    send(&p, &running, 20);
    struct tn_ros_call_options ask = {
        .timeout_ns = 30 * TN_NS_PER_S, .on_response = on_asked, .context = &is_answered};
    assert_int_equal(tn_ros_action_get_result(p.client, &running.id, &ask), TN_OK);
    struct forgetful f = {.pair = &p};
    struct example_interfaces_action_Fibonacci_Goal message = {.order = 5};
    struct tn_ros_action_goal_options options = {.on_response = forget_in_answer,
                                                 .context = &f,
                                                 .response_timeout_ns = 20 * TN_NS_PER_S,
                                                 .result_timeout_ns = INT64_MAX};
    assert_int_equal(tn_ros_action_send_goal(p.client, &message, &options, NULL), TN_OK);
    harness_wait(&p.h, has_forgotten, &f, "the second goal's answer");
    harness_wait(&p.h, has_result, &running, "the first goal's end");
    harness_wait(&p.h, is_set, &is_answered, "the result that was asked for once more");
    close(&p);
}

static void a_client_has_so_many_goals(void **state)
{
    struct pair p;
    static struct goal goals[TN_ROS_ACTION_CLIENT_GOALS + 1];
    (void)state;
    open(&p, defaults);
    for (uint32_t i = 0; i < TN_ROS_ACTION_CLIENT_GOALS; i++)
        assert_int_equal(try_send(&p, &goals[i], 100, INT64_MAX), TN_OK);
    assert_int_equal(try_send(&p, &goals[TN_ROS_ACTION_CLIENT_GOALS], 5, INT64_MAX), TN_ERR_LIMIT);
    for (uint32_t i = 0; i < TN_ROS_ACTION_CLIENT_GOALS; i++)
        harness_wait(&p.h, has_response, &goals[i], "an answer");
    struct tn_ros_action_cancel_options all = {.timeout_ns = 20 * TN_NS_PER_S};
    assert_int_equal(tn_ros_action_cancel(p.client, &all), TN_OK);
    for (uint32_t i = 0; i < TN_ROS_ACTION_CLIENT_GOALS; i++) {
        harness_wait(&p.h, has_result, &goals[i], "the end");
        assert_int_equal(goals[i].outcome.state, TN_ROS_GOAL_CANCELED);
    }
    assert_int_equal(tn_ros_action_client_n_open(p.client), 0);
    close(&p);
}

/// More goals than the server keeps, one after another: old results make room.
static void many_goals_one_after_another(void **state)
{
    struct pair p;
    struct tn_ros_action_server_stats stats;
    (void)state;
    open(&p, (struct tn_ros_action_server_options){.max_goals = 3});
    for (int i = 0; i < 100; i++) {
        struct goal goal;
        assert_int_equal(try_send(&p, &goal, 1, 20 * TN_NS_PER_S), TN_OK);
        harness_wait(&p.h, has_result, &goal, "the result");
        assert_int_equal(goal.outcome.code, TN_OK);
        assert_int_equal(goal.n_numbers, 1);
    }
    tn_ros_action_server_get_stats(p.f.server, &stats);
    assert_int_equal(stats.n_accepted, 100);
    assert_int_equal(stats.n_lost, 0);
    close(&p);
}

static void garbage_is_dropped(void **state)
{
    struct pair p;
    struct goal goal;
    struct tn_error err = {0};
    struct tn_ros_publisher *feedback = NULL, *status = NULL;
    uint64_t random = 7;
    (void)state;
    open(&p, defaults);
    assert_int_equal(tn_ros_publisher_create(p.h.node, TYPE->feedback_message,
                                             "/fibonacci/_action/feedback", tn_ros_qos_default(10),
                                             &feedback, &err),
                     TN_OK);
    assert_int_equal(tn_ros_publisher_create(p.h.node, &action_msgs_msg_GoalStatusArray_type,
                                             "/fibonacci/_action/status", tn_ros_qos_latched(1),
                                             &status, &err),
                     TN_OK);
    send(&p, &goal, 100);
    for (int i = 0; i < 2000; i++) {
        uint8_t bytes[80] = {0, 1, 0, 0};
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        size_t size = 4 + (random >> 40) % 70;
        for (size_t k = 4; k < size; k++)
            bytes[k] = (uint8_t)(random >> (k % 8 * 8));
        // feedback of a goal that is known, with a length that is not
        if (i % 2 == 0)
            memcpy(bytes + 4, &goal.id, sizeof goal.id);
        (void)tn_ros_publish_cdr(feedback, bytes, size);
        // a status list with many goals, or the goal in states that there are not
        memset(bytes + 4, 0, 4);
        bytes[4] = (uint8_t)(i % 3);
        memcpy(bytes + 8, &goal.id, sizeof goal.id);
        (void)tn_ros_publish_cdr(status, bytes, size);
        (void)tn_loop_run_once(p.h.loop, 0);
    }
    harness_run(&p.h, TN_NS_PER_S / 5);
    // the goal is the server's alone
    assert_int_equal(tn_ros_action_state(p.f.server, &goal.id), TN_ROS_GOAL_EXECUTING);
    assert_int_equal(goal.n_results, 0);
    struct tn_ros_action_cancel_options one = {.id = goal.id, .timeout_ns = 20 * TN_NS_PER_S};
    assert_int_equal(tn_ros_action_cancel(p.client, &one), TN_OK);
    harness_wait(&p.h, has_result, &goal, "the end");
    assert_int_equal(goal.outcome.state, TN_ROS_GOAL_CANCELED);
    close(&p);
}

#define N_LARGE 300000

static void on_large(void *context, const void *response)
{
    const struct example_interfaces_action_Fibonacci_GetResult_Response *r = response;
    uint32_t *n = context;
    assert_non_null(r);
    assert_int_equal(r->status, TN_ROS_GOAL_SUCCEEDED);
    *n = r->result.sequence.size;
    assert_int_equal(r->result.sequence.data[*n - 1], 7);
}

static bool has_large(void *context)
{
    return *(uint32_t *)context > 0;
}

/// A result larger than the arena of the server's node goes out at the end and later.
static void a_large_result_is_kept(void **state)
{
    static int32_t numbers[N_LARGE];
    struct pair p;
    struct goal goal;
    struct tn_error err = {0};
    struct tn_ros_node *node = NULL;
    struct tn_ros_node_options node_options = {.name = "roomy", .arena_size = 8u << 20};
    uint32_t n_early = 0, n_late = 0;
    (void)state;
    open(&p, defaults);
    tn_ros_action_client_destroy(&p.client);
    assert_int_equal(tn_ros_node_create(p.h.context, &node_options, &node, &err), TN_OK);
    struct tn_ros_action_client_options options = {.on_ready = on_ready, .context = &p};
    p.n_ready = p.n_unready = 0;
    assert_int_equal(
        tn_ros_action_client_create(node, TYPE, "/fibonacci", &options, &p.client, &err), TN_OK);
    harness_wait(&p.h, is_ready, &p, "the server is there");
    send(&p, &goal, 100);
    struct tn_ros_call_options call = {
        .timeout_ns = 20 * TN_NS_PER_S, .on_response = on_large, .context = &n_early};
    assert_int_equal(tn_ros_action_get_result(p.client, &goal.id, &call), TN_OK);
    harness_run(&p.h, TN_NS_PER_S / 10);
    struct example_interfaces_action_Fibonacci_Result result;
    numbers[N_LARGE - 1] = 7;
    result.sequence.data = numbers;
    result.sequence.size = N_LARGE;
    assert_int_equal(tn_ros_action_succeed(p.f.server, &goal.id, &result), TN_OK);
    harness_wait(&p.h, has_result, &goal, "the result");
    assert_int_equal(goal.n_numbers, N_LARGE);
    harness_wait(&p.h, has_large, &n_early, "the result for who waits too");
    call.context = &n_late;
    assert_int_equal(tn_ros_action_get_result(p.client, &goal.id, &call), TN_OK);
    harness_wait(&p.h, has_large, &n_late, "the result for who comes late");
    assert_int_equal(n_late, N_LARGE);
    tn_ros_action_client_destroy(&p.client);
    tn_ros_node_destroy(&node);
    close(&p);
}

static enum tn_result no_random(void *context, void *out, size_t size)
{
    bool *is_there = context;
    memset(out, 0xff, size);
    return *is_there ? TN_OK : TN_ERR_IO;
}

static void ids_come_from_the_source_that_was_given(void **state)
{
    struct pair p;
    struct goal goal, same;
    struct tn_error err = {0};
    bool is_there = false;
    struct tn_ros_action_client_options options = {
        .on_ready = on_ready, .context = &p, .random = no_random, .random_context = &is_there};
    (void)state;
    open(&p, defaults);
    tn_ros_action_client_destroy(&p.client);
    p.n_ready = p.n_unready = 0;
    assert_int_equal(
        tn_ros_action_client_create(p.h.node, TYPE, "/fibonacci", &options, &p.client, &err),
        TN_OK);
    harness_wait(&p.h, is_ready, &p, "the server is there");
    assert_int_equal(try_send(&p, &goal, 5, INT64_MAX), TN_ERR_IO);
    is_there = true;
    send(&p, &goal, 100);
    assert_int_equal(goal.response, TN_ROS_GOAL_WAS_ACCEPTED);
    // a random UUID says so
    assert_int_equal(goal.id.uuid[6], 0x4f);
    assert_int_equal(goal.id.uuid[8], 0xbf);
    assert_int_equal(goal.id.uuid[0], 0xff);
    assert_int_equal(try_send(&p, &same, 5, INT64_MAX), TN_ERR_EXISTS);
    close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misuse_is_refused_and_changes_nothing),
        cmocka_unit_test(wrong_options_and_types_are_refused),
        cmocka_unit_test(a_server_that_goes_says_so),
        cmocka_unit_test(a_restarted_server_does_not_know_the_goal),
        cmocka_unit_test(forgotten_goals_are_silent),
        cmocka_unit_test(forgetting_in_the_answer_touches_no_other_call),
        cmocka_unit_test(a_client_has_so_many_goals),
        cmocka_unit_test(many_goals_one_after_another),
        cmocka_unit_test(garbage_is_dropped),
        cmocka_unit_test(a_large_result_is_kept),
        cmocka_unit_test(ids_come_from_the_source_that_was_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
