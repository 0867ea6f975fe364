// SPDX-License-Identifier: Apache-2.0
#include "ros/param.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ros/names.h"
#include "ros/ros__param.h"
#include "ros/ros__param_server.h"
#include "ros/ros__scalar.h"
#include "ros/ros__yaml.h"

/// Largest parameter file.
#define FILE_MAX_BYTES (1u << 20)

_Static_assert(TN_ROS__YAML_ITEMS_MAX >= TN_ROS_PARAM_ARRAY_MAX, "a full array must be readable");

/// Where a value came from, for messages.
struct origin {
    const char *file; ///< or "-p", "default"
    int32_t line, column;
};

/// One load: the candidate configuration and what is known about the node.
struct load {
    const struct tn_ros_param_set *set;
    uint8_t *candidate;
    struct tn_ros__builtin_params builtin;
    const char *fqn, *node_name, *file;
    struct tn_error *err;
};

// ---- names ----

static const struct tn_ros_param *find(const struct tn_ros_param_set *set, const char *name)
{
    for (uint32_t i = 0; i < set->n_params; i++)
        if (strcmp(set->table[i].name, name) == 0)
            return &set->table[i];
    return NULL;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

/// Levenshtein distance of names up to 63 characters.
static unsigned distance(const char *a, const char *b)
{
    unsigned row[64];
    size_t n = strlen(b);
    if (n > 63 || strlen(a) > 63)
        return 64;
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (unsigned i = 1; a[i - 1] != '\0'; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            unsigned changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = min3(changed, row[j] + 1, row[j - 1] + 1);
        }
    }
    return row[n];
}

static enum tn_result fail_unknown(const struct tn_ros_param_set *set, const char *name,
                                   struct origin at, struct tn_error *err)
{
    const char *nearest = NULL;
    unsigned best = 64;
    for (uint32_t i = 0; i < set->n_params; i++) {
        unsigned d = distance(name, set->table[i].name);
        if (d < best) {
            best = d;
            nearest = set->table[i].name;
        }
    }
    if (nearest == NULL)
        return tn_error_at(err, TN_ERR_NOT_FOUND, at.file, at.line, at.column,
                           "parameter \"%.80s\" is unknown; this node has none", name);
    return tn_error_at(
        err, TN_ERR_NOT_FOUND, at.file, at.line, at.column,
        "parameter \"%.80s\" is unknown; the nearest name is \"%s\", --help lists all", name,
        nearest);
}

// ---- types ----

static const char *type_name(enum tn_ros_param_type type)
{
    switch (type) {
    case TN_ROS_PARAM_BOOL:
        return "bool";
    case TN_ROS_PARAM_INTEGER:
        return "integer";
    case TN_ROS_PARAM_DOUBLE:
        return "double";
    case TN_ROS_PARAM_STRING:
        return "string";
    case TN_ROS_PARAM_BYTE_ARRAY:
        return "list of bytes";
    case TN_ROS_PARAM_BOOL_ARRAY:
        return "list of bools";
    case TN_ROS_PARAM_INTEGER_ARRAY:
        return "list of integers";
    case TN_ROS_PARAM_DOUBLE_ARRAY:
        return "list of doubles";
    case TN_ROS_PARAM_STRING_ARRAY:
        return "list of strings";
    case TN_ROS_PARAM_NOT_SET:
        break;
    }
    return "nothing";
}

static struct tn_ros__scalar read_item(const struct tn_ros__yaml_item *item)
{
    return tn_ros__scalar_read(item->text, item->size, item->is_plain);
}

/// What a scalar is by itself: the type YAML gives it.
static enum tn_ros_param_type item_type(const struct tn_ros__yaml_item *item)
{
    return read_item(item).type;
}

static enum tn_result fail_type(const struct tn_ros_param *param,
                                const struct tn_ros__yaml_item *item, bool is_sequence,
                                struct origin at, struct tn_error *err)
{
    const char *found = is_sequence ? "a list" : type_name(item_type(item));
    bool wants_text =
        param->type == TN_ROS_PARAM_STRING || param->type == TN_ROS_PARAM_STRING_ARRAY;
    return tn_error_at(err, TN_ERR_INVALID_ARGUMENT, at.file, at.line, at.column,
                       "parameter \"%s\": found %s %.40s, expected %s%s", param->name, found,
                       is_sequence ? "" : item->text, type_name(param->type),
                       wants_text && !is_sequence ? "; put it in quotes" : "");
}

