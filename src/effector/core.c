// SPDX-License-Identifier: Apache-2.0
#include "effector/core.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "effector/joints.h"

// a ramp never jumps, however long the process was stopped
#define MAX_RAMP_STEP_NS (40 * TN_NS_PER_MS)

static enum tn_result check_pose(const struct tn_effector_options *o, struct tn_error *err)
{
    if (!o->has_pose)
        return TN_OK;
    if (!o->has_watchdog)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "watchdog_pose needs position_watchdog_s");
    if (o->pose_after_ns < o->position_watchdog_ns)
        return tn_error_set(err, TN_ERR_RANGE,
                            "watchdog_pose_after_s must not be below position_watchdog_s");
    for (uint32_t i = 0; i < tn_effector_joint_count(o->rules.kind); i++) {
        if (!isfinite(o->pose[i]) || o->pose[i] < 0.0 || o->pose[i] > 100.0)
            return tn_error_set(err, TN_ERR_RANGE, "watchdog_pose[%u] is %g, allowed is 0 to 100",
                                i, o->pose[i]);
    }
    return TN_OK;
}

static enum tn_result check_options(const struct tn_effector_options *o, struct tn_error *err)
{
    if (o->rules.modes == 0 || o->rules.modes >> TN_EFFECTOR_MODES != 0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "the device supports no mode");
    if (o->rules.command_timeout_ns <= 0)
        return tn_error_set(err, TN_ERR_RANGE, "command_timeout_s must be above 0");
    if (o->rules.has_max_age && o->rules.max_age_ns <= 0)
        return tn_error_set(err, TN_ERR_RANGE,
                            "max_command_age_s must be above 0; leave it out to switch it off");
    if (o->has_watchdog && o->position_watchdog_ns <= 0)
        return tn_error_set(err, TN_ERR_RANGE,
                            "position_watchdog_s must be above 0; leave it out to switch it off");
    if (o->write_interval_ns < 0 || o->max_failed_polls < 1)
        return tn_error_set(err, TN_ERR_RANGE,
                            "max_command_hz and max_failed_polls must be above 0");
    if (o->reaction_ns < 0 || o->reaction_ns > TN_NS_PER_S ||
        !isfinite(o->full_speed_percent_per_s) || o->full_speed_percent_per_s < 0.0)
        return tn_error_set(err, TN_ERR_RANGE,
                            "the device's reaction must be within 0 to 1 s, its speed finite and "
                            "not negative");
    return check_pose(o, err);
}

enum tn_result tn_effector_core_init(struct tn_effector_core *core,
                                     const struct tn_effector_options *options,
                                     struct tn_error *err)
{
    enum tn_result result = check_options(options, err);
    if (result != TN_OK)
        return result;
    memset(core, 0, sizeof *core);
    core->options = *options;
    core->n_joints = tn_effector_joint_count(options->rules.kind);
    core->state = TN_EFFECTOR_STARTING;
    return TN_OK;
}

// ---- notes ----

static void note(struct tn_effector_core *core, enum tn_effector_note_kind kind,
                 int64_t now_steady_ns)
{
    if (core->note_count == TN_EFFECTOR_NOTE_QUEUE) {
        core->note_head = (core->note_head + 1) % TN_EFFECTOR_NOTE_QUEUE;
        core->note_count--;
    }
    uint32_t at = (core->note_head + core->note_count) % TN_EFFECTOR_NOTE_QUEUE;
    core->notes[at] = (struct tn_effector_note){.kind = kind, .steady_ns = now_steady_ns};
    core->note_count++;
}

bool tn_effector_core_next_note(struct tn_effector_core *core, struct tn_effector_note *out_note)
{
    if (core->note_count == 0)
        return false;
    *out_note = core->notes[core->note_head];
    core->note_head = (core->note_head + 1) % TN_EFFECTOR_NOTE_QUEUE;
    core->note_count--;
    return true;
}

// ---- actions ----

static uint32_t all_joints(const struct tn_effector_core *core)
{
    return (1u << core->n_joints) - 1u;
}

static void clear_waiting(struct tn_effector_core *core)
{
    core->dirty = 0;
    core->pending = 0;
    core->n_waiting = 0;
    core->is_urgent = false;
}

