// SPDX-License-Identifier: Apache-2.0
// The updater: tasks, period, `/diagnostics`.
#include "ros/diagnostics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__diagnostics.h"
#include "ros/ros__node.h"

#define TEXT_PER_VALUE 64u

struct task {
    char name[TN_DIAG_TASK_NAME_MAX];
    tn_diag_fn run;
    void *context;
};

struct tn_diag_updater {
    struct tn_ros_node *node;
    struct tn_ros_publisher *publisher;
    struct tn_loop_timer timer;
    struct tn_diag_params defaults; ///< when the node has none
    const struct tn_diag_params *params;
    int64_t parameter_ns; ///< the period the parameter said when last looked at
    int64_t period_ns;    ///< the period of the timer
    bool is_verbose, is_running, has_warned_of_id, has_warned_of_room;
    char hardware_id[TN_DIAG_HARDWARE_ID_MAX];
    uint32_t n_tasks, max_tasks;
    struct task *tasks;                                    ///< (max_tasks)
    struct tn_diag_status *statuses;                       ///< (max_tasks)
    struct diagnostic_msgs_msg_DiagnosticStatus *messages; ///< (max_tasks)
    struct tn_diag__pool pool;
};

// ---- publishing ----

static void name_status(const struct tn_diag_updater *updater, const char *task,
                        struct tn_diag_status *status)
{
    const char *node =
        updater->params->use_fqn ? tn_ros_node_fqn(updater->node) : tn_ros_node_name(updater->node);
    (void)snprintf(status->name, sizeof status->name, "%s: %s", node, task);
    tn_diag__make_utf8(status->name);
}

static void publish(struct tn_diag_updater *updater, uint32_t first, uint32_t n)
{
    struct diagnostic_msgs_msg_DiagnosticArray message;
    int64_t now_ros_ns = tn_ros_node_now_ros_ns(updater->node);
    int64_t s = now_ros_ns / TN_NS_PER_S, ns = now_ros_ns % TN_NS_PER_S;
    diagnostic_msgs_msg_DiagnosticArray_init(&message);
    message.header.stamp.sec = (int32_t)(ns < 0 ? s - 1 : s);
    message.header.stamp.nanosec = (uint32_t)(ns < 0 ? ns + TN_NS_PER_S : ns);
    message.status.data = updater->messages + first;
    message.status.size = n;
    // diagnostics are no keep-alive: a failed send is the next one's business
    (void)tn_ros_publish(updater->publisher, &message);
}

/// One status that no task filled.
static void say(struct tn_diag_updater *updater, uint32_t i, enum tn_diag_level level,
                const char *message)
{
    struct tn_diag_status *status = &updater->statuses[i];
    updater->pool.n_values = 0;
    updater->pool.text_used = 0;
    tn_diag__begin(status, &updater->pool, "");
    name_status(updater, updater->tasks[i].name, status);
    tn_diag_summary(status, level, "%s", message);
    tn_diag__end(status, &updater->messages[i]);
}

// ---- one report ----

static void run_tasks(struct tn_diag_updater *updater)
{
    int64_t now_steady_ns = tn_loop_now_steady_ns(updater->node->context->loop);
    updater->pool.n_values = 0;
    updater->pool.text_used = 0;
    for (uint32_t i = 0; i < updater->n_tasks; i++) {
        struct tn_diag_status *status = &updater->statuses[i];
        const struct task *task = &updater->tasks[i];
        tn_diag__begin(status, &updater->pool, updater->hardware_id);
        name_status(updater, task->name, status);
        task->run(task->context, status, now_steady_ns);
        tn_diag__end(status, &updater->messages[i]);
        if (updater->is_verbose && status->level != TN_DIAG_OK)
            TN_WARN(tn_ros_node_logger(updater->node),
                    "Non-zero diagnostic status. Name: '%s', status %d: '%s'", task->name,
                    (int)status->level, status->message);
    }
}

/// Warnings that come once.
static void warn_once(struct tn_diag_updater *updater)
{
    bool is_all_ok = true;
    for (uint32_t i = 0; i < updater->n_tasks; i++)
        is_all_ok = is_all_ok && updater->statuses[i].level == TN_DIAG_OK;
    if (is_all_ok && updater->hardware_id[0] == '\0' && !updater->has_warned_of_id) {
        updater->has_warned_of_id = true;
        TN_WARN(tn_ros_node_logger(updater->node),
                "diagnostic_updater: No HW_ID was set. A node without a device says 'none'. Told "
                "once, when all diagnostics are OK; an id may also come once the device is open");
    }
    if (updater->pool.left_out > 0 && !updater->has_warned_of_room) {
        updater->has_warned_of_room = true;
        TN_WARN(tn_ros_node_logger(updater->node),
                "diagnostics: %" PRIu64 " keys found no room among %u keys and %zu bytes of text "
                "and were left out; raise max_values or text_bytes",
                updater->pool.left_out, updater->pool.max_values, updater->pool.text_size);
    }
}

static int64_t parameter_period(const struct tn_diag_updater *updater)
{
    return (int64_t)llround(updater->params->period_s * (double)TN_NS_PER_S);
}

static void report(struct tn_diag_updater *updater)
{
    updater->is_running = true;
    run_tasks(updater);
    updater->is_running = false;
    warn_once(updater);
    publish(updater, 0, updater->n_tasks);
}

static void on_timer(void *context)
{
    struct tn_diag_updater *updater = context;
    report(updater);
    int64_t wanted_ns = parameter_period(updater);
    if (wanted_ns != updater->parameter_ns) {
        updater->parameter_ns = wanted_ns;
        tn_diag_updater_set_period(updater, wanted_ns);
    }
}

