// SPDX-License-Identifier: Apache-2.0
// what contact_glove_node says on `/diagnostics`: the link with its counters, each side's stream
#include "nodes/contact_glove__node.h"

// gloves, each with a line, on top of what is always there
#define VALUES_MAX (96 + TN_SIDES * TN_CONTACT_GLOVES_MAX)

static void run_link(void *context, struct tn_diag_status *status, int64_t now_steady_ns)
{
    const struct tn_node_contact_glove *node = context;
    struct tn_contact_stats stats;
    enum tn_contact_link_state link = tn_contact_client_link(node->client);
    (void)now_steady_ns;
    tn_contact_stats(node->client, &stats);
    tn_diag_summary(status,
                    link == TN_CONTACT_LINK_STREAMING ? TN_DIAG_OK
                    : link == TN_CONTACT_LINK_SILENT  ? TN_DIAG_STALE
                                                      : TN_DIAG_WARN,
                    "%s", tn_contact_link_name(link));
    tn_diag_add(status, "protocol", "%s", node->config.protocol);
    tn_diag_add(status, "divingstation", "%s:%u", node->config.ds_ip,
                (unsigned)node->config.ds_port_v1);
    tn_diag_add(status, "receive_port", "%u", (unsigned)node->config.receive_port);
    tn_diag_add(status, "source_port", "%u", (unsigned)tn_contact_client_source_port(node->client));
    tn_diag_add_count(status, "datagrams", stats.datagrams);
    tn_diag_add_count(status, "connects", stats.connects);
    tn_diag_add_count(status, "reconnects", stats.reconnects);
    tn_diag_add_count(status, "send_errors", stats.send_errors);
    tn_diag_add_count(status, "gloves_refused", stats.gloves_refused);
    tn_diag_add_count(status, "haptics_sent", stats.haptics_sent);
    tn_diag_add_count(status, "haptics_merged", stats.haptics_merged);
    for (unsigned i = 0; i < TN_CONTACT_REJECTS; i++) {
        enum tn_contact_reject_cause cause = (enum tn_contact_reject_cause)i;
        if (stats.rejects[i] > 0)
            tn_diag_add_count(status, tn_contact_reject_key(cause), stats.rejects[i]);
    }
}

// the link reconnects as a whole
static void follow_reconnects(struct tn_contact_glove_side *side)
{
    struct tn_contact_stats stats;
    tn_contact_stats(side->node->client, &stats);
    for (; side->reconnects < stats.reconnects; side->reconnects++)
        tn_stream_stats_reconnect(&side->stream.stats);
}

static void run_side(void *context, struct tn_diag_status *status, int64_t now_steady_ns)
{
    struct tn_contact_glove_side *side = context;
    struct tn_node_contact_glove *node = side->node;
    const struct tn_contact_gloves *gloves = tn_contact_client_gloves(node->client);
    unsigned s = tn_side_index(side->side);
    follow_reconnects(side);
    tn_diag_stream_run(&side->stream, status, now_steady_ns);
    tn_diag_add(status, "ergonomics_hz", "%.1f", tn_rate_hz(&side->rate, now_steady_ns));
    if (side->receive_steady_ns != 0)
        tn_diag_add(status, "age_s", "%.3f",
                    tn_ns_to_seconds(tn_ns_sub(now_steady_ns, side->receive_steady_ns)));
    tn_diag_add(status, "joint_states_glove", "%s", side->choice.id);
    tn_diag_add_count(status, "haptics_dropped", side->haptics_dropped);
    for (uint32_t i = 0; i < gloves->n[s]; i++) {
        const struct tn_contact_glove *glove = &gloves->gloves[s][i];
        tn_diag_add(status, glove->id, "%s, battery %d %%, %s",
                    glove->is_connected ? "connected" : "disconnected", (int)glove->battery,
                    glove->name);
    }
}

enum tn_result tn_contact_glove__diagnostics_start(struct tn_node_contact_glove *node,
                                                   struct tn_error *err)
{
    const struct tn_diag_options options = {
        .params = &node->config.diagnostics, .max_tasks = 3, .max_values = VALUES_MAX};
    enum tn_result result = tn_diag_updater_create(node->ros, &options, &node->diagnostics, err);
    if (result != TN_OK)
        return result;
    tn_diag_updater_set_hardware_id(node->diagnostics, "none");
    result = tn_diag_updater_add(node->diagnostics, "DivingStation", run_link, node, err);
    for (unsigned s = 0; result == TN_OK && s < TN_SIDES; s++) {
        struct tn_contact_glove_side *side = &node->sides[s];
        side->stream.limits = tn_diag_stream_limits_default();
        side->stream.limits.stale_ns = tn_seconds_to_ns(node->config.stale_timeout_s);
        // a glove that is switched off is no fault of the driver
        side->stream.limits.stale = TN_DIAG_STALE;
        side->stream.limits.lost_ns = 0;
        side->stream.stamp_kind = "arrival";
        result =
            tn_diag_updater_add(node->diagnostics, tn_side_name(side->side), run_side, side, err);
    }
    return result;
}
