// SPDX-License-Identifier: Apache-2.0
#include "effector/contact.h"

// what noise and quantisation do is no motion
#define MOVED 0.5 // percent

static void see_motion(struct tn_effector_contacts *contacts, double position, uint32_t i)
{
    double way = position - contacts->last_position[i];
    if (contacts->has_last && way < MOVED && way > -MOVED)
        return;
    if (contacts->has_last && way > 0.0)
        contacts->closing |= 1u << i;
    else
        contacts->closing &= ~(1u << i);
    contacts->last_position[i] = position;
}

static enum tn_effector_contact_kind see_state(struct tn_effector_contacts *contacts, uint8_t state,
                                               uint32_t i, int64_t now_steady_ns)
{
    uint32_t bit = 1u << i;
    bool was_touching = (contacts->touching & bit) != 0;
    bool is_touching =
        state == TN_EFFECTOR_STALL && (was_touching || (contacts->closing & bit) != 0);
    if (!is_touching) {
        contacts->touching &= ~bit;
        return was_touching ? TN_EFFECTOR_CONTACT_OFF : TN_EFFECTOR_CONTACT_NONE;
    }
    if (was_touching && now_steady_ns < contacts->next_hold_steady_ns[i])
        return TN_EFFECTOR_CONTACT_NONE;
    contacts->touching |= bit;
    contacts->next_hold_steady_ns[i] = tn_ns_add(now_steady_ns, TN_EFFECTOR_CONTACT_HOLD_NS);
    return was_touching ? TN_EFFECTOR_CONTACT_HOLD : TN_EFFECTOR_CONTACT_ON;
}

uint32_t tn_effector_contacts_update(struct tn_effector_contacts *contacts,
                                     const struct tn_effector_sample *sample, uint32_t n_joints,
                                     int64_t now_steady_ns,
                                     enum tn_effector_contact_kind *out_kinds)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_joints; i++) {
        see_motion(contacts, sample->position[i], i);
        out_kinds[i] = see_state(contacts, sample->state[i], i, now_steady_ns);
        n += out_kinds[i] != TN_EFFECTOR_CONTACT_NONE;
    }
    contacts->has_last = true;
    return n;
}
