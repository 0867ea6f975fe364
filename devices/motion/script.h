// SPDX-License-Identifier: Apache-2.0
/// @file
/// The motion that the software glove plays by itself: rest, spread, fist, counting one to five, a
/// pinch per finger, fist, spread, wave; looped for ever.
///
/// Each way between two poses is a minimum-jerk curve (Flash & Hogan 1985). Fingers start a little
/// one after the other, distal joints after proximal ones; the left hand plays the same motion
/// TN_MOTION_LEFT_LAG_S later. Each of the six joints of a percent hand (thumb bend, thumb swing,
/// bend of four fingers) sweeps at least 80 % of its range within any 12 s and at least 60 % within
/// any 5 s that begin after the first second.
#ifndef TN_DEVICES_MOTION_SCRIPT_H
#define TN_DEVICES_MOTION_SCRIPT_H

#include "base/side.h"
#include "devices/motion/angles.h"

/// The left hand is behind the right one by this much.
#define TN_MOTION_LEFT_LAG_S 0.9

/// The pose of a hand at a time, without noise. Pure.
/// @param time_s   since the start of the script; negative times give the start pose
/// @return nothing. Thread: any. Allocates: never. Blocks: never. Cost: constant.
void tn_motion_script_sample(enum tn_side side, double time_s, struct tn_motion_pose *out_pose);

/// @return length of one loop in seconds. Thread: any. Allocates: never. Blocks: never.
double tn_motion_script_period_s(void);

#endif
