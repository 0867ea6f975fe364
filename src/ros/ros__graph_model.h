// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the insides of the graph model, for what makes snapshots of it.
#ifndef TN_ROS_ROS__GRAPH_MODEL_H
#define TN_ROS_ROS__GRAPH_MODEL_H

#include "ros/ros__graph.h"

/// With the most endpoints a chain has 8.
#define TN_ROS__GRAPH_BUCKETS 4096u

/// Head of bytes that model and snapshots share; never changed once made.
struct tn_ros__block {
    uint32_t n_refs;
    size_t size; ///< behind it
};

/// @return the bytes. Thread: any. Allocates: never. Blocks: never.
static inline const uint8_t *tn_ros__block_data(const struct tn_ros__block *block)
{
    return (const uint8_t *)(block + 1);
}

/// Of one process. Told apart by the first 12 bytes of the gid, which all its endpoints have.
struct tn_ros__participant {
    struct tn_gid gid;
    bool is_discovered;             ///< DDS knows it; false: only its nodes have been heard of
    struct tn_ros__block *enclave;  ///< text
    struct tn_ros__block *entities; ///< its ros_discovery_info, checked to the end; NULL: none yet
    uint32_t n_nodes;               ///< in it
};

/// A reader or writer. The block comes first, so that it is freed as one.
struct tn_ros__endpoint {
    struct tn_ros__block block; ///< size 0
    struct tn_ros__endpoint *next;
    struct tn_ros_graph_endpoint view; ///< `node` is left to snapshots
    char text[];
};

struct tn_ros__graph_model {
    uint32_t n_participants, participants_capacity, n_endpoints, n_nodes;
    size_t entities_size; ///< of all participants
    uint64_t n_left_out;
    struct tn_ros__participant *participants;
    struct tn_ros__endpoint *endpoints[TN_ROS__GRAPH_BUCKETS];
};

/// @return nothing. Thread: the owner's. Allocates: never. Blocks: never.
void tn_ros__block_hold(struct tn_ros__block *block);
/// Frees it with the last holder; accepts NULL. @return nothing. Thread: the owner's. Allocates:
/// never. Blocks: never.
void tn_ros__block_release(struct tn_ros__block *block);

/// @return whether two gids have the same participant. Thread: any. Allocates: never. Blocks:
/// never.
bool tn_ros__same_process(struct tn_gid a, struct tn_gid b);

#endif
