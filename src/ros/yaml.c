// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "ros/ros__yaml.h"

/// Where an event belongs.
enum level { LEVEL_NODES, LEVEL_PARAMETERS };

/// One open map: how long the names were when it began.
struct frame {
    size_t node_size, name_size;
    enum level level;
};

struct reader {
    yaml_parser_t parser;
    const char *file;
    struct tn_error *err;
    tn_ros__yaml_param_fn on_param;
    void *context;
    struct frame frames[TN_ROS__YAML_DEPTH_MAX];
    uint32_t depth;
    char node[TN_ROS__YAML_NAME_MAX]; ///< "a/b", joined by '/'
    char name[TN_ROS__YAML_NAME_MAX]; ///< "a.b", joined by '.'
    size_t node_size, name_size;
    bool has_key; ///< the next event is the value of a key
    struct tn_ros__yaml_value value;
};

static enum tn_result fail_at(const struct reader *reader, enum tn_result code, yaml_mark_t mark,
                              const char *text)
{
    return tn_error_at(reader->err, code, reader->file, (int32_t)mark.line + 1,
                       (int32_t)mark.column + 1, "%s", text);
}

static enum tn_result next_event(struct reader *reader, yaml_event_t *out_event)
{
    if (yaml_parser_parse(&reader->parser, out_event))
        return TN_OK;
    const yaml_parser_t *p = &reader->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return tn_error_set(reader->err, TN_ERR_NO_MEMORY, "no memory for %s", reader->file);
    yaml_mark_t mark = p->problem_mark;
    if (p->error == YAML_READER_ERROR)
        mark = p->mark;
    return fail_at(reader, TN_ERR_SYNTAX, mark, p->problem != NULL ? p->problem : "not YAML");
}

// ---- values ----

static enum tn_result add_item(struct reader *reader, const yaml_event_t *event)
{
    struct tn_ros__yaml_value *value = &reader->value;
    uint32_t i = value->n_items++;
    if (i >= TN_ROS__YAML_ITEMS_MAX)
        return TN_OK;
    size_t size = event->data.scalar.length;
    if (size >= sizeof value->text - value->text_used)
        return fail_at(reader, TN_ERR_LIMIT, event->start_mark, "the value is too long");
    if (memchr(event->data.scalar.value, '\0', size) != NULL)
        return fail_at(reader, TN_ERR_SYNTAX, event->start_mark, "a text must not contain NUL");
    char *text = value->text + value->text_used;
    memcpy(text, event->data.scalar.value, size);
    text[size] = '\0';
    value->text_used += size + 1;
    const char *tag = (const char *)event->data.scalar.tag;
    bool is_text = tag != NULL && strcmp(tag, YAML_STR_TAG) == 0;
    value->items[i] = (struct tn_ros__yaml_item){
        .text = text,
        .size = size,
        .is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !is_text,
    };
    return TN_OK;
}

static enum tn_result read_items(struct reader *reader)
{
    for (;;) {
        yaml_event_t event;
        enum tn_result result = next_event(reader, &event);
        if (result != TN_OK)
            return result;
        bool is_end = event.type == YAML_SEQUENCE_END_EVENT;
        if (event.type == YAML_SCALAR_EVENT)
            result = add_item(reader, &event);
        else if (!is_end)
            result = fail_at(reader, TN_ERR_SYNTAX, event.start_mark,
                             "a list may hold numbers, booleans and texts only");
        yaml_event_delete(&event);
        if (is_end || result != TN_OK)
            return result;
    }
}

/// Reads the value that begins with `event` (a scalar or a sequence).
static enum tn_result read_value(struct reader *reader, const yaml_event_t *event)
{
    reader->value.is_sequence = event->type == YAML_SEQUENCE_START_EVENT;
    reader->value.n_items = 0;
    reader->value.text_used = 0;
    reader->value.line = (int32_t)event->start_mark.line + 1;
    reader->value.column = (int32_t)event->start_mark.column + 1;
    return reader->value.is_sequence ? read_items(reader) : add_item(reader, event);
}

// ---- maps ----

