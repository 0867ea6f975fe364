// SPDX-License-Identifier: Apache-2.0
// Broadcasts /tf and /tf_static, or /clock, with idlc and the public API alone; see test/wire/ros.
//
// usage: peer.tf_cyclone DOMAIN tf | hostile | clock
// clock: SIGUSR1 sets it back to 5 s, SIGUSR2 changes the speed: 1, 0, 10, 1 ...
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "tf_types.h"

typedef geometry_msgs_msg_dds__TransformStamped_ transform;
typedef tf2_msgs_msg_dds__TFMessage_ tf_message;

static dds_entity_t check(dds_entity_t entity, const char *what)
{
    if (entity < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
        exit(3);
    }
    return entity;
}

static dds_qos_t *make_qos(bool is_reliable, bool is_latched, int depth)
{
    dds_qos_t *qos = dds_create_qos();
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, depth);
    dds_qset_reliability(qos, is_reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                         DDS_INFINITY);
    dds_qset_durability(qos, is_latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    if (is_latched)
        dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, depth, -1, -1, -1);
    return qos;
}

static dds_entity_t make_writer(dds_entity_t participant, const dds_topic_descriptor_t *type,
                                const char *name, bool is_reliable, bool is_latched, int depth)
{
    dds_entity_t topic = check(dds_create_topic(participant, type, name, NULL, NULL), name);
    dds_qos_t *qos = make_qos(is_reliable, is_latched, depth);
    dds_entity_t writer = check(dds_create_writer(participant, topic, qos, NULL), name);
    dds_delete_qos(qos);
    return writer;
}

static dds_entity_t make_reader(dds_entity_t participant, const char *name, bool is_latched)
{
    dds_entity_t topic = check(
        dds_create_topic(participant, &tf2_msgs_msg_dds__TFMessage__desc, name, NULL, NULL), name);
    dds_qos_t *qos = make_qos(true, is_latched, 100);
    dds_entity_t reader = check(dds_create_reader(participant, topic, qos, NULL), name);
    dds_delete_qos(qos);
    return reader;
}

static transform make(const char *parent, const char *child, int32_t sec, uint32_t nanosec,
                      double x)
{
    transform t = {.x_ = x, .qw_ = 1};
    t.header_.stamp_.sec_ = sec;
    t.header_.stamp_.nanosec_ = nanosec;
    t.header_.frame_id_ = (char *)parent;
    t.child_frame_id_ = (char *)child;
    return t;
}

static void send(dds_entity_t writer, transform *transforms, uint32_t n)
{
    tf_message m = {0};
    m.transforms_._buffer = transforms;
    m.transforms_._length = n;
    (void)dds_write(writer, &m);
}

static void print(dds_entity_t reader, const char *what)
{
    for (;;) {
        void *sample = NULL;
        dds_sample_info_t info;
        if (dds_take(reader, &sample, &info, 1, 1) != 1)
            return;
        tf_message *m = sample;
        for (uint32_t i = 0; info.valid_data && i < m->transforms_._length; i++) {
            transform *t = &m->transforms_._buffer[i];
            if (strncmp(t->child_frame_id_, "our_", 4) == 0)
                printf("%s %s %s %d.%09u %g %u of %u\n", what, t->child_frame_id_,
                       t->header_.frame_id_, t->header_.stamp_.sec_, t->header_.stamp_.nanosec_,
                       t->x_, i, m->transforms_._length);
        }
        (void)dds_return_loan(reader, &sample, 1);
    }
}

static void run_tf(dds_entity_t participant)
{
    const dds_topic_descriptor_t *type = &tf2_msgs_msg_dds__TFMessage__desc;
    dds_entity_t fixed = make_writer(participant, type, "rt/tf_static", true, true, 1);
    dds_entity_t moving = make_writer(participant, type, "rt/tf", true, false, 100);
    dds_entity_t fixed_reader = make_reader(participant, "rt/tf_static", true);
    dds_entity_t moving_reader = make_reader(participant, "rt/tf", false);
    transform statics[] = {make("base", "lens", 0, 0, 0.5), make("lens", "glass", 0, 0, 0.25)};
    send(fixed, statics, 2);
    printf("ready\n");
    for (int k = 0;; k++) {
        transform t = make("map", "base", 1000 + k / 100, (uint32_t)(k % 100) * 10000000u, k);
        send(moving, &t, 1);
        print(fixed_reader, "static");
        print(moving_reader, "tf");
        dds_sleepfor(DDS_MSECS(10));
    }
}

