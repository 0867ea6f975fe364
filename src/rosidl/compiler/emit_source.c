// SPDX-License-Identifier: Apache-2.0
// the C source of one package
#include <stdlib.h>
#include <string.h>

#include "rosidl/compiler/compiler__internal.h"

// C compilers need not take longer string literals
#define MAX_LITERAL 4000

static bool is_sequence(const struct tn_idl_field *f)
{
    return f->type.array == TN_ARRAY_BOUNDED || f->type.array == TN_ARRAY_UNBOUNDED;
}

static void emit_member_name(FILE *out, const struct tn_idl_field *f)
{
    fprintf(out, "%s%s", f->name, tn_idl__guard(f->name));
}

// writes "name" or "name[i]"/"name.data[i]"
static void emit_element(FILE *out, const struct tn_idl_field *f)
{
    fputs("msg->", out);
    emit_member_name(out, f);
    if (f->type.array != TN_ARRAY_NONE) {
        fputs(is_sequence(f) ? ".data[i]" : "[i]", out);
    }
}

static void emit_size(FILE *out, const struct tn_idl_field *f)
{
    if (is_sequence(f)) {
        fputs("msg->", out);
        emit_member_name(out, f);
        fputs(".size", out);
    } else {
        fprintf(out, "%u", (unsigned)f->type.capacity);
    }
}

static void emit_loop(FILE *out, const struct tn_idl_field *f, const char *n)
{
    fputs("    for (uint32_t i = 0; i < ", out);
    if (n != NULL) {
        fputs(n, out);
    } else {
        emit_size(out, f);
    }
    fputs("; i++) {\n        ", out);
}

// bytes of the unit in which all elements can be written as one block; 0: one by one
static size_t block_unit(const struct tn_idl_type *type)
{
    if (type->nested != NULL) {
        return type->nested->is_plain ? type->nested->c_align : 0;
    }
    return tn_idl__primitive_size(type->id);
}

static void emit_encode_block(FILE *out, const struct tn_idl_field *f)
{
    size_t unit = block_unit(&f->type);
    size_t size = f->type.nested != NULL ? f->type.nested->c_size : unit;
    fputs("    tn_cdr_put_block(writer, msg->", out);
    emit_member_name(out, f);
    fputs(is_sequence(f) ? ".data, " : ", ", out);
    fputs(size != unit ? "(size_t)" : "", out);
    emit_size(out, f);
    if (size != unit) {
        fprintf(out, " * %zu", size / unit);
    }
    fprintf(out, ", %zu);\n", unit);
}

static void emit_encode_one(FILE *out, const struct tn_idl_field *f)
{
    if (f->type.nested != NULL) {
        tn_idl__emit_name(out, f->type.nested);
        fputs("_encode(&", out);
        emit_element(out, f);
        fputs(", writer);\n", out);
    } else if (f->type.id == TN_TYPE_STRING) {
        fputs("tn_cdr_put_string(writer, ", out);
        emit_element(out, f);
        fputs(".data, ", out);
        emit_element(out, f);
        fprintf(out, ".size, %u);\n", (unsigned)f->type.string_capacity);
    } else if (f->type.id == TN_TYPE_WSTRING) {
        fputs("tn_wstr_encode(", out);
        emit_element(out, f);
        fprintf(out, ", %u, writer);\n", (unsigned)f->type.string_capacity);
    } else {
        fprintf(out, "tn_cdr_put_%s(writer, ", tn_idl__suffix(f->type.id));
        emit_element(out, f);
        fputs(");\n", out);
    }
}

static void emit_encode_member(FILE *out, const struct tn_idl_field *f)
{
    if (is_sequence(f)) {
        fputs("    tn_cdr_put_count(writer, ", out);
        emit_size(out, f);
        fprintf(out, ", %u);\n", (unsigned)f->type.capacity);
    }
    if (f->type.array == TN_ARRAY_NONE) {
        fputs("    ", out);
        emit_encode_one(out, f);
    } else if (block_unit(&f->type) != 0) {
        emit_encode_block(out, f);
    } else {
        emit_loop(out, f, NULL);
        emit_encode_one(out, f);
        fputs("    }\n", out);
    }
}

