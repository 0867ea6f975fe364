// SPDX-License-Identifier: Apache-2.0
// candidates that are looked up: names in the graph, types
#include <string.h>

#include "cli/cli__complete.h"
#include "cli/cli__graph.h"
#include "cli/cli__package.h"

// whoever waits for a completion does not wait long
#define LOOK_NS (TN_NS_PER_S / 2)

static void propose_names(const struct tn_ros_graph_name *names, uint32_t n, const char *prefix)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!tn_ros_name_is_hidden(names[i].name)) {
            tn_cli__propose(prefix, names[i].name);
        }
    }
}

static void propose_nodes(const struct tn_ros_graph *graph, const char *prefix)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        char fqn[2 * TN_ROS_NAME_MAX];
        tn_cli__node_fqn(graph, i, fqn);
        if (graph->nodes[i].name[0] != '_') {
            tn_cli__propose(prefix, fqn);
        }
    }
}

static void propose_from_graph(const struct tn_cli_verb *verb, enum tn_cli_kind kind,
                               const char *prefix)
{
    static const char *const argv[] = {"tendon"};
    struct tn_cli_call call = {.verb = verb, .ros_argc = 1, .ros_argv = argv};
    struct tn_cli_session session;
    struct tn_ros_graph *graph = NULL;
    struct tn_error err = {0};
    if (!tn_cli__session_open(&call, &session)) {
        return;
    }
    if (tn_ros_graph_start(session.context, &err) == TN_OK) {
        (void)tn_cli__session_until(&session, NULL, NULL, LOOK_NS);
    }
    if (tn_ros_graph_snapshot(session.context, &graph, &err) == TN_OK) {
        if (kind == TN_CLI_NODE) {
            propose_nodes(graph, prefix);
        } else if (kind == TN_CLI_TOPIC) {
            propose_names(graph->topics, graph->n_topics, prefix);
        } else if (kind == TN_CLI_SERVICE) {
            propose_names(graph->services, graph->n_services, prefix);
        } else {
            propose_names(graph->actions, graph->n_actions, prefix);
        }
    }
    tn_ros_graph_free(&graph);
    tn_cli__session_close(&session);
}

void tn_cli__propose_kind(const struct tn_cli_verb *verb, enum tn_cli_kind kind, const char *prefix)
{
    switch (kind) {
    case TN_CLI_NODE:
    case TN_CLI_TOPIC:
    case TN_CLI_SERVICE:
    case TN_CLI_ACTION:
        propose_from_graph(verb, kind, prefix);
        break;
    case TN_CLI_MESSAGE_TYPE:
        tn_cli__propose_types("/msg/", prefix);
        break;
    case TN_CLI_SERVICE_TYPE:
        tn_cli__propose_types("/srv/", prefix);
        break;
    case TN_CLI_ACTION_TYPE:
        tn_cli__propose_types("/action/", prefix);
        break;
    case TN_CLI_ANY_TYPE:
        tn_cli__propose_types("/msg/", prefix);
        tn_cli__propose_types("/srv/", prefix);
        tn_cli__propose_types("/action/", prefix);
        break;
    case TN_CLI_PACKAGE:
        tn_cli__propose_packages(prefix);
        break;
    case TN_CLI_NOTHING:
    case TN_CLI_TEXT:
    case TN_CLI_FILE:
    default:
        break;
    }
}
