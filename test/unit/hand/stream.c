// SPDX-License-Identifier: Apache-2.0
#include "hand/stream.h"

#include "hand_test.h"

enum { PERIOD_MS = 8 };

// a stream on a clock that the test moves
struct bench {
    struct tn_hand_stream stream;
    struct tn_hand_sample sample;
    struct tn_hand_frame frame;
    double angles[TN_HAND_ANGLES];
    uint8_t writer[TN_HAND_STREAM_WRITER_SIZE];
    int64_t now_steady_ns;
};

static void set_up(struct bench *b, const char *wanted)
{
    memset(b, 0, sizeof *b);
    struct tn_hand_stream_options options = tn_hand_stream_options_default(TN_SIDE_RIGHT);
    options.nominal_rate_hz = 125.0;
    options.first_stream_id = 1000;
    snprintf(options.device_id, sizeof options.device_id, "%s", wanted);
    assert_int_equal(tn_hand_stream_init(&b->stream, &options), TN_OK);
    b->writer[0] = 1;
    b->now_steady_ns = 50 * TN_NS_PER_S;
    b->sample = (struct tn_hand_sample){.stamp_ros_ns = 1700000000 * TN_NS_PER_S,
                                        .device_id = "g1",
                                        .writer = b->writer,
                                        .angles_rad = b->angles,
                                        .angle_valid = BIT(3) | BIT(5),
                                        .is_age_known = true,
                                        .age_ns = 2 * TN_NS_PER_MS};
}

static enum tn_result take(struct bench *b)
{
    return tn_hand_stream_take(&b->stream, &b->sample, b->now_steady_ns, &b->frame);
}

// the source and the clock go on together
static void pass(struct bench *b, int64_t ms)
{
    b->sample.stamp_ros_ns += ms * TN_NS_PER_MS;
    b->now_steady_ns += ms * TN_NS_PER_MS;
}

static void frames_are_numbered_and_described(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "");
    assert_int_equal(tn_hand_stream_link(&b.stream, b.now_steady_ns), TN_LINK_INIT);
    b.angles[3] = 0.25;
    b.angles[4] = (double)NAN; // not valid: must not be read
    for (uint64_t i = 0; i < 5; i++) {
        assert_int_equal(take(&b), TN_OK);
        assert_int_equal(b.frame.sequence, i);
        assert_int_equal(b.frame.stream_id, 1000);
        assert_int_equal(b.frame.stamp_ros_ns, b.sample.stamp_ros_ns);
        assert_int_equal(b.frame.side, TN_SIDE_RIGHT);
        assert_int_equal(b.frame.stamp_kind, TN_STAMP_ARRIVAL);
        assert_int_equal(b.frame.link, TN_LINK_ACTIVE);
        assert_int_equal(b.frame.age_ns, 2 * TN_NS_PER_MS);
        assert_int_equal(b.frame.missed_before, 0);
        assert_false(b.frame.has_source_sequence);
        assert_string_equal(b.frame.device_id, "g1");
        assert_int_equal(b.frame.node_valid, 0);
        assert_int_equal(b.frame.angle_valid, BIT(3) | BIT(5));
        assert_near(b.frame.angles[3], 0.25, 0.0);
        assert_near(b.frame.angles[4], 0.0, 0.0);
        pass(&b, PERIOD_MS);
    }
    assert_int_equal(b.stream.counters.accepted, 5);
    assert_int_equal(b.stream.counters.streams, 1);
}

static void an_identity_is_used_once(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "");
    assert_int_equal(take(&b), TN_OK);
    struct tn_hand_frame kept = b.frame;
    b.angles[3] = 1.0; // other values do not make another frame
    assert_int_equal(take(&b), TN_ERR_REPEATED);
    b.sample.stamp_ros_ns -= 1;
    assert_int_equal(take(&b), TN_ERR_REORDERED);
    b.sample.stamp_ros_ns -= 999 * TN_NS_PER_MS;
    assert_int_equal(take(&b), TN_ERR_REORDERED);
    assert_memory_equal(&kept, &b.frame, sizeof kept);
    assert_int_equal(b.stream.counters.repeated, 1);
    assert_int_equal(b.stream.counters.reordered, 2);
    // equal values under a new stamp are a new frame: a hand may be still
    b.sample.stamp_ros_ns = kept.stamp_ros_ns + PERIOD_MS * TN_NS_PER_MS;
    b.angles[3] = 0.0;
    assert_int_equal(take(&b), TN_OK);
    assert_int_equal(b.frame.sequence, 1);
}

