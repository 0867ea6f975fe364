// SPDX-License-Identifier: Apache-2.0
/// @file
/// The core of one device: commands go in, setpoints for the device come out, and nothing moves
/// without a fresh accepted command. It has its own watchdog on the steady clock, independent of
/// anything in front of it.
///
/// Pure: it neither knows the device nor reads a clock. Its owner calls, in any order:
///
///     tn_effector_core_command()      a command arrived
///     tn_effector_core_sample()       the device was polled with success
///     tn_effector_core_poll_failed()  it was not
///     tn_effector_core_tick()         every few ms
///     tn_effector_core_take()         after each of them: is there something to write?
///     tn_effector_core_next_note()    after each of them: what is to be logged?
///
/// State × event is a table (core_table.c):
///
///     STARTING   no good poll yet, or the device takes no commands yet
///     READY      up, never commanded
///     FOLLOWING  executes commands
///     HOLDING    where the joints stand, or come to stand, when it begins
///     POSE       on its way to, or at, the watchdog pose
///     RESUMING   commands are back: position joints approach at no more than
///                TN_EFFECTOR_RESUME_PERCENT_PER_S until within TN_EFFECTOR_RESUME_WITHIN percent
///                of their target, joint by joint
///     STOPPED    by `~/stop`: holds and refuses commands until `~/release`
///     LOST       the device does not answer; every joint is UNKNOWN
///     CLOSED     shutting down
///
/// A joint that is on its way to its last target when a hold begins cannot stop at once: the device
/// obeys `reaction_ns` later. Held at the measured position it would overshoot and turn back, so it
/// is held where it comes to stand at its measured speed, never beyond its last target. A joint
/// whose direction is not known to be that one is held at its measured position.
/// A hold of a joint that is stalled leaves it as the device holds it: it would let go otherwise.
/// Whatever was commanded before a hold is forgotten; joints a later command does not name stay
/// where they were held.
#ifndef TN_EFFECTOR_CORE_H
#define TN_EFFECTOR_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "effector/command.h"
#include "effector/device.h"
#include "effector/types.h"

#define TN_EFFECTOR_RESUME_PERCENT_PER_S 50.0
#define TN_EFFECTOR_RESUME_WITHIN        2.0
/// A hold or an approach begins from a sample no older than this; after a stall of the process it
/// waits for the next poll.
#define TN_EFFECTOR_FRESH_SAMPLE_NS (100 * TN_NS_PER_MS)

enum tn_effector_state {
    TN_EFFECTOR_STARTING = 0,
    TN_EFFECTOR_READY,
    TN_EFFECTOR_FOLLOWING,
    TN_EFFECTOR_HOLDING,
    TN_EFFECTOR_POSE,
    TN_EFFECTOR_RESUMING,
    TN_EFFECTOR_STOPPED,
    TN_EFFECTOR_LOST,
    TN_EFFECTOR_CLOSED,
    TN_EFFECTOR_STATES
};

enum tn_effector_event {
    TN_EFFECTOR_EV_UP,            ///< first good poll; full speed is allowed
    TN_EFFECTOR_EV_BACK,          ///< good poll after a loss, or the first one with a watchdog set
    TN_EFFECTOR_EV_LOST,          ///< too many failed polls
    TN_EFFECTOR_EV_COMMAND,       ///< a command passed acceptance
    TN_EFFECTOR_EV_REFUSED,       ///< a command did not
    TN_EFFECTOR_EV_WATCHDOG_HOLD, ///< no accepted position command for `position_watchdog_ns`
    TN_EFFECTOR_EV_WATCHDOG_POSE, ///< nor for `pose_after_ns`, and a pose is named
    TN_EFFECTOR_EV_REACHED,       ///< every resuming joint has met its target
    TN_EFFECTOR_EV_RATE_TIMEOUT,  ///< a VELOCITY or CURRENT joint was not refreshed
    TN_EFFECTOR_EV_STOP,          ///< `~/stop`
    TN_EFFECTOR_EV_RELEASE,       ///< `~/release`
    TN_EFFECTOR_EV_SHUTDOWN,
    TN_EFFECTOR_EVENTS
};

