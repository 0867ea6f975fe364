// SPDX-License-Identifier: Apache-2.0
// contact_glove_node as its own process; this one plays DivingStation on one side and a ROS graph
// on the other.
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/process.h"
#include "base/udp.h"
#include "glove/contact/contact_codec.h"
#include "nodes/contact_glove.h"
#include "ros/node.h"
#include "tn_msgs/contact_glove_msgs.h"
#include "tn_msgs/diagnostic_msgs.h"
#include "tn_msgs/geometry_msgs.h"
#include "tn_msgs/sensor_msgs.h"
#include "unit/glove/contact_vectors.h"

#define DEADLINE_NS (60 * TN_NS_PER_S)
#define IDS_MAX     16
#define PI          3.14159265358979323846

/// What one subscription saw: counts, and the newest message in a few plain members.
struct seen {
    uint32_t n;
    char ids[IDS_MAX][64];
    bool is_connected[IDS_MAX];
    int32_t battery[IDS_MAX];
    uint32_t n_ids;
    char frame_id[128];
    char id[64];
    int64_t stamp_ms;
    uint64_t generated_at_ms;
    uint8_t tracking_state;
    double values[24];
    uint32_t n_values;
    char names[20][40];
    bool is_left;
};

struct bench {
    struct tn_loop *loop;
    struct tn_ros_context *context;
    struct tn_ros_node *ros;
    struct tn_process *process, *second;
    int exit_code, second_exit_code;
    bool is_exited, is_second_exited;
    char log[16384];
    size_t log_size;
    int ds;
    uint16_t announced;
    uint32_t requests[TN_CONTACT_KINDS];
    uint8_t haptics[256];
    size_t haptics_size;
    struct seen seen;
};

// ---- DivingStation ----

static void serve(struct bench *b)
{
    uint8_t bytes[512];
    struct tn_udp_datagram datagram;
    struct tn_contact_reader reader;
    struct tn_contact_message message;
    struct tn_contact_reject reject;
    while (tn_udp_receive(b->ds, bytes, sizeof bytes, &datagram) == TN_OK) {
        tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), TN_CONTACT_TO_DS, bytes,
                                datagram.size);
        assert_int_equal(tn_contact_reader_next(&reader, &message, &reject), TN_OK);
        b->requests[message.kind]++;
        if (message.kind == TN_CONTACT_CONNECT)
            b->announced = (uint16_t)message.body.connect.receive_port;
        if (message.kind == TN_CONTACT_HAPTICS_BODY) {
            memcpy(b->haptics, bytes, sizeof b->haptics);
            b->haptics_size = datagram.size;
        }
    }
}

