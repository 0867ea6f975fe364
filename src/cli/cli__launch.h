// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: launch files on the command line
#ifndef TN_CLI_CLI__LAUNCH_H
#define TN_CLI_CLI__LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "launch/plan.h"

enum tn_launch_mode { TN_LAUNCH_MODE_RUN, TN_LAUNCH_MODE_PRINT, TN_LAUNCH_MODE_SHOW_ARGS };

struct tn_launch_options {
    enum tn_launch_mode mode;
    bool is_strict;
    bool has_output; // one for all processes
    enum tn_launch_output output;
    const char *names[2]; // PKG and FILE, or FILE alone
    int n_names;
    struct tn_launch_argument *arguments; // (n_arguments), names in `storage`
    uint32_t n_arguments;
    char *storage;
};

// false: *out_exit is what the program ends with, and what is wrong was told
bool tn_cli__launch_parse(int argc, char **argv, struct tn_launch_options *out, int *out_exit);
void tn_cli__launch_options_fini(struct tn_launch_options *options);

int tn_cli_launch(int argc, char **argv);
// words[n_words - 1] is what was begun
void tn_cli__complete_launch(int n_words, char **words);

#endif
