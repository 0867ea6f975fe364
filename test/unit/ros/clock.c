// SPDX-License-Identifier: Apache-2.0
// ROS time: ages of simulated stamps, jumps, timers. The node is a bare struct on a loop whose
// clocks the test moves.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ros/ros__node.h"

#define S  TN_NS_PER_S
#define MS TN_NS_PER_MS

// ---- ages of simulated stamps ----

static int64_t age_of(const struct tn_ros__sim_time *sim, int64_t stamp_ns, int64_t now_ns)
{
    int64_t age_ns = 0;
    assert_int_equal(tn_ros__sim_time_age(sim, stamp_ns, now_ns, &age_ns), TN_OK);
    return age_ns;
}

static void has_no_age(const struct tn_ros__sim_time *sim, int64_t stamp_ns, int64_t now_ns)
{
    int64_t age_ns = 77;
    assert_int_equal(tn_ros__sim_time_age(sim, stamp_ns, now_ns, &age_ns), TN_ERR_STALE);
    assert_int_equal(age_ns, 77);
}

static void hear(struct tn_ros__sim_time *sim, int64_t sim_ns, bool is_moment_known,
                 int64_t published_steady_ns)
{
    struct tn_ros__heard heard = {sim_ns, published_steady_ns, is_moment_known, true};
    tn_ros__sim_time_tick(sim, &heard);
}

static void a_stamp_is_as_old_as_the_tick_before_it(void **state)
{
    struct tn_ros__sim_time *sim = calloc(1, sizeof *sim);
    (void)state;
    has_no_age(sim, 0, 100 * S);
    has_no_age(sim, 5 * S, 100 * S);
    // ten times real time, a tick each 10 ms
    for (int i = 0; i <= 10; i++)
        hear(sim, 5 * S + i * 100 * MS, true, 100 * S + i * 10 * MS);
    int64_t now = 100 * S + 100 * MS;
    assert_int_equal(age_of(sim, 6 * S, now), 0);
    assert_int_equal(age_of(sim, 6 * S, now + 7), 7);
    assert_int_equal(age_of(sim, 6 * S - 1, now), 10 * MS);
    assert_int_equal(age_of(sim, 5 * S, now), 100 * MS);
    has_no_age(sim, 5 * S - 1, now);
    has_no_age(sim, 0, now);
    has_no_age(sim, -1, now);
    has_no_age(sim, INT64_MIN, now);
    // a tick that is still on its way here
    assert_int_equal(age_of(sim, 6 * S + 100 * MS, now + 3), 3);
    assert_int_equal(age_of(sim, 6 * S + 100 * MS + 1, now), -(100 * MS + 1));
    // a stamp of wall time
    assert_true(age_of(sim, 1700000000 * S, now) < -S);
    assert_true(age_of(sim, INT64_MAX, now) < -S);
    free(sim);
}

static void a_standing_clock_makes_everything_old(void **state)
{
    struct tn_ros__sim_time *sim = calloc(1, sizeof *sim);
    (void)state;
    for (int i = 0; i < 10; i++)
        hear(sim, 5 * S + i * 10 * MS, true, 100 * S + i * 10 * MS);
    // it says the same for a minute: what it said first counts
    for (int i = 10; i < 6000; i++)
        hear(sim, 5 * S + 90 * MS, true, 100 * S + i * 10 * MS);
    assert_int_equal(age_of(sim, 5 * S + 90 * MS, 160 * S), 60 * S - 90 * MS);
    hear(sim, 5 * S + 100 * MS, true, 160 * S);
    // later than that it began at the second tick of this value at the earliest
    assert_int_equal(age_of(sim, 5 * S + 95 * MS, 160 * S), 60 * S - 100 * MS);
    assert_int_equal(age_of(sim, 5 * S + 100 * MS, 160 * S), 0);
    free(sim);
}

