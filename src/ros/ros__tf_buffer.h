// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the insides of the TF buffer, shared by what goes in and what comes out.
#ifndef TN_ROS_ROS__TF_BUFFER_H
#define TN_ROS_ROS__TF_BUFFER_H

#include <stddef.h>

#include "ros/tf_buffer.h"

/// No frame, no entry.
#define TN_TF__NONE UINT32_MAX

/// One transform of a history; a node of the frame's list, or of the free list by `older`.
struct tn_tf__entry {
    int64_t stamp_ns;
    struct tn_pose T_parent_child;
    uint32_t parent;
    uint32_t newer, older;
};

struct tn_tf__frame {
    char name[TN_TF_NAME_MAX]; ///< "": free
    uint32_t hash;
    uint32_t next;         ///< in its bucket
    bool is_child;         ///< has been inserted as a child: it has a parent unless cleared
    bool is_static;        ///< `fixed` holds at all times
    uint32_t fixed_parent; ///< of a static frame
    struct tn_pose fixed;
    uint32_t newest, oldest, n_entries;
    uint32_t n_children; ///< transforms that name it as parent
    int64_t used_steady_ns, accepted_steady_ns;
    struct tn_tf_authority authority;
};

/// What one walk over the tree leaves at a frame.
struct tn_tf__trail {
    uint64_t walk; ///< which walk was here
    int64_t newest_ns;
    struct tn_pose T_frame_source;
};

struct tn_tf_buffer {
    struct tn_tf_buffer_options options;
    struct tn_tf_buffer_counters counters;
    struct tn_tf__frame *frames;  ///< (max_frames)
    struct tn_tf__entry *entries; ///< (max_entries)
    uint32_t *buckets;            ///< (n_buckets)
    uint32_t n_buckets;           ///< a power of two
    uint32_t n_frames, n_touched; ///< frames in use; entries used at least once
    uint32_t free_entry;
    struct tn_tf__trail *trails; ///< (max_frames) scratch of lookups
    uint64_t *n_walks;           ///< scratch of lookups
};

/// @return the frame of a name, or TN_TF__NONE. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
uint32_t tn_tf__find(const struct tn_tf_buffer *buffer, const char *name, size_t size);

#endif
