// SPDX-License-Identifier: Apache-2.0
// launch files are executed element by element; groups and includes lie on a stack
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/launch__loader.h"
#include "launch/launch__plan.h"
#include "launch/launch__table.h"

/// Open groups and launch files. Each file is at most as deep as XML may be.
#define FRAMES_MAX 1024

/// Elements that are being executed one after the other.
struct frame {
    const struct tn_xml_node *next;
    bool restores_scope;
    bool is_file;
    struct tn_launch__scope scope;
    const struct tn_launch__source *source; ///< of a file: the one around it
};

struct execution {
    struct tn_launch__loader *loader;
    struct frame *frames;
    uint32_t n_frames, n_open_files;
    struct tn_xml_document **documents; ///< alive until the end: elements point into them
    uint32_t n_documents;
};

static enum tn_result push(struct execution *e, const struct tn_xml_node *node, struct frame f)
{
    if (e->n_frames == FRAMES_MAX)
        return tn_launch__fail(e->loader, node, TN_ERR_LIMIT,
                               "more than %u groups and files inside "
                               "each other",
                               FRAMES_MAX);
    f.next = tn_xml_child(node, NULL);
    e->frames[e->n_frames++] = f;
    return TN_OK;
}

static void pop(struct execution *e)
{
    const struct frame *f = &e->frames[--e->n_frames];
    if (f->restores_scope)
        e->loader->scope = f->scope;
    if (f->is_file) {
        e->loader->source = f->source;
        e->n_open_files--;
    }
}

/// The files that are open, outermost first, for a message about includes that never end.
static void tell_chain(const struct execution *e, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < e->n_frames && n < size; i++) {
        const struct tn_launch__source *outer = e->frames[i].is_file ? e->frames[i].source : NULL;
        const char *name = outer != NULL ? strrchr(outer->path, '/') : NULL;
        int written = name != NULL ? snprintf(out + n, size - n, "%s > ", name + 1) : 0;
        n += written > 0 ? (size_t)written : 0;
    }
}

static enum tn_result remember_source(struct tn_launch__loader *loader, const char *path)
{
    for (uint32_t i = 0; i < loader->n_sources; i++)
        if (strcmp(loader->sources[i], path) == 0)
            return TN_OK;
    loader->sources[loader->n_sources++] = path;
    return TN_OK;
}

static const struct tn_launch__source *make_source(struct tn_launch__loader *loader,
                                                   const char *path)
{
    struct tn_launch__source *source = tn_launch__room(loader, 1, sizeof *source);
    const char *absolute = tn_launch__absolute(loader, path);
    if (source == NULL || absolute == NULL)
        return NULL;
    const char *slash = strrchr(absolute, '/');
    size_t size = slash == absolute ? 1 : (size_t)(slash - absolute);
    source->path = absolute;
    source->folder = tn_arena_strndup(loader->arena, absolute, size);
    return source->folder != NULL ? source : NULL;
}

/// An unconditional argument without a default, declared outside of conditional groups.
static const char *required_argument(const struct tn_xml_node *node)
{
    if (strcmp(node->name, "arg") != 0 || tn_xml_attribute(node, "default") != NULL)
        return NULL;
    for (const struct tn_xml_node *n = node; n->parent != NULL; n = n->parent)
        if (tn_xml_attribute(n, "if") != NULL || tn_xml_attribute(n, "unless") != NULL ||
            (n != node && strcmp(n->name, "group") != 0))
            return NULL;
    return tn_xml_attribute(node, "name");
}

