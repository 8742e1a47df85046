# SPDX-License-Identifier: Zlib
# tests/gpu.sh without a device reports that there is none. With stand-ins for the driver's tools and a `cullet` that
# uses the CPU as device, it runs all steps, detects failures and writes its tables.
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

# run_script(<exit code> <regular expression for stderr> <arguments>...): stores the report in REPORT.
function(run_script code expected)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "PATH=${tools}:$ENV{PATH}" CULLET_GPU_BODIES=50,200 CULLET_GPU_LARGE=300
      CULLET_GPU_CROSSING_BODIES=100 CULLET_GPU_ANSWER_SECONDS=3
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

# Without a build folder it builds, but not here: a copy of it in a folder without sources, with a `cmake` that copies.
set(copy ${WORK}/copy/tests/gpu.sh)
file(COPY ${script} ${CMAKE_CURRENT_LIST_DIR}/../gpu_times.awk
  ${CMAKE_CURRENT_LIST_DIR}/../gpu_crossing.awk DESTINATION ${WORK}/copy/tests)
stand_in(${tools}/cmake "[ $1 = -S ] && sleep 3 && mkdir -p $4 && exec cp -r ${build}/bin $4" "echo cullet_command")

stand_in(${tools}/nvidia-smi "echo No devices were found; exit 9")
stand_in(${build}/bin/cullet "[ $1 = info ] && echo 'cuda       not usable: stand-in (no driver)'")
set(real ${script})
set(script ${copy})
run_script(77 "tests/gpu.sh: no CUDA device here: nvidia-smi lists none, and [^\n]*\n$" ${WORK}/out)
set(script ${real})
run_script(77 "^tests/gpu.sh: no CUDA device here: nvidia-smi lists none, and cullet says: cuda +not usable: [^\n]*\n$"
  ${WORK}/out ${build})
if(EXISTS ${WORK}/out)
  message(SEND_ERROR "gpu.sh wrote results without a device")
endif()

# The exit code is 77 only if there is certainly no device.
stand_in(${build}/bin/cullet "[ $1 = info ] && echo 'cuda       not usable: this build of cullet has no CUDA backend'")
run_script(1 "^tests/gpu.sh: [^\n]*/bin/cullet was built without CUDA\n$" ${WORK}/out ${build})
stand_in(${build}/bin/cullet "exit 0")
run_script(1 "^tests/gpu.sh: [^\n]*/bin/cullet says nothing of CUDA\n$" ${WORK}/out ${build})

# If the driver never answers, there is a report.
stand_in(${build}/bin/cullet "exec sleep 60")
run_script(1 "^tests/gpu.sh: cullet info: no answer in 3 s\n$" ${WORK}/out ${build})
expect_lines("cullet info: no answer in 3 s. Nothing was run.")

stand_in(${tools}/nvidia-smi "echo 'Stand-in, 1.2.3, 4 MiB'")
set(sanitizer "[ \"$1 $3 $4\" = '--tool --error-exitcode 9' ] && shift 4 && exec \"$@\"")
stand_in(${tools}/compute-sanitizer ${sanitizer})
set(cullet "[ $1 = info ] && ${CULLET} info | sed 's/^cuda .*/cuda       usable: stand-in (answers)/' && exit"
  "exec ${CULLET} $(echo \"$@\" | sed 's/--device cuda/--device cpu/; s/--minutes 0.15/--steps 3/;\
 s/^papers/papers --quick/')")
string(JOIN "\n" times ${cullet})
set(compare "[ $1 = compare ] && $0.of compare \"$@\" | sed 's/,cpu,/,cuda,/' && exit" "${times}")
stand_in(${build}/bin/cullet ${compare})
stand_in(${build}/bin/cullet.of "shift\n${times}")
stand_in(${build}/bin/cullet_device_costs "echo '| kernel, of many | | 2.5 | |'")
foreach(name kernels kernels_64 kernels_256)
  stand_in(${build}/bin/cullet_device_${name} "echo \"| ${name} $* |\"")
