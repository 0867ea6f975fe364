// SPDX-License-Identifier: Apache-2.0
/// @file
/// An action server: long work that clients ask for, watch and cancel.
///
/// On the wire it is what rcl_action makes of it: services `<name>/_action/send_goal`,
/// `cancel_goal`, `get_result`, topics `<name>/_action/feedback` and `<name>/_action/status`; the
/// same endpoints serve clients of rmw_cyclonedds_cpp and rmw_fastrtps_cpp.
///
///     static enum tn_ros_goal_answer on_goal(void *context, const struct tn_ros_goal_id *id,
///                                            const void *goal);      may it be done at all?
///     static void on_accepted(void *context, const struct tn_ros_goal_id *id,
///                             const void *goal);                      begin
///     static bool on_cancel(void *context, const struct tn_ros_goal_id *id);
///
///     struct tn_ros_action_server_options options = {
///         .on_goal = on_goal, .on_accepted = on_accepted, .on_cancel = on_cancel};
///     result = tn_ros_action_server_create(node, &my_pkg_action_Walk_type, "walk", &options,
///                                          &server, &err);
///     …in a timer:
///     tn_ros_action_feedback(server, id, &feedback);
///     if (tn_ros_action_state(server, id) == TN_ROS_GOAL_CANCELING)
///         tn_ros_action_canceled(server, id, &result);
///     else if (done)
///         tn_ros_action_succeed(server, id, &result);
///
/// A goal is named by its id, never by a pointer: calls about a goal that is gone say
/// TN_ERR_NOT_FOUND. Goals, results and feedback are the structs of the action's types; what a
/// callback is given is valid until it returns, so copy what the work needs (tn_type_copy()).
///
/// A result is kept until `result_timeout_ns` after the goal ended, by the steady clock. Whether a
/// goal's client is still there is not known and does not matter: the goal goes on.
///
/// Bounds: TN_ROS_ACTION_GOALS goals (option max_goals) and TN_ROS_ACTION_WAITERS get_result calls
/// that wait per goal. Goals beyond are rejected, result requests beyond are dropped (their clients
/// time out); both are reported at most once a second.
#ifndef TN_ROS_ACTION_SERVER_H
#define TN_ROS_ACTION_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "ros/action_goal.h"
#include "ros/node.h"

struct tn_ros_action_server;

/// Goals that are known at one time: those that have not ended, and results that are kept. Each
/// status message lists them all.
#define TN_ROS_ACTION_GOALS 64u
/// The most that option max_goals may say: a status message of 28 bytes a goal stays below 32 KiB.
#define TN_ROS_ACTION_GOALS_MAX 1024u
/// get_result calls that wait for one goal; a client needs one.
#define TN_ROS_ACTION_WAITERS 8u
/// rcl's default since Iron.
#define TN_ROS_ACTION_RESULT_TIMEOUT_NS (10 * TN_NS_PER_S)

/// What becomes of a goal.
enum tn_ros_goal_answer {
    TN_ROS_GOAL_REJECT,
    TN_ROS_GOAL_ACCEPT,       ///< and it executes from now on
    TN_ROS_GOAL_ACCEPT_DEFER, ///< it waits in ACCEPTED until tn_ros_action_execute()
};

typedef enum tn_ros_goal_answer (*tn_ros_goal_fn)(void *context, const struct tn_ros_goal_id *id,
                                                  const void *goal);
typedef void (*tn_ros_goal_accepted_fn)(void *context, const struct tn_ros_goal_id *id,
                                        const void *goal);
/// @return whether the goal may be cancelled.
typedef bool (*tn_ros_goal_cancel_fn)(void *context, const struct tn_ros_goal_id *id);
typedef void (*tn_ros_goal_canceling_fn)(void *context, const struct tn_ros_goal_id *id);

/// Zero-initialise it. No callback may destroy the server; every other call is allowed in each.
struct tn_ros_action_server_options {
    tn_ros_goal_fn on_goal;                ///< decides; NULL: every goal is accepted
    tn_ros_goal_accepted_fn on_accepted;   ///< the client has its answer; must be there
    tn_ros_goal_cancel_fn on_cancel;       ///< decides; NULL: nothing can be cancelled
    tn_ros_goal_canceling_fn on_canceling; ///< the goal is in CANCELING and its client knows; the
                                           ///< work winds down and says canceled, or any other end;
                                           ///< NULL: look at tn_ros_action_state()
    void *context;
    uint32_t max_goals;        ///< 0: TN_ROS_ACTION_GOALS
    int64_t result_timeout_ns; ///< 0: TN_ROS_ACTION_RESULT_TIMEOUT_NS
};

