// SPDX-License-Identifier: Apache-2.0
// schema text of a type with the types it uses
#include <string.h>

#include "rosidl/type.h"

struct text {
    char *data;
    size_t capacity;
    size_t size;
};

static void append(struct text *out, const char *bytes, size_t size)
{
    if (out->size < out->capacity) {
        size_t room = out->capacity - out->size;
        memcpy(out->data + out->size, bytes, size < room ? size : room);
    }
    out->size += size;
}

static bool is_listed(const struct tn_type *const *types, size_t n, const struct tn_type *type)
{
    for (size_t i = 0; i < n; i++) {
        if (types[i] == type) {
            return true;
        }
    }
    return false;
}

// lists the type itself and everything it uses, breadth first; 0 when there are too many
static size_t list_used(const struct tn_type *type, const struct tn_type **out_types)
{
    size_t n = 0;
    out_types[n++] = type;
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < out_types[i]->n_fields; k++) {
            const struct tn_type *nested = out_types[i]->fields[k].nested;
            if (nested == NULL || is_listed(out_types, n, nested)) {
                continue;
            }
            if (n > TN_TYPE_MAX_USED) {
                return 0;
            }
            out_types[n++] = nested;
        }
    }
    return n;
}

// "pkg/msg/Type" is written "pkg/Type"; the parts of services keep their full name
static void append_name(struct text *out, const char *ros_name)
{
    const char *kind = strstr(ros_name, "/msg/");
    if (kind == NULL) {
        append(out, ros_name, strlen(ros_name));
        return;
    }
    append(out, ros_name, (size_t)(kind - ros_name));
    append(out, kind + 4, strlen(kind + 4));
}

size_t tn_type_schema(const struct tn_type *type, char *buffer, size_t capacity)
{
    static const char rule[] =
        "================================================================================\nMSG: ";
    const struct tn_type *types[TN_TYPE_MAX_USED + 1];
    struct text out = {buffer, capacity, 0};
    size_t n = list_used(type, types);
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            append(&out, rule, sizeof rule - 1);
            append_name(&out, types[i]->ros_name);
            append(&out, "\n", 1);
        }
        append(&out, types[i]->text, strlen(types[i]->text));
    }
    if (capacity > 0) {
        buffer[out.size < capacity ? out.size : capacity - 1] = '\0';
    }
    return out.size;
}
