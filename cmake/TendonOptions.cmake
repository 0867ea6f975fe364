# SPDX-License-Identifier: Apache-2.0
# Options, compiler flags and the form of the build tree.
option(TN_TESTS "Build the tests" ON)
option(TN_PEERS "Build the independent test peers (Fast DDS, idlc, liblo)" ON)
option(TN_BENCH "Build the benchmarks" OFF)
option(TN_FUZZ "Build the libFuzzer targets (clang only)" OFF)
set(TN_SANITIZE "" CACHE STRING "Comma-separated sanitizers: address,undefined | thread | memory")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

set(TN_WARNINGS
  -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wdouble-promotion -Wswitch-enum -Wfloat-equal -Wundef
  -Wcast-align -Wshadow -Wmissing-declarations -Wstrict-prototypes -Wvla -Werror)
add_compile_definitions(_POSIX_C_SOURCE=200809L)
add_compile_options(-fno-common -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
if(TN_SANITIZE)
  add_compile_options(-fsanitize=${TN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TN_SANITIZE})
endif()
if(TN_FUZZ)
  # the fuzzer steers by the branches of the code under test, not only by those of its own file
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# The build tree is itself an ament prefix: {bin,lib/<pkg>/<exe>,share/<pkg>}.
set(TN_PREFIX ${CMAKE_BINARY_DIR})
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${TN_PREFIX}/bin)