static enum tn_result append_name(struct reader *reader, char *name, size_t *size, char separator,
                                  const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t n = event->data.scalar.length;
    if (n == 0 || memchr(text, '\0', n) != NULL)
        return fail_at(reader, TN_ERR_SYNTAX, event->start_mark, "a name is missing");
    if (*size + 1 + n >= TN_ROS__YAML_NAME_MAX)
        return fail_at(reader, TN_ERR_LIMIT, event->start_mark, "the name is too long");
    if (*size > 0)
        name[(*size)++] = separator;
    memcpy(name + *size, text, n);
    *size += n;
    name[*size] = '\0';
    return TN_OK;
}

static struct frame *top(struct reader *reader)
{
    return &reader->frames[reader->depth - 1];
}

/// Cuts the names back to where the innermost open map began.
static void restore_names(struct reader *reader)
{
    if (reader->depth == 0)
        return;
    reader->node_size = top(reader)->node_size;
    reader->name_size = top(reader)->name_size;
    reader->node[reader->node_size] = '\0';
    reader->name[reader->name_size] = '\0';
    reader->has_key = false;
}

static enum tn_result open_map(struct reader *reader, const yaml_event_t *event, enum level level)
{
    if (reader->depth == TN_ROS__YAML_DEPTH_MAX)
        return fail_at(reader, TN_ERR_LIMIT, event->start_mark, "maps are nested too deeply");
    reader->frames[reader->depth++] = (struct frame){
        .node_size = reader->node_size, .name_size = reader->name_size, .level = level};
    reader->has_key = false;
    return TN_OK;
}

static enum tn_result take_key(struct reader *reader, const yaml_event_t *event)
{
    if (event->type != YAML_SCALAR_EVENT)
        return fail_at(reader, TN_ERR_SYNTAX, event->start_mark, "a key must be a text");
    reader->has_key = true;
    if (top(reader)->level == LEVEL_PARAMETERS)
        return append_name(reader, reader->name, &reader->name_size, '.', event);
    return append_name(reader, reader->node, &reader->node_size, '/', event);
}

/// Whether what stands above ros__parameters is a node's name, or a pattern of `*` and `**`.
static bool is_node_pattern(const char *text)
{
    text += *text == '/';
    for (;;) {
        size_t n = strcspn(text, "/");
        bool is_wild = strncmp(text, "**", n) == 0 && n > 0 && n <= 2;
        bool is_name = n > 0 && !isdigit((unsigned char)text[0]);
        for (size_t i = 0; i < n; i++)
            is_name = is_name && (isalnum((unsigned char)text[i]) || text[i] == '_');
        if (!is_wild && !is_name)
            return false;
        if (text[n] == '\0')
            return true;
        text += n + 1;
    }
}

/// Whether the key just read says that parameters follow; cuts it off.
static bool take_parameters_key(struct reader *reader)
{
    static const char key[] = "ros__parameters";
    size_t size = sizeof key - 1, before = top(reader)->node_size;
    size_t start = before == 0 ? 0 : before + 1;
    if (reader->node_size != start + size || memcmp(reader->node + start, key, size) != 0)
        return false;
    reader->node_size = before;
    reader->node[before] = '\0';
    return true;
}

static enum tn_result take_value(struct reader *reader, const yaml_event_t *event)
{
    enum level level = top(reader)->level;
    bool begins_parameters = level == LEVEL_NODES && take_parameters_key(reader);
    if (event->type == YAML_MAPPING_START_EVENT) {
        if (begins_parameters && reader->depth < 2)
            return fail_at(reader, TN_ERR_SYNTAX, event->start_mark,
                           "ros__parameters must stand below a node name; use /** for all nodes");
        if (begins_parameters && !is_node_pattern(reader->node))
            return fail_at(reader, TN_ERR_SYNTAX, event->start_mark,
                           "what stands above ros__parameters is no node name; letters, digits, "
                           "'_', parted by '/', or the patterns * and **");
        return open_map(reader, event, begins_parameters ? LEVEL_PARAMETERS : level);
    }
    if (event->type != YAML_SCALAR_EVENT && event->type != YAML_SEQUENCE_START_EVENT)
        return fail_at(reader, TN_ERR_SYNTAX, event->start_mark,
                       "anchors and aliases are not supported");
    enum tn_result result = read_value(reader, event);
    if (result != TN_OK)
        return result;
    bool is_empty = !reader->value.is_sequence && reader->value.items[0].is_plain &&
                    reader->value.items[0].size == 0;
    if (level == LEVEL_PARAMETERS)
        result = reader->on_param(reader->context, reader->node, reader->name, &reader->value);
    else if (!is_empty)
        result = fail_at(reader, TN_ERR_SYNTAX, event->start_mark,
                         "expected node name, then ros__parameters, then the parameters");
    restore_names(reader);
    return result;
}

