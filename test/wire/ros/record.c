// SPDX-License-Identifier: Apache-2.0
// Bytes of a type that nobody here knows, from and to strangers. argv[1]: the Fast DDS peer, which
// prints what it sends; argv[2]: the Cyclone peer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <cmocka.h>

#include "ros/events.h"
#include "ros/record.h"
#include "wire/ros/harness.h"

#define TYPE     "weird_msgs::msg::dds_::Thing_"
#define ROS_TYPE "weird_msgs/msg/Thing"
#define HASH     "RIHS01_00000000000000000000000000000000000000000000000000000000000000aa"

static const char *fastdds, *cyclone;

struct got {
    uint32_t n;
    uint64_t n_missing, last_sequence;
    bool is_wrong;
    char line[256]; ///< as the peer prints it
};

static void put_bytes(const uint8_t *bytes, size_t size, char *out, size_t room)
{
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 16777619u;
    int n = snprintf(out, room, "%zu %08x ", size, sum);
    for (size_t i = 0; i < size && i < 64; i++)
        n += snprintf(out + n, room - (size_t)n, "%02x", bytes[i]);
}

static void on_message(void *context, struct tn_ros_record *record,
                       const struct tn_ros_record_message *message)
{
    struct got *got = context;
    int64_t wall_ns = tn_clock_wall_now_ns();
    (void)record;
    put_bytes(message->cdr, message->size, got->line, sizeof got->line);
    // stamps are of this machine: in order, and none from the future
    got->is_wrong = got->is_wrong || message->arrival_wall_ns > wall_ns ||
                    message->arrival_wall_ns < message->source_wall_ns ||
                    message->arrival_steady_ns <= 0 || message->sequence <= got->last_sequence ||
                    message->writer.data[0] == 0;
    got->last_sequence = message->sequence;
    got->n_missing += message->n_missing;
    got->n++;
}

static struct tn_ros_record *record(struct harness *h, const char *topic,
                                    const struct tn_ros_record_options *options, struct got *got)
{
    struct tn_ros_record *out = NULL;
    struct tn_error err = {0};
    memset(got, 0, sizeof *got);
    if (tn_ros_record_create(h->node, topic, options, on_message, got, &out, &err) != TN_OK)
        fail_msg("%s", err.text);
    return out;
}

static bool has_some(void *context)
{
    const struct got *got = context;
    return got->n > 0;
}

/// What a stranger sends is what is recorded, whatever byte order and size.
static void expect_same_bytes(const char *endpoint)
{
    struct harness h;
    struct peer peer;
    struct got got;
    struct tn_ros_record_info info;
    harness_open(&h);
    struct tn_ros_record *recording = record(&h, "/thing", NULL, &got);
    tn_ros_record_get_info(recording, &info);
    assert_false(info.is_open);
    assert_string_equal(info.type, "");
    peer_start(&h, &peer, (const char *const[]){fastdds, "0", endpoint, NULL});
    harness_wait(&h, has_some, &got, "a recorded message");
    harness_wait_lines(&h, &peer, "rt/thing sent", 1);
    const char *sent = peer_find(&peer, 0, "rt/thing sent");
    assert_string_equal(got.line, sent + strlen("rt/thing sent "));
    assert_false(got.is_wrong);
    tn_ros_record_get_info(recording, &info);
    assert_true(info.is_open);
    assert_string_equal(info.topic, "/thing");
    assert_string_equal(info.type, ROS_TYPE);
    assert_string_equal(info.hash, HASH);
    assert_int_equal(info.n_messages, 1);
    assert_int_equal(info.n_lost, 0);
    peer_stop(&peer);
    harness_close(&h);
}

static void recorded_bytes_are_those_that_were_sent(void **state)
{
    (void)state;
    expect_same_bytes("w:rt/thing:type=" TYPE ",n=1,hex,tl");
    expect_same_bytes("w:rt/thing:type=" TYPE ",n=1,hex,tl,big");
    // a size that is no multiple of 4, and one of many fragments
    expect_same_bytes("w:rt/thing:type=" TYPE ",n=1,hex,tl,big,size=4");
    expect_same_bytes("w:rt/thing:type=" TYPE ",n=1,hex,tl,size=100000");
    expect_same_bytes("w:rt/thing:type=" TYPE ",n=1,hex,tl,big,size=200000");
}

