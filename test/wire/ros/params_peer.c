// SPDX-License-Identifier: Apache-2.0
// Parameters against a stranger, both ways: argv[1] is the peer program.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ros/param_client.h"
#include "wire/ros/harness.h"
#include "wire/ros/param_table.h"

#define TIMEOUT_NS (20 * TN_NS_PER_S)

static void expect_line(const struct peer *peer, const char *line)
{
    for (uint32_t i = 0; i < peer->n_lines; i++)
        if (strcmp(peer->lines[i], line) == 0)
            return;
    for (uint32_t i = 0; i < peer->n_lines; i++)
        print_message("%s\n", peer->lines[i]);
    fail_msg("the peer never said \"%s\"", line);
}

static void a_stranger_asks_all_six_services(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    struct table_config config = {0};
    struct tn_ros_node *node = NULL;
    struct tn_error err = {0};
    harness_open(&h);
    struct tn_ros_node_options options = {.name = "dut", .ns = "/ns", .params = table_set(&config)};
    assert_int_equal(tn_ros_node_create(h.context, &options, &node, &err), TN_OK);
    peer_start(&h, &peer, (const char *const[]){program, "0", "client", "/ns/dut", NULL});
    harness_wait_lines(&h, &peer, "bye", 1);
    static const char *const expected[] = {
        "list count fixed flags gains ids limits.joint.speed limits.name mode on rate raw "
        "start_type_description_service use_sim_time words",
        "list limits.name",
        "get 1:0 2:4 3:120 4:hold 8:1,2, 7: 9:a,1, 6:1,0, 5:1,255,",
        // as rclcpp: one unknown name, and nothing is answered
        "get",
        "types 1 2 3 4 8 7 9 6 5",
        "describe rate 3 'Rate.' 'unit: Hz' 00 0.5..1000",
        "describe count 2 'Count.' '' 00 0..11/2",
        "describe fixed 2 'Fixed.' '' 10",
        // refused as a whole, then one by one
        "atomic 0 Parameter {mode} is \"shut\"; allowed are hold|open|limp.",
        "set 1 ",
        "set 0 Parameter {mode} is \"shut\"; allowed are hold|open|limp.",
        "get 3:44.5 4:hold",
        "atomic 1 ",
        "get 3:44.5 4:limp",
        "event /ns/dut rate=3:44.5",
        "event /ns/dut rate=3:33.5 mode=4:limp",
        "event /ns/dut mode=4:limp",
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(expected); i++)
        expect_line(&peer, expected[i]);
    assert_int_equal(peer_count(&peer, "set 1"), 3);
    assert_string_equal(config.mode, "limp");
    peer_stop(&peer);
    tn_ros_node_destroy(&node);
    harness_close(&h);
}

struct asker {
    struct tn_ros_param_client *client;
    bool is_done;
    char text[2048];
};

static bool is_ready(void *context)
{
    return tn_ros_param_client_is_ready(((struct asker *)context)->client);
}

static bool is_done(void *context)
{
    return ((struct asker *)context)->is_done;
}

static void on_dump(void *context, const char *yaml, size_t size, enum tn_result result)
{
    struct asker *a = context;
    assert_int_equal(result, TN_OK);
    (void)snprintf(a->text, sizeof a->text, "%.*s", (int)size, yaml);
    a->is_done = true;
}

static void on_types(void *context, const void *response)
{
    struct asker *a = context;
    const struct rcl_interfaces_srv_GetParameterTypes_Response *r = response;
    assert_non_null(r);
    (void)snprintf(a->text, sizeof a->text, "%u: %u %u", r->types.size, r->types.data[0],
                   r->types.data[1]);
    a->is_done = true;
}

static void on_set(void *context, const void *response)
{
    struct asker *a = context;
    const struct rcl_interfaces_srv_SetParameters_Response *r = response;
    assert_non_null(r);
    assert_int_equal(r->results.size, 2);
    (void)snprintf(a->text, sizeof a->text, "%d%d %s", r->results.data[0].successful,
                   r->results.data[1].successful, r->results.data[1].reason.data);
    a->is_done = true;
}

