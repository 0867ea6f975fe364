// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: samples as Cyclone's opaque `ddsi_serdata`, their buffers from reference-counted pools,
/// and the `ddsi_sertype` they belong to. The payload is CDR that Cyclone never looks into.
///
/// Life of a sample: taken from a pool (by a writer's loan, or by the receive thread), shared by
/// reference count between the writer's history, local readers and whoever took it, and given back
/// to its pool by the last unref, on whatever thread that happens. A pool lives until its owner has
/// let go *and* its last sample is back, because Cyclone may keep samples beyond the writer.
#ifndef TN_ROS_CYCLONE__SAMPLE_H
#define TN_ROS_CYCLONE__SAMPLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

#include "base/clock.h"
#include "ros/cyclone/cyclone__rtps.h"

/// Largest payload, both ways: bounds what one message can cost.
#define TN_ROS__PAYLOAD_MAX (16u << 20)
/// Free buffers a pool keeps, in bytes; one of each size is kept beyond that.
#define TN_ROS__POOL_KEEP_BYTES (4u << 20)
/// Room in front of the payload for an inline QoS tail, so that the CDR body is 8-byte aligned.
#define TN_ROS__HEADROOM TN_ROS__RELATED_SIZE

struct tn_loop_async;
struct tn_ros__pool;

/// One message. `c` must be first: Cyclone's pointers are ours.
struct tn_ros__sample {
    struct ddsi_serdata c;
    struct tn_ros__pool *pool;
    struct tn_ros__sample *next_free;
    uint32_t size_class;
    uint32_t size;     ///< payload bytes, encapsulation header included
    uint32_t capacity; ///< payload bytes that fit; a multiple of 4
    struct tn_ros__rtps_meta meta;
    int64_t arrival_steady_ns;
    bool is_inband;                  ///< a request or reply of the Cyclone form
    bool has_prefix;                 ///< the headroom holds an inline QoS tail to be sent in front
    struct tn_loop_async *on_repeat; ///< signalled when its beginning is sent again; NULL: nobody
    atomic_uint n_sent;              ///< how often that was
    atomic_uint n_let_go;            ///< see tn_ros__sample_unref()
    atomic_bool is_armed; ///< Cyclone is between the inline QoS and the payload of this sample
    _Alignas(8) uint8_t bytes[]; ///< headroom, payload
};

/// The type of a topic: says how samples of it are made and freed.
struct tn_ros__type {
    struct ddsi_sertype c;
    struct tn_ros__pool *pool; ///< for received samples
    struct tn_clock clock;     ///< for arrival times
};

/// @return a pool with one reference, or NULL without memory. Thread: any. Allocates: yes. Blocks:
/// never.
struct tn_ros__pool *tn_ros__pool_create(void);

/// @return the pool, with one more reference. Thread: any. Allocates: never. Blocks: never.
struct tn_ros__pool *tn_ros__pool_ref(struct tn_ros__pool *pool);

/// Drops a reference; NULL is harmless. @return nothing. Thread: any. Allocates: never. Blocks:
/// never.
void tn_ros__pool_unref(struct tn_ros__pool *pool);

/// Notes that Cyclone did not lay out the inline QoS as expected for a sample of this pool.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__pool_set_hook_broken(struct tn_ros__pool *pool);

/// @return true once that was noted. Thread: any. Allocates: never. Blocks: never.
bool tn_ros__pool_is_hook_broken(const struct tn_ros__pool *pool);

/// Takes a sample with at least `capacity` payload bytes and reference count 1.
/// @return the sample; NULL without memory or above TN_ROS__PAYLOAD_MAX.
/// Thread: any. Allocates: until warm. Blocks: never.
struct tn_ros__sample *tn_ros__sample_new(struct tn_ros__pool *pool,
                                          const struct ddsi_sertype *type,
                                          enum ddsi_serdata_kind kind, size_t capacity);

/// Drops one of our references. Cyclone's count orders what we did before the last unref, wherever
/// that is; an atomic of our own says so once more to tools that cannot look into its library.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__sample_unref(struct tn_ros__sample *sample);

/// Cyclone's `free` operation: the last reference is gone, the buffer goes back to its pool.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__sample_free(struct ddsi_serdata *serdata);

/// @return where the payload (its encapsulation header) begins. Thread: any. Allocates: never.
/// Blocks: never.
uint8_t *tn_ros__sample_payload(struct tn_ros__sample *sample);

/// Sets the payload's size and zeroes its padding. @return nothing. Thread: the one that fills it.
/// Allocates: never. Blocks: never.
void tn_ros__sample_set_size(struct tn_ros__sample *sample, size_t size);

/// Makes a type; Cyclone's topic takes it over. @return the type, or NULL without memory.
/// Thread: any. Allocates: yes. Blocks: never.
struct ddsi_sertype *tn_ros__type_new(const char *dds_type, struct tn_ros__pool *pool,
                                      struct tn_clock clock);

#endif
