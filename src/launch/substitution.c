// SPDX-License-Identifier: Apache-2.0
// the grammar of substitutions
#include <stdio.h>
#include <string.h>

#include "launch/launch__substitution.h"
#include "launch/launch__table.h"
#include "launch/plan.h"

/// A substitution that is being read.
struct frame {
    struct tn_launch__piece *piece;
    char context;   ///< the quote all of it stands in; NUL: none
    char quote;     ///< the quote its present argument stands in; NUL: none
    bool is_closed; ///< the quoted argument ended: a blank or `)` follows
};

struct reader {
    const char *start, *at;
    struct tn_arena *arena;
    struct tn_launch__template *out;
    struct frame frames[TN_LAUNCH_SUBSTITUTION_DEPTH_MAX];
    uint32_t n_frames;
    char *literal; ///< receives letters; room for the whole text
    size_t n_literal;
    struct tn_error *err;
};

static enum tn_result syntax(struct reader *r, const char *at, const char *what)
{
    return tn_error_set(r->err, TN_ERR_SYNTAX, "%s at letter %u of \"%.120s\"", what,
                        (unsigned)(at - r->start) + 1, r->start);
}

static enum tn_result out_of_memory(struct reader *r)
{
    return tn_error_set(r->err, TN_ERR_NO_MEMORY, "the texts need more than %u bytes",
                        TN_LAUNCH_MEMORY_MAX);
}

static struct frame *top(struct reader *r)
{
    return r->n_frames > 0 ? &r->frames[r->n_frames - 1] : NULL;
}

/// The row that what is read next belongs to.
static struct tn_launch__template *row(struct reader *r)
{
    struct frame *f = top(r);
    return f == NULL ? r->out : &f->piece->arguments[f->piece->n_arguments - 1];
}

static struct tn_launch__piece *add_piece(struct reader *r)
{
    struct tn_launch__piece *piece =
        tn_arena_alloc(r->arena, 1, sizeof *piece, _Alignof(struct tn_launch__piece));
    if (piece == NULL)
        return NULL;
    struct tn_launch__template *t = row(r);
    if (t->last != NULL)
        t->last->next = piece;
    else
        t->first = piece;
    t->last = piece;
    return piece;
}