// writes what reads one element into `target`
static void emit_decode_one(FILE *out, const struct tn_idl_field *f, const char *target)
{
    unsigned bound = (unsigned)f->type.string_capacity;
    if (f->type.nested != NULL) {
        tn_idl__emit_name(out, f->type.nested);
        fprintf(out, "_decode(&%s, reader, arena);\n", target);
    } else if (f->type.id == TN_TYPE_STRING) {
        fprintf(out, "%s = tn_str_decode(reader, %u);\n", target, bound);
    } else if (f->type.id == TN_TYPE_WSTRING) {
        fprintf(out, "%s = tn_wstr_decode(reader, %u, arena);\n", target, bound);
    } else {
        fprintf(out, "%s = tn_cdr_get_%s(reader);\n", target, tn_idl__suffix(f->type.id));
    }
}

static void target_of(const struct tn_idl_field *f, const char *index, char *out, size_t size)
{
    snprintf(out, size, "msg->%s%s%s", f->name, tn_idl__guard(f->name), index);
}

// `n` elements at `target`, which are not bools and may be a block
static void emit_decode_elements(FILE *out, const struct tn_idl_field *f, const char *target,
                                 const char *element, const char *n)
{
    size_t unit = block_unit(&f->type);
    if (f->type.nested == NULL && unit != 0) {
        fprintf(out, "    tn_cdr_get_block(reader, %s, %s, %zu);\n", target, n, unit);
        return;
    }
    if (unit != 0) {
        fprintf(out, "    if (TN_LIKELY(!reader->is_swapped)) {\n");
        fprintf(out, "        tn_cdr_get_block(reader, %s, (size_t)%s * %zu, %zu);\n    } else\n",
                target, n, f->type.nested->c_size / unit, unit);
    }
    emit_loop(out, f, n);
    emit_decode_one(out, f, element);
    fputs("    }\n", out);
}

static void emit_decode_array(FILE *out, const struct tn_idl_field *f)
{
    char target[300];
    char element[304];
    char n[16];
    target_of(f, "", target, sizeof target);
    target_of(f, "[i]", element, sizeof element);
    snprintf(n, sizeof n, "%u", (unsigned)f->type.capacity);
    if (f->type.id == TN_TYPE_BOOL) {
        fprintf(out, "    tn_cdr_get_bools(reader, %s, %s);\n", target, n);
    } else {
        emit_decode_elements(out, f, target, element, n);
    }
}

static size_t min_element_size(const struct tn_idl_field *f)
{
    return f->type.nested != NULL ? f->type.nested->min_cdr_size : 4;
}

// structures and wide strings: reserve, then read each
static void emit_decode_list(FILE *out, const struct tn_idl_field *f, const char *target)
{
    fprintf(out, "    uint32_t n_%s = tn_cdr_get_count(reader, %u, %zu);\n    struct ", f->name,
            (unsigned)f->type.capacity, min_element_size(f));
    char element[304];
    char items[300];
    char n[300];
    snprintf(items, sizeof items, "%s_items", f->name);
    snprintf(element, sizeof element, "%s[i]", items);
    snprintf(n, sizeof n, "n_%s", f->name);
    if (f->type.nested != NULL) {
        tn_idl__emit_name(out, f->type.nested);
    } else {
        fputs("tn_wstr", out);
    }
    fprintf(out, " *%s =\n        tn_seq_reserve(reader, arena, &%s, sizeof *%s, %u);\n", items, n,
            items, f->type.nested != NULL ? (unsigned)f->type.nested->c_align : 8u);
    emit_decode_elements(out, f, items, element, n);
    fprintf(out, "    %s.data = %s;\n    %s.size = %s;\n", target, items, target, n);
}

