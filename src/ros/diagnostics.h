// SPDX-License-Identifier: Apache-2.0
/// @file
/// Diagnostics of a node: an updater that runs tasks once per period and publishes what they say on
/// `/diagnostics`, with the behaviour of ROS's diagnostic_updater.
///
///     static void run(void *context, struct tn_diag_status *status, int64_t now_steady_ns)
///     {
///         const struct device *device = context;
///         tn_diag_summary(status, TN_DIAG_OK, "connected");
///         tn_diag_add(status, "polls", "%llu", (unsigned long long)device->polls);
///     }
///     …
///     tn_diag_updater_create(node, &(struct tn_diag_options){.params = &config->diagnostics},
///                            &updater, err);
///     tn_diag_updater_set_hardware_id(updater, "%s", serial);
///     tn_diag_updater_add(updater, "Device", run, device, err);
///
/// A status is called "<node>: <task>". A task that says nothing is an ERROR, "No message was set".
/// Ready-made tasks are in ros/diagnostics_tasks.h; what stands on the wire in
/// docs/ros/diagnostics.md.
///
/// Everything is allocated at creation; a report takes nothing from the heap. What does not fit is
/// left out, counted and told once. Texts that are not UTF-8 are published with '?' in place of the
/// wrong bytes: others refuse a whole message for one of them.
#ifndef TN_ROS_DIAGNOSTICS_H
#define TN_ROS_DIAGNOSTICS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compat.h"
#include "ros/node.h"

/// Longest summary of one status, longest hardware id, longest name of a task; longer ones are cut.
#define TN_DIAG_MESSAGE_MAX     512
#define TN_DIAG_HARDWARE_ID_MAX 128
#define TN_DIAG_TASK_NAME_MAX   96

/// Depth of the publisher of `/diagnostics`, which is reliable and volatile. diagnostic_updater
/// itself keeps 1.
#define TN_DIAG_DEPTH 10

/// Numbers of diagnostic_msgs/msg/DiagnosticStatus.
enum tn_diag_level { TN_DIAG_OK = 0, TN_DIAG_WARN = 1, TN_DIAG_ERROR = 2, TN_DIAG_STALE = 3 };

// ---- parameters: two rows of the node's own table ----

/// In the node's config struct.
struct tn_diag_params {
    double period_s;
    bool use_fqn;
};

/// The rows `diagnostic_updater.period` and `diagnostic_updater.use_fqn`, for a table of struct
/// tn_ros_param; `member` is the struct tn_diag_params in `config`. Set at run time they count from
/// the next report on.
#define TN_DIAG_PARAM_ROWS(config, member)                                                         \
    {.name = "diagnostic_updater.period",                                                          \
     .type = TN_ROS_PARAM_DOUBLE,                                                                  \
     .offset = offsetof(config, member.period_s),                                                  \
     .default_yaml = "1.0",                                                                        \
     .min = 0.01,                                                                                  \
     .max = 3600.0,                                                                                \
     .unit = "s",                                                                                  \
     .text = "Time between two reports on /diagnostics."},                                         \
    {                                                                                              \
        .name = "diagnostic_updater.use_fqn", .type = TN_ROS_PARAM_BOOL,                           \
        .offset = offsetof(config, member.use_fqn), .default_yaml = "false", .unit = "",           \
        .text = "Names in /diagnostics begin with the node's full name, not only its base name."   \
    }

// ---- one status, filled by a task ----

struct tn_diag_status;

/// Says level and message; a later call replaces an earlier one (DiagnosticStatusWrapper::summary).
/// @return nothing. Thread: the loop's, inside a task. Allocates: never. Blocks: never.
void tn_diag_summary(struct tn_diag_status *status, enum tn_diag_level level, const char *format,
                     ...) TN_PRINTF(3, 4);

/// Merges level and message as DiagnosticStatusWrapper::mergeSummary does: the higher level counts;
/// when both are not OK the messages are joined by "; " (unless the one there is empty: then it
/// stays empty); when only one is not OK its message counts; when both are OK the new one is
/// ignored.
/// @return nothing. Thread: the loop's, inside a task. Allocates: never. Blocks: never.
void tn_diag_merge(struct tn_diag_status *status, enum tn_diag_level level, const char *format, ...)
    TN_PRINTF(3, 4);

/// OK and no message (clearSummary). @return nothing. Thread: the loop's, inside a task. Allocates:
/// never. Blocks: never.
void tn_diag_clear_summary(struct tn_diag_status *status);

/// @return the level said so far. Thread: the loop's, inside a task. Allocates: never. Blocks:
/// never.
enum tn_diag_level tn_diag_level(const struct tn_diag_status *status);
/// @return the message said so far, valid until the next call. Thread: the loop's, inside a task.
/// Allocates: never. Blocks: never.
const char *tn_diag_message(const struct tn_diag_status *status);

