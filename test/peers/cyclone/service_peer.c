// SPDX-License-Identifier: Apache-2.0
// What an rmw_cyclonedds_cpp server or client does on the wire, with idlc and the public API alone:
// the service /list of type rcl_interfaces/srv/ListParameters, as echo. One line on stdout per
// event; see test/wire/ros.
//
// usage: peer.service_cyclone DOMAIN server | half | client N WINDOW BYTES | clients N | hostile N
// | strange
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dds/dds.h>

#include "service_peer_types.h"

typedef rcl_interfaces_srv_dds__ListParameters_Request_ request_t;
typedef rcl_interfaces_srv_dds__ListParameters_Response_ reply_t;

#define WINDOW_MAX  64
#define CLIENTS_MAX 64

static const dds_topic_descriptor_t *const request_type =
    &rcl_interfaces_srv_dds__ListParameters_Request__desc;
static const dds_topic_descriptor_t *const reply_type =
    &rcl_interfaces_srv_dds__ListParameters_Response__desc;

static dds_entity_t participant;
static int depth = 10;

static dds_entity_t check(dds_entity_t entity, const char *what)
{
    if (entity < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
        exit(3);
    }
    return entity;
}

static dds_entity_t make(bool is_writer, const dds_topic_descriptor_t *type, const char *name,
                         const char *user_data)
{
    dds_entity_t topic = check(dds_create_topic(participant, type, name, NULL, NULL), name);
    dds_qos_t *qos = dds_create_qos();
    dds_qset_writer_data_lifecycle(qos, false);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, depth);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
    dds_qset_userdata(qos, user_data, strlen(user_data));
    dds_entity_t entity = is_writer ? dds_create_writer(participant, topic, qos, NULL)
                                    : dds_create_reader(participant, topic, qos, NULL);
    dds_delete_qos(qos);
    return check(entity, name);
}

/// Takes one valid sample. @return true; give it back with dds_return_loan().
static bool take(dds_entity_t reader, void **sample, dds_sample_info_t *info)
{
    for (;;) {
        *sample = NULL;
        if (dds_take(reader, sample, info, 1, 1) != 1)
            return false;
        if (info->valid_data)
            return true;
        (void)dds_return_loan(reader, sample, 1);
    }
}

// ---- server ----

/// As rmw_cyclonedds_cpp, which waits for the client's reply reader (100 ms there).
static void wait_for_reader(dds_entity_t writer)
{
    dds_publication_matched_status_t status;
    for (int i = 0; i < 5000; i++) {
        if (dds_get_publication_matched_status(writer, &status) != DDS_RETCODE_OK ||
            status.current_count > 0)
            return;
        dds_sleepfor(DDS_MSECS(1));
    }
}

static void answer(dds_entity_t writer, const request_t *request, uint64_t client, int64_t sequence)
{
    char *who[] = {"cyclone"};
    reply_t reply = {.client_id_ = client, .sequence_ = sequence};
    reply.names_._buffer = request->prefixes_._buffer;
    reply.names_._length = request->prefixes_._length;
    reply.prefixes_._buffer = who;
    reply.prefixes_._length = 1;
    (void)dds_write(writer, &reply);
}

static void run_server(bool is_strange)
{
    char user_data[64];
    (void)snprintf(user_data, sizeof user_data, "serviceid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.%x.%x;",
                   (unsigned)getpid() & 0xff, ((unsigned)getpid() >> 8) & 0xff);
    dds_entity_t writer = make(true, reply_type, "rr/listReply", user_data);
    dds_entity_t reader = make(false, request_type, "rq/listRequest", user_data);
    printf("ready\n");
    for (;;) {
        void *sample;
        dds_sample_info_t info;
        while (take(reader, &sample, &info)) {
            request_t *r = sample;
            wait_for_reader(writer);
            if (is_strange) {
                // to nobody, to another call, to another client; the right one comes twice
                answer(writer, r, 0, 0);
                answer(writer, r, r->client_id_, r->sequence_ + 1000);
                answer(writer, r, r->client_id_, 0);
                answer(writer, r, r->client_id_, INT64_MIN);
                answer(writer, r, r->client_id_ + 1, r->sequence_);
                answer(writer, r, r->client_id_, r->sequence_);
            }
            answer(writer, r, r->client_id_, r->sequence_);
            printf("request %llu\n", (unsigned long long)r->depth_);
            (void)dds_return_loan(reader, &sample, 1);
        }
        dds_sleepfor(DDS_MSECS(1));
    }
}

