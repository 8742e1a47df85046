# SPDX-License-Identifier: Zlib
# Runs tests/gpu.sh with scripts in place of the driver's tools, the test programs and `cullet`. The script in place of
# `cullet` runs it on the CPU and calls that a device.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
set(script ${CMAKE_CURRENT_LIST_DIR}/../gpu.sh)
set(build ${WORK}/build)

# stand_in(<path> <lines of shell>...): writes a program
function(stand_in path)
  string(JOIN "\n" text "#!/bin/sh" ${ARGN} "")
  file(WRITE ${path} "${text}")
  file(CHMOD ${path} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# run_script(<exit code> <regular expression for stderr> <arguments>...): stores the report in REPORT.
function(run_script code expected)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "PATH=${WORK}/tools:$ENV{PATH}" CULLET_GPU_BODIES=50,200 CULLET_GPU_LARGE=300
      CULLET_GPU_CROSSING_BODIES=100 CULLET_GPU_ANSWER_SECONDS=1 bash ${script} ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE report ERROR_VARIABLE err)
  if(NOT result STREQUAL "${code}" OR NOT err MATCHES "${expected}")
    message(SEND_ERROR "gpu.sh ${ARGN}: exit code ${result}, expected ${code}; stderr '${err}', expected '${expected}'")
  endif()
  set(REPORT "${report}" PARENT_SCOPE)
endfunction()

function(expect_lines)
  foreach(line IN LISTS ARGN)
    if(NOT REPORT MATCHES "\n${line}\n")
      message(SEND_ERROR "no line '${line}' in the report:\n${REPORT}")
    endif()
  endforeach()
endfunction()

run_script(2 "^tests/gpu.sh: usage: [^\n]*\n$")
stand_in(${WORK}/tools/nvidia-smi "echo No devices were found; exit 9")
foreach(says "77|not usable: (no driver)|no CUDA device here: nvidia-smi lists none"
    "1|not usable: this build of cullet has no CUDA backend|built without CUDA")
  string(REPLACE "|" ";" says "${says}")
  list(GET says 1 info)
  list(GET says 2 expected)
  list(GET says 0 code)
  stand_in(${build}/bin/cullet "echo 'cuda       ${info}'")
  run_script(${code} "^tests/gpu.sh: ${expected}" ${WORK}/out ${build})
endforeach()
stand_in(${build}/bin/cullet "exec sleep 60")
run_script(1 "cullet info: no answer in 1 s\n$" ${WORK}/out ${build})

set(cullet "[ $1 = info ] && ${CULLET} info | sed 's/^cuda .*/cuda       usable: stand-in (answers)/' && exit"
  "cpu=$(echo \"$@\" | sed 's/--device cuda/--device cpu/; s/--minutes 0.15/--steps 3/; s/^papers/papers --quick/')"
  "change='s/,cpu,/,cuda,/; /^mixed,200/s/,0,(true|false),/,'$FAILURES',\\1,/'"
  "[ $1 = compare ] && ${CULLET} $cpu | sed -E \"$change\" && exit"
  "exec ${CULLET} $cpu")
stand_in(${build}/bin/cullet "FAILURES=0" ${cullet})
stand_in(${WORK}/tools/compute-sanitizer "shift 4; exec \"$@\"")
stand_in(${build}/bin/cullet_device_worlds "echo '9 worlds, 0 differences'")
stand_in(${build}/bin/cullet_device_kernels "echo \"| device_kernels $* |\"")
foreach(name cuda backends_cuda meshes_cuda bridge)
  stand_in(${build}/bin/cullet_test_${name} "echo '[  PASSED  ] 3 tests.'")
