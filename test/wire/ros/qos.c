// SPDX-License-Identifier: Apache-2.0
// Every QoS policy against a stranger, both ways. argv[1]: the peer program; argv[2]: a receiver of
// ours that announces a node; argv[3]: "loss" where packets get lost.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ros/events.h"
#include "tn_msgs/sensor_msgs.h"
#include "tn_msgs/std_msgs.h"
#include "wire/ros/harness.h"

#define EVENTS_MAX 512

static const char *peer_program, *receiver_program;

// ---- what is collected ----

/// Everything told to one endpoint.
struct log {
    uint32_t n;
    struct tn_ros_event last[TN_ROS_EVENT_INCOMPATIBLE_TYPE + 1];
    uint32_t n_of[TN_ROS_EVENT_INCOMPATIBLE_TYPE + 1];
    char policy[64], offered[64], requested[64], peer_node[128], cure[512];
};

static void on_event(void *context, const struct tn_ros_event *event)
{
    struct log *log = context;
    log->n++;
    log->n_of[event->kind]++;
    log->last[event->kind] = *event;
    if (event->conflict == NULL)
        return;
    (void)snprintf(log->policy, sizeof log->policy, "%s", event->conflict->policy);
    (void)snprintf(log->offered, sizeof log->offered, "%s", event->conflict->offered);
    (void)snprintf(log->requested, sizeof log->requested, "%s", event->conflict->requested);
    (void)snprintf(log->peer_node, sizeof log->peer_node, "%s", event->conflict->peer_node);
    (void)snprintf(log->cure, sizeof log->cure, "%s", event->conflict->cure);
}

struct values {
    uint32_t n;
    uint64_t first, last;
    bool has_gap;
};

static void on_value(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct values *values = context;
    uint64_t value = ((const struct std_msgs_msg_UInt64 *)message)->data;
    (void)info;
    values->has_gap = values->has_gap || (values->n > 0 && value != values->last + 1);
    values->first = values->n == 0 ? value : values->first;
    values->last = value;
    values->n++;
}

static struct tn_ros_publisher *publish_on(struct harness *h, const char *topic,
                                           struct tn_ros_qos qos)
{
    struct tn_ros_publisher *publisher = NULL;
    struct tn_error err = {0};
    if (tn_ros_publisher_create(h->node, &std_msgs_msg_UInt64_type, topic, qos, &publisher, &err) !=
        TN_OK)
        fail_msg("%s", err.text);
    return publisher;
}

static struct tn_ros_subscription *subscribe_to(struct harness *h, const char *topic,
                                                struct tn_ros_qos qos, struct values *values)
{
    struct tn_ros_subscription *subscription = NULL;
    struct tn_error err = {0};
    memset(values, 0, sizeof *values);
    if (tn_ros_subscription_create(h->node, &std_msgs_msg_UInt64_type, topic, qos, on_value, values,
                                   &subscription, &err) != TN_OK)
        fail_msg("%s", err.text);
    return subscription;
}

static enum tn_result publish(struct tn_ros_publisher *publisher, uint64_t value)
{
    struct std_msgs_msg_UInt64 m = {.data = value};
    return tn_ros_publish(publisher, &m);
}

struct wanted {
    const struct log *log;
    enum tn_ros_event_kind kind;
    uint64_t total;
};

static bool has_total(void *context)
{
    const struct wanted *wanted = context;
    return wanted->log->last[wanted->kind].total >= wanted->total;
}

static void wait_total(struct harness *h, const struct log *log, enum tn_ros_event_kind kind,
                       uint64_t total, const char *what)
{
    struct wanted wanted = {log, kind, total};
    harness_wait(h, has_total, &wanted, what);
}

// ---- who matches whom ----

/// One value of each policy; the two sides of a pair.
struct mix {
    bool is_best_effort, is_latched, is_manual;
    int deadline_s, lease_s; ///< 0: infinite
};

/// The standard's table, written down once more.
static unsigned expected_conflicts(const struct mix *offered, const struct mix *requested)
{
    int o_deadline = offered->deadline_s == 0 ? 1000 : offered->deadline_s;
    int r_deadline = requested->deadline_s == 0 ? 1000 : requested->deadline_s;
    int o_lease = offered->lease_s == 0 ? 1000 : offered->lease_s;
    int r_lease = requested->lease_s == 0 ? 1000 : requested->lease_s;
    return (unsigned)(offered->is_best_effort && !requested->is_best_effort) +
           (unsigned)(!offered->is_latched && requested->is_latched) +
           (unsigned)(!offered->is_manual && requested->is_manual) +
           (unsigned)(o_deadline > r_deadline) + (unsigned)(o_lease > r_lease);
}

