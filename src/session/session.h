// SPDX-License-Identifier: Apache-2.0
/// @file
/// The safety session between a hand and a robot: may this robot hand move now?
///
/// Pure: frames, feedback and operator requests go in with an explicit steady `now`; a verdict
/// comes out. It never lets data through that is old, repeated, out of order, from another device
/// or side, or from before a reconnect.
///
/// Two machines, both tables (session_table.c), tested state × event:
///   link      INIT → CALIBRATING → ACTIVE → STALE → DISCONNECTED   (numbers of
///   tendon_msgs/LinkState) arming    DISARMED, ARMED, LATCHED, ESTOP
/// A short gap (STALE and back within `disconnect_timeout_ns`) and a stamp that goes back in one
/// stream (a clock jump) heal by themselves, slowly. DISCONNECTED, another stream or device, a
/// failed check and an e-stop latch: only tn_session_arm() brings control back.
///
/// Without `require_arm` the session begins ARMED and only the operator takes that away (disarm,
/// e-stop; tn_session_arm() gives it back): everything else heals once `rearm_frames` fresh frames
/// came.
///
/// Targets may flow when link = ACTIVE, arming = ARMED, the enable switch is held, no pause is
/// asked for and the robot's feedback is fresh. Whenever flow begins, `resuming` is set and
/// `counters.approaches` counts one more: the caller then starts its limiter anew from the robot's
/// measured position, at limited speed, and ends the approach by tn_session_resume_done(). A call
/// that notices the end of the flow never lets it begin again.
#ifndef TN_SESSION_SESSION_H
#define TN_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "base/side.h"

#define TN_SESSION_DEVICE_ID_MAX 64

/// Numbers of tendon_msgs/LinkState.
enum tn_session_state {
    TN_SESSION_INIT = 0,
    TN_SESSION_CALIBRATING = 1,
    TN_SESSION_ACTIVE = 2,
    TN_SESSION_STALE = 3,
    TN_SESSION_DISCONNECTED = 4,
    TN_SESSION_STATES = 5
};

/// What can happen to the link.
enum tn_session_event {
    TN_SESSION_EV_SOURCE,       ///< a frame of a known, allowed device and the right side was seen
    TN_SESSION_EV_CHECKED,      ///< every check passes and, if required, the session is armed
    TN_SESSION_EV_GAP,          ///< no fresh distinct frame for stale_timeout
    TN_SESSION_EV_BACK_SAME,    ///< rearm_frames fresh frames in order, same stream and device
    TN_SESSION_EV_BACK_OTHER,   ///< frames are back, but stream or device differ
    TN_SESSION_EV_GONE,         ///< no fresh frame for disconnect_timeout
    TN_SESSION_EV_LOST,         ///< the source itself says that the glove is gone
    TN_SESSION_EV_REOPENED,     ///< frames arrive again after DISCONNECTED
    TN_SESSION_EV_CHECK_FAILED, ///< side, frame or calibration check failed
    TN_SESSION_EV_SHUTDOWN,
    TN_SESSION_EVENTS
};

enum tn_session_arming {
    TN_SESSION_DISARMED = 0,
    TN_SESSION_ARMED = 1,
    TN_SESSION_LATCHED = 2, ///< was armed, lost the right; `arm` is needed
    TN_SESSION_ESTOP = 3,
    TN_SESSION_ARMINGS = 4
};

enum tn_session_arm_event {
    TN_SESSION_ARM_REQUESTED, ///< operator, all checks pass
    TN_SESSION_ARM_DISARMED,  ///< operator
    TN_SESSION_ARM_ESTOPPED,  ///< operator
    TN_SESSION_ARM_LOST,      ///< link DISCONNECTED, identity changed or a check failed
    TN_SESSION_ARM_EVENTS
};

/// Numbers of tendon_msgs/SessionState ACTION_*.
enum tn_session_action {
    TN_SESSION_ACTION_NONE = 0, ///< targets flow
    TN_SESSION_ACTION_HOLD = 1,
    TN_SESSION_ACTION_LIMIT = 2,
    TN_SESSION_ACTION_OPEN = 3,
    TN_SESSION_ACTION_LIMP = 4,
    TN_SESSION_ACTION_POSE = 5
};

