// SPDX-License-Identifier: Apache-2.0
// A stranger with any QoS, made of idlc's code and the public API of Cyclone DDS. Each further
// argument is an endpoint; one line on stdout per event.
//
// usage: peer.qos_cyclone DOMAIN w:TOPIC[:key[=value],…] | r:TOPIC[:…] …
// QoS keys: be tl transient persistent manual manualp exclusive group all depth=N deadline=MS
// lease=MS lifespan=MS partition=NAME; others: type=DDS_TYPE n=N (samples written once matched, or
// at once with `eager`; then one more at each match) period=MS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "qos_peer_types.h"

#define ENDPOINTS_MAX 64
#define TICK_MS       5

struct endpoint {
    bool is_writer, is_eager;
    char topic[64];
    char type_name[128];
    dds_entity_t entity, topic_entity;
    unsigned long n, n_written, period_ms, next_ms;
    uint32_t matched_total;
    uint32_t alive, not_alive;
};

static struct endpoint endpoints[ENDPOINTS_MAX];
static int n_endpoints;

static dds_entity_t check(dds_entity_t entity, const char *what)
{
    if (entity < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
        exit(3);
    }
    return entity;
}

struct wishes {
    dds_qos_t *qos;
    dds_liveliness_kind_t liveliness;
    dds_duration_t lease;
    dds_durability_kind_t durability;
    int depth;
    bool keeps_all, is_best_effort;
};

static bool set_qos(struct wishes *w, const char *key, const char *value)
{
    long number = strtol(value, NULL, 10);
    if (strcmp(key, "be") == 0)
        w->is_best_effort = true;
    else if (strcmp(key, "tl") == 0)
        w->durability = DDS_DURABILITY_TRANSIENT_LOCAL;
    else if (strcmp(key, "transient") == 0)
        w->durability = DDS_DURABILITY_TRANSIENT;
    else if (strcmp(key, "persistent") == 0)
        w->durability = DDS_DURABILITY_PERSISTENT;
    else if (strcmp(key, "manual") == 0)
        w->liveliness = DDS_LIVELINESS_MANUAL_BY_TOPIC;
    else if (strcmp(key, "manualp") == 0)
        w->liveliness = DDS_LIVELINESS_MANUAL_BY_PARTICIPANT;
    else if (strcmp(key, "exclusive") == 0)
        dds_qset_ownership(w->qos, DDS_OWNERSHIP_EXCLUSIVE);
    else if (strcmp(key, "source") == 0)
        dds_qset_destination_order(w->qos, DDS_DESTINATIONORDER_BY_SOURCE_TIMESTAMP);
    else if (strcmp(key, "budget") == 0)
        dds_qset_latency_budget(w->qos, DDS_MSECS(number));
    else if (strcmp(key, "all") == 0)
        w->keeps_all = true;
    else if (strcmp(key, "depth") == 0)
        w->depth = (int)number;
    else if (strcmp(key, "deadline") == 0)
        dds_qset_deadline(w->qos, DDS_MSECS(number));
    else if (strcmp(key, "lease") == 0)
        w->lease = DDS_MSECS(number);
    else if (strcmp(key, "lifespan") == 0)
        dds_qset_lifespan(w->qos, DDS_MSECS(number));
    else
        return false;
    return true;
}

static void set(struct endpoint *e, struct wishes *w, const char *key, const char *value,
                const char **partition)
{
    if (strcmp(key, "n") == 0)
        e->n = strtoul(value, NULL, 10);
    else if (strcmp(key, "period") == 0)
        e->period_ms = strtoul(value, NULL, 10);
    else if (strcmp(key, "eager") == 0)
        e->is_eager = true;
    else if (strcmp(key, "type") == 0)
        (void)snprintf(e->type_name, sizeof e->type_name, "%s", value);
    else if (strcmp(key, "partition") == 0)
        *partition = value;
    else if (!set_qos(w, key, value)) {
        fprintf(stderr, "unknown key %s\n", key);
        exit(2);
    }
}

static void finish_qos(struct wishes *w)
{
    dds_history_kind_t history = w->keeps_all ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST;
    dds_qset_writer_data_lifecycle(w->qos, false);
    dds_qset_history(w->qos, history, w->depth);
    dds_qset_reliability(w->qos,
                         w->is_best_effort ? DDS_RELIABILITY_BEST_EFFORT : DDS_RELIABILITY_RELIABLE,
                         DDS_INFINITY);
    dds_qset_durability(w->qos, w->durability);
    if (w->durability != DDS_DURABILITY_VOLATILE)
        dds_qset_durability_service(w->qos, 0, history, w->depth, -1, -1, -1);
    dds_qset_liveliness(w->qos, w->liveliness, w->lease);
}

