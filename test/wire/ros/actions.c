// SPDX-License-Identifier: Apache-2.0
// Actions against a stranger, both ways: argv[1] is the peer program, argv[2] which side of
// ours is judged: server, client, or loss (both).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/ros/actions.h"

static const char *program;

static void start_client(struct harness *h, struct peer *peer, const char *const *commands)
{
    const char *argv[24] = {program, "0", "client"};
    uint32_t n = 3;
    while (*commands != NULL)
        argv[n++] = *commands++;
    argv[n] = NULL;
    peer_start(h, peer, argv);
}
#define CLIENT(h, peer, ...) start_client(h, peer, (const char *const[]){__VA_ARGS__, NULL})

static void expect(const struct peer *peer, const char *line)
{
    if (peer_count(peer, line) != 1)
        for (uint32_t i = 0; i < peer->n_lines; i++)
            print_message("%s\n", peer->lines[i]);
    assert_int_equal(peer_count(peer, line), 1);
}

// a server is closed before its clients: what a killed one does not acknowledge keeps the writers
// waiting
static const struct tn_ros_action_server_options defaults;

// ---- our server ----

static void goal_runs_and_its_result_comes(void **state)
{
    struct harness h;
    struct fibonacci f;
    struct peer peer;
    (void)state;
    harness_open(&h);
    fibonacci_open(&f, &h, defaults);
    // once asked before the end, once after it
    CLIENT(&h, &peer, "goal:1:20", "ask:1", "await:1", "result:1", "goal:2:102", "result:2");
    harness_wait_lines(&h, &peer, "done", 1);
    expect(&peer, "goal 1 accepted");
    assert_int_equal(peer_count(&peer, "result 1 4 20 4181"), 2);
    assert_true(peer_count(&peer, "feedback 1 ") > 0);
    expect(&peer, "result 2 6 2 1");
    harness_wait_lines(&h, &peer, "status 1 4", 1);
    harness_wait_lines(&h, &peer, "status 2 6", 1);
    fibonacci_close(&f);
    peer_stop(&peer);
    harness_close(&h);
}

static void rejected_and_unknown_goals_are_told_so(void **state)
{
    struct harness h;
    struct fibonacci f;
    struct peer peer;
    (void)state;
    harness_open(&h);
    fibonacci_open(&f, &h, defaults);
    CLIENT(&h, &peer, "goal:1:4294967295", "result:1", "cancel:1:0", "goal:2:100", "goal:2:100");
    harness_wait_lines(&h, &peer, "done", 1);
    expect(&peer, "goal 1 rejected");
    expect(&peer, "result 1 0 0 -1");
    expect(&peer, "cancel 2 0");
    // an id that is known already
    expect(&peer, "goal 2 accepted");
    expect(&peer, "goal 2 rejected");
    struct tn_ros_action_server_stats stats;
    tn_ros_action_server_get_stats(f.server, &stats);
    assert_int_equal(stats.n_rejected, 1);
    assert_int_equal(stats.n_duplicate, 1);
    assert_int_equal(stats.n_accepted, 1);
    assert_int_equal(f.n_asked, 2);
    fibonacci_close(&f);
    peer_stop(&peer);
    harness_close(&h);
}

