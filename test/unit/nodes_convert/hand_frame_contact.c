// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "hand/contact.h"
#include "nodes/convert/hand_frame_contact.h"

static struct contact_glove_msgs_msg_Ergonomics good_message(void)
{
    struct contact_glove_msgs_msg_Ergonomics msg;
    contact_glove_msgs_msg_Ergonomics_init(&msg);
    msg.id = tn_str_from("0123456789ABCDEF_left");
    msg.is_left = true;
    msg.generated_at_ms = 1700000000123;
    msg.thumb.tilt = -12.0f;
    msg.ring.pip = 90.0f;
    return msg;
}

static enum tn_result try(const struct contact_glove_msgs_msg_Ergonomics *msg, enum tn_side side)
{
    struct tn_convert_contact_sample sample, kept;
    memset(&sample, 0x21, sizeof sample);
    memcpy(&kept, &sample, sizeof kept);
    enum tn_result result = tn_convert_contact_from_ergonomics(msg, side, &sample);
    if (result != TN_OK) {
        assert_memory_equal(&sample, &kept, sizeof kept);
    }
    return result;
}

static void a_sample_keeps_its_own_time_and_names(void **state)
{
    (void)state;
    struct contact_glove_msgs_msg_Ergonomics msg = good_message();
    msg.header.stamp.sec = 5; // conversion time
    struct tn_convert_contact_sample sample;
    assert_int_equal(tn_convert_contact_from_ergonomics(&msg, TN_SIDE_LEFT, &sample), TN_OK);
    assert_int_equal(sample.stamp_ros_ns, INT64_C(1700000000123) * TN_NS_PER_MS);
    assert_string_equal(sample.device_id, "0123456789ABCDEF_left");
    assert_true(fabs(sample.angles_rad[TN_ANGLE_RING_PIP] - 1.5707963267948966) < 1e-15);
    assert_true(fabs(sample.angles_rad[TN_ANGLE_THUMB_CMC_ABD] + 0.20943951023931953) < 1e-15);
    assert_int_equal(sample.angle_valid, 0x1ffffe);
}

// every vendor field by its name, so that an exchange of two is seen
static void every_field_reaches_its_slot(void **state)
{
    (void)state;
    struct contact_glove_msgs_msg_Ergonomics msg;
    contact_glove_msgs_msg_Ergonomics_init(&msg);
    struct {
        float *field;
        const char *slot;
    } rows[] = {{&msg.thumb.cmc, "thumb_cmc_flex"},   {&msg.thumb.mcp, "thumb_mcp"},
                {&msg.thumb.ip, "thumb_ip"},          {&msg.thumb.tilt, "thumb_cmc_abd"},
                {&msg.index.mcp, "index_mcp_flex"},   {&msg.index.pip, "index_pip"},
                {&msg.index.dip, "index_dip"},        {&msg.index.tilt, "index_mcp_abd"},
                {&msg.middle.mcp, "middle_mcp_flex"}, {&msg.middle.pip, "middle_pip"},
                {&msg.middle.dip, "middle_dip"},      {&msg.middle.tilt, "middle_mcp_abd"},
                {&msg.ring.mcp, "ring_mcp_flex"},     {&msg.ring.pip, "ring_pip"},
                {&msg.ring.dip, "ring_dip"},          {&msg.ring.tilt, "ring_mcp_abd"},
                {&msg.little.mcp, "little_mcp_flex"}, {&msg.little.pip, "little_pip"},
                {&msg.little.dip, "little_dip"},      {&msg.little.tilt, "little_mcp_abd"}};
    assert_int_equal(TN_ARRAY_SIZE(rows), TN_HAND_CONTACT_ANGLES);
    for (int side = TN_SIDE_LEFT; side <= TN_SIDE_RIGHT; side++) {
        for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
            msg = good_message();
            msg.thumb.tilt = 0.0f;
            msg.ring.pip = 0.0f;
            msg.is_left = side == TN_SIDE_LEFT;
            *rows[i].field = 45.0f;
            struct tn_convert_contact_sample sample;
            assert_int_equal(tn_convert_contact_from_ergonomics(&msg, (enum tn_side)side, &sample),
                             TN_OK);
            int slot = tn_hand_angle_find(rows[i].slot);
            assert_true(slot >= 0);
            for (int s = 0; s < TN_HAND_ANGLES; s++) {
                double expected = s == slot ? 0.78539816339744831 : 0.0;
                assert_true(fabs(sample.angles_rad[s] - expected) < 1e-15);
            }
        }
    }
}

