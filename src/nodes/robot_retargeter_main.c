// SPDX-License-Identifier: Apache-2.0
#include "nodes/robot_retargeter.h"
#include "ros/program.h"

static enum tn_result create(struct tn_ros_context *context, void **out_node, struct tn_error *err)
{
    struct tn_node_robot_retargeter *node = NULL;
    enum tn_result result = tn_node_robot_retargeter_create(context, &node, err);
    *out_node = node;
    return result;
}

static void destroy(void **any)
{
    struct tn_node_robot_retargeter *node = *any;
    tn_node_robot_retargeter_destroy(&node);
    *any = NULL;
}

int main(int argc, char **argv)
{
    struct tn_ros_program program = {
        .name = "robot_retargeter",
        .description = "Moves a robot hand as the glove moves, while the safety session allows it.",
        .create = create,
        .destroy = destroy,
    };
    program.params = tn_node_robot_retargeter_params(&program.n_params);
    return tn_ros_main(&program, argc, argv);
}
