# Compiles the library, with its loops for each instruction set, and expects no warning. COMPILER is a C compiler, ROOT
# the repository, OTHERS a pattern of the files that are for other processors.
set(flags_avx2 -mavx2 -mpopcnt -mbmi)
set(flags_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mpopcnt -mbmi)
file(GLOB sources ${ROOT}/bridge/*.c ${ROOT}/bridge/mesh/*.c ${ROOT}/gpu/*.c ${ROOT}/gpu/platform/*.c
  ${ROOT}/gpu/host/*.c ${ROOT}/gpu/host/*/*.c ${ROOT}/gpu/cuda/absent.c
  ${ROOT}/gpu/mesh/host/*.c ${ROOT}/gpu/mesh/cuda/absent.c)
list(FILTER sources EXCLUDE REGEX "${OTHERS}|/windows\\.c$")
foreach(source IN LISTS sources)
  string(REGEX MATCH "avx2|avx512" set ${source})
  execute_process(
    COMMAND ${COMPILER} -std=c11 -Wall -Wextra -pedantic -Wconversion -Werror -ffp-contract=off -fsyntax-only
      ${flags_${set}} -I${ROOT} -I${ROOT}/bridge ${source}
    RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${source}:\n${errors}")
  endif()
endforeach()
