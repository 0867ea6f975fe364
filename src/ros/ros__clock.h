// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the clock of a node.
#ifndef TN_ROS_ROS__CLOCK_H
#define TN_ROS_ROS__CLOCK_H

#include "base/log.h"
#include "base/loop.h"
#include "ros/clock.h"
#include "ros/ros__sim_time.h"
#include "ros/transport.h"

struct tn_ros_subscription;

/// Part of a node.
struct tn_ros__clock {
    struct tn_ros_node *node;
    struct tn_loop *loop;
    bool is_sim;
    struct tn_ros__sim_time sim;
    struct tn_ros_subscription *subscription; ///< of /clock; NULL without use_sim_time
    struct tn_gid writer;                     ///< who sent the last tick
    uint64_t sequence;                        ///< and its number
    uint64_t n_bad;                           ///< ticks that are no time
    struct tn_log_throttle bad_log, writers_log;

    struct tn_ros_jump_handle *handles, *next_handle; ///< where the present walk goes on
    struct tn_ros_timer *timers, *next_timer;
    struct tn_loop_timer wake; ///< when the next timer may be due
};

/// Starts the node's clock, as `use_sim_time` says, and follows the parameter.
/// @return as tn_ros_subscription_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__clock_open(struct tn_ros_node *node, struct tn_error *err);

/// Stops it with all that hangs on it; before the node's endpoints go. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__clock_close(struct tn_ros_node *node);

/// Changes between wall and simulated time.
/// @return as tn_ros_subscription_create(); on error nothing has changed. Thread: the loop's.
/// Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__clock_set_sim(struct tn_ros__clock *clock, bool is_sim,
                                                  struct tn_error *err);

/// Simulated time moves: jump handlers, then timers.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__clock_tick(struct tn_ros__clock *clock, const struct tn_ros__heard *heard);

#endif
