// SPDX-License-Identifier: Apache-2.0
#include "devices/motion/trace.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "devices/motion/hand_points.h"

#define COLUMNS    (1 + 3 * TN_MOTION_POINTS)
#define COLUMN_MAX 12

struct frame {
    double time_s; // since the first frame
    struct tn_motion_pose pose;
};

struct tn_motion_trace {
    enum tn_side side;
    uint32_t n_frames;
    double blend_s;
    struct frame *frames; // (n_frames)
};

// ---- reading ----

struct row {
    double time_s;
    struct tn_motion_points points;
};

struct parser {
    const char *name;
    const char *at, *end; // rest of the text
    int32_t line;         // of the line read last
    const char *begin;    // of that line
    struct tn_error *err;
};

static enum tn_result fail(const struct parser *parser, enum tn_result code, const char *at,
                           const char *text)
{
    int32_t column = at == NULL ? 0 : (int32_t)(at - parser->begin) + 1;
    return tn_error_at(parser->err, code, parser->name, parser->line, column, "%s", text);
}

// the next line without its end; false at the end of the text
static bool next_line(struct parser *parser, size_t *out_size)
{
    if (parser->at == parser->end)
        return false;
    parser->begin = parser->at;
    const char *newline = memchr(parser->at, '\n', (size_t)(parser->end - parser->at));
    const char *line_end = newline != NULL ? newline : parser->end;
    parser->at = newline != NULL ? newline + 1 : parser->end;
    if (line_end > parser->begin && line_end[-1] == '\r')
        line_end--;
    *out_size = (size_t)(line_end - parser->begin);
    parser->line++;
    return true;
}

// one column of a line, without its comma; *io_at becomes NULL behind the last one
static size_t take_column(const char **io_at, const char *line_end, const char **out_column)
{
    const char *begin = *io_at;
    const char *comma = memchr(begin, ',', (size_t)(line_end - begin));
    *out_column = begin;
    *io_at = comma != NULL ? comma + 1 : NULL;
    return (size_t)((comma != NULL ? comma : line_end) - begin);
}

static void column_name(unsigned column, char out_name[COLUMN_MAX])
{
    if (column == 0)
        (void)snprintf(out_name, COLUMN_MAX, "t");
    else
        (void)snprintf(out_name, COLUMN_MAX, "%c%u", "xyz"[(column - 1) % 3], (column - 1) / 3);
}

static enum tn_result parse_header(struct parser *parser)
{
    size_t size = 0;
    if (!next_line(parser, &size))
        return fail(parser, TN_ERR_TRUNCATED, NULL,
                    "the file is empty, expected a header line t,x0,y0,z0,…,z20");
    const char *at = parser->begin, *end = parser->begin + size, *column = at;
    for (unsigned i = 0; i < COLUMNS; i++) {
        char expected[COLUMN_MAX], text[96];
        column_name(i, expected);
        size_t n = at != NULL ? take_column(&at, end, &column) : 0;
        if (n != strlen(expected) || memcmp(column, expected, n) != 0) {
            (void)snprintf(text, sizeof text,
                           "column %u of the header must be '%s' (t,x0,y0,z0,…,z20)", i + 1,
                           expected);
            return fail(parser, TN_ERR_SYNTAX, column, text);
        }
    }
    return at == NULL ? TN_OK
                      : fail(parser, TN_ERR_SYNTAX, at, "the header has more than 64 columns");
}

static enum tn_result parse_number(struct parser *parser, unsigned i, const char *column,
                                   size_t size, double *out_value)
{
    double limit = i == 0 ? DBL_MAX : TN_MOTION_TRACE_COORDINATE_MAX_M;
    enum tn_result result = tn_parse_f64(column, size, -limit, limit, out_value);
    if (result == TN_OK)
        return TN_OK;
    char name[COLUMN_MAX], text[TN_ERROR_TEXT_MAX];
    column_name(i, name);
    int shown = size > 24 ? 24 : (int)size;
    if (result == TN_ERR_RANGE)
        (void)snprintf(text, sizeof text, "%s is %.*s, expected at most %g m", name, shown, column,
                       limit);
    else
        (void)snprintf(text, sizeof text, "%s is '%.*s', expected a finite number", name, shown,
                       column);
    return fail(parser, result, column, text);
}

