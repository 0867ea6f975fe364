// SPDX-License-Identifier: Apache-2.0
// hand-made plans of shells: order, ends, respawn, escalation, output, and what stays behind
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compat.h"
#include "launch/supervisor.h"

#define DEADLINE_NS (60 * TN_NS_PER_S)

enum { PROCESSES = 4, TEXT = 1 << 16, PATH = 512 };

struct rig {
    char folder[256];
    struct tn_loop *loop;
    struct tn_packages *packages;
    struct tn_launch_log *log;
    struct tn_supervisor *supervisor;
    struct tn_launch_process processes[PROCESSES];
    const char *arguments[PROCESSES][8];
    struct tn_launch_plan plan;
    struct tn_supervisor_options options;
    int screen_fd;
    char text[TEXT];
};

static int set_up(void **state)
{
    struct rig *rig = calloc(1, sizeof *rig);
    const char *tmp = getenv("TMPDIR");
    char path[PATH];
    (void)snprintf(rig->folder, sizeof rig->folder, "%s/tendon-supervisor-XXXXXX",
                   tmp != NULL ? tmp : "/tmp");
    assert_non_null(mkdtemp(rig->folder));
    (void)snprintf(path, sizeof path, "%s/screen", rig->folder);
    rig->screen_fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    assert_true(rig->screen_fd >= 0);
    assert_int_equal(tn_loop_create(tn_clock_system(), &rig->loop, NULL), TN_OK);
    assert_int_equal(tn_packages_create(rig->folder, NULL, &rig->packages, NULL), TN_OK);
    const struct tn_launch_log_options log = {.screen_fd = rig->screen_fd, .folder = rig->folder};
    assert_int_equal(tn_launch_log_create(rig->loop, &log, &rig->log, NULL), TN_OK);
    rig->options = (struct tn_supervisor_options){.packages = rig->packages, .log = rig->log};
    rig->plan.processes = rig->processes;
    *state = rig;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *rig = *state;
    tn_supervisor_destroy(&rig->supervisor);
    tn_supervisor_destroy(&rig->supervisor);
    tn_launch_log_destroy(&rig->log, 0);
    tn_packages_destroy(&rig->packages);
    tn_loop_destroy(&rig->loop);
    (void)close(rig->screen_fd);
    char *const argv[] = {"rm", "-rf", rig->folder, NULL};
    const pid_t pid = fork();
    if (pid == 0) {
        (void)execvp("rm", argv);
        _exit(127);
    }
    (void)waitpid(pid, NULL, 0);
    free(rig);
    return 0;
}

// one more process of the plan: a shell with a script
static struct tn_launch_process *add(struct rig *rig, const char *label, const char *script)
{
    const uint32_t i = rig->plan.n_processes++;
    assert_true(i < PROCESSES);
    rig->arguments[i][0] = "-c";
    rig->arguments[i][1] = script;
    rig->processes[i] = (struct tn_launch_process){
        .kind = TN_LAUNCH_EXECUTABLE,
        .label = label,
        .program = "sh",
        .arguments = rig->arguments[i],
        .n_arguments = 2,
        .output = TN_LAUNCH_OUTPUT_SCREEN,
        .respawn_max = -1,
        .sigterm_timeout_s = 5.0,
        .sigkill_timeout_s = 5.0,
        .file = "a.launch.xml",
        .line = i + 10,
    };
    return &rig->processes[i];
}

static void create(struct rig *rig)
{
    struct tn_error err = {0};
    if (tn_supervisor_create(rig->loop, &rig->plan, &rig->options, &rig->supervisor, &err) != TN_OK)
        fail_msg("%s", err.text);
    assert_false(tn_supervisor_is_done(rig->supervisor));
}

static const char *read_file(struct rig *rig, const char *name)
{
    char path[PATH];
    (void)snprintf(path, sizeof path, "%s/%s", rig->folder, name);
    FILE *file = fopen(path, "re");
    rig->text[0] = '\0';
    if (file == NULL)
        return rig->text;
    const size_t n = fread(rig->text, 1, sizeof rig->text - 1, file);
    rig->text[n] = '\0';
    (void)fclose(file);
    return rig->text;
}

