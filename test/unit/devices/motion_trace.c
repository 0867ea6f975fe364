// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "devices/motion/script.h"
#include "devices/motion/trace.h"
#include "hand_builder.h"

#define NAME "hand.csv"

// ---- making recordings ----

struct text {
    char *data;
    size_t size, capacity;
};

static void add(struct text *text, const char *format, ...) TN_PRINTF(2, 3);

static void add(struct text *text, const char *format, ...)
{
    char piece[128];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && (size_t)n < sizeof piece);
    if (text->size + (size_t)n > text->capacity) {
        text->capacity = 2 * text->capacity + (size_t)n;
        text->data = realloc(text->data, text->capacity);
        assert_non_null(text->data);
    }
    memcpy(text->data + text->size, piece, (size_t)n);
    text->size += (size_t)n;
}

static void add_header(struct text *text, const char *line_end)
{
    add(text, "t");
    for (unsigned i = 0; i < TN_MOTION_POINTS; i++)
        add(text, ",x%u,y%u,z%u", i, i, i);
    add(text, "%s", line_end);
}

static void add_row(struct text *text, double time_s, const struct tn_motion_points *points,
                    const char *line_end)
{
    add(text, "%.6f", time_s);
    for (unsigned i = 0; i < TN_MOTION_POINTS; i++)
        add(text, ",%.9f,%.9f,%.9f", points->point_m[i][0], points->point_m[i][1],
            points->point_m[i][2]);
    add(text, "%s", line_end);
}

// our own script, seen by a camera of 30 Hz
static struct text record(double seconds_s, enum tn_side side, const char *line_end)
{
    struct text text = {0};
    add_header(&text, line_end);
    for (unsigned k = 0; k / 30.0 <= seconds_s; k++) {
        struct tn_motion_pose pose;
        tn_motion_script_sample(TN_SIDE_RIGHT, k / 30.0, &pose);
        struct tn_motion_points points = builder_right_hand(&pose);
        for (unsigned i = 0; side == TN_SIDE_LEFT && i < TN_MOTION_POINTS; i++)
            points.point_m[i][1] = -points.point_m[i][1];
        add_row(&text, 100.0 + k / 30.0, &points, line_end);
    }
    return text;
}

static struct tn_motion_trace *parse(const struct text *text)
{
    struct tn_motion_trace *trace = NULL;
    struct tn_error err = {0};
    if (tn_motion_trace_parse(text->data, text->size, NAME, &trace, &err) != TN_OK)
        fail_msg("line %d: %s", err.line, err.text);
    return trace;
}

// ---- tests ----

static void resampling_follows_the_motion(void **state)
{
    (void)state;
    const enum tn_side sides[] = {TN_SIDE_RIGHT, TN_SIDE_LEFT};
    for (unsigned s = 0; s < 2; s++) {
        struct text text = record(12.0, sides[s], s == 0 ? "\n" : "\r\n");
        struct tn_motion_trace *trace = parse(&text);
        assert_int_equal(tn_motion_trace_side(trace), sides[s]);
        assert_int_equal(tn_motion_trace_frames(trace), 361);
        assert_true(fabs(tn_motion_trace_period_s(trace) - 11.5) < 1e-5);
        for (double t = 0.0; t < 11.4; t += 1.0 / 120.0) {
            struct tn_motion_pose pose, expected;
            tn_motion_trace_sample(trace, t, &pose);
            tn_motion_script_sample(TN_SIDE_RIGHT, t, &expected);
            for (unsigned finger = 1; finger < 5; finger++) {
                double bend = expected.angle_deg[4 * finger] + expected.angle_deg[4 * finger + 1];
                double found = pose.angle_deg[4 * finger] + pose.angle_deg[4 * finger + 1];
                // joints bent backwards come back as bent forward
                assert_true(fabs(bend - found) < 6.0);
            }
            assert_true(fabs(pose.angle_deg[3] - expected.angle_deg[3]) < 2.0);
        }
        tn_motion_trace_destroy(&trace);
        assert_null(trace);
        free(text.data);
    }
}

