// SPDX-License-Identifier: Apache-2.0
#include "rosidl/yaml/yaml__value.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"

bool tn_yaml__is_dummy(const struct tn_field *field)
{
    return strcmp(field->name, "structure_needs_at_least_one_member") == 0;
}

// ---- numbers ----

// digits without point and the exponent of the first one: the fewest that read back the same
static int shortest_digits(double value, char digits[24])
{
    char text[40];
    int exponent = 0;
    // up to 15 digits always read back the same, but for numbers that have fewer bits
    for (int precision = value < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
        double back = 0;
        int n = snprintf(text, sizeof text, "%.*e", precision - 1, value);
        if (precision == 17 || (tn_parse_f64(text, (size_t)n, -DBL_MAX, DBL_MAX, &back) == TN_OK &&
                                memcmp(&back, &value, sizeof back) == 0)) {
            break;
        }
    }
    // d.ddde±xx
    size_t used = 0;
    const char *at = text;
    for (; *at != 'e'; at++) {
        if (*at != '.') {
            digits[used++] = *at;
        }
    }
    int64_t parsed = 0;
    at += at[1] == '+' ? 2 : 1;
    if (tn_parse_i64(at, strlen(at), -400, 400, &parsed) == TN_OK) {
        exponent = (int)parsed;
    }
    while (used > 1 && digits[used - 1] == '0') {
        used--;
    }
    digits[used] = '\0';
    return exponent;
}

size_t tn_yaml_format_f64(double value, char *out, size_t capacity)
{
    char digits[24];
    const char *sign = signbit(value) ? "-" : "";
    int n = 0;
    if (isnan(value)) {
        n = snprintf(out, capacity, "nan");
    } else if (isinf(value)) {
        n = snprintf(out, capacity, "%sinf", sign);
    } else {
        int exponent = shortest_digits(fabs(value), digits);
        int count = (int)strlen(digits);
        if (exponent < -4 || exponent >= 16) {
            n = snprintf(out, capacity, "%s%c%s%se%c%02d", sign, digits[0], count > 1 ? "." : "",
                         digits + 1, exponent < 0 ? '-' : '+', abs(exponent));
        } else if (exponent < 0) {
            n = snprintf(out, capacity, "%s0.%.*s%s", sign, -exponent - 1, "0000", digits);
        } else if (count <= exponent + 1) {
            n = snprintf(out, capacity, "%s%s%.*s.0", sign, digits, exponent + 1 - count,
                         "0000000000000000");
        } else {
            n = snprintf(out, capacity, "%s%.*s.%s", sign, exponent + 1, digits,
                         digits + exponent + 1);
        }
    }
    return n < 0 ? 0 : (size_t)n;
}

// PyYAML: "1e+20" would be read as a string and becomes "1.0e+20"; infinities have a dot
static size_t format_float(double value, bool is_python, char out[TN_YAML__NUMBER_MAX])
{
    char text[TN_YAML__NUMBER_MAX];
    size_t size = tn_yaml_format_f64(value, text, sizeof text);
    const char *e = strchr(text, 'e');
    int n = 0;
    if (is_python) {
        n = snprintf(out, TN_YAML__NUMBER_MAX, "%s", text);
    } else if (isnan(value)) {
        n = snprintf(out, TN_YAML__NUMBER_MAX, ".nan");
    } else if (isinf(value)) {
        n = snprintf(out, TN_YAML__NUMBER_MAX, "%s.inf", value < 0 ? "-" : "");
    } else if (e != NULL && strchr(text, '.') == NULL) {
        n = snprintf(out, TN_YAML__NUMBER_MAX, "%.*s.0%s", (int)(e - text), text, e);
    } else {
        n = snprintf(out, TN_YAML__NUMBER_MAX, "%.*s", (int)size, text);
    }
    return n < 0 ? 0 : (size_t)n;
}

