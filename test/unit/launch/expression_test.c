// SPDX-License-Identifier: Apache-2.0
// expressions of $(eval): values are those Python 3 gives
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "launch/launch__expression.h"

static enum tn_result evaluate(const char *text, char *out, size_t size, struct tn_error *err)
{
    struct tn_arena arena;
    struct tn_launch__text value = {0};
    assert_int_equal(tn_arena_create(&arena, 1u << 20), TN_OK);
    enum tn_result result = tn_launch__evaluate_expression(text, &arena, &value, err);
    (void)snprintf(out, size, "%s", value.size > 0 ? value.data : "");
    tn_launch__text_fini(&value);
    tn_arena_destroy(&arena);
    return result;
}

static void check_values(const char *const (*cases)[2], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char out[256];
        struct tn_error err = {0};
        enum tn_result result = evaluate(cases[i][0], out, sizeof out, &err);
        if (result != TN_OK || strcmp(out, cases[i][1]) != 0)
            fail_msg("%s: got \"%s\" (%s), expected \"%s\"", cases[i][0], out, err.text,
                     cases[i][1]);
    }
}

static void values(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1", "1"},
        {" 1 ", "1"},
        {"0x1F + 0b11 + 0o17", "49"},
        {"1.5", "1.5"},
        {".5 + 1.", "1.5"},
        {"1e3", "1000.0"},
        {"1e-7", "1e-07"},
        {"'a'", "a"},
        {"\"a'b\"", "a'b"},
        {"'a\\n\\'b\\q'", "a\n'b\\q"},
        {"True", "True"},
        {"None", "None"},
        {"[]", "[]"},
        {"[1, 'a', 2.0, None, True]", "[1, 'a', 2.0, None, True]"},
        {"(1,)", "(1,)"},
        {"(1, 2)", "(1, 2)"},
        {"()", "()"},
        {"[1, 2,]", "[1, 2]"},
        {"((1))", "1"},
        {"[\"it's\"]", "[\"it's\"]"},
    };
    check_values(cases, TN_ARRAY_SIZE(cases));
}

static void arithmetic(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1 + 2 * 3", "7"},
        {"(1 + 2) * 3", "9"},
        {"7 / 2", "3.5"},
        {"6 / 2", "3.0"},
        {"7 // 2", "3"},
        {"-7 // 2", "-4"},
        {"7 // -2", "-4"},
        {"-7 % 3", "2"},
        {"7 % -3", "-2"},
        {"7.5 // 2", "3.0"},
        {"-7.5 // 2", "-4.0"},
        {"-7.5 % 2", "0.5"},
        {"1 % -0.5", "-0.0"},
        {"0.0 // -2", "-0.0"},
        {"2 ** 10", "1024"},
        {"2 ** -1", "0.5"},
        {"-2 ** 2", "-4"},
        {"2 ** 3 ** 2", "512"},
        {"2 ** -1 * 4", "2.0"},
        {"- - 1", "1"},
        {"1 - 2 - 3", "-4"},
        {"8 / 4 / 2", "1.0"},
        {"True + True", "2"},
        {"1 + 0.5", "1.5"},
        {"'a' + 'b'", "ab"},
        {"9223372036854775807", "9223372036854775807"},
        {"-9223372036854775807 - 1", "-9223372036854775808"},
        {"1 if 1 + 1 == 2 else 0", "1"},
    };
    check_values(cases, TN_ARRAY_SIZE(cases));
}

static void comparisons(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1 < 2", "True"},
        {"1 < 2 < 3", "True"},
        {"1 < 3 < 2", "False"},
        {"3 > 2 > 1", "True"},
        {"(3 > 2) > 1", "False"},
        {"1 == 1.0", "True"},
        {"1 == True", "True"},
        {"'1' == 1", "False"},
        {"'a' < 'b'", "True"},
        {"'a' < 'ab'", "True"},
        {"'left' == 'left'", "True"},
        {"'left' != 'left'", "False"},
        {"'b' in 'abc'", "True"},
        {"'' in ''", "True"},
        {"'x' not in ['a', 'x']", "False"},
        {"2 in (1, 2)", "True"},
        {"[1, 'a'] == [1, 'a']", "True"},
        {"[1] == (1,)", "False"},
        {"None is None", "True"},
        {"None is not None", "False"},
        {"not 1 == 2", "True"},
        {"not not 1", "True"},
        {"not ''", "True"},
        {"nan == nan", "False"},
        {"1 <= 1 >= 1", "True"},
        {"9007199254740993 == 9007199254740992", "False"},
    };
    check_values(cases, TN_ARRAY_SIZE(cases));
}

