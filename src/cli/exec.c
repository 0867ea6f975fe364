// SPDX-License-Identifier: Apache-2.0
// commands that hand over to a program of their own
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "cli/cli__command.h"

static int exec_tool(const char *program, char **argv)
{
    char prefix[4096];
    char path[4096 + 64];
    if (tn_process_prefix(prefix, sizeof prefix) != TN_OK) {
        (void)fprintf(stderr, "tendon: cannot find my own installation; set TN_PREFIX to it\n");
        return TN_CLI_FAILURE;
    }
    (void)snprintf(path, sizeof path, "%s/lib/tendon/%s", prefix, program);
    (void)execv(path, argv);
    (void)fprintf(stderr, "tendon: cannot run %s: %s\n", path, strerror(errno));
    return TN_CLI_FAILURE;
}

int tn_cli_device(int argc, char **argv)
{
    static const char *const devices[] = {"divingstation"};
    if (argc >= 2) {
        for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
            if (strcmp(argv[1], devices[i]) == 0) {
                return exec_tool(devices[i], argv + 1);
            }
        }
    }
    bool is_asked = argc >= 2 && tn_cli__is_help(argv[1]);
    if (argc >= 2 && !is_asked) {
        (void)fprintf(stderr, "tendon device: no device \"%s\"\n\n", argv[1]);
    }
    (void)fprintf(is_asked ? stdout : stderr,
                  "usage: tendon device NAME [ARGUMENTS]\n\n"
                  "  divingstation   two Contact Gloves behind a DivingStation (protocol v1)\n");
    return is_asked ? TN_CLI_OK : TN_CLI_USAGE;
}

int tn_cli_oracle(int argc, char **argv)
{
    (void)argc;
    return exec_tool("tendon_oracle", argv);
}

int tn_cli_compose(int argc, char **argv)
{
    (void)argc;
    return exec_tool("compose", argv);
}
