// SPDX-License-Identifier: Apache-2.0
// our side of what bare.c does, written as a node is written
//
//   bench_ours pub HZ N | sub N | idle | first
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "ros/node.h"
#include "tn_msgs/sensor_msgs.h"

#define TYPE  (&sensor_msgs_msg_JointState_type)
#define TOPIC "/bench/hop9/side0"

struct bench {
    struct tn_loop *loop;
    struct tn_ros_context *context;
    struct tn_ros_node *node;
    struct tn_ros_publisher *publisher;
    struct tn_ros_subscription *subscription;
    struct tn_loop_timer timer;
    char names[BENCH_N_NAMES][BENCH_NAME_MAX];
    struct tn_str name_list[BENCH_N_NAMES];
    double values[BENCH_N_NAMES];
    struct sensor_msgs_msg_JointState message;
    struct bench_samples samples;
    int64_t n_left, period_ns;
    uint32_t n_at_last_look;
};

static void require(enum tn_result result, const struct tn_error *err)
{
    if (result != TN_OK) {
        char text[TN_ERROR_TEXT_MAX + TN_ERROR_FILE_MAX + 32];
        (void)fprintf(stderr, "bench: %s\n", tn_error_format(err, text, sizeof text));
        exit(1);
    }
}

static void message_init(struct bench *bench)
{
    bench_names(bench->names);
    for (unsigned i = 0; i < BENCH_N_NAMES; i++) {
        bench->name_list[i] = tn_str_from(bench->names[i]);
        bench->values[i] = 0.01 * i;
    }
    sensor_msgs_msg_JointState_init(&bench->message);
    bench->message.header.frame_id = tn_str_from("wrist");
    bench->message.name = (struct tn_seq_str){bench->name_list, BENCH_N_NAMES};
    const struct tn_seq_f64 values = {bench->values, BENCH_N_NAMES};
    bench->message.position = values;
    bench->message.velocity = values;
    bench->message.effort = values;
}

static void publish(struct bench *bench)
{
    const int64_t now = bench_now_ns();
    bench->message.header.stamp.sec = (int32_t)(now / BENCH_NS_PER_S);
    bench->message.header.stamp.nanosec = (uint32_t)(now % BENCH_NS_PER_S);
    bench_require(tn_ros_publish(bench->publisher, &bench->message) == TN_OK, "publish failed");
}

static void on_message(void *context, const void *received, const struct tn_ros_message_info *info)
{
    (void)info;
    struct bench *bench = context;
    const struct sensor_msgs_msg_JointState *message = received;
    const int64_t now = bench_now_ns();
    const int64_t sent = (int64_t)message->header.stamp.sec * BENCH_NS_PER_S +
                         (int64_t)message->header.stamp.nanosec;
    if (bench_samples_add(&bench->samples, now - sent)) {
        tn_loop_quit(bench->loop);
    }
}

static void begin(struct bench *bench, char **argv)
{
    struct tn_error err = {0};
    const struct tn_ros_node_options options = {.name = "bench", .ns = ""};
    message_init(bench);
    require(tn_loop_create(tn_clock_system(), &bench->loop, &err), &err);
    require(tn_ros_context_create(bench->loop, 1, (const char *const *)argv, &bench->context, &err),
            &err);
    require(tn_ros_node_create(bench->context, &options, &bench->node, &err), &err);
}

static void end(struct bench *bench)
{
    tn_loop_timer_stop(&bench->timer);
    tn_ros_node_destroy(&bench->node);
    tn_ros_context_destroy(&bench->context);
    tn_loop_destroy(&bench->loop);
}

static void add_publisher(struct bench *bench)
{
    struct tn_error err = {0};
    require(tn_ros_publisher_create(bench->node, TYPE, TOPIC, tn_ros_qos_default(10),
                                    &bench->publisher, &err),
            &err);
}

static void add_subscription(struct bench *bench)
{
    struct tn_error err = {0};
    require(tn_ros_subscription_create(bench->node, TYPE, TOPIC, tn_ros_qos_default(10), on_message,
                                       bench, &bench->subscription, &err),
            &err);
}

static void on_end(void *context)
{
    tn_loop_quit(((struct bench *)context)->loop);
}

static void on_tick(void *context)
{
    struct bench *bench = context;
    publish(bench);
    if (--bench->n_left == 0) {
        tn_loop_timer_start(bench->loop, &bench->timer, BENCH_NS_PER_S / 5, 0, on_end, bench);
    }
}

static void on_match_poll(void *context)
{
    struct bench *bench = context;
    if (tn_ros_publisher_matched(bench->publisher) > 0) {
        tn_loop_timer_start(bench->loop, &bench->timer, BENCH_SETTLE_NS, bench->period_ns, on_tick,
                            bench);
    }
}

static int publish_run(struct bench *bench, int64_t hz, int64_t n)
{
    bench->period_ns = BENCH_NS_PER_S / hz;
    bench->n_left = n;
    add_publisher(bench);
    tn_loop_timer_start(bench->loop, &bench->timer, 0, BENCH_NS_PER_S / 100, on_match_poll, bench);
    return tn_loop_run(bench->loop) == TN_OK ? 0 : 1;
}

// nothing for a while after something: the publisher has ended
static void on_look(void *context)
{
    struct bench *bench = context;
    if (bench->samples.n > 0 && bench->samples.n == bench->n_at_last_look) {
        tn_loop_quit(bench->loop);
    }
    bench->n_at_last_look = bench->samples.n;
}

static int subscribe_run(struct bench *bench, uint32_t n)
{
    bench_samples_init(&bench->samples, n);
    add_subscription(bench);
    tn_loop_timer_start(bench->loop, &bench->timer, 2 * BENCH_NS_PER_S, 2 * BENCH_NS_PER_S, on_look,
                        bench);
    return tn_loop_run(bench->loop) == TN_OK ? bench_samples_print(&bench->samples) : 1;
}

static int idle_run(struct bench *bench)
{
    bench_samples_init(&bench->samples, 100);
    add_subscription(bench);
    add_publisher(bench);
    for (unsigned i = 0; i < 200; i++) {
        const int64_t until = bench_now_ns() + BENCH_NS_PER_S / 100;
        publish(bench);
        while (bench_now_ns() < until) {
            (void)tn_loop_run_once(bench->loop, until - bench_now_ns());
        }
    }
    return bench_rss_print();
}

static int first_run(struct bench *bench)
{
    add_publisher(bench);
    publish(bench);
    return bench_start_print(bench_now_ns());
}

int main(int argc, char **argv)
{
    static struct bench bench;
    const char *mode = argc > 1 ? argv[1] : "";
    int status = 2;
    begin(&bench, argv);
    if (argc == 4 && strcmp(mode, "pub") == 0) {
        status = publish_run(&bench, bench_number(argv[2], 1, 1000000),
                             bench_number(argv[3], 1, 10000000));
    } else if (argc == 3 && strcmp(mode, "sub") == 0) {
        status = subscribe_run(&bench, (uint32_t)bench_number(argv[2], 100, 10000000));
    } else if (strcmp(mode, "idle") == 0) {
        status = idle_run(&bench);
    } else if (strcmp(mode, "first") == 0) {
        status = first_run(&bench);
    } else {
        (void)fprintf(stderr, "usage: see the head of bench/ours.c\n");
    }
    end(&bench);
    return status;
}
