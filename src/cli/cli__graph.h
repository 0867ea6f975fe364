// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: what the list and info verbs share
#ifndef TN_CLI_CLI__GRAPH_H
#define TN_CLI_CLI__GRAPH_H

#include "cli/cli__session.h"

// watches the graph for the spin time and copies it; NULL: told why not. The session stays open.
struct tn_ros_graph *tn_cli__graph_look(struct tn_cli_session *session);

// one look without keeping the session; NULL: told why not
struct tn_ros_graph *tn_cli__graph_once(const struct tn_cli_call *call);

// "[a, b]" behind a name
void tn_cli__print_types(const struct tn_ros_graph_name *name);

// lists names as `ros2 … list` does: hidden ones only when asked, with types, or only their count
void tn_cli__print_names(const struct tn_ros_graph_name *names, uint32_t n, bool with_hidden,
                         bool with_types, bool only_count);

// `… type NAME`: the types of a name, or a complaint
int tn_cli__print_type_of(const struct tn_cli_call *call, const struct tn_ros_graph_name *names,
                          uint32_t n);

// "/ns/name" of a node or of the unknown one; TN_ROS_NAME_MAX * 2 bytes
void tn_cli__node_fqn(const struct tn_ros_graph *graph, uint32_t node, char *out);

// "chatter" → "/chatter", as ros2 reads it; TN_ROS_NAME_MAX bytes
void tn_cli__absolute(const char *name, char *out);

#endif
