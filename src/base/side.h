// SPDX-License-Identifier: Apache-2.0
/// @file
/// Left and right: the numbers of tendon_msgs (SIDE_UNKNOWN, SIDE_LEFT, SIDE_RIGHT).
#ifndef TN_BASE_SIDE_H
#define TN_BASE_SIDE_H

#include <stdbool.h>

enum tn_side { TN_SIDE_UNKNOWN = 0, TN_SIDE_LEFT = 1, TN_SIDE_RIGHT = 2 };

/// Number of hands; arrays per hand are indexed by tn_side_index().
#define TN_SIDES 2

/// @return "left", "right" or "unknown". Thread: any. Allocates: never. Blocks: never.
const char *tn_side_name(enum tn_side side);

/// @return 0 for left, 1 for right; side must be one of the two. Thread: any. Allocates: never.
/// Blocks: never.
unsigned tn_side_index(enum tn_side side);

/// Parses "left" or "right" (lower case). @return true, or false and nothing written.
/// Thread: any. Allocates: never. Blocks: never.
bool tn_side_parse(const char *text, enum tn_side *out_side);

#endif
