// SPDX-License-Identifier: Apache-2.0
// What is known of the graph: participants, what they say of their nodes, and endpoints.
#include <stdlib.h>
#include <string.h>

#include "base/compat.h"
#include "ros/ros__graph_model.h"

#define PREFIX_SIZE 12u

void tn_ros__block_hold(struct tn_ros__block *block)
{
    block->n_refs++;
}

void tn_ros__block_release(struct tn_ros__block *block)
{
    if (block != NULL && --block->n_refs == 0)
        free(block);
}

static struct tn_ros__block *block_new(const void *data, size_t size)
{
    struct tn_ros__block *block = malloc(sizeof *block + size);
    if (block == NULL)
        return NULL;
    block->n_refs = 1;
    block->size = size;
    if (size > 0)
        memcpy(block + 1, data, size);
    return block;
}

bool tn_ros__same_process(struct tn_gid a, struct tn_gid b)
{
    return memcmp(a.data, b.data, PREFIX_SIZE) == 0;
}

struct tn_ros__graph_model *tn_ros__graph_model_create(void)
{
    return calloc(1, sizeof(struct tn_ros__graph_model));
}

static void participant_clear(struct tn_ros__graph_model *model,
                              struct tn_ros__participant *participant)
{
    if (participant->entities != NULL)
        model->entities_size -= participant->entities->size;
    model->n_nodes -= participant->n_nodes;
    tn_ros__block_release(participant->entities);
    tn_ros__block_release(participant->enclave);
    memset(participant, 0, sizeof *participant);
}

void tn_ros__graph_model_destroy(struct tn_ros__graph_model **model)
{
    struct tn_ros__graph_model *m = *model;
    *model = NULL;
    if (m == NULL)
        return;
    for (uint32_t i = 0; i < m->n_participants; i++)
        participant_clear(m, &m->participants[i]);
    free(m->participants);
    for (uint32_t i = 0; i < TN_ROS__GRAPH_BUCKETS; i++)
        for (struct tn_ros__endpoint *e = m->endpoints[i], *next; e != NULL; e = next) {
            next = e->next;
            tn_ros__block_release(&e->block);
        }
    free(m);
}

// ---- participants ----

static struct tn_ros__participant *find_participant(const struct tn_ros__graph_model *model,
                                                    struct tn_gid gid)
{
    for (uint32_t i = 0; i < model->n_participants; i++)
        if (tn_ros__same_process(model->participants[i].gid, gid))
            return &model->participants[i];
    return NULL;
}

static struct tn_ros__participant *add_participant(struct tn_ros__graph_model *model,
                                                   struct tn_gid gid)
{
    struct tn_ros__participant *found = find_participant(model, gid);
    if (found != NULL)
        return found;
    if (model->n_participants == model->participants_capacity) {
        uint32_t capacity = model->n_participants == 0 ? 16 : 2 * model->n_participants;
        if (capacity > TN_ROS_GRAPH_PARTICIPANTS_MAX)
            return NULL;
        struct tn_ros__participant *grown =
            realloc(model->participants, capacity * sizeof *model->participants);
        if (grown == NULL)
            return NULL;
        model->participants = grown;
        model->participants_capacity = capacity;
    }
    found = &model->participants[model->n_participants++];
    memset(found, 0, sizeof *found);
    found->gid = gid;
    return found;
}

static void remove_participant(struct tn_ros__graph_model *model,
                               struct tn_ros__participant *participant)
{
    participant_clear(model, participant);
    *participant = model->participants[--model->n_participants];
}

static bool participant_alive(struct tn_ros__graph_model *model,
                              const struct tn_transport_discovered *event)
{
    char enclave[TN_ROS_NAME_MAX];
    tn_ros__user_data_get(event->user_data, event->user_data_size, "enclave", enclave,
                          sizeof enclave);
    struct tn_ros__participant *participant = add_participant(model, event->gid);
    struct tn_ros__block *text =
        participant == NULL ? NULL : block_new(enclave, strlen(enclave) + 1);
    if (text == NULL) {
        model->n_left_out++;
        return false;
    }
    tn_ros__block_release(participant->enclave);
    participant->enclave = text;
    participant->gid = event->gid;
    participant->is_discovered = true;
    return true;
}

static bool participant_event(struct tn_ros__graph_model *model,
                              const struct tn_transport_discovered *event)
{
    if (event->is_alive)
        return participant_alive(model, event);
    struct tn_ros__participant *participant = find_participant(model, event->gid);
    if (participant == NULL)
        return false;
    remove_participant(model, participant);
    return true;
}

