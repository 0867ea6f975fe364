// SPDX-License-Identifier: Apache-2.0
// the judges of the path on made-up records: each must object to what it is there for
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/path/judge.h"
#include "system/path/logs.h"

#define MS                TN_NS_PER_MS
#define WALL_MINUS_STEADY (INT64_C(1700000000) * TN_NS_PER_S)

static struct path_side_record *left(struct path_record *record)
{
    return &record->sides[0];
}

static void line(struct path_record *record, enum path_line_kind kind, int64_t at_ms)
{
    PATH_PUSH(&left(record)->lines, (struct path_line){.kind = kind, .steady_ns = at_ms * MS});
}

// one command on its whole way
static void command(struct path_record *record, int64_t at_ms)
{
    struct path_passage passage = {.stamp_ros_ns = at_ms * MS + WALL_MINUS_STEADY,
                                   .steady_ns = at_ms * MS + MS};
    PATH_PUSH(&left(record)->commands, passage);
    passage.steady_ns += MS;
    PATH_PUSH(&left(record)->accepted, passage);
    passage.steady_ns += MS;
    PATH_PUSH(&left(record)->executed, passage);
    line(record, PATH_EXECUTED, at_ms + 3);
}

static void poll_at(struct path_record *record, int64_t at_ms, double position)
{
    struct path_feedback feedback = {.sample_steady_ns = at_ms * MS};
    for (unsigned j = 0; j < PATH_JOINTS; j++) {
        feedback.position[j] = position;
    }
    PATH_PUSH(&left(record)->feedback, feedback);
}

static void target(struct path_record *record, int64_t at_ms, double value)
{
    struct path_command wanted = {.arrival_steady_ns = at_ms * MS};
    for (unsigned j = 0; j < PATH_JOINTS; j++) {
        wanted.value[j] = value;
    }
    PATH_PUSH(&left(record)->targets, wanted);
}

static void fault(struct path_record *record, enum path_program program, bool is_kill,
                  int64_t from_ms, int64_t to_ms)
{
    PATH_PUSH(&record->faults, (struct path_fault){.program = program,
                                                   .is_kill = is_kill,
                                                   .has_ended = true,
                                                   .asked_steady_ns = from_ms * MS,
                                                   .begun_steady_ns = from_ms * MS,
                                                   .ended_steady_ns = to_ms * MS});
}

static void session(struct path_record *record, int64_t at_ms, bool is_latched)
{
    PATH_PUSH(&left(record)->sessions,
              (struct path_session){.steady_ns = at_ms * MS, .is_latched = is_latched});
}

static void start(struct path_record *record)
{
    *record = (struct path_record){.wall_minus_steady_ns = WALL_MINUS_STEADY,
                                   .ended_steady_ns = 100000 * MS};
    line(record, PATH_START, 0);
    line(record, PATH_RESUME, 1);
}

// polls every 20 ms with the hand at rest
static void rest(struct path_record *record, int64_t from_ms, int64_t to_ms)
{
    for (int64_t t = from_ms; t < to_ms; t += 20) {
        poll_at(record, t, 30.0);
    }
}

static unsigned verdict(struct path_record *record,
                        void (*judge)(const struct path_record *, struct path_findings *))
{
    struct path_findings findings = {0};
    judge(record, &findings);
    for (unsigned i = 0; i < findings.n; i++) {
        print_message("  %s\n", findings.text[i]);
    }
    path_record_clear(record);
    return findings.n;
}

// ---- silence ----

static void a_command_long_after_a_stop_is_found(void **state)
{
    (void)state;
    struct path_record record;
    start(&record);
    fault(&record, PATH_GLOVE, false, 1000, 2000);
    command(&record, 1190);
    assert_int_equal(verdict(&record, path_judge_silence), 0);
    start(&record);
    fault(&record, PATH_GLOVE, false, 1000, 2000);
    command(&record, 1210);
    assert_int_equal(verdict(&record, path_judge_silence), 1);
}

