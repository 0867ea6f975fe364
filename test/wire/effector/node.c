// SPDX-License-Identifier: Apache-2.0
/// @file
/// end_effector_node as its clients see it: a process of its own, commands and feedback over DDS,
/// judged by feedback, diagnostics and the execution log.
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/parse.h"
#include "nodes/end_effector.h"
#include "tn_msgs/diagnostic_msgs.h"
#include "tn_msgs/end_effector_interfaces.h"
#include "tn_msgs/std_srvs.h"
#include "tn_msgs/tendon_msgs.h"
#include "wire/ros/harness.h"

#define N          6
#define MAX_SENT   4096
#define MAX_LINES  8192
#define MAX_AGE_NS (200 * TN_NS_PER_MS)
#define STREAM_NS  (10 * TN_NS_PER_MS)

static const char *const joint_names[N] = {"THUMBMCP",  "THUMBCMC", "INDEXMCP",
                                           "MIDDLEMCP", "RINGMCP",  "LITTLEMCP"};

// what was sent, to be held against the execution log
struct sent {
    int64_t stamp_ns, steady_ns;
};

struct rig {
    struct harness h;
    struct tn_process *process;
    struct tn_ros_publisher *control, *second;
    struct tn_ros_subscription *feedback, *diagnostics;
    char log[64];
    double position[N];
    uint8_t state[N];
    uint64_t n_feedback;
    char status[32];
    struct {
        char key[32];
        uint64_t value;
    } counters[64];
    uint32_t n_counters;
    // the stream
    struct tn_loop_timer timer;
    double target;
    struct sent sent[MAX_SENT];
    uint32_t n_sent;
};

static void on_feedback(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct rig *rig = context;
    const struct end_effector_interfaces_msg_EEJointFeedback *msg = message;
    (void)info;
    assert_int_equal(msg->name.size, N);
    assert_int_equal(msg->position.size, N);
    assert_int_equal(msg->velocity.size, N);
    assert_int_equal(msg->current.size, N);
    assert_int_equal(msg->state.size, N);
    assert_true(tn_str_is(msg->header.frame_id, "left_hand"));
    for (uint32_t i = 0; i < N; i++) {
        assert_true(tn_str_is(msg->name.data[i], joint_names[i]));
        assert_true(msg->position.data[i] >= 0.0 && msg->position.data[i] <= 100.0);
        rig->position[i] = msg->position.data[i];
        rig->state[i] = msg->state.data[i];
    }
    rig->n_feedback++;
}

static void on_diagnostics(void *context, const void *message,
                           const struct tn_ros_message_info *info)
{
    struct rig *rig = context;
    const struct diagnostic_msgs_msg_DiagnosticArray *msg = message;
    (void)info;
    const struct diagnostic_msgs_msg_DiagnosticStatus *status = NULL;
    for (uint32_t i = 0; i < msg->status.size; i++)
        if (tn_str_is(msg->status.data[i].name, "end_effector_node: left hand"))
            status = &msg->status.data[i];
    // what a task says at its start comes alone
    if (status == NULL)
        return;
    (void)snprintf(rig->status, sizeof rig->status, "%.*s", (int)status->message.size,
                   status->message.data);
    rig->n_counters = 0;
    for (uint32_t i = 0; i < status->values.size && rig->n_counters < 64; i++) {
        const struct diagnostic_msgs_msg_KeyValue *pair = &status->values.data[i];
        uint64_t value = 0;
        if (tn_parse_u64(pair->value.data, pair->value.size, 0, UINT64_MAX, &value) != TN_OK)
            continue;
        (void)snprintf(rig->counters[rig->n_counters].key, 32, "%.*s", (int)pair->key.size,
                       pair->key.data);
        rig->counters[rig->n_counters++].value = value;
    }
}

static uint64_t counter(const struct rig *rig, const char *key)
{
    for (uint32_t i = 0; i < rig->n_counters; i++) {
        if (strcmp(rig->counters[i].key, key) == 0)
            return rig->counters[i].value;
    }
    return 0;
}

