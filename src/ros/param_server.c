// SPDX-License-Identifier: Apache-2.0
// the parameter services of a node
#include <stdlib.h>
#include <string.h>

#include "ros/ros__node.h"
#include "ros/ros__param_server.h"
#include "tn_msgs/type_description_interfaces.h"

// ---- rows ----

struct tn_ros__param_ref tn_ros__param_find(const struct tn_ros__param_server *server,
                                            struct tn_str name)
{
    for (const struct tn_ros__param_group *g = server->groups; g != NULL; g = g->next)
        for (uint32_t i = 0; i < g->set.n_params; i++)
            if (tn_str_is(name, g->set.table[i].name))
                return (struct tn_ros__param_ref){g, &g->set.table[i]};
    return (struct tn_ros__param_ref){NULL, NULL};
}

static int compare_refs(const void *a, const void *b)
{
    const struct tn_ros__param_ref *x = a, *y = b;
    return strcmp(x->param->name, y->param->name);
}

struct tn_ros__param_ref *tn_ros__param_rows(const struct tn_ros__param_server *server,
                                             struct tn_arena *arena)
{
    struct tn_ros__param_ref *rows =
        tn_arena_alloc(arena, server->n_rows, sizeof *rows, _Alignof(struct tn_ros__param_ref));
    uint32_t n = 0;
    if (rows == NULL)
        return NULL;
    for (const struct tn_ros__param_group *g = server->groups; g != NULL; g = g->next)
        for (uint32_t i = 0; i < g->set.n_params; i++)
            rows[n++] = (struct tn_ros__param_ref){g, &g->set.table[i]};
    qsort(rows, n, sizeof *rows, compare_refs);
    return rows;
}

static void on_announce(void *context)
{
    tn_ros__params_announce(context);
}

static void add_group(struct tn_ros__param_server *server, struct tn_ros__param_group *group)
{
    struct tn_ros__param_group **link = &server->groups;
    while (*link != NULL)
        link = &(*link)->next;
    *link = group;
    server->n_rows += group->set.n_params;
    if (server->is_open)
        tn_loop_async_signal(&server->announce);
}

void tn_ros__param_server_add(struct tn_ros_node *node, struct tn_ros__param_group *group)
{
    add_group(&node->param_server, group);
}

void tn_ros__param_too_large(struct tn_ros__param_server *server, const char *what)
{
    uint32_t suppressed = 0;
    int64_t now_ns = tn_loop_now_steady_ns(server->node->context->loop);
    if (tn_log_throttle_pass(&server->throttle, now_ns, TN_NS_PER_S, &suppressed))
        TN_WARN(&server->node->logger,
                "%s: a request names more than this node's arena can answer (%zu bytes); it is "
                "answered as empty: ask for fewer parameters (%u more since the last report)",
                what, server->node->arena.capacity, suppressed);
}

// ---- services ----

static void on_get(void *context, const void *request, void *response)
{
    struct tn_ros__param_server *server = context;
    const struct rcl_interfaces_srv_GetParameters_Request *q = request;
    struct rcl_interfaces_srv_GetParameters_Response *r = response;
    struct tn_arena *arena = &server->node->arena;
    struct rcl_interfaces_msg_ParameterValue *values = tn_arena_alloc(
        arena, q->names.size, sizeof *values, _Alignof(struct rcl_interfaces_msg_ParameterValue));
    if (values == NULL) {
        tn_ros__param_too_large(server, "get_parameters");
        return;
    }
    for (uint32_t i = 0; i < q->names.size; i++) {
        struct tn_ros__param_ref ref = tn_ros__param_find(server, q->names.data[i]);
        // as rclcpp: one unknown name, and nothing is answered
        if (ref.param == NULL)
            return;
        if (tn_ros__param_value_of(ref, arena, &values[i]) != TN_OK) {
            tn_ros__param_too_large(server, "get_parameters");
            return;
        }
    }
    r->values = (struct rcl_interfaces_msg_ParameterValue_seq){values, q->names.size};
}

static void on_get_types(void *context, const void *request, void *response)
{
    struct tn_ros__param_server *server = context;
    const struct rcl_interfaces_srv_GetParameterTypes_Request *q = request;
    struct rcl_interfaces_srv_GetParameterTypes_Response *r = response;
    uint8_t *types = tn_arena_alloc(&server->node->arena, q->names.size, 1, 1);
    if (types == NULL) {
        tn_ros__param_too_large(server, "get_parameter_types");
        return;
    }
    for (uint32_t i = 0; i < q->names.size; i++) {
        struct tn_ros__param_ref ref = tn_ros__param_find(server, q->names.data[i]);
        if (ref.param == NULL)
            return;
        types[i] = (uint8_t)ref.param->type;
    }
    r->types = (struct tn_seq_u8){types, q->names.size};
}

