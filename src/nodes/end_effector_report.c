// SPDX-License-Identifier: Apache-2.0
// what end_effector_node tells: feedback, events, diagnostics, console, execution log
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tn_msgs/tendon_msgs.h>

#include "effector/joints.h"
#include "nodes/end_effector__node.h"

// ---- execution log ----

static void append(struct tn_node_end_effector *node, const char *line, int size)
{
    if (node->log_fd < 0 || size <= 0)
        return;
    // one line is one write; a full disk loses lines, it does not stop the hand
    ssize_t written = write(node->log_fd, line, (size_t)size);
    (void)written;
}

enum tn_result tn_end_effector__open_log(struct tn_node_end_effector *node, struct tn_error *err)
{
    static const char head[] = "# tendon execution log 1\n";
    struct stat status;
    node->log_fd = -1;
    if (node->config.execution_log[0] == '\0')
        return TN_OK;
    node->log_fd =
        open(node->config.execution_log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (node->log_fd < 0)
        return tn_error_set(err, TN_ERR_IO, "execution_log: cannot open \"%s\": %s",
                            node->config.execution_log, strerror(errno));
    // a restarted node goes on in the same file
    if (fstat(node->log_fd, &status) == 0 && status.st_size == 0)
        append(node, head, (int)sizeof head - 1);
    return TN_OK;
}

void tn_end_effector__log_executed(struct tn_node_end_effector *node, int64_t stamp_ros_ns,
                                   int64_t executed_steady_ns)
{
    char line[96];
    append(node, line,
           snprintf(line, sizeof line, "%s,%" PRId64 ",%" PRId64 "\n", tn_side_name(node->side),
                    stamp_ros_ns, executed_steady_ns));
}

static void log_event(struct tn_node_end_effector *node, const struct tn_effector_note *note)
{
    // rate_stop, release, lost and back are for the console only
    static const uint32_t logged = 1u << TN_EFFECTOR_NOTE_START | 1u << TN_EFFECTOR_NOTE_HOLD |
                                   1u << TN_EFFECTOR_NOTE_POSE | 1u << TN_EFFECTOR_NOTE_RESUME |
                                   1u << TN_EFFECTOR_NOTE_RESUMED | 1u << TN_EFFECTOR_NOTE_STOP;
    char line[96];
    if ((logged >> note->kind & 1u) == 0)
        return;
    append(node, line,
           snprintf(line, sizeof line, "@event,%s,%s,%" PRId64 "\n", tn_side_name(node->side),
                    tn_effector_note_name(note->kind), note->steady_ns));
}

// ---- console ----

static const char *note_text(enum tn_effector_note_kind kind)
{
    static const char *const texts[] = {
        [TN_EFFECTOR_NOTE_START] = "the device answers; taking commands",
        [TN_EFFECTOR_NOTE_HOLD] = "no fresh position command within position_watchdog_s: holding",
        [TN_EFFECTOR_NOTE_POSE] = "still none after watchdog_pose_after_s: going to watchdog_pose",
        [TN_EFFECTOR_NOTE_RESUME] = "commands are back: approaching slowly",
        [TN_EFFECTOR_NOTE_RESUMED] = "approach finished: following at full speed",
        [TN_EFFECTOR_NOTE_RATE] =
            "a VELOCITY or CURRENT command was not refreshed within command_timeout_s: stopped",
        [TN_EFFECTOR_NOTE_STOP] = "stopped; commands are refused",
        [TN_EFFECTOR_NOTE_RELEASE] = "released; taking commands again",
        [TN_EFFECTOR_NOTE_LOST] = "the device does not answer any more; trying every reconnect_s",
        [TN_EFFECTOR_NOTE_BACK] = "the device answers again; holding until the next command",
    };
    return texts[kind];
}

void tn_end_effector__tell_notes(struct tn_node_end_effector *node)
{
    static const uint32_t warnings =
        1u << TN_EFFECTOR_NOTE_HOLD | 1u << TN_EFFECTOR_NOTE_POSE | 1u << TN_EFFECTOR_NOTE_LOST;
    struct tn_effector_note note;
    while (tn_effector_core_next_note(&node->core, &note)) {
        log_event(node, &note);
        TN_LOG_AT(tn_ros_node_logger(node->ros),
                  (warnings >> note.kind & 1u) != 0 ? TN_LOG_WARN : TN_LOG_INFO, "%s %s: %s",
                  tn_side_name(node->side), tn_effector_kind_name(node->kind),
                  note_text(note.kind));
    }
}

static const char *writer_text(const uint8_t *writer, char *buffer, size_t size)
{
    size_t at = 0;
    for (uint32_t i = 0; i < TN_EFFECTOR_WRITER_SIZE && at + 4 < size; i++)
        at += (size_t)snprintf(buffer + at, size - at, "%s%02x", i == 0 ? "" : ".", writer[i]);
    return buffer;
}

static void name_culprit(const struct tn_effector_command *command, uint32_t culprit, char *buffer,
                         size_t size)
{
    buffer[0] = '\0';
    if (culprit >= TN_EFFECTOR_MAX_JOINTS)
        return;
    // a name from the wire may hold anything: shorten it
    if (culprit < command->n_names && command->names[culprit].data != NULL)
        (void)snprintf(buffer, size, " (\"%.*s\")",
                       (int)(command->names[culprit].size < 40 ? command->names[culprit].size : 40),
                       command->names[culprit].data);
}

static void name_value(const struct tn_effector_command *command, uint32_t culprit, char *buffer,
                       size_t size)
{
    buffer[0] = '\0';
    if (culprit < command->n_values && culprit < TN_EFFECTOR_MAX_JOINTS)
        (void)snprintf(buffer, size, " (value[%u] = %g, mode %u)", culprit,
                       command->values[culprit], command->mode);
}

static bool may_tell(struct tn_node_end_effector *node, const struct tn_effector_command *command,
                     enum tn_effector_verdict verdict, int64_t now_steady_ns, uint32_t *suppressed)
{
    // a mode this device cannot do is reported once
    if (verdict == TN_EFFECTOR_CMD_UNSUPPORTED_MODE) {
        bool is_new = (node->warned_modes >> command->mode & 1u) == 0;
        node->warned_modes |= 1u << command->mode;
        return is_new;
    }
    return tn_log_throttle_pass(&node->refused_log[verdict], now_steady_ns, TN_NS_PER_S,
                                suppressed);
}

void tn_end_effector__tell_refusal(struct tn_node_end_effector *node,
                                   const struct tn_effector_command *command,
                                   enum tn_effector_verdict verdict, uint32_t culprit,
                                   int64_t now_steady_ns)
{
    char detail[96];
    char writer[3 * TN_EFFECTOR_WRITER_SIZE + 4];
    uint32_t suppressed = 0;
    if (!may_tell(node, command, verdict, now_steady_ns, &suppressed))
        return;
    detail[0] = '\0';
    if (verdict == TN_EFFECTOR_CMD_LENGTH || verdict == TN_EFFECTOR_CMD_COUNT)
        (void)snprintf(detail, sizeof detail, " (%u names, %u values)", command->n_names,
                       command->n_values);
    else if (verdict == TN_EFFECTOR_CMD_NOT_FINITE || verdict == TN_EFFECTOR_CMD_RANGE)
        name_value(command, culprit, detail, sizeof detail);
    else if (verdict == TN_EFFECTOR_CMD_STALE || verdict == TN_EFFECTOR_CMD_FUTURE)
        (void)snprintf(detail, sizeof detail, " (age %.3f s)", tn_ns_to_seconds(command->age_ns));
    else if (verdict <= TN_EFFECTOR_CMD_DUPLICATE_NAME)
        name_culprit(command, culprit, detail, sizeof detail);
    TN_WARN(tn_ros_node_logger(node->ros), "command refused: %s%s; writer %s%s",
            tn_effector_verdict_text(verdict), detail,
            writer_text(command->writer, writer, sizeof writer),
            suppressed > 0 ? ", and more" : "");
}

void tn_end_effector__tell_writers(struct tn_node_end_effector *node, int64_t now_steady_ns)
{
    char one[3 * TN_EFFECTOR_WRITER_SIZE + 4];
    char two[3 * TN_EFFECTOR_WRITER_SIZE + 4];
    const struct tn_effector_acceptor *acceptor = &node->core.acceptor;
    if (acceptor->writer_changes == node->writer_changes)
        return;
    node->writer_changes = acceptor->writer_changes;
    if (tn_log_throttle_pass(&node->writer_log, now_steady_ns, TN_NS_PER_S, NULL))
        TN_WARN(tn_ros_node_logger(node->ros),
                "two writers command one device, the last wins: %s and %s; set exclusive_writer to "
                "keep the first",
                writer_text(acceptor->other, one, sizeof one),
                writer_text(acceptor->owner, two, sizeof two));
}

// ---- feedback ----

void tn_end_effector__publish_feedback(struct tn_node_end_effector *node)
{
    struct end_effector_interfaces_msg_EEJointFeedback msg;
    struct tn_effector_sample sample;
    struct tn_convert_effector_form form = {
        .kind = node->kind, .frame_id = node->frame_id, .velocity_scale = 1.0};
    if (strcmp(node->config.velocity_unit, "percent_per_s") == 0)
        form.velocity_scale = node->device.capabilities.full_speed_percent_per_s / 100.0;
    bool has_sample = tn_effector_core_feedback(&node->core, &sample);
    // a sample keeps its own time, also when the device is lost
    int64_t stamp_ros_ns =
        has_sample && node->has_stamp ? node->stamp_ros_ns : tn_ros_node_now_ros_ns(node->ros);
    tn_convert_effector_feedback(&form, stamp_ros_ns, &sample, &node->feedback_storage, &msg);
    (void)tn_ros_publish(node->feedback, &msg);
}

void tn_end_effector__publish_events(struct tn_node_end_effector *node, int64_t now_steady_ns)
{
    enum tn_effector_contact_kind kinds[TN_EFFECTOR_MAX_JOINTS];
    struct tn_effector_sample sample;
    if (node->events == NULL || !tn_effector_core_feedback(&node->core, &sample) ||
        tn_effector_contacts_update(&node->contacts, &sample, node->n_joints, now_steady_ns,
                                    kinds) == 0)
        return;
    for (uint32_t i = 0; i < node->n_joints; i++) {
        struct tendon_msgs_msg_ContactEvent msg;
        if (kinds[i] == TN_EFFECTOR_CONTACT_NONE)
            continue;
        tendon_msgs_msg_ContactEvent_init(&msg);
        tn_convert_effector_stamp(node->stamp_ros_ns, &msg.header.stamp);
        msg.header.frame_id = tn_str_from(node->frame_id);
        msg.event_id = ++node->event_id;
        msg.kind = (uint8_t)kinds[i];
        msg.link = tn_str_from(tn_effector_joint_name(node->kind, i));
        (void)tn_ros_publish(node->events, &msg);
    }
}

// ---- diagnostics ----

static void add_number(struct tn_diag_status *status, const char *key, double value)
{
    tn_diag_add(status, key, "%.3f", value);
}

static void add_counts(const struct tn_node_end_effector *node, struct tn_diag_status *status)
{
    const struct tn_effector_counters *counters = &node->core.counters;
    const struct {
        const char *key;
        uint64_t count;
    } rows[] = {
        {"executed", counters->executed},
        {"coalesced", counters->coalesced},
        {"expired", counters->expired},
        {"writes", counters->writes},
        {"failed_writes", counters->failed_writes},
        {"polls", counters->polls},
        {"failed_polls", counters->failed_polls},
        {"holds", counters->holds},
        {"poses", counters->poses},
        {"resumes", counters->resumes},
        {"rate_timeouts", counters->rate_timeouts},
        {"losses", counters->losses},
        {"writer_changes", node->core.acceptor.writer_changes},
        {"clock_steps", node->core.acceptor.clock_steps},
        {"undecodable", tn_ros_subscription_rejected(node->control)},
    };
    for (uint32_t i = 0; i < TN_ARRAY_SIZE(rows); i++)
        tn_diag_add_count(status, rows[i].key, rows[i].count);
    for (uint32_t i = 0; i < TN_EFFECTOR_VERDICTS; i++)
        tn_diag_add_count(status, tn_effector_verdict_key((enum tn_effector_verdict)i),
                          node->core.acceptor.counts[i]);
}

static enum tn_diag_level level_of(const struct tn_node_end_effector *node)
{
    enum tn_effector_state state = node->core.state;
    if (node->core.is_lost)
        return TN_DIAG_ERROR;
    bool is_waiting = state == TN_EFFECTOR_STARTING || state == TN_EFFECTOR_STOPPED ||
                      (state == TN_EFFECTOR_HOLDING && node->core.counters.holds > 0) ||
                      state == TN_EFFECTOR_POSE;
    return is_waiting ? TN_DIAG_WARN : TN_DIAG_OK;
}

static void run_device(void *context, struct tn_diag_status *status, int64_t now_steady_ns)
{
    struct tn_node_end_effector *node = context;
    tn_diag_set_hardware_id(status, node->identity.model);
    tn_diag_summary(status, level_of(node), "%s", tn_effector_state_name(node->core.state));
    tn_diag_add(status, "state", "%s", tn_effector_state_name(node->core.state));
    tn_diag_add(status, "device", "%s", node->config.device);
    add_number(status, "poll_rate_hz", tn_rate_hz(&node->poll_rate, now_steady_ns));
    add_number(status, "command_age_p50_s",
               tn_ns_to_seconds(tn_histogram_quantile_ns(&node->command_age, 0.5)));
    add_number(status, "command_age_p99_s",
               tn_ns_to_seconds(tn_histogram_quantile_ns(&node->command_age, 0.99)));
    add_counts(node, status);
}

static void set_limits(struct tn_node_end_effector *node)
{
    // whether commands must come is the watchdog's business
    node->commands.limits = (struct tn_diag_stream_limits){.never = TN_DIAG_OK};
    node->commands.stamp_kind = "frame";
    node->polls.limits = tn_diag_stream_limits_default();
    node->polls.limits.target_hz = node->config.rate_hz;
    node->polls.stamp_kind = "sample";
    // a slow bus is silent between two polls by itself
    int64_t periods_ns = tn_seconds_to_ns(5.0 / node->config.rate_hz);
    if (node->polls.limits.stale_ns < periods_ns) {
        node->polls.limits.stale_ns = periods_ns;
        node->polls.limits.lost_ns = 2 * periods_ns;
    }
}

enum tn_result tn_end_effector__start_diagnostics(struct tn_node_end_effector *node,
                                                  struct tn_error *err)
{
    const struct tn_diag_options options = {.params = &node->config.diagnostics};
    const struct {
        const char *what;
        tn_diag_fn run;
        void *context;
    } tasks[] = {{"", run_device, node},
                 {" commands", tn_diag_stream_run, &node->commands},
                 {" polls", tn_diag_stream_run, &node->polls}};
    set_limits(node);
    enum tn_result result = tn_diag_updater_create(node->ros, &options, &node->diagnostics, err);
    if (result == TN_OK)
        tn_diag_updater_set_hardware_id(node->diagnostics, "none");
    for (uint32_t i = 0; result == TN_OK && i < TN_ARRAY_SIZE(tasks); i++) {
        char name[TN_DIAG_TASK_NAME_MAX];
        (void)snprintf(name, sizeof name, "%s %s%s", tn_side_name(node->side),
                       tn_effector_kind_name(node->kind), tasks[i].what);
        result = tn_diag_updater_add(node->diagnostics, name, tasks[i].run, tasks[i].context, err);
    }
    return result;
}
