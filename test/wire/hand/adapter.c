// SPDX-License-Identifier: Apache-2.0
// hand_model_adapter as its own process; this one plays the glove's driver and reads what comes out
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/process.h"
#include "hand/contact.h"
#include "hand/model.h"
#include "nodes/convert/hand_frame.h"
#include "ros/node.h"
#include "ros/tf.h"
#include "tn_msgs/contact_glove_msgs.h"
#include "tn_msgs/diagnostic_msgs.h"
#include "tn_msgs/tf2_msgs.h"

enum { MAX_STAMPS = 65536, DEADLINE_S = 60 };

#define BIT(i) (UINT32_C(1) << (i))

static const char hand_name[] = "ds2/contact_glove/g1/hand";

// one run of the adapter and what was seen of it
struct bench {
    struct tn_loop *loop;
    struct tn_ros_context *context;
    struct tn_ros_node *node;
    struct tn_ros_publisher *ergonomics, *glove_data;
    struct tn_process *adapter;
    struct tn_loop_timer tick;
    // what is sent
    uint64_t last_ms;
    uint64_t good_ms[MAX_STAMPS]; // stamps that may come back
    uint32_t n_good;
    bool is_spoilt, is_twice; // besides the good ones: bad ones; each good one twice
    uint32_t n_ticks;
    uint64_t stopped_from_ms, stopped_to_ms; // sent while the adapter stood still, then grown old
    // what came back
    uint32_t n_old;
    uint32_t n_frames, n_foreign, n_not_later, n_refused, n_active;
    struct tn_hand_frame frame;
    char frame_id[TN_TF_FRAME_MAX];
    uint64_t rejected_not_finite, rejected_side, rejected_not_tracked, rejected_range, repeated,
        rejected_other_device, rejected_disconnected, rejected_id, reordered;
    char link[32];
    bool has_static;
    struct tn_quat q_static;
    char static_parent[TN_TF_FRAME_MAX];
    uint32_t n_node_transforms;
    struct tn_vec3 tip_tf;
};

static float degrees_of(unsigned i)
{
    return (float)(2 + 3 * (int)i) * (i % 2 == 0 ? 1.0f : -0.5f);
}

static struct contact_glove_msgs_msg_Ergonomics good_message(uint64_t stamp_ms)
{
    struct contact_glove_msgs_msg_Ergonomics msg;
    contact_glove_msgs_msg_Ergonomics_init(&msg);
    msg.header.frame_id = tn_str_from("ds2/contact_glove/g1/wrist");
    msg.header.stamp.sec = 7; // conversion time: must not be taken for the identity
    msg.id = tn_str_from("g1");
    msg.is_left = false;
    msg.generated_at_ms = stamp_ms;
    msg.thumb.cmc = degrees_of(0);
    msg.thumb.mcp = degrees_of(1);
    msg.thumb.ip = degrees_of(2);
    msg.thumb.tilt = degrees_of(3);
    struct contact_glove_msgs_msg_ErgonomicsFinger *fingers[] = {&msg.index, &msg.middle, &msg.ring,
                                                                 &msg.little};
    for (unsigned f = 0; f < 4; f++) {
        fingers[f]->mcp = degrees_of(4 + 4 * f);
        fingers[f]->pip = degrees_of(5 + 4 * f);
        fingers[f]->dip = degrees_of(6 + 4 * f);
        fingers[f]->tilt = degrees_of(7 + 4 * f);
    }
    return msg;
}

static void send(struct bench *b, const struct contact_glove_msgs_msg_Ergonomics *msg)
{
    if (b->ergonomics != NULL) {
        assert_int_equal(tn_ros_publish(b->ergonomics, msg), TN_OK);
    }
}

// every message that must not come out, each with a stamp of its own
static void send_spoilt(struct bench *b, uint64_t stamp_ms)
{
    struct contact_glove_msgs_msg_Ergonomics msg = good_message(stamp_ms);
    switch (b->n_ticks % 7) {
    case 0:
        msg.ring.dip = NAN;
        break;
    case 1:
        msg.is_left = true;
        break;
    case 2:
        msg.tracking_state = contact_glove_msgs_msg_Ergonomics_IK_FAILED;
        break;
    case 3:
        msg.thumb.tilt = 201.0f;
        break;
    case 4:
        msg.id = tn_str_from("another");
        break;
    case 5:
        msg.id = tn_str_from("a/b");
        break;
    default:
        msg.generated_at_ms = stamp_ms - 500; // older than what was used
        break;
    }
    send(b, &msg);
}