/// One reason word, as SessionState.reason says it.
enum tn_session_reason {
    TN_SESSION_REASON_NONE,
    TN_SESSION_REASON_GAP,
    TN_SESSION_REASON_AGE,
    TN_SESSION_REASON_FROZEN,
    TN_SESSION_REASON_SOURCE_LOST,
    TN_SESSION_REASON_IDENTITY,
    TN_SESSION_REASON_SIDE,
    TN_SESSION_REASON_CALIBRATION,
    TN_SESSION_REASON_FRAME,
    TN_SESSION_REASON_OPERATOR,
    TN_SESSION_REASON_SHUTDOWN,
    TN_SESSION_REASON_ESTOP,
    TN_SESSION_REASON_ENABLE,
    TN_SESSION_REASON_PAUSE,
    TN_SESSION_REASON_ROBOT,
    TN_SESSION_REASON_ARM,
    TN_SESSION_REASONS
};

/// So many frames running that bend like the other hand fail the side check (one second at 120 Hz:
/// a finger bent backwards for a moment is no other hand).
#define TN_SESSION_OTHER_SIDE_FRAMES 120

struct tn_session_options {
    enum tn_side side;
    int64_t stale_timeout_ns;      ///< > 0, default 0.2 s
    int64_t disconnect_timeout_ns; ///< > stale_timeout_ns, default 1.0 s
    int64_t max_sample_age_ns;     ///< > 0, default 0.2 s
    int64_t robot_timeout_ns; ///< > 0, default 0.5 s: robot feedback older than this stops targets
    uint32_t rearm_frames;    ///< >= 1, default 12
    bool require_arm;         ///< default true
    bool require_enable;      ///< a dead man's switch exists; default false
    bool require_robot;       ///< feedback must be fresh; default true
    enum tn_session_action safe_action;       ///< after stale_timeout; not NONE; default HOLD
    char device_id[TN_SESSION_DEVICE_ID_MAX]; ///< the only allowed glove; "": any, but only one
};

/// What the session must know about a hand frame.
struct tn_session_frame {
    enum tn_side side;
    const char *device_id;
    uint64_t stream_id, sequence;
    int64_t stamp_ros_ns;
    bool is_age_known;     ///< false: the writer's time map is not established; the frame counts as
                           ///< stale
    int64_t age_ns;        ///< of the sample, now
    bool is_late;          ///< taken in a late loop pass
    bool is_source_active; ///< the sender's own link state is ACTIVE
    bool is_plausible;     ///< tn_hand_frame_check() passed
    bool shows_other_side; ///< the nodes bend like the other hand (chirality)
};

/// Counters, one per kind; they never go back.
struct tn_session_counters {
    uint64_t frames, accepted, stale, repeated, reordered, wrong_side, wrong_device, implausible,
        not_active, clock_jumps;
    uint32_t transitions, arms, reconnects;
    uint32_t approaches; ///< times the flow began
};

/// Plain data; treat the members as private except through the calls below.
struct tn_session {
    struct tn_session_options options;
    enum tn_session_state state, previous;
    enum tn_session_arming arming;
    enum tn_session_reason reason;
    bool enabled, paused, robot_ok, was_flowing, resuming;
    bool has_frame, has_fresh;
    bool is_new_writer; ///< the next frame taken comes from another program than those before
    char device_id[TN_SESSION_DEVICE_ID_MAX];
    uint64_t stream_id, sequence;
    int64_t stamp_ros_ns;
    int64_t last_sample_steady_ns; ///< sample time of the newest fresh frame
    int64_t last_robot_steady_ns;
    bool has_robot;
    int64_t repeated_since_steady_ns; ///< first repeat since the newest distinct frame; 0: none
    uint32_t fresh_run;               ///< fresh frames in order since the last trouble
    uint32_t implausible_run; ///< implausible frames running; rearm_frames of them fail the check
    uint32_t other_side_run;  ///< frames running that bend like the other hand
    bool saw_old;             ///< since the newest fresh frame something too old arrived
    uint32_t published;       ///< packed verdict at the last tick, to notice changes
    struct tn_session_counters counters;
};

