// SPDX-License-Identifier: Apache-2.0
#include "nodes/contact_glove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodes/contact_glove__node.h"

#define IGNORED_LOG_NS    (10 * TN_NS_PER_S)
#define JOINT_STATE_DEPTH 10
#define NS_PER_MS_U       UINT64_C(1000000)

// ---- headers ----

static const char *frame_of(struct tn_node_contact_glove *node,
                            const struct tn_contact_glove *glove)
{
    unsigned s = glove->side == TN_SIDE_RIGHT ? 1 : 0;
    if (strcmp(node->frames[s].glove, glove->id) != 0) {
        char ns[TN_ROS_PARAM_STRING_MAX];
        (void)snprintf(node->frames[s].id, sizeof node->frames[s].id, "ds2/%s/%s/wrist",
                       tn_contact_glove__frame_namespace(&node->config, ns), glove->id);
        memcpy(node->frames[s].glove, glove->id, sizeof node->frames[s].glove);
    }
    return node->frames[s].id;
}

static struct tn_convert_head head_of(struct tn_node_contact_glove *node,
                                      const struct tn_contact_glove *glove)
{
    return (struct tn_convert_head){.stamp_ros_ns = tn_ros_node_now_ros_ns(node->ros),
                                    .frame_id = frame_of(node, glove)};
}

static struct tn_contact_glove_side *side_of(struct tn_node_contact_glove *node, bool is_left)
{
    return &node->sides[tn_side_index(is_left ? TN_SIDE_LEFT : TN_SIDE_RIGHT)];
}

// ---- what the client tells ----

/// All known gloves again, each on its own side, so that a late joiner finds every one.
static void on_gloves(void *context, const struct tn_contact_gloves *gloves)
{
    struct tn_node_contact_glove *node = context;
    struct contact_glove_msgs_msg_GloveData msg;
    for (unsigned s = 0; s < TN_SIDES; s++) {
        for (uint32_t i = 0; i < gloves->n[s]; i++) {
            const struct tn_contact_glove *glove = &gloves->gloves[s][i];
            if (!glove->is_announced)
                continue;
            struct tn_convert_head head = head_of(node, glove);
            tn_convert_glove_data(&head, glove, &msg);
            (void)tn_ros_publish(node->sides[s].glove_data, &msg);
        }
    }
}

static void trace(struct tn_node_contact_glove *node, const struct tn_contact_origin *origin,
                  enum tn_side side)
{
    struct tn_clock clock = tn_loop_clock(node->loop);
    struct tn_trace_record record = {
        .stamp_ros_ns = (int64_t)(origin->generated_at_ms * NS_PER_MS_U),
        .steady_ns = origin->receive_steady_ns,
        .stage = TN_TRACE_RECEIVED,
        .side = (uint8_t)side,
    };
    if (node->trace == NULL)
        return;
    tn_trace_append(node->trace, &record);
    record.stage = TN_TRACE_DRIVER;
    record.steady_ns = clock.steady_ns(clock.context);
    tn_trace_append(node->trace, &record);
}

static void log_choice(struct tn_contact_glove_side *side, const struct tn_contact_glove *sender,
                       const char *wanted, bool is_new)
{
    const struct tn_logger *logger = side->node->logger;
    if (is_new)
        TN_INFO(logger, "%s/joint_states shows glove %s", tn_side_name(side->side),
                side->choice.id);
    else if (wanted[0] != '\0' && strcmp(wanted, sender->id) != 0 &&
             tn_log_throttle_pass(&side->ignored_log, tn_loop_now_steady_ns(side->node->loop),
                                  IGNORED_LOG_NS, NULL))
        TN_WARN(logger, "%s/joint_states leaves out glove %s: %s_joint_state_glove_id is %s",
                tn_side_name(side->side), sender->id, tn_side_name(side->side), wanted);
}

static void publish_joint_state(struct tn_contact_glove_side *side,
                                const struct tn_contact_origin *origin,
                                const struct tn_contact_ergonomics *ergonomics,
                                int64_t stamp_ros_ns)
{
    struct tn_node_contact_glove *node = side->node;
    const char *wanted = node->config.joint_state_glove_id[tn_side_index(side->side)];
    struct sensor_msgs_msg_JointState msg;
    struct tn_contact_choice before = side->choice;
    bool is_chosen = tn_contact_choice_takes(&side->choice, tn_contact_client_gloves(node->client),
                                             wanted, origin->glove);
    log_choice(side, origin->glove, wanted, strcmp(before.id, side->choice.id) != 0);
    bool is_held_back =
        node->config.joint_states_tracked_only && ergonomics->tracking_state != TN_CONTACT_TRACKED;
    if (!is_chosen || is_held_back)
        return;
    const struct tn_convert_head head = {.stamp_ros_ns = stamp_ros_ns, .frame_id = ""};
    tn_convert_joint_state(&head, ergonomics, &side->joints, &msg);
    (void)tn_ros_publish(side->joint_states, &msg);
}

