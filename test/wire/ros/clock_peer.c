// SPDX-License-Identifier: Apache-2.0
// /clock of a stranger: before it comes, at real speed, standing still, fast, back, stopped, gone.
// The steady clock's timers go on whatever it does. argv[1]: the peer program.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "wire/ros/harness.h"

#define S  TN_NS_PER_S
#define MS TN_NS_PER_MS

struct rig {
    struct harness h;
    struct peer peer;
    struct tn_ros_jump_handle jump;
    struct tn_ros_timer timer;
    struct tn_loop_timer watchdog;
    uint32_t n_back, n_ros, n_steady;
    int64_t last_delta_ns;
    // a wait
    int64_t from_ros_ns, to_ros_ns;
    uint32_t from_steady;
};

static int64_t now(const struct rig *rig)
{
    return tn_ros_node_now_ros_ns(rig->h.node);
}

static void on_jump(void *context, const struct tn_ros_jump *jump, bool is_before)
{
    struct rig *rig = context;
    rig->n_back += !is_before;
    rig->last_delta_ns = jump->delta_ns;
}

static void on_ros(void *context, int64_t since_ros_ns)
{
    struct rig *rig = context;
    (void)since_ros_ns;
    rig->n_ros++;
}

static void on_steady(void *context)
{
    struct rig *rig = context;
    rig->n_steady++;
}

static bool is_within(void *context)
{
    const struct rig *rig = context;
    return now(rig) >= rig->from_ros_ns && now(rig) < rig->to_ros_ns;
}

static void wait_until(struct rig *rig, int64_t from_ros_ns, int64_t to_ros_ns, const char *what)
{
    rig->from_ros_ns = from_ros_ns;
    rig->to_ros_ns = to_ros_ns;
    harness_wait(&rig->h, is_within, rig, what);
}

/// 20 ticks of the steady timer, each 10 ms, with the same time.
static bool has_stood(void *context)
{
    struct rig *rig = context;
    if (now(rig) != rig->from_ros_ns) {
        rig->from_ros_ns = now(rig);
        rig->from_steady = rig->n_steady;
    }
    return rig->n_steady - rig->from_steady >= 20;
}

static void wait_for_rest(struct rig *rig, const char *what)
{
    rig->from_ros_ns = -1;
    harness_wait(&rig->h, has_stood, rig, what);
}

static void time_follows_a_stranger(void **state)
{
    struct rig rig = {0};
    static const char *const argv[] = {"tester", "--ros-args", "-p", "use_sim_time:=true", NULL};
    harness_open_with(&rig.h, 4, argv);
    struct tn_ros_jump_threshold threshold = {.min_backward_ns = -1};
    assert_int_equal(tn_ros_jump_start(rig.h.node, &rig.jump, threshold, on_jump, &rig), TN_OK);
    assert_int_equal(tn_ros_timer_start(rig.h.node, &rig.timer, 100 * MS, on_ros, &rig), TN_OK);
    tn_loop_timer_start(rig.h.loop, &rig.watchdog, 10 * MS, 10 * MS, on_steady, &rig);
    wait_for_rest(&rig, "time before /clock");
    assert_int_equal(now(&rig), 0);
    assert_int_equal(rig.n_ros, 0);

    peer_start(&rig.h, &rig.peer, (const char *const[]){*state, "0", "clock", NULL});
    wait_until(&rig, 100 * S, 1000 * S, "the first tick");
    int64_t first_ros_ns = now(&rig);
    uint32_t n_ros = rig.n_ros;
    wait_until(&rig, first_ros_ns + S / 2, 1000 * S, "time that goes on");
    // one call per period or fewer: a late loop may skip some
    assert_in_range(rig.n_ros - n_ros, 1, 10);
    assert_int_equal(rig.n_back, 0);

    // it stands still though messages come
    assert_int_equal(tn_process_signal(rig.peer.process, SIGUSR2), TN_OK);
    wait_for_rest(&rig, "time that stands still");
    n_ros = rig.n_ros;
    int64_t paused_ros_ns = now(&rig);
    harness_run(&rig.h, 200 * MS);
    assert_int_equal(rig.n_ros, n_ros);
    assert_int_equal(now(&rig), paused_ros_ns);
    // fast
    assert_int_equal(tn_process_signal(rig.peer.process, SIGUSR2), TN_OK);
    wait_until(&rig, paused_ros_ns + 3 * S, INT64_MAX, "time that runs fast");
    assert_in_range(rig.n_ros - n_ros, 1, 40);
    // back
    assert_int_equal(rig.n_back, 0);
    assert_int_equal(tn_process_signal(rig.peer.process, SIGUSR1), TN_OK);
    wait_until(&rig, 5 * S, 90 * S, "time that went back");
    assert_int_equal(rig.n_back, 1);
    assert_true(rig.last_delta_ns < -10 * S);
    n_ros = rig.n_ros;
    wait_until(&rig, now(&rig) + S, 1000 * S, "time behind the jump");
    assert_true(rig.n_ros > n_ros);

    // the source is stopped, and killed
    assert_int_equal(tn_process_signal(rig.peer.process, SIGSTOP), TN_OK);
    wait_for_rest(&rig, "time without a source");
    assert_int_equal(tn_process_signal(rig.peer.process, SIGCONT), TN_OK);
    wait_until(&rig, now(&rig) + 100 * MS, INT64_MAX, "time of a source that goes on");
    peer_stop(&rig.peer);
    wait_for_rest(&rig, "time without a source");
    assert_true(now(&rig) > 0);
    tn_loop_timer_stop(&rig.watchdog);
    tn_ros_timer_stop(&rig.timer);
    tn_ros_jump_stop(&rig.jump);
    harness_close(&rig.h);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(time_follows_a_stranger, argc > 1 ? argv[1] : NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
