// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bounded single-producer single-consumer ring of fixed-size elements, lock-free; the mailbox
/// between a worker and the loop. A full ring refuses; what happens to the element then is the
/// producer's decision.
#ifndef TN_BASE_RING_H
#define TN_BASE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

/// Treat the members as private.
struct tn_ring {
    uint8_t *data;
    uint32_t element_size;
    uint32_t capacity; ///< power of two
    _Atomic uint32_t head, tail;
};

/// Allocates a ring for `capacity` elements (rounded up to a power of two, at most 65536) of
/// `element_size` bytes.
/// @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_INVALID_ARGUMENT.
/// Thread: one caller, before use. Allocates: once. Blocks: never.
TN_NODISCARD enum tn_result tn_ring_create(struct tn_ring *ring, uint32_t element_size,
                                           uint32_t capacity);

/// Frees the ring; harmless on a zeroed one. @return nothing.
/// Thread: one caller, after use. Allocates: never. Blocks: never.
void tn_ring_destroy(struct tn_ring *ring);

/// Copies one element in. @return true, or false when the ring is full (nothing changed).
/// Thread: the producer. Allocates: never. Blocks: never.
TN_NODISCARD bool tn_ring_push(struct tn_ring *ring, const void *element);

/// Copies the oldest element out. @return true, or false when the ring is empty (nothing written).
/// Thread: the consumer. Allocates: never. Blocks: never.
TN_NODISCARD bool tn_ring_pop(struct tn_ring *ring, void *out_element);

/// @return elements waiting. Thread: any. Allocates: never. Blocks: never.
uint32_t tn_ring_count(const struct tn_ring *ring);

#endif
