// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/udp.h"

static int open_local(uint16_t *out_port)
{
    int fd = -1;
    struct tn_error err = {0};
    assert_int_equal(tn_udp_open("127.0.0.1", 0, "test_port", &fd, &err), TN_OK);
    *out_port = tn_udp_local_port(fd);
    assert_int_not_equal(*out_port, 0);
    return fd;
}

static void wait_readable(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 10000), 1);
}

static void a_datagram_arrives_with_the_kernels_time(void **state)
{
    (void)state;
    uint16_t port = 0, source_port = 0;
    const int receiver = open_local(&port), sender = open_local(&source_port);
    struct sockaddr_in to;
    assert_int_equal(tn_udp_address("localhost", port, &to, NULL), TN_OK);
    char buffer[64];
    struct tn_udp_datagram datagram = {.size = 99};
    assert_int_equal(tn_udp_receive(receiver, buffer, sizeof buffer, &datagram), TN_ERR_AGAIN);
    assert_int_equal(datagram.size, 99);
    // the kernel switches its time stamps on with a little delay: send until one carries it
    for (int i = 0; i < 1000 && !datagram.is_kernel_time; i++) {
        const int64_t before = tn_clock_steady_now_ns();
        assert_int_equal(tn_udp_send(sender, &to, "hello", 5), TN_OK);
        wait_readable(receiver);
        assert_int_equal(tn_udp_receive(receiver, buffer, sizeof buffer, &datagram), TN_OK);
        const int64_t after = tn_clock_steady_now_ns();
        assert_true(datagram.receive_steady_ns <= after);
        // both clocks are read one after the other, hence the slack
        assert_true(datagram.receive_steady_ns >= before - 100 * TN_NS_PER_MS);
    }
    assert_true(datagram.is_kernel_time);
    assert_true(llabs(datagram.receive_wall_ns - tn_clock_wall_now_ns()) < 60 * TN_NS_PER_S);
    assert_int_equal(datagram.size, 5);
    assert_memory_equal(buffer, "hello", 5);
    assert_false(datagram.is_truncated);
    assert_int_equal(ntohs(datagram.source.sin_port), source_port);
    (void)close(receiver);
    (void)close(sender);
}

static void large_and_empty_datagrams(void **state)
{
    (void)state;
    uint16_t port = 0, other = 0;
    const int receiver = open_local(&port), sender = open_local(&other);
    struct sockaddr_in to;
    assert_int_equal(tn_udp_address("127.0.0.1", port, &to, NULL), TN_OK);
    char small[4], large[70000] = {0};
    struct tn_udp_datagram datagram;
    assert_int_equal(tn_udp_send(sender, &to, large, 100), TN_OK);
    wait_readable(receiver);
    assert_int_equal(tn_udp_receive(receiver, small, sizeof small, &datagram), TN_OK);
    assert_true(datagram.is_truncated);
    assert_int_equal(datagram.size, 4);
    assert_int_equal(tn_udp_send(sender, &to, large, 0), TN_OK);
    wait_readable(receiver);
    assert_int_equal(tn_udp_receive(receiver, small, sizeof small, &datagram), TN_OK);
    assert_int_equal(datagram.size, 0);
    assert_int_equal(tn_udp_send(sender, &to, large, sizeof large), TN_ERR_LIMIT);
    (void)close(receiver);
    (void)close(sender);
}

static void a_port_in_use_is_named_with_its_cure(void **state)
{
    (void)state;
    uint16_t port = 0;
    const int fd = open_local(&port);
    int second = -7;
    struct tn_error err = {0};
    assert_int_equal(tn_udp_open("127.0.0.1", port, "receive_port", &second, &err), TN_ERR_BUSY);
    assert_int_equal(second, -7);
    assert_non_null(strstr(err.text, "receive_port"));
    assert_non_null(strstr(err.text, "in use"));
    assert_int_equal(tn_udp_open("0.0.0.0", port, "receive_port", &second, NULL), TN_ERR_BUSY);
    (void)close(fd);
}

static void wrong_addresses_are_refused(void **state)
{
    (void)state;
    int fd = -7;
    struct tn_error err = {0};
    struct sockaddr_in to;
    static const char *const bad[] = {"", "localhos", "1.2.3", "1.2.3.4.5", "::1", "1.2.3.256"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        assert_int_equal(tn_udp_open(bad[i], 0, "p", &fd, &err), TN_ERR_INVALID_ARGUMENT);
        assert_int_equal(tn_udp_address(bad[i], 1, &to, &err), TN_ERR_INVALID_ARGUMENT);
    }
    // an address of the documentation range belongs to nobody
    assert_int_equal(tn_udp_open("192.0.2.1", 0, "p", &fd, &err), TN_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(err.text, "192.0.2.1"));
    assert_int_equal(fd, -7);
    assert_int_equal(tn_udp_local_port(-1), 0);
}

static void a_peer_that_is_gone_is_no_error(void **state)
{
    (void)state;
    uint16_t port = 0, dead_port = 0;
    const int fd = open_local(&port);
    const int dead = open_local(&dead_port);
    (void)close(dead);
    struct sockaddr_in to;
    assert_int_equal(tn_udp_address("127.0.0.1", dead_port, &to, NULL), TN_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(tn_udp_send(fd, &to, "x", 1), TN_OK);
    char buffer[8];
    struct tn_udp_datagram datagram;
    assert_int_equal(tn_udp_receive(fd, buffer, sizeof buffer, &datagram), TN_ERR_AGAIN);
    assert_int_equal(tn_udp_receive(-1, buffer, sizeof buffer, &datagram), TN_ERR_IO);
    (void)close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_datagram_arrives_with_the_kernels_time),
        cmocka_unit_test(large_and_empty_datagrams),
        cmocka_unit_test(a_port_in_use_is_named_with_its_cure),
        cmocka_unit_test(wrong_addresses_are_refused),
        cmocka_unit_test(a_peer_that_is_gone_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
