// SPDX-License-Identifier: Apache-2.0
// our side of what action_bare.c does: a goal, its feedback, its result, one after another
//
//   bench_action_ours serve | ask N
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "ros/action_client.h"
#include "ros/action_server.h"
#include "tn_msgs/example_interfaces.h"

#define TYPE      (&example_interfaces_action_Fibonacci_type)
#define N_NUMBERS 10

struct bench {
    struct tn_loop *loop;
    struct tn_ros_context *context;
    struct tn_ros_node *node;
    struct tn_ros_action_server *server;
    struct tn_ros_action_client *client;
    struct tn_loop_timer timer;
    struct bench_samples samples;
    int64_t sent_ns;
    uint32_t n_feedback;
    int32_t numbers[N_NUMBERS];
};

static void require(enum tn_result result, const struct tn_error *err)
{
    if (result != TN_OK) {
        (void)fprintf(stderr, "bench: %s\n", err->text);
        exit(1);
    }
}

static void on_accepted(void *context, const struct tn_ros_goal_id *id, const void *goal)
{
    struct bench *bench = context;
    struct example_interfaces_action_Fibonacci_Feedback feedback;
    struct example_interfaces_action_Fibonacci_Result result;
    (void)goal;
    example_interfaces_action_Fibonacci_Feedback_init(&feedback);
    example_interfaces_action_Fibonacci_Result_init(&result);
    feedback.sequence = (struct tn_seq_i32){bench->numbers, N_NUMBERS};
    result.sequence = (struct tn_seq_i32){bench->numbers, N_NUMBERS};
    bench_require(tn_ros_action_feedback(bench->server, id, &feedback) == TN_OK, "feedback");
    bench_require(tn_ros_action_succeed(bench->server, id, &result) == TN_OK, "result");
}

static int serve(struct bench *bench)
{
    struct tn_error err = {0};
    const struct tn_ros_action_server_options options = {.on_accepted = on_accepted,
                                                         .context = bench};
    require(tn_ros_action_server_create(bench->node, TYPE, "/fibonacci", &options, &bench->server,
                                        &err),
            &err);
    return tn_loop_run(bench->loop) == TN_OK ? 0 : 1;
}

static void ask(struct bench *bench);

static void on_feedback(void *context, const struct tn_ros_goal_id *id, const void *feedback)
{
    (void)id;
    (void)feedback;
    ((struct bench *)context)->n_feedback++;
}

static void on_result(void *context, const struct tn_ros_goal_id *id,
                      const struct tn_ros_goal_outcome *outcome)
{
    struct bench *bench = context;
    (void)id;
    bench_require(outcome->code == TN_OK && outcome->state == TN_ROS_GOAL_SUCCEEDED, "no result");
    if (bench_samples_add(&bench->samples, bench_now_ns() - bench->sent_ns))
        tn_loop_quit(bench->loop);
    else
        ask(bench);
}

static void ask(struct bench *bench)
{
    const struct example_interfaces_action_Fibonacci_Goal goal = {.order = N_NUMBERS};
    const struct tn_ros_action_goal_options options = {.on_feedback = on_feedback,
                                                       .on_result = on_result,
                                                       .context = bench,
                                                       .response_timeout_ns = BENCH_NS_PER_S,
                                                       .result_timeout_ns = BENCH_NS_PER_S};
    bench->sent_ns = bench_now_ns();
    bench_require(tn_ros_action_send_goal(bench->client, &goal, &options, NULL) == TN_OK, "goal");
}

static void on_poll(void *context)
{
    struct bench *bench = context;
    if (!tn_ros_action_client_is_ready(bench->client))
        return;
    tn_loop_timer_stop(&bench->timer);
    bench_sleep_until(bench_now_ns() + BENCH_SETTLE_NS);
    ask(bench);
}

static int ask_run(struct bench *bench, uint32_t n)
{
    struct tn_error err = {0};
    bench_samples_init(&bench->samples, n);
    require(
        tn_ros_action_client_create(bench->node, TYPE, "/fibonacci", NULL, &bench->client, &err),
        &err);
    tn_loop_timer_start(bench->loop, &bench->timer, 0, BENCH_NS_PER_S / 100, on_poll, bench);
    bool is_fine = tn_loop_run(bench->loop) == TN_OK;
    bench_require(bench->n_feedback > 0, "no feedback");
    return is_fine ? bench_samples_print(&bench->samples) : 1;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct tn_error err = {0};
    const struct tn_ros_node_options options = {.name = "bench"};
    const char *mode = argc > 1 ? argv[1] : "";
    int status = 2;
    require(tn_loop_create(tn_clock_system(), &bench.loop, &err), &err);
    require(tn_loop_handle_signals(bench.loop), &err);
    require(tn_ros_context_create(bench.loop, 1, (const char *const *)argv, &bench.context, &err),
            &err);
    require(tn_ros_node_create(bench.context, &options, &bench.node, &err), &err);
    for (int32_t i = 0; i < N_NUMBERS; i++)
        bench.numbers[i] = i;
    if (strcmp(mode, "serve") == 0)
        status = serve(&bench);
    else if (argc == 3 && strcmp(mode, "ask") == 0)
        status = ask_run(&bench, (uint32_t)bench_number(argv[2], 100, 10000000));
    tn_ros_node_destroy(&bench.node);
    tn_ros_context_destroy(&bench.context);
    tn_loop_destroy(&bench.loop);
    return status;
}
