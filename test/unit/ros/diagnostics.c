// SPDX-License-Identifier: Apache-2.0
/// One status and the tasks: what diagnostic_updater says, in its words.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ros/diagnostics_tasks.h"
#include "ros/ros__diagnostics.h"

#define S TN_NS_PER_S

static struct diagnostic_msgs_msg_KeyValue values[32];
static char text[1024];
static struct tn_diag__pool pool;
static struct tn_diag_status status;

static int fresh(void **state)
{
    (void)state;
    pool = (struct tn_diag__pool){
        .values = values, .max_values = 32, .text = text, .text_size = sizeof text};
    memset(text, 'x', sizeof text);
    tn_diag__begin(&status, &pool, "none");
    return 0;
}

static void again(void)
{
    pool.n_values = 0;
    pool.text_used = 0;
    tn_diag__begin(&status, &pool, "none");
}

static const char *value_of(const char *key)
{
    for (uint32_t i = 0; i < pool.n_values; i++)
        if (tn_str_is(values[i].key, key))
            return values[i].value.data;
    return "(absent)";
}

static void expect(enum tn_diag_level level, const char *message)
{
    assert_string_equal(tn_diag_message(&status), message);
    assert_int_equal(tn_diag_level(&status), level);
}

// ---- merging ----

static void a_task_that_says_nothing_is_an_error(void **state)
{
    (void)state;
    expect(TN_DIAG_ERROR, "No message was set");
}

static void every_pair_of_levels_merges_as_upstream_does(void **state)
{
    (void)state;
    for (int old = 0; old <= 3; old++) {
        for (int new = 0; new <= 3; new ++) {
            again();
            tn_diag_summary(&status, (enum tn_diag_level)old, "old");
            tn_diag_merge(&status, (enum tn_diag_level) new, "new");
            expect((enum tn_diag_level)(old > new ? old : new), old > 0 && new > 0 ? "old; new"
                                                                : new > 0          ? "new"
                                                                                   : "old");
        }
    }
    // both bad and nothing said before: what is new is not said either
    tn_diag_summary(&status, TN_DIAG_WARN, "%s", "");
    tn_diag_merge(&status, TN_DIAG_ERROR, "lost");
    expect(TN_DIAG_ERROR, "");
    tn_diag_clear_summary(&status);
    expect(TN_DIAG_OK, "");
    tn_diag_merge(&status, TN_DIAG_OK, "ignored");
    expect(TN_DIAG_OK, "");
}

static void merging_without_end_stays_inside_the_message(void **state)
{
    (void)state;
    tn_diag_summary(&status, TN_DIAG_WARN, "a");
    for (int i = 0; i < 1000; i++)
        tn_diag_merge(&status, TN_DIAG_WARN, "ä%d", i);
    assert_true(strlen(tn_diag_message(&status)) < TN_DIAG_MESSAGE_MAX);
    assert_true(strlen(tn_diag_message(&status)) > TN_DIAG_MESSAGE_MAX - 8);
    assert_int_equal(strncmp(tn_diag_message(&status), "a; ä0; ä1", 11), 0);
    assert_null(strchr(tn_diag_message(&status), '?'));
}

// ---- texts ----

static void texts_are_utf8_whatever_a_device_says(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"plain", "plain"},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"\xff\xfe", "??"},
        {"a\x80z", "a?z"},
        {"\xc3", "?"},
        {"\xe2\x82", "??"},
        {"\xe2\x82z", "??z"},
        {"\xc0\xaf", "??"},           // overlong
        {"\xe0\x80\xaf", "???"},      // overlong
        {"\xed\xa0\x80", "???"},      // half of a surrogate pair
        {"\xf4\x90\x80\x80", "????"}, // above the last character
        {"\xf0\x8f\xbf\xbf", "????"}, // overlong
        {"\xf5\x80\x80\x80", "????"},
        {"\xf0\x9f\x98", "???"},
        {"\xc3\xc3\xa4", "?\xc3\xa4"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        again();
        tn_diag_add(&status, rows[i].in, "%s", rows[i].in);
        tn_diag_summary(&status, TN_DIAG_OK, "%s", rows[i].in);
        tn_diag_set_hardware_id(&status, rows[i].in);
        assert_string_equal(values[0].key.data, rows[i].out);
        assert_string_equal(values[0].value.data, rows[i].out);
        assert_string_equal(status.message, rows[i].out);
        assert_string_equal(status.hardware_id, rows[i].out);
        assert_int_equal(values[0].value.size, strlen(rows[i].out));
    }
}

