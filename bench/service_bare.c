// SPDX-License-Identifier: Apache-2.0
// the peer of service_ours.c: the service of rmw_cyclonedds_cpp on Cyclone DDS alone, with idlc's
// types and a waitset
//
//   bench_service_bare server | client N
#include <dds/dds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "service_peer_types.h"

typedef rcl_interfaces_srv_dds__ListParameters_Request_ request_t; // NOLINT
typedef rcl_interfaces_srv_dds__ListParameters_Response_ reply_t;  // NOLINT

static dds_entity_t endpoint(dds_entity_t participant, bool is_request, bool is_writer)
{
    dds_entity_t topic =
        dds_create_topic(participant,
                         is_request ? &rcl_interfaces_srv_dds__ListParameters_Request__desc
                                    : &rcl_interfaces_srv_dds__ListParameters_Response__desc,
                         is_request ? "rq/bench/listRequest" : "rr/bench/listReply", NULL, NULL);
    dds_qos_t *qos = dds_create_qos();
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 10);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
    dds_entity_t entity = is_writer ? dds_create_writer(participant, topic, qos, NULL)
                                    : dds_create_reader(participant, topic, qos, NULL);
    dds_delete_qos(qos);
    bench_require(entity > 0, "no endpoint");
    return entity;
}

// waits until a sample is there and takes it
static void *take(dds_entity_t waitset, dds_entity_t reader)
{
    for (;;) {
        void *sample = NULL;
        dds_sample_info_t info;
        if (dds_take(reader, &sample, &info, 1, 1) == 1) {
            if (info.valid_data)
                return sample;
            (void)dds_return_loan(reader, &sample, 1);
            continue;
        }
        (void)dds_waitset_wait(waitset, NULL, 0, DDS_INFINITY);
    }
}

static void serve(dds_entity_t waitset, dds_entity_t reader, dds_entity_t writer)
{
    for (;;) {
        void *sample = take(waitset, reader);
        const request_t *request = sample;
        reply_t reply = {.client_id_ = request->client_id_, .sequence_ = request->sequence_};
        reply.names_ = request->prefixes_;
        bench_require(dds_write(writer, &reply) == DDS_RETCODE_OK, "no reply");
        (void)dds_return_loan(reader, &sample, 1);
    }
}

static int call(dds_entity_t waitset, dds_entity_t reader, dds_entity_t writer, uint32_t n)
{
    struct bench_samples samples;
    dds_publication_matched_status_t to;
    dds_subscription_matched_status_t from;
    char prefix[] = "use_sim_time", *prefixes[] = {prefix};
    request_t request = {.client_id_ = 1};
    request.prefixes_._buffer = prefixes;
    request.prefixes_._length = 1;
    bench_samples_init(&samples, n);
    do {
        dds_sleepfor(DDS_MSECS(1));
        (void)dds_get_publication_matched_status(writer, &to);
        (void)dds_get_subscription_matched_status(reader, &from);
    } while (to.current_count == 0 || from.current_count == 0);
    dds_sleepfor(BENCH_SETTLE_NS);
    for (bool is_complete = false; !is_complete;) {
        const int64_t sent_ns = bench_now_ns();
        request.sequence_++;
        bench_require(dds_write(writer, &request) == DDS_RETCODE_OK, "no request");
        void *sample = take(waitset, reader);
        bench_require(((reply_t *)sample)->sequence_ == request.sequence_, "wrong reply");
        is_complete = bench_samples_add(&samples, bench_now_ns() - sent_ns);
        (void)dds_return_loan(reader, &sample, 1);
    }
    return bench_samples_print(&samples);
}

int main(int argc, char **argv)
{
    bench_require(argc > 1, "server | client N");
    const bool is_client = argc > 2;
    dds_entity_t participant = dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL);
    bench_require(participant > 0, "no participant");
    dds_entity_t writer = endpoint(participant, is_client, true);
    dds_entity_t reader = endpoint(participant, !is_client, false);
    dds_entity_t waitset = dds_create_waitset(participant);
    dds_entity_t condition = dds_create_readcondition(reader, DDS_ANY_STATE);
    bench_require(dds_waitset_attach(waitset, condition, 0) == DDS_RETCODE_OK, "no waitset");
    if (!is_client)
        serve(waitset, reader, writer);
    return call(waitset, reader, writer, (uint32_t)bench_number(argv[2], 1, 10000000));
}
