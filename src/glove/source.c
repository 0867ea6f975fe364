// SPDX-License-Identifier: Apache-2.0
#include "glove/source.h"

#include <stddef.h>

// every implementation is reached by its first member
_Static_assert(offsetof(struct tn_glove_source, ops) == 0, "ops come first");
