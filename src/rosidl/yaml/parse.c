// SPDX-License-Identifier: Apache-2.0
// from YAML to a message, led by its type: what the type does not ask for is an error at once, so
// that the depth of the text never matters
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/parse.h"
#include "rosidl/yaml/yaml__value.h"

#define PATH_MAX_BYTES 128
// first room for a sequence; doubles
#define SEQUENCE_START 8u

struct reader {
    yaml_parser_t parser;
    yaml_event_t event; // the present one
    bool has_event;
    int64_t now_ros_ns;
    struct tn_arena *arena;
    struct tn_error *err;
    char path[PATH_MAX_BYTES]; // member being read
};

// ---- events ----

static enum tn_result fail(struct reader *r, enum tn_result code, const char *format, ...)
    TN_PRINTF(3, 4);
static enum tn_result fail(struct reader *r, enum tn_result code, const char *format, ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    yaml_mark_t mark = r->has_event ? r->event.start_mark : r->parser.problem_mark;
    return tn_error_at(r->err, code, "", (int32_t)mark.line + 1, (int32_t)mark.column + 1,
                       "line %d, column %d: %s%s%s", (int)mark.line + 1, (int)mark.column + 1,
                       r->path, r->path[0] == '\0' ? "" : ": ", text);
}

static enum tn_result next(struct reader *r)
{
    if (r->has_event) {
        yaml_event_delete(&r->event);
    }
    r->has_event = false;
    if (!yaml_parser_parse(&r->parser, &r->event)) {
        if (r->parser.error == YAML_MEMORY_ERROR) {
            return tn_error_set(r->err, TN_ERR_NO_MEMORY, "no memory for YAML");
        }
        return fail(r, TN_ERR_SYNTAX, "%s",
                    r->parser.problem != NULL ? r->parser.problem : "no YAML");
    }
    r->has_event = true;
    if (r->event.type == YAML_ALIAS_EVENT) {
        return fail(r, TN_ERR_SYNTAX, "aliases are not read; write the value out");
    }
    return TN_OK;
}

static const char *scalar(const struct reader *r, size_t *out_size)
{
    *out_size = r->event.data.scalar.length;
    return (const char *)r->event.data.scalar.value;
}

static bool is_scalar(const struct reader *r)
{
    return r->event.type == YAML_SCALAR_EVENT;
}

static bool is_scalar_text(const struct reader *r, const char *text)
{
    size_t size = 0;
    const char *value = is_scalar(r) ? scalar(r, &size) : "";
    return is_scalar(r) && strlen(text) == size && memcmp(value, text, size) == 0;
}

// ---- path of the member ----

static size_t path_push(struct reader *r, const char *name)
{
    size_t used = strlen(r->path);
    (void)snprintf(r->path + used, sizeof r->path - used, "%s%s", used == 0 ? "" : ".", name);
    return used;
}

static size_t path_push_index(struct reader *r, uint32_t index)
{
    size_t used = strlen(r->path);
    (void)snprintf(r->path + used, sizeof r->path - used, "[%u]", index);
    return used;
}

// ---- single values ----

static enum tn_result read_bool(struct reader *r, void *out)
{
    static const char *const yes[] = {"true", "True", "TRUE", "yes", "Yes",
                                      "YES",  "on",   "On",   "ON",  "1"};
    static const char *const no[] = {"false", "False", "FALSE", "no",  "No",
                                     "NO",    "off",   "Off",   "OFF", "0"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(yes); i++) {
        if (is_scalar_text(r, yes[i]) || is_scalar_text(r, no[i])) {
            *(bool *)out = is_scalar_text(r, yes[i]);
            return TN_OK;
        }
    }
    return fail(r, TN_ERR_INVALID_ARGUMENT, "\"%.40s\" is no bool; expected true or false",
                (const char *)r->event.data.scalar.value);
}

// Longest whole number that anybody writes, with sign, prefix and underscores.
#define INTEGER_TEXT_MAX 96