static void cancel_has_each_of_its_codes(void **state)
{
    struct harness h;
    struct fibonacci f;
    struct peer peer;
    (void)state;
    harness_open(&h);
    fibonacci_open(&f, &h, defaults);
    CLIENT(&h, &peer, "goal:1:100", "fed:1", "cancel:1:0", "result:1", "cancel:1:0", "cancel:9:0",
           "goal:2:101", "cancel:2:0", "goal:3:103", "cancel:3:0", "result:3", "cancel:0:1",
           "goal:4:100", "goal:5:104", "cancel:0:0", "result:4", "result:5");
    harness_wait_lines(&h, &peer, "done", 1);
    static const char *const expected[] = {
        "cancel 0 1",     // goal 1
        "result 1 5 2 1", //
        "cancel 3 0",     // it has ended
        "cancel 2 0",     // no such goal
        "cancel 1 0",     // refused
        "cancel 0 1",     // goal 3, which is ready all the same
        "result 3 4 2 1", //
        "cancel 0 0",     // nothing is as old as that
        "cancel 0 2",     // all that may be: not goal 2
        "result 4 5 2 1", "result 5 5 2 1",
    };
    uint32_t n = 0;
    for (uint32_t i = 0; i < peer.n_lines; i++)
        if (strncmp(peer.lines[i], "cancel", 6) == 0 || strncmp(peer.lines[i], "result", 6) == 0)
            assert_string_equal(peer.lines[i], expected[n++]);
    assert_int_equal(n, TN_ARRAY_SIZE(expected));
    expect(&peer, "fed 1 yes");
    assert_int_equal(f.n_canceling, 4);
    fibonacci_close(&f);
    peer_stop(&peer);
    harness_close(&h);
}

static bool has_no_goals(void *context)
{
    struct fibonacci *f = context;
    struct tn_ros_goal_id id;
    memset(&id, 0xA0, sizeof id);
    id.uuid[14] = 0;
    id.uuid[15] = 1;
    return tn_ros_action_state(f->server, &id) == TN_ROS_GOAL_UNKNOWN;
}

static void results_are_kept_for_a_while(void **state)
{
    struct harness h;
    struct fibonacci f;
    struct peer first, late, too_late;
    (void)state;
    harness_open(&h);
    fibonacci_open(&f, &h,
                   (struct tn_ros_action_server_options){.result_timeout_ns = TN_NS_PER_S * 3});
    CLIENT(&h, &first, "goal:1:5", "seen:1:4");
    harness_wait_lines(&h, &first, "seen 1 yes", 1);
    // a client that comes late has the status, which is latched, and the result of another's goal
    CLIENT(&h, &late, "seen:1:4", "result:1");
    harness_wait_lines(&h, &late, "done", 1);
    expect(&late, "seen 1 yes");
    expect(&late, "result 1 4 5 3");
    harness_wait(&h, has_no_goals, &f, "the result expires");
    CLIENT(&h, &too_late, "result:1");
    harness_wait_lines(&h, &too_late, "done", 1);
    expect(&too_late, "result 1 0 0 -1");
    fibonacci_close(&f);
    peer_stop(&first);
    peer_stop(&late);
    peer_stop(&too_late);
    harness_close(&h);
}

static void two_clients_do_not_disturb_each_other(void **state)
{
    struct harness h;
    struct fibonacci f;
    struct peer a, b;
    (void)state;
    harness_open(&h);
    fibonacci_open(&f, &h, defaults);
    CLIENT(&h, &a, "goal:1:100", "ask:1", "goal:3:20", "result:3", "await:1");
    CLIENT(&h, &b, "goal:2:30", "result:2", "seen:1:2", "cancel:1:0", "result:1");
    harness_wait_lines(&h, &a, "done", 1);
    harness_wait_lines(&h, &b, "done", 1);
    expect(&a, "result 3 4 20 4181");
    expect(&b, "result 2 4 30 514229");
    // one cancels what the other began, and both have the result
    expect(&b, "cancel 0 1");
    expect(&a, "result 1 5 2 1");
    expect(&b, "result 1 5 2 1");
    fibonacci_close(&f);
    peer_stop(&a);
    peer_stop(&b);
    harness_close(&h);
}

static bool is_idle(void *context)
{
    return tn_ros_action_n_active(((struct fibonacci *)context)->server) == 0;
}

