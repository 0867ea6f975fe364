// SPDX-License-Identifier: Apache-2.0
#include "devices/motion/script.h"

#include <math.h>
#include <stddef.h>

#include "base/compat.h"

// angles of one finger in degrees: thumb cmc, mcp, ip, tilt; other fingers mcp, pip, dip, tilt
struct finger_pose {
    double angle_deg[TN_MOTION_PER_FINGER];
};

struct key {
    double move_s, hold_s; // time to reach the pose and time to stay
    unsigned char finger[TN_MOTION_FINGERS];
};

// thumb poses
enum { T_REST, T_WIDE, T_FOLDED, T_PINCH_INDEX, T_PINCH_MIDDLE, T_PINCH_RING, T_PINCH_LITTLE };
static const struct finger_pose thumb_poses[] = {
    [T_REST] = {{4.0, 11.0, 16.0, 0.0}},           [T_WIDE] = {{-6.0, -3.0, -3.0, -22.0}},
    [T_FOLDED] = {{26.0, 50.0, 77.0, 27.0}},       [T_PINCH_INDEX] = {{10.0, 16.0, 28.0, 20.0}},
    [T_PINCH_MIDDLE] = {{15.0, 19.0, 32.0, 23.0}}, [T_PINCH_RING] = {{20.0, 25.0, 36.0, 26.0}},
    [T_PINCH_LITTLE] = {{26.0, 33.0, 40.0, 28.0}},
};

// poses of the other fingers; the tilt is that of the index finger
enum { F_REST, F_STRAIGHT, F_WIDE, F_BENT, F_PINCH, F_HALF };
static const struct finger_pose finger_poses[] = {
    [F_REST] = {{16.0, 22.0, 14.0, 0.0}},   [F_STRAIGHT] = {{-2.0, 2.0, 1.0, 2.0}},
    [F_WIDE] = {{-7.0, -1.0, -1.0, 14.0}},  [F_BENT] = {{85.0, 102.0, 72.0, -1.0}},
    [F_PINCH] = {{50.0, 62.0, 31.0, -2.0}}, [F_HALF] = {{40.0, 50.0, 31.0, 0.0}},
};

// tilt is toward the thumb: fingers on the little finger's side spread the other way
static const double spread_share[TN_MOTION_FINGERS] = {1.0, 1.0, 0.1, -0.7, -1.2};

static const struct key keys[] = {
    {0.60, 0.50, {T_REST, F_REST, F_REST, F_REST, F_REST}},
    {0.55, 0.30, {T_WIDE, F_WIDE, F_WIDE, F_WIDE, F_WIDE}},
    {0.65, 0.40, {T_FOLDED, F_BENT, F_BENT, F_BENT, F_BENT}},
    // one to five
    {0.45, 0.35, {T_FOLDED, F_STRAIGHT, F_BENT, F_BENT, F_BENT}},
    {0.40, 0.35, {T_FOLDED, F_STRAIGHT, F_STRAIGHT, F_BENT, F_BENT}},
    {0.40, 0.35, {T_FOLDED, F_STRAIGHT, F_STRAIGHT, F_STRAIGHT, F_BENT}},
    {0.40, 0.35, {T_FOLDED, F_STRAIGHT, F_STRAIGHT, F_STRAIGHT, F_STRAIGHT}},
    {0.45, 0.40, {T_WIDE, F_WIDE, F_WIDE, F_WIDE, F_WIDE}},
    // a pinch per finger
    {0.50, 0.25, {T_PINCH_INDEX, F_PINCH, F_REST, F_REST, F_REST}},
    {0.45, 0.25, {T_PINCH_MIDDLE, F_REST, F_PINCH, F_REST, F_REST}},
    {0.45, 0.25, {T_PINCH_RING, F_REST, F_REST, F_PINCH, F_HALF}},
    {0.45, 0.25, {T_PINCH_LITTLE, F_REST, F_REST, F_HALF, F_PINCH}},
    {0.55, 0.40, {T_FOLDED, F_BENT, F_BENT, F_BENT, F_BENT}},
    {0.60, 0.35, {T_WIDE, F_WIDE, F_WIDE, F_WIDE, F_WIDE}},
    // a wave from the index to the little finger
    {0.35, 0.00, {T_REST, F_BENT, F_HALF, F_STRAIGHT, F_STRAIGHT}},
    {0.30, 0.00, {T_REST, F_HALF, F_BENT, F_HALF, F_STRAIGHT}},
    {0.30, 0.00, {T_REST, F_STRAIGHT, F_HALF, F_BENT, F_HALF}},
    {0.30, 0.00, {T_REST, F_STRAIGHT, F_STRAIGHT, F_HALF, F_BENT}},
};

// fingers lag behind each other, distal joints behind proximal ones
static const double finger_lag_s[TN_MOTION_FINGERS] = {0.030, 0.0, 0.018, 0.034, 0.052};
static const double joint_lag_s[TN_MOTION_PER_FINGER] = {0.0, 0.012, 0.022, 0.006};

double tn_motion_script_period_s(void)
{
    double period_s = 0.0;
    for (size_t i = 0; i < TN_ARRAY_SIZE(keys); i++)
        period_s += keys[i].move_s + keys[i].hold_s;
    return period_s;
}

static double key_angle_deg(size_t key, unsigned slot)
{
    unsigned finger = slot / TN_MOTION_PER_FINGER, joint = slot % TN_MOTION_PER_FINGER;
    unsigned pose = keys[key].finger[finger];
    if (finger == 0)
        return thumb_poses[pose].angle_deg[joint];
    double angle_deg = finger_poses[pose].angle_deg[joint];
    return joint == TN_MOTION_TILT ? angle_deg * spread_share[finger] : angle_deg;
}

// fraction of a minimum-jerk way after the fraction x of its time
static double minimum_jerk(double x)
{
    return x * x * x * (10.0 + x * (-15.0 + 6.0 * x));
}

static double sample_slot(unsigned slot, double time_s)
{
    // the first key is reached at time 0: the script starts in its hold, not on its way
    double t =
        time_s <= 0.0 ? keys[0].move_s : fmod(time_s + keys[0].move_s, tn_motion_script_period_s());
    size_t n = TN_ARRAY_SIZE(keys), i = 0;
    while (i + 1 < n && t >= keys[i].move_s + keys[i].hold_s) {
        t -= keys[i].move_s + keys[i].hold_s;
        i++;
    }
    double to = key_angle_deg(i, slot);
    if (t >= keys[i].move_s)
        return to;
    double from = key_angle_deg((i + n - 1) % n, slot);
    return from + (to - from) * minimum_jerk(t / keys[i].move_s);
}

void tn_motion_script_sample(enum tn_side side, double time_s, struct tn_motion_pose *out_pose)
{
    double lag_s = side == TN_SIDE_LEFT ? TN_MOTION_LEFT_LAG_S : 0.0;
    for (unsigned slot = 0; slot < TN_MOTION_ANGLES; slot++) {
        double slot_lag_s =
            finger_lag_s[slot / TN_MOTION_PER_FINGER] + joint_lag_s[slot % TN_MOTION_PER_FINGER];
        out_pose->angle_deg[slot] = sample_slot(slot, time_s - lag_s - slot_lag_s);
    }
}
