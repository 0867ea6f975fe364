// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: what a program with one kind of node and one with several have in common.
#ifndef TN_ROS_ROS__PROGRAM_H
#define TN_ROS_ROS__PROGRAM_H

#include "base/result.h"
#include "ros/context.h"
#include "ros/param.h"

/// What is run. The functions get `self`.
struct tn_ros__run {
    const char *name; ///< of the executable
    const char *who;  ///< stands before an error; create may name the node that failed
    void *self;
    /// Answers `--help`. @param argv   what was called, so that the help can be about it
    void (*print_help)(const struct tn_ros__run *run, int argc, char **argv);
    /// Judges the arguments that are not ROS's; an error is one of the command line.
    enum tn_result (*check)(struct tn_ros__run *run, struct tn_ros_context *context,
                            struct tn_error *err);
    /// Creates the nodes; on error nothing is left behind.
    enum tn_result (*create)(struct tn_ros__run *run, struct tn_ros_context *context,
                             struct tn_error *err);
    void (*destroy)(struct tn_ros__run *run);
};

/// Signals, loop, context, nodes, run, end.
/// @return an exit code of enum tn_ros_exit. Thread: main. Allocates: yes. Blocks: as long as the
/// program runs.
int tn_ros__run(struct tn_ros__run *run, int argc, char **argv);

/// Prints what may stand behind --ros-args, and the environment. @return nothing.
/// Thread: any. Allocates: never. Blocks: on the descriptor.
void tn_ros__print_ros_help(void);

/// Prints a parameter table under a title; nothing for an empty one. @return nothing.
/// Thread: any. Allocates: never. Blocks: on the descriptor.
void tn_ros__print_params(const char *title, const struct tn_ros_param *table, uint32_t n);

/// Refuses arguments that are not ROS's. @return TN_OK; TN_ERR_SYNTAX: one is named in err.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__refuse_arguments(const struct tn_ros_args *args,
                                                     struct tn_error *err);

#endif
