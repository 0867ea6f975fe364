// SPDX-License-Identifier: Apache-2.0
/// @file
/// Node parameters: declared once in a `static const struct tn_ros_param[]` whose offsets point
/// into the node's config struct. The table feeds defaults, YAML files, `-p`, `--help`,
/// describe_parameters and the manual.
///
/// Config members by type: BOOL `bool`, INTEGER `int64_t`, DOUBLE `double`, STRING
/// `char[capacity]`, DOUBLE_ARRAY `struct tn_ros_double_array` with `capacity` <=
/// TN_ROS_PARAM_ARRAY_MAX, likewise INTEGER_ARRAY, STRING_ARRAY, BOOL_ARRAY and BYTE_ARRAY.
///
/// A number is never NaN, and infinite only where its range includes infinity.
///
/// A set is: copy the config, apply all changes, call `check` on the whole candidate, swap. So
/// `check` always sees the complete configuration and may refuse combinations.
#ifndef TN_ROS_PARAM_H
#define TN_ROS_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "ros/args.h"

#define TN_ROS_PARAM_ARRAY_MAX  32
#define TN_ROS_PARAM_STRING_MAX 256

struct tn_ros_double_array {
    uint32_t size;
    double data[TN_ROS_PARAM_ARRAY_MAX];
};
struct tn_ros_integer_array {
    uint32_t size;
    int64_t data[TN_ROS_PARAM_ARRAY_MAX];
};
struct tn_ros_string_array {
    uint32_t size;
    char data[TN_ROS_PARAM_ARRAY_MAX][64];
};
struct tn_ros_bool_array {
    uint32_t size;
    bool data[TN_ROS_PARAM_ARRAY_MAX];
};
struct tn_ros_byte_array {
    uint32_t size;
    uint8_t data[TN_ROS_PARAM_ARRAY_MAX];
};

/// Numbers of rcl_interfaces/msg/ParameterType.
enum tn_ros_param_type {
    TN_ROS_PARAM_NOT_SET = 0,
    TN_ROS_PARAM_BOOL = 1,
    TN_ROS_PARAM_INTEGER = 2,
    TN_ROS_PARAM_DOUBLE = 3,
    TN_ROS_PARAM_STRING = 4,
    TN_ROS_PARAM_BYTE_ARRAY = 5,
    TN_ROS_PARAM_BOOL_ARRAY = 6,
    TN_ROS_PARAM_INTEGER_ARRAY = 7,
    TN_ROS_PARAM_DOUBLE_ARRAY = 8,
    TN_ROS_PARAM_STRING_ARRAY = 9
};

enum tn_ros_param_flags {
    TN_ROS_PARAM_READ_ONLY = 1, ///< may be set at start only
};

/// One row of a node's table. Strings are static.
struct tn_ros_param {
    const char *name;
    enum tn_ros_param_type type;
    uint32_t flags;
    size_t offset;            ///< into the config struct
    size_t capacity;          ///< STRING: bytes incl. NUL; arrays: elements; else 0
    const char *default_yaml; ///< "0.2", "\"hold\"", "[]"
    double min, max;          ///< numbers and array elements; min == max == 0: no range
    double step;              ///< 0: any value in between, else min + n * step (and max)
    const char *choices;      ///< STRING: "hold|open|limp", or NULL
    const char *unit;         ///< "s", "Hz", "percent", "" …
    const char *text;         ///< one sentence
};

/// Checks a whole candidate configuration. @return TN_OK or an error with a text in err.
typedef enum tn_result (*tn_ros_param_check_fn)(const void *candidate, struct tn_error *err);

/// A parameter of a running node was set: the config holds the new values already, of all
/// parameters of the same atomic set. Called once per parameter, in the order they were set.
typedef void (*tn_ros_param_changed_fn)(void *context, const struct tn_ros_param *param);

/// A node's parameters: the table and where the values are.
struct tn_ros_param_set {
    const struct tn_ros_param *table;
    uint32_t n_params;
    void *config;
    size_t config_size;              ///< at most TN_ROS_CONFIG_MAX
    tn_ros_param_check_fn check;     ///< may be NULL
    tn_ros_param_changed_fn changed; ///< may be NULL: the node reads its config when it needs it
    void *context;                   ///< for `changed`
};

#define TN_ROS_CONFIG_MAX 65536

/// Fills the config: defaults, then every `--params-file` section that matches the node (`/**`,
/// `*`, name, ns/name; `ros__parameters`, nested maps joined by '.'), then `-p`. Then `check`.
/// Unknown names in `-p` or in a section addressed to this very node are errors with the nearest
/// known name; in wildcard sections they are ignored. use_sim_time and qos_overrides.* are
/// accepted.
/// @return TN_OK; TN_ERR_NOT_FOUND: unknown parameter or file; TN_ERR_SYNTAX: YAML (file, line,
/// column); TN_ERR_RANGE;
///         TN_ERR_INVALID_ARGUMENT: wrong type, found and expected are named. Config is unchanged
///         on error.
/// Thread: one caller. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result tn_ros_params_load(const struct tn_ros_param_set *set,
                                               const struct tn_ros_args *args, const char *node_ns,
                                               const char *node_name, struct tn_error *err);

/// Sets one parameter of a running node from YAML text: copy, check, swap.
/// @return as tn_ros_params_load(), and TN_ERR_PERMISSION: read-only.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_params_set_yaml(const struct tn_ros_param_set *set,
                                                   const char *name, const char *yaml,
                                                   struct tn_error *err);

/// Writes the table for a person ("--help"): name, type, default, unit, range, text, one row each.
/// @return nothing. Thread: any. Allocates: never. Blocks: on the descriptor.
void tn_ros_params_print(const struct tn_ros_param_set *set, int fd);

#endif
