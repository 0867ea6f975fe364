// SPDX-License-Identifier: Apache-2.0
// tendon topic list|info|type, and the table of all verbs of topics
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "cli/cli__command.h"
#include "cli/cli__graph.h"
#include "cli/cli__topic.h"

// ---- list ----

static void print_side(const struct tn_ros_graph *graph, bool is_published, bool with_hidden)
{
    (void)printf("%s topics:\n", is_published ? "Published" : "Subscribed");
    for (uint32_t i = 0; i < graph->n_topics; i++) {
        const struct tn_ros_graph_name *topic = &graph->topics[i];
        uint32_t n = is_published ? topic->n_publishers : topic->n_subscriptions;
        if (n == 0 || (!with_hidden && tn_ros_name_is_hidden(topic->name))) {
            continue;
        }
        (void)printf(" * %s", topic->name);
        tn_cli__print_types(topic);
        (void)printf(" %u %s%s\n", n, is_published ? "publisher" : "subscriber", n == 1 ? "" : "s");
    }
    (void)printf("\n");
}

static int list(const struct tn_cli_call *call)
{
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    bool with_hidden = tn_cli__has(call, "include-hidden-topics");
    if (tn_cli__has(call, "verbose")) {
        print_side(graph, true, with_hidden);
        print_side(graph, false, with_hidden);
    } else {
        tn_cli__print_names(graph->topics, graph->n_topics, with_hidden,
                            tn_cli__has(call, "show-types"), tn_cli__has(call, "count-topics"));
    }
    tn_ros_graph_free(&graph);
    return TN_CLI_OK;
}

// ---- info ----

static void print_duration(const char *what, int64_t ns)
{
    if (ns == 0) {
        (void)printf("  %s: Infinite\n", what);
    } else {
        (void)printf("  %s: %" PRId64 " nanoseconds\n", what, ns);
    }
}

static void print_qos(const struct tn_ros_graph_endpoint *endpoint)
{
    const struct tn_ros_qos *qos = &endpoint->qos;
    (void)printf("QoS profile:\n  Reliability: %s\n",
                 qos->reliability == TN_ROS_RELIABLE ? "RELIABLE" : "BEST_EFFORT");
    if (!endpoint->is_history_known) {
        (void)printf("  History (Depth): UNKNOWN\n");
    } else if (qos->history == TN_ROS_KEEP_ALL) {
        (void)printf("  History (Depth): KEEP_ALL\n");
    } else {
        (void)printf("  History (Depth): KEEP_LAST (%u)\n", qos->depth);
    }
    (void)printf("  Durability: %s\n",
                 qos->durability == TN_ROS_VOLATILE ? "VOLATILE" : "TRANSIENT_LOCAL");
    print_duration("Lifespan", qos->lifespan_ns);
    print_duration("Deadline", qos->deadline_ns);
    (void)printf("  Liveliness: %s\n",
                 qos->liveliness == TN_ROS_LIVELINESS_AUTOMATIC ? "AUTOMATIC" : "MANUAL_BY_TOPIC");
    print_duration("Liveliness lease duration", qos->lease_ns);
}

static void print_endpoint(const struct tn_ros_graph *graph,
                           const struct tn_ros_graph_endpoint *endpoint)
{
    const char *name = TN_ROS_GRAPH_UNKNOWN_NAME, *ns = TN_ROS_GRAPH_UNKNOWN_NAMESPACE;
    if (endpoint->node != TN_ROS_GRAPH_NO_NODE) {
        name = graph->nodes[endpoint->node].name;
        ns = graph->nodes[endpoint->node].ns;
    }
    (void)printf("Node name: %s\nNode namespace: %s\nTopic type: %s\nTopic type hash: %s\n"
                 "Endpoint type: %s\nGID: ",
                 name, ns, endpoint->type, endpoint->hash[0] == '\0' ? "INVALID" : endpoint->hash,
                 endpoint->is_publisher ? "PUBLISHER" : "SUBSCRIPTION");
    for (size_t i = 0; i < TN_GID_SIZE; i++) {
        (void)printf("%s%02x", i == 0 ? "" : ".", (unsigned)endpoint->gid.data[i]);
    }
    (void)printf("\n");
    print_qos(endpoint);
    (void)printf("\n");
}

