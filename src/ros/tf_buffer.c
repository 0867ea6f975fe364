// SPDX-License-Identifier: Apache-2.0
// What goes into the TF buffer: names, histories and their limits.
#include "ros/tf_buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ros/ros__tf_buffer.h"

// ---- life ----

struct tn_tf_buffer_options tn_tf_buffer_options_default(void)
{
    return (struct tn_tf_buffer_options){.cache_ns = 10 * TN_NS_PER_S,
                                         .unused_ns = 60 * TN_NS_PER_S,
                                         .max_frames = 1024,
                                         .max_entries = 65536,
                                         .max_frame_entries = 10240};
}

static bool are_valid(const struct tn_tf_buffer_options *o)
{
    return o->cache_ns > 0 && o->unused_ns > 0 && o->max_frames >= 2 &&
           o->max_frames <= TN_TF_FRAMES_LIMIT && o->max_entries >= 2 &&
           o->max_entries <= TN_TF_ENTRIES_LIMIT && o->max_frame_entries >= 2 &&
           o->max_frame_entries <= o->max_entries;
}

enum tn_result tn_tf_buffer_create(const struct tn_tf_buffer_options *options,
                                   struct tn_tf_buffer **out_buffer, struct tn_error *err)
{
    if (!are_valid(options))
        return tn_error_set(err, TN_ERR_RANGE,
                            "tf buffer: a limit is out of range (frames %u, transforms %u, per "
                            "frame %u); see tf_buffer.h",
                            options->max_frames, options->max_entries, options->max_frame_entries);
    struct tn_tf_buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for a tf buffer");
    buffer->options = *options;
    buffer->free_entry = TN_TF__NONE;
    buffer->n_buckets = 4;
    while (buffer->n_buckets < 2 * options->max_frames)
        buffer->n_buckets *= 2;
    buffer->frames = calloc(options->max_frames, sizeof *buffer->frames);
    buffer->entries = calloc(options->max_entries, sizeof *buffer->entries);
    buffer->buckets = calloc(buffer->n_buckets, sizeof *buffer->buckets);
    buffer->trails = calloc(options->max_frames, sizeof *buffer->trails);
    buffer->n_walks = calloc(1, sizeof *buffer->n_walks);
    if (buffer->frames == NULL || buffer->entries == NULL || buffer->buckets == NULL ||
        buffer->trails == NULL || buffer->n_walks == NULL) {
        tn_tf_buffer_destroy(&buffer);
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for a tf buffer of %u frames",
                            options->max_frames);
    }
    for (uint32_t i = 0; i < buffer->n_buckets; i++)
        buffer->buckets[i] = TN_TF__NONE;
    *out_buffer = buffer;
    return TN_OK;
}

void tn_tf_buffer_destroy(struct tn_tf_buffer **buffer)
{
    struct tn_tf_buffer *b = *buffer;
    *buffer = NULL;
    if (b == NULL)
        return;
    free(b->n_walks);
    free(b->trails);
    free(b->buckets);
    free(b->entries);
    free(b->frames);
    free(b);
}

const struct tn_tf_buffer_counters *tn_tf_buffer_counters(const struct tn_tf_buffer *buffer)
{
    return &buffer->counters;
}

// ---- names ----

/// FNV-1a.
static uint32_t hash_name(const char *name, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    return hash;
}

static uint32_t *bucket(const struct tn_tf_buffer *buffer, uint32_t hash)
{
    return &buffer->buckets[hash & (buffer->n_buckets - 1)];
}

uint32_t tn_tf__find(const struct tn_tf_buffer *buffer, const char *name, size_t size)
{
    uint32_t hash = hash_name(name, size);
    uint32_t i = *bucket(buffer, hash);
    while (i != TN_TF__NONE) {
        const struct tn_tf__frame *frame = &buffer->frames[i];
        if (frame->hash == hash && strncmp(frame->name, name, size) == 0 &&
            frame->name[size] == '\0')
            return i;
        i = frame->next;
    }
    return TN_TF__NONE;
}

/// Makes a frame in a free place.
static void name_frame(struct tn_tf_buffer *buffer, uint32_t index, const char *name, size_t size)
{
    struct tn_tf__frame *frame = &buffer->frames[index];
    memset(frame, 0, sizeof *frame);
    memcpy(frame->name, name, size);
    frame->hash = hash_name(name, size);
    frame->newest = frame->oldest = TN_TF__NONE;
    uint32_t *head = bucket(buffer, frame->hash);
    frame->next = *head;
    *head = index;
    buffer->n_frames++;
}

