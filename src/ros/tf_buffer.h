// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tree of frames over time: transforms go in, "where was b in a at t" comes out, as tf2 answers
/// it. Knows no ROS type and reads no clock; ros/tf_listener.h feeds it from `/tf` and
/// `/tf_static`.
///
/// **Frames.** Names are interned; a leading '/' of an inserted name is stripped, in a lookup it is
/// an error, as in tf2. A frame is what has been a child or a parent; one that is nobody's child is
/// a root.
///
/// **History.** Each moving frame keeps its transforms sorted by stamp, `cache_ns` long, counted
/// from its newest, and at most `max_frame_entries` of them; all frames share `max_entries`, and
/// when these are used up the frame with the longest history gives up its oldest. Transforms may
/// come in any order. One with a stamp that is held already replaces it. A change of parent is part
/// of the history: between the last transform to the old parent and the first one to the new, the
/// old holds. A static frame has one transform that is valid at all times; a frame becomes static
/// or moving by what was inserted last, which forgets its history, as in tf2.
///
/// **Lookups.** Between two transforms the position is interpolated on the line and the orientation
/// on the sphere; outside of what is held nothing is guessed. Time 0 means the newest time at which
/// the whole way is known; a way of static frames alone gives time 0.
///
/// **Departures from tf2.** Quaternions are normalised when they come in (tf2 keeps them as they
/// are). Infinite numbers are refused like NaN. What stands at an equal stamp is replaced. Memory
/// is bounded in frames and in transforms; when all frames are in use, one that nothing was
/// inserted into for `unused_ns` and that is nobody's parent makes room. A frame whose sender's
/// clock was set back, so that all it sends is refused as old, begins anew after `cache_ns` of
/// that; in tf2 it stays dead until the program is restarted.
#ifndef TN_ROS_TF_BUFFER_H
#define TN_ROS_TF_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "geometry/pose.h"

/// Longest frame name, including its NUL.
#define TN_TF_NAME_MAX 256
/// tf2's tolerance: | |q|^2 - 1 | must be below it.
#define TN_TF_QUATERNION_TOLERANCE 0.01
/// Limits of the options below.
#define TN_TF_FRAMES_LIMIT  65536u
#define TN_TF_ENTRIES_LIMIT 16777216u

struct tn_tf_buffer;

struct tn_tf_buffer_options {
    int64_t cache_ns;           ///< > 0
    int64_t unused_ns;          ///< > 0
    uint32_t max_frames;        ///< 2 to TN_TF_FRAMES_LIMIT
    uint32_t max_entries;       ///< transforms of moving frames, 2 to TN_TF_ENTRIES_LIMIT
    uint32_t max_frame_entries; ///< of one frame, 2 to max_entries
};

/// @return 10 s (tf2's default), 1024 frames (three crowded robots), 65536 transforms (5 MiB, of
/// which only what is used is touched), 10240 per frame (10 s at 1 kHz), unused after 60 s.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_tf_buffer_options tn_tf_buffer_options_default(void);

/// @return TN_OK; TN_ERR_RANGE: an option; TN_ERR_NO_MEMORY.
/// Thread: any. Allocates: yes, all that the buffer ever needs. Blocks: never.
TN_NODISCARD enum tn_result tn_tf_buffer_create(const struct tn_tf_buffer_options *options,
                                                struct tn_tf_buffer **out_buffer,
                                                struct tn_error *err);

/// Accepts NULL, nulls the pointer. @return nothing. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
void tn_tf_buffer_destroy(struct tn_tf_buffer **buffer);

// ---- in ----

/// Who sent a transform: the bytes of the writer's gid; all zero: nobody known.
struct tn_tf_authority {
    uint8_t data[16];
};

/// One transform to be taken in. Names need not end in NUL.
struct tn_tf_input {
    const char *parent, *child;
    uint32_t parent_size, child_size;
    int64_t stamp_ns;              ///< >= 0; of no meaning for a static one
    int64_t now_steady_ns;         ///< when it came; tells only which frames are long unused
    struct tn_pose T_parent_child; ///< metres
    struct tn_tf_authority authority;
    bool is_static;
};

/// Why transforms were not taken, and what else happened. Counters only grow.
struct tn_tf_buffer_counters {
    uint64_t accepted;
    uint64_t replaced;   ///< of these: another transform stood at this stamp
    uint64_t repeated;   ///< of these: the very same one stood there
    uint64_t reordered;  ///< of these: older than the frame's newest
    uint64_t reparented; ///< of these: the newest one, with another parent
    uint64_t changed_authority;

