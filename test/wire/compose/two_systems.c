// SPDX-License-Identifier: Apache-2.0
// Two whole systems in one process: two drivers with a software DivingStation each, two adapters,
// two retargeters, four hands, in the namespaces /a and /b. Each hand follows its own glove alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tn_msgs/end_effector_interfaces.h"
#include "tn_msgs/std_srvs.h"
#include "tn_msgs/tendon_msgs.h"
#include "wire/ros/harness.h"

#define SYSTEMS 2
#define HANDS   4

/// One hand of one system.
struct hand {
    const char *ns, *side, *glove;
    struct tn_ros_client *arm;
    bool is_arming, was_active;
    uint32_t n_frames, n_foreign, n_commands, n_writers;
    struct tn_gid command_writer;
    double lowest, highest;
};

struct rig {
    struct harness h;
    struct tn_process *processes[1 + SYSTEMS];
    struct hand hands[HANDS];
};

static void on_line(void *context, struct tn_process *process, const char *line, uint32_t size,
                    bool is_stderr)
{
    (void)context;
    (void)is_stderr;
    print_message("[%s] %.*s\n", tn_process_name(process), (int)size, line);
}

static void start(struct rig *rig, unsigned place, const char *program, const char *const *words)
{
    char path[512];
    const char *argv[48] = {path};
    struct tn_error err = {0};
    (void)snprintf(path, sizeof path, "%s/lib/tendon/%s", getenv("TN_PREFIX"), program);
    for (size_t i = 0; words[i] != NULL; i++) {
        assert_true(i + 2 < TN_ARRAY_SIZE(argv));
        argv[i + 1] = words[i];
    }
    struct tn_process_options options = {.name = program, .argv = argv, .on_line = on_line};
    if (tn_process_start(rig->h.loop, &options, &rig->processes[place], &err) != TN_OK)
        fail_msg("%s", err.text);
}

static void on_frame(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct hand *hand = context;
    const struct tendon_msgs_msg_HandFrame *frame = message;
    (void)info;
    hand->n_frames++;
    hand->n_foreign += !tn_str_is(frame->device_id, hand->glove);
}

static void on_command(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct hand *hand = context;
    (void)message;
    if (hand->n_commands > 0 &&
        memcmp(&hand->command_writer, &info->writer, sizeof info->writer) != 0)
        hand->n_writers++;
    hand->command_writer = info->writer;
    hand->n_commands++;
}

static void on_feedback(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct hand *hand = context;
    const struct end_effector_interfaces_msg_EEJointFeedback *feedback = message;
    (void)info;
    for (uint32_t i = 0; i < feedback->position.size; i++) {
        double value = feedback->position.data[i];
        hand->lowest = value < hand->lowest ? value : hand->lowest;
        hand->highest = value > hand->highest ? value : hand->highest;
    }
}

static void on_state(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct hand *hand = context;
    const struct tendon_msgs_msg_SessionState *state = message;
    (void)info;
    hand->was_active |= state->state == tendon_msgs_msg_LinkState_ACTIVE && state->armed;
}

static void watch(struct rig *rig, struct hand *hand)
{
    struct tn_ros_subscription *subscription;
    struct tn_error err = {0};
    const struct {
        const char *format;
        const struct tn_type *type;
        struct tn_ros_qos qos;
        tn_ros_message_fn callback;
    } rows[] = {
        {"%s/contact_glove/%s/hand", &tendon_msgs_msg_HandFrame_type, tn_ros_qos_sensor_data(),
         on_frame},
        {"%s/control_sim/hand/%s", &end_effector_interfaces_msg_EEJointControl_type,
         tn_ros_qos_default(10), on_command},
        {"%s/feedback_sim/hand/%s", &end_effector_interfaces_msg_EEJointFeedback_type,
         tn_ros_qos_default(10), on_feedback},
        {"%s/robot_retargeter/%s/state", &tendon_msgs_msg_SessionState_type, tn_ros_qos_latched(1),
         on_state},
    };
    char name[128];
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        (void)snprintf(name, sizeof name, rows[i].format, hand->ns, hand->side);
        if (tn_ros_subscription_create(rig->h.node, rows[i].type, name, rows[i].qos,
                                       rows[i].callback, hand, &subscription, &err) != TN_OK)
            fail_msg("%s", err.text);
    }
    (void)snprintf(name, sizeof name, "%s/robot_retargeter/%s/arm", hand->ns, hand->side);
    assert_int_equal(
        tn_ros_client_create(rig->h.node, &std_srvs_srv_Trigger_type, name, &hand->arm, &err),
        TN_OK);
}

static void on_armed(void *context, const void *response)
{
    struct hand *hand = context;
    (void)response;
    hand->is_arming = false;
}

