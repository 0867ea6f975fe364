// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the expressions of `$(eval)`, a part of Python's.
///
/// Integers (64 bit), floats, strings, True, False, None, lists; `+ - * / // % **`, comparisons and
/// chains of them, `in`, `is`, `not`, `and`, `or`, `a if c else b`; int, float, str, bool, abs,
/// min, max, round, len; math's functions of one or two numbers and its constants, with or without
/// `math.`; the methods lower, upper, strip, startswith and endswith of strings. What is not taken
/// (`or`, `and`, `if`) may be wrong, as in Python.
#ifndef TN_LAUNCH_LAUNCH__EXPRESSION_H
#define TN_LAUNCH_LAUNCH__EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/result.h"
#include "launch/launch__text.h"

/// Operators, parentheses and values that wait for their partners.
#define TN_LAUNCH__EXPRESSION_DEPTH_MAX 64

enum tn_launch__value_kind {
    TN_LAUNCH__NONE,
    TN_LAUNCH__BOOL,
    TN_LAUNCH__INT,
    TN_LAUNCH__FLOAT,
    TN_LAUNCH__STRING,
    TN_LAUNCH__LIST,
    TN_LAUNCH__WRONG, ///< `text` says why; an error if it is used
};

/// A value of an expression. Strings and items lie in the arena.
struct tn_launch__value {
    enum tn_launch__value_kind kind;
    bool boolean;
    bool is_tuple;      ///< of a list
    bool is_comparison; ///< of a boolean: `a < b`, whose b is items[0] and may go on with `< c`
    int64_t integer;
    double number;
    const char *text;
    size_t size; ///< of text, or number of items
    const struct tn_launch__value *items;
};

enum tn_launch__operator {
    TN_LAUNCH__OP_NONE,
    // brackets; see expression.c
    TN_LAUNCH__OP_PAREN,
    TN_LAUNCH__OP_BRACKET,
    TN_LAUNCH__OP_CALL,
    TN_LAUNCH__OP_IF,
    // operators
    TN_LAUNCH__OP_ELSE,
    TN_LAUNCH__OP_OR,
    TN_LAUNCH__OP_AND,
    TN_LAUNCH__OP_NOT,
    TN_LAUNCH__OP_LESS,
    TN_LAUNCH__OP_LESS_EQUAL,
    TN_LAUNCH__OP_GREATER,
    TN_LAUNCH__OP_GREATER_EQUAL,
    TN_LAUNCH__OP_EQUAL,
    TN_LAUNCH__OP_NOT_EQUAL,
    TN_LAUNCH__OP_IN,
    TN_LAUNCH__OP_NOT_IN,
    TN_LAUNCH__OP_IS,
    TN_LAUNCH__OP_IS_NOT,
    TN_LAUNCH__OP_ADD,
    TN_LAUNCH__OP_SUBTRACT,
    TN_LAUNCH__OP_MULTIPLY,
    TN_LAUNCH__OP_DIVIDE,
    TN_LAUNCH__OP_FLOOR_DIVIDE,
    TN_LAUNCH__OP_MODULO,
    TN_LAUNCH__OP_PLUS,
    TN_LAUNCH__OP_MINUS,
    TN_LAUNCH__OP_POWER,
};

/// Evaluates an expression and appends Python's str() of its value.
/// @return TN_OK; TN_ERR_SYNTAX: not an expression; TN_ERR_UNSUPPORTED: a name or operator that is
/// not accepted; TN_ERR_INVALID_ARGUMENT: no value, e.g. a division by zero; TN_ERR_LIMIT;
/// TN_ERR_NO_MEMORY. Thread: one caller. Allocates: the text. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__evaluate_expression(const char *text, struct tn_arena *arena,
                                                           struct tn_launch__text *out,
                                                           struct tn_error *err);

/// A value that says what is wrong. @return it. Thread: one caller. Allocates: never. Blocks:
/// never.
struct tn_launch__value tn_launch__wrong(struct tn_arena *arena, const char *format, ...)
    TN_PRINTF(2, 3);

/// @return the value of `-a`, `+a` or `not a`. Thread: one caller. Allocates: never. Blocks: never.
struct tn_launch__value tn_launch__apply_prefix(struct tn_arena *arena, enum tn_launch__operator op,
                                                struct tn_launch__value a);

/// @return the value of `a op b`. Thread: one caller. Allocates: never. Blocks: never.
struct tn_launch__value tn_launch__apply(struct tn_arena *arena, enum tn_launch__operator op,
                                         struct tn_launch__value a, struct tn_launch__value b);

/// @return whether a value counts as true. Thread: any. Allocates: never. Blocks: never.
bool tn_launch__is_true(const struct tn_launch__value *value);

/// @return number of a function or method, -1: none. Thread: any. Allocates: never. Blocks: never.
int tn_launch__find_call(const char *name, size_t size, bool is_method);

/// @return the value of a call; of a method the object is the first argument. Thread: one caller.
/// Allocates: never. Blocks: never.
struct tn_launch__value tn_launch__call(struct tn_arena *arena, int function,
                                        const struct tn_launch__value *arguments, uint32_t n);

/// Appends str(value), or repr(value). @return as tn_launch__text_append(). Thread: one caller.
/// Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__append_value(struct tn_launch__text *out,
                                                    const struct tn_launch__value *value);

#endif
