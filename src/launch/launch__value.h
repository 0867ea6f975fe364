// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: values of parameters, read by the rules of YAML 1.1 as PyYAML has them and as Python's
/// int() and float() do, and parameter files made of them.
#ifndef TN_LAUNCH_LAUNCH__VALUE_H
#define TN_LAUNCH_LAUNCH__VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/result.h"
#include "launch/launch__text.h"

/// Most elements of a list.
#define TN_LAUNCH__ITEMS_MAX 65536

/// What a value is, or has to be.
enum tn_launch__type {
    TN_LAUNCH__TYPE_ANY,
    TN_LAUNCH__TYPE_STR,
    TN_LAUNCH__TYPE_BOOL,
    TN_LAUNCH__TYPE_INT,
    TN_LAUNCH__TYPE_FLOAT,
};

/// One value.
struct tn_launch__scalar {
    enum tn_launch__type type;
    bool is_quoted;   ///< of a string: it must not become anything else when it is read again
    const char *text; ///< of a string: itself; else in YAML's spelling, numbers in base 10
    double number;    ///< of a float
};

/// A scalar, or a list of scalars.
struct tn_launch__data {
    bool is_list;
    uint32_t n; ///< 1, or elements of the list
    struct tn_launch__scalar *items;
};

/// Reads one YAML value.
/// @return TN_OK; TN_ERR_SYNTAX: no YAML; TN_ERR_INVALID_ARGUMENT: YAML of another kind: a map, a
/// date, null, a list of lists; TN_ERR_RANGE: an integer of more than 64 bits; TN_ERR_LIMIT;
/// TN_ERR_NO_MEMORY. Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__read_yaml(const char *text, struct tn_arena *arena,
                                                 struct tn_launch__data *out, struct tn_error *err);

/// Reads a text as a value of a type, as launch does for `type="…"`; for booleans 1 and 0 too.
/// @param type   not TN_LAUNCH__TYPE_ANY
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: it is none; TN_ERR_RANGE; TN_ERR_NO_MEMORY.
/// Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__read_as(const char *text, enum tn_launch__type type,
                                               struct tn_arena *arena,
                                               struct tn_launch__scalar *out, struct tn_error *err);

/// Reads a boolean. @return as tn_launch__read_as(). Thread: one caller. Allocates: yes. Blocks:
/// never.
TN_NODISCARD enum tn_result tn_launch__read_bool(const char *text, struct tn_arena *arena,
                                                 bool *out, struct tn_error *err);

/// @return the name of a type as `type="…"` has it. Thread: any. Allocates: never. Blocks: never.
const char *tn_launch__type_name(enum tn_launch__type type);

/// A parameter. Names of one row may repeat: the last one holds.
struct tn_launch__param {
    const char *name;
    struct tn_launch__data data;
    const struct tn_launch__param *next;
};

/// Appends a parameter file with one section.
/// @param first   in the order of the file
/// @return as tn_launch__text_append(). Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__write_params(const char *section,
                                                    const struct tn_launch__param *first,
                                                    struct tn_launch__text *out);

/// Whether a text is YAML. @return TN_OK; TN_ERR_SYNTAX; TN_ERR_NO_MEMORY. Thread: any. Allocates:
/// yes. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__check_yaml(const char *text, size_t size,
                                                  struct tn_error *err);

#endif
