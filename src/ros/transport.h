// SPDX-License-Identifier: Apache-2.0
/// @file
/// The seam to the middleware: publish bytes, subscribe bytes, serve, call. Everything above it
/// knows only CDR.
///
/// ros/cyclone implements it on Cyclone DDS; a second implementation (rcl) can take its place
/// without touching a node. All calls are made from the loop's thread; data that arrives sets the
/// reader's async handle, and the loop calls `on_ready`, which takes samples until TN_ERR_AGAIN.
///
/// Payloads start with the 4-byte encapsulation header and are XCDR1.
#ifndef TN_ROS_TRANSPORT_H
#define TN_ROS_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/loop.h"
#include "base/result.h"
#include "ros/qos.h"

#define TN_GID_SIZE 16
/// Globally unique id of an endpoint or participant: the 16 bytes of its DDS GUID.
struct tn_gid {
    uint8_t data[TN_GID_SIZE];
};

struct tn_transport;
struct tn_transport_writer;
struct tn_transport_reader;

struct tn_transport_options {
    uint32_t domain_id;     ///< 0..232
    const char *config_xml; ///< Cyclone configuration fragment(s), comma-separated as in
                            ///< CYCLONEDDS_URI; NULL: none
    const char *user_data;  ///< participant USER_DATA, e.g. "enclave=/;"
};

/// Joins the DDS domain with one participant. One per process.
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: domain or configuration (text of Cyclone in err);
/// TN_ERR_TRANSPORT;
///         TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: some ms (threads and
///         sockets are made).
TN_NODISCARD enum tn_result tn_transport_create(struct tn_loop *loop,
                                                const struct tn_transport_options *options,
                                                struct tn_transport **out_transport,
                                                struct tn_error *err);

/// Leaves the domain; every endpoint must have been destroyed. Accepts NULL, nulls the pointer.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: some ms.
void tn_transport_destroy(struct tn_transport **transport);

/// @return the participant's gid. Thread: any. Allocates: never. Blocks: never.
struct tn_gid tn_transport_gid(const struct tn_transport *transport);

/// What names an endpoint on the wire.
struct tn_transport_topic {
    const char *dds_topic; ///< "rt/…", "rq/…Request", "rr/…Reply", or "ros_discovery_info"
    const char *dds_type;  ///< "sensor_msgs::msg::dds_::JointState_"
    const char *user_data; ///< "typehash=RIHS01_…;" etc.
    struct tn_ros_qos qos;
    bool ignore_own; ///< readers: ignore writers of this participant
};

// ---- writers ----

/// @return TN_OK; TN_ERR_INVALID_ARGUMENT: a QoS or name DDS refuses; TN_ERR_TRANSPORT;
/// TN_ERR_NO_MEMORY. Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_transport_writer_create(struct tn_transport *transport,
                                                       const struct tn_transport_topic *topic,
                                                       struct tn_transport_writer **out_writer,
                                                       struct tn_error *err);

/// Accepts NULL, nulls the pointer. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// up to 1 s while a reliable reader that was killed, or is stalled, has not acknowledged
/// everything.
void tn_transport_writer_destroy(struct tn_transport_writer **writer);

/// A buffer of the writer's pool, to be filled in place.
struct tn_transport_loan {
    uint8_t *data;
    size_t capacity;
    void *handle; ///< private
};

/// Borrows a buffer of at least `capacity` bytes. Buffers come from a pool per writer; a pool that
/// has seen the traffic's size no longer allocates. @return TN_OK; TN_ERR_NO_MEMORY; TN_ERR_LIMIT:
/// more than 16 MiB. Thread: the loop's. Allocates: until the pool is warm. Blocks: never.
TN_NODISCARD enum tn_result tn_transport_loan(struct tn_transport_writer *writer, size_t capacity,
                                              struct tn_transport_loan *out_loan);

/// Gives a loan back unused. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_transport_loan_return(struct tn_transport_loan *loan);

/// Saves making a message that would reach nobody: no subscription matches, and the writer keeps
/// nothing for those that come later. Counts it as published.
/// @return true: done, there is nothing to write; false: write it. Thread: the loop's. Allocates:
/// never. Blocks: never.
TN_NODISCARD bool tn_transport_skip(struct tn_transport_writer *writer);

/// Publishes the first `size` bytes of a loan and takes it back, also on error.
/// A slow or stalled reader never blocks the call with KEEP_LAST (the history bounds what is kept).
/// @return TN_OK; TN_ERR_TIMEOUT: KEEP_ALL, and its readers do not keep up: nothing was sent;
/// TN_ERR_TRANSPORT. Thread: the loop's. Allocates: never once warm. Blocks: never with KEEP_LAST,
/// TN_ROS_KEEP_ALL_BLOCKING_NS with KEEP_ALL.
enum tn_result tn_transport_write(struct tn_transport_writer *writer,
                                  struct tn_transport_loan *loan, size_t size);

/// @return the writer's gid. Thread: any. Allocates: never. Blocks: never.
struct tn_gid tn_transport_writer_gid(const struct tn_transport_writer *writer);

/// @return number of matched readers. Thread: the loop's. Allocates: never. Blocks: never.
uint32_t tn_transport_writer_matched(const struct tn_transport_writer *writer);

// ---- readers ----

/// Data may be there: take until TN_ERR_AGAIN. Runs on the loop's thread.
typedef void (*tn_transport_ready_fn)(void *context, struct tn_transport_reader *reader);

/// @return as tn_transport_writer_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result
tn_transport_reader_create(struct tn_transport *transport, const struct tn_transport_topic *topic,
                           tn_transport_ready_fn on_ready, void *context,
                           struct tn_transport_reader **out_reader, struct tn_error *err);

