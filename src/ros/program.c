// SPDX-License-Identifier: Apache-2.0
#include "ros/program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "ros/ros__program.h"

// ---- what every program does ----

void tn_ros__print_ros_help(void)
{
    (void)dprintf(
        STDOUT_FILENO,
        "behind --ros-args:\n"
        "  -r [NODE:]FROM:=TO        rename a topic or service; __node:=, __ns:= rename the "
        "node\n"
        "  -p [NODE:]NAME:=VALUE     set a parameter\n"
        "  --params-file FILE        set parameters from YAML\n"
        "  --log-level [NAME:=]LEVEL debug, info, warn, error or fatal\n"
        "environment: ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_LOCALHOST_ONLY, "
        "ROS_STATIC_PEERS, CYCLONEDDS_URI\n");
}

void tn_ros__print_params(const char *title, const struct tn_ros_param *table, uint32_t n)
{
    struct tn_ros_param_set set = {.table = table, .n_params = n};
    if (n == 0)
        return;
    (void)dprintf(STDOUT_FILENO, "\n%s:\n", title);
    tn_ros_params_print(&set, STDOUT_FILENO);
}

static int fail(const struct tn_ros__run *run, const struct tn_error *err, int code)
{
    char text[TN_ERROR_TEXT_MAX + TN_ERROR_FILE_MAX + 32];
    (void)dprintf(STDERR_FILENO, "%s: %s\n", run->who, tn_error_format(err, text, sizeof text));
    return code;
}

/// Answers `--help` and `--version` wherever they stand outside of --ros-args.
static bool answers_itself(const struct tn_ros__run *run, int argc, char **argv)
{
    bool is_ros = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--ros-args") == 0)
            is_ros = true;
        else if (is_ros && strcmp(argv[i], "--") == 0)
            is_ros = false;
        else if (!is_ros && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            run->print_help(run, argc, argv);
            return true;
        } else if (!is_ros && strcmp(argv[i], "--version") == 0) {
            (void)dprintf(STDOUT_FILENO, "%s (tendon) %s\n", run->name, TN_VERSION);
            return true;
        }
    }
    return false;
}

static int run_nodes(struct tn_ros__run *run, struct tn_loop *loop, struct tn_ros_context *context)
{
    struct tn_error err = {0};
    enum tn_result result = run->check(run, context, &err);
    if (result != TN_OK)
        return fail(run, &err, TN_ROS_EXIT_COMMAND_LINE);
    result = run->create(run, context, &err);
    if (result != TN_OK) {
        if (err.code == TN_OK)
            (void)tn_error_set(&err, result, "%s", tn_result_text(result));
        return fail(run, &err, TN_ROS_EXIT_FAILURE);
    }
    result = tn_loop_run(loop);
    run->destroy(run);
    if (result == TN_OK)
        return TN_ROS_EXIT_OK;
    (void)tn_error_set(&err, result, "the event loop broke: %s", tn_result_text(result));
    return fail(run, &err, TN_ROS_EXIT_FAILURE);
}

int tn_ros__run(struct tn_ros__run *run, int argc, char **argv)
{
    struct tn_error err = {0};
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    tn_process_open_standard_streams();
    if (answers_itself(run, argc, argv))
        return TN_ROS_EXIT_OK;

    // signals are blocked before the DDS threads are made, so that only the loop gets them
    enum tn_result result = tn_loop_create(tn_clock_system(), &loop, &err);
    if (result == TN_OK) {
        result = tn_loop_handle_signals(loop);
        if (result != TN_OK)
            (void)tn_error_set(&err, result, "signals cannot be received");
    }
    if (result == TN_OK)
        result = tn_ros_context_create(loop, argc, (const char *const *)argv, &context, &err);
    int code = TN_ROS_EXIT_FAILURE;
    if (result == TN_OK)
        code = run_nodes(run, loop, context);
    else
        code = fail(run, &err,
                    result == TN_ERR_SYNTAX ? TN_ROS_EXIT_COMMAND_LINE : TN_ROS_EXIT_FAILURE);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
    return code;
}

enum tn_result tn_ros__refuse_arguments(const struct tn_ros_args *args, struct tn_error *err)
{
    if (args->n_rest <= 1)
        return TN_OK;
    return tn_error_set(err, TN_ERR_SYNTAX,
                        "argument \"%.80s\" is unknown; ROS arguments stand behind --ros-args, "
                        "--help lists all",
                        args->rest[1]);
}

// ---- a program that makes its nodes itself ----

struct program {
    const struct tn_ros_program *program;
    void *node;
};

static void print_program_help(const struct tn_ros__run *run, int argc, char **argv)
{
    const struct tn_ros_program *program = ((const struct program *)run->self)->program;
    (void)argc;
    (void)argv;
    (void)dprintf(STDOUT_FILENO,
                  "%s: %s\n\nusage: %s%s%s [--help] [--version] [--ros-args OPTIONS]\n\n",
                  program->name, program->description, program->name,
                  program->usage != NULL ? " " : "", program->usage != NULL ? program->usage : "");
    tn_ros__print_ros_help();
    tn_ros__print_params("parameters", program->params, program->n_params);
}

static enum tn_result check_program(struct tn_ros__run *run, struct tn_ros_context *context,
                                    struct tn_error *err)
{
    const struct program *self = run->self;
    if (self->program->takes_arguments)
        return TN_OK;
    return tn_ros__refuse_arguments(tn_ros_context_args(context), err);
}

static enum tn_result create_program(struct tn_ros__run *run, struct tn_ros_context *context,
                                     struct tn_error *err)
{
    struct program *self = run->self;
    return self->program->create(context, &self->node, err);
}

static void destroy_program(struct tn_ros__run *run)
{
    struct program *self = run->self;
    if (self->program->destroy != NULL)
        self->program->destroy(&self->node);
}

int tn_ros_main(const struct tn_ros_program *program, int argc, char **argv)
{
    struct program self = {.program = program};
    struct tn_ros__run run = {
        .name = program->name,
        .who = program->name,
        .self = &self,
        .print_help = print_program_help,
        .check = check_program,
        .create = create_program,
        .destroy = destroy_program,
    };
    return tn_ros__run(&run, argc, argv);
}
