// SPDX-License-Identifier: Apache-2.0
// the database: files, links between types, order
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rosidl/compiler/compiler__internal.h"

void tn_idl_init(struct tn_idl *idl, struct tn_arena *arena)
{
    *idl = (struct tn_idl){.arena = arena};
}

enum tn_result tn_idl_add_root(struct tn_idl *idl, const char *directory, struct tn_error *err)
{
    if (idl->n_roots == TN_IDL_MAX_ROOTS) {
        return tn_error_set(err, TN_ERR_LIMIT, "more than %d roots", TN_IDL_MAX_ROOTS);
    }
    idl->roots[idl->n_roots++] = directory;
    return TN_OK;
}

struct tn_idl_struct *tn_idl_find(const struct tn_idl *idl, const char *full_name)
{
    for (struct tn_idl_struct *type = idl->structs; type != NULL; type = type->next) {
        if (strcmp(type->full_name, full_name) == 0) {
            return type;
        }
    }
    return NULL;
}

bool tn_idl__add(struct tn_idl *idl, struct tn_idl_struct *type)
{
    if (tn_idl_find(idl, type->full_name) != NULL) {
        return false;
    }
    if (idl->last == NULL) {
        idl->structs = type;
    } else {
        idl->last->next = type;
    }
    idl->last = type;
    idl->n_structs++;
    return true;
}

static enum tn_result read_stream(struct tn_idl *idl, const char *full_name, const char *path,
                                  FILE *file, struct tn_error *err)
{
    char *text = malloc(TN_IDL_MAX_TEXT + 1);
    if (text == NULL) {
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for %s", path);
    }
    // one byte more than allowed, so that the parser sees that it is too long
    size_t size = fread(text, 1, TN_IDL_MAX_TEXT + 1, file);
    enum tn_result result = TN_OK;
    if (ferror(file)) {
        result = tn_error_at(err, TN_ERR_IO, path, 0, 0, "cannot be read: %s", strerror(errno));
    } else {
        result = tn_idl_parse(idl, full_name, path, text, size, err);
    }
    free(text);
    return result;
}

static const char *kind_of(const char *full_name)
{
    if (strstr(full_name, "/action/") != NULL) {
        return "action";
    }
    return strstr(full_name, "/srv/") != NULL ? "srv" : "msg";
}

// "pkg/srv/Name_Request" lies in the file of "pkg/srv/Name"
static size_t file_name_size(const char *full_name)
{
    const char *kind = strcmp(kind_of(full_name), "msg") != 0 ? strchr(full_name, '/') : NULL;
    kind = kind != NULL ? strchr(kind + 1, '/') : NULL;
    const char *part = kind != NULL ? strchr(kind, '_') : NULL;
    return part != NULL ? (size_t)(part - full_name) : strlen(full_name);
}

enum tn_result tn_idl_load(struct tn_idl *idl, const char *full_name, struct tn_error *err)
{
    if (tn_idl_find(idl, full_name) != NULL) {
        return TN_OK;
    }
    char path[1024];
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)file_name_size(full_name), full_name);
    const char *kind = kind_of(name);
    for (uint32_t i = 0; i < idl->n_roots; i++) {
        snprintf(path, sizeof path, "%s/%s.%s", idl->roots[i], name, kind);
        FILE *file = fopen(path, "r");
        if (file != NULL) {
            enum tn_result result = read_stream(idl, name, path, file, err);
            fclose(file);
            return result;
        }
        if (errno != ENOENT && errno != ENOTDIR) {
            return tn_error_at(err, TN_ERR_IO, path, 0, 0, "cannot be opened: %s", strerror(errno));
        }
    }
    const struct tn_type *known = idl->known != NULL && strcmp(kind, "msg") == 0
                                      ? tn_registry_message(idl->known, name)
                                      : NULL;
    if (known != NULL) {
        return tn_idl_parse(idl, name, name, known->text, strlen(known->text), err);
    }
    return tn_error_set(err, TN_ERR_NOT_FOUND, "no %s.%s in any of the %u roots", name, kind,
                        (unsigned)idl->n_roots);
}

static enum tn_result load_entry(struct tn_idl *idl, const char *package, const char *kind,
                                 const char *entry, struct tn_error *err)
{
    const char *dot = strrchr(entry, '.');
    if (dot == NULL || strcmp(dot + 1, kind) != 0) {
        return TN_OK;
    }
    char full_name[256];
    snprintf(full_name, sizeof full_name, "%s/%s/%.*s", package, kind, (int)(dot - entry), entry);
    return tn_idl_load(idl, full_name, err);
}

// reads one directory of a package; a missing one is no error
static enum tn_result load_directory(struct tn_idl *idl, const char *root, const char *package,
                                     const char *kind, bool *io_found, struct tn_error *err)
{
    char path[1024];
    struct dirent **entries;
    snprintf(path, sizeof path, "%s/%s/%s", root, package, kind);
    int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0) {
        return TN_OK;
    }
    enum tn_result result = TN_OK;
    *io_found = true;
    for (int i = 0; i < n; i++) {
        if (result == TN_OK) {
            result = load_entry(idl, package, kind, entries[i]->d_name, err);
        }
        free(entries[i]);
    }
    free(entries);
    return result;
}

