// SPDX-License-Identifier: Apache-2.0
/// @file
/// The event loop: sockets, timers, signals and DDS data of a process on one thread, in one epoll
/// set.
///
/// Handle memory belongs to the caller; a handle may be freed only after its `_stop` returned.
/// Callbacks run on the loop's thread, never recursively. Registered handles are dispatched without
/// allocation.
///
/// Steady time is read once per pass (`tn_loop_now_steady_ns`). A pass that starts more than
/// TN_LOOP_LATE_NS after the moment its earliest due timer or queued event should have run is
/// *late* (the process was stopped or starved): `tn_loop_is_late()` is then true during the whole
/// pass, and consumers treat everything queued as stale. Detection: a heartbeat timer of
/// TN_LOOP_HEARTBEAT_NS that the loop owns.
#ifndef TN_BASE_LOOP_H
#define TN_BASE_LOOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/result.h"

#define TN_LOOP_LATE_NS      (100 * TN_NS_PER_MS)
#define TN_LOOP_HEARTBEAT_NS (20 * TN_NS_PER_MS)

struct tn_loop;

struct tn_loop_stats {
    uint64_t passes;
    uint64_t late_passes;
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
/// @return TN_OK; TN_ERR_AGAIN: nothing was ready; TN_ERR_IO.
/// Thread: the owner. Allocates: never. Blocks: up to the timeout.
enum tn_result tn_loop_run_once(struct tn_loop *loop, int64_t timeout_ns);

/// Makes tn_loop_run() return after the present pass. @return nothing.
/// Thread: any. Allocates: never. Blocks: never. Async-signal-safe.
void tn_loop_quit(struct tn_loop *loop);

/// @return steady time at the start of the present pass. Thread: the owner. Allocates: never.
/// Blocks: never.
int64_t tn_loop_now_steady_ns(const struct tn_loop *loop);

/// @return the clock the loop was created with. Thread: any. Allocates: never. Blocks: never.
struct tn_clock tn_loop_clock(const struct tn_loop *loop);

/// @return true during a pass that began late (see above). Thread: the owner. Allocates: never.
/// Blocks: never.
bool tn_loop_is_late(const struct tn_loop *loop);

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
/// @return TN_OK; TN_ERR_EXISTS: this descriptor is watched already; TN_ERR_IO.
/// Thread: the owner. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_loop_fd_start(struct tn_loop *loop, struct tn_loop_fd *handle,
                                             int fd, uint32_t events, tn_loop_fd_fn callback,
                                             void *context);

/// Stops watching; does not close the descriptor; harmless when not started. May be called inside a
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
/// a burst.
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
    struct tn_loop_async *next, *prev;
    tn_loop_async_fn callback;
    void *context;
    atomic_bool is_ready;
};

/// Registers the handle. It must stay where it is until stopped. @return nothing.
/// Thread: the owner. Allocates: never. Blocks: never.
void tn_loop_async_start(struct tn_loop *loop, struct tn_loop_async *async,
                         tn_loop_async_fn callback, void *context);

/// Unregisters it. The caller makes sure that no thread signals it any more. @return nothing.
/// Thread: the owner. Allocates: never. Blocks: never.
void tn_loop_async_stop(struct tn_loop_async *async);

/// Sets the flag; only if the loop sleeps one eventfd is written. Many signals before a pass are
/// one call.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_loop_async_signal(struct tn_loop_async *async);

/// Work that runs at the start of the next pass (same-process delivery): signal an async from its
/// own thread.

/// Makes SIGINT and SIGTERM quit the loop through a signalfd (blocks them for the process); SIGPIPE
/// is ignored. Call before any thread is started. @return TN_OK; TN_ERR_IO. Thread: main.
/// Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_loop_handle_signals(struct tn_loop *loop);

#endif