#define KINDS 8
#define TIMES 9

static struct mix kind_mix(int i)
{
    return (struct mix){(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, 0, 0};
}

static struct mix time_mix(int i)
{
    static const int seconds[] = {0, 30, 60};
    return (struct mix){.deadline_s = seconds[i % 3], .lease_s = seconds[i / 3]};
}

static struct tn_ros_qos qos_of(const struct mix *mix)
{
    struct tn_ros_qos qos = tn_ros_qos_default(10);
    qos.reliability = mix->is_best_effort ? TN_ROS_BEST_EFFORT : TN_ROS_RELIABLE;
    qos.durability = mix->is_latched ? TN_ROS_TRANSIENT_LOCAL : TN_ROS_VOLATILE;
    qos.liveliness =
        mix->is_manual ? TN_ROS_LIVELINESS_MANUAL_BY_TOPIC : TN_ROS_LIVELINESS_AUTOMATIC;
    qos.deadline_ns = mix->deadline_s * TN_NS_PER_S;
    qos.lease_ns = mix->lease_s * TN_NS_PER_S;
    return qos;
}

static void put_endpoint(char *out, size_t size, char direction, const char *topic,
                         const struct mix *mix)
{
    int n = snprintf(out, size, "%c:rt/%s:n=0%s%s%s", direction, topic,
                     mix->is_best_effort ? ",be" : "", mix->is_latched ? ",tl" : "",
                     mix->is_manual ? ",manual" : "");
    if (mix->deadline_s > 0)
        n += snprintf(out + n, size - (size_t)n, ",deadline=%d000", mix->deadline_s);
    if (mix->lease_s > 0)
        (void)snprintf(out + n, size - (size_t)n, ",lease=%d000", mix->lease_s);
}

/// One table: all mixes of a stranger against all of ours, in both directions.
struct table {
    struct harness h;
    struct peer peer;
    int n;
    struct mix (*mix)(int i);
    struct tn_ros_publisher *publishers[TIMES];
    struct tn_ros_subscription *subscriptions[TIMES];
    struct log publisher_logs[TIMES], subscription_logs[TIMES];
    struct values values[TIMES];
};

static void expectation(const struct table *t, int ours, bool is_writer, uint32_t *out_matched,
                        uint32_t *out_conflicts)
{
    struct mix own = t->mix(ours);
    *out_matched = *out_conflicts = 0;
    for (int i = 0; i < t->n; i++) {
        struct mix peer = t->mix(i);
        unsigned n = is_writer ? expected_conflicts(&own, &peer) : expected_conflicts(&peer, &own);
        *out_matched += n == 0;
        *out_conflicts += n;
    }
}

static bool table_is_told(void *context)
{
    const struct table *t = context;
    for (int i = 0; i < t->n; i++) {
        for (int w = 0; w < 2; w++) {
            const struct log *log = w ? &t->publisher_logs[i] : &t->subscription_logs[i];
            uint32_t matched, conflicts;
            expectation(t, i, w, &matched, &conflicts);
            if (log->last[TN_ROS_EVENT_MATCHED].current != matched ||
                log->last[TN_ROS_EVENT_INCOMPATIBLE_QOS].total != conflicts)
                return false;
        }
    }
    return true;
}

static void run_table(int n, struct mix (*mix)(int))
{
    struct table *t = calloc(1, sizeof *t);
    char(*texts)[128] = calloc(2 * TIMES, sizeof *texts);
    const char *argv[2 * TIMES + 3] = {peer_program, "0"};
    t->n = n;
    t->mix = mix;
    harness_open(&t->h);
    for (int i = 0; i < n; i++) {
        struct mix m = mix(i);
        put_endpoint(texts[2 * i], sizeof *texts, 'w', "table_back", &m);
        put_endpoint(texts[2 * i + 1], sizeof *texts, 'r', "table", &m);
        argv[2 + 2 * i] = texts[2 * i];
        argv[3 + 2 * i] = texts[2 * i + 1];
    }
    // half of ours are there before the stranger, half come after it
    for (int i = 0; i < n; i++) {
        struct mix m = mix(i);
        if (i == n / 2)
            peer_start(&t->h, &t->peer, argv);
        t->publishers[i] = publish_on(&t->h, "/table", qos_of(&m));
        t->subscriptions[i] = subscribe_to(&t->h, "/table_back", qos_of(&m), &t->values[i]);
    }
    // asked late, told all the same
    for (int i = 0; i < n; i++) {
        tn_ros_publisher_on_event(t->publishers[i], on_event, &t->publisher_logs[i]);
        tn_ros_subscription_on_event(t->subscriptions[i], on_event, &t->subscription_logs[i]);
    }
    harness_wait(&t->h, table_is_told, t, "matches and conflicts as the standard has them");
    // and nothing is told twice
    harness_run(&t->h, 200 * TN_NS_PER_MS);
    assert_true(table_is_told(t));
    peer_stop(&t->peer);
    harness_close(&t->h);
    free(texts);
    free(t);
}

static void kinds_match_as_the_standard_says(void **state)
{
    (void)state;
    run_table(KINDS, kind_mix);
}

static void durations_match_as_the_standard_says(void **state)
{
    (void)state;
    run_table(TIMES, time_mix);
}

// ---- what is said about it ----

struct odd_case {
    const char *endpoint; ///< of the stranger; "%u" is the case's number
    const char *policy, *offered, *requested;
    bool is_cyclone_only; ///< Fast DDS does not have it
};

static const struct odd_case odd_cases[] = {
    {"r:rt/odd%u:transient", "DURABILITY", "VOLATILE", "TRANSIENT", true},
    {"r:rt/odd%u:source", "DESTINATION_ORDER", "BY_RECEPTION_TIMESTAMP", "BY_SOURCE_TIMESTAMP",
     true},
    {"w:rt/odd%u:n=0,exclusive", "OWNERSHIP", "EXCLUSIVE", "SHARED", false},
    {"w:rt/odd%u:n=0,budget=20", "LATENCY_BUDGET", "0.02 s", "0 s", false},
    {"r:rt/odd%u:manualp", "LIVELINESS", "AUTOMATIC", "MANUAL_BY_PARTICIPANT", false},
    {"w:rt/odd%u:n=0,partition=elsewhere", "PARTITION", "\"elsewhere\"", "the default one", false},
    {"w:rt/odd%u:n=0,type=std_msgs::msg::dds_::Int8_", "TYPE", "std_msgs/msg/Int8",
     "std_msgs/msg/UInt64", false},
    {"r:rt/odd%u:type=Shapes::Square", "TYPE", "std_msgs/msg/UInt64", "Shapes::Square", false},
};
#define N_ODD (sizeof odd_cases / sizeof *odd_cases)

/// Our endpoint of a case, on the other side of the stranger's.
static void open_odd(struct harness *h, unsigned i, struct log *log, struct values *values)
{
    char topic[32];
    (void)snprintf(topic, sizeof topic, "/odd%u", i);
    if (odd_cases[i].endpoint[0] == 'r')
        tn_ros_publisher_on_event(publish_on(h, topic, tn_ros_qos_default(10)), on_event, log);
    else
        tn_ros_subscription_on_event(subscribe_to(h, topic, tn_ros_qos_default(10), values),
                                     on_event, log);
}

static void policies_beyond_ros_are_named(void **state)
{
    struct harness h;
    struct peer peer;
    struct log *logs = calloc(N_ODD, sizeof *logs);
    struct values values[N_ODD];
    char texts[N_ODD][96];
    const char *argv[N_ODD + 3] = {peer_program, "0"};
    bool is_cyclone = strstr(peer_program, "fastdds") == NULL;
    unsigned n = 2;
    (void)state;
    harness_open(&h);
    for (unsigned i = 0; i < N_ODD; i++) {
        char number[8];
        const char *endpoint = odd_cases[i].endpoint, *mark = strstr(endpoint, "%u");
        (void)snprintf(number, sizeof number, "%u", i);
        (void)snprintf(texts[i], sizeof texts[i], "%.*s%s%s", (int)(mark - endpoint), endpoint,
                       number, mark + 2);
        if (is_cyclone || !odd_cases[i].is_cyclone_only)
            argv[n++] = texts[i];
        open_odd(&h, i, &logs[i], &values[i]);
    }
    peer_start(&h, &peer, argv);
    for (unsigned i = 0; i < N_ODD; i++) {
        const struct odd_case *c = &odd_cases[i];
        enum tn_ros_event_kind kind = strcmp(c->policy, "TYPE") == 0
                                          ? TN_ROS_EVENT_INCOMPATIBLE_TYPE
                                          : TN_ROS_EVENT_INCOMPATIBLE_QOS;
        if (!is_cyclone && c->is_cyclone_only)
            continue;
        wait_total(&h, &logs[i], kind, 1, c->endpoint);
        assert_string_equal(logs[i].policy, c->policy);
        assert_string_equal(logs[i].offered, c->offered);
        assert_string_equal(logs[i].requested, c->requested);
        assert_string_equal(logs[i].peer_node, "");
        assert_true(logs[i].cure[0] != '\0');
        assert_int_equal(logs[i].last[TN_ROS_EVENT_MATCHED].current, 0);
    }
    peer_stop(&peer);
    harness_close(&h);
    free(logs);
}

static void node_of_the_peer_is_named_with_the_cure(void **state)
{
    struct harness h;
    struct peer peer;
    struct log *log = calloc(1, sizeof *log);
    struct tn_ros_publisher *publisher = NULL;
    struct tn_error err = {0};
    (void)state;
    harness_open(&h);
    assert_int_equal(tn_ros_publisher_create(h.node, &sensor_msgs_msg_JointState_type, "/rel",
                                             tn_ros_qos_sensor_data(), &publisher, &err),
                     TN_OK);
    tn_ros_publisher_on_event(publisher, on_event, log);
    peer_start(&h, &peer,
               (const char *const[]){receiver_program, "--ros-args", "-r", "__ns:=/far", NULL});
    wait_total(&h, log, TN_ROS_EVENT_INCOMPATIBLE_QOS, 1, "a conflict");
    assert_string_equal(log->policy, "RELIABILITY");
    assert_string_equal(log->offered, "BEST_EFFORT");
    assert_string_equal(log->requested, "RELIABLE");
    assert_string_equal(log->peer_node, "/far/receiver");
    assert_string_equal(log->cure,
                        "set reliability to RELIABLE here or to BEST_EFFORT there, e.g. with -p "
                        "qos_overrides./rel.publisher.reliability:=reliable");
    peer_stop(&peer);
    harness_close(&h);
    free(log);
}

// ---- deadline ----

static void missed_deadlines_are_told_on_both_sides(void **state)
{
    struct harness h;
    struct peer peer;
    struct log *ours = calloc(2, sizeof *ours);
    struct values values;
    struct tn_ros_qos qos = tn_ros_qos_default(10);
    (void)state;
    qos.deadline_ns = 300 * TN_NS_PER_MS;
    harness_open(&h);
    struct tn_ros_publisher *publisher = publish_on(&h, "/beat", qos);
    struct tn_ros_subscription *subscription = subscribe_to(&h, "/beat_back", qos, &values);
    tn_ros_publisher_on_event(publisher, on_event, &ours[0]);
    tn_ros_subscription_on_event(subscription, on_event, &ours[1]);
    peer_start(&h, &peer,
               (const char *const[]){peer_program, "0", "r:rt/beat:deadline=300",
                                     "w:rt/beat_back:deadline=300,n=100000,period=10", NULL});
    wait_total(&h, &ours[0], TN_ROS_EVENT_MATCHED, 1, "a match");
    wait_total(&h, &ours[1], TN_ROS_EVENT_MATCHED, 1, "a match");
    while (values.n < 3)
        (void)tn_loop_run_once(h.loop, 10 * TN_NS_PER_MS);

    // messages until one is heard, and then silence
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    while (peer_count(&peer, "rt/beat got") == 0) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        assert_int_equal(publish(publisher, 1), TN_OK);
        harness_run(&h, 10 * TN_NS_PER_MS);
    }
    wait_total(&h, &ours[0], TN_ROS_EVENT_DEADLINE_MISSED,
               ours[0].last[TN_ROS_EVENT_DEADLINE_MISSED].total + 2, "a deadline that we missed");
    harness_wait_lines(&h, &peer, "rt/beat deadline", 1);
    // the stranger falls silent
    uint64_t before = ours[1].last[TN_ROS_EVENT_DEADLINE_MISSED].total;
    assert_int_equal(tn_process_signal(peer.process, SIGSTOP), TN_OK);
    wait_total(&h, &ours[1], TN_ROS_EVENT_DEADLINE_MISSED, before + 2,
               "a deadline that the peer missed");
    assert_int_equal(tn_process_signal(peer.process, SIGCONT), TN_OK);
    peer_stop(&peer);
    harness_close(&h);
    free(ours);
}

