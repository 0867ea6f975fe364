// SPDX-License-Identifier: Apache-2.0
// close_range is outside POSIX
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // NOLINT
#endif
#include "launch/launch__warden.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/plan.h"

// ---- the warden's side: between fork and _exit, async-signal-safe calls only ----

static void take(int32_t *groups, uint32_t *io_n, int32_t message)
{
    if (message > 0 && *io_n < TN_LAUNCH_PROCESSES_MAX)
        groups[(*io_n)++] = message;
    for (uint32_t i = 0; message < 0 && i < *io_n; i++) {
        if (groups[i] == -message) {
            groups[i] = groups[--*io_n];
            return;
        }
    }
}

static void keep_watch(int fd)
{
    int32_t groups[TN_LAUNCH_PROCESSES_MAX];
    int32_t messages[64];
    uint32_t n_groups = 0;
    for (;;) {
        // each message is written in one piece, so that none is read in parts
        const ssize_t n = read(fd, messages, sizeof messages);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        for (size_t i = 0; i < (size_t)n / sizeof messages[0]; i++)
            take(groups, &n_groups, messages[i]);
    }
    for (uint32_t i = 0; i < n_groups; i++)
        (void)kill(-groups[i], SIGKILL);
    _exit(0);
}

static void become_warden(int fd)
{
    // out of the terminal's reach, and holding nothing of the launch open
    (void)setpgid(0, 0);
    sigset_t all;
    sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    const int kept = dup2(fd, 3);
    (void)close_range(4, ~0U, 0);
    for (int i = 0; i < 3; i++)
        (void)close(i);
    keep_watch(kept);
}

// ---- the launch's side ----

enum tn_result tn_launch__warden_start(struct tn_launch__warden *warden, struct tn_error *err)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0)
        return tn_error_set(err, TN_ERR_IO, "cannot make a pipe: %s", strerror(errno));
    warden->pid = fork();
    if (warden->pid == 0)
        become_warden(fds[0]);
    (void)close(fds[0]);
    warden->pipe_fd = fds[1];
    if (warden->pid > 0)
        return TN_OK;
    (void)close(fds[1]);
    warden->pipe_fd = -1;
    return tn_error_set(err, TN_ERR_IO, "cannot fork: %s", strerror(errno));
}

static void tell(struct tn_launch__warden *warden, int32_t message)
{
    ssize_t n = -1;
    while (warden->pipe_fd >= 0 && n < 0) {
        n = write(warden->pipe_fd, &message, sizeof message);
        if (n < 0 && errno != EINTR)
            return;
    }
}

void tn_launch__warden_watch(struct tn_launch__warden *warden, pid_t group)
{
    tell(warden, group);
}

void tn_launch__warden_forget(struct tn_launch__warden *warden, pid_t group)
{
    tell(warden, -group);
}

void tn_launch__warden_stop(struct tn_launch__warden *warden)
{
    if (warden->pipe_fd < 0)
        return;
    (void)close(warden->pipe_fd);
    warden->pipe_fd = -1;
    while (waitpid(warden->pid, NULL, 0) < 0 && errno == EINTR) {
    }
}