#define WAIT_FOR(b, condition)                                                                     \
    do {                                                                                           \
        int64_t until = tn_clock_steady_now_ns() + DEADLINE_NS;                                    \
        while (!(condition)) {                                                                     \
            if (tn_clock_steady_now_ns() > until)                                                  \
                fail_msg("waited in vain for %s; the node said:\n%s", #condition, (b)->log);       \
            (void)tn_loop_run_once((b)->loop, 5 * TN_NS_PER_MS);                                   \
            serve(b);                                                                              \
        }                                                                                          \
    } while (0)

static void send_bytes(struct bench *b, const void *data, size_t size)
{
    struct sockaddr_in to;
    struct tn_error err = {0};
    assert_int_equal(tn_udp_address("127.0.0.1", b->announced, &to, &err), TN_OK);
    assert_int_equal(tn_udp_send(b->ds, &to, data, size), TN_OK);
}

/// A list of `n` pairs "P0", "P1" … whose left battery is `battery`.
static void send_devices(struct bench *b, uint32_t n, int32_t battery)
{
    static struct tn_contact_message message;
    static uint8_t bytes[8192];
    size_t size = 0;
    memset(&message, 0, sizeof message);
    message.kind = TN_CONTACT_DEVICES;
    message.body.devices.n = n;
    for (uint32_t i = 0; i < n; i++) {
        struct tn_contact_device *device_i = &message.body.devices.devices[i];
        (void)snprintf(device_i->id, sizeof device_i->id, "P%u", (unsigned)i);
        device_i->left = (struct tn_contact_hand_state){true, battery, 0};
        device_i->right = (struct tn_contact_hand_state){true, 200, 0};
    }
    assert_int_equal(
        tn_contact_encode(tn_contact_dialect_v1(), &message, bytes, sizeof bytes, &size), TN_OK);
    send_bytes(b, bytes, size);
}

// ---- the graph ----

static void copy(char *out, size_t capacity, struct tn_str text)
{
    (void)snprintf(out, capacity, "%.*s", (int)text.size, text.data);
}

static void note_head(struct seen *seen, const struct std_msgs_msg_Header *header)
{
    copy(seen->frame_id, sizeof seen->frame_id, header->frame_id);
    seen->stamp_ms = (int64_t)header->stamp.sec * 1000 + header->stamp.nanosec / 1000000;
    seen->n++;
}

static void on_glove_data(void *context, const void *message,
                          const struct tn_ros_message_info *info)
{
    struct seen *seen = context;
    const struct contact_glove_msgs_msg_GloveData *msg = message;
    uint32_t i = 0;
    (void)info;
    note_head(seen, &msg->header);
    seen->is_left = msg->is_left;
    while (i < seen->n_ids && !tn_str_is(msg->id, seen->ids[i]))
        i++;
    assert_true(i < IDS_MAX);
    if (i == seen->n_ids)
        copy(seen->ids[seen->n_ids++], sizeof seen->ids[0], msg->id);
    seen->is_connected[i] = msg->is_connected;
    seen->battery[i] = msg->battery;
}

static void on_ergonomics(void *context, const void *message,
                          const struct tn_ros_message_info *info)
{
    struct seen *seen = context;
    const struct contact_glove_msgs_msg_Ergonomics *msg = message;
    const struct contact_glove_msgs_msg_ErgonomicsFinger *fingers[] = {&msg->index, &msg->middle,
                                                                       &msg->ring, &msg->little};
    (void)info;
    note_head(seen, &msg->header);
    copy(seen->id, sizeof seen->id, msg->id);
    seen->is_left = msg->is_left;
    seen->generated_at_ms = msg->generated_at_ms;
    seen->tracking_state = msg->tracking_state;
    seen->values[0] = (double)msg->thumb.cmc;
    seen->values[1] = (double)msg->thumb.mcp;
    seen->values[2] = (double)msg->thumb.ip;
    seen->values[3] = (double)msg->thumb.tilt;
    for (int f = 0; f < 4; f++) {
        seen->values[4 * f + 4] = (double)fingers[f]->mcp;
        seen->values[4 * f + 5] = (double)fingers[f]->pip;
        seen->values[4 * f + 6] = (double)fingers[f]->dip;
        seen->values[4 * f + 7] = (double)fingers[f]->tilt;
    }
}

static void on_joint_state(void *context, const void *message,
                           const struct tn_ros_message_info *info)
{
    struct seen *seen = context;
    const struct sensor_msgs_msg_JointState *msg = message;
    (void)info;
    note_head(seen, &msg->header);
    assert_int_equal(msg->name.size, 20);
    assert_int_equal(msg->position.size, 20);
    assert_int_equal(msg->velocity.size, 0);
    assert_int_equal(msg->effort.size, 0);
    seen->n_values = msg->position.size;
    for (uint32_t i = 0; i < msg->name.size; i++) {
        copy(seen->names[i], sizeof seen->names[i], msg->name.data[i]);
        seen->values[i] = msg->position.data[i];
    }
}

static void on_controller(void *context, const void *message,
                          const struct tn_ros_message_info *info)
{
    struct seen *seen = context;
    const struct contact_glove_msgs_msg_Controller *msg = message;
    (void)info;
    note_head(seen, &msg->header);
    copy(seen->id, sizeof seen->id, msg->id);
    const double values[] = {msg->a,
                             msg->b,
                             msg->sys,
                             msg->trigger_button,
                             msg->joystick_button,
                             msg->trackpad_button,
                             (double)msg->trigger,
                             (double)msg->grip_value,
                             (double)msg->grip_force,
                             (double)msg->joystick_x,
                             (double)msg->joystick_y,
                             (double)msg->trackpad_x,
                             (double)msg->trackpad_y};
    memcpy(seen->values, values, sizeof values);
}

static void on_wrist(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct seen *seen = context;
    const struct geometry_msgs_msg_QuaternionStamped *msg = message;
    (void)info;
    note_head(seen, &msg->header);
    seen->values[0] = msg->quaternion.x;
    seen->values[1] = msg->quaternion.y;
    seen->values[2] = msg->quaternion.z;
    seen->values[3] = msg->quaternion.w;
}

static struct tn_ros_subscription *subscribe(struct bench *b, const struct tn_type *type,
                                             const char *topic, struct tn_ros_qos qos,
                                             tn_ros_message_fn callback, struct seen *seen)
{
    struct tn_ros_subscription *subscription = NULL;
    struct tn_error err = {0};
    if (tn_ros_subscription_create(b->ros, type, topic, qos, callback, seen, &subscription, &err) !=
        TN_OK)
        fail_msg("%s: %s", topic, err.text);
    return subscription;
}

// ---- the node ----

static void on_line(void *context, struct tn_process *process, const char *line, uint32_t size,
                    bool is_stderr)
{
    struct bench *b = context;
    (void)process;
    (void)is_stderr;
    if (b->log_size + size + 2 > sizeof b->log)
        return;
    memcpy(b->log + b->log_size, line, size);
    b->log_size += size;
    b->log[b->log_size++] = '\n';
}

static void on_exit_of(void *context, struct tn_process *process, struct tn_process_exit status)
{
    struct bench *b = context;
    if (process == b->process) {
        b->is_exited = true;
        b->exit_code = status.exit_code;
    } else {
        b->is_second_exited = true;
        b->second_exit_code = status.exit_code;
    }
}

static void start_node(struct bench *b, struct tn_process **place, const char *param)
{
    char path[512];
    const char *prefix = getenv("TN_PREFIX");
    (void)snprintf(path, sizeof path, "%s/lib/contact_glove/contact_glove_node",
                   prefix != NULL ? prefix : ".");
    const char *argv[] = {path, "--ros-args", "-p", param, NULL};
    if (param == NULL)
        argv[1] = NULL;
    const struct tn_process_options options = {
        .name = "node", .argv = argv, .on_exit = on_exit_of, .on_line = on_line, .context = b};
    struct tn_error err = {0};
    if (tn_process_start(b->loop, &options, place, &err) != TN_OK)
        fail_msg("%s: %s", path, err.text);
}

static int setup(void **state)
{
    static struct bench b;
    static const char *const argv[] = {"test", NULL};
    const struct tn_ros_node_options options = {.name = "judge"};
    struct tn_error err = {0};
    memset(&b, 0, sizeof b);
    if (tn_loop_create(tn_clock_system(), &b.loop, &err) != TN_OK ||
        tn_ros_context_create(b.loop, 1, argv, &b.context, &err) != TN_OK ||
        tn_ros_node_create(b.context, &options, &b.ros, &err) != TN_OK ||
        tn_udp_open("0.0.0.0", TN_CONTACT_DS_PORT_V1, "test", &b.ds, &err) != TN_OK) {
        (void)fprintf(stderr, "set up: %s\n", err.text);
        return -1;
    }
    start_node(&b, &b.process, NULL);
    WAIT_FOR(&b, b.requests[TN_CONTACT_CONNECT] > 0);
    *state = &b;
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    tn_process_destroy(&b->second);
    tn_process_destroy(&b->process);
    tn_ros_node_destroy(&b->ros);
    tn_ros_context_destroy(&b->context);
    tn_loop_destroy(&b->loop);
    (void)close(b->ds);
    return 0;
}

/// Repeats a datagram until a best-effort subscription has it.
static void send_until_seen(struct bench *b, const void *data, size_t size, const struct seen *seen)
{
    uint32_t before = seen->n;
    int64_t until = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (seen->n == before) {
        if (tn_clock_steady_now_ns() > until)
            fail_msg("nothing came; the node said:\n%s", b->log);
        send_bytes(b, data, size);
        (void)tn_loop_run_once(b->loop, 20 * TN_NS_PER_MS);
        serve(b);
    }
}

// ---- the promises ----

static void late_joiner_sees_every_glove(void **state)
{
    struct bench *b = *state;
    struct seen early = {0}, latched = {0}, plain = {0};
    (void)subscribe(b, &contact_glove_msgs_msg_GloveData_type, "/contact_glove/left/glove_data",
                    tn_ros_qos_latched(16), on_glove_data, &early);
    send_devices(b, 3, 77);
    WAIT_FOR(b, early.n_ids == 3);
    // all that was sent has arrived: who joins now lives from the cache
    (void)subscribe(b, &contact_glove_msgs_msg_GloveData_type, "/contact_glove/left/glove_data",
                    tn_ros_qos_default(16), on_glove_data, &plain);
    (void)subscribe(b, &contact_glove_msgs_msg_GloveData_type, "/contact_glove/right/glove_data",
                    tn_ros_qos_latched(16), on_glove_data, &latched);
    WAIT_FOR(b, latched.n_ids == 3);
    assert_false(latched.is_left);
    assert_string_equal(latched.ids[0], "P0_right");
    assert_string_equal(latched.ids[2], "P2_right");
    assert_int_equal(latched.battery[0], contact_glove_msgs_msg_GloveData_BATTERY_UNKNOWN);
    assert_int_equal(early.battery[1], 77);
    assert_string_equal(early.frame_id, "ds2/contact_glove/P2_left/wrist");
    assert_int_equal(plain.n, 0);
    // any update brings all known gloves again, to the volatile one too
    send_devices(b, 3, 76);
    WAIT_FOR(b, plain.n_ids == 3);
    assert_int_equal(plain.battery[2], 76);
}

static void ergonomics_in_degrees(void **state)
{
    struct bench *b = *state;
    static const double degrees[] = {15,   55, 20, -5,  0,  50,   90,     2.5, 22.5, 25,
                                     22.5, 0,  90, 100, 90, -1.5, -11.25, 0,   67.5, 8};
    struct seen reliable = {0};
    (void)subscribe(b, &contact_glove_msgs_msg_Ergonomics_type, "/contact_glove/left/ergonomics",
                    tn_ros_qos_default(10), on_ergonomics, &reliable);
    (void)subscribe(b, &contact_glove_msgs_msg_Ergonomics_type, "/contact_glove/left/ergonomics",
                    tn_ros_qos_sensor_data(), on_ergonomics, &b->seen);
    int64_t before_ms = tn_clock_wall_now_ns() / TN_NS_PER_MS;
    send_until_seen(b, vector_hand, sizeof vector_hand, &b->seen);
    int64_t after_ms = tn_clock_wall_now_ns() / TN_NS_PER_MS;
    for (int i = 0; i < 20; i++)
        assert_true(fabs(b->seen.values[i] - degrees[i]) < 1e-4);
    assert_string_equal(b->seen.id, "DG01_left");
    assert_true(b->seen.is_left);
    assert_string_equal(b->seen.frame_id, "ds2/contact_glove/DG01_left/wrist");
    assert_int_equal(b->seen.tracking_state, contact_glove_msgs_msg_Ergonomics_TRACKED);
    assert_in_range(b->seen.generated_at_ms, before_ms, after_ms);
    assert_in_range(b->seen.stamp_ms, b->seen.generated_at_ms, after_ms);
    // a best-effort writer never serves a reliable reader
    assert_int_equal(reliable.n, 0);
}

static void joint_states_in_radians(void **state)
{
    struct bench *b = *state;
    static const char *const fingers[] = {"thumb", "index", "middle", "ring", "little"};
    static const char *const fields[] = {"cmc", "mcp", "ip", "tilt", "mcp", "pip", "dip", "tilt"};
    struct seen ergonomics = {0};
    (void)subscribe(b, &contact_glove_msgs_msg_Ergonomics_type, "/contact_glove/left/ergonomics",
                    tn_ros_qos_sensor_data(), on_ergonomics, &ergonomics);
    (void)subscribe(b, &sensor_msgs_msg_JointState_type, "/contact_glove/left/joint_states",
                    tn_ros_qos_default(10), on_joint_state, &b->seen);
    send_until_seen(b, vector_hand, sizeof vector_hand, &b->seen);
    send_until_seen(b, vector_hand, sizeof vector_hand, &ergonomics);
    assert_string_equal(b->seen.frame_id, "");
    for (int i = 0; i < 20; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "left_%s_%s_joint", fingers[i / 4],
                       fields[i < 4 ? i : 4 + i % 4]);
        assert_string_equal(b->seen.names[i], name);
        assert_true(fabs(b->seen.values[i] - ergonomics.values[i] * PI / 180) < 1e-6);
    }
}

