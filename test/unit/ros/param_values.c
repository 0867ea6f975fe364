// SPDX-License-Identifier: Apache-2.0
// Scalars by rcl_yaml_param_parser's rules, numbers by Python's, dumps by PyYAML's.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ros/param_client.h"
#include "ros/ros__scalar.h"

static void scalars_have_the_types_that_ros_gives_them(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_plain;
        enum tn_ros_param_type type;
        double value;
    } cases[] = {
        {"", true, TN_ROS_PARAM_NOT_SET, 0},
        {"", false, TN_ROS_PARAM_STRING, 0},
        {"true", true, TN_ROS_PARAM_BOOL, 1},
        {"True", true, TN_ROS_PARAM_BOOL, 1},
        {"TRUE", true, TN_ROS_PARAM_BOOL, 1},
        {"tRue", true, TN_ROS_PARAM_STRING, 0},
        {"y", true, TN_ROS_PARAM_BOOL, 1},
        {"Y", true, TN_ROS_PARAM_BOOL, 1},
        {"yes", true, TN_ROS_PARAM_BOOL, 1},
        {"on", true, TN_ROS_PARAM_BOOL, 1},
        {"On", true, TN_ROS_PARAM_BOOL, 1},
        {"n", true, TN_ROS_PARAM_BOOL, 0},
        {"NO", true, TN_ROS_PARAM_BOOL, 0},
        {"off", true, TN_ROS_PARAM_BOOL, 0},
        {"OFF", true, TN_ROS_PARAM_BOOL, 0},
        {"yes", false, TN_ROS_PARAM_STRING, 0},
        {"yep", true, TN_ROS_PARAM_STRING, 0},
        {"0", true, TN_ROS_PARAM_INTEGER, 0},
        {"1", true, TN_ROS_PARAM_INTEGER, 1},
        {"-7", true, TN_ROS_PARAM_INTEGER, -7},
        {"+7", true, TN_ROS_PARAM_INTEGER, 7},
        {"0x1F", true, TN_ROS_PARAM_INTEGER, 31},
        {"-0x10", true, TN_ROS_PARAM_INTEGER, -16},
        {"010", true, TN_ROS_PARAM_INTEGER, 8},
        {"-010", true, TN_ROS_PARAM_INTEGER, -8},
        {"00", true, TN_ROS_PARAM_INTEGER, 0},
        {"089", true, TN_ROS_PARAM_DOUBLE, 89},
        {"0b1", true, TN_ROS_PARAM_STRING, 0},
        {"0o7", true, TN_ROS_PARAM_STRING, 0},
        {"0x", true, TN_ROS_PARAM_STRING, 0},
        {"1_000", true, TN_ROS_PARAM_STRING, 0},
        {"1 ", true, TN_ROS_PARAM_STRING, 0},
        {"3", false, TN_ROS_PARAM_STRING, 0},
        {"1.0", true, TN_ROS_PARAM_DOUBLE, 1},
        {"1.", true, TN_ROS_PARAM_DOUBLE, 1},
        {".5", true, TN_ROS_PARAM_DOUBLE, 0.5},
        {"-1e3", true, TN_ROS_PARAM_DOUBLE, -1000},
        {"1e-3", true, TN_ROS_PARAM_DOUBLE, 0.001},
        {"9223372036854775808", true, TN_ROS_PARAM_DOUBLE, 9223372036854775808.0},
        {"1e400", true, TN_ROS_PARAM_STRING, 0},
        {".inf", true, TN_ROS_PARAM_DOUBLE, (double)INFINITY},
        {"-.INF", true, TN_ROS_PARAM_DOUBLE, (double)-INFINITY},
        {"+.Inf", true, TN_ROS_PARAM_DOUBLE, (double)INFINITY},
        {"inf", true, TN_ROS_PARAM_DOUBLE, (double)INFINITY},
        {".inf", false, TN_ROS_PARAM_STRING, 0},
        {".iNF", true, TN_ROS_PARAM_STRING, 0},
        {"~", true, TN_ROS_PARAM_STRING, 0},
        {"null", true, TN_ROS_PARAM_STRING, 0},
        {"1,5", true, TN_ROS_PARAM_STRING, 0},
        {"2026-12-01", true, TN_ROS_PARAM_STRING, 0},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        struct tn_ros__scalar s =
            tn_ros__scalar_read(cases[i].text, strlen(cases[i].text), cases[i].is_plain);
        double value = s.type == TN_ROS_PARAM_BOOL      ? (double)s.boolean
                       : s.type == TN_ROS_PARAM_INTEGER ? (double)s.integer
                       : s.type == TN_ROS_PARAM_DOUBLE  ? s.number
                                                        : 0.0;
        if (s.type != cases[i].type || memcmp(&value, &cases[i].value, sizeof value) != 0)
            fail_msg("%s: type %d value %g", cases[i].text, (int)s.type, value);
    }
    assert_true(isnan(tn_ros__scalar_read(".NaN", 4, true).number));
    assert_int_equal(tn_ros__scalar_read(".NaN", 4, true).type, TN_ROS_PARAM_DOUBLE);
}

