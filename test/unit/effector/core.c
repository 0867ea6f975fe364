// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "rig.h"

// the whole table once more: next state, action; rows state, columns event
static const char *const table[TN_EFFECTOR_STATES][TN_EFFECTOR_EVENTS] = {
    // up   back  lost  cmd   ref   hold  pose  reach rate  stop  rel   shut
    {"R.", "Hh", "Lg", "Sx", "S.", "S.", "S.", "S.", "S.", "Tg", "S.", "Cg"},
    {"R.", "R.", "Lg", "Ff", "R.", "R.", "R.", "R.", "R.", "Th", "R.", "Cg"},
    {"F.", "F.", "Lg", "Ff", "F.", "Hh", "F.", "F.", "Fr", "Th", "F.", "Cg"},
    {"H.", "H.", "Lg", "Uu", "H.", "H.", "Pp", "H.", "Hr", "Th", "H.", "Cg"},
    {"P.", "P.", "Lg", "Uu", "P.", "P.", "P.", "P.", "Pr", "Th", "P.", "Cg"},
    {"U.", "U.", "Lg", "Uu", "U.", "Hh", "U.", "F.", "Ur", "Th", "U.", "Cg"},
    {"Th", "Th", "Tg", "Tx", "T.", "T.", "T.", "T.", "T.", "T.", "H.", "Cg"},
    {"Hh", "Hh", "L.", "Lx", "L.", "L.", "L.", "L.", "L.", "Tg", "L.", "Cg"},
    {"C.", "C.", "C.", "Cx", "C.", "C.", "C.", "C.", "C.", "C.", "C.", "C."},
};
static const char state_letters[] = "SRFHPUTLC";
static const char action_letters[] = ".fuxhprg";

static void the_table_is_what_it_is_meant_to_be(void **state)
{
    (void)state;
    for (int s = 0; s < TN_EFFECTOR_STATES; s++) {
        for (int e = 0; e < TN_EFFECTOR_EVENTS; e++) {
            struct tn_effector_cell cell =
                tn_effector_cell((enum tn_effector_state)s, (enum tn_effector_event)e);
            if (state_letters[cell.next] != table[s][e][0] ||
                action_letters[cell.action] != table[s][e][1])
                fail_msg("%s, event %d: %s action %d",
                         tn_effector_state_name((enum tn_effector_state)s), e,
                         tn_effector_state_name(cell.next), (int)cell.action);
        }
    }
}

static struct tn_effector_options pose_options(void)
{
    struct tn_effector_options options = rig_teleop_options();
    options.has_pose = true;
    for (int i = 0; i < 6; i++)
        options.pose[i] = 10.0;
    return options;
}

static void lose(struct rig *rig)
{
    tn_effector_sim_connect(&rig->sim, false);
    for (int i = 0; i < 5; i++)
        rig_poll(rig);
}

// brings a machine into a state by what happens in life
static void reach(struct rig *rig, enum tn_effector_state wanted)
{
    struct tn_effector_options options = pose_options();
    struct tn_effector_options plain = rig_options(TN_EFFECTOR_HAND);
    struct tn_effector_sim_options sim =
        tn_effector_sim_options_default(TN_EFFECTOR_HAND, TN_SIDE_LEFT);
    if (wanted == TN_EFFECTOR_STARTING) {
        rig_init_sim(rig, &options, &sim);
        return;
    }
    rig_init(rig, wanted == TN_EFFECTOR_READY ? &plain : &options);
    if (wanted == TN_EFFECTOR_FOLLOWING || wanted == TN_EFFECTOR_POSE)
        rig_stream(rig, 0, 0.0, 100 * TN_NS_PER_MS);
    if (wanted == TN_EFFECTOR_POSE)
        rig_run(rig, 1005 * TN_NS_PER_MS);
    if (wanted == TN_EFFECTOR_RESUMING)
        rig_send_all(rig, 0, 90.0);
    if (wanted == TN_EFFECTOR_STOPPED)
        tn_effector_core_stop(&rig->core, rig->now_ns);
    if (wanted == TN_EFFECTOR_LOST)
        lose(rig);
    if (wanted == TN_EFFECTOR_CLOSED)
        tn_effector_core_shutdown(&rig->core, rig->now_ns);
    if (rig->core.state != wanted)
        fail_msg("%s instead of %s", tn_effector_state_name(rig->core.state),
                 tn_effector_state_name(wanted));
}