static void controller_and_wrist(void **state)
{
    struct bench *b = *state;
    static const double values[] = {0, 1, 2, 0, 1, 2, 0.5, 0.25, 1, -1, 1, -0.5, 0};
    struct seen orientation = {0};
    (void)subscribe(b, &contact_glove_msgs_msg_Controller_type, "/contact_glove/left/controller",
                    tn_ros_qos_sensor_data(), on_controller, &b->seen);
    (void)subscribe(b, &geometry_msgs_msg_QuaternionStamped_type,
                    "/contact_glove/right/wrist_orientation", tn_ros_qos_sensor_data(), on_wrist,
                    &orientation);
    send_until_seen(b, vector_controller, sizeof vector_controller, &b->seen);
    for (size_t i = 0; i < TN_ARRAY_SIZE(values); i++)
        assert_true(fabs(b->seen.values[i] - values[i]) < 1e-6);
    assert_string_equal(b->seen.id, "DG01_left");
    send_until_seen(b, vector_wrist, sizeof vector_wrist, &orientation);
    assert_string_equal(orientation.frame_id, "ds2/contact_glove/DG01_right/wrist");
    // wire w, x, y, z = 0.5, -0.5, 0.5, 0.5
    static const double xyzw[] = {-0.5, 0.5, 0.5, 0.5};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(orientation.values[i] - xyzw[i]) < 1e-6);
}

