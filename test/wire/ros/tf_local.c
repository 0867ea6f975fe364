// SPDX-License-Identifier: Apache-2.0
// Broadcaster and listener in one process; waiting; names; time that jumps.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ros/tf.h"
#include "ros/tf_listener.h"
#include "tn_msgs/rosgraph_msgs.h"
#include "tn_msgs/tf2_msgs.h"
#include "wire/ros/harness.h"

#define S TN_NS_PER_S

struct rig {
    struct harness h;
    struct tn_ros_node *other; ///< on wall time, with nothing remapped
    struct tn_tf_broadcaster *broadcaster;
    struct tn_tf_listener *listener;
    struct tn_ros_publisher *clock;

    struct tn_tf_wait waits[3];
    uint32_t n_calls;
    enum tn_result result;
    struct tn_tf_result transform;
    char text[TN_ERROR_TEXT_MAX];
    struct tn_tf_wait *to_stop;
    bool must_go_on;
};

static void open_rig(struct rig *rig, int argc, const char *const *argv)
{
    struct tn_error err = {0};
    struct tn_ros_node_options options = {.name = "other", .ns = "/elsewhere"};
    memset(rig, 0, sizeof *rig);
    harness_open_with(&rig->h, argc, argv);
    assert_int_equal(tn_ros_node_create(rig->h.context, &options, &rig->other, &err), TN_OK);
    assert_int_equal(tn_tf_broadcaster_create(rig->other, &rig->broadcaster, &err), TN_OK);
    assert_int_equal(tn_tf_listener_create(rig->h.node, NULL, &rig->listener, &err), TN_OK);
    assert_int_equal(tn_ros_publisher_create(rig->other, &rosgraph_msgs_msg_Clock_type, "/clock",
                                             tn_ros_qos_default(1), &rig->clock, &err),
                     TN_OK);
}

static void open_plain(struct rig *rig)
{
    static const char *const argv[] = {"tester", NULL};
    open_rig(rig, 1, argv);
}

static void close_rig(struct rig *rig)
{
    tn_tf_listener_destroy(&rig->listener);
    tn_tf_broadcaster_destroy(&rig->broadcaster);
    tn_ros_node_destroy(&rig->other);
    harness_close(&rig->h);
}

static void send(struct rig *rig, const char *parent, const char *child, int64_t stamp_ros_ns,
                 double x)
{
    struct tn_tf tf = {.stamp_ros_ns = stamp_ros_ns,
                       .parent = parent,
                       .child = child,
                       .T_parent_child = {.p = {x, 0, 0}, .q = tn_quat_identity()}};
    assert_int_equal(tn_tf_send(rig->broadcaster, &tf, 1), TN_OK);
}

static bool knows_base(void *context)
{
    const struct rig *rig = context;
    return tn_tf_buffer_can_transform(tn_tf_listener_buffer(rig->listener), "map", "base", 0);
}

static void broadcasters_of_this_process_are_heard(void **state)
{
    struct rig rig;
    struct tn_tf_frame_info info;
    (void)state;
    open_plain(&rig);
    send(&rig, "map", "base", 10 * S, 3);
    harness_wait(&rig.h, knows_base, &rig, "a transform of this process");
    assert_int_equal(tn_tf_buffer_frame(tn_tf_listener_buffer(rig.listener), 0, &info), TN_OK);
    // who sent it is known
    static const struct tn_tf_authority nobody;
    assert_string_equal(info.name, "base");
    assert_memory_not_equal(&info.authority, &nobody, sizeof nobody);
    close_rig(&rig);
}

// ---- waiting ----

static void on_transform(void *context, enum tn_result result, const struct tn_tf_result *transform,
                         const struct tn_error *err)
{
    struct rig *rig = context;
    rig->n_calls++;
    rig->result = result;
    assert_int_equal(result == TN_OK, transform != NULL);
    assert_int_equal(result == TN_OK, err == NULL);
    if (transform != NULL)
        rig->transform = *transform;
    if (err != NULL)
        (void)snprintf(rig->text, sizeof rig->text, "%s", err->text);
    if (rig->to_stop != NULL)
        tn_tf_wait_stop(rig->to_stop);
    if (rig->must_go_on) {
        rig->must_go_on = false;
        assert_int_equal(tn_tf_wait_start(rig->listener, &rig->waits[0], "map", "base", 20 * S,
                                          40 * S, on_transform, rig),
                         TN_OK);
    }
}

