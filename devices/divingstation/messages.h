// SPDX-License-Identifier: Apache-2.0
/// @file
/// Messages of a software DivingStation, made from a pose and a time. Pure.
#ifndef TN_DEVICES_DIVINGSTATION_MESSAGES_H
#define TN_DEVICES_DIVINGSTATION_MESSAGES_H

#include <stdbool.h>

#include "base/side.h"
#include "devices/motion/angles.h"
#include "glove/contact/contact_message.h"

/// The glove pair that is played. Constant.
struct tn_ds_pair {
    char id[TN_CONTACT_WIRE_ID_MAX];
    bool has_hand[TN_SIDES]; ///< by tn_side_index()
};

/// Device list with this pair; the batteries lose 1 % every 5 minutes, down to 5 %.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ds_make_devices(const struct tn_ds_pair *pair, double time_s,
                        struct tn_contact_message *out_message);

/// The 20 angles of a hand. @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ds_make_hand(const struct tn_ds_pair *pair, enum tn_side side,
                     const struct tn_motion_pose *pose, struct tn_contact_message *out_message);

/// 15 joint rotations: flexion about z, tilt about y (the real axes are not documented).
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ds_make_hand_quat(const struct tn_ds_pair *pair, enum tn_side side,
                          const struct tn_motion_pose *pose,
                          struct tn_contact_message *out_message);

/// A wrist that sways slowly. @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ds_make_wrist(const struct tn_ds_pair *pair, enum tn_side side, double time_s,
                      struct tn_contact_message *out_message);

/// Trigger and grip as the fingers bend; the stick moves in a slow circle.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ds_make_controller(const struct tn_ds_pair *pair, enum tn_side side,
                           const struct tn_motion_pose *pose, double time_s,
                           struct tn_contact_message *out_message);

#endif
