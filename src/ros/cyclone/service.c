// SPDX-License-Identifier: Apache-2.0
#include "ros/cyclone/cyclone__service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

/// What a service's own endpoints keep at least. The default profile's 10 would lose requests of
/// more clients than that, when they all ask while the loop is busy.
#define DEPTH_MIN 256u

static void tell_no_rpc(struct tn_ros__pair *pair)
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

bool tn_ros__pair_can_rpc(struct tn_ros__pair *pair)
{
    if (pair->can_rpc && !tn_ros__pool_is_hook_broken(pair->writer->pool))
        return true;
    pair->can_rpc = false;
    tell_no_rpc(pair);
    return false;
}

// ---- who is matched ----

static bool read_id(const dds_builtintopic_endpoint_t *endpoint, const char *key, uint8_t id[16])
{
    void *data = NULL;
    size_t size = 0;
    bool has = dds_qget_userdata(endpoint->qos, &data, &size) && data != NULL &&
               tn_ros__id_parse(data, size, key, id);
    dds_free(data);
    return has;
}

/// A server's endpoints carry a serviceid, a client's a clientid.
static struct tn_ros__match match_of(const dds_builtintopic_endpoint_t *endpoint)
{
    struct tn_ros__match match = {.has_id = false};
    memcpy(&match.gid, endpoint->key.v, sizeof match.gid);
    match.has_id =
        read_id(endpoint, "serviceid", match.id) || read_id(endpoint, "clientid", match.id);
    return match;
}

typedef dds_return_t (*list_fn)(dds_entity_t entity, dds_instance_handle_t *handles, size_t n);
typedef dds_builtintopic_endpoint_t *(*look_fn)(dds_entity_t entity, dds_instance_handle_t handle);

static bool make_room(struct tn_ros__watch *watch, size_t n)
{
    if (n <= watch->capacity)
        return true;
    struct tn_ros__match *matches = realloc(watch->matches.items, n * sizeof *matches);
    if (matches == NULL)
        return false;
    watch->matches.items = matches;
    dds_instance_handle_t *handles = realloc(watch->handles, n * sizeof *handles);
    if (handles == NULL)
        return false;
    watch->handles = handles;
    watch->capacity = n;
    return true;
}

/// @return whether `matches` is of these handles already.
static bool is_same(const struct tn_ros__watch *watch, const dds_instance_handle_t *handles,
                    size_t n)
{
    return !watch->matches.is_cut && n == watch->n_handles &&
           (n == 0 || memcmp(handles, watch->handles, n * sizeof *handles) == 0);
}

static void look(struct tn_ros__watch *watch, dds_entity_t entity, list_fn list, look_fn look_at)
{
    // what changes from here on is seen the next time
    watch->n_seen = atomic_load(&watch->n_changes);
    struct tn_ros__matches *matches = &watch->matches;
    dds_instance_handle_t handles[TN_ROS__MATCHES_MAX];
    dds_return_t n_all = list(entity, handles, TN_ROS__MATCHES_MAX);
    size_t n = n_all < 0 ? 0 : (size_t)n_all;
    bool is_cut = n > TN_ROS__MATCHES_MAX;
    if (is_cut)
        n = TN_ROS__MATCHES_MAX;
    else if (is_same(watch, handles, n))
        return;
    matches->n = watch->n_handles = 0;
    matches->is_cut = is_cut;
    if (!make_room(watch, n)) {
        matches->is_cut = true;
        return;
    }
    if (n > 0)
        memcpy(watch->handles, handles, n * sizeof *handles);
    watch->n_handles = n;
    for (size_t i = 0; i < n; i++) {
        dds_builtintopic_endpoint_t *endpoint = look_at(entity, handles[i]);
        // gone in between
        if (endpoint == NULL)
            continue;
        matches->items[matches->n++] = match_of(endpoint);
        dds_builtintopic_free_endpoint(endpoint);
    }
}

static bool has_changed(struct tn_ros__watch *watch)
{
    return atomic_load(&watch->n_changes) != watch->n_seen;
}

const struct tn_ros__matches *tn_ros__pair_readers_now(struct tn_ros__pair *pair)
{
    look(&pair->readers, pair->writer->entity, dds_get_matched_subscriptions,
         dds_get_matched_subscription_data);
    return &pair->readers.matches;
}

const struct tn_ros__matches *tn_ros__pair_readers(struct tn_ros__pair *pair)
{
    return has_changed(&pair->readers) ? tn_ros__pair_readers_now(pair) : &pair->readers.matches;
}

const struct tn_ros__matches *tn_ros__pair_writers(struct tn_ros__pair *pair)
{
    if (has_changed(&pair->writers))
        look(&pair->writers, pair->reader->entity, dds_get_matched_publications,
             dds_get_matched_publication_data);
    return &pair->writers.matches;
}

