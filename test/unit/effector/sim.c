// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "rig.h"

static struct tn_effector_setpoint all(uint8_t mode, double value)
{
    struct tn_effector_setpoint setpoint = {.joints = 0x3f};
    for (int i = 0; i < 6; i++) {
        setpoint.mode[i] = mode;
        setpoint.value[i] = value;
    }
    return setpoint;
}

struct bench {
    struct tn_effector_sim sim;
    struct tn_effector_device device;
    int64_t now_ns;
};

static void start(struct bench *bench, const struct tn_effector_sim_options *options)
{
    bench->now_ns = RIG_START_NS;
    assert_int_equal(tn_effector_sim_init(&bench->sim, options, NULL), TN_OK);
    bench->device = tn_effector_sim_device(&bench->sim);
    tn_effector_sim_advance(&bench->sim, bench->now_ns);
}

static void give(struct bench *bench, uint8_t mode, double value)
{
    struct tn_effector_setpoint setpoint = all(mode, value);
    assert_int_equal(bench->device.ops->write(bench->device.self, &setpoint, bench->now_ns), TN_OK);
}

static void run_ms(struct bench *bench, int64_t ms)
{
    bench->now_ns += ms * TN_NS_PER_MS;
    tn_effector_sim_advance(&bench->sim, bench->now_ns);
}

static struct tn_effector_sample look(struct bench *bench)
{
    struct tn_effector_sample sample;
    assert_int_equal(bench->device.ops->poll(bench->device.self, bench->now_ns, &sample), TN_OK);
    return sample;
}

static struct tn_effector_sim_options hand(void)
{
    return tn_effector_sim_options_default(TN_EFFECTOR_HAND, TN_SIDE_LEFT);
}

static void a_full_step_arrives_in_time_without_overshoot(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct bench bench;
    start(&bench, &options);
    run_ms(&bench, 7);
    give(&bench, 0, 100.0);
    int64_t at_95 = 0;
    double most = 0.0;
    double fastest = 0.0;
    double last_v = 0.0;
    for (int64_t ms = 1; ms <= 1500; ms++) {
        run_ms(&bench, 1);
        const struct tn_effector_sim_joint *j = &bench.sim.joints[4];
        if (ms <= 65)
            assert_true(j->x <= 0.0);
        if (ms == 70)
            assert_true(j->x > 0.0);
        if (at_95 == 0 && j->x >= 95.0)
            at_95 = ms;
        most = fmax(most, j->x);
        fastest = fmax(fastest, j->v);
        assert_true(fabs(j->v - last_v) <= 100.0 / 0.6 / 0.04 * 0.001 + 1e-9);
        last_v = j->v;
    }
    assert_in_range(at_95, 600, 750);
    assert_true(fastest <= 100.0 / 0.6 + 1e-9 && fastest > 160.0);
    struct tn_effector_sample sample = look(&bench);
    assert_true(fabs(sample.position[4] - 100.0) < 1e-9);
    assert_int_equal(sample.state[4], TN_EFFECTOR_IDLE);
    // half way, where no stop hides an overshoot
    give(&bench, 0, 50.0);
    double least = 100.0;
    for (int ms = 0; ms < 1500; ms++) {
        run_ms(&bench, 1);
        least = fmin(least, bench.sim.joints[4].x);
    }
    assert_true(least >= 50.0 - 0.05);
    assert_true(fabs(look(&bench).position[4] - 50.0) < 1e-9);
}

static void a_gripper_is_slower_and_the_limit_scales(void **state)
{
    (void)state;
    struct tn_effector_sim_options options =
        tn_effector_sim_options_default(TN_EFFECTOR_GRIPPER, TN_SIDE_RIGHT);
    struct bench bench;
    options.speed_limit_percent = 50.0;
    start(&bench, &options);
    assert_true(fabs(bench.device.capabilities.full_speed_percent_per_s - 100.0 / 1.4) < 1e-9);
    give(&bench, 0, 100.0);
    run_ms(&bench, 65 + 1300);
    assert_true(look(&bench).position[0] < 95.0);
    run_ms(&bench, 400);
    assert_true(look(&bench).position[0] > 99.0);
}

