// SPDX-License-Identifier: Apache-2.0
/// @file
/// One-Euro filter (Casiez, Roussel, Vogel, CHI 2012): a low-pass whose cut-off rises with the
/// speed of the signal. Its parameters are cut-off frequencies, so the result does not depend on
/// the sample rate.
#ifndef TN_RETARGET_FILTER_H
#define TN_RETARGET_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"

struct tn_one_euro_options {
    double min_cutoff_hz; ///< > 0
    double beta;          ///< >= 0, Hz per unit/s
    double d_cutoff_hz;   ///< > 0, of the derivative
};

/// Plain data; zero-initialised = reset.
struct tn_one_euro {
    double value, derivative;
    int64_t last_ns;
    bool is_started;
};

/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: a cut-off of 0 or less, or not finite, named in err.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_one_euro_check(const struct tn_one_euro_options *options,
                                              struct tn_error *err);

/// Filters one sample. The step time comes from the stamps, clamped to 1e-3..0.1 s. The derivative
/// is taken against the last *filtered* value; the first sample passes unchanged. A sample that is
/// not finite leaves the state as it was.
/// @return the filtered value, or the last one when `x` is not finite (0 before the first).
/// Thread: one caller at a time. Allocates: never. Blocks: never.
double tn_one_euro_update(struct tn_one_euro *filter, const struct tn_one_euro_options *options,
                          double x, int64_t stamp_ns);

#endif
