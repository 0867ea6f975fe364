// SPDX-License-Identifier: Apache-2.0
#include "nodes/end_effector.h"
#include "ros/program.h"

static enum tn_result create(struct tn_ros_context *context, void **out_node, struct tn_error *err)
{
    struct tn_node_end_effector *node = NULL;
    enum tn_result result = tn_node_end_effector_create(context, NULL, &node, err);
    *out_node = node;
    return result;
}

static void destroy(void **any)
{
    struct tn_node_end_effector *node = *any;
    tn_node_end_effector_destroy(&node);
    *any = NULL;
}

int main(int argc, char **argv)
{
    struct tn_ros_program program = {
        .name = "end_effector_node",
        .description = "Drives one robot hand or gripper, and holds it when commands stop.",
        .create = create,
        .destroy = destroy,
    };
    program.params = tn_node_end_effector_params(&program.n_params);
    return tn_ros_main(&program, argc, argv);
}