    uint64_t old_data;       ///< refused: further back than the history goes (TF_OLD_DATA)
    uint64_t self;           ///< refused: a frame in itself (TF_SELF_TRANSFORM)
    uint64_t no_name;        ///< refused: a name is empty (TF_NO_FRAME_ID, TF_NO_CHILD_FRAME_ID)
    uint64_t bad_name;       ///< refused: too long, or a NUL in it
    uint64_t not_finite;     ///< refused: NaN or infinite (TF_NAN_INPUT)
    uint64_t bad_quaternion; ///< refused: not of norm 1 (TF_DENORMALIZED_QUATERNION)
    uint64_t bad_stamp;      ///< refused: before the epoch
    uint64_t no_room;        ///< refused: max_frames are in use
    uint64_t shortened;      ///< histories cut because the entries were used up
    uint64_t reclaimed;      ///< unused frames forgotten to make room for new ones
    uint64_t restarted;      ///< histories begun anew, since all that came was older
};

/// Takes in one transform.
/// @return TN_OK (also for a repeated one); TN_ERR_STALE: further back than the history goes;
/// TN_ERR_INVALID_ARGUMENT: a frame in itself, or an empty name; TN_ERR_LIMIT: a name is too long;
/// TN_ERR_MALFORMED: a NUL in a name; TN_ERR_NOT_FINITE; TN_ERR_RANGE: quaternion or stamp;
/// TN_ERR_NO_MEMORY: max_frames are in use. The buffer is unchanged on error but for the counter.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(1) in order, O(entries of
/// the frame) out of order, O(frames) when the table is full.
enum tn_result tn_tf_buffer_insert(struct tn_tf_buffer *buffer, const struct tn_tf_input *input);

/// Forgets the history of all moving frames, as tf2 does when time jumps back; static frames and
/// names stay. @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_tf_buffer_clear(struct tn_tf_buffer *buffer);

/// @return the counters, valid as long as the buffer. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
const struct tn_tf_buffer_counters *tn_tf_buffer_counters(const struct tn_tf_buffer *buffer);

// ---- out ----

/// Where `source` was in `target`: p_target = apply(T_target_source, p_source).
struct tn_tf_result {
    struct tn_pose T_target_source;
    int64_t stamp_ns; ///< the time asked for; when that was 0, the time that was found
};

/// Looks up one transform. A frame in itself is the identity, whether it is known or not.
/// @param time_ns      0: the newest time at which the way is known
/// @param out_result   untouched on error
/// @param err          may be NULL; says which frame of the way lacks data, how far off the time is
///                     and in which direction, what is held, or which two roots are not connected
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: a name is empty, begins with '/', or the time is
/// negative; TN_ERR_NOT_FOUND: a frame is not known (err has the nearest name); TN_ERR_STATE: not
/// part of the same tree; TN_ERR_AGAIN: the time is newer than what is held (extrapolation into the
/// future), or a frame of the way has no data since tn_tf_buffer_clear(); TN_ERR_STALE: older
/// than what is held (extrapolation into the past); TN_ERR_MALFORMED: the tree has a loop.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(way * history).
TN_NODISCARD enum tn_result tn_tf_buffer_lookup(const struct tn_tf_buffer *buffer,
                                                const char *target, const char *source,
                                                int64_t time_ns, struct tn_tf_result *out_result,
                                                struct tn_error *err);

/// A lookup through time: where `source` was at its time, seen from where `target` was at its own,
/// both against `fixed`.
struct tn_tf_travel {
    const char *target;
    int64_t target_time_ns; ///< 0: newest
    const char *source;
    int64_t source_time_ns; ///< 0: newest
    const char *fixed;      ///< does not move between the two times
};

/// @param out_result   its stamp is the target's
/// @return as tn_tf_buffer_lookup(); all three names must be known. Thread: one caller at a time.
/// Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_tf_buffer_lookup_travel(const struct tn_tf_buffer *buffer,
                                                       const struct tn_tf_travel *travel,
                                                       struct tn_tf_result *out_result,
                                                       struct tn_error *err);

/// @return true when tn_tf_buffer_lookup() would succeed. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
bool tn_tf_buffer_can_transform(const struct tn_tf_buffer *buffer, const char *target,
                                const char *source, int64_t time_ns);

// ---- what is there ----

struct tn_tf_frame_info {
    const char *name;
    const char *parent; ///< by the newest transform; "" for a root
    bool is_static;
    uint32_t n_entries;               ///< transforms held, 1 for a static frame
    int64_t oldest_ns, newest_ns;     ///< of a moving frame with entries; else 0
    struct tn_tf_authority authority; ///< who sent last
};

/// @param index   from 0 on
/// @return TN_OK; TN_ERR_NOT_FOUND: no frame has this index (there are none behind it).
/// Names are valid until the next insertion. Thread: one caller at a time. Allocates: never.
/// Blocks: never. Cost: O(index).
TN_NODISCARD enum tn_result tn_tf_buffer_frame(const struct tn_tf_buffer *buffer, uint32_t index,
                                               struct tn_tf_frame_info *out_info);

#endif
