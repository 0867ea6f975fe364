// SPDX-License-Identifier: Apache-2.0
// expressions are read once from left to right: operators wait on a stack until a weaker one comes
#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "launch/launch__expression.h"

struct waiting {
    enum tn_launch__operator op;
    uint32_t n_values; ///< of a bracket: values that were there before it
    uint32_t n_commas; ///< of a bracket: read in it so far
    uint32_t n_below;  ///< of a call: 1 for a method, whose object stands in front of the bracket
    int function;      ///< of a call
};

struct reader {
    const char *start, *at;
    struct tn_arena *arena;
    struct tn_error *err;
    struct waiting operators[TN_LAUNCH__EXPRESSION_DEPTH_MAX];
    struct tn_launch__value values[TN_LAUNCH__EXPRESSION_DEPTH_MAX];
    uint32_t n_operators, n_values;
    bool has_operand; ///< an operand was read: an operator follows
};

/// How strongly an operator binds; brackets bind nothing.
static int strength(enum tn_launch__operator op)
{
    static const int strengths[] = {
        [TN_LAUNCH__OP_ELSE] = 1,         [TN_LAUNCH__OP_OR] = 2,     [TN_LAUNCH__OP_AND] = 3,
        [TN_LAUNCH__OP_NOT] = 4,          [TN_LAUNCH__OP_ADD] = 6,    [TN_LAUNCH__OP_SUBTRACT] = 6,
        [TN_LAUNCH__OP_MULTIPLY] = 7,     [TN_LAUNCH__OP_DIVIDE] = 7, [TN_LAUNCH__OP_MODULO] = 7,
        [TN_LAUNCH__OP_FLOOR_DIVIDE] = 7, [TN_LAUNCH__OP_PLUS] = 8,   [TN_LAUNCH__OP_MINUS] = 8,
        [TN_LAUNCH__OP_POWER] = 9,
    };
    return op >= TN_LAUNCH__OP_LESS && op <= TN_LAUNCH__OP_IS_NOT ? 5 : strengths[op];
}

static bool is_bracket(enum tn_launch__operator op)
{
    return op >= TN_LAUNCH__OP_PAREN && op <= TN_LAUNCH__OP_IF;
}

static bool is_prefix(enum tn_launch__operator op)
{
    return op == TN_LAUNCH__OP_NOT || op == TN_LAUNCH__OP_PLUS || op == TN_LAUNCH__OP_MINUS;
}

static enum tn_result syntax(struct reader *r, const char *at, const char *what)
{
    return tn_error_set(r->err, TN_ERR_SYNTAX, "%s at letter %u of the expression \"%.100s\"", what,
                        (unsigned)(at - r->start) + 1, r->start);
}

static enum tn_result push_operator(struct reader *r, struct waiting w)
{
    if (r->n_operators == TN_LAUNCH__EXPRESSION_DEPTH_MAX)
        return tn_error_set(r->err, TN_ERR_LIMIT, "the expression is nested too deeply");
    w.n_values = r->n_values;
    r->operators[r->n_operators++] = w;
    return TN_OK;
}

static enum tn_result push_value(struct reader *r, struct tn_launch__value v)
{
    if (r->n_values == TN_LAUNCH__EXPRESSION_DEPTH_MAX)
        return tn_error_set(r->err, TN_ERR_LIMIT, "the expression has too many values");
    r->values[r->n_values++] = v;
    r->has_operand = true;
    return TN_OK;
}

static struct tn_launch__value pop(struct reader *r)
{
    return r->values[--r->n_values];
}

/// Does what the topmost operator says. Its operands are there: operators follow operands only.
static void reduce(struct reader *r)
{
    enum tn_launch__operator op = r->operators[--r->n_operators].op;
    struct tn_launch__value b = pop(r);
    if (is_prefix(op)) {
        r->values[r->n_values++] = tn_launch__apply_prefix(r->arena, op, b);
    } else if (op == TN_LAUNCH__OP_ELSE) {
        struct tn_launch__value condition = pop(r), a = pop(r);
        r->values[r->n_values++] = condition.kind == TN_LAUNCH__WRONG ? condition
                                   : tn_launch__is_true(&condition)   ? a
                                                                      : b;
    } else {
        struct tn_launch__value a = pop(r);
        r->values[r->n_values++] = tn_launch__apply(r->arena, op, a, b);
    }
}

