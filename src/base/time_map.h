// SPDX-License-Identifier: Apache-2.0
/// @file
/// Maps a source's clock (a DDS writer's source timestamps, a glove's device time) to the steady
/// clock with a drift-following minimum-delay filter, so that the *age* of data can be judged
/// although clocks differ.
///
/// d = receive_steady - source. Per bucket of TN_TIME_MAP_BUCKET_NS the minimum of d is kept, for
/// the last TN_TIME_MAP_BUCKETS buckets; a line through their lower envelope, slope within
/// ±TN_TIME_MAP_MAX_DRIFT_PPM, is the map. The constant part of the delay cannot be seen one-way:
/// ages are ages beyond the smallest delay seen.
///
/// The line is the one below all minima that lies closest to them (an edge of their lower convex
/// hull, Moon, Skelly and Towsley 1999), its slope cut to the allowed drift.
///
/// Clock steps restart the map:
///   - d below the line by more than TN_TIME_MAP_STEP_NS: the source's clock jumped forward;
///   - residuals above TN_TIME_MAP_LATE_NS for TN_TIME_MAP_RUN samples running that were sent at
///     least TN_TIME_MAP_RUN_NS apart in total *and* arrived over at least that time, while the
///     residual did not fall by more than TN_TIME_MAP_FALL_NS: the source's clock jumped back.
///     A back-log after a stall arrives faster than it was sent, its residual falls: no step.
/// Until TN_TIME_MAP_ESTABLISH_NS of data exist (counted from the first sample behind the step) the
/// map is not valid and consumers count everything as stale. The same holds when all minima have
/// expired, after a silence of TN_TIME_MAP_BUCKETS * TN_TIME_MAP_BUCKET_NS; a source slower than
/// that is never mapped. Late samples are mapped, but neither enter the minima nor let them expire:
/// a back-log that takes a minute to drain stays old to its end.
///
/// Any int64 is accepted: arithmetic saturates.
#ifndef TN_BASE_TIME_MAP_H
#define TN_BASE_TIME_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/result.h"

#define TN_TIME_MAP_BUCKETS       10
#define TN_TIME_MAP_BUCKET_NS     TN_NS_PER_S
#define TN_TIME_MAP_MAX_DRIFT_PPM 200.0
#define TN_TIME_MAP_ESTABLISH_NS  (500 * TN_NS_PER_MS)
#define TN_TIME_MAP_STEP_NS       (5 * TN_NS_PER_MS)
#define TN_TIME_MAP_LATE_NS       (50 * TN_NS_PER_MS)
#define TN_TIME_MAP_FALL_NS       (25 * TN_NS_PER_MS)
#define TN_TIME_MAP_RUN           10
#define TN_TIME_MAP_RUN_NS        (100 * TN_NS_PER_MS)

/// One bucket: where its minimum was.
struct tn_time_map_bucket {
    int64_t start_steady_ns;
    int64_t min_delay_ns; ///< smallest receive - source in this bucket
    int64_t at_source_ns;
    bool is_used;
};

/// Samples running that are later than the line allows: a back-log or a new clock.
struct tn_time_map_run {
    uint32_t n_samples;
    int64_t first_source_ns, last_source_ns;
    int64_t first_steady_ns;
    int64_t first_delay_ns, min_delay_ns; ///< receive - source
    int64_t min_source_ns;                ///< where min_delay_ns was
};

/// Plain data; treat the members as private, zero-initialise or call tn_time_map_reset().
struct tn_time_map {
    struct tn_time_map_bucket buckets[TN_TIME_MAP_BUCKETS];
    uint32_t newest; ///< index of the bucket being filled
    bool has_data, is_valid;
    int64_t first_source_ns, first_steady_ns; ///< first sample since the restart
    int64_t last_source_ns, last_steady_ns;
    int64_t
        reference_source_ns; ///< the line: steady = source + offset + drift * (source - reference)
    int64_t offset_ns;
    double drift; ///< dimensionless, 1e-6 = 1 ppm
    struct tn_time_map_run late_run;
    uint32_t restarts;     ///< clock steps met
    int64_t jitter_p95_ns; ///< smoothed upper residual
};

/// Starts anew; `restarts` is kept. @return nothing. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
void tn_time_map_reset(struct tn_time_map *map);

/// Takes one sample into account and maps its time.
/// @param source_ns       what the source wrote, ns of its own clock
/// @param receive_steady_ns  steady receive time
/// @param out_sample_ns   steady sample time (never later than receive); untouched unless TN_OK
/// @return TN_OK; TN_ERR_STALE: the map is not established yet; TN_ERR_REORDERED: older than the
/// last (it does not enter the line; tn_time_map_apply() maps the time if it is wanted);
/// TN_ERR_CLOCK_STEP: the map was restarted by this sample, stale until it is established again.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(buckets).
TN_NODISCARD enum tn_result tn_time_map_update(struct tn_time_map *map, int64_t source_ns,
                                               int64_t receive_steady_ns, int64_t *out_sample_ns);

/// Maps any time of the source's clock with the present line.
/// @return TN_OK; TN_ERR_STALE: not established. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
TN_NODISCARD enum tn_result tn_time_map_apply(const struct tn_time_map *map, int64_t source_ns,
                                              int64_t *out_steady_ns);

#endif
