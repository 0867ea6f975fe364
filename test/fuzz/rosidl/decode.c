// SPDX-License-Identifier: Apache-2.0
// Random bytes to every decoder. The first four bytes choose the type: the start of its hash, or
// any number. What decodes must encode, decode again to the same values, and have taken no more of
// the arena than its bytes justify.
#include <stdlib.h>
#include <string.h>

#include "tn_msgs/all_grammar.h"
#include "tn_msgs/all_msgs.h"

#define ARENA_SIZE ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tn_type *type_at(uint32_t i)
{
    return i < tn_all_msgs_n ? tn_all_msgs[i] : tn_all_grammar[i - tn_all_msgs_n];
}

// the first 32 bits of a type hash
static uint32_t key_of(const struct tn_type *type)
{
    uint32_t key = 0;
    for (const char *c = type->hash + strlen("RIHS01_"); c < type->hash + 15; c++) {
        key = key << 4 | (uint32_t)(*c <= '9' ? *c - '0' : *c - 'a' + 10);
    }
    return key;
}

static const struct tn_type *choose(const uint8_t *data)
{
    uint32_t key = (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 |
                   (uint32_t)data[3];
    uint32_t n = tn_all_msgs_n + tn_all_grammar_n;
    for (uint32_t i = 0; i < n; i++) {
        if (key_of(type_at(i)) == key) {
            return type_at(i);
        }
    }
    return type_at(key % n);
}

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static enum tn_result decode(const struct tn_type *type, void *msg, const uint8_t *data,
                             size_t size, struct tn_arena *arena)
{
    struct tn_cdr_reader reader;
    (void)tn_cdr_reader_begin(&reader, data, size);
    enum tn_result result = tn_type_decode(type, msg, &reader, arena);
    require(result == TN_OK || reader.error_offset <= size);
    // an element takes at most four times its bytes, and alignment once as much again
    require(arena->peak <= 16 * size + 256);
    return result;
}

static uint8_t *encode(const struct tn_type *type, const void *msg, size_t *out_size)
{
    struct tn_cdr_writer writer;
    size_t size = tn_type_encoded_size(type, msg);
    uint8_t *bytes = malloc(size);
    require(bytes != NULL);
    tn_cdr_writer_begin(&writer, bytes, size);
    require(tn_type_encode(type, msg, &writer) == TN_OK && writer.size == size);
    *out_size = size;
    return bytes;
}

static void check_round_trip(const struct tn_type *type, const void *first)
{
    static _Alignas(16) uint8_t block[4 * ARENA_SIZE];
    struct tn_arena arena;
    size_t size;
    uint8_t *bytes = encode(type, first, &size);
    void *second = malloc(type->size);
    require(second != NULL);
    tn_arena_init(&arena, block, sizeof block);
    require(decode(type, second, bytes, size, &arena) == TN_OK);
    require(tn_type_equal(type, first, second));
    void *copy = malloc(type->size);
    require(copy != NULL && tn_type_copy(type, copy, first, &arena) == TN_OK);
    require(tn_type_equal(type, first, copy));
    free(copy);
    free(second);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static _Alignas(16) uint8_t block[ARENA_SIZE];
    struct tn_arena arena;
    if (size < 4 || size > 1 << 14) {
        return 0;
    }
    const struct tn_type *type = choose(data);
    void *msg = malloc(type->size);
    require(msg != NULL);
    tn_arena_init(&arena, block, sizeof block);
    if (decode(type, msg, data + 4, size - 4, &arena) == TN_OK) {
        check_round_trip(type, msg);
    } else {
        require(arena.used == 0);
    }
    free(msg);
    return 0;
}
