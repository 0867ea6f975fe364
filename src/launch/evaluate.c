// SPDX-License-Identifier: Apache-2.0
// what substitutions are replaced by
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "launch/launch__expression.h"
#include "launch/launch__loader.h"
#include "launch/launch__table.h"

/// A row whose pieces are being replaced: the whole text, or an argument of a substitution.
struct frame {
    const struct tn_launch__piece *piece; ///< the substitution; NULL: the whole text
    const struct tn_launch__piece *at;    ///< next piece of the present row
    size_t start;                         ///< of its first argument in the text
    size_t arguments[TN_LAUNCH__ARGUMENTS_MAX];
    uint32_t n_done;
};

/// A substitution with the arguments it needs.
struct call {
    struct tn_launch__loader *loader;
    enum tn_launch__function function;
    const char *arguments[TN_LAUNCH__ARGUMENTS_MAX];
    uint32_t n;
    struct tn_launch__text *out;
};

static enum tn_result missing(struct call *c, const char *callback)
{
    return tn_error_set(c->loader->err, TN_ERR_UNSUPPORTED, "%s is not available here", callback);
}

static enum tn_result give(struct call *c, const char *text)
{
    return tn_launch__text_add(c->out, text);
}

static enum tn_result find_package(struct call *c)
{
    const struct tn_launch_world *world = c->loader->world;
    char prefix[TN_LAUNCH__PATH_MAX];
    if (world->package_prefix == NULL)
        return missing(c, "the search for packages");
    enum tn_result result = world->package_prefix(world->context, c->arguments[0], prefix,
                                                  sizeof prefix, c->loader->err);
    result = result == TN_OK ? give(c, prefix) : result;
    if (result != TN_OK || c->function == TN_LAUNCH__FIND_PKG_PREFIX)
        return result;
    result = give(c, "/share/");
    return result == TN_OK ? give(c, c->arguments[0]) : result;
}

static enum tn_result find_program(struct call *c)
{
    const struct tn_launch_world *world = c->loader->world;
    char path[TN_LAUNCH__PATH_MAX];
    bool is_in_package = c->function == TN_LAUNCH__EXEC_IN_PKG;
    if (is_in_package ? world->package_program == NULL : world->find_program == NULL)
        return missing(c, "the search for programs");
    enum tn_result result =
        is_in_package ? world->package_program(world->context, c->arguments[1], c->arguments[0],
                                               path, sizeof path, c->loader->err)
                      : world->find_program(world->context, c->arguments[0], path, sizeof path,
                                            c->loader->err);
    return result == TN_OK ? give(c, path) : result;
}

/// The environment with all changes, "NAME=value", NULL-terminated.
static const char *const *whole_environment(struct tn_launch__loader *loader)
{
    uint32_t n = 1;
    for (const char *const *e = loader->world->environment; e != NULL && *e != NULL; e++)
        n++;
    for (const struct tn_launch__binding *b = loader->scope.environment; b != NULL; b = b->next)
        n++;
    const char **all = tn_launch__room(loader, n, sizeof *all);
    uint32_t count = 0;
    for (const char *const *e = loader->world->environment; all != NULL && e != NULL && *e != NULL;
         e++) {
        bool is_changed = false;
        for (const struct tn_launch__binding *b = loader->scope.environment; b != NULL;
             b = b->next) {
            size_t size = strlen(b->name);
            is_changed = is_changed || (strncmp(*e, b->name, size) == 0 && (*e)[size] == '=');
        }
        if (!is_changed)
            all[count++] = *e;
    }
    for (const struct tn_launch__binding *b = loader->scope.environment; all != NULL && b != NULL;
         b = b->next) {
        // the newest of a name holds
        const struct tn_launch__binding *newer = loader->scope.environment;
        while (newer != b && strcmp(newer->name, b->name) != 0)
            newer = newer->next;
        size_t size = strlen(b->name) + (b->value != NULL ? strlen(b->value) : 0) + 2;
        char *entry = newer == b && b->value != NULL ? tn_launch__room(loader, size, 1) : NULL;
        if (entry != NULL) {
            (void)snprintf(entry, size, "%s=%s", b->name, b->value);
            all[count++] = entry;
        }
    }
    return all;
}