static void on_describe(void *context, const void *request, void *response)
{
    struct tn_ros__param_server *server = context;
    const struct rcl_interfaces_srv_DescribeParameters_Request *q = request;
    struct rcl_interfaces_srv_DescribeParameters_Response *r = response;
    struct tn_arena *arena = &server->node->arena;
    struct rcl_interfaces_msg_ParameterDescriptor *descriptors =
        tn_arena_alloc(arena, q->names.size, sizeof *descriptors,
                       _Alignof(struct rcl_interfaces_msg_ParameterDescriptor));
    if (descriptors == NULL) {
        tn_ros__param_too_large(server, "describe_parameters");
        return;
    }
    for (uint32_t i = 0; i < q->names.size; i++) {
        struct tn_ros__param_ref ref = tn_ros__param_find(server, q->names.data[i]);
        if (ref.param == NULL)
            return;
        if (tn_ros__param_descriptor_of(ref, arena, &descriptors[i]) != TN_OK) {
            tn_ros__param_too_large(server, "describe_parameters");
            return;
        }
    }
    r->descriptors =
        (struct rcl_interfaces_msg_ParameterDescriptor_seq){descriptors, q->names.size};
}

/// Copies a reason to where it lives until the reply is sent.
static struct tn_str keep_reason(struct tn_arena *arena, const struct tn_error *err)
{
    size_t size = strlen(err->text);
    const char *copy = tn_arena_strndup(arena, err->text, size);
    return (struct tn_str){copy, copy != NULL ? (uint32_t)size : 0};
}

static void on_set(void *context, const void *request, void *response)
{
    struct tn_ros__param_server *server = context;
    const struct rcl_interfaces_srv_SetParameters_Request *q = request;
    struct rcl_interfaces_srv_SetParameters_Response *r = response;
    struct tn_arena *arena = &server->node->arena;
    uint32_t n = q->parameters.size;
    struct rcl_interfaces_msg_SetParametersResult *results = tn_arena_alloc(
        arena, n, sizeof *results, _Alignof(struct rcl_interfaces_msg_SetParametersResult));
    if (results == NULL) {
        tn_ros__param_too_large(server, "set_parameters");
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct tn_error why = {0};
        bool is_set = tn_ros__params_set(server, &q->parameters.data[i], 1, &why) == TN_OK;
        results[i] = (struct rcl_interfaces_msg_SetParametersResult){.successful = is_set};
        if (!is_set)
            results[i].reason = keep_reason(arena, &why);
    }
    r->results = (struct rcl_interfaces_msg_SetParametersResult_seq){results, n};
}

static void on_set_atomically(void *context, const void *request, void *response)
{
    struct tn_ros__param_server *server = context;
    const struct rcl_interfaces_srv_SetParametersAtomically_Request *q = request;
    struct rcl_interfaces_srv_SetParametersAtomically_Response *r = response;
    struct tn_error why = {0};
    enum tn_result result =
        tn_ros__params_set(server, q->parameters.data, q->parameters.size, &why);
    r->result.successful = result == TN_OK;
    if (result == TN_ERR_NOT_FOUND)
        r->result.reason = tn_str_from("One or more parameters were not declared before setting");
    else if (result != TN_OK)
        r->result.reason = keep_reason(&server->node->arena, &why);
}

// ---- listing ----

static uint64_t count_points(const char *text)
{
    uint64_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '.';
    return n;
}

/// rclcpp's rule: a prefix itself, or `depth` parts below it; depth 0 is any.
static bool is_below(const char *name, struct tn_str prefix, uint64_t depth)
{
    if (strncmp(name, prefix.size > 0 ? prefix.data : "", prefix.size) != 0)
        return false;
    const char *rest = name + prefix.size;
    if (*rest == '\0')
        return true;
    return *rest == '.' && (depth == 0 || count_points(rest + 1) < depth);
}

static bool is_listed(const char *name, const struct rcl_interfaces_srv_ListParameters_Request *q)
{
    if (q->prefixes.size == 0)
        return q->depth == 0 || count_points(name) < q->depth;
    for (uint32_t i = 0; i < q->prefixes.size; i++)
        if (is_below(name, q->prefixes.data[i], q->depth))
            return true;
    return false;
}

/// Adds what stands in front of the last point, once.
static void add_prefix(const char *name, struct tn_str *prefixes, uint32_t *io_n)
{
    const char *point = strrchr(name, '.');
    if (point == NULL)
        return;
    struct tn_str prefix = {name, (uint32_t)(point - name)};
    for (uint32_t i = 0; i < *io_n; i++)
        if (tn_str_equal(prefixes[i], prefix))
            return;
    prefixes[(*io_n)++] = prefix;
}