static void unname_frame(struct tn_tf_buffer *buffer, uint32_t index)
{
    struct tn_tf__frame *frame = &buffer->frames[index];
    uint32_t *link = bucket(buffer, frame->hash);
    while (*link != index)
        link = &buffer->frames[*link].next;
    *link = frame->next;
    frame->name[0] = '\0';
    buffer->n_frames--;
}

// ---- histories ----

static void release_entry(struct tn_tf_buffer *buffer, struct tn_tf__frame *frame, uint32_t index)
{
    struct tn_tf__entry *entry = &buffer->entries[index];
    buffer->frames[entry->parent].n_children--;
    if (entry->newer != TN_TF__NONE)
        buffer->entries[entry->newer].older = entry->older;
    else
        frame->newest = entry->older;
    if (entry->older != TN_TF__NONE)
        buffer->entries[entry->older].newer = entry->newer;
    else
        frame->oldest = entry->newer;
    frame->n_entries--;
    entry->older = buffer->free_entry;
    buffer->free_entry = index;
}

static void forget_history(struct tn_tf_buffer *buffer, struct tn_tf__frame *frame)
{
    while (frame->oldest != TN_TF__NONE)
        release_entry(buffer, frame, frame->oldest);
}

static void forget_fixed(struct tn_tf_buffer *buffer, struct tn_tf__frame *frame)
{
    if (frame->is_static)
        buffer->frames[frame->fixed_parent].n_children--;
    frame->is_static = false;
}

/// All entries are in use: the longest history gives up its oldest, so that a frame that floods
/// pays itself.
static void shorten_the_longest(struct tn_tf_buffer *buffer)
{
    struct tn_tf__frame *longest = &buffer->frames[0];
    for (uint32_t i = 1; i < buffer->options.max_frames; i++)
        if (buffer->frames[i].n_entries > longest->n_entries)
            longest = &buffer->frames[i];
    release_entry(buffer, longest, longest->oldest);
    buffer->counters.shortened++;
}

static uint32_t take_entry(struct tn_tf_buffer *buffer)
{
    if (buffer->free_entry == TN_TF__NONE && buffer->n_touched < buffer->options.max_entries)
        return buffer->n_touched++;
    if (buffer->free_entry == TN_TF__NONE)
        shorten_the_longest(buffer);
    uint32_t index = buffer->free_entry;
    buffer->free_entry = buffer->entries[index].older;
    return index;
}

/// Links an entry behind `newer` (TN_TF__NONE: as the newest).
static void link_entry(struct tn_tf_buffer *buffer, struct tn_tf__frame *frame, uint32_t index,
                       uint32_t newer)
{
    struct tn_tf__entry *entry = &buffer->entries[index];
    entry->newer = newer;
    entry->older = newer == TN_TF__NONE ? frame->newest : buffer->entries[newer].older;
    if (newer == TN_TF__NONE)
        frame->newest = index;
    else
        buffer->entries[newer].older = index;
    if (entry->older == TN_TF__NONE)
        frame->oldest = index;
    else
        buffer->entries[entry->older].newer = index;
    frame->n_entries++;
    buffer->frames[entry->parent].n_children++;
}

static void prune(struct tn_tf_buffer *buffer, struct tn_tf__frame *frame)
{
    int64_t limit_ns = tn_ns_sub(buffer->entries[frame->newest].stamp_ns, buffer->options.cache_ns);
    while (buffer->entries[frame->oldest].stamp_ns < limit_ns ||
           frame->n_entries > buffer->options.max_frame_entries)
        release_entry(buffer, frame, frame->oldest);
}

// ---- room for frames ----

static bool is_unused(const struct tn_tf_buffer *buffer, const struct tn_tf__frame *frame,
                      int64_t now_steady_ns)
{
    return frame->n_children == 0 &&
           tn_ns_sub(now_steady_ns, frame->used_steady_ns) > buffer->options.unused_ns;
}

/// @param keep   not to be reclaimed
static uint32_t free_place(struct tn_tf_buffer *buffer, uint32_t keep, int64_t now_steady_ns)
{
    bool is_full = buffer->n_frames == buffer->options.max_frames;
    for (uint32_t i = 0; i < buffer->options.max_frames; i++) {
        struct tn_tf__frame *frame = &buffer->frames[i];
        if (frame->name[0] == '\0')
            return i;
        if (is_full && i != keep && is_unused(buffer, frame, now_steady_ns)) {
            forget_history(buffer, frame);
            forget_fixed(buffer, frame);
            unname_frame(buffer, i);
            buffer->counters.reclaimed++;
            return i;
        }
    }
    return TN_TF__NONE;
}

