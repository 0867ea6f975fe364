// SPDX-License-Identifier: Apache-2.0
// robot_retargeter between a glove, a robot, and strangers who write on the same topics
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hand/model.h"
#include "nodes/convert/hand_frame.h"
#include "nodes/robot_retargeter.h"
#include "tn_msgs/end_effector_interfaces.h"
#include "tn_msgs/std_srvs.h"
#include "wire/ros/harness.h"

#define JOINTS 6

static const char *const names[JOINTS] = {"THUMBMCP",  "THUMBCMC", "INDEXMCP",
                                          "MIDDLEMCP", "RINGMCP",  "LITTLEMCP"};

// the world of one test: a glove, a robot that follows at once, a stranger beside each
struct world {
    struct harness h;
    struct tn_node_robot_retargeter *node;
    struct tn_ros_publisher *glove, *robot, *strange_glove, *strange_robot;
    struct tn_ros_client *arm;
    struct tn_loop_timer frames, strange_frames, feedback;
    struct tn_hand_model model;
    uint64_t sequence, strange_sequence;
    double bend_rad;                                      // of the glove's fingers
    double position[JOINTS];                              // of the robot, percent
    bool is_glove_silent, strange_hand, strange_feedback; // strangers write too
    bool is_calling, is_armed, is_latched;
    uint32_t n_commands, n_strange, n_jumps;
    double last_value;
    bool has_value;
};

// the stranger's stamps are odd milliseconds, the glove's even ones
static int64_t even_stamp_ns(void)
{
    return tn_clock_wall_now_ns() / (2 * TN_NS_PER_MS) * (2 * TN_NS_PER_MS);
}

static void send_frame(struct world *w, struct tn_ros_publisher *to, int64_t stamp_ns,
                       uint64_t sequence, double bend_rad)
{
    struct tn_hand_frame frame;
    struct tendon_msgs_msg_HandFrame msg;
    tn_hand_frame_init(&frame);
    frame.side = TN_SIDE_LEFT;
    frame.stamp_kind = TN_STAMP_ARRIVAL;
    frame.link = TN_LINK_ACTIVE;
    frame.stamp_ros_ns = stamp_ns;
    frame.stream_id = 7;
    frame.sequence = sequence;
    (void)snprintf(frame.device_id, sizeof frame.device_id, "glove_left");
    for (unsigned slot = TN_ANGLE_THUMB_CMC_FLEX; slot < TN_HAND_ANGLES; slot++) {
        bool is_flexion = slot == TN_ANGLE_INDEX_MCP_FLEX || slot == TN_ANGLE_INDEX_PIP;
        frame.angles[slot] = is_flexion ? bend_rad : 0.1;
        frame.angle_valid |= UINT32_C(1) << slot;
    }
    assert_int_equal(
        tn_hand_fk(&w->model, frame.angles, frame.angle_valid, frame.nodes, &frame.node_valid),
        TN_OK);
    tn_convert_hand_frame_to_msg(&frame, "hand", &msg);
    assert_int_equal(tn_ros_publish(to, &msg), TN_OK);
}

static void on_frame_tick(void *context)
{
    struct world *w = context;
    int64_t stamp_ns = even_stamp_ns();
    if (!w->is_glove_silent) {
        w->sequence++;
        send_frame(w, w->glove, stamp_ns, w->sequence, w->bend_rad);
    }
}

// between two frames of the glove, with numbers ahead of its own
static void on_strange_tick(void *context)
{
    struct world *w = context;
    if (w->strange_hand) {
        w->strange_sequence++;
        send_frame(w, w->strange_glove, even_stamp_ns() + TN_NS_PER_MS,
                   w->sequence + 100000 + w->strange_sequence, 1.5);
    }
}

