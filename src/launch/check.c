// SPDX-License-Identifier: Apache-2.0
// a launch file is checked as a whole before anything of it is executed, branches not taken too
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "launch/launch__loader.h"
#include "launch/launch__table.h"

const struct tn_xml_node *tn_launch__walk(const struct tn_xml_node *root,
                                          const struct tn_xml_node *node)
{
    const struct tn_xml_node *next = tn_xml_child(node, NULL);
    while (next == NULL && node != root) {
        next = tn_xml_next(node, NULL);
        node = node->parent;
    }
    return next;
}

/// What an element inside this one is looked up under; NULL: it is an action.
static const char *path_of(const struct tn_xml_node *node)
{
    bool holds_actions = strcmp(node->name, "launch") == 0 || strcmp(node->name, "group") == 0;
    return holds_actions ? NULL : node->name;
}

static const struct tn_launch_item *find_element(const struct tn_xml_node *node)
{
    const char *parent = path_of(node->parent);
    if (parent == NULL && strcmp(node->name, "launch") == 0)
        return NULL;
    // keep is the one element beside actions
    const struct tn_launch_item *item = tn_launch__find_item(node->parent->name, node->name, NULL);
    return item != NULL     ? item
           : parent == NULL ? tn_launch__find_item(NULL, node->name, NULL)
                            : NULL;
}

/// The attributes an element takes, as a list.
static void list_attributes(const char *element, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    const struct tn_launch_item *item = NULL;
    for (uint32_t i = 0; (item = tn_launch_table_at(i)) != NULL; i++) {
        if (item->attribute == NULL || strcmp(item->element, element) != 0 || n >= size)
            continue;
        int written = snprintf(out + n, size - n, "%s%s", n > 0 ? ", " : "", item->attribute);
        n += written > 0 ? (size_t)written : 0;
    }
}

static enum tn_result check_value(struct tn_launch__loader *loader, const struct tn_xml_node *node,
                                  const struct tn_launch_item *item, const char *value)
{
    struct tn_launch__template parsed;
    size_t mark = tn_arena_mark(loader->arena);
    bool is_true = false;
    double number = 0;
    int64_t integer = 0;
    enum tn_result result = TN_OK;
    switch (item->value) {
    case TN_LAUNCH_VALUE_SUBSTITUTED:
        result = tn_launch__parse(value, loader->arena, &parsed, loader->err);
        break;
    case TN_LAUNCH_VALUE_BOOLEAN:
        result = tn_launch__read_bool(value, loader->arena, &is_true, loader->err);
        break;
    case TN_LAUNCH_VALUE_NUMBER:
        result = tn_parse_f64(value, strlen(value), 0, HUGE_VAL, &number);
        if (result != TN_OK)
            result =
                tn_error_set(loader->err, TN_ERR_INVALID_ARGUMENT,
                             "\"%.60s\" is no number from 0 on; substitutions are not replaced "
                             "here",
                             value);
        break;
    case TN_LAUNCH_VALUE_INTEGER:
        result = tn_parse_i64(value, strlen(value), INT32_MIN, INT32_MAX, &integer);
        if (result != TN_OK)
            result =
                tn_error_set(loader->err, TN_ERR_INVALID_ARGUMENT,
                             "\"%.60s\" is no integer; substitutions are not replaced here", value);
        break;
    case TN_LAUNCH_VALUE_NONE:
    case TN_LAUNCH_VALUE_TEXT:
        break;
    }
    tn_arena_release(loader->arena, mark);
    return tn_launch__place(loader, node, item->attribute, result);
}