static uint32_t intern(struct tn_tf_buffer *buffer, const char *name, size_t size, uint32_t keep,
                       int64_t now_steady_ns)
{
    uint32_t index = tn_tf__find(buffer, name, size);
    if (index == TN_TF__NONE) {
        index = free_place(buffer, keep, now_steady_ns);
        if (index != TN_TF__NONE)
            name_frame(buffer, index, name, size);
    }
    if (index != TN_TF__NONE)
        buffer->frames[index].used_steady_ns = now_steady_ns;
    return index;
}

// ---- checks ----

static enum tn_result count(uint64_t *counter, enum tn_result result)
{
    (*counter)++;
    return result;
}

/// tf2 strips one slash, for users of tf.
static void strip_slash(const char **name, uint32_t *size)
{
    if (*size > 0 && **name == '/') {
        (*name)++;
        (*size)--;
    }
}

static enum tn_result check_names(struct tn_tf_buffer *buffer, const struct tn_tf_input *input)
{
    struct tn_tf_buffer_counters *counters = &buffer->counters;
    if (input->parent_size == 0 || input->child_size == 0)
        return count(&counters->no_name, TN_ERR_INVALID_ARGUMENT);
    if (input->parent_size >= TN_TF_NAME_MAX || input->child_size >= TN_TF_NAME_MAX)
        return count(&counters->bad_name, TN_ERR_LIMIT);
    if (memchr(input->parent, '\0', input->parent_size) != NULL ||
        memchr(input->child, '\0', input->child_size) != NULL)
        return count(&counters->bad_name, TN_ERR_MALFORMED);
    if (input->parent_size == input->child_size &&
        memcmp(input->parent, input->child, input->child_size) == 0)
        return count(&counters->self, TN_ERR_INVALID_ARGUMENT);
    return TN_OK;
}

static enum tn_result check_values(struct tn_tf_buffer *buffer, struct tn_tf_input *input)
{
    struct tn_tf_buffer_counters *counters = &buffer->counters;
    struct tn_quat q = input->T_parent_child.q;
    if (!tn_pose_is_finite(input->T_parent_child))
        return count(&counters->not_finite, TN_ERR_NOT_FINITE);
    if (!(fabs(tn_quat_dot(q, q) - 1.0) < TN_TF_QUATERNION_TOLERANCE))
        return count(&counters->bad_quaternion, TN_ERR_RANGE);
    if (!input->is_static && input->stamp_ns < 0)
        return count(&counters->bad_stamp, TN_ERR_RANGE);
    input->T_parent_child.q = tn_quat_normalized(q);
    return TN_OK;
}

/// Whether the history goes less far back than this stamp.
static bool is_old(const struct tn_tf_buffer *buffer, const struct tn_tf__frame *frame,
                   int64_t stamp_ns)
{
    return frame->newest != TN_TF__NONE &&
           stamp_ns < tn_ns_sub(buffer->entries[frame->newest].stamp_ns, buffer->options.cache_ns);
}

// ---- insertion ----

static void insert_fixed(struct tn_tf_buffer *buffer, struct tn_tf__frame *frame, uint32_t parent,
                         const struct tn_tf_input *input)
{
    forget_history(buffer, frame);
    forget_fixed(buffer, frame);
    frame->is_static = true;
    frame->fixed_parent = parent;
    frame->fixed = input->T_parent_child;
    buffer->frames[parent].n_children++;
}

/// Bit for bit; a value that compares unequal to itself does not come this far.
static bool is_same(const struct tn_tf__entry *entry, uint32_t parent, const struct tn_pose *T)
{
    return entry->parent == parent && memcmp(&entry->T_parent_child, T, sizeof *T) == 0;
}

/// Another transform stands at this stamp.
static void replace(struct tn_tf_buffer *buffer, struct tn_tf__entry *entry, uint32_t parent,
                    const struct tn_pose *T)
{
    if (is_same(entry, parent, T)) {
        buffer->counters.repeated++;
        return;
    }
    buffer->counters.replaced++;
    buffer->frames[parent].n_children++;
    buffer->frames[entry->parent].n_children--;
    entry->parent = parent;
    entry->T_parent_child = *T;
}

