// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the policies that decide whether a writer and a reader match ("requested versus
/// offered"), compared as the DDS standard says, with texts for both values and the cure. Pure.
#ifndef TN_ROS_ROS__RXO_H
#define TN_ROS_ROS__RXO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A duration that is not limited.
#define TN_ROS__INFINITE      INT64_MAX
#define TN_ROS__PARTITION_MAX 64

/// Kinds are DDS's numbers, each larger one stronger. Every value may come from a stranger.
struct tn_ros__rxo {
    uint8_t reliability;  ///< 0 best effort, 1 reliable
    uint8_t durability;   ///< 0 volatile, 1 transient local, 2 transient, 3 persistent
    uint8_t liveliness;   ///< 0 automatic, 1 manual by participant, 2 manual by topic
    uint8_t ownership;    ///< 0 shared, 1 exclusive
    uint8_t access_scope; ///< presentation: 0 instance, 1 topic, 2 group
    bool is_coherent, is_ordered;
    uint8_t destination_order;                        ///< 0 by reception, 1 by source
    int64_t deadline_ns, lease_ns, latency_budget_ns; ///< TN_ROS__INFINITE: none
    uint32_t representations; ///< bit 0 XCDR1, bit 1 XML, bit 2 XCDR2; of writers: what it sends
    bool is_in_default_partition;
    char partition[TN_ROS__PARTITION_MAX]; ///< its first one, for messages
};

enum tn_ros__policy {
    TN_ROS__POLICY_RELIABILITY,
    TN_ROS__POLICY_DURABILITY,
    TN_ROS__POLICY_DEADLINE,
    TN_ROS__POLICY_LIVELINESS,
    TN_ROS__POLICY_LEASE,
    TN_ROS__POLICY_PRESENTATION,
    TN_ROS__POLICY_OWNERSHIP,
    TN_ROS__POLICY_DESTINATION_ORDER,
    TN_ROS__POLICY_LATENCY_BUDGET,
    TN_ROS__POLICY_REPRESENTATION,
    TN_ROS__POLICY_PARTITION,
    TN_ROS__POLICY_TYPE, ///< no QoS policy: same topic, other type
    TN_ROS__N_POLICIES,
};

/// @return the policies that keep the two apart, bit (1 << policy) each; 0: they match.
/// Thread: any. Allocates: never. Blocks: never.
uint32_t tn_ros__rxo_conflicts(const struct tn_ros__rxo *offered,
                               const struct tn_ros__rxo *requested);

/// @return "RELIABILITY", …: rmw's names where it has one. Thread: any. Allocates: never. Blocks:
/// never.
const char *tn_ros__rxo_name(enum tn_ros__policy policy);

/// Writes a value: "BEST_EFFORT", "0.5 s", "infinite", "18 (unknown)".
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__rxo_value(const struct tn_ros__rxo *rxo, enum tn_ros__policy policy, char *out,
                       size_t size);

/// Writes how to make them match, as seen from the own endpoint: "set reliability best_effort here
/// or reliable there, e.g. with -p qos_overrides./x.subscription.reliability:=best_effort".
/// @param topic       ROS name for the example; NULL: without it
/// @param is_writer   the own endpoint offers
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__rxo_cure(const struct tn_ros__rxo *offered, const struct tn_ros__rxo *requested,
                      enum tn_ros__policy policy, const char *topic, bool is_writer, char *out,
                      size_t size);

#endif
