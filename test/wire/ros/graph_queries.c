// SPDX-License-Identifier: Apache-2.0
// The graph as our own programs see it: their own nodes, strangers, and strangers who go.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ros/graph.h"
#include "ros/service.h"
#include "tn_msgs/sensor_msgs.h"
#include "tn_msgs/std_srvs.h"
#include "wire/ros/harness.h"

#define SHORT_LEASE                                                                                \
    "<CycloneDDS><Domain><Discovery><LeaseDuration>1s</LeaseDuration></Discovery></Domain>"        \
    "</CycloneDDS>"

/// Asks for snapshots until one answers.
struct question {
    struct harness *h;
    bool (*is_answered)(const struct tn_ros_graph *graph, const void *context);
    const void *context;
};

static bool ask(void *user)
{
    struct question *q = user;
    struct tn_error err = {0};
    struct tn_ros_graph *graph = NULL;
    assert_int_equal(tn_ros_graph_snapshot(q->h->context, &graph, &err), TN_OK);
    bool is_answered = q->is_answered(graph, q->context);
    tn_ros_graph_free(&graph);
    return is_answered;
}

static void wait_for(struct harness *h,
                     bool (*is_answered)(const struct tn_ros_graph *, const void *),
                     const void *context, const char *what)
{
    struct question question = {h, is_answered, context};
    harness_wait(h, ask, &question, what);
}

static bool has_topic(const struct tn_ros_graph *graph, const void *name)
{
    return tn_ros_graph_find_name(graph->topics, graph->n_topics, name) != NULL;
}

static bool has_no_topic(const struct tn_ros_graph *graph, const void *name)
{
    return !has_topic(graph, name);
}

static uint32_t count_uses(const struct tn_ros_graph *graph, uint32_t node,
                           enum tn_ros_graph_role role, const char *name, const char *type)
{
    struct tn_ros_graph_use use;
    uint32_t next = 0, n = 0;
    while (tn_ros_graph_next_use(graph, node, role, &next, &use))
        n += strcmp(use.name, name) == 0 && strcmp(use.type, type) == 0;
    return n;
}

static void on_request(void *context, const void *request, void *response)
{
    (void)context;
    (void)request;
    (void)response;
}

static void on_message(void *context, const void *message, const struct tn_ros_message_info *info)
{
    (void)context;
    (void)message;
    (void)info;
}

static void make_endpoints(struct harness *h)
{
    struct tn_error err = {0};
    struct tn_ros_publisher *publisher = NULL;
    struct tn_ros_subscription *subscription = NULL;
    struct tn_ros_service *service = NULL;
    struct tn_ros_client *client = NULL;
    const struct tn_type *joints = &sensor_msgs_msg_JointState_type;
    assert_int_equal(
        tn_ros_publisher_create(h->node, joints, "out", tn_ros_qos_latched(7), &publisher, &err),
        TN_OK);
    assert_int_equal(tn_ros_subscription_create(h->node, joints, "/in", tn_ros_qos_sensor_data(),
                                                on_message, NULL, &subscription, &err),
                     TN_OK);
    assert_int_equal(tn_ros_service_create(h->node, &std_srvs_srv_Trigger_type, "serve", on_request,
                                           NULL, &service, &err),
                     TN_OK);
    assert_int_equal(
        tn_ros_client_create(h->node, &std_srvs_srv_Trigger_type, "/ask", &client, &err), TN_OK);
}

static bool is_whole(const struct tn_ros_graph *graph, const void *context)
{
    (void)context;
    uint32_t node = tn_ros_graph_find_node(graph, "/test/tester");
    const char *trigger = "std_srvs/srv/Trigger";
    return node != TN_ROS_GRAPH_NO_NODE &&
           count_uses(graph, node, TN_ROS_GRAPH_PUBLISHERS, "/test/out",
                      "sensor_msgs/msg/JointState") == 1 &&
           count_uses(graph, node, TN_ROS_GRAPH_SUBSCRIPTIONS, "/in",
                      "sensor_msgs/msg/JointState") == 1 &&
           count_uses(graph, node, TN_ROS_GRAPH_SERVERS, "/test/serve", trigger) == 1 &&
           count_uses(graph, node, TN_ROS_GRAPH_CLIENTS, "/ask", trigger) == 1;
}

