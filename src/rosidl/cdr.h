// SPDX-License-Identifier: Apache-2.0
/// @file
/// Plain XCDR1 (what both ROS 2 middlewares write): bounds-checked writer and reader.
///
/// Both keep a sticky error, so that generated code puts and gets member after member and the
/// caller looks once at the end. Alignment counts from behind the 4-byte encapsulation header and
/// is at most 8. Writers write the byte order of the machine; readers read both.
///
/// A writer that runs out of room writes nothing more but keeps counting, so `size` is then the
/// room that the message needs. A writer of capacity 0 is a size counter.
#ifndef TN_ROSIDL_CDR_H
#define TN_ROSIDL_CDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compat.h"
#include "base/result.h"

/// Bytes of the encapsulation header in front of every message.
#define TN_CDR_HEADER_SIZE 4u

/// Plain data; treat the members as private but for `size`.
struct tn_cdr_writer {
    uint8_t *data;        ///< the caller's buffer; may be NULL when capacity is 0
    size_t capacity;      ///< bytes in it
    size_t size;          ///< bytes the message takes so far, header included; may exceed capacity
    enum tn_result error; ///< first error but for lack of room; TN_OK
};

/// Plain data; treat the members as private.
struct tn_cdr_reader {
    const uint8_t *data;  ///< first byte behind the encapsulation header
    size_t size;          ///< bytes behind the header; 0 after an error
    size_t position;      ///< next byte to read; 0 after an error
    size_t error_offset;  ///< where the first error was found, counted from the header
    enum tn_result error; ///< first error; TN_OK
    bool is_swapped;      ///< the message has the other byte order
};

/// Starts a message in the caller's buffer and writes its encapsulation header.
/// @param data   may be NULL if capacity is 0
/// @return nothing; see tn_cdr_writer_result(). Thread: one caller at a time. Allocates: never.
/// Blocks: never.
void tn_cdr_writer_begin(struct tn_cdr_writer *writer, void *data, size_t capacity);

/// Judges a finished message.
/// @return TN_OK: `size` bytes stand in the buffer; TN_ERR_LIMIT: the buffer is too small, `size`
/// is what it takes; TN_ERR_INVALID_ARGUMENT: a string or sequence is longer than its bound or
/// than CDR can say.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_cdr_writer_result(const struct tn_cdr_writer *writer);

/// Starts reading a message.
/// @param data, size   the message with its encapsulation header; must outlive every view into it
/// @return TN_OK; TN_ERR_TRUNCATED: shorter than the header; TN_ERR_UNSUPPORTED: not plain XCDR1
/// (header other than 00 00 or 00 01). After an error the reader is usable and yields zeros.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
enum tn_result tn_cdr_reader_begin(struct tn_cdr_reader *reader, const void *data, size_t size);

/// Records an error unless there is one already; every later get yields zeros.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
TN_COLD void tn_cdr_reader_fail(struct tn_cdr_reader *reader, enum tn_result code);

/// Records an error unless there is one already.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
TN_COLD void tn_cdr_writer_fail(struct tn_cdr_writer *writer, enum tn_result code);

/// Turns the byte order of `count` elements of `size` bytes (1, 2, 4 or 8) in place.
/// @return nothing. Thread: any. Allocates: never. Blocks: never. Cost: O(bytes).
void tn_cdr_swap(void *elements, size_t count, size_t size);

/// @return `position` rounded up to a multiple of `align`, a power of two. Thread: any. Allocates:
/// never. Blocks: never.
static inline size_t tn_cdr__align(size_t position, size_t align)
{
    return (position + align - 1) & ~(align - 1);
}

/// Writes `count` elements of `size` bytes in the byte order of the machine, aligned to `size`.
/// @param size   1, 2, 4 or 8
/// @return nothing; see tn_cdr_writer_result(). Thread: one caller at a time. Allocates: never.
/// Blocks: never.
static inline void tn_cdr_put_block(struct tn_cdr_writer *writer, const void *elements,
                                    size_t count, size_t size)
{
    if (count == 0) {
        return;
    }
    // only an alignment of 8 sees that the origin lies behind the header
    size_t start = tn_cdr__align(writer->size - TN_CDR_HEADER_SIZE, size) + TN_CDR_HEADER_SIZE;
    size_t end = start + count * size;
    if (TN_LIKELY(end <= writer->capacity)) {
        for (size_t i = writer->size; i < start; i++) {
            writer->data[i] = 0;
        }
        memcpy(writer->data + start, elements, count * size);
    }
    writer->size = end;
}

/// Reads `count` elements of `size` bytes into `out`, aligned to `size`, turning the byte order.
/// On error `out` stays as it was.
/// @return nothing; see `error`. Thread: one caller at a time. Allocates: never. Blocks: never.
static inline void tn_cdr_get_block(struct tn_cdr_reader *reader, void *out, size_t count,
                                    size_t size)
{
    if (count == 0) {
        return;
    }
    size_t start = tn_cdr__align(reader->position, size);
    if (TN_UNLIKELY(start > reader->size || (reader->size - start) / size < count)) {
        tn_cdr_reader_fail(reader, TN_ERR_TRUNCATED);
        return;
    }
    memcpy(out, reader->data + start, count * size);
    reader->position = start + count * size;
    if (TN_UNLIKELY(reader->is_swapped)) {
        tn_cdr_swap(out, count, size);
    }
}

/// Writes a bool as 0 or 1. @return nothing. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
static inline void tn_cdr_put_bool(struct tn_cdr_writer *writer, bool value)
{
    const uint8_t byte = value ? 1 : 0;
    tn_cdr_put_block(writer, &byte, 1, 1);
}

