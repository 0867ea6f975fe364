// SPDX-License-Identifier: Apache-2.0
/// @file
/// Limits how often one glove is told to vibrate: the newest command replaces a waiting one, and
/// the last one is always sent. Pure.
#ifndef TN_GLOVE_CONTACT_HAPTICS_H
#define TN_GLOVE_CONTACT_HAPTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "glove/contact/contact_message.h"

/// Far above what any vibration motor follows (present hardware: about 160 Hz).
#define TN_CONTACT_FREQUENCY_MAX_HZ 1000.0f
/// Longest single vibration.
#define TN_CONTACT_DURATION_MAX_S 10.0f

/// One glove's commands. Plain data, zero-initialise.
struct tn_contact_limiter {
    bool has_sent, has_waiting;
    int64_t sent_steady_ns;
    struct tn_contact_vibration waiting;
    uint64_t merged; ///< commands replaced by a newer one before they were sent
};

/// Brings a vibration into its range. @return TN_OK; TN_ERR_NOT_FINITE: not to be used.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_contact_vibration_clamp(struct tn_contact_vibration *vibration);

/// A new command.
/// @param period_ns   least time between two; 0: no limit
/// @return true: send it now; false: it waits, see tn_contact_limiter_due_ns(). Thread: one caller
/// at a time. Allocates: never. Blocks: never.
bool tn_contact_limiter_offer(struct tn_contact_limiter *limiter,
                              const struct tn_contact_vibration *vibration, int64_t period_ns,
                              int64_t now_steady_ns);

/// @return when the waiting command may be sent; INT64_MAX: none waits. Thread: one caller at a
/// time. Allocates: never. Blocks: never.
int64_t tn_contact_limiter_due_ns(const struct tn_contact_limiter *limiter, int64_t period_ns);

/// Takes the waiting command when its time has come. @return true and the command to send.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
bool tn_contact_limiter_take(struct tn_contact_limiter *limiter, int64_t period_ns,
                             int64_t now_steady_ns, struct tn_contact_vibration *out_vibration);

#endif
