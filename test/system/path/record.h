// SPDX-License-Identifier: Apache-2.0
/// @file
/// Everything a system test of the path keeps for its judges: what was done to the programs, what
/// they said on topics, in the trace ring and in their logs. Plain growing arrays.
#ifndef TN_TEST_SYSTEM_PATH_RECORD_H
#define TN_TEST_SYSTEM_PATH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/side.h"

#define PATH_JOINTS 6

/// The programs of the path, from the glove to the robot.
enum path_program {
    PATH_GLOVE,
    PATH_DRIVER,
    PATH_ADAPTER,
    PATH_RETARGETER,
    PATH_LEFT_HAND,
    PATH_RIGHT_HAND,
    PATH_PROGRAMS
};

/// One disturbance. `asked`: read before the signal was sent; `begun`: the kernel said that the
/// program is stopped or dead; `ended`: read before it was continued or started again.
struct path_fault {
    enum path_program program;
    bool is_kill, has_ended;
    int64_t asked_steady_ns, begun_steady_ns, ended_steady_ns;
};

/// A line of an execution log.
enum path_line_kind {
    PATH_EXECUTED,
    PATH_START,
    PATH_STOP,
    PATH_HOLD,
    PATH_POSE,
    PATH_RESUME,
    PATH_RESUMED,
    PATH_OTHER
};

struct path_line {
    enum path_line_kind kind;
    int64_t steady_ns;
    int64_t stamp_ros_ns; // of PATH_EXECUTED
};

/// A frame passed a place: a record of the trace ring.
struct path_passage {
    int64_t stamp_ros_ns, steady_ns;
};

struct path_feedback {
    int64_t sample_steady_ns;
    double position[PATH_JOINTS];
};

struct path_command {
    int64_t arrival_steady_ns;
    double value[PATH_JOINTS];
};

struct path_session {
    int64_t steady_ns; // of the decision
    uint8_t state;
    bool is_armed, is_latched, is_flowing;
    char reason[16];
};

/// A growing array of TYPE.
#define PATH_ARRAY(TYPE)                                                                           \
    struct {                                                                                       \
        TYPE *data;                                                                                \
        size_t size, capacity;                                                                     \
    }

struct path_side_record {
    PATH_ARRAY(struct path_line) lines;        // by time
    PATH_ARRAY(struct path_passage) commands;  // published by the retargeter
    PATH_ARRAY(struct path_passage) accepted;  // by the effector
    PATH_ARRAY(struct path_passage) executed;  // by the effector
    PATH_ARRAY(struct path_feedback) feedback; // what the effector measured
    PATH_ARRAY(struct path_command) targets;   // values of the commands
    PATH_ARRAY(struct path_session) sessions;  // what the session said
    PATH_ARRAY(int64_t) arms;                  // steady times, read before `arm` was called
};

struct path_record {
    struct path_side_record sides[TN_SIDES];
    PATH_ARRAY(struct path_fault) faults;
    int64_t wall_minus_steady_ns;
    int64_t rearm_ns; // so long good frames are only counted before targets flow again
    int64_t begun_steady_ns, ended_steady_ns;
};

/// Room for one more element; ends the program when there is no memory.
#define PATH_PUSH(array, ...)                                                                      \
    do {                                                                                           \
        path_grow((void **)&(array)->data, &(array)->capacity, (array)->size,                      \
                  sizeof *(array)->data);                                                          \
        (array)->data[(array)->size++] = (__VA_ARGS__);                                            \
    } while (0)

void path_grow(void **data, size_t *capacity, size_t size, size_t element_size);

void path_record_clear(struct path_record *record);

/// The name of a program, as `ps` and messages have it.
const char *path_program_name(enum path_program program);

/// The program is on the way to this hand.
bool path_program_serves(enum path_program program, enum tn_side side);

/// Difference of the wall and the steady clock, read so that a preemption between the two reads
/// does not count.
int64_t path_wall_minus_steady_ns(void);

#endif
