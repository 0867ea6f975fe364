// SPDX-License-Identifier: Apache-2.0
// Two hosts on one cable: this network namespace with host "a", and another one with host "b". Who
// sees whom for each value of ROS_AUTOMATIC_DISCOVERY_RANGE, with static peers where nothing can be
// multicast, and what happens when a process or the cable goes and comes back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/ros/harness.h"

#define ADDRESS_A "10.77.0.1"
#define ADDRESS_B "10.77.0.2"
#define ROWS_MAX  16
/// Time in which somebody would have been seen who must not be.
#define WATCH_NS (1500 * TN_NS_PER_MS)

struct fixture {
    struct harness h; ///< the loop alone
    struct peer other_host;
    char pid[16];
    const char *program;
};

// ---- hosts ----

struct command {
    bool has_ended;
    int exit_code;
};

static void on_exit_of(void *context, struct tn_process *process, struct tn_process_exit status)
{
    struct command *command = context;
    (void)process;
    command->has_ended = true;
    command->exit_code = status.exit_code;
}

static bool has_ended(void *context)
{
    return ((const struct command *)context)->has_ended;
}

static void run(struct fixture *f, const char *const *argv)
{
    struct tn_error err = {0};
    struct command command = {0};
    struct tn_process *process = NULL;
    struct tn_process_options options = {
        .name = argv[0], .argv = argv, .on_exit = on_exit_of, .context = &command};
    if (tn_process_start(f->h.loop, &options, &process, &err) != TN_OK)
        fail_msg("%s", err.text);
    harness_wait(&f->h, has_ended, &command, argv[0]);
    assert_int_equal(command.exit_code, 0);
    tn_process_destroy(&process);
}

#define RUN(f, ...)      run(f, (const char *const[]){__VA_ARGS__, NULL})
#define RUN_ON_B(f, ...) RUN(f, "nsenter", "-t", (f)->pid, "-n", __VA_ARGS__)

static void set_multicast(struct fixture *f, const char *value)
{
    RUN(f, "ip", "link", "set", "va", "multicast", value);
    RUN_ON_B(f, "ip", "link", "set", "vb", "multicast", value);
}

static void lay_cable(struct fixture *f, const char *program)
{
    struct tn_error err = {0};
    memset(f, 0, sizeof *f);
    f->program = program;
    assert_int_equal(tn_loop_create(tn_clock_system(), &f->h.loop, &err), TN_OK);
    peer_start(&f->h, &f->other_host,
               (const char *const[]){"unshare", "-n", "sh", "-c",
                                     "ip link set lo up && echo ready && exec sleep 1000", NULL});
    (void)snprintf(f->pid, sizeof f->pid, "%d", (int)tn_process_pid(f->other_host.process));
    RUN(f, "ip", "link", "add", "va", "type", "veth", "peer", "name", "vb", "netns", f->pid);
    RUN(f, "ip", "address", "add", ADDRESS_A "/24", "dev", "va");
    RUN(f, "ip", "link", "set", "va", "up");
    RUN_ON_B(f, "ip", "address", "add", ADDRESS_B "/24", "dev", "vb");
    RUN_ON_B(f, "ip", "link", "set", "vb", "up");
}

static void take_up_cable(struct fixture *f)
{
    peer_stop(&f->other_host);
    tn_loop_destroy(&f->h.loop);
}

static void set(const char *name, const char *value)
{
    if (value != NULL)
        assert_int_equal(setenv(name, value, 1), 0);
    else
        assert_int_equal(unsetenv(name), 0);
}

/// How a process is told whom to look for.
struct setting {
    const char *range, *peers;
};

static void start(struct fixture *f, struct peer *peer, bool is_on_b, const char *name,
                  struct setting setting)
{
    set("ROS_AUTOMATIC_DISCOVERY_RANGE", setting.range);
    set("ROS_STATIC_PEERS", setting.peers);
    if (is_on_b)
        peer_start(&f->h, peer,
                   (const char *const[]){"nsenter", "-t", f->pid, "-n", f->program, name, NULL});
    else
        peer_start(&f->h, peer, (const char *const[]){f->program, name, NULL});
    set("ROS_AUTOMATIC_DISCOVERY_RANGE", NULL);
    set("ROS_STATIC_PEERS", NULL);
}

