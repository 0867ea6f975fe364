// SPDX-License-Identifier: Apache-2.0
// The short way inside a process: the next pass and never earlier, one way per sample when readers
// elsewhere come and go, the same facts about each message, queues that end with their owners.
// argv[1]: a receiver in another process.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "ros/cyclone/cyclone__transport.h"
#include "ros/events.h"
#include "ros/ros__node.h"
#include "wire/ros/harness.h"
#include "wire/ros/joints.h"

#define SEEN_MAX 65536

static const char *receiver_path(const char *set)
{
    static _Thread_local const char *path;
    path = set != NULL ? set : path;
    return path;
}

struct seen {
    int32_t k;
    uint64_t pass, sequence;
    bool is_late, is_age_known;
    int64_t age_ns, source_wall_ns, arrival_steady_ns;
};

/// What a subscription got.
struct sink {
    struct tn_loop *loop;
    uint32_t n;
    struct seen *seen; // (SEEN_MAX)
    struct tn_gid writer;
    struct tn_ros_publisher *echo; // published to in the callback
    uint32_t n_echo;
    struct tn_ros_subscription **victim; // destroyed in the callback
};

struct fixture {
    struct harness h;
    struct sink a, b;
    struct tn_ros_publisher *to_a, *to_b;
    struct tn_ros_subscription *sub_a, *sub_b;
};

static uint64_t pass_now(struct tn_loop *loop)
{
    struct tn_loop_stats stats;
    tn_loop_get_stats(loop, &stats);
    return stats.passes;
}

static void on_joints(void *context, const void *data, const struct tn_ros_message_info *info)
{
    struct sink *s = context;
    const struct sensor_msgs_msg_JointState *m = data;
    assert_true(s->n < SEEN_MAX);
    s->seen[s->n++] = (struct seen){.k = m->header.stamp.sec,
                                    .pass = pass_now(s->loop),
                                    .sequence = info->sequence,
                                    .is_late = info->is_late,
                                    .is_age_known = info->is_age_known,
                                    .age_ns = info->age_ns,
                                    .source_wall_ns = info->source_wall_ns,
                                    .arrival_steady_ns = info->arrival_steady_ns};
    s->writer = info->writer;
    if (s->echo != NULL && s->n_echo > 0) {
        s->n_echo--;
        assert_int_equal(publish_joints(s->echo, m->header.stamp.sec + 1), TN_OK);
    }
    if (s->victim != NULL)
        tn_ros_subscription_destroy(s->victim);
}

static struct tn_ros_publisher *publisher(struct fixture *f, const char *topic,
                                          struct tn_ros_qos qos)
{
    struct tn_ros_publisher *p = NULL;
    struct tn_error err = {0};
    if (tn_ros_publisher_create(f->h.node, &sensor_msgs_msg_JointState_type, topic, qos, &p,
                                &err) != TN_OK)
        fail_msg("%s", err.text);
    return p;
}

static struct tn_ros_subscription *subscription(struct fixture *f, const char *topic,
                                                struct tn_ros_qos qos, struct sink *sink)
{
    struct tn_ros_subscription *s = NULL;
    struct tn_error err = {0};
    sink->loop = f->h.loop;
    if (sink->seen == NULL)
        sink->seen = calloc(SEEN_MAX, sizeof *sink->seen);
    assert_non_null(sink->seen);
    if (tn_ros_subscription_create(f->h.node, &sensor_msgs_msg_JointState_type, topic, qos,
                                   on_joints, sink, &s, &err) != TN_OK)
        fail_msg("%s", err.text);
    return s;
}

static void setup(struct fixture *f, uint32_t depth)
{
    memset(f, 0, sizeof *f);
    harness_open(&f->h);
    f->to_a = publisher(f, "/a", tn_ros_qos_default(10));
    f->to_b = publisher(f, "/b", tn_ros_qos_default(10));
    f->sub_a = subscription(f, "/a", tn_ros_qos_default(depth), &f->a);
    f->sub_b = subscription(f, "/b", tn_ros_qos_default(depth), &f->b);
}

