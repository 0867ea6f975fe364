// SPDX-License-Identifier: Apache-2.0
/// @file
/// Services and their clients. One endpoint pair speaks to rmw_cyclonedds_cpp and to
/// rmw_fastrtps_cpp peers, at the same time.
///
/// A request is answered at once (tn_ros_service_create()) or whenever the answer is known
/// (tn_ros_service_create_deferred(), tn_ros_service_reply()). Nothing blocks: a call's outcome is
/// a callback.
#ifndef TN_ROS_SERVICE_H
#define TN_ROS_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "ros/qos.h"
#include "ros/transport.h"
#include "rosidl/type.h"

struct tn_ros_node;
struct tn_ros_service;
struct tn_ros_client;

/// Calls of one client that may wait for their reply at a time: what a person's tools and our nodes
/// need many times over, small enough to be searched for each reply.
#define TN_ROS_CALLS_MAX 64

// ---- services ----

/// Handles one request synchronously: fill `response` (initialised to its defaults; its views must
/// stay valid until the call returns).
typedef void (*tn_ros_service_fn)(void *context, const void *request, void *response);

/// Takes note of one request that tn_ros_service_reply() answers later, or never. `request` is
/// valid during the call (copy what is needed); `*id` is a plain value to be copied and kept for as
/// long as one likes. Replying inside of the call is allowed.
typedef void (*tn_ros_deferred_fn)(void *context, const struct tn_transport_request_id *id,
                                   const void *request);

struct tn_ros_service_options {
    struct tn_ros_qos qos;          ///< of both topics
    tn_ros_service_fn on_request;   ///< answers at once
    tn_ros_deferred_fn on_deferred; ///< answers later; exactly one of the two is set
    void *context;                  ///< given to it
};

/// @return the services profile (reliable, volatile, keep last 10), no callback.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_ros_service_options tn_ros_service_options_default(void);

/// A service that answers at once.
/// @param name   to expand and remap
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: name or QoS; TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_service_create(struct tn_ros_node *node, const struct tn_service_type *type,
                      const char *name, tn_ros_service_fn callback, void *context,
                      struct tn_ros_service **out_service, struct tn_error *err);

/// A service that answers later.
/// @return as tn_ros_service_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_service_create_deferred(struct tn_ros_node *node, const struct tn_service_type *type,
                               const char *name, tn_ros_deferred_fn callback, void *context,
                               struct tn_ros_service **out_service, struct tn_error *err);

/// A service of either kind with its own QoS.
/// @return as tn_ros_service_create(); TN_ERR_INVALID_ARGUMENT also: none or both of the callbacks.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_service_create_with(struct tn_ros_node *node, const struct tn_service_type *type,
                           const char *name, const struct tn_ros_service_options *options,
                           struct tn_ros_service **out_service, struct tn_error *err);

/// Removes one service before its node goes. Accepts NULL, nulls the pointer. Not from inside its
/// own callback. Requests that wait for their answer are never answered: their callers time out.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_service_destroy(struct tn_ros_service **service);

/// Answers a deferred request.
///
/// An id stays harmless whatever became of the two ends: after the client died the reply is dropped
/// (TN_ERR_NOT_FOUND), after the service was destroyed NULL is passed (its destroy nulls the
/// pointer), and an id of another service, an earlier one of the same name included, is refused. A
/// second reply to one request goes out too; clients ignore it.
/// @param service    NULL is refused like a service that does not know the id
/// @param id         from tn_ros_deferred_fn
/// @param response   struct of the response type; read during the call only
/// @return TN_OK: sent, or queued until the client's reader is matched (only in the first 2 s after
/// the request); TN_ERR_NOT_FOUND: the client is gone, or the id is not of this service;
/// TN_ERR_LIMIT: a bound of the type is exceeded, or too many replies are queued; TN_ERR_NO_MEMORY;
/// TN_ERR_TRANSPORT.
/// Thread: the loop's. Allocates: until warm. Blocks: never.
enum tn_result tn_ros_service_reply(struct tn_ros_service *service,
                                    const struct tn_transport_request_id *id, const void *response);

