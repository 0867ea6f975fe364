// SPDX-License-Identifier: Apache-2.0
#include "unit/rosidl/values.h"

#include <inttypes.h>
#include <string.h>

uint64_t values_random(struct values *values)
{
    // xorshift64*
    uint64_t x = values->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    values->state = x;
    return x * UINT64_C(2685821657736338717);
}

static uint32_t below(struct values *values, uint32_t n)
{
    return (uint32_t)((values_random(values) >> 32) % n);
}

static struct tn_str random_text(struct values *values, uint32_t bound)
{
    // one, two, three and four bytes in UTF-8, and what JSON and C escape
    static const char *const pieces[] = {
        "a", "Z", "0", " ",        "\"",           "\\",
        "'", "/", "~", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    uint32_t most = bound != 0 ? bound : values->max_elements * 4;
    char *text = tn_arena_alloc(values->arena, most + 1, 1, 1);
    if (text == NULL) {
        return (struct tn_str){"", 0};
    }
    uint32_t size = 0;
    for (uint32_t n = below(values, most + 1); n > 0; n--) {
        const char *piece = pieces[below(values, TN_ARRAY_SIZE(pieces))];
        if (size + strlen(piece) <= most) {
            memcpy(text + size, piece, strlen(piece));
            size += (uint32_t)strlen(piece);
        }
    }
    return (struct tn_str){text, size};
}

static struct tn_wstr random_wide(struct values *values, uint32_t bound)
{
    uint32_t n = below(values, (bound != 0 ? bound : values->max_elements) + 1);
    uint16_t *units = tn_arena_alloc(values->arena, n, sizeof *units, sizeof *units);
    if (units == NULL) {
        return (struct tn_wstr){NULL, 0};
    }
    for (uint32_t i = 0; i < n; i++) {
        units[i] = (uint16_t)values_random(values);
    }
    return (struct tn_wstr){units, n};
}

static double random_float(struct values *values)
{
    return ((double)(int64_t)values_random(values)) / 65536.0 / (1 + below(values, 1000));
}

static void fill_element(struct values *values, const struct tn_field *field, void *element)
{
    uint64_t bits = values_random(values);
    float f = (float)random_float(values);
    double d = random_float(values);
    bool b = bits & 1;
    struct tn_str text;
    struct tn_wstr wide;
    switch (field->type) {
    case TN_TYPE_NESTED:
        values_fill(values, field->nested, element);
        break;
    case TN_TYPE_FLOAT32:
        memcpy(element, &f, sizeof f);
        break;
    case TN_TYPE_FLOAT64:
        memcpy(element, &d, sizeof d);
        break;
    case TN_TYPE_BOOL:
        memcpy(element, &b, sizeof b);
        break;
    case TN_TYPE_STRING:
        text = random_text(values, field->string_capacity);
        memcpy(element, &text, sizeof text);
        break;
    case TN_TYPE_WSTRING:
        wide = random_wide(values, field->string_capacity);
        memcpy(element, &wide, sizeof wide);
        break;
    case TN_TYPE_INT8:
    case TN_TYPE_UINT8:
    case TN_TYPE_INT16:
    case TN_TYPE_UINT16:
    case TN_TYPE_INT32:
    case TN_TYPE_UINT32:
    case TN_TYPE_INT64:
    case TN_TYPE_UINT64:
    case TN_TYPE_BYTE:
    default:
        memcpy(element, &bits, tn_field_element_size(field));
        break;
    }
}

static void fill_sequence(struct values *values, const struct tn_field *field, void *member)
{
    uint32_t most = field->capacity != 0 && field->capacity < values->max_elements
                        ? field->capacity
                        : values->max_elements;
    struct tn_seq_any sequence = {NULL, below(values, most + 1)};
    size_t size = tn_field_element_size(field);
    char *elements = tn_arena_alloc(values->arena, sequence.size, size, 8);
    sequence.size = elements != NULL ? sequence.size : 0;
    for (uint32_t i = 0; i < sequence.size; i++) {
        fill_element(values, field, elements + i * size);
    }
    sequence.data = elements;
    memcpy(member, &sequence, sizeof sequence);
}

void values_fill(struct values *values, const struct tn_type *type, void *msg)
{
    memset(msg, 0, type->size);
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        char *member = (char *)msg + field->offset;
        if (field->array == TN_ARRAY_BOUNDED || field->array == TN_ARRAY_UNBOUNDED) {
            fill_sequence(values, field, member);
            continue;
        }
        uint32_t n = field->array == TN_ARRAY_FIXED ? field->capacity : 1;
        for (uint32_t k = 0; k < n; k++) {
            fill_element(values, field, member + k * tn_field_element_size(field));
        }
    }
}

struct output {
    uint8_t *data;
    size_t capacity;
    size_t size;
    bool is_big;
};

static void put_byte(struct output *out, uint8_t byte)
{
    if (out->size < out->capacity) {
        out->data[out->size] = byte;
    }
    out->size++;
}

