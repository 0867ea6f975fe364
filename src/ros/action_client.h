// SPDX-License-Identifier: Apache-2.0
/// @file
/// A client of an action server, of whatever RMW the server is.
///
///     struct tn_ros_action_goal_options options = {
///         .on_response = on_response, .on_feedback = on_feedback, .on_result = on_result,
///         .context = me, .response_timeout_ns = 2 * TN_NS_PER_S,
///         .result_timeout_ns = 60 * TN_NS_PER_S};
///     result = tn_ros_action_send_goal(client, &goal, &options, &id);
///
/// What comes of a goal is told in this order: on_response once (accepted, rejected, or no answer
/// in time), and if it was accepted on_result once. Between them on_feedback and on_status come as
/// often as the server says something; feedback may even overtake the response. All run on the
/// loop's thread; what they are given is valid until they return. Time-outs are of the steady clock
/// and are told by the same callbacks.
///
/// A server that vanishes and comes back is asked again for the results of the goals that are open:
/// the same one still has them, a new one does not know them, which on_result tells at once
/// (TN_ERR_NOT_FOUND). One that stays away is a time-out.
#ifndef TN_ROS_ACTION_CLIENT_H
#define TN_ROS_ACTION_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "ros/action_goal.h"
#include "ros/node.h"

struct tn_ros_action_client;
struct action_msgs_msg_GoalStatusArray;

/// Goals of one client that are open at a time: each waits in one service call.
#define TN_ROS_ACTION_CLIENT_GOALS TN_ROS_CALLS_MAX

/// A complete server appeared or went.
typedef void (*tn_ros_action_ready_fn)(void *context, bool is_ready);
/// The server's list of all goals that it knows, of whatever client.
typedef void (*tn_ros_action_goals_fn)(void *context,
                                       const struct action_msgs_msg_GoalStatusArray *goals);

/// Zero-initialise it.
struct tn_ros_action_client_options {
    tn_ros_action_ready_fn on_ready; ///< NULL: none
    tn_ros_action_goals_fn on_goals; ///< NULL: none
    void *context;                   ///< given to both
    tn_random_fn random;             ///< makes goal ids; NULL: tn_random_kernel()
    void *random_context;
};

/// @param name      of the action, to expand and remap; each of its five names is remapped as well
/// @param options   copied; NULL: defaults
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: name, or a type that is no action's; TN_ERR_TRANSPORT;
/// TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_action_client_create(struct tn_ros_node *node, const struct tn_action_type *type,
                            const char *name, const struct tn_ros_action_client_options *options,
                            struct tn_ros_action_client **out_client, struct tn_error *err);

/// Removes the client; its node does the same when it goes. Callbacks of open goals never come, and
/// the server goes on with them. Accepts NULL, nulls the pointer. Not from inside its own callback.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_action_client_destroy(struct tn_ros_action_client **client);

/// @return true when a complete server is matched: three services and two topics.
/// Thread: the loop's. Allocates: after changes of the graph. Blocks: never.
bool tn_ros_action_client_is_ready(struct tn_ros_action_client *client);

/// @return the resolved name of the action. Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_action_client_name(const struct tn_ros_action_client *client);

/// @return goals that are open. Thread: the loop's. Allocates: never. Blocks: never.
uint32_t tn_ros_action_client_n_open(const struct tn_ros_action_client *client);

/// The server's answer to a goal.
enum tn_ros_goal_response {
    TN_ROS_GOAL_WAS_ACCEPTED,
    TN_ROS_GOAL_WAS_REJECTED,
    TN_ROS_GOAL_NO_RESPONSE, ///< none in time; the server may have accepted it all the same
};

/// How a goal ended.
struct tn_ros_goal_outcome {
    /// TN_OK: `state` and `result` are the server's. TN_ERR_TIMEOUT: no result in time, the goal
    /// may still run. TN_ERR_NOT_FOUND: the server does not know the goal (any more): it was
    /// restarted, or kept the result no longer. TN_ERR_CLOSED: the server went right after it had
    /// accepted; TN_ERR_LIMIT, TN_ERR_NO_MEMORY, TN_ERR_TRANSPORT: the result could not be asked
    /// for. In these cases the goal may still run.
    enum tn_result code;
    enum tn_ros_goal_state state; ///< SUCCEEDED, CANCELED or ABORTED; UNKNOWN unless TN_OK
    const void *result;           ///< struct of the action's result type; NULL unless TN_OK
};