static void a_clock_set_back_goes_on_in_its_stream(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "");
    assert_int_equal(take(&b), TN_OK);
    int64_t first_ros_ns = b.sample.stamp_ros_ns;
    // exactly one second back is still an old frame
    b.sample.stamp_ros_ns = first_ros_ns - TN_NS_PER_S;
    assert_int_equal(take(&b), TN_ERR_REORDERED);
    // a frame known to be old says nothing about the clock
    b.sample.stamp_ros_ns = first_ros_ns - 5 * TN_NS_PER_S;
    b.sample.age_ns = 5 * TN_NS_PER_S;
    assert_int_equal(take(&b), TN_ERR_REORDERED);
    b.sample.is_age_known = false;
    assert_int_equal(take(&b), TN_OK);
    assert_int_equal(b.frame.stream_id, 1000);
    assert_int_equal(b.frame.sequence, 1);
    assert_int_equal(b.frame.missed_before, 0);
    assert_false(b.frame.rates_valid);
    assert_int_equal(b.frame.link, TN_LINK_CALIBRATING);
    // extremes do not overflow
    b.sample.stamp_ros_ns = INT64_MIN;
    assert_int_equal(take(&b), TN_OK);
    b.sample.stamp_ros_ns = INT64_MAX;
    assert_int_equal(take(&b), TN_OK);
    assert_int_equal(b.frame.missed_before, UINT32_MAX);
}

static void silence_begins_a_stream(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "");
    assert_int_equal(take(&b), TN_OK);
    pass(&b, 1000);
    assert_int_equal(take(&b), TN_OK);
    assert_int_equal(b.frame.stream_id, 1000);
    assert_int_equal(b.frame.missed_before, 124);
    pass(&b, 1001);
    assert_int_equal(take(&b), TN_OK);
    assert_int_equal(b.frame.stream_id, 1001);
    assert_int_equal(b.frame.sequence, 0);
    assert_int_equal(b.stream.counters.missed, 124);
    // silence does not make an old identity new
    b.now_steady_ns += 10 * TN_NS_PER_S;
    assert_int_equal(take(&b), TN_ERR_REPEATED);
}

static void one_writer_owns_the_stream(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "");
    assert_int_equal(take(&b), TN_OK);
    // a second writer interleaves: it neither gets through nor restarts the stream
    for (int i = 0; i < 10; i++) {
        pass(&b, PERIOD_MS / 2);
        b.writer[0] = 2;
        assert_int_equal(take(&b), TN_ERR_BUSY);
        pass(&b, PERIOD_MS / 2);
        b.writer[0] = 1;
        assert_int_equal(take(&b), TN_OK);
        assert_int_equal(b.frame.stream_id, 1000);
    }
    // the owner is gone: the other takes over, in a stream of its own
    pass(&b, 200);
    b.writer[0] = 2;
    assert_int_equal(take(&b), TN_ERR_BUSY);
    pass(&b, 1);
    assert_int_equal(take(&b), TN_OK);
    assert_int_equal(b.frame.stream_id, 1001);
    assert_int_equal(b.frame.sequence, 0);
    // a restarted driver cannot replay what was used
    pass(&b, 300);
    b.sample.stamp_ros_ns -= 300 * TN_NS_PER_MS;
    b.writer[0] = 3;
    assert_int_equal(take(&b), TN_ERR_REPEATED);
    assert_int_equal(b.stream.counters.other_writer, 11);
}

static void the_first_device_keeps_the_side(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "");
    assert_int_equal(take(&b), TN_OK);
    pass(&b, PERIOD_MS);
    b.sample.device_id = "g2";
    assert_int_equal(take(&b), TN_ERR_WRONG_DEVICE);
    pass(&b, 1000);
    assert_int_equal(take(&b), TN_OK); // g1 has been silent for long enough
    assert_string_equal(b.frame.device_id, "g2");
    assert_int_equal(b.frame.stream_id, 1001);
    pass(&b, PERIOD_MS);
    b.sample.device_id = "g1";
    assert_int_equal(take(&b), TN_ERR_WRONG_DEVICE);
    // a lost device frees the side at once
    assert_false(tn_hand_stream_set_connected(&b.stream, "g1", true));
    assert_false(tn_hand_stream_set_connected(&b.stream, "g3", false));
    assert_true(tn_hand_stream_set_connected(&b.stream, "g2", false));
    assert_false(tn_hand_stream_set_connected(&b.stream, "g2", false));
    assert_int_equal(tn_hand_stream_link(&b.stream, b.now_steady_ns), TN_LINK_DISCONNECTED);
    assert_int_equal(take(&b), TN_OK);
    assert_string_equal(b.frame.device_id, "g1");
    assert_int_equal(b.frame.stream_id, 1002);
    assert_int_equal(b.stream.counters.other_device, 2);
}

