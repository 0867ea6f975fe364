// SPDX-License-Identifier: Apache-2.0
// private to `tendon demo`: its parts and what they share
#ifndef TN_CLI_CLI__DEMO_H
#define TN_CLI_CLI__DEMO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/loop.h"
#include "base/process.h"
#include "base/side.h"
#include "base/stats.h"
#include "base/trace.h"
#include "ros/node.h"

#define TN_DEMO_CHILDREN 6
#define TN_DEMO_JOINTS   6
#define TN_DEMO_PATH_MAX 512

// ---- command line ----

struct tn_demo_options {
    double seconds_s;        // 0: until Ctrl-C
    const char *report_path; // NULL: none
    const char *input_path;  // NULL: the motion script
    const char *keep_dir;    // NULL: logs are removed at the end
    int64_t seed;
    bool is_shared;   // discovery beyond this machine
    bool is_plain;    // lines instead of the screen
    bool is_composed; // all nodes in one process; the gloves stay a program
    FILE *lines;      // where they go: not among the report
};

// a text for the terminal: what is not printable ASCII becomes '?'; cut to fit, NUL-terminated
void tn_demo__copy_printable(char *out, size_t capacity, const char *text, size_t size);

// prints its own messages; *out_exit is the exit code when false is returned
bool tn_demo__parse(int argc, char **argv, struct tn_demo_options *out, int *out_exit);

// ---- its folder ----

enum tn_demo_file {
    TN_DEMO_TRACE,
    TN_DEMO_SEND_LOG,
    TN_DEMO_LEFT_LOG,
    TN_DEMO_RIGHT_LOG,
    TN_DEMO_CHILDREN_LOG,
    TN_DEMO_FILES
};
extern const char *const tn_demo__file_names[TN_DEMO_FILES];

// makes a folder from a path that ends in TN_DEMO_FOLDER; a descriptor that keeps the claim on it
// while it is open, -1: errno says why not
#define TN_DEMO_FOLDER "tendon-demo-run-XXXXXX"
int tn_demo__make_folder(char *io_path);
// removes the folders of demos that were killed: nobody has a claim on them
void tn_demo__sweep_folders(const char *parent);

// ---- joining the trace ring: counts and latencies per hand ----

#define TN_DEMO_OPEN_FRAMES 1024

struct tn_demo_open_frame {
    int64_t stamp_ros_ns;
    int64_t at_steady_ns[TN_TRACE_STAGES]; // 0: not passed
};

struct tn_demo_hand_trace {
    uint64_t sent, received;             // over the whole run
    uint64_t frames, commands, executed; // since counting began
    struct tn_rate command_rate;
    struct tn_histogram latency;                 // received -> accepted
    struct tn_histogram stages[TN_TRACE_STAGES]; // since the stage before
    struct tn_demo_open_frame open[TN_DEMO_OPEN_FRAMES];
};

struct tn_demo_trace {
    struct tn_trace_ring *ring;
    uint64_t cursor, lost_records;
    int64_t counting_from_steady_ns; // 0: not yet
    struct tn_demo_hand_trace hands[TN_SIDES];
};

// reads what was appended since the last call
void tn_demo__trace_read(struct tn_demo_trace *trace);

// ---- the children ----

struct tn_demo_children {
    struct tn_process *processes[TN_DEMO_CHILDREN];
    const char *names[TN_DEMO_CHILDREN]; // NULL: this place is not used
    uint64_t rss_kib[TN_DEMO_CHILDREN];
    FILE *logs;    // where their lines go; NULL: to stderr
    bool is_shown; // to stderr as well
    bool is_stopping;
    const char *dead; // name of a child that ended by itself
    const char *dead_words;
    struct tn_process_exit dead_status;
    char last_line[160];
    char last_words[TN_DEMO_CHILDREN][160]; // of each
};

struct tn_demo_paths {
    char dir[TN_DEMO_PATH_MAX];
    char trace[TN_DEMO_PATH_MAX + 32];
    char send_log[TN_DEMO_PATH_MAX + 32];
    char execution_log[TN_SIDES][TN_DEMO_PATH_MAX + 32];
    char children_log[TN_DEMO_PATH_MAX + 32];
};

enum tn_result tn_demo__children_start(struct tn_loop *loop, const struct tn_demo_options *options,
                                       const struct tn_demo_paths *paths,
                                       struct tn_demo_children *children, struct tn_error *err);

// samples resident memory while they live
void tn_demo__children_measure(struct tn_demo_children *children);

// glove first, so that what it sent last still arrives; then the rest; returns when all ended
void tn_demo__children_stop(struct tn_loop *loop, struct tn_demo_children *children);

// ---- what the graph says ----

struct tn_demo_hand {
    enum tn_side side;
    bool has_state;
    uint8_t state, action;
    bool armed, latched, resuming, is_arming;
    char reason[24];
    double position[TN_DEMO_JOINTS], lowest[TN_DEMO_JOINTS], highest[TN_DEMO_JOINTS];
    uint8_t joint_state[TN_DEMO_JOINTS];
    bool has_position, has_span;
    double age_ms;
    struct tn_ros_client *arm;
    const bool *is_counting;
};

struct tn_demo_graph {
    struct tn_ros_context *context;
    struct tn_ros_node *node;
    struct tn_demo_hand hands[TN_SIDES];
    bool is_counting;
    bool was_active[TN_SIDES]; // arming is automatic only until a hand was active once
};

enum tn_result tn_demo__graph_create(struct tn_loop *loop, struct tn_demo_graph *graph,
                                     struct tn_error *err);
void tn_demo__graph_destroy(struct tn_demo_graph *graph);

// asks for what is still needed; true when both hands are ACTIVE and follow
bool tn_demo__graph_arm(struct tn_demo_graph *graph);

const char *tn_demo__joint_name(unsigned joint);
const char *tn_demo__state_name(uint8_t state);

// ---- showing and reporting ----

void tn_demo__view(const struct tn_demo_options *options, struct tn_demo_graph *graph,
                   struct tn_demo_trace *trace, const struct tn_demo_children *children,
                   int64_t now_steady_ns);

struct tn_demo_verdict {
    bool has_oracle;
    uint64_t executed[TN_SIDES], stale[TN_SIDES], repeated[TN_SIDES], unmatched[TN_SIDES];
    bool moved[TN_SIDES];
};

// runs the oracle on the logs and judges the motion
enum tn_result tn_demo__judge(const struct tn_demo_paths *paths, const struct tn_demo_graph *graph,
                              struct tn_demo_verdict *out, struct tn_error *err);

// opens the file before anything runs, so that a wrong path is told at once; "-": standard output
enum tn_result tn_demo__report_open(const char *path, FILE **out_file, struct tn_error *err);

// `name` is for messages
enum tn_result tn_demo__report(FILE *file, const char *name, const struct tn_demo_verdict *verdict,
                               const struct tn_demo_trace *trace,
                               const struct tn_demo_children *children, double counted_s,
                               struct tn_error *err);

#endif
