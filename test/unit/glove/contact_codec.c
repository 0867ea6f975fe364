// SPDX-License-Identifier: Apache-2.0
#include "glove/contact/contact_codec.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/glove/contact_vectors.h"

static struct tn_contact_message message;
static struct tn_contact_reject reject;

static enum tn_result read_one(enum tn_contact_direction direction, const uint8_t *data,
                               size_t size)
{
    struct tn_contact_reader reader;
    tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), direction, data, size);
    return tn_contact_reader_next(&reader, &message, &reject);
}

/// Reads bytes that end where the heap block ends, so that a sanitizer sees the first byte behind.
static enum tn_result read_exact(enum tn_contact_direction direction, const uint8_t *data,
                                 size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    enum tn_result result = read_one(direction, copy, size);
    free(copy);
    return result;
}

static void expect_reject(const uint8_t *data, size_t size, enum tn_contact_reject_cause cause)
{
    assert_int_equal(read_exact(TN_CONTACT_FROM_DS, data, size), TN_ERR_MALFORMED);
    assert_string_equal(tn_contact_reject_key(reject.cause), tn_contact_reject_key(cause));
}

static void expect_encoded(const uint8_t *data, size_t size)
{
    uint8_t buffer[1024];
    size_t encoded = 0;
    assert_int_equal(
        tn_contact_encode(tn_contact_dialect_v1(), &message, buffer, sizeof buffer, &encoded),
        TN_OK);
    assert_int_equal(encoded, size);
    assert_memory_equal(buffer, data, size);
}

static void near(double found, double expected)
{
    assert_true(fabs(found - expected) < 1e-4);
}

static void hand_is_degrees(void **state)
{
    (void)state;
    static const float degrees[TN_CONTACT_ANGLES] = {15,   55,    20,      -5,    0,     50, 90,
                                                     2.5f, 22.5f, 25,      22.5f, 0,     90, 100,
                                                     90,   -1.5f, -11.25f, 0,     67.5f, 8};
    // nothing of the message before may shine through what v1 does not send
    memset(&message, 0xA5, sizeof message);
    assert_int_equal(read_exact(TN_CONTACT_FROM_DS, vector_hand, sizeof vector_hand), TN_OK);
    assert_int_equal(message.kind, TN_CONTACT_ERGONOMICS);
    assert_string_equal(message.body.ergonomics.id, "DG01");
    assert_true(message.body.ergonomics.is_left);
    assert_int_equal(message.body.ergonomics.tracking_state, TN_CONTACT_TRACKED);
    assert_int_equal(message.body.ergonomics.generated_at_ms, 0);
    for (int i = 0; i < TN_CONTACT_ANGLES; i++)
        near((double)message.body.ergonomics.angle_deg[i], (double)degrees[i]);
    expect_encoded(vector_hand, sizeof vector_hand);
}

static void quaternions_become_xyzw(void **state)
{
    (void)state;
    assert_int_equal(read_exact(TN_CONTACT_FROM_DS, vector_hand_quat, sizeof vector_hand_quat),
                     TN_OK);
    assert_false(message.body.hand_quat.is_left);
    // the vector has w, x, y, -z one after the other
    static const int place[] = {3, 0, 1, 2};
    for (int q = 0; q < TN_CONTACT_HAND_QUATS; q++)
        for (int i = 0; i < 4; i++)
            near((double)message.body.hand_quat.q_xyzw[q][i],
                 i != place[q % 4] ? 0 : (q % 4 == 3 ? -1 : 1));
    expect_encoded(vector_hand_quat, sizeof vector_hand_quat);

    assert_int_equal(read_exact(TN_CONTACT_FROM_DS, vector_wrist, sizeof vector_wrist), TN_OK);
    near((double)message.body.wrist.q_xyzw[0], -0.5);
    near((double)message.body.wrist.q_xyzw[3], 0.5);
    expect_encoded(vector_wrist, sizeof vector_wrist);
}

