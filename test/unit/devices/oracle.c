// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/oracle/oracle.h"

#define MS TN_NS_PER_MS
// the wall clock is far from the steady clock, and moves at its pace
#define WALL_START_NS   INT64_C(1796000000000000000)
#define STEADY_START_NS INT64_C(2600000000000)
#define STEP_NS         INT64_C(8333333)

// ---- writing logs ----

struct log {
    char text[1 << 20];
    size_t size;
};

static void add(struct log *log, const char *format, ...) TN_PRINTF(2, 3);

static void add(struct log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(log->text + log->size, sizeof log->text - log->size, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && (size_t)n < sizeof log->text - log->size);
    log->size += (size_t)n;
}

struct logs {
    struct log sent, executed;
    uint64_t n;
};

static struct logs *begin(void)
{
    struct logs *logs = calloc(1, sizeof *logs);
    assert_non_null(logs);
    add(&logs->sent, "# tendon send log 1\n");
    add(&logs->executed, "# tendon execution log 1\n");
    return logs;
}

// what the kernel's receive time becomes on its way; 60 us after sending
static int64_t stamp_of(int64_t k)
{
    int64_t receive_wall_ns = WALL_START_NS + k * STEP_NS + 60000;
    return receive_wall_ns / MS * MS;
}

static void send_frame(struct logs *logs, const char *side, int64_t k)
{
    add(&logs->sent, "%" PRIu64 ",%s,%" PRId64 ",%" PRId64 "\n", logs->n++, side,
        WALL_START_NS + k * STEP_NS, STEADY_START_NS + k * STEP_NS);
}

static void execute_at_age(struct logs *logs, const char *side, int64_t k, int64_t age_ns)
{
    add(&logs->executed, "%s,%" PRId64 ",%" PRId64 "\n", side, stamp_of(k),
        STEADY_START_NS + k * STEP_NS + age_ns);
}

static struct logs *clean_run(int64_t n)
{
    struct logs *logs = begin();
    for (int64_t k = 0; k < n; k++) {
        send_frame(logs, "left", k);
        send_frame(logs, "right", k);
    }
    for (int64_t k = 0; k < n; k++) {
        execute_at_age(logs, "right", k, 2 * MS);
        execute_at_age(logs, "left", k, 3 * MS);
    }
    return logs;
}

static struct tn_oracle_verdict judge_with(struct logs *logs,
                                           const struct tn_oracle_options *options)
{
    struct tn_oracle *oracle = NULL;
    struct tn_oracle_verdict verdict;
    struct tn_error err = {0};
    assert_int_equal(tn_oracle_create(options, &oracle, &err), TN_OK);
    if (tn_oracle_read_sent(oracle, logs->sent.text, logs->sent.size, "sent", &err) != TN_OK ||
        tn_oracle_read_executed(oracle, logs->executed.text, logs->executed.size, "executed",
                                &err) != TN_OK)
        fail_msg("%s:%d: %s", err.file, err.line, err.text);
    assert_int_equal(tn_oracle_judge(oracle, &verdict, &err), TN_OK);
    tn_oracle_destroy(&oracle);
    assert_null(oracle);
    free(logs);
    return verdict;
}

static struct tn_oracle_verdict judge(struct logs *logs)
{
    return judge_with(logs, NULL);
}

static void assert_counts(const struct tn_oracle_side_verdict *side, uint64_t executed,
                          uint64_t stale, uint64_t repeated, uint64_t unmatched)
{
    assert_int_equal(side->executed, executed);
    assert_int_equal(side->stale, stale);
    assert_int_equal(side->repeated, repeated);
    assert_int_equal(side->unmatched, unmatched);
}

#define LEFT(verdict)  (&(verdict).sides[0])
#define RIGHT(verdict) (&(verdict).sides[1])

// ---- tests ----

