// SPDX-License-Identifier: Apache-2.0
#include "hand/frame.h"

#include <math.h>
#include <string.h>

static const char *const angle_names[TN_HAND_ANGLES] = {
    "thumb_cmc_rot",  "thumb_cmc_flex", "thumb_cmc_abd",   "thumb_mcp",      "thumb_ip",
    "index_mcp_flex", "index_mcp_abd",  "index_pip",       "index_dip",      "middle_mcp_flex",
    "middle_mcp_abd", "middle_pip",     "middle_dip",      "ring_mcp_flex",  "ring_mcp_abd",
    "ring_pip",       "ring_dip",       "little_mcp_flex", "little_mcp_abd", "little_pip",
    "little_dip"};

static const char *const node_names[TN_HAND_NODES] = {"wrist",
                                                      "thumb_metacarpal",
                                                      "thumb_proximal",
                                                      "thumb_distal",
                                                      "thumb_tip",
                                                      "index_metacarpal",
                                                      "index_proximal",
                                                      "index_intermediate",
                                                      "index_distal",
                                                      "index_tip",
                                                      "middle_metacarpal",
                                                      "middle_proximal",
                                                      "middle_intermediate",
                                                      "middle_distal",
                                                      "middle_tip",
                                                      "ring_metacarpal",
                                                      "ring_proximal",
                                                      "ring_intermediate",
                                                      "ring_distal",
                                                      "ring_tip",
                                                      "little_metacarpal",
                                                      "little_proximal",
                                                      "little_intermediate",
                                                      "little_distal",
                                                      "little_tip",
                                                      "palm"};

const char *tn_hand_angle_name(unsigned slot)
{
    return slot < TN_HAND_ANGLES ? angle_names[slot] : NULL;
}

int tn_hand_angle_find(const char *name)
{
    for (int slot = 0; name != NULL && slot < TN_HAND_ANGLES; slot++) {
        if (strcmp(name, angle_names[slot]) == 0) {
            return slot;
        }
    }
    return -1;
}

const char *tn_hand_node_name(unsigned node)
{
    return node < TN_HAND_NODES ? node_names[node] : NULL;
}

void tn_hand_frame_init(struct tn_hand_frame *frame)
{
    *frame = (struct tn_hand_frame){.side = TN_SIDE_UNKNOWN, .stamp_kind = TN_STAMP_ARRIVAL};
    for (size_t i = 0; i < TN_HAND_NODES; i++) {
        frame->nodes[i] = tn_pose_identity();
    }
    for (size_t f = 0; f < TN_HAND_FINGERS; f++) {
        frame->confidence[f] = TN_HAND_CONFIDENCE_NONE;
    }
}

static enum tn_result check_nodes(const struct tn_hand_frame *frame)
{
    for (unsigned i = 0; i < TN_HAND_NODES; i++) {
        const struct tn_pose *pose = &frame->nodes[i];
        if (!tn_pose_is_finite(*pose)) {
            return TN_ERR_NOT_FINITE;
        }
        if (((frame->node_valid >> i) & 1u) == 0) {
            continue;
        }
        double norm = sqrt(tn_quat_dot(pose->q, pose->q));
        if (!(tn_vec3_norm(pose->p) <= TN_HAND_MAX_REACH_M) ||
            !(norm >= TN_HAND_MIN_QUAT_NORM && norm <= TN_HAND_MAX_QUAT_NORM)) {
            return TN_ERR_RANGE;
        }
    }
    return TN_OK;
}

static enum tn_result check_angles(const struct tn_hand_frame *frame)
{
    for (unsigned i = 0; i < TN_HAND_ANGLES; i++) {
        if (!isfinite(frame->angles[i]) || !isfinite(frame->rates[i])) {
            return TN_ERR_NOT_FINITE;
        }
        if (((frame->angle_valid >> i) & 1u) != 0 &&
            fabs(frame->angles[i]) > TN_HAND_MAX_ANGLE_RAD) {
            return TN_ERR_RANGE;
        }
    }
    return TN_OK;
}

static enum tn_result check_confidence(const struct tn_hand_frame *frame)
{
    for (unsigned f = 0; f < TN_HAND_FINGERS; f++) {
        float c = frame->confidence[f];
        if (!isfinite(c)) {
            return TN_ERR_NOT_FINITE;
        }
        bool is_unknown = c <= TN_HAND_CONFIDENCE_NONE && c >= TN_HAND_CONFIDENCE_NONE;
        if (!is_unknown && (c < 0.0f || c > 1.0f)) {
            return TN_ERR_RANGE;
        }
    }
    return TN_OK;
}

static bool has_known_words(const struct tn_hand_frame *frame)
{
    int kind = (int)frame->stamp_kind;
    int link = (int)frame->link;
    return kind >= TN_STAMP_SAMPLE && kind <= TN_STAMP_ARRIVAL && link >= TN_LINK_INIT &&
           link <= TN_LINK_DISCONNECTED && (frame->node_valid >> TN_HAND_NODES) == 0 &&
           (frame->angle_valid >> TN_HAND_ANGLES) == 0;
}

enum tn_result tn_hand_frame_check(const struct tn_hand_frame *frame)
{
    if (frame->side != TN_SIDE_LEFT && frame->side != TN_SIDE_RIGHT) {
        return TN_ERR_WRONG_SIDE;
    }
    if (!has_known_words(frame)) {
        return TN_ERR_RANGE;
    }
    enum tn_result result = check_nodes(frame);
    if (result == TN_OK) {
        result = check_angles(frame);
    }
    if (result == TN_OK) {
        result = check_confidence(frame);
    }
    return result;
}