static void controller_fields_in_order(void **state)
{
    (void)state;
    assert_int_equal(read_exact(TN_CONTACT_FROM_DS, vector_controller, sizeof vector_controller),
                     TN_OK);
    const struct tn_contact_controller *c = &message.body.controller;
    assert_int_equal(c->b, 1);
    assert_int_equal(c->sys, 2);
    assert_int_equal(c->joystick_button, 1);
    assert_int_equal(c->trackpad_button, 2);
    near((double)c->grip_force, 1);
    near((double)c->joystick_x, -1);
    near((double)c->trackpad_x, -0.5);
    expect_encoded(vector_controller, sizeof vector_controller);
}

static void device_list(void **state)
{
    (void)state;
    assert_int_equal(read_exact(TN_CONTACT_FROM_DS, vector_device, sizeof vector_device), TN_OK);
    const struct tn_contact_devices *list = &message.body.devices;
    assert_int_equal(list->n, 1);
    assert_string_equal(list->devices[0].name, "My gloves");
    assert_int_equal(list->devices[0].device_type, TN_CONTACT_GLOVE_2);
    assert_int_equal(list->devices[0].color, TN_CONTACT_BLUE);
    assert_true(list->devices[0].is_main && list->devices[0].left.is_connected);
    assert_false(list->devices[0].right.is_connected);
    assert_int_equal(list->devices[0].left.battery, 87);
    assert_int_equal(list->devices[0].right.battery, 255);
    near((double)list->devices[0].left.ping, 3.5);
    expect_encoded(vector_device, sizeof vector_device);
}

static void device_list_is_bounded(void **state)
{
    (void)state;
    static uint8_t buffer[16384];
    size_t size = 0;
    message = (struct tn_contact_message){.kind = TN_CONTACT_DEVICES};
    message.body.devices.n = TN_CONTACT_DEVICES_MAX;
    for (int i = 0; i < TN_CONTACT_DEVICES_MAX; i++)
        memcpy(message.body.devices.devices[i].id, "A", 2);
    const struct tn_contact_dialect *v1 = tn_contact_dialect_v1();
    assert_int_equal(tn_contact_encode(v1, &message, buffer, sizeof buffer, &size), TN_OK);
    assert_int_equal(read_exact(TN_CONTACT_FROM_DS, buffer, size), TN_OK);
    assert_int_equal(message.body.devices.n, TN_CONTACT_DEVICES_MAX);
    message.body.devices.n++;
    assert_int_equal(tn_contact_encode(v1, &message, buffer, sizeof buffer, &size), TN_ERR_LIMIT);
}

static void requests_both_ways(void **state)
{
    (void)state;
    memset(&message, 0xA5, sizeof message);
    assert_int_equal(read_exact(TN_CONTACT_TO_DS, vector_connect, sizeof vector_connect), TN_OK);
    assert_int_equal(message.kind, TN_CONTACT_CONNECT);
    assert_int_equal(message.body.connect.receive_port, 25788);
    expect_encoded(vector_connect, sizeof vector_connect);

    assert_int_equal(read_exact(TN_CONTACT_TO_DS, vector_disconnect, sizeof vector_disconnect),
                     TN_OK);
    assert_int_equal(message.kind, TN_CONTACT_DISCONNECT);
    expect_encoded(vector_disconnect, sizeof vector_disconnect);

    assert_int_equal(read_exact(TN_CONTACT_TO_DS, vector_haptics_body, sizeof vector_haptics_body),
                     TN_OK);
    assert_string_equal(message.body.haptics_body.id, "DG01");
    assert_true(message.body.haptics_body.is_left);
    near((double)message.body.haptics_body.vibration.frequency_hz, 160);
    near((double)message.body.haptics_body.vibration.amplitude, 0.5);
    near((double)message.body.haptics_body.vibration.duration_s, 0.25);
    expect_encoded(vector_haptics_body, sizeof vector_haptics_body);

    assert_int_equal(
        read_exact(TN_CONTACT_TO_DS, vector_haptics_finger, sizeof vector_haptics_finger), TN_OK);
    assert_false(message.body.haptics_finger.is_left);
    assert_int_equal(message.body.haptics_finger.levels.thumb, 15);
    assert_int_equal(message.body.haptics_finger.levels.force, 8);
    expect_encoded(vector_haptics_finger, sizeof vector_haptics_finger);
}

