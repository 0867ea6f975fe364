// SPDX-License-Identifier: Apache-2.0
// Services: one pair of endpoints that speaks the wire of rmw_cyclonedds_cpp (16 bytes of identity
// in front of the body) and that of rmw_fastrtps_cpp (identity as inline QoS).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "ros/cyclone/cyclone__hooks.h"

/// In-band identity: client id and sequence number, behind the encapsulation header.
#define INBAND_SIZE   16u
#define HEADER_SIZE   4u
#define QUEUE_MAX     64u
#define QUEUE_WAIT    (2 * TN_NS_PER_S)
#define QUEUE_RETRY   (100 * TN_NS_PER_MS)
#define MATCHED_MAX   128
#define REQUEST_MAX   128   ///< taken before others run
#define ENTITY_READER 0x04u ///< bit of a GUID's last byte

enum format { FORMAT_CYCLONE = 1, FORMAT_RPC = 2 };

/// What server and client have in common.
struct pair {
    struct tn_transport *transport;
    uint32_t number;              ///< unique in the process
    struct tn_loop_async matched; ///< the other side's endpoints came or went
    struct tn_transport_writer *writer;
    struct tn_transport_reader *reader;
    bool can_rpc;     ///< the inline QoS hook holds
    bool has_told;    ///< that it does not
    uint8_t *scratch; ///< a Cyclone-form message without its identity
    size_t scratch_size;
    const char *kind; ///< "service" or "client"
    char name[256];   ///< request topic
};

/// A reply whose client is not matched yet.
struct queued {
    struct tn_transport_request_id id;
    struct tn_transport_loan loan;
    size_t size;
};

struct tn_transport_server {
    struct pair pair;
    tn_transport_request_fn on_request;
    void *context;
    struct tn_loop_timer retry;
    uint32_t n_queued;
    struct queued queue[QUEUE_MAX];
};

struct tn_transport_client {
    struct pair pair;
    tn_transport_reply_fn on_reply;
    tn_transport_servers_fn on_servers;
    void *context;
    dds_instance_handle_t id; ///< names us in the Cyclone form
};

static void tell_no_rpc(struct pair *pair)
{
    struct tn_logger logger;
    if (pair->has_told)
        return;
    pair->has_told = true;
    tn_logger_init(&logger, "ros");
    TN_WARN(&logger,
            "%s %s: this Cyclone DDS does not allow the rmw_fastrtps form; only "
            "rmw_cyclonedds peers are served (set RMW_IMPLEMENTATION=rmw_cyclonedds_cpp there)",
            pair->kind, pair->name);
}

static bool can_rpc(struct pair *pair)
{
    if (pair->can_rpc && !tn_ros__pool_is_hook_broken(pair->writer->pool))
        return true;
    pair->can_rpc = false;
    tell_no_rpc(pair);
    return false;
}

// ---- both ----

/// "clientid=1.f.…;" + the caller's, the same for both endpoints.
static void write_user_data(const struct tn_transport *transport, const char *key, uint32_t number,
                            const char *rest, char *out, size_t capacity)
{
    uint8_t id[16];
    memcpy(id, transport->gid.data, 12);
    for (unsigned i = 0; i < 4; i++)
        id[12 + i] = (uint8_t)(number >> (24 - 8 * i));
    size_t n = (size_t)snprintf(out, capacity, "%s=%x", key, (unsigned)id[0]);
    for (unsigned i = 1; i < 16 && n < capacity; i++)
        n += (size_t)snprintf(out + n, capacity - n, ".%x", (unsigned)id[i]);
    if (n < capacity)
        (void)snprintf(out + n, capacity - n, ";%s", rest == NULL ? "" : rest);
}

struct pair_events {
    tn_transport_ready_fn on_ready;
    tn_loop_async_fn on_matched;
};

// on a receive thread: only flags and wakes
static void on_publication_matched(dds_entity_t entity,
                                   const dds_publication_matched_status_t status, void *context)
{
    struct pair *pair = context;
    (void)entity;
    (void)status;
    tn_loop_async_signal(&pair->matched);
}

static void on_subscription_matched(dds_entity_t entity,
                                    const dds_subscription_matched_status_t status, void *context)
{
    struct pair *pair = context;
    (void)entity;
    (void)status;
    tn_loop_async_signal(&pair->matched);
}

