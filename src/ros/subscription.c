// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__node.h"

// ---- what is known about writers ----

/// Who gives way to a new writer: an empty place, else one without a live map, so that a crowd of
/// strangers cannot push out a writer whose age is known; the longest unused of them.
static bool gives_way(const struct tn_ros__source *a, const struct tn_ros__source *b,
                      int64_t now_steady_ns)
{
    bool is_a_live = tn_ros__source_is_live(a, now_steady_ns);
    bool is_b_live = tn_ros__source_is_live(b, now_steady_ns);
    return is_a_live == is_b_live ? a->last_used < b->last_used : is_b_live;
}

bool tn_ros__source_is_live(const struct tn_ros__source *source, int64_t now_steady_ns)
{
    return source->last_used > 0 && source->map.is_valid &&
           tn_ns_sub(now_steady_ns, source->map.last_steady_ns) <=
               TN_TIME_MAP_BUCKETS * TN_TIME_MAP_BUCKET_NS;
}

struct tn_ros__source *tn_ros__source_find(struct tn_ros__source *sources, struct tn_gid gid,
                                           uint64_t use, int64_t now_steady_ns)
{
    struct tn_ros__source *found = &sources[0];
    for (uint32_t i = 0; i < TN_ROS__WRITERS_MAX; i++) {
        struct tn_ros__source *source = &sources[i];
        if (source->last_used > 0 && memcmp(&source->gid, &gid, sizeof gid) == 0) {
            source->last_used = use;
            return source;
        }
        if (gives_way(source, found, now_steady_ns))
            found = source;
    }
    memset(found, 0, sizeof *found);
    found->gid = gid;
    found->last_used = use;
    return found;
}

/// More than this between two messages of a writer is no loss but a number nobody can have sent.
#define LOST_GAP_MAX (UINT64_C(1) << 20)

/// Sequence numbers that a writer skipped are messages that did not arrive.
static void count_lost(struct tn_ros_subscription *subscription, struct tn_ros__source *source,
                       uint64_t sequence)
{
    uint64_t last = source->last_sequence;
    if (sequence <= last && last - sequence <= LOST_GAP_MAX)
        return;
    if (last > 0 && sequence > last && sequence - last <= LOST_GAP_MAX)
        subscription->events.n_lost += sequence - source->last_sequence - 1;
    source->last_sequence = sequence;
}

static void judge_age(struct tn_ros_subscription *subscription, struct tn_ros_message_info *info)
{
    struct tn_ros__source *source = tn_ros__source_find(
        subscription->sources, info->writer, ++subscription->use_count, info->arrival_steady_ns);
    count_lost(subscription, source, info->sequence);
    int64_t published_steady_ns = 0;
    enum tn_result result = tn_time_map_update(&source->map, info->source_wall_ns,
                                               info->arrival_steady_ns, &published_steady_ns);
    // an older sample does not move the line, but has its place on it
    if (result == TN_ERR_REORDERED)
        result = tn_time_map_apply(&source->map, info->source_wall_ns, &published_steady_ns);
    info->map = &source->map;
    info->is_age_known = result == TN_OK;
    info->age_ns = INT64_MAX;
    if (info->is_age_known) {
        int64_t age_ns = tn_ns_sub(info->delivered_steady_ns, published_steady_ns);
        info->age_ns = age_ns > 0 ? age_ns : 0;
    }
}

// ---- delivery ----

static void reject(struct tn_ros_subscription *subscription, enum tn_result result,
                   const struct tn_transport_sample *sample, const struct tn_cdr_reader *cdr)
{
    uint32_t suppressed = 0;
    subscription->n_rejected++;
    if (!tn_log_throttle_pass(&subscription->reject_throttle,
                              tn_loop_now_steady_ns(subscription->node->context->loop), TN_NS_PER_S,
                              &suppressed))
        return;
    TN_WARN(&subscription->node->logger,
            "topic %s: dropped a message of %zu bytes that is no %s: %s at byte %zu (%u more since "
            "the last report)",
            subscription->topic, sample->size, subscription->type->ros_name, tn_result_text(result),
            cdr->error_offset, suppressed);
}

static void deliver(struct tn_ros_subscription *subscription,
                    const struct tn_transport_sample *sample)
{
    struct tn_loop *loop = subscription->node->context->loop;
    struct tn_clock clock = tn_loop_clock(loop);
    struct tn_ros_message_info info = {
        .source_wall_ns = sample->source_wall_ns,
        .arrival_steady_ns = sample->arrival_steady_ns,
        .writer = sample->writer,
        .sequence = sample->sequence,
        .cdr = sample->cdr,
        .cdr_size = sample->size,
        .clock = &subscription->node->clock,
    };
    // both after the data was taken: a stop in between must not look fresh
    info.is_late = tn_loop_is_late(loop);
    info.delivered_steady_ns = clock.steady_ns(clock.context);
    judge_age(subscription, &info);

    if (subscription->message == NULL) {
        subscription->callback(subscription->context, NULL, &info);
        return;
    }
    struct tn_arena *arena = &subscription->node->arena;
    struct tn_cdr_reader cdr;
    size_t mark = tn_arena_mark(arena);
    (void)tn_cdr_reader_begin(&cdr, sample->cdr, sample->size);
    enum tn_result result = tn_type_decode(subscription->type, subscription->message, &cdr, arena);
    if (result == TN_OK)
        subscription->callback(subscription->context, subscription->message, &info);
    else
        reject(subscription, result, sample, &cdr);
    tn_arena_release(arena, mark);
}