static void a_cut_text_ends_with_a_whole_character(void **state)
{
    (void)state;
    static const char *const ends[] = {"b", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    for (size_t e = 0; e < TN_ARRAY_SIZE(ends); e++) {
        for (size_t n = 1; n < 12; n++) {
            char in[64] = "", out[16];
            memset(in, 'a', n);
            for (int k = 0; k < 6; k++)
                (void)snprintf(in + strlen(in), sizeof in - strlen(in), "%s", ends[e]);
            tn_diag__copy(out, sizeof out, in);
            assert_null(strchr(out, '?'));
            assert_true(strlen(out) == strlen(in) || strlen(out) > sizeof out - 5);
            assert_int_equal(strncmp(in, out, strlen(out)), 0);
        }
    }
}

static void what_finds_no_room_is_left_out_and_counted(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++)
        tn_diag_add_count(&status, "k", (uint64_t)i);
    assert_int_equal(pool.n_values, 32);
    assert_int_equal(pool.left_out, 8);

    // a text that does not fit leaves room for one that does
    (void)fresh(NULL);
    tn_diag_add(&status, "long", "%01100d", 7);
    tn_diag_add(&status, "short", "%d", 7);
    assert_int_equal(pool.left_out, 1);
    assert_int_equal(pool.n_values, 1);
    assert_string_equal(value_of("short"), "7");
    // to the last byte
    size_t room = pool.text_size - pool.text_used - sizeof "k" - 1;
    tn_diag_add(&status, "k", "%0*d", (int)room, 1);
    assert_int_equal(pool.text_used, pool.text_size);
    tn_diag_add(&status, "", "%s", "");
    assert_int_equal(pool.left_out, 2);
    assert_int_equal(pool.n_values, 2);
    tn_diag_clear_values(&status);
    assert_int_equal(pool.text_used, 0);
    tn_diag_add_bool(&status, "yes", true);
    tn_diag_add_bool(&status, "no", false);
    assert_string_equal(value_of("yes"), "True");
    assert_string_equal(value_of("no"), "False");
}

static void statuses_of_one_report_share_the_room_in_order(void **state)
{
    (void)state;
    static struct tn_diag_status second;
    struct diagnostic_msgs_msg_DiagnosticStatus a, b;
    tn_diag_add(&status, "a", "%d", 1);
    tn_diag__end(&status, &a);
    tn_diag__begin(&second, &pool, "id");
    tn_diag_summary(&second, TN_DIAG_STALE, "quiet");
    tn_diag_add(&second, "b", "%d", 2);
    tn_diag_add(&second, "c", "%d", 3);
    tn_diag_clear_values(&second);
    tn_diag_add(&second, "d", "%d", 4);
    tn_diag__end(&second, &b);
    assert_int_equal(a.values.size, 1);
    assert_int_equal(b.values.size, 1);
    assert_true(tn_str_is(a.values.data[0].key, "a"));
    assert_true(tn_str_is(b.values.data[0].key, "d"));
    assert_true(tn_str_is(b.hardware_id, "id"));
    assert_int_equal(b.level, diagnostic_msgs_msg_DiagnosticStatus_STALE);
}

// ---- diagnostic_updater's tasks ----

static void tick(struct tn_diag_frequency *frequency, int n)
{
    for (int i = 0; i < n; i++)
        tn_diag_frequency_tick(frequency);
}

