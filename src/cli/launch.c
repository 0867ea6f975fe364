// SPDX-License-Identifier: Apache-2.0
// tendon launch [PKG] FILE [name:=value …]
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli__command.h"
#include "cli/cli__launch.h"
#include "cli/cli__package.h"
#include "launch/command.h"
#include "launch/supervisor.h"

// how long a slow screen may hold up the end
#define SCREEN_WAIT_NS TN_NS_PER_S

// ---- what a launch file may ask for ----

static enum tn_result package_prefix(void *context, const char *package, char *buffer,
                                     uint32_t size, struct tn_error *err)
{
    const char *prefix = NULL;
    const enum tn_result result = tn_package_prefix(context, package, &prefix, err);
    if (result != TN_OK)
        return result;
    if (strlen(prefix) >= size)
        return tn_error_set(err, TN_ERR_LIMIT, "the prefix of %.80s is too long", package);
    memcpy(buffer, prefix, strlen(prefix) + 1);
    return TN_OK;
}

static enum tn_result package_program(void *context, const char *package, const char *program,
                                      char *buffer, uint32_t size, struct tn_error *err)
{
    struct tn_package_program found;
    const enum tn_result result = tn_package_program(context, package, program, &found, err);
    if (result != TN_OK)
        return result;
    if (strlen(found.path) >= size)
        return tn_error_set(err, TN_ERR_LIMIT, "the path of %.80s is too long", program);
    memcpy(buffer, found.path, strlen(found.path) + 1);
    return TN_OK;
}

static enum tn_result find_program(void *context, const char *program, char *buffer, uint32_t size,
                                   struct tn_error *err)
{
    return tn_packages_find_program(context, getenv("PATH"), program, buffer, size, err);
}

static enum tn_result run_command(void *context, const char *const *argv,
                                  const char *const *environment, bool merges_stderr,
                                  struct tn_launch_command_result *out, struct tn_error *err)
{
    return tn_launch_run_command(context, argv, environment, merges_stderr, out, err);
}

// ---- one launch ----

struct launch {
    struct tn_launch_options options;
    struct tn_packages *packages;
    struct tn_loop *loop;
    struct tn_launch_log *log;
    struct tn_supervisor *supervisor;
    struct tn_launch_plan *plan;
    char path[TN_PACKAGE_PATH_MAX];   // of the launch file
    char folder[TN_PACKAGE_PATH_MAX]; // of the logs; "": none
    char params[TN_PACKAGE_PATH_MAX]; // of the parameter files, and whether to remove it
    char here[TN_PACKAGE_PATH_MAX];
    char anonymous[64];
    bool has_own_params;
    struct tn_launch_world world;
};

extern char **environ;

static void make_world(struct launch *launch)
{
    if (getcwd(launch->here, sizeof launch->here) == NULL)
        (void)snprintf(launch->here, sizeof launch->here, ".");
    (void)snprintf(launch->anonymous, sizeof launch->anonymous, "%ld", (long)getpid());
    launch->world = (struct tn_launch_world){
        .environment = (const char *const *)environ,
        .package_prefix = package_prefix,
        .package_program = package_program,
        .find_program = find_program,
        .run_command = run_command,
        .context = launch->packages,
        .working_dir = launch->here,
        .anonymous = launch->anonymous,
    };
}

// launch files in Python and YAML are for ros2 launch
static enum tn_result check_kind(const char *path, struct tn_error *err)
{
    static const char *const others[] = {".py", ".yaml", ".yml"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < TN_ARRAY_SIZE(others); i++) {
        const size_t size = strlen(others[i]);
        if (length > size && strcmp(path + length - size, others[i]) == 0)
            return tn_error_at(err, TN_ERR_UNSUPPORTED, path, 0, 0,
                               "launch files in XML are understood, none in Python or YAML: use "
                               "ros2 launch, or write it in XML");
    }
    return TN_OK;
}

// a file as it is, or one of a package, as ros2 launch decides
static enum tn_result find_file(struct launch *launch, struct tn_error *err)
{
    const struct tn_launch_options *options = &launch->options;
    const char *first = options->names[0];
    struct stat info;
    const bool is_file = stat(first, &info) == 0 && S_ISREG(info.st_mode);
    const char *prefix = NULL;
    // a package alone: what it has is told
    if (options->n_names == 1 && !is_file &&
        tn_package_prefix(launch->packages, first, &prefix, NULL) == TN_OK)
        return tn_package_file(launch->packages, first, "FILE", launch->path, sizeof launch->path,
                               err);
    if (options->n_names == 1 || is_file) {
        if (strlen(first) >= sizeof launch->path)
            return tn_error_set(err, TN_ERR_LIMIT, "the path of the launch file is too long");
        memcpy(launch->path, first, strlen(first) + 1);
        return access(first, R_OK) == 0
                   ? TN_OK
                   : tn_error_at(err, TN_ERR_NOT_FOUND, first, 0, 0,
                                 "no such launch file: %s; in a package: tendon launch PKG FILE",
                                 strerror(errno));
    }
    return tn_package_file(launch->packages, first, options->names[1], launch->path,
                           sizeof launch->path, err);
}