static void a_clean_run_is_clean(void **state)
{
    (void)state;
    struct tn_oracle_verdict verdict = judge(clean_run(1000));
    assert_true(verdict.is_clean);
    assert_counts(LEFT(verdict), 1000, 0, 0, 0);
    assert_counts(RIGHT(verdict), 1000, 0, 0, 0);
    assert_int_equal(LEFT(verdict)->sent, 1000);
    assert_true(LEFT(verdict)->has_ages);
    assert_int_equal(LEFT(verdict)->p50_age_ns, 3 * MS);
    assert_int_equal(LEFT(verdict)->p99_age_ns, 3 * MS);
    assert_int_equal(LEFT(verdict)->max_age_ns, 3 * MS);
    assert_int_equal(RIGHT(verdict)->max_age_ns, 2 * MS);
}

static void one_stale_command_is_found_on_its_side(void **state)
{
    (void)state;
    struct logs *logs = clean_run(200);
    send_frame(logs, "left", 200);
    send_frame(logs, "right", 200);
    execute_at_age(logs, "left", 200, 206 * MS);
    struct tn_oracle_verdict verdict = judge(logs);
    assert_false(verdict.is_clean);
    assert_counts(LEFT(verdict), 201, 1, 0, 0);
    assert_counts(RIGHT(verdict), 200, 0, 0, 0);
    assert_int_equal(LEFT(verdict)->max_age_ns, 206 * MS);
}

static void the_bound_itself_is_allowed(void **state)
{
    (void)state;
    const struct {
        int64_t age_ns;
        uint64_t stale;
    } cases[] = {{205 * MS - 1, 0}, {205 * MS, 0}, {205 * MS + 1, 1}};
    for (unsigned i = 0; i < 3; i++) {
        struct logs *logs = begin();
        send_frame(logs, "right", 7);
        execute_at_age(logs, "right", 7, cases[i].age_ns);
        struct tn_oracle_verdict verdict = judge(logs);
        assert_counts(RIGHT(verdict), 1, cases[i].stale, 0, 0);
        assert_int_equal(verdict.is_clean, cases[i].stale == 0);
    }
}

static void options_move_the_bound(void **state)
{
    (void)state;
    const struct tn_oracle_options options = {.max_age_ns = 10 * MS, .tolerance_ns = 0};
    struct logs *logs = begin();
    send_frame(logs, "left", 0);
    send_frame(logs, "left", 1);
    execute_at_age(logs, "left", 0, 10 * MS);
    execute_at_age(logs, "left", 1, 10 * MS + 1);
    struct tn_oracle_verdict verdict = judge_with(logs, &options);
    assert_counts(LEFT(verdict), 2, 1, 0, 0);
    struct tn_oracle *oracle = NULL;
    const struct tn_oracle_options bad[] = {{0, 0}, {-1, 0}, {1, -1}};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(tn_oracle_create(&bad[i], &oracle, NULL), TN_ERR_INVALID_ARGUMENT);
        assert_null(oracle);
    }
}

static void a_stamp_executed_again_is_repeated(void **state)
{
    (void)state;
    struct logs *logs = clean_run(100);
    // apart in the log, on both sides; three times is two repetitions
    execute_at_age(logs, "left", 50, 4 * MS);
    execute_at_age(logs, "left", 60, 4 * MS);
    execute_at_age(logs, "left", 50, 5 * MS);
    execute_at_age(logs, "right", 99, 300 * MS);
    struct tn_oracle_verdict verdict = judge(logs);
    assert_counts(LEFT(verdict), 103, 0, 3, 0);
    assert_counts(RIGHT(verdict), 101, 1, 1, 0);
    assert_false(verdict.is_clean);
}

static void equal_stamps_of_both_sides_are_no_repetition(void **state)
{
    (void)state;
    struct logs *logs = begin();
    send_frame(logs, "left", 0);
    send_frame(logs, "right", 0);
    execute_at_age(logs, "left", 0, MS);
    execute_at_age(logs, "right", 0, MS);
    assert_true(judge(logs).is_clean);
}

static void commands_without_a_datagram_are_unmatched(void **state)
{
    (void)state;
    struct logs *logs = begin();
    send_frame(logs, "left", 10);
    // older than everything sent
    execute_at_age(logs, "left", 9, MS);
    // only the other side sent
    execute_at_age(logs, "right", 10, MS);
    // executed before it was sent
    execute_at_age(logs, "left", 10, -1);
    struct tn_oracle_verdict verdict = judge(logs);
    assert_counts(LEFT(verdict), 2, 0, 0, 2);
    assert_counts(RIGHT(verdict), 1, 0, 0, 1);
    assert_false(LEFT(verdict)->has_ages);
    assert_false(verdict.is_clean);
}

