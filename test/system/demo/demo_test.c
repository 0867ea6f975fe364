// SPDX-License-Identifier: Apache-2.0
// `tendon demo` as a user meets it: reports, exit codes, Ctrl-C, programs that die
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/process.h"
#include "devices/motion/script.h"
#include "support/left_behind.h"
#include "unit/devices/hand_builder.h"

#define TEXT_MAX 65536

// far more than a loaded machine under a sanitizer needs
static const int64_t limit_ns = 60 * TN_NS_PER_S;

struct run {
    struct tn_loop *loop;
    struct tn_process *process;
    bool has_ended;
    struct tn_process_exit status;
    size_t out_size, err_size;
    char out[TEXT_MAX], err[TEXT_MAX]; // what it printed, newest part
};

static unsigned n_failed(unsigned more)
{
    static _Thread_local unsigned n;
    n += more;
    return n;
}

#define CHECK(claim, ...)                                                                          \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            (void)fprintf(stderr, "%s:%d: not true: %s; ", __FILE__, __LINE__, #claim);            \
            (void)fprintf(stderr, __VA_ARGS__);                                                    \
            (void)fprintf(stderr, "\n");                                                           \
            (void)n_failed(1);                                                                     \
        }                                                                                          \
    } while (0)

// ---- running it ----

static void keep(char *text, size_t *size, const char *line, uint32_t length)
{
    if (*size + length + 2 > TEXT_MAX) {
        *size = 0;
    }
    if (length + 2 > TEXT_MAX) {
        return;
    }
    memcpy(text + *size, line, length);
    *size += length;
    text[(*size)++] = '\n';
    text[*size] = '\0';
}

static void on_line(void *context, struct tn_process *process, const char *line, uint32_t size,
                    bool is_stderr)
{
    (void)process;
    struct run *run = context;
    if (is_stderr) {
        keep(run->err, &run->err_size, line, size);
    } else {
        keep(run->out, &run->out_size, line, size);
    }
}

static void on_exit_of(void *context, struct tn_process *process, struct tn_process_exit status)
{
    (void)process;
    struct run *run = context;
    run->has_ended = true;
    run->status = status;
}

static struct run *start(const char *const *arguments)
{
    struct run *run = calloc(1, sizeof *run);
    struct tn_error err = {0};
    char program[512];
    const char *argv[24] = {program};
    for (size_t i = 0; arguments[i] != NULL && i + 2 < TN_ARRAY_SIZE(argv); i++) {
        argv[i + 1] = arguments[i];
    }
    (void)snprintf(program, sizeof program, "%s/bin/tendon", getenv("TN_PREFIX"));
    struct tn_process_options options = {
        .name = "tendon", .argv = argv, .on_exit = on_exit_of, .on_line = on_line, .context = run};
    if (run == NULL || tn_loop_create(tn_clock_system(), &run->loop, &err) != TN_OK ||
        tn_process_start(run->loop, &options, &run->process, &err) != TN_OK) {
        (void)fprintf(stderr, "cannot start %s: %s\n", program, err.text);
        exit(1);
    }
    return run;
}

// waits for the word in what it prints, or for its end when there is no word
static bool wait_for(struct run *run, const char *word)
{
    int64_t end_ns = tn_clock_steady_now_ns() + limit_ns;
    bool is_seen = false;
    while (!is_seen && !run->has_ended && tn_clock_steady_now_ns() < end_ns) {
        (void)tn_loop_run_once(run->loop, 100 * TN_NS_PER_MS);
        is_seen =
            word != NULL && (strstr(run->out, word) != NULL || strstr(run->err, word) != NULL);
    }
    return word != NULL ? is_seen : run->has_ended;
}

// from now on only what is printed later counts
static void forget(struct run *run)
{
    run->out_size = run->err_size = 0;
    run->out[0] = run->err[0] = '\0';
}

// waits until nothing of the run lives any more, which the kernel does in its own time
static void check_nothing_left(void)
{
    int64_t end_ns = tn_clock_steady_now_ns() + 20 * TN_NS_PER_S;
    unsigned n = left_behind_count();
    while (n > 0 && tn_clock_steady_now_ns() < end_ns) {
        struct timespec pause = {.tv_nsec = 100 * TN_NS_PER_MS};
        (void)nanosleep(&pause, NULL);
        n = left_behind_count();
    }
    CHECK(n == 0, "%u processes left", n);
}

