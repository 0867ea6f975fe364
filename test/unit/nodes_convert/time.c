// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/clock.h"
#include "nodes/convert/time.h"

static const struct {
    int64_t ns;
    int32_t sec;
    uint32_t nanosec;
} rows[] = {
    {0, 0, 0},
    {1, 0, 1},
    {-1, -1, 999999999},
    {999999999, 0, 999999999},
    {1000000000, 1, 0},
    {-1000000000, -1, 0},
    {-1000000001, -2, 999999999},
    {INT64_C(1700000000123456789), 1700000000, 123456789},
    {INT32_MAX * TN_NS_PER_S + 999999999, INT32_MAX, 999999999},
    {INT32_MIN * TN_NS_PER_S, INT32_MIN, 0},
};

static void both_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        int64_t time_ns = 7, duration_ns = 7;
        struct builtin_interfaces_msg_Time time = tn_convert_to_time(rows[i].ns);
        struct builtin_interfaces_msg_Duration duration = tn_convert_to_duration(rows[i].ns);
        assert_int_equal(time.sec, rows[i].sec);
        assert_int_equal(time.nanosec, rows[i].nanosec);
        assert_int_equal(duration.sec, rows[i].sec);
        assert_int_equal(duration.nanosec, rows[i].nanosec);
        assert_int_equal(tn_convert_from_time(&time, &time_ns), TN_OK);
        assert_int_equal(tn_convert_from_duration(&duration, &duration_ns), TN_OK);
        assert_true(time_ns == rows[i].ns && duration_ns == rows[i].ns);
    }
}

// an age that is not known must never look like a young or negative one
static void what_does_not_fit_is_the_nearest(void **state)
{
    static const int64_t high[] = {INT64_MAX, (INT32_MAX + INT64_C(1)) * TN_NS_PER_S};
    static const int64_t low[] = {INT64_MIN, INT32_MIN * TN_NS_PER_S - 1};
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(high); i++) {
        assert_int_equal(tn_convert_to_duration(high[i]).sec, INT32_MAX);
        assert_int_equal(tn_convert_to_duration(high[i]).nanosec, 999999999);
        assert_int_equal(tn_convert_to_time(high[i]).sec, INT32_MAX);
        assert_int_equal(tn_convert_to_duration(low[i]).sec, INT32_MIN);
        assert_int_equal(tn_convert_to_time(low[i]).sec, INT32_MIN);
        assert_int_equal(tn_convert_to_time(low[i]).nanosec, 0);
    }
}

static void a_full_second_of_nanoseconds_is_malformed(void **state)
{
    static const uint32_t bad[] = {1000000000, 1000000001, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        int64_t ns = 7;
        struct builtin_interfaces_msg_Time time = {.sec = 1, .nanosec = bad[i]};
        struct builtin_interfaces_msg_Duration duration = {.sec = INT32_MAX, .nanosec = bad[i]};
        assert_int_equal(tn_convert_from_time(&time, &ns), TN_ERR_MALFORMED);
        assert_int_equal(tn_convert_from_duration(&duration, &ns), TN_ERR_MALFORMED);
        assert_int_equal(ns, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways),
        cmocka_unit_test(what_does_not_fit_is_the_nearest),
        cmocka_unit_test(a_full_second_of_nanoseconds_is_malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