static void publish_haptics(struct bench *b, struct tn_ros_publisher *publisher, const char *id,
                            bool is_left, float amplitude)
{
    struct contact_glove_msgs_msg_HapticsBody msg;
    contact_glove_msgs_msg_HapticsBody_init(&msg);
    msg.id = tn_str_from(id);
    msg.is_left = is_left;
    msg.frequency = 160;
    msg.amplitude = amplitude;
    msg.duration = 0.25f;
    (void)b;
    assert_int_equal(tn_ros_publish(publisher, &msg), TN_OK);
}

static void haptics_reach_the_glove(void **state)
{
    struct bench *b = *state;
    struct tn_ros_publisher *publisher = NULL;
    struct tn_error err = {0};
    assert_int_equal(tn_ros_publisher_create(b->ros, &contact_glove_msgs_msg_HapticsBody_type,
                                             "/contact_glove/left/haptics_body",
                                             tn_ros_qos_default(10), &publisher, &err),
                     TN_OK);
    (void)subscribe(b, &contact_glove_msgs_msg_Ergonomics_type, "/contact_glove/left/ergonomics",
                    tn_ros_qos_sensor_data(), on_ergonomics, &b->seen);
    send_until_seen(b, vector_hand, sizeof vector_hand, &b->seen);
    WAIT_FOR(b, tn_ros_publisher_matched(publisher) > 0);
    publish_haptics(b, publisher, "DG01_left", true, 0.5f);
    WAIT_FOR(b, b->requests[TN_CONTACT_HAPTICS_BODY] == 1);
    assert_int_equal(b->haptics_size, sizeof vector_haptics_body);
    assert_memory_equal(b->haptics, vector_haptics_body, sizeof vector_haptics_body);
    // an unknown glove is named, with those that are known
    publish_haptics(b, publisher, "DG99_left", true, 0.5f);
    WAIT_FOR(b, strstr(b->log, "DG99_left") != NULL);
    assert_non_null(strstr(b->log, "known: DG01_left"));
    assert_int_equal(b->requests[TN_CONTACT_HAPTICS_BODY], 1);
    // the topic's side wins, an empty id means the only glove, values are clamped
    publish_haptics(b, publisher, "", false, 7.0f);
    WAIT_FOR(b, b->requests[TN_CONTACT_HAPTICS_BODY] == 2);
    WAIT_FOR(b, strstr(b->log, "the topic's side is taken") != NULL);
    static const uint8_t one[] = {0x3f, 0x80, 0, 0};
    assert_memory_equal(b->haptics + sizeof vector_haptics_body - 8, one, sizeof one);
    assert_int_equal(b->haptics[sizeof vector_haptics_body - 13], 1);
}

