// SPDX-License-Identifier: Apache-2.0
// ~/get_type_description: what the types of a node's endpoints look like, from the field tables
#include <stdlib.h>
#include <string.h>

#include "ros/ros__node.h"
#include "ros/ros__param_server.h"
#include "tn_msgs/type_description_interfaces.h"

/// Types of one description: the one asked for, then those it uses, by name.
struct used {
    const struct tn_type *types[TN_TYPE_MAX_USED];
    uint32_t n;
};

/// What was found for a hash: a message or a service.
struct found {
    const struct tn_type *message;
    const struct tn_service_type *service;
};

// ---- finding ----

static bool add_used(struct used *used, const struct tn_type *type)
{
    for (uint32_t i = 0; i < used->n; i++)
        if (used->types[i] == type)
            return true;
    if (used->n == TN_TYPE_MAX_USED)
        return false;
    used->types[used->n++] = type;
    return true;
}

/// Adds what the types from `first` on use, directly or not.
static bool close_over(struct used *used, uint32_t first)
{
    bool has_room = true;
    for (uint32_t i = first; i < used->n && has_room; i++)
        for (uint32_t k = 0; k < used->types[i]->n_fields && has_room; k++)
            if (used->types[i]->fields[k].nested != NULL)
                has_room = add_used(used, used->types[i]->fields[k].nested);
    return has_room;
}

static bool find_in_message(const struct tn_type *type, const char *hash, struct found *out)
{
    struct used used = {.types = {type}, .n = 1};
    (void)close_over(&used, 0);
    for (uint32_t i = 0; i < used.n && out->message == NULL; i++)
        if (strcmp(used.types[i]->hash, hash) == 0)
            out->message = used.types[i];
    return out->message != NULL;
}

static bool find_in_service(const struct tn_service_type *type, const char *hash, struct found *out)
{
    if (strcmp(type->hash, hash) == 0)
        out->service = type;
    return out->service != NULL || find_in_message(type->event, hash, out) ||
           find_in_message(type->request, hash, out) || find_in_message(type->response, hash, out);
}

static bool find_type(const struct tn_ros_node *node, const char *hash, struct found *out)
{
    struct tn_gid gid;
    for (const struct tn_ros_publisher *p = node->publishers; p != NULL; p = p->next)
        if (find_in_message(p->type, hash, out))
            return true;
    for (const struct tn_ros_subscription *s = node->subscriptions; s != NULL; s = s->next)
        if (find_in_message(s->type, hash, out))
            return true;
    for (const struct tn_ros_service *s = node->services; s != NULL;
         s = tn_ros__service_next(s, &gid, &gid))
        if (find_in_service(tn_ros__service_type(s), hash, out))
            return true;
    for (const struct tn_ros_client *c = node->clients; c != NULL;
         c = tn_ros__client_next(c, &gid, &gid))
        if (find_in_service(tn_ros__client_type(c), hash, out))
            return true;
    return false;
}

/// "RIHS01_" and 64 hexadecimal digits.
static bool is_hash(struct tn_str text, char out[72])
{
    static const char prefix[] = "RIHS01_";
    const size_t n = sizeof prefix - 1;
    if (text.size != n + 64 || memcmp(text.data, prefix, n) != 0)
        return false;
    memcpy(out, text.data, text.size);
    out[text.size] = '\0';
    for (char *c = out + n; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'F')
            *c = (char)(*c - 'A' + 'a');
    return strspn(out + n, "0123456789abcdef") == 64;
}

// ---- describing ----

/// The number of a member's type in type_description_interfaces/msg/FieldType: the element's, and
/// what the kind of array adds; bounded strings have numbers of their own.
static uint8_t field_type_id(const struct tn_field *field)
{
    static const unsigned array_offset[] = {
        [TN_ARRAY_NONE] = 0,
        [TN_ARRAY_FIXED] = 48,
        [TN_ARRAY_BOUNDED] = 96,
        [TN_ARRAY_UNBOUNDED] = 144,
    };
    unsigned number = (unsigned)field->type;
    if (field->string_capacity != 0)
        number = field->type == TN_TYPE_STRING ? 21 : 22;
    return (uint8_t)(number + array_offset[field->array]);
}

/// A message without members has one on the wire, and in its description.
static const struct tn_field placeholder = {
    .name = "structure_needs_at_least_one_member", .type = TN_TYPE_UINT8, .default_text = ""};

static bool describe(const struct tn_type *type, struct tn_arena *arena,
                     struct type_description_interfaces_msg_IndividualTypeDescription *out)
{
    const struct tn_field *table = type->n_fields > 0 ? type->fields : &placeholder;
    uint32_t n = type->n_fields > 0 ? type->n_fields : 1;
    struct type_description_interfaces_msg_Field *fields = tn_arena_alloc(
        arena, n, sizeof *fields, _Alignof(struct type_description_interfaces_msg_Field));
    if (fields == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct tn_field *field = &table[i];
        fields[i] = (struct type_description_interfaces_msg_Field){
            .name = tn_str_from(field->name),
            .type = {.type_id = field_type_id(field),
                     .capacity = field->capacity,
                     .string_capacity = field->string_capacity,
                     .nested_type_name =
                         tn_str_from(field->nested == NULL ? "" : field->nested->ros_name)},
            .default_value = tn_str_from(field->default_text),
        };
    }
    *out = (struct type_description_interfaces_msg_IndividualTypeDescription){
        tn_str_from(type->ros_name), {fields, n}};
    return true;
}