/// As `ros2 launch`: what a file requires has to be given to it, being set is not enough.
static enum tn_result check_required(struct tn_launch__loader *loader,
                                     const struct tn_xml_node *include,
                                     const struct tn_xml_node *root,
                                     const struct tn_launch__binding *given)
{
    for (const struct tn_xml_node *node = tn_launch__walk(root, root); node != NULL;
         node = tn_launch__walk(root, node)) {
        const char *name = required_argument(node);
        const struct tn_launch__binding *b = given;
        while (name != NULL && b != NULL && strcmp(b->name, name) != 0)
            b = b->next;
        if (name == NULL || b != NULL)
            continue;
        if (include == NULL)
            return tn_launch__fail(loader, node, TN_ERR_NOT_FOUND,
                                   "the argument %.80s has no default: give %.80s:=VALUE", name,
                                   name);
        return tn_launch__fail(loader, include, TN_ERR_NOT_FOUND,
                               "%.120s requires the argument %.60s: <arg name=\"%.60s\" value=…/>",
                               root->file, name, name);
    }
    return TN_OK;
}

static void mark_declared(struct tn_launch__loader *loader, const struct tn_xml_node *root)
{
    for (const struct tn_xml_node *node = tn_launch__walk(root, root); node != NULL;
         node = tn_launch__walk(root, node)) {
        const char *name = strcmp(node->name, "arg") == 0 ? tn_xml_attribute(node, "name") : NULL;
        for (uint32_t i = 0; name != NULL && i < loader->n_arguments; i++)
            if (strcmp(loader->arguments[i].name, name) == 0)
                loader->is_used[i] = true;
    }
}

/// Reads, checks and opens a launch file.
/// @param include   NULL: the first one
static enum tn_result open_file(struct execution *e, const struct tn_xml_node *include,
                                const char *path, const struct tn_launch__binding *given)
{
    struct tn_launch__loader *loader = e->loader;
    if (e->n_open_files == TN_LAUNCH_INCLUDE_DEPTH_MAX) {
        char chain[160];
        tell_chain(e, chain, sizeof chain);
        return tn_launch__fail(
            loader, include, TN_ERR_LIMIT,
            "more than %u launch files inside each other, perhaps without end: %s",
            TN_LAUNCH_INCLUDE_DEPTH_MAX, chain);
    }
    if (loader->n_files++ == TN_LAUNCH_FILES_MAX)
        return tn_launch__fail(loader, include, TN_ERR_LIMIT, "more than %u launch files",
                               TN_LAUNCH_FILES_MAX);
    const struct tn_launch__source *source = make_source(loader, path);
    if (source == NULL)
        return TN_ERR_NO_MEMORY;
    enum tn_result result = tn_xml_load(source->path, &e->documents[e->n_documents], loader->err);
    if (result != TN_OK)
        return tn_launch__place(loader, include, include != NULL ? "file" : NULL, result);
    const struct tn_xml_node *root = tn_xml_root(e->documents[e->n_documents++]);
    result = tn_launch__check(loader, root);
    if (result == TN_OK)
        result = check_required(loader, include, root, given);
    if (result != TN_OK)
        return result;
    mark_declared(loader, root);
    const char *deprecated = tn_xml_attribute(root, "deprecated");
    if (deprecated != NULL)
        result = tn_launch__tell(loader, root, TN_LAUNCH_WARNING, deprecated);
    if (result == TN_OK)
        result = push(e, root, (struct frame){.is_file = true, .source = loader->source});
    if (result != TN_OK)
        return result;
    e->n_open_files++;
    loader->source = source;
    return remember_source(loader, source->path);
}

// ---- actions ----

/// Name and value of children, each evaluated in the scope as it is.
static enum tn_result read_pairs(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                                 const char *element, const struct tn_launch__binding **out)
{
    enum tn_result result = TN_OK;
    *out = NULL;
    for (const struct tn_xml_node *c = tn_xml_child(node, element); c != NULL && result == TN_OK;
         c = tn_xml_next(c, element)) {
        const char *name = NULL, *value = NULL;
        result = tn_launch__attribute(loader, c, "name", &name);
        if (result == TN_OK)
            result = tn_launch__attribute(loader, c, "value", &value);
        if (result == TN_OK)
            result = tn_launch__set(loader, out, name, value);
    }
    return result;
}

