// SPDX-License-Identifier: Apache-2.0
// values of expressions and what operators make of them, as Python does
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "launch/launch__expression.h"
#include "rosidl/yaml/yaml.h"

struct tn_launch__value tn_launch__wrong(struct tn_arena *arena, const char *format, ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *copy = tn_arena_strndup(arena, text, strlen(text));
    return (struct tn_launch__value){.kind = TN_LAUNCH__WRONG,
                                     .text = copy != NULL ? copy : "out of memory"};
}

static struct tn_launch__value boolean(bool is_true)
{
    return (struct tn_launch__value){
        .kind = TN_LAUNCH__BOOL, .boolean = is_true, .integer = is_true};
}

static struct tn_launch__value integer(int64_t i)
{
    return (struct tn_launch__value){.kind = TN_LAUNCH__INT, .integer = i};
}

static struct tn_launch__value number(double d)
{
    return (struct tn_launch__value){.kind = TN_LAUNCH__FLOAT, .number = d};
}

/// Booleans are integers.
static bool is_integer(const struct tn_launch__value *v)
{
    return v->kind == TN_LAUNCH__INT || v->kind == TN_LAUNCH__BOOL;
}

static bool is_number(const struct tn_launch__value *v)
{
    return is_integer(v) || v->kind == TN_LAUNCH__FLOAT;
}

static double to_double(const struct tn_launch__value *v)
{
    return v->kind == TN_LAUNCH__FLOAT ? v->number : (double)v->integer;
}

static const char *kind_name(const struct tn_launch__value *v)
{
    static const char *const names[] = {"None", "bool", "int", "float", "str", "list", "?"};
    return names[v->kind];
}

bool tn_launch__is_true(const struct tn_launch__value *v)
{
    switch (v->kind) {
    case TN_LAUNCH__BOOL:
        return v->boolean;
    case TN_LAUNCH__INT:
        return v->integer != 0;
    case TN_LAUNCH__FLOAT:
        return v->number < 0 || v->number > 0 || isnan(v->number);
    case TN_LAUNCH__STRING:
    case TN_LAUNCH__LIST:
        return v->size > 0;
    case TN_LAUNCH__NONE:
    case TN_LAUNCH__WRONG:
        break;
    }
    return false;
}

struct tn_launch__value tn_launch__apply_prefix(struct tn_arena *arena, enum tn_launch__operator op,
                                                struct tn_launch__value a)
{
    if (a.kind == TN_LAUNCH__WRONG)
        return a;
    if (op == TN_LAUNCH__OP_NOT)
        return boolean(!tn_launch__is_true(&a));
    if (!is_number(&a))
        return tn_launch__wrong(arena, "%s has no sign", kind_name(&a));
    if (a.kind == TN_LAUNCH__FLOAT)
        return number(op == TN_LAUNCH__OP_MINUS ? -a.number : a.number);
    if (op == TN_LAUNCH__OP_MINUS && a.integer == INT64_MIN)
        return tn_launch__wrong(arena, "an integer needs more than 64 bits");
    return integer(op == TN_LAUNCH__OP_MINUS ? -a.integer : a.integer);
}

static struct tn_launch__value multiply_integers(struct tn_arena *arena, int64_t a, int64_t b)
{
    // the product of the magnitudes must fit
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
    uint64_t y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    if (x != 0 && y > (uint64_t)INT64_MAX / x)
        return tn_launch__wrong(arena, "an integer needs more than 64 bits");
    return integer(a * b);
}

static struct tn_launch__value add_integers(struct tn_arena *arena, int64_t a, int64_t b)
{
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b))
        return tn_launch__wrong(arena, "an integer needs more than 64 bits");
    return integer(a + b);
}

/// The rest has the sign of the divisor.
static struct tn_launch__value divide_integers(struct tn_arena *arena, enum tn_launch__operator op,
                                               int64_t a, int64_t b)
{
    if (b == 0)
        return tn_launch__wrong(arena, "division by zero");
    if (op == TN_LAUNCH__OP_DIVIDE)
        return number((double)a / (double)b);
    if (a == INT64_MIN && b == -1)
        return op == TN_LAUNCH__OP_MODULO
                   ? integer(0)
                   : tn_launch__wrong(arena, "an integer needs more than 64 bits");
    int64_t quotient = a / b, rest = a % b;
    if (rest != 0 && (rest < 0) != (b < 0)) {
        quotient--;
        rest += b;
    }
    return integer(op == TN_LAUNCH__OP_MODULO ? rest : quotient);
}

