# SPDX-License-Identifier: Zlib
# demos/bench makes complete tables of measurements. The tables name the machine and the date.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
find_program(GNUPLOT gnuplot)
find_program(PYTHON python3)
if(NOT GNUPLOT OR NOT PYTHON)
  message("gnuplot or python3 was not found: the bench was not tested")
  return()
endif()
set(bench ${CMAKE_CURRENT_LIST_DIR}/../../demos/bench)

execute_process(COMMAND ${bench}/run.sh ${CULLET} ${WORK}/out 60,300 RESULT_VARIABLE result OUTPUT_QUIET
  ERROR_VARIABLE err)
expect("exit code of run.sh" "${result}" "0")
file(READ ${WORK}/out/tables.md tables)
foreach(row
    "| bodies | 60 | 300 |" "| brownian, all moving, slow | [0-9.]+ | [0-9.]+ |"
      "| mixed, all moving | [0-9.]+ | [0-9.]+ |"
      "| tremble, all moving | [0-9.]+ | [0-9.]+ |"
    "| teams, large displacements | 300 | [0-9]+ | [0-9.]+ .[0-9.]+. | [0-9.]+ .[0-9.]+. | [0-9.]+ .1.00. |"
    "| clustered, changes and full list, two threads over one | [0-9.]+ | [0-9.]+ |"
    "| brownian, 1 % moving, eight steps in a row | [0-9.]+ | [0-9.]+ |"
      "| core, 10 % moving, times as long | [0-9.]+ | [0-9.]+ |" "| dbvt | [0-9.]+ | [0-9.]+ |"
        "cullet [0-9a-z-]+; 20[0-9-]+\\.")
  string(REPLACE "|" "\\|" row "${row}")
  if(NOT tables MATCHES "${row}")
    message(SEND_ERROR "no '${row}' in the tables:\n${tables}\n${err}")
  endif()
endforeach()
if(tables MATCHES "–" OR tables MATCHES "${WORK}")
  message(SEND_ERROR "a gap, or a folder of this machine, in the tables:\n${tables}")
endif()
foreach(picture motion scenes)
  if(NOT EXISTS ${WORK}/out/${picture}.svg)
    message(SEND_ERROR "run.sh drew no ${picture}.svg")
  endif()
endforeach()

# A ratio is the quotient of two measured times.
file(READ ${WORK}/out/slow.json slow)
string(JSON dbvt GET "${slow}" runs 0 total_ms)
string(JSON cullet GET "${slow}" runs 2 total_ms)
execute_process(COMMAND ${PYTHON} -c "print(f'{${dbvt} / ${cullet}:.3g}')" OUTPUT_VARIABLE ratio
  OUTPUT_STRIP_TRAILING_WHITESPACE)
set(OUT "${tables}")
shows("all moving, slow \\| ${ratio}")

# A scene that is measured at a size of its own has a row with that size. No other table gets a column for this size.
file(READ ${WORK}/out/teams.json teams)
string(REPLACE "\"bodies\": 300" "\"bodies\": 234" teams "${teams}")
file(WRITE ${WORK}/out/teams.json "${teams}")
execute_process(COMMAND ${PYTHON} ${bench}/tables.py ${WORK}/out OUTPUT_VARIABLE OUT)
shows("\\| teams \\| 234 \\|")
hides("\\| 60 \\| 234 \\|")

file(MAKE_DIRECTORY ${WORK}/empty)
execute_process(COMMAND ${PYTHON} ${bench}/tables.py ${WORK}/empty RESULT_VARIABLE result ERROR_VARIABLE err)
if(result EQUAL 0 OR NOT err MATCHES "^tables.py: no measurements in [^\n]*\n$")
  message(SEND_ERROR "tables.py on an empty folder: ${result}, '${err}'")
endif()
