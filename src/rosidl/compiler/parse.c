// SPDX-License-Identifier: Apache-2.0
// interface texts, line by line
#include <stdarg.h>
#include <string.h>

#include "rosidl/compiler/compiler__internal.h"

// one text being read
struct source {
    struct tn_idl *idl;
    struct tn_error *err;
    const char *file;
    const char *text;
    size_t size;
    size_t next; ///< start of the next line
    int32_t line;
};

enum tn_result tn_idl__fail(const struct tn_idl__cursor *at, size_t position, enum tn_result code,
                            const char *format, ...)
{
    char text[TN_ERROR_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return tn_error_at(at->err, code, at->file, at->line, (int32_t)position + 1, "%s", text);
}

enum tn_result tn_idl__no_memory(const struct tn_idl__cursor *at)
{
    return tn_idl__fail(at, at->position, TN_ERR_NO_MEMORY,
                        "the interface texts need more memory than the compiler reserves");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// end of a quoted string that starts at `start`, or `start` when it is never closed
static size_t quoted_end(const char *line, size_t size, size_t start)
{
    for (size_t i = start + 1; i < size; i++) {
        if (line[i] == '\\') {
            i++;
        } else if (line[i] == line[start]) {
            return i;
        }
    }
    return start;
}

// a quote opens a string only where a value starts
static bool opens_string(const char *line, size_t position)
{
    return position > 0 && memchr(" \t=[,", line[position - 1], 5) != NULL;
}

// bytes of the line before its comment
static size_t without_comment(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (line[i] == '#') {
            return i;
        }
        if ((line[i] == '"' || line[i] == '\'') && opens_string(line, i)) {
            i = quoted_end(line, size, i);
        }
    }
    return size;
}

// takes the next line; false at the end of the text
static bool next_line(struct source *source, struct tn_idl__cursor *out_at)
{
    if (source->next >= source->size) {
        return false;
    }
    const char *line = source->text + source->next;
    const char *end = memchr(line, '\n', source->size - source->next);
    size_t size = end != NULL ? (size_t)(end - line) : source->size - source->next;
    source->next += size + 1;
    source->line++;
    size = without_comment(line, size);
    while (size > 0 && is_blank(line[size - 1])) {
        size--;
    }
    *out_at = (struct tn_idl__cursor){.arena = source->idl->arena,
                                      .err = source->err,
                                      .file = source->file,
                                      .text = line,
                                      .size = size,
                                      .line = source->line};
    return true;
}

static void skip_blanks(struct tn_idl__cursor *at)
{
    while (at->position < at->size && is_blank(at->text[at->position])) {
        at->position++;
    }
}

static enum tn_result check_bytes(const struct tn_idl__cursor *at)
{
    for (size_t i = 0; i < at->size; i++) {
        unsigned char c = (unsigned char)at->text[i];
        if ((c < ' ' && c != '\t') || c == 0x7f) {
            return tn_idl__fail(at, i, TN_ERR_SYNTAX,
                                "found control character 0x%02x, expected text", (unsigned)c);
        }
    }
    return TN_OK;
}

static enum tn_result parse_name(struct tn_idl__cursor *at, enum tn_idl__name_kind kind,
                                 const char *what, size_t size, const char **out_name)
{
    if (!tn_idl__is_name(kind, at->text + at->position, size)) {
        return tn_idl__fail(at, at->position, TN_ERR_SYNTAX, "found %s '%.*s', expected %s", what,
                            size < 60 ? (int)size : 60, at->text + at->position,
                            tn_idl__name_rule(kind));
    }
    *out_name = tn_arena_strndup(at->arena, at->text + at->position, size);
    at->position += size;
    return *out_name != NULL ? TN_OK : tn_idl__no_memory(at);
}

static enum tn_result check_new_constant(const struct tn_idl__cursor *at, size_t start,
                                         const struct tn_idl_struct *owner, const char *name)
{
    for (const struct tn_idl_constant *c = owner->constants; c != NULL; c = c->next) {
        if (strcmp(c->name, name) == 0) {
            return tn_idl__fail(at, start, TN_ERR_EXISTS, "constant %.60s is defined twice", name);
        }
    }
    return TN_OK;
}

static enum tn_result check_constant_type(const struct tn_idl__cursor *at, size_t start,
                                          const struct tn_idl_type *type)
{
    if (type->id == TN_TYPE_NESTED || type->array != TN_ARRAY_NONE) {
        return tn_idl__fail(at, start, TN_ERR_SYNTAX,
                            "found a constant of type %.60s%s, expected a single primitive value "
                            "or string",
                            type->word, type->array != TN_ARRAY_NONE ? "[]" : "");
    }
    return TN_OK;
}

static void append_constant(struct tn_idl_struct *owner, struct tn_idl_constant *constant)
{
    struct tn_idl_constant **last = &owner->constants;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = constant;
}

// NAME = value, the cursor at the name
static enum tn_result parse_constant(struct tn_idl__cursor *at, struct tn_idl_struct *owner,
                                     const struct tn_idl_type *type, size_t name_size)
{
    size_t start = at->position;
    struct tn_idl_constant *constant =
        tn_arena_alloc(at->arena, 1, sizeof *constant, _Alignof(struct tn_idl_constant));
    if (constant == NULL) {
        return tn_idl__no_memory(at);
    }
    constant->type = *type;
    enum tn_result result = check_constant_type(at, 0, type);
    if (result == TN_OK) {
        result = parse_name(at, TN_IDL__CONSTANT, "constant", name_size, &constant->name);
    }
    if (result == TN_OK) {
        result = check_new_constant(at, start, owner, constant->name);
    }
    if (result != TN_OK) {
        return result;
    }
    skip_blanks(at);
    at->position++; // the '='
    result = tn_idl__parse_constant(at, constant);
    if (result == TN_OK) {
        append_constant(owner, constant);
    }
    return result;
}

static enum tn_result append_field(const struct tn_idl__cursor *at, size_t start,
                                   struct tn_idl_struct *owner, struct tn_idl_field *field)
{
    struct tn_idl_field **last = &owner->fields;
    for (; *last != NULL; last = &(*last)->next) {
        if (strcmp((*last)->name, field->name) == 0) {
            return tn_idl__fail(at, start, TN_ERR_EXISTS,
                                "member %.60s is defined twice, first in line %d", field->name,
                                (int)(*last)->line);
        }
    }
    *last = field;
    owner->n_fields++;
    return TN_OK;
}

// name or name default, the cursor at the name
static enum tn_result parse_field(struct tn_idl__cursor *at, struct tn_idl_struct *owner,
                                  const struct tn_idl_type *type, int32_t column, size_t name_size)
{
    size_t start = at->position;
    struct tn_idl_field *field =
        tn_arena_alloc(at->arena, 1, sizeof *field, _Alignof(struct tn_idl_field));
    if (field == NULL) {
        return tn_idl__no_memory(at);
    }
    *field = (struct tn_idl_field){
        .type = *type, .default_text = "", .line = at->line, .column = column};
    enum tn_result result = parse_name(at, TN_IDL__FIELD, "member", name_size, &field->name);
    if (result != TN_OK) {
        return result;
    }
    skip_blanks(at);
    if (at->position < at->size) {
        result = tn_idl__parse_default(at, field);
    }
    return result == TN_OK ? append_field(at, start, owner, field) : result;
}

static size_t word_size(const struct tn_idl__cursor *at)
{
    size_t end = at->position;
    while (end < at->size && !is_blank(at->text[end]) && at->text[end] != '=') {
        end++;
    }
    return end - at->position;
}

// a line that is not empty
static enum tn_result parse_line(struct tn_idl__cursor *at, struct tn_idl_struct *owner)
{
    int32_t column = (int32_t)at->position + 1;
    struct tn_idl_type type;
    enum tn_result result = tn_idl__parse_type(at, owner->package, &type);
    if (result != TN_OK) {
        return result;
    }
    size_t type_end = at->position;
    skip_blanks(at);
    if (at->position == type_end && at->position < at->size) {
        return tn_idl__fail(at, at->position, TN_ERR_SYNTAX,
                            "found '%c', expected a blank behind the type", at->text[at->position]);
    }
    size_t size = word_size(at);
    if (size == 0) {
        return tn_idl__fail(at, at->position, TN_ERR_SYNTAX, "expected a name behind the type");
    }
    struct tn_idl__cursor behind = *at;
    behind.position += size;
    skip_blanks(&behind);
    if (behind.position < behind.size && behind.text[behind.position] == '=') {
        return parse_constant(at, owner, &type, size);
    }
    return parse_field(at, owner, &type, column, size);
}

// a type without members gets the byte that ROS puts on the wire for it
static enum tn_result finish_struct(const struct source *source, struct tn_idl_struct *type)
{
    if (type->n_fields > 0) {
        return TN_OK;
    }
    struct tn_idl_field *field =
        tn_arena_alloc(source->idl->arena, 1, sizeof *field, _Alignof(struct tn_idl_field));
    if (field == NULL) {
        return tn_error_at(source->err, TN_ERR_NO_MEMORY, source->file, source->line, 0,
                           "the interface texts need more memory than the compiler reserves");
    }
    *field = (struct tn_idl_field){
        .name = "structure_needs_at_least_one_member",
        .type = {.id = TN_TYPE_UINT8, .word = "uint8", .nested_name = ""},
        .default_text = "",
    };
    type->fields = field;
    type->n_fields = 1;
    type->is_empty = true;
    return TN_OK;
}

static bool is_separator(const struct tn_idl__cursor *at)
{
    return at->size == 3 && memcmp(at->text, "---", 3) == 0;
}

// reads members up to the separator or the end of the text
static enum tn_result parse_members(struct source *source, struct tn_idl_struct *type,
                                    bool *out_separated)
{
    struct tn_idl__cursor at;
    *out_separated = false;
    while (next_line(source, &at)) {
        enum tn_result result = check_bytes(&at);
        skip_blanks(&at);
        if (result == TN_OK && is_separator(&at)) {
            *out_separated = true;
            break;
        }
        if (result == TN_OK && at.position < at.size) {
            result = parse_line(&at, type);
        }
        if (result != TN_OK) {
            return result;
        }
    }
    return finish_struct(source, type);
}

// makes "pkg/kind/Name" + suffix
static struct tn_idl_struct *new_struct(const struct source *source, const char *full_name,
                                        const char *suffix)
{
    struct tn_arena *arena = source->idl->arena;
    struct tn_idl_struct *type =
        tn_arena_alloc(arena, 1, sizeof *type, _Alignof(struct tn_idl_struct));
    size_t size = strlen(full_name) + strlen(suffix) + 1;
    char *name = tn_arena_alloc(arena, size, 1, 1);
    if (type == NULL || name == NULL) {
        return NULL;
    }
    snprintf(name, size, "%s%s", full_name, suffix);
    const char *kind = strchr(name, '/');
    type->full_name = name;
    type->package = tn_arena_strndup(arena, name, (size_t)(kind - name));
    size_t kind_size = strcspn(kind + 1, "/");
    type->kind = tn_arena_strndup(arena, kind + 1, kind_size);
    type->name = kind + kind_size + 2;
    type->file = tn_arena_strndup(arena, source->file, strlen(source->file));
    return type->package != NULL && type->kind != NULL && type->file != NULL ? type : NULL;
}

static enum tn_result out_of_memory(const struct source *source)
{
    return tn_error_at(source->err, TN_ERR_NO_MEMORY, source->file, source->line, 0,
                       "the interface texts need more memory than the compiler reserves");
}

static enum tn_result add_struct(struct source *source, struct tn_idl_struct *type)
{
    if (!tn_idl__add(source->idl, type)) {
        return tn_error_at(source->err, TN_ERR_EXISTS, source->file, 0, 0,
                           "%.100s is defined already", type->full_name);
    }
    return TN_OK;
}

static enum tn_result parse_msg(struct source *source, const char *full_name)
{
    struct tn_idl_struct *type = new_struct(source, full_name, "");
    if (type == NULL) {
        return out_of_memory(source);
    }
    bool is_separated;
    enum tn_result result = parse_members(source, type, &is_separated);
    if (result != TN_OK) {
        return result;
    }
    if (is_separated) {
        return tn_error_at(source->err, TN_ERR_SYNTAX, source->file, source->line, 1,
                           "found '---', expected a member: a message has one part");
    }
    return add_struct(source, type);
}

static bool add_field(struct tn_arena *arena, struct tn_idl_struct *owner, const char *name,
                      struct tn_idl_type type)
{
    struct tn_idl_field *field =
        tn_arena_alloc(arena, 1, sizeof *field, _Alignof(struct tn_idl_field));
    if (field == NULL) {
        return false;
    }
    *field = (struct tn_idl_field){.name = name, .default_text = "", .type = type};
    struct tn_idl_field **last = &owner->fields;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = field;
    owner->n_fields++;
    return true;
}

static bool add_nested(struct tn_arena *arena, struct tn_idl_struct *owner, const char *name,
                       const char *nested_name, enum tn_array_kind array)
{
    return add_field(arena, owner, name,
                     (struct tn_idl_type){.id = TN_TYPE_NESTED,
                                          .array = array,
                                          .capacity = array == TN_ARRAY_BOUNDED ? 1 : 0,
                                          .word = nested_name,
                                          .nested_name = nested_name});
}

// the event of a service and the service itself, as its type hash sees it
static enum tn_result add_service(struct source *source, const char *full_name,
                                  const struct tn_idl_struct *request,
                                  const struct tn_idl_struct *response)
{
    struct tn_arena *arena = source->idl->arena;
    struct tn_idl_struct *event = new_struct(source, full_name, "_Event");
    struct tn_idl_struct *service = new_struct(source, full_name, "");
    if (event == NULL || service == NULL ||
        !add_nested(arena, event, "info", "service_msgs/msg/ServiceEventInfo", TN_ARRAY_NONE) ||
        !add_nested(arena, event, "request", request->full_name, TN_ARRAY_BOUNDED) ||
        !add_nested(arena, event, "response", response->full_name, TN_ARRAY_BOUNDED) ||
        !add_nested(arena, service, "request_message", request->full_name, TN_ARRAY_NONE) ||
        !add_nested(arena, service, "response_message", response->full_name, TN_ARRAY_NONE) ||
        !add_nested(arena, service, "event_message", event->full_name, TN_ARRAY_NONE)) {
        return out_of_memory(source);
    }
    service->is_service = true;
    enum tn_result result = add_struct(source, event);
    return result == TN_OK ? add_struct(source, service) : result;
}

static enum tn_result parse_srv(struct source *source, const char *full_name)
{
    struct tn_idl_struct *request = new_struct(source, full_name, "_Request");
    struct tn_idl_struct *response = new_struct(source, full_name, "_Response");
    if (request == NULL || response == NULL) {
        return out_of_memory(source);
    }
    bool is_separated;
    enum tn_result result = parse_members(source, request, &is_separated);
    if (result == TN_OK && !is_separated) {
        return tn_error_at(source->err, TN_ERR_SYNTAX, source->file, source->line + 1, 1,
                           "the text ends, expected '---' between request and response");
    }
    if (result == TN_OK) {
        result = parse_members(source, response, &is_separated);
    }
    if (result == TN_OK && is_separated) {
        return tn_error_at(source->err, TN_ERR_SYNTAX, source->file, source->line, 1,
                           "found a second '---', expected two parts in a service");
    }
    result = result == TN_OK ? add_struct(source, request) : result;
    result = result == TN_OK ? add_struct(source, response) : result;
    return result == TN_OK ? add_service(source, full_name, request, response) : result;
}

// ---- actions ----

// the service that carries a goal or its result; both parts have their members already
static enum tn_result add_action_service(struct source *source, const char *full_name,
                                         const char *suffix, struct tn_idl_struct *request,
                                         struct tn_idl_struct *response)
{
    struct tn_idl_struct *service = new_struct(source, full_name, suffix);
    if (service == NULL) {
        return out_of_memory(source);
    }
    enum tn_result result = add_struct(source, request);
    result = result == TN_OK ? add_struct(source, response) : result;
    return result == TN_OK ? add_service(source, service->full_name, request, response) : result;
}

static enum tn_result add_send_goal(struct source *source, const char *full_name,
                                    const struct tn_idl_struct *goal)
{
    struct tn_arena *arena = source->idl->arena;
    struct tn_idl_struct *request = new_struct(source, full_name, "_SendGoal_Request");
    struct tn_idl_struct *response = new_struct(source, full_name, "_SendGoal_Response");
    struct tn_idl_type accepted = {.id = TN_TYPE_BOOL, .word = "bool", .nested_name = ""};
    if (request == NULL || response == NULL ||
        !add_nested(arena, request, "goal_id", "unique_identifier_msgs/msg/UUID", TN_ARRAY_NONE) ||
        !add_nested(arena, request, "goal", goal->full_name, TN_ARRAY_NONE) ||
        !add_field(arena, response, "accepted", accepted) ||
        !add_nested(arena, response, "stamp", "builtin_interfaces/msg/Time", TN_ARRAY_NONE)) {
        return out_of_memory(source);
    }
    return add_action_service(source, full_name, "_SendGoal", request, response);
}

static enum tn_result add_get_result(struct source *source, const char *full_name,
                                     const struct tn_idl_struct *result_part)
{
    struct tn_arena *arena = source->idl->arena;
    struct tn_idl_struct *request = new_struct(source, full_name, "_GetResult_Request");
    struct tn_idl_struct *response = new_struct(source, full_name, "_GetResult_Response");
    struct tn_idl_type status = {.id = TN_TYPE_INT8, .word = "int8", .nested_name = ""};
    if (request == NULL || response == NULL ||
        !add_nested(arena, request, "goal_id", "unique_identifier_msgs/msg/UUID", TN_ARRAY_NONE) ||
        !add_field(arena, response, "status", status) ||
        !add_nested(arena, response, "result", result_part->full_name, TN_ARRAY_NONE)) {
        return out_of_memory(source);
    }
    return add_action_service(source, full_name, "_GetResult", request, response);
}

// the feedback message and the action itself, as its type hash sees it; parts: goal, result,
// feedback
static enum tn_result add_action(struct source *source, const char *full_name,
                                 struct tn_idl_struct *const parts[3])
{
    struct tn_arena *arena = source->idl->arena;
    struct tn_idl_struct *send_goal = new_struct(source, full_name, "_SendGoal");
    struct tn_idl_struct *get_result = new_struct(source, full_name, "_GetResult");
    struct tn_idl_struct *message = new_struct(source, full_name, "_FeedbackMessage");
    struct tn_idl_struct *action = new_struct(source, full_name, "");
    if (send_goal == NULL || get_result == NULL || message == NULL || action == NULL ||
        !add_nested(arena, message, "goal_id", "unique_identifier_msgs/msg/UUID", TN_ARRAY_NONE) ||
        !add_nested(arena, message, "feedback", parts[2]->full_name, TN_ARRAY_NONE) ||
        !add_nested(arena, action, "goal", parts[0]->full_name, TN_ARRAY_NONE) ||
        !add_nested(arena, action, "result", parts[1]->full_name, TN_ARRAY_NONE) ||
        !add_nested(arena, action, "feedback", parts[2]->full_name, TN_ARRAY_NONE) ||
        !add_nested(arena, action, "send_goal_service", send_goal->full_name, TN_ARRAY_NONE) ||
        !add_nested(arena, action, "get_result_service", get_result->full_name, TN_ARRAY_NONE) ||
        !add_nested(arena, action, "feedback_message", message->full_name, TN_ARRAY_NONE)) {
        return out_of_memory(source);
    }
    action->is_action = true;
    enum tn_result result = add_struct(source, message);
    return result == TN_OK ? add_struct(source, action) : result;
}

static enum tn_result parse_action(struct source *source, const char *full_name)
{
    static const char *const suffixes[] = {"_Goal", "_Result", "_Feedback"};
    struct tn_idl_struct *parts[3];
    enum tn_result result = TN_OK;
    for (size_t i = 0; i < TN_ARRAY_SIZE(parts) && result == TN_OK; i++) {
        bool is_separated = false, is_last = i + 1 == TN_ARRAY_SIZE(parts);
        parts[i] = new_struct(source, full_name, suffixes[i]);
        if (parts[i] == NULL) {
            return out_of_memory(source);
        }
        result = parse_members(source, parts[i], &is_separated);
        if (result == TN_OK && is_separated == is_last) {
            return tn_error_at(source->err, TN_ERR_SYNTAX, source->file,
                               is_last ? source->line : source->line + 1, 1, "%s",
                               is_last ? "found a third '---', expected three parts in an action"
                                       : "the text ends, expected '---' between goal, result and "
                                         "feedback");
        }
        result = result == TN_OK ? add_struct(source, parts[i]) : result;
    }
    result = result == TN_OK ? add_send_goal(source, full_name, parts[0]) : result;
    result = result == TN_OK ? add_get_result(source, full_name, parts[1]) : result;
    return result == TN_OK ? add_action(source, full_name, parts) : result;
}

// ---- texts ----

// bytes of "/msg/", "/srv/" or "/action/" at the start; 0: none of them
static size_t kind_size(const char *text, size_t size)
{
    static const char *const kinds[] = {"/msg/", "/srv/", "/action/"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(kinds); i++) {
        size_t length = strlen(kinds[i]);
        if (size > length && memcmp(text, kinds[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

// pkg/msg/Type, pkg/srv/Name or pkg/action/Name
static bool is_full_name(const char *name)
{
    const char *slash = strchr(name, '/');
    size_t kind = slash == NULL ? 0 : kind_size(slash, strlen(slash));
    return kind > 0 && tn_idl__is_name(TN_IDL__PACKAGE, name, (size_t)(slash - name)) &&
           tn_idl__is_name(TN_IDL__TYPE, slash + kind, strlen(slash + kind));
}

static enum tn_result parse_text(struct source *source, const char *full_name)
{
    if (!is_full_name(full_name)) {
        return tn_error_at(
            source->err, TN_ERR_SYNTAX, source->file, 0, 0,
            "found type name '%.80s', expected package/msg/Type, package/srv/Type or "
            "package/action/Type",
            full_name);
    }
    if (source->size > TN_IDL_MAX_TEXT) {
        return tn_error_at(source->err, TN_ERR_LIMIT, source->file, 0, 0,
                           "the file has %zu bytes, expected at most %u", source->size,
                           TN_IDL_MAX_TEXT);
    }
    if (strstr(full_name, "/action/") != NULL) {
        return parse_action(source, full_name);
    }
    return strstr(full_name, "/srv/") != NULL ? parse_srv(source, full_name)
                                              : parse_msg(source, full_name);
}

enum tn_result tn_idl_parse(struct tn_idl *idl, const char *full_name, const char *file,
                            const char *text, size_t size, struct tn_error *err)
{
    struct source source = {.idl = idl, .err = err, .file = file, .text = text, .size = size};
    return parse_text(&source, full_name);
}

// start of the first line of at least three '=' at or behind `start`; `size` when there is none
static size_t find_rule(const char *text, size_t size, size_t start)
{
    for (size_t i = start; i + 3 <= size; i++) {
        if ((i == 0 || text[i - 1] == '\n') && memcmp(text + i, "===", 3) == 0) {
            return i;
        }
    }
    return size;
}

static size_t line_end(const char *text, size_t size, size_t start)
{
    const char *end = memchr(text + start, '\n', size - start);
    return end != NULL ? (size_t)(end - text) : size;
}

// "MSG: pkg/Type" to "pkg/msg/Type"; false: not such a line
static bool read_message_line(const char *line, size_t size, char *out_name, size_t capacity)
{
    while (size > 0 && is_blank(line[size - 1])) {
        size--;
    }
    const char *slash = size > 5 ? memchr(line, '/', size) : NULL;
    if (slash == NULL || memcmp(line, "MSG: ", 5) != 0) {
        return false;
    }
    const char *kind = kind_size(slash, size - (size_t)(slash - line)) > 0 ? "" : "/msg";
    int n = snprintf(out_name, capacity, "%.*s%s%.*s", (int)(slash - line - 5), line + 5, kind,
                     (int)(line + size - slash), slash);
    return n > 0 && (size_t)n < capacity;
}

enum tn_result tn_idl_parse_schema(struct tn_idl *idl, const char *full_name, const char *file,
                                   const char *text, size_t size, struct tn_error *err)
{
    char name[256];
    struct source source = {.idl = idl, .err = err, .file = file, .text = text};
    source.size = find_rule(text, size, 0);
    enum tn_result result = parse_text(&source, full_name);
    while (result == TN_OK && source.size < size) {
        // a rule, the name, the text up to the next rule
        source.line += 2;
        size_t start = line_end(text, size, source.size) + 1;
        size_t end = start < size ? line_end(text, size, start) : size;
        if (start >= size || !read_message_line(text + start, end - start, name, sizeof name)) {
            return tn_error_at(err, TN_ERR_SYNTAX, file, source.line, 1,
                               "expected 'MSG: package/Type' behind the line of '='");
        }
        source.next = end + 1;
        source.size = find_rule(text, size, end);
        if (tn_idl_find(idl, name) == NULL) {
            result = parse_text(&source, name);
        }
    }
    return result;
}