bool tn_ros__param_has_range(const struct tn_ros_param *param)
{
    // equal limits of zero mean that there are none
    return param->min < param->max || param->min > 0.0 || param->min < 0.0;
}

/// Whether `value` is a whole number of steps above the minimum, or as near to it as doubles are.
static bool is_on_step(const struct tn_ros_param *param, double value)
{
    double offset = value - param->min;
    double wanted = param->min + round(offset / param->step) * param->step;
    return fabs(value - wanted) <= 100.0 * DBL_EPSILON * fabs(value + wanted) ||
           value >= param->max;
}

bool tn_ros__param_in_range(const struct tn_ros_param *param, double value)
{
    if (!tn_ros__param_has_range(param))
        return isfinite(value);
    if (!(value >= param->min && value <= param->max))
        return false;
    return !(param->step > 0.0) || value <= param->min || is_on_step(param, value);
}

static enum tn_result check_range(const struct tn_ros_param *param, double value, const char *text,
                                  struct origin at, struct tn_error *err)
{
    char step[40] = "";
    if (tn_ros__param_in_range(param, value))
        return TN_OK;
    if (!tn_ros__param_has_range(param))
        return tn_error_at(err, TN_ERR_NOT_FINITE, at.file, at.line, at.column,
                           "parameter \"%s\" is %.40s; expected a finite number", param->name,
                           text);
    if (param->step > 0.0)
        (void)snprintf(step, sizeof step, " in steps of %g", param->step);
    return tn_error_at(err, TN_ERR_RANGE, at.file, at.line, at.column,
                       "parameter \"%s\" is %.40s%s%s; allowed are %g to %g%s", param->name, text,
                       param->unit[0] != '\0' ? " " : "", param->unit, param->min, param->max,
                       step);
}

static enum tn_result get_bool(const struct tn_ros_param *param,
                               const struct tn_ros__yaml_item *item, struct origin at, bool *out,
                               struct tn_error *err)
{
    struct tn_ros__scalar scalar = read_item(item);
    if (scalar.type != TN_ROS_PARAM_BOOL)
        return fail_type(param, item, false, at, err);
    *out = scalar.boolean;
    return TN_OK;
}

static enum tn_result get_integer(const struct tn_ros_param *param,
                                  const struct tn_ros__yaml_item *item, struct origin at,
                                  int64_t *out, struct tn_error *err)
{
    struct tn_ros__scalar scalar = read_item(item);
    if (scalar.type != TN_ROS_PARAM_INTEGER)
        return fail_type(param, item, false, at, err);
    enum tn_result result = check_range(param, (double)scalar.integer, item->text, at, err);
    if (result == TN_OK)
        *out = scalar.integer;
    return result;
}

static enum tn_result get_byte(const struct tn_ros_param *param,
                               const struct tn_ros__yaml_item *item, struct origin at, uint8_t *out,
                               struct tn_error *err)
{
    struct tn_ros__scalar scalar = read_item(item);
    if (scalar.type != TN_ROS_PARAM_INTEGER)
        return fail_type(param, item, false, at, err);
    if (scalar.integer < 0 || scalar.integer > 255)
        return tn_error_at(err, TN_ERR_RANGE, at.file, at.line, at.column,
                           "parameter \"%s\" has %.40s; a byte is 0 to 255", param->name,
                           item->text);
    *out = (uint8_t)scalar.integer;
    return TN_OK;
}

static enum tn_result get_double(const struct tn_ros_param *param,
                                 const struct tn_ros__yaml_item *item, struct origin at,
                                 double *out, struct tn_error *err)
{
    struct tn_ros__scalar scalar = read_item(item);
    // "2" for 2.0 is what people write
    double value = scalar.type == TN_ROS_PARAM_INTEGER ? (double)scalar.integer : scalar.number;
    if (scalar.type != TN_ROS_PARAM_INTEGER && scalar.type != TN_ROS_PARAM_DOUBLE)
        return fail_type(param, item, false, at, err);
    enum tn_result result = check_range(param, value, item->text, at, err);
    if (result == TN_OK)
        *out = value;
    return result;
}

/// Whether `text` is one of "a|b|c".
bool tn_ros__param_is_choice(const char *choices, const char *text, size_t size)
{
    for (const char *p = choices; *p != '\0';) {
        size_t n = strcspn(p, "|");
        if (n == size && memcmp(p, text, n) == 0)
            return true;
        p += n + (p[n] == '|');
    }
    return false;
}

