# SPDX-License-Identifier: Zlib
# `--device cuda` and `cullet info`: a device that is not usable is refused at once, with the reason that info prints. A
# usable device is used, and its times are shown.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

run(0 "" info)
shows("\ncpu +usable: CPU, [0-9]+ processors? \\(always there\\)\n"
  "\nauto +takes cpu: [^\n]*only if the program asks for it\n +and there bruteForce: [^\n]+\n$"
  "\ncuda +(not usable|usable): [^\n]* \\(([^\n]*)\\)\n")
string(REGEX MATCH "\ncuda +(not usable|usable): [^\n]* \\(([^\n]*)\\)\n" ignored "${OUT}")
set(usable ${CMAKE_MATCH_1})
set(reason "${CMAKE_MATCH_2}")

set(quick compare --bodies 300 --steps 3 --warmup 0 --check --format json)

# The CPU has no kernel times.
run(0 "" ${quick} --no-memory --engines dbvt,cullet,core --device cpu)
expect_each(kernel_ms null)
expect_each(update_ms null)
expect_each(device_failures 0)

if(usable STREQUAL "not usable")
  string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" literal "${reason}")
  refuse("--device: cuda cannot be used: ${literal}" ${quick} --device cuda)
  refuse("--device: cuda cannot be used: ${literal}" stress --bodies 50 --steps 2 --device cuda)
  refuse("--device: cuda cannot be used: ${literal}" replay --device cuda no_such_file)
  refuse("--device: cuda cannot be used: " papers avril-2 --device cuda)
else()
  message("cuda is usable: ${reason}")
  run(0 "" ${quick} --engines cullet,core,core-full --device cuda)
  expect_each(device cuda)
  columns(kernel_ms update_ms peak_mib)
  if("${kernel_ms};${update_ms};${peak_mib}" MATCHES "null")
    message(SEND_ERROR "times and memory on the device: ${kernel_ms};${update_ms};${peak_mib}")
  endif()
  run(0 "50 bodies[^\n]*, cuda\n$" stress --bodies 50 --steps 20 --device cuda)
endif()
