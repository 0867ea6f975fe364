// SPDX-License-Identifier: Apache-2.0
#include "ros/action_client.h"

#include <stdlib.h>
#include <string.h>

#include "ros/ros__action.h"
#include "ros/ros__node.h"
#include "tn_msgs/action_msgs.h"

/// Services are matched by their own events; how soon the topics that belong to them are looked at
/// again while they are still missing.
#define READY_RETRY_NS (10 * TN_NS_PER_MS)

/// Where an id stands in an encoded feedback message: right behind the header.
#define FEEDBACK_ID_OFFSET TN_CDR_HEADER_SIZE

struct goal {
    struct tn_ros_action_client *client;
    struct tn_ros_action_goal_options options;
    struct tn_ros_goal_id id;
    enum tn_ros_goal_state state;
    uint64_t call;              ///< send_goal, later get_result; 0: free
    int64_t deadline_steady_ns; ///< of the result; INT64_MAX: none
    bool is_accepted;
    bool is_asked; ///< `call` is the one of get_result: numbers of both clients are alike
};

struct tn_ros_action_client {
    struct tn_ros_node *node;
    struct tn_ros_action_client *next;
    const struct tn_action_type *type;
    struct tn_ros__action_layout layout;
    struct tn_ros_action_client_options options;
    struct tn_ros_client *send_goal, *cancel_goal, *get_result;
    struct tn_ros_subscription *feedback, *status;
    struct tn_loop_timer retry;
    bool is_ready;
    struct goal goals[TN_ROS_ACTION_CLIENT_GOALS];
    void *send_request, *result_request, *feedback_message;
    struct tn_log_throttle throttle;
    char name[TN_ROS_NAME_MAX];
};

static int64_t now_ns(const struct tn_ros_action_client *client)
{
    return tn_loop_now_steady_ns(client->node->context->loop);
}

static struct goal *find(const struct tn_ros_action_client *client, const struct tn_ros_goal_id *id)
{
    for (uint32_t i = 0; i < TN_ROS_ACTION_CLIENT_GOALS; i++) {
        const struct goal *goal = &client->goals[i];
        if (goal->call != 0 && tn_ros_goal_id_equal(&goal->id, id))
            return (struct goal *)goal;
    }
    return NULL;
}

static void report(struct tn_ros_action_client *client, const char *what, enum tn_result result)
{
    uint32_t suppressed = 0;
    if (tn_log_throttle_pass(&client->throttle, now_ns(client), TN_NS_PER_S, &suppressed))
        TN_WARN(&client->node->logger, "action %s: %s: %s (%u more since the last report)",
                client->name, what, tn_result_text(result), suppressed);
}

// ---- the way of one goal ----

/// The goal is over; its slot is free before the callback, which may send the next one.
static void end(struct goal *goal, struct tn_ros_goal_outcome outcome)
{
    struct goal done = *goal;
    memset(goal, 0, sizeof *goal);
    if (done.options.on_result != NULL)
        done.options.on_result(done.options.context, &done.id, &outcome);
}

static void on_result(void *context, const void *response)
{
    struct goal *goal = context;
    const struct tn_ros__action_layout *layout = &goal->client->layout;
    if (response == NULL) {
        end(goal, (struct tn_ros_goal_outcome){.code = TN_ERR_TIMEOUT});
        return;
    }
    int8_t status = *((const int8_t *)response + layout->status);
    if (status < TN_ROS_GOAL_SUCCEEDED || status > TN_ROS_GOAL_ABORTED)
        end(goal, (struct tn_ros_goal_outcome){.code = TN_ERR_NOT_FOUND});
    else
        end(goal,
            (struct tn_ros_goal_outcome){.code = TN_OK,
                                         .state = (enum tn_ros_goal_state)status,
                                         .result = (const uint8_t *)response + layout->result});
}

static enum tn_result start_get_result(struct tn_ros_action_client *client,
                                       const struct tn_ros_goal_id *id,
                                       const struct tn_ros_call_options *options,
                                       uint64_t *out_call)
{
    memcpy((uint8_t *)client->result_request + client->layout.get_result_id, id, sizeof *id);
    return tn_ros_call_start(client->get_result, client->result_request, options, out_call);
}

/// Asks for the result, within what is left of its time.
static enum tn_result ask_result(struct goal *goal)
{
    int64_t left_ns = goal->deadline_steady_ns == INT64_MAX
                          ? INT64_MAX
                          : tn_ns_sub(goal->deadline_steady_ns, now_ns(goal->client));
    struct tn_ros_call_options options = {
        .timeout_ns = left_ns > 0 ? left_ns : 0, .on_response = on_result, .context = goal};
    enum tn_result result = start_get_result(goal->client, &goal->id, &options, &goal->call);
    goal->is_asked |= result == TN_OK;
    return result;
}

