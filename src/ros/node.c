// SPDX-License-Identifier: Apache-2.0
#include "ros/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__action.h"
#include "ros/ros__node.h"

#define ARENA_DEFAULT_BYTES (256u * 1024u)

/// The last value given to `__node`/`__name` or `__ns` for this node.
static const char *find_rename(const struct tn_ros_args *args, const char *what, const char *alias,
                               const char *node)
{
    const char *found = NULL;
    for (uint32_t i = 0; i < args->n_remaps && found == NULL; i++) {
        const struct tn_ros_rule *rule = &args->remaps[i];
        bool is_it = strcmp(rule->from, what) == 0 || strcmp(rule->from, alias) == 0;
        if (is_it && (rule->node[0] == '\0' || strcmp(rule->node, node) == 0))
            found = rule->to;
    }
    return found;
}

enum tn_result tn_ros__node_identity(const struct tn_ros_args *args, const char *name,
                                     const char *ns, struct tn_ros__node_names *out,
                                     struct tn_error *err)
{
    const char *new_name = find_rename(args, "__node", "__name", name);
    const char *new_ns = find_rename(args, "__ns", "__ns", name);
    if (new_name == NULL)
        new_name = name;
    if (new_ns == NULL)
        new_ns = ns == NULL ? "" : ns;
    enum tn_result result = tn_ros_check_node_name(new_name, err);
    if (result == TN_OK)
        result = tn_ros_normalise_namespace(new_ns, out->ns, err);
    if (result != TN_OK)
        return result;
    (void)snprintf(out->name, sizeof out->name, "%s", new_name);
    (void)snprintf(out->fqn, sizeof out->fqn, "%s/%s", strcmp(out->ns, "/") == 0 ? "" : out->ns,
                   out->name);
    return TN_OK;
}

static enum tn_result resolve_identity(struct tn_ros_node *node,
                                       const struct tn_ros_node_options *options,
                                       struct tn_error *err)
{
    struct tn_ros__node_names identity;
    enum tn_result result =
        tn_ros__node_identity(&node->context->args, options->name, options->ns, &identity, err);
    if (result != TN_OK)
        return result;
    memcpy(node->name, identity.name, sizeof node->name);
    memcpy(node->ns, identity.ns, sizeof node->ns);
    memcpy(node->fqn, identity.fqn, sizeof node->fqn);
    return TN_OK;
}

/// rcl's logger name: the fully qualified name with dots.
static void init_logger(struct tn_ros_node *node)
{
    char name[sizeof node->fqn];
    memcpy(name, node->fqn + 1, strlen(node->fqn));
    for (char *p = name; *p != '\0'; p++)
        if (*p == '/')
            *p = '.';
    tn_logger_init(&node->logger, name);
    const struct tn_ros_args *args = &node->context->args;
    for (uint32_t i = 0; i < args->n_log_levels; i++)
        if (strcmp(args->log_levels[i].from, name) == 0)
            (void)tn_log_level_parse(args->log_levels[i].to, &node->logger.level);
}

enum tn_result tn_ros_node_create(struct tn_ros_context *context,
                                  const struct tn_ros_node_options *options,
                                  struct tn_ros_node **out_node, struct tn_error *err)
{
    struct tn_ros_node *node = calloc(1, sizeof *node);
    if (node == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for node %s", options->name);
    node->context = context;
    node->params = options->params;
    enum tn_result result = resolve_identity(node, options, err);
    if (result == TN_OK)
        result = tn_ros__params_load(&node->params, &context->args, node->ns, node->name,
                                     &node->builtin, err);
    if (result == TN_OK)
        result = tn_arena_create(&node->arena, options->arena_size > 0 ? options->arena_size
                                                                       : ARENA_DEFAULT_BYTES);
    if (result != TN_OK) {
        tn_ros__builtin_params_fini(&node->builtin);
        free(node);
        return result;
    }
    init_logger(node);
    node->next = context->nodes;
    context->nodes = node;
    tn_ros__graph_changed(context);
    result = tn_ros__param_server_open(node, options, err);
    if (result == TN_OK)
        result = tn_ros__clock_open(node, err);
    if (result != TN_OK)
        tn_ros_node_destroy(&node);
    *out_node = node;
    return result;
}

static void destroy_endpoints(struct tn_ros_node *node)
{
    // they destroy their own endpoints
    tn_ros__records_destroy(node);
    tn_ros__action_clients_destroy(node);
    tn_ros__action_servers_destroy(node);
    while (node->clients != NULL) {
        struct tn_ros_client *client = node->clients;
        tn_ros_client_destroy(&client);
    }
    while (node->services != NULL) {
        struct tn_ros_service *service = node->services;
        tn_ros_service_destroy(&service);
    }
    while (node->subscriptions != NULL) {
        struct tn_ros_subscription *subscription = node->subscriptions;
        tn_ros_subscription_destroy(&subscription);
    }
    while (node->publishers != NULL) {
        struct tn_ros_publisher *publisher = node->publishers;
        tn_ros_publisher_destroy(&publisher);
    }
}

void tn_ros_node_destroy(struct tn_ros_node **node)
{
    struct tn_ros_node *n = *node;
    *node = NULL;
    if (n == NULL)
        return;
    tn_ros__clock_close(n);
    tn_ros__param_server_close(n);
    destroy_endpoints(n);
    struct tn_ros_node **link = &n->context->nodes;
    while (*link != n)
        link = &(*link)->next;
    *link = n->next;
    tn_ros__graph_changed(n->context);
    tn_arena_destroy(&n->arena);
    free(n);
}

const char *tn_ros_node_fqn(const struct tn_ros_node *node)
{
    return node->fqn;
}

const char *tn_ros_node_name(const struct tn_ros_node *node)
{
    return node->name;
}

const char *tn_ros_node_namespace(const struct tn_ros_node *node)
{
    return node->ns;
}

const struct tn_logger *tn_ros_node_logger(const struct tn_ros_node *node)
{
    return &node->logger;
}

struct tn_ros_context *tn_ros_node_context(const struct tn_ros_node *node)
{
    return node->context;
}

void tn_ros__user_data(const char *hash, char out[TN_ROS__USER_DATA_MAX])
{
    // a type whose hash is not known: rmw reads an empty text as none
    out[0] = '\0';
    if (hash[0] != '\0') {
        (void)snprintf(out, TN_ROS__USER_DATA_MAX, "typehash=%s;", hash);
    }
}
