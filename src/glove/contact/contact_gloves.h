// SPDX-License-Identifier: Apache-2.0
/// @file
/// The known gloves of one DivingStation, left and right apart, and which of them stands for its
/// side. Pure.
///
/// A glove becomes known when it is reported as connected or when it sends data; it stays known
/// when it is switched off. Each has an id of its own: where the wire names pairs, "_left" or
/// "_right" is appended.
#ifndef TN_GLOVE_CONTACT_GLOVES_H
#define TN_GLOVE_CONTACT_GLOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "base/side.h"
#include "glove/contact/contact_dialect.h"
#include "glove/contact/contact_message.h"

/// Most gloves of one side.
#define TN_CONTACT_GLOVES_MAX 32
/// `battery` of a glove that does not report it.
#define TN_CONTACT_BATTERY_UNKNOWN (-1)

/// One glove.
struct tn_contact_glove {
    char id[TN_CONTACT_ID_MAX];           ///< unique per single glove
    char wire_id[TN_CONTACT_WIRE_ID_MAX]; ///< as DivingStation names it
    enum tn_side side;
    bool is_announced; ///< its state was reported; before that only data came
    bool is_connected;
    bool is_lost;    ///< disconnected because the link went silent
    int32_t battery; ///< percent 0..100 or TN_CONTACT_BATTERY_UNKNOWN
    char name[TN_CONTACT_NAME_MAX];
    int32_t device_type, color;
    bool is_main;
    float ping;
    int64_t seen_steady_ns; ///< last time it was connected
};

/// All gloves. Zero-initialise with tn_contact_gloves_init(); read freely.
struct tn_contact_gloves {
    const struct tn_contact_dialect *dialect;
    uint32_t max_per_side;
    uint32_t n[TN_SIDES]; ///< by tn_side_index()
    struct tn_contact_glove gloves[TN_SIDES][TN_CONTACT_GLOVES_MAX];
    uint64_t forgotten; ///< long disconnected ones that gave way
    uint64_t refused;   ///< no room, and all known ones connected
};

/// @param max_per_side   1..TN_CONTACT_GLOVES_MAX, cut to that. @return nothing.
/// Thread: one caller. Allocates: never. Blocks: never.
void tn_contact_gloves_init(struct tn_contact_gloves *gloves,
                            const struct tn_contact_dialect *dialect, uint32_t max_per_side);

/// Takes a device list over; known gloves that are not in it are disconnected.
/// @return true when something to tell changed. Thread: one caller at a time. Allocates: never.
/// Blocks: never. Cost: O(devices x gloves).
bool tn_contact_gloves_update(struct tn_contact_gloves *gloves,
                              const struct tn_contact_devices *devices, int64_t now_steady_ns);

/// A glove sent data: it becomes known, and connected again if only the link had gone silent.
/// @param out_glove   the glove; valid until the next update
/// @param out_changed something to tell changed
/// @return TN_OK; TN_ERR_LIMIT: no room for it. Thread: one caller at a time. Allocates: never.
/// Blocks: never.
TN_NODISCARD enum tn_result tn_contact_gloves_seen(struct tn_contact_gloves *gloves,
                                                   const char *wire_id, bool is_left,
                                                   int64_t now_steady_ns,
                                                   const struct tn_contact_glove **out_glove,
                                                   bool *out_changed);

/// The link went silent: every glove is disconnected. @return true when something to tell changed.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
bool tn_contact_gloves_lose(struct tn_contact_gloves *gloves);

/// Finds a glove by its single id. @return it, or NULL. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
const struct tn_contact_glove *tn_contact_gloves_find(const struct tn_contact_gloves *gloves,
                                                      enum tn_side side, const char *id);

/// Chooses the glove that a command is for.
/// @param id   single id; "" when only one glove of that side is connected
/// @return TN_OK; TN_ERR_NOT_FOUND: unknown id, or "" and none connected; TN_ERR_STATE: known but
/// disconnected; TN_ERR_INVALID_ARGUMENT: "" and several connected. Thread: one caller at a time.
/// Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_contact_gloves_target(const struct tn_contact_gloves *gloves,
                                                     enum tn_side side, const char *id,
                                                     const struct tn_contact_glove **out_glove);

/// Writes the known ids of a side, ", " between them, for messages. @return `buffer`.
/// Thread: one caller at a time. Allocates: never. Blocks: never.
const char *tn_contact_gloves_list(const struct tn_contact_gloves *gloves, enum tn_side side,
                                   char *buffer, uint32_t capacity);

/// The one glove of a side that feeds joint_states. Plain data, zero-initialise.
struct tn_contact_choice {
    char id[TN_CONTACT_ID_MAX]; ///< "": none yet
};

/// Asks whether data of a glove is for the one robot model of its side.
/// @param wanted   configured id; "": the first glove that sends, chosen anew when it is
///                 disconnected
/// @param sender   the glove that sent
/// @return true when it is the chosen one. Thread: one caller at a time. Allocates: never. Blocks:
/// never.
bool tn_contact_choice_takes(struct tn_contact_choice *choice,
                             const struct tn_contact_gloves *gloves, const char *wanted,
                             const struct tn_contact_glove *sender);

#endif
