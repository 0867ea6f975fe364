// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "devices/oracle/oracle__internal.h"

struct writer {
    char *buffer;
    size_t size, capacity;
    bool is_full;
};

static void put(struct writer *writer, const char *format, ...) TN_PRINTF(2, 3);

static void put(struct writer *writer, const char *format, ...)
{
    if (writer->is_full)
        return;
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(writer->buffer + writer->size, writer->capacity - writer->size, format,
                      arguments);
    va_end(arguments);
    writer->is_full = n < 0 || (size_t)n >= writer->capacity - writer->size;
    if (!writer->is_full)
        writer->size += (size_t)n;
}

const char *tn_oracle__event_name(enum tn_oracle_event event)
{
#define TN_ORACLE_EVENT_NAME(name, text) text,
    static const char *const names[] = {TN_ORACLE_EVENT_LIST(TN_ORACLE_EVENT_NAME)};
#undef TN_ORACLE_EVENT_NAME
    return names[event];
}

// in ms, exact: no float stands between the logs and the reader
static void put_age(struct writer *writer, const char *key, bool has_age, int64_t age_ns)
{
    if (has_age)
        put(writer, ", \"%s\": %" PRId64 ".%06" PRId64, key, age_ns / TN_NS_PER_MS,
            age_ns % TN_NS_PER_MS);
    else
        put(writer, ", \"%s\": null", key);
}

static void put_side(struct writer *writer, enum tn_side side,
                     const struct tn_oracle_side_verdict *verdict)
{
    put(writer,
        ", \"%s\": {\"sent\": %" PRIu64 ", \"executed\": %" PRIu64 ", \"stale\": %" PRIu64
        ", \"repeated\": %" PRIu64 ", \"unmatched\": %" PRIu64,
        tn_side_name(side), verdict->sent, verdict->executed, verdict->stale, verdict->repeated,
        verdict->unmatched);
    put_age(writer, "max_age_ms", verdict->has_ages, verdict->max_age_ns);
    put_age(writer, "age_p50_ms", verdict->has_ages, verdict->p50_age_ns);
    put_age(writer, "age_p99_ms", verdict->has_ages, verdict->p99_age_ns);
    put(writer, ", \"events\": {");
    for (enum tn_oracle_event event = 0; event < TN_ORACLE_EVENTS; event++)
        put(writer, "%s\"%s\": %" PRIu64, event == 0 ? "" : ", ", tn_oracle__event_name(event),
            verdict->events[event]);
    put(writer, "}}");
}

enum tn_result tn_oracle_verdict_json(const struct tn_oracle_verdict *verdict, char *buffer,
                                      size_t capacity)
{
    struct writer writer = {.buffer = buffer, .capacity = capacity};
    const struct tn_oracle_side_verdict *left = &verdict->sides[0], *right = &verdict->sides[1];
    put(&writer,
        "{\"is_clean\": %s, \"executed\": %" PRIu64 ", \"stale\": %" PRIu64
        ", \"repeated\": %" PRIu64 ", \"unmatched\": %" PRIu64,
        verdict->is_clean ? "true" : "false", left->executed + right->executed,
        left->stale + right->stale, left->repeated + right->repeated,
        left->unmatched + right->unmatched);
    put_side(&writer, TN_SIDE_LEFT, left);
    put_side(&writer, TN_SIDE_RIGHT, right);
    put(&writer, "}");
    if (!writer.is_full)
        return TN_OK;
    if (capacity > 0)
        buffer[0] = '\0';
    return TN_ERR_LIMIT;
}
