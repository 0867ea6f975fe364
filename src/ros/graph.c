// SPDX-License-Identifier: Apache-2.0
// ros_discovery_info: which endpoint belongs to which node.
#include <string.h>

#include "ros/ros__node.h"
#include "tn_msgs/rmw_dds_common.h"

#define GRAPH_TOPIC "ros_discovery_info"

static void put_gid(struct tn_cdr_writer *w, struct tn_gid gid, uint32_t gid_size)
{
    uint8_t bytes[24] = {0};
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
static void encode(const struct tn_ros_context *context, struct tn_cdr_writer *w)
{
    uint32_t size = context->gid_size, n_nodes = 0;
    for (const struct tn_ros_node *node = context->nodes; node != NULL; node = node->next)
        n_nodes++;
    put_gid(w, tn_transport_gid(context->transport), size);
    tn_cdr_put_u32(w, n_nodes);
    for (const struct tn_ros_node *node = context->nodes; node != NULL; node = node->next) {
        tn_cdr_put_string(w, node->ns, (uint32_t)strlen(node->ns), 0);
        tn_cdr_put_string(w, node->name, (uint32_t)strlen(node->name), 0);
        tn_cdr_put_u32(w, put_readers(NULL, node, size));
        (void)put_readers(w, node, size);
        tn_cdr_put_u32(w, put_writers(NULL, node, size));
        (void)put_writers(w, node, size);
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
        encode(context, &w);
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
    enum tn_result result = publish(context);
    if (result != TN_OK)
        TN_ERROR(&context->logger,
                 "the ROS graph could not be announced (%s): ros2 node list will be incomplete",
                 tn_result_text(result));
}

enum tn_result tn_ros__graph_open(struct tn_ros_context *context, struct tn_error *err)
{
    const struct tn_type *type = &rmw_dds_common_msg_ParticipantEntitiesInfo_type;
    char user_data[TN_ROS__USER_DATA_MAX];
    tn_ros__user_data(type->hash, user_data);
    struct tn_transport_topic topic = {
        .dds_topic = GRAPH_TOPIC,
        .dds_type = type->dds_name,
        .user_data = user_data,
        .qos = tn_ros_qos_latched(1),
    };
    context->gid_size = TN_GID_SIZE;
    context->graph_capacity = 1024;
    tn_loop_async_start(context->loop, &context->graph_changed, on_changed, context);
    return tn_transport_writer_create(context->transport, &topic, &context->graph_writer, err);
}

void tn_ros__graph_close(struct tn_ros_context *context)
{
    tn_loop_async_stop(&context->graph_changed);
    tn_transport_writer_destroy(&context->graph_writer);
}

void tn_ros__graph_changed(struct tn_ros_context *context)
{
    tn_loop_async_signal(&context->graph_changed);
}
