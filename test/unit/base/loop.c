// SPDX-License-Identifier: Apache-2.0
/// Size: one fixture serves all rules of the loop, and each is tested beside its neighbours
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/loop.h"

#define MS TN_NS_PER_MS

// a loop on a simulated clock that starts at one second
struct fixture {
    struct tn_sim_clock sim;
    struct tn_loop *loop;
    int pipe_fds[2], other_fds[2];
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->sim = (struct tn_sim_clock){.steady_ns = TN_NS_PER_S, .wall_ns = TN_NS_PER_S};
    assert_int_equal(tn_loop_create(tn_sim_clock_as_clock(&f->sim), &f->loop, NULL), TN_OK);
    assert_int_equal(pipe(f->pipe_fds), 0);
    assert_int_equal(pipe(f->other_fds), 0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    tn_loop_destroy(&f->loop);
    assert_null(f->loop);
    tn_loop_destroy(&f->loop);
    for (int i = 0; i < 2; i++) {
        (void)close(f->pipe_fds[i]);
        (void)close(f->other_fds[i]);
    }
    free(f);
    return 0;
}

static void put(int fd)
{
    assert_int_equal(write(fd, "x", 1), 1);
}

static void count(void *context)
{
    ++*(int *)context;
}

static void step(struct fixture *f, int64_t delta_ns)
{
    tn_sim_clock_advance(&f->sim, delta_ns);
    (void)tn_loop_run_once(f->loop, 0);
}

// ---- timers ----

// nohup: the signal is neither taken nor does it end the process
static void an_ignored_hang_up_stays_ignored(void **state)
{
    struct fixture *f = *state;
    sigset_t before, now;
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &before), 0);
    assert_true(signal(SIGHUP, SIG_IGN) != SIG_ERR);
    assert_int_equal(tn_loop_handle_signals(f->loop), TN_OK);
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &now), 0);
    assert_int_equal(sigismember(&now, SIGHUP), 0);
    assert_int_equal(sigismember(&now, SIGTERM), 1);
    assert_true(signal(SIGHUP, SIG_DFL) != SIG_ERR);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
}

static void a_timer_fires_once_at_its_time(void **state)
{
    struct fixture *f = *state;
    int n = 0;
    struct tn_loop_timer timer = {0};
    tn_loop_timer_start(f->loop, &timer, 10 * MS, 0, count, &n);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    step(f, 10 * MS - 1);
    assert_int_equal(n, 0);
    assert_true(timer.is_running);
    step(f, 1);
    assert_int_equal(n, 1);
    assert_false(timer.is_running);
    step(f, 50 * MS);
    assert_int_equal(n, 1);
}

static void a_periodic_timer_keeps_its_phase_and_skips_missed_ticks(void **state)
{
    struct fixture *f = *state;
    int n = 0;
    struct tn_loop_timer timer = {0};
    tn_loop_timer_start(f->loop, &timer, 10 * MS, 10 * MS, count, &n);
    step(f, 13 * MS);
    assert_int_equal(n, 1);
    step(f, 7 * MS);
    assert_int_equal(n, 2);
    step(f, 55 * MS);
    assert_int_equal(n, 3);
    step(f, 4 * MS);
    assert_int_equal(n, 3);
    step(f, 1 * MS);
    assert_int_equal(n, 4);
    tn_loop_timer_stop(&timer);
    tn_loop_timer_stop(&timer);
    step(f, 100 * MS);
    assert_int_equal(n, 4);
}

struct order {
    struct fixture *f;
    char text[16];
    struct tn_loop_timer timers[4];
};

static void say(struct order *order, const char *letter)
{
    const size_t length = strlen(order->text);
    (void)snprintf(order->text + length, sizeof order->text - length, "%s", letter);
}

static void say_a(void *context)
{
    say(context, "a");
}

static void say_b(void *context)
{
    say(context, "b");
}

static void say_c_and_stop_the_fourth(void *context)
{
    struct order *order = context;
    say(order, "c");
    tn_loop_timer_stop(&order->timers[3]);
}

