// SPDX-License-Identifier: Apache-2.0
// tendon param list|get|set|describe|dump|load
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli__command.h"
#include "cli/cli__graph.h"
#include "ros/param_client.h"

// how long a node may take to answer
#define CALL_NS (2 * TN_NS_PER_S)
// how long its services are waited for
#define FIND_NS (5 * TN_NS_PER_S)
// values and names of one load
#define ARENA_BYTES (1u << 20)

// one node that is asked; `print` shows a response that came, and says how it went
struct ask {
    struct tn_cli_session session;
    struct tn_ros_param_client *client;
    void (*print)(struct ask *ask, const void *response);
    struct tn_str *names; // (n_names) of the list that came, copied
    uint32_t n_names;
    bool is_done, is_answered;
    int code;
};

static void on_response(void *context, const void *response)
{
    struct ask *ask = context;
    ask->is_done = true;
    ask->is_answered = response != NULL;
    if (response != NULL) {
        ask->print(ask, response);
    }
}

static bool is_done(void *context)
{
    const struct ask *ask = context;
    return ask->is_done;
}

static bool is_ready(void *context)
{
    struct ask *ask = context;
    return tn_ros_param_client_is_ready(ask->client);
}

// waits for the answer of a request that was sent; false: none came, told
static bool await(struct ask *ask, enum tn_result sent)
{
    if (sent != TN_OK) {
        tn_cli__complain(ask->session.call, "%s: %s", tn_ros_param_client_target(ask->client),
                         tn_result_text(sent));
        return false;
    }
    (void)tn_cli__session_until(&ask->session, is_done, ask, 2 * CALL_NS);
    if (!ask->is_answered) {
        tn_cli__complain(ask->session.call, "%s did not answer within %.0f s",
                         tn_ros_param_client_target(ask->client), tn_ns_to_seconds(CALL_NS));
    }
    ask->is_done = false;
    return ask->is_answered;
}

// makes the clients of one node and waits for its services; false: told why not
static bool open_target(struct ask *ask, const char *node_name)
{
    struct tn_error err = {0};
    char target[2 * TN_ROS_NAME_MAX];
    (void)snprintf(target, sizeof target, "%s%s", node_name[0] == '/' ? "" : "/", node_name);
    enum tn_result result =
        tn_ros_param_client_create(ask->session.node, target, &ask->client, &err);
    if (result != TN_OK) {
        tn_cli__complain(ask->session.call, "%s", err.text);
        return false;
    }
    if (!tn_cli__session_until(&ask->session, is_ready, ask, FIND_NS)) {
        tn_cli__complain(ask->session.call,
                         "node %s was not found, or has no parameter services; `tendon node list` "
                         "shows those there are",
                         target);
        return false;
    }
    return true;
}

static bool open_first(const struct tn_cli_call *call, struct ask *ask)
{
    memset(ask, 0, sizeof *ask);
    if (!tn_cli__session_open(call, &ask->session)) {
        return false;
    }
    return open_target(ask, call->args[0]);
}

static int finish(struct ask *ask, int code)
{
    for (uint32_t i = 0; i < ask->n_names; i++) {
        free((void *)(uintptr_t)ask->names[i].data);
    }
    free(ask->names);
    tn_ros_param_client_destroy(&ask->client);
    tn_cli__session_close(&ask->session);
    return code;
}

// ---- list ----

