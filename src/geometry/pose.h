// SPDX-License-Identifier: Apache-2.0
/// @file
/// Poses and the six-component pairs of a rigid body.
///
/// `T_a_b` is the pose of frame b in frame a: T_a_c = compose(T_a_b, T_b_c), p_a = apply(T_a_b,
/// p_b).
#ifndef TN_GEOMETRY_POSE_H
#define TN_GEOMETRY_POSE_H

#include <stdbool.h>

#include "geometry/quat.h"
#include "geometry/vec3.h"

struct tn_pose {
    struct tn_vec3 p; ///< position, m
    struct tn_quat q; ///< orientation, unit
};

/// Velocity of a rigid body.
struct tn_twist {
    struct tn_vec3 linear;  ///< m/s
    struct tn_vec3 angular; ///< rad/s
};

/// Force and torque on a rigid body.
struct tn_wrench {
    struct tn_vec3 force;  ///< N
    struct tn_vec3 torque; ///< N m
};

/// @return the pose that does nothing. Thread: any. Allocates: never. Blocks: never.
struct tn_pose tn_pose_identity(void);

/// @return T_a_c. Thread: any. Allocates: never. Blocks: never.
struct tn_pose tn_pose_compose(struct tn_pose T_a_b, struct tn_pose T_b_c);

/// @return T_b_a. Thread: any. Allocates: never. Blocks: never.
struct tn_pose tn_pose_inverse(struct tn_pose T_a_b);

/// @return the point p_b expressed in frame a. Thread: any. Allocates: never. Blocks: never.
struct tn_vec3 tn_pose_apply(struct tn_pose T_a_b, struct tn_vec3 p_b);

/// @return the pose `share` of the way from a to b: position on the line, orientation by slerp.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_pose tn_pose_interpolate(struct tn_pose a, struct tn_pose b, double share);

/// @return true when no component is NaN or infinite. Thread: any. Allocates: never. Blocks: never.
bool tn_pose_is_finite(struct tn_pose pose);

/// Moves the point a twist is about from the origin of b to the origin of a, and its components
/// from b to a (the adjoint map).
/// @return the twist in frame a. Thread: any. Allocates: never. Blocks: never.
struct tn_twist tn_twist_transform(struct tn_pose T_a_b, struct tn_twist twist_b);

/// The dual of tn_twist_transform(): power is the same in both frames.
/// @return the wrench in frame a. Thread: any. Allocates: never. Blocks: never.
struct tn_wrench tn_wrench_transform(struct tn_pose T_a_b, struct tn_wrench wrench_b);

#endif
