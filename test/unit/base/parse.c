// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"

static void signed_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum tn_result result;
        int64_t value;
    } cases[] = {
        {"0", TN_OK, 0},
        {"-0", TN_OK, 0},
        {"+7", TN_OK, 7},
        {"010", TN_OK, 10},
        {"0x1F", TN_OK, 31},
        {"0Xff", TN_OK, 255},
        {"-0x10", TN_OK, -16},
        {"0o17", TN_OK, 15},
        {"0b101", TN_OK, 5},
        {"9223372036854775807", TN_OK, INT64_MAX},
        {"-9223372036854775808", TN_OK, INT64_MIN},
        {"-0x8000000000000000", TN_OK, INT64_MIN},
        {"9223372036854775808", TN_ERR_RANGE, 0},
        {"-9223372036854775809", TN_ERR_RANGE, 0},
        {"18446744073709551616", TN_ERR_RANGE, 0},
        {"99999999999999999999999999", TN_ERR_RANGE, 0},
        {"99999999999999999999999999x", TN_ERR_SYNTAX, 0},
        {"", TN_ERR_SYNTAX, 0},
        {"-", TN_ERR_SYNTAX, 0},
        {"+-1", TN_ERR_SYNTAX, 0},
        {"0x", TN_ERR_SYNTAX, 0},
        {"0b2", TN_ERR_SYNTAX, 0},
        {"0o8", TN_ERR_SYNTAX, 0},
        {"1 ", TN_ERR_SYNTAX, 0},
        {" 1", TN_ERR_SYNTAX, 0},
        {"1.0", TN_ERR_SYNTAX, 0},
        {"1e3", TN_ERR_SYNTAX, 0},
        {"a", TN_ERR_SYNTAX, 0},
        {"0x-1", TN_ERR_SYNTAX, 0},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(cases); i++) {
        int64_t value = 4711;
        const enum tn_result result =
            tn_parse_i64(cases[i].text, strlen(cases[i].text), INT64_MIN, INT64_MAX, &value);
        assert_int_equal(result, cases[i].result);
        assert_int_equal(value, result == TN_OK ? cases[i].value : 4711);
    }
}

static void limits_are_inclusive_and_the_size_ends_the_token(void **state)
{
    (void)state;
    int64_t value = 0;
    assert_int_equal(tn_parse_i64("123456", 3, -5, 123, &value), TN_OK);
    assert_int_equal(value, 123);
    assert_int_equal(tn_parse_i64("124", 3, -5, 123, &value), TN_ERR_RANGE);
    assert_int_equal(tn_parse_i64("-6", 2, -5, 123, &value), TN_ERR_RANGE);
    assert_int_equal(tn_parse_i64("0x1", 1, 0, 9, &value), TN_OK);
    assert_int_equal(value, 0);
    assert_int_equal(tn_parse_i64("1\0", 2, 0, 9, &value), TN_ERR_SYNTAX);
}

static void unsigned_integers(void **state)
{
    (void)state;
    uint64_t value = 0;
    assert_int_equal(tn_parse_u64("18446744073709551615", 20, 0, UINT64_MAX, &value), TN_OK);
    assert_true(value == UINT64_MAX);
    assert_int_equal(tn_parse_u64("18446744073709551616", 20, 0, UINT64_MAX, &value), TN_ERR_RANGE);
    assert_int_equal(tn_parse_u64("-1", 2, 0, UINT64_MAX, &value), TN_ERR_RANGE);
    assert_int_equal(tn_parse_u64("-0", 2, 0, 5, &value), TN_OK);
    assert_int_equal(value, 0);
    assert_int_equal(tn_parse_u64("4", 1, 5, 9, &value), TN_ERR_RANGE);
    assert_int_equal(tn_parse_u64("0xffffffffffffffff", 18, 0, UINT64_MAX, &value), TN_OK);
}

static enum tn_result parse_f64(const char *text, double *out_value)
{
    return tn_parse_f64(text, strlen(text), -DBL_MAX, DBL_MAX, out_value);
}

static void check_bits(const char *text, double expected)
{
    double value = 0;
    assert_int_equal(parse_f64(text, &value), TN_OK);
    assert_memory_equal(&value, &expected, sizeof value);
}