static void teardown(struct fixture *f)
{
    harness_close(&f->h);
    free(f->a.seen);
    free(f->b.seen);
}

struct wanted {
    const struct sink *sink;
    uint32_t n;
};

static bool has_seen(void *context)
{
    const struct wanted *w = context;
    return w->sink->n >= w->n;
}

static void wait_for(struct fixture *f, const struct sink *sink, uint32_t n)
{
    struct wanted w = {sink, n};
    harness_wait(&f->h, has_seen, &w, "messages in the process");
}

static void pass(struct fixture *f, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        (void)tn_loop_run_once(f->h.loop, 0);
}

static bool is_direct(const struct tn_ros_publisher *p)
{
    return p->writer->local.is_direct;
}

static void expect_order(const struct sink *s)
{
    for (uint32_t i = 1; i < s->n; i++) {
        assert_int_equal(s->seen[i].k, s->seen[i - 1].k + 1);
        assert_int_equal(s->seen[i].sequence, s->seen[i - 1].sequence + 1);
        assert_true(s->seen[i].source_wall_ns >= s->seen[i - 1].source_wall_ns);
        assert_true(s->seen[i].arrival_steady_ns >= s->seen[i - 1].arrival_steady_ns);
    }
}

// ---- when ----

static void what_a_callback_publishes_comes_in_the_next_pass(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, 10);
    f.a.echo = f.to_a;
    f.a.n_echo = 50;
    assert_int_equal(publish_joints(f.to_a, 0), TN_OK);
    assert_true(is_direct(f.to_a));
    assert_int_equal(f.a.n, 0);
    wait_for(&f, &f.a, 51);
    expect_order(&f.a);
    for (uint32_t i = 1; i < f.a.n; i++)
        assert_int_equal(f.a.seen[i].pass, f.a.seen[i - 1].pass + 1);
    teardown(&f);
}

/// Both readers have data in the same pass, and each callback publishes to the other's topic.
static void a_reader_that_is_due_already_waits_too(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, 10);
    f.a.echo = f.to_b;
    f.b.echo = f.to_a;
    f.a.n_echo = f.b.n_echo = 1;
    assert_int_equal(publish_joints(f.to_a, 100), TN_OK);
    assert_int_equal(publish_joints(f.to_b, 200), TN_OK);
    pass(&f, 1);
    assert_int_equal(f.a.n, 1);
    assert_int_equal(f.b.n, 1);
    pass(&f, 1);
    assert_int_equal(f.a.n, 2);
    assert_int_equal(f.b.n, 2);
    assert_int_equal(f.a.seen[1].k, 201);
    assert_int_equal(f.b.seen[1].k, 101);
    teardown(&f);
}

// ---- how many ----

static void the_depth_holds_over_both_ways(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, 3);
    // latched: this one takes DDS's way
    struct tn_ros_publisher *latched = publisher(&f, "/a", tn_ros_qos_latched(1));
    for (int32_t k = 0; k < 7; k++)
        assert_int_equal(publish_joints(k % 2 == 0 ? f.to_a : latched, k), TN_OK);
    assert_true(is_direct(f.to_a));
    assert_false(is_direct(latched));
    pass(&f, 4);
    // the newest three, in the order in which they came
    assert_int_equal(f.a.n, 3);
    for (int32_t i = 0; i < 3; i++)
        assert_int_equal(f.a.seen[i].k, 4 + i);
    teardown(&f);
}

static void two_writers_share_a_depth(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, 1);
    struct tn_ros_publisher *second = publisher(&f, "/a", tn_ros_qos_sensor_data());
    // the reliable subscription does not match the best effort publisher
    assert_int_equal(publish_joints(second, 1), TN_OK);
    pass(&f, 2);
    assert_int_equal(f.a.n, 0);
    struct tn_ros_publisher *third = publisher(&f, "/a", tn_ros_qos_default(1));
    assert_int_equal(publish_joints(f.to_a, 2), TN_OK);
    assert_int_equal(publish_joints(third, 3), TN_OK);
    pass(&f, 2);
    assert_int_equal(f.a.n, 1);
    assert_int_equal(f.a.seen[0].k, 3);
    teardown(&f);
}