static const char *screen(struct rig *rig)
{
    return read_file(rig, "screen");
}

static unsigned count(const char *text, const char *part)
{
    unsigned n = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        n++;
    return n;
}

static void run_until_shown(struct rig *rig, const char *part, unsigned times)
{
    const int64_t end = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (count(screen(rig), part) < times && tn_clock_steady_now_ns() < end)
        (void)tn_loop_run_once(rig->loop, TN_NS_PER_S / 10);
    if (count(screen(rig), part) < times)
        fail_msg("never shown %u times: \"%s\" in:\n%s", times, part, rig->text);
}

static void run_to_the_end(struct rig *rig)
{
    const int64_t end = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (!tn_supervisor_is_done(rig->supervisor) && tn_clock_steady_now_ns() < end)
        (void)tn_loop_run_once(rig->loop, TN_NS_PER_S / 10);
    if (!tn_supervisor_is_done(rig->supervisor))
        fail_msg("never done:\n%s", screen(rig));
}

// each part stands in the text behind the one before
static void expect_order(const char *text, const char *const *parts, size_t n)
{
    const char *at = text;
    for (size_t i = 0; i < n; i++) {
        const char *found = strstr(at, parts[i]);
        if (found == NULL)
            fail_msg("\"%s\" is not there, or not behind \"%s\", in:\n%s", parts[i],
                     i > 0 ? parts[i - 1] : "", text);
        at = found + strlen(parts[i]);
    }
}

#define EXPECT_ORDER(text, ...)                                                                    \
    do {                                                                                           \
        const char *const parts[] = {__VA_ARGS__};                                                 \
        expect_order(text, parts, TN_ARRAY_SIZE(parts));                                           \
    } while (0)

static void it_ends_when_all_have_ended(void **state)
{
    struct rig *rig = *state;
    add(rig, "good-1", "echo out; echo err >&2");
    add(rig, "bad-2", "exit 3");
    add(rig, "killed-3", "kill -USR1 $$");
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_to_the_end(rig);
    // whatever they ended with, as ros2 launch
    assert_int_equal(tn_supervisor_exit_status(rig->supervisor), 0);
    const char *text = screen(rig);
    EXPECT_ORDER(text, "[INFO] [good-1]: process started with pid [",
                 "[INFO] [bad-2]: process started with pid [",
                 "[INFO] [killed-3]: process started with pid [");
    assert_non_null(strstr(text, "[good-1] out\n"));
    assert_non_null(strstr(text, "[good-1] err\n"));
    assert_non_null(strstr(text, "[INFO] [good-1]: process has finished cleanly [pid "));
    assert_non_null(strstr(text, ", exit code 3, cmd '"));
    assert_non_null(strstr(text, "sh -c exit 3'].\n"));
    assert_non_null(strstr(text, ", exit code -10, cmd '"));
    assert_non_null(strstr(text, "[ERROR] [killed-3]: process has died [pid "));
}

static void nothing_to_run_is_over_at_once(void **state)
{
    struct rig *rig = *state;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    assert_true(tn_supervisor_is_done(rig->supervisor));
    assert_int_equal(tn_supervisor_exit_status(rig->supervisor), 0);
}

static void the_last_started_is_asked_first(void **state)
{
    struct rig *rig = *state;
    const char *script = "trap 'exit 0' INT; echo up; while :; do sleep 0.01; done";
    add(rig, "a-1", script);
    add(rig, "b-2", script);
    add(rig, "c-3", "exit 0");
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_until_shown(rig, "] up\n", 2);
    run_until_shown(rig, "finished cleanly", 1);
    tn_supervisor_shutdown(rig->supervisor, 0);
    tn_supervisor_shutdown(rig->supervisor, 0);
    assert_false(tn_supervisor_is_done(rig->supervisor));
    run_to_the_end(rig);
    const char *text = screen(rig);
    EXPECT_ORDER(text, "[INFO] [b-2]: sending signal 'SIGINT' to process[b-2]\n",
                 "[INFO] [a-1]: sending signal 'SIGINT' to process[a-1]\n");
    assert_int_equal(count(text, "sending signal"), 2);
    assert_int_equal(count(text, "finished cleanly"), 3);
    assert_int_equal(tn_supervisor_exit_status(rig->supervisor), 0);
}

