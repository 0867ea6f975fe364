// SPDX-License-Identifier: Apache-2.0
// parameter files as `ros2 param dump` writes and `ros2 param load` reads them
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "ros/param_client.h"
#include "ros/ros__param.h"
#include "ros/ros__scalar.h"
#include "ros/ros__yaml.h"

/// Deepest name that is written as nested maps.
#define DEPTH_MAX 32

// ---- writing ----

struct writer {
    yaml_emitter_t emitter;
    regex_t ambiguous; ///< plain texts that YAML 1.1 takes for something else than a text
    bool is_broken;
    const struct tn_str *names;
    const struct rcl_interfaces_msg_ParameterValue *values;
    uint32_t n;
};

/// PyYAML's implicit resolvers.
static const char ambiguous_pattern[] =
    "^(~|=|<<|null|Null|NULL|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|"
    "Off|OFF|"
    "[-+]?[0-9][0-9_]*\\.[0-9_]*([eE][-+][0-9]+)?|\\.[0-9][0-9_]*([eE][-+][0-9]+)?|"
    "[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)|"
    "[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|"
    "[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9].*)$";

static void emit(struct writer *w, yaml_event_t *event)
{
    if (w->is_broken)
        yaml_event_delete(event);
    else if (!yaml_emitter_emit(&w->emitter, event))
        w->is_broken = true;
}

static void emit_plain(struct writer *w, const char *text)
{
    yaml_event_t event;
    w->is_broken = w->is_broken ||
                   !yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text,
                                                 (int)strlen(text), 1, 0, YAML_PLAIN_SCALAR_STYLE);
    if (!w->is_broken)
        emit(w, &event);
}

/// A text stays one: quoted where YAML or ROS would take it for a number or a boolean.
static void emit_text(struct writer *w, const char *data, size_t size)
{
    yaml_event_t event;
    char copy[64];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)size, size > 0 ? data : "");
    bool is_text = size > 0 && tn_ros__scalar_read(data, size, true).type == TN_ROS_PARAM_STRING &&
                   (size >= sizeof copy || regexec(&w->ambiguous, copy, 0, NULL, 0) != 0);
    w->is_broken =
        w->is_broken || !yaml_scalar_event_initialize(&event, NULL, NULL,
                                                      (const yaml_char_t *)(size > 0 ? data : ""),
                                                      (int)size, is_text, 1, YAML_ANY_SCALAR_STYLE);
    if (!w->is_broken)
        emit(w, &event);
}

static void emit_double(struct writer *w, double value)
{
    char number[TN_ROS__DOUBLE_TEXT_MAX], text[TN_ROS__DOUBLE_TEXT_MAX + 4];
    tn_ros__scalar_print_double(value, number);
    const char *exponent = strchr(number, 'e');
    if (strstr(number, "inf") != NULL || strcmp(number, "nan") == 0)
        (void)snprintf(text, sizeof text, "%s.%s", number[0] == '-' ? "-" : "",
                       number + (number[0] == '-'));
    else if (exponent != NULL && strchr(number, '.') == NULL)
        // PyYAML puts a point in front of the exponent, else YAML 1.1 takes it for a text
        (void)snprintf(text, sizeof text, "%.*s.0%s", (int)(exponent - number), number, exponent);
    else
        (void)snprintf(text, sizeof text, "%s", number);
    emit_plain(w, text);
}

static void emit_integer(struct writer *w, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%lld", (long long)value);
    emit_plain(w, text);
}

static void emit_element(struct writer *w, const struct rcl_interfaces_msg_ParameterValue *v,
                         uint32_t i)
{
    if (v->type == TN_ROS_PARAM_BYTE_ARRAY)
        emit_integer(w, v->byte_array_value.data[i]);
    else if (v->type == TN_ROS_PARAM_BOOL_ARRAY)
        emit_plain(w, v->bool_array_value.data[i] ? "true" : "false");
    else if (v->type == TN_ROS_PARAM_INTEGER_ARRAY)
        emit_integer(w, v->integer_array_value.data[i]);
    else if (v->type == TN_ROS_PARAM_DOUBLE_ARRAY)
        emit_double(w, v->double_array_value.data[i]);
    else
        emit_text(w, v->string_array_value.data[i].data, v->string_array_value.data[i].size);
}