endforeach()
foreach(name cuda backends_cuda meshes_cuda bridge)
  stand_in(${build}/bin/cullet_test_${name} "echo '[  PASSED  ] 3 tests.'")
endforeach()

# What the steps may take one after the other comes to less than nine minutes, with ten seconds for one that has to be
# killed. The sanitizers run beside the first of them, and the last one, the papers, takes what is left.
file(REMOVE ${WORK}/seconds)
stand_in(${tools}/timeout "[ $1 = -k ] && echo $3 >> ${WORK}/seconds && shift 3 && exec \"$@\"")
run_script(0 "Written: " ${WORK}/out ${build})
file(REMOVE ${tools}/timeout)
file(STRINGS ${WORK}/seconds seconds)
list(FILTER seconds EXCLUDE REGEX "^(160|3)$") # sanitizers, and asking for a device
list(POP_BACK seconds)
list(JOIN seconds " + " sum)
math(EXPR seconds "${sum} + 10")
if(seconds GREATER 520)
  message(SEND_ERROR "gpu.sh may take ${seconds} seconds: ${sum} + 10")
endif()

set(ms "[0-9.e-]+")
expect_lines("Device, driver, memory: Stand-in, 1.2.3, 4 MiB" "20[0-9-]+, commit [0-9a-z-]+"
  "\\| costs \\| passed in [0-9]+ s \\|" "\\| kernel, of many \\| \\| 2.5 \\| \\|"
  "\\| kernels_64 \\| passed in [0-9]+ s \\|" "\\| kernels 50,200 \\|"
    "\\| kernels_64 200 lbvh,lbvh-anew,grid \\|" "\\| kernels_256 200 lbvh,lbvh-anew,grid \\|"
  "\\| climb \\| passed in [0-9]+ s \\|"
  "\\| cuda \\| passed in [0-9]+ s \\|" "\\| large \\| passed in [0-9]+ s \\|"
    "\\| memcheck \\| passed in [0-9]+ s \\|" "\\| synccheck \\| passed in [0-9]+ s \\|"
  "\\| stress-grid \\| passed in [0-9]+ s \\|" "\\| crossing-cpu \\| passed in [0-9]+ s \\|"
  "\\| brownian \\| 50 \\| core-lbvh \\| lbvh cuda \\| – \\| – \\| ${ms} \\| [0-9]+ \\| [0-9]+ \\| [0-9]+ \\|"
  "\\| clustered \\| 200 \\| core-grid \\| grid cuda \\| – \\| – \\| ${ms} \\| [0-9]+ \\| [0-9]+ \\| [0-9]+ \\|"
  "    CULLET_CUDA_GRAPH=1 cullet compare --bodies 50,200 --scene brownian [^\n]*"
    "\\| backends-graph \\| passed in [0-9]+ s \\|"
  "\\| brownian \\| 100 \\| 10 \\| ${ms} \\| ${ms} \\| ${ms} \\|"
    "\\| mixed \\| 100 \\| 100 \\| ${ms} \\| ${ms} \\| ${ms} \\|"
  "\\| papers \\| passed in [0-9]+ s \\|" "    avril-7: Brute force with and without the grid"
  "    the grid wins +from so many bodies on +1000 +- +yes")

# Building takes none of the steps' time.
set(script ${copy})
run_script(0 "Building build/gpu\n.*==> \\[[01] s\\] costs.log\n.*Written: " ${WORK}/out)
set(script ${real})

# If cullet finds a device, it does not matter that nvidia-smi lists none.
stand_in(${tools}/nvidia-smi "echo No devices were found; exit 9")
run_script(0 "Written: " ${WORK}/out ${build})
if(REPORT MATCHES "Device, driver")
  message(SEND_ERROR "a heading from an nvidia-smi that failed:\n${REPORT}")
endif()
stand_in(${tools}/nvidia-smi "echo 'Stand-in, 1.2.3, 4 MiB'")

