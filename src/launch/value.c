// SPDX-License-Identifier: Apache-2.0
// what a text means as YAML 1.1
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <yaml.h>

#include "base/parse.h"
#include "launch/launch__value.h"
#include "rosidl/yaml/yaml.h"

/// Longest text that may be a number.
#define NUMBER_MAX 128

/// What a plain scalar is.
enum meaning { MEANS_STRING, MEANS_BOOL, MEANS_INT, MEANS_FLOAT, MEANS_OTHER };

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, text) == 0)
            return true;
    return false;
}

static size_t skip(const char **at, const char *set)
{
    size_t n = strspn(*at, set);
    *at += n;
    return n;
}

/// d:dd:dd or dd:dd:dd, with anything behind it that has no letters but a zone.
static bool is_time(const char *at)
{
    size_t hours = skip(&at, "0123456789");
    if (hours < 1 || hours > 2 || *at++ != ':' || skip(&at, "0123456789") != 2 || *at++ != ':' ||
        skip(&at, "0123456789") != 2)
        return false;
    return at[strspn(at, "0123456789.:+-Z \t")] == '\0';
}

/// dddd-dd-dd with or without a time behind it.
static bool is_date(const char *text)
{
    static const char digits[] = "0123456789";
    const char *at = text;
    if (skip(&at, digits) != 4 || *at++ != '-')
        return false;
    size_t month = skip(&at, digits);
    if (month < 1 || month > 2 || *at++ != '-')
        return false;
    size_t day = skip(&at, digits);
    if (*at == '\0')
        return month == 2 && day == 2;
    bool has_gap = *at == 'T' || *at == 't' ? at++ != NULL : skip(&at, " \t") > 0;
    return day >= 1 && day <= 2 && has_gap && is_time(at);
}

/// Sexagesimal digits behind the first group; `at` stands on a colon.
static bool skip_sixties(const char **at)
{
    bool has_any = false;
    while (**at == ':') {
        (*at)++;
        size_t n = skip(at, "0123456789");
        if (n < 1 || n > 2 || (n == 2 && (*at)[-2] > '5'))
            return false;
        has_any = true;
    }
    return has_any;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// Behind the first group of base 60: more groups, perhaps a fraction.
static enum meaning meaning_of_sixties(const char *first, const char *at)
{
    if (!skip_sixties(&at))
        return MEANS_STRING;
    if (*at == '\0')
        return *first != '0' ? MEANS_INT : MEANS_STRING;
    if (*at++ != '.')
        return MEANS_STRING;
    (void)skip(&at, "0123456789_");
    return *at == '\0' ? MEANS_FLOAT : MEANS_STRING;
}

/// At the point: its digits, perhaps an exponent, which has a sign.
static enum meaning meaning_of_fraction(const char *at, bool has_digits)
{
    if (*at != '.' || (!has_digits && !is_digit(at[1])))
        return MEANS_STRING;
    at++;
    (void)skip(&at, "0123456789_");
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at != '-' && *at != '+')
            return MEANS_STRING;
        at++;
        if (skip(&at, "0123456789") == 0)
            return MEANS_STRING;
    }
    return *at == '\0' ? MEANS_FLOAT : MEANS_STRING;
}

static enum meaning meaning_of_number(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    if (at[0] == '0' && (at[1] == 'b' || at[1] == 'x')) {
        const char *set = at[1] == 'b' ? "01_" : "0123456789abcdefABCDEF_";
        at += 2;
        return skip(&at, set) > 0 && *at == '\0' ? MEANS_INT : MEANS_STRING;
    }
    const char *first = at;
    bool begins = is_digit(*at);
    if (begins)
        (void)skip(&at, "0123456789_");
    if (begins && *at == ':')
        return meaning_of_sixties(first, at);
    // -.5 is a string to PyYAML, though not to ROS
    if (!begins && first != text)
        return MEANS_STRING;
    if (!begins || *at != '\0')
        return meaning_of_fraction(at, begins);
    bool is_octal = first[0] == '0' && first[1] != '\0';
    return !is_octal || strspn(first, "01234567_") == strlen(first) ? MEANS_INT : MEANS_STRING;
}

