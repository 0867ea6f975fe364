// SPDX-License-Identifier: Apache-2.0
// values of constants and defaults
#include <float.h>
#include <string.h>

#include "base/parse.h"
#include "rosidl/compiler/compiler__internal.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(struct tn_idl__cursor *at)
{
    while (at->position < at->size && is_blank(at->text[at->position])) {
        at->position++;
    }
}

static bool is_at(const struct tn_idl__cursor *at, char c)
{
    return at->position < at->size && at->text[at->position] == c;
}

// writes a code point as UTF-8
static size_t put_utf8(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6) {
        out[i] = (char)(unsigned char)(0x80u | (code & 0x3fu));
    }
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(unsigned char)(lead[n] | code);
    return n;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// \xHH, \uXXXX and \UXXXXXXXX, behind the letter
static enum tn_result read_code(struct tn_idl__cursor *at, size_t n_digits, uint32_t *out_code)
{
    size_t start = at->position;
    uint32_t code = 0;
    for (size_t i = 0; i < n_digits; i++, at->position++) {
        int digit = at->position < at->size ? hex_digit(at->text[at->position]) : -1;
        if (digit < 0) {
            return tn_idl__fail(at, start, TN_ERR_SYNTAX, "expected %zu hexadecimal digits",
                                n_digits);
        }
        code = code << 4 | (uint32_t)digit;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || code == 0) {
        return tn_idl__fail(at, start, TN_ERR_RANGE, "0x%x is not a character", (unsigned)code);
    }
    *out_code = code;
    return TN_OK;
}

// one escape sequence, the cursor behind the backslash
static enum tn_result read_escape(struct tn_idl__cursor *at, uint32_t *out_code)
{
    static const char letters[] = "abfnrtv\\'\"";
    static const char values[] = "\a\b\f\n\r\t\v\\'\"";
    char c = at->position < at->size ? at->text[at->position] : '\0';
    const char *known = c != '\0' ? strchr(letters, c) : NULL;
    if (known != NULL) {
        at->position++;
        *out_code = (uint32_t)values[known - letters];
        return TN_OK;
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        at->position++;
        return read_code(at, c == 'x' ? 2 : c == 'u' ? 4 : 8, out_code);
    }
    return tn_idl__fail(at, at->position, TN_ERR_SYNTAX,
                        "unknown escape, expected one of a b f n r t v \\ ' \" x u U behind '\\'");
}

// a string in quotes, the cursor at the opening one
static enum tn_result read_quoted(struct tn_idl__cursor *at, struct tn_str *out)
{
    size_t start = at->position;
    char quote = at->text[at->position++];
    // an escape never takes fewer bytes than what it stands for
    char *data = tn_arena_alloc(at->arena, at->size - start + 1, 1, 1);
    if (data == NULL) {
        return tn_idl__no_memory(at);
    }
    size_t n = 0;
    while (!is_at(at, quote)) {
        if (at->position >= at->size) {
            return tn_idl__fail(at, start, TN_ERR_SYNTAX, "the string is not closed, expected %c",
                                quote);
        }
        char c = at->text[at->position++];
        if (c != '\\') {
            data[n++] = c;
            continue;
        }
        uint32_t code = 0;
        enum tn_result result = read_escape(at, &code);
        if (result != TN_OK) {
            return result;
        }
        n += put_utf8(code, data + n);
    }
    at->position++;
    *out = (struct tn_str){data, (uint32_t)n};
    return TN_OK;
}

static enum tn_result check_string(const struct tn_idl__cursor *at, size_t start,
                                   const struct tn_idl_type *type, const struct tn_str *text)
{
    if (type->string_capacity != 0 && text->size > type->string_capacity) {
        return tn_idl__fail(at, start, TN_ERR_LIMIT, "the string has %u bytes, its bound is %u",
                            (unsigned)text->size, (unsigned)type->string_capacity);
    }
    return TN_OK;
}

// a bare string or number ends at one of `ends` (inside arrays) or with the line
static size_t bare_size(const struct tn_idl__cursor *at, const char *ends)
{
    size_t end = at->position;
    while (end < at->size && (at->text[end] == '\0' || strchr(ends, at->text[end]) == NULL)) {
        end++;
    }
    while (end > at->position && is_blank(at->text[end - 1])) {
        end--;
    }
    return end - at->position;
}

