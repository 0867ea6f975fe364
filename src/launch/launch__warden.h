// SPDX-License-Identifier: Apache-2.0
// private to launch: a process of its own that outlives the launch by a moment and kills what that
// left running when it was killed itself. A death signal reaches only the direct children; under a
// prefix (`xterm -e`) or a shell the node is a grandchild.
#ifndef TN_LAUNCH_LAUNCH__WARDEN_H
#define TN_LAUNCH_LAUNCH__WARDEN_H

#include <sys/types.h>

#include "base/result.h"

struct tn_launch__warden {
    int pipe_fd; // -1: none
    pid_t pid;
};

// before any thread; TN_OK, TN_ERR_IO
enum tn_result tn_launch__warden_start(struct tn_launch__warden *warden, struct tn_error *err);
// a group that is to die with the launch, and one that has ended
void tn_launch__warden_watch(struct tn_launch__warden *warden, pid_t group);
void tn_launch__warden_forget(struct tn_launch__warden *warden, pid_t group);
// lets it go and reaps it; groups that are still watched are killed
void tn_launch__warden_stop(struct tn_launch__warden *warden);

#endif
