// SPDX-License-Identifier: Apache-2.0
// What an rmw_cyclonedds_cpp action client or server does on the wire, with idlc and the public API
// alone. See script.h for its use.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "action_types.h"
#include "script.h"

enum what { GOAL, RESULT, CANCEL, N_SERVICES };

typedef example_interfaces_action_dds__Fibonacci_SendGoal_Request_ goal_request;
typedef example_interfaces_action_dds__Fibonacci_SendGoal_Response_ goal_reply;
typedef example_interfaces_action_dds__Fibonacci_GetResult_Request_ result_request;
typedef example_interfaces_action_dds__Fibonacci_GetResult_Response_ result_reply;
typedef action_msgs_srv_dds__CancelGoal_Request_ cancel_request;
typedef action_msgs_srv_dds__CancelGoal_Response_ cancel_reply;
typedef example_interfaces_action_dds__Fibonacci_FeedbackMessage_ feedback_message;
typedef action_msgs_msg_dds__GoalStatusArray_ status_message;
typedef action_msgs_msg_dds__GoalInfo_ goal_info;

static const dds_topic_descriptor_t *const types[N_SERVICES][2] = {
    {&example_interfaces_action_dds__Fibonacci_SendGoal_Request__desc,
     &example_interfaces_action_dds__Fibonacci_SendGoal_Response__desc},
    {&example_interfaces_action_dds__Fibonacci_GetResult_Request__desc,
     &example_interfaces_action_dds__Fibonacci_GetResult_Response__desc},
    {&action_msgs_srv_dds__CancelGoal_Request__desc,
     &action_msgs_srv_dds__CancelGoal_Response__desc},
};
static const char *const names[N_SERVICES] = {"send_goal", "get_result", "cancel_goal"};

static bool is_server;
static dds_entity_t participant, readers[N_SERVICES], writers[N_SERVICES], feedback, status;
static uint64_t client_ids[N_SERVICES];
static int64_t last_call;

static dds_entity_t check(dds_entity_t entity, const char *what)
{
    if (entity < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
        exit(3);
    }
    return entity;
}

static dds_entity_t make(const dds_topic_descriptor_t *type, const char *name, bool is_writer,
                         bool is_latched, const char *user_data)
{
    dds_qos_t *qos = dds_create_qos();
    dds_qset_writer_data_lifecycle(qos, false);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, is_latched ? 1 : 10);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
    if (is_latched) {
        dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
        dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, 1, -1, -1, -1);
    }
    dds_qset_userdata(qos, user_data, strlen(user_data));
    dds_entity_t topic = check(dds_create_topic(participant, type, name, NULL, NULL), name);
    dds_entity_t entity = check(is_writer ? dds_create_writer(participant, topic, qos, NULL)
                                          : dds_create_reader(participant, topic, qos, NULL),
                                name);
    dds_delete_qos(qos);
    return entity;
}

static void open_service(int i)
{
    char request[64], reply[64], user_data[64];
    (void)snprintf(request, sizeof request, "rq/fibonacci/_action/%sRequest", names[i]);
    (void)snprintf(reply, sizeof reply, "rr/fibonacci/_action/%sReply", names[i]);
    (void)snprintf(user_data, sizeof user_data, "%s=1.2.3.4.5.6.7.8.9.a.b.c.d.%x.%x.%x;",
                   is_server ? "serviceid" : "clientid", (unsigned)(dds_time() & 0xff),
                   (unsigned)(dds_time() >> 8 & 0xff), i + 1);
    readers[i] =
        make(types[i][is_server ? 0 : 1], is_server ? request : reply, false, false, user_data);
    writers[i] =
        make(types[i][is_server ? 1 : 0], is_server ? reply : request, true, false, user_data);
    dds_instance_handle_t handle = 0;
    (void)dds_get_instance_handle(writers[i], &handle);
    client_ids[i] = handle;
}

void act_open(uint32_t domain, bool as_server)
{
    dds_qos_t *qos = dds_create_qos();
    dds_qset_userdata(qos, "enclave=/;", 10);
    participant = check(dds_create_participant(domain, qos, NULL), "participant");
    dds_delete_qos(qos);
    is_server = as_server;
    feedback = make(&example_interfaces_action_dds__Fibonacci_FeedbackMessage__desc,
                    "rt/fibonacci/_action/feedback", is_server, false, "typehash=RIHS01_0;");
    status = make(&action_msgs_msg_dds__GoalStatusArray__desc, "rt/fibonacci/_action/status",
                  is_server, true, "typehash=RIHS01_0;");
    for (int i = 0; i < N_SERVICES; i++)
        open_service(i);
}

