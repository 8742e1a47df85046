# Checks the PTX of the exchanges by which threads meet in a climb (gpu/core/atomic.h); the emulation cannot show it. In
# global memory it must have an exchange with release order and, behind a branch that only the second thread takes, a
# load with acquire order. With a fence or an acquiring exchange, every thread would invalidate its cache at each level.
# Variables: NVCC, ROOT, WORK.
cmake_minimum_required(VERSION 3.22)
file(MAKE_DIRECTORY ${WORK})
set(ptx ${WORK}/build_tree.ptx)
foreach(architecture 80 90)
  execute_process(COMMAND ${NVCC} -std=c++17 -arch=sm_${architecture} -ptx -fmad=false -O3 -DCLT_CUDA_OLDEST=75
      -I${ROOT} -I${ROOT}/bridge -o ${ptx} ${ROOT}/gpu/cuda/build_tree.cu
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "build_tree.cu does not compile:\n${output}")
  endif()
  set(ordering "fence|membar|[.]acq_rel[.](gpu|sys)|[.]acquire[.]|[.]release[.]")
  file(STRINGS ${ptx} lines REGEX "${ordering}|^\t@!?%p[0-9]+ bra")
  string(REGEX MATCHALL "[a-z0-9.]*(${ordering})[a-z0-9.]*|bra" met "${lines}")
  list(JOIN met " " met)
  string(REGEX REPLACE "^(bra )+|( bra)+$" "" met "${met}")
  if(NOT met STREQUAL "atom.release.gpu.exch.b32 bra ld.acquire.gpu.b32")
    message(SEND_ERROR "sm_${architecture}: expected an exchange with release and a load with acquire, found: ${met}")
  endif()
endforeach()
