// SPDX-License-Identifier: Apache-2.0
/// @file
/// UDP socket with kernel receive times (SO_TIMESTAMPNS), mapped to the steady clock at receipt.
#ifndef TN_BASE_UDP_H
#define TN_BASE_UDP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

/// One received datagram.
struct tn_udp_datagram {
    size_t size;       ///< bytes put into the buffer
    bool is_truncated; ///< the datagram was larger than the buffer
    struct sockaddr_in source;
    int64_t receive_wall_ns;   ///< kernel's receive time, wall clock
    int64_t receive_steady_ns; ///< the same moment on the steady clock
    bool is_kernel_time;       ///< false: the kernel gave none, times are those of the read
};

/// Opens a non-blocking, close-on-exec UDP/IPv4 socket bound to `bind_address`:`port` ("0.0.0.0"
/// for any address, port 0: chosen by the system). Neither SO_REUSEADDR nor SO_REUSEPORT: a port in
/// use is an error.
/// @param what   names the port in errors, e.g. "receive_port"
/// @return TN_OK; TN_ERR_BUSY: port in use (text names port, parameter and cure);
/// TN_ERR_PERMISSION;
///         TN_ERR_INVALID_ARGUMENT: not an IPv4 address, or none of this machine; TN_ERR_IO.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_udp_open(const char *bind_address, uint16_t port, const char *what,
                                        int *out_fd, struct tn_error *err);

/// @return the local port of a bound socket, 0 on error. Thread: any. Allocates: never. Blocks:
/// never.
uint16_t tn_udp_local_port(int fd);

/// Reads one datagram. The kernel's time is used, however far back it lies: what waited while its
/// reader was stopped is old. Only when it lies in the future (the wall clock was set back since)
/// the time of the call takes its place.
/// @return TN_OK; TN_ERR_AGAIN: none waiting; TN_ERR_IO.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_udp_receive(int fd, void *buffer, size_t capacity,
                                           struct tn_udp_datagram *out_datagram);

/// Sends one datagram. @return TN_OK; TN_ERR_AGAIN: buffer full; TN_ERR_LIMIT: larger than a
/// datagram may be; TN_ERR_IO (ECONNREFUSED of an earlier datagram is not an error). Thread: any.
/// Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_udp_send(int fd, const struct sockaddr_in *to, const void *data,
                                        size_t size);

/// Resolves a dotted IPv4 address ("localhost" is accepted).
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT. Thread: any. Allocates: never. Blocks: never (no DNS).
TN_NODISCARD enum tn_result tn_udp_address(const char *host, uint16_t port,
                                           struct sockaddr_in *out_address, struct tn_error *err);

#endif
