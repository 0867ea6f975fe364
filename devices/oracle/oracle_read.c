// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/parse.h"
#include "devices/oracle/oracle__internal.h"

#define SENT_HEADER     "# tendon send log 1"
#define EXECUTED_HEADER "# tendon execution log 1"
#define FIELDS_MAX      4

struct field {
    const char *text;
    size_t size;
};

// one line, split at its commas
struct line {
    const char *name; // of the log
    int32_t number;
    const char *text;
    size_t size;
    struct field fields[FIELDS_MAX];
    unsigned n_fields; // FIELDS_MAX + 1: more
    struct tn_error *err;
};

typedef enum tn_result (*line_fn)(struct tn_oracle *oracle, const struct line *line);

static bool is_text(const struct field *field, const char *text)
{
    return field->size == strlen(text) && memcmp(field->text, text, field->size) == 0;
}

static enum tn_result fail(const struct line *line, unsigned i, const char *expected)
{
    const struct field *field = &line->fields[i];
    int shown = field->size > 32 ? 32 : (int)field->size;
    return tn_error_at(line->err, TN_ERR_SYNTAX, line->name, line->number,
                       (int32_t)(field->text - line->text) + 1, "found '%.*s', expected %s", shown,
                       field->text, expected);
}

static enum tn_result expect_fields(const struct line *line, unsigned n, const char *form)
{
    if (line->n_fields == n)
        return TN_OK;
    return tn_error_at(line->err, TN_ERR_SYNTAX, line->name, line->number, 0,
                       "%s%u columns, expected %s", line->n_fields > FIELDS_MAX ? "more than " : "",
                       line->n_fields > FIELDS_MAX ? FIELDS_MAX : line->n_fields, form);
}

static enum tn_result take_side(const struct line *line, unsigned i, unsigned *out_index)
{
    for (enum tn_side side = TN_SIDE_LEFT; side <= TN_SIDE_RIGHT; side++)
        if (is_text(&line->fields[i], tn_side_name(side))) {
            *out_index = tn_side_index(side);
            return TN_OK;
        }
    return fail(line, i, "left or right");
}

// times are never negative: before 1970 and before the machine's start there was no glove
static enum tn_result take_time(const struct line *line, unsigned i, int64_t *out_ns)
{
    const struct field *field = &line->fields[i];
    if (tn_parse_i64(field->text, field->size, 0, INT64_MAX, out_ns) == TN_OK)
        return TN_OK;
    return fail(line, i, "a time in ns, 0 or more");
}

static enum tn_result add_line(struct tn_oracle *oracle, const struct line *line,
                               struct tn_oracle__list *list, struct tn_oracle__entry entry)
{
    if (oracle->n_lines >= TN_ORACLE_LINES_MAX)
        return tn_error_at(line->err, TN_ERR_LIMIT, line->name, line->number, 0,
                           "more than %u lines in all logs", (unsigned)TN_ORACLE_LINES_MAX);
    entry.order = oracle->n_lines;
    if (tn_oracle__append(list, &entry) != TN_OK)
        return tn_error_at(line->err, TN_ERR_NO_MEMORY, line->name, line->number, 0,
                           "no memory for more lines");
    oracle->n_lines++;
    return TN_OK;
}

static enum tn_result read_sent_line(struct tn_oracle *oracle, const struct line *line)
{
    enum tn_result result = expect_fields(line, 4, "4: sequence,side,send_wall_ns,send_steady_ns");
    if (result != TN_OK)
        return result;
    uint64_t sequence = 0;
    const struct field *first = &line->fields[0];
    if (tn_parse_u64(first->text, first->size, 0, UINT64_MAX, &sequence) != TN_OK)
        return fail(line, 0, "a sequence number");
    struct tn_oracle__entry entry = {0};
    unsigned side = 0;
    if ((result = take_side(line, 1, &side)) != TN_OK ||
        (result = take_time(line, 2, &entry.wall_ns)) != TN_OK ||
        (result = take_time(line, 3, &entry.steady_ns)) != TN_OK)
        return result;
    return add_line(oracle, line, &oracle->sent[side], entry);
}

