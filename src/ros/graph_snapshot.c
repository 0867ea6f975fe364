// SPDX-License-Identifier: Apache-2.0
// Copies of the graph, sorted and counted, and the views of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__graph_model.h"

/// "/ns/name".
#define FQN_MAX (2 * TN_ROS_NAME_MAX + 1)

/// A node while its endpoints are looked for.
struct claim {
    struct tn_ros_graph_node view;
    struct tn_ros__entities_node source;
    uint32_t gid_size;
};

/// What a snapshot is made of; `graph` comes first.
struct snapshot {
    struct tn_ros_graph graph;
    uint32_t n_held;
    struct tn_ros__block **held; ///< where the texts are
    struct tn_ros_graph_node *nodes;
    struct tn_ros_graph_endpoint *endpoints;
    struct tn_ros_graph_name *names; ///< topics, services, actions
    const char **texts;              ///< their types and hashes
};

static void format_fqn(const char *ns, const char *name, char out[FQN_MAX])
{
    bool is_root = strcmp(ns, "/") == 0;
    (void)snprintf(out, FQN_MAX, "%s/%s", is_root ? "" : ns, name);
}

// ---- order ----

static int compare_gids(const struct tn_gid *a, const struct tn_gid *b)
{
    return memcmp(a->data, b->data, TN_GID_SIZE);
}

static int compare_claims(const void *a, const void *b)
{
    const struct claim *x = a, *y = b;
    char x_fqn[FQN_MAX], y_fqn[FQN_MAX];
    format_fqn(x->view.ns, x->view.name, x_fqn);
    format_fqn(y->view.ns, y->view.name, y_fqn);
    int order = strcmp(x_fqn, y_fqn);
    return order != 0 ? order : compare_gids(&x->view.participant, &y->view.participant);
}

static int compare_by_gid(const void *a, const void *b)
{
    const struct tn_ros_graph_endpoint *x = a, *y = b;
    return compare_gids(&x->gid, &y->gid);
}

static int compare_by_name(const void *a, const void *b)
{
    const struct tn_ros_graph_endpoint *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order == 0)
        order = strcmp(x->type, y->type);
    if (order == 0)
        order = (int)y->is_publisher - (int)x->is_publisher;
    return order != 0 ? order : compare_gids(&x->gid, &y->gid);
}

static int compare_names(const void *a, const void *b)
{
    const struct tn_ros_graph_name *x = a, *y = b;
    return strcmp(x->name, y->name);
}

// ---- making one ----

static void hold(struct snapshot *s, struct tn_ros__block *block)
{
    tn_ros__block_hold(block);
    s->held[s->n_held++] = block;
}

static enum tn_result reserve(struct snapshot *s, const struct tn_ros__graph_model *model)
{
    size_t n_endpoints = model->n_endpoints;
    // calloc of nothing may yield NULL
    s->held = calloc(n_endpoints + 2 * (size_t)model->n_participants + 1, sizeof *s->held);
    s->nodes = calloc((size_t)model->n_nodes + 1, sizeof *s->nodes);
    s->endpoints = calloc(n_endpoints + 1, sizeof *s->endpoints);
    // an endpoint belongs to one topic or service, and at most to one action besides
    s->names = calloc(2 * n_endpoints + 1, sizeof *s->names);
    s->texts = calloc(4 * n_endpoints + 1, sizeof *s->texts);
    bool has_all = s->held != NULL && s->nodes != NULL && s->endpoints != NULL &&
                   s->names != NULL && s->texts != NULL;
    return has_all ? TN_OK : TN_ERR_NO_MEMORY;
}

