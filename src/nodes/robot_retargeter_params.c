// SPDX-License-Identifier: Apache-2.0
#include "nodes/robot_retargeter__node.h"

#define AT(member) .offset = offsetof(struct tn_robot_retargeter_config, member)

static const struct tn_ros_param table[] = {
    {.name = "sides",
     .type = TN_ROS_PARAM_STRING_ARRAY,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(sides),
     .capacity = 2,
     .default_yaml = "[left, right]",
     .unit = "",
     .text = "hands to serve"},
    {.name = "input_namespace",
     .type = TN_ROS_PARAM_STRING,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(input_namespace),
     .capacity = TN_ROS_PARAM_STRING_MAX,
     .default_yaml = "/contact_glove",
     .unit = "",
     .text = "hand frames are read from <input_namespace>/<side>/hand"},
    {.name = "sim",
     .type = TN_ROS_PARAM_BOOL,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(sim),
     .default_yaml = "false",
     .unit = "",
     .text = "true: /control_sim and /feedback_sim instead of /control and /feedback"},
    {.name = "stale_timeout",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(stale_timeout_s),
     .default_yaml = "0.2",
     .min = 0.001,
     .max = 1e9,
     .unit = "s",
     .text = "no fresh frame for so long: the robot holds"},
    {.name = "disconnect_timeout",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(disconnect_timeout_s),
     .default_yaml = "1.0",
     .min = 0.001,
     .max = 1e9,
     .unit = "s",
     .text = "no fresh frame for so long: latch, arm is needed again"},
    {.name = "max_sample_age",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(max_sample_age_s),
     .default_yaml = "0.2",
     .min = 0.001,
     .max = 1e9,
     .unit = "s",
     .text = "older samples never become a target"},
    {.name = "robot_timeout",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(robot_timeout_s),
     .default_yaml = "0.5",
     .min = 0.001,
     .max = 1e9,
     .unit = "s",
     .text = "robot feedback older than this stops targets"},
    {.name = "rearm_frames",
     .type = TN_ROS_PARAM_INTEGER,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(rearm_frames),
     .default_yaml = "12",
     .min = 1,
     .max = 10000,
     .unit = "frames",
     .text = "fresh frames in order before control may (re)start"},
    {.name = "require_arm",
     .type = TN_ROS_PARAM_BOOL,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(require_arm),
     .default_yaml = "true",
     .unit = "",
     .text = "only the arm service starts control, and brings it back after a latch"},
    {.name = "require_enable",
     .type = TN_ROS_PARAM_BOOL,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(require_enable),
     .default_yaml = "false",
     .unit = "",
     .text = "a dead man's switch must be held (enable service)"},
    {.name = "safe_action",
     .type = TN_ROS_PARAM_STRING,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(safe_action),
     .capacity = 16,
     .default_yaml = "hold",
     .choices = "hold",
     .unit = "",
     .text = "what the robot does when targets stop"},
    {.name = "left_glove_id",
     .type = TN_ROS_PARAM_STRING,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(left_glove_id),
     .capacity = TN_HAND_DEVICE_ID_MAX,
     .default_yaml = "\"\"",
     .unit = "",
     .text = "the only glove that may move the left hand; empty: any, but only one"},
    {.name = "right_glove_id",
     .type = TN_ROS_PARAM_STRING,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(right_glove_id),
     .capacity = TN_HAND_DEVICE_ID_MAX,
     .default_yaml = "\"\"",
     .unit = "",
     .text = "the only glove that may move the right hand; empty: any, but only one"},
    {.name = "resume_speed",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(resume_speed),
     .default_yaml = "50.0",
     .min = 0.1,
     .max = 50.0,
     .unit = "percent/s",
     .text = "speed of the approach whenever control begins"},
    {.name = "resume_tolerance",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(resume_tolerance),
     .default_yaml = "2.0",
     .min = 0.01,
     .max = 50.0,
     .unit = "percent",
     .text = "the approach ends when every joint is this close to the hand"},
    {.name = "reject_speed",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(reject_speed),
     .default_yaml = "2000.0",
     .min = 0.0,
     .max = 1e6,
     .unit = "percent/s",
     .text = "a frame that moves any joint faster is refused whole; 0: never"},
    TN_DIAG_PARAM_ROWS(struct tn_robot_retargeter_config, diagnostics),
};

const struct tn_ros_param *tn_node_robot_retargeter_params(uint32_t *out_n)
{
    *out_n = TN_ARRAY_SIZE(table);
    return table;
}

enum tn_result tn_robot_retargeter__check(const void *candidate, struct tn_error *err)
{
    const struct tn_robot_retargeter_config *config = candidate;
    struct tn_session session;
    for (uint32_t i = 0; i < config->sides.size; i++) {
        enum tn_side side;
        if (!tn_side_parse(config->sides.data[i], &side)) {
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "sides: found \"%s\", expected left and/or right",
                                config->sides.data[i]);
        }
        struct tn_session_options options = tn_robot_retargeter__session_options(config, side);
        enum tn_result result = tn_session_init(&session, &options, err);
        if (result != TN_OK) {
            return result;
        }
    }
    if (config->sides.size == 0) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "sides: the list is empty; give [left], [right] or [left, right]");
    }
    return TN_OK;
}

struct tn_session_options
tn_robot_retargeter__session_options(const struct tn_robot_retargeter_config *config,
                                     enum tn_side side)
{
    struct tn_session_options options = tn_session_options_default(side);
    options.stale_timeout_ns = tn_seconds_to_ns(config->stale_timeout_s);
    options.disconnect_timeout_ns = tn_seconds_to_ns(config->disconnect_timeout_s);
    options.max_sample_age_ns = tn_seconds_to_ns(config->max_sample_age_s);
    options.robot_timeout_ns = tn_seconds_to_ns(config->robot_timeout_s);
    options.rearm_frames = (uint32_t)config->rearm_frames;
    options.require_arm = config->require_arm;
    options.require_enable = config->require_enable;
    const char *id = side == TN_SIDE_LEFT ? config->left_glove_id : config->right_glove_id;
    (void)snprintf(options.device_id, sizeof options.device_id, "%s", id);
    return options;
}
