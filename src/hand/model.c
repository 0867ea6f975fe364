// SPDX-License-Identifier: Apache-2.0
#include "hand/model.h"

#include <math.h>
#include <string.h>

#include "geometry/mat3.h"

#define BIT(slot) (UINT32_C(1) << (slot))

// least sine of the angle between a bone and its flexion axis
#define MIN_SINE 1e-3

// what turns at a node and where the node hangs
struct chain_node {
    int8_t parent;   // -1: the wrist itself
    int8_t next;     // toward the tip; -1 at a tip
    int8_t flexion;  // slot that gives y; -1: none
    int8_t slots[3]; // joints at this node, outermost carrier first; -1: none
};

#define FINGER(first, FLEX)                                                                        \
    [first] = {0, (first) + 1, FLEX, {-1, -1, -1}},                                                \
    [(first) + 1] = {first, (first) + 2, FLEX, {(FLEX) + 1, FLEX, -1}},                            \
    [(first) + 2] = {(first) + 1, (first) + 3, (FLEX) + 2, {(FLEX) + 2, -1, -1}},                  \
    [(first) + 3] = {(first) + 2, (first) + 4, (FLEX) + 3, {(FLEX) + 3, -1, -1}},                  \
    [(first) + 4] = {(first) + 3, -1, -1, {-1, -1, -1}}

// parents stand before their children
static const struct chain_node chain[TN_HAND_MODEL_NODES] = {
    [TN_NODE_WRIST] = {-1, -1, -1, {-1, -1, -1}},
    [TN_NODE_THUMB_METACARPAL] = {0,
                                  TN_NODE_THUMB_PROXIMAL,
                                  TN_ANGLE_THUMB_CMC_FLEX,
                                  {TN_ANGLE_THUMB_CMC_ABD, TN_ANGLE_THUMB_CMC_FLEX,
                                   TN_ANGLE_THUMB_CMC_ROT}},
    [TN_NODE_THUMB_PROXIMAL] = {TN_NODE_THUMB_METACARPAL,
                                TN_NODE_THUMB_DISTAL,
                                TN_ANGLE_THUMB_MCP,
                                {TN_ANGLE_THUMB_MCP, -1, -1}},
    [TN_NODE_THUMB_DISTAL] = {TN_NODE_THUMB_PROXIMAL,
                              TN_NODE_THUMB_TIP,
                              TN_ANGLE_THUMB_IP,
                              {TN_ANGLE_THUMB_IP, -1, -1}},
    [TN_NODE_THUMB_TIP] = {TN_NODE_THUMB_DISTAL, -1, -1, {-1, -1, -1}},
    FINGER(TN_NODE_INDEX_METACARPAL, TN_ANGLE_INDEX_MCP_FLEX),
    FINGER(TN_NODE_MIDDLE_METACARPAL, TN_ANGLE_MIDDLE_MCP_FLEX),
    FINGER(TN_NODE_RING_METACARPAL, TN_ANGLE_RING_MCP_FLEX),
    FINGER(TN_NODE_LITTLE_METACARPAL, TN_ANGLE_LITTLE_MCP_FLEX),
};

// vendor axes (+X to the wrist, +Y dorsal, +Z to the thumb) written in canonical ones
#define P(X, Y, Z)                                                                                 \
    {                                                                                              \
        -(X), (Z), (Y)                                                                             \
    }

// sine and cosine of the fan angle of each finger: 9, 2, -6, -17 degrees
#define INDEX_AXIS  P(0.156434465040231, 0.0, 0.987688340595138)
#define MIDDLE_AXIS P(0.034899496702501, 0.0, 0.999390827019096)
#define RING_AXIS   P(-0.104528463267653, 0.0, 0.994521895368273)
#define LITTLE_AXIS P(-0.292371704722737, 0.0, 0.956304755963035)
#define TILT_AXIS   P(0.0, 1.0, 0.0)
#define THUMB_FLEX  P(0.4995, -0.8634, 0.0697)
#define THUMB_TILT  P(0.6036, 0.4047, 0.6870)

