// SPDX-License-Identifier: Apache-2.0
/// @file
/// Private: the insides of context, node and endpoints.
#ifndef TN_ROS_ROS__NODE_H
#define TN_ROS_ROS__NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ros/node.h"
#include "ros/ros__clock.h"
#include "ros/ros__events.h"
#include "ros/ros__param.h"
#include "ros/ros__param_server.h"
#include "ros/ros__record.h"

/// Longest DDS topic name: prefix, name, suffix, NUL.
#define TN_ROS__DDS_NAME_MAX (TN_ROS_NAME_MAX + 16)
/// Longest USER_DATA of an endpoint.
#define TN_ROS__USER_DATA_MAX 256
/// Time maps per subscription; see tn_ros__source_find() for who makes room.
#define TN_ROS__WRITERS_MAX 32
/// Messages a subscription hands out before it lets others run.
#define TN_ROS__BATCH 64

struct tn_ros__rosout;

struct tn_ros_context {
    struct tn_loop *loop;
    struct tn_ros_args args;
    struct tn_transport *transport;
    struct tn_ros_node *nodes;

    // ros_discovery_info
    struct tn_transport_writer *graph_writer;
    struct tn_loop_async graph_changed; ///< changes of one pass are announced together
    size_t graph_capacity;
    uint32_t forced_gid_size; ///< 16, or 24 for Humble; 0: look who is there
    struct tn_ros__announcer *announcer;
    struct tn_ros__live *live; ///< the graph of all, once somebody asks; NULL

    struct tn_ros__rosout *rosout; ///< NULL: switched off
    struct tn_ros__conflicts *conflicts;
    struct tn_ros_record *records;
    bool is_mixed; ///< see tn_ros_context_set_mixed()
    struct tn_logger logger;
};

struct tn_ros_publisher {
    struct tn_ros_node *node;
    struct tn_ros_publisher *next;
    const struct tn_type *type;
    struct tn_transport_writer *writer;
    size_t capacity; ///< enough for the messages so far
    struct tn_ros_qos qos;
    struct tn_ros__events events;
    struct tn_ros__named_type *named_type; ///< owned; NULL: `type` is somebody's constant
    char topic[TN_ROS_NAME_MAX];
};

/// What is known about one writer.
struct tn_ros__source {
    struct tn_gid gid;
    uint64_t last_used;     ///< 0: free
    uint64_t last_sequence; ///< 0: nothing yet
    struct tn_time_map map;
};

struct tn_ros_subscription {
    struct tn_ros_node *node;
    struct tn_ros_subscription *next;
    const struct tn_type *type;
    struct tn_transport_reader *reader;
    tn_ros_message_fn callback;
    void *context;
    void *message; ///< decoded into, once allocated; NULL: raw
    struct tn_ros__source *sources;
    uint64_t use_count, n_rejected;
    struct tn_log_throttle reject_throttle;
    struct tn_ros_qos qos;
    struct tn_ros__events events;
    char topic[TN_ROS_NAME_MAX];
};

struct tn_ros_node {
    struct tn_ros_context *context;
    struct tn_ros_node *next;
    char name[TN_ROS_NAME_MAX], ns[TN_ROS_NAME_MAX], fqn[2 * TN_ROS_NAME_MAX];
    struct tn_logger logger;
    struct tn_ros_param_set params;
    struct tn_ros__builtin_params builtin;
    struct tn_ros__clock clock;
    struct tn_arena arena;
    struct tn_ros_publisher *publishers;
    struct tn_ros_subscription *subscriptions;
    struct tn_ros__param_server param_server;
    tn_ros__sim_time_fn on_sim_time;
    void *sim_time_context;
    struct tn_ros_service *services;
    struct tn_ros_client *clients;
    struct tn_ros_action_server *action_servers;
    struct tn_ros_action_client *action_clients;
};

// ---- node.c ----

/// What a node is called in the end.
struct tn_ros__node_names {
    char name[TN_ROS_NAME_MAX], ns[TN_ROS_NAME_MAX], fqn[2 * TN_ROS_NAME_MAX];
};