static void silence_disconnects_the_gloves(void **state)
{
    struct bench *b = *state;
    (void)subscribe(b, &contact_glove_msgs_msg_GloveData_type, "/contact_glove/left/glove_data",
                    tn_ros_qos_latched(16), on_glove_data, &b->seen);
    send_devices(b, 2, 50);
    WAIT_FOR(b, b->seen.n_ids == 2 && b->seen.is_connected[0] && b->seen.is_connected[1]);
    b->requests[TN_CONTACT_CONNECT] = 0;
    WAIT_FOR(b, !b->seen.is_connected[0] && !b->seen.is_connected[1]);
    // asked again meanwhile, and all is well when it returns
    WAIT_FOR(b, b->requests[TN_CONTACT_CONNECT] >= 2);
    send_devices(b, 2, 50);
    WAIT_FOR(b, b->seen.is_connected[0] && b->seen.is_connected[1]);
    assert_false(b->is_exited);
}

static void busy_port_ends_the_second_node(void **state)
{
    struct bench *b = *state;
    b->log_size = 0;
    start_node(b, &b->second, "send_port:=0");
    WAIT_FOR(b, b->is_second_exited);
    assert_int_equal(b->second_exit_code, 1);
    assert_non_null(strstr(b->log, "25788"));
    assert_non_null(strstr(b->log, "receive_port"));
    assert_false(b->is_exited);
}

