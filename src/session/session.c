// SPDX-License-Identifier: Apache-2.0
#include "session/session.h"

#include <stdio.h>
#include <string.h>

// a sample may seem to come from the future by the floor of the time map, not by more
static const int64_t max_future_ns = 50000000;

struct tn_session_options tn_session_options_default(enum tn_side side)
{
    return (struct tn_session_options){
        .side = side,
        .stale_timeout_ns = 200000000,
        .disconnect_timeout_ns = 1000000000,
        .max_sample_age_ns = 200000000,
        .robot_timeout_ns = 500000000,
        .rearm_frames = 12,
        .require_arm = true,
        .require_robot = true,
        .safe_action = TN_SESSION_ACTION_HOLD,
    };
}

enum tn_result tn_session_init(struct tn_session *session, const struct tn_session_options *options,
                               struct tn_error *err)
{
    if (options->side != TN_SIDE_LEFT && options->side != TN_SIDE_RIGHT) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "session: side is neither left nor right");
    }
    if (options->stale_timeout_ns <= 0 || options->max_sample_age_ns <= 0 ||
        options->robot_timeout_ns <= 0) {
        return tn_error_set(
            err, TN_ERR_INVALID_ARGUMENT,
            "session: a timeout of 0 or less never means \"off\"; give stale_timeout, "
            "max_sample_age and robot_timeout values above 0");
    }
    if (options->disconnect_timeout_ns <= options->stale_timeout_ns) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "session: disconnect_timeout must be longer than stale_timeout");
    }
    if (options->rearm_frames == 0 || options->safe_action <= TN_SESSION_ACTION_NONE ||
        options->safe_action > TN_SESSION_ACTION_POSE) {
        return tn_error_set(
            err, TN_ERR_INVALID_ARGUMENT,
            "session: rearm_frames must be at least 1 and safe_action must be an action");
    }
    if (memchr(options->device_id, '\0', sizeof options->device_id) == NULL) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "session: device_id is longer than %d characters",
                            TN_SESSION_DEVICE_ID_MAX - 1);
    }
    memset(session, 0, sizeof *session);
    session->options = *options;
    session->enabled = !options->require_enable;
    session->arming = options->require_arm ? TN_SESSION_DISARMED : TN_SESSION_ARMED;
    return TN_OK;
}

static bool has_right_to_move(const struct tn_session *session)
{
    return session->arming == TN_SESSION_ARMED;
}

bool tn_session_is_flowing(const struct tn_session *session)
{
    return session->state == TN_SESSION_ACTIVE && has_right_to_move(session) && session->enabled &&
           !session->paused && (session->robot_ok || !session->options.require_robot);
}

enum tn_session_action tn_session_action(const struct tn_session *session)
{
    return tn_session_is_flowing(session) ? TN_SESSION_ACTION_NONE : session->options.safe_action;
}

// each beginning of the flow is an approach; called wherever the flow may have ended, so that an
// end is noticed even when the flow begins again in the same call
static void update_flow(struct tn_session *session)
{
    bool is_flowing = tn_session_is_flowing(session);
    if (is_flowing && !session->was_flowing) {
        session->resuming = true;
        session->counters.approaches++;
    }
    if (!is_flowing) {
        session->resuming = false;
    }
    session->was_flowing = is_flowing;
}

// without require_arm the link's own checks bring control back
static void lose_arm(struct tn_session *session)
{
    if (session->options.require_arm) {
        session->arming = tn_session_arming_next(session->arming, TN_SESSION_ARM_LOST);
        update_flow(session);
    }
}

static void apply(struct tn_session *session, enum tn_session_event event,
                  enum tn_session_reason reason)
{
    struct tn_session_cell cell;
    do {
        cell = tn_session_link_cell(session->state, event);
        if (cell.loses_arm) {
            lose_arm(session);
        }
        if (cell.next != session->state) {
            session->previous = session->state;
            session->state = cell.next;
            session->reason = reason;
            session->counters.transitions++;
            // order is kept within one life of the link; one wild number must not lock the source
            // out for ever
            session->has_frame = session->has_frame && cell.next != TN_SESSION_DISCONNECTED;
            update_flow(session);
        }
    } while (cell.again);
}

static bool is_checked(const struct tn_session *session)
{
    return session->fresh_run >= session->options.rearm_frames;
}