static enum tn_result get_string(const struct tn_ros_param *param,
                                 const struct tn_ros__yaml_item *item, struct origin at,
                                 size_t capacity, char *out, struct tn_error *err)
{
    if (item_type(item) != TN_ROS_PARAM_STRING)
        return fail_type(param, item, false, at, err);
    if (item->size >= capacity)
        return tn_error_at(err, TN_ERR_RANGE, at.file, at.line, at.column,
                           "parameter \"%s\" has %zu characters; at most %zu are allowed",
                           param->name, item->size, capacity - 1);
    if (param->choices != NULL && !tn_ros__param_is_choice(param->choices, item->text, item->size))
        return tn_error_at(err, TN_ERR_RANGE, at.file, at.line, at.column,
                           "parameter \"%s\" is \"%.40s\"; allowed are %s", param->name, item->text,
                           param->choices);
    memcpy(out, item->text, item->size + 1);
    return TN_OK;
}

// ---- values ----

static enum tn_result set_array_item(const struct tn_ros_param *param,
                                     const struct tn_ros__yaml_item *item, uint32_t i,
                                     struct origin at, void *member, struct tn_error *err)
{
    if (param->type == TN_ROS_PARAM_DOUBLE_ARRAY)
        return get_double(param, item, at, &((struct tn_ros_double_array *)member)->data[i], err);
    if (param->type == TN_ROS_PARAM_INTEGER_ARRAY)
        return get_integer(param, item, at, &((struct tn_ros_integer_array *)member)->data[i], err);
    if (param->type == TN_ROS_PARAM_BOOL_ARRAY)
        return get_bool(param, item, at, &((struct tn_ros_bool_array *)member)->data[i], err);
    if (param->type == TN_ROS_PARAM_BYTE_ARRAY)
        return get_byte(param, item, at, &((struct tn_ros_byte_array *)member)->data[i], err);
    struct tn_ros_string_array *strings = member;
    return get_string(param, item, at, sizeof strings->data[i], strings->data[i], err);
}

size_t tn_ros__param_capacity(const struct tn_ros_param *param)
{
    return param->capacity < TN_ROS_PARAM_ARRAY_MAX ? param->capacity : TN_ROS_PARAM_ARRAY_MAX;
}

static enum tn_result set_array(const struct tn_ros_param *param,
                                const struct tn_ros__yaml_value *value, struct origin at,
                                void *member, struct tn_error *err)
{
    size_t capacity = tn_ros__param_capacity(param);
    if (!value->is_sequence)
        return fail_type(param, &value->items[0], false, at, err);
    if (value->n_items > capacity)
        return tn_error_at(err, TN_ERR_RANGE, at.file, at.line, at.column,
                           "parameter \"%s\" has %u elements; at most %zu are allowed", param->name,
                           value->n_items, capacity);
    for (uint32_t i = 0; i < value->n_items; i++) {
        enum tn_result result = set_array_item(param, &value->items[i], i, at, member, err);
        if (result != TN_OK)
            return result;
    }
    // all array structs begin with their size
    memcpy(member, &value->n_items, sizeof value->n_items);
    return TN_OK;
}

_Static_assert(offsetof(struct tn_ros_double_array, size) == 0 &&
                   offsetof(struct tn_ros_integer_array, size) == 0 &&
                   offsetof(struct tn_ros_string_array, size) == 0 &&
                   offsetof(struct tn_ros_bool_array, size) == 0 &&
                   offsetof(struct tn_ros_byte_array, size) == 0,
               "array parameters begin with their size");

static enum tn_result set_value(const struct tn_ros_param *param,
                                const struct tn_ros__yaml_value *value, struct origin at,
                                uint8_t *config, struct tn_error *err)
{
    void *member = config + param->offset;
    const struct tn_ros__yaml_item *item = &value->items[0];
    bool is_array = param->type >= TN_ROS_PARAM_BYTE_ARRAY;
    if (is_array)
        return set_array(param, value, at, member, err);
    if (value->is_sequence)
        return fail_type(param, item, true, at, err);
    switch (param->type) {
    case TN_ROS_PARAM_BOOL:
        return get_bool(param, item, at, member, err);
    case TN_ROS_PARAM_INTEGER:
        return get_integer(param, item, at, member, err);
    case TN_ROS_PARAM_DOUBLE:
        return get_double(param, item, at, member, err);
    case TN_ROS_PARAM_STRING:
        return get_string(param, item, at, param->capacity, member, err);
    case TN_ROS_PARAM_NOT_SET:
    case TN_ROS_PARAM_BYTE_ARRAY:
    case TN_ROS_PARAM_BOOL_ARRAY:
    case TN_ROS_PARAM_INTEGER_ARRAY:
    case TN_ROS_PARAM_DOUBLE_ARRAY:
    case TN_ROS_PARAM_STRING_ARRAY:
        break;
    }
    return tn_error_set(err, TN_ERR_INTERNAL, "parameter \"%s\" has no type", param->name);
}

