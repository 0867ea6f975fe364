// SPDX-License-Identifier: Apache-2.0
// /diagnostics with idlc and the public API alone. One line on stdout per event.
//
// usage: peer.diag_cyclone DOMAIN listen | talk | hostile
//   listen    prints what others say
//   talk      says "talker: voice" OK five times a second
//   hostile   names without number, huge arrays, endless texts, levels that are none, bytes that
//   are
//             no text, texts that steer a terminal; "done" after each round
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "diag_types.h"

typedef diagnostic_msgs_msg_dds__DiagnosticArray_ array_t;
typedef diagnostic_msgs_msg_dds__DiagnosticStatus_ status_t;
typedef diagnostic_msgs_msg_dds__KeyValue_ value_t;

static dds_entity_t check(dds_entity_t entity, const char *what)
{
    if (entity < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
        exit(3);
    }
    return entity;
}

static void rest(int ms)
{
    dds_sleepfor(DDS_MSECS(ms));
}

// ---- listen ----

static void print_array(const array_t *array)
{
    printf("array %u at %d.%09u\n", array->status_._length, array->header_.stamp_.sec_,
           array->header_.stamp_.nanosec_);
    for (uint32_t i = 0; i < array->status_._length; i++) {
        const status_t *status = &array->status_._buffer[i];
        printf("status %u [%s] %s | %s\n", (unsigned)status->level_, status->hardware_id_,
               status->name_, status->message_);
        for (uint32_t k = 0; k < status->values_._length; k++)
            printf("value %s | %s=%s\n", status->name_, status->values_._buffer[k].key_,
                   status->values_._buffer[k].value_);
    }
    fflush(stdout);
}

static void listen(dds_entity_t reader)
{
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        void *sample = NULL;
        dds_sample_info_t info;
        if (dds_take(reader, &sample, &info, 1, 1) != 1) {
            rest(5);
            continue;
        }
        if (info.valid_data)
            print_array(sample);
        (void)dds_return_loan(reader, &sample, 1);
    }
}

// ---- talk ----

static void publish(dds_entity_t writer, status_t *statuses, uint32_t n)
{
    array_t array = {0};
    array.header_.frame_id_ = (char *)"";
    array.status_._buffer = statuses;
    array.status_._length = array.status_._maximum = n;
    (void)dds_write(writer, &array);
}

static status_t make(const char *name, uint8_t level, const char *message)
{
    return (status_t){.level_ = level,
                      .name_ = (char *)name,
                      .message_ = (char *)message,
                      .hardware_id_ = (char *)"none"};
}

static void talk(dds_entity_t writer)
{
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        status_t status = make("talker: voice", 0, "well");
        publish(writer, &status, 1);
        rest(200);
    }
}

// ---- hostile ----

#define NAMES  2000
#define VALUES 60000
#define LONG   60000

static void flood_names(dds_entity_t writer, int round)
{
    static char names[NAMES][32];
    static status_t statuses[NAMES];
    for (int i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "flood%d: %d", i, round);
        statuses[i] = make(names[i], 0, "one of many");
    }
    publish(writer, statuses, NAMES);
}

static void flood_values(dds_entity_t writer)
{
    static value_t values[VALUES];
    for (int i = 0; i < VALUES; i++)
        values[i] = (value_t){.key_ = (char *)"key", .value_ = (char *)"value"};
    status_t status = make("hostile: values", 0, "many keys");
    status.values_._buffer = values;
    status.values_._maximum = VALUES;
    // what is read, and what is not read any more
    status.values_._length = 2000;
    publish(writer, &status, 1);
    status.values_._length = VALUES;
    publish(writer, &status, 1);
}

static void strange_texts(dds_entity_t writer)
{
    static char endless[LONG + 1];
    memset(endless, 'e', LONG);
    value_t values[] = {{(char *)"\xff\xfe", (char *)"\xc3"},
                        {(char *)"\033[31mred", (char *)"\033]0;title\007"},
                        {endless, endless}};
    status_t statuses[] = {
        make("hostile: level", 200, "no level"),
        make("hostile: \xed\xa0\x80 bytes", 1, "\xff\xfe\xfd"),
        make("hostile: \033[2J\033[Hsteers", 0, "\x9b\x32J\xc2\x9b\x32J\rover\bwritten"),
        make("", 0, ""),
        make(": ", 255, ""),
        make(endless, 0, endless),
    };
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        statuses[i].hardware_id_ = endless;
        statuses[i].values_._buffer = values;
        statuses[i].values_._length = statuses[i].values_._maximum = 3;
    }
    publish(writer, statuses, sizeof statuses / sizeof *statuses);
    publish(writer, NULL, 0);
}

static void harm(dds_entity_t writer)
{
    printf("ready\n");
    for (int round = 0;; round++) {
        flood_names(writer, round);
        rest(20);
        flood_values(writer);
        rest(20);
        strange_texts(writer);
        printf("done %d\n", round);
        fflush(stdout);
        rest(100);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    dds_entity_t participant =
        check(dds_create_participant((dds_domainid_t)strtoul(argv[1], NULL, 10), NULL, NULL),
              "participant");
    dds_entity_t topic =
        check(dds_create_topic(participant, &diagnostic_msgs_msg_dds__DiagnosticArray__desc,
                               "rt/diagnostics", NULL, NULL),
              "topic");
    dds_qos_t *qos = dds_create_qos();
    dds_qset_writer_data_lifecycle(qos, false);
    // what others say must not wait until this one has read it
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 100);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_MSECS(100));
    if (strcmp(argv[2], "listen") == 0)
        listen(check(dds_create_reader(participant, topic, qos, NULL), "reader"));
    dds_entity_t writer = check(dds_create_writer(participant, topic, qos, NULL), "writer");
    if (strcmp(argv[2], "talk") == 0)
        talk(writer);
    if (strcmp(argv[2], "hostile") == 0)
        harm(writer);
    return 2;
}