static void timers_run_by_due_time_then_by_start(void **state)
{
    struct fixture *f = *state;
    struct order order = {.f = f};
    tn_loop_timer_start(f->loop, &order.timers[0], 20 * MS, 0, say_b, &order);
    tn_loop_timer_start(f->loop, &order.timers[1], 10 * MS, 0, say_a, &order);
    tn_loop_timer_start(f->loop, &order.timers[2], 20 * MS, 0, say_c_and_stop_the_fourth, &order);
    tn_loop_timer_start(f->loop, &order.timers[3], 20 * MS, 0, say_b, &order);
    step(f, 30 * MS);
    assert_string_equal(order.text, "abc");
    assert_false(order.timers[3].is_running);
}

static void restart_now(void *context)
{
    struct order *order = context;
    say(order, "r");
    tn_loop_timer_start(order->f->loop, &order->timers[0], 0, 0, restart_now, order);
}

static void a_timer_restarted_without_delay_waits_for_the_next_pass(void **state)
{
    struct fixture *f = *state;
    struct order order = {.f = f};
    tn_loop_timer_start(f->loop, &order.timers[0], -5, 0, restart_now, &order);
    step(f, 0);
    assert_string_equal(order.text, "r");
    step(f, 0);
    assert_string_equal(order.text, "rr");
    tn_loop_timer_stop(&order.timers[0]);
}

static void free_myself(void *context)
{
    struct tn_loop_timer **timer = context;
    tn_loop_timer_stop(*timer);
    free(*timer);
    *timer = NULL;
}

static void a_timer_may_be_freed_in_its_own_callback(void **state)
{
    struct fixture *f = *state;
    struct tn_loop_timer *timer = calloc(1, sizeof *timer);
    tn_loop_timer_start(f->loop, timer, 0, 5 * MS, free_myself, &timer);
    step(f, 0);
    assert_null(timer);
    step(f, 50 * MS);
}

static void timers_far_away_do_not_overflow(void **state)
{
    struct fixture *f = *state;
    int n = 0;
    struct tn_loop_timer a = {0}, b = {0};
    tn_loop_timer_start(f->loop, &a, INT64_MAX, 0, count, &n);
    tn_loop_timer_start(f->loop, &b, 0, INT64_MAX, count, &n);
    step(f, 0);
    step(f, 1 * MS);
    assert_int_equal(n, 1);
    tn_loop_timer_stop(&a);
    tn_loop_timer_stop(&b);
}

// ---- descriptors ----

struct reader {
    struct tn_loop_fd handle;
    struct reader *victim; // stopped in the callback
    struct fixture *f;
    int n, n_late;
    uint32_t events;
};

static void read_one(void *context, int fd, uint32_t events)
{
    struct reader *reader = context;
    char byte;
    if ((events & EPOLLIN) != 0)
        assert_int_equal(read(fd, &byte, 1), 1);
    reader->n++;
    reader->n_late += tn_loop_is_late(reader->f->loop);
    reader->events = events;
    if (reader->victim != NULL)
        tn_loop_fd_stop(&reader->victim->handle);
}

static void start_reader(struct fixture *f, struct reader *reader, int fd)
{
    reader->f = f;
    assert_int_equal(tn_loop_fd_start(f->loop, &reader->handle, fd, EPOLLIN, read_one, reader),
                     TN_OK);
}

static void a_ready_descriptor_is_reported_until_read(void **state)
{
    struct fixture *f = *state;
    struct reader reader = {0};
    start_reader(f, &reader, f->pipe_fds[0]);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    put(f->pipe_fds[1]);
    put(f->pipe_fds[1]);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(reader.n, 1);
    assert_int_equal(tn_loop_run_once(f->loop, -1), TN_OK);
    assert_int_equal(reader.n, 2);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    tn_loop_fd_stop(&reader.handle);
    tn_loop_fd_stop(&reader.handle);
    put(f->pipe_fds[1]);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
}

static void a_handle_stopped_in_the_same_pass_is_not_called(void **state)
{
    struct fixture *f = *state;
    struct reader a = {0}, b = {0};
    a.victim = &b;
    b.victim = &a;
    start_reader(f, &a, f->pipe_fds[0]);
    start_reader(f, &b, f->other_fds[0]);
    put(f->pipe_fds[1]);
    put(f->other_fds[1]);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(a.n + b.n, 1);
    tn_loop_fd_stop(&a.handle);
    tn_loop_fd_stop(&b.handle);
}

static void stop_reader(void *context)
{
    tn_loop_fd_stop(&((struct reader *)context)->handle);
}

