// SPDX-License-Identifier: Apache-2.0
// functions and methods of expressions
#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "launch/launch__expression.h"

enum {
    FLOAT_FUNCTION,
    FLOAT_FUNCTION_2,
    INT,
    FLOAT,
    STR,
    BOOL,
    ABS,
    MIN,
    MAX,
    ROUND,
    LEN,
    FLOOR,
    CEIL,
    LOWER,
    UPPER,
    STRIP,
    STARTS_WITH,
    ENDS_WITH
};

struct call {
    const char *name;
    bool is_method;
    int kind;
    uint32_t min, max; ///< arguments
    double (*of_one)(double);
    double (*of_two)(double, double);
};

static double to_degrees(double rad)
{
    return rad * (180.0 / 3.14159265358979323846);
}

static double to_radians(double deg)
{
    return deg * (3.14159265358979323846 / 180.0);
}

static const struct call calls[] = {
    {"int", false, INT, 1, 1, NULL, NULL},
    {"float", false, FLOAT, 1, 1, NULL, NULL},
    {"str", false, STR, 1, 1, NULL, NULL},
    {"bool", false, BOOL, 1, 1, NULL, NULL},
    {"abs", false, ABS, 1, 1, NULL, NULL},
    {"min", false, MIN, 2, 16, NULL, NULL},
    {"max", false, MAX, 2, 16, NULL, NULL},
    {"round", false, ROUND, 1, 2, NULL, NULL},
    {"len", false, LEN, 1, 1, NULL, NULL},
    {"floor", false, FLOOR, 1, 1, NULL, NULL},
    {"ceil", false, CEIL, 1, 1, NULL, NULL},
    {"sin", false, FLOAT_FUNCTION, 1, 1, sin, NULL},
    {"cos", false, FLOAT_FUNCTION, 1, 1, cos, NULL},
    {"tan", false, FLOAT_FUNCTION, 1, 1, tan, NULL},
    {"asin", false, FLOAT_FUNCTION, 1, 1, asin, NULL},
    {"acos", false, FLOAT_FUNCTION, 1, 1, acos, NULL},
    {"atan", false, FLOAT_FUNCTION, 1, 1, atan, NULL},
    {"sqrt", false, FLOAT_FUNCTION, 1, 1, sqrt, NULL},
    {"exp", false, FLOAT_FUNCTION, 1, 1, exp, NULL},
    {"log", false, FLOAT_FUNCTION, 1, 1, log, NULL},
    {"log10", false, FLOAT_FUNCTION, 1, 1, log10, NULL},
    {"fabs", false, FLOAT_FUNCTION, 1, 1, fabs, NULL},
    {"radians", false, FLOAT_FUNCTION, 1, 1, to_radians, NULL},
    {"degrees", false, FLOAT_FUNCTION, 1, 1, to_degrees, NULL},
    {"atan2", false, FLOAT_FUNCTION_2, 2, 2, NULL, atan2},
    {"pow", false, FLOAT_FUNCTION_2, 2, 2, NULL, pow},
    {"hypot", false, FLOAT_FUNCTION_2, 2, 2, NULL, hypot},
    {"fmod", false, FLOAT_FUNCTION_2, 2, 2, NULL, fmod},
    {"lower", true, LOWER, 1, 1, NULL, NULL},
    {"upper", true, UPPER, 1, 1, NULL, NULL},
    {"strip", true, STRIP, 1, 1, NULL, NULL},
    {"startswith", true, STARTS_WITH, 2, 2, NULL, NULL},
    {"endswith", true, ENDS_WITH, 2, 2, NULL, NULL},
};

int tn_launch__find_call(const char *name, size_t size, bool is_method)
{
    for (size_t i = 0; i < TN_ARRAY_SIZE(calls); i++)
        if (calls[i].is_method == is_method && strlen(calls[i].name) == size &&
            memcmp(calls[i].name, name, size) == 0)
            return (int)i;
    return -1;
}

static struct tn_launch__value boolean(bool is_true)
{
    return (struct tn_launch__value){
        .kind = TN_LAUNCH__BOOL, .boolean = is_true, .integer = is_true};
}

static struct tn_launch__value number(double d)
{
    return (struct tn_launch__value){.kind = TN_LAUNCH__FLOAT, .number = d};
}

static struct tn_launch__value text_of(const char *text, size_t size)
{
    return (struct tn_launch__value){.kind = TN_LAUNCH__STRING, .text = text, .size = size};
}