static void an_object_stalls_the_joint_in_time(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct bench bench;
    options.objects = 1u << 2;
    options.object_percent[2] = 40.0;
    start(&bench, &options);
    give(&bench, 0, 100.0);
    while (bench.sim.joints[2].x < 40.0)
        run_ms(&bench, 1);
    int64_t contact_ns = bench.now_ns;
    double most_current = 0.0;
    while (!bench.sim.joints[2].is_latched) {
        run_ms(&bench, 1);
        most_current = fmax(most_current, bench.sim.joints[2].current);
        assert_true(bench.sim.joints[2].x <= 40.0);
    }
    assert_true(bench.now_ns - contact_ns <= 500 * TN_NS_PER_MS);
    assert_true(bench.now_ns - contact_ns >= 300 * TN_NS_PER_MS);
    assert_true(most_current >= 50.0 && most_current <= 54.0);
    run_ms(&bench, 1000);
    struct tn_effector_sample sample = look(&bench);
    assert_int_equal(sample.state[2], TN_EFFECTOR_STALL);
    assert_true(fabs(sample.current[2] - 20.0) < 1e-9);
    assert_int_equal(sample.state[3], TN_EFFECTOR_IDLE);
    assert_true(sample.position[3] > 99.0);
}

static void only_another_command_ends_a_stall(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct bench bench;
    options.objects = 1u << 2;
    options.object_percent[2] = 40.0;
    start(&bench, &options);
    give(&bench, 0, 80.0);
    run_ms(&bench, 2000);
    assert_int_equal(look(&bench).state[2], TN_EFFECTOR_STALL);
    // the same and nearly the same again: stays
    for (int i = 0; i < 50; i++) {
        give(&bench, 0, i % 2 == 0 ? 80.0 : 81.0);
        run_ms(&bench, 20);
        assert_int_equal(look(&bench).state[2], TN_EFFECTOR_STALL);
    }
    // another target into the object: presses again, stalls again
    give(&bench, 0, 82.0);
    run_ms(&bench, 120);
    assert_int_equal(look(&bench).state[2], TN_EFFECTOR_RUNNING);
    run_ms(&bench, 600);
    assert_int_equal(look(&bench).state[2], TN_EFFECTOR_STALL);
    // away from it, by little: free at once
    give(&bench, 0, 39.5);
    run_ms(&bench, 400);
    struct tn_effector_sample sample = look(&bench);
    assert_int_equal(sample.state[2], TN_EFFECTOR_IDLE);
    assert_true(fabs(sample.position[2] - 39.5) < 0.11);
    give(&bench, 0, 80.0);
    run_ms(&bench, 1000);
    assert_int_equal(look(&bench).state[2], TN_EFFECTOR_STALL);
}

static void turbo_grips_again(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct bench bench;
    int grips = 0;
    options.objects = 1;
    options.object_percent[0] = 30.0;
    options.is_turbo = true;
    start(&bench, &options);
    give(&bench, 0, 100.0);
    bool was_latched = false;
    for (int ms = 0; ms < 5000; ms++) {
        run_ms(&bench, 1);
        grips += was_latched && !bench.sim.joints[0].is_latched;
        was_latched = bench.sim.joints[0].is_latched;
    }
    assert_in_range(grips, 4, 6);
}

static void speeds_and_currents_move_and_stop(void **state)
{
    static const struct {
        uint8_t mode;
        double value, speed;
    } rows[] = {
        {1, 50.0, 83.333}, {1, -50.0, -83.333}, {1, 0.0, 0.0},  {2, 10.0, 0.0},
        {2, 55.0, 83.333}, {2, -55.0, -83.333}, {2, -9.9, 0.0},
    };
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        struct tn_effector_sim_options options = hand();
        struct bench bench;
        start(&bench, &options);
        give(&bench, 0, 50.0);
        run_ms(&bench, 1500);
        give(&bench, rows[i].mode, rows[i].value);
        run_ms(&bench, 65 + 100);
        assert_true(fabs(bench.sim.joints[1].v - rows[i].speed) < 0.01);
        struct tn_effector_sample sample = look(&bench);
        assert_true(fabs(sample.velocity[1] - fabs(rows[i].speed) * 0.6) < 0.1);
        assert_int_equal(sample.state[1],
                         fabs(rows[i].speed) > 1.0 ? TN_EFFECTOR_RUNNING : TN_EFFECTOR_IDLE);
        assert_int_equal(bench.device.ops->stop(bench.device.self, bench.now_ns), TN_OK);
        run_ms(&bench, 65 + 50);
        assert_true(fabs(bench.sim.joints[1].v) < 1e-9);
    }
}