static void open_endpoint(dds_entity_t participant, char *text)
{
    struct endpoint *e = &endpoints[n_endpoints++];
    struct wishes w = {.qos = dds_create_qos(), .lease = DDS_INFINITY, .depth = 10};
    const char *partition = "";
    char *outer = NULL, *inner = NULL;
    e->is_writer = strtok_r(text, ":", &outer)[0] == 'w';
    (void)snprintf(e->topic, sizeof e->topic, "%s", strtok_r(NULL, ":", &outer));
    dds_topic_descriptor_t type = std_msgs_msg_dds__UInt64__desc;
    (void)snprintf(e->type_name, sizeof e->type_name, "%s", type.m_typename);
    for (char *key = strtok_r(outer, ",", &inner); key != NULL; key = strtok_r(NULL, ",", &inner)) {
        char *value = strchr(key, '=');
        if (value != NULL)
            *value++ = '\0';
        set(e, &w, key, value == NULL ? "" : value, &partition);
    }
    finish_qos(&w);
    dds_qset_userdata(w.qos,
                      "typehash=RIHS01_"
                      "00000000000000000000000000000000000000000000000000000000000000aa;",
                      80);
    type.m_typename = e->type_name;
    e->topic_entity = check(dds_create_topic(participant, &type, e->topic, NULL, NULL), e->topic);
    dds_qos_t *group = dds_create_qos();
    if (partition[0] != '\0')
        dds_qset_partition1(group, partition);
    dds_entity_t parent = check(e->is_writer ? dds_create_publisher(participant, group, NULL)
                                             : dds_create_subscriber(participant, group, NULL),
                                "group");
    e->entity = check(e->is_writer ? dds_create_writer(parent, e->topic_entity, w.qos, NULL)
                                   : dds_create_reader(parent, e->topic_entity, w.qos, NULL),
                      e->topic);
    dds_delete_qos(group);
    dds_delete_qos(w.qos);
}

static void run_writer(struct endpoint *e, unsigned long now_ms)
{
    dds_publication_matched_status_t status;
    dds_liveliness_lost_status_t lost;
    (void)dds_get_publication_matched_status(e->entity, &status);
    if (status.total_count != e->matched_total) {
        printf("%s matched %u\n", e->topic, status.current_count);
        // whoever comes after all was said gets one more
        if (status.total_count > e->matched_total && e->n_written >= e->n)
            e->n = e->n_written + 1;
        e->matched_total = status.total_count;
    }
    (void)dds_get_liveliness_lost_status(e->entity, &lost);
    if (e->n_written < e->n && (e->is_eager || e->matched_total > 0) && now_ms >= e->next_ms) {
        std_msgs_msg_dds__UInt64_ m = {.data_ = ++e->n_written};
        (void)dds_write(e->entity, &m);
        e->next_ms = now_ms + e->period_ms;
        if (e->n_written == e->n)
            printf("%s wrote %lu\n", e->topic, e->n_written);
    }
}

static void run_reader(struct endpoint *e)
{
    void *sample = NULL;
    dds_sample_info_t info;
    dds_liveliness_changed_status_t liveliness;
    dds_requested_deadline_missed_status_t deadline;
    while (dds_take(e->entity, &sample, &info, 1, 1) == 1) {
        if (info.valid_data)
            printf("%s got %llu\n", e->topic,
                   (unsigned long long)((std_msgs_msg_dds__UInt64_ *)sample)->data_);
        (void)dds_return_loan(e->entity, &sample, 1);
        sample = NULL;
    }
    (void)dds_get_liveliness_changed_status(e->entity, &liveliness);
    if (liveliness.alive_count != e->alive || liveliness.not_alive_count != e->not_alive) {
        e->alive = liveliness.alive_count;
        e->not_alive = liveliness.not_alive_count;
        printf("%s alive %u %u\n", e->topic, e->alive, e->not_alive);
    }
    (void)dds_get_requested_deadline_missed_status(e->entity, &deadline);
    if (deadline.total_count_change > 0)
        printf("%s deadline %u\n", e->topic, deadline.total_count);
}

int main(int argc, char **argv)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 3 || argc > ENDPOINTS_MAX)
        return 2;
    dds_entity_t participant =
        check(dds_create_participant((dds_domainid_t)strtoul(argv[1], NULL, 10), NULL, NULL),
              "participant");
    for (int i = 2; i < argc; i++)
        open_endpoint(participant, argv[i]);
    printf("ready\n");
    for (unsigned long now_ms = 0;; now_ms += TICK_MS) {
        for (int i = 0; i < n_endpoints; i++)
            if (endpoints[i].is_writer)
                run_writer(&endpoints[i], now_ms);
            else
                run_reader(&endpoints[i]);
        dds_sleepfor(DDS_MSECS(TICK_MS));
    }
}
