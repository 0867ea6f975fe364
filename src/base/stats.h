// SPDX-License-Identifier: Apache-2.0
/// @file
/// Running statistics without allocation: a logarithmic histogram of durations (percentiles
/// within 1.6 %) and a rate meter. Plain data, zero-initialise.
#ifndef TN_BASE_STATS_H
#define TN_BASE_STATS_H

#include <stdbool.h>
#include <stdint.h>

/// Buckets: 64 per power of two up to 2^40 ns (18 minutes).
#define TN_HISTOGRAM_SUB     64
#define TN_HISTOGRAM_BUCKETS (36 * TN_HISTOGRAM_SUB)

struct tn_histogram {
    uint64_t count;
    int64_t min_ns, max_ns;
    double sum_ns;
    uint32_t buckets[TN_HISTOGRAM_BUCKETS];
};

/// Adds one duration; negative ones count as 0. @return nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(1).
void tn_histogram_add(struct tn_histogram *histogram, int64_t duration_ns);

/// @param quantile   0..1
/// @return the duration below which `quantile` of all lie, upper edge of its bucket, at most
/// max_ns; 0 when empty. Thread: one caller at a time. Allocates: never. Blocks: never. Cost:
/// O(buckets).
int64_t tn_histogram_quantile_ns(const struct tn_histogram *histogram, double quantile);

/// Forgets everything. @return nothing. Thread: one caller at a time. Allocates: never. Blocks:
/// never.
void tn_histogram_reset(struct tn_histogram *histogram);

/// Events per second over a sliding window of one second in 10 slots.
struct tn_rate {
    int64_t slot_index;
    uint32_t slots[11];
    bool started;
};

/// Counts one event. @return nothing. Thread: one caller at a time. Allocates: never. Blocks:
/// never.
void tn_rate_add(struct tn_rate *rate, int64_t now_steady_ns);

/// @return events during the last full second before `now_steady_ns`, in Hz.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
double tn_rate_hz(struct tn_rate *rate, int64_t now_steady_ns);

#endif
