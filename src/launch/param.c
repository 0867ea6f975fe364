// SPDX-License-Identifier: Apache-2.0
// values of parameters: typed by YAML's rules or by type="…", replaced before or after
#include <stdio.h>
#include <string.h>

#include "launch/launch__loader.h"

/// What type="…" says.
struct wanted {
    enum tn_launch__type type;
    bool is_list;
};

static bool find_type(const char *name, struct wanted *out)
{
    static const struct {
        const char *name;
        struct wanted wanted;
    } types[] = {
        {"str", {TN_LAUNCH__TYPE_STR, false}},
        {"bool", {TN_LAUNCH__TYPE_BOOL, false}},
        {"int", {TN_LAUNCH__TYPE_INT, false}},
        {"float", {TN_LAUNCH__TYPE_FLOAT, false}},
        {"list_of_str", {TN_LAUNCH__TYPE_STR, true}},
        {"list_of_bool", {TN_LAUNCH__TYPE_BOOL, true}},
        {"list_of_float", {TN_LAUNCH__TYPE_FLOAT, true}},
        {"list_of_int", {TN_LAUNCH__TYPE_INT, true}},
        {"yaml", {TN_LAUNCH__TYPE_ANY, false}},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(types); i++) {
        if (strcmp(types[i].name, name) == 0) {
            *out = types[i].wanted;
            return true;
        }
    }
    return false;
}

static enum tn_result one_item(struct tn_launch__loader *loader, struct tn_launch__data *out)
{
    *out = (struct tn_launch__data){.n = 1};
    out->items = tn_launch__room(loader, 1, sizeof *out->items);
    return out->items != NULL ? TN_OK : TN_ERR_NO_MEMORY;
}

/// Replaces substitutions. `*out_had_any`: there were some.
static enum tn_result replace(struct tn_launch__loader *loader, const char *text,
                              const char **out_text, bool *out_had_any)
{
    struct tn_launch__template parsed;
    enum tn_result result = tn_launch__parse(text, loader->arena, &parsed, loader->err);
    *out_had_any = result == TN_OK && parsed.first != NULL &&
                   (parsed.first->next != NULL || !parsed.first->is_text);
    return result == TN_OK ? tn_launch__replace(loader, text, out_text) : result;
}

/// An element that was read, or a whole value: a string may have substitutions, whose result is
/// read again.
static enum tn_result finish_item(struct tn_launch__loader *loader, enum tn_launch__type type,
                                  struct tn_launch__scalar *item)
{
    if (item->type != TN_LAUNCH__TYPE_STR)
        return TN_OK;
    bool had_any = false;
    enum tn_result result = replace(loader, item->text, &item->text, &had_any);
    if (result != TN_OK || !had_any)
        return result;
    struct tn_launch__data data;
    if (type != TN_LAUNCH__TYPE_ANY)
        return tn_launch__read_as(item->text, type, loader->arena, item, loader->err);
    // nothing stays a text of no letters
    if (item->text[0] == '\0')
        return TN_OK;
    result = tn_launch__read_yaml(item->text, loader->arena, &data, loader->err);
    if (result != TN_OK)
        return result;
    if (data.is_list)
        return tn_error_set(loader->err, TN_ERR_INVALID_ARGUMENT, "a list inside a list");
    *item = data.items[0];
    return TN_OK;
}

/// All elements have the type that is wanted, or all the same. Integers are no floats, as in
/// Python.
static enum tn_result check_items(struct tn_launch__loader *loader, enum tn_launch__type type,
                                  const struct tn_launch__data *data)
{
    for (uint32_t i = 0; i < data->n; i++) {
        enum tn_launch__type expected = type != TN_LAUNCH__TYPE_ANY ? type : data->items[0].type;
        if (data->items[i].type != expected)
            return tn_error_set(loader->err, TN_ERR_INVALID_ARGUMENT,
                                "\"%.60s\" is of type %s, %s of the list should be %s",
                                data->items[i].text, tn_launch__type_name(data->items[i].type),
                                type != TN_LAUNCH__TYPE_ANY ? "all" : "as the first all",
                                tn_launch__type_name(expected));
    }
    return TN_OK;
}

static enum tn_result finish_list(struct tn_launch__loader *loader, enum tn_launch__type type,
                                  struct tn_launch__data *data)
{
    enum tn_result result = TN_OK;
    for (uint32_t i = 0; i < data->n && result == TN_OK; i++)
        result = finish_item(loader, type, &data->items[i]);
    return result == TN_OK ? check_items(loader, type, data) : result;
}

