// SPDX-License-Identifier: Apache-2.0
// What comes out of the TF buffer: the way through the tree, and why there is none.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "ros/ros__tf_buffer.h"

/// Why a step to the parent is not possible.
enum stop {
    STOP_NONE,
    STOP_ROOT,    ///< nobody's child
    STOP_NO_DATA, ///< cleared
    STOP_PAST,    ///< the time is older than what is held
    STOP_FUTURE,  ///< newer
    STOP_LOOP
};

/// Where a walk ended.
struct ending {
    enum stop stop;
    uint32_t frame;
};

struct step {
    struct tn_pose T_parent_frame;
    uint32_t parent;
};

// ---- one step ----

static enum stop step_without_history(const struct tn_tf__frame *frame)
{
    return frame->is_child ? STOP_NO_DATA : STOP_ROOT;
}

/// The step from a frame to its parent at a time.
static enum stop take_step(const struct tn_tf_buffer *buffer, uint32_t index, int64_t time_ns,
                           struct step *out)
{
    const struct tn_tf__frame *frame = &buffer->frames[index];
    if (frame->is_static) {
        *out = (struct step){frame->fixed, frame->fixed_parent};
        return STOP_NONE;
    }
    if (frame->newest == TN_TF__NONE)
        return step_without_history(frame);
    const struct tn_tf__entry *entries = buffer->entries;
    if (time_ns > entries[frame->newest].stamp_ns)
        return STOP_FUTURE;
    if (time_ns < entries[frame->oldest].stamp_ns)
        return STOP_PAST;

    uint32_t i = frame->newest;
    while (entries[i].stamp_ns > time_ns)
        i = entries[i].older;
    const struct tn_tf__entry *one = &entries[i];
    *out = (struct step){one->T_parent_child, one->parent};
    // between two parents the old one holds until the new one begins
    if (one->stamp_ns < time_ns && entries[one->newer].parent == one->parent) {
        const struct tn_tf__entry *two = &entries[one->newer];
        double share = (double)(time_ns - one->stamp_ns) / (double)(two->stamp_ns - one->stamp_ns);
        out->T_parent_frame = tn_pose_interpolate(one->T_parent_child, two->T_parent_child, share);
    }
    return STOP_NONE;
}

/// The newest step from a frame to its parent.
/// @param out_stamp_ns   INT64_MAX for a static one
static enum stop newest_step(const struct tn_tf_buffer *buffer, uint32_t index,
                             uint32_t *out_parent, int64_t *out_stamp_ns)
{
    const struct tn_tf__frame *frame = &buffer->frames[index];
    *out_parent = frame->fixed_parent;
    *out_stamp_ns = INT64_MAX;
    if (frame->is_static)
        return STOP_NONE;
    if (frame->newest == TN_TF__NONE)
        return step_without_history(frame);
    *out_parent = buffer->entries[frame->newest].parent;
    *out_stamp_ns = buffer->entries[frame->newest].stamp_ns;
    return STOP_NONE;
}

// ---- walks ----

static bool was_here(const struct tn_tf_buffer *buffer, uint32_t frame)
{
    return buffer->trails[frame].walk == *buffer->n_walks;
}

/// From the source up to the top, or to the target; leaves at each frame the newest time known on
/// the way to it.
static struct ending mark_newest(const struct tn_tf_buffer *buffer, uint32_t source,
                                 uint32_t target)
{
    uint32_t frame = source;
    int64_t newest_ns = INT64_MAX;
    (*buffer->n_walks)++;
    for (;;) {
        uint32_t parent = 0;
        int64_t stamp_ns = 0;
        if (was_here(buffer, frame))
            return (struct ending){STOP_LOOP, frame};
        buffer->trails[frame].walk = *buffer->n_walks;
        buffer->trails[frame].newest_ns = newest_ns;
        if (frame == target)
            return (struct ending){STOP_NONE, frame};
        enum stop stop = newest_step(buffer, frame, &parent, &stamp_ns);
        if (stop != STOP_NONE)
            return (struct ending){stop, frame};
        newest_ns = stamp_ns < newest_ns ? stamp_ns : newest_ns;
        frame = parent;
    }
}