static struct tn_launch__value power_of_integers(struct tn_arena *arena, int64_t a, int64_t b)
{
    if (b < 0)
        return a == 0 ? tn_launch__wrong(arena, "zero to a negative power")
                      : number(pow((double)a, (double)b));
    struct tn_launch__value result = integer(1);
    if (a == 0 || a == 1 || b == 0)
        return integer(b == 0 ? 1 : a);
    if (a == -1)
        return integer(b % 2 == 0 ? 1 : -1);
    // with |a| > 1 the 64th step cannot fit any more
    for (int64_t i = 0; i < b && result.kind == TN_LAUNCH__INT; i++)
        result = multiply_integers(arena, result.integer, a);
    return result;
}

static struct tn_launch__value apply_integers(struct tn_arena *arena, enum tn_launch__operator op,
                                              int64_t a, int64_t b)
{
    if (op == TN_LAUNCH__OP_ADD)
        return add_integers(arena, a, b);
    if (op == TN_LAUNCH__OP_SUBTRACT)
        return b == INT64_MIN ? tn_launch__wrong(arena, "an integer needs more than 64 bits")
                              : add_integers(arena, a, -b);
    if (op == TN_LAUNCH__OP_MULTIPLY)
        return multiply_integers(arena, a, b);
    if (op == TN_LAUNCH__OP_POWER)
        return power_of_integers(arena, a, b);
    return divide_integers(arena, op, a, b);
}

static bool is_zero(double d)
{
    return d >= 0 && d <= 0;
}

static struct tn_launch__value apply_numbers(struct tn_arena *arena, enum tn_launch__operator op,
                                             double a, double b)
{
    if (op == TN_LAUNCH__OP_ADD)
        return number(a + b);
    if (op == TN_LAUNCH__OP_SUBTRACT)
        return number(a - b);
    if (op == TN_LAUNCH__OP_MULTIPLY)
        return number(a * b);
    if (op == TN_LAUNCH__OP_POWER) {
        double result = pow(a, b);
        return isfinite(result) || !isfinite(a) || !isfinite(b)
                   ? number(result)
                   : tn_launch__wrong(arena, "no such power of a float");
    }
    if (is_zero(b))
        return tn_launch__wrong(arena, "division by zero");
    if (op == TN_LAUNCH__OP_DIVIDE)
        return number(a / b);
    double rest = fmod(a, b);
    if (is_zero(rest))
        rest = copysign(0, b);
    else if ((rest < 0) != (b < 0))
        rest += b;
    if (op == TN_LAUNCH__OP_MODULO)
        return number(rest);
    double quotient = floor((a - rest) / b + 0.5);
    return number(is_zero(quotient) ? copysign(0, a / b) : quotient);
}

static struct tn_launch__value concatenate(struct tn_arena *arena, const struct tn_launch__value *a,
                                           const struct tn_launch__value *b)
{
    char *text = tn_arena_alloc(arena, a->size + b->size + 1, 1, 1);
    if (text == NULL)
        return tn_launch__wrong(arena, "out of memory");
    memcpy(text, a->text, a->size);
    memcpy(text + a->size, b->text, b->size);
    return (struct tn_launch__value){
        .kind = TN_LAUNCH__STRING, .text = text, .size = a->size + b->size};
}

static struct tn_launch__value apply_arithmetic(struct tn_arena *arena, enum tn_launch__operator op,
                                                const struct tn_launch__value *a,
                                                const struct tn_launch__value *b)
{
    if (is_integer(a) && is_integer(b))
        return apply_integers(arena, op, a->integer, b->integer);
    if (is_number(a) && is_number(b))
        return apply_numbers(arena, op, to_double(a), to_double(b));
    if (op == TN_LAUNCH__OP_ADD && a->kind == TN_LAUNCH__STRING && b->kind == TN_LAUNCH__STRING)
        return concatenate(arena, a, b);
    return tn_launch__wrong(arena, "no such operation between %s and %s", kind_name(a),
                            kind_name(b));
}

/// Numbers by value, texts by letters, everything else is different. Lists: by their items'
/// scalars.
static bool are_equal_scalars(const struct tn_launch__value *a, const struct tn_launch__value *b)
{
    if (is_integer(a) && is_integer(b))
        return a->integer == b->integer;
    if (is_number(a) && is_number(b))
        return to_double(a) <= to_double(b) && to_double(a) >= to_double(b);
    if (a->kind == TN_LAUNCH__STRING && b->kind == TN_LAUNCH__STRING)
        return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
    return a->kind == TN_LAUNCH__NONE && b->kind == TN_LAUNCH__NONE;
}

