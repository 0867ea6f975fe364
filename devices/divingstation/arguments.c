// SPDX-License-Identifier: Apache-2.0
#include "devices/divingstation/arguments.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "glove/contact/contact_codec.h"
#include "glove/contact/contact_dialect.h"

#define GO_ON             (-1)
#define EXIT_COMMAND_LINE 2

static const char usage[] =
    "usage: divingstation [OPTION…]\n"
    "Software DivingStation: speaks DivingStationProtocol v1 as the glove's PC program does, and\n"
    "plays a motion script or a recorded hand. Haptic commands are reported on stdout.\n"
    "  --port N            UDP port to listen on; default 25790\n"
    "  --bind ADDRESS      local IPv4 address; default 127.0.0.1 (this machine only)\n"
    "  --rate HZ           frames per second and hand, 1..1000; default 120\n"
    "  --hands WHICH       both, left or right; default both\n"
    "  --id ID             id of the glove pair; default SOFTGLOVE0001\n"
    "  --input FILE        plays a recorded trace (CSV: t,x0,y0,z0,…,z20) instead of the script\n"
    "  --noise DEG         standard deviation of the sensor noise; default 0.25\n"
    "  --seed N            start value of noise, loss and garbage; default 1\n"
    "  --loss P            share of datagrams that get lost, 0..1; default 0\n"
    "  --garbage N         malformed datagrams per second; default 0\n"
    "  --freeze-after S    stops sending hand frames after S seconds while the rest goes on;\n"
    "                      SIGUSR1 stops and starts them at any time\n"
    "  --seconds S         ends after S seconds; default: at SIGINT or SIGTERM\n"
    "  --send-log FILE     appends sequence,side,send_wall_ns,send_steady_ns per hand datagram\n"
    "  --haptics-log FILE  appends a line per haptic command\n"
    "  --help\n"
    "exit status: 0 ended as told; 1 it could not start or broke; 2 command line\n";

enum {
    PORT = 1,
    BIND,
    RATE,
    HANDS,
    ID,
    INPUT,
    NOISE,
    SEED,
    LOSS,
    GARBAGE,
    FREEZE,
    SECONDS,
    SEND_LOG,
    HAPTICS_LOG,
    HELP
};

static const struct option options[] = {{"port", required_argument, NULL, PORT},
                                        {"bind", required_argument, NULL, BIND},
                                        {"rate", required_argument, NULL, RATE},
                                        {"hands", required_argument, NULL, HANDS},
                                        {"id", required_argument, NULL, ID},
                                        {"input", required_argument, NULL, INPUT},
                                        {"noise", required_argument, NULL, NOISE},
                                        {"seed", required_argument, NULL, SEED},
                                        {"loss", required_argument, NULL, LOSS},
                                        {"garbage", required_argument, NULL, GARBAGE},
                                        {"freeze-after", required_argument, NULL, FREEZE},
                                        {"seconds", required_argument, NULL, SECONDS},
                                        {"send-log", required_argument, NULL, SEND_LOG},
                                        {"haptics-log", required_argument, NULL, HAPTICS_LOG},
                                        {"help", no_argument, NULL, HELP},
                                        {NULL, 0, NULL, 0}};

static const char *option_name(int option)
{
    return options[option - 1].name;
}

static int bad_value(int option, const char *expected)
{
    fprintf(stderr, "divingstation: --%s: found '%s', expected %s; see --help\n",
            option_name(option), optarg, expected);
    return EXIT_COMMAND_LINE;
}

static int take_number(int option, double min, double max, double *out_value)
{
    if (tn_parse_f64(optarg, strlen(optarg), min, max, out_value) == TN_OK)
        return GO_ON;
    char expected[64];
    (void)snprintf(expected, sizeof expected, "a number from %g to %g", min, max);
    return bad_value(option, expected);
}

static int take_port(struct tn_ds_arguments *arguments)
{
    uint64_t port = 0;
    if (tn_parse_u64(optarg, strlen(optarg), 0, UINT16_MAX, &port) != TN_OK)
        return bad_value(PORT, "a port, 1..65535 (0: any free one)");
    arguments->port = (uint16_t)port;
    return GO_ON;
}

