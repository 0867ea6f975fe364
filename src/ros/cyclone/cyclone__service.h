// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what servers and clients have in common. One pair of endpoints speaks the wire of
/// rmw_cyclonedds_cpp (16 bytes of identity in front of the body) and that of rmw_fastrtps_cpp
/// (identity as inline QoS).
#ifndef TN_ROS_CYCLONE__SERVICE_H
#define TN_ROS_CYCLONE__SERVICE_H

#include <stdatomic.h>

#include "ros/cyclone/cyclone__hooks.h"
#include "ros/cyclone/cyclone__inband.h"
#include "ros/cyclone/cyclone__match.h"

/// Matched endpoints of one kind that are noted; one service has a few clients, and whoever makes
/// up more only makes replies go out without a look for their reader.
#define TN_ROS__MATCHES_MAX 1024
/// Requests or replies taken before others run.
#define TN_ROS__SERVICE_BATCH 128

/// Matched endpoints as they were when last looked at.
struct tn_ros__watch {
    struct tn_ros__matches matches;
    dds_instance_handle_t *handles; ///< of `matches`, and of those that were gone already
    size_t n_handles;
    size_t capacity;
    atomic_uint_fast32_t n_changes; ///< counted by the listener, on Cyclone's threads
    uint_fast32_t n_seen;           ///< changes that `matches` knows of
};

struct tn_ros__pair {
    struct tn_transport *transport;
    struct tn_transport_writer *writer;
    struct tn_transport_reader *reader;
    uint32_t number;              ///< unique in the process
    struct tn_loop_async matched; ///< the other side's endpoints came or went
    struct tn_ros__watch readers; ///< of what we write
    struct tn_ros__watch writers; ///< of what we read
    bool can_rpc;                 ///< the inline QoS hook holds
    bool has_told;                ///< that it does not
    bool keeps_from_strangers;    ///< what has the Cyclone form, a client's
    uint8_t *scratch;             ///< a Cyclone-form message without its identity
    size_t scratch_size;
    const char *kind; ///< "service" or "client"
    char name[256];   ///< request topic
};

/// What a pair calls on the loop's thread.
struct tn_ros__pair_events {
    tn_transport_ready_fn on_ready; ///< the reader has data
    tn_loop_async_fn on_matched;    ///< endpoints came or went; called once after creation
};

/// Creates both endpoints of a server or client.
/// @param pair   zero, with `transport` set; must not move afterwards
/// @return as tn_transport_writer_create(). After an error too tn_ros__pair_close() is due.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__pair_open(struct tn_ros__pair *pair,
                                              const struct tn_transport_service *service,
                                              bool is_server,
                                              const struct tn_ros__pair_events *events,
                                              void *context, struct tn_error *err);

/// Removes what tn_ros__pair_open() made. @return nothing. Thread: the loop's. Allocates: never.
/// Blocks: never.
void tn_ros__pair_close(struct tn_ros__pair *pair);

/// Whether the RPC form can be used; the first time that it cannot is told.
/// @return true while the hooks hold. Thread: the loop's. Allocates: never. Blocks: never.
bool tn_ros__pair_can_rpc(struct tn_ros__pair *pair);

/// @return the matched readers of what we write, up to date; valid until the next call.
/// Thread: the loop's. Allocates: after changes. Blocks: never.
const struct tn_ros__matches *tn_ros__pair_readers(struct tn_ros__pair *pair);
/// The readers that a sample written next goes to. The listener learns of a match a little after
/// samples go there, which is too late for whoever must not get them.
const struct tn_ros__matches *tn_ros__pair_readers_now(struct tn_ros__pair *pair);

/// @return the matched writers of what we read, up to date; valid until the next call.
/// Thread: the loop's. Allocates: after changes. Blocks: never.
const struct tn_ros__matches *tn_ros__pair_writers(struct tn_ros__pair *pair);

/// Takes the in-band identity out of a Cyclone-form message. The sample itself is left alone: it
/// may be shared.
/// @return header and body, valid until the next call; NULL when it is too short or there is no
/// memory. Thread: the loop's. Allocates: until warm. Blocks: never.
const uint8_t *tn_ros__pair_split(struct tn_ros__pair *pair, struct tn_ros__sample *sample,
                                  struct tn_ros__inband *out_id, size_t *out_size);

/// Fills a loan with a Cyclone-form message.
/// @return TN_OK; errors of tn_transport_loan(). Thread: the loop's. Allocates: until warm. Blocks:
/// never.
TN_NODISCARD enum tn_result tn_ros__pair_make_cyclone(struct tn_ros__pair *pair,
                                                      struct tn_ros__inband id, const uint8_t *cdr,
                                                      size_t size,
                                                      struct tn_transport_loan *out_loan);

/// Fills a loan with an RPC-form message: the identity stands in front of the payload.
/// @return TN_OK; errors of tn_transport_loan(). Thread: the loop's. Allocates: until warm. Blocks:
/// never.
TN_NODISCARD enum tn_result tn_ros__pair_make_rpc(struct tn_ros__pair *pair,
                                                  const struct tn_ros__identity *related,
                                                  const uint8_t *cdr, size_t size,
                                                  struct tn_transport_loan *out_loan);

#endif