static void a_client_that_vanishes_leaves_its_goal(void **state)
{
    struct harness h;
    struct fibonacci f;
    struct peer gone, peer;
    (void)state;
    harness_open(&h);
    fibonacci_open(&f, &h, defaults);
    CLIENT(&h, &gone, "goal:1:30", "ask:1", "goal:2:100", "ask:2", "vanish");
    harness_wait_lines(&h, &gone, "goal 2 accepted", 1);
    CLIENT(&h, &peer, "result:1", "cancel:2:0", "result:2", "goal:3:5", "result:3");
    harness_wait_lines(&h, &peer, "done", 1);
    expect(&peer, "result 1 4 30 514229");
    expect(&peer, "result 2 5 2 1");
    expect(&peer, "result 3 4 5 3");
    harness_wait(&h, is_idle, &f, "every goal ends");
    fibonacci_close(&f);
    peer_stop(&gone);
    peer_stop(&peer);
    harness_close(&h);
}

static void a_server_that_goes_aborts_its_goals(void **state)
{
    struct harness h;
    struct fibonacci f;
    struct peer peer;
    (void)state;
    harness_open(&h);
    fibonacci_open(&f, &h, defaults);
    // when the result of goal 3 is there, both requests before it wait
    CLIENT(&h, &peer, "goal:1:100", "goal:2:104", "ask:1", "ask:2", "goal:3:5", "result:3",
           "await:1", "await:2");
    harness_wait_lines(&h, &peer, "result 3 4 5 3", 1);
    tn_loop_timer_stop(&f.timer);
    tn_ros_action_server_destroy(&f.server);
    assert_null(f.server);
    harness_wait_lines(&h, &peer, "done", 1);
    expect(&peer, "result 1 6 0 -1");
    expect(&peer, "result 2 6 0 -1");
    peer_stop(&peer);
    harness_close(&h);
}

static void floods_are_bounded(void **state)
{
    struct harness h;
    struct fibonacci f;
    struct peer good, bad;
    struct tn_ros_action_server_stats stats;
    (void)state;
    harness_open(&h);
    fibonacci_open(&f, &h, (struct tn_ros_action_server_options){.max_goals = 4});
    // its request waits before the flood comes
    CLIENT(&h, &good, "goal:1:100", "ask:1", "goal:2:5", "result:2", "await:1");
    harness_wait_lines(&h, &good, "result 2 4 5 3", 1);
    CLIENT(&h, &bad, "goals:100:60", "flood:1:300", "cancel:1:0", "result:1", "goals:100:3");
    harness_wait_lines(&h, &bad, "done", 1);
    harness_wait_lines(&h, &good, "done", 1);
    expect(&bad, "goals 3 57");
    expect(&bad, "cancel 0 1");
    expect(&bad, "result 1 5 2 1");
    expect(&good, "result 1 5 2 1");
    tn_ros_action_server_get_stats(f.server, &stats);
    assert_true(stats.n_waiters_dropped > 0);
    assert_true(stats.n_full >= 57);
    assert_int_equal(stats.n_accepted, f.n_accepted);
    fibonacci_close(&f);
    peer_stop(&good);
    peer_stop(&bad);
    harness_close(&h);
}

static void loss_does_not_lose_a_goal(void **state)
{
    struct harness h;
    struct fibonacci f;
    struct peer peer;
    (void)state;
    harness_open(&h);
    fibonacci_open(&f, &h, defaults);
    CLIENT(&h, &peer, "rounds:5");
    harness_wait_lines(&h, &peer, "warm", 1);
    harness_wait_lines(&h, &peer, "done", 1);
    expect(&peer, "rounds 5");
    fibonacci_close(&f);
    peer_stop(&peer);
    harness_close(&h);
}

// ---- our client ----

struct goal {
    struct tn_ros_goal_id id;
    uint32_t n_responses, n_feedback, n_status, n_results;
    enum tn_ros_goal_response response;
    enum tn_ros_goal_state last_status;
    struct tn_ros_goal_outcome outcome;
    uint32_t n_numbers;
    int32_t last_number;
    uint32_t n_cancels;
    bool is_answered; ///< the cancel request
    int8_t code;
    uint32_t n_canceling;
};

