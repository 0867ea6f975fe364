// SPDX-License-Identifier: Apache-2.0
/// @file
/// end_effector_interfaces messages and the structs of the effector module.
#ifndef TN_NODES_CONVERT_END_EFFECTOR_H
#define TN_NODES_CONVERT_END_EFFECTOR_H

#include "effector/command.h"
#include "effector/device.h"
#include "tn_msgs/end_effector_interfaces.h"

/// A command with room for the names its view points at.
struct tn_convert_effector_command {
    struct tn_effector_command command;
    struct tn_effector_text names[TN_EFFECTOR_MAX_JOINTS];
};

/// Views an EEJointControl. Age and writer are left for the caller. A stamp of 0, a negative one,
/// or one with nanoseconds of a second or more is no stamp.
/// @param msg   must outlive `out`
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_convert_effector_control(const struct end_effector_interfaces_msg_EEJointControl *msg,
                                 struct tn_convert_effector_command *out);

/// Views a gripper command that has the shape of feedback: `position` is the target, mode POSITION,
/// `state` is ignored. See tn_convert_effector_control().
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_convert_effector_spec_control(const struct end_effector_interfaces_msg_EEJointFeedback *msg,
                                      struct tn_convert_effector_command *out);

/// Where a feedback message points at.
struct tn_convert_effector_feedback {
    struct tn_str names[TN_EFFECTOR_MAX_JOINTS];
    double position[TN_EFFECTOR_MAX_JOINTS];
    double velocity[TN_EFFECTOR_MAX_JOINTS];
    double current[TN_EFFECTOR_MAX_JOINTS];
    uint8_t state[TN_EFFECTOR_MAX_JOINTS];
};

/// How feedback is written.
struct tn_convert_effector_form {
    enum tn_effector_kind kind; ///< a gripper's velocity and current stay empty
    const char *frame_id;
    double velocity_scale; ///< 1: percent of the full speed; else to percent of stroke each second
};

/// @param stamp_ros_ns   saturated to what the type holds
/// @param storage        is written; must outlive `out_msg`
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_convert_effector_feedback(const struct tn_convert_effector_form *form, int64_t stamp_ros_ns,
                                  const struct tn_effector_sample *sample,
                                  struct tn_convert_effector_feedback *storage,
                                  struct end_effector_interfaces_msg_EEJointFeedback *out_msg);

/// ns of ROS time to a stamp, saturated. @return nothing. Thread: any. Allocates: never. Blocks:
/// never.
void tn_convert_effector_stamp(int64_t stamp_ros_ns, struct builtin_interfaces_msg_Time *out);

#endif
