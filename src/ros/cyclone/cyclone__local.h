// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: delivery inside the process. A sample whose readers are all in this process goes
/// straight into their queues, by reference, and DDS never sees it; it is delivered in the next
/// pass of the loop.
///
/// DDS stays the one that decides who matches: it knows both endpoints, checks their QoS, counts
/// and reports the match, and shows them in the graph. Only the way of the data is shorter, and
/// only where it can be exactly the same: topics, volatile, automatic liveliness, no deadline, no
/// lifespan, readers that keep the last few or all. As soon as one reader elsewhere matches, or for
/// any other QoS, samples take DDS's own way, which reaches readers in this process too. So a
/// sample takes exactly one way, and nothing above notices which.
#ifndef TN_ROS_CYCLONE__LOCAL_H
#define TN_ROS_CYCLONE__LOCAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ros/cyclone/cyclone__sample.h"
#include "ros/transport.h"

/// Readers of one writer that are looked through; a topic with more takes DDS's way.
#define TN_ROS__LOCAL_READERS_MAX 64

/// One sample in a reader's queue.
struct tn_ros__waiting {
    struct tn_ros__sample *sample;
    uint64_t pass; ///< of the loop, in which it was published
};

/// Part of a reader.
struct tn_ros__local_reader {
    struct tn_transport_reader *next;
    uint64_t handle;               ///< what DDS calls the reader in its matches; 0: takes no part
    struct tn_ros__waiting *queue; ///< ring, oldest first; grows up to depth; then the oldest go,
                                   ///< and the gap in the numbers tells that they are lost
    uint32_t depth, capacity, first, n;
    atomic_bool has_dds; ///< DDS may have samples
};

/// Part of a writer.
struct tn_ros__local_writer {
    struct tn_transport_writer *next;
    bool is_allowed; ///< its QoS has nothing that DDS must see to
    bool is_direct;  ///< all matched readers are in `readers`
    uint32_t n_readers;
    struct tn_transport_reader *readers[TN_ROS__LOCAL_READERS_MAX];
};

/// The writer exists in DDS. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__local_writer_open(struct tn_transport_writer *writer,
                               const struct tn_transport_topic *topic);
/// The writer goes; what it wrote stays in the queues. @return nothing. Thread: the loop's.
/// Allocates: never. Blocks: never.
void tn_ros__local_writer_close(struct tn_transport_writer *writer);
/// @return true: a message would reach nobody, and DDS keeps none of them for those that come
/// later. Thread: the loop's. Allocates: never. Blocks: never.
bool tn_ros__local_is_unheard(struct tn_transport_writer *writer);
/// Delivers a sample without DDS, if that is possible.
/// @return true: the reference was consumed; false: DDS must do it.
/// Thread: the loop's. Allocates: until the queues are warm. Blocks: never.
bool tn_ros__local_write(struct tn_transport_writer *writer, struct tn_ros__sample *sample);

/// The reader exists in DDS. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__local_reader_open(struct tn_transport_reader *reader,
                               const struct tn_transport_topic *topic);
/// The reader goes with what waits for it. @return nothing. Thread: the loop's. Allocates: never.
/// Blocks: never.
void tn_ros__local_reader_close(struct tn_transport_reader *reader);
/// DDS has a sample for the reader. @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__local_reader_notify(struct tn_transport_reader *reader);
/// Before samples are taken in a pass: brings what came both ways into one order and one depth.
/// @return nothing. Thread: the loop's. Allocates: until the queue is warm. Blocks: never.
void tn_ros__local_reader_begin(struct tn_transport_reader *reader);
/// Takes the next sample of either way; what was published in this very pass waits for the next.
/// @return the sample, which the caller unrefs, or NULL. Thread: the loop's. Allocates: never.
/// Blocks: never.
struct tn_ros__sample *tn_ros__local_take(struct tn_transport_reader *reader);

#endif
