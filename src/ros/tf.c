// SPDX-License-Identifier: Apache-2.0
#include "ros/tf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__node.h"
#include "tn_msgs/tf2_msgs.h"

/// Most transforms of one message.
#define SEND_MAX 64u

_Static_assert(SEND_MAX >= TN_TF_MAX_STATIC, "all static frames go into one message");

/// A static frame and the text that its message points at.
struct static_frame {
    char parent[TN_TF_FRAME_MAX], child[TN_TF_FRAME_MAX];
};

struct tn_tf_broadcaster {
    struct tn_ros_publisher *tf, *tf_static;
    struct geometry_msgs_msg_TransformStamped moving[SEND_MAX];
    struct geometry_msgs_msg_TransformStamped fixed[TN_TF_MAX_STATIC];
    struct static_frame frames[TN_TF_MAX_STATIC];
    uint32_t n_fixed;
};

enum tn_result tn_tf_broadcaster_create(struct tn_ros_node *node, struct tn_tf_broadcaster **out,
                                        struct tn_error *err)
{
    struct tn_tf_broadcaster *broadcaster = calloc(1, sizeof *broadcaster);
    if (broadcaster == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the tf broadcaster");
    enum tn_result result = tn_ros_publisher_create(node, &tf2_msgs_msg_TFMessage_type, "/tf",
                                                    tn_ros_qos_default(100), &broadcaster->tf, err);
    if (result == TN_OK)
        result = tn_ros_publisher_create(node, &tf2_msgs_msg_TFMessage_type, "/tf_static",
                                         tn_ros_qos_latched(1), &broadcaster->tf_static, err);
    if (result != TN_OK) {
        tn_tf_broadcaster_destroy(&broadcaster);
        return result;
    }
    *out = broadcaster;
    return TN_OK;
}

void tn_tf_broadcaster_destroy(struct tn_tf_broadcaster **broadcaster)
{
    struct tn_tf_broadcaster *b = *broadcaster;
    *broadcaster = NULL;
    if (b == NULL)
        return;
    tn_ros_publisher_destroy(&b->tf_static);
    tn_ros_publisher_destroy(&b->tf);
    free(b);
}

static enum tn_result check(const struct tn_tf *tf)
{
    const struct tn_pose *T = &tf->T_parent_child;
    double sum = T->p.x + T->p.y + T->p.z + T->q.x + T->q.y + T->q.z + T->q.w;
    if (!isfinite(sum))
        return TN_ERR_NOT_FINITE;
    if (strlen(tf->parent) >= TN_TF_FRAME_MAX || strlen(tf->child) >= TN_TF_FRAME_MAX)
        return TN_ERR_LIMIT;
    return TN_OK;
}

static void fill(struct geometry_msgs_msg_TransformStamped *out, const struct tn_tf *tf,
                 const char *parent, const char *child)
{
    const struct tn_pose *T = &tf->T_parent_child;
    geometry_msgs_msg_TransformStamped_init(out);
    // floor division, so that nanosec stays within [0, 1e9) before the epoch too
    int64_t s = tf->stamp_ros_ns / TN_NS_PER_S, ns = tf->stamp_ros_ns % TN_NS_PER_S;
    out->header.stamp.sec = (int32_t)(s - (ns < 0));
    out->header.stamp.nanosec = (uint32_t)(ns < 0 ? ns + TN_NS_PER_S : ns);
    out->header.frame_id = tn_str_from(parent);
    out->child_frame_id = tn_str_from(child);
    out->transform.translation.x = T->p.x;
    out->transform.translation.y = T->p.y;
    out->transform.translation.z = T->p.z;
    out->transform.rotation.x = T->q.x;
    out->transform.rotation.y = T->q.y;
    out->transform.rotation.z = T->q.z;
    out->transform.rotation.w = T->q.w;
}

static enum tn_result publish(struct tn_ros_publisher *publisher,
                              const struct geometry_msgs_msg_TransformStamped *transforms,
                              uint32_t n)
{
    struct tf2_msgs_msg_TFMessage message;
    tf2_msgs_msg_TFMessage_init(&message);
    message.transforms.data = transforms;
    message.transforms.size = n;
    return tn_ros_publish(publisher, &message);
}

enum tn_result tn_tf_send(struct tn_tf_broadcaster *broadcaster, const struct tn_tf *transforms,
                          uint32_t n)
{
    if (n > SEND_MAX)
        return TN_ERR_LIMIT;
    for (uint32_t i = 0; i < n; i++) {
        enum tn_result result = check(&transforms[i]);
        if (result != TN_OK)
            return result;
        fill(&broadcaster->moving[i], &transforms[i], transforms[i].parent, transforms[i].child);
    }
    return publish(broadcaster->tf, broadcaster->moving, n);
}

enum tn_result tn_tf_send_static(struct tn_tf_broadcaster *broadcaster,
                                 const struct tn_tf *transform)
{
    enum tn_result result = check(transform);
    if (result != TN_OK)
        return result;
    uint32_t i = 0;
    while (i < broadcaster->n_fixed && strcmp(broadcaster->frames[i].child, transform->child) != 0)
        i++;
    if (i == TN_TF_MAX_STATIC)
        return TN_ERR_LIMIT;
    // late joiners get one message only: it must hold all frames
    struct static_frame *frame = &broadcaster->frames[i];
    memmove(frame->parent, transform->parent, strlen(transform->parent) + 1);
    memmove(frame->child, transform->child, strlen(transform->child) + 1);
    fill(&broadcaster->fixed[i], transform, frame->parent, frame->child);
    if (i == broadcaster->n_fixed)
        broadcaster->n_fixed++;
    return publish(broadcaster->tf_static, broadcaster->fixed, broadcaster->n_fixed);
}
