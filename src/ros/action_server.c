// SPDX-License-Identifier: Apache-2.0
#include "ros/action_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__action.h"
#include "ros/ros__node.h"
#include "tn_msgs/action_msgs.h"

/// A result buffer above this is given back when its goal goes, so that one huge result does not
/// stay for the life of the server.
#define RESULT_KEEP_BYTES 65536u

/// What belongs to one slot of the goal table.
struct slot {
    uint32_t n_waiters;
    struct tn_transport_request_id waiters[TN_ROS_ACTION_WAITERS];
    uint8_t *result; ///< GetResult_Response, encoded
    size_t result_size, result_capacity;
};

enum complaint { DUPLICATE, FULL, LOST, WAITERS, REPLY, N_COMPLAINTS };

struct tn_ros_action_server {
    struct tn_ros_node *node;
    struct tn_ros_action_server *next;
    const struct tn_action_type *type;
    struct tn_ros__action_layout layout;
    struct tn_ros_action_server_options options;
    struct tn_ros_service *send_goal, *cancel_goal, *get_result;
    struct tn_ros_publisher *feedback, *status;
    struct tn_ros_goal_table table;
    struct slot *slots;                        ///< (capacity of the table)
    struct tn_ros_goal_id *ids;                ///< (capacity) scratch of one cancel request
    uint32_t *selected;                        ///< (capacity) scratch of one cancel request
    struct action_msgs_msg_GoalStatus *states; ///< (capacity) scratch of one status message
    struct action_msgs_msg_GoalInfo *infos;    ///< (capacity) scratch of one cancel response
    void *send_response, *result_response, *feedback_message;
    struct tn_loop_timer expiry;
    struct tn_ros_action_server_stats stats;
    struct tn_log_throttle throttles[N_COMPLAINTS];
    char name[TN_ROS_NAME_MAX];
};

static void complain(struct tn_ros_action_server *server, enum complaint what, const char *text,
                     const struct tn_ros_goal_id *id)
{
    char id_text[TN_ROS_GOAL_ID_TEXT];
    uint32_t suppressed = 0;
    int64_t now_ns = tn_loop_now_steady_ns(server->node->context->loop);
    if (tn_log_throttle_pass(&server->throttles[what], now_ns, TN_NS_PER_S, &suppressed))
        TN_WARN(&server->node->logger, "action %s: %s (goal %s; %u more since the last report)",
                server->name, text, tn_ros_goal_id_text(id, id_text), suppressed);
}

static void *member(void *message, size_t offset)
{
    return (uint8_t *)message + offset;
}

static struct action_msgs_msg_GoalInfo info_of(const struct tn_ros_goal *goal)
{
    struct action_msgs_msg_GoalInfo info;
    memcpy(&info.goal_id, &goal->id, sizeof info.goal_id);
    info.stamp = tn_ros__action_stamp(goal->stamp_ros_ns);
    return info;
}

static void publish_status(struct tn_ros_action_server *server)
{
    const struct tn_ros_goal_table *table = &server->table;
    for (uint32_t i = 0; i < table->n; i++) {
        const struct tn_ros_goal *goal = &table->goals[table->order[i]];
        server->states[i].goal_info = info_of(goal);
        server->states[i].status = (int8_t)goal->state;
    }
    struct action_msgs_msg_GoalStatusArray message = {
        .status_list = {.data = server->states, .size = table->n}};
    (void)tn_ros_publish(server->status, &message);
}

static void check_reply(struct tn_ros_action_server *server, enum tn_result result,
                        const struct tn_ros_goal_id *id)
{
    // a client that went away needs no answer
    if (result != TN_OK && result != TN_ERR_NOT_FOUND)
        complain(server, REPLY, tn_result_text(result), id);
}

// ---- results ----

/// Fills result_response. `result` NULL: the default one.
static void fill_response(struct tn_ros_action_server *server, enum tn_ros_goal_state state,
                          const void *result)
{
    server->type->get_result->response->init(server->result_response);
    *(int8_t *)member(server->result_response, server->layout.status) = (int8_t)state;
    if (result != NULL)
        memcpy(member(server->result_response, server->layout.result), result,
               server->type->result->size);
}

