// SPDX-License-Identifier: Apache-2.0
// What a datagram costs alone: one sendto(), and another process that wakes from epoll_wait().
//
// usage: bench_datagram sink N | send HZ N
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure.h"

#define PORT 25999
/// As long as a hand of the glove's protocol.
#define DATAGRAM_BYTES 400

static struct sockaddr_in address(void)
{
    struct sockaddr_in out = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return out;
}

static int sink(int64_t n)
{
    const struct sockaddr_in here = address();
    const int fd = socket(AF_INET, SOCK_DGRAM, 0), epoll_fd = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    struct bench_samples samples;
    bench_samples_init(&samples, (uint32_t)n);
    bench_require(bind(fd, (const struct sockaddr *)&here, sizeof here) == 0 &&
                      epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0,
                  "no socket to wait for");
    while (epoll_wait(epoll_fd, &event, 1, -1) == 1) {
        const int64_t awake_ns = bench_now_ns();
        char datagram[DATAGRAM_BYTES];
        int64_t sent_ns;
        if (recv(fd, datagram, sizeof datagram, 0) != (ssize_t)sizeof datagram)
            continue;
        memcpy(&sent_ns, datagram, sizeof sent_ns);
        if (bench_samples_add(&samples, awake_ns - sent_ns))
            break;
    }
    return bench_samples_print(&samples);
}

static int send_all(int64_t hz, int64_t n)
{
    const struct sockaddr_in to = address();
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    char datagram[DATAGRAM_BYTES] = {0};
    int64_t next = bench_now_ns() + BENCH_SETTLE_NS;
    for (int64_t i = 0; i < n; i++) {
        bench_sleep_until(next);
        next += BENCH_NS_PER_S / hz;
        const int64_t now_ns = bench_now_ns();
        memcpy(datagram, &now_ns, sizeof now_ns);
        (void)sendto(fd, datagram, sizeof datagram, 0, (const struct sockaddr *)&to, sizeof to);
    }
    (void)close(fd);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "sink") == 0)
        return sink(bench_number(argv[2], 1, 10000000));
    if (argc == 4 && strcmp(argv[1], "send") == 0)
        return send_all(bench_number(argv[2], 1, 100000), bench_number(argv[3], 1, 10000000));
    (void)fprintf(stderr, "usage: bench_datagram sink N | send HZ N\n");
    return 2;
}