static enum tn_result set_text(const struct tn_ros_param *param, const char *yaml, struct origin at,
                               uint8_t *config, struct tn_error *err)
{
    struct tn_ros__yaml_value *value = malloc(sizeof *value);
    if (value == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for parameter \"%s\"", param->name);
    struct tn_error why = {0};
    enum tn_result result = tn_ros__yaml_read_value(yaml, strlen(yaml), at.file, value, &why);
    if (result == TN_OK)
        result = set_value(param, value, at, config, err);
    else
        (void)tn_error_at(err, result, at.file, at.line, at.column,
                          "parameter \"%s\": \"%.60s\": %s", param->name, yaml, why.text);
    free(value);
    return result;
}

static enum tn_result set_defaults(const struct tn_ros_param_set *set, uint8_t *config,
                                   struct tn_error *err)
{
    static const struct origin at = {.file = "default"};
    for (uint32_t i = 0; i < set->n_params; i++) {
        enum tn_result result =
            set_text(&set->table[i], set->table[i].default_yaml, at, config, err);
        if (result != TN_OK)
            return result;
    }
    return TN_OK;
}

// ---- built-in parameters ----

static const struct tn_ros_param builtin_table[] = {
    {.name = "start_type_description_service",
     .type = TN_ROS_PARAM_BOOL,
     .flags = TN_ROS_PARAM_READ_ONLY,
     .offset = offsetof(struct tn_ros__builtin_params, start_type_description_service),
     .default_yaml = "true",
     .unit = "",
     .text = "Start the ~/get_type_description service for this node."},
    {.name = "use_sim_time",
     .type = TN_ROS_PARAM_BOOL,
     .offset = offsetof(struct tn_ros__builtin_params, use_sim_time),
     .default_yaml = "false",
     .unit = "",
     .text = "true: ROS time is what /clock says"},
};

struct tn_ros_param_set tn_ros__builtin_param_set(struct tn_ros__builtin_params *builtin)
{
    return (struct tn_ros_param_set){.table = builtin_table,
                                     .n_params = TN_ARRAY_SIZE(builtin_table),
                                     .config = builtin,
                                     .config_size = sizeof *builtin};
}

enum tn_result tn_ros__param_put_yaml(const struct tn_ros_param *param,
                                      const struct tn_ros__yaml_value *value, const char *file,
                                      void *config, struct tn_error *err)
{
    struct origin at = {.file = file, .line = value->line, .column = value->column};
    return set_value(param, value, at, config, err);
}

/// Takes a parameter that every node has.
static enum tn_result set_builtin(struct load *load, const char *name,
                                  const struct tn_ros__yaml_value *value, struct origin at,
                                  bool is_strict)
{
    struct tn_ros_param_set set = tn_ros__builtin_param_set(&load->builtin);
    const struct tn_ros_param *param = find(&set, name);
    if (param != NULL)
        return set_value(param, value, at, (uint8_t *)&load->builtin, load->err);
    return tn_ros__qos_override_take(&load->builtin, name, value, at.file, is_strict, load->err);
}

static bool is_builtin(const char *name)
{
    struct tn_ros_param_set set = tn_ros__builtin_param_set(NULL);
    return find(&set, name) != NULL || strncmp(name, "qos_overrides.", 14) == 0;
}

static enum tn_result take_param(struct load *load, const char *name,
                                 const struct tn_ros__yaml_value *value, struct origin at,
                                 bool must_exist)
{
    const struct tn_ros_param *param = find(load->set, name);
    if (param != NULL)
        return set_value(param, value, at, load->candidate, load->err);
    if (is_builtin(name))
        return set_builtin(load, name, value, at, must_exist);
    return must_exist ? fail_unknown(load->set, name, at, load->err) : TN_OK;
}

// ---- files ----

