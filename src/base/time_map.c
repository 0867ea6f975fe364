// SPDX-License-Identifier: Apache-2.0
#include "base/time_map.h"

#include <math.h>
#include <string.h>

#define MAX_DRIFT (TN_TIME_MAP_MAX_DRIFT_PPM * 1e-6)

// a smoothed quantile moves by this share of itself per sample, at least by the minimum
#define JITTER_GAIN        (1.0 / 16.0)
#define JITTER_MIN_STEP_NS 10000.0

void tn_time_map_reset(struct tn_time_map *map)
{
    const uint32_t restarts = map->restarts;
    *map = (struct tn_time_map){.restarts = restarts};
}

// a double as int64, saturated
static int64_t to_i64(double value)
{
    if (value >= 9223372036854775807.0)
        return INT64_MAX;
    if (value <= -9223372036854775808.0)
        return INT64_MIN;
    return (int64_t)llround(value);
}

// the line: smallest delay to be expected at this source time
static int64_t line_delay(const struct tn_time_map *map, int64_t source_ns)
{
    const double since_ns = (double)tn_ns_sub(source_ns, map->reference_source_ns);
    return tn_ns_add(map->offset_ns, to_i64(map->drift * since_ns));
}

// ---- buckets ----

static void open_bucket(struct tn_time_map *map, int64_t source_ns, int64_t steady_ns,
                        int64_t delay_ns)
{
    map->newest = (map->newest + 1) % TN_TIME_MAP_BUCKETS;
    map->buckets[map->newest] = (struct tn_time_map_bucket){.start_steady_ns = steady_ns,
                                                            .min_delay_ns = delay_ns,
                                                            .at_source_ns = source_ns,
                                                            .is_used = true};
}

// true when the set of minima changed
static bool expire_buckets(struct tn_time_map *map, int64_t steady_ns)
{
    bool changed = false;
    for (int i = 0; i < TN_TIME_MAP_BUCKETS; i++) {
        struct tn_time_map_bucket *bucket = &map->buckets[i];
        const int64_t age_ns = tn_ns_sub(steady_ns, bucket->start_steady_ns);
        if (bucket->is_used && age_ns > TN_TIME_MAP_BUCKETS * TN_TIME_MAP_BUCKET_NS) {
            bucket->is_used = false;
            changed = true;
        }
    }
    return changed;
}

// stops the ageing of the minima for the time since the last sample
static void hold_buckets(struct tn_time_map *map, int64_t steady_ns)
{
    const int64_t since_ns = tn_ns_sub(steady_ns, map->last_steady_ns);
    for (int i = 0; since_ns > 0 && i < TN_TIME_MAP_BUCKETS; i++)
        map->buckets[i].start_steady_ns = tn_ns_add(map->buckets[i].start_steady_ns, since_ns);
}

static bool has_buckets(const struct tn_time_map *map)
{
    for (int i = 0; i < TN_TIME_MAP_BUCKETS; i++)
        if (map->buckets[i].is_used)
            return true;
    return false;
}

// true when the set of minima changed
static bool add_to_buckets(struct tn_time_map *map, int64_t source_ns, int64_t steady_ns,
                           int64_t delay_ns)
{
    struct tn_time_map_bucket *bucket = &map->buckets[map->newest];
    if (!bucket->is_used ||
        tn_ns_sub(steady_ns, bucket->start_steady_ns) >= TN_TIME_MAP_BUCKET_NS) {
        open_bucket(map, source_ns, steady_ns, delay_ns);
        return true;
    }
    if (delay_ns >= bucket->min_delay_ns)
        return false;
    bucket->min_delay_ns = delay_ns;
    bucket->at_source_ns = source_ns;
    return true;
}

// ---- the line below the minima ----

// a minimum relative to the first one: small numbers keep their digits
struct point {
    double x_ns, y_ns;
    int64_t source_ns, delay_ns;
};

// oldest first; the source times ascend because reordered samples never enter
static int collect_points(const struct tn_time_map *map, struct point points[TN_TIME_MAP_BUCKETS])
{
    int n = 0;
    for (uint32_t i = 1; i <= TN_TIME_MAP_BUCKETS; i++) {
        const struct tn_time_map_bucket *bucket =
            &map->buckets[(map->newest + i) % TN_TIME_MAP_BUCKETS];
        if (!bucket->is_used)
            continue;
        struct point *p = &points[n++];
        p->source_ns = bucket->at_source_ns;
        p->delay_ns = bucket->min_delay_ns;
        p->x_ns = (double)tn_ns_sub(p->source_ns, points[0].source_ns);
        p->y_ns = (double)tn_ns_sub(p->delay_ns, points[0].delay_ns);
    }
    return n;
}

