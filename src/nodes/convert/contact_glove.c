// SPDX-License-Identifier: Apache-2.0
#include "nodes/convert/contact_glove.h"

#include <stdio.h>
#include <string.h>

#include "nodes/convert/time.h"

#define RAD_PER_DEG 0.017453292519943295

static void set_head(struct std_msgs_msg_Header *header, const struct tn_convert_head *head)
{
    header->stamp = tn_convert_to_time(head->stamp_ros_ns);
    header->frame_id = tn_str_from(head->frame_id);
}

void tn_convert_glove_data(const struct tn_convert_head *head, const struct tn_contact_glove *glove,
                           struct contact_glove_msgs_msg_GloveData *out)
{
    contact_glove_msgs_msg_GloveData_init(out);
    set_head(&out->header, head);
    out->id = tn_str_from(glove->id);
    out->is_left = glove->side == TN_SIDE_LEFT;
    out->is_connected = glove->is_connected;
    out->battery = glove->battery == TN_CONTACT_BATTERY_UNKNOWN
                       ? contact_glove_msgs_msg_GloveData_BATTERY_UNKNOWN
                       : glove->battery;
    out->name = tn_str_from(glove->name);
    out->device_type = glove->device_type;
    out->color = glove->color;
    out->is_main = glove->is_main;
    out->ping = glove->ping;
}

static struct contact_glove_msgs_msg_ErgonomicsFinger finger(const float *angles)
{
    return (struct contact_glove_msgs_msg_ErgonomicsFinger){
        .mcp = angles[0], .pip = angles[1], .dip = angles[2], .tilt = angles[3]};
}

static uint8_t tracking_state(enum tn_contact_tracking state)
{
    switch (state) {
    case TN_CONTACT_TRACKED:
        return contact_glove_msgs_msg_Ergonomics_TRACKED;
    case TN_CONTACT_IK_FAILED:
        return contact_glove_msgs_msg_Ergonomics_IK_FAILED;
    case TN_CONTACT_NOT_ATTEMPTED:
        break;
    }
    return contact_glove_msgs_msg_Ergonomics_NOT_ATTEMPTED;
}

void tn_convert_ergonomics(const struct tn_convert_head *head,
                           const struct tn_contact_origin *origin,
                           const struct tn_contact_ergonomics *ergonomics,
                           struct contact_glove_msgs_msg_Ergonomics *out)
{
    const float *angles = ergonomics->angle_deg;
    contact_glove_msgs_msg_Ergonomics_init(out);
    set_head(&out->header, head);
    out->id = tn_str_from(origin->glove->id);
    out->is_left = ergonomics->is_left;
    out->generated_at_ms = origin->generated_at_ms;
    out->tracking_state = tracking_state(ergonomics->tracking_state);
    out->thumb = (struct contact_glove_msgs_msg_ErgonomicsThumb){
        .cmc = angles[0], .mcp = angles[1], .ip = angles[2], .tilt = angles[3]};
    out->index = finger(angles + 4);
    out->middle = finger(angles + 8);
    out->ring = finger(angles + 12);
    out->little = finger(angles + 16);
}

void tn_convert_controller(const struct tn_convert_head *head,
                           const struct tn_contact_origin *origin,
                           const struct tn_contact_controller *controller,
                           struct contact_glove_msgs_msg_Controller *out)
{
    contact_glove_msgs_msg_Controller_init(out);
    set_head(&out->header, head);
    out->id = tn_str_from(origin->glove->id);
    out->is_left = controller->is_left;
    out->a = (uint8_t)controller->a;
    out->b = (uint8_t)controller->b;
    out->sys = (uint8_t)controller->sys;
    out->trigger_button = (uint8_t)controller->trigger_button;
    out->joystick_button = (uint8_t)controller->joystick_button;
    out->trackpad_button = (uint8_t)controller->trackpad_button;
    out->trigger = controller->trigger;
    out->grip_value = controller->grip_value;
    out->grip_force = controller->grip_force;
    out->joystick_x = controller->joystick_x;
    out->joystick_y = controller->joystick_y;
    out->trackpad_x = controller->trackpad_x;
    out->trackpad_y = controller->trackpad_y;
}

void tn_convert_wrist(const struct tn_convert_head *head, const struct tn_contact_wrist *wrist,
                      struct geometry_msgs_msg_QuaternionStamped *out)
{
    geometry_msgs_msg_QuaternionStamped_init(out);
    set_head(&out->header, head);
    out->quaternion.x = (double)wrist->q_xyzw[0];
    out->quaternion.y = (double)wrist->q_xyzw[1];
    out->quaternion.z = (double)wrist->q_xyzw[2];
    out->quaternion.w = (double)wrist->q_xyzw[3];
}

void tn_convert_joints_init(struct tn_convert_joints *joints, enum tn_side side)
{
    for (unsigned i = 0; i < TN_CONTACT_ANGLES; i++) {
        (void)snprintf(joints->text[i], sizeof joints->text[i], "%s_%s_%s_joint",
                       tn_side_name(side), tn_contact_finger_name(i / TN_CONTACT_ANGLES_PER_FINGER),
                       tn_contact_angle_name(i));
        joints->names[i] = tn_str_from(joints->text[i]);
    }
}

void tn_convert_joint_state(const struct tn_convert_head *head,
                            const struct tn_contact_ergonomics *ergonomics,
                            struct tn_convert_joints *joints,
                            struct sensor_msgs_msg_JointState *out)
{
    sensor_msgs_msg_JointState_init(out);
    set_head(&out->header, head);
    for (unsigned i = 0; i < TN_CONTACT_ANGLES; i++)
        joints->positions_rad[i] = (double)ergonomics->angle_deg[i] * RAD_PER_DEG;
    out->name.data = joints->names;
    out->name.size = TN_CONTACT_ANGLES;
    out->position.data = joints->positions_rad;
    out->position.size = TN_CONTACT_ANGLES;
}

enum tn_result tn_convert_haptics_body(const struct contact_glove_msgs_msg_HapticsBody *msg,
                                       char *out_id, struct tn_contact_vibration *out_vibration)
{
    bool is_long = msg->id.size >= TN_CONTACT_ID_MAX;
    size_t n = is_long ? TN_CONTACT_ID_MAX - 1 : msg->id.size;
    if (n > 0)
        memcpy(out_id, msg->id.data, n);
    out_id[n] = '\0';
    *out_vibration = (struct tn_contact_vibration){
        .frequency_hz = msg->frequency, .amplitude = msg->amplitude, .duration_s = msg->duration};
    return is_long ? TN_ERR_LIMIT : TN_OK;
}
