// SPDX-License-Identifier: Apache-2.0
// Clients: requests in the form that the matched servers understand, replies of both forms.
#include <stdlib.h>
#include <string.h>

#include "ros/cyclone/cyclone__service.h"

struct tn_transport_client {
    struct tn_ros__pair pair;
    tn_transport_reply_fn on_reply;
    tn_transport_servers_fn on_servers;
    void *context;
    dds_instance_handle_t id; ///< names us in the Cyclone form
};

// ---- replies ----

/// A server names the reader that waits, or the writer that asked.
static bool is_ours(const struct tn_transport_client *client, const struct tn_ros__rtps_meta *meta)
{
    const struct tn_gid *gid = &meta->related.gid;
    return meta->has_related && (memcmp(gid, &client->pair.reader->gid, sizeof *gid) == 0 ||
                                 memcmp(gid, &client->pair.writer->gid, sizeof *gid) == 0);
}

static void handle_reply(struct tn_transport_client *client, struct tn_ros__sample *sample)
{
    const struct tn_ros__rtps_meta *meta = &sample->meta;
    struct tn_ros__inband id;
    size_t size = 0;
    if (!meta->is_known || sample->size < TN_ROS__CDR_HEADER_SIZE)
        return;
    if (!tn_ros__is_cyclone(meta->vendor) || meta->has_related) {
        if (is_ours(client, meta))
            client->on_reply(client->context, meta->related.sequence,
                             tn_ros__sample_payload(sample), sample->size);
        return;
    }
    const uint8_t *cdr = tn_ros__pair_split(&client->pair, sample, &id, &size);
    if (cdr != NULL && id.client == client->id)
        client->on_reply(client->context, id.sequence, cdr, size);
}

static void on_ready(void *context, struct tn_transport_reader *reader)
{
    struct tn_transport_client *client = context;
    for (uint32_t i = 0; i < TN_ROS__SERVICE_BATCH; i++) {
        dds_sample_info_t info;
        struct tn_ros__sample *sample = tn_ros__take(reader, &info);
        if (sample == NULL)
            return;
        handle_reply(client, sample);
        tn_ros__sample_unref(sample);
    }
}

static void on_matched(void *context)
{
    struct tn_transport_client *client = context;
    client->on_servers(client->context);
}

// ---- requests ----

/// The form that reaches a complete server. That there are only servers that this endpoint must not
/// speak to is told.
static enum tn_ros__form choose_form(struct tn_transport_client *client)
{
    struct tn_ros__pair *pair = &client->pair;
    const struct tn_ros__matches *readers = tn_ros__pair_readers_now(pair);
    const struct tn_ros__matches *writers = tn_ros__pair_writers(pair);
    enum tn_ros__form form = tn_ros__choose_form(readers, writers, true);
    if (form == TN_ROS__FORM_RPC && !tn_ros__pair_can_rpc(pair))
        return TN_ROS__FORM_NONE;
    return form;
}

bool tn_transport_client_is_ready(struct tn_transport_client *client)
{
    return choose_form(client) != TN_ROS__FORM_NONE;
}

void tn_transport_client_check(struct tn_transport_client *client)
{
    tn_loop_async_signal(&client->pair.matched);
}

static enum tn_result make_request(struct tn_transport_client *client, enum tn_ros__form form,
                                   const uint8_t *cdr, size_t size,
                                   struct tn_transport_loan *out_loan)
{
    struct tn_ros__pair *pair = &client->pair;
    if (form == TN_ROS__FORM_CYCLONE) {
        // one row of numbers for both forms: replies of both may be under way
        struct tn_ros__inband id = {client->id, (int64_t)pair->writer->sequence + 1};
        return tn_ros__pair_make_cyclone(pair, id, cdr, size, out_loan);
    }
    struct tn_ros__identity unknown = {.gid = pair->reader->gid, .sequence = -(INT64_C(1) << 32)};
    return tn_ros__pair_make_rpc(pair, &unknown, cdr, size, out_loan);
}

enum tn_result tn_transport_request(struct tn_transport_client *client, const uint8_t *cdr,
                                    size_t size, int64_t *out_sequence)
{
    struct tn_transport_loan loan;
    if (size < TN_ROS__CDR_HEADER_SIZE)
        return TN_ERR_INVALID_ARGUMENT;
    enum tn_ros__form form = choose_form(client);
    if (form == TN_ROS__FORM_NONE)
        return TN_ERR_NOT_FOUND;
    enum tn_result result = make_request(client, form, cdr, size, &loan);
    if (result != TN_OK)
        return result;
    result = tn_transport_write(client->pair.writer, &loan,
                                form == TN_ROS__FORM_CYCLONE ? size + TN_ROS__INBAND_SIZE : size);
    // the reply names the RTPS sequence number of the request
    if (result == TN_OK)
        *out_sequence = (int64_t)client->pair.writer->sequence;
    return result;
}

// ---- life ----

enum tn_result tn_transport_client_create(struct tn_transport *transport,
                                          const struct tn_transport_service *service,
                                          tn_transport_reply_fn on_reply,
                                          tn_transport_servers_fn on_servers, void *context,
                                          struct tn_transport_client **out_client,
                                          struct tn_error *err)
{
    static const struct tn_ros__pair_events events = {on_ready, on_matched};
    struct tn_transport_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for client %s",
                            service->request_topic);
    client->pair.transport = transport;
    client->on_reply = on_reply;
    client->on_servers = on_servers;
    client->context = context;
    enum tn_result result = tn_ros__pair_open(&client->pair, service, false, &events, client, err);
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
    tn_ros__pair_close(&c->pair);
    free(c);
}

void tn_transport_client_gids(const struct tn_transport_client *client, struct tn_gid *out_reader,
                              struct tn_gid *out_writer)
{
    *out_reader = client->pair.reader->gid;
    *out_writer = client->pair.writer->gid;
}
