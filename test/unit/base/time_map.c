// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "base/time_map.h"

#define MS     TN_NS_PER_MS
#define PERIOD (TN_NS_PER_S / 120)

// a source with its own clock behind a link with a smallest delay and jitter on top
struct link {
    struct tn_time_map map;
    int64_t now_ns;       // true (steady) time of the next sample
    double rate;          // source clock rate, 1 + drift
    int64_t origin_ns;    // source clock = origin + rate * now
    int64_t min_delay_ns; // unseen constant part
    int64_t jitter_ns;    // uniform on top
    uint64_t seed;
};

static struct link make_link(double drift_ppm, int64_t jitter_ns)
{
    return (struct link){.now_ns = 1000 * TN_NS_PER_S,
                         .rate = 1 + drift_ppm * 1e-6,
                         .origin_ns = 77777 * TN_NS_PER_S,
                         .min_delay_ns = 200000,
                         .jitter_ns = jitter_ns,
                         .seed = 88172645463325252};
}

static int64_t random_below(struct link *link, int64_t limit)
{
    link->seed ^= link->seed << 13;
    link->seed ^= link->seed >> 7;
    link->seed ^= link->seed << 17;
    return limit > 0 ? (int64_t)(link->seed % (uint64_t)limit) : 0;
}

static int64_t source_time(const struct link *link)
{
    return link->origin_ns +
           (int64_t)llround(link->rate * (double)(link->now_ns - 1000 * TN_NS_PER_S));
}

// sends one sample that is delayed by `extra_ns` more than usual
static enum tn_result send_delayed(struct link *link, int64_t extra_ns, int64_t *out_error_ns)
{
    const int64_t delay = link->min_delay_ns + random_below(link, link->jitter_ns) + extra_ns;
    int64_t sample_ns = 0;
    const enum tn_result result =
        tn_time_map_update(&link->map, source_time(link), link->now_ns + delay, &sample_ns);
    // the constant part of the delay cannot be seen
    if (result == TN_OK && out_error_ns != NULL)
        *out_error_ns = sample_ns - (link->now_ns + link->min_delay_ns);
    link->now_ns += PERIOD;
    return result;
}

static void run(struct link *link, int64_t duration_ns)
{
    const int64_t end = link->now_ns + duration_ns;
    while (link->now_ns < end)
        (void)send_delayed(link, 0, NULL);
}

static void is_stale_until_half_a_second_of_data(void **state)
{
    (void)state;
    struct link link = make_link(0, MS);
    const int64_t start = link.now_ns;
    int64_t out = 0;
    assert_int_equal(tn_time_map_apply(&link.map, 0, &out), TN_ERR_STALE);
    while (link.now_ns < start + TN_TIME_MAP_ESTABLISH_NS - 2 * MS)
        assert_int_equal(send_delayed(&link, 0, NULL), TN_ERR_STALE);
    run(&link, 3 * PERIOD);
    assert_int_equal(send_delayed(&link, 0, NULL), TN_OK);
    assert_int_equal(tn_time_map_apply(&link.map, source_time(&link), &out), TN_OK);
    assert_true(llabs(out - link.now_ns - link.min_delay_ns) < 3 * MS);
    assert_int_equal(link.map.restarts, 0);
    tn_time_map_reset(&link.map);
    assert_int_equal(send_delayed(&link, 0, NULL), TN_ERR_STALE);
}

static void drift_is_followed_in_both_directions(void **state)
{
    (void)state;
    static const double drifts[] = {-200, -150, -20, 0, 20, 150, 200};
    for (size_t i = 0; i < sizeof drifts / sizeof drifts[0]; i++) {
        struct link link = make_link(drifts[i], 3 * MS);
        run(&link, 15 * TN_NS_PER_S);
        int64_t worst = 0;
        // five minutes: without following, 200 ppm would be 60 ms
        for (int n = 0; n < 5 * 60 * 120; n++) {
            int64_t error = 0;
            assert_int_equal(send_delayed(&link, 0, &error), TN_OK);
            worst = llabs(error) > worst ? llabs(error) : worst;
        }
        assert_true(worst < 1 * MS);
        assert_int_equal(link.map.restarts, 0);
        assert_true(fabs(-link.map.drift * 1e6 - drifts[i]) < 60);
    }
}

static void a_delayed_sample_shows_its_age(void **state)
{
    (void)state;
    struct link link = make_link(50, 2 * MS);
    run(&link, 5 * TN_NS_PER_S);
    int64_t error = 0;
    assert_int_equal(send_delayed(&link, 40 * MS, &error), TN_OK);
    assert_true(llabs(error) < 2 * MS);
    assert_int_equal(send_delayed(&link, 3 * TN_NS_PER_S, &error), TN_OK);
    assert_true(llabs(error) < 2 * MS);
    assert_true(link.map.jitter_p95_ns < 20 * MS);
}

