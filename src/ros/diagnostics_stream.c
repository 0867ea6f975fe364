// SPDX-License-Identifier: Apache-2.0
// Our tasks: one stream of samples.
#include <stdio.h>

#include "ros/diagnostics_tasks.h"

// a rate over less than this is no rate
#define RATE_SPAN_MIN_NS TN_NS_PER_S

struct tn_diag_stream_limits tn_diag_stream_limits_default(void)
{
    return (struct tn_diag_stream_limits){
        .warn_rate = 0.9,
        .error_rate = 0.5,
        .stale_ns = 200 * TN_NS_PER_MS,
        .lost_ns = TN_NS_PER_S,
        .never = TN_DIAG_STALE,
        .stale = TN_DIAG_WARN,
        .lost = TN_DIAG_ERROR,
        .age_warn_ns = 100 * TN_NS_PER_MS,
        .age_error_ns = 200 * TN_NS_PER_MS,
        .missing_warn = 0.01,
        .missing_error = 0.1,
    };
}

static void add_ms(struct tn_diag_status *status, const char *key, int64_t ns)
{
    tn_diag_add(status, key, "%.3f", (double)ns / (double)TN_NS_PER_MS);
}

// ---- rate and silence ----

static void judge_rate(const struct tn_diag_stream_limits *limits, const struct tn_stream_report *r,
                       struct tn_diag_status *status)
{
    double share = limits->target_hz > 0.0 ? r->distinct_hz / limits->target_hz : 1.0;
    enum tn_diag_level level = share < limits->error_rate  ? TN_DIAG_ERROR
                               : share < limits->warn_rate ? TN_DIAG_WARN
                                                           : TN_DIAG_OK;
    if (level == TN_DIAG_OK || r->window_ns < RATE_SPAN_MIN_NS)
        tn_diag_summary(status, TN_DIAG_OK, "data arrives");
    else
        tn_diag_summary(status, level, "%.1f Hz of %.1f Hz", r->distinct_hz, limits->target_hz);
}

static void judge_arrival(const struct tn_diag_stream_limits *limits,
                          const struct tn_stream_report *r, struct tn_diag_status *status)
{
    if (!r->has_sample)
        tn_diag_summary(status, limits->never, "no data yet");
    else if (limits->lost_ns > 0 && r->silence_ns > limits->lost_ns)
        tn_diag_summary(status, limits->lost, "no data for %.1f s",
                        tn_ns_to_seconds(r->silence_ns));
    else if (limits->stale_ns > 0 && r->silence_ns > limits->stale_ns)
        tn_diag_summary(status, limits->stale, "no fresh data");
    else
        judge_rate(limits, r, status);
}

static void add_frequency(const struct tn_diag_stream_limits *limits,
                          const struct tn_stream_report *r, struct tn_diag_status *status)
{
    tn_diag_add(status, "Actual frequency (Hz)", "%.3f", r->received_hz);
    if (limits->target_hz > 0.0)
        tn_diag_add(status, "Target frequency (Hz)", "%.3f", limits->target_hz);
    tn_diag_add(status, "distinct_hz", "%.3f", r->distinct_hz);
    add_ms(status, "interval_p50_ms", r->interval_p50_ns);
    add_ms(status, "interval_p95_ms", r->interval_p95_ns);
    add_ms(status, "interval_p99_ms", r->interval_p99_ns);
    add_ms(status, "interval_max_ms", r->interval_max_ns);
    add_ms(status, "longest_gap_ms", r->longest_gap_ns);
}

// ---- stamps and ages ----

static void merge_ages(const struct tn_diag_stream_limits *limits, const struct tn_stream_report *r,
                       struct tn_diag_status *status)
{
    bool is_error = limits->age_error_ns > 0 && r->age_p99_ns > limits->age_error_ns;
    bool is_warn = limits->age_warn_ns > 0 && r->age_p99_ns > limits->age_warn_ns;
    if (is_error || is_warn)
        tn_diag_merge(status, is_error ? TN_DIAG_ERROR : TN_DIAG_WARN, "ages up to %.0f ms",
                      (double)r->age_p99_ns / (double)TN_NS_PER_MS);
}

