# SPDX-License-Identifier: Apache-2.0
# QoS and recording against strangers.
foreach(peer fastdds cyclone)
  set(program $<TARGET_FILE:peer.qos_${peer}>)
  set(receiver $<TARGET_FILE:test.ros_receiver>)
  tn_test(wire.ros.qos_${peer} SOURCES qos.c DEPENDS ros base msgs LIBRARIES test_ros_harness
    ARGS ${program} ${receiver} LABELS threaded)
  tn_script_test(wire.ros.qos_loss_${peer} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/lossy 25
    $<TARGET_FILE:test.wire.ros.qos_${peer}> ${program} ${receiver} loss LABELS soak)
endforeach()
tn_test(wire.ros.record SOURCES record.c DEPENDS ros base LIBRARIES test_ros_harness
  ARGS $<TARGET_FILE:peer.qos_fastdds> $<TARGET_FILE:peer.qos_cyclone> LABELS threaded)
