// SPDX-License-Identifier: Apache-2.0
// node and executable: the command line that launch and launch_ros give a process
#include <limits.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/parse.h"
#include "launch/launch__loader.h"

/// Words of a command line that grows.
struct words {
    const char **items;
    uint32_t n, capacity;
};

/// A process being put together.
struct building {
    struct tn_launch__loader *loader;
    const struct tn_xml_node *node;
    struct tn_launch_process *process;
    struct words arguments;
    struct tn_launch_file *files;
    uint32_t n_files, files_capacity;
    const char *full_name; ///< of the node, with its namespace; NULL: one of them is not given
};

static enum tn_result add_word(struct building *b, struct words *w, const char *word)
{
    if (w->n + 1 >= w->capacity) {
        uint32_t capacity = w->capacity == 0 ? 16 : w->capacity * 2;
        const char **grown = tn_launch__room(b->loader, capacity, sizeof *grown);
        if (grown == NULL)
            return TN_ERR_NO_MEMORY;
        if (w->n > 0)
            memcpy(grown, w->items, w->n * sizeof *grown);
        w->items = grown;
        w->capacity = capacity;
    }
    w->items[w->n++] = word;
    return TN_OK;
}

static enum tn_result add_option(struct building *b, const char *option, const char *name,
                                 const char *between, const char *value)
{
    size_t size = strlen(name) + strlen(between) + strlen(value) + 1;
    char *text = tn_launch__room(b->loader, size, 1);
    if (text == NULL)
        return TN_ERR_NO_MEMORY;
    (void)snprintf(text, size, "%s%s%s", name, between, value);
    enum tn_result result = add_word(b, &b->arguments, option);
    return result == TN_OK ? add_word(b, &b->arguments, text) : result;
}

/// Ends the word that substitutions and text were collected in.
static enum tn_result end_word(struct building *b, struct words *out, struct tn_launch__text *word,
                               bool *has_word)
{
    if (!*has_word)
        return TN_OK;
    const char *text = tn_launch__keep(b->loader, word->size > 0 ? word->data : "");
    tn_launch__text_cut(word, 0);
    *has_word = false;
    return text != NULL ? add_word(b, out, text) : TN_ERR_NO_MEMORY;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// A piece of text: its first word goes on with what is before, its last with what follows.
static enum tn_result add_text(struct building *b, const struct tn_launch__piece *piece,
                               struct words *out, struct tn_launch__text *word, bool *has_word)
{
    struct tn_launch__words split;
    enum tn_result result = tn_launch__split(piece->text, b->loader->arena, &split, b->loader->err);
    if (result == TN_OK && is_blank(piece->text[0]))
        result = end_word(b, out, word, has_word);
    for (uint32_t i = 0; i < split.n && result == TN_OK; i++) {
        if (i > 0)
            result = end_word(b, out, word, has_word);
        if (result == TN_OK)
            result = tn_launch__text_add(word, split.items[i]);
        *has_word = true;
    }
    if (result == TN_OK && is_blank(piece->text[piece->size - 1]))
        result = end_word(b, out, word, has_word);
    return result;
}

/// A command line: its text is split as a shell does, what substitutions give is not.
static enum tn_result split_attribute(struct building *b, const char *attribute, struct words *out)
{
    const char *line = tn_xml_attribute(b->node, attribute);
    if (line == NULL)
        return TN_OK;
    struct tn_launch__template parsed;
    struct tn_launch__text word = {0};
    bool has_word = false;
    enum tn_result result = tn_launch__parse(line, b->loader->arena, &parsed, b->loader->err);
    for (const struct tn_launch__piece *p = parsed.first; p != NULL && result == TN_OK;
         p = p->next) {
        if (p->is_text) {
            result = add_text(b, p, out, &word, &has_word);
            continue;
        }
        struct tn_launch__piece alone = *p;
        alone.next = NULL;
        struct tn_launch__template one = {&alone, &alone};
        struct tn_launch__text value = {0};
        result = tn_launch__evaluate(b->loader, &one, &value);
        if (result == TN_OK)
            result = tn_launch__text_append(&word, value.data, value.size);
        tn_launch__text_fini(&value);
        has_word = true;
    }
    if (result == TN_OK)
        result = end_word(b, out, &word, &has_word);
    tn_launch__text_fini(&word);
    return tn_launch__place(b->loader, b->node, attribute, result);
}

// ---- names ----

static bool is_token(const char *text, size_t size)
{
    if (size == 0 || (text[0] >= '0' && text[0] <= '9'))
        return false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool is_letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!is_letter)
            return false;
    }
    return size <= 255;
}