static const char *const true_words[] = {"yes",  "Yes", "YES", "true", "True",
                                         "TRUE", "on",  "On",  "ON",   NULL};
static const char *const false_words[] = {"no",    "No",  "NO",  "false", "False",
                                          "FALSE", "off", "Off", "OFF",   NULL};
static const char *const special_floats[] = {".inf",  ".Inf",  ".INF",  "+.inf", "+.Inf",
                                             "+.INF", "-.inf", "-.Inf", "-.INF", ".nan",
                                             ".NaN",  ".NAN",  NULL};
static const char *const other_words[] = {"", "~", "null", "Null", "NULL", "=", "<<", NULL};

static enum meaning meaning_of(const char *text)
{
    if (is_one_of(text, true_words) || is_one_of(text, false_words))
        return MEANS_BOOL;
    if (is_one_of(text, special_floats))
        return MEANS_FLOAT;
    if (is_one_of(text, other_words) || is_date(text))
        return MEANS_OTHER;
    return strlen(text) < NUMBER_MAX ? meaning_of_number(text) : MEANS_STRING;
}

static enum tn_result no_memory(struct tn_error *err)
{
    return tn_error_set(err, TN_ERR_NO_MEMORY, "the values need too much memory");
}

static enum tn_result set_text(struct tn_launch__scalar *out, const char *text,
                               struct tn_arena *arena, struct tn_error *err)
{
    out->text = tn_arena_strndup(arena, text, strlen(text));
    return out->text != NULL ? TN_OK : no_memory(err);
}

static enum tn_result set_integer(struct tn_launch__scalar *out, int64_t i, struct tn_arena *arena,
                                  struct tn_error *err)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRId64, i);
    out->type = TN_LAUNCH__TYPE_INT;
    return set_text(out, digits, arena, err);
}

/// In PyYAML's spelling: with a point, which YAML 1.1 wants.
static enum tn_result set_float(struct tn_launch__scalar *out, double d, struct tn_arena *arena,
                                struct tn_error *err)
{
    char digits[40], text[48];
    (void)tn_yaml_format_f64(d, digits, sizeof digits);
    const char *exponent = strchr(digits, 'e');
    if (isnan(d))
        (void)snprintf(text, sizeof text, ".nan");
    else if (isinf(d))
        (void)snprintf(text, sizeof text, "%s.inf", d < 0 ? "-" : "");
    else if (exponent != NULL && strchr(digits, '.') == NULL)
        (void)snprintf(text, sizeof text, "%.*s.0%s", (int)(exponent - digits), digits, exponent);
    else
        (void)snprintf(text, sizeof text, "%s", digits);
    out->type = TN_LAUNCH__TYPE_FLOAT;
    out->number = d;
    return set_text(out, text, arena, err);
}

/// Base 60: 1:30 is 90. Groups of an integer, or with a fraction in the last one.
static double read_sixties(const char *digits)
{
    double sum = 0, group = 0;
    for (const char *at = digits; *at != '\0';) {
        size_t n = strcspn(at, ":");
        if (tn_parse_f64(at, n, 0, HUGE_VAL, &group) != TN_OK)
            return HUGE_VAL;
        sum = sum * 60 + group;
        at += n + (at[n] == ':');
    }
    return sum;
}