// drops all that waits
static void forget(struct tn_effector_core *core)
{
    clear_waiting(core);
    for (uint32_t i = 0; i < core->n_joints; i++) {
        core->joints[i].is_measuring = false;
        core->joints[i].has_expiry = false;
    }
}

static bool is_sample_fresh(const struct tn_effector_core *core, int64_t now_steady_ns)
{
    return core->has_sample &&
           tn_ns_sub(now_steady_ns, core->sample.sample_steady_ns) <= TN_EFFECTOR_FRESH_SAMPLE_NS;
}

// where a joint on its way to its last target comes to stand: it must not overshoot and turn back
static double standing_point(const struct tn_effector_core *core, uint32_t i, int64_t now_steady_ns)
{
    const struct tn_effector_joint *joint = &core->joints[i];
    double position = core->sample.position[i];
    double way = joint->written - position;
    if (!joint->given.is_set || joint->given.mode != TN_EFFECTOR_POSITION ||
        core->options.reaction_ns == 0 || joint->heading * way <= 0.0)
        return position;
    int64_t delay_ns = tn_ns_add(tn_ns_sub(now_steady_ns, core->sample.sample_steady_ns),
                                 core->options.reaction_ns);
    double speed = core->options.full_speed_percent_per_s * core->sample.velocity[i] / 100.0;
    double reach = speed * fmax(tn_ns_to_seconds(delay_ns), 0.0);
    return position + fmin(fmax(way, -reach), reach);
}

static void begin_ramp(struct tn_effector_core *core, struct tn_effector_joint *joint, uint32_t i,
                       int64_t now_steady_ns)
{
    bool is_first = true;
    for (uint32_t k = 0; k < core->n_joints; k++)
        is_first = is_first && !core->joints[k].wanted.is_resuming;
    if (is_first)
        core->ramp_steady_ns = now_steady_ns;
    joint->ramp = standing_point(core, i, now_steady_ns);
    joint->is_measuring = !is_sample_fresh(core, now_steady_ns);
    joint->wanted.is_resuming = true;
}

// one that is stalled already stands, and keeps its grip
static void measure_hold(struct tn_effector_core *core, uint32_t i, int64_t now_steady_ns)
{
    struct tn_effector_joint *joint = &core->joints[i];
    joint->is_measuring = false;
    joint->wanted.value = standing_point(core, i, now_steady_ns);
    if (core->sample.state[i] == TN_EFFECTOR_STALL)
        joint->given = joint->wanted;
    else
        core->dirty |= 1u << i;
}

static void hold_joint(struct tn_effector_core *core, uint32_t i, bool is_written,
                       int64_t now_steady_ns)
{
    struct tn_effector_joint *joint = &core->joints[i];
    joint->wanted.needs_resume = true;
    joint->wanted.is_resuming = false;
    joint->has_expiry = false;
    core->pending &= ~(1u << i);
    core->dirty &= ~(1u << i);
    if (!is_written)
        return;
    joint->wanted.is_set = true;
    joint->wanted.mode = TN_EFFECTOR_POSITION;
    joint->is_measuring = true;
    if (is_sample_fresh(core, now_steady_ns))
        measure_hold(core, i, now_steady_ns);
}

static void hold(struct tn_effector_core *core, enum tn_effector_event event, int64_t now_steady_ns)
{
    bool is_unknown = event == TN_EFFECTOR_EV_BACK || event == TN_EFFECTOR_EV_UP;
    for (uint32_t i = 0; i < core->n_joints; i++) {
        const struct tn_effector_goal *goal = &core->joints[i].wanted;
        // joints in another mode have their own watchdog
        if (event == TN_EFFECTOR_EV_WATCHDOG_HOLD && goal->is_set &&
            goal->mode != TN_EFFECTOR_POSITION)
            continue;
        hold_joint(core, i, goal->is_set || is_unknown, now_steady_ns);
    }
    core->n_waiting = 0;
    core->is_urgent = true;
    core->may_pose = event == TN_EFFECTOR_EV_WATCHDOG_HOLD;
}