static void on_goal_response(void *context, const void *response)
{
    struct goal *goal = context;
    struct tn_ros_action_goal_options options = goal->options;
    struct tn_ros_goal_id id = goal->id;
    enum tn_ros_goal_response answer = TN_ROS_GOAL_NO_RESPONSE;
    if (response != NULL)
        answer = *((const bool *)((const uint8_t *)response + goal->client->layout.is_accepted))
                     ? TN_ROS_GOAL_WAS_ACCEPTED
                     : TN_ROS_GOAL_WAS_REJECTED;
    if (answer != TN_ROS_GOAL_WAS_ACCEPTED) {
        memset(goal, 0, sizeof *goal);
        if (options.on_response != NULL)
            options.on_response(options.context, &id, answer);
        return;
    }
    goal->is_accepted = true;
    goal->deadline_steady_ns = options.result_timeout_ns == INT64_MAX
                                   ? INT64_MAX
                                   : tn_ns_add(now_ns(goal->client), options.result_timeout_ns);
    if (goal->state == TN_ROS_GOAL_UNKNOWN)
        goal->state = TN_ROS_GOAL_ACCEPTED;
    struct tn_ros_action_client *client = goal->client;
    if (options.on_response != NULL)
        options.on_response(options.context, &id, answer);
    // the callback may have forgotten it
    goal = find(client, &id);
    enum tn_result result = goal == NULL ? TN_OK : ask_result(goal);
    if (result != TN_OK)
        end(goal, (struct tn_ros_goal_outcome){.code = result == TN_ERR_NOT_FOUND ? TN_ERR_CLOSED
                                                                                  : result});
}

enum tn_result tn_ros_action_send_goal(struct tn_ros_action_client *client, const void *goal,
                                       const struct tn_ros_action_goal_options *options,
                                       struct tn_ros_goal_id *out_id)
{
    struct goal *slot = NULL;
    struct tn_ros_goal_id id;
    if (options->response_timeout_ns <= 0 || options->result_timeout_ns <= 0)
        return TN_ERR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < TN_ROS_ACTION_CLIENT_GOALS && slot == NULL; i++)
        if (client->goals[i].call == 0)
            slot = &client->goals[i];
    if (slot == NULL)
        return TN_ERR_LIMIT;
    if (!tn_ros_action_client_is_ready(client))
        return TN_ERR_NOT_FOUND;
    enum tn_result result = client->options.random(client->options.random_context, &id, sizeof id);
    if (result != TN_OK)
        return result;
    // RFC 4122: random, of version 4
    id.uuid[6] = (uint8_t)((id.uuid[6] & 0x0f) | 0x40);
    id.uuid[8] = (uint8_t)((id.uuid[8] & 0x3f) | 0x80);
    if (find(client, &id) != NULL)
        return TN_ERR_EXISTS;
    memcpy((uint8_t *)client->send_request + client->layout.send_goal_id, &id, sizeof id);
    memcpy((uint8_t *)client->send_request + client->layout.goal, goal, client->type->goal->size);
    struct tn_ros_call_options call_options = {.timeout_ns = options->response_timeout_ns,
                                               .on_response = on_goal_response,
                                               .context = slot};
    uint64_t call = 0;
    result = tn_ros_call_start(client->send_goal, client->send_request, &call_options, &call);
    if (result != TN_OK)
        return result;
    *slot = (struct goal){.client = client, .options = *options, .id = id, .call = call};
    if (out_id != NULL)
        *out_id = id;
    return TN_OK;
}

enum tn_result tn_ros_action_forget(struct tn_ros_action_client *client,
                                    const struct tn_ros_goal_id *id)
{
    struct goal *goal = find(client, id);
    if (goal == NULL)
        return TN_ERR_NOT_FOUND;
    // between the acceptance and the question for the result no call is open
    if (goal->is_asked)
        (void)tn_ros_call_cancel(client->get_result, goal->call);
    else if (!goal->is_accepted)
        (void)tn_ros_call_cancel(client->send_goal, goal->call);
    memset(goal, 0, sizeof *goal);
    return TN_OK;
}

enum tn_ros_goal_state tn_ros_action_client_state(const struct tn_ros_action_client *client,
                                                  const struct tn_ros_goal_id *id)
{
    const struct goal *goal = find(client, id);
    return goal == NULL ? TN_ROS_GOAL_UNKNOWN : goal->state;
}

uint32_t tn_ros_action_client_n_open(const struct tn_ros_action_client *client)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < TN_ROS_ACTION_CLIENT_GOALS; i++)
        n += client->goals[i].call != 0 ? 1 : 0;
    return n;
}

