// SPDX-License-Identifier: Apache-2.0
/// @file
/// Unit quaternions in the order x, y, z, w, Hamilton product: q_ab * q_bc = q_ac, and
/// tn_quat_rotate(q_ab, v_b) = v_a. q and -q are the same rotation.
///
/// Functions expect unit quaternions and keep them so to rounding; what comes from outside goes
/// through tn_quat_normalize() first, which refuses what is no rotation.
#ifndef TN_GEOMETRY_QUAT_H
#define TN_GEOMETRY_QUAT_H

#include <stdbool.h>

#include "base/compat.h"
#include "geometry/vec3.h"

struct tn_quat {
    double x, y, z, w;
};

/// Smallest norm that is still taken for a rotation.
#define TN_QUAT_MIN_NORM 1e-6

/// @return the rotation that does nothing. Thread: any. Allocates: never. Blocks: never.
static inline struct tn_quat tn_quat_identity(void)
{
    return (struct tn_quat){0, 0, 0, 1};
}

/// @return the opposite rotation. Thread: any. Allocates: never. Blocks: never.
static inline struct tn_quat tn_quat_conjugate(struct tn_quat q)
{
    return (struct tn_quat){-q.x, -q.y, -q.z, q.w};
}

/// @return the four-component scalar product; its sign tells whether a and b are on one half of the
/// sphere. Thread: any. Allocates: never. Blocks: never.
static inline double tn_quat_dot(struct tn_quat a, struct tn_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// @return true when no component is NaN or infinite. Thread: any. Allocates: never. Blocks: never.
static inline bool tn_quat_is_finite(struct tn_quat q)
{
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

/// Scales to norm 1.
/// @return true; false and nothing written when the norm is below TN_QUAT_MIN_NORM or not finite.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD bool tn_quat_normalize(struct tn_quat q, struct tn_quat *out_unit);

/// @return q scaled to norm 1, the identity when that is impossible (for values made here, not for
/// input). Thread: any. Allocates: never. Blocks: never.
struct tn_quat tn_quat_normalized(struct tn_quat q);

/// @return the Hamilton product a * b: first b, then a. Thread: any. Allocates: never. Blocks:
/// never.
struct tn_quat tn_quat_mul(struct tn_quat a, struct tn_quat b);

/// @return v rotated by q. Thread: any. Allocates: never. Blocks: never.
struct tn_vec3 tn_quat_rotate(struct tn_quat q, struct tn_vec3 v);

/// @return the rotation by `angle_rad` about `axis` (any length; without a direction: the
/// identity). Thread: any. Allocates: never. Blocks: never.
struct tn_quat tn_quat_from_axis_angle(struct tn_vec3 axis, double angle_rad);

/// @return the rotation whose axis is the direction and whose angle is the length of `v_rad`; exact
/// near 0. Thread: any. Allocates: never. Blocks: never.
struct tn_quat tn_quat_from_rotation_vector(struct tn_vec3 v_rad);

/// @return the rotation vector of q, at most pi rad long. Thread: any. Allocates: never. Blocks:
/// never.
struct tn_vec3 tn_quat_to_rotation_vector(struct tn_quat q);

/// @return the rotation of URDF's roll, pitch, yaw: about the fixed axes x, then y, then z. Thread:
/// any. Allocates: never. Blocks: never.
struct tn_quat tn_quat_from_rpy(double roll_rad, double pitch_rad, double yaw_rad);

/// The inverse of tn_quat_from_rpy(); pitch within +-pi/2, at its ends yaw is 0.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_quat_to_rpy(struct tn_quat q, double *out_roll_rad, double *out_pitch_rad,
                    double *out_yaw_rad);

/// @return the rotation `share` of the shorter way from a to b, at constant speed. Thread: any.
/// Allocates: never. Blocks: never.
struct tn_quat tn_quat_slerp(struct tn_quat a, struct tn_quat b, double share);

/// @return the angle of the rotation from a to b, 0..pi rad, exact near both ends. Thread: any.
/// Allocates: never. Blocks: never.
double tn_quat_angle(struct tn_quat a, struct tn_quat b);

#endif