static uint32_t list_claims(struct snapshot *s, const struct tn_ros__graph_model *model,
                            struct tn_gid own, struct claim *claims)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < model->n_participants; i++) {
        const struct tn_ros__participant *p = &model->participants[i];
        struct tn_ros__entities walk;
        if (p->entities == NULL || !p->is_discovered)
            continue;
        hold(s, p->entities);
        hold(s, p->enclave);
        (void)tn_ros__entities_begin(&walk, tn_ros__block_data(p->entities), p->entities->size);
        while (n < model->n_nodes && tn_ros__entities_next(&walk, &claims[n].source)) {
            claims[n].gid_size = walk.gid_size;
            claims[n].view = (struct tn_ros_graph_node){
                .name = claims[n].source.name,
                .ns = claims[n].source.ns,
                .enclave = (const char *)tn_ros__block_data(p->enclave),
                .participant = p->gid,
                .is_own = tn_ros__same_process(p->gid, own),
            };
            n++;
        }
    }
    qsort(claims, n, sizeof *claims, compare_claims);
    return n;
}

static void list_endpoints(struct snapshot *s, const struct tn_ros__graph_model *model)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < TN_ROS__GRAPH_BUCKETS; i++)
        for (struct tn_ros__endpoint *e = model->endpoints[i]; e != NULL; e = e->next) {
            hold(s, &e->block);
            s->endpoints[n++] = e->view;
        }
    s->graph.n_endpoints = n;
    qsort(s->endpoints, n, sizeof *s->endpoints, compare_by_gid);
}

/// Gives the endpoints to a node; only those of its own process, and the first who asks has them.
static void give(struct snapshot *s, const struct claim *claim, const uint8_t *gids, uint32_t n,
                 uint32_t node)
{
    for (uint32_t i = 0; i < n; i++) {
        struct tn_ros_graph_endpoint key;
        memcpy(key.gid.data, gids + (size_t)i * claim->gid_size, TN_GID_SIZE);
        if (!tn_ros__same_process(key.gid, claim->view.participant))
            continue;
        struct tn_ros_graph_endpoint *endpoint =
            bsearch(&key, s->endpoints, s->graph.n_endpoints, sizeof key, compare_by_gid);
        if (endpoint != NULL && endpoint->node == TN_ROS_GRAPH_NO_NODE)
            endpoint->node = node;
    }
}

/// Adds an endpoint to the last name, which is its own, or begins a new one.
static struct tn_ros_graph_name *enter(struct tn_ros_graph_name *names, uint32_t *n,
                                       const char ***texts, const char *name)
{
    if (*n > 0 && strcmp(names[*n - 1].name, name) == 0)
        return &names[*n - 1];
    names[*n] = (struct tn_ros_graph_name){.name = name, .types = *texts};
    return &names[(*n)++];
}

static bool is_in(const struct tn_ros_graph_endpoint *e, enum tn_ros_graph_kind kind)
{
    return kind == e->kind || (kind == TN_ROS_GRAPH_REQUEST && e->kind == TN_ROS_GRAPH_REPLY);
}

static void count(struct tn_ros_graph_name *entry, const struct tn_ros_graph_endpoint *e)
{
    // a service is counted by its requests: who reads them serves
    bool is_server = e->kind == TN_ROS_GRAPH_REQUEST && !e->is_publisher;
    bool is_client = e->kind == TN_ROS_GRAPH_REQUEST && e->is_publisher;
    bool is_topic = e->kind == TN_ROS_GRAPH_TOPIC;
    entry->n_publishers += is_server || (is_topic && e->is_publisher) ? 1 : 0;
    entry->n_subscriptions += is_client || (is_topic && !e->is_publisher) ? 1 : 0;
}

