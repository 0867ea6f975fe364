// SPDX-License-Identifier: Apache-2.0
#include "session/limiter.h"

#include <math.h>
#include <string.h>

// the step time is bounded so that a stall never becomes a jump
static const double min_step_s = 1e-4;
static const double max_step_s = 0.1;

static bool options_are_valid(const struct tn_limiter_options *options)
{
    if (options->n_joints == 0 || options->n_joints > TN_LIMITER_MAX_JOINTS ||
        !(options->resume_speed > 0.0) || !(options->resume_tolerance > 0.0) ||
        !(options->reject_speed >= 0.0)) {
        return false;
    }
    for (uint32_t i = 0; i < options->n_joints; i++) {
        if (!isfinite(options->lower[i]) || !isfinite(options->upper[i]) ||
            options->lower[i] >= options->upper[i] || !(options->speed[i] > 0.0)) {
            return false;
        }
    }
    return true;
}

enum tn_result tn_limiter_init(struct tn_limiter *limiter, const struct tn_limiter_options *options,
                               struct tn_error *err)
{
    if (!options_are_valid(options)) {
        return tn_error_set(
            err, TN_ERR_INVALID_ARGUMENT,
            "limiter: needs 1..%d joints, finite lower < upper, speeds and tolerance above 0",
            TN_LIMITER_MAX_JOINTS);
    }
    memset(limiter, 0, sizeof *limiter);
    limiter->options = *options;
    return TN_OK;
}

static double clamp(double value, double lower, double upper)
{
    return value < lower ? lower : value > upper ? upper : value;
}

enum tn_result tn_limiter_latch(struct tn_limiter *limiter, const double *measured,
                                int64_t now_steady_ns)
{
    const struct tn_limiter_options *options = &limiter->options;
    for (uint32_t i = 0; i < options->n_joints; i++) {
        if (!isfinite(measured[i])) {
            return TN_ERR_NOT_FINITE;
        }
    }
    for (uint32_t i = 0; i < options->n_joints; i++) {
        limiter->emitted[i] = clamp(measured[i], options->lower[i], options->upper[i]);
    }
    limiter->has_emitted = true;
    limiter->has_raw = false;
    limiter->is_resuming = true;
    limiter->refused_run = 0;
    limiter->limited_mask = 0;
    limiter->last_steady_ns = now_steady_ns;
    return TN_OK;
}

void tn_limiter_reset(struct tn_limiter *limiter)
{
    limiter->has_emitted = false;
    limiter->has_raw = false;
    limiter->is_resuming = false;
    limiter->refused_run = 0;
}

static bool is_valid_joint(uint32_t valid_mask, uint32_t joint)
{
    return (valid_mask >> joint & 1u) != 0;
}

static double step_seconds(int64_t from_ns, int64_t to_ns)
{
    return clamp((double)(to_ns - from_ns) * 1e-9, min_step_s, max_step_s);
}

// one joint that moves faster than any hand refuses the whole frame, until it is seen to be real
static bool is_too_fast(struct tn_limiter *limiter, const double *target, uint32_t valid_mask,
                        int64_t now_steady_ns)
{
    if (!limiter->has_raw || !(limiter->options.reject_speed > 0.0)) {
        return false;
    }
    double most =
        limiter->options.reject_speed * step_seconds(limiter->raw_steady_ns, now_steady_ns);
    for (uint32_t i = 0; i < limiter->options.n_joints; i++) {
        if (is_valid_joint(valid_mask, i) && fabs(target[i] - limiter->raw[i]) > most) {
            return limiter->refused_run < limiter->options.reaccept_after;
        }
    }
    return false;
}

static void step_joint(struct tn_limiter *limiter, uint32_t joint, double target, double dt_s)
{
    const struct tn_limiter_options *options = &limiter->options;
    double speed = options->speed[joint];
    if (limiter->is_resuming && options->resume_speed < speed) {
        speed = options->resume_speed;
    }
    double wanted = clamp(target, options->lower[joint], options->upper[joint]);
    double most = speed * dt_s;
    double step = clamp(wanted - limiter->emitted[joint], -most, most);
    bool is_limited = fabs(target - limiter->emitted[joint]) > fabs(step) + 1e-9;
    limiter->emitted[joint] += step;
    if (is_limited) {
        limiter->limited_mask |= UINT32_C(1) << joint;
    }
}

static bool is_close(const struct tn_limiter *limiter, const double *target, uint32_t valid_mask)
{
    const struct tn_limiter_options *options = &limiter->options;
    for (uint32_t i = 0; i < options->n_joints; i++) {
        double wanted = clamp(target[i], options->lower[i], options->upper[i]);
        if (is_valid_joint(valid_mask, i) &&
            fabs(wanted - limiter->emitted[i]) > options->resume_tolerance) {
            return false;
        }
    }
    return true;
}

enum tn_result tn_limiter_step(struct tn_limiter *limiter, const double *target,
                               uint32_t valid_mask, int64_t now_steady_ns, double *out_command)
{
    uint32_t n = limiter->options.n_joints;
    if (!limiter->has_emitted) {
        return TN_ERR_STATE;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (is_valid_joint(valid_mask, i) && !isfinite(target[i])) {
            return TN_ERR_NOT_FINITE;
        }
    }
    if (is_too_fast(limiter, target, valid_mask, now_steady_ns)) {
        limiter->refused_run++;
        return TN_ERR_RANGE;
    }
    limiter->refused_run = 0;
    limiter->limited_mask = 0;
    double dt_s = step_seconds(limiter->last_steady_ns, now_steady_ns);
    for (uint32_t i = 0; i < n; i++) {
        if (is_valid_joint(valid_mask, i)) {
            limiter->raw[i] = target[i];
            step_joint(limiter, i, target[i], dt_s);
        } else if (!limiter->has_raw) {
            limiter->raw[i] = limiter->emitted[i];
        }
    }
    limiter->has_raw = true;
    limiter->raw_steady_ns = now_steady_ns;
    limiter->last_steady_ns = now_steady_ns;
    if (limiter->is_resuming && is_close(limiter, target, valid_mask)) {
        limiter->is_resuming = false;
    }
    memcpy(out_command, limiter->emitted, n * sizeof *out_command);
    return TN_OK;
}

bool tn_limiter_is_resuming(const struct tn_limiter *limiter)
{
    return limiter->is_resuming;
}
