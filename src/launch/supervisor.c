// SPDX-License-Identifier: Apache-2.0
#include "launch/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/process.h"
#include "launch/launch__warden.h"

// one that dies at once is not started more often than this, whatever its respawn_delay
#define SHORTEST_LIFE_NS (100 * TN_NS_PER_MS)

enum state {
    STATE_NEW,
    STATE_RUNNING,
    STATE_WAITING, // for its respawn
    STATE_ENDED,
    STATE_SKIPPED, // a program that may be missing
};

struct child {
    struct tn_supervisor *self;
    const struct tn_launch_process *plan;
    struct tn_process *process;
    enum state state;
    pid_t pid;
    int64_t started_steady_ns;
    int32_t n_respawns;
    struct tn_loop_timer respawn_timer, term_timer, kill_timer;
    const char **argv; // into `program`, `line` and the plan
    const char **env;  // into `env_text` and the plan
    char *env_text;
    char *line; // of a shell
    char program[TN_PACKAGE_PATH_MAX];
};

struct tn_supervisor {
    struct tn_loop *loop;
    const struct tn_launch_plan *plan;
    struct tn_supervisor_options options;
    enum tn_launch_output output; // options.output points here, if at all
    struct child *children;       // (plan->n_processes)
    struct tn_launch__warden warden;
    int signal_fd; // -1: signals are not ours
    struct tn_loop_fd signal_handle;
    bool is_started, is_ending;
    int exit_status;
};

static void say(struct tn_supervisor *self, enum tn_launch_severity severity, const char *text)
{
    tn_launch_log_say(self->options.log, severity, "launch", "%s", text);
}

// ---- what a child is called with ----

static const char *variable_of(const struct tn_launch_process *plan, const char *name,
                               const char *inherited)
{
    for (uint32_t i = 0; i < plan->n_variables; i++)
        if (strcmp(plan->variables[i].name, name) == 0)
            return plan->variables[i].value;
    return inherited;
}

// the same error where the launch file names the program
static enum tn_result at_process(struct tn_error *err, const struct tn_launch_process *plan,
                                 const struct tn_error *inner)
{
    return tn_error_at(err, inner->code, plan->file, (int32_t)plan->line, 0, "%s", inner->text);
}

static enum tn_result find_program(struct child *child, struct tn_error *err)
{
    const struct tn_launch_process *plan = child->plan;
    const struct tn_packages *packages = child->self->options.packages;
    struct tn_error inner = {0};
    enum tn_result result = TN_OK;
    if (plan->package != NULL) {
        struct tn_package_program program;
        result = tn_package_program(packages, plan->package, plan->program, &program, &inner);
        if (result == TN_OK)
            memcpy(child->program, program.path, sizeof child->program);
    } else if (strchr(plan->program, '/') != NULL || plan->is_shell) {
        const int n = snprintf(child->program, sizeof child->program, "%s", plan->program);
        if (n < 0 || (size_t)n >= sizeof child->program)
            result = tn_error_set(&inner, TN_ERR_LIMIT, "the path of the program is too long");
    } else {
        result =
            tn_packages_find_program(packages, variable_of(plan, "PATH", getenv("PATH")),
                                     plan->program, child->program, sizeof child->program, &inner);
    }
    return result == TN_OK ? TN_OK : at_process(err, plan, &inner);
}

// a robot runs as well without somebody who looks at it
static bool may_be_missing(const struct tn_launch_process *plan)
{
    return strcmp(plan->package != NULL ? plan->package : plan->program, "rviz2") == 0;
}

static bool make_shell_argv(struct child *child)
{
    const struct tn_launch_process *plan = child->plan;
    size_t size = strlen(child->program) + 2;
    for (uint32_t i = 0; i < plan->n_prefix; i++)
        size += strlen(plan->prefix[i]) + 1;
    for (uint32_t i = 0; i < plan->n_arguments; i++)
        size += strlen(plan->arguments[i]) + 1;
    child->line = malloc(size);
    child->argv = calloc(4, sizeof *child->argv);
    if (child->line == NULL || child->argv == NULL)
        return false;
    size_t used = 0;
    for (uint32_t i = 0; i < plan->n_prefix; i++)
        used += (size_t)snprintf(child->line + used, size - used, "%s ", plan->prefix[i]);
    used += (size_t)snprintf(child->line + used, size - used, "%s", child->program);
    for (uint32_t i = 0; i < plan->n_arguments; i++)
        used += (size_t)snprintf(child->line + used, size - used, " %s", plan->arguments[i]);
    child->argv[0] = "/bin/sh";
    child->argv[1] = "-c";
    child->argv[2] = child->line;
    return true;
}

