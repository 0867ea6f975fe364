// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_link.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <string.h>
#include <unistd.h>

struct tn_contact_link tn_contact_link_closed(void)
{
    return (struct tn_contact_link){.receive_fd = -1, .send_fd = -1};
}

static bool is_loopback(uint32_t address)
{
    return ntohl(address) >> 24 == 127;
}

static bool is_own(const struct tn_contact_link *link, uint32_t address)
{
    for (uint32_t i = 0; i < link->n_locals; i++) {
        if (link->locals[i] == address)
            return true;
    }
    return is_loopback(address);
}

static void add_local(struct tn_contact_link *link, const struct sockaddr *address)
{
    struct sockaddr_in in;
    if (address == NULL || address->sa_family != AF_INET ||
        link->n_locals == TN_CONTACT_LOCAL_ADDRESSES_MAX)
        return;
    memcpy(&in, address, sizeof in);
    link->locals[link->n_locals++] = in.sin_addr.s_addr;
}

/// Collects this machine's addresses; without them only loopback counts as local.
static void find_locals(struct tn_contact_link *link)
{
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) == 0) {
        for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next)
            add_local(link, entry->ifa_addr);
        freeifaddrs(list);
    }
    link->is_local = is_own(link, link->ds.sin_addr.s_addr);
}

static enum tn_result open_sockets(struct tn_contact_link *link,
                                   const struct tn_contact_ports *ports, struct tn_error *err)
{
    enum tn_result result =
        tn_udp_open("0.0.0.0", ports->receive_port, "receive_port", &link->receive_fd, err);
    if (result != TN_OK)
        return result;
    if (ports->send_port == ports->receive_port)
        link->send_fd = link->receive_fd;
    else
        result = tn_udp_open("0.0.0.0", ports->send_port, "send_port", &link->send_fd, err);
    return result;
}

enum tn_result tn_contact_link_open(struct tn_contact_link *link,
                                    const struct tn_contact_ports *ports, struct tn_error *err)
{
    struct tn_contact_link opened = tn_contact_link_closed();
    if (ports->receive_port == 0)
        return tn_error_set(
            err, TN_ERR_INVALID_ARGUMENT,
            "receive_port is 0, expected 1..65535: DivingStation must be told where "
            "to send");
    enum tn_result result = tn_udp_address(ports->ds_ip, ports->ds_port, &opened.ds, err);
    if (result == TN_OK)
        result = open_sockets(&opened, ports, err);
    if (result != TN_OK) {
        tn_contact_link_close(&opened);
        return result;
    }
    find_locals(&opened);
    opened.source_port = tn_udp_local_port(opened.send_fd);
    *link = opened;
    return TN_OK;
}

void tn_contact_link_close(struct tn_contact_link *link)
{
    if (link->send_fd >= 0 && link->send_fd != link->receive_fd)
        (void)close(link->send_fd);
    if (link->receive_fd >= 0)
        (void)close(link->receive_fd);
    *link = tn_contact_link_closed();
}

bool tn_contact_link_accepts(const struct tn_contact_link *link, const struct sockaddr_in *source)
{
    uint32_t address = source->sin_addr.s_addr;
    return address == link->ds.sin_addr.s_addr || (link->is_local && is_own(link, address));
}

enum tn_result tn_contact_link_send(const struct tn_contact_link *link, const void *data,
                                    size_t size)
{
    if (link->send_fd < 0)
        return TN_ERR_STATE;
    return tn_udp_send(link->send_fd, &link->ds, data, size);
}
