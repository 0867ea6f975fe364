// SPDX-License-Identifier: Apache-2.0
/// @file
/// Compiler of ROS 2 interface files (.msg, .srv, .action): parser, resolver, type hashes and
/// emitters. Runs at build time in `tendon-rosidl`, and in tests.
///
/// Grammar, line by line; '#' starts a comment unless it stands inside quotes:
///
///     type name                a member
///     type name default        a member with a default; arrays as [a, b, c]
///     TYPE NAME=value          a constant of a primitive type or string
///     ---                      in a .srv, once, between request and response; in an .action,
///                              twice, between goal, result and feedback
///
///     type = bool | byte | char | float32 | float64 | [u]int{8,16,32,64} | string[<=N] |
///            wstring[<=N] | Type | pkg/Type | pkg/msg/Type
///            followed by nothing, [N], [<=N] or []
///
/// Packages and members are `[a-z][a-z0-9_]*`, types `[A-Z][A-Za-z0-9]*`, constants
/// `[A-Z][A-Z0-9_]*`; an underscore is neither doubled nor last. Integers are decimal, 0x, 0o or
/// 0b; strings stand in ' or " (then with the escapes of C and \uXXXX) or bare up to the end of the
/// line. Every error names file, line, column, what was found and what was expected.
#ifndef TN_ROSIDL_COMPILER_COMPILER_H
#define TN_ROSIDL_COMPILER_COMPILER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/result.h"
#include "rosidl/type.h"

/// Most roots that a database searches: a colcon workspace may have one for each package.
#define TN_IDL_MAX_ROOTS 512
/// Largest interface text, a guard against a wrong file.
#define TN_IDL_MAX_TEXT (1u << 20)
/// "RIHS01_", 64 hexadecimal digits, NUL.
#define TN_IDL_HASH_SIZE 72

/// One value: of a constant, or of one element of a default.
struct tn_idl_value {
    const struct tn_idl_value *next;
    int64_t i;         ///< signed integers
    uint64_t u;        ///< unsigned integers, char, byte, bool
    double f;          ///< floats
    struct tn_str str; ///< strings, UTF-8, escapes resolved
};

/// Type of a member or constant.
struct tn_idl_type {
    enum tn_type_id id;
    enum tn_array_kind array;
    uint32_t capacity;                  ///< of the array or sequence
    uint32_t string_capacity;           ///< of the string
    const char *word;                   ///< base type as written, e.g. "char", "std_msgs/Header"
    const char *nested_name;            ///< "pkg/msg/Type", "" unless id is TN_TYPE_NESTED
    const struct tn_idl_struct *nested; ///< set by tn_idl_resolve()
};

/// A member.
struct tn_idl_field {
    struct tn_idl_field *next;
    const char *name;
    struct tn_idl_type type;
    const char *default_text;                  ///< as written, "" for none
    const struct tn_idl_value *default_values; ///< in order; NULL for none
    uint32_t n_defaults;
    int32_t line;
    int32_t column; ///< of the type
};

/// A constant.
struct tn_idl_constant {
    struct tn_idl_constant *next;
    const char *name;
    struct tn_idl_type type;
    const char *text; ///< value as written
    struct tn_idl_value value;
};

/// One structure: a message, a part of a service, or (is_service, is_action) the service or
/// action as its hash sees it.
struct tn_idl_struct {
    struct tn_idl_struct *next;
    const char *full_name; ///< "pkg/msg/Type"
    const char *package;
    const char *kind; ///< "msg", "srv" or "action"
    const char *name;
    const char *file;
    struct tn_idl_field *fields; ///< a type without members holds the one that ROS puts in
    uint32_t n_fields;
    struct tn_idl_constant *constants;
    bool is_empty;
    bool is_service, is_action; ///< no message itself
    uint32_t rank;              ///< 1: uses no other type; else one above the highest it uses
    size_t c_size;              ///< of the C struct where pointers have 8 bytes
    size_t c_align;             ///< of the C struct
    size_t first_align;         ///< of its first primitive on the wire
    size_t min_cdr_size;        ///< least bytes on the wire
    bool is_flat;               ///< no string and no sequence anywhere
    bool is_interpreted;        ///< gets no straight-line code, see tn_idl_interpret()
    bool is_plain;              ///< the C struct has the bytes of the wire
};

/// All structures known so far. Plain data; treat the members as private.
struct tn_idl {
    struct tn_arena *arena;
    const char *roots[TN_IDL_MAX_ROOTS];
    uint32_t n_roots;
    const struct tn_registry *known; ///< messages for which no root has a file; NULL: none
    struct tn_idl_struct *structs;   ///< in the order in which they were read
    struct tn_idl_struct *last;
    uint32_t n_structs;
    uint32_t next_rank;
};

/// Starts an empty database.
/// @param arena   holds everything the database knows; must outlive it
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_idl_init(struct tn_idl *idl, struct tn_arena *arena);