static void add_timestamp(const char *stamp_kind, const struct tn_stream_report *r,
                          struct tn_diag_status *status)
{
    if (stamp_kind != NULL)
        tn_diag_add(status, "stamp_kind", "%s", stamp_kind);
    // an age nobody knows is left out, it is not 0
    if (r->has_age)
        add_ms(status, "age_ms", r->age_ns);
    if (r->n_ages > 0) {
        add_ms(status, "age_ms_p50", r->age_p50_ns);
        add_ms(status, "age_ms_p99", r->age_p99_ns);
    }
    tn_diag_add_count(status, "negative_ages", r->negative_ages);
}

// ---- what was lost ----

static void merge_missing(const struct tn_diag_stream_limits *limits,
                          const struct tn_stream_report *r, struct tn_diag_status *status)
{
    bool is_error = limits->missing_error > 0.0 && r->missing_share > limits->missing_error;
    bool is_warn = limits->missing_warn > 0.0 && r->missing_share > limits->missing_warn;
    if (is_error || is_warn)
        tn_diag_merge(status, is_error ? TN_DIAG_ERROR : TN_DIAG_WARN, "%.1f %% missing",
                      100.0 * r->missing_share);
}

static void add_frames(bool is_numbered, const struct tn_stream_report *r,
                       struct tn_diag_status *status)
{
    tn_diag_add_count(status, "received", r->received);
    tn_diag_add_count(status, "reconnects", r->reconnects);
    // where nobody can know them they are left out, they are not 0
    if (!is_numbered)
        return;
    tn_diag_add_count(status, "distinct", r->distinct);
    tn_diag_add_count(status, "missing", r->missing);
    tn_diag_add_count(status, "missing_run_now", r->missing_run_now);
    tn_diag_add_count(status, "missing_run_max", r->missing_run_max);
    tn_diag_add_count(status, "repeated", r->repeated);
    tn_diag_add_count(status, "reordered", r->reordered);
}

// ---- the tasks ----

void tn_diag_stream_frequency_run(void *stream, struct tn_diag_status *status,
                                  int64_t now_steady_ns)
{
    struct tn_diag_stream *s = stream;
    struct tn_stream_report r;
    tn_stream_stats_report(&s->stats, now_steady_ns, &r);
    judge_arrival(&s->limits, &r, status);
    add_frequency(&s->limits, &r, status);
}

void tn_diag_stream_timestamp_run(void *stream, struct tn_diag_status *status,
                                  int64_t now_steady_ns)
{
    struct tn_diag_stream *s = stream;
    struct tn_stream_report r;
    tn_stream_stats_report(&s->stats, now_steady_ns, &r);
    tn_diag_summary(status, TN_DIAG_OK, r.has_age ? "ages are known" : "no age is known");
    merge_ages(&s->limits, &r, status);
    add_timestamp(s->stamp_kind, &r, status);
}

void tn_diag_stream_frames_run(void *stream, struct tn_diag_status *status, int64_t now_steady_ns)
{
    struct tn_diag_stream *s = stream;
    struct tn_stream_report r;
    tn_stream_stats_report(&s->stats, now_steady_ns, &r);
    tn_diag_summary(status, TN_DIAG_OK, r.missing_share > 0.0 ? "few are missing" : "none missing");
    merge_missing(&s->limits, &r, status);
    add_frames(s->is_numbered, &r, status);
}

void tn_diag_stream_run(void *stream, struct tn_diag_status *status, int64_t now_steady_ns)
{
    struct tn_diag_stream *s = stream;
    struct tn_stream_report r;
    tn_stream_stats_report(&s->stats, now_steady_ns, &r);
    judge_arrival(&s->limits, &r, status);
    merge_ages(&s->limits, &r, status);
    merge_missing(&s->limits, &r, status);
    add_frequency(&s->limits, &r, status);
    add_timestamp(s->stamp_kind, &r, status);
    add_frames(s->is_numbered, &r, status);
}
