# SPDX-License-Identifier: Apache-2.0
# contact_glove_node: the driver of the Contact Glove.
tn_module(nodes/convert/contact_glove
  SOURCES convert/contact_glove.c
  DEPENDS base rosidl msgs glove/contact nodes/convert/time)
tn_module(nodes/contact_glove
  SOURCES contact_glove.c contact_glove_params.c contact_glove_haptics.c contact_glove_diagnostics.c
  DEPENDS base rosidl msgs ros glove/contact nodes/convert/contact_glove)
tn_node(contact_glove PACKAGE contact_glove EXECUTABLE contact_glove_node NAMESPACE contact_glove
  DESCRIPTION "Driver of the Diver-X Contact Glove over DivingStationProtocol.")