static void on_ergonomics(void *context, const struct tn_contact_origin *origin,
                          const struct tn_contact_ergonomics *ergonomics)
{
    struct tn_node_contact_glove *node = context;
    struct tn_contact_glove_side *side = side_of(node, ergonomics->is_left);
    struct contact_glove_msgs_msg_Ergonomics msg;
    struct tn_convert_head head = head_of(node, origin->glove);
    tn_convert_ergonomics(&head, origin, ergonomics, &msg);
    (void)tn_ros_publish(side->ergonomics, &msg);
    trace(node, origin, side->side);
    tn_rate_add(&side->rate, tn_loop_now_steady_ns(node->loop));
    side->receive_steady_ns = origin->receive_steady_ns;
    tn_stream_stats_add(&side->stream.stats, origin->receive_steady_ns);
    tn_stream_stats_age(&side->stream.stats,
                        tn_ns_sub(tn_loop_now_steady_ns(node->loop), origin->receive_steady_ns),
                        origin->receive_steady_ns);
    publish_joint_state(side, origin, ergonomics, head.stamp_ros_ns);
}

static void on_controller(void *context, const struct tn_contact_origin *origin,
                          const struct tn_contact_controller *controller)
{
    struct tn_node_contact_glove *node = context;
    struct contact_glove_msgs_msg_Controller msg;
    struct tn_convert_head head = head_of(node, origin->glove);
    tn_convert_controller(&head, origin, controller, &msg);
    (void)tn_ros_publish(side_of(node, controller->is_left)->controller, &msg);
}

static void on_wrist(void *context, const struct tn_contact_origin *origin,
                     const struct tn_contact_wrist *wrist)
{
    struct tn_node_contact_glove *node = context;
    struct geometry_msgs_msg_QuaternionStamped msg;
    struct tn_convert_head head = head_of(node, origin->glove);
    tn_convert_wrist(&head, wrist, &msg);
    (void)tn_ros_publish(side_of(node, wrist->is_left)->wrist_orientation, &msg);
}

// ---- profiles ----

static void on_profile_request(void *context, const void *request, void *response)
{
    struct tn_node_contact_glove *node = context;
    const struct contact_glove_msgs_srv_GetRetargetProfile_Request *asked = request;
    struct contact_glove_msgs_srv_GetRetargetProfile_Response *answer = response;
    answer->profile_uuid = asked->profile_uuid;
    answer->status = contact_glove_msgs_srv_GetRetargetProfile_Response_STATUS_ERROR;
    if (tn_log_throttle_pass(&node->profile_log, tn_loop_now_steady_ns(node->loop), TN_NS_PER_S,
                             NULL))
        TN_WARN(node->logger, "get_retarget_profile: protocol %s has no profiles",
                node->config.protocol);
}

// ---- life ----

static enum tn_result create_publishers(struct tn_contact_glove_side *side, struct tn_error *err)
{
    struct tn_node_contact_glove *node = side->node;
    struct tn_ros_qos stream = tn_ros_qos_sensor_data();
    struct tn_ros_qos latched = tn_ros_qos_latched((uint32_t)node->config.glove_data_depth);
    struct tn_ros_qos reliable = tn_ros_qos_default(JOINT_STATE_DEPTH);
    const struct {
        const char *topic;
        const struct tn_type *type;
        struct tn_ros_qos qos;
        struct tn_ros_publisher **place;
    } rows[] = {
        {"glove_data", &contact_glove_msgs_msg_GloveData_type, latched, &side->glove_data},
        {"ergonomics", &contact_glove_msgs_msg_Ergonomics_type, stream, &side->ergonomics},
        {"controller", &contact_glove_msgs_msg_Controller_type, stream, &side->controller},
        {"joint_states", &sensor_msgs_msg_JointState_type, reliable, &side->joint_states},
        {"wrist_orientation", &geometry_msgs_msg_QuaternionStamped_type, stream,
         &side->wrist_orientation},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        char topic[64];
        (void)snprintf(topic, sizeof topic, "%s/%s", tn_side_name(side->side), rows[i].topic);
        enum tn_result result = tn_ros_publisher_create(node->ros, rows[i].type, topic, rows[i].qos,
                                                        rows[i].place, err);
        if (result != TN_OK)
            return result;
    }
    return TN_OK;
}