static void on_tick(void *any)
{
    struct bench *b = any;
    uint64_t now_ms = (uint64_t)(tn_clock_wall_now_ns() / TN_NS_PER_MS);
    uint64_t stamp_ms = now_ms > b->last_ms ? now_ms : b->last_ms + 1;
    b->n_ticks++;
    if (b->is_spoilt) {
        send_spoilt(b, stamp_ms);
        stamp_ms++;
    }
    b->last_ms = stamp_ms;
    assert_true(b->n_good < MAX_STAMPS);
    b->good_ms[b->n_good++] = stamp_ms;
    struct contact_glove_msgs_msg_Ergonomics msg = good_message(stamp_ms);
    send(b, &msg);
    if (b->is_twice) {
        send(b, &msg);
    }
}

static bool is_known(const struct bench *b, int64_t stamp_ros_ns)
{
    for (uint32_t i = b->n_good; i > 0; i--) {
        if ((int64_t)b->good_ms[i - 1] * TN_NS_PER_MS == stamp_ros_ns) {
            return true;
        }
    }
    return false;
}

static void on_hand(void *any, const void *message, const struct tn_ros_message_info *info)
{
    struct bench *b = any;
    (void)info;
    const struct tendon_msgs_msg_HandFrame *msg = message;
    struct tn_hand_frame frame;
    if (tn_convert_hand_frame_from_msg(msg, &frame) != TN_OK) {
        b->n_refused++;
        return;
    }
    b->n_foreign += is_known(b, frame.stamp_ros_ns) ? 0 : 1;
    b->n_not_later += b->n_frames > 0 && frame.stamp_ros_ns <= b->frame.stamp_ros_ns ? 1 : 0;
    uint64_t stamp_ms = (uint64_t)(frame.stamp_ros_ns / TN_NS_PER_MS);
    b->n_old += stamp_ms >= b->stopped_from_ms && stamp_ms <= b->stopped_to_ms ? 1 : 0;
    b->n_active += frame.link == TN_LINK_ACTIVE ? 1 : 0;
    snprintf(b->frame_id, sizeof b->frame_id, "%.*s", (int)msg->header.frame_id.size,
             msg->header.frame_id.data);
    b->frame = frame;
    b->n_frames++;
}

static void read_value(struct bench *b, const struct diagnostic_msgs_msg_KeyValue *value)
{
    const struct {
        const char *key;
        uint64_t *to;
    } rows[] = {{"rejected_not_finite", &b->rejected_not_finite},
                {"rejected_side", &b->rejected_side},
                {"rejected_not_tracked", &b->rejected_not_tracked},
                {"rejected_range", &b->rejected_range},
                {"rejected_id", &b->rejected_id},
                {"rejected_other_device", &b->rejected_other_device},
                {"rejected_disconnected", &b->rejected_disconnected},
                {"repeated", &b->repeated},
                {"reordered", &b->reordered}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        if (tn_str_is(value->key, rows[i].key)) {
            uint64_t count = 0;
            assert_int_equal(
                tn_parse_u64(value->value.data, value->value.size, 0, UINT64_MAX, &count), TN_OK);
            *rows[i].to = count;
        }
    }
}

static void on_diagnostics(void *any, const void *message, const struct tn_ros_message_info *info)
{
    struct bench *b = any;
    (void)info;
    const struct diagnostic_msgs_msg_DiagnosticArray *msg = message;
    for (uint32_t i = 0; i < msg->status.size; i++) {
        const struct diagnostic_msgs_msg_DiagnosticStatus *status = &msg->status.data[i];
        if (!tn_str_is(status->name, "hand_model_adapter: right hand")) {
            continue;
        }
        snprintf(b->link, sizeof b->link, "%.*s", (int)status->message.size, status->message.data);
        for (uint32_t k = 0; k < status->values.size; k++) {
            read_value(b, &status->values.data[k]);
        }
    }
}

static void on_static(void *any, const void *message, const struct tn_ros_message_info *info)
{
    struct bench *b = any;
    (void)info;
    const struct tf2_msgs_msg_TFMessage *msg = message;
    for (uint32_t i = 0; i < msg->transforms.size; i++) {
        const struct geometry_msgs_msg_TransformStamped *tf = &msg->transforms.data[i];
        if (tn_str_is(tf->child_frame_id, hand_name)) {
            b->has_static = true;
            b->q_static = (struct tn_quat){tf->transform.rotation.x, tf->transform.rotation.y,
                                           tf->transform.rotation.z, tf->transform.rotation.w};
            snprintf(b->static_parent, sizeof b->static_parent, "%.*s",
                     (int)tf->header.frame_id.size, tf->header.frame_id.data);
        }
    }
}

