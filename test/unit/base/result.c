// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/result.h"

static void every_code_has_its_own_name_and_sentence(void **state)
{
    (void)state;
    for (int code = 0; code >= -27; code--) {
        const char *name = tn_result_name((enum tn_result)code);
        assert_string_not_equal(name, "TN_ERR_?");
        assert_true(strlen(tn_result_text((enum tn_result)code)) > 0);
        for (int other = code - 1; other >= -27; other--)
            assert_string_not_equal(name, tn_result_name((enum tn_result)other));
    }
    assert_string_equal(tn_result_name(TN_ERR_STALE), "TN_ERR_STALE");
    assert_string_equal(tn_result_name((enum tn_result) - 28), "TN_ERR_?");
    assert_string_equal(tn_result_name((enum tn_result)1), "TN_ERR_?");
    assert_non_null(tn_result_text((enum tn_result) - 12345));
}

static void set_returns_the_code_and_clears_an_old_place(void **state)
{
    (void)state;
    struct tn_error err = {0};
    assert_int_equal(tn_error_at(&err, TN_ERR_SYNTAX, "a.yaml", 3, 7, "bad %s", "key"),
                     TN_ERR_SYNTAX);
    assert_int_equal(tn_error_set(&err, TN_ERR_BUSY, "port %d", 25788), TN_ERR_BUSY);
    assert_int_equal(err.code, TN_ERR_BUSY);
    assert_string_equal(err.file, "");
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
    assert_int_equal(err.offset, -1);
    assert_string_equal(err.text, "port 25788");
}

static void null_record_is_allowed(void **state)
{
    (void)state;
    assert_int_equal(tn_error_set(NULL, TN_ERR_IO, "x"), TN_ERR_IO);
    assert_int_equal(tn_error_at(NULL, TN_ERR_IO, "f", 1, 1, "x"), TN_ERR_IO);
    assert_int_equal(tn_error_at_offset(NULL, TN_ERR_IO, "f", 1, "x"), TN_ERR_IO);
}

static void long_file_names_keep_their_tail(void **state)
{
    (void)state;
    char path[TN_ERROR_FILE_MAX + 50];
    memset(path, 'd', sizeof path - 1);
    memcpy(path + sizeof path - 6, "x.msg", 6);
    struct tn_error err = {0};
    (void)tn_error_at(&err, TN_ERR_SYNTAX, path, 1, 1, "t");
    assert_int_equal(strlen(err.file), TN_ERROR_FILE_MAX - 1);
    assert_string_equal(err.file + strlen(err.file) - 5, "x.msg");
}

static void long_texts_are_cut_and_arguments_may_alias_the_record(void **state)
{
    (void)state;
    struct tn_error err = {0};
    (void)tn_error_set(&err, TN_ERR_IO, "%*d", 1000, 5);
    assert_int_equal(strlen(err.text), TN_ERROR_TEXT_MAX - 1);
    (void)tn_error_at(&err, TN_ERR_IO, "first", 0, 0, "inner");
    (void)tn_error_at(&err, TN_ERR_LIMIT, err.file, 2, 0, "outer: %s", err.text);
    assert_string_equal(err.text, "outer: inner");
    assert_string_equal(err.file, "first");
}

static void format_leaves_absent_parts_out(void **state)
{
    (void)state;
    char buffer[600];
    struct tn_error err = {0};
    (void)tn_error_at(&err, TN_ERR_SYNTAX, "a.msg", 3, 7, "bad");
    assert_string_equal(tn_error_format(&err, buffer, sizeof buffer), "a.msg:3:7: bad");
    (void)tn_error_at(&err, TN_ERR_SYNTAX, "a.msg", 3, 0, "bad");
    assert_string_equal(tn_error_format(&err, buffer, sizeof buffer), "a.msg:3: bad");
    (void)tn_error_at(&err, TN_ERR_SYNTAX, "a.msg", 0, 0, "bad");
    assert_string_equal(tn_error_format(&err, buffer, sizeof buffer), "a.msg: bad");
    (void)tn_error_set(&err, TN_ERR_SYNTAX, "bad");
    assert_string_equal(tn_error_format(&err, buffer, sizeof buffer), "bad");
    (void)tn_error_at_offset(&err, TN_ERR_MALFORMED, "x.bag", 0, "bad");
    assert_string_equal(tn_error_format(&err, buffer, sizeof buffer), "x.bag: byte 0: bad");
    (void)tn_error_at_offset(&err, TN_ERR_MALFORMED, NULL, 17, "bad");
    assert_string_equal(tn_error_format(&err, buffer, sizeof buffer), "byte 17: bad");
    const struct tn_error untouched = {0};
    assert_string_equal(tn_error_format(&untouched, buffer, sizeof buffer), "success");
}

static void format_respects_its_buffer(void **state)
{
    (void)state;
    struct tn_error err = {0};
    (void)tn_error_set(&err, TN_ERR_SYNTAX, "abcdef");
    char buffer[8];
    memset(buffer, '#', sizeof buffer);
    (void)tn_error_format(&err, buffer, 4);
    assert_memory_equal(buffer, "abc\0####", 8);
    memset(buffer, '#', sizeof buffer);
    assert_ptr_equal(tn_error_format(&err, buffer, 0), buffer);
    assert_memory_equal(buffer, "########", 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_its_own_name_and_sentence),
        cmocka_unit_test(set_returns_the_code_and_clears_an_old_place),
        cmocka_unit_test(null_record_is_allowed),
        cmocka_unit_test(long_file_names_keep_their_tail),
        cmocka_unit_test(long_texts_are_cut_and_arguments_may_alias_the_record),
        cmocka_unit_test(format_leaves_absent_parts_out),
        cmocka_unit_test(format_respects_its_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
