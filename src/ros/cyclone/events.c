// SPDX-License-Identifier: Apache-2.0
// What Cyclone notices about an endpoint: its threads flag it and wake the loop, which looks.
#include <stdlib.h>
#include <string.h>

#include "ros/cyclone/cyclone__transport.h"

// ---- on Cyclone's threads ----

static void flag(struct tn_ros__dds_endpoint *endpoint)
{
    atomic_store(&endpoint->has_event, true);
    tn_loop_async_signal(&endpoint->transport->endpoints.events);
}

static void on_offered_incompatible(dds_entity_t entity,
                                    const dds_offered_incompatible_qos_status_t status,
                                    void *context)
{
    (void)entity;
    (void)status;
    flag(context);
}

static void on_requested_incompatible(dds_entity_t entity,
                                      const dds_requested_incompatible_qos_status_t status,
                                      void *context)
{
    (void)entity;
    (void)status;
    flag(context);
}

static void on_publication_matched(dds_entity_t entity,
                                   const dds_publication_matched_status_t status, void *context)
{
    struct tn_ros__dds_endpoint *endpoint = context;
    (void)entity;
    (void)status;
    atomic_store(&endpoint->has_new_matches, true);
    flag(endpoint);
}

static void on_subscription_matched(dds_entity_t entity,
                                    const dds_subscription_matched_status_t status, void *context)
{
    (void)entity;
    (void)status;
    flag(context);
}

static void on_offered_deadline(dds_entity_t entity,
                                const dds_offered_deadline_missed_status_t status, void *context)
{
    (void)entity;
    (void)status;
    flag(context);
}

static void on_requested_deadline(dds_entity_t entity,
                                  const dds_requested_deadline_missed_status_t status,
                                  void *context)
{
    (void)entity;
    (void)status;
    flag(context);
}

static void on_liveliness_lost(dds_entity_t entity, const dds_liveliness_lost_status_t status,
                               void *context)
{
    (void)entity;
    (void)status;
    flag(context);
}

static void on_liveliness_changed(dds_entity_t entity, const dds_liveliness_changed_status_t status,
                                  void *context)
{
    struct tn_ros__dds_endpoint *endpoint = context;
    (void)entity;
    (void)status;
    // gone and back between two looks is seen in this number only
    atomic_fetch_add(&endpoint->liveliness_changes, 1);
    flag(endpoint);
}

static void on_sample_lost(dds_entity_t entity, const dds_sample_lost_status_t status,
                           void *context)
{
    (void)entity;
    (void)status;
    flag(context);
}

// ---- on the loop's thread ----

void tn_ros__endpoint_listen(struct tn_ros__dds_endpoint *endpoint, dds_listener_t *listener)
{
    if (endpoint->is_writer) {
        dds_lset_offered_incompatible_qos_arg(listener, on_offered_incompatible, endpoint, true);
        dds_lset_publication_matched_arg(listener, on_publication_matched, endpoint, true);
        dds_lset_offered_deadline_missed_arg(listener, on_offered_deadline, endpoint, true);
        dds_lset_liveliness_lost_arg(listener, on_liveliness_lost, endpoint, true);
        return;
    }
    dds_lset_requested_incompatible_qos_arg(listener, on_requested_incompatible, endpoint, true);
    dds_lset_subscription_matched_arg(listener, on_subscription_matched, endpoint, true);
    dds_lset_requested_deadline_missed_arg(listener, on_requested_deadline, endpoint, true);
    dds_lset_liveliness_changed_arg(listener, on_liveliness_changed, endpoint, true);
    dds_lset_sample_lost_arg(listener, on_sample_lost, endpoint, true);
}

static void on_events(void *context)
{
    struct tn_transport *transport = context;
    struct tn_ros__endpoints *all = &transport->endpoints;
    for (struct tn_ros__dds_endpoint *e = all->head.next; e != &all->head; e = all->next) {
        // whoever is called may destroy any endpoint
        all->next = e->next;
        if (atomic_exchange(&e->has_event, false) && e->on_event != NULL)
            e->on_event(e->context);
    }
    all->next = &all->head;
}

void tn_ros__endpoints_init(struct tn_transport *transport)
{
    struct tn_ros__endpoints *all = &transport->endpoints;
    all->head.next = all->head.prev = &all->head;
    all->next = &all->head;
    tn_loop_async_start(transport->loop, &all->events, on_events, transport);
}

void tn_ros__endpoints_fini(struct tn_transport *transport)
{
    tn_transport_unwatch(transport);
    tn_loop_async_stop(&transport->endpoints.events);
}