/// Lists the names of one kind; the endpoints are sorted by name and type. Types and hashes are
/// put in pairs first: the hash of a type may come with any of its endpoints.
static uint32_t list_names(const struct snapshot *s, enum tn_ros_graph_kind kind, bool is_action,
                           struct tn_ros_graph_name *names, const char ***io_texts)
{
    uint32_t n = 0;
    const char **texts = *io_texts, **types = texts;
    for (uint32_t i = 0; i < s->graph.n_endpoints; i++) {
        const struct tn_ros_graph_endpoint *e = &s->endpoints[i];
        if (!is_in(e, kind) || (is_action && e->action == NULL))
            continue;
        const char *type = is_action ? e->action_type : e->type;
        const char *hash = kind == TN_ROS_GRAPH_TOPIC ? e->hash : e->service_hash;
        struct tn_ros_graph_name *entry = enter(names, &n, &types, is_action ? e->action : e->name);
        count(entry, e);
        if (entry->n_types == 0 || strcmp(types[-2], type) != 0) {
            *types++ = type;
            *types++ = hash;
            entry->n_types++;
        } else if (types[-1][0] == '\0') {
            types[-1] = hash;
        }
    }
    *io_texts = types;
    return n;
}

/// Turns pairs (type, hash) of each name into types followed by hashes.
static void part_texts(struct tn_ros_graph_name *names, uint32_t n, const char **scratch)
{
    for (uint32_t i = 0; i < n; i++) {
        const char **texts = (const char **)(uintptr_t)names[i].types;
        uint32_t n_types = names[i].n_types;
        memcpy(scratch, texts, 2 * n_types * sizeof *texts);
        for (uint32_t j = 0; j < n_types; j++) {
            texts[j] = scratch[2 * (size_t)j];
            texts[n_types + j] = scratch[2 * (size_t)j + 1];
        }
        names[i].hashes = texts + n_types;
    }
}

static enum tn_result list_all_names(struct snapshot *s)
{
    const char **scratch = calloc(2 * (size_t)s->graph.n_endpoints + 1, sizeof *scratch);
    if (scratch == NULL)
        return TN_ERR_NO_MEMORY;
    const char **texts = s->texts;
    struct tn_ros_graph_name *names = s->names;
    s->graph.topics = names;
    s->graph.n_topics = list_names(s, TN_ROS_GRAPH_TOPIC, false, names, &texts);
    names += s->graph.n_topics;
    s->graph.services = names;
    s->graph.n_services = list_names(s, TN_ROS_GRAPH_REQUEST, false, names, &texts);
    names += s->graph.n_services;
    s->graph.actions = names;
    s->graph.n_actions = list_names(s, TN_ROS_GRAPH_TOPIC, true, names, &texts);
    uint32_t n = s->graph.n_topics + s->graph.n_services + s->graph.n_actions;
    part_texts(s->names, n, scratch);
    // without its suffix a name may have another place
    qsort(names, s->graph.n_actions, sizeof *names, compare_names);
    free(scratch);
    return TN_OK;
}

static enum tn_result fill(struct snapshot *s, const struct tn_ros__graph_model *model,
                           struct tn_gid own)
{
    struct claim *claims = calloc((size_t)model->n_nodes + 1, sizeof *claims);
    if (claims == NULL)
        return TN_ERR_NO_MEMORY;
    uint32_t n = list_claims(s, model, own, claims);
    list_endpoints(s, model);
    for (uint32_t i = 0; i < n; i++) {
        const struct tn_ros__entities_node *source = &claims[i].source;
        s->nodes[i] = claims[i].view;
        give(s, &claims[i], source->readers, source->n_readers, i);
        give(s, &claims[i], source->writers, source->n_writers, i);
    }
    free(claims);
    s->graph.n_nodes = n;
    s->graph.nodes = s->nodes;
    s->graph.endpoints = s->endpoints;
    s->graph.n_left_out = model->n_left_out;
    qsort(s->endpoints, s->graph.n_endpoints, sizeof *s->endpoints, compare_by_name);
    return list_all_names(s);
}

enum tn_result tn_ros__graph_model_snapshot(const struct tn_ros__graph_model *model,
                                            struct tn_gid own, struct tn_ros_graph **out_graph)
{
    struct snapshot *s = calloc(1, sizeof *s);
    if (s == NULL)
        return TN_ERR_NO_MEMORY;
    struct tn_ros_graph *graph = &s->graph;
    enum tn_result result = reserve(s, model);
    if (result == TN_OK)
        result = fill(s, model, own);
    if (result != TN_OK)
        tn_ros_graph_free(&graph);
    else
        *out_graph = graph;
    return result;
}

