# SPDX-License-Identifier: Zlib
# The tables of the papers: all numbers are right, and equal in all formats.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

run(0 "" papers)
string(REGEX MATCHALL "(^|\n)[a-z]+-[a-z0-9.]+" ids "${OUT}")
list(TRANSFORM ids STRIP)
shows("\n\nNot here:\nAvril 2012, table 1, .*\nAvril 2012, figure 2: a drawing\n")

run(0 "" papers all --quick --format json)
columns(id samePairs cpu unit)
list(LENGTH id rows)
set(ticked)
foreach(table tick figure IN ZIP_LISTS id samePairs cpu)
  if(tick STREQUAL ON)
    list(APPEND ticked ${table})
  elseif(NOT tick STREQUAL null OR NOT figure STREQUAL null) # each number that was counted here has a tick
    message(SEND_ERROR "${table}: ${figure} is not right: ${tick}")
  endif()
endforeach()
list(REMOVE_DUPLICATES id)
list(REMOVE_DUPLICATES ticked)
expect("tables" "${id}" "${ids}")
expect("tables with a tick" "${ticked}" "${ids}")
foreach(time unit IN ZIP_LISTS cpu unit)
  if(unit MATCHES "^(ms|us)$" AND NOT time STREQUAL null)
    message(SEND_ERROR "a quick run shows a time: ${time} ${unit}")
  endif()
endforeach()

run(0 "" papers --quick --format csv) # all of them
string(REGEX MATCHALL "\n" lines "${OUT}")
list(LENGTH lines count)
math(EXPR wanted "${rows} + 1")
expect("lines of CSV" "${count}" "${wanted}")
run(0 "" papers karras-ladder --quick)
shows("\n12,486  pairs +73704  73704 +yes\n")
hides("NO\n")

# A timed table has a time in each row, and a plot.
run(0 "" papers avril-5 --plot ${WORK})
string(REGEX MATCHALL " yes\n" timed "${OUT}")
list(LENGTH timed count)
expect("rows of table 5" "${count}" "16")
is_png(avril-5.png)

# In a grid of numbers only the smallest number is marked.
run(0 "" papers chitalu-fig9 --quick --plot ${WORK})
is_png(chitalu-fig9.png)
string(REGEX MATCHALL "[0-9]\\*" least "${OUT}")
list(LENGTH least count)
expect("marks" "${count}" "1")
shows("Funnel, thousand writes +groups of 2 .*\nsame pairs: yes\n")

# Each finer test (boxes, 18-DOPs, triangles) accepts fewer pairs than the previous one.
run(0 "" papers thesis-4.9 --quick --format json)
columns(what cpu)
foreach(kind boxes 18-DOPs triangles)
  list(FIND what "pairs of ${kind}" place)
  list(GET cpu ${place} count)
  if(DEFINED before AND NOT count LESS before)
    message(SEND_ERROR "${count} pairs of ${kind} of ${before}")
  endif()
  set(before ${count})
endforeach()
