// SPDX-License-Identifier: Apache-2.0
// members by their path
#include <string.h>

#include "base/parse.h"
#include "rosidl/yaml/yaml.h"

static const struct tn_field *find_field(const struct tn_type *type, const char *name, size_t size)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        if (strlen(type->fields[i].name) == size && memcmp(type->fields[i].name, name, size) == 0) {
            return &type->fields[i];
        }
    }
    return NULL;
}

static enum tn_result no_member(const struct tn_type *type, const char *name, size_t size,
                                struct tn_error *err)
{
    char known[160] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        size_t length = strlen(type->fields[i].name);
        if (used + length + 3 >= sizeof known) {
            break;
        }
        memcpy(known + used, i == 0 ? "" : ", ", i == 0 ? 0 : 2);
        used += i == 0 ? 0 : 2;
        memcpy(known + used, type->fields[i].name, length + 1);
        used += length;
    }
    return tn_error_set(err, TN_ERR_NOT_FOUND, "%s has no member \"%.*s\"; it has %s",
                        type->ros_name, (int)(size < 64 ? size : 64), name, known);
}

// "[3]" behind a member
static enum tn_result index_into(struct tn_yaml_view *view, const char **io_path,
                                 struct tn_error *err)
{
    const char *path = *io_path;
    size_t size = strcspn(path, "]");
    uint64_t index = 0;
    uint32_t n = 0;
    if (path[size] != ']' || size < 2 ||
        tn_parse_u64(path + 1, size - 1, 0, UINT32_MAX, &index) != TN_OK) {
        return tn_error_set(err, TN_ERR_SYNTAX, "\"%.40s\" is no index; expected [0], [1], …",
                            path);
    }
    if (view->field->array == TN_ARRAY_NONE || view->is_element) {
        return tn_error_set(err, TN_ERR_SYNTAX, "\"%s\" is no array", view->field->name);
    }
    const char *elements = tn_field_elements(view->field, view->data, &n);
    if (index >= n) {
        return tn_error_set(err, TN_ERR_RANGE, "%s has %u elements; there is none at %llu",
                            view->field->name, n, (unsigned long long)index);
    }
    view->data = elements + index * tn_field_element_size(view->field);
    view->is_element = true;
    *io_path = path + size + 1;
    return TN_OK;
}

enum tn_result tn_yaml_find(const struct tn_type *type, const void *msg, const char *path,
                            struct tn_yaml_view *out_view, struct tn_error *err)
{
    struct tn_yaml_view view = tn_yaml_view_of(type, msg);
    while (*path != '\0') {
        size_t size = strcspn(path, ".[");
        if (type == NULL) {
            return tn_error_set(err, TN_ERR_NOT_FOUND, "\"%s\" has no members", view.field->name);
        }
        const struct tn_field *field = find_field(type, path, size);
        if (field == NULL) {
            return no_member(type, path, size, err);
        }
        view =
            (struct tn_yaml_view){.field = field, .data = (const char *)view.data + field->offset};
        path += size;
        while (*path == '[') {
            enum tn_result result = index_into(&view, &path, err);
            if (result != TN_OK) {
                return result;
            }
        }
        bool is_one = field->array == TN_ARRAY_NONE || view.is_element;
        type = is_one && field->type == TN_TYPE_NESTED ? field->nested : NULL;
        if (*path == '.' && path[1] != '\0') {
            path++;
        } else if (*path != '\0') {
            return tn_error_set(err, TN_ERR_SYNTAX, "\"%.40s\" is no member path", path);
        }
    }
    *out_view = view;
    return TN_OK;
}
