// SPDX-License-Identifier: Apache-2.0
/// @file
/// Finds processes that a test left behind: what it starts inherits a mark in its environment.
#ifndef TN_TEST_SUPPORT_LEFT_BEHIND_H
#define TN_TEST_SUPPORT_LEFT_BEHIND_H

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEFT_BEHIND_MARK "TN_TEST_RUN"

/// Marks this process and all that it starts from now on.
static inline void left_behind_mark(void)
{
    char value[32];
    (void)snprintf(value, sizeof value, "%ld", (long)getpid());
    (void)setenv(LEFT_BEHIND_MARK, value, 1);
}

static inline bool left_behind_has_mark(const char *pid)
{
    char path[64], mark[64], text[65536];
    (void)snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    int length = snprintf(mark, sizeof mark, LEFT_BEHIND_MARK "=%s", getenv(LEFT_BEHIND_MARK));
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    for (size_t i = 0; i < size; i += strlen(text + i) + 1) {
        if (strncmp(text + i, mark, (size_t)length + 1) == 0) {
            return true;
        }
    }
    return false;
}

/// Names on stderr each other living process with the mark; returns their number.
static inline unsigned left_behind_count(void)
{
    unsigned n = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc != NULL && (entry = readdir(proc)) != NULL;) {
        bool is_pid = isdigit((unsigned char)entry->d_name[0]) != 0;
        if (is_pid && strtol(entry->d_name, NULL, 10) != (long)getpid() &&
            left_behind_has_mark(entry->d_name)) {
            (void)fprintf(stderr, "left behind: process %s\n", entry->d_name);
            n++;
        }
    }
    if (proc != NULL) {
        (void)closedir(proc);
    }
    return n;
}

#endif
