// SPDX-License-Identifier: Apache-2.0
/// @file
/// The Contact Glove behind glove/source.h.
///
/// `kind` of a raw frame is enum tn_contact_kind and `data` its struct of contact_message.h.
/// Intensities become one vibration of the hand: the greatest one is its amplitude.
#ifndef TN_GLOVE_CONTACT_SOURCE_H
#define TN_GLOVE_CONTACT_SOURCE_H

#include "glove/contact/contact_client.h"
#include "glove/source.h"

/// A source on a client that is driven by it alone. Read-only outside; zero-initialise with
/// tn_contact_source_init().
struct tn_contact_source {
    struct tn_glove_source source; ///< first member
    struct tn_contact_client *client;
    struct tn_contact_ports ports;
    struct tn_contact_vibration vibration; ///< frequency and duration of each vibrate()
    struct tn_error error;                 ///< of the last open()
};

/// @param client   made without a loop; must outlive the source
/// @param ports    its text must outlive the source
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_contact_source_init(struct tn_contact_source *source, struct tn_contact_client *client,
                            const struct tn_contact_ports *ports);

#endif