/// What a transition does.
enum tn_effector_action {
    TN_EFFECTOR_DO_NOTHING,
    TN_EFFECTOR_DO_FOLLOW,     ///< take the command's targets over
    TN_EFFECTOR_DO_RESUME,     ///< the same, approached slowly
    TN_EFFECTOR_DO_REFUSE,     ///< the command is refused by the state
    TN_EFFECTOR_DO_HOLD,       ///< every joint to where it stands or comes to stand
    TN_EFFECTOR_DO_POSE,       ///< every joint slowly to the watchdog pose
    TN_EFFECTOR_DO_STOP_RATES, ///< joints that were not refreshed: speed 0, current 0
    TN_EFFECTOR_DO_FORGET,     ///< drop what waits to be written
    TN_EFFECTOR_ACTIONS
};

struct tn_effector_cell {
    enum tn_effector_state next;
    enum tn_effector_action action;
};

/// What is worth a line in a log. `steady_ns` is when it was decided.
enum tn_effector_note_kind {
    TN_EFFECTOR_NOTE_START,   ///< the device answers and takes commands
    TN_EFFECTOR_NOTE_HOLD,    ///< position watchdog: holding
    TN_EFFECTOR_NOTE_POSE,    ///< position watchdog: to the pose
    TN_EFFECTOR_NOTE_RESUME,  ///< commands are back: slow approach
    TN_EFFECTOR_NOTE_RESUMED, ///< full speed again
    TN_EFFECTOR_NOTE_RATE,    ///< VELOCITY or CURRENT joints stopped, not refreshed
    TN_EFFECTOR_NOTE_STOP,    ///< stopped by `~/stop` or shutdown
    TN_EFFECTOR_NOTE_RELEASE,
    TN_EFFECTOR_NOTE_LOST,
    TN_EFFECTOR_NOTE_BACK,
    TN_EFFECTOR_NOTES
};

struct tn_effector_note {
    enum tn_effector_note_kind kind;
    int64_t steady_ns;
};

struct tn_effector_options {
    struct tn_effector_command_rules rules;
    bool has_watchdog; ///< position watchdog
    int64_t position_watchdog_ns;
    bool has_pose; ///< second stage, needs has_watchdog
    double pose[TN_EFFECTOR_MAX_JOINTS];
    int64_t pose_after_ns;           ///< since the last accepted position command
    int64_t write_interval_ns;       ///< commands are coalesced to this, last wins
    uint32_t max_failed_polls;       ///< at least 1
    double full_speed_percent_per_s; ///< of the device; 0: not known
    int64_t reaction_ns;             ///< of the device, 0 to 1 s; 0: not known
};

struct tn_effector_counters {
    uint64_t executed;  ///< commands whose targets were handed to the device
    uint64_t coalesced; ///< accepted, replaced by a newer one before it was handed over
    uint64_t expired;   ///< accepted, grew too old while it waited, dropped
    uint64_t writes, failed_writes;
    uint64_t polls, failed_polls;
    uint64_t holds, poses, resumes, rate_timeouts, losses;
};

#define TN_EFFECTOR_NOTE_QUEUE 16

/// What a joint is to do.
struct tn_effector_goal {
    bool is_set;       ///< false: never commanded, not written
    bool needs_resume; ///< was held: the next position command approaches slowly
    bool is_resuming;  ///< approaching slowly
    uint8_t mode;
    double value;
};

/// One joint as the core drives it.
struct tn_effector_joint {
    struct tn_effector_goal wanted; ///< by the last accepted command or hold
    struct tn_effector_goal given;  ///< by the last write: what an expired command falls back to
    bool is_measuring;              ///< a hold or ramp waits for a fresh sample to begin from
    double ramp;                    ///< what is written while resuming
    double written;                 ///< value of the last write
    double heading;                 ///< how far it moved between the last two samples
    int64_t refreshed_steady_ns;    ///< last accepted command that named it
    bool has_expiry;                ///< `wanted` comes from a command not handed over yet, and must
    int64_t expires_steady_ns;      ///< not be after this
};

/// Plain data; read what you like, write nothing.
struct tn_effector_core {
    struct tn_effector_options options;
    struct tn_effector_acceptor acceptor;
    struct tn_effector_counters counters;
    enum tn_effector_state state;
    bool is_up;   ///< the device answers and takes commands
    bool is_lost; ///< it stopped answering
    struct tn_effector_joint joints[TN_EFFECTOR_MAX_JOINTS];
    uint32_t n_joints;
    uint32_t dirty;     ///< mask of joints that wait to be written
    uint32_t pending;   ///< those of them that wait for a command's first write
    bool is_urgent;     ///< holds and stops do not wait for the write interval
    uint32_t n_waiting; ///< commands whose first write is to come
    struct tn_effector_command_id waiting[TN_EFFECTOR_MAX_MERGED];
    bool has_written;
    int64_t next_write_steady_ns;
    int64_t last_position_steady_ns; ///< last accepted position command
    bool may_pose;                   ///< the hold came from the watchdog
    int64_t ramp_steady_ns;          ///< to when the ramps were moved on
    uint32_t failed_polls;           ///< in a row
    bool has_sample;
    struct tn_effector_sample sample; ///< last good one
    struct tn_effector_note notes[TN_EFFECTOR_NOTE_QUEUE];
    uint32_t note_head, note_count;
};

