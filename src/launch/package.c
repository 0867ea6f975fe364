// SPDX-License-Identifier: Apache-2.0
#include "launch/package.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"

static const char index_folder[] = "share/ament_index/resource_index/packages";
static const char stand_in_folder[] = "lib/tendon/standin";

// deepest folder below share/<pkg> or lib/<pkg> that is looked into; no package is half as deep
#define DEPTH_MAX 16
// names that an error lists; more tell nobody more
#define NAMES_SHOWN 8

struct tn_packages {
    uint32_t n_prefixes;
    char **prefixes; // (n_prefixes)
    const char *own; // one of prefixes; NULL: none
    char *storage;   // what prefixes points into
};

// ---- the prefixes ----

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// the executable tells its prefix without links, AMENT_PREFIX_PATH may go through some
static bool is_same_folder(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

static const char *find_prefix(const struct tn_packages *self, const char *prefix)
{
    for (uint32_t i = 0; i < self->n_prefixes; i++)
        if (is_same_folder(self->prefixes[i], prefix))
            return self->prefixes[i];
    return NULL;
}

// takes one prefix that was not taken yet; storage and table have room for all
static void add_prefix(struct tn_packages *self, char **io_next, const char *text, size_t size)
{
    // "/" keeps its only slash
    while (size > 1 && text[size - 1] == '/')
        size--;
    memcpy(*io_next, text, size);
    (*io_next)[size] = '\0';
    if (size == 0 || !is_folder(*io_next) || find_prefix(self, *io_next) != NULL)
        return;
    self->prefixes[self->n_prefixes++] = *io_next;
    *io_next += size + 1;
}

static void add_list(struct tn_packages *self, char **io_next, const char *list)
{
    while (*list != '\0') {
        const size_t size = strcspn(list, ":");
        add_prefix(self, io_next, list, size);
        list += size + (list[size] == ':');
    }
}

static void add_prefixes(struct tn_packages *self, const char *own, const char *list)
{
    char *next = self->storage;
    add_list(self, &next, list);
    self->own = find_prefix(self, own);
    if (self->own != NULL)
        return;
    // not named there: before all of them
    self->n_prefixes = 0;
    next = self->storage;
    add_prefix(self, &next, own, strlen(own));
    self->own = tn_packages_prefix_at(self, 0);
    add_list(self, &next, list);
}

enum tn_result tn_packages_create(const char *own_prefix, const char *ament_prefix_path,
                                  struct tn_packages **out_packages, struct tn_error *err)
{
    const char *own = own_prefix != NULL ? own_prefix : "";
    const char *list = ament_prefix_path != NULL ? ament_prefix_path : "";
    size_t n_most = 2;
    size_t longest = strlen(own);
    for (const char *at = list; *at != '\0'; at += strcspn(at, ":"), at += *at == ':') {
        n_most++;
        longest = strcspn(at, ":") > longest ? strcspn(at, ":") : longest;
    }
    if (longest >= TN_PACKAGE_PATH_MAX - TN_PACKAGE_NAME_MAX)
        return tn_error_set(err, TN_ERR_LIMIT,
                            "a prefix of AMENT_PREFIX_PATH has %zu bytes, at most %d are handled",
                            longest, TN_PACKAGE_PATH_MAX - TN_PACKAGE_NAME_MAX - 1);
    struct tn_packages *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->prefixes = calloc(n_most, sizeof *self->prefixes);
        self->storage = malloc(strlen(own) + strlen(list) + n_most + 2);
    }
    if (self == NULL || self->prefixes == NULL || self->storage == NULL) {
        tn_packages_destroy(&self);
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the prefixes");
    }
    add_prefixes(self, own, list);
    *out_packages = self;
    return TN_OK;
}

enum tn_result tn_packages_create_default(struct tn_packages **out_packages, struct tn_error *err)
{
    char own[TN_PACKAGE_PATH_MAX];
    // an executable outside a prefix has none; the others still serve
    if (tn_process_prefix(own, sizeof own) != TN_OK)
        own[0] = '\0';
    return tn_packages_create(own, getenv("AMENT_PREFIX_PATH"), out_packages, err);
}

void tn_packages_destroy(struct tn_packages **packages)
{
    struct tn_packages *self = *packages;
    *packages = NULL;
    if (self == NULL)
        return;
    free(self->prefixes);
    free(self->storage);
    free(self);
}

uint32_t tn_packages_count(const struct tn_packages *packages)
{
    return packages->n_prefixes;
}

const char *tn_packages_prefix_at(const struct tn_packages *packages, uint32_t index)
{
    return index < packages->n_prefixes ? packages->prefixes[index] : NULL;
}