/// From the target up until the source's trail is met.
static struct ending meet_newest(const struct tn_tf_buffer *buffer, uint32_t target,
                                 int64_t *out_time_ns)
{
    uint32_t frame = target;
    int64_t newest_ns = INT64_MAX;
    for (uint32_t n = 0; n <= buffer->options.max_frames; n++) {
        uint32_t parent = 0;
        int64_t stamp_ns = 0;
        if (was_here(buffer, frame)) {
            int64_t other_ns = buffer->trails[frame].newest_ns;
            newest_ns = other_ns < newest_ns ? other_ns : newest_ns;
            // static frames alone: any time will do
            *out_time_ns = newest_ns == INT64_MAX ? 0 : newest_ns;
            return (struct ending){STOP_NONE, frame};
        }
        enum stop stop = newest_step(buffer, frame, &parent, &stamp_ns);
        if (stop != STOP_NONE)
            return (struct ending){stop, frame};
        newest_ns = stamp_ns < newest_ns ? stamp_ns : newest_ns;
        frame = parent;
    }
    return (struct ending){STOP_LOOP, frame};
}

static struct ending mark_poses(const struct tn_tf_buffer *buffer, uint32_t source, uint32_t target,
                                int64_t time_ns)
{
    uint32_t frame = source;
    struct tn_pose T_frame_source = tn_pose_identity();
    (*buffer->n_walks)++;
    for (;;) {
        struct step step;
        if (was_here(buffer, frame))
            return (struct ending){STOP_LOOP, frame};
        buffer->trails[frame].walk = *buffer->n_walks;
        buffer->trails[frame].T_frame_source = T_frame_source;
        if (frame == target)
            return (struct ending){STOP_NONE, frame};
        enum stop stop = take_step(buffer, frame, time_ns, &step);
        if (stop != STOP_NONE)
            return (struct ending){stop, frame};
        T_frame_source = tn_pose_compose(step.T_parent_frame, T_frame_source);
        frame = step.parent;
    }
}

static struct ending meet_poses(const struct tn_tf_buffer *buffer, uint32_t target, int64_t time_ns,
                                struct tn_pose *out_T_target_source)
{
    uint32_t frame = target;
    struct tn_pose T_frame_target = tn_pose_identity();
    for (uint32_t n = 0; n <= buffer->options.max_frames; n++) {
        struct step step;
        if (was_here(buffer, frame)) {
            *out_T_target_source = tn_pose_compose(tn_pose_inverse(T_frame_target),
                                                   buffer->trails[frame].T_frame_source);
            return (struct ending){STOP_NONE, frame};
        }
        enum stop stop = take_step(buffer, frame, time_ns, &step);
        if (stop != STOP_NONE)
            return (struct ending){stop, frame};
        T_frame_target = tn_pose_compose(step.T_parent_frame, T_frame_target);
        frame = step.parent;
    }
    return (struct ending){STOP_LOOP, frame};
}

// ---- what to say ----

static const char *name_of(const struct tn_tf_buffer *buffer, uint32_t frame)
{
    return buffer->frames[frame].name;
}

/// Room for "-9223372036.854775808".
#define TIME_TEXT_MAX 32

static const char *time_text(int64_t ns, char out[TIME_TEXT_MAX])
{
    uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    (void)snprintf(out, TIME_TEXT_MAX, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "",
                   size / 1000000000u, size % 1000000000u);
    return out;
}

static enum tn_result say_extrapolation(const struct tn_tf_buffer *buffer, struct ending ending,
                                        int64_t time_ns, struct tn_error *err)
{
    const struct tn_tf__frame *frame = &buffer->frames[ending.frame];
    const struct tn_tf__entry *newest = &buffer->entries[frame->newest];
    const struct tn_tf__entry *oldest = &buffer->entries[frame->oldest];
    bool is_future = ending.stop == STOP_FUTURE;
    const struct tn_tf__entry *nearest = is_future ? newest : oldest;
    char asked[TIME_TEXT_MAX], from[TIME_TEXT_MAX], to[TIME_TEXT_MAX], off[TIME_TEXT_MAX];
    int64_t off_ns = is_future ? time_ns - nearest->stamp_ns : nearest->stamp_ns - time_ns;
    return tn_error_set(err, is_future ? TN_ERR_AGAIN : TN_ERR_STALE,
                        "frame \"%.40s\" in \"%.40s\": time %s is %s s %s what is held (%s to %s)",
                        frame->name, name_of(buffer, nearest->parent), time_text(time_ns, asked),
                        time_text(off_ns, off), is_future ? "in the future of" : "in the past of",
                        time_text(oldest->stamp_ns, from), time_text(newest->stamp_ns, to));
}