static void send_feedback(struct tn_ros_publisher *to, const double *position, uint8_t state)
{
    struct tn_str name[JOINTS];
    uint8_t states[JOINTS];
    double zeros[JOINTS] = {0};
    struct end_effector_interfaces_msg_EEJointFeedback msg;
    int64_t now_ns = tn_clock_wall_now_ns();
    end_effector_interfaces_msg_EEJointFeedback_init(&msg);
    for (unsigned j = 0; j < JOINTS; j++) {
        name[j] = tn_str_from(names[j]);
        states[j] = state;
    }
    msg.header.stamp.sec = (int32_t)(now_ns / TN_NS_PER_S);
    msg.header.stamp.nanosec = (uint32_t)(now_ns % TN_NS_PER_S);
    msg.name = (struct tn_seq_str){name, JOINTS};
    msg.position = (struct tn_seq_f64){position, JOINTS};
    msg.velocity = (struct tn_seq_f64){zeros, JOINTS};
    msg.current = (struct tn_seq_f64){zeros, JOINTS};
    msg.state = (struct tn_seq_u8){states, JOINTS};
    assert_int_equal(tn_ros_publish(to, &msg), TN_OK);
}

static void on_feedback_tick(void *context)
{
    static const double wrong[JOINTS] = {100, 100, 100, 100, 100, 100};
    struct world *w = context;
    send_feedback(w->robot, w->position, 1);
    if (w->strange_feedback) {
        // first "not connected", then a place where the hand is not: an approach would begin there
        send_feedback(w->strange_robot, wrong, 3);
        send_feedback(w->strange_robot, wrong, 1);
    }
}

static void on_command(void *context, const void *message, const struct tn_ros_message_info *info)
{
    (void)info;
    struct world *w = context;
    const struct end_effector_interfaces_msg_EEJointControl *msg = message;
    assert_int_equal(msg->name.size, msg->value.size);
    w->n_commands++;
    w->n_strange += msg->header.stamp.nanosec / 1000000u % 2u;
    for (uint32_t i = 0; i < msg->name.size; i++) {
        for (unsigned j = 0; j < JOINTS; j++) {
            if (tn_str_equal(msg->name.data[i], tn_str_from(names[j]))) {
                w->position[j] = msg->value.data[i];
            }
        }
    }
    // 400 %/s over at most 0.1 s is the largest lawful step
    w->n_jumps += w->has_value && fabs(w->position[2] - w->last_value) > 40.0 + 1e-6;
    w->last_value = w->position[2];
    w->has_value = true;
}

static void on_armed(void *context, const void *response)
{
    struct world *w = context;
    const struct std_srvs_srv_Trigger_Response *reply = response;
    w->is_calling = false;
    w->is_armed = reply != NULL && reply->success;
}

static bool is_armed(void *context)
{
    struct world *w = context;
    struct std_srvs_srv_Trigger_Request request;
    std_srvs_srv_Trigger_Request_init(&request);
    if (!w->is_armed && !w->is_calling && tn_ros_client_is_ready(w->arm)) {
        w->is_calling = tn_ros_call(w->arm, &request, TN_NS_PER_S, on_armed, w) == TN_OK;
    }
    return w->is_armed;
}

static bool has_100_commands(void *context)
{
    return ((struct world *)context)->n_commands >= 100;
}

static bool is_bent(void *context)
{
    return ((struct world *)context)->position[2] > 80.0;
}

static bool is_latched(void *context)
{
    return ((struct world *)context)->is_latched;
}

static void on_state(void *context, const void *message, const struct tn_ros_message_info *info)
{
    (void)info;
    ((struct world *)context)->is_latched =
        ((const struct tendon_msgs_msg_SessionState *)message)->latched;
}

static void open_topics(struct world *w)
{
    struct tn_ros_node *node = w->h.node;
    struct tn_ros_qos pose = tn_ros_qos_sensor_data();
    struct tn_ros_subscription *commands, *states;
    struct tn_ros_publisher **hands[] = {&w->glove, &w->strange_glove};
    struct tn_ros_publisher **robots[] = {&w->robot, &w->strange_robot};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tn_ros_publisher_create(node, &tendon_msgs_msg_HandFrame_type,
                                                 "/contact_glove/left/hand", pose, hands[i], NULL),
                         TN_OK);
        assert_int_equal(
            tn_ros_publisher_create(node, &end_effector_interfaces_msg_EEJointFeedback_type,
                                    "/feedback/hand/left", tn_ros_qos_default(10), robots[i], NULL),
            TN_OK);
    }
    assert_int_equal(tn_ros_subscription_create(node,
                                                &end_effector_interfaces_msg_EEJointControl_type,
                                                "/control/hand/left", tn_ros_qos_default(10),
                                                on_command, w, &commands, NULL),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create(node, &tendon_msgs_msg_SessionState_type,
                                                "/robot_retargeter/left/state",
                                                tn_ros_qos_latched(1), on_state, w, &states, NULL),
                     TN_OK);
    assert_int_equal(tn_ros_client_create(node, &std_srvs_srv_Trigger_type,
                                          "/robot_retargeter/left/arm", &w->arm, NULL),
                     TN_OK);
}

