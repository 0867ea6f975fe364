// SPDX-License-Identifier: Apache-2.0
#include "nodes/convert/time.h"

#include "base/clock.h"

/// Both wire types have these two members.
struct parts {
    int32_t sec;
    uint32_t nanosec;
};

static struct parts split(int64_t ns)
{
    int64_t sec = ns / TN_NS_PER_S;
    int64_t rest = ns % TN_NS_PER_S;
    if (rest < 0) {
        sec--;
        rest += TN_NS_PER_S;
    }
    if (sec < INT32_MIN)
        return (struct parts){INT32_MIN, 0};
    if (sec > INT32_MAX)
        return (struct parts){INT32_MAX, TN_NS_PER_S - 1};
    return (struct parts){(int32_t)sec, (uint32_t)rest};
}

static enum tn_result join(struct parts parts, int64_t *out_ns)
{
    if (parts.nanosec >= TN_NS_PER_S)
        return TN_ERR_MALFORMED;
    *out_ns = (int64_t)parts.sec * TN_NS_PER_S + (int64_t)parts.nanosec;
    return TN_OK;
}

struct builtin_interfaces_msg_Time tn_convert_to_time(int64_t ros_ns)
{
    struct parts parts = split(ros_ns);
    return (struct builtin_interfaces_msg_Time){.sec = parts.sec, .nanosec = parts.nanosec};
}

struct builtin_interfaces_msg_Duration tn_convert_to_duration(int64_t ns)
{
    struct parts parts = split(ns);
    return (struct builtin_interfaces_msg_Duration){.sec = parts.sec, .nanosec = parts.nanosec};
}

enum tn_result tn_convert_from_time(const struct builtin_interfaces_msg_Time *msg,
                                    int64_t *out_ros_ns)
{
    return join((struct parts){msg->sec, msg->nanosec}, out_ros_ns);
}

enum tn_result tn_convert_from_duration(const struct builtin_interfaces_msg_Duration *msg,
                                        int64_t *out_ns)
{
    return join((struct parts){msg->sec, msg->nanosec}, out_ns);
}
