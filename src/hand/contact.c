// SPDX-License-Identifier: Apache-2.0
#include "hand/contact.h"

#include <math.h>
#include <string.h>

// the two tilt signs are not public: one constant each, so that a correction is one character
#define THUMB_TILT_SIGN  1
#define FINGER_TILT_SIGN 1

#define RAD_PER_DEG 0.017453292519943295
#define SQRT_HALF   0.70710678118654752

#define FINGER_ROWS(finger, FINGER)                                                                \
    {#finger "_mcp", TN_ANGLE_##FINGER##_MCP_FLEX, 1},                                             \
        {#finger "_pip", TN_ANGLE_##FINGER##_PIP, 1},                                              \
        {#finger "_dip", TN_ANGLE_##FINGER##_DIP, 1},                                              \
    {                                                                                              \
#finger "_tilt", TN_ANGLE_##FINGER##_MCP_ABD, FINGER_TILT_SIGN                             \
    }

static const struct tn_hand_contact_angle table[TN_HAND_CONTACT_ANGLES] = {
    {"thumb_cmc", TN_ANGLE_THUMB_CMC_FLEX, 1},
    {"thumb_mcp", TN_ANGLE_THUMB_MCP, 1},
    {"thumb_ip", TN_ANGLE_THUMB_IP, 1},
    {"thumb_tilt", TN_ANGLE_THUMB_CMC_ABD, THUMB_TILT_SIGN},
    FINGER_ROWS(index, INDEX),
    FINGER_ROWS(middle, MIDDLE),
    FINGER_ROWS(ring, RING),
    FINGER_ROWS(little, LITTLE)};

const struct tn_hand_contact_angle *tn_hand_contact_angle(unsigned index)
{
    return index < TN_HAND_CONTACT_ANGLES ? &table[index] : NULL;
}

enum tn_result tn_hand_contact_to_angles(const float *degrees, double *out_angles_rad,
                                         uint32_t *out_valid)
{
    double angles[TN_HAND_ANGLES] = {0};
    uint32_t valid = 0;
    for (size_t i = 0; i < TN_HAND_CONTACT_ANGLES; i++) {
        double rad = (double)degrees[i] * RAD_PER_DEG * table[i].sign;
        if (!isfinite(rad)) {
            return TN_ERR_NOT_FINITE;
        }
        if (fabs(rad) > TN_HAND_MAX_ANGLE_RAD) {
            return TN_ERR_RANGE;
        }
        angles[table[i].slot] = rad;
        valid |= UINT32_C(1) << table[i].slot;
    }
    memcpy(out_angles_rad, angles, sizeof angles);
    *out_valid = valid;
    return TN_OK;
}

enum tn_result tn_hand_contact_from_angles(const double *angles_rad, uint32_t valid,
                                           float *out_degrees)
{
    float degrees[TN_HAND_CONTACT_ANGLES];
    for (size_t i = 0; i < TN_HAND_CONTACT_ANGLES; i++) {
        if (((valid >> table[i].slot) & 1u) == 0) {
            return TN_ERR_NOT_FOUND;
        }
        degrees[i] = (float)(angles_rad[table[i].slot] / RAD_PER_DEG * table[i].sign);
        if (!isfinite(degrees[i])) {
            return TN_ERR_NOT_FINITE;
        }
    }
    memcpy(out_degrees, degrees, sizeof degrees);
    return TN_OK;
}

struct tn_quat tn_hand_contact_q_wrist_hand(void)
{
    // half a turn about y + z: x -> -x, y <-> z
    return (struct tn_quat){.x = 0.0, .y = SQRT_HALF, .z = SQRT_HALF, .w = 0.0};
}

struct tn_vec3 tn_hand_contact_swap_axes(struct tn_vec3 v)
{
    return (struct tn_vec3){-v.x, v.z, v.y};
}