// the log's folder, else one of our own that goes with the launch
static enum tn_result make_folders(struct launch *launch, struct tn_error *err)
{
    struct tn_error why = {0};
    if (tn_launch_log_make_folder(launch->folder, sizeof launch->folder, &why) == TN_OK) {
        (void)snprintf(launch->params, sizeof launch->params, "%s", launch->folder);
        return TN_OK;
    }
    tn_cli__say_error("launch", &why);
    launch->folder[0] = '\0';
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(launch->params, sizeof launch->params, "%s/tendon-launch-XXXXXX",
                   tmp != NULL && tmp[0] == '/' ? tmp : "/tmp");
    if (mkdtemp(launch->params) == NULL)
        return tn_error_at(err, TN_ERR_IO, launch->params, 0, 0,
                           "cannot make a folder like this for parameters: %s; is TMPDIR right?",
                           strerror(errno));
    launch->has_own_params = true;
    return TN_OK;
}

static void remove_params(struct launch *launch)
{
    if (!launch->has_own_params)
        return;
    for (uint32_t i = 0; launch->plan != NULL && i < launch->plan->n_processes; i++) {
        const struct tn_launch_process *process = &launch->plan->processes[i];
        for (uint32_t k = 0; k < process->n_files; k++)
            (void)unlink(process->files[k].path);
    }
    (void)rmdir(launch->params);
}

static enum tn_result load(struct launch *launch, struct tn_error *err)
{
    return tn_launch_load(launch->path, launch->options.arguments, launch->options.n_arguments,
                          &launch->world, &launch->plan, err);
}

static enum tn_result prepare(struct launch *launch, struct tn_error *err)
{
    const struct tn_launch_options *options = &launch->options;
    enum tn_result result = make_folders(launch, err);
    if (result != TN_OK)
        return result;
    launch->world.params_dir = launch->params;
    launch->world.log_dir = launch->params;
    result = load(launch, err);
    if (result == TN_OK)
        result = tn_loop_create(tn_clock_system(), &launch->loop, err);
    const struct tn_launch_log_options log = {
        .screen_fd = STDOUT_FILENO,
        .has_colors = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == NULL,
        .folder = launch->folder[0] != '\0' ? launch->folder : NULL,
    };
    if (result == TN_OK)
        result = tn_launch_log_create(launch->loop, &log, &launch->log, err);
    const struct tn_supervisor_options supervisor = {
        .packages = launch->packages,
        .log = launch->log,
        .output = options->has_output ? &options->output : NULL,
        .is_strict = options->is_strict,
    };
    if (result == TN_OK)
        result =
            tn_supervisor_create(launch->loop, launch->plan, &supervisor, &launch->supervisor, err);
    if (result == TN_OK && tn_supervisor_handle_signals(launch->supervisor) != TN_OK)
        result = tn_error_set(err, TN_ERR_IO, "cannot take signals: %s", strerror(errno));
    return result;
}

static int run(struct launch *launch)
{
    struct tn_error err = {0};
    int code = TN_CLI_FAILURE;
    if (prepare(launch, &err) != TN_OK) {
        tn_cli__say_error("launch", &err);
    } else {
        if (launch->folder[0] != '\0')
            tn_launch_log_say(launch->log, TN_LAUNCH_SAYS_INFO, "launch",
                              "All log files can be found below %s", launch->folder);
        tn_launch_log_say(launch->log, TN_LAUNCH_SAYS_INFO, "launch",
                          "Default logging verbosity is set to INFO");
        tn_supervisor_start(launch->supervisor);
        while (!tn_supervisor_is_done(launch->supervisor))
            (void)tn_loop_run_once(launch->loop, -1);
        code = tn_supervisor_exit_status(launch->supervisor);
    }
    tn_supervisor_destroy(&launch->supervisor);
    tn_launch_log_destroy(&launch->log, SCREEN_WAIT_NS);
    tn_loop_destroy(&launch->loop);
    remove_params(launch);
    return code;
}

static int print_plan(struct launch *launch)
{
    struct tn_error err = {0};
    // the same text whenever it is printed
    launch->world.log_dir = "$LOG_DIR";
    enum tn_result result = load(launch, &err);
    if (result == TN_OK)
        result = tn_launch_plan_print(launch->plan, stdout);
    if (result != TN_OK)
        tn_cli__say_error("launch", &err);
    return result == TN_OK ? TN_CLI_OK : TN_CLI_FAILURE;
}

static int show_args(struct launch *launch)
{
    struct tn_error err = {0};
    const enum tn_result result = tn_launch_show_args(launch->path, &launch->world, stdout, &err);
    if (result != TN_OK)
        tn_cli__say_error("launch", &err);
    return result == TN_OK ? TN_CLI_OK : TN_CLI_FAILURE;
}

static int launch_file(struct launch *launch)
{
    struct tn_error err = {0};
    make_world(launch);
    if (find_file(launch, &err) != TN_OK || check_kind(launch->path, &err) != TN_OK) {
        tn_cli__say_error("launch", &err);
        return TN_CLI_FAILURE;
    }
    if (launch->options.mode == TN_LAUNCH_MODE_PRINT)
        return print_plan(launch);
    if (launch->options.mode == TN_LAUNCH_MODE_SHOW_ARGS)
        return show_args(launch);
    return run(launch);
}

int tn_cli_launch(int argc, char **argv)
{
    int code = TN_CLI_FAILURE;
    struct launch *launch = calloc(1, sizeof *launch);
    if (launch == NULL) {
        (void)fprintf(stderr, "tendon launch: no memory\n");
        return code;
    }
    if (tn_cli__launch_parse(argc, argv, &launch->options, &code)) {
        launch->packages = tn_cli__packages("launch");
        if (launch->packages != NULL)
            code = launch_file(launch);
    }
    tn_launch_plan_destroy(&launch->plan);
    tn_packages_destroy(&launch->packages);
    tn_cli__launch_options_fini(&launch->options);
    free(launch);
    return code;
}
