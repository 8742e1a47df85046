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

# refuse(<regular expression for stderr> <arguments>...): expects one line there, exit code 2, and nothing on stdout.
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

# shows(<regular expression>...): OUT matches each.
function(shows)
  foreach(expected IN LISTS ARGN)
    if(NOT OUT MATCHES "${expected}")
      message(SEND_ERROR "'${expected}' is not in the output:\n${OUT}")
    endif()
  endforeach()
endfunction()

# hides(<regular expression>...): OUT matches none.
function(hides)
  foreach(unexpected IN LISTS ARGN)
    if(OUT MATCHES "${unexpected}")
      message(SEND_ERROR "'${unexpected}' is in the output:\n${OUT}")
    endif()
  endforeach()
endfunction()

# is_png(<file>...): each file of WORK is a PNG picture.
function(is_png)
  foreach(file IN LISTS ARGN)
    file(READ ${WORK}/${file} start LIMIT 8 HEX)
    expect("the first bytes of ${file}" "${start}" "89504e470d0a1a0a")
  endforeach()
endfunction()

# json_column(<variable> <document> <name>): stores the values of that name over all runs, in their order. Reads the
# lines of the document, because string(JSON) would parse all of it again for each value.
function(json_column variable document name)
  string(JSON count LENGTH "${document}" runs)
  string(REGEX MATCHALL "\n      \"${name}\": [^\n]*" values "${document}")
  list(TRANSFORM values REPLACE "^[^:]*: \"?([^\",]*)\"?,?$" "\\1")
  list(TRANSFORM values REPLACE "^true$" ON)
  list(TRANSFORM values REPLACE "^false$" OFF)
  list(LENGTH values found)
  expect("runs with ${name}" "${found}" "${count}")
  set(${variable} "${values}" PARENT_SCOPE)
endfunction()

# columns(<name>...): stores the values of each name over all runs of the JSON in OUT, in a variable of that name.
macro(columns)
  foreach(name ${ARGN})
    json_column(${name} "${OUT}" ${name})
  endforeach()
endmacro()

# expect_column(<name> <values>)
function(expect_column name expected)
  json_column(values "${OUT}" ${name})
  expect("${name}" "${values}" "${expected}")
endfunction()

# expect_each(<name> <value>): all runs have that value.
function(expect_each name expected)
  json_column(values "${OUT}" ${name})
  list(REMOVE_DUPLICATES values)
  expect("${name} of all runs" "${values}" "${expected}")
endfunction()
