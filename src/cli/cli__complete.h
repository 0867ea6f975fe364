// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: candidates for shell completion
#ifndef TN_CLI_CLI__COMPLETE_H
#define TN_CLI_CLI__COMPLETE_H

#include "cli/cli__verb.h"

// prints a candidate when it begins with the prefix
void tn_cli__propose(const char *prefix, const char *candidate);
// prints what the graph or the known types have of a kind
void tn_cli__propose_kind(const struct tn_cli_verb *verb, enum tn_cli_kind kind,
                          const char *prefix);
// prints the known types of a kind: "/msg/", "/srv/", "/action/"
void tn_cli__propose_types(const char *kind, const char *prefix);
// prints the commands; main.c has their table
void tn_cli__propose_commands(const char *prefix);

// `tendon completion bash|zsh`, and what its scripts call
int tn_cli_completion(int argc, char **argv);
int tn_cli_complete(int argc, char **argv);

#endif
