// SPDX-License-Identifier: Apache-2.0
/// @file
/// Words that all parts of the effector module share.
///
/// **Percent conventions.** Position: 0 open/straight … 100 bent/closed, of the joint's range.
/// Velocity and current in commands: -100 … 100 percent of the device's maximum, positive closes;
/// in feedback their magnitude, 0 … 100. A speed in `_percent_per_s` is percent of the stroke each
/// second.
#ifndef TN_EFFECTOR_TYPES_H
#define TN_EFFECTOR_TYPES_H

#include <stdint.h>

/// Joints of the largest device. Joint sets are bit masks, bit i = joint i in interface order.
#define TN_EFFECTOR_MAX_JOINTS 6

/// Bytes that name the writer of a command (a DDS gid).
#define TN_EFFECTOR_WRITER_SIZE 16

enum tn_effector_kind { TN_EFFECTOR_HAND = 0, TN_EFFECTOR_GRIPPER = 1 };

/// Numbers of end_effector_interfaces/EEJointControlMode.
enum tn_effector_mode {
    TN_EFFECTOR_POSITION = 0, ///< value: percent of the range, [0, 100]
    TN_EFFECTOR_VELOCITY = 1, ///< value: percent of the maximum speed, [-100, 100]
    TN_EFFECTOR_CURRENT = 2,  ///< value: percent of the maximum current, [-100, 100]
    TN_EFFECTOR_MODES = 3
};

/// Numbers of end_effector_interfaces/EEJointFeedback.state. Every device code is translated to one
/// of these; raw codes never leave a device folder.
enum tn_effector_joint_state {
    TN_EFFECTOR_IDLE = 0,
    TN_EFFECTOR_RUNNING = 1,
    TN_EFFECTOR_STALL = 2,
    TN_EFFECTOR_UNKNOWN = 3
};

/// A text that someone else owns; no NUL needed.
struct tn_effector_text {
    const char *data;
    uint32_t size;
};

#endif
