// SPDX-License-Identifier: Apache-2.0
// The TF buffer, each rule by itself.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "ros/tf_buffer.h"

#define S TN_NS_PER_S

struct rig {
    struct tn_tf_buffer *buffer;
    int64_t now_ns;
};

static void open_with(struct rig *rig, const struct tn_tf_buffer_options *options)
{
    struct tn_error err = {0};
    rig->now_ns = 1000 * S;
    if (tn_tf_buffer_create(options, &rig->buffer, &err) != TN_OK)
        fail_msg("%s", err.text);
}

static void open_rig(struct rig *rig)
{
    struct tn_tf_buffer_options options = tn_tf_buffer_options_default();
    open_with(rig, &options);
}

static void close_rig(struct rig *rig)
{
    tn_tf_buffer_destroy(&rig->buffer);
    assert_null(rig->buffer);
}

static struct tn_tf_input input(const char *parent, const char *child, int64_t stamp_ns, double x)
{
    return (struct tn_tf_input){.parent = parent,
                                .child = child,
                                .parent_size = (uint32_t)strlen(parent),
                                .child_size = (uint32_t)strlen(child),
                                .stamp_ns = stamp_ns,
                                .T_parent_child = {.p = {x, 0, 0}, .q = tn_quat_identity()}};
}

static enum tn_result put(struct rig *rig, const char *parent, const char *child, int64_t stamp_ns,
                          double x)
{
    struct tn_tf_input in = input(parent, child, stamp_ns, x);
    in.now_steady_ns = rig->now_ns;
    return tn_tf_buffer_insert(rig->buffer, &in);
}

static enum tn_result put_static(struct rig *rig, const char *parent, const char *child, double x)
{
    struct tn_tf_input in = input(parent, child, 77, x);
    in.now_steady_ns = rig->now_ns;
    in.is_static = true;
    return tn_tf_buffer_insert(rig->buffer, &in);
}

static enum tn_result get(struct rig *rig, const char *target, const char *source, int64_t time_ns,
                          struct tn_tf_result *out, struct tn_error *err)
{
    memset(err, 0, sizeof *err);
    enum tn_result result = tn_tf_buffer_lookup(rig->buffer, target, source, time_ns, out, err);
    assert_int_equal(tn_tf_buffer_can_transform(rig->buffer, target, source, time_ns),
                     result == TN_OK);
    assert_int_equal(result == TN_OK, err->text[0] == '\0');
    return result;
}

static double x_of(struct rig *rig, const char *target, const char *source, int64_t time_ns)
{
    struct tn_tf_result out;
    struct tn_error err;
    enum tn_result result = get(rig, target, source, time_ns, &out, &err);
    if (result != TN_OK)
        fail_msg("%s in %s: %s", source, target, err.text);
    if (time_ns != 0)
        assert_int_equal(out.stamp_ns, time_ns);
    return out.T_target_source.p.x;
}

static void is_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

static void refuses(struct rig *rig, const char *target, const char *source, int64_t time_ns,
                    enum tn_result expected, const char *text)
{
    struct tn_tf_result out;
    struct tn_error err;
    assert_int_equal(get(rig, target, source, time_ns, &out, &err), expected);
    if (strstr(err.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.text, text);
}

// ---- lookups ----

static void interpolates_between_neighbours_and_nowhere_else(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put(&rig, "map", "base", 10 * S, 1), TN_OK);
    // one transform holds at its own time only
    is_near(x_of(&rig, "map", "base", 10 * S), 1, 1e-12);
    refuses(&rig, "map", "base", 10 * S + 1, TN_ERR_AGAIN, "0.000000001 s in the future");
    refuses(&rig, "map", "base", 10 * S - 1, TN_ERR_STALE, "0.000000001 s in the past");
    assert_int_equal(put(&rig, "map", "base", 12 * S, 3), TN_OK);
    is_near(x_of(&rig, "map", "base", 10 * S), 1, 1e-12);
    is_near(x_of(&rig, "map", "base", 10 * S + 1), 1 + 1e-9, 1e-12);
    is_near(x_of(&rig, "map", "base", 11 * S), 2, 1e-12);
    is_near(x_of(&rig, "map", "base", 12 * S), 3, 1e-12);
    is_near(x_of(&rig, "base", "map", 11 * S), -2, 1e-12);
    is_near(x_of(&rig, "map", "base", 0), 3, 1e-12);
    refuses(
        &rig, "map", "base", 14 * S + 5, TN_ERR_AGAIN,
        "frame \"base\" in \"map\": time 14.000000005 is 2.000000005 s in the future of what is "
        "held (10.000000000 to 12.000000000)");
    refuses(&rig, "base", "map", 1, TN_ERR_STALE,
            "frame \"base\" in \"map\": time 0.000000001 is 9.999999999 s in the past of what is "
            "held (10.000000000 to 12.000000000)");
    close_rig(&rig);
}