void tn_diag_updater_force(struct tn_diag_updater *updater)
{
    if (!updater->is_running)
        report(updater);
}

void tn_diag_updater_broadcast(struct tn_diag_updater *updater, enum tn_diag_level level,
                               const char *message)
{
    if (updater->is_running)
        return;
    for (uint32_t i = 0; i < updater->n_tasks; i++)
        say(updater, i, level, message);
    publish(updater, 0, updater->n_tasks);
}

void tn_diag_updater_set_period(struct tn_diag_updater *updater, int64_t period_ns)
{
    if (period_ns <= 0)
        return;
    updater->period_ns = period_ns;
    tn_loop_timer_start(updater->node->context->loop, &updater->timer, period_ns, period_ns,
                        on_timer, updater);
}

// ---- life ----

static bool allocate(struct tn_diag_updater *updater, const struct tn_diag_options *options)
{
    uint32_t max_values =
        options->max_values > 0 ? options->max_values : (uint32_t)TN_DIAG_VALUES_DEFAULT;
    updater->max_tasks =
        options->max_tasks > 0 ? options->max_tasks : (uint32_t)TN_DIAG_TASKS_DEFAULT;
    updater->pool.max_values = max_values;
    updater->pool.text_size =
        options->text_bytes > 0 ? options->text_bytes : (size_t)max_values * TEXT_PER_VALUE;
    updater->tasks = calloc(updater->max_tasks, sizeof *updater->tasks);
    updater->statuses = calloc(updater->max_tasks, sizeof *updater->statuses);
    updater->messages = calloc(updater->max_tasks, sizeof *updater->messages);
    updater->pool.values = calloc(max_values, sizeof *updater->pool.values);
    updater->pool.text = calloc(1, updater->pool.text_size);
    return updater->tasks != NULL && updater->statuses != NULL && updater->messages != NULL &&
           updater->pool.values != NULL && updater->pool.text != NULL;
}

enum tn_result tn_diag_updater_create(struct tn_ros_node *node,
                                      const struct tn_diag_options *options,
                                      struct tn_diag_updater **out_updater, struct tn_error *err)
{
    static const struct tn_diag_options none = {0};
    const struct tn_diag_options *o = options != NULL ? options : &none;
    struct tn_diag_updater *updater = calloc(1, sizeof *updater);
    if (updater == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for diagnostics");
    updater->node = node;
    updater->defaults.period_s = 1.0;
    updater->params = o->params != NULL ? o->params : &updater->defaults;
    updater->is_verbose = o->is_verbose;
    enum tn_result result = allocate(updater, o)
                                ? TN_OK
                                : tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for diagnostics");
    if (result == TN_OK)
        result =
            tn_ros_publisher_create(node, &diagnostic_msgs_msg_DiagnosticArray_type, "/diagnostics",
                                    tn_ros_qos_default(TN_DIAG_DEPTH), &updater->publisher, err);
    if (result != TN_OK) {
        tn_diag_updater_destroy(&updater);
        return result;
    }
    updater->parameter_ns = parameter_period(updater);
    tn_diag_updater_set_period(updater, updater->parameter_ns);
    *out_updater = updater;
    return TN_OK;
}

void tn_diag_updater_destroy(struct tn_diag_updater **updater)
{
    struct tn_diag_updater *u = *updater;
    *updater = NULL;
    if (u == NULL)
        return;
    tn_loop_timer_stop(&u->timer);
    tn_ros_publisher_destroy(&u->publisher);
    free(u->tasks);
    free(u->statuses);
    free(u->messages);
    free(u->pool.values);
    free(u->pool.text);
    free(u);
}

enum tn_result tn_diag_updater_add(struct tn_diag_updater *updater, const char *name,
                                   tn_diag_fn run, void *context, struct tn_error *err)
{
    if (updater->is_running)
        return tn_error_set(err, TN_ERR_STATE, "diagnostics: no task may add the task \"%s\"",
                            name);
    if (updater->n_tasks == updater->max_tasks)
        return tn_error_set(err, TN_ERR_LIMIT,
                            "diagnostics: no room for the task \"%s\" beside %u others; raise "
                            "max_tasks",
                            name, updater->n_tasks);
    struct task *task = &updater->tasks[updater->n_tasks];
    if (strlen(name) >= sizeof task->name)
        return tn_error_set(err, TN_ERR_LIMIT,
                            "diagnostics: the task name \"%.40s…\" is longer than %zu bytes", name,
                            sizeof task->name - 1);
    (void)snprintf(task->name, sizeof task->name, "%s", name);
    task->run = run;
    task->context = context;
    updater->n_tasks++;
    say(updater, updater->n_tasks - 1, TN_DIAG_OK, "Node starting up");
    publish(updater, updater->n_tasks - 1, 1);
    return TN_OK;
}

bool tn_diag_updater_remove(struct tn_diag_updater *updater, const char *name)
{
    uint32_t i = 0;
    while (i < updater->n_tasks && strcmp(updater->tasks[i].name, name) != 0)
        i++;
    if (i == updater->n_tasks || updater->is_running)
        return false;
    updater->n_tasks--;
    memmove(&updater->tasks[i], &updater->tasks[i + 1],
            (updater->n_tasks - i) * sizeof updater->tasks[0]);
    return true;
}

void tn_diag_updater_set_hardware_id(struct tn_diag_updater *updater, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tn_diag__format(updater->hardware_id, sizeof updater->hardware_id, format, args);
    va_end(args);
}

uint64_t tn_diag_updater_left_out(const struct tn_diag_updater *updater)
{
    return updater->pool.left_out;
}