static void insert_moving(struct tn_tf_buffer *buffer, struct tn_tf__frame *frame, uint32_t parent,
                          const struct tn_tf_input *input)
{
    forget_fixed(buffer, frame);
    uint32_t newest_before = frame->newest;
    if (newest_before != TN_TF__NONE) {
        const struct tn_tf__entry *newest = &buffer->entries[newest_before];
        buffer->counters.reordered += input->stamp_ns < newest->stamp_ns;
        buffer->counters.reparented +=
            input->stamp_ns > newest->stamp_ns && parent != newest->parent;
    }

    // first the place, since making it may shorten this very history
    uint32_t index = take_entry(buffer);
    uint32_t newer = TN_TF__NONE, older = frame->newest;
    while (older != TN_TF__NONE && buffer->entries[older].stamp_ns > input->stamp_ns) {
        newer = older;
        older = buffer->entries[older].older;
    }
    struct tn_tf__entry *entry = &buffer->entries[index];
    if (older != TN_TF__NONE && buffer->entries[older].stamp_ns == input->stamp_ns) {
        entry->older = buffer->free_entry;
        buffer->free_entry = index;
        replace(buffer, &buffer->entries[older], parent, &input->T_parent_child);
        return;
    }
    entry->stamp_ns = input->stamp_ns;
    entry->T_parent_child = input->T_parent_child;
    entry->parent = parent;
    link_entry(buffer, frame, index, newer);
    prune(buffer, frame);
}

static enum tn_result insert_checked(struct tn_tf_buffer *buffer, const struct tn_tf_input *input)
{
    int64_t now = input->now_steady_ns;
    uint32_t child = tn_tf__find(buffer, input->child, input->child_size);
    bool is_new = child == TN_TF__NONE, has_restarted = false;
    if (!is_new && !input->is_static && is_old(buffer, &buffer->frames[child], input->stamp_ns)) {
        struct tn_tf__frame *frame = &buffer->frames[child];
        if (tn_ns_sub(now, frame->accepted_steady_ns) <= buffer->options.cache_ns)
            return count(&buffer->counters.old_data, TN_ERR_STALE);
        has_restarted = true;
    }
    if (is_new)
        child = intern(buffer, input->child, input->child_size, TN_TF__NONE, now);
    if (child == TN_TF__NONE)
        return count(&buffer->counters.no_room, TN_ERR_NO_MEMORY);
    uint32_t parent = intern(buffer, input->parent, input->parent_size, child, now);
    if (parent == TN_TF__NONE) {
        if (is_new)
            unname_frame(buffer, child);
        return count(&buffer->counters.no_room, TN_ERR_NO_MEMORY);
    }

    struct tn_tf__frame *frame = &buffer->frames[child];
    if (has_restarted) {
        forget_history(buffer, frame);
        buffer->counters.restarted++;
    }
    if (input->is_static)
        insert_fixed(buffer, frame, parent, input);
    else
        insert_moving(buffer, frame, parent, input);
    buffer->counters.changed_authority +=
        frame->is_child &&
        memcmp(&frame->authority, &input->authority, sizeof frame->authority) != 0;
    frame->is_child = true;
    frame->authority = input->authority;
    frame->used_steady_ns = frame->accepted_steady_ns = now;
    return count(&buffer->counters.accepted, TN_OK);
}

enum tn_result tn_tf_buffer_insert(struct tn_tf_buffer *buffer, const struct tn_tf_input *input)
{
    struct tn_tf_input checked = *input;
    strip_slash(&checked.parent, &checked.parent_size);
    strip_slash(&checked.child, &checked.child_size);
    enum tn_result result = check_names(buffer, &checked);
    if (result == TN_OK)
        result = check_values(buffer, &checked);
    return result == TN_OK ? insert_checked(buffer, &checked) : result;
}

void tn_tf_buffer_clear(struct tn_tf_buffer *buffer)
{
    for (uint32_t i = 0; i < buffer->options.max_frames; i++)
        if (buffer->frames[i].name[0] != '\0')
            forget_history(buffer, &buffer->frames[i]);
}

// ---- what is there ----

enum tn_result tn_tf_buffer_frame(const struct tn_tf_buffer *buffer, uint32_t index,
                                  struct tn_tf_frame_info *out_info)
{
    uint32_t i = 0;
    for (; i < buffer->options.max_frames; i++)
        if (buffer->frames[i].name[0] != '\0' && index-- == 0)
            break;
    if (i == buffer->options.max_frames)
        return TN_ERR_NOT_FOUND;
    const struct tn_tf__frame *frame = &buffer->frames[i];
    *out_info = (struct tn_tf_frame_info){.name = frame->name,
                                          .parent = "",
                                          .is_static = frame->is_static,
                                          .n_entries = frame->is_static ? 1 : frame->n_entries,
                                          .authority = frame->authority};
    if (frame->is_static) {
        out_info->parent = buffer->frames[frame->fixed_parent].name;
    } else if (frame->newest != TN_TF__NONE) {
        out_info->parent = buffer->frames[buffer->entries[frame->newest].parent].name;
        out_info->oldest_ns = buffer->entries[frame->oldest].stamp_ns;
        out_info->newest_ns = buffer->entries[frame->newest].stamp_ns;
    }
    return TN_OK;
}