static void the_rounding_of_stamps_is_seen_through(void **state)
{
    (void)state;
    // the stamp lies before the datagram was sent, in the same millisecond
    for (int64_t late_ns = 0; late_ns < 2 * MS; late_ns += MS / 8) {
        struct logs *logs = begin();
        add(&logs->sent, "1,left,%" PRId64 ",1000\n", WALL_START_NS + late_ns);
        add(&logs->executed, "left,%" PRId64 ",2000\n", WALL_START_NS);
        struct tn_oracle_verdict verdict = judge(logs);
        assert_counts(LEFT(verdict), 1, 0, 0, late_ns < MS ? 0 : 1);
    }
}

static void a_datagram_sent_after_the_execution_is_not_its_cause(void **state)
{
    (void)state;
    // a glove that was stopped sends its overdue datagram, and the next one in the same millisecond
    struct logs *logs = begin();
    add(&logs->sent, "1,left,%" PRId64 ",1000\n", WALL_START_NS + MS / 8);
    add(&logs->sent, "2,left,%" PRId64 ",701000\n", WALL_START_NS + MS / 8 + 700000);
    add(&logs->executed, "left,%" PRId64 ",500000\n", WALL_START_NS);
    struct tn_oracle_verdict verdict = judge(logs);
    assert_counts(LEFT(verdict), 1, 0, 0, 0);
    assert_int_equal(LEFT(verdict)->max_age_ns, 499000);
}

static void each_stamp_belongs_to_the_newest_datagram(void **state)
{
    (void)state;
    // a glove that paused: the stamp of the last datagram before the pause does not match the next
    struct logs *logs = begin();
    send_frame(logs, "left", 0);
    send_frame(logs, "left", 1);
    send_frame(logs, "left", 500);
    execute_at_age(logs, "left", 1, 7 * MS);
    execute_at_age(logs, "left", 500, 9 * MS);
    struct tn_oracle_verdict verdict = judge(logs);
    assert_true(verdict.is_clean);
    assert_int_equal(LEFT(verdict)->max_age_ns, 9 * MS);
    assert_int_equal(LEFT(verdict)->p50_age_ns, 7 * MS);
}

static void the_order_of_lines_does_not_matter(void **state)
{
    (void)state;
    struct logs *logs = begin();
    for (int64_t k = 99; k >= 0; k--) {
        send_frame(logs, k % 2 == 0 ? "left" : "right", k);
        execute_at_age(logs, k % 2 == 0 ? "left" : "right", k, 3 * MS);
    }
    struct tn_oracle_verdict verdict = judge(logs);
    assert_true(verdict.is_clean);
    assert_int_equal(LEFT(verdict)->max_age_ns, 3 * MS);
}

static void percentiles_are_nearest_rank(void **state)
{
    (void)state;
    struct logs *logs = begin();
    for (int64_t k = 1; k <= 100; k++) {
        send_frame(logs, "left", k);
        execute_at_age(logs, "left", k, (101 - k) * MS);
    }
    struct tn_oracle_verdict verdict = judge(logs);
    assert_int_equal(LEFT(verdict)->p50_age_ns, 50 * MS);
    assert_int_equal(LEFT(verdict)->p99_age_ns, 99 * MS);
    assert_int_equal(LEFT(verdict)->max_age_ns, 100 * MS);
}

static void events_are_counted_by_name(void **state)
{
    (void)state;
    struct logs *logs = clean_run(1);
    add(&logs->executed, "@event,left,start,1\n@event,left,hold,2\n@event,left,hold,3\n"
                         "@event,right,pose,4\n@event,left,something,5\n@event,left,other,6\n"
                         "@event,right,resumed,7\n");
    struct tn_oracle_verdict verdict = judge(logs);
    assert_true(verdict.is_clean);
    assert_int_equal(LEFT(verdict)->events[TN_ORACLE_EVENT_START], 1);
    assert_int_equal(LEFT(verdict)->events[TN_ORACLE_EVENT_HOLD], 2);
    assert_int_equal(LEFT(verdict)->events[TN_ORACLE_EVENT_OTHER], 2);
    assert_int_equal(LEFT(verdict)->events[TN_ORACLE_EVENT_POSE], 0);
    assert_int_equal(RIGHT(verdict)->events[TN_ORACLE_EVENT_POSE], 1);
    assert_int_equal(RIGHT(verdict)->events[TN_ORACLE_EVENT_RESUME], 0);
    assert_int_equal(RIGHT(verdict)->events[TN_ORACLE_EVENT_RESUMED], 1);
}

