// SPDX-License-Identifier: Apache-2.0
// Servers: requests of both wire forms, replies in the form of the request.
#include <stdlib.h>
#include <string.h>

#include "ros/cyclone/cyclone__service.h"

/// Replies that wait for their reader, all clients together: a few per client at start-up.
#define QUEUE_MAX 1024u
/// Of one participant; whoever makes up identities fills only its own share.
#define QUEUE_MAX_PER_PARTICIPANT 64u
/// Their bytes; a single bigger one may wait alone.
#define QUEUE_MAX_BYTES ((size_t)8 << 20)
#define QUEUE_FIRST     16u
/// How long after its request a reply waits: discovery of the slowest peers takes 1 s.
#define QUEUE_WAIT_NS (2 * TN_NS_PER_S)
/// How often it is looked who has waited too long.
#define QUEUE_TICK_NS (100 * TN_NS_PER_MS)

/// Replies in pieces that are kept for the case that their identity gets lost.
#define KEPT_MAX       8u
#define KEPT_MAX_BYTES ((size_t)8 << 20)
#define KEPT_NS        (10 * TN_NS_PER_S)
/// How often one reply is sent anew; at 25 % loss of packets one in 10^9 would need more.
#define ANEW_MAX 16u

/// A reply whose client is not matched yet.
struct queued {
    struct tn_transport_request_id id;
    struct tn_transport_loan loan;
    size_t size;
};

/// A reply that was sent in pieces.
struct kept {
    struct tn_ros__sample *sample; ///< NULL: free
    uint32_t n_anew;               ///< copies that went before it
    int64_t until_steady_ns;
};

struct tn_transport_server {
    struct tn_ros__pair pair;
    tn_transport_request_fn on_request;
    void *context;
    struct tn_loop_timer tick;
    bool is_ticking;
    struct queued *queue; ///< in the order of the replies
    uint32_t n_queued, queue_capacity;
    size_t n_queued_bytes;
    struct tn_loop_async repeated; ///< the beginning of a kept reply was sent again
    struct kept kept[KEPT_MAX];
    uint32_t fragment_size;
};

static int64_t now_steady_ns(const struct tn_transport_server *server)
{
    return tn_loop_now_steady_ns(server->pair.transport->loop);
}

// ---- requests ----

/// Several clients may live in one process: the id in the USER_DATA of both endpoints tells whose
/// reply reader must be there.
static void find_client_id(struct tn_transport_server *server, struct tn_transport_request_id *id)
{
    const struct tn_ros__match *writer =
        tn_ros__match_find(tn_ros__pair_writers(&server->pair), id->writer);
    if (writer == NULL || !writer->has_id)
        return;
    id->has_client_id = true;
    memcpy(id->client_id, writer->id, sizeof id->client_id);
}

static void handle_rpc(struct tn_transport_server *server, struct tn_ros__sample *sample,
                       struct tn_transport_request_id *id)
{
    static const struct tn_gid none = {{0}};
    const struct tn_ros__rtps_meta *meta = &sample->meta;
    // who asked has told which reader waits, or is the writer itself
    bool has_gid = meta->has_related && memcmp(&meta->related.gid, &none, sizeof none) != 0;
    memcpy(id->client, has_gid ? meta->related.gid.data : meta->sample.gid.data, TN_GID_SIZE);
    id->sequence = meta->sample.sequence;
    id->format = TN_ROS__FORM_RPC;
    if (tn_ros__pair_can_rpc(&server->pair))
        server->on_request(server->context, id, tn_ros__sample_payload(sample), sample->size);
}

static void handle_cyclone(struct tn_transport_server *server, struct tn_ros__sample *sample,
                           struct tn_transport_request_id *id)
{
    struct tn_ros__inband inband;
    size_t size = 0;
    const uint8_t *cdr = tn_ros__pair_split(&server->pair, sample, &inband, &size);
    if (cdr == NULL)
        return;
    id->format = TN_ROS__FORM_CYCLONE;
    id->sequence = inband.sequence;
    memcpy(id->client, &inband.client, sizeof inband.client);
    find_client_id(server, id);
    server->on_request(server->context, id, cdr, size);
}

