// SPDX-License-Identifier: Apache-2.0
// prefixes made in a folder of their own: what is found where, and what is told when nothing is
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "launch/package.h"

struct rig {
    char root[128];
    char own[160], first[160], second[160];
    char path[400]; // AMENT_PREFIX_PATH: first:second
};

// makes a file and the folders to it
static void put(const char *prefix, const char *name, mode_t mode)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s/%s", prefix, name);
    assert_true(length > 0 && (size_t)length < sizeof path);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0755);
        *slash = '/';
    }
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
    assert_true(fd >= 0);
    (void)close(fd);
}

static void mark(const char *prefix, const char *package)
{
    char name[128];
    (void)snprintf(name, sizeof name, "share/ament_index/resource_index/packages/%s", package);
    put(prefix, name, 0644);
}

static int setup(void **state)
{
    static struct rig rig;
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(rig.root, sizeof rig.root, "%s/tendon-package-XXXXXX",
                   tmp != NULL ? tmp : "/tmp");
    assert_non_null(mkdtemp(rig.root));
    (void)snprintf(rig.own, sizeof rig.own, "%s/own", rig.root);
    (void)snprintf(rig.first, sizeof rig.first, "%s/first", rig.root);
    (void)snprintf(rig.second, sizeof rig.second, "%s/sec ond", rig.root);
    (void)snprintf(rig.path, sizeof rig.path, "%s:%s", rig.first, rig.second);
    mark(rig.own, "hands");
    put(rig.own, "lib/hands/node", 0755);
    put(rig.own, "lib/hands/notes.txt", 0644);
    put(rig.own, "lib/hands/tools/deep", 0755);
    put(rig.own, "share/hands/launch/a.launch.xml", 0644);
    put(rig.own, "share/hands/launch/twice.launch.xml", 0644);
    put(rig.own, "share/hands/old/twice.launch.xml", 0644);
    put(rig.own, "lib/tendon/standin/publisher/publisher", 0755);
    put(rig.own, "lib/tendon/standin/hands/never", 0755);
    mark(rig.first, "both");
    mark(rig.first, "bare");
    put(rig.first, "lib/both/node", 0755);
    mark(rig.second, "both");
    mark(rig.second, "hands");
    put(rig.second, "lib/both/only_here", 0755);
    put(rig.second, "lib/hands/node", 0755);
    *state = &rig;
    return 0;
}

static int teardown(void **state)
{
    const struct rig *rig = *state;
    char command[160];
    (void)snprintf(command, sizeof command, "%s", rig->root);
    char *const argv[] = {"rm", "-rf", command, NULL};
    const pid_t pid = fork();
    if (pid == 0) {
        (void)execvp("rm", argv);
        _exit(127);
    }
    return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

static struct tn_packages *open_packages(const char *own, const char *path)
{
    struct tn_packages *packages = NULL;
    assert_int_equal(tn_packages_create(own, path, &packages, NULL), TN_OK);
    return packages;
}

static void expect_prefix(const struct tn_packages *packages, const char *package,
                          const char *prefix)
{
    const char *found = NULL;
    assert_int_equal(tn_package_prefix(packages, package, &found, NULL), TN_OK);
    assert_string_equal(found, prefix);
}

static void own_prefix_is_first_unless_the_path_names_it(void **state)
{
    const struct rig *rig = *state;
    struct tn_packages *packages = open_packages(rig->own, rig->path);
    assert_int_equal(tn_packages_count(packages), 3);
    expect_prefix(packages, "hands", rig->own);
    expect_prefix(packages, "both", rig->first);
    assert_null(tn_packages_prefix_at(packages, 3));
    tn_packages_destroy(&packages);

    // an overlay before it wins
    char path[600];
    (void)snprintf(path, sizeof path, "%s:%s/:%s", rig->second, rig->own, rig->first);
    packages = open_packages(rig->own, path);
    assert_int_equal(tn_packages_count(packages), 3);
    expect_prefix(packages, "hands", rig->second);
    expect_prefix(packages, "both", rig->second);
    tn_packages_destroy(&packages);
    tn_packages_destroy(&packages);
}

static void a_prefix_through_a_link_is_the_same(void **state)
{
    const struct rig *rig = *state;
    char link[160], path[600];
    (void)snprintf(link, sizeof link, "%s/link", rig->root);
    assert_int_equal(symlink(rig->own, link), 0);
    (void)snprintf(path, sizeof path, "%s:%s:%s", rig->second, link, link);
    struct tn_packages *packages = open_packages(rig->own, path);
    assert_int_equal(tn_packages_count(packages), 2);
    expect_prefix(packages, "hands", rig->second);
    // and it still is the one with the stand-ins
    struct tn_package_program program;
    assert_int_equal(tn_package_program(packages, "publisher", "publisher", &program, NULL), TN_OK);
    tn_packages_destroy(&packages);
    (void)unlink(link);
}

static void odd_paths_are_taken_as_ament_does(void **state)
{
    const struct rig *rig = *state;
    char path[600];
    (void)snprintf(path, sizeof path, "::/nowhere:%s//:%s:", rig->first, rig->first);
    struct tn_packages *packages = open_packages(NULL, path);
    assert_int_equal(tn_packages_count(packages), 1);
    assert_string_equal(tn_packages_prefix_at(packages, 0), rig->first);
    tn_packages_destroy(&packages);
    packages = open_packages("", NULL);
    assert_int_equal(tn_packages_count(packages), 0);
    const char *prefix = NULL;
    struct tn_error err = {0};
    assert_int_equal(tn_package_prefix(packages, "hands", &prefix, &err), TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "searched: nothing"));
    tn_packages_destroy(&packages);
    char *longer = malloc(2 * TN_PACKAGE_PATH_MAX);
    assert_non_null(longer);
    memset(longer, 'a', 2 * TN_PACKAGE_PATH_MAX - 1);
    longer[2 * TN_PACKAGE_PATH_MAX - 1] = '\0';
    assert_int_equal(tn_packages_create(rig->own, longer, &packages, NULL), TN_ERR_LIMIT);
    assert_int_equal(tn_packages_create(longer, NULL, &packages, NULL), TN_ERR_LIMIT);
    free(longer);
}

