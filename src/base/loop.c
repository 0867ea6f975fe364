// SPDX-License-Identifier: Apache-2.0
#include "base/loop.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

// descriptors taken from the kernel per pass; more than that wait for the next one
enum { EVENTS_PER_PASS = 64 };
// passes for what callbacks queued for each other, before descriptors get their turn again
enum { SHORT_PASSES_MAX = 8 };

struct tn_loop {
    struct tn_clock clock;
    int epoll_fd, wake_fd, signal_fd;
    bool has_pwait2, is_in_pass;
    struct tn_loop_fd wake_handle, signal_handle;

    // heads of circular lists
    struct tn_loop_timer timers;  // sorted by due time
    struct tn_loop_timer expired; // due in the present pass
    // only signalled handles are touched: the others would be cold memory on the way of each
    // message
    _Atomic(struct tn_loop_async *) ready; // stack, newest first; any thread pushes
    struct tn_loop_async *due;             // of the present pass, not called yet; oldest first

    struct epoll_event events[EVENTS_PER_PASS];
    int n_events, next_event;
    int n_short_passes; // in a row
    bool is_continued;  // the last pass left work behind

    int64_t pass_steady_ns, late_until_steady_ns;
    bool is_late;
    struct tn_loop_stats stats;

    atomic_bool is_sleeping, is_quitting;
};

static int64_t clock_now(const struct tn_loop *loop)
{
    return loop->clock.steady_ns(loop->clock.context);
}

// ---- creation ----

static void drain_wake(void *context, int fd, uint32_t events)
{
    (void)context;
    (void)events;
    uint64_t count = 0;
    // EAGAIN means drained already; nothing else can fail here
    while (read(fd, &count, sizeof count) < 0 && errno == EINTR) {
    }
}

static enum tn_result open_descriptors(struct tn_loop *loop, struct tn_error *err)
{
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll_fd < 0)
        return tn_error_set(err, TN_ERR_IO, "epoll_create1: %s", strerror(errno));
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop->wake_fd < 0)
        return tn_error_set(err, TN_ERR_IO, "eventfd: %s", strerror(errno));
    if (tn_loop_fd_start(loop, &loop->wake_handle, loop->wake_fd, EPOLLIN, drain_wake, loop) !=
        TN_OK)
        return tn_error_set(err, TN_ERR_IO, "epoll_ctl: %s", strerror(errno));
    return TN_OK;
}

enum tn_result tn_loop_create(struct tn_clock clock, struct tn_loop **out_loop,
                              struct tn_error *err)
{
    struct tn_loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for an event loop");
    loop->clock = clock;
    loop->epoll_fd = loop->wake_fd = loop->signal_fd = -1;
    loop->has_pwait2 = true;
    loop->timers.next = loop->timers.prev = &loop->timers;
    loop->expired.next = loop->expired.prev = &loop->expired;
    loop->pass_steady_ns = clock_now(loop);
    const enum tn_result result = open_descriptors(loop, err);
    if (result != TN_OK) {
        tn_loop_destroy(&loop);
        return result;
    }
    *out_loop = loop;
    return TN_OK;
}

void tn_loop_destroy(struct tn_loop **loop)
{
    struct tn_loop *self = *loop;
    if (self == NULL)
        return;
    const int descriptors[] = {self->signal_fd, self->wake_fd, self->epoll_fd};
    for (size_t i = 0; i < TN_ARRAY_SIZE(descriptors); i++)
        if (descriptors[i] >= 0)
            (void)close(descriptors[i]);
    free(self);
    *loop = NULL;
}

// ---- descriptors ----

static int control(struct tn_loop_fd *handle, int operation)
{
    struct epoll_event event = {.events = handle->events, .data.ptr = handle};
    return epoll_ctl(handle->loop->epoll_fd, operation, handle->fd, &event);
}

enum tn_result tn_loop_fd_start(struct tn_loop *loop, struct tn_loop_fd *handle, int fd,
                                uint32_t events, tn_loop_fd_fn callback, void *context)
{
    *handle = (struct tn_loop_fd){
        .loop = loop, .callback = callback, .context = context, .fd = fd, .events = events};
    if (control(handle, EPOLL_CTL_ADD) == 0)
        return TN_OK;
    handle->loop = NULL;
    return errno == EEXIST ? TN_ERR_EXISTS : TN_ERR_IO;
}