static enum tn_result read_event(struct tn_oracle *oracle, const struct line *line)
{
    enum tn_result result = expect_fields(line, 4, "4: @event,side,name,steady_ns");
    unsigned side = 0;
    int64_t steady_ns = 0;
    if (result != TN_OK || (result = take_side(line, 1, &side)) != TN_OK ||
        (result = take_time(line, 3, &steady_ns)) != TN_OK)
        return result;
    if (line->fields[2].size == 0)
        return fail(line, 2, "the name of an event");
    enum tn_oracle_event event = TN_ORACLE_EVENT_START;
    while (event < TN_ORACLE_EVENT_OTHER &&
           !is_text(&line->fields[2], tn_oracle__event_name(event)))
        event++;
    oracle->events[side][event]++;
    return TN_OK;
}

static enum tn_result read_executed_line(struct tn_oracle *oracle, const struct line *line)
{
    if (is_text(&line->fields[0], "@event"))
        return read_event(oracle, line);
    enum tn_result result = expect_fields(line, 3, "3: side,stamp_ros_ns,executed_steady_ns");
    struct tn_oracle__entry entry = {0};
    unsigned side = 0;
    if (result != TN_OK || (result = take_side(line, 0, &side)) != TN_OK ||
        (result = take_time(line, 1, &entry.wall_ns)) != TN_OK ||
        (result = take_time(line, 2, &entry.steady_ns)) != TN_OK)
        return result;
    return add_line(oracle, line, &oracle->executed[side], entry);
}

// ---- lines ----

static void split(struct line *line)
{
    const char *at = line->text, *end = line->text + line->size;
    line->n_fields = 0;
    while (at != NULL && line->n_fields < FIELDS_MAX) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        line->fields[line->n_fields++] =
            (struct field){at, (size_t)((comma != NULL ? comma : end) - at)};
        at = comma != NULL ? comma + 1 : NULL;
    }
    if (at != NULL)
        line->n_fields = FIELDS_MAX + 1;
}

static enum tn_result read_line(struct tn_oracle *oracle, struct line *line, const char *header,
                                line_fn read)
{
    const struct field whole = {line->text, line->size};
    if (is_text(&whole, header))
        return TN_OK;
    if (line->number == 1)
        return tn_error_at(line->err, TN_ERR_VERSION, line->name, 1, 0,
                           "the first line must be '%s'; is this the right file?", header);
    split(line);
    return read(oracle, line);
}

static enum tn_result read_log(struct tn_oracle *oracle, const char *text, size_t size,
                               const char *header, line_fn read, struct line *line)
{
    size_t at = 0;
    while (at < size) {
        const char *newline = memchr(text + at, '\n', size - at);
        // a line without its end is what a killed writer left; a log of that alone has no header
        if (newline == NULL)
            break;
        line->number++;
        line->text = text + at;
        line->size = (size_t)(newline - line->text);
        enum tn_result result = read_line(oracle, line, header, read);
        if (result != TN_OK)
            return result;
        at += line->size + 1;
    }
    if (line->number == 0)
        return tn_error_at(line->err, TN_ERR_VERSION, line->name, 0, 0,
                           "no complete line, expected '%s'; did its writer start?", header);
    return TN_OK;
}

enum tn_result tn_oracle_read_sent(struct tn_oracle *oracle, const char *text, size_t size,
                                   const char *name, struct tn_error *err)
{
    struct line line = {.name = name, .err = err};
    return read_log(oracle, text, size, SENT_HEADER, read_sent_line, &line);
}

enum tn_result tn_oracle_read_executed(struct tn_oracle *oracle, const char *text, size_t size,
                                       const char *name, struct tn_error *err)
{
    struct line line = {.name = name, .err = err};
    return read_log(oracle, text, size, EXECUTED_HEADER, read_executed_line, &line);
}
