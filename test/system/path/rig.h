// SPDX-License-Identifier: Apache-2.0
/// @file
/// The programs of the path as children of a test: started with logs in a folder of their own,
/// stopped, killed, started again; and a member of the graph that watches and arms.
#ifndef TN_TEST_SYSTEM_PATH_RIG_H
#define TN_TEST_SYSTEM_PATH_RIG_H

#include <stdio.h>

#include "base/loop.h"
#include "base/process.h"
#include "base/trace.h"
#include "ros/node.h"
#include "system/path/record.h"

#define PATH_TEXT_MAX 512

struct path_watch_hand {
    struct path_rig *rig;
    enum tn_side side;
    struct path_side_record *record;
    struct tn_ros_client *arm;
    bool has_session;
    struct path_session session; // the newest
    int64_t unarmed_since_steady_ns;
    int64_t arm_after_ns; // so long the test lets a latched hand be
    bool is_arming;
    unsigned n_armed;
};

struct path_rig {
    struct tn_loop *loop;
    struct path_record record;
    bool has_gates; // false: everything that refuses old commands is switched off
    uint64_t seed;
    unsigned glove_hz;

    char prefix[PATH_TEXT_MAX], dir[PATH_TEXT_MAX];
    char trace_path[PATH_TEXT_MAX + 16], send_log[PATH_TEXT_MAX + 16];
    char execution_log[TN_SIDES][PATH_TEXT_MAX + 16], output_log[PATH_TEXT_MAX + 16];
    FILE *output;
    uint16_t glove_port, receive_port;
    struct tn_process *processes[PATH_PROGRAMS];
    bool may_end[PATH_PROGRAMS]; // its end is the test's doing
    bool is_killed[PATH_PROGRAMS];
    unsigned n_bad_ends; // children that ended by themselves or not with 0

    struct tn_ros_context *context;
    struct tn_ros_node *node;
    struct tn_trace_ring *trace;
    uint64_t trace_cursor, trace_lost;
    struct path_watch_hand hands[TN_SIDES];
    struct tn_loop_timer step;
    bool does_arm; // a hand that is not armed is armed, after arm_after_ns
    void (*on_step)(void *context);
    void *on_step_context;
};

/// Makes the folder, the loop and the graph member; starts every program.
TN_NODISCARD enum tn_result path_rig_start(struct path_rig *rig, struct tn_error *err);

/// Ends every program (glove first), reads what they wrote into the record.
TN_NODISCARD enum tn_result path_rig_finish(struct path_rig *rig, struct tn_error *err);

/// Frees everything. The folder is removed unless `is_kept`.
void path_rig_destroy(struct path_rig *rig, bool is_kept);

/// Runs the loop until `is_done` says so. False: not within `limit_ns`, or a program died.
bool path_rig_run_until(struct path_rig *rig, bool (*is_done)(void *), void *context,
                        int64_t limit_ns);

/// Runs the loop for so long; returns early when a program died.
void path_rig_run_for(struct path_rig *rig, int64_t duration_ns);

/// Begins a disturbance: stops or kills the program and waits until the kernel says that it is.
void path_rig_begin_fault(struct path_rig *rig, enum path_program program, bool is_kill);

/// Ends the newest disturbance of that program: continues it or starts it again.
TN_NODISCARD enum tn_result path_rig_end_fault(struct path_rig *rig, enum path_program program,
                                               struct tn_error *err);

/// Both hands have executed commands that were decided after `since_steady_ns`, and follow.
bool path_rig_follows(const struct path_rig *rig, int64_t since_steady_ns);

/// Prints where every part stands, for a failed wait.
void path_rig_explain(const struct path_rig *rig);

// ---- watch.c ----

TN_NODISCARD enum tn_result path_watch_create(struct path_rig *rig, struct tn_error *err);
void path_watch_destroy(struct path_rig *rig);
void path_watch_read_trace(struct path_rig *rig);
void path_watch_arm(struct path_rig *rig, int64_t now_steady_ns);

// ---- programs.c ----

TN_NODISCARD enum tn_result path_program_start(struct path_rig *rig, enum path_program program,
                                               struct tn_error *err);

#endif
