// SPDX-License-Identifier: Apache-2.0
/// @file
/// The two UDP sockets of a client: one bound to the announced receive port, one whose source port
/// is part of the session's identity and so stays the same for life. Both may be one.
#ifndef TN_GLOVE_CONTACT_LINK_H
#define TN_GLOVE_CONTACT_LINK_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "base/udp.h"

/// Addresses of this machine that are remembered at open.
#define TN_CONTACT_LOCAL_ADDRESSES_MAX 32

/// Where DivingStation is and where we are.
struct tn_contact_ports {
    const char *ds_ip;     ///< dotted IPv4 or "localhost"
    uint16_t ds_port;      ///< 0: the dialect's
    uint16_t receive_port; ///< announced in Connect; 1..65535
    uint16_t send_port;    ///< source port of what we send; 0: chosen by the system
};

/// Open sockets. Treat the members as private.
struct tn_contact_link {
    int receive_fd, send_fd; ///< -1: closed; may be equal
    struct sockaddr_in ds;
    uint16_t source_port;
    bool is_local; ///< DivingStation runs on this machine
    uint32_t n_locals;
    uint32_t locals[TN_CONTACT_LOCAL_ADDRESSES_MAX]; ///< network byte order
};

/// @return a link whose sockets are closed. Thread: any. Allocates: never. Blocks: never.
struct tn_contact_link tn_contact_link_closed(void);

/// Opens the sockets, the receive socket on every address.
/// @return TN_OK; TN_ERR_BUSY: a port is in use, err names it, its parameter and the cure;
/// TN_ERR_INVALID_ARGUMENT: ds_ip is no IPv4 address or receive_port is 0; TN_ERR_PERMISSION;
/// TN_ERR_IO. Closed on error. Thread: any. Allocates: yes, gives it back. Blocks: never.
TN_NODISCARD enum tn_result tn_contact_link_open(struct tn_contact_link *link,
                                                 const struct tn_contact_ports *ports,
                                                 struct tn_error *err);

/// Closes the sockets; harmless on a closed link. @return nothing. Thread: one caller. Allocates:
/// never. Blocks: never.
void tn_contact_link_close(struct tn_contact_link *link);

/// @return whether a sender may be DivingStation: its address, whatever its port; any address of
/// this machine when DivingStation runs on it. Thread: any. Allocates: never. Blocks: never.
bool tn_contact_link_accepts(const struct tn_contact_link *link, const struct sockaddr_in *source);

/// Sends a datagram to DivingStation. @return as tn_udp_send(); TN_ERR_STATE: closed.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_contact_link_send(const struct tn_contact_link *link,
                                                 const void *data, size_t size);

#endif
