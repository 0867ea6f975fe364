// SPDX-License-Identifier: Apache-2.0
/// @file
/// Random lives of a core and its simulated hand; what must hold always is checked at every tick.
#include <math.h>
#include <stdio.h>

#include "rig.h"

struct storm {
    struct rig rig;
    uint64_t random;
    bool is_teleop;
    int64_t last_stamp_ns;
    int64_t last_accepted_ns; ///< accepted position command
    bool has_accepted;
    double last_x[TN_EFFECTOR_MAX_JOINTS];
};

static uint32_t next(struct storm *storm, uint32_t n)
{
    storm->random ^= storm->random << 13;
    storm->random ^= storm->random >> 7;
    storm->random ^= storm->random << 17;
    return (uint32_t)(storm->random >> 33) % n;
}

static double random_value(struct storm *storm)
{
    static const double nasty[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, -0.0, 100.0, -100.0, 1e300, 100.001};
    if (next(storm, 40) == 0)
        return nasty[next(storm, TN_ARRAY_SIZE(nasty))];
    return next(storm, 10001) / 100.0;
}

static void send_something(struct storm *storm)
{
    static const struct tn_effector_text names[] = {
        {"LITTLEMCP", 9}, {"RING", 4}, {"MIDDLE", 6}, {"INDEX", 5}, {"THUMBCMC", 8}, {"T_MCP", 5},
    };
    struct rig *rig = &storm->rig;
    double values[TN_EFFECTOR_MAX_JOINTS];
    for (int i = 0; i < 6; i++)
        values[i] = random_value(storm);
    uint8_t mode = next(storm, 12) == 0 ? (uint8_t)next(storm, 5) : 0;
    struct tn_effector_command command = rig_command(rig, mode, values, 6);
    if (next(storm, 3) == 0) {
        uint32_t first = next(storm, 6);
        command.names = names + first;
        command.n_names = command.n_values = 1 + next(storm, 6 - first);
    }
    int64_t age_ns = ((int64_t)next(storm, 330) - 60) * TN_NS_PER_MS;
    command.age_ns = next(storm, 3) == 0 ? age_ns : 5 * TN_NS_PER_MS;
    command.stamp_ros_ns -= command.age_ns;
    command.is_age_known = next(storm, 30) != 0;
    command.writer[0] = next(storm, 20) == 0;
    enum tn_effector_verdict verdict = rig_send(rig, &command);
    if (verdict != TN_EFFECTOR_CMD_ACCEPTED)
        return;
    if (storm->is_teleop) {
        assert_true(command.is_age_known && command.age_ns <= 200 * TN_NS_PER_MS &&
                    command.age_ns >= -50 * TN_NS_PER_MS);
        assert_true(!storm->has_accepted || command.stamp_ros_ns > storm->last_stamp_ns);
    }
    if (mode == 0)
        storm->last_accepted_ns = rig->now_ns;
    storm->has_accepted = true;
    storm->last_stamp_ns = command.stamp_ros_ns;
}

static void do_something(struct storm *storm)
{
    struct rig *rig = &storm->rig;
    switch (next(storm, 400)) {
    case 0:
        tn_effector_sim_connect(&rig->sim, false);
        break;
    case 1:
    case 2:
        tn_effector_sim_connect(&rig->sim, true);
        break;
    case 3:
        tn_effector_core_stop(&rig->core, rig->now_ns);
        rig_pump(rig);
        break;
    case 4:
    case 5:
        tn_effector_core_release(&rig->core, rig->now_ns);
        rig_pump(rig);
        break;
    case 6:
        tn_effector_sim_set_object(&rig->sim, next(storm, 6), next(storm, 2) == 0,
                                   next(storm, 100));
        break;
    case 7: // the process stands still
        rig->now_ns += next(storm, 2000) * TN_NS_PER_MS;
        break;
    default:
        break;
    }
}

