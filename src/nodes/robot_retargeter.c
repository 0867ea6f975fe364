// SPDX-License-Identifier: Apache-2.0
#include "nodes/robot_retargeter.h"

#include <stdlib.h>

#include <tn_msgs/end_effector_interfaces.h>
#include <tn_msgs/std_srvs.h>
#include <tn_msgs/tendon_msgs.h>

#include "hand/model.h"
#include "nodes/convert/hand_frame.h"
#include "nodes/convert/time.h"
#include "nodes/robot_retargeter__node.h"

// the session's timeouts are judged at least this often
static const int64_t tick_ns = 10 * TN_NS_PER_MS;
// an unchanged state is repeated so that its age field stays useful
static const int64_t state_period_ns = TN_NS_PER_S / 2;

static void publish_state_now(struct tn_robot_retargeter_side *side, int64_t now_steady_ns)
{
    side->next_state_steady_ns = now_steady_ns + state_period_ns;
    tn_robot_retargeter__publish_state(side, now_steady_ns);
}

static void log_change(const struct tn_robot_retargeter_side *side)
{
    const struct tn_session *session = &side->session;
    TN_INFO(tn_ros_node_logger(side->node->ros), "%s hand: %s%s%s%s", tn_side_name(side->side),
            tn_session_state_name(session->state),
            session->arming == TN_SESSION_ARMED     ? ", armed"
            : session->arming == TN_SESSION_LATCHED ? ", latched: call arm to go on"
            : session->arming == TN_SESSION_ESTOP   ? ", e-stop: call arm to go on"
                                                    : ", not armed",
            session->resuming ? ", approaching slowly" : "",
            tn_session_is_flowing(session) ? "" : ", robot holds");
}

static void advance(struct tn_robot_retargeter_side *side, int64_t now_steady_ns)
{
    bool is_changed = tn_session_tick(&side->session, now_steady_ns);
    // each approach starts from the measured position, also after a break too short to be seen here
    bool is_other_approach = side->approach != side->session.counters.approaches;
    if (is_other_approach || !tn_session_is_flowing(&side->session)) {
        side->approach = side->session.counters.approaches;
        tn_limiter_reset(&side->limiter);
    }
    if (is_changed) {
        log_change(side);
    }
    if (is_changed || now_steady_ns >= side->next_state_steady_ns) {
        publish_state_now(side, now_steady_ns);
    }
}

// one writer per topic: the first owns it until it is silent
static enum tn_writer_verdict judge_writer(struct tn_robot_retargeter_side *side,
                                           struct tn_writer_pin *pin, const char *what,
                                           const struct tn_ros_message_info *info,
                                           int64_t silence_ns, int64_t now_steady_ns)
{
    enum tn_writer_verdict verdict =
        tn_writer_pin_judge(pin, info->writer.data, now_steady_ns, silence_ns);
    if (verdict == TN_WRITER_FOREIGN &&
        tn_log_throttle_pass(&side->writer_log, now_steady_ns, TN_NS_PER_S, NULL)) {
        TN_WARN(tn_ros_node_logger(side->node->ros),
                "%s hand: a second writer sends %s; it is ignored (%llu messages so far) until the "
                "first is silent; stop one of them, or use another ROS_DOMAIN_ID",
                tn_side_name(side->side), what, (unsigned long long)pin->refused);
    }
    return verdict;
}

// ---- hand frames ----

// age of the sample: up to its publication by the sender, since then by the writer's time map; so
// no two clocks need agree
static bool sample_age(const struct tn_hand_frame *frame, const struct tn_ros_message_info *info,
                       int64_t now_steady_ns, int64_t *out_age_ns)
{
    if (!info->is_age_known) {
        return false;
    }
    int64_t since_delivery_ns = now_steady_ns - info->delivered_steady_ns;
    *out_age_ns = tn_ns_add(tn_ns_add(info->age_ns, frame->age_ns), since_delivery_ns);
    return true;
}