/// Sets what read_pairs() gave, oldest first.
static enum tn_result set_pairs(struct tn_launch__loader *loader,
                                const struct tn_launch__binding *pairs)
{
    uint32_t n = pairs != NULL ? pairs->depth : 0;
    const struct tn_launch__binding **in_order = tn_launch__room(loader, n, sizeof *in_order);
    if (in_order == NULL)
        return TN_ERR_NO_MEMORY;
    for (const struct tn_launch__binding *b = pairs; b != NULL; b = b->next)
        in_order[b->depth - 1] = b;
    enum tn_result result = TN_OK;
    for (uint32_t i = 0; i < n && result == TN_OK; i++)
        result =
            tn_launch__set(loader, &loader->scope.variables, in_order[i]->name, in_order[i]->value);
    return result;
}

static enum tn_result do_group(struct execution *e, const struct tn_xml_node *node)
{
    struct tn_launch__loader *loader = e->loader;
    const char *scoped = tn_xml_attribute(node, "scoped");
    const char *forwarding = tn_xml_attribute(node, "forwarding");
    bool is_scoped = true, forwards = true;
    enum tn_result result = TN_OK;
    if (scoped != NULL)
        result = tn_launch__read_bool(scoped, loader->arena, &is_scoped, loader->err);
    if (result == TN_OK && forwarding != NULL)
        result = tn_launch__read_bool(forwarding, loader->arena, &forwards, loader->err);
    const struct tn_launch__binding *keeps = NULL;
    if (result == TN_OK)
        result = read_pairs(loader, node, "keep", &keeps);
    if (result == TN_OK)
        result = push(e, node, (struct frame){.restores_scope = is_scoped, .scope = loader->scope});
    if (result == TN_OK && is_scoped && !forwards)
        loader->scope = (struct tn_launch__scope){0};
    return result == TN_OK ? set_pairs(loader, keeps) : result;
}

static enum tn_result do_include(struct execution *e, const struct tn_xml_node *node)
{
    const char *path = NULL;
    const struct tn_launch__binding *given = NULL;
    enum tn_result result = tn_launch__attribute(e->loader, node, "file", &path);
    if (result != TN_OK)
        return result;
    // values see those set before them, as if each were set at once
    for (const struct tn_xml_node *c = tn_xml_child(node, "arg"); c != NULL && result == TN_OK;
         c = tn_xml_next(c, "arg")) {
        const char *name = NULL, *value = NULL;
        result = tn_launch__attribute(e->loader, c, "name", &name);
        if (result == TN_OK)
            result = tn_launch__attribute(e->loader, c, "value", &value);
        if (result == TN_OK)
            result = tn_launch__set(e->loader, &e->loader->scope.variables, name, value);
        if (result == TN_OK)
            result = tn_launch__set(e->loader, &given, name, value);
    }
    return result == TN_OK ? open_file(e, node, path, given) : result;
}

/// `*out`: the value is one of the choices, or there are none.
static enum tn_result check_choice(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                                   const char *name, const char *value)
{
    char all[160] = "";
    size_t n = 0;
    bool has_any = false;
    for (const struct tn_xml_node *c = tn_xml_child(node, "choice"); c != NULL;
         c = tn_xml_next(c, "choice")) {
        const char *choice = tn_launch__unescape(tn_xml_attribute(c, "value"), loader->arena);
        if (choice == NULL)
            return tn_launch__fail(loader, node, TN_ERR_NO_MEMORY, "too many choices");
        if (strcmp(choice, value) == 0)
            return TN_OK;
        int written = n < sizeof all
                          ? snprintf(all + n, sizeof all - n, "%s%s", n > 0 ? ", " : "", choice)
                          : 0;
        n += written > 0 ? (size_t)written : 0;
        has_any = true;
    }
    return has_any
               ? tn_launch__fail(loader, node, TN_ERR_INVALID_ARGUMENT,
                                 "the argument %.60s is \"%.60s\"; it may be %s", name, value, all)
               : TN_OK;
}