static bool is_met(void *context)
{
    struct rig *rig = context;
    return rig->n_feedback > 0 && tn_ros_publisher_matched(rig->control) > 0 &&
           tn_ros_publisher_matched(rig->second) > 0;
}

static const char *program;

static const struct tn_ros_qos *reliable(void)
{
    static const struct tn_ros_qos qos = {.history = TN_ROS_KEEP_LAST,
                                          .depth = 10,
                                          .reliability = TN_ROS_RELIABLE,
                                          .durability = TN_ROS_VOLATILE};
    return &qos;
}

// starts the node with further parameters ("name:=value"; NULL ends) and waits until it is met
static void open_rig(struct rig *rig, const char *const *params)
{
    const char *argv[32] = {program, "--ros-args", "-p", "sim:=true", "-p"};
    char log[96];
    int n = 5;
    memset(rig, 0, sizeof *rig);
    (void)snprintf(rig->log, sizeof rig->log, "/dev/shm/effector_%d.log", (int)getpid());
    (void)unlink(rig->log);
    (void)snprintf(log, sizeof log, "execution_log:=%s", rig->log);
    argv[n++] = log;
    for (; *params != NULL; params++) {
        argv[n++] = "-p";
        argv[n++] = *params;
    }
    harness_open(&rig->h);
    struct tn_ros_node *node = rig->h.node;
    const struct tn_type *control = &end_effector_interfaces_msg_EEJointControl_type;
    const char *topic = "/control_sim/hand/left";
    struct tn_error err;
    assert_int_equal(
        tn_ros_publisher_create(node, control, topic, *reliable(), &rig->control, &err), TN_OK);
    assert_int_equal(tn_ros_publisher_create(node, control, topic, *reliable(), &rig->second, &err),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create(node,
                                                &end_effector_interfaces_msg_EEJointFeedback_type,
                                                "/feedback_sim/hand/left", *reliable(), on_feedback,
                                                rig, &rig->feedback, &err),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create(node, &diagnostic_msgs_msg_DiagnosticArray_type,
                                                "/diagnostics", *reliable(), on_diagnostics, rig,
                                                &rig->diagnostics, &err),
                     TN_OK);
    struct tn_process_options options = {.name = "node", .argv = argv};
    assert_int_equal(tn_process_start(rig->h.loop, &options, &rig->process, &err), TN_OK);
    harness_wait(&rig->h, is_met, rig, "the node");
}

static bool has_ended(void *context)
{
    return !tn_process_is_running(((struct rig *)context)->process);
}

static void close_rig(struct rig *rig)
{
    tn_loop_timer_stop(&rig->timer);
    tn_process_stop(rig->process, 10 * TN_NS_PER_S, 20 * TN_NS_PER_S);
    harness_wait(&rig->h, has_ended, rig, "the node's end");
    tn_process_destroy(&rig->process);
    harness_close(&rig->h);
}

// ---- commands ----

struct command {
    const char *const *names;
    uint32_t n_names;
    const double *values;
    uint32_t n_values;
    uint8_t mode;
    int64_t stamp_ns;
};

static void publish(struct tn_ros_publisher *publisher, const struct command *command)
{
    struct tn_str names[16];
    struct end_effector_interfaces_msg_EEJointControl msg;
    end_effector_interfaces_msg_EEJointControl_init(&msg);
    for (uint32_t i = 0; i < command->n_names; i++)
        names[i] = tn_str_from(command->names[i]);
    msg.header.stamp.sec = (int32_t)(command->stamp_ns / TN_NS_PER_S);
    msg.header.stamp.nanosec = (uint32_t)(command->stamp_ns % TN_NS_PER_S);
    msg.name.data = names;
    msg.name.size = command->n_names;
    msg.mode = command->mode;
    msg.value.data = command->values;
    msg.value.size = command->n_values;
    assert_int_equal(tn_ros_publish(publisher, &msg), TN_OK);
}

static void publish_all(struct tn_ros_publisher *publisher, double value, int64_t stamp_ns)
{
    double values[N];
    for (int i = 0; i < N; i++)
        values[i] = value;
    struct command command = {.values = values, .n_values = N, .stamp_ns = stamp_ns};
    publish(publisher, &command);
}