static void on_tf(void *any, const void *message, const struct tn_ros_message_info *info)
{
    struct bench *b = any;
    (void)info;
    const struct tf2_msgs_msg_TFMessage *msg = message;
    for (uint32_t i = 0; i < msg->transforms.size; i++) {
        const struct geometry_msgs_msg_TransformStamped *tf = &msg->transforms.data[i];
        assert_true(tn_str_is(tf->header.frame_id, hand_name));
        if (tn_str_is(tf->child_frame_id, "ds2/contact_glove/g1/hand/index_tip")) {
            b->n_node_transforms = msg->transforms.size;
            b->tip_tf = tn_vec3(tf->transform.translation.x, tf->transform.translation.y,
                                tf->transform.translation.z);
        }
    }
}

// ---- waiting: an event with a deadline that only a broken program reaches ----

typedef bool (*claim_fn)(const struct bench *b);

static void wait_until(struct bench *b, claim_fn holds, const char *what)
{
    int64_t end_ns = tn_clock_steady_now_ns() + DEADLINE_S * TN_NS_PER_S;
    while (!holds(b)) {
        if (tn_clock_steady_now_ns() > end_ns) {
            fail_msg("waited %d s in vain for: %s (frames %u, link '%s')", DEADLINE_S, what,
                     b->n_frames, b->link);
        }
        (void)tn_loop_run_once(b->loop, 20 * TN_NS_PER_MS);
    }
    assert_int_equal(b->n_foreign, 0);
    assert_int_equal(b->n_not_later, 0);
    assert_int_equal(b->n_refused, 0);
}

// ---- start and end ----

static void open_writer(struct bench *b)
{
    struct tn_error err = {0};
    if (tn_ros_publisher_create(b->node, &contact_glove_msgs_msg_Ergonomics_type,
                                "/contact_glove/right/ergonomics", tn_ros_qos_sensor_data(),
                                &b->ergonomics, &err) != TN_OK) {
        fail_msg("publisher: %s", err.text);
    }
}

static void subscribe(struct bench *b, const struct tn_type *type, const char *topic,
                      struct tn_ros_qos qos, tn_ros_message_fn callback)
{
    struct tn_error err = {0};
    struct tn_ros_subscription *subscription = NULL;
    if (tn_ros_subscription_create(b->node, type, topic, qos, callback, b, &subscription, &err) !=
        TN_OK) {
        fail_msg("%s: %s", topic, err.text);
    }
}

static void start_adapter(struct bench *b)
{
    char path[512];
    const char *prefix = getenv("TN_PREFIX");
    snprintf(path, sizeof path, "%s/lib/tendon/hand_model_adapter", prefix != NULL ? prefix : ".");
    const char *const argv[] = {path, NULL};
    struct tn_process_options options = {.name = "adapter", .argv = argv, .context = b};
    struct tn_error err = {0};
    if (tn_process_start(b->loop, &options, &b->adapter, &err) != TN_OK) {
        fail_msg("%s: %s", path, err.text);
    }
}

static int set_up(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    struct tn_error err = {0};
    const char *const argv[] = {"test", NULL};
    struct tn_ros_node_options options = {.name = "driver", .ns = "/test"};
    if (b == NULL || tn_loop_create(tn_clock_system(), &b->loop, &err) != TN_OK ||
        tn_ros_context_create(b->loop, 1, argv, &b->context, &err) != TN_OK ||
        tn_ros_node_create(b->context, &options, &b->node, &err) != TN_OK ||
        tn_ros_publisher_create(b->node, &contact_glove_msgs_msg_GloveData_type,
                                "/contact_glove/right/glove_data", tn_ros_qos_latched(16),
                                &b->glove_data, &err) != TN_OK) {
        fprintf(stderr, "set up: %s\n", err.text);
        return -1;
    }
    struct tn_ros_qos pose = tn_ros_qos_sensor_data();
    open_writer(b);
    subscribe(b, &tendon_msgs_msg_HandFrame_type, "/contact_glove/right/hand", pose, on_hand);
    subscribe(b, &diagnostic_msgs_msg_DiagnosticArray_type, "/diagnostics", tn_ros_qos_default(10),
              on_diagnostics);
    subscribe(b, &tf2_msgs_msg_TFMessage_type, "/tf_static", tn_ros_qos_latched(1), on_static);
    subscribe(b, &tf2_msgs_msg_TFMessage_type, "/tf", tn_ros_qos_default(100), on_tf);
    start_adapter(b);
    tn_loop_timer_start(b->loop, &b->tick, 0, 10 * TN_NS_PER_MS, on_tick, b);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;
    tn_loop_timer_stop(&b->tick);
    tn_process_destroy(&b->adapter);
    tn_ros_node_destroy(&b->node);
    tn_ros_context_destroy(&b->context);
    tn_loop_destroy(&b->loop);
    free(b);
    return 0;
}