/// Accepts NULL, nulls the pointer. Samples taken must have been released. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_transport_reader_destroy(struct tn_transport_reader **reader);

/// One received sample; the bytes are valid until tn_transport_release().
struct tn_transport_sample {
    const uint8_t *cdr; ///< with encapsulation header
    size_t size;
    int64_t source_wall_ns;    ///< DDS source timestamp (the writer's wall clock)
    int64_t arrival_steady_ns; ///< when the receive thread had the sample complete
    struct tn_gid writer;
    uint64_t sequence; ///< RTPS sequence number of the writer, 0 when unknown
    void *handle;      ///< private
};

/// @return TN_OK; TN_ERR_AGAIN: nothing left. Thread: the loop's. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_transport_take(struct tn_transport_reader *reader,
                                              struct tn_transport_sample *out_sample);

/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_transport_release(struct tn_transport_sample *sample);

/// @return the reader's gid. Thread: any. Allocates: never. Blocks: never.
struct tn_gid tn_transport_reader_gid(const struct tn_transport_reader *reader);

/// @return number of matched writers. Thread: the loop's. Allocates: never. Blocks: never.
uint32_t tn_transport_reader_matched(const struct tn_transport_reader *reader);

// ---- services: one endpoint pair speaks to rmw_cyclonedds_cpp and rmw_fastrtps_cpp (ros2_wire
// facts in docs) ----

struct tn_transport_server;
struct tn_transport_client;

/// Names of a service's two topics; `*_user_data` carry the hashes.
struct tn_transport_service {
    const char *request_topic, *reply_topic; ///< "rq/…Request", "rr/…Reply"
    const char *request_type, *reply_type;
    const char *request_user_data,
        *reply_user_data; ///< "typehash=…;" (the ids are put in front by the transport)
    struct tn_ros_qos qos;
};

/// Who asked; opaque, a plain value that may be copied and kept until the reply.
struct tn_transport_request_id {
    uint8_t client[16];
    int64_t sequence;
    int64_t arrival_steady_ns; ///< when the request was taken
    struct tn_gid writer;      ///< private: the endpoint that asked
    uint32_t server;       ///< private: number of the server it was asked, unique in the process
    uint8_t format;        ///< private: which wire form the request came in
    bool has_client_id;    ///< private
    uint8_t client_id[16]; ///< private: what names the client's reply reader
};

/// One request arrived; `cdr` (header + body, without the in-band id) is valid during the call.
typedef void (*tn_transport_request_fn)(void *context, const struct tn_transport_request_id *id,
                                        const uint8_t *cdr, size_t size);
/// The reply to `sequence` arrived; valid during the call.
typedef void (*tn_transport_reply_fn)(void *context, int64_t sequence, const uint8_t *cdr,
                                      size_t size);

/// @return as tn_transport_writer_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_transport_server_create(struct tn_transport *transport,
                                                       const struct tn_transport_service *service,
                                                       tn_transport_request_fn on_request,
                                                       void *context,
                                                       struct tn_transport_server **out_server,
                                                       struct tn_error *err);

/// Accepts NULL, nulls the pointer. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_transport_server_destroy(struct tn_transport_server **server);

/// Answers in the form the request came in. A reply to a client that is not matched yet waits in a
/// bounded queue, until 2 s after its request.
/// @param cdr   header + body
/// @return TN_OK: sent or queued; TN_ERR_NOT_FOUND: the client is gone, or the id is of another
/// server; TN_ERR_LIMIT: queue full; TN_ERR_TRANSPORT.
/// Thread: the loop's. Allocates: until warm. Blocks: never.
enum tn_result tn_transport_reply(struct tn_transport_server *server,
                                  const struct tn_transport_request_id *id, const uint8_t *cdr,
                                  size_t size);

/// Servers came or went: tn_transport_client_is_ready() may have changed.
typedef void (*tn_transport_servers_fn)(void *context);

/// @return as tn_transport_writer_create(). Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_transport_client_create(
    struct tn_transport *transport, const struct tn_transport_service *service,
    tn_transport_reply_fn on_reply, tn_transport_servers_fn on_servers, void *context,
    struct tn_transport_client **out_client, struct tn_error *err);

/// Accepts NULL, nulls the pointer. @return nothing. Thread: the loop's. Allocates: never. Blocks:
/// never.
void tn_transport_client_destroy(struct tn_transport_client **client);

/// @return true when a complete server (request reader and reply writer) is matched.
/// Thread: the loop's. Allocates: never. Blocks: never.
bool tn_transport_client_is_ready(struct tn_transport_client *client);

/// Has `on_servers` called in the next pass of the loop, whether servers changed or not.
/// @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_transport_client_check(struct tn_transport_client *client);

/// Sends a request in the form the matched server understands (never the Cyclone form to a Fast DDS
/// server).
/// @param out_sequence   names the reply
/// @return TN_OK; TN_ERR_NOT_FOUND: no server is matched; TN_ERR_TRANSPORT.
/// Thread: the loop's. Allocates: until warm. Blocks: never.
TN_NODISCARD enum tn_result tn_transport_request(struct tn_transport_client *client,
                                                 const uint8_t *cdr, size_t size,
                                                 int64_t *out_sequence);

/// gids of the two endpoints, for ros_discovery_info: reader first.
/// @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_transport_server_gids(const struct tn_transport_server *server, struct tn_gid *out_reader,
                              struct tn_gid *out_writer);
/// See tn_transport_server_gids(). @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_transport_client_gids(const struct tn_transport_client *client, struct tn_gid *out_reader,
                              struct tn_gid *out_writer);

#endif
