// SPDX-License-Identifier: Apache-2.0
/// @file
/// Goals of an action server, pure: the state machine of one goal as a table, the bounded table of
/// all goals, and which goals a cancel request means. No I/O, no clock.
///
///     ACCEPTED --EXECUTE--> EXECUTING --SUCCEED--> SUCCEEDED
///        |                      |------ABORT-----> ABORTED
///        '----CANCEL_GOAL---> CANCELING --CANCELED-> CANCELED   (SUCCEED and ABORT as above)
///
/// These are rcl_action's transitions, and the numbers are those of action_msgs/GoalStatus.
///
/// A goal that ended stays in the table with its result until `result_timeout_ns` of the steady
/// clock have passed, so that a client that asks late still gets it; when the table is full, the
/// goal that ended first makes room earlier, one whose result was fetched before one whose result
/// was not. Goals that have not ended never make room: with `capacity` of them a new goal is
/// refused.
#ifndef TN_ROS_ACTION_GOAL_H
#define TN_ROS_ACTION_GOAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"

#define TN_ROS_GOAL_ID_SIZE 16

/// Identity of a goal, chosen by its client: the bytes of a UUID.
struct tn_ros_goal_id {
    uint8_t uuid[TN_ROS_GOAL_ID_SIZE];
};

/// Where a goal stands.
enum tn_ros_goal_state {
    TN_ROS_GOAL_UNKNOWN = 0, ///< no such goal
    TN_ROS_GOAL_ACCEPTED = 1,
    TN_ROS_GOAL_EXECUTING = 2,
    TN_ROS_GOAL_CANCELING = 3,
    TN_ROS_GOAL_SUCCEEDED = 4,
    TN_ROS_GOAL_CANCELED = 5,
    TN_ROS_GOAL_ABORTED = 6,
};
#define TN_ROS_GOAL_N_STATES 7

/// What happens to a goal.
enum tn_ros_goal_event {
    TN_ROS_GOAL_EVENT_EXECUTE,
    TN_ROS_GOAL_EVENT_CANCEL_GOAL, ///< a cancel request was accepted
    TN_ROS_GOAL_EVENT_SUCCEED,
    TN_ROS_GOAL_EVENT_ABORT,
    TN_ROS_GOAL_EVENT_CANCELED, ///< what was cancelled has come to its end
};
#define TN_ROS_GOAL_N_EVENTS 5

/// Return codes of action_msgs/CancelGoal.
enum tn_ros_cancel_code {
    TN_ROS_CANCEL_NONE = 0,            ///< at least one goal cancels, or there was nothing to do
    TN_ROS_CANCEL_REJECTED = 1,        ///< the server refused each of them
    TN_ROS_CANCEL_UNKNOWN_GOAL_ID = 2, ///< the one goal asked for is not known (any more)
    TN_ROS_CANCEL_GOAL_TERMINATED = 3, ///< the one goal asked for ended, or cancels already
};

/// @return the state after the event; TN_ROS_GOAL_UNKNOWN: not allowed in this state, or no state
/// or event at all. Thread: any. Allocates: never. Blocks: never.
enum tn_ros_goal_state tn_ros_goal_transition(enum tn_ros_goal_state state,
                                              enum tn_ros_goal_event event);
/// @return whether the goal has not ended. Thread: any. Allocates: never. Blocks: never.
bool tn_ros_goal_is_active(enum tn_ros_goal_state state);
/// @return whether CANCEL_GOAL is allowed. Thread: any. Allocates: never. Blocks: never.
bool tn_ros_goal_is_cancelable(enum tn_ros_goal_state state);
/// @return "EXECUTING" and so on, as ros2cli prints it; "UNKNOWN" for what is none.
/// Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_goal_state_name(enum tn_ros_goal_state state);

/// @return whether both are the same. Thread: any. Allocates: never. Blocks: never.
bool tn_ros_goal_id_equal(const struct tn_ros_goal_id *a, const struct tn_ros_goal_id *b);
/// @return whether all bytes are 0: "any goal". Thread: any. Allocates: never. Blocks: never.
bool tn_ros_goal_id_is_zero(const struct tn_ros_goal_id *id);

/// Text of a goal id with its NUL.
#define TN_ROS_GOAL_ID_TEXT 33
/// Writes 32 hexadecimal digits, as ros2cli does. @return `out`.
/// Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_goal_id_text(const struct tn_ros_goal_id *id, char out[TN_ROS_GOAL_ID_TEXT]);

