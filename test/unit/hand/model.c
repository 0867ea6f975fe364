// SPDX-License-Identifier: Apache-2.0
#include "hand/model.h"

#include "hand_test.h"

enum { ALL_ANGLES = (1 << TN_HAND_ANGLES) - 1 };

static const double pi = 3.14159265358979323846;

static struct tn_hand_model make(enum tn_side side)
{
    struct tn_hand_model model;
    assert_int_equal(tn_hand_model_init(&model, tn_hand_shape_default(), side), TN_OK);
    return model;
}

// ---- a second forward kinematics: 4x4 matrices, written down finger by finger ----

struct matrix {
    double m[4][4];
};

static struct matrix unit_matrix(void)
{
    return (struct matrix){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}

static struct matrix product(struct matrix a, struct matrix b)
{
    struct matrix c = {{{0}}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

static struct matrix shift(double x, double y, double z)
{
    struct matrix t = unit_matrix();
    t.m[0][3] = x;
    t.m[1][3] = y;
    t.m[2][3] = z;
    return t;
}

// Rodrigues: R = c I + s [a] + (1 - c) a a'
static struct matrix turn_about(const double axis[3], double angle)
{
    double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double a[3] = {axis[0] / n, axis[1] / n, axis[2] / n};
    double c = cos(angle), s = sin(angle);
    const double skew[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    struct matrix r = unit_matrix();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = (i == j ? c : 0.0) + s * skew[i][j] + (1 - c) * a[i] * a[j];
    return r;
}

// the hand in the vendor's axes: +X to the wrist, +Y dorsal, +Z to the right thumb
static const double points[25][3] = {{0, 0, 0},
                                     {-.0180, -.0080, .0200},
                                     {-.0467, -.0219, .0534},
                                     {-.0705, -.0298, .0727},
                                     {-.0911, -.0367, .0894},
                                     {-.0260, 0, .0150},
                                     {-.0933, 0, .0257},
                                     {-.1326, 0, .0319},
                                     {-.1547, 0, .0354},
                                     {-.1741, 0, .0384},
                                     {-.0270, .0010, .0030},
                                     {-.0916, .0010, .0053},
                                     {-.1361, .0010, .0068},
                                     {-.1624, .0010, .0077},
                                     {-.1838, .0010, .0085},
                                     {-.0250, 0, -.0080},
                                     {-.0827, 0, -.0141},
                                     {-.1239, 0, -.0184},
                                     {-.1494, 0, -.0211},
                                     {-.1706, 0, -.0233},
                                     {-.0230, -.0020, -.0170},
                                     {-.0744, -.0020, -.0327},
                                     {-.1056, -.0020, -.0423},
                                     {-.1229, -.0020, -.0476},
                                     {-.1418, -.0020, -.0533}};

// joint origins as a URDF has them: rotation at the node, then the way to the next node
static void naive_finger(enum tn_side side, int finger, const double angles[TN_HAND_ANGLES],
                         struct matrix out[25])
{
    double mirror = side == TN_SIDE_LEFT ? -1.0 : 1.0;
    const double fans[5] = {0, 9, 2, -6, -17};
    int first = finger == 0 ? 1 : 5 * finger;
    int flex = finger == 0 ? TN_ANGLE_THUMB_CMC_FLEX : 1 + 4 * finger;
    double fan = fans[finger] * pi / 180.0;
    double bend[3] = {sin(fan), 0, cos(fan)}, tilt[3] = {0, 1, 0};
    if (finger == 0) {
        bend[0] = 0.4995, bend[1] = -0.8634, bend[2] = 0.0697;
        tilt[0] = 0.6036, tilt[1] = 0.4047, tilt[2] = 0.6870;
    }
    for (int k = 0; k < 2; k++) {
        bend[k] *= mirror;
        tilt[k] *= mirror;
    }
    struct matrix at = unit_matrix();
    int nodes = finger == 0 ? 4 : 5;
    int knuckle = finger == 0 ? 0 : 1; // where tilt and the first flexion are
    for (int k = 0; k < nodes; k++) {
        int from = k == 0 ? 0 : first + k - 1, to = first + k;
        at = product(at, shift(points[to][0] - points[from][0], points[to][1] - points[from][1],
                               mirror * (points[to][2] - points[from][2])));
        if (k == knuckle) {
            at = product(at, turn_about(tilt, angles[flex + 1]));
            at = product(at, turn_about(bend, angles[flex]));
        } else if (k > knuckle && k < nodes - 1) {
            at = product(at, turn_about(bend, angles[flex + 1 + k - knuckle]));
        }
        out[to] = at;
    }
}

// canonical x, y, z are vendor -X, +Z, +Y
static struct tn_vec3 canonical(const struct matrix *m, int column)
{
    return tn_vec3(-m->m[0][column], m->m[2][column], m->m[1][column]);
}

static void check_against_naive(enum tn_side side, const double angles[TN_HAND_ANGLES])
{
    struct tn_hand_model model = make(side);
    struct tn_pose rest[TN_HAND_NODES], nodes[TN_HAND_NODES];
    const double zero[TN_HAND_ANGLES] = {0};
    uint32_t valid = 0;
    assert_int_equal(tn_hand_fk(&model, zero, ALL_ANGLES, rest, &valid), TN_OK);
    assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES, nodes, &valid), TN_OK);
    assert_int_equal(valid, TN_HAND_MODEL_NODE_MASK);
    struct matrix expected[25] = {unit_matrix()};
    for (int finger = 0; finger < 5; finger++) {
        naive_finger(side, finger, angles, expected);
    }
    for (int i = 0; i < 25; i++) {
        assert_vec3_near(nodes[i].p, canonical(&expected[i], 3), 1e-12);
        // both turn the axes that the node has at rest
        struct tn_quat q_turned = tn_quat_mul(nodes[i].q, tn_quat_conjugate(rest[i].q));
        struct tn_vec3 x = canonical(&expected[i], 0); // of the vendor's X, which is -x
        struct tn_vec3 y = canonical(&expected[i], 2), z = canonical(&expected[i], 1);
        assert_vec3_near(tn_quat_rotate(q_turned, tn_vec3(-1, 0, 0)), x, 1e-12);
        assert_vec3_near(tn_quat_rotate(q_turned, tn_vec3(0, 1, 0)), y, 1e-12);
        assert_vec3_near(tn_quat_rotate(q_turned, tn_vec3(0, 0, 1)), z, 1e-12);
    }
}

static void kinematics_agree_with_plain_matrices(void **state)
{
    (void)state;
    for (uint64_t round = 1; round <= 300; round++) {
        uint64_t seed = round * 7919;
        double angles[TN_HAND_ANGLES];
        for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
            angles[s] = test_uniform(&seed, -3.4, 3.4);
        }
        check_against_naive(TN_SIDE_RIGHT, angles);
        check_against_naive(TN_SIDE_LEFT, angles);
    }
}

static void bones_have_the_lengths_of_the_literature(void **state)
{
    (void)state;
    // mm: metacarpal, proximal, middle, distal with soft tip; the thumb has no middle
    const double lengths_mm[5][4] = {{46.2, 31.6, 21.7 + 5.7, 0},
                                     {68.1, 39.8, 22.4, 15.8 + 3.8},
                                     {64.6, 44.6, 26.3, 17.4 + 4.0},
                                     {58.0, 41.4, 25.7, 17.3 + 4.0},
                                     {53.7, 32.7, 18.1, 16.0 + 3.7}};
    for (int side = TN_SIDE_LEFT; side <= TN_SIDE_RIGHT; side++) {
        struct tn_hand_model model = make((enum tn_side)side);
        for (int finger = 0; finger < 5; finger++) {
            int first = finger == 0 ? 1 : 5 * finger;
            for (int k = 0; k < (finger == 0 ? 3 : 4); k++) {
                double found_m =
                    tn_vec3_distance(model.rest_m[first + k], model.rest_m[first + k + 1]);
                assert_near(found_m, lengths_mm[finger][k] * 1e-3, 1e-4);
            }
        }
    }
}

static void bones_keep_their_lengths_in_any_posture(void **state)
{
    (void)state;
    struct tn_hand_model model = make(TN_SIDE_LEFT);
    for (uint64_t round = 1; round <= 300; round++) {
        uint64_t seed = round * 104729;
        double angles[TN_HAND_ANGLES];
        for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
            angles[s] = test_uniform(&seed, -10.0, 10.0);
        }
        struct tn_pose nodes[TN_HAND_NODES];
        uint32_t valid = 0;
        assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES, nodes, &valid), TN_OK);
        for (unsigned i = 1; i < TN_HAND_MODEL_NODES; i++) {
            int parent = tn_hand_node_parent(i);
            assert_near(tn_vec3_distance(nodes[i].p, nodes[parent].p),
                        tn_vec3_distance(model.rest_m[i], model.rest_m[parent]), 1e-14);
        }
    }
}