static void on_stream(void *context)
{
    struct rig *rig = context;
    if (rig->n_sent == MAX_SENT)
        return;
    struct sent *sent = &rig->sent[rig->n_sent++];
    sent->stamp_ns = tn_clock_wall_now_ns();
    sent->steady_ns = tn_clock_steady_now_ns();
    publish_all(rig->control, rig->target, sent->stamp_ns);
}

static void start_stream(struct rig *rig, double target)
{
    rig->target = target;
    tn_loop_timer_start(rig->h.loop, &rig->timer, 0, STREAM_NS, on_stream, rig);
}

// ---- the execution log ----

struct line {
    bool is_event;
    char name[16];
    int64_t stamp_ns, steady_ns;
};

static bool field(const char **text, char *out, size_t size)
{
    size_t n = strcspn(*text, ",");
    if (n >= size)
        return false;
    memcpy(out, *text, n);
    out[n] = '\0';
    *text += n + ((*text)[n] == ',');
    return true;
}

static void read_line(const char *text, struct line *line)
{
    char part[4][32];
    memset(line, 0, sizeof *line);
    for (int i = 0; i < 4; i++)
        assert_true(field(&text, part[i], sizeof part[i]));
    line->is_event = strcmp(part[0], "@event") == 0;
    assert_string_equal(part[line->is_event ? 1 : 0], "left");
    const char *first = line->is_event ? part[3] : part[2];
    assert_int_equal(tn_parse_i64(first, strlen(first), INT64_MIN, INT64_MAX, &line->steady_ns),
                     TN_OK);
    if (line->is_event)
        (void)snprintf(line->name, sizeof line->name, "%.15s", part[2]);
    else
        assert_int_equal(
            tn_parse_i64(part[1], strlen(part[1]), INT64_MIN, INT64_MAX, &line->stamp_ns), TN_OK);
}

static uint32_t read_log(const char *path, struct line *lines)
{
    char text[128];
    uint32_t n = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "# tendon execution log 1\n");
    while (n < MAX_LINES && fgets(text, sizeof text, file) != NULL) {
        text[strcspn(text, "\n")] = '\0';
        read_line(text, &lines[n++]);
    }
    (void)fclose(file);
    return n;
}

static uint32_t count_events(const struct rig *rig, const char *name)
{
    struct line *lines = calloc(MAX_LINES, sizeof *lines);
    uint32_t n = read_log(rig->log, lines);
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++)
        found += lines[i].is_event && strcmp(lines[i].name, name) == 0;
    free(lines);
    return found;
}

struct wanted_event {
    const struct rig *rig;
    const char *name;
    uint32_t n;
};

static bool has_event(void *context)
{
    const struct wanted_event *wanted = context;
    return count_events(wanted->rig, wanted->name) >= wanted->n;
}

static void wait_event(struct rig *rig, const char *name, uint32_t n)
{
    struct wanted_event wanted = {rig, name, n};
    harness_wait(&rig->h, has_event, &wanted, name);
}

// ---- conditions ----

struct wanted_pose {
    const struct rig *rig;
    double pose[N];
};

static bool is_there(void *context)
{
    const struct wanted_pose *wanted = context;
    for (int i = 0; i < N; i++) {
        if (fabs(wanted->rig->position[i] - wanted->pose[i]) > 0.15)
            return false;
    }
    return true;
}

static void wait_pose(struct rig *rig, const double *pose)
{
    struct wanted_pose wanted = {.rig = rig};
    memcpy(wanted.pose, pose, sizeof wanted.pose);
    harness_wait(&rig->h, is_there, &wanted, "the pose");
}

struct wanted_count {
    const struct rig *rig;
    const char *key;
    uint64_t n;
};

static bool has_count(void *context)
{
    const struct wanted_count *wanted = context;
    return counter(wanted->rig, wanted->key) >= wanted->n;
}

static void wait_count(struct rig *rig, const char *key, uint64_t n)
{
    struct wanted_count wanted = {rig, key, n};
    harness_wait(&rig->h, has_count, &wanted, key);
}

// ---- tests ----

static struct rig the_rig;

