// SPDX-License-Identifier: Apache-2.0
// Who is there with which QoS: Cyclone's builtin topics, set against the own endpoints.
#include <stdio.h>
#include <string.h>

#include "ros/cyclone/cyclone__transport.h"

/// Endpoints looked at before others get their turn.
#define BATCH 64u

static int64_t limit_of(dds_duration_t duration)
{
    return duration == DDS_INFINITY ? TN_ROS__INFINITE : duration < 0 ? 0 : duration;
}

// ---- QoS ----

static void partition_of(const dds_qos_t *qos, struct tn_ros__rxo *out)
{
    uint32_t n = 0;
    char **names = NULL;
    out->is_in_default_partition = true;
    if (!dds_qget_partition(qos, &n, &names) || n == 0)
        return;
    out->is_in_default_partition = false;
    (void)snprintf(out->partition, sizeof out->partition, "%s", names[0]);
    for (uint32_t i = 0; i < n; i++) {
        // the default partition is the empty name, which only a pattern of stars matches
        if (strspn(names[i], "*") == strlen(names[i]))
            out->is_in_default_partition = true;
        dds_free(names[i]);
    }
    dds_free(names);
}

static void representations_of(const dds_qos_t *qos, bool is_writer, struct tn_ros__rxo *out)
{
    uint32_t n = 0;
    dds_data_representation_id_t *ids = NULL;
    out->representations = 1u;
    if (!dds_qget_data_representation(qos, &n, &ids) || n == 0) {
        dds_free(ids);
        return;
    }
    out->representations = 0;
    for (uint32_t i = 0; i < n && (i == 0 || !is_writer); i++)
        if (ids[i] >= 0 && ids[i] < 31)
            out->representations |= 1u << ids[i];
    dds_free(ids);
}

void tn_ros__rxo_of(const dds_qos_t *qos, bool is_writer, struct tn_ros__rxo *out)
{
    dds_reliability_kind_t reliability =
        is_writer ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT;
    dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
    dds_liveliness_kind_t liveliness = DDS_LIVELINESS_AUTOMATIC;
    dds_ownership_kind_t ownership = DDS_OWNERSHIP_SHARED;
    dds_presentation_access_scope_kind_t scope = DDS_PRESENTATION_INSTANCE;
    dds_destination_order_kind_t order = DDS_DESTINATIONORDER_BY_RECEPTION_TIMESTAMP;
    dds_duration_t blocking = 0, deadline = DDS_INFINITY, lease = DDS_INFINITY, budget = 0;
    memset(out, 0, sizeof *out);
    (void)dds_qget_reliability(qos, &reliability, &blocking);
    (void)dds_qget_durability(qos, &durability);
    (void)dds_qget_liveliness(qos, &liveliness, &lease);
    (void)dds_qget_ownership(qos, &ownership);
    (void)dds_qget_presentation(qos, &scope, &out->is_coherent, &out->is_ordered);
    (void)dds_qget_destination_order(qos, &order);
    (void)dds_qget_deadline(qos, &deadline);
    (void)dds_qget_latency_budget(qos, &budget);
    out->reliability = (uint8_t)reliability;
    out->durability = (uint8_t)durability;
    out->liveliness = (uint8_t)liveliness;
    out->ownership = (uint8_t)ownership;
    out->access_scope = (uint8_t)scope;
    out->destination_order = (uint8_t)order;
    out->deadline_ns = limit_of(deadline);
    out->lease_ns = limit_of(lease);
    out->latency_budget_ns = limit_of(budget);
    partition_of(qos, out);
    representations_of(qos, is_writer, out);
}

static int64_t or_none(int64_t limit_ns)
{
    return limit_ns == TN_ROS__INFINITE ? 0 : limit_ns;
}