static void left_is_the_mirror_of_right(void **state)
{
    (void)state;
    struct tn_hand_model left = make(TN_SIDE_LEFT), right = make(TN_SIDE_RIGHT);
    for (uint64_t round = 0; round <= 300; round++) {
        uint64_t seed = round * 15485863 + 1;
        double angles[TN_HAND_ANGLES] = {0};
        for (size_t s = 0; round > 0 && s < TN_HAND_ANGLES; s++) {
            angles[s] = test_uniform(&seed, -3.4, 3.4);
        }
        struct tn_pose l[TN_HAND_NODES], r[TN_HAND_NODES];
        uint32_t valid = 0;
        assert_int_equal(tn_hand_fk(&left, angles, ALL_ANGLES, l, &valid), TN_OK);
        assert_int_equal(tn_hand_fk(&right, angles, ALL_ANGLES, r, &valid), TN_OK);
        for (unsigned i = 0; i < TN_HAND_MODEL_NODES; i++) {
            assert_vec3_near(l[i].p, tn_vec3(r[i].p.x, -r[i].p.y, r[i].p.z), 1e-12);
            struct tn_quat mirrored = {-r[i].q.x, r[i].q.y, -r[i].q.z, r[i].q.w};
            assert_near(fabs(tn_quat_dot(l[i].q, mirrored)), 1.0, 1e-12);
        }
    }
}