// what a demo leaves that was killed
static void remove_folder(const char *name)
{
    static const char *const files[] = {"trace", "send.log", "left.log", "right.log",
                                        "programs.log"};
    char path[1024];
    for (size_t i = 0; i < TN_ARRAY_SIZE(files); i++) {
        (void)snprintf(path, sizeof path, "%s/%s/%s", getenv("TMPDIR"), name, files[i]);
        (void)unlink(path);
    }
    (void)snprintf(path, sizeof path, "%s/%s", getenv("TMPDIR"), name);
    CHECK(rmdir(path) == 0, "%s: %s", path, strerror(errno));
}

static void check_files(bool may_be_left)
{
    DIR *dir = opendir(getenv("TMPDIR"));
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        if (strncmp(entry->d_name, "tendon-demo-", 12) == 0) {
            CHECK(may_be_left, "%s is left", entry->d_name);
            remove_folder(entry->d_name);
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
}

static void show(const struct run *run)
{
    (void)fprintf(stderr, "--- stdout\n%s--- stderr\n%s---\n", run->out, run->err);
}

// ends the run and judges its exit status
static void finish(struct run *run, int expected)
{
    bool is_over = wait_for(run, NULL);
    CHECK(is_over, "it did not end");
    CHECK(!is_over || run->status.exit_code == expected, "exit status %d, signal %d, expected %d",
          run->status.exit_code, run->status.signal_number, expected);
    if (n_failed(0) > 0) {
        show(run);
    }
    tn_process_destroy(&run->process);
    tn_loop_destroy(&run->loop);
    free(run);
    check_nothing_left();
    check_files(false);
}

static void run_to_end(int expected, const char *words, const char *const *arguments)
{
    struct run *run = start(arguments);
    (void)wait_for(run, NULL);
    CHECK(words == NULL || strstr(run->err, words) != NULL, "stderr lacks \"%s\"", words);
    finish(run, expected);
}

// ---- the report ----

static const json_t *need(const json_t *object, const char *key, json_type type)
{
    const json_t *value = json_object_get(object, key);
    bool is_number = type == JSON_REAL && json_is_number(value);
    CHECK(value != NULL && (is_number || json_typeof(value) == type), "key %s", key);
    return value;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(need(object, key, JSON_REAL));
}

static void check_quantiles(const json_t *object)
{
    double p50 = number(object, "p50"), p99 = number(object, "p99"), max = number(object, "max");
    CHECK(p50 >= 0.0 && p50 <= p99 && p99 <= max, "p50 %g, p99 %g, max %g", p50, p99, max);
}

static void check_hand(const json_t *hand, bool has_moved)
{
    static const char *const stages[] = {"driver", "adapter", "command", "accepted", "executed"};
    double frames = number(hand, "frames"), commands = number(hand, "commands");
    CHECK(frames > 10.0 && commands > 10.0 && number(hand, "executed") > 10.0, "%g frames", frames);
    CHECK(commands <= frames + 60.0, "%g commands of %g frames", commands, frames);
    CHECK(number(hand, "lost") >= 0.0, "lost");
    CHECK(number(hand, "stale_commands") < 0.5, "stale");
    CHECK(number(hand, "repeated_commands") < 0.5, "repeated");
    CHECK(json_is_boolean(json_object_get(hand, "moved")), "key moved");
    CHECK(json_is_true(json_object_get(hand, "moved")) == has_moved, "moved");
    check_quantiles(need(hand, "latency_us", JSON_OBJECT));
    const json_t *table = need(hand, "stages", JSON_OBJECT);
    for (size_t i = 0; i < TN_ARRAY_SIZE(stages); i++) {
        check_quantiles(need(table, stages[i], JSON_OBJECT));
    }
}

static void check_report_of(json_t *root, bool has_moved, const char *const *programs,
                            size_t n_programs)
{
    CHECK(root != NULL, "the report is no JSON");
    const json_t *hands = need(root, "hands", JSON_OBJECT);
    const json_t *rss = need(root, "rss_kib", JSON_OBJECT);
    check_hand(json_object_get(hands, "left"), has_moved);
    check_hand(json_object_get(hands, "right"), has_moved);
    CHECK(json_object_size(rss) == n_programs, "%zu programs", json_object_size(rss));
    for (size_t i = 0; i < n_programs; i++) {
        CHECK(number(rss, programs[i]) > 100.0, "rss of %s", programs[i]);
    }
    json_decref(root);
}

static void check_report(json_t *root, bool has_moved)
{
    static const char *const programs[] = {"divingstation",      "contact_glove_node",
                                           "hand_model_adapter", "robot_retargeter",
                                           "left_hand",          "right_hand"};
    check_report_of(root, has_moved, programs, TN_ARRAY_SIZE(programs));
}

// two, one after the other: the first is too short for every finger, the second is not
static void test_report(const char *dir)
{
    char path[600];
    (void)snprintf(path, sizeof path, "%s/report.json", dir);
    run_to_end(4, "moved: no",
               (const char *[]){"demo", "--seconds", "0.9", "--report", path, "--plain", NULL});
    check_report(json_load_file(path, 0, NULL), false);
    (void)unlink(path);

    struct run *run =
        start((const char *[]){"demo", "--seconds", "10", "--report", "-", "--seed", "7", NULL});
    (void)wait_for(run, NULL);
    const char *json = strstr(run->out, "{\n");
    check_report(json != NULL ? json_loads(json, JSON_DISABLE_EOF_CHECK, NULL) : NULL, true);
    finish(run, 0);
}

// ---- a recorded hand ----

static void write_recording(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        (void)fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    (void)fputs("t", file);
    for (unsigned i = 0; i < TN_MOTION_POINTS; i++) {
        (void)fprintf(file, ",x%u,y%u,z%u", i, i, i);
    }
    for (unsigned k = 0; k < 30 * 14; k++) {
        struct tn_motion_pose pose;
        tn_motion_script_sample(TN_SIDE_RIGHT, k / 30.0, &pose);
        struct tn_motion_points points = builder_right_hand(&pose);
        (void)fprintf(file, "\n%.6f", k / 30.0);
        for (unsigned i = 0; i < TN_MOTION_POINTS; i++) {
            (void)fprintf(file, ",%.6f,%.6f,%.6f", points.point_m[i][0], points.point_m[i][1],
                          points.point_m[i][2]);
        }
    }
    (void)fputs("\n", file);
    (void)fclose(file);
}

static void test_input(const char *dir)
{
    char path[600];
    (void)snprintf(path, sizeof path, "%s/hand.csv", dir);
    write_recording(path);
    run_to_end(0, "moved: yes",
               (const char *[]){"demo", "--seconds", "11", "--input", path, "--plain", NULL});
    (void)unlink(path);
}

// a recording that is none: the software glove says so and ends
static void test_bad_input(const char *dir)
{
    char path[600];
    (void)snprintf(path, sizeof path, "%s/bad.csv", dir);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs("t,x0\n0,nan\n", file) >= 0 && fclose(file) == 0, "%s", path);
    run_to_end(5, "divingstation", (const char *[]){"demo", "--input", path, "--plain", NULL});
    (void)unlink(path);
}

