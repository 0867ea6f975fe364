// SPDX-License-Identifier: Apache-2.0
#include "devices/divingstation/messages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glove/contact/contact_dialect.h"

#define RAD_PER_DEG 0.017453292519943295
#define TURN_RAD    6.283185307179586

static void put_id(const struct tn_ds_pair *pair, char out_id[TN_CONTACT_WIRE_ID_MAX])
{
    memcpy(out_id, pair->id, TN_CONTACT_WIRE_ID_MAX);
}

static struct tn_contact_hand_state hand_state(const struct tn_ds_pair *pair, enum tn_side side,
                                               double time_s)
{
    struct tn_contact_hand_state state = {.is_connected = pair->has_hand[tn_side_index(side)]};
    if (state.is_connected) {
        double full = side == TN_SIDE_LEFT ? 96.0 : 93.0;
        state.battery = (int32_t)fmax(5.0, full - floor(time_s / 300.0));
        state.ping = side == TN_SIDE_LEFT ? 4.0F : 4.5F;
    }
    return state;
}

void tn_ds_make_devices(const struct tn_ds_pair *pair, double time_s,
                        struct tn_contact_message *out_message)
{
    *out_message = (struct tn_contact_message){.kind = TN_CONTACT_DEVICES};
    out_message->body.devices.n = 1;
    struct tn_contact_device *device = &out_message->body.devices.devices[0];
    put_id(pair, device->id);
    device->is_main = true;
    device->device_type = TN_CONTACT_GLOVE_2;
    (void)snprintf(device->name, sizeof device->name, "Software Contact Glove");
    device->color = TN_CONTACT_CYAN;
    device->ping = 2.0F;
    device->left = hand_state(pair, TN_SIDE_LEFT, time_s);
    device->right = hand_state(pair, TN_SIDE_RIGHT, time_s);
}

void tn_ds_make_hand(const struct tn_ds_pair *pair, enum tn_side side,
                     const struct tn_motion_pose *pose, struct tn_contact_message *out_message)
{
    out_message->kind = TN_CONTACT_ERGONOMICS;
    struct tn_contact_ergonomics *hand = &out_message->body.ergonomics;
    *hand = (struct tn_contact_ergonomics){.is_left = side == TN_SIDE_LEFT,
                                           .tracking_state = TN_CONTACT_TRACKED};
    put_id(pair, hand->id);
    for (unsigned i = 0; i < TN_CONTACT_ANGLES; i++)
        hand->angle_deg[i] = (float)pose->angle_deg[i];
}

// first the tilt about y, then the flexion about z
static void joint_rotation(double flexion_deg, double tilt_deg, float out_xyzw[4])
{
    double half_flexion = 0.5 * RAD_PER_DEG * flexion_deg, half_tilt = 0.5 * RAD_PER_DEG * tilt_deg;
    double sf = sin(half_flexion), cf = cos(half_flexion);
    double st = sin(half_tilt), ct = cos(half_tilt);
    out_xyzw[0] = (float)(st * sf);
    out_xyzw[1] = (float)(st * cf);
    out_xyzw[2] = (float)(ct * sf);
    out_xyzw[3] = (float)(ct * cf);
}

void tn_ds_make_hand_quat(const struct tn_ds_pair *pair, enum tn_side side,
                          const struct tn_motion_pose *pose, struct tn_contact_message *out_message)
{
    out_message->kind = TN_CONTACT_HAND_QUAT;
    struct tn_contact_hand_quat *hand = &out_message->body.hand_quat;
    put_id(pair, hand->id);
    hand->is_left = side == TN_SIDE_LEFT;
    for (unsigned i = 0; i < TN_CONTACT_HAND_QUATS; i++) {
        const double *finger = &pose->angle_deg[i / 3 * TN_MOTION_PER_FINGER];
        // the first joint of each finger has the tilt as well
        double tilt_deg = i % 3 == 0 ? finger[TN_MOTION_TILT] : 0.0;
        joint_rotation(finger[i % 3], tilt_deg, hand->q_xyzw[i]);
    }
}

void tn_ds_make_wrist(const struct tn_ds_pair *pair, enum tn_side side, double time_s,
                      struct tn_contact_message *out_message)
{
    out_message->kind = TN_CONTACT_WRIST;
    struct tn_contact_wrist *wrist = &out_message->body.wrist;
    put_id(pair, wrist->id);
    wrist->is_left = side == TN_SIDE_LEFT;
    joint_rotation(12.0 * sin(TURN_RAD * time_s / 7.0), 8.0 * sin(TURN_RAD * time_s / 11.0),
                   wrist->q_xyzw);
}

// 0 open .. 1 closed
static float closure(const struct tn_motion_pose *pose, unsigned finger)
{
    double bend_deg = tn_motion_percent_angle_deg(
        pose, (enum tn_motion_percent_joint)(TN_MOTION_INDEX_BEND + finger - 1));
    return (float)fmin(1.0, fmax(0.0, bend_deg / 190.0));
}

void tn_ds_make_controller(const struct tn_ds_pair *pair, enum tn_side side,
                           const struct tn_motion_pose *pose, double time_s,
                           struct tn_contact_message *out_message)
{
    out_message->kind = TN_CONTACT_CONTROLLER;
    struct tn_contact_controller *controller = &out_message->body.controller;
    *controller = (struct tn_contact_controller){.is_left = side == TN_SIDE_LEFT};
    put_id(pair, controller->id);
    controller->trigger = closure(pose, 1);
    controller->trigger_button = controller->trigger > 0.9F   ? 2
                                 : controller->trigger > 0.3F ? 1
                                                              : 0;
    controller->grip_value = (closure(pose, 2) + closure(pose, 3) + closure(pose, 4)) / 3.0F;
    controller->grip_force = controller->grip_value > 0.9F ? 0.5F : 0.0F;
    controller->joystick_x = (float)(0.3 * cos(TURN_RAD * time_s / 9.0));
    controller->joystick_y = (float)(0.3 * sin(TURN_RAD * time_s / 9.0));
}
