// SPDX-License-Identifier: Apache-2.0
// values of a config as messages, and back
#include <stdio.h>
#include <string.h>

#include "ros/param_client.h"
#include "ros/ros__param_server.h"

// ---- config to message ----

static enum tn_result read_strings(const struct tn_ros_string_array *array, struct tn_arena *arena,
                                   struct rcl_interfaces_msg_ParameterValue *out)
{
    struct tn_str *data = tn_arena_alloc(arena, array->size, sizeof *data, _Alignof(struct tn_str));
    if (data == NULL)
        return TN_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < array->size; i++)
        data[i] = tn_str_from(array->data[i]);
    out->string_array_value = (struct tn_seq_str){data, array->size};
    return TN_OK;
}

/// The members of all array structs but strings: a size and numbers.
#define VIEW(kind, sequence)                                                                       \
    do {                                                                                           \
        const struct tn_ros_##kind##_array *array = member;                                        \
        out->kind##_array_value = (struct sequence){array->data, array->size};                     \
    } while (0)

enum tn_result tn_ros__param_value_of(struct tn_ros__param_ref ref, struct tn_arena *arena,
                                      struct rcl_interfaces_msg_ParameterValue *out)
{
    const void *member = (const uint8_t *)ref.group->set.config + ref.param->offset;
    memset(out, 0, sizeof *out);
    out->type = (uint8_t)ref.param->type;
    switch (ref.param->type) {
    case TN_ROS_PARAM_BOOL:
        out->bool_value = *(const bool *)member;
        break;
    case TN_ROS_PARAM_INTEGER:
        out->integer_value = *(const int64_t *)member;
        break;
    case TN_ROS_PARAM_DOUBLE:
        out->double_value = *(const double *)member;
        break;
    case TN_ROS_PARAM_STRING:
        out->string_value = tn_str_from(member);
        break;
    case TN_ROS_PARAM_BYTE_ARRAY:
        VIEW(byte, tn_seq_u8);
        break;
    case TN_ROS_PARAM_BOOL_ARRAY:
        VIEW(bool, tn_seq_bool);
        break;
    case TN_ROS_PARAM_INTEGER_ARRAY:
        VIEW(integer, tn_seq_i64);
        break;
    case TN_ROS_PARAM_DOUBLE_ARRAY:
        VIEW(double, tn_seq_f64);
        break;
    case TN_ROS_PARAM_STRING_ARRAY:
        return read_strings(member, arena, out);
    case TN_ROS_PARAM_NOT_SET:
        break;
    }
    return TN_OK;
}

// ---- descriptors ----

static bool is_integer_type(enum tn_ros_param_type type)
{
    return type == TN_ROS_PARAM_INTEGER || type == TN_ROS_PARAM_INTEGER_ARRAY;
}

static bool is_double_type(enum tn_ros_param_type type)
{
    return type == TN_ROS_PARAM_DOUBLE || type == TN_ROS_PARAM_DOUBLE_ARRAY;
}

/// A limit as an integer; those outside of int64 become its ends.
static int64_t integer_limit(double limit)
{
    if (limit >= 9223372036854775807.0)
        return INT64_MAX;
    return limit <= -9223372036854775808.0 ? INT64_MIN : (int64_t)limit;
}

static enum tn_result add_range(const struct tn_ros_param *param, struct tn_arena *arena,
                                struct rcl_interfaces_msg_ParameterDescriptor *out)
{
    struct rcl_interfaces_msg_IntegerRange *integers = NULL;
    struct rcl_interfaces_msg_FloatingPointRange *doubles = NULL;
    if (!tn_ros__param_has_range(param))
        return TN_OK;
    if (is_integer_type(param->type)) {
        integers = tn_arena_alloc(arena, 1, sizeof *integers,
                                  _Alignof(struct rcl_interfaces_msg_IntegerRange));
        if (integers == NULL)
            return TN_ERR_NO_MEMORY;
        *integers = (struct rcl_interfaces_msg_IntegerRange){
            integer_limit(param->min), integer_limit(param->max), (uint64_t)param->step};
        out->integer_range = (struct rcl_interfaces_msg_IntegerRange_seq){integers, 1};
    } else if (is_double_type(param->type)) {
        doubles = tn_arena_alloc(arena, 1, sizeof *doubles,
                                 _Alignof(struct rcl_interfaces_msg_FloatingPointRange));
        if (doubles == NULL)
            return TN_ERR_NO_MEMORY;
        *doubles =
            (struct rcl_interfaces_msg_FloatingPointRange){param->min, param->max, param->step};
        out->floating_point_range = (struct rcl_interfaces_msg_FloatingPointRange_seq){doubles, 1};
    }
    return TN_OK;
}

