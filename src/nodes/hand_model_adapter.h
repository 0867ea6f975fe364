// SPDX-License-Identifier: Apache-2.0
/// @file
/// `hand_model_adapter`: a glove's own messages in, the one hand out.
///
/// Per side it reads `<input_namespace>/<side>/ergonomics` and `.../glove_data` and publishes
/// `<input_namespace>/<side>/hand` (tendon_msgs/HandFrame, best effort, keep last 1). Angles come
/// from Ergonomics, nodes from the forward kinematics of the default hand. The stamp is the
/// sample's own time and the frame's identity; no identity is published twice.
///
/// Which glove and which writer count, streams, missed frames and states: hand/stream.h. Samples
/// that were taken in a late pass of the loop are dropped; a sample whose age is not known yet is
/// published as CALIBRATING, one that is too old as STALE: neither may move anything.
///
/// TF: the hand frame `.../hand` is a static child of the glove's wrist frame; with
/// `publish_node_tf` every present node is sent below it. `/diagnostics` once a second.
#ifndef TN_NODES_HAND_MODEL_ADAPTER_H
#define TN_NODES_HAND_MODEL_ADAPTER_H

#include "ros/node.h"

struct tn_node_hand_model_adapter;

struct tn_node_hand_model_adapter_options {
    const char *name; ///< NULL: "hand_model_adapter"; `__node:=` wins
    const char *ns;   ///< NULL: "/"; `__ns:=` wins
};

/// The node's parameter table, for `--help` and the manual.
/// @param out_n   number of rows
/// @return the rows, static. Thread: any. Allocates: never. Blocks: never.
const struct tn_ros_param *tn_node_hand_model_adapter_params(uint32_t *out_n);

/// @param options   may be NULL
/// @return TN_OK; parameter errors as tn_ros_params_load(); TN_ERR_INVALID_ARGUMENT: sides, names
/// or times that do not go together; TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY; TN_ERR_IO,
/// TN_ERR_MALFORMED: the trace ring. Thread: the loop's. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result tn_node_hand_model_adapter_create(
    struct tn_ros_context *context, const struct tn_node_hand_model_adapter_options *options,
    struct tn_node_hand_model_adapter **out_node, struct tn_error *err);

/// Accepts NULL, nulls the pointer. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_node_hand_model_adapter_destroy(struct tn_node_hand_model_adapter **node);

#endif
