// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__node.h"

/// Names of both topics of a service, while it is created.
struct names {
    char fqn[TN_ROS_NAME_MAX];
    char request_topic[TN_ROS__DDS_NAME_MAX], reply_topic[TN_ROS__DDS_NAME_MAX];
    char request_data[TN_ROS__USER_DATA_MAX], reply_data[TN_ROS__USER_DATA_MAX];
    struct tn_transport_service service;
};

/// A growing buffer for one encoded message.
struct buffer {
    uint8_t *data;
    size_t capacity;
};

struct tn_ros_service {
    struct tn_ros_node *node;
    struct tn_ros_service *next;
    const struct tn_service_type *type;
    struct tn_transport_server *server;
    struct tn_ros_service_options options;
    void *request, *response;
    struct buffer buffer;
    uint64_t n_rejected;
    struct tn_log_throttle throttle;
    char name[TN_ROS_NAME_MAX];
};

struct pending {
    int64_t sequence; ///< 0: free
    int64_t deadline_steady_ns;
    tn_ros_response_fn on_response;
    void *context;
};

struct tn_ros_client {
    struct tn_ros_node *node;
    struct tn_ros_client *next;
    const struct tn_service_type *type;
    struct tn_transport_client *client;
    void *response;
    struct buffer buffer;
    struct tn_loop_timer timer; ///< of the earliest deadline
    struct pending pending[TN_ROS_CALLS_MAX];
    tn_ros_client_ready_fn on_ready; ///< NULL: nobody asks
    void *ready_context;
    bool was_ready; ///< as it was told last
    struct tn_log_throttle throttle;
    char name[TN_ROS_NAME_MAX];
};

// ---- both ----

static enum tn_result make_names(const struct tn_ros_node *node, const struct tn_service_type *type,
                                 const char *name, struct tn_ros_qos qos, struct names *out,
                                 struct tn_error *err)
{
    enum tn_result result =
        tn_ros_resolve_name(&node->context->args, node->ns, node->name, name, out->fqn, err);
    if (result != TN_OK)
        return result;
    (void)snprintf(out->request_topic, sizeof out->request_topic, "rq%sRequest", out->fqn);
    (void)snprintf(out->reply_topic, sizeof out->reply_topic, "rr%sReply", out->fqn);
    (void)snprintf(out->request_data, sizeof out->request_data, "typehash=%s;sertypehash=%s;",
                   type->request->hash, type->hash);
    (void)snprintf(out->reply_data, sizeof out->reply_data, "typehash=%s;sertypehash=%s;",
                   type->response->hash, type->hash);
    out->service = (struct tn_transport_service){
        .request_topic = out->request_topic,
        .reply_topic = out->reply_topic,
        .request_type = type->request->dds_name,
        .reply_type = type->response->dds_name,
        .request_user_data = out->request_data,
        .reply_user_data = out->reply_data,
        .qos = qos,
    };
    return TN_OK;
}

/// Encodes into the buffer, which grows as needed.
static enum tn_result encode(struct buffer *buffer, const struct tn_type *type, const void *message,
                             size_t *out_size)
{
    for (;;) {
        struct tn_cdr_writer cdr;
        tn_cdr_writer_begin(&cdr, buffer->data, buffer->capacity);
        enum tn_result result = tn_type_encode(type, message, &cdr);
        *out_size = cdr.size;
        if (result != TN_ERR_LIMIT || cdr.size <= buffer->capacity)
            return result;
        uint8_t *grown = realloc(buffer->data, cdr.size);
        if (grown == NULL)
            return TN_ERR_NO_MEMORY;
        buffer->data = grown;
        buffer->capacity = cdr.size;
    }
}

static void report(struct tn_ros_node *node, struct tn_log_throttle *throttle, const char *what,
                   const char *name, enum tn_result result)
{
    uint32_t suppressed = 0;
    int64_t now_ns = tn_loop_now_steady_ns(node->context->loop);
    if (tn_log_throttle_pass(throttle, now_ns, TN_NS_PER_S, &suppressed))
        TN_WARN(&node->logger, "service %s: %s: %s (%u more since the last report)", name, what,
                tn_result_text(result), suppressed);
}

// ---- service ----

struct tn_ros_service_options tn_ros_service_options_default(void)
{
    return (struct tn_ros_service_options){.qos = tn_ros_qos_services()};
}

