// SPDX-License-Identifier: Apache-2.0
// parameter values as text: what `ros2 param get` prints and `ros2 param set` reads
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/param_client.h"
#include "ros/ros__param.h"
#include "ros/ros__scalar.h"
#include "ros/ros__yaml.h"

const char *tn_ros_param_type_text(uint8_t type)
{
    static const char *const names[] = {
        "not set",    "bool",       "integer",       "double",       "string",
        "byte_array", "bool_array", "integer_array", "double_array", "string_array"};
    return type < TN_ARRAY_SIZE(names) ? names[type] : "unknown type";
}

const char *tn_ros_param_type_label(uint8_t type)
{
    static const char *const labels[] = {
        "Parameter not set.", "Boolean value is:", "Integer value is:",   "Double value is:",
        "String value is:",   "Byte values are:",  "Boolean values are:", "Integer values are:",
        "Double values are:", "String values are:"};
    return type < TN_ARRAY_SIZE(labels) ? labels[type] : "Unknown parameter type.";
}

// ---- printing ----

struct text {
    char *data;
    size_t capacity, size;
};

static void append(struct text *out, const char *format, ...) TN_PRINTF(2, 3);

static void append(struct text *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = out->size < out->capacity ? out->capacity - out->size : 0;
    int n = vsnprintf(room > 0 ? out->data + out->size : NULL, room, format, args);
    va_end(args);
    out->size += n > 0 ? (size_t)n : 0;
}

static void append_double(struct text *out, double value)
{
    char number[TN_ROS__DOUBLE_TEXT_MAX];
    tn_ros__scalar_print_double(value, number);
    append(out, "%s", number);
}

