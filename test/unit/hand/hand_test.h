// SPDX-License-Identifier: Apache-2.0
// what the tests of the hand share: cmocka, a seeded generator, canonical test values
#ifndef TEST_UNIT_HAND_HAND_TEST_H
#define TEST_UNIT_HAND_HAND_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hand/frame.h"

#define BIT(i) (UINT32_C(1) << (i))

// xorshift: the same numbers everywhere, the seed is printed by the test that fails
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return x;
}

static inline double test_uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(test_random(state) >> 11) / 9007199254740992.0);
}

static inline void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) {
        fail_msg("found %.17g, expected %.17g within %g", found, expected, tolerance);
    }
}

static inline void assert_vec3_near(struct tn_vec3 found, struct tn_vec3 expected, double tolerance)
{
    assert_near(found.x, expected.x, tolerance);
    assert_near(found.y, expected.y, tolerance);
    assert_near(found.z, expected.z, tolerance);
}

#endif