// what waited for a sample begins from it
static void measure(struct tn_effector_core *core, int64_t now_steady_ns)
{
    for (uint32_t i = 0; i < core->n_joints; i++) {
        struct tn_effector_joint *joint = &core->joints[i];
        if (!joint->is_measuring)
            continue;
        if (!joint->wanted.is_resuming) {
            measure_hold(core, i, now_steady_ns);
            core->is_urgent = true;
        }
        joint->ramp = standing_point(core, i, now_steady_ns);
        joint->is_measuring = false;
    }
}

static void pose(struct tn_effector_core *core, int64_t now_steady_ns)
{
    for (uint32_t i = 0; i < core->n_joints; i++) {
        struct tn_effector_joint *joint = &core->joints[i];
        joint->wanted.is_set = true;
        joint->wanted.mode = TN_EFFECTOR_POSITION;
        joint->wanted.value = core->options.pose[i];
        begin_ramp(core, joint, i, now_steady_ns);
        joint->wanted.needs_resume = true;
        joint->has_expiry = false;
    }
    core->dirty = all_joints(core);
    core->pending = 0;
    core->n_waiting = 0;
    core->may_pose = false;
}

static void stop_rates(struct tn_effector_core *core, int64_t now_steady_ns)
{
    for (uint32_t i = 0; i < core->n_joints; i++) {
        struct tn_effector_joint *joint = &core->joints[i];
        if (!joint->wanted.is_set || joint->wanted.mode == TN_EFFECTOR_POSITION ||
            tn_ns_sub(now_steady_ns, joint->refreshed_steady_ns) <
                core->options.rules.command_timeout_ns)
            continue;
        joint->wanted.value = 0.0;
        joint->has_expiry = false;
        core->pending &= ~(1u << i);
        core->dirty |= 1u << i;
    }
    core->is_urgent = true;
}

// ---- commands ----

static void follow_joint(struct tn_effector_core *core, uint32_t i,
                         const struct tn_effector_targets *targets, int64_t now_steady_ns)
{
    struct tn_effector_joint *joint = &core->joints[i];
    // a hold that waits for its sample is over; an approach goes on waiting
    joint->is_measuring = joint->is_measuring && joint->wanted.is_resuming;
    joint->wanted.is_set = true;
    joint->wanted.mode = (uint8_t)targets->mode;
    joint->wanted.value = targets->value[i];
    if (targets->mode != TN_EFFECTOR_POSITION) {
        joint->wanted.is_resuming = false;
        joint->is_measuring = false;
    } else if (joint->wanted.needs_resume)
        begin_ramp(core, joint, i, now_steady_ns);
    joint->wanted.needs_resume = false;
    joint->refreshed_steady_ns = now_steady_ns;
    joint->has_expiry = targets->has_expiry;
    joint->expires_steady_ns = targets->expires_steady_ns;
}

// a newer command replaces those whose joints it all names; others go out together with it
static void queue_command(struct tn_effector_core *core, const struct tn_effector_targets *targets)
{
    bool covers = (core->pending & ~targets->joints) == 0;
    if (covers) {
        core->counters.coalesced += core->n_waiting;
        core->n_waiting = 0;
    } else if (core->n_waiting == TN_EFFECTOR_MAX_MERGED) {
        core->counters.coalesced++;
        core->n_waiting--;
        memmove(core->waiting, core->waiting + 1, core->n_waiting * sizeof core->waiting[0]);
    }
    core->waiting[core->n_waiting++] = (struct tn_effector_command_id){
        .stamp_ros_ns = targets->has_stamp ? targets->stamp_ros_ns : 0,
        .has_expiry = targets->has_expiry,
        .expires_steady_ns = targets->expires_steady_ns,
    };
    core->pending |= targets->joints;
    core->dirty |= targets->joints;
}

static void follow(struct tn_effector_core *core, const struct tn_effector_targets *targets,
                   int64_t now_steady_ns)
{
    for (uint32_t i = 0; i < core->n_joints; i++) {
        if ((targets->joints >> i & 1u) != 0)
            follow_joint(core, i, targets, now_steady_ns);
    }
    queue_command(core, targets);
    if (targets->mode == TN_EFFECTOR_POSITION)
        core->last_position_steady_ns = now_steady_ns;
    core->may_pose = false;
}

// ---- transitions ----

