// SPDX-License-Identifier: Apache-2.0
/// @file
/// Launch files written to a folder of the test, and a world that is the same everywhere.
#ifndef TN_TEST_UNIT_LAUNCH_LAUNCH_RIG_H
#define TN_TEST_UNIT_LAUNCH_LAUNCH_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "launch/plan.h"

struct launch_rig {
    char folder[64];
    struct tn_launch_world world;
    struct tn_launch_argument arguments[32];
    uint32_t n_arguments;
    struct tn_launch_plan *plan;
    struct tn_error err;
    uint32_t n_commands; ///< how many commands were run
    char command[1024];  ///< words of the last one, separated by |
    char environment[1024];
};

/// Group set-up and tear-down for cmocka.
/// @return 0. Thread: one caller. Allocates: yes. Blocks: file system.
int launch_rig_set_up(void **state);

/// @return 0. Thread: one caller. Allocates: never. Blocks: file system.
int launch_rig_tear_down(void **state);

/// Writes a file into the folder. @return nothing. Thread: one caller. Allocates: yes. Blocks: file
/// system.
void launch_rig_write(struct launch_rig *rig, const char *name, const char *text);

/// Loads `name` of the folder, or a path. The plan of the call before is freed.
/// @return as tn_launch_load(). Thread: one caller. Allocates: yes. Blocks: file system.
enum tn_result launch_rig_load(struct launch_rig *rig, const char *name);

/// Writes and loads `<launch>`, a line feed, the body, a line feed, `</launch>`.
/// @return as tn_launch_load(). Thread: one caller. Allocates: yes. Blocks: file system.
enum tn_result launch_rig_load_body(struct launch_rig *rig, const char *body);

/// @return the printed plan, the folder as $DIR and the sources as $SRC; to be freed.
/// Thread: one caller. Allocates: yes. Blocks: never.
char *launch_rig_print(struct launch_rig *rig);

/// @return `text` with folder and sources replaced; `text` is freed. Thread: one caller. Allocates:
/// yes. Blocks: never.
char *launch_rig_hide_paths(const struct launch_rig *rig, char *text);

#endif
