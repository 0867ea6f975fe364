// SPDX-License-Identifier: Apache-2.0
// what the interface parser refuses, and where it says the error is
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rosidl/compiler/compiler.h"

struct wrong {
    const char *kind; ///< NULL: msg
    const char *text;
    enum tn_result code;
    int32_t line;
    int32_t column;
    const char *says; ///< part of the error text
};

static const struct wrong wrong_texts[] = {
    // types
    {NULL, "int32 a\nint33 b\n", TN_ERR_SYNTAX, 2, 1, "'int33'"},
    {NULL, "  Int32/a b\n", TN_ERR_SYNTAX, 1, 3, "'Int32/a'"},
    {NULL, "std_msgs/msg/srv/Header h\n", TN_ERR_SYNTAX, 1, 1, "package/Type"},
    {NULL, "std__msgs/Header h\n", TN_ERR_SYNTAX, 1, 1, "package/Type"},
    {NULL, "/Header h\n", TN_ERR_SYNTAX, 1, 1, "package/Type"},
    {NULL, "*int32 a\n", TN_ERR_SYNTAX, 1, 1, "found '*'"},
    {NULL, "int32<=3 a\n", TN_ERR_SYNTAX, 1, 6, "'<='"},
    {NULL, "string<= a\n", TN_ERR_SYNTAX, 1, 9, "bound of the string"},
    {NULL, "string<=0 a\n", TN_ERR_RANGE, 1, 9, "bound of the string is 0"},
    {NULL, "string<5 a\n", TN_ERR_SYNTAX, 1, 7, "expected a blank"},
    {NULL, "int32[ a\n", TN_ERR_SYNTAX, 1, 7, "array size"},
    {NULL, "int32[3 a\n", TN_ERR_SYNTAX, 1, 8, "expected ']'"},
    {NULL, "int32[0] a\n", TN_ERR_RANGE, 1, 7, "array size is 0"},
    {NULL, "int32[-1] a\n", TN_ERR_SYNTAX, 1, 7, "array size"},
    {NULL, "int32[99999999999999999999] a\n", TN_ERR_RANGE, 1, 7, "array size"},
    {NULL, "int32[<=] a\n", TN_ERR_SYNTAX, 1, 9, "bound of the sequence"},
    {NULL, "int32[][] a\n", TN_ERR_SYNTAX, 1, 8, "expected a blank"},
    {NULL, "int32[3]a\n", TN_ERR_SYNTAX, 1, 9, "expected a blank"},
    // names
    {NULL, "int32\n", TN_ERR_SYNTAX, 1, 6, "expected a name"},
    {NULL, "int32   # nothing\n", TN_ERR_SYNTAX, 1, 6, "expected a name"},
    {NULL, "int32 Name\n", TN_ERR_SYNTAX, 1, 7, "member 'Name'"},
    {NULL, "int32 a__b\n", TN_ERR_SYNTAX, 1, 7, "member 'a__b'"},
    {NULL, "int32 a_\n", TN_ERR_SYNTAX, 1, 7, "member 'a_'"},
    {NULL, "int32 _a\n", TN_ERR_SYNTAX, 1, 7, "member '_a'"},
    {NULL, "int32 1a\n", TN_ERR_SYNTAX, 1, 7, "member '1a'"},
    {NULL, "int32 a-b\n", TN_ERR_SYNTAX, 1, 7, "member 'a-b'"},
    {NULL, "int32 a\n\nfloat32 a\n", TN_ERR_EXISTS, 3, 9, "first in line 1"},
    {NULL, "int32 lower=1\n", TN_ERR_SYNTAX, 1, 7, "constant 'lower'"},
    {NULL, "int32 A_=1\n", TN_ERR_SYNTAX, 1, 7, "constant 'A_'"},
    {NULL, "int32 A__B=1\n", TN_ERR_SYNTAX, 1, 7, "constant 'A__B'"},
    {NULL, "int32 A=1\nint32 A=1\n", TN_ERR_EXISTS, 2, 7, "defined twice"},
    // constants
    {NULL, "int32[] A=[1]\n", TN_ERR_SYNTAX, 1, 1, "constant of type int32[]"},
    {NULL, "std_msgs/Header A=1\n", TN_ERR_SYNTAX, 1, 1, "constant of type std_msgs/Header"},
    {NULL, "int32 A=\n", TN_ERR_SYNTAX, 1, 9, "behind '='"},
    {NULL, "int32 A=1 2\n", TN_ERR_SYNTAX, 1, 9, "'1 2'"},
    {NULL, "int32 A=1.5\n", TN_ERR_SYNTAX, 1, 9, "int32 value"},
    {NULL, "int8 A=128\n", TN_ERR_RANGE, 1, 8, "does not fit into int8"},
    {NULL, "int8 A=-129\n", TN_ERR_RANGE, 1, 8, "does not fit into int8"},
    {NULL, "uint8 A=256\n", TN_ERR_RANGE, 1, 9, "uint8"},
    {NULL, "uint8 A=-1\n", TN_ERR_RANGE, 1, 9, "uint8"},
    {NULL, "char A=256\n", TN_ERR_RANGE, 1, 8, "char"},
    {NULL, "byte A=300\n", TN_ERR_RANGE, 1, 8, "byte"},
    {NULL, "int64 A=9223372036854775808\n", TN_ERR_RANGE, 1, 9, "int64"},
    {NULL, "uint64 A=18446744073709551616\n", TN_ERR_RANGE, 1, 10, "uint64"},
    {NULL, "float32 A=1e39\n", TN_ERR_RANGE, 1, 11, "float32"},
    {NULL, "float64 A=1e999\n", TN_ERR_RANGE, 1, 11, "float64"},
    {NULL, "float64 A=nan\n", TN_ERR_SYNTAX, 1, 11, "'nan'"},
    {NULL, "bool A=maybe\n", TN_ERR_SYNTAX, 1, 8, "'maybe'"},
    {NULL, "string A=\"open\n", TN_ERR_SYNTAX, 1, 10, "not closed"},
    {NULL, "string A=\"a\" b\n", TN_ERR_SYNTAX, 1, 14, "behind the value"},
    {NULL, "string A=\"a\\q\"\n", TN_ERR_SYNTAX, 1, 13, "unknown escape"},
    {NULL, "string A=\"\\x4\"\n", TN_ERR_SYNTAX, 1, 13, "hexadecimal"},
    {NULL, "string A=\"\\ud800\"\n", TN_ERR_RANGE, 1, 13, "not a character"},
    {NULL, "string A=\"\\x00\"\n", TN_ERR_RANGE, 1, 13, "not a character"},
    {NULL, "string<=3 A=\"four\"\n", TN_ERR_LIMIT, 1, 13, "its bound is 3"},
    // defaults
    {NULL, "int32 a b\n", TN_ERR_SYNTAX, 1, 9, "'b'"},
    {NULL, "std_msgs/Header h 1\n", TN_ERR_SYNTAX, 1, 19, "has its own"},
    {NULL, "int32[] a 1\n", TN_ERR_SYNTAX, 1, 11, "expected '['"},
    {NULL, "int32[] a [1\n", TN_ERR_SYNTAX, 1, 13, "',' or ']'"},
    {NULL, "int32[] a [1,]\n", TN_ERR_SYNTAX, 1, 14, "int32 value"},
    {NULL, "int32[] a [1] 2\n", TN_ERR_SYNTAX, 1, 15, "behind the value"},
    {NULL, "int32[2] a [1]\n", TN_ERR_LIMIT, 1, 12, "found 1 values, expected 2"},
    {NULL, "int32[<=2] a [1, 2, 3]\n", TN_ERR_LIMIT, 1, 14, "expected at most 2"},
    {NULL, "uint8[] a [1, 256]\n", TN_ERR_RANGE, 1, 15, "uint8"},
    {NULL, "string<=1[] a ['a', 'bc']\n", TN_ERR_LIMIT, 1, 21, "its bound is 1"},
    // texts
    {NULL, "int32 a\n---\nint32 b\n", TN_ERR_SYNTAX, 2, 1, "one part"},
    {NULL, "int32 a\x01\n", TN_ERR_SYNTAX, 1, 8, "control character 0x01"},
    {NULL, "int32 \xc3\xa4\n", TN_ERR_SYNTAX, 1, 7, "member"},
    {"srv", "int32 a\n", TN_ERR_SYNTAX, 2, 1, "expected '---'"},
    {"srv", "int32 a\n---\n---\n", TN_ERR_SYNTAX, 3, 1, "second '---'"},
    {"srv", "int32 a\n---\nint32 a\nint32 a\n", TN_ERR_EXISTS, 4, 7, "twice"},
    // links
    {NULL, "int32 a\n  Missing[3] b\n", TN_ERR_NOT_FOUND, 2, 3, "pkg/msg/Missing"},
    {NULL, "Thing a\n", TN_ERR_MALFORMED, 1, 1, "uses itself"},
};