static void emit_decode_sequence(FILE *out, const struct tn_idl_field *f)
{
    char target[300];
    unsigned bound = (unsigned)f->type.capacity;
    size_t unit = tn_idl__primitive_size(f->type.id);
    target_of(f, "", target, sizeof target);
    if (f->type.id == TN_TYPE_BOOL) {
        fprintf(out, "    %s = tn_seq_decode_bools(reader, %u, arena);\n", target, bound);
    } else if (f->type.id == TN_TYPE_STRING) {
        fprintf(out, "    %s = tn_seq_decode_strings(reader, %u, %u, arena);\n", target, bound,
                (unsigned)f->type.string_capacity);
    } else if (unit != 0) {
        fprintf(out, "    struct tn_seq_any any_%s = tn_seq_decode(reader, %u, %zu, arena);\n",
                f->name, bound, unit);
        fprintf(out, "    %s.data = any_%s.data;\n    %s.size = any_%s.size;\n", target, f->name,
                target, f->name);
    } else {
        emit_decode_list(out, f, target);
    }
}

static void emit_decode_member(FILE *out, const struct tn_idl_field *f)
{
    char target[300];
    if (f->type.array == TN_ARRAY_FIXED) {
        emit_decode_array(out, f);
    } else if (is_sequence(f)) {
        emit_decode_sequence(out, f);
    } else {
        target_of(f, "", target, sizeof target);
        fputs("    ", out);
        emit_decode_one(out, f, target);
    }
}

// whether a member needs more than zeros to be initialised
static bool has_default(const struct tn_idl_struct *type)
{
    const struct tn_idl_struct *stack[64] = {type};
    size_t n = 1;
    // types deeper than the stack are initialised by their own function, which costs little
    while (n > 0) {
        const struct tn_idl_struct *top = stack[--n];
        for (const struct tn_idl_field *f = top->fields; f != NULL; f = f->next) {
            if (f->n_defaults > 0) {
                return true;
            }
            if (f->type.nested != NULL && !is_sequence(f)) {
                if (n == TN_ARRAY_SIZE(stack)) {
                    return true;
                }
                stack[n++] = f->type.nested;
            }
        }
    }
    return false;
}

static void emit_wide_units(FILE *out, const struct tn_idl_field *f)
{
    unsigned index = 0;
    for (const struct tn_idl_value *v = f->default_values; v != NULL; v = v->next, index++) {
        uint16_t *units = calloc(v->str.size + 1, sizeof *units);
        uint32_t n = units != NULL ? tn_idl__utf16(v->str.data, v->str.size, units) : 0;
        fprintf(out, "    static const uint16_t units_%s_%u[] = {", f->name, index);
        for (uint32_t i = 0; i < n; i++) {
            fprintf(out, "%u, ", (unsigned)units[i]);
        }
        fputs("0};\n", out);
        free(units);
    }
}

// one element of a default as an initialiser
static void emit_initialiser(FILE *out, const struct tn_idl_field *f, const struct tn_idl_value *v,
                             unsigned index)
{
    if (f->type.id == TN_TYPE_STRING) {
        fputs("{", out);
        tn_idl__emit_value(out, f->type.id, v);
        fprintf(out, ", %u}", (unsigned)v->str.size);
    } else if (f->type.id == TN_TYPE_WSTRING) {
        fprintf(out, "{units_%s_%u, TN_ARRAY_SIZE(units_%s_%u) - 1}", f->name, index, f->name,
                index);
    } else {
        tn_idl__emit_value(out, f->type.id, v);
    }
}

static void emit_single_default(FILE *out, const struct tn_idl_field *f)
{
    bool is_struct = f->type.id == TN_TYPE_STRING || f->type.id == TN_TYPE_WSTRING;
    fputs("    msg->", out);
    emit_member_name(out, f);
    fputs(" = ", out);
    if (is_struct) {
        fprintf(out, "(%s)", tn_idl__c_type(f->type.id));
    }
    emit_initialiser(out, f, f->default_values, 0);
    fputs(";\n", out);
}

