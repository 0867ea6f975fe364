// SPDX-License-Identifier: Apache-2.0
#include "nodes/convert/hand_frame.h"

#include <string.h>

#include "nodes/convert/time.h"

_Static_assert(TN_HAND_NODES == TN_ARRAY_SIZE(((struct tendon_msgs_msg_HandFrame *)0)->nodes),
               "nodes of the message");
_Static_assert(TN_HAND_ANGLES == TN_ARRAY_SIZE(((struct tendon_msgs_msg_HandFrame *)0)->angles),
               "angle slots of the message");
_Static_assert(TN_HAND_FINGERS ==
                   TN_ARRAY_SIZE(((struct tendon_msgs_msg_HandFrame *)0)->confidence),
               "fingers of the message");

static bool is_set(uint32_t mask, size_t i)
{
    return ((mask >> i) & 1u) != 0;
}

static enum tn_result read_duration(const struct builtin_interfaces_msg_Duration *msg,
                                    int64_t *out_ns)
{
    enum tn_result result = tn_convert_from_duration(msg, out_ns);
    return result == TN_OK && *out_ns < 0 ? TN_ERR_RANGE : result;
}

static enum tn_result read_times(const struct tendon_msgs_msg_HandFrame *msg,
                                 struct tn_hand_frame *frame)
{
    enum tn_result result = tn_convert_from_time(&msg->header.stamp, &frame->stamp_ros_ns);
    if (result == TN_OK) {
        result = read_duration(&msg->age, &frame->age_ns);
    }
    if (result == TN_OK) {
        result = read_duration(&msg->stamp_uncertainty, &frame->stamp_uncertainty_ns);
    }
    return result;
}

static enum tn_result read_device(struct tn_str id, struct tn_hand_frame *frame)
{
    if (id.size == 0) {
        return TN_ERR_WRONG_DEVICE;
    }
    if (id.size >= TN_HAND_DEVICE_ID_MAX) {
        return TN_ERR_LIMIT;
    }
    if (memchr(id.data, '\0', id.size) != NULL) {
        return TN_ERR_MALFORMED;
    }
    memcpy(frame->device_id, id.data, id.size);
    return TN_OK;
}

static void read_nodes(const struct tendon_msgs_msg_HandFrame *msg, struct tn_hand_frame *frame)
{
    frame->node_valid = msg->node_valid;
    for (size_t i = 0; i < TN_HAND_NODES; i++) {
        if (!is_set(msg->node_valid, i)) {
            continue;
        }
        const struct geometry_msgs_msg_Pose *pose = &msg->nodes[i];
        frame->nodes[i] =
            (struct tn_pose){.p = {pose->position.x, pose->position.y, pose->position.z},
                             .q = {pose->orientation.x, pose->orientation.y, pose->orientation.z,
                                   pose->orientation.w}};
    }
}

static void read_angles(const struct tendon_msgs_msg_HandFrame *msg, struct tn_hand_frame *frame)
{
    frame->angle_valid = msg->angle_valid;
    frame->rates_valid = msg->rates_valid;
    for (size_t s = 0; s < TN_HAND_ANGLES; s++) {
        bool is_valid = is_set(msg->angle_valid, s);
        frame->angles[s] = is_valid ? msg->angles[s] : 0.0;
        frame->rates[s] = is_valid && msg->rates_valid ? msg->rates[s] : 0.0;
    }
}

// after the check, which has refused norms that are no rotation
static void normalise(struct tn_hand_frame *frame)
{
    for (size_t i = 0; i < TN_HAND_NODES; i++) {
        if (is_set(frame->node_valid, i)) {
            frame->nodes[i].q = tn_quat_normalized(frame->nodes[i].q);
        }
    }
}

enum tn_result tn_convert_hand_frame_from_msg(const struct tendon_msgs_msg_HandFrame *msg,
                                              struct tn_hand_frame *out_frame)
{
    struct tn_hand_frame frame;
    tn_hand_frame_init(&frame);
    enum tn_result result = read_times(msg, &frame);
    if (result == TN_OK) {
        result = read_device(msg->device_id, &frame);
    }
    if (result != TN_OK) {
        return result;
    }
    frame.side = (enum tn_side)msg->side;
    frame.stamp_kind = (enum tn_stamp_kind)msg->stamp_kind;
    frame.link = (enum tn_link_state)msg->state;
    frame.stream_id = msg->stream_id;
    frame.sequence = msg->sequence;
    frame.has_source_sequence = msg->has_source_sequence;
    frame.missed_before = msg->missed_before;
    memcpy(frame.confidence, msg->confidence, sizeof frame.confidence);
    read_nodes(msg, &frame);
    read_angles(msg, &frame);
    result = tn_hand_frame_check(&frame);
    if (result == TN_OK) {
        normalise(&frame);
        *out_frame = frame;
    }
    return result;
}

static void write_nodes(const struct tn_hand_frame *frame, struct tendon_msgs_msg_HandFrame *msg)
{
    for (size_t i = 0; i < TN_HAND_NODES; i++) {
        struct tn_pose T = is_set(frame->node_valid, i) ? frame->nodes[i] : tn_pose_identity();
        msg->nodes[i] = (struct geometry_msgs_msg_Pose){
            .position = {.x = T.p.x, .y = T.p.y, .z = T.p.z},
            .orientation = {.x = T.q.x, .y = T.q.y, .z = T.q.z, .w = T.q.w}};
    }
}

void tn_convert_hand_frame_to_msg(const struct tn_hand_frame *frame, const char *frame_id,
                                  struct tendon_msgs_msg_HandFrame *out_msg)
{
    tendon_msgs_msg_HandFrame_init(out_msg);
    out_msg->header.stamp = tn_convert_to_time(frame->stamp_ros_ns);
    out_msg->header.frame_id = tn_str_from(frame_id);
    out_msg->side = (uint8_t)frame->side;
    out_msg->stamp_kind = (uint8_t)frame->stamp_kind;
    out_msg->state = (uint8_t)frame->link;
    out_msg->device_id = tn_str_from(frame->device_id);
    out_msg->stream_id = frame->stream_id;
    out_msg->sequence = frame->sequence;
    out_msg->has_source_sequence = frame->has_source_sequence;
    out_msg->missed_before = frame->missed_before;
    out_msg->age = tn_convert_to_duration(frame->age_ns);
    out_msg->stamp_uncertainty = tn_convert_to_duration(frame->stamp_uncertainty_ns);
    out_msg->node_valid = frame->node_valid;
    out_msg->angle_valid = frame->angle_valid;
    write_nodes(frame, out_msg);
    memcpy(out_msg->confidence, frame->confidence, sizeof out_msg->confidence);
    memcpy(out_msg->angles, frame->angles, sizeof out_msg->angles);
    memcpy(out_msg->rates, frame->rates, sizeof out_msg->rates);
    out_msg->rates_valid = frame->rates_valid;
}
