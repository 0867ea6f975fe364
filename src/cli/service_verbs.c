// SPDX-License-Identifier: Apache-2.0
// tendon service list|info|type, and the table of all verbs of services
#include <stdio.h>

#include "cli/cli__action.h"
#include "cli/cli__command.h"
#include "cli/cli__graph.h"

static int list(const struct tn_cli_call *call)
{
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    tn_cli__print_names(graph->services, graph->n_services,
                        tn_cli__has(call, "include-hidden-services"),
                        tn_cli__has(call, "show-types"), tn_cli__has(call, "count-services"));
    tn_ros_graph_free(&graph);
    return TN_CLI_OK;
}

static int type(const struct tn_cli_call *call)
{
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    int code = tn_cli__print_type_of(call, graph->services, graph->n_services);
    tn_ros_graph_free(&graph);
    return code;
}

static int info(const struct tn_cli_call *call)
{
    char name[TN_ROS_NAME_MAX];
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    tn_cli__absolute(call->args[0], name);
    const struct tn_ros_graph_name *service =
        tn_ros_graph_find_name(graph->services, graph->n_services, name);
    int code = TN_CLI_OK;
    if (service == NULL || service->n_types == 0) {
        tn_cli__complain(call, "unknown service '%s'; `tendon service list` shows those there are",
                         name);
        code = TN_CLI_FAILURE;
    } else {
        (void)printf("Type: %s\nClients count: %u\nServices count: %u\n", service->types[0],
                     service->n_subscriptions, service->n_publishers);
    }
    tn_ros_graph_free(&graph);
    return code;
}

static const struct tn_cli_option list_options[] = {
    {"show-types", 't', NULL, "the types behind the names"},
    {"count-services", 'c', NULL, "only their number"},
    {"include-hidden-services", 0, NULL, "hidden services as well"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option plain_options[] = {TN_CLI_SPIN_OPTION};
static const struct tn_cli_option call_options[] = {
    {"rate", 'r', "HZ", "call again and again"},
    {"times", 0, "N", "with --rate: end after so many calls"},
    {"timeout", 't', "SECONDS", "how long a server may take, to be found and to answer (5)"},
    TN_CLI_SPIN_OPTION,
};

#define VERB(verb, args, least, most, sentence, option_table, function)                            \
    .command = "service", .name = verb, .arguments = args, .min_args = least, .max_args = most,    \
    .text = sentence, .options = option_table, .n_options = TN_ARRAY_SIZE(option_table),           \
    .run = function

const struct tn_cli_verb tn_cli__service_verbs[] = {
    {VERB("list", "", 0, 0, "The services that are there.", list_options, list)},
    {VERB("info", "SERVICE", 1, 1, "Type, servers and clients of a service.", plain_options, info),
     .kinds = {TN_CLI_SERVICE}},
    {VERB("type", "SERVICE", 1, 1, "The type of a service.", plain_options, type),
     .kinds = {TN_CLI_SERVICE}},
    {VERB("call", "SERVICE TYPE [VALUES]", 2, 3, "Calls a service; VALUES is YAML.", call_options,
          tn_cli__service_call),
     .kinds = {TN_CLI_SERVICE, TN_CLI_SERVICE_TYPE}},
};
const size_t tn_cli__n_service_verbs = TN_ARRAY_SIZE(tn_cli__service_verbs);
