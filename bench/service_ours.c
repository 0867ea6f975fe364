// SPDX-License-Identifier: Apache-2.0
// our side of service_bare.c, written as a node is written
//
//   bench_service_ours server | client N
#include <stdio.h>
#include <string.h>

#include "measure.h"
#include "ros/node.h"
#include "tn_msgs/rcl_interfaces.h"

#define TYPE (&rcl_interfaces_srv_ListParameters_type)
#define NAME "/bench/list"

struct bench {
    struct tn_loop *loop;
    struct tn_ros_client *client;
    struct tn_loop_timer timer;
    struct bench_samples samples;
    int64_t sent_ns;
};

static void on_list(void *context, const void *request, void *response)
{
    (void)context;
    const struct rcl_interfaces_srv_ListParameters_Request *q = request;
    struct rcl_interfaces_srv_ListParameters_Response *r = response;
    r->result.names = q->prefixes;
}

static void call(struct bench *bench);

static void on_response(void *context, const void *response)
{
    struct bench *bench = context;
    bench_require(response != NULL, "no response");
    if (bench_samples_add(&bench->samples, bench_now_ns() - bench->sent_ns))
        tn_loop_quit(bench->loop);
    else
        call(bench);
}

static void call(struct bench *bench)
{
    const struct tn_str prefix = tn_str_from("use_sim_time");
    struct rcl_interfaces_srv_ListParameters_Request request;
    rcl_interfaces_srv_ListParameters_Request_init(&request);
    request.prefixes = (struct tn_seq_str){&prefix, 1};
    bench->sent_ns = bench_now_ns();
    bench_require(tn_ros_call(bench->client, &request, 10 * BENCH_NS_PER_S, on_response, bench) ==
                      TN_OK,
                  "no server");
}

static void on_settled(void *context)
{
    call(context);
}

static void on_ready(void *context, bool is_ready)
{
    struct bench *bench = context;
    if (is_ready)
        tn_loop_timer_start(bench->loop, &bench->timer, BENCH_SETTLE_NS, 0, on_settled, bench);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct tn_ros_context *context = NULL;
    struct tn_ros_node *node = NULL;
    struct tn_ros_service *service = NULL;
    struct tn_error err = {0};
    const struct tn_ros_node_options options = {.name = "bench", .ns = ""};
    bench_require(argc > 1, "server | client N");
    bench_require(tn_loop_create(tn_clock_system(), &bench.loop, &err) == TN_OK &&
                      tn_ros_context_create(bench.loop, 1, (const char *const *)argv, &context,
                                            &err) == TN_OK &&
                      tn_ros_node_create(context, &options, &node, &err) == TN_OK,
                  "no node");
    if (argc > 2) {
        bench_samples_init(&bench.samples, (uint32_t)bench_number(argv[2], 1, 10000000));
        bench_require(tn_ros_client_create(node, TYPE, NAME, &bench.client, &err) == TN_OK,
                      "no client");
        tn_ros_client_on_ready(bench.client, on_ready, &bench);
    } else {
        bench_require(tn_ros_service_create(node, TYPE, NAME, on_list, NULL, &service, &err) ==
                          TN_OK,
                      "no service");
    }
    bench_require(tn_loop_run(bench.loop) == TN_OK, "the loop failed");
    const int status = argc > 2 ? bench_samples_print(&bench.samples) : 0;
    tn_ros_node_destroy(&node);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&bench.loop);
    return status;
}
