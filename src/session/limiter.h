// SPDX-License-Identifier: Apache-2.0
/// @file
/// Last step before a command leaves: starts at the robot's measured position, limits speed against
/// the last *emitted* command, approaches slowly after a break, clamps to limits, and refuses what
/// is not finite.
///
/// Units are the robot's own (percent here); speeds are units per second. The step time is clamped
/// to 1e-4..0.1 s, so a stall never turns into a jump.
#ifndef TN_SESSION_LIMITER_H
#define TN_SESSION_LIMITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"

#define TN_LIMITER_MAX_JOINTS 32

struct tn_limiter_options {
    uint32_t n_joints;
    double lower[TN_LIMITER_MAX_JOINTS], upper[TN_LIMITER_MAX_JOINTS];
    double speed[TN_LIMITER_MAX_JOINTS]; ///< units/s, > 0
    double resume_speed;                 ///< units/s during an approach, > 0; default 50 (percent)
    double
        resume_tolerance; ///< the approach ends when every joint is this close; default 2 (percent)
    double reject_speed;  ///< a target that moves faster than this against the last one is refused
                          ///< whole; 0: never
    uint32_t reaccept_after; ///< after so many refusals running the input counts as real again;
                             ///< default 30
};

/// Plain data; treat as private.
struct tn_limiter {
    struct tn_limiter_options options;
    double emitted[TN_LIMITER_MAX_JOINTS];
    double raw[TN_LIMITER_MAX_JOINTS]; ///< last accepted input
    bool has_emitted, has_raw, is_resuming;
    int64_t last_steady_ns, raw_steady_ns;
    uint32_t refused_run;
    uint32_t limited_mask; ///< joints at a speed or position limit in the last step
};

/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: count, limit or speed out of range. Thread: one caller.
/// Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_limiter_init(struct tn_limiter *limiter,
                                            const struct tn_limiter_options *options,
                                            struct tn_error *err);

/// Starts an approach from the robot's measured position (n_joints values). @return TN_OK;
/// TN_ERR_NOT_FINITE. Thread: one caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_limiter_latch(struct tn_limiter *limiter, const double *measured,
                                             int64_t now_steady_ns);

/// Forgets everything; the next use needs tn_limiter_latch(). @return nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_limiter_reset(struct tn_limiter *limiter);

/// One step toward `target` (n_joints values; joints whose bit in `valid_mask` is 0 keep their last
/// command).
/// @param out_command   n_joints values, finite and inside the limits; untouched on error
/// @return TN_OK; TN_ERR_STATE: not latched; TN_ERR_NOT_FINITE: a valid joint is not finite,
/// nothing changed;
///         TN_ERR_RANGE: refused as too fast, nothing emitted.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(joints).
TN_NODISCARD enum tn_result tn_limiter_step(struct tn_limiter *limiter, const double *target,
                                            uint32_t valid_mask, int64_t now_steady_ns,
                                            double *out_command);

/// @return true until the approach reached the target. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
bool tn_limiter_is_resuming(const struct tn_limiter *limiter);

#endif
