// SPDX-License-Identifier: Apache-2.0
// Participant, writers and readers of topics.
#include <stdlib.h>
#include <string.h>

#include <dds/ddsrt/log.h>

#include "ros/cyclone/cyclone__transport.h"

enum tn_result tn_ros__dds_error(struct tn_error *err, dds_return_t code, const char *what,
                                 const char *name)
{
    enum tn_result result = TN_ERR_TRANSPORT;
    if (code == DDS_RETCODE_OUT_OF_RESOURCES)
        result = TN_ERR_NO_MEMORY;
    if (code == DDS_RETCODE_BAD_PARAMETER || code == DDS_RETCODE_INCONSISTENT_POLICY)
        result = TN_ERR_INVALID_ARGUMENT;
    return tn_error_set(err, result, "%s %s: DDS says \"%s\"", what, name, dds_strretcode(code));
}

static struct tn_gid gid_of(dds_entity_t entity)
{
    dds_guid_t guid;
    struct tn_gid gid = {{0}};
    _Static_assert(sizeof guid.v == TN_GID_SIZE, "a gid is a GUID");
    if (dds_get_guid(entity, &guid) == DDS_RETCODE_OK)
        memcpy(gid.data, guid.v, TN_GID_SIZE);
    return gid;
}

// ---- participant ----

/// Cyclone explains a refused configuration only in its log.
struct captured_log {
    char text[TN_ERROR_TEXT_MAX / 2];
};

static void capture_log(void *context, const dds_log_data_t *data)
{
    struct captured_log *log = context;
    if (log->text[0] != '\0' || !(data->priority & (DDS_LC_FATAL | DDS_LC_ERROR | DDS_LC_CONFIG)))
        return;
    size_t size = data->size < sizeof log->text - 1 ? data->size : sizeof log->text - 1;
    memcpy(log->text, data->message, size);
    log->text[strcspn(log->text, "\n")] = '\0';
}

static enum tn_result domain_create(struct tn_transport *transport,
                                    const struct tn_transport_options *options,
                                    struct tn_error *err)
{
    struct captured_log log = {{0}};
    dds_set_log_sink(capture_log, &log);
    transport->domain = dds_create_domain(options->domain_id, options->config_xml);
    dds_set_log_sink(NULL, NULL);
    if (transport->domain >= 0)
        return TN_OK;

    if (transport->domain == DDS_RETCODE_PRECONDITION_NOT_MET)
        return tn_error_set(err, TN_ERR_TRANSPORT,
                            "DDS domain %u is in use in this process already; one context per "
                            "process and domain",
                            options->domain_id);
    return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                        "DDS domain %u could not be made: %s; check CYCLONEDDS_URI, the network "
                        "interface and ROS_STATIC_PEERS",
                        options->domain_id,
                        log.text[0] != '\0' ? log.text : dds_strretcode(transport->domain));
}

