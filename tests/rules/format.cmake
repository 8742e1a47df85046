# Every source is as clang-format 14 would leave it; other versions differ in details, so they are not asked. No line is
# longer than its 120 columns, also where it does not look: in comments, in strings, and in other languages.
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

list_sources(files bridge gpu plugin demos tests)
file(GLOB_RECURSE others RELATIVE ${ROOT}
  ${ROOT}/bridge/*.txt ${ROOT}/gpu/*.txt ${ROOT}/plugin/*.txt ${ROOT}/demos/*.txt
  ${ROOT}/demos/*.sh ${ROOT}/tests/*.txt ${ROOT}/tests/*.cmake ${ROOT}/tests/*.sh)
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C.UTF-8 grep -nE "^.{121}" CMakeLists.txt ${files} ${others}
  WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE long)
string(REGEX MATCHALL "[^\n:]+:[0-9]+:" long "${long}")
foreach(place IN LISTS long)
  report("${place} longer than 120 columns")
endforeach()

set(version)
if(CLANG_FORMAT)
  execute_process(COMMAND ${CLANG_FORMAT} --version OUTPUT_VARIABLE version)
endif()
if(NOT version MATCHES "version 14\\.")
  message("clang-format 14 was not found: formatting was not checked")
  finish()
  return()
endif()
execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror --style=file ${files}
  WORKING_DIRECTORY ${ROOT} ERROR_VARIABLE errors)
string(REGEX MATCHALL "[^\n]*: error: [^\n]*" errors "${errors}")
foreach(error IN LISTS errors)
  report("${error}")
endforeach()
finish()
