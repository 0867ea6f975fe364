// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/trace.h"

enum { PROCESSES = 4, EACH = 20000 };

static char directory[] = "/tmp/tn_trace_XXXXXX";
static char path[64];

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(directory));
    (void)snprintf(path, sizeof path, "%s/ring", directory);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(directory);
}

static struct tn_trace_ring *create(uint32_t capacity)
{
    struct tn_trace_ring *ring = NULL;
    assert_int_equal(tn_trace_create(path, capacity, &ring, NULL), TN_OK);
    return ring;
}

// every part of a record follows from its number, so that a torn one shows
static struct tn_trace_record make_record(uint8_t process, uint32_t number)
{
    return (struct tn_trace_record){.stamp_ros_ns = (int64_t)number * 1000003 + process,
                                    .steady_ns = ~((int64_t)number * 1000003 + process),
                                    .sequence = number,
                                    .stage = process,
                                    .side = 1,
                                    .detail = (uint16_t)number};
}

static void check_record(const struct tn_trace_record *record)
{
    const struct tn_trace_record expected = make_record(record->stage, record->sequence);
    assert_memory_equal(record, &expected, sizeof expected);
}

static void records_come_back_in_order(void **state)
{
    (void)state;
    struct tn_trace_ring *reader = create(64), *writer = NULL;
    assert_int_equal(tn_trace_open(path, &writer, NULL), TN_OK);
    struct tn_trace_record out[100];
    uint64_t cursor = 0, lost = 0;
    assert_int_equal(tn_trace_read(reader, &cursor, out, 100, &lost), 0);
    for (uint32_t i = 0; i < 30; i++) {
        const struct tn_trace_record record = make_record(3, i);
        tn_trace_append(writer, &record);
    }
    assert_int_equal(tn_trace_read(reader, &cursor, out, 20, NULL), 20);
    assert_int_equal(tn_trace_read(reader, &cursor, out + 20, 80, &lost), 10);
    for (uint32_t i = 0; i < 30; i++) {
        check_record(&out[i]);
        assert_int_equal(out[i].sequence, i);
    }
    assert_int_equal(lost, 0);
    // overwritten records are counted as lost, the newest stay
    for (uint32_t i = 0; i < 1000; i++) {
        const struct tn_trace_record record = make_record(3, i);
        tn_trace_append(writer, &record);
    }
    assert_int_equal(tn_trace_read(reader, &cursor, out, 100, &lost), 64);
    assert_int_equal(out[63].sequence, 999);
    assert_int_equal(lost, 1000 - 64);
    tn_trace_close(&writer);
    tn_trace_close(&writer);
    tn_trace_close(&reader);
}

static void append_from_a_child(uint8_t process)
{
    struct tn_trace_ring *ring = NULL;
    if (tn_trace_open(path, &ring, NULL) != TN_OK)
        _exit(1);
    for (uint32_t i = 0; i < EACH; i++) {
        const struct tn_trace_record record = make_record(process, i);
        tn_trace_append(ring, &record);
    }
    _exit(0);
}

static void several_processes_append_while_one_reads(void **state)
{
    (void)state;
    struct tn_trace_ring *ring = create(4096);
    pid_t children[PROCESSES];
    for (uint8_t p = 0; p < PROCESSES; p++) {
        children[p] = fork();
        assert_true(children[p] >= 0);
        if (children[p] == 0)
            append_from_a_child(p);
    }
    uint64_t cursor = 0, lost = 0, n_read = 0;
    uint32_t next[PROCESSES] = {0};
    int n_running = PROCESSES;
    for (;;) {
        struct tn_trace_record out[256];
        const uint32_t n = tn_trace_read(ring, &cursor, out, 256, &lost);
        for (uint32_t i = 0; i < n; i++) {
            check_record(&out[i]);
            // each process's own records stay in order
            assert_true(out[i].sequence >= next[out[i].stage]);
            next[out[i].stage] = out[i].sequence + 1;
        }
        n_read += n;
        if (n == 0 && n_running == 0)
            break;
        int status = 0;
        while (n_running > 0 && waitpid(-1, &status, WNOHANG) > 0) {
            assert_int_equal(status, 0);
            n_running--;
        }
    }
    assert_int_equal(n_read + lost, PROCESSES * EACH);
    assert_true(n_read >= 4096);
    tn_trace_close(&ring);
}

