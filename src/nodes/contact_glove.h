// SPDX-License-Identifier: Apache-2.0
/// @file
/// `contact_glove_node`: the driver of the Contact Glove. DivingStation protocol in, ROS topics
/// out, haptics back.
///
/// Topics per side, relative to the node's namespace (default `/contact_glove`): `glove_data`
/// (latched), `ergonomics`, `controller`, `joint_states`, `wrist_orientation`; subscribed:
/// `haptics_body`. Service `get_retarget_profile`; `/diagnostics` at 1 Hz.
///
/// `header.stamp` is the time of conversion; `generated_at_ms` is when the sample was made, with
/// protocol v1 when the kernel received it. Data that waited while this process was stopped is
/// published with its true time: consumers judge its age.
#ifndef TN_NODES_CONTACT_GLOVE_H
#define TN_NODES_CONTACT_GLOVE_H

#include "base/result.h"
#include "ros/context.h"
#include "ros/param.h"

struct tn_node_contact_glove;

/// Name and place of one of several nodes in a process; zero for the defaults.
struct tn_node_contact_glove_options {
    const char *name; ///< NULL: "contact_glove_node"
    const char *ns;   ///< NULL: "contact_glove"
};

/// @param out_n   number of rows
/// @return the node's parameter table, static. Thread: any. Allocates: never. Blocks: never.
const struct tn_ros_param *tn_node_contact_glove_params(uint32_t *out_n);

/// Creates the node and asks DivingStation for data, which need not run yet.
/// @param options   may be NULL
/// @return TN_OK; parameter errors as tn_ros_params_load(); TN_ERR_UNSUPPORTED: a protocol that is
/// not spoken; TN_ERR_BUSY: a port is in use, named with its parameter; TN_ERR_TRANSPORT;
/// TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result
tn_node_contact_glove_create(struct tn_ros_context *context,
                             const struct tn_node_contact_glove_options *options,
                             struct tn_node_contact_glove **out_node, struct tn_error *err);

/// Tells DivingStation and every subscriber that the gloves go. Accepts NULL, nulls the pointer.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: 10 ms.
void tn_node_contact_glove_destroy(struct tn_node_contact_glove **node);

#endif