/// Keeps result_response in the slot, encoded.
static enum tn_result keep_response(struct tn_ros_action_server *server, struct slot *slot)
{
    for (;;) {
        struct tn_cdr_writer writer;
        tn_cdr_writer_begin(&writer, slot->result, slot->result_capacity);
        enum tn_result result =
            tn_type_encode(server->type->get_result->response, server->result_response, &writer);
        slot->result_size = writer.size;
        if (result != TN_ERR_LIMIT || writer.size <= slot->result_capacity)
            return result;
        uint8_t *grown = realloc(slot->result, writer.size);
        if (grown == NULL)
            return TN_ERR_NO_MEMORY;
        slot->result = grown;
        slot->result_capacity = writer.size;
    }
}

/// Answers with what the slot keeps: as bytes, whatever their size.
static void answer_kept(struct tn_ros_action_server *server, uint32_t index,
                        const struct tn_transport_request_id *request)
{
    const struct slot *slot = &server->slots[index];
    enum tn_result result =
        tn_ros__service_reply_cdr(server->get_result, request, slot->result, slot->result_size);
    check_reply(server, result, &server->table.goals[index].id);
    // who did not get it may ask again: it is not the first to make room
    server->table.goals[index].is_fetched |= result == TN_OK;
}

/// What a slot kept of a goal that is gone.
static void clear_slot(struct slot *slot)
{
    slot->n_waiters = 0;
    slot->result_size = 0;
    if (slot->result_capacity > RESULT_KEEP_BYTES) {
        free(slot->result);
        slot->result = NULL;
        slot->result_capacity = 0;
    }
}

static void arm_expiry(struct tn_ros_action_server *server);

static void on_expiry(void *context)
{
    struct tn_ros_action_server *server = context;
    int64_t now_ns = tn_loop_now_steady_ns(server->node->context->loop);
    uint32_t slot;
    while ((slot = tn_ros_goal_expire(&server->table, now_ns)) != TN_ROS_GOAL_NONE)
        clear_slot(&server->slots[slot]);
    arm_expiry(server);
}

static void arm_expiry(struct tn_ros_action_server *server)
{
    struct tn_loop *loop = server->node->context->loop;
    int64_t next_ns = tn_ros_goal_next_expiry(&server->table);
    tn_loop_timer_stop(&server->expiry);
    if (next_ns != INT64_MAX)
        tn_loop_timer_start(loop, &server->expiry, tn_ns_sub(next_ns, tn_loop_now_steady_ns(loop)),
                            0, on_expiry, server);
}

static enum tn_result finish(struct tn_ros_action_server *server, const struct tn_ros_goal_id *id,
                             enum tn_ros_goal_event event, const void *result)
{
    uint32_t index = tn_ros_goal_find(&server->table, id);
    if (index == TN_ROS_GOAL_NONE)
        return TN_ERR_NOT_FOUND;
    struct slot *slot = &server->slots[index];
    enum tn_ros_goal_state next = tn_ros_goal_transition(server->table.goals[index].state, event);
    if (next == TN_ROS_GOAL_UNKNOWN)
        return TN_ERR_STATE;
    // the result first: when it cannot be kept, the goal has not ended
    fill_response(server, next, result);
    enum tn_result kept = keep_response(server, slot);
    if (kept != TN_OK)
        return kept;
    (void)tn_ros_goal_apply(&server->table, index, event,
                            tn_loop_now_steady_ns(server->node->context->loop));
    for (uint32_t i = 0; i < slot->n_waiters; i++)
        answer_kept(server, index, &slot->waiters[i]);
    slot->n_waiters = 0;
    publish_status(server);
    arm_expiry(server);
    return TN_OK;
}

enum tn_result tn_ros_action_succeed(struct tn_ros_action_server *server,
                                     const struct tn_ros_goal_id *id, const void *result)
{
    return finish(server, id, TN_ROS_GOAL_EVENT_SUCCEED, result);
}

enum tn_result tn_ros_action_abort(struct tn_ros_action_server *server,
                                   const struct tn_ros_goal_id *id, const void *result)
{
    return finish(server, id, TN_ROS_GOAL_EVENT_ABORT, result);
}

enum tn_result tn_ros_action_canceled(struct tn_ros_action_server *server,
                                      const struct tn_ros_goal_id *id, const void *result)
{
    return finish(server, id, TN_ROS_GOAL_EVENT_CANCELED, result);
}

