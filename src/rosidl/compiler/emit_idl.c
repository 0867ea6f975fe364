// SPDX-License-Identifier: Apache-2.0
// OMG IDL for independent peers
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rosidl/compiler/compiler__internal.h"

static const char *idl_word(enum tn_type_id id)
{
    static const char *const table[] = {
        [TN_TYPE_INT8] = "int8",       [TN_TYPE_UINT8] = "uint8",
        [TN_TYPE_INT16] = "short",     [TN_TYPE_UINT16] = "unsigned short",
        [TN_TYPE_INT32] = "long",      [TN_TYPE_UINT32] = "unsigned long",
        [TN_TYPE_INT64] = "long long", [TN_TYPE_UINT64] = "unsigned long long",
        [TN_TYPE_FLOAT32] = "float",   [TN_TYPE_FLOAT64] = "double",
        [TN_TYPE_BOOL] = "boolean",    [TN_TYPE_BYTE] = "octet",
        [TN_TYPE_STRING] = "string",   [TN_TYPE_WSTRING] = "wstring",
    };
    return table[id];
}

static void emit_element_type(FILE *out, const struct tn_idl_type *type)
{
    if (type->nested != NULL) {
        const struct tn_idl_struct *n = type->nested;
        fprintf(out, "::%s::%s::dds_::%s_", n->package, n->kind, n->name);
        return;
    }
    fputs(idl_word(type->id), out);
    if (type->string_capacity != 0) {
        fprintf(out, "<%u>", (unsigned)type->string_capacity);
    }
}

static void emit_member(FILE *out, const struct tn_idl_struct *owner, const struct tn_idl_field *f)
{
    bool is_sequence = f->type.array == TN_ARRAY_BOUNDED || f->type.array == TN_ARRAY_UNBOUNDED;
    fputs(is_sequence ? "  sequence<" : "  ", out);
    emit_element_type(out, &f->type);
    if (f->type.array == TN_ARRAY_BOUNDED) {
        fprintf(out, ", %u", (unsigned)f->type.capacity);
    }
    // IDL knows no case: a member must not be called as its structure
    bool is_twin = strcasecmp(f->name, owner->name) == 0;
    fprintf(out, "%s %s_%s", is_sequence ? ">" : "", f->name, is_twin ? "_" : "");
    if (f->type.array == TN_ARRAY_FIXED) {
        fprintf(out, "[%u]", (unsigned)f->type.capacity);
    }
    fputs(";\n", out);
}

static void emit_struct(FILE *out, const struct tn_idl_struct *type, bool is_top)
{
    fprintf(out, "module %s { module %s { module dds_ {\n@final %sstruct %s_ {\n", type->package,
            type->kind, is_top ? "" : "@nested ", type->name);
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        emit_member(out, type, f);
    }
    fputs("};\n}; }; };\n", out);
}

// marks in `out_kind` by place in the list: 2 asked for, 1 used by one asked for
static enum tn_result mark(const struct tn_idl *idl, const char *const *names, uint32_t n_names,
                           const struct tn_idl_struct **used, char *out_kind, struct tn_error *err)
{
    for (uint32_t i = 0; i < n_names; i++) {
        const struct tn_idl_struct *top = tn_idl_find(idl, names[i]);
        if (top == NULL || top->is_service || top->is_action) {
            return tn_error_set(err, TN_ERR_NOT_FOUND, "no structure %.100s", names[i]);
        }
        uint32_t n_used = tn_idl__used(top, used);
        uint32_t place = 0;
        for (const struct tn_idl_struct *t = idl->structs; t != NULL; t = t->next, place++) {
            for (uint32_t k = 0; k < n_used; k++) {
                if (used[k] == t && out_kind[place] == 0) {
                    out_kind[place] = 1;
                }
            }
            out_kind[place] = t == top ? 2 : out_kind[place];
        }
    }
    return TN_OK;
}

static void emit_marked(const struct tn_idl *idl, const char *kind, FILE *out)
{
    // no chain of types is longer than the number of types
    for (uint32_t rank = 1; rank <= idl->n_structs; rank++) {
        uint32_t place = 0;
        for (const struct tn_idl_struct *t = idl->structs; t != NULL; t = t->next, place++) {
            if (t->rank == rank && kind[place] != 0) {
                emit_struct(out, t, kind[place] == 2);
            }
        }
    }
}

enum tn_result tn_idl_emit_idl(const struct tn_idl *idl, const char *const *names, uint32_t n_names,
                               FILE *out, struct tn_error *err)
{
    char *kind = calloc(idl->n_structs + 1, 1);
    const struct tn_idl_struct **used = calloc(idl->n_structs + 1, sizeof *used);
    enum tn_result result = tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the IDL");
    if (kind != NULL && used != NULL) {
        result = mark(idl, names, n_names, used, kind, err);
    }
    if (result == TN_OK) {
        emit_marked(idl, kind, out);
        result = ferror(out) ? TN_ERR_IO : TN_OK;
    }
    free(kind);
    free(used);
    return result;
}
