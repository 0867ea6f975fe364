// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>

#include "nodes/convert/time.h"
#include "nodes/hand_model_adapter__node.h"

enum { MAX_VALUES = 24, VALUE_SIZE = 32 };

// one status with room for the texts of its values
struct status {
    struct diagnostic_msgs_msg_DiagnosticStatus msg;
    struct diagnostic_msgs_msg_KeyValue values[MAX_VALUES];
    char texts[MAX_VALUES][VALUE_SIZE];
    char name[64];
};

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

static uint8_t level_of(enum tn_link_state link)
{
    switch (link) {
    case TN_LINK_ACTIVE:
        return diagnostic_msgs_msg_DiagnosticStatus_OK;
    case TN_LINK_INIT:
        return diagnostic_msgs_msg_DiagnosticStatus_STALE;
    case TN_LINK_DISCONNECTED:
        return diagnostic_msgs_msg_DiagnosticStatus_ERROR;
    case TN_LINK_CALIBRATING:
    case TN_LINK_STALE:
        return diagnostic_msgs_msg_DiagnosticStatus_WARN;
    }
    return diagnostic_msgs_msg_DiagnosticStatus_ERROR;
}

static void add(struct status *status, const char *key, struct tn_str value)
{
    uint32_t n = status->msg.values.size;
    if (n < MAX_VALUES) {
        status->values[n] = (struct diagnostic_msgs_msg_KeyValue){tn_str_from(key), value};
        status->msg.values.size = n + 1;
    }
}

static void add_count(struct status *status, const char *key, uint64_t count)
{
    uint32_t n = status->msg.values.size;
    if (n < MAX_VALUES) {
        snprintf(status->texts[n], VALUE_SIZE, "%" PRIu64, count);
        add(status, key, tn_str_from(status->texts[n]));
    }
}

static void fill(struct tn_hand_model_adapter_side *side, enum tn_link_state link,
                 int64_t elapsed_ns, struct status *status)
{
    const struct tn_hand_stream_counters *c = &side->stream.counters;
    const struct tn_hand_model_adapter_drops *d = &side->drops;
    snprintf(status->name, sizeof status->name, "hand_model_adapter: %s hand",
             tn_side_name(side->side));
    diagnostic_msgs_msg_DiagnosticStatus_init(&status->msg);
    status->msg.level = level_of(link);
    status->msg.name = tn_str_from(status->name);
    status->msg.message = tn_str_from(link_name(link));
    status->msg.hardware_id = tn_str_from(side->stream.device_id);
    status->msg.values.data = status->values;
    double rate_hz = (double)(c->accepted - side->reported_frames) / tn_ns_to_seconds(elapsed_ns);
    side->reported_frames = c->accepted;
    snprintf(status->texts[0], VALUE_SIZE, "%.1f", rate_hz);
    add(status, "Actual frequency (Hz)", tn_str_from(status->texts[0]));
    add_count(status, "age_ms", (uint64_t)side->frame.age_ns / (uint64_t)TN_NS_PER_MS);
    add_count(status, "stream_id", side->stream.stream_id);
    add_count(status, "streams", c->streams);
    add_count(status, "distinct", c->accepted);
    add_count(status, "missing", c->missed);
    add_count(status, "repeated", c->repeated);
    add_count(status, "reordered", c->reordered);
    add_count(status, "rejected_late", d->late);
    add_count(status, "rejected_not_tracked", d->not_tracked);
    add_count(status, "rejected_side", d->wrong_side);
    add_count(status, "rejected_not_finite", d->not_finite);
    add_count(status, "rejected_range", d->out_of_range);
    add_count(status, "rejected_id", d->bad_id + c->bad_identity);
    add_count(status, "rejected_other_device", c->other_device);
    add_count(status, "rejected_disconnected", c->disconnected_device);
    add_count(status, "rejected_other_writer", c->other_writer);
    add_count(status, "age_unknown", c->age_unknown);
    add_count(status, "age_stale", c->age_stale);
    add_count(status, "negative_ages", c->age_negative);
    add_count(status, "rejected_no_clock", d->no_clock);
    add_count(status, "unsent", d->unsent);
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

void tn_hand_model_adapter__report(void *any)
{
    struct tn_node_hand_model_adapter *node = any;
    int64_t now_steady_ns = tn_loop_now_steady_ns(node->loop);
    int64_t elapsed_ns = tn_ns_sub(now_steady_ns, node->last_report_steady_ns);
    struct status statuses[TN_SIDES];
    struct diagnostic_msgs_msg_DiagnosticStatus list[TN_SIDES];
    uint32_t n = 0;
    if (elapsed_ns <= 0) {
        return;
    }
    node->last_report_steady_ns = now_steady_ns;
    for (size_t i = 0; i < TN_SIDES; i++) {
        struct tn_hand_model_adapter_side *side = &node->sides[i];
        if (side->is_used) {
            enum tn_link_state link = link_of(side, now_steady_ns);
            log_link(side, link);
            fill(side, link, elapsed_ns, &statuses[n]);
            list[n] = statuses[n].msg;
            n++;
        }
    }
    struct diagnostic_msgs_msg_DiagnosticArray msg;
    diagnostic_msgs_msg_DiagnosticArray_init(&msg);
    msg.header.stamp = tn_convert_to_time(tn_ros_node_now_ros_ns(node->ros));
    msg.status.data = list;
    msg.status.size = n;
    // diagnostics are no keep-alive: a failed send is the next one's business
    (void)tn_ros_publish(node->diagnostics, &msg);
}