static bool has_active(const struct bench *b)
{
    return b->n_active > 0 && b->frame.link == TN_LINK_ACTIVE;
}

static bool has_some_active(const struct bench *b)
{
    return b->n_active >= 20;
}

// ---- tests ----

static void values_and_identity_arrive(void **state)
{
    struct bench *b = *state;
    wait_until(b, has_active, "a frame whose age is known");
    float degrees[TN_HAND_CONTACT_ANGLES];
    for (unsigned i = 0; i < TN_HAND_CONTACT_ANGLES; i++) {
        degrees[i] = degrees_of(i);
    }
    double angles[TN_HAND_ANGLES];
    uint32_t valid = 0, node_valid = 0;
    assert_int_equal(tn_hand_contact_to_angles(degrees, angles, &valid), TN_OK);
    struct tn_hand_model model;
    struct tn_pose nodes[TN_HAND_NODES];
    assert_int_equal(tn_hand_model_init(&model, tn_hand_shape_default(), TN_SIDE_RIGHT), TN_OK);
    assert_int_equal(tn_hand_fk(&model, angles, valid, nodes, &node_valid), TN_OK);

    assert_string_equal(b->frame_id, hand_name);
    assert_string_equal(b->frame.device_id, "g1");
    assert_int_equal(b->frame.side, TN_SIDE_RIGHT);
    assert_int_equal(b->frame.stamp_kind, TN_STAMP_ARRIVAL);
    assert_false(b->frame.has_source_sequence);
    assert_int_equal(b->frame.node_valid, TN_HAND_MODEL_NODE_MASK);
    assert_int_equal(b->frame.angle_valid, valid);
    assert_memory_equal(b->frame.angles, angles, sizeof angles);
    for (unsigned i = 0; i < TN_HAND_MODEL_NODES; i++) {
        assert_true(tn_vec3_distance(b->frame.nodes[i].p, nodes[i].p) < 1e-12);
        assert_true(tn_quat_dot(b->frame.nodes[i].q, nodes[i].q) > 1.0 - 1e-12);
    }
}

static bool has_transforms(const struct bench *b)
{
    return b->has_static && b->n_node_transforms > 0;
}

static void the_frame_tree_hangs_below_the_wrist(void **state)
{
    struct bench *b = *state;
    wait_until(b, has_active, "a frame whose age is known");
    wait_until(b, has_transforms, "transforms of the hand");
    assert_string_equal(b->static_parent, "ds2/contact_glove/g1/wrist");
    assert_true(fabs(tn_quat_dot(b->q_static, tn_hand_contact_q_wrist_hand())) > 1.0 - 1e-12);
    assert_int_equal(b->n_node_transforms, TN_HAND_MODEL_NODES);
    assert_true(tn_vec3_distance(b->tip_tf, b->frame.nodes[TN_NODE_INDEX_TIP].p) < 1e-12);
}

static bool has_dropped_every_kind(const struct bench *b)
{
    return b->rejected_not_finite > 0 && b->rejected_side > 0 && b->rejected_not_tracked > 0 &&
           b->rejected_range > 0 && b->rejected_other_device > 0 && b->rejected_id > 0 &&
           b->reordered > 0 && b->repeated > 0;
}

static void bad_and_repeated_samples_are_dropped_and_counted(void **state)
{
    struct bench *b = *state;
    wait_until(b, has_active, "a frame whose age is known");
    b->is_spoilt = true;
    b->is_twice = true;
    // wait_until itself fails on a stamp that was not sent as good, or that comes twice
    wait_until(b, has_dropped_every_kind, "a count of every kind of dropped sample");
    b->n_active = 0;
    wait_until(b, has_some_active, "frames that go on");
}

