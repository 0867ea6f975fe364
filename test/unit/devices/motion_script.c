// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "devices/motion/random.h"
#include "devices/motion/script.h"

#define RATE_HZ 120.0

static const enum tn_side sides[] = {TN_SIDE_LEFT, TN_SIDE_RIGHT};

// part of the full range that a joint sweeps between two times
static double sweep(enum tn_side side, unsigned joint, double from_s, double to_s)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (double t = from_s; t < to_s; t += 1.0 / RATE_HZ) {
        struct tn_motion_pose pose;
        tn_motion_script_sample(side, t, &pose);
        double angle = tn_motion_percent_angle_deg(&pose, (enum tn_motion_percent_joint)joint);
        low = fmin(low, angle);
        high = fmax(high, angle);
    }
    return (high - low) / tn_motion_percent_range_deg((enum tn_motion_percent_joint)joint);
}

static void every_joint_sweeps_its_range(void **state)
{
    (void)state;
    for (unsigned s = 0; s < 2; s++)
        for (unsigned joint = 0; joint < TN_MOTION_PERCENT_JOINTS; joint++) {
            assert_true(sweep(sides[s], joint, 0.0, 8.0) >= 0.6);
            // any window of 12 s, also across the end of a loop
            for (double from_s = 0.0; from_s < 2.0 * tn_motion_script_period_s(); from_s += 0.5)
                assert_true(sweep(sides[s], joint, from_s, from_s + 12.0) >= 0.8);
            for (double from_s = 1.0; from_s < 2.0 * tn_motion_script_period_s(); from_s += 0.25)
                assert_true(sweep(sides[s], joint, from_s, from_s + 5.0) >= 0.6);
        }
}

static void no_angle_jumps_and_all_are_human(void **state)
{
    (void)state;
    for (unsigned s = 0; s < 2; s++) {
        struct tn_motion_pose before, pose;
        tn_motion_script_sample(sides[s], 0.0, &before);
        double end_s = 3.0 * tn_motion_script_period_s();
        for (double t = 0.001; t < end_s; t += 0.001, before = pose) {
            tn_motion_script_sample(sides[s], t, &pose);
            for (unsigned i = 0; i < TN_MOTION_ANGLES; i++) {
                assert_true(isfinite(pose.angle_deg[i]));
                assert_true(pose.angle_deg[i] > -30.0 && pose.angle_deg[i] < 110.0);
                // no finger is faster than 1000 degrees a second
                assert_true(fabs(pose.angle_deg[i] - before.angle_deg[i]) < 1.0);
            }
        }
    }
}

static void velocity_is_smooth(void **state)
{
    (void)state;
    // the curves begin and end with no speed: between 1 ms steps the speed changes little
    double step_s = 0.001, largest = 0.0;
    struct tn_motion_pose a, b, c;
    for (double t = 0.0; t < 2.0 * tn_motion_script_period_s(); t += step_s) {
        tn_motion_script_sample(TN_SIDE_RIGHT, t, &a);
        tn_motion_script_sample(TN_SIDE_RIGHT, t + step_s, &b);
        tn_motion_script_sample(TN_SIDE_RIGHT, t + 2.0 * step_s, &c);
        for (unsigned i = 0; i < TN_MOTION_ANGLES; i++)
            largest = fmax(largest,
                           fabs(a.angle_deg[i] - 2.0 * b.angle_deg[i] + c.angle_deg[i]) / step_s);
    }
    // minimum jerk over 100 degrees in 0.3 s peaks at 5.8 * 100 / 0.09 deg/s² = 6.4 deg/s per ms
    assert_true(largest < 8.0);
}

static void it_loops_forever(void **state)
{
    (void)state;
    double period_s = tn_motion_script_period_s();
    assert_true(period_s > 8.0 && period_s < 60.0);
    for (double t = 2.0; t < period_s + 2.0; t += 0.037)
        for (double k = 1.0; k < 1e5; k *= 10.0) {
            struct tn_motion_pose a, b;
            tn_motion_script_sample(TN_SIDE_LEFT, t, &a);
            tn_motion_script_sample(TN_SIDE_LEFT, t + k * period_s, &b);
            for (unsigned i = 0; i < TN_MOTION_ANGLES; i++)
                assert_true(fabs(a.angle_deg[i] - b.angle_deg[i]) < 1e-3);
        }
}

static void hands_move_alike_but_not_together(void **state)
{
    (void)state;
    double largest = 0.0;
    for (double t = 0.0; t < tn_motion_script_period_s(); t += 0.01) {
        struct tn_motion_pose left, right, later;
        tn_motion_script_sample(TN_SIDE_LEFT, t, &left);
        tn_motion_script_sample(TN_SIDE_RIGHT, t, &right);
        tn_motion_script_sample(TN_SIDE_LEFT, t + TN_MOTION_LEFT_LAG_S, &later);
        for (unsigned i = 0; i < TN_MOTION_ANGLES; i++) {
            largest = fmax(largest, fabs(left.angle_deg[i] - right.angle_deg[i]));
            assert_true(fabs(later.angle_deg[i] - right.angle_deg[i]) < 1e-6);
        }
    }
    assert_true(largest > 50.0);
}

static void before_the_start_the_hand_rests(void **state)
{
    (void)state;
    struct tn_motion_pose a, b;
    tn_motion_script_sample(TN_SIDE_RIGHT, -1e9, &a);
    tn_motion_script_sample(TN_SIDE_RIGHT, 0.0, &b);
    assert_memory_equal(&a, &b, sizeof a);
}

static void random_numbers_are_pcg32(void **state)
{
    (void)state;
    // first outputs of the reference program, seed 42, sequence 54
    static const uint32_t expected[] = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                        0x83d2f293, 0xbfa4784b, 0xcbed606e};
    struct tn_random random;
    tn_random_init(&random, 42, 54);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(tn_random_u32(&random), expected[i]);
}

static void normal_numbers_are_normal(void **state)
{
    (void)state;
    struct tn_random random;
    tn_random_init(&random, 7, 1);
    double sum = 0.0, squares = 0.0, beyond = 0.0;
    const int n = 200000;
    for (int i = 0; i < n; i++) {
        double x = tn_random_normal(&random);
        assert_true(isfinite(x) && fabs(x) < 7.0);
        sum += x;
        squares += x * x;
        beyond += fabs(x) > 1.959964 ? 1.0 : 0.0;
    }
    assert_true(fabs(sum / n) < 0.01);
    assert_true(fabs(squares / n - 1.0) < 0.02);
    assert_true(fabs(beyond / n - 0.05) < 0.003);
}

static void streams_of_one_seed_differ(void **state)
{
    (void)state;
    struct tn_random a, b, c;
    tn_random_init(&a, 9, 1);
    tn_random_init(&b, 9, 2);
    tn_random_init(&c, 9, 1);
    unsigned equal = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t x = tn_random_u32(&a);
        equal += x == tn_random_u32(&b);
        assert_int_equal(x, tn_random_u32(&c));
    }
    assert_true(equal < 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_sweeps_its_range),
        cmocka_unit_test(no_angle_jumps_and_all_are_human),
        cmocka_unit_test(velocity_is_smooth),
        cmocka_unit_test(it_loops_forever),
        cmocka_unit_test(hands_move_alike_but_not_together),
        cmocka_unit_test(before_the_start_the_hand_rests),
        cmocka_unit_test(random_numbers_are_pcg32),
        cmocka_unit_test(normal_numbers_are_normal),
        cmocka_unit_test(streams_of_one_seed_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