/// @return the table's cell. Thread: any. Allocates: never. Blocks: never.
struct tn_effector_cell tn_effector_cell(enum tn_effector_state state,
                                         enum tn_effector_event event);

/// @return "FOLLOWING", … "?" for none. Thread: any. Allocates: never. Blocks: never.
const char *tn_effector_state_name(enum tn_effector_state state);

/// @return "hold", "pose", "resume", … as the execution log has it; "?" for none. Thread: any.
/// Allocates: never. Blocks: never.
const char *tn_effector_note_name(enum tn_effector_note_kind kind);

/// Starts a core in STARTING.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT or TN_ERR_RANGE: an option (named in err). Nothing is
/// written then. Thread: one caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_effector_core_init(struct tn_effector_core *core,
                                                  const struct tn_effector_options *options,
                                                  struct tn_error *err);

/// Judges a command and takes its targets over.
/// @param out_culprit   as tn_effector_command_judge(); may be NULL
/// @return the verdict; after a refusal nothing but counters has changed. Thread: one caller at a
/// time. Allocates: never. Blocks: never.
enum tn_effector_verdict tn_effector_core_command(struct tn_effector_core *core,
                                                  const struct tn_effector_command *command,
                                                  int64_t now_steady_ns, uint32_t *out_culprit);

/// A good poll. Values outside [0, 100] are clamped; a sample with a value that is not finite
/// counts as a failed poll.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_effector_core_sample(struct tn_effector_core *core, const struct tn_effector_sample *sample,
                             int64_t now_steady_ns);

/// A poll or write without an answer. @return nothing. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
void tn_effector_core_poll_failed(struct tn_effector_core *core, int64_t now_steady_ns);

/// Watchdogs and ramps. @return nothing. Thread: one caller at a time. Allocates: never. Blocks:
/// never.
void tn_effector_core_tick(struct tn_effector_core *core, int64_t now_steady_ns);

/// `~/stop`: hold and refuse commands. @return true when it is stopped now. Thread: one caller at
/// a time. Allocates: never. Blocks: never.
bool tn_effector_core_stop(struct tn_effector_core *core, int64_t now_steady_ns);

/// `~/release`: take commands again. @return true when commands are taken now; false: the device
/// does not answer or is not ready. Thread: one caller at a time. Allocates: never. Blocks: never.
bool tn_effector_core_release(struct tn_effector_core *core, int64_t now_steady_ns);

/// The end: nothing is accepted or written any more; call the device's `stop` next.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_effector_core_shutdown(struct tn_effector_core *core, int64_t now_steady_ns);

/// Gives the next write, if one is due, and takes it as handed over. A command that grew older than
/// its limit while it waited is dropped here, never handed over; read the clock right before.
/// @return true: write *out_setpoint now. Thread: one caller at a time. Allocates: never. Blocks:
/// never.
TN_NODISCARD bool tn_effector_core_take(struct tn_effector_core *core, int64_t now_steady_ns,
                                        struct tn_effector_setpoint *out_setpoint);

/// The write of the last taken setpoint failed: its joints are written again, its command is not
/// counted as executed. Counts as a failed poll.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_effector_core_write_failed(struct tn_effector_core *core,
                                   const struct tn_effector_setpoint *setpoint,
                                   int64_t now_steady_ns);

/// The state to publish: the last good sample; every joint UNKNOWN before the first and when LOST.
/// @return true when there ever was a good poll; false: the values are zeros that mean nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
bool tn_effector_core_feedback(const struct tn_effector_core *core,
                               struct tn_effector_sample *out_sample);

/// @return true and the next note, oldest first; false when there is none (a full queue drops the
/// oldest). Thread: one caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD bool tn_effector_core_next_note(struct tn_effector_core *core,
                                             struct tn_effector_note *out_note);

#endif
