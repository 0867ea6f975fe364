// SPDX-License-Identifier: Apache-2.0
/// @file
/// Topics as bytes: subscribe to any topic by name, types unknown to this program included, and
/// publish bytes under a type that is only named. Nothing is decoded.
///
/// What a recorder gets is what was sent: encapsulation header, byte order and padding as the
/// publisher made them, with its source stamp, its gid and its sequence number, when it arrived,
/// and how many messages are missing before it. The bytes are a view into the received sample: the
/// one copy is the caller's own. Once the traffic's sizes have been seen nothing allocates.
#ifndef TN_ROS_RECORD_H
#define TN_ROS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros/node.h"

/// Recordings in one process: some robots full of topics.
#define TN_ROS_RECORDS_MAX 1024u
/// What a recording keeps until the loop takes it: a second of the fastest topics, and all of what
/// a /rosout of another node holds for late joiners.
#define TN_ROS_RECORD_DEPTH 1000u

struct tn_ros_record;

struct tn_ros_record_options {
    const char *type; ///< "pkg/msg/T"; NULL: that of the first publisher that is found
    const char *hash; ///< "RIHS01_…"; NULL: as announced by that publisher, if it does
    const struct tn_ros_qos *qos; ///< NULL: so that all publishers found at first match, as
                                  ///< `ros2 bag record` does it
    uint32_t depth;               ///< with qos NULL; 0: TN_ROS_RECORD_DEPTH
};

/// One message; valid during the callback.
struct tn_ros_record_message {
    const uint8_t *cdr; ///< with encapsulation header, byte for byte as it was sent
    size_t size;
    int64_t source_wall_ns;    ///< the publisher's wall clock at publication
    int64_t arrival_steady_ns; ///< when it was complete here
    int64_t arrival_wall_ns;   ///< the same moment on this machine's wall clock
    struct tn_gid writer;
    uint64_t sequence;  ///< of the writer, 0: unknown
    uint64_t n_missing; ///< messages of any publisher that are missing since the last message
};

typedef void (*tn_ros_record_fn)(void *context, struct tn_ros_record *record,
                                 const struct tn_ros_record_message *message);

/// Begins to record a topic. Without a publisher it waits for the first one (unless type and QoS
/// are given): nothing is polled. Publishers that come later with another QoS or type are warned
/// about as with any subscription.
/// @param topic     name to expand and remap
/// @param options   NULL: all found by itself
/// @param callback  not called before this returns; may not destroy the record
/// @return TN_OK: recording or waiting; TN_ERR_INVALID_ARGUMENT: name, type, hash or QoS;
/// TN_ERR_LIMIT: TN_ROS_RECORDS_MAX; TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_record_create(struct tn_ros_node *node, const char *topic,
                                                 const struct tn_ros_record_options *options,
                                                 tn_ros_record_fn callback, void *context,
                                                 struct tn_ros_record **out_record,
                                                 struct tn_error *err);

/// Ends it; the node's end does so too. Accepts NULL, nulls the pointer. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_record_destroy(struct tn_ros_record **record);

/// What is known about a recording. Texts live as long as it does.
struct tn_ros_record_info {
    const char *topic;
    bool is_open;            ///< false: waiting for a publisher; then type and hash are ""
    const char *type, *hash; ///< hash "": nobody announced one
    struct tn_ros_qos qos;   ///< of the subscription
    uint64_t n_messages, n_bytes;
    uint64_t n_lost; ///< see tn_ros_subscription_lost()
};

/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_record_get_info(const struct tn_ros_record *record, struct tn_ros_record_info *out);

/// Creates a publisher of a type that is only named, for tn_ros_publish_cdr(); tn_ros_publish() on
/// it returns TN_ERR_UNSUPPORTED.
/// @param type   "pkg/msg/T"; anything else is taken as a DDS type name as it is
/// @param hash   "RIHS01_…"; "" or NULL: none is announced
/// @return as tn_ros_publisher_create(); TN_ERR_INVALID_ARGUMENT: type or hash too.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_publisher_create_named(struct tn_ros_node *node,
                                                          const char *type, const char *hash,
                                                          const char *topic, struct tn_ros_qos qos,
                                                          struct tn_ros_publisher **out_publisher,
                                                          struct tn_error *err);

#endif