static enum tn_result judge_command(struct call *c, const char *on_stderr,
                                    const struct tn_launch_command_result *got)
{
    const char *command = c->arguments[0];
    if (got->exit_code != 0)
        return tn_error_set(c->loader->err, TN_ERR_INVALID_ARGUMENT,
                            "the command \"%.80s\" ended with %d: %.100s", command, got->exit_code,
                            got->stderr_text);
    if (got->stderr_text[0] == '\0' || strcmp(on_stderr, "ignore") == 0 ||
        strcmp(on_stderr, "capture") == 0)
        return TN_OK;
    if (strcmp(on_stderr, "warn") == 0) {
        char text[256];
        (void)snprintf(text, sizeof text, "the command \"%.80s\" says %.140s", command,
                       got->stderr_text);
        return tn_launch__tell(c->loader, NULL, TN_LAUNCH_WARNING, text);
    }
    return tn_error_set(c->loader->err, TN_ERR_INVALID_ARGUMENT,
                        "the command \"%.80s\" writes to stderr, which is a failure without "
                        "'warn' or 'ignore' behind it: %.80s",
                        command, got->stderr_text);
}

static enum tn_result run_command(struct call *c)
{
    const struct tn_launch_world *world = c->loader->world;
    const char *on_stderr = c->n > 1 ? c->arguments[1] : "fail";
    if (strcmp(on_stderr, "fail") != 0 && strcmp(on_stderr, "ignore") != 0 &&
        strcmp(on_stderr, "warn") != 0 && strcmp(on_stderr, "capture") != 0)
        return tn_error_set(c->loader->err, TN_ERR_INVALID_ARGUMENT,
                            "$(command) takes fail, ignore, warn or capture, not \"%.60s\"",
                            on_stderr);
    struct tn_launch__words words;
    enum tn_result result =
        tn_launch__split(c->arguments[0], c->loader->arena, &words, c->loader->err);
    if (result != TN_OK)
        return result;
    if (words.n == 0)
        return tn_error_set(c->loader->err, TN_ERR_INVALID_ARGUMENT,
                            "$(command) without a command");
    if (world->run_command == NULL)
        return missing(c, "running commands");
    const char *const *environment = whole_environment(c->loader);
    if (environment == NULL)
        return TN_ERR_NO_MEMORY;
    struct tn_launch_command_result got = {0};
    result = world->run_command(world->context, words.items, environment,
                                strcmp(on_stderr, "capture") == 0, &got, c->loader->err);
    if (result == TN_OK)
        result = judge_command(c, on_stderr, &got);
    if (result == TN_OK && got.stdout_text != NULL) {
        if (strlen(got.stdout_text) != got.stdout_size)
            result = tn_error_set(c->loader->err, TN_ERR_MALFORMED,
                                  "the command \"%.80s\" writes a NUL", c->arguments[0]);
        else
            result = tn_launch__text_append(c->out, got.stdout_text, got.stdout_size);
    }
    free(got.stdout_text);
    return result;
}

static enum tn_result evaluate_expression(struct call *c)
{
    if (c->n > 1 && strcmp(c->arguments[1], "math") != 0 && c->arguments[1][0] != '\0')
        return tn_error_set(c->loader->err, TN_ERR_UNSUPPORTED,
                            "$(eval) knows the module math only, not \"%.60s\"", c->arguments[1]);
    size_t mark = tn_arena_mark(c->loader->arena);
    enum tn_result result =
        tn_launch__evaluate_expression(c->arguments[0], c->loader->arena, c->out, c->loader->err);
    tn_arena_release(c->loader->arena, mark);
    return result;
}

