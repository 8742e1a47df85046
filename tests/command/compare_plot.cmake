# SPDX-License-Identifier: Zlib
# `cullet compare --plot`: the texts of an SVG are checked; of a PNG only its format.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
find_program(GNUPLOT gnuplot)
if(NOT GNUPLOT)
  message("gnuplot was not found: plots were not tested")
  return()
endif()

set(quick --steps 2 --warmup 0 --no-memory)

# texts(<file>): stores the texts of an SVG in TEXTS.
function(texts file)
  file(READ ${WORK}/${file} svg)
  string(REGEX MATCHALL "<text>[^<]*" found "${svg}")
  string(REGEX REPLACE "<text>" "" found "${found}")
  set(TEXTS "${found}" PARENT_SCOPE)
endfunction()

function(expect_text text)
  list(FIND TEXTS "${text}" place)
  if(place EQUAL -1)
    message(SEND_ERROR "no '${text}' among the texts of the plot: ${TEXTS}")
  endif()
endfunction()

function(expect_no_text text)
  list(FIND TEXTS "${text}" place)
  if(NOT place EQUAL -1)
    message(SEND_ERROR "'${text}' among the texts of the plot: ${TEXTS}")
  endif()
endfunction()

# Plots over bodies have a curve for each engine, and for each number of threads if there are several.
run(0 "" compare --bodies 100,2000 --engines dbvt,cullet,core --threads 1,2 --speed 0.5 --plot sizes.svg ${quick})
texts(sizes.svg)
foreach(text "brownian, 100 % moving, speed 0.5" bodies "milliseconds a step" 100 2k dbvt "cullet x1" "core x2")
  expect_text("${text}")
endforeach()
expect_no_text("dbvt x1")
expect_no_text("percent of the bodies that move")

# If there are several moved shares, there are also plots over the share, at the largest size.
run(0 "" compare --bodies 100,300 --moving 100,5,0 --engines dbvt,cullet --plot shares.svg ${quick})
texts(shares.svg)
foreach(text "brownian, 5 % moving, speed 1" "brownian, 300 bodies, speed 1" "percent of the bodies that move" 0 5
  cullet)
  expect_text("${text}")
endforeach()
expect_no_text("brownian, 100 bodies, speed 1")

# With one size there are only plots over the share.
run(0 "" compare --bodies 100 --moving 100,5 --jumping 1 --engines cullet --plot share.svg ${quick})
texts(share.svg)
expect_text("brownian, 100 bodies, speed 1, 1 % jumping")
expect_no_text("bodies")

run(0 "" compare --bodies 100 --engines core --plot one.png ${quick})
file(READ ${WORK}/one.png start LIMIT 8 HEX)
expect("the first bytes of a PNG" "${start}" "89504e470d0a1a0a")

run(1 "^cullet: --plot cannot write into [^\n]*/nowhere\n$" compare --bodies 10 --plot nowhere/one.png ${quick})
