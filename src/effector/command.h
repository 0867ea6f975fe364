// SPDX-License-Identifier: Apache-2.0
/// @file
/// May this command be executed? Acceptance of one EEJointControl (or of the position command of a
/// gripper), value by value, before anything of it reaches a device.
///
/// A command is taken whole or refused whole. A refused one changes nothing but counters: no
/// target, no watchdog, no ownership of the topic.
///
/// With `has_max_age` the stamp is the identity of the hand frame the command came from: it must be
/// given, fresh by the age the caller measured, not from the future, and newer than the last one
/// accepted. Fresh, yet older than the last by more than the age limit and the future slack
/// together, is possible only when the source's clock was set back: the order then starts anew, but
/// not before nothing was accepted for that same time. Whatever was accepted before is stale by
/// then, so that no writer, not even a second one with another clock, can have a stamp executed
/// twice.
#ifndef TN_EFFECTOR_COMMAND_H
#define TN_EFFECTOR_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/result.h"
#include "base/side.h"
#include "effector/types.h"

/// A stamp may lie this far in the future (clocks of two machines, the minimum delay of a time
/// map).
#define TN_EFFECTOR_FUTURE_NS (50 * TN_NS_PER_MS)

/// X-macro: identifier, key of the counter in diagnostics, what a person reads.
#define TN_EFFECTOR_VERDICT_LIST(X)                                                                \
    X(ACCEPTED, "accepted", "accepted")                                                            \
    X(LENGTH, "length", "name and value differ in length")                                         \
    X(COUNT, "count", "without names there must be one value for each joint of the device")        \
    X(UNKNOWN_NAME, "unknown_name", "a joint name that this device does not have")                 \
    X(WRONG_SIDE, "wrong_side", "a joint name of the other side")                                  \
    X(DUPLICATE_NAME, "duplicate_name", "a joint is named twice")                                  \
    X(UNKNOWN_MODE, "unknown_mode", "a mode that is none of 0 POSITION, 1 VELOCITY, 2 CURRENT")    \
    X(UNSUPPORTED_MODE, "unsupported_mode", "a mode that this device cannot do")                   \
    X(NOT_FINITE, "not_finite", "a value is NaN or infinite")                                      \
    X(RANGE, "range", "a value is outside the range of its mode")                                  \
    X(OTHER_WRITER, "other_writer", "another writer owns the topic (exclusive_writer)")            \
    X(NO_STAMP, "no_stamp", "header.stamp is 0 or no time (max_command_age_s)")                    \
    X(AGE_UNKNOWN, "age_unknown", "its age is not known (writer not mapped yet, or taken late)")   \
    X(STALE, "stale", "older than max_command_age_s")                                              \
    X(FUTURE, "future", "header.stamp lies in the future")                                         \
    X(REPEATED, "repeated", "this stamp was used already")                                         \
    X(REORDERED, "reordered", "older than a command used already")                                 \
    X(NOT_READY, "not_ready", "the device is not ready yet")                                       \
    X(STOPPED, "stopped", "stopped; call ~/release")                                               \
    X(LOST, "lost", "the device does not answer")                                                  \
    X(CLOSED, "closed", "shutting down")

#define TN_EFFECTOR_VERDICT_ENUM(name, key, text) TN_EFFECTOR_CMD_##name,
/// What became of a command; everything but ACCEPTED is a refusal.
enum tn_effector_verdict {
    TN_EFFECTOR_VERDICT_LIST(TN_EFFECTOR_VERDICT_ENUM) TN_EFFECTOR_VERDICTS
};
#undef TN_EFFECTOR_VERDICT_ENUM

/// @return key of a verdict's counter, "?" for none. Thread: any. Allocates: never. Blocks: never.
const char *tn_effector_verdict_key(enum tn_effector_verdict verdict);

/// @return the reason for a person, "?" for none. Thread: any. Allocates: never. Blocks: never.
const char *tn_effector_verdict_text(enum tn_effector_verdict verdict);

/// What is allowed. Plain data.
struct tn_effector_command_rules {
    enum tn_effector_kind kind;
    enum tn_side side;
    uint32_t modes;   ///< mask of the modes the device can do
    bool has_max_age; ///< stamps are judged
    int64_t max_age_ns;
    bool is_exclusive;          ///< the first writer owns the topic until silent
    int64_t command_timeout_ns; ///< silence that ends ownership, > 0
};

/// A received command. Views are read during the call only.
struct tn_effector_command {
    const struct tn_effector_text *names; ///< (min(n_names, TN_EFFECTOR_MAX_JOINTS))
    uint32_t n_names;                     ///< as received; 0: default order
    const double *values;                 ///< (min(n_values, TN_EFFECTOR_MAX_JOINTS))
    uint32_t n_values;                    ///< as received
    uint8_t mode;
    bool has_stamp; ///< header.stamp is a time and not 0
    int64_t stamp_ros_ns;
    bool is_age_known;
    int64_t age_ns; ///< at `now`; negative: from the future
    bool has_writer;
    uint8_t writer[TN_EFFECTOR_WRITER_SIZE];
};

/// What an accepted command asks for, by joint.
struct tn_effector_targets {
    uint32_t joints; ///< mask
    enum tn_effector_mode mode;
    double value[TN_EFFECTOR_MAX_JOINTS];
    bool has_stamp;
    int64_t stamp_ros_ns;
    bool has_expiry; ///< must not be handed to a device later than:
    int64_t expires_steady_ns;
};

/// What acceptance remembers. Plain data, zero-initialise.
struct tn_effector_acceptor {
    bool has_last_stamp;
    int64_t last_stamp_ros_ns;
    int64_t last_stamp_steady_ns; ///< when it was accepted
    bool has_owner;               ///< someone was accepted before
    uint8_t owner[TN_EFFECTOR_WRITER_SIZE];
    int64_t owner_steady_ns;                ///< its last accepted command
    uint64_t clock_steps;                   ///< the stamp order started anew
    uint64_t writer_changes;                ///< accepted while another writer was still active
    uint8_t other[TN_EFFECTOR_WRITER_SIZE]; ///< the writer before the last change
    uint64_t counts[TN_EFFECTOR_VERDICTS];
};

/// Judges a command without touching anything.
/// @param out_targets   written when ACCEPTED, unspecified otherwise
/// @param out_culprit   index of the name or value that is to blame, else 0; may be NULL
/// @return the verdict, never one of NOT_READY … CLOSED. Thread: any. Allocates: never. Blocks:
/// never. Cost: O(joints).
enum tn_effector_verdict tn_effector_command_judge(const struct tn_effector_acceptor *acceptor,
                                                   const struct tn_effector_command_rules *rules,
                                                   const struct tn_effector_command *command,
                                                   int64_t now_steady_ns,
                                                   struct tn_effector_targets *out_targets,
                                                   uint32_t *out_culprit);

/// Counts a verdict; ACCEPTED also takes over stamp order and ownership.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_effector_command_record(struct tn_effector_acceptor *acceptor,
                                const struct tn_effector_command_rules *rules,
                                const struct tn_effector_command *command,
                                enum tn_effector_verdict verdict, int64_t now_steady_ns);

#endif