static void emit_array_default(FILE *out, const struct tn_idl_field *f)
{
    unsigned index = 0;
    fprintf(out, "    static const %s default_%s[] = {\n", tn_idl__c_type(f->type.id), f->name);
    for (const struct tn_idl_value *v = f->default_values; v != NULL; v = v->next) {
        fputs("        ", out);
        emit_initialiser(out, f, v, index++);
        fputs(",\n", out);
    }
    fputs("    };\n", out);
    char target[300];
    target_of(f, "", target, sizeof target);
    if (is_sequence(f)) {
        fprintf(out, "    %s.data = default_%s;\n    %s.size = %u;\n", target, f->name, target,
                (unsigned)f->n_defaults);
    } else {
        fprintf(out, "    memcpy(%s, default_%s, sizeof default_%s);\n", target, f->name, f->name);
    }
}

static void emit_init_member(FILE *out, const struct tn_idl_field *f)
{
    if (f->n_defaults > 0) {
        if (f->type.id == TN_TYPE_WSTRING) {
            emit_wide_units(out, f);
        }
        if (f->type.array == TN_ARRAY_NONE) {
            emit_single_default(out, f);
        } else {
            emit_array_default(out, f);
        }
    } else if (f->type.nested != NULL && !is_sequence(f) && has_default(f->type.nested)) {
        bool is_array = f->type.array == TN_ARRAY_FIXED;
        if (is_array) {
            emit_loop(out, f, NULL);
        } else {
            fputs("    ", out);
        }
        tn_idl__emit_name(out, f->type.nested);
        fputs("_init(&", out);
        emit_element(out, f);
        fputs(is_array ? ");\n    }\n" : ");\n", out);
    }
}

static void emit_opening(FILE *out, const struct tn_idl_struct *type, const char *verb,
                         const char *qualifier, const char *rest)
{
    fputs("\nvoid ", out);
    tn_idl__emit_name(out, type);
    fprintf(out, "_%s_any(%svoid *any%s)\n{\n    %sstruct ", verb, qualifier, rest, qualifier);
    tn_idl__emit_name(out, type);
    fputs(" *msg = any;\n", out);
}

static bool needs_arena(const struct tn_idl_struct *type)
{
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        if (f->type.nested != NULL || is_sequence(f) || f->type.id == TN_TYPE_WSTRING) {
            return true;
        }
    }
    return false;
}

// what is not worth code of its own: the field table leads
static void emit_interpreted(FILE *out, const struct tn_idl_struct *type)
{
    emit_opening(out, type, "encode", "const ", ", struct tn_cdr_writer *writer");
    fputs("    tn_type_interpret_encode(&", out);
    tn_idl__emit_name(out, type);
    fputs("_type, msg, writer);\n}\n", out);
    emit_opening(out, type, "decode", "", ", struct tn_cdr_reader *reader, struct tn_arena *arena");
    fputs("    tn_type_interpret_decode(&", out);
    tn_idl__emit_name(out, type);
    fputs("_type, msg, reader, arena);\n}\n", out);
}

static void emit_functions(FILE *out, const struct tn_idl_struct *type)
{
    emit_opening(out, type, "init", "", "");
    fputs("    memset(msg, 0, sizeof *msg);\n", out);
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        emit_init_member(out, f);
    }
    fputs("}\n", out);
    if (type->is_interpreted) {
        emit_interpreted(out, type);
        return;
    }
    emit_opening(out, type, "encode", "const ", ", struct tn_cdr_writer *writer");
    for (const struct tn_idl_field *f = type->fields; f != NULL && !type->is_plain; f = f->next) {
        emit_encode_member(out, f);
    }
    if (type->is_plain) {
        fputs("    ", out);
        tn_idl__emit_name(out, type);
        fputs("_encode(msg, writer);\n", out);
    }
    fputs("}\n", out);
    emit_opening(out, type, "decode", "", ", struct tn_cdr_reader *reader, struct tn_arena *arena");
    fputs(needs_arena(type) ? "" : "    (void)arena;\n", out);
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        emit_decode_member(out, f);
    }
    fputs("}\n", out);
}