// where one joint alone carries the fingertip
static struct tn_vec3 tip_motion(enum tn_side side, unsigned slot, unsigned tip, double angle_rad)
{
    struct tn_hand_model model = make(side);
    struct tn_pose before[TN_HAND_NODES], after[TN_HAND_NODES];
    double angles[TN_HAND_ANGLES] = {0};
    uint32_t valid = 0;
    assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES, before, &valid), TN_OK);
    angles[slot] = angle_rad;
    assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES, after, &valid), TN_OK);
    for (unsigned i = 0; i < TN_HAND_MODEL_NODES; i++) {
        // no other finger may move
        if (i / 5 != tip / 5) {
            assert_vec3_near(after[i].p, before[i].p, 0.0);
        }
    }
    return tn_vec3_sub(after[tip].p, before[tip].p);
}

static void each_joint_moves_its_tip_the_right_way(void **state)
{
    (void)state;
    for (int s = TN_SIDE_LEFT; s <= TN_SIDE_RIGHT; s++) {
        enum tn_side side = (enum tn_side)s;
        // y points to the thumb on the right hand, away from it on the left
        double to_thumb = side == TN_SIDE_RIGHT ? 1.0 : -1.0;
        for (unsigned finger = 1; finger < 5; finger++) {
            unsigned flex = 1 + 4 * finger, tip = 5 * finger + 4;
            assert_true(tip_motion(side, flex, tip, 0.2).z < -2e-3);
            assert_true(tip_motion(side, flex + 2, tip, 0.2).z < -2e-3);
            assert_true(tip_motion(side, flex + 3, tip, 0.2).z < -2e-3);
            assert_true(tip_motion(side, flex, tip, -0.2).z > 2e-3);
            assert_true(to_thumb * tip_motion(side, flex + 1, tip, 0.2).y > 2e-3);
            assert_true(to_thumb * tip_motion(side, flex + 1, tip, -0.2).y < -2e-3);
        }
        const unsigned thumb[] = {TN_ANGLE_THUMB_CMC_FLEX, TN_ANGLE_THUMB_MCP, TN_ANGLE_THUMB_IP};
        for (size_t k = 0; k < 3; k++) {
            // the thumb bends across the palm: away from its own side, and palmar
            struct tn_vec3 moved = tip_motion(side, thumb[k], TN_NODE_THUMB_TIP, 0.2);
            assert_true(to_thumb * moved.y < -2e-3);
            assert_true(moved.z < 0.0);
        }
        assert_true(tip_motion(side, TN_ANGLE_THUMB_CMC_ABD, TN_NODE_THUMB_TIP, 0.2).z < -2e-3);
        assert_true(tip_motion(side, TN_ANGLE_THUMB_CMC_ABD, TN_NODE_THUMB_TIP, -0.2).z > 2e-3);
        // this hand has no rotation of the thumb: a valid angle for it is not read
        assert_vec3_near(tip_motion(side, TN_ANGLE_THUMB_CMC_ROT, TN_NODE_THUMB_TIP, 0.2),
                         tn_vec3(0, 0, 0), 0.0);
    }
}