static bool make_argv(struct child *child)
{
    const struct tn_launch_process *plan = child->plan;
    if (plan->is_shell)
        return make_shell_argv(child);
    const size_t n = (size_t)plan->n_prefix + plan->n_arguments + 2;
    child->argv = calloc(n, sizeof *child->argv);
    if (child->argv == NULL)
        return false;
    size_t used = 0;
    for (uint32_t i = 0; i < plan->n_prefix; i++)
        child->argv[used++] = plan->prefix[i];
    child->argv[used++] = child->program;
    for (uint32_t i = 0; i < plan->n_arguments; i++)
        child->argv[used++] = plan->arguments[i];
    return true;
}

static bool make_env(struct child *child)
{
    const struct tn_launch_process *plan = child->plan;
    size_t size = 1;
    for (uint32_t i = 0; i < plan->n_variables; i++) {
        const struct tn_launch_variable *variable = &plan->variables[i];
        size += strlen(variable->name) + 2;
        size += variable->value != NULL ? strlen(variable->value) : 0;
    }
    child->env = calloc((size_t)plan->n_variables + 1, sizeof *child->env);
    child->env_text = malloc(size);
    if (child->env == NULL || child->env_text == NULL)
        return false;
    size_t used = 0;
    for (uint32_t i = 0; i < plan->n_variables; i++) {
        const struct tn_launch_variable *variable = &plan->variables[i];
        child->env[i] = child->env_text + used;
        // a name alone takes the variable out
        used += 1 + (size_t)snprintf(child->env_text + used, size - used, "%s%s%s", variable->name,
                                     variable->value != NULL ? "=" : "",
                                     variable->value != NULL ? variable->value : "");
    }
    return true;
}

static enum tn_result prepare(struct child *child, struct tn_error *err)
{
    struct tn_error missing = {0};
    const enum tn_result result = find_program(child, &missing);
    if (result == TN_ERR_NOT_FOUND && may_be_missing(child->plan) &&
        !child->self->options.is_strict) {
        child->state = STATE_SKIPPED;
        return TN_OK;
    }
    if (result != TN_OK) {
        if (err != NULL)
            *err = missing;
        return result;
    }
    if (!make_argv(child) || !make_env(child))
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the command line of %s",
                            child->plan->label);
    return TN_OK;
}

enum tn_result tn_supervisor_create(struct tn_loop *loop, const struct tn_launch_plan *plan,
                                    const struct tn_supervisor_options *options,
                                    struct tn_supervisor **out_supervisor, struct tn_error *err)
{
    struct tn_supervisor *self = calloc(1, sizeof *self);
    enum tn_result result = TN_OK;
    if (self == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the launch");
    self->loop = loop;
    self->plan = plan;
    self->options = *options;
    self->warden.pipe_fd = -1;
    self->signal_fd = -1;
    if (options->output != NULL) {
        self->output = *options->output;
        self->options.output = &self->output;
    }
    self->children = calloc(plan->n_processes + 1, sizeof *self->children);
    if (self->children == NULL)
        result = tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the processes");
    for (uint32_t i = 0; result == TN_OK && i < plan->n_processes; i++) {
        self->children[i].self = self;
        self->children[i].plan = &plan->processes[i];
        result = prepare(&self->children[i], err);
    }
    if (result == TN_OK)
        result = tn_launch__warden_start(&self->warden, err);
    if (result == TN_OK)
        *out_supervisor = self;
    else
        tn_supervisor_destroy(&self);
    return result;
}

// ---- lines, ends, and what follows from them ----

static void start_child(struct child *child);

static void on_line(void *context, struct tn_process *process, const char *line, uint32_t size,
                    bool is_stderr)
{
    const struct child *child = context;
    const struct tn_supervisor_options *options = &child->self->options;
    (void)process;
    tn_launch_log_line(options->log, child->plan->label,
                       options->output != NULL ? *options->output : child->plan->output, is_stderr,
                       line, size);
}

static void join_words(const char *const *words, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; words[i] != NULL && used < size - 1; i++) {
        const int n = snprintf(buffer + used, size - used, "%s%s", used > 0 ? " " : "", words[i]);
        used += n > 0 ? (size_t)n : 0;
    }
}