static void a_stopped_hand_executes_nothing_at_all(void **state)
{
    (void)state;
    struct path_record record;
    start(&record);
    fault(&record, PATH_LEFT_HAND, false, 1000, 2000);
    command(&record, 1010);
    assert_int_equal(verdict(&record, path_judge_silence), 1);
    start(&record);
    fault(&record, PATH_RIGHT_HAND, false, 1000, 2000);
    command(&record, 1010);
    assert_int_equal(verdict(&record, path_judge_silence), 0);
}

// ---- holds ----

static void commands_until(struct path_record *record, int64_t end_ms)
{
    for (int64_t t = 100; t <= end_ms; t += 10) {
        command(record, t);
    }
}

static void a_hold_in_time_is_good(void **state)
{
    (void)state;
    struct path_record record;
    start(&record);
    commands_until(&record, 1000);
    rest(&record, 1000, 1212);
    line(&record, PATH_HOLD, 1215);
    rest(&record, 1220, 2000);
    assert_int_equal(verdict(&record, path_judge_holds), 0);
}

static void an_early_a_late_and_a_missing_hold_are_found(void **state)
{
    (void)state;
    static const int64_t hold_ms[] = {1100, 1500, -1};
    for (size_t i = 0; i < TN_ARRAY_SIZE(hold_ms); i++) {
        struct path_record record;
        start(&record);
        commands_until(&record, 1000);
        rest(&record, 1000, 2000);
        if (hold_ms[i] > 0) {
            line(&record, PATH_HOLD, hold_ms[i]);
        }
        assert_int_equal(verdict(&record, path_judge_holds), 1);
    }
}

// a hand that was stopped polls nothing meanwhile: its hold may come late, but before a command
static void a_stopped_hand_holds_when_it_goes_on(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct path_record record;
        start(&record);
        commands_until(&record, 1000);
        if (i == 0) {
            line(&record, PATH_HOLD, 3000);
        }
        command(&record, 3001);
        line(&record, PATH_STOP, 3050);
        assert_int_equal(verdict(&record, path_judge_holds), i == 0 ? 0 : 1);
    }
}

static void a_killed_hand_owes_no_hold(void **state)
{
    (void)state;
    struct path_record record;
    start(&record);
    commands_until(&record, 1000);
    line(&record, PATH_START, 3000);
    rest(&record, 3000, 3500);
    command(&record, 3300);
    line(&record, PATH_STOP, 3350);
    assert_int_equal(verdict(&record, path_judge_holds), 0);
}

// ---- stillness ----

static void motion_during_a_hold_is_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct path_record record;
        start(&record);
        line(&record, PATH_HOLD, 1000);
        poll_at(&record, 1010, 10.0);
        rest(&record, 1750, 3000);
        poll_at(&record, 3000, i == 0 ? 30.1 : 32.0);
        line(&record, PATH_RESUME, 3010);
        poll_at(&record, 3100, 40.0);
        assert_int_equal(verdict(&record, path_judge_stillness), i == 0 ? 0 : 1);
    }
}

static void a_new_hand_did_not_move_there(void **state)
{
    (void)state;
    struct path_record record;
    start(&record);
    line(&record, PATH_HOLD, 1000);
    rest(&record, 1750, 2000);
    fault(&record, PATH_LEFT_HAND, true, 2000, 2500);
    poll_at(&record, 2520, 0.0);
    line(&record, PATH_START, 2530);
    assert_int_equal(verdict(&record, path_judge_stillness), 0);
}

// ---- resumes ----

// a hand at 0 goes to 60 at `speed` until it is there, then at 160 %/s to 100
static void approach(struct path_record *record, double speed, double leap_at)
{
    double position = 0.0;
    for (int64_t t = 1; t < 4000; t += 20) {
        bool is_there = position >= leap_at;
        target(record, t, is_there ? 100.0 : 60.0);
        poll_at(record, t, position);
        position += (is_there ? 160.0 : speed) * 0.02;
        position = position > 100.0 ? 100.0 : position;
    }
    line(record, PATH_RESUMED, 3990);
}

static void a_slow_approach_is_good(void **state)
{
    (void)state;
    struct path_record record;
    start(&record);
    approach(&record, 49.9, 59.0);
    assert_int_equal(verdict(&record, path_judge_resumes), 0);
}