static void nodes_are_oriented_along_their_bones(void **state)
{
    (void)state;
    for (int side = TN_SIDE_LEFT; side <= TN_SIDE_RIGHT; side++) {
        struct tn_hand_model model = make((enum tn_side)side);
        for (uint64_t round = 0; round < 50; round++) {
            uint64_t seed = round + 3;
            double angles[TN_HAND_ANGLES] = {0};
            for (size_t s = 0; round > 0 && s < TN_HAND_ANGLES; s++) {
                angles[s] = test_uniform(&seed, -1.5, 1.5);
            }
            struct tn_pose nodes[TN_HAND_NODES];
            uint32_t valid = 0;
            assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES, nodes, &valid), TN_OK);
            assert_near(tn_quat_dot(nodes[0].q, tn_quat_identity()), 1.0, 0.0);
            for (unsigned i = 1; i < TN_HAND_MODEL_NODES; i++) {
                assert_near(sqrt(tn_quat_dot(nodes[i].q, nodes[i].q)), 1.0, 1e-15);
                if (i % 5 == 4) {
                    assert_near(fabs(tn_quat_dot(nodes[i].q, nodes[i - 1].q)), 1.0, 1e-15);
                    continue;
                }
                struct tn_vec3 along = tn_vec3_sub(nodes[i + 1].p, nodes[i].p);
                along = tn_vec3_scale(along, 1.0 / tn_vec3_norm(along));
                assert_vec3_near(tn_quat_rotate(nodes[i].q, tn_vec3(1, 0, 0)), along, 1e-12);
            }
            if (round == 0) {
                // at rest the back of each finger bone faces the back of the hand
                for (unsigned i = 5; i < TN_HAND_MODEL_NODES; i++) {
                    assert_true(tn_quat_rotate(nodes[i].q, tn_vec3(0, 0, 1)).z > 0.99);
                }
            }
        }
    }
}

