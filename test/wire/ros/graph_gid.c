// SPDX-License-Identifier: Apache-2.0
// Humble's 24-byte gids and the 16 bytes of later ones, against peers that do as rmw_fastrtps_cpp
// does on either, and against one that sends nonsense.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ros/graph.h"
#include "wire/ros/harness.h"

static const char ours[] = "node /test tester ";

static void open_with(struct harness *h, const char *name, const char *value)
{
    assert_int_equal(setenv(name, value, 1), 0);
    harness_open(h);
    assert_int_equal(unsetenv(name), 0);
}

/// A peer of 24-byte gids reads lengths out of what is not: it must be alive and have seen us.
static void assert_lives(const struct peer *peer)
{
    assert_int_equal(peer_count(peer, "died"), 0);
}

struct wanted {
    struct harness *h;
    const char *name;
};

static bool lists_node(void *context)
{
    struct wanted *w = context;
    struct tn_error err = {0};
    struct tn_ros_graph *graph = NULL;
    assert_int_equal(tn_ros_graph_snapshot(w->h->context, &graph, &err), TN_OK);
    uint32_t node = tn_ros_graph_find_node(graph, w->name);
    struct tn_ros_graph_use use;
    uint32_t next = 0;
    bool is_whole = node != TN_ROS_GRAPH_NO_NODE &&
                    tn_ros_graph_next_use(graph, node, TN_ROS_GRAPH_PUBLISHERS, &next, &use);
    if (is_whole) {
        assert_string_equal(use.name, "/peer_topic");
        assert_string_equal(use.type, "std_msgs/msg/String");
        // Fast DDS does not send it
        assert_false(use.endpoint->is_history_known);
        assert_int_equal(use.endpoint->qos.durability, TN_ROS_TRANSIENT_LOCAL);
        assert_string_equal(graph->nodes[node].enclave, "/peer");
    }
    tn_ros_graph_free(&graph);
    return is_whole;
}

static bool lists_no_node(void *context)
{
    return !lists_node(context);
}

static void wait_for_node(struct harness *h, const char *name)
{
    struct wanted wanted = {h, name};
    harness_wait(h, lists_node, &wanted, name);
}

/// Nothing is set: whoever is there is found out.
static void peers_are_recognised(void **state)
{
    const char *program = *state;
    static const char *const sizes[] = {"24", "16"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(sizes); i++) {
        struct harness h;
        struct peer peer;
        harness_open(&h);
        peer_start(&h, &peer, (const char *const[]){program, "0", sizes[i], "there", NULL});
        harness_wait_lines(&h, &peer, ours, 1);
        wait_for_node(&h, "/peer/there");
        assert_lives(&peer);
        peer_stop(&peer);
        struct wanted wanted = {&h, "/peer/there"};
        harness_wait(&h, lists_no_node, &wanted, "the end of the peer");
        harness_close(&h);
    }
}

/// Comes when 16 bytes have been decided for want of anybody: at the latest its second start reads
/// what it can.
static void a_late_humble_is_served(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    harness_open(&h);
    // longer than anybody is looked for
    harness_run(&h, 1500 * TN_NS_PER_MS);
    peer_start(&h, &peer, (const char *const[]){program, "0", "24", "late", NULL});
    struct wanted wanted = {&h, "/peer/late"};
    harness_wait(&h, lists_node, &wanted, "the late peer");
    peer_stop(&peer);
    peer_start(&h, &peer, (const char *const[]){program, "0", "24", "later", NULL});
    harness_wait_lines(&h, &peer, ours, 1);
    assert_lives(&peer);
    peer_stop(&peer);
    harness_close(&h);
}

/// Whoever is there already may be told at once.
static void the_variable_decides(void **state)
{
    const char *program = *state;
    static const struct {
        const char *name, *value, *size;
    } cases[] = {
        {"ROS_DISTRO", "humble", "24"},
        {"TENDON_GID_SIZE", "24", "24"},
        {"ROS_DISTRO", "jazzy", "16"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct harness h;
        struct peer peer;
        open_with(&h, cases[i].name, cases[i].value);
        peer_start(&h, &peer, (const char *const[]){program, "0", cases[i].size, "told", NULL});
        harness_wait_lines(&h, &peer, ours, 1);
        assert_lives(&peer);
        peer_stop(&peer);
        harness_close(&h);
    }
}

/// The judge must be able to find us guilty: 16 bytes are Humble's death.
static void the_wrong_size_kills_humble(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    open_with(&h, "TENDON_GID_SIZE", "16");
    peer_start(&h, &peer, (const char *const[]){program, "0", "24", "victim", NULL});
    harness_wait_lines(&h, &peer, "died", 1);
    peer_stop(&peer);
    harness_close(&h);
}

/// Later ones read no nodes out of 24 bytes, and live.
static void the_larger_size_is_harmless(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    open_with(&h, "TENDON_GID_SIZE", "24");
    peer_start(&h, &peer, (const char *const[]){program, "0", "16", "later", NULL});
    // its own and ours
    harness_wait_lines(&h, &peer, "graph_end", 2);
    assert_lives(&peer);
    assert_int_equal(peer_count(&peer, "node /peer later "), 1);
    assert_int_equal(peer_count(&peer, "node "), 1);
    peer_stop(&peer);
    harness_close(&h);
}

static void nonsense_is_left_out(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer bad, good;
    struct tn_error err = {0};
    harness_open(&h);
    assert_int_equal(tn_ros_graph_start(h.context, &err), TN_OK);
    peer_start(&h, &bad, (const char *const[]){program, "0", "16", "bad", "hostile", NULL});
    peer_start(&h, &good, (const char *const[]){program, "0", "16", "good", "deaf", NULL});
    wait_for_node(&h, "/peer/good");
    uint64_t n_left_out = 0;
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    while (n_left_out < 50) {
        struct tn_ros_graph *graph = NULL;
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        harness_run(&h, 20 * TN_NS_PER_MS);
        assert_int_equal(tn_ros_graph_snapshot(h.context, &graph, &err), TN_OK);
        assert_int_equal(tn_ros_graph_find_node(graph, "/peer/bad"), TN_ROS_GRAPH_NO_NODE);
        n_left_out = graph->n_left_out;
        tn_ros_graph_free(&graph);
    }
    wait_for_node(&h, "/peer/good");
    peer_stop(&good);
    peer_stop(&bad);
    harness_close(&h);
}

int main(int argc, char **argv)
{
    char *program = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(peers_are_recognised, program),
        cmocka_unit_test_prestate(a_late_humble_is_served, program),
        cmocka_unit_test_prestate(the_variable_decides, program),
        cmocka_unit_test_prestate(the_wrong_size_kills_humble, program),
        cmocka_unit_test_prestate(the_larger_size_is_harmless, program),
        cmocka_unit_test_prestate(nonsense_is_left_out, program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
