// SPDX-License-Identifier: Apache-2.0
/// @file
/// `main` of a ROS executable: command line, signals, loop, context, one node (or several), exit
/// code.
///
///     static const struct tn_ros_program program = {
///         .name = "robot_retargeter",
///         .description = "Moves a robot hand as the glove moves.",
///         .params = robot_retargeter_params,
///         .n_params = TN_ARRAY_SIZE(robot_retargeter_params),
///         .create = create,
///         .destroy = destroy,
///     };
///     int main(int argc, char **argv) { return tn_ros_main(&program, argc, argv); }
///
/// `--help` prints the description, the accepted arguments and the parameter table; `--version`
/// prints the name and the version. Everything behind `--ros-args` is described in ros/args.h.
#ifndef TN_ROS_PROGRAM_H
#define TN_ROS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "ros/context.h"
#include "ros/param.h"

/// Exit codes of tn_ros_main().
enum tn_ros_exit {
    TN_ROS_EXIT_OK = 0,          ///< ended by SIGINT, SIGTERM or tn_loop_quit()
    TN_ROS_EXIT_FAILURE = 1,     ///< could not start or broke; one line on stderr says why
    TN_ROS_EXIT_COMMAND_LINE = 2 ///< unknown or malformed argument
};

/// Creates the program's node or nodes; on error nothing may be left behind.
/// @param out_node   given back to destroy; may stay NULL
typedef enum tn_result (*tn_ros_program_create_fn)(struct tn_ros_context *context, void **out_node,
                                                   struct tn_error *err);

/// Destroys what create made and nulls the pointer. The context is still alive.
typedef void (*tn_ros_program_destroy_fn)(void **node);

/// What an executable is. Constant.
struct tn_ros_program {
    const char *name;                  ///< of the executable
    const char *description;           ///< one sentence for `--help`
    const struct tn_ros_param *params; ///< (n_params) for `--help`; NULL when there are none
    uint32_t n_params;
    bool takes_arguments; ///< false: an argument that is not ROS's is a command line error; true:
                          ///< create looks at tn_ros_context_args()->rest
    const char *usage;    ///< what these arguments are, for `--help`; NULL: none
    tn_ros_program_create_fn create;
    tn_ros_program_destroy_fn destroy; ///< may be NULL
};

/// Runs a program until SIGINT, SIGTERM or tn_loop_quit().
/// @return an exit code of enum tn_ros_exit, for `main` to return. Thread: main. Allocates: yes.
/// Blocks: yes, as long as the program runs.
int tn_ros_main(const struct tn_ros_program *program, int argc, char **argv);

// ---- components: one kind of node, alone in its program or with others in one process ----

/// Creates one node.
/// @param name, ns   of this one; `__node:=` and `__ns:=` win
typedef enum tn_result (*tn_ros_component_create_fn)(struct tn_ros_context *context,
                                                     const char *name, const char *ns,
                                                     void **out_node, struct tn_error *err);

/// One kind of node, as src/nodes lists it. Constant.
struct tn_ros_component {
    const char *executable, *package; ///< lib/<package>/<executable>
    const char *name, *ns;            ///< what a node is called when nobody says otherwise
    const char *description;          ///< one sentence for `--help`
    /// Its watchdog watches other nodes, so it is meant to live in a process of its own.
    bool is_watchdog;
    const struct tn_ros_param *(*params)(uint32_t *out_n);
    tn_ros_component_create_fn create;
    void (*destroy)(void **node); ///< nulls the pointer; the context is still alive
};

/// The program of one component: one node until SIGINT, SIGTERM or tn_loop_quit().
/// @return as tn_ros_main(). Thread: main. Allocates: yes. Blocks: as long as the program runs.
int tn_ros_component_main(const struct tn_ros_component *component, int argc, char **argv);

/// Nodes in one process: each costs some sockets' worth of endpoints, and they share one thread.
#define TN_ROS_COMPOSE_MAX 32

/// The program `compose NODE[:=NAME][@NS] … [--ros-args …]`: several nodes, also of one kind, in
/// one process and one context. NODE is an executable's name; NAME and NS replace its default name
/// and namespace; `name:` before a rule behind --ros-args addresses one node. Nodes are created in
/// the order given and destroyed in the opposite one. When one cannot be created the others go,
/// the message names it, and the exit code is that of its own program. Two nodes with one full
/// name, and rules for a node that is not there, are errors of the command line.
/// @return as tn_ros_main(). Thread: main. Allocates: yes. Blocks: as long as the program runs.
int tn_ros_compose_main(const struct tn_ros_component *const *components, uint32_t n_components,
                        int argc, char **argv);

#endif
