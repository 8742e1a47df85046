# The library compiles for 64-bit ARM without a warning, its NEON loops included. COMPILER is a C compiler for it, ROOT the
# repository.
file(GLOB sources ${ROOT}/bridge/*.c ${ROOT}/gpu/*.c ${ROOT}/gpu/host/*.c ${ROOT}/gpu/cuda/absent.c)
list(FILTER sources EXCLUDE REGEX "_(sse2|avx2|avx512)\\.c$")
foreach(source IN LISTS sources)
  execute_process(
    COMMAND ${COMPILER} -std=c11 -Wall -Wextra -pedantic -Wconversion -Werror -ffp-contract=off -fsyntax-only
      -I${ROOT} -I${ROOT}/bridge ${source}
    RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${source}:\n${errors}")
  endif()
endforeach()
