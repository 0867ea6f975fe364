// SPDX-License-Identifier: Apache-2.0
// The graph of all processes, gathered from the first question on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ros/ros__graph.h"
#include "ros/ros__node.h"
#include "tn_msgs/rmw_dds_common.h"

/// Messages of ros_discovery_info that may wait: one of each participant. Not keep all, which a
/// flood would fill the memory with.
#define DEPTH TN_ROS_GRAPH_PARTICIPANTS_MAX
/// Messages and events taken before others run.
#define MESSAGE_BATCH 64
#define EVENT_BATCH   256

struct tn_ros__live {
    struct tn_ros_context *context;
    struct tn_ros__graph_model *model;
    struct tn_transport_discovery *discovery;
    struct tn_transport_reader *reader;
    struct tn_loop_async notify; ///< changes of one pass are told together
    struct tn_ros_graph_watch *watches;
    uint8_t *own; ///< own ros_discovery_info
    size_t own_capacity;
};

static bool take_messages(struct tn_ros__live *live)
{
    struct tn_transport_sample sample;
    bool is_changed = false;
    for (int i = 0; i < MESSAGE_BATCH && tn_transport_take(live->reader, &sample) == TN_OK; i++) {
        is_changed |=
            tn_ros__graph_model_entities(live->model, sample.writer, sample.cdr, sample.size);
        tn_transport_release(&sample);
    }
    return is_changed;
}

/// @param out_is_drained   whether all there was has been taken
static bool take_events(struct tn_ros__live *live, bool *out_is_drained)
{
    struct tn_transport_discovered event;
    bool is_changed = false;
    *out_is_drained = false;
    for (int i = 0; i < EVENT_BATCH; i++) {
        if (tn_transport_discovery_take(live->discovery, &event) != TN_OK) {
            *out_is_drained = true;
            break;
        }
        is_changed |= tn_ros__graph_model_discovered(live->model, &event);
    }
    return is_changed;
}

/// Messages first: when then all of discovery has been taken, who is not in it has gone already,
/// and a message of his that was still queued must not bring him back.
static void update(struct tn_ros__live *live)
{
    bool is_drained;
    bool is_changed = take_messages(live);
    is_changed |= take_events(live, &is_drained);
    if (is_drained)
        is_changed |= tn_ros__graph_model_settle(live->model);
    if (is_changed)
        tn_loop_async_signal(&live->notify);
}

static void on_discovery(void *user)
{
    update(user);
}

static void on_message(void *user, struct tn_transport_reader *reader)
{
    (void)reader;
    update(user);
}

static struct tn_ros_graph_watch *next_due(const struct tn_ros__live *live)
{
    struct tn_ros_graph_watch *watch = live->watches;
    while (watch != NULL && !watch->is_due)
        watch = watch->next;
    return watch;
}

static void on_notify(void *user)
{
    struct tn_ros__live *live = user;
    struct tn_ros_graph_watch *watch;
    for (watch = live->watches; watch != NULL; watch = watch->next)
        watch->is_due = true;
    // from the start each time: a callback may stop any watch
    while ((watch = next_due(live)) != NULL) {
        watch->is_due = false;
        watch->callback(watch->context);
    }
}

static enum tn_result encode_own(struct tn_ros__live *live, size_t *out_size)
{
    struct tn_cdr_writer w;
    tn_cdr_writer_begin(&w, live->own, live->own_capacity);
    tn_ros__graph_encode(live->context, TN_GID_SIZE, &w);
    enum tn_result result = tn_cdr_writer_result(&w);
    *out_size = w.size;
    return result;
}

void tn_ros__live_own_changed(struct tn_ros__live *live)
{
    size_t size;
    if (live == NULL)
        return;
    if (encode_own(live, &size) == TN_ERR_LIMIT) {
        uint8_t *grown = realloc(live->own, size);
        if (grown == NULL)
            return;
        live->own = grown;
        live->own_capacity = size;
        (void)encode_own(live, &size);
    }
    if (tn_ros__graph_model_entities(live->model, tn_transport_gid(live->context->transport),
                                     live->own, size))
        tn_loop_async_signal(&live->notify);
}