enum tn_result tn_ros__endpoint_add(struct tn_transport *transport,
                                    struct tn_ros__dds_endpoint *endpoint, const char *dds_topic,
                                    const char *dds_type, const dds_qos_t *qos)
{
    struct tn_ros__endpoints *all = &transport->endpoints;
    size_t size = strlen(dds_topic) + 1;
    endpoint->dds_topic = malloc(size);
    if (endpoint->dds_topic == NULL)
        return TN_ERR_NO_MEMORY;
    memcpy(endpoint->dds_topic, dds_topic, size);
    endpoint->dds_type = dds_type;
    endpoint->is_new = true;
    tn_ros__rxo_of(qos, endpoint->is_writer, &endpoint->rxo);
    endpoint->next = &all->head;
    endpoint->prev = all->head.prev;
    endpoint->prev->next = endpoint;
    all->head.prev = endpoint;
    if (all->publications > 0)
        tn_loop_async_signal(&all->discovered);
    return TN_OK;
}

void tn_ros__endpoint_remove(struct tn_ros__dds_endpoint *endpoint)
{
    if (endpoint->next == NULL)
        return;
    struct tn_ros__endpoints *all = &endpoint->transport->endpoints;
    if (all->next == endpoint)
        all->next = endpoint->next;
    endpoint->prev->next = endpoint->next;
    endpoint->next->prev = endpoint->prev;
    endpoint->next = endpoint->prev = NULL;
    free(endpoint->dds_topic);
    endpoint->dds_topic = NULL;
}

static void set_on_event(struct tn_ros__dds_endpoint *endpoint, tn_transport_event_fn on_event,
                         void *context)
{
    endpoint->on_event = on_event;
    endpoint->context = context;
    if (on_event != NULL)
        flag(endpoint);
}

void tn_transport_writer_on_event(struct tn_transport_writer *writer,
                                  tn_transport_event_fn on_event, void *context)
{
    set_on_event(&writer->endpoint, on_event, context);
}

void tn_transport_reader_on_event(struct tn_transport_reader *reader,
                                  tn_transport_event_fn on_event, void *context)
{
    set_on_event(&reader->endpoint, on_event, context);
}

void tn_transport_writer_status(const struct tn_transport_writer *writer,
                                struct tn_transport_status *out)
{
    dds_publication_matched_status_t matched;
    dds_offered_deadline_missed_status_t deadline;
    dds_liveliness_lost_status_t liveliness;
    dds_offered_incompatible_qos_status_t incompatible;
    memset(out, 0, sizeof *out);
    if (dds_get_publication_matched_status(writer->entity, &matched) == DDS_RETCODE_OK) {
        out->matched_total = matched.total_count;
        out->matched_current = matched.current_count;
    }
    if (dds_get_offered_deadline_missed_status(writer->entity, &deadline) == DDS_RETCODE_OK)
        out->deadline_missed = deadline.total_count;
    if (dds_get_liveliness_lost_status(writer->entity, &liveliness) == DDS_RETCODE_OK)
        out->liveliness_lost = liveliness.total_count;
    if (dds_get_offered_incompatible_qos_status(writer->entity, &incompatible) == DDS_RETCODE_OK)
        out->incompatible = incompatible.total_count;
}

void tn_transport_reader_status(const struct tn_transport_reader *reader,
                                struct tn_transport_status *out)
{
    dds_subscription_matched_status_t matched;
    dds_requested_deadline_missed_status_t deadline;
    dds_liveliness_changed_status_t liveliness;
    dds_requested_incompatible_qos_status_t incompatible;
    dds_sample_lost_status_t lost;
    memset(out, 0, sizeof *out);
    if (dds_get_subscription_matched_status(reader->entity, &matched) == DDS_RETCODE_OK) {
        out->matched_total = matched.total_count;
        out->matched_current = matched.current_count;
    }
    if (dds_get_requested_deadline_missed_status(reader->entity, &deadline) == DDS_RETCODE_OK)
        out->deadline_missed = deadline.total_count;
    if (dds_get_liveliness_changed_status(reader->entity, &liveliness) == DDS_RETCODE_OK) {
        out->alive = liveliness.alive_count;
        out->not_alive = liveliness.not_alive_count;
    }
    out->liveliness_changes = atomic_load(&reader->endpoint.liveliness_changes);
    if (dds_get_requested_incompatible_qos_status(reader->entity, &incompatible) == DDS_RETCODE_OK)
        out->incompatible = incompatible.total_count;
    if (dds_get_sample_lost_status(reader->entity, &lost) == DDS_RETCODE_OK)
        out->lost = lost.total_count;
}

enum tn_result tn_transport_assert_liveliness(struct tn_transport_writer *writer)
{
    return dds_assert_liveliness(writer->entity) == DDS_RETCODE_OK ? TN_OK : TN_ERR_TRANSPORT;
}
