// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bump allocator over one fixed block, with mark and release. Decoded sequences and per-tick
/// scratch live here.
///
/// The block is allocated once (`tn_arena_create`) or lent by the caller (`tn_arena_init`); it
/// never grows, so hostile input can at most use it up: then the call fails with TN_ERR_NO_MEMORY
/// and nothing else happens.
#ifndef TN_BASE_ARENA_H
#define TN_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

/// Plain data; treat the members as private.
struct tn_arena {
    uint8_t *data;   ///< start of the block, aligned for any type
    size_t capacity; ///< bytes
    size_t used;     ///< bytes handed out since the last reset
    size_t peak;     ///< highest value of `used` so far
    int owns_block;  ///< 1: `data` came from tn_arena_create()
};

/// Lends a block to an arena. The block must outlive it and be aligned to `alignof(max_align_t)`.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_arena_init(struct tn_arena *arena, void *block, size_t size);

/// Allocates a block of `size` bytes for an arena.
/// @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_INVALID_ARGUMENT: size is 0.
/// Thread: one caller at a time. Allocates: once. Blocks: never.
TN_NODISCARD enum tn_result tn_arena_create(struct tn_arena *arena, size_t size);

/// Gives back a block made by tn_arena_create(); harmless on a zeroed or lent arena.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_arena_destroy(struct tn_arena *arena);

/// Hands out `count` zeroed elements of `size` bytes, aligned to `align` (a power of two, at most
/// 16).
/// @return the elements, valid until the next release below them or reset; NULL when the arena has
/// not that much
///         left or count*size overflows. count 0 returns a valid non-NULL pointer to nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(bytes).
void *tn_arena_alloc(struct tn_arena *arena, size_t count, size_t size, size_t align);

/// Copies `size` bytes and a NUL behind them into the arena.
/// @return the copy, or NULL when it does not fit. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
char *tn_arena_strndup(struct tn_arena *arena, const char *text, size_t size);

/// @return a mark to be given to tn_arena_release(). Thread: one caller at a time. Allocates:
/// never. Blocks: never.
size_t tn_arena_mark(const struct tn_arena *arena);

/// Takes back everything handed out since `mark`. A mark above the present use is ignored.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_arena_release(struct tn_arena *arena, size_t mark);

/// Takes back everything. @return nothing. Thread: one caller at a time. Allocates: never. Blocks:
/// never.
void tn_arena_reset(struct tn_arena *arena);

#endif
