// SPDX-License-Identifier: Apache-2.0
// liblo as a stranger: what it encodes we decode, what we encode it decodes, byte for byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lo/lo_lowlevel.h>

#include "base/compat.h"
#include "glove/contact/contact_codec.h"

static struct tn_contact_message message;
static struct tn_contact_reject reject;

static void add_hand(lo_message m, int is_left)
{
    (void)lo_message_add_int32(m, 1);
    (void)lo_message_add_string(m, "DG-0042");
    (void)lo_message_add_int32(m, is_left);
}

static void add_floats(lo_message m, int n, float first)
{
    for (int i = 0; i < n; i++)
        (void)lo_message_add_float(m, first + 0.03125f * (float)i);
}

static lo_message hand(void)
{
    lo_message m = lo_message_new();
    add_hand(m, 1);
    add_floats(m, TN_CONTACT_ANGLES, -0.25f);
    return m;
}

static lo_message hand_quat(void)
{
    lo_message m = lo_message_new();
    add_hand(m, 0);
    for (int i = 0; i < 4 * TN_CONTACT_HAND_QUATS; i++)
        (void)lo_message_add_float(m, i % 4 == i / 4 % 4 ? 1.0f : 0.0f);
    return m;
}

static lo_message wrist(void)
{
    lo_message m = lo_message_new();
    add_hand(m, 0);
    for (int i = 0; i < 4; i++)
        (void)lo_message_add_float(m, i % 2 == 0 ? 0.5f : -0.5f);
    return m;
}

static lo_message controller(void)
{
    lo_message m = lo_message_new();
    add_hand(m, 1);
    for (int i = 0; i < 6; i++)
        (void)lo_message_add_int32(m, i % 3);
    add_floats(m, 7, 0.0f);
    return m;
}

static lo_message device(void)
{
    // every length of padding
    static const char *const ids[] = {"DG0", "DG01", "DG002", "DG0003"};
    static const char *const names[] = {"", "a", "four", "日本語の手袋"};
    lo_message m = lo_message_new();
    (void)lo_message_add_int32(m, 1);
    for (int i = 0; i < 4; i++) {
        (void)lo_message_add_string(m, ids[i]);
        (void)lo_message_add_int32(m, i == 0);
        (void)lo_message_add_int32(m, i);
        (void)lo_message_add_string(m, names[i]);
        (void)lo_message_add_int32(m, 7 - i);
        (void)lo_message_add_float(m, 1.5f);
        for (int hand_index = 0; hand_index < 2; hand_index++) {
            (void)lo_message_add_int32(m, hand_index);
            (void)lo_message_add_int32(m, 100 - i);
            (void)lo_message_add_float(m, 2.5f);
        }
    }
    return m;
}

static lo_message port_only(void)
{
    lo_message m = lo_message_new();
    (void)lo_message_add_int32(m, 25788);
    return m;
}

static lo_message haptics_body(void)
{
    lo_message m = lo_message_new();
    (void)lo_message_add_int32(m, 1);
    (void)lo_message_add_int32(m, 0);
    add_floats(m, 3, 0.5f);
    return m;
}

static lo_message haptics_finger(void)
{
    lo_message m = lo_message_new();
    (void)lo_message_add_int32(m, 1);
    (void)lo_message_add_int32(m, 1);
    for (int i = 0; i < 5; i++)
        (void)lo_message_add_int32(m, 3 * i);
    return m;
}

static const struct {
    const char *address;
    lo_message (*make)(void);
    enum tn_contact_direction direction;
    enum tn_contact_kind kind;
} rows[TN_CONTACT_KINDS] = {
    {"/DS/HC/Hand", hand, TN_CONTACT_FROM_DS, TN_CONTACT_ERGONOMICS},
    {"/DS/HC/HandQuat", hand_quat, TN_CONTACT_FROM_DS, TN_CONTACT_HAND_QUAT},
    {"/DS/HC/Wrist", wrist, TN_CONTACT_FROM_DS, TN_CONTACT_WRIST},
    {"/DS/HC/Controller", controller, TN_CONTACT_FROM_DS, TN_CONTACT_CONTROLLER},
    {"/DS/HC/Device", device, TN_CONTACT_FROM_DS, TN_CONTACT_DEVICES},
    {"/DS/HC/Connect", port_only, TN_CONTACT_TO_DS, TN_CONTACT_CONNECT},
    {"/DS/HC/Disconnect", port_only, TN_CONTACT_TO_DS, TN_CONTACT_DISCONNECT},
    {"/DS/HC/DG-0042/Haptics/Body", haptics_body, TN_CONTACT_TO_DS, TN_CONTACT_HAPTICS_BODY},
    {"/DS/HC/DG-0042/Haptics/Finger", haptics_finger, TN_CONTACT_TO_DS, TN_CONTACT_HAPTICS_FINGER},
};

static enum tn_result read_one(enum tn_contact_direction direction, const void *data, size_t size)
{
    struct tn_contact_reader reader;
    tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), direction, data, size);
    return tn_contact_reader_next(&reader, &message, &reject);
}

