// SPDX-License-Identifier: Apache-2.0
#include "effector/joints.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// first the interface name, then its aliases
#define MAX_NAMES 4

static const char *const hand_names[TN_EFFECTOR_MAX_JOINTS][MAX_NAMES] = {
    {"THUMBMCP", "T_MCP", "HAND_THUMB1", "THUMB1"},
    {"THUMBCMC", "T_CMC_YAW", "HAND_THUMB2", "THUMB2"},
    {"INDEXMCP", "IF_MCP_PITCH", "INDEX", NULL},
    {"MIDDLEMCP", "MF_MCP_PITCH", "MIDDLE", NULL},
    {"RINGMCP", "RF_MCP_PITCH", "RING", NULL},
    {"LITTLEMCP", "LF_MCP_PITCH", "PINKY", "LITTLE"},
};

static const char *const gripper_names[1][MAX_NAMES] = {{"FINGER", NULL, NULL, NULL}};

// one gripper alias has its side in its own name
static const struct {
    const char *name;
    enum tn_side side;
} gripper_sided[] = {{"PIPER_LEFT", TN_SIDE_LEFT}, {"PIPER_RIGHT", TN_SIDE_RIGHT}};

const char *tn_effector_kind_name(enum tn_effector_kind kind)
{
    return kind == TN_EFFECTOR_GRIPPER ? "gripper" : "hand";
}

const char *tn_effector_joint_state_name(enum tn_effector_joint_state state)
{
    static const char *const names[] = {"IDLE", "RUNNING", "STALL", "UNKNOWN"};
    return (unsigned)state < TN_ARRAY_SIZE(names) ? names[state] : "?";
}

const char *tn_effector_mode_name(enum tn_effector_mode mode)
{
    static const char *const names[] = {"POSITION", "VELOCITY", "CURRENT"};
    return (unsigned)mode < TN_ARRAY_SIZE(names) ? names[mode] : "?";
}

uint32_t tn_effector_joint_count(enum tn_effector_kind kind)
{
    return kind == TN_EFFECTOR_GRIPPER ? TN_ARRAY_SIZE(gripper_names) : TN_ARRAY_SIZE(hand_names);
}

static const char *const *names_of(enum tn_effector_kind kind, uint32_t joint)
{
    return kind == TN_EFFECTOR_GRIPPER ? gripper_names[joint] : hand_names[joint];
}

const char *tn_effector_joint_name(enum tn_effector_kind kind, uint32_t joint)
{
    return joint < tn_effector_joint_count(kind) ? names_of(kind, joint)[0] : NULL;
}

static bool text_is(struct tn_effector_text text, const char *word)
{
    return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

// takes a prefix away and tells which side it named
static enum tn_side strip_side(struct tn_effector_text *text)
{
    static const char *const prefixes[] = {[TN_SIDE_LEFT] = "LEFT_", [TN_SIDE_RIGHT] = "RIGHT_"};
    for (enum tn_side side = TN_SIDE_LEFT; side <= TN_SIDE_RIGHT; side++) {
        uint32_t size = (uint32_t)strlen(prefixes[side]);
        if (text->size > size && memcmp(text->data, prefixes[side], size) == 0) {
            text->data += size;
            text->size -= size;
            return side;
        }
    }
    return TN_SIDE_UNKNOWN;
}

static bool find_plain(enum tn_effector_kind kind, struct tn_effector_text name, uint32_t *out)
{
    for (uint32_t joint = 0; joint < tn_effector_joint_count(kind); joint++) {
        const char *const *names = names_of(kind, joint);
        for (uint32_t i = 0; i < MAX_NAMES && names[i] != NULL; i++) {
            if (text_is(name, names[i])) {
                *out = joint;
                return true;
            }
        }
    }
    return false;
}

static bool find_sided(enum tn_effector_kind kind, struct tn_effector_text name, uint32_t *out,
                       enum tn_side *out_side)
{
    if (kind != TN_EFFECTOR_GRIPPER)
        return false;
    for (uint32_t i = 0; i < TN_ARRAY_SIZE(gripper_sided); i++) {
        if (text_is(name, gripper_sided[i].name)) {
            *out = 0;
            *out_side = gripper_sided[i].side;
            return true;
        }
    }
    return false;
}

enum tn_result tn_effector_joint_find(enum tn_effector_kind kind, enum tn_side side,
                                      struct tn_effector_text name, uint32_t *out_joint)
{
    if (name.data == NULL)
        return TN_ERR_NOT_FOUND;
    uint32_t joint = 0;
    enum tn_side prefix = strip_side(&name);
    enum tn_side own = TN_SIDE_UNKNOWN;
    if (!find_plain(kind, name, &joint) && !find_sided(kind, name, &joint, &own))
        return TN_ERR_NOT_FOUND;
    bool is_other =
        (prefix != TN_SIDE_UNKNOWN && prefix != side) || (own != TN_SIDE_UNKNOWN && own != side);
    if (side != TN_SIDE_UNKNOWN && is_other)
        return TN_ERR_WRONG_SIDE;
    *out_joint = joint;
    return TN_OK;
}