// YAML 1.1, as PyYAML reads it: 010 is 8, 1_000 is 1000, 0o10 and 08 are no numbers. Writes what
// tn_parse_…64 reads; @return its length, 0: no whole number
static size_t plain_integer(const char *text, size_t size, char out[INTEGER_TEXT_MAX])
{
    size_t sign = size > 0 && (text[0] == '-' || text[0] == '+');
    size_t used = 0;
    if (size + 2 > INTEGER_TEXT_MAX || size <= sign || text[sign] == '_')
        return 0;
    bool has_prefix = text[sign] == '0' && size - sign > 1;
    bool is_octal = has_prefix && text[sign + 1] != 'x' && text[sign + 1] != 'b';
    for (size_t i = 0; i < size; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '7';
        if (text[i] == '_')
            continue;
        if (is_octal && i > sign && !is_digit)
            return 0;
        // the zero in front becomes 0o
        out[used++] = text[i];
        if (is_octal && i == sign)
            out[used++] = 'o';
    }
    // "0_" is zero
    if (is_octal && used == sign + 2)
        used--;
    return used;
}

static enum tn_result store_signed(struct reader *r, int64_t min, int64_t max, size_t size,
                                   void *out)
{
    size_t length = 0;
    int64_t value = 0;
    const char *text = scalar(r, &length);
    char plain[INTEGER_TEXT_MAX];
    size_t n = plain_integer(text, length, plain);
    if (n == 0 || tn_parse_i64(plain, n, min, max, &value) != TN_OK) {
        bool is_number = tn_yaml__is_no_string(text, length);
        return fail(r, is_number ? TN_ERR_RANGE : TN_ERR_INVALID_ARGUMENT,
                    "\"%.40s\" is no whole number from %lld to %lld", text, (long long)min,
                    (long long)max);
    }
    int8_t i8 = (int8_t)value;
    int16_t i16 = (int16_t)value;
    int32_t i32 = (int32_t)value;
    const void *from = size == 1   ? (const void *)&i8
                       : size == 2 ? (const void *)&i16
                       : size == 4 ? (const void *)&i32
                                   : (const void *)&value;
    memcpy(out, from, size);
    return TN_OK;
}

static enum tn_result store_unsigned(struct reader *r, uint64_t max, size_t size, void *out)
{
    size_t length = 0;
    uint64_t value = 0;
    const char *text = scalar(r, &length);
    char plain[INTEGER_TEXT_MAX];
    size_t n = plain_integer(text, length, plain);
    if (n == 0 || tn_parse_u64(plain, n, 0, max, &value) != TN_OK) {
        bool is_number = tn_yaml__is_no_string(text, length);
        return fail(r, is_number ? TN_ERR_RANGE : TN_ERR_INVALID_ARGUMENT,
                    "\"%.40s\" is no whole number from 0 to %llu", text, (unsigned long long)max);
    }
    uint8_t u8 = (uint8_t)value;
    uint16_t u16 = (uint16_t)value;
    uint32_t u32 = (uint32_t)value;
    const void *from = size == 1   ? (const void *)&u8
                       : size == 2 ? (const void *)&u16
                       : size == 4 ? (const void *)&u32
                                   : (const void *)&value;
    memcpy(out, from, size);
    return TN_OK;
}

static bool read_special(const struct reader *r, double *out)
{
    static const struct {
        const char *text;
        double value;
    } specials[] = {
        {".inf", (double)INFINITY}, {"+.inf", (double)INFINITY}, {"-.inf", -(double)INFINITY},
        {".nan", (double)NAN},      {".Inf", (double)INFINITY},  {"-.Inf", -(double)INFINITY},
        {".NaN", (double)NAN},      {"inf", (double)INFINITY},   {"-inf", -(double)INFINITY},
        {"nan", (double)NAN},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(specials); i++) {
        if (is_scalar_text(r, specials[i].text)) {
            *out = specials[i].value;
            return true;
        }
    }
    return false;
}

static enum tn_result store_float(struct reader *r, bool is_single, void *out)
{
    size_t size = 0;
    double value = 0;
    double most = is_single ? (double)FLT_MAX : DBL_MAX;
    const char *text = scalar(r, &size);
    enum tn_result result =
        read_special(r, &value) ? TN_OK : tn_parse_f64(text, size, -most, most, &value);
    if (result != TN_OK) {
        bool is_number = result == TN_ERR_RANGE || tn_yaml__is_no_string(text, size);
        return fail(r, is_number ? TN_ERR_RANGE : TN_ERR_INVALID_ARGUMENT,
                    "\"%.40s\" is no number that %s can hold", text,
                    is_single ? "float32" : "float64");
    }
    float single = (float)value;
    memcpy(out, is_single ? (const void *)&single : (const void *)&value, is_single ? 4 : 8);
    return TN_OK;
}