static bool to_double(const struct tn_launch__value *v, double *out)
{
    bool is_integer = v->kind == TN_LAUNCH__INT || v->kind == TN_LAUNCH__BOOL;
    *out = is_integer ? (double)v->integer : v->number;
    return is_integer || v->kind == TN_LAUNCH__FLOAT;
}

/// Towards zero, down (`direction` < 0), up, or to the nearest even (2).
static struct tn_launch__value to_integer(struct tn_arena *arena, double d, int direction)
{
    double whole = direction == 2  ? nearbyint(d)
                   : direction < 0 ? floor(d)
                   : direction > 0 ? ceil(d)
                                   : trunc(d);
    if (!(whole >= -9.2e18 && whole <= 9.2e18))
        return tn_launch__wrong(arena, "a number that fits into no integer");
    return (struct tn_launch__value){.kind = TN_LAUNCH__INT, .integer = (int64_t)whole};
}

static struct tn_launch__value stripped(struct tn_launch__value v)
{
    while (v.size > 0 && strchr(" \t\r\n", v.text[v.size - 1]) != NULL)
        v.size--;
    while (v.size > 0 && strchr(" \t\r\n", v.text[0]) != NULL) {
        v.text++;
        v.size--;
    }
    return v;
}

static struct tn_launch__value parse_text(struct tn_arena *arena, const struct tn_launch__value *v,
                                          bool is_float)
{
    struct tn_launch__value t = stripped(*v), out = {.kind = TN_LAUNCH__INT};
    enum tn_result result = TN_OK;
    if (is_float) {
        out.kind = TN_LAUNCH__FLOAT;
        result = tn_parse_f64(t.text, t.size, -HUGE_VAL, HUGE_VAL, &out.number);
    } else if (t.size > 1 && memchr("xXoObB", t.text[1], 6) != NULL) {
        result = TN_ERR_SYNTAX;
    } else {
        result = tn_parse_i64(t.text, t.size, INT64_MIN, INT64_MAX, &out.integer);
    }
    return result == TN_OK
               ? out
               : tn_launch__wrong(arena, "'%.*s' is no %s", t.size > 40 ? 40 : (int)t.size, t.text,
                                  is_float ? "float" : "integer");
}

static struct tn_launch__value convert(struct tn_arena *arena, int kind,
                                       const struct tn_launch__value *v)
{
    double d = 0;
    if (kind == BOOL)
        return boolean(tn_launch__is_true(v));
    if (v->kind == TN_LAUNCH__STRING)
        return parse_text(arena, v, kind == FLOAT);
    if (!to_double(v, &d))
        return tn_launch__wrong(arena, "int() and float() take numbers and strings");
    if (kind == FLOAT)
        return number(d);
    if (v->kind == TN_LAUNCH__FLOAT)
        return to_integer(arena, d, 0);
    return (struct tn_launch__value){.kind = TN_LAUNCH__INT, .integer = v->integer};
}

static struct tn_launch__value to_text(struct tn_arena *arena, const struct tn_launch__value *v)
{
    struct tn_launch__text text = {0};
    enum tn_result result = tn_launch__append_value(&text, v);
    const char *copy = result == TN_OK ? tn_arena_strndup(arena, text.data, text.size) : NULL;
    size_t size = text.size;
    tn_launch__text_fini(&text);
    return copy != NULL ? text_of(copy, size) : tn_launch__wrong(arena, "out of memory");
}

static struct tn_launch__value change_case(struct tn_arena *arena, const struct tn_launch__value *v,
                                           bool is_upper)
{
    char *copy = tn_arena_strndup(arena, v->text, v->size);
    if (copy == NULL)
        return tn_launch__wrong(arena, "out of memory");
    for (size_t i = 0; i < v->size; i++) {
        if (is_upper && copy[i] >= 'a' && copy[i] <= 'z')
            copy[i] = (char)(copy[i] - 'a' + 'A');
        else if (!is_upper && copy[i] >= 'A' && copy[i] <= 'Z')
            copy[i] = (char)(copy[i] - 'A' + 'a');
    }
    return text_of(copy, v->size);
}

static struct tn_launch__value method(struct tn_arena *arena, int kind,
                                      const struct tn_launch__value *v)
{
    if (v[0].kind != TN_LAUNCH__STRING)
        return tn_launch__wrong(arena, "methods are for strings");
    if (kind == STRIP)
        return stripped(v[0]);
    if (kind == LOWER || kind == UPPER)
        return change_case(arena, v, kind == UPPER);
    if (v[1].kind != TN_LAUNCH__STRING)
        return tn_launch__wrong(arena, "startswith() and endswith() take a string");
    const char *at = kind == STARTS_WITH ? v[0].text : v[0].text + v[0].size - v[1].size;
    return boolean(v[0].size >= v[1].size && memcmp(at, v[1].text, v[1].size) == 0);
}

