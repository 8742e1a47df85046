# Words that belong to one file only, words that were given up, and calls that a library must not make: it is a guest in
# someone else's process.
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

# forbid(<regex> <why> <files that may>  <folder>...)
function(forbid regex why allowed)
  list_sources(files ${ARGN})
  foreach(file IN LISTS files)
    match_lines(found ${file} "[^\n]*${regex}[^\n]*")
    if(found AND NOT "${file}" MATCHES "^(${allowed})$")
      foreach(line IN LISTS found)
        report("${file}: ${why}: ${line}")
      endforeach()
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
  "the library does not end its host, nor take its signals; but who has it verified asks for an exit code"
  "plugin/preload/CulletInterpose\\.c" bridge gpu plugin)
forbid("std::c(out|err|log)" "the library does not print" "none" bridge gpu plugin)

# One word for one thing: unsorted, outlier, scene statistics, pending, failover and promotion have taken these words'
# place.
set(retired "(^|[^A-Za-z])(stray|aside[^C]|survey|skis|owed|takeover|successor)")
forbid("(${retired}|Stray|Aside|Survey|Owed|Takeover|Successor)"
  "a word that was given up" "none" bridge gpu plugin demos tests)

# Files open with their licence.
list_sources(files bridge gpu plugin demos tests)
foreach(file IN LISTS files)
  file(STRINGS ${ROOT}/${file} first LIMIT_COUNT 1)
  if(NOT first MATCHES "SPDX-License-Identifier: Zlib")
    report("${file}: the first line must be the SPDX one")
  endif()
endforeach()
finish()
