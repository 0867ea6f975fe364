// SPDX-License-Identifier: Apache-2.0
#include "ros/cyclone/cyclone__rtps.h"

#include <string.h>

#define RTPS_HEADER_SIZE    20u
#define SUBMESSAGE_DATA     0x15u
#define SUBMESSAGE_DATAFRAG 0x16u
#define FLAG_LITTLE_ENDIAN  0x01u
#define FLAG_INLINE_QOS     0x02u
/// Submessage header, extraFlags, octetsToInlineQos, two entity ids, sequence number.
#define DATA_FIXED_SIZE 24u
#define IDENTITY_SIZE   24u

static uint16_t get_u16(const uint8_t *p, bool is_little)
{
    return (uint16_t)(is_little ? (p[0] | p[1] << 8) : (p[1] | p[0] << 8));
}

static uint32_t get_u32(const uint8_t *p, bool is_little)
{
    uint32_t a = get_u16(p, is_little), b = get_u16(p + 2, is_little);
    return is_little ? (a | b << 16) : (b | a << 16);
}

static int64_t get_sequence(const uint8_t *p, bool is_little)
{
    uint64_t high = get_u32(p, is_little), low = get_u32(p + 4, is_little);
    return (int64_t)(high << 32 | low);
}

/// A number that Cyclone has put into the machine's byte order already.
static uint16_t get_host_u16(const uint8_t *p)
{
    uint16_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

static uint32_t get_host_u32(const uint8_t *p)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

/// Part of a GUID: in the machine's byte order here, big-endian in a gid.
static void copy_guid_word(uint8_t *out, const uint8_t *p)
{
    uint32_t value = get_host_u32(p);
    for (unsigned i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void get_related(const uint8_t *p, const uint8_t *end, bool is_little,
                        struct tn_ros__rtps_meta *meta)
{
    while ((size_t)(end - p) >= 4) {
        uint16_t pid = get_u16(p, is_little), size = get_u16(p + 2, is_little);
        p += 4;
        if (pid == TN_ROS__PID_SENTINEL || size > (size_t)(end - p))
            return;
        bool is_related = pid == TN_ROS__PID_RELATED_SAMPLE_IDENTITY ||
                          pid == TN_ROS__PID_RELATED_SAMPLE_IDENTITY_LEGACY;
        if (is_related && size >= IDENTITY_SIZE) {
            memcpy(meta->related.gid.data, p, TN_GID_SIZE);
            meta->related.sequence = get_sequence(p + TN_GID_SIZE, is_little);
            meta->has_related = true;
        }
        // parameters are padded to 4 bytes
        size_t step = ((size_t)size + 3u) & ~(size_t)3u;
        if (step > (size_t)(end - p))
            return;
        p += step;
    }
}

bool tn_ros__rtps_parse(const uint8_t *packet, size_t payload, size_t submessage,
                        struct tn_ros__rtps_meta *out_meta)
{
    memset(out_meta, 0, sizeof *out_meta);
    if (submessage < RTPS_HEADER_SIZE || payload < submessage ||
        payload - submessage < DATA_FIXED_SIZE)
        return false;

    const uint8_t *s = packet + submessage;
    if (s[0] != SUBMESSAGE_DATA && s[0] != SUBMESSAGE_DATAFRAG)
        return false;
    bool is_little = (s[1] & FLAG_LITTLE_ENDIAN) != 0;

    memcpy(out_meta->vendor, packet + 6, 2);
    for (size_t i = 0; i < 12; i += 4)
        copy_guid_word(out_meta->sample.gid.data + i, packet + 8 + i);
    copy_guid_word(out_meta->sample.gid.data + 12, s + 12);
    uint64_t high = get_host_u32(s + 16), low = get_host_u32(s + 20);
    out_meta->sample.sequence = (int64_t)(high << 32 | low);
    out_meta->is_known = true;

    size_t qos = 8u + (size_t)get_host_u16(s + 6);
    if ((s[1] & FLAG_INLINE_QOS) && qos <= payload - submessage)
        get_related(s + qos, packet + payload, is_little, out_meta);
    return true;
}

static uint8_t *put_u16(uint8_t *p, uint16_t value)
{
    memcpy(p, &value, sizeof value);
    return p + sizeof value;
}

static uint8_t *put_u32(uint8_t *p, uint32_t value)
{
    memcpy(p, &value, sizeof value);
    return p + sizeof value;
}

static uint8_t *put_identity(uint8_t *p, uint16_t pid, const struct tn_ros__identity *identity)
{
    p = put_u16(p, pid);
    p = put_u16(p, IDENTITY_SIZE);
    memcpy(p, identity->gid.data, TN_GID_SIZE);
    p = put_u32(p + TN_GID_SIZE, (uint32_t)((uint64_t)identity->sequence >> 32));
    return put_u32(p, (uint32_t)((uint64_t)identity->sequence & 0xffffffffu));
}

void tn_ros__rtps_put_related(uint8_t *out, const struct tn_ros__identity *related)
{
    uint8_t *p = put_identity(out, TN_ROS__PID_RELATED_SAMPLE_IDENTITY, related);
    p = put_identity(p, TN_ROS__PID_RELATED_SAMPLE_IDENTITY_LEGACY, related);
    p = put_u16(p, TN_ROS__PID_SENTINEL);
    put_u16(p, 0);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Reads 16 bytes of one or two digits with dots between, up to a ';' or the end.
static bool read_id(const char *text, const char *end, uint8_t id[16])
{
    for (unsigned i = 0; i < 16; i++) {
        int high = text < end ? hex_digit(*text) : -1;
        int low = end - text > 1 ? hex_digit(text[1]) : -1;
        if (high < 0)
            return false;
        id[i] = (uint8_t)(low < 0 ? high : high * 16 + low);
        text += low < 0 ? 1 : 2;
        bool is_end = text == end || *text == ';';
        if (i == 15)
            return is_end;
        if (is_end || *text++ != '.')
            return false;
    }
    return false;
}

bool tn_ros__id_parse(const char *user_data, size_t size, const char *key, uint8_t *out)
{
    const size_t key_size = strlen(key);
    const char *end = user_data + size;
    for (const char *p = user_data; size > 0 && (size_t)(end - p) > key_size;) {
        uint8_t id[16];
        if (memcmp(p, key, key_size) == 0 && p[key_size] == '=' &&
            read_id(p + key_size + 1, end, id)) {
            memcpy(out, id, sizeof id);
            return true;
        }
        const char *separator = memchr(p, ';', (size_t)(end - p));
        if (separator == NULL)
            return false;
        p = separator + 1;
    }
    return false;
}
