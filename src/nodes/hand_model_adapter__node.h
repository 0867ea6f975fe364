// SPDX-License-Identifier: Apache-2.0
// private to hand_model_adapter: configuration, the table of sources, per-side state
#ifndef TN_NODES_HAND_MODEL_ADAPTER__NODE_H
#define TN_NODES_HAND_MODEL_ADAPTER__NODE_H

#include "base/trace.h"
#include "hand/model.h"
#include "hand/stream.h"
#include "nodes/convert/hand_frame.h"
#include "nodes/convert/hand_frame_contact.h"
#include "nodes/hand_model_adapter.h"
#include "ros/diagnostics_tasks.h"
#include "ros/tf.h"

struct tn_hand_model_adapter_config {
    struct tn_ros_string_array sides;
    char source[32], stamp_kind[32];
    char input_namespace[128];
    char left_glove_id[TN_HAND_DEVICE_ID_MAX], right_glove_id[TN_HAND_DEVICE_ID_MAX];
    bool publish_node_tf;
    double nominal_rate_hz, stale_timeout_s, disconnect_timeout_s;
    struct tn_diag_params diagnostics;
};

// what one kind of glove sends and how its wrist frame lies; another glove is another row
struct tn_hand_model_adapter_source {
    const char *name; // value of the parameter `source`
    const struct tn_type *sample_type;
    const char *sample_topic;
    const struct tn_type *device_type;
    const char *device_topic;
    // a sample of this side, and the frame of its wrist
    enum tn_result (*read_sample)(const void *message, enum tn_side side,
                                  struct tn_convert_contact_sample *out, struct tn_str *out_frame);
    // a device's connection
    enum tn_result (*read_device)(const void *message, enum tn_side side, char *out_id,
                                  bool *out_is_connected);
    struct tn_quat (*q_wrist_hand)(void);
};

// samples dropped before they reached the stream, by kind
struct tn_hand_model_adapter_drops {
    uint64_t late, not_tracked, wrong_side, not_finite, out_of_range, bad_id, no_clock, unsent;
};

struct tn_hand_model_adapter_side {
    struct tn_node_hand_model_adapter *node;
    enum tn_side side;
    bool is_used;
    struct tn_hand_stream stream;
    struct tn_hand_model model;
    struct tn_hand_frame frame;    // the newest one
    int64_t last_simulated_ros_ns; // its stamp, with use_sim_time
    struct tendon_msgs_msg_HandFrame message;
    struct tn_hand_model_adapter_drops drops;
    struct tn_log_throttle drop_log, tf_log;
    enum tn_link_state logged_link;
    uint64_t logged_streams;
    struct tn_diag_stream report;            // what is said of the stream
    struct tn_hand_stream_counters reported; // what the report knows already
    // frame names, made anew when the wrist frame or the glove changes
    char vendor_frame[TN_TF_FRAME_MAX]; // as the driver wrote it, "" when that does not fit
    char wrist_frame[TN_TF_FRAME_MAX], hand_frame[TN_TF_FRAME_MAX];
    char node_frames[TN_HAND_NODES][TN_TF_FRAME_MAX];
    struct tn_ros_publisher *publisher;
    struct tn_ros_subscription *samples, *devices;
};

struct tn_node_hand_model_adapter {
    struct tn_ros_node *ros;
    struct tn_loop *loop;
    struct tn_hand_model_adapter_config config;
    const struct tn_hand_model_adapter_source *source;
    struct tn_tf_broadcaster *tf;
    struct tn_diag_updater *diagnostics;
    struct tn_trace_ring *trace;
    struct tn_hand_model_adapter_side sides[TN_SIDES];
};

// the whole candidate, before it is used
enum tn_result tn_hand_model_adapter__check(const void *candidate, struct tn_error *err);

// the glove id configured for a side, "" = the first one
const char *tn_hand_model_adapter__glove_id(const struct tn_hand_model_adapter_config *config,
                                            enum tn_side side);

// the row of a source; NULL when there is none
const struct tn_hand_model_adapter_source *tn_hand_model_adapter__source(const char *name);

// takes note of what became of a sample
void tn_hand_model_adapter__count(struct tn_hand_model_adapter_side *side,
                                  const struct tn_hand_sample *sample, int64_t now_steady_ns);

// starts /diagnostics; link changes go to the log with it
enum tn_result tn_hand_model_adapter__report_start(struct tn_node_hand_model_adapter *node,
                                                   struct tn_error *err);

#endif
