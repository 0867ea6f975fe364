// SPDX-License-Identifier: Apache-2.0
/// @file
/// Child processes under supervision: own process group, death signal, prefixed output, INT → TERM
/// → KILL.
///
/// A child inherits no descriptor but its outputs, no signal mask and no ignored signal. When
/// the leader of a group ends, what it left running in its group is killed: nothing stays behind.
/// Callbacks may call any function here, tn_process_destroy() included.
#ifndef TN_BASE_PROCESS_H
#define TN_BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/loop.h"
#include "base/result.h"

struct tn_process;

/// `exit_code` when it exited by itself, else -1 and `signal_number`.
struct tn_process_exit {
    int exit_code;
    int signal_number;
};

/// The process ended and all of its output was delivered. Runs on the loop's thread.
typedef void (*tn_process_exit_fn)(void *context, struct tn_process *process,
                                   struct tn_process_exit status);
/// One line of stdout or stderr, without its newline; valid during the call. Lines longer than 4096
/// bytes are split.
typedef void (*tn_process_line_fn)(void *context, struct tn_process *process, const char *line,
                                   uint32_t size, bool is_stderr);

struct tn_process_options {
    const char *name;             ///< for messages and output prefix
    const char *const *argv;      ///< argv[0]: path, or a name to be found in PATH; NULL-terminated
    const char *const *env_extra; ///< added to the environment: "NAME=value"; a "NAME" alone is
                                  ///< taken out of it; NULL-terminated or NULL
    const char *working_dir;      ///< NULL: inherited
    bool emulates_tty; ///< stdout and stderr are terminals of their own, which change no byte
    tn_process_exit_fn on_exit;
    tn_process_line_fn on_line; ///< NULL: output goes to our stderr with "[name] " in front
    void *context;
};

/// Starts a program (stdin from /dev/null, own process group, PR_SET_PDEATHSIG SIGKILL: it dies
/// with the thread that called this). The strings of `options` are not used after the call.
/// @return TN_OK; TN_ERR_NOT_FOUND: no such program; TN_ERR_PERMISSION; TN_ERR_IO;
/// TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: until exec succeeded or failed.
TN_NODISCARD enum tn_result tn_process_start(struct tn_loop *loop,
                                             const struct tn_process_options *options,
                                             struct tn_process **out_process, struct tn_error *err);

/// Opens /dev/null in the place of each standard stream that the caller of this program has closed:
/// the next socket or file would get its number, and what is printed would go into it. First thing
/// in a `main`. @return nothing. Thread: main, before others exist. Allocates: never. Blocks:
/// never.
void tn_process_open_standard_streams(void);

/// @return the process id, 0 after it ended. Thread: the loop's. Allocates: never. Blocks: never.
pid_t tn_process_pid(const struct tn_process *process);

/// @return the name given at the start. Thread: the loop's. Allocates: never. Blocks: never.
const char *tn_process_name(const struct tn_process *process);

/// @return true while it has not ended. Thread: the loop's. Allocates: never. Blocks: never.
bool tn_process_is_running(const struct tn_process *process);

/// Asks it to end: SIGINT to its group now (and SIGCONT, should it be stopped), SIGTERM after
/// `term_after_ns`, SIGKILL after `kill_after_ns` (both from now). Returns at once; on_exit
/// follows. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_process_stop(struct tn_process *process, int64_t term_after_ns, int64_t kill_after_ns);

/// Sends a signal to the process group. @return TN_OK; TN_ERR_STATE: it ended.
/// Thread: the loop's. Allocates: never. Blocks: never.
enum tn_result tn_process_signal(struct tn_process *process, int signal_number);

/// Kills it if it still runs (SIGKILL to the group), reaps, frees; on_exit is not called any more.
/// Accepts NULL, nulls the pointer.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: until reaped.
void tn_process_destroy(struct tn_process **process);

/// Resident memory of a process from /proc. @return KiB, 0 when unknown.
/// Thread: any. Allocates: never. Blocks: procfs.
uint64_t tn_process_rss_kib(pid_t pid);

/// Finds the installation or build prefix from the running executable (`<prefix>/bin/x` or
/// `<prefix>/lib/<pkg>/x`); the environment variable TN_PREFIX wins.
/// @return TN_OK; TN_ERR_NOT_FOUND; TN_ERR_LIMIT: path longer than `size`.
/// Thread: any. Allocates: never. Blocks: procfs.
TN_NODISCARD enum tn_result tn_process_prefix(char *buffer, uint32_t size);

#endif
