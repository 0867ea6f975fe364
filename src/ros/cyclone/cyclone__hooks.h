// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the places where Cyclone's own structs are changed, each behind a guard. Services
/// need them to talk to Fast DDS; topics do not.
#ifndef TN_ROS_CYCLONE__HOOKS_H
#define TN_ROS_CYCLONE__HOOKS_H

#include "ros/cyclone/cyclone__transport.h"

/// Makes Cyclone ask for the keyhash of each sample of this writer, which is where the inline QoS
/// of replies and requests is put in (see sertype.c). Call right after creation, before any sample.
/// @return true; false: this Cyclone is not as expected, or DDS security encrypts the payload:
/// nothing was changed.
/// Thread: the loop's. Allocates: never. Blocks: never.
bool tn_ros__hook_inline_qos(struct tn_transport_writer *writer);

/// Keeps Cyclone from sending samples of the Cyclone form again to matched readers of other
/// vendors. A reliable reader that has just matched asks for all that the writer still holds;
/// Cyclone tells its own kind only that those are not for it. Call whenever a reader matched.
/// @return nothing; readers that are gone already are left out.
/// Thread: any, also from a listener. Allocates: never. Blocks: never.
void tn_ros__hook_keep_from_strangers(struct tn_transport_writer *writer);

/// @return bytes of a payload that Cyclone sends in one piece, whatever happens.
/// Thread: any. Allocates: never. Blocks: never.
uint32_t tn_ros__hook_fragment_size(const struct tn_transport_writer *writer);

/// Lets a volatile reader take everything a writer still holds for it. Cyclone starts a volatile
/// reader of a foreign writer at the newest sample, so that a Fast DDS client's first request would
/// be lost when it found us before we found it.
/// @return true; false: the reader was not found, nothing was changed.
/// Thread: the loop's. Allocates: never. Blocks: never.
bool tn_ros__hook_start_from_first(struct tn_transport_reader *reader);

#endif
