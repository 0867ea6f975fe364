// SPDX-License-Identifier: Apache-2.0
// A SetParametersAtomically request as it comes from the wire: whatever it says, the configuration
// stays within its table, a refused set changes nothing, and an accepted one shows what was asked.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../wire/ros/param_table.h"
#include "ros/ros__node.h"

static void must(bool is_true)
{
    if (!is_true)
        abort();
}

/// What the table promises, whoever set it.
static void check_config(const struct table_config *c)
{
    must(c->count >= 0 && c->count <= 11 && (c->count % 2 == 0 || c->count == 11));
    must(c->fixed == 7);
    must(c->rate >= 0.5 && c->rate <= 1000.0 && isfinite(c->speed));
    must(strcmp(c->mode, "hold") == 0 || strcmp(c->mode, "open") == 0 ||
         strcmp(c->mode, "limp") == 0);
    must(memchr(c->name, '\0', sizeof c->name) != NULL);
    must(c->gains.size <= 4 && c->ids.size <= 4 && c->words.size <= 4 && c->flags.size <= 4 &&
         c->raw.size <= 4);
    for (uint32_t i = 0; i < c->gains.size; i++)
        must(c->gains.data[i] >= -10.0 && c->gains.data[i] <= 10.0);
    for (uint32_t i = 0; i < c->words.size; i++)
        must(memchr(c->words.data[i], '\0', sizeof c->words.data[i]) != NULL);
    must(!c->on || c->rate >= 10.0);
}

/// Every row can be told and described.
static void check_rows(struct tn_ros_node *node)
{
    struct tn_arena *arena = &node->arena;
    struct tn_ros__param_ref *rows = tn_ros__param_rows(&node->param_server, arena);
    must(rows != NULL);
    for (uint32_t i = 0; i < node->param_server.n_rows; i++) {
        struct rcl_interfaces_msg_ParameterValue value;
        struct rcl_interfaces_msg_ParameterDescriptor descriptor;
        struct tn_error err = {0};
        struct table_config copy;
        must(tn_ros__param_value_of(rows[i], arena, &value) == TN_OK);
        must(tn_ros__param_descriptor_of(rows[i], arena, &descriptor) == TN_OK);
        must(value.type == descriptor.type);
        if (rows[i].group != &node->param_server.own)
            continue;
        // what is told would be taken again
        memcpy(&copy, node->params.config, sizeof copy);
        must(tn_ros__param_put(rows[i].param, &value, (uint8_t *)&copy, &err) == TN_OK);
    }
}

static void run(struct tn_ros_node *node, struct table_config *config, const uint8_t *data,
                size_t size)
{
    struct rcl_interfaces_srv_SetParametersAtomically_Request request;
    struct tn_cdr_reader reader;
    struct tn_error err = {0};
    struct table_config before;
    if (tn_cdr_reader_begin(&reader, data, size) != TN_OK ||
        tn_type_decode(&rcl_interfaces_srv_SetParametersAtomically_Request_type, &request, &reader,
                       &node->arena) != TN_OK)
        return;
    memcpy(&before, config, sizeof before);
    enum tn_result result = tn_ros__params_set(&node->param_server, request.parameters.data,
                                               request.parameters.size, &err);
    check_config(config);
    if (result != TN_OK)
        must(memcmp(&before, config, sizeof before) == 0 && err.text[0] != '\0');
    check_rows(node);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tn_ros_args args;
    struct table_config config;
    struct tn_error err = {0};
    struct tn_ros_node *node = calloc(1, sizeof *node);
    memset(&config, 0, sizeof config);
    must(node != NULL);
    struct tn_ros__param_server *server = &node->param_server;
    node->params = table_set(&config);
    must(tn_ros__params_load(&node->params, &args, "/", "n", &node->builtin, &err) == TN_OK);
    must(tn_arena_create(&node->arena, 65536) == TN_OK);
    // a node without the network
    server->node = node;
    server->builtin.set = tn_ros__builtin_param_set(&node->builtin);
    server->own.set = node->params;
    server->groups = &server->builtin;
    server->builtin.next = &server->own;
    server->n_rows = server->builtin.set.n_params + server->own.set.n_params;
    run(node, &config, data, size);
    tn_ros__builtin_params_fini(&node->builtin);
    tn_arena_destroy(&node->arena);
    free(node);
    return 0;
}
