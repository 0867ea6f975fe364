// SPDX-License-Identifier: Apache-2.0
// the programs of the demo: what they are called with, and how they end
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/udp.h"
#include "cli/cli__demo.h"

// five nodes in one process: four words a node and two a parameter
#define MAX_ARGS      80
#define ARG_MAX_BYTES (TN_DEMO_PATH_MAX + 64)

// one child's command line, built in place
struct command_line {
    char text[MAX_ARGS][ARG_MAX_BYTES];
    const char *argv[MAX_ARGS + 1];
    const char *node; // "name:" of whose parameters these are, "" in a program of one node
    unsigned n;
};

static void add(struct command_line *line, const char *format, ...) TN_PRINTF(2, 3);

static void add(struct command_line *line, const char *format, ...)
{
    if (line->n >= MAX_ARGS) {
        return;
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line->text[line->n], ARG_MAX_BYTES, format, args);
    va_end(args);
    line->argv[line->n] = line->text[line->n];
    line->n++;
    line->argv[line->n] = NULL;
}

static void add_param(struct command_line *line, const char *name, const char *value)
{
    add(line, "-p");
    add(line, "%s%s:=%s", line->node, name, value);
}

// the slot of a child, while it is being started too
static unsigned slot_of(const struct tn_demo_children *children, const struct tn_process *process)
{
    unsigned slot = 0;
    while (slot + 1 < TN_DEMO_CHILDREN &&
           (children->names[slot] == NULL ||
            strcmp(children->names[slot], tn_process_name(process)) != 0)) {
        slot++;
    }
    return slot;
}

void tn_demo__copy_printable(char *out, size_t capacity, const char *text, size_t size)
{
    size_t n = size < capacity ? size : capacity - 1;
    for (size_t i = 0; i < n; i++) {
        out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    }
    out[n] = '\0';
}

static void on_line(void *context, struct tn_process *process, const char *text, uint32_t size,
                    bool is_stderr)
{
    (void)is_stderr;
    struct tn_demo_children *children = context;
    if (children->logs != NULL) {
        (void)fprintf(children->logs, "[%s] %.*s\n", tn_process_name(process), (int)size, text);
    }
    if (children->logs == NULL || children->is_shown) {
        (void)fprintf(stderr, "[%s] %.*s\n", tn_process_name(process), (int)size, text);
    }
    int used = snprintf(children->last_line, sizeof children->last_line, "[%s] ",
                        tn_process_name(process));
    if (used > 0 && (size_t)used < sizeof children->last_line) {
        tn_demo__copy_printable(children->last_line + used,
                                sizeof children->last_line - (size_t)used, text, size);
    }
    tn_demo__copy_printable(children->last_words[slot_of(children, process)],
                            sizeof children->last_words[0], text, size);
}

static void on_exit(void *context, struct tn_process *process, struct tn_process_exit status)
{
    struct tn_demo_children *children = context;
    if (!children->is_stopping && children->dead == NULL) {
        children->dead = children->names[slot_of(children, process)];
        children->dead_words = children->last_words[slot_of(children, process)];
        children->dead_status = status;
    }
}

// ports nobody uses now, so that the demo runs beside a real DivingStation; both are held until
// both are known, so that they differ
static enum tn_result free_ports(uint16_t out_ports[2], struct tn_error *err)
{
    int fds[2] = {-1, -1};
    enum tn_result result = TN_OK;
    for (int i = 0; result == TN_OK && i < 2; i++) {
        result = tn_udp_open("127.0.0.1", 0, "port", &fds[i], err);
        if (result == TN_OK) {
            out_ports[i] = tn_udp_local_port(fds[i]);
        }
    }
    for (int i = 0; i < 2; i++) {
        if (fds[i] >= 0) {
            (void)close(fds[i]);
        }
    }
    return result;
}

static void begin(struct command_line *line, const char *prefix, const char *package,
                  const char *program)
{
    line->n = 0;
    line->node = "";
    add(line, "%s/lib/%s/%s", prefix, package, program);
}