static void note_transition(struct tn_effector_core *core, enum tn_effector_event event,
                            enum tn_effector_state from, int64_t now_steady_ns)
{
    static const struct {
        enum tn_effector_event event;
        enum tn_effector_note_kind kind;
    } rows[] = {
        {TN_EFFECTOR_EV_WATCHDOG_HOLD, TN_EFFECTOR_NOTE_HOLD},
        {TN_EFFECTOR_EV_WATCHDOG_POSE, TN_EFFECTOR_NOTE_POSE},
        {TN_EFFECTOR_EV_REACHED, TN_EFFECTOR_NOTE_RESUMED},
        {TN_EFFECTOR_EV_STOP, TN_EFFECTOR_NOTE_STOP},
        {TN_EFFECTOR_EV_SHUTDOWN, TN_EFFECTOR_NOTE_STOP},
        {TN_EFFECTOR_EV_RELEASE, TN_EFFECTOR_NOTE_RELEASE},
    };
    if (from == core->state)
        return;
    if (core->state == TN_EFFECTOR_RESUMING)
        note(core, TN_EFFECTOR_NOTE_RESUME, now_steady_ns);
    for (uint32_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        if (rows[i].event == event)
            note(core, rows[i].kind, now_steady_ns);
    }
}

static void count_transition(struct tn_effector_core *core, enum tn_effector_state from)
{
    if (from == core->state)
        return;
    core->counters.poses += core->state == TN_EFFECTOR_POSE;
    core->counters.resumes += core->state == TN_EFFECTOR_RESUMING;
}

static void act(struct tn_effector_core *core, enum tn_effector_action action,
                enum tn_effector_event event, const struct tn_effector_targets *targets,
                int64_t now_steady_ns)
{
    switch (action) {
    case TN_EFFECTOR_DO_FOLLOW:
    case TN_EFFECTOR_DO_RESUME:
        follow(core, targets, now_steady_ns);
        break;
    case TN_EFFECTOR_DO_HOLD:
        core->counters.holds += event == TN_EFFECTOR_EV_WATCHDOG_HOLD;
        hold(core, event, now_steady_ns);
        break;
    case TN_EFFECTOR_DO_POSE:
        pose(core, now_steady_ns);
        break;
    case TN_EFFECTOR_DO_STOP_RATES:
        core->counters.rate_timeouts++;
        note(core, TN_EFFECTOR_NOTE_RATE, now_steady_ns);
        stop_rates(core, now_steady_ns);
        break;
    case TN_EFFECTOR_DO_FORGET:
        forget(core);
        break;
    case TN_EFFECTOR_DO_NOTHING:
    case TN_EFFECTOR_DO_REFUSE:
    case TN_EFFECTOR_ACTIONS:
        break;
    }
}

// the only place where the state changes
static enum tn_effector_action fire(struct tn_effector_core *core, enum tn_effector_event event,
                                    const struct tn_effector_targets *targets,
                                    int64_t now_steady_ns)
{
    struct tn_effector_cell cell = tn_effector_cell(core->state, event);
    enum tn_effector_state from = core->state;
    core->state = cell.next;
    act(core, cell.action, event, targets, now_steady_ns);
    count_transition(core, from);
    note_transition(core, event, from, now_steady_ns);
    return cell.action;
}

static enum tn_effector_verdict refusal(enum tn_effector_state state)
{
    switch ((int)state) {
    case TN_EFFECTOR_STOPPED:
        return TN_EFFECTOR_CMD_STOPPED;
    case TN_EFFECTOR_LOST:
        return TN_EFFECTOR_CMD_LOST;
    case TN_EFFECTOR_CLOSED:
        return TN_EFFECTOR_CMD_CLOSED;
    default:
        return TN_EFFECTOR_CMD_NOT_READY;
    }
}

enum tn_effector_verdict tn_effector_core_command(struct tn_effector_core *core,
                                                  const struct tn_effector_command *command,
                                                  int64_t now_steady_ns, uint32_t *out_culprit)
{
    const struct tn_effector_command_rules *rules = &core->options.rules;
    struct tn_effector_targets targets;
    enum tn_effector_verdict verdict = tn_effector_command_judge(
        &core->acceptor, rules, command, now_steady_ns, &targets, out_culprit);
    enum tn_effector_event event =
        verdict == TN_EFFECTOR_CMD_ACCEPTED ? TN_EFFECTOR_EV_COMMAND : TN_EFFECTOR_EV_REFUSED;
    if (fire(core, event, &targets, now_steady_ns) == TN_EFFECTOR_DO_REFUSE)
        verdict = refusal(core->state);
    tn_effector_command_record(&core->acceptor, rules, command, verdict, now_steady_ns);
    return verdict;
}