/// A text that YAML cannot read stays as it is at first: it may become readable when it is
/// replaced.
static enum tn_result read_first(struct tn_launch__loader *loader, const char *text,
                                 struct tn_launch__data *out)
{
    enum tn_result result = text[0] != '\0'
                                ? tn_launch__read_yaml(text, loader->arena, out, loader->err)
                                : TN_ERR_SYNTAX;
    if (result != TN_ERR_SYNTAX)
        return result;
    *loader->err = (struct tn_error){0};
    result = one_item(loader, out);
    if (result == TN_OK)
        out->items[0] = (struct tn_launch__scalar){
            .type = TN_LAUNCH__TYPE_STR, .is_quoted = true, .text = text};
    return result;
}

/// Without a type, or a list of one: YAML first, then substitutions in its strings.
static enum tn_result read_by_yaml(struct tn_launch__loader *loader, const char *text,
                                   struct wanted wanted, struct tn_launch__data *out)
{
    enum tn_result result = read_first(loader, text, out);
    if (result != TN_OK)
        return result;
    if (out->is_list)
        return finish_list(loader, wanted.type, out);
    struct tn_launch__scalar *item = &out->items[0];
    bool had_any = false;
    if (item->type == TN_LAUNCH__TYPE_STR)
        result = replace(loader, item->text, &item->text, &had_any);
    // a whole value that was replaced may be anything, a list too
    if (result == TN_OK && had_any && item->text[0] != '\0')
        result = tn_launch__read_yaml(item->text, loader->arena, out, loader->err);
    if (result == TN_OK && wanted.is_list && !out->is_list)
        return tn_error_set(loader->err, TN_ERR_INVALID_ARGUMENT, "\"%.60s\" is no list",
                            out->items[0].text);
    return result == TN_OK && out->is_list ? check_items(loader, wanted.type, out) : result;
}

/// value-sep: the elements are what stands between the separators.
static enum tn_result read_separated(struct tn_launch__loader *loader, const char *text,
                                     const char *separator, struct wanted wanted,
                                     struct tn_launch__data *out)
{
    if (separator[0] == '\0')
        return tn_error_set(loader->err, TN_ERR_INVALID_ARGUMENT, "value-sep is empty");
    if (!wanted.is_list && wanted.type != TN_LAUNCH__TYPE_ANY)
        return tn_error_set(loader->err, TN_ERR_INVALID_ARGUMENT,
                            "value-sep makes a list; the type should be list_of_%s",
                            tn_launch__type_name(wanted.type));
    size_t size = strlen(separator);
    uint32_t n = 1;
    for (const char *at = strstr(text, separator); at != NULL; at = strstr(at + size, separator))
        n++;
    *out = (struct tn_launch__data){.is_list = true};
    out->items = tn_launch__room(loader, n, sizeof *out->items);
    enum tn_result result = out->items != NULL ? TN_OK : TN_ERR_NO_MEMORY;
    for (const char *at = text; out->n < n && result == TN_OK; out->n++) {
        const char *end = strstr(at, separator);
        struct tn_launch__data one;
        const char *part =
            tn_arena_strndup(loader->arena, at, end != NULL ? (size_t)(end - at) : strlen(at));
        if (part == NULL)
            return tn_error_set(loader->err, TN_ERR_NO_MEMORY, "a list needs too much memory");
        at = end != NULL ? end + size : at;
        struct tn_launch__scalar *item = &out->items[out->n];
        *item = (struct tn_launch__scalar){
            .type = TN_LAUNCH__TYPE_STR, .is_quoted = true, .text = part};
        bool had_any = false;
        if (wanted.type != TN_LAUNCH__TYPE_ANY) {
            result = replace(loader, part, &item->text, &had_any);
            if (result == TN_OK)
                result =
                    tn_launch__read_as(item->text, wanted.type, loader->arena, item, loader->err);
            continue;
        }
        result = read_first(loader, part, &one);
        if (result == TN_OK && one.is_list)
            result = tn_error_set(loader->err, TN_ERR_INVALID_ARGUMENT, "a list inside a list");
        if (result == TN_OK)
            *item = one.items[0];
        if (result == TN_OK)
            result = finish_item(loader, TN_LAUNCH__TYPE_ANY, item);
    }
    return result == TN_OK ? check_items(loader, wanted.type, out) : result;
}