static void quality_suits_all_publishers(void **state)
{
    struct harness h;
    struct peer first, second;
    struct got got;
    struct tn_ros_record_info info;
    (void)state;
    harness_open(&h);
    peer_start(&h, &first,
               (const char *const[]){fastdds, "0", "w:rt/mixed:n=0,type=" TYPE ",be,tl",
                                     "w:rt/sure:n=3,type=" TYPE ",tl,eager", NULL});
    peer_start(&h, &second, (const char *const[]){fastdds, "0", "w:rt/mixed:n=0,type=" TYPE, NULL});
    // both are known when the second topic of the later one is
    struct got sure_got;
    struct tn_ros_record *sure = record(&h, "/sure", NULL, &sure_got);
    harness_wait(&h, has_some, &sure_got, "what was latched before");
    tn_ros_record_get_info(sure, &info);
    assert_int_equal(info.qos.reliability, TN_ROS_RELIABLE);
    assert_int_equal(info.qos.durability, TN_ROS_TRANSIENT_LOCAL);
    harness_run(&h, TN_NS_PER_S);
    struct tn_ros_record *mixed = record(&h, "/mixed", NULL, &got);
    tn_ros_record_get_info(mixed, &info);
    assert_true(info.is_open);
    assert_int_equal(info.qos.reliability, TN_ROS_BEST_EFFORT);
    assert_int_equal(info.qos.durability, TN_ROS_VOLATILE);
    peer_stop(&second);
    peer_stop(&first);
    harness_close(&h);
}

static void bytes_are_published_as_they_are(void **state)
{
    static const uint8_t big[] = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static const uint8_t little[] = {0, 1, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2};
    struct harness h;
    struct peer peer;
    struct tn_ros_publisher *publisher = NULL;
    struct tn_error err = {0};
    char expected[256], line[300];
    (void)state;
    harness_open(&h);
    assert_int_equal(tn_ros_publisher_create_named(h.node, ROS_TYPE, HASH, "/thing",
                                                   tn_ros_qos_latched(10), &publisher, &err),
                     TN_OK);
    assert_int_equal(tn_ros_publish(publisher, big), TN_ERR_UNSUPPORTED);
    assert_int_equal(tn_ros_publish_cdr(publisher, big, 3), TN_ERR_MALFORMED);
    assert_int_equal(tn_ros_publish_cdr(publisher, big, sizeof big), TN_OK);
    assert_int_equal(tn_ros_publish_cdr(publisher, little, sizeof little), TN_OK);
    peer_start(&h, &peer,
               (const char *const[]){fastdds, "0", "r:rt/thing:hex,tl,type=" TYPE, NULL});
    harness_wait_lines(&h, &peer, "rt/thing bytes", 2);
    put_bytes(big, sizeof big, expected, sizeof expected);
    (void)snprintf(line, sizeof line, "rt/thing bytes %s", expected);
    assert_non_null(peer_find(&peer, 0, line));
    put_bytes(little, sizeof little, expected, sizeof expected);
    (void)snprintf(line, sizeof line, "rt/thing bytes %s", expected);
    assert_non_null(peer_find(&peer, 0, line));
    peer_stop(&peer);
    harness_close(&h);
}

static void played_back_recording_is_the_same(void **state)
{
    struct harness h;
    struct peer peer;
    struct got got;
    struct tn_ros_record_options options = {.type = "std_msgs/msg/UInt64"};
    (void)state;
    harness_open(&h);
    struct tn_ros_record *recording = record(&h, "/number", &options, &got);
    peer_start(&h, &peer,
               (const char *const[]){cyclone, "0", "w:rt/number:n=50,tl,depth=100", NULL});
    while (got.n < 50)
        (void)tn_loop_run_once(h.loop, 10 * TN_NS_PER_MS);
    put_bytes((const uint8_t[]){0, 1, 0, 0, 50, 0, 0, 0, 0, 0, 0, 0}, 12, got.line + 128, 128);
    assert_string_equal(got.line, got.line + 128);
    assert_int_equal(got.n_missing, 0);
    assert_false(got.is_wrong);
    tn_ros_record_destroy(&recording);
    assert_null(recording);
    tn_ros_record_destroy(&recording);
    peer_stop(&peer);
    harness_close(&h);
}