/// Adds to the listeners that the endpoints have already. Whoever was matched before is found by
/// the first look, which is made in any case.
static enum tn_result watch_matches(struct pair *pair)
{
    dds_listener_t *listener = dds_create_listener(NULL);
    if (listener == NULL)
        return TN_ERR_NO_MEMORY;
    dds_return_t code = dds_get_listener(pair->writer->entity, listener);
    if (code == DDS_RETCODE_OK) {
        dds_lset_publication_matched_arg(listener, on_publication_matched, pair, true);
        code = dds_set_listener(pair->writer->entity, listener);
    }
    dds_reset_listener(listener);
    if (code == DDS_RETCODE_OK)
        code = dds_get_listener(pair->reader->entity, listener);
    if (code == DDS_RETCODE_OK) {
        dds_lset_subscription_matched_arg(listener, on_subscription_matched, pair, true);
        code = dds_set_listener(pair->reader->entity, listener);
    }
    dds_delete_listener(listener);
    // data that came in between
    tn_loop_async_signal(&pair->reader->async);
    tn_loop_async_signal(&pair->matched);
    return code == DDS_RETCODE_OK ? TN_OK : TN_ERR_TRANSPORT;
}

static enum tn_result pair_open(struct pair *pair, const struct tn_transport_service *service,
                                bool is_server, const struct pair_events *events, void *context,
                                struct tn_error *err)
{
    tn_loop_async_start(pair->transport->loop, &pair->matched, events->on_matched, context);
    char writer_data[512], reader_data[512];
    const char *key = is_server ? "serviceid" : "clientid";
    uint32_t number = pair->number = ++pair->transport->n_service_ids;
    pair->kind = is_server ? "service" : "client";
    (void)snprintf(pair->name, sizeof pair->name, "%s", service->request_topic);
    struct tn_transport_topic request = {
        .dds_topic = service->request_topic,
        .dds_type = service->request_type,
        .user_data = is_server ? reader_data : writer_data,
        .qos = service->qos,
    };
    struct tn_transport_topic reply = {
        .dds_topic = service->reply_topic,
        .dds_type = service->reply_type,
        .user_data = is_server ? writer_data : reader_data,
        .qos = service->qos,
    };
    const char *request_data = service->request_user_data, *reply_data = service->reply_user_data;
    write_user_data(pair->transport, key, number, is_server ? reply_data : request_data,
                    writer_data, sizeof writer_data);
    write_user_data(pair->transport, key, number, is_server ? request_data : reply_data,
                    reader_data, sizeof reader_data);

    // the writer first: whoever sees the reader may answer or ask at once
    enum tn_result result = tn_transport_writer_create(
        pair->transport, is_server ? &reply : &request, &pair->writer, err);
    if (result != TN_OK)
        return result;
    pair->can_rpc = tn_ros__hook_inline_qos(pair->writer);
    result = tn_transport_reader_create(pair->transport, is_server ? &request : &reply,
                                        events->on_ready, context, &pair->reader, err);
    if (result != TN_OK)
        return result;
    if (!tn_ros__hook_start_from_first(pair->reader))
        pair->can_rpc = false;
    if (!pair->can_rpc)
        tell_no_rpc(pair);
    result = watch_matches(pair);
    return result == TN_OK ? TN_OK
                           : tn_error_set(err, result, "%s %s: its peers cannot be watched",
                                          pair->kind, pair->name);
}

static void pair_close(struct pair *pair)
{
    tn_transport_reader_destroy(&pair->reader);
    tn_transport_writer_destroy(&pair->writer);
    tn_loop_async_stop(&pair->matched);
    free(pair->scratch);
}

static uint64_t get_u64(const uint8_t *p, bool is_little)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (uint64_t)p[i] << (is_little ? 8 * i : 56 - 8 * i);
    return value;
}

/// Takes the in-band identity out of a Cyclone-form message. The sample itself is left alone: it
/// may be shared.
/// @return header and body, or NULL when it is too short or there is no memory.
static const uint8_t *split_inband(struct pair *pair, struct tn_ros__sample *sample,
                                   uint64_t *out_client, int64_t *out_sequence, size_t *out_size)
{
    const uint8_t *cdr = tn_ros__sample_payload(sample);
    if (sample->size < HEADER_SIZE + INBAND_SIZE)
        return NULL;
    size_t size = sample->size - INBAND_SIZE;
    if (size > pair->scratch_size) {
        uint8_t *grown = realloc(pair->scratch, size);
        if (grown == NULL)
            return NULL;
        pair->scratch = grown;
        pair->scratch_size = size;
    }
    bool is_little = (cdr[1] & 1u) != 0;
    *out_client = get_u64(cdr + HEADER_SIZE, is_little);
    *out_sequence = (int64_t)get_u64(cdr + HEADER_SIZE + 8, is_little);
    memcpy(pair->scratch, cdr, HEADER_SIZE);
    memcpy(pair->scratch + HEADER_SIZE, cdr + HEADER_SIZE + INBAND_SIZE, size - HEADER_SIZE);
    *out_size = size;
    return pair->scratch;
}

