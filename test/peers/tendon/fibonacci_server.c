// SPDX-License-Identifier: Apache-2.0
// A Fibonacci action server as a user would write one: "/fibonacci" of example_interfaces, one step
// of every goal each 50 ms. Also what the tests of the command line ask.
//
//     fibonacci_server [--ros-args …]
//
// order < 0 is rejected, order > 46 is aborted at once (int32 ends there).
#include <stdio.h>
#include <stdlib.h>

#include "base/loop.h"
#include "ros/action_server.h"
#include "ros/context.h"
#include "tn_msgs/example_interfaces.h"

#define STEP_NS     (50 * TN_NS_PER_MS)
#define WORKS_MAX   64
#define NUMBERS_MAX 47 ///< the 47th is the last that fits int32

struct work {
    struct tn_ros_goal_id id;
    int32_t numbers[NUMBERS_MAX];
    uint32_t n, n_wanted;
};

struct server {
    struct tn_ros_action_server *action;
    struct work works[WORKS_MAX];
    uint32_t n_works;
};

static enum tn_ros_goal_answer on_goal(void *context, const struct tn_ros_goal_id *id,
                                       const void *goal)
{
    const struct example_interfaces_action_Fibonacci_Goal *g = goal;
    (void)context;
    (void)id;
    return g->order < 0 ? TN_ROS_GOAL_REJECT : TN_ROS_GOAL_ACCEPT;
}

static void on_accepted(void *context, const struct tn_ros_goal_id *id, const void *goal)
{
    struct server *server = context;
    const struct example_interfaces_action_Fibonacci_Goal *g = goal;
    if (g->order >= NUMBERS_MAX || server->n_works == WORKS_MAX) {
        (void)tn_ros_action_abort(server->action, id, NULL);
        return;
    }
    server->works[server->n_works++] =
        (struct work){.id = *id, .numbers = {0, 1}, .n = 1, .n_wanted = (uint32_t)g->order + 1};
}

static bool on_cancel(void *context, const struct tn_ros_goal_id *id)
{
    (void)context;
    (void)id;
    return true;
}

/// One step of one goal. @return whether it has come to its end.
static bool advance(struct server *server, struct work *work)
{
    struct example_interfaces_action_Fibonacci_Feedback feedback;
    struct example_interfaces_action_Fibonacci_Result result;
    example_interfaces_action_Fibonacci_Result_init(&result);
    result.sequence.data = work->numbers;
    result.sequence.size = work->n;
    if (tn_ros_action_state(server->action, &work->id) == TN_ROS_GOAL_CANCELING)
        return tn_ros_action_canceled(server->action, &work->id, &result) == TN_OK;
    if (work->n >= work->n_wanted)
        return tn_ros_action_succeed(server->action, &work->id, &result) == TN_OK;
    if (work->n >= 2)
        work->numbers[work->n] = work->numbers[work->n - 1] + work->numbers[work->n - 2];
    work->n++;
    example_interfaces_action_Fibonacci_Feedback_init(&feedback);
    feedback.sequence.data = work->numbers;
    feedback.sequence.size = work->n;
    (void)tn_ros_action_feedback(server->action, &work->id, &feedback);
    return false;
}

static void on_step(void *context)
{
    struct server *server = context;
    for (uint32_t i = 0; i < server->n_works;) {
        if (advance(server, &server->works[i]))
            server->works[i] = server->works[--server->n_works];
        else
            i++;
    }
}

static enum tn_result serve(struct tn_loop *loop, struct tn_ros_context *context,
                            struct tn_error *err)
{
    struct server server = {0};
    struct tn_ros_node *node = NULL;
    struct tn_loop_timer timer = {0};
    struct tn_ros_node_options node_options = {.name = "fibonacci_server"};
    struct tn_ros_action_server_options options = {
        .on_goal = on_goal, .on_accepted = on_accepted, .on_cancel = on_cancel, .context = &server};
    enum tn_result result = tn_ros_node_create(context, &node_options, &node, err);
    if (result == TN_OK)
        result = tn_ros_action_server_create(node, &example_interfaces_action_Fibonacci_type,
                                             "fibonacci", &options, &server.action, err);
    if (result == TN_OK) {
        tn_loop_timer_start(loop, &timer, STEP_NS, STEP_NS, on_step, &server);
        (void)printf("ready\n");
        (void)fflush(stdout);
        result = tn_loop_run(loop);
    }
    tn_loop_timer_stop(&timer);
    tn_ros_node_destroy(&node);
    return result;
}

int main(int argc, char **argv)
{
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    struct tn_error err = {0};
    enum tn_result result = tn_loop_create(tn_clock_system(), &loop, &err);
    if (result == TN_OK)
        result = tn_loop_handle_signals(loop);
    if (result == TN_OK)
        result = tn_ros_context_create(loop, argc, (const char *const *)argv, &context, &err);
    if (result == TN_OK)
        result = serve(loop, context, &err);
    if (result != TN_OK)
        (void)fprintf(stderr, "fibonacci_server: %s\n", err.text);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
    return result == TN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
