// SPDX-License-Identifier: Apache-2.0
/// @file
/// ROS names: validation, expansion (`~`, relative, absolute), remapping, and their DDS spelling.
#ifndef TN_ROS_NAMES_H
#define TN_ROS_NAMES_H

#include <stdint.h>

#include "base/result.h"
#include "ros/args.h"

/// Longest fully qualified name, including its NUL.
#define TN_ROS_NAME_MAX 256

/// Expands `name` in the context of a node and applies the remap rules that hold for it (first
/// match wins).
/// @param ns          node namespace, absolute ("/" or "/a/b")
/// @param node        node base name
/// @param name        "x", "~/x", "/x"; `{node}`, `{ns}` substitutions are accepted
/// @param out_fqn     TN_ROS_NAME_MAX bytes
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: not a valid name (err says which character and why);
/// TN_ERR_LIMIT. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_resolve_name(const struct tn_ros_args *args, const char *ns,
                                                const char *node, const char *name, char *out_fqn,
                                                struct tn_error *err);

/// Checks a node name ([A-Za-z_][A-Za-z0-9_]*, at most 255). @return TN_OK or
/// TN_ERR_INVALID_ARGUMENT. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_check_node_name(const char *name, struct tn_error *err);

/// Normalises a namespace ("" → "/", "a" → "/a", trailing slash dropped) and checks it.
/// @param out_ns   TN_ROS_NAME_MAX bytes. @return TN_OK; TN_ERR_INVALID_ARGUMENT; TN_ERR_LIMIT.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_normalise_namespace(const char *ns, char *out_ns,
                                                       struct tn_error *err);

#endif
