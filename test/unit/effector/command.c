// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "rig.h"

#define TEXT(word)                                                                                 \
    {                                                                                              \
        word, sizeof(word) - 1                                                                     \
    }

static const struct tn_effector_text names_ok[] = {TEXT("LITTLEMCP"), TEXT("THUMBCMC"),
                                                   TEXT("INDEX")};
static const struct tn_effector_text names_twice[] = {TEXT("INDEXMCP"), TEXT("INDEX")};
static const struct tn_effector_text names_bad[] = {TEXT("INDEXMCP"), TEXT("ELBOW")};
static const struct tn_effector_text names_other[] = {TEXT("LEFT_INDEX"), TEXT("RIGHT_RING")};
static const struct tn_effector_text names_all[] = {TEXT("RINGMCP"),  TEXT("THUMBMCP"),
                                                    TEXT("INDEX"),    TEXT("LITTLE"),
                                                    TEXT("THUMBCMC"), TEXT("MIDDLE")};
static const double values[] = {10.0, 20.0, 30.0, 40.0, 50.0, 60.0};

// a refused command changes nothing but counters
static void refused(struct rig *rig, const struct tn_effector_command *command,
                    enum tn_effector_verdict expected)
{
    struct tn_effector_core before = rig->core;
    uint64_t writes = rig->n_writes;
    enum tn_effector_verdict verdict = rig_send(rig, command);
    if (verdict != expected)
        fail_msg("%s instead of %s", tn_effector_verdict_key(verdict),
                 tn_effector_verdict_key(expected));
    assert_int_equal(rig->core.acceptor.counts[expected], before.acceptor.counts[expected] + 1);
    assert_true(rig->n_writes == writes);
    rig->core.acceptor.counts[expected]--;
    assert_memory_equal(&rig->core, &before, sizeof before);
}

static void resolves_by_name_in_any_order(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    struct tn_effector_command command = rig_command(&rig, 0, values, 6);
    command.names = names_all;
    command.n_names = 6;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    const double expected[] = {20.0, 50.0, 30.0, 60.0, 10.0, 40.0};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(rig.last_write.value[i] - expected[i]) < 1e-12);
    rig_run(&rig, 2 * TN_NS_PER_S);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(rig.core.sample.position[i] - expected[i]) < 0.11);
}

static void a_subset_leaves_the_others(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    rig_send_all(&rig, 0, 80.0);
    rig_run(&rig, TN_NS_PER_S);
    struct tn_effector_command command = rig_command(&rig, 0, values, 3);
    command.names = names_ok;
    command.n_names = 3;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    assert_int_equal(rig.last_write.joints, 1u << 5 | 1u << 1 | 1u << 2);
    rig_run(&rig, 2 * TN_NS_PER_S);
    const double expected[] = {80.0, 20.0, 30.0, 80.0, 80.0, 10.0};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(rig.core.sample.position[i] - expected[i]) < 0.11);
}

// two subsets closer together than the write interval: both reach the device
static void merged_subsets_lose_nothing(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    rig_send_all(&rig, 0, 0.0);
    for (uint32_t i = 0; i < 3; i++) {
        rig.now_ns += TN_NS_PER_MS;
        struct tn_effector_command command = rig_command(&rig, 0, values + 2 + i, 1);
        command.names = names_ok + i;
        command.n_names = 1;
        assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    }
    assert_int_equal(rig.n_writes, 1);
    rig_run(&rig, 20 * TN_NS_PER_MS);
    assert_int_equal(rig.n_writes, 2);
    assert_int_equal(rig.last_write.n_commands, 3);
    assert_int_equal(rig.core.counters.executed, 4);
    assert_int_equal(rig.core.counters.coalesced, 0);
}

static void the_newest_of_a_burst_wins(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    for (int i = 0; i <= 10; i++) {
        rig_send_all(&rig, 0, 10.0 * i);
        rig.now_ns += TN_NS_PER_MS;
    }
    assert_int_equal(rig.n_writes, 1);
    rig_run(&rig, 20 * TN_NS_PER_MS);
    assert_int_equal(rig.n_writes, 2);
    assert_true(rig.last_write.value[0] > 99.9);
    assert_int_equal(rig.core.counters.executed, 2);
    assert_int_equal(rig.core.counters.coalesced, 9);
}

