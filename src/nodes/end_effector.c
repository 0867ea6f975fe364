// SPDX-License-Identifier: Apache-2.0
#include "nodes/end_effector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tn_msgs/std_srvs.h>
#include <tn_msgs/tendon_msgs.h>

#include "effector/joints.h"
#include "nodes/end_effector__node.h"

// watchdogs and ramps; the simulated device integrates in finer steps by itself
static const int64_t tick_ns = 5 * TN_NS_PER_MS;

static void trace(struct tn_node_end_effector *node, enum tn_trace_stage stage,
                  int64_t stamp_ros_ns, int64_t steady_ns)
{
    struct tn_trace_record record = {.stamp_ros_ns = stamp_ros_ns,
                                     .steady_ns = steady_ns,
                                     .stage = (uint8_t)stage,
                                     .side = (uint8_t)node->side};
    tn_trace_append(node->trace, &record);
}

// ---- the device ----

// hands over what the core has, with a clock read right before
static void pump(struct tn_node_end_effector *node)
{
    struct tn_effector_setpoint setpoint;
    // what was decided stands in the log before what follows from it
    tn_end_effector__tell_notes(node);
    int64_t now = tn_clock_steady_now_ns();
    if (tn_effector_core_take(&node->core, now, &setpoint)) {
        const struct tn_effector_device *device = &node->device;
        if (device->ops->write(device->self, &setpoint, now) == TN_OK) {
            // A device inside this process dates the write by the time it is given, whatever
            // stops the process before the next clock read; one behind a bus has it when the call
            // is back.
            int64_t executed = device->capabilities.is_blocking ? tn_clock_steady_now_ns() : now;
            for (uint32_t i = 0; i < setpoint.n_commands; i++) {
                int64_t stamp_ros_ns = setpoint.commands[i].stamp_ros_ns;
                tn_end_effector__log_executed(node, stamp_ros_ns, executed);
                trace(node, TN_TRACE_EXECUTED, stamp_ros_ns, executed);
            }
        } else {
            tn_effector_core_write_failed(&node->core, &setpoint, now);
        }
    }
    tn_end_effector__tell_notes(node);
}

static bool is_wrong_side(const struct tn_node_end_effector *node)
{
    return node->identity.side != TN_SIDE_UNKNOWN && node->identity.side != node->side;
}

// asks who is there; never moves a device of the other side
static enum tn_result identify(struct tn_node_end_effector *node, int64_t now, struct tn_error *err)
{
    struct tn_effector_identity identity;
    memset(&identity, 0, sizeof identity);
    enum tn_result result = node->device.ops->identify(node->device.self, now, &identity, err);
    if (result != TN_OK)
        return result;
    node->identity = identity;
    if (is_wrong_side(node))
        return tn_error_set(err, TN_ERR_WRONG_SIDE,
                            "the device (%s %s) says it is the %s one, side is %s; swap the cables "
                            "or the parameter",
                            identity.model, identity.serial, tn_side_name(identity.side),
                            tn_side_name(node->side));
    node->is_identified = true;
    return TN_OK;
}

static bool is_reachable(struct tn_node_end_effector *node, int64_t now)
{
    struct tn_error err = {.code = TN_OK};
    if (node->is_identified && !node->core.is_lost)
        return true;
    if (now < node->next_identify_steady_ns)
        return false;
    node->next_identify_steady_ns = now + tn_seconds_to_ns(node->config.reconnect_s);
    if (identify(node, now, &err) == TN_OK) {
        if (node->polls.stats.has_sample)
            tn_stream_stats_reconnect(&node->polls.stats);
        return true;
    }
    if (tn_log_throttle_pass(&node->device_log, now, 10 * TN_NS_PER_S, NULL))
        TN_WARN(tn_ros_node_logger(node->ros), "%s", err.text);
    return false;
}

static void poll_device(struct tn_node_end_effector *node)
{
    struct tn_effector_sample sample;
    memset(&sample, 0, sizeof sample);
    int64_t now = tn_clock_steady_now_ns();
    if (!is_reachable(node, now))
        return;
    if (node->device.ops->poll(node->device.self, now, &sample) != TN_OK) {
        tn_effector_core_poll_failed(&node->core, now);
        node->is_identified = node->is_identified && !node->core.is_lost;
        return;
    }
    tn_effector_core_sample(&node->core, &sample, now);
    tn_rate_add(&node->poll_rate, now);
    tn_stream_stats_add(&node->polls.stats, now);
    tn_stream_stats_age(&node->polls.stats, tn_ns_sub(now, sample.sample_steady_ns), now);
    node->stamp_ros_ns = tn_ros_node_ros_at(node->ros, sample.sample_steady_ns);
    node->has_stamp = true;
}

// ---- commands ----

