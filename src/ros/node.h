// SPDX-License-Identifier: Apache-2.0
/// @file
/// A ROS 2 node: name, namespace, parameters, logger, and the topics it owns.
#ifndef TN_ROS_NODE_H
#define TN_ROS_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "base/time_map.h"
#include "ros/clock.h"
#include "ros/context.h"
#include "ros/names.h"
#include "ros/param.h"
#include "ros/qos.h"
#include "ros/service.h"
#include "rosidl/type.h"

struct tn_ros_node;
struct tn_ros_publisher;
struct tn_ros_subscription;

struct tn_ros_node_options {
    const char *name;               ///< default; `__node:=` wins
    const char *ns;                 ///< default namespace, "" = "/"; `__ns:=` wins
    struct tn_ros_param_set params; ///< zero: no parameters; table and config must outlive the node
    uint32_t arena_size;            ///< bytes for decoded sequences per callback; 0: 256 KiB
    bool no_parameter_services;     ///< rclcpp's start_parameter_services and type description, off
    bool no_parameter_events;       ///< rclcpp's start_parameter_event_publisher, off
};

/// Creates a node: resolves its name, loads its parameters, announces it.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: name; parameter errors as tn_ros_params_load();
/// TN_ERR_TRANSPORT;
///         TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: disk (parameter files).
TN_NODISCARD enum tn_result tn_ros_node_create(struct tn_ros_context *context,
                                               const struct tn_ros_node_options *options,
                                               struct tn_ros_node **out_node, struct tn_error *err);

/// Destroys the node with all of its publishers, subscriptions and services. Accepts NULL, nulls
/// the pointer.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_node_destroy(struct tn_ros_node **node);

/// @return "/ns/name". Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_node_fqn(const struct tn_ros_node *node);
/// @return the base name. Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_node_name(const struct tn_ros_node *node);
/// @return the namespace, "/" or "/a". Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_node_namespace(const struct tn_ros_node *node);
/// @return the node's logger (console and `/rosout`). Thread: any. Allocates: never. Blocks: never.
const struct tn_logger *tn_ros_node_logger(const struct tn_ros_node *node);
/// @return its context. Thread: any. Allocates: never. Blocks: never.
struct tn_ros_context *tn_ros_node_context(const struct tn_ros_node *node);

// ---- publishers ----

/// @param topic   name to expand and remap
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: name or QoS; TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_publisher_create(struct tn_ros_node *node,
                                                    const struct tn_type *type, const char *topic,
                                                    struct tn_ros_qos qos,
                                                    struct tn_ros_publisher **out_publisher,
                                                    struct tn_error *err);

/// Removes one publisher before its node goes. Accepts NULL, nulls the pointer. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_publisher_destroy(struct tn_ros_publisher **publisher);

/// Encodes and publishes a message of the publisher's type. A message that would reach nobody is
/// not looked at: no subscription matches, and the QoS keeps nothing for later ones.
/// @return TN_OK; TN_ERR_LIMIT: a bound of the type is exceeded or the message is over 16 MiB;
/// TN_ERR_TRANSPORT. Thread: the loop's. Allocates: never once warm. Blocks: never with KEEP_LAST.
enum tn_result tn_ros_publish(struct tn_ros_publisher *publisher, const void *message);

/// Publishes bytes (encapsulation header first) as they are. @return TN_OK; TN_ERR_MALFORMED: no
/// header; TN_ERR_LIMIT; TN_ERR_TRANSPORT. Thread: the loop's. Allocates: never once warm. Blocks:
/// never with KEEP_LAST.
enum tn_result tn_ros_publish_cdr(struct tn_ros_publisher *publisher, const uint8_t *cdr,
                                  size_t size);

/// @return matched readers. Thread: the loop's. Allocates: never. Blocks: never.
uint32_t tn_ros_publisher_matched(const struct tn_ros_publisher *publisher);
/// @return the resolved topic name. Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_publisher_topic(const struct tn_ros_publisher *publisher);

// ---- subscriptions ----