static void a_quick_approach_is_found(void **state)
{
    (void)state;
    struct path_record record;
    start(&record);
    approach(&record, 70.0, 59.0);
    assert_int_equal(verdict(&record, path_judge_resumes), PATH_JOINTS);
    start(&record);
    approach(&record, 49.9, 30.0);
    assert_int_equal(verdict(&record, path_judge_resumes), PATH_JOINTS);
}

// commands are back right after the hold: the hand first brakes, then it must be slow
static void a_hand_that_brakes_is_not_blamed(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct path_record record;
        start(&record);
        line(&record, PATH_HOLD, 1000);
        line(&record, PATH_RESUME, 1016);
        double position = 0.0;
        for (int64_t t = 1020; t < 1600; t += 20) {
            target(&record, t, 100.0);
            poll_at(&record, t, position);
            position += t < (i == 0 ? 1100 : 1300) ? 3.3 : 1.0;
        }
        line(&record, PATH_RESUMED, 1600);
        assert_int_equal(verdict(&record, path_judge_resumes), i == 0 ? 0 : PATH_JOINTS);
    }
}

// the target comes across the hand while its speed is not judged yet: it has met it, and may follow
static void a_target_that_is_met_while_braking_frees_the_hand(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct path_record record;
        start(&record);
        line(&record, PATH_HOLD, 1000);
        line(&record, PATH_RESUME, 1016);
        double position = 20.0;
        for (int64_t t = 1020; t < 1600; t += 20) {
            // at 60 it stays away; else it runs through the hand at 1.1 s and on to 100
            double sweep = 20.0 + 0.16 * (double)(t - 1100);
            target(&record, t, i == 0 ? sweep : 60.0 + 0.05 * (double)(t - 1000));
            poll_at(&record, t, position);
            position += t < 1100 ? 0.0 : 3.2;
        }
        line(&record, PATH_RESUMED, 1600);
        assert_int_equal(verdict(&record, path_judge_resumes), i == 0 ? 0 : PATH_JOINTS);
    }
}

static void a_command_without_resume_is_found(void **state)
{
    (void)state;
    struct path_record record;
    start(&record);
    command(&record, 100);
    line(&record, PATH_HOLD, 400);
    command(&record, 500);
    assert_int_equal(verdict(&record, path_judge_resumes), 1);
}

// ---- arming ----

static void a_long_gap_needs_arm(void **state)
{
    (void)state;
    static const struct {
        int64_t back_ms, arm_ms;
        bool is_robot; // the robot was away meanwhile
        unsigned n;
    } cases[] = {{1900, -1, false, 0},
                 {2200, -1, false, 1},
                 {2200, 2100, false, 0},
                 {2200, 900, false, 1},
                 {2200, -1, true, 0}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct path_record record;
        start(&record);
        command(&record, 1000);
        command(&record, cases[i].back_ms);
        if (cases[i].arm_ms > 0) {
            PATH_PUSH(&left(&record)->arms, cases[i].arm_ms * MS);
        }
        if (cases[i].is_robot) {
            fault(&record, PATH_LEFT_HAND, false, 1000, 2100);
        }
        assert_int_equal(verdict(&record, path_judge_arming), cases[i].n);
    }
}

// two outages that heal, with frames between them but no targets
static void two_short_outages_are_not_a_long_one(void **state)
{
    (void)state;
    static const struct {
        int64_t pause_ms, second_ms;
        bool is_kill;
        unsigned n;
    } cases[] = {
        {80, 700, false, 0}, {10, 700, false, 1}, {80, 1100, false, 1}, {80, 700, true, 1}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        int64_t second_ms = 1440 + cases[i].pause_ms, back_ms = second_ms + cases[i].second_ms;
        struct path_record record;
        start(&record);
        command(&record, 1000);
        fault(&record, PATH_DRIVER, false, 1005, 1440);
        fault(&record, PATH_RETARGETER, cases[i].is_kill, second_ms, back_ms);
        command(&record, back_ms + 200);
        // what was killed is found for that as well
        unsigned n = verdict(&record, path_judge_arming);
        assert_true(cases[i].n == 0 ? n == 0 : n >= cases[i].n);
    }
}