// ---- feedback and status ----

/// Most feedback is of other clients' goals: the id is looked at before anything is decoded.
static void on_feedback(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct tn_ros_action_client *client = context;
    struct tn_ros_goal_id id;
    (void)message;
    if (info->cdr_size < FEEDBACK_ID_OFFSET + sizeof id) {
        report(client, "dropped feedback", TN_ERR_TRUNCATED);
        return;
    }
    memcpy(&id, info->cdr + FEEDBACK_ID_OFFSET, sizeof id);
    struct goal *goal = find(client, &id);
    if (goal == NULL || goal->options.on_feedback == NULL)
        return;
    struct tn_arena *arena = &client->node->arena;
    size_t mark = tn_arena_mark(arena);
    struct tn_cdr_reader reader;
    (void)tn_cdr_reader_begin(&reader, info->cdr, info->cdr_size);
    enum tn_result result =
        tn_type_decode(client->type->feedback_message, client->feedback_message, &reader, arena);
    if (result == TN_OK)
        goal->options.on_feedback(goal->options.context, &id,
                                  (const uint8_t *)client->feedback_message +
                                      client->layout.feedback);
    else
        report(client, "dropped feedback", result);
    tn_arena_release(arena, mark);
}

static void on_status(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct tn_ros_action_client *client = context;
    const struct action_msgs_msg_GoalStatusArray *goals = message;
    (void)info;
    for (uint32_t i = 0; i < goals->status_list.size; i++) {
        const struct action_msgs_msg_GoalStatus *status = &goals->status_list.data[i];
        struct tn_ros_goal_id id;
        memcpy(&id, &status->goal_info.goal_id, sizeof id);
        struct goal *goal = find(client, &id);
        // what has ended does not begin again, whatever order the topics come in
        if (goal == NULL || status->status <= (int8_t)goal->state ||
            status->status > TN_ROS_GOAL_ABORTED)
            continue;
        goal->state = (enum tn_ros_goal_state)status->status;
        if (goal->options.on_status != NULL)
            goal->options.on_status(goal->options.context, &id, goal->state);
    }
    if (client->options.on_goals != NULL)
        client->options.on_goals(client->options.context, goals);
}

// ---- cancel, and results of others ----

static void ignore_response(void *context, const void *response)
{
    (void)context;
    (void)response;
}

enum tn_result tn_ros_action_cancel(struct tn_ros_action_client *client,
                                    const struct tn_ros_action_cancel_options *options)
{
    struct action_msgs_srv_CancelGoal_Request request;
    if (options->timeout_ns <= 0)
        return TN_ERR_INVALID_ARGUMENT;
    memcpy(&request.goal_info.goal_id, &options->id, sizeof options->id);
    request.goal_info.stamp = tn_ros__action_stamp(options->stamp_ros_ns);
    return tn_ros_call(client->cancel_goal, &request, options->timeout_ns,
                       options->on_response != NULL ? options->on_response : ignore_response,
                       options->context);
}

enum tn_result tn_ros_action_get_result(struct tn_ros_action_client *client,
                                        const struct tn_ros_goal_id *id,
                                        const struct tn_ros_call_options *options)
{
    uint64_t call;
    return start_get_result(client, id, options, &call);
}

// ---- the server comes and goes ----

static bool has_services(struct tn_ros_action_client *client)
{
    return tn_ros_client_is_ready(client->send_goal) &&
           tn_ros_client_is_ready(client->cancel_goal) &&
           tn_ros_client_is_ready(client->get_result);
}

bool tn_ros_action_client_is_ready(struct tn_ros_action_client *client)
{
    return has_services(client) && tn_ros_subscription_matched(client->feedback) > 0 &&
           tn_ros_subscription_matched(client->status) > 0;
}

/// A server that is back may be another one: it says so when it is asked.
static void ask_again(struct tn_ros_action_client *client)
{
    for (uint32_t i = 0; i < TN_ROS_ACTION_CLIENT_GOALS; i++) {
        struct goal *goal = &client->goals[i];
        if (goal->call == 0 || !goal->is_asked)
            continue;
        uint64_t before = goal->call;
        enum tn_result result = ask_result(goal);
        if (result == TN_OK)
            (void)tn_ros_call_cancel(client->get_result, before);
        else
            report(client, "could not ask for a result again", result);
    }
}

static void look(void *context)
{
    struct tn_ros_action_client *client = context;
    bool is_ready = tn_ros_action_client_is_ready(client);
    tn_loop_timer_stop(&client->retry);
    if (is_ready == client->is_ready) {
        // services are there, a topic is missing: nobody tells when that changes
        if (!is_ready && has_services(client))
            tn_loop_timer_start(client->node->context->loop, &client->retry, READY_RETRY_NS, 0,
                                look, client);
        return;
    }
    client->is_ready = is_ready;
    if (is_ready)
        ask_again(client);
    if (client->options.on_ready != NULL)
        client->options.on_ready(client->options.context, is_ready);
}

