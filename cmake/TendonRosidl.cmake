# SPDX-License-Identifier: Apache-2.0
# tn_rosidl_module(NAME ROOTS dir… PACKAGES pkg… [DEPENDS module…])
#   Module tn_<NAME> with the generated code of interface packages: headers "tn_msgs/<pkg>.h", one object per package.
#   "tn_msgs/all_<NAME>.h" declares the table tn_all_<NAME> of all its messages and of what they
#   use; DEPENDS names the modules that hold the latter. The roots are searched in their order for <pkg>/{msg,srv}/.
function(tn_rosidl_module name)
  cmake_parse_arguments(ARG "" "" "ROOTS;PACKAGES;DEPENDS" ${ARGN})
  set(include ${CMAKE_BINARY_DIR}/include)
  set(sources ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(inputs "")
  set(root_args "")
  foreach(root ${ARG_ROOTS})
    file(GLOB found CONFIGURE_DEPENDS ${root}/*/msg/*.msg ${root}/*/srv/*.srv)
    list(APPEND inputs ${found})
    list(APPEND root_args --root ${root})
  endforeach()
  set(headers ${include}/tn_msgs/all_${name}.h)
  set(codes ${sources}/all_${name}.c)
  foreach(package ${ARG_PACKAGES})
    list(APPEND headers ${include}/tn_msgs/${package}.h)
    list(APPEND codes ${sources}/${package}.c)
  endforeach()
  file(MAKE_DIRECTORY ${include}/tn_msgs ${sources})
  add_custom_command(
    OUTPUT ${headers} ${codes}
    COMMAND tendon-rosidl generate ${root_args} --include ${include}/tn_msgs --source ${sources} --table ${name}
      ${ARG_PACKAGES}
    DEPENDS tendon-rosidl ${inputs}
    COMMENT "Generating message code (tn_${name})"
    VERBATIM)
  tn_module(${name} SOURCES ${codes} ${headers} DEPENDS rosidl ${ARG_DEPENDS})
  target_include_directories(tn_${name} PUBLIC ${include})
  # a program keeps only the types it names
  target_compile_options(tn_${name} PRIVATE -ffunction-sections -fdata-sections)
  target_link_options(tn_${name} INTERFACE -Wl,--gc-sections)
endfunction()
