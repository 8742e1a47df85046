# SPDX-License-Identifier: Zlib
# `cullet compare --plot`: checks the texts of an SVG, and the format of a PNG.
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
find_program(GNUPLOT gnuplot)
if(NOT GNUPLOT)
  message("gnuplot was not found: plots were not tested")
  return()
endif()

# plot(<arguments>...): draws an SVG and stores its texts in OUT, a line for each.
function(plot)
  run(0 "" compare --steps 2 --warmup 0 --no-memory --plot plot.svg ${ARGN})
  file(READ ${WORK}/plot.svg svg)
  string(REGEX MATCHALL "<text>[^<]*" texts "${svg}")
  string(REGEX REPLACE "<text>([^;]*);?" "\n\\1\n" texts "${texts}")
  set(OUT "${texts}" PARENT_SCOPE)
endfunction()

# Plots over bodies have a curve for each engine, and for each number of threads if there are several.
plot(--bodies 100,2000 --engines dbvt,cullet,core --threads 1,2 --speed 0.5)
shows("\nbrownian, 100 % moving, speed 0.5\n" "\nbodies\n" "\nmilliseconds a step\n" "\n100\n" "\n2k\n" "\ndbvt\n"
  "\ncullet x1\n" "\ncore x2\n")
hides("\ndbvt x1\n" "\npercent of the bodies that move\n")

# With several shares of moving bodies (--moving) there are also plots over the share, at the largest size.
plot(--bodies 100,300 --moving 100,5,0 --engines dbvt,cullet)
shows("\nbrownian, 5 % moving, speed 1\n" "\nbrownian, 300 bodies, speed 1\n" "\npercent of the bodies that move\n"
  "\n0\n" "\n5\n" "\ncullet\n")
hides("\nbrownian, 100 bodies, speed 1\n")

# With one size there are only plots over the share.
plot(--bodies 100 --moving 100,5 --jumping 1 --engines cullet)
shows("\nbrownian, 100 bodies, speed 1, 1 % jumping\n")
hides("\nbodies\n")

run(0 "" compare --bodies 100 --engines core --steps 2 --no-memory --plot one.png)
is_png(one.png)
run(1 "^cullet: --plot cannot write into [^\n]*/nowhere\n$" compare --bodies 10 --plot nowhere/one.png)