// what a missing slot must make absent, written down by hand
static uint32_t expected_absent(unsigned slot)
{
    if (slot == TN_ANGLE_THUMB_CMC_ROT) {
        return 0;
    }
    if (slot <= TN_ANGLE_THUMB_IP) {
        const uint32_t masks[] = {0, 0x1e, 0x1e, 0x1c, 0x18};
        return masks[slot];
    }
    unsigned finger = (slot - 1) / 4, joint = (slot - 1) % 4;
    const uint32_t masks[] = {0x1e, 0x1e, 0x1c, 0x18};
    return masks[joint] << (5 * finger);
}

static void missing_angles_make_nodes_absent(void **state)
{
    (void)state;
    struct tn_hand_model model = make(TN_SIDE_RIGHT);
    uint64_t seed = 99;
    for (int round = 0; round < 2000; round++) {
        uint32_t given = (uint32_t)test_random(&seed) & ALL_ANGLES;
        if (round <= TN_HAND_ANGLES) {
            given = ALL_ANGLES & ~(UINT32_C(1) << round);
        }
        uint32_t absent = 0;
        double angles[TN_HAND_ANGLES];
        for (unsigned s = 0; s < TN_HAND_ANGLES; s++) {
            bool is_given = (given & BIT(s)) != 0;
            angles[s] = is_given ? 0.3 : (double)NAN; // an invalid entry must not be read
            absent |= is_given ? 0 : expected_absent(s);
        }
        struct tn_pose nodes[TN_HAND_NODES];
        memset(nodes, 0xff, sizeof nodes);
        uint32_t valid = 0;
        assert_int_equal(tn_hand_fk(&model, angles, given, nodes, &valid), TN_OK);
        assert_int_equal(valid, TN_HAND_MODEL_NODE_MASK & ~absent);
        for (unsigned i = 0; i < TN_HAND_NODES; i++) {
            assert_true(tn_pose_is_finite(nodes[i]));
            if ((valid & BIT(i)) == 0) {
                assert_vec3_near(nodes[i].p, tn_vec3(0, 0, 0), 0.0);
                assert_near(nodes[i].q.w, 1.0, 0.0);
            }
        }
    }
}

static void any_finite_angle_gives_finite_nodes(void **state)
{
    (void)state;
    const double extremes[] = {0.0,  -0.0,  1e-320, 1e9,    -1e9,   1e15,
                               1e22, 1e100, 1e308,  -1e308, 4e-308, 3.14159265358979323846};
    struct tn_hand_model model = make(TN_SIDE_LEFT);
    uint64_t seed = 4242;
    for (int round = 0; round < 3000; round++) {
        double angles[TN_HAND_ANGLES];
        for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
            angles[s] = extremes[test_random(&seed) % TN_ARRAY_SIZE(extremes)];
        }
        struct tn_pose nodes[TN_HAND_NODES];
        uint32_t valid = 0;
        assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES, nodes, &valid), TN_OK);
        for (unsigned i = 0; i < TN_HAND_NODES; i++) {
            assert_true(tn_pose_is_finite(nodes[i]));
            assert_true(tn_vec3_norm(nodes[i].p) < 0.3);
            assert_near(sqrt(tn_quat_dot(nodes[i].q, nodes[i].q)), 1.0, 1e-14);
        }
    }
}

static void angles_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    struct tn_hand_model model = make(TN_SIDE_RIGHT);
    for (unsigned s = 0; s < TN_HAND_ANGLES; s++) {
        for (size_t b = 0; b < 3; b++) {
            double angles[TN_HAND_ANGLES] = {0};
            angles[s] = bad[b];
            struct tn_pose nodes[TN_HAND_NODES] = {{.p = {7, 7, 7}}};
            uint32_t valid = 12345;
            enum tn_result result = tn_hand_fk(&model, angles, ALL_ANGLES, nodes, &valid);
            // slot 0 is no joint of this hand
            assert_int_equal(result, s == 0 ? TN_OK : TN_ERR_NOT_FINITE);
            if (s != 0) {
                assert_int_equal(valid, 12345);
                assert_near(nodes[0].p.x, 7.0, 0.0);
            }
        }
    }
}

