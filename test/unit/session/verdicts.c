// SPDX-License-Identifier: Apache-2.0
// what a session lets through, on a simulated clock
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session/session.h"

#define MS       INT64_C(1000000)
#define FRAME_NS (INT64_C(1000000000) / 120)

struct world {
    struct tn_session session;
    int64_t now;
    uint64_t sequence, stream;
    const char *device;
};

static struct tn_session_frame next_frame(struct world *w)
{
    w->sequence++;
    return (struct tn_session_frame){
        .side = TN_SIDE_RIGHT,
        .device_id = w->device,
        .stream_id = w->stream,
        .sequence = w->sequence,
        .stamp_ros_ns = INT64_C(1700000000000000000) + w->now,
        .is_age_known = true,
        .age_ns = 2 * MS,
        .is_source_active = true,
        .is_plausible = true,
    };
}

static enum tn_result give(struct world *w, struct tn_session_frame frame)
{
    enum tn_result result = tn_session_frame(&w->session, &frame, w->now);
    (void)tn_session_tick(&w->session, w->now);
    return result;
}

static enum tn_result run_frames(struct world *w, unsigned n)
{
    enum tn_result result = TN_OK;
    for (unsigned i = 0; i < n; i++) {
        w->now += FRAME_NS;
        tn_session_robot(&w->session, true, w->now);
        result = give(w, next_frame(w));
    }
    return result;
}

static void pass_time(struct world *w, int64_t duration_ns, bool robot_lives)
{
    for (int64_t end = w->now + duration_ns; w->now < end;) {
        w->now += 5 * MS;
        if (robot_lives) {
            tn_session_robot(&w->session, true, w->now);
        }
        (void)tn_session_tick(&w->session, w->now);
    }
}

static void start(struct world *w)
{
    struct tn_session_options options = tn_session_options_default(TN_SIDE_RIGHT);
    memset(w, 0, sizeof *w);
    w->now = 1000 * MS;
    w->stream = 1;
    w->device = "glove_right";
    assert_int_equal(tn_session_init(&w->session, &options, NULL), TN_OK);
}

static void start_flowing(struct world *w)
{
    start(w);
    (void)run_frames(w, 12);
    assert_int_equal(tn_session_arm(&w->session, w->now, NULL), TN_OK);
    assert_int_equal(run_frames(w, 1), TN_OK);
    assert_int_equal(w->session.state, TN_SESSION_ACTIVE);
}

static void nothing_flows_before_arm(void **state)
{
    (void)state;
    struct world w;
    start(&w);
    assert_int_equal(run_frames(&w, 500), TN_ERR_STATE);
    assert_int_equal(w.session.state, TN_SESSION_CALIBRATING);
    assert_int_equal(tn_session_action(&w.session), TN_SESSION_ACTION_HOLD);
}

static void arm_needs_fresh_frames_in_order(void **state)
{
    (void)state;
    struct world w;
    struct tn_error err = {0};
    start(&w);
    assert_int_equal(tn_session_arm(&w.session, w.now, &err), TN_ERR_STATE);
    (void)run_frames(&w, 11);
    assert_int_equal(tn_session_arm(&w.session, w.now, &err), TN_ERR_STATE);
    assert_non_null(strstr(err.text, "11 of 12"));
    (void)run_frames(&w, 1);
    assert_int_equal(tn_session_arm(&w.session, w.now, &err), TN_OK);
    assert_int_equal(run_frames(&w, 1), TN_OK);
    assert_true(w.session.resuming);
}

static void arm_needs_a_robot_that_answers(void **state)
{
    (void)state;
    struct world w;
    struct tn_error err = {0};
    start(&w);
    for (int i = 0; i < 20; i++) {
        w.now += FRAME_NS;
        (void)give(&w, next_frame(&w));
    }
    assert_int_equal(tn_session_arm(&w.session, w.now, &err), TN_ERR_STATE);
    assert_non_null(strstr(err.text, "feedback"));
    assert_int_equal(w.session.arming, TN_SESSION_DISARMED);
}

static void stale_after_its_timeout_and_not_before(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    int64_t sample = w.now - 2 * MS;
    w.now = sample + 200 * MS;
    tn_session_robot(&w.session, true, w.now);
    (void)tn_session_tick(&w.session, w.now);
    assert_true(tn_session_is_flowing(&w.session));
    w.now += 1;
    assert_true(tn_session_tick(&w.session, w.now));
    assert_int_equal(w.session.state, TN_SESSION_STALE);
    assert_int_equal(w.session.reason, TN_SESSION_REASON_GAP);
    assert_int_equal(tn_session_action(&w.session), TN_SESSION_ACTION_HOLD);
}

