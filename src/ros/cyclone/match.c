// SPDX-License-Identifier: Apache-2.0
#include "ros/cyclone/cyclone__match.h"

#include <string.h>

#define ENTITY_READER 0x04u ///< bit of a GUID's last byte

bool tn_ros__is_cyclone(const uint8_t *bytes)
{
    return bytes[0] == 0x01 && bytes[1] == 0x10;
}

static bool has_prefix(const struct tn_ros__match *match, const uint8_t *prefix)
{
    return memcmp(match->gid.data, prefix, TN_ROS__PREFIX_SIZE) == 0;
}

static size_t count_of_participant(const struct tn_ros__matches *matches, const uint8_t *prefix)
{
    size_t n = 0;
    for (size_t i = 0; i < matches->n; i++)
        n += has_prefix(&matches->items[i], prefix);
    return n;
}

static bool has_id(const struct tn_ros__matches *matches, const uint8_t *id)
{
    for (size_t i = 0; i < matches->n; i++)
        if (matches->items[i].has_id && memcmp(matches->items[i].id, id, 16) == 0)
            return true;
    return false;
}

/// Whether the other half of the server that this reader belongs to is there as well.
static bool is_complete(const struct tn_ros__match *reader, const struct tn_ros__matches *readers,
                        const struct tn_ros__matches *writers)
{
    const uint8_t *prefix = reader->gid.data;
    if (reader->has_id && tn_ros__is_cyclone(prefix))
        return has_id(writers, reader->id);
    return count_of_participant(readers, prefix) == count_of_participant(writers, prefix);
}

enum tn_ros__form tn_ros__choose_form(const struct tn_ros__matches *readers,
                                      const struct tn_ros__matches *writers, bool can_rpc)
{
    bool has_foreign = readers->is_cut;
    for (size_t i = 0; i < readers->n; i++)
        has_foreign = has_foreign || !tn_ros__is_cyclone(readers->items[i].gid.data);
    if (has_foreign && !can_rpc)
        return TN_ROS__FORM_NONE;

    // among strangers only they count: a Cyclone server need not understand their form
    for (size_t i = 0; i < readers->n; i++) {
        const struct tn_ros__match *reader = &readers->items[i];
        if (has_foreign == !tn_ros__is_cyclone(reader->gid.data) &&
            is_complete(reader, readers, writers))
            return has_foreign ? TN_ROS__FORM_RPC : TN_ROS__FORM_CYCLONE;
    }
    return TN_ROS__FORM_NONE;
}

/// A reader of the same participant, where nothing names the very one.
static bool has_participant(const struct tn_ros__matches *readers, struct tn_gid gid)
{
    for (size_t i = 0; i < readers->n; i++)
        if (has_prefix(&readers->items[i], gid.data))
            return true;
    return false;
}

bool tn_ros__is_asker_there(const struct tn_ros__matches *readers,
                            const struct tn_transport_request_id *id)
{
    struct tn_gid gid;
    if (readers->is_cut)
        return true;
    if (id->format == TN_ROS__FORM_CYCLONE)
        return id->has_client_id ? has_id(readers, id->client_id)
                                 : has_participant(readers, id->writer);
    memcpy(&gid, id->client, sizeof gid);
    if ((gid.data[TN_GID_SIZE - 1] & ENTITY_READER) != 0)
        return tn_ros__match_find(readers, gid) != NULL;
    return has_participant(readers, gid);
}

const struct tn_ros__match *tn_ros__match_find(const struct tn_ros__matches *matches,
                                               struct tn_gid gid)
{
    for (size_t i = 0; i < matches->n; i++)
        if (memcmp(&matches->items[i].gid, &gid, sizeof gid) == 0)
            return &matches->items[i];
    return NULL;
}
