// SPDX-License-Identifier: Apache-2.0
#include "retarget/filter.h"

#include <math.h>

enum tn_result tn_one_euro_check(const struct tn_one_euro_options *options, struct tn_error *err)
{
    bool is_valid = isfinite(options->min_cutoff_hz) && options->min_cutoff_hz > 0.0 &&
                    isfinite(options->d_cutoff_hz) && options->d_cutoff_hz > 0.0 &&
                    isfinite(options->beta) && options->beta >= 0.0;
    if (!is_valid) {
        return tn_error_set(
            err, TN_ERR_INVALID_ARGUMENT,
            "filter: min_cutoff_hz and d_cutoff_hz must be above 0 and beta at least 0");
    }
    return TN_OK;
}

static double smoothing(double cutoff_hz, double step_s)
{
    double tau_s = 1.0 / (2.0 * 3.14159265358979323846 * cutoff_hz);
    return 1.0 / (1.0 + tau_s / step_s);
}

double tn_one_euro_update(struct tn_one_euro *filter, const struct tn_one_euro_options *options,
                          double x, int64_t stamp_ns)
{
    if (!isfinite(x)) {
        return filter->value;
    }
    if (!filter->is_started) {
        *filter = (struct tn_one_euro){.value = x, .last_ns = stamp_ns, .is_started = true};
        return x;
    }
    double step_s = (double)(stamp_ns - filter->last_ns) * 1e-9;
    step_s = step_s < 1e-3 ? 1e-3 : step_s > 0.1 ? 0.1 : step_s;
    double derivative = (x - filter->value) / step_s;
    filter->derivative +=
        smoothing(options->d_cutoff_hz, step_s) * (derivative - filter->derivative);
    double cutoff_hz = options->min_cutoff_hz + options->beta * fabs(filter->derivative);
    filter->value += smoothing(cutoff_hz, step_s) * (x - filter->value);
    filter->last_ns = stamp_ns;
    return filter->value;
}