static enum tn_result reader_open(struct tn_ros__live *live, struct tn_error *err)
{
    const struct tn_type *type = &rmw_dds_common_msg_ParticipantEntitiesInfo_type;
    char hash[TN_ROS__USER_DATA_MAX], user_data[TN_ROS__USER_DATA_MAX + 16];
    tn_ros__user_data(type->hash, hash);
    // tells others like us that we read both sizes
    (void)snprintf(user_data, sizeof user_data, "%sgidsize=any;", hash);
    struct tn_transport_topic topic = {
        .dds_topic = TN_ROS__GRAPH_TOPIC,
        .dds_type = type->dds_name,
        .user_data = user_data,
        .qos = tn_ros_qos_latched(DEPTH),
        // own nodes are known without the detour
        .ignore_own = true,
    };
    return tn_transport_reader_create(live->context->transport, &topic, on_message, live,
                                      &live->reader, err);
}

enum tn_result tn_ros_graph_start(struct tn_ros_context *context, struct tn_error *err)
{
    if (context->live != NULL)
        return TN_OK;
    struct tn_ros__live *live = calloc(1, sizeof *live);
    if (live == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the graph");
    live->context = context;
    tn_loop_async_start(context->loop, &live->notify, on_notify, live);
    live->model = tn_ros__graph_model_create();
    enum tn_result result = live->model == NULL
                                ? tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the graph")
                                : reader_open(live, err);
    if (result == TN_OK)
        result = tn_transport_discovery_create(context->transport, true, on_discovery, live,
                                               &live->discovery, err);
    if (result != TN_OK) {
        tn_ros__live_destroy(&live);
        return result;
    }
    context->live = live;
    tn_ros__live_own_changed(live);
    return TN_OK;
}

void tn_ros__live_destroy(struct tn_ros__live **live)
{
    struct tn_ros__live *l = *live;
    *live = NULL;
    if (l == NULL)
        return;
    tn_transport_discovery_destroy(&l->discovery);
    tn_transport_reader_destroy(&l->reader);
    tn_loop_async_stop(&l->notify);
    tn_ros__graph_model_destroy(&l->model);
    free(l->own);
    free(l);
}

enum tn_result tn_ros_graph_snapshot(struct tn_ros_context *context,
                                     struct tn_ros_graph **out_graph, struct tn_error *err)
{
    enum tn_result result = tn_ros_graph_start(context, err);
    if (result != TN_OK)
        return result;
    result = tn_ros__graph_model_snapshot(context->live->model,
                                          tn_transport_gid(context->transport), out_graph);
    if (result != TN_OK)
        return tn_error_set(err, result, "no memory for a snapshot of the graph");
    return TN_OK;
}

enum tn_result tn_ros_graph_node_of(struct tn_ros_context *context, struct tn_gid gid,
                                    struct tn_ros_graph_node_name *out)
{
    enum tn_result result = tn_ros_graph_start(context, NULL);
    return result != TN_OK ? result : tn_ros__graph_model_node_of(context->live->model, gid, out);
}

enum tn_result tn_ros_graph_watch_start(struct tn_ros_context *context,
                                        struct tn_ros_graph_watch *watch, tn_ros_graph_fn callback,
                                        void *callback_context, struct tn_error *err)
{
    enum tn_result result = tn_ros_graph_start(context, err);
    if (result != TN_OK)
        return result;
    struct tn_ros__live *live = context->live;
    *watch = (struct tn_ros_graph_watch){
        .next = live->watches,
        .link = &live->watches,
        .callback = callback,
        .context = callback_context,
    };
    if (watch->next != NULL)
        watch->next->link = &watch->next;
    live->watches = watch;
    return TN_OK;
}

void tn_ros_graph_watch_stop(struct tn_ros_graph_watch *watch)
{
    if (watch->link == NULL)
        return;
    *watch->link = watch->next;
    if (watch->next != NULL)
        watch->next->link = watch->link;
    watch->link = NULL;
}
