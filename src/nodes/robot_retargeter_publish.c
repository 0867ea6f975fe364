// SPDX-License-Identifier: Apache-2.0
#include <tn_msgs/end_effector_interfaces.h>
#include <tn_msgs/tendon_msgs.h>

#include "nodes/convert/time.h"
#include "nodes/robot_retargeter__node.h"

void tn_robot_retargeter__publish_state(struct tn_robot_retargeter_side *side,
                                        int64_t now_steady_ns)
{
    const struct tn_session *session = &side->session;
    int64_t age_ns = session->has_fresh ? now_steady_ns - session->last_sample_steady_ns : 0;
    struct tendon_msgs_msg_SessionState msg;
    tendon_msgs_msg_SessionState_init(&msg);
    msg.header.stamp = tn_convert_to_time(tn_ros_node_now_ros_ns(side->node->ros));
    msg.side = (uint8_t)side->side;
    msg.state = (uint8_t)session->state;
    msg.previous = (uint8_t)session->previous;
    msg.armed = session->arming == TN_SESSION_ARMED;
    msg.latched = session->arming == TN_SESSION_LATCHED || session->arming == TN_SESSION_ESTOP;
    msg.enabled = session->enabled;
    msg.estop = session->arming == TN_SESSION_ESTOP;
    msg.resuming = session->resuming;
    msg.action = (uint8_t)tn_session_action(session);
    msg.device_id = tn_str_from(session->device_id);
    msg.reason = tn_str_from(tn_session_reason_word(session->reason));
    msg.age = tn_convert_to_duration(age_ns);
    msg.transitions = session->counters.transitions;
    msg.arms = session->counters.arms;
    (void)tn_ros_publish(side->state, &msg);
}

void tn_robot_retargeter__publish_status(struct tn_robot_retargeter_side *side,
                                         const struct tn_hand_frame *frame, uint8_t result,
                                         const char *reason)
{
    const struct tn_retarget_hand *hand = side->node->model.hand;
    struct tn_str limited[TN_RETARGET_MAX_JOINTS];
    struct tendon_msgs_msg_RetargetStatus msg;
    tendon_msgs_msg_RetargetStatus_init(&msg);
    msg.header.stamp = tn_convert_to_time(frame->stamp_ros_ns);
    msg.sequence = frame->sequence;
    msg.result = result;
    msg.method = tn_str_from("angles");
    msg.reason = tn_str_from(reason);
    msg.age = tn_convert_to_duration(side->last_frame_age_ns);
    uint32_t n_limited = 0;
    for (uint32_t j = 0; result == tendon_msgs_msg_RetargetStatus_OK && j < hand->n_joints; j++) {
        if ((side->limiter.limited_mask >> j & 1u) != 0) {
            limited[n_limited++] = tn_str_from(hand->joints[j].name);
        }
    }
    msg.limited_joints.data = limited;
    msg.limited_joints.size = n_limited;
    (void)tn_ros_publish(side->status, &msg);
}

void tn_robot_retargeter__publish_command(struct tn_robot_retargeter_side *side,
                                          const struct tn_hand_frame *frame, uint32_t valid_mask,
                                          const double *percent)
{
    const struct tn_retarget_hand *hand = side->node->model.hand;
    struct tn_str names[TN_RETARGET_MAX_JOINTS];
    double values[TN_RETARGET_MAX_JOINTS];
    uint32_t n = 0;
    for (uint32_t j = 0; j < hand->n_joints; j++) {
        if ((valid_mask >> j & 1u) != 0) {
            names[n] = tn_str_from(hand->joints[j].name);
            values[n++] = percent[j];
        }
    }
    struct end_effector_interfaces_msg_EEJointControl msg;
    end_effector_interfaces_msg_EEJointControl_init(&msg);
    msg.header.stamp = tn_convert_to_time(frame->stamp_ros_ns);
    msg.header.frame_id = tn_str_from(side->side == TN_SIDE_LEFT ? "left_hand" : "right_hand");
    msg.name.data = names;
    msg.name.size = n;
    msg.mode = end_effector_interfaces_msg_EEJointControlMode_POSITION;
    msg.value.data = values;
    msg.value.size = n;
    if (tn_ros_publish(side->command, &msg) != TN_OK) {
        return;
    }
    struct tn_trace_record record = {
        .stamp_ros_ns = frame->stamp_ros_ns,
        .steady_ns = tn_clock_steady_now_ns(),
        .sequence = (uint32_t)frame->sequence,
        .stage = TN_TRACE_COMMAND,
        .side = (uint8_t)side->side,
    };
    tn_trace_append(side->node->trace, &record);
}