static void glove_line(struct command_line *line, const char *prefix,
                       const struct tn_demo_options *options, const struct tn_demo_paths *paths,
                       uint16_t port)
{
    begin(line, prefix, "tendon", "divingstation");
    add(line, "--port");
    add(line, "%u", port);
    add(line, "--seed");
    add(line, "%lld", (long long)options->seed);
    add(line, "--send-log");
    add(line, "%s", paths->send_log);
    if (options->input_path != NULL) {
        add(line, "--input");
        add(line, "%s", options->input_path);
    }
}

// ---- what each node is told, alone or in one process ----

static void driver_params(struct command_line *line, const uint16_t ports[2])
{
    char text[16];
    add_param(line, "protocol", "v1");
    (void)snprintf(text, sizeof text, "%u", ports[0]);
    add_param(line, "ds_port_v1", text);
    (void)snprintf(text, sizeof text, "%u", ports[1]);
    add_param(line, "receive_port", text);
}

static void effector_params(struct command_line *line, enum tn_side side, const char *log)
{
    add_param(line, "side", tn_side_name(side));
    add_param(line, "device", "sim");
    add_param(line, "sim", "true");
    add_param(line, "position_watchdog_s", "0.2");
    // a guard band below the 0.2 s of the contract: for what no clock map sees and for being
    // preempted in between
    add_param(line, "max_command_age_s", "0.15");
    add_param(line, "exclusive_writer", "true");
    // above the glove's 120 Hz, so that no command waits for the next one to replace it
    add_param(line, "max_command_hz", "240.0");
    add_param(line, "execution_log", log);
}

static void adapter_params(struct command_line *line)
{
    add_param(line, "publish_node_tf", "false");
}

static void retargeter_params(struct command_line *line)
{
    add_param(line, "sim", "true");
}

// ---- the programs ----

struct plan {
    struct tn_loop *loop;
    struct tn_demo_children *children;
    const struct tn_demo_paths *paths;
    const char *prefix;
    const char *const *env;
    uint16_t ports[2]; // glove, driver
};

static enum tn_result start(const struct plan *plan, unsigned slot, const char *name,
                            const struct command_line *line, struct tn_error *err)
{
    struct tn_process_options options = {
        .name = name,
        .argv = line->argv,
        .env_extra = plan->env,
        .on_exit = on_exit,
        .on_line = on_line,
        .context = plan->children,
    };
    plan->children->names[slot] = name;
    return tn_process_start(plan->loop, &options, &plan->children->processes[slot], err);
}

static const char *const hand_names[TN_SIDES] = {"left_hand", "right_hand"};

static enum tn_side side_at(unsigned i)
{
    return i == 0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT;
}

static enum tn_result start_separate(const struct plan *plan, struct command_line *line,
                                     struct tn_error *err)
{
    enum tn_result result = TN_OK;
    // from the robot to the glove, so that each finds the next one waiting
    for (unsigned i = 0; result == TN_OK && i < TN_SIDES; i++) {
        begin(line, plan->prefix, "tendon", "end_effector_node");
        add(line, "--ros-args");
        add(line, "-r");
        add(line, "__node:=%s", hand_names[i]);
        effector_params(line, side_at(i), plan->paths->execution_log[i]);
        result = start(plan, 4 + i, hand_names[i], line, err);
    }
    if (result == TN_OK) {
        begin(line, plan->prefix, "tendon", "robot_retargeter");
        add(line, "--ros-args");
        retargeter_params(line);
        result = start(plan, 3, "robot_retargeter", line, err);
    }
    if (result == TN_OK) {
        begin(line, plan->prefix, "tendon", "hand_model_adapter");
        add(line, "--ros-args");
        adapter_params(line);
        result = start(plan, 2, "hand_model_adapter", line, err);
    }
    if (result == TN_OK) {
        begin(line, plan->prefix, "contact_glove", "contact_glove_node");
        add(line, "--ros-args");
        add(line, "-r");
        add(line, "__ns:=/contact_glove");
        driver_params(line, plan->ports);
        result = start(plan, 1, "contact_glove_node", line, err);
    }
    return result;
}

