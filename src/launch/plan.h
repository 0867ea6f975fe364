// SPDX-License-Identifier: Apache-2.0
/// @file
/// The XML launch language of `ros2 launch` (launch_xml and launch_ros of Jazzy), read into a plan:
/// which processes with which arguments, environment and parameter files. Nothing is started or
/// written here.
///
/// Loading reads the launch file, those it includes and the parameter files with `allow_substs`;
/// everything else outside (environment, where packages lie, what a command prints) comes through
/// `struct tn_launch_world`. What the language accepts stands in one table (tn_launch_table_…),
/// which docs/ros/launch.md repeats; everything else is an error that names file, line and item.
///
/// **Parameters** written in a launch file become parameter files, as with launch_ros; those
/// between two files given by `from` share one. They are part of the plan: whoever runs it writes
/// them before the process starts. Their section is the node's full name if name and namespace are
/// known, else a wildcard.
///
/// Nothing recurses on input: includes, groups, substitutions and expressions are bounded by the
/// constants below.
#ifndef TN_LAUNCH_PLAN_H
#define TN_LAUNCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/result.h"

/// Launch files inside launch files.
#define TN_LAUNCH_INCLUDE_DEPTH_MAX 32
/// Launch files read in all, each time counted.
#define TN_LAUNCH_FILES_MAX 256
/// Processes of a plan.
#define TN_LAUNCH_PROCESSES_MAX 512
/// Elements executed in all.
#define TN_LAUNCH_ELEMENTS_MAX 16384
/// Substitutions inside substitutions.
#define TN_LAUNCH_SUBSTITUTION_DEPTH_MAX 16
/// Longest text a value may grow to, bytes.
#define TN_LAUNCH_TEXT_MAX (4u << 20)
/// All strings of a plan together, bytes.
#define TN_LAUNCH_MEMORY_MAX (32u << 20)

/// A launch argument as given (`name:=value`).
struct tn_launch_argument {
    const char *name, *value;
};

/// What a command printed.
struct tn_launch_command_result {
    int exit_code;         ///< 0: success; negative: killed by that signal
    char *stdout_text;     ///< allocated with malloc, NUL-terminated; the plan frees it
    uint32_t stdout_size;  ///< bytes before the NUL
    char stderr_text[512]; ///< its beginning, NUL-terminated; "" when nothing was written there
};

/// Everything outside. Any callback may be NULL: then what needs it is an error
/// (TN_ERR_UNSUPPORTED) that says so.
struct tn_launch_world {
    /// "NAME=value", NULL-terminated: the environment that is read and that processes inherit
    const char *const *environment;
    /// Writes the prefix of a package. As tn_package_prefix(); `err` tells where was looked.
    enum tn_result (*package_prefix)(void *context, const char *package, char *buffer,
                                     uint32_t size, struct tn_error *err);
    /// Writes the path of a program of a package. As tn_package_program().
    enum tn_result (*package_program)(void *context, const char *package, const char *program,
                                      char *buffer, uint32_t size, struct tn_error *err);
    /// Writes the path of a program on PATH.
    enum tn_result (*find_program)(void *context, const char *program, char *buffer, uint32_t size,
                                   struct tn_error *err);
    /// Runs a command and waits for its end. `environment` is complete and ends with NULL.
    /// `merges_stderr`: stderr goes to stdout_text too.
    enum tn_result (*run_command)(void *context, const char *const *argv,
                                  const char *const *environment, bool merges_stderr,
                                  struct tn_launch_command_result *out, struct tn_error *err);
    void *context;
    const char *working_dir; ///< what relative paths are relative to; NULL: "." of the process
    const char *params_dir;  ///< absolute folder of the generated parameter files, in which the
                             ///< runner will write them; NULL: "$PARAMS", for printing
    const char *log_dir;     ///< of $(log_dir); NULL: it is an error
    const char *anonymous;   ///< what $(anon) makes names unique with, e.g. host and process id;
                             ///< NULL: "0"
};

enum tn_launch_kind { TN_LAUNCH_NODE, TN_LAUNCH_EXECUTABLE };

/// Where the lines of a process go. `launch log`: one file for the whole launch.
enum tn_launch_output {
    TN_LAUNCH_OUTPUT_LOG,     ///< all to the launch log, stderr to the screen too; the default
    TN_LAUNCH_OUTPUT_SCREEN,  ///< all to the screen
    TN_LAUNCH_OUTPUT_BOTH,    ///< all to the screen and to the launch log
    TN_LAUNCH_OUTPUT_OWN_LOG, ///< stdout, stderr and both together to files of the process
    TN_LAUNCH_OUTPUT_FULL,    ///< screen, launch log and files of the process
};

/// One change to the environment of the world.
struct tn_launch_variable {
    const char *name;
    const char *value; ///< NULL: not set in this process
};

/// A parameter file the runner writes before it starts the process, mode 0600.
struct tn_launch_file {
    const char *path; ///< <params_dir>/launch_params_<n>.yaml; stands in argv
    const char *text; ///< NUL-terminated
    size_t size;      ///< bytes before the NUL
};

