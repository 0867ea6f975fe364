// SPDX-License-Identifier: Apache-2.0
// encode and decode led by the field table, for types without code of their own
#include <string.h>

#include "rosidl/type.h"

// ---- encode ----

static void encode_elements(const struct tn_field *field, const void *elements, uint32_t n,
                            struct tn_cdr_writer *writer)
{
    size_t size = tn_field_element_size(field);
    for (uint32_t i = 0; i < n; i++) {
        const void *element = (const char *)elements + i * size;
        if (field->type == TN_TYPE_NESTED) {
            tn_type_interpret_encode(field->nested, element, writer);
        } else if (field->type == TN_TYPE_STRING) {
            const struct tn_str *text = element;
            tn_cdr_put_string(writer, text->data, text->size, field->string_capacity);
        } else if (field->type == TN_TYPE_WSTRING) {
            tn_wstr_encode(*(const struct tn_wstr *)element, field->string_capacity, writer);
        } else {
            // numbers and bools stand in memory as on the wire
            tn_cdr_put_block(writer, elements, n, size);
            return;
        }
    }
}

void tn_type_interpret_encode(const struct tn_type *type, const void *msg,
                              struct tn_cdr_writer *writer)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        uint32_t n = 0;
        const void *elements = tn_field_elements(field, (const char *)msg + field->offset, &n);
        if (field->array == TN_ARRAY_BOUNDED || field->array == TN_ARRAY_UNBOUNDED) {
            tn_cdr_put_count(writer, n, field->capacity);
        }
        encode_elements(field, elements, n, writer);
    }
    // the member that ROS puts into a type without any
    if (type->n_fields == 0) {
        tn_cdr_put_u8(writer, *(const uint8_t *)msg);
    }
}

// ---- decode ----

static void decode_elements(const struct tn_field *field, void *elements, uint32_t n,
                            struct tn_cdr_reader *reader, struct tn_arena *arena)
{
    size_t size = tn_field_element_size(field);
    for (uint32_t i = 0; i < n; i++) {
        void *element = (char *)elements + i * size;
        if (field->type == TN_TYPE_NESTED) {
            tn_type_interpret_decode(field->nested, element, reader, arena);
        } else if (field->type == TN_TYPE_STRING) {
            *(struct tn_str *)element = tn_str_decode(reader, field->string_capacity);
        } else if (field->type == TN_TYPE_WSTRING) {
            *(struct tn_wstr *)element = tn_wstr_decode(reader, field->string_capacity, arena);
        } else if (field->type == TN_TYPE_BOOL) {
            tn_cdr_get_bools(reader, elements, n);
            return;
        } else {
            tn_cdr_get_block(reader, elements, n, size);
            return;
        }
    }
}

// bytes the smallest element takes on the wire
static size_t least_size(const struct tn_field *field)
{
    if (field->type == TN_TYPE_NESTED) {
        return field->nested->min_cdr_size;
    }
    bool is_text = field->type == TN_TYPE_STRING || field->type == TN_TYPE_WSTRING;
    return is_text ? 4 : tn_field_element_size(field);
}

static void decode_sequence(const struct tn_field *field, void *member,
                            struct tn_cdr_reader *reader, struct tn_arena *arena)
{
    size_t size = tn_field_element_size(field);
    uint32_t n = tn_cdr_get_count(reader, field->capacity, least_size(field));
    void *elements = tn_seq_reserve(reader, arena, &n, size, tn_field_element_align(field));
    decode_elements(field, elements, n, reader, arena);
    struct tn_seq_any sequence = {elements, n};
    memcpy(member, &sequence, sizeof sequence);
}

void tn_type_interpret_decode(const struct tn_type *type, void *msg, struct tn_cdr_reader *reader,
                              struct tn_arena *arena)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        void *member = (char *)msg + field->offset;
        if (field->array == TN_ARRAY_BOUNDED || field->array == TN_ARRAY_UNBOUNDED) {
            decode_sequence(field, member, reader, arena);
        } else {
            uint32_t n = field->array == TN_ARRAY_FIXED ? field->capacity : 1;
            decode_elements(field, member, n, reader, arena);
        }
    }
    if (type->n_fields == 0) {
        *(uint8_t *)msg = tn_cdr_get_u8(reader);
    }
}