# A device failure is detected, although the CPU replaces the device.
set(fail "/^(mixed|brownian),(200|300),/s/,0,(true|false),/,1,\\1,/")
stand_in(${build}/bin/cullet "[ $1 = compare ] && $0.of compare \"$@\" | sed -E 's/,cpu,/,cuda,/; ${fail}' && exit"
  "${times}")
run_script(1 "tests/gpu.sh: failed: large times-brownian times-mixed times-graph\n$" ${WORK}/out ${build})
expect_lines("\\| large \\| \\*\\*failed\\*\\*: the device failed, see large.csv \\|"
  "\\| mixed \\| 200 \\| core-full \\| wide cuda, after the device failed \\| [^\n]*")

# If the time is over, previous measurements are kept.
find_program(timeout timeout REQUIRED)
stand_in(${tools}/timeout "case \"$*\" in *mixed*) shift 3; set -- -k 10 2 \"$@\" ;; esac" "exec ${timeout} \"$@\"")
stand_in(${build}/bin/cullet "case \"$*\" in *200*mixed*) sleep 60 ;; esac" ${compare})
run_script(3 "tests/gpu.sh: incomplete or not available: times-mixed\n$" ${WORK}/out ${build})
file(REMOVE ${tools}/timeout)
stand_in(${build}/bin/cullet ${compare})
expect_lines("\\| times-mixed \\| \\*\\*incomplete\\*\\*: not done after [0-9]+ s, see times-mixed.csv \\|"
  "\\| mixed \\| 50 \\| core-grid \\| grid cuda \\| [^\n]*"
  "\\| clustered \\| 200 \\| core-full \\| wide cuda \\| [^\n]*")

