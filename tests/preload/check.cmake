# Runs PROGRAM without and with PRELOAD. Both runs must have the same output and exit code. Options:
#
#   LIKE     another program for the first run, if Bullet's broadphase gives PROGRAM another output
#   SAYS     a regular expression for the whole standard error of the second run; without SAYS it must be empty
#   ENV      variables for the second run, NAME=VALUE
#   ENDS     the second run's exit code, if it must differ from the first run's
#   REPEAT   the number of second runs
#   VALGRIND path of valgrind, to use it for the second run
#   EMULATOR runs all programs
if(NOT PROGRAM OR NOT EXISTS ${PRELOAD})
  message(FATAL_ERROR "PROGRAM and PRELOAD must be given")
endif()
set(wrapper)
if(VALGRIND)
  set(wrapper ${VALGRIND} -q --error-exitcode=99)
endif()

if(NOT LIKE)
  set(LIKE ${PROGRAM})
endif()

execute_process(COMMAND ${EMULATOR} ${LIKE}
  OUTPUT_VARIABLE expected ERROR_VARIABLE expectedErrors RESULT_VARIABLE expectedResult)
if(NOT expectedResult EQUAL 0 OR expectedErrors OR expected STREQUAL "")
  message(FATAL_ERROR "without cullet: ${expectedResult}\n${expectedErrors}\n${expected}")
endif()
if(NOT DEFINED ENDS OR ENDS STREQUAL "")
  set(ENDS ${expectedResult})
endif()
if(NOT REPEAT)
  set(REPEAT 1)
endif()
foreach(time RANGE 1 ${REPEAT})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_PRELOAD=${PRELOAD} ${ENV} ${wrapper} ${EMULATOR} ${PROGRAM}
    OUTPUT_VARIABLE output ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL ENDS)
    message(FATAL_ERROR "exit code ${result}:\n${said}\n${output}")
  endif()
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "its output was\n${output}\nand without cullet\n${expected}\nStandard error: ${said}")
  endif()
  if(NOT said MATCHES "^${SAYS}$")
    message(FATAL_ERROR "standard error was\n${said}\nand does not match: ${SAYS}")
  endif()
endforeach()
