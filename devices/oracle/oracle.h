// SPDX-License-Identifier: Apache-2.0
/// @file
/// The oracle: joins what the software glove sent with what the robot hand executed, and counts
/// what must not have happened. It shares no code with the parts that filter.
///
/// **Send log** (software glove): `# tendon send log 1`, then per hand datagram
/// `sequence,side,send_wall_ns,send_steady_ns`.
/// **Execution log** (robot hand): `# tendon execution log 1`, then per executed target
/// `side,stamp_ros_ns,executed_steady_ns`; other lines `@event,side,name,steady_ns`.
/// Both begin with their header line, which may come again (a restarted program appends). A last
/// line without its newline is left out: its writer was killed.
///
/// A stamp is the kernel's receive time of a datagram, rounded down to a millisecond. It belongs to
/// the newest datagram of its side with send_wall_ns < stamp + 1 ms; of several within that
/// millisecond, to the newest that had been sent when the command was executed. Of the command that
/// carries it, with age = executed_steady_ns - send_steady_ns, is
///   - unmatched: no such datagram, or the age is negative (the logs do not belong together);
///   - stale: age > max_age_ns + tolerance_ns;
///   - repeated: a command with the same side and stamp was executed before (in the order of the
///     log); it is judged as stale or not as well.
/// The wall clock must not have been set between the logs' first and last line; the steady clock
/// is that of one machine.
///
///     tn_oracle_create(&options, &oracle, &err);
///     tn_oracle_read_sent(oracle, text, size, "send.log", &err);
///     tn_oracle_read_executed(oracle, text, size, "left.log", &err);   … any number of logs
///     tn_oracle_judge(oracle, &verdict, &err);
#ifndef TN_DEVICES_ORACLE_ORACLE_H
#define TN_DEVICES_ORACLE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/result.h"
#include "base/side.h"

#define TN_ORACLE_MAX_AGE_NS (200 * TN_NS_PER_MS)
/// The floor that a time map cannot see: it takes the fastest way of a datagram for no way at all.
#define TN_ORACLE_TOLERANCE_NS (5 * TN_NS_PER_MS)
/// Most lines kept of all logs together: 8 hours of two hands at 120 Hz are 7 million.
#define TN_ORACLE_LINES_MAX (UINT32_C(1) << 24)

/// X-macro: events of the execution log.
#define TN_ORACLE_EVENT_LIST(X)                                                                    \
    X(START, "start")                                                                              \
    X(STOP, "stop")                                                                                \
    X(HOLD, "hold")                                                                                \
    X(POSE, "pose")                                                                                \
    X(RESUME, "resume")                                                                            \
    X(RESUMED, "resumed")                                                                          \
    X(OTHER, "other")

/// What a robot hand reported beside its commands; names that are none of these count as OTHER.
enum tn_oracle_event {
#define TN_ORACLE_EVENT_ENUM(name, text) TN_ORACLE_EVENT_##name,
    TN_ORACLE_EVENT_LIST(TN_ORACLE_EVENT_ENUM)
#undef TN_ORACLE_EVENT_ENUM
        TN_ORACLE_EVENTS
};

struct tn_oracle_options {
    int64_t max_age_ns;   ///< > 0
    int64_t tolerance_ns; ///< >= 0
};

/// The judgement on one hand.
struct tn_oracle_side_verdict {
    uint64_t sent;     ///< datagrams
    uint64_t executed; ///< commands
    uint64_t stale;
    uint64_t repeated;
    uint64_t unmatched;
    bool has_ages; ///< false: no command was matched, the ages below are 0
    int64_t max_age_ns, p50_age_ns, p99_age_ns;
    uint64_t events[TN_ORACLE_EVENTS];
};

/// The judgement. Plain data.
struct tn_oracle_verdict {
    struct tn_oracle_side_verdict sides[TN_SIDES]; ///< by tn_side_index()
    bool is_clean; ///< nothing stale, repeated or unmatched; also when nothing was executed
};

struct tn_oracle;

/// @return the defaults. Thread: any. Allocates: never. Blocks: never.
struct tn_oracle_options tn_oracle_options_default(void);

/// Makes an oracle. @param options   NULL: the defaults
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: max_age_ns <= 0 or tolerance_ns < 0; TN_ERR_NO_MEMORY.
/// Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_oracle_create(const struct tn_oracle_options *options,
                                             struct tn_oracle **out_oracle, struct tn_error *err);

/// Frees it; accepts NULL, nulls the pointer. @return nothing.
/// Thread: one caller. Allocates: never. Blocks: never.
void tn_oracle_destroy(struct tn_oracle **oracle);

/// Adds a send log. @param name   for errors
/// @return TN_OK; with the place in err: TN_ERR_VERSION: the first line is not the header;
/// TN_ERR_SYNTAX: a line is not as described; TN_ERR_LIMIT: too many lines; TN_ERR_NO_MEMORY. After
/// an error the oracle is good for nothing but destroy.
/// Thread: one caller at a time. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_oracle_read_sent(struct tn_oracle *oracle, const char *text,
                                                size_t size, const char *name,
                                                struct tn_error *err);

/// Adds an execution log. @return as tn_oracle_read_sent().
/// Thread: one caller at a time. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_oracle_read_executed(struct tn_oracle *oracle, const char *text,
                                                    size_t size, const char *name,
                                                    struct tn_error *err);

/// Judges everything read so far.
/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: one caller at a time. Allocates: yes. Blocks: never.
/// Cost: O(n log n).
TN_NODISCARD enum tn_result tn_oracle_judge(struct tn_oracle *oracle,
                                            struct tn_oracle_verdict *out_verdict,
                                            struct tn_error *err);

/// Writes a verdict as one line of JSON without a newline: `is_clean`, sums `executed`, `stale`,
/// `repeated`, `unmatched`, then per `left` and `right` the counts, `max_age_ms`, `age_p50_ms`,
/// `age_p99_ms` (null without a matched command) and `events`. NUL-terminated.
/// @return TN_OK; TN_ERR_LIMIT: the buffer is too small (2 KiB always suffice), it then holds "".
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_oracle_verdict_json(const struct tn_oracle_verdict *verdict,
                                                   char *buffer, size_t capacity);

#endif
