# SPDX-License-Identifier: Zlib
# The command line of `cullet stress`.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

set(few stress --bodies 60 --steps 40)
run(0 "^60 bodies, seed 8, own cache, float, auto\n$" ${few} --seed 8)
shows("40 steps in [0-9.]+ s: nothing wrong" "calculateOverlappingPairs +[4-9][0-9]\n")
run(0 "hashed cache, float, grid" ${few} --cache hashed --algorithm grid --threads 1 --check-every 3)
run(0 "frontier" ${few} --algorithm frontier)
run(0 "60 bodies, seed 1, own cache, float, auto, cpu\n$" ${few} --device cpu)
run(0 "" stress --bodies 60 --minutes 0.005)
if(EXISTS ${CULLET}-float64)
  run(0 "own cache, double, auto" ${few} --precision double)
endif()
