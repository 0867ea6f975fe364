// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: which servers a client can reach, in which wire form, and which client a reply is for,
/// judged from the endpoints that are matched. Pure.
#ifndef TN_ROS_CYCLONE__MATCH_H
#define TN_ROS_CYCLONE__MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros/transport.h"

/// Bytes of a GUID that all endpoints of one participant have in common.
#define TN_ROS__PREFIX_SIZE 12u

/// The wire forms of services.
enum tn_ros__form {
    TN_ROS__FORM_NONE = 0,    ///< nobody would understand
    TN_ROS__FORM_CYCLONE = 1, ///< identity in front of the body: rmw_cyclonedds_cpp
    TN_ROS__FORM_RPC = 2,     ///< identity as inline QoS: rmw_fastrtps_cpp
};

/// One matched endpoint of the other side.
struct tn_ros__match {
    struct tn_gid gid;
    bool has_id;    ///< a serviceid or clientid stands in its USER_DATA
    uint8_t id[16]; ///< which
};

/// Matched endpoints of one kind.
struct tn_ros__matches {
    struct tn_ros__match *items;
    size_t n;
    bool is_cut; ///< there are more than could be noted
};

/// @return true for a GUID or vendor id of Cyclone DDS: its first two bytes are 01.10.
/// Thread: any. Allocates: never. Blocks: never.
bool tn_ros__is_cyclone(const uint8_t *bytes);

/// Chooses the form in which a request reaches a complete server and harms none.
///
/// A request goes to all matched readers. Whoever is not Cyclone would misread the Cyclone form, to
/// the point of running out of memory, so that one such reader rules it out, half a server
/// included. Complete is: a Cyclone server whose two endpoints carry the same serviceid; any other
/// when its participant has as many request readers as reply writers.
/// @param readers   matched request readers
/// @param writers   matched reply writers
/// @param can_rpc   the RPC form can be sent
/// @return the form; TN_ROS__FORM_NONE: no complete server that may be asked. Thread: any.
/// Allocates: never. Blocks: never.
enum tn_ros__form tn_ros__choose_form(const struct tn_ros__matches *readers,
                                      const struct tn_ros__matches *writers, bool can_rpc);

/// Whether the reader that waits for a reply is among those matched. When some could not be noted
/// it counts as there.
/// @param id   who asked
/// @return true when the reply would reach it. Thread: any. Allocates: never. Blocks: never.
bool tn_ros__is_asker_there(const struct tn_ros__matches *readers,
                            const struct tn_transport_request_id *id);

/// @return the endpoint with this gid, or NULL. Thread: any. Allocates: never. Blocks: never.
const struct tn_ros__match *tn_ros__match_find(const struct tn_ros__matches *matches,
                                               struct tn_gid gid);

#endif
