# SPDX-License-Identifier: Apache-2.0
# The peer of services has the identity in its types, as rmw_cyclonedds_cpp puts it on the wire.
set(types ${peer}/service_peer_types)
set(idl ${CMAKE_SOURCE_DIR}/test/peers/cyclone/service_peer_types.idl)
add_custom_command(
  OUTPUT ${types}.c ${types}.h
  COMMAND ${TN_IDLC} -t -o ${peer} ${idl}
  DEPENDS ${idl})
add_library(bench_service_types STATIC ${types}.c ${types}.h)
target_include_directories(bench_service_types SYSTEM PUBLIC ${peer})
target_link_libraries(bench_service_types PUBLIC CycloneDDS::ddsc)
bench_program(bench_service_bare SOURCES service_bare.c measure.c LIBRARIES bench_service_types)
bench_program(bench_service_ours SOURCES service_ours.c measure.c LIBRARIES tn_msgs tn_ros)