enum tn_result tn_launch__param_value(struct tn_launch__loader *loader,
                                      const struct tn_xml_node *node, struct tn_launch__data *out)
{
    const char *text = tn_xml_attribute(node, "value");
    const char *separator = tn_xml_attribute(node, "value-sep");
    const char *type = tn_xml_attribute(node, "type");
    struct wanted wanted = {TN_LAUNCH__TYPE_ANY, false};
    if (type != NULL && !find_type(type, &wanted))
        return tn_launch__fail(loader, node, TN_ERR_INVALID_ARGUMENT,
                               "no type \"%.60s\": str, bool, int, float, list_of_… or yaml", type);
    enum tn_result result = TN_OK;
    if (separator != NULL) {
        result = read_separated(loader, text, separator, wanted, out);
    } else if (wanted.type != TN_LAUNCH__TYPE_ANY && !wanted.is_list) {
        const char *replaced = NULL;
        result = tn_launch__replace(loader, text, &replaced);
        if (result == TN_OK)
            result = one_item(loader, out);
        if (result == TN_OK)
            result = tn_launch__read_as(replaced, wanted.type, loader->arena, &out->items[0],
                                        loader->err);
    } else {
        result = read_by_yaml(loader, text, wanted, out);
    }
    return tn_launch__place(loader, node, "value", result);
}

enum tn_result tn_launch__global_value(struct tn_launch__loader *loader,
                                       const struct tn_xml_node *node, struct tn_launch__data *out)
{
    const char *text = NULL;
    enum tn_result result = tn_launch__attribute(loader, node, "value", &text);
    if (result != TN_OK)
        return result;
    if (text[0] == '\0') {
        result = one_item(loader, out);
        if (result == TN_OK)
            out->items[0] = (struct tn_launch__scalar){
                .type = TN_LAUNCH__TYPE_STR, .is_quoted = true, .text = ""};
        return result;
    }
    result = tn_launch__read_yaml(text, loader->arena, out, loader->err);
    if (result == TN_OK && out->is_list)
        result = out->n > 0 ? check_items(loader, TN_LAUNCH__TYPE_ANY, out)
                            : tn_error_set(loader->err, TN_ERR_INVALID_ARGUMENT,
                                           "a list without elements has no type");
    return tn_launch__place(loader, node, "value", result);
}

/// The name of a parameter, behind those of the elements around it.
static enum tn_result full_name(struct tn_launch__loader *loader, const struct tn_xml_node *top,
                                const struct tn_xml_node *node, const char **out)
{
    const char *name = NULL;
    enum tn_result result = tn_launch__attribute(loader, node, "name", &name);
    for (const struct tn_xml_node *n = node; n != top && result == TN_OK; n = n->parent) {
        const char *outer = NULL;
        result = tn_launch__attribute(loader, n->parent, "name", &outer);
        if (result != TN_OK)
            return result;
        size_t size = strlen(outer) + strlen(name) + 2;
        char *joined = tn_launch__room(loader, size, 1);
        if (joined == NULL)
            return TN_ERR_NO_MEMORY;
        (void)snprintf(joined, size, "%s.%s", outer, name);
        name = joined;
    }
    *out = name;
    return result;
}

enum tn_result tn_launch__collect_params(struct tn_launch__loader *loader,
                                         const struct tn_xml_node *node,
                                         struct tn_launch__params *row)
{
    enum tn_result result = TN_OK;
    for (const struct tn_xml_node *c = node; c != NULL && result == TN_OK;
         c = tn_launch__walk(node, c)) {
        if (tn_xml_attribute(c, "value") == NULL)
            continue;
        if (row->n++ == TN_LAUNCH__PARAMS_MAX)
            return tn_launch__fail(loader, c, TN_ERR_LIMIT, "more than %u parameters of a node",
                                   TN_LAUNCH__PARAMS_MAX);
        struct tn_launch__param *param = tn_launch__room(loader, 1, sizeof *param);
        if (param == NULL)
            return TN_ERR_NO_MEMORY;
        result = full_name(loader, node, c, &param->name);
        if (result == TN_OK)
            result = tn_launch__param_value(loader, c, &param->data);
        if (row->last != NULL)
            row->last->next = param;
        else
            row->first = param;
        row->last = param;
    }
    return result;
}

const char *tn_launch__data_text(struct tn_launch__loader *loader,
                                 const struct tn_launch__data *data)
{
    struct tn_launch__text text = {0};
    enum tn_result result = tn_launch__text_add(&text, data->is_list ? "[" : "");
    for (uint32_t i = 0; i < data->n && result == TN_OK; i++) {
        const struct tn_launch__scalar *item = &data->items[i];
        bool is_true = item->type == TN_LAUNCH__TYPE_BOOL && strcmp(item->text, "true") == 0;
        result = i > 0 ? tn_launch__text_add(&text, ", ") : TN_OK;
        if (result == TN_OK)
            result = tn_launch__text_add(&text, item->type != TN_LAUNCH__TYPE_BOOL ? item->text
                                                : is_true                          ? "True"
                                                                                   : "False");
    }
    if (result == TN_OK)
        result = tn_launch__text_add(&text, data->is_list ? "]" : "");
    const char *kept = result == TN_OK ? tn_launch__keep(loader, text.data) : NULL;
    tn_launch__text_fini(&text);
    return kept;
}
