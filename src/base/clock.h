// SPDX-License-Identifier: Apache-2.0
/// @file
/// Clocks as values that are passed in. Times are int64 nanoseconds; their suffix names the clock:
/// `_steady_ns` CLOCK_MONOTONIC, never jumps; `_wall_ns` CLOCK_REALTIME; `_ros_ns` ROS time (wall
/// or simulated).
///
/// Modules take `now_ns` arguments. Only the loop, workers, `nodes/`, `cli/` and `devices/` call
/// the two readers below.
#ifndef TN_BASE_CLOCK_H
#define TN_BASE_CLOCK_H

#include <stdint.h>

#define TN_NS_PER_S  INT64_C(1000000000)
#define TN_NS_PER_MS INT64_C(1000000)
#define TN_NS_PER_US INT64_C(1000)

/// Reads a clock: ns. `context` is the pointer stored beside the function.
typedef int64_t (*tn_clock_fn)(void *context);

/// The two clocks a program runs on; tests put simulated ones here.
struct tn_clock {
    tn_clock_fn steady_ns; ///< monotonic
    tn_clock_fn wall_ns;   ///< real time, may step
    void *context;         ///< given to both
};

/// @return ns of CLOCK_MONOTONIC. Thread: any. Allocates: never. Blocks: never.
int64_t tn_clock_steady_now_ns(void);

/// @return ns since the Unix epoch of CLOCK_REALTIME. Thread: any. Allocates: never. Blocks: never.
int64_t tn_clock_wall_now_ns(void);

/// @return the clock of the operating system. Thread: any. Allocates: never. Blocks: never.
struct tn_clock tn_clock_system(void);

/// A clock that stands still until told otherwise, for tests.
struct tn_sim_clock {
    int64_t steady_ns;
    int64_t wall_ns;
};

/// @return a clock that reads `sim`, which must outlive it. Thread: any. Allocates: never. Blocks:
/// never.
struct tn_clock tn_sim_clock_as_clock(struct tn_sim_clock *sim);

/// Moves both times of a simulated clock forward. @return nothing.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_sim_clock_advance(struct tn_sim_clock *sim, int64_t delta_ns);

/// Seconds to ns, rounded to nearest, saturated at the ends of int64; NaN gives 0.
/// @return ns. Thread: any. Allocates: never. Blocks: never.
int64_t tn_seconds_to_ns(double seconds_s);

/// `a` + `b`, saturated at the ends of int64: far-away and hostile times stay far away.
/// @return ns. Thread: any. Allocates: never. Blocks: never.
int64_t tn_ns_add(int64_t a_ns, int64_t b_ns);

/// `a` - `b`, saturated at the ends of int64.
/// @return ns. Thread: any. Allocates: never. Blocks: never.
int64_t tn_ns_sub(int64_t a_ns, int64_t b_ns);

/// @return `ns` as seconds. Thread: any. Allocates: never. Blocks: never.
double tn_ns_to_seconds(int64_t ns);

#endif