static bool has_writer(dds_entity_t reader)
{
    dds_subscription_matched_status_t s;
    return dds_get_subscription_matched_status(reader, &s) == DDS_RETCODE_OK && s.current_count > 0;
}

static bool has_reader(dds_entity_t writer)
{
    dds_publication_matched_status_t s;
    return dds_get_publication_matched_status(writer, &s) == DDS_RETCODE_OK && s.current_count > 0;
}

bool act_is_matched(void)
{
    bool is_matched = is_server ? has_reader(feedback) && has_reader(status)
                                : has_writer(feedback) && has_writer(status);
    for (int i = 0; i < N_SERVICES; i++)
        is_matched = is_matched && has_writer(readers[i]) && has_reader(writers[i]);
    return is_matched;
}

void act_pause_ms(int ms)
{
    dds_sleepfor(DDS_MSECS(ms));
}

/// Takes one valid sample. @return true; give it back with dds_return_loan().
static bool take(dds_entity_t reader, void **sample)
{
    for (;;) {
        dds_sample_info_t info;
        *sample = NULL;
        if (dds_take(reader, sample, &info, 1, 1) != 1)
            return false;
        if (info.valid_data)
            return true;
        (void)dds_return_loan(reader, sample, 1);
    }
}

static void copy_numbers(struct act_event *event, const int32_t *numbers, uint32_t n)
{
    event->n_sequence = n < ACT_SEQUENCE_MAX ? n : ACT_SEQUENCE_MAX;
    if (event->n_sequence > 0)
        memcpy(event->sequence, numbers, event->n_sequence * sizeof *numbers);
}

static void keep_identity(struct act_event *event, uint64_t client, int64_t call)
{
    memcpy(event->identity, &client, sizeof client);
    memcpy(event->identity + sizeof client, &call, sizeof call);
}

static void fill_request(struct act_event *event, int i, const void *sample)
{
    if (i == GOAL) {
        const goal_request *m = sample;
        event->kind = ACT_GOAL_REQUEST;
        keep_identity(event, m->client_, m->call_);
        memcpy(event->id, m->goal_id_, 16);
        event->order = m->order_;
    } else if (i == RESULT) {
        const result_request *m = sample;
        event->kind = ACT_RESULT_REQUEST;
        keep_identity(event, m->client_, m->call_);
        memcpy(event->id, m->goal_id_, 16);
    } else {
        const cancel_request *m = sample;
        event->kind = ACT_CANCEL_REQUEST;
        keep_identity(event, m->client_, m->call_);
        memcpy(event->id, m->goal_info_.goal_id_, 16);
        event->sec = m->goal_info_.sec_;
        event->nanosec = m->goal_info_.nanosec_;
    }
}

/// @return whether the reply is to us.
static bool fill_reply(struct act_event *event, int i, const void *sample)
{
    uint64_t client = 0;
    if (i == GOAL) {
        const goal_reply *m = sample;
        event->kind = ACT_GOAL_REPLY;
        client = m->client_;
        event->call = m->call_;
        event->is_accepted = m->accepted_;
    } else if (i == RESULT) {
        const result_reply *m = sample;
        event->kind = ACT_RESULT_REPLY;
        client = m->client_;
        event->call = m->call_;
        event->status = m->status_;
        copy_numbers(event, m->numbers_._buffer, m->numbers_._length);
    } else {
        const cancel_reply *m = sample;
        event->kind = ACT_CANCEL_REPLY;
        client = m->client_;
        event->call = m->call_;
        event->code = m->return_code_;
        event->n_goals = m->goals_canceling_._length;
    }
    return client == client_ids[i];
}

static bool poll_topics(struct act_event *event)
{
    void *sample;
    if (take(feedback, &sample)) {
        const feedback_message *m = sample;
        event->kind = ACT_FEEDBACK;
        memcpy(event->id, m->goal_id_, 16);
        copy_numbers(event, m->numbers_._buffer, m->numbers_._length);
        (void)dds_return_loan(feedback, &sample, 1);
        return true;
    }
    if (take(status, &sample)) {
        const status_message *m = sample;
        event->kind = ACT_STATUS;
        for (uint32_t i = 0; i < m->status_list_._length && i < ACT_GOALS_MAX; i++) {
            memcpy(event->ids[i], m->status_list_._buffer[i].goal_info_.goal_id_, 16);
            event->states[i] = m->status_list_._buffer[i].status_;
            event->n_goals = i + 1;
        }
        (void)dds_return_loan(status, &sample, 1);
        return true;
    }
    return false;
}

