// SPDX-License-Identifier: Apache-2.0
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "cli/cli__command.h"
#include "cli/cli__demo.h"

static const char usage[] =
    "usage: tendon demo [OPTIONS]\n\n"
    "A software DivingStation with two gloves, the Contact Glove driver, the hand model adapter, "
    "the\n"
    "retargeter and two simulated robot hands, each a process of its own, until Ctrl-C.\n\n"
    "  --compose       all nodes in one process (the gloves stay a program of their own): less\n"
    "                  latency and memory, but one hang silences both watchdogs\n"
    "  --seconds N     stop N seconds after both hands became ACTIVE\n"
    "  --report FILE   write a JSON report (-: to standard output, all else to standard error); "
    "needs --seconds\n"
    "  --input FILE    move as this recorded hand (CSV: t,x0,y0,z0,…,x20,y20,z20 in metres)\n"
    "  --seed N        of the sensor noise, default 1\n"
    "  --share         let other machines see the topics (default: this machine only)\n"
    "  --plain         one line a second instead of the screen\n"
    "  --keep DIR      keep the logs of all programs there\n\n"
    "exit status: 0 both hands moved, nothing stale or repeated was executed; 1 failure; 2 command "
    "line;\n"
    "             3 the hands were not ACTIVE within 10 s; 4 not moved, or something stale, "
    "repeated "
    "or\n"
    "             of no datagram was executed; 5 a program died. Without --seconds motion is not "
    "judged.\n";

enum {
    OPT_SECONDS = 1,
    OPT_REPORT,
    OPT_INPUT,
    OPT_SEED,
    OPT_SHARE,
    OPT_PLAIN,
    OPT_KEEP,
    OPT_COMPOSE,
    OPT_HELP
};

static const struct option long_options[] = {{"seconds", required_argument, NULL, OPT_SECONDS},
                                             {"report", required_argument, NULL, OPT_REPORT},
                                             {"input", required_argument, NULL, OPT_INPUT},
                                             {"seed", required_argument, NULL, OPT_SEED},
                                             {"share", no_argument, NULL, OPT_SHARE},
                                             {"plain", no_argument, NULL, OPT_PLAIN},
                                             {"keep", required_argument, NULL, OPT_KEEP},
                                             {"compose", no_argument, NULL, OPT_COMPOSE},
                                             {"help", no_argument, NULL, OPT_HELP},
                                             {NULL, 0, NULL, 0}};

static bool apply(int option, struct tn_demo_options *out)
{
    switch (option) {
    case OPT_SECONDS:
        return tn_parse_f64(optarg, strlen(optarg), 0.1, 1e6, &out->seconds_s) == TN_OK;
    case OPT_SEED:
        return tn_parse_i64(optarg, strlen(optarg), 0, INT32_MAX, &out->seed) == TN_OK;
    case OPT_REPORT:
        out->report_path = optarg;
        return true;
    case OPT_INPUT:
        out->input_path = optarg;
        return true;
    case OPT_KEEP:
        out->keep_dir = optarg;
        return true;
    case OPT_SHARE:
        out->is_shared = true;
        return true;
    case OPT_COMPOSE:
        out->is_composed = true;
        return true;
    case OPT_PLAIN:
        out->is_plain = true;
        return true;
    default:
        return false;
    }
}

static bool fail(int *out_exit, const char *text, const char *value)
{
    (void)fprintf(stderr, "tendon demo: %s%s; see tendon demo --help\n", text, value);
    *out_exit = TN_CLI_USAGE;
    return false;
}

bool tn_demo__parse(int argc, char **argv, struct tn_demo_options *out, int *out_exit)
{
    *out = (struct tn_demo_options){.seed = 1, .is_plain = isatty(STDOUT_FILENO) == 0};
    int option;
    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (option == OPT_HELP || option == 'h') {
            (void)fputs(usage, stdout);
            *out_exit = TN_CLI_OK;
            return false;
        }
        if (option == '?') {
            *out_exit = TN_CLI_USAGE;
            return false;
        }
        if (!apply(option, out)) {
            return fail(out_exit, "not a number in range: ", optarg);
        }
    }
    if (optind < argc) {
        return fail(out_exit, "unexpected argument ", argv[optind]);
    }
    if (out->report_path != NULL && !(out->seconds_s > 0.0)) {
        return fail(out_exit, "--report needs --seconds", "");
    }
    out->lines = stdout;
    if (out->report_path != NULL && strcmp(out->report_path, "-") == 0) {
        out->is_plain = true;
        out->lines = stderr;
    }
    if (out->input_path != NULL && access(out->input_path, R_OK) != 0) {
        return fail(out_exit, "cannot read the recording ", out->input_path);
    }
    return true;
}