static void on_ready(void *context, struct tn_transport_reader *reader)
{
    struct tn_ros_subscription *subscription = context;
    for (uint32_t i = 0; i < TN_ROS__BATCH; i++) {
        struct tn_transport_sample sample;
        if (tn_transport_take(reader, &sample) != TN_OK)
            break;
        deliver(subscription, &sample);
        tn_transport_release(&sample);
    }
    if (subscription->events.n_lost != subscription->events.n_lost_told)
        tn_ros__subscription_tell(subscription);
}

// ---- life ----

static void subscription_free(struct tn_ros_subscription *subscription)
{
    tn_transport_reader_destroy(&subscription->reader);
    free(subscription->message);
    free(subscription->sources);
    free(subscription);
}

/// Allocates what a subscription needs while it runs.
static enum tn_result reserve(struct tn_ros_subscription *subscription, bool is_raw)
{
    subscription->sources = calloc(TN_ROS__WRITERS_MAX, sizeof *subscription->sources);
    if (!is_raw)
        subscription->message = calloc(1, subscription->type->size);
    if (subscription->sources == NULL || (!is_raw && subscription->message == NULL))
        return TN_ERR_NO_MEMORY;
    return TN_OK;
}

/// What a caller wants to subscribe to.
struct request {
    const struct tn_type *type;
    const char *topic;
    struct tn_ros_qos qos;
    tn_ros_message_fn callback;
    void *context;
    bool is_raw;
};

static enum tn_result open_reader(struct tn_ros_subscription *subscription, struct tn_ros_qos qos,
                                  struct tn_error *err)
{
    char dds_topic[TN_ROS__DDS_NAME_MAX], user_data[TN_ROS__USER_DATA_MAX];
    enum tn_result result =
        tn_ros__qos_override(subscription->node, subscription->topic, false, &qos, err);
    if (result != TN_OK)
        return result;
    (void)snprintf(dds_topic, sizeof dds_topic, "%s%s",
                   qos.avoid_ros_namespace_conventions ? "" : "rt", subscription->topic);
    tn_ros__user_data(subscription->type->hash, user_data);
    tn_ros__qos_settle(subscription->node->context, dds_topic, false, &qos);
    subscription->qos = qos;
    struct tn_transport_topic names = {
        .dds_topic = dds_topic,
        .dds_type = subscription->type->dds_name,
        .user_data = user_data,
        .qos = qos,
    };
    return tn_transport_reader_create(subscription->node->context->transport, &names, on_ready,
                                      subscription, &subscription->reader, err);
}

static enum tn_result create(struct tn_ros_node *node, const struct request *request,
                             struct tn_ros_subscription **out_subscription, struct tn_error *err)
{
    struct tn_ros_subscription *subscription = calloc(1, sizeof *subscription);
    if (subscription == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", request->topic);
    subscription->node = node;
    subscription->type = request->type;
    subscription->callback = request->callback;
    subscription->context = request->context;
    enum tn_result result = tn_ros_resolve_name(&node->context->args, node->ns, node->name,
                                                request->topic, subscription->topic, err);
    if (result == TN_OK && reserve(subscription, request->is_raw) != TN_OK)
        result = tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", request->topic);
    if (result == TN_OK)
        result = open_reader(subscription, request->qos, err);
    if (result != TN_OK) {
        subscription_free(subscription);
        return result;
    }
    subscription->next = node->subscriptions;
    node->subscriptions = subscription;
    tn_ros__graph_changed(node->context);
    *out_subscription = subscription;
    return TN_OK;
}

enum tn_result tn_ros_subscription_create(struct tn_ros_node *node, const struct tn_type *type,
                                          const char *topic, struct tn_ros_qos qos,
                                          tn_ros_message_fn callback, void *context,
                                          struct tn_ros_subscription **out_subscription,
                                          struct tn_error *err)
{
    struct request request = {
        .type = type, .topic = topic, .qos = qos, .callback = callback, .context = context};
    return create(node, &request, out_subscription, err);
}

enum tn_result tn_ros_subscription_create_raw(struct tn_ros_node *node, const struct tn_type *type,
                                              const char *topic, struct tn_ros_qos qos,
                                              tn_ros_message_fn callback, void *context,
                                              struct tn_ros_subscription **out_subscription,
                                              struct tn_error *err)
{
    struct request request = {.type = type,
                              .topic = topic,
                              .qos = qos,
                              .callback = callback,
                              .context = context,
                              .is_raw = true};
    return create(node, &request, out_subscription, err);
}

void tn_ros_subscription_destroy(struct tn_ros_subscription **subscription)
{
    struct tn_ros_subscription *s = *subscription;
    *subscription = NULL;
    if (s == NULL)
        return;
    struct tn_ros_subscription **link = &s->node->subscriptions;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    tn_ros__graph_changed(s->node->context);
    subscription_free(s);
}

uint32_t tn_ros_subscription_matched(const struct tn_ros_subscription *subscription)
{
    return tn_transport_reader_matched(subscription->reader);
}

uint64_t tn_ros_subscription_rejected(const struct tn_ros_subscription *subscription)
{
    return subscription->n_rejected;
}

enum tn_result tn_ros_wall_age(const struct tn_ros_message_info *info, int64_t stamp_wall_ns,
                               int64_t now_steady_ns, int64_t *out_age_ns)
{
    int64_t stamp_steady_ns = 0;
    if (info->is_late || !info->is_age_known)
        return TN_ERR_STALE;
    enum tn_result result = tn_time_map_apply(info->map, stamp_wall_ns, &stamp_steady_ns);
    if (result == TN_OK)
        *out_age_ns = tn_ns_sub(now_steady_ns, stamp_steady_ns);
    return result;
}
