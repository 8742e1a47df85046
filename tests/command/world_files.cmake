# SPDX-License-Identifier: Zlib
# Worlds in .bullet files, in demo, record and view. WRITE is a program that writes one, WRITE_DOUBLE one whose Bullet
# has double precision (or nothing), VIEWER whether this build has the viewer.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

# write(<program> <file> <arguments>...)
function(write program file)
  execute_process(COMMAND ${program} ${WORK}/${file} ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The sample has 47 objects and as many boxes as are requested.
write(${WRITE} some.bullet 40)
run(0 "some, 87 bodies" demo some.bullet --steps 20 --format json --out pictures)
columns(kind bodies broadphase pairs touching)
expect("worlds" "${kind} ${bodies} ${broadphase}" "some;some 87;87 dbvt;cullet")
list(GET pairs 0 dbvtPairs)
list(GET pairs 1 culletPairs)
if(culletPairs LESS 80 OR culletPairs GREATER dbvtPairs) # fat boxes may overlap if exact boxes do not
  message(SEND_ERROR "${pairs} pairs")
endif()
is_png(pictures/demo-some-before.png pictures/demo-some-after.png)

# Several files are several kinds.
set(double)
if(WRITE_DOUBLE)
  write(${WRITE_DOUBLE} double.bullet 40)
  set(double double.bullet)
endif()
write(${WRITE} "a few,more.bullet" 3)
run(0 "" demo some.bullet ${double} "a few,more.bullet" --broadphase cullet --steps 2 --format json --out pictures)
columns(kind bodies pairs)
list(GET pairs 0 floatPairs)
if(double)
  expect("worlds" "${kind} ${bodies}" "some;double;a_few_more 87;87;50")
  list(GET pairs 1 doublePairs)
  expect("pairs of the world in double precision" "${doublePairs}" "${floatPairs}")
else()
  expect("worlds" "${kind} ${bodies}" "some;a_few_more 87;50")
endif()

# A recording of the file has its bodies, and replays.
run(0 "" record some.bullet --steps 5 --out some.rec)
shows("some.rec: 87 bodies, 5 steps on cullet, [1-9][0-9]* hits by queries\n")
run(0 "" replay some.rec --check --engines dbvt,cullet)
shows("\ncullet .* yes\n")

if(VIEWER)
  run(0 "^$" view some.bullet --frames 5 --screenshot view.png)
  shows("\ncullet: [0-9]+ pairs, 0 of them do not overlap, 0 missing\n")
  is_png(view.png)
  refuse("--bodies: is for worlds and scenes only" view some.bullet --bodies 3)
endif()

write(${WRITE} cut.bullet 3 30000)
file(WRITE ${WORK}/text.bullet "v 0 0 0\n")
foreach(command demo record)
  refuse("'cut.bullet' is cut off" ${command} cut.bullet)
  refuse("'text.bullet' is not a file of Bullet" ${command} text.bullet)
  refuse("'none.bullet' cannot be read" ${command} none.bullet)
  refuse("'${WORK}' cannot be read" ${command} ${WORK})
  refuse("--bodies excludes FILE" ${command} some.bullet --bodies 3)
endforeach()
if(VIEWER)
  refuse("'cut.bullet' is cut off" view cut.bullet --frames 1)
endif()
refuse("'cut.bullet' is cut off" demo some.bullet cut.bullet --steps 1) # before the first world is stepped
refuse("FILE: some is named twice" demo some.bullet some.bullet)
refuse("--kind excludes FILE" demo some.bullet --kind pile)
refuse("'some.bullet' is no option: .* `cullet demo`" compare some.bullet)
