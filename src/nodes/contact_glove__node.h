// SPDX-License-Identifier: Apache-2.0
// What the files of contact_glove_node share.
#ifndef TN_NODES_CONTACT_GLOVE__NODE_H
#define TN_NODES_CONTACT_GLOVE__NODE_H

#include "base/stats.h"
#include "base/trace.h"
#include "glove/contact/contact_client.h"
#include "nodes/contact_glove.h"
#include "nodes/convert/contact_glove.h"
#include "ros/diagnostics_tasks.h"

/// Parameter values; rows in contact_glove_params.c.
struct tn_contact_glove_config {
    char ns[TN_ROS_PARAM_STRING_MAX];
    char ds_ip[TN_ROS_PARAM_STRING_MAX];
    char protocol[TN_ROS_PARAM_STRING_MAX];
    char joint_state_glove_id[TN_SIDES][TN_ROS_PARAM_STRING_MAX];
    char v1_skeleton[TN_ROS_PARAM_STRING_MAX];
    int64_t ds_port, ds_port_v1, receive_port, send_port;
    int64_t glove_data_depth;
    double retarget_profile_timeout_s;
    double keepalive_silent_s, keepalive_streaming_s, stale_timeout_s;
    double haptics_frequency_hz, haptics_max_rate_hz;
    bool joint_states_tracked_only;
    struct tn_diag_params diagnostics;
};

/// One hand's topics.
struct tn_contact_glove_side {
    struct tn_node_contact_glove *node;
    enum tn_side side;
    struct tn_ros_publisher *glove_data, *ergonomics, *controller, *joint_states,
        *wrist_orientation;
    struct tn_ros_subscription *haptics_body;
    struct tn_contact_choice choice;
    struct tn_convert_joints joints;
    struct tn_rate rate; ///< of ergonomics
    struct tn_diag_stream stream;
    uint64_t reconnects;       ///< of the link, as counted by the stream already
    int64_t receive_steady_ns; ///< of the newest ergonomics
    uint64_t haptics_dropped;
    struct tn_log_throttle ignored_log, haptics_log, side_log;
};

struct tn_node_contact_glove {
    struct tn_contact_glove_config config;
    struct tn_ros_node *ros;
    struct tn_loop *loop;
    const struct tn_logger *logger;
    struct tn_contact_client *client;
    struct tn_trace_ring *trace;
    struct tn_ros_service *profile_service;
    struct tn_contact_glove_side sides[TN_SIDES];
    struct tn_diag_updater *diagnostics;
    struct tn_log_throttle merged_log, profile_log;
    // frame ids are made once per glove, not once per message; the last one of each side
    struct {
        char glove[TN_CONTACT_ID_MAX], id[TN_CONVERT_FRAME_MAX];
    } frames[TN_SIDES];
};

/// Rows and check of the parameters. @return the set. Thread: any. Allocates: never. Blocks: never.
struct tn_ros_param_set tn_contact_glove__param_set(struct tn_contact_glove_config *config);

/// @return the namespace as it stands in frame ids: without slashes at its ends, through `buffer`
/// (TN_ROS_PARAM_STRING_MAX). Thread: any. Allocates: never. Blocks: never.
const char *tn_contact_glove__frame_namespace(const struct tn_contact_glove_config *config,
                                              char *buffer);

/// Starts `/diagnostics`. @return as tn_diag_updater_create(). Thread: the loop's. Allocates: yes.
/// Blocks: never.
TN_NODISCARD enum tn_result tn_contact_glove__diagnostics_start(struct tn_node_contact_glove *node,
                                                                struct tn_error *err);

/// Subscribes haptics of one side. @return as tn_ros_subscription_create(). Thread: the loop's.
/// Allocates: yes. Blocks: never.
TN_NODISCARD enum tn_result tn_contact_glove__haptics_start(struct tn_contact_glove_side *side,
                                                            struct tn_error *err);

#endif