enum tn_result tn_ros_service_reply(struct tn_ros_service *service,
                                    const struct tn_transport_request_id *id, const void *response)
{
    size_t size = 0;
    if (service == NULL)
        return TN_ERR_NOT_FOUND;
    enum tn_result result = encode(&service->buffer, service->type->response, response, &size);
    if (result != TN_OK)
        return result;
    return tn_transport_reply(service->server, id, service->buffer.data, size);
}

enum tn_result tn_ros__service_reply_cdr(struct tn_ros_service *service,
                                         const struct tn_transport_request_id *id,
                                         const uint8_t *cdr, size_t size)
{
    return tn_transport_reply(service->server, id, cdr, size);
}

static void on_request(void *context, const struct tn_transport_request_id *id, const uint8_t *cdr,
                       size_t size)
{
    struct tn_ros_service *service = context;
    const struct tn_ros_service_options *options = &service->options;
    struct tn_arena *arena = &service->node->arena;
    struct tn_cdr_reader reader;
    size_t mark = tn_arena_mark(arena);
    const char *what = "dropped a request";
    (void)tn_cdr_reader_begin(&reader, cdr, size);
    enum tn_result result =
        tn_type_decode(service->type->request, service->request, &reader, arena);
    if (result != TN_OK) {
        service->n_rejected++;
    } else if (options->on_deferred != NULL) {
        options->on_deferred(options->context, id, service->request);
    } else {
        what = "could not reply";
        service->type->response->init(service->response);
        options->on_request(options->context, service->request, service->response);
        result = tn_ros_service_reply(service, id, service->response);
    }
    if (result != TN_OK)
        report(service->node, &service->throttle, what, service->name, result);
    tn_arena_release(arena, mark);
}

static void service_release(struct tn_ros_service *service)
{
    tn_transport_server_destroy(&service->server);
    free(service->request);
    free(service->response);
    free(service->buffer.data);
    free(service);
}

enum tn_result tn_ros_service_create(struct tn_ros_node *node, const struct tn_service_type *type,
                                     const char *name, tn_ros_service_fn callback, void *context,
                                     struct tn_ros_service **out_service, struct tn_error *err)
{
    struct tn_ros_service_options options = tn_ros_service_options_default();
    options.on_request = callback;
    options.context = context;
    return tn_ros_service_create_with(node, type, name, &options, out_service, err);
}

enum tn_result tn_ros_service_create_deferred(struct tn_ros_node *node,
                                              const struct tn_service_type *type, const char *name,
                                              tn_ros_deferred_fn callback, void *context,
                                              struct tn_ros_service **out_service,
                                              struct tn_error *err)
{
    struct tn_ros_service_options options = tn_ros_service_options_default();
    options.on_deferred = callback;
    options.context = context;
    return tn_ros_service_create_with(node, type, name, &options, out_service, err);
}

enum tn_result tn_ros_service_create_with(struct tn_ros_node *node,
                                          const struct tn_service_type *type, const char *name,
                                          const struct tn_ros_service_options *options,
                                          struct tn_ros_service **out_service, struct tn_error *err)
{
    if ((options->on_request == NULL) == (options->on_deferred == NULL))
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "service %s: set either on_request or on_deferred", name);
    struct names names;
    enum tn_result result = make_names(node, type, name, options->qos, &names, err);
    if (result != TN_OK)
        return result;
    struct tn_ros_service *service = calloc(1, sizeof *service);
    if (service == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for service %s", name);
    service->node = node;
    service->type = type;
    service->options = *options;
    memcpy(service->name, names.fqn, sizeof service->name);
    service->request = calloc(1, type->request->size);
    service->response = calloc(1, type->response->size);
    if (service->request == NULL || service->response == NULL)
        result = tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for service %s", name);
    if (result == TN_OK)
        result = tn_transport_server_create(node->context->transport, &names.service, on_request,
                                            service, &service->server, err);
    if (result != TN_OK) {
        service_release(service);
        return result;
    }
    service->next = node->services;
    node->services = service;
    tn_ros__graph_changed(node->context);
    *out_service = service;
    return TN_OK;
}

