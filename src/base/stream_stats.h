// SPDX-License-Identifier: Apache-2.0
/// @file
/// What can be said of a stream of samples: rate, intervals, gaps, ages, and what was lost,
/// repeated or out of order. Plain data of fixed size, zero-initialise; time is passed in.
///
/// "In the window" means: during the last 5 to 10 s, or since the first sample. Two spans start 5 s
/// apart, each lives 10 s, and the older one is read.
#ifndef TN_BASE_STREAM_STATS_H
#define TN_BASE_STREAM_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stats.h"

/// What the newest window covers at least; twice this at most.
#define TN_STREAM_WINDOW_NS INT64_C(5000000000)

/// Part of a window: what came since `start_steady_ns`.
struct tn_stream_span {
    int64_t start_steady_ns;
    uint64_t received, distinct, missing;
    struct tn_histogram intervals, ages;
};

struct tn_stream_stats {
    bool has_sample, has_age, has_sequence;
    int64_t last_steady_ns; ///< arrival of the newest sample
    int64_t last_age_ns;
    uint64_t last_sequence;
    int64_t longest_gap_ns; ///< since the start
    uint64_t received, missing, repeated, reordered, reconnects, negative_ages;
    uint64_t missing_run_now, missing_run_max;
    bool is_started;
    int64_t origin_steady_ns, slot; ///< where the present slot of the window lies
    struct tn_stream_span spans[2];
};

/// What tn_stream_stats_number() says of a sequence number.
enum tn_stream_verdict {
    TN_STREAM_NEW,      ///< the next one, or one behind a gap
    TN_STREAM_REPEATED, ///< the newest one once more
    TN_STREAM_REORDERED ///< older than the newest one
};

/// A new sample (neither repeated nor out of order) arrived. @return nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(1).
void tn_stream_stats_add(struct tn_stream_stats *stats, int64_t now_steady_ns);

/// The age of the sample last added. Negative: counted, and taken for 0. @return nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(1).
void tn_stream_stats_age(struct tn_stream_stats *stats, int64_t age_ns, int64_t now_steady_ns);

/// Judges and counts the number of a sample of a source that counts by one and never wraps; call
/// tn_stream_stats_add() for those that are NEW. The first number, and the first one after
/// tn_stream_stats_reconnect(), is NEW whatever it is.
/// @return the verdict. Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(1).
enum tn_stream_verdict tn_stream_stats_number(struct tn_stream_stats *stats, uint64_t sequence,
                                              int64_t now_steady_ns);

/// For sources that judge by themselves: `n` samples are missing before the one that comes next;
/// 0: none, which ends a run. @return nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(1).
void tn_stream_stats_missing(struct tn_stream_stats *stats, uint64_t n, int64_t now_steady_ns);
/// A sample came a second time. @return nothing. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
void tn_stream_stats_repeated(struct tn_stream_stats *stats);
/// A sample came that is older than one before it. @return nothing. Thread: one caller at a time.
/// Allocates: never. Blocks: never.
void tn_stream_stats_reordered(struct tn_stream_stats *stats);
/// The source was away and is back: its numbers start anew. @return nothing. Thread: one caller at
/// a time. Allocates: never. Blocks: never.
void tn_stream_stats_reconnect(struct tn_stream_stats *stats);

/// What tn_stream_stats_report() says.
struct tn_stream_report {
    bool has_sample, has_age;
    double received_hz; ///< in the window, repeated and reordered ones included
    double distinct_hz; ///< in the window, new ones
    int64_t window_ns;  ///< how long the window is
    uint64_t n_ages;    ///< known in the window
    int64_t interval_p50_ns, interval_p95_ns, interval_p99_ns, interval_max_ns; ///< in the window
    int64_t longest_gap_ns;         ///< since the start, the present silence included
    int64_t silence_ns;             ///< since the newest sample
    int64_t age_ns;                 ///< of the newest sample, now: grows while nothing comes
    int64_t age_p50_ns, age_p99_ns; ///< at arrival, in the window
    double missing_share;           ///< of all that should have come in the window, 0..1
    uint64_t received;              ///< repeated and reordered ones included
    uint64_t distinct, missing, repeated, reordered, reconnects, negative_ages;
    uint64_t missing_run_now, missing_run_max; ///< samples missing in a row
};

/// Says what is known at `now_steady_ns`. @return nothing. Thread: one caller at a time. Allocates:
/// never. Blocks: never. Cost: O(buckets of a histogram).
void tn_stream_stats_report(struct tn_stream_stats *stats, int64_t now_steady_ns,
                            struct tn_stream_report *out_report);

#endif