static enum tn_result create_topics(struct tn_node_contact_glove *node, struct tn_error *err)
{
    for (unsigned s = 0; s < TN_SIDES; s++) {
        struct tn_contact_glove_side *side = &node->sides[s];
        side->node = node;
        side->side = s == 0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT;
        tn_convert_joints_init(&side->joints, side->side);
        enum tn_result result = create_publishers(side, err);
        if (result == TN_OK)
            result = tn_contact_glove__haptics_start(side, err);
        if (result != TN_OK)
            return result;
    }
    enum tn_result result = tn_ros_service_create(
        node->ros, &contact_glove_msgs_srv_GetRetargetProfile_type, "get_retarget_profile",
        on_profile_request, node, &node->profile_service, err);
    return result == TN_OK ? tn_contact_glove__diagnostics_start(node, err) : result;
}

static enum tn_result create_client(struct tn_node_contact_glove *node, struct tn_error *err)
{
    const struct tn_contact_glove_config *config = &node->config;
    struct tn_contact_client_options options = tn_contact_client_options_default();
    options.dialect = tn_contact_dialect_find(config->protocol);
    options.session.keepalive_silent_ns = tn_seconds_to_ns(config->keepalive_silent_s);
    options.session.keepalive_streaming_ns = tn_seconds_to_ns(config->keepalive_streaming_s);
    options.max_gloves = (uint32_t)config->glove_data_depth;
    options.max_gloves_name = "glove_data_depth";
    options.haptics_period_ns =
        config->haptics_max_rate_hz > 0 ? tn_seconds_to_ns(1.0 / config->haptics_max_rate_hz) : 0;
    options.loop = node->loop;
    options.logger = node->logger;
    options.context = node;
    options.callbacks = (struct tn_contact_callbacks){.on_gloves = on_gloves,
                                                      .on_ergonomics = on_ergonomics,
                                                      .on_controller = on_controller,
                                                      .on_wrist = on_wrist};
    return tn_contact_client_create(&options, &node->client, err);
}

static enum tn_result connect_client(struct tn_node_contact_glove *node, struct tn_error *err)
{
    const struct tn_contact_glove_config *config = &node->config;
    char ns[TN_ROS_PARAM_STRING_MAX];
    const struct tn_contact_ports ports = {.ds_ip = config->ds_ip,
                                           .ds_port = (uint16_t)config->ds_port_v1,
                                           .receive_port = (uint16_t)config->receive_port,
                                           .send_port = (uint16_t)config->send_port};
    enum tn_result result = tn_contact_connect_to_host(node->client, &ports, err);
    if (result != TN_OK)
        return result;
    TN_INFO(node->logger,
            "protocol %s, DivingStation %s:%u, receive_port %u, source port %u, namespace %s, "
            "frames ds2/%s/<glove id>/wrist",
            config->protocol, config->ds_ip, (unsigned)ports.ds_port, (unsigned)ports.receive_port,
            (unsigned)tn_contact_client_source_port(node->client), tn_ros_node_namespace(node->ros),
            tn_contact_glove__frame_namespace(config, ns));
    return TN_OK;
}

static enum tn_result start(struct tn_node_contact_glove *node, struct tn_ros_context *context,
                            const struct tn_node_contact_glove_options *options,
                            struct tn_error *err)
{
    struct tn_ros_node_options ros = {
        .name = options != NULL && options->name != NULL ? options->name : "contact_glove_node",
        .ns = options != NULL && options->ns != NULL ? options->ns : "contact_glove",
        .params = tn_contact_glove__param_set(&node->config),
    };
    node->loop = tn_ros_context_loop(context);
    enum tn_result result = tn_ros_node_create(context, &ros, &node->ros, err);
    if (result != TN_OK)
        return result;
    node->logger = tn_ros_node_logger(node->ros);
    result = tn_trace_open(NULL, &node->trace, err);
    if (result == TN_OK)
        result = create_client(node, err);
    if (result == TN_OK)
        result = create_topics(node, err);
    // data may come from here on: everything it meets exists
    return result == TN_OK ? connect_client(node, err) : result;
}

enum tn_result tn_node_contact_glove_create(struct tn_ros_context *context,
                                            const struct tn_node_contact_glove_options *options,
                                            struct tn_node_contact_glove **out_node,
                                            struct tn_error *err)
{
    struct tn_node_contact_glove *node = calloc(1, sizeof *node);
    if (node == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for contact_glove_node");
    enum tn_result result = start(node, context, options, err);
    if (result != TN_OK) {
        tn_node_contact_glove_destroy(&node);
        return result;
    }
    *out_node = node;
    return TN_OK;
}

void tn_node_contact_glove_destroy(struct tn_node_contact_glove **any)
{
    struct tn_node_contact_glove *node = *any;
    if (node == NULL)
        return;
    tn_diag_updater_destroy(&node->diagnostics);
    // publishes the gloves as disconnected: before the publishers go
    tn_contact_client_destroy(&node->client);
    tn_ros_node_destroy(&node->ros);
    tn_trace_close(&node->trace);
    free(node);
    *any = NULL;
}
