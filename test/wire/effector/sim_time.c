// SPDX-License-Identifier: Apache-2.0
/// @file
/// end_effector_node on simulated time: whatever /clock does, its watchdog holds on real time, and
/// nothing old moves the hand. The node is a process of its own; the test makes /clock and the
/// commands, and judges by the execution log. argv[1]: the node.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/parse.h"
#include "tn_msgs/end_effector_interfaces.h"
#include "tn_msgs/rosgraph_msgs.h"
#include "wire/ros/harness.h"

#define S        TN_NS_PER_S
#define MS       TN_NS_PER_MS
#define N        6
#define MAX_SENT 20000
/// The node refuses from 0.15 s on; what it accepts may wait for its turn.
#define MAX_AGE_NS (200 * MS)

/// What /clock does.
enum mood { RUNS, RUNS_FAST, RUNS_SLOWLY, STANDS, SILENT, JUMPS_BACK, JUMPS_FORWARD, N_MOODS };

static const char *const mood_names[] = {"runs",         "runs fast",  "runs slowly",  "stands",
                                         "says nothing", "jumps back", "jumps forward"};

struct sent {
    int64_t stamp_ns, steady_ns;
    bool is_old;
};

struct rig {
    struct harness h;
    struct tn_process *process;
    struct tn_ros_publisher *control, *clock;
    struct tn_loop_timer timer;
    char log[64];
    enum mood mood;
    int64_t sim_ns, last_stamp_ns;
    bool is_streaming, sends_old;
    double target;
    struct sent sent[MAX_SENT];
    uint32_t n_sent;
};

static struct rig the_rig;

static void publish_command(struct rig *rig, int64_t stamp_ns, bool is_old)
{
    double values[N];
    struct end_effector_interfaces_msg_EEJointControl msg;
    if (rig->n_sent == MAX_SENT)
        return;
    end_effector_interfaces_msg_EEJointControl_init(&msg);
    for (int i = 0; i < N; i++)
        values[i] = rig->target;
    msg.header.stamp.sec = (int32_t)(stamp_ns / S);
    msg.header.stamp.nanosec = (uint32_t)(stamp_ns % S);
    msg.value.data = values;
    msg.value.size = N;
    rig->sent[rig->n_sent++] = (struct sent){stamp_ns, tn_clock_steady_now_ns(), is_old};
    assert_int_equal(tn_ros_publish(rig->control, &msg), TN_OK);
}

static void advance(struct rig *rig)
{
    static const int64_t steps_ns[N_MOODS] = {10 * MS, 500 * MS, MS / 10, 0, 0, -50 * MS, 100 * S};
    rig->sim_ns += steps_ns[rig->mood];
    if (rig->sim_ns < S)
        rig->sim_ns = 1000 * S;
    struct rosgraph_msgs_msg_Clock tick;
    rosgraph_msgs_msg_Clock_init(&tick);
    tick.clock.sec = (int32_t)(rig->sim_ns / S);
    tick.clock.nanosec = (uint32_t)(rig->sim_ns % S);
    if (rig->mood != SILENT)
        assert_int_equal(tn_ros_publish(rig->clock, &tick), TN_OK);
}

static void on_timer(void *context)
{
    struct rig *rig = context;
    advance(rig);
    if (rig->is_streaming) {
        // no stamp twice while time stands
        rig->last_stamp_ns =
            rig->sim_ns > rig->last_stamp_ns || rig->sim_ns < rig->last_stamp_ns - S
                ? rig->sim_ns
                : rig->last_stamp_ns + 1;
        publish_command(rig, rig->last_stamp_ns, false);
    }
    // never seen, and made half a second ago
    if (rig->sends_old && rig->n_sent > 60)
        publish_command(rig, rig->sent[rig->n_sent - 50].stamp_ns + 7, true);
}

// ---- the execution log ----

struct line {
    char name[16]; ///< of an event; "" for a command
    int64_t stamp_ns, steady_ns;
};

/// Takes one number or word off a line.
static const char *cut(char **rest)
{
    char *word = *rest;
    size_t n = strcspn(word, ",\n");
    *rest = word + n + (word[n] != '\0');
    word[n] = '\0';
    return word;
}

static int64_t number(char **rest)
{
    int64_t value = 0;
    const char *word = cut(rest);
    assert_int_equal(tn_parse_i64(word, strlen(word), INT64_MIN, INT64_MAX, &value), TN_OK);
    return value;
}