/// Reads a bool: any byte but 0 is true. @return the value; false after an error. Thread: one
/// caller at a time. Allocates: never. Blocks: never.
static inline bool tn_cdr_get_bool(struct tn_cdr_reader *reader)
{
    uint8_t byte = 0;
    tn_cdr_get_block(reader, &byte, 1, 1);
    return byte != 0;
}

/// Reads `count` bools; any non-zero byte is true. On error `out` stays as it was.
/// @return nothing; see `error`. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_cdr_get_bools(struct tn_cdr_reader *reader, bool *out, size_t count);

/// Writes a string: length with its NUL, bytes, NUL.
/// @param bound   most bytes without the NUL; 0: no bound
/// @return nothing; see tn_cdr_writer_result(). Thread: one caller at a time. Allocates: never.
/// Blocks: never.
static inline void tn_cdr_put_string(struct tn_cdr_writer *writer, const char *text, uint32_t size,
                                     uint32_t bound)
{
    if (TN_UNLIKELY(size == UINT32_MAX || (bound != 0 && size > bound))) {
        tn_cdr_writer_fail(writer, TN_ERR_INVALID_ARGUMENT);
        return;
    }
    const uint32_t length = size + 1;
    tn_cdr_put_block(writer, &length, 1, sizeof length);
    size_t end = writer->size + size + 1;
    if (TN_LIKELY(end <= writer->capacity)) {
        if (size != 0) {
            memcpy(writer->data + writer->size, text, size);
        }
        writer->data[end - 1] = 0;
    }
    writer->size = end;
}

/// Reads a string as a view into the message. A length of 0, which some writers send for the empty
/// string, is read as such.
/// @param bound      most bytes without the NUL; 0: no bound
/// @param out_size   bytes without the NUL; 0 on error
/// @return the first byte, never NULL. Sets `error` to TN_ERR_TRUNCATED, TN_ERR_MALFORMED (no NUL
/// at the end) or TN_ERR_LIMIT (bound). Thread: one caller at a time. Allocates: never. Blocks:
/// never.
static inline const char *tn_cdr_get_string(struct tn_cdr_reader *reader, uint32_t bound,
                                            uint32_t *out_size)
{
    *out_size = 0;
    uint32_t size = 0;
    tn_cdr_get_block(reader, &size, 1, sizeof size);
    if (size == 0) {
        return "";
    }
    if (TN_UNLIKELY(size > reader->size - reader->position)) {
        tn_cdr_reader_fail(reader, TN_ERR_TRUNCATED);
        return "";
    }
    const uint8_t *text = reader->data + reader->position;
    if (TN_UNLIKELY(text[size - 1] != 0)) {
        tn_cdr_reader_fail(reader, TN_ERR_MALFORMED);
        return "";
    }
    if (TN_UNLIKELY(bound != 0 && size - 1 > bound)) {
        tn_cdr_reader_fail(reader, TN_ERR_LIMIT);
        return "";
    }
    reader->position += size;
    *out_size = size - 1;
    return (const char *)text;
}

/// Reads the length of a sequence and checks it before anything is reserved.
/// @param bound      most elements; 0: no bound
/// @param min_size   bytes the smallest element takes, at least 1
/// @return the number of elements; 0 on error: TN_ERR_TRUNCATED (more elements than the rest of the
/// message can hold) or TN_ERR_LIMIT (bound).
/// Thread: one caller at a time. Allocates: never. Blocks: never.
uint32_t tn_cdr_get_count(struct tn_cdr_reader *reader, uint32_t bound, size_t min_size);

/// Writes the length of a sequence.
/// @param bound   most elements; 0: no bound
/// @return nothing; TN_ERR_INVALID_ARGUMENT when above the bound, see tn_cdr_writer_result().
/// Thread: one caller at a time. Allocates: never. Blocks: never.
static inline void tn_cdr_put_count(struct tn_cdr_writer *writer, uint32_t count, uint32_t bound)
{
    if (TN_UNLIKELY(bound != 0 && count > bound)) {
        tn_cdr_writer_fail(writer, TN_ERR_INVALID_ARGUMENT);
    }
    tn_cdr_put_block(writer, &count, 1, sizeof count);
}

/// Defines tn_cdr_put_<name> and tn_cdr_get_<name> for one primitive type; a get yields 0 after an
/// error. @return the value, or nothing. Thread: one caller at a time. Allocates: never. Blocks:
/// never.
#define TN_CDR_PRIMITIVE(name, type)                                                               \
    static inline void tn_cdr_put_##name(struct tn_cdr_writer *writer, type value)                 \
    {                                                                                              \
        tn_cdr_put_block(writer, &value, 1, sizeof(type));                                         \
    }                                                                                              \
    static inline type tn_cdr_get_##name(struct tn_cdr_reader *reader)                             \
    {                                                                                              \
        type value = 0;                                                                            \
        tn_cdr_get_block(reader, &value, 1, sizeof(type));                                         \
        return value;                                                                              \
    }

TN_CDR_PRIMITIVE(i8, int8_t)
TN_CDR_PRIMITIVE(u8, uint8_t)
TN_CDR_PRIMITIVE(i16, int16_t)
TN_CDR_PRIMITIVE(u16, uint16_t)
TN_CDR_PRIMITIVE(i32, int32_t)
TN_CDR_PRIMITIVE(u32, uint32_t)
TN_CDR_PRIMITIVE(i64, int64_t)
TN_CDR_PRIMITIVE(u64, uint64_t)
TN_CDR_PRIMITIVE(f32, float)
TN_CDR_PRIMITIVE(f64, double)

#endif