static void handle_request(struct tn_transport_server *server, struct tn_ros__sample *sample)
{
    const struct tn_ros__rtps_meta *meta = &sample->meta;
    struct tn_transport_request_id id = {
        .server = server->pair.number,
        .writer = meta->sample.gid,
        .arrival_steady_ns = now_steady_ns(server),
    };
    if (!meta->is_known || sample->size < TN_ROS__CDR_HEADER_SIZE)
        return;
    // what tells the two forms apart: only our own library sends identities from Cyclone
    if (!tn_ros__is_cyclone(meta->vendor) || meta->has_related)
        handle_rpc(server, sample, &id);
    else
        handle_cyclone(server, sample, &id);
}

static void on_ready(void *context, struct tn_transport_reader *reader)
{
    struct tn_transport_server *server = context;
    for (uint32_t i = 0; i < TN_ROS__SERVICE_BATCH; i++) {
        dds_sample_info_t info;
        struct tn_ros__sample *sample = tn_ros__take(reader, &info);
        if (sample == NULL)
            return;
        handle_request(server, sample);
        tn_ros__sample_unref(sample);
    }
}

// ---- replies in pieces ----
//
// Cyclone puts the inline QoS into the first piece only, Fast DDS takes it from the piece that
// arrives first. Where the first one got lost, the reply is complete in the end and nobody's. That
// it is asked for again is what is seen here: then the whole reply is sent anew. A client that had
// it already drops the copy.

static void release_kept(struct kept *kept)
{
    if (kept->sample != NULL)
        tn_ros__sample_unref(kept->sample);
    kept->sample = NULL;
}

/// @return whether some are left.
static bool release_old_kept(struct tn_transport_server *server, int64_t now_ns)
{
    bool has_some = false;
    for (uint32_t i = 0; i < KEPT_MAX; i++) {
        if (now_ns >= server->kept[i].until_steady_ns)
            release_kept(&server->kept[i]);
        has_some = has_some || server->kept[i].sample != NULL;
    }
    return has_some;
}

static void look_through_queue(void *context);

static void start_tick(struct tn_transport_server *server)
{
    // not again: it would be put off for ever by those who ask often
    if (server->is_ticking)
        return;
    server->is_ticking = true;
    tn_loop_timer_start(server->pair.transport->loop, &server->tick, QUEUE_TICK_NS, QUEUE_TICK_NS,
                        look_through_queue, server);
}

/// Takes over a reference; the oldest give way.
static void keep(struct tn_transport_server *server, struct tn_ros__sample *sample, uint32_t n_anew)
{
    struct kept *place = NULL;
    size_t n_bytes = sample->size;
    for (uint32_t i = 0; i < KEPT_MAX; i++) {
        struct kept *k = &server->kept[i];
        n_bytes += k->sample == NULL ? 0 : k->sample->size;
        if (place == NULL || (place->sample != NULL &&
                              (k->sample == NULL || k->until_steady_ns < place->until_steady_ns)))
            place = k;
    }
    for (uint32_t i = 0; i < KEPT_MAX && n_bytes > KEPT_MAX_BYTES; i++) {
        if (server->kept[i].sample != NULL)
            n_bytes -= server->kept[i].sample->size;
        release_kept(&server->kept[i]);
    }
    release_kept(place);
    *place = (struct kept){sample, n_anew, now_steady_ns(server) + KEPT_NS};
    start_tick(server);
}

