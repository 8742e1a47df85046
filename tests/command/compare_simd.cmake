# SPDX-License-Identifier: Zlib
# `cullet compare --simd`: each instruction set of this machine gives the right pairs and is named. An instruction set
# that the machine lacks is refused.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

set(quick compare --bodies 700 --moving 100,20 --jumping 2 --steps 3 --warmup 0 --no-memory --check --format json)

set(found)
foreach(simd plain sse2 avx2 avx512 neon)
  execute_process(COMMAND ${CULLET} ${quick} --engines cullet-wide,core --simd ${simd} WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(result EQUAL 2)
    if(NOT err STREQUAL "cullet: --simd: this machine has no ${simd}\n" OR out)
      message(SEND_ERROR "--simd ${simd} was refused with '${err}', and '${out}' on stdout")
    endif()
    continue()
  endif()
  expect("exit code with ${simd}" "${result}" "0")
  json_column(ran "${out}" simd)
  json_column(algorithm "${out}" algorithm)
  json_column(checked "${out}" checked)
  expect("instruction set" "${ran}" "${simd};${simd};${simd};${simd}")
  expect("algorithm with ${simd}" "${algorithm}" "wide;wide;wide;wide")
  expect("checked with ${simd}" "${checked}" "ON;ON;ON;ON")
  list(APPEND found ${simd})
endforeach()
if(NOT plain IN_LIST found)
  message(SEND_ERROR "plain C must run everywhere; only these did: ${found}")
endif()
if(avx2 IN_LIST found AND neon IN_LIST found)
  message(SEND_ERROR "no processor has both AVX2 and NEON")
endif()

refuse("--simd: 'mmx' is none of auto, plain, sse2, avx2, avx512, neon" compare --simd mmx)
refuse("--simd: 'mmx' is none of auto, plain" replay --simd mmx nothing.cullet)

# Other algorithms ignore the option.
run(0 "" compare --bodies 100 --engines cullet-lbvh --simd plain --steps 2 --no-memory --format json)
json_column(ran "${OUT}" simd)
expect("instruction set of lbvh" "${ran}" "null")