struct asker {
    struct harness h;
    struct peer peer;
    struct tn_ros_action_client *client;
};

static void on_response(void *context, const struct tn_ros_goal_id *id,
                        enum tn_ros_goal_response response)
{
    struct goal *goal = context;
    assert_true(tn_ros_goal_id_equal(id, &goal->id));
    assert_int_equal(goal->n_results, 0);
    goal->n_responses++;
    goal->response = response;
}

static void on_feedback(void *context, const struct tn_ros_goal_id *id, const void *feedback)
{
    struct goal *goal = context;
    const struct example_interfaces_action_Fibonacci_Feedback *f = feedback;
    assert_true(tn_ros_goal_id_equal(id, &goal->id));
    assert_true(f->sequence.size >= 2);
    assert_int_equal(f->sequence.data[1], 1);
    goal->n_feedback++;
}

static void on_status(void *context, const struct tn_ros_goal_id *id, enum tn_ros_goal_state state)
{
    struct goal *goal = context;
    assert_true(tn_ros_goal_id_equal(id, &goal->id));
    assert_true(state > goal->last_status);
    goal->n_status++;
    goal->last_status = state;
}

static void on_result(void *context, const struct tn_ros_goal_id *id,
                      const struct tn_ros_goal_outcome *outcome)
{
    struct goal *goal = context;
    const struct example_interfaces_action_Fibonacci_Result *r = outcome->result;
    assert_true(tn_ros_goal_id_equal(id, &goal->id));
    goal->n_results++;
    goal->outcome = *outcome;
    if (r != NULL && r->sequence.size > 0) {
        goal->n_numbers = r->sequence.size;
        goal->last_number = r->sequence.data[r->sequence.size - 1];
    }
}

static void on_canceled(void *context, const void *response)
{
    struct goal *goal = context;
    const struct action_msgs_srv_CancelGoal_Response *r = response;
    goal->n_cancels++;
    goal->is_answered = r != NULL;
    if (r != NULL) {
        goal->code = r->return_code;
        goal->n_canceling = r->goals_canceling.size;
    }
}

static bool client_is_ready(void *context)
{
    return tn_ros_action_client_is_ready(context);
}

static void asker_open(struct asker *a)
{
    struct tn_error err = {0};
    harness_open(&a->h);
    if (tn_ros_action_client_create(a->h.node, &example_interfaces_action_Fibonacci_type,
                                    "/fibonacci", NULL, &a->client, &err) != TN_OK)
        fail_msg("%s", err.text);
    peer_start(&a->h, &a->peer, (const char *const[]){program, "0", "server", NULL});
    harness_wait(&a->h, client_is_ready, a->client, "the server is complete");
}

static void asker_close(struct asker *a)
{
    peer_stop(&a->peer);
    tn_ros_action_client_destroy(&a->client);
    harness_close(&a->h);
}

static void send(struct asker *a, struct goal *goal, int32_t order, int64_t result_timeout_ns)
{
    struct example_interfaces_action_Fibonacci_Goal message = {.order = order};
    struct tn_ros_action_goal_options options = {.on_response = on_response,
                                                 .on_feedback = on_feedback,
                                                 .on_status = on_status,
                                                 .on_result = on_result,
                                                 .context = goal,
                                                 .response_timeout_ns = 20 * TN_NS_PER_S,
                                                 .result_timeout_ns = result_timeout_ns};
    memset(goal, 0, sizeof *goal);
    assert_int_equal(tn_ros_action_send_goal(a->client, &message, &options, &goal->id), TN_OK);
}

static bool has_response(void *context)
{
    return ((struct goal *)context)->n_responses > 0;
}

static bool has_result(void *context)
{
    return ((struct goal *)context)->n_results > 0;
}

static bool has_cancel(void *context)
{
    return ((struct goal *)context)->n_cancels > 0;
}

