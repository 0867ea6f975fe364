// SPDX-License-Identifier: Apache-2.0
// Which form reaches whom: complete and half servers of both kinds, and who waits for a reply.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/compat.h"
#include "ros/cyclone/cyclone__inband.h"
#include "ros/cyclone/cyclone__match.h"

enum { NOBODY, CYCLONE, FOREIGN };

/// An endpoint of participant `host`; id 0: without one.
static struct tn_ros__match endpoint(int vendor, uint8_t host, uint8_t number, uint8_t id)
{
    struct tn_ros__match match = {.has_id = id != 0};
    match.gid.data[0] = 0x01;
    match.gid.data[1] = vendor == CYCLONE ? 0x10 : 0x0f;
    match.gid.data[11] = host;
    match.gid.data[14] = number;
    match.gid.data[15] = 0x04;
    match.id[0] = id;
    return match;
}

struct line {
    const char *what;
    /// vendor, host, id
    uint8_t readers[4][3], writers[4][3];
    bool can_rpc;
    enum tn_ros__form form;
};

static const struct line lines[] = {
    {"nobody", {{0}}, {{0}}, true, TN_ROS__FORM_NONE},
    {"a Cyclone server", {{CYCLONE, 1, 7}}, {{CYCLONE, 1, 7}}, true, TN_ROS__FORM_CYCLONE},
    {"the same without the RPC form",
     {{CYCLONE, 1, 7}},
     {{CYCLONE, 1, 7}},
     false,
     TN_ROS__FORM_CYCLONE},
    {"its reply writer is not there yet", {{CYCLONE, 1, 7}}, {{0}}, true, TN_ROS__FORM_NONE},
    {"its request reader is not there yet", {{0}}, {{CYCLONE, 1, 7}}, true, TN_ROS__FORM_NONE},
    {"halves of two servers of one process",
     {{CYCLONE, 1, 7}},
     {{CYCLONE, 1, 8}},
     true,
     TN_ROS__FORM_NONE},
    {"one whole, one half",
     {{CYCLONE, 1, 7}, {CYCLONE, 2, 8}},
     {{CYCLONE, 2, 8}},
     true,
     TN_ROS__FORM_CYCLONE},
    {"Cyclone without ids", {{CYCLONE, 1, 0}}, {{CYCLONE, 1, 0}}, true, TN_ROS__FORM_CYCLONE},
    {"Cyclone without ids, of two processes",
     {{CYCLONE, 1, 0}},
     {{CYCLONE, 2, 0}},
     true,
     TN_ROS__FORM_NONE},
    {"a Fast DDS server", {{FOREIGN, 1, 0}}, {{FOREIGN, 1, 0}}, true, TN_ROS__FORM_RPC},
    {"which cannot be spoken to", {{FOREIGN, 1, 0}}, {{FOREIGN, 1, 0}}, false, TN_ROS__FORM_NONE},
    {"half a Fast DDS server", {{FOREIGN, 1, 0}}, {{0}}, true, TN_ROS__FORM_NONE},
    {"the halves of two", {{FOREIGN, 1, 0}}, {{FOREIGN, 2, 0}}, true, TN_ROS__FORM_NONE},
    {"two of one process, half of the second",
     {{FOREIGN, 1, 0}, {FOREIGN, 1, 0}},
     {{FOREIGN, 1, 0}},
     true,
     TN_ROS__FORM_NONE},
    {"two of one process",
     {{FOREIGN, 1, 0}, {FOREIGN, 1, 0}},
     {{FOREIGN, 1, 0}, {FOREIGN, 1, 0}},
     true,
     TN_ROS__FORM_RPC},
    {"two processes, half of the second",
     {{FOREIGN, 1, 0}, {FOREIGN, 2, 0}},
     {{FOREIGN, 1, 0}},
     true,
     TN_ROS__FORM_RPC},
    {"both kinds",
     {{CYCLONE, 1, 7}, {FOREIGN, 2, 0}},
     {{CYCLONE, 1, 7}, {FOREIGN, 2, 0}},
     true,
     TN_ROS__FORM_RPC},
    {"both kinds, the other way round",
     {{FOREIGN, 2, 0}, {CYCLONE, 1, 7}},
     {{FOREIGN, 2, 0}, {CYCLONE, 1, 7}},
     true,
     TN_ROS__FORM_RPC},
    {"both kinds, half of Fast DDS",
     {{CYCLONE, 1, 7}, {FOREIGN, 2, 0}},
     {{CYCLONE, 1, 7}},
     true,
     TN_ROS__FORM_NONE},
    {"both kinds, without the RPC form",
     {{CYCLONE, 1, 7}, {FOREIGN, 2, 0}},
     {{CYCLONE, 1, 7}, {FOREIGN, 2, 0}},
     false,
     TN_ROS__FORM_NONE},
    {"a foreign reply writer alone harms nobody",
     {{CYCLONE, 1, 7}},
     {{CYCLONE, 1, 7}, {FOREIGN, 2, 0}},
     true,
     TN_ROS__FORM_CYCLONE},
    {"a serviceid that a stranger made up",
     {{FOREIGN, 1, 7}},
     {{CYCLONE, 2, 7}},
     true,
     TN_ROS__FORM_NONE},
};

