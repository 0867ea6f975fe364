// SPDX-License-Identifier: Apache-2.0
// Delivery inside the process: a queue per reader instead of DDS.
#include <stdlib.h>
#include <string.h>

#include "ros/cyclone/cyclone__transport.h"

/// Places that a queue has from the start; only deeper histories make it longer while it runs.
#define QUEUE_START 64u

static uint64_t pass_of(const struct tn_transport *transport)
{
    struct tn_loop_stats stats;
    tn_loop_get_stats(transport->loop, &stats);
    return stats.passes;
}

/// Services have a form of their own on the wire, and ros_discovery_info is for others.
static bool is_topic(const struct tn_transport_topic *topic)
{
    return strncmp(topic->dds_topic, "rt/", 3) == 0 && !topic->ignore_own;
}

static bool is_unlimited(int64_t duration_ns)
{
    return duration_ns == 0 || duration_ns == INT64_MAX;
}

// ---- queue ----

static struct tn_ros__waiting *at(struct tn_ros__local_reader *local, uint32_t i)
{
    uint32_t k = local->first + i;
    return &local->queue[k < local->capacity ? k : k - local->capacity];
}

static struct tn_ros__sample *pop(struct tn_ros__local_reader *local)
{
    struct tn_ros__sample *sample = at(local, 0)->sample;
    local->first = local->first + 1 < local->capacity ? local->first + 1 : 0;
    local->n--;
    return sample;
}

/// Makes a full queue longer, up to the depth of the history. @return false: it stays as it is.
static bool grow(struct tn_ros__local_reader *local)
{
    uint32_t wanted = local->capacity == 0 ? QUEUE_START : 2 * local->capacity;
    uint32_t capacity = wanted < local->depth ? wanted : local->depth;
    if (capacity == local->capacity)
        return false;
    struct tn_ros__waiting *queue = malloc(capacity * sizeof *queue);
    if (queue == NULL)
        return false;
    for (uint32_t i = 0; i < local->n; i++)
        queue[i] = *at(local, i);
    free(local->queue);
    local->queue = queue;
    local->capacity = capacity;
    local->first = 0;
    return true;
}

/// Puts a sample behind all that arrived no later; the oldest makes room. Consumes the reference.
static void insert(struct tn_ros__local_reader *local, struct tn_ros__sample *sample, uint64_t pass)
{
    if (local->n == local->capacity && !grow(local)) {
        // without any memory for a queue the newest cannot be kept either
        tn_ros__sample_unref(local->n == 0 ? sample : pop(local));
        if (local->capacity == 0)
            return;
    }
    uint32_t i = local->n++;
    for (; i > 0 && at(local, i - 1)->sample->arrival_steady_ns > sample->arrival_steady_ns; i--)
        *at(local, i) = *at(local, i - 1);
    *at(local, i) = (struct tn_ros__waiting){sample, pass};
}

// ---- writers ----

void tn_ros__local_writer_open(struct tn_transport_writer *writer,
                               const struct tn_transport_topic *topic)
{
    struct tn_ros__local_writer *local = &writer->local;
    const struct tn_ros_qos *qos = &topic->qos;
    // a writer that keeps all waits for slow readers, which a queue cannot make it do
    local->is_allowed = is_topic(topic) && qos->history == TN_ROS_KEEP_LAST &&
                        qos->durability == TN_ROS_VOLATILE &&
                        qos->liveliness == TN_ROS_LIVELINESS_AUTOMATIC &&
                        is_unlimited(qos->deadline_ns) && is_unlimited(qos->lifespan_ns);
    atomic_store(&writer->endpoint.has_new_matches, true);
    local->next = writer->transport->local_writers;
    writer->transport->local_writers = writer;
}

void tn_ros__local_writer_close(struct tn_transport_writer *writer)
{
    struct tn_transport_writer **link = &writer->transport->local_writers;
    while (*link != NULL && *link != writer)
        link = &(*link)->local.next;
    if (*link != NULL)
        *link = writer->local.next;
}

static struct tn_transport_reader *find_reader(const struct tn_transport *transport,
                                               uint64_t handle)
{
    struct tn_transport_reader *reader = transport->local_readers;
    while (reader != NULL && reader->local.handle != handle)
        reader = reader->local.next;
    return reader;
}

/// Asks DDS who matches. One reader that is elsewhere, or that wants more than a queue can do, and
/// all is DDS's.
static void look_through(struct tn_transport_writer *writer)
{
    struct tn_ros__local_writer *local = &writer->local;
    dds_instance_handle_t handles[TN_ROS__LOCAL_READERS_MAX];
    // first: a change from here on is seen next time
    atomic_store(&writer->endpoint.has_new_matches, false);
    local->is_direct = false;
    local->n_readers = 0;
    dds_return_t n =
        dds_get_matched_subscriptions(writer->entity, handles, TN_ROS__LOCAL_READERS_MAX);
    if (n < 0 || n > TN_ROS__LOCAL_READERS_MAX)
        return;
    for (dds_return_t i = 0; i < n; i++) {
        struct tn_transport_reader *reader = find_reader(writer->transport, handles[i]);
        if (reader == NULL)
            return;
        local->readers[local->n_readers++] = reader;
    }
    local->is_direct = true;
}