/// Writes a reply; one that may go in pieces is kept for a while.
static enum tn_result write_reply(struct tn_transport_server *server,
                                  struct tn_transport_loan *loan, size_t size, uint32_t n_anew)
{
    struct tn_ros__sample *sample = loan->handle;
    bool is_kept = sample->has_prefix && size > server->fragment_size && size <= KEPT_MAX_BYTES;
    if (is_kept) {
        sample->on_repeat = &server->repeated;
        // whoever counts on has seen the line above
        atomic_store(&sample->n_sent, 0);
        (void)ddsi_serdata_ref(&sample->c);
    }
    enum tn_result result = tn_transport_write(server->pair.writer, loan, size);
    if (is_kept && result == TN_OK)
        keep(server, sample, n_anew);
    else if (is_kept)
        tn_ros__sample_unref(sample);
    return result;
}

static void send_anew(void *context)
{
    struct tn_transport_server *server = context;
    for (uint32_t i = 0; i < KEPT_MAX; i++) {
        struct kept old = server->kept[i];
        struct tn_transport_loan loan;
        if (old.sample == NULL || atomic_load(&old.sample->n_sent) < 2)
            continue;
        server->kept[i].sample = NULL;
        if (old.n_anew < ANEW_MAX && tn_ros__pair_make_rpc(&server->pair, &old.sample->meta.related,
                                                           tn_ros__sample_payload(old.sample),
                                                           old.sample->size, &loan) == TN_OK)
            (void)write_reply(server, &loan, old.sample->size, old.n_anew + 1);
        release_kept(&old);
    }
}

// ---- replies that wait ----

static bool is_asker_there(struct tn_transport_server *server,
                           const struct tn_transport_request_id *id)
{
    return tn_ros__is_asker_there(tn_ros__pair_readers(&server->pair), id);
}

/// Whoever is not there so long after the request has had the time to come.
static bool is_over(const struct tn_transport_request_id *id, int64_t now_ns)
{
    return now_ns >= tn_ns_add(id->arrival_steady_ns, QUEUE_WAIT_NS);
}

/// Endpoints came or went, or time passed: sends what can be sent, drops what nobody waits for.
static void look_through_queue(void *context)
{
    struct tn_transport_server *server = context;
    int64_t now_ns = now_steady_ns(server);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < server->n_queued; i++) {
        struct queued *q = &server->queue[i];
        if (is_asker_there(server, &q->id))
            (void)write_reply(server, &q->loan, q->size, 0);
        else if (is_over(&q->id, now_ns))
            tn_transport_loan_return(&q->loan);
        else {
            server->queue[kept++] = *q;
            continue;
        }
        server->n_queued_bytes -= q->size;
    }
    server->n_queued = kept;
    if (!release_old_kept(server, now_ns) && kept == 0) {
        tn_loop_timer_stop(&server->tick);
        server->is_ticking = false;
    }
}

static uint32_t n_queued_of(const struct tn_transport_server *server, struct tn_gid writer)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < server->n_queued; i++)
        n += memcmp(&server->queue[i].id.writer, &writer, TN_ROS__PREFIX_SIZE) == 0;
    return n;
}

/// Whether one more reply may wait, with room made for it.
static enum tn_result admit(struct tn_transport_server *server, struct tn_gid writer, size_t size)
{
    bool fits = server->n_queued == 0 || server->n_queued_bytes + size <= QUEUE_MAX_BYTES;
    if (!fits || server->n_queued == QUEUE_MAX ||
        n_queued_of(server, writer) >= QUEUE_MAX_PER_PARTICIPANT)
        return TN_ERR_LIMIT;
    if (server->n_queued < server->queue_capacity)
        return TN_OK;
    uint32_t capacity = server->queue_capacity == 0 ? QUEUE_FIRST : 2 * server->queue_capacity;
    struct queued *grown = realloc(server->queue, capacity * sizeof *grown);
    if (grown == NULL)
        return TN_ERR_NO_MEMORY;
    server->queue = grown;
    server->queue_capacity = capacity;
    return TN_OK;
}

