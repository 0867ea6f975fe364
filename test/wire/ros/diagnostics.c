// SPDX-License-Identifier: Apache-2.0
// Reports as a stranger reads them, and what the updater does with names, periods, tasks and ids.
// argv[1]: the peer program.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ros/diagnostics_tasks.h"
#include "wire/ros/harness.h"

struct config {
    int64_t other;
    struct tn_diag_params diagnostics;
};

static const struct tn_ros_param table[] = {
    {.name = "other",
     .type = TN_ROS_PARAM_INTEGER,
     .offset = offsetof(struct config, other),
     .default_yaml = "3",
     .unit = "",
     .text = "a parameter of the node's own"},
    TN_DIAG_PARAM_ROWS(struct config, diagnostics),
};

struct rig {
    struct harness h;
    struct peer peer;
    struct config config;
    struct tn_ros_param_set params;
    struct tn_ros_node *node;
    struct tn_diag_updater *updater;
    uint32_t n_runs;
    enum tn_diag_level level;
};

static void run_device(void *context, struct tn_diag_status *status, int64_t now_steady_ns)
{
    struct rig *rig = context;
    (void)now_steady_ns;
    rig->n_runs++;
    tn_diag_summary(status, rig->level, "run");
    tn_diag_set_hardware_id(status, "serial-\xff");
    tn_diag_add(status, "text", "%s", "gr\xc3\xbc\xc3\x9f");
    tn_diag_add_count(status, "most", UINT64_MAX);
    tn_diag_add_bool(status, "flag", true);
    // a task does not bring the updater into disorder
    tn_diag_updater_force(rig->updater);
    tn_diag_updater_broadcast(rig->updater, TN_DIAG_ERROR, "not now");
    assert_false(tn_diag_updater_remove(rig->updater, "Heartbeat"));
    assert_int_equal(tn_diag_updater_add(rig->updater, "inner", tn_diag_heartbeat_run, NULL, NULL),
                     TN_ERR_STATE);
}

static void run_silent(void *context, struct tn_diag_status *status, int64_t now_steady_ns)
{
    (void)context;
    (void)status;
    (void)now_steady_ns;
}

static void open_rig(struct rig *rig, int argc, const char *const *argv)
{
    struct tn_error err = {0};
    memset(rig, 0, sizeof *rig);
    harness_open_with(&rig->h, argc, argv);
    rig->params = (struct tn_ros_param_set){.table = table,
                                            .n_params = TN_ARRAY_SIZE(table),
                                            .config = &rig->config,
                                            .config_size = sizeof rig->config};
    struct tn_ros_node_options options = {.name = "reporter", .ns = "/a/b", .params = rig->params};
    if (tn_ros_node_create(rig->h.context, &options, &rig->node, &err) != TN_OK)
        fail_msg("%s", err.text);
}

static void start(struct rig *rig, const struct tn_diag_options *more)
{
    struct tn_error err = {0};
    struct tn_diag_options options = more != NULL ? *more : (struct tn_diag_options){0};
    options.params = &rig->config.diagnostics;
    if (tn_diag_updater_create(rig->node, &options, &rig->updater, &err) != TN_OK)
        fail_msg("%s", err.text);
}

static void close_rig(struct rig *rig)
{
    tn_diag_updater_destroy(&rig->updater);
    tn_diag_updater_destroy(&rig->updater);
    tn_ros_node_destroy(&rig->node);
    harness_close(&rig->h);
}

static bool has_listener(void *context)
{
    struct rig *rig = context;
    return peer_count(&rig->peer, "array ") > 0;
}

static void listen(struct rig *rig, const char *program)
{
    peer_start(&rig->h, &rig->peer, (const char *const[]){program, "0", "listen", NULL});
    harness_wait(&rig->h, has_listener, rig, "the first report at a stranger's");
}

static const char *const plain[] = {"tester", "--ros-args", "-p",
                                    "reporter:diagnostic_updater.period:=0.05", NULL};

