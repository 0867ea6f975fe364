// SPDX-License-Identifier: Apache-2.0
#include "nodes/contact_glove.h"
#include "ros/program.h"

static enum tn_result create(struct tn_ros_context *context, void **out_node, struct tn_error *err)
{
    struct tn_node_contact_glove *node = NULL;
    enum tn_result result = tn_node_contact_glove_create(context, NULL, &node, err);
    *out_node = node;
    return result;
}

static void destroy(void **any)
{
    struct tn_node_contact_glove *node = *any;
    tn_node_contact_glove_destroy(&node);
    *any = NULL;
}

int main(int argc, char **argv)
{
    struct tn_ros_program program = {
        .name = "contact_glove_node",
        .description = "Driver of the Diver-X Contact Glove over DivingStationProtocol.",
        .create = create,
        .destroy = destroy,
    };
    program.params = tn_node_contact_glove_params(&program.n_params);
    return tn_ros_main(&program, argc, argv);
}
