// SPDX-License-Identifier: Apache-2.0
// SO_TIMESTAMPNS is outside POSIX
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // NOLINT
#endif
#include "base/udp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum tn_result tn_udp_address(const char *host, uint16_t port, struct sockaddr_in *out_address,
                              struct tn_error *err)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    const char *dotted = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
    if (inet_pton(AF_INET, dotted, &address.sin_addr) != 1)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "\"%.64s\" is not an IPv4 address; write it like 192.168.1.20, or "
                            "localhost",
                            host);
    *out_address = address;
    return TN_OK;
}

static enum tn_result bind_error(struct tn_error *err, const char *address, uint16_t port,
                                 const char *what, int error)
{
    switch (error) {
    case EADDRINUSE:
        return tn_error_set(err, TN_ERR_BUSY,
                            "%s: UDP port %" PRIu16 " on %s is in use by another program; end it "
                            "(ss -ulpn shows it) or set %s to a free port",
                            what, port, address, what);
    case EACCES:
    case EPERM:
        return tn_error_set(err, TN_ERR_PERMISSION,
                            "%s: no permission to open UDP port %" PRIu16
                            " on %s; set %s to a port "
                            "above 1023",
                            what, port, address, what);
    case EADDRNOTAVAIL:
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "%s: no interface of this machine has the address %s; 0.0.0.0 means "
                            "all of them",
                            what, address);
    default:
        return tn_error_set(err, TN_ERR_IO, "%s: cannot open UDP port %" PRIu16 " on %s: %s", what,
                            port, address, strerror(error));
    }
}

enum tn_result tn_udp_open(const char *bind_address, uint16_t port, const char *what, int *out_fd,
                           struct tn_error *err)
{
    struct sockaddr_in local;
    enum tn_result result = tn_udp_address(bind_address, port, &local, err);
    if (result != TN_OK)
        return result;
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return bind_error(err, bind_address, port, what, errno);
    const int on = 1;
    // without kernel times the times of the read serve, so a refusal is no error
    (void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    if (bind(fd, (const struct sockaddr *)&local, sizeof local) != 0) {
        result = bind_error(err, bind_address, port, what, errno);
        (void)close(fd);
        return result;
    }
    *out_fd = fd;
    return TN_OK;
}

uint16_t tn_udp_local_port(int fd)
{
    struct sockaddr_in local = {0};
    socklen_t size = sizeof local;
    // the generic pointer is how POSIX passes addresses
    if (getsockname(fd, (struct sockaddr *)&local, &size) != 0 || local.sin_family != AF_INET)
        return 0;
    return ntohs(local.sin_port);
}

static bool find_kernel_time(struct msghdr *message, int64_t *out_wall_ns)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS)
            continue;
        struct timespec time;
        memcpy(&time, CMSG_DATA(c), sizeof time);
        *out_wall_ns = (int64_t)time.tv_sec * TN_NS_PER_S + time.tv_nsec;
        return true;
    }
    return false;
}

// both clocks are read together, so their difference carries the kernel's time over
static void set_times(struct msghdr *message, struct tn_udp_datagram *datagram)
{
    const int64_t steady_ns = tn_clock_steady_now_ns();
    const int64_t wall_ns = tn_clock_wall_now_ns();
    datagram->receive_steady_ns = steady_ns;
    datagram->receive_wall_ns = wall_ns;
    datagram->is_kernel_time = false;
    int64_t kernel_ns = 0;
    if (!find_kernel_time(message, &kernel_ns))
        return;
    const int64_t age_ns = tn_ns_sub(wall_ns, kernel_ns);
    if (age_ns < 0)
        return;
    // however old: what waited while its reader was stopped must never look fresh
    datagram->receive_steady_ns = tn_ns_sub(steady_ns, age_ns);
    datagram->receive_wall_ns = kernel_ns;
    datagram->is_kernel_time = true;
}

static enum tn_result error_result(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS ? TN_ERR_AGAIN : TN_ERR_IO;
}

// what a call may report although nothing is wrong with it: signals, and earlier datagrams that
// found no receiver
static bool is_passing(int error)
{
    return error == EINTR || error == ECONNREFUSED;
}

// attempts in a row that may end in such a report
enum { MAX_ATTEMPTS = 8 };

enum tn_result tn_udp_receive(int fd, void *buffer, size_t capacity,
                              struct tn_udp_datagram *out_datagram)
{
    struct tn_udp_datagram datagram = {0};
    struct iovec data = {.iov_base = buffer, .iov_len = capacity};
    union {
        struct cmsghdr align;
        uint8_t bytes[256];
    } ancillary;
    struct msghdr message = {0};
    ssize_t n = -1;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        message = (struct msghdr){.msg_name = &datagram.source,
                                  .msg_namelen = sizeof datagram.source,
                                  .msg_iov = &data,
                                  .msg_iovlen = 1,
                                  .msg_control = ancillary.bytes,
                                  .msg_controllen = sizeof ancillary.bytes};
        n = recvmsg(fd, &message, MSG_DONTWAIT);
        if (n >= 0 || !is_passing(errno))
            break;
    }
    if (n < 0)
        return error_result();
    datagram.size = (size_t)n;
    datagram.is_truncated = (message.msg_flags & MSG_TRUNC) != 0;
    set_times(&message, &datagram);
    *out_datagram = datagram;
    return TN_OK;
}

enum tn_result tn_udp_send(int fd, const struct sockaddr_in *to, const void *data, size_t size)
{
    ssize_t n = -1;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        n = sendto(fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)to,
                   sizeof *to);
        if (n >= 0 || !is_passing(errno))
            break;
    }
    if (n >= 0)
        return TN_OK;
    return errno == EMSGSIZE ? TN_ERR_LIMIT : error_result();
}
