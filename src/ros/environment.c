// SPDX-License-Identifier: Apache-2.0
#include "ros/ros__environment.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"

/// Participants that LOCALHOST and static peers can find on one machine, as ROS sets it.
#define MAX_PARTICIPANT_INDEX 32

enum range { RANGE_SUBNET, RANGE_LOCALHOST, RANGE_OFF, RANGE_SYSTEM_DEFAULT };

/// Text being put together; `is_full` sticks.
struct text {
    char *data;
    size_t capacity, size;
    bool is_full;
};

static void append(struct text *text, const char *format, ...) TN_PRINTF(2, 3);
static void append(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = text->capacity - text->size;
    int n = vsnprintf(text->data + text->size, room, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= room)
        text->is_full = true;
    else
        text->size += (size_t)n;
}

static enum tn_result read_domain(const char *value, uint32_t *out, struct tn_error *err)
{
    uint64_t id = 0;
    if (value == NULL || value[0] == '\0') {
        *out = 0;
        return TN_OK;
    }
    if (tn_parse_u64(value, strlen(value), 0, 232, &id) != TN_OK)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "ROS_DOMAIN_ID is \"%.40s\"; allowed is a number from 0 to 232", value);
    *out = (uint32_t)id;
    return TN_OK;
}

static enum tn_result read_range(const char *value, enum range *out, struct tn_error *err)
{
    static const struct {
        const char *name;
        enum range range;
    } ranges[] = {
        {"SUBNET", RANGE_SUBNET},
        {"LOCALHOST", RANGE_LOCALHOST},
        {"OFF", RANGE_OFF},
        {"SYSTEM_DEFAULT", RANGE_SYSTEM_DEFAULT},
    };
    *out = RANGE_SUBNET;
    if (value == NULL || value[0] == '\0')
        return TN_OK;
    for (size_t i = 0; i < TN_ARRAY_SIZE(ranges); i++)
        if (strcmp(value, ranges[i].name) == 0) {
            *out = ranges[i].range;
            return TN_OK;
        }
    return tn_error_set(
        err, TN_ERR_INVALID_ARGUMENT,
        "ROS_AUTOMATIC_DISCOVERY_RANGE is \"%.40s\"; allowed are SUBNET, LOCALHOST, "
        "OFF and SYSTEM_DEFAULT",
        value);
}

static enum tn_result read_localhost_only(const char *value, bool *out, struct tn_error *err)
{
    *out = value != NULL && strcmp(value, "1") == 0;
    if (*out || value == NULL || value[0] == '\0' || strcmp(value, "0") == 0)
        return TN_OK;
    return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                        "ROS_LOCALHOST_ONLY is \"%.40s\"; allowed are 0 and 1", value);
}

/// Adds one peer; only what an address or host name is made of, so that no XML can slip in.
static enum tn_result append_peer(struct text *xml, const char *peer, size_t size,
                                  struct tn_error *err)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-_[]%";
    size_t n = strspn(peer, allowed);
    if (n < size)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "ROS_STATIC_PEERS has \"%.*s\"; expected addresses or host names "
                            "separated by ;",
                            (int)(size < 60 ? size : 60), peer);
    append(xml, "<Peer address=\"%.*s\"/>", (int)size, peer);
    return TN_OK;
}

static enum tn_result append_peers(struct text *xml, const char *peers, struct tn_error *err)
{
    while (*peers != '\0') {
        size_t size = strcspn(peers, ";");
        if (size > 0) {
            enum tn_result result = append_peer(xml, peers, size, err);
            if (result != TN_OK)
                return result;
        }
        peers += size + (peers[size] == ';');
    }
    return TN_OK;
}

static enum tn_result append_discovery(struct text *xml, enum range range, bool localhost_only,
                                       const char *peers, long pid, struct tn_error *err)
{
    bool has_peers = peers != NULL && peers[0] != '\0';
    bool is_local = localhost_only || range == RANGE_LOCALHOST;
    if (range == RANGE_SYSTEM_DEFAULT || (range == RANGE_SUBNET && !is_local && !has_peers))
        return TN_OK;

    append(xml, "<CycloneDDS><Domain>");
    if (localhost_only)
        append(xml, "<General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"
                    "</General>");
    else if (range == RANGE_LOCALHOST || range == RANGE_OFF)
        append(xml, "<General><AllowMulticast>false</AllowMulticast></General>");

    append(xml, "<Discovery>");
    if (range == RANGE_OFF && !localhost_only) {
        // nobody else has this tag: nobody is found
        append(xml, "<Tag>ros_discovery_off_%ld</Tag>", pid);
    } else {
        // peers are looked for at well-known ports, so everybody must use them
        append(xml,
               "<ParticipantIndex>auto</ParticipantIndex>"
               "<MaxAutoParticipantIndex>%d</MaxAutoParticipantIndex><Peers>",
               MAX_PARTICIPANT_INDEX);
        if (is_local)
            append(xml, "<Peer address=\"localhost\"/>");
        enum tn_result result =
            has_peers && !localhost_only ? append_peers(xml, peers, err) : TN_OK;
        if (result != TN_OK)
            return result;
        append(xml, "</Peers>");
    }
    append(xml, "</Discovery></Domain></CycloneDDS>");
    return TN_OK;
}

enum tn_result tn_ros__environment_read(tn_ros__getenv_fn get, void *context, long pid,
                                        struct tn_ros__environment *out, struct tn_error *err)
{
    struct tn_ros__environment env = {0};
    enum range range = RANGE_SUBNET;
    bool localhost_only = false;
    enum tn_result result = read_domain(get(context, "ROS_DOMAIN_ID"), &env.domain_id, err);
    if (result == TN_OK)
        result = read_range(get(context, "ROS_AUTOMATIC_DISCOVERY_RANGE"), &range, err);
    if (result == TN_OK)
        result = read_localhost_only(get(context, "ROS_LOCALHOST_ONLY"), &localhost_only, err);
    struct text xml = {.data = env.config_xml, .capacity = sizeof env.config_xml};
    if (result == TN_OK)
        result = append_discovery(&xml, range, localhost_only, get(context, "ROS_STATIC_PEERS"),
                                  pid, err);
    if (result != TN_OK)
        return result;

    // the user's own configuration comes last and so wins
    const char *uri = get(context, "CYCLONEDDS_URI");
    if (uri != NULL && uri[0] != '\0')
        append(&xml, "%s%s", xml.size > 0 ? "," : "", uri);
    if (xml.is_full)
        return tn_error_set(err, TN_ERR_LIMIT,
                            "ROS_STATIC_PEERS and CYCLONEDDS_URI together have more than %d "
                            "characters; put the configuration into a file and name that in "
                            "CYCLONEDDS_URI",
                            TN_ROS__CONFIG_XML_MAX);
    *out = env;
    return TN_OK;
}
