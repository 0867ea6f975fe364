// SPDX-License-Identifier: Apache-2.0
/// @file
/// Contacts as the operator's glove is to feel them: a joint that stalls while it closes.
#ifndef TN_EFFECTOR_CONTACT_H
#define TN_EFFECTOR_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "effector/device.h"

/// A lasting contact is told again this often.
#define TN_EFFECTOR_CONTACT_HOLD_NS (200 * TN_NS_PER_MS)

/// Numbers of tendon_msgs/ContactEvent.
enum tn_effector_contact_kind {
    TN_EFFECTOR_CONTACT_NONE = 0,
    TN_EFFECTOR_CONTACT_ON = 1,
    TN_EFFECTOR_CONTACT_HOLD = 2,
    TN_EFFECTOR_CONTACT_OFF = 3
};

/// Zero-initialise.
struct tn_effector_contacts {
    bool has_last;
    double last_position[TN_EFFECTOR_MAX_JOINTS];
    uint32_t closing; ///< mask: the last motion seen was a closing one
    uint32_t touching;
    int64_t next_hold_steady_ns[TN_EFFECTOR_MAX_JOINTS];
};

/// Looks at a new sample.
/// @param out_kinds   one kind per joint
/// @return how many are not NONE. Thread: one caller at a time. Allocates: never. Blocks: never.
uint32_t tn_effector_contacts_update(struct tn_effector_contacts *contacts,
                                     const struct tn_effector_sample *sample, uint32_t n_joints,
                                     int64_t now_steady_ns,
                                     enum tn_effector_contact_kind *out_kinds);

#endif