/// Adds a key with a formatted value. @return nothing. Thread: the loop's, inside a task.
/// Allocates: never. Blocks: never.
void tn_diag_add(struct tn_diag_status *status, const char *key, const char *format, ...)
    TN_PRINTF(3, 4);
/// Adds a key with a count. @return nothing. Thread: the loop's, inside a task. Allocates: never.
/// Blocks: never.
void tn_diag_add_count(struct tn_diag_status *status, const char *key, uint64_t count);
/// Adds a key with "True" or "False". @return nothing. Thread: the loop's, inside a task.
/// Allocates: never. Blocks: never.
void tn_diag_add_bool(struct tn_diag_status *status, const char *key, bool value);
/// Forgets the keys added so far (DiagnosticStatusWrapper::clear). @return nothing. Thread: the
/// loop's, inside a task. Allocates: never. Blocks: never.
void tn_diag_clear_values(struct tn_diag_status *status);

/// Another hardware id than the updater's, for this status. @return nothing. Thread: the loop's,
/// inside a task. Allocates: never. Blocks: never.
void tn_diag_set_hardware_id(struct tn_diag_status *status, const char *text);

/// Fills one status. Called once per report with the time of this report.
typedef void (*tn_diag_fn)(void *context, struct tn_diag_status *status, int64_t now_steady_ns);

// ---- the updater ----

struct tn_diag_updater;

/// Zero: one report per second, TN_DIAG_…_DEFAULT, "none" of the rest.
struct tn_diag_options {
    const struct tn_diag_params *params; ///< the node's; NULL: 1 s, base name; must outlive it
    uint32_t max_tasks;                  ///< 0: TN_DIAG_TASKS_DEFAULT
    uint32_t max_values;                 ///< keys of one report in all; 0: TN_DIAG_VALUES_DEFAULT
    uint32_t text_bytes;                 ///< of keys and values of one report; 0: 64 per value
    bool is_verbose;                     ///< logs each status that is not OK, as Updater::verbose_
};

#define TN_DIAG_TASKS_DEFAULT  16
#define TN_DIAG_VALUES_DEFAULT 256

/// Starts reporting: the first report comes one period from now.
///
/// The period runs on the steady clock, also with use_sim_time: a paused simulation must not look
/// like a dead node. The stamp of a report is ROS time.
/// @return TN_OK; TN_ERR_NO_MEMORY; as tn_ros_publisher_create(). Thread: the loop's. Allocates:
/// yes. Blocks: never.
TN_NODISCARD enum tn_result tn_diag_updater_create(struct tn_ros_node *node,
                                                   const struct tn_diag_options *options,
                                                   struct tn_diag_updater **out_updater,
                                                   struct tn_error *err);

/// Stops it, before its node goes. Accepts NULL, nulls the pointer. @return nothing. Thread: the
/// loop's, not inside a task. Allocates: never. Blocks: never.
void tn_diag_updater_destroy(struct tn_diag_updater **updater);

/// Adds a task, and publishes "Node starting up" for it at once.
/// @param name   copied
/// @return TN_OK; TN_ERR_LIMIT: max_tasks, or the name is too long; TN_ERR_STATE: inside a task.
/// Thread: the loop's. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_diag_updater_add(struct tn_diag_updater *updater, const char *name,
                                                tn_diag_fn run, void *context,
                                                struct tn_error *err);

/// Removes the first task of a name. @return whether there was one (never inside a task). Thread:
/// the loop's. Allocates: never. Blocks: never.
bool tn_diag_updater_remove(struct tn_diag_updater *updater, const char *name);

/// The hardware id of all statuses; "none" for what has none. As long as it is empty, and once all
/// is OK, one warning says so. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_diag_updater_set_hardware_id(struct tn_diag_updater *updater, const char *format, ...)
    TN_PRINTF(2, 3);

/// Reports now, beside the periodic reports; does nothing inside a task. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag_updater_force(struct tn_diag_updater *updater);

/// Publishes one level and message for all tasks, without keys and without running them: a
/// shutdown, a self-test. Does nothing inside a task. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag_updater_broadcast(struct tn_diag_updater *updater, enum tn_diag_level level,
                               const char *message);

/// Reports every `period_ns` (> 0) from now on, whatever the parameter says; it counts again when
/// it is set. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_diag_updater_set_period(struct tn_diag_updater *updater, int64_t period_ns);

/// @return keys and texts left out so far because max_values or text_bytes is too small. Thread:
/// the loop's. Allocates: never. Blocks: never.
uint64_t tn_diag_updater_left_out(const struct tn_diag_updater *updater);

#endif
