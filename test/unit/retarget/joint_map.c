// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "retarget/retarget.h"

#define ALL_ANGLES UINT32_C(0x1FFFFE) // every slot but thumb_cmc_rot, as the Contact Glove sends

static struct tn_retarget_model percent_model(void)
{
    struct tn_retarget_model model;
    assert_int_equal(tn_retarget_model_init(&model, tn_retarget_percent_hand(), NULL), TN_OK);
    return model;
}

static struct tn_hand_frame flat_hand(int64_t stamp)
{
    return (struct tn_hand_frame){
        .stamp_ros_ns = stamp, .side = TN_SIDE_LEFT, .angle_valid = ALL_ANGLES};
}

static void settle(const struct tn_retarget_model *model, struct tn_hand_frame frame,
                   struct tn_retarget_output *out)
{
    struct tn_retarget data = {0};
    for (int i = 0; i < 3; i++) {
        frame.stamp_ros_ns = i * 8000000;
        assert_int_equal(tn_retarget_step(model, &data, &frame, out), TN_OK);
    }
}

static void the_six_joints_are_named_in_the_interface_order(void **state)
{
    (void)state;
    static const char *const names[] = {"THUMBMCP",  "THUMBCMC", "INDEXMCP",
                                        "MIDDLEMCP", "RINGMCP",  "LITTLEMCP"};
    const struct tn_retarget_hand *hand = tn_retarget_percent_hand();
    assert_int_equal(hand->n_joints, 6);
    for (unsigned j = 0; j < 6; j++) {
        assert_string_equal(hand->joints[j].name, names[j]);
    }
}

static void a_fist_closes_and_a_flat_hand_opens_the_fingers(void **state)
{
    (void)state;
    struct tn_retarget_model model = percent_model();
    struct tn_retarget_output out;
    settle(&model, flat_hand(0), &out);
    for (unsigned j = 2; j < 6; j++) {
        assert_true(out.percent[j] < 1.0);
    }
    struct tn_hand_frame fist = flat_hand(0);
    for (unsigned slot = TN_ANGLE_THUMB_MCP; slot < TN_HAND_ANGLES; slot++) {
        fist.angles[slot] = 1.4;
    }
    settle(&model, fist, &out);
    for (unsigned j = 2; j < 6; j++) {
        assert_true(out.percent[j] > 95.0);
    }
}

// each human angle moves the robot joint that its finger belongs to, and no other
static void each_finger_moves_its_own_joint(void **state)
{
    (void)state;
    static const struct {
        int slot;
        unsigned joint;
    } pairs[] = {
        {TN_ANGLE_THUMB_MCP, 0},      {TN_ANGLE_THUMB_IP, 0},   {TN_ANGLE_THUMB_CMC_ABD, 1},
        {TN_ANGLE_INDEX_MCP_FLEX, 2}, {TN_ANGLE_INDEX_PIP, 2},  {TN_ANGLE_MIDDLE_MCP_FLEX, 3},
        {TN_ANGLE_RING_PIP, 4},       {TN_ANGLE_LITTLE_PIP, 5}, {TN_ANGLE_LITTLE_MCP_FLEX, 5}};
    struct tn_retarget_model model = percent_model();
    struct tn_retarget_output rest, moved;
    settle(&model, flat_hand(0), &rest);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct tn_hand_frame frame = flat_hand(0);
        frame.angles[pairs[i].slot] = 0.4;
        settle(&model, frame, &moved);
        for (unsigned j = 0; j < 6; j++) {
            double change = moved.percent[j] - rest.percent[j];
            assert_true(j == pairs[i].joint ? change > 5.0 : fabs(change) < 1e-9);
        }
    }
}