static bool is_namespace(const char *ns)
{
    if (ns[0] != '/' || strlen(ns) > 245)
        return false;
    for (const char *at = ns + 1; *at != '\0';) {
        size_t n = strcspn(at, "/");
        if (!is_token(at, n) || (at[n] == '/' && at[n + 1] == '\0'))
            return false;
        at += n + (at[n] == '/');
    }
    return true;
}

enum tn_result tn_launch__join_namespace(struct tn_launch__loader *loader,
                                         const struct tn_xml_node *node, const char *base,
                                         const char *ns, const char **out)
{
    // a relative one goes behind the base; the whole is absolute and has no slash at its end
    bool is_alone = base == NULL || base[0] == '\0' || (ns != NULL && ns[0] == '/');
    const char *front = ns == NULL || !is_alone ? base : "";
    const char *back = ns != NULL ? ns : "";
    size_t size = strlen(front) + strlen(back) + 3;
    char *joined = tn_launch__room(loader, size, 1);
    if (joined == NULL)
        return TN_ERR_NO_MEMORY;
    bool needs_slash = ns != NULL && !is_alone && strcmp(base, "/") != 0;
    bool is_absolute = front[0] == '/' || (front[0] == '\0' && back[0] == '/');
    (void)snprintf(joined, size, "%s%s%s%s", is_absolute ? "" : "/", front, needs_slash ? "/" : "",
                   back);
    size_t n = strlen(joined);
    while (n > 1 && joined[n - 1] == '/')
        joined[--n] = '\0';
    if (!is_namespace(joined))
        return tn_launch__fail(
            loader, node, TN_ERR_INVALID_ARGUMENT,
            "\"%.100s\" is no namespace: names of letters, digits and _ between /", joined);
    *out = joined;
    return TN_OK;
}

static enum tn_result read_names(struct building *b)
{
    struct tn_launch_process *p = b->process;
    const char *ns = NULL;
    enum tn_result result = tn_launch__attribute(b->loader, b->node, "name", &p->node_name);
    if (result == TN_OK)
        result = tn_launch__attribute(b->loader, b->node, "namespace", &ns);
    if (result != TN_OK)
        return result;
    if (p->node_name != NULL && !is_token(p->node_name, strlen(p->node_name)))
        return tn_launch__fail(
            b->loader, b->node, TN_ERR_INVALID_ARGUMENT,
            "\"%.60s\" is no name of a node: letters, digits and _, no digit first", p->node_name);
    const char *base = tn_launch__variable(b->loader, "ros_namespace");
    if (ns == NULL && base == NULL)
        return TN_OK;
    result = tn_launch__join_namespace(b->loader, b->node, base, ns, &p->node_namespace);
    if (result != TN_OK || p->node_name == NULL)
        return result;
    size_t size = strlen(p->node_namespace) + strlen(p->node_name) + 2;
    char *full = tn_launch__room(b->loader, size, 1);
    if (full == NULL)
        return TN_ERR_NO_MEMORY;
    (void)snprintf(full, size, "%s/%s",
                   strcmp(p->node_namespace, "/") == 0 ? "" : p->node_namespace, p->node_name);
    b->full_name = full;
    return TN_OK;
}

