// SPDX-License-Identifier: Apache-2.0
// `main` of every node's own program; the build says which component
#include "ros/program.h"

extern const struct tn_ros_component TN_COMPONENT;

int main(int argc, char **argv)
{
    return tn_ros_component_main(&TN_COMPONENT, argc, argv);
}