static void its_messages_are_ours(void **state)
{
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        lo_message m = rows[i].make();
        size_t size = 0, ours_size = 0;
        void *bytes = lo_message_serialise(m, rows[i].address, NULL, &size);
        static uint8_t ours[4096];
        assert_int_equal(read_one(rows[i].direction, bytes, size), TN_OK);
        assert_int_equal(message.kind, rows[i].kind);
        assert_int_equal(
            tn_contact_encode(tn_contact_dialect_v1(), &message, ours, sizeof ours, &ours_size),
            TN_OK);
        assert_int_equal(ours_size, size);
        // angles go through degrees and back: their last bit may differ
        if (rows[i].kind != TN_CONTACT_ERGONOMICS)
            assert_memory_equal(ours, bytes, size);
        free(bytes);
        lo_message_free(m);
    }
}

/// liblo's arguments may lie unaligned.
static void expect_near(char type, const void *found, const void *wanted)
{
    int32_t int_found, int_wanted;
    float float_found, float_wanted;
    memcpy(&int_found, found, 4);
    memcpy(&int_wanted, wanted, 4);
    memcpy(&float_found, found, 4);
    memcpy(&float_wanted, wanted, 4);
    if (type == 'i')
        assert_int_equal(int_found, int_wanted);
    else
        assert_true(float_found - float_wanted < 1e-6f && float_wanted - float_found < 1e-6f);
}

static void our_messages_are_its(void **state)
{
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        lo_message expected = rows[i].make();
        size_t size = 0, ours_size = 0;
        int result = 0;
        void *bytes = lo_message_serialise(expected, rows[i].address, NULL, &size);
        static uint8_t ours[4096];
        assert_int_equal(read_one(rows[i].direction, bytes, size), TN_OK);
        assert_int_equal(
            tn_contact_encode(tn_contact_dialect_v1(), &message, ours, sizeof ours, &ours_size),
            TN_OK);
        assert_string_equal(lo_get_path(ours, (ssize_t)ours_size), rows[i].address);
        lo_message m = lo_message_deserialise(ours, ours_size, &result);
        assert_non_null(m);
        assert_string_equal(lo_message_get_types(m), lo_message_get_types(expected));
        lo_arg **found = lo_message_get_argv(m), **wanted = lo_message_get_argv(expected);
        for (int a = 0; a < lo_message_get_argc(m); a++) {
            switch (lo_message_get_types(m)[a]) {
            case 'i':
            case 'f':
                expect_near(lo_message_get_types(m)[a], found[a], wanted[a]);
                break;
            default:
                assert_string_equal((const char *)found[a], (const char *)wanted[a]);
                break;
            }
        }
        lo_message_free(m);
        lo_message_free(expected);
        free(bytes);
    }
}

static void its_bundles_are_read(void **state)
{
    (void)state;
    lo_bundle outer = lo_bundle_new(LO_TT_IMMEDIATE), inner = lo_bundle_new(LO_TT_IMMEDIATE);
    lo_message first = hand(), second = wrist(), third = controller();
    (void)lo_bundle_add_message(outer, rows[0].address, first);
    (void)lo_bundle_add_message(inner, rows[2].address, second);
    (void)lo_bundle_add_bundle(outer, inner);
    (void)lo_bundle_add_message(outer, rows[3].address, third);
    size_t size = 0;
    void *bytes = lo_bundle_serialise(outer, NULL, &size);
    static const enum tn_contact_kind order[] = {TN_CONTACT_ERGONOMICS, TN_CONTACT_WRIST,
                                                 TN_CONTACT_CONTROLLER};
    struct tn_contact_reader reader;
    tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), TN_CONTACT_FROM_DS, bytes, size);
    for (size_t i = 0; i < TN_ARRAY_SIZE(order); i++) {
        assert_int_equal(tn_contact_reader_next(&reader, &message, &reject), TN_OK);
        assert_int_equal(message.kind, order[i]);
    }
    assert_int_equal(tn_contact_reader_next(&reader, &message, &reject), TN_ERR_AGAIN);
    free(bytes);
    lo_bundle_free_recursive(outer);
}

/// Any type tag but the right one is refused, whatever it carries.
static void its_other_types_are_refused(void **state)
{
    (void)state;
    static const char types[] = "hdSTFNIcm";
    for (size_t i = 0; i + 1 < sizeof types; i++) {
        lo_message m = lo_message_new();
        uint8_t midi[4] = {0};
        size_t size = 0;
        (void)lo_message_add_int32(m, 1);
        (void)lo_message_add_string(m, "DG-0042");
        switch (types[i]) {
        case 'h':
            (void)lo_message_add_int64(m, 1);
            break;
        case 'd':
            (void)lo_message_add_double(m, 1);
            break;
        case 'S':
            (void)lo_message_add_symbol(m, "1");
            break;
        case 'T':
            (void)lo_message_add_true(m);
            break;
        case 'F':
            (void)lo_message_add_false(m);
            break;
        case 'N':
            (void)lo_message_add_nil(m);
            break;
        case 'I':
            (void)lo_message_add_infinitum(m);
            break;
        case 'c':
            (void)lo_message_add_char(m, 'c');
            break;
        default:
            (void)lo_message_add_midi(m, midi);
            break;
        }
        add_floats(m, TN_CONTACT_ANGLES, 0);
        void *bytes = lo_message_serialise(m, rows[0].address, NULL, &size);
        assert_int_equal(read_one(TN_CONTACT_FROM_DS, bytes, size), TN_ERR_MALFORMED);
        assert_int_equal(reject.cause, TN_CONTACT_REJECT_TAGS);
        free(bytes);
        lo_message_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_messages_are_ours),
        cmocka_unit_test(our_messages_are_its),
        cmocka_unit_test(its_bundles_are_read),
        cmocka_unit_test(its_other_types_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
