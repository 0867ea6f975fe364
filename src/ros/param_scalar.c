// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/parse.h"
#include "ros/ros__scalar.h"

/// Longest text that may be a number.
#define NUMBER_TEXT_MAX 1024

static bool is_one_of(const char *text, size_t size, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strlen(*words) == size && memcmp(*words, text, size) == 0)
            return true;
    return false;
}

static bool read_bool(const char *text, size_t size, bool *out)
{
    static const char *const yes[] = {"Y",    "y",    "yes", "Yes", "YES", "true",
                                      "True", "TRUE", "on",  "On",  "ON",  NULL};
    static const char *const no[] = {"N",     "n",     "no",  "No",  "NO",  "false",
                                     "False", "FALSE", "off", "Off", "OFF", NULL};
    *out = is_one_of(text, size, yes);
    return *out || is_one_of(text, size, no);
}

/// strtoll with base 0: sign, then 0x and hexadecimal digits, or 0 and octal ones, or decimal ones.
static bool read_integer(const char *text, size_t size, int64_t *out)
{
    char octal[32];
    size_t sign = size > 0 && (text[0] == '-' || text[0] == '+');
    const char *digits = text + sign;
    size_t n = size - sign;
    if (n >= 2 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') {
        if (size + 2 > sizeof octal)
            return false;
        memcpy(octal, text, sign);
        memcpy(octal + sign, "0o", 2);
        memcpy(octal + sign + 2, digits + 1, n - 1);
        return tn_parse_i64(octal, size + 1, INT64_MIN, INT64_MAX, out) == TN_OK;
    }
    // binary and 0o forms are YAML 1.2, which ROS does not read
    if (n >= 2 && digits[0] == '0' && digits[1] != 'x' && digits[1] != 'X')
        return false;
    return tn_parse_i64(text, size, INT64_MIN, INT64_MAX, out) == TN_OK;
}

static bool read_special(const char *text, size_t size, double *out)
{
    static const char *const not_a_number[] = {".nan", ".NaN", ".NAN", NULL};
    static const char *const infinite[] = {".inf", ".Inf", ".INF", NULL};
    size_t sign = size > 0 && (text[0] == '-' || text[0] == '+');
    const char *word = text + sign;
    size_t n = size - sign;
    bool is_nan =
        is_one_of(text, size, not_a_number) || (n == 3 && strncasecmp(word, "nan", n) == 0);
    bool is_infinite = is_one_of(word, n, infinite) ||
                       (n == 3 && strncasecmp(word, "inf", n) == 0) ||
                       (n == 8 && strncasecmp(word, "infinity", n) == 0);
    if (is_nan)
        *out = (double)NAN;
    else if (is_infinite)
        *out = text[0] == '-' ? (double)-INFINITY : (double)INFINITY;
    return is_nan || is_infinite;
}

struct tn_ros__scalar tn_ros__scalar_read(const char *text, size_t size, bool is_plain)
{
    struct tn_ros__scalar scalar = {.type = TN_ROS_PARAM_STRING};
    if (!is_plain || size > NUMBER_TEXT_MAX)
        return scalar;
    if (size == 0)
        scalar.type = TN_ROS_PARAM_NOT_SET;
    else if (read_bool(text, size, &scalar.boolean))
        scalar.type = TN_ROS_PARAM_BOOL;
    else if (read_integer(text, size, &scalar.integer))
        scalar.type = TN_ROS_PARAM_INTEGER;
    else if (read_special(text, size, &scalar.number) ||
             tn_parse_f64(text, size, -(double)INFINITY, (double)INFINITY, &scalar.number) == TN_OK)
        scalar.type = TN_ROS_PARAM_DOUBLE;
    return scalar;
}

/// Lays out digits and exponent as Python's repr() does.
static void lay_out(const char *digits, int n, int exponent, const char *sign,
                    char out[TN_ROS__DOUBLE_TEXT_MAX])
{
    const size_t size = TN_ROS__DOUBLE_TEXT_MAX;
    if (exponent < -4 || exponent >= 16)
        (void)snprintf(out, size, "%s%c%s%se%c%02d", sign, digits[0], n > 1 ? "." : "", digits + 1,
                       exponent < 0 ? '-' : '+', exponent < 0 ? -exponent : exponent);
    else if (exponent < 0)
        (void)snprintf(out, size, "%s0.%.*s%s", sign, -exponent - 1, "000", digits);
    else if (exponent + 1 >= n)
        (void)snprintf(out, size, "%s%s%.*s.0", sign, digits, exponent + 1 - n, "0000000000000000");
    else
        (void)snprintf(out, size, "%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1);
}

void tn_ros__scalar_print_double(double value, char out[TN_ROS__DOUBLE_TEXT_MAX])
{
    if (isnan(value) || isinf(value)) {
        (void)snprintf(out, TN_ROS__DOUBLE_TEXT_MAX, "%s",
                       isnan(value) ? "nan"
                       : value < 0  ? "-inf"
                                    : "inf");
        return;
    }
    char text[40], digits[24];
    double back = 0.0;
    for (int precision = 0; precision <= 16; precision++) {
        (void)snprintf(text, sizeof text, "%.*e", precision, value);
        if (tn_parse_f64(text, strlen(text), -(double)INFINITY, (double)INFINITY, &back) == TN_OK &&
            memcmp(&back, &value, sizeof back) == 0)
            break;
    }
    // "-d.ddde+xx" apart
    bool is_negative = text[0] == '-';
    const char *mark = strchr(text, 'e');
    size_t n = 0;
    for (const char *p = text + is_negative; p < mark && n < sizeof digits - 1; p++)
        if (*p != '.')
            digits[n++] = *p;
    digits[n] = '\0';
    int64_t exponent = 0;
    if (tn_parse_i64(mark + 1, strlen(mark + 1), -400, 400, &exponent) != TN_OK)
        exponent = 0;
    lay_out(digits, (int)n, (int)exponent, is_negative ? "-" : "", out);
}