static void happen(struct rig *rig, enum tn_effector_event event)
{
    switch (event) {
    case TN_EFFECTOR_EV_UP:
    case TN_EFFECTOR_EV_BACK:
        tn_effector_sim_connect(&rig->sim, true);
        rig_poll(rig);
        break;
    case TN_EFFECTOR_EV_LOST:
        lose(rig);
        break;
    case TN_EFFECTOR_EV_COMMAND:
        rig->now_ns += TN_NS_PER_MS;
        rig_send_all(rig, 0, 90.0);
        break;
    case TN_EFFECTOR_EV_REFUSED:
        rig_send_all(rig, 0, 101.0);
        break;
    case TN_EFFECTOR_EV_WATCHDOG_HOLD:
        rig->now_ns += 201 * TN_NS_PER_MS;
        tn_effector_core_tick(&rig->core, rig->now_ns);
        break;
    case TN_EFFECTOR_EV_STOP:
        tn_effector_core_stop(&rig->core, rig->now_ns);
        break;
    case TN_EFFECTOR_EV_RELEASE:
        tn_effector_core_release(&rig->core, rig->now_ns);
        break;
    case TN_EFFECTOR_EV_SHUTDOWN:
        tn_effector_core_shutdown(&rig->core, rig->now_ns);
        break;
    case TN_EFFECTOR_EV_WATCHDOG_POSE:
    case TN_EFFECTOR_EV_REACHED:
    case TN_EFFECTOR_EV_RATE_TIMEOUT:
    case TN_EFFECTOR_EVENTS:
        break;
    }
}

// each state × each thing that can happen to a core from outside
static void every_state_meets_every_event(void **state)
{
    static const enum tn_effector_event events[] = {
        TN_EFFECTOR_EV_UP,      TN_EFFECTOR_EV_BACK,    TN_EFFECTOR_EV_LOST,
        TN_EFFECTOR_EV_COMMAND, TN_EFFECTOR_EV_REFUSED, TN_EFFECTOR_EV_WATCHDOG_HOLD,
        TN_EFFECTOR_EV_STOP,    TN_EFFECTOR_EV_RELEASE, TN_EFFECTOR_EV_SHUTDOWN,
    };
    (void)state;
    for (int s = 0; s < TN_EFFECTOR_STATES; s++) {
        for (size_t e = 0; e < TN_ARRAY_SIZE(events); e++) {
            struct rig rig;
            reach(&rig, (enum tn_effector_state)s);
            bool is_up = rig.core.is_up;
            enum tn_effector_state expected =
                tn_effector_cell((enum tn_effector_state)s, events[e]).next;
            // the first poll comes up by the slow door when a watchdog is set
            if (s == TN_EFFECTOR_STARTING && events[e] == TN_EFFECTOR_EV_UP)
                expected = TN_EFFECTOR_HOLDING;
            // without a watchdog nothing holds by itself
            happen(&rig, events[e]);
            if (rig.core.state != expected)
                fail_msg("%s, event %d: %s instead of %s",
                         tn_effector_state_name((enum tn_effector_state)s), (int)events[e],
                         tn_effector_state_name(rig.core.state), tn_effector_state_name(expected));
            // nothing but a command, a hold of what moves, or a pose writes
            bool may_write =
                events[e] != TN_EFFECTOR_EV_REFUSED && events[e] != TN_EFFECTOR_EV_RELEASE &&
                events[e] != TN_EFFECTOR_EV_LOST && events[e] != TN_EFFECTOR_EV_SHUTDOWN;
            struct tn_effector_setpoint setpoint;
            rig.now_ns += 100 * TN_NS_PER_MS;
            if (!may_write && tn_effector_core_take(&rig.core, rig.now_ns, &setpoint))
                assert_true(is_up && events[e] != TN_EFFECTOR_EV_LOST &&
                            events[e] != TN_EFFECTOR_EV_SHUTDOWN);
        }
    }
}

