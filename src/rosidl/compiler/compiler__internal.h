// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the parts of the interface compiler share.
#ifndef TN_ROSIDL_COMPILER_INTERNAL_H
#define TN_ROSIDL_COMPILER_INTERNAL_H

#include "rosidl/compiler/compiler.h"

/// A place in an interface text.
struct tn_idl__cursor {
    struct tn_arena *arena;
    struct tn_error *err;
    const char *file;
    const char *text; ///< the line
    size_t size;      ///< bytes of the line without comment and blanks at its end
    size_t position;  ///< next byte
    int32_t line;     ///< 1-based
};

/// Kinds of names.
enum tn_idl__name_kind {
    TN_IDL__PACKAGE,
    TN_IDL__TYPE,
    TN_IDL__FIELD,
    TN_IDL__CONSTANT,
};

/// Records an error at byte `position` of the line. @return code. Thread: one caller at a time.
/// Allocates: never. Blocks: never.
enum tn_result tn_idl__fail(const struct tn_idl__cursor *at, size_t position, enum tn_result code,
                            const char *format, ...) TN_PRINTF(4, 5);

/// Records that the arena is used up. @return TN_ERR_NO_MEMORY. Thread: one caller at a time.
/// Allocates: never. Blocks: never.
enum tn_result tn_idl__no_memory(const struct tn_idl__cursor *at);

/// @return whether a name follows its rule. Thread: any. Allocates: never. Blocks: never.
bool tn_idl__is_name(enum tn_idl__name_kind kind, const char *name, size_t size);

/// @return the rule of a kind of names, for error texts. Thread: any. Allocates: never. Blocks:
/// never.
const char *tn_idl__name_rule(enum tn_idl__name_kind kind);

/// Parses a type at the cursor and moves behind it.
/// @return TN_OK; TN_ERR_SYNTAX; TN_ERR_RANGE; TN_ERR_NO_MEMORY. Thread: one caller at a time.
/// Allocates: from the arena. Blocks: never.
enum tn_result tn_idl__parse_type(struct tn_idl__cursor *at, const char *package,
                                  struct tn_idl_type *out_type);

/// Parses the value of a constant: the rest of the line.
/// @return as tn_idl_parse(). Thread: one caller at a time. Allocates: from the arena. Blocks:
/// never.
enum tn_result tn_idl__parse_constant(struct tn_idl__cursor *at, struct tn_idl_constant *constant);

/// Parses the default of a member: the rest of the line.
/// @return as tn_idl_parse(). Thread: one caller at a time. Allocates: from the arena. Blocks:
/// never.
enum tn_result tn_idl__parse_default(struct tn_idl__cursor *at, struct tn_idl_field *field);

/// Adds a structure unless its name is taken. @return whether it was added. Thread: one caller at a
/// time. Allocates: never. Blocks: never.
bool tn_idl__add(struct tn_idl *idl, struct tn_idl_struct *type);

/// Computes size, alignment and wire properties of a structure whose members are done.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_idl__layout(struct tn_idl_struct *type);

/// @return bytes of one primitive; 0 for strings and structures. Thread: any. Allocates: never.
/// Blocks: never.
size_t tn_idl__primitive_size(enum tn_type_id id);

/// Lists all structures a structure uses, directly or not, sorted by name.
/// @param out_used   room for idl->n_structs
/// @return how many. Thread: one caller at a time. Allocates: never. Blocks: never.
uint32_t tn_idl__used(const struct tn_idl_struct *type, const struct tn_idl_struct **out_used);

/// Writes the C name of a structure: "pkg_msg_Type". @return nothing. Thread: one caller at a time.
/// Allocates: stdio's. Blocks: on the disk.
void tn_idl__emit_name(FILE *out, const struct tn_idl_struct *type);

/// Writes bytes as a C string literal. @return nothing. Thread: one caller at a time. Allocates:
/// stdio's. Blocks: on the disk.
void tn_idl__emit_string(FILE *out, const char *text, size_t size);

/// Writes a value of a primitive type or string as a C constant expression; strings as a literal.
/// @return nothing. Thread: one caller at a time. Allocates: stdio's. Blocks: on the disk.
void tn_idl__emit_value(FILE *out, enum tn_type_id id, const struct tn_idl_value *value);

/// @return the C type of a primitive, e.g. "uint8_t". Thread: any. Allocates: never. Blocks: never.
const char *tn_idl__c_type(enum tn_type_id id);

/// @return the suffix of a primitive in names, e.g. "u8", "str". Thread: any. Allocates: never.
/// Blocks: never.
const char *tn_idl__suffix(enum tn_type_id id);

/// @return "_" for member names that are words of C, else "". Thread: any. Allocates: never.
/// Blocks: never.
const char *tn_idl__guard(const char *name);

/// Writes the interface text of a structure without comments. @return nothing. Thread: one caller
/// at a time. Allocates: stdio's. Blocks: on the disk.
void tn_idl__emit_text(FILE *out, const struct tn_idl_struct *type);

/// Converts UTF-8 to UTF-16. Malformed bytes become U+FFFD.
/// @param out_units   room for `size` units
/// @return units written. Thread: any. Allocates: never. Blocks: never.
uint32_t tn_idl__utf16(const char *text, size_t size, uint16_t *out_units);

#endif
