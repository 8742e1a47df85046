# SPDX-License-Identifier: Zlib
# The command line of `cullet stress`: what it prints, and that nonsense ends in one line and exit code 2.
#
#     cmake -D CULLET=<path of the program> -D HAS_DOUBLE=<ON or OFF> -P command.cmake

# run(<exit code> <regular expression for stderr> <arguments>...): leaves what went to stdout in OUT.
function(run code expected)
  execute_process(COMMAND ${CULLET} stress ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT result STREQUAL "${code}" OR NOT err MATCHES "${expected}")
    message(SEND_ERROR "stress ${ARGN}: exit code ${result}, expected ${code}; stderr '${err}', expected '${expected}'")
  endif()
  set(OUT "${out}" PARENT_SCOPE)
endfunction()

function(refuse expected)
  run(2 "^cullet: [^\n]*${expected}[^\n]*\n$" ${ARGN})
  if(OUT)
    message(SEND_ERROR "stress ${ARGN}: was refused, but wrote to stdout: '${OUT}'")
  endif()
endfunction()

run(0 "^60 bodies, seed 8, own cache, float, auto\n$" --bodies 60 --steps 40 --seed 8)
if(NOT OUT MATCHES "40 steps in [0-9.]+ s: nothing wrong" OR NOT OUT MATCHES "calculateOverlappingPairs +[4-9][0-9]\n")
  message(SEND_ERROR "the table of 40 steps: '${OUT}'")
endif()
run(0 "hashed cache, float, grid" --bodies 60 --steps 10 --cache hashed --algorithm grid --threads 1 --check-every 3)
run(0 "frontier" --bodies 60 --steps 10 --algorithm frontier)
run(0 "" --bodies 60 --minutes 0.005)
if(HAS_DOUBLE)
  run(0 "own cache, double, auto" --bodies 60 --steps 10 --precision double)
endif()

refuse("--bodies: '0' is not a whole number from 1" --bodies 0)
refuse("--bodies: '1.5' is not" --bodies 1.5)
refuse("--minutes: '0' is not" --minutes 0)
refuse("--minutes: 'nan' is not" --minutes nan)
refuse("--steps: '-1' is not" --steps -1)
refuse("--minutes excludes --steps" --steps 5 --minutes 5)
refuse("--seed: 'x' is not" --seed x)
refuse("--check-every: '0' is not" --check-every 0)
refuse("--cache: 'sorted' is none of own, hashed" --cache sorted)
refuse("--precision: 'half' is none of float, double" --precision half)
refuse("--algorithm: 'sap' is none of" --algorithm sap)
refuse("--threads: '257' is not" --threads 257)
refuse("sideways" --sideways)
