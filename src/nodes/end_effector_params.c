// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "effector/joints.h"
#include "nodes/end_effector__node.h"

#define AT(member) .offset = offsetof(struct tn_end_effector_config, member)
#define START      .flags = TN_ROS_PARAM_READ_ONLY

// a negative time switches a watchdog or gate off; 0 is an error
#define OFF "-1.0"

static const struct tn_ros_param table[] = {
    {.name = "kind",
     .type = TN_ROS_PARAM_STRING,
     START,
     AT(kind),
     .capacity = 16,
     .default_yaml = "hand",
     .choices = "hand|gripper",
     .unit = "",
     .text = "selects joints and topics"},
    {.name = "side",
     .type = TN_ROS_PARAM_STRING,
     START,
     AT(side),
     .capacity = 16,
     .default_yaml = "left",
     .choices = "left|right",
     .unit = "",
     .text = "selects topics; a device that tells its side is checked against it"},
    {.name = "device",
     .type = TN_ROS_PARAM_STRING,
     START,
     AT(device),
     .capacity = 32,
     .default_yaml = "sim",
     .unit = "",
     .text = "device family; sim is the simulated device"},
    {.name = "sim",
     .type = TN_ROS_PARAM_BOOL,
     START,
     AT(sim),
     .default_yaml = "false",
     .unit = "",
     .text = "true: /control_sim and /feedback_sim instead of /control and /feedback"},
    {.name = "gripper_command_type",
     .type = TN_ROS_PARAM_STRING,
     START,
     AT(gripper_command_type),
     .capacity = 16,
     .default_yaml = "joint_control",
     .choices = "joint_control|spec",
     .unit = "",
     .text = "type of /control/gripper: EEJointControl, or (spec) the shape of EEJointFeedback"},
    {.name = "frame_id",
     .type = TN_ROS_PARAM_STRING,
     START,
     AT(frame_id),
     .capacity = 64,
     .default_yaml = "\"\"",
     .unit = "",
     .text = "header.frame_id of the feedback; empty: <side>_<kind>"},
    {.name = "velocity_unit",
     .type = TN_ROS_PARAM_STRING,
     START,
     AT(velocity_unit),
     .capacity = 16,
     .default_yaml = "ratio",
     .choices = "ratio|percent_per_s",
     .unit = "",
     .text = "velocity in the feedback: percent of full speed, or of the stroke each second"},
    {.name = "rate_hz",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(rate_hz),
     .default_yaml = "50.0",
     .min = 20.0,
     .max = 1000.0,
     .unit = "Hz",
     .text = "poll and publish rate"},
    {.name = "max_failed_polls",
     .type = TN_ROS_PARAM_INTEGER,
     START,
     AT(max_failed_polls),
     .default_yaml = "5",
     .min = 1.0,
     .max = 1000.0,
     .unit = "",
     .text = "so many in a row: every joint is UNKNOWN and the device is reconnected"},
    {.name = "reconnect_s",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(reconnect_s),
     .default_yaml = "1.0",
     .min = 0.01,
     .max = 3600.0,
     .unit = "s",
     .text = "time between two attempts to reach a lost device"},
    {.name = "command_timeout_s",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(command_timeout_s),
     .default_yaml = "0.2",
     .min = 0.001,
     .max = 3600.0,
     .unit = "s",
     .text = "VELOCITY and CURRENT joints stop, and a silent writer loses the topic, after this"},
    {.name = "position_watchdog_s",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(position_watchdog_s),
     .default_yaml = OFF,
     .min = -1.0,
     .max = 3600.0,
     .unit = "s",
     .text = "no position command for so long: hold; negative: off, a target is kept"},
    {.name = "watchdog_pose",
     .type = TN_ROS_PARAM_DOUBLE_ARRAY,
     START,
     AT(watchdog_pose),
     .capacity = TN_EFFECTOR_MAX_JOINTS,
     .default_yaml = "[]",
     .min = 0.0,
     .max = 100.0,
     .unit = "percent",
     .text = "pose after a hold, one value per joint; empty: stay in hold"},
    {.name = "watchdog_pose_after_s",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(watchdog_pose_after_s),
     .default_yaml = "1.0",
     .min = 0.001,
     .max = 3600.0,
     .unit = "s",
     .text = "no position command for so long: go to watchdog_pose, slowly"},
    {.name = "max_command_age_s",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(max_command_age_s),
     .default_yaml = OFF,
     .min = -1.0,
     .max = 3600.0,
     .unit = "s",
     .text = "older, repeated, reordered or unstamped commands are refused; negative: off"},
    {.name = "exclusive_writer",
     .type = TN_ROS_PARAM_BOOL,
     START,
     AT(exclusive_writer),
     .default_yaml = "false",
     .unit = "",
     .text = "the first writer owns the topic until it is silent for command_timeout_s"},
    {.name = "max_command_hz",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(max_command_hz),
     .default_yaml = "60.0",
     .min = 1.0,
     .max = 1000.0,
     .unit = "Hz",
     .text = "faster commands are coalesced, the last wins"},
    {.name = "speed_limit_percent",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(speed_limit_percent),
     .default_yaml = "100.0",
     .min = 0.1,
     .max = 100.0,
     .unit = "percent",
     .text = "of the device's full speed"},
    {.name = "current_limit_percent",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(current_limit_percent),
     .default_yaml = "50.0",
     .min = 1.0,
     .max = 100.0,
     .unit = "percent",
     .text = "motor current at which a blocked joint counts as stalled"},
    {.name = "publish_events",
     .type = TN_ROS_PARAM_BOOL,
     START,
     AT(publish_events),
     .default_yaml = "false",
     .unit = "",
     .text = "contacts as ContactEvent on /robot/<side>/events"},
    {.name = "execution_log",
     .type = TN_ROS_PARAM_STRING,
     START,
     AT(execution_log),
     .capacity = TN_ROS_PARAM_STRING_MAX,
     .default_yaml = "\"\"",
     .unit = "",
     .text = "file to append every executed command to; empty: none"},
    {.name = "sim_noise",
     .type = TN_ROS_PARAM_DOUBLE,
     START,
     AT(sim_noise),
     .default_yaml = "0.0",
     .min = 0.0,
     .max = 10.0,
     .unit = "percent",
     .text = "simulated device: amplitude of the noise on positions"},
    {.name = "sim_noise_seed",
     .type = TN_ROS_PARAM_INTEGER,
     START,
     AT(sim_noise_seed),
     .default_yaml = "1",
     .unit = "",
     .text = "simulated device: start value of the noise"},
    {.name = "sim_turbo",
     .type = TN_ROS_PARAM_BOOL,
     START,
     AT(sim_turbo),
     .default_yaml = "false",
     .unit = "",
     .text = "simulated device: grips again every 0.5 s after a stall"},
    {.name = "sim_power_up_sweep",
     .type = TN_ROS_PARAM_BOOL,
     START,
     AT(sim_power_up_sweep),
     .default_yaml = "false",
     .unit = "",
     .text = "simulated device: takes no commands during its first second"},
    {.name = "sim_object_joints",
     .type = TN_ROS_PARAM_STRING_ARRAY,
     START,
     AT(sim_object_joints),
     .capacity = TN_EFFECTOR_MAX_JOINTS,
     .default_yaml = "[]",
     .unit = "",
     .text = "simulated device: joints that meet an object"},
    {.name = "sim_object_positions",
     .type = TN_ROS_PARAM_DOUBLE_ARRAY,
     START,
     AT(sim_object_positions),
     .capacity = TN_EFFECTOR_MAX_JOINTS,
     .default_yaml = "[]",
     .min = 0.0,
     .max = 100.0,
     .unit = "percent",
     .text = "simulated device: where they meet it, in the order of sim_object_joints"},
    TN_DIAG_PARAM_ROWS(struct tn_end_effector_config, diagnostics),
};