enum tn_ros__match tn_ros__match_node(const char *pattern, const char *fqn)
{
    const char *p = pattern[0] == '/' ? pattern + 1 : pattern;
    const char *f = fqn[0] == '/' ? fqn + 1 : fqn;
    bool is_wild = false;
    // the last ** and where it may be made longer
    const char *star = NULL, *star_f = NULL;
    while (*f != '\0' || *p != '\0') {
        size_t n_p = strcspn(p, "/"), n_f = strcspn(f, "/");
        const char *next_p = p + n_p + (p[n_p] == '/'), *next_f = f + n_f + (f[n_f] == '/');
        if (n_p == 2 && memcmp(p, "**", 2) == 0) {
            is_wild = true;
            star = p = next_p;
            star_f = f;
        } else if (n_p == 1 && *p == '*' && n_f > 0) {
            is_wild = true;
            p = next_p;
            f = next_f;
        } else if (n_p > 0 && n_p == n_f && memcmp(p, f, n_p) == 0) {
            p = next_p;
            f = next_f;
        } else if (star != NULL && *star_f != '\0') {
            size_t n = strcspn(star_f, "/");
            star_f += n + (star_f[n] == '/');
            p = star;
            f = star_f;
        } else {
            return TN_ROS__MATCH_NONE;
        }
    }
    return is_wild ? TN_ROS__MATCH_WILDCARD : TN_ROS__MATCH_EXACT;
}

static enum tn_result on_file_param(void *context, const char *node_pattern, const char *name,
                                    const struct tn_ros__yaml_value *value)
{
    struct load *load = context;
    enum tn_ros__match match = tn_ros__match_node(node_pattern, load->fqn);
    if (match == TN_ROS__MATCH_NONE)
        return TN_OK;
    struct origin at = {.file = load->file, .line = value->line, .column = value->column};
    return take_param(load, name, value, at, match == TN_ROS__MATCH_EXACT);
}

enum tn_result tn_ros__params_read_file(const char *path, char **out_text, size_t *out_size,
                                        struct tn_error *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return tn_error_at(err, TN_ERR_NOT_FOUND, path, 0, 0,
                           "the parameter file cannot be opened");
    char *text = malloc(FILE_MAX_BYTES + 1);
    size_t size = text == NULL ? 0 : fread(text, 1, FILE_MAX_BYTES + 1, file);
    bool is_broken = ferror(file) != 0;
    (void)fclose(file);
    enum tn_result result = TN_OK;
    if (text == NULL)
        result = tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for %s", path);
    else if (is_broken)
        result = tn_error_at(err, TN_ERR_IO, path, 0, 0, "the parameter file cannot be read");
    else if (size > FILE_MAX_BYTES)
        result = tn_error_at(err, TN_ERR_LIMIT, path, 0, 0,
                             "the parameter file is larger than %u bytes", FILE_MAX_BYTES);
    if (result != TN_OK) {
        free(text);
        return result;
    }
    *out_text = text;
    *out_size = size;
    return TN_OK;
}

static enum tn_result load_files(struct load *load, const struct tn_ros_args *args)
{
    for (uint32_t i = 0; i < args->n_params_files; i++) {
        char *text = NULL;
        size_t size = 0;
        load->file = args->params_files[i];
        enum tn_result result = tn_ros__params_read_file(load->file, &text, &size, load->err);
        if (result != TN_OK)
            return result;
        result = tn_ros__yaml_read_params(text, size, load->file, on_file_param, load, load->err);
        free(text);
        if (result != TN_OK)
            return result;
    }
    return TN_OK;
}

static enum tn_result load_overrides(struct load *load, const struct tn_ros_args *args)
{
    static const struct origin at = {.file = "-p"};
    struct tn_ros__yaml_value *value = malloc(sizeof *value);
    if (value == NULL)
        return tn_error_set(load->err, TN_ERR_NO_MEMORY, "no memory for parameters");
    enum tn_result result = TN_OK;
    for (uint32_t i = 0; i < args->n_params && result == TN_OK; i++) {
        const struct tn_ros_rule *rule = &args->params[i];
        if (rule->node[0] != '\0' && strcmp(rule->node, load->node_name) != 0)
            continue;
        struct tn_error why = {0};
        result = tn_ros__yaml_read_value(rule->to, strlen(rule->to), "-p", value, &why);
        if (result == TN_OK)
            result = take_param(load, rule->from, value, at, true);
        else
            (void)tn_error_at(load->err, result, "-p", 0, 0, "%.80s:=%.60s: %s", rule->from,
                              rule->to, why.text);
    }
    free(value);
    return result;
}

