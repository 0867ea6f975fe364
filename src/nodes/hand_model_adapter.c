// SPDX-License-Identifier: Apache-2.0
#include "nodes/hand_model_adapter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hand/contact.h"
#include "nodes/hand_model_adapter__node.h"

_Static_assert(TN_HAND_STREAM_WRITER_SIZE == TN_GID_SIZE, "a writer is named by its gid");

// stamps that were raised while simulated time stood still are ahead of it by 1 ns per frame: a day
// of them; beyond it time has jumped back
#define SIMULATED_STEP_BACK_NS (10 * TN_NS_PER_MS)

// ---- sources ----

static enum tn_result read_ergonomics(const void *message, enum tn_side side,
                                      struct tn_convert_contact_sample *out,
                                      struct tn_str *out_frame)
{
    const struct contact_glove_msgs_msg_Ergonomics *msg = message;
    *out_frame = msg->header.frame_id;
    return tn_convert_contact_from_ergonomics(msg, side, out);
}

static enum tn_result read_glove_data(const void *message, enum tn_side side, char *out_id,
                                      bool *out_is_connected)
{
    const struct contact_glove_msgs_msg_GloveData *msg = message;
    *out_is_connected = msg->is_connected;
    if (msg->is_left != (side == TN_SIDE_LEFT)) {
        return TN_ERR_WRONG_SIDE;
    }
    return tn_convert_contact_id(msg->id, out_id);
}

static const struct tn_hand_model_adapter_source sources[] = {
    {.name = "contact_glove",
     .sample_type = &contact_glove_msgs_msg_Ergonomics_type,
     .sample_topic = "ergonomics",
     .device_type = &contact_glove_msgs_msg_GloveData_type,
     .device_topic = "glove_data",
     .read_sample = read_ergonomics,
     .read_device = read_glove_data,
     .q_wrist_hand = tn_hand_contact_q_wrist_hand},
};

const struct tn_hand_model_adapter_source *tn_hand_model_adapter__source(const char *name)
{
    for (size_t i = 0; i < TN_ARRAY_SIZE(sources); i++) {
        if (strcmp(sources[i].name, name) == 0) {
            return &sources[i];
        }
    }
    return NULL;
}

// ---- frames of TF ----

// "<wrist>/.." without its last part, or what the glove's driver would have written
static void name_frames(struct tn_hand_model_adapter_side *side, struct tn_str wrist)
{
    static const char tail[] = "/wrist";
    const size_t tail_size = sizeof tail - 1;
    char base[TN_TF_FRAME_MAX];
    bool is_usual = wrist.size > tail_size && wrist.size < sizeof side->wrist_frame &&
                    memcmp(wrist.data + wrist.size - tail_size, tail, tail_size) == 0;
    if (is_usual) {
        memcpy(side->wrist_frame, wrist.data, wrist.size);
        side->wrist_frame[wrist.size] = '\0';
        memcpy(base, wrist.data, wrist.size - tail_size);
        base[wrist.size - tail_size] = '\0';
    } else {
        const char *ns = side->node->config.input_namespace;
        ns += strspn(ns, "/");
        // cut names do no harm: the broadcaster refuses what does not fit
        int n = snprintf(base, sizeof base, "ds2/%.56s/%s", ns, side->stream.device_id);
        n += snprintf(side->wrist_frame, sizeof side->wrist_frame, "%.120s%s", base, tail);
        (void)n;
    }
    int used = snprintf(side->hand_frame, sizeof side->hand_frame, "%.120s/hand", base);
    for (unsigned i = 0; i < TN_HAND_NODES; i++) {
        used += snprintf(side->node_frames[i], TN_TF_FRAME_MAX, "%.100s/%s", side->hand_frame,
                         tn_hand_node_name(i));
    }
    (void)used;
}

static void report_tf(struct tn_hand_model_adapter_side *side, enum tn_result result)
{
    int64_t now_steady_ns = tn_loop_now_steady_ns(side->node->loop);
    if (result != TN_OK && tn_log_throttle_pass(&side->tf_log, now_steady_ns, TN_NS_PER_S, NULL)) {
        TN_WARN(tn_ros_node_logger(side->node->ros), "%s hand: transform of '%s' not sent: %s",
                tn_side_name(side->side), side->hand_frame, tn_result_text(result));
    }
}

