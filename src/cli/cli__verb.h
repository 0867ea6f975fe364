// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: commands of two words (`tendon topic list`). One table row per
// verb feeds dispatch,
// `--help` and the shell completions.
#ifndef TN_CLI_CLI__VERB_H
#define TN_CLI_CLI__VERB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compat.h"

#define TN_CLI_OPTIONS_MAX 24

// what a positional argument or the value of an option is, for completion
enum tn_cli_kind {
    TN_CLI_NOTHING,
    TN_CLI_TEXT, // nothing can be proposed
    TN_CLI_NODE,
    TN_CLI_TOPIC,
    TN_CLI_SERVICE,
    TN_CLI_ACTION,
    TN_CLI_MESSAGE_TYPE,
    TN_CLI_SERVICE_TYPE,
    TN_CLI_ACTION_TYPE,
    TN_CLI_ANY_TYPE,
    TN_CLI_PACKAGE,
    TN_CLI_FILE,
};

// one option; `letter` 0: only the long form, `value` NULL: a flag
struct tn_cli_option {
    const char *name;
    char letter;
    const char *value;
    const char *text;
};

struct tn_cli_call;
struct tn_idl_types;

struct tn_cli_verb {
    const char *command, *name;
    const char *arguments; // as in the usage line; words in [] may be left out
    int min_args, max_args;
    const char *text;
    const struct tn_cli_option *options; // (n_options)
    size_t n_options;
    enum tn_cli_kind kinds[3]; // of the positional arguments
    int (*run)(const struct tn_cli_call *call);
};

// one command line, taken apart
struct tn_cli_call {
    const struct tn_cli_verb *verb;
    int n_args;
    const char *const *args;                // (n_args)
    const char *values[TN_CLI_OPTIONS_MAX]; // per option: NULL not given; "" a flag that was given
    int ros_argc;                           // program name and everything from --ros-args on
    const char *const *ros_argv;            // (ros_argc)
    struct tn_idl_types **types;            // of AMENT_PREFIX_PATH, made when asked for; or NULL
    bool *is_misused; // an option's value is none: told, and the exit code is TN_CLI_USAGE; or NULL
};

// the verbs of all commands
extern const struct tn_cli_verb *const tn_cli__tables[];
extern const size_t *const tn_cli__table_sizes[];
extern const size_t tn_cli__n_tables;

// value of an option, NULL when it was not given; the name must be in the verb's table
const char *tn_cli__option(const struct tn_cli_call *call, const char *name);
bool tn_cli__has(const struct tn_cli_call *call, const char *name);
// numbers with a range; false: told on stderr what is wrong
bool tn_cli__option_f64(const struct tn_cli_call *call, const char *name, double min, double max,
                        double *io_value);
bool tn_cli__option_u64(const struct tn_cli_call *call, const char *name, uint64_t min,
                        uint64_t max, uint64_t *io_value);

// "tendon topic echo: …" on stderr, of an option with a value that is none
void tn_cli__misused(const struct tn_cli_call *call, const char *format, ...) TN_PRINTF(2, 3);
// "tendon topic echo: …" on stderr
void tn_cli__complain(const struct tn_cli_call *call, const char *format, ...) TN_PRINTF(2, 3);

// runs `tendon COMMAND VERB …`; argv[0] is the command; TN_CLI_USAGE when there is none
int tn_cli__run_verb(int argc, char **argv);
// runs a command without verbs; its row has the name ""; argv[0] is the command
int tn_cli__run_command(const struct tn_cli_verb *row, int argc, char **argv);
// whether some verb belongs to this command
bool tn_cli__is_command(const char *command);
// verb of a command, or NULL
const struct tn_cli_verb *tn_cli__find_verb(const char *command, const char *name);

#endif