static void moves_by_name_in_any_order(void **state)
{
    static const char *const backwards[] = {"PINKY",    "RINGMCP",  "MIDDLE",
                                            "INDEXMCP", "THUMBCMC", "LEFT_THUMB1"};
    static const double values[] = {60.0, 50.0, 40.0, 30.0, 20.0, 10.0};
    static const double pose[] = {10.0, 20.0, 30.0, 40.0, 50.0, 60.0};
    static const double next[] = {10.0, 75.0, 30.0, 40.0, 50.0, 60.0};
    static const char *const one[] = {"T_CMC_YAW"};
    (void)state;
    struct rig *rig = &the_rig;
    open_rig(rig, (const char *const[]){NULL});
    struct command command = {
        .names = backwards, .n_names = N, .values = values, .n_values = N, .stamp_ns = 1};
    publish(rig->control, &command);
    wait_pose(rig, pose);
    struct command subset = {.names = one, .n_names = 1, .values = next + 1, .n_values = 1};
    publish(rig->control, &subset);
    wait_pose(rig, next);
    close_rig(rig);
    assert_int_equal(count_events(rig, "start"), 1);
    assert_int_equal(count_events(rig, "stop"), 1);
}

static void refuses_and_counts(void **state)
{
    static const char *const twice[] = {"INDEX", "INDEXMCP"};
    static const char *const other[] = {"RIGHT_INDEX"};
    static const char *const unknown[] = {"ELBOW"};
    static const double values[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    static const double nan_values[] = {1.0, 2.0, 3.0, 4.0, 5.0, (double)NAN};
    static const double high[] = {1.0, 2.0, 3.0, 4.0, 5.0, 100.5};
    static const struct {
        const char *key;
        struct command command;
    } rows[] = {
        {"duplicate_name", {.names = twice, .n_names = 2, .values = values, .n_values = 2}},
        {"wrong_side", {.names = other, .n_names = 1, .values = values, .n_values = 1}},
        {"unknown_name", {.names = unknown, .n_names = 1, .values = values, .n_values = 1}},
        {"length", {.names = unknown, .n_names = 1, .values = values, .n_values = 2}},
        {"count", {.values = values, .n_values = 5}},
        {"not_finite", {.values = nan_values, .n_values = N}},
        {"range", {.values = high, .n_values = N}},
        {"unknown_mode", {.values = values, .n_values = N, .mode = 3}},
    };
    static const double pose[] = {35.0, 35.0, 35.0, 35.0, 35.0, 35.0};
    (void)state;
    struct rig *rig = &the_rig;
    open_rig(rig, (const char *const[]){NULL});
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++)
        publish(rig->control, &rows[i].command);
    publish_all(rig->control, 35.0, 0);
    wait_pose(rig, pose);
    wait_count(rig, "accepted", 1);
    for (size_t i = 0; i < TN_ARRAY_SIZE(rows); i++)
        assert_int_equal(counter(rig, rows[i].key), 1);
    assert_int_equal(counter(rig, "accepted"), 1);
    close_rig(rig);
}

static const char *const teleop[] = {"position_watchdog_s:=0.2", "max_command_age_s:=0.2",
                                     "exclusive_writer:=true", NULL};

static void holds_when_the_stream_stops_and_resumes(void **state)
{
    (void)state;
    struct rig *rig = &the_rig;
    open_rig(rig, teleop);
    start_stream(rig, 0.0);
    wait_event(rig, "resumed", 1);
    rig->target = 100.0;
    harness_run(&rig->h, 250 * TN_NS_PER_MS);
    tn_loop_timer_stop(&rig->timer);
    wait_event(rig, "hold", 1);
    harness_run(&rig->h, 300 * TN_NS_PER_MS);
    start_stream(rig, 100.0);
    wait_event(rig, "resumed", 2);
    close_rig(rig);

    struct line *lines = calloc(MAX_LINES, sizeof *lines);
    uint32_t n = read_log(rig->log, lines);
    int64_t last_executed_ns = 0, hold_ns = 0, resume_ns = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (lines[i].is_event && strcmp(lines[i].name, "hold") == 0) {
            hold_ns = lines[i].steady_ns;
            // a command may wait one write interval between acceptance and execution
            assert_true(hold_ns - last_executed_ns >= 180 * TN_NS_PER_MS);
        } else if (lines[i].is_event && strcmp(lines[i].name, "resume") == 0) {
            resume_ns = lines[i].steady_ns;
            hold_ns = 0;
        } else if (!lines[i].is_event) {
            assert_true(hold_ns == 0);
            last_executed_ns = lines[i].steady_ns;
        }
    }
    assert_true(resume_ns > 0);
    free(lines);
}

