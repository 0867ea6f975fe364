// SPDX-License-Identifier: Apache-2.0
// sizes and alignments in C and on the wire
#include <string.h>

#include "rosidl/compiler/compiler__internal.h"

size_t tn_idl__primitive_size(enum tn_type_id id)
{
    bool is_primitive = id != TN_TYPE_NESTED && id != TN_TYPE_STRING && id != TN_TYPE_WSTRING;
    return is_primitive ? tn_field_element_size(&(struct tn_field){.type = id}) : 0;
}

// what one element of a member takes
struct element {
    size_t c_size;
    size_t c_align;
    size_t first_align;
    size_t min_cdr_size;
    bool is_flat;
    bool is_plain;
};

static struct element element_of(const struct tn_idl_type *type)
{
    if (type->id == TN_TYPE_NESTED) {
        const struct tn_idl_struct *n = type->nested;
        return (struct element){n->c_size,       n->c_align, n->first_align,
                                n->min_cdr_size, n->is_flat, n->is_plain};
    }
    size_t size = tn_idl__primitive_size(type->id);
    if (size == 0) {
        return (struct element){16, 8, 4, 4, false, false};
    }
    // a bool on the wire may be any byte, so it is never taken over as it is
    return (struct element){size, size, size, size, true, type->id != TN_TYPE_BOOL};
}

// sizes of absurd arrays stop here instead of wrapping
#define SIZE_STOP ((size_t)1 << 40)

static size_t times(size_t n, size_t size)
{
    return size != 0 && n > SIZE_STOP / size ? SIZE_STOP : n * size;
}

static size_t stopped(size_t size)
{
    return size < SIZE_STOP ? size : SIZE_STOP;
}

static void add_member(struct tn_idl_struct *owner, const struct tn_idl_type *type)
{
    struct element e = element_of(type);
    size_t n = type->array == TN_ARRAY_FIXED ? type->capacity : 1;
    if (type->array == TN_ARRAY_BOUNDED || type->array == TN_ARRAY_UNBOUNDED) {
        e = (struct element){16, 8, 4, 4, false, false};
    }
    size_t start = (owner->c_size + e.c_align - 1) / e.c_align * e.c_align;
    owner->is_flat = owner->is_flat && e.is_flat;
    owner->is_plain = owner->is_plain && e.is_plain && start == owner->c_size;
    owner->c_size = stopped(start + times(n, e.c_size));
    owner->c_align = e.c_align > owner->c_align ? e.c_align : owner->c_align;
    owner->min_cdr_size = stopped(owner->min_cdr_size + times(n, e.min_cdr_size));
    owner->first_align = owner->first_align == 0 ? e.first_align : owner->first_align;
}

void tn_idl__layout(struct tn_idl_struct *type)
{
    type->is_flat = true;
    type->is_plain = true;
    type->c_size = 0;
    type->c_align = 1;
    type->first_align = 0;
    type->min_cdr_size = 0;
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        add_member(type, &f->type);
    }
    size_t size = (type->c_size + type->c_align - 1) / type->c_align * type->c_align;
    // the wire aligns the first primitive only, so that one must have the largest alignment
    type->is_plain = type->is_plain && size == type->c_size && type->first_align == type->c_align;
    type->c_size = size;
}

static bool insert_sorted(const struct tn_idl_struct **list, uint32_t *io_n,
                          const struct tn_idl_struct *type)
{
    uint32_t at = 0;
    while (at < *io_n && strcmp(list[at]->full_name, type->full_name) < 0) {
        at++;
    }
    if (at < *io_n && list[at] == type) {
        return false;
    }
    memmove(&list[at + 1], &list[at], (*io_n - at) * sizeof(struct tn_idl_struct *));
    list[at] = type;
    ++*io_n;
    return true;
}

static bool add_nested_of(const struct tn_idl_struct *type, const struct tn_idl_struct **list,
                          uint32_t *io_n)
{
    bool has_grown = false;
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        if (f->type.nested != NULL && insert_sorted(list, io_n, f->type.nested)) {
            has_grown = true;
        }
    }
    return has_grown;
}

uint32_t tn_idl__used(const struct tn_idl_struct *type, const struct tn_idl_struct **out_used)
{
    uint32_t n = 0;
    bool has_grown = add_nested_of(type, out_used, &n);
    while (has_grown) {
        has_grown = false;
        for (uint32_t i = 0; i < n; i++) {
            has_grown = add_nested_of(out_used[i], out_used, &n) || has_grown;
        }
    }
    return n;
}