static void emit_field_row(FILE *out, const struct tn_idl_struct *type,
                           const struct tn_idl_field *f)
{
    fprintf(out, "    {\"%s\", (enum tn_type_id)%d, (enum tn_array_kind)%d, %u, %u,\n", f->name,
            (int)f->type.id, (int)f->type.array, (unsigned)f->type.capacity,
            (unsigned)f->type.string_capacity);
    fputs("     offsetof(struct ", out);
    tn_idl__emit_name(out, type);
    fprintf(out, ", %s%s), ", f->name, tn_idl__guard(f->name));
    if (f->type.nested != NULL) {
        fputs("&", out);
        tn_idl__emit_name(out, f->type.nested);
        fputs("_type, ", out);
    } else {
        fputs("NULL, ", out);
    }
    tn_idl__emit_string(out, f->default_text, strlen(f->default_text));
    fputs("},\n", out);
}

static void emit_fields(FILE *out, const struct tn_idl_struct *type)
{
    if (type->is_empty) {
        return;
    }
    fputs("\nstatic const struct tn_field ", out);
    tn_idl__emit_name(out, type);
    fputs("_fields[] = {\n", out);
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        emit_field_row(out, type, f);
    }
    fputs("};\n", out);
}

// the interface text, as a literal or, when that would be too long, as bytes
static enum tn_result emit_schema_text(FILE *out, const struct tn_idl_struct *type)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL) {
        return TN_ERR_NO_MEMORY;
    }
    tn_idl__emit_text(memory, type);
    if (fclose(memory) != 0) {
        free(text);
        return TN_ERR_NO_MEMORY;
    }
    fputs("\nstatic const char ", out);
    tn_idl__emit_name(out, type);
    fputs("_text[] = ", out);
    if (size <= MAX_LITERAL) {
        tn_idl__emit_string(out, text, size);
    } else {
        fputs("{", out);
        for (size_t i = 0; i <= size; i++) {
            fprintf(out, "%s%d,", i % 20 == 0 ? "\n    " : "", text[i]);
        }
        fputs("\n}", out);
    }
    fputs(";\n", out);
    free(text);
    return TN_OK;
}

static void emit_asserts(FILE *out, const struct tn_idl_struct *type)
{
    if (type->is_plain) {
        fputs("\n// copied to and from the wire as it stands\n_Static_assert(sizeof(struct ", out);
        tn_idl__emit_name(out, type);
        fprintf(out, ") == %zu, \"unexpected padding\");\n", type->c_size);
    }
}

static enum tn_result emit_message(const struct tn_idl *idl, const struct tn_idl_struct *type,
                                   FILE *out)
{
    char hash[TN_IDL_HASH_SIZE];
    enum tn_result result = tn_idl_hash(idl, type, hash);
    if (result == TN_OK) {
        emit_asserts(out, type);
        emit_functions(out, type);
        emit_fields(out, type);
        result = emit_schema_text(out, type);
    }
    if (result != TN_OK) {
        return result;
    }
    fputs("\nconst struct tn_type ", out);
    tn_idl__emit_name(out, type);
    fprintf(out, "_type = {\n    .ros_name = \"%s\",\n", type->full_name);
    fprintf(out, "    .dds_name = \"%s::%s::dds_::%s_\",\n    .hash = \"%s\",\n    .text = ",
            type->package, type->kind, type->name, hash);
    tn_idl__emit_name(out, type);
    fputs("_text,\n    .size = sizeof(struct ", out);
    tn_idl__emit_name(out, type);
    fputs("),\n    .align = _Alignof(struct ", out);
    tn_idl__emit_name(out, type);
    fprintf(out, "),\n    .min_cdr_size = %zu,\n    .is_flat = %s,\n    .n_fields = %u,\n",
            type->min_cdr_size, type->is_flat ? "true" : "false",
            type->is_empty ? 0u : (unsigned)type->n_fields);
    fputs("    .fields = ", out);
    if (type->is_empty) {
        fputs("NULL", out);
    } else {
        tn_idl__emit_name(out, type);
        fputs("_fields", out);
    }
    static const char *const functions[] = {"init", "encode", "decode"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(functions); i++) {
        fprintf(out, ",\n    .%s = ", functions[i]);
        tn_idl__emit_name(out, type);
        fprintf(out, "_%s_any", functions[i]);
    }
    fputs(",\n};\n", out);
    return TN_OK;
}