#define FINGER_JOINTS(FLEX, axis_)                                                                 \
    [FLEX] = {axis_, -0.5236, 1.5708}, [(FLEX) + 1] = {TILT_AXIS, -0.3491, 0.3491},                \
    [(FLEX) + 2] = {axis_, -0.1745, 1.7453}, [(FLEX) + 3] = {axis_, -0.1745, 1.5708}

// clang-format off
static const struct tn_hand_shape default_shape = {
    .rest_m = {
        P(0, 0, 0),
        P(-.0180, -.0080,  .0200), P(-.0467, -.0219,  .0534), P(-.0705, -.0298,  .0727), P(-.0911, -.0367,  .0894),
        P(-.0260, 0,       .0150), P(-.0933, 0,       .0257), P(-.1326, 0,       .0319), P(-.1547, 0,       .0354), P(-.1741, 0,       .0384),
        P(-.0270,  .0010,  .0030), P(-.0916,  .0010,  .0053), P(-.1361,  .0010,  .0068), P(-.1624,  .0010,  .0077), P(-.1838,  .0010,  .0085),
        P(-.0250, 0,      -.0080), P(-.0827, 0,      -.0141), P(-.1239, 0,      -.0184), P(-.1494, 0,      -.0211), P(-.1706, 0,      -.0233),
        P(-.0230, -.0020, -.0170), P(-.0744, -.0020, -.0327), P(-.1056, -.0020, -.0423), P(-.1229, -.0020, -.0476), P(-.1418, -.0020, -.0533),
    },
    .joints = {
        [TN_ANGLE_THUMB_CMC_FLEX] = {THUMB_FLEX, -0.2618, 0.5236},
        [TN_ANGLE_THUMB_CMC_ABD]  = {THUMB_TILT, -0.5236, 0.5236},
        [TN_ANGLE_THUMB_MCP]      = {THUMB_FLEX, -0.1745, 0.9599},
        [TN_ANGLE_THUMB_IP]       = {THUMB_FLEX, -0.2618, 1.3963},
        FINGER_JOINTS(TN_ANGLE_INDEX_MCP_FLEX, INDEX_AXIS),
        FINGER_JOINTS(TN_ANGLE_MIDDLE_MCP_FLEX, MIDDLE_AXIS),
        FINGER_JOINTS(TN_ANGLE_RING_MCP_FLEX, RING_AXIS),
        FINGER_JOINTS(TN_ANGLE_LITTLE_MCP_FLEX, LITTLE_AXIS),
    },
    .joint_mask = (BIT(TN_HAND_ANGLES) - 1) & ~BIT(TN_ANGLE_THUMB_CMC_ROT),
};
// clang-format on

const struct tn_hand_shape *tn_hand_shape_default(void)
{
    return &default_shape;
}

int tn_hand_node_parent(unsigned node)
{
    return node < TN_HAND_MODEL_NODES ? chain[node].parent : -1;
}

// points and axes of the model's side; a mirrored axis is an axial vector
static void place(struct tn_hand_model *model, const struct tn_hand_shape *shape)
{
    memcpy(model->rest_m, shape->rest_m, sizeof model->rest_m);
    memcpy(model->joints, shape->joints, sizeof model->joints);
    if (model->side == TN_SIDE_RIGHT) {
        return;
    }
    for (size_t i = 0; i < TN_HAND_MODEL_NODES; i++) {
        model->rest_m[i].y = -model->rest_m[i].y;
    }
    for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
        struct tn_vec3 *axis = &model->joints[s].axis;
        *axis = (struct tn_vec3){-axis->x, axis->y, -axis->z};
    }
}

