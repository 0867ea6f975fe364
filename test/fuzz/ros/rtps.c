// SPDX-License-Identifier: Apache-2.0
// Inline QoS and fixed fields of a received packet: nothing outside of it may be read.
#include <stdlib.h>
#include <string.h>

#include "ros/cyclone/cyclone__rtps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_ros__rtps_meta meta;
    if (size < 1)
        return 0;
    // an exact copy, so that one byte too far is noticed
    size_t n = size - 1;
    uint8_t *packet = malloc(n > 0 ? n : 1);
    if (packet == NULL)
        return 0;
    memcpy(packet, data + 1, n);
    bool is_known = tn_ros__rtps_parse(packet, n, data[0], &meta);
    if (!is_known && (meta.is_known || meta.has_related))
        abort();
    free(packet);
    return 0;
}