/// A request for the result of a goal that has not ended waits.
static void wait_for_result(struct tn_ros_action_server *server, uint32_t index,
                            const struct tn_transport_request_id *request)
{
    struct slot *slot = &server->slots[index];
    if (slot->n_waiters < TN_ROS_ACTION_WAITERS) {
        slot->waiters[slot->n_waiters++] = *request;
        return;
    }
    server->stats.n_waiters_dropped++;
    complain(server, WAITERS, "too many wait for one result, dropped a request",
             &server->table.goals[index].id);
    // who asks again and again loses his own older request, never someone else's
    for (uint32_t i = 0; i < slot->n_waiters; i++)
        if (memcmp(slot->waiters[i].client, request->client, sizeof request->client) == 0) {
            slot->waiters[i] = *request;
            return;
        }
}

static void on_get_result(void *context, const struct tn_transport_request_id *request,
                          const void *message)
{
    struct tn_ros_action_server *server = context;
    struct tn_ros_goal_id id;
    memcpy(&id, (const uint8_t *)message + server->layout.get_result_id, sizeof id);
    uint32_t index = tn_ros_goal_find(&server->table, &id);
    if (index == TN_ROS_GOAL_NONE) {
        fill_response(server, TN_ROS_GOAL_UNKNOWN, NULL);
        check_reply(server,
                    tn_ros_service_reply(server->get_result, request, server->result_response),
                    &id);
    } else if (tn_ros_goal_is_active(server->table.goals[index].state)) {
        wait_for_result(server, index, request);
    } else {
        answer_kept(server, index, request);
    }
}

// ---- new goals ----

static void answer_goal(struct tn_ros_action_server *server,
                        const struct tn_transport_request_id *request,
                        const struct tn_ros_goal_id *id, bool is_accepted, int64_t stamp_ros_ns)
{
    struct builtin_interfaces_msg_Time stamp = tn_ros__action_stamp(stamp_ros_ns);
    server->type->send_goal->response->init(server->send_response);
    *(bool *)member(server->send_response, server->layout.is_accepted) = is_accepted;
    memcpy(member(server->send_response, server->layout.stamp), &stamp, sizeof stamp);
    check_reply(server, tn_ros_service_reply(server->send_goal, request, server->send_response),
                id);
}

/// Everything that may speak against a goal. @return its slot; TN_ROS_GOAL_NONE: rejected.
static uint32_t consider(struct tn_ros_action_server *server, const struct tn_ros_goal_id *id,
                         const void *goal, enum tn_ros_goal_answer *out_answer)
{
    enum tn_ros_goal_room room;
    uint32_t index = TN_ROS_GOAL_NONE;
    *out_answer = TN_ROS_GOAL_REJECT;
    if (tn_ros_goal_find(&server->table, id) != TN_ROS_GOAL_NONE) {
        server->stats.n_duplicate++;
        complain(server, DUPLICATE, "rejected a goal whose id is known already", id);
        return TN_ROS_GOAL_NONE;
    }
    // nobody is asked about a goal that there is no room for
    if (tn_ros_action_n_active(server) == server->table.capacity) {
        server->stats.n_full++;
        complain(server, FULL, "rejected a goal, as many as are allowed have not ended", id);
        return TN_ROS_GOAL_NONE;
    }
    *out_answer = server->options.on_goal == NULL
                      ? TN_ROS_GOAL_ACCEPT
                      : server->options.on_goal(server->options.context, id, goal);
    if (*out_answer == TN_ROS_GOAL_REJECT) {
        server->stats.n_rejected++;
        return TN_ROS_GOAL_NONE;
    }
    int64_t now_ros_ns = tn_ros_node_now_ros_ns(server->node);
    uint32_t out = tn_ros_goal_next_out(&server->table);
    struct tn_ros_goal_id lost = out == TN_ROS_GOAL_NONE ? *id : server->table.goals[out].id;
    if (tn_ros_goal_accept(&server->table, id, now_ros_ns, &index, &room) != TN_OK)
        return TN_ROS_GOAL_NONE;
    clear_slot(&server->slots[index]);
    server->stats.n_accepted++;
    if (room == TN_ROS_GOAL_ROOM_UNFETCHED) {
        server->stats.n_lost++;
        complain(server, LOST, "a result that nobody had asked for yet made room for a goal",
                 &lost);
    }
    return index;
}

