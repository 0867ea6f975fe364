// SPDX-License-Identifier: Apache-2.0
// the arguments of a launch file in the form of `ros2 launch --show-args`
#include <stdlib.h>
#include <string.h>

#include "launch/launch__loader.h"

/// Arguments that are told.
#define ARGUMENTS_MAX 1024

struct showing {
    struct tn_launch__loader *loader;
    FILE *out;
    struct tn_xml_document *documents[TN_LAUNCH_FILES_MAX];
    uint32_t n_documents;
    const char *names[ARGUMENTS_MAX];
    uint32_t n_names;
    bool has_conditional;
};

/// A file that is being looked through; the element that comes next.
struct frame {
    const struct tn_xml_node *root, *next;
    bool is_conditional; ///< included under a condition
    const struct tn_launch__source *source;
};

static bool has_condition(const struct tn_xml_node *node)
{
    for (; node->parent != NULL; node = node->parent)
        if (tn_xml_attribute(node, "if") != NULL || tn_xml_attribute(node, "unless") != NULL)
            return true;
    return false;
}

static bool is_known(const struct showing *s, const char *name)
{
    for (uint32_t i = 0; i < s->n_names; i++)
        if (strcmp(s->names[i], name) == 0)
            return true;
    return false;
}

/// As Python prints a list of strings.
static void print_choices(struct showing *s, const struct tn_xml_node *node)
{
    const char *between = "[";
    for (const struct tn_xml_node *c = tn_xml_child(node, "choice"); c != NULL;
         c = tn_xml_next(c, "choice")) {
        (void)fprintf(s->out, "%s'%s'", between, tn_xml_attribute(c, "value"));
        between = ", ";
    }
    (void)fputs("]", s->out);
}

static void print_description(struct showing *s, const struct tn_xml_node *node)
{
    const char *text = tn_xml_attribute(node, "description");
    bool has_choices = tn_xml_child(node, "choice") != NULL;
    if (text != NULL)
        text = tn_launch__unescape(text, s->loader->arena);
    if (text == NULL && !has_choices) {
        (void)fputs("no description given", s->out);
    } else if (text == NULL) {
        (void)fputs("One of: ", s->out);
        print_choices(s, node);
    } else {
        size_t n = strlen(text);
        (void)fputs(text, s->out);
        if (has_choices) {
            (void)fputs(n > 0 && text[n - 1] == '.' ? " Valid choices are: "
                                                    : ". Valid choices are: ",
                        s->out);
            print_choices(s, node);
        }
    }
}

static enum tn_result print_default(struct showing *s, const struct tn_xml_node *node)
{
    const char *value = tn_xml_attribute(node, "default");
    struct tn_launch__template parsed;
    struct tn_launch__text text = {0};
    if (value == NULL)
        return TN_OK;
    enum tn_result result = tn_launch__parse(value, s->loader->arena, &parsed, s->loader->err);
    if (result == TN_OK && parsed.first == NULL)
        result = tn_launch__text_add(&text, "''");
    if (result == TN_OK)
        result = tn_launch__describe(&parsed, &text);
    if (result == TN_OK)
        (void)fprintf(s->out, "\n        (default: %s)", text.data);
    tn_launch__text_fini(&text);
    return tn_launch__place(s->loader, node, "default", result);
}

static enum tn_result show(struct showing *s, const struct frame *f, const struct tn_xml_node *node)
{
    const char *name = tn_launch__unescape(tn_xml_attribute(node, "name"), s->loader->arena);
    if (name == NULL)
        return tn_launch__fail(s->loader, node, TN_ERR_NO_MEMORY, "out of memory");
    if (is_known(s, name))
        return TN_OK;
    if (s->n_names == ARGUMENTS_MAX)
        return tn_launch__fail(s->loader, node, TN_ERR_LIMIT, "more than %u arguments",
                               ARGUMENTS_MAX);
    s->names[s->n_names++] = name;
    bool is_conditional = f->is_conditional || has_condition(node);
    s->has_conditional = s->has_conditional || is_conditional;
    (void)fprintf(s->out, "\n    '%s':%s\n        ", name, is_conditional ? "*" : "");
    print_description(s, node);
    enum tn_result result = print_default(s, node);
    (void)fputs("\n", s->out);
    return result;
}