// ---- texts that grow to a limit ----

struct text {
    char *data;
    size_t size, used;
    uint32_t n_names;
};

static void add_text(struct text *text, const char *format, ...) TN_PRINTF(2, 3);

static void add_text(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text->data + text->used, text->size - text->used, format, args);
    va_end(args);
    const size_t room = text->size - text->used - 1;
    if (n > 0)
        text->used += (size_t)n < room ? (size_t)n : room;
}

// "a, b, c, …"
static void add_name(void *context, const char *name, const char *path)
{
    (void)path;
    struct text *text = context;
    if (text->n_names < NAMES_SHOWN)
        add_text(text, "%s%s", text->n_names > 0 ? ", " : "", name);
    else if (text->n_names == NAMES_SHOWN)
        add_text(text, ", …");
    text->n_names++;
}

// false: longer than the buffer
static bool join(char *buffer, size_t size, const char *format, ...) TN_PRINTF(3, 4);

static bool join(char *buffer, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(buffer, size, format, args);
    va_end(args);
    return n >= 0 && (size_t)n < size;
}

static enum tn_result too_long(struct tn_error *err, const char *name)
{
    return tn_error_set(err, TN_ERR_LIMIT, "the path of %.80s is longer than %d bytes", name,
                        TN_PACKAGE_PATH_MAX - 1);
}

// ---- one package ----

// as ament_index checks it
static bool is_package_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const size_t length = strlen(name);
    if (length < 2 || length >= TN_PACKAGE_NAME_MAX || strchr(letters, name[0]) == NULL)
        return false;
    for (size_t i = 1; i < length; i++)
        if (strchr(letters, name[i]) == NULL && name[i] != '_' && name[i] != '-')
            return false;
    return true;
}

static enum tn_result unknown_package(const struct tn_packages *packages, const char *package,
                                      struct tn_error *err)
{
    char searched[TN_ERROR_TEXT_MAX] = "";
    struct text text = {.data = searched, .size = sizeof searched};
    for (uint32_t i = 0; i < packages->n_prefixes; i++)
        add_name(&text, packages->prefixes[i], NULL);
    return tn_error_set(err, TN_ERR_NOT_FOUND,
                        "package '%.80s' not found; source its workspace (AMENT_PREFIX_PATH), or "
                        "look at `tendon pkg list`; searched: %s",
                        package, searched[0] != '\0' ? searched : "nothing");
}

enum tn_result tn_package_prefix(const struct tn_packages *packages, const char *package,
                                 const char **out_prefix, struct tn_error *err)
{
    char path[TN_PACKAGE_PATH_MAX + TN_PACKAGE_NAME_MAX];
    if (!is_package_name(package))
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "'%.80s' is no name of a package: letters, digits, '_' and '-', at "
                            "least two, a letter or digit first",
                            package);
    for (uint32_t i = 0; i < packages->n_prefixes; i++) {
        if (join(path, sizeof path, "%s/%s/%s", packages->prefixes[i], index_folder, package) &&
            is_file(path)) {
            *out_prefix = packages->prefixes[i];
            return TN_OK;
        }
    }
    return unknown_package(packages, package, err);
}

enum tn_result tn_package_share(const struct tn_packages *packages, const char *package,
                                char *buffer, uint32_t size, struct tn_error *err)
{
    const char *prefix = NULL;
    const enum tn_result result = tn_package_prefix(packages, package, &prefix, err);
    if (result != TN_OK)
        return result;
    // "/" as a prefix must not make "//"
    const char *base = strcmp(prefix, "/") == 0 ? "" : prefix;
    char path[TN_PACKAGE_PATH_MAX + TN_PACKAGE_NAME_MAX];
    if (!join(path, sizeof path, "%s/share/%s", base, package) || strlen(path) >= size)
        return too_long(err, package);
    memcpy(buffer, path, strlen(path) + 1);
    return TN_OK;
}

// ---- walking a folder ----

// what a walk finds; kept because it is told in order
struct found {
    char *path;
    const char *name;
};

struct walk {
    bool wants_programs; // else files that end in `ending`
    const char *ending;
    struct found *found; // (n_found), room for n_room
    size_t n_found, n_room;
    bool is_out_of_memory;
};

static void keep(struct walk *walk, const char *path)
{
    if (walk->n_found == walk->n_room) {
        const size_t room = walk->n_room == 0 ? 16 : 2 * walk->n_room;
        struct found *grown = realloc(walk->found, room * sizeof *grown);
        if (grown == NULL) {
            walk->is_out_of_memory = true;
            return;
        }
        walk->found = grown;
        walk->n_room = room;
    }
    char *copy = strdup(path);
    if (copy == NULL) {
        walk->is_out_of_memory = true;
        return;
    }
    const char *slash = strrchr(copy, '/');
    walk->found[walk->n_found++] =
        (struct found){.path = copy, .name = slash != NULL ? slash + 1 : copy};
}

