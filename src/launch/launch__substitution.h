// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: texts with substitutions, `$(name argument …)`, as a tree.
///
/// Grammar of ros2/launch: outside a substitution everything but `$(` is text; a backslash takes
/// the next letter as it is. Arguments are separated by exactly one blank. An argument is either
/// quoted as a whole ('…' or "…", in which blanks, parentheses and the other quote are text) or a
/// row of letters without blanks, quotes and parentheses. Substitutions may stand in both; those
/// inside quotes cannot use quotes themselves.
#ifndef TN_LAUNCH_LAUNCH__SUBSTITUTION_H
#define TN_LAUNCH_LAUNCH__SUBSTITUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/result.h"
#include "launch/launch__text.h"

/// Most arguments of any substitution.
#define TN_LAUNCH__ARGUMENTS_MAX 3

enum tn_launch__function {
    TN_LAUNCH__VAR,
    TN_LAUNCH__ENV,
    TN_LAUNCH__FIND_PKG_SHARE,
    TN_LAUNCH__FIND_PKG_PREFIX,
    TN_LAUNCH__EXEC_IN_PKG,
    TN_LAUNCH__FIND_EXEC,
    TN_LAUNCH__DIRNAME,
    TN_LAUNCH__FILENAME,
    TN_LAUNCH__COMMAND,
    TN_LAUNCH__EVAL,
    TN_LAUNCH__ANON,
    TN_LAUNCH__NOT,
    TN_LAUNCH__AND,
    TN_LAUNCH__OR,
    TN_LAUNCH__EQUALS,
    TN_LAUNCH__NOT_EQUALS,
    TN_LAUNCH__IF,
    TN_LAUNCH__FILE_CONTENT,
    TN_LAUNCH__LOG_DIR,
    TN_LAUNCH__PARAM,
    TN_LAUNCH__N_FUNCTIONS
};

/// A row of pieces; empty for "".
struct tn_launch__template {
    struct tn_launch__piece *first, *last;
};

/// Text, or a substitution.
struct tn_launch__piece {
    bool is_text;
    const char *text; ///< without escapes; of a substitution: its name
    size_t size;
    enum tn_launch__function function;
    uint32_t n_arguments;
    struct tn_launch__template arguments[TN_LAUNCH__ARGUMENTS_MAX];
    struct tn_launch__piece *next;
};

/// Reads a text.
/// @param err   text only: the caller knows the place
/// @return TN_OK; TN_ERR_SYNTAX; TN_ERR_UNSUPPORTED: unknown or rejected substitution;
/// TN_ERR_INVALID_ARGUMENT: too few or too many arguments; TN_ERR_LIMIT: nested too deeply;
/// TN_ERR_NO_MEMORY: arena used up. Thread: one caller. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__parse(const char *text, struct tn_arena *arena,
                                             struct tn_launch__template *out, struct tn_error *err);

/// Removes escapes as outside of substitutions. @return the text, in the arena; NULL when that is
/// used up. Thread: one caller. Allocates: never. Blocks: never.
const char *tn_launch__unescape(const char *text, struct tn_arena *arena);

/// Tells a text as `ros2 launch --show-args` describes it: `'text' + LaunchConfig('x')`.
/// @return as tn_launch__text_append(). Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__describe(const struct tn_launch__template *parsed,
                                                struct tn_launch__text *out);

#endif