static enum tn_result read_string(struct tn_idl__cursor *at, const struct tn_idl_type *type,
                                  const char *ends, struct tn_str *out)
{
    size_t start = at->position;
    if (is_at(at, '"') || is_at(at, '\'')) {
        enum tn_result result = read_quoted(at, out);
        return result != TN_OK ? result : check_string(at, start, type, out);
    }
    size_t size = bare_size(at, ends);
    *out = (struct tn_str){tn_arena_strndup(at->arena, at->text + start, size), (uint32_t)size};
    at->position += size;
    return out->data == NULL ? tn_idl__no_memory(at) : check_string(at, start, type, out);
}

struct range {
    int64_t min;
    uint64_t max;
};

static struct range integer_range(enum tn_type_id id)
{
    unsigned bits = (unsigned)tn_idl__primitive_size(id) * 8;
    bool is_signed =
        id == TN_TYPE_INT8 || id == TN_TYPE_INT16 || id == TN_TYPE_INT32 || id == TN_TYPE_INT64;
    uint64_t max = UINT64_MAX >> (64 - bits);
    if (!is_signed) {
        return (struct range){0, max};
    }
    return (struct range){-(int64_t)(max >> 1) - 1, max >> 1};
}

static enum tn_result parse_integer(enum tn_type_id id, const char *text, size_t size,
                                    struct tn_idl_value *out)
{
    struct range range = integer_range(id);
    if (range.min == 0) {
        return tn_parse_u64(text, size, 0, range.max, &out->u);
    }
    return tn_parse_i64(text, size, range.min, (int64_t)range.max, &out->i);
}

static bool is_word(const char *text, size_t size, const char *lower)
{
    if (size != strlen(lower)) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if ((text[i] | 0x20) != lower[i] && text[i] != lower[i]) {
            return false;
        }
    }
    return true;
}

static enum tn_result parse_bool(const char *text, size_t size, struct tn_idl_value *out)
{
    bool is_true = is_word(text, size, "true") || is_word(text, size, "1");
    if (!is_true && !is_word(text, size, "false") && !is_word(text, size, "0")) {
        return TN_ERR_SYNTAX;
    }
    out->u = is_true;
    return TN_OK;
}

static enum tn_result parse_number(enum tn_type_id id, const char *text, size_t size,
                                   struct tn_idl_value *out)
{
    if (id == TN_TYPE_BOOL) {
        return parse_bool(text, size, out);
    }
    if (id == TN_TYPE_FLOAT32 || id == TN_TYPE_FLOAT64) {
        double max = id == TN_TYPE_FLOAT32 ? (double)FLT_MAX : DBL_MAX;
        return tn_parse_f64(text, size, -max, max, &out->f);
    }
    return parse_integer(id, text, size, out);
}

// one value at the cursor; `ends` holds the bytes that end it
static enum tn_result read_value(struct tn_idl__cursor *at, const struct tn_idl_type *type,
                                 const char *ends, struct tn_idl_value *out)
{
    *out = (struct tn_idl_value){.str = {"", 0}};
    if (type->id == TN_TYPE_STRING || type->id == TN_TYPE_WSTRING) {
        return read_string(at, type, ends, &out->str);
    }
    const char *text = at->text + at->position;
    size_t size = bare_size(at, ends);
    enum tn_result result = parse_number(type->id, text, size, out);
    if (result == TN_ERR_RANGE) {
        return tn_idl__fail(at, at->position, TN_ERR_RANGE, "%.*s does not fit into %s",
                            size < 64 ? (int)size : 64, text, type->word);
    }
    if (result != TN_OK) {
        return tn_idl__fail(at, at->position, TN_ERR_SYNTAX, "found '%.*s', expected a %s value",
                            size < 64 ? (int)size : 64, text, type->word);
    }
    at->position += size;
    return TN_OK;
}

static enum tn_result expect_end(struct tn_idl__cursor *at)
{
    skip_blanks(at);
    if (at->position < at->size) {
        return tn_idl__fail(at, at->position, TN_ERR_SYNTAX,
                            "found '%.*s' behind the value, expected the end of the line",
                            at->size - at->position < 32 ? (int)(at->size - at->position) : 32,
                            at->text + at->position);
    }
    return TN_OK;
}