static void all_is_kept_up_to_a_bound(void **state)
{
    (void)state;
    struct fixture f;
    struct tn_ros_qos qos = tn_ros_qos_default(1);
    struct sink sink = {0};
    qos.history = TN_ROS_KEEP_ALL;
    setup(&f, 1);
    struct tn_ros_publisher *p = publisher(&f, "/all", tn_ros_qos_default(1));
    (void)subscription(&f, "/all", qos, &sink);
    for (int32_t k = 0; k < TN_ROS_KEEP_ALL_DEPTH + 10; k++)
        assert_int_equal(publish_joints(p, k), TN_OK);
    assert_true(is_direct(p));
    wait_for(&f, &sink, TN_ROS_KEEP_ALL_DEPTH);
    pass(&f, 3);
    assert_int_equal(sink.n, TN_ROS_KEEP_ALL_DEPTH);
    assert_int_equal(sink.seen[0].k, 10);
    expect_order(&sink);
    teardown(&f);
    free(sink.seen);
}

/// A publisher that keeps all waits for its readers, which only DDS can make it do.
static void who_keeps_all_loses_nothing(void **state)
{
    (void)state;
    struct fixture f;
    struct tn_ros_qos qos = tn_ros_qos_default(1);
    struct sink sink = {0};
    qos.history = TN_ROS_KEEP_ALL;
    setup(&f, 1);
    struct tn_ros_publisher *p = publisher(&f, "/all", qos);
    (void)subscription(&f, "/all", qos, &sink);
    for (int32_t k = 0; k < 500; k++)
        assert_int_equal(publish_joints(p, k), TN_OK);
    assert_false(is_direct(p));
    wait_for(&f, &sink, 500);
    assert_int_equal(sink.seen[0].k, 0);
    expect_order(&sink);
    teardown(&f);
    free(sink.seen);
}

static void a_long_history_is_kept_whole(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, 5000);
    assert_int_equal(publish_joints(f.to_a, -1), TN_OK);
    wait_for(&f, &f.a, 1);
    f.a.n = 0;
    for (int32_t k = 0; k < 6000; k++)
        assert_int_equal(publish_joints(f.to_a, k), TN_OK);
    wait_for(&f, &f.a, 5000);
    pass(&f, 3);
    assert_int_equal(f.a.n, 5000);
    assert_int_equal(f.a.seen[0].k, 1000);
    // what did not fit is known as lost
    assert_int_equal(tn_ros_subscription_lost(f.sub_a), 1000);
    expect_order(&f.a);
    teardown(&f);
}

// ---- which way ----

/// QoS that DDS must see to: its own way, with the same result.
static void what_a_queue_cannot_do_is_left_to_dds(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, 10);
    struct tn_ros_qos qos[4];
    for (unsigned i = 0; i < 4; i++)
        qos[i] = tn_ros_qos_default(10);
    qos[0].durability = TN_ROS_TRANSIENT_LOCAL;
    qos[1].lifespan_ns = 3600 * TN_NS_PER_S;
    qos[2].deadline_ns = 3600 * TN_NS_PER_S;
    qos[3].lease_ns = 3600 * TN_NS_PER_S;
    qos[3].liveliness = TN_ROS_LIVELINESS_MANUAL_BY_TOPIC;
    for (unsigned i = 0; i < 4; i++) {
        struct sink sink = {0};
        char topic[16];
        (void)snprintf(topic, sizeof topic, "/q%u", i);
        struct tn_ros_publisher *p = publisher(&f, topic, qos[i]);
        struct tn_ros_subscription *s = subscription(&f, topic, qos[i], &sink);
        for (int32_t k = 0; k < 5; k++)
            assert_int_equal(publish_joints(p, k), TN_OK);
        wait_for(&f, &sink, 5);
        expect_order(&sink);
        assert_false(is_direct(p));
        tn_ros_subscription_destroy(&s);
        free(sink.seen);
    }
    // a late joiner of a latched topic gets what was kept, one of a volatile topic nothing
    struct sink late = {0}, later = {0};
    struct tn_ros_publisher *latched = publisher(&f, "/l", tn_ros_qos_latched(2));
    for (int32_t k = 0; k < 3; k++) {
        assert_int_equal(publish_joints(latched, k), TN_OK);
        assert_int_equal(publish_joints(f.to_a, k), TN_OK);
    }
    (void)subscription(&f, "/l", tn_ros_qos_latched(10), &late);
    (void)subscription(&f, "/a", tn_ros_qos_default(10), &later);
    wait_for(&f, &late, 2);
    wait_for(&f, &f.a, 3);
    assert_int_equal(late.n, 2);
    assert_int_equal(later.n, 0);
    teardown(&f);
    free(late.seen);
    free(later.seen);
}