// ---- the command line ----

static void test_usage(const char *dir)
{
    (void)dir;
    run_to_end(2, "--report needs --seconds", (const char *[]){"demo", "--report", "x", NULL});
    run_to_end(2, "not a number", (const char *[]){"demo", "--seconds", "many", NULL});
    run_to_end(2, "not a number", (const char *[]){"demo", "--seconds", "-1", NULL});
    run_to_end(2, "/nowhere/x.csv", (const char *[]){"demo", "--input", "/nowhere/x.csv", NULL});
    run_to_end(2, "unexpected argument", (const char *[]){"demo", "more", NULL});
    run_to_end(2, NULL, (const char *[]){"demo", "--nonsense", NULL});
    run_to_end(2, "usage: tendon arm", (const char *[]){"arm", "middle", NULL});
    run_to_end(2, "no command", (const char *[]){"dance", NULL});
    run_to_end(0, NULL, (const char *[]){"demo", "--help", NULL});
    run_to_end(1, "no robot_retargeter", (const char *[]){"arm", "left", NULL});
    run_to_end(1, "cannot write the report",
               (const char *[]){"demo", "--seconds", "0.2", "--report", "/nowhere/r.json", NULL});
}

// ---- the end by a signal ----

static const char *const plain_demo[] = {"demo", "--plain", NULL};

