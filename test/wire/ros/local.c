// SPDX-License-Identifier: Apache-2.0
// Publisher and subscriptions in one process: delivery in the next pass, order, growth, garbage,
// static frames.
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "ros/tf.h"
#include "tn_msgs/tf2_msgs.h"
#include "wire/ros/harness.h"
#include "wire/ros/joints.h"

struct sink {
    uint32_t n, n_wrong;
    int32_t last_k;
    size_t last_size;
    bool is_inside;
    struct tn_ros_publisher *echo; ///< published to inside the callback
};

static void on_joints(void *context, const void *data, const struct tn_ros_message_info *info)
{
    struct sink *s = context;
    const struct sensor_msgs_msg_JointState *m = data;
    s->n_wrong += s->is_inside || m->header.stamp.sec <= s->last_k || info->sequence == 0;
    s->is_inside = true;
    s->last_k = m->header.stamp.sec;
    s->last_size = info->cdr_size;
    s->n++;
    if (s->echo != NULL)
        (void)publish_joints(s->echo, s->last_k + 1);
    s->is_inside = false;
}

static void on_raw(void *context, const void *data, const struct tn_ros_message_info *info)
{
    struct sink *s = context;
    s->n_wrong += data != NULL || info->cdr == NULL;
    s->last_size = info->cdr_size;
    s->n++;
}

struct wanted {
    const uint32_t *n;
    uint32_t wanted;
};

static bool has_arrived(void *context)
{
    struct wanted *w = context;
    return *w->n >= w->wanted;
}

static void wait_for(struct harness *h, const uint32_t *n, uint32_t wanted)
{
    struct wanted w = {n, wanted};
    harness_wait(h, has_arrived, &w, "messages in the same process");
}

struct fixture {
    struct harness h;
    struct tn_ros_publisher *publisher;
    struct tn_ros_subscription *decoded, *raw;
    struct sink sink, raw_sink;
};

static void setup(struct fixture *f, const struct tn_type *type, uint32_t depth)
{
    struct tn_error err = {0};
    memset(f, 0, sizeof *f);
    f->sink.last_k = -1;
    harness_open(&f->h);
    assert_int_equal(tn_ros_publisher_create(f->h.node, type, "/t", tn_ros_qos_default(depth),
                                             &f->publisher, &err),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create(f->h.node, type, "/t", tn_ros_qos_default(depth),
                                                on_joints, &f->sink, &f->decoded, &err),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create_raw(f->h.node, type, "/t",
                                                    tn_ros_qos_default(depth), on_raw, &f->raw_sink,
                                                    &f->raw, &err),
                     TN_OK);
    assert_int_equal(tn_ros_publisher_matched(f->publisher), 2);
    assert_int_equal(tn_ros_subscription_matched(f->decoded), 1);
}

static void all_arrive_in_order(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, &sensor_msgs_msg_JointState_type, 1000);
    for (int32_t k = 0; k < 500; k++)
        assert_int_equal(publish_joints(f.publisher, k), TN_OK);
    // never from inside the publisher
    assert_int_equal(f.sink.n, 0);
    wait_for(&f.h, &f.sink.n, 500);
    wait_for(&f.h, &f.raw_sink.n, 500);
    assert_int_equal(f.sink.n_wrong + f.raw_sink.n_wrong, 0);
    assert_int_equal(f.sink.last_k, 499);
    harness_close(&f.h);
}

static void history_keeps_the_newest(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, &sensor_msgs_msg_JointState_type, 3);
    for (int32_t k = 0; k < 100; k++)
        assert_int_equal(publish_joints(f.publisher, k), TN_OK);
    wait_for(&f.h, &f.sink.n, 3);
    assert_int_equal(f.sink.last_k, 99);
    assert_int_equal(f.sink.n, 3);
    harness_close(&f.h);
}

static void publishing_in_a_callback_is_not_recursive(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, &sensor_msgs_msg_JointState_type, 10);
    f.sink.echo = f.publisher;
    assert_int_equal(publish_joints(f.publisher, 0), TN_OK);
    wait_for(&f.h, &f.sink.n, 200);
    assert_int_equal(f.sink.n_wrong, 0);
    harness_close(&f.h);
}

static void on_number(void *context, const void *data, const struct tn_ros_message_info *info)
{
    (void)data;
    *(uint64_t *)context = info->sequence;
}

static bool is_matched(void *context)
{
    return tn_ros_publisher_matched(context) > 0;
}

static bool is_numbered(void *context)
{
    return *(uint64_t *)context > 0;
}

