// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: from the first launch file to the plan.
#ifndef TN_LAUNCH_LAUNCH__PLAN_H
#define TN_LAUNCH_LAUNCH__PLAN_H

#include "launch/launch__loader.h"

/// Executes a launch file with its includes.
/// @return as tn_launch_load(). Thread: one caller. Allocates: yes. Blocks: as the callbacks do.
TN_NODISCARD enum tn_result tn_launch__execute(struct tn_launch__loader *loader, const char *path);

#endif
