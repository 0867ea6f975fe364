// SPDX-License-Identifier: Apache-2.0
#include "peers/fastcdr/walker.h"

#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>

using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

namespace {

bool is_sequence(const tn_field *field)
{
    return field->array == TN_ARRAY_BOUNDED || field->array == TN_ARRAY_UNBOUNDED;
}

// ---- out ----

void put_message(Cdr &cdr, const tn_type *type, const void *msg);

template <typename T> void put_numbers(Cdr &cdr, const void *elements, uint32_t n)
{
    if (n > 0) {
        cdr.serializeArray(static_cast<const T *>(elements), n);
    }
}

void put_text(Cdr &cdr, const tn_str *text)
{
    cdr.serialize(std::string(text->size == 0 ? "" : text->data, text->size));
}

void put_wide(Cdr &cdr, const tn_wstr *text)
{
    std::wstring wide;
    for (uint32_t i = 0; i < text->size; i++) {
        wide.push_back(static_cast<wchar_t>(text->data[i]));
    }
    cdr.serialize(wide);
}

// strings and messages, one by one
void put_each(Cdr &cdr, const tn_field *field, const char *elements, uint32_t n)
{
    const size_t size = tn_field_element_size(field);
    for (uint32_t i = 0; i < n; i++) {
        const char *element = elements + i * size;
        if (field->type == TN_TYPE_NESTED) {
            put_message(cdr, field->nested, element);
        } else if (field->type == TN_TYPE_STRING) {
            put_text(cdr, reinterpret_cast<const tn_str *>(element));
        } else {
            put_wide(cdr, reinterpret_cast<const tn_wstr *>(element));
        }
    }
}

void put_elements(Cdr &cdr, const tn_field *field, const void *elements, uint32_t n)
{
    switch (field->type) {
    case TN_TYPE_BOOL:
        return put_numbers<bool>(cdr, elements, n);
    case TN_TYPE_INT8:
        return put_numbers<int8_t>(cdr, elements, n);
    case TN_TYPE_UINT8:
    case TN_TYPE_BYTE:
        return put_numbers<uint8_t>(cdr, elements, n);
    case TN_TYPE_INT16:
        return put_numbers<int16_t>(cdr, elements, n);
    case TN_TYPE_UINT16:
        return put_numbers<uint16_t>(cdr, elements, n);
    case TN_TYPE_INT32:
        return put_numbers<int32_t>(cdr, elements, n);
    case TN_TYPE_UINT32:
        return put_numbers<uint32_t>(cdr, elements, n);
    case TN_TYPE_INT64:
        return put_numbers<int64_t>(cdr, elements, n);
    case TN_TYPE_UINT64:
        return put_numbers<uint64_t>(cdr, elements, n);
    case TN_TYPE_FLOAT32:
        return put_numbers<float>(cdr, elements, n);
    case TN_TYPE_FLOAT64:
        return put_numbers<double>(cdr, elements, n);
    default:
        return put_each(cdr, field, static_cast<const char *>(elements), n);
    }
}

void put_message(Cdr &cdr, const tn_type *type, const void *msg)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tn_field *field = &type->fields[i];
        uint32_t n = 0;
        const void *elements =
            tn_field_elements(field, static_cast<const char *>(msg) + field->offset, &n);
        if (is_sequence(field)) {
            cdr.serialize(n);
        }
        put_elements(cdr, field, elements, n);
    }
    if (type->n_fields == 0) {
        cdr.serialize(*static_cast<const uint8_t *>(msg));
    }
}

// ---- in ----

struct reader {
    Cdr &cdr;
    tn_arena *arena;
};