static void names_that_are_none_open_nothing(void **state)
{
    static const char *const names[] = {"",     "a",    ".",      "..",        "../own", "a/b",
                                        "_abc", "-abc", "ha nds", "h\xc3\xa4", "a\nb",   "/etc"};
    const struct rig *rig = *state;
    struct tn_packages *packages = open_packages(rig->own, NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *prefix = NULL;
        struct tn_package_program program;
        assert_int_equal(tn_package_prefix(packages, names[i], &prefix, NULL),
                         TN_ERR_INVALID_ARGUMENT);
        assert_int_equal(tn_package_program(packages, names[i], "node", &program, NULL),
                         TN_ERR_INVALID_ARGUMENT);
        assert_null(prefix);
    }
    static const char *const programs[] = {"",          "..",   "/bin/sh", "../hands/node",
                                           "a/../../b", "a//b", "a/",      "tools/.."};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct tn_package_program program;
        assert_int_equal(tn_package_program(packages, "hands", programs[i], &program, NULL),
                         TN_ERR_INVALID_ARGUMENT);
    }
    tn_packages_destroy(&packages);
}

static void programs_are_found_below_lib(void **state)
{
    const struct rig *rig = *state;
    struct tn_packages *packages = open_packages(rig->own, rig->path);
    struct tn_package_program program = {.is_stand_in = true};
    struct tn_error err = {0};
    char expected[256];
    assert_int_equal(tn_package_program(packages, "hands", "node", &program, NULL), TN_OK);
    (void)snprintf(expected, sizeof expected, "%s/lib/hands/node", rig->own);
    assert_string_equal(program.path, expected);
    assert_false(program.is_stand_in);
    assert_int_equal(tn_package_program(packages, "hands", "tools/deep", &program, NULL), TN_OK);

    // the package is the first one that has the name, whatever it lacks
    assert_int_equal(tn_package_program(packages, "both", "only_here", &program, &err),
                     TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "it has: node"));
    assert_int_equal(tn_package_program(packages, "hands", "nod", &program, &err),
                     TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "it has: deep, node"));
    assert_int_equal(tn_package_program(packages, "hands", "tools", &program, &err),
                     TN_ERR_NOT_FOUND);
    assert_int_equal(tn_package_program(packages, "bare", "node", &program, &err),
                     TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "nor any other"));
    assert_int_equal(tn_package_program(packages, "hands", "notes.txt", &program, &err),
                     TN_ERR_PERMISSION);
    assert_non_null(strstr(err.text, "chmod +x"));
    tn_packages_destroy(&packages);
}

static void stand_ins_come_only_when_there_is_no_such_package(void **state)
{
    const struct rig *rig = *state;
    struct tn_package_program program = {.is_stand_in = false};
    struct tn_packages *packages = open_packages(rig->own, rig->path);
    struct tn_error err = {0};
    assert_int_equal(tn_package_program(packages, "publisher", "publisher", &program, NULL), TN_OK);
    assert_true(program.is_stand_in);
    assert_int_equal(tn_package_program(packages, "publisher", "other", &program, &err),
                     TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "it has: publisher"));
    // a package that is there keeps its own, even if it has no such program
    assert_int_equal(tn_package_program(packages, "hands", "never", &program, NULL),
                     TN_ERR_NOT_FOUND);
    tn_packages_destroy(&packages);

    mark(rig->second, "publisher");
    packages = open_packages(rig->own, rig->path);
    assert_int_equal(tn_package_program(packages, "publisher", "publisher", &program, NULL),
                     TN_ERR_NOT_FOUND);
    put(rig->second, "lib/publisher/publisher", 0755);
    assert_int_equal(tn_package_program(packages, "publisher", "publisher", &program, NULL), TN_OK);
    assert_false(program.is_stand_in);
    tn_packages_destroy(&packages);

    // others' prefixes have no stand-ins of ours
    packages = open_packages(NULL, rig->own);
    assert_int_equal(tn_package_program(packages, "publisher", "publisher", &program, NULL),
                     TN_ERR_NOT_FOUND);
    tn_packages_destroy(&packages);
}

