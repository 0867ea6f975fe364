// SPDX-License-Identifier: Apache-2.0
#include "ros/param_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST, GET, GET_TYPES, SET, SET_ATOMICALLY, DESCRIBE, N_SERVICES };

/// Names and the first guess at the text of a dump; both grow.
#define DUMP_ARENA_BYTES (256u * 1024u)
#define DUMP_TEXT_BYTES  (64u * 1024u)
/// Largest dump.
#define DUMP_TEXT_MAX (16u * 1024u * 1024u)

struct dump {
    bool is_running;
    int64_t timeout_ns;
    tn_ros_param_dump_fn on_done;
    void *context;
    struct tn_arena arena;
    struct rcl_interfaces_srv_GetParameters_Request names;
};

struct tn_ros_param_client {
    char target[TN_ROS_NAME_MAX];
    struct tn_ros_client *clients[N_SERVICES];
    struct dump dump;
};

static const struct {
    const char *name;
    const struct tn_service_type *type;
} services[N_SERVICES] = {
    [LIST] = {"list_parameters", &rcl_interfaces_srv_ListParameters_type},
    [GET] = {"get_parameters", &rcl_interfaces_srv_GetParameters_type},
    [GET_TYPES] = {"get_parameter_types", &rcl_interfaces_srv_GetParameterTypes_type},
    [SET] = {"set_parameters", &rcl_interfaces_srv_SetParameters_type},
    [SET_ATOMICALLY] = {"set_parameters_atomically",
                        &rcl_interfaces_srv_SetParametersAtomically_type},
    [DESCRIBE] = {"describe_parameters", &rcl_interfaces_srv_DescribeParameters_type},
};

enum tn_result tn_ros_param_client_create(struct tn_ros_node *node, const char *target,
                                          struct tn_ros_param_client **out_client,
                                          struct tn_error *err)
{
    struct tn_ros_param_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the parameters of %s", target);
    (void)snprintf(client->target, sizeof client->target, "%s", target);
    struct tn_ros_client_options options = tn_ros_client_options_default();
    enum tn_result result = TN_OK;
    options.qos = tn_ros_qos_parameters();
    for (int i = 0; i < N_SERVICES && result == TN_OK; i++) {
        char name[TN_ROS_NAME_MAX + 32];
        (void)snprintf(name, sizeof name, "%s/%s", target, services[i].name);
        result = tn_ros_client_create_with(node, services[i].type, name, &options,
                                           &client->clients[i], err);
    }
    if (result != TN_OK)
        tn_ros_param_client_destroy(&client);
    else
        *out_client = client;
    return result;
}

void tn_ros_param_client_destroy(struct tn_ros_param_client **client)
{
    struct tn_ros_param_client *c = *client;
    *client = NULL;
    if (c == NULL)
        return;
    for (int i = 0; i < N_SERVICES; i++)
        tn_ros_client_destroy(&c->clients[i]);
    tn_arena_destroy(&c->dump.arena);
    free(c);
}

bool tn_ros_param_client_is_ready(struct tn_ros_param_client *client)
{
    for (int i = 0; i < N_SERVICES; i++)
        if (!tn_ros_client_is_ready(client->clients[i]))
            return false;
    return true;
}

const char *tn_ros_param_client_target(const struct tn_ros_param_client *client)
{
    return client->target;
}

enum tn_result
tn_ros_param_client_list(struct tn_ros_param_client *client,
                         const struct rcl_interfaces_srv_ListParameters_Request *request,
                         int64_t timeout_ns, tn_ros_response_fn on_response, void *context)
{
    return tn_ros_call(client->clients[LIST], request, timeout_ns, on_response, context);
}

enum tn_result
tn_ros_param_client_get(struct tn_ros_param_client *client,
                        const struct rcl_interfaces_srv_GetParameters_Request *request,
                        int64_t timeout_ns, tn_ros_response_fn on_response, void *context)
{
    return tn_ros_call(client->clients[GET], request, timeout_ns, on_response, context);
}

enum tn_result
tn_ros_param_client_get_types(struct tn_ros_param_client *client,
                              const struct rcl_interfaces_srv_GetParameterTypes_Request *request,
                              int64_t timeout_ns, tn_ros_response_fn on_response, void *context)
{
    return tn_ros_call(client->clients[GET_TYPES], request, timeout_ns, on_response, context);
}