static void arm(struct hand *hand)
{
    struct std_srvs_srv_Trigger_Request request;
    std_srvs_srv_Trigger_Request_init(&request);
    if (!hand->was_active && !hand->is_arming && tn_ros_client_is_ready(hand->arm))
        hand->is_arming = tn_ros_call(hand->arm, &request, TN_NS_PER_S, on_armed, hand) == TN_OK;
}

/// The first two hands are system /a's.
static bool have_moved(void *context)
{
    struct rig *rig = context;
    bool is_done = true;
    for (unsigned i = 0; i < HANDS; i++) {
        struct hand *hand = &rig->hands[i];
        arm(hand);
        is_done &=
            hand->was_active && hand->n_commands >= 100 && hand->highest - hand->lowest > 20.0;
    }
    return is_done;
}

static bool b_has_gone_on(void *context)
{
    struct rig *rig = context;
    return rig->hands[2].n_commands >= 100 && rig->hands[3].n_commands >= 100;
}

static void each_hand_follows_its_own_glove(void **state)
{
    (void)state;
    struct rig rig = {.hands = {{.ns = "/a", .side = "left", .glove = "GLOVEA_left"},
                                {.ns = "/a", .side = "right", .glove = "GLOVEA_right"},
                                {.ns = "/b", .side = "left", .glove = "GLOVEB_left"},
                                {.ns = "/b", .side = "right", .glove = "GLOVEB_right"}}};
    harness_open(&rig.h);
    for (unsigned i = 0; i < HANDS; i++) {
        rig.hands[i].lowest = 1e9;
        rig.hands[i].highest = -1e9;
        watch(&rig, &rig.hands[i]);
    }
    start(&rig, 0, "compose",
          (const char *const[]){
              "end_effector_node:=left_a@/a", "end_effector_node:=right_a@/a",
              "end_effector_node:=left_b@/b", "end_effector_node:=right_b@/b",
              "robot_retargeter:=retarget_a@/a", "robot_retargeter:=retarget_b@/b",
              "hand_model_adapter:=adapter_a@/a", "hand_model_adapter:=adapter_b@/b",
              "contact_glove_node:=driver_a@/a/contact_glove",
              "contact_glove_node:=driver_b@/b/contact_glove", "--ros-args", "--params-file",
              getenv("TN_COMPOSE_PARAMS"), NULL});
    start(&rig, 1, "divingstation",
          (const char *const[]){"--port", "28101", "--id", "GLOVEA", "--seed", "1", NULL});
    start(&rig, 2, "divingstation",
          (const char *const[]){"--port", "28102", "--id", "GLOVEB", "--seed", "2", NULL});
    harness_wait(&rig.h, have_moved, &rig, "all four hands moved");
    // one glove goes; the other system does not notice
    tn_process_destroy(&rig.processes[1]);
    rig.hands[2].n_commands = rig.hands[3].n_commands = 0;
    harness_wait(&rig.h, b_has_gone_on, &rig, "the other system goes on");
    for (unsigned i = 0; i < HANDS; i++) {
        assert_true(rig.hands[i].n_frames > 0);
        assert_int_equal(rig.hands[i].n_foreign, 0);
        assert_int_equal(rig.hands[i].n_writers, 0);
        for (unsigned k = 0; k < i; k++)
            assert_memory_not_equal(&rig.hands[i].command_writer, &rig.hands[k].command_writer,
                                    sizeof rig.hands[i].command_writer);
    }
    for (unsigned i = 0; i < TN_ARRAY_SIZE(rig.processes); i++)
        tn_process_destroy(&rig.processes[i]);
    harness_close(&rig.h);
}

int main(void)
{
    char path[] = "/tmp/compose-params-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_hand_follows_its_own_glove)};
    if (file == NULL)
        return 2;
    for (char x = 'a'; x <= 'b'; x++) {
        (void)fprintf(
            file,
            "/%c/contact_glove/driver_%c:\n  ros__parameters: {protocol: v1, ds_port_v1: "
            "%d, receive_port: %d}\n"
            "/%c/adapter_%c:\n  ros__parameters: {publish_node_tf: false, "
            "input_namespace: contact_glove}\n"
            "/%c/retarget_%c:\n  ros__parameters: {sim: true, input_namespace: contact_glove}\n",
            x, x, 28101 + x - 'a', 28201 + x - 'a', x, x, x, x);
        for (int side = 0; side < 2; side++)
            (void)fprintf(file,
                          "/%c/%s_%c:\n  ros__parameters: {sim: true, side: %s, device: sim, "
                          "position_watchdog_s: 0.2, max_command_age_s: 0.15, exclusive_writer: "
                          "true, max_command_hz: 240.0}\n",
                          x, side == 0 ? "left" : "right", x, side == 0 ? "left" : "right");
    }
    (void)fclose(file);
    (void)setenv("TN_COMPOSE_PARAMS", path, 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)unlink(path);
    return failed;
}