static void on_service_ready(void *context, bool is_ready)
{
    (void)is_ready;
    look(context);
}

// ---- life ----

static void release(struct tn_ros_action_client *client)
{
    tn_loop_timer_stop(&client->retry);
    tn_ros_client_destroy(&client->send_goal);
    tn_ros_client_destroy(&client->cancel_goal);
    tn_ros_client_destroy(&client->get_result);
    tn_ros_subscription_destroy(&client->feedback);
    tn_ros_subscription_destroy(&client->status);
    free(client->send_request);
    free(client->result_request);
    free(client->feedback_message);
    free(client);
}

static enum tn_result open_service(struct tn_ros_action_client *client,
                                   const struct tn_service_type *type, const char *what,
                                   struct tn_ros_client **out, struct tn_error *err)
{
    char name[TN_ROS__ACTION_NAME_MAX];
    struct tn_ros_client_options options = tn_ros_client_options_default();
    options.on_ready = on_service_ready;
    // the answers to all open goals may come in the same moment
    options.qos.depth = TN_ROS_ACTION_CLIENT_GOALS;
    options.context = client;
    return tn_ros_client_create_with(
        client->node, type, tn_ros__action_name(client->name, what, name), &options, out, err);
}

static enum tn_result open_endpoints(struct tn_ros_action_client *client, struct tn_error *err)
{
    const struct tn_action_type *type = client->type;
    char name[TN_ROS__ACTION_NAME_MAX];
    enum tn_result result = tn_ros_subscription_create_raw(
        client->node, type->feedback_message, tn_ros__action_name(client->name, "feedback", name),
        tn_ros_qos_default(10), on_feedback, client, &client->feedback, err);
    if (result == TN_OK)
        result = tn_ros_subscription_create(client->node, &action_msgs_msg_GoalStatusArray_type,
                                            tn_ros__action_name(client->name, "status", name),
                                            tn_ros_qos_latched(1), on_status, client,
                                            &client->status, err);
    if (result == TN_OK)
        result = open_service(client, type->send_goal, "send_goal", &client->send_goal, err);
    if (result == TN_OK)
        result = open_service(client, &action_msgs_srv_CancelGoal_type, "cancel_goal",
                              &client->cancel_goal, err);
    if (result == TN_OK)
        result = open_service(client, type->get_result, "get_result", &client->get_result, err);
    return result;
}

static enum tn_result allocate(struct tn_ros_action_client *client, struct tn_error *err)
{
    const struct tn_action_type *type = client->type;
    client->send_request = calloc(1, type->send_goal->request->size);
    client->result_request = calloc(1, type->get_result->request->size);
    client->feedback_message = calloc(1, type->feedback_message->size);
    if (client->send_request == NULL || client->result_request == NULL ||
        client->feedback_message == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for action %s", client->name);
    return TN_OK;
}

enum tn_result tn_ros_action_client_create(struct tn_ros_node *node,
                                           const struct tn_action_type *type, const char *name,
                                           const struct tn_ros_action_client_options *options,
                                           struct tn_ros_action_client **out_client,
                                           struct tn_error *err)
{
    struct tn_ros_action_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for action %s", name);
    client->node = node;
    client->type = type;
    if (options != NULL)
        client->options = *options;
    if (client->options.random == NULL)
        client->options.random = tn_random_kernel;
    enum tn_result result =
        tn_ros_resolve_name(&node->context->args, node->ns, node->name, name, client->name, err);
    if (result == TN_OK)
        result = tn_ros__action_layout_find(type, &client->layout, err);
    if (result == TN_OK)
        result = allocate(client, err);
    if (result == TN_OK)
        result = open_endpoints(client, err);
    if (result != TN_OK) {
        release(client);
        return result;
    }
    client->next = node->action_clients;
    node->action_clients = client;
    *out_client = client;
    return TN_OK;
}

void tn_ros_action_client_destroy(struct tn_ros_action_client **client)
{
    struct tn_ros_action_client *c = *client;
    *client = NULL;
    if (c == NULL)
        return;
    struct tn_ros_action_client **link = &c->node->action_clients;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    release(c);
}

void tn_ros__action_clients_destroy(struct tn_ros_node *node)
{
    while (node->action_clients != NULL) {
        struct tn_ros_action_client *client = node->action_clients;
        tn_ros_action_client_destroy(&client);
    }
}

const char *tn_ros_action_client_name(const struct tn_ros_action_client *client)
{
    return client->name;
}
