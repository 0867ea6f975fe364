// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what all endpoints have in common, so that events and discovery find them.
#ifndef TN_ROS_CYCLONE__EVENTS_H
#define TN_ROS_CYCLONE__EVENTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include <dds/dds.h>

#include "base/loop.h"
#include "ros/transport_events.h"

/// A writer or reader.
struct tn_ros__dds_endpoint {
    struct tn_transport *transport; ///< NULL: not in its list
    struct tn_ros__dds_endpoint *next, *prev;
    dds_entity_t entity;
    struct tn_gid gid;
    bool is_writer;
    bool is_new; ///< not compared yet with those that were there before it
    char *dds_topic;
    const char *dds_type; ///< of its sertype
    struct tn_ros__rxo rxo;
    atomic_bool has_event;       ///< set by listeners
    atomic_bool has_new_matches; ///< writers: set by listeners, cleared by who looks (local.c)
    atomic_uint liveliness_changes;
    tn_transport_event_fn on_event;
    void *context;
};

/// Endpoints of a transport and what watches them.
struct tn_ros__endpoints {
    struct tn_ros__dds_endpoint head;  ///< of the list
    struct tn_ros__dds_endpoint *next; ///< where the present walk goes on
    struct tn_loop_async events;       ///< some endpoint has_event
    // discovery
    struct tn_loop_async discovered;
    dds_entity_t publications, subscriptions; ///< builtin readers; 0: not watched
    tn_transport_peer_fn on_peer;
    tn_transport_pair_fn on_pair;
    void *context;
};

/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__endpoints_init(struct tn_transport *transport);
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__endpoints_fini(struct tn_transport *transport);

/// Adds the event listeners. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__endpoint_listen(struct tn_ros__dds_endpoint *endpoint, dds_listener_t *listener);
/// Takes a created entity into the list. @param endpoint   entity, gid, is_writer are set
/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: never.
enum tn_result tn_ros__endpoint_add(struct tn_transport *transport,
                                    struct tn_ros__dds_endpoint *endpoint, const char *dds_topic,
                                    const char *dds_type, const dds_qos_t *qos);
/// Takes it out; its entity must have been deleted. @return nothing. Thread: the loop's. Allocates:
/// never. Blocks: never.
void tn_ros__endpoint_remove(struct tn_ros__dds_endpoint *endpoint);

/// @return nothing. Thread: any. Allocates: yes (copies made by DDS). Blocks: never.
void tn_ros__rxo_of(const dds_qos_t *qos, bool is_writer, struct tn_ros__rxo *out);

#endif
