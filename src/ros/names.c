// SPDX-License-Identifier: Apache-2.0
#include "ros/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/// DDS allows 255 characters, eight of which the longest prefix and suffix take (as rmw).
#define FQN_MAX 247u

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

enum tn_result tn_ros_check_node_name(const char *name, struct tn_error *err)
{
    size_t size = strlen(name);
    if (size == 0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "the node name is empty");
    if (size > TN_ROS_NAME_MAX - 1)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "the node name has %zu characters; at most %d are allowed", size,
                            TN_ROS_NAME_MAX - 1);
    if (is_digit(name[0]))
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "node name \"%s\" begins with a digit; begin with a letter or _", name);
    for (size_t i = 0; i < size; i++)
        if (!is_word(name[i]))
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "node name \"%s\" has '%c' at position %zu; only letters, digits "
                                "and _ are allowed",
                                name, isprint((unsigned char)name[i]) ? name[i] : '?', i + 1);
    return TN_OK;
}

/// Checks an absolute name that has no substitutions any more.
static enum tn_result check_absolute(const char *name, const char *kind, struct tn_error *err)
{
    size_t size = strlen(name);
    if (name[0] != '/' || (size > 1 && name[size - 1] == '/'))
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "%s \"%s\" must begin with / and not end with it", kind, name);
    for (size_t i = 0; i < size; i++) {
        if (name[i] != '/' && !is_word(name[i]))
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "%s \"%s\" has '%c' at position %zu; only letters, digits, _ and / "
                                "are allowed",
                                kind, name, isprint((unsigned char)name[i]) ? name[i] : '?', i + 1);
        if (name[i] == '/' && name[i + 1] == '/')
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "%s \"%s\" has // in it", kind, name);
        if (name[i] == '/' && is_digit(name[i + 1]))
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "%s \"%s\": a part begins with a digit; begin with a letter or _",
                                kind, name);
    }
    if (size > FQN_MAX)
        return tn_error_set(err, TN_ERR_LIMIT, "%s has %zu characters; at most %u are allowed",
                            kind, size, FQN_MAX);
    return TN_OK;
}

enum tn_result tn_ros_normalise_namespace(const char *ns, char *out_ns, struct tn_error *err)
{
    size_t size = strlen(ns);
    while (size > 1 && ns[size - 1] == '/')
        size--;
    if (size > FQN_MAX)
        return tn_error_set(err, TN_ERR_LIMIT,
                            "the namespace has %zu characters; at most %u are allowed", size,
                            FQN_MAX);
    char text[TN_ROS_NAME_MAX];
    (void)snprintf(text, sizeof text, "%s%.*s", ns[0] == '/' ? "" : "/", (int)size, ns);
    enum tn_result result = check_absolute(text, "namespace", err);
    if (result == TN_OK)
        memcpy(out_ns, text, sizeof text);
    return result;
}

// ---- expansion ----

/// A name being put together; too long shows in `size`.
struct name {
    char text[TN_ROS_NAME_MAX];
    size_t size;
};

static void append(struct name *out, const char *text, size_t size)
{
    size_t room = sizeof out->text - 1;
    if (out->size + size <= room) {
        memcpy(out->text + out->size, text, size);
        out->text[out->size + size] = '\0';
    }
    out->size += size;
}

static void append_namespace(struct name *out, const char *ns)
{
    // the root namespace adds nothing in front of a slash
    if (strcmp(ns, "/") != 0)
        append(out, ns, strlen(ns));
}

/// Replaces one `{…}`; @return characters used up, 0 if it is none we know.
static size_t append_substitution(struct name *out, const char *text, const char *ns,
                                  const char *node)
{
    if (strncmp(text, "{node}", 6) == 0) {
        append(out, node, strlen(node));
        return 6;
    }
    if (strncmp(text, "{ns}", 4) == 0 || strncmp(text, "{namespace}", 11) == 0) {
        // inside a name the leading slash is written by the user
        append(out, ns + 1, strlen(ns + 1));
        return text[3] == '}' ? 4 : 11;
    }
    return 0;
}

static enum tn_result expand(const char *ns, const char *node, const char *name, char *out_fqn,
                             struct tn_error *err)
{
    if (name[0] == '\0')
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "a topic or service name is empty");
    struct name out = {.text = "", .size = 0};
    const char *rest = name;
    if (name[0] == '~' && (name[1] == '/' || name[1] == '\0')) {
        append_namespace(&out, ns);
        append(&out, "/", 1);
        append(&out, node, strlen(node));
        rest = name + 1;
    } else if (name[0] != '/') {
        append_namespace(&out, ns);
        append(&out, "/", 1);
    }

    while (*rest != '\0') {
        size_t used = *rest == '{' ? append_substitution(&out, rest, ns, node) : 0;
        if (used == 0) {
            append(&out, rest, 1);
            used = 1;
        }
        rest += used;
    }
    if (out.size > FQN_MAX)
        return tn_error_set(err, TN_ERR_LIMIT,
                            "name \"%.80s\" becomes %zu characters; at most %u are allowed", name,
                            out.size, FQN_MAX);
    enum tn_result result = check_absolute(out.text, "name", err);
    if (result == TN_OK && strcmp(out.text, "/") == 0)
        result =
            tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "name \"%s\" is only a namespace", name);
    if (result == TN_OK)
        memcpy(out_fqn, out.text, out.size + 1);
    return result;
}

enum tn_result tn_ros_resolve_name(const struct tn_ros_args *args, const char *ns, const char *node,
                                   const char *name, char *out_fqn, struct tn_error *err)
{
    char fqn[TN_ROS_NAME_MAX], from[TN_ROS_NAME_MAX];
    enum tn_result result = expand(ns, node, name, fqn, err);
    if (result != TN_OK)
        return result;

    for (uint32_t i = 0; args != NULL && i < args->n_remaps; i++) {
        const struct tn_ros_rule *rule = &args->remaps[i];
        if (strncmp(rule->from, "__", 2) == 0 ||
            (rule->node[0] != '\0' && strcmp(rule->node, node) != 0))
            continue;
        // both sides of a rule are names in the context of this node
        result = expand(ns, node, rule->from, from, err);
        if (result != TN_OK)
            return result;
        if (strcmp(from, fqn) == 0) {
            result = expand(ns, node, rule->to, fqn, err);
            if (result != TN_OK)
                return result;
            break;
        }
    }
    memcpy(out_fqn, fqn, sizeof fqn);
    return TN_OK;
}