static enum tn_result finish_joints(struct tn_hand_model *model)
{
    for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
        struct tn_hand_joint *joint = &model->joints[s];
        if ((model->joint_mask & BIT(s)) == 0) {
            *joint = (struct tn_hand_joint){0};
            continue;
        }
        if (!tn_vec3_is_finite(joint->axis) || !isfinite(joint->lower_rad) ||
            !isfinite(joint->upper_rad)) {
            return TN_ERR_NOT_FINITE;
        }
        double norm = tn_vec3_norm(joint->axis);
        if (!(norm >= MIN_SINE) || !isfinite(norm) || joint->lower_rad > joint->upper_rad) {
            return TN_ERR_RANGE;
        }
        joint->axis = tn_vec3_scale(joint->axis, 1.0 / norm);
    }
    return TN_OK;
}

// orientation whose x lies along the bone and whose y is the axis made square to it
static enum tn_result orient(struct tn_vec3 bone_m, struct tn_vec3 axis, struct tn_quat *out)
{
    double length_m = tn_vec3_norm(bone_m);
    if (!(length_m >= TN_HAND_MODEL_MIN_BONE_M)) {
        return TN_ERR_RANGE;
    }
    struct tn_vec3 x = tn_vec3_scale(bone_m, 1.0 / length_m);
    struct tn_vec3 y = tn_vec3_sub(axis, tn_vec3_scale(x, tn_vec3_dot(axis, x)));
    double sine = tn_vec3_norm(y);
    if (!(sine >= MIN_SINE)) {
        return TN_ERR_RANGE;
    }
    y = tn_vec3_scale(y, 1.0 / sine);
    struct tn_vec3 z = tn_vec3_cross(x, y);
    struct tn_mat3 columns = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    *out = tn_mat3_to_quat(&columns);
    return TN_OK;
}

static enum tn_result finish_nodes(struct tn_hand_model *model)
{
    model->q_hand_rest[TN_NODE_WRIST] = tn_quat_identity();
    for (size_t i = 1; i < TN_HAND_MODEL_NODES; i++) {
        const struct chain_node *node = &chain[i];
        if (!tn_vec3_is_finite(model->rest_m[i])) {
            return TN_ERR_NOT_FINITE;
        }
        if (!(tn_vec3_norm(model->rest_m[i]) <= TN_HAND_MODEL_MAX_REACH_M)) {
            return TN_ERR_RANGE;
        }
        if (node->next < 0) {
            model->q_hand_rest[i] = model->q_hand_rest[node->parent];
            continue;
        }
        if ((model->joint_mask & BIT(node->flexion)) == 0 ||
            !tn_vec3_is_finite(model->rest_m[node->next])) {
            return TN_ERR_RANGE;
        }
        enum tn_result result = orient(tn_vec3_sub(model->rest_m[node->next], model->rest_m[i]),
                                       model->joints[node->flexion].axis, &model->q_hand_rest[i]);
        if (result != TN_OK) {
            return result;
        }
    }
    return TN_OK;
}

enum tn_result tn_hand_model_init(struct tn_hand_model *model, const struct tn_hand_shape *shape,
                                  enum tn_side side)
{
    if ((side != TN_SIDE_LEFT && side != TN_SIDE_RIGHT) ||
        (shape->joint_mask >> TN_HAND_ANGLES) != 0) {
        return TN_ERR_INVALID_ARGUMENT;
    }
    struct tn_hand_model made = {.side = side, .joint_mask = shape->joint_mask};
    place(&made, shape);
    enum tn_result result = finish_joints(&made);
    if (result == TN_OK) {
        result = finish_nodes(&made);
    }
    if (result == TN_OK) {
        *model = made;
    }
    return result;
}

// where a finger stands while its chain is walked
struct walk {
    struct tn_pose T_hand_turned[TN_HAND_MODEL_NODES]; // rotation from rest, position
    uint32_t valid;
};

// turns a node by its joints; false when one of them is not known
static bool turn(const struct tn_hand_model *model, const int8_t slots[3], const double *angles_rad,
                 uint32_t angle_valid, struct tn_quat *io_q)
{
    for (size_t k = 0; k < 3 && slots[k] >= 0; k++) {
        if ((model->joint_mask & BIT(slots[k])) == 0) {
            continue;
        }
        if ((angle_valid & BIT(slots[k])) == 0) {
            return false;
        }
        struct tn_quat q =
            tn_quat_from_axis_angle(model->joints[slots[k]].axis, angles_rad[slots[k]]);
        *io_q = tn_quat_mul(*io_q, q);
    }
    return true;
}

