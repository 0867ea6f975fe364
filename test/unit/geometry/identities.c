// SPDX-License-Identifier: Apache-2.0
// algebraic identities on seeded random values; a failure prints the round that broke
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>

#include "geometry/mat3.h"
#include "geometry/pose.h"

enum { ROUNDS = 2000 };
static const double pi = 3.14159265358979323846;

static double random_unit(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static struct tn_vec3 random_vec3(uint64_t *seed)
{
    const double x = random_unit(seed), y = random_unit(seed), z = random_unit(seed);
    return tn_vec3(x, y, z);
}

static struct tn_quat random_quat(uint64_t *seed)
{
    const struct tn_vec3 v = random_vec3(seed);
    return tn_quat_normalized((struct tn_quat){v.x, v.y, v.z, random_unit(seed)});
}

static struct tn_pose random_pose(uint64_t *seed)
{
    const struct tn_vec3 p = random_vec3(seed);
    return (struct tn_pose){.p = p, .q = random_quat(seed)};
}

static void check_near(double a, double b, int round)
{
    if (!(fabs(a - b) < 1e-9)) {
        print_error("round %d: %.17g is not %.17g\n", round, a, b);
        fail();
    }
}

static void check_vec3(struct tn_vec3 a, struct tn_vec3 b, int round)
{
    check_near(tn_vec3_distance(a, b), 0, round);
}

static void check_rotation(struct tn_quat a, struct tn_quat b, int round)
{
    check_near(sqrt(tn_quat_dot(a, a)), 1, round);
    check_near(tn_quat_angle(a, b), 0, round);
}

static void vectors(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < ROUNDS; i++) {
        const struct tn_vec3 a = random_vec3(&seed), b = random_vec3(&seed);
        const struct tn_vec3 c = tn_vec3_cross(a, b);
        check_near(tn_vec3_dot(a, c), 0, i);
        check_near(tn_vec3_dot(b, c), 0, i);
        // Lagrange: |a x b|^2 + (a.b)^2 = |a|^2 |b|^2
        check_near(tn_vec3_dot(c, c) + pow(tn_vec3_dot(a, b), 2),
                   tn_vec3_dot(a, a) * tn_vec3_dot(b, b), i);
        check_vec3(tn_vec3_sub(tn_vec3_add(a, b), b), a, i);
        check_vec3(tn_vec3_lerp(a, b, 1), b, i);
        struct tn_vec3 unit;
        assert_true(tn_vec3_normalize(a, &unit));
        check_near(tn_vec3_norm(unit), 1, i);
        check_near(cos(tn_vec3_angle(a, b)) * tn_vec3_norm(a) * tn_vec3_norm(b), tn_vec3_dot(a, b),
                   i);
    }
    check_vec3(tn_vec3_cross(tn_vec3(1, 0, 0), tn_vec3(0, 1, 0)), tn_vec3(0, 0, 1), 0);
}

static void directions_need_a_length(void **state)
{
    (void)state;
    struct tn_vec3 unit = tn_vec3(7, 7, 7);
    assert_false(tn_vec3_normalize(tn_vec3(0, 0, 0), &unit));
    assert_false(tn_vec3_normalize(tn_vec3(1e-13, 0, 0), &unit));
    assert_false(tn_vec3_normalize(tn_vec3((double)NAN, 1, 0), &unit));
    assert_false(tn_vec3_normalize(tn_vec3((double)INFINITY, 1, 0), &unit));
    check_vec3(unit, tn_vec3(7, 7, 7), 0);
    assert_true(tn_vec3_normalize(tn_vec3(DBL_MAX, DBL_MAX, 0), &unit));
    check_near(tn_vec3_norm(unit), 1, 0);
    check_near(tn_vec3_angle(tn_vec3(0, 0, 0), tn_vec3(1, 0, 0)), 0, 0);
    check_near(tn_vec3_angle(tn_vec3(1, 0, 0), tn_vec3(-1, 0, 0)), pi, 0);
}

