// SPDX-License-Identifier: Apache-2.0
// A node with parameters of every kind, for tests.
#ifndef TEST_WIRE_ROS_PARAM_TABLE_H
#define TEST_WIRE_ROS_PARAM_TABLE_H

#include <stddef.h>
#include <string.h>

#include "ros/node.h"

struct table_config {
    bool on;
    int64_t count, fixed;
    double rate, speed;
    char mode[8], name[16];
    struct tn_ros_double_array gains;
    struct tn_ros_integer_array ids;
    struct tn_ros_string_array words;
    struct tn_ros_bool_array flags;
    struct tn_ros_byte_array raw;
};

#define TABLE_AT(member) .offset = offsetof(struct table_config, member), .unit = ""

static const struct tn_ros_param table_rows[] = {
    {.name = "on",
     .type = TN_ROS_PARAM_BOOL,
     TABLE_AT(on),
     .default_yaml = "false",
     .text = "Switch."},
    {.name = "count",
     .type = TN_ROS_PARAM_INTEGER,
     TABLE_AT(count),
     .default_yaml = "4",
     .min = 0,
     .max = 11,
     .step = 2,
     .text = "Count."},
    {.name = "fixed",
     .type = TN_ROS_PARAM_INTEGER,
     TABLE_AT(fixed),
     .flags = TN_ROS_PARAM_READ_ONLY,
     .default_yaml = "7",
     .text = "Fixed."},
    {.name = "rate",
     .type = TN_ROS_PARAM_DOUBLE,
     .offset = offsetof(struct table_config, rate),
     .default_yaml = "120.0",
     .min = 0.5,
     .max = 1000,
     .unit = "Hz",
     .text = "Rate."},
    {.name = "limits.joint.speed",
     .type = TN_ROS_PARAM_DOUBLE,
     TABLE_AT(speed),
     .default_yaml = "1.5",
     .text = "Speed."},
    {.name = "mode",
     .type = TN_ROS_PARAM_STRING,
     TABLE_AT(mode),
     .capacity = 8,
     .default_yaml = "\"hold\"",
     .choices = "hold|open|limp",
     .text = "Mode."},
    {.name = "limits.name",
     .type = TN_ROS_PARAM_STRING,
     TABLE_AT(name),
     .capacity = 16,
     .default_yaml = "\"\"",
     .text = "Name."},
    {.name = "gains",
     .type = TN_ROS_PARAM_DOUBLE_ARRAY,
     TABLE_AT(gains),
     .capacity = 4,
     .default_yaml = "[1.0, 2.0]",
     .min = -10,
     .max = 10,
     .text = "Gains."},
    {.name = "ids",
     .type = TN_ROS_PARAM_INTEGER_ARRAY,
     TABLE_AT(ids),
     .capacity = 4,
     .default_yaml = "[]",
     .text = "Ids."},
    {.name = "words",
     .type = TN_ROS_PARAM_STRING_ARRAY,
     TABLE_AT(words),
     .capacity = 4,
     .default_yaml = "[a, \"1\"]",
     .text = "Words."},
    {.name = "flags",
     .type = TN_ROS_PARAM_BOOL_ARRAY,
     TABLE_AT(flags),
     .capacity = 4,
     .default_yaml = "[true, false]",
     .text = "Flags."},
    {.name = "raw",
     .type = TN_ROS_PARAM_BYTE_ARRAY,
     TABLE_AT(raw),
     .capacity = 4,
     .default_yaml = "[1, 255]",
     .text = "Raw."},
};

static inline enum tn_result table_check(const void *candidate, struct tn_error *err)
{
    const struct table_config *c = candidate;
    if (c->on && c->rate < 10.0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "on needs a rate of 10 Hz");
    return TN_OK;
}

static inline struct tn_ros_param_set table_set(struct table_config *config)
{
    return (struct tn_ros_param_set){.table = table_rows,
                                     .n_params = TN_ARRAY_SIZE(table_rows),
                                     .config = config,
                                     .config_size = sizeof *config,
                                     .check = table_check};
}

#endif