/// Two nodes of one name are told about, as launch_ros does.
static enum tn_result warn_of_same_name(struct building *b)
{
    struct tn_launch__loader *loader = b->loader;
    uint32_t n = 1;
    for (uint32_t i = 0; b->full_name != NULL && i < loader->n_processes; i++) {
        const struct tn_launch_process *p = &loader->processes[i];
        n += p->node_name != NULL && p->node_namespace != NULL &&
             strcmp(p->node_name, b->process->node_name) == 0 &&
             strcmp(p->node_namespace, b->process->node_namespace) == 0;
    }
    if (n < 2)
        return TN_OK;
    char text[TN_LAUNCH__PATH_MAX];
    (void)snprintf(text, sizeof text, "there are now %u nodes with the name %.600s", n,
                   b->full_name);
    return tn_launch__tell(loader, b->node, TN_LAUNCH_WARNING, text);
}

// ---- parameters and remaps ----

static uint32_t count_files(const struct tn_launch__loader *loader)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < loader->n_processes; i++)
        n += loader->processes[i].n_files;
    return n;
}

/// Adds a file to be written, and its option.
static enum tn_result add_file(struct building *b, const struct tn_launch__text *text)
{
    if (b->n_files == b->files_capacity) {
        uint32_t capacity = b->files_capacity == 0 ? 4 : b->files_capacity * 2;
        struct tn_launch_file *grown = tn_launch__room(b->loader, capacity, sizeof *grown);
        if (grown == NULL)
            return TN_ERR_NO_MEMORY;
        if (b->n_files > 0)
            memcpy(grown, b->files, b->n_files * sizeof *grown);
        b->files = grown;
        b->files_capacity = capacity;
    }
    const char *folder = b->loader->world->params_dir;
    folder = folder != NULL ? folder : "$PARAMS";
    char path[TN_LAUNCH__PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/launch_params_%u.yaml", folder,
                   count_files(b->loader) + b->n_files);
    struct tn_launch_file *file = &b->files[b->n_files];
    file->path = tn_launch__keep(b->loader, path);
    file->text = tn_launch__keep(b->loader, text->size > 0 ? text->data : "");
    file->size = text->size;
    if (file->path == NULL || file->text == NULL)
        return TN_ERR_NO_MEMORY;
    b->n_files++;
    return add_option(b, "--params-file", file->path, "", "");
}

static enum tn_result add_params(struct building *b, const char *section,
                                 const struct tn_launch__param *first)
{
    struct tn_launch__text text = {0};
    enum tn_result result = tn_launch__write_params(section, first, &text);
    if (result == TN_OK)
        result = add_file(b, &text);
    else
        result = tn_launch__fail(b->loader, b->node, result, "the parameters cannot be written");
    tn_launch__text_fini(&text);
    return result;
}

/// What set_parameter and set_parameters_from_file have set, oldest first. Parameters between two
/// files share one.
static enum tn_result add_globals(struct building *b)
{
    uint32_t n = 0;
    for (const struct tn_launch__global *g = b->loader->scope.globals; g != NULL; g = g->next)
        n++;
    const struct tn_launch__global **in_order = tn_launch__room(b->loader, n, sizeof *in_order);
    struct tn_launch__param *params = tn_launch__room(b->loader, n, sizeof *params);
    if (in_order == NULL || params == NULL)
        return TN_ERR_NO_MEMORY;
    uint32_t i = n;
    for (const struct tn_launch__global *g = b->loader->scope.globals; g != NULL; g = g->next)
        in_order[--i] = g;
    enum tn_result result = TN_OK;
    for (i = 0; i < n && result == TN_OK;) {
        if (in_order[i]->path != NULL) {
            result = add_option(b, "--params-file", in_order[i++]->path, "", "");
            continue;
        }
        uint32_t first = i;
        for (; i < n && in_order[i]->path == NULL; i++) {
            params[i] = in_order[i]->param;
            params[i].next = i + 1 < n && in_order[i + 1]->path == NULL ? &params[i + 1] : NULL;
        }
        result = add_params(b, "/**", &params[first]);
    }
    return result;
}

