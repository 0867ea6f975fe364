// SPDX-License-Identifier: Apache-2.0
// diagnostic_updater's tasks.
#include "ros/diagnostics_tasks.h"

#include <math.h>

#include "ros/ros__diagnostics.h"

#define WINDOW_DEFAULT 5u

// ---- Frequency Status ----

static uint32_t window_of(const struct tn_diag_frequency *frequency)
{
    uint32_t n = frequency->window > 0 ? frequency->window : WINDOW_DEFAULT;
    return n < TN_DIAG_FREQUENCY_WINDOW_MAX ? n : TN_DIAG_FREQUENCY_WINDOW_MAX;
}

void tn_diag_frequency_clear(struct tn_diag_frequency *frequency, int64_t now_steady_ns)
{
    frequency->count = 0;
    frequency->next = 0;
    for (uint32_t i = 0; i < TN_DIAG_FREQUENCY_WINDOW_MAX; i++) {
        frequency->times_ns[i] = now_steady_ns;
        frequency->counts[i] = 0;
    }
}

void tn_diag_frequency_tick(struct tn_diag_frequency *frequency)
{
    frequency->count++;
}

static void judge_frequency(const struct tn_diag_frequency *frequency, uint64_t events, double hz,
                            struct tn_diag_status *status)
{
    if (events == 0)
        tn_diag_summary(status, TN_DIAG_ERROR, "No events recorded.");
    else if (hz < frequency->min_hz * (1.0 - frequency->tolerance))
        tn_diag_summary(status, TN_DIAG_WARN, "Frequency too low.");
    else if (hz > frequency->max_hz * (1.0 + frequency->tolerance))
        tn_diag_summary(status, TN_DIAG_WARN, "Frequency too high.");
    else
        tn_diag_summary(status, TN_DIAG_OK, "Desired frequency met");
}

static void add_bounds(const struct tn_diag_frequency *frequency, struct tn_diag_status *status)
{
    bool is_one =
        !(frequency->min_hz < frequency->max_hz) && !(frequency->min_hz > frequency->max_hz);
    if (is_one)
        tn_diag_add(status, "Target frequency (Hz)", "%f", frequency->min_hz);
    if (frequency->min_hz > 0.0)
        tn_diag_add(status, "Minimum acceptable frequency (Hz)", "%f",
                    frequency->min_hz * (1.0 - frequency->tolerance));
    if (isfinite(frequency->max_hz))
        tn_diag_add(status, "Maximum acceptable frequency (Hz)", "%f",
                    frequency->max_hz * (1.0 + frequency->tolerance));
}

void tn_diag_frequency_run(void *frequency, struct tn_diag_status *status, int64_t now_steady_ns)
{
    struct tn_diag_frequency *f = frequency;
    uint64_t events = f->count - f->counts[f->next];
    double window_s = tn_ns_to_seconds(tn_ns_sub(now_steady_ns, f->times_ns[f->next]));
    // two reports at one time: nothing in no time is no rate, something is any
    double hz = events == 0 ? 0.0 : window_s > 0.0 ? (double)events / window_s : (double)INFINITY;
    f->counts[f->next] = f->count;
    f->times_ns[f->next] = now_steady_ns;
    f->next = (f->next + 1) % window_of(f);

    judge_frequency(f, events, hz, status);
    tn_diag_add_count(status, "Events in window", events);
    tn_diag_add_count(status, "Events since startup", f->count);
    tn_diag_add(status, "Duration of window (s)", "%f", window_s);
    tn_diag_add(status, "Actual frequency (Hz)", "%f", hz);
    add_bounds(f, status);
}

// ---- Timestamp Status ----

void tn_diag_timestamp_tick(struct tn_diag_timestamp *timestamp, int64_t stamp_ros_ns,
                            int64_t now_ros_ns)
{
    if (stamp_ros_ns == 0) {
        timestamp->has_zero = true;
        return;
    }
    double delta_s = tn_ns_to_seconds(tn_ns_sub(now_ros_ns, stamp_ros_ns));
    if (!timestamp->has_delta || delta_s > timestamp->max_delta_s)
        timestamp->max_delta_s = delta_s;
    if (!timestamp->has_delta || delta_s < timestamp->min_delta_s)
        timestamp->min_delta_s = delta_s;
    timestamp->has_delta = true;
}

static void judge_timestamps(struct tn_diag_timestamp *t, struct tn_diag_status *status)
{
    tn_diag_summary(status, TN_DIAG_OK, "Timestamps are reasonable.");
    if (!t->has_delta) {
        tn_diag_summary(status, TN_DIAG_WARN, "No data since last update.");
        return;
    }
    // the last complaint is the one that is read, as in diagnostic_updater
    if (t->min_delta_s < t->min_acceptable_s) {
        tn_diag_summary(status, TN_DIAG_ERROR, "Timestamps too far in future seen.");
        t->early++;
    }
    if (t->max_delta_s > t->max_acceptable_s) {
        tn_diag_summary(status, TN_DIAG_ERROR, "Timestamps too far in past seen.");
        t->late++;
    }
    if (t->has_zero) {
        tn_diag_summary(status, TN_DIAG_ERROR, "Zero timestamp seen.");
        t->zero++;
    }
}

void tn_diag_timestamp_run(void *timestamp, struct tn_diag_status *status, int64_t now_steady_ns)
{
    struct tn_diag_timestamp *t = timestamp;
    (void)now_steady_ns;
    judge_timestamps(t, status);
    tn_diag_add(status, "Earliest timestamp delay:", "%f", t->min_delta_s);
    tn_diag_add(status, "Latest timestamp delay:", "%f", t->max_delta_s);
    tn_diag_add(status, "Earliest acceptable timestamp delay:", "%f", t->min_acceptable_s);
    tn_diag_add(status, "Latest acceptable timestamp delay:", "%f", t->max_acceptable_s);
    tn_diag_add_count(status, "Late diagnostic update count:", t->late);
    tn_diag_add_count(status, "Early diagnostic update count:", t->early);
    tn_diag_add_count(status, "Zero seen diagnostic update count:", t->zero);
    t->has_delta = false;
    t->has_zero = false;
    t->min_delta_s = 0.0;
    t->max_delta_s = 0.0;
}

// ---- Heartbeat, composite ----

void tn_diag_heartbeat_run(void *unused, struct tn_diag_status *status, int64_t now_steady_ns)
{
    (void)unused;
    (void)now_steady_ns;
    tn_diag_summary(status, TN_DIAG_OK, "Alive");
}

void tn_diag_composite_run(void *composite, struct tn_diag_status *status, int64_t now_steady_ns)
{
    const struct tn_diag_composite *c = composite;
    struct tn_diag_status original = *status, combined = *status;
    tn_diag_clear_summary(&combined);
    for (uint32_t i = 0; i < c->n_parts && i < TN_ARRAY_SIZE(c->parts); i++) {
        // each part finds the summary that was there before
        tn_diag_summary(status, original.level, "%s", original.message);
        c->parts[i].run(c->parts[i].context, status, now_steady_ns);
        tn_diag_merge(&combined, status->level, "%s", status->message);
    }
    tn_diag_summary(status, combined.level, "%s", combined.message);
}
