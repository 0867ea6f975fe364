// SPDX-License-Identifier: Apache-2.0
#include "system/path/logs.h"

#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "devices/file/file.h"

static const size_t log_bytes_max = (size_t)1 << 28;

struct field {
    const char *text;
    size_t size;
};

// splits at commas; returns the number of fields, at most `max`
static size_t split(const char *line, size_t size, struct field *out, size_t max)
{
    size_t n = 0;
    while (n < max) {
        const char *comma = memchr(line, ',', size);
        out[n++] = (struct field){line, comma != NULL ? (size_t)(comma - line) : size};
        if (comma == NULL) {
            break;
        }
        size -= (size_t)(comma - line) + 1;
        line = comma + 1;
    }
    return n;
}

static bool is_text(struct field field, const char *text)
{
    return field.size == strlen(text) && memcmp(field.text, text, field.size) == 0;
}

static bool is_number(struct field field, int64_t *out)
{
    return tn_parse_i64(field.text, field.size, INT64_MIN, INT64_MAX, out) == TN_OK;
}

static enum path_line_kind event_kind(struct field name)
{
    static const struct {
        const char *text;
        enum path_line_kind kind;
    } names[] = {{"start", PATH_START}, {"stop", PATH_STOP},     {"hold", PATH_HOLD},
                 {"pose", PATH_POSE},   {"resume", PATH_RESUME}, {"resumed", PATH_RESUMED}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++) {
        if (is_text(name, names[i].text)) {
            return names[i].kind;
        }
    }
    return PATH_OTHER;
}

static bool parse_line(const char *text, size_t size, enum tn_side side, struct path_line *out)
{
    struct field fields[4];
    size_t n = split(text, size, fields, TN_ARRAY_SIZE(fields));
    *out = (struct path_line){0};
    if (n == 4 && is_text(fields[0], "@event") && is_text(fields[1], tn_side_name(side))) {
        out->kind = event_kind(fields[2]);
        return is_number(fields[3], &out->steady_ns);
    }
    out->kind = PATH_EXECUTED;
    return n == 3 && is_text(fields[0], tn_side_name(side)) &&
           is_number(fields[1], &out->stamp_ros_ns) && is_number(fields[2], &out->steady_ns);
}

// by time; what was decided comes before what was executed at that time
static int compare_lines(const void *a, const void *b)
{
    const struct path_line *left = a, *right = b;
    if (left->steady_ns != right->steady_ns) {
        return left->steady_ns < right->steady_ns ? -1 : 1;
    }
    return (left->kind == PATH_EXECUTED) - (right->kind == PATH_EXECUTED);
}

enum tn_result path_read_execution_log(const char *path, enum tn_side side,
                                       struct path_side_record *out, struct tn_error *err)
{
    char *text = NULL;
    size_t size = 0;
    enum tn_result result = tn_file_read(path, log_bytes_max, &text, &size, err);
    int32_t number = 0;
    const char *at = text;
    while (result == TN_OK) {
        const char *end = memchr(at, '\n', size - (size_t)(at - text));
        if (end == NULL) {
            break;
        }
        struct path_line line;
        number++;
        if (*at != '#' && !parse_line(at, (size_t)(end - at), side, &line)) {
            result = tn_error_at(err, TN_ERR_SYNTAX, path, number, 0,
                                 "not a line of an execution log of the %s hand: \"%.*s\"",
                                 tn_side_name(side), (int)(end - at), at);
        } else if (*at != '#') {
            PATH_PUSH(&out->lines, line);
        }
        at = end + 1;
    }
    free(text);
    if (result == TN_OK && out->lines.size > 1) {
        qsort(out->lines.data, out->lines.size, sizeof *out->lines.data, compare_lines);
    }
    return result;
}

static enum tn_result feed(struct tn_oracle *oracle, const char *path, bool is_send_log,
                           struct tn_error *err)
{
    char *text = NULL;
    size_t size = 0;
    enum tn_result result = tn_file_read(path, log_bytes_max, &text, &size, err);
    if (result == TN_OK) {
        result = is_send_log ? tn_oracle_read_sent(oracle, text, size, path, err)
                             : tn_oracle_read_executed(oracle, text, size, path, err);
    }
    free(text);
    return result;
}

enum tn_result path_ask_oracle(const char *send_log, const char *const execution_logs[],
                               struct tn_oracle_verdict *out, struct tn_error *err)
{
    struct tn_oracle *oracle = NULL;
    enum tn_result result = tn_oracle_create(NULL, &oracle, err);
    if (result == TN_OK) {
        result = feed(oracle, send_log, true, err);
    }
    for (unsigned i = 0; result == TN_OK && i < TN_SIDES; i++) {
        result = feed(oracle, execution_logs[i], false, err);
    }
    if (result == TN_OK) {
        result = tn_oracle_judge(oracle, out, err);
    }
    tn_oracle_destroy(&oracle);
    return result;
}