// on a receive thread: only flags and wakes
static void on_publication_matched(dds_entity_t entity,
                                   const dds_publication_matched_status_t status, void *context)
{
    struct tn_ros__pair *pair = context;
    (void)entity;
    (void)status;
    // at once: what Cyclone servers have not acknowledged yet, the new one asks for right away
    if (pair->keeps_from_strangers)
        tn_ros__hook_keep_from_strangers(pair->writer);
    atomic_fetch_add(&pair->readers.n_changes, 1);
    tn_loop_async_signal(&pair->matched);
}

static void on_subscription_matched(dds_entity_t entity,
                                    const dds_subscription_matched_status_t status, void *context)
{
    struct tn_ros__pair *pair = context;
    (void)entity;
    (void)status;
    atomic_fetch_add(&pair->writers.n_changes, 1);
    tn_loop_async_signal(&pair->matched);
}

/// Adds to the listeners that the endpoints have already. Whoever was matched before is found by
/// the first look, which is made in any case.
static enum tn_result watch_matches(struct tn_ros__pair *pair)
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
    atomic_fetch_add(&pair->readers.n_changes, 1);
    atomic_fetch_add(&pair->writers.n_changes, 1);
    tn_loop_async_signal(&pair->reader->async);
    tn_loop_async_signal(&pair->matched);
    return code == DDS_RETCODE_OK ? TN_OK : TN_ERR_TRANSPORT;
}

// ---- both endpoints ----

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

enum tn_result tn_ros__pair_open(struct tn_ros__pair *pair,
                                 const struct tn_transport_service *service, bool is_server,
                                 const struct tn_ros__pair_events *events, void *context,
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
    // bursts of many clients: history is no matter between the two sides
    if (service->qos.history == TN_ROS_KEEP_LAST && service->qos.depth < DEPTH_MIN)
        request.qos.depth = reply.qos.depth = DEPTH_MIN;
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
    pair->keeps_from_strangers = !is_server;
    result = watch_matches(pair);
    return result == TN_OK ? TN_OK
                           : tn_error_set(err, result, "%s %s: its peers cannot be watched",
                                          pair->kind, pair->name);
}

void tn_ros__pair_close(struct tn_ros__pair *pair)
{
    tn_transport_reader_destroy(&pair->reader);
    tn_transport_writer_destroy(&pair->writer);
    tn_loop_async_stop(&pair->matched);
    free(pair->readers.matches.items);
    free(pair->readers.handles);
    free(pair->writers.matches.items);
    free(pair->writers.handles);
    free(pair->scratch);
}

// ---- both forms ----

const uint8_t *tn_ros__pair_split(struct tn_ros__pair *pair, struct tn_ros__sample *sample,
                                  struct tn_ros__inband *out_id, size_t *out_size)
{
    const uint8_t *cdr = tn_ros__sample_payload(sample);
    if (tn_ros__inband_get(cdr, sample->size, out_id) != TN_OK)
        return NULL;
    size_t size = sample->size - TN_ROS__INBAND_SIZE;
    if (size > pair->scratch_size) {
        uint8_t *grown = realloc(pair->scratch, size);
        if (grown == NULL)
            return NULL;
        pair->scratch = grown;
        pair->scratch_size = size;
    }
    tn_ros__inband_strip(cdr, sample->size, pair->scratch);
    *out_size = size;
    return pair->scratch;
}

enum tn_result tn_ros__pair_make_cyclone(struct tn_ros__pair *pair, struct tn_ros__inband id,
                                         const uint8_t *cdr, size_t size,
                                         struct tn_transport_loan *out_loan)
{
    enum tn_result result = tn_transport_loan(pair->writer, size + TN_ROS__INBAND_SIZE, out_loan);
    if (result != TN_OK)
        return result;
    struct tn_ros__sample *sample = out_loan->handle;
    sample->is_inband = true;
    tn_ros__inband_put(id, cdr, size, out_loan->data);
    return TN_OK;
}

enum tn_result tn_ros__pair_make_rpc(struct tn_ros__pair *pair,
                                     const struct tn_ros__identity *related, const uint8_t *cdr,
                                     size_t size, struct tn_transport_loan *out_loan)
{
    enum tn_result result = tn_transport_loan(pair->writer, size, out_loan);
    if (result != TN_OK)
        return result;
    struct tn_ros__sample *sample = out_loan->handle;
    memcpy(out_loan->data, cdr, size);
    tn_ros__rtps_put_related(sample->bytes, related);
    sample->has_prefix = true;
    sample->meta.has_related = true;
    sample->meta.related = *related;
    return TN_OK;
}
