# SPDX-License-Identifier: Zlib
# `cullet compare`: lists of options, columns of tables, time limits, instruction sets, and the verdict of
# --never-slower. Runs with --check must find no wrong pair.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

set(quick compare --no-memory --steps 2)
set(checked compare --no-memory --check --format json)

# Every combination of the lists is run. Runs that differ only in size follow each other, the smallest first.
run(0 "" ${checked} --steps 2 --warmup 0 --bodies 40,20 --moving 100,10 --speed 1,0.5 --jumping 0,3 --engines core)
expect_column(bodies "20;40;20;40;20;40;20;40;20;40;20;40;20;40;20;40")
expect_column(moving "100.0;100.0;10.0;10.0;100.0;100.0;10.0;10.0;100.0;100.0;10.0;10.0;100.0;100.0;10.0;10.0")
expect_column(jumping "0.0;0.0;0.0;0.0;3.0;3.0;3.0;3.0;0.0;0.0;0.0;0.0;3.0;3.0;3.0;3.0")
expect_column(speed "1.0;1.0;1.0;1.0;1.0;1.0;1.0;1.0;0.5;0.5;0.5;0.5;0.5;0.5;0.5;0.5")
expect_each(wrong null)

# Engines of Bullet's broadphases run once, those of cullet once for each number of threads. Only engines with cullet
# behind Bullet's interface report the pair cache's share of a step.
run(0 "" ${checked} --bodies 500 --engines dbvt,cullet,core-full --threads 1,3 --jumping 5)
expect_column(engine "dbvt;cullet;cullet;core-full;core-full")
expect_column(threads "1;1;3;1;3")
expect_each(checked ON)
columns(cache_ms pairs_ms)
list(GET cache_ms 1 cache)
list(GET pairs_ms 1 pairs)
list(REMOVE_AT cache_ms 1 2)
expect("cache milliseconds of other engines" "${cache_ms}" "null;null;null")
if(NOT cache GREATER 0 OR NOT cache LESS pairs)
  message(SEND_ERROR "cache ${cache} ms of ${pairs} ms for all pairs")
endif()

# Jumps end many pairs at once. If no body moves, no pair ends.
run(0 "" ${checked} --steps 2 --warmup 0 --bodies 400 --moving 0 --jumping 0,50 --engines core)
columns(ended)
if(NOT ended MATCHES "^0;[0-9][0-9][0-9]")
  message(SEND_ERROR "no body moved, then half of 400 jumped, and so many pairs ended: ${ended}")
endif()

# The table has a block for each case. Columns without values are left out, so that it fits a terminal.
run(0 "1/2 brownian, 30 bodies\n2/2 brownian, 30 bodies, 5 % moving\n" ${quick} --bodies 30 --moving 100,5
  --threads 1,2 --engines dbvt,dbvt-deferred,cullet-brute,core-full)
shows("brownian, 30 bodies, 100 % moving, speed 1\n.*brownian, 30 bodies, 5 % moving, speed 1\n"
  "cullet-brute +bruteForce x2 ")
string(REPEAT "[^\n]" 101 wide)
hides(" MiB" " ok" "slower" "${wide}")

# The shortest and the longest step of all, the spread between the quartiles, and from 100 steps on the 99th percentile.
run(0 "" ${checked} --bodies 100 --engines core --steps 100)
columns(min_ms spread_ms total_ms p99_ms worst_ms)
if(NOT (min_ms LESS_EQUAL total_ms AND min_ms GREATER 0 AND spread_ms GREATER 0 AND spread_ms LESS worst_ms))
  message(SEND_ERROR "shortest step ${min_ms}, spread ${spread_ms}, median ${total_ms}, longest step ${worst_ms}")
endif()
if(NOT (total_ms LESS_EQUAL p99_ms AND p99_ms LESS_EQUAL worst_ms AND total_ms LESS worst_ms))
  message(SEND_ERROR "median, 99th percentile and longest step are not in order: ${total_ms} ${p99_ms} ${worst_ms}")
endif()
run(0 "" ${checked} --bodies 100 --engines core --steps 99)
expect_column(p99_ms null)

# A case ends early if its time is up, but after at least two timed steps. Otherwise all steps are run.
run(0 "" ${checked} --bodies 100 --engines core --steps 50 --warmup 1 --seconds 0.000001)
expect_column(steps 2)
columns(began)
if(NOT began GREATER 0)
  message(SEND_ERROR "nothing began in the last of two steps: '${began}'")
endif()
run(0 "" ${checked} --bodies 100 --engines core --steps 7 --warmup 1 --seconds 1000)
expect_column(steps 7)

# A turn is the number of steps that an engine runs in a row. With longer turns, every engine still runs every step. The
# last turn has the remaining steps.
set(nine compare --no-memory --format json --bodies 300 --engines dbvt,cullet,core --jumping 5 --steps 9)
run(0 "" ${nine})
columns(pairs began)
run(0 "" ${nine} --turn 4)
expect_column(pairs "${pairs}")
expect_column(began "${began}")
expect_column(steps "9;9;9")

# Each instruction set of this machine gives the right pairs, and its name is shown. All others are refused.
set(found)
foreach(simd plain sse2 avx2 avx512 neon)
  set(arguments ${checked} --steps 3 --bodies 700 --moving 100,20 --jumping 2 --engines cullet-wide,core --simd ${simd})
  execute_process(COMMAND ${CULLET} ${arguments} RESULT_VARIABLE result OUTPUT_VARIABLE OUT ERROR_QUIET)
  if(result EQUAL 2)
    refuse("--simd: this machine has no ${simd}" ${arguments})
    continue()
  endif()
  expect("exit code with ${simd}" "${result}" "0")
  expect_each(simd ${simd})
  expect_each(algorithm wide)
  expect_each(checked ON)
  list(APPEND found ${simd})
endforeach()
if(NOT plain IN_LIST found OR ( avx2 IN_LIST found AND neon IN_LIST found ))
  message(SEND_ERROR "plain C runs everywhere, and no processor has both AVX2 and NEON; these ran: ${found}")
endif()
run(0 "" ${checked} --bodies 100 --engines cullet-lbvh --simd plain) # other algorithms ignore the option
expect_column(simd null)

# Cullet's tree is faster than brute force. Cullet's brute force is slower than btDbvt if hardly any body moves far
# enough for btDbvt to change its tree.
run(0 "" ${quick} --never-slower --engines simple,cullet --bodies 1500)
shows("\ncullet beside the fastest of Bullet's own: slower in 0 of 1\nclosest to it:\n +brownian, 1,500 bodies")
set(loses ${quick} --never-slower --engines dbvt,simple,cullet,cullet-brute --threads 1 --bodies 8000 --speed 0.001)
run(1 "" ${loses})
shows("slower in [12] of 2\n +brownian, 8,000 bodies, [^\n]*:\n +cullet-brute x1 [0-9.]+ ms, dbvt [0-9.]+ ms: [0-9.]+ \
times as long\n")
run(1 "slower in [12] of 2\n" ${loses} --format json) # programs read stdout, so the verdict is not printed there
expect_column(engine "dbvt;simple;cullet;cullet-brute")
