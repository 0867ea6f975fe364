// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the identity that rmw_cyclonedds_cpp puts between the encapsulation header and the body
/// of requests and replies. Pure; fed with whatever the network sends.
#ifndef TN_ROS_CYCLONE__INBAND_H
#define TN_ROS_CYCLONE__INBAND_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

/// Encapsulation header of a payload.
#define TN_ROS__CDR_HEADER_SIZE 4u
/// Client id and sequence number, 8 bytes each, in the byte order of the body. The body behind it
/// begins at a multiple of 8: its bytes are the same as without.
#define TN_ROS__INBAND_SIZE 16u

struct tn_ros__inband {
    uint64_t client;  ///< made up by the client, echoed by the server
    int64_t sequence; ///< of the client's request
};

/// Reads the identity of a received payload.
/// @param cdr    header, identity, body
/// @param size   of all three
/// @return TN_OK; TN_ERR_MALFORMED: too short, or not CDR. Thread: any. Allocates: never. Blocks:
/// never.
TN_NODISCARD enum tn_result tn_ros__inband_get(const uint8_t *cdr, size_t size,
                                               struct tn_ros__inband *out_id);

/// Copies a payload without its identity: header and body.
/// @param size   as for tn_ros__inband_get(), which has accepted it
/// @param out    size - TN_ROS__INBAND_SIZE bytes
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__inband_strip(const uint8_t *cdr, size_t size, uint8_t *out);

/// Copies a payload and puts an identity in, in the byte order that its header names.
/// @param size   of header and body, at least TN_ROS__CDR_HEADER_SIZE
/// @param out    size + TN_ROS__INBAND_SIZE bytes
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__inband_put(struct tn_ros__inband id, const uint8_t *cdr, size_t size, uint8_t *out);

#endif