// ---- liveliness ----

struct silent {
    const struct log *log;
    uint32_t alive, not_alive;
};

static bool is_so_alive(void *context)
{
    const struct silent *wanted = context;
    const struct tn_ros_event *e = &wanted->log->last[TN_ROS_EVENT_LIVELINESS_CHANGED];
    return e->current == wanted->alive && e->not_alive == wanted->not_alive;
}

static void wait_alive(struct harness *h, const struct log *log, uint32_t alive, uint32_t not_alive)
{
    struct silent wanted = {log, alive, not_alive};
    char what[64];
    (void)snprintf(what, sizeof what, "%u alive, %u not", alive, not_alive);
    harness_wait(h, is_so_alive, &wanted, what);
}

static void silence_of_a_stopped_peer_is_told(void **state)
{
    struct harness h;
    struct peer peer;
    struct log *log = calloc(1, sizeof *log);
    struct values values;
    struct tn_ros_qos qos = tn_ros_qos_default(10);
    (void)state;
    qos.lease_ns = 600 * TN_NS_PER_MS;
    harness_open(&h);
    struct tn_ros_subscription *subscription = subscribe_to(&h, "/life_back", qos, &values);
    tn_ros_subscription_on_event(subscription, on_event, log);
    peer_start(&h, &peer,
               (const char *const[]){peer_program, "0", "w:rt/life_back:n=0,lease=600", NULL});
    wait_alive(&h, log, 1, 0);
    assert_int_equal(tn_process_signal(peer.process, SIGSTOP), TN_OK);
    wait_alive(&h, log, 0, 1);
    assert_int_equal(tn_process_signal(peer.process, SIGCONT), TN_OK);
    wait_alive(&h, log, 1, 0);
    // and one that dies without a word
    assert_int_equal(tn_process_signal(peer.process, SIGKILL), TN_OK);
    wait_alive(&h, log, 0, 1);
    peer_stop(&peer);
    harness_close(&h);
    free(log);
}

