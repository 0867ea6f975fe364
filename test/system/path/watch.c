// SPDX-License-Identifier: Apache-2.0
// the test as a member of the graph: notes what it hears, arms
#include <stdio.h>
#include <string.h>

#include <tn_msgs/end_effector_interfaces.h>
#include <tn_msgs/std_srvs.h>
#include <tn_msgs/tendon_msgs.h>

#include "system/path/rig.h"

static const char *const joint_names[PATH_JOINTS] = {"THUMBMCP",  "THUMBCMC", "INDEXMCP",
                                                     "MIDDLEMCP", "RINGMCP",  "LITTLEMCP"};

static int64_t to_ns(struct builtin_interfaces_msg_Time time)
{
    return (int64_t)time.sec * TN_NS_PER_S + time.nanosec;
}

static void on_session(void *context, const void *message, const struct tn_ros_message_info *info)
{
    (void)info;
    struct path_watch_hand *hand = context;
    const struct tendon_msgs_msg_SessionState *msg = message;
    struct path_session session = {
        .steady_ns = to_ns(msg->header.stamp) - hand->rig->record.wall_minus_steady_ns,
        .state = msg->state,
        .is_armed = msg->armed,
        .is_latched = msg->latched,
        .is_flowing = msg->action == tendon_msgs_msg_SessionState_ACTION_NONE,
    };
    (void)snprintf(session.reason, sizeof session.reason, "%.*s", (int)msg->reason.size,
                   msg->reason.data);
    if (session.is_armed) {
        hand->unarmed_since_steady_ns = 0;
    } else if (hand->unarmed_since_steady_ns == 0) {
        hand->unarmed_since_steady_ns = tn_clock_steady_now_ns();
    }
    hand->has_session = true;
    hand->session = session;
    PATH_PUSH(&hand->record->sessions, session);
}

static int joint_of(struct tn_str name)
{
    for (unsigned j = 0; j < PATH_JOINTS; j++) {
        if (tn_str_equal(name, tn_str_from(joint_names[j]))) {
            return (int)j;
        }
    }
    return -1;
}

static void on_feedback(void *context, const void *message, const struct tn_ros_message_info *info)
{
    (void)info;
    struct path_watch_hand *hand = context;
    const struct end_effector_interfaces_msg_EEJointFeedback *msg = message;
    struct path_feedback feedback = {.sample_steady_ns = to_ns(msg->header.stamp) -
                                                         hand->rig->record.wall_minus_steady_ns};
    unsigned n = 0;
    for (uint32_t i = 0; i < msg->name.size && i < msg->position.size; i++) {
        int joint = joint_of(msg->name.data[i]);
        if (joint >= 0 && i < msg->state.size &&
            msg->state.data[i] != end_effector_interfaces_msg_EEJointFeedback_UNKNOWN) {
            feedback.position[joint] = msg->position.data[i];
            n++;
        }
    }
    if (n == PATH_JOINTS) {
        PATH_PUSH(&hand->record->feedback, feedback);
    }
}

static void on_command(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct path_watch_hand *hand = context;
    const struct end_effector_interfaces_msg_EEJointControl *msg = message;
    struct path_command command = {.arrival_steady_ns = info->arrival_steady_ns};
    for (uint32_t i = 0; i < msg->name.size && i < msg->value.size; i++) {
        int joint = joint_of(msg->name.data[i]);
        if (joint >= 0) {
            command.value[joint] = msg->value.data[i];
        }
    }
    PATH_PUSH(&hand->record->targets, command);
}

static enum tn_result subscribe(struct path_watch_hand *hand, const struct tn_type *type,
                                const char *format, struct tn_ros_qos qos,
                                tn_ros_message_fn callback, struct tn_error *err)
{
    struct tn_ros_subscription *subscription;
    char topic[96];
    (void)snprintf(topic, sizeof topic, "%s/%s", format, tn_side_name(hand->side));
    if (callback == on_session) {
        (void)snprintf(topic, sizeof topic, "%s/%s/state", format, tn_side_name(hand->side));
    }
    return tn_ros_subscription_create(hand->rig->node, type, topic, qos, callback, hand,
                                      &subscription, err);
}