enum tn_result tn_idl__parse_constant(struct tn_idl__cursor *at, struct tn_idl_constant *constant)
{
    skip_blanks(at);
    constant->text = tn_arena_strndup(at->arena, at->text + at->position, at->size - at->position);
    if (constant->text == NULL) {
        return tn_idl__no_memory(at);
    }
    bool is_text = constant->type.id == TN_TYPE_STRING || constant->type.id == TN_TYPE_WSTRING;
    if (at->position >= at->size && !is_text) {
        return tn_idl__fail(at, at->position, TN_ERR_SYNTAX, "expected a %s value behind '='",
                            constant->type.word);
    }
    enum tn_result result = read_value(at, &constant->type, "", &constant->value);
    return result != TN_OK ? result : expect_end(at);
}

static enum tn_result append_value(struct tn_idl__cursor *at, struct tn_idl_field *field,
                                   const char *ends, struct tn_idl_value **io_last)
{
    struct tn_idl_value *value =
        tn_arena_alloc(at->arena, 1, sizeof *value, _Alignof(struct tn_idl_value));
    if (value == NULL) {
        return tn_idl__no_memory(at);
    }
    enum tn_result result = read_value(at, &field->type, ends, value);
    if (result != TN_OK) {
        return result;
    }
    if (*io_last == NULL) {
        field->default_values = value;
    } else {
        (*io_last)->next = value;
    }
    *io_last = value;
    field->n_defaults++;
    return TN_OK;
}

// [a, b, c], the cursor behind the opening bracket
static enum tn_result read_elements(struct tn_idl__cursor *at, struct tn_idl_field *field)
{
    struct tn_idl_value *last = NULL;
    skip_blanks(at);
    if (is_at(at, ']')) {
        at->position++;
        return TN_OK;
    }
    for (;;) {
        skip_blanks(at);
        enum tn_result result = append_value(at, field, ",]", &last);
        if (result != TN_OK) {
            return result;
        }
        skip_blanks(at);
        if (is_at(at, ']')) {
            at->position++;
            return TN_OK;
        }
        if (!is_at(at, ',')) {
            return tn_idl__fail(at, at->position, TN_ERR_SYNTAX,
                                "expected ',' or ']' in the default");
        }
        at->position++;
    }
}

static enum tn_result check_n_defaults(const struct tn_idl__cursor *at, size_t start,
                                       const struct tn_idl_field *field)
{
    uint32_t n = field->n_defaults;
    uint32_t capacity = field->type.capacity;
    if (field->type.array == TN_ARRAY_FIXED && n != capacity) {
        return tn_idl__fail(at, start, TN_ERR_LIMIT, "found %u values, expected %u", (unsigned)n,
                            (unsigned)capacity);
    }
    if (field->type.array == TN_ARRAY_BOUNDED && n > capacity) {
        return tn_idl__fail(at, start, TN_ERR_LIMIT, "found %u values, expected at most %u",
                            (unsigned)n, (unsigned)capacity);
    }
    return TN_OK;
}

enum tn_result tn_idl__parse_default(struct tn_idl__cursor *at, struct tn_idl_field *field)
{
    size_t start = at->position;
    field->default_text = tn_arena_strndup(at->arena, at->text + start, at->size - start);
    if (field->default_text == NULL) {
        return tn_idl__no_memory(at);
    }
    if (field->type.id == TN_TYPE_NESTED) {
        return tn_idl__fail(at, start, TN_ERR_SYNTAX,
                            "found a default for a member of type %.80s, which has its own",
                            field->type.word);
    }
    enum tn_result result;
    if (field->type.array == TN_ARRAY_NONE) {
        struct tn_idl_value *last = NULL;
        result = append_value(at, field, "", &last);
    } else if (is_at(at, '[')) {
        at->position++;
        result = read_elements(at, field);
        result = result != TN_OK ? result : check_n_defaults(at, start, field);
    } else {
        result = tn_idl__fail(at, start, TN_ERR_SYNTAX, "expected '[' at the start of the default");
    }
    return result != TN_OK ? result : expect_end(at);
}