static void stamps_of_before_a_jump_never_pass(void **state)
{
    struct tn_ros__sim_time *sim = calloc(1, sizeof *sim);
    (void)state;
    for (int i = 0; i < 100; i++)
        hear(sim, 50 * S + i * 10 * MS, true, 100 * S + i * 10 * MS);
    // back to the start
    hear(sim, 1 * S, true, 101 * S);
    assert_true(age_of(sim, 50 * S + 500 * MS, 101 * S) < -S);
    has_no_age(sim, 1 * S - 1, 101 * S);
    hear(sim, 1 * S + 10 * MS, true, 101 * S + 10 * MS);
    // forward again beyond the old stamps: nothing was ever stamped in between
    hear(sim, 90 * S, true, 101 * S + 20 * MS);
    has_no_age(sim, 50 * S + 500 * MS, 101 * S + 20 * MS);
    has_no_age(sim, 90 * S - 1, 101 * S + 20 * MS);
    assert_int_equal(age_of(sim, 90 * S, 101 * S + 20 * MS), 0);
    assert_int_equal(age_of(sim, 1 * S + 10 * MS, 101 * S + 20 * MS), 10 * MS);
    free(sim);
}

static void ticks_of_unknown_moments_do_not_count(void **state)
{
    struct tn_ros__sim_time *sim = calloc(1, sizeof *sim);
    (void)state;
    hear(sim, 5 * S, false, 0);
    has_no_age(sim, 5 * S, 100 * S);
    hear(sim, 5 * S + 10 * MS, true, 100 * S);
    hear(sim, 5 * S + 20 * MS, false, 0);
    hear(sim, 5 * S + 30 * MS, true, 100 * S + 20 * MS);
    has_no_age(sim, 5 * S, 100 * S + 20 * MS);
    assert_int_equal(age_of(sim, 5 * S + 20 * MS, 100 * S + 20 * MS), 20 * MS);
    // a tick of 0 is no time
    tn_ros__sim_time_reset(sim);
    hear(sim, 0, true, 100 * S);
    has_no_age(sim, 0, 100 * S);
    has_no_age(sim, 5 * S, 100 * S);
    free(sim);
}

static void a_lost_tick_may_have_said_the_same(void **state)
{
    struct tn_ros__sim_time *sim = calloc(1, sizeof *sim);
    (void)state;
    hear(sim, 5 * S, true, 100 * S);
    // time went to 6 s, and stood there for a while: only the last of these was heard
    struct tn_ros__heard heard = {5 * S + 10 * MS, 104 * S, true, false};
    tn_ros__sim_time_tick(sim, &heard);
    assert_int_equal(age_of(sim, 5 * S + 10 * MS, 104 * S), 4 * S);
    hear(sim, 5 * S + 20 * MS, true, 104 * S + 10 * MS);
    assert_int_equal(age_of(sim, 5 * S + 11 * MS, 104 * S + 10 * MS), 10 * MS);
    assert_int_equal(age_of(sim, 5 * S + 20 * MS, 104 * S + 10 * MS), 0);
    free(sim);
}

static void a_fast_clock_is_remembered_for_two_seconds(void **state)
{
    struct tn_ros__sim_time *sim = calloc(1, sizeof *sim);
    (void)state;
    for (int i = 0; i < 100000; i++)
        hear(sim, S + i * MS / 10, true, 100 * S + i * MS / 10);
    int64_t now = 100 * S + 99999 * MS / 10;
    assert_true(age_of(sim, S + 99999 * MS / 10 - 2 * S, now) >= 2 * S);
    assert_true(age_of(sim, S + 99999 * MS / 10 - 2 * S, now) <= 2 * S + 2 * MS);
    assert_true(age_of(sim, S + 99999 * MS / 10, now) <= 2 * MS);
    has_no_age(sim, S, now);
    free(sim);
}

static void a_moment_has_the_tick_before_it(void **state)
{
    struct tn_ros__sim_time *sim = calloc(1, sizeof *sim);
    (void)state;
    assert_int_equal(tn_ros__sim_time_at(sim, 100 * S), 0);
    hear(sim, 3 * S, false, 0);
    assert_int_equal(tn_ros__sim_time_at(sim, 100 * S), 3 * S);
    for (int i = 0; i < 2000; i++)
        hear(sim, 5 * S + i * 10 * MS, true, 100 * S + i * 10 * MS);
    assert_int_equal(tn_ros__sim_time_at(sim, 200 * S), 5 * S + 19990 * MS);
    assert_int_equal(tn_ros__sim_time_at(sim, 119 * S), 24 * S);
    assert_int_equal(tn_ros__sim_time_at(sim, 119 * S - 1), 24 * S - 10 * MS);
    // longer ago than is remembered
    assert_int_equal(tn_ros__sim_time_at(sim, 0), 5 * S + (2000 - 1024) * 10 * MS);
    free(sim);
}

