// SPDX-License-Identifier: Apache-2.0
/// @file
/// Joint names of hands and grippers: the interface order, and the aliases accepted on input.
///
/// Hand: THUMBMCP (bend), THUMBCMC (swing), INDEXMCP, MIDDLEMCP, RINGMCP, LITTLEMCP. Gripper:
/// FINGER. Joints are matched by name, never by index.
#ifndef TN_EFFECTOR_JOINTS_H
#define TN_EFFECTOR_JOINTS_H

#include "base/result.h"
#include "base/side.h"
#include "effector/types.h"

/// @return "hand" or "gripper". Thread: any. Allocates: never. Blocks: never.
const char *tn_effector_kind_name(enum tn_effector_kind kind);

/// @return "IDLE", "RUNNING", "STALL", "UNKNOWN"; "?" for a number that is none. Thread: any.
/// Allocates: never. Blocks: never.
const char *tn_effector_joint_state_name(enum tn_effector_joint_state state);

/// @return "POSITION", "VELOCITY", "CURRENT"; "?" for a number that is none. Thread: any.
/// Allocates: never. Blocks: never.
const char *tn_effector_mode_name(enum tn_effector_mode mode);

/// @return 6 for a hand, 1 for a gripper. Thread: any. Allocates: never. Blocks: never.
uint32_t tn_effector_joint_count(enum tn_effector_kind kind);

/// @return the interface name of a joint; NULL when there is no such joint. Thread: any. Allocates:
/// never. Blocks: never.
const char *tn_effector_joint_name(enum tn_effector_kind kind, uint32_t joint);

/// Finds a joint by its name or one of its aliases, with or without "LEFT_" or "RIGHT_" in front.
/// Upper and lower case differ.
/// @param side        of the device; TN_SIDE_UNKNOWN: either prefix will do
/// @param out_joint   interface index; untouched on error
/// @return TN_OK; TN_ERR_NOT_FOUND: no joint of this kind; TN_ERR_WRONG_SIDE: a joint of the other
/// side. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_effector_joint_find(enum tn_effector_kind kind, enum tn_side side,
                                                   struct tn_effector_text name,
                                                   uint32_t *out_joint);

#endif
