// SPDX-License-Identifier: Apache-2.0
#include "system/path/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// the contract's times
static const int64_t max_command_age_ns = 200 * TN_NS_PER_MS;
static const int64_t position_watchdog_ns = 200 * TN_NS_PER_MS;
static const int64_t disconnect_timeout_ns = TN_NS_PER_S;
static const double resume_percent_per_s = 50.0;
static const double resume_within_percent = 2.0;

// the floor of a time map, which no consumer can see
static const int64_t age_floor_ns = 5 * TN_NS_PER_MS;
// a sample's age as its consumer knew it and as the record knows it
static const int64_t age_slack_ns = 50 * TN_NS_PER_MS;
// in so long frames of the glove come through, also on a busy machine
static const int64_t some_frames_ns = 40 * TN_NS_PER_MS;
// a program reads its clock once for what it decides and once for the trace
static const int64_t trace_slack_ns = 30 * TN_NS_PER_MS;
// the effector's watchdog is looked at this often, and so many of its polls may pass before
static const int64_t tick_ns = 20 * TN_NS_PER_MS;
static const unsigned polls_before_hold = 3;
// dead time and braking, and room for a loaded machine
static const int64_t settle_ns = 700 * TN_NS_PER_MS;
// a hand that was quick when the hold began moves on: a sample up to 20 ms old, 65 ms dead time, 40
// ms of braking and twice its time constant of 40 ms, and some room
static const int64_t braking_ns = 220 * TN_NS_PER_MS;
static const double still_percent = 0.5;
// two quantised positions, one refresh of the device apart
static const double quantum_percent = 0.3;
static const int64_t refresh_ns = 20 * TN_NS_PER_MS;
static const int64_t speed_window_ns = 100 * TN_NS_PER_MS;

void path_found(struct path_findings *findings, const char *format, ...)
{
    if (findings->n < PATH_FINDINGS_KEPT) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(findings->text[findings->n], sizeof findings->text[0], format, args);
        va_end(args);
    }
    findings->n++;
}

static double since_s(const struct path_record *record, int64_t steady_ns)
{
    return tn_ns_to_seconds(steady_ns - record->begun_steady_ns);
}

static const char *side_name(unsigned index)
{
    return tn_side_name(index == 0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT);
}

static bool is_effector(enum path_program program)
{
    return program == PATH_LEFT_HAND || program == PATH_RIGHT_HAND;
}

static enum tn_side side_of(unsigned index)
{
    return index == 0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT;
}

// ---- silence ----

static void judge_fault_silence(const struct path_record *record, unsigned index,
                                const struct path_fault *fault, struct path_findings *findings)
{
    const struct path_side_record *side = &record->sides[index];
    int64_t from_ns = fault->begun_steady_ns;
    int64_t to_ns = fault->has_ended ? fault->ended_steady_ns : record->ended_steady_ns;
    if (!is_effector(fault->program)) {
        from_ns += max_command_age_ns + age_floor_ns;
    }
    for (size_t i = 0; i < side->lines.size; i++) {
        const struct path_line *line = &side->lines.data[i];
        if (line->kind == PATH_EXECUTED && line->steady_ns > from_ns && line->steady_ns < to_ns) {
            path_found(findings,
                       "%s hand: executed a command at %.3f s, %.3f s after %s was %s and before "
                       "it came back",
                       side_name(index), since_s(record, line->steady_ns),
                       tn_ns_to_seconds(line->steady_ns - fault->begun_steady_ns),
                       path_program_name(fault->program), fault->is_kill ? "killed" : "stopped");
            return;
        }
    }
    findings->silent_faults += to_ns > from_ns;
}

void path_judge_silence(const struct path_record *record, struct path_findings *findings)
{
    for (size_t f = 0; f < record->faults.size; f++) {
        for (unsigned i = 0; i < TN_SIDES; i++) {
            if (path_program_serves(record->faults.data[f].program, side_of(i))) {
                judge_fault_silence(record, i, &record->faults.data[f], findings);
            }
        }
    }
}

// ---- holds ----

static const struct path_line *first_line(const struct path_side_record *side,
                                          enum path_line_kind kind, int64_t after_ns,
                                          int64_t until_ns)
{
    for (size_t i = 0; i < side->lines.size; i++) {
        const struct path_line *line = &side->lines.data[i];
        if (line->kind == kind && line->steady_ns > after_ns && line->steady_ns <= until_ns) {
            return line;
        }
    }
    return NULL;
}

