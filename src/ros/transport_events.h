// SPDX-License-Identifier: Apache-2.0
/// @file
/// The seam to what the middleware notices about endpoints: matches, missed deadlines, liveliness,
/// losses, and who is there with which QoS.
///
/// Nothing is polled: the middleware's threads only flag an endpoint and wake the loop.
#ifndef TN_ROS_TRANSPORT_EVENTS_H
#define TN_ROS_TRANSPORT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros/ros__rxo.h"
#include "ros/transport.h"

/// Totals since the endpoint was made; none goes back. What an endpoint of the other direction
/// would have stays 0.
struct tn_transport_status {
    uint32_t matched_total, matched_current;
    uint32_t deadline_missed;    ///< offered (writers) or requested (readers)
    uint32_t liveliness_lost;    ///< writers: the lease ran out without a sign of life
    uint32_t alive, not_alive;   ///< readers: matched writers at this moment
    uint32_t liveliness_changes; ///< readers: how often one of these two changed
    uint32_t incompatible;       ///< endpoints that did not match because of their QoS
    uint32_t lost;               ///< readers: samples that DDS knows it did not deliver
};

/// Something about the endpoint changed; look at its status. Runs on the loop's thread and may
/// destroy endpoints.
typedef void (*tn_transport_event_fn)(void *context);

/// Has the events of a writer told; what happened before is told in the next pass.
/// @param on_event   NULL: no longer
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_transport_writer_on_event(struct tn_transport_writer *writer,
                                  tn_transport_event_fn on_event, void *context);
/// See tn_transport_writer_on_event(). @return nothing. Thread: the loop's. Allocates: never.
/// Blocks: never.
void tn_transport_reader_on_event(struct tn_transport_reader *reader,
                                  tn_transport_event_fn on_event, void *context);

/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_transport_writer_status(const struct tn_transport_writer *writer,
                                struct tn_transport_status *out);
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_transport_reader_status(const struct tn_transport_reader *reader,
                                struct tn_transport_status *out);

/// Gives a sign of life without data (LIVELINESS_MANUAL_BY_TOPIC).
/// @return TN_OK; TN_ERR_TRANSPORT. Thread: the loop's. Allocates: never. Blocks: never.
enum tn_result tn_transport_assert_liveliness(struct tn_transport_writer *writer);

// ---- who is there ----

/// An endpoint of any process. Texts are valid during the call.
struct tn_transport_peer {
    struct tn_gid gid, participant;
    bool is_writer;
    bool is_own;           ///< of this process
    const char *dds_topic; ///< never NULL
    const char *dds_type;  ///< never NULL
    const char *user_data; ///< not a text; NULL when empty
    size_t user_data_size;
    struct tn_ros_qos qos;  ///< history and depth are not to be relied on
    struct tn_ros__rxo rxo; ///< every policy that decides about matching
};

/// An endpoint of this process.
struct tn_transport_own {
    struct tn_gid gid;
    bool is_writer;
    const char *dds_topic, *dds_type;
    struct tn_ros__rxo rxo;
};

typedef void (*tn_transport_peer_fn)(void *context, const struct tn_transport_peer *peer);
/// An own endpoint and one of the other direction on the same topic: each pair at least once,
/// again when the peer changes what it announces.
typedef void (*tn_transport_pair_fn)(void *context, const struct tn_transport_own *own,
                                     const struct tn_transport_peer *peer);

/// Visits every endpoint of one direction that is known now on a topic.
/// @return TN_OK; TN_ERR_TRANSPORT. Thread: the loop's. Allocates: yes (copies made by DDS).
/// Blocks: never. Cost: O(number of endpoints of the domain).
enum tn_result tn_transport_visit(struct tn_transport *transport, const char *dds_topic,
                                  bool visits_writers, tn_transport_peer_fn visit, void *context);

/// Starts to look at endpoints as they are discovered. `on_peer` gets all, own ones included,
/// `on_pair` the pairs.
/// @param on_peer   may be NULL
/// @return TN_OK; TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks:
/// never.
TN_NODISCARD enum tn_result tn_transport_watch(struct tn_transport *transport,
                                               tn_transport_peer_fn on_peer,
                                               tn_transport_pair_fn on_pair, void *context,
                                               struct tn_error *err);
/// Ends it; harmless when not started. @return nothing. Thread: the loop's. Allocates: never.
/// Blocks: never.
void tn_transport_unwatch(struct tn_transport *transport);

#endif
