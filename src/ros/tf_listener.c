// SPDX-License-Identifier: Apache-2.0
#include "ros/tf_listener.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tn_msgs/tf2_msgs.h"

/// tf2_ros: DynamicListenerQoS, StaticListenerQoS.
#define DEPTH 100u

struct tn_tf_listener {
    struct tn_ros_node *node;
    struct tn_tf_buffer *buffer;
    struct tn_ros_subscription *tf, *tf_static;
    struct tn_ros_jump_handle jump;
    struct tn_log_throttle refuse_log, jump_log;
    struct tn_tf_wait *waits, *next_wait; ///< where the present walk goes on
};

// ---- waiting ----

static void finish(struct tn_tf_wait *wait, enum tn_result result,
                   const struct tn_tf_result *transform, const struct tn_error *err)
{
    tn_tf_wait_fn callback = wait->callback;
    void *context = wait->context;
    tn_tf_wait_stop(wait);
    // last: the callback may start it anew or free it
    callback(context, result, transform, err);
}

static void on_wait_over(void *user)
{
    struct tn_tf_wait *wait = user;
    struct tn_tf_result transform;
    struct tn_error err = {0};
    enum tn_result result = tn_tf_buffer_lookup(wait->listener->buffer, wait->target, wait->source,
                                                wait->time_ns, &transform, &err);
    if (result == TN_OK)
        finish(wait, TN_OK, &transform, NULL);
    else
        finish(wait, TN_ERR_TIMEOUT, NULL, &err);
}

static void check_waits(struct tn_tf_listener *listener)
{
    listener->next_wait = listener->waits;
    while (listener->next_wait != NULL) {
        struct tn_tf_wait *wait = listener->next_wait;
        struct tn_tf_result transform;
        listener->next_wait = wait->next;
        if (tn_tf_buffer_lookup(listener->buffer, wait->target, wait->source, wait->time_ns,
                                &transform, NULL) == TN_OK)
            finish(wait, TN_OK, &transform, NULL);
    }
}

static enum tn_result check_name(const char *name)
{
    if (name[0] == '\0' || name[0] == '/')
        return TN_ERR_INVALID_ARGUMENT;
    return strlen(name) < TN_TF_NAME_MAX ? TN_OK : TN_ERR_LIMIT;
}

enum tn_result tn_tf_wait_start(struct tn_tf_listener *listener, struct tn_tf_wait *wait,
                                const char *target, const char *source, int64_t time_ns,
                                int64_t timeout_ns, tn_tf_wait_fn callback, void *context)
{
    enum tn_result result = check_name(target);
    if (result == TN_OK)
        result = check_name(source);
    if (result == TN_OK && time_ns < 0)
        result = TN_ERR_INVALID_ARGUMENT;
    if (result != TN_OK)
        return result;
    tn_tf_wait_stop(wait);
    memset(wait, 0, sizeof *wait);
    memcpy(wait->target, target, strlen(target));
    memcpy(wait->source, source, strlen(source));
    wait->time_ns = time_ns;
    wait->callback = callback;
    wait->context = context;
    wait->listener = listener;
    wait->next = listener->waits;
    if (wait->next != NULL)
        wait->next->prev = wait;
    listener->waits = wait;
    bool is_there = tn_tf_buffer_can_transform(listener->buffer, target, source, time_ns);
    tn_loop_timer_start(tn_ros_context_loop(tn_ros_node_context(listener->node)), &wait->timer,
                        is_there ? 0 : timeout_ns, 0, on_wait_over, wait);
    return TN_OK;
}

void tn_tf_wait_stop(struct tn_tf_wait *wait)
{
    struct tn_tf_listener *listener = wait->listener;
    if (listener == NULL)
        return;
    tn_loop_timer_stop(&wait->timer);
    if (listener->next_wait == wait)
        listener->next_wait = wait->next;
    if (wait->prev != NULL)
        wait->prev->next = wait->next;
    else
        listener->waits = wait->next;
    if (wait->next != NULL)
        wait->next->prev = wait->prev;
    wait->next = wait->prev = NULL;
    wait->listener = NULL;
}

// ---- messages ----

/// A name from the network, fit for a log line.
static const char *printable(struct tn_str name, char out[64])
{
    uint32_t n = 0;
    for (; n < name.size && n < 63; n++)
        out[n] = (uint8_t)name.data[n] < 0x20 || name.data[n] == 0x7f ? '?' : name.data[n];
    out[n] = '\0';
    return out;
}

static const char *reason(const struct tn_tf_buffer_counters *before,
                          const struct tn_tf_buffer_counters *after)
{
    if (after->old_data > before->old_data)
        return "TF_OLD_DATA: further back than the cache goes";
    if (after->self > before->self)
        return "TF_SELF_TRANSFORM: a frame cannot be its own parent";
    if (after->no_name > before->no_name)
        return "TF_NO_FRAME_ID: a frame's name is empty";
    if (after->not_finite > before->not_finite)
        return "TF_NAN_INPUT: a number is NaN or infinite";
    if (after->bad_quaternion > before->bad_quaternion)
        return "TF_DENORMALIZED_QUATERNION: the rotation is not of norm 1";
    if (after->bad_name > before->bad_name)
        return "a frame's name is too long or has a NUL in it";
    if (after->bad_stamp > before->bad_stamp)
        return "the stamp is before the epoch";
    return "the buffer has no room for another frame";
}

