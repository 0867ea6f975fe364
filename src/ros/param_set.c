// SPDX-License-Identifier: Apache-2.0
// setting parameters of a running node: copy, check, swap, tell
#include <stdlib.h>
#include <string.h>

#include "ros/ros__node.h"
#include "ros/ros__param_server.h"

/// Whether everything named may be set at all; rclcpp asks this of all before it looks at values.
static enum tn_result check_names(const struct tn_ros__param_server *server,
                                  const struct rcl_interfaces_msg_Parameter *params, uint32_t n,
                                  struct tn_error *err)
{
    if (n == 0)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "parameter list cannot be empty, this might be due to "
                            "pre_set_parameters_callback modifying the original parameters list.");
    for (uint32_t i = 0; i < n; i++) {
        struct tn_str name = params[i].name;
        int shown = name.size < 100 ? (int)name.size : 100;
        if (name.size == 0)
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT, "parameter name must not be empty");
        struct tn_ros__param_ref ref = tn_ros__param_find(server, name);
        if (ref.param == NULL)
            return tn_error_set(err, TN_ERR_NOT_FOUND,
                                "parameter '%.*s' cannot be set because it was not declared", shown,
                                name.data);
        if ((ref.param->flags & TN_ROS_PARAM_READ_ONLY) != 0)
            return tn_error_set(err, TN_ERR_PERMISSION,
                                "parameter '%.*s' cannot be set because it is read-only", shown,
                                name.data);
    }
    for (uint32_t i = 0; i < n; i++)
        if (params[i].value.type == TN_ROS_PARAM_NOT_SET)
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "cannot undeclare a statically typed parameter");
    return TN_OK;
}

/// Copies of the configs that may change at run time.
struct candidate {
    struct tn_ros__builtin_params builtin;
    uint8_t *own;
};

static enum tn_result fill(const struct tn_ros__param_server *server, struct candidate *candidate,
                           const struct rcl_interfaces_msg_Parameter *params, uint32_t n,
                           struct tn_error *err)
{
    for (uint32_t i = 0; i < n; i++) {
        struct tn_ros__param_ref ref = tn_ros__param_find(server, params[i].name);
        uint8_t *config =
            ref.group == &server->builtin ? (uint8_t *)&candidate->builtin : candidate->own;
        enum tn_result result = tn_ros__param_put(ref.param, &params[i].value, config, err);
        if (result != TN_OK)
            return result;
    }
    const struct tn_ros_param_set *set = &server->own.set;
    return set->check == NULL ? TN_OK : set->check(candidate->own, err);
}

static void swap(struct tn_ros__param_server *server, const struct candidate *candidate)
{
    const struct tn_ros_param_set *set = &server->own.set;
    server->node->builtin = candidate->builtin;
    if (set->config_size > 0)
        memcpy(set->config, candidate->own, set->config_size);
}

static void tell_node(struct tn_ros__param_server *server,
                      const struct rcl_interfaces_msg_Parameter *params, uint32_t n)
{
    struct tn_ros_node *node = server->node;
    for (uint32_t i = 0; i < n; i++) {
        struct tn_ros__param_ref ref = tn_ros__param_find(server, params[i].name);
        if (ref.group == &server->own && server->own.set.changed != NULL)
            server->own.set.changed(server->own.set.context, ref.param);
        else if (ref.group == &server->builtin && node->on_sim_time != NULL)
            node->on_sim_time(node->sim_time_context, node->builtin.use_sim_time);
    }
}

// ---- /parameter_events ----

static void publish_event(struct tn_ros__param_server *server,
                          struct rcl_interfaces_msg_ParameterEvent *event)
{
    struct tn_ros_node *node = server->node;
    int64_t now_ns = tn_ros_node_now_ros_ns(node);
    event->stamp.sec = (int32_t)(now_ns / TN_NS_PER_S);
    event->stamp.nanosec = (uint32_t)(now_ns % TN_NS_PER_S);
    event->node = tn_str_from(node->fqn);
    enum tn_result result = tn_ros_publish(server->events, event);
    uint32_t suppressed = 0;
    if (result != TN_OK &&
        tn_log_throttle_pass(&server->throttle, tn_loop_now_steady_ns(node->context->loop),
                             TN_NS_PER_S, &suppressed))
        TN_WARN(&node->logger,
                "/parameter_events: could not publish: %s (%u more since the last "
                "report)",
                tn_result_text(result), suppressed);
}

static void tell_others(struct tn_ros__param_server *server,
                        const struct rcl_interfaces_msg_Parameter *params, uint32_t n)
{
    struct rcl_interfaces_msg_ParameterEvent event;
    if (server->events == NULL)
        return;
    rcl_interfaces_msg_ParameterEvent_init(&event);
    event.changed_parameters = (struct rcl_interfaces_msg_Parameter_seq){params, n};
    publish_event(server, &event);
}

void tn_ros__params_announce(struct tn_ros__param_server *server)
{
    struct tn_arena *arena = &server->node->arena;
    size_t mark = tn_arena_mark(arena);
    struct rcl_interfaces_msg_Parameter *params = tn_arena_alloc(
        arena, server->n_rows, sizeof *params, _Alignof(struct rcl_interfaces_msg_Parameter));
    struct rcl_interfaces_msg_ParameterEvent event;
    uint32_t n = 0;
    if (server->events == NULL || params == NULL) {
        tn_arena_release(arena, mark);
        return;
    }
    for (struct tn_ros__param_group *g = server->groups; g != NULL; g = g->next) {
        for (uint32_t i = 0; i < g->set.n_params && !g->is_announced; i++) {
            struct tn_ros__param_ref ref = {g, &g->set.table[i]};
            params[n].name = tn_str_from(ref.param->name);
            if (tn_ros__param_value_of(ref, arena, &params[n].value) == TN_OK)
                n++;
        }
        g->is_announced = true;
    }
    rcl_interfaces_msg_ParameterEvent_init(&event);
    event.new_parameters = (struct rcl_interfaces_msg_Parameter_seq){params, n};
    if (n > 0)
        publish_event(server, &event);
    tn_arena_release(arena, mark);
}

// ---- setting ----

enum tn_result tn_ros__params_set(struct tn_ros__param_server *server,
                                  const struct rcl_interfaces_msg_Parameter *params, uint32_t n,
                                  struct tn_error *err)
{
    const struct tn_ros_param_set *set = &server->own.set;
    enum tn_result result = check_names(server, params, n, err);
    if (result != TN_OK)
        return result;
    struct candidate candidate = {.builtin = server->node->builtin,
                                  .own = malloc(set->config_size + 1)};
    if (candidate.own == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory for the configuration");
    if (set->config_size > 0)
        memcpy(candidate.own, set->config, set->config_size);
    result = fill(server, &candidate, params, n, err);
    if (result == TN_OK)
        swap(server, &candidate);
    free(candidate.own);
    if (result != TN_OK)
        return result;
    tell_node(server, params, n);
    tell_others(server, params, n);
    return TN_OK;
}
