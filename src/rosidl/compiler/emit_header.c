// SPDX-License-Identifier: Apache-2.0
// the C header of one package
#include <string.h>

#include "rosidl/compiler/compiler__internal.h"

static bool is_in(const struct tn_idl_struct *type, const char *package)
{
    return strcmp(type->package, package) == 0;
}

// whether a package before `type` in the list of used ones is the same: includes each once
static bool uses_package(const struct tn_idl *idl, const char *package, const char *other)
{
    for (const struct tn_idl_struct *type = idl->structs; type != NULL; type = type->next) {
        if (!is_in(type, package)) {
            continue;
        }
        for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
            if (f->type.nested != NULL && is_in(f->type.nested, other)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_first_of_package(const struct tn_idl *idl, const struct tn_idl_struct *type)
{
    const struct tn_idl_struct *first = idl->structs;
    while (!is_in(first, type->package)) {
        first = first->next;
    }
    return first == type;
}

static void emit_includes(const struct tn_idl *idl, const char *package, FILE *out)
{
    fputs("#include \"rosidl/type.h\"\n", out);
    for (const struct tn_idl_struct *type = idl->structs; type != NULL; type = type->next) {
        if (!is_in(type, package) && is_first_of_package(idl, type) &&
            uses_package(idl, package, type->package)) {
            fprintf(out, "#include \"tn_msgs/%s.h\"\n", type->package);
        }
    }
}

static bool is_enumerator(const struct tn_idl_constant *c)
{
    switch (c->type.id) {
    case TN_TYPE_INT8:
    case TN_TYPE_UINT8:
    case TN_TYPE_INT16:
    case TN_TYPE_UINT16:
    case TN_TYPE_INT32:
    case TN_TYPE_BYTE:
        return true;
    case TN_TYPE_UINT32:
        return c->value.u <= INT32_MAX;
    case TN_TYPE_INT64:
        return c->value.i >= INT32_MIN && c->value.i <= INT32_MAX;
    case TN_TYPE_UINT64:
        return c->value.u <= INT32_MAX;
    case TN_TYPE_NESTED:
    case TN_TYPE_FLOAT32:
    case TN_TYPE_FLOAT64:
    case TN_TYPE_BOOL:
    case TN_TYPE_STRING:
    case TN_TYPE_WSTRING:
    default:
        return false;
    }
}

static void emit_enumerator_value(FILE *out, const struct tn_idl_constant *c)
{
    bool is_signed = c->type.id == TN_TYPE_INT8 || c->type.id == TN_TYPE_INT16 ||
                     c->type.id == TN_TYPE_INT32 || c->type.id == TN_TYPE_INT64;
    struct tn_idl_value value = {.i = is_signed ? c->value.i : (int64_t)c->value.u};
    tn_idl__emit_value(out, TN_TYPE_INT32, &value);
}

// integers that fit into int become enumerators, everything else a macro
static void emit_constants(FILE *out, const struct tn_idl_struct *type)
{
    bool is_open = false;
    for (const struct tn_idl_constant *c = type->constants; c != NULL; c = c->next) {
        if (is_enumerator(c)) {
            fputs(is_open ? "    " : "enum {\n    ", out);
            is_open = true;
            tn_idl__emit_name(out, type);
            fprintf(out, "_%s = ", c->name);
            emit_enumerator_value(out, c);
            fputs(",\n", out);
        }
    }
    fputs(is_open ? "};\n" : "", out);
    for (const struct tn_idl_constant *c = type->constants; c != NULL; c = c->next) {
        if (!is_enumerator(c)) {
            fputs("#define ", out);
            tn_idl__emit_name(out, type);
            fprintf(out, "_%s (", c->name);
            tn_idl__emit_value(out, c->type.id, &c->value);
            fputs(")\n", out);
        }
    }
}

static void emit_member(FILE *out, const struct tn_idl_field *f)
{
    bool is_sequence = f->type.array == TN_ARRAY_BOUNDED || f->type.array == TN_ARRAY_UNBOUNDED;
    fputs("    ", out);
    if (f->type.nested != NULL) {
        fputs("struct ", out);
        tn_idl__emit_name(out, f->type.nested);
        fputs(is_sequence ? "_seq" : "", out);
    } else if (is_sequence) {
        fprintf(out, "struct tn_seq_%s", tn_idl__suffix(f->type.id));
    } else {
        fputs(tn_idl__c_type(f->type.id), out);
    }
    fprintf(out, " %s%s", f->name, tn_idl__guard(f->name));
    if (f->type.array == TN_ARRAY_FIXED) {
        fprintf(out, "[%u]", (unsigned)f->type.capacity);
    }
    fputs(";", out);
    if (f->type.array == TN_ARRAY_BOUNDED) {
        fprintf(out, " ///< at most %u", (unsigned)f->type.capacity);
    }
    fputs("\n", out);
}

static void emit_struct(FILE *out, const struct tn_idl_struct *type)
{
    fprintf(out, "\n/// %s\nstruct ", type->full_name);
    tn_idl__emit_name(out, type);
    fputs(" {\n", out);
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        emit_member(out, f);
    }
    fputs("};\nstruct ", out);
    tn_idl__emit_name(out, type);
    fputs("_seq {\n    const struct ", out);
    tn_idl__emit_name(out, type);
    fputs(" *data;\n    uint32_t size;\n};\n", out);
}

// writes a template in which '$' stands for the C name of the type and '%' for a number
static void emit_template(FILE *out, const struct tn_idl_struct *type, const char *template,
                          size_t number)
{
    for (const char *c = template; *c != '\0'; c++) {
        if (*c == '$') {
            tn_idl__emit_name(out, type);
        } else if (*c == '%') {
            fprintf(out, "%zu", number);
        } else {
            fputc(*c, out);
        }
    }
}

static const char declarations[] =
    "extern const struct tn_type $_type;\n"
    "void $_init_any(void *any);\n"
    "void $_encode_any(const void *any, struct tn_cdr_writer *writer);\n"
    "void $_decode_any(void *any, struct tn_cdr_reader *reader, struct tn_arena *arena);\n"
    "static inline void $_init(struct $ *msg)\n"
    "{\n"
    "    $_init_any(msg);\n"
    "}\n"
    "TN_NODISCARD static inline enum tn_result $_copy(struct $ *out, const struct $ *msg,\n"
    "                                               struct tn_arena *arena)\n"
    "{\n"
    "    return tn_type_copy(&$_type, out, msg, arena);\n"
    "}\n";

static const char codec[] =
    "static inline void $_encode(const struct $ *msg, struct tn_cdr_writer *writer)\n"
    "{\n"
    "    $_encode_any(msg, writer);\n"
    "}\n"
    "static inline void $_decode(struct $ *msg, struct tn_cdr_reader *reader,\n"
    "                            struct tn_arena *arena)\n"
    "{\n"
    "    $_decode_any(msg, reader, arena);\n"
    "}\n";

// the struct has the bytes of the wire: taken over as a block of its largest elements
static const char plain_codec[] =
    "static inline void $_encode(const struct $ *msg, struct tn_cdr_writer *writer)\n"
    "{\n"
    "    tn_cdr_put_block(writer, msg, sizeof *msg / %, %);\n"
    "}\n"
    "static inline void $_decode(struct $ *msg, struct tn_cdr_reader *reader,\n"
    "                            struct tn_arena *arena)\n"
    "{\n"
    "    if (TN_LIKELY(!reader->is_swapped)) {\n"
    "        tn_cdr_get_block(reader, msg, sizeof *msg / %, %);\n"
    "    } else {\n"
    "        $_decode_any(msg, reader, arena);\n"
    "    }\n"
    "}\n";

static void emit_type(FILE *out, const struct tn_idl_struct *type)
{
    if (type->is_service) {
        fprintf(out, "\n/// %s\n", type->full_name);
        emit_template(out, type, "extern const struct tn_service_type $_type;\n", 0);
        return;
    }
    if (type->is_action) {
        fprintf(out, "\n/// %s\n", type->full_name);
        emit_template(out, type, "extern const struct tn_action_type $_type;\n", 0);
        return;
    }
    emit_struct(out, type);
    emit_constants(out, type);
    emit_template(out, type, declarations, 0);
    emit_template(out, type, type->is_plain ? plain_codec : codec, type->c_align);
}

static uint32_t highest_rank(const struct tn_idl *idl)
{
    uint32_t highest = 0;
    for (const struct tn_idl_struct *type = idl->structs; type != NULL; type = type->next) {
        highest = type->rank > highest ? type->rank : highest;
    }
    return highest;
}

enum tn_result tn_idl_emit_header(const struct tn_idl *idl, const char *package, FILE *out)
{
    fprintf(out, "// generated by tendon-rosidl from the interface files of %s\n", package);
    fputs("// what is declared for each type: see rosidl/type.h\n", out);
    fprintf(out, "#ifndef TN_MSGS_%s_H\n#define TN_MSGS_%s_H\n\n", package, package);
    emit_includes(idl, package, out);
    // a type stands behind all types it uses
    uint32_t n_ranks = highest_rank(idl);
    for (uint32_t rank = 1; rank <= n_ranks; rank++) {
        for (const struct tn_idl_struct *type = idl->structs; type != NULL; type = type->next) {
            if (type->rank == rank && is_in(type, package)) {
                emit_type(out, type);
            }
        }
    }
    fputs("\n#endif\n", out);
    return ferror(out) ? TN_ERR_IO : TN_OK;
}