static void check(struct storm *storm)
{
    struct rig *rig = &storm->rig;
    struct tn_effector_sample sample;
    tn_effector_core_feedback(&rig->core, &sample);
    for (int i = 0; i < 6; i++) {
        const struct tn_effector_sim_joint *j = &rig->sim.joints[i];
        assert_true(j->x >= 0.0 && j->x <= 100.0);
        assert_true(fabs(j->v) <= rig->sim.vmax + 1e-9);
        assert_true(isfinite(j->current) && j->current >= 0.0 && j->current <= 100.0);
        assert_true(sample.position[i] >= 0.0 && sample.position[i] <= 100.0);
        assert_true(sample.velocity[i] >= 0.0 && sample.velocity[i] <= 100.0);
        assert_true(sample.state[i] <= TN_EFFECTOR_UNKNOWN);
        // no motion before anything was accepted
        if (!storm->has_accepted)
            assert_true(j->x <= 0.0);
        // a resuming joint is never written faster than the slow approach
        if (rig->core.joints[i].given.is_resuming && rig->n_writes > 0 &&
            (rig->last_write.joints >> i & 1u) != 0) {
            assert_true((rig->last_write.limited >> i & 1u) != 0);
            assert_true(rig->last_write.speed_percent_per_s[i] <= 50.0);
        }
    }
    // long after the last fresh command nothing moves any more
    if (storm->is_teleop && rig->core.options.has_pose == false &&
        rig->now_ns - storm->last_accepted_ns > 1500 * TN_NS_PER_MS && rig->sim.is_connected) {
        for (int i = 0; i < 6; i++) {
            if (rig->core.joints[i].wanted.mode == TN_EFFECTOR_POSITION && rig->core.is_up)
                assert_true(fabs(rig->sim.joints[i].v) < 60.0);
        }
    }
    assert_true(rig->core.counters.executed + rig->core.counters.coalesced +
                    rig->core.counters.expired <=
                rig->core.acceptor.counts[TN_EFFECTOR_CMD_ACCEPTED]);
}

static void live(uint64_t seed, bool is_teleop)
{
    struct storm storm = {.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1,
                          .is_teleop = is_teleop};
    struct tn_effector_options options =
        is_teleop ? rig_teleop_options() : rig_options(TN_EFFECTOR_HAND);
    options.rules.is_exclusive = is_teleop && seed % 2 == 0;
    rig_init(&storm.rig, &options);
    uint32_t silence = 0;
    for (int i = 0; i < 4000; i++) {
        if (silence > 0)
            silence--;
        else if (next(&storm, 500) == 0)
            silence = next(&storm, 600);
        else if (next(&storm, 3) == 0)
            send_something(&storm);
        do_something(&storm);
        rig_tick(&storm.rig);
        check(&storm);
    }
    assert_true(storm.rig.core.counters.executed > 0);
}

static void drop_in_lives(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        print_message("start value %llu\n", (unsigned long long)seed);
        live(seed, false);
    }
}

static void teleoperated_lives(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        print_message("start value %llu\n", (unsigned long long)seed);
        live(seed, true);
    }
}

// a stream that stops at a random moment of a random motion, many times: the way made after the
// stop, and the speed of the way back, are bounded
static void the_way_after_the_last_command_is_bounded(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct storm storm = {.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
        struct tn_effector_options options = rig_teleop_options();
        rig_init(&storm.rig, &options);
        struct rig *rig = &storm.rig;
        double target = 0.0;
        rig_stream(rig, 0, 0.0, 100 * TN_NS_PER_MS);
        for (uint32_t n = 5 + next(&storm, 100); n > 0; n--) {
            target = fmin(fmax(target + next(&storm, 61) / 10.0 - 3.0, 0.0), 100.0);
            rig_stream(rig, 0, target, 20 * TN_NS_PER_MS);
        }
        double at = rig->sim.joints[0].x;
        // watchdog, dead time and slowing down at no more than full speed
        double most = rig->sim.vmax * (0.2 + 0.02 + 0.065 + 0.1);
        for (int i = 0; i < 400; i++) {
            rig_tick(rig);
            assert_true(fabs(rig->sim.joints[0].x - at) <= most);
        }
        at = rig->sim.joints[0].x;
        rig_run(rig, TN_NS_PER_S);
        assert_true(fabs(rig->sim.joints[0].x - at) < 1e-3);
        assert_int_equal(rig->core.state, TN_EFFECTOR_HOLDING);
        target = next(&storm, 101);
        for (int i = 0; i < 400 && rig->core.state != TN_EFFECTOR_FOLLOWING; i++) {
            rig_send_all(rig, 0, target);
            for (int k = 0; k < 4; k++) {
                rig_tick(rig);
                if (rig->core.joints[0].wanted.is_resuming)
                    assert_true(fabs(rig->sim.joints[0].v) <= 50.0 + 1e-6);
            }
        }
        assert_int_equal(rig->core.state, TN_EFFECTOR_FOLLOWING);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drop_in_lives),
        cmocka_unit_test(teleoperated_lives),
        cmocka_unit_test(the_way_after_the_last_command_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