static void a_stranger_reads_reports(void **state)
{
    struct rig rig;
    struct tn_error err = {0};
    open_rig(&rig, 4, plain);
    start(&rig, NULL);
    tn_diag_updater_set_hardware_id(rig.updater, "id-%d", 7);
    assert_int_equal(
        tn_diag_updater_add(rig.updater, "Heartbeat", tn_diag_heartbeat_run, NULL, &err), TN_OK);
    assert_int_equal(tn_diag_updater_add(rig.updater, "Device", run_device, &rig, &err), TN_OK);
    assert_int_equal(tn_diag_updater_add(rig.updater, "Silent", run_silent, &rig, &err), TN_OK);
    listen(&rig, *state);
    harness_wait_lines(&rig.h, &rig.peer, "status 0 [id-7] reporter: Heartbeat | Alive", 3);
    harness_wait_lines(&rig.h, &rig.peer, "status 0 [serial-?] reporter: Device | run", 1);
    harness_wait_lines(&rig.h, &rig.peer, "status 2 [id-7] reporter: Silent | No message was set",
                       1);
    harness_wait_lines(&rig.h, &rig.peer, "value reporter: Device | text=gr\xc3\xbc\xc3\x9f", 1);
    harness_wait_lines(&rig.h, &rig.peer, "value reporter: Device | most=18446744073709551615", 1);
    harness_wait_lines(&rig.h, &rig.peer, "value reporter: Device | flag=True", 1);
    // one message per report, dated in ROS time
    harness_wait_lines(&rig.h, &rig.peer, "array 3 at 1", 1);
    assert_int_equal(peer_count(&rig.peer, "array 3 at 0."), 0);
    assert_int_equal(peer_count(&rig.peer, "status 2 [] reporter: Device | not now"), 0);

    // a new task is told at once, a removed one no more
    assert_int_equal(tn_diag_updater_add(rig.updater, "Late", run_silent, NULL, &err), TN_OK);
    harness_wait_lines(&rig.h, &rig.peer, "status 0 [] reporter: Late | Node starting up", 1);
    harness_wait_lines(&rig.h, &rig.peer, "array 1 at 1", 1);
    harness_wait_lines(&rig.h, &rig.peer, "array 4 at 1", 1);
    assert_true(tn_diag_updater_remove(rig.updater, "Silent"));
    assert_false(tn_diag_updater_remove(rig.updater, "Silent"));
    uint32_t n = peer_count(&rig.peer, "array 3 at 1");
    harness_wait_lines(&rig.h, &rig.peer, "array 3 at 1", n + 2);

    tn_diag_updater_broadcast(rig.updater, TN_DIAG_STALE, "going");
    harness_wait_lines(&rig.h, &rig.peer, "status 3 [] reporter: Heartbeat | going", 1);
    harness_wait_lines(&rig.h, &rig.peer, "status 3 [] reporter: Late | going", 1);
    assert_int_equal(tn_diag_updater_left_out(rig.updater), 0);
    peer_stop(&rig.peer);
    close_rig(&rig);
}

static bool has_run(void *context)
{
    struct rig *rig = context;
    return rig->n_runs > 0;
}

