// SPDX-License-Identifier: Apache-2.0
// ros_discovery_info: which endpoint belongs to which node.
#include <stdlib.h>
#include <string.h>

#include "ros/ros__graph.h"
#include "ros/ros__node.h"
#include "tn_msgs/rmw_dds_common.h"

/// A Fast DDS peer is seen within 1 s. Topics do not wait for it.
#define LOOK_AROUND_NS (1250 * TN_NS_PER_MS)
/// Events taken before others run.
#define BATCH 256

/// Finds out who is there to read before anything is announced.
struct tn_ros__announcer {
    struct tn_transport_discovery *discovery;
    struct tn_loop_timer look_around;
    struct tn_ros__gid_choice choice;
};

static void put_gid(struct tn_cdr_writer *w, struct tn_gid gid, uint32_t gid_size)
{
    uint8_t bytes[TN_ROS__GID_SIZE_HUMBLE] = {0};
    memcpy(bytes, gid.data, TN_GID_SIZE);
    tn_cdr_put_block(w, bytes, gid_size, 1);
}

/// Gids of one kind of a node: counted first (w NULL), then written.
static uint32_t put_readers(struct tn_cdr_writer *w, const struct tn_ros_node *node, uint32_t size)
{
    uint32_t n = 0;
    struct tn_gid reader, writer;
    for (const struct tn_ros_subscription *s = node->subscriptions; s != NULL; s = s->next, n++)
        if (w != NULL)
            put_gid(w, tn_transport_reader_gid(s->reader), size);
    for (const struct tn_ros_service *s = node->services; s != NULL; n++) {
        s = tn_ros__service_next(s, &reader, &writer);
        if (w != NULL)
            put_gid(w, reader, size);
    }
    for (const struct tn_ros_client *c = node->clients; c != NULL; n++) {
        c = tn_ros__client_next(c, &reader, &writer);
        if (w != NULL)
            put_gid(w, reader, size);
    }
    return n;
}

static uint32_t put_writers(struct tn_cdr_writer *w, const struct tn_ros_node *node, uint32_t size)
{
    uint32_t n = 0;
    struct tn_gid reader, writer;
    if (node->context->rosout != NULL) {
        n++;
        if (w != NULL)
            put_gid(w, tn_ros__rosout_gid(node->context), size);
    }
    for (const struct tn_ros_publisher *p = node->publishers; p != NULL; p = p->next, n++)
        if (w != NULL)
            put_gid(w, tn_transport_writer_gid(p->writer), size);
    for (const struct tn_ros_service *s = node->services; s != NULL; n++) {
        s = tn_ros__service_next(s, &reader, &writer);
        if (w != NULL)
            put_gid(w, writer, size);
    }
    for (const struct tn_ros_client *c = node->clients; c != NULL; n++) {
        c = tn_ros__client_next(c, &reader, &writer);
        if (w != NULL)
            put_gid(w, writer, size);
    }
    return n;
}

/// Written by hand and not with the generated type: the size of a Gid depends on the distribution.
void tn_ros__graph_encode(const struct tn_ros_context *context, uint32_t gid_size,
                          struct tn_cdr_writer *w)
{
    uint32_t n_nodes = 0;
    for (const struct tn_ros_node *node = context->nodes; node != NULL; node = node->next)
        n_nodes++;
    put_gid(w, tn_transport_gid(context->transport), gid_size);
    tn_cdr_put_u32(w, n_nodes);
    for (const struct tn_ros_node *node = context->nodes; node != NULL; node = node->next) {
        tn_cdr_put_string(w, node->ns, (uint32_t)strlen(node->ns), 0);
        tn_cdr_put_string(w, node->name, (uint32_t)strlen(node->name), 0);
        tn_cdr_put_u32(w, put_readers(NULL, node, gid_size));
        (void)put_readers(w, node, gid_size);
        tn_cdr_put_u32(w, put_writers(NULL, node, gid_size));
        (void)put_writers(w, node, gid_size);
    }
}

static enum tn_result publish(struct tn_ros_context *context)
{
    for (;;) {
        struct tn_transport_loan loan;
        struct tn_cdr_writer w;
        enum tn_result result =
            tn_transport_loan(context->graph_writer, context->graph_capacity, &loan);
        if (result != TN_OK)
            return result;
        tn_cdr_writer_begin(&w, loan.data, loan.capacity);
        tn_ros__graph_encode(context, context->announcer->choice.size, &w);
        result = tn_cdr_writer_result(&w);
        if (result == TN_OK)
            return tn_transport_write(context->graph_writer, &loan, w.size);
        tn_transport_loan_return(&loan);
        if (result != TN_ERR_LIMIT || w.size <= context->graph_capacity)
            return result;
        context->graph_capacity = w.size;
    }
}