static uint32_t array_size(const struct rcl_interfaces_msg_ParameterValue *v)
{
    return v->type == TN_ROS_PARAM_BYTE_ARRAY      ? v->byte_array_value.size
           : v->type == TN_ROS_PARAM_BOOL_ARRAY    ? v->bool_array_value.size
           : v->type == TN_ROS_PARAM_INTEGER_ARRAY ? v->integer_array_value.size
           : v->type == TN_ROS_PARAM_DOUBLE_ARRAY  ? v->double_array_value.size
                                                   : v->string_array_value.size;
}

static void emit_array(struct writer *w, const struct rcl_interfaces_msg_ParameterValue *value)
{
    yaml_event_t event;
    w->is_broken = w->is_broken || !yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
                                                                         YAML_BLOCK_SEQUENCE_STYLE);
    if (!w->is_broken)
        emit(w, &event);
    for (uint32_t i = 0; i < array_size(value) && !w->is_broken; i++)
        emit_element(w, value, i);
    w->is_broken = w->is_broken || !yaml_sequence_end_event_initialize(&event);
    if (!w->is_broken)
        emit(w, &event);
}

static void emit_value(struct writer *w, const struct rcl_interfaces_msg_ParameterValue *value)
{
    if (value->type == TN_ROS_PARAM_BOOL)
        emit_plain(w, value->bool_value ? "true" : "false");
    else if (value->type == TN_ROS_PARAM_INTEGER)
        emit_integer(w, value->integer_value);
    else if (value->type == TN_ROS_PARAM_DOUBLE)
        emit_double(w, value->double_value);
    else if (value->type == TN_ROS_PARAM_STRING)
        emit_text(w, value->string_value.data, value->string_value.size);
    else if (value->type >= TN_ROS_PARAM_BYTE_ARRAY && value->type <= TN_ROS_PARAM_STRING_ARRAY)
        emit_array(w, value);
    else
        emit_plain(w, "null");
}

static void begin_map(struct writer *w)
{
    yaml_event_t event;
    w->is_broken = w->is_broken || !yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
                                                                        YAML_BLOCK_MAPPING_STYLE);
    if (!w->is_broken)
        emit(w, &event);
}

static void end_map(struct writer *w)
{
    yaml_event_t event;
    w->is_broken = w->is_broken || !yaml_mapping_end_event_initialize(&event);
    if (!w->is_broken)
        emit(w, &event);
}

/// Orders names as Python orders the keys of nested maps: part by part.
static int compare_names(struct tn_str a, struct tn_str b)
{
    uint32_t n = a.size < b.size ? a.size : b.size;
    for (uint32_t i = 0; i < n; i++) {
        unsigned char x = (unsigned char)a.data[i], y = (unsigned char)b.data[i];
        // the end of a part comes before everything else
        if (x != y)
            return x == '.' ? -1 : y == '.' ? 1 : x < y ? -1 : 1;
    }
    return a.size == b.size ? 0 : a.size < b.size ? -1 : 1;
}

/// Bytes of the name up to and with the point behind its `depth`-th part; 0 when it has fewer.
static size_t prefix_size(struct tn_str name, size_t depth)
{
    size_t at = 0;
    for (size_t i = 0; i < depth; i++) {
        const char *point = memchr(name.data + at, '.', name.size - at);
        if (point == NULL)
            return 0;
        at = (size_t)(point - name.data) + 1;
    }
    return at;
}

