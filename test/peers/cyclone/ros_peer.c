// SPDX-License-Identifier: Apache-2.0
// What an rmw_cyclonedds_cpp node does on the wire, with idlc and the public API alone: topics with
// JointState in both directions, /rosout, the ROS graph, a Trigger server and client. One line on
// stdout per event; see test/wire/ros.
//
// usage: peer.ros_cyclone DOMAIN topics | late | graph | log | server | client N |
// two_clients
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "ros_peer_types.h"

enum kind { BEST_EFFORT, RELIABLE, LATCHED };

static const char *const names[] = {"be", "rel", "tl"};

static dds_qos_t *make_qos(enum kind kind, int depth, const char *user_data)
{
    dds_qos_t *qos = dds_create_qos();
    dds_qset_writer_data_lifecycle(qos, false);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, depth);
    dds_qset_reliability(
        qos, kind == BEST_EFFORT ? DDS_RELIABILITY_BEST_EFFORT : DDS_RELIABILITY_RELIABLE,
        DDS_INFINITY);
    dds_qset_durability(qos,
                        kind == LATCHED ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    if (kind == LATCHED)
        dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, depth, -1, -1, -1);
    if (user_data != NULL)
        dds_qset_userdata(qos, user_data, strlen(user_data));
    return qos;
}

static dds_entity_t check(dds_entity_t entity, const char *what)
{
    if (entity < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
        exit(3);
    }
    return entity;
}

static dds_entity_t make_reader(dds_entity_t participant, const dds_topic_descriptor_t *type,
                                const char *name, enum kind kind, int depth, const char *user_data)
{
    dds_entity_t topic = check(dds_create_topic(participant, type, name, NULL, NULL), name);
    dds_qos_t *qos = make_qos(kind, depth, user_data);
    dds_entity_t reader = check(dds_create_reader(participant, topic, qos, NULL), name);
    dds_delete_qos(qos);
    return reader;
}

static dds_entity_t make_writer(dds_entity_t participant, const dds_topic_descriptor_t *type,
                                const char *name, enum kind kind, int depth, const char *user_data)
{
    dds_entity_t topic = check(dds_create_topic(participant, type, name, NULL, NULL), name);
    dds_qos_t *qos = make_qos(kind, depth, user_data);
    dds_entity_t writer = check(dds_create_writer(participant, topic, qos, NULL), name);
    dds_delete_qos(qos);
    return writer;
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

// ---- topics ----

static void send_joints(dds_entity_t writer, int k)
{
    char *joint_names[] = {"thumb", "index", ""};
    double position[] = {0.5 * k, -1.0, 1e9};
    sensor_msgs_msg_dds__JointState_ m = {0};
    m.header_.stamp_.sec_ = k;
    m.header_.frame_id_ = "cyclone";
    m.name_._buffer = joint_names;
    m.name_._length = 3;
    m.position_._buffer = position;
    m.position_._length = 3;
    (void)dds_write(writer, &m);
}

static void print_joints(dds_entity_t reader, const char *name)
{
    void *sample;
    dds_sample_info_t info;
    while (take(reader, &sample, &info)) {
        sensor_msgs_msg_dds__JointState_ *m = sample;
        if (m->name_._length == 3 && m->position_._length == 3)
            printf("%s %d %s %s %s %g\n", name, m->header_.stamp_.sec_, m->header_.frame_id_,
                   m->name_._buffer[0], m->name_._buffer[1], m->position_._buffer[0]);
        (void)dds_return_loan(reader, &sample, 1);
    }
}

static void run_topics(dds_entity_t participant, int first)
{
    dds_entity_t readers[3] = {0}, writers[3] = {0};
    for (int i = first; i < 3; i++) {
        char topic[32], back[32];
        (void)snprintf(topic, sizeof topic, "rt/%s", names[i]);
        (void)snprintf(back, sizeof back, "rt/%s_back", names[i]);
        readers[i] = make_reader(participant, &sensor_msgs_msg_dds__JointState__desc, topic,
                                 (enum kind)i, 10, NULL);
        writers[i] = make_writer(participant, &sensor_msgs_msg_dds__JointState__desc, back,
                                 (enum kind)i, 1, NULL);
    }
    printf("ready\n");
    for (int k = 1;; k++) {
        for (int i = first; i < 3; i++) {
            // the latched one is written once: whoever comes late gets it all the same
            if (i < 2 || k == 1)
                send_joints(writers[i], k);
            print_joints(readers[i], names[i]);
        }
        dds_sleepfor(DDS_MSECS(10));
    }
}

// ---- graph ----

static void print_bytes(const char *what, const uint8_t *bytes, size_t size)
{
    printf("%s ", what);
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
}

static void print_graph(dds_entity_t reader)
{
    void *sample;
    dds_sample_info_t info;
    while (take(reader, &sample, &info)) {
        rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ *m = sample;
        print_bytes("graph", m->gid_.data_, 16);
        printf(" nodes %u\n", m->node_entities_info_seq_._length);
        for (uint32_t i = 0; i < m->node_entities_info_seq_._length; i++) {
            rmw_dds_common_msg_dds__NodeEntitiesInfo_ *node =
                &m->node_entities_info_seq_._buffer[i];
            printf("node %s %s\n", node->node_namespace_, node->node_name_);
            for (uint32_t j = 0; j < node->reader_gid_seq_._length; j++) {
                print_bytes("node_reader", node->reader_gid_seq_._buffer[j].data_, 16);
                printf(" %s\n", node->node_name_);
            }
            for (uint32_t j = 0; j < node->writer_gid_seq_._length; j++) {
                print_bytes("node_writer", node->writer_gid_seq_._buffer[j].data_, 16);
                printf(" %s\n", node->node_name_);
            }
        }
        printf("graph_end\n");
        (void)dds_return_loan(reader, &sample, 1);
    }
}

static void print_user_data(const dds_qos_t *qos)
{
    void *data = NULL;
    size_t size = 0;
    if (dds_qget_userdata(qos, &data, &size) && data != NULL)
        printf(" %.*s\n", (int)size, (const char *)data);
    else
        printf(" -\n");
    dds_free(data);
}

static void print_endpoints(dds_entity_t reader, const char *what)
{
    void *sample;
    dds_sample_info_t info;
    while (take(reader, &sample, &info)) {
        dds_builtintopic_endpoint_t *endpoint = sample;
        print_bytes(what, endpoint->key.v, 16);
        printf(" %s %s", endpoint->topic_name, endpoint->type_name);
        print_user_data(endpoint->qos);
        (void)dds_return_loan(reader, &sample, 1);
    }
}

static void print_participants(dds_entity_t reader)
{
    void *sample;
    dds_sample_info_t info;
    while (take(reader, &sample, &info)) {
        dds_builtintopic_participant_t *participant = sample;
        print_bytes("participant", participant->key.v, 16);
        print_user_data(participant->qos);
        (void)dds_return_loan(reader, &sample, 1);
    }
}

static void run_graph(dds_entity_t participant)
{
    dds_entity_t graph =
        make_reader(participant, &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc,
                    "ros_discovery_info", LATCHED, 10, "typehash=RIHS01_0;");
    dds_entity_t publications = check(
        dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL), "builtin");
    dds_entity_t subscriptions = check(
        dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL), "builtin");
    dds_entity_t participants = check(
        dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, NULL, NULL), "builtin");
    printf("ready\n");
    for (;;) {
        print_participants(participants);
        print_endpoints(publications, "writer");
        print_endpoints(subscriptions, "reader");
        print_graph(graph);
        dds_sleepfor(DDS_MSECS(10));
    }
}

