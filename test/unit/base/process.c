// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/process.h"

#define DEADLINE_NS (30 * TN_NS_PER_S)

enum { TEXT = 65536 };

struct fixture {
    struct tn_loop *loop;
    struct tn_process *process;
    bool has_ended, destroys_on_line, destroys_on_exit;
    struct tn_process_exit status;
    uint32_t n_lines, longest;
    char out[TEXT], err[TEXT];
};

static void on_line(void *context, struct tn_process *process, const char *line, uint32_t size,
                    bool is_stderr)
{
    struct fixture *f = context;
    (void)process;
    char *text = is_stderr ? f->err : f->out;
    const size_t used = strlen(text);
    (void)snprintf(text + used, TEXT - used, "%.*s|", (int)size, line);
    f->n_lines++;
    f->longest = size > f->longest ? size : f->longest;
    if (f->destroys_on_line)
        tn_process_destroy(&f->process);
}

static void on_exit_(void *context, struct tn_process *process, struct tn_process_exit status)
{
    struct fixture *f = context;
    f->has_ended = true;
    f->status = status;
    assert_false(tn_process_is_running(process));
    assert_int_equal(tn_process_pid(process), 0);
    if (f->destroys_on_exit)
        tn_process_destroy(&f->process);
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_int_equal(tn_loop_create(tn_clock_system(), &f->loop, NULL), TN_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    tn_process_destroy(&f->process);
    tn_process_destroy(&f->process);
    tn_loop_destroy(&f->loop);
    free(f);
    return 0;
}

static void start_shell(struct fixture *f, const char *script)
{
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    const char *const env[] = {"TN_TEST_A=first", "PATH=/usr/bin:/bin", NULL};
    const struct tn_process_options options = {.name = "shell",
                                               .argv = argv,
                                               .env_extra = env,
                                               .working_dir = "/",
                                               .on_exit = on_exit_,
                                               .on_line = on_line,
                                               .context = f};
    assert_int_equal(tn_process_start(f->loop, &options, &f->process, NULL), TN_OK);
    assert_true(tn_process_is_running(f->process));
    assert_string_equal(tn_process_name(f->process), "shell");
}

static void wait_for_end(struct fixture *f)
{
    const int64_t end = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (!f->has_ended && tn_clock_steady_now_ns() < end)
        (void)tn_loop_run_once(f->loop, TN_NS_PER_S);
    assert_true(f->has_ended);
}

static void wait_for_lines(struct fixture *f, uint32_t n)
{
    const int64_t end = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (f->n_lines < n && tn_clock_steady_now_ns() < end)
        (void)tn_loop_run_once(f->loop, TN_NS_PER_S);
    assert_true(f->n_lines >= n);
}

static void output_environment_and_exit_code_arrive(void **state)
{
    struct fixture *f = *state;
    start_shell(f, "echo $TN_TEST_A; pwd; echo no >&2; printf 'a\\n\\nlast'; exit 7");
    wait_for_end(f);
    assert_string_equal(f->out, "first|/|a||last|");
    assert_string_equal(f->err, "no|");
    assert_int_equal(f->status.exit_code, 7);
    assert_int_equal(tn_process_signal(f->process, SIGTERM), TN_ERR_STATE);
    tn_process_stop(f->process, 0, 0);
}

static void variables_are_replaced_and_taken_out(void **state)
{
    struct fixture *f = *state;
    const char *const argv[] = {"/bin/sh", "-c", "env | grep ^TN_TEST | sort", NULL};
    const char *const env[] = {"TN_TEST_A=new=1", "TN_TEST_B", "TN_TEST_NONE", "TN_TEST_D=", NULL};
    const struct tn_process_options options = {.name = "shell",
                                               .argv = argv,
                                               .env_extra = env,
                                               .on_exit = on_exit_,
                                               .on_line = on_line,
                                               .context = f};
    // names that begin alike are others
    assert_int_equal(setenv("TN_TEST_A", "old", 1), 0);
    assert_int_equal(setenv("TN_TEST_AA", "stays", 1), 0);
    assert_int_equal(setenv("TN_TEST_B", "goes", 1), 0);
    assert_int_equal(setenv("TN_TEST_BB", "stays", 1), 0);
    assert_int_equal(tn_process_start(f->loop, &options, &f->process, NULL), TN_OK);
    wait_for_end(f);
    assert_string_equal(f->out, "TN_TEST_A=new=1|TN_TEST_AA=stays|TN_TEST_BB=stays|TN_TEST_D=|");
    assert_int_equal(unsetenv("TN_TEST_A"), 0);
    assert_int_equal(unsetenv("TN_TEST_AA"), 0);
    assert_int_equal(unsetenv("TN_TEST_B"), 0);
    assert_int_equal(unsetenv("TN_TEST_BB"), 0);
}

static void a_terminal_changes_no_byte(void **state)
{
    struct fixture *f = *state;
    const char *const argv[] = {
        "/bin/sh", "-c",
        "test -t 0 || echo no; test -t 1 && test -t 2 && printf 'a\\tb\\r\\n'; "
        "i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i+1)); done; echo no >&2; printf last",
        NULL};
    const struct tn_process_options options = {.name = "shell",
                                               .argv = argv,
                                               .emulates_tty = true,
                                               .on_exit = on_exit_,
                                               .on_line = on_line,
                                               .context = f};
    assert_int_equal(tn_process_start(f->loop, &options, &f->process, NULL), TN_OK);
    wait_for_end(f);
    assert_int_equal(f->n_lines, 3004);
    assert_memory_equal(f->out, "no|a\tb\r|0|1|", 12);
    assert_non_null(strstr(f->out, "|2999|last|"));
    assert_string_equal(f->err, "no|");
}

static void all_output_is_delivered_before_the_end(void **state)
{
    struct fixture *f = *state;
    start_shell(f, "i=0; while [ $i -lt 9000 ]; do echo $i; i=$((i+1)); done");
    wait_for_end(f);
    assert_int_equal(f->n_lines, 9000);
    assert_non_null(strstr(f->out, "|8999|"));
}

static void long_lines_are_split(void **state)
{
    struct fixture *f = *state;
    start_shell(f, "printf '%010000d\\n' 1; echo end");
    wait_for_end(f);
    assert_int_equal(f->longest, 4096);
    assert_int_equal(f->n_lines, 4);
    assert_int_equal(strlen(f->out), 10000 + 3 + 4);
}

static void a_signal_is_reported(void **state)
{
    struct fixture *f = *state;
    start_shell(f, "echo up; exec sleep 1000");
    wait_for_lines(f, 1);
    assert_int_equal(tn_process_signal(f->process, SIGUSR1), TN_OK);
    wait_for_end(f);
    assert_int_equal(f->status.exit_code, -1);
    assert_int_equal(f->status.signal_number, SIGUSR1);
}

static void stop_asks_first(void **state)
{
    struct fixture *f = *state;
    start_shell(f, "trap 'echo int; exit 3' INT; echo up; while :; do sleep 0.01; done");
    wait_for_lines(f, 1);
    tn_process_stop(f->process, DEADLINE_NS, DEADLINE_NS);
    wait_for_end(f);
    assert_int_equal(f->status.exit_code, 3);
}

static void stop_insists(void **state)
{
    struct fixture *f = *state;
    start_shell(f, "trap '' INT; trap 'echo term' TERM; echo up; while :; do sleep 0.01; done");
    wait_for_lines(f, 1);
    tn_process_stop(f->process, 20 * TN_NS_PER_MS, 300 * TN_NS_PER_MS);
    wait_for_end(f);
    assert_string_equal(f->out, "up|term|");
    assert_int_equal(f->status.signal_number, SIGKILL);
}

static void a_stopped_process_can_be_stopped(void **state)
{
    struct fixture *f = *state;
    start_shell(f, "echo up; exec sleep 1000");
    wait_for_lines(f, 1);
    assert_int_equal(tn_process_signal(f->process, SIGSTOP), TN_OK);
    tn_process_stop(f->process, DEADLINE_NS, DEADLINE_NS);
    wait_for_end(f);
    assert_int_equal(f->status.signal_number, SIGINT);
}

static pid_t parse_pid(const char *text)
{
    int64_t pid = 0;
    assert_int_equal(tn_parse_i64(text, strcspn(text, "|"), 2, INT32_MAX, &pid), TN_OK);
    return (pid_t)pid;
}

static void nothing_of_the_group_stays_behind(void **state)
{
    struct fixture *f = *state;
    start_shell(f, "sleep 1000 & echo $!; exit 0");
    wait_for_end(f);
    assert_int_equal(f->n_lines, 1);
    const pid_t grandchild = parse_pid(f->out);
    const int64_t end = tn_clock_steady_now_ns() + DEADLINE_NS;
    char path[64], status[256] = "";
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)grandchild);
    while (tn_clock_steady_now_ns() < end) {
        FILE *file = fopen(path, "r");
        if (file == NULL)
            return;
        const size_t n = fread(status, 1, sizeof status - 1, file);
        status[n] = '\0';
        (void)fclose(file);
        // dead and not yet collected by init counts as gone
        if (strstr(status, ") Z ") != NULL)
            return;
    }
    fail_msg("grandchild still there: %s", status);
}

