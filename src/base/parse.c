// SPDX-License-Identifier: Apache-2.0
#include "base/parse.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// value of a digit in any base up to 16, 16 for anything else
static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10U;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10U;
    return 16U;
}

static bool take_sign(const char *text, size_t size, size_t *at)
{
    if (*at >= size || (text[*at] != '-' && text[*at] != '+'))
        return false;
    return text[(*at)++] == '-';
}

static unsigned take_base(const char *text, size_t size, size_t *at)
{
    if (size - *at < 2 || text[*at] != '0')
        return 10;
    const char c = text[*at + 1];
    const unsigned base = c == 'x' || c == 'X'   ? 16
                          : c == 'o' || c == 'O' ? 8
                          : c == 'b' || c == 'B' ? 2
                                                 : 0;
    if (base == 0)
        return 10;
    *at += 2;
    return base;
}

// sign and magnitude; a magnitude beyond uint64 is a range error, but only of a well-formed token
static enum tn_result parse_integer(const char *text, size_t size, bool *negative,
                                    uint64_t *magnitude)
{
    size_t at = 0;
    *negative = take_sign(text, size, &at);
    const unsigned base = take_base(text, size, &at);
    if (at == size)
        return TN_ERR_SYNTAX;
    bool overflow = false;
    uint64_t value = 0;
    for (; at < size; at++) {
        const unsigned digit = digit_value(text[at]);
        if (digit >= base)
            return TN_ERR_SYNTAX;
        overflow = overflow || value > (UINT64_MAX - digit) / base;
        if (!overflow)
            value = value * base + digit;
    }
    *magnitude = value;
    return overflow ? TN_ERR_RANGE : TN_OK;
}

enum tn_result tn_parse_i64(const char *text, size_t size, int64_t min, int64_t max,
                            int64_t *out_value)
{
    bool negative = false;
    uint64_t magnitude = 0;
    const enum tn_result result = parse_integer(text, size, &negative, &magnitude);
    if (result != TN_OK)
        return result;
    const uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    if (magnitude > limit)
        return TN_ERR_RANGE;
    // -2^63 has no positive counterpart to negate
    const int64_t value = !negative            ? (int64_t)magnitude
                          : magnitude == limit ? INT64_MIN
                                               : -(int64_t)magnitude;
    if (value < min || value > max)
        return TN_ERR_RANGE;
    *out_value = value;
    return TN_OK;
}

enum tn_result tn_parse_u64(const char *text, size_t size, uint64_t min, uint64_t max,
                            uint64_t *out_value)
{
    bool negative = false;
    uint64_t magnitude = 0;
    const enum tn_result result = parse_integer(text, size, &negative, &magnitude);
    if (result != TN_OK)
        return result;
    if ((negative && magnitude != 0) || magnitude < min || magnitude > max)
        return TN_ERR_RANGE;
    *out_value = magnitude;
    return TN_OK;
}

// digits that can decide how a double rounds: 767, and one for "and something behind them"
enum { DIGITS_MAX = 800, EXPONENT_MAX = 1000000 };

// a decimal number without its point: digits * 10^exponent
struct decimal {
    char digits[DIGITS_MAX + 2];
    size_t n_digits;
    int64_t exponent;
    bool negative, has_nonzero_tail;
};

static void take_digit(struct decimal *number, char digit, bool is_fraction)
{
    if (number->n_digits == 0 && digit == '0') {
        number->exponent -= is_fraction ? 1 : 0;
    } else if (number->n_digits < DIGITS_MAX) {
        number->digits[number->n_digits++] = digit;
        number->exponent -= is_fraction ? 1 : 0;
    } else {
        number->has_nonzero_tail = number->has_nonzero_tail || digit != '0';
        number->exponent += is_fraction ? 0 : 1;
    }
}

// "12.5" and friends up to the exponent letter; false when there is no digit
static bool take_mantissa(const char *text, size_t size, size_t *at, struct decimal *number)
{
    bool any = false;
    bool is_fraction = false;
    for (; *at < size; ++*at) {
        const char c = text[*at];
        if (c == '.' && !is_fraction) {
            is_fraction = true;
        } else if (c >= '0' && c <= '9') {
            take_digit(number, c, is_fraction);
            any = true;
        } else {
            break;
        }
    }
    return any;
}

// "e-12" at the end of the token
static bool take_exponent(const char *text, size_t size, size_t *at, struct decimal *number)
{
    if (*at == size)
        return true;
    if (text[*at] != 'e' && text[*at] != 'E')
        return false;
    ++*at;
    const bool negative = take_sign(text, size, at);
    if (*at == size)
        return false;
    int64_t value = 0;
    for (; *at < size; ++*at) {
        const char c = text[*at];
        if (c < '0' || c > '9')
            return false;
        if (value < EXPONENT_MAX)
            value = value * 10 + (c - '0');
    }
    number->exponent += negative ? -value : value;
    return true;
}

// without a decimal point the answer is the same in every locale
static double decimal_to_double(struct decimal *number)
{
    if (number->n_digits == 0)
        return number->negative ? -0.0 : 0.0;
    if (number->has_nonzero_tail) {
        number->digits[number->n_digits++] = '1';
        number->exponent -= 1;
    }
    int64_t exponent = number->exponent;
    exponent = exponent > EXPONENT_MAX ? EXPONENT_MAX : exponent;
    exponent = exponent < -EXPONENT_MAX ? -EXPONENT_MAX : exponent;
    char buffer[DIGITS_MAX + 32];
    (void)snprintf(buffer, sizeof buffer, "%.*se%d", (int)number->n_digits, number->digits,
                   (int)exponent);
    const int saved_errno = errno;
    const double value = strtod(buffer, NULL);
    errno = saved_errno;
    return number->negative ? -value : value;
}

enum tn_result tn_parse_f64(const char *text, size_t size, double min, double max,
                            double *out_value)
{
    size_t at = 0;
    struct decimal number = {.n_digits = 0};
    number.negative = take_sign(text, size, &at);
    if (!take_mantissa(text, size, &at, &number) || !take_exponent(text, size, &at, &number))
        return TN_ERR_SYNTAX;
    const double value = decimal_to_double(&number);
    // a number too large or too small for a double became infinite or zero
    if (!isfinite(value) || (number.n_digits > 0 && fpclassify(value) == FP_ZERO))
        return TN_ERR_RANGE;
    if (!(value >= min && value <= max))
        return TN_ERR_RANGE;
    *out_value = value;
    return TN_OK;
}

static bool equals_any_case(const char *text, size_t size, const char *word)
{
    if (strlen(word) != size)
        return false;
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        const char lower = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        if (lower != word[i])
            return false;
    }
    return true;
}

enum tn_result tn_parse_bool(const char *text, size_t size, bool *out_value)
{
    static const char words[2][4][6] = {{"false", "no", "off", "0"}, {"true", "yes", "on", "1"}};
    for (int value = 0; value < 2; value++) {
        for (size_t i = 0; i < TN_ARRAY_SIZE(words[value]); i++) {
            if (equals_any_case(text, size, words[value][i])) {
                *out_value = value == 1;
                return TN_OK;
            }
        }
    }
    return TN_ERR_SYNTAX;
}