static void rotations(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < ROUNDS; i++) {
        const struct tn_quat a = random_quat(&seed), b = random_quat(&seed);
        const struct tn_vec3 v = random_vec3(&seed), w = random_vec3(&seed);
        check_vec3(tn_quat_rotate(tn_quat_mul(a, b), v), tn_quat_rotate(a, tn_quat_rotate(b, v)),
                   i);
        check_vec3(tn_quat_rotate(tn_quat_conjugate(a), tn_quat_rotate(a, v)), v, i);
        check_near(tn_vec3_norm(tn_quat_rotate(a, v)), tn_vec3_norm(v), i);
        // handedness survives
        check_vec3(tn_quat_rotate(a, tn_vec3_cross(v, w)),
                   tn_vec3_cross(tn_quat_rotate(a, v), tn_quat_rotate(a, w)), i);
        const struct tn_mat3 m = tn_mat3_from_quat(a);
        check_vec3(tn_mat3_apply(&m, v), tn_quat_rotate(a, v), i);
        check_rotation(tn_mat3_to_quat(&m), a, i);
        check_rotation(tn_quat_from_rotation_vector(tn_quat_to_rotation_vector(a)), a, i);
    }
    // a quarter turn about z takes x to y
    const struct tn_quat q = tn_quat_from_axis_angle(tn_vec3(0, 0, 9), pi / 2);
    check_vec3(tn_quat_rotate(q, tn_vec3(1, 0, 0)), tn_vec3(0, 1, 0), 0);
    check_rotation(tn_quat_from_axis_angle(tn_vec3(0, 0, 0), 1), tn_quat_identity(), 0);
}

static void what_is_no_rotation_is_refused(void **state)
{
    (void)state;
    struct tn_quat unit = {.w = 5};
    assert_false(tn_quat_normalize((struct tn_quat){0, 0, 0, 0}, &unit));
    assert_false(tn_quat_normalize((struct tn_quat){0, 0, 0, 1e-7}, &unit));
    assert_false(tn_quat_normalize((struct tn_quat){0, (double)NAN, 0, 1}, &unit));
    assert_false(tn_quat_normalize((struct tn_quat){0, 0, (double)INFINITY, 1}, &unit));
    assert_false(tn_quat_normalize((struct tn_quat){DBL_MAX, DBL_MAX, 0, 1}, &unit));
    check_near(unit.w, 5, 0);
    check_rotation(tn_quat_normalized((struct tn_quat){0, 0, 0, 0}), tn_quat_identity(), 0);
    assert_true(tn_quat_normalize((struct tn_quat){0, 0, 3, 4}, &unit));
    check_near(unit.w, 0.8, 0);
}

static void roll_pitch_yaw(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < ROUNDS; i++) {
        // every tenth stands on the pole
        const double pitch =
            i % 10 == 0 ? copysign(pi / 2, random_unit(&seed)) : random_unit(&seed) * pi / 2;
        const double roll = random_unit(&seed) * pi, yaw = random_unit(&seed) * pi;
        const struct tn_quat q = tn_quat_from_rpy(roll, pitch, yaw);
        const struct tn_quat by_axes =
            tn_quat_mul(tn_quat_from_axis_angle(tn_vec3(0, 0, 1), yaw),
                        tn_quat_mul(tn_quat_from_axis_angle(tn_vec3(0, 1, 0), pitch),
                                    tn_quat_from_axis_angle(tn_vec3(1, 0, 0), roll)));
        check_rotation(q, by_axes, i);
        double r = 0, p = 0, y = 0;
        tn_quat_to_rpy(q, &r, &p, &y);
        // near the pole the asin costs digits
        assert_true(tn_quat_angle(tn_quat_from_rpy(r, p, y), q) < 1e-5);
    }
}

static void slerp_turns_at_constant_speed_the_shorter_way(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < ROUNDS; i++) {
        const struct tn_quat a = random_quat(&seed);
        struct tn_quat b = random_quat(&seed);
        if (i % 5 == 0)
            b = tn_quat_mul(a,
                            tn_quat_from_rotation_vector(tn_vec3_scale(random_vec3(&seed), 1e-8)));
        const double share = (random_unit(&seed) + 1) / 2;
        const double angle = tn_quat_angle(a, b);
        const struct tn_quat s = tn_quat_slerp(a, b, share);
        check_near(tn_quat_angle(a, s), share * angle, i);
        check_near(tn_quat_angle(s, b), (1 - share) * angle, i);
        assert_true(angle <= pi + 1e-12);
    }
}