static enum tn_result parse_row(struct parser *parser, size_t size, struct row *out_row)
{
    const char *at = parser->begin, *end = parser->begin + size, *column = NULL;
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (at == NULL)
            return fail(parser, TN_ERR_SYNTAX, end, "the row has fewer than 64 columns");
        size_t n = take_column(&at, end, &column);
        double *value =
            i == 0 ? &out_row->time_s : &out_row->points.point_m[(i - 1) / 3][(i - 1) % 3];
        enum tn_result result = parse_number(parser, i, column, n, value);
        if (result != TN_OK)
            return result;
    }
    return at == NULL ? TN_OK : fail(parser, TN_ERR_SYNTAX, at, "the row has more than 64 columns");
}

static enum tn_result count_rows(const struct parser *start, uint32_t *out_n)
{
    struct parser parser = *start;
    size_t size = 0;
    uint32_t n = 0;
    while (next_line(&parser, &size) && n <= TN_MOTION_TRACE_ROWS_MAX)
        n++;
    *out_n = n;
    return n <= TN_MOTION_TRACE_ROWS_MAX
               ? TN_OK
               : fail(&parser, TN_ERR_LIMIT, NULL, "more than 100000 rows; cut the recording");
}

static enum tn_result parse_rows(struct parser *parser, struct row *rows, uint32_t *out_n)
{
    uint32_t n = 0;
    size_t size = 0;
    bool is_over = false;
    while (next_line(parser, &size)) {
        is_over = is_over || size == 0;
        if (size == 0)
            continue;
        if (is_over)
            return fail(parser, TN_ERR_SYNTAX, NULL, "a row follows an empty line");
        enum tn_result result = parse_row(parser, size, &rows[n]);
        if (result != TN_OK)
            return result;
        // compared as times since the first row, which rounding may make equal
        double start_s = rows[0].time_s;
        if (n > 0 && !(rows[n].time_s - start_s > rows[n - 1].time_s - start_s))
            return fail(parser, TN_ERR_RANGE, parser->begin,
                        "t is not later than in the row before; times must increase");
        n++;
    }
    *out_n = n;
    return n >= 2 ? TN_OK : fail(parser, TN_ERR_TRUNCATED, NULL, "expected at least two rows");
}

// ---- angles ----

// a hand that is left in most of its movement is a left hand
static enum tn_side recorded_side(const struct row *rows, uint32_t n)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        sum += tn_motion_points_handedness(&rows[i].points);
    return sum < 0.0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT;
}

static enum tn_result convert(struct tn_motion_trace *trace, const struct row *rows, uint32_t n)
{
    trace->side = recorded_side(rows, n);
    trace->n_frames = n;
    uint32_t first_valid = n;
    for (uint32_t i = 0; i < n; i++) {
        struct frame *frame = &trace->frames[i];
        frame->time_s = rows[i].time_s - rows[0].time_s;
        if (tn_motion_points_to_pose(&rows[i].points, trace->side, &frame->pose) != TN_OK) {
            if (i > 0)
                frame->pose = trace->frames[i - 1].pose;
        } else if (first_valid == n) {
            first_valid = i;
        }
    }
    if (first_valid == n)
        return TN_ERR_MALFORMED;
    for (uint32_t i = 0; i < first_valid; i++)
        trace->frames[i].pose = trace->frames[first_valid].pose;
    trace->blend_s = fmin(TN_MOTION_TRACE_BLEND_S, 0.25 * trace->frames[n - 1].time_s);
    return TN_OK;
}

static enum tn_result parse_body(struct parser *parser, struct tn_motion_trace *trace)
{
    uint32_t n = 0;
    enum tn_result result = count_rows(parser, &n);
    if (result != TN_OK)
        return result;
    struct row *rows = calloc((size_t)n + 1, sizeof *rows);
    trace->frames = calloc((size_t)n + 1, sizeof *trace->frames);
    if (rows == NULL || trace->frames == NULL)
        result = tn_error_set(parser->err, TN_ERR_NO_MEMORY, "no memory for %u rows", (unsigned)n);
    if (result == TN_OK)
        result = parse_rows(parser, rows, &n);
    if (result == TN_OK && !isfinite(rows[n - 1].time_s - rows[0].time_s))
        result = fail(parser, TN_ERR_RANGE, NULL, "the recording lasts too long");
    if (result == TN_OK) {
        result = convert(trace, rows, n);
        if (result != TN_OK)
            result = tn_error_at(parser->err, result, parser->name, 0, 0,
                                 "no row shows a hand: bones of 0 or a palm of no size everywhere");
    }
    free(rows);
    return result;
}