void tn_ros_service_destroy(struct tn_ros_service **service)
{
    struct tn_ros_service *s = *service;
    *service = NULL;
    if (s == NULL)
        return;
    struct tn_ros_service **link = &s->node->services;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    tn_ros__graph_changed(s->node->context);
    service_release(s);
}

const char *tn_ros_service_name(const struct tn_ros_service *service)
{
    return service->name;
}

uint64_t tn_ros_service_rejected(const struct tn_ros_service *service)
{
    return service->n_rejected;
}

struct tn_ros_service *tn_ros__service_next(const struct tn_ros_service *service,
                                            struct tn_gid *out_reader, struct tn_gid *out_writer)
{
    tn_transport_server_gids(service->server, out_reader, out_writer);
    return service->next;
}

const struct tn_service_type *tn_ros__service_type(const struct tn_ros_service *service)
{
    return service->type;
}

// ---- client ----

/// @return the call with this number, 0: a free place; NULL: none.
static struct pending *find_pending(struct tn_ros_client *client, int64_t sequence)
{
    for (uint32_t i = 0; i < TN_ROS_CALLS_MAX; i++)
        if (client->pending[i].sequence == sequence)
            return &client->pending[i];
    return NULL;
}

/// Frees a slot and tells its caller; the callback may call again.
static void finish(struct pending *pending, const void *response)
{
    struct pending done = *pending;
    memset(pending, 0, sizeof *pending);
    done.on_response(done.context, response);
}

static void arm_timer(struct tn_ros_client *client);

static void on_timer(void *context)
{
    struct tn_ros_client *client = context;
    int64_t now_ns = tn_loop_now_steady_ns(client->node->context->loop);
    for (uint32_t i = 0; i < TN_ROS_CALLS_MAX; i++) {
        struct pending *pending = &client->pending[i];
        if (pending->sequence != 0 && now_ns >= pending->deadline_steady_ns)
            finish(pending, NULL);
    }
    arm_timer(client);
}

static int64_t delay_until(struct tn_loop *loop, int64_t steady_ns)
{
    int64_t delay_ns = tn_ns_sub(steady_ns, tn_loop_now_steady_ns(loop));
    return delay_ns > 0 ? delay_ns : 0;
}

static void arm_timer(struct tn_ros_client *client)
{
    struct tn_loop *loop = client->node->context->loop;
    int64_t first_ns = INT64_MAX;
    for (uint32_t i = 0; i < TN_ROS_CALLS_MAX; i++)
        if (client->pending[i].sequence != 0 && client->pending[i].deadline_steady_ns < first_ns)
            first_ns = client->pending[i].deadline_steady_ns;
    tn_loop_timer_stop(&client->timer);
    if (first_ns != INT64_MAX)
        tn_loop_timer_start(loop, &client->timer, delay_until(loop, first_ns), 0, on_timer, client);
}

static void on_reply(void *context, int64_t sequence, const uint8_t *cdr, size_t size)
{
    struct tn_ros_client *client = context;
    struct pending *pending = sequence == 0 ? NULL : find_pending(client, sequence);
    // too late, or the reply to nobody
    if (pending == NULL)
        return;
    struct tn_arena *arena = &client->node->arena;
    struct tn_cdr_reader reader;
    size_t mark = tn_arena_mark(arena);
    (void)tn_cdr_reader_begin(&reader, cdr, size);
    enum tn_result result =
        tn_type_decode(client->type->response, client->response, &reader, arena);
    // a reply that cannot be read is none: the call times out
    if (result == TN_OK)
        finish(pending, client->response);
    else
        report(client->node, &client->throttle, "dropped a reply", client->name, result);
    tn_arena_release(arena, mark);
}

static void client_release(struct tn_ros_client *client)
{
    tn_loop_timer_stop(&client->timer);
    tn_transport_client_destroy(&client->client);
    free(client->response);
    free(client->buffer.data);
    free(client);
}

static void on_servers_changed(void *context)
{
    struct tn_ros_client *client = context;
    bool is_ready = tn_ros_client_is_ready(client);
    if (client->on_ready == NULL || is_ready == client->was_ready)
        return;
    client->was_ready = is_ready;
    client->on_ready(client->ready_context, is_ready);
}

struct tn_ros_client_options tn_ros_client_options_default(void)
{
    return (struct tn_ros_client_options){.qos = tn_ros_qos_services()};
}

