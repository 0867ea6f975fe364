// SPDX-License-Identifier: Apache-2.0
// Against a stranger: best-effort, reliable and transient-local topics in both directions, late
// joiners, a reader that stops. argv[1]: the peer program; argv[2]: what it calls itself.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "wire/ros/harness.h"
#include "wire/ros/joints.h"

/// More than a tenth of what DDS lets wait by itself.
#define LARGE_BYTES 200000u

enum { BEST_EFFORT, RELIABLE, LATCHED, N_TOPICS };

static const char *const names[] = {"be", "rel", "tl"};

struct program {
    const char *path, *frame;
};

static struct tn_ros_qos qos_of(int kind)
{
    if (kind == BEST_EFFORT)
        return tn_ros_qos_sensor_data();
    return kind == RELIABLE ? tn_ros_qos_default(10) : tn_ros_qos_latched(1);
}

struct received {
    uint32_t n, n_wrong;
    int32_t last_k;
    uint64_t last_sequence;
    struct tn_gid writer;
    const char *frame;
};

struct both_ways {
    struct harness h;
    struct tn_ros_publisher *publishers[N_TOPICS];
    struct tn_ros_subscription *subscriptions[N_TOPICS];
    struct received received[N_TOPICS];
    struct peer peer;
};

static void on_joints(void *context, const void *data, const struct tn_ros_message_info *info)
{
    struct received *r = context;
    const struct sensor_msgs_msg_JointState *m = data;
    int32_t k = m->header.stamp.sec;
    bool is_right = tn_str_is(m->header.frame_id, r->frame) && m->name.size == 3 &&
                    tn_str_is(m->name.data[0], "thumb") && tn_str_is(m->name.data[1], "index") &&
                    m->name.data[2].size == 0 && m->position.size == 3 &&
                    m->position.data[0] > 0.5 * k - 1e-9 && m->position.data[0] < 0.5 * k + 1e-9 &&
                    m->velocity.size == 0;
    // sequence numbers and arrival come from the RTPS packet
    if (r->n > 0)
        is_right = is_right && info->sequence > r->last_sequence &&
                   memcmp(&r->writer, &info->writer, sizeof r->writer) == 0;
    is_right = is_right && info->sequence > 0 && info->arrival_steady_ns > 0 &&
               info->delivered_steady_ns >= info->arrival_steady_ns && info->source_wall_ns > 0;
    r->n++;
    r->n_wrong += !is_right;
    r->last_k = k;
    r->last_sequence = info->sequence;
    r->writer = info->writer;
}

static void open_both(struct both_ways *t, const struct program *program)
{
    struct tn_error err = {0};
    memset(t, 0, sizeof *t);
    harness_open(&t->h);
    for (int i = 0; i < N_TOPICS; i++) {
        char topic[32], back[32];
        (void)snprintf(topic, sizeof topic, "/%s", names[i]);
        (void)snprintf(back, sizeof back, "/%s_back", names[i]);
        t->received[i].frame = program->frame;
        assert_int_equal(tn_ros_publisher_create(t->h.node, &sensor_msgs_msg_JointState_type, topic,
                                                 qos_of(i), &t->publishers[i], &err),
                         TN_OK);
        assert_int_equal(tn_ros_subscription_create(t->h.node, &sensor_msgs_msg_JointState_type,
                                                    back, qos_of(i), on_joints, &t->received[i],
                                                    &t->subscriptions[i], &err),
                         TN_OK);
    }
}

static void close_both(struct both_ways *t)
{
    peer_stop(&t->peer);
    harness_close(&t->h);
}

static bool all_went_both_ways(void *context)
{
    struct both_ways *t = context;
    static const uint32_t wanted[] = {20, 20, 1};
    bool is_done = true;
    for (int i = 0; i < N_TOPICS; i++) {
        char prefix[16];
        (void)snprintf(prefix, sizeof prefix, "%s ", names[i]);
        is_done =
            is_done && t->received[i].n >= wanted[i] && peer_count(&t->peer, prefix) >= wanted[i];
    }
    return is_done;
}

static void all_profiles_go_both_ways(void **state)
{
    const struct program *program = *state;
    struct both_ways *t = malloc(sizeof *t);
    open_both(t, program);
    assert_int_equal(publish_joints(t->publishers[LATCHED], 1), TN_OK);
    peer_start(&t->h, &t->peer, (const char *const[]){program->path, "0", "topics", NULL});
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    for (int32_t k = 1; !all_went_both_ways(t); k++) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        assert_int_equal(publish_joints(t->publishers[BEST_EFFORT], k), TN_OK);
        assert_int_equal(publish_joints(t->publishers[RELIABLE], k), TN_OK);
        harness_run(&t->h, 10 * TN_NS_PER_MS);
    }
    for (int i = 0; i < N_TOPICS; i++) {
        char prefix[16];
        (void)snprintf(prefix, sizeof prefix, "%s ", names[i]);
        assert_int_equal(t->received[i].n_wrong, 0);
        assert_int_equal(tn_ros_subscription_rejected(t->subscriptions[i]), 0);
        const char *line = peer_find(&t->peer, 0, prefix);
        int k = (int)strtol(line + strlen(prefix), NULL, 10);
        char expected[128];
        (void)snprintf(expected, sizeof expected, "%s %d hand thumb index %g", names[i], k,
                       0.5 * k);
        assert_string_equal(line, expected);
    }
    // written once, late or not: exactly one
    assert_int_equal(t->received[LATCHED].n, 1);
    assert_int_equal(peer_count(&t->peer, "tl "), 1);
    close_both(t);
    free(t);
}

