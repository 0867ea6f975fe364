// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the environment variables that decide whom a process talks to.
#ifndef TN_ROS_ROS__ENVIRONMENT_H
#define TN_ROS_ROS__ENVIRONMENT_H

#include <stdint.h>

#include "base/result.h"

#define TN_ROS__CONFIG_XML_MAX 8192

#define TN_ROS__WARNING_MAX 512

struct tn_ros__environment {
    uint32_t domain_id;
    uint32_t gid_size;                       ///< 16, or 24 for Humble; 0: not said
    char warning[TN_ROS__WARNING_MAX];       ///< what the user should know; "": nothing
    char config_xml[TN_ROS__CONFIG_XML_MAX]; ///< "": nothing to configure
};

/// Looks a variable up; NULL: not set.
typedef const char *(*tn_ros__getenv_fn)(void *context, const char *name);

/// Reads ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS and
/// CYCLONEDDS_URI into what Cyclone DDS is to be configured with, as rcl and rmw_cyclonedds_cpp do;
/// TENDON_GID_SIZE (16, 24, auto) and ROS_DISTRO into the size of the gids that are announced.
/// @param pid   of this process, for the range OFF
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: err names variable, value and allowed values;
/// TN_ERR_LIMIT: too much text. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__environment_read(tn_ros__getenv_fn get, void *context, long pid,
                                                     struct tn_ros__environment *out,
                                                     struct tn_error *err);

#endif