static void other_direction_is_unknown(void **state)
{
    (void)state;
    expect_reject(vector_connect, sizeof vector_connect, TN_CONTACT_REJECT_UNKNOWN);
    assert_string_equal(reject.address, "/DS/HC/Connect");
    assert_int_equal(read_exact(TN_CONTACT_TO_DS, vector_hand, sizeof vector_hand),
                     TN_ERR_MALFORMED);
    assert_int_equal(reject.cause, TN_CONTACT_REJECT_UNKNOWN);
}

struct vector {
    enum tn_contact_direction direction;
    const uint8_t *data;
    size_t size;
};
#define VECTOR(direction, name)                                                                    \
    {                                                                                              \
        direction, name, sizeof name                                                               \
    }
static const struct vector vectors[] = {
    VECTOR(TN_CONTACT_FROM_DS, vector_hand),         VECTOR(TN_CONTACT_FROM_DS, vector_hand_quat),
    VECTOR(TN_CONTACT_FROM_DS, vector_wrist),        VECTOR(TN_CONTACT_FROM_DS, vector_controller),
    VECTOR(TN_CONTACT_FROM_DS, vector_device),       VECTOR(TN_CONTACT_TO_DS, vector_connect),
    VECTOR(TN_CONTACT_TO_DS, vector_disconnect),     VECTOR(TN_CONTACT_TO_DS, vector_haptics_body),
    VECTOR(TN_CONTACT_TO_DS, vector_haptics_finger),
};

static void every_truncation_is_rejected(void **state)
{
    (void)state;
    for (size_t v = 0; v < TN_ARRAY_SIZE(vectors); v++)
        for (size_t size = 0; size < vectors[v].size; size++)
            assert_int_equal(read_exact(vectors[v].direction, vectors[v].data, size),
                             TN_ERR_MALFORMED);
}

static void extra_bytes_are_rejected(void **state)
{
    (void)state;
    uint8_t buffer[1024] = {0};
    memcpy(buffer, vector_hand, sizeof vector_hand);
    expect_reject(buffer, sizeof vector_hand + 4, TN_CONTACT_REJECT_TRAILING);
    expect_reject(buffer, sizeof vector_hand + 1, TN_CONTACT_REJECT_SIZE);
}

/// Every single-bit change is either taken or rejected; nothing else may happen.
static void no_bit_flip_breaks_it(void **state)
{
    (void)state;
    uint8_t buffer[1024];
    for (size_t v = 0; v < TN_ARRAY_SIZE(vectors); v++) {
        for (size_t bit = 0; bit < 8 * vectors[v].size; bit++) {
            memcpy(buffer, vectors[v].data, vectors[v].size);
            buffer[bit / 8] ^= (uint8_t)(1u << bit % 8);
            enum tn_result result = read_exact(vectors[v].direction, buffer, vectors[v].size);
            assert_true(result == TN_OK || result == TN_ERR_MALFORMED);
        }
    }
}

/// Offset of the tags of /DS/HC/Hand and of its first argument.
#define HAND_TAGS 12
#define HAND_ARGS 40