static enum tn_result say(const struct tn_tf_buffer *buffer, struct ending of_source,
                          struct ending of_target, int64_t time_ns, struct tn_error *err)
{
    // as in tf2: what stopped the walk from the target comes first; a root is where it ought to end
    struct ending ending = of_target.stop == STOP_ROOT ? of_source : of_target;
    switch (ending.stop) {
    case STOP_PAST:
    case STOP_FUTURE:
        return say_extrapolation(buffer, ending, time_ns, err);
    case STOP_NO_DATA:
        return tn_error_set(err, TN_ERR_AGAIN,
                            "frame \"%.80s\" has no data since the buffer was cleared",
                            name_of(buffer, ending.frame));
    case STOP_LOOP:
        return tn_error_set(err, TN_ERR_MALFORMED,
                            "the tf tree has a loop through frame \"%.80s\"; two nodes publish "
                            "opposite parents",
                            name_of(buffer, ending.frame));
    case STOP_ROOT:
    case STOP_NONE:
        break;
    }
    return tn_error_set(err, TN_ERR_STATE,
                        "not part of the same tree: the roots are \"%.80s\" and \"%.80s\"",
                        name_of(buffer, of_target.frame), name_of(buffer, of_source.frame));
}

// ---- unknown names ----

/// Longest name that is compared with others.
#define COMPARED_MAX 63u

static uint32_t least(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/// Levenshtein distance.
static uint32_t distance(const char *a, const char *b)
{
    uint32_t row[COMPARED_MAX + 1];
    size_t n = strlen(b);
    for (uint32_t j = 0; j <= n; j++)
        row[j] = j;
    for (uint32_t i = 1; a[i - 1] != '\0'; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= n; j++) {
            uint32_t changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(changed, row[j] + 1, row[j - 1] + 1);
        }
    }
    return row[n];
}

/// @return the known name most like it, or NULL when none is half the same.
static const char *nearest_name(const struct tn_tf_buffer *buffer, const char *name)
{
    size_t size = strlen(name);
    const char *nearest = NULL;
    uint32_t best = (uint32_t)(size / 2 + 1);
    for (uint32_t i = 0; size <= COMPARED_MAX && i < buffer->options.max_frames; i++) {
        const char *known = buffer->frames[i].name;
        size_t known_size = strlen(known);
        size_t difference = known_size > size ? known_size - size : size - known_size;
        // the difference in length is the least that the distance can be
        if (known_size == 0 || known_size > COMPARED_MAX || difference >= best)
            continue;
        uint32_t d = distance(name, known);
        if (d < best) {
            best = d;
            nearest = known;
        }
    }
    return nearest;
}

static enum tn_result find_frame(const struct tn_tf_buffer *buffer, const char *what,
                                 const char *name, uint32_t *out_frame, struct tn_error *err)
{
    if (name[0] == '\0')
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "the %s frame's name is empty", what);
    if (name[0] == '/')
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "%s frame \"%.80s\" begins with '/'; frame names have none", what,
                            name);
    *out_frame = tn_tf__find(buffer, name, strlen(name));
    if (*out_frame != TN_TF__NONE)
        return TN_OK;
    if (err == NULL)
        return TN_ERR_NOT_FOUND;
    const char *nearest = nearest_name(buffer, name);
    return tn_error_set(err, TN_ERR_NOT_FOUND, "%s frame \"%.80s\" does not exist%s%.80s%s", what,
                        name, nearest != NULL ? "; the nearest name is \"" : "",
                        nearest != NULL ? nearest : "", nearest != NULL ? "\"" : "");
}

// ---- lookups ----

static enum tn_result newest_common(const struct tn_tf_buffer *buffer, uint32_t target,
                                    uint32_t source, int64_t *out_time_ns, struct tn_error *err)
{
    struct ending of_source = mark_newest(buffer, source, target);
    if (of_source.stop == STOP_LOOP)
        return say(buffer, of_source, of_source, 0, err);
    struct ending of_target = meet_newest(buffer, target, out_time_ns);
    return of_target.stop == STOP_NONE ? TN_OK : say(buffer, of_source, of_target, 0, err);
}

