// SPDX-License-Identifier: Apache-2.0
/// @file
/// Ready-made diagnostic tasks: those of diagnostic_updater with its keys and messages, and ours
/// for streams. Each `…_run` is a tn_diag_fn whose context is the struct of its name; the struct is
/// the caller's and must outlive the updater.
#ifndef TN_ROS_DIAGNOSTICS_TASKS_H
#define TN_ROS_DIAGNOSTICS_TASKS_H

#include "base/stream_stats.h"
#include "ros/diagnostics.h"

// ---- diagnostic_updater's tasks ----

/// Reports the frequency is taken over; FrequencyStatusParam's default is 5.
#define TN_DIAG_FREQUENCY_WINDOW_MAX 32

/// FrequencyStatus, "Frequency Status". Fill the first four, the rest is private.
struct tn_diag_frequency {
    double min_hz, max_hz; ///< max INFINITY: none
    double tolerance;      ///< 0.1 in diagnostic_updater
    uint32_t window;       ///< 1..TN_DIAG_FREQUENCY_WINDOW_MAX; 0: 5
    uint64_t count;
    uint32_t next;
    int64_t times_ns[TN_DIAG_FREQUENCY_WINDOW_MAX];
    uint64_t counts[TN_DIAG_FREQUENCY_WINDOW_MAX];
};

/// Forgets what was counted; call it before the first tick. @return nothing. Thread: the loop's.
/// Allocates: never. Blocks: never.
void tn_diag_frequency_clear(struct tn_diag_frequency *frequency, int64_t now_steady_ns);
/// An event. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag_frequency_tick(struct tn_diag_frequency *frequency);
/// The task. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag_frequency_run(void *frequency, struct tn_diag_status *status, int64_t now_steady_ns);

/// TimeStampStatus, "Timestamp Status". Fill the first two, the rest is private.
struct tn_diag_timestamp {
    double min_acceptable_s, max_acceptable_s; ///< -1 and 5 in diagnostic_updater
    bool has_delta, has_zero;
    double min_delta_s, max_delta_s;
    uint64_t early, late, zero;
};

/// An event stamped `stamp_ros_ns` that is seen at `now_ros_ns`. A stamp of 0 is an error. @return
/// nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag_timestamp_tick(struct tn_diag_timestamp *timestamp, int64_t stamp_ros_ns,
                            int64_t now_ros_ns);
/// The task. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag_timestamp_run(void *timestamp, struct tn_diag_status *status, int64_t now_steady_ns);

/// Heartbeat, "Heartbeat": always OK, "Alive"; the context is not used. @return nothing. Thread:
/// the loop's. Allocates: never. Blocks: never.
void tn_diag_heartbeat_run(void *unused, struct tn_diag_status *status, int64_t now_steady_ns);

/// CompositeDiagnosticTask: several tasks in one status, their keys in order and their summaries
/// merged. A frequency and a timestamp task, named "<topic> topic status", are TopicDiagnostic.
struct tn_diag_composite {
    struct {
        tn_diag_fn run;
        void *context;
    } parts[8];
    uint32_t n_parts;
};

/// The task. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag_composite_run(void *composite, struct tn_diag_status *status, int64_t now_steady_ns);

// ---- ours: one stream of samples ----

/// When a stream is not what it should be; see tn_diag_stream_limits_default(). 0 (also of a rate,
/// an age, a share) means that it is not judged.
struct tn_diag_stream_limits {
    double target_hz;                      ///< what the source promises
    double warn_rate, error_rate;          ///< shares of it below which the rate is too low
    int64_t stale_ns, lost_ns;             ///< silence
    enum tn_diag_level never, stale, lost; ///< before the first sample; silent; silent for long
    int64_t age_warn_ns, age_error_ns;     ///< of the 99th percentile
    double missing_warn, missing_error;    ///< shares
};

/// @return no target; 0.9 and 0.5 of it; silent for 0.2 s: WARN, 1 s: ERROR, never heard: STALE;
/// ages 100 and 200 ms; 1 % and 10 % missing. Thread: any. Allocates: never. Blocks: never.
struct tn_diag_stream_limits tn_diag_stream_limits_default(void);

/// One stream.
struct tn_diag_stream {
    struct tn_stream_stats stats; ///< the node feeds it
    struct tn_diag_stream_limits limits;
    const char *stamp_kind; ///< which clock the stamps come from; NULL: not told
    bool is_numbered; ///< samples have an identity, so lost, repeated and reordered ones are known
};

/// "Frequency Status": rate and intervals. @return nothing. Thread: the loop's. Allocates: never.
/// Blocks: never.
void tn_diag_stream_frequency_run(void *stream, struct tn_diag_status *status,
                                  int64_t now_steady_ns);
/// "Timestamp Status": where stamps come from, and ages. @return nothing. Thread: the loop's.
/// Allocates: never. Blocks: never.
void tn_diag_stream_timestamp_run(void *stream, struct tn_diag_status *status,
                                  int64_t now_steady_ns);
/// "Frames": what was received, lost, repeated, out of order. @return nothing. Thread: the loop's.
/// Allocates: never. Blocks: never.
void tn_diag_stream_frames_run(void *stream, struct tn_diag_status *status, int64_t now_steady_ns);
/// All of it in one status. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag_stream_run(void *stream, struct tn_diag_status *status, int64_t now_steady_ns);

#endif
