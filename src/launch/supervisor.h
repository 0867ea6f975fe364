// SPDX-License-Identifier: Apache-2.0
/// @file
/// Runs the processes of a plan as `ros2 launch` does: starts them in order, writes their lines,
/// starts those again that are to respawn, and ends all of them.
///
/// **Ending.** SIGINT to each process group, the last started first; SIGTERM `sigterm_timeout_s`
/// later, SIGKILL `sigkill_timeout_s` after that. It begins with a call of tn_supervisor_shutdown()
/// (signals of the launch call it), when a process with `on_exit="shutdown"` ends, or when a
/// process cannot be started. When nothing runs and nothing waits for its respawn, the launch is
/// over.
///
/// **Nothing stays behind.** What a process leaves in its group when it ends is killed; when the
/// launch itself is killed, a warden process kills all groups.
///
/// **Exit status**, as `ros2 launch` has it: 0 after SIGINT and when all processes ended, however
/// they did; 1 after SIGTERM, SIGQUIT and SIGHUP, and when a process could not be started.
#ifndef TN_LAUNCH_SUPERVISOR_H
#define TN_LAUNCH_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"
#include "base/result.h"
#include "launch/launch_log.h"
#include "launch/package.h"
#include "launch/plan.h"

struct tn_supervisor;

struct tn_supervisor_options {
    const struct tn_packages *packages; ///< where programs are looked up
    struct tn_launch_log *log;          ///< outlives the supervisor
    const enum tn_launch_output
        *output;    ///< for all processes instead of their own; NULL: their own
    bool is_strict; ///< a missing rviz2 is an error; else one warning, and the launch goes on
                    ///< without
};

/// Looks all programs up; starts none.
/// @param plan   outlives the supervisor
/// @return TN_OK; TN_ERR_NOT_FOUND: a package or program is missing, err says which, where the
/// launch file names it, and the way out; TN_ERR_PERMISSION: a program is not executable;
/// TN_ERR_LIMIT; TN_ERR_IO: no warden; TN_ERR_NO_MEMORY. Thread: the loop's, before any other
/// thread. Allocates: yes. Blocks: file system.
TN_NODISCARD enum tn_result tn_supervisor_create(struct tn_loop *loop,
                                                 const struct tn_launch_plan *plan,
                                                 const struct tn_supervisor_options *options,
                                                 struct tn_supervisor **out_supervisor,
                                                 struct tn_error *err);

/// Takes SIGINT, SIGTERM, SIGQUIT and, unless it is ignored (nohup), SIGHUP from now on; SIGPIPE is
/// ignored. @return TN_OK; TN_ERR_IO. Thread: main, before any other. Allocates: never. Blocks:
/// never.
TN_NODISCARD enum tn_result tn_supervisor_handle_signals(struct tn_supervisor *supervisor);

/// Writes the parameter files and starts the processes in order. What cannot be started begins the
/// end of all, and is told in the log.
/// @return nothing. Thread: the loop's. Allocates: yes. Blocks: until each was executed.
void tn_supervisor_start(struct tn_supervisor *supervisor);

/// Begins the end of all processes; further calls do nothing.
/// @param exit_status   of the launch, unless it has a worse one
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_supervisor_shutdown(struct tn_supervisor *supervisor, int exit_status);

/// @return true when all has ended: then run the loop no more. Thread: the loop's. Allocates:
/// never. Blocks: never.
bool tn_supervisor_is_done(const struct tn_supervisor *supervisor);

/// @return the exit status so far. Thread: the loop's. Allocates: never. Blocks: never.
int tn_supervisor_exit_status(const struct tn_supervisor *supervisor);

/// Kills what still runs. Accepts NULL, nulls the pointer. @return nothing. Thread: the loop's.
/// Allocates: never. Blocks: until all are reaped.
void tn_supervisor_destroy(struct tn_supervisor **supervisor);

#endif