/// What is not taken may be wrong.
static void choices(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1 or 2", "1"},
        {"0 or ''", ""},
        {"1 and 2", "2"},
        {"0 and 2", "0"},
        {"True or 1 / 0", "True"},
        {"False and 1 / 0", "False"},
        {"1 / 0 if False else 2", "2"},
        {"1 if True else 1 / 0", "1"},
        {"1 if False else 2 if False else 3", "3"},
        {"1 if True else 2 if False else 3", "1"},
        {"(1 if False else 2) + 3", "5"},
        {"0 < 1 > 5 < 1 / 0", "False"},
        {"1 or 0 and 0", "1"},
        {"not 0 and 1", "1"},
        {"'a' if 'x' == 'x' and 1 < 2 else 'b'", "a"},
    };
    check_values(cases, TN_ARRAY_SIZE(cases));
}

static void calls(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"int('12')", "12"},
        {"int(' -7 ')", "-7"},
        {"int(3.9)", "3"},
        {"int(-3.9)", "-3"},
        {"float('1e3')", "1000.0"},
        {"str(1.0) + 'x'", "1.0x"},
        {"bool('')", "False"},
        {"abs(-3)", "3"},
        {"abs(-3.5)", "3.5"},
        {"min(3, 1, 2)", "1"},
        {"max(1, 2.5)", "2.5"},
        {"round(2.5)", "2"},
        {"round(3.5)", "4"},
        {"round(2.567, 2)", "2.57"},
        {"len('abc')", "3"},
        {"len('\xc3\xa4')", "1"},
        {"len([1, 2])", "2"},
        {"math.floor(2.7)", "2"},
        {"ceil(2.1)", "3"},
        {"math.sqrt(16)", "4.0"},
        {"sin(0)", "0.0"},
        {"math.pi", "3.141592653589793"},
        {"radians(180)", "3.141592653589793"},
        {"atan2(0, 1)", "0.0"},
        {"'AbC'.lower()", "abc"},
        {"'AbC'.upper() == 'ABC'", "True"},
        {"' a '.strip()", "a"},
        {"'abc'.startswith('ab')", "True"},
        {"'abc'.endswith('abcd')", "False"},
        {"str(1).strip().upper()", "1"},
        {"max(min(1, 2), 1 if True else 0)", "1"},
    };
    check_values(cases, TN_ARRAY_SIZE(cases));
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum tn_result code;
    } cases[] = {
        {"", TN_ERR_SYNTAX},
        {" ", TN_ERR_SYNTAX},
        {"1 +", TN_ERR_SYNTAX},
        {"+", TN_ERR_SYNTAX},
        {"1 2", TN_ERR_SYNTAX},
        {"(1", TN_ERR_SYNTAX},
        {"1)", TN_ERR_SYNTAX},
        {"(1]", TN_ERR_SYNTAX},
        {"[1)", TN_ERR_SYNTAX},
        {"(1 + )", TN_ERR_SYNTAX},
        {"(,)", TN_ERR_SYNTAX},
        {"[1,,2]", TN_ERR_SYNTAX},
        {"1, 2", TN_ERR_SYNTAX},
        {"'a", TN_ERR_SYNTAX},
        {"1 if 2", TN_ERR_SYNTAX},
        {"1 else 2", TN_ERR_SYNTAX},
        {"(1 if 2)", TN_ERR_SYNTAX},
        {"1 if else 2", TN_ERR_SYNTAX},
        {"1 == not 1", TN_ERR_SYNTAX},
        {"1x", TN_ERR_SYNTAX},
        {"1.2.3", TN_ERR_SYNTAX},
        {"1 = 1", TN_ERR_SYNTAX},
        {"min()(1)", TN_ERR_UNSUPPORTED},
        {"true", TN_ERR_UNSUPPORTED},
        {"left == 'left'", TN_ERR_UNSUPPORTED},
        {"__import__('os')", TN_ERR_UNSUPPORTED},
        {"open('/etc/passwd')", TN_ERR_UNSUPPORTED},
        {"'a'.join([])", TN_ERR_UNSUPPORTED},
        {"'a'.__class__", TN_ERR_UNSUPPORTED},
        {"[1][0]", TN_ERR_UNSUPPORTED},
        {"1 | 2", TN_ERR_UNSUPPORTED},
        {"1 << 2", TN_ERR_UNSUPPORTED},
        {"[[1]]", TN_ERR_UNSUPPORTED},
        {"lambda: 1", TN_ERR_UNSUPPORTED},
        {"1 / 0", TN_ERR_INVALID_ARGUMENT},
        {"1 // 0", TN_ERR_INVALID_ARGUMENT},
        {"1.0 % 0", TN_ERR_INVALID_ARGUMENT},
        {"1 + 'a'", TN_ERR_INVALID_ARGUMENT},
        {"'a' * 3", TN_ERR_INVALID_ARGUMENT},
        {"'a' < 1", TN_ERR_INVALID_ARGUMENT},
        {"1 in 2", TN_ERR_INVALID_ARGUMENT},
        {"-'a'", TN_ERR_INVALID_ARGUMENT},
        {"int('x')", TN_ERR_INVALID_ARGUMENT},
        {"int('0x10')", TN_ERR_INVALID_ARGUMENT},
        {"int(inf)", TN_ERR_INVALID_ARGUMENT},
        {"sqrt(-1)", TN_ERR_INVALID_ARGUMENT},
        {"len(1)", TN_ERR_INVALID_ARGUMENT},
        {"min(1)", TN_ERR_INVALID_ARGUMENT},
        {"9223372036854775807 + 1", TN_ERR_INVALID_ARGUMENT},
        {"9223372036854775808", TN_ERR_INVALID_ARGUMENT},
        {"3 ** 100", TN_ERR_INVALID_ARGUMENT},
        {"9223372036854775807 * 2", TN_ERR_INVALID_ARGUMENT},
        {"1.lower()", TN_ERR_SYNTAX},
        {"(1).lower()", TN_ERR_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char out[256];
        struct tn_error err = {0};
        enum tn_result result = evaluate(cases[i].text, out, sizeof out, &err);
        if (result != cases[i].code || err.code != result || err.text[0] == '\0')
            fail_msg("%s: got %s \"%s\" (%s), expected %s", cases[i].text, tn_result_name(result),
                     out, err.text, tn_result_name(cases[i].code));
    }
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    char text[4096], out[256];
    struct tn_error err = {0};
    static const char *const pieces[] = {"(",     "[", "-", "not ", "1 + (", "abs(", "1 if 1 else ",
                                         "2 ** ", "1,"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(pieces); i++) {
        size_t n = i + 1 == TN_ARRAY_SIZE(pieces) ? 1 : 0;
        text[0] = '[';
        while (n + 16 < sizeof text)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", pieces[i]);
        (void)snprintf(text + n, sizeof text - n, "1");
        assert_int_equal(evaluate(text, out, sizeof out, &err), TN_ERR_LIMIT);
    }
    // just as deep as allowed
    memset(text, '-', TN_LAUNCH__EXPRESSION_DEPTH_MAX);
    (void)snprintf(text + TN_LAUNCH__EXPRESSION_DEPTH_MAX, 2, "1");
    assert_int_equal(evaluate(text, out, sizeof out, &err), TN_OK);
    assert_string_equal(out, "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(choices),
        cmocka_unit_test(calls),
        cmocka_unit_test(refused),
        cmocka_unit_test(nesting_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