static void refuses_what_is_malformed(void **state)
{
    static const double bad_values[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, 100.0000001, -1e-9, -100.1, 1e308,
        -100.0};
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    options.rules.modes = 3;
    struct rig rig;
    rig_init(&rig, &options);
    rig_send_all(&rig, 0, 50.0);
    rig_run(&rig, 100 * TN_NS_PER_MS);
    struct tn_effector_command good = rig_command(&rig, 0, values, 2);
    good.names = names_twice;
    good.n_names = 2;
    refused(&rig, &good, TN_EFFECTOR_CMD_DUPLICATE_NAME);
    good.names = names_bad;
    refused(&rig, &good, TN_EFFECTOR_CMD_UNKNOWN_NAME);
    good.names = names_other;
    refused(&rig, &good, TN_EFFECTOR_CMD_WRONG_SIDE);
    good.names = names_ok;
    good.n_values = 1;
    refused(&rig, &good, TN_EFFECTOR_CMD_LENGTH);
    good.n_values = 0;
    refused(&rig, &good, TN_EFFECTOR_CMD_LENGTH);
    for (uint32_t n = 0; n < 6; n++) {
        struct tn_effector_command unnamed = rig_command(&rig, 0, values, n);
        refused(&rig, &unnamed, TN_EFFECTOR_CMD_COUNT);
    }
    // more entries than any device has joints; only six are there to be read
    struct tn_effector_command many = rig_command(&rig, 0, values, 4000000000u);
    refused(&rig, &many, TN_EFFECTOR_CMD_COUNT);
    many.names = names_all;
    many.n_names = many.n_values;
    refused(&rig, &many, TN_EFFECTOR_CMD_DUPLICATE_NAME);

    for (unsigned mode = 3; mode < 256; mode++) {
        struct tn_effector_command command = rig_command(&rig, (uint8_t)mode, values, 6);
        refused(&rig, &command, TN_EFFECTOR_CMD_UNKNOWN_MODE);
    }
    struct tn_effector_command current = rig_command(&rig, 2, values, 6);
    refused(&rig, &current, TN_EFFECTOR_CMD_UNSUPPORTED_MODE);

    for (size_t i = 0; i < TN_ARRAY_SIZE(bad_values); i++) {
        for (uint32_t at = 0; at < 6; at++) {
            double wrong[6];
            memcpy(wrong, values, sizeof wrong);
            wrong[at] = bad_values[i];
            struct tn_effector_command command = rig_command(&rig, 0, wrong, 6);
            refused(&rig, &command,
                    isfinite(bad_values[i]) ? TN_EFFECTOR_CMD_RANGE : TN_EFFECTOR_CMD_NOT_FINITE);
        }
    }
}

static void signed_modes_have_their_own_range(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    for (uint8_t mode = 1; mode <= 2; mode++) {
        struct rig rig;
        rig_init(&rig, &options);
        assert_int_equal(rig_send_all(&rig, mode, -100.0), TN_EFFECTOR_CMD_ACCEPTED);
        assert_int_equal(rig_send_all(&rig, mode, 100.0), TN_EFFECTOR_CMD_ACCEPTED);
        assert_int_equal(rig_send_all(&rig, mode, -100.1), TN_EFFECTOR_CMD_RANGE);
        assert_int_equal(rig_send_all(&rig, mode, 100.1), TN_EFFECTOR_CMD_RANGE);
    }
}

static void a_gripper_has_one_joint(void **state)
{
    static const struct tn_effector_text finger[] = {TEXT("FINGER"), TEXT("LEFT_FINGER")};
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_GRIPPER);
    struct rig rig;
    rig_init(&rig, &options);
    struct tn_effector_command command = rig_command(&rig, 0, values, 6);
    refused(&rig, &command, TN_EFFECTOR_CMD_COUNT);
    command.names = finger;
    command.n_names = command.n_values = 2;
    refused(&rig, &command, TN_EFFECTOR_CMD_DUPLICATE_NAME);
    command.n_names = command.n_values = 1;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    command.n_names = 0;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
}

static void stamps_are_ignored_unless_asked_for(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    struct tn_effector_command command = rig_command(&rig, 0, values, 6);
    command.has_stamp = false;
    command.is_age_known = false;
    command.age_ns = INT64_MAX;
    for (int i = 0; i < 3; i++)
        assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
}

