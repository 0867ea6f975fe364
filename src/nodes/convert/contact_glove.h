// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the Contact Glove client tells as messages of contact_glove_msgs, and back.
///
/// Messages point at their sources (ids, names, the head's frame): publish before those go.
/// Ergonomics stays in degrees, as its contract has it; JointState is in radians.
#ifndef TN_NODES_CONVERT_CONTACT_GLOVE_H
#define TN_NODES_CONVERT_CONTACT_GLOVE_H

#include <stdint.h>

#include "glove/contact/contact_client.h"
#include "tn_msgs/contact_glove_msgs.h"
#include "tn_msgs/geometry_msgs.h"
#include "tn_msgs/sensor_msgs.h"

/// Longest frame id and its NUL: "ds2/<namespace>/<glove id>/wrist".
#define TN_CONVERT_FRAME_MAX 352

/// What every message's header gets.
struct tn_convert_head {
    int64_t stamp_ros_ns;
    const char *frame_id;
};

/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_convert_glove_data(const struct tn_convert_head *head, const struct tn_contact_glove *glove,
                           struct contact_glove_msgs_msg_GloveData *out);

/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_convert_ergonomics(const struct tn_convert_head *head,
                           const struct tn_contact_origin *origin,
                           const struct tn_contact_ergonomics *ergonomics,
                           struct contact_glove_msgs_msg_Ergonomics *out);

/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_convert_controller(const struct tn_convert_head *head,
                           const struct tn_contact_origin *origin,
                           const struct tn_contact_controller *controller,
                           struct contact_glove_msgs_msg_Controller *out);

/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_convert_wrist(const struct tn_convert_head *head, const struct tn_contact_wrist *wrist,
                      struct geometry_msgs_msg_QuaternionStamped *out);

/// Names and positions of one side's JointState; the message points in here.
struct tn_convert_joints {
    char text[TN_CONTACT_ANGLES][40];
    struct tn_str names[TN_CONTACT_ANGLES]; ///< "left_thumb_cmc_joint" …, Ergonomics order
    double positions_rad[TN_CONTACT_ANGLES];
};

/// Makes the names. @return nothing. Thread: one caller. Allocates: never. Blocks: never.
void tn_convert_joints_init(struct tn_convert_joints *joints, enum tn_side side);

/// @param joints   its positions are overwritten; must outlive `out`
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_convert_joint_state(const struct tn_convert_head *head,
                            const struct tn_contact_ergonomics *ergonomics,
                            struct tn_convert_joints *joints,
                            struct sensor_msgs_msg_JointState *out);

/// @param out_id   TN_CONTACT_ID_MAX bytes
/// @return TN_OK; TN_ERR_LIMIT: the id is longer than any glove's, out_id holds its beginning.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result
tn_convert_haptics_body(const struct contact_glove_msgs_msg_HapticsBody *msg, char *out_id,
                        struct tn_contact_vibration *out_vibration);

#endif
