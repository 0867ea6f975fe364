// SPDX-License-Identifier: Apache-2.0
#include "ros/cyclone/cyclone__inband.h"

#include <stdbool.h>
#include <string.h>

#define HEADER TN_ROS__CDR_HEADER_SIZE

static bool is_little_endian(const uint8_t *cdr)
{
    return (cdr[1] & 1u) != 0;
}

static uint64_t get_u64(const uint8_t *p, bool is_little)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (uint64_t)p[i] << (is_little ? 8 * i : 56 - 8 * i);
    return value;
}

static void put_u64(uint8_t *p, uint64_t value, bool is_little)
{
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)(value >> (is_little ? 8 * i : 56 - 8 * i));
}

enum tn_result tn_ros__inband_get(const uint8_t *cdr, size_t size, struct tn_ros__inband *out_id)
{
    // plain CDR only: the two bytes are 00 00 or 00 01
    if (size < HEADER + TN_ROS__INBAND_SIZE || cdr[0] != 0 || cdr[1] > 1)
        return TN_ERR_MALFORMED;
    out_id->client = get_u64(cdr + HEADER, is_little_endian(cdr));
    out_id->sequence = (int64_t)get_u64(cdr + HEADER + 8, is_little_endian(cdr));
    return TN_OK;
}

void tn_ros__inband_strip(const uint8_t *cdr, size_t size, uint8_t *out)
{
    memcpy(out, cdr, HEADER);
    memcpy(out + HEADER, cdr + HEADER + TN_ROS__INBAND_SIZE, size - HEADER - TN_ROS__INBAND_SIZE);
}

void tn_ros__inband_put(struct tn_ros__inband id, const uint8_t *cdr, size_t size, uint8_t *out)
{
    memcpy(out, cdr, HEADER);
    put_u64(out + HEADER, id.client, is_little_endian(cdr));
    put_u64(out + HEADER + 8, (uint64_t)id.sequence, is_little_endian(cdr));
    memcpy(out + HEADER + TN_ROS__INBAND_SIZE, cdr + HEADER, size - HEADER);
}