static void who_does_not_listen_is_made_to(void **state)
{
    struct rig *rig = *state;
    struct tn_launch_process *deaf =
        add(rig, "deaf-1", "trap '' INT TERM; echo up; while :; do sleep 0.01; done");
    deaf->sigterm_timeout_s = 0.05;
    deaf->sigkill_timeout_s = 0.25;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_until_shown(rig, "] up\n", 1);
    tn_supervisor_shutdown(rig->supervisor, 1);
    run_to_the_end(rig);
    const char *text = screen(rig);
    EXPECT_ORDER(text, "sending signal 'SIGINT' to process[deaf-1]\n",
                 "[ERROR] [deaf-1]: process[deaf-1] failed to terminate '0.05' seconds after "
                 "receiving 'SIGINT', escalating to 'SIGTERM'\n",
                 "sending signal 'SIGTERM' to process[deaf-1]\n",
                 "failed to terminate '0.25' seconds after receiving 'SIGTERM', escalating to "
                 "'SIGKILL'\n",
                 "sending signal 'SIGKILL' to process[deaf-1]\n", "exit code -9");
    assert_int_equal(tn_supervisor_exit_status(rig->supervisor), 1);
}

static void a_stopped_process_is_woken_to_end(void **state)
{
    struct rig *rig = *state;
    add(rig, "asleep-1", "echo up; kill -STOP $$; sleep 1000");
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_until_shown(rig, "] up\n", 1);
    tn_supervisor_shutdown(rig->supervisor, 0);
    run_to_the_end(rig);
    assert_null(strstr(screen(rig), "escalating"));
}

static void respawn_goes_on_until_its_limit(void **state)
{
    struct rig *rig = *state;
    struct tn_launch_process *process = add(rig, "again-1", "echo once more");
    process->respawns = true;
    process->respawn_max = 3;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_to_the_end(rig);
    assert_int_equal(count(screen(rig), "[again-1] once more\n"), 4);
    assert_int_equal(count(screen(rig), "[INFO] [again-1]: process started"), 4);
}

static void a_respawn_that_waits_does_not_hold_up_the_end(void **state)
{
    struct rig *rig = *state;
    struct tn_launch_process *process = add(rig, "later-1", "exit 1");
    process->respawns = true;
    process->respawn_delay_s = 1e6;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_until_shown(rig, "has died", 1);
    (void)tn_loop_run_once(rig->loop, 0);
    assert_false(tn_supervisor_is_done(rig->supervisor));
    tn_supervisor_shutdown(rig->supervisor, 0);
    assert_true(tn_supervisor_is_done(rig->supervisor));
    assert_int_equal(count(screen(rig), "process started"), 1);
}

