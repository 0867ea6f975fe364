// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the reader and the judge share.
#ifndef TN_DEVICES_ORACLE_ORACLE__INTERNAL_H
#define TN_DEVICES_ORACLE_ORACLE__INTERNAL_H

#include "devices/oracle/oracle.h"

/// A sent datagram (wall = send_wall_ns, steady = send_steady_ns) or an executed command (wall =
/// stamp, steady = executed_steady_ns).
struct tn_oracle__entry {
    int64_t wall_ns, steady_ns;
    uint64_t order; ///< position in the logs, breaks ties
};

/// Growing list; grows only through tn_oracle__append().
struct tn_oracle__list {
    struct tn_oracle__entry *entries; ///< (n)
    size_t n, capacity;
};

struct tn_oracle {
    struct tn_oracle_options options;
    struct tn_oracle__list sent[TN_SIDES], executed[TN_SIDES];
    uint64_t events[TN_SIDES][TN_ORACLE_EVENTS];
    uint64_t n_lines;
};

/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: one caller at a time. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_oracle__append(struct tn_oracle__list *list,
                                              const struct tn_oracle__entry *entry);

/// @return the name of an event in the log and in the JSON. Thread: any. Allocates: never. Blocks:
/// never.
const char *tn_oracle__event_name(enum tn_oracle_event event);

#endif