static struct tn_ros_qos ros_qos_of(const dds_qos_t *qos, const struct tn_ros__rxo *rxo)
{
    struct tn_ros_qos out = {0};
    dds_history_kind_t history = DDS_HISTORY_KEEP_LAST;
    dds_duration_t lifespan = DDS_INFINITY;
    int32_t depth = 1;
    (void)dds_qget_history(qos, &history, &depth);
    (void)dds_qget_lifespan(qos, &lifespan);
    out.history = history == DDS_HISTORY_KEEP_ALL ? TN_ROS_KEEP_ALL : TN_ROS_KEEP_LAST;
    out.depth = depth < 1 ? 1 : (uint32_t)depth;
    out.reliability = rxo->reliability > 0 ? TN_ROS_RELIABLE : TN_ROS_BEST_EFFORT;
    out.durability = rxo->durability > 0 ? TN_ROS_TRANSIENT_LOCAL : TN_ROS_VOLATILE;
    out.liveliness = rxo->liveliness == DDS_LIVELINESS_MANUAL_BY_TOPIC
                         ? TN_ROS_LIVELINESS_MANUAL_BY_TOPIC
                         : TN_ROS_LIVELINESS_AUTOMATIC;
    out.deadline_ns = or_none(rxo->deadline_ns);
    out.lifespan_ns = or_none(limit_of(lifespan));
    out.lease_ns = or_none(rxo->lease_ns);
    return out;
}

// ---- builtin topics ----

/// Takes one endpoint and hands it out. @return false: nothing left.
static bool visit_one(struct tn_transport *transport, dds_entity_t reader, bool is_writer,
                      tn_transport_peer_fn visit, void *context)
{
    dds_sample_info_t info;
    void *sample = NULL, *user_data = NULL;
    if (dds_take(reader, &sample, &info, 1, 1) != 1)
        return false;
    const dds_builtintopic_endpoint_t *endpoint = sample;
    if (info.valid_data && info.instance_state == DDS_IST_ALIVE && endpoint->qos != NULL &&
        endpoint->topic_name != NULL && endpoint->type_name != NULL) {
        struct tn_transport_peer peer = {
            .is_writer = is_writer,
            .dds_topic = endpoint->topic_name,
            .dds_type = endpoint->type_name,
        };
        memcpy(peer.gid.data, endpoint->key.v, TN_GID_SIZE);
        memcpy(peer.participant.data, endpoint->participant_key.v, TN_GID_SIZE);
        peer.is_own = memcmp(&peer.participant, &transport->gid, TN_GID_SIZE) == 0;
        if (dds_qget_userdata(endpoint->qos, &user_data, &peer.user_data_size))
            peer.user_data = user_data;
        tn_ros__rxo_of(endpoint->qos, is_writer, &peer.rxo);
        peer.qos = ros_qos_of(endpoint->qos, &peer.rxo);
        visit(context, &peer);
        dds_free(user_data);
    }
    (void)dds_return_loan(reader, &sample, 1);
    return true;
}

/// Visits all endpoints of one direction that are there now.
static enum tn_result visit_all(struct tn_transport *transport, bool is_writer,
                                tn_transport_peer_fn visit, void *context)
{
    dds_entity_t topic =
        is_writer ? DDS_BUILTIN_TOPIC_DCPSPUBLICATION : DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION;
    dds_entity_t reader = dds_create_reader(transport->participant, topic, NULL, NULL);
    if (reader < 0)
        return TN_ERR_TRANSPORT;
    while (visit_one(transport, reader, is_writer, visit, context)) {
    }
    (void)dds_delete(reader);
    return TN_OK;
}

struct visitor {
    const char *dds_topic;
    tn_transport_peer_fn visit;
    void *context;
};

static void visit_topic(void *context, const struct tn_transport_peer *peer)
{
    const struct visitor *visitor = context;
    if (strcmp(peer->dds_topic, visitor->dds_topic) == 0)
        visitor->visit(visitor->context, peer);
}

enum tn_result tn_transport_visit(struct tn_transport *transport, const char *dds_topic,
                                  bool visits_writers, tn_transport_peer_fn visit, void *context)
{
    struct visitor visitor = {dds_topic, visit, context};
    return visit_all(transport, visits_writers, visit_topic, &visitor);
}

// ---- pairs ----

static void tell_pair(const struct tn_ros__endpoints *all,
                      const struct tn_ros__dds_endpoint *endpoint,
                      const struct tn_transport_peer *peer)
{
    struct tn_transport_own own = {
        .gid = endpoint->gid,
        .is_writer = endpoint->is_writer,
        .dds_topic = endpoint->dds_topic,
        .dds_type = endpoint->dds_type,
        .rxo = endpoint->rxo,
    };
    if (endpoint->is_writer != peer->is_writer && strcmp(endpoint->dds_topic, peer->dds_topic) == 0)
        all->on_pair(all->context, &own, peer);
}