static void files_are_found_at_any_depth_but_once(void **state)
{
    const struct rig *rig = *state;
    struct tn_packages *packages = open_packages(rig->own, rig->path);
    char path[TN_PACKAGE_PATH_MAX], expected[256];
    struct tn_error err = {0};
    assert_int_equal(tn_package_file(packages, "hands", "a.launch.xml", path, sizeof path, NULL),
                     TN_OK);
    (void)snprintf(expected, sizeof expected, "%s/share/hands/launch/a.launch.xml", rig->own);
    assert_string_equal(path, expected);
    assert_int_equal(
        tn_package_file(packages, "hands", "launch/a.launch.xml", path, sizeof path, NULL), TN_OK);
    assert_string_equal(path, expected);
    assert_int_equal(
        tn_package_file(packages, "hands", "twice.launch.xml", path, sizeof path, &err),
        TN_ERR_EXISTS);
    assert_non_null(strstr(err.text, "old/twice.launch.xml"));
    // the name is the whole name
    assert_int_equal(tn_package_file(packages, "hands", "launch.xml", path, sizeof path, &err),
                     TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "a.launch.xml, twice.launch.xml"));
    assert_int_equal(
        tn_package_file(packages, "hands", "../hands/launch/a.launch.xml", path, sizeof path, &err),
        TN_ERR_NOT_FOUND);
    assert_int_equal(tn_package_file(packages, "hands", "a.launch.xml", path, 8, &err),
                     TN_ERR_LIMIT);
    assert_int_equal(tn_package_file(packages, "nobody", "a.launch.xml", path, sizeof path, &err),
                     TN_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "package 'nobody' not found"));
    tn_packages_destroy(&packages);
}

static void collect(void *context, const char *name, const char *path)
{
    char *text = context;
    assert_non_null(strstr(path, "/tendon-package-"));
    assert_true(strlen(text) + strlen(name) + 2 < 256);
    (void)snprintf(text + strlen(text), 256 - strlen(text), "%s ", name);
}

static void lists_are_in_order_and_without_twins(void **state)
{
    const struct rig *rig = *state;
    struct tn_packages *packages = open_packages(rig->own, rig->path);
    char text[256] = "";
    put(rig->first, "share/ament_index/resource_index/packages/.hidden", 0644);
    put(rig->first, "share/ament_index/resource_index/packages/folder/inside", 0644);
    assert_int_equal(tn_packages_list(packages, collect, text), TN_OK);
    assert_string_equal(text, "bare both hands publisher ");
    text[0] = '\0';
    assert_int_equal(tn_package_list_programs(packages, "hands", collect, text, NULL), TN_OK);
    assert_string_equal(text, "deep node ");
    text[0] = '\0';
    assert_int_equal(tn_package_list_files(packages, "hands", ".launch.xml", collect, text, NULL),
                     TN_OK);
    assert_string_equal(text, "a.launch.xml twice.launch.xml twice.launch.xml ");
    assert_int_equal(tn_package_list_programs(packages, "nobody", collect, text, NULL),
                     TN_ERR_NOT_FOUND);
    // folders that lead back into themselves end
    char link[300];
    (void)snprintf(link, sizeof link, "%s/lib/hands/again", rig->own);
    assert_int_equal(symlink("..", link), 0);
    text[0] = '\0';
    assert_int_equal(tn_package_list_programs(packages, "hands", collect, text, NULL), TN_OK);
    assert_string_equal(text, "deep node ");
    (void)unlink(link);
    tn_packages_destroy(&packages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_prefix_is_first_unless_the_path_names_it),
        cmocka_unit_test(a_prefix_through_a_link_is_the_same),
        cmocka_unit_test(odd_paths_are_taken_as_ament_does),
        cmocka_unit_test(names_that_are_none_open_nothing),
        cmocka_unit_test(programs_are_found_below_lib),
        cmocka_unit_test(files_are_found_at_any_depth_but_once),
        cmocka_unit_test(stand_ins_come_only_when_there_is_no_such_package),
        cmocka_unit_test(lists_are_in_order_and_without_twins),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
