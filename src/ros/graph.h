// SPDX-License-Identifier: Apache-2.0
/// @file
/// Who is there: nodes, topics, services, actions and their endpoints, of this and of all other
/// processes of the domain.
///
/// The graph costs readers of discovery data, so it is only gathered from the first call of
/// tn_ros_graph_start() (or of another function here) on, until the context goes. It fills as DDS
/// discovers: a fraction of a second for what runs already, up to the lease (10 s) until somebody
/// who was killed is gone. There is no moment at which it is known to be complete; `ros2` waits for
/// some time, and so must whoever prints it once.
///
/// A **snapshot** is a copy that does not change; texts in it live as long as it does. Names that
/// DDS carries are turned into ROS names exactly as rmw_cyclonedds_cpp does it.
///
/// What strangers announce is bounded: at most TN_ROS_GRAPH_PARTICIPANTS_MAX participants,
/// TN_ROS_GRAPH_ENDPOINTS_MAX endpoints, TN_ROS_GRAPH_NODES_MAX nodes; names longer than
/// TN_ROS_NAME_MAX or with anything but printable ASCII are left out, as is a participant that
/// announces nodes of another. What did not fit is counted (`n_left_out`).
#ifndef TN_ROS_GRAPH_H
#define TN_ROS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "ros/context.h"
#include "ros/names.h"
#include "ros/qos.h"

/// Ports of a domain allow 120 participants per machine; this is some machines full.
#define TN_ROS_GRAPH_PARTICIPANTS_MAX 1024u
/// 32 endpoints for each participant: a node with parameters has about 16.
#define TN_ROS_GRAPH_ENDPOINTS_MAX 32768u
/// Composed nodes included.
#define TN_ROS_GRAPH_NODES_MAX 4096u
/// `node` of an endpoint whose node is not known.
#define TN_ROS_GRAPH_NO_NODE UINT32_MAX
/// What rmw calls the node and namespace of an endpoint whose node is not known.
#define TN_ROS_GRAPH_UNKNOWN_NAME      "_NODE_NAME_UNKNOWN_"
#define TN_ROS_GRAPH_UNKNOWN_NAMESPACE "_NODE_NAMESPACE_UNKNOWN_"

/// A node. The same name may be there more than once.
struct tn_ros_graph_node {
    const char *name, *ns;     ///< "talker", "/" or "/a/b"
    const char *enclave;       ///< "/"; "" when the participant said none
    struct tn_gid participant; ///< of its process
    bool is_own;               ///< it lives in this process
};

enum tn_ros_graph_kind {
    TN_ROS_GRAPH_TOPIC,
    TN_ROS_GRAPH_REQUEST, ///< a service's request topic
    TN_ROS_GRAPH_REPLY,   ///< a service's reply topic
    TN_ROS_GRAPH_OTHER,   ///< no ROS name: DDS programs, ros_discovery_info
};

/// One reader or writer.
struct tn_ros_graph_endpoint {
    struct tn_gid gid, participant;
    enum tn_ros_graph_kind kind;
    bool is_publisher;                ///< DDS writer (of a topic, request or reply)
    const char *dds_topic, *dds_type; ///< as on the wire
    const char *name;                 ///< ROS name of topic or service; the DDS topic if OTHER
    const char *type;         ///< "pkg/msg/T", "pkg/srv/S"; the DDS type if it is no ROS one
    const char *hash;         ///< "RIHS01_…" (of a service: of the request or response);
                              ///< "" when none was sent (Humble)
    const char *service_hash; ///< of the whole service, "" when not sent
    const char *action, *action_type; ///< of a feedback topic: its action; else NULL
    struct tn_ros_qos qos;
    bool is_history_known; ///< false: history and depth are not in its discovery data (Fast DDS);
                           ///< ros2 prints UNKNOWN
    uint32_t node;         ///< index into `nodes`, or TN_ROS_GRAPH_NO_NODE
};

/// A topic, service or action, with all that use it.
struct tn_ros_graph_name {
    const char *name;
    uint32_t n_types;
    const char *const *types;  ///< (n_types), sorted; more than one is a mistake of somebody
    const char *const *hashes; ///< (n_types) one hash of each type, "" unknown. Services: of the
                               ///< whole service; actions: of the feedback message
    uint32_t n_publishers;     ///< topics: publishers; services: servers; actions: servers
    uint32_t n_subscriptions;  ///< topics: subscriptions; services: clients; actions: clients
};

/// The graph at one moment. Everything is sorted by name.
struct tn_ros_graph {
    uint32_t n_nodes, n_endpoints, n_topics, n_services, n_actions;
    const struct tn_ros_graph_node *nodes;         ///< (n_nodes) by namespace and name
    const struct tn_ros_graph_endpoint *endpoints; ///< (n_endpoints) by name, type, direction, gid
    const struct tn_ros_graph_name *topics;        ///< (n_topics) ROS topics; those of actions too
    const struct tn_ros_graph_name *services;      ///< (n_services) those of actions too
    const struct tn_ros_graph_name *actions;       ///< (n_actions)
    uint64_t n_left_out; ///< announcements so far that were malformed, hostile or too many
};