static void a_restarted_writer_begins_a_stream(void **state)
{
    struct bench *b = *state;
    wait_until(b, has_some_active, "a running stream");
    uint64_t before = b->frame.stream_id;
    uint64_t sequence = b->frame.sequence;
    assert_true(sequence > 0);
    tn_ros_publisher_destroy(&b->ergonomics);
    open_writer(b);
    // frames of the old writer may still be on their way
    int64_t end_ns = tn_clock_steady_now_ns() + DEADLINE_S * TN_NS_PER_S;
    while (b->frame.stream_id == before && tn_clock_steady_now_ns() < end_ns) {
        (void)tn_loop_run_once(b->loop, 20 * TN_NS_PER_MS);
    }
    assert_int_equal(b->frame.stream_id, before + 1);
    b->n_active = 0;
    wait_until(b, has_some_active, "frames of the new stream");
    assert_int_equal(b->frame.stream_id, before + 1);
}

static void report_glove(struct bench *b, bool is_connected)
{
    struct contact_glove_msgs_msg_GloveData msg;
    contact_glove_msgs_msg_GloveData_init(&msg);
    msg.id = tn_str_from("g1");
    msg.is_connected = is_connected;
    assert_int_equal(tn_ros_publish(b->glove_data, &msg), TN_OK);
}

static bool is_disconnected(const struct bench *b)
{
    return strcmp(b->link, "disconnected") == 0 && b->rejected_disconnected > 0;
}

static void a_disconnected_glove_is_not_followed(void **state)
{
    struct bench *b = *state;
    wait_until(b, has_some_active, "a running stream");
    uint64_t before = b->frame.stream_id;
    report_glove(b, false);
    wait_until(b, is_disconnected, "the end of the stream");
    report_glove(b, true);
    b->n_active = 0;
    wait_until(b, has_some_active, "the glove's return");
    assert_true(b->frame.stream_id > before);
}

static void a_restarted_adapter_repeats_nothing(void **state)
{
    struct bench *b = *state;
    wait_until(b, has_some_active, "a running stream");
    uint64_t before = b->frame.stream_id;
    tn_process_destroy(&b->adapter);
    start_adapter(b);
    b->n_active = 0;
    wait_until(b, has_some_active, "frames of the new adapter");
    assert_true(b->frame.stream_id > before);
}

static bool is_stopped(const struct bench *b)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)tn_process_pid(b->adapter));
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        (void)!fgets(text, sizeof text, file);
        fclose(file);
    }
    return strstr(text, ") T ") != NULL;
}

static bool has_sent_and_aged(const struct bench *b)
{
    uint64_t now_ms = (uint64_t)(tn_clock_wall_now_ns() / TN_NS_PER_MS);
    return b->n_ticks >= 20 && (b->tick.is_running || now_ms > b->last_ms + 300);
}

static void what_piled_up_during_a_stop_is_never_published(void **state)
{
    struct bench *b = *state;
    wait_until(b, has_some_active, "a running stream");
    tn_loop_timer_stop(&b->tick);
    assert_int_equal(tn_process_signal(b->adapter, SIGSTOP), TN_OK);
    wait_until(b, is_stopped, "the adapter to stand still");
    // frames that the adapter finds when it wakes, older than the limit by then
    b->stopped_from_ms = b->last_ms + 1;
    b->n_ticks = 0;
    tn_loop_timer_start(b->loop, &b->tick, 0, 10 * TN_NS_PER_MS, on_tick, b);
    wait_until(b, has_sent_and_aged, "frames sent");
    tn_loop_timer_stop(&b->tick);
    b->stopped_to_ms = b->last_ms;
    wait_until(b, has_sent_and_aged, "frames that are old");
    assert_int_equal(tn_process_signal(b->adapter, SIGCONT), TN_OK);
    tn_loop_timer_start(b->loop, &b->tick, 0, 10 * TN_NS_PER_MS, on_tick, b);
    b->n_active = 0;
    wait_until(b, has_some_active, "frames that go on");
    assert_int_equal(b->n_old, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_and_identity_arrive, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_frame_tree_hangs_below_the_wrist, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_and_repeated_samples_are_dropped_and_counted, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_restarted_writer_begins_a_stream, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_disconnected_glove_is_not_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_piled_up_during_a_stop_is_never_published, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_restarted_adapter_repeats_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