static unsigned count_polls(const struct path_side_record *side, int64_t after_ns,
                            int64_t before_ns)
{
    unsigned n = 0;
    for (size_t i = 0; i < side->feedback.size; i++) {
        int64_t at_ns = side->feedback.data[i].sample_steady_ns;
        n += at_ns > after_ns && at_ns < before_ns;
    }
    return n;
}

static void judge_hold(const struct path_record *record, unsigned index, int64_t last_ns,
                       int64_t next_ns, bool has_next, struct path_findings *findings)
{
    const struct path_side_record *side = &record->sides[index];
    const struct path_line *hold = first_line(side, PATH_HOLD, last_ns, next_ns);
    int64_t due_ns = last_ns + position_watchdog_ns;
    findings->holds += hold != NULL;
    if (hold != NULL && hold->steady_ns < due_ns - trace_slack_ns) {
        path_found(findings, "%s hand: held at %.3f s, only %.3f s after its last command",
                   side_name(index), since_s(record, hold->steady_ns),
                   tn_ns_to_seconds(hold->steady_ns - last_ns));
    }
    int64_t end_ns = hold != NULL ? hold->steady_ns : next_ns;
    unsigned polls = count_polls(side, due_ns + tick_ns, end_ns);
    if (polls > polls_before_hold) {
        path_found(findings,
                   "%s hand: last command at %.3f s, %s, although it polled its device %u times "
                   "after the watchdog was due",
                   side_name(index), since_s(record, last_ns),
                   hold != NULL ? "held late" : "never held", polls);
    } else if (hold == NULL && has_next && next_ns > due_ns + trace_slack_ns) {
        path_found(findings,
                   "%s hand: accepted a command at %.3f s, %.3f s after the one before, without "
                   "a hold between",
                   side_name(index), since_s(record, next_ns), tn_ns_to_seconds(next_ns - last_ns));
    }
}

void path_judge_holds(const struct path_record *record, struct path_findings *findings)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        const struct path_side_record *side = &record->sides[i];
        for (size_t k = 0; k < side->accepted.size; k++) {
            int64_t last_ns = side->accepted.data[k].steady_ns;
            bool has_next = k + 1 < side->accepted.size;
            int64_t next_ns =
                has_next ? side->accepted.data[k + 1].steady_ns : record->ended_steady_ns;
            if (next_ns - last_ns <= position_watchdog_ns) {
                continue;
            }
            // a new program knows nothing of the old one's commands
            const struct path_line *start = first_line(side, PATH_START, last_ns, next_ns);
            const struct path_line *stop = first_line(side, PATH_STOP, last_ns, next_ns);
            if (start != NULL) {
                next_ns = start->steady_ns;
                has_next = false;
            }
            if (stop != NULL && stop->steady_ns < next_ns) {
                next_ns = stop->steady_ns;
                has_next = false;
            }
            judge_hold(record, i, last_ns, next_ns, has_next, findings);
        }
    }
}

// ---- stillness ----

// a new simulated hand begins at 0: what is seen after a kill is another hand's
static int64_t until_kill(const struct path_record *record, unsigned index, int64_t from_ns,
                          int64_t to_ns)
{
    for (size_t i = 0; i < record->faults.size; i++) {
        const struct path_fault *fault = &record->faults.data[i];
        if (fault->is_kill && is_effector(fault->program) &&
            path_program_serves(fault->program, side_of(index)) &&
            fault->asked_steady_ns > from_ns && fault->asked_steady_ns < to_ns) {
            to_ns = fault->asked_steady_ns;
        }
    }
    return to_ns;
}

static void judge_still(const struct path_record *record, unsigned index, int64_t from_ns,
                        int64_t to_ns, struct path_findings *findings)
{
    const struct path_side_record *side = &record->sides[index];
    const struct path_feedback *first = NULL;
    for (size_t i = 0; i < side->feedback.size; i++) {
        const struct path_feedback *now = &side->feedback.data[i];
        if (now->sample_steady_ns <= from_ns || now->sample_steady_ns >= to_ns) {
            continue;
        }
        first = first == NULL ? now : first;
        findings->still_samples++;
        for (unsigned j = 0; j < PATH_JOINTS; j++) {
            if (fabs(now->position[j] - first->position[j]) > still_percent) {
                path_found(findings,
                           "%s hand: joint %u moved from %.1f to %.1f %% at %.3f s while it held",
                           side_name(index), j, first->position[j], now->position[j],
                           since_s(record, now->sample_steady_ns));
                return;
            }
        }
    }
}