/// What the message has no member for: unit, choices, room.
static enum tn_result add_constraints(const struct tn_ros_param *param, struct tn_arena *arena,
                                      struct rcl_interfaces_msg_ParameterDescriptor *out)
{
    char text[512] = "";
    size_t n = 0;
    if (param->unit != NULL && param->unit[0] != '\0')
        n += (size_t)snprintf(text, sizeof text, "unit: %.60s", param->unit);
    const char *separator = n > 0 ? "; " : "";
    if (param->choices != NULL)
        n += (size_t)snprintf(text + n, sizeof text - n, "%sone of: %.300s", separator,
                              param->choices);
    else if (param->type == TN_ROS_PARAM_STRING && param->capacity > 0)
        n += (size_t)snprintf(text + n, sizeof text - n, "%sat most %zu characters", separator,
                              param->capacity - 1);
    else if (param->type >= TN_ROS_PARAM_BYTE_ARRAY)
        n += (size_t)snprintf(text + n, sizeof text - n, "%sat most %zu elements", separator,
                              tn_ros__param_capacity(param));
    const char *copy = tn_arena_strndup(arena, text, n);
    if (copy == NULL)
        return TN_ERR_NO_MEMORY;
    out->additional_constraints = (struct tn_str){copy, (uint32_t)n};
    return TN_OK;
}

enum tn_result tn_ros__param_descriptor_of(struct tn_ros__param_ref ref, struct tn_arena *arena,
                                           struct rcl_interfaces_msg_ParameterDescriptor *out)
{
    const struct tn_ros_param *param = ref.param;
    *out = (struct rcl_interfaces_msg_ParameterDescriptor){
        .name = tn_str_from(param->name),
        .type = (uint8_t)param->type,
        .description = tn_str_from(param->text),
        .read_only = (param->flags & TN_ROS_PARAM_READ_ONLY) != 0,
    };
    enum tn_result result = add_range(param, arena, out);
    return result == TN_OK ? add_constraints(param, arena, out) : result;
}

// ---- message to config ----

static enum tn_result check_number(const struct tn_ros_param *param, double value,
                                   struct tn_error *err)
{
    if (tn_ros__param_in_range(param, value))
        return TN_OK;
    if (!tn_ros__param_has_range(param))
        return tn_error_set(err, TN_ERR_NOT_FINITE,
                            "Parameter {%s} must be finite: found %g, which is no number to "
                            "compute with.",
                            param->name, value);
    char step[40] = "";
    if (param->step > 0.0)
        (void)snprintf(step, sizeof step, " in steps of %g", param->step);
    return tn_error_set(err, TN_ERR_RANGE,
                        "Parameter {%s} doesn't comply with %s range. Found %g, allowed are %g to "
                        "%g%s%s%s.",
                        param->name, is_integer_type(param->type) ? "integer" : "floating point",
                        value, param->min, param->max, param->unit[0] != '\0' ? " " : "",
                        param->unit, step);
}

static enum tn_result put_string(const struct tn_ros_param *param, struct tn_str text,
                                 size_t capacity, char *out, struct tn_error *err)
{
    const char *data = text.size > 0 ? text.data : "";
    if (text.size >= capacity)
        return tn_error_set(err, TN_ERR_RANGE,
                            "Parameter {%s} has %u characters; at most %zu are allowed.",
                            param->name, text.size, capacity - 1);
    if (memchr(data, '\0', text.size) != NULL)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "Parameter {%s} must not contain NUL.",
                            param->name);
    if (param->choices != NULL && !tn_ros__param_is_choice(param->choices, data, text.size))
        return tn_error_set(err, TN_ERR_RANGE, "Parameter {%s} is \"%.*s\"; allowed are %s.",
                            param->name, text.size < 40 ? (int)text.size : 40, data,
                            param->choices);
    memcpy(out, data, text.size);
    out[text.size] = '\0';
    return TN_OK;
}