# Whatever ends it: two files, as of the last step. The archive has what each step wrote.
stand_in(${build}/bin/cullet_test_backends_cuda "exec sleep 60")
execute_process(COMMAND ${timeout} -s KILL 5 bash ${script} ${WORK}/out ${build} OUTPUT_QUIET ERROR_QUIET)
file(GLOB written RELATIVE ${WORK}/out ${WORK}/out/*)
execute_process(COMMAND tar -tzf ${WORK}/out/results.tar.gz OUTPUT_VARIABLE archived)
file(READ ${WORK}/out/report.md REPORT)
expect("results of a run that was killed" "${written}" "report.md;results.tar.gz")
expect_lines("\\| cuda \\| passed in [0-9]+ s \\|")
if(NOT archived MATCHES "/cuda.log\n" OR REPORT MATCHES "backends")
  message(SEND_ERROR "results of a run that was killed: ${archived}${REPORT}")
endif()
execute_process(COMMAND ${timeout} -k 9 3 bash ${script} ${WORK}/out ${build} RESULT_VARIABLE result OUTPUT_QUIET
  ERROR_QUIET)
expect("a run that is asked to end ends, and need not be killed" "${result}" "124")
stand_in(${build}/bin/cullet_test_backends_cuda "echo '[  PASSED  ] 3 tests.'")

# A tool that cannot be used here is no failure.
stand_in(${tools}/compute-sanitizer "echo '========= Error: Device not supported.'; exit 1")
run_script(3 "incomplete or not available: memcheck racecheck initcheck synccheck\n$" ${WORK}/out ${build})
expect_lines("\\| initcheck \\| \\*\\*not available\\*\\*: the tool cannot be used here, see initcheck.log \\|")
stand_in(${tools}/compute-sanitizer "echo '[  PASSED  ] 3 tests.'; exit 9")
run_script(1 "failed: memcheck racecheck initcheck synccheck\n$" ${WORK}/out ${build})
stand_in(${tools}/compute-sanitizer ${sanitizer})

# A program that the loader refuses is named before any step is run.
find_program(tail tail REQUIRED)
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C sed "s/libc\\.so\\.6/libX.so.6/" ${tail}
  OUTPUT_FILE ${build}/bin/cullet_test_broken)
file(CHMOD ${build}/bin/cullet_test_broken PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
run_script(1 "^tests/gpu.sh: missing here: cullet_test_broken: [^\n]*libX.so.6[^\n]*\n$" ${WORK}/out ${build})
file(REMOVE ${build}/bin/cullet_test_broken)

# Failed steps are named, and the other steps are still run.
stand_in(${build}/bin/cullet_test_bridge "exit 3")
stand_in(${build}/bin/cullet_test_cuda "echo '[  PASSED  ] 0 tests.'")
stand_in(${build}/bin/cullet "[ $1 = papers ] && exit 1" ${compare})
run_script(1 "tests/gpu.sh: failed: cuda climb bridge papers\n$" ${WORK}/out ${build})
expect_lines("\\| bridge \\| \\*\\*failed\\*\\*: exit code 3, see bridge.log \\|"
  "\\| cuda \\| \\*\\*failed\\*\\*: there is no such test, see cuda.log \\|"
  "\\| clustered \\| 100 \\| 1 \\| ${ms} \\| ${ms} \\| ${ms} \\|")

stand_in(${build}/bin/cullet "[ $1 = info ] && echo 'cuda       not usable: stand-in (too old)'")
run_script(1 "cullet cannot use it: cuda +not usable: stand-in \\(too old\\)\n$" ${WORK}/out ${build})

# Tables are not written without the runs that they need.
file(WRITE ${WORK}/runs.csv "scene,bodies,moving,device,total_ms,kernel_ms\n")
execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/../gpu_times.awk ${WORK}/runs.csv
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE err)
expect("a table of no runs" "${result} ${err}" "1 gpu_times.awk: no runs\n")
file(APPEND ${WORK}/runs.csv "brownian,10,100.0,cpu,1.5,\n")
execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/../gpu_crossing.awk ${WORK}/runs.csv ${WORK}/runs.csv
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE err)
expect("two runs on the CPU" "${result} ${err}"
  "1 gpu_crossing.awk: nothing was measured both on the CPU and on a device\n")

# A build that is carried runs where its libraries are not installed. One of which a program is missing is refused, and
# one that looks for them elsewhere.
get_filename_component(bin ${CULLET} DIRECTORY)
function(pack expected)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "PATH=${tools}:$ENV{PATH}" bash ${script} pack ${WORK}/built ${WORK}/packed
    RESULT_VARIABLE result ERROR_VARIABLE err)
  if(NOT "${result} ${err}" MATCHES "${expected}")
    message(SEND_ERROR "packing: expected '${expected}', got '${result} ${err}'")
  endif()
endfunction()
pack("^1 [^\n]*not in [^\n]*/bin: cullet cullet-papers cullet_device_costs cullet_device_kernels [^\n]*\n$")
foreach(name cullet cullet-papers cullet_device_costs cullet_device_kernels cullet_device_kernels_64
    cullet_device_kernels_256 cullet_test_cuda cullet_test_backends_cuda cullet_test_meshes_cuda
    cullet_test_bridge)
  configure_file(${CULLET} ${WORK}/built/bin/${name} COPYONLY)
endforeach()
pack("^1 [^\n]*cullet was not built to be carried: configure with -DCMAKE_BUILD_RPATH=")
if(EXISTS ${WORK}/packed)
  message(SEND_ERROR "a pack of what cannot be carried")
endif()
stand_in(${tools}/readelf "echo ' 0x0f (RPATH) Library rpath: [$ORIGIN/../lib]'")
pack("^0 $")
if(NOT EXISTS ${WORK}/packed/tests/gpu.sh OR NOT EXISTS ${WORK}/packed/tests/gpu_times.awk)
  message(SEND_ERROR "the script was not packed")
endif()
file(GLOB libraries RELATIVE ${WORK}/packed/lib ${WORK}/packed/lib/*)
if(NOT libraries MATCHES "libBulletCollision" OR libraries MATCHES "libc\\.so|ld-linux")
  message(SEND_ERROR "packed libraries: ${libraries}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${WORK}/packed/lib ldd ${WORK}/packed/bin/cullet
  OUTPUT_VARIABLE out)
if(NOT out MATCHES "=> ${WORK}/packed/lib/libBulletCollision")
  message(SEND_ERROR "the packed program does not load what was packed with it: ${out}")
endif()
