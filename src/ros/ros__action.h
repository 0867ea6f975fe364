// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what action servers and clients share.
#ifndef TN_ROS_ROS__ACTION_H
#define TN_ROS_ROS__ACTION_H

#include <stddef.h>

#include "ros/action_goal.h"
#include "ros/node.h"
#include "tn_msgs/builtin_interfaces.h"

/// Longest name of one of an action's services and topics: name, suffix, NUL.
#define TN_ROS__ACTION_NAME_MAX (TN_ROS_NAME_MAX + 24)

/// Where the members stand in the structs that wrap goal, result and feedback.
struct tn_ros__action_layout {
    size_t send_goal_id, goal;    ///< SendGoal_Request
    size_t is_accepted, stamp;    ///< SendGoal_Response
    size_t get_result_id;         ///< GetResult_Request
    size_t status, result;        ///< GetResult_Response
    size_t feedback_id, feedback; ///< FeedbackMessage
};

/// Finds the members; a type that was made at run time may be anything.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: not the types of an action.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__action_layout_find(const struct tn_action_type *type,
                                                       struct tn_ros__action_layout *out,
                                                       struct tn_error *err);

/// Writes "/name/_action/what". @return `out`. Thread: any. Allocates: never. Blocks: never.
const char *tn_ros__action_name(const char *fqn, const char *what,
                                char out[TN_ROS__ACTION_NAME_MAX]);

/// @return the stamp on the wire of a time, saturated to what it can say.
/// Thread: any. Allocates: never. Blocks: never.
struct builtin_interfaces_msg_Time tn_ros__action_stamp(int64_t ros_ns);
/// @return its time in ns, as rcl_action reads it. Thread: any. Allocates: never. Blocks: never.
int64_t tn_ros__action_stamp_ns(struct builtin_interfaces_msg_Time stamp);

/// Removes all action servers of a node. @return nothing. Thread: the loop's. Allocates: never.
/// Blocks: never.
void tn_ros__action_servers_destroy(struct tn_ros_node *node);
/// Removes all action clients of a node. @return nothing. Thread: the loop's. Allocates: never.
/// Blocks: never.
void tn_ros__action_clients_destroy(struct tn_ros_node *node);

#endif