static void turns_at_constant_speed_on_the_shorter_way(void **state)
{
    struct rig rig;
    struct tn_tf_result out;
    struct tn_error err;
    (void)state;
    open_rig(&rig);
    struct tn_vec3 z = {0, 0, 1};
    for (int sign = 0; sign < 2; sign++) {
        struct tn_tf_input a = input("a", "b", S, 0), b = input("a", "b", 2 * S, 0);
        b.T_parent_child.q = tn_quat_from_axis_angle(z, 1.2);
        // q and -q are one rotation: the way must not become the long one
        if (sign)
            b.T_parent_child.q =
                (struct tn_quat){0, 0, -b.T_parent_child.q.z, -b.T_parent_child.q.w};
        assert_int_equal(tn_tf_buffer_insert(rig.buffer, &a), TN_OK);
        assert_int_equal(tn_tf_buffer_insert(rig.buffer, &b), TN_OK);
        assert_int_equal(get(&rig, "a", "b", S + S / 4, &out, &err), TN_OK);
        assert_true(tn_quat_angle(out.T_target_source.q, tn_quat_from_axis_angle(z, 0.3)) < 1e-12);
    }
    close_rig(&rig);
}

static void static_frames_hold_at_all_times(void **state)
{
    struct rig rig;
    struct tn_tf_result out;
    struct tn_error err;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put_static(&rig, "base", "lidar", 0.5), TN_OK);
    assert_int_equal(put_static(&rig, "lidar", "lens", 0.25), TN_OK);
    is_near(x_of(&rig, "base", "lens", 1), 0.75, 1e-12);
    is_near(x_of(&rig, "lens", "base", INT64_MAX), -0.75, 1e-12);
    // nothing moves: the newest time is no time
    assert_int_equal(get(&rig, "base", "lens", 0, &out, &err), TN_OK);
    assert_int_equal(out.stamp_ns, 0);
    // in a way with one moving frame that one alone decides
    assert_int_equal(put(&rig, "map", "base", 5 * S, 2), TN_OK);
    assert_int_equal(get(&rig, "map", "lens", 0, &out, &err), TN_OK);
    assert_int_equal(out.stamp_ns, 5 * S);
    refuses(&rig, "map", "lens", 6 * S, TN_ERR_AGAIN, "frame \"base\" in \"map\"");
    // the last one counts
    assert_int_equal(put_static(&rig, "base", "lidar", 0.75), TN_OK);
    is_near(x_of(&rig, "base", "lens", 1), 1.0, 1e-12);
    close_rig(&rig);
}

static void newest_time_is_the_newest_that_all_have(void **state)
{
    struct rig rig;
    struct tn_tf_result out;
    struct tn_error err;
    (void)state;
    open_rig(&rig);
    for (int i = 0; i <= 10; i++) {
        assert_int_equal(put(&rig, "root", "a", (10 + i) * S, i), TN_OK);
        if (i <= 7)
            assert_int_equal(put(&rig, "a", "a1", (10 + i) * S, 2 * i), TN_OK);
        if (i <= 4)
            assert_int_equal(put(&rig, "root", "b", (10 + i) * S, 3 * i), TN_OK);
    }
    assert_int_equal(get(&rig, "b", "a1", 0, &out, &err), TN_OK);
    assert_int_equal(out.stamp_ns, 14 * S);
    is_near(out.T_target_source.p.x, 4 + 8 - 12, 1e-12);
    assert_int_equal(get(&rig, "a", "a1", 0, &out, &err), TN_OK);
    assert_int_equal(out.stamp_ns, 17 * S);
    assert_int_equal(get(&rig, "a1", "a", 0, &out, &err), TN_OK);
    assert_int_equal(out.stamp_ns, 17 * S);
    // a frame in itself
    assert_int_equal(get(&rig, "a", "a", 0, &out, &err), TN_OK);
    assert_int_equal(out.stamp_ns, 20 * S);
    assert_int_equal(get(&rig, "nobody", "nobody", 5, &out, &err), TN_OK);
    assert_int_equal(out.stamp_ns, 5);
    close_rig(&rig);
}

