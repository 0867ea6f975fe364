// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what the RTPS packet of a sample says beyond its payload: who wrote it, its sequence
/// number, and the sample it answers (DDS-RPC). Pure; fed with whatever the network sends.
///
/// The packet is as Cyclone's receive thread leaves it: it has turned GUID parts, sequence number
/// and octetsToInlineQos into the machine's byte order in place. The inline QoS is untouched and in
/// the byte order that the submessage's flags name.
#ifndef TN_ROS_CYCLONE__RTPS_H
#define TN_ROS_CYCLONE__RTPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros/transport.h"

/// DDS-RPC's parameter, and the number Fast DDS used for it before.
#define TN_ROS__PID_RELATED_SAMPLE_IDENTITY        0x0083u
#define TN_ROS__PID_RELATED_SAMPLE_IDENTITY_LEGACY 0x800fu
#define TN_ROS__PID_SENTINEL                       0x0001u

/// Identity of one sample.
struct tn_ros__identity {
    struct tn_gid gid;
    int64_t sequence; ///< RTPS SequenceNumber, high << 32 | low
};

struct tn_ros__rtps_meta {
    struct tn_ros__identity sample; ///< writer and its sequence number
    uint8_t vendor[2];
    bool is_known;    ///< `sample` and `vendor` were found
    bool has_related; ///< inline QoS named a related sample
    struct tn_ros__identity related;
};

/// Reads the DATA or DATA_FRAG submessage of a packet.
/// @param packet       the whole RTPS message, from "RTPS" on
/// @param payload      offset of the serialised payload: nothing at or behind it is read
/// @param submessage   offset of the submessage header
/// @param out_meta     all zero when nothing could be read
/// @return true when the sample's identity was found. Thread: any. Allocates: never. Blocks: never.
bool tn_ros__rtps_parse(const uint8_t *packet, size_t payload, size_t submessage,
                        struct tn_ros__rtps_meta *out_meta);

/// Bytes of tn_ros__rtps_put_related().
#define TN_ROS__RELATED_SIZE 60u

/// Writes the tail of an inline QoS list in the machine's byte order: the related identity under
/// both parameter ids, and the sentinel.
/// @param out   TN_ROS__RELATED_SIZE bytes
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__rtps_put_related(uint8_t *out, const struct tn_ros__identity *related);

/// Finds "clientid=1.f.…;" or "serviceid=…;" (16 bytes in hexadecimal) in an endpoint's USER_DATA:
/// what the two endpoints of one client or server have in common.
/// @param key   "clientid" or "serviceid"
/// @param out   16 bytes; untouched when there is none
/// @return true when there is a whole one. Thread: any. Allocates: never. Blocks: never.
bool tn_ros__id_parse(const char *user_data, size_t size, const char *key, uint8_t *out);

#endif
