// SPDX-License-Identifier: Apache-2.0
// A receiver of ours as a program of its own, so that it can be stopped: one line per message with
// what the library says about its age.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ros/node.h"
#include "ros/program.h"
#include "tn_msgs/sensor_msgs.h"

struct receiver {
    struct tn_ros_node *node;
    struct tn_ros_subscription *subscription;
};

static void on_joints(void *context, const void *data, const struct tn_ros_message_info *info)
{
    const struct sensor_msgs_msg_JointState *m = data;
    (void)context;
    printf("got %d %" PRId64 " %d %" PRId64 " %d\n", m->header.stamp.sec, info->delivered_steady_ns,
           (int)info->is_age_known, info->age_ns, (int)info->is_late);
}

static enum tn_result create(struct tn_ros_context *context, void **out_node, struct tn_error *err)
{
    struct receiver *r = calloc(1, sizeof *r);
    if (r == NULL)
        return tn_error_set(err, TN_ERR_NO_MEMORY, "no memory");
    struct tn_ros_node_options options = {.name = "receiver"};
    enum tn_result result = tn_ros_node_create(context, &options, &r->node, err);
    if (result == TN_OK)
        result = tn_ros_subscription_create(r->node, &sensor_msgs_msg_JointState_type, "/rel",
                                            tn_ros_qos_default(1000), on_joints, r,
                                            &r->subscription, err);
    *out_node = r;
    printf("ready\n");
    return result;
}

static void destroy(void **node)
{
    struct receiver *r = *node;
    tn_ros_node_destroy(&r->node);
    free(r);
    *node = NULL;
}

int main(int argc, char **argv)
{
    static const struct tn_ros_program program = {
        .name = "receiver",
        .description = "Prints the age of what it receives.",
        .create = create,
        .destroy = destroy,
    };
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    return tn_ros_main(&program, argc, argv);
}