static void own_nodes_are_in_it(void **state)
{
    (void)state;
    struct harness h;
    struct tn_error err = {0};
    harness_open(&h);
    make_endpoints(&h);
    wait_for(&h, is_whole, NULL, "own node with its endpoints");

    struct tn_ros_graph *graph = NULL;
    assert_int_equal(tn_ros_graph_snapshot(h.context, &graph, &err), TN_OK);
    const struct tn_ros_graph_node *node =
        &graph->nodes[tn_ros_graph_find_node(graph, "test/tester")];
    assert_true(node->is_own);
    assert_string_equal(node->enclave, "/");
    assert_int_equal(graph->n_nodes, 1);
    const struct tn_ros_graph_name *topic =
        tn_ros_graph_find_name(graph->topics, graph->n_topics, "/test/out");
    assert_int_equal(topic->n_types, 1);
    assert_string_equal(topic->hashes[0], sensor_msgs_msg_JointState_type.hash);
    assert_int_equal(topic->n_publishers, 1);
    assert_int_equal(topic->n_subscriptions, 0);
    const struct tn_ros_graph_name *service =
        tn_ros_graph_find_name(graph->services, graph->n_services, "/test/serve");
    assert_int_equal(service->n_publishers, 1);
    assert_int_equal(service->n_subscriptions, 0);

    struct tn_ros_graph_use use;
    uint32_t next = 0;
    bool is_seen = false;
    while (tn_ros_graph_next_use(graph, 0, TN_ROS_GRAPH_PUBLISHERS, &next, &use)) {
        if (strcmp(use.name, "/test/out") != 0)
            continue;
        const struct tn_ros_qos *qos = &use.endpoint->qos;
        assert_true(use.endpoint->is_history_known);
        assert_int_equal(qos->history, TN_ROS_KEEP_LAST);
        assert_int_equal(qos->depth, 7);
        assert_int_equal(qos->durability, TN_ROS_TRANSIENT_LOCAL);
        assert_int_equal(qos->lifespan_ns, 0);
        struct tn_ros_graph_node_name name;
        assert_int_equal(tn_ros_graph_node_of(h.context, use.endpoint->gid, &name), TN_OK);
        assert_string_equal(name.name, "tester");
        assert_string_equal(name.ns, "/test");
        is_seen = true;
    }
    assert_true(is_seen);

    // a snapshot outlives what it was taken of
    harness_close(&h);
    assert_string_equal(graph->nodes[0].name, "tester");
    tn_ros_graph_free(&graph);
}

struct watcher {
    struct tn_ros_graph_watch watch;
    struct watcher *victim; ///< stopped by the callback; NULL: nobody
    uint32_t n_calls;
};

static void on_change(void *user)
{
    struct watcher *watcher = user;
    watcher->n_calls++;
    if (watcher->victim != NULL)
        tn_ros_graph_watch_stop(&watcher->victim->watch);
}

static bool was_called(void *user)
{
    return ((const struct watcher *)user)->n_calls > 0;
}

static void watches_stop_each_other(void **state)
{
    (void)state;
    for (int order = 0; order < 3; order++) {
        struct harness h;
        struct tn_error err = {0};
        struct watcher watchers[3];
        memset(watchers, 0, sizeof watchers);
        harness_open(&h);
        // one that stops the other, in each order, and one that stops itself
        watchers[0].victim = &watchers[order];
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(tn_ros_graph_watch_start(h.context, &watchers[i].watch, on_change,
                                                      &watchers[i], &err),
                             TN_OK);
        harness_wait(&h, was_called, &watchers[0], "a change");
        uint32_t n_before = watchers[order].n_calls;
        watchers[0].n_calls = order == 0 ? 1 : 0;
        unsigned other = order == 1 ? 2 : 1;
        watchers[other].n_calls = 0;
        make_endpoints(&h);
        harness_wait(&h, was_called, &watchers[other], "another change");
        if (order != 0)
            assert_int_equal(watchers[order].n_calls, n_before);
        else
            assert_int_equal(watchers[0].n_calls, 1);
        for (unsigned i = 0; i < 3; i++)
            tn_ros_graph_watch_stop(&watchers[i].watch);
        harness_close(&h);
    }
}

static void strangers_come_and_go(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    harness_open(&h);
    // a killed one is gone when its lease is
    assert_int_equal(setenv("CYCLONEDDS_URI", SHORT_LEASE, 1), 0);
    for (int round = 0; round < 2; round++) {
        peer_start(&h, &peer, (const char *const[]){program, "0", "topics", NULL});
        wait_for(&h, has_topic, "/rel_back", "the stranger's topic");
        peer_stop(&peer);
        wait_for(&h, has_no_topic, "/rel_back", "the end of the stranger's topic");
    }
    assert_int_equal(unsetenv("CYCLONEDDS_URI"), 0);
    harness_close(&h);
}

int main(int argc, char **argv)
{
    char *program = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_nodes_are_in_it),
        cmocka_unit_test(watches_stop_each_other),
        cmocka_unit_test_prestate(strangers_come_and_go, program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
