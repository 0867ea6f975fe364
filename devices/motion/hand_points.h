// SPDX-License-Identifier: Apache-2.0
/// @file
/// From 21 points of a hand, as cameras find them, to the 20 angles of a Contact Glove.
#ifndef TN_DEVICES_MOTION_HAND_POINTS_H
#define TN_DEVICES_MOTION_HAND_POINTS_H

#include "base/result.h"
#include "base/side.h"
#include "devices/motion/angles.h"

#define TN_MOTION_POINTS 21

/// Points in metres, any right-handed frame: 0 wrist; 1-4 thumb CMC, MCP, IP, tip; then MCP, PIP,
/// DIP, tip of index 5-8, middle 9-12, ring 13-16, little 17-20.
struct tn_motion_points {
    double point_m[TN_MOTION_POINTS][3];
};

/// The angles of one hand.
///
/// Palm frame: z from the wrist to the middle knuckle, x out of the palm (from the areas between
/// wrist and knuckles), y to the index side; a left hand is mirrored first, so that equal angles
/// are equal motions. Finger MCP and tilt: the proximal bone against a straight finger, which
/// points index +9, middle +2, ring -6, little -17 degrees from z; PIP and DIP: between the bones
/// (never negative). Thumb CMC and tilt: the metacarpal against its rest direction, about the axes
/// of the Contact Glove's hand model; thumb MCP and IP: between the bones.
/// @return TN_OK; TN_ERR_MALFORMED: a bone shorter than 1 mm or a palm smaller than 1 cm²: nothing
/// written; TN_ERR_WRONG_SIDE: side unknown. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_motion_points_to_pose(const struct tn_motion_points *points,
                                                     enum tn_side side,
                                                     struct tn_motion_pose *out_pose);

/// How much the points look like a right hand whose fingers bend to the palm: ((index knuckle -
/// wrist) × (little knuckle - wrist)) · Σ (tip - knuckle) over the four fingers.
/// @return m³; > 0 right, < 0 left. Thread: any. Allocates: never. Blocks: never.
double tn_motion_points_handedness(const struct tn_motion_points *points);

#endif