static void judges_stamps(void **state)
{
    (void)state;
    struct rig *rig = &the_rig;
    open_rig(rig, teleop);
    // before the writer's clock is known, nothing passes
    publish_all(rig->control, 80.0, tn_clock_wall_now_ns());
    wait_count(rig, "age_unknown", 1);
    assert_int_equal(counter(rig, "accepted"), 0);
    start_stream(rig, 0.0);
    wait_event(rig, "resumed", 1);
    int64_t now = tn_clock_wall_now_ns();
    publish_all(rig->control, 80.0, now - TN_NS_PER_S);
    publish_all(rig->control, 80.0, now + TN_NS_PER_S);
    publish_all(rig->control, 80.0, 0);
    publish_all(rig->control, 80.0, rig->sent[rig->n_sent - 1].stamp_ns);
    publish_all(rig->control, 80.0, rig->sent[rig->n_sent - 1].stamp_ns - 1);
    wait_count(rig, "stale", 1);
    wait_count(rig, "future", 1);
    wait_count(rig, "no_stamp", 1);
    wait_count(rig, "repeated", 1);
    wait_count(rig, "reordered", 1);
    for (int i = 0; i < N; i++)
        assert_true(rig->position[i] < 0.15);
    close_rig(rig);
}

static void the_first_writer_keeps_the_topic(void **state)
{
    static const double open[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    (void)state;
    struct rig *rig = &the_rig;
    open_rig(rig, teleop);
    start_stream(rig, 0.0);
    wait_event(rig, "resumed", 1);
    for (int i = 0; i < 20; i++) {
        publish_all(rig->second, 90.0, tn_clock_wall_now_ns());
        harness_run(&rig->h, 20 * TN_NS_PER_MS);
    }
    wait_count(rig, "other_writer", 20);
    wait_pose(rig, open);
    close_rig(rig);
}

static int64_t sent_steady_ns(const struct rig *rig, int64_t stamp_ns)
{
    for (uint32_t i = 0; i < rig->n_sent; i++) {
        if (rig->sent[i].stamp_ns == stamp_ns)
            return rig->sent[i].steady_ns;
    }
    fail_msg("a stamp was executed that was never sent: %" PRId64, stamp_ns);
    return 0;
}

// frozen and woken while commands keep coming: what queued up meanwhile is never executed
static void a_frozen_node_executes_nothing_old(void **state)
{
    static const int freezes_ms[] = {300, 700, 1500};
    (void)state;
    struct rig *rig = &the_rig;
    open_rig(rig, teleop);
    start_stream(rig, 0.0);
    wait_event(rig, "resumed", 1);
    for (size_t i = 0; i < TN_ARRAY_SIZE(freezes_ms); i++) {
        uint32_t n = count_events(rig, "resumed");
        rig->target = i % 2 == 0 ? 80.0 : 10.0;
        harness_run(&rig->h, 100 * TN_NS_PER_MS);
        assert_int_equal(tn_process_signal(rig->process, SIGSTOP), TN_OK);
        harness_run(&rig->h, freezes_ms[i] * TN_NS_PER_MS);
        assert_int_equal(tn_process_signal(rig->process, SIGCONT), TN_OK);
        wait_event(rig, "resumed", n + 1);
    }
    close_rig(rig);

    struct line *lines = calloc(MAX_LINES, sizeof *lines);
    uint32_t n = read_log(rig->log, lines);
    int64_t last_stamp_ns = 0, last_steady_ns = 0, widest_ns = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (lines[i].is_event)
            continue;
        int64_t age_ns = lines[i].steady_ns - sent_steady_ns(rig, lines[i].stamp_ns);
        if (age_ns > MAX_AGE_NS + 5 * TN_NS_PER_MS)
            fail_msg("executed %.3f s after it was sent", tn_ns_to_seconds(age_ns));
        assert_true(lines[i].stamp_ns > last_stamp_ns);
        last_stamp_ns = lines[i].stamp_ns;
        if (last_steady_ns != 0 && lines[i].steady_ns - last_steady_ns > widest_ns)
            widest_ns = lines[i].steady_ns - last_steady_ns;
        last_steady_ns = lines[i].steady_ns;
    }
    // the freezes did happen
    assert_true(widest_ns > 1400 * TN_NS_PER_MS);
    assert_int_equal(count_events(rig, "hold"), TN_ARRAY_SIZE(freezes_ms));
    free(lines);
}

