// SPDX-License-Identifier: Apache-2.0
// the One-Euro filter against its published formula, written down a second time with plain state
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "retarget/filter.h"

static double formula_alpha(double te_s, double cutoff_hz)
{
    double r = 2.0 * acos(-1.0) * cutoff_hz * te_s;
    return r / (r + 1.0);
}

static double test_signal(unsigned i)
{
    return sin(0.05 * (double)i) + 0.1 * sin(1.7 * (double)i) + (i > 300 ? 1.0 : 0.0);
}

static void agrees_with_the_formula(void **state)
{
    (void)state;
    static const struct tn_one_euro_options options = {1.0, 0.1, 1.0};
    const double te = 1.0 / 120.0;
    struct tn_one_euro filter = {0};
    double x_hat = 0.0, dx_hat = 0.0;
    for (unsigned i = 0; i < 1200; i++) {
        double x = test_signal(i);
        double dx = i == 0 ? 0.0 : (x - x_hat) / te;
        dx_hat += formula_alpha(te, options.d_cutoff_hz) * (dx - dx_hat);
        double cutoff = options.min_cutoff_hz + options.beta * fabs(dx_hat);
        x_hat = i == 0 ? x : x_hat + formula_alpha(te, cutoff) * (x - x_hat);
        int64_t stamp = (int64_t)llround((double)i * 1e9 / 120.0);
        assert_true(fabs(tn_one_euro_update(&filter, &options, x, stamp) - x_hat) < 1e-6);
    }
}

static void does_not_depend_on_the_rate(void **state)
{
    (void)state;
    static const struct tn_one_euro_options options = {2.0, 0.0, 1.0};
    struct tn_one_euro slow = {0}, fast = {0};
    double a = 0.0, b = 0.0;
    (void)tn_one_euro_update(&slow, &options, 0.0, 0);
    (void)tn_one_euro_update(&fast, &options, 0.0, 0);
    for (int64_t k = 1; k <= 60; k++) {
        a = tn_one_euro_update(&slow, &options, 1.0, k * 5000000);
        b = tn_one_euro_update(&fast, &options, 1.0, k * 5000000 - 2500000);
        b = tn_one_euro_update(&fast, &options, 1.0, k * 5000000);
    }
    assert_true(fabs(a - b) < 0.02);
    assert_true(a > 0.9);
}

static void time_zero_is_a_time(void **state)
{
    (void)state;
    static const struct tn_one_euro_options options = {1.0, 0.0, 1.0};
    struct tn_one_euro filter = {0};
    assert_true(fabs(tn_one_euro_update(&filter, &options, 5.0, 0) - 5.0) < 1e-12);
    assert_true(tn_one_euro_update(&filter, &options, 6.0, 8000000) < 5.2);
}

static void bad_samples_leave_the_state_alone(void **state)
{
    (void)state;
    static const struct tn_one_euro_options options = {1.0, 0.5, 1.0};
    struct tn_one_euro filter = {0};
    (void)tn_one_euro_update(&filter, &options, 1.0, 0);
    (void)tn_one_euro_update(&filter, &options, 1.1, 8000000);
    struct tn_one_euro before = filter;
    assert_true(fabs(tn_one_euro_update(&filter, &options, (double)NAN, 16000000) - before.value) <
                1e-12);
    (void)tn_one_euro_update(&filter, &options, (double)INFINITY, 24000000);
    assert_memory_equal(&before, &filter, sizeof filter);
    // stamps that stand still or jump give bounded steps
    assert_true(isfinite(tn_one_euro_update(&filter, &options, 2.0, 8000000)));
    assert_true(isfinite(tn_one_euro_update(&filter, &options, 2.0, INT64_MAX / 2)));
    assert_true(isfinite(tn_one_euro_update(&filter, &options, 2.0, 0)));
}

static void cut_offs_of_zero_are_refused(void **state)
{
    (void)state;
    struct tn_one_euro_options options = {1.0, 0.0, 1.0};
    assert_int_equal(tn_one_euro_check(&options, NULL), TN_OK);
    options.min_cutoff_hz = 0.0;
    assert_int_equal(tn_one_euro_check(&options, NULL), TN_ERR_INVALID_ARGUMENT);
    options = (struct tn_one_euro_options){1.0, -0.1, 1.0};
    assert_int_equal(tn_one_euro_check(&options, NULL), TN_ERR_INVALID_ARGUMENT);
    options = (struct tn_one_euro_options){1.0, 0.0, (double)NAN};
    assert_int_equal(tn_one_euro_check(&options, NULL), TN_ERR_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_formula),
        cmocka_unit_test(does_not_depend_on_the_rate),
        cmocka_unit_test(time_zero_is_a_time),
        cmocka_unit_test(bad_samples_leave_the_state_alone),
        cmocka_unit_test(cut_offs_of_zero_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