static double cross(const struct point *a, const struct point *b, const struct point *c)
{
    return (b->x_ns - a->x_ns) * (c->y_ns - a->y_ns) - (b->y_ns - a->y_ns) * (c->x_ns - a->x_ns);
}

// monotone chain, in place; returns the number of corners
static int lower_hull(struct point *points, int n)
{
    int corners = 0;
    for (int i = 0; i < n; i++) {
        const struct point next = points[i];
        while (corners >= 2 && cross(&points[corners - 2], &points[corners - 1], &next) <= 0)
            corners--;
        points[corners++] = next;
    }
    return corners;
}

// slope of the hull edge above which the mean of all x lies
static double middle_slope(const struct point *hull, int corners, double mean_x_ns)
{
    int edge = 0;
    while (edge + 2 < corners && hull[edge + 1].x_ns < mean_x_ns)
        edge++;
    const double run_ns = hull[edge + 1].x_ns - hull[edge].x_ns;
    return run_ns > 0 ? (hull[edge + 1].y_ns - hull[edge].y_ns) / run_ns : 0;
}

static void fit_line(struct tn_time_map *map)
{
    struct point points[TN_TIME_MAP_BUCKETS];
    const int n = collect_points(map, points);
    if (n == 0)
        return;
    double mean_x_ns = 0;
    for (int i = 0; i < n; i++)
        mean_x_ns += points[i].x_ns / n;
    const int corners = lower_hull(points, n);
    double slope = corners >= 2 ? middle_slope(points, corners, mean_x_ns) : 0;
    slope = fmin(fmax(slope, -MAX_DRIFT), MAX_DRIFT);
    // a cut slope touches the hull at another corner: the one it is lowest over
    int touch = 0;
    for (int i = 1; i < corners; i++)
        if (points[i].y_ns - slope * points[i].x_ns <
            points[touch].y_ns - slope * points[touch].x_ns)
            touch = i;
    map->drift = slope;
    map->reference_source_ns = points[touch].source_ns;
    map->offset_ns = points[touch].delay_ns;
}

// ---- restarts ----

static void begin(struct tn_time_map *map, int64_t source_ns, int64_t steady_ns)
{
    const uint32_t restarts = map->restarts;
    *map = (struct tn_time_map){.restarts = restarts,
                                .has_data = true,
                                .first_source_ns = source_ns,
                                .first_steady_ns = steady_ns,
                                .last_source_ns = source_ns,
                                .last_steady_ns = steady_ns};
    open_bucket(map, source_ns, steady_ns, tn_ns_sub(steady_ns, source_ns));
    fit_line(map);
}

static enum tn_result restart(struct tn_time_map *map, int64_t source_ns, int64_t steady_ns)
{
    begin(map, source_ns, steady_ns);
    map->restarts += map->restarts < UINT32_MAX ? 1 : 0;
    return TN_ERR_CLOCK_STEP;
}

// the samples of the run are the first ones on the new clock: their time counts already
static enum tn_result restart_from_run(struct tn_time_map *map, int64_t source_ns,
                                       int64_t steady_ns)
{
    const struct tn_time_map_run run = map->late_run;
    (void)restart(map, run.first_source_ns, run.first_steady_ns);
    map->last_source_ns = source_ns;
    map->last_steady_ns = steady_ns;
    map->buckets[map->newest].min_delay_ns = run.min_delay_ns;
    map->buckets[map->newest].at_source_ns = run.min_source_ns;
    fit_line(map);
    return TN_ERR_CLOCK_STEP;
}

static void begin_run(struct tn_time_map *map, int64_t source_ns, int64_t steady_ns,
                      int64_t delay_ns)
{
    map->late_run = (struct tn_time_map_run){.n_samples = 1,
                                             .first_source_ns = source_ns,
                                             .last_source_ns = source_ns,
                                             .first_steady_ns = steady_ns,
                                             .first_delay_ns = delay_ns,
                                             .min_delay_ns = delay_ns,
                                             .min_source_ns = source_ns};
}

// counts a late sample; true when the run cannot be a back-log any more
static bool run_is_step(struct tn_time_map *map, int64_t source_ns, int64_t steady_ns,
                        int64_t delay_ns)
{
    struct tn_time_map_run *run = &map->late_run;
    const bool falls = tn_ns_sub(run->first_delay_ns, delay_ns) > TN_TIME_MAP_FALL_NS;
    if (run->n_samples == 0 || source_ns < run->last_source_ns || falls) {
        begin_run(map, source_ns, steady_ns, delay_ns);
        return false;
    }
    run->n_samples += run->n_samples < UINT32_MAX ? 1 : 0;
    run->last_source_ns = source_ns;
    if (delay_ns < run->min_delay_ns) {
        run->min_delay_ns = delay_ns;
        run->min_source_ns = source_ns;
    }
    return run->n_samples >= TN_TIME_MAP_RUN &&
           tn_ns_sub(source_ns, run->first_source_ns) >= TN_TIME_MAP_RUN_NS &&
           tn_ns_sub(steady_ns, run->first_steady_ns) >= TN_TIME_MAP_RUN_NS;
}

