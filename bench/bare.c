// SPDX-License-Identifier: Apache-2.0
// the peer: what a careful C programmer writes on Cyclone DDS alone, with idlc's types
//
//   bench_bare pub HZ N                  N messages on one topic
//   bench_bare sub waitset|listener N    one-way times of N messages
//   bench_bare source HZ N               both sides of a chain of three hops …
//   bench_bare forward 0|1               … two processes that read and write again …
//   bench_bare sink N                    … and its end: times over all three hops
//   bench_bare datagrams HZ N            in place of the source: two datagrams a turn …
//   bench_bare gateway                   … which this process stamps with their kernel receive time
//   bench_bare idle                      resident memory with one writer and one reader
//   bench_bare first                     time from the start to the first sample
#include <arpa/inet.h>
#include <dds/dds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bench_types.h"
#include "measure.h"

typedef sensor_msgs_msg_dds__JointState_ joint_state; // NOLINT

#define DESCRIPTOR (&sensor_msgs_msg_dds__JointState__desc)
#define N_SIDES    2u
#define BATCH      16
// of the single hop; the chain uses 0, 1, 2
#define HOP 9u

struct message {
    char names[BENCH_N_NAMES][BENCH_NAME_MAX];
    char *name_list[BENCH_N_NAMES];
    double values[BENCH_N_NAMES];
    joint_state sample;
};

static void message_init(struct message *message)
{
    memset(message, 0, sizeof *message);
    bench_names(message->names);
    for (unsigned i = 0; i < BENCH_N_NAMES; i++) {
        message->name_list[i] = message->names[i];
        message->values[i] = 0.01 * i;
    }
    static char frame[] = "wrist";
    message->sample.header_.frame_id_ = frame;
    message->sample.name_._buffer = message->name_list;
    message->sample.name_._length = message->sample.name_._maximum = BENCH_N_NAMES;
    const dds_sequence_double values = {
        ._buffer = message->values, ._length = BENCH_N_NAMES, ._maximum = BENCH_N_NAMES};
    message->sample.position_ = values;
    message->sample.velocity_ = values;
    message->sample.effort_ = values;
}

// the first two hops of the chain are "pose" topics, the last one and the single hop are reliable
static dds_qos_t *qos_of(unsigned hop)
{
    const bool is_reliable = hop >= 2;
    const dds_data_representation_id_t xcdr1 = DDS_DATA_REPRESENTATION_XCDR1;
    dds_qos_t *qos = dds_create_qos();
    dds_qset_writer_data_lifecycle(qos, false);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, is_reliable ? 10 : 1);
    dds_qset_reliability(qos, is_reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                         DDS_INFINITY);
    dds_qset_data_representation(qos, 1, &xcdr1);
    return qos;
}

static dds_entity_t topic_of(dds_entity_t participant, unsigned hop, unsigned side)
{
    char name[64];
    (void)snprintf(name, sizeof name, "rt/bench/hop%u/side%u", hop, side);
    const dds_entity_t topic = dds_create_topic(participant, DESCRIPTOR, name, NULL, NULL);
    bench_require(topic > 0, "no topic");
    return topic;
}

static dds_entity_t writer_of(dds_entity_t participant, unsigned hop, unsigned side)
{
    dds_qos_t *qos = qos_of(hop);
    const dds_entity_t writer =
        dds_create_writer(participant, topic_of(participant, hop, side), qos, NULL);
    dds_delete_qos(qos);
    bench_require(writer > 0, "no writer");
    return writer;
}

static dds_entity_t reader_of(dds_entity_t participant, unsigned hop, unsigned side,
                              const dds_listener_t *listener)
{
    dds_qos_t *qos = qos_of(hop);
    const dds_entity_t reader =
        dds_create_reader(participant, topic_of(participant, hop, side), qos, listener);
    dds_delete_qos(qos);
    bench_require(reader > 0, "no reader");
    return reader;
}

