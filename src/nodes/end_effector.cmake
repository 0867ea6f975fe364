# SPDX-License-Identifier: Apache-2.0
tn_module(nodes/convert/end_effector SOURCES convert/end_effector.c
  DEPENDS base rosidl msgs effector nodes/convert/time LIBRARIES m)
tn_module(nodes/end_effector
  SOURCES end_effector.c end_effector_params.c end_effector_report.c
  DEPENDS base rosidl msgs ros effector nodes/convert/end_effector)
tn_executable(end_effector_node PACKAGE tendon SOURCES end_effector_main.c
  DEPENDS nodes/end_effector ros base)
