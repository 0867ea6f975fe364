// SPDX-License-Identifier: Apache-2.0
// values as Python shows them: repr(), print(), and the comma-separated form
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rosidl/yaml/yaml__value.h"

static void put(const struct tn_yaml_sink *sink, const char *text)
{
    sink->write(sink->context, text, strlen(text));
}

// ---- repr ----

static void put_escaped(const struct tn_yaml_sink *sink, const char *text, size_t size, char quote)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        char out[8];
        if (c == (unsigned char)quote || c == '\\') {
            (void)snprintf(out, sizeof out, "\\%c", c);
        } else if (c == '\n' || c == '\r' || c == '\t') {
            (void)snprintf(out, sizeof out, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        } else if (c < 0x20 || c == 0x7f) {
            (void)snprintf(out, sizeof out, "\\x%02x", c);
        } else {
            sink->write(sink->context, text + i, 1);
            continue;
        }
        put(sink, out);
    }
}

static void put_quoted(const struct tn_yaml_sink *sink, const struct tn_yaml__text *text)
{
    // Python takes double quotes when that saves escapes
    bool has_single = memchr(text->data, '\'', text->size) != NULL;
    bool has_double = memchr(text->data, '"', text->size) != NULL;
    const char *quote = has_single && !has_double ? "\"" : "'";
    put(sink, quote);
    put_escaped(sink, text->data, text->size, quote[0]);
    put(sink, quote);
}

static void put_byte(const struct tn_yaml_sink *sink, uint8_t byte)
{
    char c = (char)byte;
    struct tn_yaml__text text = {.data = &c, .size = 1};
    char out[8];
    put(sink, "b");
    if (byte >= 0x7f) {
        (void)snprintf(out, sizeof out, "'\\x%02x'", byte);
        put(sink, out);
    } else {
        put_quoted(sink, &text);
    }
}

static void put_element(const struct tn_yaml_sink *sink, const struct tn_field *field,
                        const void *element)
{
    char number[TN_YAML__NUMBER_MAX];
    struct tn_yaml__text text;
    if (field->type == TN_TYPE_NESTED) {
        tn_yaml_print_repr(field->nested, element, sink);
    } else if (field->type == TN_TYPE_BYTE) {
        put_byte(sink, *(const uint8_t *)element);
    } else if (!tn_yaml__is_text(field)) {
        (void)tn_yaml__number(field, element, true, number);
        put(sink, number);
    } else if (tn_yaml__text_of(field, element, &text) == TN_OK) {
        put_quoted(sink, &text);
        free(text.owned);
    }
}

static void put_list(const struct tn_yaml_sink *sink, const struct tn_field *field,
                     const void *member)
{
    uint32_t n = 0;
    const char *elements = tn_field_elements(field, member, &n);
    size_t size = tn_field_element_size(field);
    put(sink, "[");
    for (uint32_t i = 0; i < n; i++) {
        put(sink, i == 0 ? "" : ", ");
        put_element(sink, field, elements + i * size);
    }
    put(sink, "]");
}

// "pkg/srv/T_Response" → "pkg.srv.T_Response"
static void put_type_name(const struct tn_yaml_sink *sink, const char *name)
{
    for (; *name != '\0'; name++) {
        char c = *name == '/' ? '.' : *name;
        sink->write(sink->context, &c, 1);
    }
}

void tn_yaml_print_repr(const struct tn_type *type, const void *msg,
                        const struct tn_yaml_sink *sink)
{
    bool is_first = true;
    put_type_name(sink, type->ros_name);
    put(sink, "(");
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        const void *member = (const char *)msg + field->offset;
        if (tn_yaml__is_dummy(field)) {
            continue;
        }
        put(sink, is_first ? "" : ", ");
        is_first = false;
        put(sink, field->name);
        put(sink, "=");
        if (field->array == TN_ARRAY_NONE) {
            put_element(sink, field, member);
        } else {
            put_list(sink, field, member);
        }
    }
    put(sink, ")");
}

// ---- print ----

