// SPDX-License-Identifier: Apache-2.0
#include "model/kinematics.h"

#include <math.h>

/// From here on the x axis of a planar joint counts as its normal.
#define NORMAL_IS_X 0.999999

void tn_model_joint_pose(const struct tn_model_joint *joint, double q,
                         struct tn_pose *out_T_parent_child)
{
    struct tn_pose T = joint->T_parent_child;
    switch (joint->type) {
    case TN_JOINT_REVOLUTE:
    case TN_JOINT_CONTINUOUS: {
        // the axis is unit: tn_quat_from_axis_angle() would measure it again
        double s = sin(0.5 * q);
        struct tn_quat turn = {joint->axis.x * s, joint->axis.y * s, joint->axis.z * s,
                               cos(0.5 * q)};
        T.q = tn_quat_mul(T.q, turn);
        break;
    }
    case TN_JOINT_PRISMATIC:
        T.p = tn_vec3_add_scaled(T.p, tn_quat_rotate(T.q, joint->axis), q);
        break;
    case TN_JOINT_FIXED:
    case TN_JOINT_PLANAR:
    case TN_JOINT_FLOATING:
        break;
    }
    *out_T_parent_child = T;
}

void tn_model_complete(const struct tn_model *model, double *positions)
{
    // a source mimics nobody, so that none of them is overwritten
    for (uint32_t j = 0; j < model->n_joints; j++)
        if (model->joints[j].source_joint != j)
            positions[j] = tn_model_position(model, j, positions);
}

void tn_model_fk(const struct tn_model *model, const double *positions,
                 const struct tn_pose *free_poses, struct tn_pose *out_T_root_links)
{
    out_T_root_links[0] = tn_pose_identity();
    for (uint32_t j = 0; j < model->n_joints; j++) {
        const struct tn_model_joint *joint = &model->joints[j];
        struct tn_pose T_parent_child;
        tn_model_joint_pose(joint, tn_model_position(model, j, positions), &T_parent_child);
        if (joint->free_index != TN_MODEL_NONE && free_poses)
            T_parent_child = tn_pose_compose(T_parent_child, free_poses[joint->free_index]);
        out_T_root_links[j + 1] =
            tn_pose_compose(out_T_root_links[joint->parent_link], T_parent_child);
    }
}

struct tn_pose tn_model_planar_pose(const struct tn_model_joint *joint, double x_m, double y_m,
                                    double turn_rad)
{
    struct tn_vec3 n = joint->axis;
    struct tn_vec3 along = fabs(n.x) > NORMAL_IS_X ? tn_vec3(0, 1, 0) : tn_vec3(1, 0, 0);
    struct tn_vec3 x = tn_vec3_add_scaled(along, n, -tn_vec3_dot(along, n));
    x = tn_vec3_scale(x, 1 / tn_vec3_norm(x));
    struct tn_vec3 y = tn_vec3_cross(n, x);
    return (struct tn_pose){tn_vec3_add_scaled(tn_vec3_scale(x, x_m), y, y_m),
                            tn_quat_from_axis_angle(n, turn_rad)};
}

struct tn_pose tn_model_pose_between(const struct tn_pose *T_root_links, uint32_t link_a,
                                     uint32_t link_b)
{
    return tn_pose_compose(tn_pose_inverse(T_root_links[link_a]), T_root_links[link_b]);
}

// what one joint at velocity 1 does to a point p of the root link that hangs on it
static struct tn_twist joint_twist(const struct tn_model_joint *joint,
                                   const struct tn_pose *T_root_links, struct tn_vec3 p)
{
    const struct tn_pose *T_root_child = &T_root_links[joint->child_link];
    // the axis is the same before and after the motion
    struct tn_vec3 axis = tn_quat_rotate(T_root_child->q, joint->axis);
    if (joint->type == TN_JOINT_PRISMATIC)
        return (struct tn_twist){axis, tn_vec3(0, 0, 0)};
    return (struct tn_twist){tn_vec3_cross(axis, tn_vec3_sub(p, T_root_child->p)), axis};
}

void tn_model_jacobian(const struct tn_model *model, const struct tn_pose *T_root_links,
                       uint32_t link, struct tn_vec3 p_link, struct tn_twist *out_columns)
{
    for (uint32_t d = 0; d < model->n_dofs; d++)
        out_columns[d] = (struct tn_twist){tn_vec3(0, 0, 0), tn_vec3(0, 0, 0)};
    struct tn_vec3 p = tn_pose_apply(T_root_links[link], p_link);
    for (uint32_t j = model->links[link].parent_joint; j != TN_MODEL_NONE;
         j = model->links[model->joints[j].parent_link].parent_joint) {
        const struct tn_model_joint *joint = &model->joints[j];
        if (joint->dof == TN_MODEL_NONE)
            continue;
        struct tn_twist twist = joint_twist(joint, T_root_links, p);
        struct tn_twist *column = &out_columns[joint->dof];
        double share = joint->source_multiplier;
        column->linear = tn_vec3_add_scaled(column->linear, twist.linear, share);
        column->angular = tn_vec3_add_scaled(column->angular, twist.angular, share);
    }
}

void tn_model_position_jacobian(const struct tn_model *model, const struct tn_pose *T_root_links,
                                uint32_t link, struct tn_vec3 p_link, struct tn_vec3 *out_columns)
{
    for (uint32_t d = 0; d < model->n_dofs; d++)
        out_columns[d] = tn_vec3(0, 0, 0);
    struct tn_vec3 p = tn_pose_apply(T_root_links[link], p_link);
    for (uint32_t j = model->links[link].parent_joint; j != TN_MODEL_NONE;
         j = model->links[model->joints[j].parent_link].parent_joint) {
        const struct tn_model_joint *joint = &model->joints[j];
        if (joint->dof == TN_MODEL_NONE)
            continue;
        struct tn_vec3 *column = &out_columns[joint->dof];
        *column = tn_vec3_add_scaled(*column, joint_twist(joint, T_root_links, p).linear,
                                     joint->source_multiplier);
    }
}

// the link one step towards the root
static uint32_t parent_of(const struct tn_model *model, uint32_t link)
{
    return model->joints[model->links[link].parent_joint].parent_link;
}

uint32_t tn_model_common_link(const struct tn_model *model, uint32_t link_a, uint32_t link_b)
{
    // a link's range holds exactly what hangs on it
    while (link_b < link_a || link_b >= model->links[link_a].subtree_end)
        link_a = parent_of(model, link_a);
    return link_a;
}

uint32_t tn_model_chain(const struct tn_model *model, uint32_t link_a, uint32_t link_b,
                        uint32_t max, uint32_t *out_joints, uint32_t *out_n_up)
{
    uint32_t common = tn_model_common_link(model, link_a, link_b);
    uint32_t n = 0;
    for (uint32_t link = link_a; link != common; link = parent_of(model, link), n++)
        if (n < max)
            out_joints[n] = model->links[link].parent_joint;
    if (out_n_up)
        *out_n_up = n;
    // the way down is met from its end
    uint32_t end = n;
    for (uint32_t link = link_b; link != common; link = parent_of(model, link))
        end++;
    n = end;
    for (uint32_t link = link_b; link != common; link = parent_of(model, link))
        if (--n < max)
            out_joints[n] = model->links[link].parent_joint;
    return end;
}