static bool is_wanted(const struct walk *walk, const char *path, const char *name)
{
    if (walk->wants_programs)
        return access(path, X_OK) == 0;
    const size_t length = strlen(name);
    const size_t size = strlen(walk->ending);
    return length >= size && strcmp(name + length - size, walk->ending) == 0;
}

static bool is_real_folder(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// folders that were opened on the way to the present one
struct level {
    DIR *folder;
    size_t length; // of the path up to it
};

static bool enter(struct level *levels, size_t *io_depth, char *path)
{
    DIR *folder = *io_depth < DEPTH_MAX ? opendir(path) : NULL;
    if (folder == NULL)
        return false;
    levels[(*io_depth)++] = (struct level){.folder = folder, .length = strlen(path)};
    return true;
}

// visits what a folder holds, and the folders in it unless their names begin with a dot
static void walk_folder(struct walk *walk, const char *root)
{
    char path[TN_PACKAGE_PATH_MAX + TN_PACKAGE_NAME_MAX];
    struct level levels[DEPTH_MAX];
    size_t depth = 0;
    if (!join(path, sizeof path, "%s", root) || !enter(levels, &depth, path))
        return;
    while (depth > 0) {
        struct level *level = &levels[depth - 1];
        const struct dirent *entry = readdir(level->folder);
        path[level->length] = '\0';
        if (entry == NULL) {
            (void)closedir(level->folder);
            depth--;
            continue;
        }
        if (!join(path + level->length, sizeof path - level->length, "/%s", entry->d_name))
            continue;
        // links to folders are not followed: they may lead back
        if (is_file(path)) {
            if (is_wanted(walk, path, entry->d_name))
                keep(walk, path);
        } else if (entry->d_name[0] != '.' && is_real_folder(path)) {
            (void)enter(levels, &depth, path);
        }
    }
}

static int by_name(const void *a, const void *b)
{
    const struct found *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order != 0 ? order : strcmp(left->path, right->path);
}

// the order of folders is that of the disk: told in alphabetical order
static enum tn_result tell(struct walk *walk, tn_package_name_fn callback, void *context)
{
    if (walk->n_found > 0)
        qsort(walk->found, walk->n_found, sizeof *walk->found, by_name);
    for (size_t i = 0; !walk->is_out_of_memory && i < walk->n_found; i++)
        callback(context, walk->found[i].name, walk->found[i].path);
    for (size_t i = 0; i < walk->n_found; i++)
        free(walk->found[i].path);
    free(walk->found);
    return walk->is_out_of_memory ? TN_ERR_NO_MEMORY : TN_OK;
}

static enum tn_result list_programs(const char *folder, tn_package_name_fn callback, void *context)
{
    struct walk walk = {.wants_programs = true};
    walk_folder(&walk, folder);
    return tell(&walk, callback, context);
}

static enum tn_result list_files(const char *folder, const char *ending,
                                 tn_package_name_fn callback, void *context)
{
    struct walk walk = {.ending = ending};
    walk_folder(&walk, folder);
    return tell(&walk, callback, context);
}

// ---- programs ----

// a name may have folders in it but must stay below the one it is looked up in
static bool stays_inside(const char *name)
{
    if (name[0] == '\0' || name[0] == '/' || strlen(name) >= TN_PACKAGE_NAME_MAX)
        return false;
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t size = strcspn(part, "/");
        if (size == 0 || (size == 2 && strncmp(part, "..", 2) == 0))
            return false;
    }
    return true;
}

static enum tn_result check_program(const char *path, struct tn_error *err)
{
    if (access(path, X_OK) == 0)
        return TN_OK;
    return tn_error_at(err, TN_ERR_PERMISSION, path, 0, 0,
                       "the program is not executable: %s; chmod +x it, or remount without noexec",
                       strerror(errno));
}

static enum tn_result unknown_program(const char *folder, const char *package, const char *name,
                                      struct tn_error *err)
{
    char names[TN_ERROR_TEXT_MAX] = "";
    struct text text = {.data = names, .size = sizeof names};
    const enum tn_result result = list_programs(folder, add_name, &text);
    if (result != TN_OK)
        return tn_error_set(err, result, "no memory to look into %s", folder);
    if (text.n_names == 0)
        return tn_error_at(err, TN_ERR_NOT_FOUND, folder, 0, 0,
                           "package '%.60s' has no program '%.60s', nor any other: is it built and "
                           "installed?",
                           package, name);
    return tn_error_at(err, TN_ERR_NOT_FOUND, folder, 0, 0,
                       "package '%.60s' has no program '%.60s'; it has: %s", package, name, names);
}