enum tn_result
tn_ros_param_client_set(struct tn_ros_param_client *client,
                        const struct rcl_interfaces_srv_SetParameters_Request *request,
                        int64_t timeout_ns, tn_ros_response_fn on_response, void *context)
{
    return tn_ros_call(client->clients[SET], request, timeout_ns, on_response, context);
}

enum tn_result tn_ros_param_client_set_atomically(
    struct tn_ros_param_client *client,
    const struct rcl_interfaces_srv_SetParametersAtomically_Request *request, int64_t timeout_ns,
    tn_ros_response_fn on_response, void *context)
{
    return tn_ros_call(client->clients[SET_ATOMICALLY], request, timeout_ns, on_response, context);
}

enum tn_result
tn_ros_param_client_describe(struct tn_ros_param_client *client,
                             const struct rcl_interfaces_srv_DescribeParameters_Request *request,
                             int64_t timeout_ns, tn_ros_response_fn on_response, void *context)
{
    return tn_ros_call(client->clients[DESCRIBE], request, timeout_ns, on_response, context);
}

// ---- dump ----

/// Ends the dump, then tells: the callback may begin another one.
static void finish_dump(struct tn_ros_param_client *client, const char *yaml, size_t size,
                        enum tn_result result)
{
    struct dump dump = client->dump;
    memset(&client->dump, 0, sizeof client->dump);
    dump.on_done(dump.context, yaml, size, result);
    tn_arena_destroy(&dump.arena);
}

static void print_dump(struct tn_ros_param_client *client,
                       const struct rcl_interfaces_srv_GetParameters_Response *response)
{
    char *text = NULL;
    size_t size = 0;
    enum tn_result result = TN_ERR_LIMIT;
    for (size_t n = DUMP_TEXT_BYTES; n <= DUMP_TEXT_MAX && result == TN_ERR_LIMIT; n *= 4) {
        free(text);
        text = malloc(n);
        result = text == NULL
                     ? TN_ERR_NO_MEMORY
                     : tn_ros_param_yaml_write(client->target, client->dump.names.names.data,
                                               response->values.data, response->values.size, text,
                                               n, &size);
    }
    finish_dump(client, result == TN_OK ? text : NULL, result == TN_OK ? size : 0, result);
    free(text);
}

static void on_dump_values(void *context, const void *response)
{
    struct tn_ros_param_client *client = context;
    const struct rcl_interfaces_srv_GetParameters_Response *values = response;
    if (values == NULL)
        finish_dump(client, NULL, 0, TN_ERR_TIMEOUT);
    else if (values->values.size != client->dump.names.names.size)
        finish_dump(client, NULL, 0, TN_ERR_MALFORMED);
    else
        print_dump(client, values);
}

static void on_dump_names(void *context, const void *response)
{
    struct tn_ros_param_client *client = context;
    struct dump *dump = &client->dump;
    const struct rcl_interfaces_srv_ListParameters_Response *list = response;
    struct rcl_interfaces_srv_GetParameters_Request request;
    rcl_interfaces_srv_GetParameters_Request_init(&request);
    enum tn_result result = list == NULL ? TN_ERR_TIMEOUT : TN_OK;
    if (result == TN_OK) {
        request.names = list->result.names;
        result = tn_type_copy(&rcl_interfaces_srv_GetParameters_Request_type, &dump->names,
                              &request, &dump->arena);
    }
    if (result == TN_OK)
        result =
            tn_ros_param_client_get(client, &dump->names, dump->timeout_ns, on_dump_values, client);
    if (result != TN_OK)
        finish_dump(client, NULL, 0, result);
}

enum tn_result tn_ros_param_client_dump(struct tn_ros_param_client *client, int64_t timeout_ns,
                                        tn_ros_param_dump_fn on_done, void *context)
{
    struct rcl_interfaces_srv_ListParameters_Request request;
    if (client->dump.is_running)
        return TN_ERR_BUSY;
    enum tn_result result = tn_arena_create(&client->dump.arena, DUMP_ARENA_BYTES);
    if (result != TN_OK)
        return result;
    client->dump.is_running = true;
    client->dump.timeout_ns = timeout_ns;
    client->dump.on_done = on_done;
    client->dump.context = context;
    rcl_interfaces_srv_ListParameters_Request_init(&request);
    result = tn_ros_param_client_list(client, &request, timeout_ns, on_dump_names, client);
    if (result != TN_OK) {
        tn_arena_destroy(&client->dump.arena);
        memset(&client->dump, 0, sizeof client->dump);
    }
    return result;
}