static void on_send_goal(void *context, const struct tn_transport_request_id *request,
                         const void *message)
{
    struct tn_ros_action_server *server = context;
    const void *goal = (const uint8_t *)message + server->layout.goal;
    struct tn_ros_goal_id id;
    enum tn_ros_goal_answer answer;
    memcpy(&id, (const uint8_t *)message + server->layout.send_goal_id, sizeof id);
    uint32_t index = consider(server, &id, goal, &answer);
    if (index == TN_ROS_GOAL_NONE) {
        answer_goal(server, request, &id, false, 0);
        return;
    }
    if (answer == TN_ROS_GOAL_ACCEPT)
        (void)tn_ros_goal_apply(&server->table, index, TN_ROS_GOAL_EVENT_EXECUTE,
                                tn_loop_now_steady_ns(server->node->context->loop));
    answer_goal(server, request, &id, true, server->table.goals[index].stamp_ros_ns);
    publish_status(server);
    server->options.on_accepted(server->options.context, &id, goal);
}

enum tn_result tn_ros_action_execute(struct tn_ros_action_server *server,
                                     const struct tn_ros_goal_id *id)
{
    uint32_t index = tn_ros_goal_find(&server->table, id);
    if (index == TN_ROS_GOAL_NONE)
        return TN_ERR_NOT_FOUND;
    enum tn_result result = tn_ros_goal_apply(&server->table, index, TN_ROS_GOAL_EVENT_EXECUTE,
                                              tn_loop_now_steady_ns(server->node->context->loop));
    if (result == TN_OK)
        publish_status(server);
    return result;
}

enum tn_result tn_ros_action_feedback(struct tn_ros_action_server *server,
                                      const struct tn_ros_goal_id *id, const void *feedback)
{
    uint32_t index = tn_ros_goal_find(&server->table, id);
    if (index == TN_ROS_GOAL_NONE)
        return TN_ERR_NOT_FOUND;
    if (!tn_ros_goal_is_active(server->table.goals[index].state))
        return TN_ERR_STATE;
    memcpy(member(server->feedback_message, server->layout.feedback_id), id, sizeof *id);
    memcpy(member(server->feedback_message, server->layout.feedback), feedback,
           server->type->feedback->size);
    return tn_ros_publish(server->feedback, server->feedback_message);
}

// ---- cancel requests ----

/// Asks whether each of the selected goals may be cancelled. @return how many are from now on;
/// their ids and infos stand at the front of the scratch arrays.
static uint32_t cancel_selected(struct tn_ros_action_server *server, uint32_t n_selected)
{
    uint32_t n = 0;
    // a callback may end goals, and what stands in a slot changes only with a new goal
    for (uint32_t i = 0; i < n_selected; i++)
        server->ids[i] = server->table.goals[server->selected[i]].id;
    for (uint32_t i = 0; i < n_selected && server->options.on_cancel != NULL; i++) {
        struct tn_ros_goal_id id = server->ids[i];
        if (!server->options.on_cancel(server->options.context, &id))
            continue;
        uint32_t index = tn_ros_goal_find(&server->table, &id);
        if (index == TN_ROS_GOAL_NONE ||
            tn_ros_goal_apply(&server->table, index, TN_ROS_GOAL_EVENT_CANCEL_GOAL,
                              tn_loop_now_steady_ns(server->node->context->loop)) != TN_OK)
            continue;
        server->ids[n] = id;
        server->infos[n++] = info_of(&server->table.goals[index]);
    }
    return n;
}

static void on_cancel_goal(void *context, const struct tn_transport_request_id *request,
                           const void *message)
{
    struct tn_ros_action_server *server = context;
    const struct action_msgs_srv_CancelGoal_Request *cancel = message;
    struct action_msgs_srv_CancelGoal_Response response;
    struct tn_ros_goal_id id;
    uint32_t n_selected = 0;
    memcpy(&id, &cancel->goal_info.goal_id, sizeof id);
    enum tn_ros_cancel_code code =
        tn_ros_goal_select(&server->table, &id, tn_ros__action_stamp_ns(cancel->goal_info.stamp),
                           server->selected, &n_selected);
    uint32_t n = cancel_selected(server, n_selected);
    if (n_selected > 0 && n == 0)
        code = TN_ROS_CANCEL_REJECTED;
    if (n > 0)
        publish_status(server);
    response.return_code = (int8_t)code;
    response.goals_canceling.data = server->infos;
    response.goals_canceling.size = n;
    check_reply(server, tn_ros_service_reply(server->cancel_goal, request, &response), &id);
    for (uint32_t i = 0; i < n && server->options.on_canceling != NULL; i++) {
        id = server->ids[i];
        server->options.on_canceling(server->options.context, &id);
    }
}

