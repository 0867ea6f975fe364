// SPDX-License-Identifier: Apache-2.0
// bench_start PROGRAM [ARG…]: tells the program when it was forked
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

int main(int argc, char **argv)
{
    bench_require(argc > 1, "usage: bench_start PROGRAM [ARG…]");
    char text[32];
    (void)snprintf(text, sizeof text, "%lld", (long long)bench_now_ns());
    const pid_t child = fork();
    bench_require(child >= 0, "cannot fork");
    if (child == 0) {
        (void)setenv("BENCH_T0_NS", text, 1);
        (void)execv(argv[1], argv + 1);
        _exit(127);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
