// SPDX-License-Identifier: Apache-2.0
/// @file
/// One writer at a time: the first one owns a topic until it is silent. Others are refused, however
/// good their data looks, so that a second publisher can neither move a hand nor lock the first one
/// out.
#ifndef TN_SESSION_WRITER_PIN_H
#define TN_SESSION_WRITER_PIN_H

#include <stdbool.h>
#include <stdint.h>

#define TN_WRITER_ID_SIZE 16

/// Plain data, zero-initialise; treat as private but `refused`.
struct tn_writer_pin {
    bool has_owner;
    uint8_t owner[TN_WRITER_ID_SIZE];
    int64_t last_steady_ns; ///< when the owner was heard last, whatever it sent
    uint64_t refused;       ///< messages of others
};

/// Whose a message is.
enum tn_writer_verdict {
    TN_WRITER_FOREIGN,   ///< another one's than the owner's: refuse it
    TN_WRITER_OWNER,     ///< the owner's
    TN_WRITER_NEW_OWNER, ///< of one that became the owner with it: what the former owner had proved
                         ///< does not hold
};

/// Judges the writer of a message that was received; call it for every message, before anything is
/// read from it.
/// @param writer_id    TN_WRITER_ID_SIZE bytes, e.g. the gid of a DDS writer
/// @param silence_ns   the owner must have been unheard for longer than this before another one
/// takes its place; > 0
/// @return the verdict; FOREIGN ones are counted.
/// Thread: one caller at a time. Allocates: never. Blocks: never. Cost: O(1).
enum tn_writer_verdict tn_writer_pin_judge(struct tn_writer_pin *pin, const uint8_t *writer_id,
                                           int64_t now_steady_ns, int64_t silence_ns);

#endif