static dds_entity_t participant_new(void)
{
    const dds_entity_t participant = dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL);
    bench_require(participant > 0, "no participant");
    return participant;
}

static void wait_for_reader(dds_entity_t writer)
{
    dds_publication_matched_status_t status = {0};
    for (unsigned i = 0; i < 1000; i++) {
        (void)dds_get_publication_matched_status(writer, &status);
        if (status.current_count > 0) {
            return;
        }
        bench_sleep_until(bench_now_ns() + BENCH_NS_PER_S / 100);
    }
    bench_require(false, "no reader was found");
}

static void write_with_stamp(dds_entity_t writer, joint_state *sample, int64_t stamp_ns)
{
    sample->header_.stamp_.sec_ = (int32_t)(stamp_ns / BENCH_NS_PER_S);
    sample->header_.stamp_.nanosec_ = (uint32_t)(stamp_ns % BENCH_NS_PER_S);
    bench_require(dds_write(writer, sample) == DDS_RETCODE_OK, "dds_write failed");
}

static void write_stamped(dds_entity_t writer, joint_state *sample)
{
    write_with_stamp(writer, sample, bench_now_ns());
}

static int publish(unsigned hop, unsigned n_sides, int64_t hz, int64_t n)
{
    struct message message;
    message_init(&message);
    const dds_entity_t participant = participant_new();
    dds_entity_t writers[N_SIDES];
    for (unsigned s = 0; s < n_sides; s++) {
        writers[s] = writer_of(participant, hop, s);
    }
    for (unsigned s = 0; s < n_sides; s++) {
        wait_for_reader(writers[s]);
    }
    int64_t next = bench_now_ns() + BENCH_SETTLE_NS;
    for (int64_t i = 0; i < n; i++) {
        bench_sleep_until(next);
        next += BENCH_NS_PER_S / hz;
        for (unsigned s = 0; s < n_sides; s++) {
            write_stamped(writers[s], &message.sample);
        }
    }
    bench_sleep_until(bench_now_ns() + BENCH_NS_PER_S / 5);
    (void)dds_delete(participant);
    return 0;
}

// ---- taking ----

struct sink {
    struct bench_samples samples;
    volatile bool is_complete;
};

static void take(dds_entity_t reader, struct sink *sink)
{
    static _Thread_local void *samples[BATCH];
    dds_sample_info_t infos[BATCH];
    int32_t n;
    while ((n = dds_take(reader, samples, infos, BATCH, BATCH)) > 0) {
        const int64_t now = bench_now_ns();
        for (int32_t i = 0; i < n; i++) {
            if (infos[i].valid_data) {
                const joint_state *sample = samples[i];
                const int64_t sent = (int64_t)sample->header_.stamp_.sec_ * BENCH_NS_PER_S +
                                     (int64_t)sample->header_.stamp_.nanosec_;
                sink->is_complete = bench_samples_add(&sink->samples, now - sent);
            }
        }
        (void)dds_return_loan(reader, samples, n);
    }
}

static void on_data(dds_entity_t reader, void *context)
{
    take(reader, context);
}

static dds_entity_t waitset_of(dds_entity_t participant, const dds_entity_t *readers,
                               unsigned n_readers)
{
    const dds_entity_t waitset = dds_create_waitset(participant);
    bench_require(waitset > 0, "no waitset");
    for (unsigned s = 0; s < n_readers; s++) {
        (void)dds_set_status_mask(readers[s], DDS_DATA_AVAILABLE_STATUS);
        (void)dds_waitset_attach(waitset, readers[s], (dds_attach_t)s);
    }
    return waitset;
}

