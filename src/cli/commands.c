// SPDX-License-Identifier: Apache-2.0
// the commands, `--help` and `--version`
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/compat.h"
#include "base/process.h"
#include "cli/cli__command.h"
#include "cli/cli__complete.h"
#include "cli/cli__diag.h"
#include "cli/cli__launch.h"
#include "cli/cli__package.h"
#include "cli/cli__verb.h"

struct command {
    const char *name, *text;
    int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
    {"demo", "two software gloves move two simulated robot hands; --help tells more", tn_cli_demo},
    {"arm", "let a robot hand move: tendon arm left|right|both", tn_cli_operate},
    {"disarm", "stop a robot hand until it is armed again", tn_cli_operate},
    {"estop", "emergency stop of a robot hand; latches until it is armed again", tn_cli_operate},
    {"launch", "run a launch file: tendon launch PKG FILE [NAME:=VALUE …]", tn_cli_launch},
    {"run", "run a program of a package: tendon run PKG EXEC [ARGUMENTS]", tn_cli_run},
    {"pkg", "list|prefix|executables: packages that are installed", tn_cli__run_verb},
    {"node", "list|info: the nodes of the graph", tn_cli__run_verb},
    {"topic", "list|info|type|echo|hz|pub: topics", tn_cli__run_verb},
    {"service", "list|type|call: services", tn_cli__run_verb},
    {"param", "list|get|set|describe|dump|load: parameters of running nodes", tn_cli__run_verb},
    {"action", "list|info|send_goal: actions", tn_cli__run_verb},
    {"interface", "list|show: message, service and action types", tn_cli__run_verb},
    {"diag", "who says what on /diagnostics; --help tells more", tn_cli_diag},
    {"compose", "run several nodes in one process: tendon compose --help", tn_cli_compose},
    {"device", "run a software device: tendon device divingstation --help", tn_cli_device},
    {"oracle", "judge a send log and execution logs: tendon oracle --help", tn_cli_oracle},
    {"completion", "print the completion script of a shell: bash or zsh", tn_cli_completion},
};

void tn_cli__propose_commands(const char *prefix)
{
    for (size_t i = 0; i < TN_ARRAY_SIZE(commands); i++) {
        tn_cli__propose(prefix, commands[i].name);
    }
}

static void print_usage(FILE *to)
{
    (void)fprintf(to,
                  "tendon %s: move robot hands, grippers and arms with a data glove\n\n"
                  "usage: tendon COMMAND [ARGUMENTS]\n\n",
                  TN_VERSION_TEXT);
    for (size_t i = 0; i < TN_ARRAY_SIZE(commands); i++) {
        (void)fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].text);
    }
    (void)fprintf(to, "\n  --version, --help\n");
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return TN_CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return TN_CLI_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("tendon %s\n", TN_VERSION_TEXT);
        return TN_CLI_OK;
    }
    // what completion scripts ask
    if (strcmp(argv[1], "__complete") == 0) {
        return tn_cli_complete(argc - 1, argv + 1);
    }
    for (size_t i = 0; i < TN_ARRAY_SIZE(commands); i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    (void)fprintf(stderr, "tendon: no command \"%s\"; `tendon --help` lists them\n", argv[1]);
    return TN_CLI_USAGE;
}

int tn_cli_main(int argc, char **argv)
{
    tn_process_open_standard_streams();
    errno = 0;
    int code = run(argc, argv);
    // what was printed may be what somebody keeps: param dump > FILE
    bool is_lost = fflush(stdout) != 0 || ferror(stdout) != 0;
    if (is_lost && errno != EPIPE) {
        (void)fprintf(stderr, "tendon: the output could not be written%s%s\n",
                      errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
    }
    return is_lost && code == TN_CLI_OK ? TN_CLI_FAILURE : code;
}