/// Fills a loan with a Cyclone-form message. The identity is in the machine's byte order, as the
/// body must be.
static enum tn_result make_cyclone(struct pair *pair, uint64_t client, int64_t sequence,
                                   const uint8_t *cdr, size_t size, struct tn_transport_loan *loan)
{
    enum tn_result result = tn_transport_loan(pair->writer, size + INBAND_SIZE, loan);
    if (result != TN_OK)
        return result;
    memcpy(loan->data, cdr, HEADER_SIZE);
    memcpy(loan->data + HEADER_SIZE, &client, sizeof client);
    memcpy(loan->data + HEADER_SIZE + 8, &sequence, sizeof sequence);
    memcpy(loan->data + HEADER_SIZE + INBAND_SIZE, cdr + HEADER_SIZE, size - HEADER_SIZE);
    return TN_OK;
}

/// Fills a loan with an RPC-form message: the identity stands in front of the payload.
static enum tn_result make_rpc(struct pair *pair, const struct tn_ros__identity *related,
                               const uint8_t *cdr, size_t size, struct tn_transport_loan *loan)
{
    enum tn_result result = tn_transport_loan(pair->writer, size, loan);
    if (result != TN_OK)
        return result;
    struct tn_ros__sample *sample = loan->handle;
    memcpy(loan->data, cdr, size);
    tn_ros__rtps_put_related(sample->bytes, related);
    sample->has_prefix = true;
    sample->meta.has_related = true;
    sample->meta.related = *related;
    return TN_OK;
}

static bool is_cyclone(const uint8_t *vendor)
{
    return vendor[0] == 0x01 && vendor[1] == 0x10;
}

/// Which reader is looked for: by bytes of its GUID, or by its client id.
struct sought {
    const uint8_t *bytes;
    size_t offset, size; ///< in the GUID
    bool is_client_id;   ///< 16 bytes
};

static bool get_client_id(const dds_builtintopic_endpoint_t *endpoint, uint8_t id[16])
{
    void *data = NULL;
    size_t size = 0;
    bool has = dds_qget_userdata(endpoint->qos, &data, &size) && data != NULL &&
               tn_ros__client_id_parse(data, size, id);
    dds_free(data);
    return has;
}

static bool is_sought(const dds_builtintopic_endpoint_t *endpoint, const struct sought *sought)
{
    uint8_t id[16];
    if (!sought->is_client_id)
        return memcmp(endpoint->key.v + sought->offset, sought->bytes, sought->size) == 0;
    return get_client_id(endpoint, id) && memcmp(id, sought->bytes, sizeof id) == 0;
}

/// Whether such a reader of what we write is matched; more than can be looked at count as matched.
static bool is_matched(const struct tn_transport_writer *writer, const struct sought *sought)
{
    dds_instance_handle_t handles[MATCHED_MAX];
    dds_return_t n = dds_get_matched_subscriptions(writer->entity, handles, MATCHED_MAX);
    bool found = n > MATCHED_MAX;
    for (dds_return_t i = 0; i < n && i < MATCHED_MAX && !found; i++) {
        dds_builtintopic_endpoint_t *endpoint =
            dds_get_matched_subscription_data(writer->entity, handles[i]);
        if (endpoint == NULL)
            continue;
        found = is_sought(endpoint, sought);
        dds_builtintopic_free_endpoint(endpoint);
    }
    return found;
}

// ---- server ----

/// Several clients may live in one process: the id in the USER_DATA of both endpoints tells whose
/// reply reader must be there.
static void find_client_id(const struct tn_transport_server *server, dds_instance_handle_t writer,
                           struct tn_transport_request_id *id)
{
    dds_builtintopic_endpoint_t *endpoint =
        dds_get_matched_publication_data(server->pair.reader->entity, writer);
    if (endpoint == NULL)
        return;
    id->has_client_id = get_client_id(endpoint, id->client_id);
    dds_builtintopic_free_endpoint(endpoint);
}

