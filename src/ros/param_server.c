// SPDX-License-Identifier: Apache-2.0
#include "ros/ros__node.h"

void tn_ros__params_on_sim_time(struct tn_ros_node *node, tn_ros__sim_time_fn fn, void *context)
{
    node->on_sim_time = fn;
    node->sim_time_context = context;
}

bool tn_ros__params_use_sim_time(const struct tn_ros_node *node)
{
    return node->builtin.use_sim_time;
}
