// SPDX-License-Identifier: Apache-2.0
/// @file
/// Small seeded generator (PCG32, O'Neill 2014, XSH-RR): the same seed gives the same numbers on
/// every machine. Not for secrets.
#ifndef TN_DEVICES_MOTION_RANDOM_H
#define TN_DEVICES_MOTION_RANDOM_H

#include <stdint.h>

/// State of one generator. Plain data.
struct tn_random {
    uint64_t state, increment;
};

/// Starts a generator. Different `stream` numbers give independent sequences for one seed.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_random_init(struct tn_random *random, uint64_t seed, uint64_t stream);

/// @return the next 32 random bits. Thread: one caller at a time. Allocates: never. Blocks: never.
uint32_t tn_random_u32(struct tn_random *random);

/// @return a number in [0, 1). Thread: one caller at a time. Allocates: never. Blocks: never.
double tn_random_unit(struct tn_random *random);

/// @return a normally distributed number, mean 0, standard deviation 1 (Box-Muller, |x| < 7).
/// Thread: one caller at a time. Allocates: never. Blocks: never.
double tn_random_normal(struct tn_random *random);

#endif