static enum tn_result enqueue(struct tn_transport_server *server,
                              const struct tn_transport_request_id *id,
                              struct tn_transport_loan *loan, size_t size)
{
    enum tn_result result = admit(server, id->writer, size);
    if (result != TN_OK) {
        tn_transport_loan_return(loan);
        return result;
    }
    server->queue[server->n_queued++] = (struct queued){.id = *id, .loan = *loan, .size = size};
    server->n_queued_bytes += size;
    start_tick(server);
    return TN_OK;
}

/// Puts a reply into its form. @param io_size   grows by the identity
static enum tn_result make_reply(struct tn_transport_server *server,
                                 const struct tn_transport_request_id *id, const uint8_t *cdr,
                                 size_t *io_size, struct tn_transport_loan *out_loan)
{
    if (id->format == TN_ROS__FORM_CYCLONE) {
        struct tn_ros__inband inband = {.sequence = id->sequence};
        size_t size = *io_size;
        memcpy(&inband.client, id->client, sizeof inband.client);
        *io_size += TN_ROS__INBAND_SIZE;
        return tn_ros__pair_make_cyclone(&server->pair, inband, cdr, size, out_loan);
    }
    struct tn_ros__identity related = {.sequence = id->sequence};
    memcpy(related.gid.data, id->client, TN_GID_SIZE);
    return tn_ros__pair_make_rpc(&server->pair, &related, cdr, *io_size, out_loan);
}

enum tn_result tn_transport_reply(struct tn_transport_server *server,
                                  const struct tn_transport_request_id *id, const uint8_t *cdr,
                                  size_t size)
{
    struct tn_transport_loan loan;
    if (size < TN_ROS__CDR_HEADER_SIZE)
        return TN_ERR_INVALID_ARGUMENT;
    if (id->server != server->pair.number)
        return TN_ERR_NOT_FOUND;
    bool is_there = is_asker_there(server, id);
    if (!is_there && is_over(id, now_steady_ns(server)))
        return TN_ERR_NOT_FOUND;
    enum tn_result result = make_reply(server, id, cdr, &size, &loan);
    if (result != TN_OK)
        return result;
    if (is_there)
        return write_reply(server, &loan, size, 0);
    return enqueue(server, id, &loan, size);
}

// ---- life ----

enum tn_result tn_transport_server_create(struct tn_transport *transport,
                                          const struct tn_transport_service *service,
                                          tn_transport_request_fn on_request, void *context,
                                          struct tn_transport_server **out_server,
                                          struct tn_error *err)
{
    static const struct tn_ros__pair_events events = {on_ready, look_through_queue};
    struct tn_transport_server *server = calloc(1, sizeof *server);
    if (server == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for service %s",
                            service->request_topic);
    server->pair.transport = transport;
    server->on_request = on_request;
    server->context = context;
    tn_loop_async_start(transport->loop, &server->repeated, send_anew, server);
    enum tn_result result = tn_ros__pair_open(&server->pair, service, true, &events, server, err);
    if (result != TN_OK) {
        tn_transport_server_destroy(&server);
        return result;
    }
    server->fragment_size = tn_ros__hook_fragment_size(server->pair.writer);
    *out_server = server;
    return TN_OK;
}

void tn_transport_server_destroy(struct tn_transport_server **server)
{
    struct tn_transport_server *s = *server;
    *server = NULL;
    if (s == NULL)
        return;
    tn_loop_timer_stop(&s->tick);
    for (uint32_t i = 0; i < s->n_queued; i++)
        tn_transport_loan_return(&s->queue[i].loan);
    // from here on Cyclone sends nothing of it any more
    tn_ros__pair_close(&s->pair);
    tn_loop_async_stop(&s->repeated);
    for (uint32_t i = 0; i < KEPT_MAX; i++)
        release_kept(&s->kept[i]);
    free(s->queue);
    free(s);
}

void tn_transport_server_gids(const struct tn_transport_server *server, struct tn_gid *out_reader,
                              struct tn_gid *out_writer)
{
    *out_reader = server->pair.reader->gid;
    *out_writer = server->pair.writer->gid;
}
