# SPDX-License-Identifier: Zlib
# The picture of `cullet demo`: the stacked parts of each step. demo_command.cpp sets table, picture and heading. Draws
# the tallest areas first, so that shorter ones cover them.
set terminal pngcairo font 'DejaVu Sans,16' noenhanced size 1280, 640
set output picture
set datafile separator ','
set title heading
set xlabel 'step'
set ylabel 'ms per step'
set yrange [0:*]
set key top left reverse Left
set grid ytics
set style fill solid noborder
set style data filledcurves y1=0
top(part) = sum [c = 3:2 + part] column(c)
plot table using 1:(top(7)) lc rgb '#b0b0b0' title 'rest', \
     '' using 1:(top(5)) lc rgb '#3e80d6' title 'solver', \
     '' using 1:(top(4)) lc rgb '#8fd0e8' title 'islands', \
     '' using 1:(top(3)) lc rgb '#48b068' title 'narrow phase', \
     '' using 1:(top(2)) lc rgb '#b03a00' title 'broadphase', \
     '' using 1:(top(1)) lc rgb '#e8821c' title 'boxes'