static void handle_request(struct tn_transport_server *server, struct tn_ros__sample *sample,
                           dds_instance_handle_t writer)
{
    static const struct tn_gid none = {{0}};
    const struct tn_ros__rtps_meta *meta = &sample->meta;
    struct tn_transport_request_id id = {
        .format = FORMAT_RPC,
        .server = server->pair.number,
        .writer = meta->sample.gid,
        .arrival_steady_ns = tn_loop_now_steady_ns(server->pair.transport->loop),
    };
    if (!meta->is_known || sample->size < HEADER_SIZE)
        return;
    // what tells the two forms apart: only our own library sends identities from Cyclone
    if (!is_cyclone(meta->vendor) || meta->has_related) {
        bool has_gid = meta->has_related && memcmp(&meta->related.gid, &none, sizeof none) != 0;
        memcpy(id.client, has_gid ? meta->related.gid.data : meta->sample.gid.data, TN_GID_SIZE);
        id.sequence = meta->sample.sequence;
        if (can_rpc(&server->pair))
            server->on_request(server->context, &id, tn_ros__sample_payload(sample), sample->size);
        return;
    }
    uint64_t client = 0;
    size_t size = 0;
    const uint8_t *cdr = split_inband(&server->pair, sample, &client, &id.sequence, &size);
    if (cdr == NULL)
        return;
    id.format = FORMAT_CYCLONE;
    memcpy(id.client, &client, sizeof client);
    find_client_id(server, writer, &id);
    // a client without an id: its reply reader belongs to the participant that wrote the request,
    // whose prefix has 12 bytes; the first four are the vendor and host part
    memcpy(id.client + 8, meta->sample.gid.data + 4, 8);
    server->on_request(server->context, &id, cdr, size);
}

static void server_on_ready(void *context, struct tn_transport_reader *reader)
{
    struct tn_transport_server *server = context;
    for (uint32_t i = 0; i < REQUEST_MAX; i++) {
        dds_sample_info_t info;
        struct tn_ros__sample *sample = tn_ros__take(reader, &info);
        if (sample == NULL)
            return;
        handle_request(server, sample, info.publication_handle);
        tn_ros__sample_unref(sample);
    }
}

/// Whether the reply's reader is there; a client without a known reader counts as there.
static bool is_client_there(const struct tn_transport_server *server,
                            const struct tn_transport_request_id *id)
{
    struct sought sought = {.bytes = id->client, .size = TN_GID_SIZE};
    if (id->format == FORMAT_RPC)
        return (id->client[15] & ENTITY_READER) == 0 || is_matched(server->pair.writer, &sought);
    if (id->has_client_id)
        sought = (struct sought){.bytes = id->client_id, .is_client_id = true};
    else
        sought = (struct sought){.bytes = id->client + 8, .offset = 4, .size = 8};
    return is_matched(server->pair.writer, &sought);
}

/// Endpoints came or went, or time passed: sends what can be sent, drops what nobody waits for.
static void on_retry(void *context)
{
    struct tn_transport_server *server = context;
    int64_t now_ns = tn_loop_now_steady_ns(server->pair.transport->loop);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < server->n_queued; i++) {
        struct queued *q = &server->queue[i];
        if (is_client_there(server, &q->id))
            (void)tn_transport_write(server->pair.writer, &q->loan, q->size);
        else if (now_ns >= q->id.arrival_steady_ns + QUEUE_WAIT)
            tn_transport_loan_return(&q->loan);
        else
            server->queue[kept++] = *q;
    }
    server->n_queued = kept;
    if (kept == 0)
        tn_loop_timer_stop(&server->retry);
}

static enum tn_result enqueue(struct tn_transport_server *server,
                              const struct tn_transport_request_id *id,
                              struct tn_transport_loan *loan, size_t size)
{
    struct tn_loop *loop = server->pair.transport->loop;
    if (server->n_queued == QUEUE_MAX) {
        tn_transport_loan_return(loan);
        return TN_ERR_LIMIT;
    }
    server->queue[server->n_queued++] = (struct queued){
        .id = *id,
        .loan = *loan,
        .size = size,
    };
    if (server->n_queued == 1)
        tn_loop_timer_start(loop, &server->retry, QUEUE_RETRY, QUEUE_RETRY, on_retry, server);
    return TN_OK;
}

