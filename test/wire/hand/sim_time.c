// SPDX-License-Identifier: Apache-2.0
// hand_model_adapter on simulated time: the glove stamps wall time, the frames are dated by /clock,
// each stamp once whatever time does, and the frame tree can be looked up in simulated time.
// argv[1]: the adapter.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ros/tf_listener.h"
#include "tn_msgs/contact_glove_msgs.h"
#include "tn_msgs/rosgraph_msgs.h"
#include "tn_msgs/tendon_msgs.h"
#include "wire/ros/harness.h"

#define S  TN_NS_PER_S
#define MS TN_NS_PER_MS

static const char wrist_name[] = "ds2/contact_glove/g1/wrist";

struct rig {
    struct harness h;
    struct tn_process *adapter;
    struct tn_ros_publisher *clock, *ergonomics;
    struct tn_ros_subscription *hand;
    struct tn_tf_listener *listener;
    struct tn_loop_timer timer;
    int64_t sim_ns, step_ns;
    bool has_clock;
    uint64_t last_ms;

    uint32_t n_frames, n_same, n_back, n_active;
    int64_t stamp_ns;
    uint64_t sequence;
    // a wait
    uint32_t n_wanted;
};

static void on_timer(void *context)
{
    struct rig *rig = context;
    rig->sim_ns += rig->step_ns;
    struct rosgraph_msgs_msg_Clock tick;
    rosgraph_msgs_msg_Clock_init(&tick);
    tick.clock.sec = (int32_t)(rig->sim_ns / S);
    tick.clock.nanosec = (uint32_t)(rig->sim_ns % S);
    if (rig->has_clock)
        assert_int_equal(tn_ros_publish(rig->clock, &tick), TN_OK);

    uint64_t now_ms = (uint64_t)(tn_clock_wall_now_ns() / MS);
    rig->last_ms = now_ms > rig->last_ms ? now_ms : rig->last_ms + 1;
    struct contact_glove_msgs_msg_Ergonomics msg;
    contact_glove_msgs_msg_Ergonomics_init(&msg);
    msg.header.frame_id = tn_str_from(wrist_name);
    msg.id = tn_str_from("g1");
    msg.generated_at_ms = rig->last_ms;
    assert_int_equal(tn_ros_publish(rig->ergonomics, &msg), TN_OK);
}

static void on_hand(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct rig *rig = context;
    const struct tendon_msgs_msg_HandFrame *msg = message;
    int64_t stamp_ns = msg->header.stamp.sec * S + msg->header.stamp.nanosec;
    (void)info;
    rig->n_same += stamp_ns == rig->stamp_ns;
    rig->n_back += stamp_ns < rig->stamp_ns;
    rig->n_active += msg->state == tendon_msgs_msg_LinkState_ACTIVE;
    rig->stamp_ns = stamp_ns;
    rig->sequence = msg->sequence;
    rig->n_frames++;
}

static void open_rig(struct rig *rig, const char *program)
{
    static const char *const argv[] = {"tester", "--ros-args", "-p", "use_sim_time:=true", NULL};
    const char *const adapter[] = {program, "--ros-args", "-p", "use_sim_time:=true", NULL};
    struct tn_error err = {0};
    harness_open_with(&rig->h, 4, argv);
    struct tn_ros_node *node = rig->h.node;
    assert_int_equal(tn_ros_publisher_create(node, &rosgraph_msgs_msg_Clock_type, "/clock",
                                             tn_ros_qos_default(1), &rig->clock, &err),
                     TN_OK);
    assert_int_equal(tn_ros_publisher_create(node, &contact_glove_msgs_msg_Ergonomics_type,
                                             "/contact_glove/right/ergonomics",
                                             tn_ros_qos_sensor_data(), &rig->ergonomics, &err),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create(
                         node, &tendon_msgs_msg_HandFrame_type, "/contact_glove/right/hand",
                         tn_ros_qos_sensor_data(), on_hand, rig, &rig->hand, &err),
                     TN_OK);
    assert_int_equal(tn_tf_listener_create(node, NULL, &rig->listener, &err), TN_OK);
    struct tn_process_options options = {.name = "adapter", .argv = adapter};
    assert_int_equal(tn_process_start(rig->h.loop, &options, &rig->adapter, &err), TN_OK);
    tn_loop_timer_start(rig->h.loop, &rig->timer, 0, 10 * MS, on_timer, rig);
}

