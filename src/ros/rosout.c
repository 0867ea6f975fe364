// SPDX-License-Identifier: Apache-2.0
// `/rosout`: log lines of any thread go through a bounded lock-free queue to the loop, which
// publishes them. A full queue drops lines: logging never blocks.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__node.h"
#include "tn_msgs/rcl_interfaces.h"

/// Lines that wait for the loop; a power of two.
#define QUEUE_SIZE 64u

/// One line. `turn` says whose it is: the queue of Vyukov, many producers and one consumer.
struct slot {
    _Atomic uint32_t turn;
    enum tn_log_level level;
    int64_t wall_ns;
    uint32_t line;
    char name[TN_LOG_NAME_MAX], text[TN_LOG_LINE_MAX], file[128], function[64];
};

struct tn_ros__rosout {
    struct tn_transport_writer *writer;
    struct tn_loop_async async;
    size_t capacity;
    _Atomic uint32_t head; ///< next to be written
    uint32_t tail;         ///< next to be read; the loop's
    struct slot slots[QUEUE_SIZE];
};

static void copy_text(char *out, size_t capacity, const char *text)
{
    size_t size = text == NULL ? 0 : strlen(text);
    if (size >= capacity)
        size = capacity - 1;
    if (size > 0)
        memcpy(out, text, size);
    out[size] = '\0';
}

/// Takes a free slot. @return NULL when the queue is full.
static struct slot *claim(struct tn_ros__rosout *rosout, uint32_t *out_position)
{
    uint32_t position = atomic_load(&rosout->head);
    for (;;) {
        struct slot *slot = &rosout->slots[position % QUEUE_SIZE];
        int32_t ahead = (int32_t)(atomic_load(&slot->turn) - position);
        if (ahead < 0)
            return NULL;
        if (ahead == 0 && atomic_compare_exchange_weak(&rosout->head, &position, position + 1)) {
            *out_position = position;
            return slot;
        }
        if (ahead > 0)
            position = atomic_load(&rosout->head);
    }
}

/// On any thread.
static void on_record(void *context, const struct tn_log_record *record)
{
    struct tn_ros__rosout *rosout = context;
    uint32_t position = 0;
    struct slot *slot = claim(rosout, &position);
    if (slot == NULL)
        return;
    slot->level = record->level;
    slot->wall_ns = record->wall_ns;
    slot->line = record->line;
    copy_text(slot->name, sizeof slot->name, record->name);
    copy_text(slot->text, sizeof slot->text, record->text);
    copy_text(slot->file, sizeof slot->file, record->file);
    copy_text(slot->function, sizeof slot->function, record->function);
    atomic_store(&slot->turn, position + 1);
    tn_loop_async_signal(&rosout->async);
}

static void publish(struct tn_ros__rosout *rosout, const struct slot *slot)
{
    struct rcl_interfaces_msg_Log message;
    rcl_interfaces_msg_Log_init(&message);
    message.stamp.sec = (int32_t)(slot->wall_ns / TN_NS_PER_S);
    message.stamp.nanosec = (uint32_t)(slot->wall_ns % TN_NS_PER_S);
    message.level = (uint8_t)slot->level;
    message.name = tn_str_from(slot->name);
    message.msg = tn_str_from(slot->text);
    message.file = tn_str_from(slot->file);
    message.function = tn_str_from(slot->function);
    message.line = slot->line;
    // a line that cannot be sent is on the console all the same; reporting it would log again
    (void)tn_ros__encode_and_write(rosout->writer, &rcl_interfaces_msg_Log_type, &message,
                                   &rosout->capacity);
}

static void on_async(void *context)
{
    struct tn_ros__rosout *rosout = context;
    for (uint32_t i = 0; i < QUEUE_SIZE; i++) {
        struct slot *slot = &rosout->slots[rosout->tail % QUEUE_SIZE];
        if (atomic_load(&slot->turn) != rosout->tail + 1)
            return;
        publish(rosout, slot);
        atomic_store(&slot->turn, rosout->tail + QUEUE_SIZE);
        rosout->tail++;
    }
    // more may have come meanwhile: others first
    tn_loop_async_signal(&rosout->async);
}

enum tn_result tn_ros__rosout_open(struct tn_ros_context *context, struct tn_error *err)
{
    const struct tn_type *type = &rcl_interfaces_msg_Log_type;
    char user_data[TN_ROS__USER_DATA_MAX];
    tn_ros__user_data(type->hash, user_data);
    struct tn_transport_topic topic = {
        .dds_topic = "rt/rosout",
        .dds_type = type->dds_name,
        .user_data = user_data,
        .qos = tn_ros_qos_rosout(),
    };
    struct tn_ros__rosout *rosout = calloc(1, sizeof *rosout);
    if (rosout == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for /rosout");
    for (uint32_t i = 0; i < QUEUE_SIZE; i++)
        atomic_init(&rosout->slots[i].turn, i);
    enum tn_result result =
        tn_transport_writer_create(context->transport, &topic, &rosout->writer, err);
    if (result != TN_OK) {
        free(rosout);
        return result;
    }
    tn_loop_async_start(context->loop, &rosout->async, on_async, rosout);
    context->rosout = rosout;
    tn_log_set_receiver(on_record, rosout);
    return TN_OK;
}

void tn_ros__rosout_close(struct tn_ros_context *context)
{
    struct tn_ros__rosout *rosout = context->rosout;
    context->rosout = NULL;
    if (rosout == NULL)
        return;
    tn_log_set_receiver(NULL, NULL);
    // the last words
    on_async(rosout);
    tn_loop_async_stop(&rosout->async);
    tn_transport_writer_destroy(&rosout->writer);
    free(rosout);
}

struct tn_gid tn_ros__rosout_gid(const struct tn_ros_context *context)
{
    if (context->rosout == NULL)
        return (struct tn_gid){{0}};
    return tn_transport_writer_gid(context->rosout->writer);
}
