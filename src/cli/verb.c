// SPDX-License-Identifier: Apache-2.0
#include "cli/cli__verb.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "cli/cli__command.h"
#include "rosidl/compiler/runtime.h"

// positional arguments of one command line
#define ARGS_MAX 8
// numbers of long options without a letter
#define LONG_BASE 256

extern const struct tn_cli_verb tn_cli__node_verbs[], tn_cli__topic_verbs[],
    tn_cli__service_verbs[], tn_cli__param_verbs[], tn_cli__action_verbs[],
    tn_cli__interface_verbs[], tn_cli__pkg_verbs[];
extern const size_t tn_cli__n_node_verbs, tn_cli__n_topic_verbs, tn_cli__n_service_verbs,
    tn_cli__n_param_verbs, tn_cli__n_action_verbs, tn_cli__n_interface_verbs, tn_cli__n_pkg_verbs;

const struct tn_cli_verb *const tn_cli__tables[] = {
    tn_cli__node_verbs,   tn_cli__topic_verbs,     tn_cli__service_verbs, tn_cli__param_verbs,
    tn_cli__action_verbs, tn_cli__interface_verbs, tn_cli__pkg_verbs,
};
const size_t *const tn_cli__table_sizes[] = {
    &tn_cli__n_node_verbs,  &tn_cli__n_topic_verbs,  &tn_cli__n_service_verbs,
    &tn_cli__n_param_verbs, &tn_cli__n_action_verbs, &tn_cli__n_interface_verbs,
    &tn_cli__n_pkg_verbs,
};
const size_t tn_cli__n_tables = TN_ARRAY_SIZE(tn_cli__tables);

static const struct tn_cli_verb *table_of(const char *command, size_t *out_n)
{
    for (size_t i = 0; i < tn_cli__n_tables; i++) {
        if (strcmp(tn_cli__tables[i][0].command, command) == 0) {
            *out_n = *tn_cli__table_sizes[i];
            return tn_cli__tables[i];
        }
    }
    *out_n = 0;
    return NULL;
}

bool tn_cli__is_command(const char *command)
{
    size_t n = 0;
    return table_of(command, &n) != NULL;
}

const struct tn_cli_verb *tn_cli__find_verb(const char *command, const char *name)
{
    size_t n = 0;
    const struct tn_cli_verb *verbs = table_of(command, &n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(verbs[i].name, name) == 0) {
            return &verbs[i];
        }
    }
    return NULL;
}

// ---- what was said ----

// a command without verbs has a row without a name
static const char *blank(const char *word)
{
    return word[0] == '\0' ? "" : " ";
}

static void say(const struct tn_cli_call *call, const char *format, va_list args)
{
    char text[1024];
    (void)vsnprintf(text, sizeof text, format, args);
    (void)fprintf(stderr, "tendon %s%s%s: %s\n", call->verb->command, blank(call->verb->name),
                  call->verb->name, text);
}

void tn_cli__complain(const struct tn_cli_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(call, format, args);
    va_end(args);
}

void tn_cli__misused(const struct tn_cli_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(call, format, args);
    va_end(args);
    if (call->is_misused != NULL) {
        *call->is_misused = true;
    }
}

const char *tn_cli__option(const struct tn_cli_call *call, const char *name)
{
    for (size_t i = 0; i < call->verb->n_options; i++) {
        if (strcmp(call->verb->options[i].name, name) == 0) {
            return call->values[i];
        }
    }
    return NULL;
}

bool tn_cli__has(const struct tn_cli_call *call, const char *name)
{
    return tn_cli__option(call, name) != NULL;
}

bool tn_cli__option_f64(const struct tn_cli_call *call, const char *name, double min, double max,
                        double *io_value)
{
    const char *text = tn_cli__option(call, name);
    if (text == NULL || tn_parse_f64(text, strlen(text), min, max, io_value) == TN_OK) {
        return true;
    }
    tn_cli__misused(call, "--%s is \"%s\"; expected a number from %g to %g", name, text, min, max);
    return false;
}

bool tn_cli__option_u64(const struct tn_cli_call *call, const char *name, uint64_t min,
                        uint64_t max, uint64_t *io_value)
{
    const char *text = tn_cli__option(call, name);
    if (text == NULL || tn_parse_u64(text, strlen(text), min, max, io_value) == TN_OK) {
        return true;
    }
    tn_cli__misused(call, "--%s is \"%s\"; expected a whole number from %llu to %llu", name, text,
                    (unsigned long long)min, (unsigned long long)max);
    return false;
}

// ---- help ----

static void print_command_help(FILE *to, const char *command)
{
    size_t n = 0;
    const struct tn_cli_verb *verbs = table_of(command, &n);
    (void)fprintf(to, "usage: tendon %s VERB [ARGUMENTS]\n\n", command);
    for (size_t i = 0; i < n; i++) {
        (void)fprintf(to, "  %-10s %s\n", verbs[i].name, verbs[i].text);
    }
    (void)fprintf(to, "\n`tendon %s VERB --help` tells more.\n", command);
}

