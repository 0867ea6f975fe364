// SPDX-License-Identifier: Apache-2.0
// two adapters in one process, each with a driver of its own: neither hears the other's glove
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nodes/convert/hand_frame.h"
#include "nodes/hand_model_adapter.h"
#include "tn_msgs/contact_glove_msgs.h"

enum { DEADLINE_S = 60, WANTED = 20 };

// one namespace: its driver's writer and what its adapter made of it
struct way {
    const char *glove;
    float degrees;
    uint64_t last_ms;
    uint32_t n_frames, n_wrong;
    struct tn_ros_publisher *publisher;
    struct tn_ros_subscription *subscription;
};

static void on_hand(void *any, const void *message, const struct tn_ros_message_info *info)
{
    struct way *way = any;
    (void)info;
    struct tn_hand_frame frame;
    double expected_rad = (double)way->degrees * 3.14159265358979323846 / 180.0;
    bool is_right = tn_convert_hand_frame_from_msg(message, &frame) == TN_OK &&
                    strcmp(frame.device_id, way->glove) == 0 && frame.side == TN_SIDE_LEFT &&
                    fabs(frame.angles[TN_ANGLE_MIDDLE_PIP] - expected_rad) < 1e-9;
    way->n_frames++;
    way->n_wrong += is_right ? 0 : 1;
}

static void on_tick(void *any)
{
    struct way *way = any;
    struct contact_glove_msgs_msg_Ergonomics msg;
    uint64_t now_ms = (uint64_t)(tn_clock_wall_now_ns() / TN_NS_PER_MS);
    contact_glove_msgs_msg_Ergonomics_init(&msg);
    way->last_ms = now_ms > way->last_ms ? now_ms : way->last_ms + 1;
    msg.generated_at_ms = way->last_ms;
    msg.id = tn_str_from(way->glove);
    msg.is_left = true;
    msg.middle.pip = way->degrees;
    assert_int_equal(tn_ros_publish(way->publisher, &msg), TN_OK);
}

static void open_way(struct tn_ros_node *node, const char *ns, struct way *way)
{
    char topic[TN_ROS_NAME_MAX];
    struct tn_error err = {0};
    snprintf(topic, sizeof topic, "%s/left/ergonomics", ns);
    enum tn_result result =
        tn_ros_publisher_create(node, &contact_glove_msgs_msg_Ergonomics_type, topic,
                                tn_ros_qos_sensor_data(), &way->publisher, &err);
    if (result == TN_OK) {
        snprintf(topic, sizeof topic, "%s/left/hand", ns);
        result = tn_ros_subscription_create(node, &tendon_msgs_msg_HandFrame_type, topic,
                                            tn_ros_qos_sensor_data(), on_hand, way,
                                            &way->subscription, &err);
    }
    if (result != TN_OK) {
        fail_msg("%s: %s", topic, err.text);
    }
}

static void two_adapters_share_a_process(void **state)
{
    (void)state;
    const char *const argv[] = {"test", "--ros-args",
                                "-p",   "one:input_namespace:=/one",
                                "-p",   "two:input_namespace:=/two/",
                                "-p",   "two:sides:=[left]",
                                "-p",   "one:publish_node_tf:=false"};
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    struct tn_ros_node *node = NULL;
    struct tn_node_hand_model_adapter *adapters[2] = {NULL, NULL};
    struct tn_error err = {0};
    const struct tn_ros_node_options options = {.name = "drivers", .ns = ""};
    assert_int_equal(tn_loop_create(tn_clock_system(), &loop, &err), TN_OK);
    if (tn_ros_context_create(loop, (int)TN_ARRAY_SIZE(argv), argv, &context, &err) != TN_OK ||
        tn_ros_node_create(context, &options, &node, &err) != TN_OK) {
        fail_msg("%s", err.text);
    }
    const char *const names[] = {"one", "two"};
    for (size_t i = 0; i < 2; i++) {
        const struct tn_node_hand_model_adapter_options adapter = {.name = names[i]};
        if (tn_node_hand_model_adapter_create(context, &adapter, &adapters[i], &err) != TN_OK) {
            fail_msg("%s: %s", names[i], err.text);
        }
    }
    struct way ways[2] = {{.glove = "g1", .degrees = 20.0f}, {.glove = "g2", .degrees = 70.0f}};
    struct tn_loop_timer ticks[2];
    memset(ticks, 0, sizeof ticks);
    for (size_t i = 0; i < 2; i++) {
        open_way(node, i == 0 ? "/one" : "/two", &ways[i]);
        tn_loop_timer_start(loop, &ticks[i], 0, 10 * TN_NS_PER_MS, on_tick, &ways[i]);
    }
    int64_t end_ns = tn_clock_steady_now_ns() + DEADLINE_S * TN_NS_PER_S;
    while ((ways[0].n_frames < WANTED || ways[1].n_frames < WANTED) &&
           tn_clock_steady_now_ns() < end_ns) {
        (void)tn_loop_run_once(loop, 20 * TN_NS_PER_MS);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_true(ways[i].n_frames >= WANTED);
        assert_int_equal(ways[i].n_wrong, 0);
        tn_loop_timer_stop(&ticks[i]);
        tn_node_hand_model_adapter_destroy(&adapters[i]);
        assert_null(adapters[i]);
        tn_node_hand_model_adapter_destroy(&adapters[i]);
    }
    tn_ros_node_destroy(&node);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
}

static enum tn_result try_parameter(const char *assignment)
{
    const char *const argv[] = {"test", "--ros-args", "-p", assignment};
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    struct tn_node_hand_model_adapter *adapter = NULL;
    struct tn_error err = {0};
    assert_int_equal(tn_loop_create(tn_clock_system(), &loop, &err), TN_OK);
    assert_int_equal(tn_ros_context_create(loop, 4, argv, &context, &err), TN_OK);
    enum tn_result result = tn_node_hand_model_adapter_create(context, NULL, &adapter, &err);
    if (result != TN_OK) {
        assert_null(adapter);
        assert_true(err.text[0] != '\0');
    }
    tn_node_hand_model_adapter_destroy(&adapter);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
    return result;
}

static void bad_parameters_stop_the_start(void **state)
{
    (void)state;
    assert_int_equal(try_parameter("sides:=[right]"), TN_OK);
    const char *const bad[] = {"sides:=[]",           "sides:=[up]",
                               "sides:=[left, left]", "source:=another",
                               "stale_timeout:=2.0",  "stale_timeout:=0.0",
                               "left_glove_id:=a/b",  "nominal_rate_hz:=.nan",
                               "stamp_kind:=guess",   "input_namespace:=/a-b",
                               "no_such_name:=1"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        if (try_parameter(bad[i]) == TN_OK) {
            fail_msg("'%s' was accepted", bad[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_adapters_share_a_process),
        cmocka_unit_test(bad_parameters_stop_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