static void what_lies_above_the_meeting_point_does_not_matter(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    // "torso" has no data at 20 s, and both hands hang on it
    assert_int_equal(put(&rig, "map", "torso", 1 * S, 9), TN_OK);
    assert_int_equal(put(&rig, "torso", "left", 20 * S, 1), TN_OK);
    assert_int_equal(put(&rig, "torso", "right", 20 * S, 3), TN_OK);
    is_near(x_of(&rig, "left", "right", 20 * S), 2, 1e-12);
    is_near(x_of(&rig, "left", "right", 0), 2, 1e-12);
    is_near(x_of(&rig, "torso", "right", 20 * S), 3, 1e-12);
    refuses(&rig, "map", "right", 20 * S, TN_ERR_AGAIN, "frame \"torso\" in \"map\"");
    // a loop up there is found all the same: the way up from the source never ends
    assert_int_equal(put(&rig, "torso", "map", 20 * S, 0), TN_OK);
    assert_int_equal(put(&rig, "map", "torso", 20 * S, 0), TN_OK);
    refuses(&rig, "left", "right", 20 * S, TN_ERR_MALFORMED, "loop");
    close_rig(&rig);
}

static void separate_trees_name_their_roots(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put(&rig, "map", "base", S, 0), TN_OK);
    assert_int_equal(put(&rig, "world", "glove", S, 0), TN_OK);
    refuses(&rig, "base", "glove", S, TN_ERR_STATE, "not part of the same tree");
    refuses(&rig, "base", "glove", 0, TN_ERR_STATE, "\"map\" and \"world\"");
    refuses(&rig, "glove", "base", 0, TN_ERR_STATE, "\"world\" and \"map\"");
    close_rig(&rig);
}

static void unknown_names_get_a_proposal(void **state)
{
    struct rig rig;
    char longest[1000];
    (void)state;
    open_rig(&rig);
    assert_int_equal(put(&rig, "map", "base_link", S, 0), TN_OK);
    refuses(&rig, "map", "base_lnik", 0, TN_ERR_NOT_FOUND,
            "source frame \"base_lnik\" does not exist; the nearest name is \"base_link\"");
    refuses(&rig, "mep", "base_link", 0, TN_ERR_NOT_FOUND, "target frame \"mep\"");
    refuses(&rig, "completely_other", "map", 0, TN_ERR_NOT_FOUND, "does not exist");
    refuses(&rig, "", "map", 0, TN_ERR_INVALID_ARGUMENT, "empty");
    refuses(&rig, "/map", "base_link", 0, TN_ERR_INVALID_ARGUMENT, "begins with '/'");
    refuses(&rig, "map", "base_link", -1, TN_ERR_INVALID_ARGUMENT, "before the epoch");
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    refuses(&rig, longest, "map", 0, TN_ERR_NOT_FOUND, "does not exist");
    // what is a parent only is known as well
    refuses(&rig, "map", "base_link", 2 * S, TN_ERR_AGAIN, "base_link");
    close_rig(&rig);
}

static void loops_are_found(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put(&rig, "a", "b", S, 0), TN_OK);
    assert_int_equal(put(&rig, "b", "c", S, 0), TN_OK);
    assert_int_equal(put(&rig, "c", "a", S, 0), TN_OK);
    assert_int_equal(put(&rig, "x", "y", S, 0), TN_OK);
    refuses(&rig, "y", "b", S, TN_ERR_MALFORMED, "loop");
    refuses(&rig, "b", "y", S, TN_ERR_MALFORMED, "loop");
    refuses(&rig, "b", "y", 0, TN_ERR_MALFORMED, "loop");
    refuses(&rig, "y", "b", 0, TN_ERR_MALFORMED, "loop");
    // of static frames, too
    assert_int_equal(put_static(&rig, "p", "q", 0), TN_OK);
    assert_int_equal(put_static(&rig, "q", "p", 0), TN_OK);
    refuses(&rig, "q", "y", 0, TN_ERR_MALFORMED, "loop");
    // a loop of one time only: before it the tree was sound
    assert_int_equal(put(&rig, "m", "n", 5 * S, 1), TN_OK);
    assert_int_equal(put(&rig, "m", "n", 6 * S, 1), TN_OK);
    assert_int_equal(put(&rig, "k", "m", 5 * S, 1), TN_OK);
    assert_int_equal(put(&rig, "n", "m", 6 * S, 1), TN_OK);
    is_near(x_of(&rig, "k", "n", 5 * S), 2, 1e-12);
    refuses(&rig, "k", "n", 6 * S, TN_ERR_MALFORMED, "loop");
    close_rig(&rig);
}