static void on_changed(void *user)
{
    struct tn_ros_context *context = user;
    tn_ros__live_own_changed(context->live);
    // whoever is not announced yet will be with the first announcement
    if (context->graph_writer == NULL)
        return;
    enum tn_result result = publish(context);
    if (result != TN_OK)
        TN_ERROR(&context->logger,
                 "the ROS graph could not be announced (%s): ros2 node list will be incomplete",
                 tn_result_text(result));
}

// ---- which form ----

static enum tn_result writer_open(struct tn_ros_context *context, struct tn_error *err)
{
    const struct tn_type *type = &rmw_dds_common_msg_ParticipantEntitiesInfo_type;
    bool is_humble = context->announcer->choice.size == TN_ROS__GID_SIZE_HUMBLE;
    char user_data[TN_ROS__USER_DATA_MAX] = "gidsize=24;";
    // with the other size it is another type: its hash would lie
    if (!is_humble)
        tn_ros__user_data(type->hash, user_data);
    struct tn_transport_topic topic = {
        .dds_topic = TN_ROS__GRAPH_TOPIC,
        .dds_type = type->dds_name,
        .user_data = user_data,
        .qos = tn_ros_qos_latched(1),
    };
    return tn_transport_writer_create(context->transport, &topic, &context->graph_writer, err);
}

static enum tn_result decide(struct tn_ros_context *context, struct tn_error *err)
{
    struct tn_ros__gid_choice *choice = &context->announcer->choice;
    enum tn_result result = TN_OK;
    if (tn_ros__gid_choice_decide(choice)) {
        tn_loop_timer_stop(&context->announcer->look_around);
        // first away with what the newcomer must not read
        tn_transport_writer_destroy(&context->graph_writer);
        result = writer_open(context, err);
        tn_ros__graph_changed(context);
    }
    if (tn_ros__gid_choice_is_mixed(choice))
        TN_WARN(&context->logger,
                "ROS 2 Humble and a later distribution are in this domain, which ROS does not "
                "support: ros_discovery_info is announced with gids of %u bytes, %s; set "
                "ROS_DISTRO (or TENDON_GID_SIZE=16 or 24) to the one that counts and the other "
                "distribution's ROS_DOMAIN_ID to another value",
                choice->size,
                choice->size == TN_GID_SIZE ? "on which nodes of Humble can run out of memory"
                                            : "so that nodes later than Humble do not list ours");
    return result;
}

static void decide_or_tell(struct tn_ros_context *context)
{
    struct tn_error err = {0};
    if (decide(context, &err) != TN_OK)
        TN_ERROR(&context->logger, "the ROS graph cannot be announced: %s", err.text);
}

static void on_look_around(void *user)
{
    struct tn_ros_context *context = user;
    context->announcer->choice.has_waited = true;
    decide_or_tell(context);
}

static void on_reader(struct tn_ros_context *context, const struct tn_transport_discovered *event)
{
    struct tn_gid own = tn_transport_gid(context->transport);
    if (event->is_alive && (strcmp(event->dds_topic, TN_ROS__GRAPH_TOPIC) != 0 ||
                            memcmp(own.data, event->participant.data, TN_GID_SIZE) == 0))
        return;
    tn_ros__gid_choice_reader(&context->announcer->choice, event->gid, event->is_alive,
                              tn_ros__gid_reader_of(event->user_data, event->user_data_size));
}

static void on_discovery(void *user)
{
    struct tn_ros_context *context = user;
    struct tn_transport_discovered event;
    for (int i = 0; i < BATCH; i++) {
        if (tn_transport_discovery_take(context->announcer->discovery, &event) != TN_OK)
            break;
        on_reader(context, &event);
    }
    decide_or_tell(context);
}

enum tn_result tn_ros__graph_open(struct tn_ros_context *context, struct tn_error *err)
{
    struct tn_ros__announcer *announcer = calloc(1, sizeof *announcer);
    if (announcer == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the graph");
    context->announcer = announcer;
    announcer->choice.forced = context->forced_gid_size;
    context->graph_capacity = 1024;
    tn_loop_async_start(context->loop, &context->graph_changed, on_changed, context);
    enum tn_result result = tn_transport_discovery_create(context->transport, false, on_discovery,
                                                          context, &announcer->discovery, err);
    if (result != TN_OK)
        return result;
    tn_loop_timer_start(context->loop, &announcer->look_around, LOOK_AROUND_NS, 0, on_look_around,
                        context);
    return decide(context, err);
}

void tn_ros__graph_close(struct tn_ros_context *context)
{
    tn_ros__live_destroy(&context->live);
    tn_loop_async_stop(&context->graph_changed);
    if (context->announcer == NULL)
        return;
    tn_loop_timer_stop(&context->announcer->look_around);
    tn_transport_discovery_destroy(&context->announcer->discovery);
    tn_transport_writer_destroy(&context->graph_writer);
    free(context->announcer);
    context->announcer = NULL;
}

void tn_ros__graph_changed(struct tn_ros_context *context)
{
    tn_loop_async_signal(&context->graph_changed);
}