static void signals_and_descriptors_are_not_inherited(void **state)
{
    struct fixture *f = *state;
    int leak[2];
    assert_int_equal(pipe(leak), 0);
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    assert_int_equal(sigprocmask(SIG_BLOCK, &blocked, &before), 0);
    (void)signal(SIGPIPE, SIG_IGN);
    // signals 32 and 33 are the C library's own: it lets nobody change them, whoever started the
    // test
    start_shell(f, "grep SigBlk /proc/self/status; "
                   "ignored=$(sed -n 's/^SigIgn:[^0-9a-f]*//p' /proc/self/status); "
                   "echo ignored $((0x$ignored & 0x7fffffff)); "
                   "ls /proc/self/fd | wc -l; readlink /proc/self/fd/0");
    wait_for_end(f);
    (void)signal(SIGPIPE, SIG_DFL);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    // 0, 1, 2 and the directory that ls reads
    assert_string_equal(f->out, "SigBlk:\t0000000000000000|ignored 0|4|/dev/null|");
    (void)close(leak[0]);
    (void)close(leak[1]);
}

static void a_missing_program_is_an_error_at_the_start(void **state)
{
    struct fixture *f = *state;
    const char *const argv[] = {"/nowhere/program", NULL};
    struct tn_process_options options = {.name = "n", .argv = argv};
    struct tn_error err = {0};
    assert_int_equal(tn_process_start(f->loop, &options, &f->process, &err), TN_ERR_NOT_FOUND);
    assert_string_equal(err.file, "/nowhere/program");
    const char *const directory[] = {"/tmp", NULL};
    options.argv = directory;
    assert_int_equal(tn_process_start(f->loop, &options, &f->process, &err), TN_ERR_PERMISSION);
    const char *const good[] = {"/bin/true", NULL};
    options.argv = good;
    options.working_dir = "/nowhere";
    assert_int_equal(tn_process_start(f->loop, &options, &f->process, &err), TN_ERR_NOT_FOUND);
    assert_null(f->process);
    // no zombie is left
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void it_may_be_destroyed_in_its_callbacks(void **state)
{
    struct fixture *f = *state;
    f->destroys_on_line = true;
    start_shell(f, "echo a; echo b; sleep 1000");
    wait_for_lines(f, 1);
    assert_null(f->process);
    assert_int_equal(f->n_lines, 1);
    // on the way out of the drain as well
    start_shell(f, "echo a; echo b");
    wait_for_lines(f, 2);
    assert_null(f->process);
    assert_false(f->has_ended);
    f->destroys_on_line = false;
    f->destroys_on_exit = true;
    start_shell(f, "exit 0");
    wait_for_end(f);
    assert_null(f->process);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_running_process_is_killed_with_its_handle(void **state)
{
    struct fixture *f = *state;
    start_shell(f, "trap '' INT TERM; echo up; while :; do sleep 0.01; done");
    wait_for_lines(f, 1);
    const pid_t pid = tn_process_pid(f->process);
    assert_true(tn_process_rss_kib(pid) > 0);
    tn_process_destroy(&f->process);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(tn_process_rss_kib(pid), 0);
    assert_false(f->has_ended);
}

static void children_die_with_their_parent(void **state)
{
    (void)state;
    int alive[2];
    assert_int_equal(pipe(alive), 0);
    const pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        // the grandchild's standard output is this pipe; it closes when the last holder is dead
        (void)close(alive[0]);
        struct tn_loop *loop = NULL;
        struct tn_process *process = NULL;
        const char *const argv[] = {"/bin/sh", "-c",
                                    "exec >/proc/$PPID/fd/$FD; echo up; exec sleep 99", NULL};
        char fd_text[32];
        (void)snprintf(fd_text, sizeof fd_text, "FD=%d", alive[1]);
        const char *const env[] = {fd_text, NULL};
        const struct tn_process_options options = {.name = "n", .argv = argv, .env_extra = env};
        if (tn_loop_create(tn_clock_system(), &loop, NULL) != TN_OK ||
            tn_process_start(loop, &options, &process, NULL) != TN_OK)
            _exit(1);
        (void)tn_loop_run(loop);
        _exit(2);
    }
    (void)close(alive[1]);
    char text[8];
    struct pollfd end = {.fd = alive[0], .events = POLLIN};
    assert_int_equal(poll(&end, 1, 30000), 1);
    assert_int_equal(read(alive[0], text, sizeof text), 3);
    assert_int_equal(kill(parent, SIGKILL), 0);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(poll(&end, 1, 30000), 1);
    // end of file: nobody holds the other end any more
    assert_int_equal(read(alive[0], text, sizeof text), 0);
    (void)close(alive[0]);
}

static void the_prefix_is_found(void **state)
{
    (void)state;
    char buffer[4096];
    char *saved = getenv("TN_PREFIX");
    char copy[1024] = "";
    if (saved != NULL)
        (void)snprintf(copy, sizeof copy, "%s", saved);
    assert_int_equal(setenv("TN_PREFIX", "/some/prefix", 1), 0);
    assert_int_equal(tn_process_prefix(buffer, sizeof buffer), TN_OK);
    assert_string_equal(buffer, "/some/prefix");
    assert_int_equal(tn_process_prefix(buffer, 12), TN_ERR_LIMIT);
    if (copy[0] != '\0')
        (void)setenv("TN_PREFIX", copy, 1);
}

/// Whatever the caller left closed, the next file must not get its number; what is open stays.
static void closed_standard_streams_become_dev_null(void **state)
{
    (void)state;
    for (unsigned closed = 0; closed < 8; closed++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            // a pipe of our own stands for what is open
            int fds[2], bad = pipe(fds) != 0;
            for (int fd = 0; fd <= STDERR_FILENO; fd++)
                bad |= (closed >> fd & 1u) != 0 ? close(fd) != 0 : dup2(fds[0], fd) != fd;
            tn_process_open_standard_streams();
            struct stat null, pipe_end, found;
            bad |= stat("/dev/null", &null) != 0 || fstat(fds[0], &pipe_end) != 0;
            for (int fd = 0; fd <= STDERR_FILENO; fd++) {
                const bool was_closed = (closed >> fd & 1u) != 0;
                bad |= fstat(fd, &found) != 0 ||
                       found.st_ino != (was_closed ? null.st_ino : pipe_end.st_ino);
            }
            // none more than needed
            bad |= dup(fds[0]) != fds[1] + 1;
            _exit(bad);
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(output_environment_and_exit_code_arrive),
        TEST(all_output_is_delivered_before_the_end),
        TEST(variables_are_replaced_and_taken_out),
        TEST(a_terminal_changes_no_byte),
        TEST(long_lines_are_split),
        TEST(a_signal_is_reported),
        TEST(stop_asks_first),
        TEST(stop_insists),
        TEST(a_stopped_process_can_be_stopped),
        TEST(nothing_of_the_group_stays_behind),
        TEST(signals_and_descriptors_are_not_inherited),
        TEST(a_missing_program_is_an_error_at_the_start),
        TEST(it_may_be_destroyed_in_its_callbacks),
        TEST(a_running_process_is_killed_with_its_handle),
        TEST(children_die_with_their_parent),
        TEST(the_prefix_is_found),
        TEST(closed_standard_streams_become_dev_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