static void restarted_and_killed_writers_are_read(void **state)
{
    (void)state;
    struct logs *logs = clean_run(3);
    add(&logs->sent, "# tendon send log 1\n");
    add(&logs->executed, "# tendon execution log 1\n");
    send_frame(logs, "left", 10);
    execute_at_age(logs, "left", 10, MS);
    // killed while writing: also when the rest looks like a whole line
    add(&logs->sent, "17,left,17960");
    add(&logs->executed, "left,1796000000000000000,1");
    struct tn_oracle_verdict verdict = judge(logs);
    assert_true(verdict.is_clean);
    assert_counts(LEFT(verdict), 4, 0, 0, 0);
    assert_int_equal(LEFT(verdict)->sent, 4);
}

static void empty_runs_are_clean_and_have_no_ages(void **state)
{
    (void)state;
    struct tn_oracle_verdict verdict = judge(begin());
    assert_true(verdict.is_clean);
    assert_false(LEFT(verdict)->has_ages);
    char json[2048];
    assert_int_equal(tn_oracle_verdict_json(&verdict, json, sizeof json), TN_OK);
    assert_non_null(strstr(json, "\"max_age_ms\": null"));
}

static void hostile_lines_are_clear_errors(void **state)
{
    (void)state;
    static const struct {
        bool is_sent;
        const char *line;
        int32_t column; // 0: of the line
    } cases[] = {
        {true, "", 0},
        {true, "1,left,5", 0},
        {true, "1,left,5,6,7", 0},
        {true, "1,left,5,6,7,8,9,10,,,,,", 0},
        {true, "x,left,5,6", 1},
        {true, "-1,left,5,6", 1},
        {true, "1,LEFT,5,6", 3},
        {true, "1,,5,6", 3},
        {true, "1,left,-5,6", 8},
        {true, "1,left,5,6.5", 10},
        {true, "1,left,5,99999999999999999999", 10},
        {true, "1,left,5,6\r", 10},
        {true, "# tendon send log 2", 0},
        {false, "left,5", 0},
        {false, "middle,5,6", 1},
        {false, "left,nan,6", 6},
        {false, "left,5,", 8},
        {false, "@event,left,hold", 0},
        {false, "@event,left,,5", 13},
        {false, "@event,up,hold,5", 8},
        {false, "@event,left,hold,x", 18},
        {false, "@events,left,hold,5", 0},
        {false, "# tendon send log 1", 0},
    };
    for (unsigned i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct logs *logs = clean_run(1);
        struct log *log = cases[i].is_sent ? &logs->sent : &logs->executed;
        add(log, "%s\n", cases[i].line);
        struct tn_oracle *oracle = NULL;
        struct tn_error err = {0};
        assert_int_equal(tn_oracle_create(NULL, &oracle, NULL), TN_OK);
        enum tn_result result =
            cases[i].is_sent ? tn_oracle_read_sent(oracle, log->text, log->size, "a.log", &err)
                             : tn_oracle_read_executed(oracle, log->text, log->size, "a.log", &err);
        if (result != TN_ERR_SYNTAX || err.line != 4 || err.column != cases[i].column)
            fail_msg("'%s': %s at %d:%d: %s", cases[i].line, tn_result_name(result), err.line,
                     err.column, err.text);
        assert_string_equal(err.file, "a.log");
        tn_oracle_destroy(&oracle);
        free(logs);
    }
}

