// SPDX-License-Identifier: Apache-2.0
// Peers on our topics that do not fit: found by comparing what they announce, named as soon as
// their node is known, said once for each peer and policy.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ros/graph.h"
#include "ros/ros__events.h"
#include "ros/ros__graph.h"
#include "ros/ros__node.h"
#include "ros/ros__record.h"

/// Reports that wait for the name of a node.
#define PENDING_MAX 128u
/// What was said lately: some for each of many peers; a hostile one can only make us repeat.
#define SEEN_MAX 512u
/// A node announces itself within this time after its endpoints, or is no ROS node.
#define NAME_WAIT_NS (2 * TN_NS_PER_S)
/// Warnings in one second; what is beyond is counted.
#define WARNINGS_MAX 10u

struct pending {
    struct tn_gid own, peer;
    bool is_writer;   ///< ours
    bool is_own_peer; ///< the peer is of this process
    enum tn_ros__policy policy;
    int64_t due_steady_ns;
    char offered[TN_ROS__VALUE_MAX], requested[TN_ROS__VALUE_MAX];
    char cure[TN_ROS__CURE_MAX];
    struct tn_ros__names names; ///< of our topic
};

struct seen {
    struct tn_gid own, peer;
    enum tn_ros__policy policy;
};

struct tn_ros__conflicts {
    struct tn_ros_context *context;
    uint32_t n_pending, n_seen, next_seen;
    struct pending pending[PENDING_MAX];
    struct seen seen[SEEN_MAX];
    struct tn_loop_async noted; ///< something is pending
    struct tn_ros_graph_watch watch;
    struct tn_loop_timer timer;
    // rate of warnings
    int64_t window_steady_ns;
    uint32_t n_in_window;
    uint64_t n_unsaid;
};

