// SPDX-License-Identifier: Apache-2.0
// Threads signal handles of one loop as fast as they can while others are stopped and started: no
// signal is lost, and a sleeping loop wakes.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/loop.h"

#define THREADS     3
#define HANDLES     4
#define ROUNDS      20000
#define DEADLINE_NS (60 * TN_NS_PER_S)

struct handle {
    struct tn_loop_async async;
    atomic_uint sent;
    unsigned seen;
};

struct rig {
    struct tn_loop *loop;
    struct handle handles[HANDLES];
    struct tn_loop_async passing; // stopped and started all the time by the loop's thread
    atomic_uint n_done;
};

static void on_handle(void *context)
{
    struct handle *handle = context;
    handle->seen = atomic_load(&handle->sent);
}

static void on_passing(void *context)
{
    (void)context;
}

static void *send_all(void *context)
{
    struct rig *rig = context;
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct handle *handle = &rig->handles[i % HANDLES];
        atomic_fetch_add(&handle->sent, 1);
        tn_loop_async_signal(&handle->async);
    }
    atomic_fetch_add(&rig->n_done, 1);
    return NULL;
}

static bool is_over(struct rig *rig)
{
    bool is_all = atomic_load(&rig->n_done) == THREADS;
    for (unsigned i = 0; i < HANDLES; i++)
        is_all &= rig->handles[i].seen == THREADS * ROUNDS / HANDLES;
    return is_all;
}

static void no_signal_is_lost(void **state)
{
    (void)state;
    struct rig rig = {0};
    struct tn_error err = {0};
    pthread_t threads[THREADS];
    assert_int_equal(tn_loop_create(tn_clock_system(), &rig.loop, &err), TN_OK);
    for (unsigned i = 0; i < HANDLES; i++)
        tn_loop_async_start(rig.loop, &rig.handles[i].async, on_handle, &rig.handles[i]);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, send_all, &rig), 0);
    int64_t until = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (!is_over(&rig)) {
        tn_loop_async_start(rig.loop, &rig.passing, on_passing, &rig);
        tn_loop_async_signal(&rig.passing);
        tn_loop_async_stop(&rig.passing);
        // long enough that a lost wake-up would show as the loop's own heartbeat only
        (void)tn_loop_run_once(rig.loop, 10 * TN_NS_PER_MS);
        assert_true(tn_clock_steady_now_ns() < until);
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    // a number may have been seen before its signal came
    (void)tn_loop_run_once(rig.loop, 0);
    assert_false(tn_loop_has_work(rig.loop));
    for (unsigned i = 0; i < HANDLES; i++)
        tn_loop_async_stop(&rig.handles[i].async);
    tn_loop_destroy(&rig.loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_signal_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