/// @param name   of the action, to expand and remap; each of its five names is remapped as well
/// @param options   copied
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: name, options, or a type that is no action's;
/// TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_action_server_create(struct tn_ros_node *node, const struct tn_action_type *type,
                            const char *name, const struct tn_ros_action_server_options *options,
                            struct tn_ros_action_server **out_server, struct tn_error *err);

/// Aborts every goal that has not ended (a default result goes to those who wait), then removes the
/// server; its node does the same when it goes. Accepts NULL, nulls the pointer. Not from inside
/// its own callback. @return nothing. Thread: the loop's. Allocates: never. Blocks: until the last
/// words are acknowledged, at most 1 s for each of its five writers and only when a client died.
void tn_ros_action_server_destroy(struct tn_ros_action_server **server);

/// @return where a goal stands; TN_ROS_GOAL_UNKNOWN: no such goal (any more).
/// Thread: the loop's. Allocates: never. Blocks: never.
enum tn_ros_goal_state tn_ros_action_state(const struct tn_ros_action_server *server,
                                           const struct tn_ros_goal_id *id);

/// @return goals that have not ended. Thread: the loop's. Allocates: never. Blocks: never.
uint32_t tn_ros_action_n_active(const struct tn_ros_action_server *server);

/// @return the resolved name of the action. Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_action_server_name(const struct tn_ros_action_server *server);

/// Begins a deferred goal: ACCEPTED to EXECUTING.
/// @return TN_OK; TN_ERR_NOT_FOUND: no such goal; TN_ERR_STATE: it executes already, is being
/// cancelled or has ended. Thread: the loop's. Allocates: until warm. Blocks: never.
enum tn_result tn_ros_action_execute(struct tn_ros_action_server *server,
                                     const struct tn_ros_goal_id *id);

/// Publishes how far a goal is.
/// @param feedback   struct of the action's feedback type
/// @return TN_OK; TN_ERR_NOT_FOUND; TN_ERR_STATE: the goal has ended; as tn_ros_publish().
/// Thread: the loop's. Allocates: until warm. Blocks: never.
enum tn_result tn_ros_action_feedback(struct tn_ros_action_server *server,
                                      const struct tn_ros_goal_id *id, const void *feedback);

/// Ends a goal that executes or is being cancelled: its result goes to those who wait for it and is
/// kept for those who come later.
/// @param result   struct of the action's result type; NULL: a default one
/// @return TN_OK; TN_ERR_NOT_FOUND; TN_ERR_STATE: it does not execute yet, or has ended;
/// TN_ERR_INVALID_ARGUMENT, TN_ERR_LIMIT: a bound of the type; TN_ERR_NO_MEMORY. After an error the
/// goal is as it was. Thread: the loop's. Allocates: until warm. Blocks: never.
enum tn_result tn_ros_action_succeed(struct tn_ros_action_server *server,
                                     const struct tn_ros_goal_id *id, const void *result);
/// As tn_ros_action_succeed(): the work failed. @return see there.
/// Thread: the loop's. Allocates: until warm. Blocks: never.
enum tn_result tn_ros_action_abort(struct tn_ros_action_server *server,
                                   const struct tn_ros_goal_id *id, const void *result);
/// As tn_ros_action_succeed(), for a goal in CANCELING only. @return see there.
/// Thread: the loop's. Allocates: until warm. Blocks: never.
enum tn_result tn_ros_action_canceled(struct tn_ros_action_server *server,
                                      const struct tn_ros_goal_id *id, const void *result);

/// What was refused so far.
struct tn_ros_action_server_stats {
    uint64_t n_accepted, n_rejected; ///< goals; rejected by on_goal
    uint64_t n_duplicate;            ///< goals rejected because their id is known
    uint64_t n_full;                 ///< goals rejected because max_goals have not ended
    uint64_t n_lost;                 ///< results that made room before their time, unasked for
    uint64_t n_waiters_dropped;      ///< get_result calls beyond TN_ROS_ACTION_WAITERS
};

/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_action_server_get_stats(const struct tn_ros_action_server *server,
                                    struct tn_ros_action_server_stats *out_stats);

#endif
