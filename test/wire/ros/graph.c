// SPDX-License-Identifier: Apache-2.0
// The ROS graph as an independent program reads it: ros_discovery_info against the built-in topics,
// USER_DATA, /rosout; and who is seen at all: domains, ranges. argv[1]: the Cyclone peer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tn_msgs/rmw_dds_common.h"
#include "tn_msgs/std_srvs.h"
#include "wire/ros/harness.h"
#include "wire/ros/joints.h"

static void on_nothing(void *context, const void *message, const struct tn_ros_message_info *info)
{
    (void)context;
    (void)message;
    (void)info;
}

static void on_arm(void *context, const void *request, void *response)
{
    (void)context;
    (void)request;
    (void)response;
}

/// The gid (32 hex digits) of an endpoint line "writer <gid> <topic> <type> <user data>".
static const char *find_endpoint(const struct peer *peer, const char *kind, const char *topic)
{
    for (uint32_t i = 0; i < peer->n_lines; i++) {
        const char *line = peer->lines[i];
        size_t n = strlen(kind);
        if (strncmp(line, kind, n) == 0 && strlen(line) > n + 34 &&
            strncmp(line + n + 33, topic, strlen(topic)) == 0 &&
            line[n + 33 + strlen(topic)] == ' ')
            return line;
    }
    return NULL;
}

struct listing {
    struct peer *peer;
    const char *kind, *topic;
};

static bool is_listed(void *context)
{
    struct listing *l = context;
    return find_endpoint(l->peer, l->kind, l->topic) != NULL;
}

/// Waits for an endpoint; checks type and USER_DATA and that its node claims it.
static void expect_endpoint(struct harness *h, struct peer *peer, const char *kind,
                            const char *topic, const char *type, const char *user_data)
{
    struct listing listing = {peer, kind, topic};
    harness_wait(h, is_listed, &listing, topic);
    const char *line = find_endpoint(peer, kind, topic);
    const char *rest = line + strlen(kind) + 33 + strlen(topic) + 1;
    assert_int_equal(strncmp(rest, type, strlen(type)), 0);
    assert_non_null(strstr(rest, user_data));
    char claimed[64];
    (void)snprintf(claimed, sizeof claimed, "node_%s%.32s tester", kind, line + strlen(kind));
    harness_wait_lines(h, peer, claimed, 1);
}

static void strangers_see_node_and_endpoints(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    struct tn_error err = {0};
    struct tn_ros_publisher *publisher = NULL;
    struct tn_ros_subscription *subscription = NULL;
    struct tn_ros_service *service = NULL;
    char joints_hash[128], hash[128];
    (void)snprintf(joints_hash, sizeof joints_hash, " typehash=%s;",
                   sensor_msgs_msg_JointState_type.hash);
    harness_open(&h);
    peer_start(&h, &peer, (const char *const[]){program, "0", "graph", NULL});
    assert_int_equal(tn_ros_publisher_create(h.node, &sensor_msgs_msg_JointState_type, "~/out",
                                             tn_ros_qos_default(1), &publisher, &err),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create(h.node, &sensor_msgs_msg_JointState_type, "in",
                                                tn_ros_qos_default(1), on_nothing, NULL,
                                                &subscription, &err),
                     TN_OK);
    assert_int_equal(tn_ros_service_create(h.node, &std_srvs_srv_Trigger_type, "arm", on_arm, NULL,
                                           &service, &err),
                     TN_OK);
    static const char joints[] = "sensor_msgs::msg::dds_::JointState_ ";
    expect_endpoint(&h, &peer, "writer ", "rt/test/tester/out", joints, joints_hash);
    expect_endpoint(&h, &peer, "reader ", "rt/test/in", joints, joints_hash);
    (void)snprintf(hash, sizeof hash, ";typehash=%s;", std_srvs_srv_Trigger_Request_type.hash);
    expect_endpoint(&h, &peer, "reader ", "rq/test/armRequest",
                    "std_srvs::srv::dds_::Trigger_Request_ serviceid=", hash);
    (void)snprintf(hash, sizeof hash, ";typehash=%s;", std_srvs_srv_Trigger_Response_type.hash);
    expect_endpoint(&h, &peer, "writer ", "rr/test/armReply",
                    "std_srvs::srv::dds_::Trigger_Response_ serviceid=", hash);
    expect_endpoint(&h, &peer, "writer ", "rt/rosout", "rcl_interfaces::msg::dds_::Log_ ",
                    " typehash=RIHS01_");
    harness_wait_lines(&h, &peer, "node /test tester", 1);
    // the graph's own writer says by its hash that gids have 16 bytes
    struct listing own = {&peer, "writer ", "ros_discovery_info"};
    harness_wait(&h, is_listed, &own, "ros_discovery_info");
    (void)snprintf(hash, sizeof hash, " typehash=%s;",
                   rmw_dds_common_msg_ParticipantEntitiesInfo_type.hash);
    assert_non_null(strstr(find_endpoint(&peer, "writer ", "ros_discovery_info"), hash));

    // participant: gid of the graph message, enclave in USER_DATA
    const char *graph = peer_find(&peer, 0, "graph ");
    char participant[80];
    (void)snprintf(participant, sizeof participant, "participant %.32s enclave=/;", graph + 6);
    assert_non_null(peer_find(&peer, 0, participant));

    // an endpoint that goes is not claimed any more
    uint32_t before = peer.n_lines;
    tn_ros_publisher_destroy(&publisher);
    harness_wait_lines(&h, &peer, "graph_end", peer_count(&peer, "graph_end") + 1);
    const char *gone = find_endpoint(&peer, "writer ", "rt/test/tester/out");
    (void)snprintf(participant, sizeof participant, "node_writer %.32s", gone + 7);
    assert_null(peer_find(&peer, before, participant));
    peer_stop(&peer);
    harness_close(&h);
}