// the same nodes with the same names and parameters
static enum tn_result start_composed(const struct plan *plan, struct command_line *line,
                                     struct tn_error *err)
{
    begin(line, plan->prefix, "tendon", "compose");
    for (unsigned i = 0; i < TN_SIDES; i++) {
        add(line, "end_effector_node:=%s", hand_names[i]);
    }
    add(line, "robot_retargeter");
    add(line, "hand_model_adapter");
    add(line, "contact_glove_node@/contact_glove");
    add(line, "--ros-args");
    for (unsigned i = 0; i < TN_SIDES; i++) {
        line->node = i == 0 ? "left_hand:" : "right_hand:";
        effector_params(line, side_at(i), plan->paths->execution_log[i]);
    }
    line->node = "robot_retargeter:";
    retargeter_params(line);
    line->node = "hand_model_adapter:";
    adapter_params(line);
    line->node = "contact_glove_node:";
    driver_params(line, plan->ports);
    return start(plan, 1, "compose", line, err);
}

enum tn_result tn_demo__children_start(struct tn_loop *loop, const struct tn_demo_options *options,
                                       const struct tn_demo_paths *paths,
                                       struct tn_demo_children *children, struct tn_error *err)
{
    struct command_line line;
    char prefix[TN_DEMO_PATH_MAX];
    char trace[sizeof paths->trace + 32];
    (void)snprintf(trace, sizeof trace, "TENDON_TRACE_RING=%s", paths->trace);
    const char *const env[] = {trace, NULL};
    struct plan plan = {
        .loop = loop, .children = children, .paths = paths, .prefix = prefix, .env = env};
    enum tn_result result = tn_process_prefix(prefix, sizeof prefix);
    if (result != TN_OK) {
        return tn_error_set(err, result, "cannot find my own installation; set TN_PREFIX to it");
    }
    result = free_ports(plan.ports, err);
    if (result == TN_OK) {
        result = options->is_composed ? start_composed(&plan, &line, err)
                                      : start_separate(&plan, &line, err);
    }
    if (result == TN_OK) {
        glove_line(&line, prefix, options, paths, plan.ports[0]);
        result = start(&plan, 0, "divingstation", &line, err);
    }
    return result;
}

void tn_demo__children_measure(struct tn_demo_children *children)
{
    for (unsigned i = 0; i < TN_DEMO_CHILDREN; i++) {
        if (children->processes[i] != NULL && tn_process_is_running(children->processes[i])) {
            children->rss_kib[i] = tn_process_rss_kib(tn_process_pid(children->processes[i]));
        }
    }
}

static void wait_for_end(struct tn_loop *loop, struct tn_demo_children *children, unsigned first,
                         unsigned last)
{
    int64_t end = tn_clock_steady_now_ns() + 5 * TN_NS_PER_S;
    bool is_running = true;
    while (is_running && tn_clock_steady_now_ns() < end) {
        is_running = false;
        for (unsigned i = first; i <= last; i++) {
            is_running |=
                children->processes[i] != NULL && tn_process_is_running(children->processes[i]);
        }
        if (is_running) {
            (void)tn_loop_run_once(loop, 50 * TN_NS_PER_MS);
        }
    }
}

static void ask_to_end(struct tn_demo_children *children, unsigned first, unsigned last)
{
    for (unsigned i = first; i <= last; i++) {
        if (children->processes[i] != NULL && tn_process_is_running(children->processes[i])) {
            tn_process_stop(children->processes[i], 2 * TN_NS_PER_S, 4 * TN_NS_PER_S);
        }
    }
}

void tn_demo__children_stop(struct tn_loop *loop, struct tn_demo_children *children)
{
    children->is_stopping = true;
    ask_to_end(children, 0, 0);
    wait_for_end(loop, children, 0, 0);
    ask_to_end(children, 1, TN_DEMO_CHILDREN - 1);
    wait_for_end(loop, children, 1, TN_DEMO_CHILDREN - 1);
    for (unsigned i = 0; i < TN_DEMO_CHILDREN; i++) {
        tn_process_destroy(&children->processes[i]);
    }
}