struct fixture {
    struct tn_arena arena;
    struct tn_idl idl;
    struct tn_error err;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL || tn_arena_create(&f->arena, 1 << 20) != TN_OK) {
        free(f);
        return -1;
    }
    tn_idl_init(&f->idl, &f->arena);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    tn_arena_destroy(&f->arena);
    free(f);
    return 0;
}

static enum tn_result compile(struct fixture *f, const char *name, const char *text, size_t size)
{
    // an exact copy, so that the sanitizer sees every byte read beyond the text
    char *copy = malloc(size + (size == 0));
    memcpy(copy, text, size);
    tn_arena_reset(&f->arena);
    tn_idl_init(&f->idl, &f->arena);
    f->err = (struct tn_error){0};
    enum tn_result result = tn_idl_parse(&f->idl, name, "thing.msg", copy, size, &f->err);
    if (result == TN_OK) {
        result = tn_idl_resolve(&f->idl, &f->err);
    }
    free(copy);
    return result;
}

static void errors_name_file_line_and_column(void **state)
{
    struct fixture *f = *state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(wrong_texts); i++) {
        const struct wrong *w = &wrong_texts[i];
        const char *name = w->kind != NULL ? "pkg/srv/Thing" : "pkg/msg/Thing";
        enum tn_result result = compile(f, name, w->text, strlen(w->text));
        char text[512];
        tn_error_format(&f->err, text, sizeof text);
        if (result != w->code || f->err.line != w->line || f->err.column != w->column ||
            strstr(f->err.text, w->says) == NULL || strcmp(f->err.file, "thing.msg") != 0) {
            fail_msg("%s gives %s %s, expected %s at %d:%d with %s", w->text,
                     tn_result_name(result), text, tn_result_name(w->code), (int)w->line,
                     (int)w->column, w->says);
        }
    }
}

