// SPDX-License-Identifier: Apache-2.0
/// @file
/// A parametrised human hand and its forward kinematics: angles in, nodes in the canonical frame
/// (hand/frame.h) out.
///
/// The model is constant after tn_hand_model_init(); any number of callers may share one. It is
/// made from a *shape*, which always describes a right hand; a left model is its exact mirror
/// image in the plane y = 0.
///
/// Chains, from the wrist outwards (a joint turns everything behind its node):
///
///     thumb    wrist - metacarpal [cmc_abd, cmc_flex, cmc_rot] - proximal [mcp] - distal [ip] -
///     tip finger   wrist - metacarpal - proximal [mcp_abd, mcp_flex] - intermediate [pip]
///              - distal [dip] - tip
///
/// Joints that share a node turn in the order written: the first one carries the others. Their
/// axes are given at rest (all angles 0) in the canonical frame.
///
/// Orientation of a node: at rest x points along the bone that begins there (to the next node
/// toward the tip), y is the flexion axis of that joint made square to x (of the next joint outward
/// for a finger's metacarpal, which has none), z = x × y is the back of the bone. So a positive
/// flexion turns x toward -z on both hands. A tip is oriented as its distal bone, the wrist as the
/// canonical frame. The palm node is not part of the model and always absent.
///
/// Limits describe the hand; they never clip a measurement.
#ifndef TN_HAND_MODEL_H
#define TN_HAND_MODEL_H

#include <stdint.h>

#include "hand/frame.h"

/// All nodes but the palm.
#define TN_HAND_MODEL_NODES 25
/// Validity bits of these nodes.
#define TN_HAND_MODEL_NODE_MASK ((UINT32_C(1) << TN_HAND_MODEL_NODES) - 1)
/// Shortest bone and greatest distance of a rest point from the wrist that a model accepts.
#define TN_HAND_MODEL_MIN_BONE_M  1e-3
#define TN_HAND_MODEL_MAX_REACH_M 0.4

/// One joint of a shape or model.
struct tn_hand_joint {
    struct tn_vec3
        axis; ///< at rest, canonical frame; positive rotation is the slot's positive sign
    double lower_rad, upper_rad;
};

/// What a right hand looks like at rest. Plain data, canonical frame; need not be normalised.
struct tn_hand_shape {
    struct tn_vec3 rest_m[TN_HAND_MODEL_NODES]; ///< the wrist is the origin
    struct tn_hand_joint joints[TN_HAND_ANGLES];
    uint32_t joint_mask; ///< bit s: the hand has joint s; the others' entries are not read
};

/// A hand of one side. Plain data, constant after tn_hand_model_init().
struct tn_hand_model {
    enum tn_side side;
    uint32_t joint_mask;                             ///< slots that tn_hand_fk() reads
    struct tn_vec3 rest_m[TN_HAND_MODEL_NODES];      ///< canonical frame
    struct tn_quat q_hand_rest[TN_HAND_MODEL_NODES]; ///< orientation of each node at rest
    struct tn_hand_joint joints[TN_HAND_ANGLES];     ///< axes normalised
};

/// The default hand: bone lengths of an adult (Buryanov & Kotiuk, Int. J. Morphol. 2010), 20
/// joints; it has no thumb_cmc_rot.
/// @return static data. Thread: any. Allocates: never. Blocks: never.
const struct tn_hand_shape *tn_hand_shape_default(void);

/// Makes a model of one side from a (right-hand) shape.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: side unknown or a joint in the mask that is no slot;
/// TN_ERR_NOT_FINITE; TN_ERR_RANGE: a bone shorter than TN_HAND_MODEL_MIN_BONE_M, a point farther
/// than TN_HAND_MODEL_MAX_REACH_M, an axis of no length, a flexion axis along its bone, a missing
/// flexion joint that orients a bone, or lower above upper. The model is unchanged on error.
/// Thread: one caller per model. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_hand_model_init(struct tn_hand_model *model,
                                               const struct tn_hand_shape *shape,
                                               enum tn_side side);

/// Forward kinematics. An angle that is not valid makes every node that it moves absent (also the
/// node at the joint, whose orientation is unknown); nothing is invented. Valid angles of joints
/// the model has not are not read. Any finite angle is accepted.
/// @param angles_rad       (TN_HAND_ANGLES) by slot; entries that are not valid are not read
/// @param angle_valid      bit s: angles_rad[s] is usable
/// @param out_nodes        (TN_HAND_NODES) absent ones get the identity pose
/// @param out_node_valid   bit i: out_nodes[i] is usable
/// @return TN_OK; TN_ERR_NOT_FINITE: a valid angle that the model reads is NaN or infinite, outputs
/// untouched. Thread: any. Allocates: never. Blocks: never. Cost: O(joints), 20 sine/cosine pairs.
TN_NODISCARD enum tn_result tn_hand_fk(const struct tn_hand_model *model, const double *angles_rad,
                                       uint32_t angle_valid, struct tn_pose *out_nodes,
                                       uint32_t *out_node_valid);

/// Least sum of bends that tells a side, metres.
#define TN_HAND_CHIRALITY_MIN_M 0.03

/// Tells left from right by the way the fingers bend: with n = (index_mcp - wrist) × (little_mcp -
/// wrist), the sum of n̂ · (tip - mcp) over the four fingers is positive for a right hand and
/// negative for a left one. The side field of the frame is not read.
/// @return the side that the nodes show; TN_SIDE_UNKNOWN: nodes absent, or bent by less than
/// TN_HAND_CHIRALITY_MIN_M. Fingers bent backwards read as the other hand: judge over time.
/// Thread: any. Allocates: never. Blocks: never.
enum tn_side tn_hand_chirality(const struct tn_hand_frame *frame);

/// The parent of a node in the chain above. @return its number; -1 for the wrist, the palm and
/// numbers that are no node. Thread: any. Allocates: never. Blocks: never.
int tn_hand_node_parent(unsigned node);

#endif
