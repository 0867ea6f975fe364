# SPDX-License-Identifier: Apache-2.0
# tn_rosidl_module(NAME ROOTS dir… PACKAGES pkg… [INTERPRETED pkg…] [DEPENDS module…])
#   Module tn_<NAME> with the generated code of interface packages: headers "tn_msgs/<pkg>.h", one object per package.
#   "tn_msgs/all_<NAME>.h" declares the table tn_all_<NAME> of all its messages and of what they
#   use; DEPENDS names the modules that hold the latter. INTERPRETED packages get no straight-line code: the field table
#   serves them. The roots are searched in their order for <pkg>/{msg,srv,action}/.
#   TN_ROSIDL_COMPILER names a tendon-rosidl of another build, where this build's own cannot run (another machine, or a
#   sanitizer that wants every library instrumented).
set(TN_ROSIDL_COMPILER "" CACHE FILEPATH "A ready interface compiler; empty: the one of this build")
function(tn_rosidl_module name)
  cmake_parse_arguments(ARG "" "" "ROOTS;PACKAGES;INTERPRETED;DEPENDS" ${ARGN})
  set(include ${CMAKE_BINARY_DIR}/include)
  set(sources ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(inputs "")
  set(root_args "")
  foreach(root ${ARG_ROOTS})
    file(GLOB found CONFIGURE_DEPENDS ${root}/*/msg/*.msg ${root}/*/srv/*.srv
      ${root}/*/action/*.action)
    list(APPEND inputs ${found})
    list(APPEND root_args --root ${root})
  endforeach()
  set(headers ${include}/tn_msgs/all_${name}.h)
  set(codes ${sources}/all_${name}.c)
  set(interpret_args "")
  foreach(package ${ARG_INTERPRETED})
    list(APPEND interpret_args --interpret ${package})
  endforeach()
  foreach(package ${ARG_PACKAGES})
    list(APPEND headers ${include}/tn_msgs/${package}.h)
    list(APPEND codes ${sources}/${package}.c)
  endforeach()
  file(MAKE_DIRECTORY ${include}/tn_msgs ${sources})
  set(compiler tendon-rosidl)
  if(TN_ROSIDL_COMPILER)
    set(compiler ${TN_ROSIDL_COMPILER})
  endif()
  add_custom_command(
    OUTPUT ${headers} ${codes}
    COMMAND ${compiler} generate ${root_args} --include ${include}/tn_msgs --source ${sources} --table ${name}
      ${interpret_args} ${ARG_PACKAGES}
    DEPENDS ${compiler} ${inputs}
    COMMENT "Generating message code (tn_${name})"
    VERBATIM)
  tn_module(${name} SOURCES ${codes} ${headers} DEPENDS rosidl ${ARG_DEPENDS})
  target_include_directories(tn_${name} PUBLIC ${include})
  # a program keeps only the types it names
  target_compile_options(tn_${name} PRIVATE -ffunction-sections -fdata-sections)
  target_link_options(tn_${name} INTERFACE -Wl,--gc-sections)
endfunction()