static void a_stream_that_stops_is_held_to_the_tick(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    struct rig rig;
    rig_init(&rig, &options);
    rig_stream(&rig, 0, 0.0, 100 * TN_NS_PER_MS);
    rig_stream(&rig, 0, 100.0, 200 * TN_NS_PER_MS);
    assert_int_equal(rig_send_all(&rig, 0, 100.0), TN_EFFECTOR_CMD_ACCEPTED);
    int64_t last_ns = rig.now_ns;
    while (rig.core.state == TN_EFFECTOR_FOLLOWING)
        rig_tick(&rig);
    assert_int_equal(rig.core.state, TN_EFFECTOR_HOLDING);
    assert_int_equal(rig.now_ns - last_ns, 200 * TN_NS_PER_MS);
    double at = rig.last_write.value[2];
    assert_true(at > 5.0 && at < 95.0);
    // where it comes to stand: a little further on its way
    assert_true(at > rig.core.sample.position[2] && at < rig.core.sample.position[2] + 21.5);
    assert_int_equal(rig.last_write.joints, 0x3f);
    assert_int_equal(rig.last_write.n_commands, 0);
    rig_run(&rig, 5 * TN_NS_PER_S);
    assert_int_equal(rig.core.state, TN_EFFECTOR_HOLDING);
    assert_true(fabs(rig.core.sample.position[2] - at) < 0.11);
    assert_int_equal(rig.core.counters.holds, 1);
}

static void the_pose_follows_the_hold_slowly(void **state)
{
    (void)state;
    struct tn_effector_options options = pose_options();
    struct rig rig;
    rig_init(&rig, &options);
    rig_stream(&rig, 0, 80.0, 3 * TN_NS_PER_S);
    int64_t last_ns = rig.core.last_position_steady_ns;
    while (rig.core.state != TN_EFFECTOR_POSE)
        rig_tick(&rig);
    assert_int_equal(rig.now_ns - last_ns, TN_NS_PER_S);
    double fastest = 0.0;
    while (rig.core.sample.position[0] > 10.1) {
        rig_tick(&rig);
        fastest = fmax(fastest, fabs(rig.sim.joints[0].v));
    }
    assert_true(fastest > 40.0 && fastest <= 50.0 + 1e-6);
    rig_run(&rig, TN_NS_PER_S);
    assert_true(fabs(rig.core.sample.position[0] - 10.0) < 0.11);
    assert_true(rig_has_note(&rig, TN_EFFECTOR_NOTE_POSE));
}

static void resumes_slowly_and_without_a_jump(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    struct rig rig;
    rig_init(&rig, &options);
    rig_stream(&rig, 0, 0.0, 100 * TN_NS_PER_MS);
    rig_run(&rig, 400 * TN_NS_PER_MS);
    assert_int_equal(rig.core.state, TN_EFFECTOR_HOLDING);
    assert_true(rig_has_note(&rig, TN_EFFECTOR_NOTE_HOLD));
    double fastest = 0.0;
    int64_t start_ns = rig.now_ns;
    do {
        rig_stream(&rig, 0, 90.0, 20 * TN_NS_PER_MS);
        if (rig.core.state == TN_EFFECTOR_RESUMING)
            fastest = fmax(fastest, fabs(rig.sim.joints[3].v));
    } while (rig.core.state == TN_EFFECTOR_RESUMING);
    assert_true(fastest > 40.0 && fastest <= 50.0 + 1e-6);
    assert_int_equal(rig.core.state, TN_EFFECTOR_FOLLOWING);
    // 88 % at no more than 50 %/s
    assert_true(rig.now_ns - start_ns >= 1760 * TN_NS_PER_MS);
    assert_true(rig.core.sample.position[3] >= 88.0);
    assert_true(rig_has_note(&rig, TN_EFFECTOR_NOTE_RESUMED));
    rig_stream(&rig, 0, 0.0, 300 * TN_NS_PER_MS);
    assert_true(fabs(rig.sim.joints[3].v) > 100.0);
}