static void limits_do_not_clip(void **state)
{
    (void)state;
    struct tn_hand_model model = make(TN_SIDE_RIGHT);
    for (unsigned s = 1; s < TN_HAND_ANGLES; s++) {
        assert_true(model.joints[s].lower_rad < 0.0);
        assert_true(model.joints[s].upper_rad > 0.0);
        double at[TN_HAND_ANGLES] = {0}, beyond[TN_HAND_ANGLES] = {0};
        at[s] = model.joints[s].upper_rad;
        beyond[s] = model.joints[s].upper_rad + 0.3;
        struct tn_pose a[TN_HAND_NODES], b[TN_HAND_NODES];
        uint32_t valid = 0;
        assert_int_equal(tn_hand_fk(&model, at, ALL_ANGLES, a, &valid), TN_OK);
        assert_int_equal(tn_hand_fk(&model, beyond, ALL_ANGLES, b, &valid), TN_OK);
        unsigned tip = s <= TN_ANGLE_THUMB_IP ? 4 : 5 * ((s - 1) / 4) + 4;
        assert_true(tn_vec3_distance(a[tip].p, b[tip].p) > 2e-3);
    }
}

static void a_thumb_may_also_rotate(void **state)
{
    (void)state;
    struct tn_hand_shape shape = *tn_hand_shape_default();
    shape.joints[TN_ANGLE_THUMB_CMC_ROT] =
        (struct tn_hand_joint){tn_vec3_sub(shape.rest_m[2], shape.rest_m[1]), -1.0, 1.0};
    shape.joint_mask |= BIT(TN_ANGLE_THUMB_CMC_ROT);
    struct tn_hand_model model;
    assert_int_equal(tn_hand_model_init(&model, &shape, TN_SIDE_RIGHT), TN_OK);
    double angles[TN_HAND_ANGLES] = {0};
    angles[TN_ANGLE_THUMB_CMC_ROT] = 0.5;
    angles[TN_ANGLE_THUMB_IP] = 0.5;
    struct tn_pose nodes[TN_HAND_NODES];
    uint32_t valid = 0;
    assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES, nodes, &valid), TN_OK);
    assert_vec3_near(nodes[2].p, shape.rest_m[2], 1e-15);
    assert_true(tn_vec3_distance(nodes[4].p, shape.rest_m[4]) > 2e-3);
    // now it is a joint of this hand, and without it the thumb is unknown
    assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES & ~BIT(0), nodes, &valid), TN_OK);
    assert_int_equal(valid, TN_HAND_MODEL_NODE_MASK & ~UINT32_C(0x1e));
}

static enum tn_result try_shape(const struct tn_hand_shape *shape)
{
    struct tn_hand_model model, kept;
    memset(&model, 0x33, sizeof model);
    memcpy(&kept, &model, sizeof kept);
    enum tn_result result = tn_hand_model_init(&model, shape, TN_SIDE_LEFT);
    if (result != TN_OK) {
        assert_memory_equal(&model, &kept, sizeof kept);
    }
    return result;
}

