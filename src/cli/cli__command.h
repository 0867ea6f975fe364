// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: its commands and what they share
#ifndef TN_CLI_CLI__COMMAND_H
#define TN_CLI_CLI__COMMAND_H

#include <stdbool.h>
#include <string.h>

// exit codes of the program
enum tn_cli_exit {
    TN_CLI_OK = 0,
    TN_CLI_FAILURE = 1,
    TN_CLI_USAGE = 2,
    TN_CLI_NOT_ACTIVE = 3, // demo: the hands did not become ACTIVE in time
    TN_CLI_NOT_CLEAN = 4,  // demo: a hand did not move, or something stale or repeated was executed
    TN_CLI_CHILD_DIED = 5, // demo: one of its programs ended by itself
};

// the first argument asks what the command takes
static inline bool tn_cli__is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

// the whole program
int tn_cli_main(int argc, char **argv);

// argv[0] is the command's own name
int tn_cli_demo(int argc, char **argv);
int tn_cli_operate(int argc, char **argv);
int tn_cli_device(int argc, char **argv);
int tn_cli_oracle(int argc, char **argv);
int tn_cli_compose(int argc, char **argv);

#endif
