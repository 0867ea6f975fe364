// SPDX-License-Identifier: Apache-2.0
#include "rosidl/cdr.h"

// 1 on little-endian machines; also the second byte of the encapsulation header
static uint8_t machine_is_little(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first;
}

void tn_cdr_writer_begin(struct tn_cdr_writer *writer, void *data, size_t capacity)
{
    *writer = (struct tn_cdr_writer){.data = data, .capacity = capacity};
    if (capacity >= TN_CDR_HEADER_SIZE) {
        const uint8_t header[TN_CDR_HEADER_SIZE] = {0, machine_is_little(), 0, 0};
        memcpy(data, header, sizeof header);
    }
    writer->size = TN_CDR_HEADER_SIZE;
}

enum tn_result tn_cdr_writer_result(const struct tn_cdr_writer *writer)
{
    if (writer->error != TN_OK) {
        return writer->error;
    }
    return writer->size <= writer->capacity ? TN_OK : TN_ERR_LIMIT;
}

void tn_cdr_writer_fail(struct tn_cdr_writer *writer, enum tn_result code)
{
    if (writer->error == TN_OK) {
        writer->error = code;
    }
}

enum tn_result tn_cdr_reader_begin(struct tn_cdr_reader *reader, const void *data, size_t size)
{
    *reader = (struct tn_cdr_reader){.data = data};
    if (size < TN_CDR_HEADER_SIZE) {
        tn_cdr_reader_fail(reader, TN_ERR_TRUNCATED);
        reader->error_offset = size;
        return TN_ERR_TRUNCATED;
    }
    const uint8_t *header = data;
    if (header[0] != 0 || header[1] > 1) {
        tn_cdr_reader_fail(reader, TN_ERR_UNSUPPORTED);
        reader->error_offset = 0;
        return TN_ERR_UNSUPPORTED;
    }
    reader->is_swapped = header[1] != machine_is_little();
    reader->data = header + TN_CDR_HEADER_SIZE;
    reader->size = size - TN_CDR_HEADER_SIZE;
    return TN_OK;
}

void tn_cdr_reader_fail(struct tn_cdr_reader *reader, enum tn_result code)
{
    if (reader->error == TN_OK) {
        reader->error = code;
        reader->error_offset = TN_CDR_HEADER_SIZE + reader->position;
    }
    // nothing left: every later get fails at its own bounds check
    reader->size = 0;
    reader->position = 0;
}

void tn_cdr_swap(void *elements, size_t count, size_t size)
{
    uint8_t *bytes = elements;
    for (size_t i = 0; i < count; i++, bytes += size) {
        for (size_t k = 0; k < size / 2; k++) {
            uint8_t byte = bytes[k];
            bytes[k] = bytes[size - 1 - k];
            bytes[size - 1 - k] = byte;
        }
    }
}

void tn_cdr_get_bools(struct tn_cdr_reader *reader, bool *out, size_t count)
{
    if (count > reader->size - reader->position) {
        tn_cdr_reader_fail(reader, TN_ERR_TRUNCATED);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = reader->data[reader->position + i] != 0;
    }
    reader->position += count;
}

uint32_t tn_cdr_get_count(struct tn_cdr_reader *reader, uint32_t bound, size_t min_size)
{
    uint32_t count = tn_cdr_get_u32(reader);
    if (count > (reader->size - reader->position) / min_size) {
        tn_cdr_reader_fail(reader, TN_ERR_TRUNCATED);
        return 0;
    }
    if (bound != 0 && count > bound) {
        tn_cdr_reader_fail(reader, TN_ERR_LIMIT);
        return 0;
    }
    return count;
}
