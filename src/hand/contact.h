// SPDX-License-Identifier: Apache-2.0
/// @file
/// The Contact Glove's convention and the canonical hand: angle order, units, signs, axes.
///
/// Angles: 20 of Ergonomics, degrees, equal signs on both hands. Order: thumb cmc, mcp, ip, tilt;
/// then index, middle, ring, little: mcp, pip, dip, tilt. thumb_cmc_rot does not exist there.
///
/// Axes, both hands: +X toward the wrist, +Y back of the hand, +Z little -> thumb on the right and
/// thumb -> little on the left. So canonical x = -X, y = +Z, z = +Y: a proper rotation, its own
/// inverse, and the same for both hands.
#ifndef TN_HAND_CONTACT_H
#define TN_HAND_CONTACT_H

#include <stdint.h>

#include "hand/frame.h"

#define TN_HAND_CONTACT_ANGLES 20

/// One row of the convention table.
struct tn_hand_contact_angle {
    const char *name; ///< "<finger>_<field>", as in `<side>_<name>_joint`
    uint8_t slot;     ///< enum tn_hand_angle
    int8_t sign;      ///< canonical = sign * vendor
};

/// @return the row of Ergonomics angle `index`; NULL outside 0..19. Thread: any. Allocates: never.
/// Blocks: never.
const struct tn_hand_contact_angle *tn_hand_contact_angle(unsigned index);

/// Ergonomics angles into the canonical slots. Values are never clipped.
/// @param degrees         (TN_HAND_CONTACT_ANGLES) in Ergonomics order
/// @param out_angles_rad  (TN_HAND_ANGLES); slots that the glove has not are 0
/// @param out_valid       bit s: slot s is there
/// @return TN_OK; TN_ERR_NOT_FINITE; TN_ERR_RANGE: an angle beyond TN_HAND_MAX_ANGLE_RAD. Outputs
/// untouched on error. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_hand_contact_to_angles(const float *degrees, double *out_angles_rad,
                                                      uint32_t *out_valid);

/// Canonical slots into Ergonomics angles.
/// @return TN_OK; TN_ERR_NOT_FOUND: a slot that Ergonomics needs is not valid; TN_ERR_NOT_FINITE.
/// Outputs untouched on error. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_hand_contact_from_angles(const double *angles_rad, uint32_t valid,
                                                        float *out_degrees);

/// @return the rotation of the canonical hand frame in the glove's wrist frame (and the reverse: it
/// is its own inverse). Thread: any. Allocates: never. Blocks: never.
struct tn_quat tn_hand_contact_q_wrist_hand(void);

/// A point or vector of the glove's wrist frame in the canonical frame, or the reverse.
/// @return the same point in the other axes. Thread: any. Allocates: never. Blocks: never.
struct tn_vec3 tn_hand_contact_swap_axes(struct tn_vec3 v);

#endif