/// Begins to gather the graph; harmless when that is so already.
/// @return TN_OK; TN_ERR_TRANSPORT; TN_ERR_NO_MEMORY.
/// Thread: the loop's. Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_ros_graph_start(struct tn_ros_context *context,
                                               struct tn_error *err);

/// Copies what is known now. Starts the gathering if need be: then it is empty yet.
/// @param out_graph   to be freed with tn_ros_graph_free()
/// @return TN_OK; errors of tn_ros_graph_start(). Thread: the loop's. Allocates: yes. Blocks:
/// never. Cost: O(n log n) in the number of endpoints.
TN_NODISCARD enum tn_result tn_ros_graph_snapshot(struct tn_ros_context *context,
                                                  struct tn_ros_graph **out_graph,
                                                  struct tn_error *err);

/// Accepts NULL, nulls the pointer. May outlive the context. @return nothing. Thread: the loop's.
/// Allocates: never. Blocks: never.
void tn_ros_graph_free(struct tn_ros_graph **graph);

// ---- views of a snapshot ----

/// What an endpoint is for its node.
enum tn_ros_graph_role {
    TN_ROS_GRAPH_PUBLISHERS,
    TN_ROS_GRAPH_SUBSCRIPTIONS,
    TN_ROS_GRAPH_SERVERS,
    TN_ROS_GRAPH_CLIENTS,
    TN_ROS_GRAPH_ACTION_SERVERS,
    TN_ROS_GRAPH_ACTION_CLIENTS,
};

/// One line of `ros2 node info`.
struct tn_ros_graph_use {
    const char *name, *type;                      ///< of topic, service or action
    const struct tn_ros_graph_endpoint *endpoint; ///< the first of its kind
};

/// Walks over what a node has in one role, sorted by name and type, each pair once.
/// @param node       index into `nodes`
/// @param io_next    where to go on; 0 at first
/// @param out_use    the next one; untouched at the end
/// @return true; false: no more. Thread: any. Allocates: never. Blocks: never.
bool tn_ros_graph_next_use(const struct tn_ros_graph *graph, uint32_t node,
                           enum tn_ros_graph_role role, uint32_t *io_next,
                           struct tn_ros_graph_use *out_use);

/// Finds a node by "/ns/name" (a missing slash in front is added in thought, as ros2 does).
/// @return its index (the first of several), or TN_ROS_GRAPH_NO_NODE. Thread: any. Allocates:
/// never. Blocks: never.
uint32_t tn_ros_graph_find_node(const struct tn_ros_graph *graph, const char *fqn);

/// Finds a topic, service or action by name.
/// @param names, n   `topics`, `services` or `actions` of a snapshot
/// @return it, or NULL. Thread: any. Allocates: never. Blocks: never. Cost: O(log n).
const struct tn_ros_graph_name *tn_ros_graph_find_name(const struct tn_ros_graph_name *names,
                                                       uint32_t n, const char *name);

/// @return whether ros2cli hides this name unless asked: a part of it begins with an underscore.
/// Thread: any. Allocates: never. Blocks: never.
bool tn_ros_name_is_hidden(const char *name);

// ---- the live graph ----

/// Names a node.
struct tn_ros_graph_node_name {
    char name[TN_ROS_NAME_MAX], ns[TN_ROS_NAME_MAX];
};

/// Names the node that an endpoint belongs to.
/// @param gid   of a reader or writer of any process
/// @return TN_OK; TN_ERR_NOT_FOUND: nobody has announced it (yet); errors of tn_ros_graph_start().
/// Thread: the loop's. Allocates: at the first call (see tn_ros_graph_start()). Blocks: never.
TN_NODISCARD enum tn_result tn_ros_graph_node_of(struct tn_ros_context *context, struct tn_gid gid,
                                                 struct tn_ros_graph_node_name *out);

/// The graph changed, once for all changes of a loop pass; take a snapshot to see how.
typedef void (*tn_ros_graph_fn)(void *context);

/// Caller's storage; zero-initialise. Members are private.
struct tn_ros_graph_watch {
    struct tn_ros_graph_watch *next, **link;
    tn_ros_graph_fn callback;
    void *context;
    bool is_due; ///< to be called in this pass
};

/// Calls back at each change; starts the gathering if need be. The callback may start and
/// stop watches, its own included.
/// @param watch   stays where it is until tn_ros_graph_watch_stop(), which comes before the context
/// goes
/// @return TN_OK; errors of tn_ros_graph_start(). Thread: the loop's. Allocates: as
/// tn_ros_graph_start(). Blocks: never.
TN_NODISCARD enum tn_result tn_ros_graph_watch_start(struct tn_ros_context *context,
                                                     struct tn_ros_graph_watch *watch,
                                                     tn_ros_graph_fn callback,
                                                     void *callback_context, struct tn_error *err);

/// Ends it; harmless on a zeroed or stopped one. @return nothing. Thread: the loop's. Allocates:
/// never. Blocks: never.
void tn_ros_graph_watch_stop(struct tn_ros_graph_watch *watch);

#endif
