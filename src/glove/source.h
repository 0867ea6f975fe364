// SPDX-License-Identifier: Apache-2.0
/// @file
/// The one seam behind which every glove sits: network stream, vendor SDK, replay and software
/// device are sources of one kind.
///
/// An implementation puts `struct tn_glove_source` first into its own struct and fills `ops`; users
/// go through the ops only. One thread drives a source. The usual loop:
///
///     result = source->ops->open(source);
///     … wait for source->ops->fd(source), at most 100 ms …
///     while (source->ops->read(source, now_ns, &frame) == TN_OK) … frame …
///     source->ops->close(source);
#ifndef TN_GLOVE_SOURCE_H
#define TN_GLOVE_SOURCE_H

#include <stdint.h>

#include "base/result.h"
#include "base/side.h"

/// Longest device id and its NUL.
#define TN_GLOVE_ID_MAX 64
/// Intensities of one vibration: thumb, index, middle, ring, little.
#define TN_GLOVE_FINGERS 5

/// Whose data a raw frame holds.
enum tn_glove_vendor { TN_GLOVE_CONTACT, TN_GLOVE_MANUS, TN_GLOVE_WUJI };

/// One message of a glove as its vendor's codec decoded it. Nothing is renamed or converted.
struct tn_glove_raw {
    enum tn_glove_vendor vendor;
    uint32_t kind;     ///< what `data` is: the vendor's own numbers
    const void *data;  ///< the vendor's struct, valid until the next call
    uint32_t glove_id; ///< for vibrate(); stable while the source is open; 0: no single glove
    enum tn_side side; ///< TN_SIDE_UNKNOWN: no single glove
    char id[TN_GLOVE_ID_MAX];  ///< the glove, as its vendor names it; "": no single glove
    int64_t receive_steady_ns; ///< when it reached this machine
    int64_t receive_wall_ns;   ///< the same moment on the wall clock
    int64_t source_time_ns;    ///< what the device wrote, wall clock; 0: nothing
};

struct tn_glove_source;

/// What every source can do.
struct tn_glove_source_ops {
    /// Starts. @return TN_OK; TN_ERR_STATE: open already; the vendor's errors.
    enum tn_result (*open)(struct tn_glove_source *source);
    /// @return the descriptor to wait for, -1: none, poll instead.
    int (*fd)(const struct tn_glove_source *source);
    /// Takes one message and does what is due (keep-alives). @return TN_OK; TN_ERR_AGAIN: drained;
    /// TN_ERR_STATE: not open; TN_ERR_IO.
    enum tn_result (*read)(struct tn_glove_source *source, int64_t now_steady_ns,
                           struct tn_glove_raw *out_frame);
    /// Lets a glove vibrate until told otherwise; each intensity 0..1, clamped. @return TN_OK;
    /// TN_ERR_NOT_FOUND: unknown glove; TN_ERR_STATE: not connected; TN_ERR_NOT_FINITE;
    /// TN_ERR_UNSUPPORTED.
    enum tn_result (*vibrate)(struct tn_glove_source *source, uint32_t glove_id,
                              const float intensity[TN_GLOVE_FINGERS]);
    /// Writes zero intensity to what vibrates, then stops; harmless when closed.
    void (*close)(struct tn_glove_source *source);
};

/// A source of glove data.
struct tn_glove_source {
    const struct tn_glove_source_ops *ops;
};

#endif
