// SPDX-License-Identifier: Apache-2.0
/// @file
/// Listens to `/tf` (reliable, keep last 100) and `/tf_static` (reliable, transient local, keep
/// last 100) and fills a buffer of transforms, as tf2_ros does; broadcasters of the same process
/// are heard as well. The topics are absolute, whatever the node's namespace, and can be remapped.
///
/// When the node's time jumps back, or changes between wall and simulated time, all moving
/// transforms are forgotten, as in tf2_ros.
///
/// Transforms that the buffer refuses are counted (tn_tf_buffer_counters()) and reported at most
/// once a second, with the reason by tf2's name.
#ifndef TN_ROS_TF_LISTENER_H
#define TN_ROS_TF_LISTENER_H

#include <stdint.h>

#include "base/loop.h"
#include "base/result.h"
#include "ros/node.h"
#include "ros/tf_buffer.h"

struct tn_tf_listener;

/// @param options   of its buffer; NULL: tn_tf_buffer_options_default()
/// @return TN_OK; as tn_tf_buffer_create() and tn_ros_subscription_create(). Thread: the loop's.
/// Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_tf_listener_create(struct tn_ros_node *node,
                                                  const struct tn_tf_buffer_options *options,
                                                  struct tn_tf_listener **out_listener,
                                                  struct tn_error *err);

/// Ends all waits without calling back. Accepts NULL, nulls the pointer; call before the node goes,
/// not from inside a callback of this listener. @return nothing. Thread: the loop's. Allocates:
/// never. Blocks: never.
void tn_tf_listener_destroy(struct tn_tf_listener **listener);

/// @return what was heard, for lookups; valid as long as the listener. Thread: the loop's.
/// Allocates: never. Blocks: never.
const struct tn_tf_buffer *tn_tf_listener_buffer(const struct tn_tf_listener *listener);

// ---- waiting ----

/// @param result      TN_OK, or TN_ERR_TIMEOUT
/// @param transform   NULL unless TN_OK
/// @param err         NULL if TN_OK; what was missing when the time was over
typedef void (*tn_tf_wait_fn)(void *context, enum tn_result result,
                              const struct tn_tf_result *transform, const struct tn_error *err);

/// Caller's storage; zero-initialise before its first start, leave where it is until it has called
/// back or was stopped.
struct tn_tf_wait {
    struct tn_tf_listener *listener; ///< NULL: not waiting
    struct tn_tf_wait *next, *prev;
    struct tn_loop_timer timer;
    char target[TN_TF_NAME_MAX], source[TN_TF_NAME_MAX];
    int64_t time_ns;
    tn_tf_wait_fn callback;
    void *context;
};

/// Waits until a lookup succeeds, at most `timeout_ns` of the steady clock, and calls back exactly
/// once, never from inside this call. A wait that is running is started anew.
/// @param time_ns   as tn_tf_buffer_lookup()
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: a name that no lookup can find (empty, begins with '/'),
/// or a negative time; TN_ERR_LIMIT: a name is too long. On error there is no call back.
/// Thread: the loop's. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_tf_wait_start(struct tn_tf_listener *listener,
                                             struct tn_tf_wait *wait, const char *target,
                                             const char *source, int64_t time_ns,
                                             int64_t timeout_ns, tn_tf_wait_fn callback,
                                             void *context);

/// Ends a wait without calling back; harmless on one that does not wait; may be called inside a
/// callback, also of another wait. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_tf_wait_stop(struct tn_tf_wait *wait);

#endif