static void manual_liveliness_must_be_asserted(void **state)
{
    struct harness h;
    struct peer peer;
    struct log *logs = calloc(2, sizeof *logs);
    struct values values;
    struct tn_ros_qos qos = tn_ros_qos_default(10);
    (void)state;
    qos.liveliness = TN_ROS_LIVELINESS_MANUAL_BY_TOPIC;
    qos.lease_ns = 600 * TN_NS_PER_MS;
    harness_open(&h);
    struct tn_ros_publisher *publisher = publish_on(&h, "/life", qos);
    struct tn_ros_subscription *subscription = subscribe_to(&h, "/life_back", qos, &values);
    tn_ros_publisher_on_event(publisher, on_event, &logs[0]);
    tn_ros_subscription_on_event(subscription, on_event, &logs[1]);
    peer_start(&h, &peer,
               (const char *const[]){peer_program, "0", "r:rt/life:manual,lease=600",
                                     "w:rt/life_back:manual,lease=600,n=1", NULL});
    wait_total(&h, &logs[0], TN_ROS_EVENT_MATCHED, 1, "a match");
    // a sign of life without a message is one, and its end is told on both sides
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    while (peer_count(&peer, "rt/life alive 1 0") == 0) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        assert_int_equal(tn_ros_publisher_assert_liveliness(publisher), TN_OK);
        harness_run(&h, 50 * TN_NS_PER_MS);
    }
    wait_total(&h, &logs[0], TN_ROS_EVENT_LIVELINESS_LOST,
               logs[0].last[TN_ROS_EVENT_LIVELINESS_LOST].total + 1, "our lease ran out");
    harness_wait_lines(&h, &peer, "rt/life alive 0 1", 1);
    uint32_t n_before = peer_count(&peer, "rt/life alive 1 0");
    assert_int_equal(publish(publisher, 1), TN_OK);
    harness_wait_lines(&h, &peer, "rt/life alive 1 0", n_before + 1);
    // the stranger's one message was its last sign of life
    wait_alive(&h, &logs[1], 0, 1);
    peer_stop(&peer);
    harness_close(&h);
    free(logs);
}

