// SPDX-License-Identifier: Apache-2.0
// private to the `tendon` program: the verbs of `tendon topic`
#ifndef TN_CLI_CLI__TOPIC_H
#define TN_CLI_CLI__TOPIC_H

#include "cli/cli__session.h"
#include "ros/qos.h"

int tn_cli__topic_echo(const struct tn_cli_call *call);
int tn_cli__topic_hz(const struct tn_cli_call *call);
int tn_cli__topic_pub(const struct tn_cli_call *call);

// the options that name a QoS, for the tables of echo and pub
#define TN_CLI_QOS_OPTIONS                                                                         \
    {"qos-profile", 0, "NAME",                                                                     \
     "default, sensor_data, system_default, services_default, parameters"},                        \
        {"qos-history", 0, "KIND", "keep_last or keep_all"},                                       \
        {"qos-depth", 0, "N", "messages kept with keep_last"},                                     \
        {"qos-reliability", 0, "KIND", "reliable or best_effort"},                                 \
    {                                                                                              \
        "qos-durability", 0, "KIND", "volatile or transient_local"                                 \
    }

// applies --qos-…; *out_given: at least one was there; false: told what is wrong
bool tn_cli__topic_qos(const struct tn_cli_call *call, struct tn_ros_qos *io_qos, bool *out_given);

#endif
