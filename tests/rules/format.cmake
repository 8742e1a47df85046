# Every source is as clang-format 14 would leave it. Other versions differ in details, so they are not asked.
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

set(version)
if(CLANG_FORMAT)
  execute_process(COMMAND ${CLANG_FORMAT} --version OUTPUT_VARIABLE version)
endif()
if(NOT version MATCHES "version 14\\.")
  message("clang-format 14 was not found: formatting was not checked")
  return()
endif()

list_sources(files bridge gpu plugin demos tests)
foreach(file IN LISTS files)
  execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror --style=file ${ROOT}/${file}
    RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    string(REGEX MATCH "^[^\n]*" first "${errors}")
    report("${first}")
  endif()
endforeach()
finish()