/// How many open maps two names share.
static size_t common_depth(struct tn_str a, struct tn_str b, size_t n_open)
{
    size_t depth = 0;
    while (depth < n_open) {
        size_t size = prefix_size(a, depth + 1);
        if (size == 0 || size != prefix_size(b, depth + 1) || memcmp(a.data, b.data, size) != 0)
            break;
        depth++;
    }
    return depth;
}

/// Whether a part is a parameter of its own, so that it cannot also be a map.
static bool is_leaf(const struct writer *w, const uint32_t *order, uint32_t i, size_t size)
{
    struct tn_str name = w->names[order[i]];
    for (uint32_t k = 0; k < i; k++) {
        struct tn_str other = w->names[order[k]];
        if (other.size == size && memcmp(other.data, name.data, size) == 0)
            return true;
    }
    return false;
}

static void emit_params(struct writer *w, const uint32_t *order)
{
    size_t n_open = 0;
    for (uint32_t i = 0; i < w->n && !w->is_broken; i++) {
        struct tn_str name = w->names[order[i]];
        size_t shared = i == 0 ? 0 : common_depth(w->names[order[i - 1]], name, n_open);
        for (; n_open > shared; n_open--)
            end_map(w);
        size_t at = prefix_size(name, n_open);
        for (size_t next; n_open < DEPTH_MAX && (next = prefix_size(name, n_open + 1)) != 0;
             n_open++, at = next) {
            if (is_leaf(w, order, i, next - 1))
                break;
            emit_text(w, name.data + at, next - 1 - at);
            begin_map(w);
        }
        emit_text(w, name.data + at, name.size - at);
        emit_value(w, &w->values[order[i]]);
    }
    for (; n_open > 0; n_open--)
        end_map(w);
}

