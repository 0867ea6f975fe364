// SPDX-License-Identifier: Apache-2.0
// what walks the field tables: copying and comparing messages of any type
#include <string.h>

#include "rosidl/type.h"

static bool is_sequence(const struct tn_field *field)
{
    return field->array == TN_ARRAY_BOUNDED || field->array == TN_ARRAY_UNBOUNDED;
}

size_t tn_field_element_size(const struct tn_field *field)
{
    switch (field->type) {
    case TN_TYPE_NESTED:
        return field->nested->size;
    case TN_TYPE_INT16:
    case TN_TYPE_UINT16:
        return 2;
    case TN_TYPE_INT32:
    case TN_TYPE_UINT32:
    case TN_TYPE_FLOAT32:
        return 4;
    case TN_TYPE_INT64:
    case TN_TYPE_UINT64:
    case TN_TYPE_FLOAT64:
        return 8;
    case TN_TYPE_STRING:
        return sizeof(struct tn_str);
    case TN_TYPE_WSTRING:
        return sizeof(struct tn_wstr);
    case TN_TYPE_INT8:
    case TN_TYPE_UINT8:
    case TN_TYPE_BOOL:
    case TN_TYPE_BYTE:
    default:
        return 1;
    }
}

const void *tn_field_elements(const struct tn_field *field, const void *member, uint32_t *out_n)
{
    if (is_sequence(field)) {
        // every sequence struct has the members of tn_seq_any, in its order
        struct tn_seq_any sequence;
        memcpy(&sequence, member, sizeof sequence);
        *out_n = sequence.size;
        return sequence.data;
    }
    *out_n = field->array == TN_ARRAY_FIXED ? field->capacity : 1;
    return member;
}

size_t tn_field_element_align(const struct tn_field *field)
{
    switch (field->type) {
    case TN_TYPE_NESTED:
        return field->nested->align;
    case TN_TYPE_STRING:
        return _Alignof(struct tn_str);
    case TN_TYPE_WSTRING:
        return _Alignof(struct tn_wstr);
    case TN_TYPE_INT8:
    case TN_TYPE_UINT8:
    case TN_TYPE_INT16:
    case TN_TYPE_UINT16:
    case TN_TYPE_INT32:
    case TN_TYPE_UINT32:
    case TN_TYPE_INT64:
    case TN_TYPE_UINT64:
    case TN_TYPE_FLOAT32:
    case TN_TYPE_FLOAT64:
    case TN_TYPE_BOOL:
    case TN_TYPE_BYTE:
    default:
        return tn_field_element_size(field);
    }
}

static bool is_flat_element(const struct tn_field *field)
{
    if (field->type == TN_TYPE_NESTED) {
        return field->nested->is_flat;
    }
    return field->type != TN_TYPE_STRING && field->type != TN_TYPE_WSTRING;
}

// gives a copied string its own bytes
static bool own_string(struct tn_str *text, struct tn_arena *arena)
{
    const char *copy = tn_arena_strndup(arena, text->size != 0 ? text->data : "", text->size);
    *text = (struct tn_str){copy, copy != NULL ? text->size : 0};
    return copy != NULL;
}

static bool own_wstring(struct tn_wstr *text, struct tn_arena *arena)
{
    uint16_t *copy = tn_arena_alloc(arena, text->size, sizeof *copy, sizeof *copy);
    if (copy != NULL && text->size != 0) {
        memcpy(copy, text->data, text->size * sizeof *copy);
    }
    *text = (struct tn_wstr){copy, copy != NULL ? text->size : 0};
    return copy != NULL;
}

static bool own_members(const struct tn_type *type, void *msg, struct tn_arena *arena);

// makes `n` elements, already copied bit by bit, independent of their source
static bool own_elements(const struct tn_field *field, void *elements, uint32_t n,
                         struct tn_arena *arena)
{
    if (is_flat_element(field)) {
        return true;
    }
    size_t size = tn_field_element_size(field);
    bool is_done = true;
    for (uint32_t i = 0; i < n && is_done; i++) {
        void *element = (char *)elements + i * size;
        if (field->type == TN_TYPE_NESTED) {
            is_done = own_members(field->nested, element, arena);
        } else if (field->type == TN_TYPE_STRING) {
            is_done = own_string(element, arena);
        } else {
            is_done = own_wstring(element, arena);
        }
    }
    return is_done;
}

static bool own_sequence(const struct tn_field *field, void *member, struct tn_arena *arena)
{
    struct tn_seq_any sequence;
    memcpy(&sequence, member, sizeof sequence);
    size_t size = tn_field_element_size(field);
    void *copy = tn_arena_alloc(arena, sequence.size, size, tn_field_element_align(field));
    if (copy == NULL) {
        return false;
    }
    if (sequence.size != 0) {
        memcpy(copy, sequence.data, sequence.size * size);
    }
    sequence.data = copy;
    memcpy(member, &sequence, sizeof sequence);
    return own_elements(field, copy, sequence.size, arena);
}

static bool own_members(const struct tn_type *type, void *msg, struct tn_arena *arena)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        void *member = (char *)msg + field->offset;
        uint32_t n = field->array == TN_ARRAY_FIXED ? field->capacity : 1;
        bool is_done = is_sequence(field) ? own_sequence(field, member, arena)
                                          : own_elements(field, member, n, arena);
        if (!is_done) {
            return false;
        }
    }
    return true;
}

enum tn_result tn_type_copy(const struct tn_type *type, void *out, const void *msg,
                            struct tn_arena *arena)
{
    size_t mark = tn_arena_mark(arena);
    memcpy(out, msg, type->size);
    if (type->is_flat || own_members(type, out, arena)) {
        return TN_OK;
    }
    memset(out, 0, type->size);
    tn_arena_release(arena, mark);
    return TN_ERR_NO_MEMORY;
}

static bool equal_element(const struct tn_field *field, const void *a, const void *b, size_t size)
{
    if (field->type == TN_TYPE_NESTED) {
        return tn_type_equal(field->nested, a, b);
    }
    if (field->type == TN_TYPE_STRING) {
        const struct tn_str *x = a;
        const struct tn_str *y = b;
        return tn_str_equal(*x, *y);
    }
    if (field->type == TN_TYPE_WSTRING) {
        const struct tn_wstr *x = a;
        const struct tn_wstr *y = b;
        return x->size == y->size &&
               (x->size == 0 || memcmp(x->data, y->data, x->size * sizeof *x->data) == 0);
    }
    return memcmp(a, b, size) == 0;
}

static bool equal_member(const struct tn_field *field, const void *a, const void *b)
{
    uint32_t n_a;
    uint32_t n_b;
    const char *x = tn_field_elements(field, a, &n_a);
    const char *y = tn_field_elements(field, b, &n_b);
    size_t size = tn_field_element_size(field);
    bool is_equal = n_a == n_b;
    for (uint32_t i = 0; i < n_a && is_equal; i++) {
        is_equal = equal_element(field, x + i * size, y + i * size, size);
    }
    return is_equal;
}

bool tn_type_equal(const struct tn_type *type, const void *a, const void *b)
{
    bool is_equal = true;
    for (uint32_t i = 0; i < type->n_fields && is_equal; i++) {
        size_t offset = type->fields[i].offset;
        is_equal =
            equal_member(&type->fields[i], (const char *)a + offset, (const char *)b + offset);
    }
    return is_equal;
}
