// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: types that are only named, and recordings that wait for a publisher.
#ifndef TN_ROS_ROS__RECORD_H
#define TN_ROS_ROS__RECORD_H

#include "ros/record.h"
#include "ros/transport_events.h"

struct tn_ros__named_type;

/// Builds a type from names. @return TN_OK; TN_ERR_INVALID_ARGUMENT; TN_ERR_NO_MEMORY.
/// Thread: any. Allocates: yes (free() gives it back). Blocks: never.
TN_NODISCARD enum tn_result tn_ros__named_type_create(const char *name, const char *hash,
                                                      struct tn_ros__named_type **out_type,
                                                      struct tn_error *err);
/// @return the type. Thread: any. Allocates: never. Blocks: never.
const struct tn_type *tn_ros__named_type_get(const struct tn_ros__named_type *type);

/// An endpoint was discovered: recordings may have waited for it. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__records_discovered(struct tn_ros_context *context,
                                const struct tn_transport_peer *peer);
/// Ends the recordings of a node. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_ros__records_destroy(struct tn_ros_node *node);

#endif
