// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "launch/launch__text.h"
#include "launch/plan.h"

enum tn_result tn_launch__text_append(struct tn_launch__text *text, const char *data, size_t size)
{
    if (size > TN_LAUNCH_TEXT_MAX - text->size)
        return TN_ERR_LIMIT;
    if (text->size + size + 1 > text->capacity) {
        size_t capacity = text->capacity < 256 ? 256 : text->capacity;
        while (capacity < text->size + size + 1)
            capacity *= 2;
        char *grown = realloc(text->data, capacity);
        if (grown == NULL)
            return TN_ERR_NO_MEMORY;
        text->data = grown;
        text->capacity = capacity;
    }
    if (size > 0)
        memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
    return TN_OK;
}

enum tn_result tn_launch__text_add(struct tn_launch__text *text, const char *string)
{
    return tn_launch__text_append(text, string, strlen(string));
}

void tn_launch__text_cut(struct tn_launch__text *text, size_t size)
{
    if (size < text->size) {
        text->size = size;
        text->data[size] = '\0';
    }
}

void tn_launch__text_fini(struct tn_launch__text *text)
{
    free(text->data);
    *text = (struct tn_launch__text){0};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Reads one word; `*out` receives its letters.
static enum tn_result read_word(const char **at, char *out, struct tn_error *err)
{
    const char *c = *at;
    char quote = '\0';
    for (; *c != '\0' && (quote != '\0' || !is_blank(*c)); c++) {
        if (quote == '\0' && (*c == '\'' || *c == '"')) {
            quote = *c;
        } else if (*c == quote) {
            quote = '\0';
        } else if (*c == '\\' && quote != '\'') {
            if (c[1] == '\0')
                return tn_error_set(err, TN_ERR_SYNTAX, "nothing follows the backslash at its end");
            // inside "…" a backslash escapes itself and the quote only
            if (quote == '"' && c[1] != '"' && c[1] != '\\')
                *out++ = *c;
            *out++ = *++c;
        } else {
            *out++ = *c;
        }
    }
    if (quote != '\0')
        return tn_error_set(err, TN_ERR_SYNTAX, "a %c has no partner", quote);
    *out = '\0';
    *at = c;
    return TN_OK;
}

enum tn_result tn_launch__split(const char *line, struct tn_arena *arena,
                                struct tn_launch__words *out, struct tn_error *err)
{
    size_t n_max = strlen(line) / 2 + 2;
    const char **items = tn_arena_alloc(arena, n_max, sizeof *items, _Alignof(const char *));
    char *letters = tn_arena_strndup(arena, line, strlen(line));
    if (items == NULL || letters == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "too many words");
    uint32_t n = 0;
    for (const char *at = line;;) {
        while (is_blank(*at))
            at++;
        if (*at == '\0')
            break;
        // a word is never longer than what it was written with
        char *word = letters + (at - line);
        enum tn_result result = read_word(&at, word, err);
        if (result != TN_OK)
            return result;
        items[n++] = word;
    }
    *out = (struct tn_launch__words){items, n};
    return TN_OK;
}