// ---- one sample ----

static void follow_jitter(struct tn_time_map *map, int64_t residual_ns)
{
    const double now_ns = (double)map->jitter_p95_ns;
    const double step_ns = fmax(now_ns * JITTER_GAIN, JITTER_MIN_STEP_NS);
    const double share = residual_ns > map->jitter_p95_ns ? 0.95 : -0.05;
    map->jitter_p95_ns = to_i64(fmax(now_ns + share * step_ns, 0));
}

static bool has_enough_data(const struct tn_time_map *map)
{
    return tn_ns_sub(map->last_steady_ns, map->first_steady_ns) >= TN_TIME_MAP_ESTABLISH_NS &&
           tn_ns_sub(map->last_source_ns, map->first_source_ns) >= TN_TIME_MAP_ESTABLISH_NS;
}

// A sample in order that belongs to the present clock. A late one teaches nothing: if it entered,
// or let older minima expire, a long back-log would become the new measure of "fresh".
static enum tn_result accept(struct tn_time_map *map, int64_t source_ns, int64_t steady_ns,
                             bool is_late, int64_t *out_sample_ns)
{
    const int64_t delay_ns = tn_ns_sub(steady_ns, source_ns);
    if (is_late)
        hold_buckets(map, steady_ns);
    map->last_source_ns = source_ns;
    map->last_steady_ns = steady_ns;
    if (!is_late && add_to_buckets(map, source_ns, steady_ns, delay_ns))
        fit_line(map);
    map->is_valid = map->is_valid || has_enough_data(map);
    if (!map->is_valid)
        return TN_ERR_STALE;
    const int64_t line_ns = line_delay(map, source_ns);
    follow_jitter(map, tn_ns_sub(delay_ns, line_ns));
    const int64_t mapped_ns = tn_ns_add(source_ns, line_ns);
    *out_sample_ns = mapped_ns < steady_ns ? mapped_ns : steady_ns;
    return TN_OK;
}

// the minima of a long time ago say nothing about a sample that is not late by them
static bool forget_old_minima(struct tn_time_map *map, int64_t steady_ns)
{
    if (expire_buckets(map, steady_ns))
        fit_line(map);
    return has_buckets(map);
}

static enum tn_result update_late(struct tn_time_map *map, int64_t source_ns, int64_t steady_ns,
                                  int64_t *out_sample_ns)
{
    if (run_is_step(map, source_ns, steady_ns, tn_ns_sub(steady_ns, source_ns)))
        return restart_from_run(map, source_ns, steady_ns);
    if (source_ns < map->last_source_ns)
        return TN_ERR_REORDERED;
    return accept(map, source_ns, steady_ns, true, out_sample_ns);
}

enum tn_result tn_time_map_update(struct tn_time_map *map, int64_t source_ns,
                                  int64_t receive_steady_ns, int64_t *out_sample_ns)
{
    if (!map->has_data) {
        begin(map, source_ns, receive_steady_ns);
        return TN_ERR_STALE;
    }
    // the steady clock never runs back by this much: the caller changed clocks
    if (tn_ns_sub(map->last_steady_ns, receive_steady_ns) > TN_TIME_MAP_BUCKET_NS)
        return restart(map, source_ns, receive_steady_ns);
    const int64_t delay_ns = tn_ns_sub(receive_steady_ns, source_ns);
    const int64_t residual_ns = tn_ns_sub(delay_ns, line_delay(map, source_ns));
    if (residual_ns > TN_TIME_MAP_LATE_NS)
        return update_late(map, source_ns, receive_steady_ns, out_sample_ns);
    if (source_ns < map->last_source_ns)
        return TN_ERR_REORDERED;
    map->late_run.n_samples = 0;
    // while the map is being established a smaller delay is simply a better one
    if (map->is_valid && residual_ns < -TN_TIME_MAP_STEP_NS)
        return restart(map, source_ns, receive_steady_ns);
    if (!forget_old_minima(map, receive_steady_ns)) {
        begin(map, source_ns, receive_steady_ns);
        return TN_ERR_STALE;
    }
    return accept(map, source_ns, receive_steady_ns, false, out_sample_ns);
}

enum tn_result tn_time_map_apply(const struct tn_time_map *map, int64_t source_ns,
                                 int64_t *out_steady_ns)
{
    if (!map->is_valid)
        return TN_ERR_STALE;
    *out_steady_ns = tn_ns_add(source_ns, line_delay(map, source_ns));
    return TN_OK;
}
