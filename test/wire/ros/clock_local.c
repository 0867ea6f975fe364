// SPDX-License-Identifier: Apache-2.0
// use_sim_time while the node runs, and how old stamps of simulated time are. Two nodes: one on
// simulated time, and one on wall time that makes it.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ros/ros__node.h"
#include "tn_msgs/rosgraph_msgs.h"
#include "tn_msgs/std_msgs.h"
#include "wire/ros/harness.h"
#include "wire/ros/joints.h"

#define S  TN_NS_PER_S
#define MS TN_NS_PER_MS

struct rig {
    struct harness h;
    struct tn_ros_node *world;
    struct tn_ros_publisher *clock, *sensor;
    struct tn_ros_subscription *subscription;
    struct tn_loop_timer timer;
    int64_t sim_ns, step_ns; ///< of /clock, per 10 ms
    bool is_silent;          ///< no /clock
    // what the sensor stamps: the clock plus this
    int64_t offset_ns;
    int64_t fixed_ns; ///< not 0: always this
    uint64_t sequence;

    struct tn_ros_jump_handle jump;
    uint32_t n_changes[4];
    struct tn_ros_timer ros_timer;
    uint32_t n_ros;

    uint32_t n, n_known;
    enum tn_result result;
    int64_t age_ns;
};

static void on_timer(void *context)
{
    struct rig *rig = context;
    rig->sim_ns += rig->step_ns;
    struct rosgraph_msgs_msg_Clock tick;
    rosgraph_msgs_msg_Clock_init(&tick);
    tick.clock.sec = (int32_t)(rig->sim_ns / S);
    tick.clock.nanosec = (uint32_t)(rig->sim_ns % S);
    if (!rig->is_silent)
        assert_int_equal(tn_ros_publish(rig->clock, &tick), TN_OK);
    int64_t stamp_ns = rig->fixed_ns != 0 ? rig->fixed_ns : rig->sim_ns + rig->offset_ns;
    struct std_msgs_msg_Header header;
    std_msgs_msg_Header_init(&header);
    header.stamp.sec = (int32_t)(stamp_ns / S);
    header.stamp.nanosec = (uint32_t)(stamp_ns % S);
    assert_int_equal(tn_ros_publish(rig->sensor, &header), TN_OK);
}

static void on_header(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct rig *rig = context;
    const struct std_msgs_msg_Header *header = message;
    int64_t stamp_ns = header->stamp.sec * S + header->stamp.nanosec;
    rig->n++;
    rig->result = tn_ros_stamp_age(info, stamp_ns, info->delivered_steady_ns, &rig->age_ns);
    rig->n_known += rig->result == TN_OK;
}

static void open_rig(struct rig *rig, bool is_sim)
{
    const char *const argv[] = {"tester", "--ros-args", "-p",
                                is_sim ? "tester:use_sim_time:=true" : "tester:use_sim_time:=false",
                                NULL};
    struct tn_error err = {0};
    struct tn_ros_node_options options = {.name = "world"};
    memset(rig, 0, sizeof *rig);
    harness_open_with(&rig->h, 4, argv);
    assert_int_equal(tn_ros_node_create(rig->h.context, &options, &rig->world, &err), TN_OK);
    assert_int_equal(tn_ros_publisher_create(rig->world, &rosgraph_msgs_msg_Clock_type, "/clock",
                                             tn_ros_qos_default(1), &rig->clock, &err),
                     TN_OK);
    assert_int_equal(tn_ros_publisher_create(rig->world, &std_msgs_msg_Header_type, "/sensor",
                                             tn_ros_qos_default(10), &rig->sensor, &err),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create(rig->h.node, &std_msgs_msg_Header_type, "/sensor",
                                                tn_ros_qos_default(10), on_header, rig,
                                                &rig->subscription, &err),
                     TN_OK);
    rig->sim_ns = 100 * S;
    rig->step_ns = 10 * MS;
    tn_loop_timer_start(rig->h.loop, &rig->timer, 0, 10 * MS, on_timer, rig);
}

static void close_rig(struct rig *rig)
{
    tn_loop_timer_stop(&rig->timer);
    tn_ros_node_destroy(&rig->world);
    harness_close(&rig->h);
}

static bool is_fresh(void *context)
{
    const struct rig *rig = context;
    return rig->result == TN_OK && rig->age_ns >= 0 && rig->age_ns < 150 * MS;
}

static bool is_ahead(void *context)
{
    const struct rig *rig = context;
    return rig->result == TN_OK && rig->age_ns < 0;
}

static bool is_old(void *context)
{
    const struct rig *rig = context;
    return rig->result != TN_OK || rig->age_ns > 400 * MS;
}

static bool has_no_age(void *context)
{
    const struct rig *rig = context;
    return rig->n > 0 && rig->result == TN_ERR_STALE;
}