static void take_command(struct tn_node_end_effector *node, struct tn_effector_command *command,
                         const struct tn_ros_message_info *info)
{
    uint32_t culprit = 0;
    int64_t now = tn_clock_steady_now_ns();
    command->is_age_known =
        tn_ros_stamp_age(info, command->stamp_ros_ns, now, &command->age_ns) == TN_OK;
    command->has_writer = true;
    memcpy(command->writer, info->writer.data, sizeof command->writer);
    enum tn_effector_verdict verdict =
        tn_effector_core_command(&node->core, command, now, &culprit);
    if (verdict != TN_EFFECTOR_CMD_ACCEPTED) {
        tn_end_effector__tell_refusal(node, command, verdict, culprit, now);
        return;
    }
    trace(node, TN_TRACE_ACCEPTED, command->stamp_ros_ns, now);
    pump(node);
    tn_stream_stats_add(&node->commands.stats, now);
    if (command->is_age_known) {
        tn_histogram_add(&node->command_age, command->age_ns);
        tn_stream_stats_age(&node->commands.stats, command->age_ns, now);
    }
    tn_end_effector__tell_writers(node, now);
}

static void on_control(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct tn_convert_effector_command converted;
    tn_convert_effector_control(message, &converted);
    take_command(context, &converted.command, info);
}

static void on_spec_control(void *context, const void *message,
                            const struct tn_ros_message_info *info)
{
    struct tn_convert_effector_command converted;
    tn_convert_effector_spec_control(message, &converted);
    take_command(context, &converted.command, info);
}

// ---- timers and services ----

static void on_tick(void *context)
{
    struct tn_node_end_effector *node = context;
    tn_effector_core_tick(&node->core, tn_clock_steady_now_ns());
    pump(node);
}

static void on_poll(void *context)
{
    struct tn_node_end_effector *node = context;
    poll_device(node);
    pump(node);
    tn_end_effector__publish_feedback(node);
    tn_end_effector__publish_events(node, tn_clock_steady_now_ns());
}

static void answer(struct tn_node_end_effector *node, void *response, bool is_success,
                   const char *text)
{
    struct std_srvs_srv_Trigger_Response *reply = response;
    (void)snprintf(node->answer, sizeof node->answer, "%s", text);
    reply->success = is_success;
    reply->message = tn_str_from(node->answer);
}

static void on_stop(void *context, const void *request, void *response)
{
    struct tn_node_end_effector *node = context;
    (void)request;
    bool is_stopped = tn_effector_core_stop(&node->core, tn_clock_steady_now_ns());
    pump(node);
    answer(node, response, is_stopped, is_stopped ? "stopped; call release to go on" : "closing");
}

static void on_release(void *context, const void *request, void *response)
{
    struct tn_node_end_effector *node = context;
    (void)request;
    bool is_taking = tn_effector_core_release(&node->core, tn_clock_steady_now_ns());
    pump(node);
    answer(node, response, is_taking,
           is_taking ? "taking commands" : "released, but the device does not answer yet");
}

// ---- life ----

static enum tn_result create_topics(struct tn_node_end_effector *node, struct tn_error *err)
{
    char control[64], feedback[64], events[64];
    const char *suffix = node->config.sim ? "_sim" : "";
    const char *kind = tn_effector_kind_name(node->kind);
    const char *side = tn_side_name(node->side);
    bool is_spec =
        node->kind == TN_EFFECTOR_GRIPPER && strcmp(node->config.gripper_command_type, "spec") == 0;
    (void)snprintf(control, sizeof control, "control%s/%s/%s", suffix, kind, side);
    (void)snprintf(feedback, sizeof feedback, "feedback%s/%s/%s", suffix, kind, side);
    (void)snprintf(events, sizeof events, "robot/%s/events", side);
    enum tn_result result =
        tn_ros_publisher_create(node->ros, &end_effector_interfaces_msg_EEJointFeedback_type,
                                feedback, tn_ros_qos_default(10), &node->feedback, err);
    if (result == TN_OK && node->config.publish_events)
        result = tn_ros_publisher_create(node->ros, &tendon_msgs_msg_ContactEvent_type, events,
                                         tn_ros_qos_default(10), &node->events, err);
    if (result == TN_OK)
        result = tn_ros_subscription_create(
            node->ros,
            is_spec ? &end_effector_interfaces_msg_EEJointFeedback_type
                    : &end_effector_interfaces_msg_EEJointControl_type,
            control, tn_ros_qos_default(10), is_spec ? on_spec_control : on_control, node,
            &node->control, err);
    return result;
}

static enum tn_result create_services(struct tn_node_end_effector *node, struct tn_error *err)
{
    enum tn_result result = tn_ros_service_create(node->ros, &std_srvs_srv_Trigger_type, "~/stop",
                                                  on_stop, node, &node->stop, err);
    if (result == TN_OK)
        result = tn_ros_service_create(node->ros, &std_srvs_srv_Trigger_type, "~/release",
                                       on_release, node, &node->release, err);
    return result;
}

