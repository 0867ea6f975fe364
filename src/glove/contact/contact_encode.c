// SPDX-License-Identifier: Apache-2.0
// Writing OSC: the same rows that the reader walks.
#include <math.h>
#include <string.h>

#include "base/compat.h"
#include "glove/contact/contact_codec.h"

#define WORD          4u
#define QUAT_NORM_MIN 0.5
#define QUAT_NORM_MAX 2.0

static const uint8_t bundle_head[] = {'#', 'b', 'u', 'n', 'd', 'l', 'e', 0, 0, 0, 0, 0, 0, 0, 0, 1};

/// Destination with a sticky error.
struct writer {
    uint8_t *data;
    size_t at, capacity;
    enum tn_result result;
};

static void fail(struct writer *writer, enum tn_result result)
{
    if (writer->result == TN_OK)
        writer->result = result;
}

static void put_bytes(struct writer *writer, const void *bytes, size_t size)
{
    if (writer->result != TN_OK)
        return;
    if (size > writer->capacity - writer->at) {
        fail(writer, TN_ERR_LIMIT);
        return;
    }
    memcpy(writer->data + writer->at, bytes, size);
    writer->at += size;
}

static void put_word(struct writer *writer, uint32_t word)
{
    const uint8_t bytes[WORD] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8),
                                 (uint8_t)word};
    put_bytes(writer, bytes, sizeof bytes);
}

/// Ends a string that began at `start`: at least one NUL, up to the next word.
static void put_padding(struct writer *writer, size_t start)
{
    static const uint8_t zeros[WORD] = {0};
    put_bytes(writer, zeros, WORD - (writer->at - start) % WORD);
}

static void put_string(struct writer *writer, const char *text, size_t max)
{
    size_t start = writer->at;
    const char *nul = memchr(text, '\0', max);
    if (nul == NULL) {
        fail(writer, TN_ERR_INVALID_ARGUMENT);
        return;
    }
    put_bytes(writer, text, (size_t)(nul - text));
    put_padding(writer, start);
}

static void put_id(struct writer *writer, const char *id)
{
    if (!tn_contact_id_is_valid(id, TN_CONTACT_WIRE_ID_MAX))
        fail(writer, TN_ERR_INVALID_ARGUMENT);
    put_string(writer, id, TN_CONTACT_WIRE_ID_MAX);
}

static void put_int(struct writer *writer, const struct tn_contact_field *field, int32_t value)
{
    bool has_range = field->min != 0 || field->max != 0;
    if (has_range && (value < field->min || value > field->max))
        fail(writer, TN_ERR_RANGE);
    put_word(writer, (uint32_t)value);
}

static void put_float(struct writer *writer, float value)
{
    uint32_t word;
    if (!isfinite(value))
        fail(writer, TN_ERR_NOT_FINITE);
    memcpy(&word, &value, sizeof word);
    put_word(writer, word);
}

static void put_quat(struct writer *writer, const float *xyzw)
{
    double norm2 = 0;
    for (int i = 0; i < 4; i++)
        norm2 += (double)xyzw[i] * (double)xyzw[i];
    double norm = sqrt(norm2);
    if (!(norm >= QUAT_NORM_MIN && norm <= QUAT_NORM_MAX))
        fail(writer, isfinite(norm) ? TN_ERR_RANGE : TN_ERR_NOT_FINITE);
    for (int i = 0; i < 4; i++)
        put_float(writer, xyzw[(i + 3) % 4]);
}

static void put_value(struct writer *writer, const struct tn_contact_dialect *dialect,
                      const struct tn_contact_field *field, unsigned i, const void *place)
{
    switch (field->kind) {
    case TN_CONTACT_FIELD_VERSION:
        put_word(writer, (uint32_t)dialect->version);
        break;
    case TN_CONTACT_FIELD_ID:
        put_id(writer, place);
        break;
    case TN_CONTACT_FIELD_NAME:
        put_string(writer, place, TN_CONTACT_NAME_MAX);
        break;
    case TN_CONTACT_FIELD_SIDE:
    case TN_CONTACT_FIELD_BOOL:
        put_word(writer, *(const bool *)place ? 1 : 0);
        break;
    case TN_CONTACT_FIELD_INT:
        put_int(writer, field, ((const int32_t *)place)[i]);
        break;
    case TN_CONTACT_FIELD_FLOAT:
        put_float(writer, ((const float *)place)[i]);
        break;
    case TN_CONTACT_FIELD_ANGLES:
        put_float(writer, ((const float *)place)[i] / dialect->degrees_per_unit[i]);
        break;
    case TN_CONTACT_FIELD_QUAT:
        put_quat(writer, (const float *)place + 4 * (size_t)i);
        break;
    }
}

