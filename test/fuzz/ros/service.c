// SPDX-License-Identifier: Apache-2.0
// Requests and replies of both wire forms as they come off the network: in-band identity, the body
// behind it, USER_DATA with an id, and a crowd of matched endpoints.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "ros/cyclone/cyclone__inband.h"
#include "ros/cyclone/cyclone__match.h"
#include "ros/cyclone/cyclone__rtps.h"
#include "tn_msgs/rcl_interfaces.h"

static void try_body(const struct tn_type *type, const uint8_t *cdr, size_t size)
{
    static uint8_t memory[1 << 16];
    static union {
        struct rcl_interfaces_srv_ListParameters_Request request;
        struct rcl_interfaces_srv_ListParameters_Response reply;
    } message;
    struct tn_arena arena;
    struct tn_cdr_reader reader;
    tn_arena_init(&arena, memory, sizeof memory);
    (void)tn_cdr_reader_begin(&reader, cdr, size);
    (void)tn_type_decode(type, &message, &reader, &arena);
}

static void try_payload(const uint8_t *data, size_t size)
{
    struct tn_ros__inband id, again;
    if (tn_ros__inband_get(data, size, &id) != TN_OK) {
        if (size >= TN_ROS__CDR_HEADER_SIZE)
            try_body(&rcl_interfaces_srv_ListParameters_Request_type, data, size);
        return;
    }
    // what was taken out and put in again is what came
    size_t n = size - TN_ROS__INBAND_SIZE;
    uint8_t *body = malloc(n), *whole = malloc(size);
    if (body == NULL || whole == NULL)
        abort();
    tn_ros__inband_strip(data, size, body);
    tn_ros__inband_put(id, body, n, whole);
    if (memcmp(whole, data, size) != 0 || tn_ros__inband_get(whole, size, &again) != TN_OK ||
        again.client != id.client || again.sequence != id.sequence)
        abort();
    try_body(&rcl_interfaces_srv_ListParameters_Request_type, body, n);
    try_body(&rcl_interfaces_srv_ListParameters_Response_type, body, n);
    free(body);
    free(whole);
}

/// Endpoints of 20 bytes each: gid, has_id, id.
static void try_matches(const uint8_t *data, size_t size)
{
    struct tn_ros__match items[32];
    struct tn_transport_request_id id;
    struct tn_ros__matches all = {.items = items};
    memset(items, 0, sizeof items);
    for (; size >= 20 && all.n < 32; data += 20, size -= 20) {
        memcpy(&items[all.n].gid, data, TN_GID_SIZE);
        items[all.n].has_id = (data[16] & 1u) != 0;
        memcpy(items[all.n].id, data + 17, 3);
        all.n++;
    }
    struct tn_ros__matches readers = {items, all.n / 2, false};
    struct tn_ros__matches writers = {items + all.n / 2, all.n - all.n / 2, false};
    bool has_foreign = false;
    for (size_t i = 0; i < readers.n; i++)
        has_foreign = has_foreign || !tn_ros__is_cyclone(readers.items[i].gid.data);
    // never the Cyclone form where someone would misread it
    if (has_foreign && tn_ros__choose_form(&readers, &writers, true) == TN_ROS__FORM_CYCLONE)
        abort();
    if (tn_ros__choose_form(&readers, &writers, false) == TN_ROS__FORM_RPC)
        abort();
    memset(&id, 0, sizeof id);
    if (all.n > 0)
        memcpy(id.client, &items[0].gid, sizeof id.client);
    id.writer = items[0].gid;
    id.format = TN_ROS__FORM_RPC;
    (void)tn_ros__is_asker_there(&readers, &id);
    id.format = TN_ROS__FORM_CYCLONE;
    (void)tn_ros__is_asker_there(&writers, &id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t id[16];
    if (size < 1)
        return 0;
    // an exact copy, so that one byte too far is noticed
    size_t n = size - 1;
    uint8_t *copy = malloc(n > 0 ? n : 1);
    if (copy == NULL)
        return 0;
    memcpy(copy, data + 1, n);
    if (data[0] % 3 == 0)
        try_payload(copy, n);
    else if (data[0] % 3 == 1)
        (void)(tn_ros__id_parse((const char *)copy, n, "serviceid", id) ||
               tn_ros__id_parse((const char *)copy, n, "clientid", id));
    else
        try_matches(copy, n);
    free(copy);
    return 0;
}
