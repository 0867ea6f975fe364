// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/parse.h"
#include "rosidl/compiler/compiler__internal.h"

struct word {
    const char *text;
    enum tn_type_id id;
};

static const struct word words[] = {
    {"bool", TN_TYPE_BOOL},       {"byte", TN_TYPE_BYTE},       {"char", TN_TYPE_UINT8},
    {"float32", TN_TYPE_FLOAT32}, {"float64", TN_TYPE_FLOAT64}, {"int8", TN_TYPE_INT8},
    {"uint8", TN_TYPE_UINT8},     {"int16", TN_TYPE_INT16},     {"uint16", TN_TYPE_UINT16},
    {"int32", TN_TYPE_INT32},     {"uint32", TN_TYPE_UINT32},   {"int64", TN_TYPE_INT64},
    {"uint64", TN_TYPE_UINT64},   {"string", TN_TYPE_STRING},   {"wstring", TN_TYPE_WSTRING},
};

static bool starts_with(const struct tn_idl__cursor *at, const char *text)
{
    size_t size = strlen(text);
    return at->size - at->position >= size && memcmp(at->text + at->position, text, size) == 0;
}

// reads the decimal number of a bound or array size
static enum tn_result parse_bound(struct tn_idl__cursor *at, const char *what, uint32_t *out_bound)
{
    size_t start = at->position;
    while (at->position < at->size && at->text[at->position] >= '0' &&
           at->text[at->position] <= '9') {
        at->position++;
    }
    size_t size = at->position - start;
    if (size == 0) {
        return tn_idl__fail(at, start, TN_ERR_SYNTAX, "expected the %s, a decimal number", what);
    }
    uint64_t value;
    if (tn_parse_u64(at->text + start, size, 1, INT32_MAX, &value) != TN_OK) {
        return tn_idl__fail(at, start, TN_ERR_RANGE, "%s is %.*s, expected 1 to %d", what,
                            size < 32 ? (int)size : 32, at->text + start, INT32_MAX);
    }
    *out_bound = (uint32_t)value;
    return TN_OK;
}

// [N], [<=N], [] or nothing
static enum tn_result parse_array(struct tn_idl__cursor *at, struct tn_idl_type *type)
{
    if (!starts_with(at, "[")) {
        return TN_OK;
    }
    at->position++;
    type->array = TN_ARRAY_UNBOUNDED;
    if (!starts_with(at, "]")) {
        type->array = TN_ARRAY_FIXED;
        const char *what = "array size";
        if (starts_with(at, "<=")) {
            at->position += 2;
            type->array = TN_ARRAY_BOUNDED;
            what = "bound of the sequence";
        }
        enum tn_result result = parse_bound(at, what, &type->capacity);
        if (result != TN_OK) {
            return result;
        }
    }
    if (!starts_with(at, "]")) {
        return tn_idl__fail(at, at->position, TN_ERR_SYNTAX,
                            "expected ']' at the end of the array size");
    }
    at->position++;
    return TN_OK;
}

// takes the package and type out of Type, pkg/Type or pkg/msg/Type; false: neither
static bool split_name(const char *word, const char *package, const char **out_package,
                       size_t *out_package_size, const char **out_name)
{
    const char *slash = strchr(word, '/');
    *out_package = package;
    *out_package_size = strlen(package);
    *out_name = word;
    if (slash != NULL) {
        *out_package = word;
        *out_package_size = (size_t)(slash - word);
        *out_name = strncmp(slash, "/msg/", 5) == 0 ? slash + 5 : slash + 1;
    }
    return tn_idl__is_name(TN_IDL__PACKAGE, *out_package, *out_package_size) &&
           tn_idl__is_name(TN_IDL__TYPE, *out_name, strlen(*out_name));
}

static enum tn_result parse_nested(const struct tn_idl__cursor *at, size_t start,
                                   const char *package, struct tn_idl_type *type)
{
    const char *owner;
    const char *name;
    size_t owner_size;
    if (!split_name(type->word, package, &owner, &owner_size, &name)) {
        return tn_idl__fail(at, start, TN_ERR_SYNTAX,
                            "found type '%.80s', expected a primitive type, Type or package/Type",
                            type->word);
    }
    size_t size = owner_size + 5 + strlen(name);
    char *full = tn_arena_alloc(at->arena, size + 1, 1, 1);
    if (full == NULL) {
        return tn_idl__no_memory(at);
    }
    snprintf(full, size + 1, "%.*s/msg/%s", (int)owner_size, owner, name);
    type->id = TN_TYPE_NESTED;
    type->nested_name = full;
    return TN_OK;
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '/';
}

// the base type without bounds
static enum tn_result parse_word(struct tn_idl__cursor *at, const char *package,
                                 struct tn_idl_type *type)
{
    size_t start = at->position;
    while (at->position < at->size && is_word_byte(at->text[at->position])) {
        at->position++;
    }
    if (at->position == start) {
        return tn_idl__fail(at, start, TN_ERR_SYNTAX, "found '%c', expected a type",
                            at->text[start] >= ' ' && at->text[start] <= '~' ? at->text[start]
                                                                             : '?');
    }
    type->word = tn_arena_strndup(at->arena, at->text + start, at->position - start);
    if (type->word == NULL) {
        return tn_idl__no_memory(at);
    }
    for (size_t i = 0; i < TN_ARRAY_SIZE(words); i++) {
        if (strcmp(type->word, words[i].text) == 0) {
            type->id = words[i].id;
            return TN_OK;
        }
    }
    return parse_nested(at, start, package, type);
}

enum tn_result tn_idl__parse_type(struct tn_idl__cursor *at, const char *package,
                                  struct tn_idl_type *out_type)
{
    *out_type = (struct tn_idl_type){.nested_name = ""};
    enum tn_result result = parse_word(at, package, out_type);
    if (result != TN_OK) {
        return result;
    }
    if (starts_with(at, "<=")) {
        if (out_type->id != TN_TYPE_STRING && out_type->id != TN_TYPE_WSTRING) {
            return tn_idl__fail(at, at->position, TN_ERR_SYNTAX,
                                "found '<=' behind '%.80s', expected it behind string or wstring",
                                out_type->word);
        }
        at->position += 2;
        result = parse_bound(at, "bound of the string", &out_type->string_capacity);
        if (result != TN_OK) {
            return result;
        }
    }
    return parse_array(at, out_type);
}
