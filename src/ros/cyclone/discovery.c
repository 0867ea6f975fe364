// SPDX-License-Identifier: Apache-2.0
// Cyclone's builtin topics: participants, writers and readers of all processes.
#include "ros/transport_discovery.h"

#include <stdlib.h>
#include <string.h>

#include "ros/cyclone/cyclone__transport.h"

#define N_KINDS 3
/// First two bytes of each GUID that Cyclone makes: its vendor id.
static const uint8_t cyclone_vendor[2] = {0x01, 0x10};

struct tn_transport_discovery {
    struct tn_loop_async async;
    tn_transport_discovery_fn on_ready;
    void *context;
    bool is_drained;               ///< the last take found nothing
    dds_entity_t readers[N_KINDS]; ///< 0: not wanted
    // what the last take lent
    unsigned held_kind;
    void *held;
    void *user_data;
};

/// On a receive thread: only flags and wakes.
static void on_data_available(dds_entity_t entity, void *context)
{
    (void)entity;
    struct tn_transport_discovery *discovery = context;
    tn_loop_async_signal(&discovery->async);
}

static void on_async(void *context)
{
    struct tn_transport_discovery *discovery = context;
    discovery->is_drained = false;
    discovery->on_ready(discovery->context);
    // whoever left something behind to let others run is called again in the next pass
    if (!discovery->is_drained)
        tn_loop_async_signal(&discovery->async);
}

static enum tn_result open_readers(struct tn_transport_discovery *discovery,
                                   struct tn_transport *transport, bool has_all,
                                   struct tn_error *err)
{
    static const dds_entity_t topics[N_KINDS] = {DDS_BUILTIN_TOPIC_DCPSPARTICIPANT,
                                                 DDS_BUILTIN_TOPIC_DCPSPUBLICATION,
                                                 DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION};
    for (unsigned i = has_all ? 0 : TN_TRANSPORT_READER; i < N_KINDS; i++) {
        dds_listener_t *listener = dds_create_listener(discovery);
        if (listener == NULL)
            return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for discovery");
        dds_lset_data_available(listener, on_data_available);
        dds_entity_t reader = dds_create_reader(transport->participant, topics[i], NULL, listener);
        dds_delete_listener(listener);
        if (reader < 0)
            return tn_ros__dds_error(err, reader, "reader of", "discovery");
        discovery->readers[i] = reader;
    }
    return TN_OK;
}