static int open_world(void **state)
{
    static struct world world;
    struct world *w = &world;
    struct tn_error err = {0};
    const struct tn_hand_shape *shape = tn_hand_shape_default();
    memset(w, 0, sizeof *w);
    harness_open(&w->h);
    assert_int_equal(tn_hand_model_init(&w->model, shape, TN_SIDE_LEFT), TN_OK);
    if (tn_node_robot_retargeter_create(w->h.context, NULL, &w->node, &err) != TN_OK) {
        fail_msg("%s", err.text);
    }
    open_topics(w);
    tn_loop_timer_start(w->h.loop, &w->frames, 0, 8 * TN_NS_PER_MS, on_frame_tick, w);
    tn_loop_timer_start(w->h.loop, &w->strange_frames, 4 * TN_NS_PER_MS, 8 * TN_NS_PER_MS,
                        on_strange_tick, w);
    tn_loop_timer_start(w->h.loop, &w->feedback, 0, 20 * TN_NS_PER_MS, on_feedback_tick, w);
    harness_wait(&w->h, is_armed, w, "arm");
    harness_wait(&w->h, has_100_commands, w, "100 commands");
    *state = w;
    return 0;
}

static int close_world(void **state)
{
    struct world *w = *state;
    tn_loop_timer_stop(&w->frames);
    tn_loop_timer_stop(&w->strange_frames);
    tn_loop_timer_stop(&w->feedback);
    tn_node_robot_retargeter_destroy(&w->node);
    harness_close(&w->h);
    return 0;
}

static void commands_follow_the_glove(void **state)
{
    struct world *w = *state;
    w->bend_rad = 1.2;
    harness_wait(&w->h, is_bent, w, "a bent index finger");
    assert_int_equal(w->n_strange, 0);
    assert_int_equal(w->n_jumps, 0);
}

static void a_second_glove_writer_neither_moves_nor_locks_the_hand(void **state)
{
    struct world *w = *state;
    w->strange_hand = true;
    w->n_commands = 0;
    harness_wait(&w->h, has_100_commands, w, "100 commands beside a stranger");
    assert_int_equal(w->n_strange, 0);
    w->strange_hand = false;
    w->n_commands = 0;
    harness_wait(&w->h, has_100_commands, w, "100 commands after the stranger left");
    assert_int_equal(w->n_strange, 0);
    assert_int_equal(w->n_jumps, 0);
    assert_true(w->position[2] < 50.0);
}

// the stranger speaks while the glove is silent, and goes on from the glove's own numbers
static void a_writer_that_takes_over_latches(void **state)
{
    struct world *w = *state;
    w->strange_hand = true;
    w->is_glove_silent = true;
    harness_wait(&w->h, is_latched, w, "a latch");
    harness_run(&w->h, TN_NS_PER_S);
    assert_int_equal(w->n_strange, 0);
    assert_true(w->is_latched);
}

static void a_second_feedback_writer_starts_no_approach_of_its_own(void **state)
{
    struct world *w = *state;
    w->strange_feedback = true;
    w->n_commands = 0;
    harness_wait(&w->h, has_100_commands, w, "100 commands beside a stranger's feedback");
    assert_int_equal(w->n_jumps, 0);
    assert_true(w->position[2] < 50.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(commands_follow_the_glove, open_world, close_world),
        cmocka_unit_test_setup_teardown(a_second_glove_writer_neither_moves_nor_locks_the_hand,
                                        open_world, close_world),
        cmocka_unit_test_setup_teardown(a_writer_that_takes_over_latches, open_world, close_world),
        cmocka_unit_test_setup_teardown(a_second_feedback_writer_starts_no_approach_of_its_own,
                                        open_world, close_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
