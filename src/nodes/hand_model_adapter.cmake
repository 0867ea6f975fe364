# SPDX-License-Identifier: Apache-2.0
tn_module(nodes/convert/hand_frame
  SOURCES convert/hand_frame.c
  DEPENDS base geometry hand rosidl msgs nodes/convert/time)
tn_module(nodes/convert/hand_frame_contact
  SOURCES convert/hand_frame_contact.c
  DEPENDS base hand rosidl msgs)
tn_module(nodes/hand_model_adapter
  SOURCES hand_model_adapter.c hand_model_adapter_params.c hand_model_adapter_report.c
  DEPENDS base geometry hand rosidl msgs ros nodes/convert/hand_frame nodes/convert/hand_frame_contact
    nodes/convert/time)
tn_node(hand_model_adapter PACKAGE tendon EXECUTABLE hand_model_adapter
  DESCRIPTION "Turns a glove's own messages into the one hand that everything else reads.")
