// SPDX-License-Identifier: Apache-2.0
// our generated code and Cyclone's serialiser with idlc's descriptor, on the same message
//
//   bench_cdr PAIRS    prints "name ours peer" (ns per message) for each row and pair, interleaved
//   bench_cdr encode|decode TYPE ours|peer N    only that, for callgrind and perf
//
// Peer: dds_stream_write_sample into a buffer that is kept, and dds_stream_read_sample into a
// sample that is kept, so that Cyclone allocates nothing either: faster than dds_write and
// dds_take, which go through a serdata. What arrives must be checked: Cyclone does that with
// dds_stream_normalize in front of every dds_stream_read_sample, we do it while decoding; the rows
// "…_unchecked" leave Cyclone's check out (and keep ours).
#include <dds/dds.h>
#include <dds/ddsi/ddsi_cdrstream.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/q_protocol.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "bench_types.h"
#include "measure.h"
#include "rosidl/type.h"
#include "tn_msgs/geometry_msgs.h"
#include "tn_msgs/sensor_msgs.h"
#include "tn_msgs/tendon_msgs.h"

#define BUFFER_MAX 8192u
#define N_TYPES    3u

// both messages of one type, both forms
struct subject {
    const char *name;
    const struct tn_type *type;
    const dds_topic_descriptor_t *descriptor;
    const void *our_message;
    const void *peer_message;
    const struct ddsi_sertype_default *peer_type;
    size_t cdr_size;
    uint64_t our_cdr[BUFFER_MAX / 8]; // header in the first four bytes
    uint64_t peer_body[BUFFER_MAX / 8];
    uint64_t scratch[BUFFER_MAX / 8];
    void *our_decoded;
    void *peer_decoded;
    struct tn_arena arena;
    dds_ostream_t out;
};

typedef void (*run_fn)(struct subject *subject, uint32_t n);

// the compiler may not drop what nobody reads
static volatile size_t observed;

static void our_encode(struct subject *subject, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct tn_cdr_writer writer;
        tn_cdr_writer_begin(&writer, subject->scratch, BUFFER_MAX);
        bench_require(tn_type_encode(subject->type, subject->our_message, &writer) == TN_OK,
                      "our encode failed");
        observed = writer.size;
    }
}

static void peer_encode(struct subject *subject, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        subject->out.m_index = 0;
        bench_require(
            dds_stream_write_sample(&subject->out, subject->peer_message, subject->peer_type),
            "peer encode failed");
        observed = subject->out.m_index;
    }
}

static void our_decode(struct subject *subject, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const size_t mark = tn_arena_mark(&subject->arena);
        struct tn_cdr_reader reader;
        (void)tn_cdr_reader_begin(&reader, subject->our_cdr, subject->cdr_size);
        bench_require(
            tn_type_decode(subject->type, subject->our_decoded, &reader, &subject->arena) == TN_OK,
            "our decode failed");
        tn_arena_release(&subject->arena, mark);
    }
}

static void peer_read(struct subject *subject)
{
    dds_istream_t in;
    dds_istream_init(&in, (uint32_t)(subject->cdr_size - TN_CDR_HEADER_SIZE), subject->peer_body,
                     CDR_ENC_VERSION_1);
    dds_stream_read_sample(&in, subject->peer_decoded, subject->peer_type);
    observed = in.m_index;
}

static void peer_decode_unchecked(struct subject *subject, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        peer_read(subject);
    }
}

static void peer_decode(struct subject *subject, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t actual = 0;
        bench_require(dds_stream_normalize(
                          subject->peer_body, (uint32_t)(subject->cdr_size - TN_CDR_HEADER_SIZE),
                          false, CDR_ENC_VERSION_1, subject->peer_type, false, &actual),
                      "peer normalize failed");
        peer_read(subject);
    }
}

// ---- the messages ----

struct storage {
    char names[BENCH_N_NAMES][BENCH_NAME_MAX];
    struct tn_str our_names[BENCH_N_NAMES];
    char *peer_names[BENCH_N_NAMES];
    double values[BENCH_N_NAMES];
    struct sensor_msgs_msg_JointState our_joints;
    sensor_msgs_msg_dds__JointState_ peer_joints;
    struct geometry_msgs_msg_TransformStamped our_transform;
    geometry_msgs_msg_dds__TransformStamped_ peer_transform;
    struct tendon_msgs_msg_HandFrame our_hand;
    tendon_msgs_msg_dds__HandFrame_ peer_hand;
};

