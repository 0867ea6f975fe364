// SPDX-License-Identifier: Apache-2.0
#include "nodes/hand_model_adapter.h"
#include "ros/program.h"

static enum tn_result create(struct tn_ros_context *context, void **out_node, struct tn_error *err)
{
    struct tn_node_hand_model_adapter *node = NULL;
    enum tn_result result = tn_node_hand_model_adapter_create(context, NULL, &node, err);
    *out_node = node;
    return result;
}

static void destroy(void **any)
{
    struct tn_node_hand_model_adapter *node = *any;
    tn_node_hand_model_adapter_destroy(&node);
    *any = NULL;
}

int main(int argc, char **argv)
{
    struct tn_ros_program program = {
        .name = "hand_model_adapter",
        .description = "Turns a glove's own messages into the one hand that everything else reads.",
        .create = create,
        .destroy = destroy,
    };
    program.params = tn_node_hand_model_adapter_params(&program.n_params);
    return tn_ros_main(&program, argc, argv);
}
