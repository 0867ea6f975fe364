// SPDX-License-Identifier: Apache-2.0
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "devices/file/file.h"
#include "devices/oracle/oracle.h"

#define LOG_BYTES_MAX ((size_t)1 << 30)
#define JSON_BYTES    4096

enum { EXIT_CLEAN = 0, EXIT_BAD_INPUT = 1, EXIT_COMMAND_LINE = 2, EXIT_GUILTY = 4 };

static const char usage[] =
    "usage: tendon_oracle [OPTION…] SEND_LOG EXECUTION_LOG…\n"
    "Joins what the software glove sent with what the robot hands executed; prints one line of\n"
    "JSON: per hand executed, stale, repeated and unmatched commands, ages in ms, events.\n"
    "  --max-age S     commands older than this are stale; default 0.2\n"
    "  --tolerance S   added to it: the way that no clock map can see; default 0.005\n"
    "  --json          JSON output (the default)\n"
    "  --help\n"
    "exit status: 0 nothing stale, repeated or unmatched; 4 otherwise; 1 a log cannot be read;\n"
    "             2 command line\n";

struct arguments {
    struct tn_oracle_options options;
    char **logs; // (n_logs), the send log first
    int n_logs;
    int exit_code; // -1: go on
};

static int bad_argument(const char *option, const char *found, const char *expected)
{
    fprintf(stderr, "tendon_oracle: %s: found '%s', expected %s; see --help\n", option, found,
            expected);
    return EXIT_COMMAND_LINE;
}

static int take_seconds(const char *option, double min_s, int64_t *out_ns)
{
    double seconds_s = 0.0;
    if (tn_parse_f64(optarg, strlen(optarg), min_s, 1e6, &seconds_s) != TN_OK)
        return bad_argument(option, optarg, "seconds");
    *out_ns = tn_seconds_to_ns(seconds_s);
    return -1;
}

static struct arguments parse_arguments(int argc, char **argv)
{
    static const struct option options[] = {{"max-age", required_argument, NULL, 'a'},
                                            {"tolerance", required_argument, NULL, 't'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct arguments arguments = {.options = tn_oracle_options_default(), .exit_code = -1};
    int option = 0;
    while (arguments.exit_code < 0 &&
           (option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'a')
            arguments.exit_code = take_seconds("--max-age", 1e-9, &arguments.options.max_age_ns);
        else if (option == 't')
            arguments.exit_code = take_seconds("--tolerance", 0.0, &arguments.options.tolerance_ns);
        else if (option == 'h')
            arguments.exit_code = fputs(usage, stdout) < 0 ? EXIT_BAD_INPUT : EXIT_CLEAN;
        else if (option != 'j')
            arguments.exit_code = EXIT_COMMAND_LINE;
    }
    arguments.logs = argv + optind;
    arguments.n_logs = argc - optind;
    if (arguments.exit_code < 0 && arguments.n_logs < 2) {
        fputs("tendon_oracle: expected a send log and at least one execution log; see --help\n",
              stderr);
        arguments.exit_code = EXIT_COMMAND_LINE;
    }
    return arguments;
}

static enum tn_result read_log(struct tn_oracle *oracle, const char *path, bool is_send_log,
                               struct tn_error *err)
{
    char *text = NULL;
    size_t size = 0;
    enum tn_result result = tn_file_read(path, LOG_BYTES_MAX, &text, &size, err);
    if (result != TN_OK)
        return result;
    result = is_send_log ? tn_oracle_read_sent(oracle, text, size, path, err)
                         : tn_oracle_read_executed(oracle, text, size, path, err);
    free(text);
    return result;
}

static enum tn_result judge(const struct arguments *arguments, struct tn_oracle *oracle,
                            struct tn_oracle_verdict *out_verdict, struct tn_error *err)
{
    for (int i = 0; i < arguments->n_logs; i++) {
        enum tn_result result = read_log(oracle, arguments->logs[i], i == 0, err);
        if (result != TN_OK)
            return result;
    }
    return tn_oracle_judge(oracle, out_verdict, err);
}

int main(int argc, char **argv)
{
    struct arguments arguments = parse_arguments(argc, argv);
    if (arguments.exit_code >= 0)
        return arguments.exit_code;
    struct tn_error err = {0};
    struct tn_oracle *oracle = NULL;
    struct tn_oracle_verdict verdict;
    enum tn_result result = tn_oracle_create(&arguments.options, &oracle, &err);
    if (result == TN_OK)
        result = judge(&arguments, oracle, &verdict, &err);
    tn_oracle_destroy(&oracle);
    char json[JSON_BYTES];
    if (result == TN_OK)
        result = tn_oracle_verdict_json(&verdict, json, sizeof json);
    if (result != TN_OK) {
        char text[TN_ERROR_FILE_MAX + TN_ERROR_TEXT_MAX + 32];
        fprintf(stderr, "tendon_oracle: %s\n", tn_error_format(&err, text, sizeof text));
        return EXIT_BAD_INPUT;
    }
    if (puts(json) < 0 || fflush(stdout) != 0)
        return EXIT_BAD_INPUT;
    return verdict.is_clean ? EXIT_CLEAN : EXIT_GUILTY;
}