static void other_files_are_refused_by_their_first_line(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "# tendon send log 1",
                                        "\n",
                                        "# tendon send log 2\n",
                                        "# tendon execution log 1\n",
                                        "1,left,2,3\n"};
    for (unsigned i = 0; i < TN_ARRAY_SIZE(texts); i++) {
        struct tn_oracle *oracle = NULL;
        struct tn_error err = {0};
        assert_int_equal(tn_oracle_create(NULL, &oracle, NULL), TN_OK);
        assert_int_equal(tn_oracle_read_sent(oracle, texts[i], strlen(texts[i]), "a.log", &err),
                         TN_ERR_VERSION);
        assert_non_null(strstr(err.text, "# tendon send log 1"));
        tn_oracle_destroy(&oracle);
    }
}

static void times_at_the_ends_of_their_range_do_not_overflow(void **state)
{
    (void)state;
    struct logs *logs = begin();
    add(&logs->sent, "0,left,0,0\n1,left,%" PRId64 ",%" PRId64 "\n", INT64_MAX, INT64_MAX);
    add(&logs->executed, "left,0,%" PRId64 "\nleft,%" PRId64 ",0\nleft,%" PRId64 ",%" PRId64 "\n",
        INT64_MAX, INT64_MAX, INT64_MAX - 1, INT64_MAX);
    struct tn_oracle_verdict verdict = judge(logs);
    assert_int_equal(LEFT(verdict)->executed, 3);
    assert_true(LEFT(verdict)->stale >= 1);
    char json[2048];
    assert_int_equal(tn_oracle_verdict_json(&verdict, json, sizeof json), TN_OK);
}

static void json_has_the_promised_keys(void **state)
{
    (void)state;
    struct logs *logs = clean_run(10);
    execute_at_age(logs, "right", 3, 250 * MS + 250);
    struct tn_oracle_verdict verdict = judge(logs);
    char json[2048];
    assert_int_equal(tn_oracle_verdict_json(&verdict, json, sizeof json), TN_OK);
    assert_non_null(strstr(json, "{\"is_clean\": false, \"executed\": 21, \"stale\": 1, "
                                 "\"repeated\": 1, \"unmatched\": 0, \"left\": {"));
    assert_non_null(strstr(json, "\"right\": {\"sent\": 10, \"executed\": 11, \"stale\": 1, "
                                 "\"repeated\": 1, \"unmatched\": 0, \"max_age_ms\": 250.000250, "
                                 "\"age_p50_ms\": 2.000000, \"age_p99_ms\": 250.000250, "
                                 "\"events\": {\"start\": 0"));
    // too small a buffer holds nothing
    size_t size = strlen(json);
    for (size_t capacity = 0; capacity <= size + 1; capacity++) {
        char *small = malloc(capacity + 1);
        assert_non_null(small);
        small[0] = 'x';
        enum tn_result result = tn_oracle_verdict_json(&verdict, small, capacity);
        assert_int_equal(result, capacity == size + 1 ? TN_OK : TN_ERR_LIMIT);
        if (capacity > 0 && result != TN_OK)
            assert_string_equal(small, "");
        free(small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_run_is_clean),
        cmocka_unit_test(one_stale_command_is_found_on_its_side),
        cmocka_unit_test(the_bound_itself_is_allowed),
        cmocka_unit_test(options_move_the_bound),
        cmocka_unit_test(a_stamp_executed_again_is_repeated),
        cmocka_unit_test(equal_stamps_of_both_sides_are_no_repetition),
        cmocka_unit_test(commands_without_a_datagram_are_unmatched),
        cmocka_unit_test(the_rounding_of_stamps_is_seen_through),
        cmocka_unit_test(a_datagram_sent_after_the_execution_is_not_its_cause),
        cmocka_unit_test(each_stamp_belongs_to_the_newest_datagram),
        cmocka_unit_test(the_order_of_lines_does_not_matter),
        cmocka_unit_test(percentiles_are_nearest_rank),
        cmocka_unit_test(events_are_counted_by_name),
        cmocka_unit_test(restarted_and_killed_writers_are_read),
        cmocka_unit_test(empty_runs_are_clean_and_have_no_ages),
        cmocka_unit_test(hostile_lines_are_clear_errors),
        cmocka_unit_test(other_files_are_refused_by_their_first_line),
        cmocka_unit_test(times_at_the_ends_of_their_range_do_not_overflow),
        cmocka_unit_test(json_has_the_promised_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
