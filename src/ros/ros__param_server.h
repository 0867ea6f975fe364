// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what a running node does with its parameters: the six services, `/parameter_events`,
/// the rows that QoS overrides add, `~/get_type_description`.
///
/// None of it is on the control path: requests may allocate.
#ifndef TN_ROS_ROS__PARAM_SERVER_H
#define TN_ROS_ROS__PARAM_SERVER_H

#include "base/log.h"
#include "base/loop.h"
#include "ros/node.h"
#include "ros/ros__param.h"

/// Rows that belong together: the built-in ones, the node's own, those of one endpoint's QoS.
struct tn_ros__param_group {
    struct tn_ros__param_group *next;
    struct tn_ros_param_set set;
    bool is_announced; ///< its rows were published as new
};

/// One row and where its value is.
struct tn_ros__param_ref {
    const struct tn_ros__param_group *group;
    const struct tn_ros_param *param;
};

enum tn_ros__param_service {
    TN_ROS__PARAM_GET,
    TN_ROS__PARAM_GET_TYPES,
    TN_ROS__PARAM_SET,
    TN_ROS__PARAM_SET_ATOMICALLY,
    TN_ROS__PARAM_DESCRIBE,
    TN_ROS__PARAM_LIST,
    TN_ROS__PARAM_SERVICES
};

/// Part of a node.
struct tn_ros__param_server {
    struct tn_ros_node *node;
    struct tn_ros__param_group builtin, own; ///< the heads of `groups`
    struct tn_ros__param_group *groups;
    uint32_t n_rows;
    struct tn_ros_service *services[TN_ROS__PARAM_SERVICES];
    struct tn_ros_service *type_description;
    struct tn_ros_publisher *events; ///< NULL: none
    struct tn_loop_async announce;   ///< new rows of one pass are announced together
    bool is_open, is_hidden; ///< hidden: nobody can ask and nobody is told, so rows are not made
    struct tn_log_throttle throttle;
};

// ---- param_server.c ----

/// Starts services and events of a node whose parameters are loaded.
/// @return as tn_ros_service_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__param_server_open(struct tn_ros_node *node,
                                                      const struct tn_ros_node_options *options,
                                                      struct tn_error *err);
/// Ends it and frees rows; the node's services and publishers are destroyed by the node.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__param_server_close(struct tn_ros_node *node);

/// Adds rows; they are announced in the next pass. The group is freed with free() when the node
/// goes. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__param_server_add(struct tn_ros_node *node, struct tn_ros__param_group *group);

/// @return the row of a name; `param` is NULL when there is none. Thread: the loop's. Allocates:
/// never. Blocks: never.
struct tn_ros__param_ref tn_ros__param_find(const struct tn_ros__param_server *server,
                                            struct tn_str name);

/// Lists every row, ordered by name.
/// @return (server->n_rows) rows, or NULL: arena used up. Thread: the loop's. Allocates: from the
/// arena. Blocks: never.
struct tn_ros__param_ref *tn_ros__param_rows(const struct tn_ros__param_server *server,
                                             struct tn_arena *arena);

/// Warns, at most once a second, that a request needs more memory than the node's arena has.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__param_too_large(struct tn_ros__param_server *server, const char *what);

// ---- param_message.c ----

/// Reads a value as it is now; texts and numbers are views into the config.
/// @return TN_OK; TN_ERR_NO_MEMORY: arena used up. Thread: the loop's. Allocates: from the arena.
/// Blocks: never.
TN_NODISCARD enum tn_result tn_ros__param_value_of(struct tn_ros__param_ref ref,
                                                   struct tn_arena *arena,
                                                   struct rcl_interfaces_msg_ParameterValue *out);
/// Fills a descriptor; texts are views into the table or lie in the arena.
/// @return as tn_ros__param_value_of(). Thread: the loop's. Allocates: from the arena. Blocks:
/// never.
TN_NODISCARD enum tn_result
tn_ros__param_descriptor_of(struct tn_ros__param_ref ref, struct tn_arena *arena,
                            struct rcl_interfaces_msg_ParameterDescriptor *out);
/// Puts a value of a message into a config, if it is of the right type and allowed.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: type; TN_ERR_RANGE; the reason in rclcpp's words in err.
/// Thread: the loop's. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__param_put(const struct tn_ros_param *param,
                                              const struct rcl_interfaces_msg_ParameterValue *value,
                                              uint8_t *config, struct tn_error *err);

// ---- param_set.c ----

/// Sets parameters of a running node: all or none. Tells the node and `/parameter_events`.
/// @return TN_OK; else the reason in rclcpp's words in err: TN_ERR_NOT_FOUND: not declared;
/// TN_ERR_PERMISSION: read-only; TN_ERR_INVALID_ARGUMENT, TN_ERR_RANGE; what the node's check says;
/// TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__params_set(struct tn_ros__param_server *server,
                                               const struct rcl_interfaces_msg_Parameter *params,
                                               uint32_t n, struct tn_error *err);

/// Publishes rows that were added since the last time. @return nothing.
/// Thread: the loop's. Allocates: yes. Blocks: never.
void tn_ros__params_announce(struct tn_ros__param_server *server);

// ---- param_qos.c ----

/// Takes `qos_overrides.<topic>.<publisher|subscription>.<policy>` at load.
/// @param is_strict   whether an unknown policy is an error
/// @return TN_OK; TN_ERR_NOT_FOUND: no such policy; TN_ERR_INVALID_ARGUMENT, TN_ERR_RANGE: value;
/// TN_ERR_NO_MEMORY. Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__qos_override_take(struct tn_ros__builtin_params *builtin,
                                                      const char *name,
                                                      const struct tn_ros__yaml_value *value,
                                                      const char *file, bool is_strict,
                                                      struct tn_error *err);

// ---- type_description.c ----

/// Answers `~/get_type_description` from the types of the node's endpoints.
/// @param context   the node
/// @return nothing. Thread: the loop's. Allocates: from the node's arena. Blocks: never.
void tn_ros__type_description_answer(void *context, const void *request, void *response);

#endif