static enum tn_result make_anonymous(struct call *c)
{
    struct tn_launch__loader *loader = c->loader;
    char key[300], value[512];
    if (strlen(c->arguments[0]) > 200)
        return tn_error_set(loader->err, TN_ERR_LIMIT, "$(anon) takes at most 200 letters");
    (void)snprintf(key, sizeof key, "anon%s", c->arguments[0]);
    const char *known = tn_launch__variable(loader, key);
    if (known != NULL)
        return give(c, known);
    const char *unique = loader->world->anonymous;
    (void)snprintf(value, sizeof value, "%s_%.200s_%u", c->arguments[0],
                   unique != NULL ? unique : "0", ++loader->n_anonymous);
    for (char *letter = value; *letter != '\0'; letter++)
        if (*letter == '.' || *letter == '-' || *letter == ':')
            *letter = '_';
    const char *name = tn_launch__keep(loader, key), *kept = tn_launch__keep(loader, value);
    if (name == NULL || kept == NULL)
        return TN_ERR_NO_MEMORY;
    enum tn_result result = tn_launch__set(loader, &loader->scope.variables, name, kept);
    return result == TN_OK ? give(c, kept) : result;
}

static enum tn_result combine_booleans(struct call *c)
{
    bool a = false, b = false;
    enum tn_result result =
        tn_launch__read_bool(c->arguments[0], c->loader->arena, &a, c->loader->err);
    if (result == TN_OK && c->n > 1)
        result = tn_launch__read_bool(c->arguments[1], c->loader->arena, &b, c->loader->err);
    bool is_true = c->function == TN_LAUNCH__NOT   ? !a
                   : c->function == TN_LAUNCH__AND ? a && b
                                                   : a || b;
    return result == TN_OK ? give(c, is_true ? "true" : "false") : result;
}

/// 1, 0, or -1: no boolean.
static int boolean_word(const char *text)
{
    if (strcasecmp(text, "true") == 0 || strcmp(text, "1") == 0)
        return 1;
    return strcasecmp(text, "false") == 0 || strcmp(text, "0") == 0 ? 0 : -1;
}

static bool to_number(struct call *c, const char *text, double *out)
{
    struct tn_launch__scalar s;
    size_t mark = tn_arena_mark(c->loader->arena);
    bool is_number =
        tn_launch__read_as(text, TN_LAUNCH__TYPE_FLOAT, c->loader->arena, &s, NULL) == TN_OK;
    *out = is_number ? s.number : 0;
    tn_arena_release(c->loader->arena, mark);
    return is_number;
}

static enum tn_result compare(struct call *c)
{
    const char *a = c->arguments[0], *b = c->arguments[1];
    int first = boolean_word(a), second = boolean_word(b);
    double x = 0, y = 0;
    bool are_equal = strcmp(a, b) == 0;
    if (first >= 0 && second >= 0) {
        are_equal = first == second;
    } else if (to_number(c, a, &x) && to_number(c, b, &y)) {
        // as math.isclose()
        double larger = fmax(fabs(x), fabs(y));
        are_equal = isinf(x) || isinf(y) ? x <= y && x >= y : fabs(x - y) <= 1e-9 * larger;
    }
    return give(c, are_equal == (c->function == TN_LAUNCH__EQUALS) ? "true" : "false");
}

static enum tn_result read_content(struct call *c)
{
    struct tn_launch__text content = {0};
    const char *path = tn_launch__absolute(c->loader, c->arguments[0]);
    if (path == NULL)
        return TN_ERR_NO_MEMORY;
    enum tn_result result = tn_launch__read_file(path, &content, c->loader->err);
    if (result == TN_OK && content.size > 0)
        result = tn_launch__text_append(c->out, content.data, content.size);
    tn_launch__text_fini(&content);
    return result;
}

/// The parameter that was set first, as launch_ros finds it.
static const struct tn_launch__global *find_param(struct tn_launch__loader *loader,
                                                  const char *name)
{
    const struct tn_launch__global *found = NULL;
    for (const struct tn_launch__global *g = loader->scope.globals; g != NULL; g = g->next)
        if (g->path == NULL && strcmp(g->param.name, name) == 0)
            found = g;
    return found;
}

