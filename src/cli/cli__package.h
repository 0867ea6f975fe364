// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: packages on the command line
#ifndef TN_CLI_CLI__PACKAGE_H
#define TN_CLI_CLI__PACKAGE_H

#include <stdbool.h>

#include "launch/package.h"

// the prefixes; NULL: told on stderr in the name of `command`
struct tn_packages *tn_cli__packages(const char *command);
// "tendon run: …" on stderr
void tn_cli__say_error(const char *command, const struct tn_error *err);

// `tendon run PKG EXEC …` and its completion: words[n_words - 1] is what was begun
int tn_cli_run(int argc, char **argv);
void tn_cli__complete_run(int n_words, char **words);
// candidates
void tn_cli__propose_packages(const char *prefix);
void tn_cli__propose_programs(const char *package, const char *prefix);

#endif
