# SPDX-License-Identifier: Apache-2.0
# The ament form of build tree and install: share/<pkg>/… and the resource index by which ROS tools find a package.

# tn_ament_package(NAME SOURCE_DIR [FILES…]): package.xml and what else the package shares, below share/<NAME>.
function(tn_ament_package name source_dir)
  set(index share/ament_index/resource_index/packages)
  file(WRITE ${TN_PREFIX}/${index}/${name} "")
  install(FILES ${TN_PREFIX}/${index}/${name} DESTINATION ${index})
  file(GLOB_RECURSE files RELATIVE ${source_dir} CONFIGURE_DEPENDS ${source_dir}/*)
  list(FILTER files EXCLUDE REGEX "CMakeLists.txt$")
  foreach(file ${files})
    get_filename_component(dir ${file} DIRECTORY)
    configure_file(${source_dir}/${file} ${TN_PREFIX}/share/${name}/${file} COPYONLY)
    install(FILES ${source_dir}/${file} DESTINATION share/${name}/${dir})
  endforeach()
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
endfunction()
