// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "nodes/contact_glove__node.h"

#define AT(member) .offset = offsetof(struct tn_contact_glove_config, member)
#define STRING     .type = TN_ROS_PARAM_STRING, .capacity = TN_ROS_PARAM_STRING_MAX
#define FIXED      .flags = TN_ROS_PARAM_READ_ONLY

static const struct tn_ros_param table[] = {
    {.name = "namespace",
     STRING,
     FIXED,
     AT(ns),
     .default_yaml = "\"contact_glove\"",
     .unit = "",
     .text = "text inside frame ids: ds2/<namespace>/<glove id>/wrist; the topics' namespace is "
             "__ns"},
    {.name = "ds_ip",
     STRING,
     FIXED,
     AT(ds_ip),
     .default_yaml = "\"127.0.0.1\"",
     .unit = "",
     .text = "IPv4 address of the computer with DivingStation"},
    {.name = "ds_port",
     .type = TN_ROS_PARAM_INTEGER,
     FIXED,
     AT(ds_port),
     .default_yaml = "25791",
     .min = 1,
     .max = 65535,
     .unit = "",
     .text = "DivingStation's port for protocol v2; without effect with v1"},
    {.name = "ds_port_v1",
     .type = TN_ROS_PARAM_INTEGER,
     FIXED,
     AT(ds_port_v1),
     .default_yaml = "25790",
     .min = 1,
     .max = 65535,
     .unit = "",
     .text = "DivingStation's port for protocol v1"},
    {.name = "receive_port",
     .type = TN_ROS_PARAM_INTEGER,
     FIXED,
     AT(receive_port),
     .default_yaml = "25788",
     .min = 1,
     .max = 65535,
     .unit = "",
     .text = "local UDP port for data from DivingStation; each node needs its own; open it in the "
             "firewall when DivingStation is remote"},
    {.name = "send_port",
     .type = TN_ROS_PARAM_INTEGER,
     FIXED,
     AT(send_port),
     .default_yaml = "0",
     .min = 0,
     .max = 65535,
     .unit = "",
     .text = "local source port of what is sent; 0: chosen by the system"},
    {.name = "left_joint_state_glove_id",
     STRING,
     AT(joint_state_glove_id[0]),
     .default_yaml = "\"\"",
     .unit = "",
     .text = "glove that feeds left/joint_states; empty: the first one that sends"},
    {.name = "right_joint_state_glove_id",
     STRING,
     AT(joint_state_glove_id[1]),
     .default_yaml = "\"\"",
     .unit = "",
     .text = "glove that feeds right/joint_states; empty: the first one that sends"},
    {.name = "glove_data_depth",
     .type = TN_ROS_PARAM_INTEGER,
     FIXED,
     AT(glove_data_depth),
     .default_yaml = "16",
     .min = 1,
     .max = TN_CONTACT_GLOVES_MAX,
     .unit = "",
     .text = "most gloves per side, and depth of glove_data"},
    {.name = "protocol",
     STRING,
     FIXED,
     AT(protocol),
     .default_yaml = "\"v1\"",
     .unit = "",
     .text = "DivingStationProtocol version; only v1 is spoken"},
    {.name = "retarget_profile_timeout",
     .type = TN_ROS_PARAM_DOUBLE,
     FIXED,
     AT(retarget_profile_timeout_s),
     .default_yaml = "2.0",
     .min = 0.01,
     .max = 3600,
     .unit = "s",
     .text = "longest wait for a profile; without effect with v1, which has none"},
    {.name = "keepalive_silent",
     .type = TN_ROS_PARAM_DOUBLE,
     FIXED,
     AT(keepalive_silent_s),
     .default_yaml = "1.0",
     .min = 0.05,
     .max = 60,
     .unit = "s",
     .text = "Connect is repeated so often while no data comes"},
    {.name = "keepalive_streaming",
     .type = TN_ROS_PARAM_DOUBLE,
     FIXED,
     AT(keepalive_streaming_s),
     .default_yaml = "10.0",
     .min = 0.05,
     .max = 80,
     .unit = "s",
     .text = "Connect is repeated so often while data comes; DivingStation forgets after 90 s"},
    {.name = "stale_timeout",
     .type = TN_ROS_PARAM_DOUBLE,
     FIXED,
     AT(stale_timeout_s),
     .default_yaml = "0.2",
     .min = 0.001,
     .max = 3600,
     .unit = "s",
     .text = "diagnostics call an older stream stale"},
    {.name = "joint_states_tracked_only",
     .type = TN_ROS_PARAM_BOOL,
     AT(joint_states_tracked_only),
     .default_yaml = "false",
     .unit = "",
     .text = "true: joint_states only from samples whose tracking_state is TRACKED"},
    {.name = "haptics_frequency",
     .type = TN_ROS_PARAM_DOUBLE,
     FIXED,
     AT(haptics_frequency_hz),
     .default_yaml = "160.0",
     .min = 1,
     .max = 1000,
     .unit = "Hz",
     .text = "vibration of HapticCommand; without effect yet, haptics_body brings its own"},
    {.name = "haptics_max_rate",
     .type = TN_ROS_PARAM_DOUBLE,
     FIXED,
     AT(haptics_max_rate_hz),
     .default_yaml = "50.0",
     .min = 0,
     .max = 10000,
     .unit = "Hz",
     .text = "most haptic commands per glove; above it the newest replaces a waiting one; 0: no "
             "limit"},
    {.name = "v1_skeleton",
     STRING,
     FIXED,
     AT(v1_skeleton),
     .default_yaml = "\"off\"",
     .choices = "off|fk",
     .unit = "",
     .text = "where v1's skeleton comes from; without effect yet, none is published"},
    TN_DIAG_PARAM_ROWS(struct tn_contact_glove_config, diagnostics),
};