struct stream {
    struct fixture f;
    struct tn_ros_publisher *p;
    struct tn_loop_timer timer;
    int32_t k;
};

static void on_timer(void *context)
{
    struct stream *s = context;
    assert_int_equal(publish_joints(s->p, s->k++), TN_OK);
}

static bool is_on_short_way(void *context)
{
    return is_direct(((struct stream *)context)->p);
}

/// A reader elsewhere comes, stays and goes while numbers are sent: the reader here gets each one
/// exactly once and in order, whichever way it took; the one there gets all from its first on.
static void a_reader_elsewhere_changes_nothing_here(void **state)
{
    (void)state;
    struct stream room = {0}, *s = &room;
    const char *const argv[] = {receiver_path(NULL), NULL};
    struct peer peer;
    setup(&s->f, 1000);
    s->p = publisher(&s->f, "/rel", tn_ros_qos_default(1000));
    struct sink sink = {0};
    (void)subscription(&s->f, "/rel", tn_ros_qos_default(1000), &sink);
    tn_loop_timer_start(s->f.h.loop, &s->timer, 0, TN_NS_PER_MS, on_timer, s);
    for (unsigned round = 0; round < 2; round++) {
        wait_for(&s->f, &sink, sink.n + 100);
        assert_true(is_direct(s->p));
        peer_start(&s->f.h, &peer, argv);
        harness_wait_lines(&s->f.h, &peer, "got ", 300);
        assert_false(is_direct(s->p));
        for (uint32_t i = 1, last = 0; i < peer.n_lines; i++) {
            if (strncmp(peer.lines[i], "got ", 4) != 0)
                continue;
            uint32_t k = (uint32_t)strtoul(peer.lines[i] + 4, NULL, 10);
            assert_true(last == 0 || k == last + 1);
            last = k;
        }
        (void)tn_process_signal(peer.process, SIGINT);
        harness_wait(&s->f.h, is_on_short_way, s, "the reader elsewhere is gone");
        peer_stop(&peer);
    }
    wait_for(&s->f, &sink, sink.n + 100);
    tn_loop_timer_stop(&s->timer);
    pass(&s->f, 5);
    assert_int_equal(sink.n, (uint32_t)s->k);
    expect_order(&sink);
    teardown(&s->f);
    free(sink.seen);
}

// ---- ends ----

static void what_a_writer_left_is_delivered(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, 10);
    for (int32_t k = 0; k < 5; k++)
        assert_int_equal(publish_joints(f.to_a, k), TN_OK);
    tn_ros_publisher_destroy(&f.to_a);
    pass(&f, 2);
    assert_int_equal(f.a.n, 5);
    teardown(&f);
}

