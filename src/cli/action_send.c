// SPDX-License-Identifier: Apache-2.0
// tendon action send_goal
#include <stdio.h>

#include <tn_msgs/action_msgs.h>

#include "cli/cli__action.h"
#include "cli/cli__command.h"
#include "cli/cli__message.h"
#include "cli/cli__session.h"
#include "ros/action_client.h"

#define FIND_NS     (30 * TN_NS_PER_S)
#define RESPONSE_NS (5 * TN_NS_PER_S)
// so long a cancelled goal may take to end
#define CANCEL_NS (5 * TN_NS_PER_S)

struct goal {
    struct tn_cli_session session;
    struct tn_ros_action_client *client;
    const struct tn_action_type *type;
    struct tn_cli_message message;
    struct tn_ros_goal_id id;
    bool is_accepted, is_done;
    int code;
};

static void print_block(const char *title, const struct tn_type *type, const void *message)
{
    static const struct tn_yaml_style style = {0};
    (void)printf("%s:\n    ", title);
    if (tn_yaml_print(tn_yaml_view_of(type, message), &style, &tn_cli__stdout) != TN_OK) {
        (void)printf("(not enough memory to print it)\n");
    }
    (void)printf("\n");
    (void)fflush(stdout);
}

static void on_goal_response(void *context, const struct tn_ros_goal_id *id,
                             enum tn_ros_goal_response response)
{
    struct goal *goal = context;
    char text[TN_ROS_GOAL_ID_TEXT];
    if (response == TN_ROS_GOAL_WAS_ACCEPTED) {
        goal->is_accepted = true;
        (void)printf("Goal accepted with ID: %s\n\n", tn_ros_goal_id_text(id, text));
        (void)fflush(stdout);
        return;
    }
    goal->is_done = true;
    goal->code = TN_CLI_FAILURE;
    if (response == TN_ROS_GOAL_WAS_REJECTED) {
        (void)printf("Goal was rejected.\n");
    } else {
        tn_cli__complain(goal->session.call, "the server did not answer within %.0f s",
                         tn_ns_to_seconds(RESPONSE_NS));
    }
}

static void on_goal_feedback(void *context, const struct tn_ros_goal_id *id, const void *feedback)
{
    struct goal *goal = context;
    (void)id;
    if (tn_cli__has(goal->session.call, "feedback")) {
        print_block("Feedback", goal->type->feedback, feedback);
    }
}

static void on_goal_result(void *context, const struct tn_ros_goal_id *id,
                           const struct tn_ros_goal_outcome *outcome)
{
    struct goal *goal = context;
    (void)id;
    goal->is_done = true;
    goal->code = TN_CLI_FAILURE;
    if (outcome->code != TN_OK) {
        tn_cli__complain(goal->session.call, "%s",
                         outcome->code == TN_ERR_NOT_FOUND
                             ? "the server does not know the goal any more; was it restarted?"
                             : "there was no result in time; the goal may still run");
        return;
    }
    print_block("Result", goal->type->result, outcome->result);
    (void)printf("Goal finished with status: %s\n", tn_ros_goal_state_name(outcome->state));
    (void)fflush(stdout);
    goal->code = outcome->state == TN_ROS_GOAL_SUCCEEDED ? TN_CLI_OK : TN_CLI_FAILURE;
}

static bool is_done(void *context)
{
    const struct goal *goal = context;
    return goal->is_done;
}

static bool is_ready(void *context)
{
    struct goal *goal = context;
    return tn_ros_action_client_is_ready(goal->client);
}

static bool send(struct goal *goal, double timeout_s)
{
    const struct tn_cli_call *call = goal->session.call;
    struct tn_ros_action_goal_options options = {
        .on_response = on_goal_response,
        .on_feedback = on_goal_feedback,
        .on_result = on_goal_result,
        .context = goal,
        .response_timeout_ns = RESPONSE_NS,
        .result_timeout_ns =
            timeout_s > 0.0 ? (int64_t)(timeout_s * (double)TN_NS_PER_S) : INT64_MAX,
    };
    if (!is_ready(goal)) {
        (void)printf("Waiting for an action server to become available...\n");
        (void)fflush(stdout);
        if (!tn_cli__session_until(&goal->session, is_ready, goal, FIND_NS)) {
            tn_cli__complain(
                call,
                "nobody serves %s with the type %s; `tendon action list -t` shows what is there",
                call->args[0], goal->type->ros_name);
            return false;
        }
    }
    print_block("Sending goal", goal->message.type, goal->message.data);
    enum tn_result result =
        tn_ros_action_send_goal(goal->client, goal->message.data, &options, &goal->id);
    if (result != TN_OK) {
        tn_cli__complain(call, "%s: %s", call->args[0], tn_result_text(result));
    }
    return result == TN_OK;
}

static bool is_answered(void *context)
{
    const struct goal *goal = context;
    return goal->is_accepted || goal->is_done;
}

// runs the loop also after Ctrl-C
static void run_until(struct goal *goal, bool (*condition)(void *context), int64_t most_ns)
{
    int64_t end_ns = tn_ns_add(tn_clock_steady_now_ns(), most_ns);
    while (!condition(goal) && tn_clock_steady_now_ns() < end_ns) {
        (void)tn_loop_run_once(goal->session.loop, 20 * TN_NS_PER_MS);
    }
}

// Ctrl-C: the robot shall not go on with what nobody waits for
static void cancel(struct goal *goal)
{
    struct tn_ros_action_cancel_options options = {.id = goal->id, .timeout_ns = RESPONSE_NS};
    (void)printf("Canceling goal...\n");
    (void)fflush(stdout);
    // the server knows the goal from its answer on: a cancel request that overtakes it is lost
    run_until(goal, is_answered, RESPONSE_NS);
    if (goal->is_done)
        return;
    if (tn_ros_action_cancel(goal->client, &options) != TN_OK) {
        tn_cli__complain(goal->session.call, "the goal could not be canceled; it may still run");
        return;
    }
    run_until(goal, is_done, CANCEL_NS);
    if (!goal->is_done) {
        tn_cli__complain(goal->session.call, "the goal has not ended; it may still run");
    }
}

static bool start(const struct tn_cli_call *call, struct goal *goal)
{
    struct tn_error err = {0};
    goal->type = tn_cli__find_action(call, call->args[1]);
    if (goal->type == NULL || !tn_cli__message_create(call, goal->type->goal, &goal->message) ||
        !tn_cli__message_parse(call, &goal->message, "GOAL", call->args[2],
                               tn_clock_wall_now_ns()) ||
        !tn_cli__session_open(call, &goal->session)) {
        return false;
    }
    if (tn_ros_action_client_create(goal->session.node, goal->type, call->args[0], NULL,
                                    &goal->client, &err) == TN_OK) {
        return true;
    }
    tn_cli__complain(call, "%s", err.text);
    return false;
}

int tn_cli__action_send_goal(const struct tn_cli_call *call)
{
    struct goal goal = {.code = TN_CLI_FAILURE};
    double timeout_s = 0.0;
    if (!tn_cli__option_f64(call, "timeout", 0.001, 1e6, &timeout_s)) {
        return TN_CLI_USAGE;
    }
    if (start(call, &goal) && send(&goal, timeout_s)) {
        (void)tn_cli__session_until(&goal.session, is_done, &goal, 0);
        if (!goal.is_done) {
            cancel(&goal);
            goal.code = TN_CLI_FAILURE;
        }
    }
    tn_cli__session_close(&goal.session);
    tn_cli__message_destroy(&goal.message);
    return goal.code;
}