// ---- lifespan ----

static void expired_messages_reach_no_late_joiner(void **state)
{
    struct harness h;
    struct peer peer, reader;
    struct values values;
    struct tn_ros_qos qos = tn_ros_qos_latched(10);
    (void)state;
    harness_open(&h);
    qos.lifespan_ns = 200 * TN_NS_PER_MS;
    struct tn_ros_publisher *publisher = publish_on(&h, "/brief", qos);
    for (uint64_t k = 1; k <= 5; k++)
        assert_int_equal(publish(publisher, k), TN_OK);
    peer_start(&h, &peer,
               (const char *const[]){peer_program, "0", "w:rt/brief_back:tl,lifespan=200,n=5,eager",
                                     NULL});
    harness_wait_lines(&h, &peer, "rt/brief_back wrote 5", 1);
    // far beyond their life; the stranger writes its sixth when it sees us
    harness_run(&h, TN_NS_PER_S);
    struct tn_ros_qos late = tn_ros_qos_latched(10);
    (void)subscribe_to(&h, "/brief_back", late, &values);
    peer_start(&h, &reader, (const char *const[]){peer_program, "0", "r:rt/brief:tl", NULL});
    while (values.n == 0)
        (void)tn_loop_run_once(h.loop, 10 * TN_NS_PER_MS);
    assert_int_equal(values.first, 6);
    while (tn_ros_publisher_matched(publisher) == 0)
        (void)tn_loop_run_once(h.loop, 10 * TN_NS_PER_MS);
    assert_int_equal(publish(publisher, 6), TN_OK);
    harness_wait_lines(&h, &reader, "rt/brief got", 1);
    assert_string_equal(peer_find(&reader, 0, "rt/brief got"), "rt/brief got 6");
    peer_stop(&reader);
    peer_stop(&peer);
    harness_close(&h);
}