static bool has_called(void *context)
{
    const struct rig *rig = context;
    return rig->n_calls > 0;
}

static enum tn_result wait_for(struct rig *rig, int i, const char *source, int64_t time_ns,
                               int64_t timeout_ns)
{
    return tn_tf_wait_start(rig->listener, &rig->waits[i], "map", source, time_ns, timeout_ns,
                            on_transform, rig);
}

static void waits_end_with_the_transform_or_in_time(void **state)
{
    struct rig rig;
    (void)state;
    open_plain(&rig);
    assert_int_equal(wait_for(&rig, 0, "", 0, S), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(wait_for(&rig, 0, "/base", 0, S), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(wait_for(&rig, 0, "base", -1, S), TN_ERR_INVALID_ARGUMENT);
    char longest[TN_TF_NAME_MAX + 1];
    memset(longest, 'n', TN_TF_NAME_MAX);
    longest[TN_TF_NAME_MAX] = '\0';
    assert_int_equal(wait_for(&rig, 0, longest, 0, S), TN_ERR_LIMIT);

    // a frame nobody knows yet
    assert_int_equal(wait_for(&rig, 0, "base", 10 * S, 40 * S), TN_OK);
    send(&rig, "map", "base", 9 * S, 1);
    harness_wait(&rig.h, knows_base, &rig, "the transform before");
    assert_int_equal(rig.n_calls, 0);
    send(&rig, "map", "base", 11 * S, 3);
    harness_wait(&rig.h, has_called, &rig, "the end of a wait");
    assert_int_equal(rig.result, TN_OK);
    assert_true(fabs(rig.transform.T_target_source.p.x - 2) < 1e-9);

    // one that is there: not from inside the call, once
    rig.n_calls = 0;
    assert_int_equal(wait_for(&rig, 0, "base", 10 * S, 40 * S), TN_OK);
    assert_int_equal(rig.n_calls, 0);
    harness_wait(&rig.h, has_called, &rig, "what is there already");
    harness_run(&rig.h, 50 * TN_NS_PER_MS);
    assert_int_equal(rig.n_calls, 1);

    // in vain: what was missing is said
    rig.n_calls = 0;
    assert_int_equal(wait_for(&rig, 0, "base", 12 * S, 20 * TN_NS_PER_MS), TN_OK);
    harness_wait(&rig.h, has_called, &rig, "a timeout");
    assert_int_equal(rig.result, TN_ERR_TIMEOUT);
    assert_non_null(strstr(rig.text, "1.000000000 s in the future"));
    assert_null(rig.waits[0].listener);
    close_rig(&rig);
}

static void waits_may_be_stopped_and_started_in_a_callback(void **state)
{
    struct rig rig;
    (void)state;
    open_plain(&rig);
    // whichever comes first stops the one in the middle
    for (int i = 0; i < 3; i++)
        assert_int_equal(wait_for(&rig, i, "base", 10 * S, 40 * S), TN_OK);
    rig.to_stop = &rig.waits[1];
    rig.must_go_on = true;
    send(&rig, "map", "base", 10 * S, 1);
    harness_wait(&rig.h, has_called, &rig, "waits that end together");
    // the last one begun is called, stops the second and begins the first anew
    assert_int_equal(rig.n_calls, 1);
    assert_null(rig.waits[1].listener);
    rig.n_calls = 0;
    send(&rig, "map", "base", 20 * S, 1);
    harness_wait(&rig.h, has_called, &rig, "the wait begun in a callback");
    assert_int_equal(rig.transform.stamp_ns, 20 * S);
    // those that still wait when the listener goes are not called
    assert_int_equal(wait_for(&rig, 0, "nobody", 0, 10 * TN_NS_PER_MS), TN_OK);
    rig.n_calls = 0;
    tn_tf_listener_destroy(&rig.listener);
    harness_run(&rig.h, 50 * TN_NS_PER_MS);
    assert_int_equal(rig.n_calls, 0);
    close_rig(&rig);
}

// ---- names ----

static void topics_are_absolute_and_can_be_remapped(void **state)
{
    struct rig rig;
    struct tn_error err = {0};
    struct tn_ros_publisher *publisher = NULL;
    static const char *const argv[] = {"tester", "--ros-args", "-r", "tester:/tf:=/other_tf", NULL};
    (void)state;
    open_rig(&rig, 4, argv);
    assert_int_equal(tn_ros_publisher_create(rig.other, &tf2_msgs_msg_TFMessage_type, "/other_tf",
                                             tn_ros_qos_default(100), &publisher, &err),
                     TN_OK);
    send(&rig, "map", "wrong", 10 * S, 1);
    struct geometry_msgs_msg_TransformStamped t;
    geometry_msgs_msg_TransformStamped_init(&t);
    t.header.frame_id = tn_str_from("map");
    t.child_frame_id = tn_str_from("base");
    t.header.stamp.sec = 10;
    t.transform.rotation.w = 1;
    struct tf2_msgs_msg_TFMessage message;
    tf2_msgs_msg_TFMessage_init(&message);
    message.transforms.data = &t;
    message.transforms.size = 1;
    assert_int_equal(tn_ros_publish(publisher, &message), TN_OK);
    harness_wait(&rig.h, knows_base, &rig, "a transform on the topic with the other name");
    assert_false(
        tn_tf_buffer_can_transform(tn_tf_listener_buffer(rig.listener), "map", "wrong", 0));
    close_rig(&rig);
}

// ---- time ----

static void set_clock(struct rig *rig, int64_t ros_ns)
{
    struct rosgraph_msgs_msg_Clock message;
    rosgraph_msgs_msg_Clock_init(&message);
    message.clock.sec = (int32_t)(ros_ns / S);
    message.clock.nanosec = (uint32_t)(ros_ns % S);
    assert_int_equal(tn_ros_publish(rig->clock, &message), TN_OK);
}

struct moment {
    struct rig *rig;
    int64_t ros_ns;
};

static bool is_then(void *context)
{
    const struct moment *m = context;
    return tn_ros_node_now_ros_ns(m->rig->h.node) == m->ros_ns;
}

static void go_to(struct rig *rig, int64_t ros_ns)
{
    struct moment m = {rig, ros_ns};
    set_clock(rig, ros_ns);
    harness_wait(&rig->h, is_then, &m, "the time of /clock");
}

static void a_jump_back_forgets_what_moves(void **state)
{
    struct rig rig;
    static const char *const argv[] = {"tester", "--ros-args", "-p", "tester:use_sim_time:=true",
                                       NULL};
    (void)state;
    open_rig(&rig, 4, argv);
    assert_true(tn_ros_node_is_sim_time(rig.h.node));
    assert_false(tn_ros_node_is_sim_time(rig.other));
    assert_int_equal(tn_ros_node_now_ros_ns(rig.h.node), 0);
    struct tn_tf fixed = {.parent = "base",
                          .child = "lens",
                          .T_parent_child = {.p = {1, 0, 0}, .q = tn_quat_identity()}};
    assert_int_equal(tn_tf_send_static(rig.broadcaster, &fixed), TN_OK);
    go_to(&rig, 100 * S);
    send(&rig, "map", "base", 100 * S, 3);
    harness_wait(&rig.h, knows_base, &rig, "a transform");
    // neither a step forward nor a clock that stands is a reason
    go_to(&rig, 500 * S);
    set_clock(&rig, 500 * S);
    harness_run(&rig.h, 50 * TN_NS_PER_MS);
    assert_true(knows_base(&rig));
    go_to(&rig, 500 * S - 1);
    assert_false(knows_base(&rig));
    const struct tn_tf_buffer *buffer = tn_tf_listener_buffer(rig.listener);
    assert_true(tn_tf_buffer_can_transform(buffer, "base", "lens", 0));
    // earlier stamps are welcome now
    send(&rig, "map", "base", 50 * S, 4);
    harness_wait(&rig.h, knows_base, &rig, "a transform of the new time");
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broadcasters_of_this_process_are_heard),
        cmocka_unit_test(waits_end_with_the_transform_or_in_time),
        cmocka_unit_test(waits_may_be_stopped_and_started_in_a_callback),
        cmocka_unit_test(topics_are_absolute_and_can_be_remapped),
        cmocka_unit_test(a_jump_back_forgets_what_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
