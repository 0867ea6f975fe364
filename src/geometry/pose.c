// SPDX-License-Identifier: Apache-2.0
#include "geometry/pose.h"

struct tn_pose tn_pose_identity(void)
{
    return (struct tn_pose){.p = tn_vec3(0, 0, 0), .q = tn_quat_identity()};
}

struct tn_pose tn_pose_compose(struct tn_pose T_a_b, struct tn_pose T_b_c)
{
    return (struct tn_pose){.p = tn_pose_apply(T_a_b, T_b_c.p), .q = tn_quat_mul(T_a_b.q, T_b_c.q)};
}

struct tn_pose tn_pose_inverse(struct tn_pose T_a_b)
{
    const struct tn_quat q_b_a = tn_quat_conjugate(T_a_b.q);
    return (struct tn_pose){.p = tn_vec3_scale(tn_quat_rotate(q_b_a, T_a_b.p), -1), .q = q_b_a};
}

struct tn_vec3 tn_pose_apply(struct tn_pose T_a_b, struct tn_vec3 p_b)
{
    return tn_vec3_add(T_a_b.p, tn_quat_rotate(T_a_b.q, p_b));
}

struct tn_pose tn_pose_interpolate(struct tn_pose a, struct tn_pose b, double share)
{
    return (struct tn_pose){.p = tn_vec3_lerp(a.p, b.p, share),
                            .q = tn_quat_slerp(a.q, b.q, share)};
}

bool tn_pose_is_finite(struct tn_pose pose)
{
    return tn_vec3_is_finite(pose.p) && tn_quat_is_finite(pose.q);
}

struct tn_twist tn_twist_transform(struct tn_pose T_a_b, struct tn_twist twist_b)
{
    const struct tn_vec3 angular = tn_quat_rotate(T_a_b.q, twist_b.angular);
    const struct tn_vec3 linear = tn_quat_rotate(T_a_b.q, twist_b.linear);
    return (struct tn_twist){.linear = tn_vec3_add(linear, tn_vec3_cross(T_a_b.p, angular)),
                             .angular = angular};
}

struct tn_wrench tn_wrench_transform(struct tn_pose T_a_b, struct tn_wrench wrench_b)
{
    const struct tn_vec3 force = tn_quat_rotate(T_a_b.q, wrench_b.force);
    const struct tn_vec3 torque = tn_quat_rotate(T_a_b.q, wrench_b.torque);
    return (struct tn_wrench){.force = force,
                              .torque = tn_vec3_add(torque, tn_vec3_cross(T_a_b.p, force))};
}