static enum tn_result watch_hand(struct path_rig *rig, enum tn_side side, struct tn_error *err)
{
    struct path_watch_hand *hand = &rig->hands[tn_side_index(side)];
    char arm[96];
    hand->rig = rig;
    hand->side = side;
    hand->record = &rig->record.sides[tn_side_index(side)];
    (void)snprintf(arm, sizeof arm, "/robot_retargeter/%s/arm", tn_side_name(side));
    enum tn_result result = subscribe(hand, &tendon_msgs_msg_SessionState_type, "/robot_retargeter",
                                      tn_ros_qos_latched(1), on_session, err);
    if (result == TN_OK) {
        result = subscribe(hand, &end_effector_interfaces_msg_EEJointFeedback_type,
                           "/feedback_sim/hand", tn_ros_qos_default(100), on_feedback, err);
    }
    if (result == TN_OK) {
        result = subscribe(hand, &end_effector_interfaces_msg_EEJointControl_type,
                           "/control_sim/hand", tn_ros_qos_default(100), on_command, err);
    }
    if (result == TN_OK) {
        result = tn_ros_client_create(rig->node, &std_srvs_srv_Trigger_type, arm, &hand->arm, err);
    }
    return result;
}

enum tn_result path_watch_create(struct path_rig *rig, struct tn_error *err)
{
    static const char *const argv[] = {"path_test", NULL};
    struct tn_ros_node_options options = {.name = "path_test", .ns = ""};
    enum tn_result result = tn_ros_context_create(rig->loop, 1, argv, &rig->context, err);
    if (result == TN_OK) {
        result = tn_ros_node_create(rig->context, &options, &rig->node, err);
    }
    if (result == TN_OK) {
        result = watch_hand(rig, TN_SIDE_LEFT, err);
    }
    if (result == TN_OK) {
        result = watch_hand(rig, TN_SIDE_RIGHT, err);
    }
    return result;
}

void path_watch_destroy(struct path_rig *rig)
{
    tn_ros_node_destroy(&rig->node);
    tn_ros_context_destroy(&rig->context);
}

static void take(struct path_rig *rig, const struct tn_trace_record *record)
{
    struct path_passage passage = {record->stamp_ros_ns, record->steady_ns};
    if (record->side != TN_SIDE_LEFT && record->side != TN_SIDE_RIGHT) {
        return;
    }
    struct path_side_record *side = &rig->record.sides[tn_side_index((enum tn_side)record->side)];
    if (record->stage == TN_TRACE_COMMAND) {
        PATH_PUSH(&side->commands, passage);
    } else if (record->stage == TN_TRACE_ACCEPTED) {
        PATH_PUSH(&side->accepted, passage);
    } else if (record->stage == TN_TRACE_EXECUTED) {
        PATH_PUSH(&side->executed, passage);
    }
}

void path_watch_read_trace(struct path_rig *rig)
{
    struct tn_trace_record records[128];
    uint32_t n;
    do {
        n = tn_trace_read(rig->trace, &rig->trace_cursor, records, TN_ARRAY_SIZE(records),
                          &rig->trace_lost);
        for (uint32_t i = 0; i < n; i++) {
            take(rig, &records[i]);
        }
    } while (n == TN_ARRAY_SIZE(records));
}

static void on_armed(void *context, const void *response)
{
    const struct std_srvs_srv_Trigger_Response *reply = response;
    struct path_watch_hand *hand = context;
    hand->is_arming = false;
    if (reply != NULL && reply->success) {
        hand->n_armed++;
        hand->unarmed_since_steady_ns = 0;
    }
}

void path_watch_arm(struct path_rig *rig, int64_t now_steady_ns)
{
    struct std_srvs_srv_Trigger_Request request;
    std_srvs_srv_Trigger_Request_init(&request);
    for (unsigned i = 0; i < TN_SIDES; i++) {
        struct path_watch_hand *hand = &rig->hands[i];
        bool is_due = hand->unarmed_since_steady_ns != 0 &&
                      now_steady_ns - hand->unarmed_since_steady_ns >= hand->arm_after_ns;
        if (!hand->is_arming && is_due && tn_ros_client_is_ready(hand->arm)) {
            int64_t called_ns = tn_clock_steady_now_ns();
            hand->is_arming =
                tn_ros_call(hand->arm, &request, TN_NS_PER_S, on_armed, hand) == TN_OK;
            if (hand->is_arming) {
                PATH_PUSH(&hand->record->arms, called_ns);
            }
        }
    }
}