// a joint that no command names after a hold never goes back to its old target
static void an_old_target_is_forgotten_by_a_hold(void **state)
{
    static const struct tn_effector_text index[] = {{"INDEXMCP", 8}};
    static const double ten[] = {10.0};
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    struct rig rig;
    rig_init(&rig, &options);
    rig_stream(&rig, 0, 0.0, 100 * TN_NS_PER_MS);
    rig_stream(&rig, 0, 100.0, 100 * TN_NS_PER_MS);
    rig_run(&rig, TN_NS_PER_S);
    double held = rig.core.sample.position[4];
    assert_true(held > 5.0 && held < 95.0);
    for (int i = 0; i < 400; i++) {
        struct tn_effector_command command = rig_command(&rig, 0, ten, 1);
        command.names = index;
        command.n_names = 1;
        assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
        rig_tick(&rig);
    }
    assert_true(fabs(rig.core.sample.position[4] - held) < 0.11);
    assert_true(fabs(rig.core.sample.position[2] - 10.0) < 0.11);
    // and when it is named at last, it comes slowly
    double fastest = 0.0;
    for (int i = 0; i < 20; i++) {
        rig_stream(&rig, 0, 0.0, 20 * TN_NS_PER_MS);
        fastest = fmax(fastest, fabs(rig.sim.joints[4].v));
    }
    assert_true(fastest > 20.0 && fastest <= 50.0 + 1e-6);
}

static void rates_stop_when_not_refreshed(void **state)
{
    (void)state;
    for (uint8_t mode = 1; mode <= 2; mode++) {
        struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
        struct rig rig;
        rig_init(&rig, &options);
        assert_int_equal(rig_send_all(&rig, mode, 30.0), TN_EFFECTOR_CMD_ACCEPTED);
        int64_t sent_ns = rig.now_ns;
        while (rig.core.counters.rate_timeouts == 0)
            rig_tick(&rig);
        assert_int_equal(rig.now_ns - sent_ns, 200 * TN_NS_PER_MS);
        assert_true(fabs(rig.last_write.value[0]) < 1e-12);
        assert_int_equal(rig.last_write.mode[0], mode);
        rig_run(&rig, 200 * TN_NS_PER_MS);
        double at = rig.sim.joints[0].x;
        assert_true(at > 1.0);
        rig_run(&rig, TN_NS_PER_S);
        assert_true(fabs(rig.sim.joints[0].x - at) < 1e-9);
        assert_int_equal(rig.core.counters.rate_timeouts, 1);
        assert_int_equal(rig.core.sample.state[0], TN_EFFECTOR_IDLE);
    }
}

// speeds on one joint do not keep the position watchdog of another quiet
static void the_watchdogs_are_independent(void **state)
{
    static const struct tn_effector_text thumb[] = {{"THUMBMCP", 8}};
    static const double slow[] = {5.0};
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    struct rig rig;
    rig_init(&rig, &options);
    rig_stream(&rig, 0, 0.0, 100 * TN_NS_PER_MS);
    rig_stream(&rig, 0, 100.0, 100 * TN_NS_PER_MS);
    for (int i = 0; i < 60; i++) {
        struct tn_effector_command command = rig_command(&rig, 1, slow, 1);
        command.names = thumb;
        command.n_names = 1;
        assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
        rig_tick(&rig);
    }
    assert_int_equal(rig.core.counters.holds, 1);
    assert_true(rig.sim.joints[2].x < 95.0);
    assert_true(rig.sim.joints[0].v > 1.0);
}

static void without_a_watchdog_one_command_is_enough(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    rig_send_all(&rig, 0, 100.0);
    rig_run(&rig, 750 * TN_NS_PER_MS);
    assert_true(rig.core.sample.position[0] >= 95.0);
    rig_run(&rig, 60 * TN_NS_PER_S);
    assert_true(rig.core.sample.position[0] >= 99.9);
    assert_int_equal(rig.core.state, TN_EFFECTOR_FOLLOWING);
}

