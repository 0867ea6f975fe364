# SPDX-License-Identifier: Apache-2.0
tn_module(nodes/convert/hand_frame
  SOURCES convert/hand_frame.c
  DEPENDS base geometry hand rosidl msgs)
