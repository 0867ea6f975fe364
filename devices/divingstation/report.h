// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the software DivingStation writes: send log, haptics log, standard output.
#ifndef TN_DEVICES_DIVINGSTATION_REPORT_H
#define TN_DEVICES_DIVINGSTATION_REPORT_H

#include <stdint.h>

#include "base/result.h"
#include "base/side.h"
#include "glove/contact/contact_message.h"

/// A log that programs append to, one write(2) per line, so that several writers never mix lines
/// and a killed one loses at most the line it is writing.
struct tn_ds_log {
    int fd; ///< -1: none
    const char *path;
    uint64_t n_failed; ///< lines that could not be written
};

/// Opens (appends to) a log and writes its first line.
/// @param path     NULL: no log, writing does nothing
/// @param header   first line without its newline
/// @return TN_OK; TN_ERR_IO, TN_ERR_NOT_FOUND or TN_ERR_PERMISSION: errno in err.
/// Thread: any. Allocates: never. Blocks: disk.
TN_NODISCARD enum tn_result tn_ds_log_open(struct tn_ds_log *log, const char *path,
                                           const char *header, struct tn_error *err);

/// Closes it; harmless on one that is not open. @return nothing. Thread: one caller. Allocates:
/// never. Blocks: never.
void tn_ds_log_close(struct tn_ds_log *log);

/// Writes one hand datagram to the send log. @return nothing. Thread: one caller at a time.
/// Allocates: never. Blocks: disk.
void tn_ds_log_sent(struct tn_ds_log *log, uint64_t sequence, enum tn_side side,
                    int64_t send_wall_ns, int64_t send_steady_ns);

/// Writes a haptic command to stdout and, with its receive time in front, to the log.
/// @return nothing. Thread: one caller at a time. Allocates: never. Blocks: disk, stdout.
void tn_ds_report_haptics(struct tn_ds_log *log, const struct tn_contact_message *message,
                          int64_t receive_wall_ns);

#endif