static void a_timer_may_stop_a_ready_descriptor(void **state)
{
    struct fixture *f = *state;
    struct reader reader = {0};
    struct tn_loop_timer timer = {0};
    start_reader(f, &reader, f->pipe_fds[0]);
    tn_loop_timer_start(f->loop, &timer, 0, 0, stop_reader, &reader);
    put(f->pipe_fds[1]);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(reader.n, 0);
}

static void wrong_descriptors_are_refused(void **state)
{
    struct fixture *f = *state;
    struct reader reader = {0}, twin = {0};
    start_reader(f, &reader, f->pipe_fds[0]);
    assert_int_equal(
        tn_loop_fd_start(f->loop, &twin.handle, f->pipe_fds[0], EPOLLIN, read_one, &twin),
        TN_ERR_EXISTS);
    // refused handles are as if stopped
    tn_loop_fd_stop(&twin.handle);
    put(f->pipe_fds[1]);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(reader.n, 1);
    assert_int_equal(tn_loop_fd_start(f->loop, &twin.handle, -1, EPOLLIN, read_one, &twin),
                     TN_ERR_IO);
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    assert_int_equal(tn_loop_fd_start(f->loop, &twin.handle, file, EPOLLIN, read_one, &twin),
                     TN_ERR_IO);
    (void)close(file);
    assert_int_equal(tn_loop_fd_set_events(&twin.handle, EPOLLIN), TN_ERR_STATE);
    tn_loop_fd_stop(&reader.handle);
}

static void events_can_be_changed_and_hang_up_is_reported(void **state)
{
    struct fixture *f = *state;
    struct reader writer = {0}, reader = {0};
    writer.f = f;
    assert_int_equal(
        tn_loop_fd_start(f->loop, &writer.handle, f->pipe_fds[1], 0, read_one, &writer), TN_OK);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    assert_int_equal(tn_loop_fd_set_events(&writer.handle, EPOLLOUT), TN_OK);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_true((writer.events & EPOLLOUT) != 0);
    tn_loop_fd_stop(&writer.handle);
    start_reader(f, &reader, f->pipe_fds[0]);
    (void)close(f->pipe_fds[1]);
    f->pipe_fds[1] = -1;
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_true((reader.events & EPOLLHUP) != 0);
    tn_loop_fd_stop(&reader.handle);
}

// ---- asyncs ----

struct echo {
    struct tn_loop_async async;
    int n, again;
    struct echo *other;
    bool stops_other;
};

static void on_echo(void *context)
{
    struct echo *echo = context;
    echo->n++;
    if (echo->again-- > 0)
        tn_loop_async_signal(&echo->async);
    if (echo->other != NULL && echo->stops_other)
        tn_loop_async_stop(&echo->other->async);
    else if (echo->other != NULL)
        tn_loop_async_signal(&echo->other->async);
}

static void many_signals_are_one_call(void **state)
{
    struct fixture *f = *state;
    struct echo echo = {0};
    tn_loop_async_start(f->loop, &echo.async, on_echo, &echo);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    for (int i = 0; i < 5; i++)
        tn_loop_async_signal(&echo.async);
    assert_int_equal(tn_loop_run_once(f->loop, -1), TN_OK);
    assert_int_equal(echo.n, 1);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    tn_loop_async_stop(&echo.async);
    tn_loop_async_stop(&echo.async);
}

static void signals_from_callbacks_wait_for_the_next_pass(void **state)
{
    struct fixture *f = *state;
    struct echo first = {.again = 1}, second = {0};
    first.other = &second;
    tn_loop_async_start(f->loop, &first.async, on_echo, &first);
    tn_loop_async_start(f->loop, &second.async, on_echo, &second);
    tn_loop_async_signal(&first.async);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(first.n, 1);
    assert_int_equal(second.n, 0);
    assert_int_equal(tn_loop_run_once(f->loop, -1), TN_OK);
    assert_int_equal(first.n, 2);
    assert_int_equal(second.n, 1);
    tn_loop_async_stop(&first.async);
    tn_loop_async_stop(&second.async);
}

