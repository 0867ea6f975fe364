// SPDX-License-Identifier: Apache-2.0
// Discovery data of strangers, fed to the graph as a script: what comes out must be whole, sorted
// and bounded. Byte by byte: an operation, then its data, led by its length.
//   'm' ros_discovery_info of a writer   'w' 'r' writer or reader: topic, type, USER_DATA
//   'p' participant: USER_DATA           'g' the one named goes   's' settle
#include <stdlib.h>
#include <string.h>

#include "ros/ros__graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *data;
    size_t size;
};

static uint8_t next(struct input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->data++;
}

/// An exact copy, so that one byte too far is noticed.
static uint8_t *part(struct input *in, size_t *out_size)
{
    size_t size = next(in);
    size |= (size_t)next(in) << 8;
    if (size > in->size)
        size = in->size;
    uint8_t *copy = malloc(size + 1);
    if (copy == NULL)
        abort();
    memcpy(copy, in->data, size);
    in->data += size;
    in->size -= size;
    *out_size = size;
    uint8_t *exact = realloc(copy, size > 0 ? size : 1);
    return exact != NULL ? exact : copy;
}

static char *text(struct input *in)
{
    size_t size;
    uint8_t *bytes = part(in, &size);
    char *out = calloc(size + 1, 1);
    if (out == NULL)
        abort();
    memcpy(out, bytes, size);
    free(bytes);
    return out;
}

static struct tn_gid gid(struct input *in)
{
    struct tn_gid out = {{0x01, 0x10, 0}};
    out.data[2] = next(in) & 3u;
    out.data[15] = next(in);
    return out;
}

static void discover(struct tn_ros__graph_model *model, struct input *in,
                     enum tn_transport_discovered_kind kind, bool is_alive)
{
    struct tn_transport_discovered event = {.kind = kind, .is_alive = is_alive, .gid = gid(in)};
    event.participant = event.gid;
    char *topic = NULL, *type = NULL;
    uint8_t *user_data = NULL;
    if (is_alive) {
        if (kind != TN_TRANSPORT_PARTICIPANT) {
            topic = text(in);
            type = text(in);
        }
        user_data = part(in, &event.user_data_size);
        event.dds_topic = topic;
        event.dds_type = type;
        event.user_data = user_data;
        (void)tn_ros__gid_reader_of(user_data, event.user_data_size);
    }
    (void)tn_ros__graph_model_discovered(model, &event);
    free(topic);
    free(type);
    free(user_data);
}

static void check_names(const struct tn_ros_graph_name *names, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && strcmp(names[i - 1].name, names[i].name) > 0)
            abort();
        if (names[i].n_types == 0)
            abort();
        for (uint32_t j = 0; j < names[i].n_types; j++)
            if (strlen(names[i].types[j]) >= TN_ROS_NAME_MAX ||
                strlen(names[i].hashes[j]) >= TN_ROS__HASH_MAX)
                abort();
    }
}

static void check(const struct tn_ros__graph_model *model)
{
    struct tn_ros_graph *graph = NULL;
    struct tn_ros_graph_use use;
    struct tn_ros_graph_node_name name;
    if (tn_ros__graph_model_snapshot(model, (struct tn_gid){{0}}, &graph) != TN_OK)
        abort();
    check_names(graph->topics, graph->n_topics);
    check_names(graph->services, graph->n_services);
    check_names(graph->actions, graph->n_actions);
    for (uint32_t i = 0; i < graph->n_endpoints; i++) {
        const struct tn_ros_graph_endpoint *e = &graph->endpoints[i];
        bool has_node = e->node != TN_ROS_GRAPH_NO_NODE;
        // both ways to ask agree
        if ((tn_ros__graph_model_node_of(model, e->gid, &name) == TN_OK) != has_node)
            abort();
        if (has_node && e->node >= graph->n_nodes)
            abort();
        (void)tn_ros_name_is_hidden(e->name);
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        for (int role = TN_ROS_GRAPH_PUBLISHERS; role <= TN_ROS_GRAPH_ACTION_CLIENTS; role++)
            for (uint32_t at = 0;
                 tn_ros_graph_next_use(graph, i, (enum tn_ros_graph_role)role, &at, &use);)
                if (use.endpoint->node != i || use.name == NULL || use.type == NULL)
                    abort();
    tn_ros_graph_free(&graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct tn_ros__graph_model *model = tn_ros__graph_model_create();
    if (model == NULL)
        abort();
    while (in.size > 0) {
        uint8_t operation = next(&in);
        if (operation == 'm') {
            size_t n;
            struct tn_gid writer = gid(&in);
            uint8_t *cdr = part(&in, &n);
            (void)tn_ros__graph_model_entities(model, writer, cdr, n);
            free(cdr);
        } else if (operation == 'w' || operation == 'r') {
            discover(model, &in, operation == 'w' ? TN_TRANSPORT_WRITER : TN_TRANSPORT_READER,
                     true);
        } else if (operation == 'p') {
            discover(model, &in, TN_TRANSPORT_PARTICIPANT, true);
        } else if (operation == 'g') {
            discover(model, &in, (enum tn_transport_discovered_kind)(next(&in) % 3u), false);
        } else if (operation == 's') {
            (void)tn_ros__graph_model_settle(model);
        }
    }
    check(model);
    tn_ros__graph_model_destroy(&model);
    return 0;
}