static void short_gap_heals_slowly_by_itself(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    tn_session_resume_done(&w.session);
    pass_time(&w, 500 * MS, true);
    assert_int_equal(w.session.state, TN_SESSION_STALE);
    assert_int_equal(run_frames(&w, 11), TN_ERR_STATE);
    assert_int_equal(run_frames(&w, 1), TN_OK);
    assert_true(w.session.resuming);
    assert_int_equal(w.session.arming, TN_SESSION_ARMED);
}

static void long_gap_latches_until_arm(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    pass_time(&w, 1100 * MS, true);
    assert_int_equal(w.session.state, TN_SESSION_DISCONNECTED);
    assert_int_equal(w.session.arming, TN_SESSION_LATCHED);
    assert_int_equal(run_frames(&w, 600), TN_ERR_STATE);
    assert_int_equal(w.session.counters.reconnects, 1);
    assert_int_equal(tn_session_arm(&w.session, w.now, NULL), TN_OK);
    assert_int_equal(run_frames(&w, 1), TN_OK);
}

static void the_gap_counts_from_the_sample_not_from_its_arrival(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    w.now += FRAME_NS;
    struct tn_session_frame frame = next_frame(&w);
    frame.age_ns = 150 * MS;
    assert_int_equal(give(&w, frame), TN_OK);
    w.now += 51 * MS;
    (void)tn_session_tick(&w.session, w.now);
    assert_int_equal(w.session.state, TN_SESSION_STALE);
}

static void a_stalled_process_notices_the_gap_with_its_first_frame(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    w.now += 3000 * MS;
    tn_session_robot(&w.session, true, w.now);
    struct tn_session_frame frame = next_frame(&w);
    assert_int_equal(tn_session_frame(&w.session, &frame, w.now), TN_ERR_STATE);
    assert_int_equal(w.session.arming, TN_SESSION_LATCHED);
}

// one bad property at a time; none may flow, and the good frame after it does unless it latched
static void refuses_each_kind_of_bad_frame(void **state)
{
    (void)state;
    static const struct {
        enum tn_result expected;
        int kind;
    } cases[] = {{TN_ERR_STALE, 0},        {TN_ERR_STALE, 1},      {TN_ERR_STALE, 2},
                 {TN_ERR_STALE, 3},        {TN_ERR_REPEATED, 4},   {TN_ERR_REPEATED, 5},
                 {TN_ERR_REORDERED, 6},    {TN_ERR_WRONG_SIDE, 7}, {TN_ERR_WRONG_DEVICE, 8},
                 {TN_ERR_WRONG_DEVICE, 9}, {TN_ERR_MALFORMED, 10}, {TN_ERR_STATE, 11}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct world w;
        start_flowing(&w);
        w.now += FRAME_NS;
        struct tn_session_frame frame = next_frame(&w);
        switch (cases[i].kind) {
        case 0:
            frame.is_age_known = false;
            break;
        case 1:
            frame.age_ns = 200 * MS + 1;
            break;
        case 2:
            frame.is_late = true;
            break;
        case 3:
            frame.age_ns = -51 * MS;
            break;
        case 4:
            frame.sequence--;
            break;
        case 5:
            frame.stamp_ros_ns = w.session.stamp_ros_ns;
            break;
        case 6:
            frame.sequence -= 2;
            break;
        case 7:
            frame.side = TN_SIDE_LEFT;
            break;
        case 8:
            frame.device_id = "other";
            break;
        case 9:
            frame.device_id = "";
            break;
        case 10:
            frame.is_plausible = false;
            break;
        default:
            frame.is_source_active = false;
            break;
        }
        assert_int_equal(give(&w, frame), cases[i].expected);
    }
}

static void repeats_do_not_keep_the_link_alive(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    w.now += FRAME_NS;
    struct tn_session_frame frame = next_frame(&w);
    assert_int_equal(give(&w, frame), TN_OK);
    for (int i = 0; i < 60; i++) {
        w.now += FRAME_NS;
        tn_session_robot(&w.session, true, w.now);
        assert_int_equal(give(&w, frame), TN_ERR_REPEATED);
    }
    assert_int_equal(w.session.state, TN_SESSION_STALE);
    assert_int_equal(w.session.reason, TN_SESSION_REASON_FROZEN);
}