static enum tn_session_reason gap_reason(const struct tn_session *session)
{
    if (session->repeated_since_steady_ns != 0) {
        return TN_SESSION_REASON_FROZEN;
    }
    return session->saw_old ? TN_SESSION_REASON_AGE : TN_SESSION_REASON_GAP;
}

// judges silence from the time of the newest fresh sample, not from any arrival
static void advance_timeouts(struct tn_session *session, int64_t now_steady_ns)
{
    if (session->has_fresh) {
        int64_t since_ns = now_steady_ns - session->last_sample_steady_ns;
        if (since_ns > session->options.stale_timeout_ns) {
            session->fresh_run = 0;
        }
        if (since_ns > session->options.disconnect_timeout_ns) {
            apply(session, TN_SESSION_EV_GONE, gap_reason(session));
        } else if (since_ns > session->options.stale_timeout_ns) {
            apply(session, TN_SESSION_EV_GAP, gap_reason(session));
        }
    }
    session->robot_ok = session->has_robot && now_steady_ns - session->last_robot_steady_ns <=
                                                  session->options.robot_timeout_ns;
    if (session->state == TN_SESSION_CALIBRATING && is_checked(session) &&
        has_right_to_move(session)) {
        apply(session, TN_SESSION_EV_CHECKED, TN_SESSION_REASON_NONE);
    }
    update_flow(session);
}

static bool bound_device_is_silent(const struct tn_session *session, int64_t now_steady_ns)
{
    return !session->has_fresh ||
           now_steady_ns - session->last_sample_steady_ns > session->options.stale_timeout_ns;
}

static enum tn_result check_device(struct tn_session *session, const struct tn_session_frame *frame,
                                   int64_t now_steady_ns)
{
    const char *id = frame->device_id;
    bool is_allowed = id != NULL && id[0] != '\0' && strlen(id) < TN_SESSION_DEVICE_ID_MAX;
    if (is_allowed && session->options.device_id[0] != '\0') {
        is_allowed = strcmp(id, session->options.device_id) == 0;
    }
    bool is_other =
        session->device_id[0] != '\0' && is_allowed && strcmp(id, session->device_id) != 0;
    if (!is_allowed || (is_other && (session->state == TN_SESSION_ACTIVE ||
                                     !bound_device_is_silent(session, now_steady_ns)))) {
        session->counters.wrong_device++;
        return TN_ERR_WRONG_DEVICE;
    }
    return TN_OK;
}

static bool is_new_source(const struct tn_session *session, const struct tn_session_frame *frame)
{
    return session->has_frame &&
           (session->is_new_writer || frame->stream_id != session->stream_id ||
            strcmp(frame->device_id, session->device_id) != 0);
}

// keeps order inside one stream; a stamp that goes back while the sequence goes on is a clock jump
static enum tn_result check_order(struct tn_session *session, const struct tn_session_frame *frame,
                                  int64_t now_steady_ns)
{
    if (!session->has_frame || is_new_source(session, frame)) {
        return TN_OK;
    }
    if (frame->sequence == session->sequence || frame->stamp_ros_ns == session->stamp_ros_ns) {
        session->counters.repeated++;
        if (session->repeated_since_steady_ns == 0) {
            session->repeated_since_steady_ns = now_steady_ns;
        }
        return TN_ERR_REPEATED;
    }
    if (frame->sequence < session->sequence) {
        session->counters.reordered++;
        return TN_ERR_REORDERED;
    }
    // a clock that jumped back costs a hold: what comes next must prove itself like after a gap
    if (frame->stamp_ros_ns < session->stamp_ros_ns) {
        session->counters.clock_jumps++;
        session->fresh_run = 0;
        apply(session, TN_SESSION_EV_GAP, TN_SESSION_REASON_AGE);
    }
    return TN_OK;
}

static void adopt(struct tn_session *session, const struct tn_session_frame *frame)
{
    if (is_new_source(session, frame)) {
        session->fresh_run = 0;
        session->other_side_run = 0;
        session->implausible_run = 0;
        apply(session, TN_SESSION_EV_BACK_OTHER, TN_SESSION_REASON_IDENTITY);
        lose_arm(session);
    }
    session->has_frame = true;
    session->is_new_writer = false;
    session->stream_id = frame->stream_id;
    session->sequence = frame->sequence;
    session->stamp_ros_ns = frame->stamp_ros_ns;
    (void)snprintf(session->device_id, sizeof session->device_id, "%s", frame->device_id);
}

