// SPDX-License-Identifier: Apache-2.0
// Discovery data of strangers: ros_discovery_info, USER_DATA, mangled names.
#include <stdio.h>
#include <string.h>

#include "ros/ros__graph.h"

/// Bounds of NodeEntitiesInfo.
#define NODE_TEXT_MAX 256u
/// The shortest node on the wire: two empty strings and two counts.
#define NODE_SIZE_MIN 16u

bool tn_ros__is_printable(const char *text)
{
    size_t size = 0;
    for (; text[size] != '\0'; size++)
        if (size >= TN_ROS_NAME_MAX - 1 || text[size] <= ' ' || text[size] > '~')
            return false;
    return size > 0;
}

// ---- ros_discovery_info ----

/// Behind the 16 bytes of a GUID Humble has eight zeros. Where later ones have a count and the
/// length of a string, eight zeros cannot stand: without nodes the message ends after the count.
static uint32_t gid_size_of(const uint8_t *data, size_t size)
{
    static const uint8_t zeros[8] = {0};
    size_t rest = TN_CDR_HEADER_SIZE + TN_GID_SIZE;
    bool is_humble =
        size >= rest + sizeof zeros + 4 && memcmp(data + rest, zeros, sizeof zeros) == 0;
    return is_humble ? TN_ROS__GID_SIZE_HUMBLE : TN_GID_SIZE;
}

enum tn_result tn_ros__entities_begin(struct tn_ros__entities *entities, const uint8_t *data,
                                      size_t size)
{
    uint8_t gid[TN_ROS__GID_SIZE_HUMBLE] = {0};
    memset(entities, 0, sizeof *entities);
    enum tn_result result = tn_cdr_reader_begin(&entities->cdr, data, size);
    if (result != TN_OK)
        return result;
    entities->gid_size = gid_size_of(data, size);
    tn_cdr_get_block(&entities->cdr, gid, entities->gid_size, 1);
    memcpy(entities->participant.data, gid, TN_GID_SIZE);
    entities->n_left = tn_cdr_get_count(&entities->cdr, 0, NODE_SIZE_MIN);
    return entities->cdr.error;
}

/// Gids are bytes: the sequence is used where it lies.
static const uint8_t *get_gids(struct tn_ros__entities *entities, uint32_t *out_n)
{
    struct tn_cdr_reader *cdr = &entities->cdr;
    *out_n = tn_cdr_get_count(cdr, 0, entities->gid_size);
    const uint8_t *gids = cdr->data + cdr->position;
    cdr->position += (size_t)*out_n * entities->gid_size;
    return gids;
}

bool tn_ros__entities_next(struct tn_ros__entities *entities, struct tn_ros__entities_node *out)
{
    while (entities->n_left > 0) {
        struct tn_ros__entities_node node;
        uint32_t size;
        entities->n_left--;
        node.ns = tn_cdr_get_string(&entities->cdr, NODE_TEXT_MAX, &size);
        node.name = tn_cdr_get_string(&entities->cdr, NODE_TEXT_MAX, &size);
        node.readers = get_gids(entities, &node.n_readers);
        node.writers = get_gids(entities, &node.n_writers);
        if (entities->cdr.error != TN_OK)
            return false;
        if (tn_ros__is_printable(node.ns) && tn_ros__is_printable(node.name)) {
            *out = node;
            return true;
        }
    }
    return false;
}

// ---- USER_DATA ----

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// One "key=value;" of a text. @return bytes it takes; 0: there is none.
static size_t next_pair(const char *text, size_t size, size_t *out_key_size, size_t *out_value_size)
{
    size_t key = 0, value = 0;
    while (key < size && is_alphanumeric(text[key]))
        key++;
    if (key == 0 || key == size || text[key] != '=')
        return 0;
    while (key + 1 + value < size && text[key + 1 + value] != ';')
        value++;
    if (key + 1 + value == size)
        return 0;
    *out_key_size = key;
    *out_value_size = value;
    return key + 1 + value + 1;
}

void tn_ros__user_data_get(const uint8_t *data, size_t size, const char *key, char *out,
                           size_t capacity)
{
    size_t key_size = 0, value_size = 0, taken;
    const char *text = (const char *)data;
    out[0] = '\0';
    if (data == NULL)
        return;
    // Fast DDS terminates the text
    const uint8_t *end = memchr(data, 0, size);
    size_t left = end != NULL ? (size_t)(end - data) : size;
    for (; left > 0; text += taken, left -= taken) {
        taken = next_pair(text, left, &key_size, &value_size);
        if (taken == 0)
            break;
        if (key_size == strlen(key) && memcmp(text, key, key_size) == 0 && value_size < capacity) {
            memcpy(out, text + key_size + 1, value_size);
            out[value_size] = '\0';
        }
    }
    if (left > 0 || !tn_ros__is_printable(out))
        out[0] = '\0';
}