// the hand frame hangs below the wrist frame; made anew when either changes
static void place_frames(struct tn_hand_model_adapter_side *side, struct tn_str wrist)
{
    wrist.size = wrist.size < sizeof side->vendor_frame ? wrist.size : 0;
    bool is_same = side->hand_frame[0] != '\0' && tn_str_is(wrist, side->vendor_frame) &&
                   side->logged_streams == side->stream.counters.streams;
    if (is_same) {
        return;
    }
    TN_INFO(tn_ros_node_logger(side->node->ros), "%s hand: stream %llu begins, glove '%s'",
            tn_side_name(side->side), (unsigned long long)side->stream.stream_id,
            side->stream.device_id);
    side->logged_streams = side->stream.counters.streams;
    if (wrist.size > 0) {
        memcpy(side->vendor_frame, wrist.data, wrist.size);
    }
    side->vendor_frame[wrist.size] = '\0';
    name_frames(side, wrist);
    struct tn_tf tf = {.stamp_ros_ns = tn_ros_node_now_ros_ns(side->node->ros),
                       .parent = side->wrist_frame,
                       .child = side->hand_frame,
                       .T_parent_child = {.q = side->node->source->q_wrist_hand()}};
    report_tf(side, tn_tf_send_static(side->node->tf, &tf));
}

static void send_nodes(struct tn_hand_model_adapter_side *side)
{
    struct tn_tf transforms[TN_HAND_NODES];
    uint32_t n = 0;
    for (unsigned i = 0; i < TN_HAND_NODES; i++) {
        if (((side->frame.node_valid >> i) & 1u) != 0) {
            transforms[n++] = (struct tn_tf){.stamp_ros_ns = side->frame.stamp_ros_ns,
                                             .parent = side->hand_frame,
                                             .child = side->node_frames[i],
                                             .T_parent_child = side->frame.nodes[i]};
        }
    }
    report_tf(side, tn_tf_send(side->node->tf, transforms, n));
}

// ---- samples ----

// which counter a refused sample belongs to; NULL: counted by the stream
static uint64_t *drop_counter(struct tn_hand_model_adapter_drops *drops, enum tn_result result)
{
    if (result == TN_ERR_WRONG_SIDE) {
        return &drops->wrong_side;
    }
    if (result == TN_ERR_NOT_FINITE) {
        return &drops->not_finite;
    }
    return result == TN_ERR_RANGE ? &drops->out_of_range : &drops->bad_id;
}

static void drop(struct tn_hand_model_adapter_side *side, enum tn_result result)
{
    if (result == TN_ERR_STATE) {
        // the glove itself says that it does not know: usual, not worth a line
        side->drops.not_tracked++;
        return;
    }
    uint64_t *counter = drop_counter(&side->drops, result);
    (*counter)++;
    int64_t now_steady_ns = tn_loop_now_steady_ns(side->node->loop);
    if (tn_log_throttle_pass(&side->drop_log, now_steady_ns, TN_NS_PER_S, NULL)) {
        TN_WARN(tn_ros_node_logger(side->node->ros),
                "%s hand: sample on '%s' dropped: %s (%llu of this kind); check the glove's driver",
                tn_side_name(side->side), side->node->source->sample_topic, tn_result_text(result),
                (unsigned long long)*counter);
    }
}

static void publish(struct tn_hand_model_adapter_side *side, int64_t now_steady_ns)
{
    struct tn_node_hand_model_adapter *node = side->node;
    tn_convert_hand_frame_to_msg(&side->frame, side->hand_frame, &side->message);
    if (tn_ros_publish(side->publisher, &side->message) != TN_OK) {
        side->drops.unsent++;
        return;
    }
    const struct tn_trace_record record = {.stamp_ros_ns = side->frame.stamp_ros_ns,
                                           .steady_ns = now_steady_ns,
                                           .sequence = (uint32_t)side->frame.sequence,
                                           .stage = TN_TRACE_ADAPTER,
                                           .side = (uint8_t)side->side};
    tn_trace_append(node->trace, &record);
    if (node->config.publish_node_tf) {
        send_nodes(side);
    }
}

static int64_t steady_now_ns(const struct tn_node_hand_model_adapter *node)
{
    struct tn_clock clock = tn_loop_clock(node->loop);
    return clock.steady_ns(clock.context);
}

// a glove id set while the node runs takes effect with the next sample
static void follow_parameters(struct tn_hand_model_adapter_side *side)
{
    const char *wanted = tn_hand_model_adapter__glove_id(&side->node->config, side->side);
    if (strcmp(wanted, side->stream.options.device_id) != 0) {
        (void)!tn_hand_stream_select(&side->stream, wanted);
    }
}

