# SPDX-License-Identifier: Zlib
# The manual page has every subcommand with all options of its help. If groff is installed, it reports no error.
# Completion offers the same (COMPLETION is the script, BASH the shell).
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

# complete(<words that must be offered, in their order> <the line after the program's name, as bash reads it>): expects
# these words for the last word of the line.
function(complete expected line)
  execute_process(
    COMMAND ${BASH} --norc -ec "source ${COMPLETION}; COMP_WORDS=(${CULLET} ${line})
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _cullet; echo \"\${COMPREPLY[@]}\""
    OUTPUT_VARIABLE out OUTPUT_STRIP_TRAILING_WHITESPACE)
  expect("completion of ${line}" "${out}" "${expected}")
endfunction()

run(0 "^$" --manual)
set(manual "${OUT}")
string(REPLACE "\\-" "-" text "${manual}")
run(0 "^$" --help)
string(REGEX REPLACE ".*Subcommands:\n" "" subcommands "${OUT}")
string(REGEX MATCHALL "\n  [a-z]+ " subcommands "\n${subcommands}")
list(TRANSFORM subcommands STRIP)
list(LENGTH subcommands count)
if(count LESS 6)
  message(SEND_ERROR "the help lists ${count} subcommands: ${OUT}")
endif()
foreach(subcommand IN LISTS subcommands)
  string(REGEX REPLACE ".*[.]SS ${subcommand}\n(.*)" "\\1" section "${text}")
  string(REGEX REPLACE "\n[.]S[SH] .*" "" section "${section}")
  run(0 "^$" ${subcommand} --help)
  string(REGEX MATCHALL "\n  --[a-z-]+" options "${OUT}")
  foreach(option IN LISTS options)
    string(STRIP "${option}" option)
    if(NOT section MATCHES "\n\\\\fB${option}\\\\fR")
      message(SEND_ERROR "the manual has no ${option} of ${subcommand}")
    endif()
  endforeach()
endforeach()

find_program(GROFF groff)
if(GROFF)
  file(WRITE ${WORK}/cullet.1 "${manual}")
  execute_process(COMMAND ${GROFF} -man -Tutf8 -ww ${WORK}/cullet.1 OUTPUT_QUIET ERROR_VARIABLE warnings)
  expect("what groff says" "${warnings}" "")
endif()

if(BASH)
  string(REPLACE ";" " " all "${subcommands}")
  complete("--help --version ${all}" "''")
  complete("record replay" "re")
  complete("--bodies --broadphase" "record --b")
  complete("" "compare --scene ''")
  complete("" "compare -- --s")
endif()