static void print_verb_help(FILE *to, const struct tn_cli_verb *verb)
{
    (void)fprintf(to, "usage: tendon %s %s%s%s%s[OPTIONS] [--ros-args …]\n\n%s\n\n", verb->command,
                  verb->name, blank(verb->name), verb->arguments, blank(verb->arguments),
                  verb->text);
    for (size_t i = 0; i < verb->n_options; i++) {
        const struct tn_cli_option *option = &verb->options[i];
        char left[64];
        (void)snprintf(left, sizeof left, "--%s%s%s", option->name,
                       option->value == NULL ? "" : " ",
                       option->value == NULL ? "" : option->value);
        if (option->letter != 0) {
            (void)fprintf(to, "  -%c, %-28s %s\n", option->letter, left, option->text);
        } else {
            (void)fprintf(to, "      %-28s %s\n", left, option->text);
        }
    }
    (void)fprintf(to, "  -h, %-28s %s\n", "--help", "this text");
}

// ---- taking a command line apart ----

// the tables that getopt_long wants, from ours
struct getopt_tables {
    struct option longs[TN_CLI_OPTIONS_MAX + 2];
    char shorts[2 * TN_CLI_OPTIONS_MAX + 4];
};

static void make_getopt_tables(const struct tn_cli_verb *verb, struct getopt_tables *out)
{
    size_t used = 0;
    memset(out, 0, sizeof *out);
    // ':' first: a missing value is told apart from an unknown option
    out->shorts[used++] = ':';
    out->shorts[used++] = 'h';
    for (size_t i = 0; i < verb->n_options; i++) {
        const struct tn_cli_option *option = &verb->options[i];
        out->longs[i] = (struct option){
            .name = option->name,
            .has_arg = option->value == NULL ? no_argument : required_argument,
            .val = LONG_BASE + (int)i,
        };
        if (option->letter != 0) {
            out->shorts[used++] = option->letter;
            if (option->value != NULL) {
                out->shorts[used++] = ':';
            }
        }
    }
    out->longs[verb->n_options] = (struct option){.name = "help", .val = 'h'};
}

static bool store(struct tn_cli_call *call, int found)
{
    const struct tn_cli_verb *verb = call->verb;
    for (size_t i = 0; i < verb->n_options; i++) {
        if (found == LONG_BASE + (int)i || (found != 0 && found == verb->options[i].letter)) {
            call->values[i] = verb->options[i].value == NULL ? "" : optarg;
            return true;
        }
    }
    return false;
}

static int usage_error(const struct tn_cli_verb *verb)
{
    (void)fprintf(stderr, "usage: tendon %s%s%s %s (--help tells more)\n", verb->command,
                  blank(verb->name), verb->name, verb->arguments);
    return TN_CLI_USAGE;
}

// 0: go on; else the exit code + 1
static int read_options(struct tn_cli_call *call, int argc, char **argv)
{
    struct getopt_tables tables;
    make_getopt_tables(call->verb, &tables);
    opterr = 0;
    optind = 0;
    for (;;) {
        int found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL);
        if (found == -1) {
            return 0;
        }
        if (found == 'h' && !store(call, found)) {
            print_verb_help(stdout, call->verb);
            return 1 + TN_CLI_OK;
        }
        if (found == '?' || found == ':') {
            tn_cli__complain(call, found == ':' ? "%s needs a value" : "no option \"%s\"",
                             argv[optind - 1]);
            return 1 + usage_error(call->verb);
        }
        if (found != 'h') {
            (void)store(call, found);
        }
    }
}

static int run(const struct tn_cli_verb *verb, int argc, char **argv)
{
    struct tn_cli_call call = {.verb = verb};
    int n = 0;
    while (n < argc && strcmp(argv[n], "--ros-args") != 0) {
        n++;
    }
    // the context sees the program's name and what is ROS's
    const char *ros_argv[64] = {"tendon"};
    call.ros_argc = 1;
    for (int i = n; i < argc && call.ros_argc < (int)TN_ARRAY_SIZE(ros_argv); i++) {
        ros_argv[call.ros_argc++] = argv[i];
    }
    call.ros_argv = ros_argv;

    int code = read_options(&call, n, argv);
    if (code != 0) {
        return code - 1;
    }
    call.n_args = n - optind;
    call.args = (const char *const *)(argv + optind);
    if (call.n_args < verb->min_args || call.n_args > verb->max_args) {
        tn_cli__complain(&call, call.n_args < verb->min_args ? "an argument is missing"
                                                             : "too many arguments");
        return usage_error(verb);
    }
    struct tn_idl_types *types = NULL;
    call.types = &types;
    bool is_misused = false;
    call.is_misused = &is_misused;
    code = verb->run(&call);
    tn_idl_types_destroy(&types);
    return is_misused && code == TN_CLI_FAILURE ? TN_CLI_USAGE : code;
}

int tn_cli__run_command(const struct tn_cli_verb *row, int argc, char **argv)
{
    return run(row, argc, argv);
}

int tn_cli__run_verb(int argc, char **argv)
{
    const char *command = argv[0];
    if (argc < 2 || tn_cli__is_help(argv[1])) {
        print_command_help(argc < 2 ? stderr : stdout, command);
        return argc < 2 ? TN_CLI_USAGE : TN_CLI_OK;
    }
    const struct tn_cli_verb *verb = tn_cli__find_verb(command, argv[1]);
    if (verb == NULL) {
        (void)fprintf(stderr, "tendon %s: no verb \"%s\"\n\n", command, argv[1]);
        print_command_help(stderr, command);
        return TN_CLI_USAGE;
    }
    return run(verb, argc - 1, argv + 1);
}