static void stop_holds_until_released(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    rig_send_all(&rig, 0, 100.0);
    rig_run(&rig, 300 * TN_NS_PER_MS);
    // a stop does not wait for the write interval
    rig_send_all(&rig, 0, 99.0);
    assert_true(tn_effector_core_stop(&rig.core, rig.now_ns));
    rig_pump(&rig);
    double at = rig.last_write.value[1];
    assert_true(at > rig.core.sample.position[1] && at < rig.core.sample.position[1] + 21.5);
    assert_int_equal(rig.last_write.n_commands, 0);
    assert_true(tn_effector_core_stop(&rig.core, rig.now_ns));
    assert_int_equal(rig_send_all(&rig, 0, 100.0), TN_EFFECTOR_CMD_STOPPED);
    rig_run(&rig, 2 * TN_NS_PER_S);
    assert_true(fabs(rig.core.sample.position[1] - at) < 0.11);
    assert_true(tn_effector_core_release(&rig.core, rig.now_ns));
    rig_run(&rig, TN_NS_PER_S);
    assert_true(fabs(rig.core.sample.position[1] - at) < 0.11);
    assert_int_equal(rig_send_all(&rig, 0, 100.0), TN_EFFECTOR_CMD_ACCEPTED);
    rig_run(&rig, 200 * TN_NS_PER_MS);
    assert_true(rig.sim.joints[1].v > 40.0 && rig.sim.joints[1].v <= 50.0 + 1e-6);
}

static void a_lost_device_is_unknown_and_comes_back_held(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    struct tn_effector_sample sample;
    rig_init(&rig, &options);
    rig_send_all(&rig, 0, 60.0);
    rig_run(&rig, 200 * TN_NS_PER_MS);
    tn_effector_sim_connect(&rig.sim, false);
    for (int i = 0; i < 4; i++)
        rig_poll(&rig);
    tn_effector_core_feedback(&rig.core, &sample);
    assert_int_not_equal(sample.state[0], TN_EFFECTOR_UNKNOWN);
    rig_poll(&rig);
    int64_t stamp_ns = sample.sample_steady_ns;
    assert_true(tn_effector_core_feedback(&rig.core, &sample));
    for (int i = 0; i < 6; i++)
        assert_int_equal(sample.state[i], TN_EFFECTOR_UNKNOWN);
    assert_int_equal(sample.sample_steady_ns, stamp_ns);
    assert_int_equal(rig.core.state, TN_EFFECTOR_LOST);
    assert_int_equal(rig_send_all(&rig, 0, 100.0), TN_EFFECTOR_CMD_LOST);
    rig_run(&rig, TN_NS_PER_S);
    tn_effector_sim_connect(&rig.sim, true);
    rig_run(&rig, 200 * TN_NS_PER_MS);
    assert_int_equal(rig.core.state, TN_EFFECTOR_HOLDING);
    assert_true(rig_has_note(&rig, TN_EFFECTOR_NOTE_BACK));
    // what was commanded before the loss is not taken up again
    double at = rig.core.sample.position[0];
    rig_run(&rig, TN_NS_PER_S);
    assert_true(fabs(rig.core.sample.position[0] - at) < 0.11);
    assert_int_equal(rig_send_all(&rig, 0, 0.0), TN_EFFECTOR_CMD_ACCEPTED);
    assert_int_equal(rig.core.state, TN_EFFECTOR_RESUMING);
}

static void release_of_a_lost_device_waits_for_it(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    tn_effector_core_stop(&rig.core, rig.now_ns);
    lose(&rig);
    assert_int_equal(rig.core.state, TN_EFFECTOR_STOPPED);
    assert_int_equal(rig_send_all(&rig, 0, 1.0), TN_EFFECTOR_CMD_STOPPED);
    assert_false(tn_effector_core_release(&rig.core, rig.now_ns));
    assert_int_equal(rig.core.state, TN_EFFECTOR_LOST);
    // a stop of a lost device outlives its return
    tn_effector_core_stop(&rig.core, rig.now_ns);
    tn_effector_sim_connect(&rig.sim, true);
    rig_run(&rig, 100 * TN_NS_PER_MS);
    assert_int_equal(rig.core.state, TN_EFFECTOR_STOPPED);
    assert_true(tn_effector_core_release(&rig.core, rig.now_ns));
}