static enum tn_result judge(struct tn_robot_retargeter_side *side,
                            const struct tn_hand_frame *frame,
                            const struct tn_ros_message_info *info, int64_t now_steady_ns)
{
    int64_t age_ns = 0;
    bool is_known = sample_age(frame, info, now_steady_ns, &age_ns);
    enum tn_side shown = tn_hand_chirality(frame);
    struct tn_session_frame seen = {
        .side = frame->side,
        .device_id = frame->device_id,
        .stream_id = frame->stream_id,
        .sequence = frame->sequence,
        .stamp_ros_ns = frame->stamp_ros_ns,
        .is_age_known = is_known,
        .age_ns = age_ns,
        .is_late = info->is_late,
        .is_source_active = frame->link == TN_LINK_ACTIVE,
        .is_plausible = tn_hand_frame_check(frame) == TN_OK,
        .shows_other_side = shown != TN_SIDE_UNKNOWN && shown != frame->side,
    };
    side->is_last_age_known = is_known;
    side->last_frame_age_ns = is_known ? age_ns : 0;
    return tn_session_frame(&side->session, &seen, now_steady_ns);
}

// a lawful frame: map, limit, publish
static void follow(struct tn_robot_retargeter_side *side, const struct tn_hand_frame *frame,
                   int64_t now_steady_ns)
{
    struct tn_node_robot_retargeter *node = side->node;
    struct tn_retarget_output out;
    double command[TN_LIMITER_MAX_JOINTS];
    enum tn_result result = TN_OK;
    if (!side->limiter.has_emitted) {
        tn_retarget_reset(&side->retarget);
        result = tn_limiter_latch(&side->limiter, side->measured, now_steady_ns);
    }
    if (result == TN_OK) {
        result = tn_retarget_step(&node->model, &side->retarget, frame, &out);
    }
    if (result == TN_OK) {
        result =
            tn_limiter_step(&side->limiter, out.percent, out.valid_mask, now_steady_ns, command);
    }
    if (result != TN_OK) {
        tn_robot_retargeter__publish_status(side, frame, tendon_msgs_msg_RetargetStatus_REJECTED,
                                            tn_result_text(result));
        return;
    }
    tn_robot_retargeter__publish_command(side, frame, out.valid_mask, command);
    if (!tn_limiter_is_resuming(&side->limiter)) {
        tn_session_resume_done(&side->session);
    }
    tn_robot_retargeter__publish_status(side, frame, tendon_msgs_msg_RetargetStatus_OK, "");
}

static void on_hand(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct tn_robot_retargeter_side *side = context;
    struct tn_node_robot_retargeter *node = side->node;
    struct tn_hand_frame frame;
    int64_t now = tn_clock_steady_now_ns();
    enum tn_writer_verdict writer = judge_writer(side, &side->hand_writer, "hand frames", info,
                                                 side->session.options.stale_timeout_ns, now);
    if (writer == TN_WRITER_FOREIGN) {
        return;
    }
    if (writer == TN_WRITER_NEW_OWNER) {
        tn_session_new_writer(&side->session);
    }
    if (tn_convert_hand_frame_from_msg(message, &frame) != TN_OK) {
        side->session.counters.implausible++;
        return;
    }
    enum tn_result verdict = judge(side, &frame, info, now);
    tn_robot_retargeter__count(side, &frame, now);
    advance(side, now);
    if (verdict == TN_OK) {
        follow(side, &frame, now);
        return;
    }
    tn_robot_retargeter__publish_status(side, &frame,
                                        verdict == TN_ERR_STATE
                                            ? tendon_msgs_msg_RetargetStatus_HELD
                                            : tendon_msgs_msg_RetargetStatus_REJECTED,
                                        tn_result_text(verdict));
    if (verdict != TN_ERR_STATE &&
        tn_log_throttle_pass(&side->refused_log, now, TN_NS_PER_S, NULL)) {
        TN_DEBUG(tn_ros_node_logger(node->ros), "%s hand: frame refused: %s",
                 tn_side_name(side->side), tn_result_text(verdict));
    }
}

// ---- robot feedback ----

static int joint_index(const struct tn_retarget_hand *hand, struct tn_str name)
{
    for (uint32_t j = 0; j < hand->n_joints; j++) {
        if (tn_str_equal(name, tn_str_from(hand->joints[j].name))) {
            return (int)j;
        }
    }
    return -1;
}

