// SPDX-License-Identifier: Apache-2.0
// the command line of `tendon launch`, and what completes it
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli__command.h"
#include "cli/cli__complete.h"
#include "cli/cli__launch.h"
#include "cli/cli__package.h"

static const char usage[] =
    "usage: tendon launch [OPTIONS] PKG FILE [NAME:=VALUE …]\n"
    "       tendon launch [OPTIONS] PATH [NAME:=VALUE …]\n\n"
    "Runs a launch file (XML), one of a package or by its path, until all of its processes have "
    "ended or\n"
    "Ctrl-C ends them.\n\n"
    "  -s, --show-args       the arguments of the file, and no launch\n"
    "  -p, --print           what would run, and no launch\n"
    "  -a, --show-all-subprocesses-output\n"
    "                        everything to the screen and to the log\n"
    "      --strict          a missing rviz2 is an error\n"
    "      --launch-prefix COMMAND\n"
    "                        goes before each program: --launch-prefix 'gdb -ex run --args'\n"
    "      --launch-prefix-filter REGEX\n"
    "                        only before those whose name begins so\n"
    "  -n, --noninteractive, -d, --debug\n"
    "                        accepted, without effect\n"
    "  -h, --help            this text\n\n"
    "exit status: 0 all have ended, or Ctrl-C; 1 failure, or ended by SIGTERM; 2 command line\n";

enum { OPT_STRICT = 256, OPT_PREFIX, OPT_PREFIX_FILTER };