// ---- life ----

static void release(struct tn_ros_action_server *server)
{
    tn_loop_timer_stop(&server->expiry);
    tn_ros_service_destroy(&server->send_goal);
    tn_ros_service_destroy(&server->cancel_goal);
    tn_ros_service_destroy(&server->get_result);
    tn_ros_publisher_destroy(&server->feedback);
    tn_ros_publisher_destroy(&server->status);
    for (uint32_t i = 0; server->slots != NULL && i < server->options.max_goals; i++)
        free(server->slots[i].result);
    free(server->slots);
    free(server->table.goals);
    free(server->table.order);
    free(server->ids);
    free(server->selected);
    free(server->states);
    free(server->infos);
    free(server->send_response);
    free(server->result_response);
    free(server->feedback_message);
    free(server);
}

static enum tn_result allocate(struct tn_ros_action_server *server, struct tn_error *err)
{
    const struct tn_action_type *type = server->type;
    uint32_t n = server->options.max_goals;
    struct tn_ros_goal *goals = calloc(n, sizeof *goals);
    uint32_t *order = calloc(n, sizeof *order);
    server->table.goals = goals;
    server->table.order = order;
    server->slots = calloc(n, sizeof *server->slots);
    server->ids = calloc(n, sizeof *server->ids);
    server->selected = calloc(n, sizeof *server->selected);
    server->states = calloc(n, sizeof *server->states);
    server->infos = calloc(n, sizeof *server->infos);
    server->send_response = calloc(1, type->send_goal->response->size);
    server->result_response = calloc(1, type->get_result->response->size);
    server->feedback_message = calloc(1, type->feedback_message->size);
    if (goals == NULL || order == NULL || server->slots == NULL || server->ids == NULL ||
        server->selected == NULL || server->states == NULL || server->infos == NULL ||
        server->send_response == NULL || server->result_response == NULL ||
        server->feedback_message == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for action %s", server->name);
    return tn_ros_goal_table_init(&server->table, goals, order, n,
                                  server->options.result_timeout_ns);
}

static enum tn_result open_service(struct tn_ros_action_server *server,
                                   const struct tn_service_type *type, const char *what,
                                   tn_ros_deferred_fn callback, struct tn_ros_service **out,
                                   struct tn_error *err)
{
    char name[TN_ROS__ACTION_NAME_MAX];
    struct tn_ros_service_options options = tn_ros_service_options_default();
    options.on_deferred = callback;
    options.context = server;
    // every goal may end in the same moment, and no result may push another out
    if (options.qos.depth < server->options.max_goals)
        options.qos.depth = server->options.max_goals;
    return tn_ros_service_create_with(
        server->node, type, tn_ros__action_name(server->name, what, name), &options, out, err);
}

static enum tn_result open_endpoints(struct tn_ros_action_server *server, struct tn_error *err)
{
    struct tn_ros_node *node = server->node;
    const struct tn_action_type *type = server->type;
    char name[TN_ROS__ACTION_NAME_MAX];
    // the services last: who finds them may send a goal, and is owed feedback and status
    enum tn_result result = tn_ros_publisher_create(
        node, type->feedback_message, tn_ros__action_name(server->name, "feedback", name),
        tn_ros_qos_default(10), &server->feedback, err);
    if (result == TN_OK)
        result = tn_ros_publisher_create(node, &action_msgs_msg_GoalStatusArray_type,
                                         tn_ros__action_name(server->name, "status", name),
                                         tn_ros_qos_latched(1), &server->status, err);
    if (result == TN_OK)
        result = open_service(server, type->get_result, "get_result", on_get_result,
                              &server->get_result, err);
    if (result == TN_OK)
        result = open_service(server, &action_msgs_srv_CancelGoal_type, "cancel_goal",
                              on_cancel_goal, &server->cancel_goal, err);
    if (result == TN_OK)
        result = open_service(server, type->send_goal, "send_goal", on_send_goal,
                              &server->send_goal, err);
    return result;
}

static enum tn_result take_options(struct tn_ros_action_server *server,
                                   const struct tn_ros_action_server_options *options,
                                   struct tn_error *err)
{
    server->options = *options;
    if (options->max_goals == 0)
        server->options.max_goals = TN_ROS_ACTION_GOALS;
    if (options->result_timeout_ns == 0)
        server->options.result_timeout_ns = TN_ROS_ACTION_RESULT_TIMEOUT_NS;
    if (options->on_accepted == NULL)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "action %s: on_accepted is missing, nothing would do the work",
                            server->name);
    if (server->options.max_goals > TN_ROS_ACTION_GOALS_MAX || options->result_timeout_ns < 0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "action %s: max_goals %u (at most %u), result_timeout_ns %lld (above "
                            "0, or 0 for 10 s)",
                            server->name, server->options.max_goals, TN_ROS_ACTION_GOALS_MAX,
                            (long long)options->result_timeout_ns);
    return TN_OK;
}