static void a_frequency_is_judged_over_the_window(void **state)
{
    (void)state;
    struct tn_diag_frequency f = {.min_hz = 10, .max_hz = 20, .tolerance = 0.5, .window = 2};
    tn_diag_frequency_clear(&f, 100 * S);
    tn_diag_frequency_run(&f, &status, 101 * S);
    expect(TN_DIAG_ERROR, "No events recorded.");
    static const struct {
        int events;
        enum tn_diag_level level;
        const char *message, *rate;
    } rows[] = {
        {8, TN_DIAG_WARN, "Frequency too low.", "4.000000"},
        {8, TN_DIAG_OK, "Desired frequency met", "8.000000"},
        {60, TN_DIAG_WARN, "Frequency too high.", "34.000000"},
        {0, TN_DIAG_OK, "Desired frequency met", "30.000000"},
        {0, TN_DIAG_ERROR, "No events recorded.", "0.000000"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        again();
        tick(&f, rows[i].events);
        tn_diag_frequency_run(&f, &status, (102 + (int64_t)i) * S);
        expect(rows[i].level, rows[i].message);
        assert_string_equal(value_of("Actual frequency (Hz)"), rows[i].rate);
    }
    assert_string_equal(value_of("Events in window"), "0");
    assert_string_equal(value_of("Events since startup"), "76");
    assert_string_equal(value_of("Duration of window (s)"), "2.000000");
    assert_string_equal(value_of("Minimum acceptable frequency (Hz)"), "5.000000");
    assert_string_equal(value_of("Maximum acceptable frequency (Hz)"), "30.000000");
    assert_string_equal(value_of("Target frequency (Hz)"), "(absent)");
}

static void the_keys_of_a_frequency_are_in_upstreams_order(void **state)
{
    (void)state;
    static const char *const keys[] = {"Events in window",
                                       "Events since startup",
                                       "Duration of window (s)",
                                       "Actual frequency (Hz)",
                                       "Target frequency (Hz)",
                                       "Minimum acceptable frequency (Hz)",
                                       "Maximum acceptable frequency (Hz)"};
    struct tn_diag_frequency f = {.min_hz = 10, .max_hz = 10, .tolerance = 0.1};
    tn_diag_frequency_clear(&f, 0);
    tick(&f, 10);
    tn_diag_frequency_run(&f, &status, S);
    assert_int_equal(pool.n_values, TN_ARRAY_SIZE(keys));
    for (uint32_t i = 0; i < pool.n_values; i++)
        assert_string_equal(values[i].key.data, keys[i]);

    // no bound, no key
    again();
    f = (struct tn_diag_frequency){.max_hz = (double)INFINITY};
    tn_diag_frequency_clear(&f, 0);
    tick(&f, 1);
    tn_diag_frequency_run(&f, &status, 0);
    expect(TN_DIAG_OK, "Desired frequency met");
    assert_int_equal(pool.n_values, 4);
    // a report twice at one time is no division by zero
    again();
    tn_diag_frequency_clear(&f, 0);
    tn_diag_frequency_run(&f, &status, 0);
    assert_string_equal(value_of("Actual frequency (Hz)"), "0.000000");
    f.window = UINT32_MAX;
    for (int64_t i = 0; i < 200; i++) {
        again();
        tn_diag_frequency_run(&f, &status, i);
    }
}

static void timestamps_are_judged_once_and_counted(void **state)
{
    (void)state;
    struct tn_diag_timestamp t = {.min_acceptable_s = -1, .max_acceptable_s = 5};
    tn_diag_timestamp_run(&t, &status, 0);
    expect(TN_DIAG_WARN, "No data since last update.");
    // a zero stamp alone is no data
    again();
    tn_diag_timestamp_tick(&t, 0, 9 * S);
    tn_diag_timestamp_run(&t, &status, 0);
    expect(TN_DIAG_WARN, "No data since last update.");
    again();
    tn_diag_timestamp_tick(&t, 8 * S, 9 * S);
    tn_diag_timestamp_run(&t, &status, 0);
    expect(TN_DIAG_OK, "Timestamps are reasonable.");
    assert_string_equal(value_of("Earliest timestamp delay:"), "1.000000");
    again();
    tn_diag_timestamp_tick(&t, 11 * S, 9 * S);
    tn_diag_timestamp_run(&t, &status, 0);
    expect(TN_DIAG_ERROR, "Timestamps too far in future seen.");
    again();
    tn_diag_timestamp_tick(&t, 11 * S, 9 * S);
    tn_diag_timestamp_tick(&t, 1 * S, 9 * S);
    tn_diag_timestamp_run(&t, &status, 0);
    expect(TN_DIAG_ERROR, "Timestamps too far in past seen.");
    again();
    tn_diag_timestamp_tick(&t, 1 * S, 9 * S);
    tn_diag_timestamp_tick(&t, 0, 9 * S);
    tn_diag_timestamp_run(&t, &status, 0);
    expect(TN_DIAG_ERROR, "Zero timestamp seen.");
    static const struct {
        const char *key, *value;
    } rows[] = {
        {"Earliest timestamp delay:", "8.000000"},
        {"Latest timestamp delay:", "8.000000"},
        {"Earliest acceptable timestamp delay:", "-1.000000"},
        {"Latest acceptable timestamp delay:", "5.000000"},
        {"Late diagnostic update count:", "2"},
        {"Early diagnostic update count:", "2"},
        {"Zero seen diagnostic update count:", "1"},
    };
    assert_int_equal(pool.n_values, TN_ARRAY_SIZE(rows));
    for (uint32_t i = 0; i < pool.n_values; i++) {
        assert_string_equal(values[i].key.data, rows[i].key);
        assert_string_equal(values[i].value.data, rows[i].value);
    }
}

static void say_warn(void *context, struct tn_diag_status *to, int64_t now_steady_ns)
{
    (void)now_steady_ns;
    tn_diag_summary(to, TN_DIAG_WARN, "%s", (const char *)context);
    tn_diag_add(to, "from", "%s", (const char *)context);
}

static void say_what_was_there(void *context, struct tn_diag_status *to, int64_t now_steady_ns)
{
    (void)context;
    (void)now_steady_ns;
    tn_diag_add(to, "found", "%s", tn_diag_message(to));
    tn_diag_summary(to, TN_DIAG_OK, "fine");
}

static void a_composite_merges_its_parts_and_keeps_their_keys(void **state)
{
    (void)state;
    struct tn_diag_composite c = {.n_parts = 4};
    c.parts[0].run = say_warn;
    c.parts[0].context = (void *)(uintptr_t) "one";
    c.parts[1].run = say_what_was_there;
    c.parts[2].run = say_warn;
    c.parts[2].context = (void *)(uintptr_t) "two";
    c.parts[3].run = tn_diag_heartbeat_run;
    tn_diag_composite_run(&c, &status, 0);
    expect(TN_DIAG_WARN, "one; two");
    assert_int_equal(pool.n_values, 3);
    assert_string_equal(value_of("found"), "No message was set");
    // parts that are all well say nothing together
    again();
    c.parts[0] = c.parts[3];
    c.n_parts = 1;
    tn_diag_composite_run(&c, &status, 0);
    expect(TN_DIAG_OK, "");
    again();
    tn_diag_heartbeat_run(NULL, &status, 0);
    expect(TN_DIAG_OK, "Alive");
}

// ---- streams ----

static void a_stream_says_what_is_wrong_with_it(void **state)
{
    (void)state;
    static struct tn_diag_stream s;
    memset(&s, 0, sizeof s);
    s.limits = tn_diag_stream_limits_default();
    s.limits.target_hz = 100;
    s.stamp_kind = "arrival";
    tn_diag_stream_run(&s, &status, S);
    expect(TN_DIAG_STALE, "no data yet");
    assert_string_equal(value_of("age_ms"), "(absent)");
    assert_string_equal(value_of("stamp_kind"), "arrival");

    int64_t now = 10 * S;
    for (uint64_t i = 0; i < 300; i++, now += 10 * TN_NS_PER_MS) {
        (void)tn_stream_stats_number(&s.stats, i, now);
        tn_stream_stats_add(&s.stats, now);
        tn_stream_stats_age(&s.stats, 3 * TN_NS_PER_MS, now);
    }
    again();
    tn_diag_stream_run(&s, &status, now);
    expect(TN_DIAG_OK, "data arrives");
    assert_string_equal(value_of("interval_p99_ms"), "10.000");
    assert_string_equal(value_of("received"), "300");
    assert_string_equal(value_of("Target frequency (Hz)"), "100.000");

    // silence first: its end is the news, not the rate it lowers
    again();
    tn_diag_stream_run(&s, &status, now + 300 * TN_NS_PER_MS);
    expect(TN_DIAG_WARN, "no fresh data");
    again();
    tn_diag_stream_run(&s, &status, now + 3 * S);
    expect(TN_DIAG_ERROR, "no data for 3.0 s");
    assert_string_equal(value_of("longest_gap_ms"), "3010.000");

    // too slow, old and with holes
    now += 12 * S;
    for (uint64_t i = 0; i < 250; i++, now += 20 * TN_NS_PER_MS) {
        (void)tn_stream_stats_number(&s.stats, 300 + 2 * i, now);
        tn_stream_stats_add(&s.stats, now);
        tn_stream_stats_age(&s.stats, 150 * TN_NS_PER_MS, now);
    }
    again();
    tn_diag_stream_run(&s, &status, now - 20 * TN_NS_PER_MS);
    assert_int_equal(tn_diag_level(&status), TN_DIAG_ERROR);
    assert_non_null(strstr(tn_diag_message(&status), " Hz of 100.0 Hz; ages up to 15"));
    assert_non_null(strstr(tn_diag_message(&status), " ms; 49."));
    assert_non_null(strstr(tn_diag_message(&status), " % missing"));
}

static void a_limit_of_zero_judges_nothing(void **state)
{
    (void)state;
    static struct tn_diag_stream s;
    memset(&s, 0, sizeof s);
    tn_stream_stats_add(&s.stats, 0);
    tn_stream_stats_age(&s.stats, 100 * S, 0);
    tn_stream_stats_missing(&s.stats, 1000, 0);
    tn_diag_stream_run(&s, &status, 3600 * S);
    expect(TN_DIAG_OK, "data arrives");
    assert_string_equal(value_of("Target frequency (Hz)"), "(absent)");
    assert_string_equal(value_of("stamp_kind"), "(absent)");
    // what nobody can know is not 0
    assert_string_equal(value_of("missing"), "(absent)");
    assert_string_equal(value_of("reordered"), "(absent)");
}

static void the_parts_of_a_stream_are_the_whole(void **state)
{
    (void)state;
    static struct tn_diag_stream s;
    memset(&s, 0, sizeof s);
    s.limits = tn_diag_stream_limits_default();
    s.stamp_kind = "sample";
    s.is_numbered = true;
    tn_stream_stats_add(&s.stats, 0);
    tn_stream_stats_age(&s.stats, 1, 0);
    tn_diag_stream_run(&s, &status, 1);
    uint32_t whole = pool.n_values;
    again();
    tn_diag_stream_frequency_run(&s, &status, 1);
    expect(TN_DIAG_OK, "data arrives");
    tn_diag_stream_timestamp_run(&s, &status, 1);
    expect(TN_DIAG_OK, "ages are known");
    tn_diag_stream_frames_run(&s, &status, 1);
    expect(TN_DIAG_OK, "none missing");
    assert_int_equal(pool.n_values, whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_task_that_says_nothing_is_an_error, fresh),
        cmocka_unit_test_setup(every_pair_of_levels_merges_as_upstream_does, fresh),
        cmocka_unit_test_setup(merging_without_end_stays_inside_the_message, fresh),
        cmocka_unit_test_setup(texts_are_utf8_whatever_a_device_says, fresh),
        cmocka_unit_test_setup(a_cut_text_ends_with_a_whole_character, fresh),
        cmocka_unit_test_setup(what_finds_no_room_is_left_out_and_counted, fresh),
        cmocka_unit_test_setup(statuses_of_one_report_share_the_room_in_order, fresh),
        cmocka_unit_test_setup(a_frequency_is_judged_over_the_window, fresh),
        cmocka_unit_test_setup(the_keys_of_a_frequency_are_in_upstreams_order, fresh),
        cmocka_unit_test_setup(timestamps_are_judged_once_and_counted, fresh),
        cmocka_unit_test_setup(a_composite_merges_its_parts_and_keeps_their_keys, fresh),
        cmocka_unit_test_setup(a_stream_says_what_is_wrong_with_it, fresh),
        cmocka_unit_test_setup(a_limit_of_zero_judges_nothing, fresh),
        cmocka_unit_test_setup(the_parts_of_a_stream_are_the_whole, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
