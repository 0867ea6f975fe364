// SPDX-License-Identifier: Apache-2.0
// An action on Cyclone DDS alone, with idlc's types and a waitset on both sides: a goal, its
// feedback, two status messages that list as many goals as ours do, its result.
//
//   bench_action_bare serve | ask N
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "action_types.h"
#include "measure.h"

#define N_NUMBERS 10
#define N_GOALS   64

typedef example_interfaces_action_dds__Fibonacci_SendGoal_Request_ goal_request;
typedef example_interfaces_action_dds__Fibonacci_SendGoal_Response_ goal_reply;
typedef example_interfaces_action_dds__Fibonacci_GetResult_Request_ result_request;
typedef example_interfaces_action_dds__Fibonacci_GetResult_Response_ result_reply;
typedef example_interfaces_action_dds__Fibonacci_FeedbackMessage_ feedback_message;
typedef action_msgs_msg_dds__GoalStatusArray_ status_message;

struct bench {
    dds_entity_t participant, waitset;
    dds_entity_t goal_in, goal_out, result_in, result_out, feedback, status;
    action_msgs_msg_dds__GoalStatus_ goals[N_GOALS];
    uint32_t n_goals;
    int32_t numbers[N_NUMBERS];
};

static dds_entity_t check(dds_entity_t entity)
{
    bench_require(entity >= 0, "Cyclone refuses");
    return entity;
}

static dds_entity_t make(struct bench *bench, const dds_topic_descriptor_t *type, const char *name,
                         bool is_writer, bool is_latched)
{
    dds_qos_t *qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, is_latched ? 1 : 10);
    if (is_latched)
        dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_entity_t topic = check(dds_create_topic(bench->participant, type, name, NULL, NULL));
    dds_entity_t entity =
        check(is_writer ? dds_create_writer(bench->participant, topic, qos, NULL)
                        : dds_create_reader(bench->participant, topic, qos, NULL));
    dds_delete_qos(qos);
    if (!is_writer) {
        dds_entity_t condition = check(dds_create_readcondition(entity, DDS_ANY_STATE));
        (void)check(dds_waitset_attach(bench->waitset, condition, 0));
    }
    return entity;
}

static void begin(struct bench *bench, bool is_server)
{
    static const char *const names[] = {"rq/b/send_goalRequest", "rr/b/send_goalReply",
                                        "rq/b/get_resultRequest", "rr/b/get_resultReply"};
    bench->participant = check(dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL));
    bench->waitset = check(dds_create_waitset(bench->participant));
    const dds_topic_descriptor_t *const types[] = {
        &example_interfaces_action_dds__Fibonacci_SendGoal_Request__desc,
        &example_interfaces_action_dds__Fibonacci_SendGoal_Response__desc,
        &example_interfaces_action_dds__Fibonacci_GetResult_Request__desc,
        &example_interfaces_action_dds__Fibonacci_GetResult_Response__desc};
    int in = is_server ? 0 : 1, out = is_server ? 1 : 0;
    bench->feedback = make(bench, &example_interfaces_action_dds__Fibonacci_FeedbackMessage__desc,
                           "rt/b/feedback", is_server, false);
    bench->status =
        make(bench, &action_msgs_msg_dds__GoalStatusArray__desc, "rt/b/status", is_server, true);
    bench->goal_in = make(bench, types[in], names[in], false, false);
    bench->goal_out = make(bench, types[out], names[out], true, false);
    bench->result_in = make(bench, types[2 + in], names[2 + in], false, false);
    bench->result_out = make(bench, types[2 + out], names[2 + out], true, false);
    for (int32_t i = 0; i < N_NUMBERS; i++)
        bench->numbers[i] = i;
}

/// Takes one sample. @return whether there was one; give it back with dds_return_loan().
static bool take(dds_entity_t reader, void **sample)
{
    dds_sample_info_t info;
    *sample = NULL;
    if (dds_take(reader, sample, &info, 1, 1) != 1)
        return false;
    if (!info.valid_data)
        (void)dds_return_loan(reader, sample, 1);
    return info.valid_data;
}

static void tell_status(struct bench *bench)
{
    status_message m = {0};
    m.status_list_._buffer = bench->goals;
    m.status_list_._length = bench->n_goals < N_GOALS ? bench->n_goals : N_GOALS;
    (void)dds_write(bench->status, &m);
}