static enum tn_result check_attributes(struct tn_launch__loader *loader,
                                       const struct tn_xml_node *node,
                                       const struct tn_launch_item *element)
{
    for (uint32_t i = 0; i < node->n_attributes; i++) {
        const char *name = node->attributes[i].name;
        const struct tn_launch_item *item = tn_launch__find_item(NULL, element->element, name);
        if (item == NULL) {
            char known[160];
            list_attributes(element->element, known, sizeof known);
            return tn_launch__fail(loader, node, TN_ERR_UNSUPPORTED,
                                   "<%.40s> has no attribute \"%.60s\"; it takes %.120s",
                                   node->name, name, known);
        }
        enum tn_result result = check_value(loader, node, item, node->attributes[i].value);
        if (result != TN_OK)
            return result;
    }
    const struct tn_launch_item *item = NULL;
    for (uint32_t i = 0; (item = tn_launch_table_at(i)) != NULL; i++)
        if (item->is_required && strcmp(item->element, element->element) == 0 &&
            tn_xml_attribute(node, item->attribute) == NULL)
            return tn_launch__fail(loader, node, TN_ERR_NOT_FOUND, "<%s> needs the attribute %s",
                                   node->name, item->attribute);
    return TN_OK;
}

static bool has(const struct tn_xml_node *node, const char *attribute)
{
    return tn_xml_attribute(node, attribute) != NULL;
}

/// A parameter has a value or others inside; or it is a file.
static const char *wrong_with_param(const struct tn_xml_node *node)
{
    bool has_inside = tn_xml_child(node, "param") != NULL;
    if (has(node, "from"))
        return has(node, "name") || has(node, "value") || has(node, "type") || has_inside
                   ? "takes from (with allow_substs) or name, not both"
                   : NULL;
    if (!has(node, "name"))
        return "needs name or from";
    if (has(node, "allow_substs"))
        return "takes allow_substs together with from only";
    if (has_inside)
        return has(node, "value") || has(node, "type")
                   ? "has parameters inside, so it takes no value and no type"
                   : NULL;
    if (!has(node, "value"))
        return "needs a value, or parameters inside";
    return NULL;
}

static enum tn_result check_rules(struct tn_launch__loader *loader, const struct tn_xml_node *node)
{
    if (has(node, "if") && has(node, "unless"))
        return tn_launch__fail(loader, node, TN_ERR_INVALID_ARGUMENT,
                               "<%s> takes if or unless, not both", node->name);
    const char *exit = tn_xml_attribute(node, "on_exit");
    if (exit != NULL && strcmp(exit, "shutdown") != 0)
        return tn_launch__fail(loader, node, TN_ERR_UNSUPPORTED,
                               "on_exit takes shutdown, not \"%.60s\"", exit);
    const char *wrong = strcmp(node->name, "param") == 0 ? wrong_with_param(node) : NULL;
    if (wrong != NULL)
        return tn_launch__fail(loader, node, TN_ERR_INVALID_ARGUMENT, "<param> %s", wrong);
    return TN_OK;
}

static enum tn_result check_element(struct tn_launch__loader *loader,
                                    const struct tn_xml_node *node)
{
    const struct tn_launch_item *item = find_element(node);
    if (item == NULL)
        return tn_launch__fail(loader, node, TN_ERR_UNSUPPORTED,
                               "unknown element <%.60s> in <%.60s>", node->name,
                               node->parent->name);
    if (item->support == TN_LAUNCH_REJECTED)
        return tn_launch__fail(loader, node, TN_ERR_UNSUPPORTED, "<%s> is not accepted: %s",
                               node->name, item->note);
    enum tn_result result = check_attributes(loader, node, item);
    return result == TN_OK ? check_rules(loader, node) : result;
}

enum tn_result tn_launch__check(struct tn_launch__loader *loader, const struct tn_xml_node *root)
{
    if (strcmp(root->name, "launch") != 0)
        return tn_launch__fail(loader, root, TN_ERR_UNSUPPORTED,
                               "the root is <%.60s>; a launch file has <launch>", root->name);
    enum tn_result result =
        check_attributes(loader, root, tn_launch__find_item(NULL, "launch", NULL));
    for (const struct tn_xml_node *node = tn_launch__walk(root, root);
         node != NULL && result == TN_OK; node = tn_launch__walk(root, node))
        result = check_element(loader, node);
    return result;
}