static enum tn_result end_literal(struct reader *r)
{
    if (r->n_literal == 0)
        return TN_OK;
    struct tn_launch__piece *piece = add_piece(r);
    const char *text = tn_arena_strndup(r->arena, r->literal, r->n_literal);
    if (piece == NULL || text == NULL)
        return out_of_memory(r);
    piece->is_text = true;
    piece->text = text;
    piece->size = r->n_literal;
    r->n_literal = 0;
    return TN_OK;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name_letter(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// The next argument begins behind the present place.
static enum tn_result begin_argument(struct reader *r)
{
    struct frame *f = top(r);
    const struct tn_launch__substitution *known = tn_launch__substitution_at(f->piece->function);
    if (f->piece->n_arguments >= known->max_arguments)
        return tn_error_set(r->err, TN_ERR_INVALID_ARGUMENT,
                            "$(%s) takes at most %u argument%s: quote one that has blanks in it",
                            known->name, known->max_arguments,
                            known->max_arguments == 1 ? "" : "s");
    f->piece->n_arguments++;
    f->quote = '\0';
    f->is_closed = false;
    if (f->context == '\0' && (*r->at == '\'' || *r->at == '"'))
        f->quote = *r->at++;
    return TN_OK;
}

/// Stands behind `$(`.
static enum tn_result begin_substitution(struct reader *r)
{
    const char *name = r->at;
    if (!is_letter(*name))
        return syntax(r, name, "the name of a substitution is missing");
    while (is_name_letter(*r->at))
        r->at++;
    size_t size = (size_t)(r->at - name);
    const struct tn_launch__substitution *known = tn_launch__find_substitution(name, size);
    if (known == NULL)
        return tn_error_set(r->err, TN_ERR_UNSUPPORTED, "unknown substitution $(%.*s)",
                            size > 60 ? 60 : (int)size, name);
    if (known->support == TN_LAUNCH_REJECTED)
        return tn_error_set(r->err, TN_ERR_UNSUPPORTED, "$(%s) is not accepted: %s", known->name,
                            known->note);
    if (r->n_frames == TN_LAUNCH_SUBSTITUTION_DEPTH_MAX)
        return tn_error_set(r->err, TN_ERR_LIMIT, "more than %u substitutions inside each other",
                            TN_LAUNCH_SUBSTITUTION_DEPTH_MAX);
    struct frame *outer = top(r);
    char context = outer == NULL ? '\0' : outer->context != '\0' ? outer->context : outer->quote;
    struct tn_launch__piece *piece = add_piece(r);
    if (piece == NULL)
        return out_of_memory(r);
    piece->text = known->name;
    piece->size = strlen(known->name);
    piece->function = known->function;
    r->frames[r->n_frames++] = (struct frame){.piece = piece, .context = context};
    if (*r->at != ' ')
        return *r->at == ')' ? TN_OK : syntax(r, r->at, "a blank or ) is missing after the name");
    r->at++;
    return begin_argument(r);
}

static enum tn_result end_substitution(struct reader *r)
{
    struct frame *f = top(r);
    const struct tn_launch__substitution *known = tn_launch__substitution_at(f->piece->function);
    uint32_t n = f->piece->n_arguments;
    if (n < known->min_arguments)
        return tn_error_set(r->err, TN_ERR_INVALID_ARGUMENT, "$(%s) needs %u argument%s, has %u",
                            known->name, known->min_arguments, known->min_arguments == 1 ? "" : "s",
                            n);
    r->n_frames--;
    r->at++;
    return TN_OK;
}

static void take(struct reader *r)
{
    r->literal[r->n_literal++] = *r->at++;
}

/// A backslash takes the next letter as it is; one at the end is a letter.
static void take_escaped(struct reader *r, bool blank_ends)
{
    if (r->at[1] != '\0' && !(blank_ends && r->at[1] == ' '))
        r->at++;
    bool is_backslash = *r->at == '\\';
    take(r);
    // launch looks at the letter before only: behind two backslashes these are text as well
    bool is_special = *r->at != '\0' && strchr("$()", *r->at) != NULL;
    if (is_backslash && is_special && r->at[-2] == '\\')
        take(r);
}

/// Whether the present argument has anything.
static bool is_empty(const struct reader *r, const struct frame *f)
{
    return r->n_literal == 0 && f->piece->arguments[f->piece->n_arguments - 1].first == NULL;
}

/// One letter inside a quoted argument.
static enum tn_result read_quoted(struct reader *r, struct frame *f)
{
    enum tn_result result = TN_OK;
    if (*r->at == f->quote) {
        result = end_literal(r);
        f->quote = '\0';
        f->is_closed = true;
        r->at++;
    } else if (*r->at == '\\') {
        take_escaped(r, false);
    } else {
        take(r);
    }
    return result;
}

/// What ends an argument: a blank or `)`.
static enum tn_result end_argument(struct reader *r, struct frame *f)
{
    if (f->piece->n_arguments > 0 && !f->is_closed && is_empty(r, f))
        return syntax(r, r->at, "an argument is missing (one blank separates, '' is nothing)");
    enum tn_result result = f->piece->n_arguments > 0 ? end_literal(r) : TN_OK;
    if (result != TN_OK)
        return result;
    if (*r->at == ')')
        return end_substitution(r);
    r->at++;
    return begin_argument(r);
}

/// One letter of an argument without quotes.
static enum tn_result read_bare(struct reader *r, struct frame *f)
{
    char c = *r->at;
    if (c == ' ' || c == ')')
        return end_argument(r, f);
    if (f->is_closed)
        return syntax(r, r->at, "a quoted argument goes on behind its quote");
    if (c == '(')
        return syntax(r, r->at, "a parenthesis needs quotes around the argument");
    if (c == f->context)
        return syntax(r, r->at, "a quote inside a substitution that stands in such quotes");
    if (f->context == '\0' && (c == '\'' || c == '"'))
        return syntax(r, r->at, "a quote in the middle of an argument");
    if (c == '\\')
        take_escaped(r, true);
    else
        take(r);
    return TN_OK;
}

static enum tn_result read_next(struct reader *r)
{
    struct frame *f = top(r);
    bool is_open = f == NULL || (f->piece->n_arguments > 0 && !f->is_closed);
    if (is_open && r->at[0] == '$' && r->at[1] == '(') {
        enum tn_result result = end_literal(r);
        r->at += 2;
        return result == TN_OK ? begin_substitution(r) : result;
    }
    if (f != NULL)
        return f->quote != '\0' ? read_quoted(r, f) : read_bare(r, f);
    if (*r->at == '\\')
        take_escaped(r, false);
    else
        take(r);
    return TN_OK;
}

enum tn_result tn_launch__parse(const char *text, struct tn_arena *arena,
                                struct tn_launch__template *out, struct tn_error *err)
{
    *out = (struct tn_launch__template){0};
    struct reader r = {.start = text, .at = text, .arena = arena, .out = out, .err = err};
    r.literal = tn_arena_strndup(arena, text, strlen(text));
    if (r.literal == NULL)
        return out_of_memory(&r);
    enum tn_result result = TN_OK;
    while (*r.at != '\0' && result == TN_OK)
        result = read_next(&r);
    if (result != TN_OK)
        return result;
    if (r.n_frames > 0)
        return syntax(&r, r.at, "a substitution is not closed");
    return end_literal(&r);
}

const char *tn_launch__unescape(const char *text, struct tn_arena *arena)
{
    char *out = tn_arena_strndup(arena, text, strlen(text));
    if (out == NULL)
        return NULL;
    size_t n = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\\' && c[1] != '\0')
            c++;
        out[n++] = *c;
    }
    out[n] = '\0';
    return out;
}

/// A row in the form of --show-args; substitutions inside are told with their first argument only.
enum tn_result tn_launch__describe(const struct tn_launch__template *parsed,
                                   struct tn_launch__text *out)
{
    enum tn_result result = TN_OK;
    const char *between = "";
    // a stack of rows: the arguments of a substitution are described inside its parentheses
    const struct tn_launch__piece *rows[TN_LAUNCH_SUBSTITUTION_DEPTH_MAX + 1] = {parsed->first};
    uint32_t depth = 1;
    while (depth > 0 && result == TN_OK) {
        const struct tn_launch__piece *piece = rows[depth - 1];
        if (piece == NULL) {
            depth--;
            result = depth > 0 ? tn_launch__text_add(out, ")") : TN_OK;
            between = " + ";
            continue;
        }
        rows[depth - 1] = piece->next;
        result = tn_launch__text_add(out, between);
        between = " + ";
        if (result == TN_OK && piece->is_text) {
            result = tn_launch__text_add(out, "'");
            result =
                result == TN_OK ? tn_launch__text_append(out, piece->text, piece->size) : result;
            result = result == TN_OK ? tn_launch__text_add(out, "'") : result;
        } else if (result == TN_OK) {
            result =
                tn_launch__text_add(out, tn_launch__substitution_at(piece->function)->describe);
            rows[depth++] = piece->n_arguments > 0 ? piece->arguments[0].first : NULL;
            between = "";
        }
    }
    return result;
}
