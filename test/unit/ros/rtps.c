// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compat.h"
#include "ros/cyclone/cyclone__rtps.h"
#include "ros/qos.h"

/// A packet as Cyclone's receive thread leaves it: GUID words, sequence number and
/// octetsToInlineQos in the machine's byte order, inline QoS as sent.
struct packet {
    uint8_t data[256];
    size_t size;
};

static void put(struct packet *p, const void *data, size_t size)
{
    memcpy(p->data + p->size, data, size);
    p->size += size;
}

static void put_u16(struct packet *p, uint16_t value, bool is_little)
{
    uint8_t bytes[2] = {(uint8_t)(is_little ? value : value >> 8),
                        (uint8_t)(is_little ? value >> 8 : value)};
    put(p, bytes, 2);
}

static void put_u32(struct packet *p, uint32_t value, bool is_little)
{
    put_u16(p, (uint16_t)(is_little ? value : value >> 16), is_little);
    put_u16(p, (uint16_t)(is_little ? value >> 16 : value), is_little);
}

static void put_host_u32(struct packet *p, uint32_t value)
{
    put(p, &value, sizeof value);
}

static void begin(struct packet *p, uint8_t id, uint8_t flags)
{
    static const uint8_t header[] = {'R', 'T', 'P', 'S', 2, 1, 0x01, 0x0f};
    uint16_t to_qos = 16;
    p->size = 0;
    put(p, header, sizeof header);
    put_host_u32(p, 0x010f0102);
    put_host_u32(p, 0x03040506);
    put_host_u32(p, 0x0708090a);
    uint8_t submessage[] = {id, flags, 0, 0, 0, 0};
    put(p, submessage, sizeof submessage);
    put(p, &to_qos, sizeof to_qos);
    put_host_u32(p, 0x00000104);
    put_host_u32(p, 0x00000203);
    put_host_u32(p, 1);
    put_host_u32(p, 7);
}

static void put_related(struct packet *p, uint16_t pid, bool is_little)
{
    static const uint8_t guid[16] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6};
    put_u16(p, pid, is_little);
    put_u16(p, 24, is_little);
    put(p, guid, sizeof guid);
    put_u32(p, 2, is_little);
    put_u32(p, 5, is_little);
}

static void both_byte_orders_are_read(void **state)
{
    (void)state;
    static const uint8_t gid[16] = {1, 15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 2, 3};
    for (int little = 0; little < 2; little++) {
        static const uint16_t pids[] = {0x0083, 0x800f};
        for (size_t i = 0; i < TN_ARRAY_SIZE(pids); i++) {
            struct packet p;
            struct tn_ros__rtps_meta meta;
            begin(&p, i == 0 ? 0x15 : 0x16, (uint8_t)(little | 2 | 4));
            // an odd-sized parameter in front, padded to 4
            put_u16(&p, 0x1234, little);
            put_u16(&p, 5, little);
            put(&p, "abcdefgh", 8);
            put_related(&p, pids[i], little);
            put_u16(&p, 1, little);
            put_u16(&p, 0, little);
            assert_true(tn_ros__rtps_parse(p.data, p.size, 20, &meta));
            assert_memory_equal(meta.sample.gid.data, gid, sizeof gid);
            assert_int_equal(meta.sample.sequence, (INT64_C(1) << 32) | 7);
            assert_int_equal(meta.vendor[1], 0x0f);
            assert_true(meta.has_related);
            assert_int_equal(meta.related.gid.data[0], 9);
            assert_int_equal(meta.related.sequence, (INT64_C(2) << 32) | 5);
        }
    }
}

