// SPDX-License-Identifier: Apache-2.0
/// @file
/// Human hand → robot hand. Constant model first, mutable data second.
///
/// Method `angles`: each robot joint is an affine function of named human angles, mapped to the
/// joint's range and smoothed; nothing is assigned by array index. Limits, speeds and the approach
/// after a break are the business of session/limiter.h, behind it.
///
///     percent = 100 · (Σ gain · angle − open_rad) / (closed_rad − open_rad)      (0 open … 100
///     closed)
#ifndef TN_RETARGET_RETARGET_H
#define TN_RETARGET_RETARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "base/side.h"
#include "hand/frame.h"
#include "retarget/filter.h"

#define TN_RETARGET_MAX_JOINTS 32
#define TN_RETARGET_MAX_TERMS  4

/// One human angle's share in a robot joint.
struct tn_retarget_term {
    const char *angle; ///< slot name, e.g. "index_mcp_flex"
    double gain;
};

/// One robot joint.
struct tn_retarget_joint {
    const char *name; ///< as the robot's interface names it
    uint32_t n_terms;
    struct tn_retarget_term terms[TN_RETARGET_MAX_TERMS];
    double open_rad, closed_rad; ///< weighted sum at 0 and at 100 percent; must differ
    double speed_percent_s;      ///< speed limit for the limiter behind, > 0
};

/// A hand as data; must outlive everything made from it.
struct tn_retarget_hand {
    const char *name;
    uint32_t n_joints;
    struct tn_retarget_joint joints[TN_RETARGET_MAX_JOINTS];
    struct tn_one_euro_options filter; ///< on percent
};

/// Constant model: the hand with its slots resolved.
struct tn_retarget_model {
    const struct tn_retarget_hand *hand;
    uint8_t slots[TN_RETARGET_MAX_JOINTS][TN_RETARGET_MAX_TERMS];
};

/// Mutable data of one hand; plain, zero-initialised = reset.
struct tn_retarget {
    struct tn_one_euro filters[TN_RETARGET_MAX_JOINTS];
    uint64_t rejected; ///< frames refused
};

/// Result of one step.
struct tn_retarget_output {
    uint32_t n_joints;
    uint32_t valid_mask;                    ///< bit j: percent[j] may be used
    double percent[TN_RETARGET_MAX_JOINTS]; ///< filtered, not limited; finite where valid
};

/// @return the six-joint percent hand of end_effector_interfaces (THUMBMCP … LITTLEMCP).
/// Thread: any. Allocates: never. Blocks: never.
const struct tn_retarget_hand *tn_retarget_percent_hand(void);

/// Resolves every angle name of a hand and checks its numbers.
/// @return TN_OK; TN_ERR_NOT_FOUND: unknown angle; TN_ERR_INVALID_ARGUMENT: counts, equal ends,
/// filter; named in err. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_retarget_model_init(struct tn_retarget_model *model,
                                                   const struct tn_retarget_hand *hand,
                                                   struct tn_error *err);

/// Forgets filters and memory. @return nothing. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
void tn_retarget_reset(struct tn_retarget *data);

/// One frame in, one set of targets out. A joint with an absent or non-finite angle is marked
/// invalid and keeps its filter state.
/// @return TN_OK; TN_ERR_NOT_FOUND: no joint is valid (state unchanged, counted).
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(joints).
TN_NODISCARD enum tn_result tn_retarget_step(const struct tn_retarget_model *model,
                                             struct tn_retarget *data,
                                             const struct tn_hand_frame *frame,
                                             struct tn_retarget_output *out);

#endif