static enum tn_result create_ros_node(struct tn_node_end_effector *node,
                                      struct tn_ros_context *context,
                                      const struct tn_node_end_effector_options *given,
                                      struct tn_error *err)
{
    struct tn_ros_node_options options = {
        .name = given != NULL && given->name != NULL ? given->name : "end_effector_node",
        .ns = given != NULL && given->ns != NULL ? given->ns : "",
        .params = {.config = &node->config,
                   .config_size = sizeof node->config,
                   .check = tn_end_effector__check},
    };
    options.params.table = tn_node_end_effector_params(&options.params.n_params);
    return tn_ros_node_create(context, &options, &node->ros, err);
}

static enum tn_result create_device(struct tn_node_end_effector *node, struct tn_error *err)
{
    struct tn_effector_options options = tn_end_effector__core_options(&node->config);
    struct tn_effector_sim_options sim = tn_end_effector__sim_options(&node->config);
    enum tn_result result = tn_effector_sim_init(&node->sim, &sim, err);
    if (result != TN_OK)
        return result;
    node->device = tn_effector_sim_device(&node->sim);
    options.rules.modes = node->device.capabilities.modes;
    options.full_speed_percent_per_s = node->device.capabilities.full_speed_percent_per_s;
    options.reaction_ns = node->device.capabilities.reaction_ns;
    result = tn_effector_core_init(&node->core, &options, err);
    if (result == TN_OK)
        result = identify(node, tn_clock_steady_now_ns(), err);
    // a device that does not answer yet may come later
    return result == TN_ERR_TIMEOUT ? TN_OK : result;
}

static void name_things(struct tn_node_end_effector *node)
{
    const char *kind = tn_effector_kind_name(node->kind);
    if (node->config.frame_id[0] != '\0')
        (void)snprintf(node->frame_id, sizeof node->frame_id, "%s", node->config.frame_id);
    else
        (void)snprintf(node->frame_id, sizeof node->frame_id, "%s_%s", tn_side_name(node->side),
                       kind);
}

static void start(struct tn_node_end_effector *node)
{
    int64_t period_ns = tn_seconds_to_ns(1.0 / node->config.rate_hz);
    tn_loop_timer_start(node->loop, &node->tick, tick_ns, tick_ns, on_tick, node);
    tn_loop_timer_start(node->loop, &node->poll, 0, period_ns, on_poll, node);
    // clients wait for the first feedback: it says UNKNOWN until the device was polled
    tn_end_effector__publish_feedback(node);
}

enum tn_result tn_node_end_effector_create(struct tn_ros_context *context,
                                           const struct tn_node_end_effector_options *options,
                                           struct tn_node_end_effector **out_node,
                                           struct tn_error *err)
{
    struct tn_node_end_effector *node = calloc(1, sizeof *node);
    if (node == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "end_effector_node: no memory");
    node->log_fd = -1;
    node->loop = tn_ros_context_loop(context);
    enum tn_result result = create_ros_node(node, context, options, err);
    if (result != TN_OK)
        goto fail;
    node->kind = tn_end_effector__kind(&node->config);
    node->n_joints = tn_effector_joint_count(node->kind);
    (void)tn_side_parse(node->config.side, &node->side);
    name_things(node);
    result = tn_end_effector__check_place(&node->config, tn_ros_context_is_mixed(context), err);
    if (result == TN_OK)
        result = tn_trace_open(NULL, &node->trace, err);
    if (result == TN_OK)
        result = create_device(node, err);
    if (result == TN_OK)
        result = tn_end_effector__open_log(node, err);
    if (result == TN_OK)
        result = create_topics(node, err);
    if (result == TN_OK)
        result = create_services(node, err);
    if (result == TN_OK)
        result = tn_end_effector__start_diagnostics(node, err);
    if (result != TN_OK)
        goto fail;
    start(node);
    *out_node = node;
    return TN_OK;
fail:
    tn_node_end_effector_destroy(&node);
    return result;
}

void tn_node_end_effector_destroy(struct tn_node_end_effector **any)
{
    struct tn_node_end_effector *node = *any;
    if (node == NULL)
        return;
    tn_loop_timer_stop(&node->tick);
    tn_loop_timer_stop(&node->poll);
    tn_diag_updater_destroy(&node->diagnostics);
    if (node->device.ops != NULL) {
        int64_t now = tn_clock_steady_now_ns();
        tn_effector_core_shutdown(&node->core, now);
        (void)node->device.ops->stop(node->device.self, now);
        tn_end_effector__tell_notes(node);
    }
    if (node->log_fd >= 0)
        (void)close(node->log_fd);
    tn_trace_close(&node->trace);
    tn_ros_node_destroy(&node->ros);
    free(node);
    *any = NULL;
}
