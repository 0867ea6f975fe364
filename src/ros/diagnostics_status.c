// SPDX-License-Identifier: Apache-2.0
// One status: summary, merging, keys.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ros/ros__diagnostics.h"

// ---- texts ----

/// Bytes of the well-formed character at `p` (Unicode, table 3-7), 0: none.
static size_t character_size(const unsigned char *p)
{
    unsigned char low = 0x80, high = 0xbf;
    size_t size = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (p[0] > 0xf4)
        return 0;
    if (p[0] == 0xe0)
        low = 0xa0;
    else if (p[0] == 0xed)
        high = 0x9f;
    else if (p[0] == 0xf0)
        low = 0x90;
    else if (p[0] == 0xf4)
        high = 0x8f;
    // the NUL at the end is no continuation, so this never reads behind it
    for (size_t i = 1; i < size; i++, low = 0x80, high = 0xbf)
        if (p[i] < low || p[i] > high)
            return 0;
    return size;
}

void tn_diag__make_utf8(char *text)
{
    for (size_t i = 0; text[i] != '\0';) {
        size_t size = character_size((const unsigned char *)&text[i]);
        if (size == 0)
            text[i] = '?';
        i += size == 0 ? 1 : size;
    }
}

/// Takes away a character that was cut at the end.
static void trim_cut(char *text, size_t size)
{
    size_t at = size;
    while (at > 0 && size - at < 3 && ((unsigned char)text[at - 1] & 0xc0) == 0x80)
        at--;
    if (at > 0 && (unsigned char)text[at - 1] >= 0xc0 &&
        character_size((const unsigned char *)&text[at - 1]) == 0)
        text[at - 1] = '\0';
}

void tn_diag__copy(char *out, size_t capacity, const char *text)
{
    size_t size = strlen(text);
    bool is_cut = size >= capacity;
    if (is_cut)
        size = capacity - 1;
    memmove(out, text, size);
    out[size] = '\0';
    if (is_cut)
        trim_cut(out, size);
    tn_diag__make_utf8(out);
}

void tn_diag__format(char *out, size_t capacity, const char *format, va_list args)
{
    int size = vsnprintf(out, capacity, format, args);
    if (size < 0)
        out[0] = '\0';
    else if ((size_t)size >= capacity)
        trim_cut(out, capacity - 1);
    tn_diag__make_utf8(out);
}

// ---- one status ----

void tn_diag__begin(struct tn_diag_status *status, struct tn_diag__pool *pool,
                    const char *hardware_id)
{
    status->pool = pool;
    status->first_value = pool->n_values;
    status->first_text = pool->text_used;
    tn_diag__copy(status->hardware_id, sizeof status->hardware_id, hardware_id);
    tn_diag_summary(status, TN_DIAG_ERROR, "No message was set");
}

void tn_diag__end(const struct tn_diag_status *status,
                  struct diagnostic_msgs_msg_DiagnosticStatus *out)
{
    diagnostic_msgs_msg_DiagnosticStatus_init(out);
    out->level = (uint8_t)status->level;
    out->name = tn_str_from(status->name);
    out->message = tn_str_from(status->message);
    out->hardware_id = tn_str_from(status->hardware_id);
    out->values.data = status->pool->values + status->first_value;
    out->values.size = status->pool->n_values - status->first_value;
}

void tn_diag_summary(struct tn_diag_status *status, enum tn_diag_level level, const char *format,
                     ...)
{
    va_list args;
    va_start(args, format);
    tn_diag__format(status->message, sizeof status->message, format, args);
    va_end(args);
    status->level = level;
}

/// "a", "b" → "a; b", as much as fits.
static void append(struct tn_diag_status *status, const char *text)
{
    size_t used = strlen(status->message);
    size_t room = sizeof status->message - used;
    if (room > 2) {
        memcpy(status->message + used, "; ", 3);
        tn_diag__copy(status->message + used + 2, room - 2, text);
    }
}

void tn_diag_merge(struct tn_diag_status *status, enum tn_diag_level level, const char *format, ...)
{
    char text[TN_DIAG_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    tn_diag__format(text, sizeof text, format, args);
    va_end(args);
    if (level > TN_DIAG_OK && status->level > TN_DIAG_OK) {
        if (status->message[0] != '\0')
            append(status, text);
    } else if (level > status->level) {
        tn_diag__copy(status->message, sizeof status->message, text);
    }
    if (level > status->level)
        status->level = level;
}

void tn_diag_clear_summary(struct tn_diag_status *status)
{
    status->level = TN_DIAG_OK;
    status->message[0] = '\0';
}

enum tn_diag_level tn_diag_level(const struct tn_diag_status *status)
{
    return status->level;
}

const char *tn_diag_message(const struct tn_diag_status *status)
{
    return status->message;
}

void tn_diag_set_hardware_id(struct tn_diag_status *status, const char *text)
{
    tn_diag__copy(status->hardware_id, sizeof status->hardware_id, text);
}

// ---- keys ----

/// Places a text in the pool. @return false: it does not fit whole.
static bool place(struct tn_diag__pool *pool, struct tn_str *out, const char *format, va_list args)
{
    char *at = pool->text + pool->text_used;
    size_t room = pool->text_size - pool->text_used;
    int size = room == 0 ? -1 : vsnprintf(at, room, format, args);
    if (size < 0 || (size_t)size >= room)
        return false;
    tn_diag__make_utf8(at);
    *out = (struct tn_str){.data = at, .size = (uint32_t)size};
    pool->text_used += (size_t)size + 1;
    return true;
}

static bool place_text(struct tn_diag__pool *pool, struct tn_str *out, const char *format, ...)
    TN_PRINTF(3, 4);

static bool place_text(struct tn_diag__pool *pool, struct tn_str *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool is_placed = place(pool, out, format, args);
    va_end(args);
    return is_placed;
}

void tn_diag_add(struct tn_diag_status *status, const char *key, const char *format, ...)
{
    struct tn_diag__pool *pool = status->pool;
    struct diagnostic_msgs_msg_KeyValue value;
    size_t mark = pool->text_used;
    va_list args;
    va_start(args, format);
    bool is_placed = pool->n_values < pool->max_values && place_text(pool, &value.key, "%s", key) &&
                     place(pool, &value.value, format, args);
    va_end(args);
    if (is_placed) {
        pool->values[pool->n_values++] = value;
    } else {
        pool->text_used = mark;
        pool->left_out++;
    }
}

void tn_diag_add_count(struct tn_diag_status *status, const char *key, uint64_t count)
{
    tn_diag_add(status, key, "%" PRIu64, count);
}

void tn_diag_add_bool(struct tn_diag_status *status, const char *key, bool value)
{
    tn_diag_add(status, key, "%s", value ? "True" : "False");
}

void tn_diag_clear_values(struct tn_diag_status *status)
{
    status->pool->n_values = status->first_value;
    status->pool->text_used = status->first_text;
}
