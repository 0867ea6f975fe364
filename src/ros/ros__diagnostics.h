// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: one status while a task fills it, and where its keys and texts lie.
#ifndef TN_ROS_ROS__DIAGNOSTICS_H
#define TN_ROS_ROS__DIAGNOSTICS_H

#include "ros/diagnostics.h"
#include "tn_msgs/diagnostic_msgs.h"

#define TN_DIAG__NAME_MAX (2 * TN_ROS_NAME_MAX + TN_DIAG_TASK_NAME_MAX + 2)

/// Keys and texts of one report; emptied before the next.
struct tn_diag__pool {
    struct diagnostic_msgs_msg_KeyValue *values; ///< (max_values)
    uint32_t n_values, max_values;
    char *text; ///< (text_size)
    size_t text_used, text_size;
    uint64_t left_out;
};

struct tn_diag_status {
    struct tn_diag__pool *pool;
    enum tn_diag_level level;
    uint32_t first_value; ///< its keys are the newest of the pool
    size_t first_text;
    char name[TN_DIAG__NAME_MAX];
    char message[TN_DIAG_MESSAGE_MAX];
    char hardware_id[TN_DIAG_HARDWARE_ID_MAX];
};

/// Begins a status behind those that are in the pool: "No message was set".
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag__begin(struct tn_diag_status *status, struct tn_diag__pool *pool,
                    const char *hardware_id);
/// Makes the message of it; views into status and pool. @return nothing. Thread: the loop's.
/// Allocates: never. Blocks: never.
void tn_diag__end(const struct tn_diag_status *status,
                  struct diagnostic_msgs_msg_DiagnosticStatus *out);
/// Puts '?' for each byte that is not part of valid UTF-8. @return nothing. Thread: any. Allocates:
/// never. Blocks: never.
void tn_diag__make_utf8(char *text);
/// Copies what fits of a text, as UTF-8. @return nothing. Thread: any. Allocates: never. Blocks:
/// never.
void tn_diag__copy(char *out, size_t capacity, const char *text);
/// Formats what fits, as UTF-8. @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_diag__format(char *out, size_t capacity, const char *format, va_list args);

#endif
