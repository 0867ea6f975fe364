// SPDX-License-Identifier: Apache-2.0
// The first bytes choose rules, age and pauses; the rest are EEJointControl messages as they come
// from the wire, each behind its length. Whatever comes, the device gets finite targets in range,
// and a refused command changes nothing.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "effector/core.h"
#include "effector/sim.h"
#include "nodes/convert/end_effector.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int is_true)
{
    if (!is_true)
        abort();
}

struct life {
    struct tn_effector_core core;
    struct tn_effector_sim sim;
    struct tn_effector_device device;
    int64_t now_ns;
    uint8_t age; // of the next command, 10 ms each, 128 = 0
};

static void begin(struct life *life, uint8_t flags)
{
    struct tn_effector_options options = {
        .rules = {.kind = (flags & 1) != 0 ? TN_EFFECTOR_GRIPPER : TN_EFFECTOR_HAND,
                  .side = (flags & 2) != 0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT,
                  .modes = (flags & 4) != 0 ? 7 : 1,
                  .has_max_age = (flags & 8) != 0,
                  .max_age_ns = 200 * TN_NS_PER_MS,
                  .is_exclusive = (flags & 16) != 0,
                  .command_timeout_ns = 200 * TN_NS_PER_MS},
        .has_watchdog = (flags & 32) != 0,
        .position_watchdog_ns = 200 * TN_NS_PER_MS,
        .has_pose = (flags & 96) == 96,
        .pose_after_ns = TN_NS_PER_S,
        .write_interval_ns = TN_NS_PER_S / 60,
        .max_failed_polls = 5,
    };
    struct tn_effector_sim_options sim =
        tn_effector_sim_options_default(options.rules.kind, options.rules.side);
    life->now_ns = TN_NS_PER_S;
    life->age = 128;
    expect(tn_effector_core_init(&life->core, &options, NULL) == TN_OK);
    expect(tn_effector_sim_init(&life->sim, &sim, NULL) == TN_OK);
    life->device = tn_effector_sim_device(&life->sim);
}

static void check_setpoint(const struct tn_effector_setpoint *setpoint, uint32_t n_joints)
{
    expect(setpoint->joints != 0 && setpoint->joints >> n_joints == 0);
    for (uint32_t i = 0; i < n_joints; i++) {
        if ((setpoint->joints >> i & 1u) == 0)
            continue;
        double min = setpoint->mode[i] == TN_EFFECTOR_POSITION ? 0.0 : -100.0;
        expect(setpoint->mode[i] < TN_EFFECTOR_MODES && isfinite(setpoint->value[i]));
        expect(setpoint->value[i] >= min && setpoint->value[i] <= 100.0);
        expect((setpoint->limited >> i & 1u) == 0 || setpoint->speed_percent_per_s[i] <= 50.0);
    }
}

static void pump(struct life *life)
{
    struct tn_effector_setpoint setpoint;
    struct tn_effector_sample sample;
    if (tn_effector_core_take(&life->core, life->now_ns, &setpoint)) {
        check_setpoint(&setpoint, life->core.n_joints);
        expect(life->device.ops->write(life->device.self, &setpoint, life->now_ns) == TN_OK);
    }
    memset(&sample, 0, sizeof sample);
    expect(life->device.ops->poll(life->device.self, life->now_ns, &sample) == TN_OK);
    tn_effector_core_sample(&life->core, &sample, life->now_ns);
}

static void take_message(struct life *life, const uint8_t *cdr, size_t size)
{
    static max_align_t block[1024];
    static struct tn_effector_core before;
    struct end_effector_interfaces_msg_EEJointControl msg;
    struct tn_convert_effector_command converted;
    struct tn_cdr_reader reader;
    struct tn_arena arena;
    tn_arena_init(&arena, block, sizeof block);
    if (tn_cdr_reader_begin(&reader, cdr, size) != TN_OK ||
        tn_type_decode(&end_effector_interfaces_msg_EEJointControl_type, &msg, &reader, &arena) !=
            TN_OK)
        return;
    tn_convert_effector_control(&msg, &converted);
    converted.command.is_age_known = life->age != 0;
    converted.command.age_ns = (life->age - 128) * 10 * TN_NS_PER_MS;
    converted.command.has_writer = true;
    converted.command.writer[0] = size & 1;
    before = life->core;
    enum tn_effector_verdict verdict =
        tn_effector_core_command(&life->core, &converted.command, life->now_ns, NULL);
    before.acceptor.counts[verdict]++;
    expect(verdict == TN_EFFECTOR_CMD_ACCEPTED || memcmp(&before, &life->core, sizeof before) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct life life;
    if (size < 1)
        return 0;
    begin(&life, data[0]);
    pump(&life);
    // pause (ms), age, length, message
    for (size_t at = 1; at + 3 <= size;) {
        life.now_ns += data[at] * TN_NS_PER_MS;
        life.age = data[at + 1];
        size_t length = data[at + 2];
        at += 3;
        if (length > size - at)
            length = size - at;
        take_message(&life, data + at, length);
        at += length;
        tn_effector_core_tick(&life.core, life.now_ns);
        pump(&life);
    }
    return 0;
}
