// SPDX-License-Identifier: Apache-2.0
// bench_lines N TEXT PROGRAM [ARG…]: ns from the fork until N lines with the text were printed;
// then SIGINT, and the wait for the end of all that print
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

enum { LINE_MAX_BYTES = 8192 };

int main(int argc, char **argv)
{
    bench_require(argc > 3, "usage: bench_lines N TEXT PROGRAM [ARG…]");
    const int64_t wanted = bench_number(argv[1], 1, 1000);
    int fds[2];
    bench_require(pipe(fds) == 0, "no pipe");
    const int64_t start_ns = bench_now_ns();
    const pid_t child = fork();
    bench_require(child >= 0, "cannot fork");
    if (child == 0) {
        // a group of its own, so that the signal reaches a script's programs as Ctrl-C does
        (void)setpgid(0, 0);
        (void)dup2(fds[1], STDOUT_FILENO);
        (void)dup2(fds[1], STDERR_FILENO);
        (void)close(fds[0]);
        (void)close(fds[1]);
        (void)execv(argv[3], argv + 3);
        _exit(127);
    }
    (void)close(fds[1]);
    FILE *lines = fdopen(fds[0], "r");
    bench_require(lines != NULL, "no stream");
    char line[LINE_MAX_BYTES];
    int64_t n = 0;
    int64_t found_ns = 0;
    // until the last of them has closed its output
    while (fgets(line, sizeof line, lines) != NULL) {
        n += strstr(line, argv[2]) != NULL;
        if (n < wanted || found_ns != 0)
            continue;
        found_ns = bench_now_ns();
        (void)kill(-child, SIGINT);
    }
    (void)waitpid(child, NULL, 0);
    bench_require(found_ns != 0, "not as many lines as wanted");
    (void)printf("%lld\n", (long long)(found_ns - start_ns));
    return 0;
}
