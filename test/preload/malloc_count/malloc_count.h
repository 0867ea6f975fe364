// SPDX-License-Identifier: Apache-2.0
/// @file
/// libtn_malloc_count.so: put into LD_PRELOAD, counts the heap calls of every library of a process
/// between two marks, so that a test can demand zero after activation.
///
/// From inside: look the two functions up with dlsym(). From outside: with TN_MALLOC_REPORT=<file>
/// in the environment, SIGUSR1 starts counting and appends "start <pid> <program>", SIGUSR2 stops
/// and appends one line
///
///     stop <pid> <program> allocations=<n> frees=<n> main=<n>
///
/// (main: allocations of the main thread, which runs the loop of a node) followed by one line for
/// each of the first 16 allocations, which begins with a blank:
///
///     " <thread name> <call> <bytes>: <symbol>+0x<offset> <symbol>+0x<offset> …"
///
/// innermost caller first; threads of the DDS library are told by their names. A whole report is
/// one write(2) in append mode, so several processes may share a file. Not for sanitizer builds:
/// those bring an allocator of their own.
#ifndef TN_TEST_MALLOC_COUNT_H
#define TN_TEST_MALLOC_COUNT_H

#include <stdint.h>

/// Starts (1, counters are set to 0) or stops (0) counting. @return nothing.
/// Thread: any. Allocates: never. Blocks: never.
void tn_malloc_mark(int on);

/// @return malloc, calloc, realloc, memalign, posix_memalign and aligned_alloc calls since the last
/// start, of all threads. Thread: any. Allocates: never. Blocks: never.
uint64_t tn_malloc_count(void);

/// @return free calls with a block since the last start. Thread: any. Allocates: never. Blocks:
/// never.
uint64_t tn_malloc_frees(void);

#endif
