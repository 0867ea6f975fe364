// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *tn_result_name(enum tn_result code)
{
    switch (code) {
#define TN_RESULT_NAME(name, value, text)                                                          \
    case name:                                                                                     \
        return #name;
        TN_RESULT_LIST(TN_RESULT_NAME)
#undef TN_RESULT_NAME
    }
    return "TN_ERR_?";
}

const char *tn_result_text(enum tn_result code)
{
    switch (code) {
#define TN_RESULT_TEXT(name, value, text)                                                          \
    case name:                                                                                     \
        return text;
        TN_RESULT_LIST(TN_RESULT_TEXT)
#undef TN_RESULT_TEXT
    }
    return "unknown result code";
}

// the end of a path names the file, so that is what a long one keeps
static void copy_tail(char *destination, size_t capacity, const char *text)
{
    const size_t length = strlen(text);
    const size_t kept = length < capacity ? length : capacity - 1;
    memmove(destination, text + (length - kept), kept);
    destination[kept] = '\0';
}

static void fill(struct tn_error *err, enum tn_result code, const char *format, va_list args)
{
    // formatted aside first: an argument may point into the record itself
    char text[TN_ERROR_TEXT_MAX];
    const int n = vsnprintf(text, sizeof text, format, args);
    if (n < 0)
        text[0] = '\0';
    memcpy(err->text, text, sizeof text);
    err->code = code;
    err->line = 0;
    err->column = 0;
    err->offset = -1;
}

enum tn_result tn_error_set(struct tn_error *err, enum tn_result code, const char *format, ...)
{
    if (err == NULL)
        return code;
    va_list args;
    va_start(args, format);
    fill(err, code, format, args);
    va_end(args);
    err->file[0] = '\0';
    return code;
}

enum tn_result tn_error_at(struct tn_error *err, enum tn_result code, const char *file,
                           int32_t line, int32_t column, const char *format, ...)
{
    if (err == NULL)
        return code;
    va_list args;
    va_start(args, format);
    fill(err, code, format, args);
    va_end(args);
    copy_tail(err->file, sizeof err->file, file != NULL ? file : "");
    err->line = line;
    err->column = column;
    return code;
}

enum tn_result tn_error_at_offset(struct tn_error *err, enum tn_result code, const char *file,
                                  int64_t offset, const char *format, ...)
{
    if (err == NULL)
        return code;
    va_list args;
    va_start(args, format);
    fill(err, code, format, args);
    va_end(args);
    copy_tail(err->file, sizeof err->file, file != NULL ? file : "");
    err->offset = offset;
    return code;
}

const char *tn_error_format(const struct tn_error *err, char *buffer, uint32_t size)
{
    if (size == 0)
        return buffer;
    char place[TN_ERROR_FILE_MAX + 64] = "";
    int n = 0;
    if (err->line > 0 && err->column > 0)
        n = snprintf(place, sizeof place, "%s:%" PRId32 ":%" PRId32, err->file, err->line,
                     err->column);
    else if (err->line > 0)
        n = snprintf(place, sizeof place, "%s:%" PRId32, err->file, err->line);
    else if (err->offset > 0 || (err->offset == 0 && err->file[0] != '\0'))
        n = snprintf(place, sizeof place, "%s%sbyte %" PRId64, err->file,
                     err->file[0] != '\0' ? ": " : "", err->offset);
    else
        n = snprintf(place, sizeof place, "%s", err->file);
    const char *text = err->text[0] != '\0' ? err->text : tn_result_text(err->code);
    n = snprintf(buffer, size, "%s%s%s", place, n > 0 ? ": " : "", text);
    if (n < 0)
        buffer[0] = '\0';
    return buffer;
}