static void test_interrupt(const char *dir)
{
    (void)dir;
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < TN_ARRAY_SIZE(signals); i++) {
        struct run *run = start(plain_demo);
        CHECK(wait_for(run, "following"), "the hands never followed");
        (void)tn_process_signal(run->process, signals[i]);
        finish(run, 0);
    }
    // before anything follows
    struct run *run = start(plain_demo);
    CHECK(wait_for(run, "joints"), "no view");
    (void)tn_process_signal(run->process, SIGINT);
    finish(run, 0);
}

// children found by what they are called in /proc
static pid_t find_child(const struct run *run, const char *name)
{
    char path[64], text[4096];
    pid_t found = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc != NULL && (entry = readdir(proc)) != NULL;) {
        (void)snprintf(path, sizeof path, "/proc/%.20s/cmdline", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file == NULL) {
            continue;
        }
        size_t size = fread(text, 1, sizeof text - 1, file);
        (void)fclose(file);
        text[size] = '\0';
        const char *base = strrchr(text, '/');
        long pid = strtol(entry->d_name, NULL, 10);
        if (base != NULL && strcmp(base + 1, name) == 0 && pid != tn_process_pid(run->process)) {
            found = (pid_t)pid;
        }
    }
    if (proc != NULL) {
        (void)closedir(proc);
    }
    return found;
}

static void signal_child(struct run *run, const char *name, int signal_number)
{
    pid_t pid = find_child(run, name);
    CHECK(pid > 0, "no child %s", name);
    if (pid > 0) {
        (void)kill(pid, signal_number);
    }
}

static void test_child_dies(const char *dir)
{
    (void)dir;
    static const char *const names[] = {"divingstation", "robot_retargeter", "end_effector_node"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++) {
        struct run *run = start(plain_demo);
        CHECK(wait_for(run, i == 0 ? "joints" : "following"), "the hands never followed");
        signal_child(run, names[i], SIGKILL);
        CHECK(wait_for(run, "ended by itself"), "no word about %s", names[i]);
        CHECK(i == 2 || strstr(run->err, names[i]) != NULL, "%s is not named", names[i]);
        finish(run, 5);
    }
}

// the demo itself is killed: its programs die with it
static void test_killed(const char *dir)
{
    (void)dir;
    struct run *run = start(plain_demo);
    CHECK(wait_for(run, "following"), "the hands never followed");
    (void)kill(tn_process_pid(run->process), SIGKILL);
    CHECK(wait_for(run, NULL), "it lives");
    tn_process_destroy(&run->process);
    tn_loop_destroy(&run->loop);
    free(run);
    check_nothing_left();
    check_files(true);
}

// a driver that says nothing: the hands cannot become ACTIVE
static void test_not_active(const char *dir)
{
    (void)dir;
    struct run *run = start((const char *[]){"demo", "--seconds", "5", "--plain", NULL});
    CHECK(wait_for(run, "joints"), "no view");
    signal_child(run, "contact_glove_node", SIGSTOP);
    CHECK(wait_for(run, "not ACTIVE within 10 s"), "no word about it");
    finish(run, 3);
}

// ---- beside a demo ----

// runs `tendon verb which` while the demo goes on; only what the demo says afterwards counts
static void run_to_end_beside(struct run *demo, const char *verb, const char *which)
{
    struct run *run = start((const char *[]){verb, which, NULL});
    CHECK(wait_for(run, NULL) && run->status.exit_code == 0, "tendon %s %s: status %d: %s", verb,
          which, run->status.exit_code, run->err);
    tn_process_destroy(&run->process);
    tn_loop_destroy(&run->loop);
    free(run);
    // what it printed until now is in the pipe
    (void)tn_loop_run_once(demo->loop, 0);
    forget(demo);
}

