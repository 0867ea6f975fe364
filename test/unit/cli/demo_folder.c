// SPDX-License-Identifier: Apache-2.0
// Folders of demos that were killed go; those of living ones, and what is no demo's, stay.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli__demo.h"

static char parent[] = "/tmp/demo_folder.XXXXXX";

static void make_path(char out[256], const char *name)
{
    (void)snprintf(out, 256, "%s/%s", parent, name);
}

static void put(const char *folder, const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    (void)close(fd);
}

static bool is_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static void what_a_killed_demo_left_is_swept(void **state)
{
    (void)state;
    char dead[256], living[256], full[256], kept[256], link[256], outside[256], inside[300];
    make_path(dead, TN_DEMO_FOLDER);
    make_path(living, TN_DEMO_FOLDER);
    make_path(full, TN_DEMO_FOLDER);
    make_path(kept, "tendon-demo-mine");
    make_path(outside, "outside");
    make_path(link, "tendon-demo-run-abcdef");
    int claim = tn_demo__make_folder(living);
    assert_true(claim >= 0);
    // a process that dies leaves its folder and no claim
    for (int i = 0; i < 2; i++) {
        char *path = i == 0 ? dead : full;
        int fd = tn_demo__make_folder(path);
        assert_true(fd >= 0);
        for (int k = 0; k < TN_DEMO_FILES; k++)
            put(path, tn_demo__file_names[k]);
        (void)close(fd);
    }
    put(full, "somebody's");
    put(living, "trace");
    assert_int_equal(mkdir(kept, 0700), 0);
    assert_int_equal(mkdir(outside, 0700), 0);
    put(outside, "trace");
    assert_int_equal(symlink(outside, link), 0);

    tn_demo__sweep_folders(parent);
    assert_false(is_there(dead));
    assert_true(is_there(kept));
    (void)snprintf(inside, sizeof inside, "%s/trace", living);
    assert_true(is_there(inside));
    // a link leads nowhere, and a folder with something else in it stays
    (void)snprintf(inside, sizeof inside, "%s/trace", outside);
    assert_true(is_there(inside));
    (void)snprintf(inside, sizeof inside, "%s/somebody's", full);
    assert_true(is_there(inside));

    (void)close(claim);
    tn_demo__sweep_folders(parent);
    assert_false(is_there(living));
    tn_demo__sweep_folders("/nowhere");
    (void)snprintf(inside, sizeof inside, "%s/somebody's", full);
    assert_int_equal(unlink(inside), 0);
    assert_int_equal(rmdir(full), 0);
    (void)snprintf(inside, sizeof inside, "%s/trace", outside);
    assert_int_equal(unlink(inside), 0);
    assert_int_equal(rmdir(outside), 0);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(kept), 0);
}

/// The claim ends with the process that has it, however that ends.
static void a_claim_dies_with_its_process(void **state)
{
    (void)state;
    int fds[2];
    char path[256];
    assert_int_equal(pipe(fds), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        make_path(path, TN_DEMO_FOLDER);
        bool is_ok = tn_demo__make_folder(path) >= 0 &&
                     write(fds[1], path, sizeof path) == (ssize_t)sizeof path;
        (void)pause();
        _exit(is_ok);
    }
    assert_int_equal(read(fds[0], path, sizeof path), sizeof path);
    tn_demo__sweep_folders(parent);
    assert_true(is_there(path));
    (void)kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    tn_demo__sweep_folders(parent);
    assert_false(is_there(path));
    (void)close(fds[0]);
    (void)close(fds[1]);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(parent) == NULL;
}

// nothing else may be left
static int tear_down(void **state)
{
    (void)state;
    return rmdir(parent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_killed_demo_left_is_swept),
        cmocka_unit_test(a_claim_dies_with_its_process),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