static void before_the_first_poll_all_is_unknown(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct tn_effector_sim_options sim =
        tn_effector_sim_options_default(TN_EFFECTOR_HAND, TN_SIDE_LEFT);
    struct rig rig;
    struct tn_effector_sample sample;
    rig_init_sim(&rig, &options, &sim);
    assert_false(tn_effector_core_feedback(&rig.core, &sample));
    for (int i = 0; i < 6; i++) {
        assert_int_equal(sample.state[i], TN_EFFECTOR_UNKNOWN);
        assert_true(isfinite(sample.position[i]));
    }
    assert_int_equal(rig_send_all(&rig, 0, 50.0), TN_EFFECTOR_CMD_NOT_READY);
    rig_poll(&rig);
    assert_int_equal(rig_send_all(&rig, 0, 50.0), TN_EFFECTOR_CMD_ACCEPTED);
}

static void bad_samples_are_no_samples(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    struct tn_effector_sample sample;
    rig_init(&rig, &options);
    struct tn_effector_sample bad = rig.core.sample;
    bad.current[5] = (double)NAN;
    for (int i = 0; i < 5; i++)
        tn_effector_core_sample(&rig.core, &bad, rig.now_ns);
    assert_int_equal(rig.core.state, TN_EFFECTOR_LOST);
    bad.current[5] = -3.0;
    bad.position[0] = 100.4;
    bad.state[1] = 77;
    tn_effector_core_sample(&rig.core, &bad, rig.now_ns);
    tn_effector_core_feedback(&rig.core, &sample);
    assert_true(sample.position[0] <= 100.0 && sample.current[5] >= 0.0);
    assert_int_equal(sample.state[1], TN_EFFECTOR_UNKNOWN);
}

static void a_failed_write_is_tried_again_and_not_counted(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    struct rig rig;
    rig_init(&rig, &options);
    rig_stream(&rig, 0, 0.0, 100 * TN_NS_PER_MS);
    uint64_t executed = rig.core.counters.executed;
    tn_effector_sim_connect(&rig.sim, false);
    rig_send_all(&rig, 0, 1.5);
    assert_true(rig.core.counters.executed == executed);
    tn_effector_sim_connect(&rig.sim, true);
    rig.now_ns += 20 * TN_NS_PER_MS;
    rig_pump(&rig);
    assert_true(rig.core.counters.executed == executed + 1);
    assert_int_equal(rig.last_write.n_commands, 1);
    // and never after its time
    tn_effector_sim_connect(&rig.sim, false);
    rig_send_all(&rig, 0, 100.0);
    tn_effector_sim_connect(&rig.sim, true);
    rig.now_ns += 191 * TN_NS_PER_MS;
    rig_pump(&rig);
    assert_true(rig.core.counters.executed == executed + 1);
    assert_int_equal(rig.core.counters.expired, 1);
}

static void a_hold_keeps_the_grip(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    struct rig rig;
    rig_init(&rig, &options);
    tn_effector_sim_set_object(&rig.sim, 2, true, 40.0);
    rig_stream(&rig, 0, 80.0, 3 * TN_NS_PER_S);
    assert_int_equal(rig.core.sample.state[2], TN_EFFECTOR_STALL);
    rig_run(&rig, 2 * TN_NS_PER_S);
    assert_int_equal(rig.core.state, TN_EFFECTOR_HOLDING);
    assert_int_equal(rig.core.sample.state[2], TN_EFFECTOR_STALL);
    assert_true(fabs(rig.core.sample.current[2] - 20.0) < 0.11);
    assert_true(fabs(rig.core.sample.position[2] - 40.0) < 0.11);
    rig_stream(&rig, 0, 0.0, 2 * TN_NS_PER_S);
    assert_true(rig.core.sample.position[2] < 0.11);
}

