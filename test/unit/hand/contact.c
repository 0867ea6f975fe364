// SPDX-License-Identifier: Apache-2.0
#include "hand/contact.h"
#include "hand_test.h"

static const double rad_per_deg = 3.14159265358979323846 / 180.0;

static void the_table_covers_every_slot_but_rotation_once(void **state)
{
    (void)state;
    // names of the 20 joints of the URDF, in Ergonomics order
    const char *const names[TN_HAND_CONTACT_ANGLES] = {
        "thumb_cmc",  "thumb_mcp",   "thumb_ip",   "thumb_tilt", "index_mcp",
        "index_pip",  "index_dip",   "index_tilt", "middle_mcp", "middle_pip",
        "middle_dip", "middle_tilt", "ring_mcp",   "ring_pip",   "ring_dip",
        "ring_tilt",  "little_mcp",  "little_pip", "little_dip", "little_tilt"};
    uint32_t seen = 0;
    for (unsigned i = 0; i < TN_HAND_CONTACT_ANGLES; i++) {
        const struct tn_hand_contact_angle *row = tn_hand_contact_angle(i);
        assert_string_equal(row->name, names[i]);
        assert_true(row->sign == 1 || row->sign == -1);
        assert_int_equal(seen & BIT(row->slot), 0);
        seen |= BIT(row->slot);
    }
    assert_int_equal(seen, (BIT(TN_HAND_ANGLES) - 1) & ~BIT(TN_ANGLE_THUMB_CMC_ROT));
    assert_null(tn_hand_contact_angle(TN_HAND_CONTACT_ANGLES));
}

static void each_angle_lands_in_its_slot(void **state)
{
    (void)state;
    const unsigned slots[TN_HAND_CONTACT_ANGLES] = {1,  3,  4,  2,  5,  7,  8,  6,  9,  11,
                                                    12, 10, 13, 15, 16, 14, 17, 19, 20, 18};
    for (unsigned i = 0; i < TN_HAND_CONTACT_ANGLES; i++) {
        float degrees[TN_HAND_CONTACT_ANGLES] = {0};
        degrees[i] = 30.0f;
        double angles[TN_HAND_ANGLES];
        uint32_t valid = 0;
        assert_int_equal(tn_hand_contact_to_angles(degrees, angles, &valid), TN_OK);
        assert_int_equal(valid, (BIT(TN_HAND_ANGLES) - 1) & ~BIT(0));
        for (unsigned s = 0; s < TN_HAND_ANGLES; s++) {
            assert_near(angles[s], s == slots[i] ? 30.0 * rad_per_deg : 0.0, 1e-15);
        }
    }
}

static void there_and_back_is_the_identity(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 1000; round++) {
        float degrees[TN_HAND_CONTACT_ANGLES], back[TN_HAND_CONTACT_ANGLES];
        for (size_t i = 0; i < TN_HAND_CONTACT_ANGLES; i++) {
            degrees[i] = (float)test_uniform(&seed, -199.9, 199.9);
        }
        double angles[TN_HAND_ANGLES];
        uint32_t valid = 0;
        assert_int_equal(tn_hand_contact_to_angles(degrees, angles, &valid), TN_OK);
        assert_int_equal(tn_hand_contact_from_angles(angles, valid, back), TN_OK);
        for (size_t i = 0; i < TN_HAND_CONTACT_ANGLES; i++) {
            assert_near((double)back[i], (double)degrees[i], 2e-5);
        }
    }
}

static void bad_values_leave_the_outputs_alone(void **state)
{
    (void)state;
    const struct {
        float value;
        enum tn_result result;
    } rows[] = {{NAN, TN_ERR_NOT_FINITE},       {INFINITY, TN_ERR_NOT_FINITE},
                {-INFINITY, TN_ERR_NOT_FINITE}, {200.1f, TN_ERR_RANGE},
                {-200.1f, TN_ERR_RANGE},        {3e38f, TN_ERR_RANGE}};
    for (unsigned i = 0; i < TN_HAND_CONTACT_ANGLES; i++) {
        for (size_t r = 0; r < TN_ARRAY_SIZE(rows); r++) {
            float degrees[TN_HAND_CONTACT_ANGLES] = {0};
            degrees[i] = rows[r].value;
            double angles[TN_HAND_ANGLES];
            memset(angles, 0x5a, sizeof angles);
            double kept[TN_HAND_ANGLES];
            memcpy(kept, angles, sizeof kept);
            uint32_t valid = 77;
            assert_int_equal(tn_hand_contact_to_angles(degrees, angles, &valid), rows[r].result);
            assert_memory_equal(angles, kept, sizeof kept);
            assert_int_equal(valid, 77);
        }
    }
    double angles[TN_HAND_ANGLES] = {0};
    float degrees[TN_HAND_CONTACT_ANGLES] = {0};
    uint32_t all = BIT(TN_HAND_ANGLES) - 1;
    assert_int_equal(tn_hand_contact_from_angles(angles, all & ~BIT(7), degrees), TN_ERR_NOT_FOUND);
    assert_int_equal(tn_hand_contact_from_angles(angles, all & ~BIT(0), degrees), TN_OK);
    angles[7] = (double)NAN;
    assert_int_equal(tn_hand_contact_from_angles(angles, all, degrees), TN_ERR_NOT_FINITE);
}

static void the_axes_are_a_proper_rotation(void **state)
{
    (void)state;
    struct tn_vec3 x = tn_hand_contact_swap_axes(tn_vec3(1, 0, 0));
    struct tn_vec3 y = tn_hand_contact_swap_axes(tn_vec3(0, 1, 0));
    struct tn_vec3 z = tn_hand_contact_swap_axes(tn_vec3(0, 0, 1));
    assert_vec3_near(tn_vec3_cross(x, y), z, 0.0);
    // toward the wrist is -x, the back of the hand z, toward the right thumb y
    assert_vec3_near(x, tn_vec3(-1, 0, 0), 0.0);
    assert_vec3_near(y, tn_vec3(0, 0, 1), 0.0);
    assert_vec3_near(z, tn_vec3(0, 1, 0), 0.0);
    uint64_t seed = 5;
    for (int round = 0; round < 100; round++) {
        struct tn_vec3 v = tn_vec3(test_uniform(&seed, -1, 1), test_uniform(&seed, -1, 1),
                                   test_uniform(&seed, -1, 1));
        struct tn_quat q = tn_hand_contact_q_wrist_hand();
        assert_vec3_near(tn_quat_rotate(q, v), tn_hand_contact_swap_axes(v), 1e-15);
        assert_vec3_near(tn_hand_contact_swap_axes(tn_hand_contact_swap_axes(v)), v, 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_covers_every_slot_but_rotation_once),
        cmocka_unit_test(each_angle_lands_in_its_slot),
        cmocka_unit_test(there_and_back_is_the_identity),
        cmocka_unit_test(bad_values_leave_the_outputs_alone),
        cmocka_unit_test(the_axes_are_a_proper_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