/// Reduces what binds at least as strongly, down to the next bracket.
static void reduce_down_to(struct reader *r, int lowest)
{
    while (r->n_operators > 0) {
        enum tn_launch__operator op = r->operators[r->n_operators - 1].op;
        if (is_bracket(op) || strength(op) < lowest)
            return;
        reduce(r);
    }
}

static struct waiting *innermost(struct reader *r)
{
    return r->n_operators > 0 ? &r->operators[r->n_operators - 1] : NULL;
}

/// Items of a list or tuple leave the stack and become one value.
static enum tn_result make_list(struct reader *r, const struct waiting *bracket, bool is_tuple)
{
    uint32_t n = r->n_values - bracket->n_values;
    struct tn_launch__value *items =
        tn_arena_alloc(r->arena, n, sizeof *items, _Alignof(struct tn_launch__value));
    if (items == NULL)
        return tn_error_set(r->err, TN_ERR_NO_MEMORY, "the expression needs too much memory");
    struct tn_launch__value list = {
        .kind = TN_LAUNCH__LIST, .is_tuple = is_tuple, .size = n, .items = items};
    for (uint32_t i = 0; i < n; i++) {
        items[i] = r->values[bracket->n_values + i];
        if (items[i].kind == TN_LAUNCH__LIST)
            return tn_error_set(r->err, TN_ERR_UNSUPPORTED, "lists inside lists are not accepted");
        if (items[i].kind == TN_LAUNCH__WRONG)
            list = items[i];
    }
    r->n_values = bracket->n_values;
    return push_value(r, list);
}

/// Whether what is open can end here: behind an operand, or behind a comma or nothing in brackets.
static bool can_end(const struct reader *r)
{
    if (r->has_operand)
        return true;
    if (r->n_operators == 0)
        return false;
    const struct waiting *top = &r->operators[r->n_operators - 1];
    bool is_list = is_bracket(top->op) && top->op != TN_LAUNCH__OP_IF;
    return is_list && r->n_values - top->n_values - top->n_below == top->n_commas;
}

static enum tn_result end_call(struct reader *r, const struct waiting *bracket)
{
    struct tn_launch__value result =
        tn_launch__call(r->arena, bracket->function, &r->values[bracket->n_values],
                        r->n_values - bracket->n_values);
    r->n_values = bracket->n_values;
    return push_value(r, result);
}

/// At `)` or `]`.
static enum tn_result close_bracket(struct reader *r, char c)
{
    if (!can_end(r))
        return syntax(r, r->at, "an operand is missing");
    reduce_down_to(r, 0);
    struct waiting *top = innermost(r);
    if (top != NULL && top->op == TN_LAUNCH__OP_IF)
        return syntax(r, r->at, "an else is missing");
    if (top == NULL || (c == ']') != (top->op == TN_LAUNCH__OP_BRACKET))
        return syntax(r, r->at, "a bracket that closes nothing");
    struct waiting bracket = *top;
    uint32_t n = r->n_values - bracket.n_values;
    r->n_operators--;
    r->at++;
    if (n > 0)
        r->values[r->n_values - 1].is_comparison = false;
    if (bracket.op == TN_LAUNCH__OP_CALL)
        return end_call(r, &bracket);
    if (bracket.op == TN_LAUNCH__OP_PAREN && n == 1 && bracket.n_commas == 0)
        return TN_OK;
    return make_list(r, &bracket, bracket.op == TN_LAUNCH__OP_PAREN);
}

static enum tn_result read_comma(struct reader *r)
{
    reduce_down_to(r, 0);
    struct waiting *top = innermost(r);
    if (top == NULL || top->op == TN_LAUNCH__OP_IF)
        return syntax(r, r->at, "a comma outside of brackets");
    r->values[r->n_values - 1].is_comparison = false;
    top->n_commas++;
    r->at++;
    r->has_operand = false;
    return TN_OK;
}

