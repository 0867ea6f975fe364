// SPDX-License-Identifier: Apache-2.0
// A script of bytes becomes insertions and lookups; each answer of the TF buffer is held against an
// oracle that keeps everything in plain lists, searches them from end to end and composes matrices.
// The unit test feeds random bytes, the fuzzer its own.
#ifndef TEST_SUPPORT_TF_SCRIPT_H
#define TEST_SUPPORT_TF_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

struct tf_script_counts {
    uint64_t inserted, refused, found, not_found;
};

/// Runs a script. @return NULL, or what the buffer answered wrongly (static text).
const char *tf_script_run(const uint8_t *data, size_t size, struct tf_script_counts *counts);

/// Runs a script on a buffer whose limits are tiny; only what must hold always is checked.
/// @return as tf_script_run().
const char *tf_script_run_tiny(const uint8_t *data, size_t size);

#endif
