// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/compat.h"
#include "base/stream_stats.h"

#define MS TN_NS_PER_MS
#define S  TN_NS_PER_S

static struct tn_stream_stats stats;
static struct tn_stream_report r;

static int fresh(void **state)
{
    (void)state;
    memset(&stats, 0, sizeof stats);
    memset(&r, 0xa5, sizeof r);
    return 0;
}

static void nothing_yet_is_no_number(void **state)
{
    (void)state;
    tn_stream_stats_report(&stats, 5 * S, &r);
    assert_false(r.has_sample);
    assert_false(r.has_age);
    assert_int_equal(r.received, 0);
    assert_int_equal(r.silence_ns, 0);
    assert_true(r.distinct_hz >= 0 && r.distinct_hz <= 0);
    assert_true(r.missing_share >= 0 && r.missing_share <= 0);
}

static void a_steady_stream_has_its_rate_from_the_first_second_on(void **state)
{
    (void)state;
    int64_t now = 7 * S;
    for (int i = 0; i < 2400; i++, now += 10 * MS) {
        tn_stream_stats_add(&stats, now);
        if (i < 100)
            continue;
        tn_stream_stats_report(&stats, now, &r);
        // one sample at the very start of the window is in or out
        double one_hz = 1.0 / tn_ns_to_seconds(r.window_ns);
        assert_true(fabs(r.distinct_hz - 100) <= one_hz + 1e-6);
        assert_true(fabs(r.received_hz - 100) <= one_hz + 1e-6);
        assert_true(r.interval_p99_ns == 10 * MS && r.interval_max_ns == 10 * MS);
        // older than what it began with, never more than twice the window
        assert_true(r.window_ns <= 2 * TN_STREAM_WINDOW_NS);
        assert_true(i < 500 || r.window_ns >= TN_STREAM_WINDOW_NS);
    }
    assert_int_equal(r.longest_gap_ns, 10 * MS);
}

// the exact percentile of what lies in the window, kept by hand
static void the_percentile_is_that_of_the_window(void **state)
{
    (void)state;
    static int64_t ends[20000], intervals[20000];
    uint64_t random = 11;
    int64_t now = 0;
    int n = 0;
    tn_stream_stats_add(&stats, now);
    for (int i = 0; i < 9000; i++) {
        intervals[n] = MS + (int64_t)((random >> 20) % (uint64_t)(9 * MS));
        random = random * UINT64_C(6364136223846793005) + 1;
        now += intervals[n];
        ends[n++] = now;
        tn_stream_stats_add(&stats, now);
        if (i % 997 != 0)
            continue;
        tn_stream_stats_report(&stats, now, &r);
        // counts those in the window that are above what is said to be p99
        int above = 0, inside = 0;
        for (int k = 0; k < n; k++) {
            if (ends[k] > now - r.window_ns || (ends[k] == now - r.window_ns)) {
                inside++;
                above += intervals[k] > r.interval_p99_ns;
            }
        }
        assert_true(above <= inside / 100 + 1);
    }
    assert_true(r.interval_p50_ns > 4 * MS && r.interval_p50_ns < 7 * MS);
    assert_true(r.interval_p50_ns < r.interval_p95_ns && r.interval_p95_ns < r.interval_p99_ns);
}

static void a_gap_leaves_the_window_and_stays_the_longest(void **state)
{
    (void)state;
    int64_t now = -3 * S;
    for (int i = 0; i < 100; i++)
        tn_stream_stats_add(&stats, now += 10 * MS);
    now += 900 * MS;
    tn_stream_stats_report(&stats, now, &r);
    assert_int_equal(r.silence_ns, 900 * MS);
    // a silence that goes on is a gap already
    assert_int_equal(r.longest_gap_ns, 900 * MS);
    assert_int_equal(r.interval_max_ns, 10 * MS);
    tn_stream_stats_add(&stats, now);
    tn_stream_stats_report(&stats, now, &r);
    assert_int_equal(r.interval_max_ns, 900 * MS);
    assert_int_equal(r.silence_ns, 0);
    for (int i = 0; i < 1100; i++)
        tn_stream_stats_add(&stats, now += 10 * MS);
    tn_stream_stats_report(&stats, now, &r);
    assert_int_equal(r.interval_max_ns, 10 * MS);
    assert_int_equal(r.longest_gap_ns, 900 * MS);
}

static void a_stream_that_stopped_has_no_rate_at_last(void **state)
{
    (void)state;
    int64_t now = 0;
    for (int i = 0; i < 1000; i++)
        tn_stream_stats_add(&stats, now += 10 * MS);
    double last = 1e9;
    for (int i = 0; i < 200; i++) {
        tn_stream_stats_report(&stats, now += 100 * MS, &r);
        assert_true(r.distinct_hz < last + 1e-9 || r.distinct_hz < 101);
        last = r.distinct_hz;
    }
    assert_true(last < 1e-9);
    assert_int_equal(r.silence_ns, 20 * S);
    assert_int_equal(r.interval_p99_ns, 0);
    // hours later, and back
    tn_stream_stats_add(&stats, now += 7200 * S);
    tn_stream_stats_report(&stats, now, &r);
    assert_int_equal(r.longest_gap_ns, 7220 * S);
    assert_true(r.window_ns >= TN_STREAM_WINDOW_NS && r.window_ns <= 2 * TN_STREAM_WINDOW_NS);
}