static void run_log(dds_entity_t participant)
{
    dds_entity_t reader = make_reader(participant, &rcl_interfaces_msg_dds__Log__desc, "rt/rosout",
                                      LATCHED, 1000, NULL);
    printf("ready\n");
    for (;;) {
        void *sample;
        dds_sample_info_t info;
        while (take(reader, &sample, &info)) {
            rcl_interfaces_msg_dds__Log_ *m = sample;
            printf("log %u %s %s\n", m->level_, m->name_, m->msg_);
            (void)dds_return_loan(reader, &sample, 1);
        }
        dds_sleepfor(DDS_MSECS(10));
    }
}

// ---- services ----

static void run_server(dds_entity_t participant)
{
    static const char user_data[] = "serviceid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.10;";
    dds_entity_t writer = make_writer(participant, &std_srvs_srv_dds__Trigger_Response__desc,
                                      "rr/armReply", RELIABLE, 10, user_data);
    dds_entity_t reader = make_reader(participant, &std_srvs_srv_dds__Trigger_Request__desc,
                                      "rq/armRequest", RELIABLE, 10, user_data);
    printf("ready\n");
    for (;;) {
        void *sample;
        dds_sample_info_t info;
        while (take(reader, &sample, &info)) {
            std_srvs_srv_dds__Trigger_Request_ *request = sample;
            std_srvs_srv_dds__Trigger_Response_ response = {
                .client_id_ = request->client_id_,
                .sequence_ = request->sequence_,
                .success_ = true,
                .message_ = "from cyclone",
            };
            (void)dds_write(writer, &response);
            printf("request %u\n", request->dummy_);
            (void)dds_return_loan(reader, &sample, 1);
        }
        dds_sleepfor(DDS_MSECS(1));
    }
}