/// A parameter file whose text has substitutions.
static enum tn_result add_replaced_file(struct building *b, const struct tn_xml_node *param,
                                        const char *path)
{
    struct tn_launch__text content = {0}, replaced = {0};
    struct tn_launch__template parsed;
    struct tn_launch__loader *loader = b->loader;
    enum tn_result result = tn_launch__read_file(path, &content, loader->err);
    if (result == TN_OK)
        result = tn_launch__parse(content.size > 0 ? content.data : "", loader->arena, &parsed,
                                  loader->err);
    if (result == TN_OK)
        result = tn_launch__evaluate(loader, &parsed, &replaced);
    if (result == TN_OK)
        result = tn_launch__check_yaml(replaced.data, replaced.size, loader->err);
    result = tn_launch__place(loader, param, "from", result);
    if (result == TN_OK)
        result = add_file(b, &replaced);
    tn_launch__text_fini(&content);
    tn_launch__text_fini(&replaced);
    return result;
}

static enum tn_result add_params_file(struct building *b, const struct tn_xml_node *param)
{
    struct tn_launch__loader *loader = b->loader;
    const char *path = NULL, *allows = tn_xml_attribute(param, "allow_substs");
    bool replaces = false;
    enum tn_result result = tn_launch__attribute(loader, param, "from", &path);
    if (result == TN_OK && allows != NULL)
        result = tn_launch__read_bool(allows, loader->arena, &replaces, loader->err);
    if (result != TN_OK)
        return result;
    const char *absolute = tn_launch__absolute(loader, path);
    if (absolute == NULL)
        return TN_ERR_NO_MEMORY;
    struct stat info;
    if (stat(absolute, &info) != 0 || !S_ISREG(info.st_mode)) {
        // launch_ros goes on without it
        char text[TN_LAUNCH__PATH_MAX + 64];
        (void)snprintf(text, sizeof text, "no file of parameters %s: the node starts without it",
                       absolute);
        return tn_launch__tell(loader, param, TN_LAUNCH_WARNING, text);
    }
    return replaces ? add_replaced_file(b, param, absolute)
                    : add_option(b, "--params-file", absolute, "", "");
}

/// Parameters between two files share one: a node takes few files.
static enum tn_result add_node_params(struct building *b)
{
    enum tn_result result = TN_OK;
    const char *section = b->full_name != NULL ? b->full_name : "/**";
    struct tn_launch__params row = {0};
    for (const struct tn_xml_node *c = tn_xml_child(b->node, "param"); c != NULL && result == TN_OK;
         c = tn_xml_next(c, "param")) {
        if (tn_xml_attribute(c, "from") == NULL) {
            result = tn_launch__collect_params(b->loader, c, &row);
            continue;
        }
        if (row.first != NULL)
            result = add_params(b, section, row.first);
        row = (struct tn_launch__params){.n = row.n};
        if (result == TN_OK)
            result = add_params_file(b, c);
    }
    return result == TN_OK && row.first != NULL ? add_params(b, section, row.first) : result;
}

static enum tn_result add_remaps(struct building *b)
{
    const struct tn_launch__binding *newest = b->loader->scope.remaps;
    uint32_t n = newest != NULL ? newest->depth : 0;
    const struct tn_launch__binding **in_order = tn_launch__room(b->loader, n, sizeof *in_order);
    if (in_order == NULL)
        return TN_ERR_NO_MEMORY;
    for (const struct tn_launch__binding *r = newest; r != NULL; r = r->next)
        in_order[r->depth - 1] = r;
    enum tn_result result = TN_OK;
    for (uint32_t i = 0; i < n && result == TN_OK; i++)
        result = add_option(b, "-r", in_order[i]->name, ":=", in_order[i]->value);
    for (const struct tn_xml_node *c = tn_xml_child(b->node, "remap"); c != NULL && result == TN_OK;
         c = tn_xml_next(c, "remap")) {
        const char *from = NULL, *to = NULL;
        result = tn_launch__attribute(b->loader, c, "from", &from);
        if (result == TN_OK)
            result = tn_launch__attribute(b->loader, c, "to", &to);
        if (result == TN_OK)
            result = add_option(b, "-r", from, ":=", to);
    }
    return result;
}