/// Half a server: requests are read, nobody answers.
static void run_half(void)
{
    dds_entity_t reader =
        make(false, request_type, "rq/listRequest", "serviceid=9.2.3.4.5.6.7.8.9.a.b.c.d.e.f.10;");
    printf("ready\n");
    for (;;) {
        void *sample;
        dds_sample_info_t info;
        while (take(reader, &sample, &info)) {
            printf("got one\n");
            (void)dds_return_loan(reader, &sample, 1);
        }
        dds_sleepfor(DDS_MSECS(1));
    }
}

// ---- client ----

struct client {
    dds_entity_t writer, reader;
    uint64_t id;
    char *filler;
    int64_t open[WINDOW_MAX]; ///< 0: free
    long n_sent, n_ok, n_wrong;
};

static void client_open(struct client *c, unsigned number, size_t bytes)
{
    char user_data[64];
    (void)snprintf(user_data, sizeof user_data, "clientid=1.2.3.4.5.6.7.8.9.a.b.c.%x.%x.%x.1;",
                   (unsigned)getpid() & 0xff, ((unsigned)getpid() >> 8) & 0xff, number & 0xff);
    memset(c, 0, sizeof *c);
    c->reader = make(false, reply_type, "rr/listReply", user_data);
    c->writer = make(true, request_type, "rq/listRequest", user_data);
    (void)dds_get_instance_handle(c->writer, &c->id);
    c->filler = calloc(1, bytes + 1);
    memset(c->filler, 'x', bytes);
}

static void client_wait(const struct client *c)
{
    for (;;) {
        dds_publication_matched_status_t publications;
        dds_subscription_matched_status_t subscriptions;
        (void)dds_get_publication_matched_status(c->writer, &publications);
        (void)dds_get_subscription_matched_status(c->reader, &subscriptions);
        if (publications.current_count > 0 && subscriptions.current_count > 0)
            return;
        dds_sleepfor(DDS_MSECS(1));
    }
}

static void client_send(struct client *c, long window)
{
    for (long i = 0; i < window; i++) {
        if (c->open[i] != 0)
            continue;
        char text[32];
        char *prefixes[] = {text, c->filler};
        (void)snprintf(text, sizeof text, "call %ld", ++c->n_sent);
        request_t request = {.client_id_ = c->id, .sequence_ = c->n_sent};
        request.prefixes_._buffer = prefixes;
        request.prefixes_._length = 2;
        request.depth_ = (uint64_t)c->n_sent;
        (void)dds_write(c->writer, &request);
        c->open[i] = c->n_sent;
        return;
    }
}

static void client_take(struct client *c)
{
    void *sample;
    dds_sample_info_t info;
    while (take(c->reader, &sample, &info)) {
        reply_t *r = sample;
        for (int i = 0; i < WINDOW_MAX && r->client_id_ == c->id; i++) {
            char text[32];
            if (c->open[i] == 0 || c->open[i] != r->sequence_)
                continue;
            (void)snprintf(text, sizeof text, "call %ld", (long)c->open[i]);
            bool is_right = r->names_._length == 2 && strcmp(r->names_._buffer[0], text) == 0 &&
                            strcmp(r->names_._buffer[1], c->filler) == 0;
            c->n_ok += is_right;
            c->n_wrong += !is_right;
            c->open[i] = 0;
        }
        (void)dds_return_loan(c->reader, &sample, 1);
    }
}

