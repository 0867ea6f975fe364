// SPDX-License-Identifier: Apache-2.0
#include "effector/sim.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "effector/joints.h"

#define MAX_PAUSE_NS (10 * TN_NS_PER_S)
#define STEP_S       ((double)TN_EFFECTOR_SIM_STEP_NS / (double)TN_NS_PER_S)
#define GAIN_PER_S   25.0
#define ACCEL_TIME_S 0.04
#define CONTACT_S    0.060
#define SLOW         1.0 // %/s
#define DIFFERS      1.0 // percent
#define HOLD_CURRENT 20.0

struct tn_effector_sim_options tn_effector_sim_options_default(enum tn_effector_kind kind,
                                                               enum tn_side side)
{
    return (struct tn_effector_sim_options){
        .kind = kind,
        .side = side,
        .modes = (1u << TN_EFFECTOR_MODES) - 1u,
        .dead_time_ns = 65 * TN_NS_PER_MS,
        .speed_limit_percent = 100.0,
        .current_limit_percent = 50.0,
    };
}

static bool is_in(double value, double above, double max)
{
    return isfinite(value) && value > above && value <= max;
}

enum tn_result tn_effector_sim_init(struct tn_effector_sim *sim,
                                    const struct tn_effector_sim_options *options,
                                    struct tn_error *err)
{
    if (!is_in(options->speed_limit_percent, 0.0, 100.0))
        return tn_error_set(err, TN_ERR_RANGE,
                            "speed_limit_percent is %g, allowed is above 0 to 100",
                            options->speed_limit_percent);
    if (!is_in(options->current_limit_percent, 0.0, 100.0))
        return tn_error_set(err, TN_ERR_RANGE,
                            "current_limit_percent is %g, allowed is above 0 to 100",
                            options->current_limit_percent);
    if (!isfinite(options->noise_percent) || options->noise_percent < 0.0 ||
        options->noise_percent > 10.0)
        return tn_error_set(err, TN_ERR_RANGE, "sim_noise is %g, allowed is 0 to 10",
                            options->noise_percent);
    if (options->dead_time_ns < 0 || options->dead_time_ns > TN_NS_PER_S)
        return tn_error_set(err, TN_ERR_RANGE, "the dead time must be within 0 to 1 s");
    for (uint32_t i = 0; i < tn_effector_joint_count(options->kind); i++) {
        double object = options->object_percent[i];
        if ((options->objects >> i & 1u) != 0 && !(object >= 0.0 && object <= 100.0))
            return tn_error_set(err, TN_ERR_RANGE, "the object at %s is at %g, allowed is 0 to 100",
                                tn_effector_joint_name(options->kind, i), object);
    }
    memset(sim, 0, sizeof *sim);
    sim->options = *options;
    sim->n_joints = tn_effector_joint_count(options->kind);
    double stroke_s = options->kind == TN_EFFECTOR_GRIPPER ? 0.7 : 0.6;
    sim->vmax = 100.0 / stroke_s * options->speed_limit_percent / 100.0;
    sim->is_connected = true;
    // the generator must not start at 0
    sim->random = options->noise_seed ^ UINT64_C(0x9e3779b97f4a7c15);
    if (sim->random == 0)
        sim->random = 1;
    return TN_OK;
}

// ---- one joint, one step ----

static double demand(const struct tn_effector_sim *sim, const struct tn_effector_sim_joint *j)
{
    if (j->is_latched)
        return 0.0;
    switch (j->mode) {
    case TN_EFFECTOR_VELOCITY:
        return j->r / 100.0 * sim->vmax;
    case TN_EFFECTOR_CURRENT:
        return fabs(j->r) > 10.0 ? copysign((fabs(j->r) - 10.0) / 90.0, j->r) * sim->vmax : 0.0;
    default: {
        double most = j->is_limited ? fmin(sim->vmax, j->limit_percent_per_s) : sim->vmax;
        return fmin(fmax(GAIN_PER_S * (j->r - j->x), -most), most);
    }
    }
}

static void move(const struct tn_effector_sim *sim, uint32_t i, struct tn_effector_sim_joint *j,
                 double wanted)
{
    double most = sim->vmax / ACCEL_TIME_S * STEP_S;
    j->v += fmin(fmax(wanted - j->v, -most), most);
    double max = 100.0;
    // an object only stops a joint that comes from its open side
    if ((sim->options.objects >> i & 1u) != 0)
        max = fmax(sim->options.object_percent[i], j->x);
    double next = j->x + j->v * STEP_S;
    bool is_upper = next >= max && wanted > 0.0;
    bool is_lower = next <= 0.0 && wanted < 0.0;
    if (next >= max || next <= 0.0) {
        next = fmin(fmax(next, 0.0), max);
        j->v = 0.0;
    }
    j->x = next;
    j->is_pressing = is_upper || is_lower;
    if (j->is_pressing)
        j->push = is_upper ? 1.0 : -1.0;
}

