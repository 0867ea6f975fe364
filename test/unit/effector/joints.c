// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "effector/joints.h"

static enum tn_result find(enum tn_effector_kind kind, enum tn_side side, const char *name,
                           uint32_t *joint)
{
    // no NUL behind the view
    char bytes[64];
    size_t size = strlen(name);
    memset(bytes, 'Z', sizeof bytes);
    memcpy(bytes, name, size);
    struct tn_effector_text text = {bytes, (uint32_t)size};
    *joint = 99;
    return tn_effector_joint_find(kind, side, text, joint);
}

static void names_and_aliases(void **state)
{
    static const char *const rows[6][4] = {
        {"THUMBMCP", "T_MCP", "HAND_THUMB1", "THUMB1"},
        {"THUMBCMC", "T_CMC_YAW", "HAND_THUMB2", "THUMB2"},
        {"INDEXMCP", "IF_MCP_PITCH", "INDEX", "INDEX"},
        {"MIDDLEMCP", "MF_MCP_PITCH", "MIDDLE", "MIDDLE"},
        {"RINGMCP", "RF_MCP_PITCH", "RING", "RING"},
        {"LITTLEMCP", "LF_MCP_PITCH", "PINKY", "LITTLE"},
    };
    (void)state;
    assert_int_equal(tn_effector_joint_count(TN_EFFECTOR_HAND), 6);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t joint;
        assert_string_equal(tn_effector_joint_name(TN_EFFECTOR_HAND, i), rows[i][0]);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(find(TN_EFFECTOR_HAND, TN_SIDE_LEFT, rows[i][k], &joint), TN_OK);
            assert_int_equal(joint, i);
        }
    }
    assert_null(tn_effector_joint_name(TN_EFFECTOR_HAND, 6));
    assert_null(tn_effector_joint_name(TN_EFFECTOR_GRIPPER, 1));
}

static void sides_are_checked(void **state)
{
    static const struct {
        enum tn_effector_kind kind;
        enum tn_side side;
        const char *name;
        enum tn_result result;
        uint32_t joint;
    } rows[] = {
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "LEFT_THUMB2", TN_OK, 1},
        {TN_EFFECTOR_HAND, TN_SIDE_RIGHT, "RIGHT_HAND_THUMB1", TN_OK, 0},
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "RIGHT_INDEXMCP", TN_ERR_WRONG_SIDE, 99},
        {TN_EFFECTOR_HAND, TN_SIDE_RIGHT, "LEFT_PINKY", TN_ERR_WRONG_SIDE, 99},
        {TN_EFFECTOR_HAND, TN_SIDE_UNKNOWN, "LEFT_PINKY", TN_OK, 5},
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "LEFT_LEFT_PINKY", TN_ERR_NOT_FOUND, 99},
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "LEFT_", TN_ERR_NOT_FOUND, 99},
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "", TN_ERR_NOT_FOUND, 99},
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "INDEXMC", TN_ERR_NOT_FOUND, 99},
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "INDEXMCPX", TN_ERR_NOT_FOUND, 99},
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "indexmcp", TN_ERR_NOT_FOUND, 99},
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "FINGER", TN_ERR_NOT_FOUND, 99},
        {TN_EFFECTOR_HAND, TN_SIDE_LEFT, "PIPER_LEFT", TN_ERR_NOT_FOUND, 99},
        {TN_EFFECTOR_GRIPPER, TN_SIDE_LEFT, "FINGER", TN_OK, 0},
        {TN_EFFECTOR_GRIPPER, TN_SIDE_LEFT, "LEFT_FINGER", TN_OK, 0},
        {TN_EFFECTOR_GRIPPER, TN_SIDE_LEFT, "PIPER_LEFT", TN_OK, 0},
        {TN_EFFECTOR_GRIPPER, TN_SIDE_LEFT, "PIPER_RIGHT", TN_ERR_WRONG_SIDE, 99},
        {TN_EFFECTOR_GRIPPER, TN_SIDE_RIGHT, "RIGHT_PIPER_RIGHT", TN_OK, 0},
        {TN_EFFECTOR_GRIPPER, TN_SIDE_RIGHT, "LEFT_PIPER_RIGHT", TN_ERR_WRONG_SIDE, 99},
        {TN_EFFECTOR_GRIPPER, TN_SIDE_LEFT, "THUMBMCP", TN_ERR_NOT_FOUND, 99},
    };
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++) {
        uint32_t joint;
        assert_int_equal(find(rows[i].kind, rows[i].side, rows[i].name, &joint), rows[i].result);
        assert_int_equal(joint, rows[i].joint);
    }
    struct tn_effector_text nothing = {NULL, 0};
    uint32_t joint = 99;
    assert_int_equal(tn_effector_joint_find(TN_EFFECTOR_HAND, TN_SIDE_LEFT, nothing, &joint),
                     TN_ERR_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_aliases),
        cmocka_unit_test(sides_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
