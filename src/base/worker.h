// SPDX-License-Identifier: Apache-2.0
/// @file
/// One thread for one blocking resource (a Modbus bus, a planner, a vendor SDK), joined to the loop
/// by two bounded mailboxes. Requests go in from the loop, replies come back as a callback on the
/// loop's thread.
#ifndef TN_BASE_WORKER_H
#define TN_BASE_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"
#include "base/result.h"

struct tn_worker;

/// Runs on the worker's thread for each request; `out_reply` has `reply_size` bytes, zeroed.
typedef void (*tn_worker_work_fn)(void *context, const void *request, void *out_reply);
/// Runs on the loop's thread for each reply.
typedef void (*tn_worker_reply_fn)(void *context, const void *reply);

struct tn_worker_options {
    const char *name;      ///< thread name, at most 15 characters
    uint32_t request_size; ///< bytes, at least 1
    uint32_t reply_size;   ///< bytes, at least 1
    uint32_t depth;        ///< capacity of each mailbox, 1..65536
    tn_worker_work_fn work;
    tn_worker_reply_fn on_reply;
    void *context; ///< given to both; touched by one side at a time only as the two agree
};

/// Starts the thread. @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_IO; TN_ERR_INVALID_ARGUMENT.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_worker_create(struct tn_loop *loop,
                                             const struct tn_worker_options *options,
                                             struct tn_worker **out_worker, struct tn_error *err);

/// Finishes the request in work, drops the rest (no further on_reply), joins the thread; may be
/// called inside on_reply. Accepts NULL, nulls the pointer.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: until the present request ends.
void tn_worker_destroy(struct tn_worker **worker);

/// Hands a request over by copy. Requests and undelivered replies together count against `depth`,
/// so that a reply always has room. @return TN_OK; TN_ERR_BUSY: the mailbox is full, nothing was
/// queued. Thread: the loop's. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_worker_post(struct tn_worker *worker, const void *request);

#endif
