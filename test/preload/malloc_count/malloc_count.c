// SPDX-License-Identifier: Apache-2.0
// dladdr and the names of glibc's own allocator are outside POSIX
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // NOLINT
#endif
#include "malloc_count.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/compat.h"

// glibc's allocator under its own names: no look-up, so nothing to bootstrap
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *block);

void *memalign(size_t align, size_t size);

// what is kept of an allocation; the two innermost frames are this file
enum { OFFENDERS = 16, FRAMES = 12, OWN_FRAMES = 2, REPORT_BYTES = 32768 };

struct offender {
    char thread[16];
    const char *call;
    size_t size;
    int n_frames;
    void *frames[FRAMES];
};

static struct {
    _Atomic bool is_counting;
    _Atomic uint64_t allocations, frees, main_allocations;
    struct offender offenders[OFFENDERS];
    char report_path[1024];
} counter;

// backtrace() may allocate
static _Thread_local bool is_inside;
// of the thread that ran main, which is the loop's in every node
static _Thread_local bool is_main;

static void note(const char *call, size_t size)
{
    if (!atomic_load_explicit(&counter.is_counting, memory_order_relaxed) || is_inside)
        return;
    is_inside = true;
    const uint64_t number = atomic_fetch_add(&counter.allocations, 1);
    if (is_main)
        atomic_fetch_add(&counter.main_allocations, 1);
    if (number < OFFENDERS) {
        struct offender *offender = &counter.offenders[number];
        offender->call = call;
        offender->size = size;
        (void)prctl(PR_GET_NAME, offender->thread);
        offender->n_frames = backtrace(offender->frames, FRAMES);
    }
    is_inside = false;
}

// ---- the allocator's interface ----

void *malloc(size_t size)
{
    note("malloc", size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    note("calloc", count * size);
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    note("realloc", size);
    return __libc_realloc(block, size);
}

void *memalign(size_t align, size_t size)
{
    note("memalign", size);
    return __libc_memalign(align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    note("aligned_alloc", size);
    return __libc_memalign(align, size);
}

int posix_memalign(void **out_block, size_t align, size_t size)
{
    note("posix_memalign", size);
    if (align < sizeof(void *) || (align & (align - 1)) != 0)
        return EINVAL;
    void *block = __libc_memalign(align, size);
    if (block == NULL)
        return ENOMEM;
    *out_block = block;
    return 0;
}

void free(void *block)
{
    if (block != NULL && !is_inside &&
        atomic_load_explicit(&counter.is_counting, memory_order_relaxed))
        atomic_fetch_add_explicit(&counter.frees, 1, memory_order_relaxed);
    __libc_free(block);
}

// ---- marks ----

void tn_malloc_mark(int on)
{
    if (on != 0) {
        atomic_store(&counter.allocations, 0);
        atomic_store(&counter.frees, 0);
        atomic_store(&counter.main_allocations, 0);
    }
    atomic_store(&counter.is_counting, on != 0);
}

uint64_t tn_malloc_count(void)
{
    return atomic_load(&counter.allocations);
}

uint64_t tn_malloc_frees(void)
{
    return atomic_load(&counter.frees);
}

// ---- reports ----

struct report {
    char text[REPORT_BYTES];
    size_t size;
};

static void add(struct report *report, const char *text)
{
    const size_t left = sizeof report->text - report->size;
    const size_t length = strlen(text);
    const size_t n = length < left ? length : left;
    memcpy(report->text + report->size, text, n);
    report->size += n;
}

static void add_frame(struct report *report, void *address)
{
    char text[160];
    Dl_info info;
    const bool is_known = dladdr(address, &info) != 0;
    const char *name = is_known && info.dli_sname != NULL   ? info.dli_sname
                       : is_known && info.dli_fname != NULL ? info.dli_fname
                                                            : "?";
    const void *base = is_known && info.dli_sname != NULL ? info.dli_saddr
                       : is_known                         ? info.dli_fbase
                                                          : NULL;
    (void)snprintf(text, sizeof text, " %.120s+0x%zx", name,
                   (size_t)((uintptr_t)address - (uintptr_t)base));
    add(report, text);
}

static void add_offender(struct report *report, const struct offender *offender)
{
    char text[96];
    (void)snprintf(text, sizeof text, " %.15s %s %zu:", offender->thread, offender->call,
                   offender->size);
    add(report, text);
    for (int i = OWN_FRAMES; i < offender->n_frames; i++)
        add_frame(report, offender->frames[i]);
    add(report, "\n");
}

static void write_report(const struct report *report)
{
    const int fd = open(counter.report_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    const ssize_t n = write(fd, report->text, report->size);
    (void)n;
    (void)close(fd);
}

static void add_head(struct report *report, const char *what)
{
    char text[128];
    (void)snprintf(text, sizeof text, "%s %ld %.64s", what, (long)getpid(),
                   program_invocation_short_name);
    add(report, text);
}

static void on_start_signal(int number)
{
    (void)number;
    const int saved_errno = errno;
    struct report report = {.size = 0};
    add_head(&report, "start");
    add(&report, "\n");
    write_report(&report);
    tn_malloc_mark(1);
    errno = saved_errno;
}

static void on_stop_signal(int number)
{
    (void)number;
    const int saved_errno = errno;
    tn_malloc_mark(0);
    is_inside = true;
    struct report report = {.size = 0};
    add_head(&report, "stop");
    char text[128];
    const uint64_t n = tn_malloc_count();
    (void)snprintf(text, sizeof text, " allocations=%llu frees=%llu main=%llu\n",
                   (unsigned long long)n, (unsigned long long)tn_malloc_frees(),
                   (unsigned long long)atomic_load(&counter.main_allocations));
    add(&report, text);
    for (uint64_t i = 0; i < n && i < OFFENDERS; i++)
        add_offender(&report, &counter.offenders[i]);
    write_report(&report);
    is_inside = false;
    errno = saved_errno;
}

static TN_CONSTRUCTOR void prepare(void)
{
    // the first backtrace loads a library, which must not happen between the marks
    void *frames[2];
    (void)backtrace(frames, 2);
    is_main = true;
    const char *path = getenv("TN_MALLOC_REPORT");
    if (path == NULL || strlen(path) >= sizeof counter.report_path)
        return;
    memcpy(counter.report_path, path, strlen(path) + 1);
    struct sigaction action = {.sa_handler = on_start_signal, .sa_flags = SA_RESTART};
    (void)sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = on_stop_signal;
    (void)sigaction(SIGUSR2, &action, NULL);
}
