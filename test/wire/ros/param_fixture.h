// SPDX-License-Identifier: Apache-2.0
// A node with parameters, "/ns/dut", and another one in the same process that asks it.
#ifndef TEST_WIRE_ROS_PARAM_FIXTURE_H
#define TEST_WIRE_ROS_PARAM_FIXTURE_H

#include "ros/param_client.h"
#include "wire/ros/harness.h"
#include "wire/ros/param_table.h"

#define TIMEOUT_NS (20 * TN_NS_PER_S)

struct fixture {
    struct harness h;
    struct table_config config;
    struct tn_ros_node *node; ///< the one with parameters, "/ns/dut"
    struct tn_ros_param_client *client;
    bool is_done;
    char text[4096]; ///< what came back, one line each
    uint32_t n_changed;
    char changed[256];
};

/// "name=yaml" of each parameter to set.
#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

void fixture_open(struct fixture *f);
void fixture_open_with(struct fixture *f, int argc, const char *const *argv);
void fixture_close(struct fixture *f);
/// Whether all six services are matched; for harness_wait().
bool fixture_is_ready(void *context);
/// Whether a callback has set is_done.
bool fixture_is_done(void *context);
/// Waits until a callback has set is_done.
void fixture_wait(struct fixture *f, enum tn_result sent);
/// Adds to f->text.
void fixture_say(struct fixture *f, const char *format, ...) TN_PRINTF(2, 3);
/// Says the results of a set.
void fixture_on_set(void *context, const void *response);
void fixture_near(double a, double b);

// each asks one service and returns what it said; names are parted by blanks
const char *fixture_get(struct fixture *f, const char *names);
const char *fixture_types(struct fixture *f, const char *names);
const char *fixture_describe(struct fixture *f, const char *names);
const char *fixture_list(struct fixture *f, const char *prefixes, uint64_t depth);
const char *fixture_set(struct fixture *f, const char *const *texts);
const char *fixture_set_atomically(struct fixture *f, const char *const *texts);

#endif