static void a_stamp_is_an_identity(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    options.rules.is_exclusive = false;
    struct rig rig;
    rig_init(&rig, &options);
    struct tn_effector_command command = rig_command(&rig, 0, values, 6);
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    refused(&rig, &command, TN_EFFECTOR_CMD_REPEATED);
    // repeated from another writer, and with other values, is the same frame
    command.writer[0] = 9;
    command.values = values + 0;
    refused(&rig, &command, TN_EFFECTOR_CMD_REPEATED);
    command.stamp_ros_ns -= 1;
    refused(&rig, &command, TN_EFFECTOR_CMD_REORDERED);
    command.stamp_ros_ns -= 249 * TN_NS_PER_MS;
    refused(&rig, &command, TN_EFFECTOR_CMD_REORDERED);
    command = rig_command(&rig, 0, values, 6);
    command.stamp_ros_ns += 1;
    command.has_stamp = false;
    refused(&rig, &command, TN_EFFECTOR_CMD_NO_STAMP);
    command.has_stamp = true;
    command.is_age_known = false;
    refused(&rig, &command, TN_EFFECTOR_CMD_AGE_UNKNOWN);
    command.is_age_known = true;
    command.age_ns = 200 * TN_NS_PER_MS + 1;
    refused(&rig, &command, TN_EFFECTOR_CMD_STALE);
    command.age_ns = INT64_MAX;
    refused(&rig, &command, TN_EFFECTOR_CMD_STALE);
    command.age_ns = -50 * TN_NS_PER_MS - 1;
    refused(&rig, &command, TN_EFFECTOR_CMD_FUTURE);
    command.age_ns = INT64_MIN;
    refused(&rig, &command, TN_EFFECTOR_CMD_FUTURE);
    command.age_ns = 200 * TN_NS_PER_MS;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    command.stamp_ros_ns += 1;
    command.age_ns = -50 * TN_NS_PER_MS;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
}

// fresh, and yet far older than the last: the source's clock was set back
static void a_clock_set_back_heals(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    struct rig rig;
    rig_init(&rig, &options);
    struct tn_effector_command command = rig_command(&rig, 0, values, 6);
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    command.stamp_ros_ns -= 3600 * TN_NS_PER_S;
    rig.now_ns += 250 * TN_NS_PER_MS;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_REORDERED);
    rig.now_ns += 1;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    assert_int_equal(rig.core.acceptor.clock_steps, 1);
    refused(&rig, &command, TN_EFFECTOR_CMD_REPEATED);
    command.stamp_ros_ns = INT64_MIN;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_REORDERED);
    rig.now_ns += 250 * TN_NS_PER_MS + 1;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    command.stamp_ros_ns = INT64_MAX;
    assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
}

#define N_STAMPS 64

// two writers with clocks an hour apart, each sending what it likes of what is fresh, over and over
static void no_stamp_is_executed_twice(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    int64_t accepted[2][N_STAMPS];
    uint32_t n_accepted[2] = {0};
    uint64_t random = 88172645463325252u;
    options.rules.is_exclusive = false;
    struct rig rig;
    rig_init(&rig, &options);
    for (uint32_t round = 0; round < 20000; round++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint32_t who = random >> 20 & 1u;
        int64_t age_ns = (int64_t)(random >> 32 & 31u) * 10 * TN_NS_PER_MS - 50 * TN_NS_PER_MS;
        rig.now_ns += (random >> 40 & 31u) == 0 ? 300 * TN_NS_PER_MS : 10 * TN_NS_PER_MS;
        struct tn_effector_command command = rig_command(&rig, 0, values, 6);
        command.writer[0] = (uint8_t)who;
        command.age_ns = age_ns;
        command.stamp_ros_ns -= age_ns + (who == 0 ? 0 : 3600 * TN_NS_PER_S);
        if (tn_effector_core_command(&rig.core, &command, rig.now_ns, NULL) !=
            TN_EFFECTOR_CMD_ACCEPTED)
            continue;
        for (uint32_t i = 0; i < N_STAMPS && i < n_accepted[who]; i++)
            assert_true(accepted[who][i] != command.stamp_ros_ns);
        accepted[who][n_accepted[who]++ % N_STAMPS] = command.stamp_ros_ns;
    }
    // both had their turn
    assert_true(n_accepted[0] > N_STAMPS && n_accepted[1] > N_STAMPS);
    assert_true(rig.core.acceptor.clock_steps > 0);
}