static void numbers_are_written_as_python_does(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {1.0, "1.0"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {1.0 / 3.0, "0.3333333333333333"},
        {100.0, "100.0"},
        {123456.789, "123456.789"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e+16"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {0.0001, "0.0001"},
        {0.00012, "0.00012"},
        {0.00001, "1e-05"},
        {1.5e-7, "1.5e-07"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {1e100, "1e+100"},
        {(double)INFINITY, "inf"},
        {(double)-INFINITY, "-inf"},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        char text[TN_ROS__DOUBLE_TEXT_MAX];
        tn_ros__scalar_print_double(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void values_are_read_from_yaml(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *printed;
    } cases[] = {
        {"3", "3"},
        {"'3'", "3"},
        {"!!str 3", "3"},
        {"\"a\\tb\"", "a\tb"},
        {"[1, 2]", "array('q', [1, 2])"},
        {"[]", "[]"},
        {"[1.0, 2.5]", "array('d', [1.0, 2.5])"},
        {"[true, no]", "[True, False]"},
        {"[a, 'it''s', \"\\\"\"]", "['a', \"it's\", '\"']"},
        {"[!!str 1, x]", "['1', 'x']"},
        {"- a\n- b\n", "['a', 'b']"},
        {"|\n  two\n  lines\n", "two\nlines\n"},
    };
    struct tn_arena arena;
    struct rcl_interfaces_msg_ParameterValue value;
    struct tn_error err = {0};
    char text[256];
    assert_int_equal(tn_arena_create(&arena, 4096), TN_OK);
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        tn_arena_reset(&arena);
        if (tn_ros_param_value_parse(cases[i].yaml, &arena, &value, &err) != TN_OK)
            fail_msg("%s: %s", cases[i].yaml, err.text);
        size_t size = tn_ros_param_value_print(&value, text, sizeof text);
        assert_int_equal(size, strlen(text));
        assert_string_equal(text, cases[i].printed);
    }
    assert_int_equal(tn_ros_param_value_parse("!!str 3", &arena, &value, &err), TN_OK);
    assert_int_equal(value.type, TN_ROS_PARAM_STRING);
    static const char *const bad[] = {"",      "{a: 1}", "[1, a]",      "[1, 2.0]",
                                      "[[1]]", "[1, ]x", "*x",          "[a, ~,, ]",
                                      "a: b",  "[1",     "--- 1\n--- 2"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++)
        if (tn_ros_param_value_parse(bad[i], &arena, &value, &err) == TN_OK)
            fail_msg("\"%s\" was taken", bad[i]);
    // truncated, but told whole
    value = (struct rcl_interfaces_msg_ParameterValue){.type = TN_ROS_PARAM_INTEGER,
                                                       .integer_value = -123456};
    assert_int_equal(tn_ros_param_value_print(&value, text, 4), 7);
    assert_string_equal(text, "-12");
    assert_int_equal(tn_ros_param_value_print(&value, NULL, 0), 7);
    tn_arena_destroy(&arena);
}

/// A dump of strings, where PyYAML's choice of quotes is the point.
static void dumps_quote_what_is_no_text(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "plain",       "",     "yes",  "y",          "1",     "1.5",    "1e3",    "0x1f", "null",
        "~",           "a: b", "#x",   "a #b",       " lead", "trail ", "- a",    "[a]",  "{a",
        "it's",        "\"q",  "a\nb", "2026-12-01", "12:30", "!tag",   "&a",     "*a",   "%x",
        "@x",          "`x",   "a,b",  "=",          "<<",    ".inf",   "tab\tx", "-",    "?",
        "caf\xc3\xa9", "\x01", "on",   "0b1",        "1_000", "+.inf",  ":",      "a:"};
    struct rcl_interfaces_msg_ParameterValue value = {.type = TN_ROS_PARAM_STRING_ARRAY};
    struct tn_str strings[TN_ARRAY_SIZE(texts)], name = tn_str_from("s");
    char yaml[8192];
    size_t size = 0;
    for (size_t i = 0; i < TN_ARRAY_SIZE(texts); i++)
        strings[i] = tn_str_from(texts[i]);
    value.string_array_value = (struct tn_seq_str){strings, TN_ARRAY_SIZE(texts)};
    assert_int_equal(tn_ros_param_yaml_write("/n", &name, &value, 1, yaml, sizeof yaml, &size),
                     TN_OK);
    assert_int_equal(size, strlen(yaml));
    const char *const expected =
        "/n:\n  ros__parameters:\n    s:\n    - plain\n    - ''\n    - 'yes'\n    - 'y'\n"
        "    - '1'\n    - '1.5'\n    - '1e3'\n    - '0x1f'\n    - 'null'\n    - '~'\n"
        "    - 'a: b'\n    - '#x'\n    - 'a #b'\n    - ' lead'\n    - 'trail '\n    - '- a'\n"
        "    - '[a]'\n    - '{a'\n    - it's\n    - '\"q'\n    - 'a\n\n      b'\n"
        "    - '2026-12-01'\n    - '12:30'\n    - '!tag'\n    - '&a'\n    - '*a'\n    - '%x'\n"
        "    - '@x'\n    - '`x'\n    - a,b\n    - '='\n    - '<<'\n    - '.inf'\n"
        "    - \"tab\\tx\"\n    - '-'\n    - '?'\n    - \"caf\\xE9\"\n    - \"\\x01\"\n"
        "    - 'on'\n    - '0b1'\n    - '1_000'\n    - '+.inf'\n    - ':'\n    - 'a:'\n";
    assert_string_equal(yaml, expected);

    // every length of buffer that is too short is refused, none is overrun
    for (size_t room = 0; room <= size; room += 7) {
        char *exact = malloc(room + 1);
        assert_non_null(exact);
        assert_int_equal(tn_ros_param_yaml_write("/n", &name, &value, 1, exact, room, &size),
                         TN_ERR_LIMIT);
        free(exact);
    }
}

static void dumps_nest_names(void **state)
{
    (void)state;
    static const char *const names[] = {"b", "a.c.d", "a.b", "a-b", "a.c.a",
                                        "a", "x..y",  "z.",  "a.c"};
    struct tn_str list[TN_ARRAY_SIZE(names)];
    struct rcl_interfaces_msg_ParameterValue values[TN_ARRAY_SIZE(names)];
    char yaml[1024];
    size_t size = 0;
    memset(values, 0, sizeof values);
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++) {
        list[i] = tn_str_from(names[i]);
        values[i].type = TN_ROS_PARAM_INTEGER;
        values[i].integer_value = (int64_t)i;
    }
    // "a" and "a.c" are parameters and groups at once: what is below them keeps its points
    assert_int_equal(
        tn_ros_param_yaml_write("/n", list, values, TN_ARRAY_SIZE(names), yaml, sizeof yaml, &size),
        TN_OK);
    assert_string_equal(yaml, "/n:\n  ros__parameters:\n    a: 5\n    a.b: 2\n    a.c: 8\n"
                              "    a.c.a: 4\n    a.c.d: 1\n    a-b: 3\n    b: 0\n    x:\n"
                              "      '':\n        'y': 6\n    z:\n      '': 7\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_have_the_types_that_ros_gives_them),
        cmocka_unit_test(numbers_are_written_as_python_does),
        cmocka_unit_test(values_are_read_from_yaml),
        cmocka_unit_test(dumps_quote_what_is_no_text),
        cmocka_unit_test(dumps_nest_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
