// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "devices/motion/random.h"
#include "devices/motion/script.h"
#include "hand_builder.h"

// bends between bones are never negative: leave out what cannot be recovered
static struct tn_motion_pose random_pose(struct tn_random *random)
{
    struct tn_motion_pose pose;
    for (unsigned i = 0; i < TN_MOTION_ANGLES; i++) {
        bool is_tilt = i % 4 == 3, is_between_bones = i % 4 != 0;
        double low = is_tilt ? -25.0 : is_between_bones ? 0.0 : -30.0;
        double high = is_tilt ? 25.0 : i == 0 ? 60.0 : 110.0;
        pose.angle_deg[i] = low + (high - low) * tn_random_unit(random);
    }
    return pose;
}

static void place(struct tn_motion_points *points, struct tn_random *random)
{
    double axis[3], norm = 0.0, offset[3];
    for (int i = 0; i < 3; i++) {
        axis[i] = tn_random_normal(random);
        norm += axis[i] * axis[i];
        offset[i] = tn_random_normal(random);
    }
    for (int i = 0; i < 3; i++)
        axis[i] /= sqrt(norm);
    double turn_deg = 360.0 * tn_random_unit(random);
    for (unsigned k = 0; k < TN_MOTION_POINTS; k++) {
        builder_turn(axis, turn_deg, points->point_m[k], points->point_m[k]);
        for (int i = 0; i < 3; i++)
            points->point_m[k][i] += offset[i];
    }
}

static void mirror(struct tn_motion_points *points)
{
    for (unsigned k = 0; k < TN_MOTION_POINTS; k++)
        points->point_m[k][2] = -points->point_m[k][2];
}

static void assert_pose(const struct tn_motion_pose *found, const struct tn_motion_pose *expected,
                        double tolerance_deg)
{
    for (unsigned i = 0; i < TN_MOTION_ANGLES; i++)
        if (fabs(found->angle_deg[i] - expected->angle_deg[i]) > tolerance_deg)
            fail_msg("angle %u: found %g, expected %g", i, found->angle_deg[i],
                     expected->angle_deg[i]);
}

static void angles_come_back_from_any_place(void **state)
{
    (void)state;
    struct tn_random random;
    tn_random_init(&random, 3, 3);
    for (int n = 0; n < 2000; n++) {
        struct tn_motion_pose pose = random_pose(&random), found;
        struct tn_motion_points points = builder_right_hand(&pose);
        place(&points, &random);
        assert_int_equal(tn_motion_points_to_pose(&points, TN_SIDE_RIGHT, &found), TN_OK);
        // MCP flexion and tilt: the tilt of the test turns first, so the two agree exactly only
        // where one of them is small; the bends are exact; the thumb but for the digits of the
        // model's axes
        for (unsigned i = 0; i < TN_MOTION_ANGLES; i++) {
            bool is_exact = i < 4 || i % 4 == 1 || i % 4 == 2;
            if (is_exact && fabs(found.angle_deg[i] - pose.angle_deg[i]) > (i < 4 ? 0.5 : 0.1))
                fail_msg("angle %u: found %g, expected %g", i, found.angle_deg[i],
                         pose.angle_deg[i]);
        }
    }
}

static void flexion_alone_and_tilt_alone_are_exact(void **state)
{
    (void)state;
    for (unsigned finger = 1; finger < 5; finger++)
        for (double deg = -30.0; deg <= 120.0; deg += 7.5)
            for (int is_tilt = 0; is_tilt <= 1; is_tilt++) {
                struct tn_motion_pose pose = {{0.0}}, found;
                if (is_tilt && fabs(deg) > 40.0)
                    continue;
                pose.angle_deg[4 * finger + (is_tilt ? 3 : 0)] = deg;
                struct tn_motion_points points = builder_right_hand(&pose);
                assert_int_equal(tn_motion_points_to_pose(&points, TN_SIDE_RIGHT, &found), TN_OK);
                assert_pose(&found, &pose, 0.02);
            }
}

