// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a launch says: the screen, its log file and those of its processes, as `ros2 launch` writes
/// them.
///
/// Screen: `[INFO] [talker-1]: process started with pid [77]`, and lines of processes as
/// `[talker-1] line`, all on one stream. File `launch.log`: the same behind `1717171717.1234567 `.
/// Own files of a process: `talker-1-stdout.log`, `talker-1-stderr.log` and `talker-1.log` for
/// both.
///
/// A screen that does not take its lines (a stopped terminal, a pager) never holds up the launch:
/// lines wait in a buffer, and when it is full they are lost and counted. A pipe that was closed
/// ends the screen and nothing else.
#ifndef TN_LAUNCH_LAUNCH_LOG_H
#define TN_LAUNCH_LAUNCH_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compat.h"
#include "base/loop.h"
#include "base/result.h"
#include "launch/plan.h"

/// Bytes that wait for a slow screen.
#define TN_LAUNCH_LOG_WAITING_MAX ((size_t)1 << 20)

enum tn_launch_severity { TN_LAUNCH_SAYS_INFO, TN_LAUNCH_SAYS_WARNING, TN_LAUNCH_SAYS_ERROR };

struct tn_launch_log_options {
    int screen_fd;      ///< -1: none; stays the caller's
    bool has_colors;    ///< warnings and errors in colour on the screen
    const char *folder; ///< exists; NULL: no files are written
};

struct tn_launch_log;

/// Makes the folder of this launch as `ros2 launch` does: `<base>/<date>-<time>-<host>-<pid>` below
/// ROS_LOG_DIR, or ROS_HOME/log, or ~/.ros/log, and lets `<base>/latest` point to it.
/// @param buffer   receives its absolute path
/// @return TN_OK; TN_ERR_IO: cannot be made, err names the folder; TN_ERR_LIMIT: longer than
/// `size`. Thread: any, while nobody changes the environment. Allocates: never. Blocks: file
/// system.
TN_NODISCARD enum tn_result tn_launch_log_make_folder(char *buffer, uint32_t size,
                                                      struct tn_error *err);

/// Opens the screen and launch.log.
/// @return TN_OK; TN_ERR_IO: launch.log cannot be written; TN_ERR_NO_MEMORY.
/// Thread: the loop's. Allocates: yes. Blocks: file system.
TN_NODISCARD enum tn_result tn_launch_log_create(struct tn_loop *loop,
                                                 const struct tn_launch_log_options *options,
                                                 struct tn_launch_log **out_log,
                                                 struct tn_error *err);

/// Waits at most `most_ns` for the screen to take what still waits, then closes the files. Accepts
/// NULL, nulls the pointer. @return nothing. Thread: the loop's. Allocates: never. Blocks: up to
/// `most_ns`.
void tn_launch_log_destroy(struct tn_launch_log **log, int64_t most_ns);

/// @return the folder of the files, NULL when there is none. Thread: any. Allocates: never. Blocks:
/// never.
const char *tn_launch_log_folder(const struct tn_launch_log *log);

/// Says something in the name of the launch or of one of its processes, on the screen and in
/// launch.log.
/// @param name   "launch", or the label of a process
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: file system.
void tn_launch_log_say(struct tn_launch_log *log, enum tn_launch_severity severity,
                       const char *name, const char *format, ...) TN_PRINTF(4, 5);

/// Takes one line of a process to where its output goes.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: file system.
void tn_launch_log_line(struct tn_launch_log *log, const char *label, enum tn_launch_output output,
                        bool is_stderr, const char *line, uint32_t size);

/// @return lines the screen lost because it took them too slowly. Thread: any. Allocates: never.
/// Blocks: never.
uint64_t tn_launch_log_lost(const struct tn_launch_log *log);

#endif
