# SPDX-License-Identifier: Zlib
# tests/gpu.sh without a device reports that. With replacements of the driver's tools and of programs it runs all its
# steps, detects failures, and writes its tables.
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

stand_in(${tools}/nvidia-smi "echo No devices were found; exit 9")
stand_in(${build}/bin/cullet "[ $1 = info ] && echo 'cuda       not usable: stand-in (no driver)'")
run_script(77 "^tests/gpu.sh: no CUDA device here: nvidia-smi lists none, and cullet says: cuda +not usable: [^\n]*\n$"
  ${WORK}/out ${build})
if(EXISTS ${WORK}/out)
  message(SEND_ERROR "gpu.sh wrote results without a device")
endif()

# 77 needs a proof that there is no device.
stand_in(${build}/bin/cullet "[ $1 = info ] && echo 'cuda       not usable: this build of cullet has no CUDA backend'")
run_script(1 "^tests/gpu.sh: [^\n]*/bin/cullet was built without CUDA\n$" ${WORK}/out ${build})
stand_in(${build}/bin/cullet "exit 0")
run_script(1 "^tests/gpu.sh: [^\n]*/bin/cullet says nothing of CUDA\n$" ${WORK}/out ${build})

# A driver that never answers: a report says so.
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

run_script(0 "Written: " ${WORK}/out ${build})
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

# A device failure is reported, although the CPU takes over.
set(fail "/^(mixed|brownian),(200|300),/s/,0,(true|false),/,1,\\1,/")
stand_in(${build}/bin/cullet "[ $1 = compare ] && $0.of compare \"$@\" | sed -E 's/,cpu,/,cuda,/; ${fail}' && exit"
  "${times}")
run_script(1 "tests/gpu.sh: failed: large times-brownian times-mixed times-graph\n$" ${WORK}/out ${build})
expect_lines("\\| large \\| \\*\\*failed\\*\\*: the device failed, see large.csv \\|"
  "\\| mixed \\| 200 \\| core-full \\| wide cuda, after the device failed \\| [^\n]*")

# If time runs out, the measured rows are kept.
find_program(timeout timeout REQUIRED)
stand_in(${tools}/timeout "case \"$*\" in *mixed*) shift 3; set -- -k 10 2 \"$@\" ;; esac" "exec ${timeout} \"$@\"")
stand_in(${build}/bin/cullet "case \"$*\" in *200*mixed*) sleep 60 ;; esac" ${compare})
run_script(3 "tests/gpu.sh: incomplete or not available: times-mixed\n$" ${WORK}/out ${build})
file(REMOVE ${tools}/timeout)
stand_in(${build}/bin/cullet ${compare})
expect_lines("\\| times-mixed \\| \\*\\*incomplete\\*\\*: not done after [0-9]+ s, see times-mixed.csv \\|"
  "\\| mixed \\| 50 \\| core-grid \\| grid cuda \\| [^\n]*"
  "\\| clustered \\| 200 \\| core-full \\| wide cuda \\| [^\n]*")

# After a kill there are two files, as of the last step; the archive has the output of each step.
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
stand_in(${build}/bin/cullet_test_backends_cuda "echo '[  PASSED  ] 3 tests.'")

# A missing tool is no failure.
stand_in(${tools}/compute-sanitizer "echo '========= Error: Device not supported.'; exit 1")
run_script(3 "incomplete or not available: memcheck racecheck initcheck synccheck\n$" ${WORK}/out ${build})
expect_lines("\\| initcheck \\| \\*\\*not available\\*\\*: the tool cannot be used here, see initcheck.log \\|")
stand_in(${tools}/compute-sanitizer ${sanitizer})

# A program that cannot be loaded is named before anything runs.
find_program(tail tail REQUIRED)
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C sed "s/libc\\.so\\.6/libX.so.6/" ${tail}
  OUTPUT_FILE ${build}/bin/cullet_test_broken)
file(CHMOD ${build}/bin/cullet_test_broken PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
run_script(1 "^tests/gpu.sh: missing here: cullet_test_broken: [^\n]*libX.so.6[^\n]*\n$" ${WORK}/out ${build})
file(REMOVE ${build}/bin/cullet_test_broken)

# Failed steps are named, and the other steps run.
stand_in(${build}/bin/cullet_test_bridge "exit 3")
stand_in(${build}/bin/cullet_test_cuda "echo '[  PASSED  ] 0 tests.'")
stand_in(${build}/bin/cullet "[ $1 = papers ] && exit 1" ${compare})
run_script(1 "tests/gpu.sh: failed: cuda climb bridge papers\n$" ${WORK}/out ${build})
expect_lines("\\| bridge \\| \\*\\*failed\\*\\*: exit code 3, see bridge.log \\|"
  "\\| cuda \\| \\*\\*failed\\*\\*: there is no such test, see cuda.log \\|"
  "\\| clustered \\| 100 \\| 1 \\| ${ms} \\| ${ms} \\| ${ms} \\|")

# A packed build runs where its libraries are not installed. Missing programs and other search paths are refused.
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
