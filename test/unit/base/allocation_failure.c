// SPDX-License-Identifier: Apache-2.0
// the n-th allocation fails, for every n until the call passes (linked with --wrap)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/process.h"
#include "base/ring.h"
#include "base/trace.h"
#include "base/worker.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

// allocations left until one fails; negative: none fails
static int countdown = -1;

static bool must_fail(void)
{
    return countdown >= 0 && countdown-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __real_calloc(count, size);
}

// runs `attempt` with the 1st, 2nd, … allocation failing until none fails any more
static int count_failures(enum tn_result (*attempt)(void *context), void *context)
{
    for (int n = 0;; n++) {
        countdown = n;
        const enum tn_result result = attempt(context);
        const bool none_failed = countdown >= 0;
        countdown = -1;
        if (none_failed) {
            assert_int_equal(result, TN_OK);
            return n;
        }
        assert_int_equal(result, TN_ERR_NO_MEMORY);
    }
}

static enum tn_result attempt_arena(void *context)
{
    (void)context;
    struct tn_arena arena = {.used = 42};
    const enum tn_result result = tn_arena_create(&arena, 100);
    assert_true(result == TN_OK || arena.used == 42);
    if (result == TN_OK)
        tn_arena_destroy(&arena);
    return result;
}

static enum tn_result attempt_ring(void *context)
{
    (void)context;
    struct tn_ring ring = {0};
    const enum tn_result result = tn_ring_create(&ring, 8, 8);
    assert_true(result == TN_OK || ring.data == NULL);
    tn_ring_destroy(&ring);
    return result;
}

static enum tn_result attempt_loop(void *context)
{
    (void)context;
    struct tn_loop *loop = NULL;
    const enum tn_result result = tn_loop_create(tn_clock_system(), &loop, NULL);
    assert_true((result == TN_OK) == (loop != NULL));
    tn_loop_destroy(&loop);
    return result;
}

static void work(void *context, const void *request, void *out_reply)
{
    (void)context;
    (void)request;
    (void)out_reply;
}

static void on_reply(void *context, const void *reply)
{
    (void)context;
    (void)reply;
}

static enum tn_result attempt_worker(void *context)
{
    struct tn_worker *worker = NULL;
    const struct tn_worker_options options = {
        .request_size = 4, .reply_size = 4, .depth = 4, .work = work, .on_reply = on_reply};
    const enum tn_result result = tn_worker_create(context, &options, &worker, NULL);
    assert_true((result == TN_OK) == (worker != NULL));
    tn_worker_destroy(&worker);
    return result;
}

static enum tn_result attempt_process(void *context)
{
    struct tn_process *process = NULL;
    const char *const argv[] = {"/bin/true", NULL};
    const struct tn_process_options options = {.name = "n", .argv = argv};
    const enum tn_result result = tn_process_start(context, &options, &process, NULL);
    assert_true((result == TN_OK) == (process != NULL));
    tn_process_destroy(&process);
    return result;
}

static enum tn_result attempt_trace(void *context)
{
    struct tn_trace_ring *ring = NULL;
    enum tn_result result = tn_trace_create(context, 16, &ring, NULL);
    assert_true((result == TN_OK) == (ring != NULL));
    // a failed creation leaves no file
    assert_true((result == TN_OK) == (access(context, F_OK) == 0));
    if (result == TN_OK) {
        struct tn_trace_ring *second = NULL;
        result = tn_trace_open(context, &second, NULL);
        tn_trace_close(&second);
    }
    tn_trace_close(&ring);
    (void)unlink(context);
    return result;
}

static int count_open_descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += dup2(fd, fd) == fd;
    return n;
}

static void every_constructor_survives_every_failure(void **state)
{
    (void)state;
    struct tn_loop *loop = NULL;
    assert_int_equal(tn_loop_create(tn_clock_system(), &loop, NULL), TN_OK);
    char directory[] = "/tmp/tn_alloc_XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    (void)snprintf(path, sizeof path, "%s/ring", directory);
    const int before = count_open_descriptors();
    assert_int_equal(count_failures(attempt_arena, NULL), 1);
    assert_int_equal(count_failures(attempt_ring, NULL), 1);
    assert_int_equal(count_failures(attempt_loop, NULL), 1);
    assert_int_equal(count_failures(attempt_worker, loop), 6);
    assert_int_equal(count_failures(attempt_process, loop), 2);
    assert_int_equal(count_failures(attempt_trace, path), 2);
    assert_int_equal(count_open_descriptors(), before);
    assert_int_equal(rmdir(directory), 0);
    tn_loop_destroy(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_constructor_survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
