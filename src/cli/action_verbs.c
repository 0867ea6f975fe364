// SPDX-License-Identifier: Apache-2.0
// tendon action list|info, and the table of all verbs of actions
#include <stdio.h>
#include <string.h>

#include "cli/cli__action.h"
#include "cli/cli__command.h"
#include "cli/cli__graph.h"

static int list(const struct tn_cli_call *call)
{
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    tn_cli__print_names(graph->actions, graph->n_actions, true, tn_cli__has(call, "show-types"),
                        tn_cli__has(call, "count-actions"));
    tn_ros_graph_free(&graph);
    return TN_CLI_OK;
}

// the nodes that have the action in one role: printed, or only counted
static uint32_t print_nodes(const struct tn_ros_graph *graph, const char *action,
                            enum tn_ros_graph_role role, bool is_silent, bool with_types)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        struct tn_ros_graph_use use;
        uint32_t next = 0;
        while (tn_ros_graph_next_use(graph, i, role, &next, &use)) {
            if (strcmp(use.name, action) != 0) {
                continue;
            }
            n++;
            char fqn[2 * TN_ROS_NAME_MAX];
            tn_cli__node_fqn(graph, i, fqn);
            if (!is_silent && with_types) {
                (void)printf("    %s [%s]\n", fqn, use.type);
            } else if (!is_silent) {
                (void)printf("    %s\n", fqn);
            }
        }
    }
    return n;
}

static void print_role(const struct tn_ros_graph *graph, const char *action,
                       enum tn_ros_graph_role role, const struct tn_cli_call *call)
{
    (void)printf("Action %s: %u\n", role == TN_ROS_GRAPH_ACTION_CLIENTS ? "clients" : "servers",
                 print_nodes(graph, action, role, true, false));
    if (!tn_cli__has(call, "count")) {
        (void)print_nodes(graph, action, role, false, tn_cli__has(call, "show-types"));
    }
}

static int info(const struct tn_cli_call *call)
{
    char name[TN_ROS_NAME_MAX];
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    tn_cli__absolute(call->args[0], name);
    int code = TN_CLI_OK;
    if (tn_ros_graph_find_name(graph->actions, graph->n_actions, name) == NULL) {
        tn_cli__complain(call, "unknown action '%s'; `tendon action list` shows those there are",
                         name);
        code = TN_CLI_FAILURE;
    } else {
        (void)printf("Action: %s\n", name);
        print_role(graph, name, TN_ROS_GRAPH_ACTION_CLIENTS, call);
        print_role(graph, name, TN_ROS_GRAPH_ACTION_SERVERS, call);
    }
    tn_ros_graph_free(&graph);
    return code;
}

static const struct tn_cli_option list_options[] = {
    {"show-types", 't', NULL, "the types behind the names"},
    {"count-actions", 'c', NULL, "only their number"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option info_options[] = {
    {"show-types", 't', NULL, "the types behind the nodes"},
    {"count", 'c', NULL, "only the numbers"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option send_options[] = {
    {"feedback", 'f', NULL, "print feedback as well"},
    {"timeout", 't', "SECONDS", "give up after so long (no limit)"},
    TN_CLI_SPIN_OPTION,
};

#define VERB(verb, args, least, most, sentence, option_table, function)                            \
    .command = "action", .name = verb, .arguments = args, .min_args = least, .max_args = most,     \
    .text = sentence, .options = option_table, .n_options = TN_ARRAY_SIZE(option_table),           \
    .run = function

const struct tn_cli_verb tn_cli__action_verbs[] = {
    {VERB("list", "", 0, 0, "The actions that are there.", list_options, list)},
    {VERB("info", "ACTION", 1, 1, "Servers and clients of an action.", info_options, info),
     .kinds = {TN_CLI_ACTION}},
    {VERB("send_goal", "ACTION TYPE GOAL", 3, 3,
          "Sends a goal, which is YAML, and waits for the result; Ctrl-C cancels it.", send_options,
          tn_cli__action_send_goal),
     .kinds = {TN_CLI_ACTION, TN_CLI_ACTION_TYPE}},
};
const size_t tn_cli__n_action_verbs = TN_ARRAY_SIZE(tn_cli__action_verbs);