bool act_poll(struct act_event *event)
{
    memset(event, 0, sizeof *event);
    if (!is_server && poll_topics(event))
        return true;
    for (int i = 0; i < N_SERVICES; i++) {
        void *sample;
        while (take(readers[i], &sample)) {
            bool is_ours = true;
            if (is_server)
                fill_request(event, i, sample);
            else
                is_ours = fill_reply(event, i, sample);
            (void)dds_return_loan(readers[i], &sample, 1);
            if (is_ours)
                return true;
        }
    }
    return false;
}

int64_t act_send_goal(const uint8_t id[16], int32_t order)
{
    goal_request m = {.client_ = client_ids[GOAL], .call_ = ++last_call, .order_ = order};
    memcpy(m.goal_id_, id, 16);
    (void)dds_write(writers[GOAL], &m);
    return m.call_;
}

int64_t act_send_result(const uint8_t id[16])
{
    result_request m = {.client_ = client_ids[RESULT], .call_ = ++last_call};
    memcpy(m.goal_id_, id, 16);
    (void)dds_write(writers[RESULT], &m);
    return m.call_;
}

int64_t act_send_cancel(const uint8_t id[16], int32_t sec, uint32_t nanosec)
{
    cancel_request m = {.client_ = client_ids[CANCEL], .call_ = ++last_call};
    memcpy(m.goal_info_.goal_id_, id, 16);
    m.goal_info_.sec_ = sec;
    m.goal_info_.nanosec_ = nanosec;
    (void)dds_write(writers[CANCEL], &m);
    return m.call_;
}

static uint64_t client_of(const struct act_event *request, int64_t *out_call)
{
    uint64_t client;
    memcpy(&client, request->identity, sizeof client);
    memcpy(out_call, request->identity + sizeof client, sizeof *out_call);
    return client;
}

void act_reply_goal(const struct act_event *request, bool is_accepted)
{
    goal_reply m = {.accepted_ = is_accepted, .sec_ = 7};
    m.client_ = client_of(request, &m.call_);
    (void)dds_write(writers[GOAL], &m);
}

void act_reply_result(const struct act_event *request, int state, const int32_t *sequence,
                      uint32_t n)
{
    int32_t numbers[ACT_SEQUENCE_MAX] = {0};
    result_reply m = {.status_ = (uint8_t)state};
    m.client_ = client_of(request, &m.call_);
    if (n > 0)
        memcpy(numbers, sequence, n * sizeof *sequence);
    m.numbers_._buffer = numbers;
    m.numbers_._length = n;
    (void)dds_write(writers[RESULT], &m);
}

void act_reply_cancel(const struct act_event *request, int code, const uint8_t ids[][16],
                      uint32_t n)
{
    static goal_info infos[ACT_GOALS_MAX];
    cancel_reply m = {.return_code_ = (uint8_t)code};
    m.client_ = client_of(request, &m.call_);
    for (uint32_t i = 0; i < n; i++)
        memcpy(infos[i].goal_id_, ids[i], 16);
    m.goals_canceling_._buffer = infos;
    m.goals_canceling_._length = n;
    (void)dds_write(writers[CANCEL], &m);
}

void act_feedback(const uint8_t id[16], const int32_t *sequence, uint32_t n)
{
    int32_t numbers[ACT_SEQUENCE_MAX] = {0};
    feedback_message m = {0};
    memcpy(m.goal_id_, id, 16);
    memcpy(numbers, sequence, n * sizeof *sequence);
    m.numbers_._buffer = numbers;
    m.numbers_._length = n;
    (void)dds_write(feedback, &m);
}

void act_status(const uint8_t ids[][16], const int *states, uint32_t n)
{
    static action_msgs_msg_dds__GoalStatus_ goals[ACT_GOALS_MAX];
    status_message m = {0};
    for (uint32_t i = 0; i < n; i++) {
        memcpy(goals[i].goal_info_.goal_id_, ids[i], 16);
        goals[i].status_ = (uint8_t)states[i];
    }
    m.status_list_._buffer = goals;
    m.status_list_._length = n;
    (void)dds_write(status, &m);
}

int main(int argc, char **argv)
{
    return act_main(argc, argv);
}