static enum tn_result store_string(struct reader *r, const struct tn_field *field, void *out)
{
    size_t size = 0;
    const char *text = scalar(r, &size);
    if (field->string_capacity > 0 && size > field->string_capacity) {
        return fail(r, TN_ERR_RANGE, "the text has %zu bytes; at most %u are allowed", size,
                    field->string_capacity);
    }
    const char *copy = tn_arena_strndup(r->arena, text, size);
    if (copy == NULL) {
        return tn_error_set(r->err, TN_ERR_NO_MEMORY, "the message is too large");
    }
    *(struct tn_str *)out = (struct tn_str){copy, (uint32_t)size};
    return TN_OK;
}

// libyaml has checked that the text is well-formed UTF-8
static uint32_t next_code(const uint8_t **at)
{
    const uint8_t *b = *at;
    unsigned n = b[0] < 0x80 ? 1 : b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
    uint32_t code = n == 1 ? b[0] : b[0] & (0x7fu >> n);
    for (unsigned i = 1; i < n; i++) {
        code = code << 6 | (b[i] & 0x3fu);
    }
    *at += n;
    return code;
}

static enum tn_result store_wstring(struct reader *r, const struct tn_field *field, void *out)
{
    size_t size = 0;
    uint32_t n = 0;
    const uint8_t *at = (const uint8_t *)scalar(r, &size), *end = at + size;
    uint16_t *units = tn_arena_alloc(r->arena, size + 1, sizeof *units, _Alignof(uint16_t));
    if (units == NULL) {
        return tn_error_set(r->err, TN_ERR_NO_MEMORY, "the message is too large");
    }
    while (at < end) {
        uint32_t code = next_code(&at);
        if (code >= 0x10000) {
            units[n++] = (uint16_t)(0xd800 + ((code - 0x10000) >> 10));
            units[n++] = (uint16_t)(0xdc00 + ((code - 0x10000) & 0x3ff));
        } else {
            units[n++] = (uint16_t)code;
        }
    }
    if (field->string_capacity > 0 && n > field->string_capacity) {
        return fail(r, TN_ERR_RANGE, "the text has %u units; at most %u are allowed", n,
                    field->string_capacity);
    }
    *(struct tn_wstr *)out = (struct tn_wstr){units, n};
    return TN_OK;
}

// a byte is a number, or one character as it is printed
static enum tn_result store_byte(struct reader *r, void *out)
{
    size_t size = 0;
    const uint8_t *text = (const uint8_t *)scalar(r, &size);
    bool is_quoted = r->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (size > 0 && (is_quoted || text[0] < '0' || text[0] > '9')) {
        const uint8_t *at = text;
        uint32_t code = next_code(&at);
        if (code <= 0xff && at == text + size) {
            *(uint8_t *)out = (uint8_t)code;
            return TN_OK;
        }
    }
    return store_unsigned(r, 0xff, 1, out);
}

static enum tn_result read_scalar(struct reader *r, const struct tn_field *field, void *out)
{
    if (!is_scalar(r)) {
        return fail(r, TN_ERR_INVALID_ARGUMENT, "expected a single value");
    }
    size_t size = tn_field_element_size(field);
    switch (field->type) {
    case TN_TYPE_BOOL:
        return read_bool(r, out);
    case TN_TYPE_INT8:
        return store_signed(r, INT8_MIN, INT8_MAX, size, out);
    case TN_TYPE_INT16:
        return store_signed(r, INT16_MIN, INT16_MAX, size, out);
    case TN_TYPE_INT32:
        return store_signed(r, INT32_MIN, INT32_MAX, size, out);
    case TN_TYPE_INT64:
        return store_signed(r, INT64_MIN, INT64_MAX, size, out);
    case TN_TYPE_UINT8:
        return store_unsigned(r, UINT8_MAX, size, out);
    case TN_TYPE_UINT16:
        return store_unsigned(r, UINT16_MAX, size, out);
    case TN_TYPE_UINT32:
        return store_unsigned(r, UINT32_MAX, size, out);
    case TN_TYPE_UINT64:
        return store_unsigned(r, UINT64_MAX, size, out);
    case TN_TYPE_FLOAT32:
        return store_float(r, true, out);
    case TN_TYPE_FLOAT64:
        return store_float(r, false, out);
    case TN_TYPE_BYTE:
        return store_byte(r, out);
    case TN_TYPE_WSTRING:
        return store_wstring(r, field, out);
    case TN_TYPE_STRING:
        return store_string(r, field, out);
    case TN_TYPE_NESTED:
    default:
        return tn_error_set(r->err, TN_ERR_INTERNAL, "no single value");
    }
}