// noise and calibration reach a little beyond the ends; far outside is no measurement, and an
// approach that began there would be a jump
static bool is_percent(double value)
{
    static const double slack_percent = 10.0;
    return value >= -slack_percent && value <= 100.0 + slack_percent; // false for NaN
}

// every joint of the model measured, in range and known; by name
static bool read_feedback(struct tn_robot_retargeter_side *side,
                          const struct end_effector_interfaces_msg_EEJointFeedback *msg)
{
    static const uint8_t unknown_state = 3;
    const struct tn_retarget_hand *hand = side->node->model.hand;
    double measured[TN_RETARGET_MAX_JOINTS];
    uint32_t found = 0;
    if (msg->position.size != msg->name.size || msg->state.size != msg->name.size) {
        return false;
    }
    for (uint32_t i = 0; i < msg->name.size; i++) {
        int joint = joint_index(hand, msg->name.data[i]);
        if (joint < 0) {
            continue;
        }
        if (msg->state.data[i] == unknown_state || !is_percent(msg->position.data[i])) {
            return false;
        }
        measured[joint] = msg->position.data[i];
        found |= UINT32_C(1) << joint;
    }
    if (found != (UINT32_C(1) << hand->n_joints) - 1) {
        return false;
    }
    for (uint32_t j = 0; j < hand->n_joints; j++) {
        side->measured[j] = measured[j];
    }
    return true;
}

static void on_feedback(void *context, const void *message, const struct tn_ros_message_info *info)
{
    struct tn_robot_retargeter_side *side = context;
    const struct end_effector_interfaces_msg_EEJointFeedback *msg = message;
    int64_t now = tn_clock_steady_now_ns();
    int64_t stamp_ros_ns;
    int64_t age_ns;
    if (judge_writer(side, &side->feedback_writer, "feedback", info,
                     side->session.options.robot_timeout_ns, now) == TN_WRITER_FOREIGN) {
        return;
    }
    if (tn_convert_from_time(&msg->header.stamp, &stamp_ros_ns) != TN_OK ||
        tn_ros_stamp_age(info, stamp_ros_ns, now, &age_ns) != TN_OK) {
        return;
    }
    tn_stream_stats_add(&side->robot.stats, now);
    tn_stream_stats_age(&side->robot.stats, age_ns, now);
    bool is_ok = read_feedback(side, msg);
    tn_session_robot(&side->session, is_ok, now - (age_ns > 0 ? age_ns : 0));
    advance(side, now);
}

// ---- services ----

static void answer(struct tn_robot_retargeter_side *side, void *response, bool is_success)
{
    struct std_srvs_srv_Trigger_Response *reply = response;
    reply->success = is_success;
    reply->message = tn_str_from(side->answer);
}

static void on_arm(void *context, const void *request, void *response)
{
    (void)request;
    struct tn_robot_retargeter_side *side = context;
    struct tn_error err = {0};
    int64_t now = tn_clock_steady_now_ns();
    enum tn_result result = tn_session_arm(&side->session, now, &err);
    (void)snprintf(side->answer, sizeof side->answer, "%s", result == TN_OK ? "armed" : err.text);
    if (result != TN_OK && tn_log_throttle_pass(&side->arm_log, now, TN_NS_PER_S, NULL)) {
        TN_WARN(tn_ros_node_logger(side->node->ros), "%s", err.text);
    }
    advance(side, now);
    answer(side, response, result == TN_OK);
}

static void on_disarm(void *context, const void *request, void *response)
{
    (void)request;
    struct tn_robot_retargeter_side *side = context;
    tn_session_disarm(&side->session);
    (void)snprintf(side->answer, sizeof side->answer, "disarmed");
    advance(side, tn_clock_steady_now_ns());
    answer(side, response, true);
}

static void on_estop(void *context, const void *request, void *response)
{
    (void)request;
    struct tn_robot_retargeter_side *side = context;
    tn_session_estop(&side->session);
    (void)snprintf(side->answer, sizeof side->answer, "emergency stop; call arm to go on");
    advance(side, tn_clock_steady_now_ns());
    answer(side, response, true);
}