static enum tn_result do_arg(struct tn_launch__loader *loader, const struct tn_xml_node *node)
{
    const char *name = tn_launch__unescape(tn_xml_attribute(node, "name"), loader->arena);
    if (name == NULL)
        return tn_launch__fail(loader, node, TN_ERR_NO_MEMORY, "out of memory");
    const char *value = tn_launch__variable(loader, name);
    if (value == NULL) {
        enum tn_result result = tn_launch__attribute(loader, node, "default", &value);
        if (result == TN_OK && value == NULL)
            return tn_launch__fail(loader, node, TN_ERR_NOT_FOUND,
                                   "the argument %.80s has no default: give %.80s:=VALUE", name,
                                   name);
        if (result == TN_OK)
            result = tn_launch__set(loader, &loader->scope.variables, name, value);
        if (result != TN_OK)
            return result;
    }
    return check_choice(loader, node, name, value);
}

/// let and set_env.
static enum tn_result do_set(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                             const struct tn_launch__binding **list)
{
    const char *name = NULL, *value = NULL;
    enum tn_result result = tn_launch__attribute(loader, node, "name", &name);
    if (result == TN_OK)
        result = tn_launch__attribute(loader, node, "value", &value);
    if (result == TN_OK && list == &loader->scope.environment &&
        (name[0] == '\0' || strchr(name, '=') != NULL))
        return tn_launch__fail(loader, node, TN_ERR_INVALID_ARGUMENT,
                               "\"%.60s\" is no name of an environment variable", name);
    return result == TN_OK ? tn_launch__set(loader, list, name, value) : result;
}

static enum tn_result do_unset_env(struct tn_launch__loader *loader, const struct tn_xml_node *node)
{
    const char *name = NULL;
    enum tn_result result = tn_launch__attribute(loader, node, "name", &name);
    return result == TN_OK ? tn_launch__set(loader, &loader->scope.environment, name, NULL)
                           : result;
}

static enum tn_result do_append_env(struct tn_launch__loader *loader,
                                    const struct tn_xml_node *node)
{
    const char *name = NULL, *value = NULL, *prepend = NULL, *separator = NULL;
    bool goes_in_front = false;
    enum tn_result result = tn_launch__attribute(loader, node, "name", &name);
    if (result == TN_OK)
        result = tn_launch__attribute(loader, node, "value", &value);
    if (result == TN_OK)
        result = tn_launch__attribute(loader, node, "prepend", &prepend);
    if (result == TN_OK)
        result = tn_launch__attribute(loader, node, "separator", &separator);
    if (result == TN_OK && prepend != NULL)
        result = tn_launch__place(
            loader, node, "prepend",
            tn_launch__read_bool(prepend, loader->arena, &goes_in_front, loader->err));
    if (result != TN_OK)
        return result;
    const char *old = tn_launch__environment(loader, name);
    if (old != NULL) {
        separator = separator != NULL ? separator : ":";
        size_t size = strlen(old) + strlen(value) + strlen(separator) + 1;
        char *both = tn_launch__room(loader, size, 1);
        if (both == NULL)
            return TN_ERR_NO_MEMORY;
        (void)snprintf(both, size, "%s%s%s", goes_in_front ? value : old, separator,
                       goes_in_front ? old : value);
        value = both;
    }
    return tn_launch__set(loader, &loader->scope.environment, name, value);
}

static enum tn_result do_reset(struct tn_launch__loader *loader, const struct tn_xml_node *node)
{
    const struct tn_launch__binding *keeps = NULL;
    enum tn_result result = read_pairs(loader, node, "keep", &keeps);
    if (result != TN_OK)
        return result;
    loader->scope.variables = NULL;
    loader->scope.remaps = NULL;
    loader->scope.globals = NULL;
    return set_pairs(loader, keeps);
}

