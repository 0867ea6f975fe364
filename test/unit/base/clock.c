// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/clock.h"
#include "base/side.h"

static void system_clocks_are_sane(void **state)
{
    (void)state;
    const struct tn_clock clock = tn_clock_system();
    const int64_t a = clock.steady_ns(clock.context);
    const int64_t b = tn_clock_steady_now_ns();
    assert_true(a > 0 && b >= a);
    // after 2020
    assert_true(clock.wall_ns(clock.context) > INT64_C(1577836800) * TN_NS_PER_S);
}

static void simulated_clock_moves_only_when_told(void **state)
{
    (void)state;
    struct tn_sim_clock sim = {.steady_ns = 5, .wall_ns = 1000};
    const struct tn_clock clock = tn_sim_clock_as_clock(&sim);
    assert_int_equal(clock.steady_ns(clock.context), 5);
    tn_sim_clock_advance(&sim, 10);
    assert_int_equal(clock.steady_ns(clock.context), 15);
    assert_int_equal(clock.wall_ns(clock.context), 1010);
    tn_sim_clock_advance(&sim, INT64_MAX);
    assert_true(clock.steady_ns(clock.context) == INT64_MAX);
}

static void seconds_become_ns_rounded_and_saturated(void **state)
{
    (void)state;
    assert_int_equal(tn_seconds_to_ns(1.5), 1500000000);
    assert_int_equal(tn_seconds_to_ns(-0.2), -200000000);
    assert_int_equal(tn_seconds_to_ns(0.6e-9), 1);
    assert_int_equal(tn_seconds_to_ns((double)NAN), 0);
    assert_true(tn_seconds_to_ns((double)INFINITY) == INT64_MAX);
    assert_true(tn_seconds_to_ns(-(double)INFINITY) == INT64_MIN);
    assert_true(tn_seconds_to_ns(9223372036.854775807) == INT64_MAX);
    assert_true(tn_seconds_to_ns(-1e300) == INT64_MIN);
    assert_true(fabs(tn_ns_to_seconds(-1500000000) + 1.5) < 1e-12);
}

static void sums_saturate(void **state)
{
    (void)state;
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
            // long double has 64 bits of mantissa here: an exact oracle for one addition
            const long double sum = (long double)ends[i] + (long double)ends[k];
            const long double difference = (long double)ends[i] - (long double)ends[k];
            const int64_t expected_sum = sum > (long double)INT64_MAX   ? INT64_MAX
                                         : sum < (long double)INT64_MIN ? INT64_MIN
                                                                        : (int64_t)sum;
            const int64_t expected_difference = difference > (long double)INT64_MAX ? INT64_MAX
                                                : difference < (long double)INT64_MIN
                                                    ? INT64_MIN
                                                    : (int64_t)difference;
            assert_true(tn_ns_add(ends[i], ends[k]) == expected_sum);
            assert_true(tn_ns_sub(ends[i], ends[k]) == expected_difference);
        }
    }
}

static void sides_have_names_numbers_and_indices(void **state)
{
    (void)state;
    enum tn_side side = TN_SIDE_UNKNOWN;
    assert_true(tn_side_parse("left", &side) && side == TN_SIDE_LEFT);
    assert_true(tn_side_parse("right", &side) && side == TN_SIDE_RIGHT);
    assert_false(tn_side_parse("Right", &side));
    assert_false(tn_side_parse("", &side));
    assert_false(tn_side_parse("unknown", &side));
    assert_int_equal(side, TN_SIDE_RIGHT);
    assert_int_equal(tn_side_index(TN_SIDE_LEFT), 0);
    assert_int_equal(tn_side_index(TN_SIDE_RIGHT), 1);
    assert_string_equal(tn_side_name(TN_SIDE_LEFT), "left");
    assert_string_equal(tn_side_name(TN_SIDE_RIGHT), "right");
    assert_string_equal(tn_side_name(TN_SIDE_UNKNOWN), "unknown");
    assert_string_equal(tn_side_name((enum tn_side)9), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(system_clocks_are_sane),
        cmocka_unit_test(simulated_clock_moves_only_when_told),
        cmocka_unit_test(seconds_become_ns_rounded_and_saturated),
        cmocka_unit_test(sums_saturate),
        cmocka_unit_test(sides_have_names_numbers_and_indices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