enum tn_result tn_motion_trace_parse(const char *text, size_t size, const char *name,
                                     struct tn_motion_trace **out_trace, struct tn_error *err)
{
    if (size > TN_MOTION_TRACE_BYTES_MAX)
        return tn_error_at(err, TN_ERR_LIMIT, name, 0, 0,
                           "%zu bytes, at most %u are read; cut the recording", size,
                           (unsigned)TN_MOTION_TRACE_BYTES_MAX);
    struct parser parser = {.name = name, .at = text, .end = text + size, .err = err};
    struct tn_motion_trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for a recording");
    enum tn_result result = parse_header(&parser);
    if (result == TN_OK)
        result = parse_body(&parser, trace);
    if (result != TN_OK)
        tn_motion_trace_destroy(&trace);
    else
        *out_trace = trace;
    return result;
}

void tn_motion_trace_destroy(struct tn_motion_trace **trace)
{
    if (trace == NULL || *trace == NULL)
        return;
    free((*trace)->frames);
    free(*trace);
    *trace = NULL;
}

// ---- playing ----

// the last frame that is not later than the time
static uint32_t find_frame(const struct tn_motion_trace *trace, double time_s)
{
    uint32_t low = 0, high = trace->n_frames - 1;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (trace->frames[middle].time_s <= time_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// slope at a frame from its neighbours, degrees per second; one-sided at the ends
static double slope(const struct tn_motion_trace *trace, uint32_t i, unsigned slot)
{
    const struct frame *before = &trace->frames[i > 0 ? i - 1 : 0];
    const struct frame *after = &trace->frames[i + 1 < trace->n_frames ? i + 1 : i];
    return (after->pose.angle_deg[slot] - before->pose.angle_deg[slot]) /
           (after->time_s - before->time_s);
}

static void sample_once(const struct tn_motion_trace *trace, double time_s,
                        struct tn_motion_pose *out_pose)
{
    uint32_t i = find_frame(trace, time_s);
    const struct frame *a = &trace->frames[i], *b = &trace->frames[i + 1];
    double step_s = b->time_s - a->time_s;
    double u = fmin(1.0, fmax(0.0, (time_s - a->time_s) / step_s));
    double v = 1.0 - u;
    for (unsigned slot = 0; slot < TN_MOTION_ANGLES; slot++) {
        double bend = v * step_s * slope(trace, i, slot) - u * step_s * slope(trace, i + 1, slot);
        out_pose->angle_deg[slot] = v * v * (1.0 + 2.0 * u) * a->pose.angle_deg[slot] +
                                    u * u * (1.0 + 2.0 * v) * b->pose.angle_deg[slot] +
                                    u * v * bend;
    }
}

double tn_motion_trace_period_s(const struct tn_motion_trace *trace)
{
    return trace->frames[trace->n_frames - 1].time_s - trace->blend_s;
}

void tn_motion_trace_sample(const struct tn_motion_trace *trace, double time_s,
                            struct tn_motion_pose *out_pose)
{
    double period_s = tn_motion_trace_period_s(trace);
    double t = fmod(fmax(time_s, 0.0), period_s);
    sample_once(trace, t, out_pose);
    // from the second loop on the start is blended in from what comes behind the loop's end
    if (time_s < period_s || t >= trace->blend_s)
        return;
    struct tn_motion_pose end;
    sample_once(trace, period_s + t, &end);
    double x = t / trace->blend_s;
    double share = x * x * (3.0 - 2.0 * x);
    for (unsigned slot = 0; slot < TN_MOTION_ANGLES; slot++)
        out_pose->angle_deg[slot] =
            share * out_pose->angle_deg[slot] + (1.0 - share) * end.angle_deg[slot];
}

uint32_t tn_motion_trace_frames(const struct tn_motion_trace *trace)
{
    return trace->n_frames;
}

enum tn_side tn_motion_trace_side(const struct tn_motion_trace *trace)
{
    return trace->side;
}