/// `text` has the form of an integer of YAML 1.1.
static enum tn_result read_yaml_integer(const char *text, int64_t *out)
{
    char digits[NUMBER_MAX + 4];
    size_t n = 0;
    const char *at = text;
    bool is_negative = *at == '-';
    at += *at == '-' || *at == '+';
    if (is_negative)
        digits[n++] = '-';
    bool is_octal = at[0] == '0' && at[1] >= '0' && at[1] <= '7';
    if (is_octal) {
        digits[n++] = '0';
        digits[n++] = 'o';
        at++;
    }
    for (; *at != '\0'; at++)
        if (*at != '_')
            digits[n++] = *at;
    digits[n] = '\0';
    if (strchr(digits, ':') == NULL)
        return tn_parse_i64(digits, n, INT64_MIN, INT64_MAX, out);
    double sum = read_sixties(digits + is_negative);
    if (!(sum < 9.0e15))
        return TN_ERR_RANGE;
    *out = (int64_t)(is_negative ? -sum : sum);
    return TN_OK;
}

static double read_yaml_float(const char *text)
{
    char digits[NUMBER_MAX];
    size_t n = 0;
    bool is_negative = *text == '-';
    const char *at = text + (*text == '-' || *text == '+');
    if (strcmp(at, ".nan") == 0 || strcmp(at, ".NaN") == 0 || strcmp(at, ".NAN") == 0)
        return (double)NAN;
    double d = HUGE_VAL; // .inf, or too large
    if (at[0] != '.' || (at[1] >= '0' && at[1] <= '9')) {
        for (; *at != '\0' && n + 1 < sizeof digits; at++)
            if (*at != '_')
                digits[n++] = *at;
        digits[n] = '\0';
        if (strchr(digits, ':') != NULL)
            d = read_sixties(digits);
        else
            d = tn_parse_f64(digits, n, 0, HUGE_VAL, &d) == TN_OK ? d : HUGE_VAL;
    }
    return is_negative ? -d : d;
}

/// A scalar event becomes a value.
static enum tn_result read_scalar(const char *text, bool is_plain, struct tn_arena *arena,
                                  struct tn_launch__scalar *out, struct tn_error *err)
{
    *out = (struct tn_launch__scalar){.type = TN_LAUNCH__TYPE_STR, .is_quoted = !is_plain};
    int64_t i = 0;
    switch (is_plain ? meaning_of(text) : MEANS_STRING) {
    case MEANS_STRING:
        return set_text(out, text, arena, err);
    case MEANS_BOOL:
        out->type = TN_LAUNCH__TYPE_BOOL;
        return set_text(out, is_one_of(text, true_words) ? "true" : "false", arena, err);
    case MEANS_INT:
        if (read_yaml_integer(text, &i) != TN_OK)
            return tn_error_set(err, TN_ERR_RANGE, "%.60s needs more than 64 bits", text);
        return set_integer(out, i, arena, err);
    case MEANS_FLOAT:
        return set_float(out, read_yaml_float(text), arena, err);
    case MEANS_OTHER:
        break;
    }
    return tn_error_set(
        err, TN_ERR_INVALID_ARGUMENT,
        "\"%.60s\" is %s for YAML, which no parameter can be; type=\"str\" makes it "
        "a string",
        text, is_date(text) ? "a date" : "nothing");
}

struct yaml_reader {
    yaml_parser_t parser;
    struct tn_arena *arena;
    struct tn_launch__data *out;
    struct tn_launch__scalar one;
    size_t mark;
    struct tn_error *err;
};

static enum tn_result add_item(struct yaml_reader *y, const yaml_event_t *event, uint32_t *capacity)
{
    struct tn_launch__data *out = y->out;
    const char *text = (const char *)event->data.scalar.value;
    if (event->data.scalar.tag != NULL || event->data.scalar.anchor != NULL)
        return tn_error_set(y->err, TN_ERR_INVALID_ARGUMENT,
                            "tags and anchors of YAML are not accepted in values");
    if (strlen(text) != event->data.scalar.length)
        return tn_error_set(y->err, TN_ERR_INVALID_ARGUMENT, "a value with a NUL in it");
    if (out->n == *capacity) {
        if (*capacity >= TN_LAUNCH__ITEMS_MAX)
            return tn_error_set(y->err, TN_ERR_LIMIT, "a list of more than %u elements",
                                TN_LAUNCH__ITEMS_MAX);
        *capacity = *capacity == 0 ? 4 : *capacity * 4;
        struct tn_launch__scalar *grown =
            tn_arena_alloc(y->arena, *capacity, sizeof *grown, _Alignof(struct tn_launch__scalar));
        if (grown == NULL)
            return no_memory(y->err);
        if (out->n > 0)
            memcpy(grown, out->items, out->n * sizeof *grown);
        out->items = grown;
    }
    bool is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    return read_scalar(text, is_plain, y->arena, &out->items[out->n++], y->err);
}

