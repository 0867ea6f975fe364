// SPDX-License-Identifier: Apache-2.0
// the folder of a demo: claimed while it runs, so that one that was killed can be told from one
// that lives, in whatever process namespace
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "cli/cli__demo.h"

#define PREFIX       "tendon-demo-run-"
#define RANDOM_CHARS 6
// a folder that a sweep of another demo took away before it was claimed is made anew
#define TRIES 8

const char *const tn_demo__file_names[TN_DEMO_FILES] = {
    [TN_DEMO_TRACE] = "trace",
    [TN_DEMO_SEND_LOG] = "send.log",
    [TN_DEMO_LEFT_LOG] = "left.log",
    [TN_DEMO_RIGHT_LOG] = "right.log",
    [TN_DEMO_CHILDREN_LOG] = "programs.log",
};

// the descriptor keeps the claim; -1: somebody else has it, or it is no folder of ours
static int claim(int parent_fd, const char *path)
{
    struct stat opened, named;
    int fd = openat(parent_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    bool is_ours = flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &opened) == 0 &&
                   opened.st_uid == geteuid() &&
                   fstatat(parent_fd, path, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
                   named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
    if (!is_ours) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

int tn_demo__make_folder(char *io_path)
{
    char *random = io_path + strlen(io_path) - RANDOM_CHARS;
    for (int i = 0; i < TRIES; i++) {
        memcpy(random, "XXXXXX", RANDOM_CHARS);
        if (mkdtemp(io_path) == NULL) {
            return -1;
        }
        int fd = claim(AT_FDCWD, io_path);
        if (fd >= 0) {
            return fd;
        }
    }
    errno = EBUSY;
    return -1;
}

static void sweep_one(int parent_fd, const char *name)
{
    int fd = claim(parent_fd, name);
    if (fd < 0) {
        return;
    }
    for (size_t i = 0; i < TN_DEMO_FILES; i++) {
        (void)unlinkat(fd, tn_demo__file_names[i], 0);
    }
    // what is not ours keeps its folder
    (void)unlinkat(parent_fd, name, AT_REMOVEDIR);
    (void)close(fd);
}

void tn_demo__sweep_folders(const char *parent)
{
    DIR *entries = opendir(parent);
    if (entries == NULL) {
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
            strlen(entry->d_name) == strlen(PREFIX) + RANDOM_CHARS) {
            sweep_one(dirfd(entries), entry->d_name);
        }
    }
    (void)closedir(entries);
}