enum tn_result tn_transport_reply(struct tn_transport_server *server,
                                  const struct tn_transport_request_id *id, const uint8_t *cdr,
                                  size_t size)
{
    struct tn_transport_loan loan;
    enum tn_result result;
    if (size < HEADER_SIZE)
        return TN_ERR_INVALID_ARGUMENT;
    if (id->server != server->pair.number)
        return TN_ERR_NOT_FOUND;
    // whoever is not there by now has had the time to come, and left
    bool is_there = is_client_there(server, id);
    int64_t now_ns = tn_loop_now_steady_ns(server->pair.transport->loop);
    if (!is_there && now_ns >= id->arrival_steady_ns + QUEUE_WAIT)
        return TN_ERR_NOT_FOUND;
    if (id->format == FORMAT_CYCLONE) {
        uint64_t client = 0;
        memcpy(&client, id->client, sizeof client);
        result = make_cyclone(&server->pair, client, id->sequence, cdr, size, &loan);
        size += INBAND_SIZE;
    } else {
        struct tn_ros__identity related = {.sequence = id->sequence};
        memcpy(related.gid.data, id->client, TN_GID_SIZE);
        result = make_rpc(&server->pair, &related, cdr, size, &loan);
    }
    if (result != TN_OK)
        return result;
    if (is_there)
        return tn_transport_write(server->pair.writer, &loan, size);
    return enqueue(server, id, &loan, size);
}

enum tn_result tn_transport_server_create(struct tn_transport *transport,
                                          const struct tn_transport_service *service,
                                          tn_transport_request_fn on_request, void *context,
                                          struct tn_transport_server **out_server,
                                          struct tn_error *err)
{
    struct tn_transport_server *server = calloc(1, sizeof *server);
    if (server == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for service %s",
                            service->request_topic);
    server->pair.transport = transport;
    server->on_request = on_request;
    server->context = context;
    static const struct pair_events events = {server_on_ready, on_retry};
    enum tn_result result = pair_open(&server->pair, service, true, &events, server, err);
    if (result != TN_OK) {
        tn_transport_server_destroy(&server);
        return result;
    }
    *out_server = server;
    return TN_OK;
}

void tn_transport_server_destroy(struct tn_transport_server **server)
{
    struct tn_transport_server *s = *server;
    *server = NULL;
    if (s == NULL)
        return;
    tn_loop_timer_stop(&s->retry);
    for (uint32_t i = 0; i < s->n_queued; i++)
        tn_transport_loan_return(&s->queue[i].loan);
    pair_close(&s->pair);
    free(s);
}

void tn_transport_server_gids(const struct tn_transport_server *server, struct tn_gid *out_reader,
                              struct tn_gid *out_writer)
{
    *out_reader = server->pair.reader->gid;
    *out_writer = server->pair.writer->gid;
}

// ---- client ----

static void handle_reply(struct tn_transport_client *client, struct tn_ros__sample *sample)
{
    const struct tn_ros__rtps_meta *meta = &sample->meta;
    if (!meta->is_known || sample->size < HEADER_SIZE)
        return;
    if (!is_cyclone(meta->vendor) || meta->has_related) {
        bool is_ours = meta->has_related &&
                       (memcmp(&meta->related.gid, &client->pair.reader->gid, TN_GID_SIZE) == 0 ||
                        memcmp(&meta->related.gid, &client->pair.writer->gid, TN_GID_SIZE) == 0);
        if (is_ours)
            client->on_reply(client->context, meta->related.sequence,
                             tn_ros__sample_payload(sample), sample->size);
        return;
    }
    uint64_t id = 0;
    int64_t sequence = 0;
    size_t size = 0;
    const uint8_t *cdr = split_inband(&client->pair, sample, &id, &sequence, &size);
    if (cdr != NULL && id == client->id)
        client->on_reply(client->context, sequence, cdr, size);
}

static void client_on_ready(void *context, struct tn_transport_reader *reader)
{
    struct tn_transport_client *client = context;
    for (uint32_t i = 0; i < REQUEST_MAX; i++) {
        dds_sample_info_t info;
        struct tn_ros__sample *sample = tn_ros__take(reader, &info);
        if (sample == NULL)
            return;
        handle_reply(client, sample);
        tn_ros__sample_unref(sample);
    }
}