static enum tn_result give_variable(struct call *c)
{
    const char *name = c->arguments[0];
    const char *value = tn_launch__variable(c->loader, name);
    if (value == NULL && c->n > 1)
        value = c->arguments[1];
    if (value == NULL)
        return tn_error_set(c->loader->err, TN_ERR_NOT_FOUND, "no variable or argument \"%.100s\"",
                            name);
    return give(c, value);
}

static enum tn_result give_environment(struct call *c)
{
    const char *value = tn_launch__environment(c->loader, c->arguments[0]);
    if (value == NULL && c->n > 1)
        value = c->arguments[1];
    if (value == NULL)
        return tn_error_set(c->loader->err, TN_ERR_NOT_FOUND,
                            "the environment variable \"%.60s\" is not set; $(env NAME 'default') "
                            "would do without it",
                            c->arguments[0]);
    return give(c, value);
}

static enum tn_result give_param(struct call *c)
{
    const struct tn_launch__global *found = find_param(c->loader, c->arguments[0]);
    const char *value = found != NULL ? tn_launch__data_text(c->loader, &found->param.data)
                        : c->n > 1    ? c->arguments[1]
                                      : NULL;
    if (value == NULL)
        return tn_error_set(c->loader->err, TN_ERR_NOT_FOUND, "no parameter \"%.100s\" was set",
                            c->arguments[0]);
    return give(c, value);
}

static enum tn_result give_place(struct call *c)
{
    const struct tn_launch__source *source = c->loader->source;
    const char *text = c->function == TN_LAUNCH__LOG_DIR   ? c->loader->world->log_dir
                       : source == NULL                    ? NULL
                       : c->function == TN_LAUNCH__DIRNAME ? source->folder
                                                           : source->path;
    return text != NULL ? give(c, text) : missing(c, "that path");
}

static enum tn_result perform(struct call *c)
{
    switch (c->function) {
    case TN_LAUNCH__VAR:
        return give_variable(c);
    case TN_LAUNCH__ENV:
        return give_environment(c);
    case TN_LAUNCH__FIND_PKG_SHARE:
    case TN_LAUNCH__FIND_PKG_PREFIX:
        return find_package(c);
    case TN_LAUNCH__EXEC_IN_PKG:
    case TN_LAUNCH__FIND_EXEC:
        return find_program(c);
    case TN_LAUNCH__DIRNAME:
    case TN_LAUNCH__FILENAME:
    case TN_LAUNCH__LOG_DIR:
        return give_place(c);
    case TN_LAUNCH__COMMAND:
        return run_command(c);
    case TN_LAUNCH__EVAL:
        return evaluate_expression(c);
    case TN_LAUNCH__ANON:
        return make_anonymous(c);
    case TN_LAUNCH__NOT:
    case TN_LAUNCH__AND:
    case TN_LAUNCH__OR:
        return combine_booleans(c);
    case TN_LAUNCH__EQUALS:
    case TN_LAUNCH__NOT_EQUALS:
        return compare(c);
    case TN_LAUNCH__IF:
        return give(c, c->n > 1 ? c->arguments[1] : "");
    case TN_LAUNCH__FILE_CONTENT:
        return read_content(c);
    case TN_LAUNCH__PARAM:
        return give_param(c);
    case TN_LAUNCH__N_FUNCTIONS:
        break;
    }
    return TN_ERR_INTERNAL;
}

/// Which argument is needed next; the number of arguments: none. Defaults and branches that are not
/// taken are never looked at.
static enum tn_result next_argument(struct tn_launch__loader *loader, const struct frame *f,
                                    const char *first, uint32_t *out)
{
    uint32_t n = f->piece->n_arguments;
    *out = f->n_done;
    bool is_taken = false;
    if (f->n_done == 1 && f->piece->function == TN_LAUNCH__VAR)
        is_taken = tn_launch__variable(loader, first) != NULL;
    else if (f->n_done == 1 && f->piece->function == TN_LAUNCH__PARAM)
        is_taken = find_param(loader, first) != NULL;
    else if (f->n_done == 2 && f->piece->function == TN_LAUNCH__IF)
        is_taken = true;
    else if (f->n_done == 1 && f->piece->function == TN_LAUNCH__IF) {
        bool is_true = false;
        enum tn_result result = tn_launch__read_bool(first, loader->arena, &is_true, loader->err);
        *out = is_true ? 1 : 2;
        return result;
    }
    if (is_taken)
        *out = n;
    return TN_OK;
}

