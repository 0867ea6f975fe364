// SPDX-License-Identifier: Apache-2.0
#include "hand_test.h"

static struct tn_hand_frame good_frame(void)
{
    struct tn_hand_frame frame;
    tn_hand_frame_init(&frame);
    frame.side = TN_SIDE_LEFT;
    frame.link = TN_LINK_ACTIVE;
    frame.node_valid = BIT(TN_HAND_NODES) - 1;
    frame.angle_valid = BIT(TN_HAND_ANGLES) - 1;
    return frame;
}

static void names_are_distinct_and_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TN_HAND_ANGLES; i++) {
        assert_int_equal(tn_hand_angle_find(tn_hand_angle_name(i)), i);
    }
    for (unsigned i = 0; i < TN_HAND_NODES; i++) {
        for (unsigned k = 0; k < i; k++) {
            assert_string_not_equal(tn_hand_node_name(i), tn_hand_node_name(k));
        }
    }
    assert_null(tn_hand_angle_name(TN_HAND_ANGLES));
    assert_null(tn_hand_node_name(TN_HAND_NODES));
    assert_int_equal(tn_hand_angle_find("thumb"), -1);
    assert_int_equal(tn_hand_angle_find(""), -1);
    assert_int_equal(tn_hand_angle_find(NULL), -1);
    assert_string_equal(tn_hand_angle_name(TN_ANGLE_LITTLE_DIP), "little_dip");
    assert_string_equal(tn_hand_angle_name(TN_ANGLE_RING_MCP_ABD), "ring_mcp_abd");
    assert_string_equal(tn_hand_node_name(TN_NODE_INDEX_METACARPAL + 1), "index_proximal");
    assert_string_equal(tn_hand_node_name(TN_NODE_THUMB_DISTAL), "thumb_distal");
    assert_string_equal(tn_hand_node_name(TN_NODE_LITTLE_TIP), "little_tip");
    assert_string_equal(tn_hand_node_name(TN_NODE_PALM), "palm");
}

static void a_good_frame_passes(void **state)
{
    (void)state;
    struct tn_hand_frame frame = good_frame();
    assert_int_equal(tn_hand_frame_check(&frame), TN_OK);
    frame.side = TN_SIDE_RIGHT;
    frame.nodes[3].p = tn_vec3(0.0, 0.0, -TN_HAND_MAX_REACH_M);
    frame.nodes[4].q = (struct tn_quat){2.0, 0.0, 0.0, 0.0};
    frame.nodes[5].q = (struct tn_quat){0.0, 0.0, 0.5, 0.0};
    frame.angles[0] = TN_HAND_MAX_ANGLE_RAD;
    frame.angles[20] = -TN_HAND_MAX_ANGLE_RAD;
    frame.confidence[0] = 0.0f;
    frame.confidence[4] = 1.0f;
    assert_int_equal(tn_hand_frame_check(&frame), TN_OK);
}

static void an_unknown_side_is_refused(void **state)
{
    (void)state;
    struct tn_hand_frame frame = good_frame();
    frame.side = TN_SIDE_UNKNOWN;
    assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_WRONG_SIDE);
    frame.side = (enum tn_side)3;
    assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_WRONG_SIDE);
}

static void every_float_must_be_finite(void **state)
{
    (void)state;
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t b = 0; b < 3; b++) {
        for (unsigned i = 0; i < TN_HAND_NODES; i++) {
            struct tn_hand_frame frame = good_frame();
            double *members[] = {&frame.nodes[i].p.x, &frame.nodes[i].p.y, &frame.nodes[i].p.z,
                                 &frame.nodes[i].q.x, &frame.nodes[i].q.y, &frame.nodes[i].q.z,
                                 &frame.nodes[i].q.w};
            for (size_t m = 0; m < 7; m++) {
                double kept = *members[m];
                *members[m] = bad[b];
                assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_NOT_FINITE);
                *members[m] = kept;
            }
        }
        for (unsigned s = 0; s < TN_HAND_ANGLES; s++) {
            struct tn_hand_frame frame = good_frame();
            frame.angles[s] = bad[b];
            assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_NOT_FINITE);
            frame = good_frame();
            frame.rates[s] = bad[b];
            assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_NOT_FINITE);
        }
        for (unsigned f = 0; f < TN_HAND_FINGERS; f++) {
            struct tn_hand_frame frame = good_frame();
            frame.confidence[f] = (float)bad[b];
            assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_NOT_FINITE);
        }
    }
}

static void values_out_of_range_are_refused_only_where_valid(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TN_HAND_NODES; i++) {
        const struct tn_pose bad[] = {
            {.p = {0.51, 0.0, 0.0}, .q = tn_quat_identity()},
            {.p = {0.4, 0.4, 0.0}, .q = tn_quat_identity()},
            {.p = {1e300, 1e300, 0.0}, .q = tn_quat_identity()},
            {.q = {0.0, 0.0, 0.0, 0.0}},
            {.q = {0.0, 0.0, 0.0, 0.49}},
            {.q = {0.0, 0.0, 2.01, 0.0}},
            {.q = {1e200, 1e200, 0.0, 0.0}},
        };
        for (size_t b = 0; b < TN_ARRAY_SIZE(bad); b++) {
            struct tn_hand_frame frame = good_frame();
            frame.nodes[i] = bad[b];
            assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_RANGE);
            frame.node_valid &= ~BIT(i);
            assert_int_equal(tn_hand_frame_check(&frame), TN_OK);
        }
    }
    for (unsigned s = 0; s < TN_HAND_ANGLES; s++) {
        struct tn_hand_frame frame = good_frame();
        frame.angles[s] = s % 2 == 0 ? 3.4907 : -3.4907;
        assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_RANGE);
        frame.angle_valid &= ~BIT(s);
        assert_int_equal(tn_hand_frame_check(&frame), TN_OK);
    }
}

static void words_and_masks_must_be_known(void **state)
{
    (void)state;
    struct tn_hand_frame frame = good_frame();
    frame.node_valid |= BIT(TN_HAND_NODES);
    assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_RANGE);
    frame = good_frame();
    frame.angle_valid |= BIT(31);
    assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_RANGE);
    frame = good_frame();
    frame.stamp_kind = (enum tn_stamp_kind)0;
    assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_RANGE);
    frame = good_frame();
    frame.link = (enum tn_link_state)5;
    assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_RANGE);
    frame = good_frame();
    frame.confidence[2] = -0.5f;
    assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_RANGE);
    frame.confidence[2] = 1.5f;
    assert_int_equal(tn_hand_frame_check(&frame), TN_ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_distinct_and_found),
        cmocka_unit_test(a_good_frame_passes),
        cmocka_unit_test(an_unknown_side_is_refused),
        cmocka_unit_test(every_float_must_be_finite),
        cmocka_unit_test(values_out_of_range_are_refused_only_where_valid),
        cmocka_unit_test(words_and_masks_must_be_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