static void changes_of_one_pass_are_announced_together(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    struct tn_error err = {0};
    harness_open(&h);
    peer_start(&h, &peer, (const char *const[]){program, "0", "graph", NULL});
    harness_wait_lines(&h, &peer, "graph_end", 1);
    uint32_t before = peer_count(&peer, "graph_end");
    for (int i = 0; i < 50; i++) {
        char topic[16];
        struct tn_ros_publisher *publisher = NULL;
        (void)snprintf(topic, sizeof topic, "t%d", i);
        assert_int_equal(tn_ros_publisher_create(h.node, &sensor_msgs_msg_JointState_type, topic,
                                                 tn_ros_qos_default(1), &publisher, &err),
                         TN_OK);
    }
    // rosout, the replies of six parameter services and of the type description, the parameter
    // events, and the 50
    harness_wait_lines(&h, &peer, "graph_end", before + 1);
    uint32_t from = 0;
    for (uint32_t i = 0; i < peer.n_lines; i++)
        if (strncmp(peer.lines[i], "graph ", 6) == 0)
            from = i;
    uint32_t n = 0;
    for (uint32_t i = from; i < peer.n_lines; i++)
        n += strncmp(peer.lines[i], "node_writer ", 12) == 0;
    assert_int_equal(n, 59);
    assert_int_equal(peer_count(&peer, "graph_end"), before + 1);
    peer_stop(&peer);
    harness_close(&h);
}

static void log_lines_reach_rosout(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    harness_open(&h);
    TN_WARN(tn_ros_node_logger(h.node), "before anyone listened");
    peer_start(&h, &peer, (const char *const[]){program, "0", "log", NULL});
    harness_wait_lines(&h, &peer, "log 30 test.tester before anyone listened", 1);
    TN_ERROR(tn_ros_node_logger(h.node), "number %d", 7);
    TN_DEBUG(tn_ros_node_logger(h.node), "below the level");
    TN_INFO(tn_ros_node_logger(h.node), "last");
    harness_wait_lines(&h, &peer, "log 20 test.tester last", 1);
    assert_int_equal(peer_count(&peer, "log 40 test.tester number 7"), 1);
    assert_int_equal(peer_count(&peer, "log 10"), 0);
    peer_stop(&peer);
    harness_close(&h);
}

static void publish_until(struct harness *h, struct peer *peer, const char *prefix, uint32_t n)
{
    struct tn_error err = {0};
    struct tn_ros_publisher *publisher = NULL;
    assert_int_equal(tn_ros_publisher_create(h->node, &sensor_msgs_msg_JointState_type, "/rel",
                                             tn_ros_qos_default(10), &publisher, &err),
                     TN_OK);
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    for (int32_t k = 1; peer_count(peer, prefix) < n; k++) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        assert_int_equal(publish_joints(publisher, k), TN_OK);
        harness_run(h, 10 * TN_NS_PER_MS);
    }
}

static void domains_are_separate(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer same, other;
    assert_int_equal(setenv("ROS_DOMAIN_ID", "7", 1), 0);
    harness_open(&h);
    assert_int_equal(unsetenv("ROS_DOMAIN_ID"), 0);
    peer_start(&h, &other, (const char *const[]){program, "0", "topics", NULL});
    peer_start(&h, &same, (const char *const[]){program, "7", "topics", NULL});
    publish_until(&h, &same, "rel ", 50);
    assert_int_equal(peer_count(&other, "rel "), 0);
    peer_stop(&other);
    peer_stop(&same);
    harness_close(&h);
}

