// SPDX-License-Identifier: Apache-2.0
#include "rtps_rewrite.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

RtpsRewrite &rtps_rewrite()
{
    static RtpsRewrite state;
    return state;
}

namespace {

constexpr uint16_t OLD_ID = 0x800f, NEW_ID = 0x0083, PAD = 0x0000, SENTINEL = 0x0001;
constexpr size_t PARAMETER_SIZE = 4 + 24;
using Bytes = std::vector<uint8_t>;

uint16_t get_u16(const uint8_t *p, bool is_little)
{
    return static_cast<uint16_t>(is_little ? p[0] | p[1] << 8 : p[1] | p[0] << 8);
}

void put_u16(uint8_t *p, uint16_t value, bool is_little)
{
    p[is_little ? 0 : 1] = static_cast<uint8_t>(value);
    p[is_little ? 1 : 0] = static_cast<uint8_t>(value >> 8);
}

// Offsets of the identity parameters in one DATA or DATA_FRAG submessage.
std::vector<size_t> find(const Bytes &packet, size_t at, size_t end, bool is_little)
{
    std::vector<size_t> found;
    size_t p = at + 8 + get_u16(&packet[at + 6], is_little);
    while (p + 4 <= end) {
        uint16_t id = get_u16(&packet[p], is_little), size = get_u16(&packet[p + 2], is_little);
        if (id == SENTINEL || p + 4 + size > end)
            break;
        if ((id == OLD_ID || id == NEW_ID) && size == 24)
            found.push_back(p);
        p += 4u + size;
    }
    return found;
}

// Calls change(packet, submessage, parameters, is_little) for each submessage with inline QoS, from
// the last one on, so that a change does not move what is still to come.
template <typename Change> void for_each(Bytes &packet, Change change)
{
    if (packet.size() < 20 || std::memcmp(packet.data(), "RTPS", 4) != 0)
        return;
    std::vector<size_t> starts;
    for (size_t at = 20; at + 4 <= packet.size();) {
        bool is_little = packet[at + 1] & 1;
        size_t size = get_u16(&packet[at + 2], is_little);
        starts.push_back(at);
        if (size == 0)
            break;
        at += 4 + size;
    }
    for (size_t i = starts.size(); i-- > 0;) {
        size_t at = starts[i];
        bool is_little = packet[at + 1] & 1, is_data = packet[at] == 0x15 || packet[at] == 0x16;
        size_t size = get_u16(&packet[at + 2], is_little);
        size_t end = size == 0 ? packet.size() : at + 4 + size;
        if (is_data && (packet[at + 1] & 2) && end <= packet.size() && at + 24 <= end)
            change(packet, at, find(packet, at, end, is_little), is_little);
    }
}

void add_new_id(Bytes &packet, size_t at, const std::vector<size_t> &parameters, bool is_little)
{
    for (size_t i = parameters.size(); i-- > 0;) {
        Bytes copy(packet.begin() + static_cast<long>(parameters[i]),
                   packet.begin() + static_cast<long>(parameters[i] + PARAMETER_SIZE));
        put_u16(copy.data(), NEW_ID, is_little);
        packet.insert(packet.begin() + static_cast<long>(parameters[i]), copy.begin(), copy.end());
        uint16_t size = get_u16(&packet[at + 2], is_little);
        if (size != 0)
            put_u16(&packet[at + 2], static_cast<uint16_t>(size + PARAMETER_SIZE), is_little);
        rtps_rewrite().n_sent++;
    }
}

void read_new_id(Bytes &packet, size_t, const std::vector<size_t> &parameters, bool is_little)
{
    for (size_t p : parameters) {
        bool is_old = get_u16(&packet[p], is_little) == OLD_ID;
        (is_old ? rtps_rewrite().n_hidden : rtps_rewrite().n_read)++;
        put_u16(&packet[p], is_old ? PAD : OLD_ID, is_little);
    }
}

} // namespace

// These take the place of libc's for the libraries of this process as well.
extern "C" {

ssize_t sendmsg(int fd, const msghdr *message, int flags)
{
    if (!rtps_rewrite().is_on)
        return syscall(SYS_sendmsg, fd, message, flags);
    Bytes packet;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        const uint8_t *part = static_cast<const uint8_t *>(message->msg_iov[i].iov_base);
        packet.insert(packet.end(), part, part + message->msg_iov[i].iov_len);
    }
    ssize_t size = static_cast<ssize_t>(packet.size());
    for_each(packet, add_new_id);
    iovec all = {packet.data(), packet.size()};
    msghdr changed = *message;
    changed.msg_iov = &all;
    changed.msg_iovlen = 1;
    return syscall(SYS_sendmsg, fd, &changed, flags) < 0 ? -1 : size;
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const sockaddr *to, socklen_t n)
{
    iovec part = {const_cast<void *>(data), size};
    msghdr message = {};
    message.msg_name = const_cast<sockaddr *>(to);
    message.msg_namelen = n;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    return sendmsg(fd, &message, flags);
}

ssize_t recvmsg(int fd, msghdr *message, int flags)
{
    ssize_t size = syscall(SYS_recvmsg, fd, message, flags);
    if (size <= 0 || !rtps_rewrite().is_on || message->msg_iovlen != 1)
        return size;
    uint8_t *data = static_cast<uint8_t *>(message->msg_iov[0].iov_base);
    Bytes packet(data, data + size);
    for_each(packet, read_new_id);
    std::memcpy(data, packet.data(), packet.size());
    return size;
}

ssize_t recvfrom(int fd, void *data, size_t size, int flags, sockaddr *from, socklen_t *n)
{
    iovec part = {data, size};
    msghdr message = {};
    message.msg_name = from;
    message.msg_namelen = n == nullptr ? 0 : *n;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    ssize_t got = recvmsg(fd, &message, flags);
    if (n != nullptr)
        *n = message.msg_namelen;
    return got;
}
}
