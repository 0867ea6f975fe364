// SPDX-License-Identifier: Apache-2.0
// the n-th allocation fails, for every n until the call passes (linked with --wrap)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "launch/command.h"
#include "launch/supervisor.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

// allocations left until one fails; negative: none fails
static int countdown = -1;

static bool must_fail(void)
{
    return countdown >= 0 && countdown-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return must_fail() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
    return must_fail() ? NULL : __real_strdup(text);
}

struct rig {
    char prefix[256];
    struct tn_packages *packages;
    struct tn_loop *loop;
    struct tn_launch_log *log;
};

// runs `attempt` with the 1st, 2nd, … allocation failing until none fails any more; returns how
// many
static int count_failures(struct rig *rig, enum tn_result (*attempt)(struct rig *rig),
                          enum tn_result last)
{
    for (int n = 0;; n++) {
        countdown = n;
        const enum tn_result result = attempt(rig);
        const bool none_failed = countdown >= 0;
        countdown = -1;
        if (none_failed) {
            assert_int_equal(result, last);
            return n;
        }
        assert_int_equal(result, TN_ERR_NO_MEMORY);
    }
}

static void put(const struct rig *rig, const char *name, mode_t mode)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", rig->prefix, name);
    for (char *slash = strchr(path + strlen(rig->prefix) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0755);
        *slash = '/';
    }
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    (void)fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

static int set_up(void **state)
{
    static struct rig rig;
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(rig.prefix, sizeof rig.prefix, "%s/tendon-failures-XXXXXX",
                   tmp != NULL ? tmp : "/tmp");
    assert_non_null(mkdtemp(rig.prefix));
    put(&rig, "share/ament_index/resource_index/packages/hands", 0644);
    put(&rig, "share/ament_index/resource_index/packages/other", 0644);
    put(&rig, "share/hands/a.launch.xml", 0644);
    put(&rig, "share/hands/b.launch.xml", 0644);
    put(&rig, "lib/hands/node", 0755);
    put(&rig, "lib/tendon/standin/xacro/xacro", 0755);
    assert_int_equal(tn_packages_create(rig.prefix, NULL, &rig.packages, NULL), TN_OK);
    assert_int_equal(tn_loop_create(tn_clock_system(), &rig.loop, NULL), TN_OK);
    const struct tn_launch_log_options log = {.screen_fd = -1};
    assert_int_equal(tn_launch_log_create(rig.loop, &log, &rig.log, NULL), TN_OK);
    *state = &rig;
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {
        "share/ament_index/resource_index/packages/hands",
        "share/ament_index/resource_index/packages/other",
        "share/ament_index/resource_index/packages",
        "share/ament_index/resource_index",
        "share/ament_index",
        "share/hands/a.launch.xml",
        "share/hands/b.launch.xml",
        "share/hands",
        "share",
        "lib/hands/node",
        "lib/hands",
        "lib/tendon/standin/xacro/xacro",
        "lib/tendon/standin/xacro",
        "lib/tendon/standin",
        "lib/tendon",
        "lib",
        "launch.log",
        "",
    };
    struct rig *rig = *state;
    tn_launch_log_destroy(&rig->log, 0);
    tn_packages_destroy(&rig->packages);
    tn_loop_destroy(&rig->loop);
    for (size_t i = 0; i < TN_ARRAY_SIZE(names); i++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", rig->prefix, names[i]);
        (void)remove(path);
    }
    return 0;
}

static void ignore(void *context, const char *name, const char *path)
{
    (void)context;
    (void)name;
    (void)path;
}

static enum tn_result attempt_packages(struct rig *rig)
{
    struct tn_packages *packages = NULL;
    const enum tn_result result = tn_packages_create(rig->prefix, "/usr:/tmp", &packages, NULL);
    assert_true((result == TN_OK) == (packages != NULL));
    tn_packages_destroy(&packages);
    return result;
}

static enum tn_result attempt_list(struct rig *rig)
{
    return tn_packages_list(rig->packages, ignore, NULL);
}

