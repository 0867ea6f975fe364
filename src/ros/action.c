// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "ros/ros__action.h"

/// One member that a wrapping type must have at its place.
struct wanted {
    const struct tn_type *type;
    uint32_t index;
    const char *name;
    enum tn_type_id type_id;
    size_t nested_size; ///< of the C struct, with TN_TYPE_NESTED
    size_t *out_offset;
};

static bool is_as_wanted(const struct wanted *wanted)
{
    if (wanted->type == NULL || wanted->index >= wanted->type->n_fields)
        return false;
    const struct tn_field *field = &wanted->type->fields[wanted->index];
    if (field->type != wanted->type_id || field->array != TN_ARRAY_NONE ||
        strcmp(field->name, wanted->name) != 0)
        return false;
    *wanted->out_offset = field->offset;
    return field->type != TN_TYPE_NESTED || field->nested->size == wanted->nested_size;
}

enum tn_result tn_ros__action_layout_find(const struct tn_action_type *type,
                                          struct tn_ros__action_layout *out, struct tn_error *err)
{
    const size_t id = sizeof(struct tn_ros_goal_id);
    const size_t time = sizeof(struct builtin_interfaces_msg_Time);
    const struct tn_type *send = type->send_goal->request, *sent = type->send_goal->response;
    const struct tn_type *get = type->get_result->request, *got = type->get_result->response;
    const struct tn_type *message = type->feedback_message;
    const struct wanted wanted[] = {
        {send, 0, "goal_id", TN_TYPE_NESTED, id, &out->send_goal_id},
        {send, 1, "goal", TN_TYPE_NESTED, type->goal->size, &out->goal},
        {sent, 0, "accepted", TN_TYPE_BOOL, 0, &out->is_accepted},
        {sent, 1, "stamp", TN_TYPE_NESTED, time, &out->stamp},
        {get, 0, "goal_id", TN_TYPE_NESTED, id, &out->get_result_id},
        {got, 0, "status", TN_TYPE_INT8, 0, &out->status},
        {got, 1, "result", TN_TYPE_NESTED, type->result->size, &out->result},
        {message, 0, "goal_id", TN_TYPE_NESTED, id, &out->feedback_id},
        {message, 1, "feedback", TN_TYPE_NESTED, type->feedback->size, &out->feedback},
    };
    for (size_t i = 0; i < TN_ARRAY_SIZE(wanted); i++)
        if (!is_as_wanted(&wanted[i]))
            return tn_error_set(err, TN_ERR_INVALID_ARGUMENT,
                                "type %s is no action's: %s has no member %s in its place",
                                type->ros_name, wanted[i].type->ros_name, wanted[i].name);
    return TN_OK;
}

const char *tn_ros__action_name(const char *fqn, const char *what,
                                char out[TN_ROS__ACTION_NAME_MAX])
{
    (void)snprintf(out, TN_ROS__ACTION_NAME_MAX, "%s/_action/%s", fqn, what);
    return out;
}

struct builtin_interfaces_msg_Time tn_ros__action_stamp(int64_t ros_ns)
{
    struct builtin_interfaces_msg_Time stamp = {0};
    if (ros_ns < 0)
        return stamp;
    int64_t seconds = ros_ns / TN_NS_PER_S;
    stamp.sec = seconds > INT32_MAX ? INT32_MAX : (int32_t)seconds;
    stamp.nanosec = (uint32_t)(ros_ns % TN_NS_PER_S);
    return stamp;
}

int64_t tn_ros__action_stamp_ns(struct builtin_interfaces_msg_Time stamp)
{
    return stamp.sec * TN_NS_PER_S + (int64_t)stamp.nanosec;
}
