// SPDX-License-Identifier: Apache-2.0
/// @file
/// Quality of service of a topic, with the profiles ROS 2 users know.
#ifndef TN_ROS_QOS_H
#define TN_ROS_QOS_H

#include <stdbool.h>
#include <stdint.h>

// What a policy may be asked to be. "System default" and "best available" are wishes: they are
// resolved when the endpoint is created, and no endpoint ever has them (see tn_ros_qos_resolve()).

enum tn_ros_history {
    TN_ROS_KEEP_LAST,
    TN_ROS_KEEP_ALL,
    TN_ROS_HISTORY_SYSTEM_DEFAULT, ///< keep last; depth 0 then means 1
};
enum tn_ros_reliability {
    TN_ROS_RELIABLE,
    TN_ROS_BEST_EFFORT,
    TN_ROS_RELIABILITY_SYSTEM_DEFAULT, ///< reliable
    TN_ROS_RELIABILITY_BEST_AVAILABLE,
};
enum tn_ros_durability {
    TN_ROS_VOLATILE,
    TN_ROS_TRANSIENT_LOCAL,
    TN_ROS_DURABILITY_SYSTEM_DEFAULT, ///< volatile
    TN_ROS_DURABILITY_BEST_AVAILABLE,
};
enum tn_ros_liveliness {
    TN_ROS_LIVELINESS_AUTOMATIC,
    TN_ROS_LIVELINESS_MANUAL_BY_TOPIC,
    TN_ROS_LIVELINESS_SYSTEM_DEFAULT, ///< automatic
    TN_ROS_LIVELINESS_BEST_AVAILABLE,
};

/// For `deadline_ns` and `lease_ns`: what suits the endpoints that are known at creation.
#define TN_ROS_DURATION_BEST_AVAILABLE (-1)

/// KEEP_ALL is kept with this depth wherever nothing else bounds it: a reader whose program does
/// not get round to it, and what a transient local writer holds for late joiners. Some minutes of
/// a fast topic.
#define TN_ROS_KEEP_ALL_DEPTH 10000
/// How long one publish of a reliable KEEP_ALL writer waits when its readers do not keep up: less
/// than what a control loop misses.
#define TN_ROS_KEEP_ALL_BLOCKING_NS INT64_C(2000000)

/// Plain data. Durations of 0 mean "not set" (infinite), as in rmw.
struct tn_ros_qos {
    enum tn_ros_history history;
    uint32_t depth; ///< for KEEP_LAST, at least 1
    enum tn_ros_reliability reliability;
    enum tn_ros_durability durability;
    enum tn_ros_liveliness liveliness;
    int64_t deadline_ns, lifespan_ns, lease_ns;
    bool avoid_ros_namespace_conventions; ///< the DDS topic is the name itself, without "rt"
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

/// @return reliable, volatile, keep last 1000: the parameter services
/// (rmw_qos_profile_parameters). Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_parameters(void);

/// @return reliable, volatile, keep last 1000: `/parameter_events`
/// (rmw_qos_profile_parameter_events). Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_parameter_events(void);

/// @return reliable, transient local, keep last 1000, lifespan 10 s: `/rosout`.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_rosout(void);

/// @return best effort, volatile, keep last 1: subscriptions of `/clock` (rclcpp::ClockQoS).
/// Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_clock(void);

/// @return reliable, transient local, keep last 1: the status of an action
/// (rcl_action_qos_profile_status_default). Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_action_status(void);

/// @return reliable, volatile, keep last 100: `/tf` (tf2_ros::DynamicBroadcasterQoS).
/// Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_tf(void);

/// @return reliable, transient local: `/tf_static`, publisher keep last 1, listener keep last 100
/// (tf2_ros::StaticBroadcasterQoS, StaticListenerQoS). Thread: any. Allocates: never. Blocks:
/// never.
struct tn_ros_qos tn_ros_qos_tf_static(bool is_publisher);

/// @return every policy left to the system: reliable, volatile, keep last 1
/// (rmw_qos_profile_system_default). Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_system_default(void);

/// @return keep last 10, everything else as it suits the endpoints known at creation
/// (rmw_qos_profile_best_available). Thread: any. Allocates: never. Blocks: never.
struct tn_ros_qos tn_ros_qos_best_available(void);

/// @return whether some policy is "best available". Thread: any. Allocates: never. Blocks: never.
bool tn_ros_qos_needs_peers(const struct tn_ros_qos *qos);

/// Resolves "system default" and "best available" as rmw_dds_common does: a publisher offers
/// reliable and transient local, which suit everyone; a subscription asks for reliable, transient
/// local or manual liveliness when all known publishers offer it; deadline and lease are the
/// longest that publishers offer, or the shortest that subscriptions ask for. (One publisher
/// without a deadline or lease counts as the longest; rmw leaves it out and then does not match
/// it.) Nothing changes when peers come later.
/// @param peers     the other side's endpoints on the topic
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros_qos_resolve(struct tn_ros_qos *io_qos, bool is_publisher,
                        const struct tn_ros_qos *peers, uint32_t n_peers);

#endif
