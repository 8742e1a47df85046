# SPDX-License-Identifier: Zlib
# `cullet compare --never-slower`, on cases whose result does not depend on noise. Brute force is slower if hardly any
# body moves far enough for btDbvt to update its tree. It is never faster if a tree is.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

set(quick --steps 2 --warmup 1 --no-memory)

run(0 "" compare --never-slower --engines simple,cullet --bodies 1500 ${quick})
if(NOT OUT MATCHES "\ncullet beside the fastest of Bullet's own: slower in 0 of 1\nclosest to it:\n +brownian, 1,500 \
bodies")
  message(SEND_ERROR "the verdict on a win: '${OUT}'")
endif()

set(loses --never-slower --engines dbvt,cullet,cullet-brute --threads 1 --bodies 8000 --speed 0.001 ${quick})
run(1 "" compare ${loses})
if(NOT OUT MATCHES "slower in [12] of 2\n +brownian, 8,000 bodies, [^\n]*:\n +cullet-brute x1 [0-9.]+ ms, dbvt [0-9.]+ \
ms: [0-9.]+ times as long\n")
  message(SEND_ERROR "the verdict on a loss: '${OUT}'")
endif()

# Programs read stdout, so the verdict is not printed there.
run(1 "slower in [12] of 2\n" compare ${loses} --format json)
string(JSON count LENGTH "${OUT}" runs)
expect("runs" "${count}" "3")

# Without the option there is no verdict.
run(0 "" compare --engines dbvt,cullet-brute --bodies 100 ${quick})
if(OUT MATCHES "slower")
  message(SEND_ERROR "a verdict that nobody asked for: '${OUT}'")
endif()

refuse("--never-slower: needs one of Bullet's engines" compare --never-slower --engines cullet,core)
refuse("--never-slower: needs one of Bullet's engines" compare --never-slower --engines dbvt,core)