endforeach()
set(ms "[0-9.e-]+")
run_script(0 "Written: " ${WORK}/out ${build})
expect_lines("20[0-9-]+, commit [0-9a-z-]+"
  "\\| worlds \\| passed in [0-9]+ s \\|" "\\| climb \\| passed in [0-9]+ s \\|"
  "\\| synccheck \\| passed \\|" "\\| device_kernels 50,200 \\|" "\\| large \\| passed in [0-9]+ s \\|"
  "\\| clustered \\| 200 \\| core-grid \\| grid \\| cuda \\| 0 \\|  \\|  \\| ${ms} \\| [0-9]+ \\| [0-9]+ \\| [0-9]+ \\|"
  "\\| mixed \\| 100 \\| 10 \\| ${ms} \\| ${ms} \\| ${ms} \\|"
  "    the grid wins +from so many bodies on +1000 +- +yes")

# Failed steps are named, and the other steps are still run. Times of a step that took too long are kept.
find_program(timeout timeout REQUIRED)
stand_in(${WORK}/tools/timeout "case \"$*\" in *clustered*-device?cuda*) shift 3; set -- -k 9 2 \"$@\" ;; esac"
  "exec ${timeout} \"$@\"")
stand_in(${build}/bin/cullet "FAILURES=1" "[ $1 = papers ] && exit"
  "case \"$*\" in *clustered*200*) sleep 60 ;; esac" ${cullet})
stand_in(${build}/bin/cullet_test_bridge "exit 3")
stand_in(${build}/bin/cullet_device_worlds "exit 1")
stand_in(${build}/bin/cullet_test_cuda "echo '[  PASSED  ] 0 tests.'")
stand_in(${WORK}/tools/compute-sanitizer "echo '========= Error: Device not supported.'; exit 1")
run_script(1 "failed: worlds cuda climb bridge times-mixed\n$" ${WORK}/out ${build})
expect_lines("\\| cuda \\| failed: there is no such test \\|" "\\| bridge \\| failed: exit code 123 \\|"
  "\\| initcheck \\| not available: [^\n]*" "\\| times-mixed \\| failed: the device failed \\|"
  "\\| times-clustered \\| incomplete: not done after [0-9]+ s \\|" "\\| clustered \\| 50 \\| core-grid \\| [^\n]*")

# A killed run leaves two files, as they were after the last step.
stand_in(${build}/bin/cullet_test_backends_cuda "exec sleep 60")
execute_process(COMMAND ${timeout} -s KILL 2 bash ${script} ${WORK}/out ${build} OUTPUT_QUIET ERROR_QUIET)
file(GLOB written RELATIVE ${WORK}/out ${WORK}/out/*)
execute_process(COMMAND tar -tzf ${WORK}/out/results.tar.gz OUTPUT_VARIABLE archived)
file(READ ${WORK}/out/report.md REPORT)
expect("results of a killed run" "${written}" "report.md;results.tar.gz")
if(NOT archived MATCHES "/cuda.log\n" OR NOT REPORT MATCHES "\n\\| climb \\| [^\n]*\n$")
  message(SEND_ERROR "results of a killed run: ${archived}${REPORT}")
endif()

# A packed build has its libraries beside it. The loader's refusal of a program is reported before any step.
stand_in(${WORK}/tools/readelf "echo ' 0x0f (RPATH) Library rpath: [$ORIGIN/../lib]'")
foreach(name cullet cullet-papers cullet_device_kernels cullet_device_worlds
    cullet_test_cuda cullet_test_backends_cuda cullet_test_meshes_cuda cullet_test_bridge)
  configure_file(${CULLET} ${WORK}/built/bin/${name} COPYONLY)
endforeach()
run_script(0 "^$" pack ${WORK}/built ${WORK}/packed)
file(GLOB libraries RELATIVE ${WORK}/packed/lib ${WORK}/packed/lib/*)
if(NOT libraries MATCHES "libBulletCollision" OR libraries MATCHES "libc\\.so|ld-linux")
  message(SEND_ERROR "packed libraries: ${libraries}")
endif()
execute_process(COMMAND sed -i "s/libc[.]so[.]6/libX.so.6/" ${WORK}/packed/bin/cullet_test_cuda)
set(script ${WORK}/packed/tests/gpu.sh)
run_script(1 "^tests/gpu.sh: missing here: cullet_test_cuda: [^\n]*libX.so.6[^\n]*\n$" ${WORK}/out)