static enum tn_result not_yaml(struct yaml_reader *y)
{
    return tn_error_set(y->err, TN_ERR_SYNTAX, "not YAML: %.100s",
                        y->parser.problem != NULL ? y->parser.problem : "it cannot be read");
}

static enum tn_result another_kind(struct yaml_reader *y, const char *what)
{
    return tn_error_set(y->err, TN_ERR_INVALID_ARGUMENT,
                        "%s, but a parameter is a boolean, number, string or list of those; "
                        "type=\"str\" makes it a string",
                        what);
}

/// Looks at one event. `*is_done`: the stream ended.
static enum tn_result take_event(struct yaml_reader *y, const yaml_event_t *event,
                                 uint32_t *capacity, uint32_t *n_documents, bool *is_done)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return add_item(y, event, capacity);
    case YAML_SEQUENCE_START_EVENT:
        if (y->out->is_list)
            return another_kind(y, "a list inside a list");
        y->out->is_list = true;
        return TN_OK;
    case YAML_MAPPING_START_EVENT:
        return another_kind(y, "a map");
    case YAML_ALIAS_EVENT:
        return another_kind(y, "an alias");
    case YAML_DOCUMENT_START_EVENT:
        return (*n_documents)++ == 0 ? TN_OK : another_kind(y, "several documents");
    case YAML_STREAM_END_EVENT:
        *is_done = true;
        return TN_OK;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        break;
    }
    return TN_OK;
}

enum tn_result tn_launch__read_yaml(const char *text, struct tn_arena *arena,
                                    struct tn_launch__data *out, struct tn_error *err)
{
    *out = (struct tn_launch__data){0};
    struct yaml_reader y = {.arena = arena, .out = out, .err = err};
    if (!yaml_parser_initialize(&y.parser))
        return no_memory(err);
    yaml_parser_set_encoding(&y.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&y.parser, (const unsigned char *)text, strlen(text));
    enum tn_result result = TN_OK, problem = TN_OK;
    uint32_t capacity = 0, n_documents = 0;
    // read to the end: a text that is no YAML is told so, whatever it begins with
    for (bool is_done = false; !is_done && result == TN_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&y.parser, &event)) {
            result = not_yaml(&y);
            break;
        }
        if (problem == TN_OK)
            problem = take_event(&y, &event, &capacity, &n_documents, &is_done);
        else
            is_done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&y.parser);
    if (result == TN_OK && problem == TN_OK && !out->is_list && out->n == 0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "nothing for YAML; type=\"str\" makes it a string");
    return result != TN_OK ? result : problem;
}

enum tn_result tn_launch__check_yaml(const char *text, size_t size, struct tn_error *err)
{
    struct yaml_reader y = {.err = err};
    if (!yaml_parser_initialize(&y.parser))
        return no_memory(err);
    yaml_parser_set_encoding(&y.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&y.parser, (const unsigned char *)text, size);
    enum tn_result result = TN_OK;
    for (bool is_done = false; !is_done && result == TN_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&y.parser, &event)) {
            result = not_yaml(&y);
            break;
        }
        is_done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&y.parser);
    return result;
}

// ---- Python's int() and float() ----

/// Without blanks around it; underscores between digits are left out.
static bool strip_number(const char *text, char out[NUMBER_MAX])
{
    size_t n = 0;
    text += strspn(text, " \t\r\n");
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t\r\n", text[size - 1]) != NULL)
        size--;
    for (size_t i = 0; i < size; i++) {
        bool is_between = text[i] == '_' && i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9' &&
                          text[i + 1] >= '0' && text[i + 1] <= '9';
        if (n + 1 == NUMBER_MAX)
            return false;
        if (!is_between)
            out[n++] = text[i];
    }
    out[n] = '\0';
    return n > 0;
}

