# SPDX-License-Identifier: Zlib
# `cullet compare` with lists: every combination is run, and each of cullet's engines with each number of threads. All
# pairs are right.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

set(quick --steps 2 --warmup 0 --no-memory --check --format json)

# One block for each value; the sizes of a value are adjacent.
run(0 "" compare --bodies 40,20 --moving 100,10 --speed 1,0.5 --jumping 0,3 --engines core ${quick})
json_column(bodies "${OUT}" bodies)
json_column(moving "${OUT}" moving)
json_column(speed "${OUT}" speed)
json_column(jumping "${OUT}" jumping)
json_column(wrong "${OUT}" wrong)
expect("bodies" "${bodies}" "20;40;20;40;20;40;20;40;20;40;20;40;20;40;20;40")
expect("moving" "${moving}" "100.0;100.0;10.0;10.0;100.0;100.0;10.0;10.0;100.0;100.0;10.0;10.0;100.0;100.0;10.0;10.0")
expect("jumping" "${jumping}" "0.0;0.0;0.0;0.0;3.0;3.0;3.0;3.0;0.0;0.0;0.0;0.0;3.0;3.0;3.0;3.0")
expect("speed" "${speed}" "1.0;1.0;1.0;1.0;1.0;1.0;1.0;1.0;0.5;0.5;0.5;0.5;0.5;0.5;0.5;0.5")
list(REMOVE_DUPLICATES wrong)
expect("wrong" "${wrong}" "null")

# Bullet's broadphases run once, cullet's once for each number of threads.
run(0 "" compare --bodies 300 --engines dbvt,cullet,core-full --threads 1,3 --jumping 5 ${quick})
json_column(engine "${OUT}" engine)
json_column(threads "${OUT}" threads)
json_column(checked "${OUT}" checked)
expect("engines" "${engine}" "dbvt;cullet;cullet;core-full;core-full")
expect("threads" "${threads}" "1;1;3;1;3")
expect("checked" "${checked}" "ON;ON;ON;ON;ON")

# Jumps end many pairs at once. If no body moves, no pair ends.
run(0 "" compare --bodies 400 --moving 0 --jumping 0,50 --engines core ${quick})
json_column(ended "${OUT}" ended)
list(GET ended 0 endedStill)
list(GET ended 1 endedJumping)
expect("pairs ended with nothing moving" "${endedStill}" "0")
if(endedJumping LESS 100)
  message(SEND_ERROR "half of 400 bodies jumped, and only ${endedJumping} pairs ended")
endif()

# The table has a block for each case. Columns are as narrow as possible, so that it fits a terminal.
run(0 "1/2 brownian, 30 bodies\n2/2 brownian, 30 bodies, 5 % moving\n" compare --bodies 30 --moving 100,5 --threads 1,2
  --steps 2 --warmup 0 --no-memory --engines dbvt,dbvt-deferred,cullet-brute,core-full)
string(REGEX MATCHALL "brownian, 30 bodies, [0-9]+ % moving, speed 1\n" blocks "${OUT}")
expect("blocks" "${blocks}" "brownian, 30 bodies, 100 % moving, speed 1\n;brownian, 30 bodies, 5 % moving, speed 1\n")
if(NOT OUT MATCHES "cullet-brute +bruteForce x2 ")
  message(SEND_ERROR "no line says that cullet-brute ran on two threads: '${OUT}'")
endif()
if(OUT MATCHES " MiB" OR OUT MATCHES " ok")
  message(SEND_ERROR "columns of which nothing is known: '${OUT}'")
endif()
string(REGEX MATCHALL "[^\n]+" lines "${OUT}")
foreach(line IN LISTS lines)
  string(LENGTH "${line}" length)
  if(length GREATER 100)
    message(SEND_ERROR "wider than 100 columns: '${line}'")
  endif()
endforeach()

# Only engines with cullet behind Bullet's interface report the pair cache's share of a step.
run(0 "" compare --bodies 500 --engines dbvt,cullet,core ${quick})
json_column(cache "${OUT}" cache_ms)
json_column(pairs "${OUT}" pairs_ms)
list(GET cache 0 cacheOfDbvt)
list(GET cache 1 cacheOfCullet)
list(GET cache 2 cacheOfCore)
list(GET pairs 1 pairsOfCullet)
expect("cache milliseconds of dbvt" "${cacheOfDbvt}" "null")
expect("cache milliseconds of core" "${cacheOfCore}" "null")
if(NOT cacheOfCullet GREATER 0 OR NOT cacheOfCullet LESS pairsOfCullet)
  message(SEND_ERROR "cache ${cacheOfCullet} ms of ${pairsOfCullet} ms for all pairs")
endif()

# If a case's time is over, the case ends early, but after at least two timed steps. Otherwise all steps are run.
run(0 "" compare --bodies 100 --engines core --steps 50 --warmup 1 --seconds 0.000001 --no-memory --format json)
json_column(steps "${OUT}" steps)
json_column(began "${OUT}" began)
expect("timed steps in no time" "${steps}" "2")
if(NOT began GREATER 0)
  message(SEND_ERROR "nothing began in the last of two steps: '${began}'")
endif()
run(0 "" compare --bodies 100 --engines core --steps 7 --warmup 1 --seconds 1000 --no-memory --format json)
json_column(steps "${OUT}" steps)
expect("timed steps in enough time" "${steps}" "7")

# A turn is the number of steps that an engine runs in a row. With longer turns, every engine still runs every step. The
# last turn has the remaining steps.
run(0 "" compare --bodies 300 --engines dbvt,cullet,core --jumping 5 --steps 9 --warmup 1 --no-memory --format json)
json_column(pairs "${OUT}" pairs)
json_column(began "${OUT}" began)
run(0 "" compare --bodies 300 --engines dbvt,cullet,core --jumping 5 --steps 9 --warmup 1 --no-memory --format json
  --turn 4)
json_column(pairsInTurns "${OUT}" pairs)
json_column(beganInTurns "${OUT}" began)
json_column(steps "${OUT}" steps)
expect("pairs in turns of four steps" "${pairsInTurns}" "${pairs}")
expect("began in turns of four steps" "${beganInTurns}" "${began}")
expect("timed steps in turns of four" "${steps}" "9;9;9")