static bool is_same(struct tn_gid a, struct tn_gid b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// ---- whose endpoint it is ----

/// Our side of a conflict.
struct side {
    struct tn_ros_node *node; ///< NULL: of the context (/rosout and the graph)
    struct tn_ros_publisher *publisher;
    struct tn_ros_subscription *subscription;
};

static bool has_service_endpoint(const struct tn_ros_node *node, struct tn_gid gid)
{
    struct tn_gid reader, writer;
    const struct tn_ros_service *service = node->services;
    while (service != NULL) {
        service = tn_ros__service_next(service, &reader, &writer);
        if (is_same(reader, gid) || is_same(writer, gid))
            return true;
    }
    const struct tn_ros_client *client = node->clients;
    while (client != NULL) {
        client = tn_ros__client_next(client, &reader, &writer);
        if (is_same(reader, gid) || is_same(writer, gid))
            return true;
    }
    return false;
}

static struct side side_of(struct tn_ros_context *context, struct tn_gid gid)
{
    for (struct tn_ros_node *node = context->nodes; node != NULL; node = node->next) {
        for (struct tn_ros_publisher *p = node->publishers; p != NULL; p = p->next)
            if (is_same(tn_transport_writer_gid(p->writer), gid))
                return (struct side){node, p, NULL};
        for (struct tn_ros_subscription *s = node->subscriptions; s != NULL; s = s->next)
            if (is_same(tn_transport_reader_gid(s->reader), gid))
                return (struct side){node, NULL, s};
        if (has_service_endpoint(node, gid))
            return (struct side){node, NULL, NULL};
    }
    return (struct side){NULL, NULL, NULL};
}

/// "/ns/name" of the peer's node; "" when it is not known.
static void name_peer(struct tn_ros_context *context, struct tn_gid gid,
                      char out[2 * TN_ROS_NAME_MAX])
{
    struct tn_ros_graph_node_name node;
    struct side side = side_of(context, gid);
    out[0] = '\0';
    if (side.node != NULL)
        (void)snprintf(out, 2 * TN_ROS_NAME_MAX, "%s", side.node->fqn);
    else if (tn_ros_graph_node_of(context, gid, &node) == TN_OK)
        (void)snprintf(out, 2 * TN_ROS_NAME_MAX, "%s/%s", strcmp(node.ns, "/") == 0 ? "" : node.ns,
                       node.name);
}

// ---- saying it ----

static bool may_warn(struct tn_ros__conflicts *conflicts)
{
    int64_t now_ns = tn_loop_now_steady_ns(conflicts->context->loop);
    if (tn_ns_sub(now_ns, conflicts->window_steady_ns) >= TN_NS_PER_S) {
        conflicts->window_steady_ns = now_ns;
        conflicts->n_in_window = 0;
    }
    if (conflicts->n_in_window >= WARNINGS_MAX) {
        conflicts->n_unsaid++;
        return false;
    }
    conflicts->n_in_window++;
    return true;
}

/// "publisher of node /talker", or what is known of it.
static void put_peer(const struct pending *p, const char *node, char *out, size_t size)
{
    const char *what = p->is_writer ? "subscription" : "publisher";
    if (p->names.kind == TN_ROS_GRAPH_REQUEST)
        what = p->is_writer ? "server" : "client";
    if (p->names.kind == TN_ROS_GRAPH_REPLY)
        what = p->is_writer ? "client" : "server";
    if (node[0] != '\0') {
        (void)snprintf(out, size, "%s of node %s", what, node);
        return;
    }
    int n = snprintf(out, size, "%s of a program that announces no ROS node (gid ", what);
    for (unsigned i = 0; i < TN_GID_SIZE && n > 0 && (size_t)n + 4 < size; i++)
        n += snprintf(out + n, size - (size_t)n, "%02x", p->peer.data[i]);
    if (n > 0 && (size_t)n + 1 < size)
        (void)snprintf(out + n, size - (size_t)n, ")");
}

static void put_ours(const struct pending *p, const struct tn_ros_node *node, char *out,
                     size_t size)
{
    const char *what = p->is_writer ? "publisher" : "subscription";
    if (p->names.kind == TN_ROS_GRAPH_REQUEST)
        what = p->is_writer ? "client" : "server";
    if (p->names.kind == TN_ROS_GRAPH_REPLY)
        what = p->is_writer ? "server" : "client";
    (void)snprintf(out, size, "this %s%s%s", what, node != NULL ? " of node " : "",
                   node != NULL ? node->fqn : "");
}

static void warn(struct tn_ros__conflicts *conflicts, const struct pending *p,
                 const struct tn_ros_node *node, const char *peer_node)
{
    char theirs[2 * TN_ROS_NAME_MAX + 96], ours[2 * TN_ROS_NAME_MAX + 32], more[64] = "";
    // one line for two endpoints of one process
    if ((p->is_own_peer && p->is_writer) || !may_warn(conflicts))
        return;
    put_peer(p, peer_node, theirs, sizeof theirs);
    put_ours(p, node, ours, sizeof ours);
    if (conflicts->n_unsaid > 0)
        (void)snprintf(more, sizeof more, " (%llu more conflicts were not shown)",
                       (unsigned long long)conflicts->n_unsaid);
    conflicts->n_unsaid = 0;
    const char *kind = p->names.kind == TN_ROS_GRAPH_REQUEST || p->names.kind == TN_ROS_GRAPH_REPLY
                           ? "service"
                           : "topic";
    const struct tn_logger *logger = node != NULL ? &node->logger : &conflicts->context->logger;
    if (p->policy == TN_ROS__POLICY_TYPE)
        TN_WARN(logger, "%s %s: %s has type %s, %s has type %s: they are not connected; %s%s", kind,
                p->names.name, theirs, p->is_writer ? p->requested : p->offered, ours,
                p->is_writer ? p->offered : p->requested, p->cure, more);
    else if (p->is_writer)
        TN_WARN(logger, "%s %s: %s requests %s %s, %s offers %s: it gets no messages; %s%s", kind,
                p->names.name, theirs, tn_ros__rxo_name(p->policy), p->requested, ours, p->offered,
                p->cure, more);
    else
        TN_WARN(logger, "%s %s: %s offers %s %s, %s requests %s: no messages come from it; %s%s",
                kind, p->names.name, theirs, tn_ros__rxo_name(p->policy), p->offered, ours,
                p->requested, p->cure, more);
}

static void remember(struct tn_ros__events *events, const struct pending *p, const char *peer_node)
{
    struct tn_ros__misfits *misfits =
        p->policy == TN_ROS__POLICY_TYPE ? &events->type : &events->qos;
    misfits->n++;
    events->policy = p->policy;
    events->peer = p->peer;
    memcpy(events->offered, p->offered, sizeof events->offered);
    memcpy(events->requested, p->requested, sizeof events->requested);
    memcpy(events->cure, p->cure, sizeof events->cure);
    (void)snprintf(events->peer_node, sizeof events->peer_node, "%s", peer_node);
}

static void report(struct tn_ros__conflicts *conflicts, const struct pending *p,
                   const char *peer_node)
{
    struct side side = side_of(conflicts->context, p->own);
    warn(conflicts, p, side.node, peer_node);
    if (side.publisher != NULL) {
        remember(&side.publisher->events, p, peer_node);
        tn_ros__publisher_tell(side.publisher);
    }
    if (side.subscription != NULL) {
        remember(&side.subscription->events, p, peer_node);
        tn_ros__subscription_tell(side.subscription);
    }
}

/// Reports what has a name by now, or has waited long enough.
static void settle(struct tn_ros__conflicts *conflicts, bool is_last_chance)
{
    int64_t now_ns = tn_loop_now_steady_ns(conflicts->context->loop);
    uint32_t i = 0;
    while (i < conflicts->n_pending) {
        char node[2 * TN_ROS_NAME_MAX];
        struct pending *p = &conflicts->pending[i];
        name_peer(conflicts->context, p->peer, node);
        if (node[0] == '\0' && !is_last_chance && now_ns < p->due_steady_ns) {
            i++;
            continue;
        }
        // out of the table first: whoever is told may do anything
        struct pending ready = *p;
        conflicts->n_pending--;
        memmove(p, p + 1, (conflicts->n_pending - i) * sizeof *p);
        report(conflicts, &ready, node);
    }
    if (conflicts->n_pending == 0) {
        tn_ros_graph_watch_stop(&conflicts->watch);
        tn_loop_timer_stop(&conflicts->timer);
    }
}

static void on_graph(void *context)
{
    struct tn_ros__conflicts *conflicts = context;
    // not from in here: whoever is told may do anything to the graph's watches
    tn_loop_async_signal(&conflicts->noted);
}

static void on_timer(void *context)
{
    settle(context, false);
}

static void wait_for_names(struct tn_ros__conflicts *conflicts)
{
    struct tn_error err;
    if (conflicts->n_pending == 0)
        return;
    if (conflicts->watch.link == NULL &&
        tn_ros_graph_watch_start(conflicts->context, &conflicts->watch, on_graph, conflicts,
                                 &err) != TN_OK) {
        settle(conflicts, true);
        return;
    }
    if (!conflicts->timer.is_running)
        tn_loop_timer_start(conflicts->context->loop, &conflicts->timer, NAME_WAIT_NS,
                            NAME_WAIT_NS / 4, on_timer, conflicts);
}

// ---- finding it ----

static bool is_seen(struct tn_ros__conflicts *conflicts, struct tn_gid own, struct tn_gid peer,
                    enum tn_ros__policy policy)
{
    for (uint32_t i = 0; i < conflicts->n_seen; i++) {
        const struct seen *seen = &conflicts->seen[i];
        if (seen->policy == policy && is_same(seen->peer, peer) && is_same(seen->own, own))
            return true;
    }
    conflicts->seen[conflicts->next_seen] = (struct seen){own, peer, policy};
    conflicts->next_seen = (conflicts->next_seen + 1) % SEEN_MAX;
    if (conflicts->n_seen < SEEN_MAX)
        conflicts->n_seen++;
    return false;
}

/// The ROS form of a type that may be anything.
static void put_type(const char *dds_topic, const char *dds_type, char *out, size_t size)
{
    struct tn_ros__names names;
    if (!tn_ros__is_printable(dds_type)) {
        (void)snprintf(out, size, "of a name that is too long or not printable");
        return;
    }
    tn_ros__demangle(dds_topic, dds_type, &names);
    (void)snprintf(out, size, "%s", names.type);
}

static void fill(struct pending *p, const struct tn_transport_own *own,
                 const struct tn_transport_peer *peer)
{
    const struct tn_ros__rxo *offered = own->is_writer ? &own->rxo : &peer->rxo;
    const struct tn_ros__rxo *requested = own->is_writer ? &peer->rxo : &own->rxo;
    tn_ros__demangle(own->dds_topic, own->dds_type, &p->names);
    if (p->policy == TN_ROS__POLICY_TYPE) {
        put_type(own->dds_topic, own->is_writer ? own->dds_type : peer->dds_type, p->offered,
                 sizeof p->offered);
        put_type(own->dds_topic, own->is_writer ? peer->dds_type : own->dds_type, p->requested,
                 sizeof p->requested);
    } else {
        tn_ros__rxo_value(offered, p->policy, p->offered, sizeof p->offered);
        tn_ros__rxo_value(requested, p->policy, p->requested, sizeof p->requested);
    }
    const char *topic = p->names.kind == TN_ROS_GRAPH_TOPIC ? p->names.name : NULL;
    tn_ros__rxo_cure(offered, requested, p->policy, topic, own->is_writer, p->cure, sizeof p->cure);
}

static void note(struct tn_ros__conflicts *conflicts, const struct tn_transport_own *own,
                 const struct tn_transport_peer *peer, enum tn_ros__policy policy)
{
    if (is_seen(conflicts, own->gid, peer->gid, policy))
        return;
    if (conflicts->n_pending == PENDING_MAX) {
        conflicts->n_unsaid++;
        return;
    }
    struct pending *p = &conflicts->pending[conflicts->n_pending++];
    *p = (struct pending){
        .own = own->gid,
        .peer = peer->gid,
        .is_writer = own->is_writer,
        .is_own_peer = peer->is_own,
        .policy = policy,
        .due_steady_ns = tn_loop_now_steady_ns(conflicts->context->loop) + NAME_WAIT_NS,
    };
    fill(p, own, peer);
}

static void on_pair(void *context, const struct tn_transport_own *own,
                    const struct tn_transport_peer *peer)
{
    struct tn_ros__conflicts *conflicts = context;
    const struct tn_ros__rxo *offered = own->is_writer ? &own->rxo : &peer->rxo;
    const struct tn_ros__rxo *requested = own->is_writer ? &peer->rxo : &own->rxo;
    uint32_t set = strcmp(own->dds_type, peer->dds_type) != 0
                       ? 1u << TN_ROS__POLICY_TYPE
                       : tn_ros__rxo_conflicts(offered, requested);
    if (set == 0)
        return;
    for (unsigned policy = 0; policy < TN_ROS__N_POLICIES; policy++)
        if ((set & 1u << policy) != 0)
            note(conflicts, own, peer, (enum tn_ros__policy)policy);
    // not from in here: the endpoints are being walked over
    tn_loop_async_signal(&conflicts->noted);
}

static void on_peer(void *context, const struct tn_transport_peer *peer)
{
    const struct tn_ros__conflicts *conflicts = context;
    tn_ros__records_discovered(conflicts->context, peer);
}

static void on_noted(void *context)
{
    struct tn_ros__conflicts *conflicts = context;
    settle(conflicts, false);
    wait_for_names(conflicts);
}

enum tn_result tn_ros__conflicts_open(struct tn_ros_context *context, struct tn_error *err)
{
    struct tn_ros__conflicts *conflicts = calloc(1, sizeof *conflicts);
    if (conflicts == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the context");
    conflicts->context = context;
    context->conflicts = conflicts;
    tn_loop_async_start(context->loop, &conflicts->noted, on_noted, conflicts);
    return tn_transport_watch(context->transport, on_peer, on_pair, conflicts, err);
}

void tn_ros__conflicts_close(struct tn_ros_context *context)
{
    struct tn_ros__conflicts *conflicts = context->conflicts;
    context->conflicts = NULL;
    if (conflicts == NULL)
        return;
    if (context->transport != NULL)
        tn_transport_unwatch(context->transport);
    settle(conflicts, true);
    tn_loop_async_stop(&conflicts->noted);
    tn_loop_timer_stop(&conflicts->timer);
    tn_ros_graph_watch_stop(&conflicts->watch);
    free(conflicts);
}