const struct tn_ros_param *tn_node_end_effector_params(uint32_t *out_n)
{
    *out_n = TN_ARRAY_SIZE(table);
    return table;
}

enum tn_effector_kind tn_end_effector__kind(const struct tn_end_effector_config *config)
{
    return strcmp(config->kind, "gripper") == 0 ? TN_EFFECTOR_GRIPPER : TN_EFFECTOR_HAND;
}

static bool is_on(double time_s)
{
    return time_s > 0.0;
}

static enum tn_result check_time(const char *name, double time_s, struct tn_error *err)
{
    if (time_s > 0.0 || time_s < 0.0)
        return TN_OK;
    return tn_error_set(err, TN_ERR_RANGE,
                        "%s is 0; give a time above 0, or a negative one to switch it off", name);
}

static enum tn_result check_device(const struct tn_end_effector_config *config,
                                   struct tn_error *err)
{
    if (strcmp(config->device, "sim") == 0)
        return TN_OK;
    return tn_error_set(err, TN_ERR_UNSUPPORTED,
                        "device is \"%s\", which this version cannot drive; it has: sim (the "
                        "simulated device; set sim:=true as well to use the _sim topics)",
                        config->device);
}

enum tn_result tn_end_effector__check_place(const struct tn_end_effector_config *config,
                                            bool is_mixed, struct tn_error *err)
{
    if (!is_mixed || strcmp(config->device, "sim") == 0)
        return TN_OK;
    return tn_error_set(
        err, TN_ERR_PERMISSION,
        "device \"%s\" is real, and this process also runs what commands it: a hang "
        "would silence both watchdogs; run end_effector_node as a program of its "
        "own, or set device to sim",
        config->device);
}

