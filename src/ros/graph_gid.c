// SPDX-License-Identifier: Apache-2.0
// Humble's gids have 24 bytes in ros_discovery_info, later ones 16: which to announce.
#include <string.h>

#include "ros/ros__graph.h"

enum tn_ros__gid_reader tn_ros__gid_reader_of(const uint8_t *user_data, size_t size)
{
    char value[TN_ROS__HASH_MAX];
    tn_ros__user_data_get(user_data, size, "gidsize", value, sizeof value);
    if (strcmp(value, "any") == 0)
        return TN_ROS__READS_BOTH;
    tn_ros__user_data_get(user_data, size, "typehash", value, sizeof value);
    return value[0] != '\0' ? TN_ROS__READS_16 : TN_ROS__READS_24;
}

void tn_ros__gid_choice_reader(struct tn_ros__gid_choice *choice, struct tn_gid gid, bool is_alive,
                               enum tn_ros__gid_reader kind)
{
    uint32_t i = 0;
    while (i < choice->n_readers && memcmp(choice->readers[i].gid.data, gid.data, TN_GID_SIZE) != 0)
        i++;
    if (!is_alive) {
        if (i < choice->n_readers)
            choice->readers[i] = choice->readers[--choice->n_readers];
        return;
    }
    if (i == TN_ROS__GID_READERS_MAX)
        return;
    choice->readers[i].gid = gid;
    choice->readers[i].kind = kind;
    if (i == choice->n_readers)
        choice->n_readers++;
}

static bool is_there(const struct tn_ros__gid_choice *choice, enum tn_ros__gid_reader kind)
{
    for (uint32_t i = 0; i < choice->n_readers; i++)
        if (choice->readers[i].kind == kind)
            return true;
    return false;
}

bool tn_ros__gid_choice_decide(struct tn_ros__gid_choice *choice)
{
    uint32_t before = choice->size;
    if (choice->forced != 0)
        choice->size = choice->forced;
    else if (is_there(choice, TN_ROS__READS_24))
        choice->size = TN_ROS__GID_SIZE_HUMBLE;
    else if (is_there(choice, TN_ROS__READS_16) || (before == 0 && choice->has_waited))
        choice->size = TN_GID_SIZE;
    return choice->size != before;
}

bool tn_ros__gid_choice_is_mixed(struct tn_ros__gid_choice *choice)
{
    enum tn_ros__gid_reader other =
        choice->size == TN_GID_SIZE ? TN_ROS__READS_24 : TN_ROS__READS_16;
    if (choice->size == 0 || choice->has_told || !is_there(choice, other))
        return false;
    choice->has_told = true;
    return true;
}
