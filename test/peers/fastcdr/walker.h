// SPDX-License-Identifier: Apache-2.0
// Fast-CDR as a judge: one walker over the field table serialises and deserialises any type with
// the calls that rosidl_typesupport_fastrtps makes. Shares nothing with our codec but the
// description of the types.
#ifndef TEST_PEERS_FASTCDR_WALKER_H
#define TEST_PEERS_FASTCDR_WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "rosidl/type.h"

/// Serialises with header; returns the size, 0 when it does not fit.
size_t fastcdr_encode(const struct tn_type *type, const void *msg, bool is_big, uint8_t *out,
                      size_t capacity);

/// Deserialises into the struct of the type; everything it points at lies in the arena. False:
/// refused.
bool fastcdr_decode(const struct tn_type *type, const uint8_t *data, size_t size,
                    struct tn_arena *arena, void *out);

#ifdef __cplusplus
}
#endif

#endif