enum tn_result tn_ros_client_create(struct tn_ros_node *node, const struct tn_service_type *type,
                                    const char *name, struct tn_ros_client **out_client,
                                    struct tn_error *err)
{
    struct tn_ros_client_options options = tn_ros_client_options_default();
    return tn_ros_client_create_with(node, type, name, &options, out_client, err);
}

enum tn_result tn_ros_client_create_with(struct tn_ros_node *node,
                                         const struct tn_service_type *type, const char *name,
                                         const struct tn_ros_client_options *options,
                                         struct tn_ros_client **out_client, struct tn_error *err)
{
    struct names names;
    enum tn_result result = make_names(node, type, name, options->qos, &names, err);
    if (result != TN_OK)
        return result;
    struct tn_ros_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for client %s", name);
    client->node = node;
    client->type = type;
    memcpy(client->name, names.fqn, sizeof client->name);
    client->response = calloc(1, type->response->size);
    if (client->response == NULL)
        result = tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for client %s", name);
    if (result == TN_OK)
        result = tn_transport_client_create(node->context->transport, &names.service, on_reply,
                                            on_servers_changed, client, &client->client, err);
    if (result != TN_OK) {
        client_release(client);
        return result;
    }
    tn_ros_client_on_ready(client, options->on_ready, options->context);
    client->next = node->clients;
    node->clients = client;
    tn_ros__graph_changed(node->context);
    *out_client = client;
    return TN_OK;
}

void tn_ros_client_destroy(struct tn_ros_client **client)
{
    struct tn_ros_client *c = *client;
    *client = NULL;
    if (c == NULL)
        return;
    struct tn_ros_client **link = &c->node->clients;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    tn_ros__graph_changed(c->node->context);
    client_release(c);
}

struct tn_ros_client *tn_ros__client_next(const struct tn_ros_client *client,
                                          struct tn_gid *out_reader, struct tn_gid *out_writer)
{
    tn_transport_client_gids(client->client, out_reader, out_writer);
    return client->next;
}

const struct tn_service_type *tn_ros__client_type(const struct tn_ros_client *client)
{
    return client->type;
}

bool tn_ros_client_is_ready(struct tn_ros_client *client)
{
    return tn_transport_client_is_ready(client->client);
}

void tn_ros_client_on_ready(struct tn_ros_client *client, tn_ros_client_ready_fn callback,
                            void *context)
{
    client->on_ready = callback;
    client->ready_context = context;
    client->was_ready = false;
    // one that is ready already is told so from the loop, never from in here
    if (callback != NULL)
        tn_transport_client_check(client->client);
}

const char *tn_ros_client_name(const struct tn_ros_client *client)
{
    return client->name;
}

enum tn_result tn_ros_call(struct tn_ros_client *client, const void *request, int64_t timeout_ns,
                           tn_ros_response_fn on_response, void *context)
{
    uint64_t call = 0;
    struct tn_ros_call_options options = {
        .timeout_ns = timeout_ns, .on_response = on_response, .context = context};
    return tn_ros_call_start(client, request, &options, &call);
}

enum tn_result tn_ros_call_start(struct tn_ros_client *client, const void *request,
                                 const struct tn_ros_call_options *options, uint64_t *out_call)
{
    struct pending *pending = find_pending(client, 0);
    if (pending == NULL)
        return TN_ERR_LIMIT;
    size_t size = 0;
    int64_t sequence = 0;
    enum tn_result result = encode(&client->buffer, client->type->request, request, &size);
    if (result == TN_OK)
        result = tn_transport_request(client->client, client->buffer.data, size, &sequence);
    if (result != TN_OK)
        return result;
    *pending = (struct pending){
        .sequence = sequence,
        .deadline_steady_ns =
            tn_ns_add(tn_loop_now_steady_ns(client->node->context->loop), options->timeout_ns),
        .on_response = options->on_response,
        .context = options->context,
    };
    arm_timer(client);
    *out_call = (uint64_t)sequence;
    return TN_OK;
}

enum tn_result tn_ros_call_cancel(struct tn_ros_client *client, uint64_t call)
{
    struct pending *pending = call == 0 ? NULL : find_pending(client, (int64_t)call);
    if (pending == NULL)
        return TN_ERR_NOT_FOUND;
    memset(pending, 0, sizeof *pending);
    arm_timer(client);
    return TN_OK;
}
