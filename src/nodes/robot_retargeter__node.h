// SPDX-License-Identifier: Apache-2.0
// private to robot_retargeter: configuration and per-side state
#ifndef TN_NODES_ROBOT_RETARGETER__NODE_H
#define TN_NODES_ROBOT_RETARGETER__NODE_H

#include <stdio.h>

#include "base/trace.h"
#include "nodes/robot_retargeter.h"
#include "retarget/retarget.h"
#include "ros/diagnostics_tasks.h"
#include "session/limiter.h"
#include "session/session.h"
#include "session/writer_pin.h"

struct tn_robot_retargeter_config {
    struct tn_ros_string_array sides;
    char input_namespace[TN_ROS_PARAM_STRING_MAX];
    bool sim, require_arm, require_enable;
    double stale_timeout_s, disconnect_timeout_s, max_sample_age_s, robot_timeout_s;
    double resume_speed, resume_tolerance, reject_speed;
    int64_t rearm_frames;
    char safe_action[16];
    char left_glove_id[TN_HAND_DEVICE_ID_MAX], right_glove_id[TN_HAND_DEVICE_ID_MAX];
    struct tn_diag_params diagnostics;
};

struct tn_robot_retargeter_side {
    struct tn_node_robot_retargeter *node;
    enum tn_side side;
    bool is_used;
    struct tn_session session;
    struct tn_retarget retarget;
    struct tn_limiter limiter;
    struct tn_writer_pin hand_writer, feedback_writer;
    uint32_t approach;                       // the session's count that the limiter serves
    double measured[TN_RETARGET_MAX_JOINTS]; // robot's position, percent, model order
    bool is_last_age_known;
    int64_t last_frame_age_ns;
    int64_t next_state_steady_ns;
    struct tn_log_throttle refused_log, arm_log, writer_log;
    char answer[TN_ERROR_TEXT_MAX]; // text of the last service reply
    struct tn_ros_publisher *command, *status, *state;
    struct tn_ros_subscription *hand, *feedback;
    struct tn_diag_stream frames, robot; // what arrives: hand frames, the robot's feedback
    uint64_t counted_stream_id;
};

struct tn_node_robot_retargeter {
    struct tn_ros_node *ros;
    struct tn_loop *loop;
    struct tn_robot_retargeter_config config;
    struct tn_retarget_model model;
    struct tn_trace_ring *trace;
    struct tn_loop_timer tick;
    struct tn_diag_updater *diagnostics;
    struct tn_robot_retargeter_side sides[TN_SIDES];
};

// the whole candidate, before it is used
enum tn_result tn_robot_retargeter__check(const void *candidate, struct tn_error *err);

struct tn_session_options
tn_robot_retargeter__session_options(const struct tn_robot_retargeter_config *config,
                                     enum tn_side side);

// publishes what the session says now
void tn_robot_retargeter__publish_state(struct tn_robot_retargeter_side *side,
                                        int64_t now_steady_ns);

// publishes the outcome of one frame
void tn_robot_retargeter__publish_status(struct tn_robot_retargeter_side *side,
                                         const struct tn_hand_frame *frame, uint8_t result,
                                         const char *reason);

// publishes the limited command of one frame
void tn_robot_retargeter__publish_command(struct tn_robot_retargeter_side *side,
                                          const struct tn_hand_frame *frame, uint32_t valid_mask,
                                          const double *percent);

// takes note of what became of a hand frame
void tn_robot_retargeter__count(struct tn_robot_retargeter_side *side,
                                const struct tn_hand_frame *frame, int64_t now_steady_ns);

// starts /diagnostics
enum tn_result tn_robot_retargeter__start_diagnostics(struct tn_node_robot_retargeter *node,
                                                      struct tn_error *err);

#endif