void tn_ros_graph_free(struct tn_ros_graph **graph)
{
    struct snapshot *s = (struct snapshot *)*graph;
    *graph = NULL;
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->n_held; i++)
        tn_ros__block_release(s->held[i]);
    free(s->held);
    free(s->nodes);
    free(s->endpoints);
    free(s->names);
    free(s->texts);
    free(s);
}

// ---- views ----

static bool plays(const struct tn_ros_graph_endpoint *e, enum tn_ros_graph_role role)
{
    switch (role) {
    case TN_ROS_GRAPH_PUBLISHERS:
        return e->kind == TN_ROS_GRAPH_TOPIC && e->is_publisher;
    case TN_ROS_GRAPH_SUBSCRIPTIONS:
        return e->kind == TN_ROS_GRAPH_TOPIC && !e->is_publisher;
    case TN_ROS_GRAPH_SERVERS:
        return e->kind == TN_ROS_GRAPH_REQUEST && !e->is_publisher;
    case TN_ROS_GRAPH_CLIENTS:
        return e->kind == TN_ROS_GRAPH_REPLY && !e->is_publisher;
    case TN_ROS_GRAPH_ACTION_SERVERS:
        return e->action != NULL && e->is_publisher;
    case TN_ROS_GRAPH_ACTION_CLIENTS:
        return e->action != NULL && !e->is_publisher;
    }
    return false;
}

static bool is_repeated(const struct tn_ros_graph *graph, uint32_t i, uint32_t node,
                        enum tn_ros_graph_role role)
{
    const struct tn_ros_graph_endpoint *e = &graph->endpoints[i];
    while (i-- > 0) {
        const struct tn_ros_graph_endpoint *before = &graph->endpoints[i];
        if (strcmp(before->name, e->name) != 0 || strcmp(before->type, e->type) != 0)
            return false;
        if (before->node == node && plays(before, role))
            return true;
    }
    return false;
}

bool tn_ros_graph_next_use(const struct tn_ros_graph *graph, uint32_t node,
                           enum tn_ros_graph_role role, uint32_t *io_next,
                           struct tn_ros_graph_use *out_use)
{
    bool is_action = role == TN_ROS_GRAPH_ACTION_SERVERS || role == TN_ROS_GRAPH_ACTION_CLIENTS;
    for (uint32_t i = *io_next; i < graph->n_endpoints; i++) {
        const struct tn_ros_graph_endpoint *e = &graph->endpoints[i];
        if (e->node != node || !plays(e, role) || is_repeated(graph, i, node, role))
            continue;
        *io_next = i + 1;
        *out_use = (struct tn_ros_graph_use){
            .name = is_action ? e->action : e->name,
            .type = is_action ? e->action_type : e->type,
            .endpoint = e,
        };
        return true;
    }
    *io_next = graph->n_endpoints;
    return false;
}

uint32_t tn_ros_graph_find_node(const struct tn_ros_graph *graph, const char *fqn)
{
    char found[FQN_MAX];
    const char *wanted = fqn[0] == '/' ? fqn + 1 : fqn;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        format_fqn(graph->nodes[i].ns, graph->nodes[i].name, found);
        if (strcmp(found + 1, wanted) == 0)
            return i;
    }
    return TN_ROS_GRAPH_NO_NODE;
}

const struct tn_ros_graph_name *tn_ros_graph_find_name(const struct tn_ros_graph_name *names,
                                                       uint32_t n, const char *name)
{
    struct tn_ros_graph_name key = {.name = name};
    return n == 0 ? NULL : bsearch(&key, names, n, sizeof key, compare_names);
}
