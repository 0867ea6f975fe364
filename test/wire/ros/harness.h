// SPDX-License-Identifier: Apache-2.0
// A node of ours, and other programs whose lines are collected; everything waits for events.
#ifndef TEST_WIRE_ROS_HARNESS_H
#define TEST_WIRE_ROS_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/process.h"
#include "ros/node.h"

#define HARNESS_LINES_MAX 8192
#define HARNESS_LINE_MAX  256
/// Only a failing test waits this long.
#define HARNESS_DEADLINE_NS (40 * TN_NS_PER_S)

struct harness {
    struct tn_loop *loop;
    struct tn_ros_context *context;
    struct tn_ros_node *node;
};

struct peer {
    struct tn_process *process;
    uint32_t n_lines;
    char (*lines)[HARNESS_LINE_MAX];
};

/// Opens loop, context and node "/test/tester"; environment variables must be set before.
void harness_open(struct harness *h);
/// The same with a command line; argv[0] is the program.
void harness_open_with(struct harness *h, int argc, const char *const *argv);
void harness_close(struct harness *h);

/// Starts a program and waits for its line "ready".
void peer_start(struct harness *h, struct peer *peer, const char *const *argv);
void peer_stop(struct peer *peer);
/// @return number of lines that begin with `prefix`.
uint32_t peer_count(const struct peer *peer, const char *prefix);
/// @return the first line at or behind `from` that begins with `prefix`, or NULL.
const char *peer_find(const struct peer *peer, uint32_t from, const char *prefix);

typedef bool (*harness_condition_fn)(void *context);
/// Runs the loop until the condition holds; fails the test when it never does.
void harness_wait(struct harness *h, harness_condition_fn condition, void *context,
                  const char *what);
/// Waits for `n` lines with a prefix.
void harness_wait_lines(struct harness *h, struct peer *peer, const char *prefix, uint32_t n);
/// Lets the loop run for a while, where the time itself is not judged.
void harness_run(struct harness *h, int64_t duration_ns);

#endif