/// Whether all subscriptions are in this process.
static bool is_direct(struct tn_transport_writer *writer)
{
    struct tn_ros__local_writer *local = &writer->local;
    if (!local->is_allowed)
        return false;
    if (atomic_load(&writer->endpoint.has_new_matches))
        look_through(writer);
    return local->is_direct;
}

bool tn_ros__local_is_unheard(struct tn_transport_writer *writer)
{
    return is_direct(writer) && writer->local.n_readers == 0;
}

bool tn_ros__local_write(struct tn_transport_writer *writer, struct tn_ros__sample *sample)
{
    struct tn_ros__local_writer *local = &writer->local;
    if (!is_direct(writer))
        return false;
    sample->c.timestamp.v = dds_time();
    uint64_t pass = local->n_readers > 0 ? pass_of(writer->transport) : 0;
    for (uint32_t i = 0; i < local->n_readers; i++) {
        struct tn_transport_reader *reader = local->readers[i];
        (void)ddsi_serdata_ref(&sample->c);
        insert(&reader->local, sample, pass);
        tn_loop_async_signal(&reader->async);
    }
    tn_ros__sample_unref(sample);
    return true;
}

// ---- readers ----

void tn_ros__local_reader_open(struct tn_transport_reader *reader,
                               const struct tn_transport_topic *topic)
{
    struct tn_ros__local_reader *local = &reader->local;
    dds_instance_handle_t handle = 0;
    atomic_store(&local->has_dds, true);
    if (!is_topic(topic) || dds_get_instance_handle(reader->entity, &handle) != DDS_RETCODE_OK)
        return;
    local->handle = handle;
    // DDS's depth: the longest history is bounded as well
    local->depth =
        topic->qos.history == TN_ROS_KEEP_LAST ? topic->qos.depth : TN_ROS_KEEP_ALL_DEPTH;
    // without memory now it is tried again with the first message
    (void)grow(local);
    local->next = reader->transport->local_readers;
    reader->transport->local_readers = reader;
}

/// No writer may deliver to it any more.
static void forget(struct tn_transport_reader *reader)
{
    struct tn_transport_writer *writer = reader->transport->local_writers;
    for (; writer != NULL; writer = writer->local.next) {
        struct tn_ros__local_writer *local = &writer->local;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < local->n_readers; i++)
            if (local->readers[i] != reader)
                local->readers[kept++] = local->readers[i];
        if (kept < local->n_readers)
            atomic_store(&writer->endpoint.has_new_matches, true);
        local->n_readers = kept;
    }
}

void tn_ros__local_reader_close(struct tn_transport_reader *reader)
{
    struct tn_ros__local_reader *local = &reader->local;
    struct tn_transport_reader **link = &reader->transport->local_readers;
    while (*link != NULL && *link != reader)
        link = &(*link)->local.next;
    if (*link != NULL)
        *link = local->next;
    forget(reader);
    while (local->n > 0)
        tn_ros__sample_unref(pop(local));
    free(local->queue);
    local->queue = NULL;
}

void tn_ros__local_reader_notify(struct tn_transport_reader *reader)
{
    atomic_store(&reader->local.has_dds, true);
}

/// Takes from DDS, and from it only when it said that it has something.
static struct tn_ros__sample *take_dds(struct tn_transport_reader *reader)
{
    dds_sample_info_t info;
    // cleared first: what comes meanwhile sets it again
    if (!atomic_exchange(&reader->local.has_dds, false)) {
        reader->is_drained = true;
        return NULL;
    }
    struct tn_ros__sample *sample = tn_ros__take(reader, &info);
    if (sample != NULL)
        atomic_store(&reader->local.has_dds, true);
    return sample;
}

void tn_ros__local_reader_begin(struct tn_transport_reader *reader)
{
    struct tn_ros__local_reader *local = &reader->local;
    if (local->n == 0)
        return;
    // bounded: a flood would otherwise keep the loop here; the rest comes in its turn
    for (uint32_t i = 0; i < local->depth; i++) {
        struct tn_ros__sample *sample = take_dds(reader);
        if (sample == NULL)
            return;
        insert(local, sample, 0);
    }
}

struct tn_ros__sample *tn_ros__local_take(struct tn_transport_reader *reader)
{
    struct tn_ros__local_reader *local = &reader->local;
    if (local->n == 0)
        return take_dds(reader);
    if (at(local, 0)->pass == pass_of(reader->transport)) {
        // there is more for the next pass
        reader->is_drained = false;
        return NULL;
    }
    return pop(local);
}