/// `n_clients` of one process call at the same time.
static void run_clients(unsigned n_clients, long n, long window, size_t bytes)
{
    static struct client clients[CLIENTS_MAX];
    if (n_clients > CLIENTS_MAX)
        n_clients = CLIENTS_MAX;
    // each of them gets the replies to all of them
    if (n_clients > 1)
        depth = 1000;
    for (unsigned i = 0; i < n_clients; i++)
        client_open(&clients[i], i, bytes);
    printf("ready\n");
    for (unsigned i = 0; i < n_clients; i++)
        client_wait(&clients[i]);
    long n_ok = 0, n_wrong = 0, n_all = n * (long)n_clients;
    for (int idle = 0; n_ok + n_wrong < n_all && idle < 20000; idle++) {
        long n_done = n_ok + n_wrong;
        n_ok = n_wrong = 0;
        for (unsigned i = 0; i < n_clients; i++) {
            struct client *c = &clients[i];
            for (long k = 0; k < window && c->n_sent < n; k++)
                client_send(c, window);
            client_take(c);
            n_ok += c->n_ok;
            n_wrong += c->n_wrong;
        }
        if (n_ok + n_wrong != n_done)
            idle = 0;
        dds_sleepfor(DDS_MSECS(1));
    }
    printf("done %ld wrong %ld lost %ld\n", n_ok, n_wrong, n_all - n_ok - n_wrong);
    for (;;)
        dds_sleepfor(DDS_SECS(1));
}

// ---- hostile ----

static void run_hostile(long n)
{
    static const uint32_t counts[][3] = {
        {UINT32_MAX, UINT32_MAX, UINT32_MAX},
        {0x7fffffff, 1, 0},
        {1, UINT32_MAX, 0x64636261},
        {1, 0, 0},
        {2, 1, 0},
        {0x10000000, 4, 0x00636261},
    };
    dds_topic_descriptor_t wrong = wrong_dds__Body__desc, cut = wrong_dds__Short__desc;
    wrong.m_typename = cut.m_typename = request_type->m_typename;
    struct client c;
    client_open(&c, 0, 0);
    dds_entity_t other = check(dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL), "second");
    dds_entity_t own = participant;
    participant = other;
    dds_entity_t bad = make(true, &wrong, "rq/listRequest", "clientid=7;");
    participant = check(dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL), "third");
    dds_entity_t tiny = make(true, &cut, "rq/listRequest", ";;;=;clientid=;");
    // another type under the same name is no match at all
    participant = check(dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL), "fourth");
    dds_entity_t other_type = make(true, &wrong_dds__Short__desc, "rq/listRequest", "");
    participant = own;
    printf("ready\n");
    client_wait(&c);
    for (long i = 0; i < n; i++) {
        const uint32_t *k = counts[(size_t)i % (sizeof counts / sizeof counts[0])];
        wrong_dds__Body_ body = {(uint64_t)i, i, k[0], k[1], k[2]};
        wrong_dds__Short_ small = {(uint32_t)i};
        (void)dds_write(bad, &body);
        (void)dds_write(tiny, &small);
        (void)dds_write(other_type, &small);
        if (i % 4 == 3)
            dds_sleepfor(DDS_MSECS(1));
    }
    client_send(&c, 1);
    for (int i = 0; i < 20000 && c.n_ok + c.n_wrong == 0; i++) {
        client_take(&c);
        dds_sleepfor(DDS_MSECS(1));
    }
    printf("done %ld wrong %ld lost %ld\n", c.n_ok, c.n_wrong, 1 - c.n_ok - c.n_wrong);
    for (;;)
        dds_sleepfor(DDS_SECS(1));
}

static long number(int argc, char **argv, int i, long otherwise)
{
    return argc > i ? strtol(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 3)
        return 2;
    dds_qos_t *qos = dds_create_qos();
    dds_qset_userdata(qos, "enclave=/;", 10);
    participant = check(dds_create_participant((dds_domainid_t)number(argc, argv, 1, 0), qos, NULL),
                        "participant");
    dds_delete_qos(qos);
    const char *mode = argv[2];
    if (strcmp(mode, "server") == 0)
        run_server(false);
    else if (strcmp(mode, "strange") == 0)
        run_server(true);
    else if (strcmp(mode, "half") == 0)
        run_half();
    else if (strcmp(mode, "hostile") == 0)
        run_hostile(number(argc, argv, 3, 1000));
    else if (strcmp(mode, "clients") == 0)
        run_clients((unsigned)number(argc, argv, 3, 1), number(argc, argv, 4, 1), 1, 0);
    else
        run_clients(1, number(argc, argv, 3, 1), number(argc, argv, 4, 1),
                    (size_t)number(argc, argv, 5, 0));
    return 2;
}