/// A random simulation: what its clock really said when, heard late and with losses, and stamps
/// made from what a sensor heard of it.
struct truth {
    uint64_t seed;
    int64_t steady_ns, sim_ns, epoch_ns; ///< epoch: real time of the last jump back
};

static uint32_t roll(struct truth *t, uint32_t n)
{
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(t->seed >> 33) % n;
}

/// One step of the simulation: at real time, slowly, fast, not at all, or a jump.
static void advance(struct truth *t, uint32_t mood)
{
    static const int64_t per_mille[] = {1000, 1000, 0, 100, 5000, 50000};
    int64_t step_ns = (1 + (int64_t)roll(t, 20)) * MS;
    t->steady_ns += step_ns;
    t->sim_ns += step_ns / 1000 * per_mille[mood];
    if (roll(t, 400) == 0) {
        t->sim_ns = 1 + (int64_t)roll(t, 1000) * 100 * MS;
        t->epoch_ns = t->steady_ns;
    }
    if (roll(t, 400) == 0)
        t->sim_ns += (int64_t)roll(t, 100) * S;
}

struct made {
    int64_t stamp_ns, made_steady_ns;
};

static void no_age_is_below_the_truth(void **state)
{
    enum { STAMPS = 64 };
    struct tn_ros__sim_time *sim = calloc(1, sizeof *sim);
    uint64_t n_judged = 0, n_close = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct truth t = {.seed = seed, .steady_ns = 1000 * S, .sim_ns = S};
        struct made made[STAMPS] = {{0}};
        int64_t heard_ns = 0;
        uint32_t mood = 0;
        bool is_next = false;
        tn_ros__sim_time_reset(sim);
        for (uint32_t k = 0; k < 4000; k++) {
            mood = roll(&t, 100) == 0 ? roll(&t, 6) : mood;
            int64_t before_ns = t.sim_ns;
            advance(&t, mood);
            if (t.sim_ns < before_ns)
                heard_ns = 0;
            // a third is lost on the way here, of some the moment is not known
            bool is_lost = roll(&t, 3) == 0;
            if (!is_lost) {
                struct tn_ros__heard heard = {t.sim_ns, t.steady_ns, roll(&t, 10) > 0, is_next};
                tn_ros__sim_time_tick(sim, &heard);
            }
            is_next = !is_lost;
            // the sensor has its own losses
            if (roll(&t, 3) > 0)
                heard_ns = t.sim_ns;
            if (heard_ns > 0)
                made[k % STAMPS] = (struct made){heard_ns, t.steady_ns};
            const struct made *m = &made[roll(&t, STAMPS)];
            int64_t age_ns = 0;
            if (m->made_steady_ns <= t.epoch_ns ||
                tn_ros__sim_time_age(sim, m->stamp_ns, t.steady_ns, &age_ns) != TN_OK || age_ns < 0)
                continue;
            n_judged++;
            int64_t true_ns = t.steady_ns - m->made_steady_ns;
            if (age_ns < true_ns)
                fail_msg("seed %" PRIu64 " step %u: %" PRId64 " ns for %" PRId64, seed, k, age_ns,
                         true_ns);
            n_close += age_ns - true_ns < 100 * MS;
        }
    }
    // otherwise the rule would be safe and useless
    assert_true(n_judged > 100000);
    assert_true(n_close > n_judged / 2);
    free(sim);
}

// ---- a node's clock ----

struct rig {
    struct tn_sim_clock time;
    struct tn_ros_context context;
    struct tn_ros_node node;
    uint32_t n_calls[2];
    int64_t seen_ns[2], delta_ns, since_ns;
    enum tn_ros_clock_change change;
    struct tn_ros_timer *to_stop;
    struct tn_ros_jump_handle *to_forget;
};

static struct rig *open_rig(bool is_sim)
{
    struct rig *rig = calloc(1, sizeof *rig);
    struct tn_error err = {0};
    rig->time = (struct tn_sim_clock){.steady_ns = 100 * S, .wall_ns = 1700000000 * S};
    assert_int_equal(tn_loop_create(tn_sim_clock_as_clock(&rig->time), &rig->context.loop, &err),
                     TN_OK);
    rig->node.context = &rig->context;
    rig->node.clock.node = &rig->node;
    rig->node.clock.loop = rig->context.loop;
    rig->node.clock.is_sim = is_sim;
    return rig;
}