static enum tn_result read_python_int(const char *text, int64_t *out)
{
    char digits[NUMBER_MAX];
    if (!strip_number(text, digits) ||
        strspn(digits + (digits[0] == '-' || digits[0] == '+'), "0123456789") +
                (digits[0] == '-' || digits[0] == '+') !=
            strlen(digits))
        return TN_ERR_SYNTAX;
    return tn_parse_i64(digits, strlen(digits), INT64_MIN, INT64_MAX, out);
}

static enum tn_result read_python_float(const char *text, double *out)
{
    char digits[NUMBER_MAX];
    if (!strip_number(text, digits))
        return TN_ERR_SYNTAX;
    for (char *c = digits; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    const char *word = digits + (digits[0] == '-' || digits[0] == '+');
    if (strcmp(word, "inf") == 0 || strcmp(word, "infinity") == 0 || strcmp(word, "nan") == 0) {
        double d = *word == 'n' ? (double)NAN : HUGE_VAL;
        *out = digits[0] == '-' ? -d : d;
        return TN_OK;
    }
    enum tn_result result = tn_parse_f64(digits, strlen(digits), -HUGE_VAL, HUGE_VAL, out);
    if (result == TN_ERR_RANGE && strchr(digits, 'x') == NULL) {
        *out = digits[0] == '-' ? -HUGE_VAL : HUGE_VAL;
        return TN_OK;
    }
    return result;
}

const char *tn_launch__type_name(enum tn_launch__type type)
{
    static const char *const names[] = {"yaml", "str", "bool", "int", "float"};
    return names[type];
}

enum tn_result tn_launch__read_as(const char *text, enum tn_launch__type type,
                                  struct tn_arena *arena, struct tn_launch__scalar *out,
                                  struct tn_error *err)
{
    int64_t i = 0;
    double d = 0;
    bool is_true = false;
    enum tn_result result = TN_OK;
    *out = (struct tn_launch__scalar){.type = type, .is_quoted = true};
    if (type == TN_LAUNCH__TYPE_STR)
        return set_text(out, text, arena, err);
    if (type == TN_LAUNCH__TYPE_INT)
        result = read_python_int(text, &i);
    else if (type == TN_LAUNCH__TYPE_FLOAT)
        result = read_python_float(text, &d);
    else
        return (result = tn_launch__read_bool(text, arena, &is_true, err)) != TN_OK
                   ? result
                   : set_text(out, is_true ? "true" : "false", arena, err);
    if (result == TN_ERR_RANGE)
        return tn_error_set(err, TN_ERR_RANGE, "%.60s needs more than 64 bits", text);
    if (result != TN_OK)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "\"%.60s\" is no %s", text,
                            tn_launch__type_name(type));
    return type == TN_LAUNCH__TYPE_INT ? set_integer(out, i, arena, err)
                                       : set_float(out, d, arena, err);
}

enum tn_result tn_launch__read_bool(const char *text, struct tn_arena *arena, bool *out,
                                    struct tn_error *err)
{
    struct tn_launch__data data;
    if (strcmp(text, "1") == 0 || strcmp(text, "0") == 0) {
        *out = *text == '1';
        return TN_OK;
    }
    enum tn_result result = tn_launch__read_yaml(text, arena, &data, NULL);
    if (result != TN_OK || data.is_list || data.items[0].type != TN_LAUNCH__TYPE_BOOL)
        return tn_error_set(err, result == TN_ERR_NO_MEMORY ? result : TN_ERR_INVALID_ARGUMENT,
                            "\"%.60s\" is no bool: true or false", text);
    *out = strcmp(data.items[0].text, "true") == 0;
    return TN_OK;
}

// ---- parameter files ----