void path_judge_stillness(const struct path_record *record, struct path_findings *findings)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        const struct path_side_record *side = &record->sides[i];
        int64_t held_ns = -1;
        for (size_t k = 0; k < side->lines.size; k++) {
            const struct path_line *line = &side->lines.data[k];
            if (held_ns >= 0 && line->kind != PATH_OTHER) {
                judge_still(record, i, held_ns + settle_ns,
                            until_kill(record, i, held_ns, line->steady_ns), findings);
                held_ns = -1;
            }
            if (line->kind == PATH_HOLD) {
                held_ns = line->steady_ns;
            }
        }
        if (held_ns >= 0) {
            judge_still(record, i, held_ns + settle_ns,
                        until_kill(record, i, held_ns, record->ended_steady_ns), findings);
        }
    }
}

// ---- resumes ----

// a target of this joint was this near, at about this time
static bool is_near_target(const struct path_side_record *side, unsigned joint, double position,
                           int64_t at_ns)
{
    size_t low = 0, high = side->targets.size;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (side->targets.data[middle].arrival_steady_ns > at_ns - speed_window_ns) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    for (size_t i = low; i < side->targets.size &&
                         side->targets.data[i].arrival_steady_ns < at_ns + speed_window_ns;
         i++) {
        if (fabs(side->targets.data[i].value[joint] - position) <=
            resume_within_percent + quantum_percent) {
            return true;
        }
    }
    return false;
}

static const struct path_feedback *sample_before(const struct path_side_record *side, size_t first,
                                                 size_t now)
{
    size_t i = now;
    while (i > first &&
           side->feedback.data[now].sample_steady_ns - side->feedback.data[i].sample_steady_ns <
               speed_window_ns) {
        i--;
    }
    return &side->feedback.data[i];
}

// samples [seen, end) belong to the approach; before [first] the hand may still be braking, so that
// its speed tells nothing, but a joint that meets its target there is quick from then on
static void judge_joint_approach(const struct path_record *record, unsigned index, unsigned joint,
                                 size_t seen, size_t first, size_t end,
                                 struct path_findings *findings)
{
    const struct path_side_record *side = &record->sides[index];
    for (size_t k = seen; k <= first && k < end; k++) {
        const struct path_feedback *now = &side->feedback.data[k];
        if (is_near_target(side, joint, now->position[joint], now->sample_steady_ns)) {
            return;
        }
    }
    for (size_t k = first + 1; k < end; k++) {
        const struct path_feedback *now = &side->feedback.data[k];
        const struct path_feedback *before = sample_before(side, first, k);
        double dt_s =
            tn_ns_to_seconds(now->sample_steady_ns - before->sample_steady_ns + refresh_ns);
        double moved = fabs(now->position[joint] - before->position[joint]);
        findings->moved_slowly += moved > 2.0 * quantum_percent;
        if (moved > resume_percent_per_s * dt_s + quantum_percent) {
            path_found(findings,
                       "%s hand: joint %u moved %.1f %% in %.3f s at %.3f s while it was to "
                       "approach slowly",
                       side_name(index), joint, moved, dt_s,
                       since_s(record, now->sample_steady_ns));
            return;
        }
        if (is_near_target(side, joint, now->position[joint], now->sample_steady_ns)) {
            return;
        }
    }
}

static size_t first_from(const struct path_side_record *side, int64_t from_ns)
{
    size_t i = 0;
    while (i < side->feedback.size && side->feedback.data[i].sample_steady_ns < from_ns) {
        i++;
    }
    return i;
}

static void judge_approach(const struct path_record *record, unsigned index, int64_t from_ns,
                           int64_t braked_ns, int64_t to_ns, struct path_findings *findings)
{
    const struct path_side_record *side = &record->sides[index];
    size_t seen = first_from(side, from_ns);
    size_t first = first_from(side, from_ns > braked_ns ? from_ns : braked_ns);
    size_t end = first_from(side, to_ns);
    for (unsigned j = 0; end > first && j < PATH_JOINTS; j++) {
        judge_joint_approach(record, index, j, seen, first, end, findings);
    }
}