static void a_speed_against_the_stop_stalls(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct bench bench;
    start(&bench, &options);
    give(&bench, 1, 100.0);
    run_ms(&bench, 65 + 650);
    assert_true(bench.sim.joints[0].x >= 100.0);
    assert_true(fabs(bench.sim.joints[0].v) < 1e-9);
    run_ms(&bench, 500);
    assert_int_equal(look(&bench).state[0], TN_EFFECTOR_STALL);
    give(&bench, 1, -100.0);
    run_ms(&bench, 300);
    assert_true(bench.sim.joints[0].v < -100.0);
}

static void the_sweep_takes_no_commands(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct bench bench;
    options.has_sweep = true;
    start(&bench, &options);
    struct tn_effector_sample sample = look(&bench);
    assert_false(sample.is_ready);
    assert_int_equal(sample.state[0], TN_EFFECTOR_RUNNING);
    give(&bench, 0, 50.0);
    run_ms(&bench, 1020);
    sample = look(&bench);
    assert_true(sample.is_ready);
    run_ms(&bench, 1000);
    assert_true(look(&bench).position[0] < 0.05);
    give(&bench, 0, 50.0);
    run_ms(&bench, 1000);
    assert_true(look(&bench).position[0] > 49.0);
}

// the model does not depend on when it is looked at
static void it_is_deterministic(void **state)
{
    (void)state;
    struct bench one;
    struct bench two;
    struct tn_effector_sim_options options = hand();
    options.noise_percent = 0.2;
    options.noise_seed = 7;
    start(&one, &options);
    start(&two, &options);
    for (int i = 0; i < 40; i++) {
        give(&one, 0, i % 3 * 45.0);
        give(&two, 0, i % 3 * 45.0);
        for (int64_t k = 0; k < 100; k++) {
            one.now_ns += TN_NS_PER_MS / 3;
            tn_effector_sim_advance(&one.sim, one.now_ns);
        }
        two.now_ns = one.now_ns;
        tn_effector_sim_advance(&two.sim, two.now_ns);
        struct tn_effector_sample a = look(&one);
        struct tn_effector_sample b = look(&two);
        assert_memory_equal(&a.position, &b.position, sizeof a.position);
        assert_int_equal(a.sample_steady_ns, b.sample_steady_ns);
    }
}

static void published_values_are_coarse(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct bench bench;
    int64_t last_ns = 0;
    start(&bench, &options);
    give(&bench, 0, 77.777);
    for (int i = 0; i < 700; i++) {
        run_ms(&bench, 1);
        struct tn_effector_sample sample = look(&bench);
        double tenth = sample.position[0] * 10.0;
        assert_true(fabs(tenth - round(tenth)) < 1e-6);
        assert_true(sample.sample_steady_ns == last_ns ||
                    sample.sample_steady_ns - last_ns >= 20 * TN_NS_PER_MS);
        assert_true(bench.now_ns - sample.sample_steady_ns < 21 * TN_NS_PER_MS);
        last_ns = sample.sample_steady_ns;
    }
}