// ---- services and events ----

struct call {
    struct tn_ros_client *client;
    bool is_done, is_success;
};

static bool is_client_ready(void *context)
{
    return tn_ros_client_is_ready(((struct call *)context)->client);
}

static bool is_call_done(void *context)
{
    return ((struct call *)context)->is_done;
}

static void on_response(void *context, const void *response)
{
    struct call *call = context;
    call->is_done = true;
    call->is_success =
        response != NULL && ((const struct std_srvs_srv_Trigger_Response *)response)->success;
}

static void call_trigger(struct rig *rig, const char *name)
{
    struct call call = {.client = NULL};
    struct std_srvs_srv_Trigger_Request request;
    struct tn_error err;
    std_srvs_srv_Trigger_Request_init(&request);
    assert_int_equal(
        tn_ros_client_create(rig->h.node, &std_srvs_srv_Trigger_type, name, &call.client, &err),
        TN_OK);
    harness_wait(&rig->h, is_client_ready, &call, name);
    assert_int_equal(tn_ros_call(call.client, &request, HARNESS_DEADLINE_NS, on_response, &call),
                     TN_OK);
    harness_wait(&rig->h, is_call_done, &call, name);
    assert_true(call.is_success);
}

static void stops_and_releases_on_request(void **state)
{
    static const double closed[] = {70.0, 70.0, 70.0, 70.0, 70.0, 70.0};
    (void)state;
    struct rig *rig = &the_rig;
    open_rig(rig, (const char *const[]){NULL});
    call_trigger(rig, "/end_effector_node/stop");
    publish_all(rig->control, 70.0, 0);
    wait_count(rig, "stopped", 1);
    assert_true(rig->position[0] < 0.15);
    assert_int_equal(counter(rig, "accepted"), 0);
    call_trigger(rig, "/end_effector_node/release");
    publish_all(rig->control, 70.0, 0);
    wait_pose(rig, closed);
    assert_int_equal(count_events(rig, "resume"), 1);
    close_rig(rig);
}

static void on_contact(void *context, const void *message, const struct tn_ros_message_info *info)
{
    uint32_t *kinds = context;
    const struct tendon_msgs_msg_ContactEvent *msg = message;
    (void)info;
    assert_true(tn_str_is(msg->link, "MIDDLEMCP"));
    assert_false(msg->has_magnitude);
    *kinds |= 1u << msg->kind;
}

static bool has_let_go(void *context)
{
    return (*(uint32_t *)context >> tendon_msgs_msg_ContactEvent_CONTACT_OFF & 1u) != 0;
}

static bool is_gripping(void *context)
{
    return ((struct rig *)context)->state[3] == end_effector_interfaces_msg_EEJointFeedback_STALL;
}

static void a_grip_is_told(void **state)
{
    static const double gripping[] = {90.0, 90.0, 90.0, 45.0, 90.0, 90.0};
    (void)state;
    struct rig *rig = &the_rig;
    struct tn_ros_subscription *events;
    struct tn_error err;
    uint32_t kinds = 0;
    open_rig(rig, (const char *const[]){"publish_events:=true", "sim_object_joints:=[MIDDLE]",
                                        "sim_object_positions:=[45.0]", NULL});
    assert_int_equal(tn_ros_subscription_create(rig->h.node, &tendon_msgs_msg_ContactEvent_type,
                                                "/robot/left/events", *reliable(), on_contact,
                                                &kinds, &events, &err),
                     TN_OK);
    publish_all(rig->control, 90.0, 0);
    wait_pose(rig, gripping);
    wait_count(rig, "accepted", 1);
    harness_wait(&rig->h, is_gripping, rig, "the stall");
    assert_int_equal(rig->state[2], end_effector_interfaces_msg_EEJointFeedback_IDLE);
    publish_all(rig->control, 0.0, 0);
    harness_wait(&rig->h, has_let_go, &kinds, "the end of the contact");
    close_rig(rig);
}