enum tn_result tn_loop_fd_set_events(struct tn_loop_fd *handle, uint32_t events)
{
    if (handle->loop == NULL)
        return TN_ERR_STATE;
    const uint32_t before = handle->events;
    handle->events = events;
    if (control(handle, EPOLL_CTL_MOD) == 0)
        return TN_OK;
    handle->events = before;
    return TN_ERR_IO;
}

void tn_loop_fd_stop(struct tn_loop_fd *handle)
{
    struct tn_loop *loop = handle->loop;
    if (loop == NULL)
        return;
    // a descriptor that was closed too early has left the set by itself
    (void)control(handle, EPOLL_CTL_DEL);
    for (int i = loop->next_event; i < loop->n_events; i++)
        if (loop->events[i].data.ptr == handle)
            loop->events[i].data.ptr = NULL;
    handle->loop = NULL;
}

static unsigned dispatch_descriptors(struct tn_loop *loop)
{
    unsigned n_called = 0;
    loop->next_event = 0;
    while (loop->next_event < loop->n_events) {
        const struct epoll_event *event = &loop->events[loop->next_event++];
        struct tn_loop_fd *handle = event->data.ptr;
        if (handle == NULL)
            continue;
        n_called += handle != &loop->wake_handle;
        handle->callback(handle->context, handle->fd, event->events);
    }
    loop->n_events = loop->next_event = 0;
    return n_called;
}

// ---- timers ----

static void unlink_timer(struct tn_loop_timer *timer)
{
    timer->prev->next = timer->next;
    timer->next->prev = timer->prev;
    timer->next = timer->prev = NULL;
}

static void link_timer_before(struct tn_loop_timer *position, struct tn_loop_timer *timer)
{
    timer->next = position;
    timer->prev = position->prev;
    position->prev->next = timer;
    position->prev = timer;
}

// behind all that are due earlier or at the same time; most timers are due soon, so from the front
static void insert_timer(struct tn_loop *loop, struct tn_loop_timer *timer)
{
    struct tn_loop_timer *position = loop->timers.next;
    while (position != &loop->timers && position->due_steady_ns <= timer->due_steady_ns)
        position = position->next;
    link_timer_before(position, timer);
}

void tn_loop_timer_start(struct tn_loop *loop, struct tn_loop_timer *timer, int64_t delay_ns,
                         int64_t period_ns, tn_loop_timer_fn callback, void *context)
{
    tn_loop_timer_stop(timer);
    *timer = (struct tn_loop_timer){.loop = loop,
                                    .callback = callback,
                                    .context = context,
                                    .due_steady_ns =
                                        tn_ns_add(clock_now(loop), delay_ns > 0 ? delay_ns : 0),
                                    .period_ns = period_ns > 0 ? period_ns : 0,
                                    .is_running = true};
    insert_timer(loop, timer);
}

void tn_loop_timer_stop(struct tn_loop_timer *timer)
{
    if (!timer->is_running)
        return;
    unlink_timer(timer);
    timer->is_running = false;
}

// the next tick of its phase after now
static int64_t next_due(const struct tn_loop_timer *timer, int64_t now)
{
    const int64_t behind = tn_ns_sub(now, timer->due_steady_ns);
    const int64_t into_period = behind % timer->period_ns;
    return tn_ns_add(now, timer->period_ns - into_period);
}

static void fire_timer(struct tn_loop *loop, struct tn_loop_timer *timer)
{
    unlink_timer(timer);
    if (timer->period_ns > 0) {
        timer->due_steady_ns = next_due(timer, loop->pass_steady_ns);
        insert_timer(loop, timer);
    } else {
        timer->is_running = false;
    }
    // last: the callback may stop, restart or free the timer
    timer->callback(timer->context);
}