// a broken or hostile sender writes the highest number once; the glove goes on counting from where
// it was
static void a_wild_sequence_costs_a_latch_and_not_the_glove(void **state)
{
    (void)state;
    for (int is_stale = 0; is_stale < 2; is_stale++) {
        struct world w;
        start_flowing(&w);
        w.now += FRAME_NS;
        struct tn_session_frame wild = next_frame(&w);
        wild.sequence = UINT64_MAX;
        wild.is_age_known = is_stale == 0;
        (void)give(&w, wild);
        (void)run_frames(&w, 400);
        assert_int_equal(w.session.arming, TN_SESSION_LATCHED);
        assert_int_equal(tn_session_arm(&w.session, w.now, NULL), TN_OK);
        assert_int_equal(run_frames(&w, 1), TN_OK);
    }
}

static void a_restarted_source_latches(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    w.stream = 2;
    w.sequence = 0;
    assert_int_equal(run_frames(&w, 1), TN_ERR_STATE);
    assert_int_equal(w.session.state, TN_SESSION_CALIBRATING);
    assert_int_equal(w.session.reason, TN_SESSION_REASON_IDENTITY);
    assert_int_equal(w.session.arming, TN_SESSION_LATCHED);
    assert_int_equal(run_frames(&w, 100), TN_ERR_STATE);
    assert_int_equal(tn_session_arm(&w.session, w.now, NULL), TN_OK);
    assert_int_equal(run_frames(&w, 1), TN_OK);
}

static void another_glove_takes_over_only_when_the_first_is_silent(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    w.device = "second_right";
    assert_int_equal(run_frames(&w, 1), TN_ERR_WRONG_DEVICE);
    pass_time(&w, 300 * MS, true);
    assert_int_equal(run_frames(&w, 40), TN_ERR_STATE);
    assert_int_equal(w.session.arming, TN_SESSION_LATCHED);
    assert_string_equal(w.session.device_id, "second_right");
}

static void implausible_frames_fail_the_check_after_a_run(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    for (int i = 0; i < 12; i++) {
        w.now += FRAME_NS;
        struct tn_session_frame frame = next_frame(&w);
        frame.is_plausible = false;
        assert_int_equal(give(&w, frame), TN_ERR_MALFORMED);
    }
    assert_int_equal(w.session.state, TN_SESSION_CALIBRATING);
    assert_int_equal(w.session.arming, TN_SESSION_LATCHED);
}

static void a_hand_that_bends_like_the_other_fails_the_side_check(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    enum tn_result result = TN_OK;
    for (int i = 0; i < TN_SESSION_OTHER_SIDE_FRAMES; i++) {
        assert_int_equal(result, TN_OK);
        w.now += FRAME_NS;
        tn_session_robot(&w.session, true, w.now);
        struct tn_session_frame frame = next_frame(&w);
        frame.shows_other_side = true;
        result = give(&w, frame);
    }
    assert_int_equal(result, TN_ERR_WRONG_SIDE);
    assert_int_equal(w.session.reason, TN_SESSION_REASON_SIDE);
    assert_int_equal(w.session.arming, TN_SESSION_LATCHED);
}

static void source_lost_passes_stale_and_disconnects(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    uint32_t before = w.session.counters.transitions;
    tn_session_source_lost(&w.session, w.now);
    assert_int_equal(w.session.state, TN_SESSION_DISCONNECTED);
    assert_int_equal(w.session.previous, TN_SESSION_STALE);
    assert_int_equal(w.session.counters.transitions - before, 2);
    assert_int_equal(w.session.arming, TN_SESSION_LATCHED);
}