static int take_seed(struct tn_ds_arguments *arguments)
{
    if (tn_parse_u64(optarg, strlen(optarg), 0, UINT64_MAX, &arguments->seed) == TN_OK)
        return GO_ON;
    return bad_value(SEED, "an integer, 0 or more");
}

static int take_hands(struct tn_ds_arguments *arguments)
{
    bool is_both = strcmp(optarg, "both") == 0;
    enum tn_side side = TN_SIDE_UNKNOWN;
    if (!is_both && !tn_side_parse(optarg, &side))
        return bad_value(HANDS, "both, left or right");
    arguments->pair.has_hand[tn_side_index(TN_SIDE_LEFT)] = is_both || side == TN_SIDE_LEFT;
    arguments->pair.has_hand[tn_side_index(TN_SIDE_RIGHT)] = is_both || side == TN_SIDE_RIGHT;
    return GO_ON;
}

static int take_id(struct tn_ds_arguments *arguments)
{
    if (!tn_contact_id_is_valid(optarg, TN_CONTACT_WIRE_ID_MAX))
        return bad_value(ID, "1 to 57 characters without '/' and blanks");
    (void)snprintf(arguments->pair.id, sizeof arguments->pair.id, "%s", optarg);
    return GO_ON;
}

// the options that name files and addresses are checked where they are used
static int take_option(int option, struct tn_ds_arguments *arguments)
{
    switch (option) {
    case PORT:
        return take_port(arguments);
    case RATE:
        return take_number(RATE, 1.0, 1000.0, &arguments->rate_hz);
    case HANDS:
        return take_hands(arguments);
    case ID:
        return take_id(arguments);
    case NOISE:
        return take_number(NOISE, 0.0, 30.0, &arguments->noise_deg);
    case SEED:
        return take_seed(arguments);
    case LOSS:
        return take_number(LOSS, 0.0, 1.0, &arguments->loss);
    case GARBAGE:
        return take_number(GARBAGE, 0.0, 1e5, &arguments->garbage_hz);
    case FREEZE:
        arguments->has_freeze = true;
        return take_number(FREEZE, 0.0, 1e6, &arguments->freeze_after_s);
    case SECONDS:
        arguments->has_end = true;
        return take_number(SECONDS, 0.0, 1e6, &arguments->end_after_s);
    case HELP:
        return fputs(usage, stdout) < 0 ? 1 : 0;
    default:
        // getopt has explained it
        return EXIT_COMMAND_LINE;
    }
}

static const char **text_option(int option, struct tn_ds_arguments *arguments)
{
    switch (option) {
    case BIND:
        return &arguments->bind;
    case INPUT:
        return &arguments->input;
    case SEND_LOG:
        return &arguments->send_log;
    case HAPTICS_LOG:
        return &arguments->haptics_log;
    default:
        return NULL;
    }
}

static struct tn_ds_arguments defaults(void)
{
    return (struct tn_ds_arguments){.port = TN_CONTACT_DS_PORT_V1,
                                    .bind = "127.0.0.1",
                                    .rate_hz = 120.0,
                                    .seed = 1,
                                    .noise_deg = 0.25,
                                    .pair = {.id = "SOFTGLOVE0001", .has_hand = {true, true}}};
}

int tn_ds_arguments_parse(int argc, char **argv, struct tn_ds_arguments *out_arguments)
{
    struct tn_ds_arguments arguments = defaults();
    int option = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        const char **text = text_option(option, &arguments);
        int exit_code = GO_ON;
        if (text != NULL)
            *text = optarg;
        else
            exit_code = take_option(option, &arguments);
        if (exit_code != GO_ON)
            return exit_code;
    }
    if (optind < argc) {
        fprintf(stderr, "divingstation: unexpected argument '%s'; see --help\n", argv[optind]);
        return EXIT_COMMAND_LINE;
    }
    *out_arguments = arguments;
    return GO_ON;
}
