# SPDX-License-Identifier: Zlib
# CT-55: the plugin compiles with the options that applications use. Arguments:
#   CXX      the compiler
#   CLANG    clang++, or empty
#   ROOT     the root of the sources
#   FLAGS    compiler options for Bullet in one precision, with its include folder
#   VERSIONS source trees of other versions of Bullet to try as well; may be empty
cmake_minimum_required(VERSION 3.22)

set(sources ${ROOT}/plugin/cullet_plugin.cpp)
file(GLOB headers ${ROOT}/bridge/cullet*.h ${ROOT}/bridge/mesh/cullet_mesh.h ${ROOT}/plugin/Cullet*.h)
list(APPEND headers ${ROOT}/plugin/pair_cache/CulletPairCache.h
  ${ROOT}/plugin/recorder/CulletRecorder.h ${ROOT}/plugin/recorder/CulletRecordFile.h)
set(common -std=c++11 -fsyntax-only -Wall -Wextra -Werror
  -I${ROOT}/bridge -I${ROOT}/bridge/mesh -I${ROOT}/plugin -I${ROOT}/plugin/recorder)
set(problems 0)
set(compiler ${CXX})

function(try name)
  execute_process(COMMAND ${compiler} ${common} ${ARGN} ${sources} RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(result EQUAL 0)
    message("compiles: ${name}")
  else()
    message("does not compile: ${name}\n${errors}")
    math(EXPR count "${problems} + 1")
    set(problems ${count} PARENT_SCOPE)
  endif()
endfunction()

set(strict -fno-exceptions -fno-rtti)
# Bullet turns SSE off on Linux. A program that turns SSE on must include emmintrin.h itself.
set(sse -DBT_USE_SSE -DBT_USE_SSE_IN_API -DBT_USE_SIMD_VECTOR3 -include emmintrin.h)

try("without exceptions and run-time types" ${FLAGS} ${strict})
try("BT_THREADSAFE=1" ${FLAGS} ${strict} -DBT_THREADSAFE=1)
try("each header alone" ${FLAGS} -x c++ ${headers})
execute_process(COMMAND ${CXX} -dumpmachine OUTPUT_VARIABLE machine)
if(machine MATCHES "x86_64.*linux" AND NOT "${FLAGS}" MATCHES "DOUBLE") # Bullet has SSE for floats, not for mingw
  try("SSE" ${FLAGS} ${strict} ${sse})
endif()

# What programs compile has no extensions of gcc, for MSVC. Without SSE2, lanes are arrays.
if(CLANG)
  set(compiler ${CLANG})
  set(pure ${FLAGS} -std=c++14 -pedantic-errors -Wgnu -Wno-unused-function)
  try("clang, without extensions" ${pure})
  try("clang, without extensions, each header alone" ${pure} -x c++ ${headers})
  try("clang, without extensions and SSE2" ${pure} -U__SSE2__ -x c++ ${ROOT}/plugin/CulletGImpactAlgorithm.h)
  set(compiler ${CXX})
endif()

list(FILTER FLAGS INCLUDE REGEX "^-D") # the headers of another version replace the installed ones
foreach(version IN LISTS VERSIONS)
  if(NOT EXISTS ${version}/src/LinearMath/btScalar.h)
    message(FATAL_ERROR "${version} is not a source tree of Bullet")
  endif()
  try("${version}" -isystem ${version}/src ${FLAGS} ${strict})
  try("${version}, BT_THREADSAFE=1" -isystem ${version}/src ${FLAGS} ${strict} -DBT_THREADSAFE=1)
endforeach()

if(problems GREATER 0)
  message(FATAL_ERROR "${problems} of them do not compile")
endif()