// the way of one joint from a hold on: never back, never past its last target, soon at rest
static void watch_hold(struct rig *rig, double last_target)
{
    double from = rig->sim.joints[0].x, x = from;
    double direction = last_target >= from ? 1.0 : -1.0;
    // sample age, dead time and braking at full speed
    double longest = rig->sim.vmax * (0.020 + 0.065 + 0.040) + 0.5;
    for (int i = 0; i < 200; i++) {
        rig_tick(rig);
        double next = rig->sim.joints[0].x;
        assert_true((next - x) * direction >= -0.05);
        x = next;
    }
    assert_int_equal(rig->core.state, TN_EFFECTOR_HOLDING);
    assert_true(fabs(rig->sim.joints[0].v) < 0.1);
    assert_true(fabs(x - from) <= longest);
    assert_true((last_target - x) * direction >= -0.3);
}

// held while it moves at any speed, at any moment of a way up or down
static void a_hold_never_turns_back(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    for (int speed = 10; speed <= 100; speed += 30) {
        struct tn_effector_sim_options sim =
            tn_effector_sim_options_default(TN_EFFECTOR_HAND, TN_SIDE_LEFT);
        sim.speed_limit_percent = speed;
        for (int after_ms = 200; after_ms < 1000; after_ms += 35) {
            for (int is_down = 0; is_down < 2; is_down++) {
                struct rig rig;
                rig_init_sim(&rig, &options, &sim);
                rig_poll(&rig);
                double start = is_down ? 100.0 : 0.0, target = is_down ? 3.0 : 97.0;
                rig_stream(&rig, 0, start, 15 * TN_NS_PER_S);
                rig_stream(&rig, 0, target, after_ms * TN_NS_PER_MS);
                while (rig.core.state != TN_EFFECTOR_HOLDING)
                    rig_tick(&rig);
                watch_hold(&rig, target);
            }
        }
    }
}

// commands that come back while it still brakes go on from where it stands then
static void a_resume_never_turns_back(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    for (int pause_ms = 0; pause_ms <= 120; pause_ms += 20) {
        struct rig rig;
        rig_init(&rig, &options);
        rig_stream(&rig, 0, 0.0, TN_NS_PER_S);
        rig_stream(&rig, 0, 97.0, 200 * TN_NS_PER_MS);
        while (rig.core.state != TN_EFFECTOR_HOLDING)
            rig_tick(&rig);
        rig_run(&rig, pause_ms * TN_NS_PER_MS);
        double x = rig.sim.joints[0].x;
        for (int i = 0; i < 60; i++) {
            assert_int_equal(rig_send_all(&rig, 0, 97.0), TN_EFFECTOR_CMD_ACCEPTED);
            for (int k = 0; k < 4; k++) {
                rig_tick(&rig);
                assert_true(rig.sim.joints[0].x - x >= -0.05);
                x = rig.sim.joints[0].x;
            }
        }
        assert_true(x > 90.0);
    }
}

static void a_reboot_is_a_loss(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    struct tn_effector_sample sample = rig.core.sample;
    sample.is_ready = false;
    tn_effector_core_sample(&rig.core, &sample, rig.now_ns);
    assert_int_equal(rig.core.state, TN_EFFECTOR_LOST);
    assert_int_equal(rig_send_all(&rig, 0, 50.0), TN_EFFECTOR_CMD_LOST);
    sample.is_ready = true;
    tn_effector_core_sample(&rig.core, &sample, rig.now_ns);
    assert_int_equal(rig.core.state, TN_EFFECTOR_HOLDING);
}

