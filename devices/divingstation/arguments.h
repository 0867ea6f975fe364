// SPDX-License-Identifier: Apache-2.0
/// @file
/// Command line of the software DivingStation.
#ifndef TN_DEVICES_DIVINGSTATION_ARGUMENTS_H
#define TN_DEVICES_DIVINGSTATION_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/divingstation/messages.h"

/// Everything that can be said on the command line. Strings belong to argv.
struct tn_ds_arguments {
    uint16_t port;
    const char *bind;
    double rate_hz;
    uint64_t seed;
    double noise_deg;  ///< standard deviation of each angle
    const char *input; ///< recorded trace; NULL: the motion script
    struct tn_ds_pair pair;
    double loss;                        ///< share of datagrams that are not sent, 0..1
    const char *send_log, *haptics_log; ///< NULL: none
    bool has_freeze, has_end;
    double freeze_after_s, end_after_s;
    double garbage_hz; ///< malformed datagrams per second and client
};

/// Reads the command line; explains errors on stderr and `--help` on stdout.
/// @return -1: go on; else the exit code of the program. Thread: main. Allocates: never. Blocks:
/// never.
int tn_ds_arguments_parse(int argc, char **argv, struct tn_ds_arguments *out_arguments);

#endif
