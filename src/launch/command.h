// SPDX-License-Identifier: Apache-2.0
/// @file
/// Runs a command for what it prints, as `$(command …)` of a launch file does.
#ifndef TN_LAUNCH_COMMAND_H
#define TN_LAUNCH_COMMAND_H

#include <stdbool.h>

#include "base/result.h"
#include "launch/package.h"
#include "launch/plan.h"

/// Runs a command to its end; its stdin is empty.
/// @param packages      argv[0] without a '/' is looked up on the PATH of `environment`, then among
/// the
///                      stand-ins
/// @param argv, environment   NULL-terminated; the environment is complete
/// @param merges_stderr stderr goes to out->stdout_text too
/// @param out           stdout_text is the caller's, to be freed with free(); untouched on error
/// @return TN_OK, whatever the command ended with; TN_ERR_NOT_FOUND: no such program;
/// TN_ERR_PERMISSION; TN_ERR_LIMIT: it printed more than TN_LAUNCH_TEXT_MAX and was killed;
/// TN_ERR_IO; TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: until the command has ended.
TN_NODISCARD enum tn_result
tn_launch_run_command(const struct tn_packages *packages, const char *const *argv,
                      const char *const *environment, bool merges_stderr,
                      struct tn_launch_command_result *out, struct tn_error *err);

#endif
