# Runs PROGRAM without and with PRELOAD and expects the same output and the same exit code, and on standard error what
# is asked for:
#
#   LIKE     another program that is run without, if the program's own broadphase is no measure
#   SAYS     a regular expression for the whole of it; without it, nothing may be said
#   ENV      variables for the second run, NAME=VALUE
#   ENDS     the second run's exit code, if it is not that of the first
#   TIMES    how often there is a second run
#   VALGRIND the program, if the second run is to go through it
if(NOT PROGRAM OR NOT EXISTS ${PRELOAD})
  message(FATAL_ERROR "PROGRAM and PRELOAD must be given")
endif()
set(judge)
if(VALGRIND)
  set(judge ${VALGRIND} -q --error-exitcode=99)
endif()

if(NOT LIKE)
  set(LIKE ${PROGRAM})
endif()

execute_process(COMMAND ${LIKE} OUTPUT_VARIABLE expected ERROR_VARIABLE saidBefore RESULT_VARIABLE resultBefore)
if(NOT resultBefore EQUAL 0 OR saidBefore OR expected STREQUAL "")
  message(FATAL_ERROR "without cullet: ${resultBefore}\n${saidBefore}\n${expected}")
endif()
if(NOT DEFINED ENDS OR ENDS STREQUAL "")
  set(ENDS ${resultBefore})
endif()
if(NOT TIMES)
  set(TIMES 1)
endif()
foreach(time RANGE 1 ${TIMES})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_PRELOAD=${PRELOAD} ${ENV} ${judge} ${PROGRAM}
    OUTPUT_VARIABLE output ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL ENDS)
    message(FATAL_ERROR "it ended with ${result}:\n${said}\n${output}")
  endif()
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "its output was\n${output}\nand without cullet\n${expected}\nIt said: ${said}")
  endif()
  if(NOT said MATCHES "^${SAYS}$")
    message(FATAL_ERROR "it said\n${said}\nand not: ${SAYS}")
  endif()
endforeach()