void path_judge_resumes(const struct path_record *record, struct path_findings *findings)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        const struct path_side_record *side = &record->sides[i];
        bool needs_resume = true;
        int64_t resume_ns = -1, braked_ns = 0;
        for (size_t k = 0; k < side->lines.size; k++) {
            const struct path_line *line = &side->lines.data[k];
            if (line->kind == PATH_EXECUTED && needs_resume) {
                path_found(findings, "%s hand: full speed at %.3f s, right after a hold or a start",
                           side_name(i), since_s(record, line->steady_ns));
                needs_resume = false;
            }
            if (resume_ns >= 0 && line->kind != PATH_EXECUTED && line->kind != PATH_OTHER) {
                judge_approach(record, i, resume_ns, braked_ns, line->steady_ns, findings);
                resume_ns = -1;
            }
            if (line->kind == PATH_HOLD || line->kind == PATH_START) {
                needs_resume = true;
                braked_ns = line->kind == PATH_HOLD ? line->steady_ns + braking_ns : 0;
            } else if (line->kind == PATH_RESUME) {
                needs_resume = false;
                resume_ns = line->steady_ns;
                findings->resumes++;
            }
        }
    }
}

// ---- arming ----

static bool was_armed_between(const struct path_side_record *side, int64_t from_ns, int64_t to_ns)
{
    for (size_t i = 0; i < side->arms.size; i++) {
        if (side->arms.data[i] >= from_ns && side->arms.data[i] <= to_ns) {
            return true;
        }
    }
    return false;
}

static bool was_disturbed(const struct path_record *record, unsigned index, int64_t from_ns,
                          int64_t to_ns, bool is_effector_asked, bool is_kill_asked)
{
    for (size_t i = 0; i < record->faults.size; i++) {
        const struct path_fault *fault = &record->faults.data[i];
        bool is_it = (is_effector_asked && is_effector(fault->program)) ||
                     (is_kill_asked && fault->is_kill && !is_effector(fault->program));
        int64_t ended_ns = fault->has_ended ? fault->ended_steady_ns : record->ended_steady_ns;
        if (is_it && path_program_serves(fault->program, side_of(index)) &&
            fault->asked_steady_ns < to_ns && ended_ns > from_ns) {
            return true;
        }
    }
    return false;
}

static int64_t age_at_passage_ns(const struct path_record *record,
                                 const struct path_passage *passage)
{
    return passage->steady_ns - (passage->stamp_ros_ns - record->wall_minus_steady_ns);
}

// frames that came through between two stops count: each outage is one of its own, and heals, even
// if the good frames in between were too few for targets to flow
static bool is_made_of_short_ones(const struct path_record *record, unsigned index, int64_t from_ns,
                                  int64_t to_ns)
{
    unsigned n = 0;
    int64_t end_ns = 0;
    for (size_t i = 0; i < record->faults.size; i++) {
        const struct path_fault *fault = &record->faults.data[i];
        int64_t ended_ns = fault->has_ended ? fault->ended_steady_ns : record->ended_steady_ns;
        if (is_effector(fault->program) || !path_program_serves(fault->program, side_of(index)) ||
            ended_ns <= from_ns || fault->begun_steady_ns >= to_ns) {
            continue;
        }
        if (fault->is_kill || ended_ns - fault->begun_steady_ns > disconnect_timeout_ns ||
            (n > 0 && fault->begun_steady_ns - end_ns < some_frames_ns)) {
            return false;
        }
        n++;
        end_ns = ended_ns;
    }
    return n >= 2;
}

// more than disconnect_timeout from the sample of one command to the next, unless it was the robot
// that was silent
static bool is_latching_gap(const struct path_record *record, unsigned index,
                            const struct path_passage *last, const struct path_passage *next)
{
    int64_t gap_ns = next->steady_ns - last->steady_ns + age_at_passage_ns(record, last);
    return gap_ns > disconnect_timeout_ns + record->rearm_ns + age_slack_ns &&
           !was_disturbed(record, index, last->steady_ns - TN_NS_PER_S, next->steady_ns, true,
                          false) &&
           !is_made_of_short_ones(record, index, last->steady_ns, next->steady_ns);
}