static char frame_id[] = "contact_right_hand";
static char child_id[] = "contact_right_hand/index_tip";

static void fill_joints(struct storage *s)
{
    bench_names(s->names);
    for (unsigned i = 0; i < BENCH_N_NAMES; i++) {
        s->our_names[i] = tn_str_from(s->names[i]);
        s->peer_names[i] = s->names[i];
        s->values[i] = 0.01 * i;
    }
    const struct tn_seq_f64 ours = {s->values, BENCH_N_NAMES};
    const dds_sequence_double theirs = {
        ._buffer = s->values, ._length = BENCH_N_NAMES, ._maximum = BENCH_N_NAMES};
    s->our_joints.header.frame_id = tn_str_from(frame_id);
    s->our_joints.name = (struct tn_seq_str){s->our_names, BENCH_N_NAMES};
    s->our_joints.position = s->our_joints.velocity = s->our_joints.effort = ours;
    s->peer_joints.header_.frame_id_ = frame_id;
    s->peer_joints.name_ = (dds_sequence_string){
        ._buffer = s->peer_names, ._length = BENCH_N_NAMES, ._maximum = BENCH_N_NAMES};
    s->peer_joints.position_ = s->peer_joints.velocity_ = s->peer_joints.effort_ = theirs;
}

static void fill_transform(struct storage *s)
{
    s->our_transform.header.frame_id = tn_str_from(frame_id);
    s->our_transform.child_frame_id = tn_str_from(child_id);
    s->our_transform.transform.translation.x = 0.1;
    s->our_transform.transform.rotation.w = 1.0;
    s->peer_transform.header_.frame_id_ = frame_id;
    s->peer_transform.child_frame_id_ = child_id;
    s->peer_transform.transform_.translation_.x_ = 0.1;
    s->peer_transform.transform_.rotation_.w_ = 1.0;
}

static void fill_hand(struct storage *s)
{
    s->our_hand.header.frame_id = tn_str_from(frame_id);
    s->our_hand.device_id = tn_str_from("contact_glove_right");
    s->our_hand.side = 2;
    s->our_hand.sequence = 12345;
    s->our_hand.node_valid = 0x3ffffff;
    s->peer_hand.header_.frame_id_ = frame_id;
    static char device_id[] = "contact_glove_right";
    s->peer_hand.device_id_ = device_id;
    s->peer_hand.side_ = 2;
    s->peer_hand.sequence_ = 12345;
    s->peer_hand.node_valid_ = 0x3ffffff;
    for (unsigned i = 0; i < 26; i++) {
        s->our_hand.nodes[i].position.x = s->peer_hand.nodes_[i].position_.x_ = 0.01 * i;
        s->our_hand.nodes[i].orientation.w = s->peer_hand.nodes_[i].orientation_.w_ = 1.0;
    }
    for (unsigned i = 0; i < 21; i++) {
        s->our_hand.angles[i] = s->peer_hand.angles_[i] = 0.05 * i;
    }
}

// Cyclone hands its type out with the first sample that comes back
static const struct ddsi_sertype_default *peer_type(dds_entity_t participant,
                                                    const struct subject *subject)
{
    const dds_data_representation_id_t xcdr1 = DDS_DATA_REPRESENTATION_XCDR1;
    dds_qos_t *qos = dds_create_qos();
    dds_qset_data_representation(qos, 1, &xcdr1);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
    const dds_entity_t topic =
        dds_create_topic(participant, subject->descriptor, subject->name, qos, NULL);
    const dds_entity_t reader = dds_create_reader(participant, topic, qos, NULL);
    const dds_entity_t writer = dds_create_writer(participant, topic, qos, NULL);
    dds_delete_qos(qos);
    struct ddsi_serdata *serdata = NULL;
    dds_sample_info_t info;
    bench_require(writer > 0 && dds_write(writer, subject->peer_message) == DDS_RETCODE_OK &&
                      dds_takecdr(reader, &serdata, 1, &info, DDS_ANY_STATE) == 1,
                  "the peer's type cannot be had");
    // the topic keeps it
    const struct ddsi_sertype_default *type = (const struct ddsi_sertype_default *)serdata->type;
    ddsi_serdata_unref(serdata);
    return type;
}