static enum tn_result do_push_namespace(struct tn_launch__loader *loader,
                                        const struct tn_xml_node *node)
{
    const char *ns = NULL, *joined = NULL;
    enum tn_result result = tn_launch__attribute(loader, node, "namespace", &ns);
    if (result == TN_OK)
        result = tn_launch__join_namespace(
            loader, node, tn_launch__variable(loader, "ros_namespace"), ns, &joined);
    return result == TN_OK
               ? tn_launch__set(loader, &loader->scope.variables, "ros_namespace", joined)
               : result;
}

static enum tn_result do_set_remap(struct tn_launch__loader *loader, const struct tn_xml_node *node)
{
    const char *from = NULL, *to = NULL;
    enum tn_result result = tn_launch__attribute(loader, node, "from", &from);
    if (result == TN_OK)
        result = tn_launch__attribute(loader, node, "to", &to);
    return result == TN_OK ? tn_launch__set(loader, &loader->scope.remaps, from, to) : result;
}

static enum tn_result add_global(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                                 struct tn_launch__global *global)
{
    global->next = loader->scope.globals;
    global->depth = global->next != NULL ? global->next->depth + 1 : 1;
    if (global->depth > TN_LAUNCH__BINDINGS_MAX)
        return tn_launch__fail(loader, node, TN_ERR_LIMIT, "more than %u parameters for all nodes",
                               TN_LAUNCH__BINDINGS_MAX);
    loader->scope.globals = global;
    return TN_OK;
}

static enum tn_result do_set_parameter(struct tn_launch__loader *loader,
                                       const struct tn_xml_node *node)
{
    struct tn_launch__global *global = tn_launch__room(loader, 1, sizeof *global);
    if (global == NULL)
        return TN_ERR_NO_MEMORY;
    enum tn_result result = tn_launch__attribute(loader, node, "name", &global->param.name);
    if (result == TN_OK)
        result = tn_launch__global_value(loader, node, &global->param.data);
    return result == TN_OK ? add_global(loader, node, global) : result;
}

static enum tn_result do_set_parameters_from_file(struct tn_launch__loader *loader,
                                                  const struct tn_xml_node *node)
{
    struct tn_launch__global *global = tn_launch__room(loader, 1, sizeof *global);
    const char *path = NULL;
    if (global == NULL)
        return TN_ERR_NO_MEMORY;
    enum tn_result result = tn_launch__attribute(loader, node, "filename", &path);
    if (result != TN_OK)
        return result;
    global->path = tn_launch__absolute(loader, path);
    if (global->path == NULL)
        return TN_ERR_NO_MEMORY;
    if (access(global->path, R_OK) != 0)
        return tn_launch__fail(loader, node, TN_ERR_NOT_FOUND, "no file of parameters %.200s",
                               global->path);
    return add_global(loader, node, global);
}

static enum tn_result do_log(struct tn_launch__loader *loader, const struct tn_xml_node *node)
{
    const char *message = NULL;
    enum tn_result result = tn_launch__attribute(loader, node, "message", &message);
    return result == TN_OK ? tn_launch__tell(loader, node, TN_LAUNCH_INFO, message) : result;
}

static enum tn_result do_let(struct tn_launch__loader *loader, const struct tn_xml_node *node)
{
    return do_set(loader, node, &loader->scope.variables);
}

static enum tn_result do_set_env(struct tn_launch__loader *loader, const struct tn_xml_node *node)
{
    return do_set(loader, node, &loader->scope.environment);
}

static enum tn_result do_reset_env(struct tn_launch__loader *loader, const struct tn_xml_node *node)
{
    (void)node;
    loader->scope.environment = NULL;
    return TN_OK;
}

typedef enum tn_result (*action_fn)(struct tn_launch__loader *loader,
                                    const struct tn_xml_node *node);

