// SPDX-License-Identifier: Apache-2.0
/// @file
/// Samples of one hand become numbered, dated frames: which glove and which writer count, what is
/// repeated or old, when a stream begins anew, what was missed.
///
/// Rules, in the order in which tn_hand_stream_take() applies them:
///   1. Device: a configured id alone counts; without one, the first device seen, which keeps the
///      side until it is reported disconnected or has been silent for `silence_ns`.
///   2. A device last reported as disconnected does not count: its samples are from before.
///   3. Writer: the one that opened the stream alone counts until it has been silent for
///      `stale_ns`.
///   4. Identity: a stamp that is not later than the last one is repeated or reordered, unless it
///      lies more than `step_back_ns` behind it: the source's clock was set back, which is no other
///      stream. The sequence goes on, and a consumer sees by it that the stamp's fall is no replay.
/// A new stream begins (new stream_id, sequence 0) with the first sample, another device or writer,
/// after a silence of `silence_ns`, and when a device returns that had been reported disconnected.
///
/// Within a stream: sequence grows by one per frame; missed_before is an estimate from the stamps
/// and the nominal rate; rates are differences of neighbours and valid only when their stamps are
/// 0.5 to 5 nominal periods apart.
///
/// Link state of a frame: age unknown CALIBRATING, older than `stale_ns` STALE, else ACTIVE. An age
/// below -TN_HAND_STREAM_FUTURE_NS counts as unknown; one between that and 0 as 0.
///
/// Times are injected; nothing here reads a clock.
#ifndef TN_HAND_STREAM_H
#define TN_HAND_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "hand/frame.h"

#define TN_HAND_STREAM_FUTURE_NS   (5 * TN_NS_PER_MS)
#define TN_HAND_STREAM_WRITER_SIZE 16
/// Devices whose connection state is remembered per side; a PC has at most 8 receivers.
#define TN_HAND_STREAM_DEVICES 16

struct tn_hand_stream_options {
    enum tn_side side;
    enum tn_stamp_kind stamp_kind;
    char device_id[TN_HAND_DEVICE_ID_MAX]; ///< "" = the first one seen
    double nominal_rate_hz;                ///< (0, 10000]
    int64_t stale_ns;                      ///< > 0
    int64_t silence_ns;                    ///< > 0
    int64_t step_back_ns;                  ///< > 0
    uint64_t first_stream_id; ///< differs between runs of a program, e.g. its start time
    int64_t stamp_uncertainty_ns;
};

/// Why samples were not used, and what happened. Counters only grow.
struct tn_hand_stream_counters {
    uint64_t accepted;
    uint64_t streams; ///< streams begun
    uint64_t missed;  ///< estimated
    uint64_t repeated, reordered;
    uint64_t other_device, disconnected_device, other_writer;
    uint64_t bad_identity; ///< device id empty or too long
    uint64_t age_unknown, age_negative, age_stale;
};

/// One measured hand, as a source delivers it. Views are read during the call only.
struct tn_hand_sample {
    int64_t stamp_ros_ns;     ///< identity and sample time
    const char *device_id;    ///< NUL-terminated
    const uint8_t *writer;    ///< (TN_HAND_STREAM_WRITER_SIZE) who sent it
    const double *angles_rad; ///< (TN_HAND_ANGLES)
    uint32_t angle_valid;
    bool is_age_known;
    int64_t age_ns;
};

/// A device's connection, as its driver reports it.
struct tn_hand_stream_device {
    char id[TN_HAND_DEVICE_ID_MAX];
    bool is_connected;
};

/// Plain data; treat the members as private.
struct tn_hand_stream {
    struct tn_hand_stream_options options;
    struct tn_hand_stream_counters counters;
    struct tn_hand_stream_device devices[TN_HAND_STREAM_DEVICES];
    uint32_t n_devices, next_device; ///< the oldest entry is replaced when the table is full
    bool is_open;                    ///< a stream has begun and its device is not lost
    char device_id[TN_HAND_DEVICE_ID_MAX];
    uint8_t writer[TN_HAND_STREAM_WRITER_SIZE];
    uint64_t stream_id, sequence; ///< of the last frame
    int64_t last_stamp_ros_ns, last_steady_ns;
    bool has_last;
    double last_angles[TN_HAND_ANGLES];
    uint32_t last_valid;
};

/// @return 0.2 s stale, 1 s silence, 1 s step back, 120 Hz, stamps by arrival, first device.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_hand_stream_options tn_hand_stream_options_default(enum tn_side side);

/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: side; TN_ERR_RANGE: a time or rate. The stream is
/// unchanged on error. Thread: one caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_hand_stream_init(struct tn_hand_stream *stream,
                                                const struct tn_hand_stream_options *options);

/// Chooses another device from the next sample on ("" = the first one seen).
/// @return TN_OK; TN_ERR_LIMIT: longer than TN_HAND_DEVICE_ID_MAX - 1. Thread: one caller at a
/// time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_hand_stream_select(struct tn_hand_stream *stream,
                                                  const char *device_id);

/// Takes note of a device's connection. @return true when the device that feeds this stream was
/// lost by it. Ids that are empty or too long are ignored. Thread: one caller at a time. Allocates:
/// never. Blocks: never.
bool tn_hand_stream_set_connected(struct tn_hand_stream *stream, const char *device_id,
                                  bool is_connected);

/// Judges a sample and fills a frame: everything but nodes, node_valid and confidence (unknown),
/// which stay absent.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: device id empty or too long; TN_ERR_WRONG_DEVICE: rules
/// 1 and 2; TN_ERR_BUSY: rule 3; TN_ERR_REPEATED, TN_ERR_REORDERED: rule 4. The frame is unchanged
/// unless TN_OK. Thread: one caller at a time. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_hand_stream_take(struct tn_hand_stream *stream,
                                                const struct tn_hand_sample *sample,
                                                int64_t now_steady_ns,
                                                struct tn_hand_frame *out_frame);

/// Whether the stream is delivering: ACTIVE, STALE (`stale_ns` without a frame), DISCONNECTED
/// (`silence_ns` without one, or the device was lost), INIT (no frame yet).
/// @return the state of the link. Thread: one caller at a time. Allocates: never. Blocks: never.
enum tn_link_state tn_hand_stream_link(const struct tn_hand_stream *stream, int64_t now_steady_ns);

#endif