static void a_disconnected_device_does_not_count(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "");
    assert_int_equal(take(&b), TN_OK);
    assert_true(tn_hand_stream_set_connected(&b.stream, "g1", false));
    pass(&b, PERIOD_MS);
    assert_int_equal(take(&b), TN_ERR_WRONG_DEVICE);
    assert_int_equal(b.stream.counters.disconnected_device, 1);
    assert_false(tn_hand_stream_set_connected(&b.stream, "g1", true));
    assert_int_equal(take(&b), TN_OK);
    assert_int_equal(b.frame.stream_id, 1001);
    assert_int_equal(b.frame.sequence, 0);
}

static void a_configured_device_alone_counts(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "g2");
    assert_int_equal(take(&b), TN_ERR_WRONG_DEVICE);
    b.now_steady_ns += 100 * TN_NS_PER_S;
    assert_int_equal(take(&b), TN_ERR_WRONG_DEVICE);
    b.sample.device_id = "g2";
    assert_int_equal(take(&b), TN_OK);
    pass(&b, PERIOD_MS);
    assert_int_equal(tn_hand_stream_select(&b.stream, "g1"), TN_OK);
    assert_int_equal(take(&b), TN_ERR_WRONG_DEVICE);
    b.sample.device_id = "g1";
    assert_int_equal(take(&b), TN_OK);
    assert_int_equal(b.frame.stream_id, 1001);
    char long_id[100];
    memset(long_id, 'x', sizeof long_id - 1);
    long_id[99] = 0;
    assert_int_equal(tn_hand_stream_select(&b.stream, long_id), TN_ERR_LIMIT);
    assert_string_equal(b.stream.options.device_id, "g1");
    b.sample.device_id = long_id;
    assert_int_equal(take(&b), TN_ERR_INVALID_ARGUMENT);
    b.sample.device_id = "";
    assert_int_equal(take(&b), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(b.stream.counters.bad_identity, 2);
}

static void the_device_table_is_bounded(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "");
    char id[32];
    for (int i = 0; i < 1000; i++) {
        snprintf(id, sizeof id, "device %d", i);
        assert_false(tn_hand_stream_set_connected(&b.stream, id, false));
    }
    assert_int_equal(b.stream.n_devices, TN_HAND_STREAM_DEVICES);
    b.sample.device_id = "device 999";
    assert_int_equal(take(&b), TN_ERR_WRONG_DEVICE);
    b.sample.device_id = "device 983"; // forgotten
    assert_int_equal(take(&b), TN_OK);
    assert_false(tn_hand_stream_set_connected(&b.stream, "", true));
}

static void the_age_decides_the_link_state(void **state)
{
    (void)state;
    const struct {
        bool is_known;
        int64_t age_ns;
        enum tn_link_state link;
        int64_t published_ns;
    } rows[] = {
        {true, 0, TN_LINK_ACTIVE, 0},
        {true, 200 * TN_NS_PER_MS, TN_LINK_ACTIVE, 200 * TN_NS_PER_MS},
        {true, 200 * TN_NS_PER_MS + 1, TN_LINK_STALE, 200 * TN_NS_PER_MS + 1},
        {true, INT64_MAX, TN_LINK_STALE, INT64_MAX},
        {true, -5 * TN_NS_PER_MS, TN_LINK_ACTIVE, 0},
        {true, -5 * TN_NS_PER_MS - 1, TN_LINK_CALIBRATING, 0},
        {true, INT64_MIN, TN_LINK_CALIBRATING, 0},
        {false, 0, TN_LINK_CALIBRATING, 0},
        {false, INT64_MAX, TN_LINK_CALIBRATING, 0},
    };
    struct bench b;
    set_up(&b, "");
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        b.sample.is_age_known = rows[i].is_known;
        b.sample.age_ns = rows[i].age_ns;
        assert_int_equal(take(&b), TN_OK);
        assert_int_equal(b.frame.link, rows[i].link);
        assert_int_equal(b.frame.age_ns, rows[i].published_ns);
        pass(&b, PERIOD_MS);
    }
    assert_int_equal(b.stream.counters.age_stale, 2);
    assert_int_equal(b.stream.counters.age_negative, 2);
    assert_int_equal(b.stream.counters.age_unknown, 2);
}

