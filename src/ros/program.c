// SPDX-License-Identifier: Apache-2.0
#include "ros/program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

static void print_help(const struct tn_ros_program *program)
{
    struct tn_ros_param_set set = {.table = program->params, .n_params = program->n_params};
    (void)dprintf(
        STDOUT_FILENO,
        "%s: %s\n\n"
        "usage: %s%s%s [--help] [--version] [--ros-args OPTIONS]\n\n"
        "behind --ros-args:\n"
        "  -r [NODE:]FROM:=TO        rename a topic or service; __node:=, __ns:= rename the "
        "node\n"
        "  -p [NODE:]NAME:=VALUE     set a parameter\n"
        "  --params-file FILE        set parameters from YAML\n"
        "  --log-level [NAME:=]LEVEL debug, info, warn, error or fatal\n"
        "environment: ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_LOCALHOST_ONLY, "
        "ROS_STATIC_PEERS, CYCLONEDDS_URI\n",
        program->name, program->description, program->name, program->usage != NULL ? " " : "",
        program->usage != NULL ? program->usage : "");
    if (program->n_params > 0) {
        (void)dprintf(STDOUT_FILENO, "\nparameters:\n");
        tn_ros_params_print(&set, STDOUT_FILENO);
    }
}

static int fail(const struct tn_ros_program *program, const struct tn_error *err, int code)
{
    char text[TN_ERROR_TEXT_MAX + TN_ERROR_FILE_MAX + 32];
    (void)dprintf(STDERR_FILENO, "%s: %s\n", program->name,
                  tn_error_format(err, text, sizeof text));
    return code;
}

/// Answers `--help` and `--version` wherever they stand outside of --ros-args.
static bool answers_itself(const struct tn_ros_program *program, int argc, char **argv)
{
    bool is_ros = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--ros-args") == 0)
            is_ros = true;
        else if (is_ros && strcmp(argv[i], "--") == 0)
            is_ros = false;
        else if (!is_ros && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            print_help(program);
            return true;
        } else if (!is_ros && strcmp(argv[i], "--version") == 0) {
            (void)dprintf(STDOUT_FILENO, "%s (tendon) %s\n", program->name, TN_VERSION);
            return true;
        }
    }
    return false;
}

static enum tn_result check_rest(const struct tn_ros_program *program,
                                 const struct tn_ros_context *context, struct tn_error *err)
{
    const struct tn_ros_args *args = tn_ros_context_args(context);
    if (program->takes_arguments || args->n_rest <= 1)
        return TN_OK;
    return tn_error_set(err, TN_ERR_SYNTAX,
                        "argument \"%.80s\" is unknown; ROS arguments stand behind --ros-args, "
                        "--help lists all",
                        args->rest[1]);
}

static int run(const struct tn_ros_program *program, struct tn_loop *loop,
               struct tn_ros_context *context)
{
    struct tn_error err = {0};
    void *node = NULL;
    enum tn_result result = check_rest(program, context, &err);
    if (result != TN_OK)
        return fail(program, &err, TN_ROS_EXIT_COMMAND_LINE);
    result = program->create(context, &node, &err);
    if (result != TN_OK) {
        if (err.code == TN_OK)
            (void)tn_error_set(&err, result, "%s", tn_result_text(result));
        return fail(program, &err, TN_ROS_EXIT_FAILURE);
    }
    result = tn_loop_run(loop);
    if (program->destroy != NULL)
        program->destroy(&node);
    if (result == TN_OK)
        return TN_ROS_EXIT_OK;
    (void)tn_error_set(&err, result, "the event loop broke: %s", tn_result_text(result));
    return fail(program, &err, TN_ROS_EXIT_FAILURE);
}

int tn_ros_main(const struct tn_ros_program *program, int argc, char **argv)
{
    struct tn_error err = {0};
    struct tn_loop *loop = NULL;
    struct tn_ros_context *context = NULL;
    if (answers_itself(program, argc, argv))
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
        code = run(program, loop, context);
    else
        code = fail(program, &err,
                    result == TN_ERR_SYNTAX ? TN_ROS_EXIT_COMMAND_LINE : TN_ROS_EXIT_FAILURE);
    tn_ros_context_destroy(&context);
    tn_loop_destroy(&loop);
    return code;
}