/// Python's repr() of a string; UTF-8 stays as it is.
static void append_repr(struct text *out, struct tn_str s)
{
    bool has_single = s.size > 0 && memchr(s.data, '\'', s.size) != NULL;
    bool has_double = s.size > 0 && memchr(s.data, '"', s.size) != NULL;
    char quote = has_single && !has_double ? '"' : '\'';
    append(out, "%c", quote);
    for (uint32_t i = 0; i < s.size; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (c == (unsigned char)quote || c == '\\')
            append(out, "\\%c", c);
        else if (c == '\n' || c == '\t' || c == '\r')
            append(out, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
        else if (c < 0x20 || c == 0x7f)
            append(out, "\\x%02x", c);
        else
            append(out, "%c", c);
    }
    append(out, "%c", quote);
}

static const char *comma(uint32_t i)
{
    return i > 0 ? ", " : "";
}

static void append_list(struct text *out, const struct rcl_interfaces_msg_ParameterValue *v)
{
    if (v->type == TN_ROS_PARAM_BYTE_ARRAY)
        for (uint32_t i = 0; i < v->byte_array_value.size; i++)
            append(out, "%sb'\\x%02x'", comma(i), v->byte_array_value.data[i]);
    else if (v->type == TN_ROS_PARAM_BOOL_ARRAY)
        for (uint32_t i = 0; i < v->bool_array_value.size; i++)
            append(out, "%s%s", comma(i), v->bool_array_value.data[i] ? "True" : "False");
    else if (v->type == TN_ROS_PARAM_INTEGER_ARRAY)
        for (uint32_t i = 0; i < v->integer_array_value.size; i++)
            append(out, "%s%lld", comma(i), (long long)v->integer_array_value.data[i]);
    else if (v->type == TN_ROS_PARAM_DOUBLE_ARRAY)
        for (uint32_t i = 0; i < v->double_array_value.size; i++) {
            append(out, "%s", comma(i));
            append_double(out, v->double_array_value.data[i]);
        }
    else
        for (uint32_t i = 0; i < v->string_array_value.size; i++) {
            append(out, "%s", comma(i));
            append_repr(out, v->string_array_value.data[i]);
        }
}

static void append_array(struct text *out, const struct rcl_interfaces_msg_ParameterValue *value)
{
    // rclpy holds numbers in an array.array, which prints its type code unless it is empty
    bool is_integers = value->type == TN_ROS_PARAM_INTEGER_ARRAY;
    if (!is_integers && value->type != TN_ROS_PARAM_DOUBLE_ARRAY) {
        append(out, "[");
        append_list(out, value);
        append(out, "]");
        return;
    }
    uint32_t n = is_integers ? value->integer_array_value.size : value->double_array_value.size;
    append(out, "array('%c'%s", is_integers ? 'q' : 'd', n > 0 ? ", [" : "");
    append_list(out, value);
    append(out, n > 0 ? "])" : ")");
}

size_t tn_ros_param_value_print(const struct rcl_interfaces_msg_ParameterValue *value, char *buffer,
                                size_t capacity)
{
    struct text out = {buffer, capacity, 0};
    if (capacity > 0)
        buffer[0] = '\0';
    if (value->type == TN_ROS_PARAM_BOOL)
        append(&out, "%s", value->bool_value ? "True" : "False");
    else if (value->type == TN_ROS_PARAM_INTEGER)
        append(&out, "%lld", (long long)value->integer_value);
    else if (value->type == TN_ROS_PARAM_DOUBLE)
        append_double(&out, value->double_value);
    else if (value->type == TN_ROS_PARAM_STRING)
        append(&out, "%.*s", (int)value->string_value.size,
               value->string_value.size > 0 ? value->string_value.data : "");
    else if (value->type >= TN_ROS_PARAM_BYTE_ARRAY && value->type <= TN_ROS_PARAM_STRING_ARRAY)
        append_array(&out, value);
    else
        append(&out, "None");
    return out.size;
}

// ---- reading ----

static enum tn_result read_scalar(const struct tn_ros__yaml_item *item, struct tn_arena *arena,
                                  struct rcl_interfaces_msg_ParameterValue *out)
{
    struct tn_ros__scalar scalar = tn_ros__scalar_read(item->text, item->size, item->is_plain);
    out->type = (uint8_t)scalar.type;
    out->bool_value = scalar.boolean;
    out->integer_value = scalar.integer;
    out->double_value = scalar.number;
    if (scalar.type != TN_ROS_PARAM_STRING)
        return TN_OK;
    char *copy = tn_arena_strndup(arena, item->text, item->size);
    if (copy == NULL)
        return TN_ERR_NO_MEMORY;
    out->string_value = (struct tn_str){copy, (uint32_t)item->size};
    return TN_OK;
}

static size_t element_size(enum tn_ros_param_type type)
{
    return type == TN_ROS_PARAM_BOOL      ? sizeof(bool)
           : type == TN_ROS_PARAM_INTEGER ? sizeof(int64_t)
           : type == TN_ROS_PARAM_DOUBLE  ? sizeof(double)
                                          : sizeof(struct tn_str);
}

static void set_array(struct rcl_interfaces_msg_ParameterValue *out, enum tn_ros_param_type type,
                      const void *data, uint32_t n)
{
    if (type == TN_ROS_PARAM_BOOL) {
        out->type = TN_ROS_PARAM_BOOL_ARRAY;
        out->bool_array_value = (struct tn_seq_bool){data, n};
    } else if (type == TN_ROS_PARAM_INTEGER) {
        out->type = TN_ROS_PARAM_INTEGER_ARRAY;
        out->integer_array_value = (struct tn_seq_i64){data, n};
    } else if (type == TN_ROS_PARAM_DOUBLE) {
        out->type = TN_ROS_PARAM_DOUBLE_ARRAY;
        out->double_array_value = (struct tn_seq_f64){data, n};
    } else {
        out->type = TN_ROS_PARAM_STRING_ARRAY;
        out->string_array_value = (struct tn_seq_str){data, n};
    }
}

static enum tn_result read_list(const struct tn_ros__yaml_value *value, struct tn_arena *arena,
                                struct rcl_interfaces_msg_ParameterValue *out, struct tn_error *err)
{
    // an empty list has no type of its own
    enum tn_ros_param_type type = TN_ROS_PARAM_STRING;
    char *data = NULL;
    size_t size = 0;
    if (value->n_items > TN_ROS__YAML_ITEMS_MAX)
        return tn_error_set(err, TN_ERR_LIMIT, "the list has %u elements; at most %d are allowed",
                            value->n_items, TN_ROS__YAML_ITEMS_MAX);
    for (uint32_t i = 0; i < value->n_items; i++) {
        struct rcl_interfaces_msg_ParameterValue element = {0};
        if (read_scalar(&value->items[i], arena, &element) != TN_OK)
            return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for a list");
        if (i == 0) {
            type = (enum tn_ros_param_type)element.type;
            size = element_size(type);
            data = tn_arena_alloc(arena, value->n_items, size, _Alignof(max_align_t));
            if (data == NULL)
                return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for a list");
        }
        if (element.type != (uint8_t)type || type == TN_ROS_PARAM_NOT_SET)
            return tn_error_set(err, TN_ERR_SYNTAX,
                                "element %u is of another type (%s) than the first one (%s); a "
                                "list holds one type",
                                i + 1, tn_ros_param_type_text(element.type),
                                tn_ros_param_type_text((uint8_t)type));
        const void *from = type == TN_ROS_PARAM_BOOL      ? (const void *)&element.bool_value
                           : type == TN_ROS_PARAM_INTEGER ? (const void *)&element.integer_value
                           : type == TN_ROS_PARAM_DOUBLE  ? (const void *)&element.double_value
                                                          : (const void *)&element.string_value;
        memcpy(data + i * size, from, size);
    }
    set_array(out, type, data, value->n_items);
    return TN_OK;
}

enum tn_result tn_ros__param_value_from_yaml(const struct tn_ros__yaml_value *value,
                                             struct tn_arena *arena,
                                             struct rcl_interfaces_msg_ParameterValue *out,
                                             struct tn_error *err)
{
    memset(out, 0, sizeof *out);
    if (value->is_sequence)
        return read_list(value, arena, out, err);
    if (read_scalar(&value->items[0], arena, out) != TN_OK)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for a text");
    return TN_OK;
}

enum tn_result tn_ros_param_value_parse(const char *yaml, struct tn_arena *arena,
                                        struct rcl_interfaces_msg_ParameterValue *out_value,
                                        struct tn_error *err)
{
    struct tn_ros__yaml_value *value = malloc(sizeof *value);
    if (value == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for a value");
    enum tn_result result = tn_ros__yaml_read_value(yaml, strlen(yaml), "", value, err);
    if (result == TN_OK)
        result = tn_ros__param_value_from_yaml(value, arena, out_value, err);
    free(value);
    return result;
}