static void serve_goal(struct bench *bench, const goal_request *request)
{
    goal_reply reply = {
        .client_ = request->client_, .call_ = request->call_, .accepted_ = true, .sec_ = 1};
    feedback_message feedback = {0};
    action_msgs_msg_dds__GoalStatus_ *goal = &bench->goals[bench->n_goals++ % N_GOALS];
    memcpy(goal->goal_info_.goal_id_, request->goal_id_, 16);
    memcpy(feedback.goal_id_, request->goal_id_, 16);
    feedback.numbers_._buffer = bench->numbers;
    feedback.numbers_._length = N_NUMBERS;
    goal->status_ = 2;
    (void)dds_write(bench->goal_out, &reply);
    tell_status(bench);
    (void)dds_write(bench->feedback, &feedback);
    goal->status_ = 4;
    tell_status(bench);
}

static void serve_result(struct bench *bench, const result_request *request)
{
    result_reply reply = {.client_ = request->client_, .call_ = request->call_, .status_ = 4};
    reply.numbers_._buffer = bench->numbers;
    reply.numbers_._length = N_NUMBERS;
    (void)dds_write(bench->result_out, &reply);
}

static void serve(struct bench *bench)
{
    for (;;) {
        void *sample;
        (void)dds_waitset_wait(bench->waitset, NULL, 0, DDS_INFINITY);
        while (take(bench->goal_in, &sample)) {
            serve_goal(bench, sample);
            (void)dds_return_loan(bench->goal_in, &sample, 1);
        }
        while (take(bench->result_in, &sample)) {
            serve_result(bench, sample);
            (void)dds_return_loan(bench->result_in, &sample, 1);
        }
    }
}

/// What else arrives is read too.
static void drop(dds_entity_t reader)
{
    void *sample;
    while (take(reader, &sample))
        (void)dds_return_loan(reader, &sample, 1);
}

static void wait_for_reply(struct bench *bench, dds_entity_t reader)
{
    for (bool is_there = false; !is_there;) {
        void *sample;
        (void)dds_waitset_wait(bench->waitset, NULL, 0, DDS_INFINITY);
        drop(bench->feedback);
        drop(bench->status);
        is_there = take(reader, &sample);
        if (is_there)
            (void)dds_return_loan(reader, &sample, 1);
    }
}

static bool is_matched(const struct bench *bench)
{
    dds_publication_matched_status_t goals, results;
    dds_subscription_matched_status_t goal_replies, result_replies;
    (void)dds_get_publication_matched_status(bench->goal_out, &goals);
    (void)dds_get_publication_matched_status(bench->result_out, &results);
    (void)dds_get_subscription_matched_status(bench->goal_in, &goal_replies);
    (void)dds_get_subscription_matched_status(bench->result_in, &result_replies);
    return goals.current_count > 0 && results.current_count > 0 && goal_replies.current_count > 0 &&
           result_replies.current_count > 0;
}

static int ask(struct bench *bench, uint32_t n)
{
    struct bench_samples samples = {0};
    goal_request goal = {.order_ = N_NUMBERS};
    result_request request = {0};
    bench_samples_init(&samples, n);
    while (!is_matched(bench))
        dds_sleepfor(DDS_MSECS(10));
    bench_sleep_until(bench_now_ns() + BENCH_SETTLE_NS);
    for (bool is_done = false; !is_done;) {
        const int64_t sent_ns = bench_now_ns();
        goal.call_++;
        memcpy(goal.goal_id_, &goal.call_, sizeof goal.call_);
        (void)dds_write(bench->goal_out, &goal);
        wait_for_reply(bench, bench->goal_in);
        request.call_ = goal.call_;
        memcpy(request.goal_id_, goal.goal_id_, 16);
        (void)dds_write(bench->result_out, &request);
        wait_for_reply(bench, bench->result_in);
        is_done = bench_samples_add(&samples, bench_now_ns() - sent_ns);
    }
    return bench_samples_print(&samples);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    const bool is_server = argc == 2 && strcmp(argv[1], "serve") == 0;
    if (!is_server && (argc != 3 || strcmp(argv[1], "ask") != 0))
        return 2;
    begin(&bench, is_server);
    if (is_server)
        serve(&bench);
    return ask(&bench, (uint32_t)bench_number(argv[2], 100, 10000000));
}