// ---- names ----

static bool ends_with(const char *text, const char *suffix)
{
    size_t size = strlen(text), n = strlen(suffix);
    return size >= n && strcmp(text + size - n, suffix) == 0;
}

static bool has_prefix(const char *dds_topic, const char *prefix)
{
    return strncmp(dds_topic, prefix, 2) == 0 && dds_topic[2] == '/';
}

static void put(char out[TN_ROS_NAME_MAX], const char *text, size_t size)
{
    if (size > TN_ROS_NAME_MAX - 1)
        size = TN_ROS_NAME_MAX - 1;
    memcpy(out, text, size);
    out[size] = '\0';
}

/// "pkg::msg::dds_::T_" → "pkg/msg/T". @return false: not of this form.
static bool demangle_type(const char *dds_type, const char *suffix, char out[TN_ROS_NAME_MAX])
{
    static const char mark[] = "dds_::";
    const char *dds = strstr(dds_type, mark);
    if (dds == NULL || !ends_with(dds_type, suffix))
        return false;
    const char *name = dds + sizeof mark - 1;
    size_t n = 0, name_size = strlen(name), suffix_size = strlen(suffix);
    for (const char *p = dds_type; p < dds && n < TN_ROS_NAME_MAX - 1; n++) {
        bool is_separator = p + 1 < dds && p[0] == ':' && p[1] == ':';
        out[n] = is_separator ? '/' : *p;
        p += is_separator ? 2 : 1;
    }
    name_size = name_size > suffix_size ? name_size - suffix_size : 0;
    if (name_size > TN_ROS_NAME_MAX - 1 - n)
        name_size = TN_ROS_NAME_MAX - 1 - n;
    memcpy(out + n, name, name_size);
    out[n + name_size] = '\0';
    return true;
}

static bool demangle_service(const char *dds_topic, const char *dds_type, const char *suffix,
                             struct tn_ros__names *out)
{
    if (!ends_with(dds_topic + 2, suffix) || !(demangle_type(dds_type, "_Response_", out->type) ||
                                               demangle_type(dds_type, "_Request_", out->type)))
        return false;
    put(out->name, dds_topic + 2, strlen(dds_topic) - 2 - strlen(suffix));
    return true;
}

void tn_ros__demangle(const char *dds_topic, const char *dds_type, struct tn_ros__names *out)
{
    if (has_prefix(dds_topic, "rt")) {
        out->kind = TN_ROS_GRAPH_TOPIC;
        put(out->name, dds_topic + 2, strlen(dds_topic) - 2);
        if (!demangle_type(dds_type, "_", out->type))
            put(out->type, dds_type, strlen(dds_type));
        return;
    }
    out->kind = TN_ROS_GRAPH_REQUEST;
    if (has_prefix(dds_topic, "rq") && demangle_service(dds_topic, dds_type, "Request", out))
        return;
    out->kind = TN_ROS_GRAPH_REPLY;
    if (has_prefix(dds_topic, "rr") && demangle_service(dds_topic, dds_type, "Reply", out))
        return;
    out->kind = TN_ROS_GRAPH_OTHER;
    put(out->name, dds_topic, strlen(dds_topic));
    put(out->type, dds_type, strlen(dds_type));
}

bool tn_ros__action_of(const char *name, const char *type, char out_name[TN_ROS_NAME_MAX],
                       char out_type[TN_ROS_NAME_MAX])
{
    static const char topic_suffix[] = "/_action/feedback", type_suffix[] = "_FeedbackMessage";
    if (!ends_with(name, topic_suffix) || !ends_with(type, type_suffix))
        return false;
    put(out_name, name, strlen(name) - (sizeof topic_suffix - 1));
    put(out_type, type, strlen(type) - (sizeof type_suffix - 1));
    return true;
}

bool tn_ros_name_is_hidden(const char *name)
{
    if (name[0] == '_')
        return true;
    for (const char *p = strchr(name, '/'); p != NULL; p = strchr(p + 1, '/'))
        if (p[1] == '_')
            return true;
    return false;
}
