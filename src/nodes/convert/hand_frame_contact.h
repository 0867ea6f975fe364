// SPDX-License-Identifier: Apache-2.0
/// @file
/// contact_glove_msgs/Ergonomics and GloveData as samples of a hand: what tn_hand_stream takes.
///
/// The stamp is `generated_at_ms` in ns, not the conversion time in the header. Only TRACKED
/// samples of the topic's own side pass.
#ifndef TN_NODES_CONVERT_HAND_FRAME_CONTACT_H
#define TN_NODES_CONVERT_HAND_FRAME_CONTACT_H

#include "hand/frame.h"
#include "tn_msgs/contact_glove_msgs.h"

/// A sample before it belongs to a stream. Plain data.
struct tn_convert_contact_sample {
    int64_t stamp_ros_ns;
    char device_id[TN_HAND_DEVICE_ID_MAX];
    double angles_rad[TN_HAND_ANGLES];
    uint32_t angle_valid;
};

/// Copies a glove's id, checking it. @param out_id   TN_HAND_DEVICE_ID_MAX bytes; untouched on
/// error
/// @return TN_OK; TN_ERR_WRONG_DEVICE: empty, or with '/', white space or control characters;
/// TN_ERR_LIMIT: too long. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_convert_contact_id(struct tn_str id, char *out_id);

/// @param side         of the topic
/// @param out_sample   untouched on error
/// @return TN_OK; TN_ERR_WRONG_SIDE: is_left contradicts the topic; TN_ERR_STATE: not TRACKED;
/// TN_ERR_RANGE: generated_at_ms is 0 or beyond the stamps of ROS, or an angle beyond ±200°;
/// TN_ERR_NOT_FINITE; and as tn_convert_contact_id(). Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result
tn_convert_contact_from_ergonomics(const struct contact_glove_msgs_msg_Ergonomics *msg,
                                   enum tn_side side, struct tn_convert_contact_sample *out_sample);

#endif
