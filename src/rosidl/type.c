// SPDX-License-Identifier: Apache-2.0
#include "rosidl/type.h"

#include <string.h>

static void encode_body(const struct tn_type *type, const void *msg, struct tn_cdr_writer *writer)
{
    if (type->encode != NULL) {
        type->encode(msg, writer);
    } else {
        tn_type_interpret_encode(type, msg, writer);
    }
}

void tn_type_init(const struct tn_type *type, void *msg)
{
    if (type->init != NULL) {
        type->init(msg);
    } else {
        memcpy(msg, type->prototype, type->size);
    }
}

enum tn_result tn_type_encode(const struct tn_type *type, const void *msg,
                              struct tn_cdr_writer *writer)
{
    encode_body(type, msg, writer);
    return tn_cdr_writer_result(writer);
}

size_t tn_type_encoded_size(const struct tn_type *type, const void *msg)
{
    struct tn_cdr_writer counter;
    tn_cdr_writer_begin(&counter, NULL, 0);
    encode_body(type, msg, &counter);
    return counter.size;
}

enum tn_result tn_type_decode(const struct tn_type *type, void *msg, struct tn_cdr_reader *reader,
                              struct tn_arena *arena)
{
    size_t mark = tn_arena_mark(arena);
    if (reader->error == TN_OK && type->decode != NULL) {
        type->decode(msg, reader, arena);
    } else if (reader->error == TN_OK) {
        tn_type_interpret_decode(type, msg, reader, arena);
    }
    if (reader->error != TN_OK) {
        // what was read so far may point into the arena that is given back
        memset(msg, 0, type->size);
        tn_arena_release(arena, mark);
    }
    return reader->error;
}

struct tn_str tn_str_from(const char *text)
{
    if (text == NULL) {
        return (struct tn_str){"", 0};
    }
    return (struct tn_str){text, (uint32_t)strlen(text)};
}

bool tn_str_equal(struct tn_str a, struct tn_str b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

bool tn_str_is(struct tn_str a, const char *text)
{
    return tn_str_equal(a, tn_str_from(text));
}

struct tn_str tn_str_decode(struct tn_cdr_reader *reader, uint32_t bound)
{
    struct tn_str text;
    text.data = tn_cdr_get_string(reader, bound, &text.size);
    return text;
}

struct tn_wstr tn_wstr_decode(struct tn_cdr_reader *reader, uint32_t bound, struct tn_arena *arena)
{
    uint32_t n = tn_cdr_get_count(reader, bound, 4);
    uint16_t *units = tn_seq_reserve(reader, arena, &n, sizeof *units, sizeof *units);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t unit = tn_cdr_get_u32(reader);
        if (unit > UINT16_MAX) {
            tn_cdr_reader_fail(reader, TN_ERR_MALFORMED);
            return (struct tn_wstr){NULL, 0};
        }
        units[i] = (uint16_t)unit;
    }
    return (struct tn_wstr){units, n};
}

void tn_wstr_encode(struct tn_wstr text, uint32_t bound, struct tn_cdr_writer *writer)
{
    tn_cdr_put_count(writer, text.size, bound);
    for (uint32_t i = 0; i < text.size; i++) {
        tn_cdr_put_u32(writer, text.data[i]);
    }
}

void *tn_seq_reserve(struct tn_cdr_reader *reader, struct tn_arena *arena, uint32_t *io_count,
                     size_t size, size_t align)
{
    if (*io_count == 0) {
        return NULL;
    }
    void *elements = tn_arena_alloc(arena, *io_count, size, align);
    if (elements == NULL) {
        tn_cdr_reader_fail(reader, TN_ERR_NO_MEMORY);
        *io_count = 0;
    }
    return elements;
}

struct tn_seq_any tn_seq_decode(struct tn_cdr_reader *reader, uint32_t bound, size_t size,
                                struct tn_arena *arena)
{
    uint32_t n = tn_cdr_get_count(reader, bound, size);
    void *elements = tn_seq_reserve(reader, arena, &n, size, size);
    tn_cdr_get_block(reader, elements, n, size);
    return (struct tn_seq_any){elements, n};
}

struct tn_seq_bool tn_seq_decode_bools(struct tn_cdr_reader *reader, uint32_t bound,
                                       struct tn_arena *arena)
{
    uint32_t n = tn_cdr_get_count(reader, bound, 1);
    bool *elements = tn_seq_reserve(reader, arena, &n, sizeof(bool), sizeof(bool));
    tn_cdr_get_bools(reader, elements, n);
    return (struct tn_seq_bool){elements, n};
}

struct tn_seq_str tn_seq_decode_strings(struct tn_cdr_reader *reader, uint32_t bound,
                                        uint32_t string_bound, struct tn_arena *arena)
{
    uint32_t n = tn_cdr_get_count(reader, bound, 4);
    struct tn_str *elements =
        tn_seq_reserve(reader, arena, &n, sizeof *elements, _Alignof(struct tn_str));
    for (uint32_t i = 0; i < n; i++) {
        elements[i] = tn_str_decode(reader, string_bound);
    }
    return (struct tn_seq_str){elements, n};
}
