# Checks the memory order of the exchanges and arrivals of gpu/core/atomic.h in the PTX; the emulated device cannot show
# it. In global memory, every thread exchanges or adds with release order. Behind a branch, the last thread alone loads
# with acquire order. In build_blocks.cu a barrier follows, so that the other lanes see the same writes. A fence or an
# acquiring exchange would give the same results, but every thread would invalidate its cache at each tree level.
# Variables: NVCC, ROOT, WORK and, if nvcc needs another host compiler than the default, HOST_COMPILER.
cmake_minimum_required(VERSION 3.22)
file(MAKE_DIRECTORY ${WORK})
if(HOST_COMPILER)
  set(ccbin -ccbin ${HOST_COMPILER})
endif()
set(ordering "fence|membar|[.]acq_rel[.](gpu|sys)|[.]acquire[.]|[.]release[.]")

function(expect_ordering architecture source pattern expected)
  set(ptx ${WORK}/${source}.ptx)
  execute_process(COMMAND ${NVCC} ${ccbin} -std=c++17 -arch=sm_${architecture} -ptx -fmad=false -O3 -DCLT_CUDA_OLDEST=75
      -I${ROOT} -I${ROOT}/bridge -o ${ptx} ${ROOT}/gpu/cuda/${source}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${source} does not compile:\n${output}")
  endif()
  file(STRINGS ${ptx} lines REGEX "${pattern}|^\t@!?%p[0-9]+ bra")
  string(REGEX MATCHALL "[a-z0-9.]*(${pattern})[a-z0-9.]*|bra" met "${lines}")
  list(JOIN met " " met)
  string(REGEX REPLACE "^(bra )+|( bra)+$" "" met "${met}")
  if(NOT met STREQUAL expected)
    message(SEND_ERROR "${source}, sm_${architecture}: expected '${expected}', found '${met}'")
  endif()
endfunction()

foreach(architecture 80 90)
  expect_ordering(${architecture} build_tree.cu "${ordering}"
    "atom.release.gpu.exch.b32 bra ld.acquire.gpu.b32")
  expect_ordering(${architecture} build_blocks.cu "${ordering}|bar[.]sync"
    "atom.release.gpu.add.u32 bra ld.acquire.gpu.b32 bar.sync")
endforeach()