static void each_cause_is_named(void **state)
{
    (void)state;
    static const struct {
        enum tn_contact_reject_cause cause;
        size_t at;
        uint8_t bytes[4];
        size_t n;
    } changes[] = {
        {TN_CONTACT_REJECT_ADDRESS, 0, {'D'}, 1},
        {TN_CONTACT_REJECT_UNKNOWN, 8, {'X'}, 1},
        {TN_CONTACT_REJECT_TAGS, HAND_TAGS, {'i'}, 1},
        {TN_CONTACT_REJECT_TAGS, HAND_TAGS + 3, {'f'}, 1},
        {TN_CONTACT_REJECT_TAGS, HAND_TAGS + 7, {'d'}, 1},
        {TN_CONTACT_REJECT_COUNT, HAND_TAGS + 24, {'f'}, 1},
        {TN_CONTACT_REJECT_VERSION, HAND_ARGS + 3, {2}, 1},
        {TN_CONTACT_REJECT_ID, HAND_ARGS + 4, {0, 0, 0, 0}, 4},
        {TN_CONTACT_REJECT_ID, HAND_ARGS + 5, {'/'}, 1},
        {TN_CONTACT_REJECT_ID, HAND_ARGS + 5, {' '}, 1},
        {TN_CONTACT_REJECT_ID, HAND_ARGS + 5, {'\t'}, 1},
        {TN_CONTACT_REJECT_PADDING, HAND_ARGS + 10, {'x'}, 1},
        {TN_CONTACT_REJECT_SIDE, HAND_ARGS + 15, {2}, 1},
        {TN_CONTACT_REJECT_SIDE, HAND_ARGS + 12, {0xff, 0xff, 0xff, 0xff}, 4},
        {TN_CONTACT_REJECT_NOT_FINITE, HAND_ARGS + 16, {0x7f, 0xc0, 0, 0}, 4},
        {TN_CONTACT_REJECT_NOT_FINITE, HAND_ARGS + 92, {0xff, 0x80, 0, 0}, 4},
        {TN_CONTACT_REJECT_RANGE, HAND_ARGS + 20, {0x7f, 0x7f, 0xff, 0xff}, 4},
        {TN_CONTACT_REJECT_RANGE, HAND_ARGS + 20, {0x42, 0x20, 0, 0}, 4},
    };
    uint8_t buffer[sizeof vector_hand];
    for (size_t i = 0; i < TN_ARRAY_SIZE(changes); i++) {
        memcpy(buffer, vector_hand, sizeof vector_hand);
        memcpy(buffer + changes[i].at, changes[i].bytes, changes[i].n);
        expect_reject(buffer, sizeof buffer, changes[i].cause);
    }
    memcpy(buffer, vector_hand, sizeof vector_hand);
    buffer[HAND_ARGS + 3] = 2;
    expect_reject(buffer, sizeof buffer, TN_CONTACT_REJECT_VERSION);
    assert_int_equal(reject.found, 2);
    assert_string_equal(reject.address, "/DS/HC/Hand");
    assert_string_equal(reject.tags, ",isiffffffffffffffffffff");
}

static void too_few_arguments(void **state)
{
    (void)state;
    uint8_t buffer[sizeof vector_haptics_body];
    memcpy(buffer, vector_haptics_body, sizeof buffer);
    buffer[28 + 5] = 0;
    assert_int_equal(read_exact(TN_CONTACT_TO_DS, buffer, sizeof buffer), TN_ERR_MALFORMED);
    assert_int_equal(reject.cause, TN_CONTACT_REJECT_COUNT);
    buffer[28 + 4] = 0;
    assert_int_equal(read_exact(TN_CONTACT_TO_DS, buffer, sizeof buffer), TN_ERR_MALFORMED);
}

static void old_dialect_is_recognised(void **state)
{
    (void)state;
    static const uint8_t old[] = "/DivingStation/FingerRotLeft\0\0\0\0,b\0";
    expect_reject(old, sizeof old, TN_CONTACT_REJECT_OLD_DIALECT);
}

static void quaternion_norms(void **state)
{
    (void)state;
    static const struct {
        float w;
        enum tn_result result;
    } cases[] = {{0.0f, TN_ERR_MALFORMED}, {0.49f, TN_ERR_MALFORMED}, {0.51f, TN_OK},
                 {1.99f, TN_OK},           {2.01f, TN_ERR_MALFORMED}, {-1.5f, TN_OK},
                 {3e38f, TN_ERR_MALFORMED}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        uint8_t buffer[sizeof vector_wrist];
        uint32_t word;
        memcpy(buffer, vector_wrist, sizeof vector_wrist);
        memset(buffer + sizeof vector_wrist - 16, 0, 16);
        memcpy(&word, &cases[i].w, 4);
        for (int b = 0; b < 4; b++)
            buffer[sizeof vector_wrist - 16 + (size_t)b] = (uint8_t)(word >> (24 - 8 * b));
        assert_int_equal(read_exact(TN_CONTACT_FROM_DS, buffer, sizeof buffer), cases[i].result);
        if (cases[i].result == TN_OK)
            near(fabs((double)message.body.wrist.q_xyzw[3]), 1);
        else
            assert_int_equal(reject.cause, TN_CONTACT_REJECT_QUATERNION);
    }
}

