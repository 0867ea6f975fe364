// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/ring.h"
#include "base/stats.h"

static void quantiles_are_within_two_percent(void **state)
{
    (void)state;
    static struct tn_histogram histogram;
    tn_histogram_reset(&histogram);
    assert_int_equal(tn_histogram_quantile_ns(&histogram, 0.5), 0);
    for (int64_t i = 1; i <= 100000; i++)
        tn_histogram_add(&histogram, i * 1000);
    static const double quantiles[] = {0.001, 0.1, 0.5, 0.9, 0.99, 0.999};
    for (size_t i = 0; i < TN_ARRAY_SIZE(quantiles); i++) {
        const double exact = quantiles[i] * 1e8;
        const double found = (double)tn_histogram_quantile_ns(&histogram, quantiles[i]);
        assert_true(found >= exact * (1 - 1e-9) && found <= exact * 1.016);
    }
    assert_int_equal(tn_histogram_quantile_ns(&histogram, 1), 100000000);
    assert_int_equal(tn_histogram_quantile_ns(&histogram, 7), 100000000);
    assert_int_equal(histogram.min_ns, 1000);
    assert_true(fabs(histogram.sum_ns / 1e5 - 50000500.0) < 1);
}

static void every_duration_falls_into_a_bucket(void **state)
{
    (void)state;
    static struct tn_histogram histogram;
    static const int64_t ends[] = {INT64_MIN, -1, 0, 1, 63, 64, 65, 127, 128, 1 << 20, INT64_MAX};
    for (size_t i = 0; i < TN_ARRAY_SIZE(ends); i++) {
        tn_histogram_reset(&histogram);
        tn_histogram_add(&histogram, ends[i]);
        const int64_t expected = ends[i] > 0 ? ends[i] : 0;
        assert_true(tn_histogram_quantile_ns(&histogram, 0.5) == expected);
        assert_true(tn_histogram_quantile_ns(&histogram, -1) == expected);
        assert_true(tn_histogram_quantile_ns(&histogram, (double)NAN) == expected);
    }
    // the order of buckets is the order of durations
    int64_t last = -1;
    for (int64_t value = 0; value < INT64_C(1) << 40; value = value * 17 / 16 + 1) {
        tn_histogram_reset(&histogram);
        tn_histogram_add(&histogram, value);
        tn_histogram_add(&histogram, INT64_MAX);
        const int64_t edge = tn_histogram_quantile_ns(&histogram, 0.5);
        assert_true(edge >= value && edge >= last && (double)edge <= (double)value * 1.016 + 1);
        last = edge;
    }
}

static void a_rate_is_that_of_the_last_full_second(void **state)
{
    (void)state;
    struct tn_rate rate = {0};
    int64_t now = -3 * TN_NS_PER_S;
    for (int i = 0; i < 120 * 10; i++, now += TN_NS_PER_S / 120)
        tn_rate_add(&rate, now);
    assert_true(fabs(tn_rate_hz(&rate, now) - 120) <= 12);
    assert_true(fabs(tn_rate_hz(&rate, now + TN_NS_PER_S / 2) - 60) <= 24);
    assert_true(tn_rate_hz(&rate, now + 2 * TN_NS_PER_S) < 0.5);
    // a clock that runs back neither loops nor loses what is there
    tn_rate_add(&rate, now);
    struct tn_rate empty = {0};
    assert_true(tn_rate_hz(&empty, now) < 0.5);
    tn_rate_add(&rate, INT64_MAX);
    assert_true(tn_rate_hz(&rate, INT64_MAX) < 0.5);
}

static void a_ring_keeps_order_and_refuses_when_full(void **state)
{
    (void)state;
    struct tn_ring ring = {0};
    assert_int_equal(tn_ring_create(&ring, 0, 4), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ring_create(&ring, 4, 0), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ring_create(&ring, 4, 65537), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ring_create(&ring, sizeof(uint32_t), 5), TN_OK);
    assert_int_equal(ring.capacity, 8);
    // also across the wrap of the counters
    atomic_store(&ring.head, UINT32_MAX - 3);
    atomic_store(&ring.tail, UINT32_MAX - 3);
    uint32_t out = 4711;
    assert_false(tn_ring_pop(&ring, &out));
    assert_int_equal(out, 4711);
    uint32_t next_in = 0, next_out = 0;
    for (int round = 0; round < 100; round++) {
        while (tn_ring_push(&ring, &next_in))
            next_in++;
        assert_int_equal(tn_ring_count(&ring), 8);
        for (int i = 0; i < 1 + round % 8; i++) {
            assert_true(tn_ring_pop(&ring, &out));
            assert_int_equal(out, next_out++);
        }
    }
    tn_ring_destroy(&ring);
    tn_ring_destroy(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_within_two_percent),
        cmocka_unit_test(every_duration_falls_into_a_bucket),
        cmocka_unit_test(a_rate_is_that_of_the_last_full_second),
        cmocka_unit_test(a_ring_keeps_order_and_refuses_when_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