static void names_and_periods_follow_the_parameters(void **state)
{
    struct rig rig;
    struct tn_error err = {0};
    open_rig(&rig, 4, plain);
    assert_int_equal(rig.config.other, 3);
    start(&rig, NULL);
    assert_int_equal(tn_diag_updater_add(rig.updater, "Device", run_device, &rig, &err), TN_OK);
    listen(&rig, *state);
    harness_wait_lines(&rig.h, &rig.peer, "status 0 [serial-?] reporter: Device | run", 2);
    assert_int_equal(
        tn_ros_params_set_yaml(&rig.params, "diagnostic_updater.use_fqn", "true", &err), TN_OK);
    harness_wait_lines(&rig.h, &rig.peer, "status 0 [serial-?] /a/b/reporter: Device | run", 2);
    assert_int_equal(tn_ros_params_set_yaml(&rig.params, "diagnostic_updater.period", "0.0", &err),
                     TN_ERR_RANGE);

    // an hour from the next report on; what is asked for comes all the same
    assert_int_equal(
        tn_ros_params_set_yaml(&rig.params, "diagnostic_updater.period", "3600.0", &err), TN_OK);
    rig.n_runs = 0;
    harness_wait(&rig.h, has_run, &rig, "one report more");
    uint32_t n_runs = rig.n_runs;
    tn_diag_updater_force(rig.updater);
    assert_int_equal(rig.n_runs, n_runs + 1);
    tn_diag_updater_set_period(rig.updater, 0);
    tn_diag_updater_set_period(rig.updater, 10 * TN_NS_PER_MS);
    rig.n_runs = 0;
    harness_wait(&rig.h, has_run, &rig, "a report of a period that the program chose");
    peer_stop(&rig.peer);
    close_rig(&rig);
}

static void too_much_is_refused_or_left_out(void **state)
{
    struct rig rig;
    struct tn_error err = {0};
    char name[TN_DIAG_TASK_NAME_MAX + 1];
    (void)state;
    open_rig(&rig, 4, plain);
    const struct tn_diag_options small = {.max_tasks = 2, .max_values = 4, .text_bytes = 40};
    start(&rig, &small);
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_int_equal(tn_diag_updater_add(rig.updater, name, run_device, &rig, &err), TN_ERR_LIMIT);
    assert_int_equal(tn_diag_updater_add(rig.updater, name + 1, run_device, &rig, &err), TN_OK);
    assert_int_equal(tn_diag_updater_add(rig.updater, "same", run_device, &rig, &err), TN_OK);
    assert_int_equal(tn_diag_updater_add(rig.updater, "third", run_device, &rig, &err),
                     TN_ERR_LIMIT);
    assert_non_null(strstr(err.text, "max_tasks"));
    tn_diag_updater_force(rig.updater);
    tn_diag_updater_force(rig.updater);
    assert_int_equal(rig.n_runs, 4);
    assert_true(tn_diag_updater_left_out(rig.updater) >= 2);
    close_rig(&rig);
}

// ---- the warning about the hardware id ----

static uint32_t n_warnings;

static void count_warnings(void *context, const struct tn_log_record *record)
{
    (void)context;
    n_warnings += strstr(record->text, "No HW_ID was set") != NULL;
}

static void a_missing_hardware_id_is_told_once_all_is_well(void **state)
{
    struct rig rig;
    struct tn_error err = {0};
    (void)state;
    open_rig(&rig, 4, plain);
    start(&rig, NULL);
    assert_int_equal(tn_diag_updater_add(rig.updater, "Device", run_device, &rig, &err), TN_OK);
    tn_log_set_receiver(count_warnings, NULL);
    n_warnings = 0;
    rig.level = TN_DIAG_WARN;
    tn_diag_updater_force(rig.updater);
    assert_int_equal(n_warnings, 0);
    rig.level = TN_DIAG_OK;
    tn_diag_updater_force(rig.updater);
    tn_diag_updater_force(rig.updater);
    assert_int_equal(n_warnings, 1);
    close_rig(&rig);

    open_rig(&rig, 4, plain);
    start(&rig, NULL);
    tn_diag_updater_set_hardware_id(rig.updater, "none");
    assert_int_equal(tn_diag_updater_add(rig.updater, "Device", run_device, &rig, &err), TN_OK);
    tn_log_set_receiver(count_warnings, NULL);
    tn_diag_updater_force(rig.updater);
    assert_int_equal(n_warnings, 1);
    tn_log_set_receiver(NULL, NULL);
    close_rig(&rig);
}

int main(int argc, char **argv)
{
    char *program = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_stranger_reads_reports, program),
        cmocka_unit_test_prestate(names_and_periods_follow_the_parameters, program),
        cmocka_unit_test(too_much_is_refused_or_left_out),
        cmocka_unit_test(a_missing_hardware_id_is_told_once_all_is_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
