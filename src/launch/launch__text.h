// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: text that grows up to TN_LAUNCH_TEXT_MAX, and splitting of command lines.
#ifndef TN_LAUNCH_LAUNCH__TEXT_H
#define TN_LAUNCH_LAUNCH__TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/result.h"

/// Zero-initialise it. NUL-terminated as soon as something was appended.
struct tn_launch__text {
    char *data;
    size_t size, capacity;
};

/// @return TN_OK; TN_ERR_LIMIT: longer than TN_LAUNCH_TEXT_MAX; TN_ERR_NO_MEMORY.
/// Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__text_append(struct tn_launch__text *text, const char *data,
                                                   size_t size);

/// As tn_launch__text_append() for a string. @return see there. Thread: one caller.
/// Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__text_add(struct tn_launch__text *text, const char *string);

/// Shortens the text to `size`. @return nothing. Thread: one caller. Allocates: never. Blocks:
/// never.
void tn_launch__text_cut(struct tn_launch__text *text, size_t size);

/// Frees it. @return nothing. Thread: one caller. Allocates: never. Blocks: never.
void tn_launch__text_fini(struct tn_launch__text *text);

/// Words of a command line as a shell would split it: quotes '…' and "…", backslash, no expansion.
/// What Python's shlex.split() gives.
struct tn_launch__words {
    const char **items; ///< NULL-terminated, in the arena
    uint32_t n;
};

/// Splits a command line.
/// @return TN_OK; TN_ERR_SYNTAX: a quote without its end, or a backslash at the end;
/// TN_ERR_NO_MEMORY: arena used up. Thread: one caller. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_launch__split(const char *line, struct tn_arena *arena,
                                             struct tn_launch__words *out, struct tn_error *err);

#endif
