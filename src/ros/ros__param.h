// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: parameters every node has beside its own, and matching of node patterns.
#ifndef TN_ROS_ROS__PARAM_H
#define TN_ROS_ROS__PARAM_H

#include <stdbool.h>

#include "ros/param.h"
#include "ros/qos.h"
#include "ros/ros__yaml.h"
#include "tn_msgs/rcl_interfaces.h"

struct tn_ros_node;

struct tn_ros__qos_override;

/// What every ROS node accepts.
struct tn_ros__builtin_params {
    bool use_sim_time;
    bool start_type_description_service;
    struct tn_ros__qos_override *qos_overrides; ///< owned; in the order they were given
};

/// @return the built-in parameters as a table. Thread: any. Allocates: never. Blocks: never.
struct tn_ros_param_set tn_ros__builtin_param_set(struct tn_ros__builtin_params *builtin);
/// Frees what a load left in it. @return nothing. Thread: one caller. Allocates: never. Blocks:
/// never.
void tn_ros__builtin_params_fini(struct tn_ros__builtin_params *builtin);

/// Applies `qos_overrides.*` to the QoS of an endpoint that is about to be created, and declares
/// the outcome as read-only parameters of the node.
/// @param topic   the resolved name
/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__qos_override(struct tn_ros_node *node, const char *topic,
                                                 bool is_publisher, struct tn_ros_qos *io_qos,
                                                 struct tn_error *err);

/// `use_sim_time` changed while the node runs.
typedef void (*tn_ros__sim_time_fn)(void *context, bool use_sim_time);

/// Says who is told when use_sim_time changes; one per node, NULL: nobody. The value at start is
/// tn_ros__params_use_sim_time().
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__params_on_sim_time(struct tn_ros_node *node, tn_ros__sim_time_fn fn, void *context);

/// @return the value of use_sim_time now. Thread: the loop's. Allocates: never. Blocks: never.
bool tn_ros__params_use_sim_time(const struct tn_ros_node *node);

/// As tn_ros_params_load(), and says what the built-in parameters were set to.
/// @param out_builtin   to be given to tn_ros__builtin_params_fini(); untouched on error
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

/// @return elements an array parameter may have. Thread: any. Allocates: never. Blocks: never.
size_t tn_ros__param_capacity(const struct tn_ros_param *param);
/// Puts what was read from YAML into a config, if it is of the right type and allowed.
/// @param file   for messages
/// @return as tn_ros_params_load(). Thread: one caller. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__param_put_yaml(const struct tn_ros_param *param,
                                                   const struct tn_ros__yaml_value *value,
                                                   const char *file, void *config,
                                                   struct tn_error *err);
/// @return whether the table gives a range. Thread: any. Allocates: never. Blocks: never.
bool tn_ros__param_has_range(const struct tn_ros_param *param);
/// @return whether a number is allowed: inside the range and on a step, and finite where there is
/// no range. Never for NaN. Thread: any. Allocates: never. Blocks: never.
bool tn_ros__param_in_range(const struct tn_ros_param *param, double value);
/// @return whether `text` is one of "a|b|c". Thread: any. Allocates: never. Blocks: never.
bool tn_ros__param_is_choice(const char *choices, const char *text, size_t size);

/// Reads a whole parameter file; the caller frees the text.
/// @return TN_OK; TN_ERR_NOT_FOUND, TN_ERR_IO, TN_ERR_LIMIT: more than 1 MiB; TN_ERR_NO_MEMORY.
/// Thread: any. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result tn_ros__params_read_file(const char *path, char **out_text,
                                                     size_t *out_size, struct tn_error *err);

/// Turns what was read from YAML into a value, with the types of tn_ros__scalar_read().
/// @return as tn_ros_param_value_parse(). Thread: any. Allocates: from the arena. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros__param_value_from_yaml(const struct tn_ros__yaml_value *value, struct tn_arena *arena,
                              struct rcl_interfaces_msg_ParameterValue *out, struct tn_error *err);

#endif