static void the_sample_time_is_never_in_the_future(void **state)
{
    (void)state;
    struct link link = make_link(0, 0);
    run(&link, 2 * TN_NS_PER_S);
    int64_t sample_ns = 0;
    // 3 ms less delay than ever: within the tolerance, and the new minimum
    const int64_t receive = link.now_ns + link.min_delay_ns - 3 * MS;
    assert_int_equal(tn_time_map_update(&link.map, source_time(&link), receive, &sample_ns), TN_OK);
    assert_true(sample_ns <= receive);
}

static void jitter_is_measured(void **state)
{
    (void)state;
    struct link link = make_link(0, 10 * MS);
    run(&link, 60 * TN_NS_PER_S);
    assert_true(link.map.jitter_p95_ns > 7 * MS && link.map.jitter_p95_ns < 12 * MS);
}

// `n` samples were sent while the receiver stood; they and those sent meanwhile arrive `gap_ns`
// apart until the queue is empty
static void deliver_back_log(struct link *link, int n, int64_t gap_ns)
{
    int64_t arrival = link->now_ns + n * PERIOD;
    for (; arrival > link->now_ns; arrival += gap_ns) {
        int64_t error = 0;
        assert_int_equal(send_delayed(link, arrival - link->now_ns, &error), TN_OK);
        assert_true(llabs(error) < 5 * MS);
    }
    assert_int_equal(link->map.restarts, 0);
}

static void a_back_log_is_old_and_no_clock_step(void **state)
{
    (void)state;
    static const int64_t gaps[] = {0, 20000, 500000, PERIOD / 4, PERIOD / 2};
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        struct link link = make_link(100, 2 * MS);
        run(&link, 5 * TN_NS_PER_S);
        deliver_back_log(&link, 240, gaps[i]);
        run(&link, 2 * TN_NS_PER_S);
        deliver_back_log(&link, 900, gaps[i]);
        int64_t error = 0;
        run(&link, 2 * TN_NS_PER_S);
        assert_int_equal(send_delayed(&link, 0, &error), TN_OK);
        assert_true(llabs(error) < 2 * MS);
        assert_int_equal(link.map.restarts, 0);
    }
}

// steps the source's clock; the map must notice and be right again
static void step_and_heal(struct link *link, int64_t step_ns)
{
    const uint32_t restarts = link->map.restarts;
    const int64_t stepped_at = link->now_ns;
    link->origin_ns += step_ns;
    enum tn_result result = TN_OK;
    while (link->map.restarts == restarts) {
        int64_t error = 0;
        result = send_delayed(link, 0, &error);
        // until noticed an age may be too large, never too small by more than the tolerance
        assert_true(result != TN_OK || error < 5 * MS);
        assert_true(link->now_ns - stepped_at < 200 * MS);
    }
    assert_int_equal(result, TN_ERR_CLOCK_STEP);
    int64_t error = 0;
    while ((result = send_delayed(link, 0, &error)) == TN_ERR_STALE) {
    }
    assert_int_equal(result, TN_OK);
    // the data since the step counts, so half a second and a sample or two are enough
    assert_true(link->now_ns - stepped_at < TN_TIME_MAP_ESTABLISH_NS + 4 * PERIOD);
    assert_true(llabs(error) < 5 * MS);
    assert_int_equal(link->map.restarts, restarts + 1);
}

static void clock_steps_restart_and_heal(void **state)
{
    (void)state;
    static const int64_t steps[] = {
        20 * MS,     -70 * MS,     200 * MS,           -200 * MS,
        TN_NS_PER_S, -TN_NS_PER_S, 3600 * TN_NS_PER_S, -3600 * TN_NS_PER_S};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct link link = make_link(-80, 2 * MS);
        run(&link, 12 * TN_NS_PER_S);
        step_and_heal(&link, steps[i]);
        run(&link, 1 * TN_NS_PER_S);
        step_and_heal(&link, -2 * steps[i] - 60 * MS);
        step_and_heal(&link, steps[i] > 0 ? steps[i] : -steps[i]);
    }
}

static void a_step_while_being_established_heals(void **state)
{
    (void)state;
    static const int64_t steps[] = {10 * TN_NS_PER_S, -10 * TN_NS_PER_S};
    for (int i = 0; i < 2; i++) {
        struct link link = make_link(0, 2 * MS);
        run(&link, 250 * MS);
        link.origin_ns += steps[i];
        run(&link, 800 * MS);
        int64_t error = 0;
        assert_int_equal(send_delayed(&link, 0, &error), TN_OK);
        assert_true(llabs(error) < 5 * MS);
    }
}