/// An endpoint was discovered: with all of ours.
static void on_discovered_peer(void *context, const struct tn_transport_peer *peer)
{
    const struct tn_ros__endpoints *all = context;
    if (all->on_peer != NULL)
        all->on_peer(all->context, peer);
    for (const struct tn_ros__dds_endpoint *e = all->head.next; e != &all->head; e = e->next)
        tell_pair(all, e, peer);
}

/// One that was there before: with the new ones of ours.
static void on_known_peer(void *context, const struct tn_transport_peer *peer)
{
    const struct tn_ros__endpoints *all = context;
    for (const struct tn_ros__dds_endpoint *e = all->head.next; e != &all->head; e = e->next)
        if (e->is_new)
            tell_pair(all, e, peer);
}

static bool has_new(const struct tn_ros__endpoints *all, bool is_writer)
{
    for (const struct tn_ros__dds_endpoint *e = all->head.next; e != &all->head; e = e->next)
        if (e->is_new && e->is_writer == is_writer)
            return true;
    return false;
}

static void on_discovered(void *context)
{
    struct tn_transport *transport = context;
    struct tn_ros__endpoints *all = &transport->endpoints;
    const bool directions[] = {true, false};
    for (int i = 0; i < 2; i++)
        if (has_new(all, !directions[i]))
            (void)visit_all(transport, directions[i], on_known_peer, all);
    for (struct tn_ros__dds_endpoint *e = all->head.next; e != &all->head; e = e->next)
        e->is_new = false;

    bool has_more = true;
    for (unsigned n = 0; n < BATCH && has_more; n++) {
        has_more = visit_one(transport, all->publications, true, on_discovered_peer, all);
        has_more |= visit_one(transport, all->subscriptions, false, on_discovered_peer, all);
    }
    if (has_more)
        tn_loop_async_signal(&all->discovered);
}

/// On a receive thread: only flags and wakes.
static void on_data_available(dds_entity_t entity, void *context)
{
    (void)entity;
    struct tn_transport *transport = context;
    tn_loop_async_signal(&transport->endpoints.discovered);
}

static dds_entity_t open_builtin(struct tn_transport *transport, dds_entity_t topic)
{
    dds_listener_t *listener = dds_create_listener(transport);
    if (listener == NULL)
        return DDS_RETCODE_OUT_OF_RESOURCES;
    dds_lset_data_available(listener, on_data_available);
    dds_entity_t reader = dds_create_reader(transport->participant, topic, NULL, listener);
    dds_delete_listener(listener);
    return reader;
}

enum tn_result tn_transport_watch(struct tn_transport *transport, tn_transport_peer_fn on_peer,
                                  tn_transport_pair_fn on_pair, void *context, struct tn_error *err)
{
    struct tn_ros__endpoints *all = &transport->endpoints;
    all->on_peer = on_peer;
    all->on_pair = on_pair;
    all->context = context;
    tn_loop_async_start(transport->loop, &all->discovered, on_discovered, transport);
    all->publications = open_builtin(transport, DDS_BUILTIN_TOPIC_DCPSPUBLICATION);
    all->subscriptions = open_builtin(transport, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION);
    if (all->publications < 0 || all->subscriptions < 0) {
        dds_return_t code = all->publications < 0 ? all->publications : all->subscriptions;
        tn_transport_unwatch(transport);
        return tn_ros__dds_error(err, code, "reader of", "discovery");
    }
    // what was there before does not always call the listener
    tn_loop_async_signal(&all->discovered);
    return TN_OK;
}

void tn_transport_unwatch(struct tn_transport *transport)
{
    struct tn_ros__endpoints *all = &transport->endpoints;
    // waits for a listener that is running: after it nobody signals the async
    if (all->publications > 0)
        (void)dds_delete(all->publications);
    if (all->subscriptions > 0)
        (void)dds_delete(all->subscriptions);
    all->publications = all->subscriptions = 0;
    if (all->discovered.loop != NULL)
        tn_loop_async_stop(&all->discovered);
}
