// SPDX-License-Identifier: Apache-2.0
// private to end_effector: configuration, state, and what its files tell each other
#ifndef TN_NODES_END_EFFECTOR__NODE_H
#define TN_NODES_END_EFFECTOR__NODE_H

#include <tn_msgs/end_effector_interfaces.h>

#include "base/stats.h"
#include "base/trace.h"
#include "effector/contact.h"
#include "effector/core.h"
#include "effector/sim.h"
#include "nodes/convert/end_effector.h"
#include "nodes/end_effector.h"
#include "ros/diagnostics_tasks.h"

struct tn_end_effector_config {
    char kind[16], side[16], device[32], velocity_unit[16], gripper_command_type[16];
    char frame_id[64], execution_log[TN_ROS_PARAM_STRING_MAX];
    bool sim, exclusive_writer, publish_events, sim_turbo, sim_power_up_sweep;
    double rate_hz, reconnect_s, command_timeout_s, position_watchdog_s, max_command_age_s;
    double watchdog_pose_after_s, max_command_hz, speed_limit_percent, current_limit_percent;
    double sim_noise;
    int64_t max_failed_polls, sim_noise_seed;
    struct tn_ros_double_array watchdog_pose, sim_object_positions;
    struct tn_ros_string_array sim_object_joints;
    struct tn_diag_params diagnostics;
};

struct tn_node_end_effector {
    struct tn_ros_node *ros;
    struct tn_loop *loop;
    struct tn_end_effector_config config;
    enum tn_effector_kind kind;
    enum tn_side side;
    uint32_t n_joints;
    char frame_id[64];

    struct tn_effector_sim sim;
    struct tn_effector_device device;
    struct tn_effector_identity identity;
    bool is_identified;
    int64_t next_identify_steady_ns;
    struct tn_effector_core core;
    struct tn_effector_contacts contacts;

    struct tn_ros_publisher *feedback, *events;
    struct tn_ros_subscription *control;
    struct tn_ros_service *stop, *release;
    struct tn_loop_timer tick, poll;
    struct tn_trace_ring *trace;
    int log_fd; // execution log, -1: none

    bool has_stamp; // of the last good poll
    int64_t stamp_ros_ns;
    struct tn_convert_effector_feedback feedback_storage;
    uint32_t event_id;

    struct tn_log_throttle refused_log[TN_EFFECTOR_VERDICTS];
    struct tn_log_throttle writer_log, device_log;
    uint64_t writer_changes; // already reported
    uint32_t warned_modes;
    char answer[TN_ERROR_TEXT_MAX];

    struct tn_rate poll_rate;
    struct tn_histogram command_age;
    struct tn_diag_updater *diagnostics;
    struct tn_diag_stream commands, polls; // accepted ones, good ones
};

// whether this device may live beside the nodes that command it
enum tn_result tn_end_effector__check_place(const struct tn_end_effector_config *config,
                                            bool is_mixed, struct tn_error *err);

// the whole candidate, before it is used
enum tn_result tn_end_effector__check(const void *candidate, struct tn_error *err);

// what the configuration means for the core and for the simulated device
struct tn_effector_options
tn_end_effector__core_options(const struct tn_end_effector_config *config);
struct tn_effector_sim_options
tn_end_effector__sim_options(const struct tn_end_effector_config *config);
enum tn_effector_kind tn_end_effector__kind(const struct tn_end_effector_config *config);

// opens the execution log, if one is named
enum tn_result tn_end_effector__open_log(struct tn_node_end_effector *node, struct tn_error *err);
void tn_end_effector__log_executed(struct tn_node_end_effector *node, int64_t stamp_ros_ns,
                                   int64_t executed_steady_ns);

// writes the core's notes to the console and to the execution log
void tn_end_effector__tell_notes(struct tn_node_end_effector *node);
// warns of a refused command, at most once a second for each reason
void tn_end_effector__tell_refusal(struct tn_node_end_effector *node,
                                   const struct tn_effector_command *command,
                                   enum tn_effector_verdict verdict, uint32_t culprit,
                                   int64_t now_steady_ns);
void tn_end_effector__tell_writers(struct tn_node_end_effector *node, int64_t now_steady_ns);

void tn_end_effector__publish_feedback(struct tn_node_end_effector *node);
void tn_end_effector__publish_events(struct tn_node_end_effector *node, int64_t now_steady_ns);

// starts /diagnostics
enum tn_result tn_end_effector__start_diagnostics(struct tn_node_end_effector *node,
                                                  struct tn_error *err);

#endif