bool tn_ros__graph_model_settle(struct tn_ros__graph_model *model)
{
    bool is_changed = false;
    for (uint32_t i = model->n_participants; i-- > 0;)
        if (!model->participants[i].is_discovered) {
            remove_participant(model, &model->participants[i]);
            is_changed = true;
        }
    return is_changed;
}

// ---- endpoints ----

static struct tn_ros__endpoint **find_endpoint(struct tn_ros__graph_model *model, struct tn_gid gid)
{
    // the prefix tells processes apart, the last bytes endpoints; FNV-1a mixes them
    uint32_t hash = 2166136261u;
    for (unsigned i = 0; i < TN_GID_SIZE; i++)
        hash = (hash ^ gid.data[i]) * 16777619u;
    struct tn_ros__endpoint **link = &model->endpoints[(hash ^ hash >> 16) % TN_ROS__GRAPH_BUCKETS];
    while (*link != NULL && memcmp((*link)->view.gid.data, gid.data, TN_GID_SIZE) != 0)
        link = &(*link)->next;
    return link;
}

static const char *keep(char **text, const char *value)
{
    size_t size = strlen(value) + 1;
    char *start = *text;
    memcpy(start, value, size);
    *text += size;
    return start;
}

/// What is made of one endpoint before its size is known.
struct parts {
    struct tn_ros__names names;
    char hash[TN_ROS__HASH_MAX], service_hash[TN_ROS__HASH_MAX];
    char action[TN_ROS_NAME_MAX], action_type[TN_ROS_NAME_MAX];
};

static void take_apart(const struct tn_transport_discovered *event, struct parts *parts)
{
    const uint8_t *data = event->user_data;
    tn_ros__demangle(event->dds_topic, event->dds_type, &parts->names);
    tn_ros__user_data_get(data, event->user_data_size, "typehash", parts->hash, sizeof parts->hash);
    tn_ros__user_data_get(data, event->user_data_size, "sertypehash", parts->service_hash,
                          sizeof parts->service_hash);
    parts->action[0] = parts->action_type[0] = '\0';
    if (parts->names.kind == TN_ROS_GRAPH_TOPIC)
        (void)tn_ros__action_of(parts->names.name, parts->names.type, parts->action,
                                parts->action_type);
}

static struct tn_ros__endpoint *endpoint_new(const struct tn_transport_discovered *event)
{
    struct parts parts;
    take_apart(event, &parts);
    size_t size = strlen(event->dds_topic) + strlen(event->dds_type) + strlen(parts.names.name) +
                  strlen(parts.names.type) + strlen(parts.hash) + strlen(parts.service_hash) +
                  strlen(parts.action) + strlen(parts.action_type) + 8;
    struct tn_ros__endpoint *endpoint = calloc(1, sizeof *endpoint + size);
    if (endpoint == NULL)
        return NULL;
    endpoint->block.n_refs = 1;
    char *text = endpoint->text;
    bool is_action = parts.action[0] != '\0';
    endpoint->view = (struct tn_ros_graph_endpoint){
        .gid = event->gid,
        .participant = event->participant,
        .kind = parts.names.kind,
        .is_publisher = event->kind == TN_TRANSPORT_WRITER,
        .dds_topic = keep(&text, event->dds_topic),
        .dds_type = keep(&text, event->dds_type),
        .name = keep(&text, parts.names.name),
        .type = keep(&text, parts.names.type),
        .hash = keep(&text, parts.hash),
        .service_hash = keep(&text, parts.service_hash),
        .action = is_action ? keep(&text, parts.action) : NULL,
        .action_type = is_action ? keep(&text, parts.action_type) : NULL,
        .qos = event->qos,
        .is_history_known = event->is_history_known,
        .node = TN_ROS_GRAPH_NO_NODE,
    };
    return endpoint;
}

static void remove_endpoint(struct tn_ros__graph_model *model, struct tn_ros__endpoint **link)
{
    struct tn_ros__endpoint *old = *link;
    *link = old->next;
    model->n_endpoints--;
    tn_ros__block_release(&old->block);
}