static void what_ends_with_one_ends(void **state)
{
    struct rig *rig = *state;
    add(rig, "other-1", "trap 'exit 0' INT; echo up; while :; do sleep 0.01; done");
    struct tn_launch_process *required = add(rig, "needed-2", "read line <up");
    char fifo[PATH];
    (void)snprintf(fifo, sizeof fifo, "%s/up", rig->folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    required->shuts_down_on_exit = true;
    required->respawns = true;
    required->working_dir = rig->folder;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_until_shown(rig, "] up\n", 1);
    const int fd = open(fifo, O_WRONLY | O_CLOEXEC);
    assert_int_equal(write(fd, "\n", 1), 1);
    (void)close(fd);
    run_to_the_end(rig);
    EXPECT_ORDER(screen(rig), "[INFO] [needed-2]: process has finished cleanly",
                 "needed-2 has ended, and with it all",
                 "sending signal 'SIGINT' to process[other-1]", "[INFO] [other-1]: process has");
    assert_int_equal(count(screen(rig), "[INFO] [needed-2]: process started"), 1);
    assert_int_equal(tn_supervisor_exit_status(rig->supervisor), 0);
}

static void a_program_that_cannot_start_ends_all(void **state)
{
    struct rig *rig = *state;
    add(rig, "first-1", "trap 'exit 0' INT; while :; do sleep 0.01; done");
    add(rig, "none-2", "");
    rig->processes[1].program = "/nowhere/none";
    add(rig, "never-3", "echo never");
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_to_the_end(rig);
    EXPECT_ORDER(screen(rig),
                 "[ERROR] [none-2]: /nowhere/none: cannot start the program: ", "(a.launch.xml:11)",
                 "sending signal 'SIGINT' to process[first-1]");
    assert_null(strstr(screen(rig), "never"));
    assert_int_equal(tn_supervisor_exit_status(rig->supervisor), 1);
}

static void what_is_missing_is_told_before_anything_starts(void **state)
{
    struct rig *rig = *state;
    struct tn_error err = {0};
    add(rig, "first-1", "echo no");
    struct tn_launch_process *missing = add(rig, "none-2", "");
    missing->program = "no_such_program_anywhere";
    assert_int_equal(
        tn_supervisor_create(rig->loop, &rig->plan, &rig->options, &rig->supervisor, &err),
        TN_ERR_NOT_FOUND);
    assert_string_equal(err.file, "a.launch.xml");
    assert_int_equal(err.line, 11);
    assert_non_null(strstr(err.text, "no_such_program_anywhere"));
    missing->kind = TN_LAUNCH_NODE;
    missing->package = "no_such_package";
    assert_int_equal(
        tn_supervisor_create(rig->loop, &rig->plan, &rig->options, &rig->supervisor, &err),
        TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "package 'no_such_package' not found"));
    assert_null(rig->supervisor);
    assert_string_equal(screen(rig), "");
}

static void only_rviz_may_be_missing(void **state)
{
    struct rig *rig = *state;
    struct tn_error err = {0};
    add(rig, "rviz2-1", "")->package = "rviz2";
    rig->processes[0].program = "rviz2";
    add(rig, "other-2", "echo other");
    add(rig, "rviz2-3", "")->program = "rviz2";
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_to_the_end(rig);
    EXPECT_ORDER(screen(rig), "[WARNING] [launch]: rviz2 is not installed", "[other-2] other\n");
    assert_int_equal(count(screen(rig), "rviz2 is not installed"), 1);
    assert_int_equal(tn_supervisor_exit_status(rig->supervisor), 0);
    tn_supervisor_destroy(&rig->supervisor);
    rig->options.is_strict = true;
    assert_int_equal(
        tn_supervisor_create(rig->loop, &rig->plan, &rig->options, &rig->supervisor, &err),
        TN_ERR_NOT_FOUND);
    assert_int_equal(err.line, 10);
}

static void lines_go_where_the_output_says(void **state)
{
    static const char script[] = "printf 'out\\nrest'; echo err >&2";
    struct rig *rig = *state;
    add(rig, "log-1", script)->output = TN_LAUNCH_OUTPUT_LOG;
    add(rig, "both-2", script)->output = TN_LAUNCH_OUTPUT_BOTH;
    add(rig, "own-3", script)->output = TN_LAUNCH_OUTPUT_OWN_LOG;
    add(rig, "full/4", script)->output = TN_LAUNCH_OUTPUT_FULL;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_to_the_end(rig);
    const char *text = screen(rig);
    assert_null(strstr(text, "[log-1] out"));
    assert_non_null(strstr(text, "[log-1] err\n"));
    assert_non_null(strstr(text, "[both-2] out\n"));
    assert_non_null(strstr(text, "[both-2] rest\n"));
    assert_null(strstr(text, "[own-3] "));
    assert_non_null(strstr(text, "[full/4] err\n"));
    text = read_file(rig, "launch.log");
    assert_non_null(strstr(text, " [log-1] out\n"));
    assert_non_null(strstr(text, " [log-1] err\n"));
    assert_non_null(strstr(text, " [both-2] rest\n"));
    assert_null(strstr(text, "[own-3] out"));
    assert_non_null(strstr(text, " [full/4] out\n"));
    assert_non_null(strstr(text, " [INFO] [own-3]: process started with pid ["));
    // seconds with seven digits, as Python's {created:.7f}
    assert_int_equal(strspn(text, "0123456789"), 10);
    assert_int_equal(strspn(text + 11, "0123456789"), 7);
    assert_string_equal(read_file(rig, "own-3-stdout.log"), "[own-3] out\n[own-3] rest\n");
    assert_string_equal(read_file(rig, "own-3-stderr.log"), "[own-3] err\n");
    assert_int_equal(count(read_file(rig, "own-3.log"), "\n"), 3);
    assert_string_equal(read_file(rig, "full_4-stderr.log"), "[full/4] err\n");
}

