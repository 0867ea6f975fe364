// SPDX-License-Identifier: Apache-2.0
// YAML as rosidl_runtime_py and PyYAML write it
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "rosidl/yaml/yaml__value.h"

// types nest as deep as their files say; nobody's do by half of this
#define DEPTH_MAX 64

struct printer {
    yaml_emitter_t emitter;
    const struct tn_yaml_style *style;
    const struct tn_yaml_sink *sink;
    enum tn_result result; // first error
};

struct tn_yaml_view tn_yaml_view_of(const struct tn_type *type, const void *msg)
{
    return (struct tn_yaml_view){.type = type, .data = msg};
}

static int on_write(void *context, unsigned char *text, size_t size)
{
    const struct printer *printer = context;
    printer->sink->write(printer->sink->context, (const char *)text, size);
    return 1;
}

// hands an event over; false after the first error
static bool emit(struct printer *p, yaml_event_t *event, int is_made)
{
    if (p->result == TN_OK && (!is_made || !yaml_emitter_emit(&p->emitter, event))) {
        p->result = TN_ERR_NO_MEMORY;
    }
    return p->result == TN_OK;
}

static void emit_scalar(struct printer *p, const char *text, size_t size, bool is_plain)
{
    yaml_event_t event;
    int is_made = p->result == TN_OK &&
                  yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text,
                                               (int)size, is_plain, 1, YAML_ANY_SCALAR_STYLE);
    (void)emit(p, &event, is_made);
}

static void emit_text(struct printer *p, const char *text, size_t size)
{
    emit_scalar(p, text, size, !tn_yaml__is_no_string(text, size));
}

static void begin_map(struct printer *p)
{
    yaml_event_t event;
    yaml_mapping_style_t style =
        p->style->is_flow ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE;
    (void)emit(p, &event, yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, style));
}

static void end_map(struct printer *p)
{
    yaml_event_t event;
    (void)emit(p, &event, yaml_mapping_end_event_initialize(&event));
}

static void begin_list(struct printer *p)
{
    yaml_event_t event;
    yaml_sequence_style_t style =
        p->style->is_flow ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE;
    (void)emit(p, &event, yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, style));
}

static void end_list(struct printer *p)
{
    yaml_event_t event;
    (void)emit(p, &event, yaml_sequence_end_event_initialize(&event));
}

static void print_message(struct printer *p, const struct tn_type *type, const void *msg,
                          unsigned depth);

static void print_text(struct printer *p, const struct tn_field *field, const void *element)
{
    struct tn_yaml__text text;
    if (tn_yaml__text_of(field, element, &text) != TN_OK) {
        p->result = TN_ERR_NO_MEMORY;
        return;
    }
    uint32_t most = p->style->max_length;
    char info[64];
    if (p->style->hides_strings && field->type != TN_TYPE_BYTE) {
        int n = snprintf(info, sizeof info, "<string length: <%u>>", text.n_chars);
        emit_text(p, info, (size_t)n);
    } else if (most > 0 && text.n_chars > most) {
        size_t size = tn_yaml__prefix(&text, most);
        char *shortened = malloc(size + 3);
        if (shortened == NULL) {
            p->result = TN_ERR_NO_MEMORY;
        } else {
            memcpy(shortened, text.data, size);
            memcpy(shortened + size, "...", 3);
            emit_text(p, shortened, size + 3);
        }
        free(shortened);
    } else {
        emit_text(p, text.data, text.size);
    }
    free(text.owned);
}

static void print_element(struct printer *p, const struct tn_field *field, const void *element,
                          unsigned depth)
{
    char number[TN_YAML__NUMBER_MAX];
    if (field->type == TN_TYPE_NESTED) {
        print_message(p, field->nested, element, depth);
    } else if (tn_yaml__is_text(field)) {
        print_text(p, field, element);
    } else {
        size_t size = tn_yaml__number(field, element, false, number);
        emit_scalar(p, number, size, true);
    }
}

static void print_list(struct printer *p, const struct tn_field *field, const void *member,
                       unsigned depth)
{
    uint32_t n = 0, most = p->style->max_length;
    const char *elements = tn_field_elements(field, member, &n);
    size_t size = tn_field_element_size(field);
    if (p->style->hides_arrays) {
        char info[TN_ERROR_TEXT_MAX];
        size_t length = tn_yaml__array_info(field, n, info, sizeof info);
        emit_text(p, info, length < sizeof info ? length : sizeof info - 1);
        return;
    }
    begin_list(p);
    for (uint32_t i = 0; i < n && (most == 0 || i < most) && p->result == TN_OK; i++) {
        print_element(p, field, elements + i * size, depth);
    }
    if (most > 0 && n > most) {
        emit_text(p, "...", 3);
    }
    end_list(p);
}

static void print_member(struct printer *p, const struct tn_field *field, const void *member,
                         unsigned depth)
{
    if (field->array == TN_ARRAY_NONE) {
        print_element(p, field, member, depth);
    } else {
        print_list(p, field, member, depth);
    }
}

static void print_message(struct printer *p, const struct tn_type *type, const void *msg,
                          unsigned depth)
{
    if (depth >= DEPTH_MAX) {
        p->result = TN_ERR_LIMIT;
        return;
    }
    begin_map(p);
    for (uint32_t i = 0; i < type->n_fields && p->result == TN_OK; i++) {
        const struct tn_field *field = &type->fields[i];
        if (!tn_yaml__is_dummy(field)) {
            emit_scalar(p, field->name, strlen(field->name), true);
            print_member(p, field, (const char *)msg + field->offset, depth + 1);
        }
    }
    end_map(p);
}

static enum tn_result print_document(struct printer *p, struct tn_yaml_view view)
{
    yaml_event_t event;
    if (!yaml_emitter_initialize(&p->emitter)) {
        return TN_ERR_NO_MEMORY;
    }
    yaml_emitter_set_output(&p->emitter, on_write, p);
    yaml_emitter_set_unicode(&p->emitter, 1);
    yaml_emitter_set_width(&p->emitter, -1);
    (void)emit(p, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    (void)emit(p, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
    if (view.type != NULL) {
        print_message(p, view.type, view.data, 0);
    } else if (view.is_element) {
        print_element(p, view.field, view.data, 0);
    } else {
        print_member(p, view.field, view.data, 0);
    }
    (void)emit(p, &event, yaml_document_end_event_initialize(&event, 1));
    (void)emit(p, &event, yaml_stream_end_event_initialize(&event));
    yaml_emitter_delete(&p->emitter);
    return p->result;
}

// a message, or what Python prints like one
static bool is_structured(struct tn_yaml_view view)
{
    bool is_list = view.field != NULL && !view.is_element && view.field->array != TN_ARRAY_NONE;
    return view.type != NULL || (view.field->type == TN_TYPE_NESTED && !is_list);
}

enum tn_result tn_yaml_print(struct tn_yaml_view view, const struct tn_yaml_style *style,
                             const struct tn_yaml_sink *sink)
{
    if (!is_structured(view)) {
        return tn_yaml__print_python(view, sink);
    }
    struct printer printer = {.style = style, .sink = sink};
    return print_document(&printer, view);
}