static void a_pulled_cable_is_no_answer(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct tn_effector_identity identity = {.side = TN_SIDE_UNKNOWN};
    struct tn_effector_sample sample = {.sample_steady_ns = 42};
    struct tn_effector_setpoint setpoint = all(0, 10.0);
    struct tn_error err = {.code = TN_OK};
    struct bench bench;
    start(&bench, &options);
    tn_effector_sim_connect(&bench.sim, false);
    const struct tn_effector_device_ops *ops = bench.device.ops;
    assert_int_equal(ops->identify(&bench.sim, bench.now_ns, &identity, &err), TN_ERR_TIMEOUT);
    assert_int_equal(ops->poll(&bench.sim, bench.now_ns, &sample), TN_ERR_TIMEOUT);
    assert_int_equal(sample.sample_steady_ns, 42);
    assert_int_equal(ops->write(&bench.sim, &setpoint, bench.now_ns), TN_ERR_TIMEOUT);
    assert_int_equal(ops->stop(&bench.sim, bench.now_ns), TN_ERR_TIMEOUT);
    tn_effector_sim_connect(&bench.sim, true);
    assert_int_equal(ops->identify(&bench.sim, bench.now_ns, &identity, &err), TN_OK);
    assert_int_equal(identity.side, TN_SIDE_LEFT);
    assert_string_equal(identity.model, "sim hand");
}

static void a_mode_it_cannot_do_is_refused_whole(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    options.modes = 1;
    struct bench bench;
    start(&bench, &options);
    struct tn_effector_setpoint setpoint = all(0, 90.0);
    setpoint.mode[5] = TN_EFFECTOR_CURRENT;
    assert_int_equal(bench.device.ops->write(&bench.sim, &setpoint, bench.now_ns),
                     TN_ERR_UNSUPPORTED);
    run_ms(&bench, 500);
    assert_true(look(&bench).position[0] < 0.05);
}

static void more_writes_than_wait_are_merged(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct bench bench;
    start(&bench, &options);
    for (int i = 0; i < 500; i++) {
        struct tn_effector_setpoint setpoint = {.joints = 1u << (i % 6)};
        setpoint.value[i % 6] = 60.0;
        assert_int_equal(bench.device.ops->write(&bench.sim, &setpoint, bench.now_ns), TN_OK);
    }
    run_ms(&bench, 2000);
    struct tn_effector_sample sample = look(&bench);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(sample.position[i] - 60.0) < 0.11);
}

static void a_long_pause_costs_little(void **state)
{
    (void)state;
    struct tn_effector_sim_options options = hand();
    struct bench bench;
    start(&bench, &options);
    give(&bench, 0, 30.0);
    bench.now_ns += 365 * 86400 * TN_NS_PER_S;
    struct tn_effector_sample sample = look(&bench);
    assert_true(fabs(sample.position[0] - 30.0) < 0.11);
    assert_true(bench.now_ns - sample.sample_steady_ns < 21 * TN_NS_PER_MS);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    struct tn_effector_sim sim;
    struct tn_error err;
    struct tn_effector_sim_options rows[6];
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++)
        rows[i] = hand();
    rows[0].speed_limit_percent = 0.0;
    rows[1].current_limit_percent = (double)NAN;
    rows[2].noise_percent = -1.0;
    rows[3].dead_time_ns = -1;
    rows[4].objects = 1;
    rows[4].object_percent[0] = (double)NAN;
    rows[5].speed_limit_percent = 101.0;
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++)
        assert_int_equal(tn_effector_sim_init(&sim, &rows[i], &err), TN_ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_step_arrives_in_time_without_overshoot),
        cmocka_unit_test(a_gripper_is_slower_and_the_limit_scales),
        cmocka_unit_test(an_object_stalls_the_joint_in_time),
        cmocka_unit_test(only_another_command_ends_a_stall),
        cmocka_unit_test(turbo_grips_again),
        cmocka_unit_test(speeds_and_currents_move_and_stop),
        cmocka_unit_test(a_speed_against_the_stop_stalls),
        cmocka_unit_test(the_sweep_takes_no_commands),
        cmocka_unit_test(it_is_deterministic),
        cmocka_unit_test(published_values_are_coarse),
        cmocka_unit_test(a_pulled_cable_is_no_answer),
        cmocka_unit_test(a_mode_it_cannot_do_is_refused_whole),
        cmocka_unit_test(more_writes_than_wait_are_merged),
        cmocka_unit_test(a_long_pause_costs_little),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
