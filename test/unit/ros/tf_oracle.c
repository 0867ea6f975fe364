// SPDX-License-Identifier: Apache-2.0
// Random scripts of insertions and lookups against the oracle of test/support.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/tf_script.h"

/// SplitMix64.
static uint64_t mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// Frames are a tree more often than chance makes them one: each child mostly has one parent.
static void fill(uint8_t *data, size_t size, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)mix(&state);
    uint64_t orderly = mix(&state) % 4;
    for (size_t i = 0; orderly > 0 && i + 2 < size; i++)
        if (data[i] % 8 < 4 && mix(&state) % 4 < orderly + 1)
            data[i + 1] = (uint8_t)(data[i + 2] % 12 / 2);
}

static void answers_are_those_of_the_oracle(void **state)
{
    static uint8_t data[12000];
    struct tf_script_counts counts = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        size_t size = (size_t)(40 * seed) % sizeof data;
        fill(data, size, seed);
        const char *wrong = tf_script_run(data, size, &counts);
        if (wrong == NULL)
            wrong = tf_script_run_tiny(data, size);
        if (wrong != NULL)
            fail_msg("seed %" PRIu64 ", %zu bytes: %s", seed, size, wrong);
    }
    // enough of each kind
    assert_true(counts.inserted > 50000);
    assert_true(counts.refused > 1000);
    assert_true(counts.found > 5000);
    assert_true(counts.not_found > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
