// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: parameters every node has beside its own, and matching of node patterns.
#ifndef TN_ROS_ROS__PARAM_H
#define TN_ROS_ROS__PARAM_H

#include <stdbool.h>

#include "ros/param.h"

/// What every ROS node accepts.
struct tn_ros__builtin_params {
    bool use_sim_time;
};

/// As tn_ros_params_load(), and says what the built-in parameters were set to.
/// @return as tn_ros_params_load(). Thread: one caller. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result tn_ros__params_load(const struct tn_ros_param_set *set,
                                                const struct tn_ros_args *args, const char *node_ns,
                                                const char *node_name,
                                                struct tn_ros__builtin_params *out_builtin,
                                                struct tn_error *err);

/// How a section's node pattern and a node relate.
enum tn_ros__match { TN_ROS__MATCH_NONE, TN_ROS__MATCH_WILDCARD, TN_ROS__MATCH_EXACT };

/// Matches "/a/b", "a/b", "/**", "/*/b", … against a fully qualified node name; `*` stands for one
/// part, `**` for any number of them.
/// @return how they match. Thread: any. Allocates: never. Blocks: never.
enum tn_ros__match tn_ros__match_node(const char *pattern, const char *fqn);

#endif
