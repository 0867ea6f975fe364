// SPDX-License-Identifier: Apache-2.0
/// @file
/// Trace ring in shared memory: processes append {stamp, stage, side, steady time}; the demo and
/// the benchmarks read.
///
/// `TENDON_TRACE_RING=<path>` names a file (normally on /dev/shm) made by the reader. Several
/// processes append without locks (an atomic index; a record becomes visible by its sequence word).
/// When it is full the oldest records are overwritten. Without the variable every call is a no-op.
#ifndef TN_BASE_TRACE_H
#define TN_BASE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"

/// Places on the way of a frame, in order.
enum tn_trace_stage {
    TN_TRACE_SENT = 0,     ///< the software glove handed the datagram to the kernel
    TN_TRACE_RECEIVED = 1, ///< kernel receive time of the datagram in the driver
    TN_TRACE_DRIVER = 2,   ///< driver published the vendor message
    TN_TRACE_ADAPTER = 3,  ///< hand_model_adapter published HandFrame
    TN_TRACE_COMMAND = 4,  ///< robot_retargeter published the command
    TN_TRACE_ACCEPTED = 5, ///< effector core accepted the command
    TN_TRACE_EXECUTED = 6, ///< the (simulated) device was given the target
    TN_TRACE_STAGES = 7
};

/// @return "sent", "received", … "?" for a number that is none. Thread: any. Allocates: never.
/// Blocks: never.
const char *tn_trace_stage_name(enum tn_trace_stage stage);

struct tn_trace_record {
    int64_t stamp_ros_ns; ///< identity of the frame
    int64_t steady_ns;    ///< when it passed the stage
    uint32_t sequence;    ///< vendor or stream sequence where known, else 0
    uint8_t stage;        ///< enum tn_trace_stage
    uint8_t side;         ///< enum tn_side (1 left, 2 right)
    uint16_t detail;      ///< stage-specific, 0 by default
};

struct tn_trace_ring;

/// Creates the ring file with room for `capacity` records (power of two, at most 2^24, 32 bytes
/// each) and maps it; used by readers. An older file of that name is replaced; the file stays when
/// the ring is closed.
/// @return TN_OK; TN_ERR_IO; TN_ERR_INVALID_ARGUMENT; TN_ERR_NO_MEMORY. Thread: any. Allocates:
/// yes. Blocks: disk.
TN_NODISCARD enum tn_result tn_trace_create(const char *path, uint32_t capacity,
                                            struct tn_trace_ring **out_ring, struct tn_error *err);

/// Opens the ring that `path` names (NULL: the environment variable). *out_ring is NULL and TN_OK
/// returned when the variable is not set. @return TN_OK; TN_ERR_IO; TN_ERR_MALFORMED: not a trace
/// ring. Thread: any. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result tn_trace_open(const char *path, struct tn_trace_ring **out_ring,
                                          struct tn_error *err);

/// Unmaps; accepts NULL, nulls the pointer. @return nothing. Thread: one caller. Allocates: never.
/// Blocks: never.
void tn_trace_close(struct tn_trace_ring **ring);

/// Appends one record; no-op on a NULL ring. @return nothing. Thread: any. Allocates: never.
/// Blocks: never.
void tn_trace_append(struct tn_trace_ring *ring, const struct tn_trace_record *record);

/// A record that another process has begun and not finished ends the read; it is given up as lost
/// when 64 further records were begun behind it (its writer was killed).
/// Reads records in order from `*cursor` (0: the oldest kept) and moves it on.
/// @param out_lost   records overwritten before they were read are added here; may be NULL
/// @return number of records copied, at most `max`. Thread: one reader per cursor. Allocates:
/// never. Blocks: never.
uint32_t tn_trace_read(struct tn_trace_ring *ring, uint64_t *cursor,
                       struct tn_trace_record *out_records, uint32_t max, uint64_t *out_lost);

#endif
