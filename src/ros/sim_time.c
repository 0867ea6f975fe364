// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "ros/ros__sim_time.h"

/// The i-th of the remembered ticks, from the oldest on.
static const struct tn_ros__tick *tick_at(const struct tn_ros__sim_time *sim, uint32_t i)
{
    return &sim->ticks[(sim->newest + TN_ROS__TICKS - (sim->n - 1) + i) % TN_ROS__TICKS];
}

void tn_ros__sim_time_reset(struct tn_ros__sim_time *sim)
{
    memset(sim, 0, sizeof *sim);
}

static void remember(struct tn_ros__sim_time *sim, struct tn_ros__tick tick)
{
    if (sim->n > 0) {
        const struct tn_ros__tick *last = &sim->ticks[sim->newest];
        // of ticks of one value the first counts; of ticks close together, too
        bool is_jump = tn_ns_sub(tick.sim_ns, last->sim_ns) > TN_ROS__TICK_JUMP_NS;
        bool is_close = tn_ns_sub(tick.steady_ns, last->steady_ns) < TN_ROS__TICK_APART_NS;
        if (tick.sim_ns <= last->sim_ns || (is_close && !is_jump))
            return;
    }
    sim->newest = sim->n == 0 ? 0 : (sim->newest + 1) % TN_ROS__TICKS;
    sim->ticks[sim->newest] = tick;
    sim->n += sim->n < TN_ROS__TICKS;
}

void tn_ros__sim_time_tick(struct tn_ros__sim_time *sim, const struct tn_ros__heard *heard)
{
    // time may have stood at this value since a message that was lost: then only what lies beyond
    // it is known to be new
    bool is_first = heard->is_next && heard->sim_ns != sim->now_ns;
    if (heard->sim_ns < sim->now_ns) {
        sim->n = 0;
        sim->step_ns = 0;
    } else if (heard->sim_ns > sim->now_ns) {
        sim->step_ns = heard->sim_ns - sim->now_ns;
    }
    sim->now_ns = heard->sim_ns;
    if (heard->is_moment_known && heard->sim_ns > 0)
        remember(sim, (struct tn_ros__tick){tn_ns_add(heard->sim_ns, !is_first),
                                            heard->published_steady_ns});
}

/// The number of remembered ticks that a stamp does not precede.
static uint32_t count_until(const struct tn_ros__sim_time *sim, int64_t stamp_ros_ns)
{
    uint32_t low = 0, high = sim->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (tick_at(sim, middle)->sim_ns <= stamp_ros_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum tn_result tn_ros__sim_time_age(const struct tn_ros__sim_time *sim, int64_t stamp_ros_ns,
                                    int64_t now_steady_ns, int64_t *out_age_ns)
{
    int64_t ahead_ns = tn_ns_sub(stamp_ros_ns, sim->now_ns);
    int64_t allowed_ns =
        sim->step_ns < TN_ROS__TICK_AHEAD_NS ? sim->step_ns : TN_ROS__TICK_AHEAD_NS;
    if (sim->now_ns <= 0)
        return TN_ERR_STALE;
    if (ahead_ns > allowed_ns) {
        *out_age_ns = -ahead_ns;
        return TN_OK;
    }
    uint32_t n = count_until(sim, stamp_ros_ns);
    if (n == 0)
        return TN_ERR_STALE;
    const struct tn_ros__tick *tick = tick_at(sim, n - 1);
    int64_t next_ns = n < sim->n ? tick_at(sim, n)->sim_ns : sim->now_ns;
    if (stamp_ros_ns > tick->sim_ns && stamp_ros_ns < next_ns &&
        tn_ns_sub(next_ns, tick->sim_ns) > TN_ROS__TICK_JUMP_NS)
        return TN_ERR_STALE;
    int64_t age_ns = tn_ns_sub(now_steady_ns, tick->steady_ns);
    *out_age_ns = age_ns > 0 ? age_ns : 0;
    return TN_OK;
}

int64_t tn_ros__sim_time_at(const struct tn_ros__sim_time *sim, int64_t steady_ns)
{
    if (sim->n == 0)
        return sim->now_ns;
    uint32_t i = sim->n;
    while (i > 1 && tick_at(sim, i - 1)->steady_ns > steady_ns)
        i--;
    return tick_at(sim, i - 1)->sim_ns;
}