// the process stood still for seconds: the hold is where the hand is now, not where it was
static void a_hold_after_a_stall_waits_for_a_fresh_sample(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    struct rig rig;
    rig_init(&rig, &options);
    rig_stream(&rig, 0, 0.0, 100 * TN_NS_PER_MS);
    rig_stream(&rig, 0, 100.0, 100 * TN_NS_PER_MS);
    double before = rig.core.sample.position[0];
    assert_true(before < 30.0);
    rig.now_ns += 5 * TN_NS_PER_S;
    tn_effector_core_tick(&rig.core, rig.now_ns);
    rig_pump(&rig);
    assert_int_equal(rig.core.state, TN_EFFECTOR_HOLDING);
    // a command that comes before the sample waits as well, and begins from the sample
    uint64_t writes = rig.n_writes;
    assert_int_equal(rig_send_all(&rig, 0, 10.0), TN_EFFECTOR_CMD_ACCEPTED);
    assert_true(rig.n_writes == writes);
    rig_poll(&rig);
    assert_true(rig.n_writes == writes + 1);
    assert_true(rig.last_write.value[0] > 99.0);
    assert_int_equal(rig.last_write.n_commands, 1);
    assert_int_equal(rig.last_write.limited, 0x3f);
    double least = 100.0;
    for (int i = 0; i < 20; i++) {
        rig_tick(&rig);
        least = fmin(least, rig.sim.joints[0].v);
    }
    assert_true(least >= -50.0 - 1e-6);
}

static void nothing_leaves_after_shutdown(void **state)
{
    (void)state;
    for (int s = 0; s < TN_EFFECTOR_STATES; s++) {
        struct rig rig;
        struct tn_effector_setpoint setpoint;
        reach(&rig, (enum tn_effector_state)s);
        rig_send_all(&rig, 0, 33.0);
        rig.now_ns += TN_NS_PER_MS;
        tn_effector_core_shutdown(&rig.core, rig.now_ns);
        tn_effector_core_shutdown(&rig.core, rig.now_ns);
        assert_int_equal(rig_send_all(&rig, 0, 50.0), TN_EFFECTOR_CMD_CLOSED);
        tn_effector_core_tick(&rig.core, rig.now_ns + TN_NS_PER_S);
        assert_false(tn_effector_core_take(&rig.core, rig.now_ns + TN_NS_PER_S, &setpoint));
    }
}

static void bad_options_are_refused(void **state)
{
    struct tn_effector_core core;
    struct tn_error err = {.code = TN_OK};
    (void)state;
    struct tn_effector_options rows[8];
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++)
        rows[i] = pose_options();
    rows[0].position_watchdog_ns = 0;
    rows[1].has_watchdog = false;
    rows[2].pose_after_ns = 199 * TN_NS_PER_MS;
    rows[3].pose[5] = (double)NAN;
    rows[4].rules.modes = 0;
    rows[5].rules.command_timeout_ns = 0;
    rows[6].rules.max_age_ns = 0;
    rows[7].max_failed_polls = 0;
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        memset(&core, 0x5a, sizeof core);
        struct tn_effector_core before = core;
        assert_int_not_equal(tn_effector_core_init(&core, &rows[i], &err), TN_OK);
        assert_true(strlen(err.text) > 0);
        assert_memory_equal(&core, &before, sizeof core);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_what_it_is_meant_to_be),
        cmocka_unit_test(every_state_meets_every_event),
        cmocka_unit_test(a_stream_that_stops_is_held_to_the_tick),
        cmocka_unit_test(the_pose_follows_the_hold_slowly),
        cmocka_unit_test(resumes_slowly_and_without_a_jump),
        cmocka_unit_test(an_old_target_is_forgotten_by_a_hold),
        cmocka_unit_test(rates_stop_when_not_refreshed),
        cmocka_unit_test(the_watchdogs_are_independent),
        cmocka_unit_test(without_a_watchdog_one_command_is_enough),
        cmocka_unit_test(stop_holds_until_released),
        cmocka_unit_test(a_lost_device_is_unknown_and_comes_back_held),
        cmocka_unit_test(release_of_a_lost_device_waits_for_it),
        cmocka_unit_test(before_the_first_poll_all_is_unknown),
        cmocka_unit_test(bad_samples_are_no_samples),
        cmocka_unit_test(a_failed_write_is_tried_again_and_not_counted),
        cmocka_unit_test(a_hold_keeps_the_grip),
        cmocka_unit_test(a_hold_never_turns_back),
        cmocka_unit_test(a_resume_never_turns_back),
        cmocka_unit_test(a_reboot_is_a_loss),
        cmocka_unit_test(a_hold_after_a_stall_waits_for_a_fresh_sample),
        cmocka_unit_test(nothing_leaves_after_shutdown),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