static void report_end(struct child *child, struct tn_process_exit status)
{
    struct tn_launch_log *log = child->self->options.log;
    if (status.exit_code == 0) {
        tn_launch_log_say(log, TN_LAUNCH_SAYS_INFO, child->plan->label,
                          "process has finished cleanly [pid %ld]", (long)child->pid);
        return;
    }
    // a signal is told as a negative exit code, as Python does
    char command[8192];
    join_words(child->argv, command, sizeof command);
    tn_launch_log_say(log, TN_LAUNCH_SAYS_ERROR, child->plan->label,
                      "process has died [pid %ld, exit code %d, cmd '%s'].", (long)child->pid,
                      status.exit_code > 0 ? status.exit_code : -status.signal_number, command);
}

static void on_respawn(void *context)
{
    start_child(context);
}

static bool may_respawn(const struct child *child)
{
    const struct tn_launch_process *plan = child->plan;
    return plan->respawns && (plan->respawn_max < 0 || child->n_respawns < plan->respawn_max);
}

static void wait_for_respawn(struct child *child)
{
    const int64_t lived_ns = tn_clock_steady_now_ns() - child->started_steady_ns;
    int64_t delay_ns = tn_seconds_to_ns(child->plan->respawn_delay_s);
    if (delay_ns < SHORTEST_LIFE_NS - lived_ns)
        delay_ns = SHORTEST_LIFE_NS - lived_ns;
    child->n_respawns++;
    child->state = STATE_WAITING;
    tn_loop_timer_start(child->self->loop, &child->respawn_timer, delay_ns, 0, on_respawn, child);
}

static void on_exit_of(void *context, struct tn_process *process, struct tn_process_exit status)
{
    struct child *child = context;
    struct tn_supervisor *self = child->self;
    const struct tn_launch_process *plan = child->plan;
    (void)process;
    tn_loop_timer_stop(&child->term_timer);
    tn_loop_timer_stop(&child->kill_timer);
    tn_launch__warden_forget(&self->warden, child->pid);
    report_end(child, status);
    tn_process_destroy(&child->process);
    child->state = STATE_ENDED;
    if (self->is_ending)
        return;
    if (plan->shuts_down_on_exit) {
        tn_launch_log_say(self->options.log, TN_LAUNCH_SAYS_INFO, "launch",
                          "%s has ended, and with it all (on_exit=\"shutdown\")", plan->label);
        tn_supervisor_shutdown(self, 0);
    } else if (may_respawn(child)) {
        wait_for_respawn(child);
    }
}

// ---- starting ----