static void step(const struct tn_hand_model *model, size_t i, const double *angles_rad,
                 uint32_t angle_valid, struct walk *walk)
{
    const struct chain_node *node = &chain[i];
    size_t parent = (size_t)node->parent;
    if ((walk->valid & BIT(parent)) == 0) {
        return;
    }
    const struct tn_pose *from = &walk->T_hand_turned[parent];
    struct tn_vec3 bone_m = tn_vec3_sub(model->rest_m[i], model->rest_m[parent]);
    struct tn_pose pose = {.p = tn_vec3_add(from->p, tn_quat_rotate(from->q, bone_m)),
                           .q = from->q};
    if (turn(model, node->slots, angles_rad, angle_valid, &pose.q)) {
        walk->T_hand_turned[i] = pose;
        walk->valid |= BIT(i);
    }
}

enum tn_result tn_hand_fk(const struct tn_hand_model *model, const double *angles_rad,
                          uint32_t angle_valid, struct tn_pose *out_nodes, uint32_t *out_node_valid)
{
    for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
        if ((angle_valid & model->joint_mask & BIT(s)) != 0 && !isfinite(angles_rad[s])) {
            return TN_ERR_NOT_FINITE;
        }
    }
    struct walk walk = {.valid = BIT(TN_NODE_WRIST)};
    walk.T_hand_turned[TN_NODE_WRIST] = tn_pose_identity();
    for (size_t i = 1; i < TN_HAND_MODEL_NODES; i++) {
        step(model, i, angles_rad, angle_valid, &walk);
    }
    for (size_t i = 0; i < TN_HAND_NODES; i++) {
        out_nodes[i] = tn_pose_identity();
        if (i < TN_HAND_MODEL_NODES && (walk.valid & BIT(i)) != 0) {
            out_nodes[i].p = walk.T_hand_turned[i].p;
            out_nodes[i].q =
                tn_quat_normalized(tn_quat_mul(walk.T_hand_turned[i].q, model->q_hand_rest[i]));
        }
    }
    *out_node_valid = walk.valid;
    return TN_OK;
}

enum tn_side tn_hand_chirality(const struct tn_hand_frame *frame)
{
    uint32_t needed = BIT(TN_NODE_WRIST);
    for (unsigned f = TN_INDEX; f <= TN_LITTLE; f++) {
        needed |= BIT(5 * f + 1) | BIT(5 * f + 4);
    }
    if ((frame->node_valid & needed) != needed) {
        return TN_SIDE_UNKNOWN;
    }
    const struct tn_pose *nodes = frame->nodes;
    struct tn_vec3 wrist = nodes[TN_NODE_WRIST].p;
    struct tn_vec3 n = tn_vec3_cross(tn_vec3_sub(nodes[5 * TN_INDEX + 1].p, wrist),
                                     tn_vec3_sub(nodes[5 * TN_LITTLE + 1].p, wrist));
    double norm = tn_vec3_norm(n);
    double bend_m = 0.0;
    for (unsigned f = TN_INDEX; f <= TN_LITTLE; f++) {
        bend_m += tn_vec3_dot(n, tn_vec3_sub(nodes[5 * f + 4].p, nodes[5 * f + 1].p));
    }
    // a palm without area has no back
    if (!(norm > 1e-8)) {
        return TN_SIDE_UNKNOWN;
    }
    bend_m /= norm;
    if (bend_m > TN_HAND_CHIRALITY_MIN_M) {
        return TN_SIDE_RIGHT;
    }
    return bend_m < -TN_HAND_CHIRALITY_MIN_M ? TN_SIDE_LEFT : TN_SIDE_UNKNOWN;
}