static enum tn_result refuse_implausible(struct tn_session *session)
{
    session->counters.implausible++;
    session->fresh_run = 0;
    if (++session->implausible_run >= session->options.rearm_frames) {
        session->implausible_run = 0;
        apply(session, TN_SESSION_EV_CHECK_FAILED, TN_SESSION_REASON_FRAME);
    }
    return TN_ERR_MALFORMED;
}

static enum tn_result check_age(struct tn_session *session, const struct tn_session_frame *frame)
{
    bool is_old = !frame->is_age_known || frame->is_late ||
                  frame->age_ns > session->options.max_sample_age_ns ||
                  frame->age_ns < -max_future_ns;
    if (is_old) {
        session->counters.stale++;
        session->fresh_run = 0;
        session->saw_old = true;
        return TN_ERR_STALE;
    }
    if (!frame->is_source_active) {
        session->counters.not_active++;
        session->fresh_run = 0;
        return TN_ERR_STATE;
    }
    return TN_OK;
}

static enum tn_result check_chirality(struct tn_session *session,
                                      const struct tn_session_frame *frame)
{
    session->other_side_run = frame->shows_other_side ? session->other_side_run + 1 : 0;
    if (session->other_side_run < TN_SESSION_OTHER_SIDE_FRAMES) {
        return TN_OK;
    }
    session->other_side_run = 0;
    session->fresh_run = 0;
    session->counters.wrong_side++;
    apply(session, TN_SESSION_EV_CHECK_FAILED, TN_SESSION_REASON_SIDE);
    return TN_ERR_WRONG_SIDE;
}

static void note_fresh(struct tn_session *session, const struct tn_session_frame *frame,
                       int64_t now_steady_ns)
{
    int64_t sample_ns = now_steady_ns - (frame->age_ns > 0 ? frame->age_ns : 0);
    session->counters.accepted++;
    session->last_sample_steady_ns = sample_ns;
    session->has_fresh = true;
    session->saw_old = false;
    session->repeated_since_steady_ns = 0;
    session->implausible_run = 0;
    if (session->fresh_run < UINT32_MAX) {
        session->fresh_run++;
    }
}

static void advance_link(struct tn_session *session)
{
    if (session->state == TN_SESSION_DISCONNECTED) {
        session->counters.reconnects++;
        apply(session, TN_SESSION_EV_REOPENED, TN_SESSION_REASON_NONE);
    }
    if (session->state == TN_SESSION_INIT) {
        apply(session, TN_SESSION_EV_SOURCE, TN_SESSION_REASON_ARM);
    }
    if (!is_checked(session)) {
        return;
    }
    if (session->state == TN_SESSION_STALE) {
        apply(session, TN_SESSION_EV_BACK_SAME, TN_SESSION_REASON_NONE);
    } else if (session->state == TN_SESSION_CALIBRATING && has_right_to_move(session)) {
        apply(session, TN_SESSION_EV_CHECKED, TN_SESSION_REASON_NONE);
    }
}

enum tn_result tn_session_frame(struct tn_session *session, const struct tn_session_frame *frame,
                                int64_t now_steady_ns)
{
    session->counters.frames++;
    bool was_flowing = session->was_flowing;
    advance_timeouts(session, now_steady_ns);
    if (frame->side != session->options.side) {
        session->counters.wrong_side++;
        return TN_ERR_WRONG_SIDE;
    }
    enum tn_result result = check_device(session, frame, now_steady_ns);
    if (result == TN_OK) {
        result = frame->is_plausible ? check_order(session, frame, now_steady_ns)
                                     : refuse_implausible(session);
    }
    if (result == TN_OK) {
        adopt(session, frame);
        result = check_age(session, frame);
    }
    if (result == TN_OK) {
        result = check_chirality(session, frame);
    }
    if (result == TN_OK) {
        note_fresh(session, frame, now_steady_ns);
        // the call that notices the end of the flow never begins it again
        if (!was_flowing || session->was_flowing) {
            advance_link(session);
        }
        result = tn_session_is_flowing(session) ? TN_OK : TN_ERR_STATE;
    }
    update_flow(session);
    return result;
}