/// A chain of callbacks runs on before descriptors, and an endless one cannot shut them out.
static void what_callbacks_queue_goes_before_descriptors_but_not_for_ever(void **state)
{
    struct fixture *f = *state;
    struct echo endless = {.again = 1000};
    struct reader reader = {0};
    int n_ticks = 0;
    struct tn_loop_timer timer = {0};
    start_reader(f, &reader, f->pipe_fds[0]);
    tn_loop_async_start(f->loop, &endless.async, on_echo, &endless);
    tn_loop_async_signal(&endless.async);
    put(f->pipe_fds[1]);
    put(f->pipe_fds[1]);
    // signalled from outside: an ordinary pass
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(endless.n, 1);
    assert_int_equal(reader.n, 1);
    // timers, and so watchdogs, are looked at in each pass
    tn_loop_timer_start(f->loop, &timer, 0, 0, count, &n_ticks);
    assert_int_equal(tn_loop_run_once(f->loop, -1), TN_OK);
    assert_int_equal(endless.n, 2);
    assert_int_equal(reader.n, 1);
    assert_int_equal(n_ticks, 1);
    while (reader.n < 2)
        assert_int_equal(tn_loop_run_once(f->loop, -1), TN_OK);
    assert_int_equal(endless.n, 10);
    tn_loop_async_stop(&endless.async);
    // nothing is left behind: the next pass asks for descriptors again
    put(f->pipe_fds[1]);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(reader.n, 3);
    tn_loop_fd_stop(&reader.handle);
}

/// What was stopped in mid-chain is late like all the rest, and the loop knows what waits in
/// descriptors before it says that it has caught up.
static void a_stall_in_a_chain_is_late(void **state)
{
    struct fixture *f = *state;
    struct echo chain = {.again = 2};
    struct reader reader = {0};
    start_reader(f, &reader, f->pipe_fds[0]);
    tn_loop_async_start(f->loop, &chain.async, on_echo, &chain);
    tn_loop_async_signal(&chain.async);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    tn_sim_clock_advance(&f->sim, TN_LOOP_LATE_NS + TN_LOOP_HEARTBEAT_NS + MS);
    put(f->pipe_fds[1]);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_true(tn_loop_is_late(f->loop));
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(reader.n, 1);
    assert_int_equal(reader.n_late, 1);
    assert_int_equal(chain.n, 3);
    tn_loop_async_stop(&chain.async);
    tn_loop_fd_stop(&reader.handle);
}

static void a_due_async_may_be_stopped_by_another(void **state)
{
    struct fixture *f = *state;
    struct echo echoes[3] = {{.n = 0}, {.n = 0}, {.n = 0}};
    echoes[0].other = &echoes[1];
    echoes[0].stops_other = true;
    for (int i = 0; i < 3; i++) {
        tn_loop_async_start(f->loop, &echoes[i].async, on_echo, &echoes[i]);
        tn_loop_async_signal(&echoes[i].async);
    }
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(echoes[0].n, 1);
    assert_int_equal(echoes[1].n, 0);
    assert_int_equal(echoes[2].n, 1);
    tn_loop_async_stop(&echoes[0].async);
    tn_loop_async_stop(&echoes[2].async);
}

struct asker {
    struct tn_loop *loop;
    struct tn_loop_async async;
    bool had_work;
};

static void on_ask(void *context)
{
    struct asker *asker = context;
    asker->had_work = tn_loop_has_work(asker->loop);
}

/// The count of waiting asyncs must agree with the list, whatever order they come and go in.
static void work_is_known_while_an_async_waits(void **state)
{
    struct fixture *f = *state;
    struct asker first = {.loop = f->loop}, last = {.loop = f->loop};
    struct echo stopper = {.stops_other = true}, victim = {0};
    stopper.other = &victim;
    assert_false(tn_loop_has_work(f->loop));
    tn_loop_async_start(f->loop, &first.async, on_ask, &first);
    tn_loop_async_start(f->loop, &stopper.async, on_echo, &stopper);
    tn_loop_async_start(f->loop, &victim.async, on_echo, &victim);
    tn_loop_async_start(f->loop, &last.async, on_ask, &last);
    // stopped while signalled: forgotten, in the list and in the count
    tn_loop_async_signal(&victim.async);
    assert_true(tn_loop_has_work(f->loop));
    tn_loop_async_stop(&victim.async);
    assert_false(tn_loop_has_work(f->loop));
    tn_loop_async_start(f->loop, &victim.async, on_echo, &victim);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    // stopped while due
    tn_loop_async_signal(&first.async);
    tn_loop_async_signal(&stopper.async);
    tn_loop_async_signal(&victim.async);
    tn_loop_async_signal(&last.async);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_true(first.had_work);
    assert_int_equal(stopper.n, 1);
    assert_int_equal(victim.n, 0);
    assert_false(last.had_work);
    assert_false(tn_loop_has_work(f->loop));
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    tn_loop_async_stop(&first.async);
    tn_loop_async_stop(&stopper.async);
    tn_loop_async_stop(&last.async);
}

