# SPDX-License-Identifier: Zlib
# tests/gpu.sh without a device: it says so; and with stand-ins for the driver's tools and a `cullet` that takes the CPU for
# the device, it goes through all its steps, notices what fails, and writes its tables.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
set(script ${CMAKE_CURRENT_LIST_DIR}/../gpu.sh)
set(build ${WORK}/carried)
set(tools ${WORK}/tools)

# stand_in(<path> <lines of shell>...)
function(stand_in path)
  string(JOIN "\n" text "#!/bin/sh" ${ARGN} "")
  file(WRITE ${path} "${text}")
  file(CHMOD ${path} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# run_script(<exit code> <regular expression for stderr> <arguments>...): the report in REPORT.
function(run_script code expected)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "PATH=${tools}:$ENV{PATH}" CULLET_GPU_BODIES=50,200 CULLET_GPU_LARGE=300 CULLET_GPU_CROSSING_BODIES=100
      bash ${script} ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT result STREQUAL "${code}" OR NOT err MATCHES "${expected}")
    message(SEND_ERROR "gpu.sh ${ARGN}: exit code ${result}, expected ${code}; stderr '${err}', expected '${expected}'")
  endif()
  if(EXISTS ${WORK}/out/report.md)
    file(READ ${WORK}/out/report.md report)
    set(REPORT "${report}" PARENT_SCOPE)
  endif()
endfunction()

function(expect_lines)
  foreach(line IN LISTS ARGN)
    if(NOT REPORT MATCHES "\n${line}\n")
      message(SEND_ERROR "no line '${line}' in the report:\n${REPORT}")
    endif()
  endforeach()
endfunction()

run_script(2 "^tests/gpu.sh: usage: [^\n]*\n$")
stand_in(${tools}/nvidia-smi "exit 9")
run_script(77 "^tests/gpu.sh: no CUDA device here: [^\n]*\n$" ${WORK}/out)

stand_in(${tools}/nvidia-smi "echo 'Stand-in, 1.2.3, 4 MiB'")
stand_in(${tools}/compute-sanitizer "[ \"$1 $3 $4\" = '--tool --error-exitcode 9' ] && shift 4 && exec \"$@\"")
set(cullet "[ $1 = info ] && ${CULLET} info | sed 's/^cuda .*/cuda       usable: stand-in (answers)/' && exit"
  "exec ${CULLET} $(echo \"$@\" | sed 's/--device cuda/--device cpu/; s/--minutes 0.15/--steps 3/')")
string(JOIN "\n" times ${cullet})
stand_in(${build}/bin/cullet "[ $1 = compare ] && $0.of compare \"$@\" | sed 's/,cpu,/,cuda,/' && exit" "${times}")
stand_in(${build}/bin/cullet.of "shift\n${times}")
foreach(name cuda backends_cuda bridge)
  stand_in(${build}/bin/cullet_test_${name} "echo '[  PASSED  ] 3 tests.'")
endforeach()

# What the steps may take comes to less than ten minutes, with ten seconds for one that has to be killed.
file(REMOVE ${WORK}/seconds)
stand_in(${tools}/timeout "[ $1 = -k ] && echo $3 >> ${WORK}/seconds && shift 3 && exec \"$@\"")
run_script(0 "Written: " ${WORK}/out ${build})
file(REMOVE ${tools}/timeout)
file(STRINGS ${WORK}/seconds seconds)
list(JOIN seconds " + " sum)
math(EXPR seconds "${sum} + 10")
if(seconds GREATER 600)
  message(SEND_ERROR "gpu.sh may take ${seconds} seconds: ${sum} + 10")
endif()

set(ms "[0-9.e-]+")
expect_lines("Device, driver, memory: Stand-in, 1.2.3, 4 MiB" "20[0-9-]+, commit [0-9a-z-]+"
  "\\| cuda \\| passed in [0-9]+ s \\|" "\\| large \\| passed in [0-9]+ s \\|" "\\| racecheck \\| passed in [0-9]+ s \\|"
  "\\| stress-grid \\| passed in [0-9]+ s \\|" "\\| crossing-cpu \\| passed in [0-9]+ s \\|"
  "\\| brownian \\| 50 \\| core \\| wide cuda \\| – \\| – \\| ${ms} \\| [0-9]+ \\| [0-9]+ \\| [0-9]+ \\|"
  "\\| clustered \\| 200 \\| cullet-grid \\| grid cuda \\| – \\| – \\| ${ms} \\| [0-9]+ \\| [0-9]+ \\| [0-9]+ \\|"
  "\\| 100 \\| 10 \\| ${ms} \\| ${ms} \\| ${ms} \\|")

# What fails is named, and the rest is run all the same.
stand_in(${build}/bin/cullet_test_bridge "exit 3")
stand_in(${build}/bin/cullet_test_cuda "echo '[  PASSED  ] 0 tests.'")
run_script(1 "tests/gpu.sh: failed: cuda bridge\n$" ${WORK}/out ${build})
expect_lines("\\| bridge \\| \\*\\*failed\\*\\*: exit code 3, see bridge.log \\|"
  "\\| cuda \\| \\*\\*failed\\*\\*: there is no such test, see cuda.log \\|"
  "\\| 100 \\| 1 \\| ${ms} \\| ${ms} \\| ${ms} \\|")

stand_in(${build}/bin/cullet "[ $1 = info ] && echo 'cuda       not usable: stand-in (too old)'")
run_script(1 "cullet cannot use it: cuda +not usable: stand-in \\(too old\\)\n$" ${WORK}/out ${build})

# The tables do not guess.
file(WRITE ${WORK}/runs.csv "scene,bodies,moving,device,total_ms,kernel_ms\n")
execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/../gpu_times.awk ${WORK}/runs.csv
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE err)
expect("a table of no runs" "${result} ${err}" "1 gpu_times.awk: no runs\n")
file(APPEND ${WORK}/runs.csv "brownian,10,100.0,cpu,1.5,\n")
execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/../gpu_crossing.awk ${WORK}/runs.csv ${WORK}/runs.csv
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE err)
expect("two runs on the CPU" "${result} ${err}" "1 gpu_crossing.awk: nothing was measured both on the CPU and on a device\n")

# A build that is carried runs where its libraries are not installed.
get_filename_component(bin ${CULLET} DIRECTORY)
execute_process(COMMAND bash ${script} pack ${bin}/.. ${WORK}/packed RESULT_VARIABLE result ERROR_VARIABLE err)
expect("packing" "${result} ${err}" "0 ")
file(GLOB libraries RELATIVE ${WORK}/packed/lib ${WORK}/packed/lib/*)
if(NOT libraries MATCHES "libBulletCollision" OR libraries MATCHES "libc\\.so|ld-linux")
  message(SEND_ERROR "packed libraries: ${libraries}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${WORK}/packed/lib ldd ${WORK}/packed/bin/cullet
  OUTPUT_VARIABLE out)
if(NOT out MATCHES "=> ${WORK}/packed/lib/libBulletCollision")
  message(SEND_ERROR "the packed program does not load what was packed with it: ${out}")
endif()