static enum tn_result read_node(struct building *b)
{
    struct tn_launch_process *p = b->process;
    p->kind = TN_LAUNCH_NODE;
    enum tn_result result = tn_launch__attribute(b->loader, b->node, "pkg", &p->package);
    if (result == TN_OK)
        result = tn_launch__attribute(b->loader, b->node, "exec", &p->program);
    if (result == TN_OK)
        result = read_names(b);
    if (result == TN_OK)
        result = split_attribute(b, "args", &b->arguments);
    if (result == TN_OK && tn_xml_attribute(b->node, "ros_args") != NULL)
        result = add_word(b, &b->arguments, "--ros-args");
    if (result == TN_OK)
        result = split_attribute(b, "ros_args", &b->arguments);
    if (result == TN_OK)
        result = add_word(b, &b->arguments, "--ros-args");
    if (result == TN_OK && p->node_name != NULL)
        result = add_option(b, "-r", "__node", ":=", p->node_name);
    if (result == TN_OK && p->node_namespace != NULL)
        result = add_option(b, "-r", "__ns", ":=", p->node_namespace);
    if (result == TN_OK)
        result = add_globals(b);
    if (result == TN_OK)
        result = add_node_params(b);
    if (result == TN_OK)
        result = add_remaps(b);
    return result == TN_OK ? warn_of_same_name(b) : result;
}

static enum tn_result read_executable(struct building *b)
{
    b->process->kind = TN_LAUNCH_EXECUTABLE;
    struct words command = {0};
    enum tn_result result = split_attribute(b, "cmd", &command);
    if (result == TN_OK && (command.n == 0 || command.items[0][0] == '\0'))
        return tn_launch__fail(b->loader, b->node, TN_ERR_INVALID_ARGUMENT, "the command is empty");
    if (result == TN_OK)
        b->process->program = command.items[0];
    for (uint32_t i = 1; i < command.n && result == TN_OK; i++)
        result = add_word(b, &b->arguments, command.items[i]);
    return result;
}

// ---- what both have ----

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/// launch-prefix of the element; or of the argument, if launch-prefix-filter fits the program.
static enum tn_result read_prefix(struct building *b)
{
    struct tn_launch__loader *loader = b->loader;
    const char *line = NULL;
    enum tn_result result = tn_launch__attribute(loader, b->node, "launch-prefix", &line);
    if (result != TN_OK)
        return result;
    const char *filter = tn_launch__variable(loader, "launch-prefix-filter");
    bool is_own = line != NULL;
    if (!is_own)
        line = tn_launch__variable(loader, "launch-prefix");
    if (line == NULL)
        line = "";
    if (!is_own && line[0] != '\0' && filter != NULL) {
        regex_t pattern;
        regmatch_t match;
        if (strlen(filter) > 256 || regcomp(&pattern, filter, REG_EXTENDED) != 0)
            return tn_launch__fail(loader, b->node, TN_ERR_SYNTAX,
                                   "launch-prefix-filter is no regular expression: %.60s", filter);
        bool fits = regexec(&pattern, base_name(b->process->program), 1, &match, 0) == 0 &&
                    match.rm_so == 0;
        regfree(&pattern);
        line = fits ? line : "";
    }
    struct tn_launch__words words;
    result = tn_launch__split(line, loader->arena, &words, loader->err);
    b->process->prefix = words.items;
    b->process->n_prefix = words.n;
    return tn_launch__place(loader, b->node, "launch-prefix", result);
}

