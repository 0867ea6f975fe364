// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdalign.h>
#include <string.h>

#include "base/arena.h"

static void create_needs_a_size(void **state)
{
    (void)state;
    struct tn_arena arena = {.used = 7};
    assert_int_equal(tn_arena_create(&arena, 0), TN_ERR_INVALID_ARGUMENT);
    assert_int_equal(arena.used, 7);
}

static void hands_out_zeroed_and_aligned_memory(void **state)
{
    (void)state;
    struct tn_arena arena;
    assert_int_equal(tn_arena_create(&arena, 256), TN_OK);
    memset(arena.data, 0xff, 256);
    uint8_t *one = tn_arena_alloc(&arena, 1, 1, 1);
    assert_non_null(one);
    for (size_t align = 1; align <= 16; align *= 2) {
        uint8_t *block = tn_arena_alloc(&arena, 3, align, align);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % align, 0);
        for (size_t i = 0; i < 3 * align; i++)
            assert_int_equal(block[i], 0);
    }
    tn_arena_destroy(&arena);
    tn_arena_destroy(&arena);
    assert_null(arena.data);
}

static void refuses_what_does_not_fit_and_stays_as_it_was(void **state)
{
    (void)state;
    alignas(max_align_t) uint8_t block[64];
    struct tn_arena arena;
    tn_arena_init(&arena, block, sizeof block);
    assert_non_null(tn_arena_alloc(&arena, 1, 1, 1));
    const size_t used = arena.used;
    assert_null(tn_arena_alloc(&arena, 1, 64, 1));
    assert_null(tn_arena_alloc(&arena, 64, 1, 1));
    assert_null(tn_arena_alloc(&arena, SIZE_MAX, SIZE_MAX, 1));
    assert_null(tn_arena_alloc(&arena, SIZE_MAX / 8 + 2, 8, 8));
    assert_null(tn_arena_alloc(&arena, 1, 63, 16));
    assert_null(tn_arena_strndup(&arena, "x", SIZE_MAX));
    assert_int_equal(arena.used, used);
    // exactly what is left does fit
    assert_non_null(tn_arena_alloc(&arena, 63, 1, 1));
    assert_null(tn_arena_alloc(&arena, 1, 1, 1));
    assert_int_equal(arena.used, 64);
}

static void refuses_impossible_alignments(void **state)
{
    (void)state;
    alignas(max_align_t) uint8_t block[64];
    struct tn_arena arena;
    tn_arena_init(&arena, block, sizeof block);
    assert_null(tn_arena_alloc(&arena, 1, 1, 0));
    assert_null(tn_arena_alloc(&arena, 1, 1, 3));
    assert_null(tn_arena_alloc(&arena, 1, 1, 32));
}

static void empty_sequences_have_an_address_even_in_an_empty_arena(void **state)
{
    (void)state;
    struct tn_arena arena = {0};
    assert_non_null(tn_arena_alloc(&arena, 0, 8, 8));
    assert_null(tn_arena_alloc(&arena, 1, 8, 8));
    tn_arena_init(&arena, NULL, 100);
    assert_null(tn_arena_alloc(&arena, 1, 1, 1));
}

static void padding_counts_from_the_address_not_from_the_offset(void **state)
{
    (void)state;
    alignas(max_align_t) uint8_t block[64];
    struct tn_arena arena;
    tn_arena_init(&arena, block + 1, sizeof block - 1);
    const uint8_t *p = tn_arena_alloc(&arena, 1, 8, 8);
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % 8, 0);
}

static void mark_and_release_nest(void **state)
{
    (void)state;
    alignas(max_align_t) uint8_t block[64];
    struct tn_arena arena;
    tn_arena_init(&arena, block, sizeof block);
    const size_t outer = tn_arena_mark(&arena);
    (void)tn_arena_alloc(&arena, 10, 1, 1);
    const size_t inner = tn_arena_mark(&arena);
    (void)tn_arena_alloc(&arena, 20, 1, 1);
    tn_arena_release(&arena, inner);
    assert_int_equal(arena.used, 10);
    tn_arena_release(&arena, 50);
    assert_int_equal(arena.used, 10);
    tn_arena_release(&arena, outer);
    assert_int_equal(arena.used, 0);
    assert_int_equal(arena.peak, 30);
    (void)tn_arena_alloc(&arena, 5, 1, 1);
    tn_arena_reset(&arena);
    assert_int_equal(arena.used, 0);
    assert_int_equal(arena.peak, 30);
}

static void strings_are_terminated_and_may_hold_anything(void **state)
{
    (void)state;
    alignas(max_align_t) uint8_t block[16];
    struct tn_arena arena;
    tn_arena_init(&arena, block, sizeof block);
    const char *copy = tn_arena_strndup(&arena, "ab\0cd", 5);
    assert_memory_equal(copy, "ab\0cd", 6);
    assert_string_equal(tn_arena_strndup(&arena, NULL, 0), "");
    assert_null(tn_arena_strndup(&arena, "123456789", 9));
    assert_string_equal(tn_arena_strndup(&arena, "12345678", 8), "12345678");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(create_needs_a_size),
        cmocka_unit_test(hands_out_zeroed_and_aligned_memory),
        cmocka_unit_test(refuses_what_does_not_fit_and_stays_as_it_was),
        cmocka_unit_test(refuses_impossible_alignments),
        cmocka_unit_test(empty_sequences_have_an_address_even_in_an_empty_arena),
        cmocka_unit_test(padding_counts_from_the_address_not_from_the_offset),
        cmocka_unit_test(mark_and_release_nest),
        cmocka_unit_test(strings_are_terminated_and_may_hold_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
