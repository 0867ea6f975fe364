// SPDX-License-Identifier: Apache-2.0
// encode, decode and copy of every type against an encoder of the test's own
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tn_msgs/all_grammar.h"
#include "tn_msgs/all_msgs.h"
#include "tn_msgs/grammar_msgs.h"
#include "tn_msgs/rmw_dds_common.h"
#include "unit/rosidl/values.h"

#define MESSAGE_MAX ((size_t)1 << 18)
#define ARENA_SIZE  ((size_t)4 << 20)
#define N_SEEDS     4u

struct fixture {
    struct tn_arena values_arena;
    struct tn_arena arena;
    struct values values;
    uint8_t *expected;
    uint8_t *encoded;
    void *msg; ///< filled
    void *out;
    size_t size;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(tn_arena_create(&f->values_arena, ARENA_SIZE), TN_OK);
    assert_int_equal(tn_arena_create(&f->arena, ARENA_SIZE), TN_OK);
    f->expected = malloc(MESSAGE_MAX);
    f->encoded = malloc(MESSAGE_MAX);
    f->msg = calloc(1, MESSAGE_MAX);
    f->out = calloc(1, MESSAGE_MAX);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    tn_arena_destroy(&f->values_arena);
    tn_arena_destroy(&f->arena);
    free(f->expected);
    free(f->encoded);
    free(f->msg);
    free(f->out);
    free(f);
    return 0;
}

// fills f->msg and f->expected
static void make(struct fixture *f, const struct tn_type *type, uint32_t seed, uint32_t most)
{
    tn_arena_reset(&f->values_arena);
    f->values =
        (struct values){.state = seed * 7919u + 1, .max_elements = most, .arena = &f->values_arena};
    assert_true(type->size <= MESSAGE_MAX);
    values_fill(&f->values, type, f->msg);
    f->size = values_encode(type, f->msg, false, f->expected, MESSAGE_MAX);
    assert_true(f->size > 0);
}

static enum tn_result decode(struct fixture *f, const struct tn_type *type, const uint8_t *data,
                             size_t size)
{
    struct tn_cdr_reader reader;
    tn_arena_reset(&f->arena);
    memset(f->out, 0x5a, type->size);
    (void)tn_cdr_reader_begin(&reader, data, size);
    return tn_type_decode(type, f->out, &reader, &f->arena);
}

typedef void check_fn(struct fixture *f, const struct tn_type *type, uint32_t seed);

static void for_every_type(struct fixture *f, check_fn *check)
{
    for (uint32_t seed = 0; seed < N_SEEDS; seed++) {
        for (uint32_t i = 0; i < tn_all_msgs_n; i++) {
            check(f, tn_all_msgs[i], seed);
        }
        for (uint32_t i = 0; i < tn_all_grammar_n; i++) {
            check(f, tn_all_grammar[i], seed);
        }
    }
}

static void check_bytes(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    struct tn_cdr_writer writer;
    make(f, type, seed, seed * 2);
    assert_int_equal(tn_type_encoded_size(type, f->msg), f->size);
    // an exact buffer, so that the sanitizer sees every byte written beyond it
    uint8_t *exact = malloc(f->size);
    tn_cdr_writer_begin(&writer, exact, f->size);
    assert_int_equal(tn_type_encode(type, f->msg, &writer), TN_OK);
    assert_int_equal(writer.size, f->size);
    assert_memory_equal(exact, f->expected, f->size);
    free(exact);
}

static void bytes_equal_those_of_another_encoder(void **state)
{
    for_every_type(*state, check_bytes);
}

static void check_decode(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    make(f, type, seed, seed * 2);
    for (int is_big = 0; is_big < 2; is_big++) {
        size_t size = values_encode(type, f->msg, is_big, f->encoded, MESSAGE_MAX);
        if (decode(f, type, f->encoded, size) != TN_OK || !tn_type_equal(type, f->out, f->msg)) {
            fail_msg("%s, seed %u, big endian %d", type->ros_name, (unsigned)seed, is_big);
        }
    }
}

static void both_byte_orders_decode(void **state)
{
    for_every_type(*state, check_decode);
}

// the interpreter and the generated code: same bytes, same messages
static void check_interpreted(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    struct tn_cdr_writer writer;
    struct tn_cdr_reader reader;
    make(f, type, seed, 9);
    for (size_t capacity = 0; capacity <= f->size; capacity += f->size) {
        tn_cdr_writer_begin(&writer, f->encoded, capacity);
        tn_type_interpret_encode(type, f->msg, &writer);
        assert_int_equal(writer.size, f->size);
    }
    assert_memory_equal(f->encoded, f->expected, f->size);

    for (int is_big = 0; is_big < 2; is_big++) {
        size_t size = values_encode(type, f->msg, is_big, f->encoded, MESSAGE_MAX);
        tn_arena_reset(&f->arena);
        memset(f->out, 0, type->size);
        (void)tn_cdr_reader_begin(&reader, f->encoded, size);
        tn_type_interpret_decode(type, f->out, &reader, &f->arena);
        assert_int_equal(reader.error, TN_OK);
        assert_true(tn_type_equal(type, f->msg, f->out));
    }
}

