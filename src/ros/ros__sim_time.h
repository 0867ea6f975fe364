// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what `/clock` has said, and how old a stamp of its time is in real seconds. Pure: no
/// loop, no clock of its own.
///
/// Simulated time may stand still, run at any speed and jump, so nothing is computed from its rate:
/// a stamp is as old as the newest tick that it does not precede. Where a stamp could have been
/// made at several moments, the earliest counts:
///   - ticks of one value: the first of them; when that may have been lost, the tick before it;
///   - a stamp between two ticks: the earlier tick;
///   - a tick whose moment is not known (its writer's time map is not established) does not count;
///   - a stamp older than what is remembered, or inside a jump forward, has no age at all.
/// So an age is never too small, and up to one tick too large.
#ifndef TN_ROS_ROS__SIM_TIME_H
#define TN_ROS_ROS__SIM_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/result.h"

/// Ticks that are remembered; ticks of less than TN_ROS__TICK_APART_NS after the last one that is
/// remembered are not, so that a fast clock is remembered for 2 s as well.
#define TN_ROS__TICKS         1024u
#define TN_ROS__TICK_APART_NS (2 * TN_NS_PER_MS)
/// A step forward beyond this is a jump: no stamp in between was ever made.
#define TN_ROS__TICK_JUMP_NS TN_NS_PER_S
/// A stamp may be ahead of the last tick by the last step, at most by this: its writer has heard a
/// tick that has not arrived here.
#define TN_ROS__TICK_AHEAD_NS (100 * TN_NS_PER_MS)

/// One message of `/clock`.
struct tn_ros__heard {
    int64_t sim_ns;
    int64_t published_steady_ns; ///< of no meaning unless is_moment_known
    bool is_moment_known;        ///< the writer's time map is established
    bool is_next;                ///< nothing was lost between the last one and this
};

/// From `steady_ns` on the clock says `sim_ns` or more, and never before.
struct tn_ros__tick {
    int64_t sim_ns, steady_ns;
};

/// Plain data; zero-initialise.
struct tn_ros__sim_time {
    int64_t now_ns;     ///< of the last tick; 0: none yet
    int64_t step_ns;    ///< of the last step forward
    uint32_t n, newest; ///< ticks remembered, index of the last one
    struct tn_ros__tick ticks[TN_ROS__TICKS];
};

/// Forgets everything. @return nothing. Thread: one caller at a time. Allocates: never. Blocks:
/// never.
void tn_ros__sim_time_reset(struct tn_ros__sim_time *sim);

/// A tick of `/clock`. A step back forgets the ticks before it. @return nothing. Thread: one caller
/// at a time. Allocates: never. Blocks: never.
void tn_ros__sim_time_tick(struct tn_ros__sim_time *sim, const struct tn_ros__heard *heard);

/// @param out_age_ns   real ns, never less than the truth; negative: the stamp is ahead of the
///                     clock, by this much of simulated time
/// @return TN_OK; TN_ERR_STALE: nothing is known about the stamp. Thread: one caller at a time.
/// Allocates: never. Blocks: never. Cost: O(log ticks).
TN_NODISCARD enum tn_result tn_ros__sim_time_age(const struct tn_ros__sim_time *sim,
                                                 int64_t stamp_ros_ns, int64_t now_steady_ns,
                                                 int64_t *out_age_ns);

/// @return what the clock said at a steady moment, never later than the last tick; the earliest
/// that is remembered for a moment before that. Thread: one caller at a time. Allocates: never.
/// Blocks: never. Cost: O(ticks since).
int64_t tn_ros__sim_time_at(const struct tn_ros__sim_time *sim, int64_t steady_ns);

#endif