static void nothing_jumps_where_the_loop_closes(void **state)
{
    (void)state;
    // ends in a fist, begins at rest: the hardest place to close
    struct text text = record(2.2, TN_SIDE_RIGHT, "\n");
    struct tn_motion_trace *trace = parse(&text);
    double end_s = 5.0 * tn_motion_trace_period_s(trace);
    struct tn_motion_pose before, pose;
    tn_motion_trace_sample(trace, 0.0, &before);
    double largest = 0.0;
    for (double t = 0.001; t < end_s; t += 0.001, before = pose) {
        tn_motion_trace_sample(trace, t, &pose);
        for (unsigned i = 0; i < TN_MOTION_ANGLES; i++) {
            assert_true(isfinite(pose.angle_deg[i]));
            largest = fmax(largest, fabs(pose.angle_deg[i] - before.angle_deg[i]));
        }
    }
    assert_true(largest < 1.0);
    tn_motion_trace_destroy(&trace);
    free(text.data);
}

static void the_first_loop_starts_with_the_first_frame(void **state)
{
    (void)state;
    struct text text = record(3.0, TN_SIDE_RIGHT, "\n");
    struct tn_motion_trace *trace = parse(&text);
    struct tn_motion_pose start, before;
    tn_motion_trace_sample(trace, 0.0, &start);
    tn_motion_trace_sample(trace, -5.0, &before);
    assert_memory_equal(&start, &before, sizeof start);
    struct tn_motion_pose script;
    tn_motion_script_sample(TN_SIDE_RIGHT, 0.0, &script);
    assert_true(fabs(start.angle_deg[4] - script.angle_deg[4]) < 0.1);
    tn_motion_trace_destroy(&trace);
    free(text.data);
}

static void frames_without_a_hand_repeat_the_one_before(void **state)
{
    (void)state;
    const struct tn_motion_points nothing = {{{0.0}}};
    struct tn_motion_pose bent = {{0.0}}, pose;
    bent.angle_deg[5] = 40.0;
    struct tn_motion_points points = builder_right_hand(&bent);
    struct text text = {0};
    add_header(&text, "\n");
    add_row(&text, 0.0, &nothing, "\n");
    add_row(&text, 1.0, &points, "\n");
    add_row(&text, 2.0, &nothing, "\n");
    add_row(&text, 3.0, &points, "\n\n\n");
    struct tn_motion_trace *trace = parse(&text);
    for (double t = 0.0; t < 10.0; t += 0.1) {
        tn_motion_trace_sample(trace, t, &pose);
        assert_true(fabs(pose.angle_deg[5] - 40.0) < 1e-3);
    }
    tn_motion_trace_destroy(&trace);
    free(text.data);
}

// replaces the first `from` behind line `line` and expects the error there
static void assert_refused(const struct text *good, unsigned line, const char *from, const char *to,
                           enum tn_result expected, int32_t column)
{
    char *copy = calloc(1, good->size + 256);
    assert_non_null(copy);
    memcpy(copy, good->data, good->size);
    char *at = copy;
    for (unsigned i = 1; i < line; i++)
        at = strchr(at, '\n') + 1;
    char *found = strstr(at, from);
    assert_non_null(found);
    size_t rest = strlen(found + strlen(from)) + 1;
    memmove(found + strlen(to), found + strlen(from), rest);
    memcpy(found, to, strlen(to));
    struct tn_motion_trace *trace = NULL;
    struct tn_error err = {0};
    enum tn_result result = tn_motion_trace_parse(copy, strlen(copy), NAME, &trace, &err);
    if (result != expected || err.line != (int32_t)line || (column > 0 && err.column != column))
        fail_msg("'%s' for '%s': %s at %d:%d: %s", to, from, tn_result_name(result), err.line,
                 err.column, err.text);
    assert_null(trace);
    assert_string_equal(err.file, NAME);
    assert_true(strlen(err.text) > 0);
    free(copy);
}

