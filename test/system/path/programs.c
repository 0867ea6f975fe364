// SPDX-License-Identifier: Apache-2.0
// what each program of the path is called with
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "system/path/rig.h"

#define MAX_ARGS 64

struct command_line {
    char text[MAX_ARGS][PATH_TEXT_MAX + 64];
    const char *argv[MAX_ARGS + 1];
    unsigned n;
};

static void add(struct command_line *line, const char *format, ...) TN_PRINTF(2, 3);

static void add(struct command_line *line, const char *format, ...)
{
    va_list args;
    if (line->n >= MAX_ARGS) {
        return;
    }
    va_start(args, format);
    (void)vsnprintf(line->text[line->n], sizeof line->text[0], format, args);
    va_end(args);
    line->argv[line->n] = line->text[line->n];
    line->argv[++line->n] = NULL;
}

static void param(struct command_line *line, const char *name, const char *value)
{
    add(line, "-p");
    add(line, "%s:=%s", name, value);
}

static void begin(struct command_line *line, const struct path_rig *rig, const char *package,
                  const char *program)
{
    line->n = 0;
    add(line, "%s/lib/%s/%s", rig->prefix, package, program);
}

static void glove_line(struct command_line *line, const struct path_rig *rig)
{
    begin(line, rig, "tendon", "divingstation");
    add(line, "--port");
    add(line, "%u", rig->glove_port);
    add(line, "--seed");
    add(line, "%llu", (unsigned long long)(rig->seed & 0xffff));
    add(line, "--rate");
    add(line, "%u", rig->glove_hz);
    add(line, "--send-log");
    add(line, "%s", rig->send_log);
}

static void driver_line(struct command_line *line, const struct path_rig *rig)
{
    char text[16];
    begin(line, rig, "contact_glove", "contact_glove_node");
    add(line, "--ros-args");
    add(line, "-r");
    add(line, "__ns:=/contact_glove");
    param(line, "protocol", "v1");
    (void)snprintf(text, sizeof text, "%u", rig->glove_port);
    param(line, "ds_port_v1", text);
    (void)snprintf(text, sizeof text, "%u", rig->receive_port);
    param(line, "receive_port", text);
}

static void adapter_line(struct command_line *line, const struct path_rig *rig)
{
    begin(line, rig, "tendon", "hand_model_adapter");
    add(line, "--ros-args");
    param(line, "publish_node_tf", "false");
}

static void retargeter_line(struct command_line *line, const struct path_rig *rig)
{
    begin(line, rig, "tendon", "robot_retargeter");
    add(line, "--ros-args");
    param(line, "sim", "true");
    if (!rig->has_gates) {
        param(line, "stale_timeout", "1000000.0");
        param(line, "disconnect_timeout", "2000000.0");
        param(line, "max_sample_age", "1000000.0");
        param(line, "robot_timeout", "1000000.0");
    }
}

static void hand_line(struct command_line *line, const struct path_rig *rig, enum tn_side side)
{
    begin(line, rig, "tendon", "end_effector_node");
    add(line, "--ros-args");
    add(line, "-r");
    add(line, "__node:=%s_hand", tn_side_name(side));
    param(line, "side", tn_side_name(side));
    param(line, "device", "sim");
    param(line, "sim", "true");
    param(line, "max_command_hz", "120.0");
    param(line, "execution_log", rig->execution_log[tn_side_index(side)]);
    if (rig->has_gates) {
        param(line, "position_watchdog_s", "0.2");
        param(line, "max_command_age_s", "0.15");
        param(line, "exclusive_writer", "true");
    }
}

static void on_line(void *context, struct tn_process *process, const char *text, uint32_t size,
                    bool is_stderr)
{
    (void)is_stderr;
    struct path_rig *rig = context;
    (void)fprintf(rig->output, "[%s] %.*s\n", tn_process_name(process), (int)size, text);
}

static void on_exit(void *context, struct tn_process *process, struct tn_process_exit status)
{
    struct path_rig *rig = context;
    for (unsigned i = 0; i < PATH_PROGRAMS; i++) {
        if (rig->processes[i] != process) {
            continue;
        }
        bool is_lawful = rig->may_end[i] && (status.exit_code == 0 || rig->is_killed[i]);
        if (!is_lawful) {
            rig->n_bad_ends++;
            (void)fprintf(stderr, "%s ended with %s %d\n", tn_process_name(process),
                          status.exit_code >= 0 ? "exit status" : "signal",
                          status.exit_code >= 0 ? status.exit_code : status.signal_number);
        }
    }
}

enum tn_result path_program_start(struct path_rig *rig, enum path_program program,
                                  struct tn_error *err)
{
    struct command_line line;
    char trace[PATH_TEXT_MAX + 64];
    (void)snprintf(trace, sizeof trace, "TENDON_TRACE_RING=%s", rig->trace_path);
    const char *const env[] = {trace, NULL};
    switch (program) {
    case PATH_GLOVE:
        glove_line(&line, rig);
        break;
    case PATH_DRIVER:
        driver_line(&line, rig);
        break;
    case PATH_ADAPTER:
        adapter_line(&line, rig);
        break;
    case PATH_RETARGETER:
        retargeter_line(&line, rig);
        break;
    case PATH_LEFT_HAND:
        hand_line(&line, rig, TN_SIDE_LEFT);
        break;
    case PATH_RIGHT_HAND:
        hand_line(&line, rig, TN_SIDE_RIGHT);
        break;
    case PATH_PROGRAMS:
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "no such program");
    }
    struct tn_process_options options = {
        .name = path_program_name(program),
        .argv = line.argv,
        .env_extra = env,
        .on_exit = on_exit,
        .on_line = on_line,
        .context = rig,
    };
    tn_process_destroy(&rig->processes[program]);
    rig->may_end[program] = false;
    rig->is_killed[program] = false;
    return tn_process_start(rig->loop, &options, &rig->processes[program], err);
}