static bool endpoint_event(struct tn_ros__graph_model *model,
                           const struct tn_transport_discovered *event)
{
    struct tn_ros__endpoint **link = find_endpoint(model, event->gid);
    bool is_known = *link != NULL;
    if (!event->is_alive) {
        if (is_known)
            remove_endpoint(model, link);
        return is_known;
    }
    bool fits = is_known || model->n_endpoints < TN_ROS_GRAPH_ENDPOINTS_MAX;
    bool is_sound =
        fits && tn_ros__is_printable(event->dds_topic) && tn_ros__is_printable(event->dds_type);
    struct tn_ros__endpoint *endpoint = is_sound ? endpoint_new(event) : NULL;
    if (endpoint == NULL) {
        model->n_left_out++;
        return false;
    }
    if (is_known)
        remove_endpoint(model, link);
    endpoint->next = *link;
    *link = endpoint;
    model->n_endpoints++;
    return true;
}

bool tn_ros__graph_model_discovered(struct tn_ros__graph_model *model,
                                    const struct tn_transport_discovered *event)
{
    return event->kind == TN_TRANSPORT_PARTICIPANT ? participant_event(model, event)
                                                   : endpoint_event(model, event);
}

// ---- ros_discovery_info ----

/// Reads a message to its end. @return false: malformed, or about somebody else's nodes.
static bool judge(const uint8_t *cdr, size_t size, struct tn_gid writer, uint32_t *out_n_nodes)
{
    struct tn_ros__entities walk;
    struct tn_ros__entities_node node;
    *out_n_nodes = 0;
    if (size > TN_ROS__ENTITIES_MAX || tn_ros__entities_begin(&walk, cdr, size) != TN_OK ||
        !tn_ros__same_process(walk.participant, writer))
        return false;
    while (tn_ros__entities_next(&walk, &node))
        ++*out_n_nodes;
    return walk.cdr.error == TN_OK;
}

bool tn_ros__graph_model_entities(struct tn_ros__graph_model *model, struct tn_gid writer,
                                  const uint8_t *cdr, size_t size)
{
    uint32_t n_nodes;
    bool is_sound = judge(cdr, size, writer, &n_nodes);
    struct tn_ros__participant *p = is_sound ? add_participant(model, writer) : NULL;
    if (p == NULL) {
        model->n_left_out++;
        return false;
    }
    size_t old_size = p->entities != NULL ? p->entities->size : 0;
    if (old_size == size && memcmp(tn_ros__block_data(p->entities), cdr, size) == 0)
        return false;
    bool fits = model->n_nodes - p->n_nodes + n_nodes <= TN_ROS_GRAPH_NODES_MAX &&
                model->entities_size - old_size + size <= TN_ROS__ENTITIES_TOTAL_MAX;
    struct tn_ros__block *entities = fits ? block_new(cdr, size) : NULL;
    if (entities == NULL) {
        model->n_left_out++;
        return false;
    }
    tn_ros__block_release(p->entities);
    p->entities = entities;
    model->entities_size += size - old_size;
    model->n_nodes += n_nodes - p->n_nodes;
    p->n_nodes = n_nodes;
    return true;
}

// ---- questions ----

static bool has_gid(const uint8_t *gids, uint32_t n, uint32_t gid_size, struct tn_gid gid)
{
    for (uint32_t i = 0; i < n; i++)
        if (memcmp(gids + (size_t)i * gid_size, gid.data, TN_GID_SIZE) == 0)
            return true;
    return false;
}

static void copy_name(char out[TN_ROS_NAME_MAX], const char *text)
{
    // both are printable, so shorter than that
    size_t size = strlen(text);
    memcpy(out, text, size < TN_ROS_NAME_MAX ? size + 1 : TN_ROS_NAME_MAX - 1);
    out[TN_ROS_NAME_MAX - 1] = '\0';
}

enum tn_result tn_ros__graph_model_node_of(const struct tn_ros__graph_model *model,
                                           struct tn_gid gid, struct tn_ros_graph_node_name *out)
{
    struct tn_ros__entities walk;
    struct tn_ros__entities_node node;
    const struct tn_ros__participant *p = find_participant(model, gid);
    if (p == NULL || p->entities == NULL || !p->is_discovered)
        return TN_ERR_NOT_FOUND;
    (void)tn_ros__entities_begin(&walk, tn_ros__block_data(p->entities), p->entities->size);
    while (tn_ros__entities_next(&walk, &node)) {
        if (!has_gid(node.readers, node.n_readers, walk.gid_size, gid) &&
            !has_gid(node.writers, node.n_writers, walk.gid_size, gid))
            continue;
        copy_name(out->name, node.name);
        copy_name(out->ns, node.ns);
        return TN_OK;
    }
    return TN_ERR_NOT_FOUND;
}

uint64_t tn_ros__graph_model_left_out(const struct tn_ros__graph_model *model)
{
    return model->n_left_out;
}