static uint32_t array_size(const struct rcl_interfaces_msg_ParameterValue *value)
{
    return value->type == TN_ROS_PARAM_BYTE_ARRAY      ? value->byte_array_value.size
           : value->type == TN_ROS_PARAM_BOOL_ARRAY    ? value->bool_array_value.size
           : value->type == TN_ROS_PARAM_INTEGER_ARRAY ? value->integer_array_value.size
           : value->type == TN_ROS_PARAM_DOUBLE_ARRAY  ? value->double_array_value.size
                                                       : value->string_array_value.size;
}

static enum tn_result put_element(const struct tn_ros_param *param,
                                  const struct rcl_interfaces_msg_ParameterValue *value, uint32_t i,
                                  void *member, struct tn_error *err)
{
    enum tn_result result = TN_OK;
    if (param->type == TN_ROS_PARAM_BYTE_ARRAY) {
        ((struct tn_ros_byte_array *)member)->data[i] = value->byte_array_value.data[i];
    } else if (param->type == TN_ROS_PARAM_BOOL_ARRAY) {
        ((struct tn_ros_bool_array *)member)->data[i] = value->bool_array_value.data[i];
    } else if (param->type == TN_ROS_PARAM_INTEGER_ARRAY) {
        int64_t number = value->integer_array_value.data[i];
        result = check_number(param, (double)number, err);
        ((struct tn_ros_integer_array *)member)->data[i] = number;
    } else if (param->type == TN_ROS_PARAM_DOUBLE_ARRAY) {
        double number = value->double_array_value.data[i];
        result = check_number(param, number, err);
        ((struct tn_ros_double_array *)member)->data[i] = number;
    } else {
        struct tn_ros_string_array *strings = member;
        result = put_string(param, value->string_array_value.data[i], sizeof strings->data[i],
                            strings->data[i], err);
    }
    return result;
}

static enum tn_result put_array(const struct tn_ros_param *param,
                                const struct rcl_interfaces_msg_ParameterValue *value, void *member,
                                struct tn_error *err)
{
    uint32_t n = array_size(value);
    if (n > tn_ros__param_capacity(param))
        return tn_error_set(err, TN_ERR_RANGE,
                            "Parameter {%s} has %u elements; at most %zu are allowed.", param->name,
                            n, tn_ros__param_capacity(param));
    for (uint32_t i = 0; i < n; i++) {
        enum tn_result result = put_element(param, value, i, member, err);
        if (result != TN_OK)
            return result;
    }
    // all array structs begin with their size
    memcpy(member, &n, sizeof n);
    return TN_OK;
}

enum tn_result tn_ros__param_put(const struct tn_ros_param *param,
                                 const struct rcl_interfaces_msg_ParameterValue *value,
                                 uint8_t *config, struct tn_error *err)
{
    void *member = config + param->offset;
    enum tn_result result = TN_OK;
    if (value->type != (uint8_t)param->type)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "Wrong parameter type, parameter {%s} is of type {%s}, setting it to "
                            "{%s} is not allowed.",
                            param->name, tn_ros_param_type_text((uint8_t)param->type),
                            tn_ros_param_type_text(value->type));
    if (param->type >= TN_ROS_PARAM_BYTE_ARRAY)
        return put_array(param, value, member, err);
    if (param->type == TN_ROS_PARAM_STRING)
        return put_string(param, value->string_value, param->capacity, member, err);
    if (param->type == TN_ROS_PARAM_BOOL) {
        *(bool *)member = value->bool_value;
    } else if (param->type == TN_ROS_PARAM_INTEGER) {
        result = check_number(param, (double)value->integer_value, err);
        *(int64_t *)member = value->integer_value;
    } else {
        result = check_number(param, value->double_value, err);
        *(double *)member = value->double_value;
    }
    return result;
}