static void poses(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < ROUNDS; i++) {
        const struct tn_pose a = random_pose(&seed), b = random_pose(&seed);
        const struct tn_vec3 p = random_vec3(&seed);
        const struct tn_pose ab = tn_pose_compose(a, b);
        check_vec3(tn_pose_apply(ab, p), tn_pose_apply(a, tn_pose_apply(b, p)), i);
        const struct tn_pose one = tn_pose_compose(a, tn_pose_inverse(a));
        check_vec3(one.p, tn_vec3(0, 0, 0), i);
        check_rotation(one.q, tn_quat_identity(), i);
        const struct tn_pose end = tn_pose_interpolate(a, b, 1);
        check_vec3(end.p, b.p, i);
        check_rotation(end.q, b.q, i);
        // power is the same in every frame
        const struct tn_twist twist = {random_vec3(&seed), random_vec3(&seed)};
        const struct tn_wrench wrench = {random_vec3(&seed), random_vec3(&seed)};
        const struct tn_twist twist_a = tn_twist_transform(a, twist);
        const struct tn_wrench wrench_a = tn_wrench_transform(a, wrench);
        check_near(
            tn_vec3_dot(twist_a.linear, wrench_a.force) +
                tn_vec3_dot(twist_a.angular, wrench_a.torque),
            tn_vec3_dot(twist.linear, wrench.force) + tn_vec3_dot(twist.angular, wrench.torque), i);
    }
    struct tn_pose bad = tn_pose_identity();
    assert_true(tn_pose_is_finite(bad));
    bad.q.y = (double)NAN;
    assert_false(tn_pose_is_finite(bad));
}

static void matrices(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < ROUNDS; i++) {
        struct tn_mat3 a, b;
        for (int k = 0; k < 9; k++) {
            a.m[k / 3][k % 3] = random_unit(&seed);
            b.m[k / 3][k % 3] = random_unit(&seed);
        }
        const struct tn_mat3 ab = tn_mat3_mul(&a, &b);
        check_near(tn_mat3_determinant(&ab), tn_mat3_determinant(&a) * tn_mat3_determinant(&b), i);
        const struct tn_mat3 at = tn_mat3_transpose(&a), bt = tn_mat3_transpose(&b);
        const struct tn_mat3 btat = tn_mat3_mul(&bt, &at);
        struct tn_mat3 inverse;
        for (int k = 0; k < 9; k++)
            check_near(btat.m[k / 3][k % 3], ab.m[k % 3][k / 3], i);
        if (fabs(tn_mat3_determinant(&a)) < 1e-3)
            continue;
        assert_true(tn_mat3_inverse(&a, &inverse));
        const struct tn_mat3 one = tn_mat3_mul(&a, &inverse);
        for (int k = 0; k < 9; k++)
            check_near(one.m[k / 3][k % 3], k % 4 == 0 ? 1 : 0, i);
        const struct tn_mat3 rotation = tn_mat3_from_quat(random_quat(&seed));
        check_near(tn_mat3_determinant(&rotation), 1, i);
    }
    struct tn_mat3 singular = {{{1, 2, 3}, {2, 4, 6}, {0, 0, 1}}};
    struct tn_mat3 out = tn_mat3_identity();
    assert_false(tn_mat3_inverse(&singular, &out));
    check_near(out.m[0][0], 1, 0);
    // half turns are where the trace is smallest
    static const struct tn_quat half_turns[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (int i = 0; i < 3; i++) {
        const struct tn_mat3 m = tn_mat3_from_quat(half_turns[i]);
        check_rotation(tn_mat3_to_quat(&m), half_turns[i], i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),
        cmocka_unit_test(directions_need_a_length),
        cmocka_unit_test(rotations),
        cmocka_unit_test(what_is_no_rotation_is_refused),
        cmocka_unit_test(roll_pitch_yaw),
        cmocka_unit_test(slerp_turns_at_constant_speed_the_shorter_way),
        cmocka_unit_test(poses),
        cmocka_unit_test(matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