static void draw_current(const struct tn_effector_sim *sim, struct tn_effector_sim_joint *j)
{
    if (j->is_latched) {
        j->current = HOLD_CURRENT;
        return;
    }
    double press = j->mode == TN_EFFECTOR_CURRENT ? fabs(j->r) : 100.0;
    double aim = j->is_pressing ? press * sim->options.current_limit_percent / 100.0 : 0.0;
    j->contact += (aim - j->contact) * (1.0 - exp(-STEP_S / CONTACT_S));
    j->current = fmin(3.0 + 17.0 * fabs(j->v) / sim->vmax + j->contact, 100.0);
}

static void watch_stall(const struct tn_effector_sim *sim, struct tn_effector_sim_joint *j)
{
    if (j->is_latched) {
        j->latched_ns += TN_EFFECTOR_SIM_STEP_NS;
        // grip again with what stalled
        if (sim->options.is_turbo && j->latched_ns >= TN_EFFECTOR_SIM_TURBO_NS) {
            j->is_latched = false;
            j->slow_ns = 0;
            j->mode = j->stalled_mode;
            j->r = j->stalled_r;
        }
        return;
    }
    bool is_stalling = j->current >= sim->options.current_limit_percent && fabs(j->v) < SLOW;
    j->slow_ns = is_stalling ? j->slow_ns + TN_EFFECTOR_SIM_STEP_NS : 0;
    if (j->slow_ns < TN_EFFECTOR_SIM_STALL_NS)
        return;
    j->is_latched = true;
    j->latched_ns = 0;
    j->stalled_mode = j->mode;
    j->stalled_r = j->r;
    j->mode = TN_EFFECTOR_POSITION;
    j->r = j->x;
    j->contact = 0.0;
}

// a stalled joint stays so unless the command leads away or is another one
static bool clears_stall(const struct tn_effector_sim_joint *j, uint8_t mode, double value)
{
    if (mode != j->stalled_mode || fabs(value - j->stalled_r) > DIFFERS)
        return true;
    double way = mode == TN_EFFECTOR_POSITION ? value - j->x : value;
    return way * j->push < 0.0;
}

static void take_effect(struct tn_effector_sim *sim, const struct tn_effector_setpoint *setpoint)
{
    for (uint32_t i = 0; i < sim->n_joints; i++) {
        struct tn_effector_sim_joint *j = &sim->joints[i];
        if ((setpoint->joints >> i & 1u) == 0)
            continue;
        if (j->is_latched && !clears_stall(j, setpoint->mode[i], setpoint->value[i]))
            continue;
        // repeated commands do not restart the stall time of a blocked joint
        if (j->is_latched)
            j->slow_ns = 0;
        j->is_latched = false;
        j->mode = setpoint->mode[i];
        j->r = setpoint->value[i];
        j->is_limited = (setpoint->limited >> i & 1u) != 0;
        j->limit_percent_per_s = setpoint->speed_percent_per_s[i];
    }
}

// ---- what a poll shows ----

static double next_noise(struct tn_effector_sim *sim)
{
    sim->random ^= sim->random << 13;
    sim->random ^= sim->random >> 7;
    sim->random ^= sim->random << 17;
    double unit = (double)(sim->random >> 11) / (double)(UINT64_C(1) << 53);
    return (2.0 * unit - 1.0) * sim->options.noise_percent;
}

static double quantise(double percent)
{
    return fmin(fmax(round(percent * 10.0) / 10.0, 0.0), 100.0);
}

static bool is_sweeping(const struct tn_effector_sim *sim)
{
    return sim->options.has_sweep &&
           tn_ns_sub(sim->time_steady_ns, sim->start_steady_ns) < TN_EFFECTOR_SIM_SWEEP_NS;
}

// does a target that waits, or the one in effect, lead elsewhere?
static bool is_pending(const struct tn_effector_sim *sim, uint32_t i)
{
    const struct tn_effector_sim_joint *j = &sim->joints[i];
    uint8_t mode = j->mode;
    double r = j->r;
    for (uint32_t k = 0; k < sim->queue_count; k++) {
        const struct tn_effector_setpoint *setpoint =
            &sim->queue[(sim->queue_head + k) % TN_EFFECTOR_SIM_QUEUE].setpoint;
        if ((setpoint->joints >> i & 1u) != 0) {
            mode = setpoint->mode[i];
            r = setpoint->value[i];
        }
    }
    struct tn_effector_sim_joint probe = *j;
    probe.mode = mode;
    probe.r = r;
    return mode == TN_EFFECTOR_POSITION ? fabs(r - j->x) > DIFFERS
                                        : fabs(demand(sim, &probe)) > SLOW;
}