static void put_values(struct writer *writer, const struct tn_contact_dialect *dialect,
                       const struct tn_contact_field *fields, unsigned n_fields, const char *base)
{
    for (unsigned f = 0; f < n_fields; f++) {
        for (unsigned i = 0; i < fields[f].count; i++)
            put_value(writer, dialect, &fields[f], i, base + fields[f].offset);
    }
}

static const char *field_tags(enum tn_contact_field_kind kind)
{
    switch (kind) {
    case TN_CONTACT_FIELD_ID:
    case TN_CONTACT_FIELD_NAME:
        return "s";
    case TN_CONTACT_FIELD_FLOAT:
    case TN_CONTACT_FIELD_ANGLES:
        return "f";
    case TN_CONTACT_FIELD_QUAT:
        return "ffff";
    case TN_CONTACT_FIELD_VERSION:
    case TN_CONTACT_FIELD_SIDE:
    case TN_CONTACT_FIELD_BOOL:
    case TN_CONTACT_FIELD_INT:
        return "i";
    }
    return "";
}

static void put_tags(struct writer *writer, const struct tn_contact_field *fields,
                     unsigned n_fields)
{
    for (unsigned f = 0; f < n_fields; f++) {
        const char *tags = field_tags(fields[f].kind);
        for (unsigned i = 0; i < fields[f].count; i++)
            put_bytes(writer, tags, strlen(tags));
    }
}

static void put_address(struct writer *writer, const struct tn_contact_row *row, const char *base)
{
    size_t start = writer->at;
    const char *brace = row->address_id != 0 ? strchr(row->address, '{') : NULL;
    if (brace == NULL) {
        put_string(writer, row->address, strlen(row->address) + 1);
        return;
    }
    const char *id = base + row->address_id;
    const char *tail = strchr(brace, '}') + 1;
    if (!tn_contact_id_is_valid(id, TN_CONTACT_WIRE_ID_MAX)) {
        fail(writer, TN_ERR_INVALID_ARGUMENT);
        return;
    }
    put_bytes(writer, row->address, (size_t)(brace - row->address));
    put_bytes(writer, id, strlen(id));
    put_bytes(writer, tail, strlen(tail));
    put_padding(writer, start);
}

static void put_row(struct writer *writer, const struct tn_contact_dialect *dialect,
                    const struct tn_contact_row *row, const char *base)
{
    uint32_t n = 0;
    if (row->repeated != NULL)
        memcpy(&n, base + row->list_count, sizeof n);
    if (n > row->list_max) {
        fail(writer, TN_ERR_LIMIT);
        return;
    }
    put_address(writer, row, base);
    size_t tags_start = writer->at;
    put_bytes(writer, ",", 1);
    put_tags(writer, row->fields, row->n_fields);
    for (uint32_t i = 0; i < n; i++)
        put_tags(writer, row->repeated, row->n_repeated);
    put_padding(writer, tags_start);
    put_values(writer, dialect, row->fields, row->n_fields, base);
    for (uint32_t i = 0; i < n; i++)
        put_values(writer, dialect, row->repeated, row->n_repeated,
                   base + row->list + (size_t)i * row->list_stride);
}

enum tn_result tn_contact_encode(const struct tn_contact_dialect *dialect,
                                 const struct tn_contact_message *message, uint8_t *buffer,
                                 size_t capacity, size_t *out_size)
{
    struct writer writer = {.data = buffer, .capacity = capacity, .result = TN_ERR_UNSUPPORTED};
    for (uint32_t i = 0; i < dialect->n_rows; i++) {
        if (dialect->rows[i].kind != message->kind)
            continue;
        writer.result = TN_OK;
        put_row(&writer, dialect, &dialect->rows[i], (const char *)message);
        break;
    }
    if (writer.result == TN_OK)
        *out_size = writer.at;
    return writer.result;
}

enum tn_result tn_contact_bundle_begin(uint8_t *buffer, size_t capacity, size_t *out_size)
{
    if (capacity < sizeof bundle_head)
        return TN_ERR_LIMIT;
    memcpy(buffer, bundle_head, sizeof bundle_head);
    *out_size = sizeof bundle_head;
    return TN_OK;
}

enum tn_result tn_contact_bundle_append(uint8_t *buffer, size_t capacity, const uint8_t *element,
                                        size_t element_size, size_t *io_size)
{
    if (element_size == 0 || element_size % WORD != 0)
        return TN_ERR_INVALID_ARGUMENT;
    struct writer writer = {.data = buffer, .at = *io_size, .capacity = capacity, .result = TN_OK};
    if (capacity < *io_size || capacity - *io_size < WORD ||
        element_size > capacity - *io_size - WORD)
        return TN_ERR_LIMIT;
    put_word(&writer, (uint32_t)element_size);
    put_bytes(&writer, element, element_size);
    *io_size = writer.at;
    return writer.result;
}