static void simulated_stamps_have_a_real_age(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig, true);
    harness_wait(&rig.h, is_fresh, &rig, "stamps of now are fresh");
    // at other speeds
    rig.step_ns = 200 * MS;
    harness_run(&rig.h, 200 * MS);
    harness_wait(&rig.h, is_fresh, &rig, "at twenty times the speed");
    rig.step_ns = MS / 10;
    harness_run(&rig.h, 200 * MS);
    harness_wait(&rig.h, is_fresh, &rig, "at a hundredth of the speed");
    rig.step_ns = 10 * MS;
    // what is half a second old in both times, and what is from another clock
    rig.offset_ns = -S / 2;
    harness_wait(&rig.h, is_old, &rig, "stamps of half a second ago");
    rig.offset_ns = 10 * S;
    harness_wait(&rig.h, is_ahead, &rig, "stamps ahead of the clock");
    rig.offset_ns = 0;
    rig.fixed_ns = tn_clock_wall_now_ns();
    harness_wait(&rig.h, is_ahead, &rig, "stamps of wall time");
    rig.fixed_ns = 1;
    harness_wait(&rig.h, has_no_age, &rig, "stamps of before everything");
    rig.fixed_ns = 0;
    harness_wait(&rig.h, is_fresh, &rig, "stamps of now again");
    // time stands: a stamp that stays the same grows old, though it is sent anew each 10 ms
    rig.step_ns = 0;
    harness_wait(&rig.h, is_old, &rig, "time stands still");
    rig.step_ns = 10 * MS;
    harness_wait(&rig.h, is_fresh, &rig, "time goes on");
    rig.is_silent = true;
    rig.step_ns = 0;
    harness_wait(&rig.h, is_old, &rig, "nobody says the time");
    rig.is_silent = false;
    rig.step_ns = 10 * MS;
    harness_wait(&rig.h, is_fresh, &rig, "somebody says the time");
    // a jump back: what was stamped before it never passes
    rig.fixed_ns = rig.sim_ns;
    rig.sim_ns = 10 * S;
    harness_wait(&rig.h, is_ahead, &rig, "stamps of before the jump");
    rig.fixed_ns = 0;
    harness_wait(&rig.h, is_fresh, &rig, "stamps of behind the jump");
    close_rig(&rig);
}

static void without_a_clock_nothing_has_an_age(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig, true);
    rig.is_silent = true;
    harness_run(&rig.h, S);
    assert_true(rig.n > 20);
    assert_int_equal(rig.n_known, 0);
    close_rig(&rig);
}

// ---- toggling ----

static void on_jump(void *context, const struct tn_ros_jump *jump, bool is_before)
{
    struct rig *rig = context;
    if (!is_before)
        rig->n_changes[jump->change]++;
}

static void on_ros(void *context, int64_t since_ros_ns)
{
    struct rig *rig = context;
    (void)since_ros_ns;
    rig->n_ros++;
}

static bool is_simulated_now(void *context)
{
    const struct rig *rig = context;
    int64_t now = tn_ros_node_now_ros_ns(rig->h.node);
    return now >= 100 * S && now < 1000 * S;
}

static bool has_fired(void *context)
{
    const struct rig *rig = context;
    return rig->n_ros > 0;
}

static void the_clock_may_be_changed_while_the_node_runs(void **state)
{
    struct rig rig;
    struct tn_error err = {0};
    (void)state;
    open_rig(&rig, false);
    assert_true(tn_ros_node_now_ros_ns(rig.h.node) > 1000000000 * S);
    assert_int_equal(tn_ros_publisher_matched(rig.clock), 0);
    struct tn_ros_jump_threshold threshold = {.on_clock_change = true};
    assert_int_equal(tn_ros_jump_start(rig.h.node, &rig.jump, threshold, on_jump, &rig), TN_OK);
    assert_int_equal(tn_ros_timer_start(rig.h.node, &rig.ros_timer, 300 * MS, on_ros, &rig), TN_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tn_ros__clock_set_sim(&rig.h.node->clock, true, &err), TN_OK);
        assert_int_equal(tn_ros__clock_set_sim(&rig.h.node->clock, true, &err), TN_OK);
        assert_int_equal(tn_ros_node_now_ros_ns(rig.h.node), 0);
        assert_int_equal(rig.n_changes[TN_ROS_TIME_ACTIVATED], i + 1);
        harness_wait(&rig.h, is_simulated_now, &rig, "simulated time");
        assert_int_equal(tn_ros_publisher_matched(rig.clock), 1);
        rig.n_ros = 0;
        harness_wait(&rig.h, has_fired, &rig, "a timer on simulated time");
        assert_int_equal(tn_ros__clock_set_sim(&rig.h.node->clock, false, &err), TN_OK);
        assert_true(tn_ros_node_now_ros_ns(rig.h.node) > 1000000000 * S);
        assert_int_equal(rig.n_changes[TN_ROS_TIME_DEACTIVATED], i + 1);
        assert_int_equal(tn_ros_publisher_matched(rig.clock), 0);
        rig.n_ros = 0;
        harness_wait(&rig.h, has_fired, &rig, "a timer on wall time");
    }
    assert_int_equal(rig.n_changes[TN_ROS_TIME_NO_CHANGE], 0);
    tn_ros_timer_stop(&rig.ros_timer);
    tn_ros_jump_stop(&rig.jump);
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulated_stamps_have_a_real_age),
        cmocka_unit_test(without_a_clock_nothing_has_an_age),
        cmocka_unit_test(the_clock_may_be_changed_while_the_node_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