static enum tn_result participant_create(struct tn_transport *transport,
                                         const struct tn_transport_options *options,
                                         struct tn_error *err)
{
    dds_qos_t *qos = dds_create_qos();
    if (qos == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the participant");
    if (options->user_data != NULL)
        dds_qset_userdata(qos, options->user_data, strlen(options->user_data));
    transport->participant = dds_create_participant(options->domain_id, qos, NULL);
    dds_delete_qos(qos);
    if (transport->participant < 0)
        return tn_ros__dds_error(err, transport->participant, "participant", "");
    transport->gid = gid_of(transport->participant);

    transport->publisher = dds_create_publisher(transport->participant, NULL, NULL);
    if (transport->publisher < 0)
        return tn_ros__dds_error(err, transport->publisher, "publisher", "");
    transport->subscriber = dds_create_subscriber(transport->participant, NULL, NULL);
    if (transport->subscriber < 0)
        return tn_ros__dds_error(err, transport->subscriber, "subscriber", "");
    return TN_OK;
}

enum tn_result tn_transport_create(struct tn_loop *loop, const struct tn_transport_options *options,
                                   struct tn_transport **out_transport, struct tn_error *err)
{
    if (options->domain_id > 232)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "DDS domain %u is out of range: 0 to 232 have ports",
                            options->domain_id);
    struct tn_transport *transport = calloc(1, sizeof *transport);
    if (transport == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the transport");
    transport->loop = loop;
    transport->clock = tn_loop_clock(loop);
    tn_ros__endpoints_init(transport);
    transport->pool = tn_ros__pool_create();
    enum tn_result result = TN_ERR_NO_MEMORY;
    if (transport->pool == NULL)
        goto fail;
    result = domain_create(transport, options, err);
    if (result != TN_OK)
        goto fail;
    result = participant_create(transport, options, err);
    if (result != TN_OK)
        goto fail;
    *out_transport = transport;
    return TN_OK;

fail:
    tn_transport_destroy(&transport);
    return result;
}

void tn_transport_destroy(struct tn_transport **transport)
{
    struct tn_transport *t = *transport;
    *transport = NULL;
    if (t == NULL)
        return;
    tn_ros__endpoints_fini(t);
    // the domain takes the participant and everything below it along
    if (t->domain > 0)
        (void)dds_delete(t->domain);
    tn_ros__pool_unref(t->pool);
    free(t);
}

struct tn_gid tn_transport_gid(const struct tn_transport *transport)
{
    return transport->gid;
}

enum tn_result tn_ros__topic_create(struct tn_transport *transport,
                                    const struct tn_transport_topic *topic, dds_entity_t *out_topic,
                                    struct ddsi_sertype **out_type, struct tn_error *err)
{
    struct ddsi_sertype *type =
        tn_ros__type_new(topic->dds_type, transport->pool, transport->clock);
    if (type == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", topic->dds_topic);
    dds_entity_t entity =
        dds_create_topic_sertype(transport->participant, topic->dds_topic, &type, NULL, NULL, NULL);
    if (entity < 0) {
        ddsi_sertype_unref(type);
        return tn_ros__dds_error(err, entity, "topic", topic->dds_topic);
    }
    // an equal type that was there already may have taken the place of ours
    *out_type = type;
    *out_topic = entity;
    return TN_OK;
}

/// Makes an endpoint known to events and discovery; takes the QoS over.
static enum tn_result endpoint_add(struct tn_ros__dds_endpoint *endpoint, dds_entity_t entity,
                                   const struct tn_transport_topic *topic, dds_qos_t *qos,
                                   struct tn_error *err)
{
    endpoint->entity = entity;
    endpoint->gid = gid_of(entity);
    enum tn_result result =
        tn_ros__endpoint_add(endpoint->transport, endpoint, topic->dds_topic, topic->dds_type, qos);
    dds_delete_qos(qos);
    if (result != TN_OK)
        return tn_error_set(err, result, "no memory for topic %s", topic->dds_topic);
    return TN_OK;
}

// ---- writers ----

static enum tn_result writer_open(struct tn_transport_writer *writer,
                                  const struct tn_transport_topic *topic, struct tn_error *err)
{
    enum tn_result result =
        tn_ros__topic_create(writer->transport, topic, &writer->topic, &writer->type, err);
    if (result != TN_OK)
        return result;
    dds_qos_t *qos = tn_ros__qos_create(topic, true, err);
    if (qos == NULL)
        return TN_ERR_INVALID_ARGUMENT;
    dds_listener_t *listener = dds_create_listener(writer);
    if (listener == NULL) {
        dds_delete_qos(qos);
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", topic->dds_topic);
    }
    writer->endpoint.transport = writer->transport;
    writer->endpoint.is_writer = true;
    tn_ros__endpoint_listen(&writer->endpoint, listener);
    writer->entity = dds_create_writer(writer->transport->publisher, writer->topic, qos, listener);
    dds_delete_listener(listener);
    if (writer->entity < 0) {
        dds_delete_qos(qos);
        return tn_ros__dds_error(err, writer->entity, "writer on", topic->dds_topic);
    }
    writer->gid = gid_of(writer->entity);
    tn_ros__local_writer_open(writer, topic);
    return endpoint_add(&writer->endpoint, writer->entity, topic, qos, err);
}

enum tn_result tn_transport_writer_create(struct tn_transport *transport,
                                          const struct tn_transport_topic *topic,
                                          struct tn_transport_writer **out_writer,
                                          struct tn_error *err)
{
    struct tn_transport_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", topic->dds_topic);
    writer->transport = transport;
    transport->n_endpoints++;
    writer->pool = tn_ros__pool_create();
    enum tn_result result = writer->pool == NULL ? TN_ERR_NO_MEMORY : TN_OK;
    if (result == TN_OK)
        result = writer_open(writer, topic, err);
    if (result != TN_OK) {
        tn_transport_writer_destroy(&writer);
        return result;
    }
    *out_writer = writer;
    return TN_OK;
}

void tn_transport_writer_destroy(struct tn_transport_writer **writer)
{
    struct tn_transport_writer *w = *writer;
    *writer = NULL;
    if (w == NULL)
        return;
    if (w->entity > 0)
        (void)dds_delete(w->entity);
    if (w->topic > 0)
        (void)dds_delete(w->topic);
    tn_ros__endpoint_remove(&w->endpoint);
    tn_ros__local_writer_close(w);
    tn_ros__pool_unref(w->pool);
    w->transport->n_endpoints--;
    free(w);
}

enum tn_result tn_transport_loan(struct tn_transport_writer *writer, size_t capacity,
                                 struct tn_transport_loan *out_loan)
{
    if (capacity > TN_ROS__PAYLOAD_MAX)
        return TN_ERR_LIMIT;
    struct tn_ros__sample *sample =
        tn_ros__sample_new(writer->pool, writer->type, SDK_DATA, capacity);
    if (sample == NULL)
        return TN_ERR_NO_MEMORY;
    out_loan->data = tn_ros__sample_payload(sample);
    out_loan->capacity = sample->capacity;
    out_loan->handle = sample;
    return TN_OK;
}

void tn_transport_loan_return(struct tn_transport_loan *loan)
{
    struct tn_ros__sample *sample = loan->handle;
    memset(loan, 0, sizeof *loan);
    if (sample != NULL)
        tn_ros__sample_unref(sample);
}

bool tn_transport_skip(struct tn_transport_writer *writer)
{
    if (!tn_ros__local_is_unheard(writer))
        return false;
    writer->sequence++;
    return true;
}

enum tn_result tn_transport_write(struct tn_transport_writer *writer,
                                  struct tn_transport_loan *loan, size_t size)
{
    struct tn_ros__sample *sample = loan->handle;
    if (size < 4 || size > loan->capacity) {
        tn_transport_loan_return(loan);
        return TN_ERR_INVALID_ARGUMENT;
    }
    memset(loan, 0, sizeof *loan);
    tn_ros__sample_set_size(sample, size);
    // readers in this process get this very sample: no receive thread fills these in
    sample->meta.sample.gid = writer->gid;
    sample->meta.sample.sequence = (int64_t)(writer->sequence + 1);
    sample->meta.vendor[0] = writer->gid.data[0];
    sample->meta.vendor[1] = writer->gid.data[1];
    sample->meta.is_known = true;
    sample->arrival_steady_ns =
        writer->transport->clock.steady_ns(writer->transport->clock.context);
    if (tn_ros__local_write(writer, sample)) {
        writer->sequence++;
        return TN_OK;
    }
    // consumes our reference and stamps the sample with the wall clock
    dds_return_t code = dds_writecdr(writer->entity, &sample->c);
    if (code < 0)
        return code == DDS_RETCODE_TIMEOUT ? TN_ERR_TIMEOUT : TN_ERR_TRANSPORT;
    writer->sequence++;
    return TN_OK;
}

struct tn_gid tn_transport_writer_gid(const struct tn_transport_writer *writer)
{
    return writer->gid;
}

uint32_t tn_transport_writer_matched(const struct tn_transport_writer *writer)
{
    dds_publication_matched_status_t status;
    if (dds_get_publication_matched_status(writer->entity, &status) != DDS_RETCODE_OK)
        return 0;
    return status.current_count;
}

// ---- readers ----

/// On a receive thread: only flags and wakes.
static void on_data_available(dds_entity_t entity, void *context)
{
    (void)entity;
    struct tn_transport_reader *reader = context;
    tn_ros__local_reader_notify(reader);
    tn_loop_async_signal(&reader->async);
}

static void on_async(void *context)
{
    struct tn_transport_reader *reader = context;
    tn_ros__local_reader_begin(reader);
    reader->is_drained = false;
    reader->on_ready(reader->context, reader);
    // whoever left something behind to let others run is called again in the next pass
    if (!reader->is_drained)
        tn_loop_async_signal(&reader->async);
}

static enum tn_result reader_open(struct tn_transport_reader *reader,
                                  const struct tn_transport_topic *topic, struct tn_error *err)
{
    enum tn_result result =
        tn_ros__topic_create(reader->transport, topic, &reader->topic, &reader->type, err);
    if (result != TN_OK)
        return result;
    dds_qos_t *qos = tn_ros__qos_create(topic, false, err);
    if (qos == NULL)
        return TN_ERR_INVALID_ARGUMENT;
    dds_listener_t *listener = dds_create_listener(reader);
    if (listener == NULL) {
        dds_delete_qos(qos);
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", topic->dds_topic);
    }
    // set at creation: in 0.10.2 a listener set later misses what is there already
    dds_lset_data_available(listener, on_data_available);
    reader->endpoint.transport = reader->transport;
    tn_ros__endpoint_listen(&reader->endpoint, listener);
    reader->entity = dds_create_reader(reader->transport->subscriber, reader->topic, qos, listener);
    dds_delete_listener(listener);
    if (reader->entity < 0) {
        dds_delete_qos(qos);
        return tn_ros__dds_error(err, reader->entity, "reader on", topic->dds_topic);
    }
    reader->gid = gid_of(reader->entity);
    tn_ros__local_reader_open(reader, topic);
    return endpoint_add(&reader->endpoint, reader->entity, topic, qos, err);
}

enum tn_result tn_transport_reader_create(struct tn_transport *transport,
                                          const struct tn_transport_topic *topic,
                                          tn_transport_ready_fn on_ready, void *context,
                                          struct tn_transport_reader **out_reader,
                                          struct tn_error *err)
{
    struct tn_transport_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", topic->dds_topic);
    reader->transport = transport;
    transport->n_endpoints++;
    reader->on_ready = on_ready;
    reader->context = context;
    tn_loop_async_start(transport->loop, &reader->async, on_async, reader);
    enum tn_result result = reader_open(reader, topic, err);
    if (result != TN_OK) {
        tn_transport_reader_destroy(&reader);
        return result;
    }
    *out_reader = reader;
    return TN_OK;
}

void tn_transport_reader_destroy(struct tn_transport_reader **reader)
{
    struct tn_transport_reader *r = *reader;
    *reader = NULL;
    if (r == NULL)
        return;
    // waits for a listener that is running: after it nobody signals the async
    if (r->entity > 0)
        (void)dds_delete(r->entity);
    if (r->topic > 0)
        (void)dds_delete(r->topic);
    tn_ros__local_reader_close(r);
    tn_loop_async_stop(&r->async);
    tn_ros__endpoint_remove(&r->endpoint);
    r->transport->n_endpoints--;
    free(r);
}

struct tn_ros__sample *tn_ros__take(struct tn_transport_reader *reader, dds_sample_info_t *out_info)
{
    struct ddsi_serdata *serdata = NULL;
    while (dds_takecdr(reader->entity, &serdata, 1, out_info, DDS_ANY_STATE) == 1) {
        // notices that a writer went away carry no data
        if (out_info->valid_data && serdata->kind == SDK_DATA)
            return (struct tn_ros__sample *)serdata;
        ddsi_serdata_unref(serdata);
    }
    reader->is_drained = true;
    return NULL;
}

enum tn_result tn_transport_take(struct tn_transport_reader *reader,
                                 struct tn_transport_sample *out_sample)
{
    struct tn_ros__sample *sample = tn_ros__local_take(reader);
    if (sample == NULL)
        return TN_ERR_AGAIN;
    out_sample->cdr = tn_ros__sample_payload(sample);
    out_sample->size = sample->size;
    out_sample->source_wall_ns = sample->c.timestamp.v;
    out_sample->arrival_steady_ns = sample->arrival_steady_ns;
    out_sample->writer = sample->meta.sample.gid;
    out_sample->sequence = (uint64_t)sample->meta.sample.sequence;
    out_sample->handle = sample;
    return TN_OK;
}

void tn_transport_release(struct tn_transport_sample *sample)
{
    struct tn_ros__sample *s = sample->handle;
    memset(sample, 0, sizeof *sample);
    if (s != NULL)
        tn_ros__sample_unref(s);
}

struct tn_gid tn_transport_reader_gid(const struct tn_transport_reader *reader)
{
    return reader->gid;
}

uint32_t tn_transport_reader_matched(const struct tn_transport_reader *reader)
{
    dds_subscription_matched_status_t status;
    if (dds_get_subscription_matched_status(reader->entity, &status) != DDS_RETCODE_OK)
        return 0;
    return status.current_count;
}
