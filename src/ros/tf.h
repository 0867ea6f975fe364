// SPDX-License-Identifier: Apache-2.0
/// @file
/// TF broadcasting. `/tf` is keep last 100, reliable; `/tf_static` keep last 1, transient local,
/// and every send carries all static frames of the node in one message.
#ifndef TN_ROS_TF_H
#define TN_ROS_TF_H

#include <stdint.h>

#include "base/result.h"
#include "geometry/pose.h"
#include "ros/node.h"

#define TN_TF_MAX_STATIC 64
#define TN_TF_FRAME_MAX  128

struct tn_tf_broadcaster;

/// @return TN_OK; as tn_ros_publisher_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_tf_broadcaster_create(struct tn_ros_node *node,
                                                     struct tn_tf_broadcaster **out,
                                                     struct tn_error *err);

/// Accepts NULL, nulls the pointer; call before the node goes. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_tf_broadcaster_destroy(struct tn_tf_broadcaster **broadcaster);

/// Names one transform: pose of `child` in `parent`.
struct tn_tf {
    int64_t stamp_ros_ns;
    const char *parent, *child;
    struct tn_pose T_parent_child;
};

/// Sends `n` (<= 64) moving frames in one message. @return TN_OK; TN_ERR_LIMIT; TN_ERR_NOT_FINITE;
/// TN_ERR_TRANSPORT. Thread: the loop's. Allocates: never once warm. Blocks: never.
enum tn_result tn_tf_send(struct tn_tf_broadcaster *broadcaster, const struct tn_tf *transforms,
                          uint32_t n);

/// Adds or replaces a static frame (by child) and publishes all of them.
/// @return as tn_tf_send(); TN_ERR_LIMIT: TN_TF_MAX_STATIC frames or a name over TN_TF_FRAME_MAX.
/// Thread: the loop's. Allocates: never once warm. Blocks: never.
enum tn_result tn_tf_send_static(struct tn_tf_broadcaster *broadcaster,
                                 const struct tn_tf *transform);

#endif
