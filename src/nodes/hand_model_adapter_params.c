// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "nodes/hand_model_adapter__node.h"

#define AT(member) .offset = offsetof(struct tn_hand_model_adapter_config, member)
#define ROOM(member)                                                                               \
    .capacity = sizeof(((struct tn_hand_model_adapter_config *)0)->member), AT(member)

static const struct tn_ros_param table[] = {
    {.name = "sides",
     .type = TN_ROS_PARAM_STRING_ARRAY,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(sides),
     .capacity = TN_SIDES,
     .default_yaml = "[left, right]",
     .unit = "",
     .text = "hands to serve"},
    {.name = "source",
     .type = TN_ROS_PARAM_STRING,
     .flags = TN_ROS_PARAM_READ_ONLY,
     ROOM(source),
     .default_yaml = "\"contact_glove\"",
     .choices = "contact_glove",
     .unit = "",
     .text = "kind of glove whose messages are read"},
    {.name = "input_namespace",
     .type = TN_ROS_PARAM_STRING,
     .flags = TN_ROS_PARAM_READ_ONLY,
     ROOM(input_namespace),
     .default_yaml = "\"/contact_glove\"",
     .unit = "",
     .text = "namespace of the glove's driver; frames are published there as <side>/hand"},
    {.name = "left_glove_id",
     .type = TN_ROS_PARAM_STRING,
     ROOM(left_glove_id),
     .default_yaml = "\"\"",
     .unit = "",
     .text = "the only glove that counts as left; empty: the first one seen"},
    {.name = "right_glove_id",
     .type = TN_ROS_PARAM_STRING,
     ROOM(right_glove_id),
     .default_yaml = "\"\"",
     .unit = "",
     .text = "the only glove that counts as right; empty: the first one seen"},
    {.name = "publish_node_tf",
     .type = TN_ROS_PARAM_BOOL,
     AT(publish_node_tf),
     .default_yaml = "true",
     .unit = "",
     .text = "send every node of the hand to /tf"},
    {.name = "stamp_kind",
     .type = TN_ROS_PARAM_STRING,
     .flags = TN_ROS_PARAM_READ_ONLY,
     ROOM(stamp_kind),
     .default_yaml = "\"arrival\"",
     .choices = "sample|sdk_publish|arrival",
     .unit = "",
     .text = "what the glove's time is; protocol v1 knows the arrival only"},
    {.name = "nominal_rate_hz",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(nominal_rate_hz),
     .default_yaml = "120.0",
     .min = 1.0,
     .max = 10000.0,
     .unit = "Hz",
     .text = "rate of the glove, by which missed frames are estimated"},
    {.name = "stale_timeout",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(stale_timeout_s),
     .default_yaml = "0.2",
     .min = 0.001,
     .max = 60.0,
     .unit = "s",
     .text = "older samples are stale; a silent writer may be replaced after it"},
    {.name = "disconnect_timeout",
     .type = TN_ROS_PARAM_DOUBLE,
     .flags = TN_ROS_PARAM_READ_ONLY,
     AT(disconnect_timeout_s),
     .default_yaml = "1.0",
     .min = 0.001,
     .max = 60.0,
     .unit = "s",
     .text = "silence after which a stream begins anew"},
    TN_DIAG_PARAM_ROWS(struct tn_hand_model_adapter_config, diagnostics),
};

const struct tn_ros_param *tn_node_hand_model_adapter_params(uint32_t *out_n)
{
    *out_n = TN_ARRAY_SIZE(table);
    return table;
}

const char *tn_hand_model_adapter__glove_id(const struct tn_hand_model_adapter_config *config,
                                            enum tn_side side)
{
    return side == TN_SIDE_LEFT ? config->left_glove_id : config->right_glove_id;
}

static enum tn_result check_sides(const struct tn_hand_model_adapter_config *config,
                                  struct tn_error *err)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < config->sides.size; i++) {
        enum tn_side side = TN_SIDE_UNKNOWN;
        if (!tn_side_parse(config->sides.data[i], &side)) {
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "parameter sides: '%s' is no side; use left and right",
                                config->sides.data[i]);
        }
        if ((seen & (1u << side)) != 0) {
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "parameter sides: '%s' is there twice; name each side once",
                                config->sides.data[i]);
        }
        seen |= 1u << side;
    }
    if (seen == 0) {
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "parameter sides is empty; use [left, right] or one of them");
    }
    return TN_OK;
}

static enum tn_result check_id(const char *name, const char *id, struct tn_error *err)
{
    char copy[TN_HAND_DEVICE_ID_MAX];
    if (id[0] == '\0' || tn_convert_contact_id(tn_str_from(id), copy) == TN_OK) {
        return TN_OK;
    }
    return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                        "parameter %s: '%s' is no glove id; no '/' and no white space", name, id);
}

enum tn_result tn_hand_model_adapter__check(const void *candidate, struct tn_error *err)
{
    const struct tn_hand_model_adapter_config *config = candidate;
    enum tn_result result = check_sides(config, err);
    if (result == TN_OK) {
        result = check_id("left_glove_id", config->left_glove_id, err);
    }
    if (result == TN_OK) {
        result = check_id("right_glove_id", config->right_glove_id, err);
    }
    if (result == TN_OK && config->stale_timeout_s > config->disconnect_timeout_s) {
        result = tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                              "stale_timeout %g s is longer than disconnect_timeout %g s; a stream "
                              "is stale before it is lost",
                              config->stale_timeout_s, config->disconnect_timeout_s);
    }
    return result;
}