static enum tn_result read_label(struct building *b)
{
    const char *attribute = b->process->kind == TN_LAUNCH_NODE ? "exec_name" : "name";
    const char *name = NULL;
    enum tn_result result = tn_launch__attribute(b->loader, b->node, attribute, &name);
    if (result != TN_OK)
        return result;
    if (name == NULL || name[0] == '\0')
        name = base_name(b->process->n_prefix > 0 ? b->process->prefix[0] : b->process->program);
    // it becomes the name of log files
    if (strchr(name, '/') != NULL || strlen(name) > 200)
        return tn_launch__fail(b->loader, b->node, TN_ERR_INVALID_ARGUMENT,
                               "\"%.60s\" is no label of a process: no slash, at most 200 letters",
                               name);
    char label[256];
    (void)snprintf(label, sizeof label, "%s-%u", name, b->loader->n_processes + 1);
    b->process->label = tn_launch__keep(b->loader, label);
    return b->process->label != NULL ? TN_OK : TN_ERR_NO_MEMORY;
}

static enum tn_result read_output(struct building *b)
{
    static const char *const names[] = {"log", "screen", "both", "own_log", "full"};
    const char *text = NULL;
    enum tn_result result = tn_launch__attribute(b->loader, b->node, "output", &text);
    const char *override = tn_launch__environment(b->loader, "OVERRIDE_LAUNCH_PROCESS_OUTPUT");
    if (result != TN_OK)
        return result;
    if (override != NULL)
        text = override;
    for (uint32_t i = 0; text != NULL && i < TN_ARRAY_SIZE(names); i++) {
        if (strcmp(names[i], text) == 0) {
            b->process->output = (enum tn_launch_output)i;
            return TN_OK;
        }
    }
    return text == NULL
               ? TN_OK
               : tn_launch__fail(b->loader, b->node, TN_ERR_INVALID_ARGUMENT,
                                 "output is log, screen, both, own_log or full, not \"%.60s\"",
                                 text);
}

/// Seconds of an attribute, else of a variable, else a default.
static enum tn_result read_seconds(struct building *b, const char *name, bool is_variable,
                                   double otherwise, double *out)
{
    const char *text = tn_xml_attribute(b->node, name);
    *out = otherwise;
    if (text == NULL && is_variable)
        text = tn_launch__variable(b->loader, name);
    if (text == NULL)
        return TN_OK;
    if (tn_parse_f64(text, strlen(text), 0, 1e9, out) == TN_OK)
        return TN_OK;
    return tn_launch__fail(b->loader, b->node, TN_ERR_INVALID_ARGUMENT,
                           "%s is a number of seconds from 0 to 1e9, not \"%.60s\"", name, text);
}

static enum tn_result read_flag(struct building *b, const char *name, bool *out)
{
    const char *text = NULL;
    enum tn_result result = tn_launch__attribute(b->loader, b->node, name, &text);
    if (result != TN_OK || text == NULL)
        return result;
    return tn_launch__place(b->loader, b->node, name,
                            tn_launch__read_bool(text, b->loader->arena, out, b->loader->err));
}

static enum tn_result read_ends(struct building *b)
{
    struct tn_launch_process *p = b->process;
    const char *retries = tn_xml_attribute(b->node, "respawn_max_retries");
    const char *tty = tn_launch__variable(b->loader, "emulate_tty");
    int64_t n = -1;
    if (retries != NULL &&
        tn_parse_i64(retries, strlen(retries), INT32_MIN, INT32_MAX, &n) != TN_OK)
        return tn_launch__fail(b->loader, b->node, TN_ERR_INVALID_ARGUMENT,
                               "respawn_max_retries is no integer");
    p->respawn_max = (int32_t)n;
    p->shuts_down_on_exit = tn_xml_attribute(b->node, "on_exit") != NULL;
    enum tn_result result = read_flag(b, "respawn", &p->respawns);
    if (result == TN_OK)
        result = read_flag(b, "shell", &p->is_shell);
    if (result == TN_OK)
        result = read_flag(b, "emulate_tty", &p->emulates_tty);
    if (result == TN_OK && tty != NULL)
        result = tn_launch__place(b->loader, b->node, "emulate_tty",
                                  tn_launch__condition(tty, &p->emulates_tty, b->loader->err));
    if (result == TN_OK)
        result = read_seconds(b, "respawn_delay", false, 0, &p->respawn_delay_s);
    if (result == TN_OK)
        result = read_seconds(b, "sigterm_timeout", true, 5, &p->sigterm_timeout_s);
    if (result == TN_OK)
        result = read_seconds(b, "sigkill_timeout", true, 5, &p->sigkill_timeout_s);
    return result;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct tn_launch_variable *)a)->name,
                  ((const struct tn_launch_variable *)b)->name);
}

