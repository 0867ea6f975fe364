// SPDX-License-Identifier: Apache-2.0
/// @file
/// The event loop: sockets, timers, signals and DDS data of a process on one thread, in one epoll
/// set.
///
/// Handle memory belongs to the caller; a handle may be freed only after its `_stop` returned.
/// Callbacks run on the loop's thread, never recursively. Registered handles are dispatched without
/// allocation.
///
/// Order of a pass: timers (watchdogs come before the data they watch), descriptors, asyncs (in the
/// order of their signals). What becomes ready during a pass is dispatched in the next one. A pass
/// that leaves signalled asyncs behind is followed at once, without a look at the descriptors;
/// eight such passes in a row at most, then descriptors have their turn.
///
/// Steady time is read once per pass (`tn_loop_now_steady_ns`).
///
/// **Late.** The loop wakes at least every TN_LOOP_HEARTBEAT_NS. A pass that starts more than
/// TN_LOOP_LATE_NS after this heartbeat or its earliest timer was due is *late*: the process was
/// stopped or starved, and what is queued only looks fresh. tn_loop_is_late() is then true, and
/// stays true over the following passes until the loop has caught up, that is until
///   1. a poll that does not wait finds no descriptor and no async ready: everything queued during
///      the stall has been handed out marked late, however many passes that took; and
///   2. TN_LOOP_CATCH_UP_NS have passed: threads that were stopped together with the loop (DDS
///      receive threads, workers) have handed over what they found, marked late as well.
/// A stall in the middle of a pass (SIGSTOP between two callbacks) counts too: tn_loop_is_late()
/// reads the clock. Therefore **ask after taking the data**, not before: data taken before a
/// question that was answered "no" had waited no longer than TN_LOOP_LATE_NS +
/// TN_LOOP_HEARTBEAT_NS. The first pass is judged from tn_loop_create(). A loop that never catches
/// up stays late: what it hands out then is old.
#ifndef TN_BASE_LOOP_H
#define TN_BASE_LOOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/result.h"

#define TN_LOOP_LATE_NS      (100 * TN_NS_PER_MS)
#define TN_LOOP_HEARTBEAT_NS (20 * TN_NS_PER_MS)
#define TN_LOOP_CATCH_UP_NS  (50 * TN_NS_PER_MS)

struct tn_loop;

struct tn_loop_stats {
    uint64_t passes;
    uint64_t late_passes;   ///< stalls noticed (the catching up behind one is not counted again)
    int64_t longest_gap_ns; ///< longest time by which the heartbeat was overdue
};

/// Creates a loop on the given clock (tn_clock_system() in programs).
/// @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_IO: epoll or eventfd refused (errno in err).
/// Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_loop_create(struct tn_clock clock, struct tn_loop **out_loop,
                                           struct tn_error *err);

/// Destroys a loop; every handle must have been stopped. Accepts NULL, nulls the pointer. @return
/// nothing. Thread: the one that ran it. Allocates: never. Blocks: never.
void tn_loop_destroy(struct tn_loop **loop);

/// Runs until tn_loop_quit(). @return TN_OK after quit; TN_ERR_IO: epoll failed.
/// Thread: the owner. Allocates: never. Blocks: yes, that is its job.
enum tn_result tn_loop_run(struct tn_loop *loop);

/// One pass: waits at most `timeout_ns` (0: do not wait; <0: until something happens) and
/// dispatches what is ready.
/// The timeout is real time even on a simulated clock; with one, use 0 and move the clock between.
/// @return TN_OK; TN_ERR_AGAIN: nothing was ready; TN_ERR_STATE: called from a callback; TN_ERR_IO.
/// Thread: the owner. Allocates: never. Blocks: up to the timeout.
enum tn_result tn_loop_run_once(struct tn_loop *loop, int64_t timeout_ns);

/// Makes tn_loop_run() return after the present pass; called before tn_loop_run() it makes that
/// return at once. @return nothing.
/// Thread: any. Allocates: never. Blocks: never. Async-signal-safe.
void tn_loop_quit(struct tn_loop *loop);

/// @return true from tn_loop_quit() until tn_loop_run() returns; for programs that call
/// tn_loop_run_once() themselves. Thread: any. Allocates: never. Blocks: never.
bool tn_loop_is_quitting(const struct tn_loop *loop);

/// @return steady time at the start of the present pass. Thread: the owner. Allocates: never.
/// Blocks: never.
int64_t tn_loop_now_steady_ns(const struct tn_loop *loop);

/// @return the clock the loop was created with. Thread: any. Allocates: never. Blocks: never.
struct tn_clock tn_loop_clock(const struct tn_loop *loop);

/// @return true while the loop is late or catching up, or the present pass has lasted longer than
/// TN_LOOP_LATE_NS (see above); ask after taking the data. Thread: the owner. Allocates: never.
/// Blocks: never. Cost: one clock read.
bool tn_loop_is_late(const struct tn_loop *loop);

