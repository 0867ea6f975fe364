// SPDX-License-Identifier: Apache-2.0
// tendon node list|info
#include <stdio.h>
#include <string.h>

#include "cli/cli__command.h"
#include "cli/cli__graph.h"

static bool same_name(const struct tn_ros_graph_node *a, const struct tn_ros_graph_node *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->ns, b->ns) == 0;
}

static int list(const struct tn_cli_call *call)
{
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    uint32_t n_shown = 0;
    bool has_twins = false;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct tn_ros_graph_node *node = &graph->nodes[i];
        if (node->name[0] == '_' && !tn_cli__has(call, "all")) {
            continue;
        }
        n_shown++;
        has_twins |= i > 0 && same_name(&graph->nodes[i - 1], node);
        if (!tn_cli__has(call, "count-nodes")) {
            char fqn[2 * TN_ROS_NAME_MAX];
            tn_cli__node_fqn(graph, i, fqn);
            (void)printf("%s\n", fqn);
        }
    }
    if (tn_cli__has(call, "count-nodes")) {
        (void)printf("%u\n", n_shown);
    }
    if (has_twins) {
        (void)fprintf(stderr, "WARNING: some nodes share an exact name; give each its own with "
                              "--ros-args -r __node:=NAME or -r __ns:=/NAMESPACE\n");
    }
    tn_ros_graph_free(&graph);
    return TN_CLI_OK;
}

static void print_role(const struct tn_ros_graph *graph, uint32_t node, enum tn_ros_graph_role role,
                       const char *title, bool with_hidden)
{
    struct tn_ros_graph_use use;
    uint32_t next = 0, n_shown = 0;
    (void)printf("  %s:\n", title);
    while (tn_ros_graph_next_use(graph, node, role, &next, &use)) {
        if (with_hidden || !tn_ros_name_is_hidden(use.name)) {
            (void)printf("    %s: %s\n", use.name, use.type);
            n_shown++;
        }
    }
    if (n_shown == 0) {
        (void)printf("\n");
    }
}

static int info(const struct tn_cli_call *call)
{
    static const struct {
        enum tn_ros_graph_role role;
        const char *title;
    } sections[] = {
        {TN_ROS_GRAPH_SUBSCRIPTIONS, "Subscribers"},
        {TN_ROS_GRAPH_PUBLISHERS, "Publishers"},
        {TN_ROS_GRAPH_SERVERS, "Service Servers"},
        {TN_ROS_GRAPH_CLIENTS, "Service Clients"},
        {TN_ROS_GRAPH_ACTION_SERVERS, "Action Servers"},
        {TN_ROS_GRAPH_ACTION_CLIENTS, "Action Clients"},
    };
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    uint32_t node = tn_ros_graph_find_node(graph, call->args[0]);
    if (node == TN_ROS_GRAPH_NO_NODE) {
        tn_cli__complain(call, "unable to find node '%s'; `tendon node list` shows those there are",
                         call->args[0]);
        tn_ros_graph_free(&graph);
        return TN_CLI_FAILURE;
    }
    char fqn[2 * TN_ROS_NAME_MAX];
    tn_cli__node_fqn(graph, node, fqn);
    (void)printf("%s\n", fqn);
    for (size_t i = 0; i < TN_ARRAY_SIZE(sections); i++) {
        print_role(graph, node, sections[i].role, sections[i].title,
                   tn_cli__has(call, "include-hidden"));
    }
    tn_ros_graph_free(&graph);
    return TN_CLI_OK;
}

static const struct tn_cli_option list_options[] = {
    {"all", 'a', NULL, "hidden nodes as well"},
    {"count-nodes", 'c', NULL, "only their number"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option info_options[] = {
    {"include-hidden", 0, NULL, "hidden topics, services and actions as well"},
    TN_CLI_SPIN_OPTION,
};

const struct tn_cli_verb tn_cli__node_verbs[] = {
    {
        .command = "node",
        .name = "list",
        .arguments = "",
        .text = "The nodes that are there.",
        .options = list_options,
        .n_options = TN_ARRAY_SIZE(list_options),
        .run = list,
    },
    {
        .command = "node",
        .name = "info",
        .arguments = "NODE",
        .min_args = 1,
        .max_args = 1,
        .text = "Topics, services and actions of a node.",
        .options = info_options,
        .n_options = TN_ARRAY_SIZE(info_options),
        .kinds = {TN_CLI_NODE},
        .run = info,
    },
};
const size_t tn_cli__n_node_verbs = TN_ARRAY_SIZE(tn_cli__node_verbs);