// targets that come back after such a gap need `arm`
static void judge_gaps(const struct path_record *record, unsigned index,
                       struct path_findings *findings)
{
    const struct path_side_record *side = &record->sides[index];
    const struct path_passage *last = NULL;
    for (size_t k = 0; k < side->commands.size; k++) {
        const struct path_passage *next = &side->commands.data[k];
        // a command that a stop caught on its way out is old when it leaves; the hand refuses it
        if (age_at_passage_ns(record, next) > max_command_age_ns + age_slack_ns) {
            continue;
        }
        const struct path_passage *before = last;
        last = next;
        if (before == NULL || !is_latching_gap(record, index, before, next)) {
            continue;
        }
        findings->arms++;
        if (!was_armed_between(side, before->steady_ns, next->steady_ns)) {
            path_found(findings, "%s hand: targets flow again at %.3f s after %.3f s, without arm",
                       side_name(index), since_s(record, next->steady_ns),
                       tn_ns_to_seconds(next->steady_ns - before->steady_ns));
        }
    }
}

// a driver, adapter or retargeter that is new is not the one that was armed
static void judge_kills(const struct path_record *record, unsigned index,
                        struct path_findings *findings)
{
    const struct path_side_record *side = &record->sides[index];
    for (size_t f = 0; f < record->faults.size; f++) {
        const struct path_fault *fault = &record->faults.data[f];
        bool is_source = fault->program == PATH_DRIVER || fault->program == PATH_ADAPTER ||
                         fault->program == PATH_RETARGETER;
        if (!fault->is_kill || !is_source || !fault->has_ended) {
            continue;
        }
        for (size_t k = 0; k < side->commands.size; k++) {
            if (side->commands.data[k].steady_ns > fault->ended_steady_ns) {
                findings->arms++;
                if (!was_armed_between(side, fault->begun_steady_ns,
                                       side->commands.data[k].steady_ns)) {
                    path_found(findings,
                               "%s hand: targets flow at %.3f s from a new %s, without arm",
                               side_name(index), since_s(record, side->commands.data[k].steady_ns),
                               path_program_name(fault->program));
                }
                break;
            }
        }
    }
}

static int64_t newest_command_sample_ns(const struct path_record *record, unsigned index,
                                        int64_t before_ns)
{
    const struct path_side_record *side = &record->sides[index];
    int64_t sampled_ns = -1;
    for (size_t k = 0; k < side->commands.size && side->commands.data[k].steady_ns < before_ns;
         k++) {
        sampled_ns = side->commands.data[k].stamp_ros_ns - record->wall_minus_steady_ns;
    }
    return sampled_ns;
}

// a latch has a cause: a gap above disconnect_timeout, or a program that is new
static void judge_latches(const struct path_record *record, unsigned index,
                          struct path_findings *findings)
{
    const struct path_side_record *side = &record->sides[index];
    bool was_latched = false;
    for (size_t k = 0; k < side->sessions.size; k++) {
        const struct path_session *session = &side->sessions.data[k];
        bool is_new = session->is_latched && !was_latched;
        was_latched = session->is_latched;
        if (!is_new) {
            continue;
        }
        findings->latches++;
        int64_t sampled_ns = newest_command_sample_ns(record, index, session->steady_ns);
        if (sampled_ns >= 0 &&
            session->steady_ns - sampled_ns < disconnect_timeout_ns - age_slack_ns &&
            !was_disturbed(record, index, sampled_ns - TN_NS_PER_S, session->steady_ns, false,
                           true)) {
            path_found(findings,
                       "%s hand: latched at %.3f s (%s), only %.3f s after the newest frame",
                       side_name(index), since_s(record, session->steady_ns), session->reason,
                       tn_ns_to_seconds(session->steady_ns - sampled_ns));
        }
    }
}

void path_judge_arming(const struct path_record *record, struct path_findings *findings)
{
    for (unsigned i = 0; i < TN_SIDES; i++) {
        judge_gaps(record, i, findings);
        judge_kills(record, i, findings);
        judge_latches(record, i, findings);
    }
}

void path_judge_all(const struct path_record *record, struct path_findings *findings)
{
    path_judge_silence(record, findings);
    path_judge_holds(record, findings);
    path_judge_stillness(record, findings);
    path_judge_resumes(record, findings);
    path_judge_arming(record, findings);
}
