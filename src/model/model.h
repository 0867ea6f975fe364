// SPDX-License-Identifier: Apache-2.0
/// @file
/// A robot as URDF describes it: a tree of links held together by joints, constant once loaded.
///
/// One allocation holds everything, `struct tn_model` at its start; all pointers and views in it
/// live until tn_model_destroy(). Nothing in it is ever written again, so any number of threads may
/// read one model.
///
/// **Order.** Links and joints are sorted depth-first from the root, children in the order of the
/// file. Hence: link 0 is the root; joint j hangs link j + 1 onto a link with a smaller index, so
/// parents come before children; a link and all that hangs on it are the range
/// [link, links[link].subtree_end). Names, never indices, tie a model to anything outside it.
///
/// **Frames.** A link's frame is the frame of the joint that carries it. With q the position of
/// the joint, T_parent_link = T_parent_child * motion(q), where motion is a rotation about `axis`
/// (rad, revolute and continuous) or a shift along it (m, prismatic). Fixed joints do not move;
/// planar and floating joints take a pose of their own (model/kinematics.h). URDF's rpy is about
/// the fixed axes x, then y, then z.
///
/// What the loader accepts and refuses stands in docs/ros/urdf.md.
#ifndef TN_MODEL_MODEL_H
#define TN_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "geometry/pose.h"

/// No such link, joint, material, column.
#define TN_MODEL_NONE UINT32_MAX

/// Most links of a model. The largest public humanoids with hands have about 150; per link there
/// are a few hundred bytes.
#define TN_MODEL_MAX_LINKS 16384u
/// Warnings kept with a model; more are only counted.
#define TN_MODEL_MAX_WARNINGS 16u

enum tn_joint_type {
    TN_JOINT_FIXED,
    TN_JOINT_REVOLUTE,   ///< rad, within limits
    TN_JOINT_CONTINUOUS, ///< rad, without limits
    TN_JOINT_PRISMATIC,  ///< m, within limits
    TN_JOINT_PLANAR,     ///< two shifts and a turn in the plane normal to `axis`
    TN_JOINT_FLOATING    ///< any pose
};

/// <safety_controller>: where a controller begins to brake.
struct tn_model_safety {
    double soft_lower, soft_upper; ///< rad or m
    double k_position, k_velocity;
};

struct tn_model_joint {
    const char *name;
    enum tn_joint_type type;
    uint32_t parent_link;
    uint32_t child_link;           ///< always the joint's index + 1
    struct tn_pose T_parent_child; ///< <origin>: the joint at q = 0
    struct tn_vec3 axis;           ///< unit, in the child's frame; (1, 0, 0) when the file has none

    bool has_limits;     ///< lower and upper hold: revolute and prismatic always, others never
    double lower, upper; ///< rad or m, finite, lower <= upper; 0 without limits
    bool has_rates;      ///< the file has a <limit>: velocity and effort hold
    double velocity;     ///< rad/s or m/s, >= 0
    double effort;       ///< N m or N, >= 0

    bool is_mimic;           ///< q = mimic_multiplier * q(mimic_joint) + mimic_offset
    uint32_t mimic_joint;    ///< as written, may mimic another itself; TN_MODEL_NONE without
    double mimic_multiplier; ///< 1 without
    double mimic_offset;     ///< rad or m; 0 without

    /// The same with chains of mimics folded: q = source_multiplier * q(source_joint) +
    /// source_offset, where the source mimics nobody. A joint that mimics nobody is its own source
    /// with 1 and 0. TN_MODEL_NONE: the position is source_offset whatever anybody says (a fixed,
    /// planar or floating joint: 0; a mimic of a fixed joint).
    uint32_t source_joint;
    double source_multiplier, source_offset;
    /// Index among the positions that can be chosen freely (tn_model.dof_joints), for a mimic that
    /// of its source; TN_MODEL_NONE: none.
    uint32_t dof;
    /// Index among planar and floating joints (tn_model.free_joints); TN_MODEL_NONE: neither.
    uint32_t free_index;

    bool has_dynamics;
    double damping;  ///< N m s/rad or N s/m
    double friction; ///< N m or N
    bool has_safety;
    struct tn_model_safety safety;
    bool has_rising, has_falling; ///< <calibration>: positions of the edges of a reference
    double rising, falling;       ///< rad or m
    uint32_t document_index;      ///< which joint of the file this is, from 0
    uint32_t line;                ///< of the file, 0 = unknown
};

/// Mass and inertia about the centre of mass, in the axes of T_link_com.
struct tn_model_inertial {
    struct tn_pose T_link_com;
    double mass_kg;                      ///< >= 0
    double ixx, ixy, ixz, iyy, iyz, izz; ///< kg m^2
};

enum tn_model_shape {
    TN_SHAPE_BOX,      ///< size: whole edges, m
    TN_SHAPE_CYLINDER, ///< radius, length along z, m; origin in the middle
    TN_SHAPE_SPHERE,   ///< radius, m
    TN_SHAPE_CAPSULE,  ///< radius, length of the cylinder between the half spheres, along z, m
    TN_SHAPE_MESH      ///< mesh_uri, mesh_scale
};

struct tn_model_geometry {
    enum tn_model_shape shape;
    struct tn_vec3 size;
    double radius, length;
    const char *mesh_uri;      ///< as written ("package://…", "file://…"); NULL unless a mesh
    struct tn_vec3 mesh_scale; ///< per axis, not 0, negative mirrors; 1, 1, 1 by default
};

