// SPDX-License-Identifier: Apache-2.0
/// @file
/// Quality of service of a topic, with the profiles ROS 2 users know.
#ifndef TN_ROS_QOS_H
#define TN_ROS_QOS_H

#include <stdbool.h>
#include <stdint.h>

enum tn_ros_history { TN_ROS_KEEP_LAST, TN_ROS_KEEP_ALL };
enum tn_ros_reliability { TN_ROS_RELIABLE, TN_ROS_BEST_EFFORT };
enum tn_ros_durability { TN_ROS_VOLATILE, TN_ROS_TRANSIENT_LOCAL };
enum tn_ros_liveliness { TN_ROS_LIVELINESS_AUTOMATIC, TN_ROS_LIVELINESS_MANUAL_BY_TOPIC };

/// Plain data. Durations of 0 mean "not set" (infinite), as in rmw.
struct tn_ros_qos {
    enum tn_ros_history history;
    uint32_t depth; ///< for KEEP_LAST, at least 1
    enum tn_ros_reliability reliability;
    enum tn_ros_durability durability;
    enum tn_ros_liveliness liveliness;
    int64_t deadline_ns, lifespan_ns, lease_ns;
};

/// @return reliable, volatile, keep last `depth`: rclcpp::QoS(depth).
/// Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_default(uint32_t depth);

/// @return best effort, volatile, keep last 5: rclcpp::SensorDataQoS().
/// Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_sensor_data(void);

/// @return reliable, transient local, keep last `depth`: latched state topics.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_latched(uint32_t depth);

/// @return reliable, volatile, keep last 10: rmw_qos_profile_services_default.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_services(void);

#endif
