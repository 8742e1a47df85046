# SPDX-License-Identifier: Zlib
# `--device cuda` and `cullet info`: a device that does not answer is refused at once, with the reason that info gives;
# one that answers is used, and its times are shown.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

run(0 "" info)
if(NOT OUT MATCHES "\ncpu +usable: CPU, [0-9]+ processors? \\(always there\\)\n")
  message(SEND_ERROR "info without the CPU: '${OUT}'")
endif()
if(NOT OUT MATCHES "\nauto +takes cpu: [^\n]*60 updates in which 100000 bodies moved[^\n]*not measured on any device\n \
+and there wide: [^\n]+\n$")
  message(SEND_ERROR "info does not say what auto takes and why: '${OUT}'")
endif()
if(NOT OUT MATCHES "\ncuda +(not usable|usable): [^\n]* \\(([^\n]*)\\)\n")
  message(FATAL_ERROR "info without CUDA: '${OUT}'")
endif()
set(usable ${CMAKE_MATCH_1})
set(reason "${CMAKE_MATCH_2}")

set(quick compare --bodies 300 --steps 3 --warmup 0 --check --format json)

# On the CPU there are no kernels.
run(0 "" ${quick} --no-memory --engines dbvt,cullet,core --device cpu)
foreach(name kernel_ms update_ms)
  json_column(values "${OUT}" ${name})
  expect("${name} on the CPU" "${values}" "null;null;null")
endforeach()
json_column(failures "${OUT}" device_failures)
expect("device failures on the CPU" "${failures}" "0;0;0")

if(usable STREQUAL "not usable")
  string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" literal "${reason}")
  refuse("--device: cuda cannot be used: ${literal}" ${quick} --device cuda)
  refuse("--device: cuda cannot be used: ${literal}" stress --bodies 50 --steps 2 --device cuda)
  refuse("--device: cuda cannot be used: ${literal}" replay --device cuda no_such_file)
else()
  message("cuda is usable: ${reason}")
  run(0 "" ${quick} --engines cullet,core,core-full --device cuda)
  json_column(devices "${OUT}" device)
  expect("devices" "${devices}" "cuda;cuda;cuda")
  foreach(name kernel_ms update_ms peak_mib)
    json_column(values "${OUT}" ${name})
    if(values MATCHES "null")
      message(SEND_ERROR "${name} on the device: ${values}")
    endif()
  endforeach()
  run(0 "50 bodies[^\n]*, cuda\n$" stress --bodies 50 --steps 20 --device cuda)
endif()

refuse("--device: 'opencl' is none of auto, cpu, cuda" compare --device opencl)
refuse("--device: 'opencl' is none of auto, cpu, cuda" stress --device opencl)
run(0 "60 bodies, seed 1, own cache, float, auto, cpu\n$" stress --bodies 60 --steps 5 --device cpu)
