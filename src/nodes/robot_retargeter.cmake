# SPDX-License-Identifier: Apache-2.0
tn_module(nodes/robot_retargeter
  SOURCES robot_retargeter.c robot_retargeter_params.c robot_retargeter_publish.c robot_retargeter_diagnostics.c
  DEPENDS base geometry rosidl msgs ros hand session retarget nodes/convert/hand_frame nodes/convert/time LIBRARIES m)
tn_node(robot_retargeter PACKAGE tendon EXECUTABLE robot_retargeter
  DESCRIPTION "Moves a robot hand as the glove moves, while the safety session allows it.")