static void put_number(struct output *out, uint64_t value, size_t size)
{
    while ((out->size - 4) % size != 0) {
        put_byte(out, 0);
    }
    for (size_t i = 0; i < size; i++) {
        size_t shift = 8 * (out->is_big ? size - 1 - i : i);
        put_byte(out, (uint8_t)(value >> shift));
    }
}

// the value of any number as bits
static uint64_t number_bits(const void *element, size_t size)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64 = 0;
    switch (size) {
    case 1:
        memcpy(&u8, element, size);
        return u8;
    case 2:
        memcpy(&u16, element, size);
        return u16;
    case 4:
        memcpy(&u32, element, size);
        return u32;
    default:
        memcpy(&u64, element, size);
        return u64;
    }
}

static void put_struct(struct output *out, const struct tn_type *type, const void *msg);

static void put_element(struct output *out, const struct tn_field *field, const void *element)
{
    if (field->type == TN_TYPE_NESTED) {
        put_struct(out, field->nested, element);
    } else if (field->type == TN_TYPE_STRING) {
        const struct tn_str *text = element;
        put_number(out, text->size + 1u, 4);
        for (uint32_t i = 0; i < text->size; i++) {
            put_byte(out, (uint8_t)text->data[i]);
        }
        put_byte(out, 0);
    } else if (field->type == TN_TYPE_WSTRING) {
        const struct tn_wstr *wide = element;
        put_number(out, wide->size, 4);
        for (uint32_t i = 0; i < wide->size; i++) {
            put_number(out, wide->data[i], 4);
        }
    } else {
        size_t size = tn_field_element_size(field);
        put_number(out, number_bits(element, size), size);
    }
}

static void put_struct(struct output *out, const struct tn_type *type, const void *msg)
{
    if (type->n_fields == 0) {
        put_byte(out, 0);
    }
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        uint32_t n;
        const char *elements = tn_field_elements(field, (const char *)msg + field->offset, &n);
        if (field->array == TN_ARRAY_BOUNDED || field->array == TN_ARRAY_UNBOUNDED) {
            put_number(out, n, 4);
        }
        for (uint32_t k = 0; k < n; k++) {
            put_element(out, field, elements + k * tn_field_element_size(field));
        }
    }
}

size_t values_encode(const struct tn_type *type, const void *msg, bool is_big, uint8_t *out,
                     size_t capacity)
{
    struct output output = {out, capacity, 0, is_big};
    put_byte(&output, 0);
    put_byte(&output, is_big ? 0 : 1);
    put_byte(&output, 0);
    put_byte(&output, 0);
    put_struct(&output, type, msg);
    return output.size <= capacity ? output.size : 0;
}

static void json_text(FILE *out, const struct tn_str *text)
{
    fputc('"', out);
    for (uint32_t i = 0; i < text->size; i++) {
        char c = text->data[i];
        if (c == '"' || c == '\\') {
            fputc('\\', out);
        }
        fputc(c, out);
    }
    fputc('"', out);
}

static int64_t sign_extended(uint64_t bits, size_t size)
{
    unsigned shift = (unsigned)(64 - 8 * size);
    return (int64_t)(bits << shift) >> shift;
}

static void json_element(FILE *out, const struct tn_field *field, const void *element)
{
    size_t size = tn_field_element_size(field);
    switch (field->type) {
    case TN_TYPE_NESTED:
        values_json(out, field->nested, element);
        break;
    case TN_TYPE_STRING:
        json_text(out, element);
        break;
    case TN_TYPE_BOOL:
        fputs(number_bits(element, 1) != 0 ? "true" : "false", out);
        break;
    case TN_TYPE_INT8:
    case TN_TYPE_INT16:
    case TN_TYPE_INT32:
    case TN_TYPE_INT64:
        fprintf(out, "\"%" PRId64 "\"", sign_extended(number_bits(element, size), size));
        break;
    case TN_TYPE_FLOAT32:
    case TN_TYPE_FLOAT64:
        fprintf(out, "\"0x%" PRIx64 "\"", number_bits(element, size));
        break;
    case TN_TYPE_UINT8:
    case TN_TYPE_UINT16:
    case TN_TYPE_UINT32:
    case TN_TYPE_UINT64:
    case TN_TYPE_BYTE:
        fprintf(out, "\"%" PRIu64 "\"", number_bits(element, size));
        break;
    case TN_TYPE_WSTRING:
    default:
        fputs("null", out);
        break;
    }
}

void values_json(FILE *out, const struct tn_type *type, const void *msg)
{
    fputc('{', out);
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const struct tn_field *field = &type->fields[i];
        uint32_t n;
        const char *elements = tn_field_elements(field, (const char *)msg + field->offset, &n);
        bool is_list = field->array != TN_ARRAY_NONE;
        fprintf(out, "%s\"%s\":%s", i > 0 ? "," : "", field->name, is_list ? "[" : "");
        for (uint32_t k = 0; k < n; k++) {
            fputs(k > 0 ? "," : "", out);
            json_element(out, field, elements + k * tn_field_element_size(field));
        }
        fputs(is_list ? "]" : "", out);
    }
    fputc('}', out);
}