static void the_field_table_leads_to_the_same_bytes(void **state)
{
    for_every_type(*state, check_interpreted);
}

// damaged at a random place: both say the same of it
static void check_damaged(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    struct tn_type bare = *type;
    bare.encode = NULL;
    bare.decode = NULL;
    make(f, type, seed, 5);
    for (int i = 0; i < 24; i++) {
        size_t size = f->size - values_random(&f->values) % 3;
        memcpy(f->encoded, f->expected, f->size);
        size_t at = TN_CDR_HEADER_SIZE + values_random(&f->values) % (f->size - TN_CDR_HEADER_SIZE);
        f->encoded[at] = (uint8_t)values_random(&f->values);
        enum tn_result straight = decode(f, type, f->encoded, size);
        enum tn_result interpreted = decode(f, &bare, f->encoded, size);
        assert_int_equal(straight, interpreted);
    }
}

static void both_refuse_the_same_damage(void **state)
{
    for_every_type(*state, check_damaged);
}

static void check_unaligned(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    make(f, type, seed, 3);
    memmove(f->expected + 1, f->expected, f->size);
    assert_int_equal(decode(f, type, f->expected + 1, f->size), TN_OK);
    assert_true(tn_type_equal(type, f->out, f->msg));
}

static void messages_decode_from_any_address(void **state)
{
    for_every_type(*state, check_unaligned);
}

static void check_padding(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    make(f, type, seed, 2);
    memset(f->expected + f->size, 0xff, 7);
    assert_int_equal(decode(f, type, f->expected, f->size + 7), TN_OK);
    assert_true(tn_type_equal(type, f->out, f->msg));
}

static void bytes_behind_the_message_are_ignored(void **state)
{
    for_every_type(*state, check_padding);
}

static void check_truncated(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    make(f, type, seed, 2);
    // long messages: every byte near both ends, some between
    size_t step = f->size > 600 ? 37 : 1;
    for (size_t size = 0; size < f->size; size += size < 200 || size + 200 > f->size ? 1 : step) {
        uint8_t *exact = malloc(size + (size == 0));
        memcpy(exact, f->expected, size);
        enum tn_result result = decode(f, type, exact, size);
        if (result != TN_ERR_TRUNCATED || tn_arena_mark(&f->arena) != 0) {
            fail_msg("%s cut to %zu of %zu bytes: %s", type->ros_name, size, f->size,
                     tn_result_name(result));
        }
        free(exact);
    }
}

static void every_truncation_is_found(void **state)
{
    for_every_type(*state, check_truncated);
}

static void check_overflow(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    struct tn_cdr_writer writer;
    make(f, type, seed, 2);
    size_t step = f->size > 600 ? 41 : 1;
    for (size_t capacity = 0; capacity < f->size; capacity += step) {
        uint8_t *exact = malloc(capacity + (capacity == 0));
        tn_cdr_writer_begin(&writer, exact, capacity);
        assert_int_equal(tn_type_encode(type, f->msg, &writer), TN_ERR_LIMIT);
        assert_int_equal(writer.size, f->size);
        free(exact);
    }
}

static void every_small_buffer_is_found_and_the_size_counted(void **state)
{
    for_every_type(*state, check_overflow);
}

static void check_counts(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    make(f, type, seed, 2);
    size_t step = f->size > 600 ? 52 : 4;
    for (size_t at = 4; at + 4 <= f->size; at += step) {
        memcpy(f->encoded, f->expected, f->size);
        memset(f->encoded + at, 0xff, 4);
        // success is fine: the four bytes may have been a number
        (void)decode(f, type, f->encoded, f->size);
        // an element takes at most as many bytes in C as its smallest form on the wire allows
        assert_true(f->arena.peak <= f->size * 256);
    }
}

static void hostile_counts_reserve_no_more_than_the_message_can_hold(void **state)
{
    for_every_type(*state, check_counts);
}

static void check_copy(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    make(f, type, seed, 3);
    tn_arena_reset(&f->arena);
    assert_int_equal(tn_type_copy(type, f->out, f->msg, &f->arena), TN_OK);
    assert_true(tn_type_equal(type, f->out, f->msg));
    // the copy outlives its source
    memset(f->values_arena.data, 0xee, f->values_arena.used);
    memset(f->msg, 0xee, type->size);
    assert_int_equal(values_encode(type, f->out, false, f->encoded, MESSAGE_MAX), f->size);
    assert_memory_equal(f->encoded, f->expected, f->size);
}