static bool are_equal(const struct tn_launch__value *a, const struct tn_launch__value *b)
{
    if (a->kind != TN_LAUNCH__LIST || b->kind != TN_LAUNCH__LIST)
        return are_equal_scalars(a, b);
    bool same = a->size == b->size && a->is_tuple == b->is_tuple;
    for (size_t i = 0; same && i < a->size; i++)
        same = are_equal_scalars(&a->items[i], &b->items[i]);
    return same;
}

static bool contains_text(const struct tn_launch__value *text, const struct tn_launch__value *part)
{
    for (size_t i = 0; i + part->size <= text->size; i++)
        if (memcmp(text->text + i, part->text, part->size) == 0)
            return true;
    return false;
}

static struct tn_launch__value is_in(struct tn_arena *arena, const struct tn_launch__value *a,
                                     const struct tn_launch__value *b)
{
    if (b->kind == TN_LAUNCH__STRING && a->kind == TN_LAUNCH__STRING)
        return boolean(contains_text(b, a));
    if (b->kind != TN_LAUNCH__LIST)
        return tn_launch__wrong(arena, "%s in %s cannot be asked", kind_name(a), kind_name(b));
    for (size_t i = 0; i < b->size; i++)
        if (are_equal(a, &b->items[i]))
            return boolean(true);
    return boolean(false);
}

/// -1, 0, 1; 2: not ordered, as NaN is.
static int compare(const struct tn_launch__value *a, const struct tn_launch__value *b)
{
    if (a->kind == TN_LAUNCH__STRING) {
        size_t n = a->size < b->size ? a->size : b->size;
        int order = n > 0 ? memcmp(a->text, b->text, n) : 0;
        if (order != 0)
            return order < 0 ? -1 : 1;
        return a->size < b->size ? -1 : a->size > b->size;
    }
    if (is_integer(a) && is_integer(b))
        return a->integer < b->integer ? -1 : a->integer > b->integer;
    double x = to_double(a), y = to_double(b);
    return isnan(x) || isnan(y) ? 2 : x < y ? -1 : x > y;
}

static struct tn_launch__value compare_in_order(struct tn_arena *arena, enum tn_launch__operator op,
                                                const struct tn_launch__value *a,
                                                const struct tn_launch__value *b)
{
    bool are_texts = a->kind == TN_LAUNCH__STRING && b->kind == TN_LAUNCH__STRING;
    if (!are_texts && !(is_number(a) && is_number(b)))
        return tn_launch__wrong(arena, "%s and %s have no order", kind_name(a), kind_name(b));
    int order = compare(a, b);
    if (op == TN_LAUNCH__OP_LESS)
        return boolean(order == -1);
    if (op == TN_LAUNCH__OP_LESS_EQUAL)
        return boolean(order == -1 || order == 0);
    if (op == TN_LAUNCH__OP_GREATER)
        return boolean(order == 1);
    return boolean(order == 1 || order == 0);
}

static struct tn_launch__value is_same(struct tn_arena *arena, const struct tn_launch__value *a,
                                       const struct tn_launch__value *b)
{
    bool can = a->kind == TN_LAUNCH__NONE || b->kind == TN_LAUNCH__NONE ||
               (a->kind == TN_LAUNCH__BOOL && b->kind == TN_LAUNCH__BOOL);
    if (!can)
        return tn_launch__wrong(arena, "`is` is for None, True and False; use ==");
    return boolean(a->kind == b->kind && a->boolean == b->boolean);
}

static struct tn_launch__value negate(struct tn_launch__value v)
{
    return v.kind == TN_LAUNCH__BOOL ? boolean(!v.boolean) : v;
}

static struct tn_launch__value compare_once(struct tn_arena *arena, enum tn_launch__operator op,
                                            const struct tn_launch__value *a,
                                            const struct tn_launch__value *b)
{
    if (a->kind == TN_LAUNCH__WRONG || b->kind == TN_LAUNCH__WRONG)
        return a->kind == TN_LAUNCH__WRONG ? *a : *b;
    if (op == TN_LAUNCH__OP_EQUAL || op == TN_LAUNCH__OP_NOT_EQUAL)
        return boolean(are_equal(a, b) == (op == TN_LAUNCH__OP_EQUAL));
    if (op == TN_LAUNCH__OP_IN || op == TN_LAUNCH__OP_NOT_IN)
        return op == TN_LAUNCH__OP_IN ? is_in(arena, a, b) : negate(is_in(arena, a, b));
    if (op == TN_LAUNCH__OP_IS || op == TN_LAUNCH__OP_IS_NOT)
        return op == TN_LAUNCH__OP_IS ? is_same(arena, a, b) : negate(is_same(arena, a, b));
    return compare_in_order(arena, op, a, b);
}

