// SPDX-License-Identifier: Apache-2.0
// our side of discovery_bare.c
//
//   bench_discovery_ours node NAME    a node with one publisher on /NAME; stays
//   bench_discovery_ours look N       time from the start of the context until the graph has N
//   nodes
//                                     of others and knows the topic of each
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "ros/graph.h"
#include "ros/node.h"
#include "tn_msgs/sensor_msgs.h"

static void require(enum tn_result result, const struct tn_error *err)
{
    if (result != TN_OK) {
        (void)fprintf(stderr, "bench: %s\n", err->text);
        exit(1);
    }
}

struct look {
    struct tn_ros_context *context;
    uint32_t n_wanted;
    bool is_done;
};

static void on_change(void *user)
{
    struct look *look = user;
    struct tn_ros_graph *graph = NULL;
    struct tn_ros_graph_use use;
    struct tn_error err = {0};
    uint32_t n = 0;
    require(tn_ros_graph_snapshot(look->context, &graph, &err), &err);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        for (uint32_t next = 0;
             tn_ros_graph_next_use(graph, i, TN_ROS_GRAPH_PUBLISHERS, &next, &use);)
            n += strncmp(use.name, "/bench", 6) == 0;
    tn_ros_graph_free(&graph);
    look->is_done = n >= look->n_wanted;
}

int main(int argc, char **argv)
{
    static const char *const args[] = {"bench", NULL};
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    struct tn_error err = {0};
    bench_require(argc == 3, "usage: node NAME | look N");
    require(tn_loop_create(tn_clock_system(), &loop, &err), &err);
    const int64_t start = bench_now_ns();
    require(tn_ros_context_create(loop, 1, args, &context, &err), &err);
    if (strcmp(argv[1], "look") == 0) {
        struct look look = {.context = context,
                            .n_wanted = (uint32_t)bench_number(argv[2], 1, 1000)};
        struct tn_ros_graph_watch watch = {0};
        require(tn_ros_graph_watch_start(context, &watch, on_change, &look, &err), &err);
        while (!look.is_done)
            (void)tn_loop_run_once(loop, TN_NS_PER_S);
        printf("%lld\n", (long long)(bench_now_ns() - start));
        tn_ros_graph_watch_stop(&watch);
        tn_ros_context_destroy(&context);
        tn_loop_destroy(&loop);
        return 0;
    }
    struct tn_ros_node *node = NULL;
    struct tn_ros_publisher *publisher = NULL;
    struct tn_ros_node_options options = {.name = argv[2]};
    require(tn_ros_node_create(context, &options, &node, &err), &err);
    require(tn_ros_publisher_create(node, &sensor_msgs_msg_JointState_type, argv[2],
                                    tn_ros_qos_default(1), &publisher, &err),
            &err);
    for (;;)
        (void)tn_loop_run_once(loop, TN_NS_PER_S);
}
