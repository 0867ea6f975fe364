// SPDX-License-Identifier: Apache-2.0
/// @file
/// Who says what on `/diagnostics`: the newest status of each name, silence, and the levels of
/// groups as diagnostic_aggregator rolls them up. Pure: messages and times are passed in.
///
/// Memory is bounded whatever publishers send: at most `max_items` statuses of at most
/// TN_DIAG_VIEW_TEXT_MAX bytes. When all places are taken, a silent status gives way, then one of
/// the publisher that has the most; a publisher cannot drive out those with fewer than itself.
/// Texts are kept as UTF-8; what is not becomes '?'.
///
/// Two publishers that use one name at the same time are two items. A publisher that comes back
/// under a new gid takes its silent item over.
#ifndef TN_ROS_DIAGNOSTICS_VIEW_H
#define TN_ROS_DIAGNOSTICS_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "ros/diagnostics.h"
#include "tn_msgs/diagnostic_msgs.h"

#define TN_DIAG_VIEW_NAME_MAX     256  ///< bytes with NUL; longer names are cut
#define TN_DIAG_VIEW_VALUES_MAX   128  ///< keys of one status
#define TN_DIAG_VIEW_TEXT_MAX     8192 ///< of all keys and values of one status
#define TN_DIAG_VIEW_STATUSES_MAX 1024 ///< looked at in one message
#define TN_DIAG_VIEW_WRITERS_MAX  64
/// GenericAnalyzer's default.
#define TN_DIAG_VIEW_TIMEOUT_NS INT64_C(5000000000)

struct tn_diag_view;

/// One status as it was last heard. Texts are NUL-terminated and valid until the next take.
struct tn_diag_view_item {
    char name[TN_DIAG_VIEW_NAME_MAX];
    char message[TN_DIAG_MESSAGE_MAX];
    char hardware_id[TN_DIAG_HARDWARE_ID_MAX];
    uint32_t group_size; ///< bytes of the name that are its group; 0: none
    uint8_t level;       ///< as sent: may be any number
    uint32_t n_values;
    uint32_t n_left_out; ///< keys without room
    uint64_t n_updates;
    int64_t updated_steady_ns;
    uint32_t writer; ///< private
    struct {
        uint16_t key, value; ///< offsets into text
    } values[TN_DIAG_VIEW_VALUES_MAX];
    char text[TN_DIAG_VIEW_TEXT_MAX];
};

struct tn_diag_view_options {
    uint32_t max_items; ///< 1..65535
    int64_t timeout_ns; ///< silence after which a status is STALE; 0: TN_DIAG_VIEW_TIMEOUT_NS
    /// Names are paths, as on `/diagnostics_agg`: the group is what stands before the last '/'.
    /// Else it is what stands before ": ", the node.
    bool is_tree;
    const char
        *contains; ///< only names that contain this take places; NULL: all; outlives the view
};

/// @return TN_OK; TN_ERR_NO_MEMORY. Thread: one caller. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_diag_view_create(const struct tn_diag_view_options *options,
                                                struct tn_diag_view **out_view,
                                                struct tn_error *err);
/// Accepts NULL, nulls the pointer. @return nothing. Thread: one caller. Allocates: never. Blocks:
/// never.
void tn_diag_view_destroy(struct tn_diag_view **view);

/// Takes a message in. @return nothing. Thread: one caller at a time. Allocates: never. Blocks:
/// never. Cost: O(statuses looked at * items).
void tn_diag_view_take(struct tn_diag_view *view,
                       const struct diagnostic_msgs_msg_DiagnosticArray *message,
                       const struct tn_gid *writer, int64_t now_steady_ns);

/// The items, by group and name; those that a living item of the same name has replaced are
/// dropped first.
/// @param out_items   valid until the next call with this view
/// @return how many. Thread: one caller at a time. Allocates: may, to sort. Blocks: never.
uint32_t tn_diag_view_list(struct tn_diag_view *view, int64_t now_steady_ns,
                           const struct tn_diag_view_item *const **out_items);

/// @return STALE when nothing was heard for the timeout, else the level sent; ERROR for numbers
/// that are none. Thread: one caller at a time. Allocates: never. Blocks: never.
enum tn_diag_level tn_diag_view_level(const struct tn_diag_view *view,
                                      const struct tn_diag_view_item *item, int64_t now_steady_ns);

/// @return statuses that found no place, or were too many in one message. Thread: one caller at a
/// time. Allocates: never. Blocks: never.
uint64_t tn_diag_view_left_out(const struct tn_diag_view *view);

/// Rolls levels up as GenericAnalyzer does: the highest; STALE only when all are, ERROR when some
/// are. Zero-initialise.
struct tn_diag_rollup {
    uint32_t n, n_stale;
    enum tn_diag_level highest;
};
/// Adds a level. @return nothing. Thread: one caller at a time. Allocates: never. Blocks: never.
void tn_diag_rollup_add(struct tn_diag_rollup *rollup, enum tn_diag_level level);
/// @return the level of all; STALE of none. Thread: any. Allocates: never. Blocks: never.
enum tn_diag_level tn_diag_rollup_level(const struct tn_diag_rollup *rollup);

/// @return "OK", "WARN", "ERROR" or "STALE". Thread: any. Allocates: never. Blocks: never.
const char *tn_diag_level_name(enum tn_diag_level level);

#endif
