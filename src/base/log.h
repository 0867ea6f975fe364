// SPDX-License-Identifier: Apache-2.0
/// @file
/// Logging: one line, one event: what, where, value, expected, way out.
///
/// The process has one sink (the only mutable object at file scope in the project). Console lines
/// have rcl's form
/// `[INFO] [1717171717.123456789] [logger.name]: text` and go to stderr. A second receiver (the
/// `/rosout` publisher) can be attached. Lines are formatted into a stack buffer and written with
/// one write(2); a full pipe drops the line and counts it: logging never blocks the control path.
#ifndef TN_BASE_LOG_H
#define TN_BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compat.h"

/// Severities with the numbers of rcl_interfaces/msg/Log.
enum tn_log_level {
    TN_LOG_UNSET = 0,
    TN_LOG_DEBUG = 10,
    TN_LOG_INFO = 20,
    TN_LOG_WARN = 30,
    TN_LOG_ERROR = 40,
    TN_LOG_FATAL = 50
};

/// Longest line, including its NUL; longer ones end in "…".
#define TN_LOG_LINE_MAX 1024
/// Longest logger name, including its NUL.
#define TN_LOG_NAME_MAX 256

/// A named source of lines; a value owned by whoever logs (one per node or module instance).
struct tn_logger {
    char name[TN_LOG_NAME_MAX];
    enum tn_log_level level; ///< TN_LOG_UNSET: the process level
};

/// One finished line, as receivers get it. Pointers are valid during the call only.
struct tn_log_record {
    enum tn_log_level level;
    int64_t wall_ns;
    const char *name;
    const char *text;
    const char *file;
    const char *function;
    uint32_t line;
};

/// Receives every line that passes its level. Called on the logging thread, with no lock held.
typedef void (*tn_log_fn)(void *context, const struct tn_log_record *record);

/// Names a logger. Longer names are cut. @return nothing. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
void tn_logger_init(struct tn_logger *logger, const char *name);

/// Sets the level below which loggers without their own level are silent (default TN_LOG_INFO).
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_log_set_level(enum tn_log_level level);

/// Switches the console on (as it is at the start of a program) or off; the second receiver goes
/// on.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_log_set_console(bool is_on);

/// Parses "debug", "INFO", "warn", "error", "fatal" (any case) or "unset".
/// @return true and the level, or false and nothing written. Thread: any. Allocates: never. Blocks:
/// never.
bool tn_log_level_parse(const char *text, enum tn_log_level *out_level);

/// @return "DEBUG", "INFO", … Thread: any. Allocates: never. Blocks: never.
const char *tn_log_level_name(enum tn_log_level level);

/// Attaches the second receiver, or detaches it with NULL. Call when no other thread logs (start
/// and end of a program). @return nothing. Thread: main. Allocates: never. Blocks: never.
void tn_log_set_receiver(tn_log_fn receiver, void *context);

/// @return true when a line of this level would be written. Thread: any. Allocates: never. Blocks:
/// never.
bool tn_log_is_enabled(const struct tn_logger *logger, enum tn_log_level level);

/// Writes one line; use the macros. @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_log_write(const struct tn_logger *logger, enum tn_log_level level, const char *file,
                  uint32_t line, const char *function, const char *format, ...) TN_PRINTF(6, 7);

/// @return lines dropped because the console could not take them. Thread: any. Allocates: never.
/// Blocks: never.
uint64_t tn_log_dropped(void);

/// A lasting condition is reported at most once per period: keep one of these per condition,
/// zero-initialised.
struct tn_log_throttle {
    int64_t next_steady_ns;
    uint32_t suppressed; ///< reports swallowed since the last one that passed
};

/// Asks whether a report may pass now; the first one always does.
/// @param out_suppressed  how many were swallowed since the last; may be NULL
/// @return true at most once per `period_ns`. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
bool tn_log_throttle_pass(struct tn_log_throttle *throttle, int64_t now_steady_ns,
                          int64_t period_ns, uint32_t *out_suppressed);

#define TN_LOG_AT(logger, level, ...)                                                              \
    do {                                                                                           \
        if (tn_log_is_enabled((logger), (level)))                                                  \
            tn_log_write((logger), (level), __FILE__, __LINE__, __func__, __VA_ARGS__);            \
    } while (0)
#define TN_DEBUG(logger, ...) TN_LOG_AT(logger, TN_LOG_DEBUG, __VA_ARGS__)
#define TN_INFO(logger, ...)  TN_LOG_AT(logger, TN_LOG_INFO, __VA_ARGS__)
#define TN_WARN(logger, ...)  TN_LOG_AT(logger, TN_LOG_WARN, __VA_ARGS__)
#define TN_ERROR(logger, ...) TN_LOG_AT(logger, TN_LOG_ERROR, __VA_ARGS__)
#define TN_FATAL(logger, ...) TN_LOG_AT(logger, TN_LOG_FATAL, __VA_ARGS__)

#endif