static void estop_disarm_enable_pause_and_robot_stop_the_flow(void **state)
{
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        struct world w;
        start_flowing(&w);
        switch (kind) {
        case 0:
            tn_session_estop(&w.session);
            break;
        case 1:
            tn_session_disarm(&w.session);
            break;
        case 2:
            w.session.options.require_enable = true;
            tn_session_enable(&w.session, false);
            break;
        case 3:
            tn_session_pause(&w.session, true);
            break;
        default:
            tn_session_robot(&w.session, false, w.now);
            break;
        }
        w.now += FRAME_NS;
        assert_int_equal(give(&w, next_frame(&w)), TN_ERR_STATE);
        assert_int_equal(tn_session_action(&w.session), TN_SESSION_ACTION_HOLD);
        static const enum tn_session_reason reasons[] = {
            TN_SESSION_REASON_ESTOP, TN_SESSION_REASON_ARM, TN_SESSION_REASON_ENABLE,
            TN_SESSION_REASON_PAUSE, TN_SESSION_REASON_ROBOT};
        assert_int_equal(w.session.reason, reasons[kind]);
        tn_session_enable(&w.session, true);
        tn_session_pause(&w.session, false);
        enum tn_result after = run_frames(&w, 1);
        assert_int_equal(after, kind < 2 ? TN_ERR_STATE : TN_OK);
        assert_int_equal(w.session.resuming, kind >= 2);
    }
}

static void a_silent_robot_stops_the_flow(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    for (int i = 0; i < 61; i++) {
        w.now += FRAME_NS;
        (void)give(&w, next_frame(&w));
    }
    assert_false(tn_session_is_flowing(&w.session));
    assert_int_equal(w.session.reason, TN_SESSION_REASON_ROBOT);
}

static void a_ros_clock_that_jumps_back_costs_a_hold_but_no_latch(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    w.now += FRAME_NS;
    struct tn_session_frame frame = next_frame(&w);
    frame.stamp_ros_ns -= 100000 * MS;
    assert_int_equal(give(&w, frame), TN_ERR_STATE);
    assert_int_equal(w.session.counters.clock_jumps, 1);
    assert_int_equal(w.session.state, TN_SESSION_STALE);
    assert_int_equal(w.session.arming, TN_SESSION_ARMED);
    for (unsigned i = 0; i < 11; i++) {
        assert_int_equal(w.session.state, TN_SESSION_STALE);
        w.now += FRAME_NS;
        frame = next_frame(&w);
        frame.stamp_ros_ns -= 100000 * MS;
        enum tn_result result = give(&w, frame);
        assert_int_equal(result, i < 10 ? TN_ERR_STATE : TN_OK);
    }
    assert_true(w.session.resuming);
}

static void start_without_arm(struct world *w, uint32_t rearm_frames)
{
    start(w);
    struct tn_session_options options = w->session.options;
    options.require_arm = false;
    options.rearm_frames = rearm_frames;
    assert_int_equal(tn_session_init(&w->session, &options, NULL), TN_OK);
    (void)run_frames(w, rearm_frames + 1);
    assert_true(tn_session_is_flowing(&w->session));
    tn_session_resume_done(&w->session);
}

static void without_arm_the_operator_still_stops_the_hand(void **state)
{
    (void)state;
    struct world w;
    start_without_arm(&w, 12);
    tn_session_disarm(&w.session);
    assert_int_equal(run_frames(&w, 200), TN_ERR_STATE);
    assert_int_equal(tn_session_arm(&w.session, w.now, NULL), TN_OK);
    assert_int_equal(run_frames(&w, 1), TN_OK);
    assert_true(w.session.resuming);
    tn_session_estop(&w.session);
    assert_int_equal(run_frames(&w, 200), TN_ERR_STATE);
    assert_int_equal(tn_session_arm(&w.session, w.now, NULL), TN_OK);
    assert_int_equal(run_frames(&w, 1), TN_OK);
}

static void without_arm_a_disconnect_heals_slowly_and_says_no_latch(void **state)
{
    (void)state;
    struct world w;
    start_without_arm(&w, 12);
    pass_time(&w, 1500 * MS, true);
    assert_int_equal(w.session.state, TN_SESSION_DISCONNECTED);
    w.stream = 2;
    w.sequence = 0;
    assert_int_equal(run_frames(&w, 11), TN_ERR_STATE);
    assert_int_equal(w.session.arming, TN_SESSION_ARMED);
    assert_int_equal(run_frames(&w, 1), TN_OK);
    assert_true(w.session.resuming);
}

// one fresh frame is enough for this session; even so no break passes unseen
static void the_call_that_notices_a_break_lets_nothing_flow(void **state)
{
    (void)state;
    struct world w;
    // a gap that no tick saw
    start_without_arm(&w, 1);
    w.now += 300 * MS;
    tn_session_robot(&w.session, true, w.now);
    struct tn_session_frame frame = next_frame(&w);
    assert_int_equal(tn_session_frame(&w.session, &frame, w.now), TN_ERR_STATE);
    assert_int_equal(run_frames(&w, 1), TN_OK);
    assert_true(w.session.resuming);
    // another stream
    tn_session_resume_done(&w.session);
    w.stream = 2;
    w.now += FRAME_NS;
    frame = next_frame(&w);
    assert_int_equal(tn_session_frame(&w.session, &frame, w.now), TN_ERR_STATE);
    assert_int_equal(run_frames(&w, 1), TN_OK);
    assert_true(w.session.resuming);
}