static enum tn_result check_and_swap(const struct tn_ros_param_set *set, const uint8_t *candidate,
                                     struct tn_error *err)
{
    enum tn_result result = set->check == NULL ? TN_OK : set->check(candidate, err);
    if (result == TN_OK && set->config_size > 0)
        memcpy(set->config, candidate, set->config_size);
    return result;
}

static uint8_t *copy_config(const struct tn_ros_param_set *set, struct tn_error *err)
{
    if (set->config_size > TN_ROS_CONFIG_MAX) {
        (void)tn_error_set(err, TN_ERR_LIMIT, "the configuration has %zu bytes; at most %d",
                           set->config_size, TN_ROS_CONFIG_MAX);
        return NULL;
    }
    uint8_t *candidate = malloc(set->config_size + 1);
    if (candidate == NULL)
        (void)tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the configuration");
    else if (set->config_size > 0)
        memcpy(candidate, set->config, set->config_size);
    return candidate;
}

enum tn_result tn_ros__params_load(const struct tn_ros_param_set *set,
                                   const struct tn_ros_args *args, const char *node_ns,
                                   const char *node_name,
                                   struct tn_ros__builtin_params *out_builtin, struct tn_error *err)
{
    char fqn[2 * TN_ROS_NAME_MAX];
    (void)snprintf(fqn, sizeof fqn, "%s/%s", strcmp(node_ns, "/") == 0 ? "" : node_ns, node_name);
    uint8_t *candidate = copy_config(set, err);
    if (candidate == NULL)
        return set->config_size > TN_ROS_CONFIG_MAX ? TN_ERR_LIMIT : TN_ERR_NO_MEMORY;
    struct load load = {
        .set = set, .candidate = candidate, .fqn = fqn, .node_name = node_name, .err = err};

    // each source overrides the ones before it
    struct tn_ros_param_set builtin = tn_ros__builtin_param_set(&load.builtin);
    enum tn_result result = set_defaults(&builtin, (uint8_t *)&load.builtin, err);
    if (result == TN_OK)
        result = set_defaults(set, candidate, err);
    if (result == TN_OK)
        result = load_files(&load, args);
    if (result == TN_OK)
        result = load_overrides(&load, args);
    if (result == TN_OK)
        result = check_and_swap(set, candidate, err);
    if (result == TN_OK)
        *out_builtin = load.builtin;
    else
        tn_ros__builtin_params_fini(&load.builtin);
    free(candidate);
    return result;
}

enum tn_result tn_ros_params_load(const struct tn_ros_param_set *set,
                                  const struct tn_ros_args *args, const char *node_ns,
                                  const char *node_name, struct tn_error *err)
{
    struct tn_ros__builtin_params builtin = {0};
    enum tn_result result = tn_ros__params_load(set, args, node_ns, node_name, &builtin, err);
    tn_ros__builtin_params_fini(&builtin);
    return result;
}

enum tn_result tn_ros_params_set_yaml(const struct tn_ros_param_set *set, const char *name,
                                      const char *yaml, struct tn_error *err)
{
    static const struct origin at = {.file = ""};
    const struct tn_ros_param *param = find(set, name);
    if (param == NULL)
        return fail_unknown(set, name, at, err);
    if (param->flags & TN_ROS_PARAM_READ_ONLY)
        return tn_error_set(err, TN_ERR_PERMISSION,
                            "parameter \"%s\" is read-only; set it at start", name);
    uint8_t *candidate = copy_config(set, err);
    if (candidate == NULL)
        return TN_ERR_NO_MEMORY;
    enum tn_result result = set_text(param, yaml, at, candidate, err);
    if (result == TN_OK)
        result = check_and_swap(set, candidate, err);
    free(candidate);
    return result;
}

// ---- help ----

static void print_row(const struct tn_ros_param *param, int fd)
{
    char limits[96] = "";
    if (param->choices != NULL)
        (void)snprintf(limits, sizeof limits, " (%s)", param->choices);
    else if (param->min < param->max)
        (void)snprintf(limits, sizeof limits, " (%g to %g)", param->min, param->max);
    (void)dprintf(fd, "  %-28s %-16s %s%s%s%s%s\n      %s\n", param->name, type_name(param->type),
                  param->default_yaml, param->unit[0] != '\0' ? " " : "", param->unit, limits,
                  param->flags & TN_ROS_PARAM_READ_ONLY ? " [at start only]" : "", param->text);
}

void tn_ros_params_print(const struct tn_ros_param_set *set, int fd)
{
    for (uint32_t i = 0; i < set->n_params; i++)
        print_row(&set->table[i], fd);
}