/// Nobody hears the first ones: they are counted like the rest, and who comes finds them missed.
static void what_nobody_hears_is_counted(void **state)
{
    (void)state;
    struct harness h;
    struct tn_error err = {0};
    struct tn_ros_publisher *publisher;
    struct tn_ros_subscription *subscription;
    uint64_t number = 0;
    harness_open(&h);
    assert_int_equal(tn_ros_publisher_create(h.node, &sensor_msgs_msg_JointState_type, "/unheard",
                                             tn_ros_qos_default(10), &publisher, &err),
                     TN_OK);
    for (int32_t k = 0; k < 7; k++)
        assert_int_equal(publish_joints(publisher, k), TN_OK);
    static const uint8_t cut[] = {0, 1, 0};
    assert_int_equal(tn_ros_publish_cdr(publisher, cut, sizeof cut), TN_ERR_MALFORMED);
    for (int round = 0; round < 2; round++) {
        number = 0;
        assert_int_equal(tn_ros_subscription_create(h.node, &sensor_msgs_msg_JointState_type,
                                                    "/unheard", tn_ros_qos_default(10), on_number,
                                                    &number, &subscription, &err),
                         TN_OK);
        harness_wait(&h, is_matched, publisher, "the match");
        assert_int_equal(publish_joints(publisher, 8 + 3 * round), TN_OK);
        harness_wait(&h, is_numbered, &number, "a message that is heard");
        // 7 unheard, one heard; 2 more unheard, one heard
        assert_int_equal(number, 8 + 3 * round);
        tn_ros_subscription_destroy(&subscription);
        assert_int_equal(tn_ros_publisher_matched(publisher), 0);
        assert_int_equal(publish_joints(publisher, 9), TN_OK);
        assert_int_equal(publish_joints(publisher, 10), TN_OK);
    }
    harness_close(&h);
}

/// A latched message is for those who come later: it is made although nobody hears it now.
static void what_is_latched_is_kept_for_later(void **state)
{
    (void)state;
    struct harness h;
    struct tn_error err = {0};
    struct tn_ros_publisher *publisher;
    struct tn_ros_subscription *subscription;
    uint64_t number = 0;
    harness_open(&h);
    assert_int_equal(tn_ros_publisher_create(h.node, &sensor_msgs_msg_JointState_type, "/latched",
                                             tn_ros_qos_latched(1), &publisher, &err),
                     TN_OK);
    assert_int_equal(publish_joints(publisher, 1), TN_OK);
    assert_int_equal(tn_ros_subscription_create(h.node, &sensor_msgs_msg_JointState_type,
                                                "/latched", tn_ros_qos_latched(1), on_number,
                                                &number, &subscription, &err),
                     TN_OK);
    harness_wait(&h, is_numbered, &number, "the latched message");
    assert_int_equal(number, 1);
    harness_close(&h);
}

static void garbage_is_counted_and_dropped(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, &sensor_msgs_msg_JointState_type, 100);
    static const uint8_t cut[] = {0, 1, 0, 0, 1, 2, 3};
    static const uint8_t lying[] = {0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f};
    static const uint8_t foreign[] = {0, 7, 0, 0, 1, 0, 0, 0};
    assert_int_equal(tn_ros_publish_cdr(f.publisher, cut, 3), TN_ERR_MALFORMED);
    assert_int_equal(tn_ros_publish_cdr(f.publisher, cut, sizeof cut), TN_OK);
    assert_int_equal(tn_ros_publish_cdr(f.publisher, lying, sizeof lying), TN_OK);
    assert_int_equal(tn_ros_publish_cdr(f.publisher, foreign, sizeof foreign), TN_OK);
    assert_int_equal(publish_joints(f.publisher, 7), TN_OK);
    wait_for(&f.h, &f.sink.n, 1);
    wait_for(&f.h, &f.raw_sink.n, 4);
    assert_int_equal(f.sink.last_k, 7);
    assert_int_equal(tn_ros_subscription_rejected(f.decoded), 3);
    assert_int_equal(tn_ros_subscription_rejected(f.raw), 0);
    harness_close(&f.h);
}

static void messages_grow_up_to_the_limit(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, &sensor_msgs_msg_JointState_type, 2);
    size_t n_max = (16u << 20) / sizeof(double) + 1;
    double *position = calloc(n_max, sizeof *position);
    assert_non_null(position);
    struct sensor_msgs_msg_JointState message;
    sensor_msgs_msg_JointState_init(&message);
    message.position.data = position;
    static const uint32_t sizes[] = {1, 100, 2000, 20000};
    for (size_t i = 0; i < TN_ARRAY_SIZE(sizes); i++) {
        message.header.stamp.sec = (int32_t)i;
        message.position.size = sizes[i];
        assert_int_equal(tn_ros_publish(f.publisher, &message), TN_OK);
        wait_for(&f.h, &f.raw_sink.n, (uint32_t)i + 1);
        assert_true(f.raw_sink.last_size > sizes[i] * sizeof(double));
    }
    // the node's arena of 256 KiB holds these
    assert_int_equal(f.sink.n, TN_ARRAY_SIZE(sizes));
    message.position.size = (uint32_t)n_max;
    assert_int_equal(tn_ros_publish(f.publisher, &message), TN_ERR_LIMIT);
    message.position.size = 1;
    message.header.stamp.sec = 9;
    assert_int_equal(tn_ros_publish(f.publisher, &message), TN_OK);
    wait_for(&f.h, &f.sink.n, TN_ARRAY_SIZE(sizes) + 1);
    assert_int_equal(f.sink.last_k, 9);
    free(position);
    harness_close(&f.h);
}