static uint32_t *sort_names(const struct tn_str *names, uint32_t n)
{
    uint32_t *order = calloc((size_t)n + 1, sizeof *order);
    for (uint32_t i = 0; order != NULL && i < n; i++) {
        uint32_t at = i;
        for (; at > 0 && compare_names(names[order[at - 1]], names[i]) > 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

static void emit_document(struct writer *w, const char *node_fqn, const uint32_t *order)
{
    yaml_event_t event;
    w->is_broken = !yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING);
    if (!w->is_broken)
        emit(w, &event);
    w->is_broken =
        w->is_broken || !yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1);
    if (!w->is_broken)
        emit(w, &event);
    begin_map(w);
    emit_text(w, node_fqn, strlen(node_fqn));
    begin_map(w);
    emit_plain(w, "ros__parameters");
    begin_map(w);
    emit_params(w, order);
    end_map(w);
    end_map(w);
    end_map(w);
    w->is_broken = w->is_broken || !yaml_document_end_event_initialize(&event, 1);
    if (!w->is_broken)
        emit(w, &event);
    w->is_broken = w->is_broken || !yaml_emitter_flush(&w->emitter);
}

enum tn_result tn_ros_param_yaml_write(const char *node_fqn, const struct tn_str *names,
                                       const struct rcl_interfaces_msg_ParameterValue *values,
                                       uint32_t n, char *buffer, size_t capacity, size_t *out_size)
{
    struct writer w = {.names = names, .values = values, .n = n};
    size_t written = 0;
    if (capacity == 0)
        return TN_ERR_LIMIT;
    uint32_t *order = sort_names(names, n);
    if (order == NULL)
        return TN_ERR_NO_MEMORY;
    enum tn_result result = TN_ERR_NO_MEMORY;
    if (regcomp(&w.ambiguous, ambiguous_pattern, REG_EXTENDED | REG_NOSUB) == 0) {
        if (yaml_emitter_initialize(&w.emitter)) {
            yaml_emitter_set_output_string(&w.emitter, (unsigned char *)buffer, capacity - 1,
                                           &written);
            emit_document(&w, node_fqn, order);
            result = !w.is_broken                           ? TN_OK
                     : w.emitter.error == YAML_WRITER_ERROR ? TN_ERR_LIMIT
                     : w.emitter.error == YAML_MEMORY_ERROR ? TN_ERR_NO_MEMORY
                                                            : TN_ERR_MALFORMED;
            yaml_emitter_delete(&w.emitter);
        }
        regfree(&w.ambiguous);
    }
    free(order);
    if (result != TN_OK)
        return result;
    buffer[written] = '\0';
    *out_size = written;
    return TN_OK;
}

// ---- reading ----

struct reading {
    const char *fqn, *path;
    bool use_wildcards;
    struct tn_arena *arena;
    struct rcl_interfaces_msg_Parameter *params;
    uint32_t n;
    struct tn_error *err;
};

static struct rcl_interfaces_msg_Parameter *place_for(struct reading *reading, const char *name)
{
    for (uint32_t i = 0; i < reading->n; i++)
        if (tn_str_is(reading->params[i].name, name))
            return &reading->params[i];
    if (reading->n == TN_ROS_PARAM_FILE_MAX)
        return NULL;
    return &reading->params[reading->n];
}

static enum tn_result on_param(void *context, const char *node_pattern, const char *name,
                               const struct tn_ros__yaml_value *value)
{
    struct reading *reading = context;
    enum tn_ros__match match = tn_ros__match_node(node_pattern, reading->fqn);
    if (match == TN_ROS__MATCH_NONE || (match == TN_ROS__MATCH_WILDCARD && !reading->use_wildcards))
        return TN_OK;
    struct rcl_interfaces_msg_Parameter *param = place_for(reading, name);
    if (param == NULL)
        return tn_error_at(reading->err, TN_ERR_LIMIT, reading->path, value->line, value->column,
                           "more than %d parameters", TN_ROS_PARAM_FILE_MAX);
    struct tn_error why = {0};
    enum tn_result result =
        tn_ros__param_value_from_yaml(value, reading->arena, &param->value, &why);
    if (result != TN_OK)
        return tn_error_at(reading->err, result, reading->path, value->line, value->column,
                           "parameter \"%.80s\": %s", name, why.text);
    if (param == &reading->params[reading->n]) {
        size_t size = strlen(name);
        char *copy = tn_arena_strndup(reading->arena, name, size);
        if (copy == NULL)
            return tn_error_set(reading->err, TN_ERR_NO_MEMORY, "no memory for %s", reading->path);
        param->name = (struct tn_str){copy, (uint32_t)size};
        reading->n++;
    }
    return TN_OK;
}

enum tn_result tn_ros_param_file_read(const char *path, const char *node_fqn, bool use_wildcards,
                                      struct tn_arena *arena,
                                      struct rcl_interfaces_srv_SetParameters_Request *out_request,
                                      struct tn_error *err)
{
    struct reading reading = {
        .fqn = node_fqn, .path = path, .use_wildcards = use_wildcards, .arena = arena, .err = err};
    char *text = NULL;
    size_t size = 0;
    reading.params = tn_arena_alloc(arena, TN_ROS_PARAM_FILE_MAX, sizeof *reading.params,
                                    _Alignof(struct rcl_interfaces_msg_Parameter));
    if (reading.params == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for %s", path);
    memset(reading.params, 0, TN_ROS_PARAM_FILE_MAX * sizeof *reading.params);
    enum tn_result result = tn_ros__params_read_file(path, &text, &size, err);
    if (result != TN_OK)
        return result;
    result = tn_ros__yaml_read_params(text, size, path, on_param, &reading, err);
    free(text);
    if (result == TN_OK && reading.n == 0)
        result = tn_error_at(err, TN_ERR_NOT_FOUND, path, 0, 0,
                             "the file has no parameters for node %s", node_fqn);
    if (result == TN_OK)
        *out_request = (struct rcl_interfaces_srv_SetParameters_Request){
            .parameters = {reading.params, reading.n}};
    return result;
}
