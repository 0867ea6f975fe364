// SPDX-License-Identifier: Apache-2.0
// the demo as a member of the graph: it watches both hands and arms them
#include <math.h>
#include <string.h>

#include <tn_msgs/end_effector_interfaces.h>
#include <tn_msgs/std_srvs.h>
#include <tn_msgs/tendon_msgs.h>

#include "cli/cli__demo.h"

static const char *const joint_names[TN_DEMO_JOINTS] = {"THUMBMCP",  "THUMBCMC", "INDEXMCP",
                                                        "MIDDLEMCP", "RINGMCP",  "LITTLEMCP"};

const char *tn_demo__joint_name(unsigned joint)
{
    return joint_names[joint];
}

const char *tn_demo__state_name(uint8_t state)
{
    static const char *const names[] = {"INIT", "CALIBRATING", "ACTIVE", "STALE", "DISCONNECTED"};
    return state < TN_ARRAY_SIZE(names) ? names[state] : "?";
}

static void on_state(void *context, const void *message, const struct tn_ros_message_info *info)
{
    (void)info;
    struct tn_demo_hand *hand = context;
    const struct tendon_msgs_msg_SessionState *msg = message;
    hand->has_state = true;
    hand->state = msg->state;
    hand->action = msg->action;
    hand->armed = msg->armed;
    hand->latched = msg->latched;
    hand->resuming = msg->resuming;
    hand->age_ms = (double)msg->age.sec * 1e3 + (double)msg->age.nanosec * 1e-6;
    tn_demo__copy_printable(hand->reason, sizeof hand->reason, msg->reason.data, msg->reason.size);
}

static void note_position(struct tn_demo_hand *hand, unsigned joint, double percent)
{
    hand->position[joint] = percent;
    if (!*hand->is_counting) {
        return;
    }
    hand->lowest[joint] = hand->has_span ? fmin(hand->lowest[joint], percent) : percent;
    hand->highest[joint] = hand->has_span ? fmax(hand->highest[joint], percent) : percent;
}

static void on_feedback(void *context, const void *message, const struct tn_ros_message_info *info)
{
    (void)info;
    struct tn_demo_hand *hand = context;
    const struct end_effector_interfaces_msg_EEJointFeedback *msg = message;
    if (msg->position.size != msg->name.size || msg->state.size != msg->name.size) {
        return;
    }
    for (uint32_t i = 0; i < msg->name.size; i++) {
        for (unsigned j = 0; j < TN_DEMO_JOINTS; j++) {
            if (tn_str_equal(msg->name.data[i], tn_str_from(joint_names[j]))) {
                note_position(hand, j, msg->position.data[i]);
                hand->joint_state[j] = msg->state.data[i];
            }
        }
    }
    hand->has_position = true;
    hand->has_span |= *hand->is_counting;
}

static enum tn_result watch_hand(struct tn_demo_graph *graph, enum tn_side side,
                                 struct tn_error *err)
{
    struct tn_demo_hand *hand = &graph->hands[tn_side_index(side)];
    struct tn_ros_subscription *subscription;
    char state[64], feedback[64], arm[64];
    hand->side = side;
    hand->is_counting = &graph->is_counting;
    (void)snprintf(state, sizeof state, "/robot_retargeter/%s/state", tn_side_name(side));
    (void)snprintf(feedback, sizeof feedback, "/feedback_sim/hand/%s", tn_side_name(side));
    (void)snprintf(arm, sizeof arm, "/robot_retargeter/%s/arm", tn_side_name(side));
    enum tn_result result =
        tn_ros_subscription_create(graph->node, &tendon_msgs_msg_SessionState_type, state,
                                   tn_ros_qos_latched(1), on_state, hand, &subscription, err);
    if (result == TN_OK) {
        result = tn_ros_subscription_create(
            graph->node, &end_effector_interfaces_msg_EEJointFeedback_type, feedback,
            tn_ros_qos_default(10), on_feedback, hand, &subscription, err);
    }
    if (result == TN_OK) {
        result =
            tn_ros_client_create(graph->node, &std_srvs_srv_Trigger_type, arm, &hand->arm, err);
    }
    return result;
}

enum tn_result tn_demo__graph_create(struct tn_loop *loop, struct tn_demo_graph *graph,
                                     struct tn_error *err)
{
    static const char *const argv[] = {"tendon", NULL};
    struct tn_ros_node_options options = {.name = "tendon_demo", .ns = ""};
    enum tn_result result = tn_ros_context_create(loop, 1, argv, &graph->context, err);
    if (result == TN_OK) {
        result = tn_ros_node_create(graph->context, &options, &graph->node, err);
    }
    if (result == TN_OK) {
        result = watch_hand(graph, TN_SIDE_LEFT, err);
    }
    if (result == TN_OK) {
        result = watch_hand(graph, TN_SIDE_RIGHT, err);
    }
    return result;
}

void tn_demo__graph_destroy(struct tn_demo_graph *graph)
{
    tn_ros_node_destroy(&graph->node);
    tn_ros_context_destroy(&graph->context);
}

static void on_armed(void *context, const void *response)
{
    (void)response;
    struct tn_demo_hand *hand = context;
    hand->is_arming = false;
}

static void ask_to_arm(struct tn_demo_hand *hand)
{
    struct std_srvs_srv_Trigger_Request request;
    std_srvs_srv_Trigger_Request_init(&request);
    if (!hand->is_arming && tn_ros_client_is_ready(hand->arm)) {
        hand->is_arming = tn_ros_call(hand->arm, &request, TN_NS_PER_S, on_armed, hand) == TN_OK;
    }
}

bool tn_demo__graph_arm(struct tn_demo_graph *graph)
{
    bool is_active = true;
    for (unsigned i = 0; i < TN_SIDES; i++) {
        struct tn_demo_hand *hand = &graph->hands[i];
        bool follows = hand->has_state && hand->state == tendon_msgs_msg_LinkState_ACTIVE &&
                       hand->action == tendon_msgs_msg_SessionState_ACTION_NONE;
        graph->was_active[i] |= follows;
        is_active &= follows;
        bool may_arm = hand->has_state && hand->state == tendon_msgs_msg_LinkState_CALIBRATING;
        if (!graph->was_active[i] && may_arm && !hand->armed) {
            ask_to_arm(hand);
        }
    }
    return is_active;
}