static void client_on_matched(void *context)
{
    struct tn_transport_client *client = context;
    client->on_servers(client->context);
}

void tn_transport_client_check(struct tn_transport_client *client)
{
    tn_loop_async_signal(&client->pair.matched);
}

enum tn_result tn_transport_client_create(struct tn_transport *transport,
                                          const struct tn_transport_service *service,
                                          tn_transport_reply_fn on_reply,
                                          tn_transport_servers_fn on_servers, void *context,
                                          struct tn_transport_client **out_client,
                                          struct tn_error *err)
{
    struct tn_transport_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for client %s",
                            service->request_topic);
    client->pair.transport = transport;
    client->on_reply = on_reply;
    client->on_servers = on_servers;
    client->context = context;
    static const struct pair_events events = {client_on_ready, client_on_matched};
    enum tn_result result = pair_open(&client->pair, service, false, &events, client, err);
    if (result == TN_OK &&
        dds_get_instance_handle(client->pair.writer->entity, &client->id) != DDS_RETCODE_OK)
        result = tn_error_set(err, TN_ERR_TRANSPORT, "client %s has no instance handle",
                              service->request_topic);
    if (result != TN_OK) {
        tn_transport_client_destroy(&client);
        return result;
    }
    *out_client = client;
    return TN_OK;
}

void tn_transport_client_destroy(struct tn_transport_client **client)
{
    struct tn_transport_client *c = *client;
    *client = NULL;
    if (c == NULL)
        return;
    pair_close(&c->pair);
    free(c);
}

bool tn_transport_client_is_ready(struct tn_transport_client *client)
{
    return tn_transport_writer_matched(client->pair.writer) > 0 &&
           tn_transport_reader_matched(client->pair.reader) > 0;
}

/// The form that the first matched server understands; false: there is none.
static bool find_format(const struct tn_transport_client *client, enum format *out)
{
    const struct tn_transport_writer *writer = client->pair.writer;
    dds_instance_handle_t handles[MATCHED_MAX];
    dds_return_t n = dds_get_matched_subscriptions(writer->entity, handles, MATCHED_MAX);
    for (dds_return_t i = 0; i < n && i < MATCHED_MAX; i++) {
        dds_builtintopic_endpoint_t *endpoint =
            dds_get_matched_subscription_data(writer->entity, handles[i]);
        if (endpoint == NULL)
            continue;
        *out = is_cyclone(endpoint->key.v) ? FORMAT_CYCLONE : FORMAT_RPC;
        dds_builtintopic_free_endpoint(endpoint);
        return true;
    }
    return false;
}

enum tn_result tn_transport_request(struct tn_transport_client *client, const uint8_t *cdr,
                                    size_t size, int64_t *out_sequence)
{
    enum format format = FORMAT_CYCLONE;
    struct tn_transport_loan loan;
    enum tn_result result;
    if (size < HEADER_SIZE)
        return TN_ERR_INVALID_ARGUMENT;
    if (!tn_transport_client_is_ready(client) || !find_format(client, &format))
        return TN_ERR_NOT_FOUND;
    if (format == FORMAT_CYCLONE) {
        // one row of numbers for both forms: replies of both may be under way
        int64_t sequence = (int64_t)client->pair.writer->sequence + 1;
        result = make_cyclone(&client->pair, client->id, sequence, cdr, size, &loan);
        if (result == TN_OK)
            result = tn_transport_write(client->pair.writer, &loan, size + INBAND_SIZE);
        if (result == TN_OK)
            *out_sequence = sequence;
        return result;
    }
    // the Cyclone form would be misread by a Fast DDS server, to the point of running out of memory
    if (!can_rpc(&client->pair))
        return TN_ERR_NOT_FOUND;
    struct tn_ros__identity unknown = {.gid = client->pair.reader->gid,
                                       .sequence = -(INT64_C(1) << 32)};
    result = make_rpc(&client->pair, &unknown, cdr, size, &loan);
    if (result == TN_OK)
        result = tn_transport_write(client->pair.writer, &loan, size);
    // the reply names the RTPS sequence number of the request
    if (result == TN_OK)
        *out_sequence = (int64_t)client->pair.writer->sequence;
    return result;
}

void tn_transport_client_gids(const struct tn_transport_client *client, struct tn_gid *out_reader,
                              struct tn_gid *out_writer)
{
    *out_reader = client->pair.reader->gid;
    *out_writer = client->pair.writer->gid;
}