/// A process to be started.
struct tn_launch_process {
    enum tn_launch_kind kind;
    const char *label;     ///< as `talker-1`: exec_name, name, or the program's; unique in the plan
    const char *package;   ///< of a node, to be found by tn_package_program(); NULL: `program` is a
                           ///< path or a name on PATH
    const char *program;   ///< of a node: `exec`; of an executable: its first word
    const char *node_name; ///< NULL: the program's own
    const char *node_namespace; ///< absolute; NULL: neither given nor pushed
    const char *const *prefix;  ///< words in front of the program (launch-prefix), NULL-terminated
    uint32_t n_prefix;
    const char *const *arguments; ///< all behind the program, NULL-terminated; of a node the
                                  ///< `--ros-args` too
    uint32_t n_arguments;
    bool is_shell; ///< prefix, program and arguments joined by blanks are a line for /bin/sh -c
    const struct tn_launch_variable *variables; ///< changes to the environment, each name once
    uint32_t n_variables;
    const char *working_dir; ///< NULL: inherited
    const struct tn_launch_file *files;
    uint32_t n_files;
    enum tn_launch_output output;
    bool emulates_tty; ///< the process should believe that it writes to a terminal
    bool respawns;
    double respawn_delay_s;   ///< 0: at once
    int32_t respawn_max;      ///< negative: no limit
    double sigterm_timeout_s; ///< SIGINT to SIGTERM, 5 by default
    double sigkill_timeout_s; ///< SIGTERM to SIGKILL, 5 by default
    bool shuts_down_on_exit;  ///< on_exit="shutdown": when it ends, all end
    const char *file;         ///< where it is written
    uint32_t line;
};

enum tn_launch_message_kind {
    TN_LAUNCH_INFO,    ///< of a `<log>`
    TN_LAUNCH_WARNING, ///< of the loader
};

/// To be told before process `before_process` is started.
struct tn_launch_message {
    enum tn_launch_message_kind kind;
    const char *text;
    uint32_t before_process; ///< n_processes: after all of them
    const char *file;
    uint32_t line;
};

/// What to run, in order. Treat as constant. All strings belong to it.
struct tn_launch_plan {
    const struct tn_launch_process *processes;
    uint32_t n_processes;
    const struct tn_launch_message *messages; ///< in order
    uint32_t n_messages;
    const char *const *sources; ///< launch files read, each once
    uint32_t n_sources;
};

/// Reads a launch file with its includes and makes the plan.
/// @param path        of the launch file
/// @param arguments   given arguments; of two with one name the later one holds
/// @param err         file and line of what is wrong
/// @return TN_OK; TN_ERR_SYNTAX: not XML, or a substitution or expression that does not follow its
/// grammar; TN_ERR_UNSUPPORTED: an element, attribute or substitution that is not accepted;
/// TN_ERR_NOT_FOUND: a file, package, variable or required argument that is not there;
/// TN_ERR_INVALID_ARGUMENT: a value that does not fit; TN_ERR_LIMIT: more than a limit above;
/// TN_ERR_IO; TN_ERR_NO_MEMORY; what a callback returned. Thread: any. Allocates: yes.
/// Blocks: file system, and as run_command does.
TN_NODISCARD enum tn_result tn_launch_load(const char *path,
                                           const struct tn_launch_argument *arguments,
                                           uint32_t n_arguments,
                                           const struct tn_launch_world *world,
                                           struct tn_launch_plan **out_plan, struct tn_error *err);

/// Frees a plan. Accepts NULL, nulls the pointer. @return nothing. Thread: one caller.
/// Allocates: never. Blocks: never.
void tn_launch_plan_destroy(struct tn_launch_plan **plan);

/// Writes the plan as text: same plan, same text. For `--print` and golden tests.
/// @return TN_OK; TN_ERR_IO. Thread: any. Allocates: never. Blocks: as the stream does.
enum tn_result tn_launch_plan_print(const struct tn_launch_plan *plan, FILE *out);

/// Splits a `name:=value` of the command line as `ros2 launch` does.
/// @param name, size   receives the name; `*out_value` points into `text`
/// @return TN_OK; TN_ERR_SYNTAX: no `:=`, nothing in front of it, or nothing behind it;
/// TN_ERR_LIMIT: the name is longer than `size`. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_launch_split_argument(const char *text, char *name, uint32_t size,
                                                     const char **out_value, struct tn_error *err);

/// Writes the arguments a launch file declares, with those of files it includes whose path is known
/// without arguments, in the form of `ros2 launch --show-args`. Nothing is executed but
/// substitutions of such paths.
/// @return as tn_launch_load(). Thread: any. Allocates: yes. Blocks: file system and stream.
TN_NODISCARD enum tn_result tn_launch_show_args(const char *path,
                                                const struct tn_launch_world *world, FILE *out,
                                                struct tn_error *err);

/// How an item of the language is treated.
enum tn_launch_support {
    TN_LAUNCH_ACCEPTED,
    TN_LAUNCH_REJECTED, ///< `ros2 launch` has it, tendon does not: the error says why
};

/// What an attribute takes.
enum tn_launch_value {
    TN_LAUNCH_VALUE_NONE,        ///< an element or substitution, no attribute
    TN_LAUNCH_VALUE_SUBSTITUTED, ///< text, substitutions are replaced
    TN_LAUNCH_VALUE_TEXT,        ///< text as it stands, only escapes are removed
    TN_LAUNCH_VALUE_BOOLEAN,     ///< true, false, 1 or 0 as YAML 1.1 has them; no substitutions
    TN_LAUNCH_VALUE_NUMBER,      ///< a number that is not negative; no substitutions
    TN_LAUNCH_VALUE_INTEGER,     ///< an integer; no substitutions
};

/// An element, attribute or substitution of the language.
struct tn_launch_item {
    const char *element;   ///< "node"; "node/param" for one inside another; "$(var)"
    const char *attribute; ///< NULL: the element or substitution itself
    enum tn_launch_support support;
    enum tn_launch_value value;
    bool is_required;
    const char *note; ///< one line: what it does, or why it is rejected
};

/// @return the item at a place of the table of everything known; NULL behind the last. The table is
/// what the loader works with. Thread: any. Allocates: never. Blocks: never.
const struct tn_launch_item *tn_launch_table_at(uint32_t index);

#endif
