// SPDX-License-Identifier: Apache-2.0
// making of a plan, and what its parts share
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/launch__plan.h"

struct owned_plan {
    struct tn_launch_plan plan; ///< first: a plan is its owner
    struct tn_arena arena;
};

// ---- errors ----

enum tn_result tn_launch__fail(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                               enum tn_result code, const char *format, ...)
{
    char text[TN_ERROR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (node == NULL)
        return tn_error_set(loader->err, code, "%s", text);
    return tn_error_at(loader->err, code, node->file, (int32_t)node->line, (int32_t)node->column,
                       "%s", text);
}

enum tn_result tn_launch__place(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                                const char *attribute, enum tn_result code)
{
    if (code == TN_OK)
        return TN_OK;
    char text[TN_ERROR_TEXT_MAX], file[TN_ERROR_FILE_MAX];
    (void)snprintf(text, sizeof text, "%s",
                   loader->err->code != TN_OK ? loader->err->text : tn_result_text(code));
    (void)snprintf(file, sizeof file, "%s", loader->err->file);
    // an error of another file keeps its place
    if (node == NULL || (loader->err->code != TN_OK && loader->err->line > 0))
        return code;
    const char *in_file = file[0] != '\0' ? " " : "";
    if (attribute == NULL)
        return tn_launch__fail(loader, node, code, "<%.40s>: %s%s%s", node->name, file, in_file,
                               text);
    return tn_launch__fail(loader, node, code, "%.40s of <%.40s>: %s%s%s", attribute, node->name,
                           file, in_file, text);
}

// ---- memory ----

void *tn_launch__room(struct tn_launch__loader *loader, size_t count, size_t size)
{
    void *room = tn_arena_alloc(loader->arena, count, size, _Alignof(max_align_t));
    if (room == NULL)
        (void)tn_error_set(loader->err, TN_ERR_NO_MEMORY,
                           "the launch files need more than %u bytes", TN_LAUNCH_MEMORY_MAX);
    return room;
}

const char *tn_launch__keep(struct tn_launch__loader *loader, const char *text)
{
    size_t size = strlen(text);
    char *copy = tn_launch__room(loader, size + 1, 1);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

// ---- variables ----

enum tn_result tn_launch__attribute(struct tn_launch__loader *loader,
                                    const struct tn_xml_node *node, const char *name,
                                    const char **out_text)
{
    const char *text = tn_xml_attribute(node, name);
    *out_text = NULL;
    if (text == NULL)
        return TN_OK;
    return tn_launch__place(loader, node, name, tn_launch__replace(loader, text, out_text));
}

const char *tn_launch__variable(struct tn_launch__loader *loader, const char *name)
{
    for (uint32_t i = 0; i < loader->n_arguments; i++)
        if (strcmp(loader->arguments[i].name, name) == 0)
            loader->is_used[i] = true;
    for (const struct tn_launch__binding *b = loader->scope.variables; b != NULL; b = b->next)
        if (strcmp(b->name, name) == 0)
            return b->value;
    return NULL;
}

enum tn_result tn_launch__set(struct tn_launch__loader *loader,
                              const struct tn_launch__binding **list, const char *name,
                              const char *value)
{
    struct tn_launch__binding *b = tn_launch__room(loader, 1, sizeof *b);
    if (b == NULL)
        return TN_ERR_NO_MEMORY;
    *b = (struct tn_launch__binding){name, value, *list != NULL ? (*list)->depth + 1 : 1, *list};
    if (list != &loader->scope.variables && b->depth > TN_LAUNCH__BINDINGS_MAX)
        return tn_error_set(loader->err, TN_ERR_LIMIT, "more than %u names are set at once",
                            TN_LAUNCH__BINDINGS_MAX);
    *list = b;
    return TN_OK;
}

const char *tn_launch__environment(const struct tn_launch__loader *loader, const char *name)
{
    for (const struct tn_launch__binding *b = loader->scope.environment; b != NULL; b = b->next)
        if (strcmp(b->name, name) == 0)
            return b->value;
    size_t size = strlen(name);
    for (const char *const *e = loader->world->environment; e != NULL && *e != NULL; e++)
        if (strncmp(*e, name, size) == 0 && (*e)[size] == '=')
            return *e + size + 1;
    return NULL;
}

enum tn_result tn_launch__condition(const char *text, bool *out, struct tn_error *err)
{
    char word[8] = "";
    size_t n = 0;
    const char *at = text + strspn(text, " \t\r\n");
    for (; *at != '\0' && n + 1 < sizeof word; at++)
        word[n++] = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    while (n > 0 && strchr(" \t\r\n", word[n - 1]) != NULL)
        n--;
    word[n] = '\0';
    bool is_true = strcmp(word, "true") == 0 || strcmp(word, "1") == 0;
    bool is_false = strcmp(word, "false") == 0 || strcmp(word, "0") == 0;
    bool has_more = at[strspn(at, " \t\r\n")] != '\0';
    if (has_more || (!is_true && !is_false))
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "\"%.80s\" is no condition: true, false, 1 or 0", text);
    *out = is_true;
    return TN_OK;
}

// ---- files ----

/// Takes `.`, `..` and repeated slashes out of an absolute path, in place.
static void normalise(char *path)
{
    size_t n = 0;
    for (const char *at = path; *at != '\0';) {
        at += strspn(at, "/");
        size_t size = strcspn(at, "/");
        if (size == 2 && at[0] == '.' && at[1] == '.') {
            while (n > 0 && path[--n] != '/')
                continue;
        } else if (size > 0 && !(size == 1 && at[0] == '.')) {
            path[n++] = '/';
            memmove(path + n, at, size);
            n += size;
        }
        at += size;
    }
    if (n == 0)
        path[n++] = '/';
    path[n] = '\0';
}

const char *tn_launch__absolute(struct tn_launch__loader *loader, const char *path)
{
    char folder[TN_LAUNCH__PATH_MAX] = "";
    if (path[0] != '/' && loader->world->working_dir == NULL &&
        getcwd(folder, sizeof folder) == NULL)
        folder[0] = '\0';
    const char *base = path[0] == '/'                       ? ""
                       : loader->world->working_dir != NULL ? loader->world->working_dir
                                                            : folder;
    size_t size = strlen(base) + strlen(path) + 3;
    char *whole = tn_launch__room(loader, size, 1);
    if (whole == NULL)
        return NULL;
    (void)snprintf(whole, size, "/%s/%s", base, path);
    normalise(whole);
    return whole;
}

static enum tn_result read_stream(FILE *file, struct tn_launch__text *out)
{
    char block[8192];
    enum tn_result result = tn_launch__text_append(out, "", 0);
    for (size_t n = 1; n > 0 && result == TN_OK;) {
        n = fread(block, 1, sizeof block, file);
        result = tn_launch__text_append(out, block, n);
    }
    return result == TN_OK && ferror(file) != 0 ? TN_ERR_IO : result;
}

enum tn_result tn_launch__read_file(const char *path, struct tn_launch__text *out,
                                    struct tn_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return tn_error_set(err, TN_ERR_NOT_FOUND, "%.120s cannot be read: %s", path,
                            strerror(errno));
    // a pipe or device would block, or never end
    if (!S_ISREG(info.st_mode))
        return tn_error_set(err, TN_ERR_IO, "%.120s is no ordinary file", path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return tn_error_set(err, TN_ERR_IO, "%.120s cannot be read: %s", path, strerror(errno));
    enum tn_result result = read_stream(file, out);
    (void)fclose(file);
    if (result == TN_OK && strlen(out->data) != out->size)
        return tn_error_set(err, TN_ERR_MALFORMED, "%.120s has a NUL in it", path);
    if (result != TN_OK)
        return tn_error_set(err, result, "%.120s cannot be read: %s", path, tn_result_text(result));
    return TN_OK;
}

enum tn_result tn_launch__tell(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                               enum tn_launch_message_kind kind, const char *text)
{
    if (loader->n_messages == TN_LAUNCH__MESSAGES_MAX)
        return tn_launch__fail(loader, node, TN_ERR_LIMIT, "more than %u messages",
                               TN_LAUNCH__MESSAGES_MAX);
    struct tn_launch_message *message = &loader->messages[loader->n_messages];
    const char *file = node != NULL             ? tn_launch__keep(loader, node->file)
                       : loader->source != NULL ? loader->source->path
                                                : "";
    *message = (struct tn_launch_message){.kind = kind,
                                          .text = tn_launch__keep(loader, text),
                                          .before_process = loader->n_processes,
                                          .file = file,
                                          .line = node != NULL ? node->line : 0};
    if (message->text == NULL || message->file == NULL)
        return TN_ERR_NO_MEMORY;
    loader->n_messages++;
    return TN_OK;
}

// ---- the whole ----

/// Arguments of the launcher itself that no launch file declares.
static bool is_launcher_argument(const char *name)
{
    static const char *const names[] = {"launch-prefix",   "launch-prefix-filter", "emulate_tty",
                                        "sigterm_timeout", "sigkill_timeout",      "ros_namespace"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static enum tn_result warn_of_unused(struct tn_launch__loader *loader)
{
    enum tn_result result = TN_OK;
    for (uint32_t i = 0; i < loader->n_arguments && result == TN_OK; i++) {
        const char *name = loader->arguments[i].name;
        char text[256];
        (void)snprintf(text, sizeof text, "no launch file has the argument %.100s: see --show-args",
                       name);
        if (!loader->is_used[i] && !is_launcher_argument(name))
            result = tn_launch__tell(loader, NULL, TN_LAUNCH_WARNING, text);
    }
    return result;
}

static enum tn_result prepare(struct tn_launch__loader *loader)
{
    loader->processes = tn_launch__room(loader, TN_LAUNCH_PROCESSES_MAX, sizeof *loader->processes);
    loader->messages = tn_launch__room(loader, TN_LAUNCH__MESSAGES_MAX, sizeof *loader->messages);
    loader->sources = tn_launch__room(loader, TN_LAUNCH_FILES_MAX, sizeof *loader->sources);
    loader->is_used = tn_launch__room(loader, loader->n_arguments, sizeof *loader->is_used);
    return loader->processes != NULL && loader->messages != NULL && loader->sources != NULL &&
                   loader->is_used != NULL
               ? TN_OK
               : TN_ERR_NO_MEMORY;
}

enum tn_result tn_launch_load(const char *path, const struct tn_launch_argument *arguments,
                              uint32_t n_arguments, const struct tn_launch_world *world,
                              struct tn_launch_plan **out_plan, struct tn_error *err)
{
    struct tn_error local = {0};
    struct owned_plan *owned = calloc(1, sizeof *owned);
    *out_plan = NULL;
    if (owned == NULL || tn_arena_create(&owned->arena, TN_LAUNCH_MEMORY_MAX) != TN_OK) {
        free(owned);
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for a plan");
    }
    struct tn_launch__loader loader = {.world = world,
                                       .arena = &owned->arena,
                                       .err = &local,
                                       .arguments = arguments,
                                       .n_arguments = n_arguments};
    enum tn_result result = prepare(&loader);
    if (result == TN_OK)
        result = tn_launch__execute(&loader, path);
    if (result == TN_OK)
        result = warn_of_unused(&loader);
    if (result != TN_OK) {
        if (local.code == TN_OK)
            (void)tn_error_set(&local, result, "%s", tn_result_text(result));
        local.code = result;
        if (err != NULL)
            *err = local;
        tn_arena_destroy(&owned->arena);
        free(owned);
        return result;
    }
    owned->plan = (struct tn_launch_plan){loader.processes,  loader.n_processes, loader.messages,
                                          loader.n_messages, loader.sources,     loader.n_sources};
    *out_plan = &owned->plan;
    return TN_OK;
}

void tn_launch_plan_destroy(struct tn_launch_plan **plan)
{
    if (plan == NULL || *plan == NULL)
        return;
    struct owned_plan *owned = (struct owned_plan *)(void *)*plan;
    tn_arena_destroy(&owned->arena);
    free(owned);
    *plan = NULL;
}

enum tn_result tn_launch_split_argument(const char *text, char *name, uint32_t size,
                                        const char **out_value, struct tn_error *err)
{
    const char *sign = strstr(text, ":=");
    if (sign == NULL || sign == text || sign[2] == '\0')
        return tn_error_set(err, TN_ERR_SYNTAX, "\"%.100s\" is no launch argument: NAME:=VALUE",
                            text);
    size_t n = (size_t)(sign - text);
    if (n >= size)
        return tn_error_set(err, TN_ERR_LIMIT, "the name of \"%.60s…\" is longer than %u bytes",
                            text, size - 1);
    memcpy(name, text, n);
    name[n] = '\0';
    *out_value = sign + 2;
    return TN_OK;
}
