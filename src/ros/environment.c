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

/// Unknown values narrow the range, as rcl has it.
static enum range read_range(const char *value, struct text *warning)
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
    if (value == NULL || value[0] == '\0')
        return RANGE_SUBNET;
    for (size_t i = 0; i < TN_ARRAY_SIZE(ranges); i++)
        if (strcmp(value, ranges[i].name) == 0)
            return ranges[i].range;
    append(warning,
           "ROS_AUTOMATIC_DISCOVERY_RANGE is \"%.40s\"; allowed are SUBNET, LOCALHOST, OFF and "
           "SYSTEM_DEFAULT: assuming LOCALHOST. ",
           value);
    return RANGE_LOCALHOST;
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

static bool is_set(const char *value)
{
    return value != NULL && value[0] != '\0';
}

/// What the variables mean together.
struct discovery {
    enum range range;
    bool is_humble;      ///< localhost only is another thing there
    bool localhost_only; ///< the older variable, which wins
    const char *peers;   ///< NULL: none, or ignored
};

/// Drops what another setting makes void and says so, as rcl and rmw_cyclonedds_cpp.
static void settle(struct discovery *d, bool has_range, struct text *warning)
{
    if (d->localhost_only && !d->is_humble) {
        append(warning, "ROS_LOCALHOST_ONLY is deprecated but still honored; use "
                        "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST instead. ");
        if (has_range || is_set(d->peers))
            append(warning, "ROS_AUTOMATIC_DISCOVERY_RANGE and ROS_STATIC_PEERS are ignored "
                            "beside it. ");
    }
    bool is_ignored = d->range == RANGE_OFF || d->range == RANGE_SYSTEM_DEFAULT;
    if (!d->localhost_only && is_ignored && is_set(d->peers))
        append(warning, "ROS_STATIC_PEERS is ignored since ROS_AUTOMATIC_DISCOVERY_RANGE is %s. ",
               d->range == RANGE_OFF ? "OFF" : "SYSTEM_DEFAULT");
    if (d->localhost_only)
        d->range = RANGE_LOCALHOST;
    if (d->localhost_only || is_ignored)
        d->peers = NULL;
}

static enum tn_result append_discovery(struct text *xml, const struct discovery *d, long pid,
                                       struct tn_error *err)
{
    enum tn_result result = TN_OK;
    bool is_local = d->range == RANGE_LOCALHOST;
    if (d->range == RANGE_SYSTEM_DEFAULT)
        return TN_OK;

    append(xml, "<CycloneDDS><Domain>");
    if (d->localhost_only && d->is_humble)
        append(xml, "<General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"
                    "</General>");
    else if (is_local || d->range == RANGE_OFF)
        append(xml, "<General><AllowMulticast>false</AllowMulticast></General>");

    append(xml, "<Discovery>");
    if (d->range == RANGE_OFF) {
        // nobody else has this tag: nobody is found
        append(xml, "<ParticipantIndex>none</ParticipantIndex><Tag>ros_discovery_off_%ld</Tag>",
               pid);
    } else {
        // whoever names this host as a static peer looks at the well-known ports
        append(xml,
               "<ParticipantIndex>auto</ParticipantIndex>"
               "<MaxAutoParticipantIndex>%d</MaxAutoParticipantIndex>",
               MAX_PARTICIPANT_INDEX);
        bool has_peers = is_local || is_set(d->peers);
        append(xml, "%s%s", has_peers ? "<Peers>" : "",
               is_local ? "<Peer address=\"localhost\"/>" : "");
        if (is_set(d->peers))
            result = append_peers(xml, d->peers, err);
        append(xml, "%s", has_peers ? "</Peers>" : "");
    }
    append(xml, "</Discovery></Domain></CycloneDDS>");
    return result;
}

/// ROS 2 distributions with gids of 24 bytes; all others have 16.
static bool is_early(const char *distro)
{
    static const char *const names[] = {"dashing", "eloquent", "foxy", "galactic", "humble"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++)
        if (strcmp(distro, names[i]) == 0)
            return true;
    return false;
}

static enum tn_result read_gid_size(const char *value, const char *distro, uint32_t *out,
                                    struct tn_error *err)
{
    *out = !is_set(distro) ? 0 : is_early(distro) ? 24 : 16;
    if (!is_set(value))
        return TN_OK;
    if (strcmp(value, "16") == 0)
        *out = 16;
    else if (strcmp(value, "24") == 0)
        *out = 24;
    else if (strcmp(value, "auto") == 0)
        *out = 0;
    else
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "TENDON_GID_SIZE is \"%.40s\"; allowed are 16, 24 (ROS 2 Humble) and "
                            "auto",
                            value);
    return TN_OK;
}

enum tn_result tn_ros__environment_read(tn_ros__getenv_fn get, void *context, long pid,
                                        struct tn_ros__environment *out, struct tn_error *err)
{
    struct tn_ros__environment env = {0};
    struct text xml = {.data = env.config_xml, .capacity = sizeof env.config_xml};
    struct text warning = {.data = env.warning, .capacity = sizeof env.warning};
    const char *distro = get(context, "ROS_DISTRO");
    const char *range = get(context, "ROS_AUTOMATIC_DISCOVERY_RANGE");
    struct discovery discovery = {
        .range = read_range(range, &warning),
        .is_humble = is_set(distro) && is_early(distro),
        .peers = get(context, "ROS_STATIC_PEERS"),
    };
    enum tn_result result = read_domain(get(context, "ROS_DOMAIN_ID"), &env.domain_id, err);
    if (result == TN_OK)
        result =
            read_localhost_only(get(context, "ROS_LOCALHOST_ONLY"), &discovery.localhost_only, err);
    if (result == TN_OK)
        result = read_gid_size(get(context, "TENDON_GID_SIZE"), distro, &env.gid_size, err);
    settle(&discovery, is_set(range), &warning);
    if (result == TN_OK)
        result = append_discovery(&xml, &discovery, pid, err);
    if (result != TN_OK)
        return result;

    // the user's own configuration comes last and so wins
    const char *uri = get(context, "CYCLONEDDS_URI");
    if (is_set(uri))
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
