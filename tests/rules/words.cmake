# Words that belong to one file only, retired words, words that treat things as people, and calls that a library must
# not make: it is a guest in its host's process.
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

# forbid(<extended regex> <why> <files that may>  <folder>...)
function(forbid regex why allowed)
  list_sources(files ${ARGN})
  if(NOT files)
    return()
  endif()
  execute_process(COMMAND grep -nE "${regex}" /dev/null ${files} WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE found)
  string(REGEX REPLACE "[][;]" " " found "${found}") # they would be CMake's own
  string(REGEX MATCHALL "[^\n]+" found "${found}")
  foreach(line IN LISTS found)
    string(REGEX REPLACE ":.*" "" file "${line}")
    if(NOT "${file}" MATCHES "^(${allowed})$")
      report("${why}: ${line}")
    endif()
  endforeach()
  set(PROBLEMS ${PROBLEMS} PARENT_SCOPE)
endfunction()

forbid("__CUDACC__" "only callable.h asks which compiler reads" "gpu/core/callable\\.h" bridge gpu plugin demos)
forbid("__CUDA_ARCH__" "only atomic.h and bits.h tell device from host" "gpu/core/(atomic|bits)\\.h"
  bridge gpu plugin demos)
forbid("(^|[^A-Za-z0-9_.>:])(v?f?printf|puts|fputs|putchar|perror) *\\(" "the library does not print" "none"
  bridge gpu plugin)
forbid("(^|[^A-Za-z0-9_.>:])(exit|_Exit|_exit|abort|quick_exit|raise|signal|sigaction) *\\("
  "the library neither ends its host nor takes its signals, unless the user asks the verifier for an exit code"
  "plugin/preload/CulletInterpose\\.c" bridge gpu plugin)
forbid("std::c(out|err|log)" "the library does not print" "none" bridge gpu plugin)

# One word for one thing: unsorted, outlier, scene statistics, pending, failover, promotion and reported pairs have
# replaced these words.
set(retired "(^|[^A-Za-z])(stray|aside([^C]|$)|survey|skis|owed|takeover|successor)")
forbid("(${retired}|Stray|Aside|Survey|Owed|Takeover|Successor|ToldPairs|nobodyRefuses)"
  "a retired word" "none" bridge gpu plugin demos tests)

# Things are not people: of 1,000 comment lines of a folder at most `limit` have a pronoun of people (people.awk), and
# no identifier has one.
function(limit_people folder limit)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.cmake ${ROOT}/${folder}/*.txt ${ROOT}/${folder}/*.sh
    ${ROOT}/${folder}/*.py ${ROOT}/${folder}/*.awk)
  list_sources(sources ${folder})
  list(APPEND files ${sources})
  if(ONLY)
    set(files ${sources})
  endif()
  if(files)
    require_no_people(${folder} ${limit} ${files})
    set(PROBLEMS ${PROBLEMS} PARENT_SCOPE)
  endif()
endfunction()

function(require_no_people what limit)
  execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/people.awk ${ARGN} WORKING_DIRECTORY ${ROOT}
    OUTPUT_VARIABLE found)
  string(REGEX MATCH "([0-9]+) of ([0-9]+)\n$" total "${found}")
  math(EXPR excess "1000 * ${CMAKE_MATCH_1} - ${limit} * ${CMAKE_MATCH_2}")
  if(excess GREATER 0 OR "${found}" MATCHES ": a name: ")
    report("${what}: more than ${limit} of 1,000 comment lines have a pronoun of people, or an identifier:\n${found}")
  endif()
  set(PROBLEMS ${PROBLEMS} PARENT_SCOPE)
endfunction()

foreach(folder bridge demos gpu plugin tests)
  limit_people(${folder} 3)
endforeach()
file(GLOB_RECURSE pages RELATIVE ${ROOT} ${ROOT}/bridge/*.md ${ROOT}/demos/*.md ${ROOT}/gpu/*.md ${ROOT}/plugin/*.md
  ${ROOT}/tests/*.md)
file(GLOB headers RELATIVE ${ROOT} ${ROOT}/plugin/Cullet*.h ${ROOT}/bridge/cullet*.h ${ROOT}/bridge/mesh/cullet*.h)
list(APPEND pages README.md ${headers})
foreach(page IN LISTS pages)
  if(NOT ONLY OR page STREQUAL ONLY)
    require_no_people(${page} 0 ${page})
  endif()
endforeach()

# Files open with their licence.
list_sources(files bridge gpu plugin demos tests)
foreach(file IN LISTS files)
  file(STRINGS ${ROOT}/${file} first LIMIT_COUNT 1)
  if(NOT first MATCHES "SPDX-License-Identifier: Zlib")
    report("${file}: the first line must be the SPDX one")
  endif()
endforeach()
finish()
