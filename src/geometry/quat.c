// SPDX-License-Identifier: Apache-2.0
#include "geometry/quat.h"

// rotations closer than this are interpolated on a straight line: the sine would be rounding only
#define SLERP_MIN_SINE 1e-6

static struct tn_quat scale(struct tn_quat q, double factor)
{
    return (struct tn_quat){q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

bool tn_quat_normalize(struct tn_quat q, struct tn_quat *out_unit)
{
    const double norm = sqrt(tn_quat_dot(q, q));
    if (!isfinite(norm) || norm < TN_QUAT_MIN_NORM)
        return false;
    *out_unit = scale(q, 1 / norm);
    return true;
}

struct tn_quat tn_quat_normalized(struct tn_quat q)
{
    struct tn_quat unit = tn_quat_identity();
    (void)!tn_quat_normalize(q, &unit);
    return unit;
}

struct tn_quat tn_quat_mul(struct tn_quat a, struct tn_quat b)
{
    return (struct tn_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// v + 2 w (u x v) + 2 u x (u x v), u the vector part
struct tn_vec3 tn_quat_rotate(struct tn_quat q, struct tn_vec3 v)
{
    const struct tn_vec3 u = tn_vec3(q.x, q.y, q.z);
    const struct tn_vec3 t = tn_vec3_scale(tn_vec3_cross(u, v), 2);
    return tn_vec3_add(tn_vec3_add_scaled(v, t, q.w), tn_vec3_cross(u, t));
}

struct tn_quat tn_quat_from_axis_angle(struct tn_vec3 axis, double angle_rad)
{
    struct tn_vec3 unit;
    if (!tn_vec3_normalize(axis, &unit))
        return tn_quat_identity();
    const double s = sin(angle_rad / 2);
    return (struct tn_quat){unit.x * s, unit.y * s, unit.z * s, cos(angle_rad / 2)};
}

struct tn_quat tn_quat_from_rotation_vector(struct tn_vec3 v_rad)
{
    const double angle_rad = tn_vec3_norm(v_rad);
    // sin(a/2)/a, by its series where the quotient loses its digits
    const double factor =
        angle_rad > 1e-4 ? sin(angle_rad / 2) / angle_rad : 0.5 - angle_rad * angle_rad / 48;
    return (struct tn_quat){v_rad.x * factor, v_rad.y * factor, v_rad.z * factor,
                            cos(angle_rad / 2)};
}

struct tn_vec3 tn_quat_to_rotation_vector(struct tn_quat q)
{
    // of q and -q the one with the shorter way
    const struct tn_quat shorter = q.w < 0 ? scale(q, -1) : q;
    const struct tn_vec3 u = tn_vec3(shorter.x, shorter.y, shorter.z);
    const double s = tn_vec3_norm(u);
    const double factor = s > 1e-9 ? 2 * atan2(s, shorter.w) / s : 2;
    return tn_vec3_scale(u, factor);
}

struct tn_quat tn_quat_from_rpy(double roll_rad, double pitch_rad, double yaw_rad)
{
    const double cr = cos(roll_rad / 2), sr = sin(roll_rad / 2);
    const double cp = cos(pitch_rad / 2), sp = sin(pitch_rad / 2);
    const double cy = cos(yaw_rad / 2), sy = sin(yaw_rad / 2);
    return (struct tn_quat){sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
                            cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy};
}

void tn_quat_to_rpy(struct tn_quat q, double *out_roll_rad, double *out_pitch_rad,
                    double *out_yaw_rad)
{
    const double sine = 2 * (q.w * q.y - q.z * q.x);
    if (fabs(sine) > 1 - 1e-12) {
        // roll and yaw turn about the same axis here; all of it is given to roll
        *out_pitch_rad = copysign(acos(0), sine);
        *out_roll_rad = 2 * atan2(q.x, q.w);
        *out_yaw_rad = 0;
        return;
    }
    *out_pitch_rad = asin(sine);
    *out_roll_rad = atan2(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y));
    *out_yaw_rad = atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
}

static struct tn_quat blend(struct tn_quat a, double share_a, struct tn_quat b, double share_b)
{
    return (struct tn_quat){share_a * a.x + share_b * b.x, share_a * a.y + share_b * b.y,
                            share_a * a.z + share_b * b.z, share_a * a.w + share_b * b.w};
}

struct tn_quat tn_quat_slerp(struct tn_quat a, struct tn_quat b, double share)
{
    const struct tn_quat near_b = tn_quat_dot(a, b) < 0 ? scale(b, -1) : b;
    // half of the rotation angle: the angle between the two on the sphere
    const double angle = tn_quat_angle(a, near_b) / 2;
    const double sine = sin(angle);
    if (sine < SLERP_MIN_SINE)
        return tn_quat_normalized(blend(a, 1 - share, near_b, share));
    return tn_quat_normalized(
        blend(a, sin((1 - share) * angle) / sine, near_b, sin(share * angle) / sine));
}

double tn_quat_angle(struct tn_quat a, struct tn_quat b)
{
    const struct tn_quat d = tn_quat_mul(tn_quat_conjugate(a), b);
    return 2 * atan2(tn_vec3_norm(tn_vec3(d.x, d.y, d.z)), fabs(d.w));
}