static void buttons_have_three_states(void **state)
{
    (void)state;
    uint8_t buffer[sizeof vector_controller];
    memcpy(buffer, vector_controller, sizeof vector_controller);
    buffer[sizeof vector_controller - 7 * 4 - 1] = 3;
    expect_reject(buffer, sizeof buffer, TN_CONTACT_REJECT_RANGE);
    assert_int_equal(reject.found, 3);
}

static void ports_have_a_range(void **state)
{
    (void)state;
    uint8_t buffer[sizeof vector_connect];
    static const uint8_t bad[][4] = {{0, 0, 0, 0}, {0, 1, 0, 0}, {0xff, 0xff, 0xff, 0xff}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        memcpy(buffer, vector_connect, sizeof vector_connect);
        memcpy(buffer + sizeof vector_connect - 4, bad[i], 4);
        assert_int_equal(read_exact(TN_CONTACT_TO_DS, buffer, sizeof buffer), TN_ERR_MALFORMED);
        assert_int_equal(reject.cause, TN_CONTACT_REJECT_RANGE);
    }
}

static void long_strings(void **state)
{
    (void)state;
    // by hand: one device whose name is 120 two-byte characters, after one plain byte
    uint8_t buffer[1024];
    size_t size = 0;
    message = (struct tn_contact_message){.kind = TN_CONTACT_WRIST};
    message.body.wrist.q_xyzw[3] = 1;
    memset(message.body.wrist.id, 'x', TN_CONTACT_WIRE_ID_MAX - 1);
    const struct tn_contact_dialect *v1 = tn_contact_dialect_v1();
    assert_int_equal(tn_contact_encode(v1, &message, buffer, sizeof buffer, &size), TN_OK);
    assert_int_equal(read_exact(TN_CONTACT_FROM_DS, buffer, size), TN_OK);
    assert_int_equal(strlen(message.body.wrist.id), TN_CONTACT_WIRE_ID_MAX - 1);
    // 57 bytes end in 3 NULs: one more letter makes the id too long
    buffer[16 + 12 + 4 + TN_CONTACT_WIRE_ID_MAX - 1] = 'x';
    expect_reject(buffer, size, TN_CONTACT_REJECT_ID);

    static const char name[] = "name";
    size_t at = 0;
    for (size_t i = 0; i + 5 <= sizeof vector_device; i++)
        if (memcmp(vector_device + i, "My gl", 5) == 0)
            at = i;
    assert_true(at > 0 && sizeof name > 0);
    memcpy(buffer, vector_device, at);
    buffer[at] = 'n';
    for (size_t i = 0; i < 120; i++)
        memcpy(buffer + at + 1 + 2 * i, "\xc3\xa9", 2);
    memset(buffer + at + 241, 0, 3);
    size_t tail = sizeof vector_device - at - 12;
    memcpy(buffer + at + 244, vector_device + at + 12, tail);
    assert_int_equal(read_exact(TN_CONTACT_FROM_DS, buffer, at + 244 + tail), TN_OK);
    assert_int_equal(strlen(message.body.devices.devices[0].name), TN_CONTACT_NAME_MAX - 1);
    assert_int_equal(message.body.devices.devices[0].color, TN_CONTACT_BLUE);
}

// ---- bundles ----

static uint32_t count_all(const uint8_t *data, size_t size, uint32_t *out_rejects)
{
    struct tn_contact_reader reader;
    uint32_t n = 0;
    enum tn_result result;
    *out_rejects = 0;
    tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), TN_CONTACT_FROM_DS, data, size);
    while ((result = tn_contact_reader_next(&reader, &message, &reject)) != TN_ERR_AGAIN) {
        if (result == TN_OK)
            n++;
        else
            ++*out_rejects;
        assert_true(n + *out_rejects <= size + 1);
    }
    return n;
}

