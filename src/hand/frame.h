// SPDX-License-Identifier: Apache-2.0
/// @file
/// The one hand that every glove becomes: 26 nodes and 21 named angle slots with validity.
///
/// Canonical hand frame, both hands, right-handed, origin = wrist node: x from the wrist to the
/// middle knuckle, z out of the back of the hand, y = z × x (palm down, y points left: to the thumb
/// on the right hand, to the little finger on the left). Metres, radians. Signs, both hands:
/// flexion +; abduction toward the thumb + (thumb: palmar +); thumb rotation toward the fingers +.
/// What a vendor does not send is marked absent, never zero.
///
/// `stamp_ros_ns` is the identity of the sample on its way through the system: commands carry it.
#ifndef TN_HAND_FRAME_H
#define TN_HAND_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "base/side.h"
#include "geometry/pose.h"

#define TN_HAND_NODES         26
#define TN_HAND_ANGLES        21
#define TN_HAND_FINGERS       5
#define TN_HAND_DEVICE_ID_MAX 64

/// Limits of tn_hand_frame_check(): farther or wider is no hand.
#define TN_HAND_MAX_REACH_M     0.5
#define TN_HAND_MAX_ANGLE_RAD   3.4906585039886591 ///< 200 degrees
#define TN_HAND_MIN_QUAT_NORM   0.5
#define TN_HAND_MAX_QUAT_NORM   2.0
#define TN_HAND_CONFIDENCE_NONE (-1.0f) ///< HandFrame's CONFIDENCE_UNKNOWN

/// Fingers in canonical order.
enum tn_finger { TN_THUMB, TN_INDEX, TN_MIDDLE, TN_RING, TN_LITTLE };

/// Node numbers of tendon_msgs/HandFrame. Finger f (index..little) starts at 5 * f.
enum tn_hand_node {
    TN_NODE_WRIST = 0,
    TN_NODE_THUMB_METACARPAL = 1,
    TN_NODE_THUMB_PROXIMAL = 2,
    TN_NODE_THUMB_DISTAL = 3,
    TN_NODE_THUMB_TIP = 4,
    TN_NODE_INDEX_METACARPAL = 5,
    TN_NODE_INDEX_TIP = 9,
    TN_NODE_MIDDLE_METACARPAL = 10,
    TN_NODE_MIDDLE_TIP = 14,
    TN_NODE_RING_METACARPAL = 15,
    TN_NODE_RING_TIP = 19,
    TN_NODE_LITTLE_METACARPAL = 20,
    TN_NODE_LITTLE_TIP = 24,
    TN_NODE_PALM = 25
};

/// Angle slots of tendon_msgs/HandFrame.
enum tn_hand_angle {
    TN_ANGLE_THUMB_CMC_ROT = 0,
    TN_ANGLE_THUMB_CMC_FLEX = 1,
    TN_ANGLE_THUMB_CMC_ABD = 2,
    TN_ANGLE_THUMB_MCP = 3,
    TN_ANGLE_THUMB_IP = 4,
    TN_ANGLE_INDEX_MCP_FLEX = 5,
    TN_ANGLE_INDEX_MCP_ABD = 6,
    TN_ANGLE_INDEX_PIP = 7,
    TN_ANGLE_INDEX_DIP = 8,
    TN_ANGLE_MIDDLE_MCP_FLEX = 9,
    TN_ANGLE_MIDDLE_MCP_ABD = 10,
    TN_ANGLE_MIDDLE_PIP = 11,
    TN_ANGLE_MIDDLE_DIP = 12,
    TN_ANGLE_RING_MCP_FLEX = 13,
    TN_ANGLE_RING_MCP_ABD = 14,
    TN_ANGLE_RING_PIP = 15,
    TN_ANGLE_RING_DIP = 16,
    TN_ANGLE_LITTLE_MCP_FLEX = 17,
    TN_ANGLE_LITTLE_MCP_ABD = 18,
    TN_ANGLE_LITTLE_PIP = 19,
    TN_ANGLE_LITTLE_DIP = 20
};

/// Where a stamp comes from; numbers of tendon_msgs/GloveFrame.
enum tn_stamp_kind { TN_STAMP_SAMPLE = 1, TN_STAMP_SDK_PUBLISH = 2, TN_STAMP_ARRIVAL = 3 };

/// State of the link to a glove; numbers of tendon_msgs/LinkState.
enum tn_link_state {
    TN_LINK_INIT = 0,
    TN_LINK_CALIBRATING = 1,
    TN_LINK_ACTIVE = 2,
    TN_LINK_STALE = 3,
    TN_LINK_DISCONNECTED = 4
};

/// One sample of one hand. Plain data.
struct tn_hand_frame {
    int64_t stamp_ros_ns; ///< sample time and identity
    enum tn_side side;
    enum tn_stamp_kind stamp_kind;
    enum tn_link_state link;
    char device_id[TN_HAND_DEVICE_ID_MAX]; ///< the glove, as its driver names it
    uint64_t stream_id;                    ///< new whenever the source restarts
    uint64_t sequence;                     ///< within the stream
    bool has_source_sequence; ///< false: assigned at receipt, missed_before is an estimate
    uint32_t missed_before;
    int64_t age_ns; ///< publication minus sample
    int64_t stamp_uncertainty_ns;
    uint32_t node_valid;  ///< bit i: nodes[i] usable
    uint32_t angle_valid; ///< bit i: angles[i] usable
    struct tn_pose nodes[TN_HAND_NODES];
    float confidence[TN_HAND_FINGERS]; ///< 0..1, -1 unknown
    double angles[TN_HAND_ANGLES];     ///< rad
    double rates[TN_HAND_ANGLES];      ///< rad/s
    bool rates_valid;
};

/// @return the slot's name, e.g. "thumb_cmc_flex", "index_mcp_abd"; NULL outside 0..20.
/// Thread: any. Allocates: never. Blocks: never.
const char *tn_hand_angle_name(unsigned slot);

/// Finds a slot by name. @return 0..20, or -1. Thread: any. Allocates: never. Blocks: never.
int tn_hand_angle_find(const char *name);

/// @return the node's name, e.g. "wrist", "index_proximal", "palm"; NULL outside 0..25.
/// Thread: any. Allocates: never. Blocks: never.
const char *tn_hand_node_name(unsigned node);

/// Empties a frame: nothing valid, absent nodes are the identity pose, absent angles 0, confidence
/// unknown. @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_hand_frame_init(struct tn_hand_frame *frame);

/// Checks a frame as consumers must: finite numbers (also in absent entries), quaternion norms in
/// 0.5..2 (of valid nodes), positions within 0.5 m of the wrist, valid angles within ±200°,
/// confidence 0..1 or unknown, no validity bits beyond the last node and slot, known enumerators, a
/// known side.
/// @return TN_OK; TN_ERR_NOT_FINITE; TN_ERR_RANGE; TN_ERR_WRONG_SIDE: side unknown.
/// Thread: any. Allocates: never. Blocks: never.
enum tn_result tn_hand_frame_check(const struct tn_hand_frame *frame);

#endif
