// SPDX-License-Identifier: Apache-2.0
// our bytes against those of Fast-CDR, for random values of every type, in both directions and byte
// orders
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "peers/fastcdr/walker.h"
#include "tn_msgs/all_grammar.h"
#include "tn_msgs/all_msgs.h"
#include "unit/rosidl/values.h"

#define ARENA_SIZE  ((size_t)8 << 20)
#define MESSAGE_MAX ((size_t)1 << 18)
#define N_SEEDS     6u

struct fixture {
    struct tn_arena values_arena, arena;
    struct values values;
    uint8_t *ours, *theirs;
    void *msg, *out;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(tn_arena_create(&f->values_arena, ARENA_SIZE), TN_OK);
    assert_int_equal(tn_arena_create(&f->arena, ARENA_SIZE), TN_OK);
    f->ours = malloc(MESSAGE_MAX);
    f->theirs = malloc(MESSAGE_MAX);
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
    free(f->ours);
    free(f->theirs);
    free(f->msg);
    free(f->out);
    free(f);
    return 0;
}

typedef void (*check_fn)(struct fixture *f, const struct tn_type *type);

static void check_types(struct fixture *f, const struct tn_type *const *types, uint32_t n,
                        check_fn check)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t seed = 0; seed < N_SEEDS; seed++) {
            tn_arena_reset(&f->values_arena);
            tn_arena_reset(&f->arena);
            f->values = (struct values){
                .state = seed * 104729u + i + 1, .max_elements = 7, .arena = &f->values_arena};
            assert_true(types[i]->size <= MESSAGE_MAX);
            values_fill(&f->values, types[i], f->msg);
            memset(f->out, 0, types[i]->size);
            check(f, types[i]);
        }
    }
}

static void check_all(struct fixture *f, check_fn check)
{
    check_types(f, tn_all_msgs, tn_all_msgs_n, check);
    check_types(f, tn_all_grammar, tn_all_grammar_n, check);
}

static void check_encode(struct fixture *f, const struct tn_type *type)
{
    struct tn_cdr_writer writer;
    tn_cdr_writer_begin(&writer, f->ours, MESSAGE_MAX);
    assert_int_equal(tn_type_encode(type, f->msg, &writer), TN_OK);
    // Fast-CDR leaves what it skips for alignment as it was
    memset(f->theirs, 0, MESSAGE_MAX);
    size_t size = fastcdr_encode(type, f->msg, false, f->theirs, MESSAGE_MAX);
    if (size != writer.size || memcmp(f->ours, f->theirs, size) != 0) {
        fail_msg("%s: %zu bytes of ours differ from %zu of Fast-CDR", type->ros_name, writer.size,
                 size);
    }
}

static void fast_cdr_writes_the_same_bytes(void **state)
{
    check_all(*state, check_encode);
}

static void check_they_read_ours(struct fixture *f, const struct tn_type *type)
{
    struct tn_cdr_writer writer;
    tn_cdr_writer_begin(&writer, f->ours, MESSAGE_MAX);
    assert_int_equal(tn_type_encode(type, f->msg, &writer), TN_OK);
    assert_true(fastcdr_decode(type, f->ours, writer.size, &f->arena, f->out));
    if (!tn_type_equal(type, f->msg, f->out)) {
        fail_msg("%s: Fast-CDR reads other values than were written", type->ros_name);
    }
}

static void fast_cdr_reads_what_we_write(void **state)
{
    check_all(*state, check_they_read_ours);
}

static void check_we_read_theirs(struct fixture *f, const struct tn_type *type)
{
    for (int is_big = 0; is_big < 2; is_big++) {
        struct tn_cdr_reader reader;
        size_t size = fastcdr_encode(type, f->msg, is_big, f->theirs, MESSAGE_MAX);
        assert_true(size > 0);
        tn_arena_reset(&f->arena);
        assert_int_equal(tn_cdr_reader_begin(&reader, f->theirs, size), TN_OK);
        assert_int_equal(tn_type_decode(type, f->out, &reader, &f->arena), TN_OK);
        if (!tn_type_equal(type, f->msg, f->out)) {
            fail_msg("%s, %s endian: we read other values than Fast-CDR wrote", type->ros_name,
                     is_big ? "big" : "little");
        }
    }
}

static void we_read_both_byte_orders_of_fast_cdr(void **state)
{
    check_all(*state, check_we_read_theirs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fast_cdr_writes_the_same_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fast_cdr_reads_what_we_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(we_read_both_byte_orders_of_fast_cdr, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