static void other_sides_and_untracked_samples_are_refused(void **state)
{
    (void)state;
    struct contact_glove_msgs_msg_Ergonomics msg = good_message();
    assert_int_equal(try(&msg, TN_SIDE_LEFT), TN_OK);
    assert_int_equal(try(&msg, TN_SIDE_RIGHT), TN_ERR_WRONG_SIDE);
    for (int tracking = 1; tracking < 256; tracking++) {
        msg.tracking_state = (uint8_t)tracking;
        assert_int_equal(try(&msg, TN_SIDE_LEFT), TN_ERR_STATE);
    }
}

static void times_outside_ros_are_refused(void **state)
{
    (void)state;
    struct contact_glove_msgs_msg_Ergonomics msg = good_message();
    const struct {
        uint64_t ms;
        enum tn_result result;
    } rows[] = {{0, TN_ERR_RANGE},
                {1, TN_OK},
                {2147483647999, TN_OK},
                {2147483648000, TN_ERR_RANGE},
                {UINT64_MAX / 1000000 + 5, TN_ERR_RANGE},
                {UINT64_MAX, TN_ERR_RANGE}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        msg.generated_at_ms = rows[i].ms;
        assert_int_equal(try(&msg, TN_SIDE_LEFT), rows[i].result);
    }
}

static void ids_that_name_no_glove_are_refused(void **state)
{
    (void)state;
    char text[TN_HAND_DEVICE_ID_MAX + 1];
    memset(text, 'x', sizeof text);
    const struct {
        struct tn_str id;
        enum tn_result result;
    } rows[] = {{{NULL, 0}, TN_ERR_WRONG_DEVICE},
                {{"a/b", 3}, TN_ERR_WRONG_DEVICE},
                {{"a b", 3}, TN_ERR_WRONG_DEVICE},
                {{"a\0b", 3}, TN_ERR_WRONG_DEVICE},
                {{"\n", 1}, TN_ERR_WRONG_DEVICE},
                {{"\x7f", 1}, TN_ERR_WRONG_DEVICE},
                {{"gl\xc3\xb6", 4}, TN_OK},
                {{text, TN_HAND_DEVICE_ID_MAX - 1}, TN_OK},
                {{text, TN_HAND_DEVICE_ID_MAX}, TN_ERR_LIMIT}};
    struct contact_glove_msgs_msg_Ergonomics msg = good_message();
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        msg.id = rows[i].id;
        assert_int_equal(try(&msg, TN_SIDE_LEFT), rows[i].result);
    }
}

static void values_that_are_no_angles_are_refused(void **state)
{
    (void)state;
    struct contact_glove_msgs_msg_Ergonomics msg = good_message();
    msg.little.tilt = NAN;
    assert_int_equal(try(&msg, TN_SIDE_LEFT), TN_ERR_NOT_FINITE);
    msg.little.tilt = -INFINITY;
    assert_int_equal(try(&msg, TN_SIDE_LEFT), TN_ERR_NOT_FINITE);
    msg.little.tilt = 200.5f;
    assert_int_equal(try(&msg, TN_SIDE_LEFT), TN_ERR_RANGE);
    // bent backwards is a measurement
    msg.little.tilt = -40.0f;
    assert_int_equal(try(&msg, TN_SIDE_LEFT), TN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_keeps_its_own_time_and_names),
        cmocka_unit_test(every_field_reaches_its_slot),
        cmocka_unit_test(other_sides_and_untracked_samples_are_refused),
        cmocka_unit_test(times_outside_ros_are_refused),
        cmocka_unit_test(ids_that_name_no_glove_are_refused),
        cmocka_unit_test(values_that_are_no_angles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