const struct tn_ros_param *tn_node_contact_glove_params(uint32_t *out_n)
{
    *out_n = TN_ARRAY_SIZE(table);
    return table;
}

const char *tn_contact_glove__frame_namespace(const struct tn_contact_glove_config *config,
                                              char *buffer)
{
    const char *start = config->ns + strspn(config->ns, "/");
    size_t n = strlen(start);
    while (n > 0 && start[n - 1] == '/')
        n--;
    memcpy(buffer, start, n);
    buffer[n] = '\0';
    return buffer;
}

static enum tn_result check_glove_id(const struct tn_contact_glove_config *config, unsigned s,
                                     struct tn_error *err)
{
    const char *id = config->joint_state_glove_id[s];
    if (id[0] == '\0' || tn_contact_id_is_valid(id, TN_CONTACT_ID_MAX))
        return TN_OK;
    return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                        "%s_joint_state_glove_id is \"%s\", expected a glove id as in glove_data: "
                        "up to %d characters, no '/', no blank",
                        s == 0 ? "left" : "right", id, TN_CONTACT_ID_MAX - 1);
}

static enum tn_result check(const void *candidate, struct tn_error *err)
{
    const struct tn_contact_glove_config *config = candidate;
    char ns[TN_ROS_PARAM_STRING_MAX];
    (void)tn_contact_glove__frame_namespace(config, ns);
    if (ns[0] == '\0')
        return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                            "namespace is \"%s\", expected a name: it stands inside frame ids",
                            config->ns);
    for (const char *c = ns; *c != '\0'; c++) {
        if (isspace((unsigned char)*c))
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "namespace is \"%s\", expected a name without blanks", config->ns);
    }
    if (tn_contact_dialect_find(config->protocol) == NULL)
        return tn_error_set(err, TN_ERR_UNSUPPORTED,
                            "protocol is \"%s\", which is not spoken yet, expected %s: enable "
                            "DivingStationProtocol v1 in DivingStation (1.5.6 or later) and set "
                            "protocol:=v1",
                            config->protocol, tn_contact_dialect_names());
    enum tn_result result = check_glove_id(config, 0, err);
    return result == TN_OK ? check_glove_id(config, 1, err) : result;
}

struct tn_ros_param_set tn_contact_glove__param_set(struct tn_contact_glove_config *config)
{
    return (struct tn_ros_param_set){.table = table,
                                     .n_params = TN_ARRAY_SIZE(table),
                                     .config = config,
                                     .config_size = sizeof *config,
                                     .check = check};
}