static void every_cut_is_survived(void **state)
{
    (void)state;
    struct packet p;
    struct tn_ros__rtps_meta meta;
    begin(&p, 0x15, 1 | 2 | 4);
    put_related(&p, 0x0083, true);
    for (size_t end = 0; end <= p.size; end++) {
        bool is_known = tn_ros__rtps_parse(p.data, end, 20, &meta);
        assert_int_equal(is_known, end >= 44);
        // without the whole parameter there is no related identity
        assert_int_equal(meta.has_related, end == p.size);
    }
    // behind a sentinel nothing counts
    begin(&p, 0x15, 1 | 2 | 4);
    put_u16(&p, 1, true);
    put_u16(&p, 0, true);
    put_related(&p, 0x0083, true);
    assert_true(tn_ros__rtps_parse(p.data, p.size, 20, &meta));
    assert_false(meta.has_related);
    // without the flag there is no inline QoS
    begin(&p, 0x15, 1 | 4);
    put_related(&p, 0x0083, true);
    assert_true(tn_ros__rtps_parse(p.data, p.size, 20, &meta));
    assert_false(meta.has_related);
    // another submessage, no submessage
    begin(&p, 0x07, 1);
    assert_false(tn_ros__rtps_parse(p.data, p.size, 20, &meta));
    assert_false(tn_ros__rtps_parse(p.data, p.size, 0, &meta));
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct packet p;
    struct tn_ros__rtps_meta meta;
    struct tn_ros__identity related = {
        .gid = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
        .sequence = -(INT64_C(1) << 32)};
    const uint16_t one = 1;
    uint8_t is_little = *(const uint8_t *)&one;
    begin(&p, 0x15, (uint8_t)(is_little | 2 | 4));
    tn_ros__rtps_put_related(p.data + p.size, &related);
    p.size += TN_ROS__RELATED_SIZE;
    assert_true(tn_ros__rtps_parse(p.data, p.size, 20, &meta));
    assert_true(meta.has_related);
    assert_memory_equal(&meta.related, &related, sizeof related);
}

static void qos_profiles(void **state)
{
    (void)state;
    struct tn_ros_qos qos = tn_ros_qos_default(7);
    assert_int_equal(qos.depth, 7);
    assert_int_equal(qos.history, TN_ROS_KEEP_LAST);
    assert_int_equal(qos.reliability, TN_ROS_RELIABLE);
    assert_int_equal(qos.durability, TN_ROS_VOLATILE);
    qos = tn_ros_qos_sensor_data();
    assert_int_equal(qos.depth, 5);
    assert_int_equal(qos.reliability, TN_ROS_BEST_EFFORT);
    qos = tn_ros_qos_latched(1);
    assert_int_equal(qos.durability, TN_ROS_TRANSIENT_LOCAL);
    assert_int_equal(qos.reliability, TN_ROS_RELIABLE);
    qos = tn_ros_qos_services();
    assert_int_equal(qos.depth, 10);
    assert_int_equal(qos.deadline_ns + qos.lifespan_ns + qos.lease_ns, 0);
}

static void client_ids_are_found(void **state)
{
    static const uint8_t expected[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17};
    static const char *const good[] = {
        "clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.11;",
        "clientid=01.2.3.4.5.6.7.8.9.A.B.C.D.E.F.11",
        "typehash=RIHS01_0;clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.11;x=y;",
        ";;clientid=1.2;clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.11;",
    };
    static const char *const bad[] = {
        "",
        ";",
        "clientid=",
        "clientid=;",
        "clientid=1",
        "clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f",
        "clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.",
        "clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.111;",
        "clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.11.12;",
        "xclientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.11;",
        "clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.g;",
        "clientid=-1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.11;",
        "serviceid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.11;",
    };
    uint8_t id[16];
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(good); i++) {
        memset(id, 0, sizeof id);
        assert_true(tn_ros__id_parse(good[i], strlen(good[i]), "clientid", id));
        assert_memory_equal(id, expected, sizeof id);
    }
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++)
        assert_false(tn_ros__id_parse(bad[i], strlen(bad[i]), "clientid", id));
    assert_false(tn_ros__id_parse(NULL, 0, "clientid", id));
    // every cut of a good one, in memory that ends there
    for (size_t n = 0; n < strlen(good[0]) - 3; n++) {
        char *cut = malloc(n + 1);
        assert_non_null(cut);
        memcpy(cut, good[0], n);
        char *exact = realloc(cut, n > 0 ? n : 1);
        assert_non_null(exact);
        assert_false(tn_ros__id_parse(exact, n, "clientid", id));
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_byte_orders_are_read),
        cmocka_unit_test(every_cut_is_survived),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(client_ids_are_found),
        cmocka_unit_test(qos_profiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
