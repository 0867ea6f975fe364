// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reads what the programs wrote: execution logs for the judges, all logs for the oracle.
#ifndef TN_TEST_SYSTEM_PATH_LOGS_H
#define TN_TEST_SYSTEM_PATH_LOGS_H

#include "base/result.h"
#include "devices/oracle/oracle.h"
#include "system/path/record.h"

/// Appends the lines of an execution log, by time.
TN_NODISCARD enum tn_result path_read_execution_log(const char *path, enum tn_side side,
                                                    struct path_side_record *out,
                                                    struct tn_error *err);

/// The oracle's verdict on a send log and both execution logs.
TN_NODISCARD enum tn_result path_ask_oracle(const char *send_log,
                                            const char *const execution_logs[],
                                            struct tn_oracle_verdict *out, struct tn_error *err);

#endif