static void absent_and_wild_angles_never_become_targets(void **state)
{
    (void)state;
    struct tn_retarget_model model = percent_model();
    struct tn_retarget data = {0};
    struct tn_retarget_output out;
    struct tn_hand_frame frame = flat_hand(0);
    frame.angle_valid &= ~(UINT32_C(1) << TN_ANGLE_INDEX_PIP);
    frame.angles[TN_ANGLE_RING_PIP] = (double)NAN;
    frame.angles[TN_ANGLE_LITTLE_PIP] = 1e300;
    assert_int_equal(tn_retarget_step(&model, &data, &frame, &out), TN_OK);
    assert_int_equal(out.valid_mask, 0x2B);
    assert_true(out.percent[5] >= 0.0 && out.percent[5] <= 100.0);
    frame.angle_valid = 0;
    struct tn_retarget_output untouched = out;
    assert_int_equal(tn_retarget_step(&model, &data, &frame, &out), TN_ERR_NOT_FOUND);
    assert_memory_equal(&untouched, &out, sizeof out);
    assert_int_equal(data.rejected, 1);
}

static void one_bad_frame_does_not_change_the_next_good_one(void **state)
{
    (void)state;
    struct tn_retarget_model model = percent_model();
    struct tn_retarget clean = {0}, spoiled = {0};
    struct tn_retarget_output a, b;
    for (int i = 0; i < 50; i++) {
        struct tn_hand_frame frame = flat_hand(i * 8000000);
        frame.angles[TN_ANGLE_INDEX_PIP] = 0.02 * i;
        assert_int_equal(tn_retarget_step(&model, &clean, &frame, &a), TN_OK);
        assert_int_equal(tn_retarget_step(&model, &spoiled, &frame, &b), TN_OK);
        frame.stamp_ros_ns += 4000000;
        for (int slot = 0; slot < TN_HAND_ANGLES; slot++) {
            frame.angles[slot] = (double)NAN;
        }
        assert_int_equal(tn_retarget_step(&model, &spoiled, &frame, &b), TN_ERR_NOT_FOUND);
        assert_true(fabs(a.percent[2] - b.percent[2]) < 1e-12);
    }
}

static void reset_forgets_the_filters(void **state)
{
    (void)state;
    struct tn_retarget_model model = percent_model();
    struct tn_retarget data = {0};
    struct tn_retarget_output out;
    struct tn_hand_frame fist = flat_hand(0);
    fist.angles[TN_ANGLE_INDEX_MCP_FLEX] = 3.0;
    assert_int_equal(tn_retarget_step(&model, &data, &fist, &out), TN_OK);
    tn_retarget_reset(&data);
    struct tn_hand_frame flat = flat_hand(8000000);
    assert_int_equal(tn_retarget_step(&model, &data, &flat, &out), TN_OK);
    assert_true(out.percent[2] < 1e-9);
}

static void bad_hands_are_refused_by_name(void **state)
{
    (void)state;
    struct tn_retarget_model model;
    struct tn_error err = {0};
    struct tn_retarget_hand hand = *tn_retarget_percent_hand();
    hand.joints[3].terms[1].angle = "middle_elbow";
    assert_int_equal(tn_retarget_model_init(&model, &hand, &err), TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "MIDDLEMCP"));
    assert_non_null(strstr(err.text, "middle_elbow"));
    hand = *tn_retarget_percent_hand();
    hand.joints[1].closed_rad = hand.joints[1].open_rad;
    assert_int_equal(tn_retarget_model_init(&model, &hand, &err), TN_ERR_INVALID_ARGUMENT);
    hand = *tn_retarget_percent_hand();
    hand.n_joints = 0;
    assert_int_equal(tn_retarget_model_init(&model, &hand, &err), TN_ERR_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_six_joints_are_named_in_the_interface_order),
        cmocka_unit_test(a_fist_closes_and_a_flat_hand_opens_the_fingers),
        cmocka_unit_test(each_finger_moves_its_own_joint),
        cmocka_unit_test(absent_and_wild_angles_never_become_targets),
        cmocka_unit_test(one_bad_frame_does_not_change_the_next_good_one),
        cmocka_unit_test(reset_forgets_the_filters),
        cmocka_unit_test(bad_hands_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