static void a_reader_goes_with_its_queue(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, 10);
    for (int32_t k = 0; k < 5; k++)
        assert_int_equal(publish_joints(f.to_a, k), TN_OK);
    tn_ros_subscription_destroy(&f.sub_a);
    pass(&f, 2);
    assert_int_equal(f.a.n, 0);
    // nobody is there: neither way has anything to do
    assert_int_equal(publish_joints(f.to_a, 9), TN_OK);
    assert_int_equal(tn_ros_publisher_matched(f.to_a), 0);
    struct sink again = {0};
    (void)subscription(&f, "/a", tn_ros_qos_default(10), &again);
    assert_int_equal(tn_ros_publisher_matched(f.to_a), 1);
    assert_int_equal(publish_joints(f.to_a, 10), TN_OK);
    pass(&f, 2);
    assert_int_equal(again.n, 1);
    assert_int_equal(again.seen[0].k, 10);
    assert_int_equal(again.seen[0].sequence, 7);
    teardown(&f);
    free(again.seen);
}

/// A callback destroys the other reader, which is due in the same pass.
static void a_callback_may_end_another_reader(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f, 10);
    f.a.victim = &f.sub_b;
    f.b.victim = &f.sub_a;
    assert_int_equal(publish_joints(f.to_a, 1), TN_OK);
    assert_int_equal(publish_joints(f.to_b, 2), TN_OK);
    pass(&f, 3);
    assert_int_equal(f.a.n + f.b.n, 1);
    assert_int_equal(publish_joints(f.to_a, 3), TN_OK);
    assert_int_equal(publish_joints(f.to_b, 4), TN_OK);
    pass(&f, 3);
    assert_int_equal(f.a.n + f.b.n, 2);
    teardown(&f);
}

// ---- how old ----

/// The process stops (as a stalled callback stops it) with samples in the queue.
static void a_stall_makes_what_is_queued_old(void **state)
{
    (void)state;
    static const int64_t stall_ns = 300 * TN_NS_PER_MS;
    struct stream s = {0};
    setup(&s.f, 100);
    s.p = s.f.to_a;
    tn_loop_timer_start(s.f.h.loop, &s.timer, 0, 10 * TN_NS_PER_MS, on_timer, &s);
    wait_for(&s.f, &s.f.a, 90);
    tn_loop_timer_stop(&s.timer);
    pass(&s.f, 3);
    assert_true(s.f.a.seen[s.f.a.n - 1].is_age_known);
    uint32_t before = s.f.a.n;
    for (int i = 0; i < 5; i++)
        on_timer(&s);
    // it ends when the clock that ages are measured by says so, however long a sleep takes
    int64_t stalled_ns = tn_ns_add(tn_clock_steady_now_ns(), stall_ns);
    struct timespec moment = {.tv_nsec = TN_NS_PER_MS};
    while (tn_clock_steady_now_ns() < stalled_ns)
        (void)nanosleep(&moment, NULL);
    pass(&s.f, 2);
    assert_int_equal(s.f.a.n, before + 5);
    for (uint32_t i = before; i < s.f.a.n; i++) {
        assert_true(s.f.a.seen[i].is_late);
        assert_true(s.f.a.seen[i].is_age_known);
        assert_true(s.f.a.seen[i].age_ns >= stall_ns - 20 * TN_NS_PER_MS);
    }
    teardown(&s.f);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_callback_publishes_comes_in_the_next_pass),
        cmocka_unit_test(a_reader_that_is_due_already_waits_too),
        cmocka_unit_test(the_depth_holds_over_both_ways),
        cmocka_unit_test(two_writers_share_a_depth),
        cmocka_unit_test(a_long_history_is_kept_whole),
        cmocka_unit_test(all_is_kept_up_to_a_bound),
        cmocka_unit_test(who_keeps_all_loses_nothing),
        cmocka_unit_test(what_a_queue_cannot_do_is_left_to_dds),
        cmocka_unit_test(a_reader_elsewhere_changes_nothing_here),
        cmocka_unit_test(what_a_writer_left_is_delivered),
        cmocka_unit_test(a_reader_goes_with_its_queue),
        cmocka_unit_test(a_callback_may_end_another_reader),
        cmocka_unit_test(a_stall_makes_what_is_queued_old),
    };
    if (argc != 2)
        return 2;
    (void)receiver_path(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
