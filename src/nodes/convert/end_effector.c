// SPDX-License-Identifier: Apache-2.0
#include "nodes/convert/end_effector.h"

#include <math.h>

#include "effector/joints.h"
#include "nodes/convert/time.h"

static void view_stamp(const struct builtin_interfaces_msg_Time *stamp,
                       struct tn_effector_command *out)
{
    out->has_stamp =
        tn_convert_from_time(stamp, &out->stamp_ros_ns) == TN_OK && out->stamp_ros_ns > 0;
}

static void view_names(const struct tn_seq_str *names, struct tn_convert_effector_command *out)
{
    out->command.names = out->names;
    out->command.n_names = names->size;
    for (uint32_t i = 0; i < names->size && i < TN_EFFECTOR_MAX_JOINTS; i++)
        out->names[i] = (struct tn_effector_text){names->data[i].data, names->data[i].size};
}

void tn_convert_effector_control(const struct end_effector_interfaces_msg_EEJointControl *msg,
                                 struct tn_convert_effector_command *out)
{
    out->command = (struct tn_effector_command){
        .values = msg->value.data, .n_values = msg->value.size, .mode = msg->mode};
    view_names(&msg->name, out);
    view_stamp(&msg->header.stamp, &out->command);
}

void tn_convert_effector_spec_control(const struct end_effector_interfaces_msg_EEJointFeedback *msg,
                                      struct tn_convert_effector_command *out)
{
    out->command = (struct tn_effector_command){
        .values = msg->position.data, .n_values = msg->position.size, .mode = TN_EFFECTOR_POSITION};
    view_names(&msg->name, out);
    view_stamp(&msg->header.stamp, &out->command);
}

void tn_convert_effector_stamp(int64_t stamp_ros_ns, struct builtin_interfaces_msg_Time *out)
{
    *out = tn_convert_to_time(stamp_ros_ns > 0 ? stamp_ros_ns : 0);
}

void tn_convert_effector_feedback(const struct tn_convert_effector_form *form, int64_t stamp_ros_ns,
                                  const struct tn_effector_sample *sample,
                                  struct tn_convert_effector_feedback *storage,
                                  struct end_effector_interfaces_msg_EEJointFeedback *out_msg)
{
    uint32_t n = tn_effector_joint_count(form->kind);
    uint32_t n_rates = form->kind == TN_EFFECTOR_HAND ? n : 0;
    for (uint32_t i = 0; i < n; i++) {
        storage->names[i] = tn_str_from(tn_effector_joint_name(form->kind, i));
        storage->position[i] = sample->position[i];
        storage->velocity[i] = fmin(sample->velocity[i] * form->velocity_scale, 100.0);
        storage->current[i] = sample->current[i];
        storage->state[i] = sample->state[i];
    }
    end_effector_interfaces_msg_EEJointFeedback_init(out_msg);
    tn_convert_effector_stamp(stamp_ros_ns, &out_msg->header.stamp);
    out_msg->header.frame_id = tn_str_from(form->frame_id);
    out_msg->name = (struct tn_seq_str){storage->names, n};
    out_msg->position = (struct tn_seq_f64){storage->position, n};
    out_msg->velocity = (struct tn_seq_f64){storage->velocity, n_rates};
    out_msg->current = (struct tn_seq_f64){storage->current, n_rates};
    out_msg->state = (struct tn_seq_u8){storage->state, n};
}