static void errors_name_line_and_column(void **state)
{
    (void)state;
    struct text text = record(0.2, TN_SIDE_RIGHT, "\n");
    assert_refused(&text, 1, "t,", "time,", TN_ERR_SYNTAX, 1);
    assert_refused(&text, 1, "y0", "y1", TN_ERR_SYNTAX, 6);
    assert_refused(&text, 1, ",z20", "", TN_ERR_SYNTAX, 0);
    assert_refused(&text, 1, "z20", "z20,x21", TN_ERR_SYNTAX, 0);
    assert_refused(&text, 2, "100.000000", "", TN_ERR_SYNTAX, 1);
    assert_refused(&text, 2, "100.000000", "nan", TN_ERR_SYNTAX, 1);
    assert_refused(&text, 3, ",0.000000000", ",inf", TN_ERR_SYNTAX, 12);
    assert_refused(&text, 3, ",0.000000000", ",-nan", TN_ERR_SYNTAX, 12);
    assert_refused(&text, 3, ",0.000000000", ",1e999", TN_ERR_RANGE, 12);
    assert_refused(&text, 3, ",0.000000000", ",10.1", TN_ERR_RANGE, 12);
    assert_refused(&text, 3, ",0.000000000", ", 0.1", TN_ERR_SYNTAX, 12);
    assert_refused(&text, 3, ",0.000000000", ",0x", TN_ERR_SYNTAX, 12);
    assert_refused(&text, 4, ",0.000000000", "", TN_ERR_SYNTAX, 0);
    assert_refused(&text, 4, ",0.000000000", ",0,0", TN_ERR_SYNTAX, 0);
    // time stands still, and goes back
    assert_refused(&text, 3, "100.033333", "100.000000", TN_ERR_RANGE, 1);
    assert_refused(&text, 3, "100.033333", "99.9", TN_ERR_RANGE, 1);
    free(text.data);
}

static void short_and_broken_files_are_refused(void **state)
{
    (void)state;
    struct text text = record(0.2, TN_SIDE_RIGHT, "\n");
    // cut anywhere: either a whole number of at least two rows, or an error
    for (size_t size = 0; size < text.size; size++) {
        char *cut = malloc(size + 1);
        assert_non_null(cut);
        memcpy(cut, text.data, size);
        struct tn_motion_trace *trace = NULL;
        enum tn_result result = tn_motion_trace_parse(cut, size, NAME, &trace, NULL);
        assert_true((result == TN_OK) == (trace != NULL));
        tn_motion_trace_destroy(&trace);
        free(cut);
    }
    struct tn_motion_trace *trace = NULL;
    struct tn_error err = {0};
    assert_int_equal(tn_motion_trace_parse("", 0, NAME, &trace, &err), TN_ERR_TRUNCATED);
    const char *header_end = memchr(text.data, '\n', text.size);
    size_t header = (size_t)(header_end - text.data) + 1;
    assert_int_equal(tn_motion_trace_parse(text.data, header, NAME, &trace, &err),
                     TN_ERR_TRUNCATED);
    free(text.data);
    const struct tn_motion_points nothing = {{{0.0}}};
    struct text empty = {0};
    add_header(&empty, "\n");
    add_row(&empty, 0.0, &nothing, "\n");
    add_row(&empty, 1.0, &nothing, "\n");
    assert_int_equal(tn_motion_trace_parse(empty.data, empty.size, NAME, &trace, &err),
                     TN_ERR_MALFORMED);
    assert_null(trace);
    free(empty.data);
}

static void times_that_rounding_makes_equal_are_refused(void **state)
{
    (void)state;
    const struct tn_motion_pose pose = {{0.0}};
    struct tn_motion_points points = builder_right_hand(&pose);
    struct text text = {0};
    add_header(&text, "\n");
    for (unsigned i = 0; i < 3; i++)
        add_row(&text, i == 0 ? -1e20 : i, &points, "\n");
    struct tn_motion_trace *trace = NULL;
    struct tn_error err = {0};
    assert_int_equal(tn_motion_trace_parse(text.data, text.size, NAME, &trace, &err), TN_ERR_RANGE);
    assert_int_equal(err.line, 4);
    free(text.data);
}

static void too_many_rows_are_refused(void **state)
{
    (void)state;
    struct text text = {0};
    add_header(&text, "\n");
    for (unsigned i = 0; i <= TN_MOTION_TRACE_ROWS_MAX; i++)
        add(&text, "\n");
    struct tn_motion_trace *trace = NULL;
    struct tn_error err = {0};
    assert_int_equal(tn_motion_trace_parse(text.data, text.size, NAME, &trace, &err), TN_ERR_LIMIT);
    assert_int_equal(
        tn_motion_trace_parse(text.data, (size_t)TN_MOTION_TRACE_BYTES_MAX + 1, NAME, &trace, &err),
        TN_ERR_LIMIT);
    assert_null(trace);
    free(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resampling_follows_the_motion),
        cmocka_unit_test(nothing_jumps_where_the_loop_closes),
        cmocka_unit_test(the_first_loop_starts_with_the_first_frame),
        cmocka_unit_test(frames_without_a_hand_repeat_the_one_before),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(short_and_broken_files_are_refused),
        cmocka_unit_test(times_that_rounding_makes_equal_are_refused),
        cmocka_unit_test(too_many_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
