// SPDX-License-Identifier: Apache-2.0
/// @file
/// Malformed datagrams for a receiver to survive. Pure.
#ifndef TN_DEVICES_DIVINGSTATION_GARBAGE_H
#define TN_DEVICES_DIVINGSTATION_GARBAGE_H

#include <stddef.h>
#include <stdint.h>

#include "devices/motion/random.h"

/// Largest datagram that tn_ds_make_garbage() makes from `size` valid bytes.
#define TN_DS_GARBAGE_BYTES(size) ((size) + 16)

/// Spoils a valid OSC message of the protocol, whose last argument is a float, so that no receiver
/// may take it: empty, cut, lengthened, noise, a broken tag string, another version, NaN at the
/// end.
/// @param buffer   room for TN_DS_GARBAGE_BYTES(size)
/// @return bytes of the datagram. Thread: one caller at a time. Allocates: never. Blocks: never.
size_t tn_ds_make_garbage(struct tn_random *random, const uint8_t *valid, size_t size,
                          uint8_t *buffer);

#endif