static void wrong_type_names_are_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {
        "",
        "Thing",
        "pkg/Thing",
        "pkg/idl/Thing",
        "pkg/msg/thing",
        "pkg/msg/",
        "pkg/msg/A_b",
        "Pkg/msg/Thing",
        "pkg/msg/A/B",
        "/msg/Thing",
        "p__k/msg/Thing",
        "pkg_/msg/Thing",
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++) {
        assert_int_equal(compile(f, names[i], "int32 a", 7), TN_ERR_SYNTAX);
    }
}

static void circles_are_found_over_several_types(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(compile(f, "pkg/msg/Leaf", "int32 a", 7), TN_OK);
    assert_int_equal(tn_idl_parse(&f->idl, "pkg/msg/A", "a.msg", "Leaf l\nB b", 10, &f->err),
                     TN_OK);
    assert_int_equal(tn_idl_parse(&f->idl, "pkg/msg/B", "b.msg", "C[] c", 5, &f->err), TN_OK);
    assert_int_equal(tn_idl_parse(&f->idl, "pkg/msg/C", "c.msg", "A[<=2] a", 8, &f->err), TN_OK);
    assert_int_equal(tn_idl_resolve(&f->idl, &f->err), TN_ERR_MALFORMED);
    assert_string_equal(f->err.file, "a.msg");
    assert_int_equal(f->err.line, 2);
}

static void a_type_is_defined_once(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(compile(f, "pkg/msg/A", "int32 a", 7), TN_OK);
    assert_int_equal(tn_idl_parse(&f->idl, "pkg/msg/A", "b.msg", "int32 a", 7, &f->err),
                     TN_ERR_EXISTS);
}

static void odd_but_correct_texts_are_read(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {
        "",
        "\n\n",
        "# only a comment",
        "int32 a",
        "int32 a\r\nint32 b\r\n",
        "\tint32\ta\t1\t# tabs\n",
        "int32 a#glued",
        "int32 A = 1",
        "int32 A= 1",
        "string a it's # a comment",
        "string a 'x=y'",
        "string A='#'",
        "string a # no default",
        "int32[<=3] a [ ]",
        "pkg/Other[] a",
        "pkg/msg/Other a",
        "string<=3[<=2] a ['abc','']",
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(texts); i++) {
        if (compile(f, "pkg/msg/Other", "int32 x", 7) != TN_OK ||
            tn_idl_parse(&f->idl, "pkg/msg/Thing", "t", texts[i], strlen(texts[i]), &f->err) !=
                TN_OK ||
            tn_idl_resolve(&f->idl, &f->err) != TN_OK) {
            fail_msg("%s: %s", texts[i], f->err.text);
        }
    }
}