static uint64_t read_unsigned(const struct tn_field *field, const void *element)
{
    uint8_t u8 = 0;
    uint16_t u16 = 0;
    uint32_t u32 = 0;
    uint64_t u64 = 0;
    switch (tn_field_element_size(field)) {
    case 1:
        memcpy(&u8, element, sizeof u8);
        return u8;
    case 2:
        memcpy(&u16, element, sizeof u16);
        return u16;
    case 4:
        memcpy(&u32, element, sizeof u32);
        return u32;
    default:
        memcpy(&u64, element, sizeof u64);
        return u64;
    }
}

static int64_t read_signed(const struct tn_field *field, const void *element)
{
    // two's complement: the highest bit of the element counts negative
    uint64_t sign = UINT64_C(1) << (8 * tn_field_element_size(field) - 1);
    uint64_t bits = (read_unsigned(field, element) ^ sign) - sign;
    int64_t value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

size_t tn_yaml__number(const struct tn_field *field, const void *element, bool is_python,
                       char out[TN_YAML__NUMBER_MAX])
{
    float f32 = 0;
    double f64 = 0;
    int n = 0;
    switch (field->type) {
    case TN_TYPE_FLOAT32:
        memcpy(&f32, element, sizeof f32);
        return format_float((double)f32, is_python, out);
    case TN_TYPE_FLOAT64:
        memcpy(&f64, element, sizeof f64);
        return format_float(f64, is_python, out);
    case TN_TYPE_BOOL: {
        bool is_true = *(const uint8_t *)element != 0;
        const char *yaml = is_true ? "true" : "false", *python = is_true ? "True" : "False";
        n = snprintf(out, TN_YAML__NUMBER_MAX, "%s", is_python ? python : yaml);
        break;
    }
    case TN_TYPE_INT8:
    case TN_TYPE_INT16:
    case TN_TYPE_INT32:
    case TN_TYPE_INT64:
        n = snprintf(out, TN_YAML__NUMBER_MAX, "%" PRId64, read_signed(field, element));
        break;
    case TN_TYPE_UINT8:
    case TN_TYPE_UINT16:
    case TN_TYPE_UINT32:
    case TN_TYPE_UINT64:
    case TN_TYPE_BYTE:
    case TN_TYPE_NESTED:
    case TN_TYPE_STRING:
    case TN_TYPE_WSTRING:
    default:
        n = snprintf(out, TN_YAML__NUMBER_MAX, "%" PRIu64, read_unsigned(field, element));
        break;
    }
    return n < 0 ? 0 : (size_t)n;
}

// ---- text ----

bool tn_yaml__is_text(const struct tn_field *field)
{
    return field->type == TN_TYPE_STRING || field->type == TN_TYPE_WSTRING ||
           field->type == TN_TYPE_BYTE;
}

static size_t put_utf8(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | (code >> 6));
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | (code >> 12));
        out[1] = (char)(0x80 | ((code >> 6) & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | (code >> 18));
    out[1] = (char)(0x80 | ((code >> 12) & 0x3f));
    out[2] = (char)(0x80 | ((code >> 6) & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

// bytes of one well-formed character (RFC 3629), 0: malformed
static size_t utf8_length(const char *text, size_t size)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *b = (const uint8_t *)text;
    if (b[0] < 0x80) {
        return 1;
    }
    size_t n = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
    if (b[0] < 0xc2 || b[0] > 0xf4 || size < n) {
        return 0;
    }
    uint32_t code = b[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((b[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (b[i] & 0x3f);
    }
    bool is_surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[n] || code > 0x10ffff || is_surrogate ? 0 : n;
}

static enum tn_result text_of_string(struct tn_str text, struct tn_yaml__text *out)
{
    size_t at = 0, length = 0;
    while (at < text.size && (length = utf8_length(text.data + at, text.size - at)) > 0) {
        at += length;
        out->n_chars++;
    }
    out->data = text.size == 0 ? "" : text.data;
    out->size = text.size;
    if (at == text.size) {
        return TN_OK;
    }
    // each bad byte becomes a replacement character of 3 bytes
    out->owned = malloc((size_t)text.size * 3);
    if (out->owned == NULL) {
        return TN_ERR_NO_MEMORY;
    }
    out->n_chars = 0;
    out->size = 0;
    for (at = 0; at < text.size; at += length, out->n_chars++) {
        length = utf8_length(text.data + at, text.size - at);
        if (length == 0) {
            out->size += put_utf8(0xfffd, out->owned + out->size);
            length = 1;
        } else {
            memcpy(out->owned + out->size, text.data + at, length);
            out->size += length;
        }
    }
    out->data = out->owned;
    return TN_OK;
}

static enum tn_result text_of_wstring(struct tn_wstr text, struct tn_yaml__text *out)
{
    out->owned = malloc((size_t)text.size * 3 + 1);
    if (out->owned == NULL) {
        return TN_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < text.size; i++, out->n_chars++) {
        uint32_t code = text.data[i];
        bool is_high = code >= 0xd800 && code < 0xdc00, is_low = code >= 0xdc00 && code < 0xe000;
        uint32_t next = i + 1 < text.size ? text.data[i + 1] : 0;
        if (is_high && next >= 0xdc00 && next < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
            i++;
        } else if (is_high || is_low) {
            code = 0xfffd;
        }
        out->size += put_utf8(code, out->owned + out->size);
    }
    out->data = out->owned;
    return TN_OK;
}

enum tn_result tn_yaml__text_of(const struct tn_field *field, const void *element,
                                struct tn_yaml__text *out)
{
    *out = (struct tn_yaml__text){0};
    if (field->type == TN_TYPE_STRING) {
        return text_of_string(*(const struct tn_str *)element, out);
    }
    if (field->type == TN_TYPE_WSTRING) {
        return text_of_wstring(*(const struct tn_wstr *)element, out);
    }
    uint16_t unit = *(const uint8_t *)element;
    return text_of_wstring((struct tn_wstr){&unit, 1}, out);
}

size_t tn_yaml__prefix(const struct tn_yaml__text *text, uint32_t n_chars)
{
    size_t at = 0;
    for (uint32_t i = 0; i < n_chars && at < text->size; i++) {
        at += utf8_length(text->data + at, text->size - at);
    }
    return at;
}

// ---- hidden arrays ----

static const char *element_name(const struct tn_field *field)
{
    switch (field->type) {
    case TN_TYPE_NESTED:
        return field->nested->ros_name;
    case TN_TYPE_INT8:
        return "int8";
    case TN_TYPE_UINT8:
        return "uint8";
    case TN_TYPE_INT16:
        return "int16";
    case TN_TYPE_UINT16:
        return "uint16";
    case TN_TYPE_INT32:
        return "int32";
    case TN_TYPE_UINT32:
        return "uint32";
    case TN_TYPE_INT64:
        return "int64";
    case TN_TYPE_UINT64:
        return "uint64";
    case TN_TYPE_FLOAT32:
        return "float";
    case TN_TYPE_FLOAT64:
        return "double";
    case TN_TYPE_BOOL:
        return "boolean";
    case TN_TYPE_BYTE:
        return "octet";
    case TN_TYPE_WSTRING:
        return "wstring";
    case TN_TYPE_STRING:
    default:
        return "string";
    }
}

size_t tn_yaml__array_info(const struct tn_field *field, uint32_t n, char *out, size_t capacity)
{
    const char *name = element_name(field);
    int size = 0;
    if (field->array == TN_ARRAY_FIXED) {
        size = snprintf(out, capacity, "<array type: %s[%u]>", name, n);
    } else if (field->array == TN_ARRAY_BOUNDED) {
        size = snprintf(out, capacity, "<sequence type: %s[%u], length: %u>", name, field->capacity,
                        n);
    } else {
        size = snprintf(out, capacity, "<sequence type: %s, length: %u>", name, n);
    }
    return size < 0 ? 0 : (size_t)size;
}