// The glove stamps wall time. With use_sim_time the frame gets the simulated time of that moment,
// raised where needed so that no two frames share a stamp: time may stand still, the hand does not.
static bool date_frame(struct tn_hand_model_adapter_side *side, int64_t now_steady_ns)
{
    const struct tn_ros_node *ros = side->node->ros;
    if (!tn_ros_node_is_sim_time(ros)) {
        return true;
    }
    int64_t age_ns = side->frame.age_ns > 0 ? side->frame.age_ns : 0;
    int64_t stamp_ros_ns = tn_ros_node_ros_at(ros, tn_ns_sub(now_steady_ns, age_ns));
    if (stamp_ros_ns <= 0) {
        side->drops.no_clock++;
        return false;
    }
    int64_t raised_ns = tn_ns_add(side->last_simulated_ros_ns, 1);
    bool has_jumped_back = tn_ns_sub(raised_ns, stamp_ros_ns) > SIMULATED_STEP_BACK_NS;
    if (stamp_ros_ns < raised_ns && !has_jumped_back) {
        stamp_ros_ns = raised_ns;
    }
    side->last_simulated_ros_ns = stamp_ros_ns;
    side->frame.stamp_ros_ns = stamp_ros_ns;
    return true;
}

static void on_sample(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct tn_hand_model_adapter_side *side = context;
    int64_t now_steady_ns = steady_now_ns(side->node);
    if (info->is_late) {
        side->drops.late++;
        return;
    }
    struct tn_convert_contact_sample read;
    struct tn_str wrist_frame;
    enum tn_result result =
        side->node->source->read_sample(message, side->side, &read, &wrist_frame);
    if (result != TN_OK) {
        drop(side, result);
        return;
    }
    follow_parameters(side);
    struct tn_hand_sample sample = {.stamp_ros_ns = read.stamp_ros_ns,
                                    .device_id = read.device_id,
                                    .writer = info->writer.data,
                                    .angles_rad = read.angles_rad,
                                    .angle_valid = read.angle_valid};
    sample.is_age_known =
        tn_ros_wall_age(info, read.stamp_ros_ns, now_steady_ns, &sample.age_ns) == TN_OK;
    result = tn_hand_stream_take(&side->stream, &sample, now_steady_ns, &side->frame);
    tn_hand_model_adapter__count(side, &sample, now_steady_ns);
    if (result != TN_OK || !date_frame(side, now_steady_ns)) {
        return;
    }
    // angles are finite here; a failure would leave every node absent
    (void)!tn_hand_fk(&side->model, side->frame.angles, side->frame.angle_valid, side->frame.nodes,
                      &side->frame.node_valid);
    place_frames(side, wrist_frame);
    publish(side, now_steady_ns);
}

static void on_device(void *context, const void *message, const struct tn_ros_message_info *info)
{
    (void)info;
    struct tn_hand_model_adapter_side *side = context;
    char id[TN_HAND_DEVICE_ID_MAX];
    bool is_connected = false;
    enum tn_result result = side->node->source->read_device(message, side->side, id, &is_connected);
    if (result != TN_OK) {
        drop(side, result);
        return;
    }
    if (tn_hand_stream_set_connected(&side->stream, id, is_connected)) {
        TN_WARN(tn_ros_node_logger(side->node->ros),
                "%s hand: glove '%s' is disconnected; frames stop until it or another one sends",
                tn_side_name(side->side), id);
    }
}

// ---- life ----

static enum tn_stamp_kind stamp_kind(const char *word)
{
    if (strcmp(word, "sample") == 0) {
        return TN_STAMP_SAMPLE;
    }
    return strcmp(word, "sdk_publish") == 0 ? TN_STAMP_SDK_PUBLISH : TN_STAMP_ARRIVAL;
}

static struct tn_hand_stream_options
stream_options(const struct tn_hand_model_adapter_config *config, enum tn_side side)
{
    struct tn_hand_stream_options options = tn_hand_stream_options_default(side);
    options.stamp_kind = stamp_kind(config->stamp_kind);
    options.nominal_rate_hz = config->nominal_rate_hz;
    options.stale_ns = tn_seconds_to_ns(config->stale_timeout_s);
    options.silence_ns = tn_seconds_to_ns(config->disconnect_timeout_s);
    // two runs never share a stream id: the start time, in steps that no run of streams fills
    options.first_stream_id = (uint64_t)tn_clock_wall_now_ns();
    // generated_at_ms is cut to milliseconds
    options.stamp_uncertainty_ns = TN_NS_PER_MS;
    snprintf(options.device_id, sizeof options.device_id, "%s",
             tn_hand_model_adapter__glove_id(config, side));
    return options;
}

static void topic_name(const struct tn_hand_model_adapter_config *config, enum tn_side side,
                       const char *leaf, char out[TN_ROS_NAME_MAX])
{
    size_t size = strlen(config->input_namespace);
    while (size > 0 && config->input_namespace[size - 1] == '/') {
        size--;
    }
    // without a namespace the topics are the node's own
    bool is_relative = config->input_namespace[0] == '\0';
    snprintf(out, TN_ROS_NAME_MAX, "%.*s%s%s/%s", (int)size, config->input_namespace,
             is_relative ? "" : "/", tn_side_name(side), leaf);
}

