// SPDX-License-Identifier: Apache-2.0
/// @file
/// Numbers from text: the whole token, inside its range, independent of the locale.
#ifndef TN_BASE_PARSE_H
#define TN_BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

/// Parses a decimal, 0x hexadecimal, 0o octal or 0b binary integer with optional sign.
/// @param text, size   the token, no blanks around it; need not be NUL-terminated
/// @return TN_OK; TN_ERR_SYNTAX: not an integer; TN_ERR_RANGE: outside [min, max]. Nothing written
/// on error. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_parse_i64(const char *text, size_t size, int64_t min, int64_t max,
                                         int64_t *out_value);

/// As tn_parse_i64() for unsigned values. @return see tn_parse_i64().
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_parse_u64(const char *text, size_t size, uint64_t min, uint64_t max,
                                         uint64_t *out_value);

/// Parses a finite decimal number ("1", "-0.5", "1e-3"). "nan" and "inf" are syntax errors.
/// @return TN_OK; TN_ERR_SYNTAX; TN_ERR_RANGE: outside [min, max] or not representable. Nothing
/// written on error. Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_parse_f64(const char *text, size_t size, double min, double max,
                                         double *out_value);

/// Parses true/false (also yes/no, on/off, 1/0, any case). @return TN_OK or TN_ERR_SYNTAX.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_parse_bool(const char *text, size_t size, bool *out_value);

#endif