static void shapes_that_are_no_hand_are_refused(void **state)
{
    (void)state;
    const struct tn_hand_shape good = *tn_hand_shape_default();
    struct tn_hand_model model;
    assert_int_equal(tn_hand_model_init(&model, &good, TN_SIDE_UNKNOWN), TN_ERR_INVALID_ARGUMENT);
    struct tn_hand_shape shape = good;
    shape.joint_mask |= BIT(TN_HAND_ANGLES);
    assert_int_equal(try_shape(&shape), TN_ERR_INVALID_ARGUMENT);
    for (unsigned i = 1; i < TN_HAND_MODEL_NODES; i++) {
        shape = good;
        shape.rest_m[i].y = (double)NAN;
        assert_int_not_equal(try_shape(&shape), TN_OK);
        shape.rest_m[i].y = 1e200;
        assert_int_equal(try_shape(&shape), TN_ERR_RANGE);
        shape.rest_m[i].y = 0.41;
        assert_int_equal(try_shape(&shape), TN_ERR_RANGE);
        if (i % 5 != 4) {
            shape = good;
            shape.rest_m[i + 1] = shape.rest_m[i];
            assert_int_equal(try_shape(&shape), TN_ERR_RANGE);
        }
    }
    for (unsigned s = 1; s < TN_HAND_ANGLES; s++) {
        shape = good;
        shape.joints[s].axis = tn_vec3(0, 0, 0);
        assert_int_equal(try_shape(&shape), TN_ERR_RANGE);
        shape.joints[s].axis = tn_vec3(1e300, 1e300, 0);
        assert_int_equal(try_shape(&shape), TN_ERR_RANGE);
        shape.joints[s].axis = tn_vec3(0, (double)INFINITY, 0);
        assert_int_equal(try_shape(&shape), TN_ERR_NOT_FINITE);
        shape = good;
        shape.joints[s].lower_rad = shape.joints[s].upper_rad + 1e-3;
        assert_int_equal(try_shape(&shape), TN_ERR_RANGE);
    }
    shape = good;
    shape.joints[TN_ANGLE_INDEX_PIP].axis = tn_vec3_sub(shape.rest_m[8], shape.rest_m[7]);
    assert_int_equal(try_shape(&shape), TN_ERR_RANGE);
    shape = good;
    shape.joint_mask &= ~BIT(TN_ANGLE_RING_DIP);
    assert_int_equal(try_shape(&shape), TN_ERR_RANGE);
}

static void bent_fingers_tell_the_side(void **state)
{
    (void)state;
    for (int s = TN_SIDE_LEFT; s <= TN_SIDE_RIGHT; s++) {
        enum tn_side side = (enum tn_side)s;
        struct tn_hand_model model = make(side);
        struct tn_hand_frame frame;
        tn_hand_frame_init(&frame);
        frame.side = TN_SIDE_UNKNOWN;
        assert_int_equal(tn_hand_chirality(&frame), TN_SIDE_UNKNOWN);
        double angles[TN_HAND_ANGLES] = {0};
        assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES, frame.nodes, &frame.node_valid),
                         TN_OK);
        assert_int_equal(tn_hand_chirality(&frame), TN_SIDE_UNKNOWN); // flat
        for (double bend = 0.2; bend <= 1.5; bend += 0.1) {
            for (unsigned slot = 5; slot < TN_HAND_ANGLES; slot++) {
                angles[slot] = (slot - 1) % 4 == 1 ? 0.0 : bend;
            }
            assert_int_equal(tn_hand_fk(&model, angles, ALL_ANGLES, frame.nodes, &frame.node_valid),
                             TN_OK);
            assert_int_equal(tn_hand_chirality(&frame), side);
        }
        frame.node_valid &= ~BIT(TN_NODE_RING_TIP);
        assert_int_equal(tn_hand_chirality(&frame), TN_SIDE_UNKNOWN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinematics_agree_with_plain_matrices),
        cmocka_unit_test(bones_have_the_lengths_of_the_literature),
        cmocka_unit_test(bones_keep_their_lengths_in_any_posture),
        cmocka_unit_test(left_is_the_mirror_of_right),
        cmocka_unit_test(each_joint_moves_its_tip_the_right_way),
        cmocka_unit_test(nodes_are_oriented_along_their_bones),
        cmocka_unit_test(missing_angles_make_nodes_absent),
        cmocka_unit_test(any_finite_angle_gives_finite_nodes),
        cmocka_unit_test(angles_that_are_no_numbers_are_refused),
        cmocka_unit_test(limits_do_not_clip),
        cmocka_unit_test(a_thumb_may_also_rotate),
        cmocka_unit_test(shapes_that_are_no_hand_are_refused),
        cmocka_unit_test(bent_fingers_tell_the_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