struct writer {
    yaml_emitter_t emitter;
    struct tn_launch__text *out;
    enum tn_result result;
};

static int write_bytes(void *context, unsigned char *data, size_t size)
{
    struct writer *w = context;
    w->result = tn_launch__text_append(w->out, (const char *)data, size);
    return w->result == TN_OK;
}

/// `is_ready`: the event could be made.
static void emit(struct writer *w, yaml_event_t *event, int is_ready)
{
    if (w->result == TN_OK && !is_ready)
        w->result = TN_ERR_NO_MEMORY;
    else if (w->result != TN_OK && is_ready)
        yaml_event_delete(event);
    else if (w->result == TN_OK && !yaml_emitter_emit(&w->emitter, event) && w->result == TN_OK)
        w->result = TN_ERR_NO_MEMORY;
}

/// `is_plain`: may stand without quotes, if its letters allow it.
static void emit_scalar(struct writer *w, const char *text, bool is_plain)
{
    yaml_event_t event;
    emit(w, &event,
         yaml_scalar_event_initialize(
             &event, NULL, NULL, (const yaml_char_t *)text, (int)strlen(text), is_plain, 1,
             is_plain ? YAML_PLAIN_SCALAR_STYLE : YAML_SINGLE_QUOTED_SCALAR_STYLE));
}

/// A string that was not quoted stays so where YAML takes it for a string: what ROS makes of such
/// texts (1e3 is a number to it) is as with launch_ros.
static void emit_item(struct writer *w, const struct tn_launch__scalar *item)
{
    bool is_string = item->type == TN_LAUNCH__TYPE_STR;
    emit_scalar(w, item->text,
                !is_string || (!item->is_quoted && meaning_of(item->text) == MEANS_STRING));
}

static void emit_data(struct writer *w, const struct tn_launch__data *data)
{
    yaml_event_t event;
    if (!data->is_list) {
        emit_item(w, &data->items[0]);
        return;
    }
    emit(w, &event,
         yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE));
    for (uint32_t i = 0; i < data->n && w->result == TN_OK; i++)
        emit_item(w, &data->items[i]);
    emit(w, &event, yaml_sequence_end_event_initialize(&event));
}

static void begin_map(struct writer *w)
{
    yaml_event_t event;
    emit(w, &event,
         yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE));
}

static void end_map(struct writer *w)
{
    yaml_event_t event;
    emit(w, &event, yaml_mapping_end_event_initialize(&event));
}

static bool is_repeated(const struct tn_launch__param *param)
{
    for (const struct tn_launch__param *p = param->next; p != NULL; p = p->next)
        if (strcmp(p->name, param->name) == 0)
            return true;
    return false;
}

enum tn_result tn_launch__write_params(const char *section, const struct tn_launch__param *first,
                                       struct tn_launch__text *out)
{
    struct writer w = {.out = out, .result = TN_OK};
    yaml_event_t event;
    if (!yaml_emitter_initialize(&w.emitter))
        return TN_ERR_NO_MEMORY;
    yaml_emitter_set_output(&w.emitter, write_bytes, &w);
    yaml_emitter_set_unicode(&w.emitter, 1);
    yaml_emitter_set_width(&w.emitter, -1);
    emit(&w, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(&w, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
    begin_map(&w);
    emit_scalar(&w, section, true);
    begin_map(&w);
    emit_scalar(&w, "ros__parameters", true);
    begin_map(&w);
    for (const struct tn_launch__param *p = first; p != NULL; p = p->next) {
        if (!is_repeated(p)) {
            emit_scalar(&w, p->name, meaning_of(p->name) == MEANS_STRING);
            emit_data(&w, &p->data);
        }
    }
    end_map(&w);
    end_map(&w);
    end_map(&w);
    emit(&w, &event, yaml_document_end_event_initialize(&event, 1));
    emit(&w, &event, yaml_stream_end_event_initialize(&event));
    yaml_emitter_delete(&w.emitter);
    return w.result;
}