enum tn_result tn_ros_action_server_create(struct tn_ros_node *node,
                                           const struct tn_action_type *type, const char *name,
                                           const struct tn_ros_action_server_options *options,
                                           struct tn_ros_action_server **out_server,
                                           struct tn_error *err)
{
    struct tn_ros_action_server *server = calloc(1, sizeof *server);
    if (server == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for action %s", name);
    server->node = node;
    server->type = type;
    enum tn_result result =
        tn_ros_resolve_name(&node->context->args, node->ns, node->name, name, server->name, err);
    if (result == TN_OK)
        result = take_options(server, options, err);
    if (result == TN_OK)
        result = tn_ros__action_layout_find(type, &server->layout, err);
    if (result == TN_OK)
        result = allocate(server, err);
    if (result == TN_OK)
        result = open_endpoints(server, err);
    if (result != TN_OK) {
        release(server);
        return result;
    }
    server->next = node->action_servers;
    node->action_servers = server;
    *out_server = server;
    return TN_OK;
}

/// Whoever waits learns that nothing comes any more.
static void abort_all(struct tn_ros_action_server *server)
{
    int64_t now_ns = tn_loop_now_steady_ns(server->node->context->loop);
    for (uint32_t i = 0; i < server->table.capacity; i++) {
        struct tn_ros_goal *goal = &server->table.goals[i];
        if (!tn_ros_goal_is_active(goal->state))
            continue;
        // what never began cannot be aborted
        if (goal->state == TN_ROS_GOAL_ACCEPTED)
            (void)tn_ros_goal_apply(&server->table, i, TN_ROS_GOAL_EVENT_EXECUTE, now_ns);
        (void)finish(server, &goal->id, TN_ROS_GOAL_EVENT_ABORT, NULL);
    }
}

void tn_ros_action_server_destroy(struct tn_ros_action_server **server)
{
    struct tn_ros_action_server *s = *server;
    *server = NULL;
    if (s == NULL)
        return;
    abort_all(s);
    struct tn_ros_action_server **link = &s->node->action_servers;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    release(s);
}

void tn_ros__action_servers_destroy(struct tn_ros_node *node)
{
    while (node->action_servers != NULL) {
        struct tn_ros_action_server *server = node->action_servers;
        tn_ros_action_server_destroy(&server);
    }
}

// ---- questions ----

enum tn_ros_goal_state tn_ros_action_state(const struct tn_ros_action_server *server,
                                           const struct tn_ros_goal_id *id)
{
    uint32_t index = tn_ros_goal_find(&server->table, id);
    return index == TN_ROS_GOAL_NONE ? TN_ROS_GOAL_UNKNOWN : server->table.goals[index].state;
}

uint32_t tn_ros_action_n_active(const struct tn_ros_action_server *server)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < server->table.n; i++)
        n += tn_ros_goal_is_active(server->table.goals[server->table.order[i]].state) ? 1 : 0;
    return n;
}

const char *tn_ros_action_server_name(const struct tn_ros_action_server *server)
{
    return server->name;
}

void tn_ros_action_server_get_stats(const struct tn_ros_action_server *server,
                                    struct tn_ros_action_server_stats *out_stats)
{
    *out_stats = server->stats;
}