enum tn_result tn_idl_load_package(struct tn_idl *idl, const char *package, struct tn_error *err)
{
    bool is_found = false;
    if (!tn_idl__is_name(TN_IDL__PACKAGE, package, strlen(package))) {
        return tn_error_set(err, TN_ERR_SYNTAX, "found package name '%.80s', expected %s", package,
                            tn_idl__name_rule(TN_IDL__PACKAGE));
    }
    for (uint32_t i = 0; i < idl->n_roots && !is_found; i++) {
        enum tn_result result = load_directory(idl, idl->roots[i], package, "msg", &is_found, err);
        if (result == TN_OK) {
            result = load_directory(idl, idl->roots[i], package, "srv", &is_found, err);
        }
        if (result == TN_OK) {
            result = load_directory(idl, idl->roots[i], package, "action", &is_found, err);
        }
        if (result != TN_OK) {
            return result;
        }
    }
    return is_found
               ? TN_OK
               : tn_error_set(err, TN_ERR_NOT_FOUND,
                              "no package %.80s with a msg, srv or action directory in any root",
                              package);
}

static enum tn_result link_field(struct tn_idl *idl, const struct tn_idl_struct *owner,
                                 struct tn_idl_field *field, struct tn_error *err)
{
    if (field->type.id != TN_TYPE_NESTED || field->type.nested != NULL) {
        return TN_OK;
    }
    struct tn_error inner = {0};
    enum tn_result result = tn_idl_load(idl, field->type.nested_name, &inner);
    field->type.nested = tn_idl_find(idl, field->type.nested_name);
    if (result == TN_OK && field->type.nested != NULL) {
        return TN_OK;
    }
    if (result != TN_OK && result != TN_ERR_NOT_FOUND) {
        // the file exists: its own error says more
        if (err != NULL) {
            *err = inner;
        }
        return result;
    }
    return tn_error_at(err, TN_ERR_NOT_FOUND, owner->file, field->line, field->column,
                       "found type %.80s, which is in none of the %u roots",
                       field->type.nested_name, (unsigned)idl->n_roots);
}

// highest rank among the types that a type uses; UINT32_MAX while one has none
static uint32_t highest_rank(const struct tn_idl_struct *type)
{
    uint32_t highest = 0;
    for (const struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
        if (f->type.nested == NULL) {
            continue;
        }
        if (f->type.nested->rank == 0) {
            return UINT32_MAX;
        }
        highest = f->type.nested->rank > highest ? f->type.nested->rank : highest;
    }
    return highest;
}

static uint32_t rank_pass(struct tn_idl *idl)
{
    uint32_t n_ranked = 0;
    for (struct tn_idl_struct *type = idl->structs; type != NULL; type = type->next) {
        uint32_t highest = type->rank == 0 ? highest_rank(type) : UINT32_MAX;
        if (highest != UINT32_MAX) {
            type->rank = highest + 1;
            tn_idl__layout(type);
            n_ranked++;
        }
    }
    return n_ranked;
}

// what is left without a rank after no pass finds more is in a circle or uses one
static enum tn_result rank_all(struct tn_idl *idl, struct tn_error *err)
{
    while (rank_pass(idl) > 0) {
    }
    for (const struct tn_idl_struct *type = idl->structs; type != NULL; type = type->next) {
        if (type->rank == 0) {
            const struct tn_idl_field *f = type->fields;
            while (f->type.nested == NULL || f->type.nested->rank != 0) {
                f = f->next;
            }
            return tn_error_at(err, TN_ERR_MALFORMED, type->file, f->line, f->column,
                               "%.80s uses %.80s, which uses itself, directly or not",
                               type->full_name, f->type.nested->full_name);
        }
    }
    return TN_OK;
}

enum tn_result tn_idl_resolve(struct tn_idl *idl, struct tn_error *err)
{
    // loading appends to the list that is being walked
    for (struct tn_idl_struct *type = idl->structs; type != NULL; type = type->next) {
        for (struct tn_idl_field *f = type->fields; f != NULL; f = f->next) {
            enum tn_result result = link_field(idl, type, f, err);
            if (result != TN_OK) {
                return result;
            }
        }
    }
    return rank_all(idl, err);
}

enum tn_result tn_idl_interpret(struct tn_idl *idl, const char *package, struct tn_error *err)
{
    bool is_found = false;
    for (struct tn_idl_struct *type = idl->structs; type != NULL; type = type->next) {
        if (strcmp(type->package, package) == 0) {
            type->is_interpreted = true;
            is_found = true;
        }
    }
    return is_found ? TN_OK
                    : tn_error_set(err, TN_ERR_NOT_FOUND,
                                   "--interpret names %.80s, which is not read", package);
}