static enum tn_result write_file(const struct tn_launch_file *file, struct tn_error *err)
{
    const int fd = open(file->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t done = 0;
    while (fd >= 0 && done < file->size) {
        const ssize_t n = write(fd, file->text + done, file->size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    const int error = errno;
    const bool is_closed = fd >= 0 && close(fd) == 0;
    if (is_closed && done == file->size)
        return TN_OK;
    return tn_error_at(err, TN_ERR_IO, file->path, 0, 0, "cannot write the parameters: %s",
                       strerror(error));
}

static enum tn_result write_files(const struct tn_launch_process *plan, struct tn_error *err)
{
    enum tn_result result = TN_OK;
    for (uint32_t i = 0; result == TN_OK && i < plan->n_files; i++)
        result = write_file(&plan->files[i], err);
    return result;
}

static void start_child(struct child *child)
{
    struct tn_supervisor *self = child->self;
    const struct tn_launch_process *plan = child->plan;
    const struct tn_process_options options = {
        .name = plan->label,
        .argv = child->argv,
        .env_extra = child->env,
        .working_dir = plan->working_dir,
        .emulates_tty = plan->emulates_tty,
        .on_exit = on_exit_of,
        .on_line = on_line,
        .context = child,
    };
    struct tn_error err = {0};
    enum tn_result result = write_files(plan, &err);
    child->started_steady_ns = tn_clock_steady_now_ns();
    if (result == TN_OK)
        result = tn_process_start(self->loop, &options, &child->process, &err);
    if (result != TN_OK) {
        char text[TN_ERROR_FILE_MAX + TN_ERROR_TEXT_MAX + 32];
        child->state = STATE_ENDED;
        tn_launch_log_say(self->options.log, TN_LAUNCH_SAYS_ERROR, plan->label, "%s (%s:%u)",
                          tn_error_format(&err, text, sizeof text), plan->file, plan->line);
        // what ran once may be in the making again
        if (child->n_respawns > 0 && may_respawn(child))
            wait_for_respawn(child);
        else
            tn_supervisor_shutdown(self, 1);
        return;
    }
    child->state = STATE_RUNNING;
    child->pid = tn_process_pid(child->process);
    tn_launch__warden_watch(&self->warden, child->pid);
    tn_launch_log_say(self->options.log, TN_LAUNCH_SAYS_INFO, plan->label,
                      "process started with pid [%ld]", (long)child->pid);
}

static void tell_message(struct tn_supervisor *self, const struct tn_launch_message *message)
{
    struct tn_launch_log *log = self->options.log;
    const bool has_place = message->file != NULL && message->file[0] != '\0';
    if (message->kind != TN_LAUNCH_WARNING)
        tn_launch_log_say(log, TN_LAUNCH_SAYS_INFO, "launch.user", "%s", message->text);
    else if (has_place)
        tn_launch_log_say(log, TN_LAUNCH_SAYS_WARNING, "launch", "%s (%s:%u)", message->text,
                          message->file, message->line);
    else
        tn_launch_log_say(log, TN_LAUNCH_SAYS_WARNING, "launch", "%s", message->text);
}

static void tell_messages(struct tn_supervisor *self, uint32_t before)
{
    for (uint32_t i = 0; i < self->plan->n_messages; i++)
        if (self->plan->messages[i].before_process == before)
            tell_message(self, &self->plan->messages[i]);
}

void tn_supervisor_start(struct tn_supervisor *supervisor)
{
    bool has_warned = false;
    supervisor->is_started = true;
    for (uint32_t i = 0; i < supervisor->plan->n_processes; i++) {
        struct child *child = &supervisor->children[i];
        if (supervisor->is_ending)
            return;
        tell_messages(supervisor, i);
        if (child->state == STATE_NEW) {
            start_child(child);
        } else if (!has_warned) {
            has_warned = true;
            say(supervisor, TN_LAUNCH_SAYS_WARNING,
                "rviz2 is not installed: the launch goes on without it (--strict makes that an "
                "error)");
        }
    }
    tell_messages(supervisor, supervisor->plan->n_processes);
}

// ---- ending ----

static void escalate(struct child *child, double after_s, const char *from, const char *to,
                     int number)
{
    tn_launch_log_say(child->self->options.log, TN_LAUNCH_SAYS_ERROR, child->plan->label,
                      "process[%s] failed to terminate '%g' seconds after receiving '%s', "
                      "escalating to '%s'",
                      child->plan->label, after_s, from, to);
    tn_launch_log_say(child->self->options.log, TN_LAUNCH_SAYS_INFO, child->plan->label,
                      "sending signal '%s' to process[%s]", to, child->plan->label);
    (void)tn_process_signal(child->process, number);
}

static void on_term(void *context)
{
    struct child *child = context;
    escalate(child, child->plan->sigterm_timeout_s, "SIGINT", "SIGTERM", SIGTERM);
}

static void on_kill(void *context)
{
    struct child *child = context;
    escalate(child, child->plan->sigkill_timeout_s, "SIGTERM", "SIGKILL", SIGKILL);
}

static void stop_child(struct child *child)
{
    struct tn_supervisor *self = child->self;
    const int64_t term_ns = tn_seconds_to_ns(child->plan->sigterm_timeout_s);
    const int64_t kill_ns = tn_seconds_to_ns(child->plan->sigkill_timeout_s);
    if (child->state == STATE_WAITING) {
        tn_loop_timer_stop(&child->respawn_timer);
        child->state = STATE_ENDED;
    }
    if (child->state != STATE_RUNNING)
        return;
    tn_launch_log_say(self->options.log, TN_LAUNCH_SAYS_INFO, child->plan->label,
                      "sending signal 'SIGINT' to process[%s]", child->plan->label);
    // a stopped process must run to end
    (void)tn_process_signal(child->process, SIGCONT);
    (void)tn_process_signal(child->process, SIGINT);
    tn_loop_timer_start(self->loop, &child->term_timer, term_ns, 0, on_term, child);
    tn_loop_timer_start(self->loop, &child->kill_timer, term_ns + kill_ns, 0, on_kill, child);
}

void tn_supervisor_shutdown(struct tn_supervisor *supervisor, int exit_status)
{
    if (exit_status > supervisor->exit_status)
        supervisor->exit_status = exit_status;
    if (supervisor->is_ending)
        return;
    supervisor->is_ending = true;
    for (uint32_t i = supervisor->plan->n_processes; i > 0; i--)
        stop_child(&supervisor->children[i - 1]);
}

bool tn_supervisor_is_done(const struct tn_supervisor *supervisor)
{
    if (!supervisor->is_started)
        return supervisor->is_ending;
    for (uint32_t i = 0; i < supervisor->plan->n_processes; i++) {
        const enum state state = supervisor->children[i].state;
        if (state == STATE_RUNNING || state == STATE_WAITING)
            return false;
    }
    return true;
}

int tn_supervisor_exit_status(const struct tn_supervisor *supervisor)
{
    return supervisor->exit_status;
}

// ---- signals ----

static void on_signal(void *context, int fd, uint32_t events)
{
    struct tn_supervisor *self = context;
    struct signalfd_siginfo info;
    (void)events;
    while (read(fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGINT) {
            say(self, TN_LAUNCH_SAYS_WARNING,
                self->is_ending ? "user interrupted with ctrl-c (SIGINT) again, ignoring..."
                                : "user interrupted with ctrl-c (SIGINT)");
            tn_supervisor_shutdown(self, 0);
        } else {
            tn_launch_log_say(self->options.log, TN_LAUNCH_SAYS_ERROR, "launch",
                              "told to end by signal %u, ending all processes", info.ssi_signo);
            tn_supervisor_shutdown(self, 1);
        }
    }
}

enum tn_result tn_supervisor_handle_signals(struct tn_supervisor *supervisor)
{
    sigset_t taken;
    struct sigaction hangup, ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&taken);
    sigaddset(&taken, SIGINT);
    sigaddset(&taken, SIGTERM);
    sigaddset(&taken, SIGQUIT);
    // nohup has the launch outlive its terminal
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(&taken, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &taken, NULL) != 0 || sigaction(SIGPIPE, &ignore, NULL) != 0)
        return TN_ERR_IO;
    supervisor->signal_fd = signalfd(-1, &taken, SFD_NONBLOCK | SFD_CLOEXEC);
    if (supervisor->signal_fd < 0)
        return TN_ERR_IO;
    return tn_loop_fd_start(supervisor->loop, &supervisor->signal_handle, supervisor->signal_fd,
                            EPOLLIN, on_signal, supervisor);
}

void tn_supervisor_destroy(struct tn_supervisor **supervisor)
{
    struct tn_supervisor *self = *supervisor;
    *supervisor = NULL;
    if (self == NULL)
        return;
    for (uint32_t i = 0; self->children != NULL && i < self->plan->n_processes; i++) {
        struct child *child = &self->children[i];
        tn_loop_timer_stop(&child->respawn_timer);
        tn_loop_timer_stop(&child->term_timer);
        tn_loop_timer_stop(&child->kill_timer);
        tn_process_destroy(&child->process);
        free(child->argv);
        free(child->env);
        free(child->env_text);
        free(child->line);
    }
    tn_launch__warden_stop(&self->warden);
    if (self->signal_fd >= 0) {
        tn_loop_fd_stop(&self->signal_handle);
        (void)close(self->signal_fd);
    }
    free(self->children);
    free(self);
}
