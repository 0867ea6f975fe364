// SPDX-License-Identifier: Apache-2.0
#include "ros/events.h"

#include <string.h>

#include "ros/ros__events.h"
#include "ros/ros__node.h"

static void tell(struct tn_ros__events *events, const struct tn_ros_event *event)
{
    // the callback may have ended the matter in an event before this one
    if (events->callback != NULL)
        events->callback(events->context, event);
}

static void tell_total(struct tn_ros__events *events, enum tn_ros_event_kind kind, uint32_t now,
                       uint32_t *io_told)
{
    struct tn_ros_event event = {.kind = kind, .total = now, .change = now - *io_told};
    if (now == *io_told)
        return;
    *io_told = now;
    tell(events, &event);
}

static void tell_matched(struct tn_ros__events *events, const struct tn_transport_status *now)
{
    struct tn_transport_status *told = &events->told;
    struct tn_ros_event event = {
        .kind = TN_ROS_EVENT_MATCHED,
        .total = now->matched_total,
        .change = now->matched_total - told->matched_total,
        .current = now->matched_current,
        .current_change = (int32_t)(now->matched_current - told->matched_current),
    };
    if (event.change == 0 && event.current_change == 0)
        return;
    told->matched_total = now->matched_total;
    told->matched_current = now->matched_current;
    tell(events, &event);
}

static void tell_liveliness(struct tn_ros__events *events, const struct tn_transport_status *now)
{
    struct tn_transport_status *told = &events->told;
    struct tn_ros_event event = {
        .kind = TN_ROS_EVENT_LIVELINESS_CHANGED,
        .total = now->liveliness_changes,
        .change = now->liveliness_changes - told->liveliness_changes,
        .current = now->alive,
        .current_change = (int32_t)(now->alive - told->alive),
        .not_alive = now->not_alive,
        .not_alive_change = (int32_t)(now->not_alive - told->not_alive),
    };
    if (event.change == 0 && event.current_change == 0 && event.not_alive_change == 0)
        return;
    told->liveliness_changes = now->liveliness_changes;
    told->alive = now->alive;
    told->not_alive = now->not_alive;
    tell(events, &event);
}

static void tell_lost(struct tn_ros__events *events)
{
    struct tn_ros_event event = {
        .kind = TN_ROS_EVENT_MESSAGE_LOST,
        .total = events->n_lost,
        .change = events->n_lost - events->n_lost_told,
    };
    if (event.change == 0)
        return;
    events->n_lost_told = events->n_lost;
    tell(events, &event);
}

static void tell_misfits(struct tn_ros__events *events, bool is_type,
                         const struct tn_ros_conflict *conflict)
{
    struct tn_ros__misfits *misfits = is_type ? &events->type : &events->qos;
    struct tn_ros_event event = {
        .kind = is_type ? TN_ROS_EVENT_INCOMPATIBLE_TYPE : TN_ROS_EVENT_INCOMPATIBLE_QOS,
        .total = misfits->n,
        .change = misfits->n - misfits->n_told,
        .conflict = conflict,
    };
    if (event.change == 0)
        return;
    misfits->n_told = misfits->n;
    tell(events, &event);
}

static void tell_conflicts(struct tn_ros__events *events)
{
    struct tn_ros_conflict conflict = {
        .policy = tn_ros__rxo_name(events->policy),
        .offered = events->offered,
        .requested = events->requested,
        .peer = events->peer,
        .peer_node = events->peer_node,
        .cure = events->cure,
    };
    tell_misfits(events, false, &conflict);
    tell_misfits(events, true, &conflict);
}

void tn_ros__publisher_tell(struct tn_ros_publisher *publisher)
{
    struct tn_ros__events *events = &publisher->events;
    struct tn_transport_status now;
    if (events->callback == NULL)
        return;
    tn_transport_writer_status(publisher->writer, &now);
    tell_matched(events, &now);
    tell_total(events, TN_ROS_EVENT_DEADLINE_MISSED, now.deadline_missed,
               &events->told.deadline_missed);
    tell_total(events, TN_ROS_EVENT_LIVELINESS_LOST, now.liveliness_lost,
               &events->told.liveliness_lost);
    tell_conflicts(events);
}

void tn_ros__subscription_tell(struct tn_ros_subscription *subscription)
{
    struct tn_ros__events *events = &subscription->events;
    struct tn_transport_status now;
    if (events->callback == NULL)
        return;
    tn_transport_reader_status(subscription->reader, &now);
    tell_matched(events, &now);
    tell_total(events, TN_ROS_EVENT_DEADLINE_MISSED, now.deadline_missed,
               &events->told.deadline_missed);
    tell_liveliness(events, &now);
    tell_lost(events);
    tell_conflicts(events);
}

static void on_publisher(void *context)
{
    tn_ros__publisher_tell(context);
}

static void on_subscription(void *context)
{
    tn_ros__subscription_tell(context);
}

/// Whoever asks anew is told everything.
static void ask(struct tn_ros__events *events, tn_ros_event_fn callback, void *context)
{
    events->callback = callback;
    events->context = context;
    memset(&events->told, 0, sizeof events->told);
    events->n_lost_told = 0;
    events->qos.n_told = 0;
    events->type.n_told = 0;
}

void tn_ros_publisher_on_event(struct tn_ros_publisher *publisher, tn_ros_event_fn callback,
                               void *context)
{
    ask(&publisher->events, callback, context);
    tn_transport_writer_on_event(publisher->writer, callback == NULL ? NULL : on_publisher,
                                 publisher);
}

void tn_ros_subscription_on_event(struct tn_ros_subscription *subscription,
                                  tn_ros_event_fn callback, void *context)
{
    ask(&subscription->events, callback, context);
    tn_transport_reader_on_event(subscription->reader, callback == NULL ? NULL : on_subscription,
                                 subscription);
}

uint64_t tn_ros_subscription_lost(const struct tn_ros_subscription *subscription)
{
    return subscription->events.n_lost;
}

enum tn_result tn_ros_publisher_assert_liveliness(struct tn_ros_publisher *publisher)
{
    return tn_transport_assert_liveliness(publisher->writer);
}

struct tn_ros_qos tn_ros_publisher_qos(const struct tn_ros_publisher *publisher)
{
    return publisher->qos;
}

struct tn_ros_qos tn_ros_subscription_qos(const struct tn_ros_subscription *subscription)
{
    return subscription->qos;
}

// ---- best available ----

/// Endpoints that best available looks at: the graph of one topic.
#define PEERS_MAX 256u

struct peers {
    uint32_t n;
    struct tn_ros_qos items[PEERS_MAX];
};

static void note_peer(void *context, const struct tn_transport_peer *peer)
{
    struct peers *peers = context;
    if (peers->n < PEERS_MAX)
        peers->items[peers->n++] = peer->qos;
}

void tn_ros__qos_settle(struct tn_ros_context *context, const char *dds_topic, bool is_publisher,
                        struct tn_ros_qos *io_qos)
{
    struct peers peers;
    peers.n = 0;
    if (tn_ros_qos_needs_peers(io_qos))
        (void)tn_transport_visit(context->transport, dds_topic, !is_publisher, note_peer, &peers);
    tn_ros_qos_resolve(io_qos, is_publisher, peers.items, peers.n);
}