enum tn_result tn_transport_discovery_create(struct tn_transport *transport, bool has_all,
                                             tn_transport_discovery_fn on_ready, void *context,
                                             struct tn_transport_discovery **out_discovery,
                                             struct tn_error *err)
{
    struct tn_transport_discovery *discovery = calloc(1, sizeof *discovery);
    if (discovery == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for discovery");
    discovery->on_ready = on_ready;
    discovery->context = context;
    tn_loop_async_start(transport->loop, &discovery->async, on_async, discovery);
    enum tn_result result = open_readers(discovery, transport, has_all, err);
    if (result != TN_OK) {
        tn_transport_discovery_destroy(&discovery);
        return result;
    }
    // what was there before does not always call the listener
    tn_loop_async_signal(&discovery->async);
    *out_discovery = discovery;
    return TN_OK;
}

static void give_back(struct tn_transport_discovery *discovery)
{
    if (discovery->held != NULL)
        (void)dds_return_loan(discovery->readers[discovery->held_kind], &discovery->held, 1);
    discovery->held = NULL;
    dds_free(discovery->user_data);
    discovery->user_data = NULL;
}

void tn_transport_discovery_destroy(struct tn_transport_discovery **discovery)
{
    struct tn_transport_discovery *d = *discovery;
    *discovery = NULL;
    if (d == NULL)
        return;
    give_back(d);
    // waits for a listener that is running: after it nobody signals the async
    for (unsigned i = 0; i < N_KINDS; i++)
        if (d->readers[i] > 0)
            (void)dds_delete(d->readers[i]);
    tn_loop_async_stop(&d->async);
    free(d);
}

static int64_t finite(dds_duration_t duration)
{
    return duration == DDS_INFINITY || duration < 0 ? 0 : duration;
}

static struct tn_ros_qos qos_of(const dds_qos_t *qos)
{
    struct tn_ros_qos out = {0};
    dds_history_kind_t history = DDS_HISTORY_KEEP_LAST;
    dds_reliability_kind_t reliability = DDS_RELIABILITY_BEST_EFFORT;
    dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
    dds_liveliness_kind_t liveliness = DDS_LIVELINESS_AUTOMATIC;
    dds_duration_t blocking, deadline = DDS_INFINITY, lifespan = DDS_INFINITY, lease = DDS_INFINITY;
    int32_t depth = 0;
    (void)dds_qget_history(qos, &history, &depth);
    (void)dds_qget_reliability(qos, &reliability, &blocking);
    (void)dds_qget_durability(qos, &durability);
    (void)dds_qget_liveliness(qos, &liveliness, &lease);
    (void)dds_qget_deadline(qos, &deadline);
    (void)dds_qget_lifespan(qos, &lifespan);
    bool keeps_all = history == DDS_HISTORY_KEEP_ALL;
    out.history = keeps_all ? TN_ROS_KEEP_ALL : TN_ROS_KEEP_LAST;
    out.depth = keeps_all || depth < 0 ? 0 : (uint32_t)depth;
    out.reliability =
        reliability == DDS_RELIABILITY_RELIABLE ? TN_ROS_RELIABLE : TN_ROS_BEST_EFFORT;
    // transient and persistent offer what transient local does, and more
    out.durability =
        durability == DDS_DURABILITY_VOLATILE ? TN_ROS_VOLATILE : TN_ROS_TRANSIENT_LOCAL;
    out.liveliness = liveliness == DDS_LIVELINESS_MANUAL_BY_TOPIC
                         ? TN_ROS_LIVELINESS_MANUAL_BY_TOPIC
                         : TN_ROS_LIVELINESS_AUTOMATIC;
    out.deadline_ns = finite(deadline);
    out.lifespan_ns = finite(lifespan);
    out.lease_ns = finite(lease);
    return out;
}

static void describe(struct tn_transport_discovery *discovery, const dds_qos_t *qos,
                     struct tn_transport_discovered *out)
{
    size_t size = 0;
    if (qos == NULL)
        return;
    if (dds_qget_userdata(qos, &discovery->user_data, &size) && discovery->user_data != NULL) {
        out->user_data = discovery->user_data;
        out->user_data_size = size;
    }
    if (out->kind != TN_TRANSPORT_PARTICIPANT)
        out->qos = qos_of(qos);
}

static void describe_endpoint(struct tn_transport_discovery *discovery,
                              const dds_builtintopic_endpoint_t *endpoint,
                              struct tn_transport_discovered *out)
{
    memcpy(out->participant.data, endpoint->participant_key.v, TN_GID_SIZE);
    out->dds_topic = endpoint->topic_name != NULL ? endpoint->topic_name : "";
    out->dds_type = endpoint->type_name != NULL ? endpoint->type_name : "";
    // Cyclone alone sends it; for others its own default stands there
    out->is_history_known = memcmp(endpoint->key.v, cyclone_vendor, sizeof cyclone_vendor) == 0;
    describe(discovery, endpoint->qos, out);
}

static bool take_kind(struct tn_transport_discovery *discovery, unsigned kind,
                      struct tn_transport_discovered *out)
{
    dds_sample_info_t info;
    void *sample = NULL;
    if (discovery->readers[kind] <= 0 ||
        dds_take(discovery->readers[kind], &sample, &info, 1, 1) != 1)
        return false;
    discovery->held = sample;
    discovery->held_kind = kind;
    *out = (struct tn_transport_discovered){.kind = (enum tn_transport_discovered_kind)kind};
    // key and GUID come first in both kinds of sample
    memcpy(out->gid.data, sample, TN_GID_SIZE);
    out->participant = out->gid;
    out->is_alive = info.instance_state == DDS_IST_ALIVE && info.valid_data;
    if (!out->is_alive)
        return true;
    if (kind == TN_TRANSPORT_PARTICIPANT)
        describe(discovery, ((const dds_builtintopic_participant_t *)sample)->qos, out);
    else
        describe_endpoint(discovery, sample, out);
    return true;
}

enum tn_result tn_transport_discovery_take(struct tn_transport_discovery *discovery,
                                           struct tn_transport_discovered *out)
{
    give_back(discovery);
    for (unsigned kind = 0; kind < N_KINDS; kind++)
        if (take_kind(discovery, kind, out))
            return TN_OK;
    discovery->is_drained = true;
    return TN_ERR_AGAIN;
}
