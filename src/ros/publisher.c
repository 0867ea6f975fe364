// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__node.h"

/// First guess at the size of a message.
#define CAPACITY_START 256u

enum tn_result tn_ros_publisher_create(struct tn_ros_node *node, const struct tn_type *type,
                                       const char *topic, struct tn_ros_qos qos,
                                       struct tn_ros_publisher **out_publisher,
                                       struct tn_error *err)
{
    struct tn_ros_publisher *publisher = calloc(1, sizeof *publisher);
    if (publisher == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for topic %s", topic);
    publisher->node = node;
    publisher->type = type;
    publisher->capacity = CAPACITY_START;
    enum tn_result result = tn_ros_resolve_name(&node->context->args, node->ns, node->name, topic,
                                                publisher->topic, err);
    if (result == TN_OK)
        result = tn_ros__qos_override(node, publisher->topic, true, &qos, err);
    if (result == TN_OK) {
        char dds_topic[TN_ROS__DDS_NAME_MAX], user_data[TN_ROS__USER_DATA_MAX];
        (void)snprintf(dds_topic, sizeof dds_topic, "%s%s",
                       qos.avoid_ros_namespace_conventions ? "" : "rt", publisher->topic);
        tn_ros__user_data(type->hash, user_data);
        tn_ros__qos_settle(node->context, dds_topic, true, &qos);
        publisher->qos = qos;
        struct tn_transport_topic names = {
            .dds_topic = dds_topic, .dds_type = type->dds_name, .user_data = user_data, .qos = qos};
        result =
            tn_transport_writer_create(node->context->transport, &names, &publisher->writer, err);
    }
    if (result != TN_OK) {
        free(publisher);
        return result;
    }
    publisher->next = node->publishers;
    node->publishers = publisher;
    tn_ros__graph_changed(node->context);
    *out_publisher = publisher;
    return TN_OK;
}

void tn_ros_publisher_destroy(struct tn_ros_publisher **publisher)
{
    struct tn_ros_publisher *p = *publisher;
    *publisher = NULL;
    if (p == NULL)
        return;
    struct tn_ros_publisher **link = &p->node->publishers;
    while (*link != p)
        link = &(*link)->next;
    *link = p->next;
    tn_transport_writer_destroy(&p->writer);
    tn_ros__graph_changed(p->node->context);
    free(p->named_type);
    free(p);
}

/// Where to start next time: at once with more, slowly with less, so that one large message does
/// not make every later one take a large buffer.
static size_t next_capacity(size_t capacity, size_t size)
{
    return size > capacity ? size : capacity - (capacity - size) / 8;
}

enum tn_result tn_ros__encode_and_write(struct tn_transport_writer *writer,
                                        const struct tn_type *type, const void *message,
                                        size_t *io_capacity)
{
    size_t capacity = *io_capacity;
    if (tn_transport_skip(writer))
        return TN_OK;
    for (;;) {
        struct tn_transport_loan loan;
        struct tn_cdr_writer cdr;
        enum tn_result result = tn_transport_loan(writer, capacity, &loan);
        if (result != TN_OK)
            return result;
        tn_cdr_writer_begin(&cdr, loan.data, loan.capacity);
        result = tn_type_encode(type, message, &cdr);
        if (result == TN_OK) {
            *io_capacity = next_capacity(*io_capacity, cdr.size);
            return tn_transport_write(writer, &loan, cdr.size);
        }

        // too small: once more with what it takes
        bool can_grow = result == TN_ERR_LIMIT && cdr.size > loan.capacity;
        tn_transport_loan_return(&loan);
        if (!can_grow)
            return TN_ERR_LIMIT;
        capacity = cdr.size;
    }
}

enum tn_result tn_ros_publish(struct tn_ros_publisher *publisher, const void *message)
{
    if (publisher->named_type != NULL)
        return TN_ERR_UNSUPPORTED;
    return tn_ros__encode_and_write(publisher->writer, publisher->type, message,
                                    &publisher->capacity);
}

enum tn_result tn_ros_publish_cdr(struct tn_ros_publisher *publisher, const uint8_t *cdr,
                                  size_t size)
{
    struct tn_transport_loan loan;
    if (size < TN_CDR_HEADER_SIZE)
        return TN_ERR_MALFORMED;
    if (tn_transport_skip(publisher->writer))
        return TN_OK;
    enum tn_result result = tn_transport_loan(publisher->writer, size, &loan);
    if (result != TN_OK)
        return result;
    memcpy(loan.data, cdr, size);
    return tn_transport_write(publisher->writer, &loan, size);
}

uint32_t tn_ros_publisher_matched(const struct tn_ros_publisher *publisher)
{
    return tn_transport_writer_matched(publisher->writer);
}

const char *tn_ros_publisher_topic(const struct tn_ros_publisher *publisher)
{
    return publisher->topic;
}
