// SPDX-License-Identifier: Apache-2.0
/// @file
/// A core in front of a simulated device on a simulated clock, as a node runs them.
#ifndef TN_TEST_EFFECTOR_RIG_H
#define TN_TEST_EFFECTOR_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "effector/core.h"
#include "effector/joints.h"
#include "effector/sim.h"

#define RIG_TICK_NS  (5 * TN_NS_PER_MS)
#define RIG_START_NS (1000 * TN_NS_PER_S)
#define RIG_WALL_NS  (INT64_C(1700000000) * TN_NS_PER_S)

struct rig {
    struct tn_effector_sim sim;
    struct tn_effector_device device;
    struct tn_effector_core core;
    int64_t now_ns;
    int64_t next_poll_ns;
    uint64_t n_writes;
    struct tn_effector_setpoint last_write;
};

static inline struct tn_effector_options rig_options(enum tn_effector_kind kind)
{
    return (struct tn_effector_options){
        .rules = {.kind = kind,
                  .side = TN_SIDE_LEFT,
                  .modes = 7,
                  .command_timeout_ns = 200 * TN_NS_PER_MS},
        .pose_after_ns = TN_NS_PER_S,
        .write_interval_ns = TN_NS_PER_S / 60,
        .max_failed_polls = 5,
    };
}

static inline struct tn_effector_options rig_teleop_options(void)
{
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    options.has_watchdog = true;
    options.position_watchdog_ns = 200 * TN_NS_PER_MS;
    options.rules.has_max_age = true;
    options.rules.max_age_ns = 200 * TN_NS_PER_MS;
    options.rules.is_exclusive = true;
    return options;
}

/// What the owner does after every call into the core.
static inline void rig_pump(struct rig *rig)
{
    struct tn_effector_setpoint setpoint;
    if (!tn_effector_core_take(&rig->core, rig->now_ns, &setpoint))
        return;
    rig->n_writes++;
    rig->last_write = setpoint;
    if (rig->device.ops->write(rig->device.self, &setpoint, rig->now_ns) != TN_OK)
        tn_effector_core_write_failed(&rig->core, &setpoint, rig->now_ns);
}

static inline void rig_poll(struct rig *rig)
{
    struct tn_effector_sample sample;
    memset(&sample, 0, sizeof sample);
    if (rig->device.ops->poll(rig->device.self, rig->now_ns, &sample) == TN_OK)
        tn_effector_core_sample(&rig->core, &sample, rig->now_ns);
    else
        tn_effector_core_poll_failed(&rig->core, rig->now_ns);
    rig_pump(rig);
}

static inline void rig_init_sim(struct rig *rig, const struct tn_effector_options *options,
                                const struct tn_effector_sim_options *sim_options)
{
    struct tn_effector_options known = *options;
    memset(rig, 0, sizeof *rig);
    rig->now_ns = RIG_START_NS;
    rig->next_poll_ns = RIG_START_NS;
    assert_int_equal(tn_effector_sim_init(&rig->sim, sim_options, NULL), TN_OK);
    rig->device = tn_effector_sim_device(&rig->sim);
    known.full_speed_percent_per_s = rig->device.capabilities.full_speed_percent_per_s;
    known.reaction_ns = rig->device.capabilities.reaction_ns;
    assert_int_equal(tn_effector_core_init(&rig->core, &known, NULL), TN_OK);
}

static inline void rig_init(struct rig *rig, const struct tn_effector_options *options)
{
    struct tn_effector_sim_options sim_options =
        tn_effector_sim_options_default(options->rules.kind, options->rules.side);
    rig_init_sim(rig, options, &sim_options);
    rig_poll(rig);
}

/// One tick of the owner, RIG_TICK_NS later.
static inline void rig_tick(struct rig *rig)
{
    rig->now_ns += RIG_TICK_NS;
    tn_effector_core_tick(&rig->core, rig->now_ns);
    rig_pump(rig);
    if (rig->now_ns >= rig->next_poll_ns) {
        rig->next_poll_ns = rig->now_ns + 20 * TN_NS_PER_MS;
        rig_poll(rig);
    }
}

static inline void rig_run(struct rig *rig, int64_t duration_ns)
{
    for (int64_t end_ns = rig->now_ns + duration_ns; rig->now_ns < end_ns;)
        rig_tick(rig);
}

/// A good command with everything given: fresh, stamped with the rig's time.
static inline struct tn_effector_command rig_command(const struct rig *rig, uint8_t mode,
                                                     const double *values, uint32_t n)
{
    struct tn_effector_command command = {
        .values = values,
        .n_values = n,
        .mode = mode,
        .has_stamp = true,
        .stamp_ros_ns = RIG_WALL_NS + rig->now_ns,
        .is_age_known = true,
        .age_ns = 10 * TN_NS_PER_MS,
        .has_writer = true,
        .writer = {1},
    };
    return command;
}

static inline enum tn_effector_verdict rig_send(struct rig *rig,
                                                const struct tn_effector_command *command)
{
    enum tn_effector_verdict verdict =
        tn_effector_core_command(&rig->core, command, rig->now_ns, NULL);
    rig_pump(rig);
    return verdict;
}

/// Sends one value to every joint of a hand.
static inline enum tn_effector_verdict rig_send_all(struct rig *rig, uint8_t mode, double value)
{
    double values[TN_EFFECTOR_MAX_JOINTS];
    for (uint32_t i = 0; i < TN_EFFECTOR_MAX_JOINTS; i++)
        values[i] = value;
    struct tn_effector_command command =
        rig_command(rig, mode, values, tn_effector_joint_count(rig->core.options.rules.kind));
    return rig_send(rig, &command);
}

/// A stream of commands at 50 Hz.
static inline void rig_stream(struct rig *rig, uint8_t mode, double value, int64_t duration_ns)
{
    for (int64_t end_ns = rig->now_ns + duration_ns; rig->now_ns < end_ns;) {
        assert_int_equal(rig_send_all(rig, mode, value), TN_EFFECTOR_CMD_ACCEPTED);
        for (int i = 0; i < 4; i++)
            rig_tick(rig);
    }
}

static inline bool rig_has_note(struct rig *rig, enum tn_effector_note_kind kind)
{
    struct tn_effector_note found;
    bool has = false;
    while (tn_effector_core_next_note(&rig->core, &found))
        has = has || found.kind == kind;
    return has;
}

#endif
