// SPDX-License-Identifier: Apache-2.0
/// @file
/// Forward model for tests: 21 points of a hand from 20 angles, with rotation matrices, written
/// independently of the code under test.
#ifndef TEST_UNIT_DEVICES_HAND_BUILDER_H
#define TEST_UNIT_DEVICES_HAND_BUILDER_H

#include <math.h>
#include <string.h>

#include "devices/motion/hand_points.h"

#define BUILDER_RAD (3.14159265358979323846 / 180.0)

// v turned about a unit axis (Rodrigues)
static inline void builder_turn(const double axis[3], double deg, const double v[3], double out[3])
{
    double c = cos(deg * BUILDER_RAD), s = sin(deg * BUILDER_RAD);
    double along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
    double side[3] = {axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2],
                      axis[0] * v[1] - axis[1] * v[0]};
    double turned[3];
    for (int i = 0; i < 3; i++)
        turned[i] = c * v[i] + s * side[i] + (1.0 - c) * along * axis[i];
    memcpy(out, turned, sizeof turned);
}

static inline void builder_add(struct tn_motion_points *points, unsigned from, unsigned to,
                               double length_m, const double direction[3])
{
    for (int i = 0; i < 3; i++)
        points->point_m[to][i] = points->point_m[from][i] + length_m * direction[i];
}

// a finger in palm axes (x out of the palm, y index side, z ahead): the MCP turns flexion about the
// finger's own cross axis, after its tilt about the palm's normal
static inline void builder_finger(struct tn_motion_points *points, unsigned finger,
                                  const double angle_deg[4])
{
    static const double fan_deg[5] = {0.0, 9.0, 2.0, -6.0, -17.0};
    static const double length_m[3] = {0.042, 0.025, 0.020};
    const double normal[3] = {1.0, 0.0, 0.0};
    double ahead[3] = {0.0, sin(fan_deg[finger] * BUILDER_RAD), cos(fan_deg[finger] * BUILDER_RAD)};
    double cross[3] = {0.0, cos(fan_deg[finger] * BUILDER_RAD),
                       -sin(fan_deg[finger] * BUILDER_RAD)};
    // toward the index side is a negative turn about the normal out of the palm
    builder_turn(normal, -angle_deg[3], ahead, ahead);
    builder_turn(normal, -angle_deg[3], cross, cross);
    double bend_deg = 0.0;
    for (unsigned i = 0; i < 3; i++) {
        double direction[3];
        bend_deg += angle_deg[i];
        builder_turn(cross, bend_deg, ahead, direction);
        builder_add(points, 1 + 4 * finger + i, 2 + 4 * finger + i, length_m[i], direction);
    }
}

static inline void builder_thumb(struct tn_motion_points *points, const double angle_deg[4])
{
    // rest direction and axes of the hand model, from its own axes (-X ahead, -Y palm, Z thumb)
    static const double rest_model[3] = {-0.0287, -0.0139, 0.0334};
    static const double tilt_model[3] = {0.6036, 0.4047, 0.6870};
    static const double flex_model[3] = {0.4995, -0.8634, 0.0697};
    static const double length_m[3] = {0.046, 0.032, 0.027};
    double rest[3] = {-rest_model[1], rest_model[2], -rest_model[0]};
    double tilt[3] = {-tilt_model[1], tilt_model[2], -tilt_model[0]};
    double flex[3] = {-flex_model[1], flex_model[2], -flex_model[0]};
    double norm = sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]);
    double bend_deg = 0.0;
    for (unsigned i = 0; i < 3; i++) {
        double direction[3] = {rest[0] / norm, rest[1] / norm, rest[2] / norm};
        bend_deg += angle_deg[i];
        builder_turn(flex, bend_deg, direction, direction);
        builder_turn(tilt, angle_deg[3], direction, direction);
        builder_add(points, 1 + i, 2 + i, length_m[i], direction);
    }
}

/// A right hand in its palm frame.
static inline struct tn_motion_points builder_right_hand(const struct tn_motion_pose *pose)
{
    static const double knuckle_m[5][3] = {{0.018, 0.022, 0.020},
                                           {0.0, 0.025, 0.092},
                                           {0.0, 0.0, 0.093},
                                           {0.0, -0.021, 0.085},
                                           {0.0, -0.038, 0.073}};
    struct tn_motion_points points;
    memset(&points, 0, sizeof points);
    for (unsigned finger = 0; finger < 5; finger++)
        memcpy(points.point_m[1 + 4 * finger], knuckle_m[finger], sizeof knuckle_m[finger]);
    builder_thumb(&points, &pose->angle_deg[0]);
    for (unsigned finger = 1; finger < 5; finger++)
        builder_finger(&points, finger, &pose->angle_deg[4 * finger]);
    return points;
}

#endif
