// SPDX-License-Identifier: Apache-2.0
/// @file
/// The judges of a run: what the contract promises, held against what was recorded. They read
/// recorded times only; a slow machine never makes a run guilty, because lateness is counted in
/// what the late program itself did meanwhile (polls of its device), not in seconds.
#ifndef TN_TEST_SYSTEM_PATH_JUDGE_H
#define TN_TEST_SYSTEM_PATH_JUDGE_H

#include "base/compat.h"
#include "system/path/record.h"

#define PATH_FINDINGS_KEPT 24

/// What was found, and how much was looked at (so that nothing passes by looking at nothing).
struct path_findings {
    unsigned n;
    char text[PATH_FINDINGS_KEPT][256];
    unsigned holds, resumes, moved_slowly, still_samples, silent_faults, latches, arms;
};

/// Nothing is executed between max_command_age_s after a program stopped and its return.
void path_judge_silence(const struct path_record *record, struct path_findings *findings);

/// No accepted command for position_watchdog_s: the effector holds, not earlier, and not later than
/// a few of its own polls.
void path_judge_holds(const struct path_record *record, struct path_findings *findings);

/// While it holds it does not move.
void path_judge_stillness(const struct path_record *record, struct path_findings *findings);

/// After a hold or a start commands begin with a resume, and each joint approaches at 50 %/s at
/// most until it was within 2 % of its target.
void path_judge_resumes(const struct path_record *record, struct path_findings *findings);

/// A gap above 1.0 s, and a lost program in front of the robot, need `arm`; a shorter one heals.
void path_judge_arming(const struct path_record *record, struct path_findings *findings);

/// All of them.
void path_judge_all(const struct path_record *record, struct path_findings *findings);

void path_found(struct path_findings *findings, const char *format, ...) TN_PRINTF(2, 3);

#endif