static void one_sample_from_the_future_heals(void **state)
{
    (void)state;
    struct link link = make_link(0, 2 * MS);
    run(&link, 3 * TN_NS_PER_S);
    int64_t sample_ns = 0;
    assert_int_equal(tn_time_map_update(&link.map, source_time(&link) + 3600 * TN_NS_PER_S,
                                        link.now_ns, &sample_ns),
                     TN_ERR_CLOCK_STEP);
    run(&link, 700 * MS);
    int64_t error = 0;
    assert_int_equal(send_delayed(&link, 0, &error), TN_OK);
    assert_true(llabs(error) < 5 * MS);
}

static void reordered_samples_leave_the_line_alone(void **state)
{
    (void)state;
    struct link link = make_link(0, 2 * MS);
    run(&link, 3 * TN_NS_PER_S);
    const int64_t offset = link.map.offset_ns;
    for (int i = 1; i < 200; i++) {
        int64_t sample_ns = 4711;
        // an old packet with an absurdly small delay, between good ones
        assert_int_equal(tn_time_map_update(&link.map, source_time(&link) - 5 * PERIOD,
                                            link.now_ns - 50 * MS, &sample_ns),
                         TN_ERR_REORDERED);
        assert_int_equal(sample_ns, 4711);
        assert_int_equal(send_delayed(&link, 0, NULL), TN_OK);
    }
    assert_true(llabs(link.map.offset_ns - offset) < 1 * MS);
    assert_int_equal(link.map.restarts, 0);
}

static void equal_source_times_are_mapped_alike(void **state)
{
    (void)state;
    struct link link = make_link(0, 0);
    run(&link, 2 * TN_NS_PER_S);
    const int64_t source = source_time(&link);
    int64_t a = 0, b = 0;
    assert_int_equal(tn_time_map_update(&link.map, source, link.now_ns + 1 * MS, &a), TN_OK);
    assert_int_equal(tn_time_map_update(&link.map, source, link.now_ns + 2 * MS, &b), TN_OK);
    assert_int_equal(a, b);
}

static void a_short_silence_is_bridged_and_a_long_one_begins_anew(void **state)
{
    (void)state;
    struct link link = make_link(150, 2 * MS);
    run(&link, 12 * TN_NS_PER_S);
    link.now_ns += 5 * TN_NS_PER_S;
    int64_t error = 0;
    assert_int_equal(send_delayed(&link, 0, &error), TN_OK);
    assert_true(llabs(error) < 3 * MS);
    run(&link, 12 * TN_NS_PER_S);
    link.now_ns += 60 * TN_NS_PER_S;
    assert_int_equal(send_delayed(&link, 0, NULL), TN_ERR_STALE);
    run(&link, 600 * MS);
    assert_int_equal(send_delayed(&link, 0, &error), TN_OK);
    assert_true(llabs(error) < 3 * MS);
    assert_int_equal(link.map.restarts, 0);
}

static void no_int64_breaks_the_arithmetic(void **state)
{
    (void)state;
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    enum { N = sizeof ends / sizeof ends[0] };
    struct tn_time_map map = {0};
    // every order of extreme values; the sanitizers are the judges
    uint64_t seed = 12345;
    for (int i = 0; i < 200000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
        const int64_t source = ends[(seed >> 33) % N];
        const int64_t receive = ends[(seed >> 45) % N];
        int64_t out = 0;
        const enum tn_result result = tn_time_map_update(&map, source, receive, &out);
        assert_true(result != TN_OK || out <= receive);
        (void)!tn_time_map_apply(&map, ends[(seed >> 50) % N], &out);
        if (i % 1000 == 0)
            tn_time_map_reset(&map);
    }
    // and it works again afterwards
    struct link link = make_link(0, MS);
    link.map = map;
    run(&link, 2 * TN_NS_PER_S);
    int64_t error = 0;
    assert_int_equal(send_delayed(&link, 0, &error), TN_OK);
    assert_true(llabs(error) < 2 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_stale_until_half_a_second_of_data),
        cmocka_unit_test(drift_is_followed_in_both_directions),
        cmocka_unit_test(a_delayed_sample_shows_its_age),
        cmocka_unit_test(the_sample_time_is_never_in_the_future),
        cmocka_unit_test(jitter_is_measured),
        cmocka_unit_test(a_back_log_is_old_and_no_clock_step),
        cmocka_unit_test(clock_steps_restart_and_heal),
        cmocka_unit_test(a_step_while_being_established_heals),
        cmocka_unit_test(one_sample_from_the_future_heals),
        cmocka_unit_test(reordered_samples_leave_the_line_alone),
        cmocka_unit_test(equal_source_times_are_mapped_alike),
        cmocka_unit_test(a_short_silence_is_bridged_and_a_long_one_begins_anew),
        cmocka_unit_test(no_int64_breaks_the_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