// the program in a folder; TN_ERR_NOT_FOUND without a text: nothing of that name
static enum tn_result program_in(const char *folder, const char *name,
                                 struct tn_package_program *out, struct tn_error *err)
{
    char path[sizeof out->path];
    if (!join(path, sizeof path, "%s/%s", folder, name))
        return too_long(err, name);
    if (!is_file(path))
        return TN_ERR_NOT_FOUND;
    const enum tn_result result = check_program(path, err);
    if (result == TN_OK)
        memcpy(out->path, path, sizeof path);
    return result;
}

static bool stand_in_path(const struct tn_packages *packages, const char *package, char *buffer,
                          size_t size)
{
    return packages->own != NULL &&
           join(buffer, size, "%s/%s/%s", packages->own, stand_in_folder, package) &&
           is_folder(buffer);
}

enum tn_result tn_package_program(const struct tn_packages *packages, const char *package,
                                  const char *name, struct tn_package_program *out_program,
                                  struct tn_error *err)
{
    char folder[TN_PACKAGE_PATH_MAX + TN_PACKAGE_NAME_MAX];
    const char *prefix = NULL;
    if (!stays_inside(name))
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "'%.80s' is no name of a program of package '%.80s'", name, package);
    const bool is_stand_in = tn_package_prefix(packages, package, &prefix, NULL) != TN_OK;
    if (is_stand_in) {
        if (!is_package_name(package) || !stand_in_path(packages, package, folder, sizeof folder))
            return tn_package_prefix(packages, package, &prefix, err);
    } else if (!join(folder, sizeof folder, "%s/lib/%s", prefix, package)) {
        return too_long(err, name);
    }
    struct tn_package_program program = {.is_stand_in = is_stand_in};
    enum tn_result result = program_in(folder, name, &program, err);
    if (result == TN_ERR_NOT_FOUND)
        result = unknown_program(folder, package, name, err);
    if (result == TN_OK)
        *out_program = program;
    return result;
}

enum tn_result tn_package_list_programs(const struct tn_packages *packages, const char *package,
                                        tn_package_name_fn callback, void *context,
                                        struct tn_error *err)
{
    char folder[TN_PACKAGE_PATH_MAX + TN_PACKAGE_NAME_MAX];
    const char *prefix = NULL;
    if (tn_package_prefix(packages, package, &prefix, NULL) == TN_OK) {
        if (!join(folder, sizeof folder, "%s/lib/%s", prefix, package))
            return too_long(err, package);
    } else if (!is_package_name(package) ||
               !stand_in_path(packages, package, folder, sizeof folder)) {
        return tn_package_prefix(packages, package, &prefix, err);
    }
    return list_programs(folder, callback, context);
}

// what is looked for by its name
struct search {
    const char *name;
    char *buffer;
    size_t size;
    char second[TN_ERROR_FILE_MAX];
    uint32_t n_found;
    bool is_too_long;
};

static void on_file(void *context, const char *name, const char *path)
{
    struct search *search = context;
    if (strcmp(name, search->name) != 0)
        return;
    search->n_found++;
    if (search->n_found == 1)
        search->is_too_long = !join(search->buffer, search->size, "%s", path);
    else if (search->n_found == 2)
        (void)join(search->second, sizeof search->second, "%s", path);
}

// true: found and kept, or too long, which the search tells
static bool search_path(struct search *search, const char *path)
{
    for (const char *at = path; at != NULL; at = strchr(at, ':')) {
        at += *at == ':';
        const size_t size = strcspn(at, ":");
        char full[TN_PACKAGE_PATH_MAX];
        // an empty folder is the present one
        if (!join(full, sizeof full, "%.*s/%s", size > 0 ? (int)size : 1, size > 0 ? at : ".",
                  search->name))
            continue;
        if (is_file(full) && access(full, X_OK) == 0) {
            on_file(search, search->name, full);
            return true;
        }
    }
    return false;
}