static const struct option long_options[] = {
    {"show-args", no_argument, NULL, 's'},
    {"show-arguments", no_argument, NULL, 's'},
    {"print", no_argument, NULL, 'p'},
    {"print-description", no_argument, NULL, 'p'},
    {"show-all-subprocesses-output", no_argument, NULL, 'a'},
    {"strict", no_argument, NULL, OPT_STRICT},
    {"launch-prefix", required_argument, NULL, OPT_PREFIX},
    {"launch-prefix-filter", required_argument, NULL, OPT_PREFIX_FILTER},
    {"noninteractive", no_argument, NULL, 'n'},
    {"debug", no_argument, NULL, 'd'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool parse_output(const char *text, enum tn_launch_output *out)
{
    static const struct {
        const char *name;
        enum tn_launch_output output;
    } outputs[] = {
        {"log", TN_LAUNCH_OUTPUT_LOG},   {"screen", TN_LAUNCH_OUTPUT_SCREEN},
        {"both", TN_LAUNCH_OUTPUT_BOTH}, {"own_log", TN_LAUNCH_OUTPUT_OWN_LOG},
        {"full", TN_LAUNCH_OUTPUT_FULL},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(outputs); i++) {
        if (strcmp(text, outputs[i].name) == 0) {
            *out = outputs[i].output;
            return true;
        }
    }
    return false;
}

static bool complain(int *out_exit, const char *text, const char *value)
{
    (void)fprintf(stderr, "tendon launch: %s%s; tendon launch --help tells more\n", text, value);
    *out_exit = TN_CLI_USAGE;
    return false;
}

// as ros2 launch takes it from the environment
static bool take_output_override(struct tn_launch_options *out, int *out_exit)
{
    const char *text = getenv("OVERRIDE_LAUNCH_PROCESS_OUTPUT");
    if (text == NULL)
        return true;
    out->has_output = parse_output(text, &out->output);
    return out->has_output ||
           complain(out_exit,
                    "OVERRIDE_LAUNCH_PROCESS_OUTPUT is none of log, screen, both, own_log, full: ",
                    text);
}

struct prefixes {
    const char *command, *filter;
};

static bool apply(int option, struct tn_launch_options *out, struct prefixes *prefixes)
{
    switch (option) {
    case 's':
        out->mode = TN_LAUNCH_MODE_SHOW_ARGS;
        return true;
    case 'p':
        out->mode = TN_LAUNCH_MODE_PRINT;
        return true;
    case 'a':
        out->has_output = true;
        out->output = TN_LAUNCH_OUTPUT_BOTH;
        return true;
    case OPT_STRICT:
        out->is_strict = true;
        return true;
    case OPT_PREFIX:
        prefixes->command = optarg;
        return true;
    case OPT_PREFIX_FILTER:
        prefixes->filter = optarg;
        return true;
    case 'n':
    case 'd':
        return true;
    default:
        return false;
    }
}

// ---- names and arguments ----

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void add_argument(struct tn_launch_options *out, const char *name, const char *value)
{
    if (value != NULL)
        out->arguments[out->n_arguments++] =
            (struct tn_launch_argument){.name = name, .value = value};
}

// words behind the options: [PKG] FILE name:=value …
static bool take_words(int n_words, char **words, const struct prefixes *prefixes,
                       struct tn_launch_options *out, int *out_exit)
{
    size_t size = 1;
    for (int i = 0; i < n_words; i++)
        size += strlen(words[i]) + 1;
    out->arguments = calloc((size_t)n_words + 2, sizeof *out->arguments);
    out->storage = malloc(size);
    if (out->arguments == NULL || out->storage == NULL)
        return complain(out_exit, "no memory", "");
    char *name = out->storage;
    int first = 0;
    while (first < n_words && first < 2 && strstr(words[first], ":=") == NULL &&
           (first == 0 || !is_file(words[0])))
        out->names[out->n_names++] = words[first++];
    if (out->n_names == 0)
        return complain(out_exit, "a package and a launch file are missing", "");
    for (int i = first; i < n_words; i++) {
        struct tn_error err = {0};
        const char *value = NULL;
        const uint32_t room = (uint32_t)strlen(words[i]) + 1;
        if (tn_launch_split_argument(words[i], name, room, &value, &err) != TN_OK)
            return complain(out_exit, "", err.text);
        add_argument(out, name, value);
        name += strlen(name) + 1;
    }
    // configurations that the launch files' processes read
    add_argument(out, "launch-prefix", prefixes->command);
    add_argument(out, "launch-prefix-filter", prefixes->filter);
    return true;
}

bool tn_cli__launch_parse(int argc, char **argv, struct tn_launch_options *out, int *out_exit)
{
    struct prefixes prefixes = {0};
    bool is_shown = false, is_printed = false;
    int option = 0;
    *out = (struct tn_launch_options){.mode = TN_LAUNCH_MODE_RUN};
    if (!take_output_override(out, out_exit))
        return false;
    optind = 0;
    while ((option = getopt_long(argc, argv, "spandh", long_options, NULL)) != -1) {
        if (option == 'h') {
            (void)fputs(usage, stdout);
            *out_exit = TN_CLI_OK;
            return false;
        }
        if (!apply(option, out, &prefixes)) {
            *out_exit = TN_CLI_USAGE;
            return false;
        }
        is_shown |= option == 's';
        is_printed |= option == 'p';
    }
    if (is_shown && is_printed)
        return complain(out_exit, "--show-args and --print exclude each other", "");
    if (prefixes.command == NULL && prefixes.filter != NULL)
        return complain(out_exit, "--launch-prefix-filter needs --launch-prefix", "");
    return take_words(argc - optind, argv + optind, &prefixes, out, out_exit);
}

void tn_cli__launch_options_fini(struct tn_launch_options *options)
{
    free(options->arguments);
    free(options->storage);
    *options = (struct tn_launch_options){.mode = TN_LAUNCH_MODE_RUN};
}

// ---- completion ----

static void propose_option(const char *begun)
{
    char text[64];
    for (size_t i = 0; long_options[i].name != NULL; i++) {
        (void)snprintf(text, sizeof text, "--%s", long_options[i].name);
        tn_cli__propose(begun, text);
    }
}

static void propose_file(void *context, const char *name, const char *path)
{
    (void)path;
    tn_cli__propose(context, name);
}

static void propose_files(const char *package, const char *begun)
{
    struct tn_packages *packages = tn_cli__packages("launch");
    char copy[TN_PACKAGE_NAME_MAX];
    (void)snprintf(copy, sizeof copy, "%s", begun);
    if (packages != NULL)
        (void)tn_package_list_files(packages, package, ".launch.xml", propose_file, copy, NULL);
    tn_packages_destroy(&packages);
}

void tn_cli__complete_launch(int n_words, char **words)
{
    const char *begun = words[n_words - 1];
    const char *names[2] = {NULL, NULL};
    int n_names = 0;
    for (int i = 0; i < n_words - 1; i++) {
        const bool has_value = strcmp(words[i], "--launch-prefix") == 0 ||
                               strcmp(words[i], "--launch-prefix-filter") == 0;
        if (words[i][0] != '-' && n_names < 2)
            names[n_names++] = words[i];
        i += has_value;
    }
    if (begun[0] == '-')
        propose_option(begun);
    else if (n_names == 0)
        tn_cli__propose_packages(begun);
    else if (n_names == 1 && !is_file(names[0]))
        propose_files(names[0], begun);
}