static void a_new_parent_holds_from_its_first_transform_on(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put_static(&rig, "world", "table", 100), TN_OK);
    assert_int_equal(put_static(&rig, "world", "gripper", 200), TN_OK);
    assert_int_equal(put(&rig, "table", "cup", 10 * S, 1), TN_OK);
    assert_int_equal(put(&rig, "table", "cup", 11 * S, 2), TN_OK);
    assert_int_equal(put(&rig, "gripper", "cup", 12 * S, 5), TN_OK);
    assert_int_equal(put(&rig, "gripper", "cup", 13 * S, 7), TN_OK);
    assert_int_equal(tn_tf_buffer_counters(rig.buffer)->reparented, 1);
    is_near(x_of(&rig, "world", "cup", 10 * S + S / 2), 101.5, 1e-12);
    // no blend of two parents
    is_near(x_of(&rig, "world", "cup", 12 * S - 1), 102, 1e-12);
    is_near(x_of(&rig, "world", "cup", 12 * S), 205, 1e-12);
    is_near(x_of(&rig, "world", "cup", 12 * S + S / 2), 206, 1e-12);
    is_near(x_of(&rig, "world", "cup", 0), 207, 1e-12);
    close_rig(&rig);
}

static void looks_through_time(void **state)
{
    struct rig rig;
    struct tn_error err = {0};
    struct tn_tf_result out;
    (void)state;
    open_rig(&rig);
    for (int i = 0; i <= 5; i++) {
        assert_int_equal(put(&rig, "map", "boat", (10 + i) * S, 10 * i), TN_OK);
        assert_int_equal(put(&rig, "map", "fish", (10 + i) * S, i), TN_OK);
    }
    // where the fish of 11 s is, seen from the boat of 14 s, if the map stood still
    struct tn_tf_travel travel = {"boat", 14 * S, "fish", 11 * S, "map"};
    assert_int_equal(tn_tf_buffer_lookup_travel(rig.buffer, &travel, &out, &err), TN_OK);
    is_near(out.T_target_source.p.x, 1 - 40, 1e-12);
    assert_int_equal(out.stamp_ns, 14 * S);
    // against the boat itself nothing moves
    travel = (struct tn_tf_travel){"boat", 14 * S, "fish", 11 * S, "boat"};
    assert_int_equal(tn_tf_buffer_lookup_travel(rig.buffer, &travel, &out, &err), TN_OK);
    is_near(out.T_target_source.p.x, 1 - 10, 1e-12);
    travel = (struct tn_tf_travel){"boat", 0, "boat", 11 * S, "map"};
    assert_int_equal(tn_tf_buffer_lookup_travel(rig.buffer, &travel, &out, &err), TN_OK);
    is_near(out.T_target_source.p.x, 10 - 50, 1e-12);
    travel.source_time_ns = 9 * S;
    assert_int_equal(tn_tf_buffer_lookup_travel(rig.buffer, &travel, &out, &err), TN_ERR_STALE);
    travel = (struct tn_tf_travel){"boat", 0, "fish", 0, "mop"};
    assert_int_equal(tn_tf_buffer_lookup_travel(rig.buffer, &travel, &out, &err), TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "fixed frame \"mop\""));
    close_rig(&rig);
}

// ---- what goes in ----

static void takes_any_order(void **state)
{
    struct rig rig;
    static const int order[] = {5, 2, 9, 0, 7, 1, 8, 3, 6, 4};
    (void)state;
    open_rig(&rig);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(put(&rig, "a", "b", (100 + order[i]) * S, order[i]), TN_OK);
    for (int i = 0; i < 9; i++)
        is_near(x_of(&rig, "a", "b", (100 + i) * S + S / 2), i + 0.5, 1e-12);
    const struct tn_tf_buffer_counters *counters = tn_tf_buffer_counters(rig.buffer);
    assert_int_equal(counters->accepted, 10);
    assert_int_equal(counters->reordered, 8);
    close_rig(&rig);
}

