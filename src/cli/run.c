// SPDX-License-Identifier: Apache-2.0
// tendon run PKG EXEC: a program of a package takes the place of this one
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli__command.h"
#include "cli/cli__complete.h"
#include "cli/cli__package.h"

static const char usage[] =
    "usage: tendon run [--prefix COMMAND] PKG EXEC [ARGUMENTS]\n\n"
    "Runs a program of a package; everything behind its name is the program's own.\n\n"
    "  --prefix COMMAND   goes before the program: --prefix 'gdb -ex run --args'\n\n"
    "exit status: the program's; 1 there is none; 2 command line\n";

struct tn_packages *tn_cli__packages(const char *command)
{
    struct tn_packages *packages = NULL;
    struct tn_error err = {0};
    if (tn_packages_create_default(&packages, &err) != TN_OK)
        tn_cli__say_error(command, &err);
    return packages;
}

void tn_cli__say_error(const char *command, const struct tn_error *err)
{
    char text[TN_ERROR_FILE_MAX + TN_ERROR_TEXT_MAX + 32];
    (void)fprintf(stderr, "tendon %s: %s\n", command, tn_error_format(err, text, sizeof text));
}

// ---- words of a command as a shell would split them, without its expansions ----

// takes one word from *io_text to *io_out; false: a quote is not closed
static bool take_word(const char **io_text, char **io_out)
{
    const char *text = *io_text;
    char *out = *io_out;
    char quote = '\0';
    for (; *text != '\0' && (quote != '\0' || strchr(" \t\n", *text) == NULL); text++) {
        if (quote == '\0' && (*text == '\'' || *text == '"')) {
            quote = *text;
        } else if (quote != '\0' && *text == quote) {
            quote = '\0';
        } else if (*text == '\\' && quote != '\'' && text[1] != '\0' &&
                   (quote == '\0' || text[1] == '"' || text[1] == '\\')) {
            *out++ = *++text;
        } else {
            *out++ = *text;
        }
    }
    *out++ = '\0';
    *io_text = text;
    *io_out = out;
    return quote == '\0';
}

// words into `storage` (as long as the text, and two more) and `out_words`; -1: not closed, too
// many
static int split_words(const char *text, char *storage, const char **out_words, int n_most)
{
    int n = 0;
    for (;;) {
        text += strspn(text, " \t\n");
        if (*text == '\0')
            return n;
        if (n == n_most)
            return -1;
        out_words[n++] = storage;
        if (!take_word(&text, &storage))
            return -1;
    }
}

// ---- running ----

static int run_program(const char *prefix, const char *path, int argc, char **argv)
{
    const size_t size = prefix != NULL ? strlen(prefix) : 0;
    const int n_most = (int)(size / 2 + 1);
    char *storage = malloc(size + 2);
    const char **words = calloc((size_t)n_most + (size_t)argc + 2, sizeof *words);
    int code = TN_CLI_FAILURE;
    int n = 0;
    if (storage == NULL || words == NULL) {
        (void)fprintf(stderr, "tendon run: no memory\n");
        goto done;
    }
    n = prefix != NULL ? split_words(prefix, storage, words, n_most) : 0;
    if (n < 0) {
        (void)fprintf(stderr, "tendon run: --prefix \"%s\" has a quote that is not closed\n",
                      prefix);
        code = TN_CLI_USAGE;
        goto done;
    }
    words[n++] = path;
    for (int i = 0; i < argc; i++)
        words[n++] = argv[i];
    (void)fflush(NULL);
    // exec takes an array of changeable strings and changes none
    (void)execvp(words[0], (char *const *)words);
    (void)fprintf(stderr, "tendon run: cannot run %s: %s\n", words[0], strerror(errno));
done:
    free(words);
    free(storage);
    return code;
}

// options before the program's name; returns the number of words taken, -1: told what is wrong
static int take_options(int argc, char **argv, const char **out_prefix, const char **names)
{
    int n_names = 0;
    int i = 0;
    for (; i < argc && n_names < 2; i++) {
        if (strcmp(argv[i], "--prefix") == 0 && i + 1 < argc) {
            *out_prefix = argv[++i];
        } else if (strncmp(argv[i], "--prefix=", 9) == 0) {
            *out_prefix = argv[i] + 9;
        } else if (argv[i][0] == '-') {
            (void)fprintf(stderr,
                          strcmp(argv[i], "--prefix") == 0 ? "tendon run: %s needs a value\n"
                                                           : "tendon run: no option \"%s\"\n",
                          argv[i]);
            return -1;
        } else {
            names[n_names++] = argv[i];
        }
    }
    if (n_names == 2)
        return i;
    (void)fprintf(
        stderr,
        n_names == 0 ? "tendon run: a package and a program are missing; `tendon pkg list` shows "
                       "packages\n"
                     : "tendon run: a program is missing; `tendon pkg executables %s` shows them\n",
        names[0]);
    return -1;
}

int tn_cli_run(int argc, char **argv)
{
    const char *prefix = NULL;
    const char *names[2] = {"", ""};
    if (argc >= 2 && tn_cli__is_help(argv[1])) {
        (void)fputs(usage, stdout);
        return TN_CLI_OK;
    }
    const int n_taken = take_options(argc - 1, argv + 1, &prefix, names);
    if (n_taken < 0)
        return TN_CLI_USAGE;
    struct tn_packages *packages = tn_cli__packages("run");
    struct tn_package_program program;
    struct tn_error err = {0};
    if (packages == NULL)
        return TN_CLI_FAILURE;
    const enum tn_result result = tn_package_program(packages, names[0], names[1], &program, &err);
    tn_packages_destroy(&packages);
    if (result != TN_OK) {
        tn_cli__say_error("run", &err);
        return TN_CLI_FAILURE;
    }
    return run_program(prefix, program.path, argc - 1 - n_taken, argv + 1 + n_taken);
}

// ---- completion ----

static void propose_name(void *context, const char *name, const char *path)
{
    (void)path;
    tn_cli__propose(context, name);
}

void tn_cli__propose_packages(const char *prefix)
{
    struct tn_packages *packages = tn_cli__packages("run");
    char copy[TN_PACKAGE_NAME_MAX];
    (void)snprintf(copy, sizeof copy, "%s", prefix);
    if (packages != NULL)
        (void)tn_packages_list(packages, propose_name, copy);
    tn_packages_destroy(&packages);
}

void tn_cli__propose_programs(const char *package, const char *prefix)
{
    struct tn_packages *packages = tn_cli__packages("run");
    char copy[TN_PACKAGE_NAME_MAX];
    (void)snprintf(copy, sizeof copy, "%s", prefix);
    if (packages != NULL)
        (void)tn_package_list_programs(packages, package, propose_name, copy, NULL);
    tn_packages_destroy(&packages);
}

void tn_cli__complete_run(int n_words, char **words)
{
    const char *begun = words[n_words - 1];
    const char *package = NULL;
    int n_names = 0;
    for (int i = 0; i < n_words - 1; i++) {
        if (strcmp(words[i], "--prefix") == 0) {
            i++;
        } else if (words[i][0] != '-') {
            package = n_names == 0 ? words[i] : package;
            n_names++;
        }
    }
    if (n_names == 0 && begun[0] == '-') {
        tn_cli__propose(begun, "--prefix");
        tn_cli__propose(begun, "--help");
    } else if (n_names == 0) {
        tn_cli__propose_packages(begun);
    } else if (n_names == 1) {
        tn_cli__propose_programs(package, begun);
    }
}