static uint32_t read_log(const struct rig *rig, struct line *lines, uint32_t capacity)
{
    char text[128];
    uint32_t n = 0;
    FILE *file = fopen(rig->log, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    while (n < capacity && fgets(text, sizeof text, file) != NULL) {
        char *rest = text;
        struct line line = {.name = ""};
        if (strcmp(cut(&rest), "@event") == 0) {
            (void)cut(&rest);
            (void)snprintf(line.name, sizeof line.name, "%.15s", cut(&rest));
        } else {
            line.stamp_ns = number(&rest);
        }
        line.steady_ns = number(&rest);
        lines[n++] = line;
    }
    (void)fclose(file);
    return n;
}

static uint32_t count(const struct rig *rig, const char *name)
{
    struct line *lines = calloc(MAX_SENT, sizeof *lines);
    assert_non_null(lines);
    uint32_t n = read_log(rig, lines, MAX_SENT), found = 0;
    for (uint32_t i = 0; i < n; i++)
        found += strcmp(lines[i].name, name) == 0;
    free(lines);
    return found;
}

struct wanted {
    const struct rig *rig;
    const char *name;
    uint32_t n;
};

static bool has_event(void *context)
{
    const struct wanted *wanted = context;
    return count(wanted->rig, wanted->name) >= wanted->n;
}

static void wait_event(struct rig *rig, const char *name, uint32_t n)
{
    struct wanted wanted = {rig, name, n};
    char what[64];
    (void)snprintf(what, sizeof what, "%s while /clock %s", name, mood_names[rig->mood]);
    harness_wait(&rig->h, has_event, &wanted, what);
}

static const struct sent *find_sent(const struct rig *rig, int64_t stamp_ns)
{
    // the last one of that name: after a jump back a stamp may come again
    for (uint32_t i = rig->n_sent; i > 0; i--)
        if (rig->sent[i - 1].stamp_ns == stamp_ns)
            return &rig->sent[i - 1];
    fail_msg("a stamp was executed that was never sent: %" PRId64, stamp_ns);
    return NULL;
}

/// Between a hold and the next resume nothing is executed, and never what is old.
static void judge(const struct rig *rig)
{
    struct line *lines = calloc(MAX_SENT, sizeof *lines);
    assert_non_null(lines);
    uint32_t n = read_log(rig, lines, MAX_SENT), n_executed = 0;
    bool is_held = false;
    for (uint32_t i = 0; i < n; i++) {
        const struct line *line = &lines[i];
        if (strcmp(line->name, "hold") == 0)
            is_held = true;
        else if (strcmp(line->name, "resume") == 0)
            is_held = false;
        if (line->name[0] != '\0')
            continue;
        const struct sent *sent = find_sent(rig, line->stamp_ns);
        int64_t age_ns = line->steady_ns - sent->steady_ns;
        assert_false(is_held);
        assert_false(sent->is_old);
        if (age_ns > MAX_AGE_NS + 5 * MS)
            fail_msg("executed %.3f s after it was sent", tn_ns_to_seconds(age_ns));
        n_executed++;
    }
    assert_true(n_executed > 100);
    free(lines);
}

// ---- life ----

static bool is_met(void *context)
{
    struct rig *rig = context;
    return tn_ros_publisher_matched(rig->control) > 0 && tn_ros_publisher_matched(rig->clock) > 0;
}

static void open_rig(struct rig *rig, const char *program)
{
    char log[96];
    const char *const argv[] = {program, "--ros-args",
                                "-p",    "sim:=true",
                                "-p",    "use_sim_time:=true",
                                "-p",    "position_watchdog_s:=0.2",
                                "-p",    "max_command_age_s:=0.15",
                                "-p",    log,
                                NULL};
    struct tn_error err = {0};
    (void)snprintf(rig->log, sizeof rig->log, "/dev/shm/effector_sim_%d.log", (int)getpid());
    (void)snprintf(log, sizeof log, "execution_log:=%s", rig->log);
    harness_open(&rig->h);
    assert_int_equal(tn_ros_publisher_create(
                         rig->h.node, &end_effector_interfaces_msg_EEJointControl_type,
                         "/control_sim/hand/left", tn_ros_qos_default(10), &rig->control, &err),
                     TN_OK);
    assert_int_equal(tn_ros_publisher_create(rig->h.node, &rosgraph_msgs_msg_Clock_type, "/clock",
                                             tn_ros_qos_default(1), &rig->clock, &err),
                     TN_OK);
    struct tn_process_options options = {.name = "node", .argv = argv};
    assert_int_equal(tn_process_start(rig->h.loop, &options, &rig->process, &err), TN_OK);
    harness_wait(&rig->h, is_met, rig, "the node");
    rig->sim_ns = 1000 * S;
    tn_loop_timer_start(rig->h.loop, &rig->timer, 0, 10 * MS, on_timer, rig);
}

static bool has_ended(void *context)
{
    return !tn_process_is_running(((struct rig *)context)->process);
}

static void close_rig(struct rig *rig)
{
    tn_loop_timer_stop(&rig->timer);
    tn_process_stop(rig->process, 10 * S, 20 * S);
    harness_wait(&rig->h, has_ended, rig, "the node's end");
    tn_process_destroy(&rig->process);
    harness_close(&rig->h);
    (void)unlink(rig->log);
}

// ---- the tests ----

static void move(struct rig *rig)
{
    rig->mood = RUNS;
    rig->is_streaming = true;
    rig->sends_old = false;
    uint32_t n = count(rig, "resumed");
    rig->target = n % 2 == 0 ? 20.0 : 60.0;
    wait_event(rig, "resumed", n + 1);
    harness_run(&rig->h, 100 * MS);
}

static void no_clock_silences_the_watchdog_or_moves_the_hand(void **state)
{
    struct rig *rig = &the_rig;
    open_rig(rig, *state);
    // the stream stops, and /clock does something: the watchdog holds all the same
    for (enum mood mood = RUNS; mood < N_MOODS; mood++) {
        move(rig);
        uint32_t n = count(rig, "hold");
        rig->mood = mood;
        rig->is_streaming = false;
        rig->sends_old = true;
        wait_event(rig, "hold", n + 1);
        harness_run(&rig->h, 100 * MS);
        assert_int_equal(count(rig, "hold"), n + 1);
    }
    // the stream goes on, but nothing proves any more that it is new
    static const enum mood unproven[] = {STANDS, SILENT};
    for (size_t i = 0; i < TN_ARRAY_SIZE(unproven); i++) {
        move(rig);
        uint32_t n = count(rig, "hold");
        rig->mood = unproven[i];
        wait_event(rig, "hold", n + 1);
    }
    move(rig);
    judge(rig);
    close_rig(rig);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(no_clock_silences_the_watchdog_or_moves_the_hand,
                                  argc > 1 ? argv[1] : NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