static enum tn_result open_file(struct showing *s, const char *path, struct frame *out)
{
    struct tn_launch__loader *loader = s->loader;
    const char *absolute = tn_launch__absolute(loader, path);
    struct tn_launch__source *source = tn_launch__room(loader, 1, sizeof *source);
    if (absolute == NULL || source == NULL)
        return TN_ERR_NO_MEMORY;
    enum tn_result result = tn_xml_load(absolute, &s->documents[s->n_documents], loader->err);
    if (result != TN_OK)
        return result;
    const struct tn_xml_node *root = tn_xml_root(s->documents[s->n_documents++]);
    source->path = source->folder = absolute;
    *out = (struct frame){.root = root, .next = tn_launch__walk(root, root), .source = source};
    return tn_launch__check(loader, root);
}

/// A file whose path needs no variables is looked into; what goes wrong there is not told, as
/// `ros2 launch` does.
static bool open_include(struct showing *s, const struct frame *f, const struct tn_xml_node *node,
                         struct frame *out)
{
    const char *path = NULL;
    bool is_open = s->n_documents < TN_LAUNCH_FILES_MAX &&
                   tn_launch__attribute(s->loader, node, "file", &path) == TN_OK &&
                   open_file(s, path, out) == TN_OK;
    *s->loader->err = (struct tn_error){0};
    out->is_conditional = f->is_conditional || has_condition(node);
    return is_open;
}

static enum tn_result show_all(struct showing *s, const char *path)
{
    struct frame frames[TN_LAUNCH_INCLUDE_DEPTH_MAX];
    uint32_t n = 1;
    enum tn_result result = open_file(s, path, &frames[0]);
    while (result == TN_OK && n > 0) {
        struct frame *f = &frames[n - 1];
        const struct tn_xml_node *node = f->next;
        // behind a reset nothing comes from outside any more
        if (node == NULL || strcmp(node->name, "reset") == 0) {
            n--;
            continue;
        }
        f->next = tn_launch__walk(f->root, node);
        bool is_action =
            strcmp(node->parent->name, "launch") == 0 || strcmp(node->parent->name, "group") == 0;
        if (is_action && strcmp(node->name, "arg") == 0)
            result = show(s, f, node);
        else if (strcmp(node->name, "include") == 0 && n < TN_LAUNCH_INCLUDE_DEPTH_MAX)
            n += open_include(s, f, node, &frames[n]);
    }
    return result;
}

enum tn_result tn_launch_show_args(const char *path, const struct tn_launch_world *world, FILE *out,
                                   struct tn_error *err)
{
    struct tn_error local = {0};
    struct tn_arena arena = {0};
    struct tn_launch__loader loader = {.world = world, .arena = &arena, .err = &local};
    struct showing *s = calloc(1, sizeof *s);
    enum tn_result result =
        s != NULL ? tn_arena_create(&arena, TN_LAUNCH_MEMORY_MAX) : TN_ERR_NO_MEMORY;
    if (result == TN_OK) {
        s->loader = &loader;
        s->out = out;
        (void)fputs("Arguments (pass arguments as '<name>:=<value>'):\n", out);
        result = show_all(s, path);
    }
    if (result == TN_OK && s->n_names == 0)
        (void)fputs("\n  No arguments.\n", out);
    if (result == TN_OK && s->has_conditional)
        (void)fputs("\n* argument(s) which are only used if specific conditions occur\n", out);
    for (uint32_t i = 0; s != NULL && i < s->n_documents; i++)
        tn_xml_destroy(&s->documents[i]);
    free(s);
    tn_arena_destroy(&arena);
    if (result == TN_OK && ferror(out) != 0)
        result = tn_error_set(&local, TN_ERR_IO, "the arguments cannot be written");
    if (err != NULL && result != TN_OK)
        *err = local;
    return result;
}