static void a_killed_writer_does_not_stop_the_reader(void **state)
{
    (void)state;
    struct tn_trace_ring *ring = create(1024);
    const struct tn_trace_record record = make_record(1, 1);
    tn_trace_append(ring, &record);
    // what a writer leaves that dies after it has begun record 1
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    const uint64_t next = 2, odd = 3;
    assert_int_equal(pwrite(fd, &next, 8, 16), 8);
    assert_int_equal(pwrite(fd, &odd, 8, 64 + 32), 8);
    (void)close(fd);
    tn_trace_append(ring, &record);
    struct tn_trace_record out[256];
    uint64_t cursor = 0, lost = 0;
    // it may still finish
    assert_int_equal(tn_trace_read(ring, &cursor, out, 256, &lost), 1);
    assert_int_equal(tn_trace_read(ring, &cursor, out, 256, &lost), 0);
    for (int i = 0; i < 70; i++)
        tn_trace_append(ring, &record);
    assert_int_equal(tn_trace_read(ring, &cursor, out, 256, &lost), 71);
    assert_int_equal(lost, 1);
    tn_trace_close(&ring);
}

static void without_the_variable_nothing_happens(void **state)
{
    (void)state;
    (void)unsetenv("TENDON_TRACE_RING");
    struct tn_trace_ring *ring = (struct tn_trace_ring *)directory;
    assert_int_equal(tn_trace_open(NULL, &ring, NULL), TN_OK);
    assert_null(ring);
    const struct tn_trace_record record = make_record(1, 1);
    tn_trace_append(NULL, &record);
    tn_trace_close(&ring);
    struct tn_trace_ring *owner = create(16);
    (void)setenv("TENDON_TRACE_RING", path, 1);
    assert_int_equal(tn_trace_open(NULL, &ring, NULL), TN_OK);
    assert_non_null(ring);
    tn_trace_close(&ring);
    tn_trace_close(&owner);
}

static void what_is_no_ring_is_refused(void **state)
{
    (void)state;
    struct tn_trace_ring *ring = NULL;
    struct tn_error err = {0};
    assert_int_equal(tn_trace_create(path, 0, &ring, &err), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_trace_create(path, 100, &ring, &err), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_trace_create(path, 1U << 25, &ring, &err), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_trace_create("/nowhere/at/all", 64, &ring, &err), TN_ERR_IO);
    assert_int_equal(tn_trace_open("/nowhere/at/all", &ring, &err), TN_ERR_IO);
    assert_int_equal(tn_trace_open("/proc/self/exe", &ring, &err), TN_ERR_IO);
    // every cut of a real ring, and every changed byte of its head
    struct tn_trace_ring *owner = create(16);
    tn_trace_close(&owner);
    for (size_t at = 0; at < 16; at++) {
        const int fd = open(path, O_RDWR | O_CLOEXEC);
        uint8_t byte = 0;
        assert_int_equal(pread(fd, &byte, 1, (off_t)at), 1);
        byte ^= 0xff;
        assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
        assert_int_equal(tn_trace_open(path, &ring, &err), TN_ERR_MALFORMED);
        byte ^= 0xff;
        assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
        (void)close(fd);
    }
    for (off_t size = 64 + 16 * 32 - 1; size > 0; size = size / 2) {
        assert_int_equal(truncate(path, size), 0);
        assert_int_equal(tn_trace_open(path, &ring, &err), TN_ERR_MALFORMED);
    }
    assert_null(ring);
    assert_string_equal(tn_trace_stage_name(TN_TRACE_EXECUTED), "executed");
    assert_string_equal(tn_trace_stage_name(TN_TRACE_STAGES), "?");
    assert_string_equal(tn_trace_stage_name((enum tn_trace_stage) - 1), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back_in_order),
        cmocka_unit_test(several_processes_append_while_one_reads),
        cmocka_unit_test(a_killed_writer_does_not_stop_the_reader),
        cmocka_unit_test(without_the_variable_nothing_happens),
        cmocka_unit_test(what_is_no_ring_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
