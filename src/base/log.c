// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

// the process's one sink; the level and the counter are touched by any thread
static struct {
    _Atomic int level; // 0: not set, TN_LOG_INFO holds
    atomic_bool is_console_off;
    _Atomic uint64_t dropped;
    tn_log_fn receiver;
    void *receiver_context;
} log_sink;

// one line stays one line and cannot steer a terminal: control characters become '?'
static void disarm(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p != '\0'; p++) {
        const bool is_c0 = (*p < 0x20 && *p != '\t') || *p == 0x7f;
        const bool is_c1 = p[0] == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f;
        if (is_c0)
            *p = '?';
        if (is_c1) {
            p[0] = '?';
            p[1] = '?';
        }
    }
}

// ends a text that was cut with an ellipsis, at a character boundary
static void mark_cut(char *text, size_t capacity)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    size_t end = capacity - sizeof ellipsis;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    memcpy(text + end, ellipsis, sizeof ellipsis);
}

void tn_logger_init(struct tn_logger *logger, const char *name)
{
    *logger = (struct tn_logger){.level = TN_LOG_UNSET};
    const size_t length = strlen(name);
    const size_t kept = length < sizeof logger->name ? length : sizeof logger->name - 1;
    memcpy(logger->name, name, kept);
    disarm(logger->name);
}

void tn_log_set_level(enum tn_log_level level)
{
    atomic_store_explicit(&log_sink.level, (int)level, memory_order_relaxed);
}

void tn_log_set_console(bool is_on)
{
    atomic_store_explicit(&log_sink.is_console_off, !is_on, memory_order_relaxed);
}

static const struct {
    enum tn_log_level level;
    char name[6], lower[6];
} level_table[] = {
    {TN_LOG_UNSET, "UNSET", "unset"}, {TN_LOG_DEBUG, "DEBUG", "debug"},
    {TN_LOG_INFO, "INFO", "info"},    {TN_LOG_WARN, "WARN", "warn"},
    {TN_LOG_ERROR, "ERROR", "error"}, {TN_LOG_FATAL, "FATAL", "fatal"},
};

static bool equals_lower(const char *text, const char *lower)
{
    for (; *text != '\0' && *lower != '\0'; text++, lower++) {
        const char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        if (c != *lower)
            return false;
    }
    return *text == *lower;
}

bool tn_log_level_parse(const char *text, enum tn_log_level *out_level)
{
    for (size_t i = 0; i < TN_ARRAY_SIZE(level_table); i++) {
        if (equals_lower(text, level_table[i].lower)) {
            *out_level = level_table[i].level;
            return true;
        }
    }
    return false;
}

const char *tn_log_level_name(enum tn_log_level level)
{
    for (size_t i = 0; i < TN_ARRAY_SIZE(level_table); i++)
        if (level_table[i].level == level)
            return level_table[i].name;
    return "?";
}

void tn_log_set_receiver(tn_log_fn receiver, void *context)
{
    log_sink.receiver = receiver;
    log_sink.receiver_context = context;
}

bool tn_log_is_enabled(const struct tn_logger *logger, enum tn_log_level level)
{
    int least = (int)logger->level;
    if (least == TN_LOG_UNSET)
        least = atomic_load_explicit(&log_sink.level, memory_order_relaxed);
    if (least == TN_LOG_UNSET)
        least = TN_LOG_INFO;
    return (int)level >= least;
}

// a console that cannot take the line now loses it; waiting would stop the robot's control path
static void write_console(const char *line, size_t size)
{
    struct pollfd console = {.fd = STDERR_FILENO, .events = POLLOUT};
    const bool is_ready = poll(&console, 1, 0) == 1 && (console.revents & POLLOUT) != 0;
    if (!is_ready || write(STDERR_FILENO, line, size) != (ssize_t)size)
        atomic_fetch_add_explicit(&log_sink.dropped, 1, memory_order_relaxed);
}

static void print_record(const struct tn_log_record *record)
{
    char line[TN_LOG_LINE_MAX + TN_LOG_NAME_MAX + 64];
    const int n = snprintf(line, sizeof line, "[%s] [%" PRId64 ".%09" PRId64 "] [%s]: %s\n",
                           tn_log_level_name(record->level), record->wall_ns / TN_NS_PER_S,
                           record->wall_ns % TN_NS_PER_S, record->name, record->text);
    if (n > 0)
        write_console(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void tn_log_write(const struct tn_logger *logger, enum tn_log_level level, const char *file,
                  uint32_t line, const char *function, const char *format, ...)
{
    char text[TN_LOG_LINE_MAX];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n < 0)
        return;
    if ((size_t)n >= sizeof text)
        mark_cut(text, sizeof text);
    disarm(text);
    const struct tn_log_record record = {.level = level,
                                         .wall_ns = tn_clock_wall_now_ns(),
                                         .name = logger->name,
                                         .text = text,
                                         .file = file,
                                         .function = function,
                                         .line = line};
    if (!atomic_load_explicit(&log_sink.is_console_off, memory_order_relaxed))
        print_record(&record);
    if (log_sink.receiver != NULL)
        log_sink.receiver(log_sink.receiver_context, &record);
}

uint64_t tn_log_dropped(void)
{
    return atomic_load_explicit(&log_sink.dropped, memory_order_relaxed);
}

bool tn_log_throttle_pass(struct tn_log_throttle *throttle, int64_t now_steady_ns,
                          int64_t period_ns, uint32_t *out_suppressed)
{
    // next 0 is the untouched record: its first report passes at any time
    if (throttle->next_steady_ns != 0 && now_steady_ns < throttle->next_steady_ns) {
        throttle->suppressed += throttle->suppressed < UINT32_MAX ? 1 : 0;
        return false;
    }
    if (out_suppressed != NULL)
        *out_suppressed = throttle->suppressed;
    throttle->suppressed = 0;
    throttle->next_steady_ns = tn_ns_add(now_steady_ns, period_ns);
    return true;
}