/// One goal of the table. A slot in state UNKNOWN is free.
struct tn_ros_goal {
    struct tn_ros_goal_id id;
    enum tn_ros_goal_state state;
    int64_t stamp_ros_ns;    ///< when it was accepted
    int64_t ended_steady_ns; ///< when it ended; 0 before
    bool is_fetched;         ///< its result went to at least one client
};

/// Treat the members as private; goals keep their slot while they are known.
struct tn_ros_goal_table {
    struct tn_ros_goal *goals; ///< (capacity), the caller's
    uint32_t *order;           ///< (capacity), the caller's: slots in order of acceptance
    uint32_t capacity, n;
    int64_t result_timeout_ns;
};

/// Starts an empty table in the caller's storage, which it clears.
/// @param capacity            slots, at least 1
/// @param result_timeout_ns   how long a result is kept after the goal ended; above 0
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
TN_NODISCARD enum tn_result tn_ros_goal_table_init(struct tn_ros_goal_table *table,
                                                   struct tn_ros_goal *goals, uint32_t *order,
                                                   uint32_t capacity, int64_t result_timeout_ns);

/// No slot.
#define TN_ROS_GOAL_NONE UINT32_MAX

/// @return the slot of a goal; TN_ROS_GOAL_NONE. Thread: one caller at a time. Allocates: never.
/// Blocks: never. Cost: O(n).
uint32_t tn_ros_goal_find(const struct tn_ros_goal_table *table, const struct tn_ros_goal_id *id);

/// Where the slot of a new goal came from.
enum tn_ros_goal_room {
    TN_ROS_GOAL_ROOM_FREE,
    TN_ROS_GOAL_ROOM_FETCHED,   ///< from a result that some client has
    TN_ROS_GOAL_ROOM_UNFETCHED, ///< from a result that nobody has, and nobody will
};

/// @return the slot of the goal that the next one would push out; TN_ROS_GOAL_NONE: there is room,
/// or there is none to be had. Thread: one caller at a time. Allocates: never. Blocks: never. Cost:
/// O(n).
uint32_t tn_ros_goal_next_out(const struct tn_ros_goal_table *table);

/// Takes a goal in, in state ACCEPTED.
/// @param out_slot   where it stands now
/// @param out_room   may be NULL
/// @return TN_OK; TN_ERR_EXISTS: the id is known already; TN_ERR_LIMIT: every slot has a goal that
/// has not ended. Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(n).
TN_NODISCARD enum tn_result tn_ros_goal_accept(struct tn_ros_goal_table *table,
                                               const struct tn_ros_goal_id *id, int64_t now_ros_ns,
                                               uint32_t *out_slot, enum tn_ros_goal_room *out_room);

/// Applies an event to a goal.
/// @return TN_OK; TN_ERR_STATE: not allowed in its state, nothing changed.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
enum tn_result tn_ros_goal_apply(struct tn_ros_goal_table *table, uint32_t slot,
                                 enum tn_ros_goal_event event, int64_t now_steady_ns);

/// Removes one goal whose result is older than the time-out; call until it says NONE.
/// @return the slot it stood in; TN_ROS_GOAL_NONE: no more. Thread: one caller at a time.
/// Allocates: never. Blocks: never. Cost: O(n).
uint32_t tn_ros_goal_expire(struct tn_ros_goal_table *table, int64_t now_steady_ns);

/// @return steady time of the next tn_ros_goal_expire() that finds one; INT64_MAX: none.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(n).
int64_t tn_ros_goal_next_expiry(const struct tn_ros_goal_table *table);

/// Finds the goals that a cancel request means:
///
///     id zero,     stamp zero       every goal
///     id zero,     stamp non-zero   every goal accepted at or before the stamp
///     id non-zero, stamp zero       that goal
///     id non-zero, stamp non-zero   that goal, and every goal accepted at or before the stamp
///
/// each only as far as it can be cancelled. Only the third form can fail.
/// @param out_slots   (capacity) the goals, in order of acceptance
/// @return TN_ROS_CANCEL_NONE; TN_ROS_CANCEL_UNKNOWN_GOAL_ID; TN_ROS_CANCEL_GOAL_TERMINATED.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(n).
enum tn_ros_cancel_code tn_ros_goal_select(const struct tn_ros_goal_table *table,
                                           const struct tn_ros_goal_id *id, int64_t stamp_ros_ns,
                                           uint32_t *out_slots, uint32_t *out_n);

#endif
