// SPDX-License-Identifier: Apache-2.0
// Two drivers in one process, each with its namespace, port and DivingStation: nothing mixes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/udp.h"
#include "glove/contact/contact_codec.h"
#include "nodes/contact_glove.h"
#include "ros/node.h"
#include "tn_msgs/contact_glove_msgs.h"

#define DEADLINE_NS (60 * TN_NS_PER_S)
#define WANTED      20

/// One of the two ways through the process.
struct way {
    const char *glove, *id, *frame_id;
    uint16_t receive_port, ds_port;
    int ds;
    uint32_t n, n_wrong;
};

static void on_ergonomics(void *context, const void *message,
                          const struct tn_ros_message_info *info)
{
    struct way *way = context;
    const struct contact_glove_msgs_msg_Ergonomics *msg = message;
    (void)info;
    way->n++;
    if (!tn_str_is(msg->id, way->id) || !tn_str_is(msg->header.frame_id, way->frame_id))
        way->n_wrong++;
}

static void send_hand(const struct way *way)
{
    struct tn_contact_message message = {.kind = TN_CONTACT_ERGONOMICS};
    struct sockaddr_in to;
    struct tn_error err = {0};
    uint8_t bytes[TN_CONTACT_MESSAGE_BYTES];
    size_t size = 0;
    message.body.ergonomics.is_left = true;
    (void)snprintf(message.body.ergonomics.id, sizeof message.body.ergonomics.id, "%s", way->glove);
    assert_int_equal(
        tn_contact_encode(tn_contact_dialect_v1(), &message, bytes, sizeof bytes, &size), TN_OK);
    assert_int_equal(tn_udp_address("127.0.0.1", way->receive_port, &to, &err), TN_OK);
    assert_int_equal(tn_udp_send(way->ds, &to, bytes, size), TN_OK);
}

static void nothing_mixes(void **state)
{
    (void)state;
    static const char *const argv[] = {"test", "--ros-args",
                                       "-p",   "driver_a:receive_port:=26001",
                                       "-p",   "driver_a:namespace:=real",
                                       "-p",   "driver_b:receive_port:=26002",
                                       "-p",   "driver_b:ds_port_v1:=26790",
                                       "-p",   "driver_b:namespace:=/demo/",
                                       NULL};
    static const struct tn_node_contact_glove_options options[] = {
        {.name = "driver_a", .ns = "real"}, {.name = "driver_b", .ns = "demo"}};
    static const char *const topics[] = {"/real/left/ergonomics", "/demo/left/ergonomics"};
    struct way ways[] = {
        {.glove = "A",
         .id = "A_left",
         .frame_id = "ds2/real/A_left/wrist",
         .receive_port = 26001,
         .ds_port = 25790},
        {.glove = "B",
         .id = "B_left",
         .frame_id = "ds2/demo/B_left/wrist",
         .receive_port = 26002,
         .ds_port = 26790},
    };
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    struct tn_ros_node *judge = NULL;
    struct tn_node_contact_glove *nodes[2] = {NULL, NULL};
    struct tn_ros_subscription *subscription = NULL;
    struct tn_error err = {0};
    const struct tn_ros_node_options judge_options = {.name = "judge"};
    assert_int_equal(tn_loop_create(tn_clock_system(), &loop, &err), TN_OK);
    assert_int_equal(
        tn_ros_context_create(loop, (int)TN_ARRAY_SIZE(argv) - 1, argv, &context, &err), TN_OK);
    assert_int_equal(tn_ros_node_create(context, &judge_options, &judge, &err), TN_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tn_udp_open("0.0.0.0", ways[i].ds_port, "test", &ways[i].ds, &err), TN_OK);
        if (tn_node_contact_glove_create(context, &options[i], &nodes[i], &err) != TN_OK)
            fail_msg("%s", err.text);
        assert_int_equal(tn_ros_subscription_create(judge, &contact_glove_msgs_msg_Ergonomics_type,
                                                    topics[i], tn_ros_qos_sensor_data(),
                                                    on_ergonomics, &ways[i], &subscription, &err),
                         TN_OK);
    }
    int64_t until = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (ways[0].n < WANTED || ways[1].n < WANTED) {
        assert_true(tn_clock_steady_now_ns() < until);
        send_hand(&ways[0]);
        send_hand(&ways[1]);
        (void)tn_loop_run_once(loop, 10 * TN_NS_PER_MS);
    }
    // one may go while the other stays
    tn_node_contact_glove_destroy(&nodes[0]);
    assert_null(nodes[0]);
    ways[1].n = 0;
    while (ways[1].n < WANTED) {
        assert_true(tn_clock_steady_now_ns() < until);
        send_hand(&ways[1]);
        (void)tn_loop_run_once(loop, 10 * TN_NS_PER_MS);
    }
    assert_int_equal(ways[0].n_wrong + ways[1].n_wrong, 0);
    tn_node_contact_glove_destroy(&nodes[1]);
    tn_ros_node_destroy(&judge);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
    (void)close(ways[0].ds);
    (void)close(ways[1].ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_mixes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