static void numbers_tell_lost_repeated_and_out_of_order(void **state)
{
    (void)state;
    static const struct {
        uint64_t number;
        enum tn_stream_verdict verdict;
        uint64_t missing, repeated, reordered, run_now, run_max;
    } rows[] = {
        {1000, TN_STREAM_NEW, 0, 0, 0, 0, 0},      {1001, TN_STREAM_NEW, 0, 0, 0, 0, 0},
        {1001, TN_STREAM_REPEATED, 0, 1, 0, 0, 0}, {1000, TN_STREAM_REORDERED, 0, 1, 1, 0, 0},
        {1005, TN_STREAM_NEW, 3, 1, 1, 3, 3},      {1005, TN_STREAM_REPEATED, 3, 2, 1, 3, 3},
        {1006, TN_STREAM_NEW, 3, 2, 1, 0, 3},      {1008, TN_STREAM_NEW, 4, 2, 1, 1, 3},
        {0, TN_STREAM_REORDERED, 4, 2, 2, 1, 3},   {1009, TN_STREAM_NEW, 4, 2, 2, 0, 3},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        assert_int_equal(tn_stream_stats_number(&stats, rows[i].number, (int64_t)i * MS),
                         rows[i].verdict);
        if (rows[i].verdict == TN_STREAM_NEW)
            tn_stream_stats_add(&stats, (int64_t)i * MS);
        tn_stream_stats_report(&stats, (int64_t)i * MS, &r);
        assert_int_equal(r.missing, rows[i].missing);
        assert_int_equal(r.repeated, rows[i].repeated);
        assert_int_equal(r.reordered, rows[i].reordered);
        assert_int_equal(r.missing_run_now, rows[i].run_now);
        assert_int_equal(r.missing_run_max, rows[i].run_max);
        assert_int_equal(r.received, i + 1);
        assert_int_equal(r.distinct, i + 1 - rows[i].repeated - rows[i].reordered);
    }
    assert_true(fabs(r.missing_share - 4.0 / 10.0) < 1e-9);
    // a source that begins anew has lost nothing
    tn_stream_stats_reconnect(&stats);
    assert_int_equal(tn_stream_stats_number(&stats, 3, S), TN_STREAM_NEW);
    tn_stream_stats_report(&stats, S, &r);
    assert_int_equal(r.missing, 4);
    assert_int_equal(r.reconnects, 1);
    // the largest number, and none behind it
    assert_int_equal(tn_stream_stats_number(&stats, UINT64_MAX, S), TN_STREAM_NEW);
    assert_int_equal(tn_stream_stats_number(&stats, UINT64_MAX, S), TN_STREAM_REPEATED);
}

static void ages_grow_while_nothing_comes_and_are_not_kept_for_a_sample_without(void **state)
{
    (void)state;
    tn_stream_stats_add(&stats, S);
    tn_stream_stats_age(&stats, 4 * MS, S);
    tn_stream_stats_report(&stats, S + 500 * MS, &r);
    assert_true(r.has_age);
    assert_int_equal(r.age_ns, 504 * MS);
    assert_int_equal(r.age_p99_ns, 4 * MS);
    tn_stream_stats_add(&stats, S + 600 * MS);
    tn_stream_stats_report(&stats, S + 600 * MS, &r);
    assert_false(r.has_age);
    assert_int_equal(r.n_ages, 1);
    tn_stream_stats_age(&stats, -3, S + 600 * MS);
    tn_stream_stats_report(&stats, S + 600 * MS, &r);
    assert_int_equal(r.negative_ages, 1);
    assert_int_equal(r.age_ns, 0);
    tn_stream_stats_age(&stats, INT64_MAX, S + 600 * MS);
    tn_stream_stats_report(&stats, 5 * S, &r);
    assert_true(r.age_ns == INT64_MAX);
}

static void a_clock_of_any_value_does_no_harm(void **state)
{
    (void)state;
    static const int64_t times[] = {0,         INT64_MIN, INT64_MAX, -1, 5 * S,    INT64_MIN + 1,
                                    INT64_MAX, 1,         10 * S,    0,  INT64_MAX};
    for (size_t i = 0; i < TN_ARRAY_SIZE(times); i++) {
        tn_stream_stats_add(&stats, times[i]);
        tn_stream_stats_age(&stats, times[i], times[i]);
        tn_stream_stats_missing(&stats, UINT64_MAX / 4, times[i]);
        tn_stream_stats_report(&stats, times[i], &r);
        assert_true(r.silence_ns >= 0 && r.window_ns >= 0 && r.longest_gap_ns >= 0);
        assert_true(r.missing_share >= 0 && r.missing_share <= 1);
        assert_true(isfinite(r.distinct_hz) && r.distinct_hz >= 0);
    }
}

static void the_very_first_sample_at_the_edge_of_a_span_counts_once(void **state)
{
    (void)state;
    int64_t now = 0;
    for (int i = 0; i < 26; i++, now += S) {
        tn_stream_stats_add(&stats, now);
        tn_stream_stats_repeated(&stats);
        tn_stream_stats_report(&stats, now, &r);
        if (i > 0) {
            assert_true(r.distinct_hz > 0.9 && r.distinct_hz < 1.21);
            assert_true(r.received_hz >= r.distinct_hz);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_yet_is_no_number, fresh),
        cmocka_unit_test_setup(a_steady_stream_has_its_rate_from_the_first_second_on, fresh),
        cmocka_unit_test_setup(the_percentile_is_that_of_the_window, fresh),
        cmocka_unit_test_setup(a_gap_leaves_the_window_and_stays_the_longest, fresh),
        cmocka_unit_test_setup(a_stream_that_stopped_has_no_rate_at_last, fresh),
        cmocka_unit_test_setup(numbers_tell_lost_repeated_and_out_of_order, fresh),
        cmocka_unit_test_setup(ages_grow_while_nothing_comes_and_are_not_kept_for_a_sample_without,
                               fresh),
        cmocka_unit_test_setup(a_clock_of_any_value_does_no_harm, fresh),
        cmocka_unit_test_setup(the_very_first_sample_at_the_edge_of_a_span_counts_once, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
