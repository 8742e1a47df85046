# Runs the program that prints the table of kernels, on the emulated device. The program fails if
# it does not know how many bytes a kernel moves. Here each kind of update must have its rows. Variables: KERNELS.
execute_process(COMMAND ${KERNELS} 700,4200 RESULT_VARIABLE result OUTPUT_VARIABLE table ERROR_VARIABLE error)
if(NOT "${result}${error}" STREQUAL "0")
  message(SEND_ERROR "exit code ${result}: ${error}")
endif()
set(number "[0-9.e+-]+")
foreach(row "lbvh \\| gather again \\| 1" "lbvh \\| climb \\| 1" "lbvh \\| find in tree \\| 1"
    "lbvh \\| walk alone \\| 1" "lbvh \\| rank in groups \\| 1" "grid \\| sort leaves \\| 1"
    "lbvh \\| spread \\| 1" "lbvh \\| commit \\| 1" "lbvh-anew \\| write keys in region \\| 1"
    "lbvh-anew \\| gather in region \\| 1" "wide \\| build blocks \\| 1" "wide \\| find in blocks \\| 1"
    "wide-anew \\| find in blocks \\| 1" "grid \\| statistics \\| 1" "grid \\| gather \\| 1"
    "grid \\| write starts \\| 1" "grid \\| count candidates \\| 1" "grid \\| find in cells \\| 1"
    "frontier \\| join pieces \\| 1" "frontier \\| frontier pass \\| [1-9]")
  foreach(bodies 700 4200)
    if(NOT table MATCHES "\n\\| ${bodies} \\| ${row} \\| ${number} \\| ${number} \\| ${number} \\| ${number} \\|\n")
      message(SEND_ERROR "no row of ${bodies} bodies '${row}' with bytes:\n${table}")
    endif()
  endforeach()
endforeach()
if(NOT table MATCHES "^\\| what \\|.*\n\\| 32 kernels and wait \\| 0 \\| ${number} \\| 0 \\|\n")
  message(SEND_ERROR "no basic costs:\n${table}")
endif()
if(NOT table MATCHES "\n\\| 4200 \\| ${number} \\| ${number} \\| [1-9][0-9]* \\| [1-9][0-9]* \\|\n")
  message(SEND_ERROR "no row of updates from arrays of 4200 boxes:\n${table}")
endif()
if(NOT table MATCHES "\n\\| 700 \\| lbvh \\| [*]+an update, but for copies[*]+ \\| 8 \\| ${number} \\| ${number} \\|")
  message(SEND_ERROR "an update of 700 bodies is not eight operations together:\n${table}")
endif()
if(NOT table MATCHES "\n\\| 4200 \\| lbvh-anew \\| sort leaves \\| 1 \\| ${number} \\| 0[.]067[0-9]* \\|")
  message(SEND_ERROR "the sort of 4200 leaves moves at least 16 bytes each:\n${table}")
endif()
foreach(arguments "" "0" "100,x" "100;lbvh;more")
  execute_process(COMMAND ${KERNELS} ${arguments} RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(result EQUAL 0)
    message(SEND_ERROR "arguments '${arguments}' are accepted")
  endif()
endforeach()
