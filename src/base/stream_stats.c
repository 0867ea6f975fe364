// SPDX-License-Identifier: Apache-2.0
#include "base/stream_stats.h"

#include <string.h>

#include "base/clock.h"

static void restart(struct tn_stream_span *span, int64_t start_steady_ns)
{
    memset(span, 0, sizeof *span);
    span->start_steady_ns = start_steady_ns;
}

static int64_t start_of(const struct tn_stream_stats *stats, int64_t slot)
{
    return tn_ns_add(stats->origin_steady_ns, slot * TN_STREAM_WINDOW_NS);
}

/// The two spans take turns: span i starts anew with each slot of parity i. A clock running back
/// changes nothing.
static void advance(struct tn_stream_stats *stats, int64_t now_steady_ns)
{
    if (!stats->is_started) {
        stats->is_started = true;
        stats->origin_steady_ns = now_steady_ns;
        restart(&stats->spans[0], now_steady_ns);
        restart(&stats->spans[1], now_steady_ns);
        return;
    }
    int64_t slot = tn_ns_sub(now_steady_ns, stats->origin_steady_ns) / TN_STREAM_WINDOW_NS;
    if (slot <= stats->slot)
        return;
    // a long silence: what was before it is in no window any more
    if (slot > stats->slot + 1)
        restart(&stats->spans[(slot - 1) % 2], start_of(stats, slot - 1));
    restart(&stats->spans[slot % 2], start_of(stats, slot));
    stats->slot = slot;
}

// the older one
static const struct tn_stream_span *window(const struct tn_stream_stats *stats)
{
    return &stats->spans[(stats->slot + 1) % 2];
}

void tn_stream_stats_add(struct tn_stream_stats *stats, int64_t now_steady_ns)
{
    advance(stats, now_steady_ns);
    int64_t interval_ns = tn_ns_sub(now_steady_ns, stats->last_steady_ns);
    for (unsigned i = 0; i < 2; i++) {
        stats->spans[i].received++;
        stats->spans[i].distinct++;
        if (stats->has_sample)
            tn_histogram_add(&stats->spans[i].intervals, interval_ns);
    }
    if (stats->has_sample && interval_ns > stats->longest_gap_ns)
        stats->longest_gap_ns = interval_ns;
    stats->has_sample = true;
    stats->has_age = false;
    stats->last_steady_ns = now_steady_ns;
    stats->received++;
}

void tn_stream_stats_age(struct tn_stream_stats *stats, int64_t age_ns, int64_t now_steady_ns)
{
    advance(stats, now_steady_ns);
    if (age_ns < 0) {
        stats->negative_ages++;
        age_ns = 0;
    }
    stats->has_age = true;
    stats->last_age_ns = age_ns;
    for (unsigned i = 0; i < 2; i++)
        tn_histogram_add(&stats->spans[i].ages, age_ns);
}

enum tn_stream_verdict tn_stream_stats_number(struct tn_stream_stats *stats, uint64_t sequence,
                                              int64_t now_steady_ns)
{
    if (stats->has_sequence && sequence == stats->last_sequence) {
        tn_stream_stats_repeated(stats);
        return TN_STREAM_REPEATED;
    }
    if (stats->has_sequence && sequence < stats->last_sequence) {
        tn_stream_stats_reordered(stats);
        return TN_STREAM_REORDERED;
    }
    uint64_t missing = stats->has_sequence ? sequence - stats->last_sequence - 1 : 0;
    tn_stream_stats_missing(stats, missing, now_steady_ns);
    stats->has_sequence = true;
    stats->last_sequence = sequence;
    return TN_STREAM_NEW;
}

void tn_stream_stats_missing(struct tn_stream_stats *stats, uint64_t n, int64_t now_steady_ns)
{
    advance(stats, now_steady_ns);
    stats->missing += n;
    stats->missing_run_now = n;
    if (n > stats->missing_run_max)
        stats->missing_run_max = n;
    for (unsigned i = 0; i < 2; i++)
        stats->spans[i].missing += n;
}

static void count_received(struct tn_stream_stats *stats)
{
    stats->received++;
    stats->spans[0].received++;
    stats->spans[1].received++;
}

void tn_stream_stats_repeated(struct tn_stream_stats *stats)
{
    count_received(stats);
    stats->repeated++;
}

void tn_stream_stats_reordered(struct tn_stream_stats *stats)
{
    count_received(stats);
    stats->reordered++;
}

void tn_stream_stats_reconnect(struct tn_stream_stats *stats)
{
    stats->reconnects++;
    stats->has_sequence = false;
    stats->missing_run_now = 0;
}

static double rate_of(uint64_t n, int64_t span_ns)
{
    return span_ns > 0 ? (double)n / tn_ns_to_seconds(span_ns) : 0.0;
}

static double share_of(uint64_t missing, uint64_t distinct)
{
    double expected = (double)missing + (double)distinct;
    return expected > 0.0 ? (double)missing / expected : 0.0;
}

static void report_counts(const struct tn_stream_stats *stats, struct tn_stream_report *out)
{
    out->received = stats->received;
    out->distinct = stats->received - stats->repeated - stats->reordered;
    out->missing = stats->missing;
    out->repeated = stats->repeated;
    out->reordered = stats->reordered;
    out->reconnects = stats->reconnects;
    out->negative_ages = stats->negative_ages;
    out->missing_run_now = stats->missing_run_now;
    out->missing_run_max = stats->missing_run_max;
}

static void report_window(const struct tn_stream_span *span, int64_t now_steady_ns,
                          struct tn_stream_report *out)
{
    int64_t window_ns = tn_ns_sub(now_steady_ns, span->start_steady_ns);
    // the very first sample starts the window and ends no interval
    uint64_t first = span->distinct - span->intervals.count;
    out->window_ns = window_ns > 0 ? window_ns : 0;
    out->distinct_hz = rate_of(span->intervals.count, out->window_ns);
    out->received_hz = rate_of(span->received - first, out->window_ns);
    out->interval_p50_ns = tn_histogram_quantile_ns(&span->intervals, 0.5);
    out->interval_p95_ns = tn_histogram_quantile_ns(&span->intervals, 0.95);
    out->interval_p99_ns = tn_histogram_quantile_ns(&span->intervals, 0.99);
    out->interval_max_ns = span->intervals.max_ns;
    out->n_ages = span->ages.count;
    out->age_p50_ns = tn_histogram_quantile_ns(&span->ages, 0.5);
    out->age_p99_ns = tn_histogram_quantile_ns(&span->ages, 0.99);
    out->missing_share = share_of(span->missing, span->distinct);
}

void tn_stream_stats_report(struct tn_stream_stats *stats, int64_t now_steady_ns,
                            struct tn_stream_report *out_report)
{
    struct tn_stream_report r = {.has_sample = stats->has_sample, .has_age = stats->has_age};
    report_counts(stats, &r);
    if (stats->has_sample) {
        advance(stats, now_steady_ns);
        report_window(window(stats), now_steady_ns, &r);
        int64_t silence_ns = tn_ns_sub(now_steady_ns, stats->last_steady_ns);
        r.silence_ns = silence_ns > 0 ? silence_ns : 0;
        r.longest_gap_ns =
            r.silence_ns > stats->longest_gap_ns ? r.silence_ns : stats->longest_gap_ns;
        r.age_ns = stats->has_age ? tn_ns_add(stats->last_age_ns, r.silence_ns) : 0;
    }
    *out_report = r;
}
