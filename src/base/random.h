// SPDX-License-Identifier: Apache-2.0
/// @file
/// Random bytes of the kernel, for identities that nobody else may hit by chance.
#ifndef TN_BASE_RANDOM_H
#define TN_BASE_RANDOM_H

#include <stddef.h>

#include "base/result.h"

/// Where random bytes come from; tests put their own in.
/// @return TN_OK: all `size` bytes are filled; an error: none may be used.
typedef enum tn_result (*tn_random_fn)(void *context, void *out, size_t size);

/// The kernel's generator.
/// @param context   not used
/// @return TN_OK; TN_ERR_IO: there is none. Thread: any. Allocates: never. Blocks: never, but for
/// the first moments of a machine's life.
enum tn_result tn_random_kernel(void *context, void *out, size_t size);

#endif
