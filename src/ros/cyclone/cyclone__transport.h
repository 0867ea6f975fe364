// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the insides of the Cyclone transport that topics and services share.
#ifndef TN_ROS_CYCLONE__TRANSPORT_H
#define TN_ROS_CYCLONE__TRANSPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <dds/dds.h>

#include "base/loop.h"
#include "ros/cyclone/cyclone__events.h"
#include "ros/cyclone/cyclone__local.h"
#include "ros/cyclone/cyclone__sample.h"
#include "ros/transport.h"

struct tn_transport {
    struct tn_loop *loop;
    struct tn_clock clock;
    dds_entity_t domain, participant, publisher, subscriber;
    struct tn_gid gid;
    struct tn_ros__pool *pool; ///< received samples of all types
    uint32_t n_endpoints;      ///< that are alive
    uint32_t n_service_ids;    ///< services and clients named so far
    struct tn_ros__endpoints endpoints;
    struct tn_transport_writer *local_writers; ///< see cyclone__local.h
    struct tn_transport_reader *local_readers;
};

struct tn_transport_writer {
    struct tn_transport *transport;
    dds_entity_t topic, entity;
    struct ddsi_sertype *type; ///< lives as long as the topic
    struct tn_ros__pool *pool;
    struct tn_gid gid;
    uint64_t sequence; ///< RTPS sequence number of the last sample
    struct tn_ros__dds_endpoint endpoint;
    struct tn_ros__local_writer local;
};

struct tn_transport_reader {
    struct tn_transport *transport;
    dds_entity_t topic, entity;
    struct ddsi_sertype *type;
    struct tn_gid gid;
    struct tn_loop_async async;
    tn_transport_ready_fn on_ready;
    void *context;
    bool is_drained; ///< the last take found nothing
    struct tn_ros__dds_endpoint endpoint;
    struct tn_ros__local_reader local;
};

/// Makes a DDS topic with the opaque type.
/// @return TN_OK; errors as tn_transport_writer_create(). Thread: the loop's. Allocates: yes.
/// Blocks: never.
TN_NODISCARD enum tn_result
tn_ros__topic_create(struct tn_transport *transport, const struct tn_transport_topic *topic,
                     dds_entity_t *out_topic, struct ddsi_sertype **out_type, struct tn_error *err);

/// Builds the DDS QoS of an endpoint: what rmw_cyclonedds_cpp sets, with the endpoint's USER_DATA.
/// @return the QoS, to be deleted by the caller; NULL: err says what is wrong.
/// Thread: any. Allocates: yes. Blocks: never.
dds_qos_t *tn_ros__qos_create(const struct tn_transport_topic *topic, bool is_writer,
                              struct tn_error *err);

/// Turns a Cyclone return code into a result with a text that names `what`.
/// @return the result. Thread: any. Allocates: never. Blocks: never.
enum tn_result tn_ros__dds_error(struct tn_error *err, dds_return_t code, const char *what,
                                 const char *name);

/// Takes the next valid sample. The caller unrefs it.
/// @return the sample, or NULL when nothing is left. Thread: the loop's. Allocates: never. Blocks:
/// never.
struct tn_ros__sample *tn_ros__take(struct tn_transport_reader *reader,
                                    dds_sample_info_t *out_info);

#endif
