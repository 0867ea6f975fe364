// SPDX-License-Identifier: Apache-2.0
#include "ros/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ros/ros__graph.h"
#include "ros/ros__node.h"
#include "ros/ros__record.h"

#define HASH_PREFIX "RIHS01_"
#define HASH_SIZE   (sizeof HASH_PREFIX - 1 + 64)

// ---- types that are only named ----

struct tn_ros__named_type {
    struct tn_type type;
    char ros_name[TN_ROS_NAME_MAX], dds_name[TN_ROS_NAME_MAX + 16], hash[HASH_SIZE + 1];
};

static bool is_hash(const char *hash)
{
    return strlen(hash) == HASH_SIZE && strncmp(hash, HASH_PREFIX, sizeof HASH_PREFIX - 1) == 0 &&
           strspn(hash + sizeof HASH_PREFIX - 1, "0123456789abcdef") == 64;
}

/// "pkg/msg/T" → "pkg::msg::dds_::T_"; what has not three parts stays as it is.
static void mangle(const char *name, char out[TN_ROS_NAME_MAX + 16])
{
    const char *first = strchr(name, '/');
    const char *second = first == NULL ? NULL : strchr(first + 1, '/');
    if (second == NULL || strchr(second + 1, '/') != NULL) {
        (void)snprintf(out, TN_ROS_NAME_MAX + 16, "%s", name);
        return;
    }
    (void)snprintf(out, TN_ROS_NAME_MAX + 16, "%.*s::%.*s::dds_::%s_", (int)(first - name), name,
                   (int)(second - first - 1), first + 1, second + 1);
}

enum tn_result tn_ros__named_type_create(const char *name, const char *hash,
                                         struct tn_ros__named_type **out_type, struct tn_error *err)
{
    if (!tn_ros__is_printable(name))
        return tn_error_set(
            err, TN_ERR_INVALID_ARGUMENT,
            "a type name has 1 to %d printable characters, like std_msgs/msg/String",
            TN_ROS_NAME_MAX - 1);
    if (hash == NULL)
        hash = "";
    if (hash[0] != '\0' && !is_hash(hash))
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "type %s: the hash is not " HASH_PREFIX "and 64 hexadecimal digits",
                            name);
    struct tn_ros__named_type *named = calloc(1, sizeof *named);
    if (named == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for type %s", name);
    (void)snprintf(named->ros_name, sizeof named->ros_name, "%s", name);
    (void)snprintf(named->hash, sizeof named->hash, "%s", hash);
    mangle(name, named->dds_name);
    named->type.ros_name = named->ros_name;
    named->type.dds_name = named->dds_name;
    named->type.hash = named->hash;
    named->type.text = "";
    named->type.align = 1;
    named->type.min_cdr_size = 1;
    *out_type = named;
    return TN_OK;
}

const struct tn_type *tn_ros__named_type_get(const struct tn_ros__named_type *type)
{
    return &type->type;
}

enum tn_result tn_ros_publisher_create_named(struct tn_ros_node *node, const char *type,
                                             const char *hash, const char *topic,
                                             struct tn_ros_qos qos,
                                             struct tn_ros_publisher **out_publisher,
                                             struct tn_error *err)
{
    struct tn_ros__named_type *named = NULL;
    enum tn_result result = tn_ros__named_type_create(type, hash, &named, err);
    if (result == TN_OK)
        result = tn_ros_publisher_create(node, &named->type, topic, qos, out_publisher, err);
    if (result != TN_OK) {
        free(named);
        return result;
    }
    (*out_publisher)->named_type = named;
    return TN_OK;
}

// ---- recordings ----

struct tn_ros_record {
    struct tn_ros_record *next;
    struct tn_ros_node *node;
    tn_ros_record_fn callback;
    void *context;
    struct tn_ros__named_type *type;
    struct tn_ros_subscription *subscription; ///< NULL: waiting
    struct tn_loop_async appeared;            ///< a publisher of what is waited for
    uint64_t n_messages, n_bytes, n_lost;
    // what was asked for
    bool has_type, has_hash, has_qos;
    struct tn_ros_qos qos;
    char type_name[TN_ROS_NAME_MAX], hash[HASH_SIZE + 1];
    char topic[TN_ROS_NAME_MAX], dds_topic[TN_ROS__DDS_NAME_MAX];
};