// ---- messages ----

static enum tn_result read_message(struct reader *r, const struct tn_type *type, void *msg);

static enum tn_result read_element(struct reader *r, const struct tn_field *field, void *out)
{
    if (field->type == TN_TYPE_NESTED) {
        return read_message(r, field->nested, out);
    }
    return read_scalar(r, field, out);
}

static size_t align_of(const struct tn_field *field)
{
    return field->type == TN_TYPE_NESTED ? field->nested->align : _Alignof(max_align_t);
}

// room for element `n`; the old ones move along
static void *grow(struct reader *r, const struct tn_field *field, void *elements, uint32_t n,
                  uint32_t *io_capacity)
{
    size_t size = tn_field_element_size(field);
    if (n < *io_capacity) {
        return elements;
    }
    uint32_t capacity = *io_capacity == 0 ? SEQUENCE_START : *io_capacity * 2;
    void *grown = tn_arena_alloc(r->arena, capacity, size, align_of(field));
    if (grown != NULL) {
        memset(grown, 0, capacity * size);
        if (n > 0) {
            memcpy(grown, elements, n * size);
        }
        *io_capacity = capacity;
    }
    return grown;
}

static enum tn_result read_one_of(struct reader *r, const struct tn_field *field, void *element,
                                  uint32_t index)
{
    size_t mark = path_push_index(r, index);
    if (field->type == TN_TYPE_NESTED) {
        tn_type_init(field->nested, element);
    }
    enum tn_result result = read_element(r, field, element);
    if (result == TN_OK) {
        r->path[mark] = '\0';
        result = next(r);
    }
    return result;
}

static enum tn_result read_sequence(struct reader *r, const struct tn_field *field, void *member)
{
    struct tn_seq_any sequence = {0};
    uint32_t capacity = 0;
    void *elements = NULL;
    enum tn_result result = next(r);
    while (result == TN_OK && r->event.type != YAML_SEQUENCE_END_EVENT) {
        if (field->array == TN_ARRAY_BOUNDED && sequence.size == field->capacity) {
            return fail(r, TN_ERR_RANGE, "more than %u elements", field->capacity);
        }
        elements = grow(r, field, elements, sequence.size, &capacity);
        if (elements == NULL) {
            return tn_error_set(r->err, TN_ERR_NO_MEMORY, "the message is too large");
        }
        result =
            read_one_of(r, field, (char *)elements + sequence.size * tn_field_element_size(field),
                        sequence.size);
        sequence.size++;
    }
    if (result == TN_OK) {
        sequence.data = elements;
        memcpy(member, &sequence, sizeof sequence);
    }
    return result;
}

static enum tn_result read_array(struct reader *r, const struct tn_field *field, void *member)
{
    uint32_t n = 0;
    enum tn_result result = next(r);
    while (result == TN_OK && r->event.type != YAML_SEQUENCE_END_EVENT) {
        if (n == field->capacity) {
            return fail(r, TN_ERR_RANGE, "more than %u elements", field->capacity);
        }
        result = read_one_of(r, field, (char *)member + n * tn_field_element_size(field), n);
        n++;
    }
    if (result == TN_OK && n != field->capacity) {
        return fail(r, TN_ERR_RANGE, "%u elements; exactly %u are expected", n, field->capacity);
    }
    return result;
}

static enum tn_result read_member(struct reader *r, const struct tn_field *field, void *member)
{
    if (field->array == TN_ARRAY_NONE) {
        return read_element(r, field, member);
    }
    if (r->event.type != YAML_SEQUENCE_START_EVENT) {
        return fail(r, TN_ERR_INVALID_ARGUMENT, "expected a list");
    }
    return field->array == TN_ARRAY_FIXED ? read_array(r, field, member)
                                          : read_sequence(r, field, member);
}