/// A handle that is due and signalled again is in both lists while others are stopped.
static void stopping_keeps_what_others_wait_for(void **state)
{
    struct fixture *f = *state;
    struct echo first = {.stops_other = true},
                again[3] = {{.again = 1}, {.again = 1}, {.again = 0}};
    struct echo gone = {0};
    first.other = &gone;
    tn_loop_async_start(f->loop, &first.async, on_echo, &first);
    tn_loop_async_start(f->loop, &gone.async, on_echo, &gone);
    for (int i = 0; i < 3; i++)
        tn_loop_async_start(f->loop, &again[i].async, on_echo, &again[i]);
    // the pass: again[0] and again[1] signal themselves, then again[2], signalled by hand, stops
    // one
    again[2].other = &gone;
    again[2].stops_other = true;
    tn_loop_async_signal(&again[0].async);
    tn_loop_async_signal(&again[1].async);
    tn_loop_async_signal(&again[2].async);
    tn_loop_async_signal(&gone.async);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(gone.n, 0);
    assert_int_equal(again[0].n + again[1].n + again[2].n, 3);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(again[0].n, 2);
    assert_int_equal(again[1].n, 2);
    // signalled from outside while it waits, then another one is stopped: it is called once
    tn_loop_async_start(f->loop, &gone.async, on_echo, &gone);
    tn_loop_async_signal(&again[0].async);
    tn_loop_async_signal(&gone.async);
    tn_loop_async_signal(&again[1].async);
    tn_loop_async_stop(&gone.async);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(again[0].n, 3);
    assert_int_equal(again[1].n, 3);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    tn_loop_async_stop(&first.async);
    for (int i = 0; i < 3; i++)
        tn_loop_async_stop(&again[i].async);
}

struct signaller {
    struct tn_loop_async *others[2];
    bool stops;
};

/// Signals a handle that is due and comes later, then stops one that waits for the next pass.
static void on_signal_and_stop(void *context)
{
    struct signaller *s = context;
    tn_loop_async_signal(s->others[0]);
    tn_loop_async_signal(s->others[1]);
    if (s->stops)
        tn_loop_async_stop(s->others[1]);
}

static void a_due_handle_signalled_again_is_called_in_both_passes(void **state)
{
    struct fixture *f = *state;
    struct echo late = {0}, last = {0}, gone = {0};
    struct tn_loop_async starter = {0};
    struct signaller s = {.others = {&late.async, &gone.async}, .stops = true};
    tn_loop_async_start(f->loop, &starter, on_signal_and_stop, &s);
    tn_loop_async_start(f->loop, &late.async, on_echo, &late);
    tn_loop_async_start(f->loop, &last.async, on_echo, &last);
    tn_loop_async_start(f->loop, &gone.async, on_echo, &gone);
    tn_loop_async_signal(&starter);
    tn_loop_async_signal(&late.async);
    tn_loop_async_signal(&last.async);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(late.n, 1);
    assert_int_equal(last.n, 1);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_OK);
    assert_int_equal(late.n, 2);
    assert_int_equal(last.n, 1);
    assert_int_equal(gone.n, 0);
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_AGAIN);
    tn_loop_async_stop(&starter);
    tn_loop_async_stop(&late.async);
    tn_loop_async_stop(&last.async);
}

// ---- late ----

static void an_ordinary_pass_is_not_late(void **state)
{
    struct fixture *f = *state;
    struct reader reader = {0};
    start_reader(f, &reader, f->pipe_fds[0]);
    for (int i = 0; i < 20; i++) {
        put(f->pipe_fds[1]);
        step(f, TN_LOOP_HEARTBEAT_NS + TN_LOOP_LATE_NS);
    }
    assert_int_equal(reader.n, 20);
    assert_int_equal(reader.n_late, 0);
    struct tn_loop_stats stats;
    tn_loop_get_stats(f->loop, &stats);
    assert_int_equal(stats.late_passes, 0);
    assert_true(stats.longest_gap_ns == TN_LOOP_LATE_NS);
    tn_loop_fd_stop(&reader.handle);
}

