// SPDX-License-Identifier: Apache-2.0
// `/diagnostics` at 1 Hz: the link with its counters, and each side's stream.
#include <stdarg.h>
#include <stdio.h>

#include "nodes/contact_glove__node.h"
#include "nodes/convert/time.h"

#define PERIOD_NS         TN_NS_PER_S
#define DIAGNOSTICS_DEPTH 10

/// Appends one key with a formatted value; what does not fit is left out.
static void add(struct tn_contact_glove_diagnostics *diagnostics, unsigned s, const char *key,
                const char *format, ...) TN_PRINTF(4, 5);

static void add(struct tn_contact_glove_diagnostics *diagnostics, unsigned s, const char *key,
                const char *format, ...)
{
    struct diagnostic_msgs_msg_DiagnosticStatus *status = &diagnostics->statuses[s];
    uint32_t i = status->values.size;
    if (i == TN_CONTACT_GLOVE_VALUES)
        return;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(diagnostics->texts[s][i], sizeof diagnostics->texts[s][i], format, args);
    va_end(args);
    diagnostics->values[s][i].key = tn_str_from(key);
    diagnostics->values[s][i].value = tn_str_from(diagnostics->texts[s][i]);
    status->values.size = i + 1;
}

static void begin(struct tn_node_contact_glove *node, unsigned s, const char *task, uint8_t level,
                  const char *message)
{
    struct tn_contact_glove_diagnostics *diagnostics = &node->diagnostics;
    struct diagnostic_msgs_msg_DiagnosticStatus *status = &diagnostics->statuses[s];
    diagnostic_msgs_msg_DiagnosticStatus_init(status);
    (void)snprintf(diagnostics->names[s], sizeof diagnostics->names[s], "%s: %s",
                   tn_ros_node_fqn(node->ros) + 1, task);
    status->name = tn_str_from(diagnostics->names[s]);
    status->message = tn_str_from(message);
    status->level = level;
    status->values.data = diagnostics->values[s];
}

static void add_link(struct tn_node_contact_glove *node)
{
    struct tn_contact_glove_diagnostics *diagnostics = &node->diagnostics;
    struct tn_contact_stats stats;
    enum tn_contact_link_state link = tn_contact_client_link(node->client);
    tn_contact_stats(node->client, &stats);
    uint8_t level =
        link == TN_CONTACT_LINK_STREAMING
            ? diagnostic_msgs_msg_DiagnosticStatus_OK
            : (link == TN_CONTACT_LINK_SILENT ? diagnostic_msgs_msg_DiagnosticStatus_STALE
                                              : diagnostic_msgs_msg_DiagnosticStatus_WARN);
    begin(node, 0, "DivingStation", level, tn_contact_link_name(link));
    add(diagnostics, 0, "protocol", "%s", node->config.protocol);
    add(diagnostics, 0, "divingstation", "%s:%u", node->config.ds_ip,
        (unsigned)node->config.ds_port_v1);
    add(diagnostics, 0, "receive_port", "%u", (unsigned)node->config.receive_port);
    add(diagnostics, 0, "source_port", "%u", (unsigned)tn_contact_client_source_port(node->client));
    add(diagnostics, 0, "datagrams", "%llu", (unsigned long long)stats.datagrams);
    add(diagnostics, 0, "connects", "%llu", (unsigned long long)stats.connects);
    add(diagnostics, 0, "reconnects", "%llu", (unsigned long long)stats.reconnects);
    add(diagnostics, 0, "send_errors", "%llu", (unsigned long long)stats.send_errors);
    add(diagnostics, 0, "gloves_refused", "%llu", (unsigned long long)stats.gloves_refused);
    add(diagnostics, 0, "haptics_sent", "%llu", (unsigned long long)stats.haptics_sent);
    add(diagnostics, 0, "haptics_merged", "%llu", (unsigned long long)stats.haptics_merged);
    for (unsigned i = 0; i < TN_CONTACT_REJECTS; i++) {
        enum tn_contact_reject_cause cause = (enum tn_contact_reject_cause)i;
        if (stats.rejects[i] > 0)
            add(diagnostics, 0, tn_contact_reject_key(cause), "%llu",
                (unsigned long long)stats.rejects[i]);
    }
}

static void add_side(struct tn_contact_glove_side *side)
{
    struct tn_node_contact_glove *node = side->node;
    struct tn_contact_glove_diagnostics *diagnostics = &node->diagnostics;
    const struct tn_contact_gloves *gloves = tn_contact_client_gloves(node->client);
    unsigned s = tn_side_index(side->side);
    int64_t now = tn_loop_now_steady_ns(node->loop);
    double age_s = tn_ns_to_seconds(tn_ns_sub(now, side->receive_steady_ns));
    bool has_data = side->receive_steady_ns != 0;
    bool is_stale = !has_data || age_s > node->config.stale_timeout_s;
    begin(node, 1 + s, tn_side_name(side->side),
          is_stale ? diagnostic_msgs_msg_DiagnosticStatus_STALE
                   : diagnostic_msgs_msg_DiagnosticStatus_OK,
          has_data ? (is_stale ? "no fresh data" : "data arrives") : "no data yet");
    add(diagnostics, 1 + s, "ergonomics_hz", "%.1f", tn_rate_hz(&side->rate, now));
    if (has_data)
        add(diagnostics, 1 + s, "age_s", "%.3f", age_s);
    add(diagnostics, 1 + s, "joint_states_glove", "%s", side->choice.id);
    add(diagnostics, 1 + s, "haptics_dropped", "%llu", (unsigned long long)side->haptics_dropped);
    for (uint32_t i = 0; i < gloves->n[s]; i++) {
        const struct tn_contact_glove *glove = &gloves->gloves[s][i];
        add(diagnostics, 1 + s, glove->id, "%s, battery %d %%, %s",
            glove->is_connected ? "connected" : "disconnected", (int)glove->battery, glove->name);
    }
}

static void publish(void *context)
{
    struct tn_node_contact_glove *node = context;
    struct diagnostic_msgs_msg_DiagnosticArray msg;
    diagnostic_msgs_msg_DiagnosticArray_init(&msg);
    msg.header.stamp = tn_convert_to_time(tn_ros_node_now_ros_ns(node->ros));
    add_link(node);
    add_side(&node->sides[0]);
    add_side(&node->sides[1]);
    msg.status.data = node->diagnostics.statuses;
    msg.status.size = TN_CONTACT_GLOVE_STATUSES;
    (void)tn_ros_publish(node->diagnostics.publisher, &msg);
}

enum tn_result tn_contact_glove__diagnostics_start(struct tn_node_contact_glove *node,
                                                   struct tn_error *err)
{
    enum tn_result result = tn_ros_publisher_create(
        node->ros, &diagnostic_msgs_msg_DiagnosticArray_type, "/diagnostics",
        tn_ros_qos_default(DIAGNOSTICS_DEPTH), &node->diagnostics.publisher, err);
    if (result == TN_OK)
        tn_loop_timer_start(node->loop, &node->diagnostics.timer, PERIOD_NS, PERIOD_NS, publish,
                            node);
    return result;
}
