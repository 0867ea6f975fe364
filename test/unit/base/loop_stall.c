// SPDX-License-Identifier: Apache-2.0
// a process that is really stopped and continued, judged by what its loop says about each datagram
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/loop.h"

enum { QUEUED = 100, ROUNDS = 3 };

#define STALL_NS (TN_LOOP_LATE_NS + TN_LOOP_HEARTBEAT_NS + 50 * TN_NS_PER_MS)

struct judge {
    struct tn_loop *loop;
    struct tn_loop_fd handle;
};

// answers each datagram with what the loop thinks of it
static void answer(void *context, int fd, uint32_t events)
{
    struct judge *judge = context;
    (void)events;
    char byte = 0;
    if (recv(fd, &byte, 1, 0) != 1)
        _exit(0);
    byte = tn_loop_is_late(judge->loop) ? 'L' : 'F';
    if (send(fd, &byte, 1, 0) != 1)
        _exit(1);
}

static void run_child(int fd)
{
    struct judge judge = {0};
    if (tn_loop_create(tn_clock_system(), &judge.loop, NULL) != TN_OK ||
        tn_loop_fd_start(judge.loop, &judge.handle, fd, EPOLLIN, answer, &judge) != TN_OK)
        _exit(1);
    (void)tn_loop_run(judge.loop);
    _exit(1);
}

static char ask(int fd)
{
    char byte = 'q';
    assert_int_equal(send(fd, &byte, 1, 0), 1);
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 30000), 1);
    assert_int_equal(recv(fd, &byte, 1, 0), 1);
    return byte;
}

static void wait_until_fresh(int fd)
{
    const int64_t end = tn_clock_steady_now_ns() + 30 * TN_NS_PER_S;
    while (ask(fd) != 'F')
        assert_true(tn_clock_steady_now_ns() < end);
}

// the stall is the stimulus here, so it takes real time
static void stall(pid_t child)
{
    int status = 0;
    assert_int_equal(kill(child, SIGSTOP), 0);
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    assert_true(WIFSTOPPED(status));
    const int64_t end = tn_clock_steady_now_ns() + STALL_NS;
    while (tn_clock_steady_now_ns() < end)
        (void)poll(NULL, 0, 10);
}

static void what_was_queued_while_the_process_was_stopped_is_late(void **state)
{
    (void)state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), 0);
    const int size = 1 << 20;
    for (int i = 0; i < 2; i++)
        assert_int_equal(setsockopt(pair[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_child(pair[1]);
    for (int round = 0; round < ROUNDS; round++) {
        wait_until_fresh(pair[0]);
        stall(child);
        // as many as the queue of the socket takes
        int n_sent = 0;
        while (n_sent < QUEUED && send(pair[0], "q", 1, MSG_DONTWAIT) == 1)
            n_sent++;
        assert_true(n_sent > 3);
        assert_int_equal(kill(child, SIGCONT), 0);
        for (int i = 0; i < n_sent; i++) {
            char byte = 0;
            assert_int_equal(recv(pair[0], &byte, 1, 0), 1);
            assert_int_equal(byte, 'L');
        }
    }
    wait_until_fresh(pair[0]);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    (void)close(pair[0]);
    (void)close(pair[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_queued_while_the_process_was_stopped_is_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
