// SPDX-License-Identifier: Apache-2.0
/// @file
/// `robot_retargeter`: hand frames in, robot commands out, the safety session in between. Both
/// sides.
///
/// Per side it subscribes the hand and the robot's feedback, asks the session before every target,
/// maps human angles to robot joints by name, limits, and publishes `EEJointControl` with the stamp
/// of the frame it came from. Services
/// `robot_retargeter/<side>/{arm,disarm,estop}` (std_srvs/Trigger), `enable` and `pause`
/// (std_srvs/SetBool); topics `control[_sim]/hand/<side>`, `feedback[_sim]/hand/<side>`,
/// `robot_retargeter/<side>/state` and `retarget/<side>/status`: all relative to the node's
/// namespace, "/" by default, so that two in two namespaces have nothing in common.
#ifndef TN_NODES_ROBOT_RETARGETER_H
#define TN_NODES_ROBOT_RETARGETER_H

#include "ros/node.h"

struct tn_node_robot_retargeter;

/// Name and place of one of several nodes in a process; zero for the defaults.
struct tn_node_robot_retargeter_options {
    const char *name; ///< NULL: "robot_retargeter"; `__node:=` wins
    const char *ns;   ///< NULL: "/"; `__ns:=` wins
};

/// The node's parameter table, for `--help` and the manual.
/// @param out_n   number of rows
/// @return the rows, static. Thread: any. Allocates: never. Blocks: never.
const struct tn_ros_param *tn_node_robot_retargeter_params(uint32_t *out_n);

/// @param options   may be NULL
/// @return TN_OK; parameter errors as tn_ros_params_load(); TN_ERR_INVALID_ARGUMENT: a combination
/// the session
///         refuses; TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks:
///         disk.
TN_NODISCARD enum tn_result
tn_node_robot_retargeter_create(struct tn_ros_context *context,
                                const struct tn_node_robot_retargeter_options *options,
                                struct tn_node_robot_retargeter **out_node, struct tn_error *err);

/// Accepts NULL, nulls the pointer. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_node_robot_retargeter_destroy(struct tn_node_robot_retargeter **node);

#endif