static void nonsense_is_refused_with_reasons(void **state)
{
    static const struct tn_ros_record_options bad[] = {
        {.hash = HASH},
        {.type = ""},
        {.type = "a b"},
        {.type = ROS_TYPE, .hash = "RIHS01_12"},
        {.type = ROS_TYPE,
         .hash = "RIHS02_"
                 "00000000000000000000000000000000000000000000000000000000"
                 "000000aa"},
    };
    struct harness h;
    struct got got;
    (void)state;
    harness_open(&h);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tn_ros_record *recording = NULL;
        struct tn_error err = {0};
        assert_int_equal(
            tn_ros_record_create(h.node, "/x", &bad[i], on_message, &got, &recording, &err),
            TN_ERR_INVALID_ARGUMENT);
        assert_null(recording);
        assert_true(err.text[0] != '\0');
    }
    harness_close(&h);
}

static void recordings_are_bounded(void **state)
{
    struct harness h;
    struct got got;
    struct tn_error err = {0};
    struct tn_ros_record *recording = NULL;
    char topic[32];
    (void)state;
    harness_open(&h);
    for (uint32_t i = 0; i < TN_ROS_RECORDS_MAX; i++) {
        (void)snprintf(topic, sizeof topic, "/t%u", i);
        (void)record(&h, topic, NULL, &got);
    }
    assert_int_equal(
        tn_ros_record_create(h.node, "/more", NULL, on_message, &got, &recording, &err),
        TN_ERR_LIMIT);
    // the node takes all of them along
    harness_close(&h);
}

/// A stranger whose announcements are as odd as its library lets them be, many times over.
static void hostile_announcements_do_no_harm(void **state)
{
    struct harness h;
    struct peer hostile, peer;
    struct got got;
    static char odd[] = "w:rt/number:n=0,copies=200,exclusive,deadline=1,lease=1,budget=2147483647,"
                        "partition=\x1b[31m\n%s%n,partition=****************************?,"
                        "partition=[[[[[[";
    static char type[] = "w:rt/number2:n=0,type=\x1b]0;x\x07%n%s,copies=50";
    struct tn_ros_record_options options = {.type = "std_msgs/msg/UInt64"};
    (void)state;
    harness_open(&h);
    (void)record(&h, "/number", &options, &got);
    struct got got2;
    struct tn_ros_qos qos = tn_ros_qos_default(10);
    struct tn_ros_record_options given = {.type = "std_msgs/msg/UInt64", .qos = &qos};
    (void)record(&h, "/number2", &given, &got2);
    uint64_t before_kib = tn_process_rss_kib(getpid());
    peer_start(&h, &hostile, (const char *const[]){fastdds, "0", odd, type, NULL});
    harness_run(&h, 3 * TN_NS_PER_S);
    // in the middle of it an honest one is heard
    peer_start(&h, &peer,
               (const char *const[]){cyclone, "0", "w:rt/number2:n=1000,period=5", NULL});
    while (got2.n < 5)
        (void)tn_loop_run_once(h.loop, 10 * TN_NS_PER_MS);
    assert_true(tn_process_rss_kib(getpid()) < before_kib + 32768);
    peer_stop(&peer);
    peer_stop(&hostile);
    harness_close(&h);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_bytes_are_those_that_were_sent),
        cmocka_unit_test(quality_suits_all_publishers),
        cmocka_unit_test(bytes_are_published_as_they_are),
        cmocka_unit_test(played_back_recording_is_the_same),
        cmocka_unit_test(nonsense_is_refused_with_reasons),
        cmocka_unit_test(recordings_are_bounded),
        cmocka_unit_test(hostile_announcements_do_no_harm),
    };
    if (argc < 3)
        return 2;
    fastdds = argv[1];
    cyclone = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