/// The first of the smallest or greatest.
static struct tn_launch__value extreme(struct tn_arena *arena, int kind,
                                       const struct tn_launch__value *v, uint32_t n)
{
    enum tn_launch__operator op = kind == MIN ? TN_LAUNCH__OP_LESS : TN_LAUNCH__OP_GREATER;
    struct tn_launch__value best = v[0];
    for (uint32_t i = 1; i < n; i++) {
        struct tn_launch__value is_better = tn_launch__apply(arena, op, v[i], best);
        if (is_better.kind == TN_LAUNCH__WRONG)
            return is_better;
        if (is_better.boolean)
            best = v[i];
    }
    return best;
}

static struct tn_launch__value size_of(struct tn_arena *arena, const struct tn_launch__value *v)
{
    struct tn_launch__value out = {.kind = TN_LAUNCH__INT};
    if (v->kind != TN_LAUNCH__STRING && v->kind != TN_LAUNCH__LIST)
        return tn_launch__wrong(arena, "len() takes a string or a list");
    // characters, not bytes
    for (size_t i = 0; i < v->size; i++)
        out.integer += v->kind == TN_LAUNCH__LIST || ((unsigned char)v->text[i] & 0xC0u) != 0x80u;
    return out;
}

static struct tn_launch__value round_to(struct tn_arena *arena, const struct tn_launch__value *v,
                                        uint32_t n)
{
    double d = 0;
    if (!to_double(v, &d))
        return tn_launch__wrong(arena, "round() takes a number");
    if (n == 1)
        return v->kind == TN_LAUNCH__FLOAT ? to_integer(arena, d, 2) : convert(arena, INT, v);
    if (v[1].kind != TN_LAUNCH__INT || v[1].integer < 0 || v[1].integer > 15)
        return tn_launch__wrong(arena, "round() takes 0 to 15 digits");
    double scale = pow(10, (double)v[1].integer);
    return v->kind == TN_LAUNCH__FLOAT ? number(nearbyint(d * scale) / scale)
                                       : convert(arena, INT, v);
}

static struct tn_launch__value numeric(struct tn_arena *arena, const struct call *c,
                                       const struct tn_launch__value *v)
{
    double a = 0, b = 0;
    if (!to_double(&v[0], &a) || (c->max == 2 && !to_double(&v[1], &b)))
        return tn_launch__wrong(arena, "%s() takes numbers", c->name);
    if (c->kind == FLOOR || c->kind == CEIL)
        return v->kind == TN_LAUNCH__FLOAT ? to_integer(arena, a, c->kind == FLOOR ? -1 : 1)
                                           : convert(arena, INT, v);
    if (c->kind == ABS && v->kind != TN_LAUNCH__FLOAT)
        return v->integer < 0 ? tn_launch__apply_prefix(arena, TN_LAUNCH__OP_MINUS, *v)
                              : convert(arena, INT, v);
    double result = c->kind == ABS ? fabs(a) : c->max == 2 ? c->of_two(a, b) : c->of_one(a);
    bool is_defined = isfinite(result) || !isfinite(a) || (c->max == 2 && !isfinite(b));
    return is_defined ? number(result)
                      : tn_launch__wrong(arena, "%s() has no value there", c->name);
}

struct tn_launch__value tn_launch__call(struct tn_arena *arena, int function,
                                        const struct tn_launch__value *arguments, uint32_t n)
{
    const struct call *c = &calls[function];
    for (uint32_t i = 0; i < n; i++)
        if (arguments[i].kind == TN_LAUNCH__WRONG)
            return arguments[i];
    if (n < c->min || n > c->max)
        return tn_launch__wrong(arena, "%s() does not take so many arguments", c->name);
    if (c->is_method)
        return method(arena, c->kind, arguments);
    switch (c->kind) {
    case INT:
    case FLOAT:
    case BOOL:
        return convert(arena, c->kind, arguments);
    case STR:
        return to_text(arena, arguments);
    case MIN:
    case MAX:
        return extreme(arena, c->kind, arguments, n);
    case LEN:
        return size_of(arena, arguments);
    case ROUND:
        return round_to(arena, arguments, n);
    default:
        return numeric(arena, c, arguments);
    }
}