static void refuse(struct tn_tf_listener *listener, const char *topic,
                   const struct geometry_msgs_msg_TransformStamped *transform,
                   const struct tn_tf_buffer_counters *before,
                   const struct tn_ros_message_info *info)
{
    uint32_t n_more = 0;
    char parent[64], child[64];
    if (!tn_log_throttle_pass(&listener->refuse_log, info->delivered_steady_ns, TN_NS_PER_S,
                              &n_more))
        return;
    TN_WARN(tn_ros_node_logger(listener->node),
            "%s: ignored \"%s\" in \"%s\" of writer %02x%02x%02x%02x…: %s (%u more since the last "
            "report)",
            topic, printable(transform->child_frame_id, child),
            printable(transform->header.frame_id, parent), info->writer.data[8],
            info->writer.data[9], info->writer.data[10], info->writer.data[11],
            reason(before, tn_tf_buffer_counters(listener->buffer)), n_more);
}

static void take_in(struct tn_tf_listener *listener, const struct tf2_msgs_msg_TFMessage *message,
                    const struct tn_ros_message_info *info, bool is_static)
{
    for (uint32_t i = 0; i < message->transforms.size; i++) {
        const struct geometry_msgs_msg_TransformStamped *t = &message->transforms.data[i];
        struct tn_tf_input input = {
            .parent = t->header.frame_id.data,
            .child = t->child_frame_id.data,
            .parent_size = t->header.frame_id.size,
            .child_size = t->child_frame_id.size,
            .stamp_ns = t->header.stamp.sec * TN_NS_PER_S + t->header.stamp.nanosec,
            .now_steady_ns = info->arrival_steady_ns,
            .T_parent_child = {.p = {t->transform.translation.x, t->transform.translation.y,
                                     t->transform.translation.z},
                               .q = {t->transform.rotation.x, t->transform.rotation.y,
                                     t->transform.rotation.z, t->transform.rotation.w}},
            .is_static = is_static,
        };
        memcpy(input.authority.data, info->writer.data, sizeof input.authority.data);
        struct tn_tf_buffer_counters before = *tn_tf_buffer_counters(listener->buffer);
        if (tn_tf_buffer_insert(listener->buffer, &input) != TN_OK)
            refuse(listener, is_static ? "/tf_static" : "/tf", t, &before, info);
    }
    check_waits(listener);
}

static void on_tf(void *context, const void *message, const struct tn_ros_message_info *info)
{
    take_in(context, message, info, false);
}

static void on_tf_static(void *context, const void *message, const struct tn_ros_message_info *info)
{
    take_in(context, message, info, true);
}

// ---- time ----

static void on_jump(void *context, const struct tn_ros_jump *jump, bool is_before)
{
    struct tn_tf_listener *listener = context;
    if (is_before)
        return;
    tn_tf_buffer_clear(listener->buffer);
    struct tn_loop *loop = tn_ros_context_loop(tn_ros_node_context(listener->node));
    if (!tn_log_throttle_pass(&listener->jump_log, tn_loop_now_steady_ns(loop), TN_NS_PER_S, NULL))
        return;
    if (jump->change == TN_ROS_TIME_NO_CHANGE)
        TN_WARN(tn_ros_node_logger(listener->node),
                "time jumped back by %.3f s: the transforms of /tf are forgotten",
                -tn_ns_to_seconds(jump->delta_ns));
    else
        TN_WARN(tn_ros_node_logger(listener->node),
                "time is %s now: the transforms of /tf are forgotten",
                jump->change == TN_ROS_TIME_ACTIVATED ? "simulated" : "wall time");
}

// ---- life ----

static enum tn_result subscribe(struct tn_tf_listener *listener, struct tn_error *err)
{
    enum tn_result result = tn_ros_subscription_create(
        listener->node, &tf2_msgs_msg_TFMessage_type, "/tf_static", tn_ros_qos_latched(DEPTH),
        on_tf_static, listener, &listener->tf_static, err);
    if (result == TN_OK)
        result = tn_ros_subscription_create(listener->node, &tf2_msgs_msg_TFMessage_type, "/tf",
                                            tn_ros_qos_default(DEPTH), on_tf, listener,
                                            &listener->tf, err);
    return result;
}

enum tn_result tn_tf_listener_create(struct tn_ros_node *node,
                                     const struct tn_tf_buffer_options *options,
                                     struct tn_tf_listener **out_listener, struct tn_error *err)
{
    struct tn_tf_buffer_options defaults = tn_tf_buffer_options_default();
    struct tn_tf_listener *listener = calloc(1, sizeof *listener);
    if (listener == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the tf listener");
    listener->node = node;
    enum tn_result result =
        tn_tf_buffer_create(options != NULL ? options : &defaults, &listener->buffer, err);
    if (result == TN_OK)
        result = subscribe(listener, err);
    if (result == TN_OK)
        result = tn_ros_jump_start(node, &listener->jump,
                                   (struct tn_ros_jump_threshold){true, 0, -1}, on_jump, listener);
    if (result != TN_OK) {
        tn_tf_listener_destroy(&listener);
        return result;
    }
    *out_listener = listener;
    return TN_OK;
}

void tn_tf_listener_destroy(struct tn_tf_listener **listener)
{
    struct tn_tf_listener *l = *listener;
    *listener = NULL;
    if (l == NULL)
        return;
    while (l->waits != NULL)
        tn_tf_wait_stop(l->waits);
    tn_ros_jump_stop(&l->jump);
    tn_ros_subscription_destroy(&l->tf);
    tn_ros_subscription_destroy(&l->tf_static);
    tn_tf_buffer_destroy(&l->buffer);
    free(l);
}

const struct tn_tf_buffer *tn_tf_listener_buffer(const struct tn_tf_listener *listener)
{
    return listener->buffer;
}
