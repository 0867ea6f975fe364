// SPDX-License-Identifier: Apache-2.0
#include "wire/ros/actions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define STEP_NS (10 * TN_NS_PER_MS)

static enum tn_ros_goal_answer on_goal(void *context, const struct tn_ros_goal_id *id,
                                       const void *goal)
{
    struct fibonacci *f = context;
    const struct example_interfaces_action_Fibonacci_Goal *g = goal;
    (void)id;
    f->n_asked++;
    if (g->order < 0)
        return TN_ROS_GOAL_REJECT;
    return g->order == 104 ? TN_ROS_GOAL_ACCEPT_DEFER : TN_ROS_GOAL_ACCEPT;
}

static void on_accepted(void *context, const struct tn_ros_goal_id *id, const void *goal)
{
    struct fibonacci *f = context;
    const struct example_interfaces_action_Fibonacci_Goal *g = goal;
    f->n_accepted++;
    for (uint32_t i = 0; i < WORKS_MAX; i++)
        if (!f->works[i].is_used) {
            f->works[i] = (struct work){
                .id = *id, .order = g->order, .numbers = {0, 1}, .n = 2, .is_used = true};
            return;
        }
    fail_msg("more goals at a time than the server allows");
}

static bool on_cancel(void *context, const struct tn_ros_goal_id *id)
{
    struct fibonacci *f = context;
    for (uint32_t i = 0; i < WORKS_MAX; i++)
        if (f->works[i].is_used && tn_ros_goal_id_equal(&f->works[i].id, id))
            return f->works[i].order != 101;
    return false;
}

static void on_canceling(void *context, const struct tn_ros_goal_id *id)
{
    struct fibonacci *f = context;
    assert_int_equal(tn_ros_action_state(f->server, id), TN_ROS_GOAL_CANCELING);
    f->n_canceling++;
}

static void end(struct fibonacci *f, struct work *work,
                enum tn_result (*how)(struct tn_ros_action_server *, const struct tn_ros_goal_id *,
                                      const void *))
{
    struct example_interfaces_action_Fibonacci_Result result;
    example_interfaces_action_Fibonacci_Result_init(&result);
    result.sequence.data = work->numbers;
    result.sequence.size = work->n;
    work->is_used = false;
    assert_int_equal(how(f->server, &work->id, &result), TN_OK);
}

static void advance(struct fibonacci *f, struct work *work)
{
    struct example_interfaces_action_Fibonacci_Feedback feedback;
    enum tn_ros_goal_state state = tn_ros_action_state(f->server, &work->id);
    if (state == TN_ROS_GOAL_CANCELING) {
        end(f, work, work->order == 103 ? tn_ros_action_succeed : tn_ros_action_canceled);
    } else if (state == TN_ROS_GOAL_EXECUTING && work->order == 102) {
        end(f, work, tn_ros_action_abort);
    } else if (state == TN_ROS_GOAL_EXECUTING && work->order <= NUMBERS_MAX &&
               (int32_t)work->n >= work->order) {
        work->n = (uint32_t)work->order;
        end(f, work, tn_ros_action_succeed);
    } else if (state == TN_ROS_GOAL_EXECUTING) {
        if (work->order <= NUMBERS_MAX) {
            work->numbers[work->n] = work->numbers[work->n - 1] + work->numbers[work->n - 2];
            work->n++;
        }
        example_interfaces_action_Fibonacci_Feedback_init(&feedback);
        feedback.sequence.data = work->numbers;
        feedback.sequence.size = work->n;
        assert_int_equal(tn_ros_action_feedback(f->server, &work->id, &feedback), TN_OK);
    } else if (state != TN_ROS_GOAL_ACCEPTED) {
        // someone else ended it
        work->is_used = false;
    }
}

static void on_step(void *context)
{
    struct fibonacci *f = context;
    for (uint32_t i = 0; i < WORKS_MAX; i++)
        if (f->works[i].is_used)
            advance(f, &f->works[i]);
}

void fibonacci_open(struct fibonacci *f, struct harness *h,
                    struct tn_ros_action_server_options options)
{
    struct tn_error err = {0};
    memset(f, 0, sizeof *f);
    f->loop = h->loop;
    options.context = f;
    options.on_goal = on_goal;
    options.on_accepted = on_accepted;
    options.on_cancel = on_cancel;
    options.on_canceling = on_canceling;
    if (tn_ros_action_server_create(h->node, &example_interfaces_action_Fibonacci_type,
                                    "/fibonacci", &options, &f->server, &err) != TN_OK)
        fail_msg("%s", err.text);
    tn_loop_timer_start(h->loop, &f->timer, STEP_NS, STEP_NS, on_step, f);
}

void fibonacci_close(struct fibonacci *f)
{
    tn_loop_timer_stop(&f->timer);
    tn_ros_action_server_destroy(&f->server);
}
