// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what publishers and subscriptions remember about their events, and the reports about
/// peers that do not fit.
#ifndef TN_ROS_ROS__EVENTS_H
#define TN_ROS_ROS__EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ros/events.h"
#include "ros/ros__rxo.h"
#include "ros/transport_events.h"

#define TN_ROS__VALUE_MAX TN_ROS_NAME_MAX
#define TN_ROS__CURE_MAX  (TN_ROS_NAME_MAX + 256)

/// Peers that did not fit, of one kind.
struct tn_ros__misfits {
    uint64_t n, n_told;
};

/// Part of each publisher and subscription.
struct tn_ros__events {
    tn_ros_event_fn callback; ///< NULL: nobody asks
    void *context;
    struct tn_transport_status told; ///< what the callback knows
    uint64_t n_lost, n_lost_told;
    struct tn_ros__misfits qos, type;
    // the last one of the two
    enum tn_ros__policy policy;
    struct tn_gid peer;
    char offered[TN_ROS__VALUE_MAX], requested[TN_ROS__VALUE_MAX];
    char peer_node[2 * TN_ROS_NAME_MAX], cure[TN_ROS__CURE_MAX];
};

struct tn_ros__conflicts;

/// Tells what changed. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__publisher_tell(struct tn_ros_publisher *publisher);
/// See tn_ros__publisher_tell(). @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_ros__subscription_tell(struct tn_ros_subscription *subscription);

/// Fills in wishes ("system default", "best available") from the peers that are known now.
/// @return nothing. Thread: the loop's. Allocates: with best available. Blocks: never.
void tn_ros__qos_settle(struct tn_ros_context *context, const char *dds_topic, bool is_publisher,
                        struct tn_ros_qos *io_qos);

/// Begins to look for peers that do not fit. @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_TRANSPORT.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__conflicts_open(struct tn_ros_context *context,
                                                   struct tn_error *err);
/// Reports what waits for a name, and ends it. @return nothing. Thread: the loop's. Allocates:
/// never. Blocks: never.
void tn_ros__conflicts_close(struct tn_ros_context *context);

#endif