static void everything_queued_during_a_stall_is_handed_out_late(void **state)
{
    struct fixture *f = *state;
    struct reader reader = {0};
    start_reader(f, &reader, f->pipe_fds[0]);
    step(f, 1 * MS);
    for (int i = 0; i < 50; i++)
        put(f->pipe_fds[1]);
    tn_sim_clock_advance(&f->sim, TN_LOOP_HEARTBEAT_NS + TN_LOOP_LATE_NS + 1);
    // one byte a pass, and the clock walks on far beyond the time to catch up
    for (int i = 0; i < 50; i++)
        step(f, 5 * MS);
    assert_int_equal(reader.n, 50);
    assert_int_equal(reader.n_late, 50);
    // what arrives after the queue was found empty is fresh again
    step(f, 5 * MS);
    assert_false(tn_loop_is_late(f->loop));
    put(f->pipe_fds[1]);
    step(f, 5 * MS);
    assert_int_equal(reader.n_late, 50);
    struct tn_loop_stats stats;
    tn_loop_get_stats(f->loop, &stats);
    assert_int_equal(stats.late_passes, 1);
    tn_loop_fd_stop(&reader.handle);
}

static void other_threads_get_time_to_hand_over_after_a_stall(void **state)
{
    struct fixture *f = *state;
    struct echo echo = {0};
    tn_loop_async_start(f->loop, &echo.async, on_echo, &echo);
    step(f, 500 * MS);
    assert_true(tn_loop_is_late(f->loop));
    // the queue is empty, but a receive thread that was stopped too has not come yet
    step(f, TN_LOOP_CATCH_UP_NS - 1);
    assert_true(tn_loop_is_late(f->loop));
    tn_loop_async_signal(&echo.async);
    step(f, 10 * MS);
    assert_int_equal(echo.n, 1);
    assert_true(tn_loop_is_late(f->loop));
    step(f, 0);
    assert_false(tn_loop_is_late(f->loop));
    tn_loop_async_stop(&echo.async);
}

static void an_overdue_timer_makes_a_pass_late(void **state)
{
    struct fixture *f = *state;
    int n = 0;
    struct tn_loop_timer timer = {0};
    tn_loop_timer_start(f->loop, &timer, 1 * MS, 0, count, &n);
    step(f, 1 * MS + TN_LOOP_LATE_NS + 1);
    assert_true(tn_loop_is_late(f->loop));
    assert_int_equal(n, 1);
}

struct stall {
    struct fixture *f;
    bool before, after;
};

static void stall_here(void *context)
{
    struct stall *stall = context;
    stall->before = tn_loop_is_late(stall->f->loop);
    tn_sim_clock_advance(&stall->f->sim, TN_LOOP_LATE_NS + 1);
    stall->after = tn_loop_is_late(stall->f->loop);
}

static void a_stall_in_the_middle_of_a_pass_shows_at_once_and_in_the_next(void **state)
{
    struct fixture *f = *state;
    struct stall stall = {.f = f};
    struct tn_loop_timer timer = {0};
    struct reader reader = {0};
    start_reader(f, &reader, f->pipe_fds[0]);
    tn_loop_timer_start(f->loop, &timer, 0, 0, stall_here, &stall);
    put(f->pipe_fds[1]);
    step(f, 0);
    assert_false(stall.before);
    assert_true(stall.after);
    assert_int_equal(reader.n_late, 1);
    put(f->pipe_fds[1]);
    step(f, TN_LOOP_HEARTBEAT_NS);
    assert_int_equal(reader.n_late, 2);
    tn_loop_fd_stop(&reader.handle);
}

// ---- running ----

static void call_again(void *context)
{
    struct fixture *f = context;
    assert_int_equal(tn_loop_run_once(f->loop, 0), TN_ERR_STATE);
    tn_loop_quit(f->loop);
}

static void a_callback_cannot_run_the_loop(void **state)
{
    struct fixture *f = *state;
    struct tn_loop_timer timer = {0};
    tn_loop_timer_start(f->loop, &timer, 0, 0, call_again, f);
    assert_int_equal(tn_loop_run(f->loop), TN_OK);
    assert_false(timer.is_running);
}