static void gaps_are_estimated_and_rates_need_neighbours(void **state)
{
    (void)state;
    const struct {
        int64_t gap_ms;
        uint32_t missed;
        bool has_rates;
    } rows[] = {{8, 0, true},  {4, 0, true},  {3, 0, false},  {11, 0, true},
                {16, 1, true}, {40, 4, true}, {41, 4, false}, {800, 99, false}};
    struct bench b;
    set_up(&b, "");
    assert_int_equal(take(&b), TN_OK);
    assert_false(b.frame.rates_valid);
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        pass(&b, rows[i].gap_ms);
        b.angles[3] += 0.002 * (double)rows[i].gap_ms; // 2 rad/s
        assert_int_equal(take(&b), TN_OK);
        assert_int_equal(b.frame.missed_before, rows[i].missed);
        assert_int_equal(b.frame.rates_valid, rows[i].has_rates);
        assert_near(b.frame.rates[3], rows[i].has_rates ? 2.0 : 0.0, 1e-9);
        assert_near(b.frame.rates[5], 0.0, 0.0);
    }
    // another set of angles has no neighbour to be compared with
    pass(&b, PERIOD_MS);
    b.sample.angle_valid = BIT(3);
    assert_int_equal(take(&b), TN_OK);
    assert_false(b.frame.rates_valid);
}

static void the_link_goes_stale_and_lost_by_itself(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "");
    assert_int_equal(take(&b), TN_OK);
    const struct {
        int64_t after_ms;
        enum tn_link_state link;
    } rows[] = {{0, TN_LINK_ACTIVE},
                {200, TN_LINK_ACTIVE},
                {201, TN_LINK_STALE},
                {1000, TN_LINK_STALE},
                {1001, TN_LINK_DISCONNECTED}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        assert_int_equal(
            tn_hand_stream_link(&b.stream, b.now_steady_ns + rows[i].after_ms * TN_NS_PER_MS),
            rows[i].link);
    }
}

static void options_are_checked(void **state)
{
    (void)state;
    struct tn_hand_stream stream;
    struct tn_hand_stream_options options = tn_hand_stream_options_default(TN_SIDE_UNKNOWN);
    assert_int_equal(tn_hand_stream_init(&stream, &options), TN_ERR_INVALID_ARGUMENT);
    const double rates_hz[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 10001.0};
    for (size_t i = 0; i < TN_ARRAY_SIZE(rates_hz); i++) {
        options = tn_hand_stream_options_default(TN_SIDE_LEFT);
        options.nominal_rate_hz = rates_hz[i];
        assert_int_equal(tn_hand_stream_init(&stream, &options), TN_ERR_RANGE);
    }
    for (int member = 0; member < 3; member++) {
        options = tn_hand_stream_options_default(TN_SIDE_LEFT);
        int64_t *times[] = {&options.stale_ns, &options.silence_ns, &options.step_back_ns};
        *times[member] = 0;
        assert_int_equal(tn_hand_stream_init(&stream, &options), TN_ERR_RANGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_numbered_and_described),
        cmocka_unit_test(an_identity_is_used_once),
        cmocka_unit_test(a_clock_set_back_goes_on_in_its_stream),
        cmocka_unit_test(silence_begins_a_stream),
        cmocka_unit_test(one_writer_owns_the_stream),
        cmocka_unit_test(the_first_device_keeps_the_side),
        cmocka_unit_test(a_disconnected_device_does_not_count),
        cmocka_unit_test(a_configured_device_alone_counts),
        cmocka_unit_test(the_device_table_is_bounded),
        cmocka_unit_test(the_age_decides_the_link_state),
        cmocka_unit_test(gaps_are_estimated_and_rates_need_neighbours),
        cmocka_unit_test(the_link_goes_stale_and_lost_by_itself),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