static uint8_t joint_state(const struct tn_effector_sim *sim, uint32_t i)
{
    const struct tn_effector_sim_joint *j = &sim->joints[i];
    if (is_sweeping(sim))
        return TN_EFFECTOR_RUNNING;
    if (j->is_latched)
        return TN_EFFECTOR_STALL;
    return fabs(j->v) > SLOW || is_pending(sim, i) ? TN_EFFECTOR_RUNNING : TN_EFFECTOR_IDLE;
}

static void publish(struct tn_effector_sim *sim)
{
    struct tn_effector_sample *out = &sim->published;
    out->sample_steady_ns = sim->time_steady_ns;
    out->is_ready = !is_sweeping(sim);
    for (uint32_t i = 0; i < sim->n_joints; i++) {
        const struct tn_effector_sim_joint *j = &sim->joints[i];
        double noise = sim->options.noise_percent > 0.0 ? next_noise(sim) : 0.0;
        out->position[i] = quantise(j->x + noise);
        out->velocity[i] = quantise(100.0 * fabs(j->v) / sim->vmax);
        out->current[i] = quantise(j->current);
        out->state[i] = joint_state(sim, i);
    }
    sim->next_publish_steady_ns = tn_ns_add(sim->time_steady_ns, TN_EFFECTOR_SIM_PUBLISH_NS);
}

// ---- time ----

static void run_queue(struct tn_effector_sim *sim)
{
    while (sim->queue_count > 0 &&
           sim->queue[sim->queue_head].effective_steady_ns <= sim->time_steady_ns) {
        take_effect(sim, &sim->queue[sim->queue_head].setpoint);
        sim->queue_head = (sim->queue_head + 1) % TN_EFFECTOR_SIM_QUEUE;
        sim->queue_count--;
    }
}

static void step(struct tn_effector_sim *sim)
{
    run_queue(sim);
    for (uint32_t i = 0; i < sim->n_joints; i++) {
        struct tn_effector_sim_joint *j = &sim->joints[i];
        move(sim, i, j, demand(sim, j));
        draw_current(sim, j);
        watch_stall(sim, j);
    }
    sim->time_steady_ns += TN_EFFECTOR_SIM_STEP_NS;
    if (sim->time_steady_ns >= sim->next_publish_steady_ns)
        publish(sim);
}

void tn_effector_sim_advance(struct tn_effector_sim *sim, int64_t now_steady_ns)
{
    if (!sim->is_started) {
        sim->is_started = true;
        sim->start_steady_ns = now_steady_ns;
        sim->time_steady_ns = now_steady_ns;
        for (uint32_t i = 0; i < sim->n_joints; i++)
            draw_current(sim, &sim->joints[i]);
        publish(sim);
    }
    // the part of a long pause that is left out would show nothing but standing joints
    int64_t behind_ns = tn_ns_sub(now_steady_ns, sim->time_steady_ns);
    if (behind_ns > MAX_PAUSE_NS)
        sim->time_steady_ns +=
            (behind_ns - MAX_PAUSE_NS) / TN_EFFECTOR_SIM_STEP_NS * TN_EFFECTOR_SIM_STEP_NS;
    while (tn_ns_sub(now_steady_ns, sim->time_steady_ns) >= TN_EFFECTOR_SIM_STEP_NS)
        step(sim);
}

void tn_effector_sim_connect(struct tn_effector_sim *sim, bool is_connected)
{
    sim->is_connected = is_connected;
}

void tn_effector_sim_set_object(struct tn_effector_sim *sim, uint32_t joint, bool is_there,
                                double object_percent)
{
    if (joint >= sim->n_joints)
        return;
    sim->options.objects &= ~(1u << joint);
    if (is_there)
        sim->options.objects |= 1u << joint;
    sim->options.object_percent[joint] = object_percent;
}

// ---- the device's functions ----

static enum tn_result sim_identify(void *self, int64_t now_steady_ns,
                                   struct tn_effector_identity *out_identity, struct tn_error *err)
{
    struct tn_effector_sim *sim = self;
    tn_effector_sim_advance(sim, now_steady_ns);
    if (!sim->is_connected)
        return tn_error_set(err, TN_ERR_TIMEOUT, "the simulated device is disconnected");
    out_identity->side = sim->options.side;
    snprintf(out_identity->model, sizeof out_identity->model, "sim %s",
             tn_effector_kind_name(sim->options.kind));
    return TN_OK;
}