typedef void (*tn_ros_goal_response_fn)(void *context, const struct tn_ros_goal_id *id,
                                        enum tn_ros_goal_response response);
typedef void (*tn_ros_goal_feedback_fn)(void *context, const struct tn_ros_goal_id *id,
                                        const void *feedback);
typedef void (*tn_ros_goal_status_fn)(void *context, const struct tn_ros_goal_id *id,
                                      enum tn_ros_goal_state state);
typedef void (*tn_ros_goal_result_fn)(void *context, const struct tn_ros_goal_id *id,
                                      const struct tn_ros_goal_outcome *outcome);

/// Zero-initialise it; each callback may be NULL. All may send and cancel goals.
struct tn_ros_action_goal_options {
    tn_ros_goal_response_fn on_response;
    tn_ros_goal_feedback_fn on_feedback;
    tn_ros_goal_status_fn on_status; ///< the goal's state changed
    tn_ros_goal_result_fn on_result;
    void *context;
    int64_t response_timeout_ns; ///< from the call on; above 0
    int64_t result_timeout_ns;   ///< from the acceptance on; above 0, INT64_MAX: none
};

/// Sends a goal under a new random id.
/// @param goal     struct of the action's goal type; read during the call only
/// @param out_id   may be NULL
/// @return TN_OK; TN_ERR_NOT_FOUND: no complete server (no callback comes);
/// TN_ERR_INVALID_ARGUMENT: a time-out; TN_ERR_LIMIT: TN_ROS_ACTION_CLIENT_GOALS are open, or a
/// bound of the type; TN_ERR_IO, TN_ERR_EXISTS: no random numbers, or the same again;
/// TN_ERR_NO_MEMORY; TN_ERR_TRANSPORT. Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_action_send_goal(struct tn_ros_action_client *client, const void *goal,
                        const struct tn_ros_action_goal_options *options,
                        struct tn_ros_goal_id *out_id);

/// @return where an open goal stands, as far as the server said; UNKNOWN: not open, or not
/// accepted yet. Thread: the loop's. Allocates: never. Blocks: never.
enum tn_ros_goal_state tn_ros_action_client_state(const struct tn_ros_action_client *client,
                                                  const struct tn_ros_goal_id *id);

/// Forgets an open goal: no callback comes any more. The server goes on with it.
/// @return TN_OK; TN_ERR_NOT_FOUND: not open. Thread: the loop's. Allocates: never. Blocks: never.
enum tn_result tn_ros_action_forget(struct tn_ros_action_client *client,
                                    const struct tn_ros_goal_id *id);

/// What to cancel; see tn_ros_goal_select() for what the four forms mean. It may be goals of other
/// clients too.
struct tn_ros_action_cancel_options {
    struct tn_ros_goal_id id; ///< zero: any
    int64_t stamp_ros_ns;     ///< zero: any
    int64_t timeout_ns;       ///< above 0
    /// `response`: struct action_msgs_srv_CancelGoal_Response with its code and the goals that
    /// cancel from now on; NULL: no answer in time. May be NULL.
    tn_ros_response_fn on_response;
    void *context;
};

/// Asks the server to cancel goals. That a goal has come to its end is told by its on_result.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: time-out; as tn_ros_call(). Thread: the loop's.
/// Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_action_cancel(struct tn_ros_action_client *client,
                     const struct tn_ros_action_cancel_options *options);

/// Asks for the result of any goal by its id, also one that another client sent.
/// @param options   `on_response` is given the struct `…_GetResult_Response` of the action, whose
///                  status is UNKNOWN (0) when the server does not know the goal; NULL: timed out
/// @return as tn_ros_call(). Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_action_get_result(struct tn_ros_action_client *client,
                                                     const struct tn_ros_goal_id *id,
                                                     const struct tn_ros_call_options *options);

#endif