static const struct tn_field *find_member(const struct tn_type *type, const char *name)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        if (strcmp(type->fields[i].name, name) == 0) {
            return &type->fields[i];
        }
    }
    return NULL;
}

static enum tn_result read_key(struct reader *r, const struct tn_type *type, void *msg)
{
    size_t size = 0;
    const char *name = is_scalar(r) ? scalar(r, &size) : "";
    const struct tn_field *field =
        is_scalar(r) && strlen(name) == size ? find_member(type, name) : NULL;
    if (field == NULL || tn_yaml__is_dummy(field)) {
        return fail(r, TN_ERR_NOT_FOUND, "%s has no member \"%.60s\"", type->ros_name, name);
    }
    size_t mark = path_push(r, field->name);
    enum tn_result result = next(r);
    if (result == TN_OK) {
        result = read_member(r, field, (char *)msg + field->offset);
    }
    if (result == TN_OK) {
        r->path[mark] = '\0';
        result = next(r);
    }
    return result;
}

static void set_time(const struct tn_type *type, void *time, int64_t ros_ns)
{
    int32_t sec = (int32_t)(ros_ns / 1000000000);
    uint32_t nanosec = (uint32_t)(ros_ns % 1000000000);
    memcpy((char *)time + type->fields[0].offset, &sec, sizeof sec);
    memcpy((char *)time + type->fields[1].offset, &nanosec, sizeof nanosec);
}

// `now` and `auto`
static bool read_moment(struct reader *r, const struct tn_type *type, void *msg)
{
    if (is_scalar_text(r, "now") && strcmp(type->ros_name, "builtin_interfaces/msg/Time") == 0) {
        set_time(type, msg, r->now_ros_ns);
        return true;
    }
    if (is_scalar_text(r, "auto") && strcmp(type->ros_name, "std_msgs/msg/Header") == 0) {
        set_time(type->fields[0].nested, (char *)msg + type->fields[0].offset, r->now_ros_ns);
        return true;
    }
    return false;
}

static enum tn_result read_message(struct reader *r, const struct tn_type *type, void *msg)
{
    if (read_moment(r, type, msg)) {
        return TN_OK;
    }
    if (r->event.type != YAML_MAPPING_START_EVENT) {
        return fail(r, TN_ERR_INVALID_ARGUMENT, "expected {member: value, …} of a %s",
                    type->ros_name);
    }
    enum tn_result result = next(r);
    while (result == TN_OK && r->event.type != YAML_MAPPING_END_EVENT) {
        result = read_key(r, type, msg);
    }
    return result;
}

// stream start, document start, message, document end, stream end
static enum tn_result read_stream(struct reader *r, const struct tn_type *type, void *msg)
{
    enum tn_result result = next(r);
    if (result == TN_OK) {
        result = next(r);
    }
    if (result != TN_OK || r->event.type == YAML_STREAM_END_EVENT) {
        return result;
    }
    result = next(r);
    bool is_empty = is_scalar_text(r, "") || is_scalar_text(r, "~") || is_scalar_text(r, "null");
    if (result == TN_OK && !is_empty) {
        result = read_message(r, type, msg);
    }
    if (result == TN_OK) {
        result = next(r);
    }
    if (result == TN_OK) {
        result = next(r);
    }
    if (result == TN_OK && r->event.type != YAML_STREAM_END_EVENT) {
        return fail(r, TN_ERR_SYNTAX, "there is more than one document");
    }
    return result;
}

enum tn_result tn_yaml_parse(const struct tn_type *type, const char *text, size_t size,
                             int64_t now_ros_ns, struct tn_arena *arena, void *out_msg,
                             struct tn_error *err)
{
    struct reader reader = {.now_ros_ns = now_ros_ns, .arena = arena, .err = err};
    tn_type_init(type, out_msg);
    if (size > TN_YAML_TEXT_MAX) {
        return tn_error_set(err, TN_ERR_LIMIT, "the YAML text has %zu bytes; at most %u are read",
                            size, TN_YAML_TEXT_MAX);
    }
    if (!yaml_parser_initialize(&reader.parser)) {
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for YAML");
    }
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const yaml_char_t *)text, size);
    enum tn_result result = read_stream(&reader, type, out_msg);
    if (reader.has_event) {
        yaml_event_delete(&reader.event);
    }
    yaml_parser_delete(&reader.parser);
    return result;
}