static enum tn_result look_up(const struct tn_tf_buffer *buffer, uint32_t target, uint32_t source,
                              int64_t time_ns, struct tn_tf_result *out_result,
                              struct tn_error *err)
{
    struct tn_pose T = tn_pose_identity();
    int64_t time = time_ns;
    if (time == 0) {
        enum tn_result result = newest_common(buffer, target, source, &time, err);
        if (result != TN_OK)
            return result;
    }
    struct ending of_source = mark_poses(buffer, source, target, time);
    if (of_source.stop == STOP_LOOP)
        return say(buffer, of_source, of_source, time, err);
    struct ending of_target = meet_poses(buffer, target, time, &T);
    if (of_target.stop != STOP_NONE)
        return say(buffer, of_source, of_target, time, err);
    if (!tn_pose_is_finite(T))
        return tn_error_set(err, TN_ERR_NOT_FINITE,
                            "\"%.80s\" in \"%.80s\" is too far away to be computed",
                            name_of(buffer, source), name_of(buffer, target));
    *out_result = (struct tn_tf_result){T, time};
    return TN_OK;
}

/// A frame in itself; its newest time when that is asked for.
static void identity(const struct tn_tf_buffer *buffer, const char *name, int64_t time_ns,
                     struct tn_tf_result *out_result)
{
    uint32_t i = tn_tf__find(buffer, name, strlen(name));
    int64_t stamp_ns = time_ns;
    if (time_ns == 0 && i != TN_TF__NONE && buffer->frames[i].newest != TN_TF__NONE)
        stamp_ns = buffer->entries[buffer->frames[i].newest].stamp_ns;
    *out_result = (struct tn_tf_result){tn_pose_identity(), stamp_ns};
}

static enum tn_result check_time(int64_t time_ns, struct tn_error *err)
{
    if (time_ns >= 0)
        return TN_OK;
    return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                        "time %" PRIi64 " ns is before the epoch; 0 asks for the newest", time_ns);
}

enum tn_result tn_tf_buffer_lookup(const struct tn_tf_buffer *buffer, const char *target,
                                   const char *source, int64_t time_ns,
                                   struct tn_tf_result *out_result, struct tn_error *err)
{
    uint32_t target_frame = 0, source_frame = 0;
    enum tn_result result = check_time(time_ns, err);
    if (result == TN_OK && strcmp(target, source) == 0) {
        identity(buffer, target, time_ns, out_result);
        return TN_OK;
    }
    if (result == TN_OK)
        result = find_frame(buffer, "target", target, &target_frame, err);
    if (result == TN_OK)
        result = find_frame(buffer, "source", source, &source_frame, err);
    if (result == TN_OK)
        result = look_up(buffer, target_frame, source_frame, time_ns, out_result, err);
    return result;
}

enum tn_result tn_tf_buffer_lookup_travel(const struct tn_tf_buffer *buffer,
                                          const struct tn_tf_travel *travel,
                                          struct tn_tf_result *out_result, struct tn_error *err)
{
    uint32_t frame = 0;
    struct tn_tf_result fixed_source, target_fixed;
    enum tn_result result = find_frame(buffer, "target", travel->target, &frame, err);
    if (result == TN_OK)
        result = find_frame(buffer, "source", travel->source, &frame, err);
    if (result == TN_OK)
        result = find_frame(buffer, "fixed", travel->fixed, &frame, err);
    if (result == TN_OK)
        result = tn_tf_buffer_lookup(buffer, travel->fixed, travel->source, travel->source_time_ns,
                                     &fixed_source, err);
    if (result == TN_OK)
        result = tn_tf_buffer_lookup(buffer, travel->target, travel->fixed, travel->target_time_ns,
                                     &target_fixed, err);
    if (result != TN_OK)
        return result;
    struct tn_pose T = tn_pose_compose(target_fixed.T_target_source, fixed_source.T_target_source);
    if (!tn_pose_is_finite(T))
        return tn_error_set(err, TN_ERR_NOT_FINITE,
                            "\"%.80s\" in \"%.80s\" is too far away to be computed", travel->source,
                            travel->target);
    *out_result = (struct tn_tf_result){T, target_fixed.stamp_ns};
    return TN_OK;
}

bool tn_tf_buffer_can_transform(const struct tn_tf_buffer *buffer, const char *target,
                                const char *source, int64_t time_ns)
{
    struct tn_tf_result result;
    return tn_tf_buffer_lookup(buffer, target, source, time_ns, &result, NULL) == TN_OK;
}