static void form_follows_the_servers(void **state)
{
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(lines); i++) {
        struct tn_ros__match r[4], w[4];
        struct tn_ros__matches readers = {.items = r}, writers = {.items = w};
        for (uint8_t k = 0; k < 4; k++) {
            const uint8_t *x = lines[i].readers[k], *y = lines[i].writers[k];
            if (x[0] != NOBODY)
                r[readers.n++] = endpoint(x[0], x[1], k, x[2]);
            if (y[0] != NOBODY)
                w[writers.n++] = endpoint(y[0], y[1], k, y[2]);
        }
        if (tn_ros__choose_form(&readers, &writers, lines[i].can_rpc) != lines[i].form)
            fail_msg("%s", lines[i].what);
        // readers that were not looked at may be anybody's
        readers.is_cut = true;
        assert_int_not_equal(tn_ros__choose_form(&readers, &writers, lines[i].can_rpc),
                             TN_ROS__FORM_CYCLONE);
    }
}

static void replies_wait_for_the_one_who_asked(void **state)
{
    struct tn_ros__match items[] = {endpoint(CYCLONE, 1, 1, 7), endpoint(FOREIGN, 2, 1, 0)};
    struct tn_ros__matches readers = {items, TN_ARRAY_SIZE(items), false};
    struct tn_transport_request_id id;
    (void)state;

    // Cyclone with a client id: this one only
    memset(&id, 0, sizeof id);
    id.format = TN_ROS__FORM_CYCLONE;
    id.writer = endpoint(CYCLONE, 1, 9, 0).gid;
    id.has_client_id = true;
    id.client_id[0] = 7;
    assert_true(tn_ros__is_asker_there(&readers, &id));
    id.client_id[0] = 8;
    assert_false(tn_ros__is_asker_there(&readers, &id));
    // without: any of the participant
    id.has_client_id = false;
    assert_true(tn_ros__is_asker_there(&readers, &id));
    id.writer.data[11] = 3;
    assert_false(tn_ros__is_asker_there(&readers, &id));
    readers.is_cut = true;
    assert_true(tn_ros__is_asker_there(&readers, &id));
    readers.is_cut = false;

    // RPC: the reader that was named
    id.format = TN_ROS__FORM_RPC;
    memcpy(id.client, &items[1].gid, sizeof items[1].gid);
    assert_true(tn_ros__is_asker_there(&readers, &id));
    id.client[14] = 9;
    assert_false(tn_ros__is_asker_there(&readers, &id));
    // or, when a writer was named, a reader of its participant
    id.client[15] = 0x03;
    assert_true(tn_ros__is_asker_there(&readers, &id));
    id.client[11] = 9;
    assert_false(tn_ros__is_asker_there(&readers, &id));
    readers.n = 0;
    readers.items = NULL;
    assert_false(tn_ros__is_asker_there(&readers, &id));
}

static void inband_identity_is_in_the_order_of_the_body(void **state)
{
    static const uint8_t little[] = {0, 1, 0, 0, 'b', 'o', 'd', 'y', '!'};
    static const uint8_t big[] = {0, 0, 0, 0, 'b', 'o', 'd', 'y', '!'};
    const struct tn_ros__inband id = {UINT64_C(0x0102030405060708), -2};
    const uint8_t *bodies[] = {little, big};
    (void)state;
    for (int i = 0; i < 2; i++) {
        uint8_t with[64] = {0}, without[64] = {0};
        struct tn_ros__inband read = {0};
        tn_ros__inband_put(id, bodies[i], sizeof little, with);
        assert_int_equal(with[4], i == 0 ? 8 : 1);
        assert_int_equal(with[11], i == 0 ? 1 : 8);
        assert_int_equal(tn_ros__inband_get(with, sizeof little + TN_ROS__INBAND_SIZE, &read),
                         TN_OK);
        assert_true(read.client == id.client && read.sequence == id.sequence);
        tn_ros__inband_strip(with, sizeof little + TN_ROS__INBAND_SIZE, without);
        assert_memory_equal(without, bodies[i], sizeof little);
        // no identity, part of one, an identity alone
        for (size_t n = 0; n < 20; n++)
            assert_int_equal(tn_ros__inband_get(with, n, &read), TN_ERR_MALFORMED);
        assert_int_equal(tn_ros__inband_get(with, 20, &read), TN_OK);
    }
    // other encodings are not for us
    static const uint8_t kinds[][2] = {{0, 2}, {0, 3}, {0, 6}, {0, 7}, {0xff, 0xff}, {1, 1}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(kinds); i++) {
        uint8_t cdr[32] = {kinds[i][0], kinds[i][1]};
        struct tn_ros__inband read;
        assert_int_equal(tn_ros__inband_get(cdr, sizeof cdr, &read), TN_ERR_MALFORMED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(form_follows_the_servers),
        cmocka_unit_test(replies_wait_for_the_one_who_asked),
        cmocka_unit_test(inband_identity_is_in_the_order_of_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