/// All arguments of the topmost substitution are there: its value takes their place.
static enum tn_result finish(struct tn_launch__loader *loader, struct frame *f,
                             struct tn_launch__text *out)
{
    struct tn_launch__text value = {0};
    struct call c = {
        .loader = loader, .function = f->piece->function, .n = f->n_done, .out = &value};
    for (uint32_t i = 0; i < f->n_done; i++)
        c.arguments[i] = out->data + f->arguments[i];
    enum tn_result result = perform(&c);
    if (result == TN_OK) {
        tn_launch__text_cut(out, f->start);
        result = tn_launch__text_append(out, value.data, value.size);
    }
    tn_launch__text_fini(&value);
    return result;
}

/// The row of the topmost frame is done: the next argument, or the value. `*n_frames` is 0 at last.
static enum tn_result end_row(struct tn_launch__loader *loader, struct frame *frames,
                              uint32_t *n_frames, struct tn_launch__text *out)
{
    struct frame *f = &frames[*n_frames - 1];
    if (f->piece == NULL) {
        (*n_frames)--;
        return TN_OK;
    }
    uint32_t next = 0;
    enum tn_result result = TN_OK;
    if (f->n_done > 0 || f->piece->n_arguments > 0)
        result = tn_launch__text_append(out, "", 1);
    f->n_done += f->piece->n_arguments > 0;
    if (result == TN_OK)
        result = next_argument(loader, f, out->data + f->start, &next);
    if (result != TN_OK)
        return result;
    if (next < f->piece->n_arguments && f->n_done < TN_LAUNCH__ARGUMENTS_MAX) {
        f->arguments[f->n_done] = out->size;
        f->at = f->piece->arguments[next].first;
        return TN_OK;
    }
    result = finish(loader, f, out);
    (*n_frames)--;
    return result;
}

enum tn_result tn_launch__evaluate(struct tn_launch__loader *loader,
                                   const struct tn_launch__template *parsed,
                                   struct tn_launch__text *out)
{
    struct frame frames[TN_LAUNCH_SUBSTITUTION_DEPTH_MAX + 1] = {{.at = parsed->first}};
    uint32_t n_frames = 1;
    enum tn_result result = tn_launch__text_append(out, "", 0);
    while (n_frames > 0 && result == TN_OK) {
        struct frame *f = &frames[n_frames - 1];
        const struct tn_launch__piece *piece = f->at;
        if (piece == NULL) {
            result = end_row(loader, frames, &n_frames, out);
        } else {
            f->at = piece->next;
            if (piece->is_text)
                result = tn_launch__text_append(out, piece->text, piece->size);
            else
                frames[n_frames++] =
                    (struct frame){.piece = piece,
                                   .start = out->size,
                                   .arguments = {out->size},
                                   .at = piece->n_arguments > 0 ? piece->arguments[0].first : NULL};
        }
    }
    if (result == TN_ERR_LIMIT && loader->err->code == TN_OK)
        return tn_error_set(loader->err, result, "a text of more than %u bytes",
                            TN_LAUNCH_TEXT_MAX);
    return result;
}

enum tn_result tn_launch__replace(struct tn_launch__loader *loader, const char *text,
                                  const char **out_text)
{
    struct tn_launch__template parsed;
    struct tn_launch__text replaced = {0};
    enum tn_result result = tn_launch__parse(text, loader->arena, &parsed, loader->err);
    if (result == TN_OK)
        result = tn_launch__evaluate(loader, &parsed, &replaced);
    if (result == TN_OK) {
        *out_text = tn_launch__keep(loader, replaced.data);
        result = *out_text != NULL ? TN_OK : TN_ERR_NO_MEMORY;
    }
    tn_launch__text_fini(&replaced);
    return result;
}