static void merge(struct tn_effector_setpoint *into, const struct tn_effector_setpoint *from)
{
    for (uint32_t i = 0; i < TN_EFFECTOR_MAX_JOINTS; i++) {
        uint32_t bit = 1u << i;
        if ((from->joints & bit) == 0)
            continue;
        into->joints |= bit;
        into->mode[i] = from->mode[i];
        into->value[i] = from->value[i];
        into->limited = (into->limited & ~bit) | (from->limited & bit);
        into->speed_percent_per_s[i] = from->speed_percent_per_s[i];
    }
}

static bool is_supported(const struct tn_effector_sim *sim,
                         const struct tn_effector_setpoint *setpoint)
{
    for (uint32_t i = 0; i < sim->n_joints; i++) {
        if ((setpoint->joints >> i & 1u) != 0 &&
            (setpoint->mode[i] >= TN_EFFECTOR_MODES ||
             (sim->options.modes >> setpoint->mode[i] & 1u) == 0))
            return false;
    }
    return true;
}

static enum tn_result sim_write(void *self, const struct tn_effector_setpoint *setpoint,
                                int64_t now_steady_ns)
{
    struct tn_effector_sim *sim = self;
    tn_effector_sim_advance(sim, now_steady_ns);
    if (!sim->is_connected)
        return TN_ERR_TIMEOUT;
    if (!is_supported(sim, setpoint))
        return TN_ERR_UNSUPPORTED;
    // during the power-up sweep a device takes nothing
    if (is_sweeping(sim))
        return TN_OK;
    if (sim->queue_count == TN_EFFECTOR_SIM_QUEUE) {
        uint32_t newest = (sim->queue_head + sim->queue_count - 1) % TN_EFFECTOR_SIM_QUEUE;
        merge(&sim->queue[newest].setpoint, setpoint);
        return TN_OK;
    }
    sim->queue[(sim->queue_head + sim->queue_count) % TN_EFFECTOR_SIM_QUEUE] =
        (struct tn_effector_sim_write){
            .effective_steady_ns = tn_ns_add(now_steady_ns, sim->options.dead_time_ns),
            .setpoint = *setpoint,
        };
    sim->queue_count++;
    return TN_OK;
}

static enum tn_result sim_poll(void *self, int64_t now_steady_ns,
                               struct tn_effector_sample *out_sample)
{
    struct tn_effector_sim *sim = self;
    tn_effector_sim_advance(sim, now_steady_ns);
    if (!sim->is_connected)
        return TN_ERR_TIMEOUT;
    *out_sample = sim->published;
    return TN_OK;
}

static enum tn_result sim_stop(void *self, int64_t now_steady_ns)
{
    struct tn_effector_sim *sim = self;
    tn_effector_sim_advance(sim, now_steady_ns);
    if (!sim->is_connected)
        return TN_ERR_TIMEOUT;
    // speeds and currents that still wait never come into effect
    for (uint32_t k = 0; k < sim->queue_count; k++) {
        struct tn_effector_setpoint *setpoint =
            &sim->queue[(sim->queue_head + k) % TN_EFFECTOR_SIM_QUEUE].setpoint;
        for (uint32_t i = 0; i < sim->n_joints; i++) {
            if (setpoint->mode[i] != TN_EFFECTOR_POSITION)
                setpoint->value[i] = 0.0;
        }
    }
    for (uint32_t i = 0; i < sim->n_joints; i++) {
        if (sim->joints[i].mode != TN_EFFECTOR_POSITION)
            sim->joints[i].r = 0.0;
    }
    return TN_OK;
}

struct tn_effector_device tn_effector_sim_device(struct tn_effector_sim *sim)
{
    static const struct tn_effector_device_ops ops = {
        .name = "sim",
        .identify = sim_identify,
        .write = sim_write,
        .poll = sim_poll,
        .stop = sim_stop,
    };
    return (struct tn_effector_device){
        .ops = &ops,
        .self = sim,
        .capabilities = {.kind = sim->options.kind,
                         .modes = sim->options.modes,
                         .full_speed_percent_per_s = sim->vmax,
                         .reaction_ns =
                             tn_ns_add(sim->options.dead_time_ns, tn_seconds_to_ns(ACCEL_TIME_S)),
                         .limits_speed = true,
                         .is_blocking = false},
    };
}
