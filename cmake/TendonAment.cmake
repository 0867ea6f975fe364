# SPDX-License-Identifier: Apache-2.0
# The ament form of build tree and install: share/<pkg>/…, the resource index by which ROS tools find a package and its
# interfaces, and the setup files that a shell sources.

set(TN_AMENT_INDEX share/ament_index/resource_index)
set(TN_SETUP_FILES local_setup.sh local_setup.bash local_setup.zsh setup.sh setup.bash setup.zsh)

# tn_ament_resource(TYPE NAME CONTENT): one entry of the index
function(tn_ament_resource type name content)
  file(WRITE ${TN_PREFIX}/${TN_AMENT_INDEX}/${type}/${name} "${content}")
  install(FILES ${TN_PREFIX}/${TN_AMENT_INDEX}/${type}/${name} DESTINATION ${TN_AMENT_INDEX}/${type})
endfunction()

# what a package needs at run time, as ament lists it: a;b;c
function(tn_ament_run_dependencies package_xml out)
  file(READ ${package_xml} text)
  string(REGEX MATCHALL "<(depend|exec_depend)>[a-zA-Z0-9_-]+<" tags "${text}")
  set(names "")
  foreach(tag ${tags})
    string(REGEX REPLACE "^<[a-z_]+>([a-zA-Z0-9_-]+)<$" "\\1" name "${tag}")
    list(APPEND names ${name})
  endforeach()
  list(SORT names)
  list(REMOVE_DUPLICATES names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# tn_ament_package(NAME SOURCE_DIR): package.xml and what else the package shares, below share/<NAME>.
function(tn_ament_package name source_dir)
  tn_ament_resource(packages ${name} "")
  tn_ament_run_dependencies(${source_dir}/package.xml dependencies)
  tn_ament_resource(package_run_dependencies ${name} "${dependencies}")
  file(GLOB_RECURSE files RELATIVE ${source_dir} CONFIGURE_DEPENDS ${source_dir}/*)
  list(FILTER files EXCLUDE REGEX "CMakeLists.txt$")
  foreach(file ${files})
    get_filename_component(dir ${file} DIRECTORY)
    configure_file(${source_dir}/${file} ${TN_PREFIX}/share/${name}/${file} COPYONLY)
    install(FILES ${source_dir}/${file} DESTINATION share/${name}/${dir})
  endforeach()
  set(interfaces ${files})
  list(FILTER interfaces INCLUDE REGEX "^(msg|srv|action)/[A-Za-z0-9]+\\.(msg|srv|action)$")
  if(interfaces)
    list(SORT interfaces)
    list(JOIN interfaces "\n" lines)
    tn_ament_resource(rosidl_interfaces ${name} "${lines}")
  endif()
endfunction()

# setup.bash and its like, at the top of the prefix
function(tn_ament_setup_files)
  string(REPLACE "'" "'\\''" TN_SETUP_PREFIX "${TN_PREFIX}")
  set(TN_SETUP_PREFIX "'${TN_SETUP_PREFIX}'")
  foreach(name ${TN_SETUP_FILES})
    configure_file(${CMAKE_SOURCE_DIR}/cmake/setup/${name}.in ${TN_PREFIX}/${name} @ONLY)
  endforeach()
  # for setup files of ament's, when this is installed into a prefix that has some
  file(WRITE ${TN_PREFIX}/share/tendon/package.dsv
    "prepend-non-duplicate;AMENT_PREFIX_PATH;\nprepend-non-duplicate;PATH;bin\n")
  install(FILES ${TN_PREFIX}/share/tendon/package.dsv DESTINATION share/tendon)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/setup/install.cmake.in ${CMAKE_BINARY_DIR}/install_setup.cmake @ONLY)
  install(SCRIPT ${CMAKE_BINARY_DIR}/install_setup.cmake)
endfunction()

# Every package that the build provides.
function(tn_ament_packages)
  foreach(package contact_glove tendon)
    if(EXISTS ${CMAKE_SOURCE_DIR}/share/${package}/package.xml)
      tn_ament_package(${package} ${CMAKE_SOURCE_DIR}/share/${package})
    endif()
  endforeach()
  foreach(package contact_glove_msgs end_effector_interfaces tendon_msgs)
    tn_ament_package(${package} ${CMAKE_SOURCE_DIR}/interfaces/own/${package})
  endforeach()
  tn_ament_setup_files()
endfunction()