/// What the publishers of a topic have in common.
struct offer {
    const struct tn_ros_record *record;
    uint32_t n, n_reliable, n_latched;
    char type[TN_ROS_NAME_MAX], hash[HASH_SIZE + 1];
};

static void note_publisher(void *context, const struct tn_transport_peer *peer)
{
    struct offer *offer = context;
    struct tn_ros__names names;
    if (!tn_ros__is_printable(peer->dds_type))
        return;
    tn_ros__demangle(peer->dds_topic, peer->dds_type, &names);
    if (offer->n == 0 && !offer->record->has_type)
        memcpy(offer->type, names.type, sizeof offer->type);
    // others of another type cannot be had in the same recording
    if (strcmp(names.type, offer->type) != 0)
        return;
    if (offer->hash[0] == '\0') {
        tn_ros__user_data_get((const uint8_t *)peer->user_data, peer->user_data_size, "typehash",
                              offer->hash, sizeof offer->hash);
        if (!is_hash(offer->hash))
            offer->hash[0] = '\0';
    }
    offer->n++;
    offer->n_reliable += peer->qos.reliability == TN_ROS_RELIABLE;
    offer->n_latched += peer->qos.durability == TN_ROS_TRANSIENT_LOCAL;
}

static void on_message(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct tn_ros_record *record = context;
    struct tn_clock clock = tn_loop_clock(record->node->context->loop);
    uint64_t n_lost = record->subscription->events.n_lost;
    int64_t since_ns = tn_ns_sub(clock.steady_ns(clock.context), info->arrival_steady_ns);
    struct tn_ros_record_message out = {
        .cdr = info->cdr,
        .size = info->cdr_size,
        .source_wall_ns = info->source_wall_ns,
        .arrival_steady_ns = info->arrival_steady_ns,
        .arrival_wall_ns = tn_ns_sub(clock.wall_ns(clock.context), since_ns),
        .writer = info->writer,
        .sequence = info->sequence,
        .n_missing = n_lost - record->n_lost,
    };
    (void)message;
    record->n_lost = n_lost;
    record->n_messages++;
    record->n_bytes += info->cdr_size;
    record->callback(record->context, record, &out);
}

/// @return TN_OK; TN_ERR_AGAIN: no publisher yet; else what keeps it from opening.
static enum tn_result open_if_offered(struct tn_ros_record *record, struct tn_error *err)
{
    struct offer offer = {.record = record};
    memcpy(offer.type, record->type_name, sizeof offer.type);
    memcpy(offer.hash, record->hash, sizeof offer.hash);
    enum tn_result result = tn_transport_visit(record->node->context->transport, record->dds_topic,
                                               true, note_publisher, &offer);
    if (result != TN_OK)
        return tn_error_set(err, result, "topic %s: discovery cannot be read", record->topic);
    if (offer.n == 0 && (!record->has_type || !record->has_qos))
        return TN_ERR_AGAIN;
    struct tn_ros_qos qos = record->qos;
    if (!record->has_qos) {
        qos.reliability = offer.n_reliable == offer.n ? TN_ROS_RELIABLE : TN_ROS_BEST_EFFORT;
        qos.durability = offer.n_latched == offer.n ? TN_ROS_TRANSIENT_LOCAL : TN_ROS_VOLATILE;
    }
    result = tn_ros__named_type_create(offer.type, offer.hash, &record->type, err);
    if (result != TN_OK)
        return result;
    return tn_ros_subscription_create_raw(record->node, &record->type->type, record->topic, qos,
                                          on_message, record, &record->subscription, err);
}

static void on_appeared(void *context)
{
    struct tn_ros_record *record = context;
    struct tn_error err;
    enum tn_result result = open_if_offered(record, &err);
    if (result == TN_ERR_AGAIN)
        return;
    tn_loop_async_stop(&record->appeared);
    if (result != TN_OK)
        TN_WARN(&record->node->logger, "topic %s is not recorded: %s", record->topic, err.text);
}

