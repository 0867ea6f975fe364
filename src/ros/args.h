// SPDX-License-Identifier: Apache-2.0
/// @file
/// `--ros-args`: remaps, parameter overrides, parameter files, names and log levels, as rcl reads
/// them.
///
/// Accepted between `--ros-args` and `--` (or the end): `-r/--remap [node:]from:=to` (also
/// `__ns:=`, `__node:=`/
/// `__name:=`), `-p/--param [node:]name:=yaml`, `--params-file FILE`, `--log-level
/// [logger:=]LEVEL`,
/// `--enable-rosout-logs`/`--disable-rosout-logs`, `--enable-stdout-logs`/`--disable-stdout-logs`,
/// `-e/--enclave NAME`. Everything else is an error that names the argument.
#ifndef TN_ROS_ARGS_H
#define TN_ROS_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "base/result.h"

#define TN_ROS_ARGS_MAX_RULES 128

/// `node` is "" for rules that hold for every node.
struct tn_ros_rule {
    char node[TN_LOG_NAME_MAX];
    const char *from; ///< topic or service name, "__ns", "__node", or the parameter name; points
                      ///< into argv copies
    const char *to;   ///< replacement, or YAML text of the value
};

/// Treat as read-only after tn_ros_args_parse(). Owns its strings.
struct tn_ros_args {
    struct tn_ros_rule remaps[TN_ROS_ARGS_MAX_RULES];
    uint32_t n_remaps;
    struct tn_ros_rule params[TN_ROS_ARGS_MAX_RULES]; ///< in order, later ones win
    uint32_t n_params;
    const char *params_files[16];
    uint32_t n_params_files;
    enum tn_log_level log_level; ///< TN_LOG_UNSET: not given
    struct tn_ros_rule log_levels[16];
    uint32_t n_log_levels;
    bool rosout_enabled, stdout_enabled;
    const char *enclave; ///< "/" by default
    int n_rest;          ///< arguments that are not ROS's
    char **rest;         ///< argv[0] first; NULL-terminated
    void *storage;       ///< private
};

/// Parses a command line. @return TN_OK; TN_ERR_SYNTAX: unknown or malformed argument, named in
/// err; TN_ERR_LIMIT; TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_args_parse(int argc, const char *const *argv,
                                              struct tn_ros_args *out_args, struct tn_error *err);

/// Frees what parse allocated; harmless on a zeroed object. @return nothing.
/// Thread: one caller. Allocates: never. Blocks: never.
void tn_ros_args_fini(struct tn_ros_args *args);

#endif
