// SPDX-License-Identifier: Apache-2.0
// what hand_model_adapter says on `/diagnostics`, and its link to the log
#include <stdio.h>

#include "nodes/hand_model_adapter__node.h"

// of one side, with room for more
enum { VALUES_MAX = 64 };

static const char *link_name(enum tn_link_state link)
{
    static const char *const names[] = {"init", "calibrating", "active", "stale", "disconnected"};
    return (size_t)link < TN_ARRAY_SIZE(names) ? names[link] : "?";
}

// silence is seen by the stream, an unknown or high age by its newest frame
static enum tn_link_state link_of(const struct tn_hand_model_adapter_side *side,
                                  int64_t now_steady_ns)
{
    enum tn_link_state link = tn_hand_stream_link(&side->stream, now_steady_ns);
    return link == TN_LINK_ACTIVE ? side->frame.link : link;
}

static enum tn_diag_level level_of(enum tn_link_state link)
{
    switch (link) {
    case TN_LINK_ACTIVE:
        return TN_DIAG_OK;
    case TN_LINK_INIT:
        return TN_DIAG_STALE;
    case TN_LINK_DISCONNECTED:
        return TN_DIAG_ERROR;
    case TN_LINK_CALIBRATING:
    case TN_LINK_STALE:
        return TN_DIAG_WARN;
    }
    return TN_DIAG_ERROR;
}

static void log_link(struct tn_hand_model_adapter_side *side, enum tn_link_state link)
{
    if (link == side->logged_link) {
        return;
    }
    TN_INFO(tn_ros_node_logger(side->node->ros), "%s hand: %s (was %s), glove '%s'",
            tn_side_name(side->side), link_name(link), link_name(side->logged_link),
            side->stream.device_id);
    side->logged_link = link;
}

static void add_rejects(const struct tn_hand_model_adapter_side *side,
                        struct tn_diag_status *status)
{
    const struct tn_hand_stream_counters *c = &side->stream.counters;
    const struct tn_hand_model_adapter_drops *d = &side->drops;
    tn_diag_add_count(status, "stream_id", side->stream.stream_id);
    tn_diag_add_count(status, "streams", c->streams);
    tn_diag_add_count(status, "rejected_late", d->late);
    tn_diag_add_count(status, "rejected_not_tracked", d->not_tracked);
    tn_diag_add_count(status, "rejected_side", d->wrong_side);
    tn_diag_add_count(status, "rejected_not_finite", d->not_finite);
    tn_diag_add_count(status, "rejected_range", d->out_of_range);
    tn_diag_add_count(status, "rejected_id", d->bad_id + c->bad_identity);
    tn_diag_add_count(status, "rejected_other_device", c->other_device);
    tn_diag_add_count(status, "rejected_disconnected", c->disconnected_device);
    tn_diag_add_count(status, "rejected_other_writer", c->other_writer);
    tn_diag_add_count(status, "age_unknown", c->age_unknown);
    tn_diag_add_count(status, "age_stale", c->age_stale);
    tn_diag_add_count(status, "rejected_no_clock", d->no_clock);
    tn_diag_add_count(status, "unsent", d->unsent);
}

static void run_side(void *context, struct tn_diag_status *status, int64_t now_steady_ns)
{
    struct tn_hand_model_adapter_side *side = context;
    enum tn_link_state link = link_of(side, now_steady_ns);
    log_link(side, link);
    tn_diag_set_hardware_id(status, side->stream.device_id);
    tn_diag_stream_run(&side->report, status, now_steady_ns);
    // a link that is not active says it all; one that is may be a poor one
    if (link != TN_LINK_ACTIVE || tn_diag_level(status) == TN_DIAG_OK) {
        tn_diag_summary(status, level_of(link), "%s", link_name(link));
    }
    add_rejects(side, status);
}

// the stream judged it: what its counters gained
void tn_hand_model_adapter__count(struct tn_hand_model_adapter_side *side,
                                  const struct tn_hand_sample *sample, int64_t now_steady_ns)
{
    const struct tn_hand_stream_counters *c = &side->stream.counters;
    const struct tn_hand_stream_counters *known = &side->reported;
    struct tn_stream_stats *stats = &side->report.stats;
    if (c->streams > known->streams && known->streams > 0) {
        tn_stream_stats_reconnect(stats);
    }
    if (c->repeated > known->repeated) {
        tn_stream_stats_repeated(stats);
    }
    if (c->reordered > known->reordered) {
        tn_stream_stats_reordered(stats);
    }
    if (c->accepted > known->accepted) {
        tn_stream_stats_missing(stats, c->missed - known->missed, now_steady_ns);
        tn_stream_stats_add(stats, now_steady_ns);
        // the stream takes what is a little ahead of its clock for new
        bool is_future = sample->age_ns < -TN_HAND_STREAM_FUTURE_NS;
        if (sample->is_age_known) {
            tn_stream_stats_age(stats, sample->age_ns > 0 || is_future ? sample->age_ns : 0,
                                now_steady_ns);
        }
    }
    side->reported = *c;
}

static enum tn_result start_side(struct tn_hand_model_adapter_side *side, struct tn_error *err)
{
    const struct tn_hand_model_adapter_config *config = &side->node->config;
    char name[TN_DIAG_TASK_NAME_MAX];
    side->report.limits = tn_diag_stream_limits_default();
    side->report.limits.target_hz = config->nominal_rate_hz;
    side->report.stamp_kind = config->stamp_kind;
    side->report.is_numbered = true;
    (void)snprintf(name, sizeof name, "%s hand", tn_side_name(side->side));
    return tn_diag_updater_add(side->node->diagnostics, name, run_side, side, err);
}

enum tn_result tn_hand_model_adapter__report_start(struct tn_node_hand_model_adapter *node,
                                                   struct tn_error *err)
{
    const struct tn_diag_options options = {.params = &node->config.diagnostics,
                                            .max_tasks = TN_SIDES,
                                            .max_values = TN_SIDES * VALUES_MAX};
    enum tn_result result = tn_diag_updater_create(node->ros, &options, &node->diagnostics, err);
    if (result == TN_OK) {
        // the ids are the gloves', one per status
        tn_diag_updater_set_hardware_id(node->diagnostics, "none");
    }
    for (unsigned i = 0; result == TN_OK && i < TN_SIDES; i++) {
        if (node->sides[i].is_used) {
            result = start_side(&node->sides[i], err);
        }
    }
    return result;
}