static unsigned dispatch_timers(struct tn_loop *loop)
{
    // set aside first, so that one started with delay 0 in a callback waits for the next pass
    while (loop->timers.next != &loop->timers &&
           loop->timers.next->due_steady_ns <= loop->pass_steady_ns) {
        struct tn_loop_timer *timer = loop->timers.next;
        unlink_timer(timer);
        link_timer_before(&loop->expired, timer);
    }
    unsigned n_called = 0;
    while (loop->expired.next != &loop->expired) {
        fire_timer(loop, loop->expired.next);
        n_called++;
    }
    return n_called;
}

// ---- wake-ups from other threads ----

static void wake(struct tn_loop *loop)
{
    const uint64_t one = 1;
    // EAGAIN: the counter is full, so the loop wakes anyway
    while (write(loop->wake_fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

void tn_loop_async_start(struct tn_loop *loop, struct tn_loop_async *async,
                         tn_loop_async_fn callback, void *context)
{
    async->loop = loop;
    async->callback = callback;
    async->context = context;
    async->next_ready = async->next_due = NULL;
    async->is_due = false;
    atomic_init(&async->is_ready, false);
}

static void push_ready(struct tn_loop *loop, struct tn_loop_async *async)
{
    struct tn_loop_async *newest = atomic_load(&loop->ready);
    do
        async->next_ready = newest;
    while (!atomic_compare_exchange_weak(&loop->ready, &newest, async));
}

// takes all that were signalled, oldest first, linked by next_due.
static struct tn_loop_async *take_ready(struct tn_loop *loop)
{
    struct tn_loop_async *oldest = NULL;
    struct tn_loop_async *async = atomic_exchange(&loop->ready, NULL);
    while (async != NULL) {
        struct tn_loop_async *next = async->next_ready;
        async->next_due = oldest;
        oldest = async;
        async = next;
    }
    return oldest;
}

// nobody signals this one any more; others may be signalled meanwhile, and may be due as well, so
// that next_due is not free
static void forget_ready(struct tn_loop *loop, struct tn_loop_async *forgotten)
{
    struct tn_loop_async *oldest = NULL;
    struct tn_loop_async *async = atomic_exchange(&loop->ready, NULL);
    while (async != NULL) {
        struct tn_loop_async *next = async->next_ready;
        async->next_ready = oldest;
        oldest = async;
        async = next;
    }
    while (oldest != NULL) {
        struct tn_loop_async *next = oldest->next_ready;
        if (oldest != forgotten)
            push_ready(loop, oldest);
        oldest = next;
    }
    atomic_store(&forgotten->is_ready, false);
}

static void forget_due(struct tn_loop *loop, struct tn_loop_async *forgotten)
{
    struct tn_loop_async **link = &loop->due;
    while (*link != forgotten)
        link = &(*link)->next_due;
    *link = forgotten->next_due;
    forgotten->is_due = false;
}

void tn_loop_async_stop(struct tn_loop_async *async)
{
    struct tn_loop *loop = async->loop;
    if (loop == NULL)
        return;
    if (async->is_due)
        forget_due(loop, async);
    if (atomic_load(&async->is_ready))
        forget_ready(loop, async);
    async->loop = NULL;
}

// No wake-up is lost: this side pushes and then reads is_sleeping, the loop writes is_sleeping and
// then looks at the stack, all sequentially consistent, so at least one sees the other.
void tn_loop_async_signal(struct tn_loop_async *async)
{
    struct tn_loop *loop = async->loop;
    if (atomic_exchange(&async->is_ready, true))
        return;
    push_ready(loop, async);
    if (atomic_load(&loop->is_sleeping) && atomic_exchange(&loop->is_sleeping, false))
        wake(loop);
}

static bool has_ready_async(const struct tn_loop *loop)
{
    return atomic_load(&loop->ready) != NULL;
}

bool tn_loop_has_work(const struct tn_loop *loop)
{
    return loop->due != NULL || has_ready_async(loop);
}

static unsigned dispatch_asyncs(struct tn_loop *loop)
{
    unsigned n_called = 0;
    while (loop->due != NULL) {
        struct tn_loop_async *async = loop->due;
        loop->due = async->next_due;
        async->is_due = false;
        async->callback(async->context);
        n_called++;
    }
    return n_called;
}

// fixes what belongs to this pass before any callback runs
static void collect_asyncs(struct tn_loop *loop)
{
    loop->due = take_ready(loop);
    for (struct tn_loop_async *async = loop->due; async != NULL; async = async->next_due) {
        async->is_due = true;
        // from here on it may be signalled for the next pass
        atomic_store(&async->is_ready, false);
    }
}

// ---- the pass ----

static int poll_kernel(struct tn_loop *loop, int64_t timeout_ns)
{
    if (timeout_ns > 0 && loop->has_pwait2) {
        const struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / TN_NS_PER_S),
                                         .tv_nsec = (long)(timeout_ns % TN_NS_PER_S)};
        const int n = epoll_pwait2(loop->epoll_fd, loop->events, EVENTS_PER_PASS, &timeout, NULL);
        // old kernels and strict sandboxes refuse the call: milliseconds then
        if (n >= 0 || (errno != ENOSYS && errno != EPERM))
            return n;
        loop->has_pwait2 = false;
    }
    const int64_t timeout_ms = (timeout_ns + TN_NS_PER_MS - 1) / TN_NS_PER_MS;
    return epoll_wait(loop->epoll_fd, loop->events, EVENTS_PER_PASS, (int)timeout_ms);
}

// takes what the kernel has ready; false when epoll itself failed
static bool collect_events(struct tn_loop *loop, int64_t timeout_ns)
{
    const int n = poll_kernel(loop, timeout_ns);
    loop->next_event = 0;
    loop->n_events = n > 0 ? n : 0;
    return n >= 0 || errno == EINTR;
}

static bool sleep_for_events(struct tn_loop *loop, int64_t timeout_ns)
{
    if (timeout_ns <= 0)
        return collect_events(loop, 0);
    atomic_store(&loop->is_sleeping, true);
    const bool must_not_sleep = has_ready_async(loop) || atomic_load(&loop->is_quitting);
    const bool ok = collect_events(loop, must_not_sleep ? 0 : timeout_ns);
    atomic_store(&loop->is_sleeping, false);
    return ok;
}

// Everything queued during the stall has been handed out when a look without waiting finds
// nothing; what it finds is kept for this pass.
static bool try_to_catch_up(struct tn_loop *loop)
{
    if (!collect_events(loop, 0))
        return false;
    if (loop->n_events == 0 && !has_ready_async(loop) &&
        clock_now(loop) >= loop->late_until_steady_ns)
        loop->is_late = false;
    return true;
}

static int64_t heartbeat_due(const struct tn_loop *loop)
{
    return tn_ns_add(loop->pass_steady_ns, TN_LOOP_HEARTBEAT_NS);
}

// how long this pass may sleep: to the next timer, the heartbeat or the caller's limit
static int64_t sleep_limit(const struct tn_loop *loop, int64_t remaining_ns)
{
    int64_t due = heartbeat_due(loop);
    if (loop->timers.next != &loop->timers && loop->timers.next->due_steady_ns < due)
        due = loop->timers.next->due_steady_ns;
    int64_t limit = tn_ns_sub(due, clock_now(loop));
    if (remaining_ns >= 0 && remaining_ns < limit)
        limit = remaining_ns;
    return limit > 0 ? limit : 0;
}

static void judge_lateness(struct tn_loop *loop)
{
    const int64_t now = clock_now(loop);
    int64_t due = heartbeat_due(loop);
    const int64_t gap = tn_ns_sub(now, due);
    if (gap > loop->stats.longest_gap_ns)
        loop->stats.longest_gap_ns = gap;
    if (loop->timers.next != &loop->timers && loop->timers.next->due_steady_ns < due)
        due = loop->timers.next->due_steady_ns;
    if (tn_ns_sub(now, due) > TN_LOOP_LATE_NS) {
        loop->stats.late_passes++;
        loop->is_late = true;
        loop->late_until_steady_ns = tn_ns_add(now, TN_LOOP_CATCH_UP_NS);
    }
    loop->pass_steady_ns = now;
}

static unsigned dispatch(struct tn_loop *loop)
{
    collect_asyncs(loop);
    judge_lateness(loop);
    loop->stats.passes++;
    unsigned n_called = dispatch_timers(loop);
    n_called += dispatch_descriptors(loop);
    n_called += dispatch_asyncs(loop);
    loop->is_continued = has_ready_async(loop);
    return n_called;
}

// What one callback queued for the next need not go through the kernel: the chain of nodes in one
// process runs on at once. Bounded, for descriptors; a late loop has to know what waits there.
static bool is_short_pass(struct tn_loop *loop)
{
    const bool is_short = loop->is_continued && has_ready_async(loop) && !loop->is_late &&
                          loop->n_short_passes < SHORT_PASSES_MAX &&
                          !atomic_load(&loop->is_quitting);
    loop->n_short_passes = is_short ? loop->n_short_passes + 1 : 0;
    return is_short;
}

// what this pass dispatches beside timers and asyncs; false when epoll itself failed
static bool collect(struct tn_loop *loop, int64_t limit_ns)
{
    loop->n_events = 0;
    if (is_short_pass(loop))
        return true;
    // while late, first look for what is queued, and sleep only when nothing is
    if (loop->is_late && !try_to_catch_up(loop))
        return false;
    return loop->n_events > 0 || sleep_for_events(loop, limit_ns);
}

static enum tn_result run_passes(struct tn_loop *loop, int64_t timeout_ns)
{
    int64_t remaining_ns = timeout_ns;
    for (;;) {
        const int64_t limit_ns = sleep_limit(loop, remaining_ns);
        if (!collect(loop, limit_ns))
            return TN_ERR_IO;
        if (dispatch(loop) > 0 || atomic_load(&loop->is_quitting))
            return TN_OK;
        // a mere heartbeat: the wait goes on
        if (remaining_ns >= 0) {
            remaining_ns -= limit_ns;
            if (remaining_ns <= 0)
                return TN_ERR_AGAIN;
        }
    }
}

enum tn_result tn_loop_run_once(struct tn_loop *loop, int64_t timeout_ns)
{
    if (loop->is_in_pass)
        return TN_ERR_STATE;
    loop->is_in_pass = true;
    const enum tn_result result = run_passes(loop, timeout_ns);
    loop->is_in_pass = false;
    return result;
}

enum tn_result tn_loop_run(struct tn_loop *loop)
{
    while (!atomic_exchange(&loop->is_quitting, false)) {
        const enum tn_result result = tn_loop_run_once(loop, -1);
        if (result != TN_OK)
            return result;
    }
    return TN_OK;
}

void tn_loop_quit(struct tn_loop *loop)
{
    const int saved_errno = errno;
    atomic_store(&loop->is_quitting, true);
    wake(loop);
    errno = saved_errno;
}

bool tn_loop_is_quitting(const struct tn_loop *loop)
{
    return atomic_load(&loop->is_quitting);
}

int64_t tn_loop_now_steady_ns(const struct tn_loop *loop)
{
    return loop->pass_steady_ns;
}

struct tn_clock tn_loop_clock(const struct tn_loop *loop)
{
    return loop->clock;
}

bool tn_loop_is_late(const struct tn_loop *loop)
{
    return loop->is_late || tn_ns_sub(clock_now(loop), loop->pass_steady_ns) > TN_LOOP_LATE_NS;
}

void tn_loop_get_stats(const struct tn_loop *loop, struct tn_loop_stats *out_stats)
{
    *out_stats = loop->stats;
}

// ---- signals ----

static void on_signal(void *context, int fd, uint32_t events)
{
    (void)events;
    struct signalfd_siginfo info;
    while (read(fd, &info, sizeof info) == (ssize_t)sizeof info) {
    }
    tn_loop_quit(context);
}

enum tn_result tn_loop_handle_signals(struct tn_loop *loop)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    // a closed terminal ends a program like Ctrl-C, but not one that was started to outlive it
    struct sigaction hang_up;
    if (sigaction(SIGHUP, NULL, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGHUP);
    if (loop->signal_fd >= 0)
        return TN_OK;
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return TN_ERR_IO;
    (void)signal(SIGPIPE, SIG_IGN);
    loop->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (loop->signal_fd < 0)
        return TN_ERR_IO;
    return tn_loop_fd_start(loop, &loop->signal_handle, loop->signal_fd, EPOLLIN, on_signal, loop);
}