static void floats_are_exact(void **state)
{
    (void)state;
    check_bits("0", 0.0);
    check_bits("-0", -0.0);
    check_bits("-0.0e5", -0.0);
    check_bits("1", 1.0);
    check_bits("+1.", 1.0);
    check_bits(".5", 0.5);
    check_bits("-0.5", -0.5);
    check_bits("1e-3", 1e-3);
    check_bits("0.001", 0.001);
    check_bits("000123.4500E+02", 12345.0);
    check_bits("0.1", 0.1);
    check_bits("3.141592653589793", 3.141592653589793);
    check_bits("1.7976931348623157e308", DBL_MAX);
    check_bits("17976931348623157e292", DBL_MAX);
    check_bits("2.2250738585072014e-308", DBL_MIN);
    check_bits("4.9e-324", 4.9406564584124654e-324);
    check_bits("9007199254740993", 9007199254740992.0);
}

static void digits_far_behind_still_decide_the_rounding(void **state)
{
    (void)state;
    // halfway between two doubles, and a hair above it
    char text[1200];
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    double value = 0;
    assert_int_equal(tn_parse_f64(text, 1100, 0, DBL_MAX, &value), TN_OK);
    assert_true(value < 9007199254740993.5 && value < 9007199254740994.0);
    text[1099] = '1';
    assert_int_equal(tn_parse_f64(text, 1100, 0, DBL_MAX, &value), TN_OK);
    const double above = 9007199254740994.0;
    assert_memory_equal(&value, &above, sizeof value);
}

static void float_round_trips_of_random_bits(void **state)
{
    (void)state;
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 20000; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        double expected;
        memcpy(&expected, &seed, sizeof expected);
        if (!isfinite(expected))
            continue;
        char text[64];
        (void)snprintf(text, sizeof text, "%.17g", expected);
        check_bits(text, expected);
    }
}

static void what_is_no_float_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",      ".",   "-",   "+.",  "e5",   "1e",    "1e+",
                                      "1.2.3", "nan", "inf", "NaN", "0x10", "1e5.0", "1,5",
                                      "1_000", "--1", "1 ",  " 1",  "1f",   "-inf",  "infinity"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++) {
        double value = 4711;
        assert_int_equal(parse_f64(bad[i], &value), TN_ERR_SYNTAX);
        assert_true(value > 4710 && value < 4712);
    }
}

static void floats_out_of_range_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"1e309", "-1e309", "1e-400", "1e99999999999999999999",
                                      "1e-99999999999999999999"};
    double value = 4711;
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++)
        assert_int_equal(parse_f64(bad[i], &value), TN_ERR_RANGE);
    assert_int_equal(tn_parse_f64("1.5", 3, 0, 1, &value), TN_ERR_RANGE);
    assert_int_equal(tn_parse_f64("0.5", 3, (double)NAN, 1, &value), TN_ERR_RANGE);
    assert_true(value > 4710 && value < 4712);
    // nothing but zeros stays zero whatever the exponent says
    assert_int_equal(parse_f64("0.000e999999", &value), TN_OK);
    assert_true(fpclassify(value) == FP_ZERO);
}

static void the_locale_changes_nothing(void **state)
{
    (void)state;
    // where a locale with a decimal comma is installed the test bites
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C.UTF-8"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++) {
        if (setlocale(LC_ALL, names[i]) == NULL)
            continue;
        check_bits("1.5", 1.5);
        double value = 0;
        assert_int_equal(parse_f64("1,5", &value), TN_ERR_SYNTAX);
    }
    (void)setlocale(LC_ALL, "C");
}

static void booleans(void **state)
{
    (void)state;
    static const char *const yes[] = {"true", "True", "YES", "on", "1"};
    static const char *const no[] = {"false", "No", "OFF", "0"};
    static const char *const bad[] = {"", "tru", "truee", "2", "y", "00"};
    bool value = false;
    for (size_t i = 0; i < TN_ARRAY_SIZE(yes); i++) {
        assert_int_equal(tn_parse_bool(yes[i], strlen(yes[i]), &value), TN_OK);
        assert_true(value);
    }
    for (size_t i = 0; i < TN_ARRAY_SIZE(no); i++) {
        assert_int_equal(tn_parse_bool(no[i], strlen(no[i]), &value), TN_OK);
        assert_false(value);
    }
    for (size_t i = 0; i < TN_ARRAY_SIZE(bad); i++)
        assert_int_equal(tn_parse_bool(bad[i], strlen(bad[i]), &value), TN_ERR_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signed_integers),
        cmocka_unit_test(limits_are_inclusive_and_the_size_ends_the_token),
        cmocka_unit_test(unsigned_integers),
        cmocka_unit_test(floats_are_exact),
        cmocka_unit_test(digits_far_behind_still_decide_the_rounding),
        cmocka_unit_test(float_round_trips_of_random_bits),
        cmocka_unit_test(what_is_no_float_is_refused),
        cmocka_unit_test(floats_out_of_range_are_refused),
        cmocka_unit_test(the_locale_changes_nothing),
        cmocka_unit_test(booleans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