// ---- what no broadcaster ought to send ----

static void send_crowd(dds_entity_t writer, uint32_t first, uint32_t n)
{
    static char names[5000][24];
    static transform transforms[5000];
    for (uint32_t i = 0; i < n; i++) {
        (void)snprintf(names[i], sizeof names[i], "crowd%u", first + i);
        transforms[i] = make("map", names[i], 1000, 0, 1);
    }
    send(writer, transforms, n);
}

static void send_poison(dds_entity_t writer)
{
    static char longest[5000];
    memset(longest, 'x', sizeof longest - 1);
    transform t[] = {
        make("map", "", 1000, 0, 1),
        make("", "base", 1000, 0, 1),
        make("base", "base", 1000, 0, 1),
        make("/base", "base", 1000, 0, 1),
        make("map", longest, 1000, 0, 1),
        make("map", "base", INT32_MIN, 0, 1),
        make("map", "base", -1, UINT32_MAX, 1),
        make("map", "past", 0, 0, 1),
        make("map", "future", INT32_MAX, UINT32_MAX, 1),
        make("map", "\x1b[31m\n%s%n", 1000, 0, 1),
        make("ring0", "ring1", 1000, 0, 1),
        make("ring1", "ring2", 1000, 0, 1),
        make("ring2", "ring0", 1000, 0, 1),
        make("map", "base", 1000, 0, NAN),
        make("map", "base", 1000, 0, INFINITY),
        make("map", "base", 1000, 0, 1),
        make("map", "base", 1000, 0, 1),
        make("map", "base", 1000, 0, 1),
    };
    size_t n = sizeof t / sizeof t[0];
    t[n - 1].qw_ = 0;
    t[n - 2].qw_ = NAN;
    t[n - 3].qx_ = 1e300;
    send(writer, t, (uint32_t)n);
    send(writer, NULL, 0);
}

static void run_hostile(dds_entity_t participant)
{
    dds_entity_t writer =
        make_writer(participant, &tf2_msgs_msg_dds__TFMessage__desc, "rt/tf", true, false, 100);
    printf("ready\n");
    for (uint32_t k = 0;; k++) {
        // 10^5 names; messages of 1000, and now and then one that is larger than anyone reads
        if (k < 100)
            send_crowd(writer, k * 1000, 1000);
        if (k % 10 == 0)
            send_crowd(writer, k * 1000, 5000);
        send_poison(writer);
        if (k == 100)
            printf("done\n");
        dds_sleepfor(DDS_MSECS(10));
    }
}

// ---- /clock ----

static volatile sig_atomic_t n_back, n_speed;

static void on_signal(int number)
{
    if (number == SIGUSR1)
        n_back++;
    else
        n_speed++;
}

static void run_clock(dds_entity_t participant)
{
    static const long speeds[] = {1, 0, 10};
    dds_entity_t writer =
        make_writer(participant, &rosgraph_msgs_msg_dds__Clock__desc, "rt/clock", false, false, 1);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    (void)sigaction(SIGUSR1, &action, NULL);
    (void)sigaction(SIGUSR2, &action, NULL);
    printf("ready\n");
    long now_ms = 100000;
    for (int done = 0;;) {
        if (done < n_back) {
            now_ms = 5000;
            done++;
        }
        now_ms += 10 * speeds[n_speed % 3];
        rosgraph_msgs_msg_dds__Clock_ m = {0};
        m.now_.sec_ = (int32_t)(now_ms / 1000);
        m.now_.nanosec_ = (uint32_t)(now_ms % 1000) * 1000000u;
        (void)dds_write(writer, &m);
        dds_sleepfor(DDS_MSECS(10));
    }
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
    if (strcmp(argv[2], "tf") == 0)
        run_tf(participant);
    else if (strcmp(argv[2], "hostile") == 0)
        run_hostile(participant);
    else if (strcmp(argv[2], "clock") == 0)
        run_clock(participant);
    return 2;
}