static void one_output_may_hold_for_all(void **state)
{
    struct rig *rig = *state;
    const enum tn_launch_output both = TN_LAUNCH_OUTPUT_BOTH;
    add(rig, "log-1", "echo out")->output = TN_LAUNCH_OUTPUT_LOG;
    rig->options.output = &both;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_to_the_end(rig);
    assert_non_null(strstr(screen(rig), "[log-1] out\n"));
}

static void surroundings_are_those_of_the_plan(void **state)
{
    struct rig *rig = *state;
    static const char *const prefix[] = {"env", "TN_PREFIXED=yes", NULL};
    static const struct tn_launch_variable variables[] = {{"TN_SET", "a=b c"}, {"TN_GONE", NULL}};
    char path[PATH];
    (void)snprintf(path, sizeof path, "%s/launch_params_1.yaml", rig->folder);
    const struct tn_launch_file file = {.path = path, .text = "a: 1\n", .size = 5};
    struct tn_launch_process *process =
        add(rig, "env-1",
            "echo \"$TN_SET|${TN_GONE-gone}|$TN_PREFIXED|$PWD\"; test -t 1 && echo tty; "
            "cat $0; stat -c %a $0");
    rig->arguments[0][2] = path;
    process->n_arguments = 3;
    process->prefix = prefix;
    process->n_prefix = 2;
    process->variables = variables;
    process->n_variables = 2;
    process->working_dir = rig->folder;
    process->emulates_tty = true;
    process->files = &file;
    process->n_files = 1;
    process = add(rig, "shell-2", "");
    process->program = "echo one";
    process->is_shell = true;
    rig->arguments[1][0] = "two | tr";
    rig->arguments[1][1] = "a-z A-Z";
    assert_int_equal(setenv("TN_GONE", "still here", 1), 0);
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_to_the_end(rig);
    char expected[PATH];
    (void)snprintf(expected, sizeof expected, "[env-1] a=b c|gone|yes|%s\n", rig->folder);
    EXPECT_ORDER(screen(rig), expected, "[env-1] tty\n", "[env-1] a: 1\n", "[env-1] 600\n");
    assert_non_null(strstr(screen(rig), "[shell-2] ONE TWO\n"));
    assert_int_equal(unsetenv("TN_GONE"), 0);
}

static void messages_come_at_their_place(void **state)
{
    struct rig *rig = *state;
    static const struct tn_launch_message messages[] = {
        {.kind = TN_LAUNCH_INFO, .text = "before", .before_process = 0},
        {.kind = TN_LAUNCH_WARNING,
         .text = "between",
         .before_process = 1,
         .file = "a.launch.xml",
         .line = 7},
        {.kind = TN_LAUNCH_INFO, .text = "behind", .before_process = 2},
    };
    add(rig, "a-1", "");
    add(rig, "b-2", "");
    rig->plan.messages = messages;
    rig->plan.n_messages = 3;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    EXPECT_ORDER(screen(rig), "[INFO] [launch.user]: before\n", "[INFO] [a-1]: process started",
                 "[WARNING] [launch]: between (a.launch.xml:7)\n", "[INFO] [b-2]: process started",
                 "[INFO] [launch.user]: behind\n");
    run_to_the_end(rig);
}