static void late_joiner_gets_exactly_the_newest(void **state)
{
    const struct program *program = *state;
    struct both_ways *t = malloc(sizeof *t);
    open_both(t, program);
    for (int32_t k = 1; k <= 7; k++)
        assert_int_equal(publish_joints(t->publishers[LATCHED], k), TN_OK);
    peer_start(&t->h, &t->peer, (const char *const[]){program->path, "0", "late", NULL});
    harness_wait_lines(&t->h, &t->peer, "tl ", 1);
    // what comes next on the same writer would come behind anything else that was kept
    assert_int_equal(publish_joints(t->publishers[LATCHED], 8), TN_OK);
    harness_wait_lines(&t->h, &t->peer, "tl 8 ", 1);
    assert_int_equal(peer_count(&t->peer, "tl "), 2);
    assert_non_null(peer_find(&t->peer, 0, "tl 7 "));
    close_both(t);
    free(t);
}

static void stopped_reader_never_blocks_the_writer(void **state)
{
    const struct program *program = *state;
    struct both_ways *t = malloc(sizeof *t);
    open_both(t, program);
    peer_start(&t->h, &t->peer, (const char *const[]){program->path, "0", "topics", NULL});
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    int32_t k = 1;
    for (; peer_count(&t->peer, "rel ") == 0; k++) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        assert_int_equal(publish_joints(t->publishers[RELIABLE], k), TN_OK);
        harness_run(&t->h, 10 * TN_NS_PER_MS);
    }

    // far more than any history or socket buffer holds, while the reader is matched and stopped
    assert_int_equal(tn_process_signal(t->peer.process, SIGSTOP), TN_OK);
    assert_int_equal(tn_ros_publisher_matched(t->publishers[RELIABLE]), 1);
    for (int i = 0; i < 2000; i++)
        assert_int_equal(publish_joints(t->publishers[RELIABLE], k++), TN_OK);
    uint64_t before_kib = tn_process_rss_kib(getpid());
    for (int i = 0; i < 20000; i++) {
        assert_int_equal(publish_joints(t->publishers[RELIABLE], k++), TN_OK);
        if (i % 100 == 0)
            (void)tn_loop_run_once(t->h.loop, 0);
    }
    uint64_t after_kib = tn_process_rss_kib(getpid());
    assert_true(after_kib < before_kib + 4096);
    assert_int_equal(tn_ros_publisher_matched(t->publishers[RELIABLE]), 1);

    // and the newest arrives when it goes on
    assert_int_equal(tn_process_signal(t->peer.process, SIGCONT), TN_OK);
    char newest[32];
    (void)snprintf(newest, sizeof newest, "rel %d ", k - 1);
    harness_wait_lines(&t->h, &t->peer, newest, 1);
    close_both(t);
    free(t);
}

/// As above, where the history holds more bytes than DDS would wait for by itself.
static void stopped_reader_of_large_messages_never_blocks_the_writer(void **state)
{
    const struct program *program = *state;
    struct both_ways *t = malloc(sizeof *t);
    struct sensor_msgs_msg_JointState m;
    char *text = malloc(LARGE_BYTES);
    assert_non_null(text);
    memset(text, 'x', LARGE_BYTES);
    open_both(t, program);
    peer_start(&t->h, &t->peer, (const char *const[]){program->path, "0", "topics", NULL});
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    for (int32_t k = 1; peer_count(&t->peer, "rel ") == 0; k++) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        assert_int_equal(publish_joints(t->publishers[RELIABLE], k), TN_OK);
        harness_run(&t->h, 10 * TN_NS_PER_MS);
    }
    assert_int_equal(tn_process_signal(t->peer.process, SIGSTOP), TN_OK);
    sensor_msgs_msg_JointState_init(&m);
    m.header.frame_id = (struct tn_str){text, LARGE_BYTES};
    for (int i = 0; i < 100; i++)
        assert_int_equal(tn_ros_publish(t->publishers[RELIABLE], &m), TN_OK);
    assert_int_equal(tn_ros_publisher_matched(t->publishers[RELIABLE]), 1);
    assert_int_equal(tn_process_signal(t->peer.process, SIGCONT), TN_OK);
    close_both(t);
    free(text);
    free(t);
}

int main(int argc, char **argv)
{
    struct program program = {argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : ""};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(all_profiles_go_both_ways, &program),
        cmocka_unit_test_prestate(late_joiner_gets_exactly_the_newest, &program),
        cmocka_unit_test_prestate(stopped_reader_never_blocks_the_writer, &program),
        cmocka_unit_test_prestate(stopped_reader_of_large_messages_never_blocks_the_writer,
                                  &program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
