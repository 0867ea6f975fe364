// SPDX-License-Identifier: Apache-2.0
/// @file
/// ROS time of a node: wall time, or with `use_sim_time` what `/clock` says.
///
/// With use_sim_time the node subscribes `/clock` (rosgraph_msgs/Clock, best effort, keep last 1).
/// Its time is 0 until the first message, stands still while `/clock` does, and follows it at any
/// speed and in both directions. The parameter may be set while the node runs.
///
/// **What simulated time never touches**: loop timers, watchdogs, timeouts of calls, and ages. They
/// live on the steady clock. How old a stamp of simulated time is in real seconds is told by
/// tn_ros_stamp_age().
#ifndef TN_ROS_CLOCK_H
#define TN_ROS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"

struct tn_ros_node;

/// @return ROS time now, ns: wall time, or with use_sim_time the last `/clock`, 0 before the first.
/// Thread: the loop's. Allocates: never. Blocks: never.
int64_t tn_ros_node_now_ros_ns(const struct tn_ros_node *node);

/// The stamp of something that was measured at a steady moment up to now.
/// @return ROS time then, ns; with use_sim_time the last tick published until then.
/// Thread: the loop's. Allocates: never. Blocks: never.
int64_t tn_ros_node_ros_at(const struct tn_ros_node *node, int64_t steady_ns);

/// @return whether ROS time is simulated. Thread: the loop's. Allocates: never. Blocks: never.
bool tn_ros_node_is_sim_time(const struct tn_ros_node *node);

// ---- jumps ----

/// Numbers of rcl_clock_change_t.
enum tn_ros_clock_change {
    TN_ROS_TIME_NO_CHANGE = 1,  ///< simulated time moved
    TN_ROS_TIME_ACTIVATED = 2,  ///< from wall time to simulated time
    TN_ROS_TIME_DEACTIVATED = 3 ///< from simulated time to wall time
};

struct tn_ros_jump {
    enum tn_ros_clock_change change;
    int64_t delta_ns; ///< new minus old time; 0 for a change of clocks, as in rcl
};

/// Which jumps count.
struct tn_ros_jump_threshold {
    bool on_clock_change;
    int64_t min_forward_ns;  ///< > 0: steps of at least this; 0: none
    int64_t min_backward_ns; ///< < 0: steps back of at least this; 0: none
};

/// Called before and after the time changes; tn_ros_node_now_ros_ns() is the old and the new time.
typedef void (*tn_ros_jump_fn)(void *context, const struct tn_ros_jump *jump, bool is_before);

/// Caller's storage; zero-initialise before its first start, leave where it is until stopped.
struct tn_ros_jump_handle {
    struct tn_ros_node *node; ///< NULL: not started
    struct tn_ros_jump_handle *next, *prev;
    struct tn_ros_jump_threshold threshold;
    tn_ros_jump_fn callback;
    void *context;
};

/// Watches the node's clock until stopped, or until the node goes.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: a threshold has the wrong sign; TN_ERR_EXISTS: started
/// already. Thread: the loop's. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_jump_start(struct tn_ros_node *node,
                                              struct tn_ros_jump_handle *handle,
                                              struct tn_ros_jump_threshold threshold,
                                              tn_ros_jump_fn callback, void *context);

/// Harmless on a stopped or zeroed handle; may be called inside a callback. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_jump_stop(struct tn_ros_jump_handle *handle);

// ---- timers on ROS time ----

/// @param since_ros_ns   ROS time since the last call (since the start for the first)
typedef void (*tn_ros_timer_fn)(void *context, int64_t since_ros_ns);

/// Caller's storage; zero-initialise before its first start, leave where it is until stopped.
struct tn_ros_timer {
    struct tn_ros_node *node; ///< NULL: not started
    struct tn_ros_timer *next, *prev;
    tn_ros_timer_fn callback;
    void *context;
    int64_t period_ns;
    int64_t last_ros_ns, next_ros_ns;
    int64_t credit_ns; ///< what was left of the period when the clock changed
    bool has_credit, is_due;
};

/// Starts (or restarts) a timer that fires every `period_ns` of ROS time, as rclcpp::create_timer
/// with the node's clock: while `/clock` stands still it does not fire; a jump forward over several
/// periods is one call; after a jump back behind the last call it fires one period later; when the
/// clock changes between wall and simulated time the rest of the period remains. Without simulated
/// time it follows wall time, also where that is set back. For anything that guards something use
/// tn_loop_timer_start() instead.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: period not positive. Thread: the loop's. Allocates:
/// never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_timer_start(struct tn_ros_node *node, struct tn_ros_timer *timer,
                                               int64_t period_ns, tn_ros_timer_fn callback,
                                               void *context);

/// Harmless on a stopped or zeroed timer; may be called inside a callback, also of another timer.
/// The end of the node stops its timers. @return nothing. Thread: the loop's. Allocates: never.
/// Blocks: never.
void tn_ros_timer_stop(struct tn_ros_timer *timer);

#endif
