// SPDX-License-Identifier: Apache-2.0
// From ROS QoS to DDS QoS, as rmw_cyclonedds_cpp does it.
#include <string.h>

#include "ros/cyclone/cyclone__transport.h"

static dds_duration_t duration(int64_t ns)
{
    return ns > 0 ? ns : DDS_INFINITY;
}

static enum tn_result check(const struct tn_transport_topic *topic, struct tn_error *err)
{
    const struct tn_ros_qos *qos = &topic->qos;
    if (qos->history > TN_ROS_KEEP_ALL || qos->reliability > TN_ROS_BEST_EFFORT ||
        qos->durability > TN_ROS_TRANSIENT_LOCAL ||
        qos->liveliness > TN_ROS_LIVELINESS_MANUAL_BY_TOPIC)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "topic %s: a QoS policy is no kind that an endpoint can have; resolve "
                            "system default and best available with tn_ros_qos_resolve()",
                            topic->dds_topic);
    if (qos->history == TN_ROS_KEEP_LAST && (qos->depth < 1 || qos->depth > INT32_MAX))
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "topic %s: QoS depth is %u; keep last needs at least 1",
                            topic->dds_topic, qos->depth);
    if (qos->deadline_ns < 0 || qos->lifespan_ns < 0 || qos->lease_ns < 0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "topic %s: a QoS duration is negative; use 0 for none",
                            topic->dds_topic);
    return TN_OK;
}

dds_qos_t *tn_ros__qos_create(const struct tn_transport_topic *topic, bool is_writer,
                              struct tn_error *err)
{
    if (check(topic, err) != TN_OK)
        return NULL;
    dds_qos_t *out = dds_create_qos();
    if (out == NULL) {
        (void)tn_error_set(err, TN_ERR_NO_MEMORY, "topic %s: no memory for QoS", topic->dds_topic);
        return NULL;
    }

    const struct tn_ros_qos *qos = &topic->qos;
    bool keeps_all = qos->history == TN_ROS_KEEP_ALL;
    dds_history_kind_t history = keeps_all ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST;
    int32_t depth = keeps_all ? DDS_LENGTH_UNLIMITED : (int32_t)qos->depth;
    // a reader of a program that stalls must not grow without end, and one that refuses samples
    // would stall the receive thread for all topics
    if (keeps_all && !is_writer) {
        history = DDS_HISTORY_KEEP_LAST;
        depth = TN_ROS_KEEP_ALL_DEPTH;
    }
    bool is_reliable = qos->reliability == TN_ROS_RELIABLE;
    bool is_latched = qos->durability == TN_ROS_TRANSIENT_LOCAL;

    // the last sample of a writer that went away stays valid
    dds_qset_writer_data_lifecycle(out, false);
    dds_qset_history(out, history, depth);
    dds_qset_reliability(out, is_reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                         keeps_all ? TN_ROS_KEEP_ALL_BLOCKING_NS : DDS_INFINITY);
    dds_qset_durability(out, is_latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    // what a late joiner gets is governed by this, not by history
    if (is_latched)
        dds_qset_durability_service(out, 0, DDS_HISTORY_KEEP_LAST,
                                    keeps_all ? TN_ROS_KEEP_ALL_DEPTH : depth, DDS_LENGTH_UNLIMITED,
                                    DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    dds_qset_deadline(out, duration(qos->deadline_ns));
    dds_qset_lifespan(out, duration(qos->lifespan_ns));
    dds_qset_liveliness(out,
                        qos->liveliness == TN_ROS_LIVELINESS_MANUAL_BY_TOPIC
                            ? DDS_LIVELINESS_MANUAL_BY_TOPIC
                            : DDS_LIVELINESS_AUTOMATIC,
                        duration(qos->lease_ns));
    if (topic->ignore_own)
        dds_qset_ignorelocal(out, DDS_IGNORELOCAL_PARTICIPANT);
    dds_qset_data_representation(
        out, 1, (const dds_data_representation_id_t[]){DDS_DATA_REPRESENTATION_XCDR1});
    if (topic->user_data != NULL && topic->user_data[0] != '\0')
        dds_qset_userdata(out, topic->user_data, strlen(topic->user_data));
    return out;
}
