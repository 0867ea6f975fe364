// SPDX-License-Identifier: Apache-2.0
// What waited while the receiver was stopped must not look fresh. Writer and receiver share the
// steady clock of the machine: the true age of each message is known. argv[1]: the receiver.
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/parse.h"
#include "wire/ros/harness.h"
#include "wire/ros/joints.h"

#define N_MAX 4096
/// The smallest delay seen is not part of an age; a loaded machine adds its own.
#define SLACK_NS (60 * TN_NS_PER_MS)

struct sender {
    struct harness h;
    struct peer peer;
    struct tn_ros_publisher *publisher;
    struct tn_loop_timer timer;
    int32_t k;
    int64_t sent_steady_ns[N_MAX];
};

static void on_timer(void *context)
{
    struct sender *s = context;
    if (s->k + 1 >= N_MAX)
        return;
    s->k++;
    s->sent_steady_ns[s->k] = tn_clock_steady_now_ns();
    (void)publish_joints(s->publisher, s->k);
}

static int64_t number(const char **text)
{
    int64_t value = -1;
    size_t n = strcspn(*text, " ");
    assert_int_equal(tn_parse_i64(*text, n, INT64_MIN, INT64_MAX, &value), TN_OK);
    *text += n + ((*text)[n] == ' ');
    return value;
}

struct verdict {
    uint32_t n, n_known, n_old, n_old_not_late, n_called_fresh;
};

static void judge(const struct sender *s, uint32_t from, struct verdict *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = from; i < s->peer.n_lines; i++) {
        const char *line = s->peer.lines[i];
        if (strncmp(line, "got ", 4) != 0)
            continue;
        line += 4;
        int64_t k = number(&line), delivered_ns = number(&line), is_known = number(&line);
        int64_t age_ns = number(&line), is_late = number(&line);
        int64_t true_age_ns = delivered_ns - s->sent_steady_ns[k];
        out->n++;
        out->n_known += is_known != 0;
        bool is_old = true_age_ns > 200 * TN_NS_PER_MS;
        out->n_old += is_old;
        // two guards that do not lean on each other: the loop's mark, and the writer's time map
        out->n_old_not_late += is_old && !is_late;
        out->n_called_fresh += is_known && age_ns < true_age_ns - SLACK_NS;
    }
}

struct until {
    struct sender *s;
    int32_t k;
};

static bool has_sent(void *context)
{
    struct until *until = context;
    return until->s->k >= until->k;
}

static bool has_received(void *context)
{
    struct until *until = context;
    char prefix[32];
    (void)snprintf(prefix, sizeof prefix, "got %d ", until->k);
    return peer_find(&until->s->peer, 0, prefix) != NULL;
}

static void stopped_receiver_reports_old_data_as_old(void **state)
{
    const char *program = *state;
    struct sender *s = calloc(1, sizeof *s);
    struct tn_error err = {0};
    struct verdict verdict;
    harness_open(&s->h);
    assert_int_equal(tn_ros_publisher_create(s->h.node, &sensor_msgs_msg_JointState_type, "/rel",
                                             tn_ros_qos_default(1000), &s->publisher, &err),
                     TN_OK);
    peer_start(&s->h, &s->peer, (const char *const[]){program, NULL});
    tn_loop_timer_start(s->h.loop, &s->timer, 0, 10 * TN_NS_PER_MS, on_timer, s);
    harness_wait_lines(&s->h, &s->peer, "got ", 100);
    judge(s, 0, &verdict);
    assert_true(verdict.n_known > 20);
    assert_int_equal(verdict.n_called_fresh, 0);

    uint32_t n_old = 0;
    for (int round = 0; round < 5; round++) {
        uint32_t from = s->peer.n_lines;
        struct until until = {s, s->k + 60};
        assert_int_equal(tn_process_signal(s->peer.process, SIGSTOP), TN_OK);
        harness_wait(&s->h, has_sent, &until, "messages while stopped");
        assert_int_equal(tn_process_signal(s->peer.process, SIGCONT), TN_OK);
        until.k = s->k + 30;
        harness_wait(&s->h, has_received, &until, "messages after the stop");
        judge(s, from, &verdict);
        assert_int_equal(verdict.n_called_fresh, 0);
        assert_int_equal(verdict.n_old_not_late, 0);
        n_old += verdict.n_old;
    }
    // otherwise nothing was tested
    assert_true(n_old > 50);

    // a fresh map and no late pass: afterwards data is young again
    uint32_t from = s->peer.n_lines;
    harness_wait_lines(&s->h, &s->peer, "got ", peer_count(&s->peer, "got ") + 100);
    uint32_t n_young = 0;
    for (uint32_t i = from; i < s->peer.n_lines; i++) {
        const char *line = s->peer.lines[i] + 4;
        (void)number(&line);
        (void)number(&line);
        int64_t is_known = number(&line), age_ns = number(&line), is_late = number(&line);
        n_young += is_known && !is_late && age_ns < 200 * TN_NS_PER_MS;
    }
    assert_true(n_young > 20);
    tn_loop_timer_stop(&s->timer);
    peer_stop(&s->peer);
    harness_close(&s->h);
    free(s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(stopped_receiver_reports_old_data_as_old,
                                  argc > 1 ? argv[1] : NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