// ---- tables ----

struct row {
    struct setting a, b;
    bool is_one_host; ///< both run on host a
    bool sees;        ///< each the other
};

/// All rows at once, each in its own domain.
static void judge(struct fixture *f, const struct row *rows, size_t n)
{
    struct peer peers[ROWS_MAX][2];
    assert_true(n <= ROWS_MAX);
    for (size_t i = 0; i < n; i++) {
        char domain[24];
        (void)snprintf(domain, sizeof domain, "%zu", i + 1);
        set("ROS_DOMAIN_ID", domain);
        start(f, &peers[i][0], false, "a", rows[i].a);
        start(f, &peers[i][1], !rows[i].is_one_host, "b", rows[i].b);
    }
    set("ROS_DOMAIN_ID", NULL);
    for (size_t i = 0; i < n; i++)
        if (rows[i].sees) {
            harness_wait_lines(&f->h, &peers[i][0], "sees /b", 1);
            harness_wait_lines(&f->h, &peers[i][1], "sees /a", 1);
            harness_wait_lines(&f->h, &peers[i][0], "heard b", 1);
            harness_wait_lines(&f->h, &peers[i][1], "heard a", 1);
        }
    harness_run(&f->h, WATCH_NS);
    for (size_t i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) {
            uint32_t n_seen = peer_count(&peers[i][j], "sees") + peer_count(&peers[i][j], "heard");
            if ((n_seen > 0) != rows[i].sees)
                fail_msg("%s (peers %s) and %s (peers %s), %s host: %s", rows[i].a.range,
                         rows[i].a.peers, rows[i].b.range, rows[i].b.peers,
                         rows[i].is_one_host ? "one" : "another", n_seen > 0 ? "seen" : "not seen");
            assert_int_equal(peer_count(&peers[i][j], "lost"), 0);
            peer_stop(&peers[i][j]);
        }
}

static void ranges_reach_as_far_as_they_say(void **state)
{
    static const struct row rows[] = {
        {{"SUBNET", NULL}, {"SUBNET", NULL}, false, true},
        {{"SUBNET", NULL}, {NULL, NULL}, false, true},
        {{"SUBNET", NULL}, {"SYSTEM_DEFAULT", NULL}, false, true},
        {{"SYSTEM_DEFAULT", NULL}, {"SYSTEM_DEFAULT", NULL}, false, true},
        {{"SUBNET", NULL}, {"LOCALHOST", NULL}, false, false},
        {{"LOCALHOST", NULL}, {"SUBNET", NULL}, false, false},
        {{"LOCALHOST", NULL}, {"LOCALHOST", NULL}, false, false},
        {{"LOCALHOST", NULL}, {"SYSTEM_DEFAULT", NULL}, false, false},
        {{"SUBNET", NULL}, {"OFF", NULL}, false, false},
        {{"OFF", NULL}, {"SUBNET", NULL}, false, false},
        {{"LOCALHOST", NULL}, {"LOCALHOST", NULL}, true, true},
        {{"LOCALHOST", NULL}, {"SUBNET", NULL}, true, true},
        {{"OFF", NULL}, {"OFF", NULL}, true, false},
        {{"OFF", NULL}, {"SUBNET", NULL}, true, false},
        // a value nobody knows is the narrow one
        {{"subnet", NULL}, {"SUBNET", NULL}, false, false},
    };
    judge(*state, rows, TN_ARRAY_SIZE(rows));
}

static void static_peers_need_no_multicast(void **state)
{
    static const struct row rows[] = {
        {{"SUBNET", NULL}, {"SUBNET", NULL}, false, false},
        {{"SUBNET", ADDRESS_B}, {"SUBNET", NULL}, false, true},
        {{"SUBNET", NULL}, {"SUBNET", ADDRESS_A}, false, true},
        {{"LOCALHOST", ADDRESS_B}, {"SUBNET", NULL}, false, true},
        {{"LOCALHOST", ADDRESS_B}, {"LOCALHOST", ADDRESS_A}, false, true},
        {{"OFF", ADDRESS_B}, {"SUBNET", ADDRESS_A}, false, false},
        {{"SYSTEM_DEFAULT", ADDRESS_B}, {"SUBNET", NULL}, false, false},
    };
    struct fixture *f = *state;
    set_multicast(f, "off");
    judge(f, rows, TN_ARRAY_SIZE(rows));
    set_multicast(f, "on");
}