// accepted in time, but the process stood still before it could hand it over
static void a_command_that_waits_too_long_is_dropped(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_teleop_options();
    struct rig rig;
    rig_init(&rig, &options);
    rig_stream(&rig, 0, 0.0, 200 * TN_NS_PER_MS);
    assert_int_equal(rig_send_all(&rig, 0, 1.0), TN_EFFECTOR_CMD_ACCEPTED);
    rig.now_ns += TN_NS_PER_MS;
    uint64_t executed = rig.core.counters.executed;
    uint64_t writes = rig.n_writes;
    assert_int_equal(rig_send_all(&rig, 0, 100.0), TN_EFFECTOR_CMD_ACCEPTED);
    assert_true(rig.n_writes == writes);
    // age 10 ms when accepted, limit 200 ms
    rig.now_ns += 190 * TN_NS_PER_MS + 1;
    rig_pump(&rig);
    assert_true(rig.n_writes == writes);
    assert_int_equal(rig.core.counters.expired, 1);
    assert_true(rig.core.counters.executed == executed);
    rig_run(&rig, TN_NS_PER_S);
    assert_true(rig.core.sample.position[0] < 1.2);
    assert_int_equal(rig.core.state, TN_EFFECTOR_HOLDING);
}

static void the_first_writer_owns_until_silent(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    options.rules.is_exclusive = true;
    struct rig rig;
    rig_init(&rig, &options);
    struct tn_effector_command first = rig_command(&rig, 0, values, 6);
    struct tn_effector_command second = first;
    second.writer[15] = 2;
    assert_int_equal(rig_send(&rig, &first), TN_EFFECTOR_CMD_ACCEPTED);
    rig.now_ns += 199 * TN_NS_PER_MS;
    refused(&rig, &second, TN_EFFECTOR_CMD_OTHER_WRITER);
    // what the owner sends and is refused does not keep the topic
    first.mode = 7;
    refused(&rig, &first, TN_EFFECTOR_CMD_UNKNOWN_MODE);
    first.mode = 0;
    rig.now_ns += TN_NS_PER_MS;
    assert_int_equal(rig_send(&rig, &second), TN_EFFECTOR_CMD_ACCEPTED);
    refused(&rig, &first, TN_EFFECTOR_CMD_OTHER_WRITER);
}

static void without_it_the_last_writer_wins_and_is_counted(void **state)
{
    (void)state;
    struct tn_effector_options options = rig_options(TN_EFFECTOR_HAND);
    struct rig rig;
    rig_init(&rig, &options);
    struct tn_effector_command command = rig_command(&rig, 0, values, 6);
    for (int i = 0; i < 10; i++) {
        command.writer[0] = (uint8_t)(i % 2);
        assert_int_equal(rig_send(&rig, &command), TN_EFFECTOR_CMD_ACCEPTED);
    }
    assert_int_equal(rig.core.acceptor.writer_changes, 9);
}

static void every_verdict_has_words(void **state)
{
    (void)state;
    for (int i = 0; i < TN_EFFECTOR_VERDICTS; i++) {
        assert_true(strlen(tn_effector_verdict_key((enum tn_effector_verdict)i)) > 1);
        assert_true(strlen(tn_effector_verdict_text((enum tn_effector_verdict)i)) > 1);
    }
    assert_string_equal(tn_effector_verdict_key(TN_EFFECTOR_VERDICTS), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resolves_by_name_in_any_order),
        cmocka_unit_test(a_subset_leaves_the_others),
        cmocka_unit_test(merged_subsets_lose_nothing),
        cmocka_unit_test(the_newest_of_a_burst_wins),
        cmocka_unit_test(refuses_what_is_malformed),
        cmocka_unit_test(signed_modes_have_their_own_range),
        cmocka_unit_test(a_gripper_has_one_joint),
        cmocka_unit_test(stamps_are_ignored_unless_asked_for),
        cmocka_unit_test(a_stamp_is_an_identity),
        cmocka_unit_test(a_clock_set_back_heals),
        cmocka_unit_test(no_stamp_is_executed_twice),
        cmocka_unit_test(a_command_that_waits_too_long_is_dropped),
        cmocka_unit_test(the_first_writer_owns_until_silent),
        cmocka_unit_test(without_it_the_last_writer_wins_and_is_counted),
        cmocka_unit_test(every_verdict_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