struct tn_ros__clock;

/// What is known about a received message.
struct tn_ros_message_info {
    int64_t source_wall_ns;      ///< the writer's wall clock at publication
    int64_t arrival_steady_ns;   ///< when it arrived here
    int64_t delivered_steady_ns; ///< when the callback was entered
    struct tn_gid writer;
    uint64_t sequence; ///< of the writer, 0: unknown
    bool is_age_known; ///< the writer's time map is established
    int64_t
        age_ns;   ///< delivery minus publication by the writer's time map, >= 0; INT64_MAX: unknown
    bool is_late; ///< taken in a late loop pass: counts as stale whatever its age
    const struct tn_time_map *map;     ///< of this writer; valid during the callback
    const struct tn_ros__clock *clock; ///< private: of the node
    const uint8_t *cdr;                ///< the bytes, valid during the callback
    size_t cdr_size;
};

/// `message` points to the decoded struct of the subscription's type (views into the CDR buffer and
/// the node's arena); both are valid until the callback returns. NULL for
/// tn_ros_subscription_create_raw().
typedef void (*tn_ros_message_fn)(void *context, const void *message,
                                  const struct tn_ros_message_info *info);

/// Messages that do not decode are counted, reported at most once a second, and dropped.
/// @return as tn_ros_publisher_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_subscription_create(struct tn_ros_node *node, const struct tn_type *type, const char *topic,
                           struct tn_ros_qos qos, tn_ros_message_fn callback, void *context,
                           struct tn_ros_subscription **out_subscription, struct tn_error *err);

/// A subscription that hands out the bytes only: `message` is NULL, `info->cdr` has them.
/// @param type   names the type on the wire; nothing is decoded
/// @return as tn_ros_publisher_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_subscription_create_raw(struct tn_ros_node *node, const struct tn_type *type,
                               const char *topic, struct tn_ros_qos qos, tn_ros_message_fn callback,
                               void *context, struct tn_ros_subscription **out_subscription,
                               struct tn_error *err);

/// Removes one subscription before its node goes. Accepts NULL, nulls the pointer. Not from inside
/// its own callback.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_subscription_destroy(struct tn_ros_subscription **subscription);

/// @return matched writers. Thread: the loop's. Allocates: never. Blocks: never.
uint32_t tn_ros_subscription_matched(const struct tn_ros_subscription *subscription);

/// @return messages dropped because they did not decode. Thread: the loop's. Allocates: never.
/// Blocks: never.
uint64_t tn_ros_subscription_rejected(const struct tn_ros_subscription *subscription);

/// The age in real ns of something that carries ROS time (header.stamp).
///
/// Wall time: tn_ros_wall_age(). With use_sim_time the stamp is taken for simulated time: it is as
/// old as the newest tick of `/clock` that it does not precede, and never younger than the message
/// that brought it. While `/clock` stands still all stamps grow old: nothing proves that they are
/// new. Sender and receiver must have use_sim_time alike: a stamp of the other clock is refused as
/// long as the two clocks differ, but one that runs a little ahead of the other cannot be told.
/// @param now_steady_ns   judged at this moment
/// @return TN_OK and the age (negative: ahead of the clock); TN_ERR_STALE: nothing is known (the
/// writer's map is not established, `is_late`, no `/clock` yet, or a stamp from before a jump).
/// Thread: inside the callback. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_stamp_age(const struct tn_ros_message_info *info,
                                             int64_t stamp_ros_ns, int64_t now_steady_ns,
                                             int64_t *out_age_ns);

/// The age of something the message's writer stamped on its wall clock whatever ROS time is, as
/// devices do, through the writer's map.
/// @param now_steady_ns   judged at this moment
/// @return TN_OK and the age (negative: from the future); TN_ERR_STALE: the map is not established
/// or `is_late`. Thread: inside the callback. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_wall_age(const struct tn_ros_message_info *info,
                                            int64_t stamp_wall_ns, int64_t now_steady_ns,
                                            int64_t *out_age_ns);

#endif