// which joint an object is before, by name
static enum tn_result find_object(const struct tn_end_effector_config *config, uint32_t i,
                                  uint32_t *out_joint)
{
    enum tn_side side = TN_SIDE_UNKNOWN;
    (void)tn_side_parse(config->side, &side);
    const char *name = config->sim_object_joints.data[i];
    struct tn_effector_text text = {name, (uint32_t)strlen(name)};
    return tn_effector_joint_find(tn_end_effector__kind(config), side, text, out_joint);
}

static enum tn_result check_objects(const struct tn_end_effector_config *config,
                                    struct tn_error *err)
{
    if (config->sim_object_joints.size != config->sim_object_positions.size)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "sim_object_joints has %u entries, sim_object_positions %u; they must "
                            "be as many",
                            config->sim_object_joints.size, config->sim_object_positions.size);
    for (uint32_t i = 0; i < config->sim_object_joints.size; i++) {
        uint32_t joint;
        if (find_object(config, i, &joint) != TN_OK)
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "sim_object_joints: \"%s\" is no joint of a %s %s",
                                config->sim_object_joints.data[i], config->side, config->kind);
    }
    return TN_OK;
}

static enum tn_result check_pose(const struct tn_end_effector_config *config, struct tn_error *err)
{
    uint32_t n = tn_effector_joint_count(tn_end_effector__kind(config));
    if (config->watchdog_pose.size != 0 && config->watchdog_pose.size != n)
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "watchdog_pose has %u values; a %s has %u joints",
                            config->watchdog_pose.size, config->kind, n);
    return TN_OK;
}

enum tn_result tn_end_effector__check(const void *candidate, struct tn_error *err)
{
    const struct tn_end_effector_config *config = candidate;
    enum tn_result result = check_device(config, err);
    if (result == TN_OK)
        result = check_time("position_watchdog_s", config->position_watchdog_s, err);
    if (result == TN_OK)
        result = check_time("max_command_age_s", config->max_command_age_s, err);
    if (result == TN_OK)
        result = check_pose(config, err);
    if (result == TN_OK)
        result = check_objects(config, err);
    if (result == TN_OK) {
        struct tn_effector_options options = tn_end_effector__core_options(config);
        struct tn_effector_core core;
        result = tn_effector_core_init(&core, &options, err);
    }
    return result;
}

struct tn_effector_options
tn_end_effector__core_options(const struct tn_end_effector_config *config)
{
    struct tn_effector_options options = {
        .rules = {.kind = tn_end_effector__kind(config),
                  .modes = (1u << TN_EFFECTOR_MODES) - 1u,
                  .has_max_age = is_on(config->max_command_age_s),
                  .max_age_ns = tn_seconds_to_ns(config->max_command_age_s),
                  .is_exclusive = config->exclusive_writer,
                  .command_timeout_ns = tn_seconds_to_ns(config->command_timeout_s)},
        .has_watchdog = is_on(config->position_watchdog_s),
        .position_watchdog_ns = tn_seconds_to_ns(config->position_watchdog_s),
        .has_pose = config->watchdog_pose.size > 0,
        .pose_after_ns = tn_seconds_to_ns(config->watchdog_pose_after_s),
        .write_interval_ns = tn_seconds_to_ns(1.0 / config->max_command_hz),
        .max_failed_polls = (uint32_t)config->max_failed_polls,
    };
    (void)tn_side_parse(config->side, &options.rules.side);
    for (uint32_t i = 0; i < config->watchdog_pose.size && i < TN_EFFECTOR_MAX_JOINTS; i++)
        options.pose[i] = config->watchdog_pose.data[i];
    return options;
}

struct tn_effector_sim_options
tn_end_effector__sim_options(const struct tn_end_effector_config *config)
{
    enum tn_side side = TN_SIDE_UNKNOWN;
    (void)tn_side_parse(config->side, &side);
    struct tn_effector_sim_options options =
        tn_effector_sim_options_default(tn_end_effector__kind(config), side);
    options.speed_limit_percent = config->speed_limit_percent;
    options.current_limit_percent = config->current_limit_percent;
    options.noise_percent = config->sim_noise;
    options.noise_seed = (uint64_t)config->sim_noise_seed;
    options.is_turbo = config->sim_turbo;
    options.has_sweep = config->sim_power_up_sweep;
    for (uint32_t i = 0; i < config->sim_object_joints.size; i++) {
        uint32_t joint;
        if (find_object(config, i, &joint) != TN_OK)
            continue;
        options.objects |= 1u << joint;
        options.object_percent[joint] = config->sim_object_positions.data[i];
    }
    return options;
}