static enum tn_result attempt_program(struct rig *rig)
{
    struct tn_package_program program;
    return tn_package_program(rig->packages, "hands", "nod", &program, NULL);
}

static enum tn_result attempt_file(struct rig *rig)
{
    char path[TN_PACKAGE_PATH_MAX];
    return tn_package_file(rig->packages, "hands", "a.launch.xml", path, sizeof path, NULL);
}

static enum tn_result attempt_no_file(struct rig *rig)
{
    char path[TN_PACKAGE_PATH_MAX];
    return tn_package_file(rig->packages, "hands", "c.launch.xml", path, sizeof path, NULL);
}

static enum tn_result attempt_stand_in(struct rig *rig)
{
    char path[TN_PACKAGE_PATH_MAX];
    return tn_packages_find_program(rig->packages, "/nowhere", "xacro", path, sizeof path, NULL);
}

static void every_look_up_survives(void **state)
{
    struct rig *rig = *state;
    assert_int_equal(count_failures(rig, attempt_packages, TN_OK), 3);
    assert_true(count_failures(rig, attempt_list, TN_OK) >= 3);
    assert_true(count_failures(rig, attempt_program, TN_ERR_NOT_FOUND) >= 2);
    assert_true(count_failures(rig, attempt_file, TN_OK) >= 2);
    assert_true(count_failures(rig, attempt_no_file, TN_ERR_NOT_FOUND) >= 3);
    assert_true(count_failures(rig, attempt_stand_in, TN_OK) >= 2);
}

static enum tn_result attempt_log(struct rig *rig)
{
    struct tn_launch_log *log = NULL;
    const struct tn_launch_log_options options = {.screen_fd = -1, .folder = rig->prefix};
    const enum tn_result result = tn_launch_log_create(rig->loop, &options, &log, NULL);
    assert_true((result == TN_OK) == (log != NULL));
    tn_launch_log_destroy(&log, 0);
    return result;
}

static enum tn_result attempt_supervisor(struct rig *rig)
{
    static const char *const arguments[] = {"-c", "true", NULL};
    static const struct tn_launch_variable variables[] = {{"A", "b"}, {"C", NULL}};
    static const struct tn_launch_process processes[] = {
        {.label = "sh-1",
         .program = "/bin/sh",
         .arguments = arguments,
         .n_arguments = 2,
         .variables = variables,
         .n_variables = 2,
         .file = "a"},
        {.label = "sh-2", .program = "echo", .is_shell = true, .file = "a"},
        {.label = "rviz2-3", .program = "rviz2", .package = "rviz2", .file = "a"},
    };
    static const struct tn_launch_plan plan = {.processes = processes, .n_processes = 3};
    const struct tn_supervisor_options options = {.packages = rig->packages, .log = rig->log};
    struct tn_supervisor *supervisor = NULL;
    const enum tn_result result =
        tn_supervisor_create(rig->loop, &plan, &options, &supervisor, NULL);
    assert_true((result == TN_OK) == (supervisor != NULL));
    tn_supervisor_destroy(&supervisor);
    return result;
}

static enum tn_result attempt_command(struct rig *rig)
{
    static const char *const argv[] = {"sh", "-c", "head -c 20000 /dev/zero", NULL};
    static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    struct tn_launch_command_result out = {0};
    const enum tn_result result =
        tn_launch_run_command(rig->packages, argv, environment, false, &out, NULL);
    assert_true((result == TN_OK) == (out.stdout_text != NULL));
    free(out.stdout_text);
    return result;
}

static void every_start_survives(void **state)
{
    struct rig *rig = *state;
    assert_int_equal(count_failures(rig, attempt_log, TN_OK), 2);
    assert_true(count_failures(rig, attempt_supervisor, TN_OK) >= 8);
    assert_true(count_failures(rig, attempt_command, TN_OK) >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_look_up_survives),
        cmocka_unit_test(every_start_survives),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
