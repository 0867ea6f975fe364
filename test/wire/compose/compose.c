// SPDX-License-Identifier: Apache-2.0
// lib/tendon/compose as a user meets it: help, command lines that are refused, a node that cannot
// start, a clean end.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/process.h"
#include "base/udp.h"

#define TEXT_MAX    65536
#define ARGS_MAX    32
#define DEADLINE_NS (40 * TN_NS_PER_S)

struct run {
    struct tn_loop *loop;
    struct tn_process *process;
    bool has_ended;
    struct tn_process_exit status;
    size_t size;
    char text[TEXT_MAX]; // all that it printed
};

static void on_line(void *context, struct tn_process *process, const char *line, uint32_t size,
                    bool is_stderr)
{
    struct run *run = context;
    (void)process;
    (void)is_stderr;
    if (run->size + size + 2 > TEXT_MAX)
        return;
    memcpy(run->text + run->size, line, size);
    run->size += size;
    run->text[run->size++] = '\n';
    run->text[run->size] = '\0';
}

static void on_exit_of(void *context, struct tn_process *process, struct tn_process_exit status)
{
    struct run *run = context;
    (void)process;
    run->has_ended = true;
    run->status = status;
}

/// `words`: arguments with blanks between them.
static struct run *start(const char *words)
{
    struct run *run = calloc(1, sizeof *run);
    struct tn_error err = {0};
    char program[512], copy[2048], *save = NULL;
    const char *argv[ARGS_MAX + 1] = {program};
    unsigned n = 1;
    assert_non_null(run);
    (void)snprintf(program, sizeof program, "%s/lib/tendon/compose", getenv("TN_PREFIX"));
    (void)snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ", &save); word != NULL && n < ARGS_MAX;
         word = strtok_r(NULL, " ", &save))
        argv[n++] = word;
    struct tn_process_options options = {
        .name = "compose", .argv = argv, .on_exit = on_exit_of, .on_line = on_line, .context = run};
    assert_int_equal(tn_loop_create(tn_clock_system(), &run->loop, &err), TN_OK);
    if (tn_process_start(run->loop, &options, &run->process, &err) != TN_OK)
        fail_msg("%s", err.text);
    return run;
}

static void wait_for(struct run *run, const char *word)
{
    int64_t until = tn_clock_steady_now_ns() + DEADLINE_NS;
    while (word != NULL ? strstr(run->text, word) == NULL : !run->has_ended) {
        (void)tn_loop_run_once(run->loop, 10 * TN_NS_PER_MS);
        if (tn_clock_steady_now_ns() > until || (word != NULL && run->has_ended))
            fail_msg("no \"%s\" in:\n%s", word != NULL ? word : "end", run->text);
    }
}

/// Waits for the end and judges it; each of `words` must stand in what was printed.
static void finish(struct run *run, int code, const char *const *words)
{
    wait_for(run, NULL);
    if (run->status.exit_code != code)
        fail_msg("exit status %d, expected %d:\n%s", run->status.exit_code, code, run->text);
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        if (strstr(run->text, words[i]) == NULL)
            fail_msg("no \"%s\" in:\n%s", words[i], run->text);
    tn_process_destroy(&run->process);
    tn_loop_destroy(&run->loop);
    free(run);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void help_lists_nodes_with_their_parameters(void **state)
{
    (void)state;
    finish(start("--help"), 0,
           WORDS("usage: compose NODE[:=NAME][@NAMESPACE]", "contact_glove_node",
                 "hand_model_adapter", "robot_retargeter", "end_effector_node",
                 "parameters of contact_glove_node", "receive_port",
                 "parameters of end_effector_node", "position_watchdog_s"));
    struct run *run = start("robot_retargeter:=r@/x --help");
    wait_for(run, NULL);
    assert_non_null(strstr(run->text, "parameters of robot_retargeter"));
    assert_null(strstr(run->text, "parameters of end_effector_node"));
    finish(run, 0, NULL);
    finish(start("--version"), 0, WORDS("compose (tendon)"));
}

static void what_is_refused(void **state)
{
    (void)state;
    finish(start(""), 2, WORDS("no node is named"));
    finish(start("dancer"), 2, WORDS("no node \"dancer\"", "robot_retargeter"));
    finish(start("end_effector_node:="), 2, WORDS("the name is missing"));
    finish(start("end_effector_node@"), 2, WORDS("the namespace is missing"));
    finish(start("end_effector_node:=1x"), 2, WORDS("end_effector_node:=1x"));
    finish(start("end_effector_node@/a//b"), 2, WORDS("end_effector_node@/a//b"));
    finish(start("end_effector_node end_effector_node"), 2,
           WORDS("two nodes would be called /end_effector_node"));
    // one name for all
    finish(start("end_effector_node:=a end_effector_node:=b --ros-args -r __node:=c"), 2,
           WORDS("two nodes would be called /c"));
    // a limit with a typo in the name would not hold
    finish(start("end_effector_node:=left --ros-args -p lefd:position_watchdog_s:=0.2"), 2,
           WORDS("lefd:position_watchdog_s is for a node that is not in this process"));
    finish(start("end_effector_node:=left --ros-args -r right:control:=x"), 2,
           WORDS("right:control"));
    finish(start("end_effector_node --ros-args -p"), 2, WORDS("-p needs a value"));
}

static void the_node_that_cannot_start_is_named(void **state)
{
    (void)state;
    finish(start("end_effector_node:=left@/a end_effector_node:=right@/a --ros-args "
                 "-p right:side:=middle"),
           1, WORDS("compose: /a/right (end_effector_node)", "middle"));
    // an unknown parameter of one node
    finish(start("robot_retargeter:=r end_effector_node:=e --ros-args -p e:nonsense:=1"), 1,
           WORDS("compose: /e (end_effector_node)", "nonsense"));
    // a port that is taken; the nodes before it end as they should
    int fd = -1;
    struct tn_error err = {0};
    assert_int_equal(tn_udp_open("0.0.0.0", 27654, "test", &fd, &err), TN_OK);
    finish(start("end_effector_node:=e contact_glove_node:=g --ros-args -p g:receive_port:=27654"),
           1,
           WORDS("compose: /contact_glove/g (contact_glove_node)", "receive_port",
                 "stopped; commands are refused"));
    (void)close(fd);
}

static void it_ends_cleanly_and_backwards(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < 2; i++) {
        struct run *run = start("end_effector_node:=one end_effector_node:=two robot_retargeter "
                                "--ros-args -p sim:=true -p two:side:=right");
        // the watchdog beside what it watches: said once
        wait_for(run, "shares this process with /robot_retargeter");
        wait_for(run, "[two]");
        (void)tn_process_signal(run->process, signals[i]);
        wait_for(run, NULL);
        const char *one = strstr(run->text, "[one]: left hand: stopped");
        const char *two = strstr(run->text, "[two]: right hand: stopped");
        assert_true(one != NULL && two != NULL && two < one);
        finish(run, 0, NULL);
    }
    // effectors alone share no watchdog with what they watch
    struct run *run = start("end_effector_node:=one end_effector_node:=two --ros-args "
                            "-p two:side:=right");
    wait_for(run, "[two]");
    (void)tn_process_signal(run->process, SIGINT);
    wait_for(run, NULL);
    assert_null(strstr(run->text, "shares this process"));
    finish(run, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_lists_nodes_with_their_parameters),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(the_node_that_cannot_start_is_named),
        cmocka_unit_test(it_ends_cleanly_and_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