// ---- the device ----

static bool clamp_sample(struct tn_effector_sample *sample, uint32_t n_joints)
{
    for (uint32_t i = 0; i < n_joints; i++) {
        double *values[] = {&sample->position[i], &sample->velocity[i], &sample->current[i]};
        for (uint32_t k = 0; k < TN_ARRAY_SIZE(values); k++) {
            if (!isfinite(*values[k]))
                return false;
            *values[k] = fmin(fmax(*values[k], 0.0), 100.0);
        }
        if (sample->state[i] > TN_EFFECTOR_UNKNOWN)
            sample->state[i] = TN_EFFECTOR_UNKNOWN;
    }
    return true;
}

static void come_up(struct tn_effector_core *core, int64_t now_steady_ns)
{
    bool is_first = core->state == TN_EFFECTOR_STARTING;
    bool was_lost = core->state == TN_EFFECTOR_LOST;
    core->is_up = true;
    // with a watchdog a stream may be running already: approach it slowly
    fire(core, is_first && !core->options.has_watchdog ? TN_EFFECTOR_EV_UP : TN_EFFECTOR_EV_BACK,
         NULL, now_steady_ns);
    if (is_first)
        note(core, TN_EFFECTOR_NOTE_START, now_steady_ns);
    if (was_lost)
        note(core, TN_EFFECTOR_NOTE_BACK, now_steady_ns);
}

static void go_down(struct tn_effector_core *core, int64_t now_steady_ns)
{
    bool was_up = core->is_up;
    core->is_up = false;
    core->counters.losses++;
    fire(core, TN_EFFECTOR_EV_LOST, NULL, now_steady_ns);
    if (was_up)
        note(core, TN_EFFECTOR_NOTE_LOST, now_steady_ns);
}

void tn_effector_core_sample(struct tn_effector_core *core, const struct tn_effector_sample *sample,
                             int64_t now_steady_ns)
{
    struct tn_effector_sample clamped = *sample;
    if (!clamp_sample(&clamped, core->n_joints)) {
        tn_effector_core_poll_failed(core, now_steady_ns);
        return;
    }
    for (uint32_t i = 0; i < core->n_joints; i++)
        core->joints[i].heading =
            core->has_sample ? clamped.position[i] - core->sample.position[i] : 0.0;
    core->sample = clamped;
    core->has_sample = true;
    core->is_lost = false;
    core->failed_polls = 0;
    core->counters.polls++;
    if (core->is_up)
        measure(core, now_steady_ns);
    if (clamped.is_ready && !core->is_up)
        come_up(core, now_steady_ns);
    else if (!clamped.is_ready && core->is_up)
        go_down(core, now_steady_ns);
}

void tn_effector_core_poll_failed(struct tn_effector_core *core, int64_t now_steady_ns)
{
    core->counters.polls++;
    core->counters.failed_polls++;
    if (core->failed_polls < core->options.max_failed_polls)
        core->failed_polls++;
    if (core->failed_polls < core->options.max_failed_polls || core->is_lost)
        return;
    core->is_lost = true;
    go_down(core, now_steady_ns);
}

bool tn_effector_core_feedback(const struct tn_effector_core *core,
                               struct tn_effector_sample *out_sample)
{
    *out_sample = core->sample;
    if (!core->has_sample || core->is_lost) {
        for (uint32_t i = 0; i < TN_EFFECTOR_MAX_JOINTS; i++)
            out_sample->state[i] = TN_EFFECTOR_UNKNOWN;
    }
    return core->has_sample;
}

// ---- watchdogs and ramps ----

static bool has_late_rate(const struct tn_effector_core *core, int64_t now_steady_ns)
{
    for (uint32_t i = 0; i < core->n_joints; i++) {
        const struct tn_effector_joint *joint = &core->joints[i];
        if (joint->wanted.is_set && joint->wanted.mode != TN_EFFECTOR_POSITION &&
            fabs(joint->wanted.value) > 0.0 &&
            tn_ns_sub(now_steady_ns, joint->refreshed_steady_ns) >=
                core->options.rules.command_timeout_ns)
            return true;
    }
    return false;
}