/// `a < b < c` is `a < b and b < c`.
static struct tn_launch__value apply_comparison(struct tn_arena *arena, enum tn_launch__operator op,
                                                struct tn_launch__value a,
                                                struct tn_launch__value b)
{
    struct tn_launch__value *right =
        tn_arena_alloc(arena, 1, sizeof *right, _Alignof(struct tn_launch__value));
    if (right == NULL)
        return tn_launch__wrong(arena, "out of memory");
    *right = b;
    right->is_comparison = false;
    struct tn_launch__value result = a;
    if (!a.is_comparison)
        result = compare_once(arena, op, &a, right);
    else if (a.boolean)
        result = compare_once(arena, op, a.items, right);
    if (result.kind == TN_LAUNCH__BOOL) {
        result.is_comparison = true;
        result.items = right;
    }
    return result;
}

struct tn_launch__value tn_launch__apply(struct tn_arena *arena, enum tn_launch__operator op,
                                         struct tn_launch__value a, struct tn_launch__value b)
{
    if (op >= TN_LAUNCH__OP_LESS && op <= TN_LAUNCH__OP_IS_NOT)
        return apply_comparison(arena, op, a, b);
    a.is_comparison = b.is_comparison = false;
    if (a.kind == TN_LAUNCH__WRONG)
        return a;
    if (op == TN_LAUNCH__OP_AND)
        return tn_launch__is_true(&a) ? b : a;
    if (op == TN_LAUNCH__OP_OR)
        return tn_launch__is_true(&a) ? a : b;
    return b.kind == TN_LAUNCH__WRONG ? b : apply_arithmetic(arena, op, &a, &b);
}

// ---- text ----

/// repr() of a string: in the quotes that need fewer escapes.
static enum tn_result append_quoted(struct tn_launch__text *out, const struct tn_launch__value *v)
{
    bool has_single = memchr(v->text, '\'', v->size) != NULL;
    bool has_double = memchr(v->text, '"', v->size) != NULL;
    char quote = has_single && !has_double ? '"' : '\'';
    enum tn_result result = tn_launch__text_append(out, &quote, 1);
    for (size_t i = 0; i < v->size && result == TN_OK; i++) {
        char c = v->text[i];
        if (c == '\n')
            result = tn_launch__text_add(out, "\\n");
        else if (c == '\t')
            result = tn_launch__text_add(out, "\\t");
        else if (c == quote || c == '\\')
            result = tn_launch__text_append(out, (const char[2]){'\\', c}, 2);
        else
            result = tn_launch__text_append(out, &c, 1);
    }
    return result == TN_OK ? tn_launch__text_append(out, &quote, 1) : result;
}

static enum tn_result append_scalar(struct tn_launch__text *out, const struct tn_launch__value *v,
                                    bool is_repr)
{
    char digits[40];
    switch (v->kind) {
    case TN_LAUNCH__STRING:
        return is_repr ? append_quoted(out, v) : tn_launch__text_append(out, v->text, v->size);
    case TN_LAUNCH__BOOL:
        return tn_launch__text_add(out, v->boolean ? "True" : "False");
    case TN_LAUNCH__INT:
        (void)snprintf(digits, sizeof digits, "%" PRId64, v->integer);
        return tn_launch__text_add(out, digits);
    case TN_LAUNCH__FLOAT:
        (void)tn_yaml_format_f64(v->number, digits, sizeof digits);
        return tn_launch__text_add(out, digits);
    case TN_LAUNCH__NONE:
    case TN_LAUNCH__LIST:
    case TN_LAUNCH__WRONG:
        break;
    }
    return tn_launch__text_add(out, "None");
}

enum tn_result tn_launch__append_value(struct tn_launch__text *out,
                                       const struct tn_launch__value *v)
{
    if (v->kind != TN_LAUNCH__LIST)
        return append_scalar(out, v, false);
    enum tn_result result = tn_launch__text_add(out, v->is_tuple ? "(" : "[");
    for (size_t i = 0; i < v->size && result == TN_OK; i++) {
        result = i > 0 ? tn_launch__text_add(out, ", ") : TN_OK;
        result = result == TN_OK ? append_scalar(out, &v->items[i], true) : result;
    }
    if (result == TN_OK && v->is_tuple)
        return tn_launch__text_add(out, v->size == 1 ? ",)" : ")");
    return result == TN_OK ? tn_launch__text_add(out, "]") : result;
}