static void prepare(struct subject *subject, dds_entity_t participant)
{
    subject->peer_type = peer_type(participant, subject);
    subject->our_decoded = calloc(1, subject->type->size);
    subject->peer_decoded = calloc(1, subject->descriptor->m_size);
    void *arena = malloc(65536);
    bench_require(arena != NULL && subject->our_decoded != NULL && subject->peer_decoded != NULL,
                  "no memory");
    tn_arena_init(&subject->arena, arena, 65536);
    dds_ostream_init(&subject->out, BUFFER_MAX, CDR_ENC_VERSION_1);

    // the same bytes, or the comparison is of two different things
    our_encode(subject, 1);
    subject->cdr_size = observed;
    memcpy(subject->our_cdr, subject->scratch, subject->cdr_size);
    peer_encode(subject, 1);
    bench_require(observed + TN_CDR_HEADER_SIZE == subject->cdr_size &&
                      memcmp(subject->out.m_buffer, (const char *)subject->our_cdr + 4, observed) ==
                          0,
                  "ours and the peer's bytes differ");
    memcpy(subject->peer_body, subject->out.m_buffer, observed);
}

// ---- rows ----

struct row {
    const char *name;
    run_fn ours, peer;
};

static const struct row rows[] = {
    {"encode", our_encode, peer_encode},
    {"decode", our_decode, peer_decode},
    {"decode_unchecked", our_decode, peer_decode_unchecked},
};
#define N_ROWS (sizeof rows / sizeof rows[0])

static double ns_each(run_fn run, struct subject *subject, uint32_t n)
{
    const int64_t start = bench_now_ns();
    run(subject, n);
    return (double)(bench_now_ns() - start) / n;
}

static void compare(const struct row *row, struct subject *subject, uint32_t n_pairs)
{
    // some 5 ms a turn
    const uint32_t n = (uint32_t)(5e6 / ns_each(row->peer, subject, 10000)) + 1;
    (void)ns_each(row->ours, subject, n);
    for (uint32_t i = 0; i < n_pairs; i++) {
        const double ours = ns_each(row->ours, subject, n);
        const double peer = ns_each(row->peer, subject, n);
        (void)printf("cdr_%s_%s %.2f %.2f\n", row->name, subject->name, ours, peer);
    }
}

static int run_one(struct subject *subjects, char **argv)
{
    for (unsigned t = 0; t < N_TYPES; t++) {
        for (unsigned r = 0; r < N_ROWS; r++) {
            if (strcmp(argv[1], rows[r].name) == 0 && strcmp(argv[2], subjects[t].name) == 0) {
                const run_fn run = strcmp(argv[3], "ours") == 0 ? rows[r].ours : rows[r].peer;
                (void)printf("%.2f\n", ns_each(run, &subjects[t],
                                               (uint32_t)bench_number(argv[4], 1, 1000000000)));
                return 0;
            }
        }
    }
    return 2;
}

int main(int argc, char **argv)
{
    static struct storage storage;
    static struct subject subjects[N_TYPES] = {
        {.name = "TransformStamped",
         .type = &geometry_msgs_msg_TransformStamped_type,
         .descriptor = &geometry_msgs_msg_dds__TransformStamped__desc,
         .our_message = &storage.our_transform,
         .peer_message = &storage.peer_transform},
        {.name = "JointState",
         .type = &sensor_msgs_msg_JointState_type,
         .descriptor = &sensor_msgs_msg_dds__JointState__desc,
         .our_message = &storage.our_joints,
         .peer_message = &storage.peer_joints},
        {.name = "HandFrame",
         .type = &tendon_msgs_msg_HandFrame_type,
         .descriptor = &tendon_msgs_msg_dds__HandFrame__desc,
         .our_message = &storage.our_hand,
         .peer_message = &storage.peer_hand},
    };
    fill_joints(&storage);
    fill_transform(&storage);
    fill_hand(&storage);
    const dds_entity_t participant = dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL);
    for (unsigned t = 0; t < N_TYPES; t++) {
        prepare(&subjects[t], participant);
    }
    int status = 0;
    if (argc == 5) {
        status = run_one(subjects, argv);
    } else {
        const uint32_t n_pairs = argc == 2 ? (uint32_t)bench_number(argv[1], 1, 10000) : 25;
        for (unsigned r = 0; r < N_ROWS; r++) {
            for (unsigned t = 0; t < N_TYPES; t++) {
                compare(&rows[r], &subjects[t], n_pairs);
            }
        }
    }
    (void)dds_delete(participant);
    return status;
}