// position joints that were commanded since they were held
static bool has_position_goal(const struct tn_effector_core *core)
{
    for (uint32_t i = 0; i < core->n_joints; i++) {
        const struct tn_effector_goal *goal = &core->joints[i].wanted;
        if (goal->is_set && goal->mode == TN_EFFECTOR_POSITION && !goal->needs_resume)
            return true;
    }
    return false;
}

static void watch(struct tn_effector_core *core, int64_t now_steady_ns)
{
    if (has_late_rate(core, now_steady_ns))
        fire(core, TN_EFFECTOR_EV_RATE_TIMEOUT, NULL, now_steady_ns);
    if (!core->options.has_watchdog)
        return;
    int64_t silence_ns = tn_ns_sub(now_steady_ns, core->last_position_steady_ns);
    bool is_moving = core->state == TN_EFFECTOR_FOLLOWING || core->state == TN_EFFECTOR_RESUMING;
    if (is_moving && has_position_goal(core) && silence_ns >= core->options.position_watchdog_ns)
        fire(core, TN_EFFECTOR_EV_WATCHDOG_HOLD, NULL, now_steady_ns);
    if (core->state == TN_EFFECTOR_HOLDING && core->may_pose && core->options.has_pose &&
        silence_ns >= core->options.pose_after_ns)
        fire(core, TN_EFFECTOR_EV_WATCHDOG_POSE, NULL, now_steady_ns);
}

static bool ramp_joint(struct tn_effector_core *core, uint32_t i, double step)
{
    struct tn_effector_joint *joint = &core->joints[i];
    if (joint->is_measuring)
        return false;
    double way = joint->wanted.value - joint->ramp;
    joint->ramp += fmin(fmax(way, -step), step);
    core->dirty |= 1u << i;
    bool is_there =
        is_sample_fresh(core, core->ramp_steady_ns) &&
        fabs(joint->wanted.value - core->sample.position[i]) <= TN_EFFECTOR_RESUME_WITHIN;
    joint->wanted.is_resuming = !is_there;
    return is_there;
}

static void ramp(struct tn_effector_core *core, int64_t now_steady_ns)
{
    int64_t delta_ns = tn_ns_sub(now_steady_ns, core->ramp_steady_ns);
    if (delta_ns > MAX_RAMP_STEP_NS)
        delta_ns = MAX_RAMP_STEP_NS;
    double step = TN_EFFECTOR_RESUME_PERCENT_PER_S * tn_ns_to_seconds(delta_ns > 0 ? delta_ns : 0);
    uint32_t n_resuming = 0;
    core->ramp_steady_ns = now_steady_ns;
    for (uint32_t i = 0; i < core->n_joints; i++) {
        if (core->joints[i].wanted.is_resuming)
            n_resuming += !ramp_joint(core, i, step);
    }
    if (core->state == TN_EFFECTOR_RESUMING && n_resuming == 0)
        fire(core, TN_EFFECTOR_EV_REACHED, NULL, now_steady_ns);
}

void tn_effector_core_tick(struct tn_effector_core *core, int64_t now_steady_ns)
{
    if (!core->is_up || core->state == TN_EFFECTOR_CLOSED)
        return;
    watch(core, now_steady_ns);
    ramp(core, now_steady_ns);
}

// ---- operator ----

bool tn_effector_core_stop(struct tn_effector_core *core, int64_t now_steady_ns)
{
    fire(core, TN_EFFECTOR_EV_STOP, NULL, now_steady_ns);
    return core->state == TN_EFFECTOR_STOPPED;
}

bool tn_effector_core_release(struct tn_effector_core *core, int64_t now_steady_ns)
{
    bool was_stopped = core->state == TN_EFFECTOR_STOPPED;
    fire(core, TN_EFFECTOR_EV_RELEASE, NULL, now_steady_ns);
    // a device that does not answer has to come back first
    if (was_stopped && !core->is_up)
        fire(core, TN_EFFECTOR_EV_LOST, NULL, now_steady_ns);
    return core->is_up && core->state != TN_EFFECTOR_CLOSED;
}