static void a_left_hand_gives_equal_angles(void **state)
{
    (void)state;
    struct tn_random random;
    tn_random_init(&random, 4, 3);
    for (int n = 0; n < 500; n++) {
        struct tn_motion_pose pose = random_pose(&random), right, left;
        struct tn_motion_points points = builder_right_hand(&pose);
        assert_int_equal(tn_motion_points_to_pose(&points, TN_SIDE_RIGHT, &right), TN_OK);
        mirror(&points);
        place(&points, &random);
        assert_int_equal(tn_motion_points_to_pose(&points, TN_SIDE_LEFT, &left), TN_OK);
        assert_pose(&left, &right, 1e-6);
    }
}

static void handedness_is_seen(void **state)
{
    (void)state;
    struct tn_random random;
    tn_random_init(&random, 5, 3);
    for (double t = 0.0; t < tn_motion_script_period_s(); t += 0.05) {
        struct tn_motion_pose pose;
        tn_motion_script_sample(TN_SIDE_RIGHT, t, &pose);
        struct tn_motion_points points = builder_right_hand(&pose);
        place(&points, &random);
        double right = tn_motion_points_handedness(&points);
        mirror(&points);
        double left = tn_motion_points_handedness(&points);
        assert_true(fabs(left + right) < 1e-9);
        // a straight or wide hand says nothing, a bent one does
        assert_true(pose.angle_deg[8] < 5.0 || right > 0.0);
    }
}

static void noise_moves_angles_a_little(void **state)
{
    (void)state;
    struct tn_random random;
    tn_random_init(&random, 6, 3);
    struct tn_motion_pose pose, found;
    tn_motion_script_sample(TN_SIDE_RIGHT, 1.9, &pose);
    for (int n = 0; n < 500; n++) {
        struct tn_motion_points points = builder_right_hand(&pose);
        for (unsigned k = 0; k < TN_MOTION_POINTS; k++)
            for (int i = 0; i < 3; i++)
                points.point_m[k][i] += 0.001 * tn_random_normal(&random);
        assert_int_equal(tn_motion_points_to_pose(&points, TN_SIDE_RIGHT, &found), TN_OK);
        // 1 mm on bones of 20 mm and more
        assert_pose(&found, &pose, 25.0);
    }
}

static void hands_without_size_are_refused(void **state)
{
    (void)state;
    struct tn_motion_pose pose = {{0.0}}, found;
    const struct tn_motion_pose untouched = {{7.0}};
    found = untouched;
    struct tn_motion_points good = builder_right_hand(&pose);
    assert_int_equal(tn_motion_points_to_pose(&good, TN_SIDE_UNKNOWN, &found), TN_ERR_WRONG_SIDE);
    // all points in one
    struct tn_motion_points points = {{{0.0}}};
    assert_int_equal(tn_motion_points_to_pose(&points, TN_SIDE_RIGHT, &found), TN_ERR_MALFORMED);
    // each bone in turn without length
    for (unsigned k = 1; k < TN_MOTION_POINTS; k++) {
        if (k % 4 == 1)
            continue;
        points = good;
        memcpy(points.point_m[k], points.point_m[k - 1], sizeof points.point_m[k]);
        assert_int_equal(tn_motion_points_to_pose(&points, TN_SIDE_LEFT, &found), TN_ERR_MALFORMED);
    }
    // wrist and knuckles on a line
    points = good;
    for (unsigned mcp = 5; mcp < TN_MOTION_POINTS; mcp += 4)
        points.point_m[mcp][1] = 0.0;
    assert_int_equal(tn_motion_points_to_pose(&points, TN_SIDE_RIGHT, &found), TN_ERR_MALFORMED);
    // not a number never passes
    points = good;
    points.point_m[9][2] = (double)NAN;
    assert_int_equal(tn_motion_points_to_pose(&points, TN_SIDE_RIGHT, &found), TN_ERR_MALFORMED);
    assert_memory_equal(&found, &untouched, sizeof found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_come_back_from_any_place),
        cmocka_unit_test(flexion_alone_and_tilt_alone_are_exact),
        cmocka_unit_test(a_left_hand_gives_equal_angles),
        cmocka_unit_test(handedness_is_seen),
        cmocka_unit_test(noise_moves_angles_a_little),
        cmocka_unit_test(hands_without_size_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