/// For callbacks that read in batches: what they handed on may be more urgent than what they would
/// read next.
/// @return true when an async waits for its turn in this pass or in the next one.
/// Thread: the owner. Allocates: never. Blocks: never.
bool tn_loop_has_work(const struct tn_loop *loop);

/// Copies the counters. @return nothing. Thread: the owner. Allocates: never. Blocks: never.
void tn_loop_get_stats(const struct tn_loop *loop, struct tn_loop_stats *out_stats);

// ---- file descriptors ----

/// `events`: EPOLLIN, EPOLLOUT, EPOLLHUP, EPOLLERR bits that are ready.
typedef void (*tn_loop_fd_fn)(void *context, int fd, uint32_t events);

struct tn_loop_fd {
    struct tn_loop *loop;
    tn_loop_fd_fn callback;
    void *context;
    int fd;
    uint32_t events;
};

/// Watches a descriptor (level-triggered). The handle must stay where it is until stopped.
/// @return TN_OK; TN_ERR_EXISTS: this descriptor is watched already; TN_ERR_IO: not a descriptor,
/// or one that cannot be waited for (a regular file). The handle is then as if stopped.
/// Thread: the owner. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_loop_fd_start(struct tn_loop *loop, struct tn_loop_fd *handle,
                                             int fd, uint32_t events, tn_loop_fd_fn callback,
                                             void *context);

/// Changes the events of a started handle. @return TN_OK; TN_ERR_STATE: not started; TN_ERR_IO.
/// Thread: the owner. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_loop_fd_set_events(struct tn_loop_fd *handle, uint32_t events);

/// Stops watching; does not close the descriptor (close it afterwards); harmless on a stopped or
/// zeroed handle. May be called inside a
/// callback, also of another handle that is ready in the same pass: it is then not called. @return
/// nothing. Thread: the owner. Allocates: never. Blocks: never.
void tn_loop_fd_stop(struct tn_loop_fd *handle);

// ---- timers on the steady clock ----

typedef void (*tn_loop_timer_fn)(void *context);

struct tn_loop_timer {
    struct tn_loop *loop;
    struct tn_loop_timer *next, *prev; ///< intrusive list, sorted by due time
    tn_loop_timer_fn callback;
    void *context;
    int64_t due_steady_ns;
    int64_t period_ns; ///< 0: one shot
    bool is_running;
};

/// Starts (or restarts) a timer that fires first after `delay_ns` (>= 0) and then every `period_ns`
/// (0: once). A periodic timer keeps its phase; ticks missed by a stall are skipped, never fired in
/// a burst. Zero-initialise the handle before its first start. Negative times count as 0. The
/// delay runs from the moment of the call; a delay of 0 fires in the next pass.
/// @return nothing. Thread: the owner. Allocates: never. Blocks: never.
void tn_loop_timer_start(struct tn_loop *loop, struct tn_loop_timer *timer, int64_t delay_ns,
                         int64_t period_ns, tn_loop_timer_fn callback, void *context);

/// Stops a timer; harmless when not running. @return nothing.
/// Thread: the owner. Allocates: never. Blocks: never.
void tn_loop_timer_stop(struct tn_loop_timer *timer);

// ---- wake-ups from other threads (DDS listeners, workers) ----

typedef void (*tn_loop_async_fn)(void *context);

/// Handle by which another thread marks something as ready.
struct tn_loop_async {
    struct tn_loop *loop;
    struct tn_loop_async *next_ready; ///< behind it on the stack of signalled ones
    struct tn_loop_async *next_due;   ///< behind it in the present pass
    tn_loop_async_fn callback;
    void *context;
    atomic_bool is_ready; ///< signalled, not seen yet
    bool is_due;          ///< was ready when the present pass began
};

/// Registers a handle that is not registered. It must stay where it is until stopped. @return
/// nothing.
/// Thread: the owner. Allocates: never. Blocks: never.
void tn_loop_async_start(struct tn_loop *loop, struct tn_loop_async *async,
                         tn_loop_async_fn callback, void *context);

/// Unregisters it; harmless on a stopped or zeroed handle; also inside a callback, and then a
/// pending signal is forgotten. The caller makes sure that no thread signals it any more: every
/// tn_loop_async_signal() has returned. @return nothing.
/// Thread: the owner. Allocates: never. Blocks: never.
void tn_loop_async_stop(struct tn_loop_async *async);

/// Sets the flag; only if the loop sleeps one eventfd is written. Many signals before a pass are
/// one call. Work for the next pass (same-process delivery): the loop's own thread signals an
/// async.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_loop_async_signal(struct tn_loop_async *async);

/// Makes SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP quit the loop through a signalfd
/// (blocks them for the process); SIGPIPE is ignored. Call before any thread is started. @return
/// TN_OK; TN_ERR_IO. Thread: main. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_loop_handle_signals(struct tn_loop *loop);

#endif