static void bundles_are_unpacked(void **state)
{
    (void)state;
    uint8_t inner[512], outer[1024];
    size_t inner_size = 0, outer_size = 0;
    uint32_t rejects;
    assert_int_equal(tn_contact_bundle_begin(inner, sizeof inner, &inner_size), TN_OK);
    assert_int_equal(tn_contact_bundle_append(inner, sizeof inner, vector_wrist,
                                              sizeof vector_wrist, &inner_size),
                     TN_OK);
    assert_int_equal(tn_contact_bundle_begin(outer, sizeof outer, &outer_size), TN_OK);
    assert_int_equal(
        tn_contact_bundle_append(outer, sizeof outer, vector_hand, sizeof vector_hand, &outer_size),
        TN_OK);
    assert_int_equal(tn_contact_bundle_append(outer, sizeof outer, inner, inner_size, &outer_size),
                     TN_OK);
    assert_int_equal(tn_contact_bundle_append(outer, sizeof outer, vector_connect,
                                              sizeof vector_connect, &outer_size),
                     TN_OK);
    assert_int_equal(tn_contact_bundle_append(outer, sizeof outer, vector_wrist,
                                              sizeof vector_wrist, &outer_size),
                     TN_OK);
    assert_int_equal(count_all(outer, outer_size, &rejects), 3);
    assert_int_equal(rejects, 1);
    assert_int_equal(tn_contact_bundle_append(outer, sizeof outer, vector_hand, 3, &outer_size),
                     TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(tn_contact_bundle_append(outer, outer_size + 7, vector_connect,
                                              sizeof vector_connect, &outer_size),
                     TN_ERR_LIMIT);
    for (size_t size = 0; size < outer_size; size++)
        (void)count_all(outer, size, &rejects);
}

static void nesting_bomb_is_defused(void **state)
{
    (void)state;
    static uint8_t block[2][TN_CONTACT_DATAGRAM_MAX];
    size_t size = sizeof vector_wrist;
    uint32_t rejects;
    memcpy(block[0], vector_wrist, sizeof vector_wrist);
    for (int depth = 1; depth <= 1000; depth++) {
        uint8_t *from = block[(depth + 1) % 2], *to = block[depth % 2];
        size_t wrapped = 0;
        assert_int_equal(tn_contact_bundle_begin(to, TN_CONTACT_DATAGRAM_MAX, &wrapped), TN_OK);
        assert_int_equal(
            tn_contact_bundle_append(to, TN_CONTACT_DATAGRAM_MAX, from, size, &wrapped), TN_OK);
        size = wrapped;
        bool is_read = depth <= TN_CONTACT_NESTING_MAX;
        assert_int_equal(count_all(to, size, &rejects), is_read ? 1 : 0);
        assert_int_equal(rejects, is_read ? 0 : 1);
        if (!is_read)
            assert_int_equal(reject.cause, TN_CONTACT_REJECT_NESTING);
    }
}

static void impossible_elements_end_their_bundle_only(void **state)
{
    (void)state;
    static const uint8_t sizes[][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 2}, {0, 0, 1, 0}, {0xff, 0xff, 0xff, 0xfc}, {0x80, 0, 0, 0}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(sizes); i++) {
        uint8_t inner[64], outer[512];
        size_t inner_size = 0, size = 0;
        uint32_t rejects;
        assert_int_equal(tn_contact_bundle_begin(inner, sizeof inner, &inner_size), TN_OK);
        memcpy(inner + inner_size, sizes[i], 4);
        memset(inner + inner_size + 4, 0, 8);
        inner_size += 12;
        assert_int_equal(tn_contact_bundle_begin(outer, sizeof outer, &size), TN_OK);
        assert_int_equal(tn_contact_bundle_append(outer, sizeof outer, inner, inner_size, &size),
                         TN_OK);
        assert_int_equal(
            tn_contact_bundle_append(outer, sizeof outer, vector_wrist, sizeof vector_wrist, &size),
            TN_OK);
        assert_int_equal(count_all(outer, size, &rejects), 1);
        assert_int_equal(rejects, 1);
    }
    expect_reject((const uint8_t *)"#bundle\0\0\0\0\0", 12, TN_CONTACT_REJECT_TRUNCATED);
}