/// Changes of the environment, each name once and in order; its own <env> hold over those of the
/// scope.
static enum tn_result read_environment(struct building *b)
{
    struct tn_launch__loader *loader = b->loader;
    const struct tn_launch__binding *all = loader->scope.environment;
    enum tn_result result = TN_OK;
    for (const struct tn_xml_node *c = tn_xml_child(b->node, "env"); c != NULL && result == TN_OK;
         c = tn_xml_next(c, "env")) {
        const char *name = NULL, *value = NULL;
        result = tn_launch__attribute(loader, c, "name", &name);
        if (result == TN_OK)
            result = tn_launch__attribute(loader, c, "value", &value);
        if (result == TN_OK && (name[0] == '\0' || strchr(name, '=') != NULL))
            return tn_launch__fail(loader, c, TN_ERR_INVALID_ARGUMENT,
                                   "\"%.60s\" is no name of an environment variable", name);
        if (result == TN_OK)
            result = tn_launch__set(loader, &all, name, value);
    }
    uint32_t n = 0, count = 0;
    for (const struct tn_launch__binding *v = all; v != NULL; v = v->next)
        n++;
    struct tn_launch_variable *variables = tn_launch__room(loader, n, sizeof *variables);
    if (result != TN_OK || variables == NULL)
        return result != TN_OK ? result : TN_ERR_NO_MEMORY;
    for (const struct tn_launch__binding *v = all; v != NULL; v = v->next) {
        const struct tn_launch__binding *newer = all;
        while (newer != v && strcmp(newer->name, v->name) != 0)
            newer = newer->next;
        if (newer == v)
            variables[count++] = (struct tn_launch_variable){v->name, v->value};
    }
    qsort(variables, count, sizeof *variables, compare_names);
    b->process->variables = variables;
    b->process->n_variables = count;
    return TN_OK;
}

static enum tn_result read_working_dir(struct building *b)
{
    const char *folder = NULL;
    enum tn_result result = tn_launch__attribute(b->loader, b->node, "cwd", &folder);
    if (result != TN_OK || folder == NULL)
        return result;
    b->process->working_dir = tn_launch__absolute(b->loader, folder);
    return b->process->working_dir != NULL ? TN_OK : TN_ERR_NO_MEMORY;
}

enum tn_result tn_launch__add_process(struct tn_launch__loader *loader,
                                      const struct tn_xml_node *node)
{
    if (loader->n_processes == TN_LAUNCH_PROCESSES_MAX)
        return tn_launch__fail(loader, node, TN_ERR_LIMIT, "more than %u processes",
                               TN_LAUNCH_PROCESSES_MAX);
    struct tn_launch_process process = {.line = node->line};
    struct building b = {.loader = loader, .node = node, .process = &process};
    process.file = loader->source->path;
    bool is_node = strcmp(node->name, "node") == 0;
    enum tn_result result = is_node ? read_node(&b) : read_executable(&b);
    if (result == TN_OK)
        result = read_prefix(&b);
    if (result == TN_OK)
        result = read_label(&b);
    if (result == TN_OK)
        result = read_output(&b);
    if (result == TN_OK)
        result = read_ends(&b);
    if (result == TN_OK)
        result = read_working_dir(&b);
    if (result == TN_OK)
        result = read_environment(&b);
    // a NULL behind the last one, also when there is none
    if (result == TN_OK)
        result = add_word(&b, &b.arguments, NULL);
    if (result != TN_OK)
        return result;
    process.arguments = b.arguments.items;
    process.n_arguments = b.arguments.n - 1;
    process.files = b.files;
    process.n_files = b.n_files;
    loader->processes[loader->n_processes++] = process;
    return TN_OK;
}