static void test_operate(const char *dir)
{
    (void)dir;
    struct run *demo = start(plain_demo);
    CHECK(wait_for(demo, "following"), "the hands never followed");
    run_to_end_beside(demo, "estop", "both");
    CHECK(wait_for(demo, "latched"), "the e-stop does not show");
    run_to_end_beside(demo, "arm", "both");
    CHECK(wait_for(demo, "following"), "arm does not help");
    run_to_end_beside(demo, "disarm", "right");
    CHECK(wait_for(demo, "holding"), "disarm does not show");
    (void)tn_process_signal(demo->process, SIGINT);
    finish(demo, 0);
}

// ---- all nodes in one process ----

// the same report; the process is stopped for longer than any age that may be executed, and what
// waited in its queues is not executed afterwards
static void test_composed(const char *dir)
{
    static const char *const programs[] = {"divingstation", "compose"};
    char path[600];
    (void)snprintf(path, sizeof path, "%s/report.json", dir);
    struct run *run = start((const char *[]){"demo", "--compose", "--seconds", "10", "--report",
                                             path, "--plain", "--seed", "3", NULL});
    CHECK(wait_for(run, "following"), "the hands never followed");
    struct timespec stall = {.tv_nsec = 500 * TN_NS_PER_MS};
    signal_child(run, "compose", SIGSTOP);
    (void)nanosleep(&stall, NULL);
    signal_child(run, "compose", SIGCONT);
    forget(run);
    CHECK(wait_for(run, "following"), "it did not heal");
    finish(run, 0);
    check_report_of(json_load_file(path, 0, NULL), true, programs, TN_ARRAY_SIZE(programs));
    (void)unlink(path);
}

// with one process for all nothing is left that could hold a hand: the demo says who died
static void test_composed_dies(const char *dir)
{
    (void)dir;
    static const char *const names[] = {"compose", "divingstation"};
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++) {
        struct run *run = start((const char *[]){"demo", "--compose", "--plain", NULL});
        CHECK(wait_for(run, "following"), "the hands never followed");
        signal_child(run, names[i], SIGKILL);
        CHECK(wait_for(run, "ended by itself"), "no word about %s", names[i]);
        CHECK(strstr(run->err, names[i]) != NULL, "%s is not named", names[i]);
        finish(run, 5);
    }
    struct run *run = start((const char *[]){"demo", "--compose", "--plain", NULL});
    CHECK(wait_for(run, "following"), "the hands never followed");
    run_to_end_beside(run, "estop", "both");
    CHECK(wait_for(run, "latched"), "the e-stop does not show");
    run_to_end_beside(run, "arm", "both");
    CHECK(wait_for(run, "following"), "arm does not help");
    (void)tn_process_signal(run->process, SIGINT);
    finish(run, 0);
}

struct test {
    const char *name;
    void (*run)(const char *dir);
};

static const struct test tests[] = {
    {"report", test_report},
    {"input", test_input},
    {"bad_input", test_bad_input},
    {"usage", test_usage},
    {"interrupt", test_interrupt},
    {"child_dies", test_child_dies},
    {"killed", test_killed},
    {"not_active", test_not_active},
    {"operate", test_operate},
    {"composed", test_composed},
    {"composed_dies", test_composed_dies},
};

int main(int argc, char **argv)
{
    char dir[512];
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(dir, sizeof dir, "%s/demo-test-XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (argc != 2 || getenv("TN_PREFIX") == NULL || mkdtemp(dir) == NULL) {
        (void)fprintf(stderr, "usage: TN_PREFIX=BUILD test.system.demo NAME\n");
        return 2;
    }
    (void)setenv("TMPDIR", dir, 1);
    left_behind_mark();
    bool is_known = false;
    for (size_t i = 0; i < TN_ARRAY_SIZE(tests); i++) {
        if (strcmp(argv[1], tests[i].name) == 0) {
            is_known = true;
            tests[i].run(dir);
        }
    }
    CHECK(is_known, "no test %s", argv[1]);
    CHECK(rmdir(dir) == 0 || errno != ENOTEMPTY, "files are left in %s", dir);
    return n_failed(0) == 0 ? 0 : 1;
}
