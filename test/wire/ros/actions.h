// SPDX-License-Identifier: Apache-2.0
// A Fibonacci action server of ours, for tests; what an order means is the same as in
// test/peers/action/script.c, and 104 is a deferred goal.
#ifndef TEST_WIRE_ROS_ACTIONS_H
#define TEST_WIRE_ROS_ACTIONS_H

#include "ros/action_client.h"
#include "ros/action_server.h"
#include "tn_msgs/action_msgs.h"
#include "tn_msgs/example_interfaces.h"
#include "wire/ros/harness.h"

#define WORKS_MAX   64
#define NUMBERS_MAX 46

struct work {
    struct tn_ros_goal_id id;
    int32_t order;
    int32_t numbers[NUMBERS_MAX];
    uint32_t n;
    bool is_used;
};

struct fibonacci {
    struct tn_loop *loop;
    struct tn_ros_action_server *server;
    struct tn_loop_timer timer;
    struct work works[WORKS_MAX];
    uint32_t n_asked, n_accepted, n_canceling;
};

/// Serves "/fibonacci"; fields of `options` that are zero are filled in.
void fibonacci_open(struct fibonacci *f, struct harness *h,
                    struct tn_ros_action_server_options options);
void fibonacci_close(struct fibonacci *f);

#endif