static int compare_names(const void *a, const void *b)
{
    const struct tn_str *x = a, *y = b;
    uint32_t least = x->size < y->size ? x->size : y->size;
    int order = memcmp(x->data, y->data, least);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

// keeps a sorted copy of the names
static void keep_names(struct ask *ask, const void *response)
{
    const struct rcl_interfaces_srv_ListParameters_Response *reply = response;
    uint32_t n = reply->result.names.size;
    ask->names = calloc(n == 0 ? 1 : n, sizeof *ask->names);
    for (uint32_t i = 0; ask->names != NULL && i < n; i++) {
        struct tn_str from = reply->result.names.data[i];
        char *copy = malloc((size_t)from.size + 1);
        if (copy == NULL) {
            return;
        }
        memcpy(copy, from.data, from.size);
        copy[from.size] = '\0';
        ask->names[ask->n_names++] = (struct tn_str){copy, from.size};
    }
    if (ask->names != NULL) {
        qsort(ask->names, ask->n_names, sizeof *ask->names, compare_names);
    }
}

static bool fetch_names(struct ask *ask)
{
    struct rcl_interfaces_srv_ListParameters_Request request;
    struct tn_str prefix = tn_str_from(tn_cli__option(ask->session.call, "param-prefixes"));
    rcl_interfaces_srv_ListParameters_Request_init(&request);
    if (prefix.size > 0) {
        request.prefixes.data = &prefix;
        request.prefixes.size = 1;
    }
    ask->print = keep_names;
    return await(ask, tn_ros_param_client_list(ask->client, &request, CALL_NS, on_response, ask));
}

static void print_names(struct ask *ask, const void *response)
{
    const struct rcl_interfaces_srv_GetParameterTypes_Response *types = response;
    for (uint32_t i = 0; i < ask->n_names; i++) {
        (void)printf("  %.*s", (int)ask->names[i].size, ask->names[i].data);
        if (types != NULL && i < types->types.size) {
            (void)printf(" (type: %s)", tn_ros_param_type_text(types->types.data[i]));
        }
        (void)printf("\n");
    }
}

static bool list_one(struct ask *ask, const char *node_name, bool with_title)
{
    if (!open_target(ask, node_name) || !fetch_names(ask)) {
        return false;
    }
    if (with_title) {
        (void)printf("%s:\n", node_name);
    }
    if (!tn_cli__has(ask->session.call, "param-type")) {
        print_names(ask, NULL);
        return true;
    }
    struct rcl_interfaces_srv_GetParameterTypes_Request request = {
        .names = {ask->names, ask->n_names}};
    ask->print = print_names;
    return await(ask,
                 tn_ros_param_client_get_types(ask->client, &request, CALL_NS, on_response, ask));
}

static void forget_target(struct ask *ask)
{
    for (uint32_t i = 0; i < ask->n_names; i++) {
        free((void *)(uintptr_t)ask->names[i].data);
    }
    free(ask->names);
    ask->names = NULL;
    ask->n_names = 0;
    tn_ros_param_client_destroy(&ask->client);
}

// a node takes part when it serves parameters
static bool has_params(const struct tn_ros_graph *graph, uint32_t node)
{
    struct tn_ros_graph_use use;
    uint32_t next = 0;
    while (tn_ros_graph_next_use(graph, node, TN_ROS_GRAPH_SERVERS, &next, &use)) {
        if (strcmp(use.type, "rcl_interfaces/srv/ListParameters") == 0) {
            return true;
        }
    }
    return false;
}

static int list_all(struct ask *ask)
{
    struct tn_ros_graph *graph = tn_cli__graph_look(&ask->session);
    int code = graph == NULL ? TN_CLI_FAILURE : TN_CLI_OK;
    for (uint32_t i = 0; graph != NULL && i < graph->n_nodes; i++) {
        bool is_hidden = graph->nodes[i].name[0] == '_';
        if (graph->nodes[i].is_own || !has_params(graph, i) ||
            (is_hidden && !tn_cli__has(ask->session.call, "include-hidden-nodes"))) {
            continue;
        }
        char fqn[2 * TN_ROS_NAME_MAX];
        tn_cli__node_fqn(graph, i, fqn);
        if (!list_one(ask, fqn, true)) {
            code = TN_CLI_FAILURE;
        }
        forget_target(ask);
    }
    tn_ros_graph_free(&graph);
    return code;
}

static int list(const struct tn_cli_call *call)
{
    struct ask ask = {0};
    if (!tn_cli__session_open(call, &ask.session)) {
        return TN_CLI_FAILURE;
    }
    int code = TN_CLI_OK;
    if (call->n_args == 0) {
        code = list_all(&ask);
    } else if (!list_one(&ask, call->args[0], false)) {
        code = TN_CLI_FAILURE;
    }
    return finish(&ask, code);
}

// ---- get ----

static void print_value(struct ask *ask, const void *response)
{
    const struct rcl_interfaces_srv_GetParameters_Response *reply = response;
    const struct tn_cli_call *call = ask->session.call;
    if (reply->values.size != 1 ||
        reply->values.data[0].type == rcl_interfaces_msg_ParameterType_PARAMETER_NOT_SET) {
        tn_cli__complain(call,
                         "%s has no parameter %s, or it is not set; `tendon param list %s` "
                         "shows those there are",
                         call->args[0], call->args[1], call->args[0]);
        ask->code = TN_CLI_FAILURE;
        return;
    }
    const struct rcl_interfaces_msg_ParameterValue *value = &reply->values.data[0];
    size_t size = tn_ros_param_value_print(value, NULL, 0);
    char *text = malloc(size + 1);
    if (text == NULL) {
        ask->code = TN_CLI_FAILURE;
        return;
    }
    (void)tn_ros_param_value_print(value, text, size + 1);
    if (!tn_cli__has(call, "hide-type")) {
        (void)printf("%s ", tn_ros_param_type_label(value->type));
    }
    (void)printf("%s\n", text);
    free(text);
}

static int get(const struct tn_cli_call *call)
{
    struct ask ask;
    if (!open_first(call, &ask)) {
        return finish(&ask, TN_CLI_FAILURE);
    }
    struct tn_str name = tn_str_from(call->args[1]);
    struct rcl_interfaces_srv_GetParameters_Request request = {.names = {&name, 1}};
    ask.print = print_value;
    bool is_ok =
        await(&ask, tn_ros_param_client_get(ask.client, &request, CALL_NS, on_response, &ask));
    return finish(&ask, is_ok ? ask.code : TN_CLI_FAILURE);
}

// ---- set and load ----

static void print_set(struct ask *ask, const void *response)
{
    const struct rcl_interfaces_srv_SetParameters_Response *reply = response;
    for (uint32_t i = 0; i < reply->results.size; i++) {
        const struct rcl_interfaces_msg_SetParametersResult *result = &reply->results.data[i];
        struct tn_str name = i < ask->n_names ? ask->names[i] : tn_str_from("");
        FILE *to = result->successful ? stdout : stderr;
        (void)fprintf(to,
                      result->successful ? "Set parameter %.*s%ssuccessful"
                                         : "Setting parameter %.*s%sfailed",
                      (int)name.size, name.data, name.size == 0 ? "" : " ");
        if (result->reason.size > 0) {
            (void)fprintf(to, ": %.*s", (int)result->reason.size, result->reason.data);
        }
        (void)fprintf(to, "\n");
        if (!result->successful) {
            ask->code = TN_CLI_FAILURE;
        }
    }
}

static int set(const struct tn_cli_call *call)
{
    struct tn_error err = {0};
    struct tn_arena arena;
    struct rcl_interfaces_msg_Parameter parameter;
    rcl_interfaces_msg_Parameter_init(&parameter);
    parameter.name = tn_str_from(call->args[1]);
    void *memory = malloc(ARENA_BYTES);
    if (memory == NULL) {
        return TN_CLI_FAILURE;
    }
    tn_arena_init(&arena, memory, ARENA_BYTES);
    int code = TN_CLI_FAILURE;
    if (tn_ros_param_value_parse(call->args[2], &arena, &parameter.value, &err) != TN_OK) {
        tn_cli__complain(call, "%s", err.text);
    } else {
        struct ask ask;
        struct rcl_interfaces_srv_SetParameters_Request request = {.parameters = {&parameter, 1}};
        bool is_ok = open_first(call, &ask);
        ask.print = print_set;
        is_ok = is_ok && await(&ask, tn_ros_param_client_set(ask.client, &request, CALL_NS,
                                                             on_response, &ask));
        code = finish(&ask, is_ok ? ask.code : TN_CLI_FAILURE);
    }
    free(memory);
    return code;
}

// the names behind the results of a load
static bool name_results(struct ask *ask,
                         const struct rcl_interfaces_srv_SetParameters_Request *request)
{
    ask->names = calloc(request->parameters.size, sizeof *ask->names);
    for (uint32_t i = 0; ask->names != NULL && i < request->parameters.size; i++) {
        struct tn_str from = request->parameters.data[i].name;
        char *copy = malloc((size_t)from.size + 1);
        if (copy == NULL) {
            return false;
        }
        memcpy(copy, from.data, from.size);
        ask->names[ask->n_names++] = (struct tn_str){copy, from.size};
    }
    return ask->names != NULL;
}

static int load(const struct tn_cli_call *call)
{
    struct tn_error err = {0};
    struct tn_arena arena;
    struct rcl_interfaces_srv_SetParameters_Request request;
    char target[2 * TN_ROS_NAME_MAX];
    (void)snprintf(target, sizeof target, "%s%s", call->args[0][0] == '/' ? "" : "/",
                   call->args[0]);
    void *memory = malloc(ARENA_BYTES);
    if (memory == NULL) {
        return TN_CLI_FAILURE;
    }
    tn_arena_init(&arena, memory, ARENA_BYTES);
    int code = TN_CLI_FAILURE;
    if (tn_ros_param_file_read(call->args[1], target, !tn_cli__has(call, "no-use-wildcard"), &arena,
                               &request, &err) != TN_OK) {
        char text[TN_ERROR_TEXT_MAX + TN_ERROR_FILE_MAX + 64];
        tn_cli__complain(call, "%s", tn_error_format(&err, text, sizeof text));
    } else {
        struct ask ask;
        bool is_ok = open_first(call, &ask);
        ask.print = print_set;
        is_ok =
            is_ok && name_results(&ask, &request) &&
            await(&ask, tn_ros_param_client_set(ask.client, &request, CALL_NS, on_response, &ask));
        code = finish(&ask, is_ok ? ask.code : TN_CLI_FAILURE);
    }
    free(memory);
    return code;
}

// ---- describe ----

static void print_descriptor(const struct rcl_interfaces_msg_ParameterDescriptor *d)
{
    (void)printf("Parameter name: %.*s\n  Type: %s\n", (int)d->name.size, d->name.data,
                 tn_ros_param_type_text(d->type));
    if (d->description.size > 0) {
        (void)printf("  Description: %.*s\n", (int)d->description.size, d->description.data);
    }
    (void)printf("  Constraints:\n");
    if (d->read_only) {
        (void)printf("    Read only: true\n");
    }
    for (uint32_t i = 0; i < d->floating_point_range.size; i++) {
        (void)printf("    Min value: %g\n    Max value: %g\n",
                     d->floating_point_range.data[i].from_value,
                     d->floating_point_range.data[i].to_value);
    }
    for (uint32_t i = 0; i < d->integer_range.size; i++) {
        (void)printf("    Min value: %" PRId64 "\n    Max value: %" PRId64 "\n",
                     d->integer_range.data[i].from_value, d->integer_range.data[i].to_value);
    }
    if (d->additional_constraints.size > 0) {
        (void)printf("    Additional constraints: %.*s\n", (int)d->additional_constraints.size,
                     d->additional_constraints.data);
    }
}

static void print_descriptors(struct ask *ask, const void *response)
{
    const struct rcl_interfaces_srv_DescribeParameters_Response *reply = response;
    for (uint32_t i = 0; i < reply->descriptors.size; i++) {
        print_descriptor(&reply->descriptors.data[i]);
    }
    if (reply->descriptors.size == 0) {
        tn_cli__complain(ask->session.call, "%s has no such parameter", ask->session.call->args[0]);
        ask->code = TN_CLI_FAILURE;
    }
}

static int describe(const struct tn_cli_call *call)
{
    struct ask ask;
    if (!open_first(call, &ask)) {
        return finish(&ask, TN_CLI_FAILURE);
    }
    struct tn_str names[8];
    uint32_t n = 0;
    for (int i = 1; i < call->n_args && n < TN_ARRAY_SIZE(names); i++) {
        names[n++] = tn_str_from(call->args[i]);
    }
    struct rcl_interfaces_srv_DescribeParameters_Request request = {.names = {names, n}};
    ask.print = print_descriptors;
    bool is_ok =
        await(&ask, tn_ros_param_client_describe(ask.client, &request, CALL_NS, on_response, &ask));
    return finish(&ask, is_ok ? ask.code : TN_CLI_FAILURE);
}

// ---- dump ----

static void on_dump(void *context, const char *yaml, size_t size, enum tn_result result)
{
    struct ask *ask = context;
    ask->is_done = true;
    ask->is_answered = result == TN_OK;
    if (result == TN_OK) {
        (void)fwrite(yaml, 1, size, stdout);
    }
}

static int dump(const struct tn_cli_call *call)
{
    struct ask ask;
    bool is_ok = open_first(call, &ask) &&
                 await(&ask, tn_ros_param_client_dump(ask.client, CALL_NS, on_dump, &ask));
    return finish(&ask, is_ok ? TN_CLI_OK : TN_CLI_FAILURE);
}

// ---- the table ----

static const struct tn_cli_option list_options[] = {
    {"include-hidden-nodes", 0, NULL, "hidden nodes as well"},
    {"param-prefixes", 0, "PREFIX", "only parameters below this prefix"},
    {"param-type", 0, NULL, "the types behind the names"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option get_options[] = {
    {"hide-type", 0, NULL, "only the value"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option load_options[] = {
    {"no-use-wildcard", 0, NULL, "leave out sections with * and **"},
    TN_CLI_SPIN_OPTION,
};
static const struct tn_cli_option plain_options[] = {TN_CLI_SPIN_OPTION};

#define VERB(verb, args, least, most, sentence, option_table, function)                            \
    .command = "param", .name = verb, .arguments = args, .min_args = least, .max_args = most,      \
    .text = sentence, .options = option_table, .n_options = TN_ARRAY_SIZE(option_table),           \
    .run = function

const struct tn_cli_verb tn_cli__param_verbs[] = {
    {VERB("list", "[NODE]", 0, 1, "The parameters of a node, or of all.", list_options, list),
     .kinds = {TN_CLI_NODE}},
    {VERB("get", "NODE NAME", 2, 2, "The value of a parameter.", get_options, get),
     .kinds = {TN_CLI_NODE}},
    {VERB("set", "NODE NAME VALUE", 3, 3, "Sets a parameter; VALUE is YAML.", plain_options, set),
     .kinds = {TN_CLI_NODE}},
    {VERB("describe", "NODE NAME…", 2, 8, "Type, text and limits of parameters.", plain_options,
          describe),
     .kinds = {TN_CLI_NODE}},
    {VERB("dump", "NODE", 1, 1, "All parameters of a node as a parameter file.", plain_options,
          dump),
     .kinds = {TN_CLI_NODE}},
    {VERB("load", "NODE FILE", 2, 2, "Sets the parameters that a file has for a node.",
          load_options, load),
     .kinds = {TN_CLI_NODE, TN_CLI_FILE}},
};
const size_t tn_cli__n_param_verbs = TN_ARRAY_SIZE(tn_cli__param_verbs);
