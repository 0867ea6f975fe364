// SPDX-License-Identifier: Apache-2.0
/// @file
/// `end_effector_node`: one robot hand or gripper on `/control…` and `/feedback…`.
///
/// Subscribes `control[_sim]/<kind>/<side>` (EEJointControl, reliable, keep last 10), publishes
/// `feedback[_sim]/<kind>/<side>` (EEJointFeedback, reliable, keep last 10), `/diagnostics` once a
/// second and, with `publish_events`, `robot/<side>/events` (ContactEvent): relative to the node's
/// namespace, "/" by default. Services `~/stop` and `~/release` (std_srvs/Trigger).
///
/// Its watchdog is the second of two: it must work when the process that commands it hangs. In a
/// process that also runs other nodes (tn_ros_context_is_mixed()) it therefore drives the simulated
/// device only.
///
/// A command is handed to the device in the callback that received it, unless `max_command_hz` asks
/// to wait. The core (effector/core.h) decides what may move and has its own watchdog.
///
/// `execution_log` names a file to which one line is appended for each command handed to the
/// device: `side,stamp_ros_ns,executed_steady_ns`, and `@event,side,name,steady_ns` for start,
/// hold, pose, resume, resumed and stop; its first line is `# tendon execution log 1`.
#ifndef TN_NODES_END_EFFECTOR_H
#define TN_NODES_END_EFFECTOR_H

#include "ros/node.h"

struct tn_node_end_effector;

struct tn_node_end_effector_options {
    const char *name; ///< default node name; NULL: "end_effector_node"
    const char *ns;   ///< default namespace; NULL: "/"
};

/// The node's parameter table, for `--help` and the manual.
/// @param out_n   number of rows
/// @return the rows, static. Thread: any. Allocates: never. Blocks: never.
const struct tn_ros_param *tn_node_end_effector_params(uint32_t *out_n);

/// @param options   NULL: defaults
/// @return TN_OK; parameter errors as tn_ros_params_load(); TN_ERR_RANGE, TN_ERR_INVALID_ARGUMENT:
/// a combination that is refused; TN_ERR_UNSUPPORTED: a device that does not exist yet;
/// TN_ERR_WRONG_SIDE: the device says that it is the other hand; TN_ERR_IO: execution log;
/// TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result
tn_node_end_effector_create(struct tn_ros_context *context,
                            const struct tn_node_end_effector_options *options,
                            struct tn_node_end_effector **out_node, struct tn_error *err);

/// Stops what moves by speed or current and leaves position targets as they are. Accepts NULL,
/// nulls the pointer. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_node_end_effector_destroy(struct tn_node_end_effector **node);

#endif