// ---- the encoder refuses what the reader would ----

static void encoder_refuses(void **state)
{
    (void)state;
    const struct tn_contact_dialect *v1 = tn_contact_dialect_v1();
    uint8_t buffer[1024];
    size_t size = 77;
    assert_int_equal(read_one(TN_CONTACT_FROM_DS, vector_hand, sizeof vector_hand), TN_OK);
    const struct tn_contact_message good = message;
    for (size_t capacity = 0; capacity < sizeof vector_hand; capacity++)
        assert_int_equal(tn_contact_encode(v1, &good, buffer, capacity, &size), TN_ERR_LIMIT);
    message.body.ergonomics.angle_deg[3] = NAN;
    assert_int_equal(tn_contact_encode(v1, &message, buffer, sizeof buffer, &size),
                     TN_ERR_NOT_FINITE);
    message = good;
    memcpy(message.body.ergonomics.id, "a/b", 4);
    assert_int_equal(tn_contact_encode(v1, &message, buffer, sizeof buffer, &size),
                     TN_ERR_INVALID_ARGUMENT);
    message = (struct tn_contact_message){.kind = TN_CONTACT_CONNECT};
    assert_int_equal(tn_contact_encode(v1, &message, buffer, sizeof buffer, &size), TN_ERR_RANGE);
    message = (struct tn_contact_message){.kind = TN_CONTACT_WRIST, .body.wrist.id = "a"};
    assert_int_equal(tn_contact_encode(v1, &message, buffer, sizeof buffer, &size), TN_ERR_RANGE);
    message = (struct tn_contact_message){.kind = TN_CONTACT_KINDS};
    assert_int_equal(tn_contact_encode(v1, &message, buffer, sizeof buffer, &size),
                     TN_ERR_UNSUPPORTED);
    message = (struct tn_contact_message){.kind = TN_CONTACT_HAPTICS_BODY};
    assert_int_equal(tn_contact_encode(v1, &message, buffer, sizeof buffer, &size),
                     TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(size, 77);
}

static void address_ids_are_checked(void **state)
{
    (void)state;
    static const char *const bad[] = {"/DS/HC//Haptics/Body\0\0\0", "/DS/HC/a b/Haptics/Body",
                                      "/DS/HC/Haptics/Body\0\0\0\0"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        uint8_t buffer[64];
        size_t n = (strlen(bad[i]) / 4 + 1) * 4;
        memset(buffer, 0, sizeof buffer);
        memcpy(buffer, bad[i], strlen(bad[i]));
        size_t tail = sizeof vector_haptics_body - 28;
        memcpy(buffer + n, vector_haptics_body + 28, tail);
        assert_int_equal(read_exact(TN_CONTACT_TO_DS, buffer, n + tail), TN_ERR_MALFORMED);
        assert_int_equal(reject.cause, i == 2 ? TN_CONTACT_REJECT_UNKNOWN : TN_CONTACT_REJECT_ID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_is_degrees),
        cmocka_unit_test(quaternions_become_xyzw),
        cmocka_unit_test(controller_fields_in_order),
        cmocka_unit_test(device_list),
        cmocka_unit_test(device_list_is_bounded),
        cmocka_unit_test(requests_both_ways),
        cmocka_unit_test(other_direction_is_unknown),
        cmocka_unit_test(every_truncation_is_rejected),
        cmocka_unit_test(extra_bytes_are_rejected),
        cmocka_unit_test(no_bit_flip_breaks_it),
        cmocka_unit_test(each_cause_is_named),
        cmocka_unit_test(too_few_arguments),
        cmocka_unit_test(old_dialect_is_recognised),
        cmocka_unit_test(quaternion_norms),
        cmocka_unit_test(buttons_have_three_states),
        cmocka_unit_test(ports_have_a_range),
        cmocka_unit_test(long_strings),
        cmocka_unit_test(bundles_are_unpacked),
        cmocka_unit_test(nesting_bomb_is_defused),
        cmocka_unit_test(impossible_elements_end_their_bundle_only),
        cmocka_unit_test(encoder_refuses),
        cmocka_unit_test(address_ids_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
