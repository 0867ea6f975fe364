// SPDX-License-Identifier: Apache-2.0
// A sample in pieces, as Cyclone's receive thread hands it over: any sizes, gaps, overlaps and
// inline QoS. Either the whole sample comes out, byte for byte, or none.
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>
#include <dds/ddsi/q_radmin.h>

#include "ros/cyclone/cyclone__sample.h"

#define PIECES_MAX 16u
#define HEAD       64u ///< RTPS header and submessage in front of each payload

static uint8_t byte_at(uint32_t offset)
{
    return (uint8_t)(offset * 31u + (offset >> 8));
}

struct input {
    const uint8_t *data;
    size_t size;
};

static uint32_t next(struct input *in, uint32_t limit)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 2 && in->size > 0; i++, in->size--)
        value = value << 8 | *in->data++;
    return value % limit;
}

/// One packet with the bytes [min, min + n) of the sample.
static struct nn_rmsg *packet(struct input *in, uint32_t min, uint32_t n)
{
    struct nn_rmsg *rmsg = calloc(1, sizeof *rmsg + HEAD + n);
    if (rmsg == NULL)
        abort();
    uint8_t *p = NN_RMSG_PAYLOAD(rmsg);
    size_t taken = in->size < HEAD ? in->size : HEAD;
    memcpy(p, in->data, taken);
    in->data += taken;
    in->size -= taken;
    for (uint32_t i = 0; i < n; i++)
        p[HEAD + i] = byte_at(min + i);
    return rmsg;
}

static bool is_whole(const struct nn_rdata *pieces, uint32_t n, uint32_t size)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (pieces[i].maxp1 <= done)
            continue;
        if (pieces[i].min > done || pieces[i].maxp1 > size)
            return false;
        done = pieces[i].maxp1;
    }
    return done == size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct nn_rdata pieces[PIECES_MAX];
    uint32_t sample_size = next(&in, 4096), n = 1 + next(&in, PIECES_MAX);
    memset(pieces, 0, sizeof pieces);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t min = next(&in, 4096), length = next(&in, 2048);
        pieces[i].rmsg = packet(&in, min, length);
        pieces[i].nextfrag = i + 1 < n ? &pieces[i + 1] : NULL;
        pieces[i].min = min;
        pieces[i].maxp1 = min + length;
        pieces[i].submsg_zoff = NN_OFF_TO_ZOFF(20);
        pieces[i].payload_zoff = NN_OFF_TO_ZOFF(HEAD);
    }
    struct tn_ros__pool *pool = tn_ros__pool_create();
    struct ddsi_sertype *type = tn_ros__type_new("a::msg::dds_::B_", pool, tn_clock_system());
    if (pool == NULL || type == NULL)
        abort();
    struct ddsi_serdata *got = type->serdata_ops->from_ser(type, SDK_DATA, pieces, sample_size);
    if ((got != NULL) != is_whole(pieces, n, sample_size))
        abort();
    if (got != NULL) {
        const uint8_t *payload = tn_ros__sample_payload((struct tn_ros__sample *)got);
        for (uint32_t i = 0; i < sample_size; i++)
            if (payload[i] != byte_at(i))
                abort();
        ddsi_serdata_unref(got);
    }
    type->ops->free(type);
    tn_ros__pool_unref(pool);
    for (uint32_t i = 0; i < n; i++)
        free(pieces[i].rmsg);
    return 0;
}