/// @return true when the reply came.
static bool wait_for_reply(dds_entity_t reader, uint64_t client_id, int64_t sequence)
{
    for (int i = 0; i < 5000; i++) {
        void *sample;
        dds_sample_info_t info;
        while (take(reader, &sample, &info)) {
            std_srvs_srv_dds__Trigger_Response_ *response = sample;
            bool is_ours = response->client_id_ == client_id && response->sequence_ == sequence;
            if (is_ours)
                printf("response %d %s\n", response->success_, response->message_);
            (void)dds_return_loan(reader, &sample, 1);
            if (is_ours)
                return true;
        }
        dds_sleepfor(DDS_MSECS(1));
    }
    printf("no response\n");
    return false;
}

static bool call(dds_entity_t writer, dds_entity_t reader, uint64_t client_id, int64_t sequence)
{
    std_srvs_srv_dds__Trigger_Request_ request = {.client_id_ = client_id, .sequence_ = sequence};
    (void)dds_write(writer, &request);
    return wait_for_reply(reader, client_id, sequence);
}

static void run_client(dds_entity_t participant, long n)
{
    static const char user_data[] = "clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.11;";
    dds_entity_t reader = make_reader(participant, &std_srvs_srv_dds__Trigger_Response__desc,
                                      "rr/armReply", RELIABLE, 10, user_data);
    dds_entity_t writer = make_writer(participant, &std_srvs_srv_dds__Trigger_Request__desc,
                                      "rq/armRequest", RELIABLE, 10, user_data);
    dds_instance_handle_t id = 0;
    (void)dds_get_instance_handle(writer, &id);
    printf("ready\n");
    for (;;) {
        dds_publication_matched_status_t publications;
        dds_subscription_matched_status_t subscriptions;
        (void)dds_get_publication_matched_status(writer, &publications);
        (void)dds_get_subscription_matched_status(reader, &subscriptions);
        if (publications.current_count > 0 && subscriptions.current_count > 0)
            break;
        dds_sleepfor(DDS_MSECS(1));
    }
    long n_ok = 0;
    for (long i = 1; i <= n; i++)
        n_ok += call(writer, reader, id, i) ? 1 : 0;
    printf("done %ld\n", n_ok);
    for (;;)
        dds_sleepfor(DDS_SECS(1));
}

static bool is_matched_by(dds_entity_t writer)
{
    dds_publication_matched_status_t status;
    return dds_get_publication_matched_status(writer, &status) == DDS_RETCODE_OK &&
           status.current_count > 0;
}

/// Two clients in one process; the reply reader of the second comes long after its request.
static void run_two_clients(dds_entity_t participant)
{
    static const char first[] = "clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.11;";
    static const char second[] = "clientid=1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.12;";
    dds_entity_t reader = make_reader(participant, &std_srvs_srv_dds__Trigger_Response__desc,
                                      "rr/armReply", RELIABLE, 10, first);
    dds_entity_t writers[2];
    for (int i = 0; i < 2; i++)
        writers[i] = make_writer(participant, &std_srvs_srv_dds__Trigger_Request__desc,
                                 "rq/armRequest", RELIABLE, 10, i == 0 ? first : second);
    printf("ready\n");
    while (!is_matched_by(writers[0]) || !is_matched_by(writers[1]))
        dds_sleepfor(DDS_MSECS(1));
    // when the first is answered, its reader is matched for certain
    bool is_answered = false;
    for (int64_t i = 1; !is_answered; i++)
        is_answered = call(writers[0], reader, 1, i);
    std_srvs_srv_dds__Trigger_Request_ request = {.client_id_ = 2, .sequence_ = 1};
    (void)dds_write(writers[1], &request);
    // the server has dealt with the second's request once it answers the first again
    (void)call(writers[0], reader, 1, 1000);
    reader = make_reader(participant, &std_srvs_srv_dds__Trigger_Response__desc, "rr/armReply",
                         RELIABLE, 10, second);
    printf("second %s\n", wait_for_reply(reader, 2, 1) ? "answered" : "lost");
    for (;;)
        dds_sleepfor(DDS_SECS(1));
}

int main(int argc, char **argv)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 3)
        return 2;
    dds_qos_t *qos = dds_create_qos();
    dds_qset_userdata(qos, "enclave=/;", 10);
    dds_entity_t participant =
        check(dds_create_participant((dds_domainid_t)strtoul(argv[1], NULL, 10), qos, NULL),
              "participant");
    dds_delete_qos(qos);
    const char *mode = argv[2];
    if (strcmp(mode, "topics") == 0)
        run_topics(participant, 0);
    else if (strcmp(mode, "late") == 0)
        run_topics(participant, 2);
    else if (strcmp(mode, "graph") == 0)
        run_graph(participant);
    else if (strcmp(mode, "log") == 0)
        run_log(participant);
    else if (strcmp(mode, "server") == 0)
        run_server(participant);
    else if (strcmp(mode, "client") == 0)
        run_client(participant, argc > 3 ? strtol(argv[3], NULL, 10) : 1);
    else if (strcmp(mode, "two_clients") == 0)
        run_two_clients(participant);
    return 2;
}