static void close_rig(struct rig *rig)
{
    tn_loop_timer_stop(&rig->timer);
    tn_process_destroy(&rig->adapter);
    tn_tf_listener_destroy(&rig->listener);
    harness_close(&rig->h);
}

static bool is_met(void *context)
{
    const struct rig *rig = context;
    return tn_ros_publisher_matched(rig->ergonomics) > 0 &&
           tn_ros_subscription_matched(rig->hand) > 0;
}

static bool has_frames(void *context)
{
    const struct rig *rig = context;
    return rig->n_frames >= rig->n_wanted;
}

static void wait_frames(struct rig *rig, uint32_t n, const char *what)
{
    rig->n_wanted = rig->n_frames + n;
    harness_wait(&rig->h, has_frames, rig, what);
}

static bool is_dated_now(const struct rig *rig)
{
    int64_t behind_ns = rig->sim_ns - rig->stamp_ns;
    return behind_ns >= 0 && behind_ns <= 50 * rig->step_ns;
}

static bool is_active_now(void *context)
{
    const struct rig *rig = context;
    return rig->n_active > 50 && is_dated_now(rig);
}

static bool has_frame_tree(void *context)
{
    const struct rig *rig = context;
    struct tn_tf_frame_info info;
    const struct tn_tf_buffer *buffer = tn_tf_listener_buffer(rig->listener);
    for (uint32_t i = 0; tn_tf_buffer_frame(buffer, i, &info) == TN_OK; i++) {
        struct tn_tf_result found;
        if (info.is_static || info.n_entries < 2)
            continue;
        // in simulated time, and down to the wrist over what is static
        return info.newest_ns <= rig->sim_ns && info.newest_ns > rig->sim_ns - S &&
               tn_tf_buffer_lookup(buffer, wrist_name, info.name, info.newest_ns - 5 * MS, &found,
                                   NULL) == TN_OK;
    }
    return false;
}

static void frames_are_dated_by_the_clock(void **state)
{
    struct rig rig = {.sim_ns = 1000 * S, .step_ns = 10 * MS};
    open_rig(&rig, *state);
    harness_wait(&rig.h, is_met, &rig, "the adapter");
    harness_run(&rig.h, 300 * MS);
    assert_int_equal(rig.n_frames, 0);

    rig.has_clock = true;
    harness_wait(&rig.h, is_active_now, &rig, "frames dated by /clock");
    harness_wait(&rig.h, has_frame_tree, &rig, "the frame tree in simulated time");
    assert_int_equal(rig.n_back + rig.n_same, 0);
    // fast
    rig.step_ns = S;
    wait_frames(&rig, 30, "frames while time is fast");
    assert_true(is_dated_now(&rig));
    // standing: frames go on, each with a stamp of its own
    rig.step_ns = 0;
    wait_frames(&rig, 30, "frames while time stands");
    uint64_t sequence = rig.sequence;
    int64_t stamp_ns = rig.stamp_ns;
    wait_frames(&rig, 30, "frames while time stands");
    assert_true(rig.stamp_ns > stamp_ns &&
                rig.stamp_ns <= stamp_ns + (int64_t)(rig.sequence - sequence));
    assert_int_equal(rig.n_back + rig.n_same, 0);
    // back: the stamp falls once, the sequence goes on
    rig.sim_ns = 10 * S;
    rig.step_ns = 10 * MS;
    wait_frames(&rig, 50, "frames behind the jump");
    assert_true(is_dated_now(&rig));
    assert_true(rig.sequence > sequence);
    assert_int_equal(rig.n_back, 1);
    assert_int_equal(rig.n_same, 0);
    close_rig(&rig);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(frames_are_dated_by_the_clock, argc > 1 ? argv[1] : NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
