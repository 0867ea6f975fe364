// SPDX-License-Identifier: Apache-2.0
/// @file
/// builtin_interfaces Time and Duration from and to int64 nanoseconds.
///
/// On the wire both are whole seconds (rounded down) in an int32 and a nanosecond part in [0, 1e9).
/// What an int32 of seconds does not hold is written as the nearest value that it does: INT64_MAX,
/// which stands for an age that is not known, becomes the longest duration and never a negative
/// one.
#ifndef TN_NODES_CONVERT_TIME_H
#define TN_NODES_CONVERT_TIME_H

#include <stdint.h>
#include <tn_msgs/builtin_interfaces.h>

#include "base/result.h"

/// @param ros_ns   any
/// @return the time. Thread: any. Allocates: never. Blocks: never.
struct builtin_interfaces_msg_Time tn_convert_to_time(int64_t ros_ns);

/// @param ns   any
/// @return the duration. Thread: any. Allocates: never. Blocks: never.
struct builtin_interfaces_msg_Duration tn_convert_to_duration(int64_t ns);

/// @param out_ros_ns   untouched on error
/// @return TN_OK; TN_ERR_MALFORMED: nanosec is a second or more. Thread: any. Allocates: never.
/// Blocks: never.
TN_NODISCARD enum tn_result tn_convert_from_time(const struct builtin_interfaces_msg_Time *msg,
                                                 int64_t *out_ros_ns);

/// @param out_ns   untouched on error
/// @return TN_OK; TN_ERR_MALFORMED: nanosec is a second or more. Thread: any. Allocates: never.
/// Blocks: never.
TN_NODISCARD enum tn_result
tn_convert_from_duration(const struct builtin_interfaces_msg_Duration *msg, int64_t *out_ns);

#endif
