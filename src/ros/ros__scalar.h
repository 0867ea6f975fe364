// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what a YAML scalar is, by the rules of rcl_yaml_param_parser, and how Python writes it.
#ifndef TN_ROS_ROS__SCALAR_H
#define TN_ROS_ROS__SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros/param.h"

/// Longest text of a double, including its NUL, with room to spare.
#define TN_ROS__DOUBLE_TEXT_MAX 64

/// A scalar with the type that its text gives it.
struct tn_ros__scalar {
    enum tn_ros_param_type type; ///< NOT_SET (nothing), BOOL, INTEGER, DOUBLE or STRING
    bool boolean;
    int64_t integer;
    double number; ///< may be infinite or NaN
};

/// Judges a scalar. Quoted ones, and those tagged `!!str`, are strings; plain ones are, in this
/// order, a boolean (true, yes, on, y and their opposites), an integer (decimal, 0x… or, with a
/// leading 0, octal), a number (also .inf, .nan), else a string.
/// @return what it is. Thread: any. Allocates: never. Blocks: never.
struct tn_ros__scalar tn_ros__scalar_read(const char *text, size_t size, bool is_plain);

/// Writes a number as Python does: the fewest digits that read back as the same number ("1.0",
/// "1e-05", "inf", "nan").
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__scalar_print_double(double value, char out[TN_ROS__DOUBLE_TEXT_MAX]);

#endif
