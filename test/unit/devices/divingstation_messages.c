// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "devices/divingstation/garbage.h"
#include "devices/divingstation/messages.h"
#include "devices/motion/script.h"
#include "glove/contact/contact_codec.h"

static const struct tn_ds_pair both = {.id = "PAIR1", .has_hand = {true, true}};

// through the wire and back, as a driver sees it
static struct tn_contact_message over_the_wire(const struct tn_contact_message *message)
{
    static uint8_t data[TN_CONTACT_MESSAGE_BYTES];
    size_t size = 0;
    assert_int_equal(tn_contact_encode(tn_contact_dialect_v1(), message, data, sizeof data, &size),
                     TN_OK);
    struct tn_contact_reader reader;
    struct tn_contact_message found;
    struct tn_contact_reject why;
    tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), TN_CONTACT_FROM_DS, data, size);
    assert_int_equal(tn_contact_reader_next(&reader, &found, &why), TN_OK);
    assert_int_equal(found.kind, message->kind);
    return found;
}

static void hands_survive_the_wire(void **state)
{
    (void)state;
    for (double t = 0.0; t < tn_motion_script_period_s(); t += 0.1) {
        struct tn_motion_pose pose;
        struct tn_contact_message message;
        tn_motion_script_sample(TN_SIDE_LEFT, t, &pose);
        tn_ds_make_hand(&both, TN_SIDE_LEFT, &pose, &message);
        struct tn_contact_message found = over_the_wire(&message);
        assert_string_equal(found.body.ergonomics.id, "PAIR1");
        assert_true(found.body.ergonomics.is_left);
        for (unsigned i = 0; i < TN_CONTACT_ANGLES; i++)
            assert_true(fabs((double)found.body.ergonomics.angle_deg[i] - pose.angle_deg[i]) <
                        1e-3);
        tn_ds_make_hand(&both, TN_SIDE_RIGHT, &pose, &message);
        assert_false(over_the_wire(&message).body.ergonomics.is_left);
    }
}

static void quaternions_are_normal_and_bend(void **state)
{
    (void)state;
    struct tn_motion_pose pose;
    struct tn_contact_message message;
    tn_motion_script_sample(TN_SIDE_RIGHT, 2.3, &pose);
    tn_ds_make_hand_quat(&both, TN_SIDE_RIGHT, &pose, &message);
    struct tn_contact_message found = over_the_wire(&message);
    for (unsigned i = 0; i < TN_CONTACT_HAND_QUATS; i++) {
        const float *q = found.body.hand_quat.q_xyzw[i];
        double norm = 0.0;
        for (unsigned k = 0; k < 4; k++)
            norm += (double)q[k] * (double)q[k];
        assert_true(fabs(norm - 1.0) < 1e-5);
    }
    // the index finger's PIP turns by its angle
    double turn_deg = 2.0 * acos((double)found.body.hand_quat.q_xyzw[4][3]) * 57.29578;
    assert_true(fabs(turn_deg - fabs(pose.angle_deg[5])) < 0.01);
    for (double t = 0.0; t < 100.0; t += 0.5) {
        tn_ds_make_wrist(&both, TN_SIDE_LEFT, t, &message);
        (void)over_the_wire(&message);
        tn_ds_make_controller(&both, TN_SIDE_LEFT, &pose, t, &message);
        found = over_the_wire(&message);
        assert_true(found.body.controller.trigger >= 0.0F && found.body.controller.trigger <= 1.0F);
    }
}

static void devices_show_the_hands_there_are(void **state)
{
    (void)state;
    const struct tn_ds_pair right = {.id = "ONE", .has_hand = {false, true}};
    struct tn_contact_message message;
    tn_ds_make_devices(&right, 0.0, &message);
    struct tn_contact_message found = over_the_wire(&message);
    assert_int_equal(found.body.devices.n, 1);
    const struct tn_contact_device *device = &found.body.devices.devices[0];
    assert_string_equal(device->id, "ONE");
    assert_false(device->left.is_connected);
    assert_true(device->right.is_connected);
    tn_ds_make_devices(&right, 1e9, &message);
    assert_int_equal(message.body.devices.devices[0].right.battery, 5);
}

static void no_receiver_may_take_garbage(void **state)
{
    (void)state;
    struct tn_motion_pose pose;
    struct tn_contact_message message, found;
    struct tn_contact_reject why;
    tn_motion_script_sample(TN_SIDE_LEFT, 1.0, &pose);
    tn_ds_make_hand(&both, TN_SIDE_LEFT, &pose, &message);
    uint8_t valid[TN_CONTACT_MESSAGE_BYTES], spoiled[TN_DS_GARBAGE_BYTES(sizeof valid)];
    size_t valid_size = 0;
    assert_int_equal(
        tn_contact_encode(tn_contact_dialect_v1(), &message, valid, sizeof valid, &valid_size),
        TN_OK);
    struct tn_random random;
    tn_random_init(&random, 11, 1);
    unsigned causes[TN_CONTACT_REJECTS] = {0}, n_causes = 0;
    for (int i = 0; i < 20000; i++) {
        size_t size = tn_ds_make_garbage(&random, valid, valid_size, spoiled);
        assert_true(size <= TN_DS_GARBAGE_BYTES(valid_size));
        struct tn_contact_reader reader;
        tn_contact_reader_begin(&reader, tn_contact_dialect_v1(), TN_CONTACT_FROM_DS, spoiled,
                                size);
        enum tn_result result = TN_OK;
        while ((result = tn_contact_reader_next(&reader, &found, &why)) != TN_ERR_AGAIN) {
            assert_int_equal(result, TN_ERR_MALFORMED);
            causes[why.cause]++;
        }
    }
    // it is not always the same mistake
    for (unsigned i = 0; i < TN_CONTACT_REJECTS; i++)
        n_causes += causes[i] > 0;
    assert_true(n_causes >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_survive_the_wire),
        cmocka_unit_test(quaternions_are_normal_and_bend),
        cmocka_unit_test(devices_show_the_hands_there_are),
        cmocka_unit_test(no_receiver_may_take_garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
