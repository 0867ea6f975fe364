// SPDX-License-Identifier: Apache-2.0
// Inside test/isolate a multicast datagram sent by one socket reaches another, by the route alone.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int fail(const char *what)
{
    perror(what);
    return 1;
}

int main(void)
{
    struct sockaddr_in group = {.sin_family = AF_INET, .sin_port = htons(7400)};
    group.sin_addr.s_addr = htonl(0xefff0001U); // 239.255.0.1, where DDS discovery speaks
    const int receiver = socket(AF_INET, SOCK_DGRAM, 0);
    if (receiver < 0 || bind(receiver, (const struct sockaddr *)&group, sizeof group) != 0)
        return fail("bind");
    // membership level 35 is IP_ADD_MEMBERSHIP: the group, then the interface
    const struct {
        struct in_addr group;
        struct in_addr interface;
    } join = {group.sin_addr, {htonl(INADDR_LOOPBACK)}};
    if (setsockopt(receiver, IPPROTO_IP, 35, &join, sizeof join) != 0)
        return fail("join");

    const int sender = socket(AF_INET, SOCK_DGRAM, 0);
    if (sendto(sender, "ping", 4, 0, (const struct sockaddr *)&group, sizeof group) != 4)
        return fail("send");
    struct pollfd ready = {.fd = receiver, .events = POLLIN};
    char text[8] = {0};
    if (poll(&ready, 1, 10000) != 1 || recv(receiver, text, sizeof text, 0) != 4)
        return fail("receive");
    close(sender);
    close(receiver);
    return memcmp(text, "ping", 4) == 0 ? 0 : 1;
}