static void on_list(void *context, const void *request, void *response)
{
    struct tn_ros__param_server *server = context;
    const struct rcl_interfaces_srv_ListParameters_Request *q = request;
    struct rcl_interfaces_srv_ListParameters_Response *r = response;
    struct tn_arena *arena = &server->node->arena;
    struct tn_ros__param_ref *rows = tn_ros__param_rows(server, arena);
    struct tn_str *names =
        tn_arena_alloc(arena, 2 * (size_t)server->n_rows, sizeof *names, _Alignof(struct tn_str));
    uint32_t n_names = 0, n_prefixes = 0;
    if (rows == NULL || names == NULL) {
        tn_ros__param_too_large(server, "list_parameters");
        return;
    }
    struct tn_str *prefixes = names + server->n_rows;
    for (uint32_t i = 0; i < server->n_rows; i++) {
        if (!is_listed(rows[i].param->name, q))
            continue;
        names[n_names++] = tn_str_from(rows[i].param->name);
        add_prefix(rows[i].param->name, prefixes, &n_prefixes);
    }
    r->result.names = (struct tn_seq_str){names, n_names};
    r->result.prefixes = (struct tn_seq_str){prefixes, n_prefixes};
}

// ---- life ----

static const struct {
    const char *name;
    const struct tn_service_type *type;
    tn_ros_service_fn answer;
} services[TN_ROS__PARAM_SERVICES] = {
    [TN_ROS__PARAM_GET] = {"~/get_parameters", &rcl_interfaces_srv_GetParameters_type, on_get},
    [TN_ROS__PARAM_GET_TYPES] = {"~/get_parameter_types",
                                 &rcl_interfaces_srv_GetParameterTypes_type, on_get_types},
    [TN_ROS__PARAM_SET] = {"~/set_parameters", &rcl_interfaces_srv_SetParameters_type, on_set},
    [TN_ROS__PARAM_SET_ATOMICALLY] = {"~/set_parameters_atomically",
                                      &rcl_interfaces_srv_SetParametersAtomically_type,
                                      on_set_atomically},
    [TN_ROS__PARAM_DESCRIBE] = {"~/describe_parameters",
                                &rcl_interfaces_srv_DescribeParameters_type, on_describe},
    [TN_ROS__PARAM_LIST] = {"~/list_parameters", &rcl_interfaces_srv_ListParameters_type, on_list},
};

static enum tn_result open_services(struct tn_ros__param_server *server, struct tn_error *err)
{
    struct tn_ros_service_options options = tn_ros_service_options_default();
    enum tn_result result = TN_OK;
    options.qos = tn_ros_qos_parameters();
    options.context = server;
    for (int i = 0; i < TN_ROS__PARAM_SERVICES && result == TN_OK; i++) {
        options.on_request = services[i].answer;
        result = tn_ros_service_create_with(server->node, services[i].type, services[i].name,
                                            &options, &server->services[i], err);
    }
    return result;
}

static enum tn_result open_all(struct tn_ros__param_server *server,
                               const struct tn_ros_node_options *options, struct tn_error *err)
{
    struct tn_ros_node *node = server->node;
    enum tn_result result = TN_OK;
    if (!options->no_parameter_services)
        result = open_services(server, err);
    if (result == TN_OK && !options->no_parameter_events)
        result = tn_ros_publisher_create(node, &rcl_interfaces_msg_ParameterEvent_type,
                                         "/parameter_events", tn_ros_qos_parameter_events(),
                                         &server->events, err);
    if (result == TN_OK && !options->no_parameter_services &&
        node->builtin.start_type_description_service)
        result =
            tn_ros_service_create(node, &type_description_interfaces_srv_GetTypeDescription_type,
                                  "~/get_type_description", tn_ros__type_description_answer, node,
                                  &server->type_description, err);
    return result;
}

enum tn_result tn_ros__param_server_open(struct tn_ros_node *node,
                                         const struct tn_ros_node_options *options,
                                         struct tn_error *err)
{
    struct tn_ros__param_server *server = &node->param_server;
    server->node = node;
    server->builtin.set = tn_ros__builtin_param_set(&node->builtin);
    server->own.set = node->params;
    server->is_hidden = options->no_parameter_services && options->no_parameter_events;
    add_group(server, &server->builtin);
    add_group(server, &server->own);
    tn_loop_async_start(node->context->loop, &server->announce, on_announce, server);
    server->is_open = true;
    tn_loop_async_signal(&server->announce);
    return open_all(server, options, err);
}

void tn_ros__param_server_close(struct tn_ros_node *node)
{
    struct tn_ros__param_server *server = &node->param_server;
    if (server->is_open)
        tn_loop_async_stop(&server->announce);
    server->is_open = false;
    server->events = NULL;
    while (server->groups != NULL) {
        struct tn_ros__param_group *group = server->groups;
        server->groups = group->next;
        if (group != &server->builtin && group != &server->own)
            free(group);
    }
    tn_ros__builtin_params_fini(&node->builtin);
}

void tn_ros__params_on_sim_time(struct tn_ros_node *node, tn_ros__sim_time_fn fn, void *context)
{
    node->on_sim_time = fn;
    node->sim_time_context = context;
}

bool tn_ros__params_use_sim_time(const struct tn_ros_node *node)
{
    return node->builtin.use_sim_time;
}
