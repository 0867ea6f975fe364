// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reads a whole file into memory, up to a limit.
#ifndef TN_DEVICES_FILE_FILE_H
#define TN_DEVICES_FILE_FILE_H

#include <stddef.h>

#include "base/result.h"

/// Reads a file (or a pipe, to its end).
/// @param max_size    a larger file is refused
/// @param out_text    the bytes and a NUL behind them; the caller's to free()
/// @return TN_OK; TN_ERR_NOT_FOUND, TN_ERR_PERMISSION, TN_ERR_IO: errno in err; TN_ERR_LIMIT:
/// larger than `max_size`; TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result tn_file_read(const char *path, size_t max_size, char **out_text,
                                         size_t *out_size, struct tn_error *err);

#endif
