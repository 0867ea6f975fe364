// SPDX-License-Identifier: Apache-2.0
// One node on one host: publishes its name, and says whom it sees, loses and hears.
//
// usage: test.ros_discovery_host NAME
// lines: ready | sees /NAME | lost /NAME | heard NAME (every tenth message)
#include <stdio.h>
#include <string.h>

#include "ros/graph.h"
#include "ros/node.h"
#include "tn_msgs/sensor_msgs.h"

#define SEEN_MAX  8
#define FQN_MAX   (2 * TN_ROS_NAME_MAX + 1)
#define PERIOD_NS (20 * TN_NS_PER_MS)

struct host {
    struct tn_ros_context *context;
    struct tn_ros_publisher *publisher;
    const char *name;
    uint32_t n_heard;
    uint32_t n_seen;
    char seen[SEEN_MAX][FQN_MAX];
};

static bool is_seen(const struct host *host, const char *name)
{
    for (uint32_t i = 0; i < host->n_seen; i++)
        if (strcmp(host->seen[i], name) == 0)
            return true;
    return false;
}

static void look(struct host *host, const struct tn_ros_graph *graph)
{
    for (uint32_t i = host->n_seen; i-- > 0;) {
        if (tn_ros_graph_find_node(graph, host->seen[i]) != TN_ROS_GRAPH_NO_NODE)
            continue;
        printf("lost %s\n", host->seen[i]);
        host->n_seen--;
        memmove(host->seen[i], host->seen[host->n_seen], sizeof host->seen[i]);
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct tn_ros_graph_node *node = &graph->nodes[i];
        char fqn[FQN_MAX];
        (void)snprintf(fqn, sizeof fqn, "%s/%s", node->ns[1] == '\0' ? "" : node->ns, node->name);
        if (node->is_own || is_seen(host, fqn) || host->n_seen == SEEN_MAX)
            continue;
        printf("sees %s\n", fqn);
        memcpy(host->seen[host->n_seen++], fqn, sizeof fqn);
    }
}

static void on_graph(void *user)
{
    struct host *host = user;
    struct tn_ros_graph *graph = NULL;
    if (tn_ros_graph_snapshot(host->context, &graph, NULL) != TN_OK)
        return;
    look(host, graph);
    tn_ros_graph_free(&graph);
}

static void on_message(void *user, const void *message, const struct tn_ros_message_info *info)
{
    struct host *host = user;
    const struct sensor_msgs_msg_JointState *joints = message;
    (void)info;
    if (++host->n_heard % 10 == 0)
        printf("heard %.*s\n", (int)joints->header.frame_id.size, joints->header.frame_id.data);
}

static void on_timer(void *user)
{
    struct host *host = user;
    struct sensor_msgs_msg_JointState message = {0};
    message.header.frame_id.data = host->name;
    message.header.frame_id.size = (uint32_t)strlen(host->name);
    (void)tn_ros_publish(host->publisher, &message);
}

static enum tn_result open_node(struct host *host, struct tn_loop *loop, struct tn_error *err)
{
    static const char *const argv[] = {"host", NULL};
    struct tn_ros_node *node = NULL;
    struct tn_ros_subscription *subscription = NULL;
    struct tn_ros_node_options options = {.name = host->name};
    char other[TN_ROS_NAME_MAX];
    enum tn_result result = tn_ros_context_create(loop, 1, argv, &host->context, err);
    if (result == TN_OK)
        result = tn_ros_node_create(host->context, &options, &node, err);
    // each hears the other only: "a" speaks on /a
    (void)snprintf(other, sizeof other, "/%s", strcmp(host->name, "a") == 0 ? "b" : "a");
    if (result == TN_OK)
        result = tn_ros_publisher_create(node, &sensor_msgs_msg_JointState_type, host->name,
                                         tn_ros_qos_default(1), &host->publisher, err);
    if (result == TN_OK)
        result =
            tn_ros_subscription_create(node, &sensor_msgs_msg_JointState_type, other,
                                       tn_ros_qos_default(1), on_message, host, &subscription, err);
    return result;
}

int main(int argc, char **argv)
{
    struct host host = {.name = argc > 1 ? argv[1] : "host"};
    struct tn_ros_graph_watch watch = {0};
    struct tn_loop_timer timer = {0};
    struct tn_loop *loop = NULL;
    struct tn_error err = {0};
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (tn_loop_create(tn_clock_system(), &loop, &err) != TN_OK ||
        open_node(&host, loop, &err) != TN_OK ||
        tn_ros_graph_watch_start(host.context, &watch, on_graph, &host, &err) != TN_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    tn_loop_timer_start(loop, &timer, 0, PERIOD_NS, on_timer, &host);
    printf("ready\n");
    for (;;)
        (void)tn_loop_run_once(loop, TN_NS_PER_S);
}
