// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ALIGN = 16 };

void tn_arena_init(struct tn_arena *arena, void *block, size_t size)
{
    *arena = (struct tn_arena){.data = block, .capacity = block != NULL ? size : 0};
}

enum tn_result tn_arena_create(struct tn_arena *arena, size_t size)
{
    if (size == 0)
        return TN_ERR_INVALID_ARGUMENT;
    void *block = malloc(size);
    if (block == NULL)
        return TN_ERR_NO_MEMORY;
    tn_arena_init(arena, block, size);
    arena->owns_block = 1;
    return TN_OK;
}

void tn_arena_destroy(struct tn_arena *arena)
{
    if (arena->owns_block)
        free(arena->data);
    *arena = (struct tn_arena){0};
}

// bytes to skip so that the next element is aligned
static size_t padding(const struct tn_arena *arena, size_t align)
{
    const uintptr_t at = (uintptr_t)arena->data + arena->used;
    return (size_t)(-at & (align - 1));
}

void *tn_arena_alloc(struct tn_arena *arena, size_t count, size_t size, size_t align)
{
    // an address for sequences without elements; never written, so it may be shared
    static const max_align_t nothing;
    if (align == 0 || align > MAX_ALIGN || (align & (align - 1)) != 0)
        return NULL;
    if (count == 0 || size == 0)
        return (void *)(uintptr_t)&nothing;
    if (arena->data == NULL)
        return NULL;
    const size_t skip = padding(arena, align);
    const size_t left = arena->capacity - arena->used;
    if (skip > left || count > (left - skip) / size)
        return NULL;
    uint8_t *block = arena->data + arena->used + skip;
    arena->used += skip + count * size;
    if (arena->used > arena->peak)
        arena->peak = arena->used;
    memset(block, 0, count * size);
    return block;
}

char *tn_arena_strndup(struct tn_arena *arena, const char *text, size_t size)
{
    if (size == SIZE_MAX)
        return NULL;
    char *copy = tn_arena_alloc(arena, size + 1, 1, 1);
    if (copy != NULL && size > 0)
        memcpy(copy, text, size);
    return copy;
}

size_t tn_arena_mark(const struct tn_arena *arena)
{
    return arena->used;
}

void tn_arena_release(struct tn_arena *arena, size_t mark)
{
    if (mark <= arena->used)
        arena->used = mark;
}

void tn_arena_reset(struct tn_arena *arena)
{
    arena->used = 0;
}