// type code of Python's array module, NULL: a list
static const char *array_code(const struct tn_field *field)
{
    static const char *const codes[] = {
        [TN_TYPE_INT8] = "b",    [TN_TYPE_UINT8] = "B",  [TN_TYPE_INT16] = "h",
        [TN_TYPE_UINT16] = "H",  [TN_TYPE_INT32] = "i",  [TN_TYPE_UINT32] = "I",
        [TN_TYPE_INT64] = "q",   [TN_TYPE_UINT64] = "Q", [TN_TYPE_FLOAT32] = "f",
        [TN_TYPE_FLOAT64] = "d",
    };
    bool is_sequence = field->array == TN_ARRAY_BOUNDED || field->array == TN_ARRAY_UNBOUNDED;
    return is_sequence && (size_t)field->type < TN_ARRAY_SIZE(codes) ? codes[field->type] : NULL;
}

static void print_list(struct tn_yaml_view view, const struct tn_yaml_sink *sink)
{
    uint32_t n = 0;
    const char *code = array_code(view.field);
    (void)tn_field_elements(view.field, view.data, &n);
    if (code != NULL) {
        put(sink, "array('");
        put(sink, code);
        put(sink, n == 0 ? "'" : "', ");
    }
    if (code == NULL || n > 0) {
        put_list(sink, view.field, view.data);
    }
    put(sink, code == NULL ? "\n" : ")\n");
}

enum tn_result tn_yaml__print_python(struct tn_yaml_view view, const struct tn_yaml_sink *sink)
{
    if (!view.is_element && view.field->array != TN_ARRAY_NONE) {
        print_list(view, sink);
        return TN_OK;
    }
    struct tn_yaml__text text;
    if (!tn_yaml__is_text(view.field) || view.field->type == TN_TYPE_BYTE) {
        put_element(sink, view.field, view.data);
    } else {
        enum tn_result result = tn_yaml__text_of(view.field, view.data, &text);
        if (result != TN_OK) {
            return result;
        }
        sink->write(sink->context, text.data, text.size);
        free(text.owned);
    }
    put(sink, "\n");
    return TN_OK;
}

// ---- comma-separated ----

struct csv {
    const struct tn_yaml_style *style;
    const struct tn_yaml_sink *sink;
    bool has_any;
};

static void csv_value(struct csv *csv, const char *text, size_t size)
{
    put(csv->sink, csv->has_any ? "," : "");
    csv->has_any = true;
    csv->sink->write(csv->sink->context, text, size);
}

static void csv_message(struct csv *csv, const struct tn_type *type, const void *msg);

static void csv_element(struct csv *csv, const struct tn_field *field, const void *element)
{
    char number[TN_YAML__NUMBER_MAX];
    struct tn_yaml__text text;
    if (field->type == TN_TYPE_NESTED) {
        csv_message(csv, field->nested, element);
    } else if (!tn_yaml__is_text(field)) {
        size_t size = tn_yaml__number(field, element, true, number);
        csv_value(csv, number, size);
    } else if (tn_yaml__text_of(field, element, &text) == TN_OK) {
        uint32_t most = csv->style->max_length;
        bool is_cut = most > 0 && text.n_chars > most;
        csv_value(csv, text.data, is_cut ? tn_yaml__prefix(&text, most) : text.size);
        put(csv->sink, is_cut ? "..." : "");
        free(text.owned);
    }
}

static void csv_member(struct csv *csv, const struct tn_field *field, const void *member)
{
    uint32_t n = 0, most = csv->style->max_length;
    const char *elements = tn_field_elements(field, member, &n);
    if (field->array != TN_ARRAY_NONE && csv->style->hides_arrays) {
        char info[TN_ERROR_TEXT_MAX];
        size_t size = tn_yaml__array_info(field, n, info, sizeof info);
        csv_value(csv, info, size < sizeof info ? size : sizeof info - 1);
        return;
    }
    for (uint32_t i = 0; i < n && (most == 0 || i < most); i++) {
        csv_element(csv, field, elements + i * tn_field_element_size(field));
    }
    if (most > 0 && n > most) {
        csv_value(csv, "...", 3);
    }
}

static void csv_message(struct csv *csv, const struct tn_type *type, const void *msg)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        if (!tn_yaml__is_dummy(field)) {
            csv_member(csv, field, (const char *)msg + field->offset);
        }
    }
}

void tn_yaml_print_csv(struct tn_yaml_view view, const struct tn_yaml_style *style,
                       const struct tn_yaml_sink *sink)
{
    struct csv csv = {.style = style, .sink = sink};
    if (view.type != NULL) {
        csv_message(&csv, view.type, view.data);
    } else if (view.is_element) {
        csv_element(&csv, view.field, view.data);
    } else {
        csv_member(&csv, view.field, view.data);
    }
    put(sink, "\n");
}
