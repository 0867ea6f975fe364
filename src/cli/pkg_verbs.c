// SPDX-License-Identifier: Apache-2.0
// tendon pkg list|prefix|executables
#include <stdio.h>
#include <string.h>

#include "cli/cli__command.h"
#include "cli/cli__package.h"
#include "cli/cli__verb.h"

static void print_name(void *context, const char *name, const char *path)
{
    (void)context;
    (void)path;
    (void)printf("%s\n", name);
}

static int fail(const struct tn_cli_call *call, const struct tn_error *err)
{
    char text[TN_ERROR_FILE_MAX + TN_ERROR_TEXT_MAX + 32];
    tn_cli__complain(call, "%s", tn_error_format(err, text, sizeof text));
    return TN_CLI_FAILURE;
}

static int list(const struct tn_cli_call *call)
{
    struct tn_packages *packages = tn_cli__packages("pkg list");
    struct tn_error err = {0};
    (void)call;
    if (packages == NULL)
        return TN_CLI_FAILURE;
    const enum tn_result result = tn_packages_list(packages, print_name, NULL);
    tn_packages_destroy(&packages);
    return result == TN_OK
               ? TN_CLI_OK
               : fail(call, (tn_error_set(&err, result, "no memory for the list"), &err));
}

static int prefix(const struct tn_cli_call *call)
{
    struct tn_packages *packages = tn_cli__packages("pkg prefix");
    const char *found = NULL;
    char share[TN_PACKAGE_PATH_MAX];
    struct tn_error err = {0};
    if (packages == NULL)
        return TN_CLI_FAILURE;
    enum tn_result result = tn_package_prefix(packages, call->args[0], &found, &err);
    if (result == TN_OK && tn_cli__has(call, "share")) {
        result = tn_package_share(packages, call->args[0], share, sizeof share, &err);
        found = share;
    }
    if (result == TN_OK)
        (void)printf("%s\n", found);
    tn_packages_destroy(&packages);
    return result == TN_OK ? TN_CLI_OK : fail(call, &err);
}

// what the programs of one package are printed with
struct printing {
    const struct tn_packages *packages;
    const char *package;
    bool with_path;
};

static void print_program(void *context, const char *name, const char *path)
{
    const struct printing *printing = context;
    if (printing->with_path)
        (void)printf("%s\n", path);
    else
        (void)printf("%s %s\n", printing->package, name);
}

static void print_package(void *context, const char *name, const char *path)
{
    struct printing printing = *(const struct printing *)context;
    (void)path;
    printing.package = name;
    (void)tn_package_list_programs(printing.packages, name, print_program, &printing, NULL);
}

static int executables(const struct tn_cli_call *call)
{
    struct tn_packages *packages = tn_cli__packages("pkg executables");
    struct tn_error err = {0};
    if (packages == NULL)
        return TN_CLI_FAILURE;
    struct printing printing = {.packages = packages, .with_path = tn_cli__has(call, "full-path")};
    enum tn_result result = TN_OK;
    if (call->n_args == 0) {
        result = tn_packages_list(packages, print_package, &printing);
    } else {
        printing.package = call->args[0];
        result = tn_package_list_programs(packages, call->args[0], print_program, &printing, &err);
    }
    tn_packages_destroy(&packages);
    return result == TN_OK ? TN_CLI_OK : fail(call, &err);
}

static const struct tn_cli_option prefix_options[] = {
    {"share", 0, NULL, "the package's share folder instead"},
};
static const struct tn_cli_option executables_options[] = {
    {"full-path", 0, NULL, "whole paths"},
};

const struct tn_cli_verb tn_cli__pkg_verbs[] = {
    {
        .command = "pkg",
        .name = "list",
        .arguments = "",
        .text = "The packages of this installation and of AMENT_PREFIX_PATH.",
        .run = list,
    },
    {
        .command = "pkg",
        .name = "prefix",
        .arguments = "PKG",
        .min_args = 1,
        .max_args = 1,
        .text = "Where a package is installed.",
        .options = prefix_options,
        .n_options = TN_ARRAY_SIZE(prefix_options),
        .kinds = {TN_CLI_PACKAGE},
        .run = prefix,
    },
    {
        .command = "pkg",
        .name = "executables",
        .arguments = "[PKG]",
        .max_args = 1,
        .text = "The programs of a package, or of all.",
        .options = executables_options,
        .n_options = TN_ARRAY_SIZE(executables_options),
        .kinds = {TN_CLI_PACKAGE},
        .run = executables,
    },
};
const size_t tn_cli__n_pkg_verbs = TN_ARRAY_SIZE(tn_cli__pkg_verbs);
