// SPDX-License-Identifier: Apache-2.0
/// @file
/// The seam to the middleware's discovery: which participants, writers and readers are there, own
/// ones included.
#ifndef TN_ROS_TRANSPORT_DISCOVERY_H
#define TN_ROS_TRANSPORT_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros/transport.h"

struct tn_transport_discovery;

enum tn_transport_discovered_kind {
    TN_TRANSPORT_PARTICIPANT,
    TN_TRANSPORT_WRITER,
    TN_TRANSPORT_READER,
};

/// Something came, changed or went. Texts and bytes are valid until the next take or release.
struct tn_transport_discovered {
    enum tn_transport_discovered_kind kind;
    bool is_alive;                    ///< false: it went; only kind and gid are set
    struct tn_gid gid, participant;   ///< participant: equal to gid for one
    const char *dds_topic, *dds_type; ///< NULL for participants
    const uint8_t *user_data;         ///< not a text; NULL when empty
    size_t user_data_size;
    struct tn_ros_qos qos; ///< of endpoints
    bool is_history_known; ///< history and depth were in the discovery data
};

/// Something is there to take. Runs on the loop's thread.
typedef void (*tn_transport_discovery_fn)(void *context);

/// Starts to listen; what is there already comes first.
/// @param has_all   false: only readers are reported, which costs the least
/// @return TN_OK; TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks:
/// never.
TN_NODISCARD enum tn_result
tn_transport_discovery_create(struct tn_transport *transport, bool has_all,
                              tn_transport_discovery_fn on_ready, void *context,
                              struct tn_transport_discovery **out_discovery, struct tn_error *err);

/// Accepts NULL, nulls the pointer. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_transport_discovery_destroy(struct tn_transport_discovery **discovery);

/// Takes the next event: participants first, then writers, then readers. Several changes of one
/// entity since the last take may be reported as one.
/// @return TN_OK; TN_ERR_AGAIN: nothing left. Thread: the loop's. Allocates: yes (copies made by
/// DDS, freed at the next take). Blocks: never.
TN_NODISCARD enum tn_result tn_transport_discovery_take(struct tn_transport_discovery *discovery,
                                                        struct tn_transport_discovered *out);

#endif