// ---- two in one process ----

struct pair {
    uint32_t n[2];
};

static void on_left(void *context, const void *message, const struct tn_ros_message_info *info)
{
    const struct end_effector_interfaces_msg_EEJointFeedback *msg = message;
    (void)info;
    ((struct pair *)context)->n[0] += tn_str_is(msg->header.frame_id, "left_hand");
}

static void on_right(void *context, const void *message, const struct tn_ros_message_info *info)
{
    const struct end_effector_interfaces_msg_EEJointFeedback *msg = message;
    (void)info;
    ((struct pair *)context)->n[1] += tn_str_is(msg->header.frame_id, "right_gripper");
}

static void two_live_in_one_process(void **state)
{
    static const char *const argv[] = {"test", "--ros-args",     "-p", "one:sim:=true",
                                       "-p",   "two:sim:=true",  "-p", "two:kind:=gripper",
                                       "-p",   "two:side:=right"};
    (void)state;
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    struct tn_node_end_effector *nodes[2] = {NULL, NULL};
    struct tn_ros_node *listener = NULL;
    struct tn_ros_subscription *subscription;
    struct tn_error err;
    struct pair pair = {{0, 0}};
    assert_int_equal(tn_loop_create(tn_clock_system(), &loop, &err), TN_OK);
    assert_int_equal(tn_ros_context_create(loop, (int)TN_ARRAY_SIZE(argv), argv, &context, &err),
                     TN_OK);
    assert_int_equal(
        tn_node_end_effector_create(context, &(struct tn_node_end_effector_options){.name = "one"},
                                    &nodes[0], &err),
        TN_OK);
    assert_int_equal(
        tn_node_end_effector_create(context, &(struct tn_node_end_effector_options){.name = "two"},
                                    &nodes[1], &err),
        TN_OK);
    assert_int_equal(tn_ros_node_create(context, &(struct tn_ros_node_options){.name = "listener"},
                                        &listener, &err),
                     TN_OK);
    const struct tn_type *type = &end_effector_interfaces_msg_EEJointFeedback_type;
    assert_int_equal(tn_ros_subscription_create(listener, type, "/feedback_sim/hand/left",
                                                *reliable(), on_left, &pair, &subscription, &err),
                     TN_OK);
    assert_int_equal(tn_ros_subscription_create(listener, type, "/feedback_sim/gripper/right",
                                                *reliable(), on_right, &pair, &subscription, &err),
                     TN_OK);
    int64_t deadline_ns = tn_clock_steady_now_ns() + HARNESS_DEADLINE_NS;
    while (pair.n[0] < 20 || pair.n[1] < 20) {
        assert_true(tn_clock_steady_now_ns() < deadline_ns);
        (void)tn_loop_run_once(loop, 20 * TN_NS_PER_MS);
    }
    tn_node_end_effector_destroy(&nodes[0]);
    tn_node_end_effector_destroy(&nodes[1]);
    assert_null(nodes[0]);
    tn_ros_node_destroy(&listener);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_by_name_in_any_order),
        cmocka_unit_test(refuses_and_counts),
        cmocka_unit_test(holds_when_the_stream_stops_and_resumes),
        cmocka_unit_test(judges_stamps),
        cmocka_unit_test(the_first_writer_keeps_the_topic),
        cmocka_unit_test(a_frozen_node_executes_nothing_old),
        cmocka_unit_test(stops_and_releases_on_request),
        cmocka_unit_test(a_grip_is_told),
        cmocka_unit_test(two_live_in_one_process),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s END_EFFECTOR_NODE\n", argv[0]);
        return 2;
    }
    program = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