static void close_rig(struct rig *rig)
{
    tn_ros__clock_close(&rig->node);
    tn_loop_destroy(&rig->context.loop);
    free(rig);
}

static void pass(struct rig *rig, int64_t delta_ns)
{
    tn_sim_clock_advance(&rig->time, delta_ns);
    (void)tn_loop_run_once(rig->context.loop, 0);
}

static void tick(struct rig *rig, int64_t sim_ns)
{
    struct tn_ros__heard heard = {sim_ns, rig->time.steady_ns, true, true};
    tn_ros__clock_tick(&rig->node.clock, &heard);
    pass(rig, 0);
}

static void on_jump(void *context, const struct tn_ros_jump *jump, bool is_before)
{
    struct rig *rig = context;
    rig->n_calls[is_before]++;
    rig->seen_ns[is_before] = tn_ros_node_now_ros_ns(&rig->node);
    rig->delta_ns = jump->delta_ns;
    rig->change = jump->change;
    if (rig->to_forget != NULL)
        tn_ros_jump_stop(rig->to_forget);
}

static void jumps_are_told_before_and_after(void **state)
{
    struct rig *rig = open_rig(true);
    struct tn_ros_jump_handle handle = {0}, other = {0};
    (void)state;
    struct tn_ros_jump_threshold wrong[] = {{true, -1, 0}, {true, 0, 1}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(tn_ros_jump_start(&rig->node, &handle, wrong[i], on_jump, rig),
                         TN_ERR_INVALID_ARGUMENT);
    struct tn_ros_jump_threshold threshold = {true, 2 * S, -1 * S};
    assert_int_equal(tn_ros_jump_start(&rig->node, &handle, threshold, on_jump, rig), TN_OK);
    assert_int_equal(tn_ros_jump_start(&rig->node, &handle, threshold, on_jump, rig),
                     TN_ERR_EXISTS);
    static const struct {
        int64_t sim_ns;
        bool counts;
    } steps[] = {{1 * S, false},      {3 * S - 1, false}, {5 * S - 1, true}, {5 * S - 1, false},
                 {4 * S, false},      {3 * S, true},      {3 * S, false},    {100 * S, true},
                 {99 * S + 1, false}, {1, true}};
    uint32_t n = 0;
    int64_t old_ns = 0;
    for (size_t i = 0; i < TN_ARRAY_SIZE(steps); i++) {
        tick(rig, steps[i].sim_ns);
        n += steps[i].counts;
        assert_int_equal(rig->n_calls[true], n);
        assert_int_equal(rig->n_calls[false], n);
        if (steps[i].counts) {
            assert_int_equal(rig->seen_ns[true], old_ns);
            assert_int_equal(rig->seen_ns[false], steps[i].sim_ns);
            assert_int_equal(rig->delta_ns, steps[i].sim_ns - old_ns);
            assert_int_equal(rig->change, TN_ROS_TIME_NO_CHANGE);
        }
        old_ns = steps[i].sim_ns;
    }
    // a threshold of 0 is none
    threshold = (struct tn_ros_jump_threshold){true, 0, 0};
    tn_ros_jump_stop(&handle);
    tn_ros_jump_stop(&handle);
    assert_int_equal(tn_ros_jump_start(&rig->node, &handle, threshold, on_jump, rig), TN_OK);
    tick(rig, 500 * S);
    tick(rig, 1 * S);
    assert_int_equal(rig->n_calls[false], n);
    tn_ros_jump_stop(&handle);

    // one callback stops the other, whichever is first: each is called until then and never after
    threshold = (struct tn_ros_jump_threshold){true, 1, 0};
    for (int i = 0; i < 2; i++) {
        rig->to_forget = i == 0 ? &handle : &other;
        assert_int_equal(tn_ros_jump_start(&rig->node, &handle, threshold, on_jump, rig), TN_OK);
        assert_int_equal(tn_ros_jump_start(&rig->node, &other, threshold, on_jump, rig), TN_OK);
        tick(rig, (i + 2) * S);
        tick(rig, (i + 3) * S);
        tn_ros_jump_stop(&handle);
        tn_ros_jump_stop(&other);
        assert_null(rig->node.clock.handles);
    }
    close_rig(rig);
}

static void time_is_zero_until_the_first_tick_and_then_what_it_says(void **state)
{
    struct rig *rig = open_rig(true);
    (void)state;
    assert_int_equal(tn_ros_node_now_ros_ns(&rig->node), 0);
    pass(rig, 10 * S);
    assert_int_equal(tn_ros_node_now_ros_ns(&rig->node), 0);
    tick(rig, 5 * S);
    pass(rig, 10 * S);
    assert_int_equal(tn_ros_node_now_ros_ns(&rig->node), 5 * S);
    tick(rig, 4 * S);
    assert_int_equal(tn_ros_node_now_ros_ns(&rig->node), 4 * S);
    assert_int_equal(tn_ros_node_ros_at(&rig->node, rig->time.steady_ns - S), 4 * S);
    close_rig(rig);
    rig = open_rig(false);
    assert_int_equal(tn_ros_node_now_ros_ns(&rig->node), 1700000000 * S);
    assert_int_equal(tn_ros_node_ros_at(&rig->node, rig->time.steady_ns - S), 1699999999 * S);
    close_rig(rig);
}

// ---- timers ----

static void on_timer(void *context, int64_t since_ros_ns)
{
    struct rig *rig = context;
    rig->n_calls[0]++;
    rig->since_ns = since_ros_ns;
    if (rig->to_stop != NULL)
        tn_ros_timer_stop(rig->to_stop);
}

static void timers_follow_simulated_time(void **state)
{
    struct rig *rig = open_rig(true);
    struct tn_ros_timer timer = {0};
    (void)state;
    tick(rig, 10 * S);
    assert_int_equal(tn_ros_timer_start(&rig->node, &timer, 0, on_timer, rig),
                     TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_ros_timer_start(&rig->node, &timer, S, on_timer, rig), TN_OK);
    tick(rig, 11 * S - 1);
    assert_int_equal(rig->n_calls[0], 0);
    tick(rig, 11 * S);
    assert_int_equal(rig->n_calls[0], 1);
    assert_int_equal(rig->since_ns, S);
    // the clock stands still, an hour passes
    for (int i = 0; i < 3600; i++) {
        pass(rig, S);
        tick(rig, 11 * S);
    }
    assert_int_equal(rig->n_calls[0], 1);
    // phase is kept; a jump over many periods is one call
    tick(rig, 12 * S + 300 * MS);
    assert_int_equal(rig->n_calls[0], 2);
    tick(rig, 13 * S - 1);
    assert_int_equal(rig->n_calls[0], 2);
    tick(rig, 100 * S + 500 * MS);
    assert_int_equal(rig->n_calls[0], 3);
    assert_int_equal(rig->since_ns, 88 * S + 200 * MS);
    tick(rig, 101 * S);
    assert_int_equal(rig->n_calls[0], 4);
    // back, but not behind the last call: it goes on waiting
    tick(rig, 101 * S + 900 * MS);
    tick(rig, 101 * S + 100 * MS);
    tick(rig, 102 * S - 1);
    assert_int_equal(rig->n_calls[0], 4);
    tick(rig, 102 * S);
    assert_int_equal(rig->n_calls[0], 5);
    // behind it: one period from there
    tick(rig, 3 * S);
    tick(rig, 4 * S - 1);
    assert_int_equal(rig->n_calls[0], 5);
    tick(rig, 4 * S);
    assert_int_equal(rig->n_calls[0], 6);
    assert_int_equal(rig->since_ns, S);
    tn_ros_timer_stop(&timer);
    tn_ros_timer_stop(&timer);
    tick(rig, 50 * S);
    assert_int_equal(rig->n_calls[0], 6);
    close_rig(rig);
}

/// Time 0 is no time: what starts in it starts with the first tick.
static void timers_begin_with_the_first_tick(void **state)
{
    struct rig *rig = open_rig(true);
    struct tn_ros_timer timer = {0};
    (void)state;
    assert_int_equal(tn_ros_timer_start(&rig->node, &timer, S, on_timer, rig), TN_OK);
    tick(rig, 1700000000 * S);
    assert_int_equal(rig->n_calls[0], 0);
    tick(rig, 1700000001 * S - 1);
    assert_int_equal(rig->n_calls[0], 0);
    tick(rig, 1700000001 * S);
    assert_int_equal(rig->n_calls[0], 1);
    assert_int_equal(rig->since_ns, S);
    tn_ros_timer_stop(&timer);
    close_rig(rig);
}

static void timers_follow_wall_time_without(void **state)
{
    struct rig *rig = open_rig(false);
    struct tn_ros_timer timer = {0};
    (void)state;
    assert_int_equal(tn_ros_timer_start(&rig->node, &timer, 10 * S, on_timer, rig), TN_OK);
    for (int i = 0; i < 99; i++)
        pass(rig, S / 10);
    assert_int_equal(rig->n_calls[0], 0);
    pass(rig, S / 10);
    assert_int_equal(rig->n_calls[0], 1);
    // wall time is set back by an hour: one period from there, not an hour
    rig->time.wall_ns -= 3600 * S;
    for (int i = 0; i < 115; i++)
        pass(rig, S / 10);
    assert_int_equal(rig->n_calls[0], 2);
    // and forward: at the next look, once
    rig->time.wall_ns += 3600 * S;
    for (int i = 0; i < 12; i++)
        pass(rig, S / 10);
    assert_int_equal(rig->n_calls[0], 3);
    close_rig(rig);
}

static void timers_stop_each_other(void **state)
{
    struct rig *rig = open_rig(true);
    struct tn_ros_timer a = {0}, b = {0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        tick(rig, 10 * S);
        assert_int_equal(tn_ros_timer_start(&rig->node, &a, S, on_timer, rig), TN_OK);
        assert_int_equal(tn_ros_timer_start(&rig->node, &b, S, on_timer, rig), TN_OK);
        rig->to_stop = i == 0 ? &a : &b;
        rig->n_calls[0] = 0;
        tick(rig, 20 * S);
        // the one that was stopped is called at most before
        assert_in_range(rig->n_calls[0], 1, 2);
        rig->n_calls[0] = 0;
        tick(rig, 30 * S);
        assert_int_equal(rig->n_calls[0], 1);
        tn_ros_timer_stop(&a);
        tn_ros_timer_stop(&b);
        assert_false(rig->node.clock.wake.is_running);
    }
    // the node goes first
    assert_int_equal(tn_ros_timer_start(&rig->node, &a, S, on_timer, rig), TN_OK);
    close_rig(rig);
    assert_null(a.node);
    tn_ros_timer_stop(&a);
}

static void far_times_do_not_overflow(void **state)
{
    struct rig *rig = open_rig(true);
    struct tn_ros_timer timer = {0}, longest = {0};
    (void)state;
    assert_int_equal(tn_ros_timer_start(&rig->node, &timer, 1, on_timer, rig), TN_OK);
    assert_int_equal(tn_ros_timer_start(&rig->node, &longest, INT64_MAX, on_timer, rig), TN_OK);
    static const int64_t times[] = {1, INT32_MAX * S + S - 1, 0, INT64_MAX, 1, INT64_MAX};
    for (size_t i = 0; i < TN_ARRAY_SIZE(times); i++)
        tick(rig, times[i]);
    assert_in_range(rig->n_calls[0], 3, 8);
    close_rig(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stamp_is_as_old_as_the_tick_before_it),
        cmocka_unit_test(a_standing_clock_makes_everything_old),
        cmocka_unit_test(stamps_of_before_a_jump_never_pass),
        cmocka_unit_test(ticks_of_unknown_moments_do_not_count),
        cmocka_unit_test(a_lost_tick_may_have_said_the_same),
        cmocka_unit_test(a_fast_clock_is_remembered_for_two_seconds),
        cmocka_unit_test(a_moment_has_the_tick_before_it),
        cmocka_unit_test(no_age_is_below_the_truth),
        cmocka_unit_test(jumps_are_told_before_and_after),
        cmocka_unit_test(time_is_zero_until_the_first_tick_and_then_what_it_says),
        cmocka_unit_test(timers_follow_simulated_time),
        cmocka_unit_test(timers_begin_with_the_first_tick),
        cmocka_unit_test(timers_follow_wall_time_without),
        cmocka_unit_test(timers_stop_each_other),
        cmocka_unit_test(far_times_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