static enum tn_result take_event(struct reader *reader, const yaml_event_t *event)
{
    if (event->type == YAML_MAPPING_END_EVENT) {
        reader->depth--;
        restore_names(reader);
        return TN_OK;
    }
    if (reader->depth == 0) {
        bool is_map = event->type == YAML_MAPPING_START_EVENT;
        bool is_content = event->type == YAML_SCALAR_EVENT ||
                          event->type == YAML_SEQUENCE_START_EVENT ||
                          event->type == YAML_ALIAS_EVENT;
        if (is_content && !(event->type == YAML_SCALAR_EVENT && event->data.scalar.length == 0))
            return fail_at(reader, TN_ERR_SYNTAX, event->start_mark,
                           "a parameter file begins with a node name");
        return is_map ? open_map(reader, event, LEVEL_NODES) : TN_OK;
    }
    return reader->has_key ? take_value(reader, event) : take_key(reader, event);
}

static struct reader *reader_new(const char *text, size_t size, const char *file,
                                 struct tn_error *err)
{
    struct reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL || !yaml_parser_initialize(&reader->parser)) {
        free(reader);
        (void)tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for %s", file);
        return NULL;
    }
    reader->file = file;
    reader->err = err;
    yaml_parser_set_input_string(&reader->parser, (const unsigned char *)text, size);
    return reader;
}

static void reader_free(struct reader *reader)
{
    yaml_parser_delete(&reader->parser);
    free(reader);
}

enum tn_result tn_ros__yaml_read_params(const char *text, size_t size, const char *file,
                                        tn_ros__yaml_param_fn on_param, void *context,
                                        struct tn_error *err)
{
    struct reader *reader = reader_new(text, size, file, err);
    if (reader == NULL)
        return TN_ERR_NO_MEMORY;
    reader->on_param = on_param;
    reader->context = context;
    enum tn_result result = TN_OK;
    bool is_end = false;
    while (result == TN_OK && !is_end) {
        yaml_event_t event;
        result = next_event(reader, &event);
        if (result != TN_OK)
            break;
        result = take_event(reader, &event);
        is_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    reader_free(reader);
    return result;
}

enum tn_result tn_ros__yaml_read_value(const char *text, size_t size, const char *file,
                                       struct tn_ros__yaml_value *out_value, struct tn_error *err)
{
    struct reader *reader = reader_new(text, size, file, err);
    if (reader == NULL)
        return TN_ERR_NO_MEMORY;
    enum tn_result result = TN_OK;
    bool has_value = false, is_end = false;
    while (result == TN_OK && !is_end) {
        yaml_event_t event;
        result = next_event(reader, &event);
        if (result != TN_OK)
            break;
        bool is_value = event.type == YAML_SCALAR_EVENT || event.type == YAML_SEQUENCE_START_EVENT;
        bool is_frame = event.type == YAML_STREAM_START_EVENT ||
                        event.type == YAML_DOCUMENT_START_EVENT ||
                        event.type == YAML_DOCUMENT_END_EVENT;
        is_end = event.type == YAML_STREAM_END_EVENT;
        if (is_value && !has_value)
            result = read_value(reader, &event);
        else if (!is_frame && !is_end)
            result = fail_at(reader, TN_ERR_SYNTAX, event.start_mark,
                             "expected one number, boolean, text or list");
        has_value = has_value || is_value;
        yaml_event_delete(&event);
    }
    if (result == TN_OK && !has_value)
        result = tn_error_at(err, TN_ERR_SYNTAX, file, 0, 0, "the value is missing");
    if (result == TN_OK) {
        *out_value = reader->value;
        // the views move along with the text
        for (uint32_t i = 0; i < out_value->n_items && i < TN_ROS__YAML_ITEMS_MAX; i++)
            out_value->items[i].text =
                out_value->text + (reader->value.items[i].text - reader->value.text);
    }
    reader_free(reader);
    return result;
}
