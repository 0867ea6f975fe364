// SPDX-License-Identifier: Apache-2.0
#include "ros/qos.h"

#define NS_PER_S INT64_C(1000000000)

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

struct tn_ros_qos tn_ros_qos_parameters(void)
{
    return make(1000, TN_ROS_RELIABLE, TN_ROS_VOLATILE);
}

struct tn_ros_qos tn_ros_qos_parameter_events(void)
{
    return make(1000, TN_ROS_RELIABLE, TN_ROS_VOLATILE);
}

struct tn_ros_qos tn_ros_qos_rosout(void)
{
    struct tn_ros_qos qos = make(1000, TN_ROS_RELIABLE, TN_ROS_TRANSIENT_LOCAL);
    qos.lifespan_ns = 10 * NS_PER_S;
    return qos;
}

struct tn_ros_qos tn_ros_qos_clock(void)
{
    return make(1, TN_ROS_BEST_EFFORT, TN_ROS_VOLATILE);
}

struct tn_ros_qos tn_ros_qos_action_status(void)
{
    return make(1, TN_ROS_RELIABLE, TN_ROS_TRANSIENT_LOCAL);
}

struct tn_ros_qos tn_ros_qos_tf(void)
{
    return make(100, TN_ROS_RELIABLE, TN_ROS_VOLATILE);
}

struct tn_ros_qos tn_ros_qos_tf_static(bool is_publisher)
{
    return make(is_publisher ? 1 : 100, TN_ROS_RELIABLE, TN_ROS_TRANSIENT_LOCAL);
}

struct tn_ros_qos tn_ros_qos_system_default(void)
{
    return (struct tn_ros_qos){
        .history = TN_ROS_HISTORY_SYSTEM_DEFAULT,
        .reliability = TN_ROS_RELIABILITY_SYSTEM_DEFAULT,
        .durability = TN_ROS_DURABILITY_SYSTEM_DEFAULT,
        .liveliness = TN_ROS_LIVELINESS_SYSTEM_DEFAULT,
    };
}

struct tn_ros_qos tn_ros_qos_best_available(void)
{
    return (struct tn_ros_qos){
        .history = TN_ROS_KEEP_LAST,
        .depth = 10,
        .reliability = TN_ROS_RELIABILITY_BEST_AVAILABLE,
        .durability = TN_ROS_DURABILITY_BEST_AVAILABLE,
        .liveliness = TN_ROS_LIVELINESS_BEST_AVAILABLE,
        .deadline_ns = TN_ROS_DURATION_BEST_AVAILABLE,
        .lease_ns = TN_ROS_DURATION_BEST_AVAILABLE,
    };
}

bool tn_ros_qos_needs_peers(const struct tn_ros_qos *qos)
{
    return qos->reliability == TN_ROS_RELIABILITY_BEST_AVAILABLE ||
           qos->durability == TN_ROS_DURABILITY_BEST_AVAILABLE ||
           qos->liveliness == TN_ROS_LIVELINESS_BEST_AVAILABLE ||
           qos->deadline_ns == TN_ROS_DURATION_BEST_AVAILABLE ||
           qos->lease_ns == TN_ROS_DURATION_BEST_AVAILABLE;
}

/// What the peers have in common.
struct common {
    uint32_t n_reliable, n_latched, n_manual;
    int64_t deadline_ns, lease_ns; ///< 0: all have none
};

/// The longest that is offered, and none is the longest; or the shortest that is asked for.
static void widen(int64_t *io_ns, int64_t ns, bool takes_shortest, bool is_first)
{
    if (is_first)
        *io_ns = ns;
    else if (takes_shortest)
        *io_ns = *io_ns == 0 || (ns > 0 && ns < *io_ns) ? ns : *io_ns;
    else
        *io_ns = ns == 0 || *io_ns == 0 ? 0 : ns > *io_ns ? ns : *io_ns;
}

static struct common summarise(const struct tn_ros_qos *peers, uint32_t n, bool is_publisher)
{
    struct common common = {0};
    for (uint32_t i = 0; i < n; i++) {
        common.n_reliable += peers[i].reliability == TN_ROS_RELIABLE;
        common.n_latched += peers[i].durability == TN_ROS_TRANSIENT_LOCAL;
        common.n_manual += peers[i].liveliness == TN_ROS_LIVELINESS_MANUAL_BY_TOPIC;
        widen(&common.deadline_ns, peers[i].deadline_ns, is_publisher, i == 0);
        widen(&common.lease_ns, peers[i].lease_ns, is_publisher, i == 0);
    }
    return common;
}

static void resolve_defaults(struct tn_ros_qos *qos)
{
    if (qos->history == TN_ROS_HISTORY_SYSTEM_DEFAULT) {
        qos->history = TN_ROS_KEEP_LAST;
        qos->depth = qos->depth == 0 ? 1 : qos->depth;
    }
    if (qos->reliability == TN_ROS_RELIABILITY_SYSTEM_DEFAULT)
        qos->reliability = TN_ROS_RELIABLE;
    if (qos->durability == TN_ROS_DURABILITY_SYSTEM_DEFAULT)
        qos->durability = TN_ROS_VOLATILE;
    if (qos->liveliness == TN_ROS_LIVELINESS_SYSTEM_DEFAULT)
        qos->liveliness = TN_ROS_LIVELINESS_AUTOMATIC;
}

void tn_ros_qos_resolve(struct tn_ros_qos *io_qos, bool is_publisher,
                        const struct tn_ros_qos *peers, uint32_t n_peers)
{
    resolve_defaults(io_qos);
    struct common common = summarise(peers, n_peers, is_publisher);
    bool is_manual = is_publisher ? common.n_manual > 0 : common.n_manual == n_peers;
    if (io_qos->reliability == TN_ROS_RELIABILITY_BEST_AVAILABLE)
        io_qos->reliability =
            is_publisher || common.n_reliable == n_peers ? TN_ROS_RELIABLE : TN_ROS_BEST_EFFORT;
    if (io_qos->durability == TN_ROS_DURABILITY_BEST_AVAILABLE)
        io_qos->durability =
            is_publisher || common.n_latched == n_peers ? TN_ROS_TRANSIENT_LOCAL : TN_ROS_VOLATILE;
    if (io_qos->liveliness == TN_ROS_LIVELINESS_BEST_AVAILABLE)
        io_qos->liveliness =
            is_manual ? TN_ROS_LIVELINESS_MANUAL_BY_TOPIC : TN_ROS_LIVELINESS_AUTOMATIC;
    if (io_qos->deadline_ns == TN_ROS_DURATION_BEST_AVAILABLE)
        io_qos->deadline_ns = common.deadline_ns;
    if (io_qos->lease_ns == TN_ROS_DURATION_BEST_AVAILABLE)
        io_qos->lease_ns = common.lease_ns;
}