static const struct {
    const char *name;
    action_fn run;
} actions[] = {
    {"arg", do_arg},
    {"let", do_let},
    {"node", tn_launch__add_process},
    {"executable", tn_launch__add_process},
    {"push_ros_namespace", do_push_namespace},
    {"push-ros-namespace", do_push_namespace},
    {"set_remap", do_set_remap},
    {"set_parameter", do_set_parameter},
    {"set_parameters_from_file", do_set_parameters_from_file},
    {"set_env", do_set_env},
    {"unset_env", do_unset_env},
    {"append_env", do_append_env},
    {"reset_env", do_reset_env},
    {"reset", do_reset},
    {"log", do_log},
};

/// Whether the element is to be done.
static enum tn_result check_condition(struct tn_launch__loader *loader,
                                      const struct tn_xml_node *node, bool *out)
{
    *out = true;
    const char *names[] = {"if", "unless"};
    for (uint32_t i = 0; i < 2; i++) {
        const char *text = NULL;
        bool is_true = false;
        enum tn_result result = tn_launch__attribute(loader, node, names[i], &text);
        if (result == TN_OK && text != NULL)
            result = tn_launch__place(loader, node, names[i],
                                      tn_launch__condition(text, &is_true, loader->err));
        if (result != TN_OK)
            return result;
        if (text != NULL)
            *out = is_true == (i == 0);
    }
    return TN_OK;
}

static enum tn_result execute(struct execution *e, const struct tn_xml_node *node)
{
    bool is_wanted = true;
    if (e->loader->n_elements++ == TN_LAUNCH_ELEMENTS_MAX)
        return tn_launch__fail(e->loader, node, TN_ERR_LIMIT, "more than %u elements to execute",
                               TN_LAUNCH_ELEMENTS_MAX);
    enum tn_result result = check_condition(e->loader, node, &is_wanted);
    if (result != TN_OK || !is_wanted || strcmp(node->name, "keep") == 0)
        return result;
    if (strcmp(node->name, "group") == 0)
        return do_group(e, node);
    if (strcmp(node->name, "include") == 0)
        return do_include(e, node);
    for (size_t i = 0; i < TN_ARRAY_SIZE(actions); i++)
        if (strcmp(actions[i].name, node->name) == 0)
            return actions[i].run(e->loader, node);
    return tn_launch__fail(e->loader, node, TN_ERR_INTERNAL, "<%s> is accepted and not executed",
                           node->name);
}

enum tn_result tn_launch__execute(struct tn_launch__loader *loader, const char *path)
{
    struct execution e = {.loader = loader};
    e.frames = calloc(FRAMES_MAX, sizeof *e.frames);
    e.documents = calloc(TN_LAUNCH_FILES_MAX, sizeof(struct tn_xml_document *));
    const struct tn_launch__binding *given = NULL;
    enum tn_result result = e.frames != NULL && e.documents != NULL ? TN_OK : TN_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < loader->n_arguments && result == TN_OK; i++) {
        const struct tn_launch_argument *a = &loader->arguments[i];
        const char *name = tn_launch__keep(loader, a->name),
                   *value = tn_launch__keep(loader, a->value);
        result = name == NULL || value == NULL ? TN_ERR_NO_MEMORY
                                               : tn_launch__set(loader, &given, name, value);
    }
    loader->scope.variables = given;
    if (result == TN_OK)
        result = open_file(&e, NULL, path, given);
    while (result == TN_OK && e.n_frames > 0) {
        struct frame *f = &e.frames[e.n_frames - 1];
        const struct tn_xml_node *node = f->next;
        if (node == NULL) {
            pop(&e);
        } else {
            f->next = tn_xml_next(node, NULL);
            result = execute(&e, node);
        }
    }
    for (uint32_t i = 0; i < e.n_documents; i++)
        tn_xml_destroy(&e.documents[i]);
    free((void *)e.documents);
    free(e.frames);
    return result;
}
