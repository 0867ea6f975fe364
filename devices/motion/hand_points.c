// SPDX-License-Identifier: Apache-2.0
#include "devices/motion/hand_points.h"

#include <math.h>
#include <stdbool.h>

#define DEG_PER_RAD    57.29577951308232
#define SHORTEST_M     1e-3
#define SMALLEST_M2    1e-4
#define WRIST          0
#define MIDDLE_KNUCKLE 9

struct vec {
    double x, y, z;
};

// a bone or palm that noise has made too small turns this flag off
struct frame {
    struct vec x, y, z;
    bool is_valid;
};

static struct vec between(const struct tn_motion_points *points, unsigned from, unsigned to)
{
    const double *a = points->point_m[from], *b = points->point_m[to];
    return (struct vec){b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

static double dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vec cross(struct vec a, struct vec b)
{
    return (struct vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static struct vec add_scaled(struct vec a, double scale, struct vec b)
{
    return (struct vec){a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
}

static struct vec unit(struct vec a)
{
    double norm = sqrt(dot(a, a));
    return (struct vec){a.x / norm, a.y / norm, a.z / norm};
}

// well conditioned for all angles, unlike acos
static double angle_between_deg(struct vec a, struct vec b)
{
    struct vec c = cross(a, b);
    return DEG_PER_RAD * atan2(sqrt(dot(c, c)), dot(a, b));
}

double tn_motion_points_handedness(const struct tn_motion_points *points)
{
    struct vec curl = {0.0, 0.0, 0.0};
    for (unsigned mcp = 5; mcp < TN_MOTION_POINTS; mcp += 4)
        curl = add_scaled(curl, 1.0, between(points, mcp, mcp + 3));
    return dot(cross(between(points, WRIST, 5), between(points, WRIST, 17)), curl);
}

static struct frame palm_frame(const struct tn_motion_points *points)
{
    struct frame palm = {.is_valid = false};
    // the sum over the three triangles wrist-knuckle-knuckle is weighted by their areas
    struct vec normal = {0.0, 0.0, 0.0};
    for (unsigned mcp = 5; mcp < 17; mcp += 4)
        normal = add_scaled(normal, 1.0,
                            cross(between(points, WRIST, mcp), between(points, WRIST, mcp + 4)));
    struct vec forward = between(points, WRIST, MIDDLE_KNUCKLE);
    if (!(sqrt(dot(normal, normal)) >= 2.0 * SMALLEST_M2) ||
        !(sqrt(dot(forward, forward)) >= SHORTEST_M))
        return palm;
    palm.z = unit(forward);
    struct vec out = add_scaled(normal, -dot(normal, palm.z), palm.z);
    if (!(sqrt(dot(out, out)) >= SMALLEST_M2))
        return palm;
    palm.x = unit(out);
    palm.y = cross(palm.z, palm.x);
    palm.is_valid = true;
    return palm;
}

static struct vec in_frame(const struct frame *frame, struct vec v)
{
    return (struct vec){dot(v, frame->x), dot(v, frame->y), dot(v, frame->z)};
}

// the three bones of a finger in palm axes; false when one is too short to have a direction
static bool finger_bones(const struct tn_motion_points *points, const struct frame *palm,
                         unsigned first, struct vec out_bones[3])
{
    for (unsigned i = 0; i < 3; i++) {
        struct vec bone = between(points, first + i, first + i + 1);
        if (!(dot(bone, bone) >= SHORTEST_M * SHORTEST_M))
            return false;
        out_bones[i] = in_frame(palm, unit(bone));
    }
    return true;
}

static void finger_angles(unsigned finger, const struct vec bones[3], double *out_deg)
{
    // directions of straight fingers in the plane of the palm, from z toward the index side
    static const double fan_deg[TN_MOTION_FINGERS] = {0.0, 9.0, 2.0, -6.0, -17.0};
    double fan = fan_deg[finger] / DEG_PER_RAD;
    struct vec ahead = {0.0, sin(fan), cos(fan)}, aside = {0.0, cos(fan), -sin(fan)};
    double flexion_deg = DEG_PER_RAD * atan2(bones[0].x, dot(bones[0], ahead));
    // no finger bends back by more than a right angle: beyond that it is bent forward
    out_deg[TN_MOTION_MCP] = flexion_deg < -90.0 ? flexion_deg + 360.0 : flexion_deg;
    // asin keeps its meaning on a bent finger, where an angle in the plane has none
    out_deg[TN_MOTION_TILT] = DEG_PER_RAD * asin(fmin(1.0, fmax(-1.0, dot(bones[0], aside))));
    out_deg[TN_MOTION_PIP] = angle_between_deg(bones[0], bones[1]);
    out_deg[TN_MOTION_DIP] = angle_between_deg(bones[1], bones[2]);
}

static void thumb_angles(const struct vec bones[3], double *out_deg)
{
    // the hand model's rest metacarpal and its two axes, an orthonormal triad, in palm axes
    static const struct vec rest = {0.3004, 0.7220, 0.6204};
    static const struct vec tilt_axis = {-0.4047, 0.6870, -0.6036};
    static const struct vec flex_axis = {0.8634, 0.0697, -0.4995};
    // metacarpal = R(tilt) R(cmc) rest: the part along the tilt axis is made by cmc alone
    double along = dot(bones[0], tilt_axis) * dot(cross(flex_axis, rest), tilt_axis);
    out_deg[TN_MOTION_THUMB_CMC] = DEG_PER_RAD * asin(fmin(1.0, fmax(-1.0, along)));
    out_deg[TN_MOTION_THUMB_TILT] =
        DEG_PER_RAD * atan2(dot(bones[0], cross(tilt_axis, rest)), dot(bones[0], rest));
    out_deg[TN_MOTION_THUMB_MCP] = angle_between_deg(bones[0], bones[1]);
    out_deg[TN_MOTION_THUMB_IP] = angle_between_deg(bones[1], bones[2]);
}

static struct tn_motion_points as_right_hand(const struct tn_motion_points *points,
                                             enum tn_side side)
{
    struct tn_motion_points right = *points;
    for (unsigned i = 0; side == TN_SIDE_LEFT && i < TN_MOTION_POINTS; i++)
        right.point_m[i][1] = -right.point_m[i][1];
    return right;
}

enum tn_result tn_motion_points_to_pose(const struct tn_motion_points *points, enum tn_side side,
                                        struct tn_motion_pose *out_pose)
{
    if (side != TN_SIDE_LEFT && side != TN_SIDE_RIGHT)
        return TN_ERR_WRONG_SIDE;
    struct tn_motion_points right = as_right_hand(points, side);
    struct frame palm = palm_frame(&right);
    if (!palm.is_valid)
        return TN_ERR_MALFORMED;
    struct tn_motion_pose pose;
    for (unsigned finger = 0; finger < TN_MOTION_FINGERS; finger++) {
        struct vec bones[3];
        double *angles = &pose.angle_deg[finger * TN_MOTION_PER_FINGER];
        if (!finger_bones(&right, &palm, 1 + 4 * finger, bones))
            return TN_ERR_MALFORMED;
        if (finger == 0)
            thumb_angles(bones, angles);
        else
            finger_angles(finger, bones, angles);
    }
    *out_pose = pose;
    return TN_OK;
}