static void cancel(struct asker *a, struct goal *goal, const struct tn_ros_goal_id *id,
                   int64_t stamp_ns, int code, uint32_t n)
{
    struct tn_ros_action_cancel_options options = {.stamp_ros_ns = stamp_ns,
                                                   .timeout_ns = 20 * TN_NS_PER_S,
                                                   .on_response = on_canceled,
                                                   .context = goal};
    if (id != NULL)
        options.id = *id;
    goal->n_cancels = 0;
    assert_int_equal(tn_ros_action_cancel(a->client, &options), TN_OK);
    harness_wait(&a->h, has_cancel, goal, "the answer to a cancel request");
    assert_true(goal->is_answered);
    assert_int_equal(goal->code, code);
    assert_int_equal(goal->n_canceling, n);
}

static void strangers_server_does_the_work(void **state)
{
    struct asker a;
    struct goal goal, refused, failing;
    (void)state;
    asker_open(&a);
    send(&a, &goal, 20, INT64_MAX);
    send(&a, &refused, -1, TN_NS_PER_S);
    send(&a, &failing, 102, 60 * TN_NS_PER_S);
    harness_wait(&a.h, has_result, &goal, "the result");
    assert_int_equal(goal.n_responses, 1);
    assert_int_equal(goal.response, TN_ROS_GOAL_WAS_ACCEPTED);
    assert_int_equal(goal.outcome.code, TN_OK);
    assert_int_equal(goal.outcome.state, TN_ROS_GOAL_SUCCEEDED);
    assert_int_equal(goal.n_numbers, 20);
    assert_int_equal(goal.last_number, 4181);
    assert_true(goal.n_feedback > 0);
    harness_wait(&a.h, has_response, &refused, "the refusal");
    assert_int_equal(refused.response, TN_ROS_GOAL_WAS_REJECTED);
    harness_wait(&a.h, has_result, &failing, "the failure");
    assert_int_equal(failing.outcome.state, TN_ROS_GOAL_ABORTED);
    assert_int_equal(tn_ros_action_client_n_open(a.client), 0);
    assert_int_equal(refused.n_results, 0);
    asker_close(&a);
}

static void strangers_server_cancels(void **state)
{
    struct asker a;
    struct goal goal, stubborn, ready, other;
    struct tn_ros_goal_id nobody = {{1}};
    (void)state;
    asker_open(&a);
    send(&a, &goal, 100, INT64_MAX);
    send(&a, &stubborn, 101, INT64_MAX);
    send(&a, &ready, 103, INT64_MAX);
    harness_wait(&a.h, has_response, &goal, "acceptance");
    harness_wait(&a.h, has_response, &stubborn, "acceptance");
    harness_wait(&a.h, has_response, &ready, "acceptance");
    cancel(&a, &goal, &goal.id, 0, TN_ROS_CANCEL_NONE, 1);
    harness_wait(&a.h, has_result, &goal, "the end");
    assert_int_equal(goal.outcome.state, TN_ROS_GOAL_CANCELED);
    cancel(&a, &goal, &goal.id, 0, TN_ROS_CANCEL_GOAL_TERMINATED, 0);
    cancel(&a, &stubborn, &stubborn.id, 0, TN_ROS_CANCEL_REJECTED, 0);
    cancel(&a, &goal, &nobody, 0, TN_ROS_CANCEL_UNKNOWN_GOAL_ID, 0);
    cancel(&a, &ready, &ready.id, 0, TN_ROS_CANCEL_NONE, 1);
    harness_wait(&a.h, has_result, &ready, "the end");
    assert_int_equal(ready.outcome.state, TN_ROS_GOAL_SUCCEEDED);
    send(&a, &other, 100, INT64_MAX);
    harness_wait(&a.h, has_response, &other, "acceptance");
    cancel(&a, &other, NULL, 7 * TN_NS_PER_S, TN_ROS_CANCEL_NONE, 1);
    harness_wait_lines(&a.h, &a.peer, "cancel stamp 7", 1);
    harness_wait(&a.h, has_result, &other, "the end");
    assert_int_equal(other.outcome.state, TN_ROS_GOAL_CANCELED);
    asker_close(&a);
}