static void print_endpoints(const struct tn_ros_graph *graph, const char *topic, bool is_publisher)
{
    for (uint32_t i = 0; i < graph->n_endpoints; i++) {
        const struct tn_ros_graph_endpoint *endpoint = &graph->endpoints[i];
        if (endpoint->kind == TN_ROS_GRAPH_TOPIC && endpoint->is_publisher == is_publisher &&
            strcmp(endpoint->name, topic) == 0) {
            print_endpoint(graph, endpoint);
        }
    }
}

static void print_info(const struct tn_ros_graph *graph, const struct tn_ros_graph_name *topic,
                       bool is_verbose)
{
    const char *end = is_verbose ? "\n\n" : "\n";
    (void)printf("Type: ");
    for (uint32_t i = 0; i < topic->n_types; i++) {
        (void)printf("%s%s", i == 0 ? "" : ", ", topic->types[i]);
    }
    (void)printf("%sPublisher count: %u%s", end, topic->n_publishers, end);
    if (is_verbose) {
        print_endpoints(graph, topic->name, true);
    }
    (void)printf("Subscription count: %u%s", topic->n_subscriptions, end);
    if (is_verbose) {
        print_endpoints(graph, topic->name, false);
    }
}

static int info(const struct tn_cli_call *call)
{
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    char name[TN_ROS_NAME_MAX];
    tn_cli__absolute(call->args[0], name);
    const struct tn_ros_graph_name *topic =
        tn_ros_graph_find_name(graph->topics, graph->n_topics, name);
    int code = TN_CLI_OK;
    if (topic == NULL) {
        tn_cli__complain(call, "unknown topic '%s'", call->args[0]);
        code = TN_CLI_FAILURE;
    } else {
        print_info(graph, topic, tn_cli__has(call, "verbose"));
    }
    tn_ros_graph_free(&graph);
    return code;
}

static int type(const struct tn_cli_call *call)
{
    struct tn_ros_graph *graph = tn_cli__graph_once(call);
    if (graph == NULL) {
        return TN_CLI_FAILURE;
    }
    int code = tn_cli__print_type_of(call, graph->topics, graph->n_topics);
    tn_ros_graph_free(&graph);
    return code;
}

// ---- QoS on the command line ----

struct choice {
    const char *name;
    int value;
};

// false: told what is allowed
static bool choose(const struct tn_cli_call *call, const char *option, const struct choice *choices,
                   size_t n, int *io_value, bool *io_given)
{
    const char *text = tn_cli__option(call, option);
    if (text == NULL) {
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(text, choices[i].name) == 0) {
            *io_value = choices[i].value;
            *io_given = true;
            return true;
        }
    }
    tn_cli__misused(call, "--%s is \"%s\"; `tendon topic %s --help` says what is allowed", option,
                    text, call->verb->name);
    return false;
}

enum profile { PROFILE_NONE, PROFILE_DEFAULT, PROFILE_SENSOR, PROFILE_SYSTEM, PROFILE_PARAMETERS };

static struct tn_ros_qos profile_qos(int profile)
{
    switch (profile) {
    case PROFILE_SENSOR:
        return tn_ros_qos_sensor_data();
    case PROFILE_SYSTEM:
        return tn_ros_qos_default(1);
    case PROFILE_PARAMETERS:
        return tn_ros_qos_default(1000);
    default:
        return tn_ros_qos_default(10);
    }
}

bool tn_cli__topic_qos(const struct tn_cli_call *call, struct tn_ros_qos *io_qos, bool *out_given)
{
    static const struct choice profiles[] = {
        {"default", PROFILE_DEFAULT},       {"sensor_data", PROFILE_SENSOR},
        {"system_default", PROFILE_SYSTEM}, {"services_default", PROFILE_DEFAULT},
        {"parameters", PROFILE_PARAMETERS},
    };
    static const struct choice histories[] = {{"keep_last", TN_ROS_KEEP_LAST},
                                              {"keep_all", TN_ROS_KEEP_ALL}};
    static const struct choice reliabilities[] = {{"reliable", TN_ROS_RELIABLE},
                                                  {"best_effort", TN_ROS_BEST_EFFORT}};
    static const struct choice durabilities[] = {{"volatile", TN_ROS_VOLATILE},
                                                 {"transient_local", TN_ROS_TRANSIENT_LOCAL}};
    int profile = PROFILE_NONE;
    *out_given = false;
    if (!choose(call, "qos-profile", profiles, TN_ARRAY_SIZE(profiles), &profile, out_given)) {
        return false;
    }
    if (profile != PROFILE_NONE) {
        *io_qos = profile_qos(profile);
    }
    int history = (int)io_qos->history, reliability = (int)io_qos->reliability,
        durability = (int)io_qos->durability;
    uint64_t depth = io_qos->depth;
    if (!choose(call, "qos-history", histories, 2, &history, out_given) ||
        !choose(call, "qos-reliability", reliabilities, 2, &reliability, out_given) ||
        !choose(call, "qos-durability", durabilities, 2, &durability, out_given) ||
        !tn_cli__option_u64(call, "qos-depth", 1, 1000000, &depth)) {
        return false;
    }
    io_qos->history = (enum tn_ros_history)history;
    io_qos->reliability = (enum tn_ros_reliability)reliability;
    io_qos->durability = (enum tn_ros_durability)durability;
    io_qos->depth = (uint32_t)depth;
    *out_given |= tn_cli__has(call, "qos-depth");
    return true;
}