static void copies_are_equal_and_independent(void **state)
{
    for_every_type(*state, check_copy);
}

static void check_arena(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    make(f, type, seed, 3);
    assert_int_equal(decode(f, type, f->expected, f->size), TN_OK);
    size_t need = f->arena.used;
    for (size_t size = 0; size < need; size += 16) {
        struct tn_arena small;
        struct tn_cdr_reader reader;
        tn_arena_init(&small, f->arena.data, size);
        (void)tn_cdr_reader_begin(&reader, f->expected, f->size);
        enum tn_result result = tn_type_decode(type, f->out, &reader, &small);
        assert_true(result == TN_ERR_NO_MEMORY);
        assert_int_equal(small.used, 0);
    }
}

static void every_small_arena_is_an_error_and_is_given_back(void **state)
{
    for_every_type(*state, check_arena);
}

static void check_alignment_claims(struct fixture *f, const struct tn_type *type, uint32_t seed)
{
    (void)seed;
    // the least message: nothing in sequences and strings
    memset(f->msg, 0, type->size);
    size_t least = values_encode(type, f->msg, false, f->expected, MESSAGE_MAX) - 4;
    assert_in_range(type->min_cdr_size, 1, least);
    assert_int_equal(type->size % type->align, 0);
}

static void least_sizes_are_not_above_the_truth(void **state)
{
    for_every_type(*state, check_alignment_claims);
}

static void other_encapsulations_are_refused(void **state)
{
    struct fixture *f = *state;
    uint8_t data[12] = {0, 2, 0, 0};
    const uint8_t kinds[] = {2, 3, 4, 6, 7, 8, 9, 10, 11, 255};
    for (size_t i = 0; i < sizeof kinds; i++) {
        data[1] = kinds[i];
        assert_int_equal(decode(f, &grammar_msgs_msg_Empty_type, data, sizeof data),
                         TN_ERR_UNSUPPORTED);
    }
    data[0] = 1;
    data[1] = 1;
    assert_int_equal(decode(f, &grammar_msgs_msg_Empty_type, data, sizeof data),
                     TN_ERR_UNSUPPORTED);
}

static void empty_types_take_one_byte(void **state)
{
    struct fixture *f = *state;
    struct grammar_msgs_msg_Empty msg;
    grammar_msgs_msg_Empty_init(&msg);
    assert_int_equal(tn_type_encoded_size(&grammar_msgs_msg_Empty_type, &msg), 5);
    const uint8_t header_only[] = {0, 1, 0, 0};
    assert_int_equal(decode(f, &grammar_msgs_msg_Empty_type, header_only, 4), TN_ERR_TRUNCATED);
}

static void any_byte_but_zero_is_true(void **state)
{
    struct fixture *f = *state;
    make(f, &grammar_msgs_msg_Aligned_type, 1, 1);
    // h1, the last three bytes
    const uint8_t bytes[] = {0, 2, 255};
    memcpy(f->expected + f->size - 3, bytes, 3);
    assert_int_equal(decode(f, &grammar_msgs_msg_Aligned_type, f->expected, f->size), TN_OK);
    const struct grammar_msgs_msg_Aligned *msg = f->out;
    const uint8_t expected[] = {0, 1, 1};
    assert_memory_equal(msg->h1, expected, 3);
}