static int subscribe_waitset(unsigned hop, unsigned n_sides, struct sink *sink)
{
    const dds_entity_t participant = participant_new();
    dds_entity_t readers[N_SIDES];
    for (unsigned s = 0; s < n_sides; s++) {
        readers[s] = reader_of(participant, hop, s, NULL);
    }
    const dds_entity_t waitset = waitset_of(participant, readers, n_sides);
    while (!sink->is_complete) {
        dds_attach_t ready[N_SIDES];
        const int32_t n = dds_waitset_wait(waitset, ready, n_sides, DDS_SECS(2));
        if (n == 0 && sink->samples.n > 0) {
            break;
        }
        for (int32_t i = 0; i < n; i++) {
            take(readers[ready[i]], sink);
        }
    }
    (void)dds_delete(participant);
    return bench_samples_print(&sink->samples);
}

static int subscribe_listener(struct sink *sink)
{
    const dds_entity_t participant = participant_new();
    dds_listener_t *listener = dds_create_listener(sink);
    dds_lset_data_available(listener, on_data);
    (void)reader_of(participant, HOP, 0, listener);
    dds_delete_listener(listener);
    const int64_t end = bench_now_ns() + 60 * BENCH_NS_PER_S;
    while (!sink->is_complete && bench_now_ns() < end) {
        bench_sleep_until(bench_now_ns() + BENCH_NS_PER_S / 20);
    }
    (void)dds_delete(participant);
    return bench_samples_print(&sink->samples);
}

static void forward_taken(dds_entity_t reader, dds_entity_t writer)
{
    static void *samples[BATCH];
    dds_sample_info_t infos[BATCH];
    int32_t n;
    while ((n = dds_take(reader, samples, infos, BATCH, BATCH)) > 0) {
        for (int32_t i = 0; i < n; i++) {
            if (infos[i].valid_data) {
                (void)dds_write(writer, samples[i]);
            }
        }
        (void)dds_return_loan(reader, samples, n);
    }
}

// runs until it is terminated
static int forward(unsigned hop)
{
    const dds_entity_t participant = participant_new();
    dds_entity_t readers[N_SIDES], writers[N_SIDES];
    for (unsigned s = 0; s < N_SIDES; s++) {
        writers[s] = writer_of(participant, hop + 1, s);
        readers[s] = reader_of(participant, hop, s, NULL);
    }
    const dds_entity_t waitset = waitset_of(participant, readers, N_SIDES);
    int32_t n;
    dds_attach_t ready[N_SIDES];
    while ((n = dds_waitset_wait(waitset, ready, N_SIDES, DDS_INFINITY)) >= 0) {
        for (int32_t i = 0; i < n; i++) {
            forward_taken(readers[ready[i]], writers[ready[i]]);
        }
    }
    return 1;
}

// ---- a datagram in front of the chain ----

#define GATEWAY_PORT   25791
#define DATAGRAM_BYTES 400u

static struct sockaddr_in gateway_address(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(GATEWAY_PORT)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

// the first byte is the side
static int send_datagrams(int64_t hz, int64_t n)
{
    const struct sockaddr_in to = gateway_address();
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    char datagram[DATAGRAM_BYTES] = {0};
    // no matching to wait for: the chain behind the gateway needs its time
    int64_t next = bench_now_ns() + 2 * BENCH_NS_PER_S;
    for (int64_t i = 0; i < n; i++) {
        bench_sleep_until(next);
        next += BENCH_NS_PER_S / hz;
        for (unsigned s = 0; s < N_SIDES; s++) {
            datagram[0] = (char)s;
            (void)sendto(fd, datagram, sizeof datagram, 0, (const struct sockaddr *)&to, sizeof to);
        }
    }
    (void)close(fd);
    return 0;
}

static int64_t kernel_time_ns(struct msghdr *message)
{
    struct timespec wall, received;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
         part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SO_TIMESTAMPNS) {
            memcpy(&received, CMSG_DATA(part), sizeof received);
            (void)clock_gettime(CLOCK_REALTIME, &wall);
            return bench_now_ns() - ((int64_t)(wall.tv_sec - received.tv_sec) * BENCH_NS_PER_S +
                                     wall.tv_nsec - received.tv_nsec);
        }
    }
    return bench_now_ns();
}

