// SPDX-License-Identifier: Apache-2.0
/// @file
/// tendon_msgs/HandFrame and struct tn_hand_frame.
///
/// What comes in is cleaned and checked as tn_hand_frame_check() says: entries that are not valid
/// become the identity pose or 0 whatever the wire held, orientations of valid nodes are
/// normalised, everything else must be finite and in range. What goes out is written as it is.
#ifndef TN_NODES_CONVERT_HAND_FRAME_H
#define TN_NODES_CONVERT_HAND_FRAME_H

#include "hand/frame.h"
#include "tn_msgs/tendon_msgs.h"

/// @param out_frame   unchanged unless TN_OK
/// @return TN_OK; TN_ERR_WRONG_SIDE: side unknown; TN_ERR_WRONG_DEVICE: device id empty;
/// TN_ERR_LIMIT: device id of TN_HAND_DEVICE_ID_MAX bytes or more; TN_ERR_MALFORMED: NUL inside the
/// device id, nanoseconds of a second or more; TN_ERR_NOT_FINITE; TN_ERR_RANGE: a negative age or
/// uncertainty, and as tn_hand_frame_check().
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result
tn_convert_hand_frame_from_msg(const struct tendon_msgs_msg_HandFrame *msg,
                               struct tn_hand_frame *out_frame);

/// @param frame      its device_id is viewed by the message and must outlive it
/// @param frame_id   of the header, viewed likewise
/// @param out_msg    every member is written; times beyond what the type holds are saturated
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_convert_hand_frame_to_msg(const struct tn_hand_frame *frame, const char *frame_id,
                                  struct tendon_msgs_msg_HandFrame *out_msg);

#endif
