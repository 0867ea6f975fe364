# SPDX-License-Identifier: Apache-2.0
tn_module(nodes/convert/end_effector SOURCES convert/end_effector.c
  DEPENDS base rosidl msgs effector nodes/convert/time LIBRARIES m)
tn_module(nodes/end_effector
  SOURCES end_effector.c end_effector_params.c end_effector_report.c
  DEPENDS base rosidl msgs ros effector nodes/convert/end_effector)
tn_node(end_effector PACKAGE tendon EXECUTABLE end_effector_node WATCHDOG
  DESCRIPTION "Drives one robot hand or gripper, and holds it when commands stop.")
