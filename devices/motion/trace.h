// SPDX-License-Identifier: Apache-2.0
/// @file
/// A recorded motion of one hand, 21 points a row, played in a loop as the angles of a glove.
///
/// Text format: a header line `t,x0,y0,z0,x1,…,z20`, then one row per frame: `t` in seconds,
/// strictly increasing, and 63 coordinates in metres (points and frame:
/// devices/motion/hand_points.h). Lines end in LF or CR LF; only empty lines may follow the last
/// row.
#ifndef TN_DEVICES_MOTION_TRACE_H
#define TN_DEVICES_MOTION_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "base/side.h"
#include "devices/motion/angles.h"

/// Most rows: 55 minutes at 30 Hz.
#define TN_MOTION_TRACE_ROWS_MAX 100000
/// Most bytes of text; what that many rows with 16 characters a number need.
#define TN_MOTION_TRACE_BYTES_MAX (UINT32_C(112) << 20)
/// No coordinate of a hand seen from its wrist or from a camera is larger.
#define TN_MOTION_TRACE_COORDINATE_MAX_M 10.0
/// The end of the recording is blended into its start over this time (at most a quarter of it).
#define TN_MOTION_TRACE_BLEND_S 0.5

struct tn_motion_trace;

/// Reads a recording. Whether it shows a left or a right hand is found from the points. A frame in
/// which a bone or the palm is too small to have a direction repeats the angles of the frame
/// before.
/// @param text, size   need not be NUL-terminated, may be freed afterwards
/// @param name         of the file, for errors
/// @return TN_OK; with line and column in err: TN_ERR_SYNTAX: wrong header, not a number (also nan
/// and inf), too few or too many columns; TN_ERR_RANGE: a coordinate above
/// TN_MOTION_TRACE_COORDINATE_MAX_M, or a time that is not later than the one before;
/// TN_ERR_LIMIT: too many rows or bytes; TN_ERR_TRUNCATED: fewer than two rows; TN_ERR_MALFORMED:
/// no frame shows a hand; TN_ERR_NO_MEMORY. Thread: any. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_motion_trace_parse(const char *text, size_t size, const char *name,
                                                  struct tn_motion_trace **out_trace,
                                                  struct tn_error *err);

/// Frees it; accepts NULL, nulls the pointer. @return nothing.
/// Thread: one caller. Allocates: never. Blocks: never.
void tn_motion_trace_destroy(struct tn_motion_trace **trace);

/// The angles at a time since the start of the first loop (finite; negative: the first frame),
/// interpolated with cubic curves between the frames (Catmull-Rom). The same for both hands: equal
/// angles are mirrored motions. @return nothing.
/// Thread: any. Allocates: never. Blocks: never. Cost: O(log rows).
void tn_motion_trace_sample(const struct tn_motion_trace *trace, double time_s,
                            struct tn_motion_pose *out_pose);

/// @return length of one loop in seconds. Thread: any. Allocates: never. Blocks: never.
double tn_motion_trace_period_s(const struct tn_motion_trace *trace);

/// @return number of frames. Thread: any. Allocates: never. Blocks: never.
uint32_t tn_motion_trace_frames(const struct tn_motion_trace *trace);

/// @return the hand that was recorded. Thread: any. Allocates: never. Blocks: never.
enum tn_side tn_motion_trace_side(const struct tn_motion_trace *trace);

#endif
