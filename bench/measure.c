// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int64_t bench_now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * BENCH_NS_PER_S + now.tv_nsec;
}

void bench_sleep_until(int64_t at_ns)
{
    const struct timespec at = {.tv_sec = at_ns / BENCH_NS_PER_S,
                                .tv_nsec = at_ns % BENCH_NS_PER_S};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

void bench_require(bool is_fine, const char *what)
{
    if (!is_fine) {
        (void)fprintf(stderr, "bench: %s\n", what);
        exit(1);
    }
}

int64_t bench_number(const char *text, int64_t low, int64_t high)
{
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    bench_require(errno == 0 && end != text && *end == '\0' && value >= low && value <= high,
                  "an argument is no number in range");
    return value;
}

void bench_samples_init(struct bench_samples *samples, uint32_t capacity)
{
    *samples = (struct bench_samples){.capacity = capacity};
    samples->ns = calloc(capacity, sizeof *samples->ns);
    bench_require(samples->ns != NULL, "no memory");
}

bool bench_samples_add(struct bench_samples *samples, int64_t duration_ns)
{
    if (samples->n_skipped < BENCH_WARM_UP) {
        samples->n_skipped++;
    } else if (samples->n < samples->capacity) {
        samples->ns[samples->n++] = duration_ns;
    }
    return samples->n == samples->capacity;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int bench_samples_print(struct bench_samples *samples)
{
    const uint32_t n = samples->n;
    if (n < 100) {
        (void)fprintf(stderr, "bench: only %u samples arrived\n", n);
        return 1;
    }
    qsort(samples->ns, n, sizeof *samples->ns, ascending);
    (void)printf("%lld %lld %u\n", (long long)samples->ns[n / 2],
                 (long long)samples->ns[(uint64_t)n * 99 / 100], n);
    return 0;
}

int bench_rss_print(void)
{
    char text[128] = "";
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) {
        return 1;
    }
    const size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    (void)fclose(file);
    // size, resident, … in pages
    char *end = NULL;
    (void)strtoll(text, &end, 10);
    const long long pages = strtoll(end, NULL, 10);
    (void)printf("%lld\n", pages * (long long)sysconf(_SC_PAGESIZE) / 1024);
    return pages > 0 ? 0 : 1;
}

int bench_start_print(int64_t now_ns)
{
    const char *start = getenv("BENCH_T0_NS");
    if (start == NULL) {
        (void)fprintf(stderr, "bench: run it with bench_start\n");
        return 1;
    }
    (void)printf("%lld\n", (long long)(now_ns - bench_number(start, 0, INT64_MAX)));
    return 0;
}

void bench_names(char names[BENCH_N_NAMES][BENCH_NAME_MAX])
{
    for (unsigned i = 0; i < BENCH_N_NAMES; i++) {
        (void)snprintf(names[i], BENCH_NAME_MAX, "right_finger_joint_%02u", i);
    }
}
