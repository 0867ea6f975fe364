// SPDX-License-Identifier: Apache-2.0
#include "ros/qos.h"

static struct tn_ros_qos make(uint32_t depth, enum tn_ros_reliability reliability,
                              enum tn_ros_durability durability)
{
    return (struct tn_ros_qos){
        .history = TN_ROS_KEEP_LAST,
        .depth = depth,
        .reliability = reliability,
        .durability = durability,
        .liveliness = TN_ROS_LIVELINESS_AUTOMATIC,
    };
}

struct tn_ros_qos tn_ros_qos_default(uint32_t depth)
{
    return make(depth, TN_ROS_RELIABLE, TN_ROS_VOLATILE);
}

struct tn_ros_qos tn_ros_qos_sensor_data(void)
{
    return make(5, TN_ROS_BEST_EFFORT, TN_ROS_VOLATILE);
}

struct tn_ros_qos tn_ros_qos_latched(uint32_t depth)
{
    return make(depth, TN_ROS_RELIABLE, TN_ROS_TRANSIENT_LOCAL);
}

struct tn_ros_qos tn_ros_qos_services(void)
{
    return make(10, TN_ROS_RELIABLE, TN_ROS_VOLATILE);
}
