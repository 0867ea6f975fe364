// SPDX-License-Identifier: Apache-2.0
// The message that the tests send: number `k` is its stamp.
#ifndef TEST_WIRE_ROS_JOINTS_H
#define TEST_WIRE_ROS_JOINTS_H

#include "ros/node.h"
#include "tn_msgs/sensor_msgs.h"

static inline enum tn_result publish_joints(struct tn_ros_publisher *publisher, int32_t k)
{
    const struct tn_str names[] = {tn_str_from("thumb"), tn_str_from("index"), tn_str_from("")};
    const double position[] = {0.5 * k, -1.0, 1e9};
    struct sensor_msgs_msg_JointState message;
    sensor_msgs_msg_JointState_init(&message);
    message.header.stamp.sec = k;
    message.header.frame_id = tn_str_from("hand");
    message.name.data = names;
    message.name.size = 3;
    message.position.data = position;
    message.position.size = 3;
    return tn_ros_publish(publisher, &message);
}

#endif