/// @return the defaults above for one side. Thread: any. Allocates: never. Blocks: never.
struct tn_session_options tn_session_options_default(enum tn_side side);

/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: a time of 0 or less, or an impossible combination, named
/// in err. Thread: one caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_session_init(struct tn_session *session,
                                            const struct tn_session_options *options,
                                            struct tn_error *err);

/// Order is judged within one life of the link: DISCONNECTED forgets the newest sequence and stamp,
/// so that a wild number (a broken sender) costs a latch and not the glove.
///
/// Judges a frame; every frame that was received must pass here, also while stopped.
/// @return TN_OK: may become a target now; TN_ERR_STATE: good, but targets do not flow (see state,
/// reason);
///         TN_ERR_STALE: age unknown, too old, or late pass; TN_ERR_REPEATED; TN_ERR_REORDERED;
///         TN_ERR_WRONG_SIDE; TN_ERR_WRONG_DEVICE; TN_ERR_MALFORMED: implausible. Everything but
///         TN_OK must not move the robot.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(1).
TN_NODISCARD enum tn_result tn_session_frame(struct tn_session *session,
                                             const struct tn_session_frame *frame,
                                             int64_t now_steady_ns);

/// Another program than before sends the frames from now on (see session/writer_pin.h): the next
/// frame that is taken counts as that of another source, whatever it says of itself, and latches.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_session_new_writer(struct tn_session *session);

/// Advances timeouts; call at least every 20 ms and before asking for the verdict.
/// @return true when state, arming, action or reason changed (publish SessionState).
/// Thread: one caller at a time. Allocates: never. Blocks: never.
bool tn_session_tick(struct tn_session *session, int64_t now_steady_ns);

/// Notes the robot's feedback. @param is_ok   connected and measured (no joint UNKNOWN). @return
/// nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_session_robot(struct tn_session *session, bool is_ok, int64_t sample_steady_ns);

/// The source says that the glove is gone (dongle out, program ended). @return nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_session_source_lost(struct tn_session *session, int64_t now_steady_ns);

/// Operator: let the hand move. Clears a latch and an e-stop.
/// @return TN_OK; TN_ERR_STATE: a check fails; err names it (no fresh frames, other device, robot
/// silent, …) and
///         nothing changes. Thread: one caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_session_arm(struct tn_session *session, int64_t now_steady_ns,
                                           struct tn_error *err);

/// Operator: stop; `arm` is needed again. @return nothing. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
void tn_session_disarm(struct tn_session *session);

/// Operator: emergency stop; latches. @return nothing. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
void tn_session_estop(struct tn_session *session);

/// Dead man's switch held or released. @return nothing. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
void tn_session_enable(struct tn_session *session, bool is_held);

/// Pause or go on without disarming. @return nothing. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
void tn_session_pause(struct tn_session *session, bool is_paused);

/// @return true when targets flow. Thread: one caller at a time. Allocates: never. Blocks: never.
bool tn_session_is_flowing(const struct tn_session *session);

/// @return the safe action in force; TN_SESSION_ACTION_NONE while targets flow.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
enum tn_session_action tn_session_action(const struct tn_session *session);

/// The limiter reached the hand's pose: the approach is over. @return nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_session_resume_done(struct tn_session *session);

/// @return the word of a reason, e.g. "gap"; "" for NONE. Thread: any. Allocates: never. Blocks:
/// never.
const char *tn_session_reason_word(enum tn_session_reason reason);

/// @return "INIT", "ACTIVE", … Thread: any. Allocates: never. Blocks: never.
const char *tn_session_state_name(enum tn_session_state state);

/// One cell of the link table.
struct tn_session_cell {
    enum tn_session_state next;
    bool again;     ///< apply the same event once more in `next` (row 8: both steps in one tick)
    bool loses_arm; ///< takes the right to move away (latch)
};

/// @return the cell of the link table. Thread: any. Allocates: never. Blocks: never.
struct tn_session_cell tn_session_link_cell(enum tn_session_state state,
                                            enum tn_session_event event);

/// @return the next arming state. Thread: any. Allocates: never. Blocks: never.
enum tn_session_arming tn_session_arming_next(enum tn_session_arming arming,
                                              enum tn_session_arm_event event);

#endif
