// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where the links of a model are, and how they move with its joints.
///
/// Positions are an array by joint index (n_joints), rad or m. What belongs to fixed, planar,
/// floating and mimic joints in it is never read: mimics follow their source. Poses of planar and
/// floating joints are an array by `free_index` (n_free), or NULL when all are at their origin.
///
/// Nothing is checked for NaN: positions come from code that checked them at its border, and what
/// is not finite comes out as poses that are not finite (tn_pose_is_finite()).
#ifndef TN_MODEL_KINEMATICS_H
#define TN_MODEL_KINEMATICS_H

#include "model/model.h"

/// What one joint stands at: the position of its source through the folded mimic.
/// @param positions   (n_joints)
/// @return rad or m; 0 for a joint that has no position.
/// Thread: any. Allocates: never. Blocks: never.
static inline double tn_model_position(const struct tn_model *model, uint32_t joint,
                                       const double *positions)
{
    const struct tn_model_joint *j = &model->joints[joint];
    if (j->source_joint == TN_MODEL_NONE)
        return j->source_offset;
    return j->source_multiplier * positions[j->source_joint] + j->source_offset;
}

/// Writes what mimic joints stand at into their own places, so that an array of positions of the
/// free joints becomes one of all joints (joints without a position: 0).
/// @param positions   (n_joints), changed in place
/// @return nothing. Thread: any, one writer. Allocates: never. Blocks: never. Cost: O(n_joints).
void tn_model_complete(const struct tn_model *model, double *positions);

/// Forward kinematics of all links in one pass.
/// @param positions          (n_joints)
/// @param free_poses         (n_free) motion of planar and floating joints after their origin, or
///                           NULL: none moved
/// @param out_T_root_links   (n_links) pose of each link in the root link; the root's is the
///                           identity
/// @return nothing. Thread: any. Allocates: never. Blocks: never. Cost: O(n_links).
void tn_model_fk(const struct tn_model *model, const double *positions,
                 const struct tn_pose *free_poses, struct tn_pose *out_T_root_links);

/// The motion of a planar joint: first (x, y) in its plane, then a turn about its axis. The plane's
/// x is the child's x axis laid into the plane (its y axis when x is the normal), y = axis cross x;
/// with the usual axis (0, 0, 1) these are the child's own x and y.
/// @param x_m, y_m, turn_rad   in the frame of the joint's origin
/// @return the pose for free_poses. Thread: any. Allocates: never. Blocks: never.
struct tn_pose tn_model_planar_pose(const struct tn_model_joint *joint, double x_m, double y_m,
                                    double turn_rad);

/// @param T_root_links   of tn_model_fk()
/// @return T_a_b, the pose of link b in link a. Thread: any. Allocates: never. Blocks: never.
struct tn_pose tn_model_pose_between(const struct tn_pose *T_root_links, uint32_t link_a,
                                     uint32_t link_b);

/// Geometric Jacobian of a point of a link, expressed in the root link: linear and angular velocity
/// per velocity of each free position, mimics added to the column of their source times their
/// multiplier. Planar and floating joints count as held.
/// @param T_root_links   (n_links) of tn_model_fk() at these positions
/// @param link           whose motion
/// @param p_link         the point that moves with it, in its frame, m
/// @param out_columns    (n_dofs) twist per rad/s or m/s of each free position; the 6 x n_dofs
///                       matrix column by column
/// @return nothing. Thread: any. Allocates: never. Blocks: never. Cost: O(n_dofs + depth).
void tn_model_jacobian(const struct tn_model *model, const struct tn_pose *T_root_links,
                       uint32_t link, struct tn_vec3 p_link, struct tn_twist *out_columns);

/// The upper half of tn_model_jacobian(): linear velocities only.
/// @param out_columns   (n_dofs) m/s per rad/s or m/s of each free position; the 3 x n_dofs matrix
///                      column by column
/// @return nothing. Thread: any. Allocates: never. Blocks: never. Cost: O(n_dofs + depth).
void tn_model_position_jacobian(const struct tn_model *model, const struct tn_pose *T_root_links,
                                uint32_t link, struct tn_vec3 p_link, struct tn_vec3 *out_columns);

/// @return the deepest link that both hang on (or are).
/// Thread: any. Allocates: never. Blocks: never. Cost: O(depth).
uint32_t tn_model_common_link(const struct tn_model *model, uint32_t link_a, uint32_t link_b);

/// The joints on the way between two links: first up from link_a to the common link, each joint
/// against its direction, then down to link_b.
/// @param out_joints   (max) may be NULL when max is 0
/// @param out_n_up     how many of them go up; may be NULL
/// @return how many joints the way has; when more than max, only the first max are written.
/// Thread: any. Allocates: never. Blocks: never. Cost: O(depth).
uint32_t tn_model_chain(const struct tn_model *model, uint32_t link_a, uint32_t link_b,
                        uint32_t max, uint32_t *out_joints, uint32_t *out_n_up);

#endif