static void an_equal_stamp_replaces(void **state)
{
    struct rig rig;
    struct tn_tf_frame_info info;
    (void)state;
    open_rig(&rig);
    const struct tn_tf_buffer_counters *counters = tn_tf_buffer_counters(rig.buffer);
    assert_int_equal(put(&rig, "a", "b", 10 * S, 1), TN_OK);
    assert_int_equal(put(&rig, "a", "b", 11 * S, 2), TN_OK);
    assert_int_equal(put(&rig, "a", "b", 12 * S, 3), TN_OK);
    assert_int_equal(put(&rig, "a", "b", 11 * S, 2), TN_OK);
    assert_int_equal(counters->repeated, 1);
    assert_int_equal(counters->replaced, 0);
    assert_int_equal(put(&rig, "a", "b", 11 * S, 5), TN_OK);
    assert_int_equal(put(&rig, "a", "b", 12 * S, 7), TN_OK);
    assert_int_equal(counters->replaced, 2);
    is_near(x_of(&rig, "a", "b", 10 * S + S / 2), 3, 1e-12);
    is_near(x_of(&rig, "a", "b", 0), 7, 1e-12);
    // also the parent
    assert_int_equal(put(&rig, "c", "b", 12 * S, 9), TN_OK);
    is_near(x_of(&rig, "c", "b", 0), 9, 1e-12);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(tn_tf_buffer_frame(rig.buffer, i, &info), TN_OK);
        if (strcmp(info.name, "b") == 0) {
            assert_int_equal(info.n_entries, 3);
            assert_string_equal(info.parent, "c");
            assert_int_equal(info.oldest_ns, 10 * S);
            assert_int_equal(info.newest_ns, 12 * S);
        }
    }
    assert_int_equal(tn_tf_buffer_frame(rig.buffer, 3, &info), TN_ERR_NOT_FOUND);
    close_rig(&rig);
}

static void history_is_as_long_as_the_cache(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    const struct tn_tf_buffer_counters *counters = tn_tf_buffer_counters(rig.buffer);
    for (int i = 0; i <= 200; i++)
        assert_int_equal(put(&rig, "a", "b", 100 * S + i * S / 10, i), TN_OK);
    // exactly 10 s back is held, a nanosecond more is not
    is_near(x_of(&rig, "a", "b", 110 * S), 100, 1e-12);
    refuses(&rig, "a", "b", 110 * S - 1, TN_ERR_STALE, "(110.000000000 to 120.000000000)");
    assert_int_equal(put(&rig, "a", "b", 110 * S - 1, 0), TN_ERR_STALE);
    assert_int_equal(counters->old_data, 1);
    assert_int_equal(put(&rig, "a", "b", 110 * S + 1, 0), TN_OK);
    // a frame's own newest counts, not another's
    assert_int_equal(put(&rig, "a", "c", 1 * S, 0), TN_OK);
    close_rig(&rig);
}

static void a_sender_whose_clock_went_back_is_heard_again(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put(&rig, "a", "b", 1000 * S, 1), TN_OK);
    for (int i = 0; i < 100; i++) {
        rig.now_ns += S / 10;
        assert_int_equal(put(&rig, "a", "b", 500 * S + i * S / 10, 2), TN_ERR_STALE);
    }
    rig.now_ns += S / 10;
    assert_int_equal(put(&rig, "a", "b", 510 * S, 3), TN_OK);
    is_near(x_of(&rig, "a", "b", 0), 3, 1e-12);
    refuses(&rig, "a", "b", 1000 * S, TN_ERR_AGAIN, "future");
    assert_int_equal(tn_tf_buffer_counters(rig.buffer)->restarted, 1);
    close_rig(&rig);
}