// ---- history ----

static void keep_all_says_so_when_it_cannot_keep_up(void **state)
{
    struct harness h;
    struct peer peer;
    struct tn_ros_qos qos = tn_ros_qos_default(1);
    uint64_t k = 1;
    (void)state;
    qos.history = TN_ROS_KEEP_ALL;
    qos.depth = 0;
    harness_open(&h);
    struct tn_ros_publisher *publisher = publish_on(&h, "/all", qos);
    peer_start(&h, &peer, (const char *const[]){peer_program, "0", "r:rt/all:all", NULL});
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    for (; peer_count(&peer, "rt/all got") == 0; k++) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        assert_int_equal(publish(publisher, k), TN_OK);
        harness_run(&h, 10 * TN_NS_PER_MS);
    }
    assert_int_equal(tn_process_signal(peer.process, SIGSTOP), TN_OK);
    // far more than the writer may hold: the call comes back, and says that nothing was sent; what
    // the peer acknowledged before it stood still may make room once more
    unsigned n_refused = 0;
    for (unsigned i = 0; i < 400000 && n_refused < 3; i++) {
        enum tn_result result = publish(publisher, k);
        assert_true(result == TN_OK || result == TN_ERR_TIMEOUT);
        n_refused = result == TN_OK ? 0 : n_refused + 1;
        k += result == TN_OK;
    }
    assert_int_equal(n_refused, 3);
    // and it goes on when the peer does
    assert_int_equal(tn_process_signal(peer.process, SIGCONT), TN_OK);
    deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    while (publish(publisher, k) != TN_OK) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        harness_run(&h, 10 * TN_NS_PER_MS);
    }
    peer_stop(&peer);
    harness_close(&h);
}

// ---- best available ----