struct tn_model_material {
    const char *name; ///< "" for one written in place without a name
    bool has_color;
    double rgba[4];      ///< 0..1; opaque grey without a colour
    const char *texture; ///< as written; NULL without
};

struct tn_model_visual {
    const char *name; ///< "" without
    struct tn_pose T_link_visual;
    struct tn_model_geometry geometry;
    uint32_t material; ///< TN_MODEL_NONE without
};

struct tn_model_collision {
    const char *name; ///< "" without
    struct tn_pose T_link_collision;
    struct tn_model_geometry geometry;
};

struct tn_model_link {
    const char *name;
    uint32_t parent_joint; ///< TN_MODEL_NONE for the root
    uint32_t subtree_end;  ///< one behind the last link that hangs on this one
    bool has_inertial;
    struct tn_model_inertial inertial;
    uint32_t first_visual, n_visuals;       ///< in tn_model.visuals
    uint32_t first_collision, n_collisions; ///< in tn_model.collisions
    uint32_t document_index;                ///< which link of the file this is, from 0
    uint32_t line;                          ///< of the file, 0 = unknown
};

/// Something that is probably not meant, but does not stop the model from being used.
struct tn_model_warning {
    uint32_t line, column; ///< of the file, 0 = unknown
    char text[TN_ERROR_TEXT_MAX];
};

struct tn_model {
    const char *name;
    uint32_t n_links;
    uint32_t n_joints; ///< n_links - 1
    uint32_t n_visuals, n_collisions, n_materials;
    uint32_t n_dofs;                     ///< positions that can be chosen freely
    uint32_t n_free;                     ///< planar and floating joints
    uint32_t n_warnings;                 ///< in `warnings`, in the order of the checks
    uint32_t n_warnings_dropped;         ///< not kept
    uint32_t root_link;                  ///< always 0
    const struct tn_model_link *links;   ///< (n_links)
    const struct tn_model_joint *joints; ///< (n_joints), parents before children
    const struct tn_model_visual *visuals;
    const struct tn_model_collision *collisions;
    const struct tn_model_material *materials;
    const uint32_t *dof_joints;     ///< (n_dofs) joint of each free position, ascending
    const uint32_t *free_joints;    ///< (n_free) planar and floating joints, ascending
    const uint32_t *links_by_name;  ///< (n_links) sorted with strcmp
    const uint32_t *joints_by_name; ///< (n_joints)
    const struct tn_model_warning *warnings;
    size_t size; ///< bytes of the one allocation
};

/// Loads a URDF file.
/// @param out_model   receives the model, for tn_model_destroy(); untouched on error
/// @param err         file, line, column, what was found and how to mend it; may be NULL
/// @return as tn_model_parse(), and TN_ERR_IO or TN_ERR_NOT_FOUND when the file cannot be read.
/// Thread: any. Allocates: the model, and scratch that is free again on return. Blocks: on the
/// file.
TN_NODISCARD enum tn_result tn_model_load(const char *path, struct tn_model **out_model,
                                          struct tn_error *err);

/// Makes a model of the text of a URDF.
/// @param text, size   UTF-8, need not be NUL-terminated
/// @param file         how errors name the text; may be NULL
/// @return TN_OK; TN_ERR_SYNTAX: no XML, or a text that should be a number or a word of URDF;
///         TN_ERR_MALFORMED: an element or attribute is missing, or the links are no tree (two
///         roots, two parents, a cycle); TN_ERR_EXISTS: two links, joints or materials of one name;
///         TN_ERR_NOT_FOUND: a link or joint that is named but not there; TN_ERR_RANGE: a number
///         that cannot be (inverted limits, negative mass, zero axis, zero size, too large for a
///         double); TN_ERR_UNSUPPORTED: xacro that was not expanded, a version of URDF that is not
///         known; TN_ERR_LIMIT: hostile size; TN_ERR_NO_MEMORY; TN_ERR_INVALID_ARGUMENT.
/// Thread: any. Allocates: the model, and scratch that is free again on return. Blocks: never.
TN_NODISCARD enum tn_result tn_model_parse(const char *text, size_t size, const char *file,
                                           struct tn_model **out_model, struct tn_error *err);

/// Frees a model and sets the pointer to NULL; harmless on NULL and on a pointer to NULL.
/// @return nothing. Thread: one caller, nobody may still read. Allocates: never. Blocks: never.
void tn_model_destroy(struct tn_model **model);

/// @return the index of the link of that name, TN_MODEL_NONE when there is none or name is NULL.
/// Thread: any. Allocates: never. Blocks: never. Cost: O(log n).
uint32_t tn_model_find_link(const struct tn_model *model, const char *name);

/// @return the index of the joint of that name, TN_MODEL_NONE when there is none or name is NULL.
/// Thread: any. Allocates: never. Blocks: never. Cost: O(log n).
uint32_t tn_model_find_joint(const struct tn_model *model, const char *name);

/// The pose of the child link of one joint in its parent link.
/// @param q                    rad or m; not read for fixed, planar and floating joints, which are
///                             given at their origin
/// @param out_T_parent_child   receives T_parent_child * motion(q)
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_model_joint_pose(const struct tn_model_joint *joint, double q,
                         struct tn_pose *out_T_parent_child);

/// @return "fixed", "revolute", "continuous", "prismatic", "planar", "floating"; "?" for a number
/// that is none. Thread: any. Allocates: never. Blocks: never.
const char *tn_joint_type_name(enum tn_joint_type type);

#endif
