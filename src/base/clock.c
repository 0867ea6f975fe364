// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <math.h>
#include <time.h>

static int64_t read_clock(clockid_t id)
{
    struct timespec now = {0};
    (void)clock_gettime(id, &now);
    return (int64_t)now.tv_sec * TN_NS_PER_S + now.tv_nsec;
}

int64_t tn_clock_steady_now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t tn_clock_wall_now_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

static int64_t system_steady_ns(void *context)
{
    (void)context;
    return tn_clock_steady_now_ns();
}

static int64_t system_wall_ns(void *context)
{
    (void)context;
    return tn_clock_wall_now_ns();
}

struct tn_clock tn_clock_system(void)
{
    return (struct tn_clock){system_steady_ns, system_wall_ns, NULL};
}

static int64_t sim_steady_ns(void *context)
{
    return ((const struct tn_sim_clock *)context)->steady_ns;
}

static int64_t sim_wall_ns(void *context)
{
    return ((const struct tn_sim_clock *)context)->wall_ns;
}

struct tn_clock tn_sim_clock_as_clock(struct tn_sim_clock *sim)
{
    return (struct tn_clock){sim_steady_ns, sim_wall_ns, sim};
}

void tn_sim_clock_advance(struct tn_sim_clock *sim, int64_t delta_ns)
{
    sim->steady_ns = tn_ns_add(sim->steady_ns, delta_ns);
    sim->wall_ns = tn_ns_add(sim->wall_ns, delta_ns);
}

int64_t tn_seconds_to_ns(double seconds_s)
{
    if (isnan(seconds_s))
        return 0;
    const double ns = seconds_s * 1e9;
    // 2^63 is exact in a double, INT64_MAX is not
    if (ns >= 9223372036854775808.0)
        return INT64_MAX;
    if (ns <= -9223372036854775808.0)
        return INT64_MIN;
    return (int64_t)llround(ns);
}

double tn_ns_to_seconds(int64_t ns)
{
    // whole and fractional part apart keep sub-ns exactness for wall times
    return (double)(ns / TN_NS_PER_S) + (double)(ns % TN_NS_PER_S) * 1e-9;
}

int64_t tn_ns_add(int64_t a_ns, int64_t b_ns)
{
    if (b_ns > 0 && a_ns > INT64_MAX - b_ns)
        return INT64_MAX;
    if (b_ns < 0 && a_ns < INT64_MIN - b_ns)
        return INT64_MIN;
    return a_ns + b_ns;
}

int64_t tn_ns_sub(int64_t a_ns, int64_t b_ns)
{
    if (b_ns < 0 && a_ns > INT64_MAX + b_ns)
        return INT64_MAX;
    if (b_ns > 0 && a_ns < INT64_MIN + b_ns)
        return INT64_MIN;
    return a_ns - b_ns;
}