static void set_bool_done(struct tn_robot_retargeter_side *side, void *response, const char *text)
{
    struct std_srvs_srv_SetBool_Response *reply = response;
    (void)snprintf(side->answer, sizeof side->answer, "%s", text);
    advance(side, tn_clock_steady_now_ns());
    reply->success = true;
    reply->message = tn_str_from(side->answer);
}

static void on_enable(void *context, const void *request, void *response)
{
    struct tn_robot_retargeter_side *side = context;
    bool is_held = ((const struct std_srvs_srv_SetBool_Request *)request)->data;
    tn_session_enable(&side->session, is_held);
    set_bool_done(side, response, is_held ? "enabled" : "not enabled");
}

static void on_pause(void *context, const void *request, void *response)
{
    struct tn_robot_retargeter_side *side = context;
    bool is_paused = ((const struct std_srvs_srv_SetBool_Request *)request)->data;
    tn_session_pause(&side->session, is_paused);
    set_bool_done(side, response, is_paused ? "paused" : "going on");
}

// ---- life ----

static void on_tick(void *context)
{
    struct tn_node_robot_retargeter *node = context;
    for (unsigned i = 0; i < TN_SIDES; i++) {
        if (node->sides[i].is_used) {
            advance(&node->sides[i], tn_clock_steady_now_ns());
        }
    }
}

static enum tn_result create_topics(struct tn_robot_retargeter_side *side, struct tn_error *err)
{
    struct tn_node_robot_retargeter *node = side->node;
    const char *name = tn_side_name(side->side);
    const char *suffix = node->config.sim ? "_sim" : "";
    char hand[TN_ROS_NAME_MAX + 16], control[64], feedback[64], state[64], status[64];
    (void)snprintf(hand, sizeof hand, "%s/%s/hand", node->config.input_namespace, name);
    (void)snprintf(control, sizeof control, "control%s/hand/%s", suffix, name);
    (void)snprintf(feedback, sizeof feedback, "feedback%s/hand/%s", suffix, name);
    (void)snprintf(state, sizeof state, "robot_retargeter/%s/state", name);
    (void)snprintf(status, sizeof status, "retarget/%s/status", name);
    struct tn_ros_qos pose = tn_ros_qos_sensor_data();
    pose.depth = 1;
    enum tn_result result =
        tn_ros_publisher_create(node->ros, &end_effector_interfaces_msg_EEJointControl_type,
                                control, tn_ros_qos_default(10), &side->command, err);
    if (result == TN_OK) {
        result = tn_ros_publisher_create(node->ros, &tendon_msgs_msg_SessionState_type, state,
                                         tn_ros_qos_latched(1), &side->state, err);
    }
    if (result == TN_OK) {
        result = tn_ros_publisher_create(node->ros, &tendon_msgs_msg_RetargetStatus_type, status,
                                         tn_ros_qos_default(10), &side->status, err);
    }
    if (result == TN_OK) {
        result = tn_ros_subscription_create(node->ros, &tendon_msgs_msg_HandFrame_type, hand, pose,
                                            on_hand, side, &side->hand, err);
    }
    if (result == TN_OK) {
        result = tn_ros_subscription_create(
            node->ros, &end_effector_interfaces_msg_EEJointFeedback_type, feedback,
            tn_ros_qos_default(10), on_feedback, side, &side->feedback, err);
    }
    return result;
}

static enum tn_result create_services(struct tn_robot_retargeter_side *side, struct tn_error *err)
{
    static const struct {
        const char *verb;
        bool is_set_bool;
        tn_ros_service_fn callback;
    } verbs[] = {{"arm", false, on_arm},
                 {"disarm", false, on_disarm},
                 {"estop", false, on_estop},
                 {"enable", true, on_enable},
                 {"pause", true, on_pause}};
    for (size_t i = 0; i < TN_ARRAY_SIZE(verbs); i++) {
        char name[96];
        struct tn_ros_service *service;
        (void)snprintf(name, sizeof name, "robot_retargeter/%s/%s", tn_side_name(side->side),
                       verbs[i].verb);
        enum tn_result result = tn_ros_service_create(
            side->node->ros,
            verbs[i].is_set_bool ? &std_srvs_srv_SetBool_type : &std_srvs_srv_Trigger_type, name,
            verbs[i].callback, side, &service, err);
        if (result != TN_OK) {
            return result;
        }
    }
    return TN_OK;
}

