// SPDX-License-Identifier: Apache-2.0
/// @file
/// Parameters of another node: list, get, types, set, describe, and what `ros2 param dump` and
/// `ros2 param load` do.
///
/// Requests and responses are the messages of rcl_interfaces. A request is read during the call
/// only; a response is valid during its callback only, and NULL when the call timed out. Callbacks
/// run on the loop's thread, exactly once per successful call.
#ifndef TN_ROS_PARAM_CLIENT_H
#define TN_ROS_PARAM_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/result.h"
#include "ros/node.h"
#include "tn_msgs/rcl_interfaces.h"

struct tn_ros_param_client;

/// Creates the clients of a node's six parameter services.
/// @param target   fully qualified name of the other node, "/ns/name"
/// @return as tn_ros_client_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_param_client_create(struct tn_ros_node *node, const char *target,
                                                       struct tn_ros_param_client **out_client,
                                                       struct tn_error *err);

/// Removes them; callbacks of calls that still wait never come. Accepts NULL, nulls the pointer.
/// Not from inside a callback of it.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_param_client_destroy(struct tn_ros_param_client **client);

/// @return whether all six services of the other node are matched. Thread: the loop's. Allocates:
/// never. Blocks: never.
bool tn_ros_param_client_is_ready(struct tn_ros_param_client *client);

/// @return the other node's name, as given. Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_param_client_target(const struct tn_ros_param_client *client);

/// Names of parameters below prefixes.
/// @param on_response   gets a rcl_interfaces_srv_ListParameters_Response
/// @return as tn_ros_call(). Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_param_client_list(struct tn_ros_param_client *client,
                         const struct rcl_interfaces_srv_ListParameters_Request *request,
                         int64_t timeout_ns, tn_ros_response_fn on_response, void *context);

/// Values. A node of rclcpp answers without any value when it does not know one of the names; one
/// of rclpy says PARAMETER_NOT_SET for that name.
/// @param on_response   gets a rcl_interfaces_srv_GetParameters_Response
/// @return as tn_ros_call(). Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_param_client_get(struct tn_ros_param_client *client,
                        const struct rcl_interfaces_srv_GetParameters_Request *request,
                        int64_t timeout_ns, tn_ros_response_fn on_response, void *context);

/// Types, as numbers of rcl_interfaces/msg/ParameterType; unknown names as
/// tn_ros_param_client_get().
/// @param on_response   gets a rcl_interfaces_srv_GetParameterTypes_Response
/// @return as tn_ros_call(). Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_param_client_get_types(struct tn_ros_param_client *client,
                              const struct rcl_interfaces_srv_GetParameterTypes_Request *request,
                              int64_t timeout_ns, tn_ros_response_fn on_response, void *context);

/// Sets values one by one; each has its own result.
/// @param on_response   gets a rcl_interfaces_srv_SetParameters_Response
/// @return as tn_ros_call(). Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_param_client_set(struct tn_ros_param_client *client,
                        const struct rcl_interfaces_srv_SetParameters_Request *request,
                        int64_t timeout_ns, tn_ros_response_fn on_response, void *context);

/// Sets all values or none.
/// @param on_response   gets a rcl_interfaces_srv_SetParametersAtomically_Response
/// @return as tn_ros_call(). Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_param_client_set_atomically(
    struct tn_ros_param_client *client,
    const struct rcl_interfaces_srv_SetParametersAtomically_Request *request, int64_t timeout_ns,
    tn_ros_response_fn on_response, void *context);

/// Descriptors; unknown names as tn_ros_param_client_get().
/// @param on_response   gets a rcl_interfaces_srv_DescribeParameters_Response
/// @return as tn_ros_call(). Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_param_client_describe(struct tn_ros_param_client *client,
                             const struct rcl_interfaces_srv_DescribeParameters_Request *request,
                             int64_t timeout_ns, tn_ros_response_fn on_response, void *context);

/// Ends a dump. `yaml` is what `ros2 param dump` prints, valid during the call; NULL with an error:
/// TN_ERR_TIMEOUT, TN_ERR_MALFORMED (the node answered with another number of values than names),
/// TN_ERR_NO_MEMORY.
typedef void (*tn_ros_param_dump_fn)(void *context, const char *yaml, size_t size,
                                     enum tn_result result);

/// Reads all parameters of the other node as YAML that a parameter file may contain: list, get,
/// print. One at a time.
/// @param timeout_ns   of each of both calls
/// @return as tn_ros_call(); TN_ERR_BUSY: another dump of this client runs.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_param_client_dump(struct tn_ros_param_client *client,
                                                     int64_t timeout_ns,
                                                     tn_ros_param_dump_fn on_done, void *context);

/// Most parameters tn_ros_param_file_read() takes from a file.
#define TN_ROS_PARAM_FILE_MAX 1024

/// Reads the sections of a parameter file that match a node, for tn_ros_param_client_set(): what
/// `ros2 param load` does. A later value of the same name replaces an earlier one.
/// @param use_wildcards   whether sections with `*` or `**` count
/// @param arena           receives names and values
/// @return TN_OK; TN_ERR_NOT_FOUND: no such file, or nothing in it is for the node; TN_ERR_SYNTAX
/// with file, line and column; TN_ERR_LIMIT; TN_ERR_NO_MEMORY: arena used up.
/// Thread: any. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result tn_ros_param_file_read(
    const char *path, const char *node_fqn, bool use_wildcards, struct tn_arena *arena,
    struct rcl_interfaces_srv_SetParameters_Request *out_request, struct tn_error *err);

// ---- values ----

/// Reads YAML text ("3", "0.5", "[a, b]", "'3'") as a parameter value, with the types that ROS
/// gives it: tn_ros_param_client_set() of "3" sets an integer.
/// @return TN_OK; TN_ERR_SYNTAX: not YAML, or a list of several types; TN_ERR_LIMIT: too long;
/// TN_ERR_NO_MEMORY: arena used up. Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_param_value_parse(const char *yaml, struct tn_arena *arena,
                         struct rcl_interfaces_msg_ParameterValue *out_value, struct tn_error *err);

/// Prints a value as `ros2 param get --hide-type` does: Python's form ("True", "1.0", "['a']").
/// @return bytes of the whole text without its NUL, as snprintf(). Thread: any. Allocates: never.
/// Blocks: never.
size_t tn_ros_param_value_print(const struct rcl_interfaces_msg_ParameterValue *value, char *buffer,
                                size_t capacity);

/// @return what `ros2 param get` writes in front of a value: "Boolean value is:", "Integer values
/// are:"; "Parameter not set." for a value that is none. Thread: any. Allocates: never. Blocks:
/// never.
const char *tn_ros_param_type_label(uint8_t type);

/// @return rclcpp's name of a type: "bool", "integer", "double_array"; "not set"; "unknown type".
/// Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_param_type_text(uint8_t type);

/// Writes parameters as a parameter file for one node, in the form of `ros2 param dump`.
/// @param names, values   (n)
/// @return TN_OK; TN_ERR_LIMIT: longer than `capacity`; TN_ERR_NO_MEMORY.
/// Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_param_yaml_write(const char *node_fqn, const struct tn_str *names,
                        const struct rcl_interfaces_msg_ParameterValue *values, uint32_t n,
                        char *buffer, size_t capacity, size_t *out_size);

#endif