void tn_ros__records_discovered(struct tn_ros_context *context,
                                const struct tn_transport_peer *peer)
{
    for (struct tn_ros_record *r = context->records; r != NULL; r = r->next)
        if (peer->is_writer && r->subscription == NULL && r->appeared.loop != NULL &&
            strcmp(r->dds_topic, peer->dds_topic) == 0)
            tn_loop_async_signal(&r->appeared);
}

static enum tn_result apply(struct tn_ros_record *record,
                            const struct tn_ros_record_options *options, struct tn_error *err)
{
    struct tn_ros__named_type *probe = NULL;
    if (options->hash != NULL && options->type == NULL)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "topic %s: a hash without its type says nothing", record->topic);
    if (options->type != NULL) {
        enum tn_result result =
            tn_ros__named_type_create(options->type, options->hash, &probe, err);
        if (result != TN_OK)
            return result;
        free(probe);
        record->has_type = true;
        (void)snprintf(record->type_name, sizeof record->type_name, "%s", options->type);
        (void)snprintf(record->hash, sizeof record->hash, "%s",
                       options->hash == NULL ? "" : options->hash);
    }
    record->has_qos = options->qos != NULL;
    record->qos = record->has_qos ? *options->qos
                                  : tn_ros_qos_default(options->depth > 0 ? options->depth
                                                                          : TN_ROS_RECORD_DEPTH);
    return TN_OK;
}

static bool has_room(const struct tn_ros_context *context)
{
    uint32_t n = 0;
    for (const struct tn_ros_record *r = context->records; r != NULL; r = r->next)
        n++;
    return n < TN_ROS_RECORDS_MAX;
}

enum tn_result tn_ros_record_create(struct tn_ros_node *node, const char *topic,
                                    const struct tn_ros_record_options *options,
                                    tn_ros_record_fn callback, void *context,
                                    struct tn_ros_record **out_record, struct tn_error *err)
{
    static const struct tn_ros_record_options none = {0};
    if (!has_room(node->context))
        return tn_error_set(err, TN_ERR_LIMIT, "topic %s: %u recordings are the most", topic,
                            TN_ROS_RECORDS_MAX);
    struct tn_ros_record *record = calloc(1, sizeof *record);
    if (record == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", topic);
    record->node = node;
    record->callback = callback;
    record->context = context;
    record->next = node->context->records;
    node->context->records = record;
    enum tn_result result =
        tn_ros_resolve_name(&node->context->args, node->ns, node->name, topic, record->topic, err);
    if (result == TN_OK)
        result = apply(record, options == NULL ? &none : options, err);
    (void)snprintf(record->dds_topic, sizeof record->dds_topic, "rt%s", record->topic);
    if (result == TN_OK)
        result = open_if_offered(record, err);
    if (result == TN_ERR_AGAIN) {
        tn_loop_async_start(node->context->loop, &record->appeared, on_appeared, record);
        result = TN_OK;
    }
    if (result != TN_OK) {
        tn_ros_record_destroy(&record);
        return result;
    }
    *out_record = record;
    return TN_OK;
}

void tn_ros_record_destroy(struct tn_ros_record **record)
{
    struct tn_ros_record *r = *record;
    *record = NULL;
    if (r == NULL)
        return;
    struct tn_ros_record **link = &r->node->context->records;
    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    tn_ros_subscription_destroy(&r->subscription);
    tn_loop_async_stop(&r->appeared);
    free(r->type);
    free(r);
}

void tn_ros__records_destroy(struct tn_ros_node *node)
{
    struct tn_ros_record *r = node->context->records;
    while (r != NULL) {
        struct tn_ros_record *next = r->next;
        if (r->node == node)
            tn_ros_record_destroy(&r);
        r = next;
    }
}

void tn_ros_record_get_info(const struct tn_ros_record *record, struct tn_ros_record_info *out)
{
    *out = (struct tn_ros_record_info){
        .topic = record->topic,
        .is_open = record->subscription != NULL,
        .type = record->subscription != NULL ? record->type->ros_name : "",
        .hash = record->subscription != NULL ? record->type->hash : "",
        .qos = record->subscription != NULL ? record->subscription->qos : record->qos,
        .n_messages = record->n_messages,
        .n_bytes = record->n_bytes,
        .n_lost = record->subscription != NULL ? record->subscription->events.n_lost : 0,
    };
}