void *reserve(reader &r, size_t n, size_t size)
{
    void *memory = tn_arena_alloc(r.arena, n, size, 16);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

void get_message(reader &r, const tn_type *type, void *msg);

template <typename T> void get_numbers(reader &r, void *elements, uint32_t n)
{
    if (n > 0) {
        r.cdr.deserializeArray(static_cast<T *>(elements), n);
    }
}

void get_text(reader &r, tn_str *out)
{
    std::string text;
    r.cdr.deserialize(text);
    char *copy = static_cast<char *>(reserve(r, text.size() + 1, 1));
    std::memcpy(copy, text.c_str(), text.size() + 1);
    *out = tn_str{copy, static_cast<uint32_t>(text.size())};
}

void get_wide(reader &r, tn_wstr *out)
{
    std::wstring text;
    r.cdr.deserialize(text);
    auto *copy = static_cast<uint16_t *>(reserve(r, text.size() + 1, sizeof(uint16_t)));
    for (size_t i = 0; i < text.size(); i++) {
        copy[i] = static_cast<uint16_t>(text[i]);
    }
    *out = tn_wstr{copy, static_cast<uint32_t>(text.size())};
}

void get_each(reader &r, const tn_field *field, char *elements, uint32_t n)
{
    const size_t size = tn_field_element_size(field);
    for (uint32_t i = 0; i < n; i++) {
        char *element = elements + i * size;
        if (field->type == TN_TYPE_NESTED) {
            get_message(r, field->nested, element);
        } else if (field->type == TN_TYPE_STRING) {
            get_text(r, reinterpret_cast<tn_str *>(element));
        } else {
            get_wide(r, reinterpret_cast<tn_wstr *>(element));
        }
    }
}

void get_elements(reader &r, const tn_field *field, void *elements, uint32_t n)
{
    switch (field->type) {
    case TN_TYPE_BOOL:
        return get_numbers<bool>(r, elements, n);
    case TN_TYPE_INT8:
        return get_numbers<int8_t>(r, elements, n);
    case TN_TYPE_UINT8:
    case TN_TYPE_BYTE:
        return get_numbers<uint8_t>(r, elements, n);
    case TN_TYPE_INT16:
        return get_numbers<int16_t>(r, elements, n);
    case TN_TYPE_UINT16:
        return get_numbers<uint16_t>(r, elements, n);
    case TN_TYPE_INT32:
        return get_numbers<int32_t>(r, elements, n);
    case TN_TYPE_UINT32:
        return get_numbers<uint32_t>(r, elements, n);
    case TN_TYPE_INT64:
        return get_numbers<int64_t>(r, elements, n);
    case TN_TYPE_UINT64:
        return get_numbers<uint64_t>(r, elements, n);
    case TN_TYPE_FLOAT32:
        return get_numbers<float>(r, elements, n);
    case TN_TYPE_FLOAT64:
        return get_numbers<double>(r, elements, n);
    default:
        return get_each(r, field, static_cast<char *>(elements), n);
    }
}

void get_message(reader &r, const tn_type *type, void *msg)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tn_field *field = &type->fields[i];
        void *member = static_cast<char *>(msg) + field->offset;
        if (!is_sequence(field)) {
            get_elements(r, field, member, field->array == TN_ARRAY_FIXED ? field->capacity : 1);
            continue;
        }
        uint32_t n = 0;
        r.cdr.deserialize(n);
        void *elements = n == 0 ? nullptr : reserve(r, n, tn_field_element_size(field));
        get_elements(r, field, elements, n);
        const tn_seq_any sequence = {elements, n};
        std::memcpy(member, &sequence, sizeof sequence);
    }
    if (type->n_fields == 0) {
        r.cdr.deserialize(*static_cast<uint8_t *>(msg));
    }
}

} // namespace

size_t fastcdr_encode(const struct tn_type *type, const void *msg, bool is_big, uint8_t *out,
                      size_t capacity)
{
    try {
        FastBuffer buffer(reinterpret_cast<char *>(out), capacity);
        Cdr cdr(buffer, is_big ? Cdr::BIG_ENDIANNESS : Cdr::LITTLE_ENDIANNESS, Cdr::DDS_CDR);
        cdr.serialize_encapsulation();
        put_message(cdr, type, msg);
        return cdr.getSerializedDataLength();
    } catch (const std::exception &) {
        return 0;
    }
}

bool fastcdr_decode(const struct tn_type *type, const uint8_t *data, size_t size,
                    struct tn_arena *arena, void *out)
{
    try {
        FastBuffer buffer(reinterpret_cast<char *>(const_cast<uint8_t *>(data)), size);
        Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
        reader r = {cdr, arena};
        cdr.read_encapsulation();
        get_message(r, type, out);
        return true;
    } catch (const std::exception &) {
        return false;
    }
}
