// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/limiter.h"

#define MS INT64_C(1000000)

static struct tn_limiter_options two_joints(void)
{
    return (struct tn_limiter_options){
        .n_joints = 2,
        .lower = {0.0, 0.0},
        .upper = {100.0, 100.0},
        .speed = {400.0, 400.0},
        .resume_speed = 50.0,
        .resume_tolerance = 2.0,
        .reject_speed = 2000.0,
        .reaccept_after = 30,
    };
}

static struct tn_limiter latched(double a, double b)
{
    struct tn_limiter limiter;
    struct tn_limiter_options options = two_joints();
    assert_int_equal(tn_limiter_init(&limiter, &options, NULL), TN_OK);
    assert_int_equal(tn_limiter_latch(&limiter, (double[]){a, b}, 0), TN_OK);
    return limiter;
}

static void nothing_leaves_before_the_latch(void **state)
{
    (void)state;
    struct tn_limiter limiter;
    struct tn_limiter_options options = two_joints();
    double out[2];
    assert_int_equal(tn_limiter_init(&limiter, &options, NULL), TN_OK);
    assert_int_equal(tn_limiter_step(&limiter, (double[]){1, 1}, 3, 0, out), TN_ERR_STATE);
}

static void approach_is_slow_until_close(void **state)
{
    (void)state;
    struct tn_limiter limiter = latched(10.0, 50.0);
    double out[2] = {10.0, 50.0};
    int64_t now = 0;
    double target[2] = {90.0, 50.0};
    while (tn_limiter_is_resuming(&limiter)) {
        double before = out[0];
        now += 8 * MS;
        assert_int_equal(tn_limiter_step(&limiter, target, 3, now, out), TN_OK);
        assert_true(out[0] - before <= 50.0 * 0.008 + 1e-9);
        assert_true(now < 3000 * MS);
    }
    assert_true(fabs(out[0] - 90.0) <= 2.0);
    assert_true(now >= 1500 * MS);
}

static void a_stall_never_becomes_a_jump(void **state)
{
    (void)state;
    struct tn_limiter limiter = latched(0.0, 0.0);
    double out[2];
    assert_int_equal(tn_limiter_step(&limiter, (double[]){0, 0}, 3, 8 * MS, out), TN_OK);
    assert_false(tn_limiter_is_resuming(&limiter));
    assert_int_equal(tn_limiter_step(&limiter, (double[]){100, 0}, 3, 60000 * MS, out), TN_OK);
    assert_true(out[0] <= 400.0 * 0.1 + 1e-9);
    assert_int_equal(limiter.limited_mask, 1);
}

static void not_finite_changes_nothing(void **state)
{
    (void)state;
    struct tn_limiter limiter = latched(20.0, 20.0);
    double out[2] = {-1.0, -1.0};
    assert_int_equal(tn_limiter_step(&limiter, (double[]){(double)NAN, 20}, 3, MS, out),
                     TN_ERR_NOT_FINITE);
    assert_int_equal(tn_limiter_step(&limiter, (double[]){20, (double)INFINITY}, 3, MS, out),
                     TN_ERR_NOT_FINITE);
    assert_true(out[0] < 0.0);
    // an invalid joint is never read
    assert_int_equal(tn_limiter_step(&limiter, (double[]){(double)NAN, 20}, 2, MS, out), TN_OK);
    assert_true(fabs(out[0] - 20.0) < 1e-9);
}

static void a_teleport_is_refused_until_it_proves_real(void **state)
{
    (void)state;
    struct tn_limiter limiter = latched(0.0, 0.0);
    double out[2];
    int64_t now = 8 * MS;
    assert_int_equal(tn_limiter_step(&limiter, (double[]){0, 0}, 3, now, out), TN_OK);
    unsigned refused = 0;
    for (; refused < 100; refused++) {
        now += MS;
        // 100 ms is the longest step the speed is judged over, so the jump must exceed 200 percent
        limiter.raw[0] = -500.0;
        if (tn_limiter_step(&limiter, (double[]){100, 0}, 3, now, out) == TN_OK) {
            break;
        }
    }
    assert_int_equal(refused, 30);
    assert_true(out[0] < 50.0);
}

static void positions_stay_inside_their_limits(void **state)
{
    (void)state;
    struct tn_limiter limiter = latched(-50.0, 500.0);
    double out[2];
    for (int64_t i = 1; i < 400; i++) {
        double wild = (i % 2 != 0) ? 130.0 : -30.0;
        if (tn_limiter_step(&limiter, (double[]){wild, -wild}, 3, i * 100 * MS, out) == TN_OK) {
            assert_true(out[0] >= 0.0 && out[0] <= 100.0 && out[1] >= 0.0 && out[1] <= 100.0);
        }
    }
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    struct tn_limiter limiter;
    for (int kind = 0; kind < 5; kind++) {
        struct tn_limiter_options options = two_joints();
        switch (kind) {
        case 0:
            options.n_joints = 0;
            break;
        case 1:
            options.n_joints = TN_LIMITER_MAX_JOINTS + 1;
            break;
        case 2:
            options.lower[1] = 100.0;
            break;
        case 3:
            options.speed[0] = 0.0;
            break;
        default:
            options.upper[0] = (double)NAN;
            break;
        }
        assert_int_equal(tn_limiter_init(&limiter, &options, NULL), TN_ERR_INVALID_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_leaves_before_the_latch),
        cmocka_unit_test(approach_is_slow_until_close),
        cmocka_unit_test(a_stall_never_becomes_a_jump),
        cmocka_unit_test(not_finite_changes_nothing),
        cmocka_unit_test(a_teleport_is_refused_until_it_proves_real),
        cmocka_unit_test(positions_stay_inside_their_limits),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