/// @return the resolved name. Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_service_name(const struct tn_ros_service *service);

/// @return requests dropped because they did not decode. Thread: the loop's. Allocates: never.
/// Blocks: never.
uint64_t tn_ros_service_rejected(const struct tn_ros_service *service);

// ---- clients ----

/// A complete server appeared (`is_ready`), or the last one went. Runs on the loop's thread.
typedef void (*tn_ros_client_ready_fn)(void *context, bool is_ready);

struct tn_ros_client_options {
    struct tn_ros_qos qos;           ///< of both topics
    tn_ros_client_ready_fn on_ready; ///< as tn_ros_client_on_ready(); NULL: none
    void *context;                   ///< given to it
};

/// @return the services profile (reliable, volatile, keep last 10), no callback.
/// Thread: any. Allocates: never. Blocks: never.
struct tn_ros_client_options tn_ros_client_options_default(void);

/// @return as tn_ros_service_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_client_create(struct tn_ros_node *node, const struct tn_service_type *type, const char *name,
                     struct tn_ros_client **out_client, struct tn_error *err);

/// A client with its own QoS.
/// @return as tn_ros_service_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_ros_client_create_with(struct tn_ros_node *node, const struct tn_service_type *type,
                          const char *name, const struct tn_ros_client_options *options,
                          struct tn_ros_client **out_client, struct tn_error *err);

/// Removes one client before its node goes; callbacks of calls that still wait never come. Accepts
/// NULL, nulls the pointer. Not from inside its own callback. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_client_destroy(struct tn_ros_client **client);

/// Whether a complete server is matched: request reader and reply writer of one server (paired by
/// its serviceid, or by its participant where there is none), which understands what we would send.
/// @return true when a call would go out. Thread: the loop's. Allocates: after changes of the
/// graph. Blocks: never.
bool tn_ros_client_is_ready(struct tn_ros_client *client);

/// Tells each change of tn_ros_client_is_ready() from now on; a client that is ready already is
/// told so in the next pass of the loop. One callback per client: a new one takes the old one's
/// place, NULL ends it.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros_client_on_ready(struct tn_ros_client *client, tn_ros_client_ready_fn callback,
                            void *context);

/// @return the resolved name. Thread: any. Allocates: never. Blocks: never.
const char *tn_ros_client_name(const struct tn_ros_client *client);

/// `response` NULL: timed out. Valid until the callback returns, which runs on the loop's thread.
typedef void (*tn_ros_response_fn)(void *context, const void *response);

/// Sends a request; `on_response` is called exactly once, within `timeout_ns` of the steady clock.
/// @return TN_OK; TN_ERR_NOT_FOUND: no server (the callback never comes); TN_ERR_LIMIT:
/// TN_ROS_CALLS_MAX calls wait, or a bound of the type is exceeded; TN_ERR_NO_MEMORY;
/// TN_ERR_TRANSPORT. Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_call(struct tn_ros_client *client, const void *request,
                                        int64_t timeout_ns, tn_ros_response_fn on_response,
                                        void *context);

struct tn_ros_call_options {
    int64_t timeout_ns; ///< of the steady clock; INT64_MAX: none
    tn_ros_response_fn on_response;
    void *context;
};

/// As tn_ros_call(), with a name for the call.
/// @param out_call   unique among the calls of this client for its whole life, never 0
/// @return as tn_ros_call(). Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_call_start(struct tn_ros_client *client, const void *request,
                                              const struct tn_ros_call_options *options,
                                              uint64_t *out_call);

/// Forgets a call: its callback never comes. The server is not told, its reply is dropped.
/// @return TN_OK; TN_ERR_NOT_FOUND: it is over, or there was none. Thread: the loop's. Allocates:
/// never. Blocks: never.
enum tn_result tn_ros_call_cancel(struct tn_ros_client *client, uint64_t call);

#endif