static void comments_end_outside_of_quotes_only(void **state)
{
    struct fixture *f = *state;
    static const char text[] = "string A='a#b' # c\nstring B=it's#x\nstring C=x y # z";
    assert_int_equal(compile(f, "pkg/msg/Thing", text, sizeof text - 1), TN_OK);
    const struct tn_idl_constant *c = tn_idl_find(&f->idl, "pkg/msg/Thing")->constants;
    assert_true(tn_str_is(c->value.str, "a#b"));
    assert_true(tn_str_is(c->next->value.str, "it's"));
    assert_true(tn_str_is(c->next->next->value.str, "x y"));
}

static void schemas_bring_their_dependencies(void **state)
{
    struct fixture *f = *state;
    static const char text[] = "other_pkg/A a\n===\nMSG: other_pkg/A\nB b\n=====\r\n"
                               "MSG: other_pkg/msg/B\r\nint32 x\n";
    assert_int_equal(
        tn_idl_parse_schema(&f->idl, "pkg/msg/T", "schema", text, sizeof text - 1, &f->err), TN_OK);
    assert_int_equal(tn_idl_resolve(&f->idl, &f->err), TN_OK);
    assert_non_null(tn_idl_find(&f->idl, "other_pkg/msg/B"));
    // an error behind the first rule has the line of the whole text
    static const char wrong[] = "other_pkg/A a\n===\nMSG: other_pkg/A\nint32 x\nint32 X\n";
    tn_arena_reset(&f->arena);
    tn_idl_init(&f->idl, &f->arena);
    assert_int_equal(
        tn_idl_parse_schema(&f->idl, "pkg/msg/T", "schema", wrong, sizeof wrong - 1, &f->err),
        TN_ERR_SYNTAX);
    assert_int_equal(f->err.line, 5);
    static const char no_name[] = "int32 a\n===\nint32 x\n";
    tn_arena_reset(&f->arena);
    tn_idl_init(&f->idl, &f->arena);
    assert_int_equal(
        tn_idl_parse_schema(&f->idl, "pkg/msg/T", "schema", no_name, sizeof no_name - 1, &f->err),
        TN_ERR_SYNTAX);
}

static void actions_have_three_parts(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *text;
        enum tn_result result;
        int32_t line;
    } cases[] = {
        {"int32 a\n---\n---\n", TN_OK, 0},     {"---\nint32 b\n---\nint32 c 3\n", TN_OK, 0},
        {"int32 a\n---\n", TN_ERR_SYNTAX, 3},  {"int32 a\n", TN_ERR_SYNTAX, 2},
        {"---\n---\n---\n", TN_ERR_SYNTAX, 3}, {"int32 a\n---\nint32 B\n---\n", TN_ERR_SYNTAX, 3},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        tn_arena_reset(&f->arena);
        tn_idl_init(&f->idl, &f->arena);
        assert_int_equal(tn_idl_parse(&f->idl, "pkg/action/A", "f", cases[i].text,
                                      strlen(cases[i].text), &f->err),
                         cases[i].result);
        if (cases[i].result == TN_OK) {
            assert_non_null(tn_idl_find(&f->idl, "pkg/action/A_SendGoal_Event"));
            assert_non_null(tn_idl_find(&f->idl, "pkg/action/A_FeedbackMessage"));
            assert_string_equal(tn_idl_find(&f->idl, "pkg/action/A_Goal")->kind, "action");
        } else {
            assert_int_equal(f->err.line, cases[i].line);
        }
    }
}

static void every_arena_size_ends_in_an_error_or_success(void **state)
{
    struct fixture *f = *state;
    static const char text[] = "int32 B=3\nstring s \"x\"\nint32[2] a [1, 2]\n---\nbool ok true\n";
    enum tn_result result = TN_ERR_NO_MEMORY;
    static _Alignas(16) char block[1 << 14];
    for (size_t size = 16; size < sizeof block && result != TN_OK; size += 16) {
        struct tn_arena arena;
        struct tn_idl idl;
        tn_arena_init(&arena, block, size);
        tn_idl_init(&idl, &arena);
        result = tn_idl_parse(&idl, "pkg/srv/S", "f", text, sizeof text - 1, &f->err);
        assert_true(result == TN_OK || result == TN_ERR_NO_MEMORY);
    }
    assert_int_equal(result, TN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(errors_name_file_line_and_column, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_type_names_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(circles_are_found_over_several_types, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_type_is_defined_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(odd_but_correct_texts_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(comments_end_outside_of_quotes_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(schemas_bring_their_dependencies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(actions_have_three_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_arena_size_ends_in_an_error_or_success, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
