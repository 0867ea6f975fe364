// SPDX-License-Identifier: Apache-2.0
/// @file
/// Random messages of any type, and an encoder that shares nothing with the product's: it walks the
/// field table, byte by byte, in either byte order. For tests only.
#ifndef TN_TEST_ROSIDL_VALUES_H
#define TN_TEST_ROSIDL_VALUES_H

#include <stdio.h>

#include "rosidl/type.h"

struct values {
    uint64_t state;        ///< seed; not 0
    uint32_t max_elements; ///< of unbounded sequences and strings
    struct tn_arena *arena;
};

uint64_t values_random(struct values *values);

/// Fills every member with random values (finite floats, printable and other UTF-8 text).
void values_fill(struct values *values, const struct tn_type *type, void *msg);

/// Encodes with header; returns the size, 0 when it does not fit.
size_t values_encode(const struct tn_type *type, const void *msg, bool is_big, uint8_t *out,
                     size_t capacity);

/// Writes JSON: integers as strings, floats as strings of their bits, both in hexadecimal for
/// floats.
void values_json(FILE *out, const struct tn_type *type, const void *msg);

#endif
