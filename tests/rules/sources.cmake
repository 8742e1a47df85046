# What the rules look at, and how they report. ROOT is the root of the sources; ONLY may name one of the files.
cmake_minimum_required(VERSION 3.22)
if(NOT EXISTS ${ROOT}/bridge/cullet.h)
  message(FATAL_ERROR "ROOT must name the root of the sources; it is '${ROOT}'")
endif()

set(PROBLEMS 0)

# Prints one problem; the run goes on to find the others.
function(report text)
  message("${text}")
  math(EXPR count "${PROBLEMS} + 1")
  set(PROBLEMS ${count} PARENT_SCOPE)
endfunction()

# Ends the run with what was found.
function(finish)
  if(PROBLEMS GREATER 0)
    message(FATAL_ERROR "${PROBLEMS} problems")
  endif()
endfunction()

# Our files under the given folders, relative to ROOT.
function(list_sources result)
  set(files)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE found RELATIVE ${ROOT}
      ${ROOT}/${folder}/*.c ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.hpp
      ${ROOT}/${folder}/*.cu ${ROOT}/${folder}/*.cuh)
    list(APPEND files ${found})
  endforeach()
  if(ONLY)
    list(FILTER files INCLUDE REGEX "^${ONLY}$")
  endif()
  list(SORT files)
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# The lines of a file that match, as a list. Brackets and semicolons would be taken for CMake's own.
function(match_lines result file regex)
  file(READ ${ROOT}/${file} text)
  string(REGEX REPLACE "[][;]" " " text "${text}")
  string(REGEX MATCHALL "${regex}" lines "${text}")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()
