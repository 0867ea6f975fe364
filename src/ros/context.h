// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a process has once: the loop, the command line, one DDS participant, the ROS graph
/// announcement, `/rosout`.
#ifndef TN_ROS_CONTEXT_H
#define TN_ROS_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"
#include "base/result.h"
#include "ros/args.h"
#include "ros/transport.h"

struct tn_ros_context;

/// Creates the context: parses `--ros-args`, reads the environment (ROS_DOMAIN_ID,
/// ROS_LOCALHOST_ONLY, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS, CYCLONEDDS_URI), joins the
/// domain.
/// @param loop   must outlive the context
/// @return TN_OK; TN_ERR_SYNTAX: command line; TN_ERR_INVALID_ARGUMENT: environment (err names
/// variable, value,
///         allowed values); TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY.
/// Thread: the loop's. Allocates: yes. Blocks: some ms.
TN_NODISCARD enum tn_result tn_ros_context_create(struct tn_loop *loop, int argc,
                                                  const char *const *argv,
                                                  struct tn_ros_context **out_context,
                                                  struct tn_error *err);

/// Leaves the graph. Every node must have been destroyed. Accepts NULL, nulls the pointer. @return
/// nothing. Thread: the loop's. Allocates: never. Blocks: some ms.
void tn_ros_context_destroy(struct tn_ros_context **context);

/// @return the loop. Thread: any. Allocates: never. Blocks: never.
struct tn_loop *tn_ros_context_loop(const struct tn_ros_context *context);

/// @return the parsed command line. Thread: any. Allocates: never. Blocks: never.
const struct tn_ros_args *tn_ros_context_args(const struct tn_ros_context *context);

/// Says whether this process also runs nodes that a watchdog node in it watches.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_context_set_mixed(struct tn_ros_context *context, bool is_mixed);

/// @return what tn_ros_context_set_mixed() said, false by default: a node with a watchdog may count
/// on outliving a hang of those it watches. Thread: any. Allocates: never. Blocks: never.
bool tn_ros_context_is_mixed(const struct tn_ros_context *context);

/// @return the transport. Thread: any. Allocates: never. Blocks: never.
struct tn_transport *tn_ros_context_transport(const struct tn_ros_context *context);

#endif
