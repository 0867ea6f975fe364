// SPDX-License-Identifier: Apache-2.0
// haptics_body in, one datagram out; nothing is dropped without a word.
#include <stdio.h>

#include "nodes/contact_glove__node.h"

#define HAPTICS_DEPTH 10

static void drop(struct tn_contact_glove_side *side, const char *id, enum tn_result why)
{
    struct tn_node_contact_glove *node = side->node;
    char known[256];
    uint32_t more = 0;
    side->haptics_dropped++;
    if (!tn_log_throttle_pass(&side->haptics_log, tn_loop_now_steady_ns(node->loop), TN_NS_PER_S,
                              &more))
        return;
    const char *reason = tn_result_text(why);
    if (why == TN_ERR_NOT_FOUND)
        reason = id[0] != '\0' ? "no glove has this id" : "no glove is connected";
    else if (why == TN_ERR_INVALID_ARGUMENT)
        reason = "several gloves are connected, the id must be set";
    else if (why == TN_ERR_STATE)
        reason = "the glove is not connected";
    TN_WARN(node->logger,
            "%s/haptics_body for glove \"%s\" dropped: %s; known: %s; %u more dropped",
            tn_side_name(side->side), id, reason,
            tn_contact_gloves_list(tn_contact_client_gloves(node->client), side->side, known,
                                   sizeof known),
            (unsigned)more);
}

static void check_side(struct tn_contact_glove_side *side, bool is_left)
{
    bool is_ours = is_left == (side->side == TN_SIDE_LEFT);
    if (!is_ours && tn_log_throttle_pass(&side->side_log, tn_loop_now_steady_ns(side->node->loop),
                                         TN_NS_PER_S, NULL))
        TN_WARN(side->node->logger,
                "%s/haptics_body has is_left %s; the topic's side is taken, set is_left to match",
                tn_side_name(side->side), is_left ? "true" : "false");
}

static void warn_merged(struct tn_node_contact_glove *node, uint64_t merged_before)
{
    struct tn_contact_stats stats;
    tn_contact_stats(node->client, &stats);
    if (stats.haptics_merged == merged_before ||
        !tn_log_throttle_pass(&node->merged_log, tn_loop_now_steady_ns(node->loop), TN_NS_PER_S,
                              NULL))
        return;
    TN_WARN(
        node->logger,
        "haptics_body comes faster than haptics_max_rate %.1f Hz: the newest command replaces a "
        "waiting one, %llu so far",
        node->config.haptics_max_rate_hz, (unsigned long long)stats.haptics_merged);
}

static void on_haptics_body(void *context, const void *message,
                            const struct tn_ros_message_info *info)
{
    struct tn_contact_glove_side *side = context;
    const struct contact_glove_msgs_msg_HapticsBody *msg = message;
    char id[TN_CONTACT_ID_MAX];
    struct tn_contact_vibration vibration;
    struct tn_contact_stats stats;
    (void)info;
    check_side(side, msg->is_left);
    enum tn_result result = tn_convert_haptics_body(msg, id, &vibration);
    if (result != TN_OK) {
        drop(side, id, TN_ERR_NOT_FOUND);
        return;
    }
    tn_contact_stats(side->node->client, &stats);
    result = tn_contact_send_haptics_body(side->node->client, id, side->side == TN_SIDE_LEFT,
                                          &vibration);
    if (result != TN_OK)
        drop(side, id, result);
    warn_merged(side->node, stats.haptics_merged);
}

enum tn_result tn_contact_glove__haptics_start(struct tn_contact_glove_side *side,
                                               struct tn_error *err)
{
    char topic[64];
    (void)snprintf(topic, sizeof topic, "%s/haptics_body", tn_side_name(side->side));
    return tn_ros_subscription_create(side->node->ros, &contact_glove_msgs_msg_HapticsBody_type,
                                      topic, tn_ros_qos_default(HAPTICS_DEPTH), on_haptics_body,
                                      side, &side->haptics_body, err);
}