static void conflicting_qos_is_reported(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    struct tn_error err = {0};
    struct tn_ros_publisher *publisher = NULL;
    harness_open(&h);
    peer_start(&h, &peer, (const char *const[]){program, "0", "topics", NULL});
    struct peer log;
    peer_start(&h, &log, (const char *const[]){program, "0", "log", NULL});
    // the peer's reader of /rel is reliable
    assert_int_equal(tn_ros_publisher_create(h.node, &sensor_msgs_msg_JointState_type, "/rel",
                                             tn_ros_qos_sensor_data(), &publisher, &err),
                     TN_OK);
    harness_wait_lines(&h, &log, "log 30 test.tester topic /rel: subscription of ", 1);
    assert_non_null(strstr(peer_find(&log, 0, "log 30 test.tester topic"),
                           "requests RELIABILITY RELIABLE, this publisher of node /test/tester "
                           "offers BEST_EFFORT: it gets no messages"));
    assert_int_equal(tn_ros_publisher_matched(publisher), 0);
    peer_stop(&log);
    peer_stop(&peer);
    harness_close(&h);
}

/// Runs where lo cannot multicast; the peer has the configuration that rmw_cyclonedds_cpp makes.
static void localhost_range_needs_no_multicast(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    assert_int_equal(setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1), 0);
    harness_open(&h);
    assert_int_equal(setenv("CYCLONEDDS_URI",
                            "<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast>"
                            "</General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
                            "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers>"
                            "<Peer address=\"localhost\"/></Peers></Discovery></Domain>"
                            "</CycloneDDS>",
                            1),
                     0);
    peer_start(&h, &peer, (const char *const[]){program, "0", "topics", NULL});
    publish_until(&h, &peer, "rel ", 10);
    peer_stop(&peer);
    harness_close(&h);
    assert_int_equal(unsetenv("CYCLONEDDS_URI"), 0);

    // OFF: nobody is found, while a second participant of this range with the tag of nobody else is
    assert_int_equal(setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF", 1), 0);
    harness_open(&h);
    harness_close(&h);
    assert_int_equal(unsetenv("ROS_AUTOMATIC_DISCOVERY_RANGE"), 0);
}

static void bad_configuration_is_explained(void **state)
{
    (void)state;
    static const char *const argv[] = {"tester", NULL};
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    struct tn_error err = {0};
    assert_int_equal(tn_loop_create(tn_clock_system(), &loop, &err), TN_OK);
    assert_int_equal(setenv("CYCLONEDDS_URI",
                            "<CycloneDDS><Domain><General><AllowMulticast>maybe"
                            "</AllowMulticast></General></Domain></CycloneDDS>",
                            1),
                     0);
    assert_int_equal(tn_ros_context_create(loop, 1, argv, &context, &err), TN_ERR_INVALID_ARGUMENT);
    assert_null(context);
    assert_non_null(strstr(err.text, "CYCLONEDDS_URI"));
    assert_non_null(strstr(err.text, "maybe"));
    assert_int_equal(setenv("CYCLONEDDS_URI", "", 1), 0);
    assert_int_equal(setenv("ROS_DOMAIN_ID", "233", 1), 0);
    assert_int_equal(tn_ros_context_create(loop, 1, argv, &context, &err), TN_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(err.text, "ROS_DOMAIN_ID"));
    assert_int_equal(unsetenv("ROS_DOMAIN_ID"), 0);

    // after a refusal the next try is as good as the first
    assert_int_equal(tn_ros_context_create(loop, 1, argv, &context, &err), TN_OK);
    struct tn_ros_context *second = NULL;
    assert_int_equal(tn_ros_context_create(loop, 1, argv, &second, &err), TN_ERR_TRANSPORT);
    assert_null(second);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
}

int main(int argc, char **argv)
{
    char *program = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(strangers_see_node_and_endpoints, program),
        cmocka_unit_test_prestate(changes_of_one_pass_are_announced_together, program),
        cmocka_unit_test_prestate(log_lines_reach_rosout, program),
        cmocka_unit_test_prestate(domains_are_separate, program),
        cmocka_unit_test_prestate(conflicting_qos_is_reported, program),
        cmocka_unit_test_prestate(bad_configuration_is_explained, program),
    };
    const struct CMUnitTest local_tests[] = {
        cmocka_unit_test_prestate(localhost_range_needs_no_multicast, program),
    };
    if (argc > 2 && strcmp(argv[2], "localhost") == 0)
        return cmocka_run_group_tests(local_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