static enum tn_result init_limiter(struct tn_robot_retargeter_side *side, struct tn_error *err)
{
    const struct tn_retarget_hand *hand = side->node->model.hand;
    const struct tn_robot_retargeter_config *config = &side->node->config;
    struct tn_limiter_options options = {
        .n_joints = hand->n_joints,
        .resume_speed = config->resume_speed,
        .resume_tolerance = config->resume_tolerance,
        .reject_speed = config->reject_speed,
        .reaccept_after = 30,
    };
    for (uint32_t j = 0; j < hand->n_joints; j++) {
        options.upper[j] = 100.0;
        options.speed[j] = hand->joints[j].speed_percent_s;
    }
    return tn_limiter_init(&side->limiter, &options, err);
}

static enum tn_result create_side(struct tn_node_robot_retargeter *node, enum tn_side which,
                                  struct tn_error *err)
{
    struct tn_robot_retargeter_side *side = &node->sides[tn_side_index(which)];
    struct tn_session_options options = tn_robot_retargeter__session_options(&node->config, which);
    side->node = node;
    side->side = which;
    enum tn_result result = tn_session_init(&side->session, &options, err);
    if (result == TN_OK) {
        result = init_limiter(side, err);
    }
    if (result == TN_OK) {
        result = create_topics(side, err);
    }
    if (result == TN_OK) {
        result = create_services(side, err);
    }
    side->is_used = result == TN_OK;
    return result;
}

static enum tn_result create_ros_node(struct tn_ros_context *context,
                                      const struct tn_node_robot_retargeter_options *given,
                                      struct tn_node_robot_retargeter *node, struct tn_error *err)
{
    struct tn_ros_node_options options = {
        .name = given != NULL && given->name != NULL ? given->name : "robot_retargeter",
        .ns = given != NULL && given->ns != NULL ? given->ns : "",
        .params = {.config = &node->config,
                   .config_size = sizeof node->config,
                   .check = tn_robot_retargeter__check},
    };
    options.params.table = tn_node_robot_retargeter_params(&options.params.n_params);
    return tn_ros_node_create(context, &options, &node->ros, err);
}

enum tn_result
tn_node_robot_retargeter_create(struct tn_ros_context *context,
                                const struct tn_node_robot_retargeter_options *options,
                                struct tn_node_robot_retargeter **out_node, struct tn_error *err)
{
    struct tn_node_robot_retargeter *node = calloc(1, sizeof *node);
    if (node == NULL) {
        return tn_error_set(err, TN_ERR_NO_MEMORY, "robot_retargeter: no memory");
    }
    node->loop = tn_ros_context_loop(context);
    enum tn_result result = tn_retarget_model_init(&node->model, tn_retarget_percent_hand(), err);
    if (result == TN_OK) {
        result = create_ros_node(context, options, node, err);
    }
    if (result == TN_OK) {
        result = tn_trace_open(NULL, &node->trace, err);
    }
    for (uint32_t i = 0; result == TN_OK && i < node->config.sides.size; i++) {
        enum tn_side side = TN_SIDE_UNKNOWN;
        (void)tn_side_parse(node->config.sides.data[i], &side);
        if (!node->sides[tn_side_index(side)].is_used) {
            result = create_side(node, side, err);
        }
    }
    if (result == TN_OK) {
        result = tn_robot_retargeter__start_diagnostics(node, err);
    }
    if (result != TN_OK) {
        tn_node_robot_retargeter_destroy(&node);
        return result;
    }
    tn_loop_timer_start(node->loop, &node->tick, tick_ns, tick_ns, on_tick, node);
    *out_node = node;
    return TN_OK;
}

void tn_node_robot_retargeter_destroy(struct tn_node_robot_retargeter **node)
{
    if (node == NULL || *node == NULL) {
        return;
    }
    tn_loop_timer_stop(&(*node)->tick);
    tn_diag_updater_destroy(&(*node)->diagnostics);
    tn_ros_node_destroy(&(*node)->ros);
    tn_trace_close(&(*node)->trace);
    free(*node);
    *node = NULL;
}
