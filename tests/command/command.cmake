# SPDX-License-Identifier: Zlib
# Functions with which the scripts of this folder run the program and report failures. CULLET is the program's path,
# WORK a folder of the script.
cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

# run(<exit code> <regular expression for stderr> <arguments>...): stores stdout in OUT and stderr in ERR.
function(run code expected)
  execute_process(COMMAND ${CULLET} ${ARGN} WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT result STREQUAL "${code}" OR NOT err MATCHES "${expected}")
    message(SEND_ERROR "${ARGN}: exit code ${result}, expected ${code}; stderr '${err}', expected '${expected}'")
  endif()
  set(OUT "${out}" PARENT_SCOPE)
  set(ERR "${err}" PARENT_SCOPE)
endfunction()

# Invalid input causes one line on stderr, exit code 2, and nothing on stdout.
function(refuse expected)
  run(2 "^cullet: [^\n]*${expected}[^\n]*\n$" ${ARGN})
  if(OUT)
    message(SEND_ERROR "${ARGN}: was refused, but wrote to stdout: '${OUT}'")
  endif()
endfunction()

# expect(<what> <actual> <expected>)
function(expect what actual expected)
  if(NOT "${actual}" STREQUAL "${expected}")
    message(SEND_ERROR "${what}: '${actual}', expected '${expected}'")
  endif()
endfunction()

# json_column(<variable> <document> <name>): the values of that name over all runs, in their order.
function(json_column variable document name)
  string(JSON count LENGTH "${document}" runs)
  set(values)
  math(EXPR last "${count} - 1")
  foreach(k RANGE ${last})
    string(JSON value GET "${document}" runs ${k} ${name})
    if(value STREQUAL "")
      set(value null) # what is empty would not count in a list
    endif()
    list(APPEND values "${value}")
  endforeach()
  set(${variable} "${values}" PARENT_SCOPE)
endfunction()
