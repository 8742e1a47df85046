# SPDX-License-Identifier: Zlib
# Functions by which the scripts of this folder run the program and report failures. CULLET is the program's path, WORK
# a folder for the script's files.
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

# refuse(<regular expression> <arguments>...): expects one line that matches on stderr, nothing on stdout, exit code 2.
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

# shows(<regular expression>...): expects OUT to match each.
function(shows)
  foreach(expected IN LISTS ARGN)
    if(NOT OUT MATCHES "${expected}")
      message(SEND_ERROR "'${expected}' is not in the output:\n${OUT}")
    endif()
  endforeach()
endfunction()

# hides(<regular expression>...): expects OUT to match none.
function(hides)
  foreach(unexpected IN LISTS ARGN)
    if(OUT MATCHES "${unexpected}")
      message(SEND_ERROR "'${unexpected}' is in the output:\n${OUT}")
    endif()
  endforeach()
endfunction()

# is_png(<file>...): expects each of these files in WORK to be a PNG picture.
function(is_png)
  foreach(file IN LISTS ARGN)
    file(READ ${WORK}/${file} start LIMIT 8 HEX)
    expect("the first bytes of ${file}" "${start}" "89504e470d0a1a0a")
  endforeach()
endfunction()

# json_column(<variable> <document> <name>): stores the values with that name of all runs, in the order of the runs.
# Reads the lines of the document, because string(JSON) would parse the whole document again for each value.
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

# columns(<name>...): sets a variable of each name to the list of its values, one for each run of the JSON in OUT.
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

# expect_each(<name> <value>): expects this value in all runs.
function(expect_each name expected)
  json_column(values "${OUT}" ${name})
  list(REMOVE_DUPLICATES values)
  expect("${name} of all runs" "${values}" "${expected}")
endfunction()