struct frames {
    uint32_t n, n_static, last_size;
    double last_x;
};

static void on_tf(void *context, const void *data, const struct tn_ros_message_info *info)
{
    struct frames *f = context;
    const struct tf2_msgs_msg_TFMessage *m = data;
    (void)info;
    f->n++;
    f->last_size = m->transforms.size;
    f->last_x = m->transforms.data[0].transform.translation.x;
}

static void static_frames_travel_together(void **state)
{
    (void)state;
    struct harness h;
    struct tn_error err = {0};
    struct tn_tf_broadcaster *broadcaster = NULL;
    struct tn_ros_subscription *subscription = NULL;
    struct frames frames = {0};
    harness_open(&h);
    assert_int_equal(tn_tf_broadcaster_create(h.node, &broadcaster, &err), TN_OK);
    struct tn_tf tf = {
        .stamp_ros_ns = -1, .parent = "world", .child = "a", .T_parent_child = tn_pose_identity()};
    assert_int_equal(tn_tf_send_static(broadcaster, &tf), TN_OK);
    tf.child = "b";
    assert_int_equal(tn_tf_send_static(broadcaster, &tf), TN_OK);
    tf.child = "a";
    tf.T_parent_child.p.x = 5.0;
    assert_int_equal(tn_tf_send_static(broadcaster, &tf), TN_OK);
    // a late joiner gets one message with both frames, the newest of each
    assert_int_equal(tn_ros_subscription_create(h.node, &tf2_msgs_msg_TFMessage_type, "/tf_static",
                                                tn_ros_qos_latched(100), on_tf, &frames,
                                                &subscription, &err),
                     TN_OK);
    wait_for(&h, &frames.n, 1);
    assert_int_equal(frames.n, 1);
    assert_int_equal(frames.last_size, 2);
    assert_true(frames.last_x > 4.9);
    tf.T_parent_child.q.w = (double)INFINITY;
    assert_int_equal(tn_tf_send_static(broadcaster, &tf), TN_ERR_NOT_FINITE);
    assert_int_equal(tn_tf_send(broadcaster, &tf, 1), TN_ERR_NOT_FINITE);
    tn_tf_broadcaster_destroy(&broadcaster);
    harness_close(&h);
}

/// What the loggers of a context with this argument write to the console.
static bool is_console_silent(const char *argument)
{
    const char *const argv[] = {"program", "--ros-args", argument};
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    struct tn_error err = {0};
    struct tn_logger logger;
    int pipe_fds[2], saved = dup(STDERR_FILENO);
    char byte;
    assert_int_equal(tn_loop_create(tn_clock_system(), &loop, &err), TN_OK);
    assert_int_equal(tn_ros_context_create(loop, 3, argv, &context, &err), TN_OK);
    assert_int_equal(pipe(pipe_fds), 0);
    assert_int_equal(fcntl(pipe_fds[0], F_SETFL, O_NONBLOCK), 0);
    tn_logger_init(&logger, "x");
    (void)dup2(pipe_fds[1], STDERR_FILENO);
    TN_ERROR(&logger, "said");
    (void)dup2(saved, STDERR_FILENO);
    bool is_silent = read(pipe_fds[0], &byte, 1) != 1;
    (void)close(saved);
    (void)close(pipe_fds[0]);
    (void)close(pipe_fds[1]);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
    return is_silent;
}

static void the_console_obeys_its_argument(void **state)
{
    (void)state;
    assert_true(is_console_silent("--disable-stdout-logs"));
    // the last context's word counts
    assert_false(is_console_silent("--enable-stdout-logs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_console_obeys_its_argument),
        cmocka_unit_test(all_arrive_in_order),
        cmocka_unit_test(history_keeps_the_newest),
        cmocka_unit_test(publishing_in_a_callback_is_not_recursive),
        cmocka_unit_test(what_nobody_hears_is_counted),
        cmocka_unit_test(what_is_latched_is_kept_for_later),
        cmocka_unit_test(garbage_is_counted_and_dropped),
        cmocka_unit_test(messages_grow_up_to_the_limit),
        cmocka_unit_test(static_frames_travel_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