static void other_protocols_are_refused(void **state)
{
    struct bench *b = *state;
    static const char *const bad[] = {"protocol:=v2", "protocol:=auto", "receive_port:=0",
                                      "namespace:=//", "left_joint_state_glove_id:=a/b"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(bad[i], ":"), bad[i]);
        b->log_size = 0;
        memset(b->log, 0, sizeof b->log);
        b->is_second_exited = false;
        start_node(b, &b->second, bad[i]);
        WAIT_FOR(b, b->is_second_exited);
        assert_int_equal(b->second_exit_code, 1);
        assert_non_null(strstr(b->log, name));
        tn_process_destroy(&b->second);
    }
}

static bool is_stopped(pid_t pid)
{
    char path[64], text[256];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    const char *state = strrchr(text, ')');
    return state != NULL && state[2] == 'T';
}

/// What waited while the driver stood still keeps the time at which it came.
static void a_stopped_driver_shows_true_times(void **state)
{
    struct bench *b = *state;
    (void)subscribe(b, &contact_glove_msgs_msg_Ergonomics_type, "/contact_glove/left/ergonomics",
                    tn_ros_qos_sensor_data(), on_ergonomics, &b->seen);
    send_until_seen(b, vector_hand, sizeof vector_hand, &b->seen);
    assert_int_equal(tn_process_signal(b->process, SIGSTOP), TN_OK);
    WAIT_FOR(b, is_stopped(tn_process_pid(b->process)));
    // what was under way before has come by now
    int64_t until_ns = tn_clock_steady_now_ns() + 200 * TN_NS_PER_MS;
    WAIT_FOR(b, tn_clock_steady_now_ns() > until_ns);
    uint32_t before = b->seen.n;
    int64_t sent_from_ms = tn_clock_wall_now_ns() / TN_NS_PER_MS;
    send_bytes(b, vector_hand, sizeof vector_hand);
    int64_t sent_to_ms = tn_clock_wall_now_ns() / TN_NS_PER_MS;
    until_ns = tn_clock_steady_now_ns() + 500 * TN_NS_PER_MS;
    WAIT_FOR(b, tn_clock_steady_now_ns() > until_ns);
    assert_int_equal(b->seen.n, before);
    assert_int_equal(tn_process_signal(b->process, SIGCONT), TN_OK);
    // an earlier one may have waited unread since before the stop: it comes first, with its own
    // time
    WAIT_FOR(b, b->seen.n > before && (int64_t)b->seen.generated_at_ms >= sent_from_ms);
    assert_in_range(b->seen.generated_at_ms, sent_from_ms, sent_to_ms);
    assert_true(b->seen.stamp_ms - (int64_t)b->seen.generated_at_ms >= 499);
}