// a pipe that closes when the last process that holds it is gone
static void expect_closed(int fd)
{
    char byte;
    struct pollfd end = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&end, 1, 60000), 1);
    assert_int_equal(read(fd, &byte, 1), 0);
}

// inside the fork that plays the launch
static void launch_and_hang(struct rig *rig)
{
    // an epoll set of its own: the other one is shared with the parent
    if (tn_loop_create(tn_clock_system(), &rig->loop, NULL) != TN_OK)
        _exit(1);
    add(rig, "shell-1", "sh -c 'exec 9>held; echo up; exec sleep 1000' & wait");
    rig->processes[0].working_dir = rig->folder;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    for (;;)
        (void)tn_loop_run_once(rig->loop, TN_NS_PER_S);
}

static void nothing_stays_when_the_launch_is_killed(void **state)
{
    struct rig *rig = *state;
    char held[PATH];
    (void)snprintf(held, sizeof held, "%s/held", rig->folder);
    assert_int_equal(mkfifo(held, 0600), 0);
    const int fd = open(held, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const pid_t launch = fork();
    if (launch == 0) {
        launch_and_hang(rig);
        _exit(1);
    }
    const int64_t end = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (strstr(screen(rig), "[shell-1] up") == NULL && tn_clock_steady_now_ns() < end)
        (void)tn_loop_run_once(rig->loop, TN_NS_PER_S / 100);
    assert_non_null(strstr(screen(rig), "[shell-1] up"));
    assert_int_equal(kill(launch, SIGKILL), 0);
    assert_int_equal(waitpid(launch, NULL, 0), launch);
    expect_closed(fd);
    (void)close(fd);
}

static void a_screen_that_is_too_slow_holds_up_nothing(void **state)
{
    struct rig *rig = *state;
    int fds[2];
    char buffer[65536];
    assert_int_equal(pipe(fds), 0);
    tn_launch_log_destroy(&rig->log, 0);
    const struct tn_launch_log_options log = {.screen_fd = fds[1], .folder = rig->folder};
    assert_int_equal(tn_launch_log_create(rig->loop, &log, &rig->log, NULL), TN_OK);
    rig->options.log = rig->log;
    add(rig, "chatty-1",
        "i=0; while [ $i -lt 30000 ]; do echo "
        "$i.............................................; i=$((i+1)); done")
        ->output = TN_LAUNCH_OUTPUT_BOTH;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_to_the_end(rig);
    assert_true(tn_launch_log_lost(rig->log) > 0);
    // when it is read again it goes on, and says what is missing
    assert_int_equal(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
    const int64_t end = tn_clock_steady_now_ns() + DEADLINE_NS;
    ssize_t n_read = 1;
    while (n_read > 0 && tn_clock_steady_now_ns() < end) {
        n_read = read(fds[0], buffer, sizeof buffer);
        (void)tn_loop_run_once(rig->loop, 0);
    }
    tn_launch_log_say(rig->log, TN_LAUNCH_SAYS_INFO, "launch", "again");
    n_read = read(fds[0], buffer, sizeof buffer - 1);
    assert_true(n_read > 0);
    buffer[n_read] = '\0';
    EXPECT_ORDER(buffer, "[WARNING] [launch]: the screen was too slow: ", "[launch]: again\n");
    // the log has it all
    assert_non_null(strstr(read_file(rig, "launch.log"), "[chatty-1] 0..."));
    // nobody there at all
    (void)close(fds[0]);
    (void)signal(SIGPIPE, SIG_IGN);
    tn_launch_log_say(rig->log, TN_LAUNCH_SAYS_INFO, "launch", "to nobody");
    tn_launch_log_say(rig->log, TN_LAUNCH_SAYS_INFO, "launch", "to nobody");
    (void)tn_loop_run_once(rig->loop, 0);
    (void)close(fds[1]);
}

static void a_full_disk_is_told_once(void **state)
{
    struct rig *rig = *state;
    char path[PATH];
    tn_launch_log_destroy(&rig->log, 0);
    (void)snprintf(path, sizeof path, "%s/launch.log", rig->folder);
    (void)unlink(path);
    assert_int_equal(symlink("/dev/full", path), 0);
    const struct tn_launch_log_options log = {.screen_fd = rig->screen_fd, .folder = rig->folder};
    assert_int_equal(tn_launch_log_create(rig->loop, &log, &rig->log, NULL), TN_OK);
    rig->options.log = rig->log;
    add(rig, "a-1", "echo one; echo two")->output = TN_LAUNCH_OUTPUT_BOTH;
    create(rig);
    tn_supervisor_start(rig->supervisor);
    run_to_the_end(rig);
    assert_int_equal(count(screen(rig), "launch.log cannot be written"), 1);
    assert_non_null(strstr(screen(rig), "[a-1] two\n"));
}

static void the_folder_is_named_as_ros_names_it(void **state)
{
    struct rig *rig = *state;
    char folder[1024], other[1024], link[1024], target[1024], expected[1024];
    assert_int_equal(setenv("ROS_HOME", rig->folder, 1), 0);
    assert_int_equal(unsetenv("ROS_LOG_DIR"), 0);
    assert_int_equal(tn_launch_log_make_folder(folder, sizeof folder, NULL), TN_OK);
    (void)snprintf(expected, sizeof expected, "%s/log/2", rig->folder);
    assert_memory_equal(folder, expected, strlen(expected));
    (void)snprintf(expected, sizeof expected, "-%ld", (long)getpid());
    assert_string_equal(folder + strlen(folder) - strlen(expected), expected);
    // two in one microsecond are two
    assert_int_equal(tn_launch_log_make_folder(other, sizeof other, NULL), TN_OK);
    assert_string_not_equal(folder, other);
    (void)snprintf(link, sizeof link, "%s/log/latest", rig->folder);
    const ssize_t n = readlink(link, target, sizeof target - 1);
    assert_true(n > 0);
    target[n] = '\0';
    assert_string_equal(target, other);

    (void)snprintf(expected, sizeof expected, "%s/direct", rig->folder);
    assert_int_equal(setenv("ROS_LOG_DIR", expected, 1), 0);
    assert_int_equal(tn_launch_log_make_folder(folder, sizeof folder, NULL), TN_OK);
    assert_memory_equal(folder, expected, strlen(expected));
    assert_int_equal(setenv("ROS_LOG_DIR", "~/deep/er", 1), 0);
    assert_int_equal(setenv("HOME", rig->folder, 1), 0);
    assert_int_equal(tn_launch_log_make_folder(folder, sizeof folder, NULL), TN_OK);
    (void)snprintf(expected, sizeof expected, "%s/deep/er/2", rig->folder);
    assert_memory_equal(folder, expected, strlen(expected));
    struct tn_error err = {0};
    assert_int_equal(setenv("ROS_LOG_DIR", "/dev/null/logs", 1), 0);
    assert_int_equal(tn_launch_log_make_folder(folder, sizeof folder, &err), TN_ERR_IO);
    assert_non_null(strstr(err.text, "set ROS_LOG_DIR"));
    assert_int_equal(tn_launch_log_make_folder(folder, 8, NULL), TN_ERR_IO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_ends_when_all_have_ended),
        TEST(nothing_to_run_is_over_at_once),
        TEST(the_last_started_is_asked_first),
        TEST(who_does_not_listen_is_made_to),
        TEST(a_stopped_process_is_woken_to_end),
        TEST(respawn_goes_on_until_its_limit),
        TEST(a_respawn_that_waits_does_not_hold_up_the_end),
        TEST(what_ends_with_one_ends),
        TEST(a_program_that_cannot_start_ends_all),
        TEST(what_is_missing_is_told_before_anything_starts),
        TEST(only_rviz_may_be_missing),
        TEST(lines_go_where_the_output_says),
        TEST(one_output_may_hold_for_all),
        TEST(surroundings_are_those_of_the_plan),
        TEST(messages_come_at_their_place),
        TEST(nothing_stays_when_the_launch_is_killed),
        TEST(a_screen_that_is_too_slow_holds_up_nothing),
        TEST(a_full_disk_is_told_once),
        TEST(the_folder_is_named_as_ros_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
