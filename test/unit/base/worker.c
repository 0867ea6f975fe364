// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/worker.h"

#define DEADLINE_NS (30 * TN_NS_PER_S)

enum { REQUESTS = 5000 };

struct request {
    uint32_t number;
    char filler[60];
};

struct reply {
    uint64_t square;
    uint32_t number, zero;
};

struct fixture {
    struct tn_loop *loop;
    struct tn_worker *worker;
    uint32_t n_posted, n_replies;
    pthread_t loop_thread;
    bool destroys_itself;
};

static void work(void *context, const void *request, void *out_reply)
{
    const struct fixture *f = context;
    const struct request *in = request;
    struct reply *out = out_reply;
    // different threads, and a reply that starts zeroed
    if (pthread_equal(pthread_self(), f->loop_thread) || out->zero != 0)
        abort();
    out->number = in->number;
    out->square = (uint64_t)in->number * in->number;
    out->zero = 0;
}

static void on_reply(void *context, const void *reply)
{
    struct fixture *f = context;
    const struct reply *in = reply;
    assert_true(pthread_equal(pthread_self(), f->loop_thread) != 0);
    assert_int_equal(in->number, f->n_replies);
    assert_true(in->square == (uint64_t)in->number * in->number);
    f->n_replies++;
    if (f->destroys_itself)
        tn_worker_destroy(&f->worker);
}

static struct tn_worker_options make_options(struct fixture *f)
{
    return (struct tn_worker_options){.name = "a name longer than fifteen",
                                      .request_size = sizeof(struct request),
                                      .reply_size = sizeof(struct reply),
                                      .depth = 8,
                                      .work = work,
                                      .on_reply = on_reply,
                                      .context = f};
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->loop_thread = pthread_self();
    assert_int_equal(tn_loop_create(tn_clock_system(), &f->loop, NULL), TN_OK);
    const struct tn_worker_options options = make_options(f);
    assert_int_equal(tn_worker_create(f->loop, &options, &f->worker, NULL), TN_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    tn_worker_destroy(&f->worker);
    tn_worker_destroy(&f->worker);
    tn_loop_destroy(&f->loop);
    free(f);
    return 0;
}

static void post_what_fits(struct fixture *f)
{
    struct request request = {.number = f->n_posted};
    while (f->n_posted < REQUESTS && tn_worker_post(f->worker, &request) == TN_OK)
        request.number = ++f->n_posted;
}

static void every_request_is_answered_in_order(void **state)
{
    struct fixture *f = *state;
    const int64_t end = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (f->n_replies < REQUESTS && tn_clock_steady_now_ns() < end) {
        post_what_fits(f);
        (void)tn_loop_run_once(f->loop, TN_NS_PER_S);
    }
    assert_int_equal(f->n_replies, REQUESTS);
}

static void a_full_mailbox_refuses_until_replies_are_taken(void **state)
{
    struct fixture *f = *state;
    post_what_fits(f);
    assert_int_equal(f->n_posted, 8);
    const struct request request = {.number = 8};
    assert_int_equal(tn_worker_post(f->worker, &request), TN_ERR_BUSY);
    while (f->n_replies < 8)
        assert_int_not_equal(tn_loop_run_once(f->loop, DEADLINE_NS), TN_ERR_AGAIN);
    assert_int_equal(tn_worker_post(f->worker, &request), TN_OK);
}

static void it_may_be_destroyed_with_work_waiting(void **state)
{
    struct fixture *f = *state;
    post_what_fits(f);
    tn_worker_destroy(&f->worker);
    assert_null(f->worker);
    (void)tn_loop_run_once(f->loop, 0);
    assert_int_equal(f->n_replies, 0);
}

static void it_may_be_destroyed_in_its_own_reply(void **state)
{
    struct fixture *f = *state;
    f->destroys_itself = true;
    post_what_fits(f);
    while (f->worker != NULL)
        assert_int_not_equal(tn_loop_run_once(f->loop, DEADLINE_NS), TN_ERR_AGAIN);
    assert_int_equal(f->n_replies, 1);
}

static void wrong_options_are_refused(void **state)
{
    struct fixture *f = *state;
    struct tn_worker *worker = NULL;
    struct tn_worker_options options = make_options(f);
    options.depth = 0;
    assert_int_equal(tn_worker_create(f->loop, &options, &worker, NULL), TN_ERR_INVALID_ARGUMENT);
    options = make_options(f);
    options.work = NULL;
    assert_int_equal(tn_worker_create(f->loop, &options, &worker, NULL), TN_ERR_INVALID_ARGUMENT);
    options = make_options(f);
    options.reply_size = 0;
    assert_int_equal(tn_worker_create(f->loop, &options, &worker, NULL), TN_ERR_INVALID_ARGUMENT);
    assert_null(worker);
}

// ---- signals of an async from another thread ----

struct signaller {
    struct tn_loop_async async;
    atomic_uint n_sent;
    uint32_t n_seen;
    atomic_bool may_send;
};

static void *signal_one_by_one(void *argument)
{
    struct signaller *s = argument;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        // each signal waits for its call, so that a lost wake-up stops everything
        while (!atomic_load(&s->may_send)) {
        }
        atomic_store(&s->may_send, false);
        atomic_fetch_add(&s->n_sent, 1);
        tn_loop_async_signal(&s->async);
    }
    return NULL;
}

static void on_signal(void *context)
{
    struct signaller *s = context;
    s->n_seen++;
    atomic_store(&s->may_send, true);
}

static void no_wake_up_is_lost(void **state)
{
    struct fixture *f = *state;
    struct signaller s = {.n_seen = 0};
    atomic_init(&s.may_send, true);
    tn_loop_async_start(f->loop, &s.async, on_signal, &s);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, signal_one_by_one, &s), 0);
    while (s.n_seen < REQUESTS)
        assert_int_equal(tn_loop_run_once(f->loop, DEADLINE_NS), TN_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(atomic_load(&s.n_sent), REQUESTS);
    tn_loop_async_stop(&s.async);
}

static void *quit_from_outside(void *argument)
{
    tn_loop_quit(argument);
    return NULL;
}

static void another_thread_may_quit_the_loop(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, quit_from_outside, f->loop), 0);
        assert_int_equal(tn_loop_run(f->loop), TN_OK);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_request_is_answered_in_order),
        TEST(a_full_mailbox_refuses_until_replies_are_taken),
        TEST(it_may_be_destroyed_with_work_waiting),
        TEST(it_may_be_destroyed_in_its_own_reply),
        TEST(wrong_options_are_refused),
        TEST(no_wake_up_is_lost),
        TEST(another_thread_may_quit_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
