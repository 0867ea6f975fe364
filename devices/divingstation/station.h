// SPDX-License-Identifier: Apache-2.0
/// @file
/// The running software DivingStation: socket, timers, clients, motion.
#ifndef TN_DEVICES_DIVINGSTATION_STATION_H
#define TN_DEVICES_DIVINGSTATION_STATION_H

#include "base/loop.h"
#include "base/result.h"
#include "devices/divingstation/arguments.h"

struct tn_ds_station;

/// Opens everything the arguments name and registers it in the loop: it plays from the first pass.
/// SIGUSR1 is blocked and then stops or starts the hand frames.
/// @param arguments   copied; the strings in it must stay
/// @return TN_OK; TN_ERR_BUSY and the others of tn_udp_open(); the errors of tn_file_read(),
/// tn_motion_trace_parse(), tn_ds_log_open() and tn_trace_open(); TN_ERR_IO; TN_ERR_NO_MEMORY.
/// Thread: the loop's. Allocates: yes. Blocks: disk.
TN_NODISCARD enum tn_result tn_ds_station_create(struct tn_loop *loop,
                                                 const struct tn_ds_arguments *arguments,
                                                 struct tn_ds_station **out_station,
                                                 struct tn_error *err);

/// Closes everything and logs what was sent; accepts NULL, nulls the pointer. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_ds_station_destroy(struct tn_ds_station **station);

#endif
