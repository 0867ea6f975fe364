// SPDX-License-Identifier: Apache-2.0
/// @file
/// One pose of one hand as a Contact Glove reports it: 20 joint angles in the order of its wire, in
/// degrees (the unit of that glove's contract).
///
/// Signs are equal on both hands: flexion +; finger tilt toward the thumb +; thumb tilt: tip moves
/// palmar +. Straight and rest are 0, bending backwards is negative.
#ifndef TN_DEVICES_MOTION_ANGLES_H
#define TN_DEVICES_MOTION_ANGLES_H

#define TN_MOTION_ANGLES  20
#define TN_MOTION_FINGERS 5
/// Angles of each finger.
#define TN_MOTION_PER_FINGER 4

/// Slots of a finger; those of finger f (0 thumb .. 4 little) start at 4 * f.
enum tn_motion_slot {
    TN_MOTION_MCP = 0,
    TN_MOTION_PIP = 1,
    TN_MOTION_DIP = 2,
    TN_MOTION_TILT = 3,
    TN_MOTION_THUMB_CMC = 0,
    TN_MOTION_THUMB_MCP = 1,
    TN_MOTION_THUMB_IP = 2,
    TN_MOTION_THUMB_TILT = 3
};

/// One pose. Plain data.
struct tn_motion_pose {
    double angle_deg[TN_MOTION_ANGLES];
};

/// The six joints of a percent hand, in its order.
enum tn_motion_percent_joint {
    TN_MOTION_THUMB_BEND = 0,
    TN_MOTION_THUMB_SWING = 1,
    TN_MOTION_INDEX_BEND = 2,
    TN_MOTION_MIDDLE_BEND = 3,
    TN_MOTION_RING_BEND = 4,
    TN_MOTION_LITTLE_BEND = 5,
    TN_MOTION_PERCENT_JOINTS = 6
};

/// How far a human joint behind a joint of a percent hand is turned: thumb bend = MCP + IP, thumb
/// swing = tilt, finger bend = MCP + PIP.
/// @return degrees. Thread: any. Allocates: never. Blocks: never.
double tn_motion_percent_angle_deg(const struct tn_motion_pose *pose,
                                   enum tn_motion_percent_joint joint);

/// @return the range of that angle that counts as the full range: thumb bend 135, thumb swing 50,
/// finger bend 190. Thread: any. Allocates: never. Blocks: never.
double tn_motion_percent_range_deg(enum tn_motion_percent_joint joint);

#endif
