// SPDX-License-Identifier: Apache-2.0
/// @file
/// What both sides of a benchmark measure with; knows neither tendon nor DDS.
#ifndef TN_BENCH_MEASURE_H
#define TN_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_NS_PER_S INT64_C(1000000000)
#define BENCH_N_NAMES  24u
#define BENCH_NAME_MAX 32u

/// Samples dropped at the start of each run: caches, pools and discovery settle.
#define BENCH_WARM_UP 300u
/// Time between the match of the endpoints and the first message.
#define BENCH_SETTLE_NS (BENCH_NS_PER_S * 3 / 10)

/// @return CLOCK_MONOTONIC, ns. Thread: any. Allocates: never. Blocks: never.
int64_t bench_now_ns(void);

/// Sleeps until that time of CLOCK_MONOTONIC. @return nothing. Thread: any. Allocates: never.
/// Blocks: yes.
void bench_sleep_until(int64_t at_ns);

/// @return the decimal number in `text`; ends the program with a message when it is none or out of
/// [low, high]. Thread: any. Allocates: never. Blocks: never.
int64_t bench_number(const char *text, int64_t low, int64_t high);

/// Durations of one run, in order of arrival.
struct bench_samples {
    int64_t *ns;
    uint32_t n, capacity;
    uint32_t n_skipped; ///< of the warm-up
};

/// Reserves room; ends the program when there is no memory. @return nothing. Thread: one caller at
/// a time. Allocates: yes. Blocks: never.
void bench_samples_init(struct bench_samples *samples, uint32_t capacity);

/// Adds one duration once the warm-up is over. @return true when the samples are complete. Thread:
/// one caller at a time. Allocates: never. Blocks: never.
bool bench_samples_add(struct bench_samples *samples, int64_t duration_ns);

/// Prints "p50 p99 n" (ns, ns, count) as one line. @return 0, or 1 when there are too few samples.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
int bench_samples_print(struct bench_samples *samples);

/// Prints resident memory of this process, KiB. @return 0, or 1 when it is not known. Thread: any.
/// Allocates: yes. Blocks: procfs.
int bench_rss_print(void);

/// Prints the ns since bench_start recorded BENCH_T0_NS. @return 0, or 1 without it. Thread: any.
/// Allocates: yes. Blocks: never.
int bench_start_print(int64_t now_ns);

/// Fills the joint names of the benchmark message. @return nothing. Thread: any. Allocates: never.
/// Blocks: never.
void bench_names(char names[BENCH_N_NAMES][BENCH_NAME_MAX]);

/// Ends the program with a message unless `is_fine`. @return nothing. Thread: any. Allocates:
/// never. Blocks: never.
void bench_require(bool is_fine, const char *what);

#endif
