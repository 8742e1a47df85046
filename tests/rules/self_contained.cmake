# Each header compiles alone and included twice, in every language that may read it. C and CXX name the compilers.
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

set(WORK ${CMAKE_CURRENT_BINARY_DIR}/self_contained)
string(RANDOM LENGTH 8 suffix)
set(WORK ${WORK}_${suffix})

# Tries `header` in a file of its own with the given compiler and flags.
function(try header extension)
  set(source ${WORK}/twice.${extension})
  file(WRITE ${source} "#include \"${header}\"\n#include \"${header}\"\n")
  execute_process(COMMAND ${ARGN} -fsyntax-only -Wall -Wextra -pedantic -Werror
      -I${ROOT} -I${ROOT}/bridge -I${ROOT}/bridge/mesh ${source}
    RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    report("${header} does not compile alone as ${extension}:\n${errors}")
    set(PROBLEMS ${PROBLEMS} PARENT_SCOPE)
  endif()
endfunction()

# What is read only under certain flags. The headers of other processors cannot be read here at all.
set(flags_of_gpu/host/wide/simd_avx2.h -mavx2)
set(flags_of_gpu/host/wide/simd_avx512.h -mavx512f -mavx512bw -mavx512dq -mavx512vl)
set(flags_of_bridge/python/world.h -D_POSIX_C_SOURCE=200809L)
set(flags_of_gpu/host/wide/kernels_body.h -DCLT_KERNELS=kernels -DCLT_KERNELS_SIMD=clt_simdAuto)
cmake_host_system_information(RESULT processor QUERY OS_PLATFORM)
if(processor MATCHES "^(aarch64|arm64)$")
  set(foreign "^gpu/host/wide/simd_(x86|sse2|avx2|avx512)\\.h$")
else()
  set(foreign "^gpu/host/wide/simd_(neon|x86)\\.h$")
endif()

list_sources(files bridge gpu)
foreach(file IN LISTS files)
  if(file MATCHES "\\.h$" AND NOT file MATCHES "^gpu/cuda/" AND NOT file MATCHES "${foreign}")
    try(${file} c ${C} ${flags_of_${file}} -std=c11 -Wconversion -Wmissing-prototypes -Wstrict-prototypes)
  endif()
  if(file MATCHES "^(bridge/(mesh/)?cullet(_mesh)?|gpu/(mesh/)?core/.*)\\.h$")
    try(${file} cpp ${CXX} -std=c++17)
  endif()
endforeach()
file(REMOVE_RECURSE ${WORK})
finish()