static enum tn_result emit_service(const struct tn_idl *idl, const struct tn_idl_struct *type,
                                   FILE *out)
{
    char hash[TN_IDL_HASH_SIZE];
    enum tn_result result = tn_idl_hash(idl, type, hash);
    if (result != TN_OK) {
        return result;
    }
    static const char *const parts[] = {"request", "response", "event"};
    const struct tn_idl_field *part = type->fields;
    fputs("\nconst struct tn_service_type ", out);
    tn_idl__emit_name(out, type);
    fprintf(out, "_type = {\n    .ros_name = \"%s\",\n    .hash = \"%s\"", type->full_name, hash);
    for (size_t i = 0; i < TN_ARRAY_SIZE(parts); i++, part = part->next) {
        fprintf(out, ",\n    .%s = &", parts[i]);
        tn_idl__emit_name(out, part->type.nested);
        fputs("_type", out);
    }
    fputs(",\n};\n", out);
    return TN_OK;
}

static enum tn_result emit_action(const struct tn_idl *idl, const struct tn_idl_struct *type,
                                  FILE *out)
{
    char hash[TN_IDL_HASH_SIZE];
    enum tn_result result = tn_idl_hash(idl, type, hash);
    if (result != TN_OK) {
        return result;
    }
    static const char *const parts[] = {"goal",      "result",     "feedback",
                                        "send_goal", "get_result", "feedback_message"};
    const struct tn_idl_field *part = type->fields;
    fputs("\nconst struct tn_action_type ", out);
    tn_idl__emit_name(out, type);
    fprintf(out, "_type = {\n    .ros_name = \"%s\",\n    .hash = \"%s\"", type->full_name, hash);
    for (size_t i = 0; i < TN_ARRAY_SIZE(parts); i++, part = part->next) {
        fprintf(out, ",\n    .%s = &", parts[i]);
        tn_idl__emit_name(out, part->type.nested);
        fputs("_type", out);
    }
    fputs(",\n};\n", out);
    return TN_OK;
}

static enum tn_result emit_one(const struct tn_idl *idl, const struct tn_idl_struct *type,
                               FILE *out)
{
    if (type->is_action) {
        return emit_action(idl, type, out);
    }
    return type->is_service ? emit_service(idl, type, out) : emit_message(idl, type, out);
}

enum tn_result tn_idl_emit_source(const struct tn_idl *idl, const char *package, FILE *out)
{
    fprintf(out, "// generated by tendon-rosidl from the interface files of %s\n", package);
    fprintf(out, "#include \"tn_msgs/%s.h\"\n\n#include <stddef.h>\n#include <string.h>\n",
            package);
    fputs("\n_Static_assert(sizeof(bool) == 1, \"a bool takes one byte on the wire\");\n", out);
    enum tn_result result = TN_OK;
    for (const struct tn_idl_struct *type = idl->structs; type != NULL && result == TN_OK;
         type = type->next) {
        if (strcmp(type->package, package) == 0) {
            result = emit_one(idl, type, out);
        }
    }
    return result == TN_OK && ferror(out) ? TN_ERR_IO : result;
}