static void bad_input_is_refused_and_counted(void **state)
{
    struct rig rig;
    struct tn_tf_result out;
    struct tn_error err;
    char name[TN_TF_NAME_MAX + 1];
    (void)state;
    open_rig(&rig);
    const struct tn_tf_buffer_counters *counters = tn_tf_buffer_counters(rig.buffer);
    assert_int_equal(put(&rig, "a", "b", S, 1), TN_OK);
    assert_int_equal(put(&rig, "a", "a", S, 1), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(put(&rig, "a", "/a", S, 1), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(counters->self, 2);
    assert_int_equal(put(&rig, "", "b", S, 1), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(put(&rig, "a", "", S, 1), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(put(&rig, "a", "/", S, 1), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(counters->no_name, 3);
    memset(name, 'n', sizeof name);
    name[TN_TF_NAME_MAX] = '\0';
    assert_int_equal(put(&rig, "a", name, S, 1), TN_ERR_LIMIT);
    assert_int_equal(put(&rig, name, "b", S, 1), TN_ERR_LIMIT);
    name[TN_TF_NAME_MAX - 1] = '\0';
    assert_int_equal(put(&rig, "a", name, S, 1), TN_OK);
    is_near(x_of(&rig, "a", name, S), 1, 1e-12);
    struct tn_tf_input in = input("a", "b", 2 * S, 2);
    in.child_size = 2;
    assert_int_equal(tn_tf_buffer_insert(rig.buffer, &in), TN_ERR_MALFORMED);
    assert_int_equal(counters->bad_name, 3);
    assert_int_equal(put(&rig, "a", "b", -1, 1), TN_ERR_RANGE);
    assert_int_equal(counters->bad_stamp, 1);

    static const double poison[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned i = 0; i < 7; i++) {
            in = input("a", "b", 2 * S, 2);
            double *values[] = {&in.T_parent_child.p.x, &in.T_parent_child.p.y,
                                &in.T_parent_child.p.z, &in.T_parent_child.q.x,
                                &in.T_parent_child.q.y, &in.T_parent_child.q.z,
                                &in.T_parent_child.q.w};
            *values[i] = poison[k];
            in.is_static = i % 2;
            assert_int_equal(tn_tf_buffer_insert(rig.buffer, &in), TN_ERR_NOT_FINITE);
        }
    }
    assert_int_equal(counters->not_finite, 21);
    // |q|^2 within 1 %, as in tf2
    static const struct {
        double w;
        enum tn_result expected;
    } norms[] = {{0, TN_ERR_RANGE},     {0.9949, TN_ERR_RANGE}, {0.99499, TN_OK},
                 {1.00498, TN_OK},      {1.0050, TN_ERR_RANGE}, {-1, TN_OK},
                 {1e300, TN_ERR_RANGE}, {1e-300, TN_ERR_RANGE}};
    for (unsigned i = 0; i < TN_ARRAY_SIZE(norms); i++) {
        in = input("a", "b", 3 * S, 2);
        in.T_parent_child.q.w = norms[i].w;
        assert_int_equal(tn_tf_buffer_insert(rig.buffer, &in), norms[i].expected);
    }
    assert_int_equal(get(&rig, "a", "b", 3 * S, &out, &err), TN_OK);
    is_near(fabs(out.T_target_source.q.w), 1, 1e-15);
    // nothing of all that left a trace
    is_near(x_of(&rig, "a", "b", S), 1, 1e-12);
    close_rig(&rig);
}

static void one_slash_is_stripped(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put(&rig, "/map", "/base", S, 4), TN_OK);
    is_near(x_of(&rig, "map", "base", S), 4, 1e-12);
    close_rig(&rig);
}

static void clear_keeps_what_is_static(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put(&rig, "map", "base", 100 * S, 1), TN_OK);
    assert_int_equal(put_static(&rig, "base", "lens", 2), TN_OK);
    tn_tf_buffer_clear(rig.buffer);
    is_near(x_of(&rig, "base", "lens", 5), 2, 1e-12);
    refuses(&rig, "map", "lens", 100 * S, TN_ERR_AGAIN, "frame \"base\" has no data");
    refuses(&rig, "lens", "map", 0, TN_ERR_AGAIN, "frame \"base\" has no data");
    // time begins anew
    assert_int_equal(put(&rig, "map", "base", 1 * S, 5), TN_OK);
    is_near(x_of(&rig, "map", "lens", 0), 7, 1e-12);
    close_rig(&rig);
}

static void kinds_change_as_in_tf2(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put(&rig, "a", "b", 10 * S, 1), TN_OK);
    assert_int_equal(put_static(&rig, "a", "b", 2), TN_OK);
    is_near(x_of(&rig, "a", "b", 3), 2, 1e-12);
    assert_int_equal(put(&rig, "a", "b", 4 * S, 3), TN_OK);
    is_near(x_of(&rig, "a", "b", 0), 3, 1e-12);
    refuses(&rig, "a", "b", 10 * S, TN_ERR_AGAIN, "(4.000000000 to 4.000000000)");
    close_rig(&rig);
}

// ---- limits ----

static void a_flood_of_names_leaves_known_frames_alone(void **state)
{
    struct rig rig;
    struct tn_tf_buffer_options options = tn_tf_buffer_options_default();
    char name[32];
    (void)state;
    options.max_frames = 8;
    open_with(&rig, &options);
    const struct tn_tf_buffer_counters *counters = tn_tf_buffer_counters(rig.buffer);
    assert_int_equal(put(&rig, "map", "base", S, 1), TN_OK);
    assert_int_equal(put(&rig, "base", "tip", S, 2), TN_OK);
    for (int i = 0; i < 100000; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        assert_int_equal(put(&rig, "map", name, S, 1), i < 5 ? TN_OK : TN_ERR_NO_MEMORY);
        if (i % 1000 == 0)
            assert_int_equal(put(&rig, "base", "tip", S + i, 2), TN_OK);
    }
    assert_int_equal(counters->no_room, 100000 - 5);
    // a child whose parent finds no room is not left behind
    refuses(&rig, "map", "n99999", 0, TN_ERR_NOT_FOUND, "n99999");
    is_near(x_of(&rig, "map", "tip", S), 3, 1e-12);

    // what nobody uses any more makes room; what is in use, and what holds others up, does not
    rig.now_ns += options.unused_ns + 1;
    assert_int_equal(put(&rig, "base", "tip", 2 * S, 2), TN_OK);
    for (int i = 0; i < 5; i++) {
        (void)snprintf(name, sizeof name, "late%d", i);
        assert_int_equal(put(&rig, "tip", name, S, 1), TN_OK);
    }
    assert_int_equal(put(&rig, "tip", "late5", S, 1), TN_ERR_NO_MEMORY);
    assert_int_equal(counters->reclaimed, 5);
    is_near(x_of(&rig, "map", "late4", S), 4, 1e-12);
    close_rig(&rig);
}

static void two_names_need_two_places(void **state)
{
    struct rig rig;
    struct tn_tf_buffer_options options = tn_tf_buffer_options_default();
    struct tn_tf_frame_info info;
    (void)state;
    options.max_frames = 3;
    open_with(&rig, &options);
    assert_int_equal(put(&rig, "a", "b", S, 1), TN_OK);
    assert_int_equal(put(&rig, "c", "d", S, 1), TN_ERR_NO_MEMORY);
    assert_int_equal(tn_tf_buffer_frame(rig.buffer, 2, &info), TN_ERR_NOT_FOUND);
    assert_int_equal(put(&rig, "b", "d", S, 1), TN_OK);
    assert_int_equal(put(&rig, "d", "e", S, 1), TN_ERR_NO_MEMORY);
    close_rig(&rig);
}

static void the_longest_history_gives_way(void **state)
{
    struct rig rig;
    struct tn_tf_buffer_options options = tn_tf_buffer_options_default();
    (void)state;
    options.max_entries = 100;
    options.max_frame_entries = 100;
    open_with(&rig, &options);
    for (int i = 0; i < 20; i++)
        assert_int_equal(put(&rig, "map", "slow", S + i * S / 10, i), TN_OK);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(put(&rig, "map", "flood", S + i, i), TN_OK);
    is_near(x_of(&rig, "map", "slow", S), 0, 1e-12);
    is_near(x_of(&rig, "map", "flood", S + 4999), 4999, 1e-9);
    is_near(x_of(&rig, "map", "flood", S + 4920), 4920, 1e-9);
    refuses(&rig, "map", "flood", S + 4919, TN_ERR_STALE, "past");
    assert_true(tn_tf_buffer_counters(rig.buffer)->shortened >= 4900);
    close_rig(&rig);

    options.max_frame_entries = 10;
    open_with(&rig, &options);
    for (int i = 0; i < 50; i++)
        assert_int_equal(put(&rig, "map", "fast", S + i, i), TN_OK);
    is_near(x_of(&rig, "map", "fast", S + 40), 40, 1e-9);
    refuses(&rig, "map", "fast", S + 39, TN_ERR_STALE, "past");
    close_rig(&rig);
}

static void entries_run_out_with_one_each(void **state)
{
    struct rig rig;
    struct tn_tf_buffer_options options = tn_tf_buffer_options_default();
    char name[32];
    (void)state;
    options.max_entries = options.max_frame_entries = 2;
    open_with(&rig, &options);
    for (int i = 0; i < 200; i++) {
        (void)snprintf(name, sizeof name, "f%d", i % 7);
        assert_int_equal(put(&rig, "map", name, S + i, i), TN_OK);
        is_near(x_of(&rig, "map", name, 0), i, 1e-9);
        // older than all that is held, in a full table
        assert_int_equal(put(&rig, "map", name, S, i), TN_OK);
    }
    close_rig(&rig);
}

static void limits_are_checked(void **state)
{
    struct tn_tf_buffer *buffer = NULL;
    struct tn_error err = {0};
    (void)state;
    for (int i = 0; i < 9; i++) {
        struct tn_tf_buffer_options o = tn_tf_buffer_options_default();
        o.cache_ns = i == 0 ? 0 : o.cache_ns;
        o.unused_ns = i == 1 ? -1 : o.unused_ns;
        o.max_frames = i == 2 ? 1 : i == 3 ? TN_TF_FRAMES_LIMIT + 1 : o.max_frames;
        o.max_entries = i == 4 ? 1 : i == 5 ? TN_TF_ENTRIES_LIMIT + 1 : o.max_entries;
        o.max_frame_entries = i == 6 ? 1 : i == 7 ? o.max_entries + 1 : o.max_frame_entries;
        assert_int_equal(tn_tf_buffer_create(&o, &buffer, &err), i == 8 ? TN_OK : TN_ERR_RANGE);
    }
    tn_tf_buffer_destroy(&buffer);
    tn_tf_buffer_destroy(&buffer);
}

static void far_times_and_places_do_not_overflow(void **state)
{
    struct rig rig;
    struct tn_tf_result out;
    struct tn_error err;
    (void)state;
    open_rig(&rig);
    assert_int_equal(put(&rig, "a", "b", INT64_MAX, 1), TN_OK);
    assert_int_equal(put(&rig, "a", "b", 0, 1), TN_ERR_STALE);
    assert_int_equal(put(&rig, "a", "c", 0, 1), TN_OK);
    assert_int_equal(put(&rig, "a", "c", INT64_MAX, 1), TN_OK);
    refuses(&rig, "a", "b", 1, TN_ERR_STALE, "past");
    is_near(x_of(&rig, "a", "b", INT64_MAX), 1, 1e-12);
    assert_int_equal(put(&rig, "u", "v", S, 1.7e308), TN_OK);
    assert_int_equal(put(&rig, "v", "w", S, 1.7e308), TN_OK);
    assert_int_equal(get(&rig, "u", "w", S, &out, &err), TN_ERR_NOT_FINITE);
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpolates_between_neighbours_and_nowhere_else),
        cmocka_unit_test(turns_at_constant_speed_on_the_shorter_way),
        cmocka_unit_test(static_frames_hold_at_all_times),
        cmocka_unit_test(newest_time_is_the_newest_that_all_have),
        cmocka_unit_test(what_lies_above_the_meeting_point_does_not_matter),
        cmocka_unit_test(separate_trees_name_their_roots),
        cmocka_unit_test(unknown_names_get_a_proposal),
        cmocka_unit_test(loops_are_found),
        cmocka_unit_test(a_new_parent_holds_from_its_first_transform_on),
        cmocka_unit_test(looks_through_time),
        cmocka_unit_test(takes_any_order),
        cmocka_unit_test(an_equal_stamp_replaces),
        cmocka_unit_test(history_is_as_long_as_the_cache),
        cmocka_unit_test(a_sender_whose_clock_went_back_is_heard_again),
        cmocka_unit_test(bad_input_is_refused_and_counted),
        cmocka_unit_test(one_slash_is_stripped),
        cmocka_unit_test(clear_keeps_what_is_static),
        cmocka_unit_test(kinds_change_as_in_tf2),
        cmocka_unit_test(a_flood_of_names_leaves_known_frames_alone),
        cmocka_unit_test(two_names_need_two_places),
        cmocka_unit_test(the_longest_history_gives_way),
        cmocka_unit_test(entries_run_out_with_one_each),
        cmocka_unit_test(limits_are_checked),
        cmocka_unit_test(far_times_and_places_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
