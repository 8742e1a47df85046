# A step that needs a stack or spills registers has lost what makes it fast: compilers report it, and this test reads it.
# OBJECT is the compiled file, CUOBJDUMP the tool that tells.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${CUOBJDUMP} -res-usage ${OBJECT} RESULT_VARIABLE result OUTPUT_VARIABLE output
  ERROR_VARIABLE errors)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${CUOBJDUMP} failed:\n${errors}")
endif()

string(REGEX MATCHALL "Function [^ :]*Kernel[^:]*:[ \n]*REG:[0-9]+ STACK:[0-9]+ SHARED:[0-9]+ LOCAL:[0-9]+" kernels "${output}")
list(LENGTH kernels count)
if(count LESS 16) # eight kernels, two architectures
  message(FATAL_ERROR "only ${count} kernels were found in:\n${output}")
endif()
foreach(kernel IN LISTS kernels)
  message("${kernel}")
  if(NOT kernel MATCHES "STACK:0 .*LOCAL:0$")
    message(SEND_ERROR "needs a stack")
  endif()
endforeach()