static void quit_before_run_returns_at_once_and_only_once(void **state)
{
    struct fixture *f = *state;
    tn_loop_quit(f->loop);
    assert_true(tn_loop_is_quitting(f->loop));
    assert_int_equal(tn_loop_run(f->loop), TN_OK);
    assert_false(tn_loop_is_quitting(f->loop));
    // runs again until the next quit
    struct tn_loop_timer timer = {0};
    tn_loop_timer_start(f->loop, &timer, 0, 0, call_again, f);
    assert_int_equal(tn_loop_run(f->loop), TN_OK);
    assert_false(timer.is_running);
}

static void a_limited_wait_ends_on_a_clock_that_stands_still(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(tn_loop_run_once(f->loop, 30 * MS), TN_ERR_AGAIN);
}

static void a_timer_on_the_real_clock_is_never_early(void **state)
{
    (void)state;
    struct tn_loop *loop = NULL;
    int n = 0;
    struct tn_loop_timer timer = {0};
    assert_int_equal(tn_loop_create(tn_clock_system(), &loop, NULL), TN_OK);
    const int64_t start = tn_clock_steady_now_ns();
    tn_loop_timer_start(loop, &timer, 50 * MS, 0, count, &n);
    while (n == 0)
        assert_int_equal(tn_loop_run_once(loop, -1), TN_OK);
    assert_true(tn_loop_now_steady_ns(loop) - start >= 50 * MS);
    tn_loop_destroy(&loop);
}

static void a_signal_quits_the_loop(void **state)
{
    struct fixture *f = *state;
    sigset_t before;
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &before), 0);
    // whoever runs the tests may have it ignored
    assert_true(signal(SIGHUP, SIG_DFL) != SIG_ERR);
    assert_int_equal(tn_loop_handle_signals(f->loop), TN_OK);
    assert_int_equal(tn_loop_handle_signals(f->loop), TN_OK);
    assert_int_equal(kill(getpid(), SIGTERM), 0);
    assert_int_equal(tn_loop_run(f->loop), TN_OK);
    assert_int_equal(kill(getpid(), SIGINT), 0);
    assert_int_equal(tn_loop_run(f->loop), TN_OK);
    assert_int_equal(kill(getpid(), SIGHUP), 0);
    assert_int_equal(tn_loop_run(f->loop), TN_OK);
    // a write into a pipe without reader is an error, not the end
    (void)close(f->pipe_fds[0]);
    f->pipe_fds[0] = -1;
    assert_int_equal(write(f->pipe_fds[1], "x", 1), -1);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(an_ignored_hang_up_stays_ignored),
        TEST(a_timer_fires_once_at_its_time),
        TEST(a_periodic_timer_keeps_its_phase_and_skips_missed_ticks),
        TEST(timers_run_by_due_time_then_by_start),
        TEST(a_timer_restarted_without_delay_waits_for_the_next_pass),
        TEST(a_timer_may_be_freed_in_its_own_callback),
        TEST(timers_far_away_do_not_overflow),
        TEST(a_ready_descriptor_is_reported_until_read),
        TEST(a_handle_stopped_in_the_same_pass_is_not_called),
        TEST(a_timer_may_stop_a_ready_descriptor),
        TEST(wrong_descriptors_are_refused),
        TEST(events_can_be_changed_and_hang_up_is_reported),
        TEST(many_signals_are_one_call),
        TEST(signals_from_callbacks_wait_for_the_next_pass),
        TEST(what_callbacks_queue_goes_before_descriptors_but_not_for_ever),
        TEST(a_stall_in_a_chain_is_late),
        TEST(a_due_async_may_be_stopped_by_another),
        TEST(work_is_known_while_an_async_waits),
        TEST(stopping_keeps_what_others_wait_for),
        TEST(a_due_handle_signalled_again_is_called_in_both_passes),
        TEST(an_ordinary_pass_is_not_late),
        TEST(everything_queued_during_a_stall_is_handed_out_late),
        TEST(other_threads_get_time_to_hand_over_after_a_stall),
        TEST(an_overdue_timer_makes_a_pass_late),
        TEST(a_stall_in_the_middle_of_a_pass_shows_at_once_and_in_the_next),
        TEST(a_callback_cannot_run_the_loop),
        TEST(quit_before_run_returns_at_once_and_only_once),
        TEST(a_limited_wait_ends_on_a_clock_that_stands_still),
        TEST(a_timer_on_the_real_clock_is_never_early),
        TEST(a_signal_quits_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
