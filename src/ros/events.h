// SPDX-License-Identifier: Apache-2.0
/// @file
/// What happens to publishers and subscriptions besides messages: who came and went, missed
/// deadlines, liveliness, losses, and peers that do not fit.
///
/// One callback per publisher or subscription gets all kinds. It may be registered at any time:
/// what happened before is told in the next pass of the loop, summed up. Nothing is polled.
///
/// Peers that do not fit are also logged by the node as a warning, once for each peer and policy,
/// with both values, the peer's node and the cure, whether there is a callback or not.
#ifndef TN_ROS_EVENTS_H
#define TN_ROS_EVENTS_H

#include <stdint.h>

#include "ros/node.h"

enum tn_ros_event_kind {
    TN_ROS_EVENT_MATCHED,            ///< total, current
    TN_ROS_EVENT_DEADLINE_MISSED,    ///< total: of this publisher, or of what is subscribed to
    TN_ROS_EVENT_LIVELINESS_LOST,    ///< publishers; total: leases that ran out
    TN_ROS_EVENT_LIVELINESS_CHANGED, ///< subscriptions; total, current: alive, not_alive
    TN_ROS_EVENT_MESSAGE_LOST,       ///< subscriptions; total: see tn_ros_subscription_lost()
    TN_ROS_EVENT_INCOMPATIBLE_QOS,   ///< total: pairs of peer and policy; conflict
    TN_ROS_EVENT_INCOMPATIBLE_TYPE,  ///< total: peers; conflict
};

/// A peer on the same topic that is not connected, and why.
struct tn_ros_conflict {
    const char *policy;    ///< "RELIABILITY", …; "TYPE" for another type
    const char *offered;   ///< the publisher's value: "BEST_EFFORT", "0.5 s", "infinite", a type
    const char *requested; ///< the subscription's
    struct tn_gid peer;
    const char *peer_node; ///< "/ns/name"; "" when nobody has announced it
    const char *cure;      ///< what to change, one line
};

struct tn_ros_event {
    enum tn_ros_event_kind kind;
    uint64_t total;   ///< since the endpoint was made
    uint64_t change;  ///< since the last event of this kind
    uint32_t current; ///< matched, or alive, now
    int32_t current_change;
    uint32_t not_alive; ///< matched publishers that are silent
    int32_t not_alive_change;
    const struct tn_ros_conflict
        *conflict; ///< of the last one; valid during the callback; else NULL
};

/// May destroy any endpoint but the own one.
typedef void (*tn_ros_event_fn)(void *context, const struct tn_ros_event *event);

/// @param callback   NULL: no longer
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_publisher_on_event(struct tn_ros_publisher *publisher, tn_ros_event_fn callback,
                               void *context);
/// See tn_ros_publisher_on_event(). @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_ros_subscription_on_event(struct tn_ros_subscription *subscription,
                                  tn_ros_event_fn callback, void *context);

/// Messages that matched publishers sent and this subscription did not get: gaps in their sequence
/// numbers. The network lost them (best effort), or the history here or there was full before they
/// were taken. What a publisher sent before it was first heard does not count, and neither what it
/// sent last before it fell silent.
/// @return how many. Thread: the loop's. Allocates: never. Blocks: never.
uint64_t tn_ros_subscription_lost(const struct tn_ros_subscription *subscription);

/// A sign of life without a message, for publishers with TN_ROS_LIVELINESS_MANUAL_BY_TOPIC: within
/// each lease a message or a call of this is due. @return TN_OK; TN_ERR_TRANSPORT.
/// Thread: the loop's. Allocates: never. Blocks: never.
enum tn_result tn_ros_publisher_assert_liveliness(struct tn_ros_publisher *publisher);

/// @return the QoS it was created with, every policy resolved. Thread: the loop's. Allocates:
/// never. Blocks: never.
struct tn_ros_qos tn_ros_publisher_qos(const struct tn_ros_publisher *publisher);
/// See tn_ros_publisher_qos(). @return the QoS. Thread: the loop's. Allocates: never. Blocks:
/// never.
struct tn_ros_qos tn_ros_subscription_qos(const struct tn_ros_subscription *subscription);

#endif
