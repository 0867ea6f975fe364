// SPDX-License-Identifier: Apache-2.0
// runs with libtn_malloc_count.so preloaded and TN_MALLOC_REPORT set
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // NOLINT
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

typedef void (*mark_fn)(int on);
typedef uint64_t (*count_fn)(void);

// the compiler may not see that a block is given back unused
static void *volatile keep;

static void look_up(const char *name, void *out_function)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    assert_non_null(symbol);
    memcpy(out_function, &symbol, sizeof symbol);
}

static void every_kind_of_allocation_is_counted_between_the_marks(void **state)
{
    (void)state;
    mark_fn mark = NULL;
    count_fn count = NULL, frees = NULL;
    look_up("tn_malloc_mark", &mark);
    look_up("tn_malloc_count", &count);
    look_up("tn_malloc_frees", &frees);
    keep = malloc(10);
    mark(1);
    const uint64_t at_start = count();
    free(keep);
    keep = malloc(10);
    keep = realloc(keep, 1000);
    free(keep);
    keep = calloc(3, 7);
    free(keep);
    keep = aligned_alloc(64, 128);
    const uintptr_t aligned = (uintptr_t)keep;
    free(keep);
    void *block = NULL;
    const int ok = posix_memalign(&block, 4096, 10);
    const int refused = posix_memalign(&block, 3, 10);
    const uintptr_t page = (uintptr_t)block;
    free(block);
    free(NULL);
    mark(0);
    keep = malloc(10);
    free(keep);
    assert_int_equal(at_start, 0);
    assert_int_equal(count(), 6);
    assert_int_equal(frees(), 5);
    assert_int_equal(ok, 0);
    assert_int_not_equal(refused, 0);
    assert_int_equal(aligned % 64, 0);
    assert_int_equal(page % 4096, 0);
    mark(1);
    mark(0);
    assert_int_equal(count(), 0);
}

static void *allocate_in_a_thread(void *argument)
{
    (void)argument;
    (void)prctl(PR_SET_NAME, "recvMC");
    keep = malloc(4242);
    free(keep);
    return NULL;
}

static void signals_mark_and_the_report_names_the_offenders(void **state)
{
    (void)state;
    const char *path = getenv("TN_MALLOC_REPORT");
    assert_non_null(path);
    (void)unlink(path);
    pthread_t thread;
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(pthread_create(&thread, NULL, allocate_in_a_thread, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(raise(SIGUSR2), 0);
    char report[8192] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t n = fread(report, 1, sizeof report - 1, file);
    report[n] = '\0';
    (void)fclose(file);
    char head[64];
    (void)snprintf(head, sizeof head, "start %ld test.", (long)getpid());
    assert_int_equal(strncmp(report, head, strlen(head)), 0);
    (void)snprintf(head, sizeof head, "\nstop %ld test.", (long)getpid());
    assert_non_null(strstr(report, head));
    assert_null(strstr(report, "allocations=0"));
    // pthread_create allocates here, malloc in the other thread
    const char *main_count = strstr(report, " main=");
    assert_non_null(main_count);
    assert_null(strstr(report, " main=0\n"));
    assert_non_null(strstr(report, "\n recvMC malloc 4242: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_allocation_is_counted_between_the_marks),
        cmocka_unit_test(signals_mark_and_the_report_names_the_offenders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
