# SPDX-License-Identifier: Zlib
# `cullet view` without a window: every kind of source, and what is refused. OPENGL says whether this build has the
# viewer; PYTHON is a Python.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
if(NOT OPENGL)
  refuse("this build has no viewer" view)
  refuse("this build has no viewer" view brownian --frames 2)
  return()
endif()

# picture(<arguments>...): makes one with these arguments, and stores the counts of its coloured pixels: ORANGE, BLUE,
# GREEN and RED.
function(picture)
  run(0 "^$" view ${ARGN} --size 800x500 --screenshot picture.png)
  set(OUT "${OUT}" PARENT_SCOPE)
  execute_process(COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/../support/pixels.py ${WORK}/picture.png
    OUTPUT_VARIABLE counts OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE " " ";" counts "${counts}")
  list(POP_FRONT counts width height)
  expect("the size" "${width} ${height}" "800 500")
  foreach(colour ORANGE BLUE GREEN RED)
    list(POP_FRONT counts count)
    set(${colour} ${count} PARENT_SCOPE)
  endforeach()
endfunction()

# at_least(<least> <colour>...)
function(at_least least)
  foreach(colour IN LISTS ARGN)
    if(${colour} LESS least)
      message(SEND_ERROR "${${colour}} pixels of ${colour}, expected at least ${least}")
    endif()
  endforeach()
endfunction()

# Worlds: bodies in three colours, in each of the scenes of a race.
picture(--bodies 200 --frames 30 --broadphase cullet)
at_least(100 ORANGE BLUE GREEN)
picture(ragdolls --bodies 100 --frames 2 --broadphase dbvt,sap,cullet)
at_least(10 ORANGE BLUE)

# Pairs in a box scene with many changes: red lines where pairs ended.
picture(brownian --bodies 2000 --frames 20 --broadphase cullet)
set(without ${RED})
picture(brownian --bodies 2000 --frames 20 --broadphase cullet --show bodies,pairs)
math(EXPR RED "${RED} - ${without}")
at_least(100 RED)

# Everything that can be shown changes the picture.
foreach(shown tree curve rest fat-boxes)
  picture(sleeping --bodies 100 --frames 3 --broadphase dbvt --show ${shown})
  file(SHA256 ${WORK}/picture.png ${shown})
endforeach()
picture(sleeping --bodies 100 --frames 3 --broadphase dbvt --show tree,curve)
file(SHA256 ${WORK}/picture.png both)
set(pictures ${tree} ${curve} ${rest} ${fat-boxes} ${both})
set(different ${pictures})
list(REMOVE_DUPLICATES different)
expect("different pictures" "${different}" "${pictures}")

# A recording gives a picture too; at its end the viewer stops.
run(0 "" record --bodies 50 --steps 5 --out five.rec)
picture(five.rec --frames 9 --broadphase cullet)

# Without a file, the run ends with the report.
run(0 "^$" view --bodies 50 --frames 5)
shows("^step 5[.] [a-z]+ is [0-9.]+ times as fast as [a-z]+: .* Whole steps, .* [0-9.]+ times[.]\n"
  "\ncullet: [0-9]+ pairs, 0 of them do not overlap, 0 missing\n")

# Meshes: triangles that cross are red.
file(WRITE ${WORK}/a.obj "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 1 1\nf 1 2 3\nf 4 5 6\n")
file(WRITE ${WORK}/b.obj "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 2\nv 1 1 3\nv 2 1 3\nf 1 2 3\nf 4 5 6\n")
picture(a.obj --frames 2)
at_least(1000 RED)
shows("set: 1 pairs of triangles\n")
picture(b.obj --frames 2)
if(RED GREATER 300) # of the name of a part below the scene
  message(SEND_ERROR "${RED} red pixels where nothing crosses")
endif()
picture(a.obj b.obj --poses --frames 2) # the constructor shows the first pose, and two frames make two steps
at_least(1000 RED)

refuse("'nowhere' is no kind of world, no scene and no file" view nowhere)
refuse("--moving: is for scenes only" view city --moving 3)
refuse("--poses: is for meshes only" view brownian --poses)
refuse("--seed: '-1' is not a whole number" view brownian --seed -1)
refuse("only meshes can be several" view brownian mixed)
refuse("--kind: 'heap' is none of pile, " view --kind heap)
refuse("--show: 'nothing' is none of bodies, " view --show nothing)
refuse("--size: '1x1' is not WIDTHxHEIGHT" view --size 1x1 --frames 1)
refuse("cannot write nowhere/x.png" view --frames 1 --screenshot nowhere/x.png)
file(WRITE ${WORK}/damaged.rec "not a recording")
refuse("'damaged.rec' " view damaged.rec --frames 1)
file(WRITE ${WORK}/bad.obj "v 0 0\n")
refuse("bad.obj:1: a vertex needs three numbers" view bad.obj --frames 1)
set(ENV{DISPLAY} "")
set(ENV{WAYLAND_DISPLAY} "")
refuse("there is no display for a window" view)