static enum tn_result open_topics(struct tn_hand_model_adapter_side *side, struct tn_error *err)
{
    struct tn_node_hand_model_adapter *node = side->node;
    const struct tn_hand_model_adapter_source *source = node->source;
    char topic[TN_ROS_NAME_MAX];
    struct tn_ros_qos pose = tn_ros_qos_sensor_data();
    pose.depth = 1;
    topic_name(&node->config, side->side, "hand", topic);
    enum tn_result result = tn_ros_publisher_create(node->ros, &tendon_msgs_msg_HandFrame_type,
                                                    topic, pose, &side->publisher, err);
    if (result == TN_OK) {
        topic_name(&node->config, side->side, source->device_topic, topic);
        result = tn_ros_subscription_create(node->ros, source->device_type, topic,
                                            tn_ros_qos_latched(TN_HAND_STREAM_DEVICES), on_device,
                                            side, &side->devices, err);
    }
    if (result == TN_OK) {
        topic_name(&node->config, side->side, source->sample_topic, topic);
        result = tn_ros_subscription_create(node->ros, source->sample_type, topic,
                                            tn_ros_qos_sensor_data(), on_sample, side,
                                            &side->samples, err);
    }
    return result;
}

static enum tn_result open_side(struct tn_node_hand_model_adapter *node, enum tn_side which,
                                struct tn_error *err)
{
    struct tn_hand_model_adapter_side *side = &node->sides[tn_side_index(which)];
    struct tn_hand_stream_options options = stream_options(&node->config, which);
    side->node = node;
    side->side = which;
    side->is_used = true;
    tn_hand_frame_init(&side->frame);
    enum tn_result result = tn_hand_stream_init(&side->stream, &options);
    if (result == TN_OK) {
        result = tn_hand_model_init(&side->model, tn_hand_shape_default(), which);
    }
    if (result != TN_OK) {
        return tn_error_set(err, result, "%s hand: %s", tn_side_name(which),
                            tn_result_text(result));
    }
    return open_topics(side, err);
}

static enum tn_result open_node(struct tn_node_hand_model_adapter *node,
                                struct tn_ros_context *context,
                                const struct tn_node_hand_model_adapter_options *options,
                                struct tn_error *err)
{
    struct tn_ros_node_options ros = {.name = "hand_model_adapter", .ns = ""};
    if (options != NULL) {
        ros.name = options->name != NULL ? options->name : ros.name;
        ros.ns = options->ns != NULL ? options->ns : ros.ns;
    }
    ros.params.table = tn_node_hand_model_adapter_params(&ros.params.n_params);
    ros.params.config = &node->config;
    ros.params.config_size = sizeof node->config;
    ros.params.check = tn_hand_model_adapter__check;
    enum tn_result result = tn_ros_node_create(context, &ros, &node->ros, err);
    if (result != TN_OK) {
        return result;
    }
    node->source = tn_hand_model_adapter__source(node->config.source);
    if (node->source == NULL) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "parameter source: '%s' is no known glove; see --help",
                            node->config.source);
    }
    result = tn_trace_open(NULL, &node->trace, err);
    if (result == TN_OK) {
        result = tn_tf_broadcaster_create(node->ros, &node->tf, err);
    }
    return result;
}

enum tn_result tn_node_hand_model_adapter_create(
    struct tn_ros_context *context, const struct tn_node_hand_model_adapter_options *options,
    struct tn_node_hand_model_adapter **out_node, struct tn_error *err)
{
    struct tn_node_hand_model_adapter *node = calloc(1, sizeof *node);
    if (node == NULL) {
        return tn_error_set(err, TN_ERR_NO_MEMORY, "hand_model_adapter: out of memory");
    }
    node->loop = tn_ros_context_loop(context);
    enum tn_result result = open_node(node, context, options, err);
    for (uint32_t i = 0; result == TN_OK && i < node->config.sides.size; i++) {
        enum tn_side side = TN_SIDE_UNKNOWN;
        if (tn_side_parse(node->config.sides.data[i], &side)) {
            result = open_side(node, side, err);
        }
    }
    if (result == TN_OK) {
        result = tn_hand_model_adapter__report_start(node, err);
    }
    if (result != TN_OK) {
        tn_node_hand_model_adapter_destroy(&node);
        return result;
    }
    *out_node = node;
    return TN_OK;
}

void tn_node_hand_model_adapter_destroy(struct tn_node_hand_model_adapter **node)
{
    if (node == NULL || *node == NULL) {
        return;
    }
    tn_diag_updater_destroy(&(*node)->diagnostics);
    tn_tf_broadcaster_destroy(&(*node)->tf);
    tn_ros_node_destroy(&(*node)->ros);
    tn_trace_close(&(*node)->trace);
    free(*node);
    *node = NULL;
}
