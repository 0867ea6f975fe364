// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_haptics.h"

#include <math.h>

#include "base/clock.h"

static float clamp(float value, float max)
{
    return value < 0.0f ? 0.0f : (value > max ? max : value);
}

enum tn_result tn_contact_vibration_clamp(struct tn_contact_vibration *vibration)
{
    if (!isfinite(vibration->frequency_hz) || !isfinite(vibration->amplitude) ||
        !isfinite(vibration->duration_s))
        return TN_ERR_NOT_FINITE;
    vibration->frequency_hz = clamp(vibration->frequency_hz, TN_CONTACT_FREQUENCY_MAX_HZ);
    vibration->amplitude = clamp(vibration->amplitude, 1.0f);
    vibration->duration_s = clamp(vibration->duration_s, TN_CONTACT_DURATION_MAX_S);
    return TN_OK;
}

int64_t tn_contact_limiter_due_ns(const struct tn_contact_limiter *limiter, int64_t period_ns)
{
    return limiter->has_waiting ? tn_ns_add(limiter->sent_steady_ns, period_ns) : INT64_MAX;
}

bool tn_contact_limiter_offer(struct tn_contact_limiter *limiter,
                              const struct tn_contact_vibration *vibration, int64_t period_ns,
                              int64_t now_steady_ns)
{
    bool is_free =
        !limiter->has_sent || now_steady_ns >= tn_ns_add(limiter->sent_steady_ns, period_ns);
    if (limiter->has_waiting)
        limiter->merged++;
    limiter->has_waiting = !is_free;
    limiter->waiting = *vibration;
    if (is_free) {
        limiter->has_sent = true;
        limiter->sent_steady_ns = now_steady_ns;
    }
    return is_free;
}

bool tn_contact_limiter_take(struct tn_contact_limiter *limiter, int64_t period_ns,
                             int64_t now_steady_ns, struct tn_contact_vibration *out_vibration)
{
    if (now_steady_ns < tn_contact_limiter_due_ns(limiter, period_ns))
        return false;
    if (!limiter->has_waiting)
        return false;
    limiter->has_waiting = false;
    limiter->sent_steady_ns = now_steady_ns;
    *out_vibration = limiter->waiting;
    return true;
}