static void a_robot_that_was_silent_is_approached_slowly(void **state)
{
    (void)state;
    struct world w;
    start_flowing(&w);
    tn_session_resume_done(&w.session);
    uint32_t before = w.session.counters.approaches;
    // frames go on, the process saw neither tick nor feedback
    int64_t silent_from = w.now;
    while (w.now < silent_from + 490 * MS) {
        w.now += FRAME_NS;
        assert_int_equal(give(&w, next_frame(&w)), TN_OK);
    }
    w.now += 50 * MS;
    tn_session_robot(&w.session, true, w.now);
    struct tn_session_frame frame = next_frame(&w);
    assert_int_equal(tn_session_frame(&w.session, &frame, w.now), TN_OK);
    assert_true(w.session.resuming);
    assert_int_equal(w.session.counters.approaches, before + 1);
}

static void zero_timeouts_are_configuration_errors(void **state)
{
    (void)state;
    struct tn_session session;
    struct tn_error err = {0};
    struct tn_session_options options = tn_session_options_default(TN_SIDE_LEFT);
    options.stale_timeout_ns = 0;
    assert_int_equal(tn_session_init(&session, &options, &err), TN_ERR_INVALID_ARGUMENT);
    options = tn_session_options_default(TN_SIDE_LEFT);
    options.disconnect_timeout_ns = options.stale_timeout_ns;
    assert_int_equal(tn_session_init(&session, &options, &err), TN_ERR_INVALID_ARGUMENT);
    options = tn_session_options_default(TN_SIDE_UNKNOWN);
    assert_int_equal(tn_session_init(&session, &options, &err), TN_ERR_INVALID_ARGUMENT);
    options = tn_session_options_default(TN_SIDE_LEFT);
    options.rearm_frames = 0;
    assert_int_equal(tn_session_init(&session, &options, &err), TN_ERR_INVALID_ARGUMENT);
    options = tn_session_options_default(TN_SIDE_LEFT);
    memset(options.device_id, 'x', sizeof options.device_id);
    assert_int_equal(tn_session_init(&session, &options, &err), TN_ERR_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_flows_before_arm),
        cmocka_unit_test(arm_needs_fresh_frames_in_order),
        cmocka_unit_test(arm_needs_a_robot_that_answers),
        cmocka_unit_test(stale_after_its_timeout_and_not_before),
        cmocka_unit_test(short_gap_heals_slowly_by_itself),
        cmocka_unit_test(long_gap_latches_until_arm),
        cmocka_unit_test(the_gap_counts_from_the_sample_not_from_its_arrival),
        cmocka_unit_test(a_stalled_process_notices_the_gap_with_its_first_frame),
        cmocka_unit_test(refuses_each_kind_of_bad_frame),
        cmocka_unit_test(repeats_do_not_keep_the_link_alive),
        cmocka_unit_test(a_wild_sequence_costs_a_latch_and_not_the_glove),
        cmocka_unit_test(a_restarted_source_latches),
        cmocka_unit_test(another_glove_takes_over_only_when_the_first_is_silent),
        cmocka_unit_test(implausible_frames_fail_the_check_after_a_run),
        cmocka_unit_test(a_hand_that_bends_like_the_other_fails_the_side_check),
        cmocka_unit_test(source_lost_passes_stale_and_disconnects),
        cmocka_unit_test(estop_disarm_enable_pause_and_robot_stop_the_flow),
        cmocka_unit_test(a_silent_robot_stops_the_flow),
        cmocka_unit_test(a_ros_clock_that_jumps_back_costs_a_hold_but_no_latch),
        cmocka_unit_test(without_arm_the_operator_still_stops_the_hand),
        cmocka_unit_test(without_arm_a_disconnect_heals_slowly_and_says_no_latch),
        cmocka_unit_test(the_call_that_notices_a_break_lets_nothing_flow),
        cmocka_unit_test(a_robot_that_was_silent_is_approached_slowly),
        cmocka_unit_test(zero_timeouts_are_configuration_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