enum tn_result tn_packages_find_program(const struct tn_packages *packages, const char *path,
                                        const char *name, char *buffer, uint32_t size,
                                        struct tn_error *err)
{
    char found[TN_PACKAGE_PATH_MAX];
    char folder[TN_PACKAGE_PATH_MAX];
    struct search search = {.name = name, .buffer = found, .size = sizeof found};
    if (name[0] == '\0' || strchr(name, '/') != NULL)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "'%.80s' is no name of a program", name);
    if ((path == NULL || path[0] == '\0' || !search_path(&search, path)) && packages->own != NULL &&
        join(folder, sizeof folder, "%s/%s", packages->own, stand_in_folder) &&
        list_programs(folder, on_file, &search) != TN_OK)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory to look into %s", folder);
    if (search.n_found == 0)
        return tn_error_set(err, TN_ERR_NOT_FOUND,
                            "no program '%.80s' on PATH, and nothing stands in for it: install it, "
                            "or give its path",
                            name);
    if (search.is_too_long || strlen(found) >= size)
        return too_long(err, name);
    memcpy(buffer, found, strlen(found) + 1);
    return TN_OK;
}

// ---- files ----

static enum tn_result unknown_file(const char *share, const char *name, struct tn_error *err)
{
    char names[TN_ERROR_TEXT_MAX] = "";
    struct text text = {.data = names, .size = sizeof names};
    const enum tn_result result = list_files(share, ".launch.xml", add_name, &text);
    if (result != TN_OK)
        return tn_error_set(err, result, "no memory to look into %s", share);
    return tn_error_at(err, TN_ERR_NOT_FOUND, share, 0, 0,
                       "no file '%.80s' below this folder; launch files there: %s", name,
                       names[0] != '\0' ? names : "none");
}

enum tn_result tn_package_file(const struct tn_packages *packages, const char *package,
                               const char *name, char *buffer, uint32_t size, struct tn_error *err)
{
    char share[TN_PACKAGE_PATH_MAX];
    char path[TN_PACKAGE_PATH_MAX];
    struct search search = {.name = name, .buffer = path, .size = sizeof path};
    enum tn_result result = tn_package_share(packages, package, share, sizeof share, err);
    if (result != TN_OK)
        return result;
    if (strchr(name, '/') != NULL) {
        search.is_too_long = !join(path, sizeof path, "%s/%s", share, name);
        search.n_found = stays_inside(name) && is_file(path);
    } else {
        result = list_files(share, name, on_file, &search);
    }
    if (result != TN_OK)
        return tn_error_set(err, result, "no memory to look into %s", share);
    if (search.n_found == 0)
        return unknown_file(share, name, err);
    if (search.n_found > 1)
        return tn_error_at(err, TN_ERR_EXISTS, share, 0, 0,
                           "'%.60s' is there more than once, also as %s: give its path", name,
                           search.second);
    if (search.is_too_long || strlen(path) >= size)
        return too_long(err, name);
    memcpy(buffer, path, strlen(path) + 1);
    return TN_OK;
}

enum tn_result tn_package_list_files(const struct tn_packages *packages, const char *package,
                                     const char *ending, tn_package_name_fn callback, void *context,
                                     struct tn_error *err)
{
    char share[TN_PACKAGE_PATH_MAX];
    enum tn_result result = tn_package_share(packages, package, share, sizeof share, err);
    if (result == TN_OK)
        result = list_files(share, ending, callback, context);
    return result;
}

// ---- all packages ----

struct all {
    const struct tn_packages *packages;
    tn_package_name_fn callback;
    void *context;
};

// marks lie flat; the walk also sees what is in folders, which are no packages
static void on_mark(void *context, const char *name, const char *path)
{
    struct all *all = context;
    const char *prefix = NULL;
    (void)path;
    if (name[0] != '.' && tn_package_prefix(all->packages, name, &prefix, NULL) == TN_OK)
        all->callback(all->context, name, prefix);
}

enum tn_result tn_packages_list(const struct tn_packages *packages, tn_package_name_fn callback,
                                void *context)
{
    struct walk walk = {.ending = ""};
    for (uint32_t i = 0; i < packages->n_prefixes; i++) {
        char folder[TN_PACKAGE_PATH_MAX];
        if (join(folder, sizeof folder, "%s/%s", packages->prefixes[i], index_folder))
            walk_folder(&walk, folder);
    }
    // one package in two prefixes: the first of equal names by the order of search
    struct all all = {.packages = packages, .callback = callback, .context = context};
    size_t kept = 0;
    if (walk.n_found > 0)
        qsort(walk.found, walk.n_found, sizeof *walk.found, by_name);
    for (size_t i = 0; i < walk.n_found; i++) {
        if (kept > 0 && strcmp(walk.found[kept - 1].name, walk.found[i].name) == 0)
            free(walk.found[i].path);
        else
            walk.found[kept++] = walk.found[i];
    }
    walk.n_found = kept;
    return tell(&walk, on_mark, &all);
}