void tn_effector_core_shutdown(struct tn_effector_core *core, int64_t now_steady_ns)
{
    fire(core, TN_EFFECTOR_EV_SHUTDOWN, NULL, now_steady_ns);
}

// ---- writing ----

static void drop_expired(struct tn_effector_core *core, int64_t now_steady_ns)
{
    for (uint32_t i = 0; i < core->n_joints; i++) {
        struct tn_effector_joint *joint = &core->joints[i];
        if (!joint->has_expiry || now_steady_ns <= joint->expires_steady_ns)
            continue;
        joint->wanted = joint->given;
        joint->has_expiry = false;
        core->dirty &= ~(1u << i);
        core->pending &= ~(1u << i);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < core->n_waiting; i++) {
        if (core->waiting[i].has_expiry && now_steady_ns > core->waiting[i].expires_steady_ns)
            core->counters.expired++;
        else
            core->waiting[kept++] = core->waiting[i];
    }
    core->n_waiting = kept;
}

static void write_joint(struct tn_effector_core *core, uint32_t i,
                        struct tn_effector_setpoint *setpoint)
{
    struct tn_effector_joint *joint = &core->joints[i];
    bool is_slow = joint->wanted.is_resuming;
    setpoint->joints |= 1u << i;
    setpoint->mode[i] = joint->wanted.mode;
    setpoint->value[i] = is_slow ? joint->ramp : joint->wanted.value;
    if (is_slow) {
        setpoint->limited |= 1u << i;
        setpoint->speed_percent_per_s[i] = TN_EFFECTOR_RESUME_PERCENT_PER_S;
    }
    joint->written = setpoint->value[i];
    joint->given = joint->wanted;
    joint->has_expiry = false;
}

static uint32_t measuring(const struct tn_effector_core *core)
{
    uint32_t joints = 0;
    for (uint32_t i = 0; i < core->n_joints; i++)
        joints |= core->joints[i].is_measuring ? 1u << i : 0u;
    return joints;
}

bool tn_effector_core_take(struct tn_effector_core *core, int64_t now_steady_ns,
                           struct tn_effector_setpoint *out_setpoint)
{
    if (!core->is_up || core->state == TN_EFFECTOR_CLOSED)
        return false;
    drop_expired(core, now_steady_ns);
    bool is_due =
        core->is_urgent || !core->has_written || now_steady_ns >= core->next_write_steady_ns;
    uint32_t ready = core->dirty & ~measuring(core);
    // a command goes out whole
    if (ready == 0 || !is_due || (core->pending & ~ready) != 0)
        return false;
    memset(out_setpoint, 0, sizeof *out_setpoint);
    for (uint32_t i = 0; i < core->n_joints; i++) {
        if ((ready >> i & 1u) != 0)
            write_joint(core, i, out_setpoint);
    }
    out_setpoint->n_commands = core->n_waiting;
    memcpy(out_setpoint->commands, core->waiting, sizeof core->waiting);
    core->counters.executed += core->n_waiting;
    core->counters.writes++;
    core->has_written = true;
    core->next_write_steady_ns = tn_ns_add(now_steady_ns, core->options.write_interval_ns);
    clear_waiting(core);
    return true;
}

void tn_effector_core_write_failed(struct tn_effector_core *core,
                                   const struct tn_effector_setpoint *setpoint,
                                   int64_t now_steady_ns)
{
    core->counters.failed_writes++;
    core->counters.executed -= setpoint->n_commands;
    core->dirty |= setpoint->joints;
    if (setpoint->n_commands > 0) {
        // the retry is bound by the oldest of its commands
        const struct tn_effector_command_id *id = &setpoint->commands[0];
        core->pending |= setpoint->joints;
        core->n_waiting = setpoint->n_commands;
        memcpy(core->waiting, setpoint->commands, sizeof core->waiting);
        for (uint32_t i = 0; i < core->n_joints; i++) {
            if ((setpoint->joints >> i & 1u) != 0) {
                core->joints[i].has_expiry = id->has_expiry;
                core->joints[i].expires_steady_ns = id->expires_steady_ns;
            }
        }
    }
    tn_effector_core_poll_failed(core, now_steady_ns);
}