static void strings_must_end_in_nul(void **state)
{
    struct fixture *f = *state;
    uint8_t data[] = {0, 1, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c'};
    struct tn_cdr_reader reader;
    uint32_t size;
    assert_int_equal(tn_cdr_reader_begin(&reader, data, sizeof data), TN_OK);
    assert_string_equal(tn_cdr_get_string(&reader, 0, &size), "");
    assert_int_equal(reader.error, TN_ERR_MALFORMED);
    assert_int_equal(reader.error_offset, 8);
    // the first error stays, and everything behind it is zero
    assert_int_equal(tn_cdr_get_u32(&reader), 0);
    assert_int_equal(reader.error, TN_ERR_MALFORMED);
    (void)f;
}

static void a_length_of_zero_is_the_empty_string(void **state)
{
    (void)state;
    const uint8_t data[] = {0, 1, 0, 0, 0, 0, 0, 0, 9};
    struct tn_cdr_reader reader;
    uint32_t size = 7;
    assert_int_equal(tn_cdr_reader_begin(&reader, data, sizeof data), TN_OK);
    assert_string_equal(tn_cdr_get_string(&reader, 0, &size), "");
    assert_int_equal(size, 0);
    assert_int_equal(tn_cdr_get_u8(&reader), 9);
    assert_int_equal(reader.error, TN_OK);
}

// bounds are checked in both directions: encode with the limit exceeded, then force the bytes in
static void expect_bound(struct fixture *f, const struct grammar_msgs_msg_Bounds *msg)
{
    struct tn_cdr_writer writer;
    tn_cdr_writer_begin(&writer, f->encoded, MESSAGE_MAX);
    assert_int_equal(tn_type_encode(&grammar_msgs_msg_Bounds_type, msg, &writer),
                     TN_ERR_INVALID_ARGUMENT);
    size_t size = values_encode(&grammar_msgs_msg_Bounds_type, msg, false, f->encoded, MESSAGE_MAX);
    assert_int_equal(decode(f, &grammar_msgs_msg_Bounds_type, f->encoded, size), TN_ERR_LIMIT);
}

static void bounds_hold_in_both_directions(void **state)
{
    struct fixture *f = *state;
    const struct tn_str texts[] = {{"a", 1}, {"b", 1}, {"cdef", 4}};
    const uint16_t numbers[] = {1, 2, 3, 4};
    const bool flags[] = {true, true, true};
    static struct grammar_msgs_msg_Aligned items[3];
    static const struct geometry_msgs_msg_Point points[3];
    struct grammar_msgs_msg_Bounds good = {
        .text = {"five!", 5},
        .texts = {texts, 2},
        .numbers = {numbers, 3},
        .flags = {flags, 2},
        .items = {items, 2},
        .points = {points, 2},
    };
    struct tn_cdr_writer writer;
    tn_cdr_writer_begin(&writer, f->encoded, MESSAGE_MAX);
    assert_int_equal(tn_type_encode(&grammar_msgs_msg_Bounds_type, &good, &writer), TN_OK);
    assert_int_equal(decode(f, &grammar_msgs_msg_Bounds_type, f->encoded, writer.size), TN_OK);
    struct grammar_msgs_msg_Bounds bad[7];
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        bad[i] = good;
    }
    bad[0].text = tn_str_from("sixsix");
    bad[1].text_pair[1] = tn_str_from("four");
    bad[2].texts = (struct tn_seq_str){texts + 1, 2};
    bad[3].texts.size = 3;
    bad[4].numbers.size = 4;
    bad[5].flags.size = 3;
    bad[6].items.size = 3;
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        expect_bound(f, &bad[i]);
    }
    good.points.size = 3;
    expect_bound(f, &good);
}

static void wide_units_above_sixteen_bits_are_refused(void **state)
{
    struct fixture *f = *state;
    const uint8_t data[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    struct tn_cdr_reader reader;
    assert_int_equal(tn_cdr_reader_begin(&reader, data, sizeof data), TN_OK);
    tn_arena_reset(&f->arena);
    assert_int_equal(tn_wstr_decode(&reader, 0, &f->arena).size, 0);
    assert_int_equal(reader.error, TN_ERR_MALFORMED);
}

static void a_written_body_may_follow_other_members(void **state)
{
    struct fixture *f = *state;
    // the request header of rmw_cyclonedds takes 16 bytes, so the body keeps its alignment
    struct tn_cdr_writer writer;
    make(f, &grammar_msgs_msg_Aligned_type, 3, 1);
    tn_cdr_writer_begin(&writer, f->encoded, MESSAGE_MAX);
    tn_cdr_put_u64(&writer, 1);
    tn_cdr_put_i64(&writer, -2);
    grammar_msgs_msg_Aligned_encode(f->msg, &writer);
    assert_int_equal(tn_cdr_writer_result(&writer), TN_OK);
    assert_int_equal(writer.size, f->size + 16);
    assert_memory_equal(f->encoded + 20, f->expected + 4, f->size - 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bytes_equal_those_of_another_encoder),
        TEST(both_byte_orders_decode),
        TEST(the_field_table_leads_to_the_same_bytes),
        TEST(both_refuse_the_same_damage),
        TEST(messages_decode_from_any_address),
        TEST(bytes_behind_the_message_are_ignored),
        TEST(every_truncation_is_found),
        TEST(every_small_buffer_is_found_and_the_size_counted),
        TEST(hostile_counts_reserve_no_more_than_the_message_can_hold),
        TEST(copies_are_equal_and_independent),
        TEST(every_small_arena_is_an_error_and_is_given_back),
        TEST(least_sizes_are_not_above_the_truth),
        TEST(other_encapsulations_are_refused),
        TEST(empty_types_take_one_byte),
        TEST(any_byte_but_zero_is_true),
        TEST(strings_must_end_in_nul),
        TEST(a_length_of_zero_is_the_empty_string),
        TEST(bounds_hold_in_both_directions),
        TEST(wide_units_above_sixteen_bits_are_refused),
        TEST(a_written_body_may_follow_other_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
