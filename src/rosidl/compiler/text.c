// SPDX-License-Identifier: Apache-2.0
// pieces of C and of interface text that several emitters write
#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "rosidl/compiler/compiler__internal.h"

void tn_idl__emit_name(FILE *out, const struct tn_idl_struct *type)
{
    fprintf(out, "%s_%s_%s", type->package, type->kind, type->name);
}

void tn_idl__emit_string(FILE *out, const char *text, size_t size)
{
    fputc('"', out);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n') {
            fputs("\\n", out);
        } else if (c == '"' || c == '\\' || c == '?') {
            fprintf(out, "\\%c", c); // the last one against trigraphs
        } else if (c >= ' ' && c < 0x7f) {
            fputc(c, out);
        } else {
            fprintf(out, "\\%03o", c);
        }
    }
    fputc('"', out);
}

static void emit_float(FILE *out, double value, int digits, const char *suffix)
{
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, value);
    const char *point = strpbrk(text, ".e") == NULL ? ".0" : "";
    fprintf(out, "%s%s%s", text, point, suffix);
}

static void emit_signed(FILE *out, enum tn_type_id id, int64_t value)
{
    if (id != TN_TYPE_INT64) {
        // INT32_MIN has no literal of its own type
        fprintf(out, value == INT32_MIN ? "(-2147483647 - 1)" : "%" PRId64, value);
    } else if (value == INT64_MIN) {
        fputs("(-INT64_C(9223372036854775807) - 1)", out);
    } else {
        fprintf(out, "INT64_C(%" PRId64 ")", value);
    }
}

void tn_idl__emit_value(FILE *out, enum tn_type_id id, const struct tn_idl_value *value)
{
    switch (id) {
    case TN_TYPE_BOOL:
        fputs(value->u != 0 ? "true" : "false", out);
        break;
    case TN_TYPE_INT8:
    case TN_TYPE_INT16:
    case TN_TYPE_INT32:
    case TN_TYPE_INT64:
        emit_signed(out, id, value->i);
        break;
    case TN_TYPE_UINT32:
        fprintf(out, "UINT32_C(%" PRIu64 ")", value->u);
        break;
    case TN_TYPE_UINT64:
        fprintf(out, "UINT64_C(%" PRIu64 ")", value->u);
        break;
    case TN_TYPE_FLOAT32:
        emit_float(out, value->f, FLT_DECIMAL_DIG, "f");
        break;
    case TN_TYPE_FLOAT64:
        emit_float(out, value->f, DBL_DECIMAL_DIG, "");
        break;
    case TN_TYPE_STRING:
    case TN_TYPE_WSTRING:
        tn_idl__emit_string(out, value->str.data, value->str.size);
        break;
    case TN_TYPE_BYTE:
    case TN_TYPE_UINT8:
    case TN_TYPE_UINT16:
    case TN_TYPE_NESTED:
    default:
        fprintf(out, "%" PRIu64, value->u);
        break;
    }
}

struct primitive {
    const char *c_type;
    const char *suffix;
};

static struct primitive primitive_of(enum tn_type_id id)
{
    static const struct primitive table[] = {
        [TN_TYPE_INT8] = {"int8_t", "i8"},           [TN_TYPE_UINT8] = {"uint8_t", "u8"},
        [TN_TYPE_INT16] = {"int16_t", "i16"},        [TN_TYPE_UINT16] = {"uint16_t", "u16"},
        [TN_TYPE_INT32] = {"int32_t", "i32"},        [TN_TYPE_UINT32] = {"uint32_t", "u32"},
        [TN_TYPE_INT64] = {"int64_t", "i64"},        [TN_TYPE_UINT64] = {"uint64_t", "u64"},
        [TN_TYPE_FLOAT32] = {"float", "f32"},        [TN_TYPE_FLOAT64] = {"double", "f64"},
        [TN_TYPE_BOOL] = {"bool", "bool"},           [TN_TYPE_BYTE] = {"uint8_t", "u8"},
        [TN_TYPE_STRING] = {"struct tn_str", "str"}, [TN_TYPE_WSTRING] = {"struct tn_wstr", "wstr"},
    };
    return table[id];
}

const char *tn_idl__c_type(enum tn_type_id id)
{
    return primitive_of(id).c_type;
}

const char *tn_idl__suffix(enum tn_type_id id)
{
    return primitive_of(id).suffix;
}

static void emit_text_type(FILE *out, const struct tn_idl_type *type)
{
    const char *slash = strstr(type->nested_name, "/msg/");
    if (slash != NULL) {
        fprintf(out, "%.*s%s", (int)(slash - type->nested_name), type->nested_name, slash + 4);
    } else {
        fputs(type->id == TN_TYPE_NESTED ? type->nested_name : type->word, out);
    }
    if (type->string_capacity != 0) {
        fprintf(out, "<=%u", (unsigned)type->string_capacity);
    }
    if (type->array == TN_ARRAY_FIXED) {
        fprintf(out, "[%u]", (unsigned)type->capacity);
    } else if (type->array == TN_ARRAY_BOUNDED) {
        fprintf(out, "[<=%u]", (unsigned)type->capacity);
    } else if (type->array == TN_ARRAY_UNBOUNDED) {
        fputs("[]", out);
    }
}

void tn_idl__emit_text(FILE *out, const struct tn_idl_struct *type)
{
    for (const struct tn_idl_constant *c = type->constants; c != NULL; c = c->next) {
        emit_text_type(out, &c->type);
        fprintf(out, " %s=%s\n", c->name, c->text);
    }
    for (const struct tn_idl_field *f = type->fields; f != NULL && !type->is_empty; f = f->next) {
        emit_text_type(out, &f->type);
        fprintf(out, f->default_text[0] != '\0' ? " %s %s\n" : " %s%s\n", f->name, f->default_text);
    }
}

// one code point; malformed bytes give U+FFFD one by one
static uint32_t next_code(const unsigned char *text, size_t size, size_t *io_at)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = text[(*io_at)++];
    if (lead < 0x80) {
        return lead;
    }
    size_t n = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
    if (n == 0 || lead >= 0xf8 || size - *io_at < n - 1) {
        return 0xfffd;
    }
    uint32_t code = lead & (0x7fu >> n);
    for (size_t i = 0; i < n - 1; i++) {
        if ((text[*io_at + i] & 0xc0) != 0x80) {
            return 0xfffd;
        }
        code = code << 6 | (text[*io_at + i] & 0x3fu);
    }
    if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
        return 0xfffd;
    }
    *io_at += n - 1;
    return code;
}

uint32_t tn_idl__utf16(const char *text, size_t size, uint16_t *out_units)
{
    uint32_t n = 0;
    for (size_t at = 0; at < size;) {
        uint32_t code = next_code((const unsigned char *)text, size, &at);
        if (code >= 0x10000) {
            out_units[n++] = (uint16_t)(0xd800 + ((code - 0x10000) >> 10));
            code = 0xdc00 + ((code - 0x10000) & 0x3ff);
        }
        out_units[n++] = (uint16_t)code;
    }
    return n;
}
