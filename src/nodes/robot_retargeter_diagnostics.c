// SPDX-License-Identifier: Apache-2.0
// what robot_retargeter says on `/diagnostics`: the session, the frames and the feedback it gets
#include "nodes/robot_retargeter__node.h"

static enum tn_diag_level level_of(const struct tn_session *session)
{
    if (session->arming == TN_SESSION_ESTOP) {
        return TN_DIAG_ERROR;
    }
    switch (session->state) {
    case TN_SESSION_INIT:
        return TN_DIAG_STALE;
    case TN_SESSION_ACTIVE:
        return session->arming == TN_SESSION_LATCHED ? TN_DIAG_WARN : TN_DIAG_OK;
    case TN_SESSION_CALIBRATING:
    case TN_SESSION_STALE:
        return TN_DIAG_WARN;
    case TN_SESSION_DISCONNECTED:
    case TN_SESSION_STATES:
        break;
    }
    return TN_DIAG_ERROR;
}

static const char *arming_word(enum tn_session_arming arming)
{
    static const char *const words[] = {"disarmed", "armed", "latched", "e-stop"};
    return (size_t)arming < TN_ARRAY_SIZE(words) ? words[arming] : "?";
}

static void run_session(void *context, struct tn_diag_status *status, int64_t now_steady_ns)
{
    const struct tn_robot_retargeter_side *side = context;
    const struct tn_session *session = &side->session;
    const struct tn_session_counters *c = &session->counters;
    const struct {
        const char *key;
        uint64_t count;
    } rows[] = {
        {"frames", c->frames},
        {"accepted", c->accepted},
        {"rejected_stale", c->stale},
        {"rejected_repeated", c->repeated},
        {"rejected_reordered", c->reordered},
        {"rejected_side", c->wrong_side},
        {"rejected_device", c->wrong_device},
        {"rejected_implausible", c->implausible},
        {"rejected_not_active", c->not_active},
        {"rejected_other_writer", side->hand_writer.refused},
        {"clock_jumps", c->clock_jumps},
        {"transitions", c->transitions},
        {"arms", c->arms},
        {"reconnects", c->reconnects},
        {"approaches", c->approaches},
    };
    tn_diag_set_hardware_id(status, session->device_id);
    tn_diag_summary(status, level_of(session), "%s, %s", tn_session_state_name(session->state),
                    arming_word(session->arming));
    tn_diag_add(status, "state", "%s", tn_session_state_name(session->state));
    tn_diag_add(status, "arming", "%s", arming_word(session->arming));
    tn_diag_add(status, "reason", "%s", tn_session_reason_word(session->reason));
    tn_diag_add_bool(status, "moving", tn_session_is_flowing(session));
    tn_diag_add_bool(status, "resuming", session->resuming);
    if (session->has_fresh) {
        int64_t age_ns = tn_ns_sub(now_steady_ns, session->last_sample_steady_ns);
        tn_diag_add(status, "age_ms", "%.3f", (double)age_ns / (double)TN_NS_PER_MS);
    }
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        tn_diag_add_count(status, rows[i].key, rows[i].count);
    }
}

void tn_robot_retargeter__count(struct tn_robot_retargeter_side *side,
                                const struct tn_hand_frame *frame, int64_t now_steady_ns)
{
    struct tn_stream_stats *stats = &side->frames.stats;
    if (stats->has_sample && frame->stream_id != side->counted_stream_id) {
        tn_stream_stats_reconnect(stats);
    }
    side->counted_stream_id = frame->stream_id;
    if (tn_stream_stats_number(stats, frame->sequence, now_steady_ns) != TN_STREAM_NEW) {
        return;
    }
    tn_stream_stats_add(stats, now_steady_ns);
    if (side->is_last_age_known) {
        tn_stream_stats_age(stats, side->last_frame_age_ns, now_steady_ns);
    }
}

static void set_limits(struct tn_robot_retargeter_side *side)
{
    const struct tn_robot_retargeter_config *config = &side->node->config;
    side->frames.limits = tn_diag_stream_limits_default();
    side->frames.limits.stale_ns = tn_seconds_to_ns(config->stale_timeout_s);
    side->frames.limits.lost_ns = tn_seconds_to_ns(config->disconnect_timeout_s);
    side->frames.limits.age_error_ns = tn_seconds_to_ns(config->max_sample_age_s);
    side->frames.limits.age_warn_ns = side->frames.limits.age_error_ns / 2;
    side->frames.stamp_kind = "sample";
    side->frames.is_numbered = true;
    side->robot.limits = tn_diag_stream_limits_default();
    side->robot.limits.stale_ns = tn_seconds_to_ns(config->robot_timeout_s);
    side->robot.limits.lost_ns = 2 * side->robot.limits.stale_ns;
    side->robot.stamp_kind = "sample";
}

static enum tn_result start_side(struct tn_robot_retargeter_side *side, struct tn_error *err)
{
    const struct {
        const char *what;
        tn_diag_fn run;
        void *context;
    } tasks[] = {{"session", run_session, side},
                 {"hand frames", tn_diag_stream_run, &side->frames},
                 {"robot feedback", tn_diag_stream_run, &side->robot}};
    enum tn_result result = TN_OK;
    set_limits(side);
    for (size_t i = 0; result == TN_OK && i < TN_ARRAY_SIZE(tasks); i++) {
        char name[TN_DIAG_TASK_NAME_MAX];
        (void)snprintf(name, sizeof name, "%s %s", tn_side_name(side->side), tasks[i].what);
        result =
            tn_diag_updater_add(side->node->diagnostics, name, tasks[i].run, tasks[i].context, err);
    }
    return result;
}

enum tn_result tn_robot_retargeter__start_diagnostics(struct tn_node_robot_retargeter *node,
                                                      struct tn_error *err)
{
    const struct tn_diag_options options = {.params = &node->config.diagnostics};
    enum tn_result result = tn_diag_updater_create(node->ros, &options, &node->diagnostics, err);
    if (result == TN_OK) {
        tn_diag_updater_set_hardware_id(node->diagnostics, "none");
    }
    for (unsigned i = 0; result == TN_OK && i < TN_SIDES; i++) {
        if (node->sides[i].is_used) {
            result = start_side(&node->sides[i], err);
        }
    }
    return result;
}
