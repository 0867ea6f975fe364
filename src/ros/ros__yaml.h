// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: ROS parameter YAML as a stream of (node pattern, parameter name, value). libyaml
/// parses; nesting, lengths and counts are bounded here.
#ifndef TN_ROS_ROS__YAML_H
#define TN_ROS_ROS__YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define TN_ROS__YAML_ITEMS_MAX 64
#define TN_ROS__YAML_TEXT_MAX  4096
#define TN_ROS__YAML_NAME_MAX  256
#define TN_ROS__YAML_DEPTH_MAX 16

struct tn_ros__yaml_item {
    const char *text; ///< NUL-terminated
    size_t size;
    bool is_plain; ///< not quoted: may be a number or a bool
};

/// A scalar (n_items 1) or a flat sequence.
struct tn_ros__yaml_value {
    bool is_sequence;
    uint32_t n_items; ///< may exceed TN_ROS__YAML_ITEMS_MAX: then the rest was dropped
    struct tn_ros__yaml_item items[TN_ROS__YAML_ITEMS_MAX];
    int32_t line, column;
    size_t text_used;
    char text[TN_ROS__YAML_TEXT_MAX];
};

/// One parameter of a file. Strings are valid during the call.
/// @return TN_OK to go on; anything else ends the reading with that result.
typedef enum tn_result (*tn_ros__yaml_param_fn)(void *context, const char *node_pattern,
                                                const char *name,
                                                const struct tn_ros__yaml_value *value);

/// Reads a parameter file: `node: ros__parameters: name: value`, node names nested or with slashes,
/// parameter maps joined by '.'.
/// @param file   for messages
/// @return TN_OK; TN_ERR_SYNTAX with file, line and column; TN_ERR_LIMIT: deeper or longer than the
/// constants above; TN_ERR_NO_MEMORY; whatever `on_param` returned.
/// Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__yaml_read_params(const char *text, size_t size,
                                                     const char *file,
                                                     tn_ros__yaml_param_fn on_param, void *context,
                                                     struct tn_error *err);

/// Reads one scalar or flat sequence.
/// @return as tn_ros__yaml_read_params(). Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__yaml_read_value(const char *text, size_t size, const char *file,
                                                    struct tn_ros__yaml_value *out_value,
                                                    struct tn_error *err);

#endif