/// A process that is killed says nothing: time is over, and the caller is told so.
static void server_that_is_killed_is_a_time_out(void **state)
{
    struct asker a;
    struct goal goal;
    (void)state;
    asker_open(&a);
    send(&a, &goal, 100, 2 * TN_NS_PER_S);
    harness_wait(&a.h, has_response, &goal, "acceptance");
    peer_stop(&a.peer);
    harness_wait(&a.h, has_result, &goal, "the time-out");
    assert_int_equal(goal.n_results, 1);
    assert_int_equal(goal.outcome.code, TN_ERR_TIMEOUT);
    assert_int_equal(goal.outcome.state, TN_ROS_GOAL_UNKNOWN);
    assert_null(goal.outcome.result);
    asker_close(&a);
}

static bool is_over(void *context)
{
    struct goal *goal = context;
    return goal->n_results > 0 ||
           (goal->n_responses > 0 && goal->response != TN_ROS_GOAL_WAS_ACCEPTED);
}

/// One goal with its result. @return whether it succeeded.
static bool do_round(struct asker *a, int64_t timeout_ns)
{
    struct goal goal;
    struct example_interfaces_action_Fibonacci_Goal message = {.order = 3};
    struct tn_ros_action_goal_options options = {.on_response = on_response,
                                                 .on_result = on_result,
                                                 .context = &goal,
                                                 .response_timeout_ns = timeout_ns,
                                                 .result_timeout_ns = timeout_ns};
    memset(&goal, 0, sizeof goal);
    assert_int_equal(tn_ros_action_send_goal(a->client, &message, &options, &goal.id), TN_OK);
    harness_wait(&a->h, is_over, &goal, "the end or a time-out");
    return goal.n_results == 1 && goal.outcome.code == TN_OK && goal.n_numbers == 3;
}

static void loss_does_not_lose_a_result(void **state)
{
    struct asker a;
    bool is_first = true;
    (void)state;
    asker_open(&a);
    // a stranger's server may match our readers late, and what it says before that is lost
    for (int i = 0; i < 10 && is_first; i++)
        is_first = !do_round(&a, 3 * TN_NS_PER_S);
    for (int i = 0; i < 5; i++)
        assert_true(do_round(&a, 15 * TN_NS_PER_S));
    asker_close(&a);
}

int main(int argc, char **argv)
{
    program = argc > 1 ? argv[1] : "";
    const struct CMUnitTest server[] = {
        cmocka_unit_test(goal_runs_and_its_result_comes),
        cmocka_unit_test(rejected_and_unknown_goals_are_told_so),
        cmocka_unit_test(cancel_has_each_of_its_codes),
        cmocka_unit_test(results_are_kept_for_a_while),
        cmocka_unit_test(two_clients_do_not_disturb_each_other),
        cmocka_unit_test(a_client_that_vanishes_leaves_its_goal),
        cmocka_unit_test(a_server_that_goes_aborts_its_goals),
        cmocka_unit_test(floods_are_bounded),
    };
    const struct CMUnitTest client[] = {
        cmocka_unit_test(strangers_server_does_the_work),
        cmocka_unit_test(strangers_server_cancels),
        cmocka_unit_test(server_that_is_killed_is_a_time_out),
    };
    // started under wire/ros/lossy
    const struct CMUnitTest loss[] = {
        cmocka_unit_test(loss_does_not_lose_a_goal),
        cmocka_unit_test(loss_does_not_lose_a_result),
    };
    if (argc > 2 && strcmp(argv[2], "loss") == 0)
        return cmocka_run_group_tests(loss, NULL, NULL);
    if (argc > 2 && strcmp(argv[2], "client") == 0)
        return cmocka_run_group_tests(client, NULL, NULL);
    return cmocka_run_group_tests(server, NULL, NULL);
}