// a stop can catch a command on its way out; the hand refuses it, and it is no return of the
// targets
static void a_command_caught_by_a_stop_is_no_return(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct path_record record;
        start(&record);
        command(&record, 1000);
        PATH_PUSH(&left(&record)->commands,
                  (struct path_passage){.stamp_ros_ns = 1010 * MS + WALL_MINUS_STEADY,
                                        .steady_ns = 2500 * MS});
        if (n == 1) {
            command(&record, 2510);
        }
        assert_int_equal(verdict(&record, path_judge_arming), n);
    }
}

static void a_new_program_needs_arm_however_short_it_was_away(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct path_record record;
        start(&record);
        command(&record, 1000);
        fault(&record, PATH_ADAPTER, true, 1005, 1100);
        if (i == 0) {
            PATH_PUSH(&left(&record)->arms, 1300 * MS);
        }
        command(&record, 1400);
        assert_int_equal(verdict(&record, path_judge_arming), i == 0 ? 0 : 1);
    }
}

static void a_latch_without_cause_is_found(void **state)
{
    (void)state;
    static const int64_t latched_ms[] = {2010, 1500};
    for (size_t i = 0; i < TN_ARRAY_SIZE(latched_ms); i++) {
        struct path_record record;
        start(&record);
        command(&record, 1000);
        session(&record, 1200, false);
        session(&record, latched_ms[i], true);
        assert_int_equal(verdict(&record, path_judge_arming), i == 0 ? 0 : 1);
    }
}

// ---- logs ----

static void an_execution_log_is_read_by_time(void **state)
{
    (void)state;
    static const char text[] =
        "# tendon execution log 1\nleft,5000000,300\n@event,left,resume,200\n"
        "@event,left,start,100\n# tendon execution log 1\n"
        "@event,left,back,400\nleft,60";
    char path[] = "/tmp/judge-test-XXXXXX";
    int fd = mkstemp(path);
    struct path_record record = {0};
    struct tn_error err = {0};
    assert_true(fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    assert_int_equal(path_read_execution_log(path, TN_SIDE_LEFT, left(&record), &err), TN_OK);
    assert_int_equal(left(&record)->lines.size, 4);
    static const enum path_line_kind kinds[] = {PATH_START, PATH_RESUME, PATH_EXECUTED, PATH_OTHER};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(left(&record)->lines.data[i].kind, kinds[i]);
    }
    assert_int_equal(path_read_execution_log(path, TN_SIDE_RIGHT, left(&record), &err),
                     TN_ERR_SYNTAX);
    assert_int_equal(err.line, 2);
    (void)close(fd);
    (void)unlink(path);
    path_record_clear(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_long_after_a_stop_is_found),
        cmocka_unit_test(a_stopped_hand_executes_nothing_at_all),
        cmocka_unit_test(a_hold_in_time_is_good),
        cmocka_unit_test(an_early_a_late_and_a_missing_hold_are_found),
        cmocka_unit_test(a_stopped_hand_holds_when_it_goes_on),
        cmocka_unit_test(a_killed_hand_owes_no_hold),
        cmocka_unit_test(motion_during_a_hold_is_found),
        cmocka_unit_test(a_new_hand_did_not_move_there),
        cmocka_unit_test(a_slow_approach_is_good),
        cmocka_unit_test(a_quick_approach_is_found),
        cmocka_unit_test(a_hand_that_brakes_is_not_blamed),
        cmocka_unit_test(a_target_that_is_met_while_braking_frees_the_hand),
        cmocka_unit_test(a_command_without_resume_is_found),
        cmocka_unit_test(a_long_gap_needs_arm),
        cmocka_unit_test(two_short_outages_are_not_a_long_one),
        cmocka_unit_test(a_command_caught_by_a_stop_is_no_return),
        cmocka_unit_test(a_new_program_needs_arm_however_short_it_was_away),
        cmocka_unit_test(a_latch_without_cause_is_found),
        cmocka_unit_test(an_execution_log_is_read_by_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
