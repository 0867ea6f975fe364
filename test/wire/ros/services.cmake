# SPDX-License-Identifier: Apache-2.0
# Services against strangers: packet loss, fragments, hostile peers, several servers, what a capture shows.
tn_test(wire.ros.service_local SOURCES service_local.c DEPENDS ros base msgs LIBRARIES test_ros_harness LABELS threaded)
if(NOT TN_PEERS)
  return()
endif()
set(peer_fastdds $<TARGET_FILE:peer.service_fastdds>)
set(peer_cyclone $<TARGET_FILE:peer.service_cyclone>)
# Fast DDS as the distributions after Humble have it
set(peer_fastdds_new $<TARGET_FILE:peer.service_fastdds> --new-ids)
set(lossy ${CMAKE_CURRENT_SOURCE_DIR}/lossy)

tn_test(wire.ros.service_calls SOURCES service_calls.c DEPENDS ros base msgs LIBRARIES test_ros_harness
  ARGS 50 2 10 ${peer_cyclone} LABELS threaded)
set(calls $<TARGET_FILE:test.wire.ros.service_calls>)
foreach(peer fastdds fastdds_new cyclone)
  tn_script_test(wire.ros.service_calls_lossy_${peer} COMMAND ${lossy} 25 --when-told ${calls} 100 4 10 ${peer_${peer}})
  tn_script_test(wire.ros.service_calls_big_${peer} COMMAND ${lossy} 5 --when-told ${calls} 10 2 200000 ${peer_${peer}})
  tn_script_test(wire.ros.service_calls_soak_${peer} COMMAND ${lossy} 25 --when-told ${calls} 1000 4 10 ${peer_${peer}}
    LABELS soak TIMEOUT 600)
endforeach()

tn_test(wire.ros.service_strangers SOURCES service_strangers.c DEPENDS ros base msgs LIBRARIES test_ros_harness
  ARGS ${peer_fastdds} ${peer_cyclone} LABELS threaded)
tn_test(wire.ros.service_fallback SOURCES service_fallback.c DEPENDS ros base msgs LIBRARIES test_ros_harness
  ARGS ${peer_fastdds} ${peer_cyclone})
target_link_options(test.wire.ros.service_fallback PRIVATE -Wl,--wrap=tn_ros__hook_inline_qos)
tn_script_test(wire.ros.service_capture COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/service_capture ${calls} ${peer_fastdds})