/// Applies `__node:=` and `__ns:=` to the name and namespace a program gives its node.
/// @param ns   may be NULL: "/"
/// @return TN_OK; TN_ERR_INVALID_ARGUMENT, TN_ERR_LIMIT: no valid name.
/// Thread: any. Allocates: never. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__node_identity(const struct tn_ros_args *args, const char *name,
                                                  const char *ns, struct tn_ros__node_names *out,
                                                  struct tn_error *err);

// ---- subscription.c ----

/// @return whether the writer's age is known and it was heard within what its map covers.
/// Thread: the loop's. Allocates: never. Blocks: never.
bool tn_ros__source_is_live(const struct tn_ros__source *source, int64_t now_steady_ns);
/// Finds a writer among TN_ROS__WRITERS_MAX, or makes room for it. A live one gives way only when
/// all are live: writers nobody knows yet, however many, do not make known ones unknown.
/// @param use   grows with each call
/// @return its place. Thread: the loop's. Allocates: never. Blocks: never.
struct tn_ros__source *tn_ros__source_find(struct tn_ros__source *sources, struct tn_gid gid,
                                           uint64_t use, int64_t now_steady_ns);

// ---- graph.c ----

/// Creates the ros_discovery_info writer. @return TN_OK; errors of the transport.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__graph_open(struct tn_ros_context *context,
                                               struct tn_error *err);
/// Removes it. @return nothing. Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__graph_close(struct tn_ros_context *context);
/// Nodes or endpoints changed: announces the graph in the next pass. @return nothing.
/// Thread: the loop's. Allocates: never. Blocks: never.
void tn_ros__graph_changed(struct tn_ros_context *context);

// ---- rosout.c ----

/// Creates the `/rosout` publisher and attaches it to the log. @return TN_OK; errors of the
/// transport. Thread: main. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros__rosout_open(struct tn_ros_context *context,
                                                struct tn_error *err);
/// Detaches and removes it. @return nothing. Thread: main. Allocates: never. Blocks: never.
void tn_ros__rosout_close(struct tn_ros_context *context);
/// @return its writer's gid, or all zero without one. Thread: any. Allocates: never. Blocks: never.
struct tn_gid tn_ros__rosout_gid(const struct tn_ros_context *context);

// ---- service.c ----

/// As tn_ros_service_reply() with an encoded response. @return TN_OK; errors of
/// tn_transport_reply(). Thread: the loop's. Allocates: until warm. Blocks: never.
enum tn_result tn_ros__service_reply_cdr(struct tn_ros_service *service,
                                         const struct tn_transport_request_id *id,
                                         const uint8_t *cdr, size_t size);

/// @return the next service and its gids. Thread: any. Allocates: never. Blocks: never.
struct tn_ros_service *tn_ros__service_next(const struct tn_ros_service *service,
                                            struct tn_gid *out_reader, struct tn_gid *out_writer);
/// @return the next client and its gids. Thread: any. Allocates: never. Blocks: never.
struct tn_ros_client *tn_ros__client_next(const struct tn_ros_client *client,
                                          struct tn_gid *out_reader, struct tn_gid *out_writer);
/// @return its type. Thread: any. Allocates: never. Blocks: never.
const struct tn_service_type *tn_ros__service_type(const struct tn_ros_service *service);
/// @return its type. Thread: any. Allocates: never. Blocks: never.
const struct tn_service_type *tn_ros__client_type(const struct tn_ros_client *client);

// ---- topic names ----

/// Writes "typehash=RIHS01_…;". @return nothing. Thread: any. Allocates: never. Blocks: never.
void tn_ros__user_data(const char *hash, char out[TN_ROS__USER_DATA_MAX]);

/// Encodes a message into a loan that fits it and publishes it.
/// @param io_capacity   what to start with; follows what the messages take
/// @return TN_OK; TN_ERR_LIMIT: a bound of the type or 16 MiB; TN_ERR_NO_MEMORY; TN_ERR_TRANSPORT.
/// Thread: the loop's. Allocates: until warm. Blocks: never.
enum tn_result tn_ros__encode_and_write(struct tn_transport_writer *writer,
                                        const struct tn_type *type, const void *message,
                                        size_t *io_capacity);

#endif