// why targets do not flow although the link is fine
static enum tn_session_reason blocked_reason(const struct tn_session *session)
{
    if (session->arming == TN_SESSION_ESTOP) {
        return TN_SESSION_REASON_ESTOP;
    }
    if (session->state != TN_SESSION_ACTIVE) {
        return session->reason;
    }
    if (!session->enabled) {
        return TN_SESSION_REASON_ENABLE;
    }
    if (session->paused) {
        return TN_SESSION_REASON_PAUSE;
    }
    if (!has_right_to_move(session)) {
        return TN_SESSION_REASON_ARM;
    }
    return session->options.require_robot && !session->robot_ok ? TN_SESSION_REASON_ROBOT
                                                                : TN_SESSION_REASON_NONE;
}

static uint32_t pack_verdict(const struct tn_session *session)
{
    return (uint32_t)session->state | (uint32_t)session->arming << 3 |
           (uint32_t)tn_session_action(session) << 6 | (uint32_t)session->reason << 10 |
           (uint32_t)session->resuming << 16 | (uint32_t)session->enabled << 17 | UINT32_C(1) << 31;
}

bool tn_session_tick(struct tn_session *session, int64_t now_steady_ns)
{
    advance_timeouts(session, now_steady_ns);
    session->reason = blocked_reason(session);
    uint32_t verdict = pack_verdict(session);
    bool is_changed = verdict != session->published;
    session->published = verdict;
    return is_changed;
}

void tn_session_robot(struct tn_session *session, bool is_ok, int64_t sample_steady_ns)
{
    // a silence that ends here was a silence, also when no tick saw it
    if (!is_ok || (session->has_robot && sample_steady_ns - session->last_robot_steady_ns >
                                             session->options.robot_timeout_ns)) {
        session->robot_ok = false;
        update_flow(session);
    }
    session->has_robot = is_ok;
    if (is_ok) {
        session->last_robot_steady_ns = sample_steady_ns;
    }
}

void tn_session_new_writer(struct tn_session *session)
{
    session->is_new_writer = true;
}

void tn_session_source_lost(struct tn_session *session, int64_t now_steady_ns)
{
    advance_timeouts(session, now_steady_ns);
    session->fresh_run = 0;
    apply(session, TN_SESSION_EV_LOST, TN_SESSION_REASON_SOURCE_LOST);
    update_flow(session);
}

enum tn_result tn_session_arm(struct tn_session *session, int64_t now_steady_ns,
                              struct tn_error *err)
{
    advance_timeouts(session, now_steady_ns);
    if (session->state != TN_SESSION_CALIBRATING && session->state != TN_SESSION_ACTIVE) {
        return tn_error_set(
            err, TN_ERR_STATE,
            "cannot arm the %s hand: link is %s, fresh frames of the glove are needed",
            tn_side_name(session->options.side), tn_session_state_name(session->state));
    }
    if (!is_checked(session)) {
        return tn_error_set(
            err, TN_ERR_STATE, "cannot arm the %s hand: %u of %u fresh frames in order so far",
            tn_side_name(session->options.side), session->fresh_run, session->options.rearm_frames);
    }
    if (session->options.require_robot && !session->robot_ok) {
        return tn_error_set(
            err, TN_ERR_STATE,
            "cannot arm the %s hand: the robot's feedback is missing, old or UNKNOWN",
            tn_side_name(session->options.side));
    }
    session->arming = tn_session_arming_next(session->arming, TN_SESSION_ARM_REQUESTED);
    session->counters.arms++;
    advance_link(session);
    update_flow(session);
    return TN_OK;
}

void tn_session_disarm(struct tn_session *session)
{
    session->arming = tn_session_arming_next(session->arming, TN_SESSION_ARM_DISARMED);
    update_flow(session);
}

void tn_session_estop(struct tn_session *session)
{
    session->arming = tn_session_arming_next(session->arming, TN_SESSION_ARM_ESTOPPED);
    update_flow(session);
}

void tn_session_enable(struct tn_session *session, bool is_held)
{
    session->enabled = is_held || !session->options.require_enable;
    update_flow(session);
}

void tn_session_pause(struct tn_session *session, bool is_paused)
{
    session->paused = is_paused;
    update_flow(session);
}

void tn_session_resume_done(struct tn_session *session)
{
    session->resuming = false;
}