/// Adds a directory that holds `<package>/{msg,srv,action}/<Type>.{msg,srv,action}`.
/// @return TN_OK; TN_ERR_LIMIT: more than TN_IDL_MAX_ROOTS. Thread: one caller at a time.
/// Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_idl_add_root(struct tn_idl *idl, const char *directory,
                                            struct tn_error *err);

/// Reads one text and adds what it defines.
/// @param full_name   "pkg/msg/Type", "pkg/srv/Name" or "pkg/action/Name": says what the text is
/// @param file        for error texts
/// @return TN_OK; TN_ERR_SYNTAX; TN_ERR_RANGE: a number outside its type; TN_ERR_LIMIT: longer than
/// TN_IDL_MAX_TEXT or above a bound; TN_ERR_EXISTS: defined already; TN_ERR_NO_MEMORY.
/// Thread: one caller at a time. Allocates: from the arena. Blocks: never.
TN_NODISCARD enum tn_result tn_idl_parse(struct tn_idl *idl, const char *full_name,
                                         const char *file, const char *text, size_t size,
                                         struct tn_error *err);

/// As tn_idl_parse() for a "ros2msg" schema: further messages may follow, each behind a line of '='
/// and a line "MSG: pkg/Type". Messages that are known already are skipped.
/// @return see tn_idl_parse(). Thread: one caller at a time. Allocates: from the arena. Blocks:
/// never.
TN_NODISCARD enum tn_result tn_idl_parse_schema(struct tn_idl *idl, const char *full_name,
                                                const char *file, const char *text, size_t size,
                                                struct tn_error *err);

/// Reads the file of a type from the roots unless it is known.
/// @return TN_OK; TN_ERR_NOT_FOUND: in no root; TN_ERR_IO; else see tn_idl_parse().
/// Thread: one caller at a time. Allocates: from the arena. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_load(struct tn_idl *idl, const char *full_name,
                                        struct tn_error *err);

/// Reads every .msg, .srv and .action of a package, in the order of their names.
/// @return TN_OK; TN_ERR_NOT_FOUND: no root has it; else see tn_idl_load().
/// Thread: one caller at a time. Allocates: from the arena and the heap. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_load_package(struct tn_idl *idl, const char *package,
                                                struct tn_error *err);

/// Loads what is used but not known, links it and computes layouts and ranks.
/// @return TN_OK; TN_ERR_NOT_FOUND: a type that is used does not exist; TN_ERR_MALFORMED: types use
/// each other in a circle; else see tn_idl_load().
/// Thread: one caller at a time. Allocates: from the arena. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_resolve(struct tn_idl *idl, struct tn_error *err);

/// @return the structure of that name or NULL. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
struct tn_idl_struct *tn_idl_find(const struct tn_idl *idl, const char *full_name);

/// Computes the RIHS01 type hash of a resolved structure.
/// @param out_hash   receives "RIHS01_" and 64 hexadecimal digits
/// @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_INTERNAL: the digest is not available.
/// Thread: one caller at a time. Allocates: on the heap, given back. Blocks: never.
TN_NODISCARD enum tn_result tn_idl_hash(const struct tn_idl *idl, const struct tn_idl_struct *type,
                                        char out_hash[TN_IDL_HASH_SIZE]);

/// Gives the types of a package no straight-line code: the field table serves them. Before the
/// emitters.
/// @return TN_OK; TN_ERR_NOT_FOUND: no type of that package is known. Thread: one caller at a time.
/// Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_idl_interpret(struct tn_idl *idl, const char *package,
                                             struct tn_error *err);

/// Writes the C header of one package.
/// @return TN_OK; TN_ERR_IO. Thread: one caller at a time. Allocates: stdio's. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_emit_header(const struct tn_idl *idl, const char *package,
                                               FILE *out);

/// Writes the C source of one package.
/// @return TN_OK; TN_ERR_IO; else see tn_idl_hash(). Thread: one caller at a time. Allocates: on
/// the heap, given back. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_emit_source(const struct tn_idl *idl, const char *package,
                                               FILE *out);

/// Writes the header that declares the tables of all types: `tn_all_<name>`, `tn_all_<name>_n`, and
/// `tn_registry_<name>`.
/// @return TN_OK; TN_ERR_IO. Thread: one caller at a time. Allocates: stdio's. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_emit_table_header(const struct tn_idl *idl, const char *name,
                                                     FILE *out);

/// Writes the source of those tables: every message and part of services and actions known, in the
/// order of reading; every service; every action.
/// @return TN_OK; TN_ERR_IO. Thread: one caller at a time. Allocates: stdio's. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_emit_table_source(const struct tn_idl *idl, const char *name,
                                                     FILE *out);

/// Writes OMG IDL of the given structures and of all they use, with the type names that ROS 2 has
/// on the wire. For independent peers in tests; a wstring is written as such.
/// @return TN_OK; TN_ERR_NOT_FOUND: a name is not known; TN_ERR_IO. Thread: one caller at a time.
/// Allocates: stdio's. Blocks: on the disk.
TN_NODISCARD enum tn_result tn_idl_emit_idl(const struct tn_idl *idl, const char *const *names,
                                            uint32_t n_names, FILE *out, struct tn_error *err);

#endif