static void best_available_suits_who_is_there(void **state)
{
    struct harness h;
    struct peer peer;
    struct values values;
    (void)state;
    harness_open(&h);
    struct log *log = calloc(1, sizeof *log);
    struct tn_ros_subscription *early =
        subscribe_to(&h, "/best", tn_ros_qos_system_default(), &values);
    struct tn_ros_qos qos = tn_ros_subscription_qos(early);
    assert_int_equal(qos.history, TN_ROS_KEEP_LAST);
    assert_int_equal(qos.depth, 1);
    assert_int_equal(qos.reliability, TN_ROS_RELIABLE);
    assert_int_equal(qos.durability, TN_ROS_VOLATILE);
    tn_ros_subscription_on_event(early, on_event, log);
    peer_start(&h, &peer,
               (const char *const[]){peer_program, "0", "w:rt/best:n=0,deadline=40000",
                                     "w:rt/best:n=0,be,tl,deadline=50000,lease=60000",
                                     "r:rt/want:deadline=40000,manual",
                                     "r:rt/want:deadline=30000,lease=50000", NULL});
    wait_total(&h, log, TN_ROS_EVENT_MATCHED, 1, "a match");
    wait_total(&h, log, TN_ROS_EVENT_INCOMPATIBLE_QOS, 1, "a conflict");
    struct tn_ros_subscription *best =
        subscribe_to(&h, "/best", tn_ros_qos_best_available(), &values);
    qos = tn_ros_subscription_qos(best);
    assert_int_equal(qos.reliability, TN_ROS_BEST_EFFORT);
    assert_int_equal(qos.durability, TN_ROS_VOLATILE);
    assert_int_equal(qos.liveliness, TN_ROS_LIVELINESS_AUTOMATIC);
    assert_int_equal(qos.deadline_ns, 50 * TN_NS_PER_S);
    // one offers none: nothing shorter matches it
    assert_int_equal(qos.lease_ns, 0);
    while (tn_ros_subscription_matched(best) < 2)
        (void)tn_loop_run_once(h.loop, 10 * TN_NS_PER_MS);
    struct tn_ros_publisher *offer = publish_on(&h, "/want", tn_ros_qos_best_available());
    qos = tn_ros_publisher_qos(offer);
    assert_int_equal(qos.reliability, TN_ROS_RELIABLE);
    assert_int_equal(qos.durability, TN_ROS_TRANSIENT_LOCAL);
    assert_int_equal(qos.liveliness, TN_ROS_LIVELINESS_MANUAL_BY_TOPIC);
    assert_int_equal(qos.deadline_ns, 30 * TN_NS_PER_S);
    assert_int_equal(qos.lease_ns, 50 * TN_NS_PER_S);
    while (tn_ros_publisher_matched(offer) < 2)
        (void)tn_loop_run_once(h.loop, 10 * TN_NS_PER_MS);
    peer_stop(&peer);
    harness_close(&h);
    free(log);
}

// ---- losses ----

#define N_LOSSY 600

static bool has_last(void *context)
{
    const struct values *values = context;
    return values->n > 100 && values->last >= N_LOSSY - 100;
}

static void lost_messages_are_counted(void **state)
{
    struct harness h;
    struct peer peer;
    struct log *log = calloc(1, sizeof *log);
    struct values values;
    (void)state;
    harness_open(&h);
    struct tn_ros_subscription *subscription =
        subscribe_to(&h, "/flood", tn_ros_qos_sensor_data(), &values);
    tn_ros_subscription_on_event(subscription, on_event, log);
    peer_start(&h, &peer, (const char *const[]){peer_program, "0", "w:rt/flood:be,n=600", NULL});
    harness_wait(&h, has_last, &values, "the end of a flood");
    harness_run(&h, 50 * TN_NS_PER_MS);
    // numbers are those of the sequence: what is between first and last arrived or is counted
    uint64_t span = values.last - values.first + 1;
    assert_true(values.has_gap);
    assert_int_equal(tn_ros_subscription_lost(subscription), span - values.n);
    assert_int_equal(log->last[TN_ROS_EVENT_MESSAGE_LOST].total, span - values.n);
    assert_true(log->n_of[TN_ROS_EVENT_MESSAGE_LOST] > 1);
    peer_stop(&peer);
    harness_close(&h);
    free(log);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_match_as_the_standard_says),
        cmocka_unit_test(durations_match_as_the_standard_says),
        cmocka_unit_test(policies_beyond_ros_are_named),
        cmocka_unit_test(node_of_the_peer_is_named_with_the_cure),
        cmocka_unit_test(missed_deadlines_are_told_on_both_sides),
        cmocka_unit_test(silence_of_a_stopped_peer_is_told),
        cmocka_unit_test(manual_liveliness_must_be_asserted),
        cmocka_unit_test(expired_messages_reach_no_late_joiner),
        cmocka_unit_test(keep_all_says_so_when_it_cannot_keep_up),
        cmocka_unit_test(best_available_suits_who_is_there),
    };
    const struct CMUnitTest loss_tests[] = {
        cmocka_unit_test(lost_messages_are_counted),
    };
    if (argc < 3)
        return 2;
    peer_program = argv[1];
    receiver_program = argv[2];
    if (argc > 3 && strcmp(argv[3], "loss") == 0)
        return cmocka_run_group_tests(loss_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
