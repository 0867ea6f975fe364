// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "cli/cli__command.h"
#include "cli/cli__graph.h"

struct tn_ros_graph *tn_cli__graph_look(struct tn_cli_session *session)
{
    struct tn_error err = {0};
    struct tn_ros_graph *graph = NULL;
    enum tn_result result = tn_ros_graph_start(session->context, &err);
    if (result == TN_OK && !tn_cli__session_watch(session)) {
        return NULL;
    }
    if (result == TN_OK) {
        result = tn_ros_graph_snapshot(session->context, &graph, &err);
    }
    if (result != TN_OK) {
        tn_cli__complain(session->call, "%s", err.text);
    }
    return graph;
}

struct tn_ros_graph *tn_cli__graph_once(const struct tn_cli_call *call)
{
    struct tn_cli_session session;
    if (!tn_cli__session_open(call, &session)) {
        return NULL;
    }
    struct tn_ros_graph *graph = tn_cli__graph_look(&session);
    tn_cli__session_close(&session);
    return graph;
}

void tn_cli__print_types(const struct tn_ros_graph_name *name)
{
    (void)printf(" [");
    for (uint32_t i = 0; i < name->n_types; i++) {
        (void)printf("%s%s", i == 0 ? "" : ", ", name->types[i]);
    }
    (void)printf("]");
}

void tn_cli__print_names(const struct tn_ros_graph_name *names, uint32_t n, bool with_hidden,
                         bool with_types, bool only_count)
{
    uint32_t n_shown = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!with_hidden && tn_ros_name_is_hidden(names[i].name)) {
            continue;
        }
        n_shown++;
        if (only_count) {
            continue;
        }
        (void)printf("%s", names[i].name);
        if (with_types) {
            tn_cli__print_types(&names[i]);
        }
        (void)printf("\n");
    }
    if (only_count) {
        (void)printf("%u\n", n_shown);
    }
}

void tn_cli__absolute(const char *name, char *out)
{
    (void)snprintf(out, TN_ROS_NAME_MAX, "%s%s", name[0] == '/' ? "" : "/", name);
}

int tn_cli__print_type_of(const struct tn_cli_call *call, const struct tn_ros_graph_name *names,
                          uint32_t n)
{
    char absolute[TN_ROS_NAME_MAX];
    tn_cli__absolute(call->args[0], absolute);
    const struct tn_ros_graph_name *name = tn_ros_graph_find_name(names, n, absolute);
    if (name == NULL || name->n_types == 0) {
        tn_cli__complain(call, "unknown %s '%s'", call->verb->command, call->args[0]);
        return TN_CLI_FAILURE;
    }
    for (uint32_t i = 0; i < name->n_types; i++) {
        (void)printf("%s\n", name->types[i]);
    }
    return TN_CLI_OK;
}

void tn_cli__node_fqn(const struct tn_ros_graph *graph, uint32_t node, char *out)
{
    const char *ns = TN_ROS_GRAPH_UNKNOWN_NAMESPACE, *name = TN_ROS_GRAPH_UNKNOWN_NAME;
    if (node != TN_ROS_GRAPH_NO_NODE) {
        ns = graph->nodes[node].ns;
        name = graph->nodes[node].name;
    }
    (void)snprintf(out, 2 * TN_ROS_NAME_MAX, "%s%s%s", ns, strcmp(ns, "/") == 0 ? "" : "/", name);
}