/// A service is described as a message of its three parts.
static bool describe_service(const struct tn_service_type *type, struct tn_arena *arena,
                             struct type_description_interfaces_msg_IndividualTypeDescription *out)
{
    static const char *const names[] = {"request_message", "response_message", "event_message"};
    const struct tn_type *parts[] = {type->request, type->response, type->event};
    struct type_description_interfaces_msg_Field *fields =
        tn_arena_alloc(arena, TN_ARRAY_SIZE(parts), sizeof *fields,
                       _Alignof(struct type_description_interfaces_msg_Field));
    if (fields == NULL)
        return false;
    for (size_t i = 0; i < TN_ARRAY_SIZE(parts); i++)
        fields[i] = (struct type_description_interfaces_msg_Field){
            .name = tn_str_from(names[i]),
            .type = {.type_id = TN_TYPE_NESTED,
                     .nested_type_name = tn_str_from(parts[i]->ros_name)}};
    *out = (struct type_description_interfaces_msg_IndividualTypeDescription){
        tn_str_from(type->ros_name), {fields, TN_ARRAY_SIZE(parts)}};
    return true;
}

static int compare_types(const void *a, const void *b)
{
    const struct tn_type *const *x = a, *const *y = b;
    return strcmp((*x)->ros_name, (*y)->ros_name);
}

/// Lists what the type uses, ordered by name, without the type itself.
static bool list_used(const struct found *found, struct used *out)
{
    out->n = 0;
    bool has_room = true;
    if (found->message != NULL) {
        for (uint32_t k = 0; k < found->message->n_fields && has_room; k++)
            if (found->message->fields[k].nested != NULL)
                has_room = add_used(out, found->message->fields[k].nested);
    } else {
        has_room = add_used(out, found->service->request) &&
                   add_used(out, found->service->response) && add_used(out, found->service->event);
    }
    has_room = has_room && close_over(out, 0);
    qsort(out->types, out->n, sizeof out->types[0], compare_types);
    return has_room;
}

// ---- sources ----

static struct type_description_interfaces_msg_TypeSource source_of(const struct tn_type *type)
{
    // parts of services and actions stand in no file of their own
    bool is_message = strstr(type->ros_name, "/msg/") != NULL;
    return (struct type_description_interfaces_msg_TypeSource){
        tn_str_from(type->ros_name), tn_str_from(is_message ? "msg" : "implicit"),
        tn_str_from(is_message ? type->text : "")};
}

static bool service_source(const struct tn_service_type *type, struct tn_arena *arena,
                           struct type_description_interfaces_msg_TypeSource *out)
{
    static const char rule[] = "---\n";
    size_t n_request = strlen(type->request->text), n_response = strlen(type->response->text);
    size_t size = n_request + sizeof rule - 1 + n_response;
    char *text = tn_arena_alloc(arena, size + 1, 1, 1);
    if (text == NULL)
        return false;
    memcpy(text, type->request->text, n_request);
    memcpy(text + n_request, rule, sizeof rule - 1);
    memcpy(text + n_request + sizeof rule - 1, type->response->text, n_response + 1);
    *out = (struct type_description_interfaces_msg_TypeSource){
        tn_str_from(type->ros_name), tn_str_from("srv"), {text, (uint32_t)size}};
    return true;
}

static bool add_sources(const struct found *found, const struct used *used, struct tn_arena *arena,
                        struct type_description_interfaces_msg_TypeSource_seq *out)
{
    struct type_description_interfaces_msg_TypeSource *sources =
        tn_arena_alloc(arena, used->n + 1u, sizeof *sources,
                       _Alignof(struct type_description_interfaces_msg_TypeSource));
    if (sources == NULL)
        return false;
    if (found->message != NULL)
        sources[0] = source_of(found->message);
    else if (!service_source(found->service, arena, &sources[0]))
        return false;
    for (uint32_t i = 0; i < used->n; i++)
        sources[i + 1] = source_of(used->types[i]);
    *out = (struct type_description_interfaces_msg_TypeSource_seq){sources, used->n + 1};
    return true;
}

// ---- the service ----

void tn_ros__type_description_answer(void *context, const void *request, void *response)
{
    struct tn_ros_node *node = context;
    const struct type_description_interfaces_srv_GetTypeDescription_Request *q = request;
    struct type_description_interfaces_srv_GetTypeDescription_Response *r = response;
    struct tn_arena *arena = &node->arena;
    struct found found = {NULL, NULL};
    struct used used;
    char hash[72];
    if (!is_hash(q->type_hash, hash)) {
        r->failure_reason = tn_str_from("Failed to parse type hash");
        return;
    }
    if (!find_type(node, hash, &found)) {
        r->failure_reason = tn_str_from("Type not currently in use by this node");
        return;
    }
    struct type_description_interfaces_msg_IndividualTypeDescription *descriptions = NULL;
    bool is_done = list_used(&found, &used);
    if (is_done)
        descriptions = tn_arena_alloc(
            arena, used.n + 1u, sizeof *descriptions,
            _Alignof(struct type_description_interfaces_msg_IndividualTypeDescription));
    is_done = descriptions != NULL &&
              (found.message != NULL ? describe(found.message, arena, &descriptions[0])
                                     : describe_service(found.service, arena, &descriptions[0]));
    for (uint32_t i = 0; i < used.n && is_done; i++)
        is_done = describe(used.types[i], arena, &descriptions[i + 1]);
    if (is_done && q->include_type_sources)
        is_done = add_sources(&found, &used, arena, &r->type_sources);
    if (!is_done) {
        r->failure_reason = tn_str_from("Failed to populate TypeDescription to response.");
        return;
    }
    r->type_description.type_description = descriptions[0];
    r->type_description.referenced_type_descriptions =
        (struct type_description_interfaces_msg_IndividualTypeDescription_seq){descriptions + 1,
                                                                               used.n};
    r->successful = true;
}