static void localhost_only_stays_at_home(void **state)
{
    struct fixture *f = *state;
    struct peer a, b, c;
    set("ROS_LOCALHOST_ONLY", "1");
    // it wins over what would reach farther
    start(f, &a, false, "a", (struct setting){"SUBNET", ADDRESS_B});
    start(f, &b, true, "b", (struct setting){"SUBNET", ADDRESS_A});
    start(f, &c, false, "b", (struct setting){NULL, NULL});
    set("ROS_LOCALHOST_ONLY", NULL);
    harness_wait_lines(&f->h, &a, "heard b", 1);
    harness_wait_lines(&f->h, &c, "heard a", 1);
    harness_run(&f->h, WATCH_NS);
    assert_int_equal(peer_count(&b, "sees"), 0);
    peer_stop(&c);
    peer_stop(&b);
    peer_stop(&a);
}

// ---- going and coming back ----

static void meet(struct fixture *f, struct peer *a, struct peer *b)
{
    uint32_t n_a = peer_count(a, "heard b"), n_b = peer_count(b, "heard a");
    harness_wait_lines(&f->h, a, "heard b", n_a + 2);
    harness_wait_lines(&f->h, b, "heard a", n_b + 2);
}

static void who_vanishes_may_return(void **state)
{
    struct fixture *f = *state;
    const struct setting subnet = {"SUBNET", NULL};
    struct peer a, b;
    // a lease of 10 s would make a long test
    set("CYCLONEDDS_URI", "<CycloneDDS><Domain><Discovery><LeaseDuration>1s</LeaseDuration>"
                          "</Discovery></Domain></CycloneDDS>");
    start(f, &a, false, "a", subnet);
    for (uint32_t round = 1; round <= 2; round++) {
        start(f, &b, true, "b", subnet);
        harness_wait_lines(&f->h, &a, "sees /b", round);
        meet(f, &a, &b);
        // killed: it cannot say goodbye
        if (round == 1) {
            peer_stop(&b);
            harness_wait_lines(&f->h, &a, "lost /b", 1);
        }
    }
    // the cable is pulled, and put in again, twice
    for (uint32_t round = 1; round <= 2; round++) {
        RUN(f, "ip", "link", "set", "va", "down");
        harness_wait_lines(&f->h, &a, "lost /b", 1 + round);
        harness_wait_lines(&f->h, &b, "lost /a", round);
        RUN(f, "ip", "link", "set", "va", "up");
        harness_wait_lines(&f->h, &a, "sees /b", 2 + round);
        harness_wait_lines(&f->h, &b, "sees /a", 1 + round);
        meet(f, &a, &b);
    }
    set("CYCLONEDDS_URI", NULL);
    peer_stop(&b);
    peer_stop(&a);
}

int main(int argc, char **argv)
{
    static struct fixture fixture;
    if (argc < 2)
        return 2;
    lay_cable(&fixture, argv[1]);
    const struct CMUnitTest ranges[] = {
        cmocka_unit_test_prestate(ranges_reach_as_far_as_they_say, &fixture),
        cmocka_unit_test_prestate(static_peers_need_no_multicast, &fixture),
        cmocka_unit_test_prestate(localhost_only_stays_at_home, &fixture),
    };
    const struct CMUnitTest returns[] = {
        cmocka_unit_test_prestate(who_vanishes_may_return, &fixture),
    };
    bool is_ranges = argc < 3 || strcmp(argv[2], "ranges") == 0;
    int n_failed = is_ranges ? cmocka_run_group_tests(ranges, NULL, NULL)
                             : cmocka_run_group_tests(returns, NULL, NULL);
    take_up_cable(&fixture);
    return n_failed;
}