// ---- the table ----

static const struct tn_cli_option list_options[] = {
    {"show-types", 't', NULL, "the types behind the names"},
    {"count-topics", 'c', NULL, "only their number"},
    {"include-hidden-topics", 0, NULL, "hidden topics as well"},
    {"verbose", 'v', NULL, "numbers of publishers and subscribers"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option info_options[] = {
    {"verbose", 'v', NULL, "node, gid, type hash and QoS of each endpoint"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option type_options[] = {TN_CLI_SPIN_OPTION};
static const struct tn_cli_option echo_options[] = {
    {"once", 0, NULL, "end after the first message"},
    {"timeout", 0, "SECONDS", "end when nothing came for so long"},
    {"field", 0, "PATH", "only this member: header.stamp, position[0]"},
    {"full-length", 'f', NULL, "arrays, strings and bytes in full"},
    {"truncate-length", 'l', "N", "elements and characters shown of long ones (128)"},
    {"flow-style", 0, NULL, "one line per message"},
    {"no-arr", 0, NULL, "no elements of arrays"},
    {"no-str", 0, NULL, "no contents of strings"},
    {"csv", 0, NULL, "values only, separated by commas"},
    {"raw", 0, NULL, "the bytes as they came"},
    TN_CLI_QOS_OPTIONS,
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option hz_options[] = {
    {"window", 'w', "N", "intervals the rate is taken over (10000)"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option pub_options[] = {
    {"rate", 'r', "HZ", "messages per second (1)"},
    {"print", 'p', "N", "print every N-th message (1)"},
    {"once", '1', NULL, "publish one message and end"},
    {"times", 't', "N", "publish so many messages and end (0: no end)"},
    {"wait-matching-subscriptions", 'w', "N",
     "wait for so many subscriptions first (1 with --once and --times, else 0)"},
    {"max-wait-time-secs", 0, "SECONDS", "give up waiting after so long"},
    {"keep-alive", 0, "SECONDS", "stay so long after the last message (0.1)"},
    {"node-name", 'n', "NAME", "name of the publishing node"},
    TN_CLI_QOS_OPTIONS,
    TN_CLI_SPIN_OPTION,
};

#define VERB(verb, args, least, most, sentence, option_table, function)                            \
    .command = "topic", .name = verb, .arguments = args, .min_args = least, .max_args = most,      \
    .text = sentence, .options = option_table, .n_options = TN_ARRAY_SIZE(option_table),           \
    .run = function

const struct tn_cli_verb tn_cli__topic_verbs[] = {
    {VERB("list", "", 0, 0, "The topics that are there.", list_options, list)},
    {VERB("info", "TOPIC", 1, 1, "Type and endpoints of a topic.", info_options, info),
     .kinds = {TN_CLI_TOPIC}},
    {VERB("type", "TOPIC", 1, 1, "The type of a topic.", type_options, type),
     .kinds = {TN_CLI_TOPIC}},
    {VERB("echo", "TOPIC [TYPE]", 1, 2, "Prints the messages of a topic.", echo_options,
          tn_cli__topic_echo),
     .kinds = {TN_CLI_TOPIC, TN_CLI_MESSAGE_TYPE}},
    {VERB("hz", "TOPIC", 1, 1, "Measures how often messages come.", hz_options, tn_cli__topic_hz),
     .kinds = {TN_CLI_TOPIC}},
    {VERB("pub", "TOPIC TYPE [VALUES]", 2, 3, "Publishes messages; VALUES is YAML.", pub_options,
          tn_cli__topic_pub),
     .kinds = {TN_CLI_TOPIC, TN_CLI_MESSAGE_TYPE}},
};
const size_t tn_cli__n_topic_verbs = TN_ARRAY_SIZE(tn_cli__topic_verbs);