/// The shipped file names every parameter, and the node takes it.
static void parameter_file_is_complete(void **state)
{
    struct bench *b = *state;
    char path[512], program[512], text[8192];
    const char *root = getenv("TN_SOURCE_DIR"), *prefix = getenv("TN_PREFIX");
    uint32_t n = 0;
    (void)snprintf(path, sizeof path, "%s/share/contact_glove/config/contact_glove.yaml",
                   root != NULL ? root : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    (void)fclose(file);
    const struct tn_ros_param *params = tn_node_contact_glove_params(&n);
    for (uint32_t i = 0; i < n; i++) {
        char key[80];
        (void)snprintf(key, sizeof key, "\n    %s: %s", params[i].name, params[i].default_yaml);
        if (strstr(text, key) == NULL)
            fail_msg("%s lacks \"%s\"", path, key + 1);
    }
    // it is read: it takes the port that the running node has
    (void)snprintf(program, sizeof program, "%s/lib/contact_glove/contact_glove_node",
                   prefix != NULL ? prefix : ".");
    const char *const argv[] = {program, "--ros-args", "--params-file", path, NULL};
    const struct tn_process_options options = {
        .name = "node", .argv = argv, .on_exit = on_exit_of, .on_line = on_line, .context = b};
    struct tn_error err = {0};
    b->log_size = 0;
    assert_int_equal(tn_process_start(b->loop, &options, &b->second, &err), TN_OK);
    WAIT_FOR(b, b->is_second_exited);
    assert_non_null(strstr(b->log, "25788"));
}

static void leaves_politely(void **state)
{
    struct bench *b = *state;
    (void)subscribe(b, &contact_glove_msgs_msg_GloveData_type, "/contact_glove/left/glove_data",
                    tn_ros_qos_latched(16), on_glove_data, &b->seen);
    send_devices(b, 1, 50);
    WAIT_FOR(b, b->seen.n_ids == 1);
    tn_process_stop(b->process, DEADLINE_NS, DEADLINE_NS);
    WAIT_FOR(b, b->is_exited && b->requests[TN_CONTACT_DISCONNECT] == 2);
    assert_int_equal(b->exit_code, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(late_joiner_sees_every_glove),
        TEST(ergonomics_in_degrees),
        TEST(joint_states_in_radians),
        TEST(controller_and_wrist),
        TEST(haptics_reach_the_glove),
        TEST(silence_disconnects_the_gloves),
        TEST(busy_port_ends_the_second_node),
        TEST(other_protocols_are_refused),
        TEST(a_stopped_driver_shows_true_times),
        TEST(parameter_file_is_complete),
        TEST(leaves_politely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