static int receive_datagram(int fd, int64_t *out_received_ns)
{
    char bytes[DATAGRAM_BYTES];
    union {
        struct cmsghdr align;
        char room[128];
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = sizeof bytes};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    if (recvmsg(fd, &message, MSG_DONTWAIT) <= 0) {
        return -1;
    }
    *out_received_ns = kernel_time_ns(&message);
    return bytes[0];
}

// runs until it is terminated
static int gateway(void)
{
    struct message message;
    message_init(&message);
    const dds_entity_t participant = participant_new();
    const dds_entity_t writers[N_SIDES] = {writer_of(participant, 0, 0),
                                           writer_of(participant, 0, 1)};
    const struct sockaddr_in address = gateway_address();
    const int on = 1, fd = socket(AF_INET, SOCK_DGRAM, 0), epoll_fd = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    bench_require(setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) == 0 &&
                      bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
                      epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0,
                  "no socket for the gateway");
    while (epoll_wait(epoll_fd, &event, 1, -1) >= 0) {
        int64_t received_ns = 0;
        int side;
        while ((side = receive_datagram(fd, &received_ns)) >= 0) {
            write_with_stamp(writers[side & 1], &message.sample, received_ns);
        }
    }
    return 1;
}

// ---- memory and start ----

static int idle(void)
{
    struct sink sink = {0};
    struct message message;
    message_init(&message);
    bench_samples_init(&sink.samples, 100);
    const dds_entity_t participant = participant_new();
    const dds_entity_t reader = reader_of(participant, HOP, 0, NULL);
    const dds_entity_t writer = writer_of(participant, HOP, 0);
    int64_t next = bench_now_ns();
    for (unsigned i = 0; i < 200; i++) {
        bench_sleep_until(next += BENCH_NS_PER_S / 100);
        write_stamped(writer, &message.sample);
        take(reader, &sink);
    }
    const int status = bench_rss_print();
    (void)dds_delete(participant);
    return status;
}

static int first(void)
{
    struct message message;
    message_init(&message);
    const dds_entity_t participant = participant_new();
    write_stamped(writer_of(participant, HOP, 0), &message.sample);
    const int status = bench_start_print(bench_now_ns());
    (void)dds_delete(participant);
    return status;
}

static int with_sink(unsigned hop, unsigned n_sides, bool is_listener, const char *n)
{
    struct sink sink = {0};
    bench_samples_init(&sink.samples, (uint32_t)bench_number(n, 100, 10000000));
    return is_listener ? subscribe_listener(&sink) : subscribe_waitset(hop, n_sides, &sink);
}

// modes of one word and modes with a number behind them
static int run_short(const char *mode, const char *number)
{
    if (number != NULL && strcmp(mode, "sink") == 0) {
        return with_sink(2, N_SIDES, false, number);
    }
    if (number != NULL && strcmp(mode, "forward") == 0) {
        return forward((unsigned)bench_number(number, 0, 1));
    }
    if (strcmp(mode, "gateway") == 0) {
        return gateway();
    }
    if (strcmp(mode, "idle") == 0) {
        return idle();
    }
    return strcmp(mode, "first") == 0 ? first() : 2;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int status = 2;
    if (argc == 4 && strcmp(mode, "sub") == 0) {
        status = with_sink(HOP, 1, strcmp(argv[2], "listener") == 0, argv[3]);
    } else if (argc == 4 && strcmp(mode, "datagrams") == 0) {
        status =
            send_datagrams(bench_number(argv[2], 1, 1000000), bench_number(argv[3], 1, 10000000));
    } else if (argc == 4) {
        const bool is_chain = strcmp(mode, "source") == 0;
        status = publish(is_chain ? 0 : HOP, is_chain ? N_SIDES : 1,
                         bench_number(argv[2], 1, 1000000), bench_number(argv[3], 1, 10000000));
    } else if (argc > 1) {
        status = run_short(mode, argv[2]);
    }
    bench_require(status != 2, "usage: see the head of bench/bare.c");
    return status;
}
