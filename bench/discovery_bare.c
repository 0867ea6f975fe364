// SPDX-License-Identifier: Apache-2.0
// the peer: participants of Cyclone DDS alone, with one writer each
//
//   bench_discovery_bare node NAME    a participant with one writer on rt/NAME; stays
//   bench_discovery_bare look N       time from the start of the domain until N writers are there
#include <dds/dds.h>
#include <stdio.h>
#include <string.h>

#include "bench_types.h"
#include "measure.h"

// ROS sets it too: well-known ports, so that static peers can find them
static const char config[] =
    "<CycloneDDS><Domain><Discovery><ParticipantIndex>auto</ParticipantIndex>"
    "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex></Discovery></Domain></CycloneDDS>";

static int64_t count(dds_entity_t reader)
{
    int64_t n = 0;
    for (;;) {
        void *sample = NULL;
        dds_sample_info_t info;
        if (dds_take(reader, &sample, &info, 1, 1) != 1)
            return n;
        const dds_builtintopic_endpoint_t *endpoint = sample;
        n += info.valid_data && strncmp(endpoint->topic_name, "rt/bench", 8) == 0;
        (void)dds_return_loan(reader, &sample, 1);
    }
}

static void look(dds_entity_t participant, int64_t n_wanted, int64_t start)
{
    const dds_entity_t reader =
        dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
    const dds_entity_t waitset = dds_create_waitset(participant);
    bench_require(reader > 0 && waitset > 0, "no reader");
    (void)dds_set_status_mask(reader, DDS_DATA_AVAILABLE_STATUS);
    (void)dds_waitset_attach(waitset, reader, 0);
    for (int64_t n = count(reader); n < n_wanted; n += count(reader))
        (void)dds_waitset_wait(waitset, NULL, 0, DDS_SECS(1));
    printf("%lld\n", (long long)(bench_now_ns() - start));
}

int main(int argc, char **argv)
{
    bench_require(argc == 3, "usage: node NAME | look N");
    const int64_t start = bench_now_ns();
    const dds_entity_t domain = dds_create_domain(0, config);
    const dds_entity_t participant = dds_create_participant(0, NULL, NULL);
    bench_require(domain > 0 && participant > 0, "no participant");
    if (strcmp(argv[1], "look") == 0) {
        look(participant, bench_number(argv[2], 1, 1000), start);
        (void)dds_delete(domain);
        return 0;
    }
    char name[64];
    (void)snprintf(name, sizeof name, "rt/%s", argv[2]);
    const dds_entity_t topic =
        dds_create_topic(participant, &sensor_msgs_msg_dds__JointState__desc, name, NULL, NULL);
    bench_require(dds_create_writer(participant, topic, NULL, NULL) > 0, "no writer");
    for (;;)
        dds_sleepfor(DDS_SECS(1000));
}