static void on_atomic(void *context, const void *response)
{
    struct asker *a = context;
    const struct rcl_interfaces_srv_SetParametersAtomically_Response *r = response;
    assert_non_null(r);
    (void)snprintf(a->text, sizeof a->text, "%d %s", r->result.successful, r->result.reason.data);
    a->is_done = true;
}

static void on_describe(void *context, const void *response)
{
    struct asker *a = context;
    const struct rcl_interfaces_srv_DescribeParameters_Response *r = response;
    assert_non_null(r);
    const struct rcl_interfaces_msg_ParameterDescriptor *d = &r->descriptors.data[0];
    (void)snprintf(a->text, sizeof a->text, "%s %u %s %d %g", d->name.data, d->type,
                   d->description.data, d->read_only, d->floating_point_range.data[0].step);
    a->is_done = true;
}

static void wait_answer(struct harness *h, struct asker *a, enum tn_result sent, const char *text)
{
    assert_int_equal(sent, TN_OK);
    harness_wait(h, is_done, a, "an answer");
    assert_string_equal(a->text, text);
    a->is_done = false;
}

static void a_strangers_six_services_are_asked(void **state)
{
    const char *program = *state;
    struct harness h;
    struct peer peer;
    struct asker a = {.is_done = false};
    struct tn_error err = {0};
    struct tn_str names[] = {tn_str_from("speed"), tn_str_from("name")};
    struct rcl_interfaces_msg_Parameter params[] = {
        {names[0], {.type = TN_ROS_PARAM_DOUBLE, .double_value = 2.25}},
        {names[1], {.type = TN_ROS_PARAM_STRING, .string_value = tn_str_from("eve")}}};
    harness_open(&h);
    assert_int_equal(tn_ros_param_client_create(h.node, "/ns/dut", &a.client, &err), TN_OK);
    peer_start(&h, &peer, (const char *const[]){program, "0", "server", "/ns/dut", NULL});
    harness_wait(&h, is_ready, &a, "the six services are matched");
    wait_answer(&h, &a, tn_ros_param_client_dump(a.client, TIMEOUT_NS, on_dump, &a),
                "/ns/dut:\n  ros__parameters:\n    name: bob\n    speed: 1.5\n");
    struct rcl_interfaces_srv_GetParameterTypes_Request types = {.names = {names, 2}};
    wait_answer(&h, &a, tn_ros_param_client_get_types(a.client, &types, TIMEOUT_NS, on_types, &a),
                "2: 3 4");
    struct rcl_interfaces_srv_SetParameters_Request set = {.parameters = {params, 2}};
    wait_answer(&h, &a, tn_ros_param_client_set(a.client, &set, TIMEOUT_NS, on_set, &a),
                "10 never");
    struct rcl_interfaces_srv_SetParametersAtomically_Request atomic = {.parameters = {params, 2}};
    wait_answer(&h, &a,
                tn_ros_param_client_set_atomically(a.client, &atomic, TIMEOUT_NS, on_atomic, &a),
                "0 not all");
    struct rcl_interfaces_srv_DescribeParameters_Request describe = {.names = {names, 1}};
    wait_answer(&h, &a,
                tn_ros_param_client_describe(a.client, &describe, TIMEOUT_NS, on_describe, &a),
                "speed 3 how fast 1 0.25");
    expect_line(&peer, "asked to set speed 3:2.25");
    expect_line(&peer, "asked to set name 4:eve");
    peer_stop(&peer);
    tn_ros_param_client_destroy(&a.client);
    harness_close(&h);
}

int main(int argc, char **argv)
{
    char *program = argc > 1 ? argv[1] : "";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_stranger_asks_all_six_services, program),
        cmocka_unit_test_prestate(a_strangers_six_services_are_asked, program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