static enum tn_result read_if(struct reader *r)
{
    reduce_down_to(r, strength(TN_LAUNCH__OP_OR));
    struct waiting *top = innermost(r);
    if (top != NULL && top->op == TN_LAUNCH__OP_IF)
        return syntax(r, r->at, "an else is missing");
    r->at += 2;
    r->has_operand = false;
    return push_operator(r, (struct waiting){.op = TN_LAUNCH__OP_IF});
}

static enum tn_result read_else(struct reader *r)
{
    reduce_down_to(r, 0);
    struct waiting *top = innermost(r);
    if (top == NULL || top->op != TN_LAUNCH__OP_IF)
        return syntax(r, r->at, "an else without its if");
    top->op = TN_LAUNCH__OP_ELSE;
    r->at += 4;
    r->has_operand = false;
    return TN_OK;
}

static bool is_word_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           ((unsigned char)c & 0x80u) != 0;
}

static size_t word_size(const char *at)
{
    size_t n = 0;
    while (is_word_letter(at[n]))
        n++;
    return n;
}

static bool is_word(const char *at, const char *word)
{
    size_t n = strlen(word);
    return word_size(at) == n && memcmp(at, word, n) == 0;
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

// ---- operands ----

static enum tn_result read_number(struct reader *r)
{
    const char *start = r->at;
    bool is_hex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
    bool is_float = false;
    for (; is_word_letter(*r->at) || *r->at == '.'; r->at++) {
        bool is_exponent = !is_hex && (*r->at == 'e' || *r->at == 'E');
        is_float = is_float || is_exponent || *r->at == '.';
        if (is_exponent && (r->at[1] == '-' || r->at[1] == '+'))
            r->at++;
    }
    size_t size = (size_t)(r->at - start);
    struct tn_launch__value v = {.kind = is_float ? TN_LAUNCH__FLOAT : TN_LAUNCH__INT};
    enum tn_result result = is_float ? tn_parse_f64(start, size, -HUGE_VAL, HUGE_VAL, &v.number)
                                     : tn_parse_i64(start, size, INT64_MIN, INT64_MAX, &v.integer);
    if (result == TN_ERR_RANGE)
        v = tn_launch__wrong(r->arena, "a number is too large");
    else if (result != TN_OK)
        return syntax(r, start, "no number");
    return push_value(r, v);
}

static enum tn_result read_string(struct reader *r)
{
    const char *start = r->at;
    char quote = *r->at++;
    char *text = tn_arena_strndup(r->arena, r->at, strlen(r->at));
    if (text == NULL)
        return tn_error_set(r->err, TN_ERR_NO_MEMORY, "the expression needs too much memory");
    size_t n = 0;
    for (; *r->at != quote; r->at++) {
        if (*r->at == '\0' || *r->at == '\n')
            return syntax(r, start, "a string without its end");
        const char *known =
            r->at[0] == '\\' && r->at[1] != '\0' ? strchr("\\'\"nt", r->at[1]) : NULL;
        if (known != NULL)
            r->at++;
        text[n++] = known == NULL ? *r->at : *known == 'n' ? '\n' : *known == 't' ? '\t' : *known;
    }
    r->at++;
    return push_value(
        r, (struct tn_launch__value){.kind = TN_LAUNCH__STRING, .text = text, .size = n});
}

static bool find_constant(const char *name, size_t size, struct tn_launch__value *out)
{
    static const struct {
        const char *name;
        struct tn_launch__value value;
    } constants[] = {
        {"True", {.kind = TN_LAUNCH__BOOL, .boolean = true, .integer = 1}},
        {"False", {.kind = TN_LAUNCH__BOOL}},
        {"None", {.kind = TN_LAUNCH__NONE}},
        {"pi", {.kind = TN_LAUNCH__FLOAT, .number = 3.14159265358979323846}},
        {"e", {.kind = TN_LAUNCH__FLOAT, .number = 2.71828182845904523536}},
        {"tau", {.kind = TN_LAUNCH__FLOAT, .number = 6.28318530717958647692}},
        {"inf", {.kind = TN_LAUNCH__FLOAT, .number = HUGE_VAL}},
        {"nan", {.kind = TN_LAUNCH__FLOAT, .number = (double)NAN}},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(constants); i++) {
        if (strlen(constants[i].name) == size && memcmp(constants[i].name, name, size) == 0) {
            *out = constants[i].value;
            return true;
        }
    }
    return false;
}

static bool is_binary_word(const char *at)
{
    static const char *const words[] = {"if", "else", "and", "or", "in", "is"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(words); i++)
        if (is_word(at, words[i]))
            return true;
    return false;
}

static enum tn_result read_name(struct reader *r)
{
    const char *name = r->at;
    if (is_binary_word(name))
        return syntax(r, name, "an operand is missing");
    if (is_word(name, "not")) {
        struct waiting *top = innermost(r);
        if (top != NULL && !is_bracket(top->op) && strength(top->op) > strength(TN_LAUNCH__OP_NOT))
            return syntax(r, name, "not behind an operator needs parentheses");
        r->at += 3;
        return push_operator(r, (struct waiting){.op = TN_LAUNCH__OP_NOT});
    }
    if (strncmp(name, "math.", 5) == 0)
        name += 5;
    size_t size = word_size(name);
    const char *behind = skip_blanks(name + size);
    int function = *behind == '(' ? tn_launch__find_call(name, size, false) : -1;
    struct tn_launch__value constant;
    if (function >= 0) {
        r->at = behind + 1;
        return push_operator(r, (struct waiting){.op = TN_LAUNCH__OP_CALL, .function = function});
    }
    if (*behind != '(' && find_constant(name, size, &constant)) {
        r->at = name + size;
        return push_value(r, constant);
    }
    return tn_error_set(r->err, TN_ERR_UNSUPPORTED,
                        "`%.*s` is not known in expressions; a string needs quotes",
                        size > 60 ? 60 : (int)size, name);
}

static enum tn_result read_operand(struct reader *r)
{
    char c = *r->at;
    if ((c >= '0' && c <= '9') || (c == '.' && r->at[1] >= '0' && r->at[1] <= '9'))
        return read_number(r);
    if (c == '\'' || c == '"')
        return read_string(r);
    if (is_word_letter(c))
        return read_name(r);
    if (c == ')' || c == ']')
        return close_bracket(r, c);
    struct waiting w = {.op = c == '('   ? TN_LAUNCH__OP_PAREN
                              : c == '[' ? TN_LAUNCH__OP_BRACKET
                              : c == '-' ? TN_LAUNCH__OP_MINUS
                              : c == '+' ? TN_LAUNCH__OP_PLUS
                                         : TN_LAUNCH__OP_NONE};
    if (w.op == TN_LAUNCH__OP_NONE)
        return syntax(r, r->at, "an operand is missing");
    r->at++;
    return push_operator(r, w);
}

// ---- operators ----

static const struct {
    const char *text;
    enum tn_launch__operator op;
} signs[] = {
    // longer ones first
    {"**", TN_LAUNCH__OP_POWER},      {"//", TN_LAUNCH__OP_FLOOR_DIVIDE},
    {"<=", TN_LAUNCH__OP_LESS_EQUAL}, {">=", TN_LAUNCH__OP_GREATER_EQUAL},
    {"==", TN_LAUNCH__OP_EQUAL},      {"!=", TN_LAUNCH__OP_NOT_EQUAL},
    {"<<", TN_LAUNCH__OP_NONE},       {">>", TN_LAUNCH__OP_NONE},
    {"<", TN_LAUNCH__OP_LESS},        {">", TN_LAUNCH__OP_GREATER},
    {"+", TN_LAUNCH__OP_ADD},         {"-", TN_LAUNCH__OP_SUBTRACT},
    {"*", TN_LAUNCH__OP_MULTIPLY},    {"/", TN_LAUNCH__OP_DIVIDE},
    {"%", TN_LAUNCH__OP_MODULO},
};

/// Finds the operator at the present place and steps behind it.
static enum tn_launch__operator read_sign(struct reader *r)
{
    for (size_t i = 0; i < TN_ARRAY_SIZE(signs); i++) {
        size_t n = strlen(signs[i].text);
        if (strncmp(r->at, signs[i].text, n) == 0) {
            r->at += signs[i].op == TN_LAUNCH__OP_NONE ? 0 : n;
            return signs[i].op;
        }
    }
    return TN_LAUNCH__OP_NONE;
}

/// The same for operators that are words; `not in` and `is not` are two.
static enum tn_launch__operator read_word(struct reader *r)
{
    const char *second = skip_blanks(r->at + word_size(r->at));
    enum tn_launch__operator op = TN_LAUNCH__OP_NONE;
    const char *end = r->at + word_size(r->at);
    if (is_word(r->at, "and")) {
        op = TN_LAUNCH__OP_AND;
    } else if (is_word(r->at, "or")) {
        op = TN_LAUNCH__OP_OR;
    } else if (is_word(r->at, "in")) {
        op = TN_LAUNCH__OP_IN;
    } else if (is_word(r->at, "is")) {
        bool has_not = is_word(second, "not");
        op = has_not ? TN_LAUNCH__OP_IS_NOT : TN_LAUNCH__OP_IS;
        end = has_not ? second + 3 : end;
    } else if (is_word(r->at, "not") && is_word(second, "in")) {
        op = TN_LAUNCH__OP_NOT_IN;
        end = second + 2;
    }
    if (op != TN_LAUNCH__OP_NONE)
        r->at = end;
    return op;
}

/// `.name(` behind a value.
static enum tn_result read_method(struct reader *r)
{
    const char *name = r->at + 1;
    size_t size = word_size(name);
    const char *behind = skip_blanks(name + size);
    int function = *behind == '(' ? tn_launch__find_call(name, size, true) : -1;
    if (function < 0)
        return tn_error_set(r->err, TN_ERR_UNSUPPORTED, "`.%.*s` is not known in expressions",
                            size > 60 ? 60 : (int)size, name);
    r->at = behind + 1;
    r->has_operand = false;
    enum tn_result result = push_operator(
        r, (struct waiting){.op = TN_LAUNCH__OP_CALL, .function = function, .n_below = 1});
    if (result == TN_OK)
        r->operators[r->n_operators - 1].n_values--;
    return result;
}

static enum tn_result read_operator(struct reader *r)
{
    char c = *r->at;
    if (c == ')' || c == ']')
        return close_bracket(r, c);
    if (c == ',')
        return read_comma(r);
    if (c == '.')
        return read_method(r);
    if (is_word(r->at, "if"))
        return read_if(r);
    if (is_word(r->at, "else"))
        return read_else(r);
    const char *start = r->at;
    enum tn_launch__operator op = is_word_letter(c) ? read_word(r) : read_sign(r);
    if (op == TN_LAUNCH__OP_NONE) {
        bool is_known = strchr("[(<>&|^@~", c) != NULL;
        return is_known ? tn_error_set(r->err, TN_ERR_UNSUPPORTED,
                                       "the operator %c is not accepted in expressions", c)
                        : syntax(r, start, "an operator is missing");
    }
    // powers bind to the right
    reduce_down_to(r, strength(op) + (op == TN_LAUNCH__OP_POWER));
    r->has_operand = false;
    return push_operator(r, (struct waiting){.op = op});
}

static enum tn_result finish(struct reader *r, struct tn_launch__text *out)
{
    if (!r->has_operand)
        return syntax(r, r->at,
                      r->at == r->start ? "nothing to evaluate" : "an operand is missing");
    reduce_down_to(r, 0);
    if (r->n_operators > 0)
        return syntax(r, r->at,
                      innermost(r)->op == TN_LAUNCH__OP_IF ? "an else is missing"
                                                           : "a bracket is not closed");
    const struct tn_launch__value *result = &r->values[0];
    if (result->kind == TN_LAUNCH__WRONG)
        return tn_error_set(r->err, TN_ERR_INVALID_ARGUMENT, "%s in \"%.100s\"", result->text,
                            r->start);
    return tn_launch__append_value(out, result);
}

enum tn_result tn_launch__evaluate_expression(const char *text, struct tn_arena *arena,
                                              struct tn_launch__text *out, struct tn_error *err)
{
    struct reader r = {.start = text, .at = skip_blanks(text), .arena = arena, .err = err};
    enum tn_result result = TN_OK;
    while (result == TN_OK && *r.at != '\0') {
        result = r.has_operand ? read_operator(&r) : read_operand(&r);
        r.at = skip_blanks(r.at);
    }
    return result == TN_OK ? finish(&r, out) : result;
}
